/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fetches and prefetches of instructions (manual 2.3.3.1 and 4.8.1). Called by the front end.
 */
#ifndef MONT_CACHE_L1I_H
#define MONT_CACHE_L1I_H

#include "hierarchy.h"

/* A fetch: the cycle in which its bundles are there, @now if the L1I has them. */
u64 mont_l1i_fetch(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply);

/*
 * The cycle from @now on in which a fetch of the pair at @pa has the L1I's data port, or needs
 * none.
 */
u64 mont_l1i_port(const struct mont_hierarchy *h, u64 pa, u64 now);
/* True if the L1I has the bundles of a fetch at once; else nothing is done. */
static __always_inline bool mont_l1i_hit(struct mont_hierarchy *h, u64 pa, u64 now)
{
	u64 *set = h->l1i.line[pa / MONT_L1_LINE % MONT_L1_SETS];
	int way;

	/* A line comes, or is written in this cycle. */
	if (unlikely(h->l1i.fills.last >= now))
		return false;
	way = mont_lines_find(set, MONT_L1_WAYS, pa & ~(u64)(MONT_L1_LINE - 1));
	if (unlikely(way < 0))
		return false;
	mont_lines_use(set, way);
	return true;
}

/*
 * True if no line is written into the L1I in cycle @now, and that at @pa is not on its way: a
 * fetch takes a line that is there from the array at once.
 */
bool mont_l1i_undisturbed(const struct mont_l1i *l, u64 pa, u64 now);

/*
 * True if the L1I has the bundles of a fetch at once: if in the most recent line of their set, the
 * fetch changes nothing. Else nothing is done.
 */
static __always_inline bool mont_l1i_serves(struct mont_hierarchy *h, u64 pa, u64 now)
{
	u64 line = h->l1i.line[pa / MONT_L1_LINE % MONT_L1_SETS][0];

	if (likely((line & MONT_LINE_STATE) &&
		   (line & ~(u64)MONT_LINE_BITS) == (pa & ~(u64)(MONT_L1_LINE - 1)) &&
		   (h->l1i.fills.last < now || mont_l1i_undisturbed(&h->l1i, pa, now))))
		return true;
	return mont_l1i_hit(h, pa, now);
}

/* True if the L1I has the line at @pa, or has asked for it: a prefetch of it does nothing. */
static __always_inline bool mont_l1i_has(const struct mont_hierarchy *h, u64 pa)
{
	return mont_lines_find(h->l1i.line[pa / MONT_L1_LINE % MONT_L1_SETS], MONT_L1_WAYS,
			       pa & ~(u64)(MONT_L1_LINE - 1)) >= 0;
}

/*
 * A prefetch, which is done with in this cycle: @now. Where the RAB has no entry for it,
 * nothing is done: the cycle in which it will have one.
 */
u64 mont_l1i_prefetch(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply);

#endif
