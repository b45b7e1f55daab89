/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the execution files of the floating-point class: from operands in
 * a thread's registers to status in its FPSR (Itanium SDM volume 3,
 * fp_update_fpsr, fp_exception_fault, fp_exception_trap). Called by fpexec.c,
 * fpexec_move.c and fpexec_test.c.
 */
#ifndef MONT_ISA_FPSTATUS_H
#define MONT_ISA_FPSTATUS_H

#include "fp.h"

static __always_inline unsigned int fp_sf(const struct mont_uop *u)
{
	return u->imm & 3;
}

static __always_inline u32 fp_uop_ctl(const struct mont_thread *t, const struct mont_uop *u)
{
	return mont_fp_ctl(t->s.ar.fpsr, fp_sf(u));
}

static __always_inline void fp_add_flags(struct mont_thread *t, const struct mont_uop *u, u32 st)
{
	t->s.ar.fpsr |= (u64)(st & MONT_FP_FLAGS)
			<< (MONT_SF_SHIFT(fp_sf(u)) + MONT_SF_FLAGS_SHIFT);
}

/* Fault if @st asks for it, else add its flags. */
static __always_inline enum mont_result fp_commit_flags(struct mont_thread *t,
							const struct mont_uop *u, u32 st)
{
	if (unlikely(st & MONT_FP_FAULT)) {
		t->fault_isr = (st & MONT_FP_ISR) >> MONT_FP_ISR_SHIFT;
		return MONT_FAULT_FP_FAULT;
	}
	fp_add_flags(t, u, st);
	return MONT_NEXT;
}

static __always_inline enum mont_result fp_commit_trap(struct mont_thread *t, u32 st)
{
	if (likely(!(st & MONT_FP_TRAP)))
		return MONT_NEXT;
	t->fault_isr = (st & MONT_FP_ISR) >> MONT_FP_ISR_SHIFT;
	return MONT_FAULT_FP_TRAP;
}

/* @n elementary operations of an instruction that came to @res. */
static __always_inline enum mont_result fp_operations(struct mont_thread *t, u64 n,
						      enum mont_result res)
{
	if (likely(res == MONT_NEXT || res == MONT_FAULT_FP_TRAP))
		mont_signal_n(t, MONT_SIG_FP_OPS, n, 0);
	return res;
}

/* End of an operation with status @st whose result is @r. */
static __always_inline enum mont_result fp_commit(struct mont_thread *t, const struct mont_uop *u,
						  struct mont_fr r, u32 st)
{
	enum mont_result res = fp_commit_flags(t, u, st);

	if (unlikely(res))
		return res;
	mont_fr_set(t, u->r1, r);
	if (unlikely(st & (MONT_FP_FLUSHED | MONT_FP_FLUSHED_LOW)))
		mont_signal_n(t, MONT_SIG_FP_FLUSHED,
			      !!(st & MONT_FP_FLUSHED) + !!(st & MONT_FP_FLUSHED_LOW), 0);
	return fp_commit_trap(t, st);
}

static __always_inline enum mont_result fp_write(struct mont_thread *t, const struct mont_uop *u,
						 struct mont_fr r)
{
	mont_fr_set(t, u->r1, r);
	return MONT_NEXT;
}

/* mont_fr_check() for an instruction without a floating-point target. */
static __always_inline enum mont_result fp_check_sources(struct mont_thread *t, u8 a, u8 b)
{
	/* Stands for a target in the same set as @a that is not f0 or f1. */
	return mont_fr_check(t, MONT_FR_NONE, a, b, 0, 0);
}

#endif
