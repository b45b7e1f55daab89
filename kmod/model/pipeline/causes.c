// SPDX-License-Identifier: GPL-2.0-only
/*
 * Causes of bubbles, and the cycles that pass with them (manual 3.2.1.4 and 4.6).
 */
#include "causes.h"
#include "front_end.h"
#include "wrong_path.h"
#include "timing.h"
#include "../platform/interrupts.h"
#include "../base/check.h"
#include "../package/package.h"
#include "../pmu/pmu.h"
#include "../event/raise.h"
#include "../event/trace.h"

const u8 mont_cause_signal[MONT_NR_CAUSES] = {
#define MONT_CAUSE(name, bar, meaning) [MONT_CAUSE_##name] = MONT_SIG_BUBBLE_##name,
#include "causes.def"
#undef MONT_CAUSE
};

_Static_assert(MONT_CAUSES_FREE == MONT_MOST_free_causes, "stall.free allows these");

/*
 * Causes that may hold in cycle @now, up to *@end. Each stall inserts its bubble in one place
 * of the pipeline (manual 4.6): until the group is fetched, no operand of it is waited for, nor
 * is there the flush for a multimedia result used as an address, which ends behind the fetch.
 */
static u32 causes_in_cycle(const struct mont_stall *s, u64 now, u64 *end)
{
	u64 fetched = s->until[MONT_CAUSE_FE];
	u32 causes = s->causes;

	if (!(causes >> MONT_CAUSE_FE & 1) || fetched <= now)
		return causes;
	if (*end > fetched)
		*end = fetched;
	if (s->until[MONT_CAUSE_XPN] > fetched)
		causes &= ~(1u << MONT_CAUSE_XPN);
	return causes & ~MONT_CAUSES_OPERANDS;
}

/* The cause to charge from cycle @now on, and until when. */
static u64 causes_charge(const struct mont_stall *s, u64 now, u64 end, enum mont_cause *cause)
{
	u32 left;

	for (left = causes_in_cycle(s, now, &end); left; left &= left - 1) {
		*cause = __builtin_ctz(left);
		if (s->until[*cause] > now)
			break;
	}
	/* No earlier cause of the list begins within this span: one cause holds up to its end. */
	return s->until[*cause] < end ? s->until[*cause] : end;
}

/* Number of cycles, at most @n, that can pass at once before a subscriber must look. */
static u64 causes_cycles_at_once(struct mont_thread *t, enum mont_signal sig, u64 n)
{
	u64 timer = mont_itm_distance(t);
	s64 left = t->countdown[0][MONT_SIG_CYCLE].left;

	if (left > t->countdown[0][MONT_SIG_BUBBLE].left)
		left = t->countdown[0][MONT_SIG_BUBBLE].left;
	if (left > t->countdown[0][sig].left)
		left = t->countdown[0][sig].left;
	if (left > t->countdown[0][MONT_SIG_DISP_STALLED].left)
		left = t->countdown[0][MONT_SIG_DISP_STALLED].left;
	/* Overflows from forming the group belong to the first of these cycles. */
	if (t->attn & MONT_ATTN_GROUP)
		return 1;
	if (n > (u64)left)
		n = left + 1;
	if (unlikely(t->pmu.frame || t->pmu.live))
		n = mont_account_together(t, n);
	if (unlikely(t->pmu.front))
		n = mont_front_together(t, n);
	return timer && n > timer ? timer : n;
}

void mont_stall_trace(struct mont_thread *t, const struct mont_stall *s, u64 now, u64 end,
		      const u64 *operand)
{
	while (mont_traced(t, MONT_TRACE_STALL) && now < end) {
		enum mont_cause cause = MONT_CAUSE_FE;
		u64 until = causes_charge(s, now, end, &cause);

		mont_trace_event(t, &(struct mont_trace_event){
					    .cycle = now,
					    .ip = t->s.ip,
					    .kind = MONT_TRACE_STALL,
					    .slot = t->s.slot,
					    .what = cause,
					    .value = { until, operand ? operand[cause]
								      : MONT_TRACE_NO_OPERAND } });
		now = until;
	}
}

bool mont_stall_pass_unseen(struct mont_thread *t, struct mont_stall *s, u64 end)
{
	u64 now = t->clock, n = end - now;
	u32 left;

	if (t->pmu.live || t->attn || !mont_signal_has_room(t, MONT_SIG_BUBBLE, n) ||
	    !mont_signal_has_room(t, MONT_SIG_CYCLE, n))
		return false;
	for (left = s->causes; left; left &= left - 1)
		if (!mont_signal_has_room(t, mont_cause_signal[__builtin_ctz(left)], n))
			return false;
	while (now < end) {
		enum mont_cause cause = MONT_CAUSE_FE;
		u64 until = causes_charge(s, now, end, &cause);

		t->countdown[0][mont_cause_signal[cause]].left -= until - now;
		s->spent[cause] += until - now;
		now = until;
	}
	if (!n)
		return true;
	t->clock = end;
	t->countdown[0][MONT_SIG_BUBBLE].left -= n;
	t->countdown[0][MONT_SIG_CYCLE].left -= n;
	mont_buffer_count(&t->time->s.buffer, end);
	mont_account_queues(t);
	mont_work(t, MONT_WORK_CYCLES);
	return true;
}

static bool causes_is_interrupted(const struct mont_thread *t)
{
	u64 open = MONT_PSR_I | MONT_PSR_IC;

	return (t->attn & (MONT_ATTN_EXIT | MONT_ATTN_WORK)) ||
	       ((t->attn & MONT_ATTN_IRQ) &&
		((t->s.psr & open) == open || (t->pkg->cfg.flags & MONT_CFG_HOST_PMU)));
}

bool mont_cycles_pass(struct mont_thread *t, struct mont_stall *s, u64 end)
{
	while (t->clock < end) {
		enum mont_cause cause = MONT_CAUSE_FE;
		u64 until = causes_charge(s, t->clock, end, &cause);

		if (likely(!t->pmu.cycles && !MONT_CHECK(t) &&
			   mont_itm_distance(t) - 1 >= until - t->clock &&
			   mont_cycles_pass_unseen(t, s, cause, until - t->clock))) {
			if (unlikely(t->attn))
				return true;
			continue;
		}
		while (t->clock < until) {
			u64 now = t->clock;
			bool wrong = (s->causes & MONT_CAUSES_FLUSH) && mont_wrong_now(t, now);
			u64 n = wrong ? 1
				      : causes_cycles_at_once(t, mont_cause_signal[cause],
							      until - now);

			mont_work(t, MONT_WORK_CYCLES + (unlikely(t->pmu.cycles || t->pmu.live)
								 ? MONT_WORK_COUNTED
								 : 0));
			/* A subscriber that must look does so in the last of these cycles. */
			t->clock = now + n;
			t->sig_cause = cause + 1;
			mont_front_pass(t, n, cause);
			mont_signal_n(t, mont_cause_signal[cause], n, 0);
			mont_signal_n(t, MONT_SIG_BUBBLE, n, 0);
			if (likely(!wrong) || !mont_wrong_dispersed(t, now))
				mont_signal_n(t, MONT_SIG_DISP_STALLED, n, 0);
			mont_signal_n(t, MONT_SIG_CYCLE, n, 0);
			t->sig_cause = 0;
			s->spent[cause] += n;
			mont_account_frame(t, n);
			mont_account_queues(t);
			if (t->attn & MONT_ATTN_GROUP)
				mont_group_end(t);
			if (!mont_itm_distance(t))
				mont_itm_match(t);
			if (unlikely(causes_is_interrupted(t)))
				return true;
		}
	}
	return false;
}
