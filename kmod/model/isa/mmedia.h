/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Multimedia instructions: the operations of class MMEDIA in ops.def, one
 * function mont_x_<OP>() for each, in mmedia.c. Called by mont_execute()
 * (exec/execute.c).
 */
#ifndef MONT_ISA_MMEDIA_H
#define MONT_ISA_MMEDIA_H

#include "../event/raise.h"
#include "../arch/registers.h"

#define MONT_DECLARE_ALU(op)
#define MONT_DECLARE_MMEDIA(op) \
	enum mont_result mont_x_##op(struct mont_thread *t, const struct mont_uop *u);
#define MONT_DECLARE_MEM(op)
#define MONT_DECLARE_BRANCH(op)
#define MONT_DECLARE_FP(op)
#define MONT_DECLARE_SYSTEM(op)
#define MONT_OP(op, class, flags) MONT_DECLARE_##class(op)
#include "ops.def"
#undef MONT_OP
#undef MONT_DECLARE_ALU
#undef MONT_DECLARE_MMEDIA
#undef MONT_DECLARE_MEM
#undef MONT_DECLARE_BRANCH
#undef MONT_DECLARE_FP
#undef MONT_DECLARE_SYSTEM

#endif
