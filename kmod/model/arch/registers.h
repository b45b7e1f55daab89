/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * General, predicate and floating-point registers by the numbers that
 * instructions use (SDM volume 1, 3.1 and 4.1). Called by instructions (isa/),
 * PAL, the branch unit and the host's view (package/hostview.c).
 */
#ifndef MONT_ARCH_REGISTERS_H
#define MONT_ARCH_REGISTERS_H

#include "thread.h"

static __always_inline u64 mont_gr(const struct mont_thread *t, u8 r)
{
	return t->s.gr[t->grmap[r]];
}

static __always_inline u8 mont_nat(const struct mont_thread *t, u8 r)
{
	return t->s.nat[t->grmap[r]];
}

/*
 * Write a general register. r0 and registers outside the frame are an Illegal
 * Operation fault (SDM volume 1, 3.1.2 and 4.1): both map to physical 0.
 * Instructions with two targets must check both with mont_gr_bad() first.
 */
static __always_inline enum mont_result mont_gr_set(struct mont_thread *t, u8 r, u64 v, u8 nat)
{
	u8 p = t->grmap[r];

	if (unlikely(!p))
		return MONT_FAULT_ILLEGAL_OP;
	t->s.gr[p] = v;
	t->s.nat[p] = nat;
	return MONT_NEXT;
}

static __always_inline bool mont_gr_bad(const struct mont_thread *t, u8 r)
{
	return !t->grmap[r];
}

static __always_inline bool mont_pr(const struct mont_thread *t, u8 p)
{
	return t->s.pr >> p & 1;
}

/* Write a predicate; writes to p0 are lost. */
static __always_inline void mont_pr_set(struct mont_thread *t, u8 p, bool v)
{
	t->s.pr = (t->s.pr & ~MONT_BIT(p)) | (u64)v << p | 1;
}

static __always_inline struct mont_fr mont_fr(const struct mont_thread *t, u8 f)
{
	return t->s.fr[t->frmap[f]];
}

/* True if @f, which is not f0 or f1, is in a set of registers that the PSR disables. */
static __always_inline bool mont_fr_disabled(const struct mont_thread *t, u8 f)
{
	return t->s.psr & (f < 32 ? MONT_PSR_DFL : MONT_PSR_DFH);
}

/* Write a floating-point register and mark its set as modified. */
static __always_inline void mont_fr_set(struct mont_thread *t, u8 f, struct mont_fr v)
{
	t->s.fr[t->frmap[f]] = v;
	t->s.psr |= f < 32 ? MONT_PSR_MFL : MONT_PSR_MFH;
}

/*
 * Check that an instruction may read floating-point registers @a..@d (0 for unused)
 * and write @target. Disabled sets fault before f0 and f1 as targets do
 * (SDM volume 3, fp_check_target_register and fp_reg_disabled).
 */
#define MONT_FR_NONE 0x80 /* no target */
enum mont_result mont_fr_check_slow(struct mont_thread *t, u8 target, u8 a, u8 b, u8 c, u8 d);

static __always_inline enum mont_result mont_fr_check(struct mont_thread *t, u8 target, u8 a, u8 b,
						      u8 c, u8 d)
{
	if (likely(target > 1 && !(t->s.psr & (MONT_PSR_DFL | MONT_PSR_DFH))))
		return MONT_NEXT;
	return mont_fr_check_slow(t, target, a, b, c, d);
}

/* Register NaT consumption; @isr adds the access bits (MONT_ISR_*). */
static __always_inline enum mont_result mont_nat_fault(struct mont_thread *t, u64 isr)
{
	t->fault_isr = isr;
	return MONT_FAULT_NAT_CONSUMPTION;
}

/*
 * A number for stacked register @r that no other live register shares, for
 * ALAT tags: it counts from reset and follows rotation.
 */
static inline u64 mont_rse_number(const struct mont_thread *t, u8 r)
{
	u64 i = r - 32;

	if (i < t->s.sor) {
		i += t->s.rrb_gr;
		if (i >= t->s.sor)
			i -= t->s.sor;
	}
	return t->s.rse_abs + i;
}

#endif
