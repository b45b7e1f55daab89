// SPDX-License-Identifier: GPL-2.0-only
/*
 * Countdowns: the distance of each signal to the next occurrence that a subscriber must
 * see, and the occurrences since the last fold (pmu.h). An overflow is a carry out of
 * bit 46 (manual 3.3.4).
 */
#include "internal.h"
#include "tags.h"
#include "subscriber.h"
#include "qualify.h"

/* Distance of the counters @lazy to their overflows, or @left if that is less. */
static u64 countdown_counters_distance(const struct mont_thread *t, u32 lazy, u64 left)
{
	const struct mont_pmu_derived *d = &t->pmu;

	for (; lazy; lazy &= lazy - 1) {
		u32 n = __builtin_ctz(lazy);
		u64 distance = mont_part(MONT_BIT(MONT_PMD_BITS) - t->s.pmu.pmd[n], d->parts[n]);

		if (distance < left)
			left = distance;
	}
	return left;
}

/* Occurrences of @sig until a subscriber must see one, whatever its tag set. */
static u64 countdown_distance_any(struct mont_thread *t, enum mont_signal sig)
{
	if (mont_watched(&t->pmu, sig))
		return 1;
	return countdown_counters_distance(t, t->pmu.lazy[sig], mont_observers_distance(t, sig));
}

/* Distance in tag set @set; @any is the distance without subscribers that filter by tags. */
static u64 countdown_distance(struct mont_thread *t, unsigned int set, enum mont_signal sig,
			      u64 any)
{
	const struct mont_pmu_derived *d = &t->pmu;
	u64 left;

	if (!d->tagged[sig] && !d->obs.tagged[sig])
		return any;
	if (!set)
		return 1;
	left = mont_observers_distance_tagged(t, set, sig);
	return countdown_counters_distance(t, d->tagged[sig] & d->tags.counters[set],
					   left < any ? left : any);
}

/*
 * Set the countdown of @sig in tag set @set; @any is the distance without subscribers that filter
 * by tags.
 */
static void countdown_arm(struct mont_thread *t, unsigned int set, enum mont_signal sig, u64 any)
{
	u32 nr = t->pmu.tags.nr_sets;
	s64 left = countdown_distance(t, set, sig, any);

	/* Together the sets must not go further than each may; one half is countdown_room()'s. */
	if (nr > 1 && mont_by_kind(sig))
		left -= left / 2;
	else if (nr > 1)
		left = left < nr ? 1 : left / nr;
	/* The last of them is the one to see. */
	t->countdown[set][sig].left = left - 1;
	t->countdown[set][sig].start = left - 1;
}

/* Set the countdowns of @sig in every tag set, as far as @sig is not counted by kind. */
static void countdown_sets_arm(struct mont_thread *t, enum mont_signal sig)
{
	u64 any = countdown_distance_any(t, sig);
	unsigned int set;

	for (set = 0; set < t->pmu.tags.nr_sets; set++)
		countdown_arm(t, set, sig, any);
}

/* Number of bundles with three occurrences of @sig each before a subscriber must look. */
static u64 countdown_room(struct mont_thread *t, enum mont_signal sig)
{
	u64 left = MONT_SIG_NEVER, any = 0;
	unsigned int set;

	if (t->pmu.tags.nr_sets > 1)
		any = countdown_distance_any(t, sig);
	for (set = 1; set < t->pmu.tags.nr_sets; set++) {
		u64 distance = countdown_distance(t, set, sig, any);

		if (distance < left)
			left = distance;
	}
	return left / 2 / 3;
}

static void countdown_room_arm(struct mont_thread *t)
{
	u64 insns = countdown_room(t, MONT_SIG_INST_RETIRED),
	    nops = countdown_room(t, MONT_SIG_NOP_RETIRED);

	t->pmu.tags.room = mont_retiring_watched(&t->pmu) ? 0 : insns < nops ? insns : nops;
}

/* Split the distance to the next overflow: one half for batched bundles, one for single events. */
static void countdown_kinds_arm(struct mont_thread *t)
{
	countdown_room_arm(t);
	if (mont_armed(&t->pmu, MONT_SIG_INST_RETIRED))
		countdown_arm(t, 0, MONT_SIG_INST_RETIRED,
			      countdown_distance_any(t, MONT_SIG_INST_RETIRED));
	if (mont_armed(&t->pmu, MONT_SIG_NOP_RETIRED))
		countdown_arm(t, 0, MONT_SIG_NOP_RETIRED,
			      countdown_distance_any(t, MONT_SIG_NOP_RETIRED));
}

void mont_signal_arm(struct mont_thread *t, enum mont_signal sig)
{
	countdown_sets_arm(t, sig);
	if (t->pmu.tags.nr_sets > 1 && mont_by_kind(sig))
		countdown_kinds_arm(t);
}

/* Charge the work of visiting @nr signals in every tag set. */
static void countdown_sets_work(struct mont_thread *t, u32 nr)
{
	mont_work(t, 1 + nr * t->pmu.tags.nr_sets / 4);
}

void mont_sums_arm(struct mont_thread *t)
{
	struct mont_pmu_derived *d = &t->pmu;
	unsigned int i;

	countdown_sets_work(t, d->nr_sums);
	for (i = 0; i < d->nr_sums; i++)
		mont_signal_arm(t, d->sums[i]);
}

void mont_countdowns_arm(struct mont_thread *t)
{
	struct mont_pmu_derived *d = &t->pmu;
	unsigned int i;

	countdown_sets_work(t, d->nr_armed);
	for (i = 0; i < d->nr_armed; i++)
		countdown_sets_arm(t, d->armed[i]);
	countdown_room_arm(t);
}

/* Add @v to each of @counters. Return: bits of those that overflowed. */
static u32 countdown_pmds_add(struct mont_thread *t, u32 counters, u64 v)
{
	u32 over = 0;

	for (; counters; counters &= counters - 1)
		over |= mont_pmd_add(t, __builtin_ctz(counters), v);
	return over;
}

u32 mont_set_add(const struct mont_occurrence *o, unsigned int set, u64 n)
{
	struct mont_thread *t = o->owner;
	struct mont_pmu_derived *d = &t->pmu;
	enum mont_signal sig = o->sig;
	u32 lazy = d->lazy[sig] | (set ? d->tagged[sig] & d->tags.counters[set] : 0);

	mont_observers_add(o, set, n);
	return countdown_pmds_add(t, lazy, n);
}

static void countdown_sets_fold(struct mont_thread *t, enum mont_signal sig)
{
	struct mont_occurrence o = { .owner = t, .time = t->clock, .sig = sig };
	unsigned int set;

	for (set = 0; set < t->pmu.tags.nr_sets; set++) {
		struct mont_countdown *c = &t->countdown[set][sig];
		u64 n = c->start - c->left;

		if (!n)
			continue;
		c->start = c->left;
		/* Nothing overflows: the countdown ends where the first one does. */
		mont_set_add(&o, set, n);
	}
}

/* By set, @n occurrences of @sig of bundles that have retired by kind. */
static void countdown_kind_fold(struct mont_thread *t, enum mont_signal sig,
				const u64 n[MONT_NR_TAG_SETS])
{
	struct mont_occurrence o = { .owner = t, .time = t->clock, .sig = sig };
	unsigned int set;

	for (set = 1; set < t->pmu.tags.nr_sets; set++) {
		/* Nothing overflows: there was room for them. */
		if (n[set])
			mont_set_add(&o, set, n[set]);
	}
}

static void countdown_kinds_fold(struct mont_thread *t)
{
	u64 insns[MONT_NR_TAG_SETS] = { 0 }, nops[MONT_NR_TAG_SETS] = { 0 };

	mont_kinds_sum(t, insns, nops);
	countdown_kind_fold(t, MONT_SIG_INST_RETIRED, insns);
	countdown_kind_fold(t, MONT_SIG_NOP_RETIRED, nops);
	countdown_sets_fold(t, MONT_SIG_INST_RETIRED);
	countdown_sets_fold(t, MONT_SIG_NOP_RETIRED);
}

void mont_kinds_renew(struct mont_thread *t)
{
	countdown_kinds_fold(t);
	countdown_kinds_arm(t);
}

void mont_signal_fold(struct mont_thread *t, enum mont_signal sig)
{
	if (t->pmu.tags.nr_sets > 1 && mont_by_kind(sig))
		countdown_kinds_fold(t);
	else
		countdown_sets_fold(t, sig);
}

void mont_sums_fold(struct mont_thread *t)
{
	struct mont_pmu_derived *d = &t->pmu;
	unsigned int i;

	countdown_sets_work(t, d->nr_sums);
	for (i = 0; i < d->nr_sums; i++)
		mont_signal_fold(t, d->sums[i]);
}

void mont_signals_fold(struct mont_thread *t)
{
	struct mont_pmu_derived *d = &t->pmu;
	unsigned int i;

	countdown_sets_work(t, d->nr_armed);
	if (d->tags.nr_sets > 1)
		countdown_kinds_fold(t);
	for (i = 0; i < d->nr_armed; i++)
		countdown_sets_fold(t, d->armed[i]);
}
