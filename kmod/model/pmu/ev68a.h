/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registers of the Alpha 21264/EV68A's performance counters. Called by ev68a.c, ev68a_events.c and
 * profileme.c.
 */
#ifndef MONT_PMU_EV68A_H
#define MONT_PMU_EV68A_H

#include "block.h"

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

#endif
