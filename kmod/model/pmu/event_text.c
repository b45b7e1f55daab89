// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later
/*
 * Definition of each event, in words. A file of its own, so that a host which
 * only counts need not carry the text.
 */
#include "event_text.h"
#include "event.h"

static const char *const mont_event_texts[] = {
#define MONT_EVENT(nm, cd, um, er, eu, ctr, mx, nt, st, flt, al, th, bs, status, text) text,
#include "events.def"
#undef MONT_EVENT
};

_Static_assert(MONT_ARRAY_SIZE(mont_event_texts) == MONT_NR_EVENTS, "events.def lost a row");

static const char *const mont_cause_texts[] = {
#define MONT_CAUSE(name, bar, meaning) "cycles in which no group issues: " meaning ".",
#include "../pipeline/causes.def"
#undef MONT_CAUSE
};

const char *mont_event_definition(const struct mont_event *e)
{
	if (e->code == MONT_CODE_IP_EAR)
		return "cycles in which instructions retire: the IP-EAR captures the address of the first.";
	if (e->code >= MONT_CODE_CAUSE)
		return mont_cause_texts[e->code - MONT_CODE_CAUSE];
	return mont_event_texts[e - mont_event_at(0)];
}
