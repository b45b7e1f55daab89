/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The timed pipeline of a core (manual 2.3): what its stages keep. Included by
 * each stage, by attention.c, fetch.c and interruption.c of exec/, and by
 * package/.
 */
#ifndef MONT_CORE_PIPELINE_H
#define MONT_CORE_PIPELINE_H

#include "../base/check.h"
#include "../package/package.h"
#include "../cache/l1i.h"
#include "../cache/memory_pipeline.h"
#include "../memory/lsu.h"
#include "buffer.h"
#include "calendar.h"
#include "causes.h"
#include "group.h"
#include "operands.h"
#include "predict.h"
#include "pvab.h"

#define MONT_NOT_FORMED ~0ULL
#define MONT_NR_WRONG 2 /* groups behind a branch when it is in stage DET */

/**
 * struct mont_wrong_group - what disperses behind a mispredicted branch in one cycle
 * @insns: as in struct mont_dispersal; 0: nothing does
 * @lost: likewise
 * @over: likewise
 * @pad: 0
 */
struct mont_wrong_group {
	u8 insns;
	u8 lost[MONT_NR_LOST];
	u8 over[2];
	u8 pad;
};

/**
 * struct mont_wrong - what disperses until it is flushed
 * @from: the first cycle
 * @nr: cycles
 * @group: of each
 */
struct mont_wrong {
	u64 from;
	u64 nr;
	struct mont_wrong_group group[MONT_NR_WRONG];
};

/**
 * struct mont_wrong_turn - where fetch goes on behind a mispredicted branch of a group
 * @known: the group has such a branch
 * @ip: the next bundle it fetches
 * @slot: and slot
 * @split: what @slot was split from: enum mont_lost
 * @at: the cycle in which it does
 */
struct mont_wrong_turn {
	bool known;
	u32 slot;
	u32 split;
	u64 ip;
	u64 at;
};

/**
 * struct mont_time_state - what the pipeline of a core keeps for its threads, as it is saved
 * @buffer: bundles fetched
 * @predictor: branches seen
 * @wrong: behind the branch that was mispredicted last
 * @prefetch: what is going to be prefetched
 * @l1dtlb: translations next to the L1D
 * @l1itlb: next to the L1I
 * @walked: when the last walk for a fetch has its translation
 * @threads: of the core
 * @h: caches and bus
 */
struct mont_time_state {
	struct mont_buffer buffer;
	struct mont_predictor predictor;
	struct mont_wrong wrong;
	struct mont_prefetch prefetch;
	struct mont_l1tlb l1dtlb;
	struct mont_l1tlb l1itlb;
	u64 walked;
	struct mont_threads threads;
	struct mont_hierarchy h;
};

/**
 * struct mont_time - the whole of it
 * @s: saved
 * @predicates: by CFM.rrb.pr, the physical predicate of each number
 * @offer: where the next group comes from, once it has been formed
 * @lsu_log: operations for the load-store unit, of the instruction being executed
 */
struct mont_time {
	struct mont_time_state s;
	u8 predicates[48][64];
	struct mont_offer offer;
	struct mont_lsu_log lsu_log;
};

/* Signal what a reference has met, and let later groups wait as it says; @ref: of data, else NULL. */
void mont_time_met(struct mont_thread *t, const struct mont_met *met, const struct mont_ref *ref);

/*
 * @queue is in its state from cycle @from on, before @until. Cycles that have passed are
 * counted at once.
 */
void mont_time_lasts(struct mont_thread *t, enum mont_queue queue, u64 from, u64 until);

/*
 * Issue what the log of @t holds, in order, in the cycle in which its group has issued.
 * Return: cycles that the result of the last load in it comes later than its row of
 * table 2-8 says.
 */
u64 mont_lsu_issue(struct mont_thread *t);

/*
 * True if the plain load @ref is of integers and the L1D serves it at once: it is done then, and
 * takes what its row of table 2-8 says. False: nothing has been done.
 */
static __always_inline bool mont_lsu_hit(struct mont_thread *t, struct mont_time *time,
					 const struct mont_ref *ref)
{
	u64 now = t->clock - 1;

	return !ref->kind && likely(t->own.s.rse.at <= now) &&
	       likely(mont_pipeline_hit(&time->s.h, &time->s.l1dtlb, ref->va, ref->pa, now));
}

/* Issue what has been left outside of the timed loop, if @t keeps time. */
static inline void mont_lsu_drain(struct mont_thread *t)
{
	if (t->lsu_log && t->lsu_log->nr)
		(void)mont_lsu_issue(t);
}

/* ---- prefetch.c ---- */

/* The prefetch pipe goes on, up to cycle @upto. */
void mont_prefetch_run(struct mont_thread *t, u64 upto);
/* The L2I takes one request a cycle: that of a fetch which met @met in @at, else a prefetch's. */
void mont_prefetch_yield(struct mont_prefetch *p, const struct mont_met *met, u64 at);
/* Fetch reads the line at @va in cycle @now. */
void mont_prefetch_follow(struct mont_thread *t, u64 va, u64 now);
/*
 * The stream ends in cycle @now: fetch goes on elsewhere. If @from is not 0 it begins again
 * at @target, which is fetched in cycle @from.
 */
void mont_prefetch_redirect(struct mont_thread *t, u64 now, u64 target, u64 from);
/* A hint, whose group has issued in cycle @issued, names the line at @va. */
void mont_prefetch_hint(struct mont_thread *t, u64 va, u64 issued);
/* No more than @nr hints are kept from now on. */
void mont_prefetch_fit(struct mont_prefetch *p, u32 nr);

/* ---- wrong_path.c ---- */

/* Follow fetch from @turn on, behind a mispredicted branch that has issued in cycle @issued. */
void mont_wrong_path(struct mont_thread *t, const struct mont_wrong_turn *turn, u64 issued);
bool mont_wrong_valid(const struct mont_wrong *wrong);

/* ---- front_end.c ---- */

/*
 * Find the physical address of @va, which is fetched speculatively. False: not cacheable, no
 * memory, or not in the L1 ITLB (4.10: a prefetch that misses the ITLB is cancelled).
 */
bool mont_front_place(const struct mont_thread *t, u64 va, u64 *pa);
/*
 * The fetch of the pair at @ip, physically at @pa, in cycle @at, which takes @latency cycles, has
 * met @met.
 */
void mont_front_fetched(struct mont_thread *t, const struct mont_met *met, u64 ip, u64 pa, u64 at,
			u64 latency);
/* Signal the events of a fetch or a prefetch of @va, physically at @pa, in cycle @at. */
void mont_front_met(struct mont_thread *t, const struct mont_met *met, u64 va, u64 pa, u64 at);

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

/* ---- time_state.c ---- */

/* True if @s can be the state of @time, of @threads threads: each index in it is in range. */
bool mont_time_state_valid(const struct mont_time *time, const struct mont_time_state *s,
			   u32 threads);
/* True if @s can be that of a thread of the core of @time. */
bool mont_thread_time_valid(const struct mont_time *time, const struct mont_thread_time_state *s,
			    u32 threads);

/*
 * From now on @t keeps no time: what is in the pipe, and the L1 TLBs, which hold what is in
 * the L2 TLBs alone, are emptied, with the lines of the L1D and the L1I that are theirs. Other caches
 * and predictors stay as they are.
 */
void mont_time_leave(struct mont_thread *t);
/* @t keeps time in @time; NULL: none. */
void mont_time_keep(struct mont_thread *t, struct mont_time *time);

/* Operands of the instructions of @b, decoded from @pa in the page of fetch. */
const struct mont_bundle_roles *mont_bundle_roles(struct mont_thread *t,
						  const struct mont_bundle *b, u64 pa);

/* Work out the group @g, as mont_group_take() has been asked for it. */
void mont_group_make(struct mont_thread *t, struct mont_group *g, const struct mont_bundle *b,
		     u64 pa, u32 nr, u32 from, u32 split, u32 last);

/*
 * The group of @nr bundles from @b on, decoded from @pa in the page of fetch; others as for
 * mont_group_fill().
 */
static __always_inline struct mont_group *mont_group_take(struct mont_thread *t,
							  const struct mont_bundle *b, u64 pa,
							  const u32 nr, u32 from, u32 split,
							  u32 last)
{
	u64 id = mont_group_id(pa, nr, from, split, last);
	struct mont_group *g = &t->pkg->groups->group[mont_group_place(pa, from, nr)];

	if (unlikely(g->id != id || g->tag[0] != b->tag || (nr == 2 && g->tag[1] != b[1].tag)))
		mont_group_make(t, g, b, pa, nr, from, split, last);
	return g;
}

/* Write the results of the instruction with @step, some @late, to the scoreboard. */
static __always_inline void mont_step_results(struct mont_thread *t, const struct mont_step *step,
					      u64 late, u64 issued)
{
	struct mont_thread_time *own = &t->own;

	if (likely(!late)) {
		mont_operands_done(&own->s.results, &own->map, step->write, step->nr_writes,
				   issued);
		return;
	}
	mont_operands_late(&own->s.results, &own->map, step->write, step->nr_writes, issued, late);
}

/* An instruction with @step has issued and executed: issue its references, write its results. */
static __always_inline void mont_step_done(struct mont_thread *t, struct mont_time *time,
					   const struct mont_step *step, u64 issued)
{
	u64 late = step->more;

	if (time->lsu_log.nr) {
		const struct mont_lsu_op *r = &time->lsu_log.entry[0];

		if (time->lsu_log.nr == 1 && r->code == MONT_LSU_PLAIN_LOAD && likely(!t->traced) &&
		    !MONT_CHECK(t) && mont_lsu_hit(t, time, &r->ref))
			time->lsu_log.nr = 0;
		else
			late += mont_lsu_issue(t);
	}
	mont_step_results(t, step, late, issued);
}

/* True if @n cycles can pass at once for counters of @sig: none overflows in them. */
static __always_inline bool mont_signal_has_room(const struct mont_thread *t, enum mont_signal sig,
						 u64 n)
{
	return t->countdown[0][sig].left > (s64)n;
}

/* Go on with the stream @p behind the fetch of the line at @va. */
static __always_inline void mont_prefetch_fetched(struct mont_prefetch *p, u64 va)
{
	p->fetched = va & ~(u64)(MONT_L1_LINE - 1);
	if (p->stream && (p->stream & ~1ULL) <= p->fetched)
		p->stream = (p->fetched + MONT_L1_LINE) | 1;
}

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
 * mont_front_fetch() of a pair that the L1 ITLB translates and whose line is the most recent of
 * its set in the L1I, where no line is asked for by a prefetch and no subscriber must look:
 * *@ready is the cycle of the bundle. False: nothing has been done.
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
		     (busy && !mont_prefetch_rests(t, time, at)) || t->pmu.front ||
		     t->fetch_uncached || t->traced || !(t->s.psr & MONT_PSR_IT) ||
		     tlb->page[n] != mont_l1tlb_page(tlb, ip) ||
		     !mont_l1i_recent(&time->s.h, pa, at) ||
		     !mont_signal_has_room(t, MONT_SIG_L1I_READ, 1)))
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
		mont_time_occupied(t);
	mont_work(t, MONT_WORK_CYCLES);
	return true;
}

/*
 * Pass the stall @s, if it has one cause and ends before cycle @stop, as
 * mont_cycles_pass_unseen() does. False: nothing has been done.
 */
static __always_inline bool mont_stall_pass_unseen(struct mont_thread *t, struct mont_stall *s,
						   u64 stop)
{
	u32 causes = s->causes;
	enum mont_cause cause = __builtin_ctz(causes);
	u64 end = s->until[cause], now = t->clock;

	if (unlikely((causes & (causes - 1)) || end >= stop ||
		     (likely(end > now) && !mont_cycles_pass_unseen(t, s, cause, end - now))))
		return false;
	s->causes = 0;
	return true;
}

/* True if the next group has been formed and waits to issue. */
static inline bool mont_group_waits(const struct mont_thread *t)
{
	return t->time && t->own.s.since != MONT_NOT_FORMED;
}

#endif
