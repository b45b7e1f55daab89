// SPDX-License-Identifier: GPL-2.0-only
/*
 * Execution of floating-point tests and of FPSR's status fields: fcmp, fclass,
 * fsetc, fclrf, fchkf (Itanium SDM volume 3, chapter 2; encodings F4, F5,
 * F12-F14).
 */
#include "fp.h"
#include "fpexec.h"
#include "fpstatus.h"
#include "fpmisc.h"

/* Targets of a compare: r1 and r4. Two times the same one is illegal. */
static __always_inline enum mont_result
fpexec_test_set_targets(struct mont_thread *t, const struct mont_uop *u, bool p1, bool p2)
{
	mont_pr_set(t, u->r1, p1);
	mont_pr_set(t, u->r4, p2);
	return MONT_NEXT;
}

static __always_inline enum mont_result
fpexec_test_fcmp(struct mont_thread *t, const struct mont_uop *u, u32 rels, bool signal_qnan)
{
	enum mont_fp_rel rel = MONT_FP_UN;
	struct mont_fr a, b;
	enum mont_result res;
	bool holds;

	if (unlikely(u->r1 == u->r4))
		return MONT_FAULT_ILLEGAL_OP;
	/* Only the .unc forms come here with a false predicate. */
	if (!mont_pr(t, u->qp))
		return fpexec_test_set_targets(t, u, false, false);
	res = fp_check_sources(t, u->r2, u->r3);
	if (unlikely(res))
		return res;
	a = mont_fr(t, u->r2);
	b = mont_fr(t, u->r3);
	if (mont_fr_is_natval(a) || mont_fr_is_natval(b))
		return fpexec_test_set_targets(t, u, false, false);
	res = fp_commit_flags(t, u, mont_fp_compare(&a, &b, signal_qnan, fp_uop_ctl(t, u), &rel));
	if (unlikely(res))
		return res;
	holds = rels >> rel & 1;
	return fpexec_test_set_targets(t, u, holds, !holds);
}

#define LT ((u32)MONT_BIT(MONT_FP_LT))
#define EQ ((u32)MONT_BIT(MONT_FP_EQ))
#define UN ((u32)MONT_BIT(MONT_FP_UN))

#define COMPARE(op, rels, signal_qnan)                                                  \
	enum mont_result mont_x_##op(struct mont_thread *t, const struct mont_uop *u)   \
	{                                                                               \
		bool on = mont_pr(t, u->qp); /* the compare may write it */             \
		return fp_operations(t, on, fpexec_test_fcmp(t, u, rels, signal_qnan)); \
	}

COMPARE(FCMP_EQ, EQ, false)
COMPARE(FCMP_EQ_UNC, EQ, false)
COMPARE(FCMP_LT, LT, true)
COMPARE(FCMP_LT_UNC, LT, true)
COMPARE(FCMP_LE, LT | EQ, true)
COMPARE(FCMP_LE_UNC, LT | EQ, true)
COMPARE(FCMP_UNORD, UN, false)
COMPARE(FCMP_UNORD_UNC, UN, false)

enum mont_result mont_x_FCLASS_M(struct mont_thread *t, const struct mont_uop *u)
{
	struct mont_fr a = mont_fr(t, u->r2);
	u32 fclass9 = (u32)u->imm & 0x1ff;
	enum mont_result res;
	bool holds;

	if (unlikely(u->r1 == u->r4))
		return MONT_FAULT_ILLEGAL_OP;
	if (!mont_pr(t, u->qp))
		return fpexec_test_set_targets(t, u, false, false);
	res = fp_check_sources(t, u->r2, 0);
	if (unlikely(res))
		return res;
	holds = mont_fp_class(a, fclass9);
	/* A NaTVal that is not asked for clears both. */
	return fpexec_test_set_targets(t, u, holds, !holds && !mont_fr_is_natval(a));
}

enum mont_result mont_x_FCLASS_M_UNC(struct mont_thread *t, const struct mont_uop *u)
{
	return mont_x_FCLASS_M(t, u);
}

/* Controls of field sf = (those of field 0 & amask7) | omask7. */
enum mont_result mont_x_FSETC(struct mont_thread *t, const struct mont_uop *u)
{
	u64 amask7 = u->imm >> 8 & MONT_SF_CONTROLS;
	u64 omask7 = u->imm >> 16 & MONT_SF_CONTROLS;
	unsigned int shift = MONT_SF_SHIFT(fp_sf(u));
	u64 controls = (t->s.ar.fpsr >> MONT_SF_SHIFT(0) & amask7) | omask7;

	/* pc of 1 is reserved, and so is td of field 0. */
	if ((controls >> MONT_SF_PC_SHIFT & 3) == 1 || (!fp_sf(u) && (controls & MONT_SF_TD)))
		return MONT_FAULT_RESERVED_FIELD;
	t->s.ar.fpsr = (t->s.ar.fpsr & ~((u64)MONT_SF_CONTROLS << shift)) | controls << shift;
	return MONT_NEXT;
}

enum mont_result mont_x_FCLRF(struct mont_thread *t, const struct mont_uop *u)
{
	t->s.ar.fpsr &= ~((u64)MONT_FP_FLAGS << (MONT_SF_SHIFT(fp_sf(u)) + MONT_SF_FLAGS_SHIFT));
	return MONT_NEXT;
}

/*
 * Branch when the field has a flag that is not in field 0, or one whose trap
 * is enabled: the speculation on an alternate field was not safe.
 */
enum mont_result mont_x_FCHKF(struct mont_thread *t, const struct mont_uop *u)
{
	u64 fpsr = t->s.ar.fpsr;
	u64 flags = fpsr >> (MONT_SF_SHIFT(fp_sf(u)) + MONT_SF_FLAGS_SHIFT) & MONT_FP_FLAGS;
	u64 main_flags = fpsr >> (MONT_SF_SHIFT(0) + MONT_SF_FLAGS_SHIFT) & MONT_FP_FLAGS;

	if (!(flags & ~fpsr) && !(flags & ~main_flags))
		return MONT_NEXT;
	mont_signal(t, MONT_SIG_FCHKF_FAILED, 0);
	mont_signal(t, MONT_SIG_FLUSHED, 0);
	return mont_take(t, t->s.ip + u->imm);
}
