/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instructions in flight, from their fetch to their end (manual 2.3.1 and 4.6): told of when that
 * is known, in the order of fetch. All that a group issues has been fetched, and all that fetch
 * brings from behind a mispredicted branch. The rest of a group that does not retire is killed:
 * behind a branch that is taken and was not thought to be, or behind what an interruption or a
 * flush ends. So what has been fetched is what has retired and what was killed. Called by
 * timed.c, issue.h, retire.c and wrong_path.c.
 */
#ifndef MONT_PIPELINE_FLIGHT_H
#define MONT_PIPELINE_FLIGHT_H

#include "../arch/thread.h"

struct mont_window;

/*
 * Instructions of the group from @slot of bundle @i on: what lies behind a branch predicted taken
 * was not fetched, unless the group has come there.
 */
u32 mont_flight_rest(const struct mont_thread *t, const struct mont_window *w, u32 i, u32 slot);

/* Signal the end of the instructions @f. */
void mont_flight_raise(struct mont_thread *t, const struct mont_flight *f);

/* Signal the end of the instructions of the group of @w, which issued in cycle @issued. */
void mont_flight_group(struct mont_thread *t, const struct mont_window *w, u64 issued);

#endif
