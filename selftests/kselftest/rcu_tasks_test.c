// SPDX-License-Identifier: GPL-2.0-only
/*
 * RUN is a quiescent state of RCU tasks: a waiter (ftrace, kprobes, BPF
 * trampolines) waits no longer beside it than without.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"

/* A module whose init waits for RCU tasks, and then refuses to stay. */
static double grace_period(void)
{
	const char *path = getenv("RCU_TASKS_KO");
	int fd = open(path ? path : "./rcu_tasks.ko", O_RDONLY | O_CLOEXEC);
	double t = now();

	if (fd < 0)
		bail("rcu_tasks.ko: %s", strerror(errno));
	if (!syscall(SYS_finit_module, fd, "", 0) || errno != EAGAIN)
		bail("rcu_tasks.ko does not load: %s", strerror(errno));
	close(fd);
	return now() - t;
}

static void beside(uint32_t cores, const char *what)
{
	int m = machine(cores, cores, 0), status;
	double limit, alone, with;
	uint32_t i;
	pid_t pid;

	for (i = 0; i < cores * cores; i++)
		start(vcpu(m, i), GUEST_SPIN);
	alone = grace_period();
	pid = fork();
	if (!pid) {
		for (;;)
			run(m, 0, 0, NULL);
	}
	usleep(300000);
	with = grace_period();
	limit = 2 * alone + patience();
	is(waitpid(pid, &status, WNOHANG), 0, "%s runs all the time", what);
	ok(with < limit, "%s: a grace period in %.2f s (%.2f s without it, limit %.2f)", what, with,
	   alone, limit);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	close(m);
}

int main(void)
{
	beside(1, "one vcpu");
	beside(2, "four vcpus");
	return done();
}
