// SPDX-License-Identifier: GPL-2.0-only
/*
 * The timed mode: groups as the pipeline forms them, in the cycles it takes
 * (manual 2.3.1, 2.3.2 and 4.6).
 *
 * A group goes through the stages in one step: its bundles are pulled out of the
 * instruction buffer and dispersed (window.h), wait for their operands (wait.h), execute
 * in the order of the program (here; branches in branch_unit.c), leave results behind
 * with the cycle each can be used in, and retire (retire.h).
 */
#define MONT_KEEPS_TIME(t) true
#include "retire.h"
#include "wait.h"
#include "../exec/execute_hot.h"
#include "../event/assert.h"
#include "../mmu/breakpoint.h"
#include "../pal/pal.h"
#include "../platform/platform.h"
#include "../pmu/pmu.h"
#include "../event/trace.h"

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
	r = execute_hot(t, u, false);
	if (likely(r == MONT_NEXT || r == MONT_TAKEN || r == MONT_RELOAD))
		mont_step_done(t, time, step, issued);
	else
		mont_lsu_drain(t);
	return r;
}

/* The branch @u in t->sig_slot of bundle @i. */
static __always_inline enum mont_result branch(struct mont_thread *t, struct mont_window *w, u32 i,
					       const struct mont_uop *u,
					       const struct mont_step *step, u64 issued)
{
	return mont_branch_execute(t, w->g, &w->branch[3 * i + t->sig_slot], u, step, issued,
				   &w->turn);
}

/* Slots @slot to @end of bundle @i, where one of them may have to be looked at. */
static noinline enum mont_result execute_slots(struct mont_thread *t, struct mont_window *w, u32 i,
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
			r = branch(t, w, i, u, step, issued);
		else
			r = execute_one(t, t->time, step, u, issued);
		if (unlikely(r != MONT_NEXT))
			return r;
	}
	return r;
}

/* Nops of @b from slot @from up to @end are counted; if @end is in front, no longer. */
static __always_inline void count_nops_between(struct mont_thread *t, const struct mont_bundle *b,
					       u32 from, u32 end)
{
	s64 nops = (s64)mont_nops_before(b, end) - (s64)mont_nops_before(b, from);

	t->countdown[0][MONT_SIG_NOP_RETIRED].left -= nops;
}

/*
 * A return among others that do something, which may change the level: nops in front of
 * it, from slot @from on, are counted before.
 */
static noinline enum mont_result return_among(struct mont_thread *t, struct mont_window *w, u32 i,
					      u32 from, const struct mont_uop *u,
					      const struct mont_step *step, u64 issued)
{
	const struct mont_bundle *b = &w->b[i];
	u32 slot = t->sig_slot;
	enum mont_result r;

	count_nops_between(t, b, from, slot);
	r = branch(t, w, i, u, step, issued);
	/* If it stays here they are counted with the others. */
	if (r == MONT_NEXT)
		count_nops_between(t, b, slot, from);
	return r;
}

/*
 * Execute the instructions of bundle @i from slot @from on that are in the group, then count
 * its nops; none changes what is counted. If an instruction leaves the bundle, count only the
 * nops before it. The nops of a tagged bundle are counted as it retires.
 */
static __always_inline enum mont_result execute_live(struct mont_thread *t, struct mont_time *time,
						     struct mont_window *w, const u32 i, u32 from,
						     u64 issued, const bool tagged)
{
	const struct mont_part *p = &w->g->part[i];
	const struct mont_bundle *b = &w->b[i];
	const struct mont_uop *u = &b->uop[p->first], *last = &b->uop[p->last];
	const struct mont_step *step = &w->g->step[3 * i + p->first];
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
			if (!tagged && u->op == MONT_OP_BR_RET) {
				r = return_among(t, w, i, from, u, step, issued);
				if (r != MONT_NEXT)
					return r;
				continue;
			}
			r = branch(t, w, i, u, step, issued);
		} else {
			r = execute_one(t, time, step, u, issued);
		}
		if (unlikely(r != MONT_NEXT)) {
			if (!tagged)
				count_nops_between(t, b, from, slot);
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
static enum mont_result execute_bundle(struct mont_thread *t, struct mont_window *w, u32 i,
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

/*
 * True if the group is held in REN while the register stack engine makes, in more than one
 * pass, the references that its first instruction waits for. It disperses behind them.
 */
static bool is_held(const struct mont_thread *t, const struct mont_window *w)
{
	return !(w->from && mont_is_mlx(w->b)) &&
	       mont_rse_goes_on(t, mont_packed_uop(w->b, w->from));
}

/* True if the group is the rest of one that ports or templates have split. */
static bool is_rest(const struct mont_thread *t)
{
	const struct mont_rest *rest = &t->pmu.rest;

	return rest->insns == t->s.insns && rest->ip == t->s.ip && rest->slot == t->s.slot;
}

/* Signal what the group's cycle has for counters of the front end, the frame and dispersal. */
static noinline void signal_cycle(struct mont_thread *t, const struct mont_window *w)
{
	const struct mont_dispersal *d = &w->g->d;

	mont_time_frame(t, 1);
	if (t->pmu.dispersal)
		t->pmu.retires = is_rest(t) ? MONT_SIG_RETIRES_REST : MONT_SIG_RETIRES;
	if (is_held(t, w)) {
		mont_front_pass(t, 1, MONT_CAUSE_RSE_OVERFLOW);
		mont_signal(t, MONT_SIG_DISP_STALLED, 0);
		return;
	}
	mont_front_issue(t, w->nr);
	if (!t->pmu.dispersal)
		return;
	mont_signal_n(t, MONT_SIG_DISPERSED, d->insns, 0);
	mont_signal_n(t, MONT_SIG_LOST_EXPL, d->lost[MONT_LOST_EXPL], 0);
	mont_signal_n(t, MONT_SIG_LOST_IMPL, d->lost[MONT_LOST_IMPL], 0);
	mont_signal_n(t, MONT_SIG_LOST_FE, d->lost[MONT_LOST_FE], 0);
	mont_signal_n(t, MONT_SIG_LOST_MLX, d->lost[MONT_LOST_MLX], 0);
	mont_signal_n(t, MONT_SIG_OVER_EXPL, d->over[MONT_LOST_EXPL], 0);
	mont_signal_n(t, MONT_SIG_OVER_IMPL, d->over[MONT_LOST_IMPL], 0);
	if (d->why <= MONT_LOST_IMPL)
		mont_signal(t, d->why == MONT_LOST_EXPL ? MONT_SIG_STOP_EXPL : MONT_SIG_STOP_IMPL,
			    0);
}

/* The group has ended: note where it goes on, if ports or templates have split it there. */
static noinline void signal_retired(struct mont_thread *t, const struct mont_window *w)
{
	const struct mont_group *g = w->g;
	u32 last = g->part[1].end ? 1 : 0, next = g->part[last].next;
	u64 ip = w->ip + 16 * (last + !next);

	mont_cycle_retires(t);
	t->pmu.rest.insns = ~0ULL;
	if (g->d.why == MONT_LOST_IMPL && t->s.ip == ip && t->s.slot == next)
		t->pmu.rest = (struct mont_rest){ ip, t->s.insns, next };
}

/* There is no instruction in the middle of one. */
static noinline bool execute_none(struct mont_thread *t, const struct mont_window *w)
{
	t->cur = w->b;
	t->sig_slot = 2;
	t->retire_from = 2;
	mont_signal_empty(t);
	return mont_interrupt(t, MONT_FAULT_ILLEGAL_OP);
}

/* Bundle @i of the group is done, or left, with @r. True if the group goes on in the next one. */
static __always_inline bool goes_on(struct mont_thread *t, const struct mont_window *w, u32 i,
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
static noinline bool execute_rest(struct mont_thread *t, struct mont_window *w, u32 i, u64 issued,
				  u64 insns, u64 psr)
{
	struct mont_time *time = t->time;
	enum mont_result r;
	bool more = false;

	do {
		r = execute_bundle(t, w, i, issued, psr);
		if (r != MONT_NEXT && r != MONT_RELOAD && r != MONT_TAKEN)
			break;
		mont_retire_bundle(t, w, i, r);
		if (r == MONT_TAKEN || !t->s.slot)
			mont_buffer_leave(&time->s.buffer, issued);
		more = !i && goes_on(t, w, i, r);
		i += more;
	} while (more);
	return mont_finish(t, w, i, r, insns, psr);
}

/* Any group. True to return to the host. */
static noinline bool execute_other(struct mont_thread *t, struct mont_window *w, u64 issued)
{
	if (w->g->reads_pmu)
		mont_group_mark(t);
	if (w->from == 2 && mont_is_mlx(w->b))
		return execute_none(t, w);
	return execute_rest(t, w, 0, issued, t->s.insns, w->watched ? t->s.psr : 0);
}

/* Can the bundles of the group be tagged (pmu/tags.h)? There is room for them then. */
static __always_inline bool tags_ready(struct mont_thread *t, const struct mont_window *w)
{
	return mont_window_ready(t, mont_window_tags(t, w), w->b, w->g->part[1].end ? 2 : 1);
}

/* The group has ended with @r: what is in front of that has been tagged as well. */
static __always_inline void end_tags(struct mont_thread *t, enum mont_result r)
{
	if (unlikely(r != MONT_TAKEN && r != MONT_NEXT))
		mont_retire_upto(t, t->sig_slot + (r == MONT_RELOAD));
	mont_tags_end(t);
}

/*
 * Execute a group, each of whose instructions is in its place, and whose nops no subscriber
 * must see. @tagged: a subscriber qualifies by the instruction, and the bundles are tagged.
 * @straight: set to whether the next group begins where this one has ended or branched to.
 */
static __always_inline bool execute_plain(struct mont_thread *t, struct mont_time *time,
					  struct mont_window *w, u64 issued, const bool tagged,
					  bool *straight)
{
	u64 insns = t->s.insns;
	enum mont_result r;
	u32 i = 0;

	*straight = false;
	r = execute_live(t, time, w, 0, w->from, issued, tagged);
	if (likely(r == MONT_NEXT)) {
		mont_retire_part(t, w, 0, w->from, issued, tagged);
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
				mont_retire_part(t, w, 1, 0, issued, tagged);
		}
	}
	if (tagged)
		end_tags(t, r);
	if (likely(r == MONT_NEXT)) {
		mont_end_group(t, w);
		*straight = true;
		return false;
	}
	if (likely(r == MONT_TAKEN)) {
		mont_buffer_leave(&time->s.buffer, issued);
		if (likely(mont_window_step(t, w, i)->kind)) {
			mont_end_group(t, w);
			*straight = true;
			return false;
		}
	} else if (r == MONT_RELOAD) {
		mont_retire_bundle(t, w, i, r);
		if (!t->s.slot)
			mont_buffer_leave(&time->s.buffer, issued);
	}
	return mont_finish(t, w, i, r, insns, 0);
}

/* Execute a group without instruction-qualified subscribers. */
static noinline bool execute_untagged(struct mont_thread *t, struct mont_time *time,
				      struct mont_window *w, u64 issued)
{
	bool straight;

	return execute_plain(t, time, w, issued, false, &straight);
}

/* Execute a group with instruction-qualified subscribers. */
static noinline bool execute_tagged(struct mont_thread *t, struct mont_time *time,
				    struct mont_window *w, u64 issued)
{
	bool straight;

	return execute_plain(t, time, w, issued, true, &straight);
}

/* ---- the trace ---- */

static void trace_group(struct mont_thread *t, const struct mont_window *w,
			enum mont_trace_kind kind, u64 cycle, u32 what, u64 first, u64 second)
{
	if (mont_traced(t, kind))
		mont_trace_event(t, &(struct mont_trace_event){ .cycle = cycle,
								.ip = w->ip,
								.kind = kind,
								.slot = w->from,
								.what = what,
								.value = { first, second } });
}

/* Tell of the group of @w, which issues in cycle @now, and of its stall. */
static noinline void trace_issue(struct mont_thread *t, struct mont_window *w, u64 now)
{
	const struct mont_group *g = w->g;

	w->insns = t->s.insns;
	trace_group(t, w, MONT_TRACE_DISPERSE, w->since, g->d.insns, w->nr, g->d.why);
	trace_group(t, w, MONT_TRACE_ISSUE, now, g->part[0].insns + g->part[1].insns, w->since, 0);
}

/* Tell of the end of the group of @w, which has issued in cycle @now. */
static noinline void trace_retire(struct mont_thread *t, const struct mont_window *w, u64 now)
{
	trace_group(t, w, MONT_TRACE_RETIRE, now, t->s.insns - w->insns, t->s.ip, t->s.slot);
}

/* Tell of the stall of the group of @w, which is over. */
static noinline void trace_stall(struct mont_thread *t, const struct mont_window *w)
{
	u64 operand[MONT_NR_CAUSES];

	mont_wait_operands(t, w, w->since, operand);
	mont_stall_trace(t, &t->time->s.stall, w->since, t->clock, operand);
}

/* ---- groups ---- */

bool mont_cycles_unseen(struct mont_thread *t, struct mont_stall *s, enum mont_cause cause, u64 n)
{
	return mont_cycles_pass_unseen(t, s, cause, n);
}

/* The flow has gone elsewhere than to where the last group ended. */
static noinline void redirected(struct mont_thread *t, u64 now)
{
	struct mont_time *time = t->time;

	if (time->s.since != MONT_NOT_FORMED)
		mont_stall_trace(t, &time->s.stall, time->s.since, now, NULL);
	time->s.stall.causes &= MONT_CAUSES_RSE;
	time->s.rse.again = 0;
	time->s.since = MONT_NOT_FORMED;
	mont_branch_flush(t, MONT_CAUSE_XPN, now - 1, time->s.h.timing.flush);
	time->s.next_ip = t->s.ip;
	time->s.next_slot = t->s.slot;
	time->s.split = MONT_LOST_MLX;
}

/* Cycles up to @deadline pass as the group waits: true if it still does then, or may not go on. */
static noinline bool stalls(struct mont_thread *t, const struct mont_window *w, u64 deadline)
{
	struct mont_time *time = t->time;
	u64 since = w->since, now = t->clock;
	u64 end = mont_stall_end(&time->s.stall, now);

	time->s.since = since;
	if (end > now && (mont_cycles_pass(t, &time->s.stall, end < deadline ? end : deadline) ||
			  end >= deadline))
		return true;
	if (mont_traced(t, MONT_TRACE_STALL))
		trace_stall(t, w);
	time->s.stall.causes = 0;
	time->s.since = MONT_NOT_FORMED;
	return false;
}

/* True if the group has a breakpoint. Nothing has happened yet: it is formed again. */
static noinline bool breaks(struct mont_thread *t, const struct mont_window *w)
{
	const struct mont_part *part = w->g->part;

	return mont_break_at(t, w->ip, w->from, part[0].end) ||
	       (part[1].end && mont_break_at(t, w->ip + 16, 0, part[1].end));
}

/*
 * One group, which begins before @deadline of the clock; true to return to the host.
 * Its stall may end early, with @deadline or for a subscriber: forming the group
 * again then finds everything as it was.
 */
static bool run_group(struct mont_thread *t, struct mont_time *time, u64 deadline)
{
	u64 now = t->clock;
	struct mont_window w;
	bool out;

	if (unlikely(t->s.ip != time->s.next_ip || t->s.slot != time->s.next_slot))
		redirected(t, now);
	/* An overflow in a cycle is sampled at the instruction that waits or issues in it. */
	t->sig_slot = t->s.slot;
	time->map.of[MONT_FILE_FR] = t->frmap;
	time->map.of[MONT_FILE_PR] = time->predicates[t->s.rrb_pr];
	if (likely(time->s.since == MONT_NOT_FORMED))
		w.since = now;
	else
		w.since = time->s.since;
	w.turn.known = false;
	mont_window_form(t, time, &w, w.since, false);
	if (unlikely(t->breakpoints) && breaks(t, &w))
		return true;
	mont_window_wait(t, &w, w.since);
	if (time->s.stall.causes && stalls(t, &w, deadline))
		return false;
	now = t->clock;
	if (unlikely(t->traced))
		trace_issue(t, &w, now);
	mont_operands_issue(&time->s.results, w.g->longest, now);
	t->clock = now + 1;
	mont_signal(t, MONT_SIG_CYCLE, 0);
	if (unlikely(t->pmu.cycles))
		signal_cycle(t, &w);
	if (unlikely(!w.g->plain || w.watched) || MONT_CHECK(t))
		out = execute_other(t, &w, now);
	else if (unlikely(mont_tagging(t)) && tags_ready(t, &w))
		out = execute_tagged(t, time, &w, now);
	else if (likely(t->countdown[0][MONT_SIG_NOP_RETIRED].left > 6))
		out = execute_untagged(t, time, &w, now);
	else
		out = execute_other(t, &w, now);
	if (unlikely(t->pmu.dispersal))
		signal_retired(t, &w);
	/* A bundle decoded on the wrong path may take the place of one of this group. */
	if (unlikely(w.turn.known))
		mont_wrong_path(t, &w.turn, now);
	if (unlikely(mont_occupied(&time->s.h.occupancy)))
		mont_time_occupied(t);
	if (unlikely(t->traced))
		trace_retire(t, &w, now);
	return out;
}

/* True if groups need nothing from run_group() but what run_quiet() does. */
static __always_inline bool is_quiet(const struct mont_thread *t, const struct mont_time *time)
{
	return !t->traced && !t->pmu.cycles && !mont_tagging(t) && !t->breakpoints &&
	       t->until == MONT_UNTIL_NONE && time->s.since == MONT_NOT_FORMED &&
	       t->s.ip == time->s.next_ip && t->s.slot == time->s.next_slot;
}

/*
 * Run groups while is_quiet() holds, no work is pending, and they lie in the page of fetch: up to
 * *@left of them, and before @deadline of the clock. *@left and the return value are those of
 * timed_loop().
 */
static noinline bool run_quiet(struct mont_thread *t, struct mont_time *time, u64 *left,
			       u64 deadline)
{
	u64 groups = *left;
	bool straight, out = false;
	struct mont_window w;

	w.watched = false;
	w.turn.known = false;
	do {
		u64 now = t->clock;

		t->sig_slot = t->s.slot;
		time->map.of[MONT_FILE_FR] = t->frmap;
		time->map.of[MONT_FILE_PR] = time->predicates[t->s.rrb_pr];
		w.since = now;
		mont_window_form(t, time, &w, now, true);
		mont_window_wait(t, &w, now);
		if (time->s.stall.causes) {
			if (unlikely(!mont_stall_pass_unseen(t, &time->s.stall, deadline)) &&
			    stalls(t, &w, deadline)) {
				groups--;
				break;
			}
			now = t->clock;
		}
		mont_operands_issue(&time->s.results, w.g->longest, now);
		t->clock = now + 1;
		mont_signal(t, MONT_SIG_CYCLE, 0);
		straight = false;
		if (likely(w.g->plain && t->countdown[0][MONT_SIG_NOP_RETIRED].left > 6))
			out = execute_plain(t, time, &w, now, false, &straight);
		else
			out = execute_other(t, &w, now);
		/* A bundle decoded on the wrong path may take the place of one of this group. */
		if (unlikely(w.turn.known)) {
			mont_wrong_path(t, &w.turn, now);
			w.turn.known = false;
		}
		if (unlikely(mont_occupied(&time->s.h.occupancy)))
			mont_time_occupied(t);
		if (unlikely(out))
			break;
		groups--;
	} while (likely(straight && groups && !t->attn && t->clock < deadline &&
			(t->s.ip & ~0xfffULL) == t->fetch_va));
	*left = groups;
	return out;
}

/* A cycle without a group: its fetch met PAL or a fault. */
static void pass_without_group(struct mont_thread *t)
{
	u64 now = t->clock++;

	t->sig_slot = t->s.slot;
	mont_signal_empty(t);
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

	for (groups = *left; groups && t->clock < deadline; *left = groups) {
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
		if (MONT_CHECK(t) && time->s.since == MONT_NOT_FORMED)
			mont_check_forget(t);
		if (unlikely((t->s.ip & ~0xfffULL) != t->fetch_va)) {
			bool missed;

			r = mont_fetch_page(t);
			missed = time->lsu_log.nr;
			mont_lsu_drain(t);
			if (r == MONT_RELOAD) {
				r = mont_pal_enter(t);
				mont_lsu_drain(t);
			}
			if (r != MONT_NEXT) {
				pass_without_group(t);
				if (r == MONT_TAKEN) {
					if (t->s.halted)
						return false;
					groups--;
					continue;
				}
				mont_between_groups(t);
				mont_front_faulted(t, r, missed);
				if (mont_interrupt(t, r))
					return true;
				groups--;
				continue;
			}
		}
		if (likely(!t->attn && is_quiet(t, time)) && !MONT_CHECK(t)) {
			if (run_quiet(t, time, &groups, deadline)) {
				*left = groups;
				return true;
			}
			continue;
		}
		if (run_group(t, time, deadline))
			return true;
		groups--;
	}
	return false;
}

/* True if cycles of causes and others leave a number of cycles in which something retired. */
static bool causes_add_up(const struct mont_thread *t)
{
	struct mont_cycles c;

	mont_cycles(t, &c);
	return c.unstalled <= c.cycles && c.unstalled <= t->s.insns;
}

bool mont_timed_run(struct mont_thread *t, u64 cycles, u64 insns)
{
	u64 end = t->clock + cycles, insns0 = t->s.insns;
	struct mont_work *work = t->work;

	while (t->clock < end && t->s.insns - insns0 < insns && !t->s.halted &&
	       mont_work_goes_on(work)) {
		u64 room = work->left / (4 * MONT_WORK_BUNDLE) + 1, deadline = end;
		u64 left = insns - (t->s.insns - insns0), groups = left / 6 + !!(left % 6);
		u64 timer = mont_itm_distance(t), at = t->clock;
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
		MONT_ASSERT(t, causes_add_up(t),
			    "cycles: the causes add up to those without a retirement");
		t->sig_slot = t->s.slot;
		t->retire_from = t->s.slot;
		if (t->clock != at && !mont_itm_distance(t))
			mont_itm_match(t);
		if (out)
			return true;
	}
	return false;
}
