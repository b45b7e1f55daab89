// SPDX-License-Identifier: GPL-2.0-only
/*
 * Invariants of the caches (manual 2.3.3 and table 2-9), for builds that look at them. A line
 * may be modified in the L2D and stand in an instruction cache: a processor's own stores are no
 * coherence requests, and code that is stored to is flushed by its writer (2.7.1; SDM volume 3,
 * fc.i).
 */
#include "consistent.h"

/* Places of @set that hold the line at @address. */
static u32 hierarchy_places(const u64 *set, u32 ways, u64 address)
{
	u32 way, n = 0;

	for (way = 0; way < ways; way++)
		n += (set[way] & ~(u64)MONT_LINE_BITS) == address && (set[way] & MONT_LINE_STATE);
	return n;
}

bool mont_hierarchy_consistent(const struct mont_hierarchy *h, u64 pa)
{
	u64 l1 = pa & ~(u64)(MONT_L1_LINE - 1), l2 = pa & ~(u64)(MONT_L2_LINE - 1);
	const u64 *l2d = h->l2d.line[pa / MONT_L2_LINE % MONT_L2D_SETS];

	return hierarchy_places(h->l1d.line[pa / MONT_L1_LINE % MONT_L1_SETS], MONT_L1_WAYS, l1) <=
		       1 &&
	       hierarchy_places(h->l1i.line[pa / MONT_L1_LINE % MONT_L1_SETS], MONT_L1_WAYS, l1) <=
		       1 &&
	       hierarchy_places(l2d, MONT_L2D_WAYS, l2) <= 1 &&
	       hierarchy_places(h->l2i.line[pa / MONT_L2_LINE % MONT_L2I_SETS], MONT_L2I_WAYS,
				l2) <= 1 &&
	       hierarchy_places(h->l3.line[pa / MONT_L2_LINE % MONT_L3_SETS], MONT_L3_WAYS, l2) <=
		       1;
}
