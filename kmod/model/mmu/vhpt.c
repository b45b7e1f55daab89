// SPDX-License-Identifier: GPL-2.0-only
/*
 * Virtual hash page table and its walker (SDM volume 2, 4.1.5 to 4.1.7).
 */
#include "vhpt.h"
#include "keys.h"
#include "translation.h"
#include "utlb.h"
#include "../memory/lsu.h"
#include "../memory/phys.h"
#include "../event/raise.h"

#define PTA_VE MONT_BIT(0)
#define PTA_VF MONT_BIT(8)
#define RR_VE MONT_BIT(0)
#define VA_MASK (MONT_BIT(MONT_VA_BITS) - 1)

static u32 vhpt_rr_ps(u64 rr)
{
	return mont_bits(rr, 2, 6);
}

u64 mont_thash(const struct mont_thread *t, u64 va)
{
	u64 pta = t->s.cr.pta, rr = t->s.rr[va >> 61];
	u64 mask = MONT_BIT(mont_bits(pta, 2, 6)) - 1;
	u64 base = pta & ~0x7fffULL, vpn = (va & VA_MASK) >> vhpt_rr_ps(rr);

	if (pta & PTA_VF) {
		/* The hash is the processor's own: assumption, page xor region ID. */
		u64 hash = (vpn ^ mont_rid(t, va)) << 5;

		return (base & ~mask) | (hash & mask);
	}
	return (va & ~VA_MASK) | (((base & ~mask) | (vpn << 3 & mask)) & VA_MASK);
}

u64 mont_ttag(const struct mont_thread *t, u64 va)
{
	/* Unique for a page and region ID together with the hash. */
	return (u64)mont_rid(t, va) << 39 | (((va & VA_MASK) >> 12) & 0x7fffffffffULL);
}

static bool vhpt_walker_enabled(const struct mont_thread *t, bool insn, u64 va, u32 ref)
{
	u64 need = MONT_PSR_DT;

	if (insn)
		need |= MONT_PSR_IT | MONT_PSR_IC;
	if (ref & MONT_ACC_RSE)
		need |= MONT_PSR_RT;
	return (t->s.cr.pta & PTA_VE) && (t->s.rr[va >> 61] & RR_VE) && (t->s.psr & need) == need;
}

/*
 * The walker reads the table through the DTLB as data at level 0, under the
 * protection keys where PSR.pk is 1; what would be a fault of that reference ends
 * the search, for software to sort out, as does memory that is not write-back.
 */
static const u64 *vhpt_entry(struct mont_thread *t, u64 addr, u32 len, bool *miss)
{
	struct mont_utlb *copy = mont_utlb_table(t, addr);
	const struct mont_tlbe *e;
	u64 pa;
	u8 *p;

	*miss = false;
	if (mont_utlb_hit(copy, addr, len))
		return (const u64 *)mont_utlb_byte(copy, addr);
	e = mont_tlb_find(t, false, addr);
	*miss = !e;
	if (!e || !(e->pte & MONT_PTE_P) || !(e->pte & MONT_PTE_A) ||
	    mont_pte_ma(e->pte) != MONT_MA_WB ||
	    !(mont_access_rights(mont_bits(e->pte, 9, 3), mont_bits(e->pte, 7, 2), 0) &
	      MONT_ACC_READ) ||
	    ((t->s.psr & MONT_PSR_PK) && mont_check_key(t, e, MONT_ACC_READ) != MONT_NEXT))
		return NULL;
	mont_tlb_mark(t, false, e);
	pa = (e->pte & MONT_PTE_PPN) | (addr & (MONT_BIT(e->ps) - 1));
	p = mont_ram(t->pkg, pa, len);
	if (p) {
		copy->tag = addr & ~(u64)(MONT_PAGE_SIZE - 1);
		copy->page = p - (pa & (MONT_PAGE_SIZE - 1));
		mont_tlb_copied(t, e, addr, MONT_COPIES_OF_TABLE);
	}
	return (const u64 *)p;
}

/* The walker's byte order is DCR.be. */
static u64 vhpt_word(const struct mont_thread *t, const u64 *p)
{
	return t->s.cr.dcr & MONT_DCR_BE ? __builtin_bswap64(*p) : *p;
}

enum mont_result mont_vhpt_walk(struct mont_thread *t, bool insn, u64 va, u32 ref,
				const struct mont_tlbe **e)
{
	enum mont_result tlb_miss = insn ? MONT_FAULT_ITLB : MONT_FAULT_DTLB;
	bool longf = t->s.cr.pta & PTA_VF, miss;
	u64 rr = t->s.rr[va >> 61], addr, pte, itir;
	const u64 *p;

	mont_work(t, MONT_WORK_WALK);
	t->fault_ifa = va;
	if (!vhpt_walker_enabled(t, insn, va, ref))
		return insn ? MONT_FAULT_ALT_ITLB : MONT_FAULT_ALT_DTLB;
	addr = mont_thash(t, va);
	t->fault_iha = addr;
	p = vhpt_entry(t, addr, longf ? 32 : 8, &miss);
	if (miss)
		return insn ? MONT_FAULT_VHPT_INSN : MONT_FAULT_VHPT_DATA;
	if (!p)
		return tlb_miss;
	if (!insn)
		mont_signal(t, MONT_SIG_WALKER_READ, 0);
	if (unlikely(t->lsu_log))
		mont_lsu_put(t, insn ? MONT_LSU_FETCH_WALK : MONT_LSU_WALK, va,
			     mont_ram_address(t->pkg, (const u8 *)p), 8, 0);
	pte = vhpt_word(t, p);
	if (longf) {
		itir = vhpt_word(t, p + 1) & 0xfffffffcULL;
		if (vhpt_word(t, p + 2) != mont_ttag(t, va))
			return tlb_miss;
	} else {
		/* The short format takes size and key from the region register. */
		itir = (rr & 0xfcULL) | (u64)mont_rid(t, va) << 8;
	}
	if (mont_tlb_insert_tc(t, insn, va, pte, itir, e) != MONT_NEXT)
		return tlb_miss;
	if (!insn) {
		mont_signal(t, MONT_SIG_WALKER_DTLB, 0);
		return MONT_NEXT;
	}
	mont_signal(t, MONT_SIG_WALKER_ITLB, 0);
	mont_lsu_ask(t, MONT_LSU_ITLB_INSERT, va, 0);
	return MONT_NEXT;
}

bool mont_vhpt_look(const struct mont_thread *t, u64 va, u64 *pa)
{
	bool longf = t->s.cr.pta & PTA_VF;
	u64 at, pte, ps = vhpt_rr_ps(t->s.rr[va >> 61]);
	const u64 *p = NULL;

	/* The walker would look there, whatever PSR.ic is at the moment. */
	if (!(t->s.cr.pta & PTA_VE) || !(t->s.rr[va >> 61] & RR_VE) || !(t->s.psr & MONT_PSR_DT))
		return false;
	if (mont_tlb_look(t, false, mont_thash(t, va), &at))
		p = (const u64 *)mont_ram(t->pkg, at, longf ? 32 : 8);
	if (!p || (longf && vhpt_word(t, p + 2) != mont_ttag(t, va)))
		return false;
	pte = vhpt_word(t, p);
	if (longf)
		ps = mont_bits(vhpt_word(t, p + 1), 2, 6);
	if (!(pte & MONT_PTE_P) || !mont_page_size_ok(ps))
		return false;
	*pa = (pte & MONT_PTE_PPN & ~(MONT_BIT(ps) - 1)) | (va & (MONT_BIT(ps) - 1));
	return true;
}
