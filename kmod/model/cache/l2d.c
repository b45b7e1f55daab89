// SPDX-License-Identifier: GPL-2.0-only
/*
 * L2D and its OzQ (manual 2.3.3.2 and 4.8.4). Requests enter the queue in the
 * order of the program. A request that finds its line, its bank free and no request waiting in
 * front bypasses the queue; a miss leaves it when the L3 takes over, and what
 * misses on a line that is on its way is suspended until the line arrives.
 *
 * The array is used by others too: a line that returns is written when all of it is there, a
 * modified victim is read as it leaves. What would bypass the queue in that cycle is cancelled,
 * and waits.
 */
#include "l2d.h"
#include "l2d_array.h"
#include "l3.h"
#include "stores.h"
#include "../package/bus.h"
#include "../package/snoop.h"

#define NOT_LINE (MONT_L2_LINE - 1)

static u64 *l2d_set_of(struct mont_hierarchy *h, u64 pa)
{
	return h->l2d.line[pa / MONT_L2_LINE % MONT_L2D_SETS];
}

static bool l2d_is_write(enum mont_l2d_op op)
{
	return op == MONT_L2D_STORE || op == MONT_L2D_RMW;
}

u64 mont_l2d_withdraw(struct mont_hierarchy *h, u64 now)
{
	if (now <= h->l2d.withdrawn)
		now = h->l2d.withdrawn + 1;
	h->l2d.withdrawn = now;
	return now;
}

/*
 * A request of cycle @now recirculates, to be issued again through the queue by cycle @until:
 * one in each.
 */
static void l2d_recirculate(struct mont_hierarchy *h, u64 now, u64 until, struct mont_reply *reply)
{
	struct mont_l2d *c = &h->l2d;

	if (now <= c->recirculated) {
		reply->cancelled |= MONT_CANCELLED_BIT(RECIRC);
		now = c->recirculated + 1;
	}
	c->recirculated = now;
	reply->at[MONT_REPLY_IN_RECIRC] = now;
	if (c->forced < until)
		c->forced = until;
}

/*
 * The L3 is sent a request for an operation of cycle @now before the L2D has looked it up, but
 * not for one that waits in the queue, or that the pipe has held back for a translation.
 */
static __always_inline bool l2d_may_speculate(const struct mont_hierarchy *h, u64 now)
{
	return h->l2d.waiting <= now && h->order.busy != now;
}

/* The reason for a miss of cycle @now at @index to recirculate; 0 if it does not. */
static u64 l2d_recirc_reason(const struct mont_l2d *c, u64 index, u64 now)
{
	if (c->index_at == now && c->index == index)
		return MONT_REPLY_BIT(RECIRC_SAME_INDEX);
	if (c->forced > now)
		return MONT_REPLY_BIT(RECIRC_FORCED);
	return c->to_l3 == now ? MONT_REPLY_BIT(RECIRC_L3) : 0;
}

/* When a miss of cycle @now asks the L3, and how: it may have to recirculate first. */
static u64 l2d_ask_l3(struct mont_hierarchy *h, u64 index, u64 now, bool release,
		      struct mont_reply *reply)
{
	struct mont_l2d *c = &h->l2d;
	u64 asked = now, why = l2d_recirc_reason(c, index, now);
	bool sent = l2d_may_speculate(h, now);

	c->index = index;
	c->index_at = now;
	if (sent && !why && !release) {
		reply->bits |= MONT_REPLY_BIT(BYPASS_L3);
		return now + h->timing.l2d;
	}
	if (sent)
		l2d_withdraw(c, now,
			     release ? MONT_REPLY_BIT(L3_SPECULATED) : MONT_REPLY_BIT(L3_INVALID),
			     reply);
	if (why) {
		reply->bits |= why;
		asked = l2d_queue_turn(h, now);
		l2d_recirculate(h, now, asked, reply);
		c->to_l3 = asked;
	}
	return asked + h->timing.l2d + h->timing.l3_late;
}

/* True if a valid line of @set is the next to be replaced although a place of @set is empty. */
static bool l2d_bad_choice(const struct mont_hierarchy *h, const u64 *set)
{
	unsigned int way, ways = h->timing.l2d_ways;

	if (!(set[ways - 1] & MONT_LINE_STATE))
		return false;
	for (way = 0; way < ways; way++)
		if (!(set[way] & MONT_LINE_STATE))
			return true;
	return false;
}

/* The line of fill @entry arrives in cycle @ready, and is written when all of it has. */
static void l2d_write_line(struct mont_hierarchy *h, unsigned int entry, u64 ready, bool store)
{
	struct mont_l2d *c = &h->l2d;
	struct mont_array_uses *u = &c->uses;
	u32 place = u->next;

	c->place[entry] = place;
	u->written[place] = ready + h->timing.l3_array;
	u->stores &= ~(1u << place);
	u->stores |= (u32)store << place;
	u->next = (place + 1) % MONT_L2D_FILLS;
	if (u->last < u->written[place])
		u->last = u->written[place];
}

/*
 * The @line, asked for in cycle @now, arrives in cycle @ready: a snoop that has been asked for
 * before may come with it. That counts when both have come, in another window.
 */
static noinline void l2d_meet_snoop(struct mont_hierarchy *h, u64 line, u64 now, u64 ready)
{
	u64 window = mont_bus_reach(&h->timing), next = now - now % window + window;
	u64 at = mont_snoop_meets_fill(&h->bus->snoops[h->core], line, ready);
	struct mont_message of = { .kind = MONT_MESSAGE_SNOOP, .value = MONT_MESSAGE_FILL };

	if (!at)
		return;
	of.at = at + 1 < next ? next : at + 1;
	mont_inbox_add(&h->bus->inbox[h->core], of);
}

/*
 * A line that is not there: the cycle in which it arrives. In @handed is the one
 * in which the L3 takes over.
 */
static u64 l2d_fill_line(struct mont_hierarchy *h, u64 pa, enum mont_l2d_op op, u64 now,
			 bool release, u64 *handed, struct mont_reply *reply)
{
	struct mont_l2d *c = &h->l2d;
	u64 line = pa & ~(u64)NOT_LINE, index = pa / MONT_L2_LINE % MONT_L2D_SETS, victim, ready;
	u64 written;
	bool own = l2d_is_write(op) || op == MONT_L2D_LFETCH_EXCL;
	u64 *set = l2d_set_of(h, pa), asked = l2d_ask_l3(h, index, now, release, reply);
	unsigned int entry, buffer = 0;
	bool modified = (set[h->timing.l2d_ways - 1] & MONT_LINE_STATE) == MONT_LINE_M;
	u32 state;

	reply->bits |= MONT_REPLY_BIT(L2D_MISSED) | MONT_REPLY_BIT(L2D_PRIMARY);
	if (l2d_bad_choice(h, set))
		reply->bits |= MONT_REPLY_BIT(BAD_LINE);
	*handed = mont_fills_take(&c->fills, h->timing.l2d_fills, asked, &entry);
	if (modified)
		*handed = mont_write_buffer(h, *handed, &buffer);
	ready = mont_l3_read(h, pa, own ? MONT_L3_STORE : MONT_L3_DATA, *handed, &state, reply);
	if (unlikely(reply->bits & MONT_REPLY_BIT(L3_REJECTED))) {
		reply->bits &= ~MONT_REPLY_BIT(L3_REJECTED);
		l2d_withdraw(c, now, MONT_REPLY_BIT(L3_REJECTED), reply);
	}
	mont_fills_hold(&c->fills, entry, ready, line);
	l2d_write_line(h, entry, ready, l2d_is_write(op));
	mont_occupy(&h->occupancy, MONT_QUEUE_FILLB_FULL, *handed,
		    mont_fills_full(&c->fills, h->timing.l2d_fills, entry, *handed));
	c->missed[entry] = now;
	if (l2d_is_write(op))
		state = MONT_LINE_M;
	reply->bits |= MONT_REPLY_BIT(FILL_M) << (MONT_LINE_M - state);
	victim = mont_lines_insert(set, h->timing.l2d_ways, line | state);
	if (modified) {
		c->uses.read[buffer] = *handed;
		if (c->uses.last < *handed)
			c->uses.last = *handed;
		written = mont_l3_write(h, victim, *handed, reply) + 1;
		mont_write_buffer_hold(h, buffer, *handed, written,
				       mont_bus_is_shared(h->bus) ? victim : 0);
	}
	if (unlikely(mont_bus_is_shared(h->bus))) {
		l2d_meet_snoop(h, line, now, ready);
		/* A line to be modified is not given up before it has come. */
		reply->arrival = state == MONT_LINE_M
					 ? MONT_NO_ARRIVAL
					 : mont_arrival_enter(&h->bus->arrivals[h->core], line,
							      ready + 1, state, h->front);
	}
	return ready;
}

/* The line at @pa, on its way, is missed again: the request is suspended. */
static void l2d_suspend(struct mont_hierarchy *h, u64 line, enum mont_l2d_op op, u64 now,
			struct mont_reply *reply)
{
	struct mont_l2d *c = &h->l2d;
	unsigned int i;
	u64 ahead = 0;

	for (i = 0; i < MONT_L2D_FILLS; i++) {
		if (c->fills.until[i] > now && c->fills.line[i] == line) {
			ahead = now - c->missed[i];
			c->uses.stores |= (u32)l2d_is_write(op) << c->place[i];
		}
	}
	if (l2d_may_speculate(h, now))
		l2d_withdraw(c, now, MONT_REPLY_BIT(L3_INVALID), reply);
	reply->bits |= MONT_REPLY_BIT(L2D_MISSED);
	reply->bits |= l2d_is_write(op) ? MONT_REPLY_BIT(SECONDARY_WRITE)
					: MONT_REPLY_BIT(SECONDARY_READ);
	reply->at[MONT_REPLY_IN_RECIRC] = now;
	if (ahead <= 1) {
		reply->bits |= ahead ? MONT_REPLY_BIT(RECIRC_L1W)
				     : MONT_REPLY_BIT(RECIRC_SAME_INDEX);
		l2d_recirculate(h, now, now + h->timing.l2d_queued - h->timing.l2d, reply);
	} else if (ahead < h->timing.l2d) {
		reply->bits |= MONT_REPLY_BIT(RECIRC_OZQ_MISS);
	} else {
		reply->bits |= MONT_REPLY_BIT(RECIRC_FILL_HIT);
	}
}

static const u64 inserted[] = {
	[MONT_L2D_INT_LOAD] = MONT_REPLY_BIT(L2D_READ) | MONT_REPLY_BIT(L2D_INT_LOAD),
	[MONT_L2D_FP_LOAD] = MONT_REPLY_BIT(L2D_READ) | MONT_REPLY_BIT(L2D_FP_LOAD),
	[MONT_L2D_RMW] = MONT_REPLY_BIT(L2D_READ) | MONT_REPLY_BIT(L2D_WRITTEN) |
			 MONT_REPLY_BIT(L2D_RMW),
	[MONT_L2D_STORE] = MONT_REPLY_BIT(L2D_WRITTEN) | MONT_REPLY_BIT(L2D_STORE),
	[MONT_L2D_LFETCH] = MONT_REPLY_BIT(L2D_READ) | MONT_REPLY_BIT(L2D_LFETCH),
	[MONT_L2D_LFETCH_EXCL] = MONT_REPLY_BIT(L2D_READ) | MONT_REPLY_BIT(L2D_LFETCH),
	[MONT_L2D_OTHER] = MONT_REPLY_BIT(L2D_READ) | MONT_REPLY_BIT(L2D_OTHER),
};

/* A semaphore always waits. */
static u64 l2d_semaphore_turn(struct mont_hierarchy *h, u64 now, struct mont_reply *reply)
{
	reply->cancelled |= MONT_CANCELLED_BIT(SEMA);
	return l2d_queue_turn(h, now);
}

/* From cycle @now on a release is in the queue, up to @until. */
static void l2d_hold_release(struct mont_hierarchy *h, u64 now, u64 until)
{
	struct mont_l2d *c = &h->l2d;

	if (c->released >= until)
		return;
	mont_occupy(&h->occupancy, MONT_QUEUE_OZQ_RELEASE, now > c->released ? now : c->released,
		    until);
	c->released = until;
}

/* Find those of @nr entries that are in use in cycle @now. */
static noinline void l2d_find_used(struct mont_entries *q, u32 nr, u64 now)
{
	u32 taken = 0, i;

	for (i = nr; i--;)
		taken = taken << 1 | (q->fills.until[i] > now);
	q->taken = taken;
	q->looked = now;
}

/* Entries that are known to be free, of @nr, 1 at least. */
static __always_inline u32 l2d_free_entries(const struct mont_entries *q, u32 nr)
{
	return ~q->taken & ~0U >> (MONT_NR_OZQ - nr);
}

/* mont_fills_take() where one free entry is as good as another. */
static __always_inline u64 l2d_take_entry(struct mont_entries *q, u32 nr, u64 now,
					  unsigned int *entry)
{
	u32 free = l2d_free_entries(q, nr);

	if (unlikely(!free) && now >= q->looked) {
		l2d_find_used(q, nr, now);
		free = l2d_free_entries(q, nr);
	}
	/* A request of a cycle before the last look finds more of them in use. */
	if (unlikely(!free || now < q->looked))
		return mont_fills_take(&q->fills, nr, now, entry);
	*entry = __builtin_ctz(free);
	return now;
}

/* The cycle up to which all @nr are in use from cycle @now on; @now if they are not. */
static __always_inline u64 l2d_full_until(const struct mont_entries *q, u32 nr, u64 now)
{
	u64 until = ~0ULL;
	unsigned int i;

	if (likely(l2d_free_entries(q, nr) && now >= q->looked))
		return now;
	for (i = 0; i < nr; i++)
		if (q->fills.until[i] < until)
			until = q->fills.until[i];
	return until > now ? until : now;
}

/* @entry is in use up to @until. */
static __always_inline void l2d_hold_entry(struct mont_entries *q, unsigned int entry, u64 until,
					   u64 line)
{
	mont_fills_hold(&q->fills, entry, until, line);
	q->taken |= 1u << entry;
}

/*
 * A store that hits in cycle @now, at an index that its group has missed at, cannot trust the tag
 * and is issued again through the queue: its turn.
 */
static u64 l2d_reissue_store(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply)
{
	u64 turn = l2d_queue_turn(h, now);

	reply->bits |= MONT_REPLY_BIT(RECIRC_TAG);
	l2d_recirculate(h, now, turn, reply);
	return l2d_bank_turn(h, pa, turn);
}

/* When a hit is done. */
static __always_inline u64 l2d_hit(struct mont_hierarchy *h, u64 pa, enum mont_l2d_op op, u64 now,
				   bool release, struct mont_reply *reply)
{
	struct mont_l2d *c = &h->l2d;
	u64 turn;

	if (l2d_may_speculate(h, now))
		l2d_withdraw(c, now,
			     release ? MONT_REPLY_BIT(L3_SPECULATED) : MONT_REPLY_BIT(L3_INVALID),
			     reply);
	if (op == MONT_L2D_STORE && unlikely(c->index_at == now) &&
	    c->index == pa / MONT_L2_LINE % MONT_L2D_SETS) {
		reply->bits |= MONT_REPLY_BIT(L2D_HIT_RECIRC);
		return l2d_reissue_store(h, pa, now, reply) + h->timing.l2d;
	}
	reply->bits |= MONT_REPLY_BIT(L2D_HIT);
	if (op == MONT_L2D_STORE)
		turn = l2d_write_turn(h, pa, now, reply);
	else if (op == MONT_L2D_RMW)
		turn = l2d_semaphore_turn(h, now, reply);
	else
		turn = l2d_read_turn(h, pa, now, reply);
	return turn + h->timing.l2d;
}

/* A store of cycle @now has an entry of the data buffer: from which cycle on. */
static __always_inline u64 l2d_take_data(struct mont_hierarchy *h, u64 now, unsigned int *entry,
					 struct mont_reply *reply)
{
	u64 room = l2d_take_entry(&h->l2d.ozdb, h->timing.ozdb, now, entry);

	if (unlikely(room > now))
		mont_reply_hold(reply, MONT_HOLD_L2BPRESS, room + 1);
	return room;
}

/* The cycle in which a release of cycle @now is done, @done at the earliest. */
static u64 l2d_release_done(struct mont_hierarchy *h, enum mont_l2d_op op, u64 now, u64 older,
			    u64 done, struct mont_reply *reply)
{
	if (h->order.acquire == now) {
		reply->cancelled = MONT_CANCELLED_BIT(SIBLING);
	} else if (older > now) {
		reply->cancelled = MONT_CANCELLED_BIT(REL);
	} else if (op == MONT_L2D_STORE) {
		reply->cancelled = MONT_CANCELLED_BIT(EFFRELEASE);
		older = now + h->timing.l2d_queued;
	}
	done = done < older ? older : done;
	l2d_hold_release(h, now, done);
	return done;
}

/* @release: it stays in the queue until what is older is done. */
static __always_inline u64 l2d_request_op(struct mont_hierarchy *h, u64 pa, enum mont_l2d_op op,
					  u64 now, bool release, struct mont_reply *reply)
{
	u64 *set = l2d_set_of(h, pa), line = pa & ~(u64)NOT_LINE, ready, pending, done, room, older;
	int way = mont_lines_find(set, MONT_L2D_WAYS, line);
	unsigned int entry, data = 0;
	struct mont_l2d *c = &h->l2d;

	room = l2d_take_entry(&c->ozq, h->timing.ozq, now, &entry);
	if (unlikely(room > now)) {
		mont_reply_hold(reply, MONT_HOLD_L2BPRESS, room + 1);
		now = room;
	}
	if (l2d_is_write(op))
		now = l2d_take_data(h, now, &data, reply);
	older = release ? mont_l2d_drained(h, now) : 0;
	reply->bits |= inserted[op];
	reply->at[MONT_REPLY_IN_L2D] = now;
	if (way < 0) {
		ready = l2d_fill_line(h, pa, op, now, release, &done, reply);
	} else {
		mont_lines_use(set, way);
		pending = mont_fills_pending(&h->l2d.fills, MONT_L2D_FILLS, line, now);
		if (pending) {
			l2d_suspend(h, line, op, now, reply);
			ready = pending;
		} else {
			ready = l2d_hit(h, pa, op, now, release, reply);
		}
		if (l2d_is_write(op)) {
			if ((set[0] & MONT_LINE_STATE) == MONT_LINE_S) {
				reply->bits |= MONT_REPLY_BIT(STORE_SHARED);
				mont_l3_claim(h, pa, now, reply);
			}
			set[0] = line | MONT_LINE_M;
		}
		done = ready;
	}
	if (release)
		done = l2d_release_done(h, op, now, older, done, reply);
	l2d_hold_entry(&c->ozq, entry, done, line);
	mont_occupy(&h->occupancy, MONT_QUEUE_OZQ_FULL, now,
		    l2d_full_until(&c->ozq, h->timing.ozq, now));
	if (l2d_is_write(op)) {
		l2d_hold_entry(&c->ozdb, data, done < ready ? ready : done, line);
		mont_occupy(&h->occupancy, MONT_QUEUE_OZDB_FULL, now,
			    l2d_full_until(&c->ozdb, h->timing.ozdb, now));
	}
	return ready;
}

u64 mont_l2d_bypass(struct mont_hierarchy *h, u64 pa, u64 now)
{
	struct mont_l2d *c = &h->l2d;
	u32 free = l2d_free_entries(&c->ozq, h->timing.ozq);
	u64 *bank = &c->bank[pa / BANK_BYTES % MONT_L2D_BANKS];
	u64 *set = l2d_set_of(h, pa), line = pa & ~(u64)NOT_LINE;
	int way;

	/* With one entry less the OzQ is not full. */
	if (unlikely(h->order.acquired > now || c->waiting >= now || c->uses.last >= now ||
		     *bank > now || !(free & (free - 1)) || now < c->ozq.looked ||
		     c->fills.last > now || mont_store_near(&h->l1d.stores, pa, now, STAGES)))
		return 0;
	way = mont_lines_find(set, MONT_L2D_WAYS, line);
	if (unlikely(way < 0))
		return 0;
	if (now > c->withdrawn && l2d_may_speculate(h, now))
		c->withdrawn = now;
	mont_lines_use(set, way);
	*bank = now + 1;
	l2d_hold_entry(&c->ozq, __builtin_ctz(free), now + h->timing.l2d, line);
	return now + h->timing.l2d;
}

bool mont_l2d_store_bypass(struct mont_hierarchy *h, u64 pa, u64 now)
{
	struct mont_l2d *c = &h->l2d;
	u32 free = l2d_free_entries(&c->ozq, h->timing.ozq);
	u32 data = l2d_free_entries(&c->ozdb, h->timing.ozdb);
	u64 *set = l2d_set_of(h, pa), line = pa & ~(u64)NOT_LINE, done;
	int way;

	/* With one entry less neither the OzQ nor its data buffer is full. */
	if (unlikely(c->waiting >= now || c->uses.last >= now || !(free & (free - 1)) ||
		     now < c->ozq.looked || !(data & (data - 1)) || now < c->ozdb.looked ||
		     c->index_at == now))
		return false;
	way = mont_lines_find(set, MONT_L2D_WAYS, line);
	if (unlikely(way < 0 || (set[way] & MONT_LINE_STATE) != MONT_LINE_M ||
		     mont_fills_pending(&c->fills, MONT_L2D_FILLS, line, now)))
		return false;
	if (now > c->withdrawn && l2d_may_speculate(h, now))
		c->withdrawn = now;
	mont_lines_use(set, way);
	done = l2d_bank_turn(h, pa, now) + h->timing.l2d;
	l2d_hold_entry(&c->ozq, __builtin_ctz(free), done, line);
	l2d_hold_entry(&c->ozdb, __builtin_ctz(data), done, line);
	return true;
}

u64 mont_l2d_request(struct mont_hierarchy *h, u64 pa, enum mont_l2d_op op, u64 now,
		     struct mont_reply *reply)
{
	return l2d_request_op(h, pa, op, now, false, reply);
}

u64 mont_l2d_release(struct mont_hierarchy *h, u64 pa, enum mont_l2d_op op, u64 now,
		     struct mont_reply *reply)
{
	return l2d_request_op(h, pa, op, now, true, reply);
}

void mont_l2d_acquire(struct mont_hierarchy *h, u64 now, u64 until)
{
	if (h->order.acquired >= until)
		return;
	mont_occupy(&h->occupancy, MONT_QUEUE_OZQ_ACQUIRE,
		    now > h->order.acquired ? now : h->order.acquired, until);
	h->order.acquired = until;
}

void mont_l2d_accept(struct mont_hierarchy *h, u64 now, u64 until)
{
	if (until <= now)
		return;
	if (h->order.misc < until)
		h->order.misc = until;
	if (h->order.acquired < until)
		h->order.acquired = until;
}

void mont_l2d_flush(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply)
{
	bool modified = mont_snoop_l2d(h, pa, false) == MONT_LINE_M;

	mont_l3_flush(h, pa, modified, now, reply);
}

void mont_l2d_uncached(struct mont_hierarchy *h, u64 now, struct mont_reply *reply)
{
	reply->at[MONT_REPLY_IN_L2D] = now;
	if (l2d_may_speculate(h, now))
		l2d_withdraw(&h->l2d, now, MONT_REPLY_BIT(L3_SPECULATED), reply);
}

void mont_l2d_retried(struct mont_hierarchy *h, u64 now, u64 until, struct mont_reply *reply)
{
	if (!l2d_may_speculate(h, now))
		return;
	if (now <= h->l2d.withdrawn)
		now = h->l2d.withdrawn + 1;
	if (now >= until)
		return;
	reply->at[MONT_REPLY_IN_RETRIES] = now;
	reply->bits |= MONT_REPLY_BIT(L3_RETRIED);
	h->l2d.withdrawn = until - 1;
}

u64 mont_l2d_drained(const struct mont_hierarchy *h, u64 now)
{
	if (now < h->l2d.ozq.fills.last)
		now = h->l2d.ozq.fills.last;
	return now < h->l2d.fills.last ? h->l2d.fills.last : now;
}
