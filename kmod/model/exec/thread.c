// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread at reset, and what is derived from its state (SDM volume 2, 11.2;
 * manual 3.3.12).
 */
#include "thread.h"
#include "../platform/interrupts.h"
#include "../arch/psr.h"
#include "../arch/rse.h"
#include "../memory/mem.h"
#include "../pmu/filled.h"
#include "../pmu/pmu.h"
#include "../pmu/registers.h"

/* All but the subscriptions of counters, which look at the other thread of the core as well. */
static void thread_derive(struct mont_thread *t)
{
	unsigned int i;

	for (i = 0; i < 32; i++)
		t->grmap[i] = i;
	t->grmap_end = MONT_NR_STACKED;
	t->clock = t->core->s.clock;
	t->others = t->clock - t->s.cycles;
	mont_frame_changed(t);
	mont_fr_rotated(t);
	mont_utlb_init(t);
	t->cpl = mont_bits(t->s.psr, MONT_PSR_CPL_SHIFT, 2);
	t->attn = MONT_ATTN_IRQ | MONT_ATTN_MMIO |
		  (t->s.ndirty < 0 && !t->s.frame_held ? MONT_ATTN_RSE : 0);
	if (t->s.served)
		t->attn |= MONT_ATTN_SERVED;
	if (t->s.rse_goes_on)
		t->attn |= MONT_ATTN_AGAIN;
	mont_psr_attend(t);
	t->sig_slot = t->s.slot;
	t->sig_bundle = 0;
	t->sig_outcome = 0;
	t->sig_served = 0;
	t->sig_cause = 0;
	t->retire_from = t->s.slot;
	t->cur = NULL;
	/* The cycles may be others, and sums are of cycles. */
	t->pmu.obs.stale = true;
	mont_filled_forget(t);
	t->inside = false;
}

void mont_thread_sync_derived(struct mont_thread *t)
{
	thread_derive(t);
	mont_signals_arm(t);
}

void mont_package_sync_derived(struct mont_package *pkg)
{
	u64 unreported[MONT_MAX_VCPUS];
	u32 i;

	for (i = 0; i < pkg->nr_vcpus; i++) {
		unreported[i] = pkg->thread[i].pmu.unreported;
		thread_derive(&pkg->thread[i]);
	}
	for (i = 0; i < pkg->nr_vcpus; i++)
		mont_signals_arm(&pkg->thread[i]);
	for (i = 0; i < pkg->nr_vcpus; i++)
		pkg->thread[i].pmu.unreported = unreported[i];
}

void mont_thread_reset(struct mont_thread *t)
{
	struct mont_cr *cr = &t->s.cr;

	t->s.fr[1].sig = MONT_BIT(63);
	t->s.fr[1].se = 0xffff;
	t->s.pr = 1;
	/* Physical addresses, bank 1: what SAL hands an operating system. */
	t->s.psr = MONT_PSR_BN;
	t->s.sof = MONT_NR_STACKED;
	t->s.ar.fpsr = 0x9804c0270033fULL;
	cr->lid = (u64)t->index << 24;
	cr->itv = MONT_IV_MASKED;
	cr->pmv = MONT_IV_MASKED;
	cr->cmcv = MONT_IV_MASKED;
	cr->lrr[0] = MONT_IV_MASKED;
	cr->lrr[1] = MONT_IV_MASKED;
	mont_pmu_reset(t);
	mont_thread_sync_derived(t);
}
