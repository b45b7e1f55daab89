// SPDX-License-Identifier: GPL-2.0-only
/*
 * Access to floating-point registers: disabled sets and fixed registers
 * (SDM volume 1, 5.1; volume 2, 3.3.2).
 */
#include "../thread.h"

static bool high(u8 f)
{
	return f >= 32;
}

static bool low(u8 f)
{
	return f >= 2 && f < 32;
}

enum mont_result mont_fr_check_slow(struct mont_thread *t, u8 target, u8 a, u8 b, u8 c, u8 d)
{
	t->fault_isr = 0;
	if (target < 2)
		return MONT_FAULT_ILLEGAL_OP;
	if ((t->s.psr & MONT_PSR_DFL) && (low(target) || low(a) || low(b) || low(c) || low(d)))
		return MONT_FAULT_DISABLED_FPL;
	if ((t->s.psr & MONT_PSR_DFH) &&
	    (high(target) || high(a) || high(b) || high(c) || high(d)))
		return MONT_FAULT_DISABLED_FPH;
	return MONT_NEXT;
}
