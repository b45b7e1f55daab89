/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * References that the L1D can serve (manual 2.3.3.1 and 4.8.2). Called by memory_pipeline.c.
 */
#ifndef MONT_CACHE_L1D_H
#define MONT_CACHE_L1D_H

#include "l2d.h"

/**
 * mont_l1d_load() - an integer load
 * @h: caches
 * @pa: physical address
 * @now: cycle of issue
 * @reply: what it meets is added
 *
 * Return: the cycle in which an ALU can use the data: the one after @now at the
 * earliest.
 */
u64 mont_l1d_load(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply);

/* As mont_l1d_load(), for a load that missed the L1 DTLB: it goes to the L2D in any case. */
u64 mont_l1d_untranslated(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply);

/*
 * Prefetch into the L1D by lfetch, which is @op. No request is made for a line that is on its
 * way.
 */
void mont_l1d_prefetch(struct mont_hierarchy *h, u64 pa, enum mont_l2d_op op, u64 now,
		       struct mont_reply *reply);

/*
 * A store, which has issued in cycle @now, of a line that is modified in the L2D, with nothing in
 * its way in either. True: it is done with; false: nothing has been done.
 */
bool mont_l1d_store_at_once(struct mont_hierarchy *h, u64 pa, u64 now);

/*
 * A store, which has issued in cycle @now: what the L1D does with it. Return: the cycle from @now
 * on in which it has a place in the store buffer.
 */
u64 mont_l1d_store(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply);

#endif
