// SPDX-License-Identifier: GPL-2.0-only
/*
 * L2I (manual 2.3.3.2 and 4.8.3): 1 MB of instructions.
 */
#include "hierarchy.h"

u64 mont_l2i_read(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met)
{
	u64 line = pa & ~(u64)(MONT_L2_LINE - 1), ready;
	u64 *set = h->l2i.line[pa / MONT_L2_LINE % MONT_L2I_SETS];
	int way = mont_lines_find(set, MONT_L2I_WAYS, line);
	unsigned int entry;
	u32 state;

	if (way >= 0) {
		mont_lines_use(set, way);
		ready = mont_fills_pending(&h->l2i.fills, MONT_L2I_FILLS, line, now);
		return ready > now + h->timing.l2i ? ready : now + h->timing.l2i;
	}
	now = mont_fills_take(&h->l2i.fills, MONT_L2I_FILLS, now + h->timing.l2i, &entry);
	ready = mont_l3_read(h, pa, MONT_L3_INSN, now, &state, met);
	mont_fills_hold(&h->l2i.fills, entry, ready, line);
	mont_lines_insert(set, MONT_L2I_WAYS, line | MONT_LINE_S);
	return ready;
}
