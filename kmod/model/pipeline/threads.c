// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads on one core: urgency, switch events and the switch (manual 2.4.1).
 */
#include "threads.h"
#include "causes.h"
#include "front_end.h"
#include "../event/raise.h"
#include "../event/trace.h"
#include "../pal/pal.h"
#include "../pmu/late.h"
#include "../pmu/pmu.h"

#define NEVER ~0ULL

void mont_threads_init(struct mont_threads *s, u32 nr)
{
	u32 i;

	*s = (struct mont_threads){ .next = nr > 1 ? 0 : NEVER };
	for (i = 0; i < nr; i++)
		s->urgency[i] = MONT_URGENCY_NOMINAL;
}

/* Cycles of quanta that thread @i has had, or has left, are at most @most. */
static bool threads_shares_valid(const struct mont_threads *s, u32 i, u64 most)
{
	return s->left[i] <= most && s->had[i][0] <= most && s->had[i][1] <= most;
}

bool mont_threads_valid(const struct mont_threads *s, u32 nr)
{
	u32 i;

	if (s->front >= nr || s->nr > (nr > 1 ? MONT_NR_L3_EVENTS : 0) ||
	    s->wanted >= MONT_NR_SWITCHES || s->gated > 1 ||
	    (!s->wanted && (s->gated || s->stalled)) ||
	    (nr == 1 && (s->next != NEVER || s->fetches)))
		return false;
	for (i = 0; i < MONT_MAX_THREADS; i++)
		if (s->urgency[i] > (i < nr ? MONT_URGENCY_MOST : 0) ||
		    !threads_shares_valid(s, i, nr > 1 ? MONT_MOST_thread_quantum : 0))
			return false;
	for (i = 0; i < s->nr; i++)
		if (s->event[i].thread >= nr || s->event[i].back > 1 ||
		    (i && s->event[i].at < s->event[i - 1].at))
			return false;
	return true;
}

/* The one of @t and @other that PAL_SET_HW_POLICY favours (2.4.2); NULL: neither. */
static struct mont_thread *threads_favoured(struct mont_thread *t, struct mont_thread *other)
{
	if (t->s.hw_policy >= MONT_POLICY_HIGH_PRIORITY)
		return t;
	return other->s.hw_policy >= MONT_POLICY_HIGH_PRIORITY ? other : NULL;
}

/* Cycles after which the other thread of the core has its turn; where that is favoured, fewer. */
static u64 threads_quantum(const struct mont_thread *t, const struct mont_thread *favoured)
{
	const struct mont_timing *timing = &t->core->time->s.h.timing;
	u64 quantum = timing->thread_quantum;

	return favoured && favoured != t ? quantum / timing->thread_divisor : quantum;
}

/* True if @t and @other share their core by fairness: that call sets the policy of both. */
static bool threads_fair(const struct mont_thread *t, const struct mont_thread *other)
{
	return t->s.hw_policy == MONT_POLICY_FAIRNESS && other->s.hw_policy == MONT_POLICY_FAIRNESS;
}

/* Where thread.quantum has been changed, a count of the quantum before may be the most there is. */
static void threads_add(u64 *had, u64 cycles)
{
	*had += cycles;
	if (*had > MONT_MOST_thread_quantum)
		*had = MONT_MOST_thread_quantum;
}

/* Count the cycles up to @now for the thread in front, by quanta of @quantum cycles of the clock. */
static void threads_count(struct mont_threads *s, u64 quantum, u64 now)
{
	u64 first = now - now % quantum, last = s->counted;
	u32 i;

	if (last < first) {
		bool follows = last + quantum >= first;

		for (i = 0; i < MONT_MAX_THREADS; i++) {
			s->had[i][1] = follows ? s->had[i][0] : 0;
			s->had[i][0] = 0;
		}
		threads_add(&s->had[s->front][1], follows ? first - last : quantum);
		last = first;
	}
	if (last < now)
		threads_add(&s->had[s->front][0], now - last);
	s->counted = now;
}

/* True if @t, in front, has had more than half of the last two quanta of @quantum cycles. */
static bool threads_had_most(struct mont_threads *s, const struct mont_thread *t, u64 quantum)
{
	threads_count(s, quantum, t->clock);
	return 2 * (s->had[t->number][0] + s->had[t->number][1]) > quantum + t->clock % quantum;
}

/* True if a request of @t that has missed the L3 is on its way. */
static bool threads_waits(const struct mont_threads *s, const struct mont_thread *t)
{
	u32 i;

	for (i = 0; i < s->nr; i++)
		if (s->event[i].thread == t->number && s->event[i].back)
			return true;
	return false;
}

/*
 * The switch that the events of this cycle ask for: @l3, @timeout and @hinted. A thread that is
 * favoured hands the core over while it waits for memory, by a hint unless it has the core for
 * itself, and by low power. By fairness a thread that has had most of the core yields to an event
 * of its own whatever the urgencies.
 */
static enum mont_switch threads_why(struct mont_threads *s, const struct mont_thread *t,
				    const struct mont_thread *other, struct mont_l3_events l3,
				    bool timeout, bool hinted)
{
	u64 quantum = t->core->time->s.h.timing.thread_quantum;
	bool first = t->s.hw_policy >= MONT_POLICY_HIGH_PRIORITY, waits;

	if (t->s.halted)
		return MONT_SWITCH_LP;
	if (other->s.hw_policy >= MONT_POLICY_HIGH_PRIORITY && (l3.back >> other->number & 1))
		return MONT_SWITCH_L3MISS;
	waits = !first || threads_waits(s, t);
	if (l3.of && waits && s->urgency[t->number] < s->urgency[other->number])
		return MONT_SWITCH_L3MISS;
	if ((l3.of >> t->number & 1) && threads_fair(t, other) && threads_had_most(s, t, quantum))
		return MONT_SWITCH_L3MISS;
	if (timeout && !first)
		return MONT_SWITCH_TIMER;
	if (hinted && (waits || t->s.hw_policy != MONT_POLICY_EXCLUSIVE))
		return MONT_SWITCH_HINT;
	return MONT_SWITCH_NONE;
}

/* An external interrupt for the thread in the background makes that urgent (2.4.1.3). */
static void threads_take_interrupts(struct mont_threads *s, struct mont_thread *t,
				    struct mont_thread *other)
{
	u8 *urgency = &s->urgency[other->number];

	if (other->own.s.called && *urgency < MONT_URGENCY_INTERRUPT)
		*urgency = MONT_URGENCY_INTERRUPT;
	other->own.s.called = 0;
	t->own.s.called = 0;
}

/* Reasons that hold a switch back, and that stall one that has been taken. */
enum threads_gate { GATE_NONE, GATE_FWDPRO, GATE_PIPE, GATE_CRAB, GATE_L2D };

/*
 * The switch has to wait for the first group of a thread that has come to the front, or for
 * the end of an operation that cannot be left. A time-out ends the wait for a group, which may
 * never come where each one faults.
 */
static enum threads_gate threads_gate(const struct mont_threads *s, const struct mont_thread *t)
{
	const u64 *cr = &t->own.s.results.at[mont_result_place[MONT_FILE_CR]];

	if (s->wanted == MONT_SWITCH_LP)
		return GATE_NONE;
	if (t->own.s.rse.again || t->inside || (t->s.ndirty < 0 && !t->s.frame_held) ||
	    t->s.mmio.stage)
		return GATE_PIPE;
	if (s->wanted != MONT_SWITCH_TIMER && t->s.insns == s->insns)
		return GATE_FWDPRO;
	if (*cr >> MONT_RESULT_CYCLE > t->clock)
		return GATE_CRAB;
	return t->own.s.held > t->clock ? GATE_L2D : GATE_NONE;
}

/* The switch that is wanted waits for @gate in the next cycle. */
static void threads_wait(struct mont_threads *s, struct mont_thread *t, enum threads_gate gate)
{
	static const u16 cycle[] = {
		[GATE_FWDPRO] = MONT_SIG_SWITCH_GATED_CYCLE,
		[GATE_PIPE] = MONT_SIG_SWITCH_GATED_CYCLE,
		[GATE_CRAB] = MONT_SIG_SWITCH_CRAB,
		[GATE_L2D] = MONT_SIG_SWITCH_L2D,
	};

	mont_signal_at(t, cycle[gate], 0, t->clock + 1);
	if (gate >= GATE_CRAB) {
		s->stalled++;
	} else if (!s->gated) {
		s->gated = 1;
		mont_signal(t,
			    gate == GATE_PIPE ? MONT_SIG_SWITCH_GATED_PIPE
					      : MONT_SIG_SWITCH_GATED_FWDPRO,
			    0);
	}
}

/* The next @cycles are those of a switch. */
static void threads_passing(struct mont_thread *t, u64 cycles)
{
	u64 n;

	for (n = 1; n <= cycles; n++)
		mont_signal_at(t, MONT_SIG_SWITCH_PASSING, 0, t->clock + n);
}

/* The next deadline of the core of @t. */
static void threads_plan(struct mont_threads *s, struct mont_thread *t, u64 now)
{
	s->next = s->quantum;
	mont_calendar_come_at(s, mont_late_next(t));
	if (s->nr)
		mont_calendar_come_at(s, s->event[0].at);
	if (s->wanted)
		mont_calendar_come_at(s, now + 1);
}

/* The switch @why is wanted from now on, or none. */
static void threads_want(struct mont_threads *s, enum mont_switch why)
{
	s->wanted = why;
	s->gated = 0;
	s->stalled = 0;
}

/* @t leaves the front in favour of the other thread: its pipe is emptied (2.4.1). */
static void threads_leave(struct mont_threads *s, struct mont_thread *t)
{
	const struct mont_timing *timing = &t->time->s.h.timing;
	struct mont_thread_time *own = &t->own;
	u64 now = t->clock, before;

	mont_signal(t, MONT_SIG_SWITCHES_FIRST + s->wanted, 0);
	mont_signal(t, MONT_SIG_SWITCH_STALLED, s->stalled);
	s->left[t->number] = 0;
	if (s->wanted != MONT_SWITCH_TIMER && s->quantum > now)
		s->left[t->number] = s->quantum - now;
	if (s->wanted == MONT_SWITCH_TIMER && own->s.since == MONT_NOT_FORMED)
		s->urgency[t->number] = MONT_URGENCY_MOST;
	if (own->s.since != MONT_NOT_FORMED)
		mont_stall_trace(t, &own->s.stall, own->s.since, now, NULL);
	/* The other thread's front end takes the rest, from its first fetch on. */
	before = timing->thread_switch > timing->flush ? timing->thread_switch - timing->flush : 1;
	s->fetches = now + before;
	threads_want(s, MONT_SWITCH_NONE);
	threads_passing(t, before);
	mont_front_flush(t, now, s->fetches);
	t->time->s.prefetch = (struct mont_prefetch){ 0 };
	t->time->s.wrong = (struct mont_wrong){ 0 };
	if (t->attn & MONT_ATTN_GROUP)
		mont_group_end(t);
	own->s.stall.causes &= MONT_CAUSES_L1D;
	mont_stall_until(&own->s.stall, MONT_CAUSE_SWITCH, s->fetches);
	own->s.rse.again = 0;
	own->s.since = MONT_NOT_FORMED;
	own->s.next_ip = ~0ULL;
	own->s.next_slot = 0;
	own->s.split = MONT_LOST_MLX;
}

void mont_threads_look(struct mont_thread *t, struct mont_thread *other)
{
	struct mont_threads *s = &t->time->s.threads;
	u64 now = t->clock;
	bool hinted = t->own.s.paused, timeout = now >= s->quantum;
	struct mont_l3_events l3 = mont_calendar_deliver(s, now);
	enum mont_switch why;
	enum threads_gate gate;

	t->own.s.paused = 0;
	threads_take_interrupts(s, t, other);
	if (timeout)
		s->quantum = now + threads_quantum(t, threads_favoured(t, other));
	why = threads_why(s, t, other, l3, timeout, hinted);
	if (other->s.halted) {
		/* There is nothing to switch to. */
		if (why && !t->s.halted)
			mont_signal(t, MONT_SIG_SWITCH_GATED_LP, 0);
		threads_want(s, MONT_SWITCH_NONE);
		threads_plan(s, t, now);
		return;
	}
	if (why && s->wanted)
		s->wanted = why;
	else if (why)
		threads_want(s, why);
	if (l3.of && !s->wanted)
		mont_signal(t, MONT_SIG_SWITCH_MISSED, 0);
	if (s->wanted) {
		gate = threads_gate(s, t);
		if (gate)
			threads_wait(s, t, gate);
		else
			threads_leave(s, t);
	}
	threads_plan(s, t, now);
}

bool mont_threads_pass(struct mont_thread *t, u64 end)
{
	u64 fetches = t->time->s.threads.fetches;

	if (end > fetches)
		end = fetches;
	/* Up to the other thread's first fetch the instruction buffer is empty. */
	t->time->offer = (struct mont_offer){ { fetches, fetches } };
	if (t->clock < end)
		(void)mont_cycles_pass(t, &t->own.s.stall, end);
	return t->clock >= fetches;
}

void mont_threads_enter(struct mont_thread *t)
{
	struct mont_time_state *time = &t->core->time->s;
	struct mont_threads *s = &time->threads;
	struct mont_thread *last = t->core->thread[s->front];
	struct mont_thread *other = t->core->thread[t->number ^ 1];
	u64 tag = mont_l1tlb_tag(t->number);
	u64 quantum = threads_quantum(t, threads_favoured(t, other)), *left = &s->left[t->number];

	/* Holds of the L1D's pipe are the thread's, and are there when that comes back. */
	last->own.s.stall.causes &= MONT_CAUSES_L1D;
	last->own.s.order = time->h.order;
	time->h.order = t->own.s.order;
	time->l1dtlb.tag = tag;
	time->l1itlb.tag = tag;
	time->h.front = t->number;
	threads_count(s, time->h.timing.thread_quantum, t->clock);
	s->front = t->number;
	if (s->fetches) {
		threads_passing(t, time->h.timing.flush);
		mont_stall_until(&t->own.s.stall, MONT_CAUSE_SWITCH, t->clock);
	}
	s->fetches = 0;
	threads_want(s, MONT_SWITCH_NONE);
	s->insns = t->s.insns;
	/* A thread that leaves low power begins with the nominal urgency. */
	if (last->s.halted)
		s->urgency[last->number] = MONT_URGENCY_NOMINAL;
	/* By fairness a quantum counts the thread's own cycles alone: it goes on. */
	if (*left && *left < quantum && threads_fair(t, other))
		quantum = *left;
	*left = 0;
	s->quantum = t->clock + quantum;
	threads_plan(s, t, t->clock);
}

void mont_threads_come_back(struct mont_thread *t)
{
	struct mont_threads *s = &t->core->time->s.threads;

	__builtin_memset(s->left, 0, sizeof(s->left));
	__builtin_memset(s->had, 0, sizeof(s->had));
	s->counted = t->clock;
	mont_threads_enter(t);
	/* Nor is it known if a thread has left low power, which gives it the nominal urgency. */
	__builtin_memset(s->urgency, MONT_URGENCY_NOMINAL, t->pkg->cfg.threads);
}
