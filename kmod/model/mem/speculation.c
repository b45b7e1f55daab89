// SPDX-License-Identifier: GPL-2.0-only
/*
 * Control-speculative loads: which faults give a NaT instead (SDM volume 2,
 * 5.5.5, deferral of speculative load faults).
 */
#include "access.h"

/* DCR bits that defer faults of speculative loads (SDM volume 2, 3.3.4.1). */
#define DCR_DM MONT_BIT(8)
#define DCR_DP MONT_BIT(9)
#define DCR_DK MONT_BIT(10)
#define DCR_DX MONT_BIT(11)
#define DCR_DR MONT_BIT(12)
#define DCR_DA MONT_BIT(13)
#define DCR_DD MONT_BIT(14)

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
		dcr = DCR_DM;
		break;
	case MONT_FAULT_DPAGE_NOT_PRESENT:
		dcr = DCR_DP;
		break;
	case MONT_FAULT_DKEY_MISS:
		dcr = DCR_DK;
		break;
	case MONT_FAULT_DKEY_PERM:
		dcr = DCR_DX;
		break;
	case MONT_FAULT_DACCESS_RIGHTS:
		dcr = DCR_DR;
		break;
	case MONT_FAULT_DACCESS_BIT:
		dcr = DCR_DA;
		break;
	case MONT_FAULT_DDEBUG:
		dcr = DCR_DD;
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
