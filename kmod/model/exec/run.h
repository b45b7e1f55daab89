/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interfaces between the files of the run loop.
 *
 * A bundle that is run whole goes through loop.h. One that is entered in the
 * middle, or that is watched instruction by instruction, goes through
 * step.c; the work between two issue groups is in attention.c.
 */
#ifndef MONT_CORE_RUN_H
#define MONT_CORE_RUN_H

#include "core.h"
#include "../event/raise.h"

/* How a stepped bundle has ended. */
enum mont_stepped {
	MONT_STEPPED_GROUP, /* with its group */
	MONT_STEPPED_INSIDE, /* the group goes on: fetch and look at PSR again */
	MONT_STEPPED_OUT, /* the host must see pkg->exit */
};

/* Any operation. */
enum mont_result mont_execute(struct mont_thread *t, const struct mont_uop *u);

/* Decode the bundle at physical address @pa, in t's page of fetch, into @b. */
void mont_fetch_decode(struct mont_thread *t, struct mont_bundle *b, u64 pa);

/* Forget what is kept of translations and of the code at IP: base/check.h. */
void mont_check_forget(struct mont_thread *t);

/*
 * Execute @b from t->s.slot on, one instruction after the other; @begins: it is
 * the beginning of a group.
 */
enum mont_stepped mont_step(struct mont_thread *t, struct mont_bundle *b, bool begins);

/*
 * True if an instruction of the bundle at @ip, which is executed next, is watched: by single
 * step or a trap, for one instruction, or by a breakpoint. With PSR.db alone groups issue as
 * always.
 */
bool mont_bundle_watched(const struct mont_thread *t, u64 ip);
/*
 * Before an instruction that is watched, under @psr: the instruction debug fault
 * to take, or MONT_NEXT.
 */
enum mont_result mont_fault_before(struct mont_thread *t, u64 psr);
/*
 * After an instruction that completed under @psr with @r: the trap to take, or
 * MONT_NEXT. ISR.code names every trap, the vector is that of the first in the
 * architecture's order (SDM volume 2, 5.5 and table 5-6). rfi traps on nothing
 * but its target.
 */
enum mont_result mont_trap_after(struct mont_thread *t, enum mont_result r, u64 psr);

/* True if the instruction in t->sig_slot, which ends with interruption @r, completes. */
bool mont_completes(const struct mont_thread *t, enum mont_result r);
/* Interruption @r of the instruction in t->sig_slot, begun under @psr; true to return. */
bool mont_deliver(struct mont_thread *t, enum mont_result r, u64 psr);

/* Mark that no instruction is begun, and none left to retire: signals belong to none. */
void mont_between_groups(struct mont_thread *t);
/* Look into t->attn between two issue groups; true to return to the host. */
bool mont_attend(struct mont_thread *t);

/* @t is at t->until, between two groups: true, with the exit filled, if the host wants that. */
bool mont_until(struct mont_thread *t);

/* True if @t has executed the one instruction of a single step. */
bool mont_stepped(struct mont_thread *t);

/* The branch types of BR_MISPRED_DETAIL. */
static inline u32 mont_branch_type(u32 op)
{
	switch (op) {
	case MONT_OP_BR_RET:
		return MONT_BR_RETURN;
	case MONT_OP_BR_COND_IND:
	case MONT_OP_BR_IA:
	case MONT_OP_BR_CALL_IND:
		return MONT_BR_NRETIND;
	default:
		return MONT_BR_IPREL;
	}
}

/* A branch whose qualifying predicate is false. */
static __always_inline void mont_squash_branch(struct mont_thread *t, const struct mont_uop *u)
{
	u32 type = mont_branch_type(u->op);

	mont_signal_branch(t, type, type == MONT_BR_IPREL ? t->s.ip + u->imm : t->s.br[u->r2],
			   false);
}

/* An instruction whose qualifying predicate is false. */
static __always_inline void mont_squash(struct mont_thread *t, const struct mont_uop *u)
{
	if (u->flags & MONT_UOP_BRANCH) {
		/* A loop's branch is one whatever its predicate: it counts itself. */
		if (!(u->flags & MONT_UOP_ALWAYS))
			mont_squash_branch(t, u);
	} else if (!(u->flags & MONT_UOP_B)) {
		mont_signal(t, MONT_SIG_PRED_SQUASHED, 0);
	}
}

#endif
