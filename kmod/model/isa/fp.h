/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * Floating-point arithmetic in integer code (Itanium SDM volume 1, chapter 5;
 * volume 3, the operation sections and chapter 3's fp_* functions). Called by
 * the floating-point class (fpexec*.c), by memory operations, and by
 * libmontecito for unaligned references.
 *
 * Everything here is a pure function of its operands: exec wrappers
 * (fpexec*.c) and memory code do register access, NaT checks and state.
 *
 * Assumption: no processor-specific software assistance (SWA) faults are
 * raised. The implementation choice is left to the processor by the SDM; here
 * every operand class is finished "in hardware" with the result that the
 * software assistance handler would have delivered.
 */
#ifndef MONT_ISA_FP_H
#define MONT_ISA_FP_H

#include "../base/types.h"
#include "../event/raise.h"
#include "../arch/registers.h"

/* Wide enough for a product of significands. Only multiplied, added, shifted. */
typedef unsigned __int128 fp_u128;

/* Exceptions, in the order of FPSR.traps and of each status field's flags. */
#define MONT_FP_V 0x01 /* invalid operation */
#define MONT_FP_D 0x02 /* denormal or unnormal operand */
#define MONT_FP_Z 0x04 /* zero divide */
#define MONT_FP_O 0x08 /* overflow */
#define MONT_FP_U 0x10 /* underflow */
#define MONT_FP_I 0x20 /* inexact */
#define MONT_FP_FLAGS 0x3f

/*
 * Status of an operation, 0 when it is exact and quiet: flags to add in 5:0,
 * ISR.code in 23:8 when it faults (result not delivered, flags not to be
 * added) or traps (both delivered).
 */
#define MONT_FP_ISR_SHIFT 8
#define MONT_FP_ISR 0xffff00U
/* A tiny result was replaced by zero; in the lower lane of a pair. */
#define MONT_FP_FLUSHED 0x01000000U
#define MONT_FP_FLUSHED_LOW 0x02000000U
#define MONT_FP_FAULT 0x40000000U
#define MONT_FP_TRAP 0x80000000U

/* A status field's controls as they stand in FPSR. */
#define MONT_SF_FTZ 0x01
#define MONT_SF_WRE 0x02
#define MONT_SF_PC_SHIFT 2
#define MONT_SF_RC_SHIFT 4
#define MONT_SF_TD 0x40
#define MONT_SF_CONTROLS 0x7f
#define MONT_SF_FLAGS_SHIFT 7

/* Lowest bit of status field @sf in FPSR. */
#define MONT_SF_SHIFT(sf) (6 + 13 * (sf))

/* Rounding control */
#define MONT_RC_NEAREST 0
#define MONT_RC_DOWN 1
#define MONT_RC_UP 2
#define MONT_RC_ZERO 3

/* Precision completer of an instruction */
#define MONT_PC_NONE 0
#define MONT_PC_S 1
#define MONT_PC_D 2

/* Parts of mont_fr.se and of mont_fr.sig */
#define MONT_FR_SIGN 0x20000ULL
#define MONT_FR_EXP 0x1ffffULL
#define MONT_FR_BIAS 0xffff
#define MONT_FR_INTBIT MONT_BIT(63)
#define MONT_FR_QBIT MONT_BIT(62)
/* Exponent that register exponent 0 stands for when the significand is not 0. */
#define MONT_FR_EXT_EMIN 0xc001

/**
 * mont_fp_ctl() - what governs one operation
 * @fpsr: AR.FPSR
 * @sf: status field, 0..3
 *
 * Return: the field's controls in 6:0, enabled exceptions in 13:8.
 */
static __always_inline u32 mont_fp_ctl(u64 fpsr, unsigned int sf)
{
	u32 c = (u32)(fpsr >> MONT_SF_SHIFT(sf)) & MONT_SF_CONTROLS;
	u32 enabled = ~(u32)fpsr & MONT_FP_FLAGS;

	return likely(!enabled) || c & MONT_SF_TD ? c : c | enabled << 8;
}

#define MONT_CTL_ENABLED(ctl) ((ctl) >> 8 & MONT_FP_FLAGS)
#define MONT_CTL_RC(ctl) ((ctl) >> MONT_SF_RC_SHIFT & 3)

static __always_inline bool mont_fr_is_natval(struct mont_fr a)
{
	return unlikely(a.se == MONT_NATVAL_SE && !a.sig);
}

static __always_inline struct mont_fr mont_fr_natval(void)
{
	return (struct mont_fr){ 0, MONT_NATVAL_SE };
}

/* A register that holds an integer or a pair of singles. */
static __always_inline struct mont_fr mont_fr_from_int(u64 v)
{
	return (struct mont_fr){ v, MONT_FR_INT_SE };
}

/* Bytes 8..15 of a spilled register; bytes 0..7 are the significand. */
static __always_inline struct mont_fr mont_fr_fill(u64 lo, u64 hi)
{
	return (struct mont_fr){ lo, hi & (MONT_FR_SIGN | MONT_FR_EXP) };
}

static __always_inline void mont_fr_spill(struct mont_fr a, u64 *lo, u64 *hi)
{
	*lo = a.sig;
	*hi = a.se;
}

/* setf.exp and getf.exp */
static __always_inline struct mont_fr mont_fr_from_exp(u64 v)
{
	return (struct mont_fr){ MONT_FR_INTBIT, v & (MONT_FR_SIGN | MONT_FR_EXP) };
}

static __always_inline u64 mont_fr_to_exp(struct mont_fr a)
{
	return a.se;
}

/* Signs an instruction changes: of the product, of the addend. */
#define MONT_FMA_NEG_MUL 1
#define MONT_FMA_NEG_ADD 2
/* The addend is register f0: the product is not added to anything. */
#define MONT_FMA_NO_ADD 4

#endif
