/* SPDX-License-Identifier: GPL-2.0-only */
/* What the PMU's own files share (manual 3.3). */
#ifndef MONT_PMU_INTERNAL_H
#define MONT_PMU_INTERNAL_H

#include "pmu.h"
#include "event.h"
#include "observer.h"
#include "../mem/mem.h"

/* ---- counter.c ---- */

/* Does PMC4-15 number @n select something the model counts? */
bool mont_pmc_countable(struct mont_thread *t, unsigned int n);

/*
 * Value of a counter with @threshold for @v more in its group, of which @acc
 * holds the sum so far.
 */
u64 mont_threshold(u8 *acc, u64 v, unsigned int threshold, unsigned int max_inc);

/* Which occurrences with this attribute does @e count? */
bool mont_event_matches(const struct mont_event *e, u64 attr, u32 data);

/* ---- qualify.c ---- */

/* Is @e unconstrained: neither PMC32-36, PMC38 nor PMC41 leave anything out? */
bool mont_unconstrained(const struct mont_thread *t, const struct mont_event *e);

/*
 * How many of an occurrence's instructions the guest's range, opcode and data
 * constraints let through: @n, less, or 0.
 */
u64 mont_qualify(struct mont_thread *t, const struct mont_event *e, enum mont_signal sig, u64 n,
		 u64 attr);

/* The unit PMC32.mifb calls slot @slot of the bundle at @raw: bit 3 M .. bit 0 B. */
unsigned int mont_slot_mifb(const u64 *raw, unsigned int slot);

/* Attribute kind of a signal. */
enum mont_signal_attr mont_signal_kind(enum mont_signal sig);

/* ---- observer.c ---- */

/* Put each of the thread's observers on the list of its signal. */
void mont_observers_arm(struct mont_thread *t);

/* @n occurrences for the observers that take them all. */
void mont_observers_add(struct mont_thread *t, enum mont_signal sig, u64 n);

/* One occurrence for the observers that look at each. */
void mont_observers_watch(struct mont_thread *t, enum mont_signal sig, u64 n, u64 attr);

/* Distance to the next period that ends; MONT_SIG_NEVER if none. */
s64 mont_observers_distance(const struct mont_thread *t, enum mont_signal sig);

/* An issue group has ended. */
void mont_observers_group_end(struct mont_thread *t);

#endif
