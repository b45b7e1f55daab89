/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * The operands of an instruction as the pipeline sees them: which registers it
 * reads and writes, how soon a result can be used, which ports it may take
 * (manual 2.3.1 and 2.3.2). Called by pipeline/group.c, which keeps the result
 * with the group.
 */
#ifndef MONT_ISA_ROLES_H
#define MONT_ISA_ROLES_H

#include "uop.h"
#include "../pipeline/disperse.h"

/* Register files that results wait in. */
enum mont_file {
	MONT_FILE_GR,
	MONT_FILE_FR,
	MONT_FILE_PR,
	MONT_FILE_BR,
	MONT_FILE_AR,
	MONT_FILE_CR,
	MONT_NR_FILES,
};

/* Consumers: the columns of table 2-8. */
enum mont_consumer {
	MONT_CONSUMER_QP,
	MONT_CONSUMER_BRANCH,
	MONT_CONSUMER_ALU,
	MONT_CONSUMER_ADDRESS,
	MONT_CONSUMER_MULTIMEDIA,
	MONT_CONSUMER_STORE,
	MONT_CONSUMER_FMAC,
	MONT_CONSUMER_FMISC,
	MONT_CONSUMER_GETF,
	MONT_CONSUMER_SETF,
	MONT_NR_CONSUMERS,
	/* names a register without reading it: chk.a, invala.e */
	MONT_CONSUMER_NONE = MONT_NR_CONSUMERS,
	/* writes a register, whose earlier result may still be on its way */
	MONT_CONSUMER_WRITE,
};

/* Producers: the rows of table 2-8. */
enum mont_producer {
	MONT_PRODUCER_NONE,
	MONT_PRODUCER_ADDER,
	MONT_PRODUCER_MULTIMEDIA,
	MONT_PRODUCER_PROBE, /* thash, ttag, tak, tpa, probe */
	MONT_PRODUCER_GETF,
	MONT_PRODUCER_SETF,
	MONT_PRODUCER_FMAC,
	MONT_PRODUCER_FMISC,
	MONT_PRODUCER_CMP, /* predicates of cmp, tbit, tnat */
	MONT_PRODUCER_FCMP, /* predicates of fcmp, fclass */
	MONT_PRODUCER_FRCPA, /* predicates of frcpa, frsqrta */
	MONT_PRODUCER_LOAD,
	MONT_PRODUCER_FP_LOAD,
	MONT_PRODUCER_IEU2, /* mov from b, alloc */
	MONT_PRODUCER_TO_AR,
	MONT_PRODUCER_FROM_AR,
	MONT_PRODUCER_TO_CR,
	MONT_PRODUCER_FROM_CR,
	MONT_PRODUCER_TO_PR,
	MONT_PRODUCER_TO_BR,
	MONT_PRODUCER_CALL, /* the return link and AR.PFS of a call */
	MONT_PRODUCER_INDIRECT, /* mov from rr, pkr, pmc, pmd, cpuid, ... */
	MONT_NR_PRODUCERS,
};

/**
 * struct mont_operand - one register of an instruction
 * @file: enum mont_file
 * @nr: its number as written, before renaming and rotation
 * @role: enum mont_consumer of one that is read, enum mont_producer of one
 *	that is written
 */
struct mont_operand {
	u8 file;
	u8 nr;
	u8 role;
};

/* Number of all predicates together, for mov from and to pr. */
#define MONT_PR_ALL 64

/* Of AR.RSC, BSPSTORE and RNAT, as the register stack engine goes by them: no other's number. */
#define MONT_AR_ENGINE 20

#define MONT_MAX_READS 6
#define MONT_MAX_WRITES 3

/**
 * struct mont_roles - all of them
 * @ports: enum mont_ports
 * @more: cycles that its results take longer than their row of table 2-8 says
 * @multimedia: it reads something as a multimedia operand
 * @nr_reads: entries of @read
 * @nr_writes: entries of @write
 * @read: the qualifying predicate first unless it is p0
 * @write: results
 *
 * r0, f0, f1 and p0 are left out, since no consumer waits for them, and so are
 * serialized resources.
 */
struct mont_roles {
	u8 ports;
	u8 more;
	bool multimedia;
	u8 nr_reads;
	u8 nr_writes;
	struct mont_operand read[MONT_MAX_READS];
	struct mont_operand write[MONT_MAX_WRITES];
};

/**
 * struct mont_row_role - a register of all instructions of a row of the encoding table
 * @file: enum mont_file
 * @field: where its number is in the instruction: enum roles_field of roles.c; 0: it is @nr
 * @nr: the number
 * @role: as in struct mont_operand
 * @write: it is written
 */
struct mont_row_role {
	u8 file;
	u8 field;
	u8 nr;
	u8 role;
	bool write;
};

/**
 * struct mont_row_roles - what instructions of a row of the encoding table have in common
 * @filled: it has been worked out
 * @ports: as in struct mont_roles
 * @nr: entries of @part
 * @part: in the order of struct mont_roles
 */
struct mont_row_roles {
	bool filled;
	u8 ports;
	u8 nr;
	struct mont_row_role part[MONT_MAX_READS + MONT_MAX_WRITES];
};

/**
 * mont_roles() - what the instruction in a slot reads, writes and needs
 * @o: filled
 * @rows: by enum mont_row; a row that has not been filled is, at its first instruction
 * @tmpl: template of its bundle
 * @slot: 0..2; of an MLX bundle not 1
 * @lo: bytes 0..7 of the bundle, little-endian
 * @hi: bytes 8..15
 *
 * A reserved encoding reads its predicate alone.
 */
void mont_roles(struct mont_roles *o, struct mont_row_roles *rows, unsigned int tmpl,
		unsigned int slot, u64 lo, u64 hi);

#endif
