/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Branch trace buffer of the original Itanium's PMU. Called by merced.c. @pmc is PMC12.
 */
#ifndef MONT_PMU_MERCED_BTB_H
#define MONT_PMU_MERCED_BTB_H

#include "block.h"

/* The fields that select branches, as in PMC39. */
u64 mont_merced_btb_setting(u64 pmc);

/* Why it cannot be followed, or NULL. */
const char *mont_merced_btb_refused(u64 pmc);

/* PMD @n, 8 to 16. */
u64 mont_merced_btb_read(const struct mont_merced *m, unsigned int n);

/* Set PMD16. */
void mont_merced_btb_write(struct mont_merced *m, u64 value);

#endif
