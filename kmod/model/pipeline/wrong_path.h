/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The path behind a mispredicted branch, up to the flush (manual 3.3.5.3 and 4.8.1). Called by
 * timed.c and segment.h where such a branch has issued, by causes.c for its cycles, and by
 * time_state.c.
 */
#ifndef MONT_PIPELINE_WRONG_PATH_H
#define MONT_PIPELINE_WRONG_PATH_H

#include "pipeline.h"

/* Follow fetch from @turn on, behind a mispredicted branch that has issued in cycle @issued. */
void mont_wrong_path(struct mont_thread *t, const struct mont_wrong_turn *turn, u64 issued);
/* True if @wrong can be a saved state. */
bool mont_wrong_valid(const struct mont_wrong *wrong);
/* True if cycle @now lies behind a mispredicted branch, in front of the flush. */
bool mont_wrong_now(const struct mont_thread *t, u64 now);
/* Signal the dispersal of the wrong path in cycle @now; false if nothing disperses. */
bool mont_wrong_dispersed(struct mont_thread *t, u64 now);

#endif
