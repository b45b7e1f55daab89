// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parallel floating point: a significand holds a pair of singles (Itanium SDM
 * volume 1, 5.3.5; volume 3, fpma, fpmin, fpcmp, fpcvt, fprcpa, fprsqrta).
 *
 * A lane is the scalar operation in the single format, whatever pc and wre
 * say. Flags of both lanes add up; ISR.code tells them apart.
 */
#include "fpparallel.h"
#include "fpformat.h"
#include "fpround.h"
#include "fparith.h"
#include "fpcvt.h"
#include "fpmisc.h"
#include "fprecip.h"

/* Scalar status as the status of the low lane: its codes lie lower. */
static u32 fpparallel_low_status(u32 st)
{
	u32 isr = st & MONT_FP_ISR;

	if (st & MONT_FP_FAULT)
		isr <<= 4;
	else if (st & MONT_FP_TRAP)
		isr = (isr >> 4 & MONT_FP_ISR) | 1 << MONT_FP_ISR_SHIFT;
	if (st & MONT_FP_FLUSHED)
		st ^= MONT_FP_FLUSHED | MONT_FP_FLUSHED_LOW;
	return (st & ~MONT_FP_ISR) | isr;
}

/* Status of a pair: a fault in one lane keeps the other from trapping. */
static u32 fpparallel_pair_status(u32 hi, u32 lo)
{
	lo = fpparallel_low_status(lo);
	if (likely(!((hi | lo) & MONT_FP_FAULT)))
		return hi | lo;
	return MONT_FP_FAULT | (hi & MONT_FP_FAULT ? hi & MONT_FP_ISR : 0) |
	       (lo & MONT_FP_FAULT ? lo & MONT_FP_ISR : 0);
}

static __always_inline u64 fpparallel_pair(u32 hi, u32 lo)
{
	return (u64)hi << 32 | lo;
}

static u32 fpparallel_lane_fma(u32 *r, u32 a, u32 b, u32 c, u32 mode, u32 ctl)
{
	struct mont_fr x = mont_fr_from_single(a);
	struct mont_fr y = mont_fr_from_single(b);
	struct mont_fr z = mont_fr_from_single(c);
	u32 st = mont_fp_fma_slow(&z, &x, &y, &z, mode, ctl, FP_FMT_PARALLEL);

	*r = mont_fr_to_single(z);
	return st;
}

/**
 * mont_fp_pfma() - fpma, fpms, fpnma
 * @r: result
 * @a: multiplicands (f3)
 * @b: multipliers (f4)
 * @c: addends (f2)
 * @mode: MONT_FMA_*
 * @ctl: mont_fp_ctl()
 *
 * Return: status.
 */
u32 mont_fp_pfma(u64 *r, u64 a, u64 b, u64 c, u32 mode, u32 ctl)
{
	u32 hi, lo;
	u32 st;

	st = fpparallel_pair_status(fpparallel_lane_fma(&hi, (u32)(a >> 32), (u32)(b >> 32),
							(u32)(c >> 32), mode, ctl),
				    fpparallel_lane_fma(&lo, (u32)a, (u32)b, (u32)c, mode, ctl));
	*r = fpparallel_pair(hi, lo);
	return st;
}

static u32 fpparallel_lane_minmax(u32 *r, u32 a, u32 b, enum mont_fp_minmax op, u32 ctl)
{
	struct mont_fr x = mont_fr_from_single(a);
	struct mont_fr y = mont_fr_from_single(b);
	u32 st = mont_fp_minmax(&x, &x, &y, op, ctl);

	*r = mont_fr_to_single(x);
	return st;
}

/**
 * mont_fp_pminmax() - fpmin, fpmax, fpamin, fpamax
 * @r: result
 * @a: left (f2)
 * @b: right (f3)
 * @op: which
 * @ctl: mont_fp_ctl()
 *
 * Return: status.
 */
u32 mont_fp_pminmax(u64 *r, u64 a, u64 b, enum mont_fp_minmax op, u32 ctl)
{
	u32 hi, lo;
	u32 st;

	st = fpparallel_pair_status(fpparallel_lane_minmax(&hi, (u32)(a >> 32), (u32)(b >> 32), op,
							   ctl),
				    fpparallel_lane_minmax(&lo, (u32)a, (u32)b, op, ctl));
	*r = fpparallel_pair(hi, lo);
	return st;
}

static u32 fpparallel_lane_cmp(u32 *r, u32 a, u32 b, u32 rels, bool signal_qnan, u32 ctl)
{
	struct mont_fr x = mont_fr_from_single(a);
	struct mont_fr y = mont_fr_from_single(b);
	enum mont_fp_rel rel;
	u32 st = mont_fp_compare(&x, &y, signal_qnan, ctl, &rel);

	*r = rels >> rel & 1 ? ~0U : 0;
	return st;
}

u32 mont_fp_pcmp(u64 *r, u64 a, u64 b, u32 rels, bool signal_qnan, u32 ctl)
{
	u32 hi, lo;
	u32 st;

	st = fpparallel_pair_status(
		fpparallel_lane_cmp(&hi, (u32)(a >> 32), (u32)(b >> 32), rels, signal_qnan, ctl),
		fpparallel_lane_cmp(&lo, (u32)a, (u32)b, rels, signal_qnan, ctl));
	*r = fpparallel_pair(hi, lo);
	return st;
}

/**
 * mont_fp_pcvt() - fpcvt.fx, fpcvt.fxu
 * @r: pair of 32-bit integers
 * @a: operand
 * @is_unsigned: fpcvt.fxu
 * @trunc: .trunc
 * @ctl: mont_fp_ctl()
 *
 * Return: status.
 */
u32 mont_fp_pcvt(u64 *r, u64 a, bool is_unsigned, bool trunc, u32 ctl)
{
	struct mont_fr x = mont_fr_from_single((u32)(a >> 32));
	struct mont_fr y = mont_fr_from_single((u32)a);
	u64 hi = 0;
	u64 lo = 0;
	u32 st;

	st = fpparallel_pair_status(mont_fp_to_int(&hi, &x, is_unsigned, trunc, 32, ctl),
				    mont_fp_to_int(&lo, &y, is_unsigned, trunc, 32, ctl));
	*r = fpparallel_pair((u32)hi, (u32)lo);
	return st;
}

/* Exponents of singles: the limits of a division that cannot go wrong. */
#define EMIN (-126)
#define EMAX 127
#define PRECISION 24

static u32 fpparallel_lane_rcpa(u32 *r, bool *p, u32 a, u32 b, u32 ctl)
{
	struct mont_fr x = mont_fr_from_single(a);
	struct mont_fr y = mont_fr_from_single(b);
	struct fp_num num, den;
	s64 ea, eb;
	bool done;
	u32 st;

	st = mont_fp_rcpa_special(&x, &done, &x, &y, ctl);
	*p = false;
	*r = mont_fr_to_single(x);
	if (done)
		return st;
	x = mont_fr_from_single(a);
	num = fp_unpack(&x);
	den = fp_unpack(&y);
	ea = num.exp - MONT_FR_BIAS;
	eb = den.exp - MONT_FR_BIAS;
	if (eb <= EMIN - 2) {
		/* The reciprocal itself is out of range. */
		*r = mont_fr_to_single(fp_inf(den.sign));
	} else if (eb >= EMAX - 2) {
		*r = mont_fr_to_single(fp_zero(den.sign));
	} else {
		*r = mont_fr_to_single(mont_fp_recip_table(den));
		*p = ea > EMIN + PRECISION - 1 && ea - eb < EMAX && ea - eb > EMIN + 1;
	}
	return st;
}

/**
 * mont_fp_prcpa() - fprcpa
 * @r: pair of approximations of 1/@b
 * @p: the target predicate: both lanes can be refined to the quotient
 * @a: numerators (f2)
 * @b: denominators (f3)
 * @ctl: mont_fp_ctl()
 *
 * Where the limits of volume 3 are exceeded by the denominator the lane is the
 * infinity or zero that its reciprocal overflows or underflows to: an
 * assumption, software does not use the lane when @p is false.
 *
 * Return: status.
 */
u32 mont_fp_prcpa(u64 *r, bool *p, u64 a, u64 b, u32 ctl)
{
	bool phi, plo;
	u32 hi, lo;
	u32 st;

	st = fpparallel_pair_status(fpparallel_lane_rcpa(&hi, &phi, (u32)(a >> 32), (u32)(b >> 32),
							 ctl),
				    fpparallel_lane_rcpa(&lo, &plo, (u32)a, (u32)b, ctl));
	*r = fpparallel_pair(hi, lo);
	*p = phi && plo;
	return st;
}

static u32 fpparallel_lane_rsqrta(u32 *r, bool *p, u32 a, u32 ctl)
{
	struct mont_fr x = mont_fr_from_single(a);
	struct mont_fr y = x;
	struct fp_num n;
	bool done;
	u32 st;

	st = mont_fp_rsqrta_special(&y, &done, &x, ctl);
	*p = false;
	if (done) {
		/* Of zero and infinity this form gives the reciprocal. */
		if (!x.sig)
			y = fp_inf(x.se & MONT_FR_SIGN);
		else if (fp_classify(&y) == FP_INF)
			y = fp_zero(0);
		*r = mont_fr_to_single(y);
		return st;
	}
	n = fp_unpack(&x);
	*r = mont_fr_to_single(mont_fp_rsqrt_table(n));
	*p = n.exp - MONT_FR_BIAS > EMIN + PRECISION - 1;
	return st;
}

/**
 * mont_fp_prsqrta() - fprsqrta
 * @r: pair of approximations of 1/sqrt(@a)
 * @p: the target predicate
 * @a: operands (f3)
 * @ctl: mont_fp_ctl()
 *
 * Return: status.
 */
u32 mont_fp_prsqrta(u64 *r, bool *p, u64 a, u32 ctl)
{
	bool phi, plo;
	u32 hi, lo;
	u32 st;

	st = fpparallel_pair_status(fpparallel_lane_rsqrta(&hi, &phi, (u32)(a >> 32), ctl),
				    fpparallel_lane_rsqrta(&lo, &plo, (u32)a, ctl));
	*r = fpparallel_pair(hi, lo);
	*p = phi && plo;
	return st;
}
