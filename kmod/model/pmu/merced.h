/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interfaces between the files of the original Itanium's PMU. Called by merced.c, merced_btb.c,
 * merced_ear.c, merced_events.c and merced_qualify.c.
 */
#ifndef MONT_PMU_MERCED_H
#define MONT_PMU_MERCED_H

#include "block.h"

#define MONT_MERCED_EVENTS 230

/* Tags that qualify an instruction (6.1.3.1), and what goes by none. */
#define MONT_MERCED_RANGE 0 /* IBRRangeTag */
#define MONT_MERCED_PMC8 1 /* Tag(PMC8) */
#define MONT_MERCED_PMC9 2 /* Tag(PMC9) */

/* Listeners behind the four counters */
#define MONT_MERCED_IEAR 4 /* PMC10 */
#define MONT_MERCED_DEAR 5 /* PMC11 */
#define MONT_MERCED_BTB 6 /* PMC12 */

#define MONT_MERCED_TA MONT_BIT(0) /* PMC13 */
#define MONT_MERCED_PT MONT_BIT(28) /* PMC11 */

/* Row @index, 0 to MONT_MERCED_EVENTS - 1; NULL behind the end. */
const struct mont_block_event *mont_merced_event(u32 index);

/* The event that es and umask of PMC4-7 select, or NULL. */
const struct mont_block_event *mont_merced_lookup(unsigned int code, unsigned int umask);

/* The tag that @e is qualified by, MONT_MERCED_*. */
unsigned int mont_merced_tag(const struct mont_event *e);

/* Filters in force for @e, MONT_FILTER_*: those that it has and the registers ask for. */
u8 mont_merced_filters(const struct mont_merced *m, const struct mont_event *e);

/* True if the instruction in @slot of t->cur, at IP, has tag @tag. */
bool mont_merced_tagged(const struct mont_block *block, unsigned int tag, unsigned int slot);

/* How much of @at the counter @o takes. */
u64 mont_merced_pass(const struct mont_observer *o, const struct mont_occurrence *at);

/* ---- merced_ear.c; @unit is MONT_MERCED_IEAR or _DEAR, @pmc its PMC10 or PMC11 ---- */

/* Why a setting is in no table, or NULL. */
const char *mont_merced_ear_invalid(unsigned int unit, u64 pmc);

/* True if it captures what only the timing model has. */
bool mont_merced_ear_timed(unsigned int unit, u64 pmc);

/* Fill @e with an event whose occurrences the unit looks at. */
void mont_merced_ear_event(unsigned int unit, u64 pmc, struct mont_event *e);

/* True if the instruction EAR captures @at. */
bool mont_merced_ear_takes(u64 pmc, const struct mont_occurrence *at);

/* Set the PMDs of the unit that listens by @o, which has captured @at. */
void mont_merced_ear_capture(struct mont_merced *m, const struct mont_observer *o,
			     const struct mont_occurrence *at);

/* ---- merced_btb.c; @pmc is PMC12 ---- */

/* The fields that select branches, as in PMC39. */
u64 mont_merced_btb_setting(u64 pmc);

/* Why it cannot be followed, or NULL. */
const char *mont_merced_btb_refused(u64 pmc);

/* PMD @n, 8 to 16. */
u64 mont_merced_btb_read(const struct mont_merced *m, unsigned int n);

/* Set PMD16. */
void mont_merced_btb_write(struct mont_merced *m, u64 value);

#endif
