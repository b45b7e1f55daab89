/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Precise records and interrupts of the IA-32 PMU. Called by pebs.c.
 */
#ifndef MONT_PMU_PEBS_ASSIST_H
#define MONT_PMU_PEBS_ASSIST_H

#include "block.h"

/* Why the words of the debug store area cannot be those of a buffer, or NULL. */
const char *mont_pebs_buffer_invalid(const struct mont_pebs *p);

/* Counter @n has overflowed: true if the end of the group serves that. */
bool mont_pebs_carry(struct mont_block *block, unsigned int n, const struct mont_occurrence *at);

/* A group ends in which counters interrupt or assist. */
void mont_pebs_serve(struct mont_block *block, u32 over);

#endif
