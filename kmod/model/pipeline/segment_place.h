/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A segment (segment.h) as it runs, and what puts in place what its groups have done. Included by
 * segment_branch.h, segment_find.h and segment_note.h: a template.
 */
#ifndef MONT_PIPELINE_SEGMENT_PLACE_H
#define MONT_PIPELINE_SEGMENT_PLACE_H

#include "issue.h"
#include "../mmu/fetch.h"

#define SEGMENT_NOWHERE 1 /* no bundle has this address */
#define SEGMENT_GROUPS 64 /* at most, where counters have no room for more */
#define SEGMENT_MOST_GROUPS 512
#define SEGMENT_FEWEST 4 /* groups that make a segment worth its beginning */
#define GROUP_INSNS 6
#define SEGMENT_INSNS (GROUP_INSNS * SEGMENT_GROUPS)

/* Why a group cannot be part of a path (memo.h). */
enum segment_unknown {
	SEGMENT_KNOWN, /* it can */
	SEGMENT_LAST, /* it can, up to an instruction that paths leave to others */
	SEGMENT_CHANCE, /* what it meets this time cannot be kept */
	SEGMENT_ALWAYS, /* nor at any other time */
};

/**
 * struct segment - a segment as it runs
 * @w: the window of its present group, if it is needed
 * @done: the last group that is done, if that has not been put in place; else NULL
 * @counts: MONT_COUNTS() of groups that are done, which have not been counted
 * @now: the cycle of the present group
 * @nr: groups that have begun to issue
 * @most: no more groups than that begin
 * @stop: nor any in this cycle or behind it
 * @since: the first cycle in which it could have issued: bundles that come later are not in it
 * @counted: cycles before this one have been counted
 * @before: instructions retired before the present group, if that is @placed
 * @to: where to the last group that is done has branched; SEGMENT_NOWHERE: it has not
 * @leads: likewise, of the present group
 * @changes: mont_bundle_changes() of the page of fetch
 * @unseen: references that are issued show to no subscriber, and no counter overflows of them
 * @placed: all in front of the present group has been put in place
 * @retired: the first bundle of the present group has retired
 * @formed: @w is that of the present group, with what is predicted of its branches
 * @fresh: 0: neither of these three is true, and @past is 0
 * @past: the first slots of each bundle whose branches have executed
 * @guess: else the direction predicted of the last branch of each bundle, if it is lone (struct
 *	mont_straight), and of that in front of it
 * @r: the result of the instruction with which the segment has ended, in t->sig_slot
 * @recalls: states may be asked for, and paths run along: no subscriber sees what these leave out
 * @asks: the state in front of the next group is one to ask for
 * @state: the state in front of the present group, from which paths are known; NULL: there is none
 * @began: the cycle of it
 * @leaves: bundles that have left the instruction buffer along paths since that was put in place
 * @fetches: likewise, pairs that were fetched
 * @recalled: likewise, groups
 * @asked: the group in front of which the first of these states was
 * @room: bubbles that no counter overflows in
 * @makes: a path is being made: memo.made
 * @unknown: why the present group cannot be part of it
 * @group: the present group, for that path
 * @met: instructions of the present group that are off, bit n for op n
 * @late: cycles that references have added, and 1, MONT_LATE_BITS for each op
 * @behind: the path that has led to the present group, of which no end says so yet; or NULL
 * @end: mont_path_end.met of that
 * @left: the path that has been left in the present group, if what follows from that is known; or
 *	NULL
 * @left_end: mont_path_end.met of that
 * @next: the state behind the group then, if that is known; or NULL
 */
struct segment {
	struct mont_window *w;
	const struct mont_straight *done;
	u64 counts;
	u64 now;
	u64 nr;
	u64 most;
	u64 stop;
	u64 since;
	u64 counted;
	u64 before;
	u64 to;
	u64 leads;
	u64 changes;
	bool unseen;
	union {
		struct {
			bool placed;
			bool retired;
			bool formed;
			u8 past;
		};
		u32 fresh;
	};
	bool guess[4];
	enum mont_result r;
	bool recalls;
	bool asks;
	bool makes;
	enum segment_unknown unknown;
	struct mont_memo_state *state;
	u64 began;
	u32 leaves;
	u32 fetches;
	u32 recalled;
	struct mont_straight *asked;
	s64 room;
	struct mont_path_group group;
	u32 met;
	u64 late;
	struct mont_path *behind;
	u32 end;
	struct mont_path *left;
	u32 left_end;
	struct mont_memo_state *next;
};

/* The present group cannot be part of a path: @why. */
static __always_inline void segment_unknown(struct segment *run, enum segment_unknown why)
{
	if (run->unknown < why)
		run->unknown = why;
}

/* @w is the window of the group of @s, at @ip. */
static __always_inline void segment_window(struct mont_window *w, const struct mont_straight *s,
					   u64 ip)
{
	w->ip = ip;
	w->from = s->id & 3;
	w->b = s->b;
	w->nr = s->g->tag[1] ? 2 : 1;
	w->g = s->g;
	w->taken = MONT_NO_SLOT;
}

/* The last instruction of bundle @i of the group of @s, and of the bundle. */
static __always_inline const struct mont_uop *segment_last(const struct mont_straight *s, u32 i)
{
	return &s->b[i].uop[s->b[i].at[2]];
}

/* Predict the lone branches of the group of @s once more, and keep that in its window. */
static noinline void segment_keep_lone(struct mont_thread *t, struct segment *run,
				       const struct mont_straight *s, u64 ip)
{
	struct mont_window *w = run->w;
	u32 i;

	for (i = 0; i < w->nr; i++) {
		u32 slot;

		if (!(s->branches & s->lone & (i ? MONT_IN_SECOND : MONT_IN_FIRST)))
			continue;
		slot = run->past >> 4 * i & 3;
		if (!slot && !i)
			slot = w->from;
		slot = mont_branches_predict(t, ip + 16 * i, &w->b[i], slot, run->since,
					     &w->branch[3 * i]);
		if (slot < 3)
			w->taken = 3 * i + slot;
	}
}

/*
 * The window of the group of @s, at @ip, is needed whole. Nothing that predictions of lone branches
 * go by has changed since the group was formed.
 */
static __always_inline void segment_open(struct mont_thread *t, struct segment *run,
					 const struct mont_straight *s, u64 ip)
{
	if (run->formed)
		return;
	run->formed = true;
	segment_window(run->w, s, ip);
	if (s->branches & s->lone)
		segment_keep_lone(t, run, s, ip);
}

/* Look at renaming again, which branches and what has been placed may have changed. */
static __always_inline void segment_rename(struct mont_thread *t, const struct mont_time *time)
{
	t->own.map.of[MONT_FILE_FR] = t->frmap;
	t->own.map.of[MONT_FILE_PR] = time->predicates[t->s.rrb_pr];
}

/* Cycles pass up to @now, and are counted. */
static __always_inline void segment_pass(struct mont_thread *t, struct segment *run, u64 now)
{
	t->countdown[0][MONT_SIG_CYCLE].left -= now - run->counted;
	run->counted = now;
	t->clock = now;
}

/* The instruction @o of the group of the bundles from @b on. */
static __always_inline const struct mont_uop *segment_uop(const struct mont_bundle *b,
							  const struct mont_straight_op *o)
{
	return (const struct mont_uop *)((const u8 *)b + o->at);
}

/* The bundle of the instruction @o: 0 or 1 of its group. */
static __always_inline u32 segment_bundle_of(const struct mont_straight_op *o)
{
	return o->at / sizeof(struct mont_bundle);
}

/* The step of the instruction @o of @g. */
static __always_inline const struct mont_step *segment_step(const struct mont_group *g,
							    const struct mont_straight_op *o)
{
	u32 uop = o->at / sizeof(struct mont_uop);

	return &g->step[3 * segment_bundle_of(o) + uop % MONT_BUNDLE_UOPS - 1];
}

/* Write the results of the instruction @o of @g, which issues in cycle @now. */
static __always_inline void segment_results(struct mont_thread *t, const struct mont_group *g,
					    const struct mont_straight_op *o, u64 now)
{
	const struct mont_step *step = segment_step(g, o);

	mont_step_results(t, step, step->more, now);
}

/* The predicates @pr are results: @result. */
static __always_inline void segment_two_predicates(struct mont_thread *t, const u8 pr[2],
						   u64 result)
{
	u64 *at = t->own.s.results.at + MONT_RESULT_PR;
	const u8 *map = t->own.map.of[MONT_FILE_PR];

	at[map[pr[0]]] = result;
	at[map[pr[1]]] = result;
}

/*
 * Write the results of the instruction @o of @g, which issues in cycle @now, that are no general
 * register alone: @nr, @pr of @o, and the word @result.
 */
static __always_inline void segment_results_as(struct mont_thread *t, const u8 nr, const u8 pr[2],
					       u64 result, const struct mont_group *g,
					       const struct mont_straight_op *o, u64 now)
{
	u64 *at = t->own.s.results.at;

	switch (nr) {
	case MONT_TWO_PR:
		segment_two_predicates(t, pr, result);
		return;
	case MONT_ONE_FR:
		at[128 + t->own.map.of[MONT_FILE_FR][pr[0]]] = result;
		return;
	case MONT_TWO_GR:
		at[t->grmap[pr[0]]] = result;
		at[t->grmap[pr[1]]] =
			(now << MONT_RESULT_CYCLE) + mont_result_word[MONT_PRODUCER_ADDER];
		return;
	default:
		segment_results(t, g, o, now);
	}
}

/* Put in place where the last group that is done has ended, if there is one. */
static __always_inline void segment_end(struct mont_thread *t, const struct segment *run)
{
	const struct mont_straight *s = run->done;
	const struct mont_group *g;
	u64 ip;
	u32 last;

	if (!s)
		return;
	g = s->g;
	ip = t->fetch_va | (s->id & 0xff0);
	last = g->part[1].end ? 1 : 0;
	t->cur = s->b + last;
	t->sig_bundle = last;
	t->sig_slot = g->part[last].slot;
	t->retire_from = g->part[last].end;
	t->s.last_ip = ip + 16 * last;
	t->s.ip = run->to == SEGMENT_NOWHERE ? ip + 16 * s->leaves : run->to;
	t->s.slot = g->part[last].next;
	t->own.s.next_ip = t->s.ip;
	t->own.s.next_slot = t->s.slot;
	t->own.s.split = g->split;
}

/* Count what has been done, and not been counted. */
static __always_inline void segment_count(struct mont_thread *t, struct segment *run)
{
	u32 insns = run->counts, nops = run->counts >> 32;

	t->countdown[0][MONT_SIG_INST_RETIRED].left -= insns;
	t->countdown[0][MONT_SIG_NOP_RETIRED].left -= nops;
	t->s.insns += insns;
	run->counts = 0;
}

/* All in front of the present group is put in place: @run->done is no longer needed. */
static __always_inline void segment_settle(struct mont_thread *t, struct segment *run)
{
	segment_count(t, run);
	segment_end(t, run);
	run->done = NULL;
}

/*
 * Put in place what is in front of bundle @i of the present group, that of @s at @ip, as it is when
 * the group executes outside of segments.
 */
static __always_inline void segment_place(struct mont_thread *t, struct segment *run,
					  const struct mont_straight *s, u64 ip, u32 i)
{
	struct mont_window *w = run->w;

	if (!run->placed) {
		segment_end(t, run);
		run->done = NULL;
		segment_count(t, run);
		segment_pass(t, run, run->now + 1);
		segment_open(t, run, s, ip);
		run->placed = true;
		run->before = t->s.insns;
	}
	if (i && !run->retired) {
		t->countdown[0][MONT_SIG_NOP_RETIRED].left -= w->g->part[0].nops;
		t->retire_from = w->from;
		mont_retire_part(t, w, 0, w->from, run->now, false);
		run->retired = true;
		/* The group is counted as a whole at its end. */
		run->counts -= MONT_COUNTS(w->g->part[0].insns, w->g->part[0].nops);
	}
	t->cur = &w->b[i];
	t->sig_bundle = i;
	t->retire_from = i ? 0 : w->from;
}

#endif
