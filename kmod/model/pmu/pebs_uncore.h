/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The uncore's counters of the IA-32 PMU. Called by pebs.c.
 */
#ifndef MONT_PMU_PEBS_UNCORE_H
#define MONT_PMU_PEBS_UNCORE_H

#include "block.h"

/* Where the value of MSR @index of the uncore is, or NULL if it is none of these. */
u64 *mont_pebs_uncore_place(struct mont_pebs *p, u32 index);

/* True if MSR @index, one of the uncore's, clears bits of its status. */
bool mont_pebs_uncore_clears(u32 index);

/* As mont_block_ops.check, of the uncore's counters. */
int mont_pebs_uncore_check(const struct mont_pebs *p, const char **why);

/* The events that they count, on all threads: mont_block_ops.shared and .share */
const struct mont_event *mont_pebs_uncore_event(unsigned int n);
bool mont_pebs_uncore_count(struct mont_block *block, unsigned int n);

#endif
