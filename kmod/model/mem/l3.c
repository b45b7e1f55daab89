// SPDX-License-Identifier: GPL-2.0-only
/*
 * L3 (manual 2.3.3.3, 2.3.3.4 and 4.8.5): unified, 12 MB, one lookup a cycle.
 * Every request has one of 16 buffers until its line is there, and what is written one of
 * eight, which a miss with a modified victim waits for.
 *
 * Alone on its bus, the processor has what it reads for data exclusively; what it
 * fetches as instructions is shared (assumption).
 */
#include "hierarchy.h"

#define NOT_LINE (MONT_L2_LINE - 1)

static u64 *set_of(struct mont_hierarchy *h, u64 pa)
{
	return h->l3.line[pa / MONT_L2_LINE % MONT_L3_SETS];
}

u64 mont_l3_turn(struct mont_hierarchy *h, u64 now)
{
	if (now < h->l3.next)
		now = h->l3.next;
	h->l3.next = now + 1;
	return now;
}

/* What a lookup for each, and a line from memory for it, is counted as. */
static const struct {
	u64 hit;
	u64 miss;
} met_as[] = {
	[MONT_L3_PREFETCH] = { MONT_MET_BIT(L3_PFTCH_HIT),
			       MONT_MET_BIT(L3_PFTCH_MISS) | MONT_MET_BIT(BUS_READ_INSN) },
	[MONT_L3_INSN] = { MONT_MET_BIT(L3_INSN_HIT),
			   MONT_MET_BIT(L3_INSN_MISS) | MONT_MET_BIT(BUS_READ_INSN) },
	[MONT_L3_DATA] = { MONT_MET_BIT(L3_DATA_HIT),
			   MONT_MET_BIT(L3_DATA_MISS) | MONT_MET_BIT(BUS_READ_DATA) },
	[MONT_L3_STORE] = { MONT_MET_BIT(L3_STORE_HIT),
			    MONT_MET_BIT(L3_STORE_MISS) | MONT_MET_BIT(BUS_READ_OWN) },
};

u64 mont_l3_read(struct mont_hierarchy *h, u64 pa, enum mont_l3_op op, u64 now, u32 *state,
		 struct mont_met *met)
{
	u64 line = pa & ~(u64)NOT_LINE, *set = set_of(h, pa), ready, victim, taken;
	int way = mont_lines_find(set, MONT_L3_WAYS, line);
	unsigned int entry;

	met->bits |= MONT_MET_BIT(BRQ_INSERTED);
	*state = op <= MONT_L3_INSN ? MONT_LINE_S : MONT_LINE_E;
	taken = mont_fills_take(&h->l3.brq, h->timing.l3_requests, now, &entry);
	now = mont_l3_turn(h, taken);
	met->at[MONT_MET_IN_L3] = now;
	if (way >= 0) {
		mont_lines_use(set, way);
		met->bits |= met_as[op].hit;
		met->state[MONT_MET_LINE_READ] = set[0] & MONT_LINE_STATE;
		if ((set[0] & MONT_LINE_STATE) == MONT_LINE_S) {
			if (op == MONT_L3_STORE)
				mont_l3_claim(h, pa, now, met);
			else
				*state = MONT_LINE_S;
		}
		ready = now + h->timing.l3 - h->timing.l2d;
	} else {
		met->bits |= met_as[op].miss | MONT_MET_BIT(L3_READ_INSERTED);
		met->state[MONT_MET_LINE_READ] = MONT_LINE_I;
		met->state[MONT_MET_LINE_INSERTED] = *state;
		met->at[MONT_MET_IN_BUS] = mont_bus_begin(h, now);
		ready = mont_bus_read(h,
				      mont_bus_request(h, now) + h->timing.memory - h->timing.l2d);
		/* 4.11.2: from the cycle behind the one that asks the arbiter on. */
		mont_occupy(&h->occupancy, MONT_QUEUE_MEMORY_READ, now + 1, ready);
		victim = mont_lines_insert(set, h->timing.l3_ways, line | *state);
		met->state[MONT_MET_LINE_VICTIM] = victim & MONT_LINE_STATE;
		if (victim)
			met->bits |= MONT_MET_BIT(L3_READ_REPLACED);
		if ((victim & MONT_LINE_STATE) == MONT_LINE_M) {
			met->bits |= MONT_MET_BIT(BUS_WRITE_LINE);
			met->at[MONT_MET_IN_BUS_WRITE] = mont_bus_begin(h, now);
			mont_bus_write(h, ready);
		}
	}
	mont_fills_hold(&h->l3.brq, entry, ready, line);
	mont_occupy(&h->occupancy, MONT_QUEUE_BRQ, taken, ready);
	return ready;
}

void mont_write_buffer_hold(struct mont_hierarchy *h, unsigned int entry, u64 now, u64 until)
{
	struct mont_fills *f = &h->l3.writes;
	u64 full;

	mont_fills_hold(f, entry, until, 0);
	full = mont_fills_full(f, h->timing.write_buffers, entry, now);
	if (now < h->l3.full)
		now = h->l3.full;
	if (full > now) {
		mont_occupy(&h->occupancy, MONT_QUEUE_VICTIMB_FULL, now, full);
		h->l3.full = full;
	}
}

u64 mont_l3_write(struct mont_hierarchy *h, u64 line, u64 now, struct mont_met *met)
{
	u64 *set = set_of(h, line), victim;
	int way = mont_lines_find(set, MONT_L3_WAYS, line & ~(u64)NOT_LINE);

	now = mont_l3_turn(h, now);
	met->at[MONT_MET_IN_WB] = now;
	if (way >= 0) {
		met->bits |= MONT_MET_BIT(L3_WB_HIT);
		met->state[MONT_MET_LINE_WRITTEN] = set[way] & MONT_LINE_STATE;
		mont_lines_use(set, way);
		set[0] = line;
		return now;
	}
	met->bits |= MONT_MET_BIT(L3_WB_MISS) | MONT_MET_BIT(L3_WB_INSERTED);
	met->state[MONT_MET_LINE_WRITTEN] = MONT_LINE_I;
	met->state[MONT_MET_LINE_WB_INSERTED] = MONT_LINE_M;
	victim = mont_lines_insert(set, h->timing.l3_ways, line);
	met->state[MONT_MET_LINE_WB_VICTIM] = victim & MONT_LINE_STATE;
	if (victim)
		met->bits |= MONT_MET_BIT(L3_WB_REPLACED);
	if ((victim & MONT_LINE_STATE) == MONT_LINE_M) {
		met->bits |= MONT_MET_BIT(BUS_WRITE_LINE_WB);
		met->at[MONT_MET_IN_BUS_WB] = mont_bus_begin(h, now);
		mont_bus_write(h, now);
	}
	return now;
}

void mont_l3_claim(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met)
{
	u64 line = pa & ~(u64)NOT_LINE, *set = set_of(h, pa);
	int way = mont_lines_find(set, MONT_L3_WAYS, line);

	met->bits |= MONT_MET_BIT(BUS_INVALIDATE);
	met->at[MONT_MET_IN_BUS] = mont_bus_begin(h, now);
	(void)mont_bus_request(h, now);
	if (way >= 0)
		set[way] = line | MONT_LINE_E;
}
