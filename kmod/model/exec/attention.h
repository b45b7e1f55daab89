/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pending work between two issue groups: interrupts, overflows, single step, limits
 * of the host (MONT_ATTN_*).
 * Called by the run loops (loop.h, pipeline/timed.c), by step.c, and by
 * package.c and turns.c of package/.
 */
#ifndef MONT_EXEC_ATTENTION_H
#define MONT_EXEC_ATTENTION_H

#include "../package/package.h"

/* Mark that no instruction is begun, and none left to retire: signals belong to none. */
void mont_between_groups(struct mont_thread *t);
/* Look into t->attn between two issue groups; true to return to the host. */
bool mont_attend(struct mont_thread *t);

/* Arrive at t->until, between two groups: true, with the exit filled, if the host waits for it. */
bool mont_until(struct mont_thread *t);

/* True if @t has executed the one instruction of a single step. */
bool mont_stepped(struct mont_thread *t);

#endif
