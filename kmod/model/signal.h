/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Signals: things that happen in the model (manual chapter 4 names what can
 * be counted of them).
 *
 * The model raises a signal and knows nothing of who listens. Each thread has
 * a countdown per signal; raising one decrements it and tests for the end. A
 * signal nobody listens to has a countdown that never ends. One that is only
 * counted, without filters, has a countdown to its next overflow: what
 * happened meanwhile is read off the countdown when somebody looks. One whose
 * listeners must see every occurrence has a countdown of 1.
 */
#ifndef MONT_SIGNAL_H
#define MONT_SIGNAL_H

#include "types.h"

enum mont_signal {
#define MONT_SIGNAL(name, attr, meaning) MONT_SIG_##name,
#include "signal.def"
#undef MONT_SIGNAL
	MONT_NR_SIGNALS,
};

/* What the 64-bit attribute of a signal holds. */
enum mont_signal_attr {
	MONT_ATTR_NONE,
	/* bit n set: slot n of the current bundle retired in this occurrence */
	MONT_ATTR_SLOTS,
	/* virtual address of the access; t->sig_data tells the rest */
	MONT_ATTR_DATA,
	/* bits 1:0 MONT_BR_*, bit 2 taken */
	MONT_ATTR_BRANCH,
	/* bits 1:0 level left, bits 3:2 level entered */
	MONT_ATTR_CPL,
	/* zero; t->sig_data tells what it was */
	MONT_ATTR_KIND,
};

/* Branch types as BR_MISPRED_DETAIL's umask bits 3:2 number them. */
#define MONT_BR_IPREL 1
#define MONT_BR_RETURN 2
#define MONT_BR_NRETIND 3
#define MONT_BR_TAKEN 4

/* What t->sig_data tells of DATA and KIND signals; 0 but while one is raised. */
#define MONT_DATA_RSE 0x01 /* by the register stack engine */
#define MONT_DATA_FP 0x02 /* of floating-point registers */
#define MONT_DATA_UC 0x04
#define MONT_DATA_MISALIGNED 0x08
#define MONT_DATA_STORE 0x10 /* RSE_REFERENCE: not a load */
#define MONT_DATA_FAILED 0x20 /* ALAT_CHECK: there is no entry */
#define MONT_DATA_SEMAPHORE 0x40
#define MONT_DATA_CHECK 0x80 /* ALAT_CHECK: by chk.a, which refers to no data */
#define MONT_DATA_DEFERRED 0x1000 /* LOAD_RETIRED: it gave NaT */
#define MONT_DATA_NOT_SENT 0x2000 /* LOAD_RETIRED: and made no reference for it */
/* SPEC_NATTED: why, in the numbers of SPEC_LOADS_NATTED's unit masks. */
#define MONT_DATA_WHY_SHIFT 8
#define MONT_DATA_WHY (7 << MONT_DATA_WHY_SHIFT)
#define MONT_NATTED_VHPT_MISS 1
#define MONT_NATTED_TLB_MISS 2
#define MONT_NATTED_TLB_FAULT 3
#define MONT_NATTED_NAT 4
#define MONT_NATTED_PSR_ED 5

#define MONT_SIG_NEVER ((s64)(1ULL << 62))

/**
 * struct mont_countdown - occurrences of one signal until somebody must look
 * @left: occurrences still to come
 * @start: what @left was set to; start - left have happened since
 */
struct mont_countdown {
	s64 left;
	s64 start;
};

#endif
