/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The execution of an issue group, stages EXE and DET (manual 2.3.1): its instructions in the
 * order of the program, slot by slot. Branches are in branch_unit.c, retirement is in retire.h.
 * Included by timed.c alone: a template.
 */
#ifndef MONT_PIPELINE_ISSUE_H
#define MONT_PIPELINE_ISSUE_H

#include "reference.h"
#include "retire.h"
#include "../exec/interruption.h"
#include "../exec/step.h"
#include "../exec/execute_hot.h"
#include "../exec/squash.h"
#include "../pmu/pmu.h"
#include "../pmu/qualify.h"

/* One instruction, which has issued. @hot: often, so that its operation is worth a copy here. */
static __always_inline enum mont_result issue_one(struct mont_thread *t, struct mont_time *time,
						  const struct mont_step *step,
						  const struct mont_uop *u, u64 issued,
						  const bool hot)
{
	enum mont_result r;

	if (unlikely(!mont_pr(t, u->qp))) {
		mont_squash(t, u);
		if (!(u->flags & MONT_UOP_ALWAYS))
			return MONT_NEXT;
	}
	r = hot ? execute_hot(t, u) : mont_execute(t, u);
	if (likely(r == MONT_NEXT || r == MONT_TAKEN || r == MONT_RELOAD))
		mont_step_done(t, time, step, issued);
	else
		mont_lsu_drain(t);
	return r;
}

/* The branch @u in t->sig_slot of bundle @i. */
static __always_inline enum mont_result issue_branch(struct mont_thread *t, struct mont_window *w,
						     u32 i, const struct mont_uop *u,
						     const struct mont_step *step, u64 issued)
{
	return mont_branch_execute(t, w->g, &w->branch[3 * i + t->sig_slot], u, step, issued,
				   &w->turn);
}

/* Slots @slot to @end of bundle @i, where one of them may have to be looked at. */
static noinline enum mont_result issue_slots(struct mont_thread *t, struct mont_window *w, u32 i,
					     u32 slot, u32 end, u64 issued)
{
	enum mont_result r = MONT_NEXT;

	for (; slot < end; slot++) {
		const struct mont_uop *u = mont_packed_uop(&w->b[i], slot);
		const struct mont_step *step;

		if (slot == 1 && mont_is_mlx(&w->b[i]))
			continue;
		t->sig_slot = slot;
		if ((u->flags & MONT_UOP_NOP) && mont_pr(t, u->qp)) {
			mont_signal(t, MONT_SIG_NOP_RETIRED, 0);
			continue;
		}
		step = mont_step_of(w->g, &w->b[i], i, slot);
		if (step->kind)
			r = issue_branch(t, w, i, u, step, issued);
		else
			r = issue_one(t, t->time, step, u, issued, false);
		if (unlikely(r != MONT_NEXT))
			return r;
	}
	return r;
}

/* Nops of @b from slot @from up to @end are counted; if @end is in front, no longer. */
static __always_inline void issue_count_nops(struct mont_thread *t, const struct mont_bundle *b,
					     u32 from, u32 end)
{
	s64 nops = (s64)mont_nops_before(b, end) - (s64)mont_nops_before(b, from);

	t->countdown[0][MONT_SIG_NOP_RETIRED].left -= nops;
}

/*
 * A return among others that do something, which may change the level: nops in front of
 * it, from slot @from on, are counted before.
 */
static noinline enum mont_result issue_return_among(struct mont_thread *t, struct mont_window *w,
						    u32 i, u32 from, const struct mont_uop *u,
						    const struct mont_step *step, u64 issued)
{
	const struct mont_bundle *b = &w->b[i];
	u32 slot = t->sig_slot;
	enum mont_result r;

	issue_count_nops(t, b, from, slot);
	r = issue_branch(t, w, i, u, step, issued);
	/* Without a change of flow these nops are counted with the others: take them back. */
	if (r == MONT_NEXT)
		issue_count_nops(t, b, slot, from);
	return r;
}

/*
 * Execute the instructions of bundle @i, from @u on, that are in the group, then count the nops
 * from slot @from on; none changes what is counted. If an instruction leaves the bundle, count
 * only the nops before it. The nops of a tagged bundle are counted as it retires.
 */
static __always_inline enum mont_result issue_live(struct mont_thread *t, struct mont_time *time,
						   struct mont_window *w, u32 i, u32 from,
						   const struct mont_uop *u, u64 issued,
						   const bool tagged)
{
	const struct mont_part *p = &w->g->part[i];
	const struct mont_bundle *b = &w->b[i];
	const struct mont_uop *last = &b->uop[p->last];
	const struct mont_step *step = &w->g->step[3 * i + (u - b->uop)];
	struct mont_tag_kind *kind = NULL;
	enum mont_result r;

	t->cur = b;
	t->sig_bundle = i;
	t->retire_from = from;
	t->sig_slot = from;
	if (tagged) {
		kind = mont_window_tags(t, w)->kind[i];
		t->tagged = kind;
	}
	for (; u < last; u++, step++) {
		u32 slot = u->flags >> MONT_UOP_SLOT_SHIFT;

		t->sig_slot = slot;
		if (tagged)
			t->sig = kind->sig[slot];
		if (unlikely(step->kind)) {
			if (!tagged && mont_op(u) == MONT_OP_BR_RET) {
				r = issue_return_among(t, w, i, from, u, step, issued);
				if (r != MONT_NEXT)
					return r;
				continue;
			}
			r = issue_branch(t, w, i, u, step, issued);
		} else {
			r = issue_one(t, time, step, u, issued, !tagged);
		}
		if (unlikely(r != MONT_NEXT)) {
			if (!tagged)
				issue_count_nops(t, b, from, slot);
			return r;
		}
	}
	if (!tagged)
		t->countdown[0][MONT_SIG_NOP_RETIRED].left -= p->nops;
	t->sig_slot = p->slot;
	return MONT_NEXT;
}

/*
 * Execute the slots of bundle @i that are in the group, up to the one that leaves it, which
 * is in t->sig_slot. @psr: PSR at its begin, if it is watched.
 */
static enum mont_result issue_bundle(struct mont_thread *t, struct mont_window *w, u32 i,
				     u64 issued, u64 psr)
{
	u32 slot = i ? 0 : w->from;
	enum mont_result r = MONT_NEXT;

	t->cur = &w->b[i];
	t->sig_bundle = i;
	t->retire_from = slot;
	t->sig_slot = slot;
	if (unlikely(w->watched)) {
		r = mont_fault_before(t, psr);
		if (r != MONT_NEXT)
			return r;
	}
	return issue_slots(t, w, i, slot, w->g->part[i].end, issued);
}

/* IP is in the middle of an MLX bundle, where no instruction begins: raise Illegal Operation. */
static noinline bool issue_none(struct mont_thread *t, const struct mont_window *w)
{
	t->cur = w->b;
	t->sig_slot = 2;
	t->retire_from = 2;
	mont_signal_empty(t);
	mont_killed(t, mont_flight_rest(t, w, 0, t->retire_from));
	return mont_interrupt(t, MONT_FAULT_ILLEGAL_OP);
}

/* Bundle @i of the group is done, or left, with @r. True if the group goes on in the next one. */
static __always_inline bool issue_goes_on(struct mont_thread *t, const struct mont_window *w, u32 i,
					  enum mont_result r)
{
	/* Behind a branch that leaves, or that was expected to, nothing is in the group. */
	return r == MONT_NEXT && w->g->part[i + 1].end && 3 * i + t->sig_slot < w->taken &&
	       !(t->own.s.stall.causes & MONT_CAUSES_FLUSH);
}

/*
 * The rest of the group, from bundle @i on, instruction by instruction. @insns, @psr: when
 * it began. True to return to the host.
 */
static noinline bool issue_rest(struct mont_thread *t, struct mont_window *w, u32 i, u64 issued,
				u64 insns, u64 psr)
{
	struct mont_time *time = t->time;
	enum mont_result r;
	bool more = false;

	do {
		r = issue_bundle(t, w, i, issued, psr);
		if (r != MONT_NEXT && r != MONT_RELOAD && r != MONT_TAKEN)
			break;
		mont_retire_bundle(t, w, i, r);
		if (r == MONT_TAKEN || !t->s.slot)
			mont_buffer_leave(&time->s.buffer, issued);
		more = !i && issue_goes_on(t, w, i, r);
		i += more;
	} while (more);
	return mont_finish(t, w, i, r, insns, psr);
}

/* Any group. True to return to the host. */
static noinline bool issue_other(struct mont_thread *t, struct mont_window *w, u64 issued)
{
	if (w->g->reads_pmu)
		mont_group_mark(t);
	if (w->from == 2 && mont_is_mlx(w->b))
		return issue_none(t, w);
	return issue_rest(t, w, 0, issued, t->s.insns, w->watched ? t->s.psr : 0);
}

/* True if the bundles of the group have tag sets (pmu/tags.h), and counters room for them. */
static __always_inline bool issue_tags_ready(struct mont_thread *t, const struct mont_window *w)
{
	return mont_window_ready(t, mont_window_tags(t, w), w->b, w->g->part[1].end ? 2 : 1);
}

/* The group has ended with @r: what is in front of that has been tagged as well. */
static __always_inline void issue_end_tags(struct mont_thread *t, enum mont_result r)
{
	if (unlikely(r != MONT_TAKEN && r != MONT_NEXT))
		mont_retire_upto(t, t->sig_slot + (r == MONT_RELOAD));
	mont_tags_end(t);
}

/* The first instruction of bundle @i that is in the group and does something. */
static __always_inline const struct mont_uop *issue_first(const struct mont_window *w, u32 i)
{
	return &w->b[i].uop[w->g->part[i].first];
}

/*
 * A plain group has ended with @r in bundle @i; @insns: retired when it began. True to return to
 * the host.
 */
static __always_inline bool issue_plain_end(struct mont_thread *t, struct mont_time *time,
					    struct mont_window *w, u32 i, enum mont_result r,
					    u64 issued, u64 insns)
{
	if (likely(r == MONT_NEXT)) {
		mont_end_group(t, w);
		return false;
	}
	if (likely(r == MONT_TAKEN)) {
		mont_buffer_leave(&time->s.buffer, issued);
		if (likely(mont_window_step(t, w, i)->kind)) {
			mont_end_group(t, w);
			return false;
		}
	} else if (r == MONT_RELOAD) {
		mont_retire_bundle(t, w, i, r);
		if (!t->s.slot)
			mont_buffer_leave(&time->s.buffer, issued);
	}
	return mont_finish(t, w, i, r, insns, 0);
}

/*
 * Execute what is left of a group, each of whose instructions is in its place, and whose nops no
 * subscriber must see, from the instruction @u of bundle @i on. @tagged: a subscriber qualifies by
 * the instruction, and the bundles are tagged.
 */
static __always_inline bool issue_plain(struct mont_thread *t, struct mont_time *time,
					struct mont_window *w, u32 i, const struct mont_uop *u,
					u64 issued, const bool tagged)
{
	u64 insns = t->s.insns - (i ? w->g->part[0].insns : 0);
	u32 from = i ? 0 : w->from;
	enum mont_result r;

	for (;;) {
		r = issue_live(t, time, w, i, from, u, issued, tagged);
		if (unlikely(r != MONT_NEXT))
			break;
		mont_retire_part(t, w, i, from, issued, tagged);
		if (i || !issue_goes_on(t, w, 0, r))
			break;
		/* The first bundle of the group may have written into the second. */
		if (unlikely(w->b[1].tag != w->g->tag[1])) {
			if (tagged)
				mont_tags_end(t);
			return issue_rest(t, w, 1, issued, insns, 0);
		}
		i = 1;
		from = 0;
		u = issue_first(w, 1);
	}
	if (tagged)
		issue_end_tags(t, r);
	return issue_plain_end(t, time, w, i, r, issued, insns);
}

/* Execute what is left of a group without instruction-qualified subscribers: issue_plain(). */
static noinline bool issue_untagged(struct mont_thread *t, struct mont_time *time,
				    struct mont_window *w, u32 i, const struct mont_uop *u,
				    u64 issued)
{
	return issue_plain(t, time, w, i, u, issued, false);
}

/* Execute a group with instruction-qualified subscribers. */
static noinline bool issue_tagged(struct mont_thread *t, struct mont_time *time,
				  struct mont_window *w, u64 issued)
{
	return issue_plain(t, time, w, 0, issue_first(w, 0), issued, true);
}

#endif
