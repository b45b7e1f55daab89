// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A timed region: the machine runs functionally before and behind it. Each phase ends
 * at a moment, which RUN stops at by itself.
 */
#include "sized.h"
#include "timed_run.h"

/* PSR.ri: the slot that goes on in the bundle at IP */
#define PSR_RI_SHIFT 41
#define PSR_RI_MASK 3

int timed_run_set(struct timed_run *g, const struct montecito_timed_region *r)
{
	int err = SIZED_TAKE(&g->r, r, arg);

	if (err)
		return err;
	g->phase = g->r.from.set ? REGION_BEFORE : REGION_INSIDE;
	g->moved = false;
	return 0;
}

/* The moment that the present phase ends at; NULL for the end of the run. */
static const struct montecito_moment *timed_run_phase_end(const struct timed_run *g)
{
	if (g->phase == REGION_BEFORE)
		return &g->r.from;
	return g->phase == REGION_INSIDE && g->r.to.set ? &g->r.to : NULL;
}

/* 1 if @m is at @moment, 0 if not, or an error. */
static int timed_run_is_now(const struct timed_run *g, struct montecito *m,
			    const struct montecito_moment *moment, uint64_t done)
{
	uint64_t ip, psr;
	int err;

	if (!moment->function)
		return done >= moment->at;
	/* A function that the region begins with has begun before. */
	if (!g->moved && g->phase != REGION_BEFORE)
		return 0;
	err = montecito_get_reg(m, g->vcpu, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP, &ip);
	if (!err)
		err = montecito_get_reg(m, g->vcpu, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR,
					&psr);
	return err ? err : ip == moment->at && !(psr >> PSR_RI_SHIFT & PSR_RI_MASK);
}

int timed_run_advance(struct timed_run *g, struct montecito *m, uint64_t done)
{
	const struct montecito_moment *end;
	int now, err = 0;

	while (!err && (end = timed_run_phase_end(g))) {
		now = timed_run_is_now(g, m, end, done);
		if (now <= 0)
			return now;
		g->phase = g->phase == REGION_BEFORE ? REGION_INSIDE : REGION_BEHIND;
		g->moved = false;
		if (g->r.change)
			err = g->r.change(m, g->phase == REGION_INSIDE, g->r.arg);
	}
	return err;
}

int timed_run_do(struct timed_run *g, struct montecito *m, uint64_t done, uint64_t insns,
		 uint64_t cycles, struct montecito_run *run)
{
	const struct montecito_moment *end = timed_run_phase_end(g);
	uint32_t flags = g->phase == REGION_INSIDE ? 0 : MONTECITO_RUN_FUNCTIONAL;
	uint64_t until = 0;
	int err;

	if (end && end->function) {
		flags |= MONTECITO_RUN_UNTIL;
		until = end->at;
	} else if (end && (!insns || end->at - done < insns)) {
		insns = end->at - done;
	}
	err = montecito_run_until(m, insns, cycles, flags, until, run);
	g->moved = g->moved || (!err && run->exit.insns);
	return err;
}
