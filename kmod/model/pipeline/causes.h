/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cycles in which no group issues, each charged to a cause of bubbles (manual 3.2.1.4 and
 * 4.6). Called by timed.c, segment.h, threads.c and time_state.c.
 */
#ifndef MONT_PIPELINE_CAUSES_H
#define MONT_PIPELINE_CAUSES_H

#include "account.h"
#include "pipeline.h"
#include "stall.h"

/**
 * mont_stall_trace() - tell of the spans of a stall, if a trace asks for them
 * @t: thread
 * @s: the stall
 * @now: its first cycle
 * @end: the first cycle behind it
 * @operand: by cause, the operand that is waited for; NULL: not known
 */
void mont_stall_trace(struct mont_thread *t, const struct mont_stall *s, u64 now, u64 end,
		      const u64 *operand);

/**
 * mont_cycles_pass() - cycles in which no group issues
 * @t: the thread whose group waits; t->clock is the first of them
 * @s: why: in each cycle up to @end some cause holds
 * @end: the cycle in which the group can issue
 *
 * Each cycle is charged to the first cause that holds in it. An overflow or the
 * timer takes effect in its own cycle; where that requests an interrupt which the
 * thread accepts, the group issues no more.
 *
 * Return: true if the thread must attend to something at t->clock first.
 */
bool mont_cycles_pass(struct mont_thread *t, struct mont_stall *s, u64 end);

/*
 * Pass @n cycles, charged to @cause, in which no group issues and the timer does not match, and
 * of which no dispersal, no front end and no frame has a subscriber. False: one of them must be
 * looked at, and nothing has been done.
 */
static __always_inline bool mont_cycles_pass_unseen(struct mont_thread *t, struct mont_stall *s,
						    enum mont_cause cause, u64 n)
{
	enum mont_signal sig = mont_cause_signal[cause];

	if (unlikely(t->pmu.live || t->attn || !mont_signal_has_room(t, sig, n) ||
		     !mont_signal_has_room(t, MONT_SIG_BUBBLE, n) ||
		     !mont_signal_has_room(t, MONT_SIG_CYCLE, n)))
		return false;
	t->clock += n;
	t->countdown[0][sig].left -= n;
	t->countdown[0][MONT_SIG_BUBBLE].left -= n;
	t->countdown[0][MONT_SIG_CYCLE].left -= n;
	s->spent[cause] += n;
	mont_buffer_count(&t->time->s.buffer, t->clock);
	if (unlikely(mont_occupied(&t->time->s.h.occupancy)))
		mont_account_queues(t);
	mont_work(t, MONT_WORK_CYCLES);
	return true;
}

/*
 * Pass the cycles of the stall @s up to cycle @end, which is not behind its own, as
 * mont_cycles_pass_unseen() does. False: nothing has been done.
 */
bool mont_stall_pass_unseen(struct mont_thread *t, struct mont_stall *s, u64 end);

#endif
