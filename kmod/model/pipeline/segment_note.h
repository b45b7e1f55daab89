/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Paths are made of the groups of a segment (segment.h), from one state of the pipeline to the next
 * (memo.h): which state to ask for, and what each group adds to the path that is being made.
 * Included by segment_form.h and segment_leave.h: a template.
 */
#ifndef MONT_PIPELINE_SEGMENT_NOTE_H
#define MONT_PIPELINE_SEGMENT_NOTE_H

#include "path.h"
#include "segment_place.h"
#include "../base/check.h"

/* Groups along paths that are worth asking for a state */
#define SEGMENT_ASKED 12

/*
 * Costs of paths, in groups that run along them, each of which gains some 100 host instructions
 * (measured): to ask for a state, to make a path from a state on, to make a path that is like
 * another in its beginning, and to leave paths
 */
#define SEGMENT_ASK 16
#define SEGMENT_STATE 32
#define SEGMENT_PATH 12
#define SEGMENT_LEAVE 8
#define SEGMENT_CREDIT 8192 /* of such groups, at most */
/* Segments without paths behind the use of all credit: the first time, and at most */
#define SEGMENT_PAUSE 64
#define SEGMENT_MOST_PAUSE 16384

/* True if no subscriber sees what groups along a path leave out. */
static __always_inline bool segment_recalls(const struct mont_thread *t,
					    const struct mont_time *time)
{
	return !t->pmu.live && !t->pmu.front && !t->pmu.fetches && time->s.threads.next == ~0ULL;
}

/* Bubbles, of any cause, in which no counter of them overflows. */
static s64 segment_room(const struct mont_thread *t)
{
	s64 room = t->countdown[0][MONT_SIG_BUBBLE].left;
	u32 i;

	for (i = 0; i < MONT_NR_CAUSES; i++) {
		s64 left = t->countdown[0][mont_cause_signal[i]].left;

		if (room > left)
			room = left;
	}
	return room;
}

/* True if the state in front of the group of @s may be worth asking for. */
static __always_inline bool segment_is_hot(struct mont_straight *s)
{
	if (likely(!s->rest))
		return true;
	s->rest--;
	return false;
}

/* Asking for the state in front of the group of @s was of no use. */
static void segment_rest(struct mont_straight *s)
{
	s->rest = s->rests;
	if (s->rests < MONT_MEMO_MOST_RESTS)
		s->rests *= 2;
}

/* Paths are left: what they have gained is credited. */
static __always_inline void segment_earn(struct mont_memo *memo, const struct segment *run)
{
	memo->credit += (s64)run->recalled - SEGMENT_LEAVE;
	if (memo->credit > SEGMENT_CREDIT) {
		memo->credit = SEGMENT_CREDIT;
		memo->next_pause = 0;
	}
}

/*
 * True if a segment that begins may try paths. Programs whose paths gain less than they cost do so
 * seldom: each pause is twice as long as the one before.
 */
static __always_inline bool segment_tries_paths(struct mont_memo *memo)
{
	if (MONT_CHECK_PATHS || likely(!memo->pause && memo->credit >= 0))
		return true;
	if (memo->pause) {
		memo->pause--;
		return false;
	}
	memo->credit = SEGMENT_CREDIT / 2;
	if (!memo->next_pause)
		memo->next_pause = SEGMENT_PAUSE;
	memo->pause = memo->next_pause;
	if (memo->next_pause < SEGMENT_MOST_PAUSE)
		memo->next_pause *= 2;
	return false;
}

/* A path is made from @state on, the present state, if that may be worth it. */
static __always_inline void segment_begin_path(struct segment *run, struct mont_memo *memo,
					       struct mont_memo_state *state)
{
	if (state->tries == MONT_STATE_TRIES)
		return;
	memo->credit -= SEGMENT_STATE;
	mont_path_begin(&memo->made, state, run->now);
	run->makes = true;
}

/* Run along paths from @state on, the present state, that of the group of @s. */
static __always_inline void segment_enter(const struct mont_thread *t, struct segment *run,
					  struct mont_memo_state *state, struct mont_straight *s)
{
	run->state = state;
	run->leaves = 0;
	run->fetches = 0;
	run->recalled = 0;
	run->asked = s;
	run->room = segment_room(t);
}

/*
 * Find the state in front of the present group, the group @id of @s at @ip. True: paths are known
 * from it on: run->state. Else one may be made.
 */
static noinline bool segment_ask(struct mont_thread *t, struct mont_time *time, struct segment *run,
				 struct mont_straight *s, u64 id, u64 ip)
{
	struct mont_memo *memo = &t->pkg->groups->memo;
	struct mont_path *behind = run->behind;
	struct mont_memo_where where;
	struct mont_memo_state *state;

	run->behind = NULL;
	if (run->since != run->now || t->own.s.since != MONT_NOT_FORMED || t->attn)
		return false;
	memo->credit -= SEGMENT_ASK;
	where = (struct mont_memo_where){ .id = id, .serial = s->serial, .ip = ip, .now = run->now };
	state = mont_memo_find(memo, t, &time->s.buffer, &where);
	if (!state) {
		segment_rest(s);
		return false;
	}
	if (behind && !mont_path_lead(memo, behind, run->end, state))
		return false;
	if (state->path) {
		segment_enter(t, run, state, s);
		return true;
	}
	segment_begin_path(run, memo, state);
	if (!run->makes)
		segment_rest(s);
	return false;
}

/* A group is to be formed. */
static __always_inline void segment_note_begin(struct segment *run)
{
	if (!run->makes)
		return;
	run->group.fetches = 0;
	run->group.predicted = 0;
	run->group.nr_waits = 0;
	run->group.nr_guards = 0;
	run->group.guards = 0;
	run->met = 0;
	run->late = 0;
	run->unknown = SEGMENT_KNOWN;
}

/* The bundles of the present group are there, and its branches are predicted. */
static __always_inline void segment_note_formed(struct segment *run, const struct mont_memo *memo,
						const struct mont_buffer *b)
{
	if (!run->makes)
		return;
	run->group.cut = b->cut;
	run->group.next_fetch = b->next_fetch - memo->made.began;
	run->group.since = run->since - memo->made.began;
}

/* The pair @which of the present group, as of mont_path_group.fetches, is fetched in cycle @at. */
static __always_inline void segment_note_fetch(struct segment *run, const struct mont_memo *memo,
					       const u8 which, u64 at)
{
	if (likely(!run->makes))
		return;
	run->group.fetches |= which;
	run->group.fetched[which - 1] = at - memo->made.began;
}

/*
 * The present group waits for @cause up to cycle @until, and @n cycles are charged to it: as many
 * more as mont_path_wait.n can say.
 */
static __always_inline void segment_note_wait(struct segment *run, const struct mont_memo *memo,
					      u32 cause, u64 until, u64 n)
{
	struct mont_path_group *g = &run->group;

	if (!run->makes)
		return;
	until -= memo->made.began;
	if (g->nr_waits == MONT_GROUP_WAITS || until > MONT_PATH_CYCLES) {
		segment_unknown(run, SEGMENT_CHANCE);
		return;
	}
	g->wait[g->nr_waits++] = (struct mont_path_wait){ .cause = cause, .until = until, .n = n };
}

/*
 * The causes of @stall hold the present group: with @less they are noted in front of the stall,
 * without what has been charged to each, and that behind it.
 */
static __always_inline void segment_note_stall(struct segment *run, const struct mont_memo *memo,
					       const struct mont_stall *stall, const bool less)
{
	struct mont_path_group *g = &run->group;
	u32 left, i;

	if (likely(!run->makes))
		return;
	if (less) {
		for (left = stall->causes; left; left &= left - 1) {
			u32 cause = __builtin_ctz(left);

			segment_note_wait(run, memo, cause, stall->until[cause],
					  0 - stall->spent[cause]);
		}
		return;
	}
	for (i = 0; i < g->nr_waits; i++)
		g->wait[i].n += stall->spent[g->wait[i].cause];
}

/*
 * The mont_path_op.met of the branch of the present group, which leads to @to; fetch was to go on
 * in cycle @next_fetch.
 */
static __always_inline u32 segment_redirected(const struct mont_buffer *b, u16 op, u64 to,
					      u64 next_fetch)
{
	u32 met = to == SEGMENT_NOWHERE ? 0 : MONT_MET_TAKEN;

	if (b->pair[0] != MONT_PAIR_NONE)
		return met;
	if (op == MONT_OP_BR_COND_IND)
		met |= MONT_MET_ILOCK;
	return met | MONT_MET_RESTEERED | ((b->next_fetch - next_fetch) & MONT_MET_BUBBLES);
}

/*
 * The branch that ends the group of @s, as one that a segment executes: its operation; else a
 * nop's.
 */
static __always_inline u16 segment_branch_op(const struct mont_straight *s)
{
	if (!s->nr || s->op[s->nr - 1].nr != MONT_BRANCH)
		return MONT_OP_NOP;
	return mont_op(segment_uop(s->b, &s->op[s->nr - 1]));
}

/* True if the path @made can go on behind a @branch, in the page of that. */
static bool segment_path_goes_on(struct mont_path_made *made, u16 branch)
{
	switch (mont_branch_kind[branch]) {
	case MONT_KIND_CALL:
		/* The call makes registers out of those that were renamed. */
		made->alone |= made->rotates;
		return !made->rotates;
	case MONT_KIND_RETURN:
		made->alone |= made->rotates;
		return false;
	case MONT_KIND_LOOP:
		return true;
	default:
		return mont_branch_kind[branch] <= MONT_KIND_IPREL;
	}
}

/* The present group, that of @s, is done, and part of the path that is being made if it can be. */
static noinline void segment_note_done(struct mont_thread *t, struct segment *run,
				       struct mont_straight *s)
{
	struct mont_memo *memo = &t->pkg->groups->memo;
	struct mont_path_made *made = &memo->made;
	struct mont_path_group *g = &run->group;
	u16 branch = segment_branch_op(s);
	struct mont_path *path;

	g->s = s;
	g->now = run->now - made->began;
	g->met = 0;
	if (branch != MONT_OP_NOP && g->predicted)
		g->met = segment_redirected(&t->time->s.buffer, branch, run->to,
					    made->began + (s64)g->next_fetch);
	if (run->now - made->began > MONT_PATH_CYCLES)
		segment_unknown(run, SEGMENT_CHANCE);
	if (likely(run->unknown <= SEGMENT_LAST)) {
		bool on = segment_path_goes_on(made, branch);

		if (!mont_path_add(made, g, run->met, run->late, run->guess))
			segment_unknown(run, SEGMENT_CHANCE);
		else if (on && run->unknown == SEGMENT_KNOWN && !mont_path_is_full(made) &&
			 !t->own.s.stall.causes &&
			 (run->to == SEGMENT_NOWHERE || (run->to & ~0xfffULL) == t->fetch_va))
			return;
	}
	run->makes = false;
	run->asks = true;
	/* The next time it may be in the path. */
	if (run->unknown == SEGMENT_CHANCE && made->from->tries < MONT_STATE_TRIES / 2)
		return;
	path = mont_path_keep(memo);
	if (path && !path->alone && run->unknown <= SEGMENT_LAST && !t->own.s.stall.causes) {
		run->behind = path;
		run->end = run->unknown == SEGMENT_LAST ? MONT_MET_OTHERS : g->met;
	}
}

/* The present group, that of @s, is done; @notes: it may be part of a path. */
static __always_inline void segment_note(struct mont_thread *t, struct segment *run,
					 struct mont_straight *s, const bool notes)
{
	if (notes && run->makes)
		segment_note_done(t, run, s);
	else if (notes)
		run->asks |= s->branches || run->placed;
	else
		run->asks = s->branches || run->placed;
}

#endif
