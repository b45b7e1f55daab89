// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of references and of queues: signals of a reply, occupancies and the frame's
 * registers (manual 4.8, 4.11 and 4.11.2).
 */
#include "account.h"
#include "calendar.h"
#include "stall.h"
#include "../event/assert.h"
#include "../event/raise.h"
#include "../package/bus.h"

/* By event: the line whose state goes with it. */
static const u8 line_of[MONT_NR_REPLY] = {
#define MONT_REPLY(name, line, cycle, meaning) [MONT_REPLY_AT_##name] = MONT_REPLY_LINE_##line,
#include "../cache/reply.def"
#undef MONT_REPLY
};

/* By event: the cycle of the reference in which it happens. */
static const u8 cycle_of[MONT_NR_REPLY] = {
#define MONT_REPLY(name, line, cycle, meaning) [MONT_REPLY_AT_##name] = MONT_REPLY_IN_##cycle,
#include "../cache/reply.def"
#undef MONT_REPLY
};

/* Cycle in which a request to the system happens. */
static const u8 cycle_of_sent[MONT_NR_SENT] = {
#define MONT_SENT(name, cycle, meaning) [MONT_SENT_AT_##name] = MONT_REPLY_IN_##cycle,
#include "../cache/transactions.def"
#undef MONT_SENT
};

/* The causes of the L1D's pipe are the reasons it has, in their order. */
_Static_assert(MONT_CAUSE_L1D_TLB + MONT_NR_HOLDS - 1 == MONT_CAUSE_L1D_STBUFRECIR,
	       "causes.def and enum mont_hold go together");

_Static_assert(MONT_NR_SIGNALS_OF(REPLY) == MONT_NR_REPLY &&
		       MONT_NR_SIGNALS_OF(CANCELLED) == MONT_NR_CANCELLED &&
		       MONT_NR_SIGNALS_OF(SENT) == MONT_NR_SENT,
	       "each bit of struct mont_reply has a signal");

/* A read that recirculates in the L1D's pipe meets MONT_REPLY_BIT(L3_RETRIED) in each cycle of it. */
static void account_signal_retries(struct mont_thread *t, const struct mont_reply *reply,
				   const struct mont_ref *ref)
{
	u64 at = reply->at[MONT_REPLY_IN_RETRIES] + 1;

	for (; at < reply->until[MONT_HOLD_PIPE_RECIRC]; at++)
		mont_signal_line_at(t, MONT_SIG_L3_RETRIED, ref, 0, at);
}

#define FILLED_CLEAN (MONT_REPLY_BIT(FILL_E) | MONT_REPLY_BIT(FILL_S))

/*
 * Bits of @reply that are to be signalled now. Where another core may take a clean line that is
 * filled, that counts when it comes (package/deliver.c).
 */
static u64 account_bits(struct mont_thread *t, const struct mont_reply *reply,
			const struct mont_ref *ref)
{
	struct mont_bus *bus = t->pkg->bus;
	struct mont_arrivals *a;
	struct mont_arrival *of;

	if (likely(!(reply->bits & FILLED_CLEAN) || !mont_bus_is_shared(bus)) ||
	    reply->arrival == MONT_NO_ARRIVAL)
		return reply->bits;
	a = &bus->arrivals[t->core == &t->pkg->core[1]];
	/* No other core takes lines before a window begins. */
	if (t->pkg->s.turns.alone) {
		mont_arrival_forget(a, reply->arrival);
		return reply->bits;
	}
	of = &a->of[reply->arrival];
	mont_filled_ask(t, ref, reply->arrival, of->at, &of->takers);
	return reply->bits & ~FILLED_CLEAN;
}

/* The number of the line that is issued in the cycle @in of @reply, if it waits; 0: none does. */
static u64 account_line(const struct mont_reply *reply, u32 in)
{
	u32 n = in - MONT_REPLY_IN_BUS;

	return n < MONT_NR_REPLY_LINES_WAITING && reply->waits >> n & 1 ? reply->line[n] : 0;
}

/* Raise the signals of @bits of @reply, and of what else it has, each in the cycle in which it happens. */
static noinline void account_signal_reply(struct mont_thread *t, const struct mont_reply *reply,
					  u64 bits, const struct mont_ref *ref)
{
	u64 left;
	u32 rest;

	for (left = bits; left; left &= left - 1) {
		unsigned int bit = __builtin_ctzll(left);
		u64 state = line_of[bit] ? reply->state[line_of[bit]] : 0;

		if (unlikely(bit == MONT_REPLY_AT_L3_RETRIED)) {
			account_signal_retries(t, reply, ref);
			continue;
		}
		mont_signal_line_at(t, MONT_SIG_REPLY_FIRST + bit, ref, state,
				    reply->at[cycle_of[bit]] + 1);
	}
	for (rest = reply->cancelled; rest; rest &= rest - 1) {
		mont_signal_line_at(t, MONT_SIG_CANCELLED_FIRST + __builtin_ctz(rest), ref, 0,
				    reply->at[MONT_REPLY_IN_L2D] + 1);
	}
	for (rest = reply->sent; rest; rest &= rest - 1) {
		unsigned int bit = __builtin_ctz(rest);
		u64 line = account_line(reply, cycle_of_sent[bit]);
		u64 at = reply->at[cycle_of_sent[bit]] + 1;

		mont_signal_sent_at(t, MONT_SIG_SENT_FIRST + bit, ref, line, at);
		if (likely(!mont_bus_is_shared(t->pkg->bus)) || t->pkg->s.turns.alone)
			mont_signal_sent_at(t, MONT_SIG_EITHER_SENT_FIRST + bit, ref, line, at);
	}
}

/* Causes with which the reference itself recirculates in the L1D pipe. */
#define CAUSES_REPLAYED                                                  \
	(1u << MONT_CAUSE_L1D_FILLCONF | 1u << MONT_CAUSE_L1D_L2BPRESS | \
	 1u << MONT_CAUSE_L1D_PIPE_RECIRC | 1u << MONT_CAUSE_L1D_LDCONF)

void mont_account_reply(struct mont_thread *t, const struct mont_reply *reply,
			const struct mont_ref *ref)
{
	u64 bits = account_bits(t, reply, ref);
	u32 holds;

	if (unlikely(reply->sent) && mont_bus_is_shared(t->pkg->bus)) {
		if (t->pkg->s.turns.alone)
			mont_tally_tell_snoops(t, &t->pkg->bus->tally);
		else
			mont_tally_send(&t->pkg->bus->tally, reply->sent);
	}
	if (unlikely(t->pmu.replies)) {
		if (t->pmu.heard)
			account_signal_reply(t, reply, bits, ref);
		if (t->pmu.switches && mont_calendar_reply(&t->time->s.threads, t->number, reply)) {
			mont_work(t, MONT_WORK_OCCURRED);
			/* The loop's deadline may be later than the miss. */
			t->attn |= MONT_ATTN_TIMER;
		}
	}
	for (holds = reply->holds; holds; holds &= holds - 1) {
		unsigned int why = __builtin_ctz(holds);

		mont_stall_until(&t->own.s.stall, MONT_CAUSE_L1D_TLB + why, reply->until[why]);
		if (ref && (CAUSES_REPLAYED >> (MONT_CAUSE_L1D_TLB + why) & 1))
			mont_signal_ref(t, MONT_SIG_REPLAYED, ref);
	}
}

/* The signals of a queue: the second is that of NUMBER ones alone. */
enum splits { STATE, NUMBER };

static const struct {
	u16 signal;
	u8 splits;
	u8 most;
} queues[MONT_NR_QUEUES] = {
#define MONT_QUEUE(name, splits, most, meaning) \
	[MONT_QUEUE_##name] = { MONT_SIG_LIVE_##name, splits, most },
#include "../cache/occupancy.def"
#undef MONT_QUEUE
};

/* The signals of a queue of either core; 0: there is none. */
static const u16 either[MONT_NR_QUEUES] = {
	[MONT_QUEUE_SI_RQ] = MONT_SIG_EITHER_LIVE_SI_RQ,
	[MONT_QUEUE_SI_WRITEQ] = MONT_SIG_EITHER_LIVE_SI_WRITEQ,
	[MONT_QUEUE_SI_CCQ] = MONT_SIG_EITHER_LIVE_SI_CCQ,
	[MONT_QUEUE_SI_IOQ] = MONT_SIG_EITHER_LIVE_SI_IOQ,
	[MONT_QUEUE_BUS_DATA] = MONT_SIG_EITHER_LIVE_BUS_DATA,
	[MONT_QUEUE_BUS_B2B] = MONT_SIG_EITHER_LIVE_BUS_B2B,
};

/* Raise @sig, or the two of a NUMBER: @number have been in use in each of @cycles. */
static void account_signal_number(struct mont_thread *t, enum mont_signal sig, u8 splits,
				  u64 number, u64 cycles)
{
	if (splits == STATE) {
		mont_signal_n(t, sig, cycles, cycles);
		return;
	}
	mont_signal_n(t, sig, number % 8 * cycles, cycles);
	mont_signal_n(t, sig + 1, number / 8 * cycles, cycles);
}

/* Signal that @number entries of @queue were in use for @t in each of @cycles. */
static void account_signal_occupancy(struct mont_thread *t, enum mont_queue queue, u64 number,
				     u64 cycles)
{
	u8 splits = queues[queue].splits;

	account_signal_number(t, queues[queue].signal, splits, number, cycles);
	if (either[queue] && likely(!mont_bus_is_shared(t->pkg->bus)))
		account_signal_number(t, either[queue], splits, number, cycles);
}

void mont_account_queue(struct mont_thread *t, enum mont_queue queue, u64 from, u64 until)
{
	u64 now = t->clock, past = until < now ? until : now;

	if (past > from)
		mont_signal_n(t, queues[queue].signal, past - from, past - from);
	mont_occupy(&t->time->s.h.occupancy, queue, from > now ? from : now, until);
}

static bool account_is_within_sizes(const struct mont_occupancy *o)
{
	enum mont_queue queue;

	for (queue = 0; queue < MONT_NR_QUEUES; queue++)
		if (o->number[queue] > queues[queue].most)
			return false;
	return o->number[MONT_QUEUE_MEMORY_READ] + o->number[MONT_QUEUE_MEMORY_READ_1] <=
	       queues[MONT_QUEUE_MEMORY_READ].most;
}

void mont_account_queues_slow(struct mont_thread *t)
{
	u64 end = t->clock;
	struct mont_occupancy *o = &t->time->s.h.occupancy;
	enum mont_queue queue;

	mont_bus_go_on(&t->time->s.h, end - 1);
	/* Nothing was in use before the first change. */
	if (!mont_occupied_now(o) && o->upto < end)
		o->upto = mont_occupancy_at(o) < end ? mont_occupancy_at(o) : end;
	if (!MONT_CHECKED && likely(!t->pmu.live) && o->upto < end)
		mont_occupancy_pass(o, end);
	while (o->upto < end) {
		u64 cycles = mont_occupancy_next(o, end);

		MONT_ASSERT(t, !cycles || account_is_within_sizes(o),
			    "queues: no more entries in use than there are");
		if (likely(!t->pmu.live))
			continue;
		for (queue = 0; cycles && queue < MONT_NR_QUEUES; queue++) {
			struct mont_thread *own = t;

			if (!o->number[queue])
				continue;
			/* The only queue of which an event is the thread's that asks (4.2.1). */
			if (queue == MONT_QUEUE_MEMORY_READ)
				own = t->core->thread[0];
			account_signal_occupancy(own, queue, o->number[queue], cycles);
		}
		if (unlikely(cycles && o->number[MONT_QUEUE_MEMORY_READ_1]))
			account_signal_occupancy(t->core->thread[1], MONT_QUEUE_MEMORY_READ,
						 o->number[MONT_QUEUE_MEMORY_READ_1], cycles);
	}
	if (unlikely(t->pkg->s.turns.alone))
		mont_tally_tell_queues(t, &t->pkg->bus->tally, end);
	/*
	 * Idle: reset the time stamp, so that the saved state does not depend on when it was read.
	 */
	if (!mont_occupied(o))
		o->upto = 0;
}

/* The largest of each of the signals from FRAME_0 on, in one cycle. */
static const u8 most_of_frame[] = { 7, 7, 1, 7, 7, 1 };

/* Cycles up to @n, in each of which @sig may have a value of @most; one at least. */
static u64 account_room(const struct mont_thread *t, enum mont_signal sig, u64 most, u64 n)
{
	u64 room = (t->sig[sig].left + 1) / most;

	if (n > room)
		n = room ? room : 1;
	return n;
}

u64 mont_account_together(const struct mont_thread *t, u64 n)
{
	enum mont_queue queue;
	u32 part;

	for (part = 0; t->pmu.frame && part < MONT_ARRAY_SIZE(most_of_frame); part++)
		n = account_room(t, MONT_SIG_FRAMES_FIRST + part, most_of_frame[part], n);
	if (!t->pmu.live || !mont_occupied(&t->time->s.h.occupancy))
		return n;
	for (queue = 0; queue < MONT_NR_QUEUES; queue++) {
		u32 i, parts = queues[queue].splits == NUMBER ? 2 : 1;

		for (i = 0; i < parts; i++) {
			n = account_room(t, queues[queue].signal + i, queues[queue].most, n);
			if (either[queue])
				n = account_room(t, either[queue] + i, queues[queue].most, n);
			if (queue == MONT_QUEUE_MEMORY_READ && t->pmu.switches)
				n = account_room(t->core->thread[t->number ^ 1],
						 queues[queue].signal + i, queues[queue].most, n);
		}
	}
	return n;
}

void mont_account_frame_slow(struct mont_thread *t, u64 n)
{
	u32 number[2] = { t->s.sof, t->s.ndirty > 0 ? t->s.ndirty : 0 }, i;

	for (i = 0; i < 2; i++) {
		enum mont_signal sig = MONT_SIG_FRAMES_FIRST + 3 * i;

		mont_signal_n(t, sig, (number[i] & 7) * n, 0);
		mont_signal_n(t, sig + 1, (number[i] >> 3 & 7) * n, 0);
		mont_signal_n(t, sig + 2, (number[i] >> 6) * n, 0);
	}
}

void mont_account_fetch(struct mont_thread *t, const struct mont_reply *reply, u64 va, u64 pa,
			u64 at)
{
	struct mont_time_state *s = &t->time->s;
	u32 left, i;

	/* A line in the L1I is valid as long as the entry of its page (2.4.3.1.1). */
	if ((reply->fetched &
	     (MONT_FETCHED_BIT(L1I_FILLED) | MONT_FETCHED_BIT(L1I_PFTCH_FILLED))) &&
	    (t->s.psr & MONT_PSR_IT))
		mont_l1tlb_filled(&s->l1itlb, s->h.l1i.line[0], va, pa);

	for (left = reply->fetched; left; left &= left - 1) {
		u64 then = reply->asked;

		i = __builtin_ctz(left);
		if (i <= MONT_FETCHED_AT_L1I_RAB_HIT)
			then = at;
		else if (i >= MONT_FETCHED_AT_ISB_FIRST && i <= MONT_FETCHED_AT_ISB_PFTCH_SECOND)
			then = reply->isb[(i - MONT_FETCHED_AT_ISB_FIRST) & 1];
		mont_signal_at(t, MONT_SIG_FETCHED_FIRST + i, va, then + 1);
	}
	if (mont_reply_any(reply))
		mont_account_reply(t, reply, NULL);
	if (unlikely(reply->rab)) {
		mont_account_queue(t, MONT_QUEUE_RAB_FULL, reply->rab_full[0], reply->rab_full[1]);
		for (i = 0; i < 2; i++)
			mont_account_queue(t, MONT_QUEUE_RAB_ALMOST_FULL, reply->rab_almost[i][0],
					   reply->rab_almost[i][1]);
	}
}
