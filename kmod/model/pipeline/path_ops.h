/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kinds of the ops of a path (memo.h). All is known of an instruction along a path but the values
 * that it computes, so that one switch over its kind says what to do (threaded code). Called by
 * path.c, which makes ops, and segment_again.h, which has a way for each kind.
 */
#ifndef MONT_PIPELINE_PATH_OPS_H
#define MONT_PIPELINE_PATH_OPS_H

#include "../isa/uop.h"

enum mont_path_kind {
	MONT_PATH_INSN, /* an instruction of no other kind */
	MONT_PATH_ON, /* the predicate was true: where it is again, of the kind of the operation */
	MONT_PATH_OFF, /* the predicate was false */
	MONT_PATH_MOVE, /* MONT_MOVE, without a predicate */
	MONT_PATH_BRANCH, /* MONT_BRANCH, and so on: mont_path_op.nr */
	MONT_PATH_PAST,
	MONT_PATH_FETCH,
	MONT_PATH_GUESS,
	MONT_PATH_GUARD,
	MONT_PATH_END,
#define MONT_PATH_OP(op, results) MONT_PATH_##op,
#define MONT_PATH_FP(op, results) MONT_PATH_##op,
#define MONT_PATH_LOAD(bytes) MONT_PATH_LD##bytes, MONT_PATH_LD##bytes##_I,
#define MONT_PATH_STORE(op, bytes) MONT_PATH_##op, MONT_PATH_##op##_I,
#define MONT_PATH_LOAD_FR(op, format) MONT_PATH_##op, MONT_PATH_##op##_I,
#define MONT_PATH_STORE_FR(op, format) MONT_PATH_##op, MONT_PATH_##op##_I,
#include "path_ops.def"
	MONT_NR_PATH_KINDS
};

/* By operation: the kind of an instruction that meets nothing, or of a plain reference */
extern const u8 mont_path_kind[MONT_NR_OPS];

/* Results of an instruction, by mont_path_op.nr */
enum mont_path_writes {
	MONT_WRITES_GR, /* a general register */
	MONT_WRITES_FR, /* MONT_ONE_FR */
	MONT_WRITES_LOAD, /* MONT_TWO_GR */
	MONT_WRITES_ANY, /* often MONT_TWO_PR */
};

/* Results of an instruction of @kind, if that is an operation of registers or a load. */
static __always_inline enum mont_path_writes mont_path_writes(enum mont_path_kind kind)
{
	switch (kind) {
#define MONT_PATH_OP(op, results) \
	case MONT_PATH_##op:      \
		return MONT_WRITES_##results;
#define MONT_PATH_FP(op, results) \
	case MONT_PATH_##op:      \
		return MONT_WRITES_##results;
#define MONT_PATH_LOAD(bytes)          \
	case MONT_PATH_LD##bytes:      \
		return MONT_WRITES_GR; \
	case MONT_PATH_LD##bytes##_I:  \
		return MONT_WRITES_LOAD;
#include "path_ops.def"
	default:
		return MONT_WRITES_ANY;
	}
}

#endif
