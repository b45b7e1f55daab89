/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The event table of the original Itanium's PMU (Itanium Processor Reference Manual, chapter 7).
 * Called by merced.c.
 */
#ifndef MONT_PMU_MERCED_EVENTS_H
#define MONT_PMU_MERCED_EVENTS_H

#include "block.h"

#define MONT_MERCED_EVENTS 230

/* Row @index, 0 to MONT_MERCED_EVENTS - 1; NULL behind the end. */
const struct mont_block_event *mont_merced_event(u32 index);

/* The event that es and umask of PMC4-7 select, or NULL. */
const struct mont_block_event *mont_merced_lookup(unsigned int code, unsigned int umask);

#endif
