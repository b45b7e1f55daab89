/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * A decoded instruction and a decoded bundle (Itanium SDM volume 3, chapter 4).
 * Included by the units that decode, execute, time or tag instructions.
 *
 * A bundle is decoded once, into one cache line, and executed until the memory
 * under it changes. Operations (ops.def) say what an instruction does; rows of
 * the encoding table (insns.def) say how it is written and encoded.
 */
#ifndef MONT_ISA_UOP_H
#define MONT_ISA_UOP_H

#include "../base/types.h"

/* Slot types, as the template gives them. The L slot of MLX holds no uop. */
enum mont_unit {
	MONT_UNIT_M,
	MONT_UNIT_I,
	MONT_UNIT_F,
	MONT_UNIT_B,
	MONT_UNIT_L,
	MONT_UNIT_X,
	MONT_NR_UNITS,
};

enum mont_op {
#define MONT_OP(op, class, flags) MONT_OP_##op,
#include "ops.def"
#undef MONT_OP
	MONT_NR_OPS,
};

/* Runs even when its qualifying predicate is false and looks at it itself. */
#define MONT_UOP_ALWAYS 0x01
/* A nop of any unit: counts in NOPS_RETIRED. A hint is not a nop. */
#define MONT_UOP_NOP 0x02
/* Sits in a B slot: left out of PREDICATE_SQUASHED_RETIRED. */
#define MONT_UOP_B 0x04
/* Ends its instruction group (a stop bit follows). */
#define MONT_UOP_STOP 0x08
/* A branch: BRANCH_RETIRED counts it, taken or not. */
#define MONT_UOP_BRANCH 0x20
/* In a packed bundle: bits 7:6 are the slot it came from. */
#define MONT_UOP_SLOT_SHIFT 6

/*
 * Hints and ordering of a memory reference, in r4 of every load, store,
 * prefetch and semaphore (bits 1:0: the locality hint as encoded).
 */
#define MONT_REF_HINT 0x03
#define MONT_REF_NT1 0x01
#define MONT_REF_NTA 0x03
#define MONT_REF_ACQ 0x04
#define MONT_REF_REL 0x08
/* .bias, .excl and semaphores: wants the line exclusively. */
#define MONT_REF_EXCL 0x10

/* Hints of a branch, in r3 (SDM volume 3, br). */
#define MONT_BRH_WH 0x03 /* 0 sptk, 1 spnt, 2 dptk, 3 dpnt */
#define MONT_BRH_MANY 0x04
#define MONT_BRH_CLR 0x08

/* The code of an instruction: its operation and, in a packed bundle, what run loops test. */
#define MONT_CODE_OP 0x3ff
/* The instruction has a qualifying predicate. */
#define MONT_CODE_PREDICATED 0x400
/* The last instruction of its bundle that does something. */
#define MONT_CODE_LAST 0x800

/**
 * struct mont_uop - one decoded instruction
 * @code: enum mont_op, MONT_CODE_*
 * @qp: qualifying predicate; 0 where the instruction has none
 * @flags: MONT_UOP_*
 * @r1: r1, f1, b1, or p1 of a predicate writer
 * @r2: r2, f2, b2, ar3 or cr3
 * @r3: r3 or f3
 * @r4: f4, or p2 of a predicate writer
 * @imm: immediate, sign-extended; IP-relative displacement in bytes;
 *	 for operations with a status field, the field number in bits 1:0
 */
struct mont_uop {
	u16 code;
	u8 qp;
	u8 flags;
	u8 r1;
	u8 r2;
	u8 r3;
	u8 r4;
	u64 imm;
};

static inline u16 mont_op(const struct mont_uop *u)
{
	return u->code & MONT_CODE_OP;
}

/* Bits of a bundle's tag. Bundles that may follow each other differ by 16. */
#define MONT_TAG_VALID 0x01
#define MONT_TAG_STEP 0x02 /* to be executed instruction by instruction */
#define MONT_TAG_PAGE_END 0x04 /* the last one of its 4 KB page */
#define MONT_TAG_BITS 0x0f

/**
 * struct mont_bundle - one decoded bundle
 * @tag: physical address of the bundle and MONT_TAG_*; 0 when the entry is free
 * @tmpl: template, 0..31
 * @nr: instructions in it: 3, or 2 for MLX (its X instruction is uop[2];
 *	uop[1] is then unused)
 * @reads_pmu: an instruction behind the first one reads a PMD or a PMC, and
 *	shows them as they are at the end of the issue group before its own
 * @nops: packed: unpredicated nops in front of slot n, in bits 2n+1:2n; n of 3
 *	is all of them
 * @at: packed: where in @uop the instruction of a slot is; MONT_SLOT_NOP: nowhere
 * @branches: packed: slots with a branch, bit n for slot n
 * @uop: the instructions by slot; packed, those that do something, in order
 */
struct mont_bundle {
	u64 tag;
	u8 tmpl;
	u8 nr;
	u8 reads_pmu;
	u8 nops;
	u8 at[3];
	u8 branches;
	struct mont_uop uop[3];
};

#define MONT_SLOT_NOP 3
extern const struct mont_uop mont_uop_nop;

/* The instruction of @slot in a packed bundle. */
static inline const struct mont_uop *mont_packed_uop(const struct mont_bundle *b, unsigned int slot)
{
	return b->at[slot] == MONT_SLOT_NOP ? &mont_uop_nop : &b->uop[b->at[slot]];
}

/* True if @b holds an X instruction, which takes slots 1 and 2. */
static inline bool mont_is_mlx(const struct mont_bundle *b)
{
	return b->nr == 2;
}

/* Three branches: the one template whose branches use port B0. */
static inline bool mont_is_bbb(const struct mont_bundle *b)
{
	return b->tmpl >> 1 == 0xb;
}

/* Slots of @b that hold an instruction, bit n for slot n. */
static inline u32 mont_slots(const struct mont_bundle *b)
{
	return mont_is_mlx(b) ? 5 : 7;
}

/* Unpredicated nops in front of @slot; of 3: in the whole bundle. */
static inline unsigned int mont_nops_before(const struct mont_bundle *b, unsigned int slot)
{
	return (u32)b->nops >> 2 * slot & 3;
}

/* The 41 bits of @slot. */
static inline u64 mont_slot_bits(u64 lo, u64 hi, unsigned int slot)
{
	switch (slot) {
	case 0:
		return mont_bits(lo, 5, 41);
	case 1:
		return (lo >> 46 | hi << 18) & (MONT_BIT(41) - 1);
	default:
		return hi >> 23;
	}
}

#endif
