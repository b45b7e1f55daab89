/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Filters, periods and samples between the uapi and the model. For both hosts, as convert.h.
 * Called by observer.c and by libmontecito (inproc_vcpu.c).
 */
#ifndef MHOST_SAMPLE_CONVERT_H
#define MHOST_SAMPLE_CONVERT_H

#include "convert.h"
#include "../model/pmu/chain.h"
#include "../model/pmu/observer.h"

/*
 * The most occurrences between two samples: as far as a counter of 47 bits goes
 * [table 3-7]. No sum of two of them is near 2^63.
 */
#define MHOST_MAX_PERIOD (MONT_BIT(47) - 1)

/* Check an observer's period: 0, or MONT_EINVAL with *@why. */
static inline int mhost_period_check(u64 period, const char **why)
{
	if (period <= MHOST_MAX_PERIOD)
		return 0;
	*why = "a period is at most 2^47 - 1";
	return MONT_EINVAL;
}

/* Check an observer's random intervals: 0, or MONT_EINVAL with *@why. */
static inline int mhost_random_check(const struct montecito_observer_add *a, const char **why)
{
	if (a->random_mask && !(a->flags & MONTECITO_OBSERVER_SAMPLE))
		*why = "random intervals go with sampling only";
	else if (a->random_seed && !a->random_mask)
		*why = "a seed goes with a mask of random bits only";
	else if (a->random_mask && a->random_mask >= a->period)
		*why = "a mask of random bits must be below the period";
	else if (a->random_mask && a->period >> 46)
		*why = "a period with random bits is below 2^46";
	else
		return 0;
	return MONT_EINVAL;
}

/*
 * The model's filter of the uapi's. Return: 0, MONT_EINVAL for a field that
 * must be zero or out of range, MONT_EOPNOTSUPP for what the model has not got,
 * both with *@why.
 */
static inline int mhost_filter_in(const struct montecito_filter *f, struct mont_filter *m,
				  const char **why)
{
	unsigned int i;

	for (i = 0; i < sizeof(f->reserved) / sizeof(__u64); i++) {
		if (f->reserved[i]) {
			*why = "a word in reserve is not zero";
			return MONT_EINVAL;
		}
	}
	if (f->pad) {
		*why = "padding is not zero";
		return MONT_EINVAL;
	}
	if (f->scope > MONTECITO_SCOPE_PACKAGE || f->mesi > 0xf) {
		*why = "scope goes from 0 to 2 and mesi has 4 bits";
		return MONT_EINVAL;
	}
	if (f->ear > MONTECITO_EAR_INSN_TLB ||
	    (f->ear <= MONTECITO_EAR_DATA_ALAT && f->ear_umask > 0xf)) {
		*why = "ear goes from 0 to 5 and the unit mask of a data EAR has 4 bits";
		return MONT_EINVAL;
	}
	if (f->scope) {
		*why = "the model counts a single thread's events only";
		return MONT_EOPNOTSUPP;
	}
	if (f->latency) {
		*why = "a data EAR's unit mask is the only filter by latency";
		return MONT_EOPNOTSUPP;
	}
	if (f->mesi && f->mesi != 0xf) {
		*why = "no event that is counted has line states";
		return MONT_EOPNOTSUPP;
	}
	if (f->etb >> 16) {
		*why = "a setting of the trace buffer has ds, tm, ptm, ppm and brt of PMC39 alone";
		return MONT_EINVAL;
	}
	*m = (struct mont_filter){
		.code = f->code,
		.umask = f->umask,
		.plm = f->plm,
		.threshold = f->threshold,
		.flags = f->flags,
		.nr_opc = f->flags & MONTECITO_FILTER_OPC ? 1 : 0,
		.ear = f->ear,
		.ear_umask = f->ear_umask,
		.iar_lo = f->iar_lo,
		.iar_hi = f->iar_hi,
		.dar_lo = f->dar_lo,
		.dar_hi = f->dar_hi,
		.opc = { { f->opc_match, f->opc_mask, f->mifb } },
		.etb = f->etb,
	};
	return 0;
}

/*
 * The matches of OBSERVER_ADD, in the place of the one of its filter, which is in @m. Return: 0,
 * or MONT_EINVAL with *@why.
 */
static inline int mhost_matches_in(const struct montecito_observer_add *a,
				   const struct montecito_opc_match *match, struct mont_filter *m,
				   const char **why)
{
	u32 i;

	if (!a->nr_matches)
		return 0;
	if (!(a->filter.flags & MONTECITO_FILTER_OPC) || a->filter.opc_match ||
	    a->filter.opc_mask || a->filter.mifb) {
		*why = "several opcode matches go with FILTER_OPC, and without one in the filter";
		return MONT_EINVAL;
	}
	for (i = 0; i < a->nr_matches; i++) {
		if (match[i].pad || match[i].mifb > 0xf) {
			*why = "unit types of an opcode match are some of mifb, its pad is 0";
			return MONT_EINVAL;
		}
		m->opc[i] = (struct mont_opcode){ match[i].match, match[i].mask, match[i].mifb };
	}
	m->nr_opc = a->nr_matches;
	return 0;
}

/* The fixed part of a sample: where the vcpu is. */
static inline void mhost_sample_out(const struct mont_sample *w, u32 vcpu, u16 misc,
				    struct montecito_record_sample *s)
{
	s->header.type = MONTECITO_RECORD_SAMPLE;
	s->header.misc = misc;
	s->header.size = sizeof(*s);
	s->clock = w->clock;
	s->cycles = w->cycles;
	s->insns = w->insns;
	s->ip = w->ip;
	s->slot = w->slot;
	s->cpl = w->cpl;
	s->cause = w->cause;
	s->vcpu = vcpu;
}

/* PMD or PMC @index as a mov at level 0 reads it; 0 for one that is not there. */
static inline u64 mhost_pm_read(struct mont_thread *t, u32 cls, u32 index)
{
	u64 v[2] = { 0 };

	return mont_reg_get(t, cls, index, v) ? 0 : v[0];
}

/* PMDs that a record can hold, and those that an overflow's does by itself. */
#define MHOST_SAMPLE_PMDS 0xffff00df0000fff0ULL
#define MHOST_SAMPLE_PMDS_DEFAULT 0xfff0ULL

/* Bits of counters PMD4-15 in masks and in PMC0. */
#define MHOST_COUNTERS 0xfff0ULL

/**
 * struct mhost_sampling - what overflows of a vcpu's counters do
 * @set: bit n: MONTECITO_PMU_SAMPLING was called for PMDn
 * @reload: bit n: with PMU_RELOAD
 * @sample_pmds: by counter, as given
 * @reset_pmds: by counter, as given
 * @value: by counter, what it is reloaded with
 */
struct mhost_sampling {
	u32 set;
	u32 reload;
	u64 sample_pmds[16];
	u64 reset_pmds[16];
	u64 value[16];
};

/* Take over a call of MONTECITO_PMU_SAMPLING. Return: 0 or MONT_EINVAL. */
static inline int mhost_sampling_set(struct mhost_sampling *c,
				     const struct montecito_pmu_sampling *p, u32 counter)
{
	bool reload = p->flags & MONTECITO_PMU_RELOAD;

	if (p->pad || p->counter < 4 || p->counter > 15 || p->sample_pmds & ~MHOST_SAMPLE_PMDS ||
	    p->reset_pmds & ~MHOST_COUNTERS || p->reload >> 47 ||
	    (!reload && (p->reset_pmds || p->reload)))
		return MONT_EINVAL;
	c->set |= 1U << counter;
	c->reload = (c->reload & ~(1U << counter)) | (u32)reload << counter;
	c->sample_pmds[counter] = p->sample_pmds;
	c->reset_pmds[counter] = p->reset_pmds;
	c->value[counter] = p->reload;
	return 0;
}

/* The PMDs of @pmds behind the fixed part of a record. */
static inline void mhost_sample_pmds(struct mont_thread *t, u64 pmds,
				     struct montecito_record_sample *s, __u64 *value)
{
	u32 i, n = 0;

	for (i = 0; i < 64; i++)
		if (pmds >> i & 1)
			value[n++] = mhost_pm_read(t, MONT_REG_PMD, i);
	s->pmds = pmds;
	s->header.size += n * sizeof(*value);
}

/* PMD32, 33 and 36: the data EAR's. */
#define MHOST_CAPTURE_PMDS 0x1300000000ULL

/*
 * Check that @pmds, of an observer's samples, are those of an EAR or a trace buffer of its
 * own: 0, or MONT_EINVAL with *@why.
 */
static inline int mhost_pmds_check(const struct mont_filter *f, u64 pmds, const char **why)
{
	if (!(pmds & ~mont_filter_pmds(f)))
		return 0;
	*why = "an observer's samples have the PMDs of its own EAR or trace buffer only";
	return MONT_EINVAL;
}

/* Check an observer's call chains: 0, or MONT_EINVAL with *@why. */
static inline int mhost_chain_check(const struct montecito_observer_add *a, const char **why)
{
	bool chain = a->flags & MONTECITO_OBSERVER_CALLCHAIN;

	if (chain && !(a->flags & MONTECITO_OBSERVER_SAMPLE))
		*why = "call chains go with sampling only";
	else if (!chain != !a->max_callchain || a->max_callchain > MONTECITO_MAX_CALLCHAIN)
		*why = "max_callchain is 1 to INFO's with OBSERVER_CALLCHAIN, else 0";
	else
		return 0;
	return MONT_EINVAL;
}

/* Write the calls that led to @t, up to @most, behind the record's PMDs. */
static inline void mhost_chain_out(struct mont_thread *t, u32 most,
				   struct montecito_record_sample *s)
{
	__u64 *value = (__u64 *)((char *)s + s->header.size);
	u32 n;

	if (!most)
		return;
	n = mont_chain_read(t, (u64 *)value + 1, most);
	value[0] = n;
	s->format |= MONTECITO_SAMPLE_CALLCHAIN;
	s->header.size += (1 + n) * sizeof(*value);
}

/* The level that served the load of @at, which LOAD_SERVED tells of; else 0. */
static inline u8 mhost_level(const struct mont_occurrence *at, const struct mont_sample *w)
{
	static const u8 level[] = {
		[MONT_SERVED_L2D] = MONTECITO_LEVEL_L2D,
		[MONT_SERVED_PENDING] = MONTECITO_LEVEL_PENDING,
		[MONT_SERVED_L3] = MONTECITO_LEVEL_L3,
		[MONT_SERVED_MEMORY] = MONTECITO_LEVEL_MEMORY,
		[MONT_SERVED_MEMORY_OWN] = MONTECITO_LEVEL_MEMORY,
		[MONT_SERVED_UNCACHED] = MONTECITO_LEVEL_UNCACHED,
		[MONT_SERVED_PORT] = MONTECITO_LEVEL_UNCACHED,
	};

	if (at->sig != MONT_SIG_LOAD_SERVED)
		return 0;
	return level[w->served];
}

/* Behind PMD32, the data address, write where it lies, and say what served it. */
static inline void mhost_data_out(const struct mont_occurrence *at, const struct mont_sample *w,
				  struct montecito_record_sample *s)
{
	__u64 *value = (__u64 *)((char *)s + s->header.size);

	s->level = mhost_level(at, w);
	if (!(s->pmds >> 32 & 1) || !at->ref || at->ref->pa == MONT_PA_NONE)
		return;
	*value = at->ref->pa;
	s->format |= MONTECITO_SAMPLE_PHYSICAL;
	s->header.size += sizeof(*value);
}

/* Write @pmds, of the EAR or trace buffer of @o, behind the fixed part of a record. */
static inline void mhost_capture_pmds(const struct mont_observer *o, u64 pmds,
				      struct montecito_record_sample *s, __u64 *value)
{
	u64 left;
	u32 n = 0;

	for (left = pmds; left; left &= left - 1)
		value[n++] = mont_observer_pmd(o, __builtin_ctzll(left));
	s->pmds = pmds;
	s->header.size += n * sizeof(*value);
}

/* Select the PMDs of an overflow's record. */
static inline u64 mhost_overflow_pmds(const struct mhost_sampling *c, u64 pmc0)
{
	u64 hit = pmc0 & MHOST_COUNTERS, pmds = 0;
	u32 i;

	for (i = 4; i < 16; i++)
		if (hit >> i & 1)
			pmds |= c->set >> i & 1 ? c->sample_pmds[i] : MHOST_SAMPLE_PMDS_DEFAULT;
	return pmds;
}

/* Reload and unfreeze, if all that overflowed ask for it. Return: the counters reloaded. */
static inline u64 mhost_overflow_reload(struct mont_thread *t, const struct mhost_sampling *c,
					u64 pmc0)
{
	u64 hit = pmc0 & MHOST_COUNTERS, all = hit, v[2] = { 0 };
	u32 i;

	if (!hit || hit & ~(u64)c->reload)
		return 0;
	for (i = 4; i < 16; i++)
		if (hit >> i & 1)
			all |= c->reset_pmds[i];
	for (i = 4; i < 16; i++) {
		if (!(all >> i & 1))
			continue;
		v[0] = c->value[i];
		mont_reg_set(t, MONT_REG_PMD, i, v);
	}
	v[0] = 0;
	mont_reg_set(t, MONT_REG_PMC, 0, v);
	return all;
}

#endif
