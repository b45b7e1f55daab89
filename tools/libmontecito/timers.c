// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Interval timers (setitimer(2)) by the model's cycles. ITIMER_REAL goes on while all threads
 * wait; ITIMER_VIRTUAL and ITIMER_PROF do not, and are alike: system calls take no time.
 */
#include <errno.h>
#include <signal.h>

#include "signals.h"
#include "threads.h"

#define USEC 1000000
#define CYCLES_USEC (MONTECITO_CORE_HZ / USEC)
/* Longest time of a timer: the model's clock has 64 bits. */
#define MAX_SECONDS (UINT64_MAX / MONTECITO_CORE_HZ / 4)

#define REAL 0

/* By the clock of timer @i */
static int timers_timer_clock(struct guest_process *p, unsigned int i, uint64_t *now)
{
	return i == REAL ? process_cycles(p->run, now) : process_ran(p, now);
}

/* How many processors run @p. */
static unsigned int timers_processors(const struct guest_process *p)
{
	const struct montecito_process *run = p->run;
	unsigned int i, n = 0;

	for (i = 0; i < run->nr_cpus; i++)
		n += run->cpus[i].current && run->cpus[i].current->p == p;
	return n;
}

uint64_t timers_left(struct montecito_process *run)
{
	uint64_t now, left = 0, of;
	struct guest_process *p;
	unsigned int i, fast;
	size_t n;

	for (n = 0; n < run->nr_processes; n++) {
		p = run->process[n];
		for (i = 0; i < NR_GUEST_TIMERS; i++) {
			/* The clocks of one that does not run stand still, but for the first. */
			fast = i == REAL ? 1 : timers_processors(p);
			if (!p->timer[i].due || !fast || timers_timer_clock(p, i, &now))
				continue;
			of = p->timer[i].due > now ? (p->timer[i].due - now) / fast : 1;
			if (!of)
				of = 1;
			if (!left || of < left)
				left = of;
		}
	}
	return left;
}

uint64_t timers_real(const struct montecito_process *run)
{
	uint64_t first = 0, due;
	size_t n;

	for (n = 0; n < run->nr_processes; n++) {
		due = run->process[n]->timer[REAL].due;
		if (due && (!first || due < first))
			first = due;
	}
	return first;
}

static int timers_expire_one(struct guest_process *p)
{
	static const int signals[NR_GUEST_TIMERS] = { SIGALRM, SIGVTALRM, SIGPROF };
	struct guest_siginfo info = { .code = GUEST_SI_KERNEL };
	struct guest_timer *t;
	uint64_t now;
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < NR_GUEST_TIMERS; i++) {
		t = &p->timer[i];
		if (!t->due)
			continue;
		err = timers_timer_clock(p, i, &now);
		if (err || now < t->due)
			continue;
		/* Of several ends that are over there is one signal. */
		t->due = t->every ? t->due + ((now - t->due) / t->every + 1) * t->every : 0;
		info.signo = signals[i];
		signal_send(p, NULL, &info);
	}
	return err;
}

int timers_expire(struct montecito_process *run)
{
	size_t n;
	int err = 0;

	for (n = 0; !err && n < run->nr_processes; n++)
		err = run->process[n]->ended ? 0 : timers_expire_one(run->process[n]);
	return err;
}

/* struct itimerval: seconds and microseconds of the interval, then of what is left */
static int timers_timer_get(struct guest_process *p, unsigned int i, uint64_t v[4])
{
	const struct guest_timer *t = &p->timer[i];
	uint64_t now, left = 0;
	int err = timers_timer_clock(p, i, &now);

	if (t->due)
		left = t->due > now ? t->due - now : 1;
	/* A part of a microsecond counts as one: 0 is for a timer that does not run. */
	left = (left + CYCLES_USEC - 1) / CYCLES_USEC;
	v[0] = t->every / MONTECITO_CORE_HZ;
	v[1] = t->every % MONTECITO_CORE_HZ / CYCLES_USEC;
	v[2] = left / USEC;
	v[3] = left % USEC;
	return err;
}

int64_t sys_getitimer(struct guest_process *p, const uint64_t *arg)
{
	uint64_t v[4];
	int err;

	if (arg[0] >= NR_GUEST_TIMERS)
		return -EINVAL;
	err = timers_timer_get(p, arg[0], v);
	return err ? err : uvm_write(p->vm, arg[1], v, sizeof(v));
}

int64_t sys_setitimer(struct guest_process *p, const uint64_t *arg)
{
	uint64_t new[4] = { 0 }, old[4], now, left;
	int err;

	if (arg[0] >= NR_GUEST_TIMERS)
		return -EINVAL;
	/* Without a value it is one of 0, as Linux has it. */
	if (arg[1] && uvm_read(p->vm, new, arg[1], sizeof(new)))
		return -EFAULT;
	if ((int64_t) new[0] < 0 || (int64_t) new[2] < 0 || new[1] >= USEC || new[3] >= USEC)
		return -EINVAL;
	err = timers_timer_get(p, arg[0], old);
	if (!err)
		err = timers_timer_clock(p, arg[0], &now);
	if (err)
		return err;
	if (new[0] > MAX_SECONDS)
		new[0] = MAX_SECONDS;
	if (new[2] > MAX_SECONDS)
		new[2] = MAX_SECONDS;
	left = (new[2] * USEC + new[3]) * CYCLES_USEC;
	p->timer[arg[0]].every = (new[0] * USEC + new[1]) * CYCLES_USEC;
	p->timer[arg[0]].due = left ? now + left : 0;
	return arg[2] && uvm_write(p->vm, arg[2], old, sizeof(old)) ? -EFAULT : 0;
}
