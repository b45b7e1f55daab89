// SPDX-License-Identifier: GPL-2.0-only
/*
 * External interrupt control registers and the interval timer (SDM volume 2,
 * 5.8 and 3.3.4.2; manual 3.3.11).
 */
#include "interrupts.h"
#include "../package/package.h"
#include "../pmu/pmu.h"

#define TPR_MIC(tpr) ((tpr) >> 4 & 15)
#define TPR_MMI MONT_BIT(16)

/* The highest vector set in a 256-bit map, by the architecture's order: NMI
 * (2), then ExtINT (0), then 255 down to 16; -1 for none.
 */
static int irq_highest(const u64 map[4])
{
	int w;

	if (map[0] & MONT_BIT(2))
		return 2;
	if (map[0] & MONT_BIT(0))
		return 0;
	for (w = 3; w >= 0; w--)
		if (map[w])
			return w * 64 + 63 - __builtin_clzll(map[w]);
	return -1;
}

/* Rank of a vector: higher wins. */
static int irq_rank(int vector)
{
	return vector == 2 ? 257 : vector == 0 ? 256 : vector;
}

static bool irq_masked_by_tpr(const struct mont_thread *t, int vector)
{
	if (vector == 2)
		return false;
	if (t->s.cr.tpr & TPR_MMI)
		return true;
	if (vector == 0)
		return false;
	return (u32)vector >> 4 <= TPR_MIC(t->s.cr.tpr);
}

static int irq_deliverable(const struct mont_thread *t)
{
	int v = irq_highest(t->s.cr.irr), s = irq_highest(t->s.cr.isrv);

	if (v < 0 || irq_masked_by_tpr(t, v) || (s >= 0 && irq_rank(v) <= irq_rank(s)))
		return -1;
	return v;
}

bool mont_irq_unmasked(const struct mont_thread *t)
{
	return irq_deliverable(t) >= 0;
}

void mont_irq_raise(struct mont_thread *t, u32 vector)
{
	t->s.cr.irr[vector / 64] |= MONT_BIT(vector % 64);
	t->s.halted = 0;
	t->attn |= MONT_ATTN_IRQ;
	/* In the background it makes the thread urgent (manual 2.4.1.3). */
	if (t->pmu.switches && t->time)
		t->own.s.called = 1;
}

static void irq_raise_vector_register(struct mont_thread *t, u64 reg)
{
	/* Edge-triggered: what arrives while masked is lost; so is a reserved vector. */
	if (!(reg & MONT_IV_MASKED))
		(void)mont_irq_inject(t, reg & 0xff);
}

void mont_irq_collect(struct mont_thread *t)
{
	if (t->s.pmu_irq & MONT_PMU_IRQ) {
		t->s.pmu_irq &= ~MONT_PMU_IRQ;
		irq_raise_vector_register(t, t->s.cr.pmv);
	}
}

void mont_itm_match(struct mont_thread *t)
{
	irq_raise_vector_register(t, t->s.cr.itv);
}

u64 mont_irq_pending(const struct mont_thread *t)
{
	int v = irq_deliverable(t);

	return v < 0 ? MONT_IVR_SPURIOUS : v;
}

u64 mont_irq_ivr(struct mont_thread *t)
{
	int v = irq_deliverable(t);

	if (v < 0)
		return MONT_IVR_SPURIOUS;
	t->s.cr.irr[v / 64] &= ~MONT_BIT(v % 64);
	t->s.cr.isrv[v / 64] |= MONT_BIT(v % 64);
	return v;
}

void mont_irq_eoi(struct mont_thread *t)
{
	int s = irq_highest(t->s.cr.isrv);

	if (s >= 0)
		t->s.cr.isrv[s / 64] &= ~MONT_BIT(s % 64);
	t->attn |= MONT_ATTN_IRQ;
}

int mont_irq_inject(struct mont_thread *t, u32 vector)
{
	if (vector > 255 || (vector < 64 && MONT_IRQ_RESERVED >> vector & 1))
		return MONT_EINVAL;
	mont_irq_raise(t, mont_nospec(vector, 256));
	return 0;
}
