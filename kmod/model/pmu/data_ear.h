/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The data event address register (manual 3.3.9): one for the guest, set up by
 * PMC40, and one of its own for each observer that counts one's captures.
 * Called by counter.c, arm.c, observer.c, observer_watch.c and registers.c, and by the blocks
 * that have such a register (merced.c, pebs.c, pebs_latency.c).
 */
#ifndef MONT_PMU_DATA_EAR_H
#define MONT_PMU_DATA_EAR_H

#include "pmu_state.h"

/* PMC40.mode (manual table 3-20) */
#define MONT_DATA_EAR_CACHE 0
#define MONT_DATA_EAR_TLB 1
#define MONT_DATA_EAR_ALAT 2 /* and 3 */

/**
 * struct mont_data_capture - what is captured
 * @address: PMD32
 * @status: PMD33
 * @instruction: PMD36
 */
struct mont_data_capture {
	u64 address;
	u64 status;
	u64 instruction;
};

struct mont_thread;

/* As reset leaves it. */
void mont_data_ear_reset(struct mont_data_ear *ear);

/* Return: the signal whose occurrences the EAR looks at in @mode. */
enum mont_signal mont_data_ear_signal(unsigned int mode);

/**
 * mont_data_ear_capture() - look at an occurrence that nothing filters out
 * @ear: whose
 * @mode: PMC40.mode
 * @umask: PMC40.umask
 * @o: of the mode's signal
 * @c: set if it is captured
 *
 * Return: true if it is captured.
 */
bool mont_data_ear_capture(struct mont_data_ear *ear, unsigned int mode, unsigned int umask,
			   const struct mont_occurrence *o, struct mont_data_capture *c);

/**
 * mont_data_ear_track() - choose loads, one at a time
 * @ear: whose generator and progress
 * @least: the least latency that is captured
 * @now: present cycle
 * @latency: of a load that issues in it
 *
 * Return: true if it is tracked, and slow enough.
 */
bool mont_data_ear_track(struct mont_data_ear *ear, u64 least, u64 now, u64 latency);

/* Let the guest's EAR listen, if it may; and look at what it listens to. */
void mont_data_ear_arm(struct mont_thread *t);
/* Return: true if its registers have taken @o. */
bool mont_data_ear_look(const struct mont_occurrence *o);

/* True if the mode of the guest's EAR needs the timing model. */
bool mont_data_ear_needs_time(const struct mont_thread *t);

#endif
