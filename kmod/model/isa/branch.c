// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls, returns and software-pipelined loop branches (SDM volume 3, br).
 */
#include "branch.h"
#include "../arch/psr.h"

#define PFS_PEC_SHIFT 52

void mont_call_frame(struct mont_thread *t, u8 link, u64 ip)
{
	t->s.br[link] = ip + 16;
	t->s.ar.pfs = mont_cfm(t) | t->s.ar.ec << PFS_PEC_SHIFT | (u64)t->cpl << MONT_PFS_PPL_SHIFT;
	mont_rse_call(t);
}

enum mont_result mont_br_seen(struct mont_thread *t, u64 target, u32 type)
{
	mont_signal_branch(t, type, target, true);
	return mont_take(t, target);
}

enum mont_result mont_br_call(struct mont_thread *t, u8 link, u64 target, u32 type)
{
	mont_signal_branch(t, type, target, true);
	mont_call_frame(t, link, t->s.ip);
	return mont_take(t, target);
}

bool mont_return_frame(struct mont_thread *t)
{
	u64 pfs = t->s.ar.pfs;
	u32 ppl = pfs >> MONT_PFS_PPL_SHIFT;
	bool trap = false;

	t->s.ar.ec = mont_bits(pfs, PFS_PEC_SHIFT, 6);
	mont_rse_return(t, mont_bits(pfs, 0, 38));
	/* A return can only lose privilege. */
	if (ppl > t->cpl) {
		u64 psr = (t->s.psr & ~MONT_PSR_CPL) | (u64)ppl << MONT_PSR_CPL_SHIFT;

		trap = t->s.psr & MONT_PSR_LP;
		mont_psr_set(t, psr);
	}
	t->fault_isr = 0;
	return trap;
}

enum mont_result mont_br_ret(struct mont_thread *t, u64 target)
{
	mont_signal_branch(t, MONT_BR_RETURN, target, true);
	(void)mont_take(t, target);
	return mont_return_frame(t) ? MONT_FAULT_LOWER_PRIV : MONT_TAKEN;
}

/* A loop branch: rotate if the pipeline still moves, with @stage entering p63. */
static void branch_loop_move(struct mont_thread *t, bool rotate, bool stage)
{
	mont_pr_set(t, 63, stage);
	if (rotate)
		mont_rotate(t);
}

/* The end of a loop branch, taken or not. */
static enum mont_result branch_loop_end(struct mont_thread *t, const struct mont_uop *u, bool take)
{
	if (take)
		return mont_br_taken(t, t->s.ip + u->imm, MONT_BR_IPREL);
	mont_signal_branch(t, MONT_BR_IPREL, t->s.ip + u->imm, false);
	return MONT_NEXT;
}

/* The epilogue, common to counted and while loops. Return: the loop goes round again. */
static bool branch_epilogue(struct mont_thread *t)
{
	u64 ec = t->s.ar.ec;

	if (ec)
		t->s.ar.ec--;
	branch_loop_move(t, ec, false);
	return ec > 1;
}

bool mont_loop_turn(struct mont_thread *t)
{
	if (!t->s.ar.lc)
		return branch_epilogue(t);
	t->s.ar.lc--;
	branch_loop_move(t, true, true);
	return true;
}

enum mont_result mont_br_counted(struct mont_thread *t, const struct mont_uop *u, bool top)
{
	return branch_loop_end(t, u, mont_loop_turn(t) == top);
}

enum mont_result mont_br_while(struct mont_thread *t, const struct mont_uop *u, bool top)
{
	bool again = true;

	if (mont_pr(t, u->qp))
		branch_loop_move(t, true, false);
	else
		again = branch_epilogue(t);
	return branch_loop_end(t, u, again == top);
}
