// SPDX-License-Identifier: GPL-2.0-only
/*
 * Guest memory by copy. No lock is held while user memory is touched: a fault
 * there may take as long as its owner likes. So a copy meets a running guest as
 * loads and stores through the mapping do.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sizes.h>
#include <linux/uaccess.h>

#include "host.h"

#define MHOST_COPY_CHUNK SZ_1M

static bool mhost_mem_outside(const struct mhost_machine *m, const struct montecito_mem *mem)
{
	return mem->addr > m->cfg.memory || mem->length > m->cfg.memory - mem->addr;
}

static void mhost_mem_changed(struct mhost_machine *m, u64 addr, u64 length)
{
	mhost_lock(m);
	mont_mem_invalidate(m->pkg, addr, length);
	mhost_unlock(m);
}

static long mhost_mem_copy(struct mhost_machine *m, const struct montecito_mem *mem, bool write)
{
	u8 *ram = (u8 *)m->ram.addr + mem->addr;
	u8 __user *user = u64_to_user_ptr(mem->data);
	u64 done = 0;

	if (mhost_mem_outside(m, mem))
		return -EINVAL;
	while (done < mem->length) {
		unsigned long n = min_t(u64, mem->length - done, MHOST_COPY_CHUNK);
		unsigned long left;

		if (fatal_signal_pending(current))
			return -EINTR;
		if (write) {
			left = copy_from_user(ram + done, user + done, n);
			mhost_mem_changed(m, mem->addr + done, n);
		} else {
			left = copy_to_user(user + done, ram + done, n);
		}
		if (left)
			return -EFAULT;
		done += n;
		cond_resched();
	}
	return 0;
}

/**
 * mhost_mem_read() - MONTECITO_MEM_READ
 * @obj: machine
 * @arg: struct montecito_mem
 *
 * Return: 0 or a negative errno.
 */
long mhost_mem_read(void *obj, void *arg)
{
	return mhost_mem_copy(obj, arg, false);
}

/**
 * mhost_mem_write() - MONTECITO_MEM_WRITE
 * @obj: machine
 * @arg: struct montecito_mem
 *
 * Return: 0 or a negative errno.
 */
long mhost_mem_write(void *obj, void *arg)
{
	return mhost_mem_copy(obj, arg, true);
}

/**
 * mhost_mem_invalidate() - MONTECITO_MEM_INVALIDATE
 * @obj: machine
 * @arg: struct montecito_mem
 *
 * Return: 0 or a negative errno.
 */
long mhost_mem_invalidate(void *obj, void *arg)
{
	struct mhost_machine *m = obj;
	const struct montecito_mem *mem = arg;
	u64 done = 0;

	if (mem->data || mhost_mem_outside(m, mem))
		return -EINVAL;
	while (done < mem->length) {
		u64 n = min_t(u64, mem->length - done, MHOST_COPY_CHUNK);

		if (fatal_signal_pending(current))
			return -EINTR;
		mhost_mem_changed(m, mem->addr + done, n);
		done += n;
		cond_resched();
	}
	return 0;
}
