/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The L2 TLBs of a core, one for instructions and one for data (manual 2.4.3.1;
 * SDM volume 2, 4.1.1): what they hold, and how it is found. Included by
 * package/package.h and cache/sizes.c.
 */
#ifndef MONT_MMU_TLB_H
#define MONT_MMU_TLB_H

#include "../base/types.h"

#define MONT_NR_TLB 128 /* entries, translation registers among them */
#define MONT_NR_TR 32 /* of each thread */
/* Entries that a thread's translation cache always has (manual 2.4.3.1.1 and .2). */
#define MONT_ITC_RESERVED 1
#define MONT_DTC_RESERVED 16

/* A hole in what is hashed and saved would hold whatever the host left there. */
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"

/* One translation. An entry that is not valid is all zero. */
struct mont_tlbe {
	u64 va; /* of the page, region bits included */
	u64 pte; /* as inserted: bits 52:0 of the PTE */
	u32 rid;
	u32 key;
	u8 ps; /* log2 of the page size */
	u8 valid;
	u8 thread; /* of the core, whose it is */
	u8 tr; /* 1 + number of the translation register; 0: translation cache */
	u8 pad[4];
};

/* Saved state of a TLB. */
struct mont_tlb {
	struct mont_tlbe entry[MONT_NR_TLB];
	u64 marked[MONT_NR_TLB / 64]; /* used since the hand was there */
	u32 hand; /* where the search for an entry to replace goes on */
	u32 pad;
};
#pragma GCC diagnostic pop

#define MONT_TLB_BUCKETS 256
#define MONT_TLB_END MONT_NR_TLB /* of a chain; no translation register */

/* How entries are found: follows from struct mont_tlb. */
struct mont_tlb_index {
	u8 head[MONT_TLB_BUCKETS]; /* by thread, region ID, page and page size */
	u8 next[MONT_NR_TLB];
	u8 bucket[MONT_NR_TLB]; /* whose chain each entry is in */
	/* 15:0: 4 KB pieces of an entry with copies (utlb.c), by number mod 16; 31:16: of the walker */
	u32 copied[MONT_NR_TLB];
	u8 tr[2][MONT_NR_TR]; /* of each thread: the entry it is in */
	u8 of_size[64]; /* entries of each page size */
	u8 nr_tc[2]; /* of each thread */
	u8 nr_valid;
	u64 sizes; /* page sizes there are */
};

#endif
