// SPDX-License-Identifier: GPL-2.0-only
/*
 * L1D (manual 2.3.3.1 and 4.8.2): 16 KB for integer loads, written through.
 */
#include "hierarchy.h"

u64 mont_l1d_load(struct mont_hierarchy *h, u64 pa, u64 now, u32 *met)
{
	u64 line = pa & ~(u64)(MONT_L1_LINE - 1), ready;
	u64 *set = h->l1d.line[pa / MONT_L1_LINE % MONT_L1_SETS];
	int way = mont_lines_find(set, MONT_L1_WAYS, line);
	unsigned int entry;

	if (likely(way >= 0)) {
		mont_lines_use(set, way);
		ready = mont_fills_pending(&h->l1d.fills, MONT_L1D_FILLS, line, now);
		return ready ? ready : now + 1;
	}
	*met |= MONT_MET_L1_MISS;
	ready = mont_l2d_load(h, pa, now, met);
	mont_fills_take(&h->l1d.fills, MONT_L1D_FILLS, now, &entry);
	mont_fills_hold(&h->l1d.fills, entry, ready, line);
	mont_lines_insert(set, MONT_L1_WAYS, line | MONT_LINE_S);
	return ready;
}
