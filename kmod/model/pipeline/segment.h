/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Segments: straight groups, one behind the other, whose cycles, counts and IP are put in place
 * once, where the segment ends.
 *
 * A group is straight if its instructions write registers alone or load integers, and no branch
 * is in it or in front of it. What a segment needs of such a group is worked out with the group
 * (struct mont_straight) and names the group behind it. Each group is fetched, waits and issues in
 * its own cycle, as others do. Left out is what only a subscriber, an interrupt or a fault could
 * see between two groups:
 *
 * - A segment begins only where every counter has room for all that its groups can count, so
 *   that none overflows in it (segment_has_room()).
 * - No group of it begins in the cycle of the next event or behind it: @deadline of the clock,
 *   or the last cycle before a counter of cycles overflows.
 * - What is not as expected is left before it has done anything: between two groups, or in front
 *   of an instruction of a group that has issued. All is put in place then, and the ordinary way
 *   goes on there: at a stall that must be looked at, a load that the L1D does not serve at once,
 *   a fault, and while counters count, at a fetch that finds less than all at hand.
 * - Where segments have been too short to pay, no more of them begin (mont_straight.poor).
 *
 * A template: timed.c includes it once.
 */
#ifndef MONT_PIPELINE_SEGMENT_H
#define MONT_PIPELINE_SEGMENT_H

#include "issue.h"
#include "wait.h"

#define SEGMENT_GROUPS 64 /* at most */
#define SEGMENT_INSNS (6 * SEGMENT_GROUPS)

/* True if no counter of what the instructions of a segment do overflows in it. */
static __always_inline bool segment_has_room(const struct mont_thread *t)
{
	return mont_signal_has_room(t, MONT_SIG_INST_RETIRED, SEGMENT_INSNS) &&
	       mont_signal_has_room(t, MONT_SIG_NOP_RETIRED, SEGMENT_INSNS) &&
	       mont_signal_has_room(t, MONT_SIG_PRED_SQUASHED, SEGMENT_INSNS) &&
	       mont_signal_has_room(t, MONT_SIG_LOAD_RETIRED, SEGMENT_INSNS) &&
	       mont_signal_has_room(t, MONT_SIG_FP_OPS, 4 * SEGMENT_INSNS) &&
	       mont_signal_has_room(t, MONT_SIG_FP_FLUSHED, 4 * SEGMENT_INSNS);
}

/*
 * True if @s is that of the straight group @id, worked out for its bundles as they are now.
 */
static __always_inline bool segment_has(const struct mont_straight *s, u64 id)
{
	return s->id == id && s->g->tag[0] == s->b[0].tag && s->g->tag[1] == s->b[1].tag;
}

/* The segment that begins at IP, if it has two groups at least; else NULL. */
static __always_inline struct mont_straight *segment_begin(const struct mont_thread *t)
{
	u64 pa = t->fetch_pa | (t->s.ip & 0xff0);
	u32 slot = t->s.slot;
	struct mont_straight *s = &t->pkg->groups->straight[mont_group_place(pa, slot, 2)];

	if (s->id == mont_group_id(pa, 2, slot, t->own.s.split, 3) && s->behind->id == s->next &&
	    s->poor < MONT_POOR && segment_has_room(t) && !t->own.s.rse.again && !t->pmu.live &&
	    !t->pmu.front)
		return s;
	return NULL;
}

/*
 * True if each fetch of a segment from IP on finds its translation in the L1 ITLB and waits for
 * nothing but its turn, if it has its line in the L1I: mont_front_fetch_hit().
 */
static __always_inline bool segment_streams(const struct mont_thread *t,
					    const struct mont_time *time)
{
	const struct mont_l1tlb *tlb = &time->s.l1itlb;
	const struct mont_buffer *b = &time->s.buffer;
	u64 at = b->next_fetch;

	return !mont_prefetch_busy(&time->s.prefetch) && b->retires[b->oldest] <= at &&
	       time->s.walked <= at && time->s.h.l1i.fills.last < at && !t->fetch_uncached &&
	       (t->s.psr & MONT_PSR_IT) &&
	       tlb->page[tlb->hint[t->s.ip >> 12 & (MONT_NR_L1TLB_HINTS - 1)]] ==
		       mont_l1tlb_page(tlb, t->s.ip) &&
	       mont_signal_has_room(t, MONT_SIG_L1I_READ, 2 * SEGMENT_GROUPS);
}

/* segment_fetch() of a pair that may meet anything. */
static noinline bool segment_fetch_any(struct mont_thread *t, struct mont_time *time, u64 ip,
				       u64 pa, u64 now, u64 *ready)
{
	t->clock = now;
	if (mont_front_fetch_hit(t, time, ip, pa, ready))
		return true;
	if (t->pmu.nr_armed)
		return false;
	*ready = mont_front_fetch(t, ip, pa);
	return true;
}

/*
 * mont_front_ready() in cycle @now; *@streams: as of segment_streams(), as long as it holds. False:
 * the fetch meets what a subscriber may have to see, and has not been made.
 */
static __always_inline bool segment_fetch(struct mont_thread *t, struct mont_time *time, u64 ip,
					  u64 pa, u64 now, bool *streams, u64 *ready)
{
	struct mont_buffer *b = &time->s.buffer;
	struct mont_l1tlb *tlb = &time->s.l1itlb;
	u64 at = b->next_fetch;

	if (mont_buffer_has(b, ip, ready))
		return true;
	if (unlikely(!*streams || !mont_l1i_recent(&time->s.h, pa, at))) {
		*streams = false;
		return segment_fetch_any(t, time, ip, pa, now, ready);
	}
	t->countdown[0][MONT_SIG_L1I_READ].left--;
	tlb->used[tlb->hint[ip >> 12 & (MONT_NR_L1TLB_HINTS - 1)]] = ++tlb->uses;
	*ready = mont_buffer_fetch(b, ip, at, at, at);
	mont_buffer_count(b, now);
	return true;
}

/* A plain load that the L1D serves in the cycle @now of its issue. False: nothing is done. */
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

/* Operations that are called. A trap, behind what it has done, is left to the ordinary way. */
static noinline bool segment_call(struct mont_thread *t, const struct mont_uop *u)
{
	return (~t->s.ar.fpsr & MONT_FP_FLAGS) == 0 && mont_execute(t, u) == MONT_NEXT;
}

/* Execute @u, which issues in cycle @now. False: nothing has been done. */
static __always_inline bool segment_execute(struct mont_thread *t, struct mont_time *time,
					    const struct mont_uop *u, u64 now)
{
	switch (u->op) {
#define SEGMENT_ALU(op)    \
	case MONT_OP_##op: \
		return mont_x_##op(t, u) == MONT_NEXT;
#define SEGMENT_NONE(op)
#define MONT_CLASS_ALU SEGMENT_ALU
#define MONT_CLASS_MMEDIA SEGMENT_NONE
#define MONT_CLASS_FP SEGMENT_NONE
#define MONT_CLASS_MEM SEGMENT_NONE
#define MONT_CLASS_BRANCH SEGMENT_NONE
#define MONT_CLASS_SYSTEM SEGMENT_NONE
#define MONT_OP(op, class, flags) MONT_CLASS_##class(op)
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
		return mont_x_SETF_SIG(t, u) == MONT_NEXT;
	case MONT_OP_GETF_SIG:
		return mont_x_GETF_SIG(t, u) == MONT_NEXT;
	case MONT_OP_XMA_L:
		return mont_x_XMA_L(t, u) == MONT_NEXT;
	default:
		return segment_call(t, u);
	}
}

/* The instruction @o of the group of the bundles from @b on. */
static __always_inline const struct mont_uop *segment_uop(const struct mont_bundle *b,
							  const struct mont_straight_op *o)
{
	return (const struct mont_uop *)b + o->at;
}

/* The predicate of @u, which is no branch, is false. */
static __always_inline void segment_squash(struct mont_thread *t, const struct mont_uop *u)
{
	if (!(u->flags & MONT_UOP_B))
		t->countdown[0][MONT_SIG_PRED_SQUASHED].left--;
}

/* Write the results of the instruction @o of @g, which issues in cycle @now. */
static __always_inline void segment_results(struct mont_thread *t, const struct mont_group *g,
					    const struct mont_straight_op *o, u64 now)
{
	u32 i = o->at / MONT_BUNDLE_UOPS;
	const struct mont_step *step = &g->step[3 * i + o->at % MONT_BUNDLE_UOPS - 1];

	mont_step_results(t, step, step->more, now);
}

/*
 * Execute the group of @s, which issues in cycle @now. Return: the instruction in front of which
 * it has been left, or NULL.
 */
static __always_inline const struct mont_straight_op *
segment_issue(struct mont_thread *t, struct mont_time *time, const struct mont_straight *s, u64 now)
{
	const struct mont_straight_op *o = s->op, *end = o + s->nr;
	u64 issued = now << MONT_RESULT_CYCLE;

	for (; o < end; o++) {
		const struct mont_uop *u = segment_uop(s->b, o);
		bool on = mont_pr(t, u->qp);

		if (unlikely(!on)) {
			if (!(u->flags & MONT_UOP_ALWAYS)) {
				segment_squash(t, u);
				continue;
			}
		}
		if (unlikely(!segment_execute(t, time, u, now)))
			return o;
		if (unlikely(!on))
			segment_squash(t, u);
		if (likely(o->nr != MONT_NO_GR))
			t->own.s.results.at[t->grmap[o->nr]] = issued + o->word;
		else
			segment_results(t, s->g, o, now);
	}
	return NULL;
}

/* @w is the window of the group of @s, at @ip. */
static __always_inline void segment_window(struct mont_window *w, const struct mont_straight *s,
					   u64 ip)
{
	w->ip = ip;
	w->from = s->id & 3;
	w->b = s->b;
	w->nr = 2;
	w->g = s->g;
	w->taken = MONT_NO_SLOT;
}

/*
 * The group of @w, whose bundles are ready, waits for its operands in cycle *@now, which becomes
 * that of its issue. False: its stall does not end before cycle @stop, or must be looked at, and
 * has not passed.
 */
static noinline bool segment_wait(struct mont_thread *t, const struct mont_window *w, u64 *counted,
				  u64 stop, u64 *now)
{
	struct mont_stall *stall = &t->own.s.stall;

	mont_window_wait(t, w, *now);
	if (!stall->causes)
		return true;
	t->countdown[0][MONT_SIG_CYCLE].left -= *now - *counted;
	*counted = *now;
	t->clock = *now;
	if (unlikely(!mont_stall_pass_unseen(t, stall, stop)))
		return false;
	*counted = t->clock;
	*now = t->clock;
	return true;
}

/* Put in place where the group of @s, the last that is done, has ended. */
static __always_inline void segment_end(struct mont_thread *t, const struct mont_straight *s)
{
	const struct mont_group *g = s->g;
	u64 ip = t->fetch_va | (s->id & 0xff0);
	u32 last = g->part[1].end ? 1 : 0;

	t->cur = s->b + last;
	t->sig_bundle = last;
	t->sig_slot = g->part[last].slot;
	t->retire_from = g->part[last].end;
	t->s.last_ip = ip + 16 * last;
	t->s.ip = ip + 16 * s->leaves;
	t->s.slot = g->part[last].next;
	t->own.s.next_ip = t->s.ip;
	t->own.s.next_slot = t->s.slot;
	t->own.s.split = g->split;
}

/* The group of @w has issued in cycle @now, and is left in front of @o: what is before it retires. */
static noinline const struct mont_uop *segment_leave(struct mont_thread *t,
						     const struct mont_window *w,
						     const struct mont_straight_op *o, u64 now)
{
	u32 i = o->at / MONT_BUNDLE_UOPS;

	if (i) {
		t->countdown[0][MONT_SIG_NOP_RETIRED].left -= w->g->part[0].nops;
		t->retire_from = w->from;
		mont_retire_part(t, w, 0, w->from, now, false);
	}
	t->sig_bundle = i;
	return segment_uop(w->b, o);
}

/**
 * segment_run() - run a segment
 * @t: thread
 * @time: its core's
 * @s: what segment_begin() has found
 * @w: filled with the group that has been left, if the segment ends in one
 * @left: groups that may begin; those that are done are taken off
 * @deadline: of the clock: no group begins in this cycle or behind it
 *
 * Return: the instruction in front of which the last group, which has issued, has been left, and
 * t->sig_bundle is its bundle; NULL: the segment has ended between two groups.
 */
static noinline const struct mont_uop *segment_run(struct mont_thread *t, struct mont_time *time,
						   struct mont_straight *s, struct mont_window *w,
						   u64 *left, u64 deadline)
{
	struct mont_straight *first = s;
	const struct mont_straight *done = NULL;
	const struct mont_straight_op *o = NULL;
	u64 insns = 0, nops = 0, nr, id = s->id, now = t->clock, counted = now;
	u64 room = t->countdown[0][MONT_SIG_CYCLE].left - 1, stop = deadline;
	bool streams = segment_streams(t, time);

	if (room > SEGMENT_GROUPS)
		room = SEGMENT_GROUPS;
	if (room > *left)
		room = *left;
	/* A group takes a cycle at least. */
	if (stop - now > room)
		stop = now + room;
	t->own.map.of[MONT_FILE_FR] = t->frmap;
	t->own.map.of[MONT_FILE_PR] = time->predicates[t->s.rrb_pr];
	for (nr = 0; now < stop && segment_has(s, id); nr++) {
		u64 ip = t->fetch_va | (id & 0xff0), pa = t->fetch_pa | (id & 0xff0);
		u64 ready, second;
		u32 k;

		if (unlikely(!segment_fetch(t, time, ip, pa, now, &streams, &ready)))
			break;
		second = ready;
		if ((ip & 16) &&
		    unlikely(!segment_fetch(t, time, ip + 16, pa + 16, now, &streams, &second)))
			break;
		if (unlikely(ready > now))
			mont_stall_until(&t->own.s.stall, MONT_CAUSE_FE, ready);
		if (unlikely(second > ready && second > now))
			break;
		/* Fetch drops the other bundle of the pair: as mont_window_form(). */
		if (unlikely(s->b[1].branches) && (ip & 16) && time->s.buffer.cut != ip + 16) {
			segment_window(w, s, ip);
			mont_window_branches_behind(t, w, now);
		}
		if (t->own.s.stall.causes ||
		    mont_operands_pending(&t->own.s.results, s->g->multimedia, now)) {
			segment_window(w, s, ip);
			if (!segment_wait(t, w, &counted, stop, &now))
				break;
			/* Work is pending: the segment ends behind this group. */
			if (unlikely(t->attn))
				stop = now;
		}
		mont_operands_issue(&t->own.s.results, s->g->longest, now);
		o = segment_issue(t, time, s, now);
		if (unlikely(o)) {
			segment_window(w, s, ip);
			break;
		}
		for (k = s->leaves; k; k--)
			mont_buffer_leave(&time->s.buffer, now);
		insns += s->insns;
		nops += s->nops;
		now++;
		if (unlikely(mont_occupied(&time->s.h.occupancy))) {
			t->clock = now;
			mont_time_occupied(t);
		}
		done = s;
		id = s->next;
		s = s->behind;
	}
	*left -= nr;
	/* To begin, and to leave a group, costs as much as a group in a segment saves. */
	first->poor = nr > 1 + !!o ? 0 : first->poor + 1;
	t->clock = now + !!o;
	t->countdown[0][MONT_SIG_CYCLE].left -= t->clock - counted;
	t->countdown[0][MONT_SIG_INST_RETIRED].left -= insns;
	t->countdown[0][MONT_SIG_NOP_RETIRED].left -= nops;
	t->s.insns += insns;
	if (likely(done))
		segment_end(t, done);
	return likely(!o) ? NULL : segment_leave(t, w, o, now);
}

#endif
