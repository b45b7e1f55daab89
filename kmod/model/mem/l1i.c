// SPDX-License-Identifier: GPL-2.0-only
/*
 * L1I (manual 2.3.3.1 and 4.8.1).
 */
#include "hierarchy.h"

u64 mont_l1i_fetch(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met)
{
	u64 line = pa & ~(u64)(MONT_L1_LINE - 1), ready;
	u64 *set = h->l1i.line[pa / MONT_L1_LINE % MONT_L1_SETS];
	int way = mont_lines_find(set, MONT_L1_WAYS, line);
	unsigned int entry;

	if (likely(way >= 0)) {
		mont_lines_use(set, way);
		ready = mont_fills_pending(&h->l1i.fills, MONT_L1I_FILLS, line, now);
		return ready ? ready : now;
	}
	ready = mont_l2i_read(h, pa, now, met);
	mont_fills_take(&h->l1i.fills, MONT_L1I_FILLS, now, &entry);
	mont_fills_hold(&h->l1i.fills, entry, ready, line);
	mont_lines_insert(set, MONT_L1_WAYS, line | MONT_LINE_S);
	return ready;
}
