// SPDX-License-Identifier: GPL-2.0-only
/*
 * Access to a machine (Documentation/locking.rst): its lock, which RUN takes for
 * each slice and other commands take between two slices; and the spans in which
 * SAVE, RESTORE or HASH owns the machine.
 */
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/wait.h>

#include "host.h"
#include "lock.h"
#include "memory.h"

/* How long netlink's set operations wait. */
#define MHOST_BRIEFLY_MS 20

static void mhost_waited(struct mhost_machine *m)
{
	if (atomic_dec_and_test(&m->waiting))
		wake_up(&m->turn);
}

/**
 * mhost_lock() - take the machine's lock, ahead of RUN's next slice
 * @m: machine
 *
 * Return: 0, or -EINTR when the caller is being killed.
 */
int mhost_lock(struct mhost_machine *m)
{
	int ret;

	atomic_inc(&m->waiting);
	ret = mutex_lock_killable(&m->lock);
	mhost_waited(m);
	return ret;
}

/* Take the lock as mhost_lock() does, but wait MHOST_BRIEFLY_MS at most: -EAGAIN. */
static int mhost_lock_briefly(struct mhost_machine *m)
{
	long left;

	atomic_inc(&m->waiting);
	left = wait_event_killable_timeout(m->unlocked, mutex_trylock(&m->lock),
					   msecs_to_jiffies(MHOST_BRIEFLY_MS));
	mhost_waited(m);
	if (left > 0)
		return 0;
	return left ? -EINTR : -EAGAIN;
}

/**
 * mhost_lock_release() - take the lock in a path that cannot fail
 * @m: machine
 */
void mhost_lock_release(struct mhost_machine *m)
{
	atomic_inc(&m->waiting);
	mutex_lock(&m->lock);
	mhost_waited(m);
}

/**
 * mhost_unlock() - give the lock back
 * @m: machine, locked
 */
void mhost_unlock(struct mhost_machine *m)
{
	mutex_unlock(&m->lock);
	if (wq_has_sleeper(&m->unlocked))
		wake_up(&m->unlocked);
}

/* Locked with @ret: unlock again while SAVE, RESTORE or HASH owns the machine. */
static int mhost_entered(struct mhost_machine *m, int ret)
{
	if (ret)
		return ret;
	if (m->busy == MHOST_STATE) {
		mhost_unlock(m);
		return -EBUSY;
	}
	return 0;
}

/**
 * mhost_enter() - take the lock for a command that looks at or changes the guest
 * @m: machine
 *
 * Return: 0, -EBUSY while SAVE, RESTORE or HASH has the machine, or -EINTR.
 */
int mhost_enter(struct mhost_machine *m)
{
	return mhost_entered(m, mhost_lock(m));
}

/**
 * mhost_enter_briefly() - mhost_enter() that does not wait long
 * @m: machine
 *
 * Return: also -EAGAIN when the lock cannot be had in 20 ms.
 */
int mhost_enter_briefly(struct mhost_machine *m)
{
	return mhost_entered(m, mhost_lock_briefly(m));
}

/**
 * mhost_use() - keep SAVE, RESTORE and HASH away without holding the lock
 * @m: machine
 *
 * Return: 0, -EBUSY or -EINTR as mhost_enter().
 */
int mhost_use(struct mhost_machine *m)
{
	int ret = mhost_enter(m);

	if (ret)
		return ret;
	atomic_inc(&m->users);
	mhost_unlock(m);
	return 0;
}

/**
 * mhost_unuse() - end what mhost_use() has begun
 * @m: machine
 */
void mhost_unuse(struct mhost_machine *m)
{
	atomic_dec(&m->users);
}

/**
 * mhost_state_begin() - have the machine alone, memory and mappings included
 * @m: machine
 *
 * Return: 0, -EBUSY or -EINTR.
 */
int mhost_state_begin(struct mhost_machine *m)
{
	int ret = mhost_lock(m);

	if (ret)
		return ret;
	if (m->busy != MHOST_IDLE || atomic_read(&m->users)) {
		mhost_unlock(m);
		return -EBUSY;
	}
	WRITE_ONCE(m->busy, MHOST_STATE);
	mhost_unlock(m);

	mhost_memory_freeze(m);
	return 0;
}

/**
 * mhost_state_end() - let other commands at the machine again
 * @m: machine
 */
void mhost_state_end(struct mhost_machine *m)
{
	mhost_memory_thaw(m);
	mhost_lock_release(m);
	WRITE_ONCE(m->busy, MHOST_IDLE);
	mhost_unlock(m);
}
