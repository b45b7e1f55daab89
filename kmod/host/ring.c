// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sampling ring: records for userspace, by perf's rules for head and tail
 * (uapi/linux/montecito.h, struct montecito_ring_page).
 *
 * There is one writer at a time, under the machine's lock. Of what userspace
 * can write, only data_tail is ever read.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "host.h"
#include "pages.h"
#include "ring.h"

/**
 * mhost_ring_new() - make a ring
 * @order: log2 of its data pages
 * @watermark: unread bytes that make it readable; 0 for any
 *
 * Return: the ring, or an error pointer.
 */
struct mhost_ring *mhost_ring_new(u32 order, u32 watermark)
{
	struct mhost_ring *ring = kzalloc(sizeof(*ring), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!ring)
		return ERR_PTR(-ENOMEM);
	ret = mhost_charge(&ring->account, mhost_pages_cost(1 + (1UL << order)), 0);
	if (!ret)
		ret = mhost_pages_alloc(&ring->pages, 1 + (1UL << order));
	if (ret) {
		mhost_uncharge(&ring->account);
		kfree(ring);
		return ERR_PTR(ret);
	}
	ring->scratch = kzalloc(MONTECITO_RECORD_MAX, GFP_KERNEL_ACCOUNT);
	if (!ring->scratch) {
		mhost_ring_free(ring);
		return ERR_PTR(-ENOMEM);
	}
	ring->watermark = max(watermark, 1U);
	ring->ctl = ring->pages.addr;
	ring->data = ring->pages.addr + PAGE_SIZE;
	ring->size = PAGE_SIZE << order;
	ring->ctl->version = 1;
	ring->ctl->data_offset = PAGE_SIZE;
	ring->ctl->data_size = ring->size;
	return ring;
}

/**
 * mhost_ring_free() - end a ring of mhost_ring_new()
 * @ring: ring or NULL
 */
void mhost_ring_free(struct mhost_ring *ring)
{
	if (!ring)
		return;
	mhost_pages_free(&ring->pages);
	mhost_uncharge(&ring->account);
	kfree(ring->scratch);
	kfree(ring);
}

static void mhost_ring_copy(struct mhost_ring *ring, const void *from, u32 size)
{
	u64 at = ring->head & (ring->size - 1);
	u64 first = min_t(u64, size, ring->size - at);

	memcpy(ring->data + at, from, first);
	memcpy(ring->data, from + first, size - first);
	WRITE_ONCE(ring->head, ring->head + size); /* poll(2) has no lock */
}

/**
 * mhost_ring_write() - append a record, or count it as lost
 * @ring: ring
 * @record: begins with struct montecito_record_header
 * @size: its bytes
 */
void mhost_ring_write(struct mhost_ring *ring, const void *record, u32 size)
{
	u64 used = ring->head - READ_ONCE(ring->ctl->data_tail);
	u64 need = size + (ring->lost ? sizeof(struct montecito_record_lost) : 0);

	/* A tail ahead of the head or a ring behind it is a full ring. */
	if (used > ring->size || need > ring->size - used) {
		ring->lost++;
		WRITE_ONCE(ring->ctl->lost, ++ring->lost_ever);
		return;
	}
	/*
	 * Pairs with the reader's release of data_tail: its reads of the
	 * records come before our writes over them. The control dependency on
	 * the tail orders them; stores are not done on speculation.
	 */
	if (ring->lost) {
		struct montecito_record_lost lost = {
			.header.type = MONTECITO_RECORD_LOST,
			.header.size = sizeof(lost),
			.count = ring->lost,
		};

		mhost_ring_copy(ring, &lost, sizeof(lost));
		ring->lost = 0;
	}
	mhost_ring_copy(ring, record, size);
	/* Pairs with the reader's acquire of data_head. */
	smp_store_release(&ring->ctl->data_head, ring->head);
}

/**
 * mhost_ring_readable() - true if a ring holds as many unread bytes as its watermark says
 * @ring: ring; the machine's lock need not be held
 *
 * Return: true if so.
 */
bool mhost_ring_readable(const struct mhost_ring *ring)
{
	/* A tail that cannot be true is a full ring. */
	return READ_ONCE(ring->head) - READ_ONCE(ring->ctl->data_tail) >= ring->watermark;
}
