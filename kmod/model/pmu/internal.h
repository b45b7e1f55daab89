/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interfaces between the units of the PMU that call each other, and fields of PMCs (manual 3.3).
 * Included by units of the PMU alone.
 */
#ifndef MONT_PMU_INTERNAL_H
#define MONT_PMU_INTERNAL_H

#include "pmu.h"
#include "event.h"
#include "../package/package.h"

/* PMC39 (manual table 3-26) and PMC42 (table 3-30) */
#define MONT_PMC39_DS MONT_BIT(7)
#define MONT_PMC39_TM_NOT_TAKEN MONT_BIT(8)
#define MONT_PMC39_TM_TAKEN MONT_BIT(9)
#define MONT_PMC39_PTM_WRONG MONT_BIT(10)
#define MONT_PMC39_PTM_RIGHT MONT_BIT(11)
#define MONT_PMC39_PTM (3ULL << 10)
#define MONT_PMC39_PPM_WRONG MONT_BIT(12)
#define MONT_PMC39_PPM_RIGHT MONT_BIT(13)
#define MONT_PMC39_PPM (3ULL << 12)
#define MONT_PMC39_BRT_SHIFT 14
#define MONT_PMC42_MODE (7ULL << 8)

/* PMC @n.pm: monitored or read with privilege alone. PMC37's lies elsewhere (3.3.8). */
static inline u64 mont_pmc_pm(unsigned int n)
{
	return n == 37 ? MONT_BIT(4) : MONT_PMC_PM;
}

/* @latency in a field of @bits, and above it the bit that says it is more (ov). */
static inline u64 mont_ear_latency(u64 latency, unsigned int bits)
{
	return (latency & (MONT_BIT(bits) - 1)) | (u64)(latency >> bits != 0) << bits;
}

/* PMC.threshold (manual table 3-6) */
static inline unsigned int mont_pmc_threshold(const struct mont_thread *t, unsigned int n)
{
	return mont_bits(t->s.pmu.pmc[n], MONT_PMC_THRESHOLD_SHIFT, 3);
}

/* PMC.mesi: the states of a line with which counter @n takes an occurrence (manual 3.3.2). */
static inline unsigned int mont_pmc_mesi(const struct mont_thread *t, unsigned int n)
{
	return mont_bits(t->s.pmu.pmc[n], MONT_PMC_MESI_SHIFT, 4);
}

static inline bool mont_mesi_takes_all(const struct mont_thread *t, const struct mont_event *e,
				       unsigned int n)
{
	return !(e->filters & MONT_EVF_MESI) || mont_pmc_mesi(t, n) == 0xf;
}

/* Add @v to PMD @n. Return: bit @n if bit 46 carried out. */
static inline u32 mont_pmd_add(struct mont_thread *t, unsigned int n, u64 v)
{
	u64 sum = t->s.pmu.pmd[n] + v;

	t->s.pmu.pmd[n] = sum & MONT_PMD_MASK;
	return sum > MONT_PMD_MASK ? MONT_BIT(n) : 0;
}

/* The other thread of @t's core, or NULL. */
static inline struct mont_thread *mont_sibling(struct mont_thread *t)
{
	struct mont_thread *s;

	if (t->pkg->cfg.threads != 2)
		return NULL;
	s = &t->pkg->thread[t->index ^ 1];
	return s->pkg ? s : NULL; /* not yet there while the package is set up */
}

/* True if @t is in front on its core, and awake. */
static inline bool mont_in_front(const struct mont_thread *t)
{
	const struct mont_package *pkg = t->pkg;

	return pkg->s.turns.front[t->index / pkg->cfg.threads] == t->number && !t->s.halted;
}

/* The thread that runs, or sleeps, on the core of @t. */
static inline struct mont_thread *mont_running(struct mont_thread *t)
{
	const struct mont_package *pkg = t->pkg;
	u32 core = t->index / pkg->cfg.threads;

	return t->pmu.switches ? &t->pkg->thread[core * pkg->cfg.threads + pkg->s.turns.front[core]]
			       : t;
}

/* Return: MONT_HAS_* of @t, the mechanisms that events need. */
static inline u32 mont_pmu_has(const struct mont_thread *t)
{
	return (t->pmu.timed ? MONT_HAS_TIME : 0) | (t->pmu.castouts ? MONT_HAS_CASTOUTS : 0) |
	       (t->pkg->cfg.cores > 1 ? MONT_HAS_CORES : 0);
}

/*
 * True if @t has a timing model that keeps no time now. Events that need time stand still,
 * and so do thresholds: there are no issue groups.
 */
static inline bool mont_time_stands(const struct mont_thread *t)
{
	return t->pkg->timing && !t->time;
}

/*
 * True if @e is of clean lines that another core may take on their way: what counts it is found out
 * at each request, and adds when the line comes (filled.h).
 */
static inline bool mont_event_comes_later(const struct mont_thread *t, const struct mont_event *e)
{
	return t->pkg->cfg.cores > 1 && t->pkg->timing && e->signal >= MONT_SIG_FILL_E &&
	       e->signal <= MONT_SIG_FILL_I;
}

/* ---- what units ask of counters: counter.c ---- */

/* Counters @over of @own have overflowed in the cycle of @t, which runs. */
void mont_pmu_pend(struct mont_thread *own, u32 over, struct mont_thread *t);

/* Return: the counters among @counters of @own that take @o. */
u32 mont_counters_taking(struct mont_thread *own, u32 counters, const struct mont_occurrence *o);

/* ---- what units ask of the counters' subscriptions: arm.c ---- */

/* Return: the reason why the event of PMC4-15 number @n is not counted, or MONT_STANDS_NOT. */
enum mont_stands mont_pmc_stands(struct mont_thread *t, unsigned int n);
/* Flag counter @n, with its present PMC, as standing still for @why: the host reports it. */
void mont_pmc_stood(struct mont_thread *t, unsigned int n, enum mont_stands why);

static inline bool mont_pmc_countable(struct mont_thread *t, unsigned int n)
{
	return mont_pmc_stands(t, n) == MONT_STANDS_NOT;
}

/* True if plm and pm of PMC @n let it see events of @t now, PMC0.fr apart. */
bool mont_pmu_permitted(const struct mont_thread *t, unsigned int n);

/* ---- what units ask of countdowns: countdown.c ---- */

/* True if @sig is counted by kind of bundle, where bundles are tagged. */
static inline bool mont_by_kind(enum mont_signal sig)
{
	return sig == MONT_SIG_INST_RETIRED || sig == MONT_SIG_NOP_RETIRED;
}

/* Set the countdowns of all armed signals, in every tag set. */
void mont_countdowns_arm(struct mont_thread *t);

/*
 * Set the countdowns of @sig in every tag set, and the room for bundles if @sig is counted by
 * kind.
 */
void mont_signal_arm(struct mont_thread *t, enum mont_signal sig);

/* Set the countdowns of all signals that are part of a sum. */
void mont_sums_arm(struct mont_thread *t);

/*
 * Add @n occurrences up to @o, in tag set @set, that no subscriber must see one by one.
 * Return: bits of the counters that overflowed.
 */
u32 mont_set_add(const struct mont_occurrence *o, unsigned int set, u64 n);

/* Flush the pending occurrences of @sig to the counters, in every tag set and by kind. */
void mont_signal_fold(struct mont_thread *t, enum mont_signal sig);

/* Flush the pending occurrences of all signals that are part of a sum. */
void mont_sums_fold(struct mont_thread *t);

/* Flush the retirements counted by kind, then recompute the room for more bundles. */
void mont_kinds_renew(struct mont_thread *t);

/* ---- what counters and observers ask of tags: tags.c ---- */

/*
 * The number of a qualifier like @q, a new one below @most if need be; MONT_NO_QUALIFIER
 * without room.
 */
u8 mont_tags_qualifier(struct mont_tags *tags, const struct mont_qualifier *q, u32 most);

/*
 * Collect the qualifiers of the counters, and if @stale those of observers. The tag sets stay
 * valid if no qualifier has changed.
 */
void mont_tags_arm(struct mont_thread *t, bool stale);

/* Make tags, sets and kinds void: set 0, of untagged occurrences, is left. */
void mont_tags_void(struct mont_thread *t);

/* Add to @insns and @nops, by set, what bundles of all kinds have retired since. */
void mont_kinds_sum(struct mont_thread *t, u64 insns[MONT_NR_TAG_SETS], u64 nops[MONT_NR_TAG_SETS]);

/* ---- what counters and tags ask of observers: observer.c, observer_watch.c ---- */

/* Give those observers a qualifier that can have one. */
void mont_observers_tag(struct mont_thread *t);

/* True if the subscriptions of the thread's observers have changed since they were armed. */
bool mont_observers_stale(const struct mont_thread *t);
/* Add what observers have counted ahead to their counts, and unsubscribe them. */
void mont_observers_settle(struct mont_thread *t);
/* Put each of the thread's observers on the list of its signal. */
void mont_observers_arm(struct mont_thread *t);

/* @n occurrences up to @at, in tag set @set, for the observers that count ahead. */
void mont_observers_add(const struct mont_occurrence *at, unsigned int set, u64 n);

/* One occurrence in tag set @set for the observers that look at each. */
void mont_observers_watch(const struct mont_occurrence *at, unsigned int set);

/* Distance to the next period that ends, whatever the tag set; MONT_SIG_NEVER if none. */
u64 mont_observers_distance(struct mont_thread *t, enum mont_signal sig);
/* Distance of the observers that filter by tags, in tag set @set. */
u64 mont_observers_distance_tagged(struct mont_thread *t, unsigned int set, enum mont_signal sig);

/* Forget those of the lines that come later (filled.h) with @numbers: bit n for number n. */
void mont_observers_forget(struct mont_thread *t, u64 numbers);
/* The line @at with number @n in @state is asked for, or has come. */
void mont_observers_ask(const struct mont_occurrence *at, u32 n, u32 state);
void mont_observers_come(const struct mont_occurrence *at, u32 n, u32 state);

/* Add @n to the count of @o for @at, which no signal that @o subscribes to has raised. */
void mont_observer_count(struct mont_observer *o, const struct mont_occurrence *at, u64 n);

/* @o is told of what it sums up in a cycle, if it does, when that is over. */
void mont_observer_arm_sums(struct mont_thread *t, struct mont_observer *o);

/* An issue group has ended. */
void mont_observers_group_end(struct mont_thread *t);

/* ---- what observers and tags ask of the block that they count for: block.c ---- */

/* A number that changes with what qualifies the instructions that @block counts. */
u64 mont_block_version(const struct mont_block *block);

/* True if the instruction in @slot of t->cur, at IP, passes @q, a tag of a block. */
bool mont_block_passes(struct mont_thread *t, const struct mont_qualifier *q, unsigned int slot);

/* How much of @at the counter @o of a block takes. */
u64 mont_block_pass(const struct mont_observer *o, const struct mont_occurrence *at);

/* A load counts for @o, an observer of LOAD_LATE, if its latency is above this. */
u64 mont_block_least(const struct mont_observer *o);

/* A unit of @block has captured @at, which counter @n counts. */
void mont_block_count(struct mont_block *block, unsigned int n, const struct mont_occurrence *at);

/* A group has ended in which a counter of a block of @t overflowed. */
void mont_blocks_group_end(struct mont_thread *t);

#endif
