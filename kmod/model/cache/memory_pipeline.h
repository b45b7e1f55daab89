/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory pipeline: what becomes of a data reference in time (manual 4.8.2,
 * 4.8.4 and 4.10). Called by pipeline/reference.c, by pipeline/segment_issue.h for
 * loads that hit, and by pipeline/front_end.c for walks.
 */
#ifndef MONT_CACHE_MEMORY_PIPELINE_H
#define MONT_CACHE_MEMORY_PIPELINE_H

#include "../event/signal.h"
#include "hierarchy.h"
#include "l1tlb.h"
#include "stores.h"

/**
 * mont_pipeline_load() - a load's data
 * @h: caches
 * @tlb: the thread's L1 DTLB
 * @ref: the reference; its translation is in the L2 DTLB
 * @order: MONT_REF_* of the instruction
 * @now: cycle of issue
 * @reply: what it meets is added
 *
 * Return: the cycle in which an ALU can use an integer load's data, or in which a
 * floating-point load's is there to be converted.
 */
u64 mont_pipeline_load(struct mont_hierarchy *h, struct mont_l1tlb *tlb, const struct mont_ref *ref,
		       u32 order, u64 now, struct mont_reply *reply);

/**
 * mont_pipeline_hit() - try to serve an integer load from the L1D at once
 * @h: caches
 * @tlb: the thread's L1 DTLB
 * @va: its address, in cacheable memory
 * @pa: likewise, physical
 * @now: cycle of issue
 *
 * Return: true if it is: then that is all of it. False: nothing has been done, and
 * mont_pipeline_load() is to be asked.
 */
static __always_inline bool mont_pipeline_hit(struct mont_hierarchy *h, struct mont_l1tlb *tlb,
					      u64 va, u64 pa, u64 now)
{
	u32 n = tlb->hint[va >> 12 & (MONT_NR_L1TLB_HINTS - 1)];
	u64 line = pa & ~(u64)(MONT_L1_LINE - 1);
	u64 *set = h->l1d.line[pa / MONT_L1_LINE % MONT_L1_SETS];
	int way;

	if (unlikely(h->order.busy > now || h->order.acquired > now ||
		     tlb->page[n] != mont_l1tlb_page(tlb, va)))
		return false;
	if (unlikely(h->l1d.stores.drained >= now) && mont_store_buffered(&h->l1d.stores, pa, now))
		return false;
	if (unlikely(mont_fills_pending(&h->l1d.fills, MONT_L1D_FILLS, line, now)))
		return false;
	way = mont_lines_find(set, MONT_L1_WAYS, line);
	if (unlikely(way < 0))
		return false;
	mont_lines_use(set, way);
	tlb->used[n] = ++tlb->uses;
	return true;
}

/*
 * A floating-point load from @pa, in cacheable memory, in cycle @now, which finds its line in the
 * L2D and nothing in its way. Return: the cycle in which the data is there; 0: nothing has been
 * done, and mont_pipeline_load() is to be asked.
 */
u64 mont_pipeline_load_fp(struct mont_hierarchy *h, u64 pa, u64 now);

/*
 * A store to @pa, in cacheable memory, in cycle @now, which is no release and has nothing in its
 * way: mont_l1d_store_at_once(). False: nothing has been done, and mont_pipeline_store() is to be
 * asked.
 */
bool mont_pipeline_store_hit(struct mont_hierarchy *h, u64 pa, u64 now);

/* A store, whose result no instruction waits for; arguments as those of mont_pipeline_load(). */
void mont_pipeline_store(struct mont_hierarchy *h, const struct mont_ref *ref, u32 order, u64 now,
			 struct mont_reply *reply);

/* lfetch of @ref, which is cacheable memory; arguments as those of mont_pipeline_load(). */
void mont_pipeline_prefetch(struct mont_hierarchy *h, struct mont_l1tlb *tlb,
			    const struct mont_ref *ref, u32 order, u64 now,
			    struct mont_reply *reply);

/* The page walker reads its table at @pa: the cycle in which it goes on. */
u64 mont_pipeline_walk(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply);

/* As mont_pipeline_walk(), for an instruction fetch: no data reference waits for it. */
u64 mont_pipeline_fetch_walk(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply);

#endif
