/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints, system "montecito". Names and types of their fields are ABI
 * (Documentation/host-tools.rst); none holds an address of the host. Included
 * by the files in which they are raised.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM montecito

#if !defined(MHOST_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define MHOST_TRACE_H

#include <linux/tracepoint.h>

#include "convert.h"

/* clang-format off */

/* A period has ended: of an observer, of an event of perf's, or of one of PMC4-15. */
TRACE_EVENT(montecito_overflow,
	    TP_PROTO(u32 machine, u32 vcpu, u32 kind, u64 source, u32 event, u64 period,
		     const struct mont_sample *w),
	    TP_ARGS(machine, vcpu, kind, source, event, period, w),
	    TP_STRUCT__entry(__field(u64, source)
			     __field(u64, period)
			     __field(u64, ip)
			     __field(u64, insns)
			     __field(u64, cycles)
			     __field(u32, machine)
			     __field(u32, event)
			     __field(u8, kind)
			     __field(u8, vcpu)
			     __field(u8, slot)
			     __field(u8, cpl)),
	    TP_fast_assign(__entry->source = source;
			   __entry->period = period;
			   __entry->ip = w->ip;
			   __entry->insns = w->insns;
			   __entry->cycles = w->cycles;
			   __entry->machine = machine;
			   __entry->event = event;
			   __entry->kind = kind;
			   __entry->vcpu = vcpu;
			   __entry->slot = w->slot;
			   __entry->cpl = w->cpl;),
	    TP_printk("machine=%u vcpu=%u kind=%u source=%#llx event=%#x period=%llu ip=%#llx slot=%u cpl=%u insns=%llu cycles=%llu",
		      __entry->machine, __entry->vcpu, __entry->kind, __entry->source,
		      __entry->event, __entry->period, __entry->ip, __entry->slot, __entry->cpl,
		      __entry->insns, __entry->cycles));

/* A slice of RUN has ended. */
TRACE_EVENT(montecito_slice,
	    TP_PROTO(u32 machine, const struct mont_exit *x),
	    TP_ARGS(machine, x),
	    TP_STRUCT__entry(__field(u64, insns)
			     __field(u64, cycles)
			     __field(u64, work)
			     __field(u32, machine)
			     __field(u32, reason)),
	    TP_fast_assign(__entry->insns = x->insns;
			   __entry->cycles = x->cycles;
			   __entry->work = x->work;
			   __entry->machine = machine;
			   __entry->reason = x->reason;),
	    TP_printk("machine=%u reason=%u insns=%llu cycles=%llu work=%llu",
		      __entry->machine, __entry->reason, __entry->insns, __entry->cycles,
		      __entry->work));

/* RUN begins, and ends: then all but machine and end are those of its exit. */
TRACE_EVENT(montecito_run,
	    TP_PROTO(u32 machine, bool end, u32 reason, u32 vcpu, u64 insns, u64 cycles),
	    TP_ARGS(machine, end, reason, vcpu, insns, cycles),
	    TP_STRUCT__entry(__field(u64, insns)
			     __field(u64, cycles)
			     __field(u32, machine)
			     __field(u32, reason)
			     __field(u8, end)
			     __field(u8, vcpu)),
	    TP_fast_assign(__entry->insns = insns;
			   __entry->cycles = cycles;
			   __entry->machine = machine;
			   __entry->reason = reason;
			   __entry->end = end;
			   __entry->vcpu = vcpu;),
	    TP_printk("machine=%u end=%u reason=%u vcpu=%u insns=%llu cycles=%llu",
		      __entry->machine, __entry->end, __entry->reason, __entry->vcpu,
		      __entry->insns, __entry->cycles));

/* The host makes an external interrupt pending. */
TRACE_EVENT(montecito_irq,
	    TP_PROTO(u32 machine, u32 vcpu, u32 vector),
	    TP_ARGS(machine, vcpu, vector),
	    TP_STRUCT__entry(__field(u32, machine)
			     __field(u32, vector)
			     __field(u8, vcpu)),
	    TP_fast_assign(__entry->machine = machine;
			   __entry->vector = vector;
			   __entry->vcpu = vcpu;),
	    TP_printk("machine=%u vcpu=%u vector=%u",
		      __entry->machine, __entry->vcpu, __entry->vector));

/* Counters of a guest whose PMU the host owns have overflowed. */
TRACE_EVENT(montecito_pmu,
	    TP_PROTO(u32 machine, u32 vcpu, u64 pmc0, u64 reloaded),
	    TP_ARGS(machine, vcpu, pmc0, reloaded),
	    TP_STRUCT__entry(__field(u64, pmc0)
			     __field(u64, reloaded)
			     __field(u32, machine)
			     __field(u8, vcpu)),
	    TP_fast_assign(__entry->pmc0 = pmc0;
			   __entry->reloaded = reloaded;
			   __entry->machine = machine;
			   __entry->vcpu = vcpu;),
	    TP_printk("machine=%u vcpu=%u pmc0=%#llx reloaded=%#llx",
		      __entry->machine, __entry->vcpu, __entry->pmc0, __entry->reloaded));

/* clang-format on */

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
