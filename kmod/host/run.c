// SPDX-License-Identifier: GPL-2.0-only
/*
 * MONTECITO_RUN: the guest executes in its caller's context, in slices. Between
 * two slices the machine's lock is free, the scheduler is asked, and signals
 * are seen. The model guarantees that slices do not show in the run.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/nospec.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/wait.h>

#include "host.h"
#include "lock.h"
#include "netlink.h"
#include "notify.h"
#include "observer.h"
#include "perf_slice.h"
#include "run.h"
#include "snapshot.h"
#include "trace.h"

/**
 * mhost_uncounted_take() - what the guests programmed that is not counted
 * @m: machine, locked
 *
 * Taken out of the model, for RUN and netlink to tell of.
 */
void mhost_uncounted_take(struct mhost_machine *m)
{
	u32 i;

	for (i = 0; i < m->nr_vcpus; i++) {
		u64 bits = mont_uncounted(mont_vcpu(m->pkg, i));

		m->uncounted[i] |= bits;
		m->unnoted[i] |= bits;
	}
}

static void mhost_run_uncounted(struct mhost_machine *m, struct mhost_note *note)
{
	u32 i;

	mhost_uncounted_take(m);
	for (i = 0; i < m->nr_vcpus; i++) {
		if (m->unnoted[i])
			mhost_note_uncounted(m, i, m->unnoted[i], &note[i]);
		m->unnoted[i] = 0;
	}
}

/* RUN tells of one vcpu at a time; another one's turn comes with the next. */
static void mhost_run_report(struct mhost_machine *m, struct montecito_run *r)
{
	u32 i;

	r->uncounted = 0;
	r->uncounted_vcpu = 0;
	for (i = 0; i < m->nr_vcpus; i++) {
		if (!m->uncounted[i])
			continue;
		r->uncounted = m->uncounted[i];
		r->uncounted_vcpu = i;
		m->uncounted[i] = 0;
		return;
	}
}

/*
 * Let waiters for the lock go first. A mutex alone hands over only after the
 * scheduler has let the waiter run twice, so sleep until they are gone; for a bounded
 * time, since a crowd of readers may not stop the guest.
 */
static void mhost_give_way(struct mhost_machine *m)
{
	if (unlikely(atomic_read(&m->waiting)))
		wait_event_interruptible_timeout(m->turn, !atomic_read(&m->waiting), 1);
}

/*
 * Decide in the course of mont_run() whether the slice ends. The budget of work only
 * estimates time; this looks at the clock, at the scheduler and at fatal signals.
 */
static bool mhost_run_stop(void *host)
{
	const u64 *deadline = host;

	return need_resched() || fatal_signal_pending(current) ||
	       ktime_get_mono_fast_ns() >= *deadline;
}

/*
 * Memory may have changed that the model has not been told of (mhost_mem_changed()): let it
 * forget what it keeps of all memory, as much of that as the slice has time for. Nothing is
 * executed until all is forgotten.
 *
 * Return: true when it is.
 */
static bool mhost_run_forget(struct mhost_machine *m, u64 *deadline)
{
	/* Changed again in the meantime: from the beginning. */
	if (READ_ONCE(m->stale)) {
		WRITE_ONCE(m->stale, false);
		m->stale_regions = m->nr_regions;
		m->stale_done = 0;
	}
	while (m->stale_regions) {
		const struct mhost_region *r = &m->region[m->stale_regions - 1];
		u64 n = min_t(u64, r->r.length - m->stale_done, MHOST_COPY_CHUNK);

		/* A range that is served by the caller may be as long as 2^50 bytes. */
		if (r->pages.addr && n) {
			mont_mem_invalidate(m->pkg, r->r.addr + m->stale_done, n);
			m->stale_done += n;
			if (mhost_run_stop(deadline))
				return false;
			continue;
		}
		m->stale_regions--;
		m->stale_done = 0;
	}
	return true;
}

/* The model runs until @deadline; what perf has to do before that is work of the slice. */
static void mhost_run_model(struct mhost_machine *m, struct mont_budget *budget, u64 *deadline,
			    struct mont_exit *exit)
{
	bool perf = mhost_perf_is_used();
	u64 work = 0;

	if (perf)
		work = min(mhost_perf_slice_begin(m), budget->work - 1);
	budget->work -= work;
	budget->stop = mhost_run_stop;
	budget->host = deadline;
	mont_run(m->pkg, budget, exit);
	exit->work += work;
	if (perf)
		mhost_perf_slice_end(m);
	trace_montecito_slice(m->id, exit);
}

/* One slice and what came of it; the notes are sent without the lock. */
static void mhost_run_slice(struct mhost_machine *m, struct mont_budget *budget,
			    struct mont_exit *exit)
{
	struct mhost_note overflow = {}, uncounted[MONT_MAX_VCPUS] = {};
	u64 deadline;
	u32 i;

	mhost_give_way(m);
	/* Being killed: the signal ends the run before the next slice. */
	if (mutex_lock_killable(&m->lock))
		return;
	deadline = ktime_get_mono_fast_ns() + MHOST_SLICE_NS;
	if (mhost_run_forget(m, &deadline))
		mhost_run_model(m, budget, &deadline, exit);
	mhost_run_uncounted(m, uncounted);
	if (unlikely(exit->reason == MONT_EXIT_BROKEN))
		pr_err_once("montecito: the model contradicts itself, machine %u has ended: %s\n",
			    m->id, mont_broken(m->pkg));
	if (exit->reason == MONT_EXIT_PMU_OVERFLOW) {
		mhost_note_overflow(m, exit, &overflow);
		/* Reloaded: to RUN it is the end of a slice, no more. */
		if (mhost_overflow(m, exit))
			exit->reason = MONT_EXIT_WORK;
	}
	mhost_publish(m);
	mhost_wake(m);
	mhost_unlock(m);
	mhost_perf_withdraw(m);
	mhost_note_send(m, &overflow);
	for (i = 0; i < m->nr_vcpus; i++)
		mhost_note_send(m, &uncounted[i]);
}

static void mhost_run_slices(struct mhost_machine *m, struct montecito_run *r)
{
	u64 insns = 0, cycles = 0;
	struct mont_exit exit;

	for (;;) {
		struct mont_budget budget = {
			.insns = r->insns ? r->insns - insns : 0,
			.cycles = r->cycles ? r->cycles - cycles : 0,
			.work = MONT_WORK_DEFAULT,
			.flags = mhost_run_flags(r),
			.until = r->until,
			.step_vcpu = r->step_vcpu,
			.nr_breakpoints = r->nr_breakpoints,
			.breakpoints = m->breakpoint,
		};

		exit = (struct mont_exit){ .reason = MONT_EXIT_WORK };
		if (signal_pending(current)) {
			exit.reason = MONTECITO_EXIT_SIGNAL;
			break;
		}
		mhost_run_slice(m, &budget, &exit);
		insns += exit.insns;
		cycles += exit.cycles;
		if (exit.reason != MONT_EXIT_WORK)
			break;
		if ((r->insns && insns >= r->insns) || (r->cycles && cycles >= r->cycles)) {
			exit.reason = MONT_EXIT_BUDGET;
			break;
		}
		/* Waiters of synchronize_rcu_tasks() need a quiescent state of this task. */
		cond_resched_tasks_rcu_qs();
	}
	mhost_exit_out(&exit, &r->exit);
	r->exit.insns = insns;
	r->exit.cycles = cycles;
}

/* Hand the model the data with which the caller answers a vcpu's load. */
static int mhost_run_mmio(struct mhost_machine *m, const struct montecito_run *r)
{
	const u64 data[2] = { r->mmio_data[0], r->mmio_data[1] };

	if (!(r->flags & MONTECITO_RUN_MMIO_DATA))
		return data[0] || data[1] || r->mmio_vcpu ? -EINVAL : 0;
	if (r->mmio_vcpu >= m->nr_vcpus ||
	    mont_mmio_complete(mont_vcpu(m->pkg, array_index_nospec(r->mmio_vcpu, m->nr_vcpus)),
			       data))
		return -ENOENT;
	return 0;
}

/* The caller's breakpoints, in @m while it is in RUN. */
static int mhost_run_breakpoints(struct mhost_machine *m, const struct montecito_run *r,
				 const struct montecito_breakpoint *b)
{
	return b ? mhost_breakpoints_in(b, r->nr_breakpoints, m->breakpoint) : 0;
}

static struct montecito_breakpoint *mhost_run_copy(const struct montecito_run *r)
{
	u64 size = (u64)r->nr_breakpoints * sizeof(struct montecito_breakpoint);

	return size ? memdup_user(u64_to_user_ptr(r->breakpoints), size) : NULL;
}

/**
 * mhost_run() - MONTECITO_RUN
 * @obj: machine
 * @arg: struct montecito_run
 *
 * Return: 0 or a negative errno.
 */
long mhost_run(void *obj, void *arg)
{
	struct mhost_machine *m = obj;
	struct montecito_breakpoint *b;
	struct montecito_run *r = arg;
	int ret;

	ret = mhost_run_check(r, m->nr_vcpus, m->cfg.timing);
	if (ret)
		return ret;
	b = mhost_run_copy(r);
	if (IS_ERR(b))
		return PTR_ERR(b);
	ret = mhost_lock(m);
	if (ret)
		goto out;
	if (m->busy != MHOST_IDLE)
		ret = -EBUSY;
	else
		ret = mhost_run_breakpoints(m, r, b);
	if (!ret)
		ret = mhost_run_mmio(m, r);
	if (!ret) {
		WRITE_ONCE(m->busy, MHOST_RUN);
		mhost_publish(m);
	}
	mhost_unlock(m);
out:
	kfree(b);
	if (ret)
		return ret;

	trace_montecito_run(m->id, false, 0, 0, 0, 0);
	mhost_run_slices(m, r);
	trace_montecito_run(m->id, true, r->exit.reason, r->exit.vcpu, r->exit.insns,
			    r->exit.cycles);

	mhost_lock_release(m);
	mhost_run_report(m, r);
	WRITE_ONCE(m->busy, MHOST_IDLE);
	mhost_publish(m);
	mhost_unlock(m);
	return 0;
}
