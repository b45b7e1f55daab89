// SPDX-License-Identifier: GPL-2.0-only
/*
 * Occupancy of queues, by where it changes (manual 4.11 and 4.11.2).
 */
#include "occupancy.h"

/* The change of @c in place @n, of those from the first on. */
static struct mont_change *occupancy_place(struct mont_changes *c, u32 n)
{
	return &c->change[(c->first + n) % MONT_NR_CHANGES];
}

/* Of the changes in the ring, those move that are in front of the new one, or those behind it. */
static void occupancy_add(struct mont_changes *c, u64 at, enum mont_queue queue)
{
	u32 n = c->nr++;

	if (n && at < occupancy_place(c, n / 2)->at) {
		c->first = (c->first - 1) % MONT_NR_CHANGES;
		for (n = 0; occupancy_place(c, n + 1)->at <= at; n++)
			*occupancy_place(c, n) = *occupancy_place(c, n + 1);
	} else {
		for (; n && occupancy_place(c, n - 1)->at > at; n--)
			*occupancy_place(c, n) = *occupancy_place(c, n - 1);
	}
	*occupancy_place(c, n) = (struct mont_change){ at, queue };
}

/* Remove the change that comes first. Return: its queue. */
static u64 occupancy_remove(struct mont_changes *c)
{
	u64 queue = c->change[c->first].queue;

	c->first = (c->first + 1) % MONT_NR_CHANGES;
	c->nr--;
	return queue;
}

void mont_occupy_slow(struct mont_occupancy *o, enum mont_queue queue, u64 from, u64 until)
{
	if (o->end.nr == MONT_NR_CHANGES)
		return;
	occupancy_add(&o->begin, from, queue);
	occupancy_add(&o->end, until, queue);
}

void mont_occupancy_pass(struct mont_occupancy *o, u64 end)
{
	while (o->begin.nr && mont_changes_first(&o->begin)->at < end)
		o->number[occupancy_remove(&o->begin)]++;
	while (o->end.nr && mont_changes_first(&o->end)->at < end)
		o->number[occupancy_remove(&o->end)]--;
	o->upto = end;
}

u64 mont_occupancy_next(struct mont_occupancy *o, u64 end)
{
	u64 cycles;

	if (o->end.nr) {
		u64 at = mont_occupancy_at(o);

		if (at <= o->upto) {
			if (mont_occupancy_begins(o))
				o->number[occupancy_remove(&o->begin)]++;
			else
				o->number[occupancy_remove(&o->end)]--;
			return 0;
		}
		if (at < end)
			end = at;
	}
	cycles = end - o->upto;
	o->upto = end;
	return cycles;
}

/* Reverse the places of the ring @c from @from on, before @end. */
static void occupancy_reverse(struct mont_changes *c, u32 from, u32 end)
{
	while (from + 1 < end) {
		struct mont_change change = c->change[from];

		c->change[from++] = c->change[--end];
		c->change[end] = change;
	}
}

/* The ring @c begins at its first place, and what is no change is 0. */
static void occupancy_settle_ring(struct mont_changes *c)
{
	occupancy_reverse(c, 0, c->first);
	occupancy_reverse(c, c->first, MONT_NR_CHANGES);
	occupancy_reverse(c, 0, MONT_NR_CHANGES);
	c->first = 0;
	__builtin_memset(&c->change[c->nr], 0, (MONT_NR_CHANGES - c->nr) * sizeof(c->change[0]));
}

void mont_occupancy_settle(struct mont_occupancy *o)
{
	occupancy_settle_ring(&o->begin);
	occupancy_settle_ring(&o->end);
}

/* True if @c can have been saved: its changes, of the first @queues, are in order. */
static bool occupancy_in_order(const struct mont_changes *c, u32 queues)
{
	u64 last = 0;
	u32 i;

	if (c->first >= MONT_NR_CHANGES || c->nr > MONT_NR_CHANGES)
		return false;
	for (i = 0; i < c->nr; i++) {
		const struct mont_change *change = &c->change[(c->first + i) % MONT_NR_CHANGES];

		if (change->queue >= queues || change->at < last)
			return false;
		last = change->at;
	}
	return true;
}

bool mont_occupancy_valid(const struct mont_occupancy *o, u32 queues)
{
	u64 number[MONT_NR_NUMBERS], live = 0;
	u32 i, begun = 0;

	if (!occupancy_in_order(&o->begin, queues) || !occupancy_in_order(&o->end, queues))
		return false;
	for (i = 0; i < MONT_NR_NUMBERS; i++) {
		number[i] = o->number[i];
		if (number[i] > (i < queues ? MONT_NR_CHANGES : 0))
			return false;
		live += number[i];
	}
	if (live + o->begin.nr != o->end.nr)
		return false;
	/* An entry that leaves has been in use before: in the end none is. */
	for (i = 0; i < o->end.nr; i++) {
		const struct mont_change *end =
			&o->end.change[(o->end.first + i) % MONT_NR_CHANGES];

		for (; begun < o->begin.nr; begun++) {
			const struct mont_change *begin =
				&o->begin.change[(o->begin.first + begun) % MONT_NR_CHANGES];

			if (begin->at >= end->at)
				break;
			number[begin->queue]++;
		}
		if (!number[end->queue]--)
			return false;
	}
	return true;
}
