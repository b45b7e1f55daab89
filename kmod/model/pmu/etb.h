/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The execution trace buffer (manual 3.3.10.1): what changes the flow of control
 * and passes PMC39 is recorded in PMD48-63, by PMD38 and PMD39.
 */
#ifndef MONT_PMU_ETB_H
#define MONT_PMU_ETB_H

#include "pmu_state.h"

struct mont_thread;

/* As reset leaves it. */
void mont_etb_reset(struct mont_etb *etb);

/* Let the buffer listen, if it may. */
void mont_etb_arm(struct mont_thread *t);

/* True if the trace buffer of @own takes @o (manual table 3-26). */
bool mont_trace_takes(const struct mont_thread *own, const struct mont_occurrence *o);

/* Record a branch, or another change of flow, that PMC39 and the qualifiers let pass. */
void mont_etb_record(struct mont_thread *t, const struct mont_occurrence *o);

/* An issue group has ended: where the thread goes on is the target of what was recorded. */
void mont_etb_group_end(struct mont_thread *t);

/* The target that has not been recorded yet is: nothing that follows takes its place. */
void mont_etb_settle(struct mont_thread *t);

/*
 * PMD38, 39 or 48-63: with the target that has not been recorded yet, which may still
 * give way. Reading changes nothing.
 */
u64 mont_etb_read(const struct mont_thread *t, unsigned int n);

/* True if @etb can be the state of a trace buffer. For state that comes from outside. */
bool mont_etb_valid(const struct mont_etb *etb);

#endif
