// SPDX-License-Identifier: GPL-2.0-only
/*
 * Translation of an address with the checks that go with it: presence, protection
 * keys, access rights, the dirty and access bits, data breakpoints, in the order
 * of SDM volume 2, tables 5-5 and 5-6 (4.1 for translation, 7.1 for breakpoints).
 */
#include "translate.h"
#include "keys.h"
#include "vhpt.h"
#include "../memory/lsu.h"
#include "../event/raise.h"

static __always_inline u64 translate_isr(u32 ref)
{
	return (ref & MONT_ACC_READ ? MONT_ISR_R : 0) | (ref & MONT_ACC_WRITE ? MONT_ISR_W : 0) |
	       (ref & MONT_ACC_EXEC ? MONT_ISR_X : 0) | (ref & MONT_ACC_SPEC ? MONT_ISR_SP : 0) |
	       (ref & MONT_ACC_NA ? MONT_ISR_NA : 0) | (ref & MONT_ACC_RSE ? MONT_ISR_RS : 0);
}

u64 mont_reference_isr(u32 ref)
{
	return translate_isr(ref);
}

/* True if a data breakpoint matches (SDM volume 2, 7.1). */
static bool translate_dbr_match(const struct mont_thread *t, u64 va, u32 ref, u32 cpl)
{
	unsigned int i;

	for (i = 0; i < MONT_NR_DEBUG; i += 2) {
		u64 c = t->s.dbr[i + 1], mask = mont_bits(c, 0, 56) | 0xffULL << 56;

		if (!((ref & MONT_ACC_READ && c >> 63) ||
		      (ref & MONT_ACC_WRITE && (c >> 62 & 1))) ||
		    !(c >> 56 >> cpl & 1))
			continue;
		if (!((t->s.dbr[i] ^ va) & mask))
			return true;
	}
	return false;
}

bool mont_data_debug(const struct mont_thread *t, u64 va, u32 ref, u32 cpl)
{
	return (t->s.psr & MONT_PSR_DB) && !(t->s.psr & MONT_PSR_DD) &&
	       translate_dbr_match(t, va, ref, cpl);
}

/* The L2 DTLB, where TCs and TRs are, has nothing for the data reference at @va. */
static struct mont_ref translate_miss(struct mont_thread *t, u64 va, u32 ref)
{
	struct mont_ref missed = {
		.va = va,
		.pa = MONT_PA_NONE,
		.size = t->fault_size,
		.kind = (ref & MONT_ACC_FP ? MONT_DATA_FP : 0) |
			(ref & MONT_ACC_RSE ? MONT_DATA_RSE : 0),
	};

	mont_signal_ref(t, MONT_SIG_L2DTLB_MISSED, &missed);
	return missed;
}

static __always_inline enum mont_result translate(struct mont_thread *t, u64 va, u32 ref, u32 cpl,
						  struct mont_xlat *x)
{
	bool insn = ref & MONT_ACC_EXEC;
	u64 on = insn ? MONT_PSR_IT : ref & MONT_ACC_RSE ? MONT_PSR_RT : MONT_PSR_DT;
	const struct mont_tlbe *e;
	enum mont_result r;
	u32 rights;

	t->fault_ifa = va;
	t->fault_isr = translate_isr(ref);
	x->walked = false;
	if (!(t->s.psr & on) && !(ref & MONT_ACC_TLB)) {
		x->pa = va & ~MONT_BIT(63);
		x->ma = va >> 63 ? MONT_MA_UC : MONT_MA_WB;
		x->ed = 0;
		x->writable = true;
		x->entry = NULL;
		if (x->pa >> MONT_PA_BITS && !insn)
			return MONT_FAULT_UNIMPL_DATA_ADDR;
		if (!insn && !(ref & MONT_ACC_UNCHECKED) && mont_data_debug(t, va, ref, cpl))
			return MONT_FAULT_DDEBUG;
		t->fault_isr = 0;
		/* A trap of the branch that led here, not a fault of this fetch. */
		return x->pa >> MONT_PA_BITS ? MONT_FAULT_UNIMPL_INSN_ADDR : MONT_NEXT;
	}
	e = mont_tlb_find(t, insn, va);
	if (!e) {
		bool referred = !insn && !(ref & MONT_ACC_NA);
		struct mont_ref missed;

		if (referred)
			missed = translate_miss(t, va, ref);
		if (insn)
			mont_lsu_ask(t, MONT_LSU_ITLB_MISS, va, 0);
		r = mont_vhpt_walk(t, insn, va, ref, &e);
		x->walked = r != MONT_FAULT_ALT_ITLB && r != MONT_FAULT_ALT_DTLB;
		if (r != MONT_NEXT)
			return !insn && !(t->s.psr & MONT_PSR_IC) ? MONT_FAULT_NESTED_TLB : r;
		if (referred)
			mont_signal_line(t, MONT_SIG_DTLB_SERVED, &missed, MONT_DTLB_VHPT);
	}
	x->entry = e;
	x->pa = (e->pte & MONT_PTE_PPN) | (va & (MONT_BIT(e->ps) - 1));
	x->ma = mont_pte_ma(e->pte);
	x->ed = !!(e->pte & MONT_PTE_ED);
	if (!(e->pte & MONT_PTE_P))
		return insn ? MONT_FAULT_IPAGE_NOT_PRESENT : MONT_FAULT_DPAGE_NOT_PRESENT;
	if (x->ma == MONT_MA_NATPAGE)
		return insn ? MONT_FAULT_NAT_PAGE_INSN : MONT_FAULT_NAT_PAGE_DATA;
	if ((t->s.psr & MONT_PSR_PK) && !(ref & MONT_ACC_UNCHECKED)) {
		r = mont_check_key(t, e, ref);
		if (r != MONT_NEXT)
			return r;
	}
	rights = mont_access_rights(mont_bits(e->pte, 9, 3), mont_bits(e->pte, 7, 2), cpl);
	if (!cpl && (ref & MONT_ACC_UNCHECKED))
		rights = MONT_ACC_READ;
	if (ref & ~rights & (MONT_ACC_READ | MONT_ACC_WRITE | MONT_ACC_EXEC))
		return insn ? MONT_FAULT_IACCESS_RIGHTS : MONT_FAULT_DACCESS_RIGHTS;
	if ((ref & MONT_ACC_WRITE) && !(e->pte & MONT_PTE_D) && !(t->s.psr & MONT_PSR_DA))
		return MONT_FAULT_DIRTY;
	if (!(e->pte & MONT_PTE_A) && !(t->s.psr & (insn ? MONT_PSR_IA : MONT_PSR_DA)) &&
	    !(ref & MONT_ACC_UNCHECKED))
		return insn ? MONT_FAULT_IACCESS_BIT : MONT_FAULT_DACCESS_BIT;
	if (!insn && !(ref & MONT_ACC_UNCHECKED) && mont_data_debug(t, va, ref, cpl))
		return MONT_FAULT_DDEBUG;
	/* A key is looked up for the reference it is asked for. */
	x->writable = (rights & MONT_ACC_WRITE) && !(t->s.psr & MONT_PSR_PK) &&
		      ((e->pte & MONT_PTE_D) || (t->s.psr & MONT_PSR_DA));
	mont_tlb_mark(t, insn, e);
	t->fault_isr = 0;
	return MONT_NEXT;
}

enum mont_result mont_translate(struct mont_thread *t, u64 va, u32 ref, u32 cpl,
				struct mont_xlat *x)
{
	/* The commonest reference has code of its own, without what it does not need. */
	return ref == MONT_ACC_READ ? translate(t, va, MONT_ACC_READ, cpl, x)
				    : translate(t, va, ref, cpl, x);
}
