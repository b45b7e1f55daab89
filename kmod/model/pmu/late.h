/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts of two threads on a core that come later than they are decided (manual 3.3.2 and 4.2.1;
 * Documentation/model.rst, V10 to V13). Called by counter.c and registers.c, and where cycles pass
 * or end: package.c and turns.c of package/, threads.c and time_state.c of pipeline/.
 *
 * A request knows at once in which cycles it meets the L3 and the bus. The thread that asks may
 * be in the background by then, where its PMD10-15 stand: counts to come are entered here, by
 * counter, and are added in their own cycle. Filters and PSR are those of the request. The cycle of a
 * line to be written or cast out is put off by reads: its count waits as the line does.
 */
#ifndef MONT_PMU_LATE_H
#define MONT_PMU_LATE_H

#include "../arch/thread.h"
#include "../event/signal.h"

/* Enter @count of @t, which is behind the present cycle. */
void mont_late_enter(struct mont_thread *t, const struct mont_late_count *count);

/* The first cycle behind which counts of @t or its sibling are to be added; ~0: none. */
u64 mont_late_next(struct mont_thread *t);

/*
 * Add the counts of @t, which runs or sleeps, and its sibling that have come up to t->clock; those
 * of @lines that their core has put off come later.
 */
void mont_late_pass(struct mont_thread *t, const struct mont_put_off *lines);

/* Add all counts of @t, which is in front, and its sibling: no time is kept from now on. */
void mont_late_settle(struct mont_thread *t);

/* Counter @n of @t is another one now: nothing that is on its way counts. */
void mont_late_forget(struct mont_thread *t, unsigned int n);

/* True if @late can be that of a thread, with a sibling or @alone. */
bool mont_late_valid(const struct mont_late *late, bool alone);

#endif
