// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sizes of caches, buffers and queues that are a machine's own (timing.def). They are at
 * most those of the arrays: the processor's (manual table 2-9). All ways are looked up
 * always, and those that are not used are empty.
 */
#include "sizes.h"
#include "l1tlb.h"
#include "../mmu/tlb.h"
#include "../arch/thread_state.h"

MONT_SIZE_FITS(l1d_ways, MONT_L1_WAYS);
MONT_SIZE_FITS(l1i_ways, MONT_L1_WAYS);
MONT_SIZE_FITS(l2d_ways, MONT_L2D_WAYS);
MONT_SIZE_FITS(l2i_ways, MONT_L2I_WAYS);
MONT_SIZE_FITS(l3_ways, MONT_L3_WAYS);
MONT_SIZE_FITS(l1d_fills, MONT_L1D_FILLS);
MONT_SIZE_FITS(l2d_fills, MONT_L2D_FILLS);
MONT_SIZE_FITS(ozq, MONT_NR_OZQ);
MONT_SIZE_FITS(ozdb, MONT_NR_OZQ);
MONT_SIZE_FITS(l3_requests, MONT_NR_BRQ);
MONT_SIZE_FITS(write_buffers, MONT_NR_WRITE_BUFFERS);
MONT_SIZE_FITS(coalesce, MONT_NR_COALESCE);
MONT_SIZE_FITS(rab, MONT_L1I_FILLS);
MONT_SIZE_FITS(l2i_fills, MONT_L2I_FILLS);
MONT_SIZE_FITS(victims, MONT_NR_VICTIMS);
MONT_SIZE_FITS(tlb, MONT_NR_TLB);
MONT_SIZE_FITS(alat, MONT_NR_ALAT);
MONT_SIZE_FITS(dtlb_entries, MONT_NR_L1TLB);
MONT_SIZE_FITS(itlb_entries, MONT_NR_L1TLB);

void mont_hierarchy_fit(struct mont_hierarchy *h)
{
	const struct mont_timing *t = &h->timing;

	mont_lines_fit(h->l1d.line[0], MONT_L1_SETS, MONT_L1_WAYS, t->l1d_ways);
	mont_lines_fit(h->l1i.line[0], MONT_L1_SETS, MONT_L1_WAYS, t->l1i_ways);
	mont_lines_fit(h->l2d.line[0], MONT_L2D_SETS, MONT_L2D_WAYS, t->l2d_ways);
	mont_lines_fit(h->l2i.line[0], MONT_L2I_SETS, MONT_L2I_WAYS, t->l2i_ways);
	mont_lines_fit(h->l3.line[0], MONT_L3_SETS, MONT_L3_WAYS, t->l3_ways);
}
