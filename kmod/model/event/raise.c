// SPDX-License-Identifier: GPL-2.0-only
/*
 * The retirement of a bundle's instructions (raise.h).
 */
#include "raise.h"

void mont_retire_upto(struct mont_thread *t, u32 slot)
{
	u32 mask, n, from = t->retire_from;

	if (slot <= from)
		return;
	mask = ((1u << slot) - (1u << from)) & mont_slots(t->cur);
	t->retire_from = slot;
	n = (mask & 1) + (mask >> 1 & 1) + (mask >> 2);
	t->s.insns += n;
	if (t->tagged) {
		/* With its nops. */
		t->tagged->upto[slot]++;
		t->tagged->upto[from]--;
	} else if (n) {
		mont_signal_n(t, MONT_SIG_INST_RETIRED, n, mask);
	}
}
