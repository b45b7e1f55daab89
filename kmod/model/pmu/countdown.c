// SPDX-License-Identifier: GPL-2.0-only
/*
 * Countdowns: how far each signal may go until somebody must look, and what it has come
 * to meanwhile (pmu.h). An overflow is a carry out of bit 46 (manual 3.3.4).
 */
#include "internal.h"
#include "tags.h"

/* Occurrences of @sig in tag set @set until somebody must look at one. */
static s64 mont_distance(const struct mont_thread *t, unsigned int set, enum mont_signal sig)
{
	const struct mont_pmu_derived *d = &t->pmu;
	u32 lazy = d->lazy[sig] | (set ? d->tagged[sig] & d->tags.counters[set] : 0);
	s64 left;

	if (mont_watched(d, sig) || (!set && (d->tagged[sig] || d->obs_tagged[sig])))
		return 1;
	left = mont_observers_distance(t, set, sig);
	for (; lazy; lazy &= lazy - 1) {
		u32 n = __builtin_ctz(lazy);
		s64 distance = mont_part(MONT_BIT(MONT_PMD_BITS) - t->s.pmu.pmd[n], d->parts[n]);

		if (distance < left)
			left = distance;
	}
	return left;
}

void mont_countdown_arm(struct mont_thread *t, unsigned int set, enum mont_signal sig)
{
	u32 nr = t->pmu.tags.nr_sets;
	s64 left = mont_distance(t, set, sig);

	/* Together the sets must not go further than each may; one half is mont_room()'s. */
	if (nr > 1 && mont_by_kind(sig))
		left -= left / 2;
	else if (nr > 1)
		left = left < nr ? 1 : left / nr;
	t->countdown[set][sig].left = left;
	t->countdown[set][sig].start = left;
}

/* Bundles of three instructions until somebody must look at one of those of @sig. */
static u64 mont_room(const struct mont_thread *t, enum mont_signal sig)
{
	s64 left = MONT_SIG_NEVER;
	unsigned int set;

	for (set = 1; set < t->pmu.tags.nr_sets; set++) {
		s64 distance = mont_distance(t, set, sig);

		if (distance < left)
			left = distance;
	}
	return left / 2 / 3;
}

static void mont_room_arm(struct mont_thread *t)
{
	u64 insns = mont_room(t, MONT_SIG_INST_RETIRED), nops = mont_room(t, MONT_SIG_NOP_RETIRED);

	t->pmu.tags.room = mont_retiring_watched(&t->pmu) ? 0 : insns < nops ? insns : nops;
}

void mont_kinds_arm(struct mont_thread *t)
{
	mont_room_arm(t);
	if (mont_armed(&t->pmu, MONT_SIG_INST_RETIRED))
		mont_countdown_arm(t, 0, MONT_SIG_INST_RETIRED);
	if (mont_armed(&t->pmu, MONT_SIG_NOP_RETIRED))
		mont_countdown_arm(t, 0, MONT_SIG_NOP_RETIRED);
}

void mont_countdowns_arm(struct mont_thread *t)
{
	struct mont_pmu_derived *d = &t->pmu;
	unsigned int i, set;

	for (i = 0; i < d->nr_armed; i++) {
		for (set = 0; set < d->tags.nr_sets; set++)
			mont_countdown_arm(t, set, d->armed[i]);
	}
	mont_room_arm(t);
}

/* Add @v to each of @counters. Return: bits of those that overflowed. */
static u32 mont_pmds_add(struct mont_thread *t, u32 counters, u64 v)
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
	return mont_pmds_add(t, lazy, n);
}

void mont_signal_fold(struct mont_thread *t, enum mont_signal sig)
{
	struct mont_occurrence o = { .owner = t, .time = t->s.cycles, .sig = sig };
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
static void mont_kind_fold(struct mont_thread *t, enum mont_signal sig,
			   const u64 n[MONT_NR_TAG_SETS])
{
	struct mont_occurrence o = { .owner = t, .time = t->s.cycles, .sig = sig };
	unsigned int set;

	for (set = 1; set < t->pmu.tags.nr_sets; set++) {
		/* Nothing overflows: there was room for them. */
		if (n[set])
			mont_set_add(&o, set, n[set]);
	}
}

void mont_kinds_fold(struct mont_thread *t)
{
	u64 insns[MONT_NR_TAG_SETS] = { 0 }, nops[MONT_NR_TAG_SETS] = { 0 };

	mont_kinds_sum(t, insns, nops);
	mont_kind_fold(t, MONT_SIG_INST_RETIRED, insns);
	mont_kind_fold(t, MONT_SIG_NOP_RETIRED, nops);
	mont_signal_fold(t, MONT_SIG_INST_RETIRED);
	mont_signal_fold(t, MONT_SIG_NOP_RETIRED);
}

void mont_kinds_renew(struct mont_thread *t)
{
	mont_kinds_fold(t);
	mont_kinds_arm(t);
}

void mont_signals_fold(struct mont_thread *t)
{
	unsigned int i;

	if (t->pmu.tags.nr_sets > 1)
		mont_kinds_fold(t);
	for (i = 0; i < t->pmu.nr_armed; i++)
		mont_signal_fold(t, t->pmu.armed[i]);
}
