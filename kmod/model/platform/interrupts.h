/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * External interrupts and the interval timer (SDM volume 2, 5.8). Called by
 * exec/attention.c, by moves of control registers (arch/sysregs.c), by PAL and
 * the host's view, and for the interval timer by exec/functional.c, pipeline/
 * and package/turns.c.
 */
#ifndef MONT_PLATFORM_INTERRUPTS_H
#define MONT_PLATFORM_INTERRUPTS_H

#include "../arch/thread.h"

/* Vector read through IVR when nothing is pending. */
#define MONT_IVR_SPURIOUS 15

/* Vectors 1 and 3 to 15 are reserved (SDM volume 2, 5.8.3). */
#define MONT_IRQ_RESERVED 0xfffaULL

/* Make @vector pending in IRR and have the run loop look. */
void mont_irq_raise(struct mont_thread *t, u32 vector);
/* Turn the PMU's line into its pending vector (PMV). */
void mont_irq_collect(struct mont_thread *t);
/* AR.ITC has just reached CR.ITM. */
void mont_itm_match(struct mont_thread *t);
/* True if PSR.i = 1 would let an external interrupt in now (TPR, in-service). */
bool mont_irq_unmasked(const struct mont_thread *t);
/* The vector that a read of CR.IVR would give, without its effect. */
u64 mont_irq_pending(const struct mont_thread *t);
/* Read of CR.IVR: acknowledges the highest pending vector. */
u64 mont_irq_ivr(struct mont_thread *t);
/* Write of CR.EOI. */
void mont_irq_eoi(struct mont_thread *t);

/* Value of AR.ITC. */
static inline u64 mont_itc(const struct mont_thread *t)
{
	return t->s.ar.itc_offset + t->clock;
}

/* Cycles until AR.ITC equals CR.ITM; 2^64 cycles away at most. */
static inline u64 mont_itm_distance(const struct mont_thread *t)
{
	return t->s.cr.itm - mont_itc(t);
}

/* Interrupt vector registers (ITV, PMV, CMCV, LRR): vector and mask bit. */
#define MONT_IV_MASKED MONT_BIT(16)

#endif
