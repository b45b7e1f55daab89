// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf's events in a slice.
 *
 * The events that are active on the CPU when a slice begins count for all of it. A link
 * is an observer on one vcpu for one event: attached in the slices that count for the
 * event, kept in between with what is left of its period. When a slice ends, what its
 * observers have counted goes to their events, wherever those are then.
 */
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/slab.h>

#include "perf.h"
#include "perf_slice.h"
#include "trace.h"

/* Attaching, in units of work: the counters and all of the vcpu's observers are armed anew. */
#define MHOST_PERF_ATTACH 64

/**
 * struct mhost_perf_link - an observer on one vcpu for one event
 * @obs: the model's part
 * @link: in mhost_perf.links
 * @p: the event, referenced
 * @m: the machine
 * @vcpu: which of its vcpus
 * @generation: of the event's filter in @obs
 * @slice: the last one it was wanted for
 * @period: and with which period
 * @seen: how much of the observer's count the event has
 * @known: the model has accepted @obs once
 * @attached: the model has it now
 */
struct mhost_perf_link {
	struct mont_observer obs;
	struct list_head link;
	struct mhost_perf_event *p;
	struct mhost_machine *m;
	u32 vcpu;
	u32 generation;
	u64 slice;
	u64 period;
	u64 seen;
	bool known;
	bool attached;
};

/* In the middle of mont_run(), in the task that RUNs, under the machine's lock. */
static void mhost_perf_link_overflow(struct mont_observer *obs, const struct mont_occurrence *at)
{
	struct mhost_perf_link *l = container_of(obs, struct mhost_perf_link, obs);
	struct montecito_perf_sample s = { .machine = l->m->id, .vcpu = l->vcpu };
	struct mont_sample w;

	mont_sample(at->owner, &w);
	trace_montecito_overflow(l->m->id, l->vcpu, MONTECITO_SAMPLE_PERF, 0,
				 mhost_perf_config(&obs->filter), obs->period, &w);
	s.ip = w.ip;
	s.slot = w.slot;
	s.cpl = w.cpl;
	s.insns = w.insns;
	s.cycles = w.cycles;
	s.clock = w.clock;
	if (obs->filter.ear && obs->filter.ear <= MONT_EAR_DEAR_ALAT) {
		s.pmds = MHOST_CAPTURE_PMDS;
		s.value[0] = obs->ear.last.address;
		s.value[1] = obs->ear.last.status;
		s.value[2] = obs->ear.last.instruction;
	}
	mhost_perf_overflow(l->p, &s, obs->period);
}

static void mhost_perf_link_detach(struct mhost_perf_link *l)
{
	mont_observer_detach(mont_vcpu(l->m->pkg, l->vcpu), &l->obs);
	l->attached = false;
	l->m->perf.attached--;
}

static void mhost_perf_link_free(struct mhost_perf_link *l)
{
	if (l->attached)
		mhost_perf_link_detach(l);
	list_del(&l->link);
	mhost_perf_event_put(l->p);
	kfree(l);
	atomic_dec(&mhost_perf_used);
}

/* The event of @p and @vcpu behind @at, where it is if nothing has changed, or before it. */
static struct mhost_perf_link *mhost_perf_link_find(struct mhost_machine *m, struct list_head *at,
						    const struct mhost_perf_event *p, u32 vcpu)
{
	struct list_head *pos;

	for (pos = at->next; pos != at; pos = pos->next) {
		struct mhost_perf_link *l = list_entry(pos, struct mhost_perf_link, link);

		if (pos != &m->perf.links && l->p == p && l->vcpu == vcpu)
			return l;
	}
	return NULL;
}

static struct mhost_perf_link *mhost_perf_link_new(struct mhost_machine *m, struct list_head *at,
						   struct mhost_perf_event *p, u32 vcpu)
{
	struct mhost_perf_link *l = kzalloc(sizeof(*l), GFP_KERNEL_ACCOUNT);

	if (!l)
		return NULL;
	kref_get(&p->ref);
	l->p = p;
	l->m = m;
	l->vcpu = vcpu;
	list_add(&l->link, at);
	atomic_inc(&mhost_perf_used);
	return l;
}

/* Note that this machine refuses an event: one message, and perf is told after the slice. */
static void mhost_perf_refuse(struct mhost_machine *m, struct mhost_perf_event *p, const char *why)
{
	struct mhost_perf *perf = &m->perf;
	u32 i, config = mhost_perf_config(&p->filter);

	for (i = 0; i < perf->nr_refused; i++)
		if (perf->refused[i].config == config && perf->refused[i].why == why)
			break;
	if (i == perf->nr_refused && i < ARRAY_SIZE(perf->refused)) {
		perf->refused[perf->nr_refused++] = (struct mhost_refusal){ config, why };
		pr_notice_ratelimited("montecito: machine %u does not count perf's event %#x: %s\n",
				      m->id, config, why);
	}
	if (test_and_set_bit(0, &p->refused))
		return;
	kref_get(&p->ref);
	llist_add(&p->withdrawn, &perf->withdrawn);
}

/* As the event asks for it now. Return: units of work. */
static u64 mhost_perf_link_attach(struct mhost_perf_link *l)
{
	u64 period = l->period;
	struct mont_thread *t = mont_vcpu(l->m->pkg, l->vcpu);
	struct mhost_perf_event *p = l->p;
	const char *why;

	if (l->known && l->generation != READ_ONCE(p->generation)) {
		if (l->attached)
			mhost_perf_link_detach(l);
		l->known = false;
	}
	if (l->attached && l->obs.period == period)
		return 0;
	if (l->attached) {
		mont_observer_retune(t, &l->obs, period);
		return MHOST_PERF_ATTACH;
	}
	if (l->known) {
		l->obs.period = period;
		l->obs.until = min(l->obs.until, period);
		mont_observer_resume(t, &l->obs);
	} else {
		l->obs = (struct mont_observer){
			.period = period,
			.overflow = period ? mhost_perf_link_overflow : NULL,
		};
		l->seen = 0;
		raw_spin_lock_irq(&p->lock);
		l->obs.filter = p->filter;
		l->generation = p->generation;
		raw_spin_unlock_irq(&p->lock);
		if (mont_observer_attach(t, &l->obs, &why)) {
			mhost_perf_refuse(l->m, p, why);
			return MHOST_PERF_ATTACH;
		}
		l->known = true;
	}
	l->attached = true;
	l->m->perf.attached++;
	return MHOST_PERF_ATTACH + l->m->perf.attached;
}

/* Note the events that are active on this CPU and count in @m. */
static u32 mhost_perf_active(struct mhost_machine *m)
{
	struct mhost_perf *perf = &m->perf;
	struct mhost_perf_event *p;
	u32 n = 0;

	perf->stays = false;
	local_irq_disable();
	list_for_each_entry(p, &this_cpu_ptr(&mhost_perf_cpus)->active, link) {
		if ((p->machine && p->machine != m->id) || READ_ONCE(p->refused))
			continue;
		kref_get(&p->ref);
		perf->now[n].p = p;
		perf->now[n++].period = is_sampling_event(p->event) ? p->event->hw.sample_period
								    : 0;
		perf->stays |= is_sampling_event(p->event);
	}
	/* A ring is written by its CPU alone: the slice stays where its samples go. */
	if (perf->stays)
		migrate_disable();
	local_irq_enable();
	return n;
}

/* Observers for all that counts now; those that are there already are met in their order. */
static void mhost_perf_want(struct mhost_machine *m, u32 n)
{
	struct mhost_perf *perf = &m->perf;
	struct list_head *at = &perf->links;
	struct mhost_perf_link *l;
	u32 i, vcpu;

	for (i = 0; i < n; i++) {
		struct mhost_perf_event *p = perf->now[i].p;

		for (vcpu = 0; vcpu < m->nr_vcpus; vcpu++) {
			if (p->vcpus && !(p->vcpus >> vcpu & 1))
				continue;
			l = mhost_perf_link_find(m, at, p, vcpu);
			if (!l)
				l = mhost_perf_link_new(m, at, p, vcpu);
			if (!l) {
				mhost_perf_refuse(m, p, "no memory for an observer");
				continue;
			}
			l->slice = perf->slice;
			l->period = perf->now[i].period;
			at = &l->link;
		}
		mhost_perf_event_put(p);
	}
}

/**
 * mhost_perf_slice_begin() - a slice begins
 * @m: machine, locked, by the task that RUNs it
 *
 * May sleep; mhost_perf_slice_end() follows. Return: units of work that it took.
 */
u64 mhost_perf_slice_begin(struct mhost_machine *m)
{
	struct mhost_perf *perf = &m->perf;
	struct mhost_perf_link *l, *tmp;
	u64 work = 0;

	perf->slice++;
	mhost_perf_want(m, mhost_perf_active(m));
	/* Free the links of events that count no more before new ones need room. */
	list_for_each_entry_safe(l, tmp, &perf->links, link) {
		if (l->slice == perf->slice)
			continue;
		if (l->attached) {
			mhost_perf_link_detach(l);
			work += MHOST_PERF_ATTACH + perf->attached;
		}
		if (!READ_ONCE(l->p->event))
			mhost_perf_link_free(l);
	}
	list_for_each_entry(l, &perf->links, link)
		if (l->slice == perf->slice)
			work += mhost_perf_link_attach(l);
	return work;
}

/**
 * mhost_perf_slice_end() - a slice has ended: what was counted is the events'
 * @m: machine, locked
 */
void mhost_perf_slice_end(struct mhost_machine *m)
{
	struct mhost_perf *perf = &m->perf;
	struct mhost_perf_link *l;
	u64 count;

	list_for_each_entry(l, &perf->links, link) {
		if (!l->attached)
			continue;
		count = mont_observer_read(mont_vcpu(m->pkg, l->vcpu), &l->obs);
		mhost_perf_count(l->p, count - l->seen);
		l->seen = count;
	}
	if (perf->stays)
		migrate_enable();
	perf->stays = false;
}

/*
 * perf asks for an event again only when it schedules it. So schedule it: it is refused
 * then, and in error.
 */
static void mhost_perf_reschedule(struct perf_event *event)
{
	perf_event_disable(event);
	perf_event_enable(event);
}

static void mhost_perf_withdraw_one(struct mhost_perf_event *p)
{
	struct perf_event *event;

	raw_spin_lock_irq(&p->lock);
	event = p->event;
	p->users += !!event;
	raw_spin_unlock_irq(&p->lock);
	if (!event)
		return;
	/* A parent without its child's part has not counted either. It lives as long as that. */
	if (p->parent && !test_and_set_bit(0, &p->parent->refused))
		mhost_perf_reschedule(event->parent);
	mhost_perf_reschedule(event);
	raw_spin_lock_irq(&p->lock);
	p->users--;
	raw_spin_unlock_irq(&p->lock);
	wake_up(&p->unused);
}

/**
 * mhost_perf_withdraw() - let perf know of events that the slice could not count
 * @m: machine, not locked: perf has locks of its own; by the task that RUNs it
 */
void mhost_perf_withdraw(struct mhost_machine *m)
{
	struct llist_node *all = llist_del_all(&m->perf.withdrawn);
	struct mhost_perf_event *p, *tmp;

	llist_for_each_entry_safe(p, tmp, all, withdrawn) {
		mhost_perf_withdraw_one(p);
		mhost_perf_event_put(p);
	}
}

/**
 * mhost_perf_release() - drop a machine's links to perf's events
 * @m: machine, unused from now on
 */
void mhost_perf_release(struct mhost_machine *m)
{
	struct mhost_perf_link *l, *tmp;

	list_for_each_entry_safe(l, tmp, &m->perf.links, link)
		mhost_perf_link_free(l);
}
