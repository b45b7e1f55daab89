// SPDX-License-Identifier: GPL-2.0-only
/*
 * Branch prediction, stages IPG and ROT (manual 2.1.2 and 4.7).
 */
#include "predict.h"
#include "timing.h"

MONT_SIZE_FITS(returns_kept, MONT_NR_RETURNS);

/* All counters weakly taken, and weakly not taken. */
#define WEAKLY_TAKEN 0xaaaaaaaaU
#define WEAKLY_NOT_TAKEN 0x55555555U

/* Train the L2 branch cache with the outcome of a dynamically predicted branch. */
static void predict_learn_direction(struct mont_predictor *p, const struct mont_branch_at *b,
				    bool taken)
{
	u64 number = mont_branch_number(b);
	struct mont_l2b *e = &p->l2b[mont_l2b_index(number)];
	u32 shift, counter;

	if (e->tag != mont_l2b_tag(number)) {
		e->tag = mont_l2b_tag(number);
		e->history = 0;
		e->counter = mont_branch_hinted(b) ? WEAKLY_TAKEN : WEAKLY_NOT_TAKEN;
	}
	shift = 2 * e->history;
	counter = e->counter >> shift & 3;
	if (taken && counter < 3)
		e->counter += 1u << shift;
	if (!taken && counter)
		e->counter -= 1u << shift;
	e->history = (e->history << 1 | taken) & (MONT_NR_HISTORY - 1);
}

void mont_predict_learn(struct mont_predictor *p, struct mont_returns *returns,
			const struct mont_branch_at *b, bool taken, u64 target)
{
	if (!mont_branch_static(b))
		predict_learn_direction(p, b, taken);
	if (!taken)
		return;
	if (b->kind == MONT_KIND_RETURN) {
		returns->top =
			(returns->top ? returns->top : MONT_NR_RETURNS - returns->closed) - 1;
	} else {
		struct mont_l1b *l1b = &p->l1b[mont_l1b_index(b)];

		l1b->source = mont_branch_source(b);
		l1b->target = target;
	}
}

void mont_predict_call(struct mont_returns *returns, u64 ip, u64 pfs)
{
	u64 last = MONT_NR_RETURNS - 1 - returns->closed;

	returns->top = returns->top < last ? returns->top + 1 : 0;
	returns->stack[returns->top].ip = ip;
	returns->stack[returns->top].pfs = pfs;
}
