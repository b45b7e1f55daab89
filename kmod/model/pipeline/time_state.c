// SPDX-License-Identifier: GPL-2.0-only
/*
 * The timed pipeline's state: how it begins, what of it can have been saved, and what
 * becomes of it where a run keeps no time (Documentation/model.rst, T9).
 */
#include "time_state.h"
#include "causes.h"
#include "front_end.h"
#include "wrong_path.h"
#include "threads.h"
#include "../pmu/late.h"
#include "../pmu/pmu.h"

/* Physical predicates under each rotation (SDM volume 1, 4.5.1). */
static void time_state_map_predicates(struct mont_time *time)
{
	u32 rrb, n;

	for (rrb = 0; rrb < MONT_ARRAY_SIZE(time->predicates); rrb++)
		for (n = 0; n < 64; n++)
			time->predicates[rrb][n] = n < 16 ? n : 16 + (n - 16 + rrb) % 48;
}

bool mont_time_state_valid(const struct mont_time *time, const struct mont_time_state *s,
			   u32 threads)
{
	u64 tag = mont_l1tlb_tag(s->threads.front);
	u32 i;

	if (!mont_threads_valid(&s->threads, threads) || s->h.front != s->threads.front ||
	    s->l1dtlb.tag != tag || s->l1itlb.tag != tag || s->l1dtlb.shared ||
	    s->l1itlb.shared != 1)
		return false;

	for (i = 0; i < MONT_NR_L2B; i++)
		if (s->predictor.l2b[i].history >= MONT_NR_HISTORY)
			return false;
	for (i = 0; i < MONT_NR_L1TLB_HINTS; i++)
		if (s->l1dtlb.hint[i] >= MONT_NR_L1TLB || s->l1itlb.hint[i] >= MONT_NR_L1TLB)
			return false;
	for (i = 0; i < MONT_L2D_FILLS; i++)
		if (s->h.l2d.place[i] >= MONT_L2D_FILLS)
			return false;
	if (!mont_occupancy_valid(&s->h.occupancy, MONT_NR_NUMBERS) ||
	    s->h.l1d.stores.next >= MONT_NR_STORES || s->h.l2d.uses.next >= MONT_L2D_FILLS ||
	    s->h.l1i.next >= MONT_NR_L1I_WRITES || s->h.l2i.next >= MONT_NR_L2I_ASKED)
		return false;
	return mont_buffer_valid(&s->buffer) && mont_prefetch_valid(&s->prefetch) &&
	       mont_wrong_valid(&s->wrong) &&
	       !__builtin_memcmp(&s->h.timing, &time->s.h.timing, sizeof(s->h.timing));
}

bool mont_thread_time_valid(const struct mont_time *time, const struct mont_thread_time_state *s,
			    u32 threads)
{
	u32 returns = time->s.h.timing.returns_kept;

	return !(s->stall.causes >> MONT_NR_CAUSES) && s->paused <= 1 && s->called <= 1 &&
	       s->split < MONT_NR_LOST && s->rse.made <= 2 && s->rse.again <= 1 &&
	       mont_late_valid(&s->late, threads == 1) && s->returns.top < returns &&
	       s->returns.closed == MONT_NR_RETURNS - returns;
}

void mont_time_leave(struct mont_thread *t)
{
	struct mont_time *time = t->time;

	if (t->own.s.since != MONT_NOT_FORMED)
		mont_stall_trace(t, &t->own.s.stall, t->own.s.since, t->clock, NULL);
	/* Count the front end's losses until now; those from now on do not count. */
	mont_front_flush(t, t->clock, t->clock);
	time->s.prefetch = (struct mont_prefetch){ 0 };
	time->s.wrong = (struct mont_wrong){ 0 };
	if (t->attn & MONT_ATTN_GROUP)
		mont_group_end(t);
	t->own.s.stall.causes = 0;
	mont_l1tlb_empty(&time->s.l1dtlb, time->s.h.l1d.line[0]);
	mont_l1tlb_empty(&time->s.l1itlb, time->s.h.l1i.line[0]);
	t->own.s.since = MONT_NOT_FORMED;
	t->own.s.next_ip = ~0ULL;
	t->own.s.next_slot = 0;
	t->own.s.split = MONT_LOST_MLX;
}

void mont_time_keep(struct mont_thread *t, struct mont_time *time)
{
	t->time = time;
	t->lsu_log = time ? &time->lsu_log : NULL;
	if (time)
		time->lsu_log.nr = 0;
}

void mont_time_init(struct mont_core *core, u32 threads)
{
	struct mont_time *time = core->time;
	u32 i;

	mont_timing_default(&time->s.h.timing);
	time_state_map_predicates(time);
	mont_threads_init(&time->s.threads, threads);
	time->s.l1dtlb.tag = mont_l1tlb_tag(0);
	time->s.l1itlb.tag = mont_l1tlb_tag(0);
	time->s.l1itlb.shared = 1;
	for (i = 0; i < threads; i++) {
		struct mont_thread *t = core->thread[i];

		mont_time_keep(t, time);
		t->pmu.timed = true;
		t->pmu.switches = threads > 1;
		t->pmu.replies = t->pmu.switches;
		t->pmu.soon = &time->s.threads.next;
		mont_rename_init(&t->own.map, t->grmap, t->frmap, time->predicates[0]);
		t->own.s.since = MONT_NOT_FORMED;
		t->own.s.next_ip = ~0ULL;
	}
}
