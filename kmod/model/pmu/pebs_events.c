// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later
/*
 * The event table of the IA-32 PMU in code (pebs_events.def).
 */
#include "event_row.h"
#include "pebs.h"

static const struct mont_pebs_event pebs_events[] = {
#define MONT_PEBS(nm, cd, um, mx, nt, pr, lk, status, rw, text) \
	{                                                       \
		.row = {                                        \
			.e = {                                  \
				.name = nm,                     \
				.counters = 0xf,                \
				.code = cd,                     \
				.umask = um,                    \
				.max_inc = mx,                  \
				.needs_time = nt,               \
				MONT_ROW_STATUS_##status,       \
			},                                      \
			.row = rw,                              \
			.definition = text,                     \
			.likeness = MONT_LIKE_##lk,             \
		},                                              \
		.precise = pr,                                  \
	},
#define MONT_UNCORE(nm, cd, um, lk, status, rw, text) \
	{                                                               \
		.row = {                                                \
			.e = {                                          \
				.name = nm,                             \
				.counters = 3 << MONT_PEBS_UNCORE_FIRST,\
				.code = cd,                             \
				.umask = um,                            \
				.max_inc = 1,                           \
				.needs_time = 1,                        \
				MONT_ROW_STATUS_##status,               \
			},                                              \
			.row = rw,                                      \
			.definition = text,                             \
			.likeness = MONT_LIKE_##lk,                     \
		},                                                      \
		.uncore = true,                                         \
	},
#include "pebs_events.def"
#undef MONT_UNCORE
#undef MONT_PEBS
};

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
