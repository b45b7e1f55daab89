/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Loads under way, for L1_OUTSTANDING_REQ of the original Itanium's PMU. Called by
 * merced_qualify.c.
 */
#ifndef MONT_PMU_MERCED_LOADS_H
#define MONT_PMU_MERCED_LOADS_H

#include "block.h"

/* True if the event of @o counts loads under way. */
static inline bool mont_merced_loads_counted(const struct mont_observer *o)
{
	return o->event->cond == MONT_COND_UNDER_WAY_LOW ||
	       o->event->cond == MONT_COND_UNDER_WAY_HIGH;
}

/* How much of @at the counter @o takes: a load is kept for the cycles to come, a cycle has a number. */
u64 mont_merced_loads_pass(const struct mont_observer *o, const struct mont_occurrence *at);

#endif
