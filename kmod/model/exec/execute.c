// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every operation of ops.def, by number.
 */
#include "execute.h"
#include "../event/raise.h"
#include "../isa/execute.h"
#include "../isa/alu.h"
#include "../isa/branch.h"
#include "../isa/mmedia.h"
#include "../isa/fpexec.h"
#include "../isa/memops.h"

enum mont_result mont_execute(struct mont_thread *t, const struct mont_uop *u)
{
	switch (mont_op(u)) {
#define MONT_OP(op, class, flags) \
	case MONT_OP_##op:        \
		return mont_x_##op(t, u);
#include "../isa/ops.def"
#undef MONT_OP
	default:
		return MONT_FAULT_ILLEGAL_OP;
	}
}
