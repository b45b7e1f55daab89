// SPDX-License-Identifier: GPL-2.0-only
/*
 * L1D (manual 2.3.3.1 and 4.8.2): 16 KB for integer loads, written through.
 *
 * A store's data reach it some cycles behind its issue. A load of the same bytes
 * in between cannot be served here: it goes to the L2D, which holds it back
 * until the store is done.
 */
#include "l1d.h"
#include "stores.h"

/* Pass a read on to the L2D: its line may be in the L1D, but a store or a fill is in its way. */
static u64 l1d_pass_on(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply)
{
	reply->bits |= MONT_REPLY_BIT(L1D_MISSED);
	return mont_l2d_request(h, pa, MONT_L2D_INT_LOAD, now, reply);
}

/* Pass on a read whose line has to be filled: the read waits for a fill entry. */
static u64 l1d_miss(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply)
{
	u64 line = pa & ~(u64)(MONT_L1_LINE - 1), ready, free;
	unsigned int entry;

	free = mont_fills_take(&h->l1d.fills, h->timing.l1d_fills, now, &entry);
	if (unlikely(free > now)) {
		mont_reply_hold(reply, MONT_HOLD_PIPE_RECIRC, free + 1);
		mont_l2d_retried(h, now, free, reply);
	}
	ready = l1d_pass_on(h, pa, free, reply);
	mont_fills_hold(&h->l1d.fills, entry, ready, line);
	mont_lines_insert(h->l1d.line[pa / MONT_L1_LINE % MONT_L1_SETS], h->timing.l1d_ways,
			  line | MONT_LINE_S);
	reply->filled = true;
	return ready;
}

u64 mont_l1d_load(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply)
{
	u64 line = pa & ~(u64)(MONT_L1_LINE - 1), ready, stored;
	u64 *set = h->l1d.line[pa / MONT_L1_LINE % MONT_L1_SETS];
	int way = mont_lines_find(set, MONT_L1_WAYS, line);

	if (unlikely(way < 0))
		return l1d_miss(h, pa, now, reply);
	mont_lines_use(set, way);
	stored = mont_store_buffered(&h->l1d.stores, pa, now);
	if (unlikely(stored)) {
		ready = l1d_pass_on(h, pa, now, reply);
		stored += h->timing.forward;
		return ready < stored ? stored : ready;
	}
	/* While a line is on its way, each load of it goes to the L2D as well. */
	if (unlikely(mont_fills_pending(&h->l1d.fills, MONT_L1D_FILLS, line, now)))
		return l1d_pass_on(h, pa, now, reply);
	return now + 1;
}

u64 mont_l1d_untranslated(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply)
{
	u64 line = pa & ~(u64)(MONT_L1_LINE - 1);
	u64 *set = h->l1d.line[pa / MONT_L1_LINE % MONT_L1_SETS];

	if (mont_lines_find(set, MONT_L1_WAYS, line) < 0)
		return l1d_miss(h, pa, now, reply);
	return l1d_pass_on(h, pa, now, reply);
}

void mont_l1d_prefetch(struct mont_hierarchy *h, u64 pa, enum mont_l2d_op op, u64 now,
		       struct mont_reply *reply)
{
	u64 line = pa & ~(u64)(MONT_L1_LINE - 1), ready;
	u64 *set = h->l1d.line[pa / MONT_L1_LINE % MONT_L1_SETS];
	bool there = mont_lines_find(set, MONT_L1_WAYS, line) >= 0;
	unsigned int entry;
	u64 free = mont_fills_take(&h->l1d.fills, h->timing.l1d_fills, now, &entry);

	/*
	 * lfetch.excl goes to the L2D in any case: that has to know that the line will be written.
	 */
	if (there && op == MONT_L2D_LFETCH)
		return;
	ready = mont_l2d_request(h, pa, op, now, reply);
	/* Without a free fill entry the line comes no further than the L2D. */
	if (there || free > now)
		return;
	mont_fills_hold(&h->l1d.fills, entry, ready, line);
	mont_lines_insert(set, h->timing.l1d_ways, line | MONT_LINE_S);
	reply->filled = true;
}

/* Compute mont_stores.near from the stores that are kept. */
static u64 l1d_nearby(const struct mont_stores *s)
{
	unsigned int i;
	u64 bits = 0;

	for (i = 0; i < MONT_NR_STORES; i++)
		bits |= MONT_BIT(s->pa[i] >> 3 & 63);
	return bits;
}

/*
 * Return: cycle in which a store of cycle @now, due to write the L1D in cycle @write, does so. A
 * line that arrives in that cycle goes first, and holds the pipe.
 */
static noinline u64 l1d_fill_conflict(struct mont_hierarchy *h, u64 pa, u64 now, u64 write,
				      struct mont_reply *reply)
{
	const struct mont_fills *f = &h->l1d.fills;
	unsigned int i;

	for (i = 0; i < MONT_L1D_FILLS; i++) {
		if (f->until[i] != write)
			continue;
		/* The cause tells a fill of the store's own line from one of another line. */
		mont_reply_hold(reply,
				f->line[i] == (pa & ~(u64)(MONT_L1_LINE - 1))
					? MONT_HOLD_FILLCONF
					: MONT_HOLD_STBUFRECIR,
				now + 2);
		return write + 1;
	}
	return write;
}

/* The bank of the L1D that has the eight bytes at @pa. */
static __always_inline u64 *l1d_bank_of(struct mont_stores *s, u64 pa)
{
	return &s->bank[pa >> 3 & (MONT_L1D_BANKS - 1)];
}

/* When a store of cycle @now writes its bank of the L1D, if no line arrives in that cycle. */
static __always_inline u64 l1d_store_turn(struct mont_hierarchy *h, u64 pa, u64 now)
{
	u64 write = now + h->timing.store_fill, bank = *l1d_bank_of(&h->l1d.stores, pa);

	return unlikely(write < bank) ? bank : write;
}

/* The cycle from which on the store buffer has a place: a store that many before leaves it then. */
static __always_inline u64 l1d_store_room(const struct mont_hierarchy *h)
{
	const struct mont_stores *s = &h->l1d.stores;

	return s->written[(s->next - h->timing.stbuf) % MONT_NR_STORES];
}

/* A store of cycle @now that writes the L1D in cycle @write is in the store buffer. */
static __always_inline void l1d_put_store(struct mont_stores *s, u64 pa, u64 now, u64 write)
{
	*l1d_bank_of(s, pa) = write + 1;
	s->written[s->next] = write;
	if (s->drained < write)
		s->drained = write;
	s->pa[s->next] = pa & ~7ULL;
	s->at[s->next] = now;
	s->cancelled &= ~MONT_BIT(s->next);
	s->next = (s->next + 1) % MONT_NR_STORES;
	s->near |= MONT_BIT(pa >> 3 & 63);
	if (!s->next)
		s->near = l1d_nearby(s);
	s->last = now;
}

bool mont_l1d_store_at_once(struct mont_hierarchy *h, u64 pa, u64 now)
{
	u64 write = l1d_store_turn(h, pa, now);

	if (unlikely(l1d_store_room(h) > now || h->l1d.fills.last >= write ||
		     !mont_l2d_store_bypass(h, pa, now)))
		return false;
	l1d_put_store(&h->l1d.stores, pa, now, write);
	return true;
}

u64 mont_l1d_store(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply)
{
	u64 room = l1d_store_room(h), write;

	if (unlikely(room > now)) {
		mont_reply_hold(reply, MONT_HOLD_FULLSTBUF, room + 1);
		now = room;
	}
	write = l1d_store_turn(h, pa, now);
	if (unlikely(h->l1d.fills.last >= write))
		write = l1d_fill_conflict(h, pa, now, write, reply);
	l1d_put_store(&h->l1d.stores, pa, now, write);
	return now;
}
