// SPDX-License-Identifier: GPL-2.0-only
/*
 * Branch prediction, stages IPG and ROT (manual 2.1.2 and 4.7).
 */
#include "predict.h"
#include "timing.h"

MONT_SIZE_FITS(returns_kept, MONT_NR_RETURNS);

void mont_predict_learn(struct mont_predictor *p, struct mont_returns *returns,
			const struct mont_branch_at *b, bool taken, u64 target)
{
	if (!mont_branch_static(b))
		mont_predict_learn_direction(p, b, taken);
	if (!taken)
		return;
	if (b->kind == MONT_KIND_RETURN) {
		returns->top =
			(returns->top ? returns->top : MONT_NR_RETURNS - returns->closed) - 1;
	} else {
		mont_predict_learn_target(p, b, target);
	}
}

void mont_predict_call(struct mont_returns *returns, u64 ip, u64 pfs)
{
	u64 last = MONT_NR_RETURNS - 1 - returns->closed;

	returns->top = returns->top < last ? returns->top + 1 : 0;
	returns->stack[returns->top].ip = ip;
	returns->stack[returns->top].pfs = pfs;
}
