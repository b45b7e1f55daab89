// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of a control group count in the machines that its tasks RUN, whatever CPU they
 * are on, and in no other's.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perfevent.h"

#define ROOT "/tmp/montecito-cgroup"
#define GROUP ROOT "/perf_cgroup_test"

static void put(const char *file, const char *text)
{
	FILE *f = fopen(file, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		bail("%s: %s", file, strerror(errno));
}

/* A child that goes into the group or out of it again with each step, and runs there. */
static int runs(int m, const char *const group[], int steps)
{
	int status, i;
	pid_t pid = fork();

	if (!pid) {
		for (i = 0; i < steps; i++) {
			char path[128];

			snprintf(path, sizeof(path), "%s/cgroup.procs", group[i & 1]);
			put(path, "0");
			stay_on(i / 2 & 1);
			run(m, 3000, 0, NULL);
		}
		_exit(0);
	}
	waitpid(pid, &status, 0);
	return status;
}

int main(void)
{
	static const char *const in[] = { GROUP, GROUP }, *const out[] = { ROOT, ROOT };
	static const char *const both[] = { GROUP, ROOT };
	struct perf_event_attr a = attribute(INST, 0);
	int m = machine(1, 1, 0), v = vcpu(m, 0), dir, fd[2], cpu;

	if (!has_perf())
		bail("no perf");
	start(v, GUEST_SPIN);
	mkdir(ROOT, 0700);
	if (mount("none", ROOT, "cgroup2", 0, NULL))
		bail("control groups: %s", strerror(errno));
	/* perf's controller is always on, once any other is. */
	put(ROOT "/cgroup.subtree_control", "+memory");
	if (mkdir(GROUP, 0700) && errno != EEXIST)
		bail(GROUP ": %s", strerror(errno));
	dir = open(GROUP, O_RDONLY);
	for (cpu = 0; cpu < 2; cpu++) {
		fd[cpu] = syscall(__NR_perf_event_open, &a, dir, cpu, -1,
				  PERF_FLAG_PID_CGROUP | PERF_FLAG_FD_CLOEXEC);
		is(fd[cpu] < 0 ? -errno : 0, 0, "an event of the group on CPU %d", cpu);
	}
	is(runs(m, out, 10), 0, "ten runs of a task outside");
	eq(value(fd[0]) + value(fd[1]), 0, "count nothing");
	is(runs(m, in, 10), 0, "ten runs of a task inside, on both CPUs");
	eq(value(fd[0]) + value(fd[1]), 10 * 3000, "count");
	ok(value(fd[0]) && value(fd[1]), "on both");
	is(runs(m, both, 40), 0, "forty of a task that comes and goes");
	eq(value(fd[0]) + value(fd[1]), (10 + 20) * 3000, "count where they were inside");
	for (cpu = 0; cpu < 2; cpu++)
		close(fd[cpu]);
	close(dir);
	is(rmdir(GROUP), 0, "the group is free");
	umount(ROOT);
	return done();
}
