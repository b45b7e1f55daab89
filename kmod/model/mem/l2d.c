// SPDX-License-Identifier: GPL-2.0-only
/*
 * L2D and its OzQ (manual 2.3.3.2 and 4.8.4). Requests enter the queue in the
 * order of the program. What finds its line, its bank free and nobody waiting in
 * front bypasses the queue; a miss leaves it when the L3 takes over, and what
 * misses on a line that is on its way is suspended until the line arrives.
 */
#include "hierarchy.h"

#define NOT_LINE (MONT_L2_LINE - 1)
#define BANK_BYTES 16

static u64 *set_of(struct mont_hierarchy *h, u64 pa)
{
	return h->l2d.line[pa / MONT_L2_LINE % MONT_L2D_SETS];
}

/* When the data of a line that is there can be had, as bank and queue permit. */
static u64 data_cycle(struct mont_hierarchy *h, u64 pa, u64 now, u32 *met)
{
	struct mont_l2d *c = &h->l2d;
	u64 *bank = &c->bank[pa / BANK_BYTES % MONT_L2D_BANKS], turn = now;

	if (c->waiting <= now && *bank <= now) {
		*met |= MONT_MET_BYPASS;
	} else {
		turn = now + h->timing.l2d_queued - h->timing.l2d;
		if (turn < *bank)
			turn = *bank;
		if (turn < c->waiting)
			turn = c->waiting;
		c->waiting = turn;
	}
	*bank = turn + 1;
	return turn + h->timing.l2d;
}

/* A line that is not there: the cycle in which it arrives. */
static u64 fill(struct mont_hierarchy *h, u64 pa, u64 now, u32 state, u32 *met)
{
	u64 line = pa & ~(u64)NOT_LINE, victim, ready;
	unsigned int entry;

	*met |= MONT_MET_L2_MISS;
	now = mont_fills_take(&h->l2d.fills, MONT_L2D_FILLS, now + h->timing.l2d, &entry);
	ready = mont_l3_read(h, pa, now, MONT_LINE_E, met);
	mont_fills_hold(&h->l2d.fills, entry, ready, line);
	victim = mont_lines_insert(set_of(h, pa), MONT_L2D_WAYS, line | state);
	if ((victim & MONT_LINE_STATE) == MONT_LINE_M) {
		*met |= MONT_MET_L2_VICTIM;
		mont_l3_write(h, victim, ready, met);
	}
	return ready;
}

u64 mont_l2d_room(const struct mont_hierarchy *h, unsigned int n, u64 now)
{
	const struct mont_fills *q = &h->l2d.ozq;
	unsigned int i, used;
	u64 next;

	for (;;) {
		used = 0;
		next = ~0ULL;
		if (q->last <= now)
			return now;
		for (i = 0; i < MONT_NR_OZQ; i++) {
			if (q->until[i] <= now)
				continue;
			used++;
			if (q->until[i] < next)
				next = q->until[i];
		}
		if (used + n <= MONT_NR_OZQ)
			return now;
		now = next;
	}
}

static u64 request(struct mont_hierarchy *h, u64 pa, u64 now, u32 state, u32 *met)
{
	u64 *set = set_of(h, pa), line = pa & ~(u64)NOT_LINE, ready, pending, done;
	int way = mont_lines_find(set, MONT_L2D_WAYS, line);
	unsigned int entry;

	now = mont_fills_take(&h->l2d.ozq, MONT_NR_OZQ, now, &entry);
	if (way < 0) {
		ready = fill(h, pa, now, state, met);
		done = now + h->timing.l2d;
	} else {
		mont_lines_use(set, way);
		if (state == MONT_LINE_M)
			set[0] = line | MONT_LINE_M;
		pending = mont_fills_pending(&h->l2d.fills, MONT_L2D_FILLS, line, now);
		if (pending) {
			*met |= MONT_MET_L2_SECONDARY;
			ready = pending;
		} else {
			ready = data_cycle(h, pa, now, met);
		}
		done = ready;
	}
	mont_fills_hold(&h->l2d.ozq, entry, done, line);
	return ready;
}

u64 mont_l2d_load(struct mont_hierarchy *h, u64 pa, u64 now, u32 *met)
{
	return request(h, pa, now, MONT_LINE_E, met);
}

void mont_l2d_store(struct mont_hierarchy *h, u64 pa, u64 now, u32 *met)
{
	request(h, pa, now, MONT_LINE_M, met);
}
