// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changes of PSR, and what follows from its bits (SDM volume 2, 3.3.2).
 */
#include "psr.h"
#include "../memory/mem.h"
#include "../pmu/pmu.h"
#include "../event/raise.h"

/* PSR bits the run loop's fast path does not look at. */
#define PSR_SLOW (MONT_PSR_DB | MONT_PSR_TB | MONT_PSR_LP | MONT_PSR_SS | MONT_PSR_ONCE)

/* PSR bits that translations in the fast path depend on. */
#define PSR_MEMORY                                                                           \
	(MONT_PSR_BE | MONT_PSR_DT | MONT_PSR_IT | MONT_PSR_RT | MONT_PSR_PK | MONT_PSR_DB | \
	 MONT_PSR_CPL | MONT_PSR_DA | MONT_PSR_IA)

/* PSR bits that decide what is counted. */
#define PSR_COUNTED (MONT_PSR_UP | MONT_PSR_PP | MONT_PSR_CPL)

u64 mont_psr(const struct mont_thread *t)
{
	return t->s.psr | (u64)t->s.slot << MONT_PSR_RI_SHIFT;
}

static void psr_swap_banks(struct mont_thread *t)
{
	unsigned int i;

	for (i = 0; i < 16; i++) {
		u64 v = t->s.gr[16 + i];
		u8 n = t->s.nat[16 + i];

		t->s.gr[16 + i] = t->s.gr_other[i];
		t->s.nat[16 + i] = t->s.nat_other[i];
		t->s.gr_other[i] = v;
		t->s.nat_other[i] = n;
	}
}

static u32 psr_cpl_of(u64 psr)
{
	return psr >> MONT_PSR_CPL_SHIFT & 3;
}

void mont_psr_set(struct mont_thread *t, u64 psr)
{
	/* A change of level is counted at the level it leaves. */
	if (t->cpl != psr_cpl_of(psr))
		mont_signal(t, MONT_SIG_CPL_CHANGE, t->cpl | psr_cpl_of(psr) << 2);
	mont_psr_load(t, psr);
}

void mont_psr_load(struct mont_thread *t, u64 psr)
{
	if (unlikely(t->lsu_log) && ((psr ^ t->s.psr) & PSR_COUNTED))
		mont_lsu_put(t, MONT_LSU_SET_PSR, psr, 0, 0, 0);
	else
		mont_psr_apply(t, psr);
}

void mont_psr_apply(struct mont_thread *t, u64 psr)
{
	u64 changed = psr ^ t->s.psr;

	if (changed & PSR_COUNTED) {
		mont_cycle_retires(t);
		mont_signals_fold(t);
	}
	/* Only what completes while PSR.ic is 1 shows in IIPA. */
	if (changed & t->s.psr & MONT_PSR_IC)
		t->s.last_ip_ic = t->s.last_ip;
	else if (changed & MONT_PSR_IC)
		t->s.last_ip = t->s.last_ip_ic;
	t->s.psr = psr;
	t->cpl = psr_cpl_of(psr);
	if (changed & PSR_COUNTED)
		mont_signals_arm(t);
	if (changed & MONT_PSR_BN)
		psr_swap_banks(t);
	if (changed & PSR_MEMORY)
		mont_utlb_flush(t);
	mont_psr_attend(t);
}

void mont_psr_attend(struct mont_thread *t)
{
	if (t->s.psr & PSR_SLOW)
		t->attn |= MONT_ATTN_SLOW;
	else
		t->attn &= ~MONT_ATTN_SLOW;
	if (t->s.psr & MONT_PSR_I)
		t->attn |= MONT_ATTN_IRQ;
}
