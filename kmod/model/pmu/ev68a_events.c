// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later
/*
 * The table of what the EV68A's counters count, in code (ev68a_events.def).
 */
#include "ev68a_events.h"
#include "ev68a.h"
#include "event_row.h"

static const struct mont_block_event ev68a_events[] = {
#define MONT_EV68A(nm, mode, counter, mx, lk, status, rw, text) \
	{                                                       \
		.e = {                                          \
			.name = nm,                             \
			.counters = 1u << (counter),            \
			.code = mode,                           \
			.umask = counter,                       \
			.max_inc = mx,                          \
			.needs_time = true,                     \
			MONT_ROW_STATUS_##status,               \
		},                                              \
		.row = rw,                                      \
		.definition = text,                             \
		.likeness = MONT_LIKE_##lk,                     \
	},
#include "ev68a_events.def"
#undef MONT_EV68A
};

_Static_assert(MONT_ARRAY_SIZE(ev68a_events) == MONT_EV68A_EVENTS, "ev68a_events.def lost a row");

const struct mont_block_event *mont_ev68a_event(u32 index)
{
	return index < MONT_EV68A_EVENTS ? &ev68a_events[mont_nospec(index, MONT_EV68A_EVENTS)]
					 : NULL;
}

const struct mont_block_event *mont_ev68a_lookup(u64 select, unsigned int counter)
{
	unsigned int mode = mont_bits(select, 2, 2) | (select & MONT_EV68A_SL0 ? 4 : 0), i;

	for (i = 0; i < MONT_EV68A_EVENTS; i++)
		if (ev68a_events[i].e.code == mode && ev68a_events[i].e.umask == counter)
			return &ev68a_events[i];
	return NULL;
}
