/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The execution of a group of a segment (segment.h). Most instructions write their results and no
 * more: integer operations, and loads that the L1D serves. References are made and issued without
 * retiring (segment_refer(), segment_access()), and a branch that ends its group leaves where it
 * leads to (segment_branch.h); alloc, checks of the ALAT and moves of application registers write
 * registers (segment_move()). Each other instruction executes as outside of segments, behind all
 * that is in front of it has been put in place (segment_other()). Included by segment_path.h alone:
 * a template.
 */
#ifndef MONT_PIPELINE_SEGMENT_ISSUE_H
#define MONT_PIPELINE_SEGMENT_ISSUE_H

#include "segment_branch.h"
#include "../event/assert.h"

/* The mont_path_op.met of a reference with its result @late cycles later */
static __always_inline u32 segment_met_late(u64 late)
{
	return late < MONT_BIT(MONT_LATE_BITS) - 1 ? late + 1 : MONT_MET_OFF;
}

/* A plain load that the L1D serves in the cycle @now of its issue. False: nothing has been done. */
static __always_inline bool segment_load(struct mont_thread *t, struct mont_time *time,
					 const struct mont_uop *u, const u32 size,
					 const bool update, u64 now)
{
	u8 p1 = t->grmap[u->r1], p3 = t->grmap[u->r3];
	u64 va = t->s.gr[p3], v;

	if (unlikely(!p1 || t->s.nat[p3] || (update && (!p3 || p1 == p3)) ||
		     !mont_utlb_hit(mont_utlb_r(t, va), va, size) || t->own.s.rse.at > now ||
		     !mont_pipeline_hit(&time->s.h, &time->s.l1dtlb, va,
					mont_utlb_pa(&t->utlb_r, va), now)))
		return false;
	(void)mont_load(t, va, size, &v);
	t->s.gr[p1] = v;
	t->s.nat[p1] = 0;
	if (update)
		t->s.gr[p3] = va + u->imm;
	t->countdown[0][MONT_SIG_LOAD_RETIRED].left--;
	return true;
}

/* True if no operation raises a trap behind what it has done: that is left to the ordinary way. */
static __always_inline bool segment_may_call(const struct mont_thread *t)
{
	return likely((~t->s.ar.fpsr & MONT_FP_FLAGS) == 0);
}

/* Operations that are called. */
static noinline bool segment_call(struct mont_thread *t, const struct mont_uop *u)
{
	return segment_may_call(t) && mont_execute(t, u) == MONT_NEXT;
}

/*
 * Execute @u, which issues in cycle @now. @hot: often, so that its operation is worth a copy here.
 * False: nothing has been done.
 */
static __always_inline bool segment_execute(struct mont_thread *t, struct mont_time *time,
					    const struct mont_uop *u, u64 now, const bool hot)
{
	switch (mont_op(u)) {
#define SEGMENT_ALU(op)    \
	case MONT_OP_##op: \
		return hot ? mont_x_##op(t, u) == MONT_NEXT : segment_call(t, u);
#define SEGMENT_NONE(op)
#define MONT_CLASS_ALU SEGMENT_ALU
#define MONT_CLASS_MMEDIA SEGMENT_NONE
#define MONT_CLASS_FP SEGMENT_NONE
#define MONT_CLASS_MEM SEGMENT_NONE
#define MONT_CLASS_BRANCH SEGMENT_NONE
#define MONT_CLASS_SYSTEM SEGMENT_NONE
#define MONT_OP(op, class, flags)
#define MONT_HOT_OP(op, class, flags) MONT_CLASS_##class(op)
#include "../isa/ops.def"
#undef MONT_OP
#undef MONT_CLASS_ALU
#undef MONT_CLASS_MMEDIA
#undef MONT_CLASS_FP
#undef MONT_CLASS_MEM
#undef MONT_CLASS_BRANCH
#undef MONT_CLASS_SYSTEM
#undef SEGMENT_ALU
#undef SEGMENT_NONE
#define SEGMENT_LOADS(n)                                        \
	case MONT_OP_LD##n:                                     \
		return segment_load(t, time, u, n, false, now); \
	case MONT_OP_LD##n##_I:                                 \
		return segment_load(t, time, u, n, true, now);
		SEGMENT_LOADS(1)
		SEGMENT_LOADS(2)
		SEGMENT_LOADS(4)
		SEGMENT_LOADS(8)
#undef SEGMENT_LOADS
	case MONT_OP_SETF_SIG:
		return hot ? mont_x_SETF_SIG(t, u) == MONT_NEXT : segment_call(t, u);
	case MONT_OP_GETF_SIG:
		return hot ? mont_x_GETF_SIG(t, u) == MONT_NEXT : segment_call(t, u);
	case MONT_OP_XMA_L:
		return hot ? mont_x_XMA_L(t, u) == MONT_NEXT : segment_call(t, u);
	case MONT_OP_FMA:
		if (!hot)
			return segment_call(t, u);
		return segment_may_call(t) && mont_x_FMA(t, u) == MONT_NEXT;
	case MONT_OP_FMA_D:
		if (!hot)
			return segment_call(t, u);
		return segment_may_call(t) && mont_x_FMA_D(t, u) == MONT_NEXT;
	case MONT_OP_FNMA:
		if (!hot)
			return segment_call(t, u);
		return segment_may_call(t) && mont_x_FNMA(t, u) == MONT_NEXT;
	default:
		return segment_call(t, u);
	}
}

/* True if the references of @insns instructions that are issued show to no subscriber. */
static __always_inline bool segment_unseen(const struct mont_thread *t, const u32 insns)
{
	return !t->pmu.heard && mont_signal_has_room(t, MONT_SIG_LOAD_SERVED, insns) &&
	       mont_signal_has_room(t, MONT_SIG_LOAD_LATE, insns) &&
	       mont_signal_has_room(t, MONT_SIG_DTLB_SERVED, insns) &&
	       mont_signal_has_room(t, MONT_SIG_REPLAYED, MONT_NR_HOLDS * insns);
}

/*
 * Make the reference of @u, if it is one of these, with a page at hand, and neither faults nor
 * traps. False: nothing has been done.
 */
static __always_inline bool segment_make(struct mont_thread *t, const struct mont_uop *u)
{
	switch (mont_op(u)) {
#define SEGMENT_REFERENCE(op) \
	case MONT_OP_##op:    \
		return mont_quick_##op(t, u);
#define SEGMENT_REFERENCES(op) SEGMENT_REFERENCE(op) SEGMENT_REFERENCE(op##_I)
		SEGMENT_REFERENCES(LD1)
		SEGMENT_REFERENCES(LD2)
		SEGMENT_REFERENCES(LD4)
		SEGMENT_REFERENCES(LD8)
		SEGMENT_REFERENCES(ST1)
		SEGMENT_REFERENCES(ST2)
		SEGMENT_REFERENCES(ST4)
		SEGMENT_REFERENCES(ST8)
		SEGMENT_REFERENCES(LDFS)
		SEGMENT_REFERENCES(LDFD)
		SEGMENT_REFERENCES(LDF8)
		SEGMENT_REFERENCES(STFS)
		SEGMENT_REFERENCES(STFD)
		SEGMENT_REFERENCES(STF8)
		SEGMENT_REFERENCES(STF_SPILL)
#undef SEGMENT_REFERENCES
#undef SEGMENT_REFERENCE
	default:
		return false;
	}
}

/*
 * Issue the plain reference that @u has left in the log in cycle @now, of which no subscriber must
 * see what it meets, if nothing is in its way: a store, or a load of a floating-point register.
 * False: nothing has been done. *@late: cycles are added as of mont_lsu_issue().
 */
static __always_inline bool segment_refer_at_once(struct mont_thread *t, struct mont_time *time,
						  const struct mont_uop *u, u64 now, u64 *late)
{
	const struct mont_lsu_op *r = &time->lsu_log.entry[0];
	u64 ready;

	if (r->code == MONT_LSU_PLAIN_STORE) {
		if (unlikely((u->r4 & MONT_REF_REL) ||
			     !mont_pipeline_store_hit(&time->s.h, r->ref.pa, now)))
			return false;
	} else {
		if (r->ref.kind != MONT_DATA_FP)
			return false;
		ready = mont_pipeline_load_fp(&time->s.h, r->ref.pa, now);
		if (unlikely(!ready))
			return false;
		t->sig_served = MONT_SERVED_L2D;
		mont_signal_late(t, &r->ref, ready - now + 1, now + 1);
		mont_signal_line_at(t, MONT_SIG_LOAD_SERVED, &r->ref, ready - now + 1, now + 1);
		*late += ready - now;
	}
	time->lsu_log.nr = 0;
	return true;
}

/*
 * The instruction @o of the group of @s, if it is a plain reference: it is made and issued, with no
 * more in place than that needs; its result is *@added cycles later. False: nothing has been done.
 */
static noinline bool segment_refer(struct mont_thread *t, struct mont_time *time,
				   const struct segment *run, const struct mont_straight *s,
				   const struct mont_straight_op *o, u64 *added)
{
	const struct mont_uop *u = segment_uop(s->b, o);
	u32 i = segment_bundle_of(o);
	const struct mont_step *step;
	u64 late;

	/* Where a segment has no room for all that it may refer to, one reference can have it. */
	if (unlikely((!run->unseen && !segment_unseen(t, 1)) || t->own.s.rse.at > run->now))
		return false;
	t->cur = s->b + i;
	t->sig_slot = u->flags >> MONT_UOP_SLOT_SHIFT;
	t->clock = run->now + 1;
	if (unlikely(!segment_make(t, u)))
		return false;
	/* The L1D does not serve it at once: segment_load() has asked for loads that it could. */
	step = segment_step(s->g, o);
	late = step->more;
	if (unlikely(!run->unseen))
		late += mont_lsu_issue(t);
	else if (!segment_refer_at_once(t, time, u, run->now, &late))
		late += mont_lsu_issue_plain(t);
	mont_step_results(t, step, late, run->now);
	*added = late;
	return true;
}

/*
 * The instruction @o of the group of @s, alloc, a check of the ALAT or a move of an application
 * register, executes, if it neither makes references nor branches or faults. False: nothing has
 * been done.
 */
static noinline bool segment_move(struct mont_thread *t, const struct segment *run,
				  const struct mont_straight *s, const struct mont_straight_op *o)
{
	const struct mont_uop *u = segment_uop(s->b, o);
	enum mont_result r;

	switch (mont_op(u)) {
	case MONT_OP_ALLOC:
		/* The engine stores registers where there is no room for the frame. */
		if (unlikely(t->s.ndirty > MONT_NR_STACKED - (s32)(u->imm & 0xff)))
			return false;
		r = mont_x_ALLOC(t, u);
		break;
	case MONT_OP_CHK_A_GR_NC:
	case MONT_OP_CHK_A_GR_CLR:
		/* Without an entry it branches. */
		if (unlikely(!mont_signal_has_room(t, MONT_SIG_ALAT_CHECK, 1) ||
			     !mont_alat_check(t, mont_alat_gr(t, u->r1), false)))
			return false;
		r = mont_execute(t, u);
		break;
	case MONT_OP_MOV_TO_AR:
		r = mont_x_MOV_TO_AR(t, u);
		break;
	case MONT_OP_MOV_TO_AR_IMM:
		r = mont_x_MOV_TO_AR_IMM(t, u);
		break;
	default:
		r = mont_x_MOV_FROM_AR(t, u);
	}
	if (unlikely(r != MONT_NEXT))
		return false;
	segment_results(t, s->g, o, run->now);
	return true;
}

/*
 * True if @u, as of @o, neither faults, as its page is at hand, nor shows its reference to a
 * subscriber.
 */
static bool segment_may_access(const struct mont_thread *t, const struct segment *run,
			       const struct mont_straight_op *o, const struct mont_uop *u)
{
	u8 p1 = t->grmap[u->r1], p3 = t->grmap[u->r3];
	bool store = o->pr[1] & MONT_ACCESS_STORE;
	u64 va = t->s.gr[p3];

	if (o->pr[1] & MONT_ACCESS_FP) {
		u8 f = store ? u->r2 : u->r1;

		if (f < 2 ? !store : mont_fr_disabled(t, f))
			return false;
		/* stf.spill stores a NaTVal too: it seldom does, and the ordinary way can have it. */
		if (store && mont_fr_is_natval(mont_fr(t, f)))
			return false;
	} else if (store ? (o->pr[1] & MONT_ACCESS_PLAIN) && mont_nat(t, u->r2) : !p1 || p1 == p3) {
		return false;
	}
	if (!p3 || t->s.nat[p3] || t->own.s.rse.at > run->now)
		return false;
	if (!mont_utlb_hit(store ? mont_utlb_w(t, va) : mont_utlb_r(t, va), va, o->pr[0]))
		return false;
	return (run->unseen || segment_unseen(t, 1)) &&
	       mont_signal_has_room(t, MONT_SIG_LOAD_HIT, 1) &&
	       mont_signal_has_room(t, MONT_SIG_LOAD_RETIRED, 1) &&
	       mont_signal_has_room(t, MONT_SIG_STORE_RETIRED, 1) &&
	       mont_signal_has_room(t, MONT_SIG_ALAT_CHECK, 1) &&
	       mont_signal_has_room(t, MONT_SIG_ALAT_REPLACED, 1);
}

/*
 * The instruction @o of the group of @s, a reference, executes and is issued as outside of
 * segments, with no more in place than segment_refer() has; its result is *@added cycles later.
 * False: nothing has been done.
 */
static noinline bool segment_access(struct mont_thread *t, struct mont_time *time,
				    const struct segment *run, const struct mont_straight *s,
				    const struct mont_straight_op *o, u64 *added)
{
	const struct mont_uop *u = segment_uop(s->b, o);
	const struct mont_step *step = segment_step(s->g, o);
	enum mont_result r;
	u64 late;

	if (unlikely(!segment_may_access(t, run, o, u)))
		return false;
	t->cur = s->b + segment_bundle_of(o);
	t->sig_slot = u->flags >> MONT_UOP_SLOT_SHIFT;
	t->clock = run->now + 1;
	r = mont_execute(t, u);
	MONT_ASSERT(t, r == MONT_NEXT, "segments: a reference to a page at hand does not fault");
	late = step->more;
	/* A check load that finds its entry makes no reference. */
	if (time->lsu_log.nr)
		late += mont_lsu_issue(t);
	mont_step_results(t, step, late, run->now);
	*added = late;
	return true;
}

/*
 * The instruction @o of the group of @s executes as outside of segments. False: the segment does
 * not go on behind it with the same group: run->r.
 */
static noinline bool segment_other(struct mont_thread *t, struct mont_time *time,
				   struct segment *run, const struct mont_straight *s, u64 ip,
				   const struct mont_straight_op *o)
{
	const struct mont_uop *u = segment_uop(s->b, o);
	struct mont_window *w = run->w;
	u32 i = segment_bundle_of(o), slot = u->flags >> MONT_UOP_SLOT_SHIFT, from;
	const struct mont_step *step;
	enum mont_result r;

	segment_place(t, run, s, ip, i);
	t->sig_slot = slot;
	from = t->retire_from;
	step = segment_step(w->g, o);
	segment_unknown(run, SEGMENT_LAST);
	if (!step->kind)
		r = issue_one(t, time, step, u, run->now, false);
	else if (mont_op(u) == MONT_OP_BR_RET)
		r = issue_return_among(t, w, i, from, u, step, run->now);
	else
		r = issue_branch(t, w, i, u, step, run->now);
	run->r = r;
	if (likely(r == MONT_NEXT)) {
		/* Behind a branch that was thought to be taken nothing is in the group. */
		if (w->turn.known || (t->own.s.stall.causes & MONT_CAUSES_FLUSH))
			return o + 1 == s->op + s->nr && (i || !w->g->part[1].end);
		/* A store may have written into the second bundle. */
		return i || !w->g->tag[1] || w->b[1].tag == w->g->tag[1];
	}
	if (mont_op(u) != MONT_OP_BR_RET)
		issue_count_nops(t, &w->b[i], from, slot);
	return false;
}

/*
 * The instruction @o of the group of @s executes, with the group in cycle run->now, without
 * anything put in place: a reference, or as of segment_move(). False: nothing has been done.
 */
static __always_inline bool segment_apart(struct mont_thread *t, struct mont_time *time,
					  struct segment *run, const struct mont_straight *s,
					  const struct mont_straight_op *o, u32 *met)
{
	u64 late;

	*met = MONT_MET_DONE;
	if (o->nr == MONT_MOVE)
		return segment_move(t, run, s, o);
	if (!(o->nr != MONT_ACCESS && segment_refer(t, time, run, s, o, &late)) &&
	    !(o->nr >= MONT_REFERENCE && segment_access(t, time, run, s, o, &late)))
		return false;
	*met = segment_met_late(late);
	return true;
}

/*
 * Execute the group of @s, at @ip, from instruction @o on. Return: the instruction behind which the
 * segment does not go on with the group, or NULL.
 */
static __always_inline const struct mont_straight_op *
segment_issue(struct mont_thread *t, struct mont_time *time, struct segment *run,
	      const struct mont_straight *s, u64 ip, const struct mont_straight_op *o,
	      const bool notes)
{
	const struct mont_straight_op *end = s->op + s->nr;
	u64 now = run->now, issued = now << MONT_RESULT_CYCLE;

	for (; o < end; o++) {
		const struct mont_uop *u = segment_uop(s->b, o);
		bool on = true;
		u32 met;

		if ((u->code & MONT_CODE_PREDICATED) && unlikely(!mont_pr(t, u->qp))) {
			on = false;
			/* A branch that is off is one that is not taken: brl is in the X unit. */
			if (u->flags & (MONT_UOP_ALWAYS | MONT_UOP_B | MONT_UOP_BRANCH))
				goto apart;
			if (notes)
				run->met |= 1u << (o - s->op);
			t->countdown[0][MONT_SIG_PRED_SQUASHED].left--;
			continue;
		}
		if (unlikely(o->nr >= MONT_REFERENCE ||
			     !segment_execute(t, time, u, now, !notes))) {
apart:
			if (o->nr == MONT_BRANCH &&
			    (likely(segment_branch(t, run, s, ip, o, u, on)) ||
			     segment_branch_missed(t, run, s, ip, o, u, on)))
				return NULL;
			if (o->nr == MONT_PAST &&
			    likely(segment_branch_past(t, run, s, ip, o, u, on)))
				continue;
			if (likely(on) && o->nr < MONT_BRANCH &&
			    segment_apart(t, time, run, s, o, &met)) {
				if (notes && unlikely(met == MONT_MET_OFF))
					segment_unknown(run, SEGMENT_CHANCE);
				if (notes)
					run->late |= (u64)(met & (MONT_BIT(MONT_LATE_BITS) - 1))
						     << MONT_LATE_BITS * (o - s->op);
				continue;
			}
			if (unlikely(!segment_other(t, time, run, s, ip, o)))
				return o;
			continue;
		}
		if (likely(o->nr < MONT_ONE_FR))
			t->own.s.results.at[t->grmap[o->nr]] = issued + o->word;
		else
			segment_results_as(t, o->nr, o->pr, issued + o->word, s->g, o, now);
	}
	return NULL;
}

#endif
