// SPDX-License-Identifier: GPL-2.0-only
/*
 * First-level TLBs (manual 4.10) and the prevalidation of their caches' lines (2.4.3.1.1,
 * 2.4.3.1.2).
 */
#include "hierarchy.h"
#include "l1tlb.h"

/* A page has one line of each index: bits of mont_l1tlb.lines are sets. */
_Static_assert(MONT_L1_SETS == 64 && MONT_L1_SETS * MONT_L1_LINE == 4096,
	       "an entry's 4 KB are one line of each set");

static void l1tlb_put_hint(struct mont_l1tlb *l, u64 va, u32 n)
{
	l->hint[va >> 12 & (MONT_NR_L1TLB_HINTS - 1)] = n;
	l->used[n] = ++l->uses;
}

bool mont_l1tlb_search(struct mont_l1tlb *l, u64 va)
{
	u64 page = mont_l1tlb_page(l, va);
	u32 n;

	for (n = 0; n < MONT_NR_L1TLB; n++) {
		if (l->page[n] == page) {
			l1tlb_put_hint(l, va, n);
			return true;
		}
	}
	return false;
}

bool mont_l1tlb_has(const struct mont_l1tlb *l, u64 va)
{
	u64 page = mont_l1tlb_page(l, va);
	u32 n;

	for (n = 0; n < MONT_NR_L1TLB; n++) {
		if (l->page[n] == page)
			return true;
	}
	return false;
}

/* Entry of the other thread for the page of entry @n, or MONT_NR_L1TLB (manual 2.4.3.1.1). */
static u32 l1tlb_other_entry(const struct mont_l1tlb *l, u32 n)
{
	u32 i;

	for (i = 0; i < MONT_NR_L1TLB; i++) {
		if (l->page[i] == (l->page[n] ^ MONT_L1TLB_THREAD) && l->pa[i] == l->pa[n])
			break;
	}
	return i;
}

/* Lines that were filled by way of entry @n go, or become those of the other thread's entry. */
static void l1tlb_drop_lines(struct mont_l1tlb *l, u64 *cache, u32 n)
{
	if (l->shared && l->lines[n]) {
		u32 other = l1tlb_other_entry(l, n);

		if (other < MONT_NR_L1TLB) {
			l->lines[other] |= l->lines[n];
			l->lines[n] = 0;
			return;
		}
	}
	for (; l->lines[n]; l->lines[n] &= l->lines[n] - 1) {
		u32 set = __builtin_ctzll(l->lines[n]);

		mont_lines_drop(cache + (u64)set * MONT_L1_WAYS, MONT_L1_WAYS,
				l->pa[n] | set * MONT_L1_LINE);
	}
}

void mont_l1tlb_insert(struct mont_l1tlb *l, u64 *cache, u32 nr, u64 va)
{
	u32 n, oldest = 0;

	for (n = 1; n < nr; n++) {
		if (l->used[n] < l->used[oldest])
			oldest = n;
	}
	l1tlb_drop_lines(l, cache, oldest);
	l->page[oldest] = mont_l1tlb_page(l, va);
	l1tlb_put_hint(l, va, oldest);
}

void mont_l1tlb_filled(struct mont_l1tlb *l, u64 *cache, u64 va, u64 pa)
{
	u64 page = mont_l1tlb_page(l, va);
	u32 n = l->hint[va >> 12 & (MONT_NR_L1TLB_HINTS - 1)];

	if (l->page[n] != page) {
		for (n = 0; n < MONT_NR_L1TLB && l->page[n] != page;)
			n++;
		if (n == MONT_NR_L1TLB)
			return;
	}
	/* A physical reference has the entry of the virtual page with its number. */
	if (l->pa[n] != (pa & ~0xfffULL))
		l1tlb_drop_lines(l, cache, n);
	l->pa[n] = pa & ~0xfffULL;
	l->lines[n] |= MONT_BIT(pa / MONT_L1_LINE % MONT_L1_SETS);
}

static void l1tlb_drop(struct mont_l1tlb *l, u64 *cache, u32 n)
{
	l1tlb_drop_lines(l, cache, n);
	l->page[n] = 0;
	l->used[n] = 0;
}

void mont_l1tlb_fit(struct mont_l1tlb *l, u64 *cache, u32 nr)
{
	u32 n;

	for (n = nr; n < MONT_NR_L1TLB; n++)
		l1tlb_drop(l, cache, n);
}

void mont_l1tlb_purge(struct mont_l1tlb *l, u64 *cache, u32 thread, u64 va, u64 size)
{
	u64 tag = mont_l1tlb_tag(thread);
	u32 n;

	for (n = 0; n < MONT_NR_L1TLB; n++) {
		if ((l->page[n] & 0xfff) == tag && (l->page[n] ^ tag) - (va & ~0xfffULL) < size)
			l1tlb_drop(l, cache, n);
	}
}

void mont_l1tlb_empty(struct mont_l1tlb *l, u64 *cache)
{
	mont_l1tlb_fit(l, cache, 0);
	*l = (struct mont_l1tlb){ .tag = l->tag, .shared = l->shared };
}
