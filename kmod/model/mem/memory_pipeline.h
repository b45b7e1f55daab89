/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory pipeline: what becomes of a data reference in time (manual 4.8.2,
 * 4.8.4 and 4.10).
 */
#ifndef MONT_MEM_MEMORY_PIPELINE_H
#define MONT_MEM_MEMORY_PIPELINE_H

#include "../signal.h"
#include "hierarchy.h"
#include "l1tlb.h"

/**
 * mont_pipeline_load() - a load's data
 * @h: caches
 * @tlb: the thread's L1 DTLB
 * @ref: the reference; its translation is in the L2 DTLB
 * @order: MONT_REF_* of the instruction
 * @now: cycle of issue
 * @met: what it meets is added
 *
 * Return: the cycle in which an ALU can use an integer load's data, or in which a
 * floating-point load's is there to be converted.
 */
u64 mont_pipeline_load(struct mont_hierarchy *h, struct mont_l1tlb *tlb, const struct mont_ref *ref,
		       u32 order, u64 now, struct mont_met *met);

/* A store's, which nobody waits for; arguments as those of mont_pipeline_load(). */
void mont_pipeline_store(struct mont_hierarchy *h, const struct mont_ref *ref, u32 order, u64 now,
			 struct mont_met *met);

/* lfetch of the line at @pa, which is cacheable memory. */
void mont_pipeline_prefetch(struct mont_hierarchy *h, u64 pa, u32 order, u64 now,
			    struct mont_met *met);

/* The page walker reads its table at @pa: the cycle in which it goes on. */
u64 mont_pipeline_walk(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met);

/* The same for an instruction fetch: no data reference waits for it. */
u64 mont_pipeline_fetch_walk(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met);

#endif
