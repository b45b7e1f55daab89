// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interruptions (SDM volume 2, chapters 5 and 8).
 */
#include "interruption.h"
#include "../pipeline/reference.h"
#include "../arch/psr.h"
#include "../arch/rse.h"
#include "../memory/mem.h"
#include "../pmu/pmu.h"
#include "../event/raise.h"
#include "../event/trace.h"

static const struct mont_fault_info faults[] = {
#define MONT_FAULT(n, v, c, t) { .name = #n, .text = t, .vector = v, .code = c },
#include "../base/fault.def"
#undef MONT_FAULT
};

/* PSR bits an interruption keeps (SDM volume 2, table 3-2). */
#define PSR_KEPT                                                                               \
	(MONT_PSR_UP | MONT_PSR_MFL | MONT_PSR_MFH | MONT_PSR_PK | MONT_PSR_DT | MONT_PSR_RT | \
	 MONT_PSR_IT | MONT_PSR_MC)

const struct mont_fault_info *mont_fault_info(enum mont_result r)
{
	return &faults[r - MONT_FAULT_FIRST];
}

static bool interruption_has_ifa(enum mont_result r)
{
	const struct mont_fault_info *f = mont_fault_info(r);

	return f->vector <= 0x2800 || (f->vector >= 0x5000 && f->vector <= 0x5300) ||
	       r == MONT_FAULT_NAT_PAGE_INSN || r == MONT_FAULT_NAT_PAGE_DATA ||
	       r == MONT_FAULT_UNIMPL_DATA_ADDR || (f->vector >= 0x5900 && f->vector <= 0x5b00) ||
	       r == MONT_FAULT_MACHINE_CHECK;
}

static bool interruption_has_iha(enum mont_result r)
{
	return r == MONT_FAULT_VHPT_DATA || r == MONT_FAULT_VHPT_INSN || r == MONT_FAULT_ITLB ||
	       r == MONT_FAULT_DTLB;
}

static bool interruption_is_fetch(enum mont_result r)
{
	switch (r) {
	case MONT_FAULT_VHPT_INSN:
	case MONT_FAULT_ITLB:
	case MONT_FAULT_ALT_ITLB:
	case MONT_FAULT_IKEY_MISS:
	case MONT_FAULT_IACCESS_BIT:
	case MONT_FAULT_IPAGE_NOT_PRESENT:
	case MONT_FAULT_IKEY_PERM:
	case MONT_FAULT_IACCESS_RIGHTS:
	case MONT_FAULT_NAT_PAGE_INSN:
	case MONT_FAULT_IDEBUG:
		return true;
	default:
		return false;
	}
}

static bool interruption_is_trap(enum mont_result r)
{
	return r == MONT_FAULT_FP_TRAP || r == MONT_FAULT_UNIMPL_INSN_ADDR ||
	       r == MONT_FAULT_LOWER_PRIV || r == MONT_FAULT_TAKEN_BRANCH ||
	       r == MONT_FAULT_SINGLE_STEP;
}

static u64 interruption_build_isr(struct mont_thread *t, enum mont_result r)
{
	const struct mont_fault_info *f = mont_fault_info(r);
	u64 isr = f->code | t->fault_isr;
	u32 slot = t->s.slot;

	if (r == MONT_FAULT_EXTINT)
		isr = 0;
	/* A trap names the instruction it follows, IP the one to resume at. */
	if (r == MONT_FAULT_UNIMPL_INSN_ADDR)
		slot = t->s.last_slot;
	else if (interruption_is_trap(r))
		slot = mont_is_mlx(t->cur) && t->sig_slot ? 1 : t->sig_slot;
	isr |= (u64)slot << MONT_ISR_EI_SHIFT;
	if (!(t->s.psr & MONT_PSR_IC))
		isr |= MONT_ISR_NI;
	if (t->s.ndirty < 0)
		isr |= MONT_ISR_IR;
	if ((isr & MONT_ISR_SP) && (t->s.psr & MONT_PSR_IT)) {
		const struct mont_tlbe *e = mont_tlb_find(t, true, t->s.ip);

		if (e && (e->pte & MONT_PTE_ED))
			isr |= MONT_ISR_ED;
	}
	return isr;
}

static u64 interruption_build_itir(const struct mont_thread *t, u64 va)
{
	return (t->s.rr[va >> 61] & 0xfc) | (u64)mont_rid(t, va) << 8;
}

static bool interruption_to_host(struct mont_thread *t, enum mont_result r, u64 isr)
{
	struct mont_exit *x = t->pkg->exit;

	/* The host is what is at level 0: a change there, and one back. */
	if (t->cpl) {
		mont_signal(t, MONT_SIG_CPL_CHANGE, t->cpl);
		t->s.served = 1;
		t->attn |= MONT_ATTN_SERVED;
	}
	x->reason = r == MONT_FAULT_BREAK ? MONT_EXIT_BREAK : MONT_EXIT_INTERRUPTION;
	x->vcpu = t->index;
	x->vector = mont_fault_info(r)->vector;
	/* PSR.ri is 1 at the X instruction of MLX: hosts know it as slot 2. */
	x->slot = t->s.slot == 1 && !interruption_is_fetch(r) && t->sig_slot == 2 ? 2 : t->s.slot;
	x->ip = t->s.ip;
	x->isr = isr;
	x->ifa = t->fault_ifa;
	if (r == MONT_FAULT_BREAK || r == MONT_FAULT_SPECULATION || r == MONT_FAULT_EXTINT)
		x->iim = t->fault_imm;
	if (interruption_has_iha(r))
		x->iha = t->fault_iha;
	x->itir = interruption_build_itir(t, t->fault_ifa);
	return true;
}

/* PSR.cpl and PSR.pp alone, for as long as one signal takes. */
static void interruption_count_under(struct mont_thread *t, u64 psr)
{
	mont_signals_fold(t);
	t->s.psr = psr;
	t->cpl = mont_bits(psr, MONT_PSR_CPL_SHIFT, 2);
	mont_signals_arm(t);
}

void mont_served(struct mont_thread *t)
{
	u64 psr = t->s.psr, handler = psr & ~(MONT_PSR_CPL | MONT_PSR_PP);
	u32 level = t->cpl;

	t->attn &= ~MONT_ATTN_SERVED;
	t->s.served = 0;
	if (!level)
		return;
	if (t->s.cr.dcr & MONT_DCR_PP)
		handler |= MONT_PSR_PP;
	interruption_count_under(t, handler);
	mont_signal(t, MONT_SIG_CPL_CHANGE, level << 2);
	interruption_count_under(t, psr);
	if (t->attn & MONT_ATTN_GROUP)
		mont_group_end(t);
}

/* A data reference that neither the L2 DTLB nor the walker has a translation for. */
static bool interruption_is_dtlb_miss(enum mont_result r)
{
	return r == MONT_FAULT_VHPT_DATA || r == MONT_FAULT_DTLB || r == MONT_FAULT_ALT_DTLB ||
	       r == MONT_FAULT_NESTED_TLB;
}

/* Raise the signals of an interruption, before it changes anything. */
static void interruption_signals_of(struct mont_thread *t, enum mont_result r, u64 isr)
{
	if (r == MONT_FAULT_DDEBUG)
		mont_signal(t, MONT_SIG_DEBUG_FAULT, 0);
	/* A NaT as address or as data sends nothing into the memory pipeline. */
	if ((isr & (MONT_ISR_R | MONT_ISR_W)) && !(isr & (MONT_ISR_NA | MONT_ISR_X)) &&
	    r != MONT_FAULT_NAT_CONSUMPTION) {
		struct mont_ref ref = {
			.va = t->fault_ifa,
			.pa = MONT_PA_NONE,
			.size = t->fault_size,
			.kind = isr & MONT_ISR_RS ? MONT_DATA_RSE : 0,
		};

		mont_signal_ref(t, MONT_SIG_REFERENCE_FAULTED, &ref);
		if (interruption_is_dtlb_miss(r))
			mont_signal_line(t, MONT_SIG_DTLB_SERVED, &ref, MONT_DTLB_FAULT);
	}
	/* Asynchronous interrupts are not traced (manual 3.3.10.1.3). */
	if (r != MONT_FAULT_EXTINT && r != MONT_FAULT_MACHINE_CHECK) {
		/* The group has ended: the trace names the bundle by its own address. */
		t->sig_bundle = 0;
		mont_signal(t, MONT_SIG_FLUSHED, 0);
	}
}

bool mont_interrupt(struct mont_thread *t, enum mont_result r)
{
	u64 isr, psr;
	struct mont_cr *cr = &t->s.cr;

	mont_work(t, MONT_WORK_INTERRUPTION);
	(void)mont_rse_settle(t);
	if (interruption_is_fetch(r))
		t->fault_isr |= MONT_ISR_X;
	isr = interruption_build_isr(t, r);
	interruption_signals_of(t, r, isr);
	t->fault_isr = 0;
	if (!interruption_has_ifa(r))
		t->fault_ifa = t->s.ip;
	if (unlikely(t->pmu.flights)) {
		t->pmu.fate.trap = r;
		/* Between groups no instruction is in progress: the next one begins anew. */
		if (!t->cur && t->time)
			mont_signal_n(t, MONT_SIG_KILLED, 1, r);
	}
	mont_trace(t, MONT_TRACE_INTERRUPT, mont_fault_info(r)->vector, isr, t->fault_ifa);
	if ((t->pkg->cfg.flags & MONT_CFG_HOST_INTERRUPTIONS) || r == MONT_FAULT_MACHINE_CHECK)
		return interruption_to_host(t, r, isr);

	/* A nested fault leaves all of the original interruption's state. */
	if (r != MONT_FAULT_NESTED_TLB)
		cr->isr = isr;
	if (t->s.psr & MONT_PSR_IC) {
		cr->ipsr = mont_psr(t);
		cr->iip = t->s.ip;
		cr->iipa = t->s.last_ip;
		cr->ifs &= ~MONT_BIT(63);
		if (interruption_has_ifa(r)) {
			cr->ifa = t->fault_ifa;
			cr->itir = interruption_build_itir(t, t->fault_ifa);
		}
		if (interruption_has_iha(r))
			cr->iha = t->fault_iha;
		if (r == MONT_FAULT_BREAK || r == MONT_FAULT_SPECULATION)
			cr->iim = t->fault_imm;
	}
	psr = t->s.psr & PSR_KEPT;
	if (cr->dcr & MONT_DCR_PP)
		psr |= MONT_PSR_PP;
	if (cr->dcr & MONT_DCR_BE)
		psr |= MONT_PSR_BE;
	mont_psr_set(t, psr);
	mont_lsu_drain(t);
	t->s.ip = cr->iva + mont_fault_info(r)->vector;
	t->s.slot = 0;
	t->sig_slot = 0;
	t->retire_from = 0;
	/* An incomplete frame waits for the rfi or cover that ends this. */
	t->attn &= ~MONT_ATTN_RSE;
	t->s.frame_held = t->s.ndirty < 0;
	return false;
}
