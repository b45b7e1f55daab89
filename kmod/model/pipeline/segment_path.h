/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Groups of a segment (segment.h) along paths that are known (memo.h): they are neither fetched nor
 * do they wait by a look at each operand; cycles, counts and bubbles are put in place once a path.
 * Registers, references, branches and the scoreboard are as they are without. The instruction
 * buffer is not kept meanwhile, but for what branches see of it: where the segment leaves what is
 * known, it is put in place from the state in which the path has begun. Included by segment.h
 * alone: a template.
 */
#ifndef MONT_PIPELINE_SEGMENT_PATH_H
#define MONT_PIPELINE_SEGMENT_PATH_H

#include "path_ops.h"
#include "segment_again.h"
#include "segment_leave.h"

/* True if the groups of @path are what they were. */
static noinline bool segment_path_look(const struct mont_groups *groups, const struct segment *run,
				       struct mont_path *path)
{
	u32 i;

	for (i = 0; i < path->nr_groups; i++) {
		struct mont_straight *s = path->group[i].s;

		if (s->serial != path->group[i].serial ||
		    (s->looked != run->changes && !segment_look(s, run->changes)))
			return false;
	}
	path->looked = run->changes + groups->serial;
	return true;
}

/* True if the segment does not end in @path, which begins in cycle run->began. */
static __always_inline bool segment_path_fits(const struct segment *run,
					      const struct mont_path *path)
{
	return run->nr + path->nr_groups <= run->most && run->began + path->cycles < run->stop &&
	       run->room >= path->bubbles;
}

/* True if the groups of @path are what they were. */
static __always_inline bool segment_path_holds(const struct mont_thread *t,
					       const struct segment *run, struct mont_path *path)
{
	const struct mont_groups *groups = t->pkg->groups;

	return likely(path->looked == run->changes + groups->serial) ||
	       segment_path_look(groups, run, path);
}

/* @path is not what it was: if it can never be again, others can be made from @state on. */
static noinline void segment_forget_paths(struct mont_memo_state *state,
					  const struct mont_path *path)
{
	u32 i;

	for (i = 0; i < path->nr_groups; i++)
		if (path->group[i].s->serial != path->group[i].serial)
			break;
	if (i == path->nr_groups)
		return;
	state->path = 0;
	state->nr_paths = 0;
	state->tries = 0;
}

/* The first path from run->state on, the present state. NULL: none can be run along. */
static __always_inline struct mont_path *segment_path(const struct mont_thread *t,
						      struct mont_memo *memo,
						      const struct segment *run, bool translates)
{
	struct mont_memo_state *state = run->state;
	struct mont_path *path;

	if (unlikely(!state->path || !translates))
		return NULL;
	path = mont_memo_at(memo, state->path);
	if (unlikely(!segment_path_fits(run, path)))
		return NULL;
	if (likely(segment_path_holds(t, run, path)))
		return path;
	segment_forget_paths(state, path);
	return NULL;
}

/* The path that is like @path up to its op @k, which has @met that. NULL: none can be run along. */
static noinline struct mont_path *segment_otherwise(const struct mont_thread *t,
						    const struct segment *run,
						    const struct mont_path *path, u32 k, u32 met)
{
	struct mont_memo *memo = &t->pkg->groups->memo;
	struct mont_path *other;
	u32 place;

	for (place = path->op[k].other; place; place = other->op[k].other) {
		other = mont_memo_at(memo, place);
		if (other->op[k].met == met)
			break;
	}
	return place && segment_path_fits(run, other) && segment_path_holds(t, run, other) ? other
											   : NULL;
}

/* The state behind @path, which is done and has led on with @met. NULL: none is known. */
static __always_inline struct mont_memo_state *segment_led(const struct mont_thread *t,
							   struct mont_memo *memo,
							   const struct segment *run,
							   const struct mont_path *path, u32 met)
{
	const struct mont_path_end *end;
	u32 place;

	for (place = path->end; likely(place); place = end->behind) {
		struct mont_memo_state *next;

		end = mont_memo_at(memo, place);
		if (end->met != met)
			continue;
		next = mont_memo_at(memo, end->next);
		if (run->to != SEGMENT_NOWHERE &&
		    (next->key.word[MONT_KEY_IP] != run->to ||
		     unlikely((next->key.word[MONT_KEY_ID] & MONT_GROUP_PA & ~0xfffULL) !=
			      t->fetch_pa)))
			continue;
		if (path->moves && next->key.word[MONT_KEY_MAP] != mont_memo_map(t))
			continue;
		return next;
	}
	return NULL;
}

/* True if no counter of what branches do that are predicted rightly overflows in the segment. */
static __always_inline bool segment_has_branches(const struct mont_thread *t,
						 const struct segment *run)
{
	return mont_signal_has_room(t, MONT_SIG_BR_TAKEN_IPREL, 4 * run->most) &&
	       mont_signal_has_room(t, MONT_SIG_BR_NOT_TAKEN_IPREL, 4 * run->most) &&
	       mont_signal_has_room(t, MONT_SIG_BRANCH_RETIRED, 4 * run->most);
}

/*
 * Run groups along paths, from run->state on. *@streams: as of segment_streams(). *@s, *@id, *@op:
 * as of segment_leave_path().
 */
static noinline enum segment_recalled segment_recall(struct mont_thread *t, struct mont_time *time,
						     struct segment *run, struct mont_straight **s,
						     u64 *id, bool *streams,
						     const struct mont_straight_op **op)
{
	struct mont_memo *memo = &t->pkg->groups->memo;
	struct mont_buffer *b = &time->s.buffer;
	bool translates = segment_translates(t, time, run, t->fetch_va);
	bool branches = segment_has_branches(t, run);

	for (;;) {
		u64 page = t->fetch_va;
		u64 began = run->now, issued = began << MONT_RESULT_CYCLE, last;
		struct mont_path *path;
		const struct mont_path_op *o;
		struct mont_memo_state *next;
		u32 met = 0, i;

		/* Behind paths that is looked at anew. */
		*streams = false;
		run->began = began;
		path = segment_path(t, memo, run, translates);
		if (unlikely(!path)) {
			*id = run->state->key.word[MONT_KEY_ID];
			*s = segment_place_of_two(t, *id);
			run->recalls = run->nr + MONT_PATH_GROUPS <= run->most &&
				       run->now + MONT_PATH_GROUPS < run->stop;
			t->own.s.stall.causes = run->state->key.word[MONT_KEY_CAUSES];
			if (!run->state->path)
				segment_begin_path(run, memo, run->state);
			segment_put(t, run);
			return SEGMENT_IN_FRONT;
		}
		t->own.s.stall.causes = 0;
		run->fresh = 0;
		run->leads = SEGMENT_NOWHERE;
		for (o = path->op;; o++) {
			const struct mont_straight_op *so;
			const struct mont_path_group *g;
			const struct mont_uop *u = o->u;
			enum mont_path_kind kind = o->kind;
			bool on = true;
			u64 now, late = 0;

again:
			switch (segment_execute_again(t, time, run, path, o, kind, began, &late)) {
			case SEGMENT_DID_GR:
				t->own.s.results.at[t->grmap[o->nr]] = issued + o->word;
				continue;
			case SEGMENT_DID_FR:
				segment_results_as(t, MONT_ONE_FR, o->pr, issued + o->word, NULL,
						   NULL, 0);
				continue;
			case SEGMENT_DID_LOAD:
				segment_results_as(t, MONT_TWO_GR, o->pr, issued + o->word, NULL,
						   NULL, began + o->cycle);
				continue;
			case SEGMENT_DID_ANY:
				if (likely(o->nr == MONT_TWO_PR)) {
					segment_two_predicates(t, o->pr, issued + o->word);
					continue;
				}
				g = &path->group[o->at >> 3];
				segment_results(t, g->s->g, &g->s->op[o->at & 7], began + o->cycle);
				continue;
			case SEGMENT_DID_REFER:
				goto referred;
			case SEGMENT_DID_NOTHING:
				goto apart;
			case SEGMENT_IS_ON:
				if (unlikely(!mont_pr(t, u->qp)))
					goto off;
				kind = mont_path_kind[mont_op(u)];
				goto again;
			case SEGMENT_IS_OFF:
				if (unlikely(mont_pr(t, u->qp)))
					goto insn;
				t->countdown[0][MONT_SIG_PRED_SQUASHED].left--;
				continue;
			case SEGMENT_IS_MOVE:
				run->now = began + o->cycle;
				g = &path->group[o->at >> 3];
				if (likely(segment_move(t, run, g->s, &g->s->op[o->at & 7])))
					continue;
				return segment_leave_path(t, time, run, path, o, SEGMENT_LEFT_TO_DO,
							  0, s, id, op);
			case SEGMENT_IS_FETCH:
				now = began + o->cycle;
				if (likely(segment_fetch_again(t, time, o->pa,
							       began + (s64)(s32)o->word, now)))
					continue;
				return segment_leave_path(t, time, run, path, o, SEGMENT_LEFT_TO_DO,
							  0, s, id, op);
			case SEGMENT_IS_BRANCH:
				now = began + o->cycle;
				if (likely(o->simple && branches) &&
				    likely(segment_branch_again(t, time, run, path, o, now))) {
					met = o->met;
					if (o[1].nr == MONT_END)
						goto end;
					continue;
				}
				g = &path->group[o->at >> 3];
				u = segment_uop(g->s->b, &g->s->op[o->at & 7]);
				goto insn;
			case SEGMENT_IS_PAST:
				now = began + o->cycle;
				if (likely(branches) &&
				    likely(segment_branch_past_again(t, time, o, now)))
					continue;
				goto apart;
			case SEGMENT_IS_GUESS: {
				bool *guess = &run->guess[o->first];

				now = began + o->cycle;
				if (likely(o->simple) && likely(!o->branch.loops))
					*guess = segment_guess_again(time, &o->branch);
				else if (likely(o->simple) && mont_branch_loop_ready(t) <= now)
					*guess = t->s.ar.lc;
				else if (unlikely(o->simple ||
						  !segment_guess_lone(t, time, u,
								      t->fetch_va |
									      (o->word & 0xff0),
								      now, guess)))
					return segment_leave_path(t, time, run, path, o,
								  SEGMENT_LEFT_TO_DO, 0, s, id, op);
				met = *guess;
				goto look;
			}
			case SEGMENT_IS_GUARD:
				met = mont_pr(t, o->first);
				goto look;
			case SEGMENT_IS_END:
				met = 0;
				goto end;
			case SEGMENT_IS_INSN:
				break;
			}
insn:
			now = began + o->cycle;
			if ((u->code & MONT_CODE_PREDICATED) && unlikely(!mont_pr(t, u->qp))) {
off:
				on = false;
				if (u->flags & (MONT_UOP_ALWAYS | MONT_UOP_B | MONT_UOP_BRANCH))
					goto apart;
				t->countdown[0][MONT_SIG_PRED_SQUASHED].left--;
				met = MONT_MET_OFF;
				goto look;
			}
			if (o->nr < MONT_REFERENCE &&
			    likely(segment_execute(t, time, u, now, false))) {
				g = &path->group[o->at >> 3];
				so = &g->s->op[o->at & 7];
				if (o->nr < MONT_ONE_FR)
					t->own.s.results.at[t->grmap[o->nr]] = issued + o->word;
				else
					segment_results_as(t, o->nr, o->pr, issued + o->word,
							   g->s->g, so, now);
				met = MONT_MET_DONE;
				goto look;
			}
apart:
			now = began + o->cycle;
			g = &path->group[o->at >> 3];
			run->now = now;
			so = &g->s->op[o->at & 7];
			if (o->nr == MONT_BRANCH) {
				/* The branch sees this of the instruction buffer. */
				u64 next_fetch = began + (s64)g->next_fetch;

				b->next_fetch = next_fetch;
				b->pair[0] = 0;
				if (unlikely(!segment_branch(t, run, g->s,
							     t->fetch_va | (g->s->id & 0xff0), so,
							     u, on)))
					return segment_leave_path(t, time, run, path, o,
								  SEGMENT_LEFT_TO_DO, 0, s, id, op);
				met = segment_redirected(b, mont_op(u), run->leads, next_fetch);
				if (o[1].nr == MONT_END)
					goto end;
				if (unlikely(o->met != met)) {
					struct mont_path *other =
						segment_otherwise(t, run, path, o - path->op, met);

					if (!other)
						return segment_leave_branch(t, time, run, path, o,
									    met, s, id, streams);
					o = other->op + (o - path->op);
					path = other;
					if (o[1].nr == MONT_END)
						goto end;
				}
				run->leads = SEGMENT_NOWHERE;
				continue;
			}
			segment_pass_queues(t, time, run);
			if (unlikely(!on || o->nr >= MONT_PAST ||
				     !segment_apart(t, time, run, g->s, so, &met)))
				return segment_leave_path(t, time, run, path, o, SEGMENT_LEFT_TO_DO,
							  0, s, id, op);
			if (unlikely(t->own.s.stall.causes))
				return segment_leave_path(t, time, run, path, o, SEGMENT_LEFT_DONE,
							  met, s, id, op);
			goto look;
referred:
			met = segment_met_late(late);
			if (unlikely(t->own.s.stall.causes))
				return segment_leave_path(t, time, run, path, o, SEGMENT_LEFT_DONE,
							  met, s, id, op);
look:
			if (unlikely(o->met != met)) {
				struct mont_path *other =
					segment_otherwise(t, run, path, o - path->op, met);

				if (unlikely(!other))
					return segment_leave_path(t, time, run, path, o,
								  SEGMENT_LEFT_OTHERWISE, met, s,
								  id, op);
				o = other->op + (o - path->op);
				path = other;
			}
		}
end:
		run->nr += path->nr_groups;
		run->recalled += path->nr_groups;
		run->counts += path->counts;
		run->done = path->group[path->nr_groups - 1].s;
		run->now = began + path->cycles;
		run->since = run->now;
		run->to = run->leads;
		segment_pass_fetches(t, time, path->fetches);
		last = issued + path->last;
		if (t->own.s.results.last < last)
			t->own.s.results.last = last;
		for (i = 0; i < path->nr_waits; i++)
			segment_pass_wait(t, run, &path->wait[i], began);
		mont_work(t, MONT_WORK_CYCLES * path->nr_waits);
		segment_pass_queues(t, time, run);
		if (unlikely(t->attn))
			run->stop = run->now;
		if (run->to != SEGMENT_NOWHERE)
			segment_follow(t, time, run, streams);
		if (unlikely(t->fetch_va != page))
			translates = segment_translates(t, time, run, t->fetch_va);
		next = segment_led(t, memo, run, path, met);
		if (unlikely(!next))
			return segment_leave_behind(t, time, run, path, met, s, id);
		run->leaves += path->leaves;
		run->fetches += path->fetches;
		run->state = next;
	}
}

#endif
