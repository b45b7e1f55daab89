/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * Events of a trace (trace.def): a unit tells of one at the price of one test of a mask
 * where no trace asks for it. Called by the timed pipeline, by exec/interruption.c and by
 * pmu/counter.c.
 */
#ifndef MONT_EVENT_TRACE_H
#define MONT_EVENT_TRACE_H

#include "../mont.h"
#include "../arch/thread.h"

/* True if the trace of @t, if there is one, asks for @kind. */
static __always_inline bool mont_traced(const struct mont_thread *t, enum mont_trace_kind kind)
{
	return unlikely(t->traced >> kind & 1);
}

/* Hand @e to the trace of @t, which asks for its kind. */
void mont_trace_event(struct mont_thread *t, const struct mont_trace_event *e);

/* Trace @kind at the instruction in t->sig_slot, in the present cycle. */
static inline void mont_trace(struct mont_thread *t, enum mont_trace_kind kind, u32 what, u64 first,
			      u64 second)
{
	if (mont_traced(t, kind))
		mont_trace_event(t, &(struct mont_trace_event){ .cycle = t->clock,
								.ip = t->s.ip,
								.kind = kind,
								.slot = t->sig_slot,
								.what = what,
								.value = { first, second } });
}

#endif
