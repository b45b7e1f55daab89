/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Other processors' PMUs between the uapi and the model. For both hosts, as convert.h. Called by
 * block.c and by libmontecito (inproc_pmu.c).
 */
#ifndef MHOST_PMU_CONVERT_H
#define MHOST_PMU_CONVERT_H

#include "convert.h"
#include "../model/pmu/block.h"

/* A register and its value are the same in both: arrays of them are not copied. */
static_assert(sizeof(struct montecito_pmu_reg) == sizeof(struct mont_block_reg), "pmu_reg");
static_assert(offsetof(struct montecito_pmu_reg, value) == offsetof(struct mont_block_reg, value),
	      "pmu_reg.value");
static_assert(MONTECITO_PMU_MERCED == MONT_BLOCK_MERCED, "PMU_MERCED");
static_assert(MONTECITO_PMU_PEBS == MONT_BLOCK_PEBS, "PMU_PEBS");
static_assert(MONTECITO_PMU_EV68A == MONT_BLOCK_EV68A, "PMU_EV68A");
static_assert(MONTECITO_PMU_REG_IPR == MONT_BLOCK_REG_IPR, "PMU_REG_IPR");
static_assert(MONTECITO_PMU_CAUSE_WINDOW == MONT_BLOCK_WINDOW, "PMU_CAUSE_WINDOW");
static_assert(MONTECITO_PMU_REG_MSR == MONT_BLOCK_REG_MSR, "PMU_REG_MSR");
static_assert(MONTECITO_PMU_REG_DS == MONT_BLOCK_REG_DS, "PMU_REG_DS");
static_assert(MONTECITO_PMU_REG_OWN == MONT_BLOCK_REG_OWN, "PMU_REG_OWN");
static_assert(MONTECITO_PMU_CAUSE_ASSIST == MONT_BLOCK_ASSIST, "PMU_CAUSE_ASSIST");
static_assert(MONTECITO_PMU_CAUSE_THRESHOLD == MONT_BLOCK_THRESHOLD, "PMU_CAUSE_THRESHOLD");
static_assert(MONTECITO_PMU_RELOADS == MONT_BLOCK_RELOADS, "PMU_RELOADS");
static_assert(MONTECITO_LIKE_NONE == (int)MONT_LIKE_NONE, "LIKE_NONE");
static_assert(MONTECITO_LIKE_SAME == (int)MONT_LIKE_SAME, "LIKE_SAME");
static_assert(MONTECITO_LIKE_ANALOGUE == (int)MONT_LIKE_ANALOGUE, "LIKE_ANALOGUE");

/* PMDs that a record can have. */
#define MHOST_PMU_NR_PMDS 18
#define MHOST_PMU_PMDS ((1ULL << MHOST_PMU_NR_PMDS) - 1)

/* A record with the most values. */
union mhost_pmu_record {
	struct montecito_record_pmu r;
	u8 raw[sizeof(struct montecito_record_pmu) + MONT_BLOCK_VALUES * sizeof(__u64)];
};

static_assert(1 + MHOST_PMU_NR_PMDS <= MONT_BLOCK_VALUES, "PMC0 and all PMDs go with an interrupt");

/* The model's part of PMU_ADD. Return: 0, or MONT_EINVAL with *@why. */
static inline int mhost_block_in(const struct montecito_pmu_add *a, struct mont_block *b,
				 const char **why)
{
	u32 i;

	if (a->pad) {
		*why = "pad must be 0";
		return MONT_EINVAL;
	}
	if (a->nr_reload > MONT_BLOCK_RELOADS) {
		*why = "an interrupt reloads eight registers at most";
		return MONT_EINVAL;
	}
	if (a->sample_pmds &
	    (a->flags & MONTECITO_PMU_SAMPLE && a->kind == MONTECITO_PMU_MERCED ? ~MHOST_PMU_PMDS
										: ~0ULL)) {
		*why = "sample_pmds goes with PMU_SAMPLE of PMU_MERCED, and has PMD0 to PMD17";
		return MONT_EINVAL;
	}
	b->flags = (a->flags & MONTECITO_PMU_STOP ? MONT_BLOCK_STOP : 0) |
		   (a->flags & MONTECITO_PMU_ISM_AS_PRINTED ? MONT_BLOCK_ISM_AS_PRINTED : 0) |
		   (a->flags & MONTECITO_PMU_FOLLOW_PSR ? MONT_BLOCK_FOLLOW_PSR : 0);
	b->pmds = a->sample_pmds;
	b->nr_reload = a->nr_reload;
	for (i = 0; i < a->nr_reload; i++)
		b->reload[i] = (struct mont_block_reg){ a->reload[i].cls, a->reload[i].index,
							a->reload[i].value };
	return 0;
}

/* Make the record of what @b tells. */
static inline void mhost_pmu_record(const struct mont_block *b, u32 kind, u32 vcpu,
				    union mhost_pmu_record *u)
{
	struct montecito_record_pmu *r = &u->r;
	u32 n;

	*r = (struct montecito_record_pmu){
		.header.type = MONTECITO_RECORD_PMU,
		.header.misc = kind,
		.header.size = sizeof(*r) + b->nr_values * sizeof(r->value[0]),
		.id = b->id,
		.vcpu = vcpu,
		.clock = b->at.clock,
		.cycles = b->at.cycles,
		.insns = b->at.insns,
		.ip = b->at.ip,
		.slot = b->at.slot,
		.cpl = b->at.cpl,
		.cause = b->cause,
		.pmds = b->pmds,
	};
	for (n = 0; n < b->nr_values; n++)
		r->value[n] = b->value[n];
}

static inline u32 mhost_pmu_filters(const struct mont_event *e)
{
	return (e->filters & MONT_EVF_IAR ? MONTECITO_FILTER_IAR : 0) |
	       (e->filters & MONT_EVF_OPC ? MONTECITO_FILTER_OPC : 0) |
	       (e->filters & MONT_EVF_DAR ? MONTECITO_FILTER_DAR : 0);
}

static inline void mhost_pmu_event_out(const struct mont_block_event *row,
				       struct montecito_pmu_describe *d)
{
	const char *why = mont_event_refusal(&row->e, MONT_HAS_TIME | MONT_HAS_CASTOUTS);

	d->code = row->e.code;
	d->umask = row->e.umask;
	d->counters = row->e.counters;
	d->max_inc = row->e.max_inc;
	d->likeness = row->likeness;
	d->needs_time = row->e.needs_time;
	d->filters = mhost_pmu_filters(&row->e);
	mhost_text(d->name, row->e.name, sizeof(d->name));
	mhost_text(d->row, row->row, sizeof(d->row));
	mhost_text(d->why, why ? why : "", sizeof(d->why));
	mhost_text(d->text, row->definition, sizeof(d->text));
}

static inline void mhost_pmu_register_out(const struct mont_block_register *r,
					  struct montecito_pmu_describe *d)
{
	d->code = r->class;
	d->umask = r->index;
	d->count = r->count;
	d->likeness = r->refusal ? MONTECITO_LIKE_NONE : MONTECITO_LIKE_SAME;
	d->bits = r->bits;
	mhost_text(d->name, r->name, sizeof(d->name));
	mhost_text(d->why, r->refusal ? r->refusal : "", sizeof(d->why));
	mhost_text(d->text, r->fields, sizeof(d->text));
}

/* PMU_DESCRIBE. Return: 0, or what the uapi says. */
static inline int mhost_pmu_describe_out(struct montecito_pmu_describe *d)
{
	const struct mont_block_ops *kind = mont_block_kind(d->kind);
	const struct mont_block_register *r;
	const struct mont_block_event *e;

	if (!kind)
		return MONT_EINVAL;
	*d = (struct montecito_pmu_describe){
		.size = d->size, .flags = d->flags, .kind = d->kind, .index = d->index
	};
	if (d->flags & MONTECITO_PMU_EVENT) {
		e = kind->event(d->index);
		if (e)
			mhost_pmu_event_out(e, d);
		return e ? 0 : MONT_ENOENT;
	}
	r = kind->reg(d->index);
	if (r)
		mhost_pmu_register_out(r, d);
	return r ? 0 : MONT_ENOENT;
}

#endif
