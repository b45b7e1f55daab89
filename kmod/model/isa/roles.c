// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operands as the pipeline sees them (manual 2.3.1 and 2.3.2).
 *
 * Source and destination registers follow from the assembler syntax: operands left
 * of the equals sign are results, an address in brackets is a source. The table below
 * adds implicit operands.
 */
#include "roles.h"
#include "insns.h"
#include "decode.h"
#include "disasm.h"

/* Ports and latency classes by format (pipeline.def). */
static const struct {
	u8 ports;
	u8 producer;
	u8 consumer;
} formats[MONT_NR_FMTS] = {
#define PIPE(format, ports, producer, consumer)                               \
	[MONT_FMT_##format] = { MONT_PORTS_##ports, MONT_PRODUCER_##producer, \
				MONT_CONSUMER_##consumer },
#define PIPE_OP(...)
#include "pipeline.def"
#undef PIPE
#undef PIPE_OP
};

/* Ports of operations that differ from their format; of others 0. */
static const u8 op_ports[MONT_NR_OPS] = {
#define PIPE(...)
#define PIPE_OP(op, ports) [MONT_OP_##op] = MONT_PORTS_##ports,
#include "pipeline.def"
#undef PIPE
#undef PIPE_OP
};

#define AR_RSC 16
#define AR_BSP 17
#define AR_BSPSTORE 18
#define AR_RNAT 19
#define AR_CSD 25
#define AR_CCV 32
#define AR_UNAT 36
#define AR_FPSR 40
#define AR_ITC 44
#define AR_RUC 45
#define AR_PFS 64
#define AR_LC 65
#define AR_EC 66
#define AR_OTHER 127 /* reserved: nothing moves from or to it */

/* Application registers that an instruction uses without their being written. */
static const struct {
	u16 op;
	u8 ar;
	bool read;
	bool write;
} implied[] = {
	{ MONT_OP_BR_CLOOP, AR_LC, true, true },
	{ MONT_OP_BR_CTOP, AR_LC, true, true },
	{ MONT_OP_BR_CTOP, AR_EC, true, true },
	{ MONT_OP_BR_CEXIT, AR_LC, true, true },
	{ MONT_OP_BR_CEXIT, AR_EC, true, true },
	{ MONT_OP_BR_WTOP, AR_EC, true, true },
	{ MONT_OP_BR_WEXIT, AR_EC, true, true },
	{ MONT_OP_BR_RET, AR_PFS, true, false },
	{ MONT_OP_BR_CALL, AR_PFS, false, true },
	{ MONT_OP_BR_CALL_IND, AR_PFS, false, true },
	{ MONT_OP_BRL_CALL, AR_PFS, false, true },
	{ MONT_OP_LD8_FILL, AR_UNAT, true, false },
	{ MONT_OP_LD8_FILL_R, AR_UNAT, true, false },
	{ MONT_OP_LD8_FILL_I, AR_UNAT, true, false },
	{ MONT_OP_ST8_SPILL, AR_UNAT, false, true },
	{ MONT_OP_ST8_SPILL_I, AR_UNAT, false, true },
	/* Volume 2, 6.5: what the engine does goes by RSC, BSPSTORE and RNAT. */
	{ MONT_OP_ALLOC, MONT_AR_ENGINE, true, false },
	{ MONT_OP_FLUSHRS, MONT_AR_ENGINE, true, false },
	{ MONT_OP_LOADRS, MONT_AR_ENGINE, true, false },
};

/* Where an instruction has the number of a register: the members of struct mont_uop. */
enum roles_field {
	ROLES_FIXED, /* nowhere: the operation has it */
	ROLES_R1,
	ROLES_R2,
	ROLES_R3,
	ROLES_R4,
	ROLES_QP,
};

/* The registers of which the architecture fixes the value. */
static bool roles_constant(u8 file, u8 nr)
{
	switch (file) {
	case MONT_FILE_GR:
	case MONT_FILE_PR:
		return nr == 0;
	case MONT_FILE_FR:
		return nr <= 1;
	default:
		return false;
	}
}

static void roles_part(struct mont_row_roles *o, u8 file, u8 field, u8 nr, u8 role, bool write)
{
	o->part[o->nr++] = (struct mont_row_role){
		.file = file, .field = field, .nr = nr, .role = role, .write = write
	};
}

static void roles_reads(struct mont_row_roles *o, u8 file, u8 field, u8 nr, u8 role)
{
	if (role != MONT_CONSUMER_NONE)
		roles_part(o, file, field, nr, role, false);
}

static void roles_writes(struct mont_row_roles *o, u8 file, u8 field, u8 nr, u8 role)
{
	roles_part(o, file, field, nr, role, true);
}

static bool roles_starts(const char *text, const char *with)
{
	while (*with)
		if (*text++ != *with++)
			return false;
	return true;
}

/* The file of a register named %<kind><digit>. */
static u8 roles_file_of(char kind)
{
	switch (kind) {
	case 'r':
		return MONT_FILE_GR;
	case 'f':
		return MONT_FILE_FR;
	case 'p':
		return MONT_FILE_PR;
	case 'b':
		return MONT_FILE_BR;
	case 'a':
		return MONT_FILE_AR;
	default:
		return MONT_FILE_CR;
	}
}

static u8 roles_field_of(char digit, u8 file)
{
	switch (digit) {
	case '1':
		return ROLES_R1;
	case '2':
		return file == MONT_FILE_PR ? ROLES_R4 : ROLES_R2;
	case '3':
		return ROLES_R3;
	default:
		return ROLES_R4;
	}
}

/* The number in @field of @u. */
static u8 roles_number_in(const struct mont_uop *u, u8 field)
{
	switch (field) {
	case ROLES_R1:
		return u->r1;
	case ROLES_R2:
		return u->r2;
	case ROLES_R3:
		return u->r3;
	case ROLES_R4:
		return u->r4;
	default:
		return u->qp;
	}
}

/* A result that is not of the instruction's own kind: frcpa's predicate. */
static u8 roles_producer_of(u8 producer, u8 file)
{
	return producer == MONT_PRODUCER_FMAC && file == MONT_FILE_PR ? MONT_PRODUCER_FRCPA
								      : producer;
}

/* Operands written in @text, of the form @fmt. */
static void roles_operands_in_text(struct mont_row_roles *o, const char *text, unsigned int fmt)
{
	u8 producer = formats[fmt].producer, consumer = formats[fmt].consumer;
	bool bracket = false, left = false, memory = false, updates;
	const char *c;
	u8 base = ROLES_FIXED;

	/* the semaphores' register behind the brackets is no increment */
	updates = fmt != MONT_FMT_M16 && fmt != MONT_FMT_M17;
	for (c = text; *c; c++)
		left |= *c == '=';
	for (c = text; *c && *c != ' '; c++)
		;
	for (; *c; c++) {
		u8 file, nr, field;

		if (*c == '=') {
			left = false;
		} else if (*c == '[') {
			bracket = true;
			/* an indirect register file has its name before it */
			memory = c[-1] == ' ' || c[-1] == '=';
		} else if (*c == ']') {
			bracket = false;
		} else if (roles_starts(c, "ar.")) {
			nr = roles_starts(c, "ar.pfs")	 ? AR_PFS
			     : roles_starts(c, "ar.csd") ? AR_CSD
							 : AR_CCV;
			if (left)
				roles_writes(o, MONT_FILE_AR, ROLES_FIXED, nr, producer);
			else
				roles_reads(o, MONT_FILE_AR, ROLES_FIXED, nr, consumer);
			c += 5;
		} else if (roles_starts(c, "=pr") || roles_starts(c, " pr")) {
			c += 2;
		}
		if (*c != '%')
			continue;
		if (c[2] < '1' || c[2] > '4') {
			/* an immediate behind the brackets of a reference is an increment */
			if (c[1] == 'i' && memory && !bracket && updates)
				roles_writes(o, MONT_FILE_GR, base, 0, MONT_PRODUCER_ADDER);
			c++;
			continue;
		}
		file = roles_file_of(c[1]);
		field = roles_field_of(c[2], file);
		if (bracket) {
			roles_reads(o, file, field, 0, memory ? MONT_CONSUMER_ADDRESS : consumer);
			base = field;
		} else if (left) {
			roles_writes(o, file, field, 0, roles_producer_of(producer, file));
		} else if (memory && updates && consumer != MONT_CONSUMER_STORE) {
			/* a register added to the base of a load or lfetch */
			roles_reads(o, file, field, 0, MONT_CONSUMER_ALU);
			roles_writes(o, MONT_FILE_GR, base, 0, MONT_PRODUCER_ADDER);
		} else {
			roles_reads(o, file, field, 0, consumer);
		}
		c += 2;
	}
}

/* Latencies of application and control registers (access.def). */
static const struct {
	u8 from;
	u8 to;
} ar_access[128] = {
#define ACCESS_AR(ar, from, to, source) [AR_##ar] = { from, to },
#define ACCESS_OP(...)
#include "../pipeline/access.def"
#undef ACCESS_AR
#undef ACCESS_OP
};

/* By operation; 0 of those that have no row. */
static const u8 op_access[MONT_NR_OPS] = {
#define ACCESS_AR(...)
#define ACCESS_OP(op, cycles, source) [MONT_OP_##op] = cycles,
#include "../pipeline/access.def"
#undef ACCESS_AR
#undef ACCESS_OP
};

/* Cycles of a move between register files; 1 of any other instruction. */
static u8 roles_access_cycles(u16 op, u8 ar)
{
	if (!ar_access[ar].from)
		ar = AR_OTHER;
	if (op == MONT_OP_MOV_FROM_AR)
		return ar_access[ar].from;
	if (op == MONT_OP_MOV_TO_AR || op == MONT_OP_MOV_TO_AR_IMM)
		return ar_access[ar].to;
	return op_access[op] ? op_access[op] : 1;
}

/* Work out what all instructions of @row have in common. */
static void roles_fill_row(struct mont_row_roles *o, unsigned int row)
{
	unsigned int fmt = mont_rows[row].fmt, i;
	u16 op = mont_rows[row].op;

	__builtin_memset(o, 0, sizeof(*o));
	o->ports = formats[fmt].ports;
	if (op_ports[op])
		o->ports = op_ports[op];
	if (fmt == MONT_FMT_B9 && op == MONT_OP_BREAK)
		o->ports = MONT_PORTS_B;
	roles_reads(o, MONT_FILE_PR, ROLES_QP, 0,
		    formats[fmt].consumer == MONT_CONSUMER_BRANCH ? MONT_CONSUMER_BRANCH
								  : MONT_CONSUMER_QP);
	roles_operands_in_text(o, mont_row_text(row), fmt);
	if (op == MONT_OP_MOV_FROM_PR)
		roles_reads(o, MONT_FILE_PR, ROLES_FIXED, MONT_PR_ALL, MONT_CONSUMER_QP);
	if (op == MONT_OP_MOV_TO_PR || op == MONT_OP_MOV_TO_PR_ROT)
		roles_writes(o, MONT_FILE_PR, ROLES_FIXED, MONT_PR_ALL, MONT_PRODUCER_TO_PR);
	for (i = 0; i < MONT_ARRAY_SIZE(implied); i++) {
		if (implied[i].op != op)
			continue;
		if (implied[i].read)
			roles_reads(o, MONT_FILE_AR, ROLES_FIXED, implied[i].ar,
				    implied[i].ar == MONT_AR_ENGINE ? MONT_CONSUMER_ALU
								    : formats[fmt].consumer);
		if (implied[i].write)
			roles_writes(o, MONT_FILE_AR, ROLES_FIXED, implied[i].ar,
				     MONT_PRODUCER_CALL);
	}
	o->filled = true;
}

/* The operands of @u, of the row that @row is of. */
static void roles_of_row(struct mont_roles *o, const struct mont_row_roles *row,
			 const struct mont_uop *u)
{
	unsigned int i;

	o->ports = row->ports;
	o->more = roles_access_cycles(mont_op(u), u->r3 & 127) - 1;
	for (i = 0; i < row->nr; i++) {
		const struct mont_row_role *p = &row->part[i];
		struct mont_operand operand = { p->file, p->nr, p->role };

		if (p->field)
			operand.nr = roles_number_in(u, p->field);
		if (roles_constant(operand.file, operand.nr))
			continue;
		if (p->write) {
			o->write[o->nr_writes++] = operand;
			continue;
		}
		o->read[o->nr_reads++] = operand;
		o->multimedia |= p->role == MONT_CONSUMER_MULTIMEDIA;
	}
}

void mont_roles(struct mont_roles *o, struct mont_row_roles *rows, unsigned int tmpl,
		unsigned int slot, u64 lo, u64 hi)
{
	u64 bits = mont_slot_bits(lo, hi, slot);
	enum mont_unit unit = mont_slot_unit(tmpl, slot);
	unsigned int row = unit < MONT_NR_UNITS ? mont_row_find(unit, bits) : MONT_NR_ROWS;
	struct mont_uop u = {};

	__builtin_memset(o, 0, sizeof(*o));
	if (unlikely(row == MONT_NR_ROWS)) {
		if (bits & 63)
			o->read[o->nr_reads++] =
				(struct mont_operand){ MONT_FILE_PR, bits & 63, MONT_CONSUMER_QP };
		return;
	}
	if (unlikely(!rows[row].filled))
		roles_fill_row(&rows[row], row);
	u.code = mont_rows[row].op;
	mont_row_registers(&u, row, bits);
	roles_of_row(o, &rows[row], &u);
}
