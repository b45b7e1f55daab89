// SPDX-License-Identifier: GPL-2.0-only
/*
 * Load latency of the IA-32 PMU (IA-32 SDM volume 3B, 18.8.1.2). Loads are tagged one at a
 * time, by a generator of the block's own, as this processor's data EAR tracks them: that is
 * an assumption. A counter of latencies counts all loads above the threshold, tagged or not.
 */
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

static bool is_late(const struct mont_pebs *p, const struct mont_occurrence *at)
{
	return !(at->ref->kind & MONT_DATA_RSE) && at->attr > p->least;
}

u64 mont_pebs_pass(const struct mont_observer *o, const struct mont_occurrence *at)
{
	const struct mont_block *block = o->block;

	if (o->event->cond != MONT_COND_LATENCY || o == &block->counter[MONT_PEBS_TAGS])
		return at->n;
	return is_late(&block->r.pebs, at) ? at->n : 0;
}

void mont_pebs_tag(struct mont_block *block, unsigned int n, const struct mont_occurrence *at)
{
	const struct mont_thread *t = at->owner;
	struct mont_pebs *p = &block->r.pebs;

	(void)n;
	if ((at->ref->kind & MONT_DATA_RSE) ||
	    !mont_data_ear_track(&p->tag, p->least + 1, at->time, at->attr))
		return;
	p->tagged[TAGGED_ADDRESS] = at->ref->va;
	p->tagged[TAGGED_SOURCE] = source_of[t->sig_served];
	p->tagged[TAGGED_LATENCY] = at->attr;
	p->ip = t->s.ip;
	p->slot = t->sig_slot;
}
