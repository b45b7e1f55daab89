/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Segments: groups, one behind the other and along branches, whose cycles, counts and IP are put in
 * place once, where the segment ends.
 *
 * struct mont_straight is worked out with each group: all that a segment needs, and the group
 * behind (segment_find.h). Each group is fetched, predicted and waits (segment_form.h), and issues
 * in its own cycle, as others do; its instructions execute in segment_issue.h. Groups that come
 * again in a known state of the pipeline do so along a path (segment_path.h), where that has been
 * worth it. Left out is what only a subscriber, an interrupt or a fault could see between two
 * groups:
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

#include "segment_path.h"
#include "wrong_path.h"
#include "../event/assert.h"
#include "../platform/interrupts.h"

/* Groups that surely retire before a counter of instructions that retire must be looked at. */
static __always_inline u64 segment_groups(const struct mont_thread *t)
{
	return (u64)t->countdown[0][MONT_SIG_INST_RETIRED].left / GROUP_INSNS;
}

/*
 * True if no counter of what the @insns instructions of a segment do overflows in it; it ends in
 * front of an overflow of those that retire, as segment_groups() says.
 */
static __always_inline bool segment_has_room(const struct mont_thread *t, const u32 insns)
{
	return mont_signal_has_room(t, MONT_SIG_CYCLE, SEGMENT_FEWEST) &&
	       mont_signal_has_room(t, MONT_SIG_INST_RETIRED, SEGMENT_FEWEST * GROUP_INSNS) &&
	       mont_signal_has_room(t, MONT_SIG_NOP_RETIRED, insns) &&
	       mont_signal_has_room(t, MONT_SIG_PRED_SQUASHED, insns) &&
	       mont_signal_has_room(t, MONT_SIG_LOAD_RETIRED, insns) &&
	       mont_signal_has_room(t, MONT_SIG_FP_OPS, 4 * insns) &&
	       mont_signal_has_room(t, MONT_SIG_FP_FLUSHED, 4 * insns);
}

/* True if a segment may begin at IP. */
static __always_inline bool segment_may_begin(const struct mont_thread *t)
{
	return segment_has_room(t, SEGMENT_GROUPS * GROUP_INSNS) && !t->own.s.rse.again &&
	       !t->pmu.apart;
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

/*
 * A branch of the group that is done was mispredicted: fetch has gone the other way, before it
 * turns to the page of what follows.
 */
static noinline void segment_wrong_path(struct mont_thread *t, struct segment *run)
{
	struct mont_wrong_turn *turn = &run->w->turn;

	segment_settle(t, run);
	mont_wrong_path(t, turn, run->now);
	turn->known = false;
}

/* The cycle of the present group is over. */
static __always_inline void segment_step_on(struct mont_thread *t, struct mont_time *time,
					    struct segment *run)
{
	run->now++;
	run->since = run->now;
	if (likely(!mont_occupied(&time->s.h.occupancy)))
		return;
	t->clock = run->now;
	mont_account_queues(t);
	/*
	 * A miss of the L3, whose request is in a queue now, may end the turn of the thread before
	 * run->stop.
	 */
	if (unlikely(t->attn))
		run->stop = run->now;
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

/* How a group of a segment has ended. */
enum segment_ending {
	SEGMENT_GOES_ON, /* there is a group behind it */
	SEGMENT_IS_LEFT, /* the segment ends in it: segment_at.o */
	/* The group has not issued: */
	SEGMENT_IS_REFUSED, /* nothing has been done of it */
	SEGMENT_WAITS, /* it waits beyond run->stop */
};

/**
 * struct segment_at - the present group
 * @s: what is kept of it, or its place
 * @id: its identity, of two bundles
 * @o: the instruction to go on with, or behind which the segment has ended
 * @streams: as of segment_streams()
 */
struct segment_at {
	struct mont_straight *s;
	u64 id;
	const struct mont_straight_op *o;
	bool streams;
};

/*
 * Run the group @at, from its first instruction on or, if it has issued (@inside), from at->o on.
 * If @notes it may be part of the path that is being made.
 */
static __always_inline enum segment_ending segment_group(struct mont_thread *t,
							 struct mont_time *time,
							 struct segment *run, struct segment_at *at,
							 const bool inside, const bool notes)
{
	struct mont_memo *memo = &t->pkg->groups->memo;
	const struct mont_straight_op *o;
	struct mont_straight *s = at->s;
	struct mont_window *w = run->w;
	u8 cpl = t->cpl;
	bool missed;
	u64 ip;

	run->fresh = 0;
	if (!inside) {
		ip = t->fetch_va | (at->id & 0xff0);
		if (notes)
			segment_note_begin(run);
		if (unlikely(!segment_form(t, time, run, &s, ip, &at->streams, notes)))
			return SEGMENT_IS_REFUSED;
		if (notes)
			segment_note_formed(run, memo, &time->s.buffer);
		if (t->own.s.stall.causes ||
		    (t->own.s.results.last >> MONT_RESULT_CYCLE) + s->pending > run->now) {
			if (notes && run->makes && !mont_path_guards(t, s, run->since, &run->group))
				segment_unknown(run, SEGMENT_ALWAYS);
			if (!segment_wait(t, run, s, ip, run->stop))
				return SEGMENT_WAITS;
			/* Work is pending: the segment ends behind this group. */
			if (unlikely(t->attn))
				run->stop = run->now;
		}
		mont_operands_issue(&t->own.s.results, s->longest, run->now);
		o = s->op;
	} else {
		ip = t->fetch_va | (s->id & 0xff0);
		o = at->o;
		segment_find_past(run, s, o);
	}
	run->leads = SEGMENT_NOWHERE;
	o = segment_issue(t, time, run, s, ip, o, notes);
	if (unlikely(o)) {
		/* The segment goes on where a branch has led. */
		if (run->r != MONT_TAKEN || !mont_window_step(t, w, t->sig_bundle)->kind ||
		    t->attn || t->cpl != cpl || !mont_fetch_is_known(t, t->s.ip)) {
			at->o = o;
			return SEGMENT_IS_LEFT;
		}
		run->counts = 0;
		missed = w->turn.known;
		if (missed)
			segment_wrong_path(t, run);
		mont_fetch_take_known(t, t->s.ip);
		mont_buffer_leave(&time->s.buffer, run->now);
		mont_end_group(t, w);
		run->to = SEGMENT_NOWHERE;
		segment_note(t, run, s, notes);
		at->s = segment_target(t, t->s.ip, &at->id);
	} else {
		run->to = run->leads;
		segment_note(t, run, s, notes);
		mont_buffer_leave_some(&time->s.buffer, s->leaves - run->retired, run->now);
		run->counts += s->counts;
		run->done = s;
		missed = w->turn.known;
		if (unlikely(missed))
			segment_wrong_path(t, run);
		if (run->to != SEGMENT_NOWHERE)
			segment_follow(t, time, run, &at->streams);
		segment_behind(t, run, s, &at->s, &at->id);
	}
	segment_step_on(t, time, run);
	if (run->placed || unlikely(missed)) {
		if (unlikely(t->attn))
			run->stop = run->now;
		run->changes = mont_bundle_changes(t->pkg, t->fetch_pa);
		segment_rename(t, time);
		at->streams = segment_streams(t, time, run, t->fetch_va);
	}
	return SEGMENT_GOES_ON;
}

/*
 * The state in front of the group @at is worth asking for: run along paths from it on, and make new
 * ones, up to where groups do neither. Return: how the last of its groups has ended.
 */
static noinline enum segment_ending segment_along(struct mont_thread *t, struct mont_time *time,
						  struct segment *run, struct segment_at *at)
{
	for (;;) {
		u64 ip = t->fetch_va | (at->id & 0xff0);
		bool recalls, inside = false;

		if (run->left)
			segment_left_behind(t, run, at->s, at->id, ip);
		if (run->asks) {
			run->asks = false;
			if (!(run->behind && run->end != MONT_MET_OTHERS) &&
			    !segment_is_hot(at->s)) {
				run->behind = NULL;
				return SEGMENT_GOES_ON;
			}
			(void)segment_ask(t, time, run, at->s, at->id, ip);
		}
		recalls = run->state;
		if (recalls)
			inside = segment_recall(t, time, run, &at->s, &at->id, &at->streams,
						&at->o) == SEGMENT_INSIDE;
		else if (!run->makes)
			return SEGMENT_GOES_ON;
		if (!recalls || inside) {
			enum segment_ending step = segment_group(t, time, run, at, inside, true);

			run->nr += step <= SEGMENT_IS_LEFT;
			if (step != SEGMENT_GOES_ON)
				return step;
		}
		MONT_ASSERT(t, !run->left || segment_is_as_left(t, run),
			    "paths: a group that one is left in stalls the next as it said");
		if (run->nr >= run->most || run->now >= run->stop)
			return SEGMENT_GOES_ON;
		at->s = segment_find(t, run, at->s, at->id);
		if (unlikely(!at->s))
			return SEGMENT_IS_REFUSED;
	}
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
	struct segment run = { .w = &w, .now = t->clock, .counted = t->clock };
	struct mont_memo *memo = &t->pkg->groups->memo;
	u64 most = segment_groups(t), span = SEGMENT_GROUPS, nr = 0;
	u64 cycles = t->countdown[0][MONT_SIG_CYCLE].left, pa = t->fetch_pa | (t->s.ip & 0xff0);
	enum segment_ending step = SEGMENT_GOES_ON;
	struct segment_at at = {
		.s = &t->pkg->groups->straight[mont_group_place(pa, t->s.slot, 2)],
		.id = mont_group_id(pa, 2, t->s.slot, t->own.s.split, 3),
	};

	if (segment_has_room(t, SEGMENT_MOST_GROUPS * GROUP_INSNS))
		span = SEGMENT_MOST_GROUPS;
	if (most > span)
		most = span;
	if (most > *left)
		most = *left;
	run.most = most;
	run.stop = deadline - run.now > cycles ? run.now + cycles : deadline;
	run.changes = mont_bundle_changes(t->pkg, pa);
	at.streams = segment_streams(t, time, &run, t->fetch_va);
	w.watched = false;
	w.turn.known = false;
	run.unseen = segment_unseen(t, span * GROUP_INSNS);
	run.since = t->own.s.since == MONT_NOT_FORMED ? run.now : t->own.s.since;
	run.recalls = segment_recalls(t, time) && segment_tries_paths(memo);
	run.asks = true;
	segment_rename(t, time);
	while (nr < most && run.now < run.stop) {
		at.s = segment_find(t, &run, at.s, at.id);
		if (unlikely(!at.s)) {
			step = SEGMENT_IS_REFUSED;
			break;
		}
		if (run.asks && run.recalls && segment_is_hot(at.s)) {
			struct segment_at along = at;

			run.nr = nr;
			step = segment_along(t, time, &run, &along);
			nr = run.nr;
			at = along;
		} else {
			step = segment_group(t, time, &run, &at, false, false);
			nr += step <= SEGMENT_IS_LEFT;
		}
		if (unlikely(step != SEGMENT_GOES_ON))
			break;
	}
	*left -= nr;
	if (unlikely(step == SEGMENT_IS_LEFT))
		return segment_leave(t, time, &run, at.o);
	segment_pass(t, &run, run.now);
	segment_settle(t, &run);
	if (step == SEGMENT_WAITS)
		(void)segment_wait_on(t, deadline);
	return step == SEGMENT_GOES_ON ? SEGMENT_ENDED : SEGMENT_REFUSED;
}

#endif
