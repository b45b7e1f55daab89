// SPDX-License-Identifier: GPL-2.0-only
/*
 * MONTECITO_RUN: the guest executes in its caller's context, in slices. Between
 * two slices the machine's lock is free, the scheduler is asked, and signals
 * are seen. The model guarantees that slices do not show in the run.
 */
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/wait.h>

#include "host.h"

static_assert(sizeof(struct montecito_exit) == sizeof(struct mont_exit));
static_assert(offsetof(struct montecito_exit, pmc0) == offsetof(struct mont_exit, pmc0));
static_assert(offsetof(struct montecito_exit, cycles) == offsetof(struct mont_exit, cycles));
static_assert(MONTECITO_EXIT_BUDGET == (int)MONT_EXIT_BUDGET);
static_assert(MONTECITO_EXIT_BREAK == (int)MONT_EXIT_BREAK);
static_assert(MONTECITO_EXIT_INTERRUPTION == (int)MONT_EXIT_INTERRUPTION);
static_assert(MONTECITO_EXIT_PMU_OVERFLOW == (int)MONT_EXIT_PMU_OVERFLOW);
static_assert(MONTECITO_EXIT_HALT == (int)MONT_EXIT_HALT);
static_assert(MONTECITO_EXIT_UNCOUNTED == (int)MONT_EXIT_UNCOUNTED);
static_assert(MONTECITO_EXIT_SHUTDOWN == (int)MONT_EXIT_SHUTDOWN);
static_assert(MONTECITO_EXIT_MMIO == (int)MONT_EXIT_MMIO);
static_assert(MONTECITO_EXIT_FIRMWARE == (int)MONT_EXIT_FIRMWARE);

/*
 * A slice is counted in instructions and in cycles, since either may stand
 * still; its length follows the time the last one took. It begins at the
 * shortest, also when an observer comes, since a thousand of them that sample
 * every instruction make each one a thousand times as long.
 */
#define MHOST_SLICE_MAX BIT(20)
#define MHOST_SLICE_LONG_NS (800 * NSEC_PER_USEC)
#define MHOST_SLICE_SHORT_NS (300 * NSEC_PER_USEC)

static u64 mhost_slice_next(u64 slice, u64 ns)
{
	if (ns > MHOST_SLICE_LONG_NS)
		return max_t(u64, slice / 2, MHOST_SLICE_MIN);
	if (ns < MHOST_SLICE_SHORT_NS)
		return min_t(u64, slice * 2, MHOST_SLICE_MAX);
	return slice;
}

/* What is left of a budget of which 0 means no end, at most one slice. */
static u64 mhost_slice_part(u64 budget, u64 done, u64 slice)
{
	return budget ? min(budget - done, slice) : slice;
}

static void mhost_run_uncounted(struct mhost_machine *m, struct mhost_note *note)
{
	u32 i;

	for (i = 0; i < m->nr_vcpus; i++) {
		u64 bits = mont_uncounted(mont_vcpu(m->pkg, i));

		if (bits) {
			m->uncounted[i] |= bits;
			mhost_note_uncounted(m, i, bits, &note[i]);
		}
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
 * Who waits for the lock goes first. A mutex alone hands over in the end, but
 * only after the scheduler has let the waiter run twice; so sleep for it, but
 * not for ever: a crowd of readers may not stop the guest.
 */
static void mhost_give_way(struct mhost_machine *m)
{
	if (unlikely(atomic_read(&m->waiting)))
		wait_event_interruptible_timeout(m->turn, !atomic_read(&m->waiting), 1);
}

/* One slice and what came of it; the note is sent without the lock. */
static void mhost_run_slice(struct mhost_machine *m, u64 insns, u64 cycles, struct mont_exit *exit)
{
	struct mhost_note overflow = {}, uncounted[MONT_MAX_VCPUS] = {};
	const struct mont_budget budget = { .insns = insns, .cycles = cycles };
	u32 i;

	mhost_give_way(m);
	mutex_lock(&m->lock);
	mont_run(m->pkg, &budget, exit);
	mhost_run_uncounted(m, uncounted);
	if (exit->reason == MONT_EXIT_PMU_OVERFLOW) {
		mhost_overflow(m, exit);
		mhost_note_overflow(m, exit, &overflow);
	}
	mhost_publish(m);
	mhost_wake(m);
	mhost_unlock(m);
	mhost_note_send(m, &overflow);
	for (i = 0; i < m->nr_vcpus; i++)
		mhost_note_send(m, &uncounted[i]);
}

static void mhost_run_slices(struct mhost_machine *m, struct montecito_run *r)
{
	u64 insns = 0, cycles = 0;
	struct mont_exit exit;

	for (;;) {
		u64 t0 = ktime_get_ns(), slice = READ_ONCE(m->slice);

		if (signal_pending(current)) {
			memset(&exit, 0, sizeof(exit));
			exit.reason = MONTECITO_EXIT_SIGNAL;
			break;
		}
		memset(&exit, 0, sizeof(exit));
		mhost_run_slice(m, mhost_slice_part(r->insns, insns, slice),
				mhost_slice_part(r->cycles, cycles, slice), &exit);
		insns += exit.insns;
		cycles += exit.cycles;
		if (exit.reason != MONT_EXIT_BUDGET && exit.reason != MONT_EXIT_WORK)
			break;
		if ((r->insns && insns >= r->insns) || (r->cycles && cycles >= r->cycles))
			break;
		/* If an observer has come meanwhile, its word holds. */
		cmpxchg(&m->slice, slice, mhost_slice_next(slice, ktime_get_ns() - t0));
		cond_resched();
	}
	memcpy(&r->exit, &exit, sizeof(exit));
	r->exit.insns = insns;
	r->exit.cycles = cycles;
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
	struct montecito_run *r = arg;
	int ret = 0;

	if (r->pad)
		return -EINVAL;

	mhost_lock(m);
	if (m->busy)
		ret = -EBUSY;
	else
		m->busy = true;
	if (!ret) {
		WRITE_ONCE(m->running, true);
		mhost_publish(m);
	}
	mhost_unlock(m);
	if (ret)
		return ret;

	mhost_run_slices(m, r);

	mhost_lock(m);
	mhost_run_report(m, r);
	m->busy = false;
	WRITE_ONCE(m->running, false);
	mhost_publish(m);
	mhost_unlock(m);
	return 0;
}
