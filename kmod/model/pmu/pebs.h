/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters of the IA-32 PMU with precise sampling. Called by pebs_assist.c; included by pebs.c,
 * pebs_events.c, pebs_latency.c and pebs_uncore.c.
 */
#ifndef MONT_PMU_PEBS_H
#define MONT_PMU_PEBS_H

#include "block.h"

/* Listeners: IA32_PMC0-3 and IA32_FIXED_CTR0-2. */
#define MONT_PEBS_GENERAL 4
#define MONT_PEBS_COUNTERS 7

/* Loads up to an overflow of which one is tagged: the others are counted ahead. */
#define MONT_PEBS_NEAR 16

/* IA32_PERFEVTSEL */
#define MONT_PEBS_INT MONT_BIT(20)

/* IA32_PEBS_ENABLE */
#define MONT_PEBS_EN 0xfULL
#define MONT_PEBS_LL_SHIFT 32

/* Words of the debug store area: entries of mont_pebs.ds */
#define MONT_PEBS_BASE 0
#define MONT_PEBS_INDEX 1
#define MONT_PEBS_MAXIMUM 2
#define MONT_PEBS_THRESHOLD 3
#define MONT_PEBS_RESET 4

#define MONT_PEBS_RECORD (8 * MONT_BLOCK_VALUES) /* bytes */
#define MONT_PEBS_LEAST 3 /* of MSR_PEBS_LD_LAT_THRESHOLD */
#define MONT_PEBS_FULL MONT_BIT(62) /* IA32_PERF_GLOBAL_STATUS */
#define MONT_PEBS_UNCORE MONT_BIT(61) /* likewise */
#define MONT_PEBS_UNCORE_FIRST 7 /* bit of an interrupt's cause, of the first uncore counter */

#define MONT_PEBS_PERIOD MONT_BIT(48) /* of all counters */

/* True if general counter @n is a precise one. */
static inline bool mont_pebs_precise(const struct mont_pebs *p, unsigned int n)
{
	return n < MONT_PEBS_GENERAL && p->enable >> n & 1;
}

/* True if the records of counter @n are of loads, one of which is tagged. */
bool mont_pebs_tags(const struct mont_pebs *p, unsigned int n);

/* Counter @n overflows with the occurrence behind @left - 1 others. */
void mont_pebs_expect(struct mont_block *block, unsigned int n, u64 left);

/* True if the overflow of counter @n interrupts. */
bool mont_pebs_interrupts(const struct mont_pebs *p, unsigned int n);

#endif
