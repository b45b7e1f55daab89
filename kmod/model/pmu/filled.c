// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts of lines that a snoop may take on their way into the L2D (filled.h).
 */
#include "filled.h"
#include "internal.h"
#include "subscriber.h"

/* A line that has come in @state, MONT_LINE_*. */
static struct mont_occurrence filled_occurrence(struct mont_thread *t, const struct mont_ref *ref,
						u64 at, u32 state)
{
	return (struct mont_occurrence){ .owner = t,
					 .time = t->clock,
					 .at = at,
					 .n = 1,
					 .ref = ref,
					 .sig = MONT_SIG_FILL_I - state };
}

void mont_filled_ask(struct mont_thread *t, const struct mont_ref *ref, u32 n, u64 at,
		     struct mont_takers *takers)
{
	struct mont_pmu_derived *d = &t->pmu;
	struct mont_thread *s = mont_sibling(t);
	u32 state;

	mont_observers_forget(t, MONT_BIT(n));
	for (state = 0; state < MONT_NR_FILLED; state++) {
		struct mont_occurrence o = filled_occurrence(t, ref, at, state);

		if (likely(!mont_watched(d, o.sig)))
			continue;
		mont_work(t, MONT_WORK_OCCURRED);
		takers->own[state] = mont_counters_taking(t, d->watch[o.sig], &o);
		if (s)
			takers->other[state] =
				mont_counters_taking(s, d->sibling[o.sig] & s->pmu.alls, &o);
		mont_observers_ask(&o, n, state);
	}
}

/* Add 1 to each of @counters of @own that is not another one by now; @t runs. */
static void filled_add(struct mont_thread *own, u32 counters, enum mont_signal sig,
		       struct mont_thread *t)
{
	u32 over = 0;

	if (own->s.pmu.pmc[0] & MONT_PMC0_FR)
		return;
	for (; counters; counters &= counters - 1) {
		unsigned int i = __builtin_ctz(counters);

		if (own->pmu.event[i] && own->pmu.event[i]->signal == sig)
			over |= mont_pmd_add(own, i, 1);
	}
	if (over)
		mont_pmu_pend(own, over, t);
}

void mont_filled_come(struct mont_thread *t, u32 n, u32 state, u64 at,
		      const struct mont_takers *takers)
{
	struct mont_occurrence o = filled_occurrence(t, NULL, at, state);
	struct mont_thread *s = mont_sibling(t);

	filled_add(t, takers->own[state], o.sig, mont_running(t));
	if (s)
		filled_add(s, takers->other[state], o.sig, mont_running(t));
	mont_observers_come(&o, n, state);
}

void mont_filled_forget(struct mont_thread *t)
{
	mont_observers_forget(t, ~0ULL);
}

bool mont_takers_valid(const struct mont_takers *takers)
{
	u32 i;

	for (i = 0; i < MONT_NR_FILLED; i++)
		if ((takers->own[i] | takers->other[i]) & ~MONT_PMDS_DUPLICATED)
			return false;
	return true;
}
