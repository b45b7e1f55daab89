// SPDX-License-Identifier: GPL-2.0-only
/*
 * The calendar of a core: misses and returns of the L3 are entered when their request is made,
 * and delivered in their own cycle (manual 2.4.1).
 */
#include "calendar.h"
#include "../cache/reply.h"

static void calendar_change_urgency(struct mont_threads *s, const struct mont_l3_event *e)
{
	u8 *urgency = &s->urgency[e->thread];

	/* Above the nominal urgency a return has nothing to give back (2.4.1.3). */
	if (e->back)
		*urgency += *urgency < MONT_URGENCY_NOMINAL;
	else
		*urgency -= *urgency > 0;
}

/* Enter a miss, or a return with @back, that @thread sees from cycle @at on. */
static void calendar_enter(struct mont_threads *s, u32 thread, u64 at, bool back)
{
	struct mont_l3_event e = { .at = at, .thread = thread, .back = back };
	u32 i;

	/* No event is lost where there is no room: the first one comes early. */
	if (unlikely(s->nr == MONT_NR_L3_EVENTS)) {
		calendar_change_urgency(s, &s->event[0]);
		s->nr--;
		for (i = 0; i < s->nr; i++)
			s->event[i] = s->event[i + 1];
	}
	for (i = s->nr++; i && s->event[i - 1].at > at; i--)
		s->event[i] = s->event[i - 1];
	s->event[i] = e;
	mont_calendar_come_at(s, at);
}

bool mont_calendar_reply(struct mont_threads *s, u32 thread, const struct mont_reply *reply)
{
	static const u64 misses = MONT_REPLY_BIT(L3_DATA_MISS) | MONT_REPLY_BIT(L3_STORE_MISS) |
				  MONT_REPLY_BIT(L3_INSN_MISS) | MONT_REPLY_BIT(L3_PFTCH_MISS);

	if (!(reply->bits & misses) && !(reply->sent & MONT_SENT_BIT(BUS_READ_PARTIAL)))
		return false;
	calendar_enter(s, thread, reply->at[MONT_REPLY_IN_L3] + 1, false);
	calendar_enter(s, thread, reply->at[MONT_REPLY_IN_RETURN] + 1, true);
	return true;
}

struct mont_l3_events mont_calendar_deliver(struct mont_threads *s, u64 now)
{
	struct mont_l3_events e = { 0 };
	u32 n = 0, i;

	for (; n < s->nr && s->event[n].at <= now; n++) {
		calendar_change_urgency(s, &s->event[n]);
		e.of |= 1u << s->event[n].thread;
		e.back |= s->event[n].back << s->event[n].thread;
	}
	s->nr -= n;
	for (i = 0; n && i < s->nr; i++)
		s->event[i] = s->event[i + n];
	return e;
}
