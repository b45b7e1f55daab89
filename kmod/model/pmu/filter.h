/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Filters of observers. Called by hosts, which check one before they attach an observer, and by
 * observer.c, observer_watch.c and tags.c.
 */
#ifndef MONT_PMU_FILTER_H
#define MONT_PMU_FILTER_H

#include "event.h"

struct mont_thread;
struct mont_occurrence;
struct mont_qualifier;

/* mont_filter.flags */
#define MONT_FILTER_IAR 0x1 /* iar_lo <= bundle address < iar_hi */
#define MONT_FILTER_DAR 0x2 /* dar_lo <= data address < dar_hi */
#define MONT_FILTER_OPC 0x4 /* opcode match */
#define MONT_FILTER_ETB 0x8 /* a setting of the trace buffer */

#define MONT_MATCHES 8

/**
 * struct mont_opcode - a match of an instruction's encoding
 * @match: 41-bit pattern
 * @mask: 1 bits are "don't care", as in PMC32
 * @mifb: unit types: bit 3 M, bit 2 I, bit 1 F, bit 0 B
 */
struct mont_opcode {
	u64 match;
	u64 mask;
	u8 mifb;
};

/**
 * struct mont_filter - what an observer counts
 * @code: event code, PMC.es
 * @umask: PMC.umask, 0..15
 * @plm: privilege levels, bit n for level n; 0 is refused
 * @threshold: 0..7, as PMC.threshold
 * @flags: MONT_FILTER_*
 * @nr_opc: with OPC, entries of @opc, of which an instruction passes any; else 0
 * @ear: enum mont_event_ear, of a row that goes by an EAR of its own; else 0
 * @ear_umask: the unit mask of that EAR
 * @iar_lo: first address of the instruction range
 * @iar_hi: first address behind it
 * @dar_lo: first address of the data range
 * @dar_hi: first address behind it
 * @opc: opcodes
 * @etb: with MONT_FILTER_ETB what PMC39 would be, MONT_ETB_SETTING; else 0
 */
struct mont_filter {
	u16 code;
	u8 umask;
	u8 plm;
	u8 threshold;
	u8 flags;
	u8 nr_opc;
	u8 ear;
	u8 ear_umask;
	u64 iar_lo;
	u64 iar_hi;
	u64 dar_lo;
	u64 dar_hi;
	struct mont_opcode opc[MONT_MATCHES];
	u64 etb;
};

/**
 * mont_filter_check() - what mont_observer_attach() would say of a filter
 * @f: filter
 * @has: on a thread that has this, MONT_HAS_*
 * @why: set to the rule that refuses it, a constant string
 *
 * Return: as mont_observer_attach(), of which it refuses no more.
 */
int mont_filter_check(const struct mont_filter *f, u32 has, const char **why);

/**
 * mont_filter_pmds() - the PMDs that samples of an observer with a filter can have
 * @f: filter
 *
 * Return: bit n for PMDn: those of the EAR, or of the trace buffer, that it has.
 */
u64 mont_filter_pmds(const struct mont_filter *f);

/* The row that @f names, or NULL. */
const struct mont_event *mont_filter_event(const struct mont_filter *f);

/* True if @sig is a cycle in which a group waits: a filter goes by the instruction that waits. */
bool mont_filter_by_waiter(enum mont_signal sig);

/* How many of the occurrences of @o pass @f. */
u64 mont_filter_count(const struct mont_filter *f, const struct mont_occurrence *o);

/* PMC39 of the trace buffer of an observer with @f. */
u64 mont_filter_trace(const struct mont_filter *f);

/* True if @a and @b, which can be NULL, have the same opcodes. */
bool mont_filter_same_opcodes(const struct mont_filter *a, const struct mont_filter *b);

/* True if the instruction in @slot of t->cur, at IP, passes @q, a filter. */
bool mont_filter_passes(struct mont_thread *t, const struct mont_qualifier *q, unsigned int slot);

#endif
