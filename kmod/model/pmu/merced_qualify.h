/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How the original Itanium's PMU qualifies events (6.1.3). Called by merced.c.
 */
#ifndef MONT_PMU_MERCED_QUALIFY_H
#define MONT_PMU_MERCED_QUALIFY_H

#include "block.h"

/* The tag that @e is qualified by, MONT_MERCED_*. */
unsigned int mont_merced_tag(const struct mont_event *e);

/* Filters in force for @e, MONT_FILTER_*: those that it has and the registers ask for. */
u8 mont_merced_filters(const struct mont_merced *m, const struct mont_event *e);

/* True if the instruction in @slot of t->cur, at IP, has tag @tag. */
bool mont_merced_tagged(const struct mont_block *block, unsigned int tag, unsigned int slot);

/* How much of @at the counter @o takes. */
u64 mont_merced_pass(const struct mont_observer *o, const struct mont_occurrence *at);

#endif
