// SPDX-License-Identifier: GPL-2.0-only
/*
 * Access to floating-point registers: disabled sets and fixed registers
 * (SDM volume 1, 5.1; volume 2, 3.3.2).
 */
#include "registers.h"

static bool registers_high(u8 f)
{
	return f >= 32 && f < MONT_FR_NONE;
}

static bool registers_low(u8 f)
{
	return f >= 2 && f < 32;
}

enum mont_result mont_fr_check_slow(struct mont_thread *t, u8 target, u8 a, u8 b, u8 c, u8 d)
{
	bool dfl = (t->s.psr & MONT_PSR_DFL) &&
		   (registers_low(target) || registers_low(a) || registers_low(b) ||
		    registers_low(c) || registers_low(d));
	bool dfh = (t->s.psr & MONT_PSR_DFH) &&
		   (registers_high(target) || registers_high(a) || registers_high(b) ||
		    registers_high(c) || registers_high(d));

	if (target < 2)
		return MONT_FAULT_ILLEGAL_OP;
	/* ISR.code names both sets. */
	if (dfl && dfh)
		t->fault_isr = 2;
	if (dfl)
		return MONT_FAULT_DISABLED_FPL;
	return dfh ? MONT_FAULT_DISABLED_FPH : MONT_NEXT;
}
