// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU "montecito" of the host's own perf: what counts where, exact to the unit, and
 * what is refused. Counts are compared with observers of the same vcpu.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "kselftest_harness.h"

#define PMU "/sys/bus/event_source/devices/montecito"
#define ACTIVE 64 /* as caps/max_events */
#define SAMPLERS 16 /* as caps/max_samplers */
#define INST MONTECITO_EVENT_IA64_INST_RETIRED
#define NOPS 0x50

static uint32_t type;

static long read_number(const char *path)
{
	long n = -1;
	FILE *f = fopen(path, "r");

	if (f && fscanf(f, "%li", &n) != 1)
		n = -1;
	if (f)
		fclose(f);
	return n;
}

static struct perf_event_attr attribute(uint64_t config, uint64_t period)
{
	return (struct perf_event_attr){
		.type = type,
		.size = sizeof(struct perf_event_attr),
		.config = config,
		.sample_period = period,
		.sample_type = period ? PERF_SAMPLE_IP | PERF_SAMPLE_RAW : 0,
	};
}

/* A descriptor or a negative errno. */
static int open_event(struct perf_event_attr *a, pid_t pid, int cpu, int group)
{
	int fd = syscall(__NR_perf_event_open, a, pid, cpu, group, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int event(uint64_t config, uint64_t period)
{
	struct perf_event_attr a = attribute(config, period);

	return open_event(&a, 0, -1, -1);
}

#define NOT_COUNTED (~0ULL)

/* Its count, or NOT_COUNTED: in error, which perf prints as <not counted>. */
static uint64_t value(int fd)
{
	uint64_t n = 0;
	ssize_t got = read(fd, &n, sizeof(n));

	return got == sizeof(n) ? n : NOT_COUNTED;
}

static void stay_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

FIXTURE(perf)
{
	int m;
	int v;
};

FIXTURE_SETUP(perf)
{
	type = read_number(PMU "/type");
	ASSERT_LT(0, (int)type);
	self->m = machine(1, 1, 0);
	self->v = vcpu(self->m, 0);
	start(self->v, GUEST_SPIN);
}

FIXTURE_TEARDOWN(perf)
{
	close(self->v);
	close(self->m);
}

/* The row of events/@name as a config; false if it cannot be read. */
static bool row_config(const char *name, uint64_t *config)
{
	unsigned int code, umask, ear = 0, ear_umask = 0;
	char path[512];
	FILE *f;
	int n;

	snprintf(path, sizeof(path), PMU "/events/%s", name);
	f = fopen(path, "r");
	if (!f)
		return false;
	n = fscanf(f, "event=%x,umask=%x,ear=%x,ear_umask=%x", &code, &umask, &ear, &ear_umask);
	fclose(f);
	*config = code | umask << 8 | ear << 20 | ear_umask << 24;
	return n == 2 || n == 4;
}

#define MAX_ROWS 700

static int rows(uint64_t config[MAX_ROWS])
{
	DIR *d = opendir(PMU "/events");
	struct dirent *e;
	int n = 0;

	while (d && (e = readdir(d)))
		if (e->d_name[0] != '.' && n < MAX_ROWS)
			n += row_config(e->d_name, &config[n]);
	if (d)
		closedir(d);
	return n;
}

static long observe(int v, uint64_t config, uint32_t *id)
{
	/* The trace buffer's rows go by their code alone there. */
	bool ear = (config >> 20 & 7) <= MONTECITO_EAR_INSN_TLB;
	struct montecito_observer_add a = {
		.size = sizeof(a),
		.filter = {
			.code = config & 0xff,
			.umask = config >> 8 & 0xf,
			.plm = config >> 16 & 0xf ?: 0xf,
			.ear = ear ? config >> 20 & 7 : 0,
			.ear_umask = ear ? config >> 24 & 0xff : 0,
		},
	};
	long ret = call(v, MONTECITO_OBSERVER_ADD, &a);

	*id = a.id;
	return ret;
}

/* Every row, on a machine with time, as many at a time as can be active. */
TEST_F_TIMEOUT(perf, every_row_counts_as_an_observer, 600)
{
	static uint64_t config[MAX_ROWS];
	int n = rows(config), m = timed_machine(0), v = vcpu(m, 0), i, k;

	ASSERT_LT(400, n);
	for (i = 0; i < n; i += ACTIVE) {
		int nr = n - i < ACTIVE ? n - i : ACTIVE, fd[ACTIVE];
		uint32_t id[ACTIVE];

		start(v, GUEST_SPIN);
		for (k = 0; k < nr; k++) {
			fd[k] = event(config[i + k], 0);
			ASSERT_LE(0, fd[k]);
			ASSERT_EQ(0, observe(v, config[i + k], &id[k]));
		}
		run(m, 20000, 0, NULL);
		run(m, 777, 0, NULL);
		for (k = 0; k < nr; k++) {
			struct montecito_observer_del d = { .size = sizeof(d), .id = id[k] };

			EXPECT_EQ(observed(v, id[k]), value(fd[k]))
			TH_LOG("event %#lx", (long)config[i + k]);
			call(v, MONTECITO_OBSERVER_DEL, &d);
			close(fd[k]);
		}
	}
	close(v);
	close(m);
}

TEST_F(perf, refusals)
{
	static const uint64_t no_sample[] = {
		PERF_SAMPLE_READ,	   PERF_SAMPLE_CALLCHAIN,    PERF_SAMPLE_REGS_USER,
		PERF_SAMPLE_REGS_INTR,	   PERF_SAMPLE_STACK_USER,   PERF_SAMPLE_ADDR,
		PERF_SAMPLE_PHYS_ADDR,	   PERF_SAMPLE_DATA_SRC,     PERF_SAMPLE_WEIGHT,
		PERF_SAMPLE_WEIGHT_STRUCT, PERF_SAMPLE_BRANCH_STACK, PERF_SAMPLE_TRANSACTION,
	};
	struct perf_event_attr a;
	unsigned int i;
	int fd;

	EXPECT_EQ(-ENOENT, event(0xfff, 0)) TH_LOG("no such event");
	for (i = 0; i < 64; i++) {
		if (1ULL << i & 0xff7f7fffULL)
			continue;
		EXPECT_EQ(-EINVAL, event(INST | 1ULL << i, 0)) TH_LOG("config bit %u", i);
	}
	for (i = 36; i < 64; i++) {
		a = attribute(INST, 0);
		a.config1 = 1ULL << i;
		EXPECT_EQ(-EINVAL, open_event(&a, 0, -1, -1)) TH_LOG("config1 bit %u", i);
	}
	a = attribute(INST, 0);
	a.config2 = 1;
	EXPECT_EQ(-EINVAL, open_event(&a, 0, -1, -1)) TH_LOG("config2");
	EXPECT_EQ(-EINVAL, event(INST | 1 << 24, 0)) TH_LOG("a unit mask of no EAR");
	EXPECT_EQ(-EOPNOTSUPP,
		  event(MONTECITO_EVENT_CODE(MONTECITO_EVENT_CPU_OP_CYCLES_ALL) | 7 << 12, 0))
	TH_LOG("a threshold above what it adds");
	a = attribute(INST, 0);
	a.exclude_user = a.exclude_kernel = 1;
	EXPECT_EQ(-EINVAL, open_event(&a, 0, -1, -1)) TH_LOG("no level");
	for (i = 0; i < sizeof(no_sample) / sizeof(*no_sample); i++) {
		a = attribute(INST, 1000);
		a.sample_type |= no_sample[i];
		a.sample_stack_user = 1024;
		a.sample_regs_user = a.sample_regs_intr = 1;
		a.branch_sample_type = PERF_SAMPLE_BRANCH_ANY;
		EXPECT_EQ(-EOPNOTSUPP, open_event(&a, 0, -1, -1))
		TH_LOG("sample type %#lx", (long)no_sample[i]);
	}
	fd = event(INST, 0);
	ASSERT_LE(0, fd);
	EXPECT_NE(0, syscall(__NR_delete_module, "montecito", O_NONBLOCK));
	close(fd);
}

TEST_F(perf, levels_and_filters)
{
	struct perf_event_attr a = attribute(INST, 0);
	int u, k, both, other, mine, vcpu1, range, plm;

	a.exclude_kernel = 1;
	u = open_event(&a, 0, -1, -1);
	a.config |= 0xf << 16;
	plm = open_event(&a, 0, -1, -1);
	a = attribute(INST, 0);
	a.exclude_user = 1;
	k = open_event(&a, 0, -1, -1);
	a = attribute(INST, 0);
	both = open_event(&a, 0, -1, -1);
	range = open_event(&a, 0, -1, -1);
	a.config1 = machine_id(self->m);
	mine = open_event(&a, 0, -1, -1);
	a.config1++;
	other = open_event(&a, 0, -1, -1);
	a.config1 = 2ULL << 32;
	vcpu1 = open_event(&a, 0, -1, -1);
	EXPECT_EQ(-1, ioctl(range, PERF_EVENT_IOC_SET_FILTER, "start 0x10000"));
	EXPECT_EQ(EOPNOTSUPP, errno);
	EXPECT_EQ(0, ioctl(range, PERF_EVENT_IOC_SET_FILTER, "filter 0x10010/0x10"));
	run(self->m, 30000, 0, NULL);
	EXPECT_EQ(30000, value(both));
	EXPECT_EQ(value(both), value(u) + value(k)) TH_LOG("%ld", (long)value(u));
	EXPECT_EQ(0, value(u));
	EXPECT_EQ(30000, value(plm)) TH_LOG("plm= goes before :u");
	EXPECT_EQ(30000, value(mine));
	EXPECT_EQ(0, value(other));
	EXPECT_EQ(0, value(vcpu1));
	EXPECT_EQ(0, value(range)) TH_LOG("the loop is one bundle");
	EXPECT_EQ(0, ioctl(range, PERF_EVENT_IOC_SET_FILTER, "filter 0x10000/0x10"));
	run(self->m, 30000, 0, NULL);
	EXPECT_EQ(30000, value(range)) TH_LOG("from the next slice on");
	EXPECT_EQ(0, ioctl(both, PERF_EVENT_IOC_RESET, 0));
	EXPECT_EQ(0, ioctl(mine, PERF_EVENT_IOC_DISABLE, 0));
	run(self->m, 3000, 0, NULL);
	EXPECT_EQ(3000, value(both));
	EXPECT_EQ(60000, value(mine));
}

/* What does not fit, or is not counted here, is in error: it is not 0. */
TEST_F(perf, not_counted_is_not_0)
{
	struct montecito_refused refused[4] = {};
	struct montecito_machine_info info = {
		.size = sizeof(info),
		.nr_refused = 4,
		.refused = (uintptr_t)refused,
	};
	uint64_t cycles = MONTECITO_EVENT_CODE(MONTECITO_EVENT_CPU_OP_CYCLES_ALL);
	int fd[ACTIVE + 1], i, timed, filtered;

	for (i = 0; i <= ACTIVE; i++) {
		fd[i] = event(INST, 0);
		ASSERT_LE(0, fd[i]);
	}
	run(self->m, 3000, 0, NULL);
	for (i = 0; i < ACTIVE; i++)
		EXPECT_EQ(3000, value(fd[i]));
	EXPECT_EQ(NOT_COUNTED, value(fd[ACTIVE]));
	for (i = 0; i <= ACTIVE; i++)
		close(fd[i]);
	for (i = 0; i <= SAMPLERS; i++)
		fd[i] = event(INST, 1000);
	run(self->m, 3000, 0, NULL);
	for (i = 0; i < SAMPLERS; i++)
		EXPECT_EQ(3000, value(fd[i]));
	EXPECT_EQ(NOT_COUNTED, value(fd[SAMPLERS]));
	for (i = 0; i <= SAMPLERS; i++)
		close(fd[i]);

	timed = event(cycles, 0);
	filtered = event(NOPS, 0);
	fd[0] = event(INST, 0);
	ASSERT_LE(0, timed);
	run(self->m, 3000, 0, NULL);
	EXPECT_EQ(NOT_COUNTED, value(timed));
	EXPECT_NE(NOT_COUNTED, value(filtered));
	EXPECT_EQ(3000, value(fd[0]));
	ASSERT_EQ(0, call(self->m, MONTECITO_MACHINE_INFO, &info));
	EXPECT_EQ(1, info.nr_refused);
	EXPECT_EQ(cycles | 0xf << 16, refused[0].config);
	EXPECT_TRUE(strstr(refused[0].why, "timing model"));
	close(timed);
	close(filtered);
	close(fd[0]);
}

/* ---- samples ---- */

struct samples {
	int fd;
	struct perf_event_mmap_page *page;
	unsigned char *data;
	uint64_t size;
	uint64_t lost;
};

#define RING_PAGES 64

static void samples_map(struct samples *s, int pages)
{
	size_t page = sysconf(_SC_PAGESIZE);

	s->page = mmap(NULL, page * (1 + pages), PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, 0);
	if (s->page == MAP_FAILED)
		bail("ring: %s", strerror(errno));
	s->data = (unsigned char *)s->page + page;
	s->size = page * pages;
	s->lost = 0;
}

struct sample {
	uint64_t ip;
	uint32_t size;
	struct montecito_perf_sample raw;
} __attribute__((packed));

/* The next sample; lost ones are added to s->lost. */
static bool samples_next(struct samples *s, struct sample *to)
{
	uint64_t head = __atomic_load_n(&s->page->data_head, __ATOMIC_ACQUIRE);

	while (s->page->data_tail != head) {
		uint64_t tail = s->page->data_tail, i;
		unsigned char record[256] = {};
		struct perf_event_header h;

		for (i = 0; i < sizeof(h); i++)
			record[i] = s->data[(tail + i) % s->size];
		memcpy(&h, record, sizeof(h));
		for (; i < h.size && i < sizeof(record); i++)
			record[i] = s->data[(tail + i) % s->size];
		__atomic_store_n(&s->page->data_tail, tail + h.size, __ATOMIC_RELEASE);
		if (h.type == PERF_RECORD_LOST)
			s->lost += *(uint64_t *)(record + sizeof(h) + 8);
		if (h.type != PERF_RECORD_SAMPLE)
			continue;
		memcpy(to, record + sizeof(h), sizeof(*to));
		return true;
	}
	return false;
}

/* samples = count / period, each at the same instruction as an observer's of that period */
TEST_F(perf, samples_are_those_of_an_observer)
{
	static const uint64_t period[] = { 1, 7, 1000, 10007 };
	unsigned int i;

	for (i = 0; i < sizeof(period) / sizeof(*period); i++) {
		uint64_t insns = period[i] * 300 + 2, n = 0, wrong = 0, count;
		uint64_t before = get(self->v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS);
		struct samples s = { .fd = event(INST, period[i]) };
		struct sample one;

		ASSERT_LE(0, s.fd);
		samples_map(&s, RING_PAGES);
		run(self->m, insns / 2, 0, NULL);
		run(self->m, insns - insns / 2, 0, NULL);
		count = value(s.fd);
		EXPECT_LE(insns, count);
		/* Where an observer of that period has its samples, bundle by bundle. */
		while (samples_next(&s, &one)) {
			n++;
			wrong += one.ip != (one.raw.ip | one.raw.slot) ||
				 one.raw.ip != GUEST_SPIN || one.raw.slot != 2 ||
				 one.raw.machine != machine_id(self->m) || one.raw.cpl ||
				 one.raw.insns - before != (n * period[i] + 2) / 3 * 3;
		}
		EXPECT_EQ(0, wrong);
		EXPECT_EQ(count / period[i], n) TH_LOG("period %lu", (long)period[i]);
		EXPECT_EQ(0, s.lost);
		munmap(s.page, s.size + sysconf(_SC_PAGESIZE));
		close(s.fd);
	}
}

TEST_F(perf, period_changes_refresh_and_a_full_ring)
{
	struct samples s = { .fd = event(INST, 1000) };
	struct sample one;
	uint64_t period = 100, insns[40] = {}, n = 0, got = 0;

	ASSERT_LE(0, s.fd);
	samples_map(&s, 8);
	run(self->m, 3300, 0, NULL);
	EXPECT_EQ(0, ioctl(s.fd, PERF_EVENT_IOC_PERIOD, &period));
	run(self->m, 900, 0, NULL);
	while (samples_next(&s, &one) && n < 40)
		insns[n++] = one.raw.insns;
	/* Three whole periods, then 100 at a time: no more than that is left of the fourth. */
	EXPECT_EQ(3 + 9, n);
	for (got = 4; got < n; got++)
		EXPECT_GT(3, labs((long)(insns[got] - insns[got - 1]) - 100))
	TH_LOG("a bundle off");
	period = 100000;
	EXPECT_EQ(0, ioctl(s.fd, PERF_EVENT_IOC_PERIOD, &period));
	run(self->m, 3000, 0, NULL);
	for (n = 0; samples_next(&s, &one); n++)
		;
	EXPECT_EQ(1, n) TH_LOG("what was left of the old period");
	munmap(s.page, s.size + sysconf(_SC_PAGESIZE));
	close(s.fd);

	s.fd = event(INST, 3);
	samples_map(&s, 1);
	run(self->m, 3000, 0, NULL);
	while (samples_next(&s, &one))
		got++;
	run(self->m, 30, 0, NULL);
	for (n = 0; samples_next(&s, &one); n++)
		;
	EXPECT_LT(0, s.lost);
	munmap(s.page, s.size + sysconf(_SC_PAGESIZE));
	close(s.fd);

	s.fd = event(INST, 1000);
	samples_map(&s, 8);
	EXPECT_EQ(0, ioctl(s.fd, PERF_EVENT_IOC_DISABLE, 0));
	EXPECT_EQ(0, ioctl(s.fd, PERF_EVENT_IOC_REFRESH, 5));
	run(self->m, 30000, 0, NULL);
	for (n = 0; samples_next(&s, &one); n++)
		;
	EXPECT_EQ(5, n) TH_LOG("REFRESH: so many, then no more");
	close(s.fd);
}

/* ---- threads, CPUs, lifetimes ---- */

struct turns {
	int m;
	int fd;
	uint64_t insns;
};

static void *take_turns(void *arg)
{
	struct turns *t = arg;
	struct montecito_run r;
	int i;

	t->fd = event(INST, 0);
	for (i = 0; i < 200; i++) {
		r = (struct montecito_run){ .size = sizeof(r), .insns = 2000 };
		if (!call(t->m, MONTECITO_RUN, &r))
			t->insns += r.exit.insns;
	}
	return NULL;
}

TEST_F(perf, two_threads_part_a_machine)
{
	struct turns t[2] = { { .m = self->m }, { .m = self->m } };
	struct perf_event_attr a = attribute(INST, 0);
	pthread_t thread[2];
	uint32_t id;
	int all, i;

	a.inherit = 1;
	all = open_event(&a, 0, -1, -1);
	ASSERT_LE(0, all);
	ASSERT_EQ(0, observe(self->v, INST, &id));
	for (i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, take_turns, &t[i]);
	for (i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	for (i = 0; i < 2; i++)
		EXPECT_EQ(t[i].insns, value(t[i].fd));
	EXPECT_EQ(observed(self->v, id), value(t[0].fd) + value(t[1].fd));
	EXPECT_EQ(observed(self->v, id), value(all));
	EXPECT_LT(0, value(all));
	close(all);
}

static volatile bool moving;

static void *move_about(void *arg)
{
	pid_t tid = *(pid_t *)arg;
	cpu_set_t set;
	int i;

	for (i = 0; i < 1000; i++) {
		CPU_ZERO(&set);
		CPU_SET(i & 1, &set);
		sched_setaffinity(tid, sizeof(set), &set);
		usleep(i % 8 * 100);
	}
	moving = false;
	return NULL;
}

/* A machine whose task changes its CPU a thousand times: no slice is lost or counted twice. */
TEST_F_TIMEOUT(perf, cpus_part_a_machine_that_moves, 300)
{
	struct perf_event_attr a = attribute(INST, 0);
	int fd[2], own, sampler[2];
	pid_t tid = syscall(__NR_gettid);
	uint64_t sum = 0;
	pthread_t thread;
	uint32_t id;

	ASSERT_LE(2, sysconf(_SC_NPROCESSORS_ONLN));
	a.config1 = machine_id(self->m);
	fd[0] = open_event(&a, -1, 0, -1);
	fd[1] = open_event(&a, -1, 1, -1);
	own = open_event(&a, 0, -1, -1);
	a.sample_period = 100;
	sampler[0] = open_event(&a, -1, 0, -1);
	sampler[1] = open_event(&a, -1, 1, -1);
	ASSERT_LE(0, fd[0]);
	ASSERT_LE(0, sampler[1]);
	ASSERT_EQ(0, observe(self->v, INST, &id));
	moving = true;
	pthread_create(&thread, NULL, move_about, &tid);
	while (moving)
		run(self->m, 30000, 0, NULL);
	pthread_join(thread, NULL);
	sum = observed(self->v, id);
	EXPECT_LT(0, sum);
	EXPECT_EQ(sum, value(fd[0]) + value(fd[1]));
	EXPECT_EQ(sum, value(sampler[0]) + value(sampler[1]));
	EXPECT_EQ(sum, value(own));
	EXPECT_LT(0, value(fd[0]));
	EXPECT_LT(0, value(fd[1]));
	close(fd[0]);
	close(fd[1]);
	close(own);
	close(sampler[0]);
	close(sampler[1]);
}

/* -p, fork and exec: another task's events, and those that follow from it. */
TEST_F(perf, tasks)
{
	struct perf_event_attr a = attribute(INST, 0);
	int go[2], fd, on_exec, status;
	char c = 0;
	pid_t pid;

	ASSERT_EQ(0, pipe(go));
	a.inherit = 1;
	pid = fork();
	if (!pid) {
		if (read(go[0], &c, 1) != 1)
			_exit(1);
		if (!fork()) {
			run(self->m, 3000, 0, NULL);
			_exit(0);
		}
		wait(NULL);
		run(self->m, 600, 0, NULL);
		_exit(0);
	}
	fd = open_event(&a, pid, -1, -1);
	ASSERT_LE(0, fd);
	a.disabled = 1;
	a.enable_on_exec = 1;
	on_exec = open_event(&a, pid, -1, -1);
	ASSERT_EQ(1, write(go[1], &c, 1));
	waitpid(pid, &status, 0);
	EXPECT_EQ(0, status);
	EXPECT_EQ(3600, value(fd));
	EXPECT_EQ(0, value(on_exec)) TH_LOG("nothing was executed");
	close(fd);
	close(on_exec);
}

static void *run_long(void *arg)
{
	int m = *(int *)arg;

	while (moving)
		run(m, 100000, 0, NULL);
	return NULL;
}

/* Events come and go, and are read, while a machine runs that is saved and restored. */
TEST_F_TIMEOUT(perf, in_the_middle_of_slices, 300)
{
	struct montecito_machine_info info = { .size = sizeof(info) };
	struct montecito_state s = { .size = sizeof(s) };
	int fd[8] = { -1, -1, -1, -1, -1, -1, -1, -1 }, i, m = self->m;
	unsigned int seed = 1;
	pthread_t thread;

	ASSERT_EQ(0, call(m, MONTECITO_MACHINE_INFO, &info));
	s.length = info.state_length;
	s.data = (uintptr_t)malloc(s.length);
	moving = true;
	pthread_create(&thread, NULL, run_long, &m);
	for (i = 0; i < 2000; i++) {
		int k = rand_r(&seed) % 8;
		struct perf_event_attr a =
			attribute(rand_r(&seed) & 1 ? INST : NOPS, rand_r(&seed) & 1 ? 500 : 0);
		uint64_t period = 1 + rand_r(&seed) % 1000;

		switch (rand_r(&seed) % 8) {
		case 0:
		case 1:
			if (fd[k] >= 0)
				close(fd[k]);
			fd[k] = open_event(&a, -1, rand_r(&seed) % 2, -1);
			break;
		case 2:
			ioctl(fd[k], PERF_EVENT_IOC_DISABLE, 0);
			break;
		case 3:
			ioctl(fd[k], PERF_EVENT_IOC_ENABLE, 0);
			break;
		case 4:
			ioctl(fd[k], PERF_EVENT_IOC_PERIOD, &period);
			break;
		case 5:
			ioctl(fd[k], PERF_EVENT_IOC_SET_FILTER, "filter 0x10000/0x10");
			break;
		case 6:
			if (fd[k] >= 0)
				value(fd[k]);
			break;
		default:
			call(m, i & 1 ? MONTECITO_SAVE : MONTECITO_RESTORE, &s);
		}
	}
	moving = false;
	pthread_join(thread, NULL);
	EXPECT_EQ(0, call(m, MONTECITO_SAVE, &s));
	EXPECT_EQ(0, call(m, MONTECITO_RESTORE, &s));
	/* The machine goes first, its events after it. */
	run(m, 3000, 0, NULL);
	close(self->v);
	close(self->m);
	for (i = 0; i < 8; i++)
		if (fd[i] >= 0)
			close(fd[i]);
	free((void *)(uintptr_t)s.data);
}

static void write_number(const char *path, int n)
{
	FILE *f = fopen(path, "w");

	if (f) {
		fprintf(f, "%d\n", n);
		fclose(f);
	}
}

#define CPU1 "/sys/devices/system/cpu/cpu1/online"

TEST_F_TIMEOUT(perf, a_cpu_goes_offline, 300)
{
	struct perf_event_attr a = attribute(INST, 0);
	int on0, on1, own, i;
	uint32_t id;

	ASSERT_EQ(0, access(CPU1, W_OK));
	a.config1 = machine_id(self->m);
	on0 = open_event(&a, -1, 0, -1);
	on1 = open_event(&a, -1, 1, -1);
	own = open_event(&a, 0, -1, -1);
	ASSERT_EQ(0, observe(self->v, INST, &id));
	stay_on(1);
	run(self->m, 300000, 0, NULL);
	for (i = 0; i < 3; i++) {
		write_number(CPU1, 0);
		run(self->m, 300000, 0, NULL);
		write_number(CPU1, 1);
		run(self->m, 300000, 0, NULL);
	}
	EXPECT_EQ(observed(self->v, id), value(own));
	EXPECT_EQ(300000, value(on1)) TH_LOG("up to where the CPU went");
	EXPECT_LE(value(on0) + value(on1), value(own));
	close(on0);
	close(on1);
	close(own);
}

/* The guest does not notice who counts. */
TEST_F_TIMEOUT(perf, guests_do_not_notice, 300)
{
	static uint64_t config[MAX_ROWS];
	uint64_t plain[2], counted[2];
	int n = rows(config), fd[ACTIVE], i, timed;

	for (timed = 0; timed < 2; timed++) {
		int m = timed ? timed_machine(0) : machine(1, 1, 0), v = vcpu(m, 0);

		start(v, GUEST_SPIN);
		run(m, 20000, 0, NULL);
		plain[timed] = hash(m);
		close(v);
		close(m);
	}
	for (i = 0; i < ACTIVE; i++) {
		fd[i] = event(config[i * 5 % n], i < SAMPLERS ? 11 + i : 0);
		ASSERT_LE(0, fd[i]);
	}
	for (timed = 0; timed < 2; timed++) {
		int m = timed ? timed_machine(0) : machine(1, 1, 0), v = vcpu(m, 0);
		uint32_t id;

		start(v, GUEST_SPIN);
		run(m, 20000, 0, NULL);
		counted[timed] = hash(m);
		/* Nor does the owner: all of the vcpu's own observers are still to be had. */
		for (i = 0; i < (timed ? 8 : 1024); i++)
			EXPECT_EQ(0, observer(v, INST, 0, &id));
		close(v);
		close(m);
	}
	EXPECT_EQ(plain[0], counted[0]);
	EXPECT_EQ(plain[1], counted[1]);
	for (i = 0; i < ACTIVE; i++)
		close(fd[i]);
}

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"
#define NOBODY 65534

/* What nobody gets at this level: bit 0 own task with :u, 1 own task, 2 a CPU, 3 root's task. */
static int nobody_gets(int paranoid, pid_t root)
{
	int status;
	pid_t pid;

	write_number(PARANOID, paranoid);
	pid = fork();
	if (!pid) {
		struct perf_event_attr a = attribute(INST, 0);
		int got = 0;

		if (setgid(NOBODY) || setuid(NOBODY))
			_exit(99);
		got |= (open_event(&a, 0, -1, -1) >= 0) << 1;
		got |= (open_event(&a, -1, 0, -1) >= 0) << 2;
		a.exclude_kernel = 1;
		got |= open_event(&a, 0, -1, -1) >= 0;
		got |= (open_event(&a, root, -1, -1) >= 0) << 3;
		_exit(got);
	}
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

TEST_F(perf, who_may)
{
	long before = read_number(PARANOID);

	EXPECT_EQ(0x1, nobody_gets(2, getpid()));
	EXPECT_EQ(0x3, nobody_gets(1, getpid()));
	EXPECT_EQ(0x7, nobody_gets(0, getpid()));
	/* Debian's level 3; other kernels have no more than 2 means. */
	if (access("/etc/debian_version", R_OK) == 0 && before == 3)
		EXPECT_EQ(0, nobody_gets(3, getpid()));
	write_number(PARANOID, before);
}

TEST_HARNESS_MAIN
