/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Host-speed copies of translations: what a plain load or store goes by. Called
 * by references (memory/, isa/memops.h, pipeline/segment.h), by the page
 * walker, and by each unit that makes a copy untrue (tlb.c, breakpoint.c,
 * arch/, exec/fetch.c).
 */
#ifndef MONT_MMU_UTLB_H
#define MONT_MMU_UTLB_H

#include "../package/package.h"

static __always_inline u32 mont_utlb_slot(u64 va)
{
	return va >> 12 & (MONT_NR_UTLB - 1);
}

/* The copy that a load from @va uses, and the one that a store there does. */
static __always_inline const struct mont_utlb *mont_utlb_r(const struct mont_thread *t, u64 va)
{
	return &t->utlb_r.entry[mont_utlb_slot(va)];
}

static __always_inline const struct mont_utlb *mont_utlb_w(const struct mont_thread *t, u64 va)
{
	return &t->utlb_w.entry[mont_utlb_slot(va)];
}

/* The copy that the walker would read its table at @va by. */
static __always_inline struct mont_utlb *mont_utlb_table(struct mont_thread *t, u64 va)
{
	return &t->utlb_table[va >> 12 & (MONT_NR_UTLB_TABLE - 1)];
}

/* Keep that the page of @va is at @page, by @e, or NULL for a physical address. */
void mont_utlb_add(struct mont_thread *t, bool write, u64 va, u8 *page, const struct mont_tlbe *e);
/* Forget all: something that every translation depends on has changed. */
void mont_utlb_flush(struct mont_thread *t);
/* Forget what lies in the 2^@ps bytes at @va. */
void mont_utlb_drop(struct mont_thread *t, bool insn, u64 va, u32 ps);
/* Forget the copies of @e, of the data TLB those of its 4 KB @pieces. */
void mont_utlb_forget(struct mont_thread *t, bool insn, const struct mont_tlbe *e, u32 pieces);
/* Stores to the 4 KB at @page must be seen from now on. */
void mont_utlb_protect(struct mont_package *pkg, const u8 *page);
/* All copies are unused. */
void mont_utlb_init(struct mont_thread *t);

/*
 * The byte of @va in the page of @e: the offset is masked, so that a guest's
 * address used ahead of the comparison of tags stays in a page (Spectre v1).
 */
static __always_inline u8 *mont_utlb_byte(const struct mont_utlb *e, u64 va)
{
	return e->page + (va & (MONT_PAGE_SIZE - 1));
}

/* The physical address of @va, which has a copy in @set. */
static __always_inline u64 mont_utlb_pa(const struct mont_utlb_set *set, u64 va)
{
	return set->pa[mont_utlb_slot(va)] | (va & (MONT_PAGE_SIZE - 1));
}

static __always_inline bool mont_utlb_hit(const struct mont_utlb *e, u64 va, u32 size)
{
	return likely((va & (~0xfffULL | (size - 1))) == e->tag);
}

#endif
