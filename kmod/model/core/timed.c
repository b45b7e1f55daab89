// SPDX-License-Identifier: GPL-2.0-only
/*
 * The timed mode: groups as the pipeline forms them, in the cycles it takes
 * (manual 2.3.1, 2.3.2 and 4.6).
 *
 * A group goes through the stages in one step: its bundles are pulled out of the
 * instruction buffer, dispersed, wait for their operands, execute in the order of
 * the program, and leave results behind with the cycle each can be used in.
 */
#define MONT_KEEPS_TIME(t) true
#include "branch_unit.h"
#include "pipeline.h"
#include "run.h"
#include "execute_hot.h"
#include "../mem/mem.h"
#include "../platform/platform.h"
#include "../pmu/pmu.h"

/* Physical predicates under each rotation (SDM volume 1, 4.5.1). */
static void map_predicates(struct mont_time *time)
{
	u32 rrb, n;

	for (rrb = 0; rrb < MONT_ARRAY_SIZE(time->predicates); rrb++)
		for (n = 0; n < 64; n++)
			time->predicates[rrb][n] = n < 16 ? n : 16 + (n - 16 + rrb) % 48;
}

#define NO_SLOT 6 /* of the six in the window: no branch predicted taken */

/**
 * struct window - the bundles of one group
 * @ip: of the first
 * @b: the first, decoded; the second lies behind it
 * @nr: 1 or 2
 * @watched: somebody looks at the instruction at @from: it is a group of its own
 * @from: slot of the first that dispersal begins at
 * @taken: slot, of six, that is predicted to be a taken branch; NO_SLOT
 * @branch: by slot, of six: its branches
 * @g: the group, worked out
 * @since: the first cycle in which it could have issued
 */
struct window {
	u64 ip;
	struct mont_bundle *b;
	u32 nr;
	bool watched;
	u32 from;
	u32 taken;
	struct mont_branch_slot branch[6];
	struct mont_group *g;
	u64 since;
};

/* The groups of @nr bundles from the one at @pa on are forgotten; others in their places stay. */
static void forget_from(struct mont_time *time, u64 pa, u32 nr)
{
	u32 from;

	for (from = 0; from < 3; from++) {
		struct mont_group *g = &time->group[mont_group_place(pa, from, nr)];

		if ((g->tag[0] ^ pa) <= MONT_TAG_BITS)
			g->key = 0;
	}
}

void mont_groups_forget(struct mont_time *time, u64 pa)
{
	forget_from(time, pa, 1);
	forget_from(time, pa, 2);
	/* The bundle before it may have it as its second. */
	forget_from(time, pa - 16, 2);
}

/* The group of @w, of @nr bundles from @pa on, which ends behind slot @last of the first. */
static __always_inline void find_group(struct mont_thread *t, struct window *w, u64 pa,
				       const u32 nr, u32 last)
{
	w->nr = nr;
	w->g = mont_group_take(t, w->b, pa, nr, w->from, t->time->s.split, last);
}

/* The first slot of bundle @i, from @slot on, that is predicted to be taken; 3: none. */
static __always_inline u32 predict_bundle(struct mont_thread *t, struct window *w, u32 i, u32 slot,
					  u64 now)
{
	if (!(w->b[i].branches >> slot))
		return 3;
	return mont_branches_predict(t, w->ip + 16 * i, &w->b[i], slot, now, &w->branch[3 * i]);
}

/* Form any group: see form(). */
static noinline void form_any(struct mont_thread *t, struct window *w, u64 pa, u64 now)
{
	struct mont_time *time = t->time;
	u64 ready, second;

	mont_bundle_take(t, w->b, pa);
	ready = mont_front_ready(t, w->ip, pa);
	time->offer.ready[0] = ready;
	time->offer.ready[1] = ready;
	if (ready > now)
		mont_stall_until(&time->s.stall, MONT_CAUSE_FE, ready);
	w->taken = predict_bundle(t, w, 0, w->from, now);
	w->watched = t->attn & MONT_ATTN_SLOW;
	if (unlikely(w->watched)) {
		u32 only = mont_is_mlx(w->b) && w->from ? 2 : w->from;

		if (w->taken != only)
			w->taken = NO_SLOT;
		find_group(t, w, pa, 1, only);
		return;
	}
	if (unlikely(w->taken != 3)) {
		time->offer.ready[1] = MONT_OFFER_UNREACHED;
		mont_front_cut(t, w->ip);
		find_group(t, w, pa, 1, 3);
		return;
	}
	w->taken = NO_SLOT;
	if (ready < now)
		ready = now;
	/* What lies in the next page has not been translated yet. */
	second = MONT_OFFER_NEXT_PAGE;
	if (unlikely(w->ip + 16 == t->until))
		second = MONT_OFFER_UNREACHED;
	else if (likely((pa & 0xff0) != 0xff0))
		second = mont_front_ready(t, w->ip + 16, pa + 16);
	time->offer.ready[1] = second;
	if (unlikely(second > ready)) {
		find_group(t, w, pa, 1, 3);
		return;
	}
	/* Bundles of a page are side by side. */
	mont_bundle_take(t, w->b + 1, pa + 16);
	w->taken = 3 + predict_bundle(t, w, 1, 0, now);
	if (w->taken < NO_SLOT)
		mont_front_cut(t, w->ip + 16);
	find_group(t, w, pa, 2, 3);
}

/* Form the group that begins at IP: it could issue in cycle @now. */
static __always_inline void form(struct mont_thread *t, struct mont_time *time, struct window *w,
				 u64 now)
{
	u64 pa = t->fetch_pa | (t->s.ip & 0xff0), ready, second;
	struct mont_bundle *b = &t->pkg->bundle[pa >> 4 & (MONT_NR_BUNDLES - 1)];
	u32 from = t->s.slot;
	u16 key = MONT_GROUP_KEY(from, likely(!from) ? 0 : time->s.split, 3);
	struct mont_group *g = &time->group[mont_group_place(pa, from, 2)];

	w->ip = t->s.ip;
	w->from = from;
	w->b = b;
	/* Most are of two bundles, the first without a branch, and have been worked out. */
	if (unlikely(g->key != key || g->tag[0] != b[0].tag || g->tag[1] != b[1].tag ||
		     (b[0].tag ^ pa) > MONT_TAG_BITS || b[0].branches ||
		     (t->attn & MONT_ATTN_SLOW) || w->ip + 16 == t->until)) {
		form_any(t, w, pa, now);
		return;
	}
	ready = mont_front_ready(t, w->ip, pa);
	second = ready;
	if (w->ip & 16)
		second = mont_front_ready(t, w->ip + 16, pa + 16);
	time->offer.ready[0] = ready;
	time->offer.ready[1] = second;
	w->watched = false;
	w->taken = NO_SLOT;
	if (unlikely(ready > now))
		mont_stall_until(&time->s.stall, MONT_CAUSE_FE, ready);
	if (unlikely(second > ready && second > now)) {
		find_group(t, w, pa, 1, 3);
		return;
	}
	w->nr = 2;
	w->g = g;
	if (!b[1].branches)
		return;
	w->taken = 3 + predict_bundle(t, w, 1, 0, now);
	if (w->taken < NO_SLOT)
		mont_front_cut(t, w->ip + 16);
}

/* Is the instruction with these operands off, by a predicate known before its group? */
static bool is_off(const struct mont_thread *t, const struct mont_roles *r, u64 written)
{
	const struct mont_operand *o = r->read;

	/* One that reads nothing has zeros there: a general register. */
	return o->file == MONT_FILE_PR && o->nr != MONT_PR_ALL && !mont_pr(t, o->nr) &&
	       !(written >> o->nr & 1);
}

/* The group may wait for any of its operands: each is looked at. */
static noinline void wait_for_each(struct mont_thread *t, const struct window *w, u64 now)
{
	struct mont_time *time = t->time;
	u64 written = 0, multimedia = 0;
	u32 i, slot;

	for (i = 0; i < w->nr; i++) {
		for (slot = i ? 0 : w->from; slot < w->g->part[i].end; slot++) {
			const struct mont_roles *r = &w->g->roles[3 * i + slot];

			mont_operands_wait(&time->s.results, &time->map, r, is_off(t, r, written),
					   now, &time->s.stall, &multimedia);
			written |= w->g->predicates[3 * i + slot];
		}
	}
	if (unlikely(multimedia))
		mont_operands_flush(&time->s.stall, now, multimedia, time->s.h.timing.mm_address);
}

/* @u, whose @result is late for some uses. */
static noinline void wait_for_one(struct mont_thread *t, const struct window *w,
				  const struct mont_use *u, u64 result, u64 now)
{
	const struct mont_roles *r = &w->g->roles[u->slot];
	u32 slot, nr = u->operand & ~MONT_USE_ALWAYS;
	u64 written = 0, multimedia = 0;

	if (!(u->operand & MONT_USE_ALWAYS)) {
		for (slot = w->from; slot < u->slot; slot++)
			written |= w->g->predicates[slot];
		if (is_off(t, r, written))
			return;
	}
	mont_result_wait(result,
			 nr < MONT_USE_WRITE ? &r->read[nr] : &r->write[nr - MONT_USE_WRITE], u->as,
			 now, &t->time->s.stall, &multimedia);
	/* Where that is what it meets, the whole group counts. */
	if (unlikely(multimedia))
		wait_for_each(t, w, now);
}

/* Uses @i to @end, whose registers' results are in @at by @map, or by number. */
static __always_inline void wait_for(struct mont_thread *t, const struct window *w, u32 i, u32 end,
				     const u64 *at, const u8 *map, u64 now)
{
	for (; i < end; i++) {
		const struct mont_use *u = &w->g->uses.use[i];
		u64 result = at[map ? map[u->nr] : u->nr];

		if (unlikely(result >> MONT_RESULT_CYCLE > now))
			wait_for_one(t, w, u, result, now);
	}
}

/* The group waits for what its instructions read. */
static __always_inline void wait_for_operands(struct mont_thread *t, const struct window *w,
					      u64 now)
{
	const struct mont_uses *uses = &w->g->uses;
	const struct mont_rename *map = &t->time->map;
	struct mont_results *s = &t->time->s.results;

	if (!mont_operands_pending(s, w->g->multimedia, now))
		return;
	if (unlikely(uses->many)) {
		wait_for_each(t, w, now);
		return;
	}
	wait_for(t, w, 0, uses->end[0], s->at, t->grmap, now);
	wait_for(t, w, uses->end[0], uses->end[1], s->at + 128, map->of[MONT_FILE_FR], now);
	wait_for(t, w, uses->end[1], uses->end[2], s->at + 256, map->of[MONT_FILE_PR], now);
	wait_for(t, w, uses->end[2], uses->end[3], s->at + MONT_USE_FIXED, NULL, now);
}

/* The pipe is emptied: what comes next issues @cycles later than it would have. */
static void flush(struct mont_thread *t, enum mont_cause cause, u64 issued, u32 cycles)
{
	u64 then = issued + 1 + cycles;

	mont_stall_until(&t->time->s.stall, cause, then);
	mont_front_flush(t, issued + 1, then);
}

/* The branch @b of bundle @i was mispredicted: where has the front end gone? */
static void turn(struct mont_thread *t, const struct window *w, u32 i,
		 const struct mont_branch_slot *b)
{
	struct mont_wrong_turn *turn = &t->time->turn;

	turn->known = true;
	turn->at = t->time->s.buffer.next_fetch;
	turn->slot = 0;
	turn->split = w->g->split;
	turn->ip = w->ip + 16 * i + 16;
	if (b->guess.taken) {
		turn->ip = b->guess.target;
		turn->at += b->guess.bubbles;
	} else if (w->g->part[i].end < 3) {
		turn->ip -= 16;
		turn->slot = w->g->part[i].end;
	}
}

/* The branch in @slot of bundle @i executes: what does the front end do behind it? */
static void resolve(struct mont_thread *t, const struct window *w, u32 i, u32 slot,
		    const struct mont_uop *u, u64 issued)
{
	const struct mont_branch_slot *b = &w->branch[3 * i + slot];
	struct mont_time *time = t->time;

	if (mont_branch_resolve(t, b, u, mont_is_bbb(&w->b[i]), issued)) {
		turn(t, w, i, b);
		flush(t, MONT_CAUSE_BRU, issued, time->s.h.timing.mispredict);
	} else if (b->guess.resteers) {
		mont_front_redirect(t, &b->guess, u->r3 & MONT_BRH_MANY);
	}
}

/* The hint @u has executed. */
static void hint(struct mont_thread *t, const struct mont_uop *u, u64 issued)
{
	u64 target = t->s.ip + u->imm;

	if (u->op != MONT_OP_BRP)
		target = t->s.br[u->op == MONT_OP_MOV_TO_BR ? u->r1 : u->r2];
	mont_prefetch_hint(t, target, issued);
}

/* The branch @u, whose predicate is true, or which looks at it itself. */
static __always_inline enum mont_result branch(struct mont_thread *t, const struct mont_uop *u)
{
	switch (u->op) {
	case MONT_OP_BR_COND:
		return mont_x_BR_COND(t, u);
	case MONT_OP_BR_CLOOP:
		return mont_x_BR_CLOOP(t, u);
	case MONT_OP_BR_CTOP:
		return mont_x_BR_CTOP(t, u);
	case MONT_OP_BR_CALL:
		return mont_x_BR_CALL(t, u);
	case MONT_OP_BR_RET:
		return mont_x_BR_RET(t, u);
	default:
		return mont_execute(t, u);
	}
}

/* What an instruction, which has issued, leaves behind. */
static __always_inline void done(struct mont_time *time, const struct mont_step *step, u64 issued)
{
	mont_operands_done(&time->s.results, &time->map, step->write, step->nr_writes, issued,
			   time->more);
}

/* The branch in @slot of bundle @i, which has issued. */
static noinline enum mont_result execute_branch(struct mont_thread *t, const struct window *w,
						u32 i, const struct mont_uop *u, u32 slot,
						u64 issued)
{
	const struct mont_step *step = &w->g->step[3 * i + slot];
	bool on = mont_pr(t, u->qp);
	enum mont_result r = MONT_NEXT;

	/* br.ia faults unless it is off. */
	if (likely(step->kind != MONT_KIND_HINT && (u->op != MONT_OP_BR_IA || !on)))
		resolve(t, w, i, slot, u, issued);
	if (!on)
		mont_squash(t, u);
	if (on || (u->flags & MONT_UOP_ALWAYS)) {
		t->time->more = 0;
		r = branch(t, u);
		if (likely(r == MONT_NEXT || r == MONT_TAKEN))
			done(t->time, step, issued);
	}
	if ((step->kind == MONT_KIND_CALL || step->kind == MONT_KIND_INDIRECT_CALL) &&
	    r == MONT_TAKEN)
		mont_predict_call(&t->time->s.predictor, t->s.last_ip + 16, t->s.ar.pfs);
	else if (step->kind == MONT_KIND_HINT && on && r == MONT_NEXT)
		hint(t, u, issued);
	return r;
}

/* One instruction, which has issued. */
static __always_inline enum mont_result execute_one(struct mont_thread *t, struct mont_time *time,
						    const struct mont_step *step,
						    const struct mont_uop *u, u64 issued)
{
	enum mont_result r;

	if (unlikely(!mont_pr(t, u->qp))) {
		mont_squash(t, u);
		if (!(u->flags & MONT_UOP_ALWAYS))
			return MONT_NEXT;
	}
	time->more = 0;
	r = execute_hot(t, u, false);
	if (likely(r == MONT_NEXT || r == MONT_TAKEN || r == MONT_RELOAD))
		done(time, step, issued);
	return r;
}

/* Slots @slot to @end of bundle @i, where one of them may have to be looked at. */
static noinline enum mont_result execute_slots(struct mont_thread *t, const struct window *w, u32 i,
					       u32 slot, u32 end, u64 issued)
{
	enum mont_result r = MONT_NEXT;

	for (; slot < end; slot++) {
		const struct mont_uop *u = mont_packed_uop(&w->b[i], slot);

		if (slot == 1 && mont_is_mlx(&w->b[i]))
			continue;
		if ((u->flags & MONT_UOP_NOP) && mont_pr(t, u->qp)) {
			t->sig_slot = slot;
			mont_signal(t, MONT_SIG_NOP_RETIRED, 0);
			continue;
		}
		t->sig_slot = slot;
		if (w->g->step[3 * i + slot].kind)
			r = execute_branch(t, w, i, u, slot, issued);
		else
			r = execute_one(t, t->time, &w->g->step[3 * i + slot], u, issued);
		if (unlikely(r != MONT_NEXT))
			return r;
	}
	return r;
}

/* Nops of @b that are left to count, from slot @from up to @end. */
static __always_inline void count_nops_between(struct mont_thread *t, const struct mont_bundle *b,
					       u32 from, u32 end)
{
	t->countdown[0][MONT_SIG_NOP_RETIRED].left -=
		mont_nops_before(b, end) - mont_nops_before(b, from);
}

/*
 * A branch in @slot of bundle @i, among others that do something. Nops in front of it, from
 * slot @from on, are counted if something leaves the bundle here, and in front of a return,
 * which may change the level, in any case. Return: the slot up to which they are counted, or
 * with @r the result.
 */
static noinline u32 branch_among(struct mont_thread *t, const struct window *w, u32 i, u32 from,
				 u32 slot, u64 issued, enum mont_result *r)
{
	const struct mont_bundle *b = &w->b[i];
	const struct mont_uop *u = mont_packed_uop(b, slot);

	/* Those of a bundle that is tagged are counted as it retires. */
	if (t->tagged) {
		*r = execute_branch(t, w, i, u, slot, issued);
		return from;
	}
	if (u->op == MONT_OP_BR_RET) {
		count_nops_between(t, b, from, slot);
		from = slot;
	}
	*r = execute_branch(t, w, i, u, slot, issued);
	if (*r != MONT_NEXT)
		count_nops_between(t, b, from, slot);
	return from;
}

/*
 * What of bundle @i, from slot @from on, is in the group, where none of it changes what is
 * counted: what does something, one behind the other, then the nops.
 */
static __always_inline enum mont_result execute_live(struct mont_thread *t, struct mont_time *time,
						     const struct window *w, const u32 i, u32 from,
						     u64 issued, const bool tagged)
{
	const struct mont_group *g = w->g;
	const struct mont_part *p = &g->part[i];
	const struct mont_bundle *b = &w->b[i];
	const struct mont_uop *u = &b->uop[p->first], *last = &b->uop[p->last];
	struct mont_tag_kind *kind = g->tags.kind[i];
	enum mont_result r;

	t->cur = b;
	t->sig_bundle = i;
	t->retire_from = from;
	t->sig_slot = from;
	if (tagged)
		t->tagged = kind;
	for (; u < last; u++) {
		u32 slot = u->flags >> MONT_UOP_SLOT_SHIFT;
		const struct mont_step *step = &g->step[3 * i + slot];

		t->sig_slot = slot;
		if (tagged)
			t->sig = kind->sig[slot];
		if (unlikely(step->kind)) {
			from = branch_among(t, w, i, from, slot, issued, &r);
			if (r != MONT_NEXT)
				return r;
			continue;
		}
		r = execute_one(t, time, step, u, issued);
		if (unlikely(r != MONT_NEXT)) {
			if (!tagged)
				count_nops_between(t, b, from, slot);
			return r;
		}
	}
	if (!tagged)
		count_nops_between(t, b, from, p->end);
	t->sig_slot = p->slot;
	return MONT_NEXT;
}

/*
 * What of bundle @i is in the group, up to where something leaves it: that is in
 * t->sig_slot. @psr: what it begins under, if it is watched.
 */
static enum mont_result execute_bundle(struct mont_thread *t, const struct window *w, u32 i,
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
	return execute_slots(t, w, i, slot, w->g->part[i].end, issued);
}

/* What somebody may count of the group's cycle, which disperses as @d. */
static noinline void signal_cycle(struct mont_thread *t, const struct mont_dispersal *d)
{
	mont_time_frame(t, 1);
	if (!t->pmu.dispersal)
		return;
	mont_signal_n(t, MONT_SIG_DISPERSED, d->insns, 0);
	mont_signal_n(t, MONT_SIG_LOST_EXPL, d->lost[MONT_LOST_EXPL], 0);
	mont_signal_n(t, MONT_SIG_LOST_IMPL, d->lost[MONT_LOST_IMPL], 0);
	mont_signal_n(t, MONT_SIG_LOST_FE, d->lost[MONT_LOST_FE], 0);
	mont_signal_n(t, MONT_SIG_LOST_MLX, d->lost[MONT_LOST_MLX], 0);
	mont_signal_n(t, MONT_SIG_OVER_EXPL, d->over[MONT_LOST_EXPL], 0);
	mont_signal_n(t, MONT_SIG_OVER_IMPL, d->over[MONT_LOST_IMPL], 0);
}

/* What of @b is in front of @slot and has not retired does: mont_retire_upto(). */
static __always_inline void retire_slots(struct mont_thread *t, const struct mont_bundle *b,
					 u32 slot)
{
	u32 mask = ((1u << slot) - (1u << t->retire_from)) & mont_slots(b);
	u32 n = (mask & 1) + (mask >> 1 & 1) + (mask >> 2);

	if (unlikely(slot <= t->retire_from))
		return;
	t->retire_from = slot;
	t->s.insns += n;
	if (n)
		mont_signal_n(t, MONT_SIG_INST_RETIRED, n, mask);
}

/* Bundle @i of the group retires up to where @r has left it, and IP moves on. */
static void retire(struct mont_thread *t, const struct window *w, u32 i, enum mont_result r)
{
	u32 slot = t->sig_slot + 1;

	if (r == MONT_TAKEN)
		return;
	retire_slots(t, &w->b[i], slot);
	t->s.last_ip = t->s.ip;
	if (slot > 2) {
		t->s.ip += 16;
		slot = 0;
	} else if (mont_is_mlx(&w->b[i])) {
		slot = 1;
	}
	t->s.slot = slot;
}

/* All that is in the group of bundle @i, from slot @from on, retires. */
static __always_inline void retire_part(struct mont_thread *t, const struct window *w, const u32 i,
					u32 from, u64 issued, const bool tagged)
{
	const struct mont_part *p = &w->g->part[i];

	if (unlikely(t->retire_from != from)) {
		mont_retire_upto(t, p->slot + 1);
	} else if (tagged) {
		struct mont_tag_kind *kind = w->g->tags.kind[i];

		t->retire_from = p->end;
		t->s.insns += p->insns;
		kind->upto[p->end]++;
		kind->upto[from]--;
	} else {
		t->retire_from = p->end;
		t->s.insns += p->insns;
		mont_signal_n(t, MONT_SIG_INST_RETIRED, p->insns, p->slots);
	}
	t->s.last_ip = t->s.ip;
	t->s.slot = p->next;
	if (!p->next) {
		t->s.ip += 16;
		mont_buffer_leave(&t->time->s.buffer, issued);
	}
}

/* A cycle in which nothing retires is a bubble: of @cause. */
static void signal_bubble(struct mont_thread *t, enum mont_cause cause)
{
	mont_signal(t, MONT_SIG_BUBBLE_XPN + cause, 0);
	mont_signal(t, MONT_SIG_BUBBLE, 0);
	t->time->s.stall.spent[cause]++;
}

/* Its flush is to come. */
static void signal_empty(struct mont_thread *t)
{
	signal_bubble(t, MONT_CAUSE_XPN);
}

/* The register stack engine is not done: it goes on when the instruction begins again. */
static void engine_goes_on(struct mont_thread *t, bool empty)
{
	bool loads = t->time->s.stall.causes >> MONT_CAUSE_RSE_LOADRS & 1;

	t->time->s.rse.again = 1;
	if (empty)
		signal_bubble(t, loads ? MONT_CAUSE_RSE_LOADRS : MONT_CAUSE_RSE_OVERFLOW);
}

/* What the next group begins with. */
static __always_inline void end_group(struct mont_thread *t, const struct window *w)
{
	struct mont_time *time = t->time;

	time->s.next_ip = t->s.ip;
	time->s.next_slot = t->s.slot;
	time->s.split = w->g->split;
	time->s.rse.again = 0;
}

/*
 * The group has ended with @r in bundle @i. @insns, @psr: when it began, the latter if
 * it is watched. True to return to the host.
 */
static noinline bool finish(struct mont_thread *t, const struct window *w, u32 i,
			    enum mont_result r, u64 insns, u64 psr)
{
	bool out = false, again = r == MONT_AGAIN, empty = false;

	end_group(t, w);
	if (r == MONT_TAKEN && !w->g->step[3 * i + t->sig_slot].kind)
		t->time->s.next_ip = ~0ULL; /* rfi */
	if (r != MONT_NEXT && r != MONT_RELOAD && r != MONT_TAKEN) {
		mont_retire_upto(t, t->sig_slot);
		empty = t->s.insns == insns && !again && !mont_completes(t, r);
		/* Before an interruption changes what is counted, PSR.cpl for one. */
		if (empty)
			signal_empty(t);
		out = mont_deliver(t, r, psr);
	} else if (unlikely(w->watched)) {
		r = mont_trap_after(t, r, psr);
		out = r != MONT_NEXT && mont_interrupt(t, r);
	}
	t->time->s.rse.again = 0;
	if (unlikely(again))
		engine_goes_on(t, t->s.insns == insns);
	else if (t->s.insns == insns && !empty)
		signal_empty(t);
	return out;
}

/* There is no instruction in the middle of one. */
static noinline bool execute_none(struct mont_thread *t, const struct window *w)
{
	t->cur = w->b;
	t->sig_slot = 2;
	t->retire_from = 2;
	signal_empty(t);
	return mont_interrupt(t, MONT_FAULT_ILLEGAL_OP);
}

/* Bundle @i of the group is done, or left, with @r: does the group go on in the next? */
static __always_inline bool goes_on(struct mont_thread *t, const struct window *w, u32 i,
				    enum mont_result r)
{
	/* Behind a branch that leaves, or that was expected to, nothing is in the group. */
	return r == MONT_NEXT && w->g->part[i + 1].end && 3 * i + t->sig_slot < w->taken &&
	       !(t->time->s.stall.causes & MONT_CAUSES_FLUSH);
}

/*
 * The rest of the group, from bundle @i on, instruction by instruction. @insns, @psr: when
 * it began. True to return to the host.
 */
static noinline bool execute_rest(struct mont_thread *t, const struct window *w, u32 i, u64 issued,
				  u64 insns, u64 psr)
{
	struct mont_time *time = t->time;
	enum mont_result r;
	bool more = false;

	do {
		r = execute_bundle(t, w, i, issued, psr);
		if (r != MONT_NEXT && r != MONT_RELOAD && r != MONT_TAKEN)
			break;
		retire(t, w, i, r);
		if (r == MONT_TAKEN || !t->s.slot)
			mont_buffer_leave(&time->s.buffer, issued);
		more = !i && goes_on(t, w, i, r);
		i += more;
	} while (more);
	return finish(t, w, i, r, insns, psr);
}

/* Any group. True to return to the host. */
static noinline bool execute_other(struct mont_thread *t, const struct window *w, u64 issued)
{
	if (w->g->reads_pmu)
		mont_group_mark(t);
	if (w->from == 2 && mont_is_mlx(w->b))
		return execute_none(t, w);
	return execute_rest(t, w, 0, issued, t->s.insns, w->watched ? t->s.psr : 0);
}

/* Can the bundles of the group be tagged (pmu/tags.h)? There is room for them then. */
static __always_inline bool tags_ready(struct mont_thread *t, const struct window *w)
{
	return mont_window_ready(t, &w->g->tags, w->b, w->g->part[1].end ? 2 : 1);
}

/* The group has ended with @r: what is in front of that has been tagged as well. */
static __always_inline void end_tags(struct mont_thread *t, enum mont_result r)
{
	if (unlikely(r != MONT_TAKEN && r != MONT_NEXT))
		mont_retire_upto(t, t->sig_slot + (r == MONT_RELOAD));
	mont_tags_end(t);
}

/*
 * The group, each of whose instructions is in its place, and nobody looks at a nop. @tagged:
 * some who listen qualify by the instruction, and its bundles are tagged.
 */
static __always_inline bool execute_plain(struct mont_thread *t, struct mont_time *time,
					  const struct window *w, u64 issued, const bool tagged)
{
	u64 insns = t->s.insns;
	enum mont_result r;
	u32 i = 0;

	r = execute_live(t, time, w, 0, w->from, issued, tagged);
	if (likely(r == MONT_NEXT)) {
		retire_part(t, w, 0, w->from, issued, tagged);
		if (goes_on(t, w, 0, r)) {
			/* The first bundle of the group may have written into the second. */
			if (unlikely(w->b[1].tag != w->g->tag[1])) {
				if (tagged)
					mont_tags_end(t);
				return execute_rest(t, w, 1, issued, insns, 0);
			}
			i = 1;
			r = execute_live(t, time, w, 1, 0, issued, tagged);
			if (likely(r == MONT_NEXT))
				retire_part(t, w, 1, 0, issued, tagged);
		}
	}
	if (tagged)
		end_tags(t, r);
	if (likely(r == MONT_NEXT)) {
		end_group(t, w);
		return false;
	}
	if (r == MONT_TAKEN || r == MONT_RELOAD) {
		retire(t, w, i, r);
		if (r == MONT_TAKEN || !t->s.slot)
			mont_buffer_leave(&time->s.buffer, issued);
	}
	if (likely(r == MONT_TAKEN && w->g->step[3 * i + t->sig_slot].kind)) {
		end_group(t, w);
		return false;
	}
	return finish(t, w, i, r, insns, 0);
}

/* The same where some who listen qualify by the instruction. */
static noinline bool execute_tagged(struct mont_thread *t, struct mont_time *time,
				    const struct window *w, u64 issued)
{
	return execute_plain(t, time, w, issued, true);
}

u64 mont_time_window(const struct mont_thread *t)
{
	/* It was expected there, and what follows is not known yet. */
	return t->time->s.next_ip;
}

/* The flow has gone elsewhere than to where the last group ended. */
static noinline void redirected(struct mont_thread *t, u64 now)
{
	struct mont_time *time = t->time;

	time->s.stall.causes &= MONT_CAUSES_RSE;
	time->s.rse.again = 0;
	time->s.since = MONT_NOT_FORMED;
	flush(t, MONT_CAUSE_XPN, now - 1, time->s.h.timing.flush);
	time->s.next_ip = t->s.ip;
	time->s.next_slot = t->s.slot;
	time->s.split = MONT_LOST_MLX;
}

/* Cycles up to @deadline pass as the group waits: true if it still does then, or may not go on. */
static noinline bool stalls(struct mont_thread *t, u64 since, u64 deadline)
{
	struct mont_time *time = t->time;
	u64 now = t->s.cycles, stop = now + deadline - mont_clock(t);
	u64 end = mont_stall_end(&time->s.stall, now);

	time->s.since = since;
	if (end > now &&
	    (mont_cycles_pass(t, &time->s.stall, end < stop ? end : stop) || end >= stop))
		return true;
	time->s.stall.causes = 0;
	time->s.since = MONT_NOT_FORMED;
	return false;
}

/*
 * One group, which begins before @deadline of the clock; true to return to the host.
 * Its stall may end early, with @deadline or for somebody to look: forming the group
 * again then finds everything as it was.
 */
static __always_inline bool run_group(struct mont_thread *t, struct mont_time *time, u64 deadline)
{
	u64 now = t->s.cycles;
	struct window w;
	bool out;

	if (unlikely(t->s.ip != time->s.next_ip || t->s.slot != time->s.next_slot))
		redirected(t, now);
	/* What overflows in a cycle is sampled at the instruction that waits or issues in it. */
	t->sig_slot = t->s.slot;
	time->map.of[MONT_FILE_FR] = t->frmap;
	time->map.of[MONT_FILE_PR] = time->predicates[t->s.rrb_pr];
	if (likely(time->s.since == MONT_NOT_FORMED))
		w.since = now;
	else
		w.since = time->s.since;
	form(t, time, &w, w.since);
	wait_for_operands(t, &w, w.since);
	if (time->s.stall.causes && stalls(t, w.since, deadline))
		return false;
	now = t->s.cycles;
	t->s.cycles = now + 1;
	mont_signal(t, MONT_SIG_CYCLE, 0);
	if (unlikely(t->pmu.cycles)) {
		mont_front_issue(t, w.nr);
		signal_cycle(t, &w.g->d);
	}
	if (unlikely(!w.g->plain || w.watched))
		out = execute_other(t, &w, now);
	else if (unlikely(mont_tagging(t)) && tags_ready(t, &w))
		out = execute_tagged(t, time, &w, now);
	else if (likely(t->countdown[0][MONT_SIG_NOP_RETIRED].left > 6))
		out = execute_plain(t, time, &w, now, false);
	else
		out = execute_other(t, &w, now);
	/* What it decodes may take the place of a bundle of this group. */
	if (unlikely(time->turn.known))
		mont_wrong_path(t, now);
	if (unlikely(mont_occupied(&time->s.h.occupancy)))
		mont_time_occupied(t);
	return out;
}

/* A cycle without a group: its fetch met PAL or a fault. */
static void pass_without_group(struct mont_thread *t)
{
	u64 now = t->s.cycles++;

	t->sig_slot = t->s.slot;
	signal_empty(t);
	mont_front_nothing(t);
	if (!mont_wrong_now(t, now) || !mont_wrong_dispersed(t, now))
		mont_signal(t, MONT_SIG_DISP_STALLED, 0);
	mont_signal(t, MONT_SIG_CYCLE, 0);
	mont_time_frame(t, 1);
}

/* Run up to *@groups groups, and leave there how many have not begun; true to return. */
static bool timed_loop(struct mont_thread *t, u64 *left, u64 deadline)
{
	struct mont_time *time = t->time;
	enum mont_result r;
	u64 groups;

	for (groups = *left; groups && mont_clock(t) < deadline; *left = --groups) {
		if (unlikely(t->s.ip == t->until) && mont_until(t))
			return true;
		if (unlikely(t->attn)) {
			if (t->attn & (MONT_ATTN_TIMER | MONT_ATTN_WORK)) {
				t->attn &= ~(MONT_ATTN_TIMER | MONT_ATTN_WORK);
				return false;
			}
			if ((t->attn & ~MONT_ATTN_SLOW) && mont_attend(t))
				return true;
		}
		if (unlikely((t->s.ip & ~0xfffULL) != t->fetch_va)) {
			time->missed = false;
			r = mont_fetch_page(t);
			if (r == MONT_RELOAD)
				r = mont_pal_enter(t);
			if (r != MONT_NEXT) {
				pass_without_group(t);
				if (r == MONT_TAKEN) {
					if (t->s.halted)
						return false;
					continue;
				}
				mont_between_groups(t);
				mont_front_faulted(t, r);
				if (mont_interrupt(t, r))
					return true;
				continue;
			}
		}
		if (run_group(t, time, deadline))
			return true;
	}
	return false;
}

bool mont_thread_run_timed(struct mont_thread *t, u64 cycles, u64 insns)
{
	u64 end = mont_clock(t) + cycles, insns0 = t->s.insns;
	struct mont_work *work = t->work;

	while (mont_clock(t) < end && t->s.insns - insns0 < insns && !t->s.halted &&
	       work->left > 0) {
		u64 room = work->left / (4 * MONT_WORK_BUNDLE) + 1, deadline = end;
		u64 left = insns - (t->s.insns - insns0), groups = left / 6 + !!(left % 6);
		u64 timer = mont_itm_distance(t), at = mont_clock(t);
		bool out;

		if (groups > room)
			groups = room;
		if (timer && deadline - at > timer)
			deadline = at + timer;
		work->left -= (s64)groups * 2 * MONT_WORK_BUNDLE;
		out = timed_loop(t, &groups, deadline);
		work->left += (s64)groups * 2 * MONT_WORK_BUNDLE;
		if (t->attn & MONT_ATTN_GROUP)
			mont_group_end(t);
		t->sig_slot = t->s.slot;
		t->retire_from = t->s.slot;
		if (mont_clock(t) != at && !mont_itm_distance(t))
			mont_itm_match(t);
		if (out)
			return true;
	}
	return false;
}

bool mont_time_state_valid(const struct mont_time *time, const struct mont_time_state *s)
{
	u32 i;

	for (i = 0; i < MONT_NR_L2B; i++)
		if (s->predictor.l2b[i].history >= MONT_NR_HISTORY)
			return false;
	for (i = 0; i < MONT_NR_L1TLB_HINTS; i++)
		if (s->l1dtlb.hint[i] >= MONT_NR_L1TLB || s->l1itlb.hint[i] >= MONT_NR_L1TLB)
			return false;
	if (!mont_occupancy_valid(&s->h.occupancy) || s->h.l1d.stores.next >= MONT_NR_STORES)
		return false;
	return mont_buffer_valid(&s->buffer) && mont_prefetch_valid(&s->prefetch) &&
	       mont_wrong_valid(&s->wrong) && s->predictor.top < s->h.timing.returns_kept &&
	       s->predictor.closed == MONT_NR_RETURNS - s->h.timing.returns_kept &&
	       !(s->stall.causes >> MONT_NR_CAUSES) && s->split < MONT_NR_LOST &&
	       s->rse.made <= 2 && s->rse.again <= 1 &&
	       !__builtin_memcmp(&s->h.timing, &time->s.h.timing, sizeof(s->h.timing));
}

void mont_time_leave(struct mont_thread *t)
{
	struct mont_time *time = t->time;
	struct mont_l1tlb none = { 0 };

	/* What the front end lost until now counts; what it loses from now on does not. */
	mont_front_flush(t, t->s.cycles, t->s.cycles);
	time->s.prefetch = (struct mont_prefetch){ 0 };
	time->s.wrong = (struct mont_wrong){ 0 };
	if (t->attn & MONT_ATTN_GROUP)
		mont_group_end(t);
	time->s.stall.causes = 0;
	time->s.l1dtlb = none;
	time->s.l1itlb = none;
	time->s.since = MONT_NOT_FORMED;
	time->s.next_ip = ~0ULL;
	time->s.next_slot = 0;
	time->s.split = MONT_LOST_MLX;
}

void mont_time_return(struct mont_time *time)
{
	u32 i;

	/* Code may have changed meanwhile. */
	for (i = 0; i < MONT_NR_GROUPS; i++)
		time->group[i].key = 0;
}

void mont_time_init(struct mont_thread *t, struct mont_time *time)
{
	t->time = time;
	t->pmu.timed = true;
	mont_timing_default(&time->s.h.timing);
	map_predicates(time);
	mont_rename_init(&time->map, t->grmap, t->frmap, time->predicates[0]);
	time->s.since = MONT_NOT_FORMED;
	time->s.next_ip = ~0ULL;
}
