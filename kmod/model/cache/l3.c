// SPDX-License-Identifier: GPL-2.0-only
/*
 * L3 (manual 2.3.3.3, 2.3.3.4 and 4.8.5): unified, 12 MB, one lookup a cycle. Its array is
 * read or written in four cycles a line: by what hits it, by fills, by lines that the L2D
 * writes back, and by modified victims on their way to memory.
 * Every request has one of 16 buffers until its line is there, what is written one of
 * eight, which a miss with a modified victim waits for, and a modified victim of the L3 one of
 * eight others, without which the line that takes its place is not asked for (4.11.2).
 *
 * Lines that are read for data are exclusive where no other core has them, and lines that are
 * fetched as instructions are shared (assumption).
 */
#include "l3.h"
#include "../package/bus.h"
#include "../package/snoop.h"

#define NOT_LINE (MONT_L2_LINE - 1)

static u64 *l3_set_of(struct mont_hierarchy *h, u64 pa)
{
	return h->l3.line[pa / MONT_L2_LINE % MONT_L3_SETS];
}

u64 mont_l3_enter(struct mont_hierarchy *h, u64 now, struct mont_request *r,
		  struct mont_reply *reply)
{
	reply->sent |= MONT_SENT_BIT(BRQ_INSERTED);
	r->taken = mont_fills_take(&h->l3.brq, h->timing.l3_requests, now, &r->entry);
	reply->at[MONT_REPLY_IN_L3] = mont_l3_turn(h, r->taken);
	return reply->at[MONT_REPLY_IN_L3];
}

void mont_l3_leave(struct mont_hierarchy *h, const struct mont_request *r, u64 until, u64 line)
{
	mont_fills_hold(&h->l3.brq, r->entry, until, line);
	mont_occupy(&h->occupancy, MONT_QUEUE_BRQ, r->taken, until);
}

u64 mont_l3_turn(struct mont_hierarchy *h, u64 now)
{
	if (now < h->l3.next)
		now = h->l3.next;
	h->l3.next = now + 1;
	return now;
}

/*
 * The first cycle from @now on in which the array is free for a line: that takes it then. What
 * is asked for later may come before a fill that is still to come.
 */
static u64 l3_array_turn(struct mont_hierarchy *h, u64 now)
{
	u64 *array = h->l3.array;
	u32 cycles = h->timing.l3_array, i = MONT_NR_ARRAY, k;

	while (i && array[i - 1] > now)
		i--;
	/* A use that is less than two lines away leaves no room in front of it. */
	for (; i < MONT_NR_ARRAY && array[i] < now + 2 * cycles; i++)
		now = array[i];
	/* The first of them has ended long ago, and is forgotten. */
	for (k = 1; k < i; k++)
		array[k - 1] = array[k];
	array[k - 1] = now + cycles;
	return now;
}

/* By requester: events of a lookup that hits or misses, and of a line from memory. */
static const struct {
	u64 hit;
	u64 miss;
	u32 sent;
} reply_as[] = {
	[MONT_L3_PREFETCH] = { MONT_REPLY_BIT(L3_PFTCH_HIT), MONT_REPLY_BIT(L3_PFTCH_MISS),
			       MONT_SENT_BIT(BUS_READ_INSN) },
	[MONT_L3_INSN] = { MONT_REPLY_BIT(L3_INSN_HIT), MONT_REPLY_BIT(L3_INSN_MISS),
			   MONT_SENT_BIT(BUS_READ_INSN) },
	[MONT_L3_DATA] = { MONT_REPLY_BIT(L3_DATA_HIT), MONT_REPLY_BIT(L3_DATA_MISS),
			   MONT_SENT_BIT(BUS_READ_DATA) },
	[MONT_L3_STORE] = { MONT_REPLY_BIT(L3_STORE_HIT), MONT_REPLY_BIT(L3_STORE_MISS),
			    MONT_SENT_BIT(BUS_READ_OWN) },
};

/* By requester: the transaction that others are snooped by. */
static const enum mont_snoop snooped_as[] = {
	[MONT_L3_PREFETCH] = MONT_SNOOP_INSN,
	[MONT_L3_INSN] = MONT_SNOOP_INSN,
	[MONT_L3_DATA] = MONT_SNOOP_DATA,
	[MONT_L3_STORE] = MONT_SNOOP_OWN,
};

/*
 * @victim, which was replaced in cycle @now, leaves: a modified one by the buffer @entry of
 * those for victims, where it is until the bus has carried it.
 */
static void l3_drop_victim(struct mont_hierarchy *h, u64 victim, unsigned int entry, u64 now,
			   enum mont_reply_cycle in, struct mont_reply *reply)
{
	u32 write = in == MONT_REPLY_IN_BUS_WRITE ? MONT_SENT_BIT(BUS_WRITE_LINE)
						  : MONT_SENT_BIT(BUS_WRITE_LINE_WB);
	u32 castout = in == MONT_REPLY_IN_BUS_WRITE ? MONT_SENT_BIT(BUS_CASTOUT)
						    : MONT_SENT_BIT(BUS_CASTOUT_WB);

	if ((victim & MONT_LINE_STATE) == MONT_LINE_M) {
		u64 out = l3_array_turn(h, now) + h->timing.l3_array;

		reply->sent |= write;
		mont_bus_write(h, victim, entry, out, in, reply);
	} else if (victim && h->timing.castouts) {
		reply->sent |= castout;
		mont_bus_castout(h, victim, now, in, reply);
	}
}

/* The cycle in which a buffer for a modified victim is free, from cycle @now on. */
static u64 l3_free_buffer(struct mont_hierarchy *h, u64 now, unsigned int *entry)
{
	u64 at;

	mont_bus_go_on(h, now);
	at = mont_fills_take(&h->l3.victims, h->timing.victims, now, entry);
	if (likely(at == now))
		return at;
	mont_bus_let_out(h);
	return mont_fills_take(&h->l3.victims, h->timing.victims, now, entry);
}

/* The cycle in which a buffer is free for the victim in @set; @now if it needs none. */
static u64 l3_victim_buffer(struct mont_hierarchy *h, const u64 *set, u64 now, unsigned int *entry)
{
	*entry = 0;
	if ((set[h->timing.l3_ways - 1] & MONT_LINE_STATE) != MONT_LINE_M)
		return now;
	return l3_free_buffer(h, now, entry);
}

/* A line that is not there, asked for in cycle @now: the cycle in which it is, in @state. */
static u64 l3_miss(struct mont_hierarchy *h, u64 line, u64 *set, enum mont_l3_op op, u64 now,
		   u32 *state, struct mont_reply *reply)
{
	unsigned int buffer;
	u64 ready, victim;

	reply->bits |= reply_as[op].miss | MONT_REPLY_BIT(L3_READ_INSERTED);
	reply->sent |= reply_as[op].sent;
	now = l3_victim_buffer(h, set, now, &buffer);
	ready = mont_bus_read(h, line, snooped_as[op], now, state, reply);
	reply->state[MONT_REPLY_LINE_READ] = *state;
	reply->state[MONT_REPLY_LINE_INSERTED] = *state;
	reply->at[MONT_REPLY_IN_RETURN] = ready;
	victim = mont_lines_insert(set, h->timing.l3_ways, line | *state);
	reply->state[MONT_REPLY_LINE_VICTIM] = victim & MONT_LINE_STATE;
	if (victim)
		reply->bits |= MONT_REPLY_BIT(L3_READ_REPLACED);
	l3_drop_victim(h, victim, buffer, now, MONT_REPLY_IN_BUS_WRITE, reply);
	(void)l3_array_turn(h, ready);
	return ready;
}

/* The line at @pa is asked to be given up by others: the cycle in which it has been. */
static u64 l3_ask_to_own(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply)
{
	reply->sent |= MONT_SENT_BIT(BUS_INVALIDATE);
	return mont_bus_claim(h, pa, now, reply);
}

u64 mont_l3_read(struct mont_hierarchy *h, u64 pa, enum mont_l3_op op, u64 now, u32 *state,
		 struct mont_reply *reply)
{
	u64 line = pa & ~(u64)NOT_LINE, *set = l3_set_of(h, pa), ready, until;
	int way = mont_lines_find(set, MONT_L3_WAYS, line);
	struct mont_request r;

	*state = op <= MONT_L3_INSN ? MONT_LINE_S : MONT_LINE_E;
	until = now;
	now = mont_l3_enter(h, now, &r, reply);
	if (unlikely(r.taken > until) && op >= MONT_L3_DATA)
		reply->bits |= MONT_REPLY_BIT(L3_REJECTED);
	if (way < 0) {
		ready = l3_miss(h, line, set, op, now, state, reply);
		mont_l3_leave(h, &r, ready, line);
		return ready;
	}
	mont_lines_use(set, way);
	reply->bits |= reply_as[op].hit;
	reply->state[MONT_REPLY_LINE_READ] = set[0] & MONT_LINE_STATE;
	ready = l3_array_turn(h, now) + h->timing.l3 - h->timing.l2d;
	until = ready;
	if ((set[0] & MONT_LINE_STATE) == MONT_LINE_S) {
		if (op == MONT_L3_STORE) {
			until = l3_ask_to_own(h, pa, now, reply);
			set[0] = line | MONT_LINE_E;
		} else {
			*state = MONT_LINE_S;
		}
	}
	mont_l3_leave(h, &r, until > ready ? until : ready, line);
	return ready;
}

void mont_write_buffer_hold(struct mont_hierarchy *h, unsigned int entry, u64 now, u64 until,
			    u64 line)
{
	struct mont_fills *f = &h->l3.writes;
	u64 full;

	mont_fills_hold(f, entry, until, line);
	full = mont_fills_full(f, h->timing.write_buffers, entry, now);
	if (now < h->l3.full)
		now = h->l3.full;
	if (full > now) {
		mont_occupy(&h->occupancy, MONT_QUEUE_VICTIMB_FULL, now, full);
		h->l3.full = full;
	}
}

u64 mont_l3_write(struct mont_hierarchy *h, u64 line, u64 now, struct mont_reply *reply)
{
	u64 *set = l3_set_of(h, line), victim;
	int way = mont_lines_find(set, MONT_L3_WAYS, line & ~(u64)NOT_LINE);
	unsigned int buffer;

	now = mont_l3_turn(h, now);
	reply->at[MONT_REPLY_IN_WB] = now;
	if (way >= 0) {
		reply->bits |= MONT_REPLY_BIT(L3_WB_HIT);
		reply->state[MONT_REPLY_LINE_WRITTEN] = set[way] & MONT_LINE_STATE;
		mont_lines_use(set, way);
		set[0] = line;
		return l3_array_turn(h, now);
	}
	reply->bits |= MONT_REPLY_BIT(L3_WB_MISS) | MONT_REPLY_BIT(L3_WB_INSERTED);
	reply->state[MONT_REPLY_LINE_WRITTEN] = MONT_LINE_M;
	reply->state[MONT_REPLY_LINE_WB_INSERTED] = MONT_LINE_M;
	now = l3_victim_buffer(h, set, now, &buffer);
	victim = mont_lines_insert(set, h->timing.l3_ways, line);
	reply->state[MONT_REPLY_LINE_WB_VICTIM] = victim & MONT_LINE_STATE;
	if (victim)
		reply->bits |= MONT_REPLY_BIT(L3_WB_REPLACED);
	l3_drop_victim(h, victim, buffer, now, MONT_REPLY_IN_BUS_WB, reply);
	return l3_array_turn(h, now);
}

void mont_l3_claim(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply)
{
	u64 line = pa & ~(u64)NOT_LINE, *set = l3_set_of(h, pa);
	int way = mont_lines_find(set, MONT_L3_WAYS, line);
	struct mont_request r;

	now = mont_l3_enter(h, now, &r, reply);
	mont_l3_leave(h, &r, l3_ask_to_own(h, pa, now, reply), line);
	if (way >= 0)
		set[way] = line | MONT_LINE_E;
}

void mont_l3_special(struct mont_hierarchy *h, u64 pa, u32 sent, u64 now, struct mont_reply *reply)
{
	struct mont_request r;

	reply->sent |= sent;
	now = mont_l3_enter(h, now, &r, reply);
	mont_l3_leave(h, &r, mont_bus_ask(h, pa, now, reply), pa);
}

void mont_l3_flush_insns(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply)
{
	struct mont_request r;
	u64 asked;

	if (likely(!mont_bus_is_shared(h->bus)))
		return;
	asked = mont_l3_enter(h, now, &r, reply);
	/* Nothing else bounds how many are sent. */
	if (r.taken > now)
		mont_reply_hold(reply, MONT_HOLD_L2BPRESS, r.taken + 1);
	mont_l3_leave(h, &r, l3_ask_to_own(h, pa, asked, reply), pa & ~(u64)NOT_LINE);
}

void mont_l3_flush(struct mont_hierarchy *h, u64 pa, bool modified, u64 now,
		   struct mont_reply *reply)
{
	u64 line = pa & ~(u64)NOT_LINE;
	unsigned int buffer;

	modified |= mont_snoop_l3(h, pa, false) == MONT_LINE_M;
	if (mont_bus_is_shared(h->bus))
		now = l3_ask_to_own(h, pa, now, reply);
	if (!modified)
		return;
	now = l3_free_buffer(h, now, &buffer);
	l3_drop_victim(h, line | MONT_LINE_M, buffer, now, MONT_REPLY_IN_BUS_WRITE, reply);
}
