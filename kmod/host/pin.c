// SPDX-License-Identifier: GPL-2.0-only
/*
 * The caller's memory, made present and kept in place: SAVE and RESTORE copy to and from
 * it while the machine is frozen, when nothing may wait for a page fault.
 */
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/highmem.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "host.h"
#include "pages.h"
#include "pin.h"

/* Pages that are pinned in one go. */
#define MHOST_PIN_BATCH 1024

static int mhost_pins_fill(struct mhost_pins *p, unsigned long start, unsigned long nr)
{
	while (p->nr < nr) {
		unsigned long n = min_t(unsigned long, nr - p->nr, MHOST_PIN_BATCH);
		int got;

		if (fatal_signal_pending(current))
			return -EINTR;
		got = pin_user_pages_fast(start + (p->nr << PAGE_SHIFT), n,
					  p->write ? FOLL_WRITE : 0, p->page + p->nr);
		if (got <= 0)
			return got == -ENOMEM || got == -EINTR ? got : -EFAULT;
		p->nr += got;
		cond_resched();
	}
	return 0;
}

/**
 * mhost_pins_get() - pin a range of the caller's memory
 * @p: filled
 * @addr: its address
 * @length: bytes, not 0
 * @write: it is to be written
 *
 * Faults it in, which takes as long as its owner likes (userfaultfd, FUSE): no lock is
 * held and no machine is frozen. The pages count as locked until mhost_pins_put().
 *
 * Return: 0, -EFAULT, -ENOMEM, or -EINTR when the caller is being killed.
 */
int mhost_pins_get(struct mhost_pins *p, u64 addr, u64 length, bool write)
{
	unsigned long offset = offset_in_page(addr), nr = MHOST_PAGES(offset + length);
	int ret;

	*p = (struct mhost_pins){ .offset = offset, .write = write };
	if (!access_ok(u64_to_user_ptr(addr), length))
		return -EFAULT;
	ret = mhost_charge(&p->account, MHOST_PAGES(nr * sizeof(*p->page)), nr);
	if (ret)
		return ret;
	ret = -ENOMEM;
	p->page = mhost_alloc(nr * sizeof(*p->page));
	if (p->page)
		ret = mhost_pins_fill(p, addr - offset, nr);
	if (ret)
		mhost_pins_put(p);
	return ret;
}

/**
 * mhost_pins_put() - let the pages go
 * @p: pins; nothing if there are none
 */
void mhost_pins_put(struct mhost_pins *p)
{
	unsigned long i, n;

	for (i = 0; i < p->nr; i += n) {
		n = min_t(unsigned long, p->nr - i, MHOST_PIN_BATCH);
		unpin_user_pages_dirty_lock(p->page + i, n, p->write);
		cond_resched();
	}
	kvfree(p->page);
	mhost_uncharge(&p->account);
	*p = (struct mhost_pins){};
}

/* Copy @n bytes into the range from its byte @at on, out of @from, or if that is NULL to @to. */
static void mhost_pins_copy(const struct mhost_pins *p, u64 at, const u8 *from, u8 *to, u64 n)
{
	u64 part;

	for (at += p->offset; n; at += part, n -= part) {
		struct page *page = p->page[at >> PAGE_SHIFT];
		void *there = kmap_local_page(page);

		part = min_t(u64, n, PAGE_SIZE - offset_in_page(at));
		if (from) {
			/* The caller's threads may use their memory meanwhile, as they like. */
			data_race(memcpy(there + offset_in_page(at), from, part));
			flush_dcache_page(page);
			from += part;
		} else {
			/* Other threads may write the page meanwhile: it is read once. */
			data_race(memcpy(to, there + offset_in_page(at), part));
			to += part;
		}
		kunmap_local(there);
	}
}

/**
 * mhost_pins_write() - copy into the range
 * @p: pins
 * @at: where to, from its beginning
 * @from: what
 * @n: bytes, inside it
 *
 * Waits for nothing.
 */
void mhost_pins_write(const struct mhost_pins *p, u64 at, const void *from, u64 n)
{
	mhost_pins_copy(p, at, from, NULL, n);
}

/**
 * mhost_pins_read() - copy out of the range
 * @p: pins
 * @at: where from, from its beginning
 * @to: where to
 * @n: bytes, inside it
 *
 * Waits for nothing.
 */
void mhost_pins_read(const struct mhost_pins *p, u64 at, void *to, u64 n)
{
	mhost_pins_copy(p, at, NULL, to, n);
}
