/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * The performance monitoring unit as the rest of the model sees it
 * (manual 3.3): registers by number, and the two calls that keep the lazily
 * counted signals right around a change of what qualifies them. Called by the
 * units that change what qualifies a count (arch/, isa/regmove.c, exec/,
 * package/), and by the run loops at the end of each group.
 *
 * How lazy counting works. mont_signals_arm() gives every signal a countdown:
 * to the nearest overflow of the counters that take every occurrence, or 1
 * when a subscriber must see each one. Until it ends, an occurrence costs a
 * decrement. mont_signals_fold() adds the occurrences since to the counters.
 *
 * Where a subscriber is qualified by the instruction alone (a range, an opcode), the
 * instructions have tags, and the signals of each tag set have countdowns of their own
 * (tags.h): they are counted ahead as well.
 *
 * Code that changes what a counter or an observer would count (PSR.up, PSR.pp,
 * PSR.cpl, an IBR or a DBR) therefore calls mont_signals_fold() before the change and
 * mont_signals_arm() after it. The register accessors below do so themselves.
 * Code that reads t->s.pmu.pmd[] directly (save, hash) folds first; code that
 * replaces t->s arms afterwards.
 *
 * Duties of the raiser of signals:
 * - t->s.ip is the bundle the occurrence belongs to, and t->cpl and t->s.psr
 *   are those it happened under. For CPL_CHANGE that is the level left;
 * - counting goes by the cycle, and at most one issue group retires in one.
 *   mont_group_end() follows the last signal of a group: what overflowed in it
 *   shows in PMC0 and freezes, thresholds begin anew. It may be left out while
 *   t->attn has no MONT_ATTN_GROUP;
 * - INST_RETIRED comes last of a bundle's signals, or is brought forward by
 *   mont_retire_upto() where what is enabled changes;
 * - mont_group_mark() comes before the first signal of a group that reads a PMD
 *   or PMC0 behind its first instruction.
 */
#ifndef MONT_PMU_PMU_H
#define MONT_PMU_PMU_H

#include "../arch/thread.h"

#define MONT_PMC_FIRST 4 /* first of the generic counters */
#define MONT_PMC_LAST 15
#define MONT_PMC_LAST_ALL 9 /* last that has PMC.all */

/* PMD4-9 count for their thread in the background too; PMD10-15 stand there (3.3.2). */
#define MONT_PMDS_DUPLICATED 0x3f0U

/* PMC0 (manual table 3-8) */
#define MONT_PMC0_FR MONT_BIT(0)

/* mont_state.pmu_irq */
#define MONT_PMU_IRQ 1 /* the overflow interrupt is requested */
#define MONT_PMU_NOTIFY 2 /* a counter with ev overflowed: the host is told */

/* PMC4-15 (manual table 3-6) */
#define MONT_PMC_PLM 0xfULL
#define MONT_PMC_EV MONT_BIT(4)
#define MONT_PMC_OI MONT_BIT(5)
#define MONT_PMC_PM MONT_BIT(6)
#define MONT_PMC_ES_SHIFT 8
#define MONT_PMC_UMASK_SHIFT 16
#define MONT_PMC_THRESHOLD_SHIFT 20
#define MONT_PMC_ALL MONT_BIT(26)
#define MONT_PMC_MESI_SHIFT 27 /* a bit for each of MONT_LINE_* (cache/lines.h) */

/* PMD4-15 count in 47 bits (manual table 3-7). */
#define MONT_PMD_BITS 47
#define MONT_PMD_MASK (MONT_BIT(MONT_PMD_BITS) - 1)

/* True if a PMC in use, of @t or with all set of its sibling, looks at PSR.up of @t (3.3.1). */
bool mont_up_counts(struct mont_thread *t);

/**
 * mont_group_mark() - an issue group begins that reads the PMU further back
 * @t: thread
 *
 * Moves from PMDs and PMC0 give what they hold now until mont_group_end().
 */
void mont_group_mark(struct mont_thread *t);

/**
 * mont_group_end() - an issue group has ended, and its cycle with it
 * @t: thread
 *
 * A group is, without the timing model, a bundle or what a branch or an
 * interruption leaves of one. Everything in it has been counted by every
 * counter; only now does an overflow show, freeze and request its interrupt.
 */
void mont_group_end(struct mont_thread *t);

/* Bring every lazily counted PMD and observer up to date. */
void mont_signals_fold(struct mont_thread *t);

/* Set all countdowns to never: no signal has a subscriber until mont_signals_arm(). */
void mont_signals_init(struct mont_thread *t);

/* Recompute every countdown from PMCs, PSR, t->cpl and observers. */
void mont_signals_arm(struct mont_thread *t);

/* True if counter @n may count at this instant (monitor enable equation, 3.3.1). */
bool mont_pmu_enabled(const struct mont_thread *t, unsigned int n);

#endif
