/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * The event table (manual chapter 4; events.def): what each encoding is
 * called, which counters may hold it, how it is filtered, and whether this
 * model counts it. Called by the units of the PMU that subscribe, and by hosts
 * that show events or choose counters.
 */
#ifndef MONT_PMU_EVENT_H
#define MONT_PMU_EVENT_H

#include "../base/types.h"
#include "../event/signal.h"

#define MONT_NR_EVENTS 637

/*
 * Codes of events that no counter of the processor has, behind all that PMC.es holds: cycles
 * charged to one leaf cause of the breakdown (pipeline/causes.def), in its order. Observers
 * count them.
 */
#define MONT_CODE_CAUSE 0x100
#define MONT_CODE_IP_EAR 0x1ff

/* Where an event's extra unit mask goes when it is not PMC.umask. */
enum mont_event_ear {
	MONT_EAR_NONE,
	MONT_EAR_DEAR_CACHE, /* PMC40, mode 00 */
	MONT_EAR_DEAR_TLB, /* PMC40, mode 01 */
	MONT_EAR_DEAR_ALAT, /* PMC40, mode 1x */
	MONT_EAR_IEAR_CACHE, /* PMC37, ct 1x */
	MONT_EAR_IEAR_TLB, /* PMC37, ct 00 */
	MONT_EAR_ETB, /* PMC39 */
};

/* Condition: the occurrences of its signals that an event counts. */
enum mont_event_cond {
	MONT_COND_ANY,
	MONT_COND_TAG1, /* with tag channel 1 in the place of channel 0 */
	MONT_COND_TAG2,
	MONT_COND_TAG3,
	MONT_COND_NOT_FP, /* DATA signals: not floating-point */
	MONT_COND_IPREL, /* BRANCH signals: by type */
	MONT_COND_RETURN,
	MONT_COND_NRETIND,
	MONT_COND_LVL0, /* CPL signals: leaves or enters this level */
	MONT_COND_LVL1,
	MONT_COND_LVL2,
	MONT_COND_LVL3,
	/* DATA signals, by mont_ref.kind */
	MONT_COND_FP,
	MONT_COND_UC,
	MONT_COND_MISALIGNED,
	MONT_COND_IS_LOAD,
	MONT_COND_IS_STORE,
	MONT_COND_FAILED,
	MONT_COND_FAILED_FP,
	MONT_COND_FAILED_NOT_FP,
	MONT_COND_NATTED_VHPT_MISS,
	MONT_COND_NATTED_TLB_MISS,
	MONT_COND_NATTED_TLB_FAULT,
	MONT_COND_NATTED_NAT,
	MONT_COND_NATTED_PSR_ED,
	MONT_COND_RSE,
	/* Several signals: see mont_event_signals() */
	MONT_COND_REFERENCE, /* goes into the memory pipeline */
	MONT_COND_L1D_READ, /* one that the L1D can serve */
	MONT_COND_DBR_MATCH, /* one whose address a pair of DBRs matches */
	MONT_COND_TRACED, /* PMC39 lets the trace buffer take it */
	MONT_COND_INSN_EAR, /* an instruction EAR set up as the row says captures it */
	MONT_COND_DATA_EAR, /* a data EAR set up as the row says captures it */
	MONT_COND_IP_EAR, /* the first of a cycle, which the IP-EAR captures */
	MONT_COND_TAKEN_SLOT_0, /* BRANCH signals: taken, in this slot */
	MONT_COND_TAKEN_SLOT_1,
	MONT_COND_TAKEN_SLOT_2,
	MONT_COND_NOT_TAKEN,
	MONT_COND_MULTIWAY, /* the last of several in a bundle that decides, by the unit mask */
	MONT_COND_MULTIWAY_PREDICTED, /* likewise, and by how the bundle was predicted */
	/* By cycle: the lower two bits of the sum of a cycle's values, and the bits above */
	MONT_COND_CYCLE_LOW,
	MONT_COND_CYCLE_HIGH,
	MONT_COND_STALLED_LONG, /* SWITCH_STALLED: 4 cycles or more, doubled by each unit mask */
	MONT_COND_MISPREDICTED, /* BRANCH signals: path or target */
	MONT_COND_LATENCY, /* a block compares the latency, where others ask for less */
	/* By t->sig_served */
	MONT_COND_FROM_L2D,
	MONT_COND_FROM_PENDING,
	MONT_COND_FROM_L3,
	MONT_COND_FROM_MEMORY,
	MONT_COND_REPLAYS, /* and ALAT checks that fail */
	MONT_COND_PROFILED, /* all that a profile of single instructions looks at */
	MONT_COND_UNIT, /* none: a unit of a block counts its captures by this row */
	/* CYCLE: loads that have no data yet, whose LOAD_SERVED a block keeps: low part, the rest */
	MONT_COND_UNDER_WAY_LOW,
	MONT_COND_UNDER_WAY_HIGH,
	/* Every occurrence of several signals */
	MONT_COND_SUM_FLUSH,
	MONT_COND_SUM_EXE,
	MONT_COND_SUM_GRALL,
	MONT_COND_SUM_FRALL,
	MONT_COND_SUM_ARCR_PR,
	MONT_COND_SUM_L1D_FPU_RSE,
	MONT_COND_SUM_CLOCK,
	MONT_COND_SUM_RQ,
	MONT_COND_SUM_WRITEQ,
	MONT_COND_SUM_SNOOPS, /* of instructions in flushes, and of the bus */
	MONT_COND_SUM_LOST, /* those of LOST_* that the umask names */
	MONT_COND_SUM_OVER,
	MONT_COND_SUM_CANCELLED, /* all of cancelled.def */
	MONT_COND_SUM_BUS, /* all that the bus carries */
	MONT_COND_SUM_RECIRC, /* branch recirculation, and that for a fill */
	MONT_COND_SUM_STALLED, /* of EXIT_LOST_*, and while the back end is stalled */
	MONT_COND_SUM_SCOREBOARD, /* an operand that no load brings */
	MONT_COND_SUM_DATA_ACCESS, /* the L1D's pipe, and waits for loads */
	MONT_COND_SUM_MEMORY, /* those, and the register stack engine's */
	MONT_COND_SUM_FLUSHED, /* of the back end and, by branches, of the front end */
	MONT_COND_SUM_UNSTALLED, /* something retires, or the front end waits for its caches */
	MONT_COND_SUM_DEPENDENCY, /* that of SUM_SCOREBOARD, and the rest of split groups */
	MONT_COND_SUM_L2, /* references of the L2D, and reads of the L2I */
	MONT_COND_SUM_L2_MISSES, /* primary misses of the L2D, and those of the L2I */
	MONT_COND_SUM_FETCHED, /* what retires, and what is killed */
	/* Of the signals from the row's own on: the next N, or N with one or two left out between */
	MONT_COND_SUM_NEXT2,
	MONT_COND_SUM_NEXT3,
	MONT_COND_SUM_NEXT4,
	MONT_COND_SUM_NEXT5,
	MONT_COND_SUM_NEXT6,
	MONT_COND_SUM_NEXT7,
	MONT_COND_SUM_NEXT8,
	MONT_COND_SUM_NEXT9,
	MONT_COND_SUM_NEXT10,
	MONT_COND_SUM_NEXT11,
	MONT_COND_SUM_NEXT12,
	MONT_COND_SUM_OTHER2,
	MONT_COND_SUM_OTHER3,
	MONT_COND_SUM_OTHER4,
	MONT_COND_SUM_OTHER5,
	MONT_COND_SUM_THIRD2,
	MONT_COND_SUM_THIRD3,
};

/* The most signals that one event counts. */
#define MONT_EVENT_SIGNALS 20

/* Why an event is not counted (refusals.def). */
enum mont_event_refusal {
	MONT_REFUSE_NONE,
#define MONT_REFUSAL(id, text) MONT_REFUSE_##id,
#include "refusals.def"
#undef MONT_REFUSAL
	MONT_NR_REFUSALS,
};

/* Why an event counts nothing, whatever happens (zeros.def). */
enum mont_event_zero {
	MONT_ZERO_NOT,
#define MONT_ZERO(id, text) MONT_ZERO_##id,
#include "zeros.def"
#undef MONT_ZERO
	MONT_NR_ZEROS,
};

/* Features of a machine that some events need. */
#define MONT_HAS_TIME 0x1
#define MONT_HAS_CASTOUTS 0x2 /* bus.castouts is 1 */
#define MONT_HAS_CORES 0x4 /* two cores share the bus */

enum mont_event_basis {
	MONT_BASIS_SOURCED, /* the definition restates a source */
	MONT_BASIS_EXPANDED, /* from its title, with detail that none confirms */
	MONT_BASIS_INFERRED, /* from its name */
};

enum mont_event_all {
	MONT_ALL_SILENT, /* the manual does not say */
	MONT_ALL_Y,
	MONT_ALL_N,
	MONT_ALL_DEPENDS, /* on the umask, without saying which */
};

/* mont_event.filters */
#define MONT_EVF_IAR 0x1
#define MONT_EVF_OPC 0x2
#define MONT_EVF_DAR 0x4
#define MONT_EVF_MESI 0x8

/* mont_event.set: group in bits 7:4, set in 3:0 */
#define MONT_SET_ANY 0x00
#define MONT_SET_L1D 0x10
#define MONT_SET_L2D 0x20
#define MONT_SET_GROUP 0xf0

/**
 * struct mont_event - one row of the event table
 * @name: NAME or NAME.UMASK; the base is what stands before the first dot
 * @counters: bit n set: PMCn may select it
 * @code: PMC.es, MONT_CODE_CAUSE and up, or MONT_CODE_IP_EAR
 * @umask: PMC.umask
 * @ear: enum mont_event_ear
 * @ear_umask: unit mask for the register @ear names
 * @max_inc: largest value in one cycle
 * @needs_time: only the timing model can count it
 * @castouts: and only if clean lines are cast out
 * @cores: and only if there is another core
 * @zero: enum mont_event_zero; but for MONT_ZERO_NOT its count is 0
 * @set: MONT_SET_*
 * @filters: MONT_EVF_* it can be qualified with
 * @all: enum mont_event_all, support of PMC.all
 * @thread: 'A'ctive, 'F'loating, 'C'ausal or 'S'elf-floating
 * @basis: enum mont_event_basis
 * @refusal: enum mont_event_refusal; MONT_REFUSE_NONE: counted
 * @cond: enum mont_event_cond, when counted
 * @signal: signal it counts, or the first of several, when counted
 */
struct mont_event {
	const char *name;
	u16 counters;
	u16 code;
	u8 umask;
	u8 ear;
	u8 ear_umask;
	u8 max_inc;
	bool needs_time;
	bool castouts;
	bool cores;
	u8 zero;
	u8 set;
	u8 filters;
	u8 all;
	char thread;
	u8 basis;
	u8 refusal;
	u8 cond;
	u16 signal;
};

/* Row @index, 0..MONT_NR_EVENTS - 1; NULL behind the end. */
const struct mont_event *mont_event_at(unsigned int index);

/* The event of leaf cause @index of the cycle, from 0 on; NULL behind the last. */
const struct mont_event *mont_event_of_cause(unsigned int index);

/* Events that no PMC selects: those of the causes, then that of the IP-EAR; NULL behind it. */
const struct mont_event *mont_event_beside(unsigned int index);

/*
 * The event that es @code and @umask select in PMC4-15, or one beside those, or NULL. Where several
 * names share an encoding, the first one that needs no EAR setting.
 */
const struct mont_event *mont_event_lookup(unsigned int code, unsigned int umask);

/* The row with this setting of an EAR, enum mont_event_ear and its unit mask, or NULL. */
const struct mont_event *mont_event_of_ear(unsigned int code, unsigned int umask, unsigned int ear,
					   unsigned int ear_umask);

/* MONT_SET_* of the events with this code; MONT_SET_ANY also if there are none. */
unsigned int mont_event_code_set(unsigned int code);

/**
 * mont_event_resolve() - find an event by the name a person gives
 * @name: not necessarily terminated; upper or lower case
 * @len: its length
 * @many: set when several rows would do and none is preferred; NULL to ignore
 *
 * An exact row; else NAME.ALL, NAME.ALL.ALL, NAME.ALL.ALL_PRED; else the only
 * row of that base. Return: the row or NULL.
 */
const struct mont_event *mont_event_resolve(const char *name, size_t len, bool *many);

/*
 * Why a machine that has @has (MONT_HAS_*) does not count it: "not counted yet: needs ...",
 * "needs the timing model"; NULL if it does.
 */
const char *mont_event_refusal(const struct mont_event *e, u32 has);

/* Why its count is 0, whatever happens; NULL: it need not be. */
const char *mont_event_zero(const struct mont_event *e);

/* True if @e counts every occurrence of its signals. */
static inline bool mont_event_takes_all(const struct mont_event *e)
{
	return e->cond == MONT_COND_ANY || e->cond >= MONT_COND_SUM_FLUSH;
}

static inline bool mont_event_counted(const struct mont_event *e)
{
	return e->refusal == MONT_REFUSE_NONE;
}

/* The signals @e counts, in @sig. Return: how many. */
unsigned int mont_event_signals(const struct mont_event *e, u16 sig[MONT_EVENT_SIGNALS]);

/*
 * True if what @e counts is the package's: of both cores, or of the bus that they share. Each core's
 * threads that are in front count all of it, so that the cores' counts are of the same occurrences.
 */
bool mont_event_of_package(const struct mont_event *e);

/* "sourced", "expanded" or "inferred". */
const char *mont_event_basis(const struct mont_event *e);

/* The PMDs of the EAR or the trace buffer that an observer of @e has: bit n for PMDn. */
u64 mont_event_pmds(const struct mont_event *e);

#endif
