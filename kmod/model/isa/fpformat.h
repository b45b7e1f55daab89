/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * Single and double as memory holds them, and as registers do (Itanium SDM
 * volume 1, 5.1 and figures 5-5 to 5-9; volume 3, fp_mem_to_fr_format and
 * fp_fr_to_mem_format). Loads and stores are inline in the run loop, and so is
 * this; the other formats are in fpcvt.c. Called by memops.h, fpexec_move.c and
 * fpparallel.c, and by libmontecito for unaligned references.
 */
#ifndef MONT_ISA_FPFORMAT_H
#define MONT_ISA_FPFORMAT_H

#include "fp.h"

#define BIAS_DELTA_SINGLE (MONT_FR_BIAS - 127)
#define BIAS_DELTA_DOUBLE (MONT_FR_BIAS - 1023)

/**
 * mont_fr_from_single() - ldfs, setf.s, and a lane of a parallel operand
 * @v: single
 *
 * A denormal keeps its unnormalised significand.
 *
 * Return: register image.
 */
static __always_inline struct mont_fr mont_fr_from_single(u32 v)
{
	u64 sign = (u64)(v >> 31) << 17;
	u32 exp = v >> 23 & 0xff;
	u64 frac = (u64)(v & 0x7fffff) << 40;

	if (likely(exp - 1 < 0xfe))
		return (struct mont_fr){ MONT_FR_INTBIT | frac, sign | (exp + BIAS_DELTA_SINGLE) };
	if (exp)
		return (struct mont_fr){ MONT_FR_INTBIT | frac, sign | MONT_FR_EXP };
	return (struct mont_fr){ frac, frac ? sign | (1 + BIAS_DELTA_SINGLE) : sign };
}

/**
 * mont_fr_from_double() - ldfd, setf.d
 * @v: double
 *
 * Return: register image.
 */
static __always_inline struct mont_fr mont_fr_from_double(u64 v)
{
	u64 sign = v >> 63 << 17;
	u32 exp = (u32)(v >> 52) & 0x7ff;
	u64 frac = v << 12 >> 1;

	if (likely(exp - 1 < 0x7fe))
		return (struct mont_fr){ MONT_FR_INTBIT | frac, sign | (exp + BIAS_DELTA_DOUBLE) };
	if (exp)
		return (struct mont_fr){ MONT_FR_INTBIT | frac, sign | MONT_FR_EXP };
	return (struct mont_fr){ frac, frac ? sign | (1 + BIAS_DELTA_DOUBLE) : sign };
}

/**
 * mont_fr_to_single() - stfs, getf.s, fpack, and a lane of a parallel result
 * @a: register
 *
 * Bits are selected, not rounded: a register that is not representable gives
 * what the figure says.
 *
 * Return: single.
 */
static __always_inline u32 mont_fr_to_single(struct mont_fr a)
{
	u32 sign = (u32)(a.se >> 17) << 31;
	u32 frac = (u32)(a.sig >> 40) & 0x7fffff;
	u32 exp = (u32)(a.se >> 16 & 1) << 7 | (u32)(a.se & 0x7f);

	if (!(a.sig & MONT_FR_INTBIT))
		exp = 0;
	return sign | exp << 23 | frac;
}

/**
 * mont_fr_to_double() - stfd, getf.d
 * @a: register
 *
 * Return: double.
 */
static __always_inline u64 mont_fr_to_double(struct mont_fr a)
{
	u64 sign = a.se >> 17 << 63;
	u64 frac = a.sig << 1 >> 12;
	u64 exp = (a.se >> 16 & 1) << 10 | (a.se & 0x3ff);

	if (!(a.sig & MONT_FR_INTBIT))
		exp = 0;
	return sign | exp << 52 | frac;
}

#endif
