// SPDX-License-Identifier: GPL-2.0-only
/*
 * From bundle to operations (Itanium SDM volume 3, 4.1 to 4.7), by the table in
 * insns.def: template -> units, unit and major opcode -> formats, format ->
 * rows, row -> operation and operands.
 */
#include "insns.h"

/* A template: the unit of each slot, and the slots a stop follows. */
struct mont_template {
	u8 unit[3];
	u8 stops;
};

#define T(a, b, c, stops)                                              \
	{                                                              \
		{ MONT_UNIT_##a, MONT_UNIT_##b, MONT_UNIT_##c }, stops \
	}
#define RESERVED                                                   \
	{                                                          \
		{ MONT_NR_UNITS, MONT_NR_UNITS, MONT_NR_UNITS }, 0 \
	}
#define S0 1
#define S1 2
#define S2 4

/* SDM volume 3, 4.1: template field encoding and instruction slot mapping. */
static const struct mont_template templates[32] = {
	T(M, I, I, 0), T(M, I, I, S2), T(M, I, I, S1), T(M, I, I, S1 | S2),
	T(M, L, X, 0), T(M, L, X, S2), RESERVED,       RESERVED,
	T(M, M, I, 0), T(M, M, I, S2), T(M, M, I, S0), T(M, M, I, S0 | S2),
	T(M, F, I, 0), T(M, F, I, S2), T(M, M, F, 0),  T(M, M, F, S2),
	T(M, I, B, 0), T(M, I, B, S2), T(M, B, B, 0),  T(M, B, B, S2),
	RESERVED,      RESERVED,       T(B, B, B, 0),  T(B, B, B, S2),
	T(M, M, B, 0), T(M, M, B, S2), RESERVED,       RESERVED,
	T(M, F, B, 0), T(M, F, B, S2), RESERVED,       RESERVED,
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
#define N(name) MONT_FMT_##name

static const u8 buckets[MONT_NR_UNITS][16][20] = {
	[MONT_UNIT_M] = {
		[0] = { N(M48), N(M24), N(M22), N(M23), N(M25), N(M26), N(M27), N(M30),
			N(M37), N(M44) },
		[1] = { N(M34), N(M31), N(M29), N(M20), N(M21), N(M28), N(M32), N(M33),
			N(M35), N(M36), N(M38), N(M39), N(M40), N(M41), N(M42), N(M43),
			N(M45), N(M46), N(M47) },
		[4] = { N(M1), N(M4), N(M2), N(M19), N(M16), N(M17), N(M1A), N(M4A) },
		[5] = { N(M3), N(M5) },
		[6] = { N(M6), N(M9), N(M18), N(M13), N(M7), N(M14), N(M11), N(M12) },
		[7] = { N(M8), N(M10), N(M15) },
		[8] = { N(A4), N(A1), N(A2), N(A3), N(A9), N(A10) },
		[9] = { N(A5) },
		[12] = { N(A6), N(A8), N(A7) },
		[13] = { N(A6), N(A8), N(A7) },
		[14] = { N(A6), N(A8), N(A7) },
	},
	[MONT_UNIT_I] = {
		[0] = { N(I18), N(I29), N(I28), N(I26), N(I21), N(I22), N(I25), N(I23),
			N(I19), N(I20), N(I24), N(I27) },
		[4] = { N(I15) },
		[5] = { N(I16), N(I11), N(I12), N(I10), N(I13), N(I14), N(I17), N(I30) },
		[7] = { N(I5), N(I7), N(I2), N(I3), N(I4), N(I6), N(I8), N(I9), N(I1) },
		[8] = { N(A4), N(A1), N(A2), N(A3), N(A9), N(A10) },
		[9] = { N(A5) },
		[12] = { N(A6), N(A8), N(A7) },
		[13] = { N(A6), N(A8), N(A7) },
		[14] = { N(A6), N(A8), N(A7) },
	},
	[MONT_UNIT_F] = {
		[0] = { N(F16), N(F6), N(F7), N(F9), N(F8), N(F10), N(F11), N(F12), N(F13),
			N(F14), N(F15) },
		[1] = { N(F6), N(F7), N(F8), N(F9), N(F10) },
		[4] = { N(F4) },
		[5] = { N(F5) },
		[8] = { N(F1) },
		[9] = { N(F1) },
		[10] = { N(F1) },
		[11] = { N(F1) },
		[12] = { N(F1) },
		[13] = { N(F1) },
		[14] = { N(F2), N(F3) },
	},
	[MONT_UNIT_B] = {
		[0] = { N(B4), N(B8), N(B9) },
		[1] = { N(B5) },
		[2] = { N(B9), N(B7) },
		[4] = { N(B1), N(B2) },
		[5] = { N(B3) },
		[7] = { N(B6) },
	},
	[MONT_UNIT_X] = {
		[0] = { N(X5), N(X1) },
		[6] = { N(X2) },
		[12] = { N(X3) },
		[13] = { N(X4) },
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
static u8 ref_hints(unsigned int fmt, u64 bits)
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

static u64 imm_pos_len(u64 pos, u64 len)
{
	return pos | len << 8;
}

static u64 immediate(unsigned int kind, u64 bits, u64 l)
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
		return imm_pos_len(mont_bits(bits, 14, 6), len6);
	case IMM_DEPZ:
		return imm_pos_len(63 - mont_bits(bits, 20, 6), len6);
	case IMM_DEPZI:
		return imm_pos_len(63 - mont_bits(bits, 20, 6), len6) | imm8 << 16;
	case IMM_DEPI:
		return imm_pos_len(63 - mont_bits(bits, 14, 6), len6) | (0 - s) << 16;
	case IMM_DEP:
		return imm_pos_len(63 - mont_bits(bits, 31, 6), mont_bits(bits, 27, 4) + 1);
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

void mont_row_operands(struct mont_uop *u, unsigned int row, u64 bits, u64 l)
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
		u->r4 = ref_hints(fmt, bits);
	if (operands & HINT)
		u->r3 = mont_bits(bits, 33, 2) | (bits >> 12 & 1) << 2 | (bits >> 35 & 1) << 3;
	if (formats[fmt].imm != IMM_NONE)
		u->imm = immediate(formats[fmt].imm, bits, l);
}

/*
 * Restrictions that the opcode extensions do not show: loop branches are legal
 * in slot 2 alone (SDM volume 3, br), and application registers belong to one
 * unit (SDM volume 1, table 3-3: 0-47 to M, 64-111 to I, the ignored ones to
 * both). Returns the qualifying predicate of the fault, or -1 for none.
 */
static int restricted(const struct mont_uop *u, unsigned int fmt, unsigned int slot)
{
	switch (fmt) {
	case MONT_FMT_B1:
		return u->op != MONT_OP_BR_COND && slot != 2 ? 0 : -1;
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
static u8 reserved_qp(enum mont_unit unit, u64 bits)
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
		u->op = MONT_OP_ILLEGAL;
		u->qp = reserved_qp(unit, bits);
	} else {
		u->op = mont_rows[row].op;
		mont_row_operands(u, row, bits, l);
		qp = restricted(u, mont_rows[row].fmt, slot);
		if (qp >= 0)
			*u = (struct mont_uop){ .op = MONT_OP_ILLEGAL, .qp = qp };
	}
	/* Branches that look at their predicate themselves end loops: slot 2 only. */
	if ((op_flags[u->op] & LOOP_BRANCH) == LOOP_BRANCH && slot != 2)
		*u = (struct mont_uop){ .op = MONT_OP_ILLEGAL };
	u->flags = op_flags[u->op] | (unit == MONT_UNIT_B ? MONT_UOP_B : 0);
}

/* Moves from PMDs and PMCs are M instructions: slot 0 or slot 1. */
static bool reads_pmu(const struct mont_uop *u)
{
	return u->op == MONT_OP_MOV_FROM_PMD || u->op == MONT_OP_MOV_FROM_PMC;
}

void mont_decode(struct mont_bundle *b, u64 lo, u64 hi)
{
	const struct mont_template *t = &templates[lo & 31];
	u64 l = 0;
	unsigned int i;

	b->tmpl = lo & 31;
	b->nr = 3;
	b->nops = 0;
	__builtin_memset(b->at, 0, sizeof(b->at));
	__builtin_memset(b->uop, 0, sizeof(b->uop));
	for (i = 0; i < 3; i++) {
		u64 bits = mont_slot_bits(lo, hi, i);

		if (t->unit[i] == MONT_NR_UNITS) {
			b->uop[i].op = MONT_OP_ILLEGAL;
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
	b->reads_pmu = reads_pmu(&b->uop[1]);
}

const struct mont_uop mont_uop_nop = { .op = MONT_OP_NOP, .flags = MONT_UOP_NOP };

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

static bool fast_op(unsigned int op)
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
		if (b->nr == 2 && i == 1)
			continue;
		if ((u.flags & MONT_UOP_NOP) && !u.qp) {
			nops++;
			continue;
		}
		if (!fast_op(u.op) || (u.flags & MONT_UOP_NOP))
			whole = false;
		u.flags |= i << MONT_UOP_SLOT_SHIFT;
		b->at[i] = live;
		b->uop[live++] = u;
	}
	b->nops |= nops << 6;
	if (!live) {
		b->uop[live++] = mont_uop_nop;
		b->uop[0].flags |= 2 << MONT_UOP_SLOT_SHIFT;
	}
	b->uop[live - 1].flags |= MONT_UOP_LAST;
	return whole;
}
