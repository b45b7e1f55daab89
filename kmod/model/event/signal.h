/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * Signals: things that happen in the model (manual chapter 4 names what can
 * be counted of them). Included by the units that raise signals and by the
 * subscribers (pmu/).
 *
 * The model raises a signal and knows nothing of its subscribers. Each thread has
 * a countdown per signal, one for each tag set (pmu/tags.h); raising one decrements
 * it and tests for the end. A signal without a subscriber has a countdown that never
 * ends. One that is only counted, without filters, has a countdown to its next
 * overflow: a read of the counter takes the occurrences since from the countdown. One
 * whose subscribers must see every occurrence has a countdown of 1.
 */
#ifndef MONT_EVENT_SIGNAL_H
#define MONT_EVENT_SIGNAL_H

#include "../base/types.h"

enum mont_signal {
#define MONT_SIGNAL(name, attr, meaning) MONT_SIG_##name,
/* A range's first signal, and the one behind its last, take no number of their own. */
#define MONT_SIGNALS(range) \
	MONT_SIG_##range##_FIRST, MONT_SIG_##range##_ANEW = MONT_SIG_##range##_FIRST - 1,
#define MONT_SIGNALS_END(range) \
	MONT_SIG_##range##_END, MONT_SIG_##range##_GOES_ON = MONT_SIG_##range##_END - 1,
#include "signal.def"
#undef MONT_SIGNAL
	MONT_NR_SIGNALS,
};

/* Number of signals in @range of signal.def. */
#define MONT_NR_SIGNALS_OF(range) (MONT_SIG_##range##_END - MONT_SIG_##range##_FIRST)

/* True if @sig is in @range of signal.def. */
#define MONT_SIGNAL_IN(sig, range) \
	((u32)(sig) - (u32)MONT_SIG_##range##_FIRST < (u32)MONT_NR_SIGNALS_OF(range))

/* Kinds of a signal's 64-bit attribute. */
enum mont_signal_attr {
	MONT_ATTR_NONE,
	/* bit n set: slot n of the current bundle retired in this occurrence */
	MONT_ATTR_SLOTS,
	/* a struct mont_ref goes with it; a line's state, a latency, a level of TLB, or nothing */
	MONT_ATTR_DATA,
	/* nothing: a struct mont_branch goes with it */
	MONT_ATTR_BRANCH,
	/* bits 1:0 level left, bits 3:2 level entered */
	MONT_ATTR_CPL,
	/*
	 * address of the bundle or the pair of bundles that is fetched; or a latency or a
	 * level of TLB, and the address is that of a struct mont_ref
	 */
	MONT_ATTR_FETCH,
	/* cycles that the value is spread over evenly */
	MONT_ATTR_SPAN,
	/* nothing: it is the doing of the instruction in t->sig_slot */
	MONT_ATTR_INSN,
};

/* Branch types as BR_MISPRED_DETAIL's umask bits 3:2 number them. */
#define MONT_BR_IPREL 1
#define MONT_BR_RETURN 2
#define MONT_BR_NRETIND 3

/* Kind and result of a reference: mont_ref.kind. */
#define MONT_DATA_RSE 0x01 /* by the register stack engine */
#define MONT_DATA_FP 0x02 /* of floating-point registers */
#define MONT_DATA_UC 0x04
#define MONT_DATA_MISALIGNED 0x08
#define MONT_DATA_STORE 0x10 /* RSE_REFERENCE: not a load */
#define MONT_DATA_FAILED 0x20 /* ALAT_CHECK: there is no entry */
#define MONT_DATA_SEMAPHORE 0x40
#define MONT_DATA_CHECK 0x80 /* ALAT_CHECK: by chk.a, which refers to no data */
#define MONT_DATA_DEFERRED 0x1000 /* LOAD_RETIRED: it gave NaT */
#define MONT_DATA_FILL 0x4000 /* of st8.spill or ld8.fill: a bit of AR.UNAT goes with it */
#define MONT_DATA_WC 0x8000 /* write coalescing, in addition to MONT_DATA_UC */
#define MONT_DATA_PORT 0x20000 /* of the I/O port space, in addition to MONT_DATA_UC */
#define MONT_DATA_FRAME 0x40000 /* by the register stack engine, of a frame that lacks registers */
#define MONT_DATA_RAB 0x10000 /* FETCH_SERVED: the line had been requested */
#define MONT_DATA_NOT_SENT 0x2000 /* LOAD_RETIRED: and made no reference for it */
/* SPEC_NATTED: why, in the numbers of SPEC_LOADS_NATTED's unit masks. */
#define MONT_DATA_WHY_SHIFT 8
#define MONT_DATA_WHY (7 << MONT_DATA_WHY_SHIFT)
#define MONT_NATTED_VHPT_MISS 1
#define MONT_NATTED_TLB_MISS 2
#define MONT_NATTED_TLB_FAULT 3
#define MONT_NATTED_NAT 4
#define MONT_NATTED_PSR_ED 5

/* DTLB_SERVED, and ITLB_SERVED: what with, in the numbers of PMD33.stat and PMD34.stat. */
#define MONT_DTLB_L2 1
#define MONT_DTLB_VHPT 2
#define MONT_DTLB_FAULT 3

/* LOAD_SERVED and LOAD_LATE: where the data are from, t->sig_served. */
enum mont_served {
	MONT_SERVED_L2D, /* also of a line of the L1D whose translation its TLB lacks (2.4.3.1.2) */
	MONT_SERVED_PENDING, /* a line that had been missed already */
	MONT_SERVED_L3,
	MONT_SERVED_MEMORY, /* a line that others have as well */
	MONT_SERVED_MEMORY_OWN,
	MONT_SERVED_UNCACHED,
	MONT_SERVED_PORT, /* the I/O port space */
};

/* mont_ref.pa of a reference that has not been translated */
#define MONT_PA_NONE (~0ULL)

/**
 * struct mont_ref - a data reference
 * @va: virtual address; 0 for chk, which names a register and no address
 * @pa: physical address, or MONT_PA_NONE
 * @size: bytes; 0 for chk
 * @kind: MONT_DATA_*
 */
struct mont_ref {
	u64 va;
	u64 pa;
	u32 size;
	u32 kind;
};

/* Errors of a branch's prediction: mont_branch.outcome. */
#define MONT_BRANCH_WRONG_PATH 1
#define MONT_BRANCH_WRONG_TARGET 2
#define MONT_BRANCH_BACK_END 4
#define MONT_BRANCH_MISPREDICTED 7

/**
 * struct mont_branch - a branch
 * @source: address of its bundle
 * @target: where it goes, or would go
 * @slot: its slot
 * @type: MONT_BR_*
 * @taken: it went there
 * @outcome: MONT_BRANCH_*; 0 without time
 * @wrong: that of the branches of its bundle up to this one
 * @branches: slots of its bundle with a branch, bit n for slot n
 */
struct mont_branch {
	u64 source;
	u64 target;
	u8 slot;
	u8 type;
	bool taken;
	u8 outcome;
	u8 wrong;
	u8 branches;
};

struct mont_thread;

/**
 * struct mont_occurrence - a signal that was raised, as its subscribers see it
 * @owner: the thread that raised it
 * @time: cycle in which a counter adds it: the clock's cycles that have passed with the present one
 * @at: cycle in which it happens, in the same unit; thresholds go by it
 * @n: its value: how many, in that cycle
 * @attr: of SLOTS, CPL, FETCH and SPAN signals: enum mont_signal_attr; of DATA
 *	signals of reply.def the state of the line it has met, of LOAD_SERVED and LOAD_LATE the
 *	latency, of DTLB_SERVED MONT_DTLB_*
 * @line: of signals of transactions.def, the number of a line whose issue may be put off
 *	(struct mont_put_off); 0: it may not
 * @ref: of DATA signals and those of FETCH that say so, else NULL
 * @branch: of BRANCH signals, else NULL
 * @sig: the signal
 */
struct mont_occurrence {
	struct mont_thread *owner;
	u64 time;
	u64 at;
	u64 n;
	u64 attr;
	u64 line;
	const struct mont_ref *ref;
	const struct mont_branch *branch;
	enum mont_signal sig;
};

/* How many of three slots are in @slots, bit n for slot n. */
static inline u32 mont_nr_slots(u32 slots)
{
	return (slots & 1) + (slots >> 1 & 1) + (slots >> 2 & 1);
}

#define MONT_SIG_NEVER ((s64)(1ULL << 62))

/**
 * struct mont_countdown - occurrences of one signal before a subscriber must look
 * @left: occurrences that none has to see: with the one behind them it goes below 0, which
 *	a processor tells without a comparison
 * @start: what @left was set to; start - left have happened since
 */
struct mont_countdown {
	s64 left;
	s64 start;
};

/* The kind of the attribute that an occurrence of @sig carries: column 2 of signal.def. */
enum mont_signal_attr mont_signal_kind(enum mont_signal sig);

/* True if @sig, which needs time, has an instruction that a range can be compared with. */
bool mont_signal_ranged(enum mont_signal sig);

#endif
