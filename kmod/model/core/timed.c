// SPDX-License-Identifier: GPL-2.0-only
/*
 * The timed mode: groups as the pipeline forms them, in the cycles it takes
 * (manual 2.3.1, 2.3.2 and 4.6).
 *
 * A group goes through the stages in one step: its bundles are pulled out of the
 * instruction buffer, dispersed, wait for their operands, execute in the order of
 * the program, and leave results behind with the cycle each can be used in.
 */
#include "branch_unit.h"
#include "pipeline.h"
#include "run.h"
#include "execute_hot.h"
#include "../mem/mem.h"
#include "../platform/platform.h"
#include "../pmu/pmu.h"

/* Physical predicates under rotation @rrb (SDM volume 1, 4.5.1). */
static void map_predicates(struct mont_time *time, u32 rrb)
{
	u32 n;

	time->rotation = rrb;
	for (n = 0; n < 64; n++)
		time->predicates[n] = n < 16 ? n : 16 + (n - 16 + rrb) % 48;
}

#define NO_SLOT 6 /* of the six in the window: no branch predicted taken */

/**
 * struct window - the bundles of one group
 * @ip: of the first
 * @b: decoded
 * @p: as the pipeline sees them
 * @nr: 1 or 2
 * @watched: somebody looks at the instruction at @from: it is a group of its own
 * @from: slot of the first that dispersal begins at
 * @taken: slot, of six, that is predicted to be a taken branch; NO_SLOT
 * @branch: by slot, of six: its branches
 * @d: how it disperses
 */
struct window {
	u64 ip;
	struct mont_bundle *b[2];
	struct mont_pipe *p[2];
	u32 nr;
	bool watched;
	u32 from;
	u32 taken;
	struct mont_branch_slot branch[6];
	const struct mont_dispersal *d;
};

/* Bundle @i of the window, whose place is @b and @p, at physical address @pa. */
static __always_inline void take_bundle(struct mont_thread *t, struct window *w, u32 i,
					struct mont_bundle *b, struct mont_pipe *p, u64 pa)
{
	mont_pipe_take(t, b, p, pa);
	w->b[i] = b;
	w->p[i] = p;
}

/* The first slot of bundle @i, from @slot on, that is predicted to be taken; 3: none. */
static u32 predict_bundle(struct mont_thread *t, struct window *w, u32 i, u32 slot, u64 now)
{
	if (!w->p[i]->branches)
		return 3;
	return mont_branches_predict(t, w->ip + 16 * i, w->b[i], w->p[i], slot, now,
				     &w->branch[3 * i]);
}

/* Form the group that begins at IP: it could issue in cycle @now. */
static void form(struct mont_thread *t, struct window *w, u64 now)
{
	struct mont_time *time = t->time;
	u64 pa = t->fetch_pa | (t->s.ip & 0xff0), ready;

	w->ip = t->s.ip;
	w->from = t->s.slot;
	w->nr = 1;
	w->taken = NO_SLOT;
	take_bundle(t, w, 0, &t->pkg->bundle[pa >> 4 & (MONT_NR_BUNDLES - 1)],
		    &time->pipe[pa >> 4 & (MONT_NR_PIPES - 1)], pa);
	ready = mont_front_ready(t, w->ip, pa);
	time->offer.ready[0] = ready;
	time->offer.ready[1] = ready;
	if (ready > now)
		mont_stall_until(&time->s.stall, MONT_CAUSE_FE, ready);
	else
		ready = now;
	w->taken = predict_bundle(t, w, 0, w->from, now);
	w->watched = t->attn & MONT_ATTN_SLOW;
	if (unlikely(w->watched)) {
		u32 only = w->b[0]->nr == 2 && w->from ? 2 : w->from;

		if (w->taken != only)
			w->taken = NO_SLOT;
		w->d = mont_pipe_disperse(w->p[0], NULL, w->from, time->s.split, only);
		return;
	}
	if (w->taken == 3) {
		w->taken = NO_SLOT;
		/* What lies in the next page has not been translated yet. */
		time->offer.ready[1] = MONT_OFFER_NEXT_PAGE;
		if (unlikely(w->ip + 16 == t->until))
			time->offer.ready[1] = MONT_OFFER_UNREACHED;
		else if ((pa & 0xff0) != 0xff0)
			time->offer.ready[1] = mont_front_ready(t, w->ip + 16, pa + 16);
		if (time->offer.ready[1] <= ready) {
			w->nr = 2;
			/* Bundles of a page are side by side. */
			take_bundle(t, w, 1, w->b[0] + 1, w->p[0] + 1, pa + 16);
			w->taken = 3 + predict_bundle(t, w, 1, 0, now);
			if (w->taken < NO_SLOT)
				mont_front_cut(t, w->ip + 16);
		}
	} else {
		time->offer.ready[1] = MONT_OFFER_UNREACHED;
		mont_front_cut(t, w->ip);
	}
	w->d = mont_pipe_disperse(w->p[0], w->nr == 2 ? w->p[1] : NULL, w->from, time->s.split, 3);
}

/* Is the instruction with these operands off, by a predicate known before its group? */
static bool is_off(const struct mont_thread *t, const struct mont_roles *r, u64 written)
{
	const struct mont_operand *o = r->read;

	/* One that reads nothing has zeros there: a general register. */
	return o->file == MONT_FILE_PR && o->nr != MONT_PR_ALL && !mont_pr(t, o->nr) &&
	       !(written >> o->nr & 1);
}

/* The group waits for what its instructions read. */
static void wait_for_operands(struct mont_thread *t, const struct window *w, u64 now)
{
	struct mont_time *time = t->time;
	u64 written = 0, multimedia = 0;
	u32 i, slot;

	if (likely(!mont_operands_pending(
		    &time->s.results, w->p[0]->multimedia || (w->nr == 2 && w->p[1]->multimedia),
		    now)))
		return;
	for (i = 0; i < w->nr; i++) {
		u32 from = i ? 0 : w->from, to = from + w->d->slots[i];

		for (slot = from; slot < to; slot++) {
			const struct mont_roles *r = &w->p[i]->roles[slot];

			mont_operands_wait(&time->s.results, &time->map, r, is_off(t, r, written),
					   now, &time->s.stall, &multimedia);
			written |= w->p[i]->predicates[slot];
		}
	}
	if (unlikely(multimedia))
		mont_operands_flush(&time->s.stall, now, multimedia, time->s.h.timing.mm_address);
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
	u32 end = (i ? 0 : w->from) + w->d->slots[i];
	struct mont_wrong_turn *turn = &t->time->turn;

	turn->known = true;
	turn->at = t->time->s.buffer.next_fetch;
	turn->slot = 0;
	turn->split = w->d->why == MONT_LOST_EXPL ? MONT_LOST_EXPL : MONT_LOST_IMPL;
	turn->ip = w->ip + 16 * i + 16;
	if (b->guess.taken) {
		turn->ip = b->guess.target;
		turn->at += b->guess.bubbles;
	} else if (end < 3) {
		turn->ip -= 16;
		turn->slot = end;
	}
}

/* The branch in @slot of bundle @i executes: what does the front end do behind it? */
static void resolve(struct mont_thread *t, const struct window *w, u32 i, u32 slot,
		    const struct mont_uop *u, u64 issued)
{
	const struct mont_branch_slot *b = &w->branch[3 * i + slot];
	struct mont_time *time = t->time;

	if (mont_branch_resolve(t, b, u, mont_is_bbb(w->b[i]), issued)) {
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

/* One instruction, which has issued. */
static __always_inline enum mont_result execute_one(struct mont_thread *t, const struct window *w,
						    u32 i, const struct mont_uop *u, u32 slot,
						    u64 issued)
{
	struct mont_time *time = t->time;
	u8 kind = w->p[i]->kind[slot];
	enum mont_result r = MONT_NEXT;
	bool on = mont_pr(t, u->qp);

	t->sig_slot = slot;
	/* br.ia faults unless it is off. */
	if (unlikely(kind) && kind != MONT_KIND_HINT && (u->op != MONT_OP_BR_IA || !on))
		resolve(t, w, i, slot, u, issued);
	if (!on)
		mont_squash(t, u);
	if (on || (u->flags & MONT_UOP_ALWAYS)) {
		time->more = 0;
		/* Branches are looked at one by one: nops are not counted ahead. */
		r = kind ? mont_execute(t, u) : execute_hot(t, u, false);
		if (r == MONT_NEXT || r == MONT_TAKEN || r == MONT_RELOAD)
			mont_operands_done(&time->s.results, &time->map, &w->p[i]->roles[slot],
					   issued, time->more);
	}
	if (likely(!kind))
		return r;
	if ((kind == MONT_KIND_CALL || kind == MONT_KIND_INDIRECT_CALL) && r == MONT_TAKEN)
		mont_predict_call(&time->s.predictor, t->s.last_ip + 16, t->s.ar.pfs);
	else if (kind == MONT_KIND_HINT && on && r == MONT_NEXT)
		hint(t, u, issued);
	return r;
}

/* Slots @slot to @end of bundle @i, where one of them may have to be looked at. */
static noinline enum mont_result execute_slots(struct mont_thread *t, const struct window *w, u32 i,
					       u32 slot, u32 end, u64 issued)
{
	enum mont_result r = MONT_NEXT;

	for (; slot < end; slot++) {
		const struct mont_uop *u = mont_packed_uop(w->b[i], slot);

		if (slot == 1 && w->b[i]->nr == 2)
			continue;
		if ((u->flags & MONT_UOP_NOP) && mont_pr(t, u->qp)) {
			t->sig_slot = slot;
			mont_signal(t, MONT_SIG_NOP_RETIRED, 0);
			continue;
		}
		r = execute_one(t, w, i, u, slot, issued);
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
 * Slots @from to @end of bundle @i, of which none changes what is counted: what does
 * something, one behind the other, then the nops.
 */
static __always_inline enum mont_result execute_live(struct mont_thread *t, const struct window *w,
						     u32 i, u32 from, u32 end, u64 issued)
{
	const struct mont_bundle *b = w->b[i];
	const struct mont_uop *u = &b->uop[w->p[i]->live[from]];
	const struct mont_uop *last = &b->uop[w->p[i]->live[end]];

	for (; u < last; u++) {
		u32 slot = u->flags >> MONT_UOP_SLOT_SHIFT;
		enum mont_result r;

		/* A return may change the level: what is in front of it is of this one. */
		if (unlikely(u->op == MONT_OP_BR_RET)) {
			count_nops_between(t, b, from, slot);
			from = slot;
		}
		r = execute_one(t, w, i, u, slot, issued);
		if (unlikely(r != MONT_NEXT)) {
			count_nops_between(t, b, from, slot);
			return r;
		}
	}
	count_nops_between(t, b, from, end);
	t->sig_slot = mont_is_mlx(b) && end == 2 ? 0 : end - 1;
	return MONT_NEXT;
}

/*
 * What of bundle @i is in the group, up to where something leaves it: that is in
 * t->sig_slot. @psr: what it begins under, if it is watched.
 */
static __always_inline enum mont_result
execute_bundle(struct mont_thread *t, const struct window *w, u32 i, u64 issued, u64 psr)
{
	u32 slot = i ? 0 : w->from, end = slot + w->d->slots[i];
	const struct mont_bundle *b = w->b[i];
	enum mont_result r = MONT_NEXT;

	t->cur = b;
	t->sig_bundle = i;
	t->retire_from = slot;
	t->sig_slot = slot;
	/* The first bundle of the group may have written into the second. */
	if (likely((b->tag & (MONT_TAG_VALID | MONT_TAG_STEP)) == MONT_TAG_VALID && !w->watched &&
		   t->countdown[0][MONT_SIG_NOP_RETIRED].left > 3))
		return execute_live(t, w, i, slot, end, issued);
	if (unlikely(w->watched)) {
		r = mont_fault_before(t, psr);
		if (r != MONT_NEXT)
			return r;
	}
	return execute_slots(t, w, i, slot, end, issued);
}

/* What dispersal does in the group's cycle. */
static __always_inline void signal_dispersal(struct mont_thread *t, const struct mont_dispersal *d)
{
	if (likely(!t->pmu.dispersal))
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
	retire_slots(t, w->b[i], slot);
	t->s.last_ip = t->s.ip;
	if (slot > 2) {
		t->s.ip += 16;
		slot = 0;
	} else if (w->b[i]->nr == 2) {
		slot = 1;
	}
	t->s.slot = slot;
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

/* Execute the group, which issues in cycle @issued; true to return to the host. */
static bool execute_group(struct mont_thread *t, const struct window *w, u64 issued)
{
	struct mont_time *time = t->time;
	u64 insns = t->s.insns, psr = w->watched ? t->s.psr : 0;
	enum mont_result r = MONT_NEXT;
	bool out = false, again;
	u32 i;

	/* There is no instruction in the middle of one. */
	if (unlikely(w->from == 2 && w->b[0]->nr == 2)) {
		t->cur = w->b[0];
		t->sig_slot = 2;
		t->retire_from = 2;
		signal_empty(t);
		return mont_interrupt(t, MONT_FAULT_ILLEGAL_OP);
	}
	for (i = 0;; i++) {
		r = execute_bundle(t, w, i, issued, psr);
		if (r != MONT_NEXT && r != MONT_RELOAD && r != MONT_TAKEN)
			break;
		retire(t, w, i, r);
		if (r == MONT_TAKEN || !t->s.slot)
			mont_buffer_leave(&time->s.buffer, issued);
		/* Behind a branch that leaves, or that was expected to, nothing is in the group. */
		if (r != MONT_NEXT || 3 * i + t->sig_slot >= w->taken ||
		    (time->s.stall.causes & MONT_CAUSES_FLUSH))
			break;
		if (i + 1 == w->nr || !w->d->slots[i + 1])
			break;
	}
	again = r == MONT_AGAIN;
	time->s.next_ip = t->s.ip;
	time->s.next_slot = t->s.slot;
	time->s.split = w->d->why == MONT_LOST_EXPL ? MONT_LOST_EXPL : MONT_LOST_IMPL;
	if (r == MONT_TAKEN && !w->p[i]->kind[t->sig_slot])
		time->s.next_ip = ~0ULL; /* rfi */
	if (r != MONT_NEXT && r != MONT_RELOAD && r != MONT_TAKEN) {
		out = mont_deliver(t, r, psr);
	} else if (unlikely(w->watched)) {
		r = mont_trap_after(t, r, psr);
		out = r != MONT_NEXT && mont_interrupt(t, r);
	}
	time->s.rse.again = 0;
	if (unlikely(again))
		engine_goes_on(t, t->s.insns == insns);
	else if (t->s.insns == insns)
		signal_empty(t);
	/* What it decodes may take the place of a bundle of this group. */
	if (unlikely(time->turn.known))
		mont_wrong_path(t, issued);
	return out;
}

u64 mont_time_window(const struct mont_thread *t)
{
	/* It was expected there, and what follows is not known yet. */
	return t->time->s.next_ip;
}

/*
 * One group, which begins before @deadline of the clock; true to return to the host.
 * Its stall may end early, with @deadline or for somebody to look: forming the group
 * again then finds everything as it was.
 */
static bool run_group(struct mont_thread *t, u64 deadline)
{
	struct mont_time *time = t->time;
	u64 now = t->s.cycles, end, stop = now + deadline - mont_clock(t);
	struct window w;
	bool out;

	if (t->s.ip != time->s.next_ip || t->s.slot != time->s.next_slot) {
		time->s.stall.causes &= MONT_CAUSES_RSE;
		time->s.rse.again = 0;
		time->s.since = MONT_NOT_FORMED;
		flush(t, MONT_CAUSE_XPN, now - 1, time->s.h.timing.flush);
		time->s.next_ip = t->s.ip;
		time->s.next_slot = t->s.slot;
		time->s.split = MONT_LOST_MLX;
	}
	time->map.of[MONT_FILE_GR] = t->grmap;
	time->map.of[MONT_FILE_FR] = t->frmap;
	if (unlikely(time->rotation != t->s.rrb_pr))
		map_predicates(time, t->s.rrb_pr);
	if (time->s.since == MONT_NOT_FORMED)
		time->s.since = now;
	form(t, &w, time->s.since);
	wait_for_operands(t, &w, time->s.since);
	end = mont_stall_end(&time->s.stall, now);
	if (end > now &&
	    (mont_cycles_pass(t, &time->s.stall, end < stop ? end : stop) || end >= stop))
		return false;
	time->s.stall.causes = 0;
	time->s.since = MONT_NOT_FORMED;
	mont_front_issue(t, w.nr);
	now = t->s.cycles++;
	mont_signal(t, MONT_SIG_CYCLE, 0);
	mont_time_frame(t, 1);
	signal_dispersal(t, w.d);
	if (unlikely(w.p[0]->reads_pmu || (w.nr == 2 && w.p[1]->reads_pmu)))
		mont_group_mark(t);
	out = execute_group(t, &w, now);
	if (unlikely(mont_occupied(&time->s.h.occupancy)))
		mont_time_occupied(t);
	return out;
}

/* A cycle without a group: its fetch met PAL or a fault. */
static void pass_without_group(struct mont_thread *t)
{
	signal_empty(t);
	mont_front_nothing(t);
	if (!mont_wrong_now(t) || !mont_wrong_dispersed(t))
		mont_signal(t, MONT_SIG_DISP_STALLED, 0);
	mont_signal(t, MONT_SIG_CYCLE, 0);
	mont_time_frame(t, 1);
	t->s.cycles++;
}

/* Run up to *@groups groups, and leave there how many have not begun; true to return. */
static bool timed_loop(struct mont_thread *t, u64 *groups, u64 deadline)
{
	for (; *groups && mont_clock(t) < deadline; --*groups) {
		enum mont_result r;

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
			t->time->missed = false;
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
		if (run_group(t, deadline))
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
	       mont_wrong_valid(&s->wrong) && s->predictor.top < MONT_NR_RETURNS &&
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
	for (i = 0; i < MONT_NR_PIPES; i++)
		time->pipe[i].tag = 0;
}

void mont_time_init(struct mont_thread *t, struct mont_time *time)
{
	t->time = time;
	t->pmu.timed = true;
	mont_timing_default(&time->s.h.timing);
	map_predicates(time, t->s.rrb_pr);
	mont_rename_init(&time->map, t->grmap, t->frmap, time->predicates);
	time->s.since = MONT_NOT_FORMED;
	time->s.next_ip = ~0ULL;
}
