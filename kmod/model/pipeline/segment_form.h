/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The formation of a group of a segment (segment.h): its bundles are fetched, its branches
 * predicted, and it waits for its operands. Included by segment_leave.h alone: a template.
 */
#ifndef MONT_PIPELINE_SEGMENT_FORM_H
#define MONT_PIPELINE_SEGMENT_FORM_H

#include "causes.h"
#include "segment_branch.h"
#include "segment_find.h"
#include "segment_note.h"
#include "wait.h"

/*
 * True if each fetch of a segment from @ip on finds its translation in the L1 ITLB, and waits for
 * nothing but its turn and prefetches, if it has its line in the L1I.
 */
static __always_inline bool segment_translates(const struct mont_thread *t,
					       const struct mont_time *time,
					       const struct segment *run, u64 ip)
{
	const struct mont_l1tlb *tlb = &time->s.l1itlb;
	const struct mont_buffer *b = &time->s.buffer;
	u64 at = b->next_fetch;

	return b->retires[b->oldest] <= at && time->s.walked <= at &&
	       time->s.h.l1i.fills.last < at && !t->fetch_uncached && (t->s.psr & MONT_PSR_IT) &&
	       tlb->page[tlb->hint[ip >> 12 & (MONT_NR_L1TLB_HINTS - 1)]] ==
		       mont_l1tlb_page(tlb, ip) &&
	       mont_signal_has_room(t, MONT_SIG_L1I_READ, 2 * run->most);
}

/* True if a fetch also has no prefetches to wait for: mont_front_fetch_hit(). */
static __always_inline bool segment_streams(const struct mont_thread *t,
					    const struct mont_time *time, const struct segment *run,
					    u64 ip)
{
	return !mont_prefetch_busy(&time->s.prefetch) && segment_translates(t, time, run, ip);
}

/*
 * segment_fetch() of a pair that may meet anything; if it @misses, the L1I does not serve it.
 * False: it has been fetched, and a counter has overflowed, or a miss of the L3 may end the
 * thread's turn: timed_run_group() looks at that, and forms the group again.
 */
static noinline bool segment_fetch_any(struct mont_thread *t, struct mont_time *time,
				       struct segment *run, u64 ip, u64 pa, const u8 which,
				       bool misses, u64 *ready)
{
	u64 at = time->s.buffer.next_fetch;

	t->clock = run->now;
	if (!misses && mont_front_fetch_hit(t, time, ip, pa, ready)) {
		segment_note_fetch(run, &t->pkg->groups->memo, which, at);
		return true;
	}
	if (t->pmu.fetches) {
		segment_settle(t, run);
		segment_pass(t, run, run->now);
		t->sig_slot = t->s.slot;
	}
	*ready = mont_front_fetch(t, ip, pa);
	if (mont_buffer_is_plain(&time->s.buffer, ip, at))
		segment_note_fetch(run, &t->pkg->groups->memo, which, at);
	else
		segment_unknown(run, SEGMENT_CHANCE);
	return !t->attn;
}

/*
 * mont_front_ready() in the cycle of the present group; *@streams: as of segment_streams(), as long
 * as it holds. False: the group is to be run by itself.
 */
static __always_inline bool segment_fetch(struct mont_thread *t, struct mont_time *time,
					  struct segment *run, u64 ip, const u8 which,
					  bool *streams, u64 *ready, const bool notes)
{
	struct mont_buffer *b = &time->s.buffer;
	struct mont_l1tlb *tlb = &time->s.l1itlb;
	u64 at, pa;

	if (mont_buffer_has(b, ip, ready))
		return true;
	at = b->next_fetch;
	pa = t->fetch_pa | (ip & 0xff0);
	if (unlikely(!*streams || at >= time->s.threads.next ||
		     !mont_l1i_serves(&time->s.h, pa, at))) {
		u64 any;
		bool fetched = segment_fetch_any(t, time, run, ip, pa, which, *streams, &any);

		*ready = any;
		*streams = segment_streams(t, time, run, ip);
		return fetched;
	}
	t->countdown[0][MONT_SIG_L1I_READ].left--;
	tlb->used[tlb->hint[ip >> 12 & (MONT_NR_L1TLB_HINTS - 1)]] = ++tlb->uses;
	*ready = mont_buffer_fetch(b, ip, at, at, at);
	mont_buffer_count(b, run->now);
	if (notes)
		segment_note_fetch(run, &t->pkg->groups->memo, which, at);
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
	segment_note_stall(run, &t->pkg->groups->memo, stall, true);
	if (unlikely(end >= stop || !mont_stall_pass_unseen(t, stall, end)))
		return false;
	segment_note_stall(run, &t->pkg->groups->memo, stall, false);
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
	segment_note_wait(run, &t->pkg->groups->memo, cause, end, n);
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
 * run->guess. False: it is to be predicted as others are.
 */
static __always_inline bool segment_guess(const struct mont_thread *t, const struct mont_time *time,
					  struct segment *run, const struct mont_straight *s, u32 i,
					  u64 ip, const bool notes)
{
	const u8 which = i ? MONT_IN_SECOND : MONT_IN_FIRST;

	/* Only a lone branch is known to be in the last entry, which may hold no operation. */
	if (unlikely(run->formed || !(s->lone & which) ||
		     ((s->pairs & which) && segment_guess_first(time, s, i, ip)) ||
		     !segment_guess_lone(t, time, segment_last(s, i), ip, run->since,
					 &run->guess[i]))) {
		segment_unknown(run, SEGMENT_ALWAYS);
		return false;
	}
	if (notes)
		run->group.predicted |= 1u << i;
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
		return unlikely(one && !segment_ends_page(ip))
			       ? segment_make_group(t, run, s->id ^ MONT_ONE_OR_TWO, 2)
			       : s;
	mont_front_cut(t, ip);
	return one ? s : segment_one(t, run, s->id);
}

/*
 * The first bundle of the group of @s, at @ip, has branches. Return: what is kept of the group,
 * which has one bundle if one of them is predicted to be taken, else two; NULL: it is not plain.
 */
static __always_inline struct mont_straight *
segment_predict(struct mont_thread *t, struct mont_time *time, struct segment *run,
		struct mont_straight *s, u64 ip, const bool notes)
{
	struct mont_window *w = run->w;
	u32 taken;

	if (likely(segment_guess(t, time, run, s, 0, ip, notes)))
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
						   const struct mont_straight *s, u64 ip,
						   const bool notes)
{
	if (unlikely(!segment_guess(t, time, run, s, 1, ip + 16, notes))) {
		segment_open(t, run, s, ip);
		mont_window_branches_behind(t, run->w, run->since);
		return;
	}
	if (run->guess[1])
		mont_front_cut(t, ip + 16);
}

/*
 * The group of @s, of two bundles, has one: the second has not been fetched. Return: what is kept
 * of that group. NULL: it is not plain.
 */
static noinline struct mont_straight *segment_take_one(struct mont_thread *t, struct segment *run,
						       const struct mont_straight *s)
{
	struct mont_straight *one = segment_one(t, run, s->id);

	if (one && run->formed) {
		run->w->nr = 1;
		run->w->g = one->g;
	}
	return one;
}

/*
 * The bundles of the group of *@s, at @ip and @pa, are fetched and its branches predicted, which
 * may make it another one. False: the segment ends in front of it.
 */
static __always_inline bool segment_form(struct mont_thread *t, struct mont_time *time,
					 struct segment *run, struct mont_straight **s, u64 ip,
					 bool *streams, const bool notes)
{
	u64 now = run->since, ready, second;

	if (unlikely(!segment_fetch(t, time, run, ip, 1, streams, &ready, notes)))
		return false;
	if (unlikely(ready > now))
		mont_stall_until(&t->own.s.stall, MONT_CAUSE_FE, ready);
	if ((*s)->branches & MONT_IN_FIRST) {
		*s = segment_predict(t, time, run, *s, ip, notes);
		if (unlikely(!*s))
			return false;
		if (!(*s)->g->tag[1])
			return true;
	}
	if (ip & 16) {
		if (unlikely(segment_ends_page(ip)))
			return true;
		if (unlikely(!segment_fetch(t, time, run, ip + 16, 2, streams, &second, notes)))
			return false;
		/* The first bundle makes a group of its own. */
		if (unlikely(second > ready && second > now)) {
			*s = segment_take_one(t, run, *s);
			return *s;
		}
		/* Fetch drops the other bundle of the pair in any case: as mont_window_form(). */
		if (((*s)->branches & MONT_BEHIND) &&
		    (((*s)->branches & MONT_IN_SECOND) || time->s.buffer.cut != ip + 16))
			segment_predict_second(t, time, run, *s, ip, notes);
		return true;
	}
	if ((*s)->branches & MONT_IN_SECOND)
		segment_predict_second(t, time, run, *s, ip, notes);
	return true;
}

#endif
