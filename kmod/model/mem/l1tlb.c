// SPDX-License-Identifier: GPL-2.0-only
/*
 * First-level TLBs (manual 4.10).
 */
#include "l1tlb.h"

static void put_hint(struct mont_l1tlb *l, u64 va, u32 n)
{
	l->hint[va >> 12 & (MONT_NR_L1TLB_HINTS - 1)] = n;
	l->used[n] = ++l->uses;
}

bool mont_l1tlb_search(struct mont_l1tlb *l, u64 va)
{
	u64 page = (va & ~0xfffULL) | 1;
	u32 n;

	for (n = 0; n < MONT_NR_L1TLB; n++) {
		if (l->page[n] == page) {
			put_hint(l, va, n);
			return true;
		}
	}
	return false;
}

bool mont_l1tlb_has(const struct mont_l1tlb *l, u64 va)
{
	u64 page = (va & ~0xfffULL) | 1;
	u32 n;

	for (n = 0; n < MONT_NR_L1TLB; n++) {
		if (l->page[n] == page)
			return true;
	}
	return false;
}

void mont_l1tlb_insert(struct mont_l1tlb *l, u32 nr, u64 va)
{
	u32 n, oldest = 0;

	for (n = 1; n < nr; n++) {
		if (l->used[n] < l->used[oldest])
			oldest = n;
	}
	l->page[oldest] = (va & ~0xfffULL) | 1;
	put_hint(l, va, oldest);
}

static void drop(struct mont_l1tlb *l, u32 n)
{
	l->page[n] = 0;
	l->used[n] = 0;
}

void mont_l1tlb_fit(struct mont_l1tlb *l, u32 nr)
{
	u32 n;

	for (n = nr; n < MONT_NR_L1TLB; n++)
		drop(l, n);
}

void mont_l1tlb_purge(struct mont_l1tlb *l, u64 va, u64 size)
{
	u32 n;

	for (n = 0; n < MONT_NR_L1TLB; n++) {
		if ((l->page[n] & 1) && (l->page[n] & ~1ULL) - (va & ~0xfffULL) < size)
			drop(l, n);
	}
}
