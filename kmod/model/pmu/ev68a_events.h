/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Inputs of the Alpha 21264/EV68A's counters. Called by ev68a.c.
 */
#ifndef MONT_PMU_EV68A_EVENTS_H
#define MONT_PMU_EV68A_EVENTS_H

#include "block.h"

#define MONT_EV68A_EVENTS 15

/* Row @index, 0 to MONT_EV68A_EVENTS - 1; NULL behind the end. */
const struct mont_block_event *mont_ev68a_event(u32 index);

/* Row of the table for PCTR@counter, with SL0 and SL1 as they are in @select, or NULL. */
const struct mont_block_event *mont_ev68a_lookup(u64 select, unsigned int counter);

#endif
