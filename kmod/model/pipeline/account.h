/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events of references and of queues, raised in the cycles in which they happen (manual 4.8 and
 * 4.11). Called by reference.c, front_end.c and prefetch.c for what they have met, and by
 * causes.h and timed.c for the cycles that pass.
 */
#ifndef MONT_PIPELINE_ACCOUNT_H
#define MONT_PIPELINE_ACCOUNT_H

#include "pipeline.h"
#include "../cache/reply.h"
#include "../cache/occupancy.h"

/*
 * Signal the events in @reply, and add their stalls to those of later groups. @ref: the data
 * reference; NULL for a fetch.
 */
void mont_account_reply(struct mont_thread *t, const struct mont_reply *reply,
			const struct mont_ref *ref);

/* Signal the events of a fetch or a prefetch of @va, physically at @pa, in cycle @at. */
void mont_account_fetch(struct mont_thread *t, const struct mont_reply *reply, u64 va, u64 pa,
			u64 at);

/*
 * Record that @queue is occupied in [@from, @until). Cycles that have passed are counted at once.
 */
void mont_account_queue(struct mont_thread *t, enum mont_queue queue, u64 from, u64 until);

/* mont_account_queues() where a number changes, or a counter looks at them. */
void mont_account_queues_slow(struct mont_thread *t);

/* Count the occupancies up to the cycle that comes next. */
static __always_inline void mont_account_queues(struct mont_thread *t)
{
	struct mont_occupancy *o = &t->time->s.h.occupancy;
	u64 end = t->clock;

	if (likely(!mont_occupied(o)))
		return;
	if (unlikely(mont_occupancy_at(o) < end || t->pmu.live || t->pkg->s.turns.alone))
		mont_account_queues_slow(t);
	else if (o->upto < end)
		o->upto = end;
}

/*
 * Number of the next @n cycles that may pass at once: a counter of occupancies overflows in
 * its own cycle.
 */
u64 mont_account_together(const struct mont_thread *t, u64 n);

/* Count the registers of the frame, and dirty ones, in @n cycles. */
void mont_account_frame_slow(struct mont_thread *t, u64 n);

static inline void mont_account_frame(struct mont_thread *t, u64 n)
{
	if (unlikely(t->pmu.frame))
		mont_account_frame_slow(t, n);
}

#endif
