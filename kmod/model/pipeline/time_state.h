/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * State of the timing model. Called by package.c and state.c of package/.
 */
#ifndef MONT_PIPELINE_TIME_STATE_H
#define MONT_PIPELINE_TIME_STATE_H

#include "../package/package.h"

struct mont_time_state;

/* With the timing model: @time, zeroed, is what keeps time for the @threads threads of @core. */
void mont_time_init(struct mont_core *core, u32 threads);

/* True if @s can be the state of @time, of @threads threads: each index in it is in range. */
bool mont_time_state_valid(const struct mont_time *time, const struct mont_time_state *s,
			   u32 threads);
/* True if @s can be that of a thread of the core of @time. */
bool mont_thread_time_valid(const struct mont_time *time, const struct mont_thread_time_state *s,
			    u32 threads);

/*
 * From now on @t keeps no time: what is in the pipe, and the L1 TLBs, which hold what is in
 * the L2 TLBs alone, are emptied, with the lines of the L1D and the L1I that are theirs. Other caches
 * and predictors stay as they are.
 */
void mont_time_leave(struct mont_thread *t);
/* @t keeps time in @time; NULL: none. */
void mont_time_keep(struct mont_thread *t, struct mont_time *time);

#endif
