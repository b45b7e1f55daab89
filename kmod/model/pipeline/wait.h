/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Issue check, stages REN and REG (manual 2.3.2): waits of a group for the results that its
 * instructions read, or write once more. Called by timed.c and segment.h.
 */
#ifndef MONT_PIPELINE_WAIT_H
#define MONT_PIPELINE_WAIT_H

#include "window.h"

/* Add the waits of the group of @w by a look at each of its operands. */
void mont_wait_for_each(struct mont_thread *t, const struct mont_window *w, u64 now);
/*
 * Add the wait of the use @u for its @result, which is late for some consumers, and ready for this
 * one in cycle @ready.
 */
void mont_wait_for_one(struct mont_thread *t, const struct mont_window *w, const struct mont_use *u,
		       u64 result, u64 ready, u64 now);

/* Fill @operand, by cause, with the operand that holds the group of @w longest: see trace.def. */
void mont_wait_operands(struct mont_thread *t, const struct mont_window *w, u64 now,
			u64 operand[MONT_NR_CAUSES]);

/* Fill @at, by cause, with the instruction that waits longest: without an operand the first. */
void mont_wait_places(struct mont_thread *t, const struct mont_window *w, u64 now,
		      struct mont_waiter at[MONT_NR_CAUSES]);

/*
 * Add the waits of uses @i to @end. Results are in @at, by the physical register of @map, or by
 * number without a map.
 */
static __always_inline void mont_wait_for(struct mont_thread *t, const struct mont_window *w, u32 i,
					  u32 end, const u64 *at, const u8 *map, u64 now)
{
	const struct mont_use *u = &w->g->uses.use[i], *last = &w->g->uses.use[end];

	for (; u < last; u++) {
		u64 result = at[map ? map[u->nr] : u->nr], ready;

		if (likely(result >> MONT_RESULT_CYCLE <= now))
			continue;
		ready = mont_result_ready(result, u->as);
		if (ready > now)
			mont_wait_for_one(t, w, u, result, ready, now);
	}
}

/* Add the waits of the group of @w for the registers that its instructions read. */
static __always_inline void mont_window_wait(struct mont_thread *t, const struct mont_window *w,
					     u64 now)
{
	const struct mont_uses *uses = &w->g->uses;
	const struct mont_rename *map = &t->own.map;
	struct mont_results *s = &t->own.s.results;

	if (!mont_operands_pending(s, w->g->multimedia, now) && !MONT_CHECK(t))
		return;
	if (unlikely(uses->many) || MONT_CHECK(t)) {
		mont_wait_for_each(t, w, now);
		return;
	}
	mont_wait_for(t, w, 0, uses->end[0], s->at, t->grmap, now);
	if (uses->end[3] == uses->end[0])
		return;
	mont_wait_for(t, w, uses->end[0], uses->end[1], s->at + 128, map->of[MONT_FILE_FR], now);
	mont_wait_for(t, w, uses->end[1], uses->end[2], s->at + MONT_RESULT_PR,
		      map->of[MONT_FILE_PR], now);
	mont_wait_for(t, w, uses->end[2], uses->end[3], s->at + MONT_USE_FIXED, NULL, now);
}

#endif
