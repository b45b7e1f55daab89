/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * State of the timing model. Called by package/package.c.
 */
#ifndef MONT_PIPELINE_TIME_STATE_H
#define MONT_PIPELINE_TIME_STATE_H

#include "../package/package.h"

/* With the timing model: @time, zeroed, is what keeps time for the @threads threads of @core. */
void mont_time_init(struct mont_core *core, u32 threads);

#endif
