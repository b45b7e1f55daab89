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
 * Send one transaction of a buffer that has to make room for a store to @pa. False: there is room.
 */
bool mont_coalesce_room(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply);
/* Make a store of @size bytes to memory of the write coalescing attribute: there is room for it. */
void mont_coalesce_store(struct mont_hierarchy *h, u64 pa, u32 size, u64 now,
			 struct mont_reply *reply);
/* Send one transaction of a buffer in use; false if none is. */
bool mont_coalesce_flush(struct mont_hierarchy *h, u64 now, struct mont_reply *reply);

#endif
