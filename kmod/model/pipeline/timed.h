/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The run loop with time. Called by package/turns.c.
 */
#ifndef MONT_PIPELINE_TIMED_H
#define MONT_PIPELINE_TIMED_H

#include "../package/package.h"

/* As mont_functional_run(), with time: @t is in front and t->time is not NULL. */
bool mont_timed_run(struct mont_thread *t, u64 cycles, u64 insns);

#endif
