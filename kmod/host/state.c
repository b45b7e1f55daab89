// SPDX-License-Identifier: GPL-2.0-only
/*
 * A machine's whole state out, in, and as a hash. The blob is a header and
 * sections (struct montecito_state_header): the model's own, what RUN has yet to
 * report, and each region of guest memory.
 *
 * All three are one instant: no other command reaches the machine, and its mapping is
 * frozen while memory is copied. The caller's memory is pinned before, so that nothing
 * is waited for meanwhile.
 */
#include <linux/errno.h>
#include <linux/freezer.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "host.h"
#include "lock.h"
#include "memory.h"
#include "pin.h"
#include "run.h"
#include "snapshot.h"
#include "state.h"

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

static void mhost_section_put(const struct mhost_pins *p, u64 at, u32 tag, u64 length)
{
	const struct montecito_state_section s = { .tag = tag, .version = 1, .length = length };

	mhost_pins_write(p, at, &s, sizeof(s));
}

/* Compare a section's header with the one that SAVE would write. */
static bool mhost_section_is(const struct mhost_pins *p, u64 at, u32 tag, u64 length)
{
	const struct montecito_state_section s = { .tag = tag, .version = 1, .length = length };
	struct montecito_state_section have;

	mhost_pins_read(p, at, &have, sizeof(have));
	return !memcmp(&have, &s, sizeof(s));
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

/* Where the model's bytes are, and the reports of each vcpu. */
static u64 mhost_state_model(void)
{
	return sizeof(struct montecito_state_header) + sizeof(struct montecito_state_section);
}

static u64 mhost_state_reports(const struct mhost_machine *m)
{
	return mhost_state_model() + m->state_size + sizeof(struct montecito_state_section);
}

/*
 * Between two pieces of a long copy that can be given up. The freezer of tasks does not
 * wait for the rest: the call begins again behind it.
 */
static int mhost_state_go_on(void)
{
	if (fatal_signal_pending(current))
		return -EINTR;
	if (signal_pending(current) && freezing(current))
		return -ERESTARTNOINTR;
	cond_resched();
	return 0;
}

/* ---- SAVE ---- */

static int mhost_state_vcpus_out(struct mhost_machine *m, const struct mhost_pins *to)
{
	u64 uncounted[MONT_MAX_VCPUS], reports = m->nr_vcpus * sizeof(u64);
	struct montecito_state_header h;
	int ret;

	ret = mhost_lock(m);
	if (ret)
		return ret;
	/* Before the model's part is written: a report is in one place. */
	mhost_uncounted_take(m);
	mont_state_save(m->pkg, m->scratch);
	memcpy(uncounted, m->uncounted, reports);
	mhost_unlock(m);

	mhost_state_header(m, mhost_state_length(m), &h);
	mhost_pins_write(to, 0, &h, sizeof(h));
	mhost_section_put(to, sizeof(h), MHOST_STATE_MODEL, m->state_size);
	mhost_pins_write(to, mhost_state_model(), m->scratch, m->state_size);
	mhost_section_put(to, mhost_state_model() + m->state_size, MONTECITO_STATE_UNCOUNTED,
			  reports);
	mhost_pins_write(to, mhost_state_reports(m), uncounted, reports);
	return 0;
}

static int mhost_state_memory_out(struct mhost_machine *m, const struct mhost_pins *to)
{
	u64 at = mhost_state_head(m), done, n;
	int ret;
	u32 i;

	for (i = 0; i < m->nr_regions; i++) {
		const struct mhost_region *r = &m->region[i];

		if (!r->pages.addr)
			continue;
		mhost_section_put(to, at, MONTECITO_STATE_MEMORY, sizeof(u64) + r->r.length);
		at += sizeof(struct montecito_state_section);
		mhost_pins_write(to, at, &r->r.addr, sizeof(u64));
		at += sizeof(u64);
		for (done = 0; done < r->r.length; done += n) {
			ret = mhost_state_go_on();
			if (ret)
				return ret;
			n = min_t(u64, r->r.length - done, MHOST_STATE_CHUNK);
			mhost_pins_write(to, at + done, r->pages.addr + done, n);
		}
		at += r->r.length;
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
	struct mhost_pins to;
	u64 room = s->length;
	int ret;

	s->length = mhost_state_length(m);
	if (!room)
		return 0;
	if (room < s->length)
		return -ENOSPC;
	if (mhost_memory_maps(m, s->data, s->length))
		return -EFAULT;
	ret = mhost_pins_get(&to, s->data, s->length, true);
	if (ret)
		return ret;
	ret = mhost_state_begin(m);
	if (!ret) {
		ret = mhost_state_vcpus_out(m, &to);
		if (!ret)
			ret = mhost_state_memory_out(m, &to);
		mhost_state_end(m);
	}
	mhost_pins_put(&to);
	return ret;
}

/* ---- RESTORE ---- */

/* Check that the sections of guest memory have the form of this machine's. */
static bool mhost_state_memory_fits(struct mhost_machine *m, const struct mhost_pins *from)
{
	u64 at = mhost_state_head(m), addr;
	u32 i;

	for (i = 0; i < m->nr_regions; i++) {
		const struct mhost_region *r = &m->region[i];

		if (!r->pages.addr)
			continue;
		if (!mhost_section_is(from, at, MONTECITO_STATE_MEMORY, sizeof(u64) + r->r.length))
			return false;
		at += sizeof(struct montecito_state_section);
		mhost_pins_read(from, at, &addr, sizeof(addr));
		if (addr != r->r.addr)
			return false;
		at += sizeof(u64) + r->r.length;
	}
	return true;
}

/* Check that the host's sections of a blob have the form of this machine's. */
static bool mhost_state_fits(struct mhost_machine *m, const struct mhost_pins *from, u64 length,
			     u64 *reports)
{
	struct montecito_state_header h, have;
	u64 size = m->nr_vcpus * sizeof(u64);
	u32 i;

	mhost_state_header(m, length, &h);
	mhost_pins_read(from, 0, &have, sizeof(have));
	if (memcmp(&have, &h, sizeof(h)) ||
	    !mhost_section_is(from, sizeof(h), MHOST_STATE_MODEL, m->state_size) ||
	    !mhost_section_is(from, mhost_state_model() + m->state_size, MONTECITO_STATE_UNCOUNTED,
			      size))
		return false;
	mhost_pins_read(from, mhost_state_reports(m), reports, size);
	for (i = 0; i < m->nr_vcpus; i++)
		if (reports[i] & ~MONT_MAY_STAND)
			return false;
	return mhost_state_memory_fits(m, from);
}

/* Check that userspace's sections fill the rest of the blob. */
static int mhost_state_rest(const u8 __user *from, u64 length)
{
	struct montecito_state_section s;
	int ret;

	while (length) {
		ret = mhost_state_go_on();
		if (ret)
			return ret;
		if (length < sizeof(s))
			return -EINVAL;
		if (copy_from_user(&s, from, sizeof(s)))
			return -EFAULT;
		length -= sizeof(s);
		if (!(s.tag & MONTECITO_STATE_TAG_USER) || s.length & 7 || s.length > length)
			return -EINVAL;
		from += sizeof(s) + s.length;
		length -= s.length;
	}
	return 0;
}

static int mhost_state_vcpus_in(struct mhost_machine *m, const u64 *reports)
{
	int ret;
	u32 i;

	ret = mhost_lock(m);
	if (ret)
		return ret;
	mhost_uncounted_take(m);
	ret = mont_state_load(m->pkg, m->scratch, m->state_size);
	if (!ret) {
		/* The vcpus have the reports that the state came with: loading makes none. */
		for (i = 0; i < m->nr_vcpus; i++)
			(void)mont_uncounted(mont_vcpu(m->pkg, i));
		memcpy(m->uncounted, reports, m->nr_vcpus * sizeof(u64));
		memset(m->unnoted, 0, sizeof(m->unnoted));
	}
	mhost_unlock(m);
	return ret ? -EINVAL : 0;
}

/* Copy guest memory in. From here on RESTORE completes, even if the caller is killed. */
static void mhost_state_memory_in(struct mhost_machine *m, const struct mhost_pins *from)
{
	u64 at = mhost_state_head(m), done, n;
	u32 i;

	for (i = 0; i < m->nr_regions; i++) {
		const struct mhost_region *r = &m->region[i];

		if (!r->pages.addr)
			continue;
		at += sizeof(struct montecito_state_section) + sizeof(u64);
		for (done = 0; done < r->r.length; done += n) {
			n = min_t(u64, r->r.length - done, MHOST_STATE_CHUNK);
			mhost_pins_read(from, at + done, r->pages.addr + done, n);
			mhost_lock_release(m);
			mont_mem_restored(m->pkg, r->r.addr + done, n);
			mhost_unlock(m);
			cond_resched();
		}
		at += r->r.length;
	}
	mhost_lock_release(m);
	mhost_publish(m);
	mhost_unlock(m);
}

static int mhost_state_take(struct mhost_machine *m, const struct montecito_state *s,
			    const struct mhost_pins *from)
{
	u64 reports[MONT_MAX_VCPUS], mine = mhost_state_length(m);
	int ret;

	if (!mhost_state_fits(m, from, s->length, reports))
		return -EINVAL;
	ret = mhost_state_rest(u64_to_user_ptr(s->data + mine), s->length - mine);
	if (ret)
		return ret;
	ret = mhost_state_begin(m);
	if (ret)
		return ret;
	/* Copy the blob once, so that what is checked is what is loaded. */
	mhost_pins_read(from, mhost_state_model(), m->scratch, m->state_size);
	ret = mhost_state_vcpus_in(m, reports);
	if (!ret)
		mhost_state_memory_in(m, from);
	mhost_state_end(m);
	return ret;
}

/**
 * mhost_state_restore() - MONTECITO_RESTORE
 * @obj: machine
 * @arg: struct montecito_state
 *
 * All of the blob is there before anything is changed.
 *
 * Return: 0 or a negative errno.
 */
long mhost_state_restore(void *obj, void *arg)
{
	struct mhost_machine *m = obj;
	const struct montecito_state *s = arg;
	struct mhost_pins from;
	int ret;

	if (s->length < mhost_state_length(m))
		return -EINVAL;
	if (mhost_memory_maps(m, s->data, s->length))
		return -EFAULT;
	ret = mhost_pins_get(&from, s->data, mhost_state_length(m), false);
	if (ret)
		return ret;
	ret = mhost_state_take(m, s, &from);
	mhost_pins_put(&from);
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
			ret = mhost_state_go_on();
			if (ret)
				return ret;
			n = min_t(u64, r->r.length - done, MHOST_STATE_CHUNK);
			*hash = mont_hash(*hash, (u8 *)r->pages.addr + done, n);
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
