/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stores with the write coalescing attribute (manual 2.3.3.4). Called by
 * memory_pipeline.c for such stores, and by pipeline/reference.c for what waits
 * for them.
 */
#ifndef MONT_CACHE_COALESCE_H
#define MONT_CACHE_COALESCE_H

#include "hierarchy.h"

/*
 * One transaction of what has to go before a store to @pa has a buffer. False: nothing has to.
 */
bool mont_coalesce_room(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met);
/* A store of @size bytes, which has one, to memory of the write coalescing attribute. */
void mont_coalesce_store(struct mont_hierarchy *h, u64 pa, u32 size, u64 now, struct mont_met *met);
/* One transaction of a buffer in use; false if there is none. */
bool mont_coalesce_flush(struct mont_hierarchy *h, u64 now, struct mont_met *met);

#endif
