/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * How a thread has spent its cycles (Documentation/model.rst, T10). Called by hosts: a part of
 * mont.h, which includes it.
 */
#ifndef MONT_PIPELINE_CYCLES_H
#define MONT_PIPELINE_CYCLES_H

#include "../base/types.h"

struct mont_thread;

/* The parts of the cycle breakdown. Values are those of the uapi. */
enum mont_bar {
	MONT_BAR_UNSTALLED, /* something retires */
	MONT_BAR_BRANCH, /* flushes by mispredicted branches */
	MONT_BAR_DATA, /* the L1D's pipe, and waits for what is loaded */
	MONT_BAR_EXECUTION, /* waits for results of the FPU and of other instructions */
	MONT_BAR_RSE, /* the register stack engine */
	MONT_BAR_FRONT_END, /* no instructions to issue */
	MONT_BAR_INTERRUPTION, /* flushes by exceptions, interruptions and serialization */
	MONT_BAR_SWITCHING, /* switches from one thread of a core to the other */
	MONT_NR_BARS,
};

/**
 * struct mont_cause_info - why no group issues in a cycle: a row of causes.def
 * @name: less than 32 characters
 * @text: less than 96
 * @bar: enum mont_bar
 */
struct mont_cause_info {
	const char *name;
	const char *text;
	u32 bar;
};

/* More than there are. */
#define MONT_MAX_CAUSES 32

/* Cause @index, or NULL behind the last one. */
const struct mont_cause_info *mont_cause_info(u32 index);
/* Cycles of @t since reset in which cause @index kept its groups from issuing. */
u64 mont_cause_cycles(const struct mont_thread *t, u32 index);

/**
 * struct mont_cycles - a thread's cycles since reset
 * @cycles: all of them: @halted, @functional, @unstalled and those of the causes
 * @halted: while it was halted
 * @functional: without the timing model: nothing is known of them
 * @unstalled: with it, those in which an instruction retired
 */
struct mont_cycles {
	u64 cycles;
	u64 halted;
	u64 functional;
	u64 unstalled;
};

void mont_cycles(const struct mont_thread *t, struct mont_cycles *c);

#endif
