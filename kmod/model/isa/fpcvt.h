/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * Conversions between register format, integers and memory format. Called by fpexec.c and
 * memops.c.
 */
#ifndef MONT_ISA_FPCVT_H
#define MONT_ISA_FPCVT_H

#include "fp.h"

/* The register format of an 80-bit number in memory (ldfe): bytes 0..7 and 8..9. */
struct mont_fr mont_fr_from_ext(u64 lo64, u16 hi16);

/* The 80-bit number of @a in memory (stfe): bytes 0..7 to @lo64. Return: bytes 8..9. */
u16 mont_fr_to_ext(struct mont_fr a, u64 *lo64);

/**
 * mont_fp_to_int() - fcvt.fx and fcvt.fxu
 * @r: integer as bits; the integer indefinite when invalid
 * @a: operand
 * @is_unsigned: fcvt.fxu
 * @trunc: truncate, whatever the rounding control says
 * @width: 64, or 32 for a lane of the parallel forms
 * @ctl: mont_fp_ctl()
 *
 * Return: status.
 */
u32 mont_fp_to_int(u64 *r, const struct mont_fr *a, bool is_unsigned, bool trunc, u32 width,
		   u32 ctl);

/* fcvt.xf: a signed integer, exactly. */
struct mont_fr mont_fp_from_signed(u64 v);

#endif
