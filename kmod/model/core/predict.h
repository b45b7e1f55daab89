/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Branch prediction (manual 4.7; the structure is that of the Itanium 2 family
 * as far as it is published, sizes are assumptions: params.def).
 *
 * The direction comes from the branch's own last four outcomes, the target from
 * the instruction, the return stack or the branch register; loops counted by
 * AR.LC and AR.EC are predicted from these registers and never wrongly.
 */
#ifndef MONT_CORE_PREDICT_H
#define MONT_CORE_PREDICT_H

#include "../types.h"

enum mont_branch_kind {
	MONT_KIND_NONE, /* no branch */
	MONT_KIND_IPREL,
	MONT_KIND_CALL, /* IP-relative */
	MONT_KIND_LOOP, /* br.cloop, br.ctop, br.cexit */
	MONT_KIND_RETURN,
	MONT_KIND_INDIRECT,
	MONT_KIND_INDIRECT_CALL,
};

/* Whether hints, as encoded in a branch (SDM volume 3, br). */
#define MONT_WH_SPTK 0
#define MONT_WH_SPNT 1
#define MONT_WH_DPTK 2
#define MONT_WH_DPNT 3

#define MONT_NR_HISTORY 2048
#define MONT_NR_PATTERN 16
#define MONT_NR_TARGETS 512
#define MONT_NR_RETURNS 8

/**
 * struct mont_predictor - what is known of branches
 * @history: by branch, its last four outcomes, bit 0 the newest
 * @counter: by branch and history, 0..3: taken from 2 on
 * @source: by branch, whose target @target is: address and slot, 0 for none
 * @target: where it went last
 * @link: return addresses, @top the newest
 * @top: 0..MONT_NR_RETURNS - 1
 */
struct mont_predictor {
	u8 history[MONT_NR_HISTORY];
	u8 counter[MONT_NR_HISTORY][MONT_NR_PATTERN];
	u64 source[MONT_NR_TARGETS];
	u64 target[MONT_NR_TARGETS];
	u64 link[MONT_NR_RETURNS];
	u64 top;
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
 * @stale: the branch register has been written too late for the front end
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
 * @known: the target was there with the instruction: no cycle is lost
 */
struct mont_prediction {
	u64 target;
	bool taken;
	bool known;
};

void mont_predict(const struct mont_predictor *p, const struct mont_branch_at *b,
		  struct mont_prediction *guess);

/**
 * mont_predict_learn() - a branch has retired
 * @p: the predictor
 * @b: the branch
 * @taken: what it did
 * @target: where it went, if @taken
 */
void mont_predict_learn(struct mont_predictor *p, const struct mont_branch_at *b, bool taken,
			u64 target);

#endif
