/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/* Comparison and classification. Called by fpexec_test.c, fpexec.c and fpparallel.c. */
#ifndef MONT_ISA_FPMISC_H
#define MONT_ISA_FPMISC_H

#include "fp.h"

enum mont_fp_rel {
	MONT_FP_LT,
	MONT_FP_EQ,
	MONT_FP_GT,
	MONT_FP_UN,
};

/**
 * mont_fp_compare() - relation of two operands
 * @a: left (f2)
 * @b: right (f3)
 * @signal_qnan: a quiet NaN is invalid too (lt, le and their opposites)
 * @ctl: mont_fp_ctl()
 * @rel: relation, MONT_FP_UN with any NaN or unsupported operand
 *
 * Return: status.
 */
u32 mont_fp_compare(const struct mont_fr *a, const struct mont_fr *b, bool signal_qnan, u32 ctl,
		    enum mont_fp_rel *rel);

enum mont_fp_minmax {
	MONT_FP_MIN,
	MONT_FP_MAX,
	MONT_FP_AMIN,
	MONT_FP_AMAX,
};

/* fmin, fmax, famin, famax: the left operand or else, also unordered, the right. */
u32 mont_fp_minmax(struct mont_fr *r, const struct mont_fr *a, const struct mont_fr *b,
		   enum mont_fp_minmax op, u32 ctl);

/* True if @a belongs to the classes in @fclass9 (volume 3, fclass). NaTVal allowed. */
bool mont_fp_class(struct mont_fr a, u32 fclass9);

#endif
