// SPDX-License-Identifier: GPL-2.0-only
/*
 * A machine's whole state out, in, and as a hash. The blob is a header, the
 * model's own state and guest memory (struct montecito_state_header).
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "host.h"

#define MHOST_STATE_CHUNK SZ_1M

static void mhost_state_header(const struct mhost_machine *m, struct montecito_state_header *h)
{
	*h = (struct montecito_state_header){
		.magic = MONTECITO_STATE_MAGIC,
		.version = MONTECITO_STATE_VERSION,
		.header_length = sizeof(*h),
		.cores = m->cfg.cores,
		.threads = m->cfg.threads,
		.config = m->cfg.flags,
		.processor_length = m->state_size,
		.memory = m->cfg.memory,
	};
}

/**
 * mhost_state_length() - bytes of the blob
 * @m: machine
 *
 * Return: that.
 */
u64 mhost_state_length(const struct mhost_machine *m)
{
	return sizeof(struct montecito_state_header) + m->state_size + m->cfg.memory;
}

/* Keep RUN and others of this kind out; they would mix two instants. */
static int mhost_state_begin(struct mhost_machine *m)
{
	int ret = 0;

	mhost_lock(m);
	if (m->busy)
		ret = -EBUSY;
	else
		m->busy = true;
	mhost_unlock(m);
	return ret;
}

static void mhost_state_end(struct mhost_machine *m)
{
	mhost_lock(m);
	m->busy = false;
	mhost_unlock(m);
}

static int mhost_state_out(u8 __user *to, const u8 *from, u64 length)
{
	u64 done = 0;

	while (done < length) {
		unsigned long n = min_t(u64, length - done, MHOST_STATE_CHUNK);

		if (fatal_signal_pending(current))
			return -EINTR;
		if (copy_to_user(to + done, from + done, n))
			return -EFAULT;
		done += n;
		cond_resched();
	}
	return 0;
}

static int mhost_state_in(u8 *to, const u8 __user *from, u64 length)
{
	u64 done = 0;

	while (done < length) {
		unsigned long n = min_t(u64, length - done, MHOST_STATE_CHUNK);

		if (fatal_signal_pending(current))
			return -EINTR;
		if (copy_from_user(to + done, from + done, n))
			return -EFAULT;
		done += n;
		cond_resched();
	}
	return 0;
}

/**
 * mhost_state_save() - MONTECITO_SAVE
 * @obj: machine
 * @arg: struct montecito_state
 *
 * Return: 0 or a negative errno.
 */
long mhost_state_save(void *obj, void *arg)
{
	struct mhost_machine *m = obj;
	struct montecito_state *s = arg;
	u8 __user *to = u64_to_user_ptr(s->data);
	struct montecito_state_header h;
	u64 room = s->length;
	void *blob;
	int ret;

	s->length = mhost_state_length(m);
	if (!room)
		return 0;
	if (room < s->length)
		return -ENOSPC;
	blob = kvzalloc(m->state_size, GFP_KERNEL_ACCOUNT);
	if (!blob)
		return -ENOMEM;
	ret = mhost_state_begin(m);
	if (ret)
		goto out_free;
	mhost_state_header(m, &h);
	mhost_lock(m);
	mont_state_save(m->pkg, blob);
	mhost_unlock(m);
	ret = -EFAULT;
	if (copy_to_user(to, &h, sizeof(h)))
		goto out_end;
	ret = mhost_state_out(to + sizeof(h), blob, m->state_size);
	if (!ret)
		ret = mhost_state_out(to + sizeof(h) + m->state_size, m->ram.addr, m->cfg.memory);
out_end:
	mhost_state_end(m);
out_free:
	kvfree(blob);
	return ret;
}

/* Everything is in kernel memory: check the model's part, then change. */
static int mhost_state_apply(struct mhost_machine *m, const u8 *blob)
{
	const u8 *memory = blob + m->state_size;
	u64 done;
	int ret;

	mhost_lock(m);
	ret = mont_state_load(m->pkg, blob, m->state_size);
	mhost_unlock(m);
	if (ret)
		return -EINVAL;
	for (done = 0; done < m->cfg.memory;) {
		u64 n = min_t(u64, m->cfg.memory - done, MHOST_STATE_CHUNK);

		mhost_lock(m);
		memcpy((u8 *)m->ram.addr + done, memory + done, n);
		mont_mem_restored(m->pkg, done, n);
		mhost_unlock(m);
		done += n;
		cond_resched();
	}
	mhost_lock(m);
	memset(m->uncounted, 0, sizeof(m->uncounted));
	mhost_publish(m);
	mhost_unlock(m);
	return 0;
}

/**
 * mhost_state_restore() - MONTECITO_RESTORE
 * @obj: machine
 * @arg: struct montecito_state
 *
 * Takes the whole blob into kernel memory first, so that nothing is changed
 * when some of it cannot be read.
 *
 * Return: 0 or a negative errno.
 */
long mhost_state_restore(void *obj, void *arg)
{
	struct mhost_machine *m = obj;
	const struct montecito_state *s = arg;
	const u8 __user *from = u64_to_user_ptr(s->data);
	struct montecito_state_header h, mine;
	u64 rest = m->state_size + m->cfg.memory;
	u8 *blob;
	int ret;

	if (s->length != mhost_state_length(m))
		return -EINVAL;
	if (copy_from_user(&h, from, sizeof(h)))
		return -EFAULT;
	mhost_state_header(m, &mine);
	if (memcmp(&h, &mine, sizeof(h)))
		return -EINVAL;
	blob = __vmalloc(rest, GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN);
	if (!blob)
		return -ENOMEM;
	ret = mhost_state_in(blob, from + sizeof(h), rest);
	if (!ret)
		ret = mhost_state_begin(m);
	if (!ret) {
		ret = mhost_state_apply(m, blob);
		mhost_state_end(m);
	}
	vfree(blob);
	return ret;
}

/**
 * mhost_state_hash() - MONTECITO_HASH
 * @obj: machine
 * @arg: struct montecito_hash
 *
 * Return: 0, or -EINTR when the caller is being killed.
 */
long mhost_state_hash(void *obj, void *arg)
{
	struct mhost_machine *m = obj;
	struct montecito_hash *h = arg;
	int ret = 0;
	u64 done;

	/* All of it under the lock, so that it is the hash of one instant. */
	mhost_lock(m);
	h->hash = mont_state_hash_vcpus(m->pkg);
	for (done = 0; done < m->cfg.memory;) {
		u64 n = min_t(u64, m->cfg.memory - done, MHOST_STATE_CHUNK);

		if (fatal_signal_pending(current)) {
			ret = -EINTR;
			break;
		}
		h->hash = mont_hash(h->hash, (u8 *)m->ram.addr + done, n);
		done += n;
		cond_resched();
	}
	mhost_unlock(m);
	return ret;
}
