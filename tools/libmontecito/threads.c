// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Threads: the end of one as Linux/ia64 has it, and whose turn it is.
 *
 * A thread has a processor for a slice of cycles, until it waits, or until it yields. The
 * one that has waited longest is next. A processor for which there is none is halted. Where all
 * wait, time goes on to the first end of a wait; no processor does anything in these cycles, or
 * counts any.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "perfmon.h"
#include "signals.h"
#include "threads.h"

#define NSEC 1000000000ULL
#define CLOCKS 8

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
	t->affinity = ~0ULL;
	t->turn = run->turns++;
	run->thread[run->nr_threads++] = t;
	p->nr_threads++;
	*res = t;
	return 0;
}

static void threads_thread_remove(struct montecito_process *run, struct guest_thread *t)
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
	if (!t->cpu)
		threads_thread_remove(run, t);
}

bool threads_live(const struct montecito_process *run)
{
	size_t i;

	for (i = 0; i < run->nr_threads; i++)
		if (run->thread[i]->state != THREAD_ENDED)
			return true;
	return false;
}

int threads_init(struct guest_process *p)
{
	struct montecito_process *run = p->run;
	struct guest_cpu *c = run->cpu;

	run->last_tid = GUEST_PID;
	if (!run->opt.thread_slice)
		run->opt.thread_slice = DEFAULT_SLICE;
	c->slice_end = run->opt.thread_slice;
	if (thread_add(p, GUEST_PID, &c->current))
		return -ENOMEM;
	c->current->cpu = c;
	return 0;
}

void threads_free(struct montecito_process *run)
{
	while (run->nr_threads)
		threads_thread_remove(run, run->thread[0]);
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
	run->cpu->current->state = state;
	run->cpu->current->until = until;
	run->cpu->current->turn = run->turns++;
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

	return montecito_set_regs(t->p->m, t->p->run->cpu->vcpu, ret, 2);
}

/* The wait that ends first, or NULL. */
static struct guest_thread *threads_first_to_end(const struct montecito_process *run)
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
	if (t->state == THREAD_POLL)
		poll_interrupted(t);
	thread_wake(t, -EINTR);
}

/* End the waits whose time is over, as their calls have it. */
static void threads_expire(struct montecito_process *run, uint64_t now)
{
	struct guest_thread *t;

	while ((t = threads_first_to_end(run)) && t->until <= now)
		thread_wake(t, t->state == THREAD_FUTEX	   ? -ETIMEDOUT
			       : t->state == THREAD_SIGNAL ? -EAGAIN
			       : t->state == THREAD_POLL   ? poll_over(t)
							   : 0);
}

static bool threads_allowed(const struct guest_thread *t, const struct guest_cpu *c)
{
	return t->affinity >> c->vcpu & 1;
}

/* The thread that is next for @c, which may be its own; NULL if there is none. */
static struct guest_thread *threads_next_for(const struct montecito_process *run,
					     const struct guest_cpu *c)
{
	struct guest_thread *t, *best = NULL;
	size_t i;

	for (i = 0; i < run->nr_threads; i++) {
		t = run->thread[i];
		if (thread_runs(t) && (!t->cpu || t->cpu == c) && threads_allowed(t, c) &&
		    (!best || t->turn < best->turn))
			best = t;
	}
	return best;
}

bool threads_want(struct montecito_process *run)
{
	const struct guest_cpu *c;

	for (c = run->cpus; c < run->cpus + run->nr_cpus; c++)
		if (!c->current && threads_next_for(run, c))
			return true;
	return false;
}

/* True if another processor has a thread, or could have one that run->cpu may not. */
static bool threads_others_run(const struct montecito_process *run)
{
	const struct guest_thread *t;
	size_t i;

	for (i = 0; i < run->nr_threads; i++) {
		t = run->thread[i];
		if (t->cpu ? t->cpu != run->cpu || (thread_runs(t) && !threads_allowed(t, t->cpu))
			   : thread_runs(t))
			return true;
	}
	return false;
}

/* ---- turns ---- */

uint64_t threads_left(struct montecito_process *run)
{
	const struct guest_thread *t;
	const struct guest_cpu *c;
	uint64_t now, end = 0;

	if (run->nr_threads == 1)
		return 0;
	t = threads_first_to_end(run);
	if (t)
		end = t->until;
	for (c = run->cpus; c < run->cpus + run->nr_cpus; c++)
		if (c->current && (!end || c->slice_end < end))
			end = c->slice_end;
	return process_cycles(run, &now) || end <= now ? 1 : end - now;
}

static int threads_slice_begins(struct montecito_process *run)
{
	uint64_t now;
	int err = process_cycles(run, &now);

	run->cpu->slice_end = now + run->opt.thread_slice;
	return err;
}

static int threads_cpu_special(struct montecito_process *run, uint32_t index, uint64_t value)
{
	return montecito_set_reg(run->m, run->cpu->vcpu, MONTECITO_REG_SPECIAL, index, value);
}

/* Give run->cpu, which is halted where @woken, the registers of @to. */
static int threads_cpu_enter(struct montecito_process *run, struct guest_thread *to, bool woken)
{
	struct guest_cpu *c = run->cpu;
	int err = 0;

	if (woken)
		err = process_dcr(run, c->vcpu);
	if (!err && to->p->vm != run->pages.active[c->vcpu])
		err = uvm_activate(to->p->vm, c->vcpu);
	if (!err)
		err = context_set(run->m, c->vcpu, &to->regs);
	if (!err && woken)
		err = threads_cpu_special(run, MONTECITO_SPECIAL_HALTED, 0);
	return err;
}

/*
 * Give run->cpu to @to, or halt it for NULL. The registers of the thread that has it are kept
 * where that has not ended.
 */
static int threads_thread_switch(struct montecito_process *run, struct guest_thread *to)
{
	struct guest_cpu *c = run->cpu;
	struct guest_thread *from = c->current;
	uint64_t now;
	int err = 0;

	if (from)
		err = from->state == THREAD_ENDED
			      ? threads_cpu_special(run, MONTECITO_SPECIAL_DIRTY, 0)
			      : context_flush(from->p, &from->regs, 0);
	if (err == -EFAULT) {
		process_message(from->p, "thread %u: no memory for its register stack", from->tid);
		process_end(from->p, SIGSEGV);
		return 0;
	}
	if (!err)
		err = perfmon_switch(run, from, to);
	if (!err)
		err = to ? threads_cpu_enter(run, to, !from)
			 : threads_cpu_special(run, MONTECITO_SPECIAL_HALTED, 1);
	if (!err)
		err = cpu_cycles(run, c, &now);
	if (!err)
		err = threads_slice_begins(run);
	if (err)
		return err;
	if (from && from->p)
		from->p->ran += now - c->since;
	c->since = now;
	if (from)
		from->cpu = NULL;
	if (from && from->state == THREAD_ENDED)
		threads_thread_remove(run, from);
	c->current = to;
	if (to)
		to->cpu = c;
	return 0;
}

/* The registers of run->cpu's thread. A frame that is not whole is to be so a little later. */
static int threads_cpu_save(struct montecito_process *run, uint64_t now)
{
	struct guest_cpu *c = run->cpu;
	int err = context_get(run->m, c->vcpu, &c->current->regs);

	if (err == -EAGAIN)
		c->slice_end = now + FRAME_CYCLES;
	return err;
}

int threads_turn(struct montecito_process *run)
{
	struct guest_cpu *c = run->cpu;
	struct guest_thread *next;
	uint64_t now;
	int err;

	if (run->nr_threads == 1)
		return 0;
	err = process_cycles(run, &now);
	if (err)
		return err;
	threads_expire(run, now);
	if (!c->current || now < c->slice_end)
		return 0;
	err = threads_cpu_save(run, now);
	if (err)
		return err == -EAGAIN ? 0 : err;
	c->current->turn = run->turns++;
	next = threads_next_for(run, c);
	return !next || next == c->current ? threads_slice_begins(run)
					   : threads_thread_switch(run, next);
}

/* When the first wait or timer ends that runs while all wait; 0: none. */
static uint64_t threads_first_end(const struct montecito_process *run)
{
	const struct guest_thread *t = threads_first_to_end(run);
	uint64_t timer = timers_real(run);

	if (!t || (timer && timer < t->until))
		return timer;
	return t->until;
}

/* All wait for what does not come. What the program has left behind ends with that. */
static int threads_none_left(struct montecito_process *run)
{
	if (!process_find(run, GUEST_PID)) {
		run->ended = true;
		return 0;
	}
	process_message(run->process[0], "no thread can go on: %zu wait%s, without a time limit",
			run->nr_threads, run->nr_threads == 1 ? "s" : "");
	return -EDEADLK;
}

/* True if the thread of run->cpu goes on, or has to for a frame that is not whole. */
static int threads_cpu_stays(struct montecito_process *run, uint64_t *now)
{
	struct guest_cpu *c = run->cpu;
	struct guest_thread *t = c->current;
	int err;

	if (t && thread_runs(t) && threads_allowed(t, c) && !c->yields) {
		c->late = false;
		return 1;
	}
	err = process_cycles(run, now);
	if (err || !t || t->state == THREAD_ENDED)
		return err;
	if (c->late && *now < c->slice_end)
		return 1;
	err = threads_cpu_save(run, *now);
	c->late = err == -EAGAIN;
	return c->late ? 1 : err;
}

int threads_next(struct montecito_process *run)
{
	struct guest_cpu *c = run->cpu;
	struct guest_thread *next;
	uint64_t now, end;
	int err = threads_cpu_stays(run, &now);

	if (err)
		return err < 0 ? err : 0;
	c->yields = false;
	threads_expire(run, now);
	err = timers_expire(run);
	while (!err && !(next = threads_next_for(run, c))) {
		if (threads_others_run(run))
			return c->current ? threads_thread_switch(run, NULL) : 0;
		end = threads_first_end(run);
		if (!end)
			return threads_none_left(run);
		run->idle += end - now;
		now = end;
		threads_expire(run, now);
		err = timers_expire(run);
	}
	if (err)
		return err;
	if (next != c->current)
		return threads_thread_switch(run, next);
	/* The wait of the thread is over; its result is in its registers. */
	err = threads_slice_begins(run);
	return err ? err : context_set(run->m, c->vcpu, &next->regs);
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
	if (t[0] > MAX_WAIT_SECONDS) {
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
	struct guest_thread *t = p->run->cpu->current;
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
	p->run->cpu->current->clear_tid = arg[0];
	return p->run->cpu->current->tid;
}

int64_t sys_gettid(struct guest_process *p, const uint64_t *arg)
{
	(void)arg;
	return p->run->cpu->current->tid;
}

/* The processors of @run by number, which are those that /proc/cpuinfo would have */
static uint64_t threads_online(const struct montecito_process *run)
{
	return ((1ULL << run->nr_cpus) - 1) << run->cpus[0].vcpu;
}

static struct guest_thread *threads_thread_or_self(const struct montecito_process *run,
						   uint64_t tid)
{
	return tid ? thread_find(run, tid) : run->cpu->current;
}

int64_t sys_sched_setaffinity(struct guest_process *p, const uint64_t *arg)
{
	struct guest_thread *t = threads_thread_or_self(p->run, arg[0]);
	uint64_t set = 0;

	if (!t)
		return -ESRCH;
	if (uvm_read(p->vm, &set, arg[2], arg[1] < sizeof(set) ? arg[1] : sizeof(set)))
		return -EFAULT;
	if (!(set & threads_online(p->run)))
		return -EINVAL;
	t->affinity = set;
	return 0;
}

int64_t sys_sched_getaffinity(struct guest_process *p, const uint64_t *arg)
{
	const struct guest_thread *t = threads_thread_or_self(p->run, arg[0]);
	uint64_t set;

	if (arg[1] < sizeof(set) || arg[1] % sizeof(set))
		return -EINVAL;
	if (!t)
		return -ESRCH;
	set = t->affinity & threads_online(p->run);
	return uvm_write(p->vm, arg[2], &set, sizeof(set)) ? -EFAULT : (int64_t)sizeof(set);
}

/* Where the numbers of the processor and of its node go, or NULL */
int64_t sys_getcpu(struct guest_process *p, const uint64_t *arg)
{
	const uint32_t number[2] = { p->run->cpu->vcpu, 0 };
	unsigned int i;

	for (i = 0; i < 2; i++)
		if (arg[i] && uvm_write(p->vm, arg[i], &number[i], sizeof(number[i])))
			return -EFAULT;
	return 0;
}

int64_t sys_sched_yield(struct guest_process *p, const uint64_t *arg)
{
	(void)arg;
	p->run->cpu->current->turn = p->run->turns++;
	p->run->cpu->yields = p->run->nr_threads > 1;
	return 0;
}

static int64_t threads_sleep_until(struct guest_process *p, uint64_t clock, bool absolute,
				   uint64_t addr, uint64_t rest)
{
	uint64_t until;
	int err;

	err = thread_deadline(p, addr, clock, absolute, &until);
	if (err)
		return err;
	p->run->cpu->current->rest = absolute ? 0 : rest;
	thread_wait(p->run, THREAD_SLEEPS, until);
	return 0;
}

int64_t sys_nanosleep(struct guest_process *p, const uint64_t *arg)
{
	return threads_sleep_until(p, 0, false, arg[0], arg[1]);
}

int64_t sys_clock_nanosleep(struct guest_process *p, const uint64_t *arg)
{
	/* clock, flags (TIMER_ABSTIME is 1), time, what a signal leaves of it */
	if (arg[0] >= CLOCKS)
		return -EINVAL;
	return threads_sleep_until(p, arg[0], arg[1] & 1, arg[2], arg[3]);
}
