// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later
/*
 * From bundle to operations (Itanium SDM volume 3, 4.1 to 4.7), by the table in
 * insns.def: template -> units, unit and major opcode -> formats, format ->
 * rows, row -> operation and operands.
 */
#include "decode.h"
#include "insns.h"

/* A template: the unit of each slot, and the slots a stop follows. */
struct mont_template {
	u8 unit[3];
	u8 stops;
};

#define TEMPLATE(a, b, c, stops)                                       \
	{                                                              \
		{ MONT_UNIT_##a, MONT_UNIT_##b, MONT_UNIT_##c }, stops \
	}
#define RESERVED                                                   \
	{                                                          \
		{ MONT_NR_UNITS, MONT_NR_UNITS, MONT_NR_UNITS }, 0 \
	}
#define STOP0 1
#define STOP1 2
#define STOP2 4

/* SDM volume 3, 4.1: template field encoding and instruction slot mapping. */
static const struct mont_template templates[32] = {
	TEMPLATE(M, I, I, 0),
	TEMPLATE(M, I, I, STOP2),
	TEMPLATE(M, I, I, STOP1),
	TEMPLATE(M, I, I, STOP1 | STOP2),
	TEMPLATE(M, L, X, 0),
	TEMPLATE(M, L, X, STOP2),
	RESERVED,
	RESERVED,
	TEMPLATE(M, M, I, 0),
	TEMPLATE(M, M, I, STOP2),
	TEMPLATE(M, M, I, STOP0),
	TEMPLATE(M, M, I, STOP0 | STOP2),
	TEMPLATE(M, F, I, 0),
	TEMPLATE(M, F, I, STOP2),
	TEMPLATE(M, M, F, 0),
	TEMPLATE(M, M, F, STOP2),
	TEMPLATE(M, I, B, 0),
	TEMPLATE(M, I, B, STOP2),
	TEMPLATE(M, B, B, 0),
	TEMPLATE(M, B, B, STOP2),
	RESERVED,
	RESERVED,
	TEMPLATE(B, B, B, 0),
	TEMPLATE(B, B, B, STOP2),
	TEMPLATE(M, M, B, 0),
	TEMPLATE(M, M, B, STOP2),
	RESERVED,
	RESERVED,
	TEMPLATE(M, F, B, 0),
	TEMPLATE(M, F, B, STOP2),
	RESERVED,
	RESERVED,
};

#define VALUE_OF(pos, len, val) ((u64)(val) << (pos))
#define MASK_OF(pos, len, val) ((MONT_BIT(len) - 1) << (pos))

const struct mont_row_enc mont_rows[MONT_NR_ROWS] = {
#define FORMAT(name, unit, majors, operands, imm)
#define INSN(o, format, text, ...)                            \
	{                                                     \
		.mask = ENC_##format(MASK_OF, __VA_ARGS__),   \
		.match = ENC_##format(VALUE_OF, __VA_ARGS__), \
		.op = MONT_OP_##o,                            \
		.fmt = MONT_FMT_##format,                     \
	},
#include "insns.def"
#undef FORMAT
#undef INSN
};

/* Register fields of a format. */
#define R1 0x0001
#define R2 0x0002
#define R3 0x0004
#define F4 0x0008
#define P1 0x0010
#define P2 0x0020
#define B1 0x0040
#define B2 0x0080
#define R3_2 0x0100
#define NOQP 0x0200
#define REF 0x0400
#define HINT 0x0800

enum mont_imm {
	IMM_NONE,
	IMM_CT2D,
	IMM_IMM8,
	IMM_IMM14,
	IMM_IMM22,
	IMM_PMPY,
	IMM_MBT4,
	IMM_MHT8,
	IMM_COUNT5,
	IMM_CCOUNT5,
	IMM_COUNT6,
	IMM_EXTR,
	IMM_DEPZ,
	IMM_DEPZI,
	IMM_DEPI,
	IMM_DEP,
	IMM_POS6,
	IMM_IMM21,
	IMM_TGT20_13_6,
	IMM_TGT20_13,
	IMM_MASK17,
	IMM_IMM44,
	IMM_IMM9A,
	IMM_IMM9B,
	IMM_PAIR,
	IMM_INC3,
	IMM_ALLOC,
	IMM_IMM2,
	IMM_IMM24,
	IMM_SF,
	IMM_FCLASS,
	IMM_FSETC,
	IMM_FCHKF,
	IMM_IMM62,
	IMM_IMM64,
	IMM_TGT60,
};

struct mont_format_info {
	u16 first; /* row */
	u16 operands;
	u8 imm;
};

static const struct mont_format_info formats[MONT_NR_FMTS + 1] = {
#define FORMAT(name, unit, majors, operands, imm) \
	[MONT_FMT_##name] = { MONT_FIRST_##name, operands, IMM_##imm },
#define INSN(o, format, text, ...)
#include "insns.def"
#undef FORMAT
#undef INSN
	[MONT_NR_FMTS] = { MONT_NR_ROWS, 0, 0 },
};

/*
 * The formats that use a major opcode of a unit, ended by 0. The unit test
 * finds every row through this and compares it with the majors in insns.def.
 */
#define FMT(name) MONT_FMT_##name

static const u8 buckets[MONT_NR_UNITS][16][20] = {
	[MONT_UNIT_M] = {
		[0] = { FMT(M48), FMT(M24), FMT(M22), FMT(M23), FMT(M25), FMT(M26), FMT(M27), FMT(M30),
			FMT(M37), FMT(M44) },
		[1] = { FMT(M34), FMT(M31), FMT(M29), FMT(M20), FMT(M21), FMT(M28), FMT(M32), FMT(M33),
			FMT(M35), FMT(M36), FMT(M38), FMT(M39), FMT(M40), FMT(M41), FMT(M42), FMT(M43),
			FMT(M45), FMT(M46), FMT(M47) },
		[4] = { FMT(M1), FMT(M4), FMT(M2), FMT(M19), FMT(M16), FMT(M17), FMT(M1A), FMT(M4A) },
		[5] = { FMT(M3), FMT(M5) },
		[6] = { FMT(M6), FMT(M9), FMT(M18), FMT(M13), FMT(M7), FMT(M14), FMT(M11), FMT(M12) },
		[7] = { FMT(M8), FMT(M10), FMT(M15) },
		[8] = { FMT(A4), FMT(A1), FMT(A2), FMT(A3), FMT(A9), FMT(A10) },
		[9] = { FMT(A5) },
		[12] = { FMT(A6), FMT(A8), FMT(A7) },
		[13] = { FMT(A6), FMT(A8), FMT(A7) },
		[14] = { FMT(A6), FMT(A8), FMT(A7) },
	},
	[MONT_UNIT_I] = {
		[0] = { FMT(I18), FMT(I29), FMT(I28), FMT(I26), FMT(I21), FMT(I22), FMT(I25), FMT(I23),
			FMT(I19), FMT(I20), FMT(I24), FMT(I27) },
		[4] = { FMT(I15) },
		[5] = { FMT(I16), FMT(I11), FMT(I12), FMT(I10), FMT(I13), FMT(I14), FMT(I17), FMT(I30) },
		[7] = { FMT(I5), FMT(I7), FMT(I2), FMT(I3), FMT(I4), FMT(I6), FMT(I8), FMT(I9), FMT(I1) },
		[8] = { FMT(A4), FMT(A1), FMT(A2), FMT(A3), FMT(A9), FMT(A10) },
		[9] = { FMT(A5) },
		[12] = { FMT(A6), FMT(A8), FMT(A7) },
		[13] = { FMT(A6), FMT(A8), FMT(A7) },
		[14] = { FMT(A6), FMT(A8), FMT(A7) },
	},
	[MONT_UNIT_F] = {
		[0] = { FMT(F16), FMT(F6), FMT(F7), FMT(F9), FMT(F8), FMT(F10), FMT(F11), FMT(F12), FMT(F13),
			FMT(F14), FMT(F15) },
		[1] = { FMT(F6), FMT(F7), FMT(F8), FMT(F9), FMT(F10) },
		[4] = { FMT(F4) },
		[5] = { FMT(F5) },
		[8] = { FMT(F1) },
		[9] = { FMT(F1) },
		[10] = { FMT(F1) },
		[11] = { FMT(F1) },
		[12] = { FMT(F1) },
		[13] = { FMT(F1) },
		[14] = { FMT(F2), FMT(F3) },
	},
	[MONT_UNIT_B] = {
		[0] = { FMT(B4), FMT(B8), FMT(B9) },
		[1] = { FMT(B5) },
		[2] = { FMT(B9), FMT(B7) },
		[4] = { FMT(B1), FMT(B2) },
		[5] = { FMT(B3) },
		[7] = { FMT(B6) },
	},
	[MONT_UNIT_X] = {
		[0] = { FMT(X5), FMT(X1) },
		[6] = { FMT(X2) },
		[12] = { FMT(X3) },
		[13] = { FMT(X4) },
	},
};

#define LOOP_BRANCH (MONT_UOP_BRANCH | MONT_UOP_ALWAYS)

static const u8 op_flags[MONT_NR_OPS] = {
#define MONT_OP(op, class, flags) flags,
#include "ops.def"
#undef MONT_OP
};

enum mont_unit mont_slot_unit(unsigned int tmpl, unsigned int slot)
{
	return templates[tmpl & 31].unit[slot];
}

unsigned int mont_row_find(enum mont_unit unit, u64 bits)
{
	const u8 *f = buckets[unit][bits >> 37 & 15];

	for (; *f; f++) {
		unsigned int row = formats[*f].first, end = formats[*f + 1].first;

		for (; row < end; row++)
			if ((bits & mont_rows[row].mask) == mont_rows[row].match)
				return row;
	}
	return MONT_NR_ROWS;
}

/* Ordering and hints of a memory reference, from its x6 field and hint. */
static u8 decode_ref_hints(unsigned int fmt, u64 bits)
{
	unsigned int x6 = mont_bits(bits, 30, 6);
	u8 ref = mont_bits(bits, 28, 2);

	switch (fmt) {
	case MONT_FMT_M1:
	case MONT_FMT_M2:
	case MONT_FMT_M3:
		if (x6 >> 2 == 4)
			return ref | MONT_REF_EXCL;
		return x6 >> 2 == 5 || x6 >> 2 == 10 ? ref | MONT_REF_ACQ : ref;
	case MONT_FMT_M1A:
		return x6 == 0x2c ? ref | MONT_REF_ACQ : ref;
	case MONT_FMT_M4:
	case MONT_FMT_M4A:
	case MONT_FMT_M5:
		return x6 >> 2 == 13 ? ref | MONT_REF_REL : ref;
	case MONT_FMT_M13:
	case MONT_FMT_M14:
	case MONT_FMT_M15:
		return x6 & 1 ? ref | MONT_REF_EXCL : ref;
	case MONT_FMT_M16:
	case MONT_FMT_M17:
		/* cmpxchg.rel, cmp8xchg16.rel, fetchadd.rel; xchg is an acquire */
		if (x6 >> 2 == 1 || x6 == 0x24 || x6 == 0x16 || x6 == 0x17)
			return ref | MONT_REF_EXCL | MONT_REF_REL;
		return ref | MONT_REF_EXCL | MONT_REF_ACQ;
	default:
		return ref;
	}
}

static u64 decode_imm_pos_len(u64 pos, u64 len)
{
	return pos | len << 8;
}

static u64 decode_immediate(unsigned int kind, u64 bits, u64 l)
{
	static const u8 pmpy_counts[4] = { 0, 7, 15, 16 };
	static const u8 increments[4] = { 16, 8, 4, 1 };
	u64 s = bits >> 36 & 1;
	u64 len6 = mont_bits(bits, 27, 6) + 1;
	u64 imm7b = mont_bits(bits, 13, 7);
	u64 imm8 = mont_sext(s << 7 | imm7b, 8);
	u64 v;

	switch (kind) {
	case IMM_CT2D:
		return mont_bits(bits, 27, 2) + 1;
	case IMM_IMM8:
		return imm8;
	case IMM_IMM14:
		return mont_sext(s << 13 | mont_bits(bits, 27, 6) << 7 | imm7b, 14);
	case IMM_IMM22:
		return mont_sext(s << 21 | mont_bits(bits, 22, 5) << 16 |
					 mont_bits(bits, 27, 9) << 7 | imm7b,
				 22);
	case IMM_PMPY:
		return pmpy_counts[mont_bits(bits, 30, 2)];
	case IMM_MBT4:
		return mont_bits(bits, 20, 4);
	case IMM_MHT8:
		return mont_bits(bits, 20, 8);
	case IMM_COUNT5:
		return mont_bits(bits, 14, 5);
	case IMM_CCOUNT5:
		return 31 - mont_bits(bits, 20, 5);
	case IMM_COUNT6:
		return len6 - 1;
	case IMM_EXTR:
		return decode_imm_pos_len(mont_bits(bits, 14, 6), len6);
	case IMM_DEPZ:
		return decode_imm_pos_len(63 - mont_bits(bits, 20, 6), len6);
	case IMM_DEPZI:
		return decode_imm_pos_len(63 - mont_bits(bits, 20, 6), len6) | imm8 << 16;
	case IMM_DEPI:
		return decode_imm_pos_len(63 - mont_bits(bits, 14, 6), len6) | (0 - s) << 16;
	case IMM_DEP:
		return decode_imm_pos_len(63 - mont_bits(bits, 31, 6), mont_bits(bits, 27, 4) + 1);
	case IMM_POS6:
		return mont_bits(bits, 14, 6);
	case IMM_IMM21:
		return s << 20 | mont_bits(bits, 6, 20);
	case IMM_TGT20_13_6:
		v = s << 20 | mont_bits(bits, 20, 13) << 7 | mont_bits(bits, 6, 7);
		return (u64)mont_sext(v, 21) << 4;
	case IMM_TGT20_13:
		return (u64)mont_sext(s << 20 | mont_bits(bits, 13, 20), 21) << 4;
	case IMM_MASK17:
		return mont_sext(s << 16 | mont_bits(bits, 24, 8) << 8 | mont_bits(bits, 6, 7) << 1,
				 17);
	case IMM_IMM44:
		return mont_sext(s << 43 | mont_bits(bits, 6, 27) << 16, 44);
	case IMM_IMM9A:
		return mont_sext(s << 8 | (bits >> 27 & 1) << 7 | mont_bits(bits, 6, 7), 9);
	case IMM_IMM9B:
		return mont_sext(s << 8 | (bits >> 27 & 1) << 7 | imm7b, 9);
	case IMM_PAIR:
		return mont_bits(bits, 30, 2) == 2 ? 8 : 16;
	case IMM_INC3:
		v = increments[mont_bits(bits, 13, 2)];
		return bits >> 15 & 1 ? 0 - v : v;
	case IMM_ALLOC:
		return imm7b | mont_bits(bits, 20, 7) << 8 | mont_bits(bits, 27, 4) << 19;
	case IMM_IMM2:
		return mont_bits(bits, 13, 2);
	case IMM_IMM24:
		return s << 23 | mont_bits(bits, 31, 2) << 21 | mont_bits(bits, 6, 21);
	case IMM_SF:
		return mont_bits(bits, 34, 2);
	case IMM_FCLASS:
		return mont_bits(bits, 20, 7) << 2 | mont_bits(bits, 33, 2);
	case IMM_FSETC:
		return mont_bits(bits, 34, 2) | imm7b << 8 | mont_bits(bits, 20, 7) << 16;
	case IMM_FCHKF:
		v = (u64)mont_sext(s << 20 | mont_bits(bits, 6, 20), 21) << 4;
		return v | mont_bits(bits, 34, 2);
	case IMM_IMM62:
		return l << 21 | s << 20 | mont_bits(bits, 6, 20);
	case IMM_IMM64:
		return s << 63 | l << 22 | (bits >> 21 & 1) << 21 | mont_bits(bits, 22, 5) << 16 |
		       mont_bits(bits, 27, 9) << 7 | imm7b;
	case IMM_TGT60:
		v = s << 59 | mont_bits(l, 2, 39) << 20 | mont_bits(bits, 13, 20);
		return (u64)mont_sext(v, 60) << 4;
	default:
		return 0;
	}
}

void mont_row_registers(struct mont_uop *u, unsigned int row, u64 bits)
{
	unsigned int fmt = mont_rows[row].fmt;
	unsigned int operands = formats[fmt].operands;

	u->qp = operands & NOQP ? 0 : bits & 63;
	if (operands & R1)
		u->r1 = mont_bits(bits, 6, 7);
	if (operands & R2)
		u->r2 = mont_bits(bits, 13, 7);
	if (operands & R3)
		u->r3 = mont_bits(bits, 20, 7);
	if (operands & F4)
		u->r4 = mont_bits(bits, 27, 7);
	if (operands & P1)
		u->r1 = mont_bits(bits, 6, 6);
	if (operands & P2)
		u->r4 = mont_bits(bits, 27, 6);
	if (operands & B1)
		u->r1 = mont_bits(bits, 6, 3);
	if (operands & B2)
		u->r2 = mont_bits(bits, 13, 3);
	if (operands & R3_2)
		u->r3 = mont_bits(bits, 20, 2);
	if (operands & REF)
		u->r4 = decode_ref_hints(fmt, bits);
	if (operands & HINT)
		u->r3 = mont_bits(bits, 33, 2) | (bits >> 12 & 1) << 2 | (bits >> 35 & 1) << 3;
}

void mont_row_operands(struct mont_uop *u, unsigned int row, u64 bits, u64 l)
{
	unsigned int fmt = mont_rows[row].fmt;

	mont_row_registers(u, row, bits);
	if (formats[fmt].imm != IMM_NONE)
		u->imm = decode_immediate(formats[fmt].imm, bits, l);
}

/*
 * Restrictions that the opcode extensions do not show: loop branches are legal
 * in slot 2 alone (SDM volume 3, br), and application registers belong to one
 * unit (SDM volume 1, table 3-3: 0-47 to M, 64-111 to I, the ignored ones to
 * both). Returns the qualifying predicate of the fault, or -1 for none.
 */
static int decode_restricted(const struct mont_uop *u, unsigned int fmt, unsigned int slot)
{
	switch (fmt) {
	case MONT_FMT_B1:
		return mont_op(u) != MONT_OP_BR_COND && slot != 2 ? 0 : -1;
	case MONT_FMT_B2:
		return slot != 2 ? 0 : -1;
	case MONT_FMT_I26:
	case MONT_FMT_I27:
	case MONT_FMT_I28:
		return u->r3 < 48 ? u->qp : -1;
	case MONT_FMT_M29:
	case MONT_FMT_M30:
	case MONT_FMT_M31:
		return u->r3 >= 64 && u->r3 < 112 ? u->qp : -1;
	default:
		return -1;
	}
}

/*
 * The qualifying predicate of a reserved encoding: the fault is conditional on
 * it, except among the B-unit instructions that have none (major 0, x6 below
 * 0x20), where the field is no predicate.
 */
static u8 decode_reserved_qp(enum mont_unit unit, u64 bits)
{
	if (unit == MONT_UNIT_B && bits >> 37 == 0 && mont_bits(bits, 27, 6) < 0x20)
		return 0;
	return bits & 63;
}

static void decode_slot(struct mont_uop *u, enum mont_unit unit, u64 bits, u64 l, unsigned int slot)
{
	unsigned int row = mont_row_find(unit, bits);
	int qp;

	if (row == MONT_NR_ROWS) {
		u->code = MONT_OP_ILLEGAL;
		u->qp = decode_reserved_qp(unit, bits);
	} else {
		u->code = mont_rows[row].op;
		mont_row_operands(u, row, bits, l);
		qp = decode_restricted(u, mont_rows[row].fmt, slot);
		if (qp >= 0)
			*u = (struct mont_uop){ .code = MONT_OP_ILLEGAL, .qp = qp };
	}
	/* Branches that look at their predicate themselves end loops: slot 2 only. */
	if ((op_flags[mont_op(u)] & LOOP_BRANCH) == LOOP_BRANCH && slot != 2)
		*u = (struct mont_uop){ .code = MONT_OP_ILLEGAL };
	u->flags = op_flags[mont_op(u)] | (unit == MONT_UNIT_B ? MONT_UOP_B : 0);
}

/* Moves from PMDs and PMCs are M instructions: slot 0 or slot 1. */
static bool decode_reads_pmu(const struct mont_uop *u)
{
	return mont_op(u) == MONT_OP_MOV_FROM_PMD || mont_op(u) == MONT_OP_MOV_FROM_PMC;
}

void mont_decode(struct mont_bundle *b, u64 lo, u64 hi)
{
	const struct mont_template *t = &templates[lo & 31];
	u64 l = 0;
	unsigned int i;

	b->tmpl = lo & 31;
	b->nr = 3;
	b->nops = 0;
	b->branches = 0;
	__builtin_memset(b->at, 0, sizeof(b->at));
	__builtin_memset(b->uop, 0, sizeof(b->uop));
	for (i = 0; i < 3; i++) {
		u64 bits = mont_slot_bits(lo, hi, i);

		if (t->unit[i] == MONT_NR_UNITS) {
			b->uop[i].code = MONT_OP_ILLEGAL;
			continue;
		}
		if (t->unit[i] == MONT_UNIT_L) {
			b->nr = 2;
			l = bits;
			continue;
		}
		decode_slot(&b->uop[i], t->unit[i], bits, l, i);
		if (t->stops >> i & 1)
			b->uop[i].flags |= MONT_UOP_STOP;
	}
	b->reads_pmu = decode_reads_pmu(&b->uop[1]);
}

const struct mont_uop mont_uop_nop = { .code = MONT_OP_NOP, .flags = MONT_UOP_NOP };

/*
 * Operations that the run loop may execute without looking up before the end
 * of the bundle: whatever changes PSR, what is counted or translations is not
 * among them.
 */
#define FAST_ALU 1
#define FAST_MMEDIA 1
#define FAST_MEM 1
#define FAST_BRANCH 1
#define FAST_FP 1
#define FAST_SYSTEM 0

static bool decode_fast_op(unsigned int op)
{
	static const u8 by_class[MONT_NR_OPS] = {
#define MONT_OP(op, class, flags) FAST_##class,
#include "ops.def"
#undef MONT_OP
	};

	return by_class[op] || op == MONT_OP_NOP || op == MONT_OP_HINT || op == MONT_OP_ALLOC ||
	       op == MONT_OP_MOV_FROM_AR || op == MONT_OP_MOV_TO_AR || op == MONT_OP_MOV_TO_AR_IMM;
}

bool mont_pack(struct mont_bundle *b)
{
	unsigned int i, live = 0, nops = 0;
	bool whole = true;

	for (i = 0; i < 3; i++) {
		struct mont_uop u = b->uop[i];

		b->nops |= nops << 2 * i;
		b->at[i] = MONT_SLOT_NOP;
		if (mont_is_mlx(b) && i == 1)
			continue;
		if ((u.flags & MONT_UOP_NOP) && !u.qp) {
			nops++;
			continue;
		}
		if (!decode_fast_op(mont_op(&u)) || (u.flags & MONT_UOP_NOP))
			whole = false;
		if (u.flags & MONT_UOP_BRANCH)
			b->branches |= 1u << i;
		u.flags |= i << MONT_UOP_SLOT_SHIFT;
		u.code |= u.qp ? MONT_CODE_PREDICATED : 0;
		b->at[i] = live;
		b->uop[live++] = u;
	}
	b->nops |= nops << 6;
	if (!live) {
		b->uop[live++] = mont_uop_nop;
		b->uop[0].flags |= 2 << MONT_UOP_SLOT_SHIFT;
	}
	b->uop[live - 1].code |= MONT_CODE_LAST;
	return whole;
}
