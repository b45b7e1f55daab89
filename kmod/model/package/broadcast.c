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

/* The first arrival of @b. */
static void broadcast_find_next(struct mont_broadcasts *b)
{
	u32 i;

	b->next = 0;
	for (i = 0; i < b->nr; i++)
		if (!b->next || b->of[i].at < b->next)
			b->next = b->of[i].at;
}

/* True if @t has a bus to send by, and each core has room. */
static bool broadcast_is_possible(const struct mont_thread *t)
{
	const struct mont_broadcasts *b = t->pkg->broadcasts;

	return b && t->time && b[0].nr < MONT_NR_BROADCASTS && b[1].nr < MONT_NR_BROADCASTS;
}

static void broadcast_add(struct mont_thread *t, u32 core, struct mont_broadcast of)
{
	struct mont_broadcasts *b = &t->pkg->broadcasts[core];

	of.at = t->clock - 1 + mont_bus_reach(t->pkg->timing);
	b->of[b->nr++] = of;
	broadcast_find_next(b);
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
	struct mont_broadcast of = {
		.address = off,
		.value = vector,
		.kind = MONT_BROADCAST_INTERRUPT,
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
	struct mont_broadcast of = {
		.address = va,
		.value = rid,
		.kind = alat ? MONT_BROADCAST_PURGE_ALAT : MONT_BROADCAST_PURGE,
		.core = broadcast_core(t),
		.ps = ps,
	};

	if (!broadcast_is_possible(t))
		return false;
	broadcast_add(t, !broadcast_core(t), of);
	return true;
}

/* As mont_broadcast_issue(), of what goes to one core. */
static u32 broadcast_issue_to(struct mont_broadcasts *b, u32 core, u64 address, u64 at)
{
	u32 i, nr = 0;

	for (i = 0; i < b->nr; i++) {
		struct mont_broadcast *of = &b->of[i];

		nr += of->core == core;
		if (of->core != core || of->address != address || of->issued)
			continue;
		of->issued = 1;
		if (of->at < at)
			of->at = at;
		break;
	}
	broadcast_find_next(b);
	return nr;
}

u32 mont_broadcast_issue(struct mont_broadcasts *b, u32 core, u64 address, u64 at)
{
	u32 first, second;

	if (likely(!b))
		return 0;
	first = broadcast_issue_to(&b[0], core, address, at);
	second = broadcast_issue_to(&b[1], core, address, at);
	return first > second ? first : second;
}

bool mont_broadcast_is_purging(const struct mont_broadcasts *b, u32 core)
{
	const struct mont_broadcasts *to = &b[!core];
	u32 i;

	for (i = 0; i < to->nr; i++)
		if (to->of[i].core == core && to->of[i].kind >= MONT_BROADCAST_PURGE)
			return true;
	return false;
}

bool mont_broadcast_take(struct mont_broadcasts *b, u64 now, struct mont_broadcast *of)
{
	u32 i, first = 0;

	if (!b->next || b->next > now)
		return false;
	while (b->of[first].at != b->next)
		first++;
	*of = b->of[first];
	b->nr--;
	for (i = first; i < b->nr; i++)
		b->of[i] = b->of[i + 1];
	b->of[b->nr] = (struct mont_broadcast){ .at = 0 };
	broadcast_find_next(b);
	return true;
}

static bool broadcast_is_valid(const struct mont_broadcast *of)
{
	if (!of->at || of->core >= MONT_MAX_CORES || of->issued > 1)
		return false;
	if (of->kind == MONT_BROADCAST_INTERRUPT)
		return of->value <= 255 && !of->ps;
	return of->kind && of->kind <= MONT_BROADCAST_PURGE_ALAT && of->ps < 64;
}

bool mont_broadcasts_valid(const struct mont_broadcasts *b)
{
	static const struct mont_broadcast none;
	struct mont_broadcasts found = *b;
	u32 i;

	if (b->nr > MONT_NR_BROADCASTS)
		return false;
	for (i = 0; i < MONT_NR_BROADCASTS; i++)
		if (i < b->nr ? !broadcast_is_valid(&b->of[i])
			      : __builtin_memcmp(&b->of[i], &none, sizeof(none)) != 0)
			return false;
	broadcast_find_next(&found);
	return b->next == found.next;
}
