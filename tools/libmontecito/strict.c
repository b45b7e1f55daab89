// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Counting with the architectural PMU alone (manual 3.3): the events go to
 * PMC4-15 as privileged monitors under PSR.pp, so that PSR.up stays the
 * program's own. What these registers cannot hold or express is refused.
 */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "../../kmod/model/mont.h"
#include "../../kmod/model/pmu/constraints.h"
#include "../../kmod/model/pmu/etb.h"
#include "../../kmod/model/pmu/pmu.h"
#include "internal.h"
#include "strict.h"

#define NR_COUNTERS 12
#define PMC_ISM (2ULL << 24) /* the only instruction set there is */
#define PMC_MESI_ANY (0xfULL << 27)
/*
 * PMC.all exists in PMC4-9 only. For an L2D event it is that of PMC4 or PMC6, which the counters of
 * one unit mask share (manual 4.8.4): one with all and one without it are placed as if they had two.
 */
#define UMASK_WITH_ALL 0x80
#define COUNTERS_WITH_ALL 0x03f0

__attribute__((format(printf, 2, 3))) static int strict_refuse(char msg[512], const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg, 512, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

/* The row of the event table; a copy, narrowed to what the modifiers allow. */
static int strict_resolve(struct montecito *m, const struct montecito_event_spec *spec,
			  struct mont_event *ev, char msg[512])
{
	const struct mont_event *row;
	const char *why;
	bool many;

	row = mont_event_resolve(spec->name, strlen(spec->name), &many);
	if (!row)
		return strict_refuse(msg, "event %s: no such event", spec->text);
	why = mont_event_refusal(row, montecito_has(m));
	if (why) {
		strict_refuse(msg, "event %s: %s", spec->text, why);
		return -EOPNOTSUPP;
	}
	if (!row->counters)
		return strict_refuse(msg, "event %s: no counter of the processor has it",
				     spec->text);
	if (spec->filter.threshold && !m->timed) {
		strict_refuse(msg, "event %s: a threshold needs the timing model", spec->text);
		return -EOPNOTSUPP;
	}
	*ev = *row;
	if (spec->all) {
		ev->counters &= COUNTERS_WITH_ALL;
		ev->umask |= UMASK_WITH_ALL;
	}
	return 0;
}

static uint64_t strict_pmc_value(const struct montecito_event_spec *spec)
{
	const struct montecito_filter *f = &spec->filter;

	return f->plm | MONT_PMC_PM | (uint64_t)f->code << MONT_PMC_ES_SHIFT |
	       (uint64_t)f->umask << MONT_PMC_UMASK_SHIFT |
	       (uint64_t)f->threshold << MONT_PMC_THRESHOLD_SHIFT | PMC_ISM | PMC_MESI_ANY |
	       (spec->all ? MONT_PMC_ALL : 0);
}

/* True if @f is of the instruction EAR; else it is of the data EAR. */
static bool strict_is_insn_ear(const struct montecito_filter *f)
{
	return f->ear >= MONTECITO_EAR_INSN_CACHE;
}

/* PMC37 or PMC40; events with another setting of it have been refused. */
static uint64_t strict_ear_value(const struct montecito_filter *f)
{
	if (strict_is_insn_ear(f))
		return f->plm | 1 << 4 | (uint64_t)f->ear_umask << 5 |
		       (uint64_t)(f->ear == MONTECITO_EAR_INSN_CACHE) << 13;
	return f->plm | MONT_PMC_PM | (uint64_t)(f->ear - MONTECITO_EAR_DATA_CACHE) << 7 |
	       (uint64_t)f->ear_umask << 16 | PMC_ISM;
}

/* PMC39 as an event of the trace buffer needs it; 0 for another event. */
static uint64_t strict_trace_value(const struct montecito_event_spec *spec)
{
	const struct montecito_filter *f = &spec->filter;
	const struct mont_event *e = mont_event_lookup(f->code, f->umask);

	if (!e || e->cond != MONT_COND_TRACED)
		return 0;
	return f->plm | MONT_PMC_PM | (f->flags & MONTECITO_FILTER_ETB ? f->etb : MONT_ETB_ALL);
}

/* PMC39 of all events, or ~0 if they differ. */
static uint64_t strict_trace_common(const struct montecito_event_spec *specs, size_t nr)
{
	uint64_t common = 0;

	while (nr--) {
		uint64_t value = strict_trace_value(&specs[nr]);

		if (value && common && value != common)
			return ~0ULL;
		common |= value;
	}
	return common;
}

static int strict_program(struct montecito *m, unsigned int vcpu,
			  const struct montecito_event_spec *specs, size_t nr,
			  const unsigned int *counter)
{
	struct montecito_reg regs[2 * NR_COUNTERS + 5] = { 0 };
	uint64_t psr, ear[2] = { 0 }, trace = strict_trace_common(specs, nr);
	size_t i, n = 0;
	int err;

	err = montecito_get_reg(m, vcpu, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR, &psr);
	if (err)
		return err;
	for (i = 0; i < nr; i++) {
		regs[n].cls = MONTECITO_REG_PMD;
		regs[n++].index = counter[i];
		regs[n].cls = MONTECITO_REG_PMC;
		regs[n].index = counter[i];
		regs[n++].value[0] = strict_pmc_value(&specs[i]);
		if (specs[i].filter.ear)
			ear[strict_is_insn_ear(&specs[i].filter)] |=
				strict_ear_value(&specs[i].filter);
	}
	for (i = 0; i < 2; i++) {
		if (!ear[i])
			continue;
		regs[n].cls = MONTECITO_REG_PMC;
		regs[n].index = i ? 37 : 40;
		regs[n++].value[0] = ear[i];
	}
	if (trace) {
		regs[n].cls = MONTECITO_REG_PMC;
		regs[n].index = 39;
		regs[n++].value[0] = trace;
	}
	/* PMC0 to 0: nothing frozen, no old overflow. */
	regs[n++].cls = MONTECITO_REG_PMC;
	regs[n].cls = MONTECITO_REG_SPECIAL;
	regs[n].index = MONTECITO_SPECIAL_PSR;
	regs[n++].value[0] = psr | MONT_PSR_PP;
	return montecito_set_regs(m, vcpu, regs, n);
}

int montecito_strict_start(struct montecito *m, unsigned int vcpu,
			   const struct montecito_event_spec *specs, size_t nr,
			   unsigned int *counter, char msg[512])
{
	const struct mont_event *ev[NR_COUNTERS];
	struct mont_event row[NR_COUNTERS];
	u8 place[NR_COUNTERS];
	const char *why = "";
	size_t i;
	int err;

	if (nr > NR_COUNTERS)
		return strict_refuse(msg, "event %s: there are %d counters, PMC4-15",
				     specs[NR_COUNTERS].text, NR_COUNTERS);
	for (i = 0; i < nr; i++) {
		err = strict_resolve(m, &specs[i], &row[i], msg);
		if (err)
			return err;
		ev[i] = &row[i];
		/* The first event that does not fit beside the others is named. */
		if (mont_place(ev, i + 1, place, &why))
			return strict_refuse(msg, "event %s: %s", specs[i].text, why);
	}
	if (strict_trace_common(specs, nr) == ~0ULL)
		return strict_refuse(msg,
				     "events of the trace buffer differ: PMC39 holds one setting");
	if (strict_filter_check(specs, nr, row, msg))
		return -EINVAL;
	for (i = 0; i < nr; i++)
		counter[i] = place[i];
	err = nr ? strict_filter_start(m, vcpu, specs) : 0;
	if (!err)
		err = strict_program(m, vcpu, specs, nr, counter);
	if (err)
		strict_refuse(msg, "cannot set the PMU: %s", strerror(-err));
	return err;
}

int montecito_strict_read(struct montecito *m, unsigned int vcpu, unsigned int counter,
			  uint64_t *count)
{
	int err = montecito_get_reg(m, vcpu, MONTECITO_REG_PMD, counter, count);

	*count &= MONT_PMD_MASK;
	return err;
}
