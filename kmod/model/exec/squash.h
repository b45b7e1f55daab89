/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instructions whose qualifying predicate is false. Called by the run loops
 * (loop.h, step.c, pipeline/issue.h) and by the branch unit.
 */
#ifndef MONT_EXEC_SQUASH_H
#define MONT_EXEC_SQUASH_H

#include "../event/raise.h"
#include "../package/package.h"

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
	u32 type = mont_branch_type(mont_op(u));

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
