// SPDX-License-Identifier: GPL-2.0-only
/*
 * An IA-32 processor's PMU with precise sampling and load latency: registers and counters of
 * 48 bits (IA-32 SDM volume 3B, 18.8). Overflows are in pebs_assist.c, tagged loads in
 * pebs_latency.c. Level 3 is what usr counts, the others are what os does.
 */
#include "pebs.h"
#include "internal.h"
#include "pebs_assist.h"
#include "pebs_events.h"
#include "pebs_latency.h"
#include "pebs_uncore.h"

/* IA32_PERFEVTSEL */
#define UMASK_SHIFT 8
#define USR MONT_BIT(16)
#define OS MONT_BIT(17)
#define EDGE MONT_BIT(18)
#define PC MONT_BIT(19)
#define ANY MONT_BIT(21)
#define EN MONT_BIT(22)
#define BY_CYCLE 0xff800000ULL /* inv, cmask */
#define PRINTED 0x100 /* event and umask of latency, as 18.8.1.2 prints it */

/* IA32_FIXED_CTR_CTRL, for each counter */
#define FIXED_BITS 4
#define FIXED_OS MONT_BIT(0)
#define FIXED_USR MONT_BIT(1)
#define FIXED_ANY MONT_BIT(2)
#define FIXED_PMI MONT_BIT(3)
#define FIXED_ANY_ALL 0x444ULL

#define PLM_USR 8
#define PLM_OS 7

/* Numbers of MSRs */
#define MSR_PMC 0x0c1
#define MSR_EVTSEL 0x186
#define MSR_FIXED 0x309
#define MSR_FIXED_CTRL 0x38d
#define MSR_STATUS 0x38e
#define MSR_CTRL 0x38f
#define MSR_OVF_CTRL 0x390
#define MSR_ENABLE 0x3f1
#define MSR_LATENCY 0x3f6
#define MSR_DS_AREA 0x600

#define DS_FIRST 0x20
#define OWN_LOST 0

#define REGISTER_RW NULL
#define REGISTER_RO "it can only be read"

static const struct mont_block_register registers[] = {
#define MONT_REGISTER(cls, first, number, nm, bts, status, flds) \
	{                                                        \
		.class = MONT_BLOCK_REG_##cls,                   \
		.index = first,                                  \
		.count = number,                                 \
		.name = nm,                                      \
		.bits = bts,                                     \
		.fields = flds,                                  \
		.refusal = REGISTER_##status,                    \
	},
#include "pebs_registers.def"
#undef MONT_REGISTER
};

/* Events of the fixed counters: code and unit mask. */
static const u8 fixed_events[3][2] = { { 0xc0, 0 }, { 0x3c, 0 }, { 0x3c, 1 } };

static const struct mont_block_register *pebs_register(u32 index)
{
	return index < MONT_ARRAY_SIZE(registers)
		       ? &registers[mont_nospec(index, MONT_ARRAY_SIZE(registers))]
		       : NULL;
}

static const struct mont_block_register *pebs_find(u32 class, u32 index)
{
	return mont_block_row(registers, MONT_ARRAY_SIZE(registers), class, index);
}

static void pebs_reset(struct mont_block *block)
{
	block->r.pebs = (struct mont_pebs){ .least = MONT_PEBS_LEAST };
	mont_data_ear_reset(&block->r.pebs.tag);
}

/* Where the value of MSR @index is; the table has it, but for IA32_PERF_GLOBAL_OVF_CTRL. */
static u64 *pebs_msr_place(struct mont_pebs *p, u32 index)
{
	u64 *uncore = mont_pebs_uncore_place(p, index);

	if (uncore)
		return uncore;
	if (index >= MSR_FIXED && index < MSR_FIXED_CTRL)
		return &p->pmc[MONT_PEBS_GENERAL + mont_nospec(index - MSR_FIXED, 3)];
	if (index >= MSR_EVTSEL && index < MSR_FIXED)
		return &p->evtsel[mont_nospec(index - MSR_EVTSEL, MONT_PEBS_GENERAL)];
	switch (index) {
	case MSR_FIXED_CTRL:
		return &p->fixed_ctrl;
	case MSR_STATUS:
		return &p->status;
	case MSR_CTRL:
		return &p->ctrl;
	case MSR_ENABLE:
		return &p->enable;
	case MSR_LATENCY:
		return &p->least;
	case MSR_DS_AREA:
		return &p->ds_area;
	default:
		return &p->pmc[mont_nospec(index - MSR_PMC, MONT_PEBS_GENERAL)];
	}
}

static u64 *pebs_place(struct mont_pebs *p, u32 class, u32 index)
{
	if (class == MONT_BLOCK_REG_MSR)
		return pebs_msr_place(p, index);
	if (class == MONT_BLOCK_REG_DS)
		return &p->ds[mont_nospec((index - DS_FIRST) / 8, MONT_ARRAY_SIZE(p->ds))];
	return index == OWN_LOST ? &p->lost : &p->tag.random;
}

static u64 pebs_get(struct mont_block *block, u32 class, u32 index)
{
	if (class == MONT_BLOCK_REG_MSR &&
	    (index == MSR_OVF_CTRL || mont_pebs_uncore_clears(index)))
		return 0;
	return *pebs_place(&block->r.pebs, class, index);
}

static int pebs_set(struct mont_block *block, const struct mont_block_register *r, u32 index,
		    u64 value, const char **why)
{
	struct mont_pebs *p = &block->r.pebs;
	u64 *place;

	value &= r->bits;
	if (r->refusal) {
		*why = r->refusal;
		return MONT_EPERM;
	}
	if (r->class == MONT_BLOCK_REG_MSR && index == MSR_OVF_CTRL) {
		p->status &= ~value;
		return 0;
	}
	if (r->class == MONT_BLOCK_REG_MSR && index == MSR_LATENCY && value < MONT_PEBS_LEAST) {
		*why = "the least latency threshold is 3: the least latency that is seen is 4";
		return MONT_EINVAL;
	}
	if (r->class == MONT_BLOCK_REG_MSR && index == MSR_ENABLE &&
	    (value >> MONT_PEBS_LL_SHIFT & ~value)) {
		*why = "load latency needs the counter's PEBS_EN as well";
		return MONT_EINVAL;
	}
	place = pebs_place(p, r->class, index);
	if (r->class == MONT_BLOCK_REG_MSR && mont_pebs_uncore_place(p, index))
		block->shares = true;
	if (r->class == MONT_BLOCK_REG_MSR && mont_pebs_uncore_clears(index)) {
		*place &= ~value;
		return 0;
	}
	*place = value;
	if (place >= p->pmc && place < p->pmc + MONT_PEBS_GENERAL)
		p->armed &= ~MONT_BIT(place - p->pmc);
	p->armed &= (u32)p->enable;
	return 0;
}

static unsigned int pebs_fixed(const struct mont_pebs *p, unsigned int n)
{
	return mont_bits(p->fixed_ctrl, FIXED_BITS * (n - MONT_PEBS_GENERAL), FIXED_BITS);
}

/* The event of counter @n, or NULL. */
static const struct mont_pebs_event *pebs_select(const struct mont_pebs *p, unsigned int n)
{
	if (n >= MONT_PEBS_GENERAL)
		return mont_pebs_lookup(fixed_events[n - MONT_PEBS_GENERAL][0],
					fixed_events[n - MONT_PEBS_GENERAL][1]);
	return mont_pebs_lookup(p->evtsel[n] & 0xff, mont_bits(p->evtsel[n], UMASK_SHIFT, 8));
}

/* The levels that counter @n counts, if it is enabled. */
static u8 pebs_levels(const struct mont_pebs *p, unsigned int n)
{
	if (n >= MONT_PEBS_GENERAL)
		return (pebs_fixed(p, n) & FIXED_USR ? PLM_USR : 0) |
		       (pebs_fixed(p, n) & FIXED_OS ? PLM_OS : 0);
	if (!(p->evtsel[n] & EN))
		return 0;
	return (p->evtsel[n] & USR ? PLM_USR : 0) | (p->evtsel[n] & OS ? PLM_OS : 0);
}

bool mont_pebs_interrupts(const struct mont_pebs *p, unsigned int n)
{
	return n >= MONT_PEBS_GENERAL ? pebs_fixed(p, n) & FIXED_PMI
				      : !!(p->evtsel[n] & MONT_PEBS_INT);
}

/* As pebs_check(), of general counter @n, which counts. */
static int pebs_check_general(const struct mont_pebs *p, unsigned int n, const char **why)
{
	const struct mont_pebs_event *e = pebs_select(p, n);
	u64 sel = p->evtsel[n];

	if (!e && (sel & 0xffff) == PRINTED) {
		*why = "100H is a misprint of 100BH: event 0BH, unit mask 10H";
		return MONT_EOPNOTSUPP;
	}
	if (!e) {
		*why = "no event has this code and unit mask";
		return MONT_ENOENT;
	}
	*why = mont_event_refusal(&e->row.e, MONT_HAS_TIME | MONT_HAS_CASTOUTS);
	if (*why)
		return MONT_EOPNOTSUPP;
	if (e->row.e.cond == MONT_COND_LATENCY && (sel & BY_CYCLE)) {
		*why = "CMASK and INV must be 0 with load latency";
		return MONT_EINVAL;
	}
	if (mont_pebs_precise(p, n) && !e->precise) {
		*why = "this event has no precise counters";
		return MONT_EINVAL;
	}
	if (sel & (EDGE | PC | ANY | BY_CYCLE)) {
		*why = "not counted yet: edge, pin control, any thread, and by cycle (INV, CMASK)";
		return MONT_EOPNOTSUPP;
	}
	return 0;
}

static int pebs_check(const struct mont_block *block, unsigned int n, const char **why)
{
	const struct mont_pebs *p = &block->r.pebs;

	if (n < MONT_PEBS_GENERAL)
		return pebs_levels(p, n) ? pebs_check_general(p, n, why) : 0;
	if (pebs_fixed(p, n) & FIXED_ANY) {
		*why = "not counted yet: any thread";
		return MONT_EOPNOTSUPP;
	}
	/* The last of them stands for all that counters share. */
	if (n < MONT_PEBS_COUNTERS - 1)
		return 0;
	*why = p->enable & MONT_PEBS_EN ? mont_pebs_buffer_invalid(p) : NULL;
	return *why ? MONT_EINVAL : mont_pebs_uncore_check(p, why);
}

bool mont_pebs_tags(const struct mont_pebs *p, unsigned int n)
{
	return n < MONT_PEBS_GENERAL && (p->enable >> (MONT_PEBS_LL_SHIFT + n) & 1) &&
	       pebs_select(p, n)->row.e.cond == MONT_COND_LATENCY;
}

void mont_pebs_expect(struct mont_block *block, unsigned int n, u64 left)
{
	u64 near = mont_pebs_tags(&block->r.pebs, n) ? MONT_PEBS_NEAR : 0, until = left - near;

	if (left <= near)
		until = 1;
	block->counter[n].until = until;
	block->r.pebs.beyond[n] = left - until;
}

static bool pebs_arm(struct mont_block *block, unsigned int n)
{
	struct mont_observer *o = &block->counter[n];
	struct mont_pebs *p = &block->r.pebs;
	u8 plm;

	plm = pebs_levels(p, n);
	if (!plm || !(p->ctrl >> (n < MONT_PEBS_GENERAL ? n : 32 + n - MONT_PEBS_GENERAL) & 1))
		return false;
	o->event = &pebs_select(p, n)->row.e;
	o->filter = (struct mont_filter){ .plm = plm };
	o->period = MONT_PEBS_PERIOD;
	/* The next occurrence of an armed one is looked at. */
	mont_pebs_expect(block, n, p->armed >> n & 1 ? 1 : MONT_PEBS_PERIOD - p->pmc[n]);
	return true;
}

static void pebs_settle(struct mont_block *block, unsigned int n, u64 count)
{
	struct mont_pebs *p = &block->r.pebs;

	u64 left = block->counter[n].until + p->beyond[n];

	(void)count;
	p->pmc[n] = p->armed >> n & 1 ? 0 : -left & (MONT_PEBS_PERIOD - 1);
}

const struct mont_block_ops mont_pebs_ops = {
	.name = "pebs",
	.counters = MONT_PEBS_COUNTERS,
	.listeners = MONT_PEBS_COUNTERS,
	.needs_time = true,
	.flags = MONT_BLOCK_STOP,
	.reset = pebs_reset,
	.find = pebs_find,
	.get = pebs_get,
	.set = pebs_set,
	.check = pebs_check,
	.arm = pebs_arm,
	.settle = pebs_settle,
	.pass = mont_pebs_pass,
	.carry = mont_pebs_carry,
	.serve = mont_pebs_serve,
	.shared = mont_pebs_uncore_event,
	.share = mont_pebs_uncore_count,
	.reg = pebs_register,
	.event = mont_pebs_event,
};
