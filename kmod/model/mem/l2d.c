// SPDX-License-Identifier: GPL-2.0-only
/*
 * L2D and its OzQ (manual 2.3.3.2 and 4.8.4). Requests enter the queue in the
 * order of the program. What finds its line, its bank free and nobody waiting in
 * front bypasses the queue; a miss leaves it when the L3 takes over, and what
 * misses on a line that is on its way is suspended until the line arrives.
 */
#include "hierarchy.h"

#define NOT_LINE (MONT_L2_LINE - 1)
#define BANK_BYTES 16
#define STAGES 4 /* L2A, L2M, L2D, L2C: in which a store can be met */

static u64 *set_of(struct mont_hierarchy *h, u64 pa)
{
	return h->l2d.line[pa / MONT_L2_LINE % MONT_L2D_SETS];
}

static bool writes(enum mont_l2d_op op)
{
	return op == MONT_L2D_STORE || op == MONT_L2D_RMW;
}

/* The request waits in the queue: the cycle in which it has its turn. */
static u64 queued(struct mont_hierarchy *h, u64 now)
{
	struct mont_l2d *c = &h->l2d;
	u64 turn = now + h->timing.l2d_queued - h->timing.l2d;

	if (turn < c->waiting)
		turn = c->waiting;
	c->waiting = turn;
	return turn;
}

/* When a read of a line that is there has its turn at the data. */
static u64 read_turn(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met)
{
	struct mont_l2d *c = &h->l2d;
	u64 *bank = &c->bank[pa / BANK_BYTES % MONT_L2D_BANKS], turn = now;
	u64 late = now + h->timing.l2d_late - h->timing.l2d;
	u64 stored = mont_store_ahead(&h->l1d.stores, pa, now, STAGES);

	if (unlikely(c->acquired > now)) {
		met->cancelled |= c->misc > now ? MONT_CANCELLED_BIT(MISC_ORDER)
						: MONT_CANCELLED_BIT(ACQ);
		turn = queued(h, c->acquired);
	} else if (unlikely(stored)) {
		/* Of its own group it is in the same stage as one a cycle ahead. */
		met->cancelled |= MONT_CANCELLED_BIT(ST_L2A)
				  << (stored < now ? now - stored - 1 : 0);
		turn = queued(h, now);
	} else if (c->waiting > now) {
		turn = queued(h, now);
	} else if (likely(*bank <= now)) {
		met->bits |= MONT_MET_BIT(BYPASS_DATA1);
	} else {
		met->cancelled |= MONT_CANCELLED_BIT(BANK);
		if (*bank <= late) {
			met->bits |= MONT_MET_BIT(BYPASS_DATA2);
			turn = late;
		} else {
			turn = queued(h, now);
		}
	}
	if (turn < *bank)
		turn = *bank;
	*bank = turn + 1;
	return turn;
}

/* A write has its turn when its bank is free; nobody waits for it. */
static u64 write_turn(struct mont_hierarchy *h, u64 pa, u64 now)
{
	u64 *bank = &h->l2d.bank[pa / BANK_BYTES % MONT_L2D_BANKS];

	if (now < *bank)
		now = *bank;
	*bank = now + 1;
	return now;
}

/*
 * A request of cycle @now recirculates, to be issued again through the queue by cycle @until:
 * one in each.
 */
static void recirculates(struct mont_hierarchy *h, u64 now, u64 until, struct mont_met *met)
{
	struct mont_l2d *c = &h->l2d;

	if (now <= c->recirculated) {
		met->cancelled |= MONT_CANCELLED_BIT(RECIRC);
		now = c->recirculated + 1;
	}
	c->recirculated = now;
	met->at[MONT_MET_IN_RECIRC] = now;
	if (c->forced < until)
		c->forced = until;
}

/*
 * When a miss of cycle @now asks the L3, and how: it may have to recirculate first. What the
 * pipe has held back until then, for a translation, bypasses nothing.
 */
static u64 asks(struct mont_hierarchy *h, u64 index, u64 now, struct mont_met *met)
{
	struct mont_l2d *c = &h->l2d;
	bool sibling = c->index_at == now && c->index == index;
	u64 asked = now;

	c->index = index;
	c->index_at = now;
	if (sibling || c->forced > now) {
		met->bits |= sibling ? MONT_MET_BIT(RECIRC_SAME_INDEX)
				     : MONT_MET_BIT(RECIRC_FORCED);
		asked = queued(h, now);
		recirculates(h, now, asked, met);
	} else if (c->waiting <= now && h->l1d.busy != now) {
		met->bits |= MONT_MET_BIT(BYPASS_L3);
		return now + h->timing.l2d;
	}
	return asked + h->timing.l2d + h->timing.l3_late;
}

/* Of the lines of @set a valid one makes room, and a place of it is empty. */
static bool bad_choice(const struct mont_hierarchy *h, const u64 *set)
{
	unsigned int way, ways = h->timing.l2d_ways;

	if (!(set[ways - 1] & MONT_LINE_STATE))
		return false;
	for (way = 0; way < ways; way++)
		if (!(set[way] & MONT_LINE_STATE))
			return true;
	return false;
}

/*
 * A line that is not there: the cycle in which it arrives. In @handed is the one
 * in which the L3 takes over.
 */
static u64 fill(struct mont_hierarchy *h, u64 pa, enum mont_l2d_op op, u64 now, u64 *handed,
		struct mont_met *met)
{
	struct mont_l2d *c = &h->l2d;
	u64 line = pa & ~(u64)NOT_LINE, index = pa / MONT_L2_LINE % MONT_L2D_SETS, victim, ready;
	bool own = writes(op) || op == MONT_L2D_LFETCH_EXCL;
	u64 *set = set_of(h, pa), asked = asks(h, index, now, met);
	unsigned int entry, buffer = 0;
	bool modified = (set[h->timing.l2d_ways - 1] & MONT_LINE_STATE) == MONT_LINE_M;
	u32 state;

	met->bits |= MONT_MET_BIT(L2D_MISSED) | MONT_MET_BIT(L2D_PRIMARY);
	if (bad_choice(h, set))
		met->bits |= MONT_MET_BIT(BAD_LINE);
	*handed = mont_fills_take(&c->fills, h->timing.l2d_fills, asked, &entry);
	if (modified)
		*handed = mont_write_buffer(h, *handed, &buffer);
	ready = mont_l3_read(h, pa, own ? MONT_L3_STORE : MONT_L3_DATA, *handed, &state, met);
	mont_fills_hold(&c->fills, entry, ready, line);
	mont_occupy(&h->occupancy, MONT_QUEUE_FILLB_FULL, *handed,
		    mont_fills_full(&c->fills, h->timing.l2d_fills, entry, *handed));
	c->missed[entry] = now;
	if (writes(op))
		state = MONT_LINE_M;
	met->bits |= MONT_MET_BIT(FILL_M) << (MONT_LINE_M - state);
	victim = mont_lines_insert(set, h->timing.l2d_ways, line | state);
	if (modified)
		mont_write_buffer_hold(h, buffer, *handed,
				       mont_l3_write(h, victim, *handed, met) + 1);
	return ready;
}

/* The line at @pa, on its way, is missed again: the request is suspended. */
static void suspended(struct mont_hierarchy *h, u64 line, enum mont_l2d_op op, u64 now,
		      struct mont_met *met)
{
	const struct mont_l2d *c = &h->l2d;
	unsigned int i;
	u64 ahead = 0;

	for (i = 0; i < MONT_L2D_FILLS; i++) {
		if (c->fills.until[i] > now && c->fills.line[i] == line)
			ahead = now - c->missed[i];
	}
	met->bits |= MONT_MET_BIT(L2D_MISSED);
	met->bits |= writes(op) ? MONT_MET_BIT(SECONDARY_WRITE) : MONT_MET_BIT(SECONDARY_READ);
	met->at[MONT_MET_IN_RECIRC] = now;
	if (ahead <= 1) {
		met->bits |= ahead ? MONT_MET_BIT(RECIRC_L1W) : MONT_MET_BIT(RECIRC_SAME_INDEX);
		recirculates(h, now, now + h->timing.l2d_queued - h->timing.l2d, met);
	} else if (ahead < h->timing.l2d) {
		met->bits |= MONT_MET_BIT(RECIRC_OZQ_MISS);
	} else {
		met->bits |= MONT_MET_BIT(RECIRC_FILL_HIT);
	}
}

static const u64 inserted[] = {
	[MONT_L2D_INT_LOAD] = MONT_MET_BIT(L2D_READ) | MONT_MET_BIT(L2D_INT_LOAD),
	[MONT_L2D_FP_LOAD] = MONT_MET_BIT(L2D_READ) | MONT_MET_BIT(L2D_FP_LOAD),
	[MONT_L2D_RMW] = MONT_MET_BIT(L2D_READ) | MONT_MET_BIT(L2D_WRITTEN) | MONT_MET_BIT(L2D_RMW),
	[MONT_L2D_STORE] = MONT_MET_BIT(L2D_WRITTEN) | MONT_MET_BIT(L2D_STORE),
	[MONT_L2D_LFETCH] = MONT_MET_BIT(L2D_READ) | MONT_MET_BIT(L2D_LFETCH),
	[MONT_L2D_LFETCH_EXCL] = MONT_MET_BIT(L2D_READ) | MONT_MET_BIT(L2D_LFETCH),
	[MONT_L2D_OTHER] = MONT_MET_BIT(L2D_READ) | MONT_MET_BIT(L2D_OTHER),
};

/* A semaphore always waits. */
static u64 semaphore_turn(struct mont_hierarchy *h, u64 now, struct mont_met *met)
{
	met->cancelled |= MONT_CANCELLED_BIT(SEMA);
	return queued(h, now);
}

/* From cycle @now on a release is in the queue, up to @until. */
static void released(struct mont_hierarchy *h, u64 now, u64 until)
{
	struct mont_l2d *c = &h->l2d;

	if (c->released >= until)
		return;
	mont_occupy(&h->occupancy, MONT_QUEUE_OZQ_RELEASE, now > c->released ? now : c->released,
		    until);
	c->released = until;
}

/* Which entries of the OzQ are in use in cycle @now? */
static noinline void look(struct mont_l2d *c, u32 nr, u64 now)
{
	unsigned int i;

	c->taken = 0;
	c->looked = now;
	for (i = 0; i < nr; i++)
		c->taken |= (u32)(c->ozq.until[i] > now) << i;
}

/* Entries of the OzQ that are known to be free; it has @nr, 1 at least. */
static __always_inline u32 free_entries(const struct mont_l2d *c, u32 nr)
{
	return ~c->taken & ~0U >> (MONT_NR_OZQ - nr);
}

/* mont_fills_take() of the OzQ, where one free entry is as good as another. */
static __always_inline u64 enter(struct mont_hierarchy *h, u64 now, unsigned int *entry)
{
	struct mont_l2d *c = &h->l2d;
	u32 nr = h->timing.ozq;

	if (unlikely(!free_entries(c, nr)) && now >= c->looked)
		look(c, nr, now);
	/* What is asked for in an earlier cycle than that finds more of them in use. */
	if (unlikely(!free_entries(c, nr) || now < c->looked))
		return mont_fills_take(&c->ozq, nr, now, entry);
	*entry = __builtin_ctz(free_entries(c, nr));
	return now;
}

/* The OzQ is full from cycle @now on: up to which? @now if it is not. */
static u64 full_until(const struct mont_hierarchy *h, u64 now)
{
	const struct mont_l2d *c = &h->l2d;
	u64 until = ~0ULL;
	unsigned int i;

	if (likely(free_entries(c, h->timing.ozq) && now >= c->looked))
		return now;
	for (i = 0; i < h->timing.ozq; i++)
		if (c->ozq.until[i] < until)
			until = c->ozq.until[i];
	return until > now ? until : now;
}

/* @release: it stays in the queue until what is older is done. */
static __always_inline u64 request(struct mont_hierarchy *h, u64 pa, enum mont_l2d_op op, u64 now,
				   bool release, struct mont_met *met)
{
	u64 *set = set_of(h, pa), line = pa & ~(u64)NOT_LINE, ready, pending, done, room, older;
	int way = mont_lines_find(set, MONT_L2D_WAYS, line);
	unsigned int entry;

	room = enter(h, now, &entry);
	if (unlikely(room > now)) {
		mont_met_hold(met, MONT_HOLD_L2BPRESS, room + 1);
		now = room;
	}
	older = release ? mont_l2d_drained(h, now) : 0;
	met->bits |= inserted[op];
	met->at[MONT_MET_IN_L2D] = now;
	if (way < 0) {
		ready = fill(h, pa, op, now, &done, met);
	} else {
		mont_lines_use(set, way);
		pending = mont_fills_pending(&h->l2d.fills, MONT_L2D_FILLS, line, now);
		if (pending) {
			suspended(h, line, op, now, met);
			ready = pending;
		} else {
			met->bits |= MONT_MET_BIT(L2D_HIT);
			if (op == MONT_L2D_STORE)
				ready = write_turn(h, pa, now) + h->timing.l2d;
			else if (op == MONT_L2D_RMW)
				ready = semaphore_turn(h, now, met) + h->timing.l2d;
			else
				ready = read_turn(h, pa, now, met) + h->timing.l2d;
		}
		if (writes(op)) {
			if ((set[0] & MONT_LINE_STATE) == MONT_LINE_S) {
				met->bits |= MONT_MET_BIT(STORE_SHARED);
				mont_l3_claim(h, pa, now, met);
			}
			set[0] = line | MONT_LINE_M;
		}
		done = ready;
	}
	if (release) {
		if (h->l2d.acquire == now)
			met->cancelled = MONT_CANCELLED_BIT(SIBLING);
		else if (older > now)
			met->cancelled = MONT_CANCELLED_BIT(REL);
		done = done < older ? older : done;
		released(h, now, done);
	}
	mont_fills_hold(&h->l2d.ozq, entry, done, line);
	h->l2d.taken |= 1u << entry;
	mont_occupy(&h->occupancy, MONT_QUEUE_OZQ_FULL, now, full_until(h, now));
	return ready;
}

u64 mont_l2d_request(struct mont_hierarchy *h, u64 pa, enum mont_l2d_op op, u64 now,
		     struct mont_met *met)
{
	return request(h, pa, op, now, false, met);
}

u64 mont_l2d_release(struct mont_hierarchy *h, u64 pa, enum mont_l2d_op op, u64 now,
		     struct mont_met *met)
{
	return request(h, pa, op, now, true, met);
}

void mont_l2d_acquire(struct mont_hierarchy *h, u64 now, u64 until)
{
	if (h->l2d.acquired >= until)
		return;
	mont_occupy(&h->occupancy, MONT_QUEUE_OZQ_ACQUIRE,
		    now > h->l2d.acquired ? now : h->l2d.acquired, until);
	h->l2d.acquired = until;
}

void mont_l2d_accept(struct mont_hierarchy *h, u64 now, u64 until)
{
	if (until <= now)
		return;
	if (h->l2d.misc < until)
		h->l2d.misc = until;
	if (h->l2d.acquired < until)
		h->l2d.acquired = until;
}

void mont_l2d_flush(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met)
{
	u64 line = pa & ~(u64)NOT_LINE, *set = set_of(h, pa), half;
	int way = mont_lines_find(set, MONT_L2D_WAYS, line);
	bool modified = way >= 0 && (set[way] & MONT_LINE_STATE) == MONT_LINE_M;

	for (half = line; half < line + MONT_L2_LINE; half += MONT_L1_LINE)
		mont_lines_drop(h->l1d.line[half / MONT_L1_LINE % MONT_L1_SETS], MONT_L1_WAYS,
				half);
	/* Its place is the next to be used when its turn comes, and not before. */
	if (way >= 0)
		set[way] = MONT_LINE_I;
	mont_l3_flush(h, pa, modified, now, met);
}

u64 mont_l2d_drained(const struct mont_hierarchy *h, u64 now)
{
	if (now < h->l2d.ozq.last)
		now = h->l2d.ozq.last;
	return now < h->l2d.fills.last ? h->l2d.fills.last : now;
}
