// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host-speed copies of translations, by 4 KB page. None of the processor's
 * units: what is in here is part of no state and no result.
 *
 * A copy of a TLB entry is here only while that entry is marked (tlb.c), so that
 * references by way of it have nothing to mark.
 */
#include "utlb.h"
#include "translation.h"
#include "../memory/phys.h"

#define VA_MASK (MONT_BIT(MONT_VA_BITS) - 1)
/* The largest page that has a bit for each piece in mont_tlb_index.copied. */
#define PIECES_PS 16

static void utlb_forget(struct mont_utlb_set *set, u32 i)
{
	set->entry[i].tag = MONT_UTLB_NONE;
	set->used[i / 64] &= ~MONT_BIT(i % 64);
}

/* Forget the copies of @set that lie in the 2^@ps bytes at @va, in any region. */
static void utlb_drop_range(struct mont_utlb_set *set, u64 va, u32 ps)
{
	u32 w;

	for (w = 0; w < MONT_ARRAY_SIZE(set->used); w++) {
		u64 bits = set->used[w];

		for (; bits; bits &= bits - 1) {
			u32 i = w * 64 + __builtin_ctzll(bits);

			if (!(((set->entry[i].tag ^ va) & VA_MASK) >> ps))
				utlb_forget(set, i);
		}
	}
}

static void utlb_drop_fetched(struct mont_thread *t, u64 va, u32 ps)
{
	u32 i;

	if (!(((t->fetch_va ^ va) & VA_MASK) >> ps))
		t->fetch_va = MONT_FETCH_NONE;
	mont_work(t, MONT_NR_FETCH / MONT_WORK_ENTRIES);
	for (i = 0; i < MONT_NR_FETCH; i++)
		if (!(((t->fetch[i].va ^ va) & VA_MASK) >> ps))
			t->fetch[i].va = MONT_FETCH_NONE;
}

static void utlb_drop_table(struct mont_thread *t, u64 va, u32 ps)
{
	u32 i;

	for (i = 0; i < MONT_NR_UTLB_TABLE; i++)
		if (!(((t->utlb_table[i].tag ^ va) & VA_MASK) >> ps))
			t->utlb_table[i].tag = MONT_UTLB_NONE;
}

void mont_utlb_drop(struct mont_thread *t, bool insn, u64 va, u32 ps)
{
	if (insn) {
		utlb_drop_fetched(t, va, ps);
		return;
	}
	mont_work(t, 2 * MONT_NR_UTLB / MONT_WORK_ENTRIES);
	utlb_drop_range(&t->utlb_r, va, ps);
	utlb_drop_range(&t->utlb_w, va, ps);
	utlb_drop_table(t, va, ps);
}

static void utlb_drop_piece(struct mont_utlb_set *set, u64 va)
{
	u32 i = mont_utlb_slot(va);

	if (!(((set->entry[i].tag ^ va) & VA_MASK) >> 12))
		utlb_forget(set, i);
}

void mont_utlb_forget(struct mont_thread *t, bool insn, const struct mont_tlbe *e, u32 pieces)
{
	if (insn || e->ps > PIECES_PS) {
		mont_utlb_drop(t, insn, e->va, e->ps);
		return;
	}
	if (unlikely(pieces >> MONT_COPIES_OF_TABLE))
		utlb_drop_table(t, e->va, e->ps);
	for (pieces &= MONT_BIT(MONT_COPIES_OF_TABLE) - 1; pieces; pieces &= pieces - 1) {
		u64 va = e->va | (u64)__builtin_ctz(pieces) << 12;

		utlb_drop_piece(&t->utlb_r, va);
		utlb_drop_piece(&t->utlb_w, va);
	}
}

static void utlb_forget_fetched(struct mont_thread *t)
{
	u32 i;

	for (i = 0; i < MONT_NR_FETCH; i++)
		t->fetch[i].va = MONT_FETCH_NONE;
	t->fetch_va = MONT_FETCH_NONE;
}

void mont_utlb_flush(struct mont_thread *t)
{
	mont_work(t, (2 * MONT_NR_UTLB + MONT_NR_FETCH) / MONT_WORK_ENTRIES);
	utlb_drop_range(&t->utlb_r, 0, MONT_VA_BITS);
	utlb_drop_range(&t->utlb_w, 0, MONT_VA_BITS);
	utlb_drop_table(t, 0, MONT_VA_BITS);
	utlb_forget_fetched(t);
}

void mont_utlb_init(struct mont_thread *t)
{
	u32 i;

	for (i = 0; i < MONT_NR_UTLB; i++) {
		utlb_forget(&t->utlb_r, i);
		utlb_forget(&t->utlb_w, i);
	}
	utlb_drop_table(t, 0, MONT_VA_BITS);
	utlb_forget_fetched(t);
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
					utlb_forget(set, i);
			}
		}
	}
}

void mont_utlb_add(struct mont_thread *t, bool write, u64 va, u8 *page, const struct mont_tlbe *e)
{
	struct mont_utlb_set *set = write ? &t->utlb_w : &t->utlb_r;
	u32 i = mont_utlb_slot(va);

	set->pa[i] = mont_ram_address(t->pkg, page);
	set->entry[i].tag = va & ~(u64)(MONT_PAGE_SIZE - 1);
	set->entry[i].page = page;
	set->used[i / 64] |= MONT_BIT(i % 64);
	if (e)
		mont_tlb_copied(t, e, va, 0);
}
