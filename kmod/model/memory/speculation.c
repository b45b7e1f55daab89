// SPDX-License-Identifier: GPL-2.0-only
/*
 * Control-speculative loads: which faults give a NaT instead (SDM volume 2,
 * 5.5.5, deferral of speculative load faults).
 */
#include "speculation.h"
#include "../mmu/translate.h"

bool mont_deferred_by(struct mont_thread *t, enum mont_result r)
{
	const struct mont_tlbe *e;
	u64 dcr;

	switch (r) {
	case MONT_FAULT_UNIMPL_DATA_ADDR:
	case MONT_FAULT_NAT_PAGE_DATA:
	case MONT_FAULT_NESTED_TLB:
		return true;
	case MONT_FAULT_UNALIGNED:
	case MONT_FAULT_UNSUPPORTED_REF:
		/* No bit of DCR decides: the code page's deferral alone does. */
		dcr = 0;
		break;
	case MONT_FAULT_VHPT_DATA:
	case MONT_FAULT_ALT_DTLB:
	case MONT_FAULT_DTLB:
		dcr = MONT_DCR_DM;
		break;
	case MONT_FAULT_DPAGE_NOT_PRESENT:
		dcr = MONT_DCR_DP;
		break;
	case MONT_FAULT_DKEY_MISS:
		dcr = MONT_DCR_DK;
		break;
	case MONT_FAULT_DKEY_PERM:
		dcr = MONT_DCR_DX;
		break;
	case MONT_FAULT_DACCESS_RIGHTS:
		dcr = MONT_DCR_DR;
		break;
	case MONT_FAULT_DACCESS_BIT:
		dcr = MONT_DCR_DA;
		break;
	case MONT_FAULT_DDEBUG:
		dcr = MONT_DCR_DD;
		break;
	default:
		return false;
	}
	if (!(t->s.psr & MONT_PSR_IC))
		return true;
	if (!(t->s.psr & MONT_PSR_IT) || (t->s.cr.dcr & dcr) != dcr)
		return false;
	e = mont_tlb_find(t, true, t->s.ip);
	return e && (e->pte & MONT_PTE_ED);
}

u32 mont_natted_why(enum mont_result r, const struct mont_xlat *x)
{
	switch (r) {
	case MONT_FAULT_VHPT_DATA:
	case MONT_FAULT_DTLB:
	case MONT_FAULT_ALT_DTLB:
	case MONT_FAULT_NESTED_TLB:
		return x->walked ? MONT_NATTED_VHPT_MISS : MONT_NATTED_TLB_MISS;
	default:
		return MONT_NATTED_TLB_FAULT;
	}
}
