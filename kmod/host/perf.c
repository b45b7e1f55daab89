// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU "montecito" of the host's own perf.
 *
 * perf calls these with the context's lock held and interrupts off, on the CPU that is
 * concerned, but for event_init and destroy. An event holds no machine and a machine no
 * event. What perf has is added to event->count when it reads or stops an event; before
 * that it waits in mhost_perf_event.pending.
 */
#include <linux/bitfield.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "perf.h"
#include "perf_slice.h"

DEFINE_PER_CPU(struct mhost_perf_cpu, mhost_perf_cpus);
/* Events that are open, and observers made for them. */
atomic_t mhost_perf_used = ATOMIC_INIT(0);

/*
 * Sample types that describe the guest. perf_tp_event() would fill the others (call
 * chains, registers, addresses) with the host's, and present counts are known to the
 * model alone.
 */
#define MHOST_PERF_SAMPLES                                                                        \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_CPU | \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_RAW | PERF_SAMPLE_IDENTIFIER |  \
	 PERF_SAMPLE_CGROUP)

/* Where a frequency begins: perf goes on from there with each sample and each tick. */
#define MHOST_PERF_FIRST_PERIOD 100000

static struct pmu mhost_pmu;

static void mhost_perf_event_free(struct kref *ref)
{
	struct mhost_perf_event *p = container_of(ref, struct mhost_perf_event, ref);

	if (p->parent)
		mhost_perf_event_put(p->parent);
	kfree(p);
}

/**
 * mhost_perf_event_put() - drop a reference
 * @p: event
 */
void mhost_perf_event_put(struct mhost_perf_event *p)
{
	kref_put(&p->ref, mhost_perf_event_free);
}

/**
 * mhost_perf_count() - a slice has ended: the event has counted
 * @p: event, referenced
 * @n: so many
 *
 * An inactive event can leave perf before it is read: an inherited one hands its count
 * to its parent then.
 */
void mhost_perf_count(struct mhost_perf_event *p, u64 n)
{
	bool done = !n;

	for (; !done && p; p = p->parent) {
		raw_spin_lock_irq(&p->lock);
		done = p->active || (!p->parent && p->event);
		if (p->active)
			p->pending += n;
		else if (done)
			local64_add(n, &p->event->count);
		raw_spin_unlock_irq(&p->lock);
	}
}

static void mhost_pmu_read(struct perf_event *event)
{
	struct mhost_perf_event *p = event->pmu_private;

	raw_spin_lock(&p->lock);
	local64_add(p->pending, &event->count);
	p->pending = 0;
	raw_spin_unlock(&p->lock);
}

static void mhost_pmu_start(struct perf_event *event, int flags)
{
	perf_event_addr_filters_sync(event);
	event->hw.state = 0;
}

static void mhost_pmu_stop(struct perf_event *event, int flags)
{
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	mhost_pmu_read(event);
}

static int mhost_pmu_add(struct perf_event *event, int flags)
{
	struct mhost_perf_cpu *c = this_cpu_ptr(&mhost_perf_cpus);
	struct mhost_perf_event *p = event->pmu_private;

	if (READ_ONCE(p->refused)) {
		/*
		 * Up to here perf has taken it for counting: to whom reads it, or the group,
		 * it has not counted at all, which is not a count of 0.
		 */
		event->total_time_running = 0;
		event->group_leader->total_time_running = 0;
		return -EOPNOTSUPP;
	}
	if (c->nr == MHOST_MAX_PERF_EVENTS ||
	    (is_sampling_event(event) && c->samplers == MHOST_MAX_PERF_SAMPLERS))
		return -ENOSPC;
	perf_event_addr_filters_sync(event);
	hlist_add_head_rcu(&event->hlist_entry, &p->alone);
	list_add_tail(&p->link, &c->active);
	c->nr++;
	c->samplers += is_sampling_event(event);
	event->hw.state = flags & PERF_EF_START ? 0 : PERF_HES_STOPPED | PERF_HES_UPTODATE;
	raw_spin_lock(&p->lock);
	p->active = true;
	raw_spin_unlock(&p->lock);
	WRITE_ONCE(p->cpu, smp_processor_id());
	return 0;
}

static void mhost_pmu_del(struct perf_event *event, int flags)
{
	struct mhost_perf_cpu *c = this_cpu_ptr(&mhost_perf_cpus);
	struct mhost_perf_event *p = event->pmu_private;

	WRITE_ONCE(p->cpu, -1);
	list_del(&p->link);
	hlist_del_rcu(&event->hlist_entry);
	c->nr--;
	c->samplers -= is_sampling_event(event);
	raw_spin_lock(&p->lock);
	p->active = false;
	raw_spin_unlock(&p->lock);
	mhost_pmu_stop(event, PERF_EF_UPDATE);
}

/* An instruction range, from the event's next slice on. */
static void mhost_pmu_filters_sync(struct perf_event *event)
{
	const struct perf_addr_filter_range *range = event->addr_filter_ranges;
	struct mhost_perf_event *p = event->pmu_private;

	raw_spin_lock(&p->lock);
	p->filter.flags = range->size ? MONT_FILTER_IAR : 0;
	p->filter.iar_lo = range->start;
	p->filter.iar_hi = range->start + range->size;
	p->generation++;
	raw_spin_unlock(&p->lock);
}

/* Addresses are the guest's: no file that perf could know is mapped there. */
static int mhost_pmu_filters_validate(struct list_head *filters)
{
	struct perf_addr_filter *f;

	list_for_each_entry(f, filters, entry) {
		if (f->action != PERF_ADDR_FILTER_ACTION_FILTER || f->path.dentry)
			return -EOPNOTSUPP;
		if (f->offset + f->size < f->offset)
			return -EINVAL;
	}
	return 0;
}

static void mhost_pmu_destroy(struct perf_event *event)
{
	struct mhost_perf_event *p = event->pmu_private;

	raw_spin_lock_irq(&p->lock);
	WRITE_ONCE(p->event, NULL);
	raw_spin_unlock_irq(&p->lock);
	/* No user comes any more: each begins with the event that it found under the lock. */
	wait_event(p->unused, !READ_ONCE(p->users));
	atomic_dec(&mhost_perf_used);
	mhost_perf_event_put(p);
}

/**
 * mhost_perf_here() - how many of perf's events would count a slice that began now
 *
 * Return: how many.
 */
u32 mhost_perf_here(void)
{
	return raw_cpu_read(mhost_perf_cpus.nr);
}

/* The levels that :u, :k and plm= name. */
static u8 mhost_perf_plm(const struct perf_event_attr *a)
{
	if (a->config & MHOST_PERF_PLM)
		return FIELD_GET(MHOST_PERF_PLM, a->config);
	return (a->exclude_user ? 0 : 0x8) | (a->exclude_kernel ? 0 : 0x7);
}

static int mhost_perf_filter(const struct perf_event_attr *a, struct mont_filter *f)
{
	const char *why;

	if (a->config & ~MHOST_PERF_CONFIG ||
	    a->config1 & ~(MHOST_PERF_MACHINE | MHOST_PERF_VCPUS) || a->config2)
		return -EINVAL;
#ifdef PERF_ATTR_SIZE_VER8
	if (a->config3)
		return -EINVAL;
#endif
	*f = (struct mont_filter){
		.code = FIELD_GET(MHOST_PERF_CODE, a->config),
		.umask = FIELD_GET(MHOST_PERF_UMASK, a->config),
		.threshold = FIELD_GET(MHOST_PERF_THRESHOLD, a->config),
		.plm = mhost_perf_plm(a),
		.ear = FIELD_GET(MHOST_PERF_EAR, a->config),
		.ear_umask = FIELD_GET(MHOST_PERF_EAR_UMASK, a->config),
	};
	if (f->ear_umask && !f->ear)
		return -EINVAL;
	/* With time: whether a machine has that is not known before it runs. */
	return mont_filter_check(f, ~0U, &why);
}

static int mhost_pmu_init(struct perf_event *event)
{
	const struct perf_event_attr *a = &event->attr;
	struct mhost_perf_event *p;
	struct mont_filter filter;
	int ret;

	if (a->type != mhost_pmu.type)
		return -ENOENT;
	/* A signal comes when the task leaves the kernel: too late for all samples but one. */
	if (has_branch_stack(event) || a->sample_type & ~MHOST_PERF_SAMPLES || a->sigtrap)
		return -EOPNOTSUPP;
	if (is_sampling_event(event) && !mhost_perf_sampling && !mhost_perf_is_test(event))
		return -EOPNOTSUPP;
	ret = mhost_perf_filter(a, &filter);
	if (ret)
		return ret;
	p = kzalloc(sizeof(*p), GFP_KERNEL_ACCOUNT);
	if (!p)
		return -ENOMEM;
	kref_init(&p->ref);
	raw_spin_lock_init(&p->lock);
	init_waitqueue_head(&p->unused);
	INIT_HLIST_HEAD(&p->alone);
	p->cpu = -1;
	p->event = event;
	p->filter = filter;
	p->machine = FIELD_GET(MHOST_PERF_MACHINE, a->config1);
	p->vcpus = FIELD_GET(MHOST_PERF_VCPUS, a->config1);
	if (event->parent) {
		p->parent = event->parent->pmu_private;
		kref_get(&p->parent->ref);
		p->refused = READ_ONCE(p->parent->refused);
	}
	if (a->freq)
		event->hw.sample_period = MHOST_PERF_FIRST_PERIOD;
	/*
	 * Events take no turns here: one that does not fit is in error, which perf tells from a
	 * count of 0.
	 */
	event->attr.pinned = event->group_leader == event;
	event->pmu_private = p;
	event->destroy = mhost_pmu_destroy;
	atomic_inc(&mhost_perf_used);
	return 0;
}

static struct pmu mhost_pmu = {
	.module = THIS_MODULE,
	.task_ctx_nr = perf_sw_context,
	.attr_groups = mhost_perf_groups,
	.nr_addr_filters = 1,
	.event_init = mhost_pmu_init,
	.add = mhost_pmu_add,
	.del = mhost_pmu_del,
	.start = mhost_pmu_start,
	.stop = mhost_pmu_stop,
	.read = mhost_pmu_read,
	.addr_filters_sync = mhost_pmu_filters_sync,
	.addr_filters_validate = mhost_pmu_filters_validate,
};

/**
 * mhost_perf_init() - register the PMU
 *
 * Return: 0 or a negative errno.
 */
int mhost_perf_init(void)
{
	int cpu, ret;

	for_each_possible_cpu(cpu) INIT_LIST_HEAD(&per_cpu(mhost_perf_cpus, cpu).active);
	ret = mhost_perf_names_init();
	if (ret)
		return ret;
	ret = perf_pmu_register(&mhost_pmu, "montecito", -1);
	if (ret)
		mhost_perf_names_exit();
	else
		mhost_perf_test(mhost_pmu.type);
	return ret;
}

/**
 * mhost_perf_exit() - undo mhost_perf_init()
 *
 * An open event holds the module, so there is none.
 */
void mhost_perf_exit(void)
{
	perf_pmu_unregister(&mhost_pmu);
	mhost_perf_names_exit();
}
