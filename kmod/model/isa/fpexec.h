/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Execution of the floating-point class: enum mont_result mont_x_<op>(t, u) for
 * every operation of class FP in ops.def. Called by mont_execute() and
 * execute_hot() (exec/).
 *
 * The qualifying predicate has been tested, except for the operations marked
 * MONT_UOP_ALWAYS. MONT_FAULT_FP_TRAP is returned after the result has been
 * written: the interruption is of the instruction that follows.
 */
#ifndef MONT_ISA_FPEXEC_H
#define MONT_ISA_FPEXEC_H

#include "../event/raise.h"
#include "../arch/registers.h"

#define MONT_DECLARE_ALU(op)
#define MONT_DECLARE_MMEDIA(op)
#define MONT_DECLARE_MEM(op)
#define MONT_DECLARE_BRANCH(op)
#define MONT_DECLARE_SYSTEM(op)
#define MONT_DECLARE_FP(op) \
	enum mont_result mont_x_##op(struct mont_thread *t, const struct mont_uop *u);
#define MONT_OP(op, class, flags) MONT_DECLARE_##class(op)
#include "ops.def"
#undef MONT_OP
#undef MONT_DECLARE_FP
#undef MONT_DECLARE_SYSTEM
#undef MONT_DECLARE_BRANCH
#undef MONT_DECLARE_MEM
#undef MONT_DECLARE_MMEDIA
#undef MONT_DECLARE_ALU

#endif
