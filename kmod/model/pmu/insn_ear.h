/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The instruction event address register (manual 3.3.8). It remembers nothing but what it
 * has captured: the guest's is set up by PMC37, a row of the event table stands for one
 * that is set up as the row says. Called by counter.c, arm.c, match.c and
 * observer_watch.c.
 */
#ifndef MONT_PMU_INSN_EAR_H
#define MONT_PMU_INSN_EAR_H

#include "../base/types.h"

struct mont_event;
struct mont_occurrence;
struct mont_thread;

/**
 * mont_insn_ear_takes() - check what a fetch has met against the unit mask of captures
 * @tlb: in TLB mode; else in cache mode
 * @umask: PMC37.umask in that mode
 * @o: of the mode's signal
 */
bool mont_insn_ear_takes(bool tlb, unsigned int umask, const struct mont_occurrence *o);

/**
 * struct mont_insn_capture - what is captured
 * @address: PMD34
 * @latency: PMD35
 */
struct mont_insn_capture {
	u64 address;
	u64 latency;
};

/* Return the registers of the EAR for @o, which it takes. */
struct mont_insn_capture mont_insn_ear_capture(bool tlb, const struct mont_occurrence *o);

/* Let the guest's EAR listen, if it may; and look at what it listens to. */
void mont_insn_ear_arm(struct mont_thread *t);
/* Return: true if its registers have taken @o. */
bool mont_insn_ear_look(const struct mont_occurrence *o);

#endif
