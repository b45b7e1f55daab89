// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Signals (signal(7)). A signal waits at a thread or at the program, and is taken when its
 * thread has the processor and is between two instructions.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "signals.h"
#include "threads.h"

/* Signals below it wait once, others as often as they were sent. */
#define FIRST_QUEUED 32
#define MAX_QUEUED 4096
/* MINSIGSTKSZ of Linux/ia64 */
#define MIN_STACK 131027
#define GUEST_SS_ONSTACK 1
#define GUEST_SS_DISABLE 2

#define BIT(sig) (1ULL << ((sig)-1))
#define UNBLOCKABLE (BIT(SIGKILL) | BIT(SIGSTOP))
/* Signals that an instruction raises are taken before all others. */
#define FAULTS (BIT(SIGSEGV) | BIT(SIGBUS) | BIT(SIGILL) | BIT(SIGTRAP) | BIT(SIGFPE) | BIT(SIGSYS))
#define IGNORED (BIT(SIGCHLD) | BIT(SIGURG) | BIT(SIGWINCH) | BIT(SIGCONT))

/* ---- what waits ---- */

static int pending_add(struct guest_pending *q, const struct guest_siginfo *info)
{
	struct guest_siginfo *all;

	if (info->signo < FIRST_QUEUED && q->set & signal_bit(info->signo))
		return 0;
	if (q->nr >= MAX_QUEUED && info->signo >= FIRST_QUEUED)
		return -EAGAIN;
	all = realloc(q->info, (q->nr + 1) * sizeof(*all));
	if (!all)
		return -EAGAIN;
	q->info = all;
	q->info[q->nr++] = *info;
	q->set |= signal_bit(info->signo);
	return 0;
}

/* Take the first signal of @set: faults first, then by number, those of one in their order. */
static bool pending_take(struct guest_pending *q, uint64_t set, struct guest_siginfo *info)
{
	size_t i, at = 0;
	bool more = false;
	int sig;

	set &= q->set;
	if (!set)
		return false;
	sig = __builtin_ctzll(set & FAULTS ? set & FAULTS : set) + 1;
	while (q->info[at].signo != sig)
		at++;
	*info = q->info[at];
	for (i = at + 1; i < q->nr; i++) {
		more = more || q->info[i].signo == sig;
		q->info[i - 1] = q->info[i];
	}
	q->nr--;
	if (!more)
		q->set &= ~signal_bit(sig);
	return true;
}

static void pending_drop(struct guest_pending *q, int sig)
{
	struct guest_siginfo info;

	while (pending_take(q, signal_bit(sig), &info))
		;
}

void pending_free(struct guest_pending *q)
{
	free(q->info);
}

/* ---- sending ---- */

static bool ignores(const struct montecito_process *p, int sig)
{
	return p->action[sig].handler == GUEST_SIG_IGN ||
	       (p->action[sig].handler == GUEST_SIG_DFL && IGNORED & signal_bit(sig));
}

/* End the wait of @t for a signal that it takes now. */
static void interrupt(struct montecito_process *p, struct guest_thread *t)
{
	struct guest_siginfo info;

	if (t->state == THREAD_READY || t->state == THREAD_ENDED)
		return;
	if (t->state == THREAD_SIGNAL && (pending_take(&t->pending, t->awaited, &info) ||
					  pending_take(&p->pending, t->awaited, &info))) {
		if (t->info)
			uvm_write(&p->vm, t->info, &info, sizeof(info));
		thread_wake(p, t, info.signo);
		return;
	}
	thread_interrupt(p, t);
}

static bool takes(const struct guest_thread *t, int sig)
{
	return !(t->sigmask & signal_bit(sig)) ||
	       (t->state == THREAD_SIGNAL && t->awaited & signal_bit(sig));
}

/* The thread that takes a signal of the program: the first, the current one, or any. */
static struct guest_thread *taker(const struct montecito_process *p, int sig)
{
	struct guest_thread *t = thread_find(p, GUEST_PID);
	size_t i;

	if (t && t->state != THREAD_ENDED && takes(t, sig))
		return t;
	if (p->current->state != THREAD_ENDED && takes(p->current, sig))
		return p->current;
	for (i = 0; i < p->nr_threads; i++)
		if (p->thread[i]->state != THREAD_ENDED && takes(p->thread[i], sig))
			return p->thread[i];
	return NULL;
}

int signal_send(struct montecito_process *p, struct guest_thread *t,
		const struct guest_siginfo *info)
{
	struct guest_pending *q = t ? &t->pending : &p->pending;
	struct guest_thread *to = t && takes(t, info->signo) ? t : NULL;
	int err;

	if (!t)
		to = taker(p, info->signo);
	/* One that is blocked waits also where it is ignored: the program may yet want it. */
	if (to && ignores(p, info->signo) &&
	    !(to->state == THREAD_SIGNAL && to->awaited & signal_bit(info->signo)))
		return 0;
	err = pending_add(q, info);
	if (!err && to)
		interrupt(p, to);
	return err;
}

/* ---- delivery ---- */

static uint64_t deliverable(const struct montecito_process *p)
{
	return (p->current->pending.set | p->pending.set) & ~p->current->sigmask;
}

bool signals_wait(const struct montecito_process *p)
{
	return p->current->state == THREAD_READY && deliverable(p);
}

/* Without a handler: 0 where there is nothing to be done, else the program has ended. */
static void act(struct montecito_process *p, const struct guest_siginfo *info)
{
	if (ignores(p, info->signo))
		return;
	if (info->signo == SIGPIPE && info->code == GUEST_SI_KERNEL)
		process_end(p, info->signo);
	else
		process_kill(p, info->signo,
			     info->code == GUEST_SI_KERNEL ? "sent by a timer"
			     : info->code > 0		   ? "sent by a descriptor"
							   : "sent by itself");
}

/* Let the handler of @info run, with the mask that belongs to it. */
static int handle(struct montecito_process *p, const struct guest_siginfo *info)
{
	struct guest_sigaction *a = &p->action[info->signo];
	struct guest_thread *t = p->current;
	uint64_t before = t->mask_saved ? t->saved_mask : t->sigmask;
	int err;

	err = sigframe_push(p, info, a, before, t->restart && a->flags & GUEST_SA_RESTART);
	if (err == -EAGAIN)
		return err;
	t->mask_saved = false;
	t->restart = false;
	if (err == -EFAULT) {
		process_message(p, "no stack for the handler of signal %d", info->signo);
		process_end(p, SIGSEGV);
		return 0;
	}
	if (err)
		return err;
	t->sigmask |= a->mask & ~UNBLOCKABLE;
	if (!(a->flags & GUEST_SA_NODEFER))
		t->sigmask |= signal_bit(info->signo);
	if (a->flags & GUEST_SA_RESETHAND)
		a->handler = GUEST_SIG_DFL;
	return 0;
}

int signals_deliver(struct montecito_process *p)
{
	struct guest_thread *t = p->current;
	struct guest_siginfo info;
	int err = 0;

	while (!err && !p->ended && signals_wait(p)) {
		/* Look first: a frame that is not whole leaves it where it is. */
		err = context_get(p, &t->regs);
		if (err)
			break;
		if (!pending_take(&t->pending, ~t->sigmask, &info))
			pending_take(&p->pending, ~t->sigmask, &info);
		if (p->action[info.signo].handler > GUEST_SIG_IGN)
			err = handle(p, &info);
		else
			act(p, &info);
	}
	if (!err && t->mask_saved) {
		t->sigmask = t->saved_mask;
		t->mask_saved = false;
	}
	return err == -EAGAIN ? 0 : err;
}

bool signal_fault(struct montecito_process *p, const struct guest_siginfo *info)
{
	uint64_t bit = signal_bit(info->signo);

	if (p->action[info->signo].handler <= GUEST_SIG_IGN || p->current->sigmask & bit)
		return false;
	/* Code that lacks registers of its frame would fault again, without an end. */
	if (context_get(p, &p->current->regs))
		return false;
	return !pending_add(&p->current->pending, info);
}

/* ---- system calls ---- */

static struct guest_siginfo sent(int sig, int code)
{
	return (struct guest_siginfo){
		.signo = sig,
		.code = code,
		.from = { .pid = GUEST_PID, .uid = GUEST_UID },
	};
}

static int64_t send(struct montecito_process *p, struct guest_thread *t, uint64_t sig, int code)
{
	struct guest_siginfo info;

	if (sig > NR_GUEST_SIGNALS)
		return -EINVAL;
	info = sent(sig, code);
	return sig ? signal_send(p, t, &info) : 0;
}

int64_t sys_kill(struct montecito_process *p, const uint64_t *arg)
{
	/* 0 and -1: each process of the group, each that there is */
	if ((int32_t)arg[0] != GUEST_PID && (int32_t)arg[0] != 0 && (int32_t)arg[0] != -GUEST_PID)
		return -ESRCH;
	return send(p, NULL, arg[1], GUEST_SI_USER);
}

int64_t sys_tkill(struct montecito_process *p, const uint64_t *arg)
{
	struct guest_thread *t = thread_find(p, arg[0]);

	return t ? send(p, t, arg[1], GUEST_SI_TKILL) : -ESRCH;
}

int64_t sys_tgkill(struct montecito_process *p, const uint64_t *arg)
{
	struct guest_thread *t = thread_find(p, arg[1]);

	return t && arg[0] == GUEST_PID ? send(p, t, arg[2], GUEST_SI_TKILL) : -ESRCH;
}

int64_t sys_rt_sigqueueinfo(struct montecito_process *p, const uint64_t *arg)
{
	struct guest_siginfo info;

	if (uvm_read(&p->vm, &info, arg[2], sizeof(info)))
		return -EFAULT;
	if (arg[0] != GUEST_PID)
		return -ESRCH;
	if (arg[1] > NR_GUEST_SIGNALS)
		return -EINVAL;
	info.signo = arg[1];
	return arg[1] ? signal_send(p, NULL, &info) : 0;
}

int64_t sys_rt_sigaction(struct montecito_process *p, const uint64_t *arg)
{
	struct guest_sigaction new, old;
	uint64_t sig = arg[0];
	size_t i;

	if (!sig || sig > NR_GUEST_SIGNALS || arg[3] != 8)
		return -EINVAL;
	if (arg[1] && UNBLOCKABLE & signal_bit(sig))
		return -EINVAL;
	if (arg[1] && uvm_read(&p->vm, &new, arg[1], sizeof(new)))
		return -EFAULT;
	old = p->action[sig];
	if (arg[1]) {
		p->action[sig] = new;
		p->action[sig].mask &= ~UNBLOCKABLE;
		/* Drop the waiting ones of a signal that is ignored from now on (POSIX). */
		if (ignores(p, sig)) {
			pending_drop(&p->pending, sig);
			for (i = 0; i < p->nr_threads; i++)
				pending_drop(&p->thread[i]->pending, sig);
		}
	}
	return arg[2] && uvm_write(&p->vm, arg[2], &old, sizeof(old)) ? -EFAULT : 0;
}

int64_t sys_rt_sigprocmask(struct montecito_process *p, const uint64_t *arg)
{
	uint64_t set = 0, old = p->current->sigmask, mask = old;

	if (arg[3] != 8)
		return -EINVAL;
	if (arg[1]) {
		if (uvm_read(&p->vm, &set, arg[1], sizeof(set)))
			return -EFAULT;
		if (arg[0] == SIG_BLOCK)
			mask |= set;
		else if (arg[0] == SIG_UNBLOCK)
			mask &= ~set;
		else if (arg[0] == SIG_SETMASK)
			mask = set;
		else
			return -EINVAL;
	}
	p->current->sigmask = mask & ~UNBLOCKABLE;
	return arg[2] && uvm_write(&p->vm, arg[2], &old, sizeof(old)) ? -EFAULT : 0;
}

int64_t sys_rt_sigpending(struct montecito_process *p, const uint64_t *arg)
{
	uint64_t set = (p->current->pending.set | p->pending.set) & p->current->sigmask;

	if (arg[1] > 8)
		return -EINVAL;
	return uvm_write(&p->vm, arg[0], &set, arg[1]);
}

int64_t sys_rt_sigsuspend(struct montecito_process *p, const uint64_t *arg)
{
	struct guest_thread *t = p->current;
	uint64_t set;

	if (arg[1] != 8)
		return -EINVAL;
	if (uvm_read(&p->vm, &set, arg[0], sizeof(set)))
		return -EFAULT;
	t->saved_mask = t->sigmask;
	t->mask_saved = true;
	t->sigmask = set & ~UNBLOCKABLE;
	if (!deliverable(p)) {
		t->awaited = 0;
		thread_wait(p, THREAD_SIGNAL, 0);
	}
	return -EINTR;
}

/* Set, siginfo or NULL, struct timespec or NULL, size of the set */
int64_t sys_rt_sigtimedwait(struct montecito_process *p, const uint64_t *arg)
{
	struct guest_thread *t = p->current;
	struct guest_siginfo info;
	uint64_t set, until = 0;
	int err = 0;

	if (arg[3] != 8)
		return -EINVAL;
	if (uvm_read(&p->vm, &set, arg[0], sizeof(set)))
		return -EFAULT;
	set &= ~UNBLOCKABLE;
	if (arg[2])
		err = thread_deadline(p, arg[2], 1, false, &until);
	if (err)
		return err;
	if (pending_take(&t->pending, set, &info) || pending_take(&p->pending, set, &info)) {
		if (arg[1] && uvm_write(&p->vm, arg[1], &info, sizeof(info)))
			return -EFAULT;
		return info.signo;
	}
	t->awaited = set;
	t->info = arg[1];
	thread_wait(p, THREAD_SIGNAL, until);
	return -EAGAIN;
}

/* True if @sp is on the alternate stack of @t, which grows down to its first byte. */
static bool on_stack(const struct guest_thread *t, uint64_t sp)
{
	return sp > t->stack.sp && sp - t->stack.sp <= t->stack.size;
}

uint32_t signal_stack_flags(const struct guest_thread *t, uint64_t sp)
{
	if (!t->stack.size)
		return GUEST_SS_DISABLE;
	return on_stack(t, sp) ? GUEST_SS_ONSTACK : 0;
}

int64_t sys_sigaltstack(struct montecito_process *p, const uint64_t *arg)
{
	struct guest_thread *t = p->current;
	struct guest_stack new, old = t->stack;
	uint64_t sp;
	int err;

	err = montecito_get_reg(p->m, 0, MONTECITO_REG_GR, 12, &sp);
	if (err)
		return err;
	old.flags = signal_stack_flags(t, sp);
	if (arg[0]) {
		if (uvm_read(&p->vm, &new, arg[0], sizeof(new)))
			return -EFAULT;
		if (old.flags == GUEST_SS_ONSTACK)
			return -EPERM;
		if (new.flags & ~GUEST_SS_DISABLE &&new.flags != GUEST_SS_ONSTACK)
			return -EINVAL;
		if (new.flags == GUEST_SS_DISABLE)
			new.sp = new.size = 0;
		else if (new.size < MIN_STACK)
			return -ENOMEM;
		t->stack = new;
	}
	return arg[1] && uvm_write(&p->vm, arg[1], &old, sizeof(old)) ? -EFAULT : 0;
}
