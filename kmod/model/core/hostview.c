// SPDX-License-Identifier: GPL-2.0-only
/*
 * Small questions a host asks beside registers: where a thread is, and which
 * events its guest programmed that are not counted.
 */
#include "../mont.h"
#include "../thread.h"

void mont_sample(const struct mont_thread *t, struct mont_sample *s)
{
	s->ip = t->s.ip;
	s->insns = t->s.insns;
	s->cycles = t->s.cycles;
	s->slot = t->sig_slot;
	s->cpl = t->cpl;
}

u64 mont_uncounted(struct mont_thread *t)
{
	u64 bits = t->pmu.unreported;

	t->pmu.unreported = 0;
	return bits;
}
