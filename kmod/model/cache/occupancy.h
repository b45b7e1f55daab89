/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Occupancy: how many entries of a queue are in use in each cycle (manual 4.11,
 * 4.11.2). Not counted cycle by cycle: the taker of an entry says from when until
 * when, and the sums follow from the cycles in which the numbers change. Called by
 * l2d.c and l3.c, by package/bus.c, and by the pipeline for the time that passes.
 */
#ifndef MONT_CACHE_OCCUPANCY_H
#define MONT_CACHE_OCCUPANCY_H

#include "../base/types.h"

enum mont_queue {
#define MONT_QUEUE(name, splits, most, meaning) MONT_QUEUE_##name,
#include "occupancy.def"
#undef MONT_QUEUE
	MONT_NR_QUEUES,
	/* As MEMORY_READ, those of the core's second thread. */
	MONT_QUEUE_MEMORY_READ_1 = MONT_NR_QUEUES,
	MONT_NR_NUMBERS,
};

/*
 * Changes to come. Requests that are out or wait are bounded by the OzQ, the fill
 * buffers and the L1I's fills; each has an entry of a queue, a read of memory, and
 * two bursts on the bus at most, with two changes each.
 */
#define MONT_NR_CHANGES 1024

/* struct mont_change - from cycle @at on @queue has one more, or one less */
struct mont_change {
	u64 at;
	u32 queue;
	u32 less;
};

/**
 * struct mont_occupancy - what is in use
 * @upto: the numbers are those of this cycle: what was before has been counted
 * @live: sum of @number
 * @nr: changes to come
 * @number: by queue, and for the reads of the core's second thread
 * @change: a heap: neither of the two below @n, 2 @n + 1 and 2 @n + 2, comes before @n
 */
struct mont_occupancy {
	u64 upto;
	u32 live;
	u32 nr;
	u64 number[MONT_NR_NUMBERS];
	struct mont_change change[MONT_NR_CHANGES];
};

/* mont_occupy() where there is something to keep. */
void mont_occupy_slow(struct mont_occupancy *o, enum mont_queue queue, u64 from, u64 until);

/* @queue has one more in use from cycle @from on, before cycle @until. */
static inline void mont_occupy(struct mont_occupancy *o, enum mont_queue queue, u64 from, u64 until)
{
	if (unlikely(from < until))
		mont_occupy_slow(o, queue, from, until);
}

/* True if an entry is in use, or going to be. */
static inline bool mont_occupied(const struct mont_occupancy *o)
{
	return o->nr || o->live;
}

/**
 * mont_occupancy_next() - go on to where the numbers change
 * @o: what is in use
 * @end: but not behind this cycle
 *
 * Return: how many cycles the numbers have been as they are; when it is 0 and @upto
 * is not @end, what changes in @upto has changed.
 */
u64 mont_occupancy_next(struct mont_occupancy *o, u64 end);

/* Go on to cycle @end without a look at how long the numbers have been as they are. */
void mont_occupancy_pass(struct mont_occupancy *o, u64 end);

/* True if @o can be a saved state. */
bool mont_occupancy_valid(const struct mont_occupancy *o);

#endif
