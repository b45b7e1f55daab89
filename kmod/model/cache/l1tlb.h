/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A first-level TLB, L1 DTLB or L1 ITLB (manual 4.10; published: 32 entries each,
 * fully associative, of 4 KB or 4 KB pieces of larger pages). The least recently used
 * entry is replaced (assumption). Its cache, L1D or L1I, is prevalidated: a line that
 * was filled by way of an entry goes with the entry (2.4.3.1.1, 2.4.3.1.2). Called by
 * memory_pipeline.c for data, by front_end.c and prefetch.c of pipeline/ for
 * instructions, by reference.c there for purges, and by package/param.c.
 */
#ifndef MONT_CACHE_L1TLB_H
#define MONT_CACHE_L1TLB_H

#include "../base/types.h"

#define MONT_NR_L1TLB 32
#define MONT_NR_L1TLB_HINTS 128

/**
 * struct mont_l1tlb - the entries
 * @page: address of the 4 KB, with the tag of its thread: mont_l1tlb_tag()
 * @used: when it was used last, in uses of this TLB
 * @uses: how many there were
 * @pa: the physical page that lines were filled from by way of the entry
 * @lines: bit n: a line of that page with index n of the cache was
 * @hint: by low bits of a page's number, the entry it was in last: says where
 *	to look first and is part of no result
 * @tag: of the thread in front
 * @shared: lines stay where the other thread has an entry for the same page: the L1 ITLB
 */
struct mont_l1tlb {
	u64 page[MONT_NR_L1TLB];
	u64 used[MONT_NR_L1TLB];
	u64 uses;
	u64 pa[MONT_NR_L1TLB];
	u64 lines[MONT_NR_L1TLB];
	u8 hint[MONT_NR_L1TLB_HINTS];
	u64 tag;
	u64 shared;
};

/* Bits of a tag: the entry is valid, and the number of its thread. */
#define MONT_L1TLB_VALID 1ULL
#define MONT_L1TLB_THREAD 2ULL

/* The tag of entries of @thread of the core. */
static inline u64 mont_l1tlb_tag(u32 thread)
{
	return MONT_L1TLB_VALID | (thread ? MONT_L1TLB_THREAD : 0);
}

/* Value of mont_l1tlb.page in the entry of the thread in front for @va. */
static __always_inline u64 mont_l1tlb_page(const struct mont_l1tlb *l, u64 va)
{
	return (va & ~0xfffULL) | l->tag;
}

/* True if the page of @va is there; it becomes the most recently used. */
bool mont_l1tlb_search(struct mont_l1tlb *l, u64 va);

/* True if the page of @va is there. Changes nothing. */
bool mont_l1tlb_has(const struct mont_l1tlb *l, u64 va);

/*
 * The page of @va, which is not there, replaces the one not used for longest of @nr. As below,
 * entries that go take lines of @cache with them: all sets of the L1D or the L1I.
 */
void mont_l1tlb_insert(struct mont_l1tlb *l, u64 *cache, u32 nr, u64 va);

/* The line at @pa has been filled by way of the page of @va, if that is there. */
void mont_l1tlb_filled(struct mont_l1tlb *l, u64 *cache, u64 va, u64 pa);

/* No more than @nr entries are used from now on. */
void mont_l1tlb_fit(struct mont_l1tlb *l, u64 *cache, u32 nr);

/* Entries of @thread of the core for the @size bytes from @va on go. */
void mont_l1tlb_purge(struct mont_l1tlb *l, u64 *cache, u32 thread, u64 va, u64 size);

/* All entries go. */
void mont_l1tlb_empty(struct mont_l1tlb *l, u64 *cache);

static __always_inline bool mont_l1tlb_use(struct mont_l1tlb *l, u64 va)
{
	u32 n = l->hint[va >> 12 & (MONT_NR_L1TLB_HINTS - 1)];

	if (likely(l->page[n] == mont_l1tlb_page(l, va))) {
		l->used[n] = ++l->uses;
		return true;
	}
	return mont_l1tlb_search(l, va);
}

#endif
