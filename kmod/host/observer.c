// SPDX-License-Identifier: GPL-2.0-only
/*
 * Observers of a vcpu's file descriptor, and the samples that they and the
 * architectural PMU put into rings.
 */
#include <linux/err.h>
#include <linux/eventfd.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "compat.h"
#include "host.h"
#include "lock.h"
#include "observer.h"
#include "pages.h"
#include "ring.h"
#include "trace.h"

/**
 * struct mhost_observer - an observer and whose it is
 * @obs: the model's part
 * @v: file that owns it
 * @table: counts by instruction, if it keeps them
 * @account: who answers for @table
 * @pmds: of its EAR or trace buffer, in its samples
 * @max_callchain: most return addresses of its samples
 * @id: number there
 */
struct mhost_observer {
	struct mont_observer obs;
	struct mhost_vcpu *v;
	struct mhost_table table;
	struct mhost_account account;
	u64 pmds;
	u32 max_callchain;
	u32 id;
};

/**
 * mhost_pend() - let poll() and the eventfd tell of the ring, when the slice is over
 * @v: a file with something new in its ring; the machine's lock is held
 */
void mhost_pend(struct mhost_vcpu *v)
{
	if (v->ring && !mhost_ring_readable(v->ring))
		return;
	v->pending = true;
	v->m->pending = true;
}

static void mhost_observer_trace(const struct mhost_observer *o, const struct mont_sample *w)
{
	trace_montecito_overflow(o->v->m->id, o->v->index, MONTECITO_SAMPLE_OBSERVER, o->id,
				 mhost_perf_config(&o->obs.filter), o->obs.period, w);
}

/* In the middle of mont_run(), under the machine's lock. */
static void mhost_observer_overflow(struct mont_observer *obs, const struct mont_occurrence *at)
{
	struct mhost_observer *o = container_of(obs, struct mhost_observer, obs);
	struct montecito_record_sample *s = o->v->ring->scratch;
	struct mont_sample w;

	*s = (struct montecito_record_sample){ .source = o->id };
	mont_sample(at->owner, &w);
	mhost_observer_trace(o, &w);
	mhost_sample_out(&w, o->v->index, MONTECITO_SAMPLE_OBSERVER, s);
	mhost_capture_pmds(obs, o->pmds, s, s->value);
	mhost_data_out(at, &w, s);
	mhost_chain_out(at->owner, o->max_callchain, s);
	mhost_ring_write(o->v->ring, s, s->header.size);
	mhost_pend(o->v);
}

/* Add an occurrence to the table of an observer that counts by instruction. */
static void mhost_observer_tally(struct mont_observer *obs, const struct mont_occurrence *at)
{
	struct mhost_observer *o = container_of(obs, struct mhost_observer, obs);
	struct mont_sample w;

	mont_sample(at->owner, &w);
	mhost_observer_trace(o, &w);
	mhost_table_add(&o->table, w.ip, w.slot, obs->period);
}

/**
 * mhost_overflow() - an architectural overflow that the host owns
 * @m: machine, locked
 * @exit: what mont_run() told
 *
 * Return: true if the counters were reloaded and the guest can go on.
 */
bool mhost_overflow(struct mhost_machine *m, const struct mont_exit *exit)
{
	const struct mhost_sampling *c = &m->sampling[exit->vcpu];
	struct mont_thread *t = mont_vcpu(m->pkg, exit->vcpu);
	union {
		struct montecito_record_sample s;
		u8 raw[sizeof(struct montecito_record_sample) + 64 * sizeof(__u64)];
	} u = { .s.source = exit->pmc0 };
	struct mhost_vcpu *v;
	struct mont_sample w;
	u64 reloaded;

	mont_sample(t, &w);
	mhost_sample_out(&w, exit->vcpu, MONTECITO_SAMPLE_PMU, &u.s);
	u.s.ip = exit->ip;
	u.s.slot = exit->slot;
	mhost_sample_pmds(t, mhost_overflow_pmds(c, exit->pmc0), &u.s, u.s.value);
	list_for_each_entry(v, &m->vcpus[exit->vcpu], link) {
		if (v->ring)
			mhost_ring_write(v->ring, &u, u.s.header.size);
		mhost_pend(v);
	}
	w.ip = exit->ip;
	w.slot = exit->slot;
	trace_montecito_overflow(m->id, exit->vcpu, MONTECITO_SAMPLE_PMU, exit->pmc0, 0, 0, &w);
	reloaded = mhost_overflow_reload(t, c, exit->pmc0);
	trace_montecito_pmu(m->id, exit->vcpu, exit->pmc0, reloaded);
	return reloaded;
}

/**
 * mhost_pmu_sampling() - MONTECITO_PMU_SAMPLING
 * @obj: vcpu file
 * @arg: struct montecito_pmu_sampling
 *
 * Return: 0 or a negative errno.
 */
long mhost_pmu_sampling(void *obj, void *arg)
{
	struct mhost_vcpu *v = obj;
	const struct montecito_pmu_sampling *p = arg;
	int ret;

	if (!(v->m->cfg.flags & MONT_CFG_HOST_PMU))
		return -ENXIO;
	ret = mhost_enter(v->m);
	if (ret)
		return ret;
	ret = mhost_sampling_set(&v->m->sampling[v->index], p, array_index_nospec(p->counter, 16));
	mhost_unlock(v->m);
	return ret;
}

/**
 * mhost_wake() - wake the waiters for what happened in this slice
 * @m: machine, locked
 */
void mhost_wake(struct mhost_machine *m)
{
	struct mhost_vcpu *v;
	u32 i;

	if (!m->pending)
		return;
	m->pending = false;
	for (i = 0; i < m->nr_vcpus; i++) {
		list_for_each_entry(v, &m->vcpus[i], link) {
			if (!v->pending)
				continue;
			v->pending = false;
			wake_up_interruptible(&v->wq);
			if (v->efd)
				mhost_eventfd_signal(v->efd);
		}
	}
}

static int mhost_observer_attach(struct mhost_vcpu *v, struct mhost_observer *o,
				 struct montecito_observer_add *a, const char **why)
{
	struct mhost_machine *m = v->m;
	int ret;

	ret = mhost_enter(m);
	if (ret)
		return ret;
	if (a->flags & MONTECITO_OBSERVER_SAMPLE && !v->ring) {
		*why = "a sampling observer needs a ring first";
		ret = -ENXIO;
		goto out;
	}
	if (m->nr_vcpu_observers[v->index] == MHOST_MAX_VCPU_OBSERVERS) {
		*why = "the vcpu has as many observers as it can";
		ret = -ENOSPC;
		goto out;
	}
	if (o->obs.period && m->nr_vcpu_samplers[v->index] == MHOST_MAX_VCPU_SAMPLERS) {
		*why = "the vcpu has as many observers with a period as it can";
		ret = -ENOSPC;
		goto out;
	}
	/* The number is reserved; it finds the observer only once the caller knows it. */
	ret = xa_alloc(&v->observers, &o->id, NULL, xa_limit_31b, GFP_KERNEL_ACCOUNT);
	if (ret)
		goto out;
	ret = mont_observer_attach(v->t, &o->obs, why);
	if (ret) {
		xa_erase(&v->observers, o->id);
		goto out;
	}
	WRITE_ONCE(m->nr_vcpu_observers[v->index], m->nr_vcpu_observers[v->index] + 1);
	m->nr_vcpu_samplers[v->index] += !!o->obs.period;
	a->id = o->id;
out:
	mhost_unlock(m);
	return ret;
}

/* Check the parts of a request that do not depend on the machine. */
static int mhost_observer_check(const struct montecito_observer_add *a, const char **why)
{
	bool sample = a->flags & MONTECITO_OBSERVER_SAMPLE;
	bool table = a->flags & MONTECITO_OBSERVER_TABLE;

	if (sample && table) {
		*why = "samples or a table, not both";
		return -EINVAL;
	}
	if ((sample || table) != !!a->period) {
		*why = a->period ? "a period goes with sampling only" : "sampling needs a period";
		return -EINVAL;
	}
	if (mhost_period_check(a->period, why) || mhost_random_check(a, why) ||
	    mhost_chain_check(a, why))
		return -EINVAL;
	if (table ? a->table_order > MHOST_MAX_TABLE_ORDER : a->table_order) {
		*why = "table_order is of no use, or too large";
		return -EINVAL;
	}
	if (a->sample_pmds && !sample) {
		*why = "sample_pmds goes with sampling only";
		return -EINVAL;
	}
	return 0;
}

static void mhost_observer_put(struct mhost_observer *o)
{
	kvfree(o->table.entry);
	mhost_uncharge(&o->account);
	kfree(o);
}

static int mhost_observer_table(struct mhost_observer *o, u32 order)
{
	size_t size = sizeof(*o->table.entry) << order;
	int ret = mhost_charge(&o->account, MHOST_PAGES(size), 0);

	if (ret)
		return ret;
	o->table.order = order;
	o->table.entry = mhost_alloc(size);
	o->obs.overflow = mhost_observer_tally;
	return o->table.entry ? 0 : -ENOMEM;
}

/* The filter of @a, with the matches that it refers to. */
static int mhost_observer_filter(const struct montecito_observer_add *a, struct mont_filter *f,
				 const char **why)
{
	struct montecito_opc_match match[MONTECITO_OPC_MATCHES];
	int ret;

	if (a->nr_matches > MONTECITO_OPC_MATCHES) {
		*why = "a filter takes eight opcode matches at most";
		return -EINVAL;
	}
	if (copy_from_user(match, u64_to_user_ptr(a->matches), a->nr_matches * sizeof(match[0])))
		return -EFAULT;
	ret = mhost_filter_in(&a->filter, f, why);
	return ret ? ret : mhost_matches_in(a, match, f, why);
}

static struct mhost_observer *
mhost_observer_new(struct mhost_vcpu *v, const struct montecito_observer_add *a, const char **why)
{
	struct mhost_observer *o;
	int ret;

	ret = mhost_observer_check(a, why);
	if (ret)
		return ERR_PTR(ret);
	o = kzalloc(sizeof(*o), GFP_KERNEL_ACCOUNT);
	if (!o)
		return ERR_PTR(-ENOMEM);
	ret = mhost_observer_filter(a, &o->obs.filter, why);
	if (!ret)
		ret = mhost_pmds_check(&o->obs.filter, a->sample_pmds, why);
	if (!ret && a->flags & MONTECITO_OBSERVER_TABLE)
		ret = mhost_observer_table(o, a->table_order);
	if (ret) {
		mhost_observer_put(o);
		return ERR_PTR(ret);
	}
	o->v = v;
	o->obs.period = a->period;
	o->obs.random_mask = a->random_mask;
	o->obs.random = a->random_seed;
	o->pmds = a->sample_pmds;
	o->max_callchain = a->max_callchain;
	o->obs.chain = a->max_callchain;
	if (a->flags & MONTECITO_OBSERVER_SAMPLE)
		o->obs.overflow = mhost_observer_overflow;
	return o;
}

/* Free an observer that has been detached. */
static void mhost_observer_forget(struct mhost_observer *o)
{
	struct mhost_vcpu *v = o->v;

	xa_erase(&v->observers, o->id);
	WRITE_ONCE(v->m->nr_vcpu_observers[v->index], v->m->nr_vcpu_observers[v->index] - 1);
	v->m->nr_vcpu_samplers[v->index] -= !!o->obs.period;
	mhost_observer_put(o);
}

static void mhost_observer_free(struct mhost_observer *o)
{
	mont_observer_detach(o->v->t, &o->obs);
	mhost_observer_forget(o);
}

/**
 * mhost_observer_add() - MONTECITO_OBSERVER_ADD
 * @obj: vcpu file
 * @arg: struct mhost_observation
 *
 * Return: 0 or a negative errno.
 */
long mhost_observer_add(void *obj, void *arg)
{
	struct mhost_vcpu *v = obj;
	struct mhost_observation *new = arg;
	struct montecito_observer_add *a = &new->a;
	struct mhost_observer *o;
	const char *why = NULL;
	int ret;

	memset(a->why, 0, sizeof(a->why));
	o = mhost_observer_new(v, a, &why);
	ret = PTR_ERR_OR_ZERO(o);
	if (!ret) {
		ret = mhost_observer_attach(v, o, a, &why);
		if (ret)
			mhost_observer_put(o);
	}
	new->o = o;
	if (ret && why)
		strscpy(a->why, why, sizeof(a->why));
	return ret;
}

/**
 * mhost_observer_add_end() - make an observer known by its number, or take it away
 * @obj: vcpu file
 * @arg: struct mhost_observation
 * @ret: 0
 * @told: @arg could be written back
 *
 * The number has found no observer up to now: this is the one of mhost_observer_add().
 */
void mhost_observer_add_end(void *obj, void *arg, long ret, bool told)
{
	struct mhost_vcpu *v = obj;
	struct mhost_observation *new = arg;

	mhost_lock_release(v->m);
	if (told)
		/* The entry is reserved: no memory is needed. */
		xa_store(&v->observers, new->o->id, new->o, GFP_KERNEL_ACCOUNT);
	else
		mhost_observer_free(new->o);
	mhost_unlock(v->m);
}

/**
 * mhost_observer_del() - MONTECITO_OBSERVER_DEL
 * @obj: vcpu file
 * @arg: struct montecito_observer_del
 *
 * Return: 0 or a negative errno.
 */
long mhost_observer_del(void *obj, void *arg)
{
	struct mhost_vcpu *v = obj;
	const struct montecito_observer_del *d = arg;
	struct mhost_observer *o;
	int ret;

	if (d->pad)
		return -EINVAL;
	ret = mhost_lock(v->m);
	if (ret)
		return ret;
	o = xa_load(&v->observers, d->id);
	if (o)
		mhost_observer_free(o);
	mhost_unlock(v->m);
	return o ? 0 : -ENOENT;
}

/**
 * mhost_observer_read() - MONTECITO_OBSERVER_READ
 * @obj: vcpu file
 * @arg: struct montecito_observer_read
 *
 * Return: 0 or a negative errno.
 */
long mhost_observer_read(void *obj, void *arg)
{
	struct mhost_vcpu *v = obj;
	struct montecito_observer_read *r = arg;
	long ret = -ENOMEM;
	u64 *counts;
	u32 *ids;
	u32 i;

	r->bad = r->count;
	if (r->count > MHOST_MAX_BATCH)
		return -EINVAL;
	if (!r->count)
		return 0;
	ids = mhost_alloc(r->count * sizeof(*ids));
	counts = mhost_alloc(r->count * sizeof(*counts));
	if (!ids || !counts)
		goto out;
	ret = -EFAULT;
	if (copy_from_user(ids, u64_to_user_ptr(r->ids), r->count * sizeof(*ids)))
		goto out;
	ret = mhost_enter(v->m);
	if (ret)
		goto out;
	for (i = 0; i < r->count; i++) {
		struct mhost_observer *o = xa_load(&v->observers, ids[i]);

		if (!o) {
			r->bad = i;
			ret = -ENOENT;
			break;
		}
		counts[i] = mont_observer_read(v->t, &o->obs);
	}
	mhost_unlock(v->m);
	if (!ret && copy_to_user(u64_to_user_ptr(r->counts), counts, r->count * sizeof(*counts)))
		ret = -EFAULT;
out:
	kvfree(counts);
	kvfree(ids);
	return ret;
}

/* At one instant, into kernel memory, with what was asked for told. */
static int mhost_table_take(struct mhost_vcpu *v, struct montecito_table_read *r,
			    struct montecito_table_entry *to, u32 room)
{
	struct mhost_observer *o;
	int ret = mhost_enter(v->m);

	if (ret)
		return ret;
	o = xa_load(&v->observers, r->id);
	if (!o) {
		ret = -ENOENT;
	} else if (!o->table.entry) {
		ret = -ENXIO;
	} else {
		r->count = o->table.used;
		r->lost = o->table.lost;
		if (r->count > room)
			ret = -ENOSPC;
		else
			r->count = mhost_table_copy(&o->table, to);
		if (!ret && r->flags & MONTECITO_TABLE_CLEAR)
			mhost_table_clear(&o->table);
	}
	mhost_unlock(v->m);
	return ret;
}

/**
 * mhost_table_read() - MONTECITO_TABLE_READ
 * @obj: vcpu file
 * @arg: struct montecito_table_read
 *
 * Return: 0 or a negative errno.
 */
long mhost_table_read(void *obj, void *arg)
{
	struct montecito_table_read *r = arg;
	struct montecito_table_entry __user *user = u64_to_user_ptr(r->entries);
	u32 room = min_t(u32, r->count, 1U << MHOST_MAX_TABLE_ORDER);
	struct montecito_table_entry *to;
	int ret;

	r->count = 0;
	r->lost = 0;
	/* Find a buffer that cannot be written before the table is emptied. */
	if (clear_user(user, room * sizeof(*to)))
		return -EFAULT;
	to = mhost_alloc(room * sizeof(*to));
	if (!to)
		return -ENOMEM;
	ret = mhost_table_take(obj, r, to, room);
	if (!ret && copy_to_user(user, to, r->count * sizeof(*to)))
		ret = -EFAULT;
	kvfree(to);
	return ret;
}

/**
 * mhost_observers_release() - remove all of a file's observers
 * @v: vcpu file, unused from now on; its machine is not locked
 *
 * All are detached at once, since arming the remaining ones anew takes as long as
 * detaching some hundred.
 */
void mhost_observers_release(struct mhost_vcpu *v)
{
	struct mhost_observer *o;
	unsigned long id;

	if (!xa_empty(&v->observers)) {
		mhost_lock_release(v->m);
		xa_for_each(&v->observers, id, o)
			mont_observer_remove(v->t, &o->obs);
		mont_observers_changed(v->t);
		xa_for_each(&v->observers, id, o)
			mhost_observer_forget(o);
		mhost_unlock(v->m);
	}
	xa_destroy(&v->observers);
}
