// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory pipeline (manual 4.8.2, 4.8.4 and 4.10).
 */
#include "memory_pipeline.h"

u64 mont_pipeline_load(struct mont_hierarchy *h, struct mont_l1tlb *tlb, const struct mont_ref *ref,
		       u64 now, u32 *met)
{
	if (ref->kind & MONT_DATA_UC)
		return mont_bus_read(h, now + h->timing.memory);
	/* 4.10: floating-point references go by the L2 DTLB alone. */
	if (ref->kind & MONT_DATA_FP)
		return mont_l2d_load(h, ref->pa, now, met);
	if (unlikely(!mont_l1tlb_use(tlb, ref->va))) {
		/* The L1D answers only by way of the L1 DTLB: the L2D does. */
		*met |= MONT_MET_L1DTLB_MISS;
		mont_l1tlb_insert(tlb, ref->va);
		return mont_l2d_load(h, ref->pa, now + h->timing.l1dtlb, met);
	}
	if (ref->kind & MONT_DATA_SEMAPHORE)
		return mont_l2d_load(h, ref->pa, now, met);
	return mont_l1d_load(h, ref->pa, now, met);
}

void mont_pipeline_store(struct mont_hierarchy *h, struct mont_l1tlb *tlb,
			 const struct mont_ref *ref, u64 now, u32 *met)
{
	if (ref->kind & MONT_DATA_UC)
		return;
	mont_l2d_store(h, ref->pa, now, met);
}
