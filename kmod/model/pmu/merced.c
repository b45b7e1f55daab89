// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU of the original Itanium: registers, four counters of 32 bits, overflow and freeze; its
 * units are in merced_ear.c and merced_btb.c
 * (Itanium Processor Reference Manual, 6.1.3 and 6.2). A monitor counts where its plm has the
 * level, PSR.up or by pm PSR.pp is set, its ism takes IA-64 code, and PMC0.fr is 0. The bits
 * of PSR are the block's own, or with MONT_BLOCK_FOLLOW_PSR the guest's: an interruption gives
 * PSR.pp the value of DCR.pp (6.1.3.2).
 */
#include "internal.h"
#include "merced.h"
#include "merced_btb.h"
#include "merced_ear.h"
#include "merced_events.h"
#include "merced_qualify.h"

#define TRACE_FIRST 8 /* PMD8 */
#define TRACE_INDEX 16 /* PMD16 */
#define COUNTERS MONT_MERCED_IEAR /* the units follow */
#define FIRST 4 /* PMC4 and PMD4 are those of counter 0 */
#define COUNT_BITS 32
#define COUNT_MASK (MONT_BIT(COUNT_BITS) - 1)
#define UNITS 10 /* PMC10 is that of the first unit */
#define ISM_SHIFT 24
#define ISM_PRINTED 1 /* IA-64 as 6.1.3.3 has it */
#define ISM_IA64 2 /* IA-64 as later processors have it */

#define REGISTER_RW NULL
#define REGISTER_RO "it can only be read"

static const struct mont_block_register registers[] = {
#define MONT_REGISTER(cls, first, number, nm, bts, status, flds) \
	{                                                        \
		.class = MONT_REG_##cls,                         \
		.index = first,                                  \
		.count = number,                                 \
		.name = nm,                                      \
		.bits = bts,                                     \
		.fields = flds,                                  \
		.refusal = REGISTER_##status,                    \
	},
#include "merced_registers.def"
#undef MONT_REGISTER
};

static const struct mont_block_register *merced_register(u32 index)
{
	return index < MONT_ARRAY_SIZE(registers)
		       ? &registers[mont_nospec(index, MONT_ARRAY_SIZE(registers))]
		       : NULL;
}

static const struct mont_block_register *merced_find(u32 class, u32 index)
{
	return mont_block_row(registers, MONT_ARRAY_SIZE(registers), class, index);
}

static void merced_reset(struct mont_block *block)
{
	block->r.merced = (struct mont_merced){
		.pmc[8] = ~0ULL,
		.pmc[9] = ~0ULL,
		.pmc[11] = MONT_MERCED_PT,
		.pmc[13] = MONT_MERCED_TA,
		.psr = MONT_PSR_UP | MONT_PSR_PP,
	};
	mont_data_ear_reset(&block->counter[MONT_MERCED_DEAR].ear.state);
}

/* Where the value of register @index of @class is; the table has it. */
static u64 *merced_place(struct mont_merced *m, u32 class, u32 index)
{
	switch (class) {
	case MONT_REG_PMC:
		return &m->pmc[mont_nospec(index, MONT_ARRAY_SIZE(m->pmc))];
	case MONT_REG_PMD:
		return &m->pmd[mont_nospec(index, MONT_ARRAY_SIZE(m->pmd))];
	case MONT_REG_IBR:
		return &m->ibr[mont_nospec(index, MONT_ARRAY_SIZE(m->ibr))];
	case MONT_REG_DBR:
		return &m->dbr[mont_nospec(index, MONT_ARRAY_SIZE(m->dbr))];
	default:
		return &m->psr;
	}
}

static bool merced_is_counter(u32 index)
{
	return index >= FIRST && index < FIRST + COUNTERS;
}

static u64 merced_get(struct mont_block *block, u32 class, u32 index)
{
	u64 v = *merced_place(&block->r.merced, class, index);

	if (class == MONT_REG_PMD && index >= TRACE_FIRST && index <= TRACE_INDEX)
		return mont_merced_btb_read(&block->r.merced, index);
	if (class == MONT_REG_SPECIAL && (block->flags & MONT_BLOCK_FOLLOW_PSR))
		return block->t->s.psr & (MONT_PSR_UP | MONT_PSR_PP);
	return class == MONT_REG_PMD && merced_is_counter(index) ? (u64)mont_sext(v, COUNT_BITS)
								 : v;
}

static int merced_set(struct mont_block *block, const struct mont_block_register *r, u32 index,
		      u64 value, const char **why)
{
	value &= r->bits;
	if (r->refusal) {
		*why = r->refusal;
		return MONT_EPERM;
	}
	if (r->class == MONT_REG_SPECIAL && (block->flags & MONT_BLOCK_FOLLOW_PSR)) {
		*why = "the monitors go by the guest's PSR: the block's own bits up and pp are not used";
		return MONT_EPERM;
	}
	if (r->class == MONT_REG_PMD && index == TRACE_INDEX) {
		mont_merced_btb_write(&block->r.merced, value);
		return 0;
	}
	/* A sum of another event means nothing. */
	if (r->class == MONT_REG_PMC && merced_is_counter(index))
		block->counter[index - FIRST].sums = (struct mont_sums){};
	*merced_place(&block->r.merced, r->class, index) = value;
	block->version++;
	return 0;
}

static const struct mont_block_event *merced_select(const struct mont_merced *m, unsigned int n)
{
	u64 pmc = m->pmc[FIRST + n];

	return mont_merced_lookup(mont_bits(pmc, MONT_PMC_ES_SHIFT, 7),
				  mont_bits(pmc, MONT_PMC_UMASK_SHIFT, 4));
}

/* Why @e cannot be filtered as the registers say, or NULL. */
static const char *merced_unfit(const struct mont_merced *m, const struct mont_event *e)
{
	u8 filters = mont_merced_filters(m, e);

	/* Signals that are raised without time as well are an instruction's. */
	if (e->signal >= MONT_SIG_CYCLE && !mont_signal_ranged(e->signal) &&
	    (filters & (MONT_FILTER_IAR | MONT_FILTER_OPC)))
		return "no source defines an instruction range for dispersal and its cycles";
	if ((filters & MONT_FILTER_DAR) && mont_signal_kind(e->signal) != MONT_ATTR_DATA &&
	    mont_signal_kind(e->signal) != MONT_ATTR_FETCH)
		return "a data range does not apply: a page walk has no data address";
	return NULL;
}

/* The PMC of listener @n: PMC4-7, PMC10-12. */
static u64 merced_control(const struct mont_merced *m, unsigned int n)
{
	return m->pmc[n < COUNTERS ? FIRST + n : UNITS + n - COUNTERS];
}

/* As merced_check(), of unit @n, which its PMC, @pmc, switches on. */
static int merced_check_unit(const struct mont_block *block, unsigned int n, u64 pmc,
			     const char **why)
{
	bool timed;

	if (n == MONT_MERCED_BTB) {
		timed = mont_etb_predicts(mont_merced_btb_setting(pmc));
		*why = mont_merced_btb_refused(pmc);
	} else {
		timed = mont_merced_ear_timed(n, pmc);
		*why = mont_merced_ear_invalid(n, pmc);
		if (*why)
			return MONT_EINVAL;
	}
	if (!*why && timed && !(mont_pmu_has(block->t) & MONT_HAS_TIME))
		*why = "what this unit is to capture needs the timing model";
	return *why ? MONT_EOPNOTSUPP : 0;
}

static int merced_check(const struct mont_block *block, unsigned int n, const char **why)
{
	const struct mont_merced *m = &block->r.merced;
	const struct mont_block_event *row;
	u64 pmc = merced_control(m, n);
	u32 has = mont_pmu_has(block->t);

	if (!(pmc & MONT_PMC_PLM))
		return 0;
	if (n >= COUNTERS)
		return merced_check_unit(block, n, pmc, why);
	row = merced_select(m, n);
	if (!row) {
		*why = "no event has this code and unit mask";
		return MONT_ENOENT;
	}
	*why = mont_event_refusal(&row->e, has);
	if (*why)
		return MONT_EOPNOTSUPP;
	if (!(row->e.counters >> (FIRST + n) & 1)) {
		*why = "only PMC4 and PMC5 can select this event";
		return MONT_EINVAL;
	}
	if (mont_bits(pmc, MONT_PMC_THRESHOLD_SHIFT, 3) && !(has & MONT_HAS_TIME)) {
		*why = "thresholds need the timing model: without it there are no issue groups";
		return MONT_EOPNOTSUPP;
	}
	*why = merced_unfit(m, &row->e);
	return *why ? MONT_EOPNOTSUPP : 0;
}

/* True if ism takes IA-64 code, the only code there is. */
static bool merced_is_ia64_taken(const struct mont_block *block, u64 pmc)
{
	unsigned int ism = mont_bits(pmc, ISM_SHIFT, 2);

	return !ism || ism == (block->flags & MONT_BLOCK_ISM_AS_PRINTED ? ISM_PRINTED : ISM_IA64);
}

/*
 * True if PSR lets a monitor with @pmc count: as far as the block can tell, *@psr is the bit that
 * must be set in the guest's, or 0.
 */
static bool merced_is_monitored(const struct mont_block *block, u64 pmc, u64 *psr)
{
	u64 bit = pmc & MONT_PMC_PM ? MONT_PSR_PP : MONT_PSR_UP;
	bool follows = block->flags & MONT_BLOCK_FOLLOW_PSR;

	*psr = follows ? bit : 0;
	return follows || (block->r.merced.psr & bit);
}

/* The event of unit @n, and what of PMC12 selects branches. */
static const struct mont_event *merced_unit_event(struct mont_block *block, unsigned int n, u64 pmc,
						  struct mont_filter *f)
{
	struct mont_event *e = &block->unit[n - COUNTERS];

	if (n != MONT_MERCED_BTB) {
		mont_merced_ear_event(n, pmc, e);
		return e;
	}
	*e = (struct mont_event){ .signal = MONT_SIG_BRANCH_RETIRED,
				  .cond = MONT_COND_TRACED,
				  .filters = MONT_EVF_IAR | MONT_EVF_OPC };
	f->etb = mont_merced_btb_setting(pmc);
	return e;
}

static bool merced_arm(struct mont_block *block, unsigned int n)
{
	struct mont_observer *o = &block->counter[n];
	const struct mont_merced *m = &block->r.merced;
	u64 pmc = merced_control(m, n);

	if ((m->pmc[0] & MONT_PMC0_FR) || !(pmc & MONT_PMC_PLM) ||
	    !merced_is_ia64_taken(block, pmc) || !merced_is_monitored(block, pmc, &o->psr))
		return false;
	o->filter = (struct mont_filter){ .plm = pmc & MONT_PMC_PLM };
	if (n < COUNTERS) {
		o->event = &merced_select(m, n)->e;
		o->filter.threshold = mont_bits(pmc, MONT_PMC_THRESHOLD_SHIFT, 3);
		o->period = MONT_BIT(COUNT_BITS);
		o->until = o->period - m->pmd[FIRST + n];
	} else {
		/* Each capture is told at once. */
		o->event = merced_unit_event(block, n, pmc, &o->filter);
		o->period = 1;
		o->until = 1;
		o->trace = m->btb;
	}
	o->filter.flags = mont_merced_filters(m, o->event);
	if (o->event->cond == MONT_COND_TRACED)
		o->filter.flags |= MONT_FILTER_ETB;
	o->channel = mont_merced_tag(o->event);
	return true;
}

static void merced_settle(struct mont_block *block, unsigned int n, u64 count)
{
	u64 *pmd;

	if (n >= COUNTERS) {
		if (n == MONT_MERCED_BTB)
			block->r.merced.btb = block->counter[n].trace;
		return;
	}
	pmd = &block->r.merced.pmd[FIRST + n];
	*pmd = (*pmd + count) & COUNT_MASK;
}

/* Events that count the captures of the units */
static const u8 unit_code[MONT_BLOCK_UNITS] = { 0x23, 0x67, 0x11 };

static void merced_capture(struct mont_block *block, unsigned int n,
			   const struct mont_occurrence *at)
{
	struct mont_merced *m = &block->r.merced;
	unsigned int i, code = unit_code[n - COUNTERS];

	if (n != MONT_MERCED_BTB)
		mont_merced_ear_capture(m, &block->counter[n], at);
	for (i = 0; i < COUNTERS; i++)
		if (mont_bits(m->pmc[FIRST + i], MONT_PMC_ES_SHIFT, 7) == code)
			mont_block_count(block, i, at);
}

/* PMC0 and the PMDs that the host asks for. */
static void merced_values(struct mont_block *block)
{
	u64 left;

	block->nr_values = 0;
	block->value[block->nr_values++] = block->r.merced.pmc[0];
	for (left = block->pmds; left; left &= left - 1)
		block->value[block->nr_values++] =
			merced_get(block, MONT_REG_PMD, __builtin_ctzll(left));
}

static void merced_serve(struct mont_block *block, u32 over)
{
	struct mont_merced *m = &block->r.merced;
	bool frozen = m->pmc[0] & MONT_PMC0_FR;
	u32 left;

	m->pmc[0] |= over << FIRST;
	for (left = over; left; left &= left - 1)
		if (m->pmc[FIRST + __builtin_ctz(left)] & MONT_PMC_OI)
			m->pmc[0] |= MONT_PMC0_FR;
	if (frozen || !(m->pmc[0] & MONT_PMC0_FR))
		return;
	merced_values(block);
	mont_block_interrupt(block, over << FIRST);
}

const struct mont_block_ops mont_merced_ops = {
	.name = "merced",
	.counters = COUNTERS,
	.listeners = MONT_MERCED_BTB + 1,
	.flags = MONT_BLOCK_STOP | MONT_BLOCK_ISM_AS_PRINTED | MONT_BLOCK_FOLLOW_PSR,
	.reset = merced_reset,
	.find = merced_find,
	.get = merced_get,
	.set = merced_set,
	.check = merced_check,
	.arm = merced_arm,
	.settle = merced_settle,
	.capture = merced_capture,
	.channel = mont_merced_tagged,
	.pass = mont_merced_pass,
	.serve = merced_serve,
	.reg = merced_register,
	.event = mont_merced_event,
};
