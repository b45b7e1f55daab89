// SPDX-License-Identifier: GPL-2.0-only
/*
 * Register stack and processor control operations (SDM volume 3: alloc,
 * flushrs, loadrs, cover, clrrrb, bsw, epc, rfi, vmsw, break, srlz, hint).
 */
#include "execute.h"
#include "../arch/psr.h"
#include "../arch/rse.h"
#include "../memory/mem.h"

MONT_OPERATION(ALLOC)
{
	u32 sof = u->imm & 0xff, sol = u->imm >> 8 & 0xff, sor = u->imm >> 16 & 0xff;
	u64 pfs = t->s.ar.pfs;
	enum mont_result r;

	/* The target is a register of the new frame. */
	if (sof > MONT_NR_STACKED || sol > sof || sor > sof || !u->r1 || u->r1 >= 32 + sof)
		return MONT_FAULT_ILLEGAL_OP;
	if (sor != t->s.sor && (t->s.rrb_gr || t->s.rrb_fr || t->s.rrb_pr))
		return MONT_FAULT_RESERVED_FIELD;
	if (t->s.ndirty < 0)
		return MONT_FAULT_ILLEGAL_OP;
	r = mont_rse_alloc(t, sof, sol, sor);
	if (r != MONT_NEXT)
		return r;
	return mont_gr_set(t, u->r1, pfs, 0);
}

/* A handler that met an incomplete frame must cover it first. */
MONT_OPERATION(FLUSHRS)
{
	if (t->s.ndirty < 0)
		return MONT_FAULT_ILLEGAL_OP;
	return mont_rse_flush(t);
}

MONT_OPERATION(LOADRS)
{
	if ((t->s.ar.rsc & 3) || t->s.ndirty < 0 || (t->s.sof && mont_bits(t->s.ar.rsc, 16, 14)))
		return MONT_FAULT_ILLEGAL_OP;
	return mont_rse_load(t);
}

MONT_OPERATION(COVER)
{
	/* While interruptions are collected IFS is the processor's own. */
	if (!(t->s.psr & MONT_PSR_IC))
		t->s.cr.ifs = mont_cfm(t) | MONT_BIT(63);
	mont_rse_cover(t);
	return MONT_NEXT;
}

MONT_OPERATION(CLRRRB)
{
	mont_clrrrb(t, false);
	return MONT_NEXT;
}

MONT_OPERATION(CLRRRB_PR)
{
	mont_clrrrb(t, true);
	return MONT_NEXT;
}

static enum mont_result system_switch_bank(struct mont_thread *t, u64 bn)
{
	if (t->cpl)
		return MONT_FAULT_PRIV_OP;
	mont_psr_set(t, (t->s.psr & ~MONT_PSR_BN) | bn);
	mont_lsu_ask(t, MONT_LSU_SWITCH_BANK, 0, 0);
	return MONT_NEXT;
}

MONT_OPERATION(BSW0)
{
	return system_switch_bank(t, 0);
}

MONT_OPERATION(BSW1)
{
	return system_switch_bank(t, MONT_PSR_BN);
}

MONT_OPERATION(EPC)
{
	const struct mont_tlbe *e;
	u32 cpl = 0;

	if (t->s.ar.pfs >> 62 < t->cpl)
		return MONT_FAULT_ILLEGAL_OP;
	if (t->s.psr & MONT_PSR_IT) {
		/* Only a page of access rights 7 promotes, to its own level. */
		e = mont_tlb_find(t, true, t->s.ip);
		cpl = t->cpl;
		if (e && mont_bits(e->pte, 9, 3) == 7 && mont_bits(e->pte, 7, 2) < cpl)
			cpl = mont_bits(e->pte, 7, 2);
	}
	mont_retire_now(t);
	mont_psr_set(t, (t->s.psr & ~MONT_PSR_CPL) | (u64)cpl << MONT_PSR_CPL_SHIFT);
	return MONT_RELOAD;
}

MONT_OPERATION(RFI)
{
	u64 psr = t->s.cr.ipsr, ifs = t->s.cr.ifs;

	if (t->cpl)
		return MONT_FAULT_PRIV_OP;
	if (psr & MONT_PSR_IS)
		return MONT_FAULT_DISABLED_ISA;
	mont_signal(t, MONT_SIG_FLUSHED, 0);
	(void)mont_take(t, t->s.cr.iip);
	t->s.slot = mont_bits(psr, MONT_PSR_RI_SHIFT, 2) % 3;
	mont_psr_set(t, psr & MONT_PSR_IMPLEMENTED);
	if (ifs >> 63)
		mont_rse_resume(t, mont_bits(ifs, 0, 38));
	else
		mont_rse_enable_load(t);
	return MONT_TAKEN;
}

/* PAL grants no virtual machine monitor rights here. */
MONT_OPERATION(VMSW0)
{
	return t->cpl ? MONT_FAULT_PRIV_OP : MONT_FAULT_VIRTUALIZATION;
}

MONT_OPERATION(VMSW1)
{
	return t->cpl ? MONT_FAULT_PRIV_OP : MONT_FAULT_VIRTUALIZATION;
}

MONT_OPERATION(BREAK)
{
	/* The B unit delivers no immediate (SDM volume 3, break). */
	t->fault_imm = u->flags & MONT_UOP_B ? 0 : u->imm;
	t->fault_isr = 0;
	return MONT_FAULT_BREAK;
}

MONT_OPERATION(NOP)
{
	return MONT_NEXT;
}

/* hint@pause switches threads, but not in a B slot (manual table 2-3, note 3). */
MONT_OPERATION(HINT)
{
	if (unlikely(t->pmu.switches && t->time && !u->imm && !(u->flags & MONT_UOP_B))) {
		t->own.s.paused = 1;
		t->attn |= MONT_ATTN_TIMER;
	}
	return MONT_NEXT;
}

MONT_OPERATION(ILLEGAL)
{
	t->fault_isr = 0;
	return MONT_FAULT_ILLEGAL_OP;
}

/* Effects are immediate here: there is nothing to wait for. */
MONT_OPERATION(SRLZ_D)
{
	return MONT_NEXT;
}

MONT_OPERATION(SRLZ_I)
{
	mont_signal(t, MONT_SIG_SERIALIZED, 0);
	return MONT_RELOAD;
}

MONT_OPERATION(SYNC_I)
{
	return MONT_NEXT;
}
