/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Timed queues, each entry of which is in use up to a cycle: outstanding misses
 * (fill buffers or MSHRs; manual table 2-9, "queuing"), the BRQ, write buffers, the
 * bus's in-order queue. Called by the caches, and by the arbiter, bus.c and snoop.c of package/.
 */
#ifndef MONT_CACHE_FILLS_H
#define MONT_CACHE_FILLS_H

#include "../base/types.h"

#define MONT_MAX_FILLS 32

/**
 * struct mont_fills - entries of a queue
 * @last: none is in use from this cycle on
 * @until: entry n is in use up to this cycle
 * @line: and is for this line
 */
struct mont_fills {
	u64 last;
	u64 until[MONT_MAX_FILLS];
	u64 line[MONT_MAX_FILLS];
};

/* When the line at @address arrives, if it is on its way in cycle @now; else 0. */
static inline u64 mont_fills_pending(const struct mont_fills *f, unsigned int nr, u64 address,
				     u64 now)
{
	unsigned int i;

	if (f->last <= now)
		return 0;
	for (i = 0; i < nr; i++) {
		if (f->until[i] > now && f->line[i] == address)
			return f->until[i];
	}
	return 0;
}

/*
 * An entry for a request of cycle @now: the one that is free first. Its number
 * goes to @entry. Return: the cycle from which on it can be had, @now or later.
 */
static inline u64 mont_fills_take(const struct mont_fills *f, unsigned int nr, u64 now,
				  unsigned int *entry)
{
	unsigned int i;

	*entry = 0;
	for (i = 0; i < nr; i++) {
		if (f->until[i] <= now) {
			*entry = i;
			return now;
		}
		if (f->until[i] < f->until[*entry])
			*entry = i;
	}
	return f->until[*entry];
}

/* @entry is in use up to @until, for the line at @address. */
static inline void mont_fills_hold(struct mont_fills *f, unsigned int entry, u64 until, u64 address)
{
	f->until[entry] = until;
	f->line[entry] = address;
	if (f->last < until)
		f->last = until;
}

/*
 * Return: the cycle up to which the queue is full, once @entry has been taken in cycle @now, and
 * all entries before @entry are in use; @now if another entry is free.
 */
static inline u64 mont_fills_full(const struct mont_fills *f, unsigned int nr, unsigned int entry,
				  u64 now)
{
	u64 until = f->until[entry];
	unsigned int i;

	for (i = entry + 1; i < nr; i++) {
		if (f->until[i] <= now)
			return now;
	}
	for (i = 0; i < nr; i++) {
		if (f->until[i] < until)
			until = f->until[i];
	}
	return until > now ? until : now;
}

/* True if @f, of which @nr entries are used, can be a saved state. */
static inline bool mont_fills_valid(const struct mont_fills *f, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < MONT_MAX_FILLS; i++)
		if (f->until[i] > f->last || (i >= nr && (f->until[i] | f->line[i])))
			return false;
	return true;
}

#endif
