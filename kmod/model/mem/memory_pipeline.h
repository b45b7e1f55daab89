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

/* MONT_MET_*, beside those of the caches. */
#define MONT_MET_L1DTLB_MISS 0x100

/**
 * mont_pipeline_load() - a load's data
 * @h: caches
 * @tlb: the thread's L1 DTLB
 * @ref: the reference; its translation is in the L2 DTLB
 * @now: cycle of issue
 * @met: MONT_MET_*
 *
 * Return: the cycle in which an ALU can use an integer load's data, or in which a
 * floating-point load's is there to be converted.
 */
u64 mont_pipeline_load(struct mont_hierarchy *h, struct mont_l1tlb *tlb, const struct mont_ref *ref,
		       u64 now, u32 *met);

/* A store's, which nobody waits for. */
void mont_pipeline_store(struct mont_hierarchy *h, struct mont_l1tlb *tlb,
			 const struct mont_ref *ref, u64 now, u32 *met);

#endif
