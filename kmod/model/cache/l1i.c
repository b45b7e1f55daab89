// SPDX-License-Identifier: GPL-2.0-only
/*
 * L1I (manual 2.3.3.1 and 4.8.1), with the buffers between it and the L2I: lines
 * that are requested (the RAB), and what has come of them and is not written yet
 * (the ISB). The RAB has eight entries: one for a fetch, the last, seven for prefetches. A
 * line comes as two pairs of bundles in two cycles, the one that was asked for first, and is
 * written in the next: until then fetches take what they need from the ISB. The array has one
 * data port (2.1): a fetch that would read it while a line is written recirculates.
 */
#include "l1i.h"
#include "l2i.h"

#define NOT_LINE (MONT_L1_LINE - 1)
#define PAIR 32 /* bytes */
#define WRITTEN 2 /* cycles behind the first pair's */

static u64 *l1i_set_of(struct mont_hierarchy *h, u64 pa)
{
	return h->l1i.line[pa / MONT_L1_LINE % MONT_L1_SETS];
}

/* When the pair at @pa comes, whose line is in the RAB or the ISB in cycle @now; else 0. */
static u64 l1i_pair_arrival(const struct mont_fills *rab, u64 pa, u64 now)
{
	unsigned int i;

	if (likely(rab->last <= now))
		return 0;
	for (i = 0; i < MONT_L1I_FILLS; i++) {
		if (rab->until[i] > now && !((rab->line[i] ^ pa) & ~(u64)NOT_LINE))
			return rab->until[i] - ((rab->line[i] ^ pa) & PAIR ? 1 : WRITTEN);
	}
	return 0;
}

/* Set @cycles to the span from @from to @until; false if it is empty. */
static bool l1i_span(u64 cycles[2], u64 from, u64 until)
{
	cycles[0] = from;
	cycles[1] = until;
	return from < until;
}

static u64 l1i_max(u64 a, u64 b)
{
	return a > b ? a : b;
}

static u64 l1i_min(u64 a, u64 b)
{
	return a < b ? a : b;
}

/*
 * True if two entries of the RAB but @entry are free from cycle @from on: it does not become almost
 * full.
 */
static bool l1i_rab_has_room(const struct mont_l1i *l, unsigned int nr, unsigned int entry,
			     u64 from)
{
	unsigned int i, left = 0;

	for (i = 0; i < nr && left < 2; i++)
		left += i != entry && l->fills.until[i] <= from;
	return left == 2;
}

/*
 * @entry of the RAB is in use. Find the cycles in which all entries are in use with it, and
 * those in which all but one are. Cycles in which all the others are in use have been almost
 * full before.
 */
static void l1i_rab_spans(const struct mont_l1i *l, unsigned int nr, unsigned int entry,
			  struct mont_reply *reply)
{
	u64 from = l->taken[entry], until = l->fills.until[entry];
	u64 last[2] = { 0, 0 }, first[2] = { ~0ULL, ~0ULL };
	unsigned int i;

	if (likely(l1i_rab_has_room(l, nr, entry, from)))
		return;
	for (i = 0; i < nr; i++) {
		if (i == entry)
			continue;
		last[1] = l1i_max(last[1], l1i_min(last[0], l->taken[i]));
		last[0] = l1i_max(last[0], l->taken[i]);
		first[1] = l1i_min(first[1], l1i_max(first[0], l->fills.until[i]));
		first[0] = l1i_min(first[0], l->fills.until[i]);
	}
	reply->rab = l1i_span(reply->rab_full, l1i_max(from, last[0]), l1i_min(until, first[0]));
	reply->rab |= l1i_span(reply->rab_almost[0], l1i_max(from, last[1]),
			       l1i_min(until, l1i_min(last[0], first[0])));
	reply->rab |= l1i_span(reply->rab_almost[1], l1i_max(from, l1i_max(last[0], first[0])),
			       l1i_min(until, first[1]));
}

/* Cycles in which the two pairs of a line that comes in @ready enter the ISB, one a cycle. */
static void l1i_enter_isb(struct mont_l1i *l, u64 ready, struct mont_reply *reply)
{
	reply->isb[0] = l1i_max(ready, l->entered + 1);
	reply->isb[1] = reply->isb[0] + 1;
	l->entered = reply->isb[1];
}

/* The line at @pa is written in cycle @at. */
static void l1i_note_write(struct mont_l1i *l, u64 pa, u64 at)
{
	l->written[l->next] = at;
	l->writes[l->next] = pa & ~(u64)NOT_LINE;
	l->next = (l->next + 1) % MONT_NR_L1I_WRITES;
}

/* True if a line is written in cycle @now. */
static bool l1i_writes(const struct mont_l1i *l, u64 now)
{
	unsigned int i;

	for (i = 0; i < MONT_NR_L1I_WRITES; i++)
		if (l->written[i] == now)
			return true;
	return false;
}

/* A line is written in cycle @now: that at @pa if @own is true, else another one. */
static bool l1i_writes_in(const struct mont_l1i *l, u64 pa, u64 now, bool own)
{
	unsigned int i;

	for (i = 0; i < MONT_NR_L1I_WRITES; i++)
		if (l->written[i] == now && (l->writes[i] == (pa & ~(u64)NOT_LINE)) == own)
			return true;
	return false;
}

/* A line that is requested in cycle @now by @entry, the pair at @pa first: when that comes. */
static u64 l1i_request(struct mont_hierarchy *h, u64 pa, enum mont_l3_op op, unsigned int entry,
		       u64 now, struct mont_reply *reply)
{
	u64 ready = mont_l2i_read(h, pa, op, now, reply);

	l1i_enter_isb(&h->l1i, ready, reply);

	mont_fills_hold(&h->l1i.fills, entry, ready + WRITTEN, pa & ~(u64)(PAIR - 1));
	l1i_note_write(&h->l1i, pa, ready + WRITTEN);
	mont_lines_insert(l1i_set_of(h, pa), h->timing.l1i_ways,
			  (pa & ~(u64)NOT_LINE) | MONT_LINE_S);
	h->l1i.taken[entry] = now;
	l1i_rab_spans(&h->l1i, h->timing.rab, entry, reply);
	return ready;
}

/* A fetch has an entry of its own, and others' if they have none for it. */
static u64 l1i_demand(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply)
{
	unsigned int entry = h->timing.rab - 1;

	if (h->l1i.fills.until[entry] > now)
		now = mont_fills_take(&h->l1i.fills, h->timing.rab, now, &entry);
	reply->fetched |= MONT_FETCHED_BIT(L2I_DEMANDED) | MONT_FETCHED_BIT(L1I_FILLED) |
			  MONT_FETCHED_BIT(ISB_FIRST) | MONT_FETCHED_BIT(ISB_SECOND);
	return l1i_request(h, pa, MONT_L3_INSN, entry, now, reply);
}

u64 mont_l1i_prefetch(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply)
{
	unsigned int entry;
	u64 at;

	if (mont_l1i_has(h, pa))
		return now;
	at = mont_fills_take(&h->l1i.fills, h->timing.rab - 1, now, &entry);
	if (at > now)
		return at;
	reply->fetched |= MONT_FETCHED_BIT(L1I_PFTCH_FILLED) | MONT_FETCHED_BIT(ISB_PFTCH_FIRST) |
			  MONT_FETCHED_BIT(ISB_PFTCH_SECOND);
	l1i_request(h, pa, MONT_L3_PREFETCH, entry, now, reply);
	return now;
}

u64 mont_l1i_port(const struct mont_hierarchy *h, u64 pa, u64 now)
{
	const struct mont_l1i *l = &h->l1i;

	if (likely(l->fills.last < now || !l1i_writes(l, now)))
		return now;
	/* A miss of the L1I, or a hit in the ISB, reads its tags alone. */
	if (mont_lines_find(l->line[pa / MONT_L1_LINE % MONT_L1_SETS], MONT_L1_WAYS,
			    pa & ~(u64)NOT_LINE) < 0)
		return now;
	while (!l1i_pair_arrival(&l->fills, pa, now) && !l1i_writes_in(l, pa, now, true) &&
	       l1i_writes_in(l, pa, now, false))
		now++;
	return now;
}

bool mont_l1i_undisturbed(const struct mont_l1i *l, u64 pa, u64 now)
{
	return !l1i_writes(l, now) && !l1i_pair_arrival(&l->fills, pa, now);
}

u64 mont_l1i_fetch(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply)
{
	u64 *set = l1i_set_of(h, pa), comes;
	int way = mont_lines_find(set, MONT_L1_WAYS, pa & ~(u64)NOT_LINE);

	if (unlikely(way < 0))
		return l1i_demand(h, pa, now, reply);
	mont_lines_use(set, way);
	if (likely(h->l1i.fills.last < now))
		return now;
	comes = l1i_pair_arrival(&h->l1i.fills, pa, now);
	if (likely(!comes) && !l1i_writes_in(&h->l1i, pa, now, true))
		return now;
	if (comes <= now) {
		reply->fetched |= MONT_FETCHED_BIT(L1I_ISB_HIT);
		return now;
	}
	reply->fetched |= MONT_FETCHED_BIT(L1I_RAB_HIT);
	return comes;
}
