// SPDX-License-Identifier: GPL-2.0-only
/*
 * Execution of floating-point arithmetic: multiply-add, minimum, maximum,
 * conversion and the reciprocal approximations, scalar and parallel
 * (Itanium SDM volume 3, chapter 2; encodings F1, F6-F8, F10, F11).
 */
#include "fpround.h"
#include "fpexec.h"
#include "fpstatus.h"
#include "fpparallel.h"
#include "fparith.h"
#include "fpcvt.h"
#include "fpmisc.h"
#include "fprecip.h"

static noinline enum mont_result fpexec_fma_slow(struct mont_thread *t, const struct mont_uop *u,
						 u32 mode, u32 pc)
{
	struct mont_fr a = mont_fr(t, u->r3);
	struct mont_fr b = mont_fr(t, u->r4);
	struct mont_fr c = mont_fr(t, u->r2);
	u32 ctl = fp_uop_ctl(t, u);
	struct mont_fr r;
	u32 st;

	if (mont_fr_is_natval(a) || mont_fr_is_natval(b) || mont_fr_is_natval(c))
		return fp_write(t, u, mont_fr_natval());
	if (!u->r2)
		mode |= MONT_FMA_NO_ADD;
	st = mont_fp_fma_slow(&r, &a, &b, &c, mode, ctl, fp_format(pc, ctl));
	return fp_commit(t, u, r, st);
}

static __always_inline enum mont_result fpexec_fma(struct mont_thread *t, const struct mont_uop *u,
						   u32 mode, u32 pc)
{
	enum mont_result res = mont_fr_check(t, u->r1, u->r2, u->r3, u->r4, 0);
	u32 ctl = fp_uop_ctl(t, u);
	struct mont_fr r;
	u32 st;

	if (unlikely(res))
		return res;
	/* NaTVal is no normal number, so the fast case need not look for it. */
	if (unlikely(!fp_ctl_is_fast(ctl) ||
		     !fp_fma_fast(&r, &st, mont_fr(t, u->r3), mont_fr(t, u->r4), mont_fr(t, u->r2),
				  mode, fp_format(pc, ctl))))
		return fpexec_fma_slow(t, u, mode, pc);
	mont_fr_set(t, u->r1, r);
	if (st)
		fp_add_flags(t, u, st);
	return MONT_NEXT;
}

/* A product and a sum, unless f0 or f1 leaves only one of them (Documentation/pmu.rst, P14). */
static __always_inline u64 fpexec_fma_operations(const struct mont_uop *u)
{
	return 1 + (u->r2 && u->r4 != 1);
}

#define MULTIPLY_ADD(op, mode, pc)                                                             \
	enum mont_result mont_x_##op(struct mont_thread *t, const struct mont_uop *u)          \
	{                                                                                      \
		return fp_operations(t, fpexec_fma_operations(u), fpexec_fma(t, u, mode, pc)); \
	}

MULTIPLY_ADD(FMA, 0, MONT_PC_NONE)
MULTIPLY_ADD(FMA_S, 0, MONT_PC_S)
MULTIPLY_ADD(FMA_D, 0, MONT_PC_D)
MULTIPLY_ADD(FMS, MONT_FMA_NEG_ADD, MONT_PC_NONE)
MULTIPLY_ADD(FMS_S, MONT_FMA_NEG_ADD, MONT_PC_S)
MULTIPLY_ADD(FMS_D, MONT_FMA_NEG_ADD, MONT_PC_D)
MULTIPLY_ADD(FNMA, MONT_FMA_NEG_MUL, MONT_PC_NONE)
MULTIPLY_ADD(FNMA_S, MONT_FMA_NEG_MUL, MONT_PC_S)
MULTIPLY_ADD(FNMA_D, MONT_FMA_NEG_MUL, MONT_PC_D)

static enum mont_result fpexec_pfma(struct mont_thread *t, const struct mont_uop *u, u32 mode)
{
	enum mont_result res = mont_fr_check(t, u->r1, u->r2, u->r3, u->r4, 0);
	struct mont_fr a = mont_fr(t, u->r3);
	struct mont_fr b = mont_fr(t, u->r4);
	struct mont_fr c = mont_fr(t, u->r2);
	u64 r;
	u32 st;

	if (unlikely(res))
		return res;
	if (mont_fr_is_natval(a) || mont_fr_is_natval(b) || mont_fr_is_natval(c))
		return fp_write(t, u, mont_fr_natval());
	if (!u->r2)
		mode |= MONT_FMA_NO_ADD;
	st = mont_fp_pfma(&r, a.sig, b.sig, c.sig, mode, fp_uop_ctl(t, u));
	return fp_commit(t, u, mont_fr_from_int(r), st);
}

#define PARALLEL_MULTIPLY_ADD(op, mode)                                               \
	enum mont_result mont_x_##op(struct mont_thread *t, const struct mont_uop *u) \
	{                                                                             \
		return fp_operations(t, 2 + 2 * !!u->r2, fpexec_pfma(t, u, mode));    \
	}

PARALLEL_MULTIPLY_ADD(FPMA, 0)
PARALLEL_MULTIPLY_ADD(FPMS, MONT_FMA_NEG_ADD)
PARALLEL_MULTIPLY_ADD(FPNMA, MONT_FMA_NEG_MUL)

static enum mont_result fpexec_minmax(struct mont_thread *t, const struct mont_uop *u,
				      enum mont_fp_minmax op, bool parallel)
{
	enum mont_result res = mont_fr_check(t, u->r1, u->r2, u->r3, 0, 0);
	struct mont_fr a = mont_fr(t, u->r2);
	struct mont_fr b = mont_fr(t, u->r3);
	u32 ctl = fp_uop_ctl(t, u);
	struct mont_fr r;
	u32 st;

	if (unlikely(res))
		return res;
	if (mont_fr_is_natval(a) || mont_fr_is_natval(b))
		return fp_write(t, u, mont_fr_natval());
	if (parallel) {
		st = mont_fp_pminmax(&r.sig, a.sig, b.sig, op, ctl);
		r.se = MONT_FR_INT_SE;
	} else {
		st = mont_fp_minmax(&r, &a, &b, op, ctl);
	}
	return fp_commit(t, u, r, st);
}

#define MIN_MAX(op, which, parallel)                                                           \
	enum mont_result mont_x_##op(struct mont_thread *t, const struct mont_uop *u)          \
	{                                                                                      \
		return fp_operations(t, 1 + (parallel), fpexec_minmax(t, u, which, parallel)); \
	}

MIN_MAX(FMIN, MONT_FP_MIN, false)
MIN_MAX(FMAX, MONT_FP_MAX, false)
MIN_MAX(FAMIN, MONT_FP_AMIN, false)
MIN_MAX(FAMAX, MONT_FP_AMAX, false)
MIN_MAX(FPMIN, MONT_FP_MIN, true)
MIN_MAX(FPMAX, MONT_FP_MAX, true)
MIN_MAX(FPAMIN, MONT_FP_AMIN, true)
MIN_MAX(FPAMAX, MONT_FP_AMAX, true)

static enum mont_result fpexec_pcmp(struct mont_thread *t, const struct mont_uop *u, u32 rels,
				    bool signal_qnan)
{
	enum mont_result res = mont_fr_check(t, u->r1, u->r2, u->r3, 0, 0);
	struct mont_fr a = mont_fr(t, u->r2);
	struct mont_fr b = mont_fr(t, u->r3);
	u64 r;
	u32 st;

	if (unlikely(res))
		return res;
	if (mont_fr_is_natval(a) || mont_fr_is_natval(b))
		return fp_write(t, u, mont_fr_natval());
	st = mont_fp_pcmp(&r, a.sig, b.sig, rels, signal_qnan, fp_uop_ctl(t, u));
	return fp_commit(t, u, mont_fr_from_int(r), st);
}

#define LT ((u32)MONT_BIT(MONT_FP_LT))
#define EQ ((u32)MONT_BIT(MONT_FP_EQ))
#define GT ((u32)MONT_BIT(MONT_FP_GT))
#define UN ((u32)MONT_BIT(MONT_FP_UN))

#define PARALLEL_COMPARE(op, rels, signal_qnan)                                       \
	enum mont_result mont_x_##op(struct mont_thread *t, const struct mont_uop *u) \
	{                                                                             \
		return fp_operations(t, 2, fpexec_pcmp(t, u, rels, signal_qnan));     \
	}

PARALLEL_COMPARE(FPCMP_EQ, EQ, false)
PARALLEL_COMPARE(FPCMP_LT, LT, true)
PARALLEL_COMPARE(FPCMP_LE, LT | EQ, true)
PARALLEL_COMPARE(FPCMP_UNORD, UN, false)
PARALLEL_COMPARE(FPCMP_NEQ, LT | GT | UN, false)
PARALLEL_COMPARE(FPCMP_NLT, EQ | GT | UN, true)
PARALLEL_COMPARE(FPCMP_NLE, GT | UN, true)
PARALLEL_COMPARE(FPCMP_ORD, LT | EQ | GT, false)

static enum mont_result fpexec_cvt(struct mont_thread *t, const struct mont_uop *u,
				   bool is_unsigned, bool trunc, bool parallel)
{
	enum mont_result res = mont_fr_check(t, u->r1, u->r2, 0, 0, 0);
	struct mont_fr a = mont_fr(t, u->r2);
	u32 ctl = fp_uop_ctl(t, u);
	u64 r = 0;
	u32 st;

	if (unlikely(res))
		return res;
	if (mont_fr_is_natval(a))
		return fp_write(t, u, mont_fr_natval());
	if (parallel)
		st = mont_fp_pcvt(&r, a.sig, is_unsigned, trunc, ctl);
	else
		st = mont_fp_to_int(&r, &a, is_unsigned, trunc, 64, ctl);
	return fp_commit(t, u, mont_fr_from_int(r), st);
}

#define CONVERT(op, is_unsigned, trunc, parallel)                                     \
	enum mont_result mont_x_##op(struct mont_thread *t, const struct mont_uop *u) \
	{                                                                             \
		return fp_operations(t, 1 + (parallel),                               \
				     fpexec_cvt(t, u, is_unsigned, trunc, parallel)); \
	}

CONVERT(FCVT_FX, false, false, false)
CONVERT(FCVT_FXU, true, false, false)
CONVERT(FCVT_FX_TRUNC, false, true, false)
CONVERT(FCVT_FXU_TRUNC, true, true, false)
CONVERT(FPCVT_FX, false, false, true)
CONVERT(FPCVT_FXU, true, false, true)
CONVERT(FPCVT_FX_TRUNC, false, true, true)
CONVERT(FPCVT_FXU_TRUNC, true, true, true)

enum mont_result mont_x_FCVT_XF(struct mont_thread *t, const struct mont_uop *u)
{
	enum mont_result res = mont_fr_check(t, u->r1, u->r2, 0, 0, 0);
	struct mont_fr a = mont_fr(t, u->r2);

	if (unlikely(res))
		return res;
	if (!mont_fr_is_natval(a))
		a = mont_fp_from_signed(a.sig);
	return fp_operations(t, 1, fp_write(t, u, a));
}

/* frcpa and fprcpa of f2 and f3; frsqrta and fprsqrta of f3. p2 is in r4. */
static enum mont_result fpexec_approximate(struct mont_thread *t, const struct mont_uop *u,
					   bool sqrt, bool parallel)
{
	u8 f2 = sqrt ? 0 : u->r2;
	u32 ctl = fp_uop_ctl(t, u);
	enum mont_result res;
	struct mont_fr a, b, r;
	bool p = false;
	u32 st;

	if (!mont_pr(t, u->qp)) {
		mont_pr_set(t, u->r4, false);
		return MONT_NEXT;
	}
	res = mont_fr_check(t, u->r1, f2, u->r3, 0, 0);
	if (unlikely(res))
		return res;
	a = mont_fr(t, f2);
	b = mont_fr(t, u->r3);
	if (mont_fr_is_natval(a) || mont_fr_is_natval(b)) {
		mont_pr_set(t, u->r4, false);
		return fp_write(t, u, mont_fr_natval());
	}
	r.se = MONT_FR_INT_SE;
	if (sqrt && parallel)
		st = mont_fp_prsqrta(&r.sig, &p, b.sig, ctl);
	else if (parallel)
		st = mont_fp_prcpa(&r.sig, &p, a.sig, b.sig, ctl);
	else if (sqrt)
		st = mont_fp_rsqrta(&r, &p, &b, ctl);
	else
		st = mont_fp_rcpa(&r, &p, &a, &b, ctl);
	if (!(st & MONT_FP_FAULT))
		mont_pr_set(t, u->r4, p);
	return fp_commit(t, u, r, st);
}

#define APPROXIMATE(op, sqrt, parallel)                                               \
	enum mont_result mont_x_##op(struct mont_thread *t, const struct mont_uop *u) \
	{                                                                             \
		/* The instruction may write its own qualifying predicate. */         \
		u64 n = mont_pr(t, u->qp) ? 1 + (parallel) : 0;                       \
		return fp_operations(t, n, fpexec_approximate(t, u, sqrt, parallel)); \
	}

APPROXIMATE(FRCPA, false, false)
APPROXIMATE(FPRCPA, false, true)
APPROXIMATE(FRSQRTA, true, false)
APPROXIMATE(FPRSQRTA, true, true)
