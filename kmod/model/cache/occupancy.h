/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Occupancy: how many entries of a queue are in use in each cycle (manual 4.11,
 * 4.11.2). Not counted cycle by cycle: the taker of an entry says from when until
 * when, and the sums follow from the cycles in which the numbers change. Called by
 * l2d.c and l3.c, by package/bus.c, by the pipeline for the time that passes, and by
 * package/state.c.
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
 * Entries in use, or going to be. Requests that are out or wait are bounded by the OzQ, the fill
 * buffers and the L1I's fills; each has an entry of a queue, a read of memory, and two bursts on
 * the bus at most.
 */
#define MONT_NR_CHANGES 512

/* struct mont_change - from cycle @at on @queue has one more, or one less */
struct mont_change {
	u64 at;
	u64 queue;
};

/**
 * struct mont_changes - changes to come
 * @first: 0..MONT_NR_CHANGES - 1
 * @nr: how many there are
 * @change: a ring: from @first on, in the order of their cycles
 */
struct mont_changes {
	u32 first;
	u32 nr;
	struct mont_change change[MONT_NR_CHANGES];
};

/**
 * struct mont_occupancy - what is in use
 * @upto: the numbers are those of this cycle: what was before has been counted
 * @number: by queue, and for the reads of the core's second thread
 * @begin: where an entry comes into use
 * @end: where it leaves: also those that are in use have one
 */
struct mont_occupancy {
	u64 upto;
	u64 number[MONT_NR_NUMBERS];
	struct mont_changes begin;
	struct mont_changes end;
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
	return o->end.nr;
}

/* True if an entry is in use in cycle @upto. */
static inline bool mont_occupied_now(const struct mont_occupancy *o)
{
	return o->end.nr != o->begin.nr;
}

static inline const struct mont_change *mont_changes_first(const struct mont_changes *c)
{
	return &c->change[c->first];
}

/* True if the next change is that of an entry that comes into use; there is one. */
static inline bool mont_occupancy_begins(const struct mont_occupancy *o)
{
	return o->begin.nr && mont_changes_first(&o->begin)->at < mont_changes_first(&o->end)->at;
}

/* The cycle of the next change; there is one. */
static inline u64 mont_occupancy_at(const struct mont_occupancy *o)
{
	return mont_changes_first(mont_occupancy_begins(o) ? &o->begin : &o->end)->at;
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

/* A saved state does not depend on what has been in use before: only on what is, or will be. */
void mont_occupancy_settle(struct mont_occupancy *o);

/* True if @o, of the first @queues numbers, can be a saved state. */
bool mont_occupancy_valid(const struct mont_occupancy *o, u32 queues);

#endif
