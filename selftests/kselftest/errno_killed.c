// SPDX-License-Identifier: GPL-2.0-only
/*
 * Results of calls whose callers are killed while they wait: the callers see nothing of
 * them, but a tracer does, before the callers are gone.
 */
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "errnos.h"

/* Calls that one who is to be killed has begun; shared with them. */
static volatile unsigned int *begun;

static void over_and_over(struct ctx *c, const struct command *k)
{
	long ret;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		if (k->rules & ONCE) {
			close(c->fd[VCPU]);
			c->fd[VCPU] = vcpu(c->fd[MACHINE], 0);
			if (k->prepare)
				k->prepare(c);
		}
		good(c, k);
		++*begun;
		ret = call(c->fd[k->kind], k->cmd, c->arg);
		if (ret > 0) /* a file */
			close(ret);
	}
}

static long kill_one(struct ctx *c, const struct command *k, useconds_t after)
{
	long ret = 0;
	int status, i;
	pid_t pid;

	fflush(stdout);
	*begun = 0;
	pid = fork();
	if (!pid)
		over_and_over(c, k);
	if (ptrace(PTRACE_SEIZE, pid, NULL, PTRACE_O_TRACEEXIT))
		bail("ptrace: %s", strerror(errno));
	/* Where everything is slow it takes a while to get there. */
	for (i = 0; !*begun && i < 50000; i++)
		usleep(100);
	usleep(after);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	if (WIFSTOPPED(status) && status >> 8 == (SIGTRAP | PTRACE_EVENT_EXIT << 8))
		ret = ptrace(PTRACE_PEEKUSER, pid, offsetof(struct user, regs.rax), NULL);
	while (!WIFEXITED(status) && !WIFSIGNALED(status)) {
		ptrace(PTRACE_CONT, pid, NULL, NULL);
		waitpid(pid, &status, 0);
	}
	return ret;
}

long call_killed(struct ctx *c, const struct command *k)
{
	long ret = 0;
	int i;

	begun = mmap(NULL, sizeof(*begun), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	if (begun == MAP_FAILED)
		bail("mmap");
	/*
	 * Beside RUN on its processor, this process would get there only where a slice ends,
	 * which is when nothing waits for one.
	 */
	stay_on(0);
	for (i = 0; i < KILLS && ret != -EINTR; i++)
		ret = kill_one(c, k, i * 100);
	return ret;
}
