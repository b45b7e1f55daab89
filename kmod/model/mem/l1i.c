// SPDX-License-Identifier: GPL-2.0-only
/*
 * L1I (manual 2.3.3.1 and 4.8.1), with the buffers between it and the L2I: lines
 * that are requested (the RAB), and what has come of them and is not written yet
 * (the ISB). A line comes as two pairs of bundles in two cycles, the one that was
 * asked for first, and is written in the next: until then fetches take what they
 * need from the ISB.
 */
#include "hierarchy.h"

#define NOT_LINE (MONT_L1_LINE - 1)
#define PAIR 32 /* bytes */
#define WRITTEN 2 /* cycles behind the first pair's */

static u64 *set_of(struct mont_hierarchy *h, u64 pa)
{
	return h->l1i.line[pa / MONT_L1_LINE % MONT_L1_SETS];
}

/* When the pair at @pa comes, whose line is in the RAB or the ISB in cycle @now; else 0. */
static u64 arrives(const struct mont_fills *rab, u64 pa, u64 now)
{
	unsigned int i;

	if (likely(rab->last <= now))
		return 0;
	for (i = 0; i < MONT_L1I_FILLS; i++) {
		if (rab->until[i] > now && !((rab->line[i] ^ pa) & ~(u64)NOT_LINE))
			return rab->until[i] - ((rab->line[i] ^ pa) & PAIR ? 1 : WRITTEN);
	}
	return 0;
}

/* A line that is requested in cycle @now, the pair at @pa first: when that comes. */
static u64 request(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met)
{
	unsigned int entry;
	u64 ready;

	now = mont_fills_take(&h->l1i.fills, MONT_L1I_FILLS, now, &entry);
	ready = mont_l2i_read(h, pa, now, met);
	mont_fills_hold(&h->l1i.fills, entry, ready + WRITTEN, pa & ~(u64)(PAIR - 1));
	mont_lines_insert(set_of(h, pa), MONT_L1_WAYS, (pa & ~(u64)NOT_LINE) | MONT_LINE_S);
	met->fetched |= MONT_FETCHED_BIT(L1I_FILLED) | MONT_FETCHED_BIT(ISB_FIRST) |
			MONT_FETCHED_BIT(ISB_SECOND);
	return ready;
}

u64 mont_l1i_fetch(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met)
{
	u64 *set = set_of(h, pa), comes;
	int way = mont_lines_find(set, MONT_L1_WAYS, pa & ~(u64)NOT_LINE);

	if (unlikely(way < 0)) {
		met->fetched |= MONT_FETCHED_BIT(L2I_DEMANDED);
		return request(h, pa, now, met);
	}
	mont_lines_use(set, way);
	comes = arrives(&h->l1i.fills, pa, now);
	if (likely(!comes))
		return now;
	if (comes <= now) {
		met->fetched |= MONT_FETCHED_BIT(L1I_ISB_HIT);
		return now;
	}
	met->fetched |= MONT_FETCHED_BIT(L1I_RAB_HIT);
	return comes;
}

void mont_l1i_snoop(struct mont_hierarchy *h, u64 pa, u64 size)
{
	u64 line;

	for (line = pa & ~(u64)NOT_LINE; line < pa + size; line += MONT_L1_LINE)
		mont_lines_drop(set_of(h, line), MONT_L1_WAYS, line);
}
