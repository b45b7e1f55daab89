/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The data array of the L2D and its banks (manual 2.3.3.2 and 4.8.4): in which cycle an
 * operation has its turn, and why one that would bypass the OzQ is cancelled. Included by l2d.c.
 */
#ifndef MONT_CACHE_L2D_ARRAY_H
#define MONT_CACHE_L2D_ARRAY_H

#include "stores.h"

#define BANK_BYTES 16
#define STAGES 4 /* L2A, L2M, L2D, L2C: in which a store can be met */
#define PORTS 4 /* operations that are issued in a cycle (2.3.3.2) */

/* The request waits in the queue: the cycle in which it has its turn. */
static u64 l2d_queue_turn(struct mont_hierarchy *h, u64 now)
{
	struct mont_l2d *c = &h->l2d;
	u64 turn = now + h->timing.l2d_queued - h->timing.l2d;

	if (turn <= c->waiting) {
		c->issued++;
		return c->waiting;
	}
	c->issued = 1;
	c->waiting = turn;
	return turn;
}

/* The reason to cancel an operation of cycle @now, in which the array is in use; 0 if it is not. */
static u32 l2d_array_conflict(const struct mont_array_uses *u, u64 now, bool store)
{
	unsigned int i;

	for (i = 0; i < MONT_L2D_FILLS; i++) {
		bool merged = u->stores >> i & 1;

		if (u->written[i] != now)
			continue;
		if (store)
			return merged ? MONT_CANCELLED_BIT(OZDATA) : MONT_CANCELLED_BIT(FILL_ST);
		return merged ? MONT_CANCELLED_BIT(WB) : MONT_CANCELLED_BIT(PREEMPT);
	}
	for (i = 0; i < MONT_NR_WRITE_BUFFERS; i++)
		if (u->read[i] == now)
			return MONT_CANCELLED_BIT(WB);
	return 0;
}

static noinline u32 l2d_conflict_slow(struct mont_l2d *c, u64 now, bool store)
{
	u32 why = c->uses.last < now ? 0 : l2d_array_conflict(&c->uses, now, store);

	if (why || c->waiting != now)
		return why;
	/* The queue issues in this cycle too, and goes first. */
	if (c->issued >= PORTS)
		return MONT_CANCELLED_BIT(OVER_SUB);
	c->issued++;
	return 0;
}

/*
 * The reason to cancel a hit that bypasses the queue in cycle @now; 0 if there is none, and then
 * it has been issued.
 */
static __always_inline u32 l2d_conflict(struct mont_l2d *c, u64 now, bool store)
{
	if (likely(c->uses.last < now && c->waiting < now))
		return 0;
	return l2d_conflict_slow(c, now, store);
}

/* A request of cycle @now is withdrawn that the L3 has been sent: one of a cycle is counted. */
static __always_inline void l2d_withdraw(struct mont_l2d *c, u64 now, u64 bit,
					 struct mont_reply *reply)
{
	if (now <= c->withdrawn)
		return;
	c->withdrawn = now;
	reply->bits |= bit;
}

/* l2d_read_turn() of a read that may have to wait. */
static noinline u64 l2d_read_turn_slow(struct mont_hierarchy *h, u64 pa, u64 now, u64 *bank,
				       struct mont_reply *reply)
{
	struct mont_l2d *c = &h->l2d;
	u64 late = now + h->timing.l2d_late - h->timing.l2d, turn = now;
	u64 stored = mont_store_ahead(&h->l1d.stores, pa, now, STAGES);
	u32 why;

	if (unlikely(h->order.acquired > now)) {
		reply->cancelled |= h->order.misc > now ? MONT_CANCELLED_BIT(MISC_ORDER)
							: MONT_CANCELLED_BIT(ACQ);
		turn = l2d_queue_turn(h, h->order.acquired);
	} else if (unlikely(stored)) {
		/*
		 * A store of the load's own group counts as one of the cycle ahead: both are in
		 * stage L2A.
		 */
		if (now > stored + 1 && mont_store_cancelled(&h->l1d.stores, pa, stored))
			reply->cancelled |= MONT_CANCELLED_BIT(CANC_ST);
		else
			reply->cancelled |= MONT_CANCELLED_BIT(ST_L2A)
					    << (stored < now ? now - stored - 1 : 0);
		turn = l2d_queue_turn(h, now);
	} else if (c->waiting > now) {
		turn = l2d_queue_turn(h, now);
	} else if (unlikely((why = l2d_conflict(c, now, false)))) {
		reply->cancelled |= why;
		turn = l2d_queue_turn(h, now);
	} else if (likely(*bank <= now)) {
		reply->bits |= MONT_REPLY_BIT(BYPASS_DATA1);
	} else {
		reply->cancelled |= MONT_CANCELLED_BIT(BANK);
		if (*bank <= late) {
			reply->bits |= MONT_REPLY_BIT(BYPASS_DATA2);
			turn = late;
		} else {
			turn = l2d_queue_turn(h, now);
		}
	}
	if (turn < *bank)
		turn = *bank;
	*bank = turn + 1;
	return turn;
}

/* When a read of a line that is there has its turn at the data. */
static __always_inline u64 l2d_read_turn(struct mont_hierarchy *h, u64 pa, u64 now,
					 struct mont_reply *reply)
{
	struct mont_l2d *c = &h->l2d;
	u64 *bank = &c->bank[pa / BANK_BYTES % MONT_L2D_BANKS];

	if (unlikely(h->order.acquired > now || c->waiting >= now || c->uses.last >= now ||
		     *bank > now || mont_store_near(&h->l1d.stores, pa, now, STAGES)))
		return l2d_read_turn_slow(h, pa, now, bank, reply);
	reply->bits |= MONT_REPLY_BIT(BYPASS_DATA1);
	*bank = now + 1;
	return now;
}

/* A write has its turn, from cycle @now on, when its bank is free. */
static u64 l2d_bank_turn(struct mont_hierarchy *h, u64 pa, u64 now)
{
	u64 *bank = &h->l2d.bank[pa / BANK_BYTES % MONT_L2D_BANKS];

	if (now < *bank)
		now = *bank;
	*bank = now + 1;
	return now;
}

/* Nothing waits for a write, unless it is cancelled. */
static u64 l2d_write_turn(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply)
{
	u32 why = l2d_conflict(&h->l2d, now, true);

	if (unlikely(why)) {
		reply->cancelled |= why;
		mont_store_cancel(&h->l1d.stores);
		now = l2d_queue_turn(h, now);
	}
	return l2d_bank_turn(h, pa, now);
}

#endif
