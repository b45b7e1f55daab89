// SPDX-License-Identifier: GPL-2.0-only
/*
 * Translation registers and translation caches (SDM volume 2, 4.1.1; manual
 * 2.4.3.1).
 *
 * The model keeps the architecture's view: 32 TRs and a 128-entry TC for each
 * of instructions and data. The TC is replaced first in, first out, so that
 * its contents do not depend on how often an entry was used (assumption: the
 * silicon's policy is not published).
 */
#include "mem.h"

/* 4K 8K 16K 64K 256K 1M 4M 16M 64M 256M 1G 4G (published Itanium 2 list) */
#define PAGE_SIZES                                                                                 \
	(MONT_BIT(12) | MONT_BIT(13) | MONT_BIT(14) | MONT_BIT(16) | MONT_BIT(18) | MONT_BIT(20) | \
	 MONT_BIT(22) | MONT_BIT(24) | MONT_BIT(26) | MONT_BIT(28) | MONT_BIT(30) | MONT_BIT(32))

/* A purge can be larger than any page: the whole implemented space. */
#define PURGE_MAX 61

#define VA_MASK (MONT_BIT(MONT_VA_BITS) - 1)

bool mont_page_size_ok(u32 ps)
{
	return ps < 64 && (PAGE_SIZES >> ps & 1);
}

void mont_utlb_flush(struct mont_thread *t)
{
	unsigned int i;

	mont_work(t, (2 * MONT_NR_UTLB + MONT_NR_FETCH) / MONT_WORK_ENTRIES);
	for (i = 0; i < MONT_NR_UTLB; i++) {
		t->utlb_r[i].tag = MONT_UTLB_NONE;
		t->utlb_w[i].tag = MONT_UTLB_NONE;
	}
	for (i = 0; i < MONT_NR_FETCH; i++)
		t->fetch[i].va = 1;
	t->fetch_va = 1;
}

static u32 rid_of(const struct mont_thread *t, u64 va)
{
	return mont_bits(t->s.rr[va >> 61], 8, MONT_RID_BITS);
}

static bool covers(const struct mont_tlbe *e, u32 rid, u64 va)
{
	return e->valid && e->rid == rid && !(((e->va ^ va) & VA_MASK) >> e->ps);
}

/* Do the 2^@ps bytes at @va and @e have an address in common? */
static bool overlaps(const struct mont_tlbe *e, u32 rid, u64 va, u32 ps)
{
	u32 big = e->ps > ps ? e->ps : ps;

	return e->valid && e->rid == rid && !(((e->va ^ va) & VA_MASK) >> big);
}

const struct mont_tlbe *mont_tlb_find(const struct mont_thread *t, bool insn, u64 va)
{
	const struct mont_tlbe *tr = insn ? t->s.itr : t->s.dtr;
	const struct mont_tlbe *tc = insn ? t->s.itc : t->s.dtc;
	u32 rid = rid_of(t, va);
	unsigned int i;

	for (i = 0; i < MONT_NR_TR; i++)
		if (covers(&tr[i], rid, va))
			return &tr[i];
	for (i = 0; i < MONT_NR_TC; i++)
		if (covers(&tc[i], rid, va))
			return &tc[i];
	return NULL;
}

static void purge(struct mont_tlbe *e, unsigned int n, u32 rid, u64 va, u32 ps)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (overlaps(&e[i], rid, va, ps))
			e[i].valid = 0;
}

void mont_tlb_purge_tc(struct mont_thread *t, u64 va, u32 ps)
{
	u32 rid = rid_of(t, va);

	if (ps > PURGE_MAX)
		ps = PURGE_MAX;
	mont_work(t, 2 * MONT_NR_TC / MONT_WORK_ENTRIES);
	purge(t->s.itc, MONT_NR_TC, rid, va, ps);
	purge(t->s.dtc, MONT_NR_TC, rid, va, ps);
	mont_utlb_flush(t);
}

void mont_tlb_purge_tr(struct mont_thread *t, bool insn, u64 va, u32 ps)
{
	u32 rid = rid_of(t, va);

	if (ps > PURGE_MAX)
		ps = PURGE_MAX;
	purge(insn ? t->s.itr : t->s.dtr, MONT_NR_TR, rid, va, ps);
	purge(insn ? t->s.itc : t->s.dtc, MONT_NR_TC, rid, va, ps);
	mont_utlb_flush(t);
}

void mont_tlb_purge_all_tc(struct mont_thread *t)
{
	unsigned int i;

	for (i = 0; i < MONT_NR_TC; i++) {
		t->s.itc[i].valid = 0;
		t->s.dtc[i].valid = 0;
	}
	mont_utlb_flush(t);
}

/* Fill @e, or say which field is reserved (SDM volume 2, 4.1.1.5). */
static enum mont_result fill(struct mont_thread *t, struct mont_tlbe *e, u64 va, u64 pte, u64 itir)
{
	u32 ps = mont_bits(itir, 2, 6);
	u64 size_mask;

	if (!mont_page_size_ok(ps) || (itir & ~0xfffffffcULL))
		return MONT_FAULT_RESERVED_FIELD;
	if (pte & MONT_PTE_P) {
		u32 ma = mont_pte_ma(pte);

		if ((pte & MONT_PTE_RESERVED) || (ma >= 1 && ma <= 3))
			return MONT_FAULT_RESERVED_FIELD;
	}
	size_mask = MONT_BIT(ps) - 1;
	e->va = va & ~size_mask;
	e->pte = pte & MONT_PTE_PPN & ~size_mask;
	e->pte |= pte & (MONT_PTE_ED | 0xffdULL);
	e->rid = rid_of(t, va);
	e->key = mont_bits(itir, 8, MONT_RID_BITS);
	e->ps = ps;
	e->valid = 1;
	__builtin_memset(e->pad, 0, sizeof(e->pad));
	return MONT_NEXT;
}

enum mont_result mont_tlb_insert_tc(struct mont_thread *t, bool insn, u64 va, u64 pte, u64 itir)
{
	struct mont_tlbe *tc = insn ? t->s.itc : t->s.dtc;
	u32 *next = insn ? &t->s.itc_next : &t->s.dtc_next;
	struct mont_tlbe e;
	enum mont_result r = fill(t, &e, va, pte, itir);

	if (r != MONT_NEXT)
		return r;
	/* An overlap with a TR is a machine check the silicon may raise. */
	purge(tc, MONT_NR_TC, e.rid, e.va, e.ps);
	tc[*next] = e;
	*next = (*next + 1) % MONT_NR_TC;
	mont_utlb_flush(t);
	return MONT_NEXT;
}

enum mont_result mont_tlb_insert_tr(struct mont_thread *t, bool insn, u32 slot, u64 va, u64 pte,
				    u64 itir)
{
	struct mont_tlbe e;
	enum mont_result r;

	if (slot >= MONT_NR_TR)
		return MONT_FAULT_RESERVED_FIELD;
	r = fill(t, &e, va, pte, itir);
	if (r != MONT_NEXT)
		return r;
	purge(insn ? t->s.itc : t->s.dtc, MONT_NR_TC, e.rid, e.va, e.ps);
	(insn ? t->s.itr : t->s.dtr)[slot] = e;
	mont_utlb_flush(t);
	return MONT_NEXT;
}

u32 mont_access_rights(u32 ar, u32 pl, u32 cpl)
{
	/* SDM volume 2, table 4-2: rights at the page's own level and below. */
	static const u8 at_pl[8] = {
		MONT_ACC_READ,
		MONT_ACC_READ | MONT_ACC_EXEC,
		MONT_ACC_READ | MONT_ACC_WRITE,
		MONT_ACC_READ | MONT_ACC_WRITE | MONT_ACC_EXEC,
		MONT_ACC_READ,
		MONT_ACC_READ | MONT_ACC_EXEC,
		MONT_ACC_READ | MONT_ACC_WRITE | MONT_ACC_EXEC,
		MONT_ACC_EXEC,
	};
	static const u8 below_pl[8] = {
		MONT_ACC_READ,
		MONT_ACC_READ | MONT_ACC_EXEC,
		MONT_ACC_READ | MONT_ACC_WRITE,
		MONT_ACC_READ | MONT_ACC_WRITE | MONT_ACC_EXEC,
		MONT_ACC_READ | MONT_ACC_WRITE,
		MONT_ACC_READ | MONT_ACC_EXEC,
		MONT_ACC_READ | MONT_ACC_WRITE,
		MONT_ACC_EXEC,
	};

	/* 7 promotes: everybody may execute, level 0 may also read. */
	if (ar == 7)
		return cpl ? MONT_ACC_EXEC : MONT_ACC_EXEC | MONT_ACC_READ;
	if (cpl > pl)
		return 0;
	if (!cpl && ar == 5)
		return MONT_ACC_READ | MONT_ACC_WRITE | MONT_ACC_EXEC;
	if (!cpl)
		return below_pl[ar];
	return cpl == pl ? at_pl[ar] : below_pl[ar];
}
