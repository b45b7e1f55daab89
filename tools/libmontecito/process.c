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
	timed_run_set(&p->region, r);
}

int montecito_process_run(struct montecito_process *p)
{
	uint64_t left = p->opt.budget;
	struct montecito_run run;
	int err;

	while (!p->ended) {
		uint64_t insns = p->opt.slice && p->opt.slice < SLICE ? p->opt.slice : SLICE;

		if (p->stop) {
			p->stop = 0;
			return -EINTR;
		}
		if (p->opt.budget && left < insns)
			insns = left;
		err = timed_run_advance(&p->region, p->m, p->insns);
		if (!err)
			err = timed_run_do(&p->region, p->m, p->insns, insns, 0, &run);
		if (err)
			return err;
		p->insns += run.exit.insns;
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
