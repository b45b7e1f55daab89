/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Branches of a segment (segment.h) of a bundle that needs no window: an IP-relative br.cond with
 * more of its group behind it, which is predicted rightly and not taken, or the branch that ends
 * the group, which leaves where it leads to; of an IP-relative br.cond the direction may be
 * mispredicted. Included by segment_form.h and segment_issue.h: a template.
 */
#ifndef MONT_PIPELINE_SEGMENT_BRANCH_H
#define MONT_PIPELINE_SEGMENT_BRANCH_H

#include "segment_place.h"

/*
 * Predict the lone branch @u of the bundle at @ip, whose group could issue in cycle @since:
 * *@guess. False: it is to be predicted as others are.
 */
static __always_inline bool segment_guess_lone(const struct mont_thread *t,
					       const struct mont_time *time,
					       const struct mont_uop *u, u64 ip, u64 since,
					       bool *guess)
{
	u8 kind = mont_branch_kind[mont_op(u)];
	struct mont_branch_at at = mont_branch_lone_at(ip, u, kind);
	bool asked;

	if (kind == MONT_KIND_LOOP)
		return mont_branch_loop_guess(t, u, since, guess);
	*guess = mont_branch_direction(&time->s.predictor, &at, &asked);
	/* An indirect branch is predicted to go where it has gone last. */
	return kind != MONT_KIND_INDIRECT || !*guess || mont_branch_register_is_known(t, u, since);
}

/* Predict the first branch of bundle @i, at @ip, of the group of @s: one of a pair. */
static __always_inline bool segment_guess_first(const struct mont_time *time,
						const struct mont_straight *s, u32 i, u64 ip)
{
	struct mont_branch_at at =
		mont_branch_lone_at(ip, &s->b[i].uop[s->b[i].at[1]], MONT_KIND_IPREL);
	bool asked;

	return mont_branch_direction(&time->s.predictor, &at, &asked);
}

/* The branch @u of the group of @s, its last instruction. False: nothing has been done. */
static __always_inline bool segment_branch(struct mont_thread *t, struct segment *run,
					   const struct mont_straight *s, u64 ip,
					   const struct mont_straight_op *o,
					   const struct mont_uop *u, bool on)
{
	u32 i = segment_bundle_of(o);
	const struct mont_step *step = segment_step(s->g, o);
	u64 target = step->kind >= MONT_KIND_RETURN ? t->s.br[u->r2] : ip + 16 * i + u->imm;
	bool guess = run->guess[i];

	if (unlikely(run->formed || (guess && !mont_fetch_is_known(t, target))) ||
	    !mont_branch_lone(t, ip + 16 * i, u, step, guess, on, run->now))
		return false;
	if (guess) {
		run->leads = target & ~15ULL;
		t->s.last_slot = 2;
	}
	/* Calls, returns and br.ctop rename. */
	if (step->kind != MONT_KIND_IPREL)
		segment_rename(t, t->time);
	return true;
}

/*
 * The branch @u of the group of @s, its last instruction, if it is an IP-relative br.cond whose
 * direction was mispredicted. False: nothing has been done.
 */
static noinline bool segment_branch_missed(struct mont_thread *t, struct segment *run,
					   const struct mont_straight *s, u64 ip,
					   const struct mont_straight_op *o,
					   const struct mont_uop *u, bool on)
{
	u32 i = segment_bundle_of(o);

	/* A path that is made leaves it to others. */
	if (run->formed || run->makes || on == run->guess[i] ||
	    segment_step(s->g, o)->kind != MONT_KIND_IPREL ||
	    (on && unlikely(!mont_fetch_is_known(t, ip + 16 * i + u->imm))) ||
	    !mont_branch_missed(t, ip + 16 * i, u, on, i, run->now, &run->w->turn))
		return false;
	run->w->turn.split = s->g->split;
	run->retired = i;
	if (on) {
		run->leads = (ip + 16 * i + u->imm) & ~15ULL;
		t->s.last_slot = 2;
	}
	return true;
}

/* Find the branches of the group of @s that have executed, all in front of its instruction @o. */
static void segment_find_past(struct segment *run, const struct mont_straight *s,
			      const struct mont_straight_op *o)
{
	const struct mont_straight_op *past;

	for (past = s->op; past < o; past++) {
		u32 i = segment_bundle_of(past);

		if (past->nr != MONT_PAST)
			continue;
		run->past &= ~(3 << 4 * i);
		run->past |= ((segment_uop(s->b, past)->flags >> MONT_UOP_SLOT_SHIFT) + 1) << 4 * i;
	}
}

/*
 * The branch @u of the group of @s, which is behind none that is taken, is predicted not to be
 * taken, and is not if it is not @on. False: nothing has been done.
 */
static __always_inline bool segment_branch_past(struct mont_thread *t, struct segment *run,
						const struct mont_straight *s, u64 ip,
						const struct mont_straight_op *o,
						const struct mont_uop *u, bool on)
{
	u32 i = segment_bundle_of(o);

	if (unlikely(run->formed || on) ||
	    !mont_branch_lone(t, ip + 16 * i, u, segment_step(s->g, o), false, false, run->now))
		return false;
	run->past &= ~(3 << 4 * i);
	run->past |= ((u->flags >> MONT_UOP_SLOT_SHIFT) + 1) << 4 * i;
	return true;
}

#endif
