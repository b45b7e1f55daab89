/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PAL, the processor's firmware (SDM volume 2, chapter 11): procedures that
 * report what this processor is and a few that act on it. Called by the run
 * loops at PAL's entry point (exec/loop.h, pipeline/timed.c) and by hosts for a
 * call of their own.
 *
 * The callers hand over arguments and take results by position: for a static
 * call GR28 to GR31 in and GR8 to GR11 out, for a stacked call in0 to in3.
 * Buffers of a caller with PSR.dt = 0, and of the host, are physical addresses
 * (bit 63, uncacheable, is ignored).
 */
#ifndef MONT_PAL_PAL_H
#define MONT_PAL_PAL_H

#include "../package/package.h"

/* Status of a call (SDM volume 2, 11.10.2). */
#define MONT_PAL_OK 0
#define MONT_PAL_NOT_REMOTE 1 /* done; other processors need not be asked */
#define MONT_PAL_POLICY_KEPT 1 /* a sibling's exclusive priority stands against it */
#define MONT_PAL_UNIMPLEMENTED (-1)
#define MONT_PAL_EINVAL (-2)
#define MONT_PAL_LATER_SET 1 /* no such set of features, but one with a larger number */
#define MONT_PAL_NO_SUCH_SET (-8)

/* PAL_SET_HW_POLICY (manual 2.4.2): how the threads of a core share it. */
#define MONT_POLICY_PERFORMANCE 0
#define MONT_POLICY_FAIRNESS 1
#define MONT_POLICY_HIGH_PRIORITY 2
#define MONT_POLICY_EXCLUSIVE 3

/* Clocks of this model: 1.6 GHz cores on a 200 MHz bus. */
#define MONT_BUS_HZ 200000000ULL
#define MONT_CORE_RATIO 8

/**
 * struct mont_pal_proc - one procedure
 * @index: what selects it, GR28
 * @name: as the architecture writes it
 * @what: what it answers, in one line
 * @call: does it; returns the status and fills ret[1..3]
 */
struct mont_pal_proc {
	u32 index;
	const char *name;
	const char *what;
	s64 (*call)(struct mont_thread *t, const u64 arg[4], u64 ret[4]);
};

/*
 * Write @len bytes to a caller's buffer: a virtual address where the guest calls
 * with PSR.dt = 1, else a physical one. Whether the status is MONT_PAL_OK; a
 * translation that faults is the guest's to serve, and nothing is written then.
 */
s64 mont_pal_write(struct mont_thread *t, u64 address, const void *buf, u64 len);

/* Row @n of the table of procedures; NULL behind its end. */
const struct mont_pal_proc *mont_pal_at(unsigned int n);

/* Procedures, by file. */
#define MONT_PAL(index, name, function, what) \
	s64 mont_pal_##function(struct mont_thread *t, const u64 arg[4], u64 ret[4]);
#include "pal.def"
#undef MONT_PAL

/*
 * A fetch from PAL's entry point (pal/): index in r28, arguments in r29-r31
 * (r33-r35 for the stacked procedures, 256-511), results in r8-r11, return to
 * b0. Level 0 only.
 */
enum mont_result mont_pal_enter(struct mont_thread *t);

#endif
