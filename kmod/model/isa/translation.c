// SPDX-License-Identifier: GPL-2.0-only
/*
 * Translation operations (SDM volume 3: itc, itr, ptc, ptr, probe, tpa, tak,
 * thash, ttag): their operands and who may; the TLBs do the rest (mem/).
 */
#include "execute.h"
#include "../arch/psr.h"
#include "../memory/mem.h"

static enum mont_result translation_insert(struct mont_thread *t, const struct mont_uop *u,
					   bool insn, bool tr)
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

MONT_OPERATION(ITC_D)
{
	return translation_insert(t, u, false, false);
}

MONT_OPERATION(ITC_I)
{
	return translation_insert(t, u, true, false);
}

MONT_OPERATION(ITR_D)
{
	return translation_insert(t, u, false, true);
}

MONT_OPERATION(ITR_I)
{
	return translation_insert(t, u, true, true);
}

static enum mont_result translation_purge_check(struct mont_thread *t, const struct mont_uop *u)
{
	if (t->cpl)
		return MONT_FAULT_PRIV_OP;
	if (mont_nat(t, u->r3) || mont_nat(t, u->r2))
		return mont_nat_fault(t, 0);
	return MONT_NEXT;
}

/* The ITLBs have been told to purge. */
static enum mont_result translation_purge_done(struct mont_thread *t)
{
	mont_lsu_ask(t, MONT_LSU_ITLB_PURGE, 0, 0);
	return MONT_RELOAD;
}

static u32 translation_purge_ps(const struct mont_thread *t, const struct mont_uop *u)
{
	return mont_bits(mont_gr(t, u->r2), 2, 6);
}

MONT_OPERATION(PTC_L)
{
	enum mont_result r = translation_purge_check(t, u);

	if (r != MONT_NEXT)
		return r;
	mont_tlb_purge_tc(t, mont_rid(t, mont_gr(t, u->r3)), mont_gr(t, u->r3),
			  translation_purge_ps(t, u));
	return translation_purge_done(t);
}

/* Broadcast: the region ID is the issuer's. */
static enum mont_result translation_purge_global(struct mont_thread *t, const struct mont_uop *u,
						 bool alat)
{
	enum mont_result r = translation_purge_check(t, u);

	if (r != MONT_NEXT)
		return r;
	mont_tlb_purge_global(t, mont_gr(t, u->r3), translation_purge_ps(t, u), alat);
	mont_lsu_ask(t, MONT_LSU_BROADCAST, mont_gr(t, u->r3), MONT_PA_NONE);
	return translation_purge_done(t);
}

MONT_OPERATION(PTC_G)
{
	return translation_purge_global(t, u, false);
}

/* ptc.g, and the other processors' ALATs forget what they tracked. */
MONT_OPERATION(PTC_GA)
{
	return translation_purge_global(t, u, true);
}

MONT_OPERATION(PTC_E)
{
	if (t->cpl)
		return MONT_FAULT_PRIV_OP;
	if (mont_nat(t, u->r3))
		return mont_nat_fault(t, 0);
	mont_tlb_purge_all_tc(t);
	return translation_purge_done(t);
}

static enum mont_result translation_purge_tr(struct mont_thread *t, const struct mont_uop *u,
					     bool insn)
{
	enum mont_result r = translation_purge_check(t, u);

	if (r != MONT_NEXT)
		return r;
	mont_tlb_purge_tr(t, insn, mont_gr(t, u->r3), translation_purge_ps(t, u));
	return insn ? translation_purge_done(t) : MONT_RELOAD;
}

MONT_OPERATION(PTR_D)
{
	return translation_purge_tr(t, u, false);
}

MONT_OPERATION(PTR_I)
{
	return translation_purge_tr(t, u, true);
}

/* ISR of a probe that did not get as far as an address. */
static u64 translation_probe_isr(u32 want)
{
	return MONT_ISR_NA | 2 | (want & MONT_ACC_READ ? MONT_ISR_R : 0) |
	       (want & MONT_ACC_WRITE ? MONT_ISR_W : 0);
}

/* Check access @want at @level, or at the current level if that is less privileged. */
static enum mont_result translation_probe(struct mont_thread *t, const struct mont_uop *u, u32 want,
					  u32 level, bool *allowed)
{
	enum mont_result r;

	if (mont_nat(t, u->r3))
		return mont_nat_fault(t, translation_probe_isr(want));
	r = mont_probe(t, mont_gr(t, u->r3), want, level < t->cpl ? t->cpl : level, allowed);
	if (r != MONT_NEXT)
		t->fault_isr |= 2;
	return r;
}

static enum mont_result translation_probe_to(struct mont_thread *t, const struct mont_uop *u,
					     u32 want, u32 level)
{
	enum mont_result r;
	bool ok;

	if (mont_gr_bad(t, u->r1))
		return MONT_FAULT_ILLEGAL_OP;
	r = translation_probe(t, u, want, level, &ok);
	return r == MONT_NEXT ? mont_gr_set(t, u->r1, ok, 0) : r;
}

static enum mont_result translation_probe_by(struct mont_thread *t, const struct mont_uop *u,
					     u32 want)
{
	if (mont_gr_bad(t, u->r1))
		return MONT_FAULT_ILLEGAL_OP;
	if (mont_nat(t, u->r2))
		return mont_nat_fault(t, translation_probe_isr(want));
	return translation_probe_to(t, u, want, mont_gr(t, u->r2) & 3);
}

MONT_OPERATION(PROBE_R)
{
	return translation_probe_by(t, u, MONT_ACC_READ);
}

MONT_OPERATION(PROBE_W)
{
	return translation_probe_by(t, u, MONT_ACC_WRITE);
}

MONT_OPERATION(PROBE_R_I)
{
	return translation_probe_to(t, u, MONT_ACC_READ, u->imm & 3);
}

MONT_OPERATION(PROBE_W_I)
{
	return translation_probe_to(t, u, MONT_ACC_WRITE, u->imm & 3);
}

static enum mont_result translation_probe_fault(struct mont_thread *t, const struct mont_uop *u,
						u32 want)
{
	u32 level = (u->imm & 3) < t->cpl ? t->cpl : u->imm & 3;
	struct mont_xlat x;
	enum mont_result r;

	if (mont_nat(t, u->r3))
		return mont_nat_fault(t, (translation_probe_isr(want) & ~0xfULL) | 5);
	r = mont_translate(t, mont_gr(t, u->r3), want | MONT_ACC_NA, level, &x);
	if (r != MONT_NEXT)
		t->fault_isr |= 5;
	return r;
}

MONT_OPERATION(PROBE_RW_FAULT)
{
	return translation_probe_fault(t, u, MONT_ACC_READ | MONT_ACC_WRITE);
}

MONT_OPERATION(PROBE_R_FAULT)
{
	return translation_probe_fault(t, u, MONT_ACC_READ);
}

MONT_OPERATION(PROBE_W_FAULT)
{
	return translation_probe_fault(t, u, MONT_ACC_WRITE);
}

static enum mont_result translation_hash(struct mont_thread *t, const struct mont_uop *u, bool tag)
{
	u64 va = mont_gr(t, u->r3);

	return mont_gr_set(t, u->r1, tag ? mont_ttag(t, va) : mont_thash(t, va),
			   mont_nat(t, u->r3));
}

MONT_OPERATION(THASH)
{
	return translation_hash(t, u, false);
}

MONT_OPERATION(TTAG)
{
	return translation_hash(t, u, true);
}

MONT_OPERATION(TPA)
{
	enum mont_result r;
	u64 pa;

	if (mont_gr_bad(t, u->r1))
		return MONT_FAULT_ILLEGAL_OP;
	/* Every fault of tpa is one of a non-access reference, code 0. */
	t->fault_isr = MONT_ISR_NA;
	if (t->cpl)
		return MONT_FAULT_PRIV_OP;
	if (mont_nat(t, u->r3))
		return MONT_FAULT_NAT_CONSUMPTION;
	r = mont_tpa(t, mont_gr(t, u->r3), &pa);
	return r == MONT_NEXT ? mont_gr_set(t, u->r1, pa, 0) : r;
}

MONT_OPERATION(TAK)
{
	if (mont_gr_bad(t, u->r1))
		return MONT_FAULT_ILLEGAL_OP;
	t->fault_isr = MONT_ISR_NA | 3;
	if (t->cpl)
		return MONT_FAULT_PRIV_OP;
	if (mont_nat(t, u->r3))
		return MONT_FAULT_NAT_CONSUMPTION;
	t->fault_isr = 0;
	return mont_gr_set(t, u->r1, mont_tak(t, mont_gr(t, u->r3)), 0);
}
