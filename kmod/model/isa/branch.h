/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Branches (SDM volume 3: br, brl, brp; volume 1, 4.5). Included by
 * exec/execute.c, exec/execute_hot.h, pipeline/branch_unit.c and PAL.
 */
#ifndef MONT_ISA_BRANCH_H
#define MONT_ISA_BRANCH_H

#include "execute.h"
#include "../arch/rse.h"

#define MONT_PFS_PPL_SHIFT 62

/* Change registers and the frame as br.call in the bundle at @ip does; its link is @link. */
void mont_call_frame(struct mont_thread *t, u8 link, u64 ip);
enum mont_result mont_br_call(struct mont_thread *t, u8 link, u64 target, u32 type);
/* Execute br.ret, the branch itself apart; true for a lower-privilege transfer trap. */
bool mont_return_frame(struct mont_thread *t);

enum mont_result mont_br_ret(struct mont_thread *t, u64 target);
/* Change registers as br.ctop does. Return: br.ctop is taken. */
bool mont_loop_turn(struct mont_thread *t);
/* br.ctop and br.cexit. */
enum mont_result mont_br_counted(struct mont_thread *t, const struct mont_uop *u, bool top);
/* br.wtop and br.wexit. */
enum mont_result mont_br_while(struct mont_thread *t, const struct mont_uop *u, bool top);

/* A branch to @target is taken, and a subscriber may have to see it. */
enum mont_result mont_br_seen(struct mont_thread *t, u64 target, u32 type);

static __always_inline enum mont_result mont_br_taken(struct mont_thread *t, u64 target, u32 type)
{
	return mont_take_unseen(t, target) ? MONT_TAKEN : mont_br_seen(t, target, type);
}

MONT_INLINE(BR_COND)
{
	return mont_br_taken(t, t->s.ip + u->imm, MONT_BR_IPREL);
}

MONT_INLINE(BRL_COND)
{
	(void)mont_br_taken(t, t->s.ip + u->imm, MONT_BR_IPREL);
	/* Where PSR.ri has it. */
	t->s.last_slot = 1;
	return MONT_TAKEN;
}

MONT_INLINE(BR_COND_IND)
{
	return mont_br_taken(t, t->s.br[u->r2], MONT_BR_NRETIND);
}

MONT_INLINE(BR_CLOOP)
{
	if (t->s.ar.lc) {
		t->s.ar.lc--;
		return mont_br_taken(t, t->s.ip + u->imm, MONT_BR_IPREL);
	}
	mont_signal_branch(t, MONT_BR_IPREL, t->s.ip + u->imm, false);
	return MONT_NEXT;
}

/* clang-format off */
MONT_INLINE(BR_CTOP) { return mont_br_counted(t, u, true); }
MONT_INLINE(BR_CEXIT) { return mont_br_counted(t, u, false); }
MONT_INLINE(BR_WTOP) { return mont_br_while(t, u, true); }
MONT_INLINE(BR_WEXIT) { return mont_br_while(t, u, false); }
/* clang-format on */

MONT_INLINE(BR_CALL)
{
	return mont_br_call(t, u->r1, t->s.ip + u->imm, MONT_BR_IPREL);
}

MONT_INLINE(BRL_CALL)
{
	(void)mont_br_call(t, u->r1, t->s.ip + u->imm, MONT_BR_IPREL);
	t->s.last_slot = 1;
	return MONT_TAKEN;
}

MONT_INLINE(BR_CALL_IND)
{
	return mont_br_call(t, u->r1, t->s.br[u->r2], MONT_BR_NRETIND);
}

MONT_INLINE(BR_RET)
{
	return mont_br_ret(t, t->s.br[u->r2]);
}

/* IA-32 runs in software on Montecito (manual 2.8). */
MONT_INLINE(BR_IA)
{
	return MONT_FAULT_DISABLED_ISA;
}

#define PREDICTION(op)            \
	MONT_INLINE(op)           \
	{                         \
		return MONT_NEXT; \
	}
PREDICTION(BRP)
PREDICTION(BRP_IND)
PREDICTION(BRP_RET)

#endif
