/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The event table of the IA-32 PMU. Called by pebs.c and pebs_uncore.c.
 */
#ifndef MONT_PMU_PEBS_EVENTS_H
#define MONT_PMU_PEBS_EVENTS_H

#include "block.h"

#define MONT_PEBS_EVENTS 18

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

#endif
