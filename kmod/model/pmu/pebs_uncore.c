// SPDX-License-Identifier: GPL-2.0-only
/*
 * The two counters that the IA-32 PMU has in the uncore (IA-32 SDM volume 3B, 18.8.2): hits and
 * misses of the L3 by all threads of the package. Each block has these to itself. Their
 * interrupt may come with one of the core's own counters: bit 61 of IA32_PERF_GLOBAL_STATUS
 * says that MSR_UNCORE_PERF_GLOBAL_STATUS is to be read as well (18.8.1.1).
 */
#include "pebs_uncore.h"
#include "internal.h"
#include "pebs.h"
#include "pebs_events.h"

/* Numbers of MSRs */
#define MSR_UNCORE_CTRL 0x391
#define MSR_UNCORE_STATUS 0x392
#define MSR_UNCORE_OVF_CTRL 0x393
#define MSR_UNCORE_PMC 0x3b0
#define MSR_UNCORE_EVTSEL 0x3c0

/* MSR_UNCORE_PERFEVTSEL */
#define UMASK_SHIFT 8
#define PMI MONT_BIT(20)
#define EN MONT_BIT(22)
#define BY_CYCLE 0xff860000ULL /* occ_rst, edge, inv, cmask */

#define CTRL_PMI MONT_BIT(48) /* MSR_UNCORE_PERF_GLOBAL_CTRL: the core is interrupted */

/* Rows that are shared: code and unit mask. */
static const u8 shared[MONT_BLOCK_SHARED][2] = { { 0x08, 0x03 }, { 0x09, 0x03 } };

bool mont_pebs_uncore_clears(u32 index)
{
	return index == MSR_UNCORE_OVF_CTRL;
}

u64 *mont_pebs_uncore_place(struct mont_pebs *p, u32 index)
{
	if (index - MSR_UNCORE_PMC < MONT_ARRAY_SIZE(p->uncore_pmc))
		return &p->uncore_pmc[mont_nospec(index - MSR_UNCORE_PMC, 2)];
	if (index - MSR_UNCORE_EVTSEL < MONT_ARRAY_SIZE(p->uncore_sel))
		return &p->uncore_sel[mont_nospec(index - MSR_UNCORE_EVTSEL, 2)];
	if (index == MSR_UNCORE_CTRL)
		return &p->uncore_ctrl;
	return index == MSR_UNCORE_STATUS || index == MSR_UNCORE_OVF_CTRL ? &p->uncore_status
									  : NULL;
}

/* The row that @sel selects, or NULL. */
static const struct mont_pebs_event *selected(u64 sel)
{
	return mont_pebs_find_event(true, sel & 0xff, mont_bits(sel, UMASK_SHIFT, 8));
}

int mont_pebs_uncore_check(const struct mont_pebs *p, const char **why)
{
	unsigned int n;

	for (n = 0; n < MONT_ARRAY_SIZE(p->uncore_sel); n++) {
		u64 sel = p->uncore_sel[n];

		if (!(sel & EN))
			continue;
		if (!selected(sel)) {
			*why = "no event of the uncore has this code and unit mask";
			return MONT_ENOENT;
		}
		if (sel & BY_CYCLE) {
			*why = "the uncore's counters count no edges, nor by cycle (INV, CMASK)";
			return MONT_EOPNOTSUPP;
		}
	}
	return 0;
}

const struct mont_event *mont_pebs_uncore_event(unsigned int n)
{
	return &mont_pebs_find_event(true, shared[n][0], shared[n][1])->row.e;
}

bool mont_pebs_uncore_count(struct mont_block *block, unsigned int n)
{
	struct mont_pebs *p = &block->r.pebs;
	bool interrupts = false;
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(p->uncore_pmc); i++) {
		u64 sel = p->uncore_sel[i];

		if (!(p->uncore_ctrl >> i & 1) || !(sel & EN) ||
		    &selected(sel)->row.e != mont_pebs_uncore_event(n))
			continue;
		p->uncore_pmc[i] = (p->uncore_pmc[i] + 1) & (MONT_PEBS_PERIOD - 1);
		if (p->uncore_pmc[i])
			continue;
		p->uncore_status |= MONT_BIT(i);
		if (!(sel & PMI) || !(p->uncore_ctrl & CTRL_PMI))
			continue;
		p->uncore_status |= MONT_PEBS_UNCORE;
		p->status |= MONT_PEBS_UNCORE;
		p->over |= MONT_BIT(MONT_PEBS_UNCORE_FIRST + i);
		interrupts = true;
	}
	return interrupts;
}
