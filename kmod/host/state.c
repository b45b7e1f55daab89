// SPDX-License-Identifier: GPL-2.0-only
/*
 * A machine's whole state out, in, and as a hash. The blob is a header and
 * sections (struct montecito_state_header): the model's own, what RUN has yet to
 * report, and each region of guest memory.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "host.h"

#define MHOST_STATE_CHUNK SZ_1M

/* Of the section that holds mont_state_save()'s bytes. */
#define MHOST_STATE_MODEL MONTECITO_STATE_TAG('M', 'O', 'D', 'L')

/* Bytes of everything before the first region's bytes but for its section. */
static u64 mhost_state_head(const struct mhost_machine *m)
{
	return sizeof(struct montecito_state_header) + sizeof(struct montecito_state_section) +
	       m->state_size + sizeof(struct montecito_state_section) + m->nr_vcpus * sizeof(u64);
}

/**
 * mhost_state_length() - bytes of the blob
 * @m: machine
 *
 * Return: that.
 */
u64 mhost_state_length(const struct mhost_machine *m)
{
	u64 length = mhost_state_head(m);
	u32 i;

	for (i = 0; i < m->nr_regions; i++)
		if (m->region[i].pages.addr)
			length += sizeof(struct montecito_state_section) + sizeof(u64) +
				  m->region[i].r.length;
	return length;
}

static u8 *mhost_section_put(u8 *p, u32 tag, u64 length)
{
	const struct montecito_state_section s = { .tag = tag, .version = 1, .length = length };

	memcpy(p, &s, sizeof(s));
	return p + sizeof(s);
}

/* The header and the sections' own headers are as they would be written? */
static bool mhost_section_is(const u8 *p, u32 tag, u64 length)
{
	const struct montecito_state_section s = { .tag = tag, .version = 1, .length = length };

	return !memcmp(p, &s, sizeof(s));
}

static void mhost_state_header(const struct mhost_machine *m, u64 length,
			       struct montecito_state_header *h)
{
	*h = (struct montecito_state_header){
		.magic = MONTECITO_STATE_MAGIC,
		.version = MONTECITO_STATE_VERSION,
		.header_length = sizeof(*h),
		.length = length,
		.cores = m->cfg.cores,
		.threads = m->cfg.threads,
		.config = m->cfg.flags,
		.timing = m->cfg.timing,
	};
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

/* ---- SAVE ---- */

static int mhost_state_head_out(struct mhost_machine *m, u8 *blob)
{
	struct montecito_state_header h;
	u8 *p = blob + sizeof(h);
	int ret;

	mhost_state_header(m, mhost_state_length(m), &h);
	memcpy(blob, &h, sizeof(h));
	ret = mhost_lock(m);
	if (ret)
		return ret;
	/* Before the model's part is written: a report is in one place. */
	mhost_uncounted_take(m);
	p = mhost_section_put(p, MHOST_STATE_MODEL, m->state_size);
	mont_state_save(m->pkg, p);
	p = mhost_section_put(p + m->state_size, MONTECITO_STATE_UNCOUNTED,
			      m->nr_vcpus * sizeof(u64));
	memcpy(p, m->uncounted, m->nr_vcpus * sizeof(u64));
	mhost_unlock(m);
	return 0;
}

static int mhost_state_memory_out(struct mhost_machine *m, u8 __user *to)
{
	u8 head[sizeof(struct montecito_state_section) + sizeof(u64)];
	int ret;
	u32 i;

	for (i = 0; i < m->nr_regions; i++) {
		const struct mhost_region *r = &m->region[i];

		if (!r->pages.addr)
			continue;
		mhost_section_put(head, MONTECITO_STATE_MEMORY, sizeof(u64) + r->r.length);
		memcpy(head + sizeof(struct montecito_state_section), &r->r.addr, sizeof(u64));
		if (copy_to_user(to, head, sizeof(head)))
			return -EFAULT;
		ret = mhost_state_out(to + sizeof(head), r->pages.addr, r->r.length);
		if (ret)
			return ret;
		to += sizeof(head) + r->r.length;
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
	u64 room = s->length, head = mhost_state_head(m);
	void *blob;
	int ret;

	s->length = mhost_state_length(m);
	if (!room)
		return 0;
	if (room < s->length)
		return -ENOSPC;
	blob = kvzalloc(head, GFP_KERNEL_ACCOUNT);
	if (!blob)
		return -ENOMEM;
	ret = mhost_state_begin(m);
	if (!ret) {
		ret = mhost_state_head_out(m, blob);
		if (!ret)
			ret = mhost_state_out(to, blob, head);
		if (!ret)
			ret = mhost_state_memory_out(m, to + head);
		mhost_state_end(m);
	}
	kvfree(blob);
	return ret;
}

/* ---- RESTORE ---- */

/* Does the machine's own part of a blob have the form of one of this machine? */
static bool mhost_state_fits(struct mhost_machine *m, const u8 *blob, u64 length)
{
	struct montecito_state_header h;
	const u8 *p = blob + sizeof(h);
	u32 i;

	mhost_state_header(m, length, &h);
	if (memcmp(blob, &h, sizeof(h)) || !mhost_section_is(p, MHOST_STATE_MODEL, m->state_size))
		return false;
	p += sizeof(struct montecito_state_section) + m->state_size;
	if (!mhost_section_is(p, MONTECITO_STATE_UNCOUNTED, m->nr_vcpus * sizeof(u64)))
		return false;
	p += sizeof(struct montecito_state_section);
	for (i = 0; i < m->nr_vcpus; i++, p += sizeof(u64)) {
		u64 bits;

		memcpy(&bits, p, sizeof(bits));
		if (bits & ~MHOST_COUNTERS)
			return false;
	}
	for (i = 0; i < m->nr_regions; i++) {
		const struct mhost_region *r = &m->region[i];

		if (!r->pages.addr)
			continue;
		if (!mhost_section_is(p, MONTECITO_STATE_MEMORY, sizeof(u64) + r->r.length) ||
		    memcmp(p + sizeof(struct montecito_state_section), &r->r.addr, sizeof(u64)))
			return false;
		p += sizeof(struct montecito_state_section) + sizeof(u64) + r->r.length;
	}
	return true;
}

/* What follows must be userspace's sections, up to the end. */
static int mhost_state_rest(const u8 __user *from, u64 length)
{
	struct montecito_state_section s;

	while (length) {
		if (fatal_signal_pending(current))
			return -EINTR;
		if (length < sizeof(s))
			return -EINVAL;
		if (copy_from_user(&s, from, sizeof(s)))
			return -EFAULT;
		length -= sizeof(s);
		if (!(s.tag & MONTECITO_STATE_TAG_USER) || s.length & 7 || s.length > length)
			return -EINVAL;
		from += sizeof(s) + s.length;
		length -= s.length;
		cond_resched();
	}
	return 0;
}

/* All is in kernel memory, and all but the model's part has been checked. */
static int mhost_state_apply(struct mhost_machine *m, const u8 *blob)
{
	const u8 *model = blob + sizeof(struct montecito_state_header) +
			  sizeof(struct montecito_state_section);
	const u8 *reports = model + m->state_size + sizeof(struct montecito_state_section);
	const u8 *p = reports + m->nr_vcpus * sizeof(u64);
	u32 i;
	int ret;

	ret = mhost_lock(m);
	if (ret)
		return ret;
	mhost_uncounted_take(m);
	ret = mont_state_load(m->pkg, model, m->state_size);
	if (!ret) {
		/* The reports of the state that was loaded, and none of loading it. */
		for (i = 0; i < m->nr_vcpus; i++)
			(void)mont_uncounted(mont_vcpu(m->pkg, i));
		memcpy(m->uncounted, reports, m->nr_vcpus * sizeof(u64));
		memset(m->unnoted, 0, sizeof(m->unnoted));
	}
	mhost_unlock(m);
	if (ret)
		return -EINVAL;
	for (i = 0; i < m->nr_regions; i++) {
		const struct mhost_region *r = &m->region[i];
		u64 done, n;

		if (!r->pages.addr)
			continue;
		p += sizeof(struct montecito_state_section) + sizeof(u64);
		for (done = 0; done < r->r.length; done += n) {
			n = min_t(u64, r->r.length - done, MHOST_STATE_CHUNK);
			memcpy((u8 *)r->pages.addr + done, p + done, n);
			mhost_lock_release(m);
			mont_mem_restored(m->pkg, r->r.addr + done, n);
			mhost_unlock(m);
			cond_resched();
		}
		p += r->r.length;
	}
	mhost_lock_release(m);
	mhost_publish(m);
	mhost_unlock(m);
	return 0;
}

static int mhost_state_take(struct mhost_machine *m, const struct montecito_state *s, u8 *blob)
{
	const u8 __user *from = u64_to_user_ptr(s->data);
	u64 mine = mhost_state_length(m);
	int ret;

	ret = mhost_state_in(blob, from, mine);
	if (ret)
		return ret;
	if (!mhost_state_fits(m, blob, s->length))
		return -EINVAL;
	ret = mhost_state_rest(from + mine, s->length - mine);
	if (ret)
		return ret;
	ret = mhost_state_begin(m);
	if (ret)
		return ret;
	ret = mhost_state_apply(m, blob);
	mhost_state_end(m);
	return ret;
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
	u64 mine = mhost_state_length(m);
	struct mhost_account account;
	u8 *blob;
	int ret;

	if (s->length < mine)
		return -EINVAL;
	ret = mhost_charge(&account, PAGE_ALIGN(mine) >> PAGE_SHIFT);
	if (ret)
		return ret;
	ret = -ENOMEM;
	blob = __vmalloc(mine, GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN);
	if (blob)
		ret = mhost_state_take(m, s, blob);
	vfree(blob);
	mhost_uncharge(&account);
	return ret;
}

/* ---- HASH ---- */

static int mhost_state_hash_all(struct mhost_machine *m, u64 *hash)
{
	u64 done, n;
	int ret;
	u32 i;

	ret = mhost_lock(m);
	if (ret)
		return ret;
	mhost_uncounted_take(m);
	*hash = mont_state_hash_vcpus(m->pkg);
	*hash = mont_hash(*hash, m->uncounted, m->nr_vcpus * sizeof(u64));
	mhost_unlock(m);
	for (i = 0; i < m->nr_regions; i++) {
		const struct mhost_region *r = &m->region[i];

		if (!r->pages.addr)
			continue;
		for (done = 0; done < r->r.length; done += n) {
			n = min_t(u64, r->r.length - done, MHOST_STATE_CHUNK);
			if (fatal_signal_pending(current))
				return -EINTR;
			*hash = mont_hash(*hash, (u8 *)r->pages.addr + done, n);
			cond_resched();
		}
	}
	return 0;
}

/**
 * mhost_state_hash() - MONTECITO_HASH
 * @obj: machine
 * @arg: struct montecito_hash
 *
 * Return: 0 or a negative errno.
 */
long mhost_state_hash(void *obj, void *arg)
{
	struct mhost_machine *m = obj;
	struct montecito_hash *h = arg;
	int ret;

	ret = mhost_state_begin(m);
	if (ret)
		return ret;
	ret = mhost_state_hash_all(m, &h->hash);
	mhost_state_end(m);
	return ret;
}
