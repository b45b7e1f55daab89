/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * Bounded work. Everything the model does for a guest is counted in units of
 * about the cost of an instruction, and mont_run() returns when its budget of
 * units is used up, whatever the guest got done by then: a fault storm retires
 * nothing, a register stack operation is one instruction and a hundred words,
 * an observer is called for each of them.
 *
 * Work is part of no result: it changes neither state, nor counts, nor hashes.
 */
#ifndef MONT_WORK_H
#define MONT_WORK_H

#include "types.h"

/*
 * What things cost that no guest register counts. A bundle is charged as three
 * instructions whether or not they retire; host-speed copies of translations
 * and TLB entries are counted sixteen to a unit, the entries of a cache line
 * or two.
 */
#define MONT_WORK_BUNDLE 3
#define MONT_WORK_ENTRIES 16 /* TLB or uTLB entries looked at or cleared for one unit */
#define MONT_WORK_WALK 8
#define MONT_WORK_DECODE 24
#define MONT_WORK_ALAT 8 /* all entries of one ALAT looked at */
#define MONT_WORK_TURN 4 /* a thread taken up, or its loop entered again */
#define MONT_WORK_INTERRUPTION 4
#define MONT_WORK_REARM 16 /* counters armed anew, observers apart */
#define MONT_WORK_PAL 64
#define MONT_WORK_SAMPLE 16 /* an observer's overflow handed to the host */

/**
 * struct mont_work - what is left of the budget of the mont_run() in progress
 * @left: units; zero or less when it is used up
 * @attn: attention word of the thread that runs
 */
struct mont_work {
	s64 left;
	u32 *attn;
};

#endif
