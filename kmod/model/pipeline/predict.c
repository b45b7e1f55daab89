// SPDX-License-Identifier: GPL-2.0-only
/*
 * Branch prediction, stages IPG and ROT (manual 2.1.2 and 4.7).
 */
#include "predict.h"
#include "timing.h"

MONT_SIZE_FITS(returns_kept, MONT_NR_RETURNS);

void mont_predict_call(struct mont_returns *returns, u64 ip, u64 pfs)
{
	u64 last = MONT_NR_RETURNS - 1 - returns->closed;

	returns->top = returns->top < last ? returns->top + 1 : 0;
	returns->stack[returns->top].ip = ip;
	returns->stack[returns->top].pfs = pfs;
}
