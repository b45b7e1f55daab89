// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later
/*
 * The event table of the IA-32 PMU in code (pebs_events.def).
 */
#include "pebs_events.h"
#include "event_row.h"
#include "pebs.h"

/* A row of either table: general counters or the uncore's, whose events are @of_uncore. */
#define MONT_PEBS_ROW(nm, cd, um, where, mx, nt, pr, of_uncore, lk, status, rw, text) \
	{                                                                             \
		.row = {                                                              \
			.e = {                                                        \
				.name = nm,                                           \
				.counters = where,                                    \
				.code = cd,                                           \
				.umask = um,                                          \
				.max_inc = mx,                                        \
				.needs_time = nt,                                     \
				MONT_ROW_STATUS_##status,                             \
			},                                                            \
			.row = rw,                                                    \
			.definition = text,                                           \
			.likeness = MONT_LIKE_##lk,                                   \
		},                                                                    \
		.precise = pr,                                                        \
		.uncore = of_uncore,                                                  \
	},
#define MONT_PEBS(nm, cd, um, mx, nt, pr, lk, status, rw, text) \
	MONT_PEBS_ROW(nm, cd, um, 0xf, mx, nt, pr, false, lk, status, rw, text)
#define MONT_UNCORE(nm, cd, um, lk, status, rw, text)                                             \
	MONT_PEBS_ROW(nm, cd, um, 3 << MONT_PEBS_UNCORE_FIRST, 1, 1, false, true, lk, status, rw, \
		      text)

static const struct mont_pebs_event pebs_events[] = {
#include "pebs_events.def"
};

#undef MONT_UNCORE
#undef MONT_PEBS
#undef MONT_PEBS_ROW

_Static_assert(MONT_ARRAY_SIZE(pebs_events) == MONT_PEBS_EVENTS, "pebs_events.def lost a row");

const struct mont_block_event *mont_pebs_event(u32 index)
{
	return index < MONT_PEBS_EVENTS ? &pebs_events[mont_nospec(index, MONT_PEBS_EVENTS)].row
					: NULL;
}

const struct mont_pebs_event *mont_pebs_find_event(bool uncore, unsigned int code,
						   unsigned int umask)
{
	unsigned int i;

	for (i = 0; i < MONT_PEBS_EVENTS; i++)
		if (pebs_events[i].uncore == uncore && pebs_events[i].row.e.code == code &&
		    pebs_events[i].row.e.umask == umask)
			return &pebs_events[i];
	return NULL;
}
