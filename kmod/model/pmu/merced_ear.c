// SPDX-License-Identifier: GPL-2.0-only
/*
 * The event address registers of the original Itanium (Itanium Processor Reference Manual,
 * 6.2.6; PMC10 and PMD0-1, PMC11 and PMD2, 3 and 17). They capture what this processor's do
 * (insn_ear.c, data_ear.c), by their own registers. A latency above what its field holds is the
 * largest: that is an assumption.
 */
#include "merced_ear.h"
#include "data_ear.h"
#include "insn_ear.h"
#include "internal.h"
#include "merced.h"

#define TLB MONT_BIT(7)
#define UMASK_SHIFT 16
#define UMASK_NONE 15 /* cache mode: nothing is captured */
#define LATENCIES 11 /* cache mode: 4 cycles and more, 8, ... with unit masks 0, 1, ... */
#define LEAST 4
#define DATA_UNLISTED 7 /* of the data EAR the table has 8 to 10 for 512 to 2048 */

/* Unit masks of TLB mode: bit n for MONT_DTLB_* n */
#define INSN_LEVELS (1u << MONT_DTLB_VHPT | 1u << MONT_DTLB_FAULT)
#define DATA_LEVELS (INSN_LEVELS | 1u << MONT_DTLB_L2)

/* The settings of this processor's instruction EAR that capture all */
#define INSN_CACHE_ALL 0x40
#define INSN_TLB_ALL 7

#define LATENCY_MOST 0xfff
#define LEVEL_SHIFT 62
#define INSN_VALID MONT_BIT(0)
#define INSN_TLB MONT_BIT(1)
#define DATA_VALID MONT_BIT(0)
#define SLOT_SHIFT 2

static unsigned int merced_ear_umask(u64 pmc)
{
	return mont_bits(pmc, UMASK_SHIFT, 4);
}

/* The unit mask of PMC40 that means what @umask does in PMC11, in cache mode. */
static unsigned int merced_ear_data_umask(unsigned int umask)
{
	return umask > DATA_UNLISTED && umask != UMASK_NONE ? umask - 1 : umask;
}

const char *mont_merced_ear_invalid(unsigned int unit, u64 pmc)
{
	unsigned int umask = merced_ear_umask(pmc);

	if (pmc & TLB) {
		unsigned int levels = unit == MONT_MERCED_IEAR ? INSN_LEVELS : DATA_LEVELS;

		return umask & ~levels ? "no table has this unit mask of an EAR's TLB mode" : NULL;
	}
	if ((umask >= LATENCIES && umask != UMASK_NONE) ||
	    (unit == MONT_MERCED_DEAR && umask == DATA_UNLISTED))
		return "no table has this unit mask of an EAR's cache mode";
	return NULL;
}

bool mont_merced_ear_timed(unsigned int unit, u64 pmc)
{
	return unit == MONT_MERCED_IEAR || !(pmc & TLB) ||
	       (merced_ear_umask(pmc) >> MONT_DTLB_L2 & 1);
}

void mont_merced_ear_event(unsigned int unit, u64 pmc, struct mont_event *e)
{
	bool tlb = pmc & TLB;

	if (unit == MONT_MERCED_IEAR)
		*e = (struct mont_event){
			.signal = tlb ? MONT_SIG_ITLB_SERVED : MONT_SIG_FETCH_SERVED,
			.cond = MONT_COND_INSN_EAR,
			.ear = tlb ? MONT_EAR_IEAR_TLB : MONT_EAR_IEAR_CACHE,
			.ear_umask = tlb ? INSN_TLB_ALL : INSN_CACHE_ALL,
			.filters = MONT_EVF_IAR,
		};
	else
		*e = (struct mont_event){
			.signal = tlb ? MONT_SIG_DTLB_SERVED : MONT_SIG_LOAD_SERVED,
			.cond = MONT_COND_DATA_EAR,
			.ear = tlb ? MONT_EAR_DEAR_TLB : MONT_EAR_DEAR_CACHE,
			.ear_umask = tlb ? merced_ear_umask(pmc)
					 : merced_ear_data_umask(merced_ear_umask(pmc)),
			.filters = MONT_EVF_IAR | MONT_EVF_OPC | MONT_EVF_DAR,
		};
}

bool mont_merced_ear_takes(u64 pmc, const struct mont_occurrence *at)
{
	unsigned int umask = merced_ear_umask(pmc);

	return pmc & TLB ? umask >> at->attr & 1
			 : umask < LATENCIES && at->attr >= (u64)LEAST << umask;
}

static u64 merced_ear_latency(u64 latency)
{
	return latency < LATENCY_MOST ? latency : LATENCY_MOST;
}

void mont_merced_ear_capture(struct mont_merced *m, const struct mont_observer *o,
			     const struct mont_occurrence *at)
{
	bool tlb = o->event->ear == MONT_EAR_IEAR_TLB || o->event->ear == MONT_EAR_DEAR_TLB;
	const struct mont_data_capture *c = &o->ear.last;

	if (o->event->cond == MONT_COND_INSN_EAR) {
		m->pmd[0] = (o->ear.insn.address & ~0x1fULL) | INSN_VALID | (tlb ? INSN_TLB : 0);
		m->pmd[1] = tlb ? 0 : merced_ear_latency(at->attr);
		return;
	}
	m->pmd[2] = c->address;
	m->pmd[3] = tlb ? at->attr << LEVEL_SHIFT : merced_ear_latency(at->attr);
	/* The register stack engine's references are no instruction's. */
	m->pmd[17] = 0;
	if (c->instruction)
		m->pmd[17] = (c->instruction & ~15ULL) + 16 * mont_bits(c->instruction, 2, 1) +
			     (mont_bits(c->instruction, 0, 2) << SLOT_SHIFT | DATA_VALID);
}
