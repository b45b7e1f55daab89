// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random sequences of ioctls, mmaps, polls and generic netlink requests on a few
 * machines that run guests of all kinds: valid ones with up to three words
 * changed, blobs for RESTORE among them. Half of the machines keep time. Where the host
 * has perf, its events come and go meanwhile. First one thread alone, then two on the same
 * files, of which one runs what the other one's calls are about, then some that are killed
 * in the middle of a call. No call may return an errno
 * that no description knows; one that is refused leaves the machine's hash as it was
 * (looked at now and then, while there is one thread); in the end nothing is charged and
 * nothing holds the module. The kernel's own checks, and its log, see the rest.
 *
 *	SEED=N		another sequence; the same seed is the same sequence
 *	CALLS=N		that many
 *	ALONE=N		so many of them by one thread alone, else half
 *	REPEAT_MS=N	with two, each call on a vcpu is made for so long, and is one of them
 */
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/montecito_netlink.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common.h"
#include "fuzz.h"
#include "genl.h"

#ifndef sigev_notify_thread_id /* glibc's name for it is younger */
#define sigev_notify_thread_id _sigev_un._tid
#endif

#define NR_MACHINES 4
#define NR_VCPUS 8
/* Behind what the kernel is given to write to: a length too large hits nothing. */
#define GUARD (16 << 20)

static int dev;
static int weights; /* of all commands */
/* A vcpu's file and one of its machine, which may have lost its own place. */
static int m[NR_MACHINES], v[NR_VCPUS], of[NR_VCPUS];
static bool alone = true;
static uint64_t beside; /* instructions of the thread that runs */
static double repeat; /* calls on a vcpu, where there are two threads: so many seconds */
/* Threads meet where their calls go to one vcpu mostly, for some calls of either. */
static int focus;
static unsigned long exits[65];

/* Of each thread. */
static __thread int blob_of;
static __thread char *map;
static __thread size_t map_length;
static __thread bool map_write;
static __thread bool runs; /* most calls of this thread are RUN */
static __thread struct genl g;

/* The programs, and a vcpu at the start of one; where it loads and stores, too. */
static void load(int machine)
{
	struct montecito_mem mem = {
		.size = sizeof(mem),
		.addr = GUEST_BASE,
		.length = guest_image_end - guest_image,
		.data = (uintptr_t)guest_image,
	};

	call(machine, MONTECITO_MEM_WRITE, &mem);
	mem.addr = HOSTILE_BASE;
	mem.length = hostile_image_end - hostile_image;
	mem.data = (uintptr_t)hostile_image;
	call(machine, MONTECITO_MEM_WRITE, &mem);
}

static void begin(int vcpu)
{
	static const uint64_t programs[] = { GUEST_SPIN,    GUEST_COUNT,      GUEST_UNCOUNTED,
					     GUEST_STORE,   GUEST_STORE,      GUEST_STORE,
					     GUEST_BREAK0,  HOSTILE_RSE,      HOSTILE_PURGE,
					     HOSTILE_WALK,  HOSTILE_FAULT,    HOSTILE_SPIN,
					     HOSTILE_TIMER, HOSTILE_ADVANCED, HOSTILE_MODIFY };
	static const uint64_t places[] = { 0x40000, REGION_READONLY, REGION_MMIO, 1ULL << 40 };
	struct montecito_reg psr = { .cls = MONTECITO_REG_SPECIAL, .index = MONTECITO_SPECIAL_PSR };
	struct montecito_regs r = { .size = sizeof(r), .count = 1, .regs = (uintptr_t)&psr };

	set(vcpu, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP,
	    programs[below(sizeof(programs) / sizeof(programs[0]))]);
	set(vcpu, MONTECITO_REG_GR, 9, places[below(4)] + 8 * below(9));
	set(vcpu, MONTECITO_REG_GR, 11, places[below(4)] + 8 * below(9));
	if (below(2))
		return;
	/* A counter that overflows soon. */
	set(vcpu, MONTECITO_REG_PMC, 4, PMC_ES(EVENT_INST_RETIRED) | PMC_PLM_ALL | PMC_OI);
	set(vcpu, MONTECITO_REG_PMD, 4, PMD_OVERFLOW - below(1000));
	set(vcpu, MONTECITO_REG_PMC, 0, 0);
	if (!call(vcpu, MONTECITO_GET_REGS, &r))
		set(vcpu, psr.cls, psr.index, psr.value[0] | PSR_UP);
}

/* The file at *@place gives way to another one. */
static void replace(int *place, int fd)
{
	int old = __atomic_exchange_n(place, fd, __ATOMIC_SEQ_CST);

	if (old >= 0)
		close(old);
}

static void new_machine(int i)
{
	union argument a = { .size = sizeof(a.create) };
	int fd;

	fill_create(&a);
	a.create.nr_regions = 3;
	/* Half of them keep time. */
	a.create.timing = i % 2 ? MONTECITO_TIMING_OFF : MONTECITO_TIMING_ON;
	a.create.config &= MONTECITO_CFG_HOST_INTERRUPTIONS | MONTECITO_CFG_HOST_PMU |
			   MONTECITO_CFG_STRICT;
	fd = call(dev, MONTECITO_CREATE, &a.create);
	if (fd < 0) /* the others have all the memory there is */
		return;
	load(fd);
	replace(&m[i], fd);
}

static void new_vcpu(int i)
{
	struct montecito_vcpu a = { .size = sizeof(a), .index = below(2) };
	int which = below(NR_MACHINES);
	int fd = call(m[which], MONTECITO_VCPU, &a);

	if (fd < 0)
		return;
	replace(&of[i], dup(m[which]));
	replace(&v[i], fd);
	begin(fd);
}

/* A file that a call made takes the place of another one, or goes. */
static void keep(const struct command *c, int machine, int fd)
{
	int i = below(NR_VCPUS);

	if (below(2)) {
		close(fd);
	} else if (c->cmd == MONTECITO_CREATE) {
		load(fd);
		replace(&m[below(NR_MACHINES)], fd);
	} else {
		replace(&of[i], dup(machine));
		replace(&v[i], fd);
	}
}

static bool at_focus(void)
{
	return !alone && below(8);
}

static int a_vcpu(void)
{
	return at_focus() ? __atomic_load_n(&focus, __ATOMIC_RELAXED) : (int)below(NR_VCPUS);
}

/* A file of that vcpu's machine, or of any. */
static int a_machine(void)
{
	return at_focus() ? of[__atomic_load_n(&focus, __ATOMIC_RELAXED)] : m[below(NR_MACHINES)];
}

static void on_alarm(int sig)
{
	(void)sig;
}

/*
 * RUN may be without end; a signal may come before it begins, so one is not enough.
 * Each thread has a timer of its own: a signal to the process goes to its first
 * thread as long as that one takes it, whatever the others wait for.
 */
static timer_t alarms(void)
{
	const struct itimerspec often = { .it_value.tv_nsec = 10000000,
					  .it_interval.tv_nsec = 10000000 };
	struct sigevent to = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGALRM };
	timer_t t;

	to.sigev_notify_thread_id = syscall(SYS_gettid);
	if (timer_create(CLOCK_MONOTONIC, &to, &t) || timer_settime(t, 0, &often, NULL))
		bail("timer: %s", strerror(errno));
	return t;
}

static void mutate(union argument *a, uint32_t size)
{
	int i;

	for (i = below(4); i > 0; i--)
		if (below(2))
			a->w64[below(size / 8)] = odd();
		else
			a->w32[below(size / 4)] = below(4) ? below(16) : odd();
}

/* MEM_WRITE and CONSOLE may have done a part. */
static bool may_do_a_part(unsigned long cmd)
{
	return cmd == MONTECITO_MEM_WRITE || cmd == MONTECITO_CONSOLE;
}

static bool checked_call(const struct command *c, int fd, int machine, union argument *a)
{
	bool look = machine >= 0 && alone && !below(16);
	uint64_t before = look ? hash(machine) : 0;
	long ret = call(fd, c->cmd, below(64) ? a : (void *)odd());

	if ((c->cmd == MONTECITO_CREATE || c->cmd == MONTECITO_VCPU) && ret >= 0)
		keep(c, machine, ret);
	if (c->cmd == MONTECITO_RUN && !ret) {
		last = a->run;
		exits[last.exit.reason % 65]++;
	}
	if (!is_documented(ret)) {
		diag("command %#lx: %s", c->cmd, strerror(-ret));
		return false;
	}
	if (look && ret < 0 && !may_do_a_part(c->cmd) && hash(machine) != before) {
		diag("command %#lx: refused (%s), and the hash changed", c->cmd, strerror(-ret));
		return false;
	}
	return true;
}

/* One ioctl; false if it did what it may not. */
static bool one_ioctl(void)
{
	static __thread union argument a;
	const struct command *c = commands;
	int machine = -1, fd = dev, i, pick = below(weights);
	double until;

	for (; pick >= c->weight; c++)
		pick -= c->weight;
	memset(&a, 0, c->size + 64);
	if (c->fill)
		c->fill(&a);
	/* A refused call meets nothing: fewer of them, where there are two threads. */
	if (alone ? below(3) : !below(4))
		mutate(&a, c->size);
	if (c->cmd == MONTECITO_RUN && below(32))
		a.run.insns = 1 + a.run.insns % 3000;
	a.size = below(16) ? c->size : below(c->size + 64);
	if (c->on == ON_MACHINE) {
		machine = fd = c->cmd == MONTECITO_RESTORE && below(4) ? m[blob_of] : a_machine();
	} else if (c->on == ON_VCPU) {
		i = a_vcpu();
		machine = of[i];
		fd = v[i];
	}
	if (!below(32)) { /* a command of another kind of file */
		fd = below(2) ? dev : v[0];
		machine = -1;
	}
	/* Short calls are to meet the other thread's as much as long ones do. */
	until = !alone && c->on == ON_VCPU ? now() + repeat : 0;
	do {
		if (!checked_call(c, fd, machine, &a))
			return false;
	} while (now() < until);
	return true;
}

/* A program of the vcpu's that both threads are at, until the alarm: calls beside it meet it. */
static bool one_run(void)
{
	struct montecito_run r = { .size = sizeof(r) };
	int i = a_vcpu();
	long ret;

	/* Most programs end soon when another thread changes what they have. */
	if (below(4))
		set(v[i], MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP, GUEST_SPIN);
	else
		begin(v[i]);
	ret = call(of[i], MONTECITO_RUN, &r);
	if (!ret)
		beside += r.exit.insns;
	return is_documented(ret);
}

static uint32_t any_machine(void)
{
	struct montecito_machine_info info = { .size = sizeof(info) };

	if (!below(4) || call(m[below(NR_MACHINES)], MONTECITO_MACHINE_INFO, &info))
		return odd();
	return info.id;
}

static bool one_request(void)
{
	static __thread struct genl_message r;
	unsigned int i, n = below(6);
	int ret;

	genl_begin(&r, g.family, below(16) ? 1 + below(MONTECITO_NL_CMD_MAX) : below(256),
		   below(4) ? 0 : NLM_F_DUMP);
	if (below(8))
		mnl_attr_put_u32(&r.h, MONTECITO_NL_A_MACHINE, any_machine());
	if (below(4))
		mnl_attr_put_u32(&r.h, MONTECITO_NL_A_VCPU, below(8) ? 0 : odd());
	for (i = 0; i < n; i++) {
		uint64_t value = odd();

		if (below(4)) {
			struct nlattr *nest = mnl_attr_nest_start(&r.h, MONTECITO_NL_A_REG);

			mnl_attr_put_u32(&r.h, MONTECITO_NL_REG_INDEX,
					 below(8) ? below(16) : odd());
			if (below(2))
				mnl_attr_put_u64(&r.h, MONTECITO_NL_REG_VALUE, value);
			mnl_attr_nest_end(&r.h, nest);
		} else {
			mnl_attr_put(&r.h, below(MONTECITO_NL_A_MAX + 3), below(9), &value);
		}
	}
	if (!below(8)) /* a byte anywhere behind the headers */
		r.buf[20 + below(r.h.nlmsg_len - 19)] = below(256);
	ret = genl_talk(&g, &r);
	if (ret < 0 && ret != -EAGAIN && ret != -EPROTO && ret != -EMSGSIZE && ret != -EACCES &&
	    !is_documented(ret)) {
		diag("netlink command: %s", strerror(-ret));
		return false;
	}
	return true;
}

static void one_map(void)
{
	static const off_t offsets[] = { 0, 0x10000, REGION_READONLY, REGION_MMIO };
	int fd = below(2) ? m[below(NR_MACHINES)] : v[below(NR_VCPUS)];
	off_t offset = below(4) ? offsets[below(4)] : (off_t)(odd() & ~0xfffULL & ~(1ULL << 63));
	void *p;

	if (!below(4))
		offset = MONTECITO_MMAP_SNAPSHOT + below(3) * 4096;
	if (map)
		munmap(map, map_length);
	map = NULL;
	map_length = (1 + below(8)) * 4096;
	map_write = below(2);
	p = mmap(NULL, map_length, PROT_READ | (map_write ? PROT_WRITE : 0),
		 (below(8) ? MAP_SHARED : MAP_PRIVATE) | (below(2) ? MAP_POPULATE : 0), fd, offset);
	if (p != MAP_FAILED)
		map = p;
}

/* Loads and stores there: guest memory, a ring's own page, a snapshot. */
static void one_touch(void)
{
	volatile uint64_t *word;

	if (!map)
		return;
	word = (uint64_t *)(map + below(map_length / 4096) * 4096 + 8 * below(below(2) ? 6 : 512));
	if (map_write && below(2))
		*word = odd();
	else
		(void)*word;
}

static void one_poll(void)
{
	struct pollfd p = { .fd = below(2) ? v[below(NR_VCPUS)] : m[below(NR_MACHINES)],
			    .events = POLLIN };
	uint64_t count;

	poll(&p, 1, 0);
	(void)!read(an_eventfd, &count, sizeof(count));
}

/* A whole blob again. */
static void new_blob(void)
{
	struct montecito_machine_info info = { .size = sizeof(info) };
	struct montecito_state s = { .size = sizeof(s), .data = (uintptr_t)blob };

	blob_of = below(NR_MACHINES);
	if (call(m[blob_of], MONTECITO_MACHINE_INFO, &info) || info.state_length > 4 * SMALL)
		return;
	s.length = blob_length = info.state_length;
	blob_head = info.state_length - info.memory;
	call(m[blob_of], MONTECITO_SAVE, &s);
}

static bool one_call(void)
{
	if (!below(200))
		__atomic_store_n(&focus, below(NR_VCPUS), __ATOMIC_RELAXED);
	if (!below(2000))
		new_machine(below(NR_MACHINES));
	if (!below(50))
		new_vcpu(below(NR_VCPUS));
	if (!below(100))
		new_blob();
	if (runs && below(8))
		return one_run();
	switch (below(44)) {
	case 0 ... 4:
		return one_request();
	case 40 ... 43:
		return fuzz_perf(m, NR_MACHINES);
	case 5:
		one_map();
		return true;
	case 6:
		one_touch();
		return true;
	case 7:
		one_poll();
		return true;
	default:
		return one_ioctl();
	}
}

/* ---- a thread of calls ---- */

struct thread {
	pthread_t id;
	uint64_t seed;
	uint64_t calls;
	uint64_t made;
	bool runs;
};

/*
 * Memory that the kernel may write to anywhere, with nothing else in the 4 GB around
 * it: half of a pointer may be changed.
 */
static void *guarded(size_t length)
{
	static uint64_t place = 1ULL << 36;
	void *at = (void *)__atomic_fetch_add(&place, 1ULL << 32, __ATOMIC_SEQ_CST);
	char *p = mmap(at, length + GUARD, PROT_NONE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (p == MAP_FAILED || mprotect(p, length, PROT_READ | PROT_WRITE))
		bail("mmap: %s", strerror(errno));
	return p;
}

static bool ended_in_all_ways(void)
{
	return exits[MONTECITO_EXIT_BUDGET] && exits[MONTECITO_EXIT_BREAK] &&
	       exits[MONTECITO_EXIT_INTERRUPTION] && exits[MONTECITO_EXIT_MMIO] &&
	       exits[MONTECITO_EXIT_PMU_OVERFLOW] && exits[MONTECITO_EXIT_SIGNAL];
}

/* The rarest way, an overflow, is that of one call in some 2500. */
static bool more(const struct thread *t)
{
	return t->made < t->calls || (alone && t->made < 40 * t->calls && !ended_in_all_ways());
}

static void *calls(void *arg)
{
	struct thread *t = arg;
	timer_t timer;

	rng = t->seed;
	runs = t->runs;
	arena = guarded(ARENA);
	blob = guarded(4 * SMALL);
	blob_length = blob_head = SMALL;
	map = NULL;
	genl_open(&g);
	fcntl(mnl_socket_get_fd(g.nl), F_SETFL, O_NONBLOCK);
	timer = alarms();
	for (t->made = 0; more(t) && one_call(); t->made++)
		;
	timer_delete(timer);
	genl_close(&g);
	if (map)
		munmap(map, map_length);
	fuzz_perf_unmap();
	munmap(blob, 4 * SMALL + GUARD);
	munmap(arena, ARENA + GUARD);
	return NULL;
}

/* ---- threads that die in the middle of a call ---- */

/* Kill processes on the same files, each at another moment. Return: the number that is left. */
static unsigned int die(unsigned int n, uint64_t seed)
{
	unsigned int left = 0, i, j;
	int status;
	pid_t pid;

	for (i = 0; i < n; i++) {
		fflush(stdout);
		pid = fork();
		if (!pid) {
			struct thread t[2] = {};

			for (j = 0; j < 2; j++) {
				t[j].seed = (seed + 2 * i + j) * 0x9e3779b97f4a7c15ULL | 1;
				t[j].calls = 1000000;
				if (j)
					calls(&t[1]);
				else if (pthread_create(&t[0].id, NULL, calls, &t[0]))
					_exit(3);
			}
			_exit(2);
		}
		usleep(below(50000));
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		left += !WIFSIGNALED(status);
	}
	/* The machines serve other callers after every mix of calls. */
	for (j = 0; j < NR_MACHINES; j++) {
		struct montecito_hash h = { .size = sizeof(h) };

		left += call(m[j], MONTECITO_HASH, &h) != 0;
		left += run(m[j], 100, 1000, NULL) != 0;
	}
	return left;
}

/* ---- what is left in the end ---- */

static long long number_in(const char *path, const char *format)
{
	long long n = -1;
	char line[128];
	FILE *f = fopen(path, "r");

	if (!f)
		bail("%s: %s", path, strerror(errno));
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, format, &n) == 1)
			break;
	fclose(f);
	return n;
}

static long long pinned(void)
{
	return number_in("/proc/self/status", "VmPin: %lld");
}

static long long users(void)
{
	return number_in("/sys/module/montecito/refcnt", "%lld");
}

/* RLIMIT_MEMLOCK holds for who has not this. */
static void drop_ipc_lock(void)
{
	struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct d[2];

	if (syscall(SYS_capget, &h, d))
		bail("capget: %s", strerror(errno));
	d[0].effective &= ~(1U << CAP_IPC_LOCK);
	if (syscall(SYS_capset, &h, d))
		bail("capset: %s", strerror(errno));
}

static void limit(uint64_t bytes)
{
	const struct rlimit l = { bytes, RLIM_INFINITY };

	if (setrlimit(RLIMIT_MEMLOCK, &l))
		bail("setrlimit: %s", strerror(errno));
}

/* The charge of a user shows in the rest of the limit. */
static void no_charge_is_left(void)
{
	struct montecito_region r = { .length = SMALL };
	struct montecito_create c = {
		.size = sizeof(c),
		.cores = 1,
		.threads = 1,
		.nr_regions = 1,
		.regions = (uintptr_t)&r,
	};
	long fd;

	limit(0);
	is(call(dev, MONTECITO_CREATE, &c), -ENOMEM, "no machine within a limit of nothing");
	limit(c.locked);
	fd = call(dev, MONTECITO_CREATE, &c);
	ok(fd >= 0, "one within a limit of what it needs: nothing else is charged");
	is(call(dev, MONTECITO_CREATE, &c), -ENOMEM, "but no second one");
	if (fd >= 0)
		close(fd);
}

static void close_all(int *fd, int n)
{
	while (n--)
		if (fd[n] >= 0)
			close(fd[n]);
}

int main(void)
{
	uint64_t total = number_of("CALLS", 20000), seed = number_of("SEED", 1), made;
	uint64_t first = number_of("ALONE", total / 2);
	struct sigaction sa = { .sa_handler = on_alarm };
	long long pinned_before, users_before;
	struct thread t[3];
	int i;

	repeat = number_of("REPEAT_MS", 0) / 1e3;
	first = first < total ? first : total;
	diag("SEED=%llu CALLS=%llu", (unsigned long long)seed, (unsigned long long)total);
	memset(t, 0, sizeof(t));
	for (i = 0; i < 3; i++) {
		t[i].seed = (seed + i * 0x632be59bd9b4e019ULL) * 0x9e3779b97f4a7c15ULL | 1;
		t[i].calls = i ? (total - first) / 2 : first;
	}
	dev = open_device();
	an_eventfd = eventfd(0, EFD_NONBLOCK);
	drop_ipc_lock();
	limit(64 << 20);
	pinned_before = pinned();
	users_before = users();
	memset(m, -1, sizeof(m));
	memset(v, -1, sizeof(v));
	memset(of, -1, sizeof(of));
	rng = t[0].seed;
	arena = guarded(ARENA);
	for (i = 0; i < NR_MACHINES; i++)
		new_machine(i);
	for (i = 0; i < NR_VCPUS; i++)
		new_vcpu(i);
	for (i = 0; i < nr_commands; i++)
		weights += commands[i].weight;
	sigaction(SIGALRM, &sa, NULL);
	fuzz_perf_begin();

	calls(&t[0]);
	made = t[0].made;
	ok(made >= t[0].calls, "%llu calls of one thread", (unsigned long long)made);
	alone = false;
	t[2].runs = true;
	for (i = 1; i < 3; i++)
		if (pthread_create(&t[i].id, NULL, calls, &t[i]))
			bail("thread");
	for (i = 1; i < 3; i++)
		pthread_join(t[i].id, NULL);
	made = t[1].made + t[2].made;
	ok(made == t[1].calls + t[2].calls && beside > made,
	   "%llu calls of two, beside %llu instructions", (unsigned long long)made,
	   (unsigned long long)beside);

	i = 5 + total / 1000;
	eq(die(i, seed), 0, "%d processes of two threads that were killed in a call", i);

	for (i = 0; i < 65; i++)
		if (exits[i])
			diag("exits of reason %d: %lu", i, exits[i]);
	ok(ended_in_all_ways(), "RUN ended in all the usual ways");
	fuzz_perf_end();
	close_all(m, NR_MACHINES);
	close_all(v, NR_VCPUS);
	close_all(of, NR_VCPUS);
	eq(pinned(), pinned_before, "nothing is charged to the process");
	eq(users(), users_before, "nothing holds the module");
	no_charge_is_left();
	return done();
}
