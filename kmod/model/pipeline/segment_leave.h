/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How groups of a segment (segment.h) leave the path that they have run along (segment_path.h): all
 * is put in place as it is without paths, and a path that is not known yet may be made. Included by
 * segment_path.h alone: a template.
 */
#ifndef MONT_PIPELINE_SEGMENT_LEAVE_H
#define MONT_PIPELINE_SEGMENT_LEAVE_H

#include "segment_find.h"
#include "segment_form.h"
#include "segment_note.h"

/* A branch has led to run->to, in another page: all in front of it is put in place. */
static noinline void segment_turn_page(struct mont_thread *t, struct segment *run)
{
	segment_settle(t, run);
	mont_fetch_take_known(t, run->to);
	run->changes = mont_bundle_changes(t->pkg, t->fetch_pa);
}

/* The present group has led to run->to: *@streams as of there. */
static __always_inline void segment_follow(struct mont_thread *t, struct mont_time *time,
					   struct segment *run, bool *streams)
{
	const struct mont_buffer *b = &time->s.buffer;

	if (unlikely((run->to & ~MONT_PAGE_OFFSET) != t->fetch_va)) {
		segment_turn_page(t, run);
		*streams = segment_streams(t, time, run, t->fetch_va);
	}
	/* One more entry of the branch retirement queue is in use. */
	*streams &= b->retires[b->oldest] <= b->next_fetch &&
		    !mont_prefetch_busy(&time->s.prefetch);
	/* A return has come to a frame that lacks registers. */
	if (unlikely(t->attn))
		run->stop = run->now;
}

/* The place of the group behind the present one, that of @s; *@id: its identity. */
static __always_inline void segment_behind(const struct mont_thread *t, const struct segment *run,
					   const struct mont_straight *s,
					   struct mont_straight **place, u64 *id)
{
	if (run->to == SEGMENT_NOWHERE) {
		*id = s->next;
		*place = s->behind;
	} else {
		*place = segment_target(t, run->to, id);
	}
}

/* How groups along paths have ended. */
enum segment_recalled {
	SEGMENT_IN_FRONT, /* in front of a group that is to be formed */
	SEGMENT_INSIDE, /* in a group that has issued */
};

/* The bubbles @w have passed, from cycle @began on. */
static __always_inline void segment_pass_wait(struct mont_thread *t, struct segment *run,
					      const struct mont_path_wait *w, u64 began)
{
	struct mont_stall *stall = &t->own.s.stall;

	/* A reference may have begun a stall since. */
	if (likely(!(stall->causes >> w->cause & 1)))
		stall->until[w->cause] = began + w->until;
	stall->spent[w->cause] += w->n;
	t->countdown[0][mont_cause_signal[w->cause]].left -= w->n;
	t->countdown[0][MONT_SIG_BUBBLE].left -= w->n;
	run->room -= w->n;
}

/* @n pairs have been fetched from the page of fetch. No counter counts that: segment_recalls(). */
static __always_inline void segment_pass_fetches(struct mont_thread *t, struct mont_time *time,
						 u32 n)
{
	struct mont_l1tlb *tlb = &time->s.l1itlb;

	if (!n)
		return;
	tlb->uses += n;
	tlb->used[tlb->hint[t->fetch_va >> 12 & (MONT_NR_L1TLB_HINTS - 1)]] = tlb->uses;
}

/* Queues are accounted for up to the present cycle. */
static __always_inline void segment_pass_queues(struct mont_thread *t, struct mont_time *time,
						const struct segment *run)
{
	if (unlikely(mont_occupied(&time->s.h.occupancy))) {
		t->clock = run->now;
		mont_account_queues(t);
	}
}

/* Paths are left: the instruction buffer is as in front of run->state. */
static __always_inline void segment_put(struct mont_thread *t, struct segment *run)
{
	struct mont_memo *memo = &t->pkg->groups->memo;

	mont_memo_put(run->state, &t->time->s.buffer, run->began, run->leaves, run->fetches);
	segment_earn(memo, run);
	/* Asking was of no use, unless more is known the next time, or the segment has to end. */
	if (run->recalled < SEGMENT_ASKED && !run->makes && run->recalls &&
	    (!run->behind || run->end == MONT_MET_OTHERS))
		segment_rest(run->asked);
	else if (run->recalled >= SEGMENT_ASKED)
		run->asked->rests = MONT_MEMO_RESTS;
	run->state = NULL;
}

/* A branch has @met that: mont_path_op.met. */
static __always_inline void segment_redirect(struct mont_buffer *b, u32 met)
{
	enum mont_front cause = MONT_FRONT_PLP;

	if (!(met & MONT_MET_RESTEERED))
		return;
	if (met & MONT_MET_ILOCK)
		cause = MONT_FRONT_BR_ILOCK;
	else if (met & MONT_MET_TAKEN)
		cause = MONT_FRONT_BUBBLE;
	mont_buffer_redirect(b, met & MONT_MET_BUBBLES, cause);
}

/*
 * The instruction buffer, which is as in front of @path, is as behind @nr of its groups, of which
 * the branch of the last has @met that, and when the next has issued, if @inside.
 */
static noinline void segment_replay(struct mont_buffer *b, const struct mont_memo_state *state,
				    const struct mont_path *path, u64 began, u32 nr, u32 met,
				    bool inside)
{
	u32 i, k;

	for (i = 0; i < nr + inside; i++) {
		const struct mont_path_group *g = &path->group[i];
		u64 ip = (state->key.word[MONT_KEY_IP] & ~0xfffULL) | (g->s->id & 0xff0);

		for (k = 0; k < 2; k++) {
			u64 at = b->next_fetch;

			if (!(g->fetches >> k & 1))
				continue;
			(void)mont_buffer_fetch(b, ip + 16 * k, at, at, at);
			mont_buffer_count(b, began + g->since);
		}
		b->cut = g->cut;
		if (g->now != g->since)
			mont_buffer_count(b, began + g->now);
		if (i == nr)
			break;
		if (i < nr - 1)
			segment_redirect(b, g->met);
		else
			segment_redirect(b, met);
		mont_buffer_leave_some(b, g->s->leaves, began + g->now);
	}
}

/*
 * @path is left in its group @nr, which has issued: the instruction buffer is as in front of
 * run->next, but for the bundles that leave with the group, and behind a mispredicted branch also
 * for the next fetch.
 */
static noinline void segment_put_next(struct mont_buffer *b, struct segment *run,
				      const struct mont_path *path, u32 nr)
{
	const struct mont_path_group *g = &path->group[nr];
	u32 leaves = run->leaves, fetches = run->fetches, i;

	for (i = 0; i <= nr; i++) {
		leaves += path->group[i].s->leaves;
		fetches += (path->group[i].fetches & 1) + (path->group[i].fetches >> 1);
	}
	mont_memo_put(run->next, b, run->began + g->now + 1, leaves, fetches);
	b->next = (b->next + MONT_NR_BUFFER - g->s->leaves) % MONT_NR_BUFFER;
	if (run->left_end & MONT_MET_MISSED)
		b->next_fetch = run->began + (s64)g->next_fetch;
	run->state = NULL;
}

/*
 * @path is left behind @nr of its groups, of which the branch of the last has @met that and led to
 * @to, and when the next has issued, if @inside: all is as it is there without the path, but for
 * what its instructions have done by themselves.
 */
static noinline void segment_put_path(struct mont_thread *t, struct mont_time *time,
				      struct segment *run, const struct mont_path *path, u32 nr,
				      u32 met, u64 to, bool inside)
{
	const struct mont_memo_state *state = run->state;
	u64 began = run->began;
	u32 i, k;

	if (inside && run->next) {
		segment_earn(&t->pkg->groups->memo, run);
		segment_put_next(&time->s.buffer, run, path, nr);
	} else {
		segment_put(t, run);
		segment_replay(&time->s.buffer, state, path, began, nr, met, inside);
	}
	run->now = began;
	run->since = began;
	if (!(nr + inside))
		t->own.s.stall.causes = state->key.word[MONT_KEY_CAUSES];
	for (i = 0; i < nr + inside; i++) {
		const struct mont_path_group *g = &path->group[i];
		const struct mont_straight *s = g->s;

		segment_pass_fetches(t, time, (g->fetches & 1) + (g->fetches >> 1));
		for (k = 0; k < g->nr_waits; k++)
			segment_pass_wait(t, run, &g->wait[k], began);
		run->since = began + g->since;
		run->now = began + g->now;
		if (g->now != g->since)
			mont_work(t, MONT_WORK_CYCLES);
		mont_operands_issue(&t->own.s.results, s->longest, run->now);
		if (i == nr)
			break;
		run->nr++;
		run->counts += s->counts;
		run->done = s;
		run->to = to;
		run->now++;
		run->since = run->now;
	}
	segment_pass_queues(t, time, run);
	if (unlikely(t->attn))
		run->stop = run->now;
}

/* Where group @i of @path has led. */
static __always_inline u64 segment_led_to(const struct mont_thread *t, const struct mont_path *path,
					  u32 i)
{
	const struct mont_path_group *g = &path->group[i];

	return g->met & MONT_MET_TAKEN ? t->fetch_va | (g[1].s->id & 0xff0) : SEGMENT_NOWHERE;
}

/*
 * A path is made that is like @path up to the present group, its group @nr, whose op @k has @met
 * that.
 */
static void segment_diverge(struct mont_thread *t, struct segment *run,
			    struct mont_memo_state *state, struct mont_path *path, u32 nr, u32 k,
			    u32 met)
{
	const struct mont_path_group *g = &path->group[nr];
	struct mont_memo *memo = &t->pkg->groups->memo;
	u32 i;

	if (state->nr_paths == MONT_STATE_PATHS)
		return;
	memo->credit -= SEGMENT_PATH;
	mont_path_diverge(&memo->made, state, run->began, path, nr, k);
	run->makes = true;
	for (i = g->first; i <= k; i++) {
		const struct mont_path_op *o = &path->op[i];
		u32 as = i == k ? met : o->met;

		if (o->nr >= MONT_FETCH)
			continue;
		if (as == MONT_MET_OFF)
			run->met |= 1u << (o->at & 7);
		else
			run->late |= (u64)as << MONT_LATE_BITS * (o->at & 7);
	}
}

/* How a path is left in one of its ops. */
enum segment_left {
	SEGMENT_LEFT_TO_DO, /* in front of it: it executes as without paths */
	SEGMENT_LEFT_DONE, /* behind it */
	/* behind it, as it has met what no path says; in front of what is no instruction */
	SEGMENT_LEFT_OTHERWISE,
};

/*
 * @path is left in its op @o, which has @met that. If the state behind its group follows from that:
 * mont_path_end.met; else 0.
 */
static u32 segment_left_within(const struct mont_thread *t, const struct segment *run,
			       const struct mont_path *path, const struct mont_path_op *o,
			       enum segment_left left, u32 met)
{
	const struct mont_straight *s = path->group[o->at >> 3].s;
	const struct mont_straight_op *so = &s->op[o->at & 7];
	const struct mont_stall *stall = &t->own.s.stall;
	u32 end = MONT_MET_WITHIN | (o - path->op), cause;
	const struct mont_uop *u;
	u64 until;

	if (path->alone)
		return 0;
	if (left == SEGMENT_LEFT_TO_DO && o->nr == MONT_BRANCH) {
		u = segment_uop(s->b, so);
		if (mont_branch_kind[mont_op(u)] == MONT_KIND_IPREL &&
		    mont_pr(t, u->qp) != run->guess[segment_bundle_of(so)])
			return end | MONT_MET_MISSED;
	}
	if (left == SEGMENT_LEFT_DONE && (o->at & 7) + 1 == s->nr && o->met == met &&
	    !(stall->causes & (stall->causes - 1))) {
		cause = __builtin_ctz(stall->causes);
		until = stall->until[cause] - run->began - o->cycle;
		if (until <= MONT_MET_UNTIL)
			return end | cause << MONT_MET_CAUSE_SHIFT |
			       (u32)until << MONT_MET_UNTIL_SHIFT;
	}
	return 0;
}

/* The state to which @path has led with @end. NULL: none is known. */
static struct mont_memo_state *segment_led_within(struct mont_memo *memo,
						  const struct mont_path *path, u32 end)
{
	const struct mont_path_end *at;
	u32 place;

	for (place = path->end; place; place = at->behind) {
		at = mont_memo_at(memo, place);
		if (at->met == end)
			return mont_memo_at(memo, at->next);
	}
	return NULL;
}

/*
 * The group in which run->left was left is done: true if it stalls the next one for the cause of
 * run->left_end alone. Nothing of a group is behind a mispredicted branch, or behind the reference
 * that is its last instruction.
 */
static inline bool segment_is_as_left(const struct mont_thread *t, const struct segment *run)
{
	u32 cause = MONT_CAUSE_BRU;

	if (!(run->left_end & MONT_MET_MISSED))
		cause = run->left_end >> MONT_MET_CAUSE_SHIFT & 0x1f;
	return t->own.s.stall.causes == 1u << cause;
}

/*
 * The group in which run->left was left is done, and the group @id of @s, at @ip, is the present
 * one: go on from run->next, if that is the state in front of it, or ask for the state.
 */
static noinline void segment_left_behind(const struct mont_thread *t, struct segment *run,
					 struct mont_straight *s, u64 id, u64 ip)
{
	struct mont_memo_state *next = run->next;

	if (next && next->key.word[MONT_KEY_ID] == id && next->key.word[MONT_KEY_IP] == ip &&
	    next->key.word[MONT_KEY_SERIAL] == s->serial &&
	    next->key.word[MONT_KEY_MAP] == mont_memo_map(t) && !t->attn) {
		segment_enter(t, run, next, s);
		run->behind = NULL;
		run->asks = false;
	} else {
		run->behind = run->left;
		run->end = run->left_end;
		run->asks = true;
	}
	run->left = NULL;
	run->next = NULL;
}

/*
 * @path is left in its op @o, which has @met that. *@s, *@id: the group that is the present one
 * then; *@op: the instruction to go on with.
 */
static noinline enum segment_recalled
segment_leave_path(struct mont_thread *t, struct mont_time *time, struct segment *run,
		   struct mont_path *path, const struct mont_path_op *o, enum segment_left left,
		   u32 met, struct mont_straight **s, u64 *id, const struct mont_straight_op **op)
{
	const struct mont_path_group *g = &path->group[o->at >> 3];
	struct mont_memo_state *state = run->state;
	u32 nr = o->at >> 3;
	bool inside = o->nr < MONT_FETCH;

	run->met = 0;
	run->late = 0;
	run->unknown = SEGMENT_KNOWN;
	if (left == SEGMENT_LEFT_OTHERWISE)
		segment_diverge(t, run, state, path, nr, o - path->op, met);
	if (inside)
		run->left_end = segment_left_within(t, run, path, o, left, met);
	if (inside && run->left_end) {
		run->left = path;
		run->next = segment_led_within(&t->pkg->groups->memo, path, run->left_end);
		/* The group may lead to the state of the last time. */
	} else if (left == SEGMENT_LEFT_TO_DO && inside) {
		run->behind = path;
		run->end = MONT_MET_OTHERS;
		run->asks = true;
	}
	segment_put_path(t, time, run, path, nr, nr ? g[-1].met : 0,
			 nr ? segment_led_to(t, path, nr - 1) : SEGMENT_NOWHERE, inside);
	if (inside) {
		run->group = *g;
		*s = g->s;
		*op = &g->s->op[(o->at & 7) + (left != SEGMENT_LEFT_TO_DO)];
		return SEGMENT_INSIDE;
	}
	if (nr) {
		segment_behind(t, run, g[-1].s, s, id);
	} else {
		*id = state->key.word[MONT_KEY_ID];
		*s = segment_place_of_two(t, *id);
	}
	return SEGMENT_IN_FRONT;
}

/*
 * @path is done, and has led on with @met to where no state is known. *@s, *@id: the group that is
 * the present one then.
 */
static noinline enum segment_recalled
segment_leave_behind(struct mont_thread *t, struct mont_time *time, struct segment *run,
		     struct mont_path *path, u32 met, struct mont_straight **s, u64 *id)
{
	const struct mont_memo_state *state = run->state;

	if (!path->alone) {
		run->behind = path;
		run->end = met;
	}
	run->asks = true;
	segment_put(t, run);
	segment_replay(&time->s.buffer, state, path, run->began, path->nr_groups, met, false);
	segment_behind(t, run, path->group[path->nr_groups - 1].s, s, id);
	return SEGMENT_IN_FRONT;
}

/*
 * @path is left behind its op @o, a branch that has @met what no path says. *@s, *@id: the group
 * that is the present one then.
 */
static noinline enum segment_recalled
segment_leave_branch(struct mont_thread *t, struct mont_time *time, struct segment *run,
		     struct mont_path *path, const struct mont_path_op *o, u32 met,
		     struct mont_straight **s, u64 *id, bool *streams)
{
	struct mont_memo *memo = &t->pkg->groups->memo;
	struct mont_path_made *made = &memo->made;
	struct mont_memo_state *state = run->state;
	u32 nr = (o->at >> 3) + 1, k = o - path->op;

	if (state->nr_paths < MONT_STATE_PATHS &&
	    (run->leads == SEGMENT_NOWHERE || (run->leads & ~0xfffULL) == t->fetch_va)) {
		memo->credit -= SEGMENT_PATH;
		mont_path_diverge(made, state, run->began, path, nr, k);
		made->group[nr - 1].met = met;
		made->op[k].met = met;
		run->makes = true;
	} else {
		run->asks = true;
	}
	segment_put_path(t, time, run, path, nr, met, run->leads, false);
	segment_behind(t, run, path->group[nr - 1].s, s, id);
	if (run->to != SEGMENT_NOWHERE)
		segment_follow(t, time, run, streams);
	return SEGMENT_IN_FRONT;
}

#endif
