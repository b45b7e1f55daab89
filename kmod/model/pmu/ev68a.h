/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interfaces between the files of the Alpha 21264/EV68A's performance counters. Called by ev68a.c,
 * ev68a_events.c and profileme.c.
 */
#ifndef MONT_PMU_EV68A_H
#define MONT_PMU_EV68A_H

#include "block.h"

#define MONT_EV68A_EVENTS 15

/* Listeners: PCTR0, PCTR1, and what follows instructions. */
#define MONT_EV68A_COUNTERS 2
#define MONT_EV68A_PROFILE 2

/* PCTR_CTL */
#define MONT_EV68A_SL0 MONT_BIT(4) /* ProfileMe */
#define MONT_EV68A_STALLED MONT_BIT(27)
#define MONT_EV68A_KILLED MONT_BIT(26)
#define MONT_EV68A_VAL MONT_BIT(1)
#define MONT_EV68A_TAK MONT_BIT(0)

/* I_CTL and PCTX: the whole system, one process, PCTR0 */
#define MONT_EV68A_SPCE MONT_BIT(0)
#define MONT_EV68A_PPCE MONT_BIT(1)
#define MONT_EV68A_EN_SHIFT 18

/* Values of SL1 */
#define MONT_EV68A_DELAY 1 /* of PCTR1, with SL0; without it that is not defined */
#define MONT_EV68A_MISSES 2
#define MONT_EV68A_REPLAYS 3

/* I_STAT */
#define MONT_EV68A_MIS MONT_BIT(40)
#define MONT_EV68A_TRP MONT_BIT(39)
#define MONT_EV68A_LSO MONT_BIT(38)
#define MONT_EV68A_TYPE_SHIFT 34
#define MONT_EV68A_ICM MONT_BIT(33)
#define MONT_EV68A_OVR_SHIFT 30
#define MONT_EV68A_OVR_MOST 7

#define MONT_EV68A_PERIOD MONT_BIT(20) /* of both counters */

/* PCTR0 counts ahead up to so many fetched instructions in front of its overflow. */
#define MONT_EV68A_NEAR 64

static inline unsigned int mont_ev68a_sl1(const struct mont_ev68a *r)
{
	return mont_bits(r->select, 2, 2);
}

/* True if PCTR@n may count. */
static inline bool mont_ev68a_enabled(const struct mont_ev68a *r, unsigned int n)
{
	return (r->i_ctl >> (MONT_EV68A_EN_SHIFT + n) & 1) &&
	       ((r->i_ctl & MONT_EV68A_SPCE) || (r->pctx & MONT_EV68A_PPCE));
}

/* Row @index, 0 to MONT_EV68A_EVENTS - 1; NULL behind the end. */
const struct mont_block_event *mont_ev68a_event(u32 index);

/* Row of the table for PCTR@counter, with SL0 and SL1 as they are in @select, or NULL. */
const struct mont_block_event *mont_ev68a_lookup(u64 select, unsigned int counter);

/* ---- profileme.c ---- */

/* The follower of instructions begins to listen. */
void mont_profile_begin(struct mont_block *block);

/* Something has happened that it listens to. */
void mont_profile_look(struct mont_block *block, const struct mont_occurrence *at);

/* The window has ended: the registers have it from now on. */
void mont_profile_end(struct mont_block *block);

#endif
