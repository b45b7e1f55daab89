/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One operation, for a loop that executes many. Included by the two loops
 * (loop.h, pipeline/issue.h).
 */
#ifndef MONT_EXEC_EXECUTE_HOT_H
#define MONT_EXEC_EXECUTE_HOT_H

#include "execute.h"
#include "../event/raise.h"
#include "../isa/execute.h"
#include "../isa/alu.h"
#include "../isa/branch.h"
#include "../isa/fpexec.h"
#include "../isa/memops.h"
#include "../pmu/tags.h"

/*
 * True if the nops of @b can be counted at once: no subscriber must see one of them.
 * @tagged: a subscriber qualifies by the instruction, so that bundles are tagged.
 */
static __always_inline bool nops_ahead(struct mont_thread *t, const struct mont_bundle *b,
				       const bool tagged)
{
	if (tagged)
		return mont_tags_begin(t, b);
	return likely(t->countdown[0][MONT_SIG_NOP_RETIRED].left >= 3);
}

/*
 * The unpredicated nops of @b in front of @slot, of which none has to be looked at.
 * Those of a bundle that is tagged are counted as it retires.
 */
static __always_inline void count_nops(struct mont_thread *t, const struct mont_bundle *b, u32 slot,
				       const bool tagged)
{
	if (!tagged)
		t->countdown[0][MONT_SIG_NOP_RETIRED].left -= mont_nops_before(b, slot);
}

#define HOT(op)            \
	case MONT_OP_##op: \
		return mont_x_##op(t, u);

/*
 * The operations that programs spend their time in, apart from the others: a
 * compiler without jump tables makes a tree of compares of a switch, and this
 * one is a few levels lower.
 */
static __always_inline enum mont_result execute_hot(struct mont_thread *t, const struct mont_uop *u,
						    const bool tagged)
{
	switch (u->op) {
		HOT(ADDS)
		HOT(ADD)
		HOT(ADDL)
		HOT(SUB)
		HOT(AND)
		HOT(AND_I)
		HOT(OR)
		HOT(ANDCM)
		HOT(XOR)
		HOT(SHLADD)
		HOT(EXTR)
		HOT(EXTR_U)
		HOT(SHRP)
		HOT(SHR_U)
		HOT(SHL)
		HOT(DEP_Z)
		HOT(DEP)
		HOT(ZXT1)
		HOT(ZXT4)
		HOT(SXT4)
		HOT(MOVL)
		HOT(LD1)
		HOT(LD2)
		HOT(LD4)
		HOT(LD8)
		HOT(LD1_I)
		HOT(LD4_I)
		HOT(LD8_I)
		HOT(ST1)
		HOT(ST4)
		HOT(ST8)
		HOT(ST1_I)
		HOT(ST4_I)
		HOT(ST8_I)
		HOT(CMP_EQ)
		HOT(CMP_EQ_ORANDCM)
		HOT(CMP_LT)
		HOT(CMP_LTU)
		HOT(CMP_EQ_I)
		HOT(CMP_LT_I)
		HOT(CMP_LTU_I)
		HOT(CMP4_EQ)
		HOT(CMP4_LT)
		HOT(CMP4_EQ_I)
		HOT(CMP4_LT_I)
		HOT(TBIT_Z)
		HOT(BR_COND)
		HOT(BR_CLOOP)
		HOT(BR_CALL)
		HOT(BR_CTOP)
		HOT(ALLOC)
		HOT(MOV_TO_AR)
		HOT(MOV_TO_BR)
		HOT(MOV_FROM_BR)
		HOT(LDFD)
		HOT(LDFD_I)
		HOT(STFD)
		HOT(STFD_I)
		HOT(FMA)
		HOT(FMA_D)
		HOT(FNMA)
		HOT(XMA_L)
		HOT(SETF_SIG)
		HOT(GETF_SIG)
	case MONT_OP_NOP:
		return MONT_NEXT;
	case MONT_OP_BR_RET:
		/* A return may change the level: nops in front of it are counted at the present one. */
		count_nops(t, t->cur, t->sig_slot, tagged);
		return mont_x_BR_RET(t, u);
	default:
		return mont_execute(t, u);
	}
}

#undef HOT

#endif
