/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Integer ALU, compare, shift, bit-field, predicate and branch-register moves:
 * the operations of class ALU in ops.def (SDM volume 3, chapter 2; volume 1,
 * 4.2 to 4.4). Included by exec/execute.c and exec/execute_hot.h.
 *
 * One inline function for each operation, mont_x_<OP>(). The caller has tested
 * the qualifying predicate, except for operations that are MONT_UOP_ALWAYS.
 */
#ifndef MONT_ISA_ALU_H
#define MONT_ISA_ALU_H

#include "execute.h"
#include "../arch/rse.h"

/* The sources of a register form, and whether one of them is NaT. */
#define MONT_GR_R2 (mont_gr(t, u->r2))
#define MONT_GR_R3 (mont_gr(t, u->r3))
#define MONT_NAT_R2_R3 (mont_nat(t, u->r2) | mont_nat(t, u->r3))
#define MONT_NAT_R3 (mont_nat(t, u->r3))

#define MONT_ALU_REGISTERS(op, value)                                \
	MONT_INLINE(op)                                              \
	{                                                            \
		return mont_gr_set(t, u->r1, value, MONT_NAT_R2_R3); \
	}

/* @value of r3 and the immediate. */
#define MONT_ALU_IMMEDIATE(op, value)                             \
	MONT_INLINE(op)                                           \
	{                                                         \
		return mont_gr_set(t, u->r1, value, MONT_NAT_R3); \
	}

/* addp4, shladdp4: a 32-bit sum put into the region the pointer @p is in. */
static __always_inline u64 mont_addp4(u64 sum, u64 p)
{
	return (u32)sum | mont_bits(p, 30, 2) << 61;
}

MONT_ALU_REGISTERS(ADD, MONT_GR_R2 + MONT_GR_R3)
MONT_ALU_REGISTERS(ADD1, MONT_GR_R2 + MONT_GR_R3 + 1)
MONT_ALU_REGISTERS(SUB, MONT_GR_R2 - MONT_GR_R3)
MONT_ALU_REGISTERS(SUB1, MONT_GR_R2 - MONT_GR_R3 - 1)
MONT_ALU_REGISTERS(ADDP4, mont_addp4(MONT_GR_R2 + MONT_GR_R3, MONT_GR_R3))
MONT_ALU_REGISTERS(AND, (MONT_GR_R2 & MONT_GR_R3))
MONT_ALU_REGISTERS(ANDCM, MONT_GR_R2 & ~MONT_GR_R3)
MONT_ALU_REGISTERS(OR, MONT_GR_R2 | MONT_GR_R3)
MONT_ALU_REGISTERS(XOR, MONT_GR_R2 ^ MONT_GR_R3)
MONT_ALU_REGISTERS(SHLADD, (MONT_GR_R2 << u->imm) + MONT_GR_R3)
MONT_ALU_REGISTERS(SHLADDP4, mont_addp4((MONT_GR_R2 << u->imm) + MONT_GR_R3, MONT_GR_R3))
MONT_ALU_IMMEDIATE(SUB_I, u->imm - MONT_GR_R3)
MONT_ALU_IMMEDIATE(AND_I, (u->imm & MONT_GR_R3))
MONT_ALU_IMMEDIATE(ANDCM_I, u->imm & ~MONT_GR_R3)
MONT_ALU_IMMEDIATE(OR_I, u->imm | MONT_GR_R3)
MONT_ALU_IMMEDIATE(XOR_I, u->imm ^ MONT_GR_R3)
MONT_ALU_IMMEDIATE(ADDS, u->imm + MONT_GR_R3)
MONT_ALU_IMMEDIATE(ADDP4_I, mont_addp4(u->imm + MONT_GR_R3, MONT_GR_R3))
MONT_ALU_IMMEDIATE(ADDL, u->imm + MONT_GR_R3)

/* ---- compare, test bit, test NaT ---- */

/* Write both predicates of a compare; the caller knows that they differ. */
static __always_inline void mont_pr_set2(struct mont_thread *t, const struct mont_uop *u, bool v1,
					 bool v2)
{
	u64 clear = MONT_BIT(u->r1) | MONT_BIT(u->r4);

	t->s.pr = (t->s.pr & ~clear) | (u64)v1 << u->r1 | (u64)v2 << u->r4 | 1;
}

/* Set @p, one of both predicates of a compare, and clear the other one. */
static __always_inline void mont_pr_set1(struct mont_thread *t, const struct mont_uop *u, u8 p)
{
	u64 clear = MONT_BIT(u->r1) | MONT_BIT(u->r4);

	t->s.pr = (t->s.pr & ~clear) | MONT_BIT(p) | 1;
}

/* Comparison types (SDM volume 1, table 4-9). A NaT source makes no relation true. */
static __always_inline enum mont_result mont_cmp_none(struct mont_thread *t,
						      const struct mont_uop *u, bool rel, u8 nat)
{
	if (unlikely(u->r1 == u->r4))
		return MONT_FAULT_ILLEGAL_OP;
	if (unlikely(nat))
		mont_pr_set2(t, u, false, false);
	else
		mont_pr_set1(t, u, rel ? u->r1 : u->r4);
	return MONT_NEXT;
}

static __always_inline enum mont_result mont_cmp_unc(struct mont_thread *t,
						     const struct mont_uop *u, bool rel, u8 nat)
{
	/* The fault does not depend on the qualifying predicate. */
	if (unlikely(u->r1 == u->r4))
		return MONT_FAULT_ILLEGAL_OP;
	if (nat || !mont_pr(t, u->qp))
		mont_pr_set2(t, u, false, false);
	else
		mont_pr_set2(t, u, rel, !rel);
	return MONT_NEXT;
}

static __always_inline enum mont_result mont_cmp_and(struct mont_thread *t,
						     const struct mont_uop *u, bool rel, u8 nat)
{
	if (unlikely(u->r1 == u->r4))
		return MONT_FAULT_ILLEGAL_OP;
	if (nat || !rel)
		mont_pr_set2(t, u, false, false);
	return MONT_NEXT;
}

static __always_inline enum mont_result mont_cmp_or(struct mont_thread *t, const struct mont_uop *u,
						    bool rel, u8 nat)
{
	if (unlikely(u->r1 == u->r4))
		return MONT_FAULT_ILLEGAL_OP;
	if (!nat && rel)
		mont_pr_set2(t, u, true, true);
	return MONT_NEXT;
}

static __always_inline enum mont_result mont_cmp_orandcm(struct mont_thread *t,
							 const struct mont_uop *u, bool rel, u8 nat)
{
	if (unlikely(u->r1 == u->r4))
		return MONT_FAULT_ILLEGAL_OP;
	if (!nat && rel)
		mont_pr_set2(t, u, true, false);
	return MONT_NEXT;
}

#define MONT_CMP(op, type, rel, nat)                    \
	MONT_INLINE(op)                                 \
	{                                               \
		return mont_cmp_##type(t, u, rel, nat); \
	}

/* The parallel types of one relation. */
#define MONT_CMP_PARALLEL(op, rel, nat)   \
	MONT_CMP(op##_AND, and, rel, nat) \
	MONT_CMP(op##_OR, or, rel, nat)   \
	MONT_CMP(op##_ORANDCM, orandcm, rel, nat)

/*
 * All compares of one width: @s and @z are the signed and the unsigned type,
 * the relations of A6 and A8, then those of A7 with r0.
 */
#define MONT_CMP_WIDTH(op, s, z)                                                   \
	MONT_CMP(op##_LT, none, (s)MONT_GR_R2 < (s)MONT_GR_R3, MONT_NAT_R2_R3)     \
	MONT_CMP(op##_LT_UNC, unc, (s)MONT_GR_R2 < (s)MONT_GR_R3, MONT_NAT_R2_R3)  \
	MONT_CMP(op##_LTU, none, (z)MONT_GR_R2 < (z)MONT_GR_R3, MONT_NAT_R2_R3)    \
	MONT_CMP(op##_LTU_UNC, unc, (z)MONT_GR_R2 < (z)MONT_GR_R3, MONT_NAT_R2_R3) \
	MONT_CMP(op##_EQ, none, (z)MONT_GR_R2 == (z)MONT_GR_R3, MONT_NAT_R2_R3)    \
	MONT_CMP(op##_EQ_UNC, unc, (z)MONT_GR_R2 == (z)MONT_GR_R3, MONT_NAT_R2_R3) \
	MONT_CMP_PARALLEL(op##_EQ, (z)MONT_GR_R2 == (z)MONT_GR_R3, MONT_NAT_R2_R3) \
	MONT_CMP_PARALLEL(op##_NE, (z)MONT_GR_R2 != (z)MONT_GR_R3, MONT_NAT_R2_R3) \
	MONT_CMP(op##_LT_I, none, (s)u->imm < (s)MONT_GR_R3, MONT_NAT_R3)          \
	MONT_CMP(op##_LT_I_UNC, unc, (s)u->imm < (s)MONT_GR_R3, MONT_NAT_R3)       \
	MONT_CMP(op##_LTU_I, none, (z)u->imm < (z)MONT_GR_R3, MONT_NAT_R3)         \
	MONT_CMP(op##_LTU_I_UNC, unc, (z)u->imm < (z)MONT_GR_R3, MONT_NAT_R3)      \
	MONT_CMP(op##_EQ_I, none, (z)u->imm == (z)MONT_GR_R3, MONT_NAT_R3)         \
	MONT_CMP(op##_EQ_I_UNC, unc, (z)u->imm == (z)MONT_GR_R3, MONT_NAT_R3)      \
	MONT_CMP_PARALLEL(op##_EQ_I, (z)u->imm == (z)MONT_GR_R3, MONT_NAT_R3)      \
	MONT_CMP_PARALLEL(op##_NE_I, (z)u->imm != (z)MONT_GR_R3, MONT_NAT_R3)      \
	MONT_CMP_PARALLEL(op##_GT, 0 > (s)MONT_GR_R3, MONT_NAT_R3)                 \
	MONT_CMP_PARALLEL(op##_LE, 0 <= (s)MONT_GR_R3, MONT_NAT_R3)                \
	MONT_CMP_PARALLEL(op##_GE, 0 >= (s)MONT_GR_R3, MONT_NAT_R3)                \
	MONT_CMP_PARALLEL(op##_LT, 0 < (s)MONT_GR_R3, MONT_NAT_R3)

MONT_CMP_WIDTH(CMP, s64, u64)
MONT_CMP_WIDTH(CMP4, s32, u32)

#define MONT_TEST(op, bit, nat)                \
	MONT_CMP(op##_Z, none, !(bit), nat)    \
	MONT_CMP(op##_Z_UNC, unc, !(bit), nat) \
	MONT_CMP_PARALLEL(op##_Z, !(bit), nat) \
	MONT_CMP_PARALLEL(op##_NZ, bit, nat)

MONT_TEST(TBIT, MONT_GR_R3 >> u->imm & 1, MONT_NAT_R3)
MONT_TEST(TNAT, MONT_NAT_R3, 0)

/* ---- shifts and bit fields ---- */

static __always_inline u64 mont_shl(u64 v, u64 count)
{
	return count > 63 ? 0 : v << count;
}

static __always_inline u64 mont_shr_u(u64 v, u64 count)
{
	return count > 63 ? 0 : v >> count;
}

static __always_inline u64 mont_shr(u64 v, u64 count)
{
	return (u64)((s64)v >> (count > 63 ? 63 : count));
}

MONT_ALU_REGISTERS(SHL, mont_shl(MONT_GR_R2, MONT_GR_R3))
MONT_ALU_REGISTERS(SHR, mont_shr(MONT_GR_R3, MONT_GR_R2))
MONT_ALU_REGISTERS(SHR_U, mont_shr_u(MONT_GR_R3, MONT_GR_R2))

/* Position and length of a bit field; one that leaves the register is cut. */
static __always_inline unsigned int mont_pos(const struct mont_uop *u)
{
	return u->imm & 63;
}

static __always_inline unsigned int mont_len(const struct mont_uop *u)
{
	unsigned int len = u->imm >> 8 & 127;
	unsigned int left = 64 - mont_pos(u);

	return len < left ? len : left;
}

/* The bits a deposit replaces. */
static __always_inline u64 mont_field(const struct mont_uop *u)
{
	return ~0ULL >> (64 - mont_len(u)) << mont_pos(u);
}

static __always_inline u64 mont_popcount(u64 v)
{
	v -= v >> 1 & 0x5555555555555555ULL;
	v = (v & 0x3333333333333333ULL) + (v >> 2 & 0x3333333333333333ULL);
	v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
	return v * 0x0101010101010101ULL >> 56;
}

static __always_inline u64 mont_shrp(u64 hi, u64 lo, unsigned int count)
{
	return count ? lo >> count | hi << (64 - count) : lo;
}

MONT_ALU_IMMEDIATE(POPCNT, mont_popcount(MONT_GR_R3))
MONT_ALU_REGISTERS(SHRP, mont_shrp(MONT_GR_R2, MONT_GR_R3, u->imm))
MONT_ALU_IMMEDIATE(EXTR, mont_sext(MONT_GR_R3 >> mont_pos(u), mont_len(u)))
MONT_ALU_IMMEDIATE(EXTR_U, MONT_GR_R3 >> mont_pos(u) & ~0ULL >> (64 - mont_len(u)))
MONT_ALU_IMMEDIATE(DEP_I,
		   (MONT_GR_R3 & ~mont_field(u)) | (mont_field(u) & (u64)((s64)u->imm >> 16)))
MONT_ALU_REGISTERS(DEP, (MONT_GR_R3 & ~mont_field(u)) | (MONT_GR_R2 << mont_pos(u) & mont_field(u)))

MONT_INLINE(DEP_Z)
{
	return mont_gr_set(t, u->r1, MONT_GR_R2 << mont_pos(u) & mont_field(u), mont_nat(t, u->r2));
}

MONT_INLINE(DEP_Z_I)
{
	u64 imm8 = (u64)((s64)u->imm >> 16);

	return mont_gr_set(t, u->r1, imm8 << mont_pos(u) & mont_field(u), 0);
}

MONT_ALU_IMMEDIATE(ZXT1, (u8)MONT_GR_R3)
MONT_ALU_IMMEDIATE(ZXT2, (u16)MONT_GR_R3)
MONT_ALU_IMMEDIATE(ZXT4, (u32)MONT_GR_R3)
MONT_ALU_IMMEDIATE(SXT1, (u64)(s8)MONT_GR_R3)
MONT_ALU_IMMEDIATE(SXT2, (u64)(s16)MONT_GR_R3)
MONT_ALU_IMMEDIATE(SXT4, (u64)(s32)MONT_GR_R3)

/* ---- moves ---- */

MONT_INLINE(MOVL)
{
	return mont_gr_set(t, u->r1, u->imm, 0);
}

MONT_INLINE(MOV_IP)
{
	return mont_gr_set(t, u->r1, t->s.ip, 0);
}

MONT_INLINE(MOV_TO_BR)
{
	if (unlikely(mont_nat(t, u->r2)))
		return mont_nat_fault(t, 0);
	t->s.br[u->r1] = MONT_GR_R2;
	return MONT_NEXT;
}

MONT_INLINE(MOV_FROM_BR)
{
	return mont_gr_set(t, u->r1, t->s.br[u->r2], 0);
}

/* mov to and from pr see the predicates as if rrb.pr were 0 (SDM volume 3). */
MONT_INLINE(MOV_FROM_PR)
{
	return mont_gr_set(t, u->r1, mont_pr_physical(t), 0);
}

static __always_inline void mont_pr_insert(struct mont_thread *t, u64 v, u64 mask)
{
	mont_pr_set_physical(t, (mont_pr_physical(t) & ~mask) | (v & mask));
}

MONT_INLINE(MOV_TO_PR)
{
	if (unlikely(mont_nat(t, u->r2)))
		return mont_nat_fault(t, 0);
	mont_pr_insert(t, MONT_GR_R2, u->imm);
	return MONT_NEXT;
}

MONT_INLINE(MOV_TO_PR_ROT)
{
	mont_pr_insert(t, u->imm, ~0xffffULL);
	return MONT_NEXT;
}

#endif
