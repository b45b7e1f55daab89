// SPDX-License-Identifier: GPL-2.0-only
/*
 * L3 (manual 2.3.3.3, 2.3.3.4 and 4.8.5): unified, 12 MB, one lookup a cycle.
 * Every request has one of 16 buffers until its line is there.
 */
#include "hierarchy.h"

#define NOT_LINE (MONT_L2_LINE - 1)

static u64 *set_of(struct mont_hierarchy *h, u64 pa)
{
	return h->l3.line[pa / MONT_L2_LINE % MONT_L3_SETS];
}

static u64 lookup_cycle(struct mont_hierarchy *h, u64 now)
{
	if (now < h->l3.next)
		now = h->l3.next;
	h->l3.next = now + 1;
	return now;
}

static void insert(struct mont_hierarchy *h, u64 *set, u64 line, u64 now, u32 *met)
{
	u64 victim = mont_lines_insert(set, MONT_L3_WAYS, line);

	if (!victim)
		return;
	*met |= MONT_MET_L3_VICTIM;
	if ((victim & MONT_LINE_STATE) == MONT_LINE_M) {
		*met |= MONT_MET_L3_DIRTY;
		mont_bus_write(h, now);
	}
}

u64 mont_l3_read(struct mont_hierarchy *h, u64 pa, u64 now, u32 state, u32 *met)
{
	u64 line = pa & ~(u64)NOT_LINE, *set = set_of(h, pa), ready;
	int way = mont_lines_find(set, MONT_L3_WAYS, line);
	unsigned int entry;

	now = mont_fills_take(&h->l3.brq, MONT_NR_BRQ, now, &entry);
	now = lookup_cycle(h, now);
	if (way >= 0) {
		mont_lines_use(set, way);
		ready = now + h->timing.l3 - h->timing.l2d;
	} else {
		*met |= MONT_MET_L3_MISS;
		ready = mont_bus_read(h, now + h->timing.memory - h->timing.l2d);
		insert(h, set, line | state, ready, met);
	}
	mont_fills_hold(&h->l3.brq, entry, ready, line);
	return ready;
}

void mont_l3_write(struct mont_hierarchy *h, u64 line, u64 now, u32 *met)
{
	u64 *set = set_of(h, line);
	int way = mont_lines_find(set, MONT_L3_WAYS, line & ~(u64)NOT_LINE);

	now = lookup_cycle(h, now);
	if (way < 0) {
		insert(h, set, line, now, met);
		return;
	}
	mont_lines_use(set, way);
	set[0] = line;
}
