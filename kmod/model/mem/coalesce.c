// SPDX-License-Identifier: GPL-2.0-only
/*
 * Write coalescing buffers (manual 2.3.3.4): four of a line each. Stores to memory of
 * that attribute gather in them; a full one goes to the bus as a line, one that has
 * to make room, or that is flushed, as part of one.
 */
#include "hierarchy.h"

#define NOT_LINE (MONT_L2_LINE - 1)

/* Buffer @i goes to the bus. */
static void send(struct mont_hierarchy *h, unsigned int i, u64 now, struct mont_met *met)
{
	struct mont_coalesce *c = &h->coalesce;

	met->at[MONT_MET_IN_BUS] = mont_bus_begin(h, now);
	if (!~(c->bytes[i][0] & c->bytes[i][1])) {
		met->bits |= MONT_MET_BIT(BUS_WRITE_LINE_WC);
		mont_bus_write(h, now);
	} else {
		met->bits |= MONT_MET_BIT(BUS_WRITE_PARTIAL);
		(void)mont_bus_write_partial(h, now);
	}
	c->bytes[i][0] = 0;
	c->bytes[i][1] = 0;
}

static bool in_use(const struct mont_coalesce *c, unsigned int i)
{
	return c->bytes[i][0] | c->bytes[i][1];
}

/* The buffer for @line; the one that has been written to least recently makes room. */
static unsigned int buffer_for(struct mont_hierarchy *h, u64 line, u64 now, struct mont_met *met)
{
	struct mont_coalesce *c = &h->coalesce;
	unsigned int i, oldest = 0;

	for (i = 0; i < h->timing.coalesce; i++) {
		if (in_use(c, i) && c->line[i] == line)
			return i;
	}
	for (i = 0; i < h->timing.coalesce; i++) {
		if (!in_use(c, i)) {
			oldest = i;
			break;
		}
		if (c->used[i] < c->used[oldest])
			oldest = i;
	}
	if (in_use(c, oldest))
		send(h, oldest, now, met);
	c->line[oldest] = line;
	return oldest;
}

void mont_coalesce_store(struct mont_hierarchy *h, u64 pa, u32 size, u64 now, struct mont_met *met)
{
	struct mont_coalesce *c = &h->coalesce;
	unsigned int i = buffer_for(h, pa & ~(u64)NOT_LINE, now, met);
	u64 byte;

	c->used[i] = ++c->uses;
	for (byte = pa & NOT_LINE; size; size--, byte = (byte + 1) & NOT_LINE)
		c->bytes[i][byte / 64] |= MONT_BIT(byte % 64);
	if (!~(c->bytes[i][0] & c->bytes[i][1]))
		send(h, i, now, met);
}

bool mont_coalesce_flush(struct mont_hierarchy *h, u64 now, struct mont_met *met)
{
	unsigned int i;

	for (i = 0; i < MONT_NR_COALESCE; i++) {
		if (in_use(&h->coalesce, i)) {
			send(h, i, now, met);
			return true;
		}
	}
	return false;
}
