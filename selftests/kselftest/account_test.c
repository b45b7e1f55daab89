// SPDX-License-Identifier: GPL-2.0-only
/*
 * All machines together have no more of the system's memory than the module's limit, and
 * an eighth of the system's is out of their reach: a caller that takes all that there is
 * meets ENOMEM, and another task that needs some memory then gets it.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"

#define LIMIT "/sys/module/montecito/parameters/memory_limit"
#define NOBODY 65534
#define MIB (1UL << 20)

static uint64_t number_in(const char *file, const char *key)
{
	FILE *f = fopen(file, "r");
	uint64_t n = 0;
	char line[256];

	if (!f)
		bail("%s: %s", file, strerror(errno));
	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, key, strlen(key)))
			n = strtoull(line + strlen(key), NULL, 10);
	fclose(f);
	return n;
}

static uint64_t meminfo(const char *key)
{
	return number_in("/proc/meminfo", key) << 10;
}

static struct montecito_info info(void)
{
	struct montecito_info i = { .size = sizeof(i) };
	int dev = open_device();

	if (call(dev, MONTECITO_INFO, &i))
		bail("info");
	close(dev);
	return i;
}

static void set_limit(uint64_t mib)
{
	int fd = open(LIMIT, O_WRONLY);
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)mib);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		bail(LIMIT ": %s", strerror(errno));
	close(fd);
}

static void become_nobody(void)
{
	const struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };

	if (setrlimit(RLIMIT_MEMLOCK, &all) || setgroups(0, NULL) || setgid(NOBODY) ||
	    setuid(NOBODY))
		_exit(2);
}

/* Create machines of half the size after each refusal, until nothing more is given. */
static void take_all(int told)
{
	int dev = open_device(), n = 0;
	uint64_t want, others = 0;
	char one = 1;

	become_nobody();
	for (want = meminfo("MemAvailable:") / 100 * 95 & ~(MIB - 1); want >= MIB && n < 500;) {
		long m = create(dev, 1, 1, 0, want);

		n += m >= 0;
		if (m < 0)
			want = want / 2 & ~(MIB - 1);
		others += m < 0 && m != -ENOMEM;
	}
	if (others || write(told, &one, 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

/* Another one who touches @size bytes of its own. */
static int touch(size_t size)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			       0);
		size_t i;

		for (i = 0; p != MAP_FAILED && i < size; i += 4096)
			p[i] = 1;
		_exit(p == MAP_FAILED);
	}
	waitpid(pid, &status, 0);
	return status;
}

/* True if the account falls to @used: the last of it after a grace period. */
static bool back_to(uint64_t used)
{
	double t = now();

	while (info().memory_used > used && now() - t < 20)
		usleep(10000);
	return info().memory_used <= used;
}

static void everything(void)
{
	uint64_t total = meminfo("MemTotal:"), used = info().memory_used, spare;
	uint64_t killed = number_in("/proc/vmstat", "oom_kill ");
	struct montecito_info i;
	int told[2], status;
	char one = 0;
	pid_t pid;

	i = info();
	ok(i.memory_limit >= total / 2 - MIB && i.memory_limit <= total / 2 + MIB,
	   "by default the limit is half of the system's %llu MB",
	   (unsigned long long)(total / MIB));
	if (pipe(told))
		bail("pipe");
	fflush(stdout);
	pid = fork();
	if (!pid)
		take_all(told[1]);
	close(told[1]);
	ok(read(told[0], &one, 1) == 1, "a user without limit takes what there is, to ENOMEM");
	close(told[0]);
	i = info();
	spare = meminfo("MemAvailable:");
	diag("machines have %llu of %llu MB, and %llu are available",
	     (unsigned long long)(i.memory_used / MIB), (unsigned long long)(total / MIB),
	     (unsigned long long)(spare / MIB));
	ok(i.memory_used <= i.memory_limit, "no more than the limit");
	ok(i.memory_used >= i.memory_limit / 2, "and at least half of it: it was tried");
	ok(spare + 16 * MIB >= total / 8, "an eighth of the system's memory is there");
	eq(touch(total / 16), 0, "another process gets half of that");
	eq(number_in("/proc/vmstat", "oom_kill "), killed, "nobody is killed");
	is(waitpid(pid, &status, WNOHANG), 0, "and all of it beside the one who wants everything");
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	ok(back_to(used), "all of it is given back with its end");
}

/* Every allocation whose size a caller chooses is in the account. */
static void full(void)
{
	int dev = open_device(), m, v;
	struct montecito_ring r = { .size = sizeof(r), .order = 10 };
	struct montecito_observer_add a = {
		.size = sizeof(a),
		.flags = MONTECITO_OBSERVER_TABLE,
		.period = 1,
		.table_order = 15,
		.filter = { .code = EVENT_INST_RETIRED, .plm = 0xf },
	};
	struct montecito_state s = { .size = sizeof(s) };
	uint64_t before = info().memory_used, had;

	m = timed_machine(0);
	v = vcpu(m, 0);
	start(v, GUEST_SPIN);
	had = info().memory_used;
	ok(had >= before + MEMORY, "a machine is in the account");
	/* Limits are in MiB: room is left for the list of the pages, and for no other table. */
	if (had % MIB > MIB / 2)
		call(v, MONTECITO_OBSERVER_ADD, &a);
	had = info().memory_used;
	ok(had % MIB < 3 * (MIB / 4), "some of a MiB is left");
	a.table_order = 16;
	call(m, MONTECITO_SAVE, &s);
	s.data = (uintptr_t)malloc(s.length);
	set_limit(had / MIB + 1);
	is(create(dev, 1, 1, 0, MEMORY), -ENOMEM, "over the limit no machine, for root either");
	is(call(v, MONTECITO_RING, &r), -ENOMEM, "no ring");
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -ENOMEM, "no table");
	eq(info().memory_used, had, "what was refused is not in it");
	is(call(m, MONTECITO_SAVE, &s), 0, "SAVE needs no more than the list of the pages");
	is(call(m, MONTECITO_RESTORE, &s), 0, "nor does RESTORE");
	is(run(m, 1000, 0, NULL), 0, "and RUN nothing");
	set_limit(0);
	is(call(v, MONTECITO_RING, &r), 0, "without that limit there is a ring");
	ok(info().memory_used >= had + (4 << 20), "in the account");
	had = info().memory_used;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), 0, "and a table");
	ok(info().memory_used >= had + (1 << 20), "in the account too");
	close(v);
	close(m);
	close(dev);
	ok(back_to(before), "all of it is given back");
	set_limit(meminfo("MemTotal:") / MIB * 2);
	ok(info().memory_limit <= meminfo("MemTotal:") / 8 * 7 + MIB,
	   "a limit beyond the system's memory leaves the reserve");
	set_limit(0);
}

int main(void)
{
	full();
	everything();
	return done();
}
