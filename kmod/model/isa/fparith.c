// SPDX-License-Identifier: GPL-2.0-only
/*
 * Multiply-add with a single rounding, and rounding itself (Itanium SDM
 * volume 1, 5.1.3 and 5.4; volume 3, fma, fms, fnma, fp_ieee_round).
 *
 * fnorm, fadd, fsub, fmpy, fcvt.xuf and their relatives are spellings of these.
 */
#include "fparith.h"
#include "fpround.h"

#define SINGLE(shift)                                    \
	{                                                \
		0xff81, 0x1007e, 0x1007e - 0xff81, shift \
	}
#define DOUBLE(shift)                                    \
	{                                                \
		0xfc01, 0x103fe, 0x103fe - 0xfc01, shift \
	}
#define EXT(shift)                                                           \
	{                                                                    \
		MONT_FR_EXT_EMIN, 0x13ffe, 0x13ffe - MONT_FR_EXT_EMIN, shift \
	}
#define WIDE(shift)                            \
	{                                      \
		1, 0x1fffe, 0x1fffe - 1, shift \
	}

/*
 * Volume 1, table 5-6, indexed by completer, pc and wre. The reserved pc of 1
 * cannot be written; its rows only keep the index in bounds.
 */
const struct fp_fmt mont_fp_formats[24] = {
	/* no completer: the status field's precision, 15-bit exponents or wide */
	EXT(40),
	WIDE(40),
	EXT(0),
	WIDE(0),
	EXT(11),
	WIDE(11),
	EXT(0),
	WIDE(0),
	/* .s */
	SINGLE(40),
	WIDE(40),
	SINGLE(40),
	WIDE(40),
	SINGLE(40),
	WIDE(40),
	SINGLE(40),
	WIDE(40),
	/* .d */
	DOUBLE(11),
	WIDE(11),
	DOUBLE(11),
	WIDE(11),
	DOUBLE(11),
	WIDE(11),
	DOUBLE(11),
	WIDE(11),
};

/*
 * Status after rounding, with the traps that are enabled. A handler of O or U
 * needs to know whether and which way the delivered significand was rounded,
 * so ISR.i and ISR.fpa are given with every trap.
 */
static u32 fparith_trap_status(u32 flags, bool fpa, u32 ctl)
{
	u32 raised = flags & MONT_CTL_ENABLED(ctl);
	u32 code;

	if (!raised)
		return flags;
	code = (raised | (flags & MONT_FP_I)) << 8 | (u32)fpa << 14 | 1;
	return flags | MONT_FP_TRAP | code << MONT_FP_ISR_SHIFT;
}

/* Tiny, trap disabled, not flushed: round at the smallest exponent. */
static u32 fparith_round_denormal(struct mont_fr *r, u64 sign, u64 distance, u64 hi, u64 lo,
				  const struct fp_fmt *fmt, u32 ctl)
{
	u64 rest = fp_shift_right(&hi, &lo, distance);
	u32 shift = fmt->shift;
	bool up;

	rest |= lo;
	if (shift) {
		rest = hi << (64 - shift) | (rest ? 1 : 0);
		hi = hi >> shift << shift;
	}
	up = fp_round_up(MONT_CTL_RC(ctl), sign, hi >> shift, rest);
	if (up)
		hi += 1ULL << shift;
	r->sig = hi;
	r->se = sign | (u64)fmt->emin;
	/* Double-extended denormals are the ones with an exponent of their own. */
	if (!hi || (fmt->emin == MONT_FR_EXT_EMIN && !(hi & MONT_FR_INTBIT)))
		r->se = sign;
	return rest ? fparith_trap_status(MONT_FP_U | MONT_FP_I, up, ctl) : 0;
}

u32 mont_fp_round(struct mont_fr *r, u64 sign, s64 exp, u64 hi, u64 lo, const struct fp_fmt *fmt,
		  u32 ctl)
{
	u32 enabled = MONT_CTL_ENABLED(ctl);
	u32 shift = fmt->shift;
	u64 rest = lo;
	u64 keep = hi;
	s64 e = exp;
	u32 flags = 0;
	bool up;

	if (shift) {
		rest = hi << (64 - shift) | (lo ? 1 : 0);
		keep = hi >> shift << shift;
	}
	up = fp_round_up(MONT_CTL_RC(ctl), sign, keep >> shift, rest);
	if (up) {
		keep += 1ULL << shift;
		if (!keep) {
			keep = MONT_FR_INTBIT;
			e++;
		}
	}
	if (rest)
		flags |= MONT_FP_I;

	if (e > fmt->emax) {
		flags |= MONT_FP_O;
		if (!(enabled & MONT_FP_O)) {
			flags |= MONT_FP_I;
			up = MONT_CTL_RC(ctl) == MONT_RC_NEAREST ||
			     MONT_CTL_RC(ctl) == (sign ? MONT_RC_DOWN : MONT_RC_UP);
			if (up) {
				*r = fp_inf(sign);
			} else {
				r->sig = ~0ULL >> shift << shift;
				r->se = sign | (u64)fmt->emax;
			}
			return fparith_trap_status(flags, up, ctl);
		}
	} else if (e < fmt->emin) {
		/* Tininess is decided after rounding. */
		if (!(enabled & MONT_FP_U)) {
			if (!(ctl & MONT_SF_FTZ))
				return fparith_round_denormal(r, sign, (u64)(fmt->emin - exp), hi,
							      lo, fmt, ctl);
			*r = fp_zero(sign);
			return fparith_trap_status(MONT_FP_U | MONT_FP_I, false, ctl) |
			       MONT_FP_FLUSHED;
		}
		flags |= MONT_FP_U;
	}
	/* In range, or a trap handler gets the low 17 bits of the exponent. */
	r->sig = keep;
	r->se = sign | ((u64)e & MONT_FR_EXP);
	return fparith_trap_status(flags, up, ctl);
}

/* The result when an operand is a NaN or not supported, or none is: 0. */
static u32 fparith_fma_special(struct mont_fr *r, const struct mont_fr *a, const struct mont_fr *b,
			       const struct mont_fr *c, enum fp_class ca, enum fp_class cb,
			       enum fp_class cc, u32 ctl)
{
	const struct mont_fr *nan = NULL;
	u32 st = 0;

	if (ca >= FP_SNAN || cb >= FP_SNAN || cc >= FP_SNAN) {
		st = fp_fault_status(MONT_FP_V, ctl);
		if (st & MONT_FP_FAULT)
			return st;
	}
	/* An unsupported operand gives the indefinite; then f4, f2, f3. */
	if (ca == FP_UNSUPP || cb == FP_UNSUPP || cc == FP_UNSUPP) {
		*r = fp_indefinite();
		return st;
	}
	if (cb >= FP_QNAN)
		nan = b;
	else if (cc >= FP_QNAN)
		nan = c;
	else
		nan = a;
	*r = fp_quiet(nan);
	return st;
}

u32 mont_fp_fma_slow(struct mont_fr *r, const struct mont_fr *a, const struct mont_fr *b,
		     const struct mont_fr *c, u32 mode, u32 ctl, const struct fp_fmt *fmt)
{
	u64 sp = ((a->se ^ b->se) & MONT_FR_SIGN) ^ (mode & MONT_FMA_NEG_MUL ? MONT_FR_SIGN : 0);
	u64 sc = (c->se & MONT_FR_SIGN) ^ (mode & MONT_FMA_NEG_ADD ? MONT_FR_SIGN : 0);
	enum fp_class ca = fp_classify(a);
	enum fp_class cb = fp_classify(b);
	enum fp_class cc = fp_classify(c);
	struct fp_num x, y, z;
	struct fp_wide w;
	u32 st = 0;

	if (ca >= FP_QNAN || cb >= FP_QNAN || cc >= FP_QNAN)
		return fparith_fma_special(r, a, b, c, ca, cb, cc, ctl);

	/* Zero times infinity, and infinity less infinity; pseudo-zeros are zeros. */
	if (ca == FP_INF || cb == FP_INF) {
		if (!a->sig || !b->sig || (cc == FP_INF && sp != sc)) {
			st = fp_fault_status(MONT_FP_V, ctl);
			if (!(st & MONT_FP_FAULT))
				*r = fp_indefinite();
			return st;
		}
	}
	if (ca == FP_UNORM || cb == FP_UNORM || cc == FP_UNORM) {
		st = fp_fault_status(MONT_FP_D, ctl);
		if (st & MONT_FP_FAULT)
			return st;
	}
	if (ca == FP_INF || cb == FP_INF) {
		*r = fp_inf(sp);
		return st;
	}
	if (cc == FP_INF) {
		*r = fp_inf(sc);
		return st;
	}

	x = fp_unpack(a);
	y = fp_unpack(b);
	z = fp_unpack(c);
	if (!x.sig || !y.sig) {
		if (!z.sig) {
			if (!(mode & MONT_FMA_NO_ADD) && sp != sc)
				sp = fp_zero_sign(ctl);
			*r = fp_zero(sp);
			return st;
		}
		return st | mont_fp_round(r, sc, z.exp, z.sig, 0, fmt, ctl);
	}
	w = fp_multiply(x.sig, x.exp, y.sig, y.exp, sp);
	if (z.sig && !fp_add_wide(&w, z.sig, z.exp, sc)) {
		*r = fp_zero(fp_zero_sign(ctl));
		return st;
	}
	return st | mont_fp_round(r, w.sign, w.exp, w.hi, w.lo, fmt, ctl);
}

u32 mont_fp_fma(struct mont_fr *r, const struct mont_fr *a, const struct mont_fr *b,
		const struct mont_fr *c, u32 mode, u32 ctl, u32 pc)
{
	const struct fp_fmt *fmt = fp_format(pc, ctl);
	u32 st;

	if (fp_ctl_is_fast(ctl) && fp_fma_fast(r, &st, *a, *b, *c, mode, fmt))
		return st;
	return mont_fp_fma_slow(r, a, b, c, mode, ctl, fmt);
}
