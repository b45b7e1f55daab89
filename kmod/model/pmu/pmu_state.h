/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The PMU's registers as a save file holds them, and what is derived from
 * them for speed (manual 3.3).
 */
#ifndef MONT_PMU_STATE_H
#define MONT_PMU_STATE_H

#include "../types.h"
#include "../signal.h"

struct mont_event;
struct mont_observer_link;

/* PMC and PMD index a register file of 64; what does not exist stays zero. */
struct mont_pmu_state {
	u64 pmc[64];
	u64 pmd[64];
	u64 uncounted; /* bit n: PMCn selects an event the model does not count */
};

/**
 * struct mont_pmu_derived - who listens to which signal
 * @event: row of the event table that PMC4-15 select, or NULL
 * @select: what @event was looked up for, bit 31 set
 * @armed: signals that somebody listens to, in no order; no other has anything
 *	pending or in the tables by signal below
 * @nr_armed: how many
 * @lazy: by signal, counters that take every occurrence; bit n for PMDn
 * @watch: by signal, counters that must look at each occurrence
 * @sibling: by signal, counters of the core's other thread that have PMC.all set
 *	and must look at each occurrence here
 * @unreported: of mont_pmu_state.uncounted, what no host has been told yet: saved
 * @over: counters that overflowed in the issue group that has not ended
 * @freeze: one of them has oi set
 * @notify: one of them has ev set, and a host serves the PMU
 * @marked: moves from PMDs and PMC0 read @mark until the group ends
 * @mark: PMC0 in word 0 and PMD4-15, from the end of the group before
 * @timed: the timing model runs: groups are the processor's own, so that a
 *	threshold means something
 * @unqualified: counters that no range, opcode or data constraint applies to
 * @all: a counter has PMC.all set, so the other thread listens for this one
 * @acc: with a threshold, or 1 a cycle: value of the current issue group so far
 * @obs_lazy: by signal, observers that take every occurrence
 * @obs_watch: by signal, observers that must look at each occurrence
 */
struct mont_pmu_derived {
	const struct mont_event *event[16];
	u32 select[16];
	u16 armed[MONT_NR_SIGNALS];
	u32 nr_armed;
	u16 lazy[MONT_NR_SIGNALS];
	u16 watch[MONT_NR_SIGNALS];
	u16 sibling[MONT_NR_SIGNALS];
	u64 unreported;
	u64 mark[16];
	bool marked;
	bool freeze;
	bool notify;
	u16 over;
	bool timed;
	bool all;
	u16 unqualified;
	u8 acc[16];
	struct mont_observer_link *obs_lazy[MONT_NR_SIGNALS];
	struct mont_observer_link *obs_watch[MONT_NR_SIGNALS];
};

#endif
