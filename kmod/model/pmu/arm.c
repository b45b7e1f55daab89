// SPDX-License-Identifier: GPL-2.0-only
/*
 * Subscription of PMC4-15 to signals: the event that each selects and whether it may count
 * (manual 3.3.1 and 3.3.2; the enable equation is that of 3.3.1).
 */
#include "pmu.h"
#include "data_ear.h"
#include "etb.h"
#include "insn_ear.h"
#include "internal.h"
#include "ip_ear.h"
#include "tags.h"
#include "subscriber.h"
#include "qualify.h"

/* The counter whose set and whose all bit hold for an L2D event in counter @n (manual 4.8.4). */
static unsigned int arm_l2d_lead(unsigned int n)
{
	return n == 4 || n == 5 || n == 8 ? 4 : 6;
}

/*
 * L1D events can be counted only while the event code in PMC5 is one of the
 * same set, L2D events only while that in PMC4 or PMC6 is (manual 4.8.2 and
 * 4.8.4). What silicon counts otherwise is undefined; here the counter stands
 * still and is flagged.
 */
static bool arm_set_selected(struct mont_thread *t, unsigned int n)
{
	const struct mont_event *e = t->pmu.event[n];
	unsigned int lead;

	switch (e->set & MONT_SET_GROUP) {
	case MONT_SET_L1D:
		lead = 5;
		break;
	case MONT_SET_L2D:
		lead = arm_l2d_lead(n);
		break;
	default:
		return true;
	}
	/* The unit mask, a name for it or none, has no part in that. */
	return mont_event_code_set(mont_bits(t->s.pmu.pmc[lead], MONT_PMC_ES_SHIFT, 8)) == e->set;
}

static void arm_pmc_select(struct mont_thread *t, unsigned int n)
{
	u64 pmc = t->s.pmu.pmc[n];
	unsigned int code = mont_bits(pmc, MONT_PMC_ES_SHIFT, 8);
	unsigned int umask = mont_bits(pmc, MONT_PMC_UMASK_SHIFT, 4);
	u32 select = MONT_BIT(31) | umask << 8 | code;

	if (t->pmu.select[n] == select)
		return;
	t->pmu.select[n] = select;
	t->pmu.event[n] = mont_event_lookup(code, umask);
}

/* True if counter @n counts both threads of its core: PMC.all (manual table 3-6, 4.8.4). */
static bool arm_pmc_all(struct mont_thread *t, unsigned int n)
{
	const struct mont_event *e;

	if (n > MONT_PMC_LAST_ALL || !mont_sibling(t))
		return false;
	arm_pmc_select(t, n);
	e = t->pmu.event[n];
	if (e && (e->set & MONT_SET_GROUP) == MONT_SET_L2D)
		n = arm_l2d_lead(n);
	return t->s.pmu.pmc[n] & MONT_PMC_ALL;
}

/* True if @e is of no thread: what is in front when it happens counts it (manual 4.2.1). */
static bool arm_event_causal(const struct mont_event *e)
{
	const char *name = e->name, *end;

	if (e->thread != 'S')
		return e->thread == 'C';
	/* Self-floating: of the thread that asks with .SELF alone. */
	for (end = name; *end; end++)
		;
	return end - name < 5 || __builtin_memcmp(end - 5, ".SELF", 5);
}

/* Note when and for whom counter @n counts on a core with two threads (manual 3.3.2 and 4.2.1). */
static void arm_pmc_attribute(struct mont_thread *t, unsigned int n)
{
	struct mont_pmu_derived *d = &t->pmu;
	const struct mont_event *e = d->event[n];
	bool all = arm_pmc_all(t, n);

	if (all)
		d->alls |= MONT_BIT(n);
	if (!d->switches || !e || e->thread == 'A')
		return;
	d->later |= MONT_BIT(n);
	if (!all && arm_event_causal(e))
		d->causal |= MONT_BIT(n);
}

/*
 * True if an occurrence of @e, of a counter in mont_pmu_derived.later, may be of another cycle
 * than the present or of a thread in the background.
 */
static bool arm_event_late(const struct mont_event *e)
{
	enum mont_signal_attr kind = mont_signal_kind(e->signal);

	return kind == MONT_ATTR_DATA || kind == MONT_ATTR_FETCH ||
	       e->signal == MONT_SIG_LIVE_MEMORY_READ || e->signal == MONT_SIG_LIVE_MEMORY_READ_HI;
}

enum mont_stands mont_pmc_stands(struct mont_thread *t, unsigned int n)
{
	const struct mont_event *e;

	arm_pmc_select(t, n);
	e = t->pmu.event[n];
	if (!e)
		return MONT_STANDS_NO_EVENT;
	if (!mont_event_counted(e) || (e->castouts && !t->pmu.castouts) ||
	    (e->cores && t->pkg->cfg.cores == 1))
		return MONT_STANDS_REFUSED;
	if (!(e->counters & MONT_BIT(n)))
		return MONT_STANDS_COUNTER;
	if ((e->all == MONT_ALL_N || e->all == MONT_ALL_DEPENDS) && arm_pmc_all(t, n))
		return MONT_STANDS_ALL;
	if (t->pmu.timed)
		return MONT_STANDS_NOT;
	/* Without time no group is what a threshold is compared with. */
	if (e->needs_time)
		return MONT_STANDS_TIME;
	return mont_pmc_threshold(t, n) ? MONT_STANDS_THRESHOLD : MONT_STANDS_NOT;
}

void mont_pmc_stood(struct mont_thread *t, unsigned int n, enum mont_stands why)
{
	t->s.pmu.uncounted |= MONT_BIT(n);
	t->pmu.unreported |= MONT_BIT(n);
	t->s.pmu.stood[n] = MONT_STOOD(t->s.pmu.pmc[n], why);
}

/* True if PMC @n of @own lets it see events of @t, by the PSR of @t. */
static bool arm_is_permitted(const struct mont_thread *own, unsigned int n,
			     const struct mont_thread *t)
{
	u64 pmc = own->s.pmu.pmc[n];
	u64 psr = pmc & mont_pmc_pm(n) ? MONT_PSR_PP : MONT_PSR_UP;

	return (pmc >> t->cpl & 1) && (t->s.psr & psr);
}

bool mont_pmu_permitted(const struct mont_thread *t, unsigned int n)
{
	return arm_is_permitted(t, n, t);
}

/* As arm_is_permitted(), and PMC0.fr does not hold it. */
static bool arm_is_enabled(const struct mont_thread *own, unsigned int n,
			   const struct mont_thread *t)
{
	return !(own->s.pmu.pmc[0] & MONT_PMC0_FR) && arm_is_permitted(own, n, t);
}

bool mont_pmu_enabled(const struct mont_thread *t, unsigned int n)
{
	return arm_is_enabled(t, n, t);
}

/* Return: the reason why enabled counter @n of @t cannot count, or MONT_STANDS_NOT. */
static enum mont_stands arm_why_standing(struct mont_thread *t, unsigned int n)
{
	const struct mont_event *e = t->pmu.event[n];

	/* A slot that dispersal leaves empty has no address that a range could hold. */
	if (e->needs_time && !mont_signal_ranged(e->signal) && !mont_unconstrained(t, e))
		return MONT_STANDS_RANGE;
	if (e->signal == MONT_SIG_DATA_EAR_CAPTURED && !t->pmu.timed && mont_data_ear_needs_time(t))
		return MONT_STANDS_EAR;
	if (!arm_set_selected(t, n))
		return MONT_STANDS_SET;
	if (mont_constraint_undefined(t, e))
		return MONT_STANDS_CONSTRAINT;
	return e->cond == MONT_COND_TRACED && !mont_etb_followed(t) ? MONT_STANDS_TRACE
								    : MONT_STANDS_NOT;
}

/* Let counter @n of those in @watch look at each occurrence that it may count. */
static void arm_counter_watch(struct mont_pmu_derived *d, u16 watch[MONT_NR_SIGNALS],
			      const struct mont_event *e, unsigned int n)
{
	u16 sig[MONT_EVENT_SIGNALS];
	unsigned int i = mont_event_signals(e, sig);

	while (i--) {
		mont_listen(d, sig[i]);
		watch[sig[i]] |= MONT_BIT(n);
	}
}

/* Subscribe counter @n to the signals of its event, if it is enabled and can count. */
static void arm_counter(struct mont_thread *t, unsigned int n)
{
	struct mont_pmu_derived *d = &t->pmu;
	const struct mont_event *e = d->event[n];
	unsigned int threshold = mont_pmc_threshold(t, n);
	u16 sig[MONT_EVENT_SIGNALS];
	enum mont_stands why;
	unsigned int i;
	bool ahead;

	if (!mont_pmu_enabled(t, n) || !mont_pmc_countable(t, n))
		return;
	why = arm_why_standing(t, n);
	if (why) {
		if (!(t->s.pmu.uncounted & MONT_BIT(n)))
			mont_pmc_stood(t, n, why);
		return;
	}
	/* A counter whose set was not selected yet had not been programmed completely. */
	if ((t->s.pmu.uncounted & MONT_BIT(n)) && (u32)t->s.pmu.stood[n] == t->s.pmu.pmc[n])
		d->unreported &= ~MONT_BIT(n);
	t->s.pmu.uncounted &= ~MONT_BIT(n);
	if (threshold && (threshold >= e->max_inc || mont_time_stands(t)))
		return;
	if (mont_unconstrained(t, e))
		d->unqualified |= MONT_BIT(n);
	/* Where two threads add to one PMD, neither can count ahead. */
	ahead = !threshold && !arm_pmc_all(t, n) &&
		!((d->later & MONT_BIT(n)) && arm_event_late(e)) && !mont_event_comes_later(t, e) &&
		mont_mesi_takes_all(t, e, n) &&
		(mont_event_takes_all(e) ||
		 (e->cond >= MONT_COND_TAG1 && e->cond <= MONT_COND_TAG3));
	if (!ahead || (!(d->unqualified & MONT_BIT(n)) && d->qualifier[n] == MONT_NO_QUALIFIER)) {
		arm_counter_watch(d, d->watch, e, n);
		return;
	}
	i = mont_event_signals(e, sig);
	d->parts[n] = i;
	while (i--) {
		if (d->parts[n] > 1)
			mont_listen_sum(d, sig[i], MONT_SUMMED_COUNTERS);
		mont_listen(d, sig[i]);
		if (d->unqualified & MONT_BIT(n))
			d->lazy[sig[i]] |= MONT_BIT(n);
		else
			d->tagged[sig[i]] |= MONT_BIT(n);
	}
}

/* Subscribe counter @n of the sibling @own to the signals of @t. */
static void arm_sibling(struct mont_thread *own, struct mont_thread *t, unsigned int n)
{
	unsigned int threshold = mont_pmc_threshold(own, n);

	bool causal = (own->pmu.causal & MONT_BIT(n)) && arm_event_late(own->pmu.event[n]);

	/* A causal event is judged by the thread that is in front when it happens. */
	if (!arm_pmc_all(own, n) && !causal)
		return;
	if (!arm_is_enabled(own, n, causal ? own : t) || !mont_pmc_countable(own, n) ||
	    arm_why_standing(own, n))
		return;
	if (threshold >= own->pmu.event[n]->max_inc)
		return;
	arm_counter_watch(&t->pmu, t->pmu.sibling, own->pmu.event[n], n);
}

/* Drop the counters' sums of signals, and with @stale those of observers. */
static void arm_sums_disarm(struct mont_pmu_derived *d, bool stale)
{
	u32 nr = d->nr_sums, i;

	d->nr_sums = 0;
	for (i = 0; i < nr; i++) {
		enum mont_signal sig = d->sums[i];

		d->summed[sig] = stale ? 0 : d->summed[sig] & MONT_SUMMED_OBSERVERS;
		if (d->summed[sig])
			d->sums[d->nr_sums++] = sig;
	}
}

static bool arm_is_up_looked_at(const struct mont_thread *t, unsigned int n)
{
	return (t->s.pmu.pmc[n] & MONT_PMC_PLM) && !(t->s.pmu.pmc[n] & mont_pmc_pm(n));
}

bool mont_up_counts(struct mont_thread *t)
{
	struct mont_thread *own = mont_sibling(t);
	unsigned int n;

	for (n = MONT_PMC_FIRST; n <= MONT_PMC_LAST; n++) {
		if (arm_is_up_looked_at(t, n) ||
		    (own && arm_is_up_looked_at(own, n) && arm_pmc_all(own, n)))
			return true;
	}
	/* The event address registers, the trace buffer and the IP-EAR. */
	return arm_is_up_looked_at(t, 37) || arm_is_up_looked_at(t, 39) ||
	       arm_is_up_looked_at(t, 40) || arm_is_up_looked_at(t, 42);
}

/* Unsubscribe all counters; with @stale the observers as well. */
static void arm_none(struct mont_thread *t, bool stale)
{
	static const struct mont_countdown never = { MONT_SIG_NEVER, MONT_SIG_NEVER };
	struct mont_pmu_derived *d = &t->pmu;
	unsigned int i, set;

	d->data_ear = MONT_NR_SIGNALS;
	d->insn_ear = MONT_NR_SIGNALS;
	d->etb = false;
	d->ip_ear = false;
	d->ip_ear_ended = false;
	d->frame = false;
	d->front = false;
	d->dispersal = false;
	d->flights = false;
	d->heard = false;
	d->replies = d->switches;
	d->tallied = false;
	d->live = false;
	d->hits = false;
	d->fetches = false;
	d->apart = false;
	d->cycles = false;
	arm_sums_disarm(d, stale);
	if (stale) {
		d->obs.nr_armed = 0;
		d->obs.chain = false;
	}
	for (i = 0; i < d->nr_armed; i++) {
		enum mont_signal sig = d->armed[i];

		d->lazy[sig] = 0;
		d->tagged[sig] = 0;
		d->watch[sig] = 0;
		d->sibling[sig] = 0;
		if (i < d->obs.nr_armed) {
			mont_listen_parts(d, sig);
			continue;
		}
		d->obs.counted[sig] = false;
		d->obs.passes[sig] = 0;
		d->obs.lazy[sig] = NULL;
		d->obs.tagged[sig] = NULL;
		d->obs.watch[sig] = NULL;
		for (set = 0; set < d->tags.nr_sets; set++)
			t->countdown[set][sig] = never;
	}
	d->nr_armed = d->obs.nr_armed;
}

static void arm_thread(struct mont_thread *t)
{
	struct mont_thread *s = mont_sibling(t);
	struct mont_pmu_derived *d = &t->pmu;
	bool stale = mont_observers_stale(t);
	unsigned int n;

	mont_work(t, MONT_WORK_REARM + d->nr_armed * d->tags.nr_sets / MONT_WORK_ENTRIES);
	if (stale)
		mont_observers_settle(t);
	arm_none(t, stale);
	/* Tags of the instruction in progress are void: the sets of subscribers change. */
	d->tags.kinds = d->tags.none;
	mont_tags_end(t);
	d->alls = 0;
	d->later = 0;
	d->causal = 0;
	d->unqualified = 0;
	for (n = MONT_PMC_FIRST; n <= MONT_PMC_LAST; n++) {
		arm_pmc_select(t, n);
		arm_pmc_attribute(t, n);
	}
	d->all = d->alls | d->causal;
	mont_tags_arm(t, stale);
	if (stale)
		mont_observers_arm(t);
	for (n = MONT_PMC_FIRST; n <= MONT_PMC_LAST; n++)
		arm_counter(t, n);
	for (n = MONT_PMC_FIRST; s && n <= MONT_PMC_LAST; n++)
		arm_sibling(s, t, n);
	mont_data_ear_arm(t);
	mont_insn_ear_arm(t);
	mont_etb_arm(t);
	mont_ip_ear_arm(t);
	mont_countdowns_arm(t);
}

void mont_signals_init(struct mont_thread *t)
{
	unsigned int sig;

	t->pmu.obs.stale = true;
	arm_none(t, true);
	mont_tags_void(t);
	for (sig = 0; sig < MONT_NR_SIGNALS; sig++)
		t->countdown[0][sig] = (struct mont_countdown){ MONT_SIG_NEVER, MONT_SIG_NEVER };
}

void mont_signals_arm(struct mont_thread *t)
{
	struct mont_thread *s = mont_sibling(t);
	bool all = t->pmu.all;

	arm_thread(t);
	if (!s || !(all || t->pmu.all))
		return;
	/* The sibling counts for this thread by PMC.all: a change of our PMCs changes its subscriptions. */
	mont_signals_fold(s);
	arm_thread(s);
}
