/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ops of a path (segment_path.h) once more: fetches, instructions, predictions and branches of
 * which the path says all but what they meet. Each does what it does without paths, or nothing.
 * Included by segment_path.h alone: a template.
 */
#ifndef MONT_PIPELINE_SEGMENT_AGAIN_H
#define MONT_PIPELINE_SEGMENT_AGAIN_H

#include "path_ops.h"
#include "segment_issue.h"
#include "segment_leave.h"

/*
 * The prefetch pipe goes on to cycle @at, as mont_prefetch_run() in cycle @now, as long as the L1I
 * has what the stream asks for, which has not left the page of fetch. False: it does something
 * else.
 */
static __always_inline bool segment_prefetch_run(struct mont_thread *t, struct mont_time *time,
						 u64 at, u64 now)
{
	u64 most = time->s.h.timing.ahead * MONT_L1_LINE;
	struct mont_prefetch *p = &time->s.prefetch;

	while (p->next < at) {
		u64 va = p->stream - 1;

		if ((p->waits | p->nr) || !p->stream)
			return false;
		if (va - p->fetched > most) {
			/* A queue has the cycles to come in it. */
			if (at > now)
				return false;
			p->next = at;
			break;
		}
		if ((va & ~0xfffULL) != t->fetch_va || t->sig[MONT_SIG_L1I_STREAMED].left <= 0 ||
		    !mont_l1i_has(&time->s.h, t->fetch_pa | (va & 0xfff)))
			return false;
		t->sig[MONT_SIG_L1I_STREAMED].left--;
		p->stream += MONT_L1_LINE;
		p->next++;
	}
	return true;
}

/*
 * The pair of the bundle at @pa is fetched in cycle @at, of a group that could issue in cycle @now:
 * the L1I serves it at once, and it waits for no prefetch. False: the group is to be formed, and
 * the pair fetched once more.
 */
static __always_inline bool segment_fetch_again(struct mont_thread *t, struct mont_time *time,
						u64 pa, u64 at, u64 now)
{
	struct mont_prefetch *p = &time->s.prefetch;
	const struct mont_buffer *b = &time->s.buffer;

	if (unlikely(b->retires[b->oldest] > at))
		return false;
	if (unlikely(mont_prefetch_busy(p))) {
		if (!segment_prefetch_run(t, time, at, now))
			return false;
		mont_prefetch_fetched(p, t->fetch_va | (pa & 0xff0));
	}
	return mont_l1i_serves(&time->s.h, pa, at);
}

/* Outcome of an op of a path, or, where that is left to the caller, its kind */
enum segment_did {
	SEGMENT_DID_NOTHING,
	SEGMENT_DID_REFER, /* a reference, whose results are written */
	/* The results are to be written that enum mont_path_writes says, in its order: */
	SEGMENT_DID_GR,
	SEGMENT_DID_FR,
	SEGMENT_DID_LOAD,
	SEGMENT_DID_ANY,
	SEGMENT_IS_INSN,
	SEGMENT_IS_ON,
	SEGMENT_IS_OFF,
	SEGMENT_IS_MOVE,
	SEGMENT_IS_BRANCH,
	SEGMENT_IS_PAST,
	SEGMENT_IS_FETCH,
	SEGMENT_IS_GUESS,
	SEGMENT_IS_GUARD,
	SEGMENT_IS_END,
};

/*
 * True if a plain reference in cycle @now shows to no subscriber, and is in front of none that the
 * register stack engine makes.
 */
static __always_inline bool segment_refers_unseen(const struct mont_thread *t,
						  const struct segment *run, u64 now)
{
	return likely(run->unseen) && likely(t->own.s.rse.at <= now);
}

/*
 * The reference @ref of the op @o, of the group of @s, is issued in cycle @now: something is in its
 * way. Return: as of mont_lsu_issue().
 */
static noinline u64 segment_issue_again(struct mont_thread *t, const struct mont_straight *s,
					const struct mont_path_op *o, enum mont_lsu_code code,
					const struct mont_ref *ref, u64 now)
{
	t->cur = s->b + segment_bundle_of(&s->op[o->at & 7]);
	t->sig_slot = o->u->flags >> MONT_UOP_SLOT_SHIFT;
	t->clock = now + 1;
	mont_lsu_put(t, code, ref->va, ref->pa, ref->size, ref->kind);
	return mont_lsu_issue_plain(t);
}

/* The queues are accounted for in front of the reference that is issued in cycle @now. */
static __always_inline void segment_refer_from(struct mont_thread *t, struct mont_time *time,
					       struct segment *run, u64 now)
{
	run->now = now;
	segment_pass_queues(t, time, run);
}

/* The base of the reference @u, which issues in cycle @now, is a result. */
static __always_inline void segment_base_again(struct mont_thread *t, const struct mont_uop *u,
					       u64 now)
{
	t->own.s.results.at[t->grmap[u->r3]] =
		(now << MONT_RESULT_CYCLE) + mont_result_word[MONT_PRODUCER_ADDER];
}

/*
 * A store of @size bytes to @va has been made by the op @o of @path, with @kind as of struct
 * mont_ref: issue it in cycle @now, and add the base to the results if @update.
 */
static __always_inline enum segment_did
segment_issue_store(struct mont_thread *t, struct mont_time *time, struct segment *run,
		    const struct mont_path *path, const struct mont_path_op *o, u64 va, u32 size,
		    const u32 kind, const bool update, u64 now)
{
	struct mont_ref ref = {
		.va = va, .pa = mont_utlb_pa(&t->utlb_w, va), .size = size, .kind = kind
	};

	segment_refer_from(t, time, run, now);
	if (unlikely(!mont_pipeline_store_hit(&time->s.h, ref.pa, now)))
		(void)segment_issue_again(t, path->group[o->at >> 3].s, o, MONT_LSU_PLAIN_STORE,
					  &ref, now);
	if (update)
		segment_base_again(t, o->u, now);
	return SEGMENT_DID_REFER;
}

/* The op @o of @path stores @size bytes in cycle @now. */
static __always_inline enum segment_did
segment_store_again(struct mont_thread *t, struct mont_time *time, struct segment *run,
		    const struct mont_path *path, const struct mont_path_op *o, const u32 size,
		    const bool update, u64 now)
{
	u64 va;

	if (!segment_refers_unseen(t, run, now) ||
	    unlikely(!mont_store_move(t, o->u, size, update, &va)))
		return SEGMENT_DID_NOTHING;
	return segment_issue_store(t, time, run, path, o, va, size, 0, update, now);
}

/* As segment_store_again(), of a floating-point register, in @format. */
static __always_inline enum segment_did
segment_store_fr_again(struct mont_thread *t, struct mont_time *time, struct segment *run,
		       const struct mont_path *path, const struct mont_path_op *o,
		       const enum mont_memory_format format, const bool update, u64 now)
{
	u64 va;

	if (!segment_refers_unseen(t, run, now) ||
	    unlikely(!mont_store_fr_move(t, o->u, format, update ? MONT_MEM_BASE_IMM : 0, &va)))
		return SEGMENT_DID_NOTHING;
	return segment_issue_store(t, time, run, path, o, va, mont_fr_size(format), MONT_DATA_FP,
				   update, now);
}

/*
 * The op @o of @path loads a floating-point register in @format, in cycle @now. *@late: cycles that
 * it comes later.
 */
static __always_inline enum segment_did
segment_load_fr_again(struct mont_thread *t, struct mont_time *time, struct segment *run,
		      const struct mont_path *path, const struct mont_path_op *o,
		      const enum mont_memory_format format, const bool update, u64 now, u64 *late)
{
	struct mont_ref ref = { .size = mont_fr_size(format), .kind = MONT_DATA_FP };
	struct mont_results *results = &t->own.s.results;
	u64 ready, result;

	if (!segment_refers_unseen(t, run, now) ||
	    unlikely(!mont_load_fr_move(t, o->u, format, update ? MONT_MEM_BASE_IMM : 0, &ref.va)))
		return SEGMENT_DID_NOTHING;
	segment_refer_from(t, time, run, now);
	ref.pa = mont_utlb_pa(&t->utlb_r, ref.va);
	ready = mont_pipeline_load_fp(&time->s.h, ref.pa, now);
	if (likely(ready)) {
		*late = ready - now;
		t->sig_served = MONT_SERVED_L2D;
		mont_signal_late(t, &ref, *late + 1, now + 1);
		mont_signal_line_at(t, MONT_SIG_LOAD_SERVED, &ref, *late + 1, now + 1);
	} else {
		*late = segment_issue_again(t, path->group[o->at >> 3].s, o, MONT_LSU_PLAIN_LOAD,
					    &ref, now);
	}
	result = ((now + *late) << MONT_RESULT_CYCLE) + o->word;
	results->at[128 + t->own.map.of[MONT_FILE_FR][o->u->r1]] = result;
	if (results->last < result)
		results->last = result;
	if (update)
		segment_base_again(t, o->u, now);
	return SEGMENT_DID_REFER;
}

/* The direction predicted of @b: mont_branch_direction(). */
static __always_inline bool segment_guess_again(const struct mont_time *time,
						const struct mont_path_branch *b)
{
	const struct mont_l2b *e = &time->s.predictor.l2b[b->entry];

	return b->fixed || e->tag != b->tag ? b->hinted : mont_l2b_direction(e);
}

/*
 * The branch @o, which issues in cycle @now, does what its path says, as mont_branch_lone(); where
 * it leads fetch elsewhere, without a bubble. False: nothing has been done.
 */
static __always_inline bool segment_branch_again(struct mont_thread *t, struct mont_time *time,
						 struct segment *run, const struct mont_path *path,
						 const struct mont_path_op *o, u64 now)
{
	const struct mont_path_branch *branch = &o->branch;
	struct mont_predictor *p = &time->s.predictor;
	u64 ip = t->fetch_va | (o->word & 0xff0);
	struct mont_l1b *l1b = &p->l1b[ip >> 4 & (MONT_NR_L1B - 1)];
	bool there = l1b->source == (ip | 3);
	bool taken = branch->loops ? t->s.ar.lc : mont_pr(t, branch->qp);

	if (unlikely(taken ? !there || time->s.prefetch.stream : there && branch->loops) ||
	    unlikely(o->met != (taken ? MONT_MET_TAKEN | MONT_MET_RESTEERED : 0)))
		return false;
	mont_buffer_branch(&time->s.buffer, time->s.h.timing.brq, now + MONT_WRITTEN_BACK);
	t->sig_outcome = 0;
	t->countdown[0][taken ? MONT_SIG_BR_TAKEN_IPREL : MONT_SIG_BR_NOT_TAKEN_IPREL].left--;
	t->countdown[0][MONT_SIG_BRANCH_RETIRED].left--;
	if (branch->loops) {
		const struct mont_path_group *g = &path->group[o->at >> 3];

		t->own.s.loop.known = mont_branch_loop_ready(t);
		t->own.s.loop.issued = now;
		t->s.ar.lc -= taken;
		segment_results(t, g->s->g, &g->s->op[o->at & 7], now);
	}
	if (!branch->fixed)
		mont_l2b_learn(&p->l2b[branch->entry], branch->tag, branch->hinted, taken);
	run->leads = SEGMENT_NOWHERE;
	if (!taken)
		return true;
	t->s.last_slot = 2;
	l1b->target = t->fetch_va | o->word >> 16;
	if (o[1].nr == MONT_END)
		run->leads = l1b->target;
	return true;
}

/*
 * The branch @o of a path, which issues in cycle @now, is not taken. False: nothing has been done.
 */
static __always_inline bool segment_branch_past_again(struct mont_thread *t, struct mont_time *time,
						      const struct mont_path_op *o, u64 now)
{
	const struct mont_path_branch *branch = &o->branch;
	struct mont_predictor *p = &time->s.predictor;

	if (unlikely(!o->simple || mont_pr(t, branch->qp)))
		return false;
	mont_buffer_branch(&time->s.buffer, time->s.h.timing.brq, now + MONT_WRITTEN_BACK);
	t->sig_outcome = 0;
	t->countdown[0][MONT_SIG_BR_NOT_TAKEN_IPREL].left--;
	t->countdown[0][MONT_SIG_BRANCH_RETIRED].left--;
	if (!branch->fixed)
		mont_l2b_learn(&p->l2b[branch->entry], branch->tag, branch->hinted, false);
	return true;
}

/* An instruction of @kind has executed, if @done. */
static __always_inline enum segment_did segment_did(const enum mont_path_kind kind, bool done)
{
	return likely(done) ? SEGMENT_DID_GR + mont_path_writes(kind) : SEGMENT_DID_NOTHING;
}

/*
 * Execute the instruction @o of @path, of @kind, a path that has begun in cycle @began. *@late: of
 * a reference, the cycles that its result comes later.
 */
static __always_inline enum segment_did
segment_execute_again(struct mont_thread *t, struct mont_time *time, struct segment *run,
		      const struct mont_path *path, const struct mont_path_op *o,
		      enum mont_path_kind kind, u64 began, u64 *late)
{
	const struct mont_uop *u = o->u;

	switch (kind) {
#define SEGMENT_IS(what)       \
	case MONT_PATH_##what: \
		return SEGMENT_IS_##what;
		SEGMENT_IS(INSN)
		SEGMENT_IS(ON)
		SEGMENT_IS(OFF)
		SEGMENT_IS(MOVE)
		SEGMENT_IS(BRANCH)
		SEGMENT_IS(PAST)
		SEGMENT_IS(FETCH)
		SEGMENT_IS(GUESS)
		SEGMENT_IS(GUARD)
		SEGMENT_IS(END)
#undef SEGMENT_IS
#define MONT_PATH_OP(op, results) \
	case MONT_PATH_##op:      \
		return segment_did(MONT_PATH_##op, mont_x_##op(t, u) == MONT_NEXT);
#define MONT_PATH_FP(op, results)                  \
	case MONT_PATH_##op:                       \
		return segment_did(MONT_PATH_##op, \
				   segment_may_call(t) && mont_x_##op(t, u) == MONT_NEXT);
#define MONT_PATH_LOAD(bytes)                                                                 \
	case MONT_PATH_LD##bytes:                                                             \
		return segment_did(MONT_PATH_LD##bytes,                                       \
				   segment_load(t, time, u, bytes, false, began + o->cycle)); \
	case MONT_PATH_LD##bytes##_I:                                                         \
		return segment_did(MONT_PATH_LD##bytes##_I,                                   \
				   segment_load(t, time, u, bytes, true, began + o->cycle));
#define MONT_PATH_STORE(op, bytes)                                                                 \
	case MONT_PATH_##op:                                                                       \
		return segment_store_again(t, time, run, path, o, bytes, false, began + o->cycle); \
	case MONT_PATH_##op##_I:                                                                   \
		return segment_store_again(t, time, run, path, o, bytes, true, began + o->cycle);
#define MONT_PATH_STORE_FR(op, format)                                                            \
	case MONT_PATH_##op:                                                                      \
		return segment_store_fr_again(t, time, run, path, o, MONT_FORMAT_##format, false, \
					      began + o->cycle);                                  \
	case MONT_PATH_##op##_I:                                                                  \
		return segment_store_fr_again(t, time, run, path, o, MONT_FORMAT_##format, true,  \
					      began + o->cycle);
#define MONT_PATH_LOAD_FR(op, format)                                                            \
	case MONT_PATH_##op:                                                                     \
		return segment_load_fr_again(t, time, run, path, o, MONT_FORMAT_##format, false, \
					     began + o->cycle, late);                            \
	case MONT_PATH_##op##_I:                                                                 \
		return segment_load_fr_again(t, time, run, path, o, MONT_FORMAT_##format, true,  \
					     began + o->cycle, late);
#include "path_ops.def"
	case MONT_NR_PATH_KINDS:
		break;
	}
	/* There are no more kinds: the switch needs no bound. */
	__builtin_unreachable();
}

#endif
