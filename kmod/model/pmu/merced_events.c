// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later
/*
 * The event table of the original Itanium's PMU in code (merced_events.def).
 */
#include "merced_events.h"
#include "event_row.h"

#define MERCED_CTR_C4_7 0xf0
#define MERCED_CTR_C4_5 0x30

static const struct mont_block_event merced_events[] = {
#define MONT_MERCED(nm, cd, um, er, ctr, mx, nt, flt, lk, status, rw, text) \
	{                                                                   \
		.e = {                                                      \
			.name = nm,                                         \
			.counters = MERCED_CTR_##ctr,                       \
			.code = cd,                                         \
			.umask = um,                                        \
			.ear = MONT_EAR_##er,                               \
			.max_inc = mx,                                      \
			.needs_time = nt,                                   \
			.filters = MONT_ROW_FILT_##flt,                     \
			MONT_ROW_STATUS_##status,                           \
		},                                                          \
		.row = rw,                                                  \
		.definition = text,                                         \
		.likeness = MONT_LIKE_##lk,                                 \
	},
#include "merced_events.def"
#undef MONT_MERCED
};

_Static_assert(MONT_ARRAY_SIZE(merced_events) == MONT_MERCED_EVENTS,
	       "merced_events.def lost a row");

const struct mont_block_event *mont_merced_event(u32 index)
{
	return index < MONT_MERCED_EVENTS ? &merced_events[mont_nospec(index, MONT_MERCED_EVENTS)]
					  : NULL;
}

const struct mont_block_event *mont_merced_lookup(unsigned int code, unsigned int umask)
{
	unsigned int i;

	for (i = 0; i < MONT_MERCED_EVENTS; i++) {
		const struct mont_event *e = &merced_events[i].e;

		if (e->code == code && e->umask == umask && e->ear == MONT_EAR_NONE)
			return &merced_events[i];
	}
	return NULL;
}
