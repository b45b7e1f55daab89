// SPDX-License-Identifier: GPL-2.0-only
/*
 * Occupancy of queues, by where it changes (manual 4.11 and 4.11.2).
 */
#include "occupancy.h"

static struct mont_change *change(struct mont_occupancy *o, u32 i)
{
	return &o->change[(o->first + i) % MONT_NR_CHANGES];
}

/* The later ones make room: they are few. */
static void add(struct mont_occupancy *o, struct mont_change new)
{
	u32 i;

	for (i = o->nr; i && change(o, i - 1)->at > new.at; i--)
		*change(o, i) = *change(o, i - 1);
	*change(o, i) = new;
	o->nr++;
}

void mont_occupy_slow(struct mont_occupancy *o, enum mont_queue queue, u64 from, u64 until)
{
	if (o->nr > MONT_NR_CHANGES - 2)
		return;
	add(o, (struct mont_change){ .at = from, .queue = queue });
	add(o, (struct mont_change){ .at = until, .queue = queue, .less = 1 });
}

u64 mont_occupancy_next(struct mont_occupancy *o, u64 end)
{
	const struct mont_change *c = change(o, 0);
	u64 cycles;

	if (o->nr && c->at <= o->upto) {
		u32 by = c->less ? -1U : 1;

		o->number[c->queue] += by;
		o->live += by;
		o->first = (o->first + 1) % MONT_NR_CHANGES;
		o->nr--;
		return 0;
	}
	if (o->nr && c->at < end)
		end = c->at;
	cycles = end - o->upto;
	o->upto = end;
	return cycles;
}

bool mont_occupancy_valid(const struct mont_occupancy *o)
{
	u32 number[MONT_NR_QUEUES], i, live = 0;

	if (o->nr > MONT_NR_CHANGES || o->first >= MONT_NR_CHANGES)
		return false;
	for (i = 0; i < MONT_NR_QUEUES; i++) {
		number[i] = o->number[i];
		live += number[i];
		if (number[i] > 2 * MONT_NR_CHANGES)
			return false;
	}
	/* What is in use leaves: the numbers end at 0 and are never below. */
	for (i = 0; i < o->nr; i++) {
		const struct mont_change *c = &o->change[(o->first + i) % MONT_NR_CHANGES];

		if (c->queue >= MONT_NR_QUEUES || c->less > 1 || (c->less && !number[c->queue]))
			return false;
		number[c->queue] += c->less ? -1U : 1;
	}
	for (i = 0; i < MONT_NR_QUEUES; i++)
		if (number[i])
			return false;
	return live == o->live;
}
