// SPDX-License-Identifier: GPL-2.0-only
/*
 * The end of a group, stage WRB (manual 2.3.1).
 */
#define MONT_KEEPS_TIME(t) true
#include "flight.h"
#include "retire.h"
#include "../exec/interruption.h"
#include "../exec/step.h"
#include "../event/trace.h"

void mont_retire_bundle(struct mont_thread *t, const struct mont_window *w, u32 i,
			enum mont_result r)
{
	u32 slot = t->sig_slot + 1;

	if (r == MONT_TAKEN)
		return;
	mont_retire_upto(t, slot);
	t->s.last_ip = t->s.ip;
	if (slot > 2) {
		t->s.ip += 16;
		slot = 0;
	} else if (mont_is_mlx(&w->b[i])) {
		slot = 1;
	}
	t->s.slot = slot;
}

_Static_assert(MONT_NR_SIGNALS_OF(BUBBLES) == MONT_NR_CAUSES, "each cause has a signal");

/* Count a cycle in which nothing retires as a bubble of @cause. */
static void retire_signal_bubble(struct mont_thread *t, enum mont_cause cause)
{
	t->pmu.retires = 0;
	t->sig_cause = cause + 1;
	mont_signal(t, MONT_SIG_BUBBLES_FIRST + cause, 0);
	mont_signal(t, MONT_SIG_BUBBLE, 0);
	t->sig_cause = 0;
	t->own.s.stall.spent[cause]++;
	if (mont_traced(t, MONT_TRACE_STALL))
		mont_trace_event(t, &(struct mont_trace_event){
					    .cycle = t->clock - 1,
					    .ip = t->s.ip,
					    .kind = MONT_TRACE_STALL,
					    .slot = t->s.slot,
					    .what = cause,
					    .value = { t->clock, MONT_TRACE_NO_OPERAND } });
}

void mont_signal_empty(struct mont_thread *t)
{
	retire_signal_bubble(t, MONT_CAUSE_XPN);
}

/* The register stack engine is not done: it goes on when the instruction begins again. */
static void retire_rse_continue(struct mont_thread *t, bool empty)
{
	bool loads = t->own.s.stall.causes >> MONT_CAUSE_RSE_LOADRS & 1;

	t->own.s.rse.again = 1;
	if (empty)
		retire_signal_bubble(t, loads ? MONT_CAUSE_RSE_LOADRS : MONT_CAUSE_RSE_OVERFLOW);
}

/* True if srlz.i has ended the group: later bundles are fetched again (SDM volume 2, 3.2.2). */
static bool retire_is_refetch(const struct mont_thread *t, const struct mont_window *w, u32 i,
			      enum mont_result r)
{
	return r == MONT_RELOAD &&
	       mont_op(mont_packed_uop(&w->b[i], t->sig_slot)) == MONT_OP_SRLZ_I;
}

/* The instruction in t->sig_slot of bundle @i leaves its group, and @completes or not. */
static noinline void retire_kill_behind(struct mont_thread *t, const struct mont_window *w, u32 i,
					bool completes)
{
	u32 slot = t->retire_from;

	if (completes && slot <= t->sig_slot)
		slot = t->sig_slot + 1;
	mont_killed(t, mont_flight_rest(t, w, i, slot));
}

bool mont_finish(struct mont_thread *t, const struct mont_window *w, u32 i, enum mont_result r,
		 u64 insns, u64 psr)
{
	bool out = false, again = r == MONT_AGAIN, empty = false;

	mont_end_group(t, w);
	if ((r == MONT_TAKEN && !mont_window_step(t, w, i)->kind) ||
	    retire_is_refetch(t, w, i, r)) {
		t->own.s.next_ip = ~0ULL; /* rfi or srlz.i: a flush */
		if (unlikely(t->pmu.flights))
			retire_kill_behind(t, w, i, true);
	}
	if (r != MONT_NEXT && r != MONT_RELOAD && r != MONT_TAKEN) {
		mont_retire_upto(t, t->sig_slot);
		empty = t->s.insns == insns && !again && !mont_completes(t, r);
		if (unlikely(t->pmu.flights) && !again && r != MONT_STOP)
			retire_kill_behind(t, w, i, mont_completes(t, r));
		/* Before an interruption changes what is counted, PSR.cpl for one. */
		if (empty)
			mont_signal_empty(t);
		out = mont_deliver(t, r, psr);
	} else if (unlikely(w->watched)) {
		r = mont_trap_after(t, r, psr);
		out = r != MONT_NEXT && mont_interrupt(t, r);
	}
	t->own.s.rse.again = 0;
	if (unlikely(again))
		retire_rse_continue(t, t->s.insns == insns);
	else if (t->s.insns == insns && !empty)
		mont_signal_empty(t);
	return out;
}
