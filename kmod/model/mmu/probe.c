// SPDX-License-Identifier: GPL-2.0-only
/*
 * Translations for probe, tpa and tak: references that access
 * nothing (SDM volume 3, probe, tpa, tak). They look at the TLB where PSR.dt is 0,
 * too; the walker is off then.
 */
#include "probe.h"
#include "translate.h"
#include "vhpt.h"

enum mont_result mont_probe(struct mont_thread *t, u64 va, u32 want, u32 level, bool *allowed)
{
	struct mont_xlat x;
	enum mont_result r;

	r = mont_translate(t, va, want | MONT_ACC_NA | MONT_ACC_TLB, level, &x);
	*allowed = r != MONT_FAULT_DACCESS_RIGHTS && r != MONT_FAULT_DKEY_PERM;
	switch (r) {
	case MONT_NEXT:
	case MONT_FAULT_DACCESS_RIGHTS:
	case MONT_FAULT_DKEY_PERM:
	case MONT_FAULT_DIRTY:
	case MONT_FAULT_DACCESS_BIT:
	case MONT_FAULT_DDEBUG:
		t->fault_isr = 0;
		return MONT_NEXT;
	default:
		return r;
	}
}

enum mont_result mont_tpa(struct mont_thread *t, u64 va, u64 *pa)
{
	struct mont_xlat x;
	enum mont_result r;

	r = mont_translate(t, va, MONT_ACC_NA | MONT_ACC_TLB | MONT_ACC_UNCHECKED, 0, &x);
	*pa = x.pa;
	return r;
}

u64 mont_tak(struct mont_thread *t, u64 va)
{
	const struct mont_tlbe *e = mont_tlb_find(t, false, va);

	if (!e && mont_vhpt_walk(t, false, va, MONT_ACC_NA, &e) != MONT_NEXT)
		return 1;
	/* 1: there is no key, because there is no translation. */
	return e->pte & MONT_PTE_P ? (u64)e->key << 8 : 1;
}
