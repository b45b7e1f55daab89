// SPDX-License-Identifier: GPL-2.0-only
/*
 * Comparison, minimum and maximum, classification (Itanium SDM volume 3, fcmp,
 * fmin, fmax, famin, famax, fclass).
 */
#include "fpmisc.h"
#include "fpround.h"

/* Order of two magnitudes. */
static enum mont_fp_rel fpmisc_compare_magnitude(const struct fp_num *x, const struct fp_num *y)
{
	if (!x->sig || !y->sig) {
		if (!x->sig && !y->sig)
			return MONT_FP_EQ;
		return x->sig ? MONT_FP_GT : MONT_FP_LT;
	}
	if (x->exp != y->exp)
		return x->exp > y->exp ? MONT_FP_GT : MONT_FP_LT;
	if (x->sig != y->sig)
		return x->sig > y->sig ? MONT_FP_GT : MONT_FP_LT;
	return MONT_FP_EQ;
}

/* Order of two operands that are numbers; infinities unpack as large ones. */
static enum mont_fp_rel fpmisc_compare_numbers(const struct mont_fr *a, const struct mont_fr *b)
{
	struct fp_num x = fp_unpack(a);
	struct fp_num y = fp_unpack(b);
	enum mont_fp_rel rel;

	if (x.sign != y.sign) {
		if (!x.sig && !y.sig)
			return MONT_FP_EQ;
		return x.sign ? MONT_FP_LT : MONT_FP_GT;
	}
	rel = fpmisc_compare_magnitude(&x, &y);
	if (x.sign && rel != MONT_FP_EQ)
		rel = rel == MONT_FP_LT ? MONT_FP_GT : MONT_FP_LT;
	return rel;
}

/* Order of two normal numbers: sign, then exponent, then significand. */
static __always_inline enum mont_fp_rel fpmisc_compare_normal(const struct mont_fr *a,
							      const struct mont_fr *b)
{
	bool less;

	if ((a->se ^ b->se) & MONT_FR_SIGN)
		return a->se & MONT_FR_SIGN ? MONT_FP_LT : MONT_FP_GT;
	if (a->se == b->se && a->sig == b->sig)
		return MONT_FP_EQ;
	less = a->se == b->se ? a->sig < b->sig : a->se < b->se;
	return less == !(a->se & MONT_FR_SIGN) ? MONT_FP_LT : MONT_FP_GT;
}

u32 mont_fp_compare(const struct mont_fr *a, const struct mont_fr *b, bool signal_qnan, u32 ctl,
		    enum mont_fp_rel *rel)
{
	enum fp_class ca, cb;

	if (likely(fp_is_normal(a) && fp_is_normal(b))) {
		*rel = fpmisc_compare_normal(a, b);
		return 0;
	}
	ca = fp_classify(a);
	cb = fp_classify(b);
	if (ca >= FP_QNAN || cb >= FP_QNAN) {
		*rel = MONT_FP_UN;
		if (signal_qnan || ca >= FP_SNAN || cb >= FP_SNAN)
			return fp_fault_status(MONT_FP_V, ctl);
		return 0;
	}
	*rel = fpmisc_compare_numbers(a, b);
	if (ca == FP_UNORM || cb == FP_UNORM)
		return fp_fault_status(MONT_FP_D, ctl);
	return 0;
}

u32 mont_fp_minmax(struct mont_fr *r, const struct mont_fr *a, const struct mont_fr *b,
		   enum mont_fp_minmax op, u32 ctl)
{
	struct mont_fr x = *a;
	struct mont_fr y = *b;
	enum mont_fp_rel rel;
	bool left;
	u32 st;

	if (op == MONT_FP_AMIN || op == MONT_FP_AMAX) {
		x.se &= MONT_FR_EXP;
		y.se &= MONT_FR_EXP;
	}
	st = mont_fp_compare(&x, &y, true, ctl, &rel);
	if (st & MONT_FP_FAULT)
		return st;
	left = rel == (op == MONT_FP_MIN || op == MONT_FP_AMIN ? MONT_FP_LT : MONT_FP_GT);
	*r = left ? *a : *b;
	return st;
}

/* Bits of fclass9 */
#define CLASS_POS 0x001
#define CLASS_NEG 0x002
#define CLASS_ZERO 0x004
#define CLASS_UNORM 0x008
#define CLASS_NORM 0x010
#define CLASS_INF 0x020
#define CLASS_SNAN 0x040
#define CLASS_QNAN 0x080
#define CLASS_NAT 0x100

bool mont_fp_class(struct mont_fr a, u32 fclass9)
{
	static const u16 bit[] = {
		[FP_ZERO] = CLASS_ZERO, [FP_NORM] = CLASS_NORM, [FP_UNORM] = CLASS_UNORM,
		[FP_INF] = CLASS_INF,	[FP_QNAN] = CLASS_QNAN, [FP_SNAN] = CLASS_SNAN,
		[FP_UNSUPP] = 0,
	};
	enum fp_class class;

	if (mont_fr_is_natval(a))
		return fclass9 & CLASS_NAT;
	class = fp_classify(&a);
	if (!(fclass9 & bit[class]))
		return false;
	/* The sign does not matter for NaNs. */
	return class >= FP_QNAN || (fclass9 & (a.se & MONT_FR_SIGN ? CLASS_NEG : CLASS_POS));
}
