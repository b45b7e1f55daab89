/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The part of a run that time is kept in: what programs and systems share. Called by process.c and
 * system.c.
 */
#ifndef LIBMONTECITO_TIMED_RUN_H
#define LIBMONTECITO_TIMED_RUN_H

#include "libmontecito.h"

/* Where a run is of its timed region. */
enum region_phase {
	REGION_INSIDE, /* also without a region */
	REGION_BEFORE,
	REGION_BEHIND,
};

/**
 * struct timed_run - a run's timed region
 * @r: as given
 * @phase: where the run is of it
 * @vcpu: whose instructions the moments are
 * @moved: an instruction has retired since @phase began
 */
struct timed_run {
	struct montecito_timed_region r;
	enum region_phase phase;
	unsigned int vcpu;
	bool moved;
};

/* As montecito_process_region(). */
int timed_run_set(struct timed_run *g, const struct montecito_timed_region *r);
/* Go on to the next phase where the present one ends; @m has retired @done since its start. */
int timed_run_advance(struct timed_run *g, struct montecito *m, uint64_t done);
/* One RUN of at most @insns and @cycles (0: no limit), and no further than the phase. */
int timed_run_do(struct timed_run *g, struct montecito *m, uint64_t done, uint64_t insns,
		 uint64_t cycles, struct montecito_run *run);

#endif
