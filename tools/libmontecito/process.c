// SPDX-License-Identifier: GPL-2.0-only
/*
 * Running a user-mode program: RUN, and whatever it comes back for is served
 * as an operating system would.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process.h"

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
	p->m = m;
	p->opt = *opt;
	p->name = opt->argv[0];
	for (i = 0; i < NR_GUEST_FDS; i++)
		p->fd[i] = i < 3 ? (int)i : -1;
	err = uvm_init(&p->vm, m, opt->page_shift);
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
	free(p);
}

void montecito_process_tick(struct montecito_process *p, uint64_t slice,
			    int (*tick)(struct montecito *m, void *arg), void *arg)
{
	p->opt.slice = slice;
	p->opt.tick = tick;
	p->opt.arg = arg;
}

void montecito_process_stop(struct montecito_process *p)
{
	p->stop = 1;
}

void montecito_process_region(struct montecito_process *p, const struct montecito_timed_region *r)
{
	p->region = *r;
	p->phase = r->from.set ? PHASE_BEFORE : PHASE_INSIDE;
}

/* The moment that the present phase ends at; NULL for the program's end. */
static const struct montecito_moment *phase_end(const struct montecito_process *p)
{
	if (p->phase == PHASE_BEFORE)
		return &p->region.from;
	return p->phase == PHASE_INSIDE && p->region.to.set ? &p->region.to : NULL;
}

/* Is the program at @moment? @moved: it has run since its phase began. */
static int is_now(struct montecito_process *p, const struct montecito_moment *moment, bool moved)
{
	uint64_t ip, psr;
	int err;

	if (!moment->function)
		return p->insns >= moment->at;
	if (!moved && p->phase != PHASE_BEFORE)
		return 0;
	err = montecito_get_reg(p->m, 0, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP, &ip);
	if (!err)
		err = montecito_get_reg(p->m, 0, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR,
					&psr);
	return err ? err : ip == moment->at && !(psr >> 41 & 3);
}

/* Go on to the next phase where the present one ends; *@moved as for is_now(). */
static int change_phase(struct montecito_process *p, bool *moved)
{
	const struct montecito_moment *end;
	int now, err = 0;

	while (!err && (end = phase_end(p))) {
		now = is_now(p, end, *moved);
		if (now <= 0)
			return now;
		p->phase = p->phase == PHASE_BEFORE ? PHASE_INSIDE : PHASE_BEHIND;
		*moved = false;
		if (p->region.change)
			err = p->region.change(p->m, p->phase == PHASE_INSIDE, p->region.arg);
	}
	return err;
}

/* One RUN of at most @insns instructions. */
static int run_once(struct montecito_process *p, uint64_t insns, struct montecito_run *run)
{
	const struct montecito_moment *end = phase_end(p);
	uint32_t flags = p->phase == PHASE_INSIDE ? 0 : MONTECITO_RUN_FUNCTIONAL;
	uint64_t until = 0;

	if (end && end->function) {
		flags |= MONTECITO_RUN_UNTIL;
		until = end->at;
	} else if (end && end->at - p->insns < insns) {
		insns = end->at - p->insns;
	}
	return montecito_run_until(p->m, insns, 0, flags, until, run);
}

int montecito_process_run(struct montecito_process *p)
{
	uint64_t left = p->opt.budget;
	struct montecito_run run;
	bool moved = false;
	int err;

	while (!p->ended) {
		uint64_t insns = p->opt.slice && p->opt.slice < SLICE ? p->opt.slice : SLICE;

		if (p->stop) {
			p->stop = 0;
			return -EINTR;
		}
		if (p->opt.budget && left < insns)
			insns = left;
		err = change_phase(p, &moved);
		if (!err)
			err = run_once(p, insns, &run);
		if (err)
			return err;
		p->insns += run.exit.insns;
		moved = moved || run.exit.insns;
		if (p->opt.budget)
			left -= run.exit.insns < left ? run.exit.insns : left;
		if (p->opt.tick) {
			err = p->opt.tick(p->m, p->opt.arg);
			if (err)
				return err;
		}
		switch (run.exit.reason) {
		case MONTECITO_EXIT_BREAK:
			err = run.exit.iim == BREAK_SYSCALL ? process_syscall(p)
							    : process_break(p, &run.exit);
			break;
		case MONTECITO_EXIT_INTERRUPTION:
			err = process_interruption(p, &run.exit);
			break;
		case MONTECITO_EXIT_BUDGET:
		case MONTECITO_EXIT_UNTIL:
		case MONTECITO_EXIT_SIGNAL:
		case MONTECITO_EXIT_PMU_OVERFLOW:
			break;
		default:
			/* A program at level 3 cannot bring any other about. */
			err = -EPROTO;
		}
		if (err)
			return err;
		if (p->opt.budget && !left && !p->ended)
			return -EDQUOT;
	}
	return p->status;
}
