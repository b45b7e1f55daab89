// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later
/*
 * Floating-point formats and conversions (Itanium SDM volume 1, 5.1 and 5.3.1,
 * figures 5-5 to 5-9; volume 3, fcvt.fx, fcvt.xf, fp_mem_to_fr_format and
 * fp_fr_to_mem_format).
 */
#include "fpcvt.h"
#include "fpformat.h"
#include "fpround.h"

#define BIAS_DELTA_EXT (MONT_FR_BIAS - 16383)

/**
 * mont_fr_from_ext() - ldfe
 * @lo64: significand
 * @hi16: sign and exponent
 *
 * Return: register image.
 */
struct mont_fr mont_fr_from_ext(u64 lo64, u16 hi16)
{
	u64 sign = (u64)(hi16 >> 15) << 17;
	u32 exp = hi16 & 0x7fff;

	if (exp == 0x7fff)
		exp = MONT_FR_EXP;
	else if (exp)
		exp += BIAS_DELTA_EXT;
	return (struct mont_fr){ lo64, sign | exp };
}

/**
 * mont_fr_to_ext() - stfe
 * @a: register
 * @lo64: significand
 *
 * Return: sign and exponent.
 */
u16 mont_fr_to_ext(struct mont_fr a, u64 *lo64)
{
	*lo64 = a.sig;
	return (u16)((a.se >> 17 & 1) << 15 | (a.se >> 16 & 1) << 14 | (a.se & 0x3fff));
}

/* fcvt.xf: every 64-bit integer is representable. */
struct mont_fr mont_fp_from_signed(u64 v)
{
	u64 sign = v >> 63 << 17;
	unsigned int n;

	if (!v)
		return fp_zero(0);
	if (sign)
		v = -v;
	n = (unsigned int)__builtin_clzll(v);
	return (struct mont_fr){ v << n, sign | (MONT_FR_INT_SE - n) };
}

u32 mont_fp_to_int(u64 *r, const struct mont_fr *a, bool is_unsigned, bool trunc, u32 width,
		   u32 ctl)
{
	u64 indefinite = 1ULL << (width - 1);
	u64 limit = is_unsigned ? ~0ULL >> (64 - width) : indefinite - 1;
	enum fp_class class = fp_classify(a);
	struct fp_num n;
	u64 whole, rest;
	u32 st = 0;
	bool up;
	s64 k;

	if (unlikely(class >= FP_INF))
		goto invalid;
	n = fp_unpack(a);
	k = n.exp - MONT_FR_BIAS;
	if (!n.sig || k < -1) {
		whole = 0;
		rest = !!n.sig; /* less than a half */
	} else if (k == -1) {
		whole = 0;
		rest = n.sig;
	} else if (k < 63) {
		whole = n.sig >> (63 - k);
		rest = n.sig << (k + 1);
	} else if (k == 63) {
		whole = n.sig;
		rest = 0;
	} else {
		goto invalid;
	}
	up = fp_round_up(trunc ? MONT_RC_ZERO : MONT_CTL_RC(ctl), n.sign, whole, rest);
	whole += up; /* @rest is 0 where this could wrap */
	if (n.sign)
		limit = is_unsigned ? 0 : indefinite;
	if (whole > limit)
		goto invalid;

	if (class == FP_UNORM) {
		st = fp_fault_status(MONT_FP_D, ctl);
		if (st & MONT_FP_FAULT)
			return st;
	}
	*r = (n.sign ? -whole : whole) & (~0ULL >> (64 - width));
	if (rest) {
		st |= MONT_FP_I;
		if (ctl & MONT_FP_I << 8) {
			u32 code = MONT_FP_I << 8 | (u32)up << 14 | 1;

			st |= MONT_FP_TRAP | code << MONT_FP_ISR_SHIFT;
		}
	}
	return st;

invalid:
	st = fp_fault_status(MONT_FP_V, ctl);
	if (!(st & MONT_FP_FAULT))
		*r = indefinite;
	return st;
}
