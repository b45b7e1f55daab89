// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory of a machine is its memory control group's: over memory.max a caller's
 * request is refused, or the group's own process dies; no other process does.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"

#define ROOT "/tmp/montecito-cgroup"
#define GROUP ROOT "/memcg_test"
#define MAX (64UL << 20)

static void put(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		bail("%s: %s", file, strerror(errno));
	close(fd);
}

/* The number behind @key in a file, or its only one. */
static unsigned long number_in(const char *name, const char *key)
{
	char line[128];
	unsigned long v = 0;
	FILE *f = fopen(name, "r");

	if (!f)
		bail("%s: %s", name, strerror(errno));
	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, key, strlen(key)))
			v = strtoul(line + strlen(key), NULL, 10);
	fclose(f);
	return v;
}

/* Value of @key in one of the group's files. */
static unsigned long value(const char *file, const char *key)
{
	char name[128];

	snprintf(name, sizeof(name), GROUP "/%s", file);
	return number_in(name, key);
}

/* Run @fn in the group: its exit status, or -1 if a signal ended it. */
static int inside(int (*fn)(void))
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		put(GROUP "/cgroup.procs", "0");
		_exit(fn());
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int fits(void)
{
	int dev = open_device(), m = create(dev, 1, 1, 0, 8 << 20);
	unsigned char *p;

	if (m < 0)
		return 1;
	/* All of the guest's memory is the group's from the beginning. */
	if (value("memory.current", "") < 8 << 20)
		return 2;
	p = mmap(NULL, 8 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, m, 0);
	if (p == MAP_FAILED)
		return 3;
	memset(p, 1, 8 << 20);
	return 0;
}

static int too_large(void)
{
	int dev = open_device(), i;

	for (i = 0; i < 3; i++)
		if (create(dev, 1, 1, 0, 2 * MAX) != -ENOMEM)
			return 1;
	/* The memory taken before the refusal has been given back. */
	return create(dev, 1, 1, 0, 8 << 20) < 0 ? 2 : 0;
}

/*
 * One after the other, until no more fit. The last of it may be an allocation that
 * the kernel does not let fail: then this process dies.
 */
static int many(void)
{
	int dev = open_device(), n = 0;
	long m;

	while ((m = create(dev, 1, 1, 0, 4 << 20)) >= 0)
		n++;
	return m == -ENOMEM && n >= 2 && (n + 1) * (4UL << 20) <= MAX + (4 << 20) ? 0 : 1;
}

/* Tables of observers, on a machine with time. */
static int tables(void)
{
	struct montecito_observer_add a = {
		.size = sizeof(a),
		.flags = MONTECITO_OBSERVER_TABLE,
		.period = 1,
		.table_order = 16,
		.filter = { .code = EVENT_INST_RETIRED, .plm = 0xf },
	};
	int m = timed_machine(0), n = 0;
	long ret;

	while (!(ret = call(vcpu(m, 0), MONTECITO_OBSERVER_ADD, &a)) && n < 60)
		n++;
	return ret == -ENOMEM && n ? 0 : 1;
}

/* A buffer for SAVE that the group has no room for: this process's own memory. */
static int no_buffer(void)
{
	int dev = open_device(), m = create(dev, 1, 1, 0, MAX / 4 * 3);
	struct montecito_state s = { .size = sizeof(s) };
	long ret;

	if (m < 0)
		return 1;
	if (call(m, MONTECITO_SAVE, &s))
		return 2;
	s.data = (uintptr_t)mmap(NULL, s.length, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ret = call(m, MONTECITO_SAVE, &s);
	return ret == -ENOMEM || ret == -EFAULT ? 0 : 3;
}

/* The file that RESTORE reads does not fit: refused, or this process dies. */
static int no_file(void)
{
	int dev = open_device(), m = create(dev, 1, 1, 0, MAX / 4 * 3), file;
	struct montecito_state s = { .size = sizeof(s) };
	long ret;

	if (m < 0)
		return 1;
	if (call(m, MONTECITO_SAVE, &s))
		return 2;
	/* Where to read it from without having it: a hole of a file. */
	file = open("/tmp", O_TMPFILE | O_RDWR, 0600);
	if (file < 0 || ftruncate(file, s.length))
		return 3;
	s.data = (uintptr_t)mmap(NULL, s.length, PROT_READ, MAP_SHARED, file, 0);
	if ((void *)(uintptr_t)s.data == MAP_FAILED)
		return 4;
	ret = call(m, MONTECITO_RESTORE, &s);
	return ret == -ENOMEM ? 0 : 5;
}

static int rings(void)
{
	struct montecito_ring r = { .size = sizeof(r), .order = 10 };
	int m = machine(1, 1, 0), n = 0;
	long ret;

	while (!(ret = call(vcpu(m, 0), MONTECITO_RING, &r)) && n < 60)
		n++;
	return ret == -ENOMEM && n ? 0 : 1;
}

static void refused(int (*fn)(void), const char *what)
{
	unsigned long before = value("memory.events", "oom_kill ");
	int ret = inside(fn);

	ok(ret == 0 || (ret == -1 && value("memory.events", "oom_kill ") == before + 1),
	   "%s: ENOMEM, or an end for that process alone (%d)", what, ret);
}

int main(void)
{
	unsigned long left = 0;
	char max[32];
	int i, bystander = machine(1, 1, 0);
	uint64_t before, all_kills;

	mkdir(ROOT, 0700);
	if (mount("none", ROOT, "cgroup2", 0, NULL))
		bail("cgroup2: %s", strerror(errno));
	put(ROOT "/cgroup.subtree_control", "+memory");
	if (mkdir(GROUP, 0700) && errno != EEXIST)
		bail(GROUP ": %s", strerror(errno));
	snprintf(max, sizeof(max), "%lu", MAX);
	put(GROUP "/memory.max", max);
	start(vcpu(bystander, 0), GUEST_SPIN);
	before = hash(bystander);
	all_kills = number_in("/proc/vmstat", "oom_kill ");

	eq(inside(fits), 0, "a machine that fits, and its memory touched");
	eq(inside(too_large), 0, "CREATE over the limit: ENOMEM, and nothing kept");
	eq(value("memory.events", "oom_kill "), 0, "nobody is killed for it");
	refused(many, "several, until no more fit");
	refused(rings, "RING over the limit");
	refused(tables, "tables over the limit");
	refused(no_buffer, "SAVE over the limit");
	refused(no_file, "RESTORE over the limit");
	ok(number_in("/proc/vmstat", "oom_kill ") - all_kills <=
		   value("memory.events", "oom_kill "),
	   "whoever was killed was of this group");
	ok(value("memory.events", "max ") > 0, "the limit was met");
	ok(value("memory.peak", "") <= MAX, "and held");

	/* The last of it goes with the last grace period. */
	for (i = 0; i < 100; i++) {
		left = value("memory.current", "");
		if (left < 2 << 20)
			break;
		usleep(100000);
	}
	ok(left < 2 << 20, "all of it is given back (%lu KiB left)", left >> 10);
	eq(hash(bystander), before, "a machine of another group is as it was");
	is(run(bystander, 300, 0, NULL), 0, "and runs");
	rmdir(GROUP);
	umount2(ROOT, MNT_DETACH);
	rmdir(ROOT);
	return done();
}
