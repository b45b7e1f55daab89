// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host-speed copies of translations, by 4 KB page. None of the processor's
 * units: what is in here is part of no state and no result.
 *
 * A copy of a TLB entry is here only while that entry is marked (tlb.c), so that
 * references by way of it have nothing to mark.
 */
#include "mem.h"

#define VA_MASK (MONT_BIT(MONT_VA_BITS) - 1)

static void forget(struct mont_utlb_set *set, u32 i)
{
	set->entry[i].tag = MONT_UTLB_NONE;
	set->used[i / 64] &= ~MONT_BIT(i % 64);
}

/* Forget the copies of @set that lie in the 2^@ps bytes at @va, in any region. */
static void drop_range(struct mont_utlb_set *set, u64 va, u32 ps)
{
	u32 w;

	for (w = 0; w < MONT_ARRAY_SIZE(set->used); w++) {
		u64 bits = set->used[w];

		for (; bits; bits &= bits - 1) {
			u32 i = w * 64 + __builtin_ctzll(bits);

			if (!(((set->entry[i].tag ^ va) & VA_MASK) >> ps))
				forget(set, i);
		}
	}
}

static void drop_pages(struct mont_utlb_set *set, u64 va, u32 n)
{
	for (; n; n--, va += MONT_PAGE_SIZE) {
		u32 i = mont_utlb_slot(va);

		if (!(((set->entry[i].tag ^ va) & VA_MASK) >> 12))
			forget(set, i);
	}
}

void mont_utlb_drop(struct mont_thread *t, bool insn, u64 va, u32 ps)
{
	u32 i;

	if (insn) {
		if (!(((t->fetch_va ^ va) & VA_MASK) >> ps))
			t->fetch_va = MONT_FETCH_NONE;
		mont_work(t, MONT_NR_FETCH / MONT_WORK_ENTRIES);
		for (i = 0; i < MONT_NR_FETCH; i++)
			if (!(((t->fetch[i].va ^ va) & VA_MASK) >> ps))
				t->fetch[i].va = MONT_FETCH_NONE;
	} else if (ps < 18) {
		drop_pages(&t->utlb_r, va, 1u << (ps - 12));
		drop_pages(&t->utlb_w, va, 1u << (ps - 12));
	} else {
		mont_work(t, 2 * MONT_NR_UTLB / MONT_WORK_ENTRIES);
		drop_range(&t->utlb_r, va, ps);
		drop_range(&t->utlb_w, va, ps);
	}
}

static void forget_fetched(struct mont_thread *t)
{
	u32 i;

	for (i = 0; i < MONT_NR_FETCH; i++)
		t->fetch[i].va = MONT_FETCH_NONE;
	t->fetch_va = MONT_FETCH_NONE;
}

void mont_utlb_flush(struct mont_thread *t)
{
	mont_work(t, (2 * MONT_NR_UTLB + MONT_NR_FETCH) / MONT_WORK_ENTRIES);
	drop_range(&t->utlb_r, 0, MONT_VA_BITS);
	drop_range(&t->utlb_w, 0, MONT_VA_BITS);
	forget_fetched(t);
}

void mont_utlb_init(struct mont_thread *t)
{
	u32 i;

	for (i = 0; i < MONT_NR_UTLB; i++) {
		forget(&t->utlb_r, i);
		forget(&t->utlb_w, i);
	}
	forget_fetched(t);
}

void mont_utlb_protect(struct mont_package *pkg, const u8 *page)
{
	struct mont_utlb_set *set;
	u32 v, w;

	for (v = 0; v < pkg->nr_vcpus; v++) {
		set = &pkg->thread[v].utlb_w;
		mont_work(&pkg->thread[v], MONT_NR_UTLB / MONT_WORK_ENTRIES);
		for (w = 0; w < MONT_ARRAY_SIZE(set->used); w++) {
			u64 bits = set->used[w];

			for (; bits; bits &= bits - 1) {
				u32 i = w * 64 + __builtin_ctzll(bits);

				if (set->entry[i].page == page)
					forget(set, i);
			}
		}
	}
}

void mont_utlb_add(struct mont_thread *t, bool write, u64 va, u8 *page)
{
	struct mont_utlb_set *set = write ? &t->utlb_w : &t->utlb_r;
	u32 i = mont_utlb_slot(va);

	set->entry[i].tag = va & ~(u64)(MONT_PAGE_SIZE - 1);
	set->entry[i].page = page;
	set->used[i / 64] |= MONT_BIT(i % 64);
}
