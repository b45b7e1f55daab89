// SPDX-License-Identifier: GPL-2.0-only
/*
 * Write coalescing buffers (manual 2.3.3.4): four of a line each. Stores to memory of
 * that attribute gather in them; a full one goes to the bus as a line. One that has
 * to make room, or that is flushed, goes in the pieces that have been written: 32 or 16
 * bytes that are full and lie so, or up to 8 (SI_WRITEQ_INSERTS).
 */
#include "coalesce.h"
#include "l3.h"
#include "../package/bus.h"

#define NOT_LINE (MONT_L2_LINE - 1)

static bool coalesce_in_use(const struct mont_coalesce *c, unsigned int i)
{
	return c->bytes[i][0] | c->bytes[i][1];
}

/* Remove the @size bytes at @byte, in one half of buffer @i; false if not all of them are there. */
static bool coalesce_remove(struct mont_coalesce *c, unsigned int i, u32 byte, u32 size)
{
	u64 piece = (MONT_BIT(size) - 1) << (byte % 64);

	if ((c->bytes[i][byte / 64] & piece) != piece)
		return false;
	c->bytes[i][byte / 64] &= ~piece;
	return true;
}

/* A piece of buffer @i, which is in use, goes to the bus. */
static void coalesce_send(struct mont_hierarchy *h, unsigned int i, u64 now,
			  struct mont_reply *reply)
{
	struct mont_coalesce *c = &h->coalesce;
	u32 byte = 0, size = 8;

	while (!(c->bytes[i][byte / 64] >> (byte % 64) & 0xff))
		byte += 8;
	if (!(byte % 32) && coalesce_remove(c, i, byte, 32))
		size = 32;
	else if (!(byte % 16) && coalesce_remove(c, i, byte, 16))
		size = 16;
	else
		c->bytes[i][byte / 64] &= ~(0xffULL << (byte % 64));
	(void)mont_bus_write_partial(h, c->line[i] + byte, size, now, reply);
}

/* The buffer for @line: its own, a free one, or that which has been written to least recently. */
static unsigned int coalesce_buffer_of(const struct mont_hierarchy *h, u64 line)
{
	const struct mont_coalesce *c = &h->coalesce;
	unsigned int i, oldest = 0;

	for (i = 0; i < h->timing.coalesce; i++) {
		if (coalesce_in_use(c, i) && c->line[i] == line)
			return i;
	}
	for (i = 0; i < h->timing.coalesce; i++) {
		if (!coalesce_in_use(c, i))
			return i;
		if (c->used[i] < c->used[oldest])
			oldest = i;
	}
	return oldest;
}

bool mont_coalesce_room(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply)
{
	const struct mont_coalesce *c = &h->coalesce;
	u64 line = pa & ~(u64)NOT_LINE;
	unsigned int i = coalesce_buffer_of(h, line);

	if (!coalesce_in_use(c, i) || c->line[i] == line)
		return false;
	coalesce_send(h, i, now, reply);
	return true;
}

void mont_coalesce_store(struct mont_hierarchy *h, u64 pa, u32 size, u64 now,
			 struct mont_reply *reply)
{
	struct mont_coalesce *c = &h->coalesce;
	unsigned int i = coalesce_buffer_of(h, pa & ~(u64)NOT_LINE);
	u64 byte;

	c->line[i] = pa & ~(u64)NOT_LINE;
	c->used[i] = ++c->uses;
	for (byte = pa & NOT_LINE; size; size--, byte = (byte + 1) & NOT_LINE)
		c->bytes[i][byte / 64] |= MONT_BIT(byte % 64);
	if (~(c->bytes[i][0] & c->bytes[i][1]))
		return;
	c->bytes[i][0] = 0;
	c->bytes[i][1] = 0;
	reply->sent |= MONT_SENT_BIT(BUS_WRITE_LINE_WC);
	mont_bus_write(h, c->line[i] | MONT_LINE_M, MONT_NO_BUFFER, now, MONT_REPLY_IN_BUS, reply);
}

bool mont_coalesce_flush(struct mont_hierarchy *h, u64 now, struct mont_reply *reply)
{
	unsigned int i;

	for (i = 0; i < MONT_NR_COALESCE; i++) {
		if (coalesce_in_use(&h->coalesce, i)) {
			coalesce_send(h, i, now, reply);
			return true;
		}
	}
	return false;
}
