// SPDX-License-Identifier: GPL-2.0-only
/*
 * Branch prediction, stages IPG and ROT (manual 4.7).
 */
#include "predict.h"

static u32 index_of(const struct mont_branch_at *b)
{
	return (u32)((b->ip >> 4) * 3 + b->slot + (b->ip >> 15)) % MONT_NR_HISTORY;
}

static u64 name_of(const struct mont_branch_at *b)
{
	return b->ip | (b->slot + 1u);
}

static bool direction(const struct mont_predictor *p, const struct mont_branch_at *b)
{
	u32 i = index_of(b);

	if (b->kind == MONT_KIND_LOOP)
		return b->loop_taken;
	if (b->always || b->hint == MONT_WH_SPTK)
		return true;
	if (b->hint == MONT_WH_SPNT)
		return false;
	return p->counter[i][p->history[i] % MONT_NR_PATTERN] > 1;
}

void mont_predict(const struct mont_predictor *p, const struct mont_branch_at *b,
		  struct mont_prediction *guess)
{
	u32 t = index_of(b) % MONT_NR_TARGETS;
	bool seen = p->source[t] == name_of(b);

	guess->taken = direction(p, b);
	guess->known = seen;
	switch (b->kind) {
	case MONT_KIND_RETURN:
		guess->target = p->link[p->top];
		break;
	case MONT_KIND_INDIRECT:
	case MONT_KIND_INDIRECT_CALL:
		guess->target = b->stale ? (seen ? p->target[t] : 0) : b->target;
		break;
	default:
		guess->target = b->target;
	}
}

void mont_predict_learn(struct mont_predictor *p, const struct mont_branch_at *b, bool taken,
			u64 target)
{
	u32 i = index_of(b), t = i % MONT_NR_TARGETS;
	u8 *counter = &p->counter[i][p->history[i] % MONT_NR_PATTERN];

	if (taken && *counter < 3)
		++*counter;
	if (!taken && *counter)
		--*counter;
	p->history[i] = (p->history[i] << 1 | taken) % MONT_NR_PATTERN;
	if (!taken)
		return;
	p->source[t] = name_of(b);
	p->target[t] = target;
	switch (b->kind) {
	case MONT_KIND_CALL:
	case MONT_KIND_INDIRECT_CALL:
		p->top = (p->top + 1) % MONT_NR_RETURNS;
		p->link[p->top] = b->ip + 16;
		break;
	case MONT_KIND_RETURN:
		p->top = (p->top + MONT_NR_RETURNS - 1) % MONT_NR_RETURNS;
		break;
	}
}
