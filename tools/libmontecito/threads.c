// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Threads: clone and exit as Linux/ia64 has them, and whose turn it is.
 *
 * A thread has the processor for a slice of cycles, until it waits, or until it yields. The
 * one that has waited longest is next. Where all wait, time goes on to the first end of a
 * wait; the processor does nothing in these cycles, and counts none.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "perfmon.h"
#include "signals.h"
#include "threads.h"

#define CLONE_VM 0x100
#define CLONE_SIGHAND 0x800
#define CLONE_THREAD 0x10000
#define CLONE_SETTLS 0x80000
#define CLONE_PARENT_SETTID 0x100000
#define CLONE_CHILD_CLEARTID 0x200000
#define CLONE_CHILD_SETTID 0x1000000

#define AR_BSPSTORE 18
#define AR_RNAT 19

#define NSEC 1000000000ULL
#define CLOCKS 8
/* Where a deadline would not fit into cycles, there is none. */
#define MAX_SECONDS (UINT64_MAX / MONTECITO_CORE_HZ / 2)

static int thread_add(struct montecito_process *p, struct guest_thread **res)
{
	struct guest_thread **all, *t;

	if (p->nr_threads >= MAX_THREADS)
		return -EAGAIN;
	t = calloc(1, sizeof(*t));
	all = realloc(p->thread, (p->nr_threads + 1) * sizeof(*all));
	if (all)
		p->thread = all;
	if (!t || !all) {
		free(t);
		return -EAGAIN;
	}
	t->tid = ++p->last_tid;
	t->turn = p->turns++;
	p->thread[p->nr_threads++] = t;
	*res = t;
	return 0;
}

static void thread_remove(struct montecito_process *p, struct guest_thread *t)
{
	size_t i;

	for (i = 0; p->thread[i] != t; i++)
		;
	p->thread[i] = p->thread[--p->nr_threads];
	pending_free(&t->pending);
	free(t);
}

int threads_init(struct montecito_process *p)
{
	p->last_tid = GUEST_PID - 1;
	if (!p->opt.thread_slice)
		p->opt.thread_slice = DEFAULT_SLICE;
	p->slice_left = p->opt.thread_slice;
	return thread_add(p, &p->current) ? -ENOMEM : 0;
}

void threads_free(struct montecito_process *p)
{
	while (p->nr_threads)
		thread_remove(p, p->thread[0]);
	free(p->thread);
}

struct guest_thread *thread_find(const struct montecito_process *p, uint64_t tid)
{
	size_t i;

	for (i = 0; i < p->nr_threads; i++)
		if (p->thread[i]->tid == tid)
			return p->thread[i];
	return NULL;
}

/* ---- waiting ---- */

void thread_wait(struct montecito_process *p, enum thread_state state, uint64_t until)
{
	p->current->state = state;
	p->current->until = until;
	p->current->turn = p->turns++;
}

void thread_wake(struct montecito_process *p, struct guest_thread *t, int64_t result)
{
	t->state = THREAD_READY;
	t->turn = p->turns++;
	context_result(&t->regs, result);
	process_tell(p, t, result);
}

/* The wait that ends first, or NULL. */
static struct guest_thread *first_to_end(const struct montecito_process *p)
{
	struct guest_thread *t, *best = NULL;
	size_t i;

	for (i = 0; i < p->nr_threads; i++) {
		t = p->thread[i];
		if (t->state != THREAD_READY && t->state != THREAD_ENDED && t->until &&
		    (!best || t->until < best->until ||
		     (t->until == best->until && t->turn < best->turn)))
			best = t;
	}
	return best;
}

void thread_interrupt(struct montecito_process *p, struct guest_thread *t)
{
	const uint64_t none[2] = { 0 };
	uint64_t now, left[2];

	if (t->state == THREAD_SLEEPS && t->rest && !process_cycles(p, &now)) {
		now = t->until > now ? t->until - now : 0;
		left[0] = now / MONTECITO_CORE_HZ;
		left[1] = now % MONTECITO_CORE_HZ * 5 / 8;
		uvm_write(&p->vm, t->rest, t->until ? left : none, sizeof(left));
	}
	t->restart = t->state == THREAD_FUTEX && !t->until;
	thread_wake(p, t, -EINTR);
}

/* End the waits whose time is over, as their calls have it. */
static void expire(struct montecito_process *p, uint64_t now)
{
	struct guest_thread *t;

	while ((t = first_to_end(p)) && t->until <= now)
		thread_wake(p, t,
			    t->state == THREAD_FUTEX	? -ETIMEDOUT
			    : t->state == THREAD_SIGNAL ? -EAGAIN
							: 0);
}

/* The thread that is next, which may be the current one; NULL if all wait. */
static struct guest_thread *next_ready(const struct montecito_process *p)
{
	struct guest_thread *best = NULL;
	size_t i;

	for (i = 0; i < p->nr_threads; i++)
		if (p->thread[i]->state == THREAD_READY &&
		    (!best || p->thread[i]->turn < best->turn))
			best = p->thread[i];
	return best;
}

/* ---- turns ---- */

uint64_t threads_left(struct montecito_process *p)
{
	const struct guest_thread *t;
	uint64_t now;

	if (p->nr_threads == 1)
		return 0;
	t = first_to_end(p);
	if (!p->slice_left || (t && (process_cycles(p, &now) || t->until <= now)))
		return 1;
	return t && t->until - now < p->slice_left ? t->until - now : p->slice_left;
}

/* Give the processor to @to. The current thread's registers are kept where it has not ended. */
static int thread_switch(struct montecito_process *p, struct guest_thread *to)
{
	struct guest_thread *from = p->current;
	int err;

	err = from->state == THREAD_ENDED ? montecito_set_reg(p->m, 0, MONTECITO_REG_SPECIAL,
							      MONTECITO_SPECIAL_DIRTY, 0)
					  : context_flush(p, &from->regs, 0);
	if (err == -EFAULT) {
		process_message(p, "thread %u: no memory for its register stack", from->tid);
		process_end(p, SIGSEGV);
		return 0;
	}
	if (!err)
		err = perfmon_switch(p, from->tid, to->tid);
	if (!err)
		err = context_set(p, &to->regs);
	if (err)
		return err;
	if (from->state == THREAD_ENDED)
		thread_remove(p, from);
	p->current = to;
	p->slice_left = p->opt.thread_slice;
	return 0;
}

void threads_charge(struct montecito_process *p, uint64_t cycles)
{
	p->slice_left -= cycles < p->slice_left ? cycles : p->slice_left;
}

int threads_turn(struct montecito_process *p)
{
	struct guest_thread *next;
	uint64_t now;
	int err;

	if (p->nr_threads == 1)
		return 0;
	err = process_cycles(p, &now);
	if (err)
		return err;
	expire(p, now);
	if (p->slice_left)
		return 0;
	err = context_get(p, &p->current->regs);
	if (err == -EAGAIN) {
		p->slice_left = FRAME_CYCLES;
		return 0;
	}
	if (err)
		return err;
	p->slice_left = p->opt.thread_slice;
	p->current->turn = p->turns++;
	next = next_ready(p);
	return next == p->current ? 0 : thread_switch(p, next);
}

/* When the first wait or timer ends that runs while all wait; 0: none. */
static uint64_t first_end(const struct montecito_process *p)
{
	const struct guest_thread *t = first_to_end(p);
	uint64_t timer = timers_real(p);

	if (!t || (timer && timer < t->until))
		return timer;
	return t->until;
}

int threads_next(struct montecito_process *p)
{
	struct guest_thread *next = NULL;
	uint64_t now, end;
	int err;

	if (p->current->state == THREAD_READY && !p->yields)
		return 0;
	p->yields = false;
	if (p->current->state != THREAD_ENDED) {
		err = context_get(p, &p->current->regs);
		if (err)
			return err;
	}
	err = process_cycles(p, &now);
	if (err)
		return err;
	expire(p, now);
	err = timers_expire(p);
	while (!err && !(next = next_ready(p))) {
		end = first_end(p);
		if (!end) {
			process_message(p, "no thread can go on: %zu wait%s, without a time limit",
					p->nr_threads, p->nr_threads == 1 ? "s" : "");
			return -EDEADLK;
		}
		p->idle += end - now;
		now = end;
		expire(p, now);
		err = timers_expire(p);
	}
	if (err)
		return err;
	if (next != p->current)
		return thread_switch(p, next);
	/* The wait of the current thread is over; its result is in its registers. */
	p->slice_left = p->opt.thread_slice;
	return context_set(p, &next->regs);
}

/* ---- system calls ---- */

int thread_deadline(struct montecito_process *p, uint64_t addr, uint32_t clock, bool absolute,
		    uint64_t *until)
{
	uint64_t now, t[2];
	int err;

	if (uvm_read(&p->vm, t, addr, sizeof(t)))
		return -EFAULT;
	if ((int64_t)t[0] < 0 || t[1] >= NSEC)
		return -EINVAL;
	err = process_cycles(p, &now);
	if (err)
		return err;
	if (absolute && clock == 0)
		t[0] = t[0] > MONTECITO_CLOCK_EPOCH ? t[0] - MONTECITO_CLOCK_EPOCH : 0;
	if (t[0] > MAX_SECONDS) {
		*until = 0;
		return 0;
	}
	/* 8 cycles are 5 ns. */
	*until = t[0] * MONTECITO_CORE_HZ + (t[1] * 8 + 4) / 5 + (absolute ? 0 : now);
	if (!*until)
		*until = 1;
	return 0;
}

static int64_t clone(struct montecito_process *p, uint64_t flags, uint64_t stack, uint64_t size,
		     uint64_t parent_tid, uint64_t child_tid, uint64_t tls)
{
	const uint64_t needs = CLONE_VM | CLONE_SIGHAND | CLONE_THREAD;
	struct guest_thread *t;
	int err;

	if (((flags & CLONE_THREAD) && !(flags & CLONE_SIGHAND)) ||
	    ((flags & CLONE_SIGHAND) && !(flags & CLONE_VM)))
		return -EINVAL;
	if ((flags & needs) != needs) {
		process_message(p, "clone: not served but for threads (ENOSYS)");
		return -ENOSYS;
	}
	if (!stack)
		return -EINVAL;
	err = thread_add(p, &t);
	if (err)
		return err;
	err = context_get(p, &t->regs);
	if (!err && (flags & CLONE_PARENT_SETTID))
		err = uvm_write(&p->vm, parent_tid, &t->tid, 4);
	if (!err && (flags & CLONE_CHILD_SETTID))
		err = uvm_write(&p->vm, child_tid, &t->tid, 4);
	if (err) {
		thread_remove(p, t);
		return err;
	}
	/* The caller's frame with no frames below; the memory stack grows down, the other up. */
	*context_value(&t->regs, MONTECITO_REG_AR, AR_BSPSTORE) = stack;
	*context_value(&t->regs, MONTECITO_REG_AR, AR_RNAT) = 0;
	*context_value(&t->regs, MONTECITO_REG_GR, 12) = stack + size - 16;
	if (flags & CLONE_SETTLS)
		*context_value(&t->regs, MONTECITO_REG_GR, 13) = tls;
	context_result(&t->regs, 0);
	t->sigmask = p->current->sigmask;
	if (flags & CLONE_CHILD_CLEARTID)
		t->clear_tid = child_tid;
	return t->tid;
}

/* Flags, stack and its size, where the number goes for the parent and the child, r13. */
int64_t sys_clone2(struct montecito_process *p, const uint64_t *arg)
{
	return clone(p, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
}

/* The older one takes a stack that grows from 16 bytes; its third argument is not used. */
int64_t sys_clone(struct montecito_process *p, const uint64_t *arg)
{
	return clone(p, arg[0], arg[1], 16, arg[3], arg[4], arg[5]);
}

int64_t sys_exit_thread(struct montecito_process *p, const uint64_t *arg)
{
	struct guest_thread *t = p->current;
	const uint32_t none = 0;

	futex_thread_died(p, t);
	if (p->nr_threads == 1) {
		p->ended = true;
		if (t->tid == GUEST_PID)
			p->status = arg[0] & 0xff;
		return 0;
	}
	if (t->clear_tid && !uvm_write(&p->vm, t->clear_tid, &none, sizeof(none)))
		futex_wake(p, t->clear_tid, 1, ~0u);
	/* The program's status is that of its first thread, also where another ends last. */
	if (t->tid == GUEST_PID)
		p->status = arg[0] & 0xff;
	t->state = THREAD_ENDED;
	return 0;
}

int64_t sys_set_tid_address(struct montecito_process *p, const uint64_t *arg)
{
	p->current->clear_tid = arg[0];
	return p->current->tid;
}

int64_t sys_gettid(struct montecito_process *p, const uint64_t *arg)
{
	(void)arg;
	return p->current->tid;
}

/* There is one processor. */
int64_t sys_sched_setaffinity(struct montecito_process *p, const uint64_t *arg)
{
	uint64_t set = 0;

	if (arg[0] && !thread_find(p, arg[0]))
		return -ESRCH;
	if (uvm_read(&p->vm, &set, arg[2], arg[1] < sizeof(set) ? arg[1] : sizeof(set)))
		return -EFAULT;
	return set & 1 ? 0 : -EINVAL;
}

int64_t sys_sched_getaffinity(struct montecito_process *p, const uint64_t *arg)
{
	const uint64_t set = 1;

	if (arg[1] < sizeof(set) || arg[1] % sizeof(set))
		return -EINVAL;
	if (arg[0] && !thread_find(p, arg[0]))
		return -ESRCH;
	return uvm_write(&p->vm, arg[2], &set, sizeof(set)) ? -EFAULT : (int64_t)sizeof(set);
}

int64_t sys_sched_yield(struct montecito_process *p, const uint64_t *arg)
{
	(void)arg;
	p->current->turn = p->turns++;
	p->yields = p->nr_threads > 1;
	return 0;
}

static int64_t sleep_until(struct montecito_process *p, uint64_t clock, bool absolute,
			   uint64_t addr, uint64_t rest)
{
	uint64_t until;
	int err;

	err = thread_deadline(p, addr, clock, absolute, &until);
	if (err)
		return err;
	p->current->rest = absolute ? 0 : rest;
	thread_wait(p, THREAD_SLEEPS, until);
	return 0;
}

int64_t sys_nanosleep(struct montecito_process *p, const uint64_t *arg)
{
	return sleep_until(p, 0, false, arg[0], arg[1]);
}

int64_t sys_clock_nanosleep(struct montecito_process *p, const uint64_t *arg)
{
	/* clock, flags (TIMER_ABSTIME is 1), time, what a signal leaves of it */
	if (arg[0] >= CLOCKS)
		return -EINVAL;
	return sleep_until(p, arg[0], arg[1] & 1, arg[2], arg[3]);
}
