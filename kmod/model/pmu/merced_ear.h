/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Event address registers of the original Itanium's PMU. Called by merced.c and
 * merced_qualify.c. @unit is MONT_MERCED_IEAR or _DEAR, @pmc its PMC10 or PMC11.
 */
#ifndef MONT_PMU_MERCED_EAR_H
#define MONT_PMU_MERCED_EAR_H

#include "block.h"

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

#endif
