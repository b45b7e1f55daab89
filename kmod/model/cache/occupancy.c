// SPDX-License-Identifier: GPL-2.0-only
/*
 * Occupancy of queues, by where it changes (manual 4.11 and 4.11.2).
 */
#include "occupancy.h"

/* Most changes are later than those in the heap: they go up by a step or two. */
static void occupancy_add(struct mont_occupancy *o, struct mont_change new)
{
	u32 n = o->nr++;

	while (n && o->change[(n - 1) / 2].at > new.at) {
		o->change[n] = o->change[(n - 1) / 2];
		n = (n - 1) / 2;
	}
	o->change[n] = new;
}

/* Remove the change that comes first: the last one takes its place, and goes down. */
static void occupancy_remove(struct mont_occupancy *o)
{
	struct mont_change last = o->change[--o->nr];
	u32 n = 0, below;

	while ((below = 2 * n + 1) < o->nr) {
		if (below + 1 < o->nr && o->change[below + 1].at < o->change[below].at)
			below++;
		if (o->change[below].at >= last.at)
			break;
		o->change[n] = o->change[below];
		n = below;
	}
	o->change[n] = last;
}

void mont_occupy_slow(struct mont_occupancy *o, enum mont_queue queue, u64 from, u64 until)
{
	if (o->nr > MONT_NR_CHANGES - 2)
		return;
	occupancy_add(o, (struct mont_change){ .at = from, .queue = queue });
	occupancy_add(o, (struct mont_change){ .at = until, .queue = queue, .less = 1 });
}

/* The first change happens. */
static void occupancy_change(struct mont_occupancy *o)
{
	const struct mont_change *c = &o->change[0];
	u64 by = c->less ? -1ULL : 1;

	o->number[c->queue] += by;
	o->live += by;
	occupancy_remove(o);
}

void mont_occupancy_pass(struct mont_occupancy *o, u64 end)
{
	while (o->nr && o->change[0].at < end)
		occupancy_change(o);
	o->upto = end;
}

u64 mont_occupancy_next(struct mont_occupancy *o, u64 end)
{
	const struct mont_change *c = &o->change[0];
	u64 cycles;

	if (o->nr && c->at <= o->upto) {
		occupancy_change(o);
		return 0;
	}
	if (o->nr && c->at < end)
		end = c->at;
	cycles = end - o->upto;
	o->upto = end;
	return cycles;
}

/*
 * True if the entries that leave in change @last, and those that have left the queue until
 * then, are no more than those in use before that cycle.
 */
static bool occupancy_leave(const struct mont_occupancy *o, const struct mont_change *last)
{
	s64 number = o->number[last->queue];
	u32 i;

	for (i = 0; i < o->nr; i++) {
		const struct mont_change *c = &o->change[i];

		if (c->queue != last->queue)
			continue;
		if (c->less)
			number -= c->at <= last->at;
		else
			number += c->at < last->at;
	}
	return number >= 0;
}

bool mont_occupancy_valid(const struct mont_occupancy *o)
{
	u64 number[MONT_NR_NUMBERS], live = 0;
	u32 i;

	if (o->nr > MONT_NR_CHANGES)
		return false;
	for (i = 0; i < MONT_NR_NUMBERS; i++) {
		number[i] = o->number[i];
		live += number[i];
		if (number[i] > 2 * MONT_NR_CHANGES)
			return false;
	}
	/* Every entry in use leaves: the numbers end at 0 and are never below. */
	for (i = 0; i < o->nr; i++) {
		const struct mont_change *c = &o->change[i];

		if (c->queue >= MONT_NR_NUMBERS || c->less > 1 ||
		    (i && c->at < o->change[(i - 1) / 2].at))
			return false;
		number[c->queue] += c->less ? -1ULL : 1;
	}
	for (i = 0; i < o->nr; i++)
		if (o->change[i].less && !occupancy_leave(o, &o->change[i]))
			return false;
	for (i = 0; i < MONT_NR_NUMBERS; i++)
		if (number[i])
			return false;
	return live == o->live;
}
