/* SPDX-License-Identifier: GPL-2.0-only */
/* Interfaces between the PMU's own files (manual 3.3). */
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

/* ---- counter.c ---- */

/* Counters @over of @own have overflowed in the cycle of @t, which runs. */
void mont_pmu_pend(struct mont_thread *own, u32 over, struct mont_thread *t);

/* ---- match.c ---- */

/* True if @e counts @o, an occurrence of one of its signals. */
bool mont_event_matches(const struct mont_event *e, const struct mont_occurrence *o);

/*
 * Value of a counter with @threshold for @v more in the cycle of @o, of which @sums
 * holds the sum so far.
 */
u64 mont_threshold(const struct mont_occurrence *o, struct mont_sums *sums, u64 v,
		   unsigned int threshold);

/*
 * For an event that adds 1 a cycle, however often its signals are raised in
 * one: @v, or 0 if @sums says that it has been counted.
 */
u64 mont_once(const struct mont_occurrence *o, struct mont_sums *sums, u64 v);

/* The cycle of a group is over: nothing more happens in @at. */
static inline void mont_sums_end(struct mont_sums *sums, u64 at)
{
	unsigned int i;

	for (i = 0; i < MONT_NR_SUMS; i++) {
		if (sums->at[i] == at) {
			sums->at[i] = 0;
			sums->n[i] = 0;
		}
	}
}

/* Attribute kind of a signal. */
enum mont_signal_attr mont_signal_kind(enum mont_signal sig);
/* True if @sig, which needs time, has an instruction that a range can be compared with. */
bool mont_signal_ranged(enum mont_signal sig);

/* ---- arm.c ---- */

/* Return: MONT_HAS_* of @t, the mechanisms that events need. */
u32 mont_pmu_has(const struct mont_thread *t);
/* Return: the reason why the event of PMC4-15 number @n is not counted, or MONT_STANDS_NOT. */
enum mont_stands mont_pmc_stands(struct mont_thread *t, unsigned int n);
/* Flag counter @n, with its present PMC, as standing still for @why: the host reports it. */
void mont_pmc_stood(struct mont_thread *t, unsigned int n, enum mont_stands why);

static inline bool mont_pmc_countable(struct mont_thread *t, unsigned int n)
{
	return mont_pmc_stands(t, n) == MONT_STANDS_NOT;
}

/*
 * True if @t has a timing model that keeps no time now. Events that need time stand still,
 * and so do thresholds: there are no issue groups.
 */
bool mont_time_stands(const struct mont_thread *t);

/* True if plm and pm of PMC @n let it see events of @t now, PMC0.fr apart. */
bool mont_pmu_permitted(const struct mont_thread *t, unsigned int n);

/* The signals that the IP-EAR listens to (ip_ear.c). */
static inline bool mont_ip_ear_hears(enum mont_signal sig)
{
	return sig == MONT_SIG_INST_RETIRED || sig == MONT_SIG_FLUSH_XPN ||
	       sig == MONT_SIG_FLUSH_BRU;
}

/* True if a subscriber must see each occurrence of @sig, whatever its tags. */
static inline bool mont_watched(const struct mont_pmu_derived *d, enum mont_signal sig)
{
	return d->watch[sig] || d->sibling[sig] || d->obs.watch[sig] || d->data_ear == sig ||
	       d->insn_ear == sig ||
	       (d->etb && (sig == MONT_SIG_BRANCH_RETIRED || sig == MONT_SIG_FLUSHED)) ||
	       (d->ip_ear && mont_ip_ear_hears(sig)) ||
	       (d->obs.chain && sig == MONT_SIG_BRANCH_RETIRED);
}

/* As mont_watched(), for the signals of instructions or nops that retire. */
static inline bool mont_retiring_watched(const struct mont_pmu_derived *d)
{
	return mont_watched(d, MONT_SIG_INST_RETIRED) || mont_watched(d, MONT_SIG_NOP_RETIRED);
}

/* True if @sig has a subscriber. */
static inline bool mont_armed(const struct mont_pmu_derived *d, enum mont_signal sig)
{
	return d->lazy[sig] || d->tagged[sig] || d->obs.counted[sig] || d->obs.lazy[sig] ||
	       d->obs.tagged[sig] || mont_watched(d, sig);
}

/* Note that @sig gets a subscriber: call before a table by signal shows it. */
void mont_listen(struct mont_pmu_derived *d, enum mont_signal sig);
/* Note that a subscriber of @class, MONT_SUMMED_*, sums several signals, @sig among them. */
void mont_listen_sum(struct mont_pmu_derived *d, enum mont_signal sig, u8 class);

/* ---- countdown.c ---- */

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

/* ---- etb.c ---- */

/* True if the trace buffer's setting can be followed: selection by prediction needs time. */
bool mont_etb_followed(const struct mont_thread *t);

/* ---- qualify.c ---- */

/*
 * Is @e to be constrained by a setting that the manual calls illegal or leaves
 * undefined (notes in 3.3.5.1, 3.3.5.2 and 3.3.7, table 3-11)?
 */
bool mont_constraint_undefined(const struct mont_thread *t, const struct mont_event *e);

/* True if @e is unconstrained: neither PMC32-36, PMC38 nor PMC41 leave anything out. */
bool mont_unconstrained(const struct mont_thread *t, const struct mont_event *e);

/*
 * Number of an occurrence's instructions that the range, opcode and data constraints
 * of its thread let through: all, less, or 0.
 */
u64 mont_qualify(const struct mont_event *e, const struct mont_occurrence *o);

/* True if a pair of DBRs matches a byte of @ref, whatever its r, w and plm (manual 3.3.7). */
bool mont_dbr_any(const struct mont_thread *t, const struct mont_ref *ref);

/* The unit PMC32.mifb calls slot @slot of the bundle at @raw: bit 3 M .. bit 0 B. */
unsigned int mont_slot_mifb(const u64 *raw, unsigned int slot);

/*
 * The qualifier of @e that depends on the instruction alone; false if there is
 * none such, and each occurrence must be asked.
 */
bool mont_qualifier_of(const struct mont_thread *t, const struct mont_event *e,
		       struct mont_qualifier *q);

/* True if the instruction in @slot of t->cur, at IP, passes @q, which is no filter. */
bool mont_qualifies(struct mont_thread *t, const struct mont_qualifier *q, unsigned int slot);

/*
 * Share of each of @parts signals in a common @distance to the next look of a subscriber:
 * their sum is less than @distance as long as each is below its share.
 */
static inline u64 mont_part(u64 distance, unsigned int parts)
{
	return parts > 1 ? (distance - 1) / parts + 1 : distance;
}

/* ---- tags.c ---- */

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

/* ---- observer.c ---- */

/* Give those observers a qualifier that can have one. */
void mont_observers_tag(struct mont_thread *t);

/* True if @a and @b, which can be NULL, have the same opcodes. */
bool mont_filter_same_opcodes(const struct mont_filter *a, const struct mont_filter *b);

/* True if the instruction in @slot of t->cur, at IP, passes @q, a filter. */
bool mont_filter_passes(struct mont_thread *t, const struct mont_qualifier *q, unsigned int slot);

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

/* @o counts @n at @at, beside what it listens to. */
void mont_observer_count(struct mont_observer *o, const struct mont_occurrence *at, u64 n);

/* An issue group has ended. */
void mont_observers_group_end(struct mont_thread *t);

/* ---- block.c ---- */

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
