/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Operations: one function mont_x_<OP> for each row of ops.def. Called by
 * mont_execute() and execute_hot() (exec/).
 *
 * A function is called with a true predicate (operations flagged MONT_UOP_ALWAYS
 * evaluate it themselves) and has all of its architectural effect or, on a fault,
 * none.
 *
 * The frequent classes are inline in the run loop (alu.h, memops.h, branch.h); the
 * others are declared here.
 */
#ifndef MONT_ISA_EXECUTE_H
#define MONT_ISA_EXECUTE_H

#include "../event/raise.h"
#include "../arch/registers.h"

/* How the definition of one begins: of one that is called, of one that is inline. */
#define MONT_OPERATION(op) \
	enum mont_result mont_x_##op(struct mont_thread *t, const struct mont_uop *u)
#define MONT_INLINE(op) static __always_inline MONT_OPERATION(op)
/* How the quick way of an inline one begins, which is true if it did it all, or did nothing. */
#define MONT_QUICK(op) \
	static __always_inline bool mont_quick_##op(struct mont_thread *t, const struct mont_uop *u)

#define MONT_CLASS_ALU(op)
#define MONT_CLASS_MMEDIA(op)
#define MONT_CLASS_FP(op)
#define MONT_CLASS_MEM(op)
#define MONT_CLASS_BRANCH(op)
#define MONT_CLASS_SYSTEM(op) MONT_OPERATION(op);
#define MONT_OP(op, class, flags) MONT_CLASS_##class(op)
#include "ops.def"
#undef MONT_OP
#undef MONT_CLASS_ALU
#undef MONT_CLASS_MMEDIA
#undef MONT_CLASS_FP
#undef MONT_CLASS_MEM
#undef MONT_CLASS_BRANCH
#undef MONT_CLASS_SYSTEM

#endif
