/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The front end: fetches of pairs of bundles, and what it lacks and loses (manual 4.6;
 * Documentation/front-end.rst). Called by window.c and window.h for the bundles of a group, by
 * segment.h, by branch_unit.c and threads.c for flushes, by reference.c for walks, by wrong_path.c,
 * and by timed.c and causes.c for the cycles that pass.
 */
#ifndef MONT_PIPELINE_FRONT_END_H
#define MONT_PIPELINE_FRONT_END_H

#include "pipeline.h"
#include "prefetch.h"

/*
 * The fetch of the pair at @ip, physically at @pa, in cycle @at, which takes @latency cycles, has
 * met @reply.
 */
void mont_front_fetched(struct mont_thread *t, const struct mont_reply *reply, u64 ip, u64 pa,
			u64 at, u64 latency);
/* The bundle at @ip, physically at @pa, is fetched: mont_front_ready(). */
u64 mont_front_fetch(struct mont_thread *t, u64 ip, u64 pa);
/* A branch in the bundle at @ip, fetched last, is predicted taken: what is behind it is lost. */
void mont_front_cut(struct mont_thread *t, u64 ip);
/* All is thrown away in cycle @now; the next bundle is ready in cycle @then. */
void mont_front_flush(struct mont_thread *t, u64 now, u64 then);
/* The fetch of the page of IP has met the fault @r; @missed: the L2 ITLB had no translation. */
void mont_front_faulted(struct mont_thread *t, enum mont_result r, bool missed);
/* The L2 ITLB has no translation for the fetch of @va. */
void mont_front_itlb_missed(struct mont_thread *t, u64 va);
/* The page walker reads the table at @pa for a fetch. */
void mont_front_walk(struct mont_thread *t, u64 pa);
/* The walker has inserted the translation of @va. */
void mont_front_translated(struct mont_thread *t, u64 va);
/* fc or fc.i takes the line of @ref out of the instruction caches. */
void mont_front_flush_line(struct mont_thread *t, const struct mont_ref *ref);
/* A group of @bundles bundles issues in the cycle that begins. */
void mont_front_issue(struct mont_thread *t, u32 bundles);
/* A cycle without a group, whose fetch met a fault. */
void mont_front_nothing(struct mont_thread *t);

/* Number of the next @n cycles that may pass at once, by the counters of the front end. */
u64 mont_front_together(struct mont_thread *t, u64 n);
/* @n cycles have passed for the front end, without a group, by @cause. */
void mont_front_pass(struct mont_thread *t, u64 n, enum mont_cause cause);

/*
 * True if the prefetch pipe has been through all cycles before @upto, or is as far ahead of the
 * fetch stage as it may be, and no subscriber counts the cycles in which it is.
 */
static __always_inline bool mont_prefetch_rests(const struct mont_thread *t,
						const struct mont_time *time, u64 upto)
{
	const struct mont_prefetch *p = &time->s.prefetch;

	return p->next >= upto ||
	       (!(p->waits | p->nr) && p->stream && !t->pmu.live && upto <= t->clock &&
		p->stream - 1 - p->fetched > time->s.h.timing.ahead * MONT_L1_LINE);
}

/*
 * mont_front_fetch() of a pair that the L1 ITLB translates and the L1I serves at once, where no
 * line is asked for by a prefetch and no subscriber must look: *@ready is the cycle of the bundle.
 * False: nothing has been done.
 */
static __always_inline bool mont_front_fetch_hit(struct mont_thread *t, struct mont_time *time,
						 u64 ip, u64 pa, u64 *ready)
{
	struct mont_buffer *b = &time->s.buffer;
	struct mont_l1tlb *tlb = &time->s.l1itlb;
	bool busy = mont_prefetch_busy(&time->s.prefetch);
	u32 n = tlb->hint[ip >> 12 & (MONT_NR_L1TLB_HINTS - 1)];
	u64 at = b->next_fetch;

	if (unlikely(b->retires[b->oldest] > at || time->s.walked > at ||
		     at >= time->s.threads.next || (busy && !mont_prefetch_rests(t, time, at)) ||
		     t->pmu.front || t->fetch_uncached || t->traced || !(t->s.psr & MONT_PSR_IT) ||
		     tlb->page[n] != mont_l1tlb_page(tlb, ip) ||
		     !mont_signal_has_room(t, MONT_SIG_L1I_READ, 1) ||
		     !mont_l1i_serves(&time->s.h, pa, at)))
		return false;
	t->countdown[0][MONT_SIG_L1I_READ].left--;
	tlb->used[n] = ++tlb->uses;
	if (unlikely(busy)) {
		if (time->s.prefetch.next < at)
			time->s.prefetch.next = at;
		mont_prefetch_fetched(&time->s.prefetch, ip);
	}
	*ready = mont_buffer_fetch(b, ip, at, at, at);
	mont_buffer_count(b, t->clock);
	return true;
}

/* Cycle in which the bundle at @ip, physically at @pa, is in the instruction buffer. */
static __always_inline u64 mont_front_ready(struct mont_thread *t, u64 ip, u64 pa)
{
	u64 ready;

	if (mont_buffer_has(&t->time->s.buffer, ip, &ready) ||
	    (!MONT_CHECK(t) && likely(mont_front_fetch_hit(t, t->time, ip, pa, &ready))))
		return ready;
	return mont_front_fetch(t, ip, pa);
}

/* True if mont_front_fetch() may have left a fetch of the window at @ip to its turn. */
static inline bool mont_front_may_lack(const struct mont_time *time, u64 ip)
{
	const struct mont_buffer *b = &time->s.buffer;
	u64 ready;

	return unlikely(time->s.threads.next != ~0ULL) &&
	       !(mont_buffer_has(b, ip, &ready) && mont_buffer_has(b, ip + 16, &ready));
}

/* A branch, predicted rightly, leads fetch elsewhere; @many: it is hinted to prefetch there. */
static __always_inline void mont_front_redirect(struct mont_thread *t,
						const struct mont_prediction *guess, bool many)
{
	struct mont_time *time = t->time;
	u64 now = time->s.buffer.next_fetch;

	many &= guess->taken;
	if (unlikely(time->s.prefetch.stream || many))
		mont_prefetch_redirect(t, now, guess->target, many ? now + guess->bubbles : 0);
	mont_buffer_redirect(&time->s.buffer, guess->bubbles, guess->why);
}

#endif
