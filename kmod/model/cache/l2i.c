// SPDX-License-Identifier: GPL-2.0-only
/*
 * L2I (manual 2.3.3.2 and 4.8.3): 1 MB of instructions.
 */
#include "l2i.h"
#include "../package/bus.h"

#define NOT_LINE (MONT_L2_LINE - 1)

static u64 *l2i_set_of(struct mont_hierarchy *h, u64 pa)
{
	return h->l2i.line[pa / MONT_L2_LINE % MONT_L2I_SETS];
}

/* A request of cycle @now is taken in the first cycle from then on that has none. Return: which. */
static u64 l2i_take(struct mont_l2i *l, u64 now)
{
	unsigned int i;

	for (i = 0; unlikely(now < l->since) && i < MONT_NR_L2I_ASKED;) {
		if (l->asked[i] == now) {
			now++;
			i = 0;
		} else {
			i++;
		}
	}
	l->asked[l->next] = now;
	l->next = (l->next + 1) % MONT_NR_L2I_ASKED;
	if (l->since <= now)
		l->since = now + 1;
	return now;
}

u64 mont_l2i_read(struct mont_hierarchy *h, u64 pa, enum mont_l3_op op, u64 now,
		  struct mont_reply *reply)
{
	u64 line = pa & ~(u64)NOT_LINE, *set = l2i_set_of(h, pa), ready;
	int way = mont_lines_find(set, MONT_L2I_WAYS, line);
	unsigned int entry;
	u32 state;

	now = l2i_take(&h->l2i, now);
	reply->asked = now;
	if (way >= 0) {
		reply->fetched |= op == MONT_L3_INSN ? MONT_FETCHED_BIT(L2I_DMND_HIT)
						     : MONT_FETCHED_BIT(L2I_PFTCH_HIT);
		mont_lines_use(set, way);
		ready = mont_fills_pending(&h->l2i.fills, MONT_L2I_FILLS, line, now);
		return ready > now + h->timing.l2i ? ready : now + h->timing.l2i;
	}
	reply->fetched |= op == MONT_L3_INSN ? MONT_FETCHED_BIT(L2I_DMND_MISS)
					     : MONT_FETCHED_BIT(L2I_PFTCH_MISS);
	now = mont_fills_take(&h->l2i.fills, h->timing.l2i_fills, now + h->timing.l2i, &entry);
	ready = mont_l3_read(h, pa, op, now, &state, reply);
	mont_fills_hold(&h->l2i.fills, entry, ready, line);
	if (mont_lines_insert(set, h->timing.l2i_ways, line | MONT_LINE_S))
		reply->fetched |= MONT_FETCHED_BIT(L2I_REPLACED);
	return ready;
}

u64 mont_l2i_uncached(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply)
{
	struct mont_request r;

	now = l2i_take(&h->l2i, now);
	reply->asked = now;
	reply->fetched |= MONT_FETCHED_BIT(L2I_DEMANDED) | MONT_FETCHED_BIT(L2I_UNCACHED) |
			  MONT_FETCHED_BIT(ISB_FIRST);
	reply->sent |= MONT_SENT_BIT(BUS_READ_PARTIAL);
	now = mont_l3_enter(h, now, &r, reply);
	reply->isb[0] = mont_bus_read_partial(h, pa, now, reply);
	mont_l3_leave(h, &r, reply->isb[0], pa);
	return reply->isb[0];
}
