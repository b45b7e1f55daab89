/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/* Operations on pairs of singles, as significands. Called by fpexec.c. */
#ifndef MONT_ISA_FPPARALLEL_H
#define MONT_ISA_FPPARALLEL_H

#include "fpmisc.h"

/*
 * Each gives the two results in @r and the status of both lanes: as its namesake for one
 * number does (fparith.h, fpmisc.h, fpcvt.h, fprecip.h).
 */

/* fpma, fpms, fpnma */
u32 mont_fp_pfma(u64 *r, u64 a, u64 b, u64 c, u32 mode, u32 ctl);

/* fpmin, fpmax, fpamin, fpamax */
u32 mont_fp_pminmax(u64 *r, u64 a, u64 b, enum mont_fp_minmax op, u32 ctl);

/* Lanes of ones where the relation's bit (1 << enum mont_fp_rel) is in @rels. */
u32 mont_fp_pcmp(u64 *r, u64 a, u64 b, u32 rels, bool signal_qnan, u32 ctl);

/* fpcvt.fx, fpcvt.fxu */
u32 mont_fp_pcvt(u64 *r, u64 a, bool is_unsigned, bool trunc, u32 ctl);

/* fprcpa; @p: neither lane has its result already */
u32 mont_fp_prcpa(u64 *r, bool *p, u64 a, u64 b, u32 ctl);

/* fprsqrta; @p as of mont_fp_prcpa() */
u32 mont_fp_prsqrta(u64 *r, bool *p, u64 a, u32 ctl);

#endif
