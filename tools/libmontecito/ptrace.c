// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * ptrace(2), as far as programs that measure another need it: a process stops at its first
 * instruction or at a signal, is read and written, and goes on.
 */
#include <errno.h>
#include <signal.h>

#include "signals.h"
#include "threads.h"

#define TRACEME 0
#define PEEKTEXT 1
#define PEEKDATA 2
#define POKETEXT 4
#define POKEDATA 5
#define CONT 7
#define KILL 8
#define ATTACH 16
#define DETACH 17

static int64_t ptrace_attach(struct guest_process *p, struct guest_process *c)
{
	const struct guest_siginfo stop = {
		.signo = SIGSTOP,
		.from = { .pid = p->pid, .uid = GUEST_UID },
	};

	if (!c || c->ended)
		return -ESRCH;
	if (c == p || c->tracer)
		return -EPERM;
	c->tracer = p->pid;
	/* One that is stopped already tells its tracer of that. */
	if (c->stopped)
		process_halt(c, SIGSTOP);
	else
		signal_send(c, NULL, &stop);
	return 0;
}

static int64_t ptrace_go_on(struct guest_process *c, uint64_t sig)
{
	if (sig > NR_GUEST_SIGNALS)
		return -EIO;
	c->inject = sig;
	process_continue(c);
	return 0;
}

/* The word itself is the result, also where it looks like an error. */
static int64_t ptrace_peek(struct guest_process *p, struct guest_process *c, uint64_t at)
{
	struct montecito_reg ret[2] = {
		{ MONTECITO_REG_GR, 8, { 0 } },
		{ MONTECITO_REG_GR, 10, { 0 } },
	};
	uint64_t word;
	int err;

	if (process_peek(c, at, &word, sizeof(word)))
		return -EIO;
	ret[0].value[0] = word;
	err = montecito_set_regs(p->m, p->run->cpu->vcpu, ret, 2);
	p->no_result = !err;
	return err ? err : (int64_t)word;
}

/* Request, process, address, data */
int64_t sys_ptrace(struct guest_process *p, const uint64_t *arg)
{
	const struct guest_siginfo kill = { .signo = SIGKILL, .from = { .pid = p->pid } };
	struct guest_process *c = process_find(p->run, arg[1]);

	switch (arg[0]) {
	case TRACEME:
		if (p->tracer || !process_find(p->run, p->parent))
			return -EPERM;
		p->tracer = p->parent;
		return 0;
	case ATTACH:
		return ptrace_attach(p, c);
	}
	if (!c || c->tracer != p->pid || c->ended)
		return -ESRCH;
	if (arg[0] == KILL)
		return signal_send(c, NULL, &kill);
	if (!c->stopped)
		return -ESRCH;
	switch (arg[0]) {
	case PEEKTEXT:
	case PEEKDATA:
		return ptrace_peek(p, c, arg[2]);
	case POKETEXT:
	case POKEDATA:
		return process_poke(c, arg[2], &arg[3], sizeof(arg[3])) ? -EIO : 0;
	case DETACH:
		if (arg[3] <= NR_GUEST_SIGNALS)
			c->tracer = 0;
		return ptrace_go_on(c, arg[3]);
	case CONT:
		return ptrace_go_on(c, arg[3]);
	default:
		return -EIO;
	}
}
