/* SPDX-License-Identifier: GPL-2.0-only */
/* Interfaces between the files of the original Itanium's PMU. */
#ifndef MONT_PMU_MERCED_H
#define MONT_PMU_MERCED_H

#include "block.h"

#define MONT_MERCED_EVENTS 230

/* Tags that qualify an instruction (6.1.3.1), and what goes by none. */
#define MONT_MERCED_RANGE 0 /* IBRRangeTag */
#define MONT_MERCED_PMC8 1 /* Tag(PMC8) */
#define MONT_MERCED_PMC9 2 /* Tag(PMC9) */

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

#endif
