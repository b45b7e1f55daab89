/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Choice of the occurrences of its signals that an event counts (manual 4.2 and 3.3.2: unit mask, threshold,
 * MESI). Called by counter.c, observer_watch.c and the blocks.
 */
#ifndef MONT_PMU_MATCH_H
#define MONT_PMU_MATCH_H

#include "internal.h"

/* True if @e counts @o, an occurrence of one of its signals. */
bool mont_event_matches(const struct mont_event *e, const struct mont_occurrence *o);

/*
 * Return: what a counter with @threshold adds for @v more in the cycle of @o; @sums holds the sum
 * so far.
 */
u64 mont_threshold(const struct mont_occurrence *o, struct mont_sums *sums, u64 v,
		   unsigned int threshold);

/*
 * For an event that adds 1 a cycle, however often its signals are raised in
 * one: @v, or 0 if @sums says that it has been counted.
 */
u64 mont_once(const struct mont_occurrence *o, struct mont_sums *sums, u64 v);

/* The cycle of a group is over: nothing more happens in @at. */
static inline void mont_sums_end(struct mont_sums *sums, u64 at)
{
	unsigned int i;

	for (i = 0; i < MONT_NR_SUMS; i++) {
		if (sums->at[i] == at) {
			sums->at[i] = 0;
			sums->n[i] = 0;
		}
	}
}

#endif
