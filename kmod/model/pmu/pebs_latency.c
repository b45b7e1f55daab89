// SPDX-License-Identifier: GPL-2.0-only
/*
 * Load latency of the IA-32 PMU (IA-32 SDM volume 3B, 18.8.1.2). Loads are tagged one at a
 * time, by a generator of the block's own, as this processor's data EAR tracks them: that is
 * an assumption. A counter of latencies counts all loads above the threshold, tagged or not. Only
 * the last ones up to an overflow can be in a record: those in front of them are
 * counted ahead and none is tagged.
 */
#include "pebs_latency.h"
#include "data_ear.h"
#include "internal.h"
#include "pebs.h"

/* Words of mont_pebs.tagged */
enum { TAGGED_ADDRESS, TAGGED_SOURCE, TAGGED_LATENCY };

/* Data source of a load, by enum mont_served (SDM table 18-25). */
static const u8 source_of[] = {
	[MONT_SERVED_L2D] = 0x3,    [MONT_SERVED_PENDING] = 0x2,    [MONT_SERVED_L3] = 0x4,
	[MONT_SERVED_MEMORY] = 0xa, [MONT_SERVED_MEMORY_OWN] = 0xc, [MONT_SERVED_UNCACHED] = 0xf,
	[MONT_SERVED_PORT] = 0xe,
};

u64 mont_pebs_pass(const struct mont_observer *o, const struct mont_occurrence *at)
{
	if (o->event->cond != MONT_COND_LATENCY)
		return at->n;
	return at->attr > mont_block_least(o) ? at->n : 0;
}

void mont_pebs_tag(struct mont_pebs *p, const struct mont_occurrence *at)
{
	const struct mont_thread *t = at->owner;
	u64 where = t->s.ip | t->sig_slot;

	/* Two counters may be near to their overflows: each load is looked at once. */
	if (p->looked[0] == at->time && p->looked[1] == where)
		return;
	p->looked[0] = at->time;
	p->looked[1] = where;
	if (!mont_data_ear_track(&p->tag, p->least + 1, at->time, at->attr))
		return;
	p->tagged[TAGGED_ADDRESS] = at->ref->va;
	p->tagged[TAGGED_SOURCE] = source_of[t->sig_served];
	p->tagged[TAGGED_LATENCY] = at->attr;
	p->ip = t->s.ip;
	p->slot = t->sig_slot;
}
