// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Running a user-mode program: RUN, and whatever it comes back for is served
 * as an operating system would.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perfmon.h"
#include "signals.h"
#include "sized.h"
#include "threads.h"

/* Instructions after which the caller's tick is due, and a stop is seen. */
#define SLICE (1ULL << 23)

/* Linux/ia64's break immediate for a system call */
#define BREAK_SYSCALL 0x100000

int montecito_process_load(struct montecito *m, const char *path,
			   const struct montecito_process_options *opt,
			   struct montecito_process **res, const char **why)
{
	struct montecito_process *p = calloc(1, sizeof(*p));
	unsigned int i;
	int err;

	*why = NULL;
	if (!p)
		return -ENOMEM;
	err = SIZED_TAKE(&p->opt, opt, message_arg);
	if (err) {
		free(p);
		return err;
	}
	p->m = m;
	p->name = p->opt.argv[0];
	for (i = 0; i < NR_GUEST_FDS; i++)
		p->fd[i] = i < 3 ? (int)i : -1;
	err = threads_init(p);
	if (!err)
		err = uvm_init(&p->vm, m, p->opt.page_shift);
	if (!err)
		err = process_load_elf(p, path, why);
	if (!err)
		err = process_start(p);
	/* The other logical processors have nothing to do. */
	for (i = 1; !err && i < montecito_nr_vcpus(m); i++)
		err = montecito_set_reg(m, i, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_HALTED, 1);
	if (err) {
		montecito_process_free(p);
		return err;
	}
	*res = p;
	return 0;
}

void montecito_process_free(struct montecito_process *p)
{
	unsigned int i;

	if (!p)
		return;
	for (i = 3; i < NR_GUEST_FDS; i++)
		if (p->fd[i] >= 0)
			close(p->fd[i]);
	uvm_free(&p->vm);
	pending_free(&p->pending);
	perfmon_free(p);
	threads_free(p);
	free(p);
}

void montecito_process_tick(struct montecito_process *p, uint64_t slice,
			    int (*tick)(struct montecito *m, void *arg), void *arg)
{
	p->opt.slice = slice;
	p->opt.tick = tick;
	p->opt.arg = arg;
}

void process_message(const struct montecito_process *p, const char *fmt, ...)
{
	char text[512];
	va_list ap;
	int n;

	if (!p->opt.message)
		return;
	n = snprintf(text, sizeof(text), "%s: ", p->name);
	va_start(ap, fmt);
	if (n >= 0 && n < (int)sizeof(text))
		vsnprintf(text + n, sizeof(text) - n, fmt, ap);
	va_end(ap);
	p->opt.message(p->opt.message_arg, text);
}

int montecito_process_signal(const struct montecito_process *p)
{
	return p->signal;
}

void montecito_process_stop(struct montecito_process *p)
{
	p->stop = 1;
}

int montecito_process_region(struct montecito_process *p, const struct montecito_timed_region *r)
{
	return timed_run_set(&p->region, r);
}

void montecito_process_interval(struct montecito_process *p, uint64_t insns, uint64_t cycles,
				int (*call)(struct montecito *m, void *arg), void *arg)
{
	p->interval.insns = insns;
	p->interval.cycles = cycles;
	p->interval.left = insns ? insns : cycles;
	p->interval.call = call;
	p->interval.arg = arg;
}

/* Account for a piece of the run, which may end one interval or several. */
static int process_piece(struct montecito_process *p, const struct montecito_exit *e)
{
	uint64_t every = p->interval.insns ? p->interval.insns : p->interval.cycles;
	uint64_t done = p->interval.insns ? e->insns : e->cycles;

	if (!every)
		return 0;
	if (done < p->interval.left) {
		p->interval.left -= done;
		return 0;
	}
	p->interval.left = every - (done - p->interval.left) % every;
	return p->interval.call(p->m, p->interval.arg);
}

/* The lesser of two numbers of cycles, of which 0 is without a limit. */
static uint64_t lesser(uint64_t a, uint64_t b)
{
	return a && (!b || a < b) ? a : b;
}

/* Cycles until the library has to do something; 0: as many as the program likes. */
static uint64_t process_left(struct montecito_process *p)
{
	uint64_t left = lesser(threads_left(p), timers_left(p));

	return signals_wait(p) ? lesser(left, FRAME_CYCLES) : left;
}

/* A program that measures itself would take a PMD that stands still for a count: tell it once. */
static int tell_uncounted(struct montecito_process *p, const struct montecito_run *run)
{
	uint64_t left = run->uncounted & ~p->uncounted;
	char why[256];
	int err;

	p->uncounted |= left;
	for (; left; left &= left - 1) {
		unsigned int n = __builtin_ctzll(left);

		err = montecito_uncounted_text(p->m, run->uncounted_vcpu, n, why);
		if (err)
			return err;
		process_message(p, "%s%u stands still: %s", n < 16 ? "PMD" : "PMC", n, why);
	}
	return 0;
}

int montecito_process_run(struct montecito_process *p)
{
	uint64_t left = p->opt.budget;
	struct montecito_run run;
	int err;

	while (!p->ended) {
		uint64_t insns = p->opt.slice && p->opt.slice < SLICE ? p->opt.slice : SLICE;
		uint64_t cycles;

		if (p->stop) {
			p->stop = 0;
			return -EINTR;
		}
		if (p->opt.budget && left < insns)
			insns = left;
		if (p->interval.insns && p->interval.left < insns)
			insns = p->interval.left;
		cycles = process_left(p);
		if (p->interval.cycles)
			cycles = lesser(cycles, p->interval.left);
		err = timed_run_advance(&p->region, p->m, p->insns);
		if (!err)
			err = timed_run_do(&p->region, p->m, p->insns, insns, cycles, &run);
		if (err)
			return err;
		p->insns += run.exit.insns;
		threads_charge(p, run.exit.cycles);
		if (p->opt.budget)
			left -= run.exit.insns < left ? run.exit.insns : left;
		err = process_piece(p, &run.exit);
		if (!err && run.uncounted)
			err = tell_uncounted(p, &run);
		if (!err && p->opt.tick)
			err = p->opt.tick(p->m, p->opt.arg);
		if (err)
			return err;
		switch (run.exit.reason) {
		case MONTECITO_EXIT_BREAK:
			err = run.exit.iim == BREAK_SYSCALL ? process_syscall(p, &run.exit)
							    : process_break(p, &run.exit);
			break;
		case MONTECITO_EXIT_INTERRUPTION:
			err = process_interruption(p, &run.exit);
			break;
		case MONTECITO_EXIT_BUDGET:
		case MONTECITO_EXIT_UNTIL:
		case MONTECITO_EXIT_SIGNAL:
			err = threads_turn(p);
			break;
		case MONTECITO_EXIT_PMU_OVERFLOW:
			err = perfmon_overflow(p, &run.exit);
			if (!err)
				err = threads_turn(p);
			break;
		case MONTECITO_EXIT_BROKEN:
			process_message(p, "the model contradicts itself: %s",
					montecito_broken(p->m));
			err = -EPROTO;
			break;
		default:
			/* A program at level 3 cannot bring any other about. */
			err = -EPROTO;
		}
		if (!err && !p->ended)
			err = timers_expire(p);
		if (!err && !p->ended)
			err = signals_deliver(p);
		if (err)
			return err;
		if (p->opt.budget && !left && !p->ended)
			return -EDQUOT;
	}
	return p->status;
}
