// SPDX-License-Identifier: GPL-2.0-only
/*
 * Small questions a host asks beside registers: where a thread is, and which
 * events its guest programmed that are not counted.
 */
#include "../mont.h"
#include "../pmu/pmu.h"
#include "../thread.h"

void mont_sample(const struct mont_thread *t, struct mont_sample *s)
{
	s->ip = t->s.ip;
	s->insns = t->s.insns;
	s->cycles = t->s.cycles;
	s->clock = t->s.cycles;
	s->slot = t->sig_slot;
	s->cpl = t->cpl;
}

void mont_pmu_view(struct mont_thread *t, u64 pmc[64], u64 pmd[64])
{
	unsigned int i;

	/* One read of a counter brings all of them up to date. */
	mont_pmd_read(t, MONT_PMC_FIRST, 0);
	__builtin_memcpy(pmc, t->s.pmu.pmc, sizeof(t->s.pmu.pmc));
	__builtin_memcpy(pmd, t->s.pmu.pmd, sizeof(t->s.pmu.pmd));
	for (i = MONT_PMC_FIRST; i <= MONT_PMC_LAST; i++)
		pmd[i] = mont_sext(pmd[i], MONT_PMD_BITS);
}

u64 mont_uncounted(struct mont_thread *t)
{
	u64 bits = t->pmu.unreported;

	t->pmu.unreported = 0;
	return bits;
}
