// SPDX-License-Identifier: GPL-2.0-only
/*
 * Observers: counters beside the architectural PMU, with filters of their own (filter.c). They
 * ignore PMC0.fr, PSR and every constraint register of the guest; of IA64_TAGGED_INST_RETIRED's
 * four channels each is the observer's own filter.
 */
#include "observer.h"
#include "chain.h"
#include "filter.h"
#include "internal.h"
#include "ip_ear.h"
#include "subscriber.h"
#include "../isa/uop.h"
#include "../mont.h"
#include "qualify.h"

/* Present total of the signals that @o counts by differences. */
static u64 observer_at(const struct mont_thread *t, const struct mont_observer *o)
{
	const struct mont_listeners *obs = &t->pmu.obs;
	u16 sig[MONT_EVENT_SIGNALS];
	unsigned int i;
	u64 at = 0;

	if (o->ahead == MONT_AHEAD_NOT)
		return 0;
	i = mont_event_signals(o->event, sig);
	while (i--)
		at += o->ahead == MONT_AHEAD_ALL ? obs->total[sig[i]]
						 : obs->passed[sig[i]][o->qualifier];
	return at;
}

/* @o counts ahead by @ahead from now on. */
static void observer_ahead_by(const struct mont_thread *t, struct mont_observer *o,
			      enum mont_observer_ahead ahead)
{
	o->ahead = ahead;
	o->base = observer_at(t, o);
}

static void observer_settle(const struct mont_thread *t, struct mont_observer *o)
{
	o->count += observer_at(t, o) - o->base;
	observer_ahead_by(t, o, MONT_AHEAD_NOT);
}

/*
 * Occurrences to the next sample. The numbers are those of SplitMix64, whose output is
 * equally distributed over a run of 2^64, so that the same seed gives the same samples.
 */
static u64 observer_interval(struct mont_observer *o)
{
	u64 z;

	if (!o->random_mask)
		return o->period;
	z = o->random += 0x9e3779b97f4a7c15ULL;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	z ^= z >> 31;
	/* Half of an odd mask is rounded up and down in turn, by a bit that no mask has. */
	return o->period - ((o->random_mask + (z >> 63)) >> 1) + (z & o->random_mask);
}

int mont_observer_enter(struct mont_thread *t, struct mont_observer *o, const char **why)
{
	int ret = mont_filter_check(&o->filter, mont_pmu_has(t), why);

	if (ret)
		return ret;
	if (!o->period != !o->overflow) {
		*why = "a period needs a callback and a callback a period";
		return MONT_EINVAL;
	}
	o->event = mont_filter_event(&o->filter);
	o->count = 0;
	if (o->random_mask && (o->random_mask >= o->period || o->period >> 46)) {
		*why = "a mask of random bits must be below the period, and that below 2^46";
		return MONT_EINVAL;
	}
	o->until = observer_interval(o);
	o->sums = (struct mont_sums){ 0 };
	mont_data_ear_reset(&o->ear.state);
	o->trace = (struct mont_etb_buffer){};
	if (o->event->cond == MONT_COND_IP_EAR)
		o->trace.etb.at = t->clock;
	mont_observer_insert(t, o);
	return 0;
}

int mont_observer_attach(struct mont_thread *t, struct mont_observer *o, const char **why)
{
	int ret = mont_observer_enter(t, o, why);

	if (!ret)
		mont_signals_arm(t);
	return ret;
}

void mont_observer_insert(struct mont_thread *t, struct mont_observer *o)
{
	mont_signals_fold(t);
	o->ahead = MONT_AHEAD_NOT;
	o->base = 0;
	o->sums_listed = false;
	__builtin_memset(o->filled, 0, sizeof(o->filled));
	o->next = t->observers;
	t->observers = o;
	t->pmu.obs.stale = true;
}

void mont_observer_resume(struct mont_thread *t, struct mont_observer *o)
{
	mont_observer_insert(t, o);
	mont_signals_arm(t);
}

void mont_observer_retune(struct mont_thread *t, struct mont_observer *o, u64 period)
{
	mont_signals_fold(t);
	o->period = period;
	if (o->until > period)
		o->until = period;
	mont_signals_arm(t);
}

void mont_observer_remove(struct mont_thread *t, struct mont_observer *o)
{
	struct mont_observer **p;

	mont_signals_fold(t);
	observer_settle(t, o);
	for (p = &t->observers; *p; p = &(*p)->next) {
		if (*p == o) {
			*p = o->next;
			break;
		}
	}
	t->pmu.obs.stale = true;
}

void mont_observers_changed(struct mont_thread *t)
{
	mont_signals_arm(t);
}

void mont_observer_detach(struct mont_thread *t, struct mont_observer *o)
{
	mont_observer_remove(t, o);
	mont_observers_changed(t);
}

u64 mont_observer_read(struct mont_thread *t, struct mont_observer *o)
{
	mont_signals_fold(t);
	return o->count + observer_at(t, o) - o->base;
}

/* True if @o can count ahead, if need be by the tags of instructions. */
static bool observer_ahead(const struct mont_thread *t, const struct mont_observer *o)
{
	const struct mont_event *e = o->event;

	if (e->cond == MONT_COND_LATENCY)
		return mont_block_least(o) == t->pmu.late;
	if (mont_event_comes_later(t, e))
		return false;
	/* A fetch has the address of a line, not of the instruction that executes. */
	if (o->filter.flags &&
	    (mont_signal_kind(e->signal) == MONT_ATTR_FETCH || mont_filter_by_waiter(e->signal) ||
	     e->cond == MONT_COND_SUM_L2 || e->cond == MONT_COND_SUM_L2_MISSES))
		return false;
	return !o->filter.threshold && !(o->filter.flags & MONT_FILTER_DAR) &&
	       e->cond != MONT_COND_IP_EAR &&
	       (mont_event_takes_all(e) || e->signal == MONT_SIG_INST_RETIRED);
}

void mont_observers_tag(struct mont_thread *t)
{
	struct mont_observer *o;

	for (o = t->observers; o; o = o->next) {
		const struct mont_filter *f = &o->filter;
		struct mont_qualifier q = { .kind = MONT_QUALIFY_FILTER, .flags = f->flags };

		mont_work(t, 1);
		o->qualifier = MONT_NO_QUALIFIER;
		if (!f->flags || !observer_ahead(t, o))
			continue;
		if (o->block) {
			q.kind = MONT_QUALIFY_BLOCK;
			q.channel = o->channel;
			q.block = o->block;
			q.version = mont_block_version(o->block);
		} else if (f->flags & MONT_FILTER_IAR) {
			q.iar_lo = f->iar_lo;
			q.iar_hi = f->iar_hi;
		}
		if (!o->block && f->flags & MONT_FILTER_OPC)
			q.opcodes = f;
		o->qualifier = mont_tags_qualifier(&t->pmu.tags, &q, MONT_NR_FILTERS);
	}
}

bool mont_observers_stale(const struct mont_thread *t)
{
	const struct mont_listeners *obs = &t->pmu.obs;
	unsigned int plm;

	if (obs->stale || obs->stands != mont_time_stands(t) || ((obs->psr ^ t->s.psr) & obs->psrs))
		return true;
	/* Another level is something new to those that do not listen to both. */
	for (plm = 0; obs->cpl != t->cpl && plm < 16; plm++)
		if ((obs->plms >> plm & 1) && ((plm >> obs->cpl ^ plm >> t->cpl) & 1))
			return true;
	return false;
}

void mont_observers_settle(struct mont_thread *t)
{
	struct mont_observer *o;

	for (o = t->observers; o; o = o->next) {
		mont_work(t, MONT_WORK_OBSERVER);
		observer_settle(t, o);
	}
}

/* Put @o on the list of each signal of its event. */
static void observer_arm(struct mont_thread *t, struct mont_observer *o)
{
	struct mont_listeners *obs = &t->pmu.obs;
	bool ahead = o->qualifier != MONT_NO_QUALIFIER ||
		     (!o->filter.flags && observer_ahead(t, o));
	struct mont_observer_link **list = NULL, *link = o->link;
	u16 signals[MONT_EVENT_SIGNALS];
	unsigned int i;

	if (!ahead)
		list = obs->watch;
	else if (o->qualifier != MONT_NO_QUALIFIER)
		list = obs->tagged;
	else if (o->period)
		list = obs->lazy;
	i = mont_event_signals(o->event, signals);
	o->parts = i;
	while (i--) {
		enum mont_signal sig = signals[i];

		mont_listen(&t->pmu, sig);
		if (ahead && o->period && o->parts > 1)
			mont_listen_sum(&t->pmu, sig, MONT_SUMMED_OBSERVERS);
		if (list == obs->tagged && !o->period)
			obs->passes[sig] |= 1u << o->qualifier;
		if (list) {
			link->observer = o;
			link->next = list[sig];
			list[sig] = link++;
		} else {
			obs->counted[sig] = true;
		}
	}
	if (ahead && !o->period)
		observer_ahead_by(t, o, list ? MONT_AHEAD_PASSED : MONT_AHEAD_ALL);
}

/* Arm the observers with a period, or those without. */
static void observer_arm_some(struct mont_thread *t, bool period)
{
	struct mont_observer *o;

	for (o = t->observers; o; o = o->next) {
		mont_work(t, MONT_WORK_OBSERVER);
		if (!o->period == period || !(o->filter.plm >> t->cpl & 1) ||
		    (o->psr && !(o->psr & t->s.psr)) ||
		    (o->filter.threshold && mont_time_stands(t)))
			continue;
		observer_arm(t, o);
	}
}

void mont_observers_arm(struct mont_thread *t)
{
	struct mont_listeners *obs = &t->pmu.obs;
	struct mont_observer *o;
	bool chain = false, waiting = false;

	obs->stale = false;
	obs->cpl = t->cpl;
	obs->stands = mont_time_stands(t);
	obs->plms = 0;
	obs->psrs = 0;
	obs->psr = t->s.psr;
	obs->sums = NULL;
	t->pmu.late = ~0ULL;
	for (o = t->observers; o; o = o->next) {
		if (o->event->cond == MONT_COND_LATENCY && mont_block_least(o) < t->pmu.late)
			t->pmu.late = mont_block_least(o);
		obs->plms |= 1u << o->filter.plm;
		obs->psrs |= o->psr;
		chain |= o->chain;
		waiting |= o->filter.flags && mont_filter_by_waiter(o->event->signal);
		o->sums_listed = false;
		mont_observer_arm_sums(t, o);
	}
	mont_chain_set(t, chain);
	if (chain)
		mont_listen(&t->pmu, MONT_SIG_BRANCH_RETIRED);
	obs->chain = chain;
	obs->waiting = waiting;
	/* Each is put in front of those that are there. */
	observer_arm_some(t, false);
	observer_arm_some(t, true);
	t->pmu.obs.nr_armed = t->pmu.nr_armed;
}

static void observer_add(const struct mont_occurrence *at, struct mont_observer *o, u64 n)
{
	struct mont_thread *t = at->owner;

	o->count += n;
	if (!o->period)
		return;
	mont_work(t, 1);
	while (n >= o->until) {
		mont_work(t, MONT_WORK_SAMPLE);
		n -= o->until;
		o->until = observer_interval(o);
		o->overflow(o, at);
	}
	o->until -= n;
}

void mont_observer_count(struct mont_observer *o, const struct mont_occurrence *at, u64 n)
{
	observer_add(at, o, n);
}

/* True if @o takes the signals of tag set @set. */
static bool observer_is_taking(const struct mont_thread *t, const struct mont_observer *o,
			       unsigned int set)
{
	return t->pmu.tags.passes[set] >> o->qualifier & 1;
}

void mont_observers_add(const struct mont_occurrence *at, unsigned int set, u64 n)
{
	struct mont_thread *t = at->owner;
	struct mont_listeners *obs = &t->pmu.obs;
	struct mont_observer_link *l;
	u32 left;

	obs->total[at->sig] += n;
	for (l = obs->lazy[at->sig]; l; l = l->next)
		observer_add(at, l->observer, n);
	if (!set)
		return;
	for (left = obs->passes[at->sig] & t->pmu.tags.passes[set]; left; left &= left - 1)
		obs->passed[at->sig][__builtin_ctz(left)] += n;
	for (l = obs->tagged[at->sig]; l && l->observer->period; l = l->next) {
		if (observer_is_taking(t, l->observer, set))
			observer_add(at, l->observer, n);
	}
}

u64 mont_observer_pmd(const struct mont_observer *o, unsigned int n)
{
	switch (n) {
	case 32:
		return o->ear.last.address;
	case 33:
		return o->ear.last.status;
	case 34:
		return o->ear.insn.address;
	case 35:
		return o->ear.insn.latency;
	case 36:
		return o->ear.last.instruction;
	default:
		if (o->event->cond == MONT_COND_IP_EAR)
			return mont_ip_ear_read(&o->trace, n);
		return mont_etb_buffer_read(&o->trace, mont_filter_trace(&o->filter), n);
	}
}

/* The least of what is left of the periods of those on @list that tag set @set counts for. */
static u64 observer_list_distance(struct mont_thread *t, const struct mont_observer_link *list,
				  unsigned int set)
{
	const struct mont_observer_link *l;
	u64 left = MONT_SIG_NEVER;
	u32 nr = 0;

	for (l = list; l && l->observer->period; l = l->next, nr++) {
		const struct mont_observer *o = l->observer;
		u64 distance = mont_part(o->until, o->parts);

		if (distance < left && (!set || observer_is_taking(t, o, set)))
			left = distance;
	}
	if (nr)
		mont_work(t, nr);
	return left;
}

u64 mont_observers_distance(struct mont_thread *t, enum mont_signal sig)
{
	return observer_list_distance(t, t->pmu.obs.lazy[sig], 0);
}

u64 mont_observers_distance_tagged(struct mont_thread *t, unsigned int set, enum mont_signal sig)
{
	return observer_list_distance(t, t->pmu.obs.tagged[sig], set);
}
