// SPDX-License-Identifier: GPL-2.0-only
/*
 * Translation operations (SDM volume 3: itc, itr, ptc, ptr, probe, tpa, tak,
 * thash, ttag).
 */
#include "execute.h"
#include "../core/psr.h"
#include "../mem/mem.h"

#define OP(op) enum mont_result mont_x_##op(struct mont_thread *t, const struct mont_uop *u)

static enum mont_result insert(struct mont_thread *t, const struct mont_uop *u, bool insn, bool tr)
{
	enum mont_result r;
	u64 pte = mont_gr(t, u->r2);

	if (t->s.psr & MONT_PSR_IC)
		return MONT_FAULT_ILLEGAL_OP;
	if (t->cpl)
		return MONT_FAULT_PRIV_OP;
	if (mont_nat(t, u->r2) || (tr && mont_nat(t, u->r3)))
		return mont_nat_fault(t, 0);
	if (tr)
		r = mont_tlb_insert_tr(t, insn, mont_gr(t, u->r3) & 0xff, t->s.cr.ifa, pte,
				       t->s.cr.itir);
	else
		r = mont_tlb_insert_tc(t, insn, t->s.cr.ifa, pte, t->s.cr.itir, NULL);
	return r == MONT_NEXT ? MONT_RELOAD : r;
}

OP(ITC_D)
{
	return insert(t, u, false, false);
}

OP(ITC_I)
{
	return insert(t, u, true, false);
}

OP(ITR_D)
{
	return insert(t, u, false, true);
}

OP(ITR_I)
{
	return insert(t, u, true, true);
}

static enum mont_result purge_check(struct mont_thread *t, const struct mont_uop *u)
{
	if (t->cpl)
		return MONT_FAULT_PRIV_OP;
	if (mont_nat(t, u->r3) || mont_nat(t, u->r2))
		return mont_nat_fault(t, 0);
	return MONT_NEXT;
}

static u32 purge_ps(const struct mont_thread *t, const struct mont_uop *u)
{
	return mont_bits(mont_gr(t, u->r2), 2, 6);
}

OP(PTC_L)
{
	enum mont_result r = purge_check(t, u);

	if (r != MONT_NEXT)
		return r;
	mont_tlb_purge_tc(t, mont_rid(t, mont_gr(t, u->r3)), mont_gr(t, u->r3), purge_ps(t, u));
	return MONT_RELOAD;
}

/* ptc.g, and the other processors' ALATs forget what they tracked. */
OP(PTC_GA)
{
	enum mont_result r = mont_x_PTC_G(t, u);
	unsigned int i;

	if (r != MONT_RELOAD)
		return r;
	for (i = 0; i < t->pkg->nr_vcpus; i++)
		if (&t->pkg->thread[i] != t)
			mont_alat_clear(&t->pkg->thread[i]);
	return r;
}

/* Broadcast: the region ID is the issuer's. */
OP(PTC_G)
{
	enum mont_result r = purge_check(t, u);
	u64 va = mont_gr(t, u->r3);
	unsigned int i;

	if (r != MONT_NEXT)
		return r;
	for (i = 0; i < t->pkg->nr_vcpus; i++)
		mont_tlb_purge_tc(&t->pkg->thread[i], mont_rid(t, va), va, purge_ps(t, u));
	return MONT_RELOAD;
}

OP(PTC_E)
{
	if (t->cpl)
		return MONT_FAULT_PRIV_OP;
	if (mont_nat(t, u->r3))
		return mont_nat_fault(t, 0);
	mont_tlb_purge_all_tc(t);
	return MONT_RELOAD;
}

static enum mont_result purge_tr(struct mont_thread *t, const struct mont_uop *u, bool insn)
{
	enum mont_result r = purge_check(t, u);

	if (r != MONT_NEXT)
		return r;
	mont_tlb_purge_tr(t, insn, mont_gr(t, u->r3), purge_ps(t, u));
	return MONT_RELOAD;
}

OP(PTR_D)
{
	return purge_tr(t, u, false);
}

OP(PTR_I)
{
	return purge_tr(t, u, true);
}

/* ISR of a probe that did not get as far as an address. */
static u64 probe_isr(u32 want)
{
	return MONT_ISR_NA | 2 | (want & MONT_ACC_READ ? MONT_ISR_R : 0) |
	       (want & MONT_ACC_WRITE ? MONT_ISR_W : 0);
}

/*
 * A probe looks at translations even where PSR.dt is 0; the walker is off then.
 */
static enum mont_result probe_translate(struct mont_thread *t, u64 va, u32 ref, u32 level)
{
	u64 psr = t->s.psr;
	struct mont_xlat x;
	enum mont_result r;

	if (!(psr & MONT_PSR_DT) && !mont_tlb_find(t, false, va)) {
		t->fault_ifa = va;
		t->fault_isr = MONT_ISR_NA | (ref & MONT_ACC_READ ? MONT_ISR_R : 0) |
			       (ref & MONT_ACC_WRITE ? MONT_ISR_W : 0);
		return psr & MONT_PSR_IC ? MONT_FAULT_ALT_DTLB : MONT_FAULT_NESTED_TLB;
	}
	t->s.psr |= MONT_PSR_DT;
	r = mont_translate(t, va, ref, level, &x);
	t->s.psr = psr;
	return r;
}

/* Would @want be allowed at @level, or at the current one if that is lower? */
static enum mont_result probe(struct mont_thread *t, const struct mont_uop *u, u32 want, u32 level,
			      bool *ok)
{
	enum mont_result r;

	if (mont_nat(t, u->r3))
		return mont_nat_fault(t, probe_isr(want));
	if (level < t->cpl)
		level = t->cpl;
	r = probe_translate(t, mont_gr(t, u->r3), want | MONT_ACC_NA, level);
	*ok = true;
	switch (r) {
	case MONT_FAULT_DACCESS_RIGHTS:
	case MONT_FAULT_DKEY_PERM:
		*ok = false;
		break;
	case MONT_NEXT:
	case MONT_FAULT_DIRTY:
	case MONT_FAULT_DACCESS_BIT:
	case MONT_FAULT_DDEBUG:
		break;
	default:
		t->fault_isr |= 2;
		return r;
	}
	t->fault_isr = 0;
	return MONT_NEXT;
}

static enum mont_result probe_to(struct mont_thread *t, const struct mont_uop *u, u32 want,
				 u32 level)
{
	enum mont_result r;
	bool ok;

	if (mont_gr_bad(t, u->r1))
		return MONT_FAULT_ILLEGAL_OP;
	r = probe(t, u, want, level, &ok);
	return r == MONT_NEXT ? mont_gr_set(t, u->r1, ok, 0) : r;
}

static enum mont_result probe_by(struct mont_thread *t, const struct mont_uop *u, u32 want)
{
	if (mont_gr_bad(t, u->r1))
		return MONT_FAULT_ILLEGAL_OP;
	if (mont_nat(t, u->r2))
		return mont_nat_fault(t, probe_isr(want));
	return probe_to(t, u, want, mont_gr(t, u->r2) & 3);
}

OP(PROBE_R)
{
	return probe_by(t, u, MONT_ACC_READ);
}

OP(PROBE_W)
{
	return probe_by(t, u, MONT_ACC_WRITE);
}

OP(PROBE_R_I)
{
	return probe_to(t, u, MONT_ACC_READ, u->imm & 3);
}

OP(PROBE_W_I)
{
	return probe_to(t, u, MONT_ACC_WRITE, u->imm & 3);
}

static enum mont_result probe_fault(struct mont_thread *t, const struct mont_uop *u, u32 want)
{
	u32 level = (u->imm & 3) < t->cpl ? t->cpl : u->imm & 3;
	struct mont_xlat x;
	enum mont_result r;

	if (mont_nat(t, u->r3))
		return mont_nat_fault(t, (probe_isr(want) & ~0xfULL) | 5);
	r = mont_translate(t, mont_gr(t, u->r3), want | MONT_ACC_NA, level, &x);
	if (r != MONT_NEXT)
		t->fault_isr |= 5;
	return r;
}

OP(PROBE_RW_FAULT)
{
	return probe_fault(t, u, MONT_ACC_READ | MONT_ACC_WRITE);
}

OP(PROBE_R_FAULT)
{
	return probe_fault(t, u, MONT_ACC_READ);
}

OP(PROBE_W_FAULT)
{
	return probe_fault(t, u, MONT_ACC_WRITE);
}

static enum mont_result hashed(struct mont_thread *t, const struct mont_uop *u, bool tag)
{
	u64 va = mont_gr(t, u->r3);

	return mont_gr_set(t, u->r1, tag ? mont_ttag(t, va) : mont_thash(t, va),
			   mont_nat(t, u->r3));
}

OP(THASH)
{
	return hashed(t, u, false);
}

OP(TTAG)
{
	return hashed(t, u, true);
}

OP(TPA)
{
	u64 va = mont_gr(t, u->r3);
	const struct mont_tlbe *e;

	if (mont_gr_bad(t, u->r1))
		return MONT_FAULT_ILLEGAL_OP;
	/* Every fault of tpa is one of a non-access reference, code 0. */
	t->fault_isr = MONT_ISR_NA;
	t->fault_ifa = va;
	if (t->cpl)
		return MONT_FAULT_PRIV_OP;
	if (mont_nat(t, u->r3))
		return MONT_FAULT_NAT_CONSUMPTION;
	e = mont_tlb_find(t, false, va);
	if (!e) {
		enum mont_result r = mont_vhpt_walk(t, false, va, MONT_ACC_NA, &e);

		if (r != MONT_NEXT)
			return t->s.psr & MONT_PSR_IC ? r : MONT_FAULT_NESTED_TLB;
	}
	if (!(e->pte & MONT_PTE_P))
		return MONT_FAULT_DPAGE_NOT_PRESENT;
	if (mont_pte_ma(e->pte) == MONT_MA_NATPAGE)
		return MONT_FAULT_NAT_PAGE_DATA;
	t->fault_isr = 0;
	mont_tlb_mark(t, false, e);
	return mont_gr_set(t, u->r1, (e->pte & MONT_PTE_PPN) | (va & (MONT_BIT(e->ps) - 1)), 0);
}

OP(TAK)
{
	const struct mont_tlbe *e;

	if (mont_gr_bad(t, u->r1))
		return MONT_FAULT_ILLEGAL_OP;
	t->fault_isr = MONT_ISR_NA | 3;
	if (t->cpl)
		return MONT_FAULT_PRIV_OP;
	if (mont_nat(t, u->r3))
		return MONT_FAULT_NAT_CONSUMPTION;
	t->fault_isr = 0;
	e = mont_tlb_find(t, false, mont_gr(t, u->r3));
	/* 1: there is no key, because there is no translation. */
	return mont_gr_set(t, u->r1, e && (e->pte & MONT_PTE_P) ? (u64)e->key << 8 : 1, 0);
}
