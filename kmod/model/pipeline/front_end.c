// SPDX-License-Identifier: GPL-2.0-only
/*
 * The front end, stages IPG and ROT (manual 4.6, 4.8.1 and 4.10).
 *
 * A pair of bundles is fetched when the first group that needs one of them is
 * formed, at the cycle in which the front end would have had its turn: that may
 * be before the present one, as far as the buffer holds, or behind it. What the
 * front end did between two pairs (struct mont_gap) is counted in its own cycles,
 * if they are still to come, else at once.
 */
#include "front_end.h"
#include "account.h"
#include "../cache/l2i.h"
#include "../event/raise.h"
#include "../event/trace.h"
#include "../package/snoop.h"

/* ---- what the front end loses ---- */

/* True if a bubble or a lost bundle of the front end has a subscriber. */
static bool front_end_is_counted(const struct mont_thread *t)
{
	return unlikely(t->pmu.front);
}

_Static_assert(MONT_NR_SIGNALS_OF(FE_BUBBLES) == MONT_NR_FRONT &&
		       MONT_NR_SIGNALS_OF(FE_LOSSES) == MONT_NR_FRONT &&
		       MONT_NR_SIGNALS_OF(EXIT_LOSSES) == MONT_NR_FRONT &&
		       MONT_NR_SIGNALS_OF(STALL_LOSSES) == MONT_NR_FRONT,
	       "each cause of front_end.def has a signal in each range");
_Static_assert(MONT_NR_SIGNALS_OF(FETCHED) == MONT_NR_FETCHED, "fetched.def and signal.def");

/* @cycles of the front end are lost to @cause. */
static void front_end_lose(struct mont_thread *t, enum mont_front cause, u64 cycles)
{
	mont_signal_n(t, MONT_SIG_FE_BUBBLES_FIRST + cause, cycles, cycles);
	mont_signal_n(t, MONT_SIG_FE_BUBBLE_ALL, cycles, cycles);
	mont_signal_n(t, MONT_SIG_FE_LOSSES_FIRST + cause, 2 * cycles, cycles);
	mont_signal_n(t, MONT_SIG_FE_LOST_ALL, 2 * cycles, cycles);
}

/* Of a pair one bundle is not reached. */
static void front_end_lose_bundle(struct mont_thread *t)
{
	if (!front_end_is_counted(t))
		return;
	mont_signal_n(t, MONT_SIG_FE_LOST_UNREACHED, 1, 1);
	mont_signal_n(t, MONT_SIG_FE_LOST_ALL, 1, 1);
}

static void front_end_count_gap(struct mont_thread *t, const struct mont_gap *g, u64 counted,
				u64 now)
{
	u64 at = g->from;
	u32 cause;

	if (g->until[MONT_FRONT_CYCLES - 1] <= counted)
		return;
	for (cause = 0; cause < MONT_FRONT_CYCLES; cause++) {
		u64 from = at > counted ? at : counted, until = g->until[cause];

		at = until > at ? until : at;
		if (until > now)
			until = now;
		if (until > from)
			front_end_lose(t, cause, until - from);
	}
}

/* Count what the front end lost before cycle @now. */
static inline void front_end_count_upto(struct mont_thread *t, u64 now)
{
	struct mont_buffer *b = &t->time->s.buffer;
	u64 counted = b->counted;

	if (now > b->next_fetch)
		now = b->next_fetch;
	if (now <= counted)
		return;
	b->counted = now;
	if (!front_end_is_counted(t))
		return;
	front_end_count_gap(t, mont_buffer_gap(b, 1), counted, now);
	front_end_count_gap(t, mont_buffer_gap(b, 0), counted, now);
	front_end_count_gap(t, mont_buffer_ahead(b), counted, now);
}

/* Cause that keeps the front end from a fetch in cycle @now, and its end; false if none does. */
static bool front_end_cause_in(const struct mont_gap *g, u64 now, enum mont_front *cause,
			       u64 *until)
{
	u32 i;

	if (g->from > now)
		return false;
	for (i = 0; i < MONT_FRONT_CYCLES; i++) {
		if (g->until[i] > now) {
			*cause = i;
			*until = g->until[i];
			return true;
		}
	}
	return false;
}

static bool front_end_cause_at(const struct mont_buffer *b, u64 now, enum mont_front *cause,
			       u64 *until)
{
	const struct mont_gap *ahead = &b->gap[b->ahead], *last = mont_buffer_gap(b, 0);

	*until = ahead->from > now ? ahead->from : ~0ULL;
	if (last->from > now)
		*until = last->from;
	return front_end_cause_in(mont_buffer_gap(b, 1), now, cause, until) ||
	       front_end_cause_in(last, now, cause, until) ||
	       front_end_cause_in(ahead, now, cause, until);
}

/* Bundles that the end of the buffer lacks in cycle @now, why, and until when. */
static u32 front_end_exit_lack(const struct mont_thread *t, u64 now, enum mont_front *cause,
			       u64 *until)
{
	const struct mont_offer *e = &t->time->offer;
	u64 change = ~0ULL;
	u32 lacks;

	*until = ~0ULL;
	if (now < e->ready[0]) {
		lacks = 2;
		change = e->ready[0];
	} else if (now < e->ready[1]) {
		lacks = 1;
		change = e->ready[1];
	} else {
		return 0;
	}
	if (lacks == 1 && e->ready[1] >= MONT_OFFER_NEXT_PAGE)
		*cause = e->ready[1] == MONT_OFFER_UNREACHED ? MONT_FRONT_UNREACHED
							     : MONT_FRONT_TLBMISS;
	else if (!front_end_cause_at(&t->time->s.buffer, now, cause, until))
		*cause = MONT_FRONT_UNREACHED;
	if (*until > change)
		*until = change;
	return lacks;
}

static void front_end_exit_lose(struct mont_thread *t, enum mont_front cause, u32 lacks, u64 cycles,
				bool stalled)
{
	u32 first = stalled ? MONT_SIG_STALL_LOSSES_FIRST : MONT_SIG_EXIT_LOSSES_FIRST;

	mont_signal_n(t, first + cause, lacks * cycles, cycles);
	mont_signal_n(t, first + MONT_FRONT_ALL, lacks * cycles, cycles);
}

/* Number of cycles, at most @n, until a counter of @sig, @by a cycle, overflows. */
static u64 front_end_room(const struct mont_thread *t, enum mont_signal sig, u32 by, u64 n)
{
	u64 left = t->countdown[0][sig].left + 1;

	if (by > 1)
		left /= by;
	return n < left ? n : left ? left : 1;
}

u64 mont_front_together(struct mont_thread *t, u64 n)
{
	struct mont_buffer *b = &t->time->s.buffer;
	u64 now = t->clock, until;
	enum mont_front cause;
	u32 lacks;

	if (!front_end_is_counted(t))
		return n;
	if (b->next_fetch > now) {
		if (front_end_cause_at(b, now, &cause, &until)) {
			n = front_end_room(t, MONT_SIG_FE_BUBBLES_FIRST + cause, 1, n);
			n = front_end_room(t, MONT_SIG_FE_BUBBLE_ALL, 1, n);
			n = front_end_room(t, MONT_SIG_FE_LOSSES_FIRST + cause, 2, n);
			n = front_end_room(t, MONT_SIG_FE_LOST_ALL, 2, n);
		}
		if (n > until - now)
			n = until - now;
	}
	lacks = front_end_exit_lack(t, now, &cause, &until);
	if (lacks) {
		n = front_end_room(t, MONT_SIG_EXIT_LOSSES_FIRST + cause, lacks, n);
		n = front_end_room(t, MONT_SIG_EXIT_LOST_ALL, lacks, n);
		n = front_end_room(t, MONT_SIG_STALL_LOSSES_FIRST + cause, lacks, n);
		n = front_end_room(t, MONT_SIG_STALL_LOST_ALL, lacks, n);
		if (n > until - now)
			n = until - now;
	}
	n = front_end_room(t, MONT_SIG_FE_OWED_FLUSH, 1, n);
	return front_end_room(t, MONT_SIG_FE_OWED_ACCESS, 1, n);
}

/* Signal of a bubble of the cause FE, of which the end of the buffer @lacks bundles for @front. */
static enum mont_signal front_end_lack_signal(u32 lacks, enum mont_front front)
{
	return lacks && front <= MONT_FRONT_BR_ILOCK ? MONT_SIG_FE_OWED_FLUSH
						     : MONT_SIG_FE_OWED_ACCESS;
}

void mont_front_pass(struct mont_thread *t, u64 n, enum mont_cause cause)
{
	u64 now = t->clock - n, until;
	enum mont_front front = MONT_FRONT_ALL;
	u32 lacks = front_end_is_counted(t) ? front_end_exit_lack(t, now, &front, &until) : 0;

	if (lacks)
		front_end_exit_lose(t, front, lacks, n, !(MONT_CAUSES_NOT_STALLED >> cause & 1));
	if (front_end_is_counted(t) && cause == MONT_CAUSE_FE)
		mont_signal_n(t, front_end_lack_signal(lacks, front), n, 0);
	front_end_count_upto(t, t->clock);
}

void mont_front_issue(struct mont_thread *t, u32 bundles)
{
	enum mont_front cause;
	u64 until;

	if (front_end_is_counted(t) && bundles < 2 &&
	    front_end_exit_lack(t, t->clock - 1, &cause, &until))
		front_end_exit_lose(t, cause, 1, 1, false);
}

void mont_front_nothing(struct mont_thread *t)
{
	front_end_exit_lose(t, MONT_FRONT_FEFLUSH, 2, 1, false);
}

/* ---- fetches ---- */

void mont_front_fetched(struct mont_thread *t, const struct mont_reply *reply, u64 ip, u64 pa,
			u64 at, u64 latency)
{
	u32 rab = reply->fetched & MONT_FETCHED_BIT(L1I_RAB_HIT);
	struct mont_ref ref = { .va = ip, .pa = MONT_PA_NONE, .size = 32 };

	mont_account_fetch(t, reply, ip, pa, at);
	if (!rab && !(reply->fetched & MONT_FETCHED_BIT(L2I_DEMANDED)))
		return;
	ref.kind = rab ? MONT_DATA_RAB : 0;
	mont_signal_line_at(t, MONT_SIG_FETCH_SERVED, &ref, latency, at + 1);
}

/* The L1 ITLB has not served the fetch of @ip, but @level has: MONT_DTLB_*. */
static void front_end_signal_served(struct mont_thread *t, u64 ip, u64 level, u64 at)
{
	struct mont_ref ref = { .va = ip, .pa = MONT_PA_NONE, .size = 1 };

	mont_signal_line_at(t, MONT_SIG_ITLB_SERVED, &ref, level, at);
}

/* Cycle in which the translation of @ip, asked for in cycle @at, is there. */
static u64 front_end_translation_cycle(struct mont_thread *t, u64 ip, u64 at)
{
	struct mont_time *time = t->time;

	if (unlikely(time->s.walked > at))
		at = time->s.walked;
	if (!(t->s.psr & MONT_PSR_IT) || likely(mont_l1tlb_use(&time->s.l1itlb, ip)))
		return at;
	mont_l1tlb_insert(&time->s.l1itlb, time->s.h.l1i.line[0], time->s.h.timing.itlb_entries,
			  ip);
	mont_signal_at(t, MONT_SIG_L1ITLB_MISSED, ip, at + 1);
	front_end_signal_served(t, ip, MONT_DTLB_L2, at + 1);
	return at + time->s.h.timing.l1itlb;
}

/*
 * Cycle in which the pair at @pair, which the L1I does not have at once, is there. The fetch reads
 * the L1I in cycle @asked, or later if a line is written then.
 */
static noinline u64 front_end_fetch_slow(struct mont_thread *t, u64 pair, u64 pa, u64 *asked)
{
	struct mont_hierarchy *h = &t->time->s.h;
	struct mont_reply reply;
	u64 then, at = *asked;

	mont_reply_begin(&reply);
	if (unlikely(t->fetch_uncached)) {
		then = mont_l2i_uncached(h, pa, at, &reply);
	} else {
		at = mont_l1i_port(h, pa, at);
		*asked = at;
		then = mont_l1i_fetch(h, pa, at, &reply);
	}
	if (mont_reply_any(&reply) | reply.fetched) {
		mont_prefetch_yield(&t->time->s.prefetch, &reply);
		mont_front_fetched(t, &reply, pair, pa, at, then - at);
	}
	return then;
}

/* Trace the fetch of the bundle at @ip, asked for in cycle @asked, and ready in @ready. */
static void front_end_trace_fetch(struct mont_thread *t, u64 ip, u64 asked, u64 translated,
				  u64 ready)
{
	mont_trace_event(t, &(struct mont_trace_event){ .cycle = asked,
							.ip = ip,
							.kind = MONT_TRACE_FETCH,
							.value = { translated, ready } });
}

/*
 * A switch to the other thread may come before the fetch of @ip has its turn, and takes it away: the
 * group is formed again behind that cycle. Return: a cycle before which the bundle is not ready. Of
 * two pairs in the window the second is the later one.
 */
static u64 front_end_put_off(struct mont_buffer *b, u64 ip)
{
	/* No bundle of this pair is lost before the fetch. */
	b->cut = ip & ~31ULL;
	return b->next_fetch + !(ip & 16);
}

u64 mont_front_fetch(struct mont_thread *t, u64 ip, u64 pa)
{
	struct mont_time *time = t->time;
	struct mont_buffer *b = &time->s.buffer;
	u64 ready, pair = ip & ~31ULL, begins = b->next_fetch, at, asked, then;

	/* Count the cycles in front of the pair before the last. */
	if (front_end_is_counted(t))
		front_end_count_upto(t, t->clock);
	mont_buffer_wait(b);
	if (unlikely(b->next_fetch > t->clock && b->next_fetch >= time->s.threads.next))
		return front_end_put_off(b, ip);
	mont_signal_at(t, MONT_SIG_L1I_READ, pair, b->next_fetch + 1);
	at = front_end_translation_cycle(t, pair, b->next_fetch);
	if (unlikely(mont_prefetch_busy(&time->s.prefetch)))
		mont_prefetch_follow(t, pair, at);
	asked = at;
	then = at;
	if (unlikely(t->fetch_uncached) || MONT_CHECK(t) ||
	    unlikely(!mont_l1i_hit(&time->s.h, pa, at)))
		then = front_end_fetch_slow(t, pair, pa, &asked);
	ready = mont_buffer_fetch(b, ip, at, asked, then);
	if (mont_traced(t, MONT_TRACE_FETCH))
		front_end_trace_fetch(t, ip, begins, at, ready);
	if (ip & 16)
		front_end_lose_bundle(t);
	front_end_count_upto(t, t->clock);
	return ready;
}

void mont_front_cut(struct mont_thread *t, u64 ip)
{
	struct mont_buffer *b = &t->time->s.buffer;

	if ((ip & 16) || b->cut == ip)
		return;
	b->cut = ip;
	front_end_lose_bundle(t);
}

void mont_front_flush(struct mont_thread *t, u64 now, u64 then)
{
	front_end_count_upto(t, now);
	if (unlikely(t->time->s.prefetch.stream))
		mont_prefetch_redirect(t, now, 0, 0);
	mont_buffer_flush(&t->time->s.buffer, now, then);
}

/* ---- the ITLBs and what is flushed ---- */

void mont_front_itlb_missed(struct mont_thread *t, u64 va)
{
	mont_signal(t, MONT_SIG_L1ITLB_MISSED, va);
	mont_signal(t, MONT_SIG_L2ITLB_MISSED, va);
}

void mont_front_faulted(struct mont_thread *t, enum mont_result r, bool missed)
{
	struct mont_time *time = t->time;

	if (r == MONT_FAULT_VHPT_INSN || r == MONT_FAULT_ITLB || r == MONT_FAULT_ALT_ITLB) {
		front_end_signal_served(t, t->s.ip, MONT_DTLB_FAULT, t->clock);
	} else if (!missed && (t->s.psr & MONT_PSR_IT) &&
		   !mont_l1tlb_use(&time->s.l1itlb, t->s.ip)) {
		mont_signal(t, MONT_SIG_L1ITLB_MISSED, t->s.ip);
		front_end_signal_served(t, t->s.ip, MONT_DTLB_L2, t->clock);
	}
}

void mont_front_walk(struct mont_thread *t, u64 pa)
{
	struct mont_time *time = t->time;
	struct mont_reply reply;

	mont_reply_begin(&reply);
	time->s.walked = mont_pipeline_fetch_walk(&time->s.h, pa, t->clock, &reply);
	mont_account_reply(t, &reply, NULL);
}

void mont_front_translated(struct mont_thread *t, u64 va)
{
	if (!mont_l1tlb_use(&t->time->s.l1itlb, va))
		mont_l1tlb_insert(&t->time->s.l1itlb, t->time->s.h.l1i.line[0],
				  t->time->s.h.timing.itlb_entries, va);
	front_end_signal_served(t, va, MONT_DTLB_VHPT, t->clock);
}

void mont_front_flush_line(struct mont_thread *t, const struct mont_ref *ref)
{
	struct mont_hierarchy *h = &t->time->s.h;

	mont_signal_ref(t, MONT_SIG_L1I_SNOOPED, ref);
	mont_snoop_l1i(h, ref->pa & ~(u64)(MONT_L2_LINE - 1), MONT_L2_LINE);
	if (mont_snoop_l2i(h, ref->pa))
		mont_signal(t, MONT_SIG_L2I_SNOOP_HIT, 0);
}
