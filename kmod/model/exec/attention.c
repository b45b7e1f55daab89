// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pending work, done between two issue groups in the order of its priority
 * (SDM volume 2, 5.5 and 5.8).
 */
#include "attention.h"
#include "interruption.h"
#include "../platform/interrupts.h"
#include "../event/raise.h"
#include "../pipeline/pipeline.h"
#include "../pipeline/reference.h"
#include "../arch/rse.h"
#include "../memory/mem.h"
#include "../pmu/block.h"
#include "../pmu/pmu.h"
#include "../pmu/tags.h"

static bool attention_overflow_exit(struct mont_thread *t)
{
	struct mont_exit *x = t->pkg->exit;

	x->reason = MONT_EXIT_PMU_OVERFLOW;
	x->vcpu = t->index;
	x->ip = t->s.ip;
	x->slot = t->s.slot;
	x->pmc0 = t->s.pmu.pmc[0];
	t->s.pmu_irq = 0;
	return true;
}

void mont_between_groups(struct mont_thread *t)
{
	t->cur = NULL;
	t->sig_slot = t->s.slot;
	t->retire_from = t->s.slot;
}

bool mont_until(struct mont_thread *t)
{
	struct mont_exit *x = t->pkg->exit;

	if (t->s.slot || t->s.insns == t->until_from)
		return false;
	x->reason = MONT_EXIT_UNTIL;
	x->vcpu = t->index;
	x->ip = t->s.ip;
	return true;
}

bool mont_stepped(struct mont_thread *t)
{
	struct mont_exit *x = t->pkg->exit;

	t->steps = false;
	x->reason = MONT_EXIT_STEP;
	x->within = t->inside;
	x->vcpu = t->index;
	x->ip = t->s.ip;
	x->slot = t->s.slot;
	return true;
}

bool mont_attend(struct mont_thread *t)
{
	u32 host = t->pkg->cfg.flags;

	if (t->attn & MONT_ATTN_GROUP)
		mont_group_end(t);
	mont_between_groups(t);
	if (t->attn & MONT_ATTN_EXIT) {
		t->attn &= ~MONT_ATTN_EXIT;
		if (unlikely(t->pmu.obs.stops))
			mont_blocks_exit(t);
		return true;
	}
	if ((t->attn & MONT_ATTN_MMIO) && mont_mmio_first(t, mont_group_waits(t)))
		return false;
	if ((t->attn & MONT_ATTN_SERVED) && !(t->s.pmu_irq && (host & MONT_CFG_HOST_PMU)))
		mont_served(t);
	/* An external interrupt that is pending as well comes when the run goes on. */
	if (t->s.pmu_irq && (host & MONT_CFG_HOST_PMU))
		return attention_overflow_exit(t);
	if (t->attn & MONT_ATTN_RSE) {
		enum mont_result r;

		if (mont_tagging(t))
			mont_tags_between(t);
		r = mont_rse_complete(t);
		mont_lsu_drain(t);
		mont_tags_end(t);
		/* There is more of it: the budgets first. */
		if (r == MONT_AGAIN)
			return true;
		if (r != MONT_NEXT)
			return mont_interrupt(t, r);
		t->attn &= ~MONT_ATTN_RSE;
	}
	if (t->attn & MONT_ATTN_IRQ) {
		t->attn &= ~MONT_ATTN_IRQ;
		mont_irq_collect(t);
		if ((t->s.psr & MONT_PSR_I) && (t->s.psr & MONT_PSR_IC) && mont_irq_unmasked(t)) {
			/* The host's exit is the acknowledgment. */
			if (host & MONT_CFG_HOST_INTERRUPTIONS) {
				t->fault_imm = mont_irq_ivr(t);
				mont_irq_eoi(t);
			}
			return mont_interrupt(t, MONT_FAULT_EXTINT);
		}
	}
	/* Without time it is still the cycle in which the operation began. */
	if (mont_rse_settle(t) && !t->time)
		t->clock--;
	return false;
}
