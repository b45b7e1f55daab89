/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * The encoding table as the decoder and the disassembler share it: numbers of
 * formats and rows. Included by decode.h, disasm.h and roles.c.
 */
#ifndef MONT_ISA_INSNS_H
#define MONT_ISA_INSNS_H

#include "uop.h"

/* Formats of SDM volume 3, chapter 4; 0 is none. */
enum mont_format {
	MONT_FMT_NONE,
#define FORMAT(name, unit, majors, operands, imm) MONT_FMT_##name,
#define INSN(op, format, text, ...)
#include "insns.def"
#undef FORMAT
#undef INSN
	MONT_NR_FMTS,
};

#define MONT_PASTE_(a, b) a##b
#define MONT_PASTE(a, b) MONT_PASTE_(a, b)

/* Row numbers: MONT_FIRST_<format> is the first row of a format. */
enum mont_row {
#define FORMAT(name, unit, majors, operands, imm) \
	MONT_FIRST_##name, MONT_BEFORE_##name = MONT_FIRST_##name - 1,
#define INSN(op, format, text, ...) MONT_PASTE(MONT_ROW_, __COUNTER__),
#include "insns.def"
#undef FORMAT
#undef INSN
	MONT_NR_ROWS,
};

/**
 * struct mont_row_enc - the encoding of one row
 * @mask: bits that are opcode or constant
 * @match: their value
 * @op: enum mont_op
 * @fmt: enum mont_format
 */
struct mont_row_enc {
	u64 mask;
	u64 match;
	u16 op;
	u8 fmt;
};

extern const struct mont_row_enc mont_rows[MONT_NR_ROWS];

#endif
