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
#define STOPS (BIT(SIGSTOP) | BIT(SIGTSTP) | BIT(SIGTTIN) | BIT(SIGTTOU))
#define IGNORED (BIT(SIGCHLD) | BIT(SIGURG) | BIT(SIGWINCH) | BIT(SIGCONT))

/* ---- what waits ---- */

static int signals_pending_add(struct guest_pending *q, const struct guest_siginfo *info)
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
static bool signals_pending_take(struct guest_pending *q, uint64_t set, struct guest_siginfo *info)
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

void pending_free(struct guest_pending *q)
{
	free(q->info);
}

/* ---- sending ---- */

static bool signals_ignores(const struct guest_process *p, int sig)
{
	return p->action[sig].handler == GUEST_SIG_IGN ||
	       (p->action[sig].handler == GUEST_SIG_DFL && IGNORED & signal_bit(sig));
}

/* End the wait of @t for a signal that it takes now. */
static void signals_interrupt(struct guest_process *p, struct guest_thread *t, int sig)
{
	struct guest_siginfo info;

	if (t->state == THREAD_READY || t->state == THREAD_ENDED)
		return;
	/* No system call of its own gives a result. */
	if (t->state == THREAD_BLOCKED || (t->state == THREAD_VFORK && sig == SIGKILL)) {
		t->state = THREAD_READY;
		return;
	}
	if (t->state == THREAD_VFORK)
		return;
	if (t->state == THREAD_SIGNAL && (signals_pending_take(&t->pending, t->awaited, &info) ||
					  signals_pending_take(&p->pending, t->awaited, &info))) {
		if (t->info)
			uvm_write(p->vm, t->info, &info, sizeof(info));
		thread_wake(t, info.signo);
		return;
	}
	thread_interrupt(t);
}

static bool signals_takes(const struct guest_thread *t, int sig)
{
	return !(t->sigmask & signal_bit(sig)) ||
	       (t->state == THREAD_SIGNAL && t->awaited & signal_bit(sig));
}

/* The thread of @p that takes a signal: the first, the current one, or any. */
static struct guest_thread *signals_taker(const struct guest_process *p, int sig)
{
	const struct montecito_process *run = p->run;
	struct guest_thread *t = thread_find(run, p->pid);
	size_t i;

	if (t && signals_takes(t, sig))
		return t;
	t = run->cpu->current;
	if (t && t->p == p && t->state != THREAD_ENDED && signals_takes(t, sig))
		return t;
	for (i = 0; i < run->nr_threads; i++) {
		t = run->thread[i];
		if (t->p == p && t->state != THREAD_ENDED && signals_takes(t, sig))
			return t;
	}
	return NULL;
}

/* Take back the signals of @set that wait at @p and at its threads. */
static void signals_take_back(struct guest_process *p, uint64_t set)
{
	struct guest_siginfo info;
	struct guest_thread *t;
	size_t i;

	while (signals_pending_take(&p->pending, set, &info))
		;
	for (i = 0; i < p->run->nr_threads; i++) {
		t = p->run->thread[i];
		while (t->p == p && signals_pending_take(&t->pending, set, &info))
			;
	}
}

int signal_send(struct guest_process *p, struct guest_thread *t, const struct guest_siginfo *info)
{
	struct guest_pending *q = t ? &t->pending : &p->pending;
	struct guest_thread *to = t && signals_takes(t, info->signo) ? t : NULL;
	int err;

	/* Of a stop and a continuation the later one holds. */
	if (info->signo == SIGCONT)
		signals_take_back(p, STOPS);
	else if (STOPS & signal_bit(info->signo))
		signals_take_back(p, signal_bit(SIGCONT));
	/* A stopped process is ended, or continued, all the same. */
	if (info->signo == SIGKILL)
		process_continue(p);
	else if (info->signo == SIGCONT && !p->tracer)
		process_resume(p);
	if (!t)
		to = signals_taker(p, info->signo);
	/*
	 * One that is blocked waits also where it is ignored: the program may yet want it. A tracer
	 * is told of each.
	 */
	if (to && signals_ignores(p, info->signo) && !p->tracer &&
	    !(to->state == THREAD_SIGNAL && to->awaited & signal_bit(info->signo)))
		return 0;
	err = signals_pending_add(q, info);
	if (!err && to)
		signals_interrupt(p, to, info->signo);
	return err;
}

/* ---- delivery ---- */

static uint64_t signals_deliverable(const struct guest_thread *t)
{
	return (t->pending.set | t->p->pending.set) & ~t->sigmask;
}

bool signals_wait(const struct guest_thread *t)
{
	return thread_runs(t) && signals_deliverable(t);
}

/* A process of the program's own says how it ends; its children's ends are for it to tell. */
static void signals_killed(struct guest_process *p, const struct guest_siginfo *info)
{
	if (p->pid != GUEST_PID || (info->signo == SIGPIPE && info->code == GUEST_SI_KERNEL))
		process_end(p, info->signo);
	else
		process_kill(p, info->signo,
			     info->code == GUEST_SI_KERNEL ? "sent by a timer"
			     : info->code > 0		   ? "sent by a descriptor"
			     : info->from.pid == p->pid	   ? "sent by itself"
							   : "sent by another process");
}

/* Without a handler: 0 where there is nothing to be done, else the program has ended. */
static void signals_act(struct guest_process *p, const struct guest_siginfo *info)
{
	if (signals_ignores(p, info->signo))
		return;
	if (STOPS & signal_bit(info->signo))
		process_halt(p, info->signo);
	else
		signals_killed(p, info);
}

/* Let the handler of @info run, with the mask that belongs to it. */
static int signals_handle(struct guest_process *p, const struct guest_siginfo *info)
{
	struct guest_sigaction *a = &p->action[info->signo];
	struct guest_thread *t = p->run->cpu->current;
	uint64_t before = t->mask_saved ? t->saved_mask : t->sigmask;
	int err;

	err = sigframe_push(p, info, a, before, t->restart && a->flags & GUEST_SA_RESTART);
	if (err == -EAGAIN)
		return err;
	t->mask_saved = false;
	t->restart = false;
	t->was = THREAD_READY;
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

/* Take the next signal of @t, in the place of which its tracer may have it take another. */
static bool signals_take(struct guest_thread *t, struct guest_siginfo *info)
{
	struct guest_process *p = t->p;

	if (p->inject) {
		*info = (struct guest_siginfo){ .signo = p->inject, .from = { .pid = p->tracer } };
		p->inject = 0;
		return true;
	}
	if (!signals_pending_take(&t->pending, ~t->sigmask, info))
		signals_pending_take(&p->pending, ~t->sigmask, info);
	if (!p->tracer || info->signo == SIGKILL)
		return true;
	process_halt(p, info->signo);
	return false;
}

/* The call of @t, which has the processor, begins anew. */
static int signals_call_again(struct guest_thread *t)
{
	int err = context_get(t->p->m, t->p->run->cpu->vcpu, &t->regs);

	if (err)
		return err;
	context_goto(&t->regs, t->call_at);
	err = context_flush(t->p, &t->regs, 0);
	return err ? err : context_set(t->p->m, t->p->run->cpu->vcpu, &t->regs);
}

/*
 * Without a handler, a call that a signal has ended goes on (ERESTART_RESTARTBLOCK): to the end
 * that its time had, or, where it has none, from its beginning. A message of perfmon's and
 * rt_sigtimedwait stay interrupted, rt_sigsuspend (@suspended) does not.
 */
static int signals_go_on(struct guest_thread *t, bool suspended)
{
	enum thread_state was = t->was;

	t->was = THREAD_READY;
	switch (was) {
	case THREAD_SLEEPS:
		t->state = was;
		return 0;
	case THREAD_POLL:
		return poll_go_on(t);
	case THREAD_FUTEX:
		return t->call.arg[3] ? futex_go_on(t) : signals_call_again(t);
	case THREAD_SIGNAL:
		return suspended ? signals_call_again(t) : 0;
	case THREAD_CHILD:
	case THREAD_PIPE:
		return signals_call_again(t);
	default:
		return 0;
	}
}

int signals_deliver(struct guest_thread *t)
{
	struct guest_process *p = t->p;
	struct guest_siginfo info;
	bool suspended;
	int err = 0;

	while (!err && thread_runs(t) && (p->inject || signals_deliverable(t))) {
		/* Look first: a frame that is not whole leaves it where it is. */
		err = context_get(p->m, p->run->cpu->vcpu, &t->regs);
		if (err)
			break;
		if (!signals_take(t, &info))
			break;
		if (p->action[info.signo].handler > GUEST_SIG_IGN)
			err = signals_handle(p, &info);
		else
			signals_act(p, &info);
	}
	suspended = t->mask_saved;
	if (!err && t->mask_saved && thread_runs(t)) {
		t->sigmask = t->saved_mask;
		t->mask_saved = false;
	}
	if (!err && t->was != THREAD_READY && thread_runs(t))
		err = signals_go_on(t, suspended);
	return err == -EAGAIN ? 0 : err;
}

bool signal_fault(struct guest_process *p, const struct guest_siginfo *info)
{
	uint64_t bit = signal_bit(info->signo);

	if (p->action[info->signo].handler <= GUEST_SIG_IGN || p->run->cpu->current->sigmask & bit)
		return false;
	/* Code that lacks registers of its frame would fault again, without an end. */
	if (context_get(p->m, p->run->cpu->vcpu, &p->run->cpu->current->regs))
		return false;
	return !signals_pending_add(&p->run->cpu->current->pending, info);
}

/* ---- system calls ---- */

static int64_t signals_send(struct guest_process *from, struct guest_process *p,
			    struct guest_thread *t, uint64_t sig, int code)
{
	const struct guest_siginfo info = {
		.signo = sig,
		.code = code,
		.from = { .pid = from->pid, .uid = GUEST_UID },
	};

	if (sig > NR_GUEST_SIGNALS)
		return -EINVAL;
	return sig && !p->ended ? signal_send(p, t, &info) : 0;
}

/* To each process of @group; with 0 to all others */
static int64_t signals_send_all(struct guest_process *p, uint64_t sig, uint32_t group)
{
	struct montecito_process *run = p->run;
	int64_t res = -ESRCH;
	size_t i;

	for (i = 0; i < run->nr_processes; i++)
		if (group ? run->process[i]->group == group : run->process[i] != p)
			res = signals_send(p, run->process[i], NULL, sig, GUEST_SI_USER);
	return res;
}

int64_t sys_kill(struct guest_process *p, const uint64_t *arg)
{
	struct guest_process *to;
	int32_t pid = arg[0];

	if (pid <= 0)
		return signals_send_all(p, arg[1], pid == -1 ? 0 : pid ? -(uint32_t)pid : p->group);
	to = process_find(p->run, pid);
	return to ? signals_send(p, to, NULL, arg[1], GUEST_SI_USER) : -ESRCH;
}

int64_t sys_tkill(struct guest_process *p, const uint64_t *arg)
{
	struct guest_thread *t = thread_find(p->run, arg[0]);

	return t ? signals_send(p, t->p, t, arg[1], GUEST_SI_TKILL) : -ESRCH;
}

int64_t sys_tgkill(struct guest_process *p, const uint64_t *arg)
{
	struct guest_thread *t = thread_find(p->run, arg[1]);

	return t && arg[0] == t->p->pid ? signals_send(p, t->p, t, arg[2], GUEST_SI_TKILL) : -ESRCH;
}

int64_t sys_rt_sigqueueinfo(struct guest_process *p, const uint64_t *arg)
{
	struct guest_process *to = process_find(p->run, arg[0]);
	struct guest_siginfo info;

	if (uvm_read(p->vm, &info, arg[2], sizeof(info)))
		return -EFAULT;
	if (!to)
		return -ESRCH;
	if (arg[1] > NR_GUEST_SIGNALS)
		return -EINVAL;
	info.signo = arg[1];
	return arg[1] && !to->ended ? signal_send(to, NULL, &info) : 0;
}

int64_t sys_rt_sigaction(struct guest_process *p, const uint64_t *arg)
{
	struct guest_sigaction new, old;
	uint64_t sig = arg[0];

	if (!sig || sig > NR_GUEST_SIGNALS || arg[3] != 8)
		return -EINVAL;
	if (arg[1] && UNBLOCKABLE & signal_bit(sig))
		return -EINVAL;
	if (arg[1] && uvm_read(p->vm, &new, arg[1], sizeof(new)))
		return -EFAULT;
	old = p->action[sig];
	if (arg[1]) {
		p->action[sig] = new;
		p->action[sig].mask &= ~UNBLOCKABLE;
		/* Drop the waiting ones of a signal that is ignored from now on (POSIX). */
		if (signals_ignores(p, sig)) {
			signals_take_back(p, signal_bit(sig));
		}
	}
	return arg[2] && uvm_write(p->vm, arg[2], &old, sizeof(old)) ? -EFAULT : 0;
}

int64_t sys_rt_sigprocmask(struct guest_process *p, const uint64_t *arg)
{
	uint64_t set = 0, old = p->run->cpu->current->sigmask, mask = old;

	if (arg[3] != 8)
		return -EINVAL;
	if (arg[1]) {
		if (uvm_read(p->vm, &set, arg[1], sizeof(set)))
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
	p->run->cpu->current->sigmask = mask & ~UNBLOCKABLE;
	return arg[2] && uvm_write(p->vm, arg[2], &old, sizeof(old)) ? -EFAULT : 0;
}

int64_t sys_rt_sigpending(struct guest_process *p, const uint64_t *arg)
{
	uint64_t set = (p->run->cpu->current->pending.set | p->pending.set) &
		       p->run->cpu->current->sigmask;

	if (arg[1] > 8)
		return -EINVAL;
	return uvm_write(p->vm, arg[0], &set, arg[1]);
}

int64_t sys_rt_sigsuspend(struct guest_process *p, const uint64_t *arg)
{
	struct guest_thread *t = p->run->cpu->current;
	uint64_t set;

	if (arg[1] != 8)
		return -EINVAL;
	if (uvm_read(p->vm, &set, arg[0], sizeof(set)))
		return -EFAULT;
	t->saved_mask = t->sigmask;
	t->mask_saved = true;
	t->sigmask = set & ~UNBLOCKABLE;
	if (!signals_deliverable(t)) {
		t->awaited = 0;
		thread_wait(p->run, THREAD_SIGNAL, 0);
	}
	return -EINTR;
}

/* Set, siginfo or NULL, struct timespec or NULL, size of the set */
int64_t sys_rt_sigtimedwait(struct guest_process *p, const uint64_t *arg)
{
	struct guest_thread *t = p->run->cpu->current;
	struct guest_siginfo info;
	uint64_t set, until = 0;
	int err = 0;

	if (arg[3] != 8)
		return -EINVAL;
	if (uvm_read(p->vm, &set, arg[0], sizeof(set)))
		return -EFAULT;
	set &= ~UNBLOCKABLE;
	if (arg[2])
		err = thread_deadline(p, arg[2], 1, false, &until);
	if (err)
		return err;
	if (signals_pending_take(&t->pending, set, &info) ||
	    signals_pending_take(&p->pending, set, &info)) {
		if (arg[1] && uvm_write(p->vm, arg[1], &info, sizeof(info)))
			return -EFAULT;
		return info.signo;
	}
	t->awaited = set;
	t->info = arg[1];
	thread_wait(p->run, THREAD_SIGNAL, until);
	return -EAGAIN;
}

/* True if @sp is on the alternate stack of @t, which grows down to its first byte. */
static bool signals_on_stack(const struct guest_thread *t, uint64_t sp)
{
	return sp > t->stack.sp && sp - t->stack.sp <= t->stack.size;
}

uint32_t signal_stack_flags(const struct guest_thread *t, uint64_t sp)
{
	if (!t->stack.size)
		return GUEST_SS_DISABLE;
	return signals_on_stack(t, sp) ? GUEST_SS_ONSTACK : 0;
}

int64_t sys_sigaltstack(struct guest_process *p, const uint64_t *arg)
{
	struct guest_thread *t = p->run->cpu->current;
	struct guest_stack new, old = t->stack;
	uint64_t sp;
	int err;

	err = montecito_get_reg(p->m, p->run->cpu->vcpu, MONTECITO_REG_GR, 12, &sp);
	if (err)
		return err;
	old.flags = signal_stack_flags(t, sp);
	if (arg[0]) {
		if (uvm_read(p->vm, &new, arg[0], sizeof(new)))
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
	return arg[1] && uvm_write(p->vm, arg[1], &old, sizeof(old)) ? -EFAULT : 0;
}
