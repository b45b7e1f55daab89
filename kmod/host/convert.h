/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The uapi's structures and the model's: one place knows both. Included by
 * pmu_convert.h, sample_convert.h and trace.h, for the module's host side and for libmontecito's
 * in-process backend.
 */
#ifndef MHOST_CONVERT_H
#define MHOST_CONVERT_H

#ifdef __KERNEL__
#include <linux/build_bug.h>
#else
#include <assert.h>
#endif
#include <linux/montecito.h>

#include "../model/mont.h"
#include "../model/pmu/observer.h"

static_assert(MONTECITO_OPC_MATCHES == MONT_MATCHES, "OPC_MATCHES");
#define MHOST_STATIC_ASSERT(name) static_assert((int)MONTECITO_##name == (int)MONT_##name, #name)

MHOST_STATIC_ASSERT(CFG_HOST_INTERRUPTIONS);
MHOST_STATIC_ASSERT(CFG_HOST_PMU);
MHOST_STATIC_ASSERT(CFG_PAL_AS_PRINTED);
MHOST_STATIC_ASSERT(CFG_STRICT);
MHOST_STATIC_ASSERT(CFG_NO_ALAT);
MHOST_STATIC_ASSERT(CFG_FIRMWARE);

MHOST_STATIC_ASSERT(REG_GR);
MHOST_STATIC_ASSERT(REG_FR);
MHOST_STATIC_ASSERT(REG_PR);
MHOST_STATIC_ASSERT(REG_BR);
MHOST_STATIC_ASSERT(REG_AR);
MHOST_STATIC_ASSERT(REG_CR);
MHOST_STATIC_ASSERT(REG_SPECIAL);
MHOST_STATIC_ASSERT(REG_RR);
MHOST_STATIC_ASSERT(REG_PKR);
MHOST_STATIC_ASSERT(REG_DBR);
MHOST_STATIC_ASSERT(REG_IBR);
MHOST_STATIC_ASSERT(REG_PMC);
MHOST_STATIC_ASSERT(REG_PMD);
MHOST_STATIC_ASSERT(REG_CPUID);
MHOST_STATIC_ASSERT(REG_STACKED);

MHOST_STATIC_ASSERT(SPECIAL_IP);
MHOST_STATIC_ASSERT(SPECIAL_PSR);
MHOST_STATIC_ASSERT(SPECIAL_CFM);
MHOST_STATIC_ASSERT(SPECIAL_INSNS);
MHOST_STATIC_ASSERT(SPECIAL_CYCLES);
MHOST_STATIC_ASSERT(SPECIAL_HALTED);
MHOST_STATIC_ASSERT(SPECIAL_CLOCK);
MHOST_STATIC_ASSERT(SPECIAL_STOOD);
MHOST_STATIC_ASSERT(SPECIAL_DIRTY);

MHOST_STATIC_ASSERT(STANDS_NOT);
MHOST_STATIC_ASSERT(STANDS_NO_EVENT);
MHOST_STATIC_ASSERT(STANDS_REFUSED);
MHOST_STATIC_ASSERT(STANDS_TIME);
MHOST_STATIC_ASSERT(STANDS_THRESHOLD);
MHOST_STATIC_ASSERT(STANDS_COUNTER);
MHOST_STATIC_ASSERT(STANDS_SET);
MHOST_STATIC_ASSERT(STANDS_RANGE);
MHOST_STATIC_ASSERT(STANDS_CONSTRAINT);
MHOST_STATIC_ASSERT(STANDS_TRACE);
MHOST_STATIC_ASSERT(STANDS_EAR);
MHOST_STATIC_ASSERT(STANDS_ALL);

MHOST_STATIC_ASSERT(FILTER_IAR);
MHOST_STATIC_ASSERT(FILTER_DAR);
MHOST_STATIC_ASSERT(FILTER_OPC);

MHOST_STATIC_ASSERT(EXIT_BUDGET);
MHOST_STATIC_ASSERT(EXIT_BREAK);
MHOST_STATIC_ASSERT(EXIT_INTERRUPTION);
MHOST_STATIC_ASSERT(EXIT_PMU_OVERFLOW);
MHOST_STATIC_ASSERT(EXIT_HALT);
MHOST_STATIC_ASSERT(EXIT_UNCOUNTED);
MHOST_STATIC_ASSERT(EXIT_SHUTDOWN);
MHOST_STATIC_ASSERT(EXIT_CONSOLE);
MHOST_STATIC_ASSERT(EXIT_MMIO);
MHOST_STATIC_ASSERT(EXIT_FIRMWARE);
MHOST_STATIC_ASSERT(EXIT_UNTIL);
MHOST_STATIC_ASSERT(EXIT_BREAKPOINT);
MHOST_STATIC_ASSERT(EXIT_WATCHPOINT);
MHOST_STATIC_ASSERT(EXIT_STEP);
MHOST_STATIC_ASSERT(EXIT_BROKEN);
MHOST_STATIC_ASSERT(EXIT_PMU_BLOCK);

MHOST_STATIC_ASSERT(TRACE_FETCH);
MHOST_STATIC_ASSERT(TRACE_DISPERSE);
MHOST_STATIC_ASSERT(TRACE_STALL);
MHOST_STATIC_ASSERT(TRACE_ISSUE);
MHOST_STATIC_ASSERT(TRACE_REFERENCE);
MHOST_STATIC_ASSERT(TRACE_RETIRE);
MHOST_STATIC_ASSERT(TRACE_OVERFLOW);
MHOST_STATIC_ASSERT(TRACE_FREEZE);
MHOST_STATIC_ASSERT(TRACE_INTERRUPT);
MHOST_STATIC_ASSERT(NR_TRACE);
MHOST_STATIC_ASSERT(TRACE_L1D);
MHOST_STATIC_ASSERT(TRACE_L2D);
MHOST_STATIC_ASSERT(TRACE_L3);
MHOST_STATIC_ASSERT(TRACE_MEMORY);
MHOST_STATIC_ASSERT(TRACE_STORE);
MHOST_STATIC_ASSERT(TRACE_RSE);

MHOST_STATIC_ASSERT(BREAK_EXEC);
MHOST_STATIC_ASSERT(BREAK_READ);
MHOST_STATIC_ASSERT(BREAK_WRITE);
MHOST_STATIC_ASSERT(MAX_BREAKPOINTS);

MHOST_STATIC_ASSERT(MAX_CAUSES);
MHOST_STATIC_ASSERT(BAR_UNSTALLED);
MHOST_STATIC_ASSERT(BAR_BRANCH);
MHOST_STATIC_ASSERT(BAR_DATA);
MHOST_STATIC_ASSERT(BAR_EXECUTION);
MHOST_STATIC_ASSERT(BAR_RSE);
MHOST_STATIC_ASSERT(BAR_FRONT_END);
MHOST_STATIC_ASSERT(BAR_INTERRUPTION);
MHOST_STATIC_ASSERT(BAR_SWITCHING);

MHOST_STATIC_ASSERT(REGION_READONLY);
MHOST_STATIC_ASSERT(REGION_MMIO);

#undef MHOST_STATIC_ASSERT

/* perf's config of a filter: PMC4-15's fields and an EAR's in the format of the PMU. */
static inline u32 mhost_perf_config(const struct mont_filter *f)
{
	return f->code | f->umask << 8 | f->threshold << 12 | f->plm << 16 | f->ear << 20 |
	       (u32)f->ear_umask << 24;
}

/* Registers that only look: SET is refused with EPERM. */
static inline bool mhost_reg_readonly(const struct montecito_reg *reg)
{
	switch (reg->cls) {
	case MONTECITO_REG_CPUID:
	case MONTECITO_REG_STACKED:
		return true;
	case MONTECITO_REG_SPECIAL:
		return reg->index == MONTECITO_SPECIAL_INSNS ||
		       reg->index == MONTECITO_SPECIAL_CYCLES ||
		       (reg->index >= MONTECITO_SPECIAL_CLOCK && reg->index < MONT_SPECIAL_DIRTY);
	}
	return false;
}

/* Check that the second word is 0 unless the register has one. */
static inline bool mhost_reg_word_ok(const struct montecito_reg *reg)
{
	switch (reg->cls) {
	case MONTECITO_REG_FR:
		return true;
	case MONTECITO_REG_GR:
		return reg->value[1] <= 1;
	}
	return !reg->value[1];
}

/* The flags of mont_run() that are RUN's. */
static inline u32 mhost_run_flags(const struct montecito_run *r)
{
	return (r->flags & MONTECITO_RUN_FUNCTIONAL ? MONT_RUN_FUNCTIONAL : 0) |
	       (r->flags & MONTECITO_RUN_UNTIL ? MONT_RUN_UNTIL : 0) |
	       (r->flags & MONTECITO_RUN_STEP ? MONT_RUN_STEP : 0);
}

/* Check RUN's arguments, MMIO data apart: 0, or a negative errno. */
static inline int mhost_run_check(const struct montecito_run *r, u32 nr_vcpus, bool timed)
{
	if (r->flags & MONTECITO_RUN_UNTIL ? r->until % 16 : r->until)
		return MONT_EINVAL;
	if (r->flags & MONTECITO_RUN_BREAKPOINTS ? r->nr_breakpoints > MONT_MAX_BREAKPOINTS
						 : r->nr_breakpoints || r->breakpoints)
		return MONT_EINVAL;
	if (!(r->flags & MONTECITO_RUN_STEP))
		return r->step_vcpu ? MONT_EINVAL : 0;
	if (timed && !(r->flags & MONTECITO_RUN_FUNCTIONAL))
		return MONT_EINVAL;
	return r->step_vcpu < nr_vcpus ? 0 : MONT_ENOENT;
}

/* RUN's breakpoints for the model. Return: 0, or MONT_EINVAL if one cannot be. */
static inline int mhost_breakpoints_in(const struct montecito_breakpoint *from, u32 nr,
				       struct mont_breakpoint *to)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		to[i] = (struct mont_breakpoint){
			.addr = from[i].addr,
			.length = from[i].length,
			.kind = from[i].kind,
		};
		if (!mont_breakpoint_ok(&to[i]))
			return MONT_EINVAL;
	}
	return 0;
}

/* Convert an exit of mont_run(), its sums apart. */
static inline void mhost_exit_out(const struct mont_exit *e, struct montecito_exit *x)
{
	*x = (struct montecito_exit){
		.reason = e->reason,
		.vcpu = e->vcpu,
		.vector = e->vector,
		.slot = e->slot,
		.ip = e->ip,
		.isr = e->isr,
		.ifa = e->ifa,
		.iim = e->iim,
		.iha = e->iha,
		.itir = e->itir,
		.pmc0 = e->pmc0,
		.mmio.addr = e->pa,
		.mmio.length = e->length,
		.mmio.write = e->write,
		.mmio.data = { e->data[0], e->data[1] },
		.watch.addr = e->watch.addr,
		.watch.length = e->watch.length,
		.watch.kind = e->watch.kind,
		.watch.vcpu = e->watch.vcpu,
		.within = e->within,
		.block = e->block,
	};
}

/* @from in @size bytes, and zeroes behind it. */
static inline void mhost_text(char *to, const char *from, u32 size)
{
	u32 i;

	for (i = 0; i < size; i++) {
		to[i] = i + 1 < size ? *from : 0;
		if (*from)
			from++;
	}
}

/* How many causes of bubbles there are. */
static inline u32 mhost_nr_causes(void)
{
	u32 n = 0;

	while (mont_cause_info(n))
		n++;
	return n;
}

/* Cause @index of @t's bubbles. */
static inline void mhost_cause_out(const struct mont_thread *t, u32 index,
				   struct montecito_cause *c)
{
	const struct mont_cause_info *info = mont_cause_info(index);

	*c = (struct montecito_cause){
		.bar = info->bar,
		.cycles = mont_cause_cycles(t, index),
	};
	mhost_text(c->name, info->name, sizeof(c->name));
	mhost_text(c->text, info->text, sizeof(c->text));
}

/* The sums. */
static inline void mhost_cycles_out(struct mont_thread *t, struct montecito_cycles *c)
{
	struct mont_cycles sum;
	u64 insns[2];

	mont_cycles(t, &sum);
	mont_reg_get(t, MONT_REG_SPECIAL, MONT_SPECIAL_INSNS, insns);
	c->insns = insns[0];
	c->cycles = sum.cycles;
	c->halted = sum.halted;
	c->functional = sum.functional;
	c->unstalled = sum.unstalled;
}

/* Compare the parameter's name with @name, which need not end in a NUL. */
static inline bool mhost_param_is(const struct mont_param *p, const char *name)
{
	u32 i;

	for (i = 0; i < MONTECITO_NAME_LEN; i++) {
		if (p->name[i] != name[i])
			return false;
		if (!name[i])
			return true;
	}
	return false;
}

/* PARAM_GET and PARAM_SET of @pkg. Return: 0, or what the uapi says. */
static inline int mhost_param(struct mont_package *pkg, struct montecito_param *a, bool set)
{
	const struct mont_param *p;
	const char *why = "";
	int ret = 0;
	u32 i;

	if (a->pad || (!(a->flags & MONTECITO_PARAM_BY_INDEX) && a->name[sizeof(a->name) - 1]))
		return MONT_EINVAL;
	for (i = 0; (p = mont_param(i)); i++)
		if (a->flags & MONTECITO_PARAM_BY_INDEX ? i == a->index
							: mhost_param_is(p, a->name))
			break;
	if (!p)
		return MONT_ENOENT;
	if (set)
		ret = mont_param_set(pkg, i, a->value, &why);
	else
		a->value = mont_param_value(pkg, i);
	a->flags |= p->most ? 0 : MONTECITO_PARAM_FIXED;
	a->index = i;
	a->least = p->least;
	a->most = p->most;
	mhost_text(a->name, p->name, sizeof(a->name));
	mhost_text(a->unit, p->unit, sizeof(a->unit));
	mhost_text(a->source, p->source, sizeof(a->source));
	mhost_text(a->why, why, sizeof(a->why));
	return ret;
}

/* The record of @e. */
static inline void mhost_trace_out(const struct mont_trace_event *e,
				   struct montecito_record_trace *r)
{
	*r = (struct montecito_record_trace){
		.header.type = MONTECITO_RECORD_TRACE,
		.header.misc = e->kind,
		.header.size = sizeof(*r),
		.cycle = e->cycle,
		.ip = e->ip,
		.slot = e->slot,
		.what = e->what,
		.value = { e->value[0], e->value[1] },
	};
}

#endif
