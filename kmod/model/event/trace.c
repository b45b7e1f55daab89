// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later
/*
 * A trace of a thread, for its host (mont.h).
 */
#include "trace.h"
#include "../package/package.h"

/* Kinds that only the timing model has. */
static const u32 timed_kinds = 0
#define MONT_TRACE(name, time, meaning) | (u32)(time) << MONT_TRACE_##name
#include "trace.def"
#undef MONT_TRACE
	;

void mont_trace_event(struct mont_thread *t, const struct mont_trace_event *e)
{
	mont_work(t, 1);
	t->trace->event(t->trace, e);
}

int mont_trace_set(struct mont_thread *t, struct mont_trace *trace, u32 kinds)
{
	if (kinds >> MONT_NR_TRACE)
		return MONT_EINVAL;
	if ((kinds & timed_kinds) && !t->pkg->timing)
		return MONT_EOPNOTSUPP;
	t->trace = trace;
	t->traced = trace ? kinds : 0;
	return 0;
}
