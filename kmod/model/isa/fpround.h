/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * Shared by the floating-point files: operand classes, the computation
 * models, and the one rounding (Itanium SDM volume 1, tables 5-2, 5-5, 5-6 and
 * section 5.4; volume 3, fp_ieee_round). Called by fparith.c, fpcvt.c,
 * fpexec.c, fpmisc.c, fpparallel.c and fprecip.c.
 */
#ifndef MONT_ISA_FPROUND_H
#define MONT_ISA_FPROUND_H

#include "fp.h"

enum fp_class {
	FP_ZERO,
	FP_NORM,
	FP_UNORM, /* denormals, pseudo-denormals, unnormalised numbers, pseudo-zeros */
	FP_INF,
	FP_QNAN,
	FP_SNAN,
	FP_UNSUPP, /* exponent of all ones without the integer bit */
};

static inline enum fp_class fp_classify(const struct mont_fr *a)
{
	u64 exp = a->se & MONT_FR_EXP;

	if (unlikely(exp == MONT_FR_EXP)) {
		if (!(a->sig & MONT_FR_INTBIT))
			return FP_UNSUPP;
		if (a->sig == MONT_FR_INTBIT)
			return FP_INF;
		return a->sig & MONT_FR_QBIT ? FP_QNAN : FP_SNAN;
	}
	if (!exp && !a->sig)
		return FP_ZERO;
	return exp && a->sig >> 63 ? FP_NORM : FP_UNORM;
}

/* A finite number taken apart: a normalised significand, or 0 for zero. */
struct fp_num {
	u64 sig;
	s64 exp;
	u64 sign; /* 0 or MONT_FR_SIGN */
};

static inline struct fp_num fp_unpack(const struct mont_fr *a)
{
	struct fp_num n = { a->sig, (s64)(a->se & MONT_FR_EXP), a->se & MONT_FR_SIGN };
	unsigned int shift;

	if (unlikely(!n.sig))
		return n;
	if (!n.exp)
		n.exp = MONT_FR_EXT_EMIN;
	shift = (unsigned int)__builtin_clzll(n.sig);
	n.sig <<= shift;
	n.exp -= shift;
	return n;
}

/**
 * struct fp_fmt - a computation model
 * @emin: smallest exponent of a normal result, with the register bias
 * @emax: largest
 * @range: @emax - @emin
 * @shift: 64 minus the precision
 */
struct fp_fmt {
	s32 emin;
	s32 emax;
	u32 range;
	u32 shift;
};

extern const struct fp_fmt mont_fp_formats[24];

/* The model of an instruction with completer @pc under controls @ctl. */
static __always_inline const struct fp_fmt *fp_format(u32 pc, u32 ctl)
{
	return &mont_fp_formats[pc << 3 | (ctl >> 1 & 7)];
}

/* The model of parallel operations: single, whatever the controls say. */
#define FP_FMT_PARALLEL (&mont_fp_formats[MONT_PC_S << 3])

static __always_inline struct mont_fr fp_zero(u64 sign)
{
	return (struct mont_fr){ 0, sign };
}

static __always_inline struct mont_fr fp_inf(u64 sign)
{
	return (struct mont_fr){ MONT_FR_INTBIT, sign | MONT_FR_EXP };
}

/* The quiet NaN indefinite. */
static __always_inline struct mont_fr fp_indefinite(void)
{
	return (struct mont_fr){ MONT_FR_INTBIT | MONT_FR_QBIT, MONT_FR_SIGN | MONT_FR_EXP };
}

static __always_inline struct mont_fr fp_quiet(const struct mont_fr *a)
{
	return (struct mont_fr){ a->sig | MONT_FR_QBIT, a->se };
}

/* Status of an operation that raised the fault-class exceptions @flags. */
static __always_inline u32 fp_fault_status(u32 flags, u32 ctl)
{
	u32 raised = flags & MONT_CTL_ENABLED(ctl);

	if (unlikely(raised))
		return MONT_FP_FAULT | raised << MONT_FP_ISR_SHIFT;
	return flags;
}

/* True if magnitude ...@lsb.@rest (64 bits after the point) is rounded up. */
static __always_inline bool fp_round_up(u32 rc, bool negative, u64 lsb, u64 rest)
{
	if (likely(rc == MONT_RC_NEAREST))
		return rest > MONT_FR_INTBIT || (rest == MONT_FR_INTBIT && (lsb & 1));
	return rest && rc == (negative ? MONT_RC_DOWN : MONT_RC_UP);
}

/*
 * A number on its way to be rounded: magnitude @hi:@lo, whose top bit weighs
 * 2^(@exp - bias). Halves, because compilers shift 128-bit numbers badly.
 */
struct fp_wide {
	u64 hi;
	u64 lo;
	s64 exp;
	u64 sign;
};

/* The product of two normalised numbers, normalised. */
static __always_inline struct fp_wide fp_multiply(u64 a, s64 ea, u64 b, s64 eb, u64 sign)
{
	fp_u128 p = (fp_u128)a * b;
	u64 hi = (u64)(p >> 64);
	u64 lo = (u64)p;
	u64 low = ~hi >> 63; /* 1: normalise by one place to the left */

	hi += (hi + (lo >> 63)) & -low;
	lo += lo & -low;
	return (struct fp_wide){ hi, lo, ea + eb - (MONT_FR_BIAS - 1) - (s64)low, sign };
}

/*
 * Shift @hi:@lo right by @n.
 *
 * Return: 1 when ones were lost, else 0.
 */
static __always_inline u64 fp_shift_right(u64 *hi, u64 *lo, u64 n)
{
	u64 lost;

	/* Two shifts each: a count of 64 is undefined. */
	if (likely(n < 64)) {
		lost = *lo << 1 << (63 - n);
		*lo = *lo >> n | *hi << 1 << (63 - n);
		*hi >>= n;
	} else if (n < 128) {
		n -= 64;
		lost = *lo | *hi << 1 << (63 - n);
		*lo = *hi >> n;
		*hi = 0;
	} else {
		lost = *hi | *lo;
		*lo = 0;
		*hi = 0;
	}
	return !!lost;
}

/*
 * Add to product @w (normalised) the addend of significand @c (normalised too),
 * as exactly as rounding to 64 bits or fewer needs: bit 0 of the sum may stand
 * for all that is below it.
 *
 * Return: false when the sum is exactly zero.
 */
static __always_inline bool fp_add_wide(struct fp_wide *w, u64 c, s64 exp, u64 sign)
{
	u64 differ = w->sign ^ sign;
	s64 d = w->exp - exp;
	u64 hi, lo, sh, sl, lost, borrow;
	unsigned int n;

	if (d > 0 || (d == 0 && w->hi >= c)) {
		hi = w->hi;
		lo = w->lo;
		sh = c;
		sl = 0;
		lost = fp_shift_right(&sh, &sl, (u64)d);
	} else {
		hi = c;
		lo = 0;
		sh = w->hi;
		sl = w->lo;
		lost = fp_shift_right(&sh, &sl, (u64)-d);
		w->exp = exp;
		w->sign = sign;
	}
	if (!differ) {
		lo += sl;
		sh += lo < sl; /* cannot wrap: there is a carry only when @d is not 0 */
		hi += sh;
		if (hi < sh) {
			lo = lo >> 1 | hi << 63 | (lo & 1);
			hi = hi >> 1 | MONT_FR_INTBIT;
			w->exp++;
		}
		w->hi = hi;
		w->lo = lo | lost;
		return true;
	}

	/*
	 * If the smaller number was shifted by one place, the lost bit is half of
	 * bit 0. Only then can more than one leading zero and lost bits come
	 * together: the half matters when @hi cancels. In every other case a
	 * sticky bit below bit 0 is enough.
	 */
	borrow = lo < sl || (lo == sl && lost);
	lo -= sl + lost;
	hi -= sh + borrow;
	if (unlikely(!hi)) {
		if (!(lo | lost))
			return false;
		hi = lo;
		lo = lost << 63;
		lost = 0;
		w->exp -= 64;
		if (unlikely(!hi)) {
			hi = lo;
			lo = 0;
			w->exp -= 64;
		}
	}
	n = (unsigned int)__builtin_clzll(hi);
	w->hi = hi << n | lo >> 1 >> (63 - n);
	w->lo = lo << n | lost;
	w->exp -= n;
	return true;
}

/* The sign of an exact zero sum of numbers with different signs. */
static __always_inline u64 fp_zero_sign(u32 ctl)
{
	return MONT_CTL_RC(ctl) == MONT_RC_DOWN ? MONT_FR_SIGN : 0;
}

/* True if @a is normal, finite and not zero. */
static __always_inline bool fp_is_normal(const struct mont_fr *a)
{
	return (a->se & MONT_FR_EXP) - 1 < MONT_FR_EXP - 1 && a->sig >> 63;
}

/* Controls under which fp_fma_fast() may be tried: to nearest, nothing enabled. */
static __always_inline bool fp_ctl_is_fast(u32 ctl)
{
	return !(ctl & (3 << MONT_SF_RC_SHIFT | MONT_FP_FLAGS << 8));
}

/*
 * mont_fp_fma() of normal numbers, the addend perhaps zero, when nothing but
 * rounding to nearest happens: no loop, no call. Everything else returns false.
 */
static __always_inline bool fp_fma_fast(struct mont_fr *r, u32 *st, struct mont_fr a,
					struct mont_fr b, struct mont_fr c, u32 mode,
					const struct fp_fmt *fmt)
{
	struct fp_wide w;
	u32 shift;
	u64 rest;

	if (unlikely(!fp_is_normal(&a) || !fp_is_normal(&b)))
		return false;
	w = fp_multiply(a.sig, (s64)(a.se & MONT_FR_EXP), b.sig, (s64)(b.se & MONT_FR_EXP),
			((a.se ^ b.se) & MONT_FR_SIGN) ^ (u64)(mode & MONT_FMA_NEG_MUL) << 17);
	if (likely(fp_is_normal(&c))) {
		if (!fp_add_wide(&w, c.sig, (s64)(c.se & MONT_FR_EXP),
				 (c.se & MONT_FR_SIGN) ^ (u64)(mode & MONT_FMA_NEG_ADD) << 16)) {
			*r = fp_zero(0);
			*st = 0;
			return true;
		}
	} else if (unlikely(c.sig | (c.se & MONT_FR_EXP))) {
		return false;
	}

	/* Add just less than a half, or a half when that makes a tie even. */
	shift = fmt->shift;
	if (likely(shift)) {
		u64 mask = (1ULL << shift) - 1;

		w.hi |= !!w.lo;
		rest = w.hi & mask;
		w.hi += (mask >> 1) + (w.hi >> shift & 1);
		if (unlikely(w.hi <= mask)) {
			w.hi = MONT_FR_INTBIT;
			w.exp++;
		}
		w.hi &= ~mask;
	} else {
		rest = w.lo;
		w.hi += rest > MONT_FR_INTBIT || (rest == MONT_FR_INTBIT && (w.hi & 1));
		if (unlikely(!w.hi)) {
			w.hi = MONT_FR_INTBIT;
			w.exp++;
		}
	}
	if (unlikely((u64)(w.exp - fmt->emin) > fmt->range))
		return false;
	r->sig = w.hi;
	r->se = w.sign | (u64)w.exp;
	*st = rest ? MONT_FP_I : 0;
	return true;
}

#endif
