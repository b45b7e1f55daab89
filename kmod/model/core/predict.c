// SPDX-License-Identifier: GPL-2.0-only
/*
 * Branch prediction, stages IPG and ROT (manual 2.1.2 and 4.7).
 */
#include "predict.h"

/* All counters weakly taken, and weakly not taken. */
#define WEAKLY_TAKEN 0xaaaaaaaaU
#define WEAKLY_NOT_TAKEN 0x55555555U

#define TAG_KNOWN 0x8000

static u64 source_of(const struct mont_branch_at *b)
{
	return b->ip | (b->slot + 1u);
}

static u32 l1b_index(const struct mont_branch_at *b)
{
	return b->ip >> 4 & (MONT_NR_L1B - 1);
}

/* Which of all branches: its number in memory. */
static u64 number_of(const struct mont_branch_at *b)
{
	return (b->ip >> 4) * 3 + b->slot;
}

static u32 l2b_index(u64 number)
{
	return number & (MONT_NR_L2B - 1);
}

static u16 l2b_tag(u64 number)
{
	u64 rest = number / MONT_NR_L2B;

	return TAG_KNOWN | (u16)(rest ^ rest >> 15 ^ rest >> 30);
}

static bool is_static(const struct mont_branch_at *b)
{
	return b->always || b->hint == MONT_WH_SPTK || b->hint == MONT_WH_SPNT;
}

static bool hinted(const struct mont_branch_at *b)
{
	return b->always || b->hint == MONT_WH_SPTK || b->hint == MONT_WH_DPTK;
}

/* Its direction, as long as AR.LC and AR.EC do not tell; @asked: the L2 branch cache knew. */
static bool direction(const struct mont_predictor *p, const struct mont_branch_at *b, bool *asked)
{
	u64 number = number_of(b);
	const struct mont_l2b *e = &p->l2b[l2b_index(number)];

	*asked = !is_static(b) && e->tag == l2b_tag(number);
	if (!*asked)
		return hinted(b);
	return e->counter >> 2 * e->history >> 1 & 1;
}

void mont_predict(const struct mont_predictor *p, const struct mont_timing *timing,
		  const struct mont_branch_at *b, struct mont_prediction *guess)
{
	const struct mont_l1b *l1b = &p->l1b[l1b_index(b)];
	bool there = l1b->source == source_of(b), asked = false;

	guess->target = b->target;
	guess->unknown = false;
	guess->why = MONT_FRONT_BUBBLE;
	guess->bubbles = 0;
	if (b->kind == MONT_KIND_LOOP && !b->stale) {
		guess->taken = b->loop_taken;
		guess->resteers = guess->taken || there;
		if (guess->taken) {
			guess->bubbles = there ? 0 : timing->taken;
		} else if (there) {
			/* Fetch has gone to the top of the loop once more. */
			guess->bubbles = timing->loop_end;
			guess->why = MONT_FRONT_PLP;
		}
		return;
	}
	guess->taken = direction(p, b, &asked);
	guess->resteers = guess->taken;
	if (!guess->taken)
		return;
	switch (b->kind) {
	case MONT_KIND_RETURN:
		guess->target = p->stack[p->top].ip;
		guess->bubbles = timing->returns;
		break;
	case MONT_KIND_INDIRECT:
	case MONT_KIND_INDIRECT_CALL:
		if (b->stale) {
			guess->target = there ? l1b->target : 0;
			break;
		}
		guess->bubbles = timing->indirect;
		guess->why = MONT_FRONT_BR_ILOCK;
		break;
	default:
		if (!there)
			guess->bubbles = asked ? timing->l2b : timing->taken;
	}
}

/* What the L2 branch cache keeps of a branch that is predicted by its past. */
static void learn_direction(struct mont_predictor *p, const struct mont_branch_at *b, bool taken)
{
	u64 number = number_of(b);
	struct mont_l2b *e = &p->l2b[l2b_index(number)];
	u32 shift, counter;

	if (e->tag != l2b_tag(number)) {
		e->tag = l2b_tag(number);
		e->history = 0;
		e->counter = hinted(b) ? WEAKLY_TAKEN : WEAKLY_NOT_TAKEN;
	}
	shift = 2 * e->history;
	counter = e->counter >> shift & 3;
	if (taken && counter < 3)
		e->counter += 1u << shift;
	if (!taken && counter)
		e->counter -= 1u << shift;
	e->history = (e->history << 1 | taken) & (MONT_NR_HISTORY - 1);
}

void mont_predict_learn(struct mont_predictor *p, const struct mont_branch_at *b, bool taken,
			u64 target)
{
	if (!is_static(b))
		learn_direction(p, b, taken);
	if (!taken)
		return;
	if (b->kind == MONT_KIND_RETURN) {
		p->top = (p->top + MONT_NR_RETURNS - 1) % MONT_NR_RETURNS;
	} else {
		struct mont_l1b *l1b = &p->l1b[l1b_index(b)];

		l1b->source = source_of(b);
		l1b->target = target;
	}
}

void mont_predict_call(struct mont_predictor *p, u64 ip, u64 pfs)
{
	p->top = (p->top + 1) % MONT_NR_RETURNS;
	p->stack[p->top].ip = ip;
	p->stack[p->top].pfs = pfs;
}
