// SPDX-License-Identifier: GPL-2.0-only
/* Tasks that look at a process, as root: ps, pgrep, /proc/PID/cmdline and mem. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "onlookers.h"

#define NOBODY 65534

/*
 * Limits until a task counts as kept: that waits without end here. What is not kept takes longer
 * on a busy host, and the start of a program in an emulator.
 */
#define ONLOOKING 30

void become_nobody(void)
{
	const struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };

	if (setrlimit(RLIMIT_MEMLOCK, &all) || setgroups(0, NULL) || setgid(NOBODY) ||
	    setuid(NOBODY))
		_exit(2);
}

/* Root's command has its end within the limit. */
static void promptly_done(const char *beside, char *const argv[], double limit)
{
	double t = now();
	int status = 0, null;
	pid_t pid = fork(), got = 0;

	if (!pid) {
		null = open("/dev/null", O_RDWR);
		dup2(null, 1);
		dup2(null, 2);
		execvp(argv[0], argv);
		_exit(127);
	}
	while (now() - t < ONLOOKING * limit && !(got = waitpid(pid, &status, WNOHANG)))
		usleep(10000);
	ok(got == pid && WIFEXITED(status) && WEXITSTATUS(status) != 127,
	   "%s: %s %s goes on, %.1f s", beside, argv[0], argv[1], now() - t);
	if (!got)
		kill(pid, SIGKILL);
}

static void read_memory(const char *beside, pid_t pid, void *at, double limit)
{
	char name[64], got[8];
	double t = now();
	struct iovec to = { got, sizeof(got) }, from = { at, sizeof(got) };
	int i, done = 0;
	pid_t reader = fork();

	if (!reader) {
		int fd;

		snprintf(name, sizeof(name), "/proc/%d/mem", pid);
		fd = open(name, O_RDONLY);
		for (i = 0; i < 100 && at; i++) {
			/* Data or an error, and no end of it is what may not be. */
			(void)!pread(fd, got, sizeof(got), (uintptr_t)from.iov_base);
			(void)!process_vm_readv(pid, &to, 1, &from, 1, 0);
		}
		_exit(0);
	}
	while (!done && now() - t < ONLOOKING * limit) {
		done = waitpid(reader, NULL, WNOHANG);
		usleep(10000);
	}
	ok(done, "%s: its memory can be read by others", beside);
	if (!done)
		kill(reader, SIGKILL);
}

void look_on(const char *beside, pid_t pid, void *at, int rounds, double limit)
{
	char cmdline[64];
	char *cat[] = { "cat", cmdline, NULL }, *ps[] = { "ps", "aux", NULL },
	     *pgrep[] = { "pgrep", "-f", "nothing-like-that", NULL };
	int i, status, dead = 0;
	double t;

	snprintf(cmdline, sizeof(cmdline), "/proc/%d/cmdline", pid);
	for (i = 0; i < rounds; i++) {
		read_memory(beside, pid, at, limit);
		promptly_done(beside, cat, limit);
		promptly_done(beside, ps, limit);
		promptly_done(beside, pgrep, limit);
	}
	is(waitpid(pid, &status, WNOHANG), 0, "%s: all that beside it", beside);
	t = now();
	kill(pid, SIGKILL);
	while (!dead && now() - t < ONLOOKING * limit) {
		dead = waitpid(pid, &status, WNOHANG);
		usleep(1000);
	}
	ok(dead, "%s: killed in %.0f ms", beside, (now() - t) * 1000);
}
