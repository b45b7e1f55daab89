/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Segments: groups, one behind the other and along branches, whose cycles, counts and IP are put in
 * place once, where the segment ends.
 *
 * struct mont_straight is worked out with each group: all that a segment needs, and the group
 * behind (segment_find.h). Each group is fetched, predicted, waits and issues in its own cycle, as
 * others do; its instructions execute in segment_issue.h. Left out is what only a subscriber, an
 * interrupt or a fault could see between two groups:
 *
 * - A segment begins only where every counter has room for all that its groups can count, so
 *   that none overflows in it (segment_has_room()).
 * - No group of it begins in the cycle of the next event or behind it: @deadline of the clock,
 *   or the last cycle before a counter of cycles overflows.
 * - All in front of an instruction that shows more than its results is put in place first, and so
 *   it is in front of a branch to another page. The segment goes on behind the group if no work is
 *   pending then.
 * - What is not as expected is left before it has done anything, and the group is run by itself:
 *   at a stall that must be looked at, and where a counter overflows as the group is fetched.
 * - It ends behind a return that has changed the level, which changes what is counted.
 *
 * Included by timed.c alone: a template.
 */
#ifndef MONT_PIPELINE_SEGMENT_H
#define MONT_PIPELINE_SEGMENT_H

#include "causes.h"
#include "segment_find.h"
#include "segment_issue.h"
#include "wait.h"
#include "wrong_path.h"
#include "../mmu/fetch.h"
#include "../platform/interrupts.h"

/* Groups that surely retire before a counter of instructions that retire must be looked at. */
static __always_inline u64 segment_groups(const struct mont_thread *t)
{
	return (u64)t->countdown[0][MONT_SIG_INST_RETIRED].left / GROUP_INSNS;
}

/*
 * True if no counter of what the instructions of a segment do overflows in it; the segment ends in
 * front of an overflow of those that retire, as segment_groups() says.
 */
static __always_inline bool segment_has_room(const struct mont_thread *t)
{
	return mont_signal_has_room(t, MONT_SIG_CYCLE, SEGMENT_FEWEST) &&
	       mont_signal_has_room(t, MONT_SIG_INST_RETIRED, SEGMENT_FEWEST * GROUP_INSNS) &&
	       mont_signal_has_room(t, MONT_SIG_NOP_RETIRED, SEGMENT_INSNS) &&
	       mont_signal_has_room(t, MONT_SIG_PRED_SQUASHED, SEGMENT_INSNS) &&
	       mont_signal_has_room(t, MONT_SIG_LOAD_RETIRED, SEGMENT_INSNS) &&
	       mont_signal_has_room(t, MONT_SIG_FP_OPS, 4 * SEGMENT_INSNS) &&
	       mont_signal_has_room(t, MONT_SIG_FP_FLUSHED, 4 * SEGMENT_INSNS);
}

/* True if a segment may begin at IP. */
static __always_inline bool segment_may_begin(const struct mont_thread *t)
{
	return segment_has_room(t) && !t->own.s.rse.again && !t->pmu.apart;
}

/*
 * True if each fetch of a segment from @ip on finds its translation in the L1 ITLB and waits for
 * nothing but its turn, if it has its line in the L1I: mont_front_fetch_hit().
 */
static __always_inline bool segment_streams(const struct mont_thread *t,
					    const struct mont_time *time, u64 ip)
{
	const struct mont_l1tlb *tlb = &time->s.l1itlb;
	const struct mont_buffer *b = &time->s.buffer;
	u64 at = b->next_fetch;

	return !mont_prefetch_busy(&time->s.prefetch) && b->retires[b->oldest] <= at &&
	       time->s.walked <= at && time->s.h.l1i.fills.last < at && !t->fetch_uncached &&
	       (t->s.psr & MONT_PSR_IT) &&
	       tlb->page[tlb->hint[ip >> 12 & (MONT_NR_L1TLB_HINTS - 1)]] ==
		       mont_l1tlb_page(tlb, ip) &&
	       mont_signal_has_room(t, MONT_SIG_L1I_READ, 2 * SEGMENT_GROUPS);
}

/*
 * segment_fetch() of a pair that may meet anything. False: it has been fetched, and a counter has
 * overflowed, or a miss of the L3 may end the thread's turn: timed_run_group() looks at that, and
 * forms the group again.
 */
static noinline bool segment_fetch_any(struct mont_thread *t, struct mont_time *time,
				       struct segment *run, u64 ip, u64 pa, u64 *ready)
{
	t->clock = run->now;
	if (mont_front_fetch_hit(t, time, ip, pa, ready))
		return true;
	if (t->pmu.fetches) {
		segment_settle(t, run);
		segment_pass(t, run, run->now);
		t->sig_slot = t->s.slot;
	}
	*ready = mont_front_fetch(t, ip, pa);
	return !t->attn;
}

/*
 * mont_front_ready() in the cycle of the present group; *@streams: as of segment_streams(), as long
 * as it holds. False: the group is to be run by itself.
 */
static __always_inline bool segment_fetch(struct mont_thread *t, struct mont_time *time,
					  struct segment *run, u64 ip, bool *streams, u64 *ready)
{
	struct mont_buffer *b = &time->s.buffer;
	struct mont_l1tlb *tlb = &time->s.l1itlb;
	u64 at, pa;

	if (mont_buffer_has(b, ip, ready))
		return true;
	at = b->next_fetch;
	pa = t->fetch_pa | (ip & 0xff0);
	if (unlikely(!*streams || at >= time->s.threads.next ||
		     !mont_l1i_recent(&time->s.h, pa, at))) {
		bool fetched = segment_fetch_any(t, time, run, ip, pa, ready);

		*streams = segment_streams(t, time, ip);
		return fetched;
	}
	t->countdown[0][MONT_SIG_L1I_READ].left--;
	tlb->used[tlb->hint[ip >> 12 & (MONT_NR_L1TLB_HINTS - 1)]] = ++tlb->uses;
	*ready = mont_buffer_fetch(b, ip, at, at, at);
	mont_buffer_count(b, run->now);
	return true;
}

/* The stall of the group of @s, at @ip, passes as outside of segments; else segment_wait(). */
static noinline bool segment_wait_any(struct mont_thread *t, struct segment *run,
				      const struct mont_straight *s, u64 ip, u64 stop)
{
	struct mont_stall *stall = &t->own.s.stall;
	u64 end;

	/* The causes of a stall of which some has passed are known. */
	if (likely(t->own.s.since == MONT_NOT_FORMED)) {
		if (!run->formed)
			segment_window(run->w, s, ip);
		mont_window_wait(t, run->w, run->since);
		if (!stall->causes)
			return true;
	}
	segment_pass(t, run, run->now);
	end = mont_stall_end(stall, run->now);
	if (unlikely(end >= stop || !mont_stall_pass_unseen(t, stall, end)))
		return false;
	stall->causes = 0;
	t->own.s.since = MONT_NOT_FORMED;
	run->counted = t->clock;
	run->now = t->clock;
	return true;
}

/*
 * Uses from @u up to @last whose results are at @at by number as written, renamed by @map, or by
 * number without a map: each that is late in cycle @now has the cause *@cause, and *@end becomes
 * the last cycle in which one is ready. *@end is 0 without one. False: they must be looked at.
 */
static __always_inline bool segment_wait_for(const struct mont_thread *t, const struct mont_use *u,
					     const struct mont_use *last, const u64 *at,
					     const u8 *map, u64 now, u32 *cause, u64 *end)
{
	u64 past = (now + 1) << MONT_RESULT_CYCLE;

	for (; u < last; u++) {
		u64 result = at[map ? map[u->nr] : u->nr], ready;
		enum mont_producer producer;
		u32 why;

		if (likely(result < past))
			continue;
		ready = mont_result_ready(result, u->as);
		if (ready <= now || (u->qp && !mont_pr(t, u->qp)))
			continue;
		producer = mont_produced_by(result);
		why = mont_use_cause[u->kind][producer];
		if (unlikely((*end && why != *cause) || (producer == MONT_PRODUCER_MULTIMEDIA &&
							 u->as == MONT_CONSUMER_ADDRESS)))
			return false;
		*cause = why;
		if (*end < ready)
			*end = ready;
	}
	return true;
}

/*
 * Find what the group of @s waits for in cycle @now, and up to *@end, where that is one cause;
 * *@end: 0: for nothing. False: its operands must be looked at as outside of segments.
 */
static __always_inline bool segment_wait_one(const struct mont_thread *t,
					     const struct mont_straight *s, u64 now, u32 *cause,
					     u64 *end)
{
	const struct mont_uses *uses = &s->g->uses;
	const u64 *at = t->own.s.results.at;
	const struct mont_use *u = uses->use;

	*end = 0;
	if (unlikely(uses->many) ||
	    unlikely(!segment_wait_for(t, u, u + uses->end[0], at, t->grmap, now, cause, end)))
		return false;
	if (uses->end[3] == uses->end[0])
		return true;
	return segment_wait_for(t, u + uses->end[0], u + uses->end[1], at + 128,
				t->own.map.of[MONT_FILE_FR], now, cause, end) &&
	       segment_wait_for(t, u + uses->end[1], u + uses->end[2], at + MONT_RESULT_PR,
				t->own.map.of[MONT_FILE_PR], now, cause, end) &&
	       segment_wait_for(t, u + uses->end[2], u + uses->end[3], at + MONT_USE_FIXED, NULL,
				now, cause, end);
}

/*
 * The group of @s, at @ip, whose bundles are ready, waits for its operands in the cycle run->now,
 * which becomes that of its issue. False: its stall does not end before cycle @stop, or must be
 * looked at, and has not passed.
 *
 * As mont_stall_pass_unseen(), but that cycles of a segment are counted behind it.
 */
static noinline bool segment_wait(struct mont_thread *t, struct segment *run,
				  const struct mont_straight *s, u64 ip, u64 stop)
{
	struct mont_stall *stall = &t->own.s.stall;
	enum mont_signal sig;
	u32 cause = 0;
	u64 end, n;

	if (unlikely(stall->causes || !segment_wait_one(t, s, run->now, &cause, &end)))
		return segment_wait_any(t, run, s, ip, stop);
	if (!end)
		return true;
	if (unlikely(end >= stop)) {
		mont_stall_until(stall, cause, end);
		return false;
	}
	n = end - run->now;
	sig = mont_cause_signal[cause];
	if (unlikely(t->pmu.live || t->attn || !mont_signal_has_room(t, sig, n) ||
		     !mont_signal_has_room(t, MONT_SIG_BUBBLE, n)))
		return segment_wait_any(t, run, s, ip, stop);
	stall->until[cause] = end;
	t->countdown[0][sig].left -= n;
	t->countdown[0][MONT_SIG_BUBBLE].left -= n;
	stall->spent[cause] += n;
	run->now = end;
	mont_buffer_count(&t->time->s.buffer, end);
	if (unlikely(mont_occupied(&t->time->s.h.occupancy))) {
		t->clock = end;
		mont_account_queues(t);
	}
	mont_work(t, MONT_WORK_CYCLES);
	return true;
}

/*
 * Predict the lone branch of bundle @i, at @ip, of the group of @s, which needs no window:
 * *@guess. False: it is to be predicted as others are.
 */
static __always_inline bool segment_guess(const struct mont_thread *t, const struct mont_time *time,
					  const struct segment *run, const struct mont_straight *s,
					  u32 i, u64 ip, bool *guess)
{
	const struct mont_uop *u = segment_last(s, i);
	struct mont_branch_at at;
	bool asked;
	u8 kind;

	/* Only a lone branch is known to be in the last entry, which may hold no operation. */
	if (unlikely(run->formed || !(s->lone & (i ? MONT_IN_SECOND : MONT_IN_FIRST))))
		return false;
	kind = mont_branch_kind[mont_op(u)];
	at = mont_branch_lone_at(ip, u, kind);
	if (kind == MONT_KIND_LOOP)
		return mont_branch_loop_guess(t, u, run->since, guess);
	*guess = mont_branch_direction(&time->s.predictor, &at, &asked);
	return true;
}

/*
 * The group of @s has one bundle where @taken is true of a branch of its first, else two: what is
 * kept of that group. NULL: it is not plain.
 */
static __always_inline struct mont_straight *
segment_cut(struct mont_thread *t, struct segment *run, struct mont_straight *s, u64 ip, bool taken)
{
	bool one = !s->g->tag[1];

	if (!taken)
		return unlikely(one) ? segment_make_group(t, run, s->id ^ MONT_ONE_OR_TWO, 2) : s;
	mont_front_cut(t, ip);
	return one ? s : segment_one(t, run, s->id);
}

/*
 * The first bundle of the group of @s, at @ip, has branches. Return: what is kept of the group,
 * which has one bundle if one of them is predicted to be taken, else two; NULL: it is not plain.
 */
static __always_inline struct mont_straight *segment_predict(struct mont_thread *t,
							     struct mont_time *time,
							     struct segment *run,
							     struct mont_straight *s, u64 ip)
{
	struct mont_window *w = run->w;
	u32 taken;

	if (likely(segment_guess(t, time, run, s, 0, ip, &run->guess[0])))
		return segment_cut(t, run, s, ip, run->guess[0]);
	segment_open(t, run, s, ip);
	taken = mont_branches_predict(t, w->ip, w->b, w->from, run->since, w->branch);
	s = segment_cut(t, run, s, ip, taken < 3);
	if (unlikely(!s))
		return NULL;
	if (taken < 3)
		w->taken = taken;
	w->nr = s->g->tag[1] ? 2 : 1;
	w->g = s->g;
	return s;
}

/* The second bundle of the group of @s, at @ip, has branches, which fetch has to be told of. */
static __always_inline void segment_predict_second(struct mont_thread *t, struct mont_time *time,
						   struct segment *run,
						   const struct mont_straight *s, u64 ip)
{
	if (unlikely(!segment_guess(t, time, run, s, 1, ip + 16, &run->guess[1]))) {
		segment_open(t, run, s, ip);
		mont_window_branches_behind(t, run->w, run->since);
		return;
	}
	if (run->guess[1])
		mont_front_cut(t, ip + 16);
}

/*
 * The group of *@s, of two bundles, has one: the second has not been fetched. False: that group is
 * not plain.
 */
static noinline bool segment_take_one(struct mont_thread *t, struct segment *run,
				      struct mont_straight **s)
{
	*s = segment_one(t, run, (*s)->id);
	if (*s && run->formed) {
		run->w->nr = 1;
		run->w->g = (*s)->g;
	}
	return *s;
}

/*
 * The bundles of the group of *@s, at @ip and @pa, are fetched and its branches predicted, which
 * may make it another one. False: the segment ends in front of it.
 */
static __always_inline bool segment_form(struct mont_thread *t, struct mont_time *time,
					 struct segment *run, struct mont_straight **s, u64 ip,
					 bool *streams)
{
	u64 now = run->since, ready, second;

	if (unlikely(!segment_fetch(t, time, run, ip, streams, &ready)))
		return false;
	if (unlikely(ready > now))
		mont_stall_until(&t->own.s.stall, MONT_CAUSE_FE, ready);
	if ((*s)->branches & MONT_IN_FIRST) {
		*s = segment_predict(t, time, run, *s, ip);
		if (unlikely(!*s))
			return false;
		if (!(*s)->g->tag[1])
			return true;
	}
	if (ip & 16) {
		if (unlikely(!segment_fetch(t, time, run, ip + 16, streams, &second)))
			return false;
		/* The first bundle makes a group of its own. */
		if (unlikely(second > ready && second > now))
			return segment_take_one(t, run, s);
		/* Fetch drops the other bundle of the pair in any case: as mont_window_form(). */
		if (((*s)->branches & MONT_BEHIND) &&
		    (((*s)->branches & MONT_IN_SECOND) || time->s.buffer.cut != ip + 16))
			segment_predict_second(t, time, run, *s, ip);
		return true;
	}
	if ((*s)->branches & MONT_IN_SECOND)
		segment_predict_second(t, time, run, *s, ip);
	return true;
}

/*
 * Cycles up to @deadline pass, as the group at IP still waits then, if no subscriber must look at
 * one of them. The group is formed again behind them, as it was in the cycle in which its stall
 * has begun. False: nothing has been done.
 */
static bool segment_wait_on(struct mont_thread *t, u64 deadline)
{
	struct mont_thread_time *own = &t->own;
	struct mont_stall *stall = &own->s.stall;
	u64 now = t->clock;

	if (!stall->causes || mont_front_may_lack(t->time, t->s.ip) ||
	    mont_itm_distance(t) - 1 < deadline - now || mont_stall_end(stall, now) < deadline ||
	    !mont_stall_pass_unseen(t, stall, deadline))
		return false;
	if (own->s.since == MONT_NOT_FORMED)
		own->s.since = now;
	return true;
}

/* A branch of the group that is done was mispredicted: fetch has gone the other way. */
static noinline void segment_wrong_path(struct mont_thread *t, struct segment *run)
{
	struct mont_wrong_turn *turn = &run->w->turn;

	segment_settle(t, run);
	mont_wrong_path(t, turn, run->now);
	turn->known = false;
}

/* A branch has led to run->to, in another page: all in front of it is put in place. */
static noinline void segment_turn_page(struct mont_thread *t, struct segment *run)
{
	segment_settle(t, run);
	mont_fetch_take_known(t, run->to);
}

/* The place of the group at @ip, to which a branch has led, in the page of fetch; @id: its identity. */
static __always_inline struct mont_straight *segment_target(const struct mont_thread *t, u64 ip,
							    u64 *id)
{
	u64 pa = t->fetch_pa | (ip & 0xff0);

	*id = mont_group_id(pa, 2, 0, 0, 3);
	return &t->pkg->groups->straight[mont_group_place(pa, 0, 2)];
}

/* How a segment has ended. */
enum segment_result {
	SEGMENT_ENDED,
	SEGMENT_REFUSED, /* in front of a group that is to be run by itself */
	SEGMENT_RETURNS, /* to the host */
};

/*
 * The segment has ended in the present group, with the instruction @o of it: what is left of the
 * group is done as outside of segments.
 */
static noinline enum segment_result segment_leave(struct mont_thread *t, struct mont_time *time,
						  struct segment *run,
						  const struct mont_straight_op *o)
{
	struct mont_window *w = run->w;
	bool out;

	if (run->r == MONT_NEXT)
		out = issue_untagged(t, time, w, t->sig_bundle, segment_uop(w->b, o) + 1, run->now);
	else
		out = issue_plain_end(t, time, w, t->sig_bundle, run->r, run->now, run->before);
	if (w->turn.known)
		mont_wrong_path(t, &w->turn, run->now);
	mont_account_queues(t);
	return out ? SEGMENT_RETURNS : SEGMENT_ENDED;
}

/**
 * segment_run() - run the segment that begins at IP
 * @t: a thread for which timed_is_quiet() and segment_may_begin() hold
 * @time: its core's
 * @left: groups that may begin; those that are done are taken off
 * @deadline: of the clock: no group begins in this cycle or behind it
 *
 * Return: how it has ended.
 */
static noinline enum segment_result segment_run(struct mont_thread *t, struct mont_time *time,
						u64 *left, u64 deadline)
{
	struct mont_window w;
	struct segment run = {
		.w = &w, .now = t->clock, .counted = t->clock, .changes = t->pkg->bundle_changes
	};
	const struct mont_straight_op *o = NULL;
	u64 nr, ip = 0, stop = deadline, most = segment_groups(t);
	u64 cycles = t->countdown[0][MONT_SIG_CYCLE].left, pa = t->fetch_pa | (t->s.ip & 0xff0);
	u64 id = mont_group_id(pa, 2, t->s.slot, t->own.s.split, 3);
	struct mont_straight *s = &t->pkg->groups->straight[mont_group_place(pa, t->s.slot, 2)];
	bool streams = segment_streams(t, time, t->fetch_va), waits = false, refused = false;
	u8 cpl = t->cpl;

	if (most > SEGMENT_GROUPS)
		most = SEGMENT_GROUPS;
	if (most > *left)
		most = *left;
	if (stop - run.now > cycles)
		stop = run.now + cycles;
	w.watched = false;
	w.turn.known = false;
	run.unseen = segment_unseen(t, SEGMENT_INSNS);
	run.since = t->own.s.since == MONT_NOT_FORMED ? run.now : t->own.s.since;
	segment_rename(t, time);
	for (nr = 0; nr < most && run.now < stop; nr++) {
		s = segment_find(t, &run, s, id);
		ip = t->fetch_va | (id & 0xff0);
		run.fresh = 0;
		if (unlikely(!s || !segment_form(t, time, &run, &s, ip, &streams))) {
			refused = true;
			break;
		}
		if (t->own.s.stall.causes ||
		    (t->own.s.results.last >> MONT_RESULT_CYCLE) + s->pending > run.now) {
			if (!segment_wait(t, &run, s, ip, stop)) {
				waits = true;
				break;
			}
			/* Work is pending: the segment ends behind this group. */
			if (unlikely(t->attn))
				stop = run.now;
		}
		mont_operands_issue(&t->own.s.results, s->longest, run.now);
		run.leads = SEGMENT_NOWHERE;
		o = segment_issue(t, time, &run, s, ip);
		if (unlikely(o)) {
			/* The segment goes on where a branch has led. */
			if (run.r != MONT_TAKEN || !mont_window_step(t, &w, t->sig_bundle)->kind ||
			    t->attn || t->cpl != cpl || !mont_fetch_is_known(t, t->s.ip))
				break;
			o = NULL;
			mont_fetch_take_known(t, t->s.ip);
			run.counts = 0;
			mont_buffer_leave(&time->s.buffer, run.now);
			mont_end_group(t, &w);
			s = segment_target(t, t->s.ip, &id);
		} else {
			mont_buffer_leave_some(&time->s.buffer, s->leaves - run.retired, run.now);
			run.counts += s->counts;
			run.done = s;
			run.to = run.leads;
			if (run.to == SEGMENT_NOWHERE) {
				id = s->next;
				s = s->behind;
			} else {
				if (unlikely((run.to & ~MONT_PAGE_OFFSET) != t->fetch_va)) {
					segment_turn_page(t, &run);
					streams = segment_streams(t, time, t->fetch_va);
				}
				s = segment_target(t, run.to, &id);
				/* One more entry of the branch retirement queue is in use. */
				streams &= time->s.buffer.retires[time->s.buffer.oldest] <=
						   time->s.buffer.next_fetch &&
					   !mont_prefetch_busy(&time->s.prefetch);
				/* A return has come to a frame that lacks registers. */
				if (unlikely(t->attn))
					stop = run.now;
			}
		}
		if (unlikely(w.turn.known))
			segment_wrong_path(t, &run);
		run.now++;
		run.since = run.now;
		if (unlikely(mont_occupied(&time->s.h.occupancy))) {
			t->clock = run.now;
			mont_account_queues(t);
			/*
			 * A miss of the L3, whose request is in a queue now, may end the turn of the
			 * thread before @stop.
			 */
			if (unlikely(t->attn))
				stop = run.now;
		}
		if (run.placed) {
			if (unlikely(t->attn))
				stop = run.now;
			run.changes = t->pkg->bundle_changes;
			segment_rename(t, time);
			streams = segment_streams(t, time, t->fetch_va);
		}
	}
	*left -= nr + !!o;
	if (unlikely(o))
		return segment_leave(t, time, &run, o);
	segment_pass(t, &run, run.now);
	segment_settle(t, &run);
	if (waits)
		(void)segment_wait_on(t, deadline);
	return refused || waits ? SEGMENT_REFUSED : SEGMENT_ENDED;
}

#endif
