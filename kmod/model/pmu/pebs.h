/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interfaces between the files of the IA-32 PMU with precise sampling. Called by pebs.c,
 * pebs_assist.c, pebs_events.c, pebs_latency.c and pebs_uncore.c.
 */
#ifndef MONT_PMU_PEBS_H
#define MONT_PMU_PEBS_H

#include "block.h"

#define MONT_PEBS_EVENTS 18

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

/* A row of the kind's table, with what no other kind has. */
struct mont_pebs_event {
	struct mont_block_event row;
	bool precise;
	bool uncore; /* of the uncore's counters alone */
};

/* Row @index, 0 to MONT_PEBS_EVENTS - 1; NULL behind the end. */
const struct mont_block_event *mont_pebs_event(u32 index);

/* The event that event and umask of a register of the core, or of the uncore, select, or NULL. */
const struct mont_pebs_event *mont_pebs_find_event(bool uncore, unsigned int code,
						   unsigned int umask);

/* The event that those of IA32_PERFEVTSEL select, or NULL. */
static inline const struct mont_pebs_event *mont_pebs_lookup(unsigned int code, unsigned int umask)
{
	return mont_pebs_find_event(false, code, umask);
}

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

/* ---- pebs_assist.c ---- */

/* Why the words of the debug store area cannot be those of a buffer, or NULL. */
const char *mont_pebs_buffer_invalid(const struct mont_pebs *p);

/* Counter @n has overflowed: true if the end of the group serves that. */
bool mont_pebs_carry(struct mont_block *block, unsigned int n, const struct mont_occurrence *at);

/* A group ends in which counters interrupt or assist. */
void mont_pebs_serve(struct mont_block *block, u32 over);

/* ---- pebs_uncore.c ---- */

/* Where the value of MSR @index of the uncore is, or NULL if it is none of these. */
u64 *mont_pebs_uncore_place(struct mont_pebs *p, u32 index);

/* True if MSR @index, one of the uncore's, clears bits of its status. */
bool mont_pebs_uncore_clears(u32 index);

/* As mont_block_ops.check, of the uncore's counters. */
int mont_pebs_uncore_check(const struct mont_pebs *p, const char **why);

/* The events that they count, on all threads: mont_block_ops.shared and .share */
const struct mont_event *mont_pebs_uncore_event(unsigned int n);
bool mont_pebs_uncore_count(struct mont_block *block, unsigned int n);

/* ---- pebs_latency.c ---- */

/* How much of @at the counter @o takes. */
u64 mont_pebs_pass(const struct mont_observer *o, const struct mont_occurrence *at);

/* A late load has issued: it may be the one that is tagged. */
void mont_pebs_tag(struct mont_pebs *p, const struct mont_occurrence *at);

#endif
