// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Threads: the end of one as Linux/ia64 has it, and whose turn it is.
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

#define NSEC 1000000000ULL
#define CLOCKS 8
/* Where a deadline would not fit into cycles, there is none. */
#define MAX_SECONDS (UINT64_MAX / MONTECITO_CORE_HZ / 2)

int thread_add(struct guest_process *p, uint32_t tid, struct guest_thread **res)
{
	struct montecito_process *run = p->run;
	struct guest_thread **all, *t;

	if (run->nr_threads >= MAX_THREADS)
		return -EAGAIN;
	t = calloc(1, sizeof(*t));
	all = realloc(run->thread, (run->nr_threads + 1) * sizeof(*all));
	if (all)
		run->thread = all;
	if (!t || !all) {
		free(t);
		return -EAGAIN;
	}
	t->p = p;
	t->tid = tid;
	t->turn = run->turns++;
	run->thread[run->nr_threads++] = t;
	p->nr_threads++;
	*res = t;
	return 0;
}

static void thread_remove(struct montecito_process *run, struct guest_thread *t)
{
	size_t i;

	for (i = 0; run->thread[i] != t; i++)
		;
	run->thread[i] = run->thread[--run->nr_threads];
	thread_io_over(t, run);
	pending_free(&t->pending);
	free(t);
}

void thread_end(struct guest_thread *t)
{
	struct montecito_process *run = t->p->run;

	t->p->nr_threads--;
	t->state = THREAD_ENDED;
	thread_io_over(t, run);
	if (t != run->current)
		thread_remove(run, t);
}

int threads_init(struct guest_process *p)
{
	struct montecito_process *run = p->run;

	run->last_tid = GUEST_PID;
	if (!run->opt.thread_slice)
		run->opt.thread_slice = DEFAULT_SLICE;
	run->slice_left = run->opt.thread_slice;
	return thread_add(p, GUEST_PID, &run->current) ? -ENOMEM : 0;
}

void threads_free(struct montecito_process *run)
{
	while (run->nr_threads)
		thread_remove(run, run->thread[0]);
	free(run->thread);
}

struct guest_thread *thread_find(const struct montecito_process *run, uint64_t tid)
{
	size_t i;

	for (i = 0; i < run->nr_threads; i++)
		if (run->thread[i]->tid == tid && run->thread[i]->state != THREAD_ENDED)
			return run->thread[i];
	return NULL;
}

bool thread_runs(const struct guest_thread *t)
{
	return t->state == THREAD_READY && !t->p->stopped && !t->p->ended;
}

/* ---- waiting ---- */

void thread_wait(struct montecito_process *run, enum thread_state state, uint64_t until)
{
	run->current->state = state;
	run->current->until = until;
	run->current->turn = run->turns++;
}

void thread_wake(struct guest_thread *t, int64_t result)
{
	t->state = THREAD_READY;
	t->turn = t->p->run->turns++;
	context_result(&t->regs, result);
	process_tell(t, result);
	thread_io_over(t, t->p->run);
}

int thread_result(struct guest_thread *t, int64_t result)
{
	const struct montecito_reg ret[2] = {
		{ MONTECITO_REG_GR, 8, { result < 0 ? -result : result } },
		{ MONTECITO_REG_GR, 10, { result < 0 ? -1LL : 0 } },
	};

	return montecito_set_regs(t->p->m, t->p->run->vcpu, ret, 2);
}

/* The wait that ends first, or NULL. */
static struct guest_thread *first_to_end(const struct montecito_process *run)
{
	struct guest_thread *t, *best = NULL;
	size_t i;

	for (i = 0; i < run->nr_threads; i++) {
		t = run->thread[i];
		if (t->state != THREAD_READY && t->state != THREAD_ENDED && t->until &&
		    (!best || t->until < best->until ||
		     (t->until == best->until && t->turn < best->turn)))
			best = t;
	}
	return best;
}

void thread_interrupt(struct guest_thread *t)
{
	const uint64_t none[2] = { 0 };
	uint64_t now, left[2];

	if (t->state == THREAD_SLEEPS && t->rest && !process_cycles(t->p->run, &now)) {
		now = t->until > now ? t->until - now : 0;
		left[0] = now / MONTECITO_CORE_HZ;
		left[1] = now % MONTECITO_CORE_HZ * 5 / 8;
		uvm_write(t->p->vm, t->rest, t->until ? left : none, sizeof(left));
	}
	/* A pipe's write that is done in part gives that; the call is over. */
	if (t->state == THREAD_PIPE && t->io.done) {
		thread_wake(t, t->io.done);
		return;
	}
	/* As Linux: a call with a time limit is not made again behind a handler. */
	t->restart = (t->state == THREAD_FUTEX && !t->call.arg[3]) || t->state == THREAD_CHILD ||
		     t->state == THREAD_PIPE;
	t->was = t->state;
	thread_wake(t, -EINTR);
}

/* End the waits whose time is over, as their calls have it. */
static void expire(struct montecito_process *run, uint64_t now)
{
	struct guest_thread *t;

	while ((t = first_to_end(run)) && t->until <= now)
		thread_wake(t, t->state == THREAD_FUTEX	   ? -ETIMEDOUT
			       : t->state == THREAD_SIGNAL ? -EAGAIN
							   : 0);
}

/* The thread that is next, which may be the current one; NULL if all wait. */
static struct guest_thread *next_ready(const struct montecito_process *run)
{
	struct guest_thread *best = NULL;
	size_t i;

	for (i = 0; i < run->nr_threads; i++)
		if (thread_runs(run->thread[i]) && (!best || run->thread[i]->turn < best->turn))
			best = run->thread[i];
	return best;
}

/* ---- turns ---- */

uint64_t threads_left(struct montecito_process *run)
{
	const struct guest_thread *t;
	uint64_t now;

	if (run->nr_threads == 1)
		return 0;
	t = first_to_end(run);
	if (!run->slice_left || (t && (process_cycles(run, &now) || t->until <= now)))
		return 1;
	return t && t->until - now < run->slice_left ? t->until - now : run->slice_left;
}

/* Give the processor to @to. The current thread's registers are kept where it has not ended. */
static int thread_switch(struct montecito_process *run, struct guest_thread *to)
{
	struct guest_thread *from = run->current;
	uint64_t now;
	int err;

	err = from->state == THREAD_ENDED
		      ? montecito_set_reg(run->m, run->vcpu, MONTECITO_REG_SPECIAL,
					  MONTECITO_SPECIAL_DIRTY, 0)
		      : context_flush(from->p, &from->regs, 0);
	if (err == -EFAULT) {
		process_message(from->p, "thread %u: no memory for its register stack", from->tid);
		process_end(from->p, SIGSEGV);
		return 0;
	}
	if (!err)
		err = perfmon_switch(run, from, to);
	if (!err && to->p->vm != run->pages.active)
		err = uvm_activate(to->p->vm);
	if (!err)
		err = context_set(run->m, run->vcpu, &to->regs);
	if (!err)
		err = process_cycles(run, &now);
	if (err)
		return err;
	now -= run->idle;
	if (from->p)
		from->p->ran += now - run->since;
	run->since = now;
	if (from->state == THREAD_ENDED)
		thread_remove(run, from);
	run->current = to;
	run->slice_left = run->opt.thread_slice;
	return 0;
}

void threads_charge(struct montecito_process *run, uint64_t cycles)
{
	run->slice_left -= cycles < run->slice_left ? cycles : run->slice_left;
}

int threads_turn(struct montecito_process *run)
{
	struct guest_thread *next;
	uint64_t now;
	int err;

	if (run->nr_threads == 1)
		return 0;
	err = process_cycles(run, &now);
	if (err)
		return err;
	expire(run, now);
	if (run->slice_left)
		return 0;
	err = context_get(run->m, run->vcpu, &run->current->regs);
	if (err == -EAGAIN) {
		run->slice_left = FRAME_CYCLES;
		return 0;
	}
	if (err)
		return err;
	run->slice_left = run->opt.thread_slice;
	run->current->turn = run->turns++;
	next = next_ready(run);
	return next == run->current ? 0 : thread_switch(run, next);
}

/* When the first wait or timer ends that runs while all wait; 0: none. */
static uint64_t first_end(const struct montecito_process *run)
{
	const struct guest_thread *t = first_to_end(run);
	uint64_t timer = timers_real(run);

	if (!t || (timer && timer < t->until))
		return timer;
	return t->until;
}

/* All wait for what does not come. What the program has left behind ends with that. */
static int none_left(struct montecito_process *run)
{
	if (!process_find(run, GUEST_PID)) {
		run->ended = true;
		return 0;
	}
	process_message(run->process[0], "no thread can go on: %zu wait%s, without a time limit",
			run->nr_threads, run->nr_threads == 1 ? "s" : "");
	return -EDEADLK;
}

int threads_next(struct montecito_process *run)
{
	struct guest_thread *next = NULL;
	uint64_t now, end;
	int err;

	if (thread_runs(run->current) && !run->yields)
		return 0;
	run->yields = false;
	if (run->current->state != THREAD_ENDED) {
		err = context_get(run->m, run->vcpu, &run->current->regs);
		if (err)
			return err;
	}
	err = process_cycles(run, &now);
	if (err)
		return err;
	expire(run, now);
	err = timers_expire(run);
	while (!err && !(next = next_ready(run))) {
		end = first_end(run);
		if (!end)
			return none_left(run);
		run->idle += end - now;
		now = end;
		expire(run, now);
		err = timers_expire(run);
	}
	if (err)
		return err;
	if (next != run->current)
		return thread_switch(run, next);
	/* The wait of the current thread is over; its result is in its registers. */
	run->slice_left = run->opt.thread_slice;
	return context_set(run->m, run->vcpu, &next->regs);
}

/* ---- system calls ---- */

int thread_deadline(struct guest_process *p, uint64_t addr, uint32_t clock, bool absolute,
		    uint64_t *until)
{
	uint64_t now, t[2];
	int err;

	if (uvm_read(p->vm, t, addr, sizeof(t)))
		return -EFAULT;
	if ((int64_t)t[0] < 0 || t[1] >= NSEC)
		return -EINVAL;
	err = process_cycles(p->run, &now);
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

int64_t sys_exit_thread(struct guest_process *p, const uint64_t *arg)
{
	struct guest_thread *t = p->run->current;
	const uint32_t none = 0;

	futex_thread_died(p, t);
	if (p->nr_threads == 1) {
		p->ended = true;
		if (t->tid == p->pid)
			p->status = arg[0] & 0xff;
		return 0;
	}
	if (t->clear_tid && !uvm_write(p->vm, t->clear_tid, &none, sizeof(none)))
		futex_wake(p, t->clear_tid, 1, ~0u);
	/* A process's status is that of its first thread, also where another ends last. */
	if (t->tid == p->pid)
		p->status = arg[0] & 0xff;
	thread_end(t);
	return 0;
}

int64_t sys_set_tid_address(struct guest_process *p, const uint64_t *arg)
{
	p->run->current->clear_tid = arg[0];
	return p->run->current->tid;
}

int64_t sys_gettid(struct guest_process *p, const uint64_t *arg)
{
	(void)arg;
	return p->run->current->tid;
}

/* There is one processor. */
int64_t sys_sched_setaffinity(struct guest_process *p, const uint64_t *arg)
{
	uint64_t set = 0;

	if (arg[0] && !thread_find(p->run, arg[0]))
		return -ESRCH;
	if (uvm_read(p->vm, &set, arg[2], arg[1] < sizeof(set) ? arg[1] : sizeof(set)))
		return -EFAULT;
	return set & 1 ? 0 : -EINVAL;
}

int64_t sys_sched_getaffinity(struct guest_process *p, const uint64_t *arg)
{
	const uint64_t set = 1;

	if (arg[1] < sizeof(set) || arg[1] % sizeof(set))
		return -EINVAL;
	if (arg[0] && !thread_find(p->run, arg[0]))
		return -ESRCH;
	return uvm_write(p->vm, arg[2], &set, sizeof(set)) ? -EFAULT : (int64_t)sizeof(set);
}

int64_t sys_sched_yield(struct guest_process *p, const uint64_t *arg)
{
	(void)arg;
	p->run->current->turn = p->run->turns++;
	p->run->yields = p->run->nr_threads > 1;
	return 0;
}

static int64_t sleep_until(struct guest_process *p, uint64_t clock, bool absolute, uint64_t addr,
			   uint64_t rest)
{
	uint64_t until;
	int err;

	err = thread_deadline(p, addr, clock, absolute, &until);
	if (err)
		return err;
	p->run->current->rest = absolute ? 0 : rest;
	thread_wait(p->run, THREAD_SLEEPS, until);
	return 0;
}

int64_t sys_nanosleep(struct guest_process *p, const uint64_t *arg)
{
	return sleep_until(p, 0, false, arg[0], arg[1]);
}

int64_t sys_clock_nanosleep(struct guest_process *p, const uint64_t *arg)
{
	/* clock, flags (TIMER_ABSTIME is 1), time, what a signal leaves of it */
	if (arg[0] >= CLOCKS)
		return -EINVAL;
	return sleep_until(p, arg[0], arg[1] & 1, arg[2], arg[3]);
}
