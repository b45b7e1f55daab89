/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * Multiplication with addition, and the rounding of every result (SDM volume 3, fp_ieee_round).
 * Operands are not NaTVal. Called by fpexec.c and the other units of floating-point arithmetic.
 */
#ifndef MONT_ISA_FPARITH_H
#define MONT_ISA_FPARITH_H

#include "fp.h"

struct fp_fmt;

/**
 * mont_fp_fma() - @a * @b + @c with one rounding
 * @r: result; may be one of the operands
 * @a: multiplicand (f3)
 * @b: multiplier (f4)
 * @c: addend (f2)
 * @mode: MONT_FMA_*; fms is NEG_ADD, fnma NEG_MUL
 * @ctl: mont_fp_ctl()
 * @pc: MONT_PC_*
 *
 * Return: status (MONT_FP_*); @r is not written on a fault.
 */
u32 mont_fp_fma(struct mont_fr *r, const struct mont_fr *a, const struct mont_fr *b,
		const struct mont_fr *c, u32 mode, u32 ctl, u32 pc);

/* xma: @a * @b + @c on significands, the 128-bit result's halves. */
static __always_inline u64 mont_fp_xma_l(u64 a, u64 b, u64 c)
{
	return a * b + c;
}

static __always_inline u64 mont_fp_xma_hu(u64 a, u64 b, u64 c)
{
	return (u64)(((fp_u128)a * b + c) >> 64);
}

static __always_inline u64 mont_fp_xma_h(u64 a, u64 b, u64 c)
{
	return (u64)(((fp_u128)(s64)a * (fp_u128)(s64)b + c) >> 64);
}

/*
 * Round the number of magnitude @hi:@lo (bit 63 of @hi set; its weight is
 * 2^(@exp - bias)) into @fmt. Bit 0 of @lo may stand for all bits below.
 */
u32 mont_fp_round(struct mont_fr *r, u64 sign, s64 exp, u64 hi, u64 lo, const struct fp_fmt *fmt,
		  u32 ctl);

/* As mont_fp_fma(), by the computation model @fmt in place of a completer. */
u32 mont_fp_fma_slow(struct mont_fr *r, const struct mont_fr *a, const struct mont_fr *b,
		     const struct mont_fr *c, u32 mode, u32 ctl, const struct fp_fmt *fmt);

#endif
