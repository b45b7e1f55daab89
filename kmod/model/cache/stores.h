/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stores on their way into the L1D: the store buffer (manual 2.1, 4.8.2). Called
 * by l1d.c, l2d.c and memory_pipeline.h.
 */
#ifndef MONT_CACHE_STORES_H
#define MONT_CACHE_STORES_H

#include "hierarchy.h"

/* The cycle of the last store to the eight bytes at @pa that is in the store buffer; else 0. */
u64 mont_store_buffered(const struct mont_stores *s, u64 pa, u64 now);

/* True if one of @s that @now is at most @cycles behind may be to the eight bytes at @pa. */
static __always_inline bool mont_store_near(const struct mont_stores *s, u64 pa, u64 now,
					    unsigned int cycles)
{
	return unlikely(s->last + cycles >= now) && unlikely(s->near >> (pa >> 3 & 63) & 1);
}

/*
 * The cycle of the last store to the eight bytes at @pa that @now is at most @cycles
 * behind; 0 if there is none.
 */
u64 mont_store_ahead(const struct mont_stores *s, u64 pa, u64 now, unsigned int cycles);

/* The last store of @s, or any one to the eight bytes at @pa in cycle @at, has been cancelled. */
static inline void mont_store_cancel(struct mont_stores *s)
{
	s->cancelled |= MONT_BIT((s->next - 1) % MONT_NR_STORES);
}

bool mont_store_cancelled(const struct mont_stores *s, u64 pa, u64 at);

#endif
