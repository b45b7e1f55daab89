/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * Reciprocal approximations: frcpa and frsqrta, and their tables. Called by fpexec.c and
 * fpparallel.c.
 */
#ifndef MONT_ISA_FPRECIP_H
#define MONT_ISA_FPRECIP_H

#include "fp.h"

struct fp_num;

/**
 * mont_fp_rcpa() - frcpa
 * @r: approximation of 1/@b, or the quotient when @p is false
 * @p: the target predicate
 * @a: numerator (f2)
 * @b: denominator (f3)
 * @ctl: mont_fp_ctl()
 *
 * Return: status.
 */
u32 mont_fp_rcpa(struct mont_fr *r, bool *p, const struct mont_fr *a, const struct mont_fr *b,
		 u32 ctl);

/* frsqrta: approximation of 1/sqrt(@a), or sqrt(@a) when @p is false. */
u32 mont_fp_rsqrta(struct mont_fr *r, bool *p, const struct mont_fr *a, u32 ctl);

/* The approximations by table, of a normalised operand. */
struct mont_fr mont_fp_recip_table(struct fp_num den);

struct mont_fr mont_fp_rsqrt_table(struct fp_num a);

/* The results that need none; @done tells whether this is one. */
u32 mont_fp_rcpa_special(struct mont_fr *r, bool *done, const struct mont_fr *a,
			 const struct mont_fr *b, u32 ctl);

u32 mont_fp_rsqrta_special(struct mont_fr *r, bool *done, const struct mont_fr *a, u32 ctl);

#endif
