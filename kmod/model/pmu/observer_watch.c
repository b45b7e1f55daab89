// SPDX-License-Identifier: GPL-2.0-only
/*
 * Observers that look at each occurrence of their event: what they capture, thresholds (manual
 * 3.3.3), and the sums of a cycle, which are known when it is over. Those that count ahead are
 * in observer.c.
 */
#include "internal.h"
#include "block.h"
#include "filter.h"
#include "ip_ear.h"
#include "match.h"
#include "../mont.h"

/* True if @o counts something of the sum of each cycle, when that is over. */
static bool observer_by_cycle(const struct mont_observer *o)
{
	return o->event->cond == MONT_COND_CYCLE_LOW || o->event->cond == MONT_COND_CYCLE_HIGH;
}

static bool observer_has_sums(const struct mont_observer *o)
{
	return o->filter.threshold || o->event->cond == MONT_COND_TRACED || observer_by_cycle(o);
}

/* @o has sums of cycles: it is told when they have ended. */
static void observer_sums_list(struct mont_thread *t, struct mont_observer *o, u64 at)
{
	struct mont_listeners *obs = &t->pmu.obs;

	if (!obs->sums || obs->sums_at > at)
		obs->sums_at = at;
	if (o->sums_listed)
		return;
	o->sums_listed = true;
	o->sums_next = obs->sums;
	obs->sums = o;
}

void mont_observer_arm_sums(struct mont_thread *t, struct mont_observer *o)
{
	if (observer_has_sums(o))
		observer_sums_list(t, o, 0);
}

/* Return as much of @v, the value of @at, as the EAR or trace buffer of @o takes. */
static u64 observer_capture(struct mont_observer *o, const struct mont_occurrence *at, u64 v)
{
	const struct mont_event *e = o->event;
	u64 trace;

	if (!v)
		return 0;
	switch (e->cond) {
	case MONT_COND_DATA_EAR:
		return mont_data_ear_capture(&o->ear.state, e->ear - MONT_EAR_DEAR_CACHE,
					     e->ear_umask, at, &o->ear.last);
	case MONT_COND_INSN_EAR:
		o->ear.insn = mont_insn_ear_capture(e->ear == MONT_EAR_IEAR_TLB, at);
		return v;
	case MONT_COND_IP_EAR:
		return mont_ip_ear_observe(&o->trace, at);
	case MONT_COND_TRACED:
		trace = mont_filter_trace(&o->filter);
		if (!mont_etb_selects(trace, at))
			return 0;
		if (o->period)
			mont_etb_observe(&o->trace, trace, at);
		return o->filter.threshold ? 0 : mont_once(at, &o->sums, v);
	default:
		return v;
	}
}

/* One occurrence for @o, which looks at each. */
static void observer_watch(struct mont_observer *o, const struct mont_occurrence *at)
{
	const struct mont_event *e = o->event;
	struct mont_thread *t = at->owner;
	u64 v;

	if (!mont_event_matches(e, at))
		return;
	v = o->block ? mont_block_pass(o, at) : mont_filter_count(&o->filter, at);
	v = observer_capture(o, at, v);
	if (observer_by_cycle(o))
		v = mont_threshold(at, &o->sums, v, MONT_MOST_SUM);
	else if (e->cond != MONT_COND_TRACED)
		v = mont_threshold(at, &o->sums, v, o->filter.threshold);
	if (observer_has_sums(o))
		observer_sums_list(t, o, at->at);
	if (v)
		mont_observer_count(o, at, v);
}

/* A cycle in which a group waits: filter and sample are of the instruction that does. */
static void observer_watch_waiting(struct mont_observer *o, const struct mont_occurrence *at)
{
	struct mont_thread *t = at->owner;
	const struct mont_waiter *w = &t->sig_waiting[at->sig - MONT_SIG_BUBBLES_FIRST];
	const struct mont_bundle *cur = t->cur;
	u32 slot = t->sig_slot;
	u64 ip = t->s.ip;

	t->cur = w->cur;
	t->s.ip = w->ip;
	t->sig_slot = w->slot;
	observer_watch(o, at);
	t->cur = cur;
	t->s.ip = ip;
	t->sig_slot = slot;
}

static void observer_list_watch(struct mont_observer_link *l, const struct mont_occurrence *at)
{
	struct mont_thread *t = at->owner;

	for (; l; l = l->next) {
		mont_work(t, 1);
		if (l->observer->filter.flags && t->sig_waiting && mont_filter_by_waiter(at->sig))
			observer_watch_waiting(l->observer, at);
		else
			observer_watch(l->observer, at);
	}
}

void mont_observers_watch(const struct mont_occurrence *at, unsigned int set)
{
	struct mont_listeners *obs = &at->owner->pmu.obs;

	observer_list_watch(obs->watch[at->sig], at);
	if (!set)
		observer_list_watch(obs->tagged[at->sig], at);
}

void mont_observers_forget(struct mont_thread *t, u64 numbers)
{
	struct mont_observer *o;
	u32 state;

	if (likely(!(t->pmu.obs.filled & numbers)))
		return;
	t->pmu.obs.filled &= ~numbers;
	for (o = t->observers; o; o = o->next)
		for (state = 0; state < MONT_NR_FILLED; state++)
			o->filled[state] &= ~numbers;
}

void mont_observers_ask(const struct mont_occurrence *at, u32 n, u32 state)
{
	struct mont_listeners *obs = &at->owner->pmu.obs;
	struct mont_observer_link *l;

	for (l = obs->watch[at->sig]; l; l = l->next) {
		struct mont_observer *o = l->observer;

		mont_work(at->owner, 1);
		if (o->filter.threshold || !mont_event_matches(o->event, at) ||
		    !(o->block ? mont_block_pass(o, at) : mont_filter_count(&o->filter, at)))
			continue;
		o->filled[state] |= MONT_BIT(n);
		obs->filled |= MONT_BIT(n);
	}
}

void mont_observers_come(const struct mont_occurrence *at, u32 n, u32 state)
{
	struct mont_thread *t = at->owner;
	struct mont_observer *o;

	if (likely(!(t->pmu.obs.filled >> n & 1)))
		return;
	for (o = t->observers; o; o = o->next) {
		mont_work(t, 1);
		if (o->filled[state] >> n & 1)
			mont_observer_count(o, at, 1);
	}
	mont_observers_forget(t, MONT_BIT(n));
}

/* The first cycle behind @now of which @o has a sum; ~0 for none. */
static u64 observer_sums_at(const struct mont_observer *o, u64 now)
{
	u64 at = ~0ULL;
	unsigned int i;

	for (i = 0; i < MONT_NR_SUMS; i++)
		if (o->sums.n[i] && o->sums.at[i] > now && o->sums.at[i] < at)
			at = o->sums.at[i];
	return at;
}

/* Cycle @now is over: @o counts its part of the sum. */
static void observer_cycle(struct mont_thread *t, struct mont_observer *o, u64 now)
{
	struct mont_occurrence at = {
		.owner = t, .time = now, .at = now, .n = 1, .sig = o->event->signal
	};
	u64 v = 0;
	unsigned int i;

	for (i = 0; i < MONT_NR_SUMS; i++)
		if (o->sums.at[i] == now)
			v += o->sums.n[i];
	v = o->event->cond == MONT_COND_CYCLE_LOW ? v & 3 : v >> 2;
	if (o->filter.threshold)
		v = v > o->filter.threshold;
	if (v)
		mont_observer_count(o, &at, v);
}

void mont_observers_group_end(struct mont_thread *t)
{
	struct mont_listeners *obs = &t->pmu.obs;
	struct mont_observer **p = &obs->sums, *o;
	u64 now = t->clock, at;

	if (!*p || obs->sums_at > now)
		return;
	obs->sums_at = ~0ULL;
	while ((o = *p)) {
		mont_work(t, 1);
		if (o->event->cond == MONT_COND_TRACED)
			mont_etb_buffer_group_end(&o->trace, t);
		if (observer_by_cycle(o))
			observer_cycle(t, o, now);
		mont_sums_end(&o->sums, now);
		at = observer_sums_at(o, now);
		if (at < obs->sums_at)
			obs->sums_at = at;
		if (at != ~0ULL) {
			p = &o->sums_next;
		} else {
			o->sums_listed = false;
			*p = o->sums_next;
		}
	}
}
