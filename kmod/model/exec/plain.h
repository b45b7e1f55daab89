/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The instructions of a bundle in functional mode, where no subscriber qualifies by the
 * instruction. Included by loop.h.
 *
 * The class of an operation tells what an instruction needs: an ALU operation raises no
 * signal and needs no slot, a reference has a quick way that does all or nothing. Threaded code,
 * a function for each operation that jumps to the function of the next one, would take fewer
 * instructions and more time: large programs have more indirect jumps than a processor predicts,
 * and a kernel makes each of them slow.
 */
#ifndef MONT_EXEC_PLAIN_H
#define MONT_EXEC_PLAIN_H

#include "execute_hot.h"
#include "squash.h"

/* The nops in front of the instruction have been counted: added to an enum mont_result. */
#define RUN_COUNTED 0x10000

/* Signals tell their slot by t->sig_slot: what may raise one sets it first. */
static __always_inline void plain_slot(struct mont_thread *t, const struct mont_uop *u)
{
	t->sig_slot = u->flags >> MONT_UOP_SLOT_SHIFT;
}

/*
 * Execute the instructions of @b, which is packed and not tagged. Return: an enum mont_result,
 * that of the instruction in t->sig_slot if it is not MONT_NEXT, and RUN_COUNTED.
 */
static __always_inline u32 run_plain_bundle(struct mont_thread *t, const struct mont_bundle *b)
{
	const struct mont_uop *u = b->uop;
	u32 r;

	for (;; u++) {
		if ((u->code & MONT_CODE_PREDICATED) && unlikely(!mont_pr(t, u->qp))) {
			plain_slot(t, u);
			mont_squash(t, u);
			if (!(u->flags & MONT_UOP_ALWAYS))
				goto next;
		}
		switch (mont_op(u)) {
#define PLAIN_ALU(op)                       \
	case MONT_OP_##op:                  \
		r = mont_x_##op(t, u);      \
		if (likely(r == MONT_NEXT)) \
			goto next;          \
		goto leaves;
#define PLAIN_MEM(op)                              \
	case MONT_OP_##op:                         \
		if (likely(mont_quick_##op(t, u))) \
			goto next;                 \
		break;
#define PLAIN_OTHER(op)                     \
	case MONT_OP_##op:                  \
		plain_slot(t, u);           \
		r = mont_x_##op(t, u);      \
		if (likely(r == MONT_NEXT)) \
			goto next;          \
		return r;
/* A return may change the level: the nops in front of it count at the present one. */
#define PLAIN_BRANCH(op)                                          \
	case MONT_OP_##op:                                        \
		plain_slot(t, u);                                 \
		if (MONT_OP_##op == MONT_OP_BR_RET) {             \
			count_nops(t, b, t->sig_slot, false);     \
			return mont_x_BR_RET(t, u) | RUN_COUNTED; \
		}                                                 \
		r = mont_x_##op(t, u);                            \
		if (r == MONT_NEXT)                               \
			goto next;                                \
		return r;
#define PLAIN_FP PLAIN_OTHER
#define PLAIN_MMEDIA PLAIN_OTHER
#define PLAIN_SYSTEM PLAIN_OTHER
#define MONT_OP(op, class, flags)
#define MONT_HOT_OP(op, class, flags) PLAIN_##class(op)
#include "../isa/ops.def"
#undef MONT_OP
		default:
			break;
		}
		plain_slot(t, u);
		r = mont_execute(t, u);
		if (unlikely(r != MONT_NEXT))
			return r;
next:
		if (u->code & MONT_CODE_LAST)
			return MONT_NEXT;
	}
leaves:
	plain_slot(t, u);
	return r;
}

#endif
