// SPDX-License-Identifier: GPL-2.0-only
/*
 * The timed mode: groups as the pipeline forms them, in the cycles it takes
 * (manual 2.3.1, 2.3.2 and 4.6).
 *
 * A group goes through the stages in one step: its bundles are pulled out of the
 * instruction buffer and dispersed (window.h), wait for their operands (wait.h), execute
 * in the order of the program (issue.h; branches in branch_unit.c), leave results behind
 * with the cycle each can be used in, and retire (retire.h).
 */
#define MONT_KEEPS_TIME(t) true
#include "timed.h"
#include "causes.h"
#include "flight.h"
#include "issue.h"
#include "segment.h"
#include "wait.h"
#include "wrong_path.h"
#include "../platform/interrupts.h"
#include "../exec/attention.h"
#include "../exec/fetch.h"
#include "../exec/interruption.h"
#include "../event/assert.h"
#include "../mmu/breakpoint.h"
#include "../pal/pal.h"
#include "../pmu/pmu.h"
#include "../event/trace.h"
#include "../pmu/qualify.h"

/*
 * True if the group is held in REN while the register stack engine makes, in more than one
 * pass, the references that its first instruction waits for. It disperses behind them.
 */
static bool timed_is_held(const struct mont_thread *t, const struct mont_window *w)
{
	return !(w->from && mont_is_mlx(w->b)) &&
	       mont_rse_goes_on(t, mont_packed_uop(w->b, w->from));
}

/* True if the group is the rest of one that ports or templates have split. */
static bool timed_is_rest(const struct mont_thread *t)
{
	const struct mont_rest *rest = &t->pmu.rest;

	return rest->insns == t->s.insns && rest->ip == t->s.ip && rest->slot == t->s.slot;
}

/* Signal what the group's cycle has for counters of the front end, the frame and dispersal. */
static noinline void timed_signal_cycle(struct mont_thread *t, const struct mont_window *w)
{
	const struct mont_dispersal *d = &w->g->d;

	mont_account_frame(t, 1);
	t->pmu.fate = (struct mont_fate){ .insns = t->s.insns };
	if (t->pmu.dispersal)
		t->pmu.retires = timed_is_rest(t) ? MONT_SIG_RETIRES_REST : MONT_SIG_RETIRES;
	if (timed_is_held(t, w)) {
		mont_front_pass(t, 1, MONT_CAUSE_RSE_OVERFLOW);
		mont_signal(t, MONT_SIG_DISP_STALLED, 0);
		return;
	}
	mont_front_issue(t, w->nr);
	if (!t->pmu.dispersal)
		return;
	mont_window_dispersed(t, d->insns, d->lost, d->over);
	if (d->why <= MONT_LOST_IMPL)
		mont_signal(t, d->why == MONT_LOST_EXPL ? MONT_SIG_STOP_EXPL : MONT_SIG_STOP_IMPL,
			    0);
}

/* The group, which issued in cycle @issued, has ended: note where it goes on, if ports or templates have split it there. */
static noinline void timed_signal_retirement(struct mont_thread *t, const struct mont_window *w,
					     u64 issued)
{
	const struct mont_group *g = w->g;
	u32 last = g->part[1].end ? 1 : 0, next = g->part[last].next;
	u64 ip = w->ip + 16 * (last + !next);

	mont_cycle_retires(t);
	t->pmu.rest.insns = ~0ULL;
	if (g->d.why == MONT_LOST_IMPL && t->s.ip == ip && t->s.slot == next)
		t->pmu.rest = (struct mont_rest){ ip, t->s.insns, next };
	if (t->pmu.flights)
		mont_flight_group(t, w, issued);
}

/* ---- the trace ---- */

static void timed_trace_group(struct mont_thread *t, const struct mont_window *w,
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

/* Trace dispersal and issue of the group of @w, which issues in cycle @now. */
static noinline void timed_trace_issue(struct mont_thread *t, struct mont_window *w, u64 now)
{
	const struct mont_group *g = w->g;

	w->insns = t->s.insns;
	timed_trace_group(t, w, MONT_TRACE_DISPERSE, w->since, g->d.insns, w->nr, g->d.why);
	timed_trace_group(t, w, MONT_TRACE_ISSUE, now, g->part[0].insns + g->part[1].insns,
			  w->since, 0);
}

/* Trace the retirement of the group of @w, which has issued in cycle @now. */
static noinline void timed_trace_retire(struct mont_thread *t, const struct mont_window *w, u64 now)
{
	timed_trace_group(t, w, MONT_TRACE_RETIRE, now, t->s.insns - w->insns, t->s.ip, t->s.slot);
}

/* Trace the stall of the group of @w, which is over. */
static noinline void timed_trace_stall(struct mont_thread *t, const struct mont_window *w)
{
	u64 operand[MONT_NR_CAUSES];

	mont_wait_operands(t, w, w->since, operand);
	mont_stall_trace(t, &t->own.s.stall, w->since, t->clock, operand);
}

/* ---- groups ---- */

/*
 * Waits that a flush does not end: for what older instructions have begun in the register stack
 * engine and in the L1D's pipe.
 */
#define CAUSES_KEPT (MONT_CAUSES_RSE | MONT_CAUSES_L1D)

/* The flow has gone elsewhere than to where the last group ended. */
static noinline void timed_redirect(struct mont_thread *t, u64 now)
{
	struct mont_thread_time *own = &t->own;
	struct mont_time *time = t->time;
	/* mont_threads_enter() leaves this cause for the thread's first fetch. */
	bool comes = own->s.stall.causes >> MONT_CAUSE_SWITCH & 1;

	if (own->s.since != MONT_NOT_FORMED)
		mont_stall_trace(t, &own->s.stall, own->s.since, now, NULL);
	own->s.stall.causes &= CAUSES_KEPT;
	own->s.rse.again = 0;
	own->s.since = MONT_NOT_FORMED;
	mont_branch_flush(t, comes ? MONT_CAUSE_SWITCH : MONT_CAUSE_XPN, now - 1,
			  time->s.h.timing.flush);
	own->s.next_ip = t->s.ip;
	own->s.next_slot = t->s.slot;
	own->s.split = MONT_LOST_MLX;
}

/* As mont_cycles_pass(), of which a filter wants to know the instruction that waits. */
static noinline bool timed_pass_filtered(struct mont_thread *t, const struct mont_window *w,
					 u64 end)
{
	struct mont_waiter at[MONT_NR_CAUSES];
	bool out;

	mont_wait_places(t, w, w->since, at);
	t->sig_waiting = at;
	out = mont_cycles_pass(t, &t->own.s.stall, end);
	t->sig_waiting = NULL;
	return out;
}

/* The group of @w waits up to cycle @end; true if the run may not go on. */
static bool timed_pass(struct mont_thread *t, const struct mont_window *w, u64 end)
{
	return unlikely(t->pmu.obs.waiting) ? timed_pass_filtered(t, w, end)
					    : mont_cycles_pass(t, &t->own.s.stall, end);
}

/* Cycles up to @deadline pass as the group waits: true if it still does then, or may not go on. */
static noinline bool timed_stall(struct mont_thread *t, const struct mont_window *w, u64 deadline)
{
	struct mont_thread_time *own = &t->own;
	u64 since = w->since, now = t->clock;
	u64 end = mont_stall_end(&own->s.stall, now), next = t->time->s.threads.next;

	/* The fetch of this group may have missed the L3. */
	if (deadline > next)
		deadline = next;
	own->s.since = since;
	if (end > now && (timed_pass(t, w, end < deadline ? end : deadline) || end >= deadline))
		return true;
	if (mont_traced(t, MONT_TRACE_STALL))
		timed_trace_stall(t, w);
	own->s.stall.causes = 0;
	own->s.since = MONT_NOT_FORMED;
	return false;
}

/* True if the group has a breakpoint. Nothing has happened yet: it is formed again. */
static noinline bool timed_has_breakpoint(struct mont_thread *t, const struct mont_window *w)
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
static bool timed_run_group(struct mont_thread *t, struct mont_time *time, u64 deadline)
{
	struct mont_thread_time *own = &t->own;
	u64 now = t->clock;
	struct mont_window w;
	bool out;

	if (unlikely(t->s.ip != own->s.next_ip || t->s.slot != own->s.next_slot))
		timed_redirect(t, now);
	/* An overflow in a cycle is sampled at the instruction that waits or issues in it. */
	t->sig_slot = t->s.slot;
	own->map.of[MONT_FILE_FR] = t->frmap;
	own->map.of[MONT_FILE_PR] = time->predicates[t->s.rrb_pr];
	if (likely(own->s.since == MONT_NOT_FORMED))
		w.since = now;
	else
		w.since = own->s.since;
	w.turn.known = false;
	mont_window_form(t, time, &w, w.since);
	if (unlikely(t->breakpoints) && timed_has_breakpoint(t, &w))
		return true;
	mont_window_wait(t, &w, w.since);
	own->s.stall.causes &= ~time->s.h.timing.free_causes;
	if (own->s.stall.causes && timed_stall(t, &w, deadline))
		return false;
	now = t->clock;
	if (unlikely(t->traced))
		timed_trace_issue(t, &w, now);
	mont_operands_issue(&own->s.results, w.g->longest, now);
	t->clock = now + 1;
	mont_signal(t, MONT_SIG_CYCLE, 0);
	if (unlikely(t->pmu.cycles))
		timed_signal_cycle(t, &w);
	if (unlikely(!w.g->plain || w.watched) || MONT_CHECK(t))
		out = issue_other(t, &w, now);
	else if (unlikely(mont_tagging(t)) && issue_tags_ready(t, &w))
		out = issue_tagged(t, time, &w, now);
	else if (likely(t->countdown[0][MONT_SIG_NOP_RETIRED].left >= 6))
		out = issue_untagged(t, time, &w, 0, issue_first(&w, 0), now);
	else
		out = issue_other(t, &w, now);
	if (unlikely(t->pmu.dispersal))
		timed_signal_retirement(t, &w, now);
	/* A bundle decoded on the wrong path may take the place of one of this group. */
	if (unlikely(w.turn.known))
		mont_wrong_path(t, &w.turn, now);
	if (unlikely(mont_occupied(&time->s.h.occupancy)))
		mont_account_queues(t);
	if (unlikely(t->traced))
		timed_trace_retire(t, &w, now);
	return out;
}

/* True if a segment shows all that subscribers, breakpoints and the trace must see. */
static __always_inline bool timed_is_quiet(const struct mont_thread *t,
					   const struct mont_time *time)
{
	return !t->traced && !t->pmu.cycles && !mont_tagging(t) && !t->breakpoints &&
	       t->until == MONT_UNTIL_NONE && !time->s.h.timing.free_causes &&
	       t->s.ip == t->own.s.next_ip && t->s.slot == t->own.s.next_slot;
}

/* A cycle without a group: its fetch met PAL or a fault. */
static void timed_pass_without_group(struct mont_thread *t)
{
	u64 now = t->clock++;

	t->sig_slot = t->s.slot;
	mont_signal_empty(t);
	mont_front_nothing(t);
	if (!mont_wrong_now(t, now) || !mont_wrong_dispersed(t, now))
		mont_signal(t, MONT_SIG_DISP_STALLED, 0);
	t->sig_cause = MONT_CAUSE_XPN + 1;
	mont_signal(t, MONT_SIG_CYCLE, 0);
	t->sig_cause = 0;
	mont_account_frame(t, 1);
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
		if (MONT_CHECK(t) && t->own.s.since == MONT_NOT_FORMED)
			mont_check_forget(t);
		if (unlikely((t->s.ip & ~0xfffULL) != t->fetch_va)) {
			bool missed;

			/* A miss of the walk for the page is sampled at the instruction to come. */
			t->sig_slot = t->s.slot;
			r = mont_fetch_page(t);
			missed = time->lsu_log.nr;
			mont_lsu_drain(t);
			if (r == MONT_RELOAD) {
				r = mont_pal_enter(t);
				mont_lsu_drain(t);
			}
			if (r != MONT_NEXT) {
				timed_pass_without_group(t);
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
		if (likely(!t->attn && timed_is_quiet(t, time) && segment_may_begin(t)) &&
		    !MONT_CHECK(t)) {
			enum segment_result end;

			/* A group may wait for several deadlines. */
			if (t->own.s.since != MONT_NOT_FORMED && segment_wait_on(t, deadline))
				continue;
			end = segment_run(t, time, &groups, deadline);
			if (unlikely(end == SEGMENT_RETURNS)) {
				*left = groups;
				return true;
			}
			if (end == SEGMENT_ENDED || t->clock >= deadline ||
			    (t->s.ip & ~0xfffULL) != t->fetch_va)
				continue;
		}
		if (timed_run_group(t, time, deadline))
			return true;
		groups--;
	}
	return false;
}

/* True if cycles of causes and others leave a number of cycles in which something retired. */
static bool timed_is_sum_of_causes(const struct mont_thread *t)
{
	struct mont_cycles c;

	mont_cycles(t, &c);
	return c.unstalled <= c.cycles && c.unstalled <= t->s.insns;
}

bool mont_timed_run(struct mont_thread *t, u64 cycles, u64 insns)
{
	u64 insns0 = t->s.insns, *next = &t->time->s.threads.next;
	struct mont_work *work = t->work;

	work->end = t->clock + cycles;
	while (t->clock < work->end && t->clock < *next && !t->own.s.paused &&
	       t->s.insns - insns0 < insns && !t->s.halted && mont_work_goes_on(work)) {
		u64 groups = work->left / (4 * MONT_WORK_BUNDLE) + 1;
		u64 deadline = work->end < *next ? work->end : *next;
		u64 left = insns - (t->s.insns - insns0);
		u64 timer = mont_itm_distance(t), at = t->clock;
		bool out;

		if (unlikely(left < 6 * groups))
			groups = left / 6 + !!(left % 6);
		if (timer && deadline - at > timer)
			deadline = at + timer;
		work->left -= (s64)groups * 2 * MONT_WORK_BUNDLE;
		out = timed_loop(t, &groups, deadline);
		work->left += (s64)groups * 2 * MONT_WORK_BUNDLE;
		if (t->attn & MONT_ATTN_GROUP)
			mont_group_end(t);
		MONT_ASSERT(t, timed_is_sum_of_causes(t),
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
