// SPDX-License-Identifier: GPL-2.0-only
/*
 * Observers of a vcpu's file descriptor, and the samples that they and the
 * architectural PMU put into rings.
 */
#include <linux/build_bug.h>
#include <linux/err.h>
#include <linux/eventfd.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "compat.h"
#include "host.h"

static_assert(sizeof(struct montecito_filter) == sizeof(struct mont_filter));
static_assert(offsetof(struct montecito_filter, mifb) == offsetof(struct mont_filter, mifb));
static_assert(offsetof(struct montecito_filter, iar_lo) == offsetof(struct mont_filter, iar_lo));
static_assert(offsetof(struct montecito_filter, opc_mask) ==
	      offsetof(struct mont_filter, opc_mask));
static_assert(MONTECITO_FILTER_IAR == MONT_FILTER_IAR);
static_assert(MONTECITO_FILTER_DAR == MONT_FILTER_DAR);
static_assert(MONTECITO_FILTER_OPC == MONT_FILTER_OPC);

/**
 * struct mhost_observer - an observer and whose it is
 * @obs: the model's part
 * @v: file that owns it
 * @id: number there
 */
struct mhost_observer {
	struct mont_observer obs;
	struct mhost_vcpu *v;
	u32 id;
};

static void mhost_sample(struct mhost_vcpu *v, struct montecito_record_sample *s, u16 misc)
{
	struct mont_sample w;

	mont_sample(v->t, &w);
	s->header.type = MONTECITO_RECORD_SAMPLE;
	s->header.misc = misc;
	s->header.size = sizeof(*s);
	s->time = w.cycles;
	s->insns = w.insns;
	s->ip = w.ip;
	s->slot = w.slot;
	s->cpl = w.cpl;
	s->vcpu = v->index;
}

/* In the middle of mont_run(), under the machine's lock. */
static void mhost_observer_overflow(struct mont_observer *obs, struct mont_thread *t)
{
	struct mhost_observer *o = container_of(obs, struct mhost_observer, obs);
	struct montecito_record_sample s = { .source = o->id };

	mhost_sample(o->v, &s, MONTECITO_SAMPLE_OBSERVER);
	mhost_ring_write(o->v->ring, &s, sizeof(s));
	o->v->pending = true;
	o->v->m->pending = true;
}

/**
 * mhost_overflow() - an architectural overflow that the host owns
 * @m: machine, locked
 * @exit: what mont_run() told
 */
void mhost_overflow(struct mhost_machine *m, const struct mont_exit *exit)
{
	struct montecito_record_sample s = { .source = exit->pmc0 };
	struct mhost_vcpu *v;
	u32 i;

	if (list_empty(&m->vcpus[exit->vcpu]))
		return;
	v = list_first_entry(&m->vcpus[exit->vcpu], struct mhost_vcpu, link);
	mhost_sample(v, &s, MONTECITO_SAMPLE_PMU);
	s.ip = exit->ip;
	s.slot = exit->slot;
	s.nr_pmds = MONTECITO_SAMPLE_NR_PMDS;
	for (i = 0; i < MONTECITO_SAMPLE_NR_PMDS; i++) {
		u64 value[2] = {};

		if (!mont_reg_get(v->t, MONT_REG_PMD, 4 + i, value))
			s.pmd[i] = value[0];
	}
	list_for_each_entry(v, &m->vcpus[exit->vcpu], link) {
		if (v->ring)
			mhost_ring_write(v->ring, &s, sizeof(s));
		v->pending = true;
	}
	m->pending = true;
}

/**
 * mhost_wake() - wake who waits for what happened in this slice
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
	int ret;

	mhost_lock(v->m);
	if (o->obs.period && !v->ring) {
		*why = "a sampling observer needs a ring first";
		ret = -ENXIO;
		goto out;
	}
	if (v->m->nr_observers == MONTECITO_MAX_OBSERVERS) {
		*why = "the machine has as many observers as it can";
		ret = -ENOSPC;
		goto out;
	}
	ret = xa_alloc(&v->observers, &o->id, o, xa_limit_31b, GFP_KERNEL_ACCOUNT);
	if (ret)
		goto out;
	ret = mont_observer_attach(v->t, &o->obs, why);
	if (ret) {
		xa_erase(&v->observers, o->id);
		goto out;
	}
	v->m->nr_observers++;
	WRITE_ONCE(v->m->slice, MHOST_SLICE_MIN);
	a->id = o->id;
out:
	mhost_unlock(v->m);
	return ret;
}

/**
 * mhost_observer_add() - MONTECITO_OBSERVER_ADD
 * @obj: vcpu file
 * @arg: struct montecito_observer_add
 *
 * Return: 0 or a negative errno.
 */
long mhost_observer_add(void *obj, void *arg)
{
	struct mhost_vcpu *v = obj;
	struct montecito_observer_add *a = arg;
	bool sample = a->flags & MONTECITO_OBSERVER_SAMPLE;
	struct mhost_observer *o;
	const char *why = NULL;
	int ret;

	memset(a->why, 0, sizeof(a->why));
	if (a->pad || a->filter.pad)
		return -EINVAL;
	if (sample != !!a->period) {
		strscpy(a->why,
			sample ? "sampling needs a period" : "a period goes with sampling only",
			sizeof(a->why));
		return -EINVAL;
	}
	o = kzalloc(sizeof(*o), GFP_KERNEL_ACCOUNT);
	if (!o)
		return -ENOMEM;
	o->v = v;
	o->obs.period = a->period;
	o->obs.overflow = sample ? mhost_observer_overflow : NULL;
	memcpy(&o->obs.filter, &a->filter, sizeof(o->obs.filter));
	ret = mhost_observer_attach(v, o, a, &why);
	if (ret) {
		if (why)
			strscpy(a->why, why, sizeof(a->why));
		kfree(o);
	}
	return ret;
}

static void mhost_observer_free(struct mhost_observer *o)
{
	struct mhost_vcpu *v = o->v;

	mont_observer_detach(v->t, &o->obs);
	xa_erase(&v->observers, o->id);
	v->m->nr_observers--;
	kfree(o);
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

	if (d->pad)
		return -EINVAL;
	mhost_lock(v->m);
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
	if (r->count > MONTECITO_MAX_BATCH)
		return -EINVAL;
	if (!r->count)
		return 0;
	ids = kmalloc_array(r->count, sizeof(*ids), GFP_KERNEL_ACCOUNT);
	counts = kmalloc_array(r->count, sizeof(*counts), GFP_KERNEL_ACCOUNT);
	if (!ids || !counts)
		goto out;
	ret = -EFAULT;
	if (copy_from_user(ids, u64_to_user_ptr(r->ids), r->count * sizeof(*ids)))
		goto out;
	ret = 0;
	mhost_lock(v->m);
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
	kfree(counts);
	kfree(ids);
	return ret;
}

/**
 * mhost_observers_release() - remove all of a file's observers
 * @v: vcpu file; its machine is locked
 */
void mhost_observers_release(struct mhost_vcpu *v)
{
	struct mhost_observer *o;
	unsigned long id;

	xa_for_each(&v->observers, id, o)
		mhost_observer_free(o);
	xa_destroy(&v->observers);
}
