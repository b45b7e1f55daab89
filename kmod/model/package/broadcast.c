// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts and purges on their way to the cores that share a bus (manual 2.5).
 *
 * The instruction that sends one is executed before its reference has a cycle on the bus. Until
 * then it stands here with the first cycle in which it could arrive, which lies behind the
 * sender's window: nothing acts on another core, or comes back, in the window in which it is sent.
 */
#include "broadcast.h"
#include "package.h"
#include "../pipeline/timing.h"

/* True if @t has a bus to send by, and each core has room. */
static bool broadcast_is_possible(const struct mont_thread *t)
{
	const struct mont_inbox *q = t->pkg->inbox;

	return q && t->time && q[0].nr < MONT_NR_BROADCASTS && q[1].nr < MONT_NR_BROADCASTS;
}

static void broadcast_add(struct mont_thread *t, u32 core, struct mont_message of)
{
	of.at = t->clock - 1 + mont_bus_reach(t->pkg->timing);
	mont_inbox_add(&t->pkg->inbox[core], of);
	/* A turn that has no end else ends before the arrival. */
	t->work->end = t->clock;
	t->attn |= MONT_ATTN_TIMER;
	mont_work(t, MONT_WORK_OCCURRED);
}

static u32 broadcast_core(const struct mont_thread *t)
{
	return t->core == &t->pkg->core[1];
}

bool mont_broadcast_interrupt(struct mont_thread *t, u64 off, u32 vector)
{
	struct mont_message of = {
		.address = off,
		.value = vector,
		.kind = MONT_MESSAGE_INTERRUPT,
		.core = broadcast_core(t),
	};

	if (!broadcast_is_possible(t))
		return false;
	broadcast_add(t, 0, of);
	broadcast_add(t, 1, of);
	return true;
}

bool mont_broadcast_purge(struct mont_thread *t, u32 rid, u64 va, u32 ps, bool alat)
{
	struct mont_message of = {
		.address = va,
		.value = rid,
		.kind = alat ? MONT_MESSAGE_PURGE_ALAT : MONT_MESSAGE_PURGE,
		.core = broadcast_core(t),
		.ps = ps,
	};

	if (!broadcast_is_possible(t))
		return false;
	broadcast_add(t, !broadcast_core(t), of);
	return true;
}

/* As mont_broadcast_issue(), of what goes to one core. */
static u32 broadcast_issue_to(struct mont_inbox *q, u32 core, u64 address, u64 at)
{
	u32 i, nr = 0;

	for (i = 0; i < q->nr; i++) {
		struct mont_message *of = &q->of[i];

		if (of->kind == MONT_MESSAGE_SNOOP || of->core != core)
			continue;
		nr++;
		if (of->address != address || of->issued)
			continue;
		of->issued = 1;
		if (of->at < at)
			of->at = at;
		break;
	}
	mont_inbox_find_next(q);
	return nr;
}

u32 mont_broadcast_issue(struct mont_inbox *q, u32 core, u64 address, u64 at)
{
	u32 first, second;

	if (likely(!q))
		return 0;
	first = broadcast_issue_to(&q[0], core, address, at);
	second = broadcast_issue_to(&q[1], core, address, at);
	return first > second ? first : second;
}
