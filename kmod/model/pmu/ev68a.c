// SPDX-License-Identifier: GPL-2.0-only
/*
 * The performance counters of an Alpha 21264/EV68A (21264/EV68A Hardware Reference Manual, 5.2
 * and 6.10): registers, and aggregate mode. ProfileMe's window is in profileme.c. In that mode
 * PCTR0 counts fetched instructions: ahead, as what retires and what is killed, until it is
 * near to its overflow, and then by each of them, so that the one which makes it overflow is known.
 */
#include "ev68a.h"
#include "ev68a_events.h"
#include "internal.h"
#include "profileme.h"

#define IPR_PMPC 0x05
#define IPR_IER_CM 0x0b
#define IPR_ISUM 0x0d
#define IPR_HW_INT_CLR 0x0e
#define IPR_I_CTL 0x11
#define IPR_PCTR_CTL 0x14
#define IPR_I_STAT 0x16
#define IPR_PCTX 0x40

/* PCTR_CTL */
#define PCTR0_SHIFT 28
#define PCTR1_SHIFT 6
#define PCTR_BITS 20
#define SELECT (MONT_EV68A_SL0 | 0xcULL)
#define SIGNED_BITS 48
#define SIGN (~0ULL << SIGNED_BITS)
#define STATUS (MONT_EV68A_STALLED | MONT_EV68A_KILLED | MONT_EV68A_VAL | MONT_EV68A_TAK)

#define PCEN_SHIFT 29 /* IER_CM and ISUM: that of PCTR0 */

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
#include "ev68a_registers.def"
#undef MONT_REGISTER
};

/* Starts above these are not to be written: an overflow must not come before it is looked for. */
static const u64 latest_start[MONT_EV68A_COUNTERS] = { MONT_EV68A_PERIOD - 16,
						       MONT_EV68A_PERIOD - 4 };

static const struct mont_event profiled = {
	.signal = MONT_SIG_FETCHED,
	.cond = MONT_COND_PROFILED,
	.max_inc = 3,
};

static const struct mont_block_register *ev68a_register(u32 index)
{
	return index < MONT_ARRAY_SIZE(registers)
		       ? &registers[mont_nospec(index, MONT_ARRAY_SIZE(registers))]
		       : NULL;
}

static const struct mont_block_register *ev68a_find(u32 class, u32 index)
{
	return mont_block_row(registers, MONT_ARRAY_SIZE(registers), class, index);
}

static void ev68a_reset(struct mont_block *block)
{
	block->r.ev68a = (struct mont_ev68a){ .samples = 1 };
	block->profile = (struct mont_profile){};
}

static u64 ev68a_get_pctr_ctl(const struct mont_ev68a *r)
{
	u64 v = r->pctr[0] << PCTR0_SHIFT | r->pctr[1] << PCTR1_SHIFT | r->select | r->status;

	return mont_sext(v, SIGNED_BITS);
}

static u64 ev68a_get(struct mont_block *block, u32 class, u32 index)
{
	const struct mont_ev68a *r = &block->r.ev68a;

	if (class == MONT_BLOCK_REG_OWN)
		return r->total[mont_nospec(index, MONT_EV68A_COUNTERS)];
	switch (index) {
	case IPR_PMPC:
		return r->pmpc;
	case IPR_IER_CM:
		return r->ier_cm;
	case IPR_ISUM:
		return r->isum;
	case IPR_I_CTL:
		return r->i_ctl;
	case IPR_PCTR_CTL:
		return ev68a_get_pctr_ctl(r);
	case IPR_I_STAT:
		return r->i_stat;
	case IPR_PCTX:
		return r->pctx;
	default: /* HW_INT_CLR can only be written there */
		return 0;
	}
}

/* Both counters start anew, and ProfileMe looks for the next instruction. */
static int ev68a_set_pctr_ctl(struct mont_ev68a *r, u64 value, const char **why)
{
	u64 start[MONT_EV68A_COUNTERS] = { mont_bits(value, PCTR0_SHIFT, PCTR_BITS),
					   mont_bits(value, PCTR1_SHIFT, PCTR_BITS) };
	u64 reads;

	if (start[0] > latest_start[0]) {
		*why = "PCTR0 starts at 2^20 - 16 at most";
		return MONT_EINVAL;
	}
	if (start[1] > latest_start[1]) {
		*why = "PCTR1 starts at 2^20 - 4 at most";
		return MONT_EINVAL;
	}
	/* A value that was read can be written back, and so can zeros. */
	reads = ev68a_get_pctr_ctl(r) | (mont_sext(value, SIGNED_BITS) & SIGN);
	if (value & (STATUS | SIGN) & ~reads) {
		*why = "the sign, PM_STALLED, PM_KILLED_BM, VAL and TAK can only be read";
		return MONT_EPERM;
	}
	r->pctr[0] = start[0];
	r->pctr[1] = start[1];
	r->select = value & SELECT;
	r->status = 0;
	r->stands = false;
	r->samples++;
	return 0;
}

static int ev68a_set(struct mont_block *block, const struct mont_block_register *r, u32 index,
		     u64 value, const char **why)
{
	struct mont_ev68a *e = &block->r.ev68a;

	if (r->refusal) {
		*why = r->refusal;
		return MONT_EPERM;
	}
	switch (index) {
	case IPR_IER_CM:
		e->ier_cm = value & r->bits;
		return 0;
	case IPR_HW_INT_CLR:
		e->isum &= ~(value & r->bits);
		return 0;
	case IPR_I_CTL:
		e->i_ctl = value & r->bits;
		return 0;
	case IPR_PCTX:
		e->pctx = value & r->bits;
		return 0;
	default:
		return ev68a_set_pctr_ctl(e, value, why);
	}
}

static int ev68a_check(const struct mont_block *block, unsigned int n, const char **why)
{
	(void)block;
	(void)n;
	(void)why;
	return 0;
}

/* Fetched instructions up to the overflow of PCTR0. */
static u64 ev68a_left(const struct mont_ev68a *r)
{
	return MONT_EV68A_PERIOD - r->pctr[0];
}

/* As ev68a_arm(), in ProfileMe mode: PCTR1 counts in the window alone. */
static bool ev68a_arm_profile(struct mont_block *block, unsigned int n)
{
	const struct mont_ev68a *r = &block->r.ev68a;
	struct mont_observer *o = &block->counter[n];
	bool near = block->profile.sample == r->samples || ev68a_left(r) <= MONT_EV68A_NEAR;

	if (r->stands || !mont_ev68a_enabled(r, 0) || n == 1 || near != (n == MONT_EV68A_PROFILE))
		return false;
	if (near) {
		o->event = &profiled;
		o->period = 1;
		o->until = 1;
		if (block->profile.sample != r->samples)
			mont_profile_begin(block);
		return true;
	}
	o->event = &mont_ev68a_lookup(r->select, 0)->e;
	o->period = MONT_EV68A_PERIOD;
	o->until = ev68a_left(r) - MONT_EV68A_NEAR;
	return true;
}

static bool ev68a_arm(struct mont_block *block, unsigned int n)
{
	const struct mont_ev68a *r = &block->r.ev68a;
	struct mont_observer *o = &block->counter[n];
	const struct mont_block_event *row;

	o->filter = (struct mont_filter){ .plm = 15 };
	if (r->select & MONT_EV68A_SL0)
		return ev68a_arm_profile(block, n);
	row = n < MONT_EV68A_COUNTERS ? mont_ev68a_lookup(r->select, n) : NULL;
	if (!row || !mont_ev68a_enabled(r, n))
		return false;
	o->event = &row->e;
	o->period = MONT_EV68A_PERIOD;
	o->until = MONT_EV68A_PERIOD - r->pctr[n];
	return true;
}

static void ev68a_settle(struct mont_block *block, unsigned int n, u64 count)
{
	struct mont_ev68a *r = &block->r.ev68a;

	if (n >= MONT_EV68A_COUNTERS)
		return;
	r->total[n] += count;
	r->pctr[n] = (r->pctr[n] + count) & (MONT_EV68A_PERIOD - 1);
}

static u64 ev68a_pass(const struct mont_observer *o, const struct mont_occurrence *at)
{
	return o->event == &profiled ? 1 : at->n;
}

static void ev68a_capture(struct mont_block *block, unsigned int n,
			  const struct mont_occurrence *at)
{
	(void)n;
	mont_profile_look(block, at);
}

/* Counters @over request an interrupt, if they may; @cause is what the host is told of it. */
static void ev68a_request(struct mont_block *block, u32 over, u32 cause)
{
	struct mont_ev68a *r = &block->r.ev68a;
	u64 bits = (u64)over << PCEN_SHIFT & r->ier_cm;

	r->isum |= bits;
	if (!bits)
		return;
	block->nr_values = 3;
	block->value[0] = r->pmpc;
	block->value[1] = r->i_stat;
	block->value[2] = ev68a_get_pctr_ctl(r);
	mont_block_interrupt(block, cause);
}

static void ev68a_serve(struct mont_block *block, u32 over)
{
	const struct mont_ev68a *r = &block->r.ev68a;
	u64 before = r->pctr[1];

	if (!(r->select & MONT_EV68A_SL0)) {
		over &= MONT_BIT(MONT_EV68A_COUNTERS) - 1;
		ev68a_request(block, over, over);
		return;
	}
	/* PCTR0 has come near: from now on each instruction is followed. */
	if (!(over >> MONT_EV68A_PROFILE & 1))
		return;
	mont_profile_end(block);
	ev68a_request(block, 1 | (r->pctr[1] < before ? 2 : 0), MONT_BLOCK_WINDOW);
}

const struct mont_block_ops mont_ev68a_ops = {
	.name = "ev68a",
	.counters = MONT_EV68A_COUNTERS,
	.listeners = MONT_EV68A_PROFILE + 1,
	.needs_time = true,
	.flags = MONT_BLOCK_STOP,
	.reset = ev68a_reset,
	.find = ev68a_find,
	.get = ev68a_get,
	.set = ev68a_set,
	.check = ev68a_check,
	.arm = ev68a_arm,
	.settle = ev68a_settle,
	.capture = ev68a_capture,
	.pass = ev68a_pass,
	.serve = ev68a_serve,
	.reg = ev68a_register,
	.event = mont_ev68a_event,
};
