/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sampling ring. Called by observer.c, block.c and pipetrace.c, which fill
 * rings, and by vcpu.c, which maps them.
 */
#ifndef MHOST_RING_H
#define MHOST_RING_H

#include <linux/montecito.h>

#include "pages.h"

/**
 * struct mhost_ring - a sampling ring
 * @pages: control page, then data
 * @account: who answers for it
 * @ctl: the control page
 * @data: the data
 * @size: bytes of it
 * @watermark: unread bytes that make it readable
 * @head: the writer's own copy of data_head
 * @lost: records lost since the last record that told so
 * @lost_ever: records lost since the ring was made
 * @scratch: room for a record that is being made; the machine's @lock
 */
struct mhost_ring {
	struct mhost_pages pages;
	struct mhost_account account;
	struct montecito_ring_page *ctl;
	u8 *data;
	u64 size;
	u64 watermark;
	u64 head;
	u64 lost;
	u64 lost_ever;
	void *scratch;
};

struct mhost_ring *mhost_ring_new(u32 order, u32 watermark);
void mhost_ring_free(struct mhost_ring *ring);
void mhost_ring_write(struct mhost_ring *ring, const void *record, u32 size);
bool mhost_ring_readable(const struct mhost_ring *ring);

#endif
