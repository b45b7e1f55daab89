// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Ranges and opcodes for counting with the architectural PMU alone: PMC32-36, PMC38, PMC41, IBRs
 * and DBRs (manual 3.3.5 to 3.3.7). These belong to all counters together, so that all events of
 * a run have the same ones, and there is one opcode match.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../kmod/model/pmu/event.h"
#include "internal.h"
#include "strict.h"

#define FILTERS (MONTECITO_FILTER_IAR | MONTECITO_FILTER_DAR | MONTECITO_FILTER_OPC)

#define OPC_BITS ((1ULL << 41) - 1)
#define MIFB_SHIFT 48
#define MIFB_ANY (0xfULL << MIFB_SHIFT)
#define PMC32_INV (1ULL << 56)
#define PMC32_IG_AD (1ULL << 57)
#define PMC36_IGNORE 0xfULL /* opcodes, by channel */
#define PMC38_IGNORE(pair) (1ULL << (3 * (pair) + 1))
#define PMC38_FINE (1ULL << 13)
#define PMC41_CFG 0x18181818ULL /* of the four pairs; */
#define PMC41_NO_DATA (1ULL << 3) /* of the first */
#define PMC41_NO_TAG (2ULL << 3)
#define PMC41_PAIRS (0xfULL << 45)
#define PMC41_FIRST (1ULL << 45)

#define ADDRESS_BITS ((1ULL << 56) - 1) /* of a mask; 1: compared */
#define PLM_ANY (0xfULL << 56) /* of an IBR: at all levels */
#define FINE_BITS 0xffffULL /* fine mode compares them with two bounds */
#define BUNDLE 16

enum { PMC32, PMC33, PMC34, PMC35, PMC36, PMC38, PMC41, IBR, DBR = IBR + 8, NR_REGS = DBR + 2 };

static const struct {
	uint32_t cls;
	uint32_t index;
} places[] = {
	{ MONTECITO_REG_PMC, 32 }, { MONTECITO_REG_PMC, 33 }, { MONTECITO_REG_PMC, 34 },
	{ MONTECITO_REG_PMC, 35 }, { MONTECITO_REG_PMC, 36 }, { MONTECITO_REG_PMC, 38 },
	{ MONTECITO_REG_PMC, 41 }, { MONTECITO_REG_IBR, 0 },  { MONTECITO_REG_IBR, 1 },
	{ MONTECITO_REG_IBR, 2 },  { MONTECITO_REG_IBR, 3 },  { MONTECITO_REG_IBR, 4 },
	{ MONTECITO_REG_IBR, 5 },  { MONTECITO_REG_IBR, 6 },  { MONTECITO_REG_IBR, 7 },
	{ MONTECITO_REG_DBR, 0 },  { MONTECITO_REG_DBR, 1 },
};

/**
 * struct strict_filter - the constraint registers of a vcpu
 * @used: they are in use
 * @before: the guest's own
 * @now: as they were set
 */
struct strict_filter {
	bool used;
	struct montecito_reg before[NR_REGS];
	struct montecito_reg now[NR_REGS];
};

/* ---- which filters ---- */

static bool strict_filter_same_filters(const struct montecito_event_spec *a,
				       const struct montecito_event_spec *b)
{
	const struct montecito_filter *f = &a->filter, *g = &b->filter;

	return (f->flags & FILTERS) == (g->flags & FILTERS) && a->preset == b->preset &&
	       f->mifb == g->mifb && f->opc_match == g->opc_match && f->opc_mask == g->opc_mask &&
	       f->iar_lo == g->iar_lo && f->iar_hi == g->iar_hi && f->dar_lo == g->dar_lo &&
	       f->dar_hi == g->dar_hi;
}

/* Runs that the events would take: those of a class take one for each of its matches. */
static unsigned int strict_filter_runs(const struct montecito_event_spec *specs, size_t nr)
{
	unsigned int n = 0;
	size_t i, j;

	for (i = 0; i < nr; i++) {
		for (j = 0; j < i && !strict_filter_same_filters(&specs[i], &specs[j]); j++)
			;
		if (j == i)
			n += specs[i].preset && specs[i].preset->nr ? specs[i].preset->nr : 1;
	}
	return n;
}

/* Why the event of row @e cannot be filtered as @f asks, or NULL. */
static const char *strict_filter_unfit(const struct mont_event *e, const struct montecito_filter *f)
{
	if ((f->flags & MONTECITO_FILTER_IAR) && !(e->filters & MONT_EVF_IAR))
		return "this event has no instruction range filter";
	if ((f->flags & MONTECITO_FILTER_OPC) && !(e->filters & MONT_EVF_OPC))
		return "this event has no opcode filter";
	if ((f->flags & MONTECITO_FILTER_DAR) && !(e->filters & MONT_EVF_DAR))
		return "this event has no data range filter";
	return NULL;
}

static bool strict_filter_is_power(uint64_t lo, uint64_t hi)
{
	uint64_t size = hi - lo;

	return !(size & (size - 1)) && !(lo & (size - 1));
}

int strict_filter_check(const struct montecito_event_spec *specs, size_t nr,
			const struct mont_event *row, char msg[512])
{
	const struct montecito_filter *f = &specs->filter;
	const char *why = NULL;
	size_t i;

	for (i = 0; i < nr && !why; i++) {
		if (!strict_filter_same_filters(&specs[i], specs))
			why = "address ranges and opcodes belong to all counters together (IBR, "
			      "DBR, PMC32-36), and those of the events differ";
		else if (specs[i].preset && specs[i].preset->nr > 1)
			why = "one matcher (PMC32, PMC33) holds opcodes, and this class has more";
		else
			why = strict_filter_unfit(&row[i], &specs[i].filter);
	}
	if (why && nr && strict_filter_runs(specs, nr) > 1)
		return snprintf(msg, 512, "event %s: %s: it takes %u runs", specs[i - 1].text, why,
				strict_filter_runs(specs, nr)),
		       -EINVAL;
	/* Whole bundles; a range that is no power of two is within 64 KB. */
	if (!why && nr && (f->flags & MONTECITO_FILTER_IAR) &&
	    ((f->iar_lo | f->iar_hi) % BUNDLE ||
	     (!strict_filter_is_power(f->iar_lo, f->iar_hi) &&
	      (f->iar_lo & ~FINE_BITS) != ((f->iar_hi - 1) & ~FINE_BITS))))
		why = "an instruction range is one of bundles: a power of two, aligned to itself, or "
		      "within 64 KB (PMC38.fine)";
	if (!why && nr && (f->flags & MONTECITO_FILTER_DAR) &&
	    !strict_filter_is_power(f->dar_lo, f->dar_hi))
		why = "a data range (DBR) is a power of two, aligned to itself";
	if (!why)
		return 0;
	snprintf(msg, 512, "event %s: %s", specs[i ? i - 1 : 0].text, why);
	return -EINVAL;
}

/* ---- registers ---- */

static void strict_filter_set_range(struct montecito_reg *r, const struct montecito_filter *f)
{
	bool power = strict_filter_is_power(f->iar_lo, f->iar_hi);
	uint64_t size = power ? f->iar_hi - f->iar_lo : FINE_BITS + 1;
	uint64_t mask = (~(size - 1) & ADDRESS_BITS) | PLM_ANY;
	unsigned int pair;

	for (pair = 0; pair < 4; pair++) {
		bool upper = !power && pair > 1;

		r[IBR + 2 * pair].value[0] = upper ? f->iar_hi - BUNDLE : f->iar_lo;
		r[IBR + 2 * pair + 1].value[0] = mask;
		r[PMC38].value[0] &= ~PMC38_IGNORE(pair);
	}
	if (power)
		r[PMC38].value[0] &= ~PMC38_FINE;
	else
		r[PMC38].value[0] |= PMC38_FINE;
}

static void strict_filter_set_all(struct montecito_reg *r, const struct montecito_event_spec *spec)
{
	const struct montecito_filter *f = &spec->filter;
	uint64_t match = f->opc_match, mask = f->opc_mask, mifb = f->mifb;
	unsigned int i;

	if (spec->preset) {
		match = spec->preset->part[0].match;
		mask = spec->preset->part[0].mask;
		mifb = spec->preset->part[0].mifb;
	}
	for (i = PMC32; i <= PMC34; i += 2) {
		r[i].value[0] &= ~(OPC_BITS | MIFB_ANY | PMC32_INV);
		r[i].value[0] |= f->flags & MONTECITO_FILTER_OPC ? mask | mifb << MIFB_SHIFT
								 : OPC_BITS | MIFB_ANY;
		r[i + 1].value[0] = match;
	}
	r[PMC32].value[0] |= PMC32_IG_AD;
	r[PMC36].value[0] |= PMC36_IGNORE;
	if (f->flags & MONTECITO_FILTER_OPC)
		r[PMC36].value[0] &= ~PMC36_IGNORE;
	for (i = 0; i < 4; i++)
		r[PMC38].value[0] |= PMC38_IGNORE(i);
	if (f->flags & MONTECITO_FILTER_IAR) {
		r[PMC32].value[0] &= ~PMC32_IG_AD;
		strict_filter_set_range(r, f);
	}
	r[PMC41].value[0] &= ~(PMC41_PAIRS | PMC41_CFG);
	r[PMC41].value[0] |= PMC41_FIRST;
	if (!(f->flags & MONTECITO_FILTER_DAR))
		r[PMC41].value[0] |= PMC41_NO_DATA;
	if (!(f->flags & (MONTECITO_FILTER_IAR | MONTECITO_FILTER_OPC)))
		r[PMC41].value[0] |= PMC41_NO_TAG;
	if (f->flags & MONTECITO_FILTER_DAR) {
		r[DBR].value[0] = f->dar_lo;
		r[DBR + 1].value[0] = ~(f->dar_hi - f->dar_lo - 1) & ADDRESS_BITS;
	}
}

int strict_filter_start(struct montecito *m, unsigned int vcpu,
			const struct montecito_event_spec *spec)
{
	struct strict_filter *s;
	unsigned int i;
	int err;

	if (!(spec->filter.flags & FILTERS))
		return 0;
	if (!m->strict)
		m->strict = calloc(m->nr_vcpus, sizeof(*m->strict));
	if (!m->strict)
		return -ENOMEM;
	s = &m->strict[vcpu];
	for (i = 0; i < NR_REGS; i++)
		s->before[i] =
			(struct montecito_reg){ .cls = places[i].cls, .index = places[i].index };
	err = montecito_get_regs(m, vcpu, s->before, NR_REGS);
	if (err)
		return err;
	memcpy(s->now, s->before, sizeof(s->now));
	strict_filter_set_all(s->now, spec);
	err = montecito_set_regs(m, vcpu, s->now, NR_REGS);
	/* Reserved bits are not as they were written. */
	if (!err)
		err = montecito_get_regs(m, vcpu, s->now, NR_REGS);
	s->used = !err;
	return err;
}

int montecito_strict_check(struct montecito *m, unsigned int vcpu, char msg[512])
{
	struct strict_filter *s = m->strict ? &m->strict[vcpu] : NULL;
	struct montecito_reg now[NR_REGS];
	unsigned int i;
	int err;

	if (!s || !s->used)
		return 0;
	memcpy(now, s->now, sizeof(now));
	err = montecito_get_regs(m, vcpu, now, NR_REGS);
	if (err) {
		snprintf(msg, 512, "cannot read the PMU: %s", strerror(-err));
		return err;
	}
	for (i = 0; i < NR_REGS; i++) {
		if (now[i].value[0] == s->now[i].value[0])
			continue;
		snprintf(msg, 512, "the program has written %s%u, which constrains the counters",
			 now[i].cls == MONTECITO_REG_PMC   ? "PMC"
			 : now[i].cls == MONTECITO_REG_IBR ? "IBR"
							   : "DBR",
			 now[i].index);
		return -EBUSY;
	}
	return 0;
}

int montecito_strict_stop(struct montecito *m, unsigned int vcpu)
{
	struct strict_filter *s = m->strict ? &m->strict[vcpu] : NULL;

	if (!s || !s->used)
		return 0;
	s->used = false;
	return montecito_set_regs(m, vcpu, s->before, NR_REGS);
}
