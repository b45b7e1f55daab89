/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Branch prediction, stages IPG and ROT (manual 2.1.2 and 4.7; the structure is that of
 * the Itanium 2 family as far as it is published, sizes are assumptions:
 * Documentation/model.rst, T20).
 *
 * A branch whose target the L1 branch cache has is followed without a bubble. The L2
 * branch cache remembers the last four outcomes of a branch and what followed on them;
 * one that it does not know goes by its hint. Returns go by the return stack buffer,
 * other indirect branches by their branch register, and loops counted by AR.LC and AR.EC
 * by these registers. Called by branch_unit.c, and by package/param.c.
 */
#ifndef MONT_PIPELINE_PREDICT_H
#define MONT_PIPELINE_PREDICT_H

#include "timing.h"
#include "buffer.h"
#include "thread_time.h"

enum mont_branch_kind {
	MONT_KIND_NONE, /* no branch */
	MONT_KIND_IPREL,
	MONT_KIND_WHILE, /* br.wtop, br.wexit */
	MONT_KIND_CALL, /* IP-relative */
	MONT_KIND_LOOP, /* br.cloop, br.ctop, br.cexit */
	MONT_KIND_RETURN,
	MONT_KIND_INDIRECT,
	MONT_KIND_INDIRECT_CALL,
	MONT_KIND_HINT, /* none, but names a place to prefetch: brp, mov to a branch register */
};

/* Whether hints, as encoded in a branch (SDM volume 3, br). */
#define MONT_WH_SPTK 0
#define MONT_WH_SPNT 1
#define MONT_WH_DPTK 2
#define MONT_WH_DPNT 3

#define MONT_NR_L1B 1024 /* one for each bundle that the L1I holds */
#define MONT_NR_L2B 4096
#define MONT_NR_HISTORY 16 /* four outcomes */

/**
 * struct mont_l1b - a branch that the L1 branch cache has
 * @source: its bundle and slot + 1; 0 for none
 * @target: where it went last
 */
struct mont_l1b {
	u64 source;
	u64 target;
};

/**
 * struct mont_l2b - a branch that the L2 branch cache knows
 * @counter: by the four outcomes before, 2 bits: 0..3, taken from 2 on
 * @tag: which branch it is; 0 for none
 * @history: its last four outcomes, bit 0 the newest
 */
struct mont_l2b {
	u32 counter;
	u16 tag;
	u16 history;
};

/**
 * struct mont_predictor - what is known of branches
 * @l1b: by bundle, the branch in it that was taken last
 * @l2b: by branch
 */
struct mont_predictor {
	struct mont_l1b l1b[MONT_NR_L1B];
	struct mont_l2b l2b[MONT_NR_L2B];
};

/**
 * struct mont_branch_at - a branch in the front end
 * @ip: its bundle
 * @target: IP-relative branches: where to; indirect ones and returns: what the
 *	branch register holds
 * @slot: 0..2
 * @kind: enum mont_branch_kind
 * @hint: MONT_WH_*
 * @always: it has no qualifying predicate
 * @stale: the branch register, or AR.LC or AR.EC, has been written too late for the
 *	front end
 * @loop_taken: MONT_KIND_LOOP: AR.LC and AR.EC say so
 */
struct mont_branch_at {
	u64 ip;
	u64 target;
	u8 slot;
	u8 kind;
	u8 hint;
	bool always;
	bool stale;
	bool loop_taken;
};

/**
 * struct mont_prediction - what the front end does
 * @target: where it goes on if @taken
 * @taken: leaves the line of bundles
 * @unknown: a branch in front of it in its bundle is predicted taken: not taken, for no
 *	reason of its own (manual 4.7)
 * @resteers: fetch goes on elsewhere than it would without a prediction, or than it
 *	has begun to
 * @bubbles: cycles without a fetch that this takes
 * @why: of @bubbles: MONT_FRONT_BUBBLE, PLP or BR_ILOCK
 */
struct mont_prediction {
	u64 target;
	bool taken;
	bool unknown;
	bool resteers;
	u8 why;
	u32 bubbles;
};

#define MONT_L2B_KNOWN 0x8000

static inline u64 mont_branch_source(const struct mont_branch_at *b)
{
	return b->ip | (b->slot + 1u);
}

static inline u32 mont_l1b_index(const struct mont_branch_at *b)
{
	return b->ip >> 4 & (MONT_NR_L1B - 1);
}

/* Number of the branch among all slots of memory. */
static inline u64 mont_branch_number(const struct mont_branch_at *b)
{
	return (b->ip >> 4) * 3 + b->slot;
}

static inline u32 mont_l2b_index(u64 number)
{
	return number & (MONT_NR_L2B - 1);
}

static inline u16 mont_l2b_tag(u64 number)
{
	u64 rest = number / MONT_NR_L2B;

	return MONT_L2B_KNOWN | (u16)(rest ^ rest >> 15 ^ rest >> 30);
}

static inline bool mont_branch_static(const struct mont_branch_at *b)
{
	return b->always || b->hint == MONT_WH_SPTK || b->hint == MONT_WH_SPNT;
}

static inline bool mont_branch_hinted(const struct mont_branch_at *b)
{
	return b->always || b->hint == MONT_WH_SPTK || b->hint == MONT_WH_DPTK;
}

static inline bool mont_l2b_direction(const struct mont_l2b *e)
{
	return e->counter >> 2 * e->history >> 1 & 1;
}

/* Direction where AR.LC and AR.EC do not decide; @asked: taken from the L2 branch cache. */
static inline bool mont_branch_direction(const struct mont_predictor *p,
					 const struct mont_branch_at *b, bool *asked)
{
	u64 number = mont_branch_number(b);
	const struct mont_l2b *e = &p->l2b[mont_l2b_index(number)];

	*asked = !mont_branch_static(b) && e->tag == mont_l2b_tag(number);
	return *asked ? mont_l2b_direction(e) : mont_branch_hinted(b);
}

static __always_inline void mont_predict(const struct mont_predictor *p,
					 const struct mont_returns *returns,
					 const struct mont_timing *timing,
					 const struct mont_branch_at *b,
					 struct mont_prediction *guess)
{
	const struct mont_l1b *l1b = &p->l1b[mont_l1b_index(b)];
	bool there = l1b->source == mont_branch_source(b), asked = false;

	guess->target = b->target;
	guess->unknown = false;
	guess->why = MONT_FRONT_BUBBLE;
	guess->bubbles = 0;
	if (b->kind == MONT_KIND_LOOP && !b->stale) {
		guess->taken = b->loop_taken;
		guess->resteers = guess->taken || there;
		if (guess->taken) {
			guess->bubbles = there ? 0 : timing->taken;
		} else if (there) {
			/* Fetch has gone to the top of the loop once more. */
			guess->bubbles = timing->loop_end;
			guess->why = MONT_FRONT_PLP;
		}
		return;
	}
	guess->taken = mont_branch_direction(p, b, &asked);
	guess->resteers = guess->taken;
	if (!guess->taken)
		return;
	switch (b->kind) {
	case MONT_KIND_RETURN:
		guess->target = returns->stack[returns->top].ip;
		guess->bubbles = timing->returns;
		break;
	case MONT_KIND_INDIRECT:
	case MONT_KIND_INDIRECT_CALL:
		if (b->stale) {
			guess->target = there ? l1b->target : 0;
			break;
		}
		guess->bubbles = timing->indirect;
		guess->why = MONT_FRONT_BR_ILOCK;
		break;
	default:
		if (!there)
			guess->bubbles = asked ? timing->l2b : timing->taken;
	}
}

/* All counters weakly taken, and weakly not taken. */
#define MONT_WEAKLY_TAKEN 0xaaaaaaaaU
#define MONT_WEAKLY_NOT_TAKEN 0x55555555U

/* Train the entry @e of the L2 branch cache with the outcome of the branch with @tag, @hinted. */
static inline void mont_l2b_learn(struct mont_l2b *e, u16 tag, bool hinted, bool taken)
{
	u32 shift, counter;

	if (e->tag != tag) {
		e->tag = tag;
		e->history = 0;
		e->counter = hinted ? MONT_WEAKLY_TAKEN : MONT_WEAKLY_NOT_TAKEN;
	}
	shift = 2 * e->history;
	counter = e->counter >> shift & 3;
	if (taken && counter < 3)
		e->counter += 1u << shift;
	if (!taken && counter)
		e->counter -= 1u << shift;
	e->history = (e->history << 1 | taken) & (MONT_NR_HISTORY - 1);
}

/* Train the L2 branch cache with the outcome of a dynamically predicted branch. */
static inline void mont_predict_learn_direction(struct mont_predictor *p,
						const struct mont_branch_at *b, bool taken)
{
	u64 number = mont_branch_number(b);

	mont_l2b_learn(&p->l2b[mont_l2b_index(number)], mont_l2b_tag(number), mont_branch_hinted(b),
		       taken);
}

/* The branch, taken, leads to @target: the L1 branch cache has it. */
static inline void mont_predict_learn_target(struct mont_predictor *p,
					     const struct mont_branch_at *b, u64 target)
{
	struct mont_l1b *l1b = &p->l1b[mont_l1b_index(b)];

	l1b->source = mont_branch_source(b);
	l1b->target = target;
}

/**
 * mont_predict_learn() - a branch retires
 * @p: the predictor
 * @returns: of its thread
 * @b: the branch
 * @taken: what it does
 * @target: where it goes, if @taken
 *
 * A call's return address follows by mont_predict_call().
 */
static __always_inline void mont_predict_learn(struct mont_predictor *p,
					       struct mont_returns *returns,
					       const struct mont_branch_at *b, bool taken,
					       u64 target)
{
	if (!mont_branch_static(b))
		mont_predict_learn_direction(p, b, taken);
	if (!taken)
		return;
	if (b->kind == MONT_KIND_RETURN) {
		returns->top =
			(returns->top ? returns->top : MONT_NR_RETURNS - returns->closed) - 1;
	} else {
		mont_predict_learn_target(p, b, target);
	}
}

/* A call, taken, will return to @ip; its AR.PFS is @pfs. */
void mont_predict_call(struct mont_returns *returns, u64 ip, u64 pfs);

/* No more than @nr returns are kept from now on. */
static inline void mont_predict_fit(struct mont_returns *returns, u32 nr)
{
	returns->closed = MONT_NR_RETURNS - nr;
	if (returns->top >= nr)
		returns->top = 0;
}

/* The AR.PFS that a return is expected to find: before mont_predict_learn() of it. */
static inline u64 mont_predict_pfs(const struct mont_returns *returns)
{
	return returns->stack[returns->top].pfs;
}

#endif
