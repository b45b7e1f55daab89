// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loads under way (L1_OUTSTANDING_REQ_LO and _HI of the Itanium Processor Reference Manual, chapter 7):
 * those that the L1D does not serve, from the cycle behind their issue to that in which the data
 * come. The event is one of cycles, each of which has its number; the loads are known when
 * they issue.
 */
#include "merced_loads.h"

/* A number's low part is its rest of a division by this, as LIVE_* signals have it. */
#define LOW 8

static void merced_loads_keep(struct mont_loads *l, const struct mont_occurrence *at)
{
	u32 i, first = 0;

	/* Neither asks the L1D (4.10, 2.3.3.2). */
	if (at->ref->kind & (MONT_DATA_FP | MONT_DATA_SEMAPHORE))
		return;
	/* The place of the one that has its data first: the OzQ holds no more than there are. */
	for (i = 1; i < MONT_BLOCK_LOADS; i++)
		if (l->until[i] < l->until[first])
			first = i;
	l->from[first] = at->at;
	l->until[first] = at->at + at->attr;
}

/* Return: how many loads are under way in cycle @now. */
static u64 merced_loads_number(const struct mont_loads *l, u64 now)
{
	u64 n = 0;
	u32 i;

	for (i = 0; i < MONT_BLOCK_LOADS; i++)
		n += l->from[i] < now && now <= l->until[i];
	return n;
}

u64 mont_merced_loads_pass(const struct mont_observer *o, const struct mont_occurrence *at)
{
	struct mont_loads *l = &o->block->loads[o - o->block->counter];
	u64 sum = 0, now;

	if (at->sig != MONT_SIG_CYCLE) {
		merced_loads_keep(l, at);
		return 0;
	}
	for (now = at->at - at->n + 1; now <= at->at; now++) {
		u64 n = merced_loads_number(l, now);

		sum += o->event->cond == MONT_COND_UNDER_WAY_LOW ? n % LOW : n / LOW;
	}
	return sum;
}
