/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The timed pipeline of a core (manual 2.3): what its stages keep. Included by
 * each stage, by attention.c and fetch.c of exec/, and by package/.
 */
#ifndef MONT_PIPELINE_PIPELINE_H
#define MONT_PIPELINE_PIPELINE_H

#include "../base/check.h"
#include "../package/package.h"
#include "../cache/l1i.h"
#include "../cache/memory_pipeline.h"
#include "../memory/lsu.h"
#include "buffer.h"
#include "calendar.h"
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

/* True if @n cycles can pass at once for counters of @sig: none overflows in them. */
static __always_inline bool mont_signal_has_room(const struct mont_thread *t, enum mont_signal sig,
						 u64 n)
{
	return t->countdown[0][sig].left >= (s64)n;
}

/* True if the next group has been formed and waits to issue. */
static inline bool mont_group_waits(const struct mont_thread *t)
{
	return t->time && t->own.s.since != MONT_NOT_FORMED;
}

#endif
