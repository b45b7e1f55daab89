// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later
/*
 * Disassembly, from the texts of the encoding table (insns.def), as binutils'
 * objdump writes instructions.
 *
 * In a text, % and one or two letters stand for an operand:
 *  r1 r2 r3 f1 f2 f3 f4 p1 p2 b1 b2 a3 c3   registers
 *  i  immediate, decimal        x  immediate, hexadecimal    t  target
 *  f  position and length       g  deposited immediate       P  position
 *  A  alloc's frame
 *  X  immediate, hexadecimal of 64 bits       m  fsetc's masks    F  feature
 *  h k  locality hint of a load, of a load with update or a semaphore
 *  S U  of a store, of a store with update                   H  of lfetch
 *  s  status field              W  hints of a branch predict
 *  c  .cond and whether hint, left out of an unconditional .sptk branch
 *  w  whether hint of a branch  v  its prefetch and deallocation hints
 *  I  importance (mov to b)     T  tag (mov to b, brp)
 *
 * A bit that this processor ignores selects hints of later processors in some
 * memory references (.d4 to .d7): written as binutils does, so that assembling
 * the text gives the same bits.
 */
#include "disasm.h"
#include "insns.h"
#include "decode.h"

static const char *const row_text[MONT_NR_ROWS] = {
#define FORMAT(name, unit, majors, operands, imm)
#define INSN(op, format, text, ...) text,
#include "insns.def"
#undef FORMAT
#undef INSN
};

const char *mont_row_text(unsigned int row)
{
	return row_text[row];
}

struct text {
	char *buf;
	size_t len;
	size_t pos;
};

static void disasm_put(struct text *o, const char *s)
{
	for (; *s; s++) {
		if (o->pos + 1 < o->len)
			o->buf[o->pos] = *s;
		o->pos++;
	}
}

static void disasm_put_number(struct text *o, u64 v, unsigned int base, unsigned int digits)
{
	char s[24];
	unsigned int i = sizeof(s) - 1;

	s[i] = 0;
	do {
		unsigned int d = base == 16 ? v & 15 : v % 10;

		s[--i] = d < 10 ? '0' + d : 'a' + d - 10;
		v = base == 16 ? v >> 4 : v / 10;
		digits -= digits > 0;
	} while (v || digits);
	disasm_put(o, s + i);
}

static void disasm_put_hex(struct text *o, u64 v)
{
	disasm_put(o, "0x");
	disasm_put_number(o, v, 16, 1);
}

static void disasm_put_signed(struct text *o, s64 v)
{
	if (v < 0)
		disasm_put(o, "-");
	disasm_put_number(o, v < 0 ? 0 - (u64)v : (u64)v, 10, 1);
}

static void disasm_put_reg(struct text *o, const char *prefix, unsigned int n)
{
	disasm_put(o, prefix);
	disasm_put_number(o, n, 10, 1);
}

static void disasm_put_ar(struct text *o, unsigned int n)
{
	static const char *const names[] = {
#define MONT_AR(number, upper, lower, field, flags, reserved, ignored) [number] = lower,
#include "../arch/sysregs.def"
	};

	if (n >= MONT_ARRAY_SIZE(names) || !names[n]) {
		disasm_put_reg(o, "ar", n);
		return;
	}
	disasm_put(o, "ar.");
	disasm_put(o, names[n]);
}

static void disasm_put_cr(struct text *o, unsigned int n)
{
	static const char *const names[] = {
#define MONT_CR(number, upper, lower, field, flags, reserved, ignored) [number] = lower,
#include "../arch/sysregs.def"
		/* Not in this processor. */
		[26] = "iib0",
		[27] = "iib1",
	};

	if (n >= MONT_ARRAY_SIZE(names) || !names[n]) {
		disasm_put_reg(o, "cr", n);
		return;
	}
	disasm_put(o, "cr.");
	disasm_put(o, names[n]);
}

struct insn {
	const struct mont_uop *u;
	u64 bits;
	u64 ip;
};

/* A register operand: kind and number as written in the text. */
static void disasm_put_register(struct text *o, const struct mont_uop *u, char kind, char nr)
{
	static const char prefix[128][2] = { ['r'] = "r", ['f'] = "f", ['p'] = "p", ['b'] = "b" };
	unsigned int n = nr == '1' ? u->r1 : nr == '2' ? u->r2 : nr == '3' ? u->r3 : u->r4;

	if (kind == 'a')
		disasm_put_ar(o, n);
	else if (kind == 'c')
		disasm_put_cr(o, n);
	else if (kind == 'p')
		disasm_put_reg(o, "p", nr == '1' ? u->r1 : u->r4);
	else
		disasm_put_reg(o, prefix[kind & 127], n);
}

/* The tag of a branch predict or of mov to branch register. */
static void disasm_put_tag(struct text *o, const struct insn *in)
{
	u64 bits = in->bits;
	u64 tag;

	if (mont_op(in->u) == MONT_OP_MOV_TO_BR) {
		/* Without whether, importance and .ret nothing is predicted. */
		if (mont_bits(bits, 20, 4) == 1)
			return;
		tag = (u64)mont_sext(mont_bits(bits, 24, 9), 9) << 4;
		disasm_put(o, ",");
	} else {
		tag = (u64)mont_sext(mont_bits(bits, 33, 2) << 7 | mont_bits(bits, 6, 7), 9) << 4;
	}
	disasm_put_hex(o, in->ip + tag);
}

/* The locality hint of a memory reference. */
static void disasm_put_locality(struct text *o, char c, u64 bits)
{
	static const char *const names[8] = {
		"", ".nt1", ".d2", ".nta", ".d4", ".d5", ".d6", ".d7",
	};
	unsigned int n = mont_bits(bits, 28, 2);

	if (c == 'h')
		n |= (bits >> 19 & 1) << 2;
	else if (c == 'S' || c == 'H')
		n |= (bits >> 12 & 1) << 2;
	if (n == 1 && (c == 'S' || c == 'U'))
		disasm_put(o, ".d1");
	else if (n == 2 && c == 'H')
		disasm_put(o, ".nt2");
	else
		disasm_put(o, names[n]);
}

static void disasm_put_operand(struct text *o, const struct insn *in, char c)
{
	static const char *const wh[4] = { ".sptk", ".spnt", ".dptk", ".dpnt" };
	static const char *const brp_wh[4] = { ".sptk", ".loop", ".dptk", ".exit" };
	const struct mont_uop *u = in->u;
	u64 bits = in->bits;

	switch (c) {
	case 'i':
		disasm_put_signed(o, u->imm);
		break;
	case 'x':
	case 'X':
		disasm_put_hex(o, u->imm);
		break;
	case 't':
		disasm_put_hex(o, in->ip + (u->imm & ~15ULL));
		break;
	case 'f':
		disasm_put_number(o, u->imm & 255, 10, 1);
		disasm_put(o, ",");
		disasm_put_number(o, u->imm >> 8 & 255, 10, 1);
		break;
	case 'P':
		disasm_put_number(o, u->imm & 255, 10, 1);
		break;
	case 'g':
		disasm_put_signed(o, (s64)u->imm >> 16);
		break;
	case 'A':
		disasm_put_number(o, u->imm & 255, 10, 1);
		disasm_put(o, ",");
		disasm_put_number(o, u->imm >> 8 & 255, 10, 1);
		disasm_put(o, ",");
		disasm_put_number(o, u->imm >> 16, 10, 1);
		break;
	case 'm':
		disasm_put_hex(o, u->imm >> 8 & 127);
		disasm_put(o, ",");
		disasm_put_hex(o, u->imm >> 16);
		break;
	case 'F':
		disasm_put_number(o, mont_bits(bits, 14, 5) + 32, 10, 1);
		break;
	case 'h':
	case 'k':
	case 'S':
	case 'U':
	case 'H':
		disasm_put_locality(o, c, bits);
		break;
	case 's':
		disasm_put(o, ".s");
		disasm_put_number(o, u->imm & 3, 10, 1);
		break;
	case 'c':
		if (!u->qp && !(u->r3 & MONT_BRH_WH))
			break;
		disasm_put(o, ".cond");
		fallthrough;
	case 'w':
		disasm_put(o, wh[u->r3 & MONT_BRH_WH]);
		break;
	case 'v':
		disasm_put(o, u->r3 & MONT_BRH_MANY ? ".many" : ".few");
		disasm_put(o, u->r3 & MONT_BRH_CLR ? ".clr" : "");
		break;
	case 'W':
		disasm_put(o, brp_wh[mont_bits(bits, 3, 2)]);
		disasm_put(o, bits >> 35 & 1 ? ".imp" : "");
		break;
	case 'I':
		disasm_put(o, bits >> 23 & 1 ? ".imp" : "");
		break;
	case 'T':
		disasm_put_tag(o, in);
		break;
	}
}

static void disasm_put_insn(struct text *o, const struct insn *in, const char *text)
{
	for (; *text; text++) {
		char c[2] = { *text, 0 };

		if (*text != '%') {
			disasm_put(o, c);
		} else if (text[2] >= '1' && text[2] <= '4') {
			disasm_put_register(o, in->u, text[1], text[2]);
			text += 2;
		} else {
			disasm_put_operand(o, in, *++text);
		}
	}
}

/* Conditions on operands under which binutils writes another name. */
#define R2_0 0x01
#define R3_0 0x02
#define R4_1 0x04
#define IMM_0 0x08
#define R2_IS_R3 0x10
#define TO_BIT_63 0x20 /* the field ends at bit 63: a shift */

struct alias {
	u16 op;
	u16 when;
	const char *text;
};

static const struct alias aliases[] = {
	{ MONT_OP_ADDS, IMM_0, "mov %r1=%r3" },
	{ MONT_OP_ADDL, R3_0, "mov %r1=%i" },
	{ MONT_OP_EXTR, TO_BIT_63, "shr %r1=%r3,%P" },
	{ MONT_OP_EXTR_U, TO_BIT_63, "shr.u %r1=%r3,%P" },
	{ MONT_OP_DEP_Z, TO_BIT_63, "shl %r1=%r2,%P" },
	{ MONT_OP_FMA, R4_1 | R2_0, "fnorm%s %f1=%f3" },
	{ MONT_OP_FMA, R4_1, "fadd%s %f1=%f3,%f2" },
	{ MONT_OP_FMA, R2_0, "fmpy%s %f1=%f3,%f4" },
	{ MONT_OP_FMA_S, R4_1 | R2_0, "fnorm.s%s %f1=%f3" },
	{ MONT_OP_FMA_S, R4_1, "fadd.s%s %f1=%f3,%f2" },
	{ MONT_OP_FMA_S, R2_0, "fmpy.s%s %f1=%f3,%f4" },
	{ MONT_OP_FMA_D, R4_1 | R2_0, "fnorm.d%s %f1=%f3" },
	{ MONT_OP_FMA_D, R4_1, "fadd.d%s %f1=%f3,%f2" },
	{ MONT_OP_FMA_D, R2_0, "fmpy.d%s %f1=%f3,%f4" },
	{ MONT_OP_FPMA, R2_0, "fpmpy%s %f1=%f3,%f4" },
	{ MONT_OP_FMS, R4_1, "fsub%s %f1=%f3,%f2" },
	{ MONT_OP_FMS_S, R4_1, "fsub.s%s %f1=%f3,%f2" },
	{ MONT_OP_FMS_D, R4_1, "fsub.d%s %f1=%f3,%f2" },
	{ MONT_OP_FNMA, R2_0, "fnmpy%s %f1=%f3,%f4" },
	{ MONT_OP_FNMA_S, R2_0, "fnmpy.s%s %f1=%f3,%f4" },
	{ MONT_OP_FNMA_D, R2_0, "fnmpy.d%s %f1=%f3,%f4" },
	{ MONT_OP_FPNMA, R2_0, "fpnmpy%s %f1=%f3,%f4" },
	{ MONT_OP_XMA_L, R2_0, "xmpy.l %f1=%f3,%f4" },
	{ MONT_OP_XMA_H, R2_0, "xmpy.h %f1=%f3,%f4" },
	{ MONT_OP_XMA_HU, R2_0, "xmpy.hu %f1=%f3,%f4" },
	{ MONT_OP_FMERGE_S, R2_IS_R3, "mov %f1=%f3" },
	{ MONT_OP_FMERGE_S, R2_0, "fabs %f1=%f3" },
	{ MONT_OP_FMERGE_NS, R2_IS_R3, "fneg %f1=%f3" },
	{ MONT_OP_FMERGE_NS, R2_0, "fnegabs %f1=%f3" },
	{ MONT_OP_FPMERGE_S, R2_0, "fpabs %f1=%f3" },
	{ MONT_OP_FPMERGE_NS, R2_IS_R3, "fpneg %f1=%f3" },
	{ MONT_OP_FPMERGE_NS, R2_0, "fpnegabs %f1=%f3" },
};

/* How to write @u: the first alias that holds, else the text of its row. */
static const char *disasm_text_of(const struct mont_uop *u, unsigned int row)
{
	unsigned int holds = 0, i;

	holds |= u->r2 == 0 ? R2_0 : 0;
	holds |= u->r3 == 0 ? R3_0 : 0;
	holds |= u->r4 == 1 ? R4_1 : 0;
	holds |= u->imm == 0 ? IMM_0 : 0;
	holds |= u->r2 == u->r3 ? R2_IS_R3 : 0;
	holds |= (u->imm & 255) + (u->imm >> 8 & 255) == 64 ? TO_BIT_63 : 0;
	for (i = 0; i < MONT_ARRAY_SIZE(aliases); i++)
		if (aliases[i].op == mont_op(u) && !(aliases[i].when & ~holds))
			return aliases[i].text;
	return row_text[row];
}

int mont_disasm(char *buf, size_t len, u64 lo, u64 hi, unsigned int slot, u64 ip)
{
	struct text o = { buf, len, 0 };
	struct mont_uop u = {};
	struct insn in = { &u, mont_slot_bits(lo, hi, slot), ip };
	enum mont_unit unit = mont_slot_unit(lo & 31, slot);
	unsigned int row = MONT_NR_ROWS;

	if (unit < MONT_NR_UNITS && unit != MONT_UNIT_L)
		row = mont_row_find(unit, in.bits);
	if (row < MONT_NR_ROWS) {
		u.code = mont_rows[row].op;
		mont_row_operands(&u, row, in.bits, mont_slot_bits(lo, hi, 1));
		if (u.qp) {
			disasm_put(&o, u.qp < 10 ? "(p0" : "(p");
			disasm_put_number(&o, u.qp, 10, 1);
			disasm_put(&o, ") ");
		}
		disasm_put_insn(&o, &in, disasm_text_of(&u, row));
	} else if (unit != MONT_UNIT_L) {
		disasm_put(&o, "data8 0x");
		disasm_put_number(&o, in.bits, 16, 9);
	}
	if (len)
		buf[o.pos < len ? o.pos : len - 1] = 0;
	return o.pos;
}
