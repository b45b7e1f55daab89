/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * montctl trace: what the pipeline did, cycle by cycle, and the formats that show it. Called by
 * trace.c, by the formats (trace_text.c, trace_export.c) and by complete.c.
 */
#ifndef MONTCTL_TRACE_H
#define MONTCTL_TRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "libmontecito.h"

#define TRACE_STALLS 64
#define TRACE_REFS 128

/**
 * struct trace_stall - cycles in which a group waited for one cause
 * @from: the first one
 * @until: the first behind
 * @cause: number in MONTECITO_CYCLES
 * @operand: register waited for, as in MONTECITO_TRACE_STALL
 */
struct trace_stall {
	uint64_t from;
	uint64_t until;
	uint32_t cause;
	uint64_t operand;
};

/**
 * struct trace_ref - a data reference of a group
 * @at: bundle address plus slot of the instruction
 * @cycle: in which it entered the memory pipeline
 * @address: what it refers to
 * @latency: cycles until a load has its data
 * @what: as in MONTECITO_TRACE_REFERENCE
 */
struct trace_ref {
	uint64_t at;
	uint64_t cycle;
	uint64_t address;
	uint64_t latency;
	uint32_t what;
};

/**
 * struct trace_group - an issue group, when it has ended
 * @ip: its first bundle
 * @slot: its first slot
 * @since: the first cycle in which it could have issued
 * @issue: the cycle in which it did
 * @insns: instructions of it that retired
 * @fetched: the front end fetched its first bundle since the last group had it
 * @asked: cycle in which it asked for that
 * @ready: cycle in which it was there
 * @stall: waits before @issue
 * @nr_stalls: how many
 * @ref: data references
 * @nr_refs: how many
 */
struct trace_group {
	uint64_t ip;
	uint32_t slot;
	uint64_t since;
	uint64_t issue;
	uint64_t insns;
	bool fetched;
	uint64_t asked;
	uint64_t ready;
	struct trace_stall stall[TRACE_STALLS];
	uint32_t nr_stalls;
	struct trace_ref ref[TRACE_REFS];
	uint32_t nr_refs;
};

/**
 * struct trace_insn - one instruction of a group
 * @ip: its bundle
 * @slot: its slot
 * @text: as an assembler would write it, with ";;" if a stop follows
 */
struct trace_insn {
	uint64_t ip;
	unsigned int slot;
	char text[160];
};

struct trace;

/**
 * struct trace_format - a way to show a trace
 * @name: as --format has it
 * @kinds: those that it shows
 * @chosen: -e chooses among them
 * @begin: called before the first event, or NULL
 * @event: called with each event in the window, or NULL
 * @group: called with each group in the window, or NULL
 * @end: called behind the last one, or NULL
 */
struct trace_format {
	const char *name;
	uint32_t kinds;
	bool chosen;
	void (*begin)(struct trace *t);
	void (*event)(struct trace *t, const struct montecito_record_trace *e);
	int (*group)(struct trace *t, const struct trace_group *g);
	int (*end)(struct trace *t);
};

extern const struct trace_format trace_timeline, trace_list, trace_konata, trace_o3, trace_chrome;

/* The kinds that tell of groups. */
#define TRACE_GROUPS                                                                               \
	(1U << MONTECITO_TRACE_FETCH | 1U << MONTECITO_TRACE_STALL | 1U << MONTECITO_TRACE_ISSUE | \
	 1U << MONTECITO_TRACE_REFERENCE | 1U << MONTECITO_TRACE_RETIRE)
#define TRACE_ALL ((1U << MONTECITO_NR_TRACE) - 1)

/**
 * struct trace - a trace on its way into a file
 * @f: the file
 * @format: how it is shown
 * @process: the program
 * @symbols: its functions, or NULL
 * @cause: the model's causes
 * @nr_causes: how many
 * @state: of the format
 */
struct trace {
	FILE *f;
	const struct trace_format *format;
	struct montecito_process *process;
	struct montecito_symbols *symbols;
	struct montecito_cause *cause;
	uint32_t nr_causes;
	void *state;
};

/* Name of kind @kind. */
const char *trace_kind(uint32_t kind);
/* Name of the level that serves a reference. */
const char *trace_level(uint32_t what);
/* The cause, or one without a name. */
const struct montecito_cause *trace_cause(const struct trace *t, uint32_t cause);
/* Register that is waited for, as "r14", in @buf; "" for none. */
const char *trace_operand(uint64_t operand, char *buf, size_t len);
/* "main+0x10", or the address. */
const char *trace_place(const struct trace *t, uint64_t ip, char *buf, size_t len);
/* First instruction of @g. */
void trace_first(const struct trace *t, const struct trace_group *g, struct trace_insn *insn);
/*
 * The instruction behind @insn, of which @left retired with @insn among them: how many are
 * left; 0 behind the last.
 */
uint64_t trace_next(const struct trace *t, struct trace_insn *insn, uint64_t left);

#endif
