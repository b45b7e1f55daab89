// SPDX-License-Identifier: GPL-2.0-only
/*
 * Execution of what moves floating-point bits or computes on significands as
 * integers: setf, getf, xma, fselect, merge, mix, swap, pack, logical
 * (Itanium SDM volume 3, chapter 2; encodings M18, M19, F2, F3, F9). None of
 * these looks at FPSR.
 */
#include "fp.h"
#include "fpexec.h"
#include "fpformat.h"
#include "fpstatus.h"
#include "fparith.h"

#define SETF(op, convert)                                                                         \
	enum mont_result mont_x_##op(struct mont_thread *t, const struct mont_uop *u)             \
	{                                                                                         \
		enum mont_result res = mont_fr_check(t, u->r1, 0, 0, 0, 0);                       \
		u64 v = mont_gr(t, u->r2);                                                        \
		if (unlikely(res))                                                                \
			return res;                                                               \
		return fp_write(t, u, unlikely(mont_nat(t, u->r2)) ? mont_fr_natval() : convert); \
	}

SETF(SETF_SIG, mont_fr_from_int(v))
SETF(SETF_EXP, mont_fr_from_exp(v))
SETF(SETF_S, mont_fr_from_single((u32)v))
SETF(SETF_D, mont_fr_from_double(v))

#define GETF(op, convert)                                                             \
	enum mont_result mont_x_##op(struct mont_thread *t, const struct mont_uop *u) \
	{                                                                             \
		struct mont_fr a = mont_fr(t, u->r2);                                 \
		enum mont_result res;                                                 \
		if (unlikely(mont_gr_bad(t, u->r1)))                                  \
			return MONT_FAULT_ILLEGAL_OP;                                 \
		res = fp_check_sources(t, u->r2, 0);                                  \
		if (unlikely(res))                                                    \
			return res;                                                   \
		return mont_gr_set(t, u->r1, convert, mont_fr_is_natval(a));          \
	}

GETF(GETF_SIG, a.sig)
GETF(GETF_EXP, mont_fr_to_exp(a))
GETF(GETF_S, mont_fr_to_single(a))
GETF(GETF_D, mont_fr_to_double(a))

/* f1 = significand @value of a = f3, b = f4, c = f2 */
#define OF_THREE_SIGNIFICANDS(op, value)                                                  \
	enum mont_result mont_x_##op(struct mont_thread *t, const struct mont_uop *u)     \
	{                                                                                 \
		enum mont_result res = mont_fr_check(t, u->r1, u->r2, u->r3, u->r4, 0);   \
		struct mont_fr a = mont_fr(t, u->r3);                                     \
		struct mont_fr b = mont_fr(t, u->r4);                                     \
		struct mont_fr c = mont_fr(t, u->r2);                                     \
		if (unlikely(res))                                                        \
			return res;                                                       \
		if (mont_fr_is_natval(a) || mont_fr_is_natval(b) || mont_fr_is_natval(c)) \
			return fp_write(t, u, mont_fr_natval());                          \
		return fp_write(t, u, mont_fr_from_int(value));                           \
	}

OF_THREE_SIGNIFICANDS(XMA_L, mont_fp_xma_l(a.sig, b.sig, c.sig))
OF_THREE_SIGNIFICANDS(XMA_H, mont_fp_xma_h(a.sig, b.sig, c.sig))
OF_THREE_SIGNIFICANDS(XMA_HU, mont_fp_xma_hu(a.sig, b.sig, c.sig))
/* f2 selects from f3, its complement from f4. */
OF_THREE_SIGNIFICANDS(FSELECT, (a.sig & c.sig) | (b.sig & ~c.sig))

/* f1 = register image @value of a = f2, b = f3 */
#define OF_REGISTERS(op, value)                                                       \
	enum mont_result mont_x_##op(struct mont_thread *t, const struct mont_uop *u) \
	{                                                                             \
		enum mont_result res = mont_fr_check(t, u->r1, u->r2, u->r3, 0, 0);   \
		struct mont_fr a = mont_fr(t, u->r2);                                 \
		struct mont_fr b = mont_fr(t, u->r3);                                 \
		if (unlikely(res))                                                    \
			return res;                                                   \
		if (mont_fr_is_natval(a) || mont_fr_is_natval(b))                     \
			return fp_write(t, u, mont_fr_natval());                      \
		return fp_write(t, u, value);                                         \
	}

#define OF_SIGNIFICANDS(op, value) OF_REGISTERS(op, mont_fr_from_int(value))

#define SIGN MONT_FR_SIGN
#define EXP MONT_FR_EXP

OF_REGISTERS(FMERGE_S, ((struct mont_fr){ b.sig, (a.se & SIGN) | (b.se & EXP) }))
OF_REGISTERS(FMERGE_NS, ((struct mont_fr){ b.sig, (~a.se & SIGN) | (b.se & EXP) }))
OF_REGISTERS(FMERGE_SE, ((struct mont_fr){ b.sig, a.se }))

OF_SIGNIFICANDS(FAND, (a.sig & b.sig))
OF_SIGNIFICANDS(FANDCM, a.sig & ~b.sig)
OF_SIGNIFICANDS(FOR, a.sig | b.sig)
OF_SIGNIFICANDS(FXOR, a.sig ^ b.sig)

/* Pairs: the left half is bits 63:32. */
#define LEFT 0xffffffff00000000ULL
#define RIGHT 0x00000000ffffffffULL
#define SIGNS 0x8000000080000000ULL
#define SIGNS_EXPS 0xff800000ff800000ULL

OF_SIGNIFICANDS(FPMERGE_S, (a.sig & SIGNS) | (b.sig & ~SIGNS))
OF_SIGNIFICANDS(FPMERGE_NS, (~a.sig & SIGNS) | (b.sig & ~SIGNS))
OF_SIGNIFICANDS(FPMERGE_SE, (a.sig & SIGNS_EXPS) | (b.sig & ~SIGNS_EXPS))
OF_SIGNIFICANDS(FMIX_L, (a.sig & LEFT) | b.sig >> 32)
OF_SIGNIFICANDS(FMIX_R, a.sig << 32 | (b.sig & RIGHT))
OF_SIGNIFICANDS(FMIX_LR, (a.sig & LEFT) | (b.sig & RIGHT))
OF_SIGNIFICANDS(FSXT_L, (a.sig >> 63 ? LEFT : 0) | b.sig >> 32)
OF_SIGNIFICANDS(FSXT_R, (a.sig >> 31 & 1 ? LEFT : 0) | (b.sig & RIGHT))
OF_SIGNIFICANDS(FSWAP, b.sig << 32 | a.sig >> 32)
OF_SIGNIFICANDS(FSWAP_NL, (b.sig << 32 | a.sig >> 32) ^ (SIGNS & LEFT))
OF_SIGNIFICANDS(FSWAP_NR, (b.sig << 32 | a.sig >> 32) ^ (SIGNS & RIGHT))
OF_SIGNIFICANDS(FPACK, (u64)mont_fr_to_single(a) << 32 | mont_fr_to_single(b))
