// SPDX-License-Identifier: GPL-2.0-only
/*
 * The instruction event address register (manual 3.3.8, PMC37, PMD34 and 35).
 */
#include "insn_ear.h"
#include "internal.h"
#include "subscriber.h"
#include "qualify.h"

#define PMC37 37
#define UMASK_SHIFT 5 /* bits 12:5 in cache mode, the lower three in TLB mode */
#define CT_SHIFT 12 /* bits 13:12: 1x caches, 00 TLBs */

#define CODE 0x43 /* L1I_EAR_EVENTS */

#define LATENCY_BITS 12 /* PMD35.latency, and above it ov */
#define STAT_VALID 1
#define LINE 0x1fULL /* what PMD34 leaves out of an address */

/* Table 3-16: unit masks, and the least latency that each lets through. */
static const struct {
	u8 umask;
	u16 least;
} thresholds[] = {
	{ 0xff, 4 },   { 0xfe, 8 },   { 0xfc, 16 },   { 0xf8, 32 },
	{ 0xf0, 128 }, { 0xe0, 256 }, { 0xc0, 1024 }, { 0x80, 4096 },
};

static bool insn_ear_slow_enough(unsigned int umask, const struct mont_occurrence *o)
{
	unsigned int i;

	if (!umask)
		return o->ref->kind & MONT_DATA_RAB;
	if (umask >> 6 == 1)
		return true;
	for (i = 0; i < MONT_ARRAY_SIZE(thresholds); i++) {
		if (umask == thresholds[i].umask)
			return o->attr >= thresholds[i].least;
	}
	return false; /* other values are undefined */
}

bool mont_insn_ear_takes(bool tlb, unsigned int umask, const struct mont_occurrence *o)
{
	return tlb ? umask >> (o->attr - 1) & 1 : insn_ear_slow_enough(umask, o);
}

struct mont_insn_capture mont_insn_ear_capture(bool tlb, const struct mont_occurrence *o)
{
	/* The latency, which TLB mode leaves undefined, is 0. */
	return (struct mont_insn_capture){
		.address = (o->ref->va & ~LINE) | (tlb ? o->attr : STAT_VALID),
		.latency = tlb ? 0 : mont_ear_latency(o->attr, LATENCY_BITS),
	};
}

void mont_insn_ear_arm(struct mont_thread *t)
{
	struct mont_pmu_derived *d = &t->pmu;
	enum mont_signal sig;
	u64 ct = mont_bits(t->s.pmu.pmc[PMC37], CT_SHIFT, 2);

	if (!mont_pmu_enabled(t, PMC37) || ct == 1)
		return;
	d->insn_ear_row = mont_event_lookup(CODE, 0);
	if (mont_constraint_undefined(t, d->insn_ear_row))
		return;
	sig = ct ? MONT_SIG_FETCH_SERVED : MONT_SIG_ITLB_SERVED;
	mont_listen(d, sig);
	d->insn_ear = sig;
}

bool mont_insn_ear_look(const struct mont_occurrence *o)
{
	struct mont_thread *t = o->owner;
	bool tlb = o->sig == MONT_SIG_ITLB_SERVED;
	unsigned int umask = mont_bits(t->s.pmu.pmc[PMC37], UMASK_SHIFT, tlb ? 3 : 8);
	struct mont_insn_capture c;

	if (!mont_qualify(t->pmu.insn_ear_row, o) || !mont_insn_ear_takes(tlb, umask, o))
		return false;
	c = mont_insn_ear_capture(tlb, o);
	t->s.pmu.pmd[34] = c.address;
	t->s.pmu.pmd[35] = c.latency;
	return true;
}
