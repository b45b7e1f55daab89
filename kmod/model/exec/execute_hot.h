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

/*
 * The operations that programs spend their time in, apart from the others: a
 * compiler without jump tables makes a tree of compares of a switch, and this
 * one is a few levels lower.
 */
static __always_inline enum mont_result execute_hot(struct mont_thread *t, const struct mont_uop *u)
{
	switch (mont_op(u)) {
#define MONT_OP(op, class, flags)
#define MONT_HOT_OP(op, class, flags)                              \
	case MONT_OP_##op:                                         \
		/* A return may change the level: the */           \
		/* nops in front of it count at this one. */       \
		if (MONT_OP_##op == MONT_OP_BR_RET)                \
			count_nops(t, t->cur, t->sig_slot, false); \
		return mont_x_##op(t, u);
#include "../isa/ops.def"
#undef MONT_OP
	case MONT_OP_NOP:
		return MONT_NEXT;
	default:
		return mont_execute(t, u);
	}
}

#endif
