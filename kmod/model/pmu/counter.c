// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counting: countdowns, thresholds, overflow and freeze (manual 3.3.1 to
 * 3.3.4; the enable equation is that of 3.3.1).
 */
#include "data_ear.h"
#include "etb.h"
#include "insn_ear.h"
#include "internal.h"
#include "tags.h"
#include "../package.h"
#include "../raise.h"
#include "../platform/platform.h"

/*
 * L1D events can be counted only while the event code in PMC5 is one of the
 * same set, L2D events only while that in PMC4 or PMC6 is (manual 4.8.2 and
 * 4.8.4). What silicon counts otherwise is undefined; here the counter stands
 * still and is flagged.
 */
static bool mont_set_selected(struct mont_thread *t, unsigned int n)
{
	const struct mont_event *e = t->pmu.event[n];
	unsigned int lead;

	switch (e->set & MONT_SET_GROUP) {
	case MONT_SET_L1D:
		lead = 5;
		break;
	case MONT_SET_L2D:
		lead = n == 4 || n == 5 || n == 8 ? 4 : 6;
		break;
	default:
		return true;
	}
	/* The unit mask, a name for it or none, has no part in that. */
	return mont_event_code_set(mont_bits(t->s.pmu.pmc[lead], MONT_PMC_ES_SHIFT, 8)) == e->set;
}

static void mont_pmc_select(struct mont_thread *t, unsigned int n)
{
	u64 pmc = t->s.pmu.pmc[n];
	unsigned int code = mont_bits(pmc, MONT_PMC_ES_SHIFT, 8);
	unsigned int umask = mont_bits(pmc, MONT_PMC_UMASK_SHIFT, 4);
	u32 select = MONT_BIT(31) | umask << 8 | code;

	if (t->pmu.select[n] == select)
		return;
	t->pmu.select[n] = select;
	t->pmu.event[n] = mont_event_lookup(code, umask);
}

/* The other thread of @t's core, or NULL. */
static struct mont_thread *mont_sibling(struct mont_thread *t)
{
	struct mont_thread *s;

	if (t->pkg->cfg.threads != 2)
		return NULL;
	s = &t->pkg->thread[t->index ^ 1];
	return s->pkg ? s : NULL; /* not yet there while the package is set up */
}

/* Does counter @n count what both threads of a core do (manual table 3-6)? */
static bool mont_pmc_all(struct mont_thread *t, unsigned int n)
{
	return n <= MONT_PMC_LAST_ALL && (t->s.pmu.pmc[n] & MONT_PMC_ALL) && mont_sibling(t);
}

static unsigned int mont_pmc_threshold(const struct mont_thread *t, unsigned int n)
{
	return mont_bits(t->s.pmu.pmc[n], MONT_PMC_THRESHOLD_SHIFT, 3);
}

bool mont_time_stands(const struct mont_thread *t)
{
	return t->pkg->time && !t->time;
}

bool mont_pmc_countable(struct mont_thread *t, unsigned int n)
{
	const struct mont_event *e;

	mont_pmc_select(t, n);
	e = t->pmu.event[n];
	if (!e || !mont_event_counted(e) || !(e->counters & MONT_BIT(n)))
		return false;
	/* Without time no group is what a threshold is compared with. */
	return t->pmu.timed || !(mont_pmc_threshold(t, n) || e->needs_time);
}

/* May counter @n of @own count what @t does, which is judged by its own PSR? */
static bool mont_pmu_enables(const struct mont_thread *own, unsigned int n,
			     const struct mont_thread *t)
{
	u64 pmc = own->s.pmu.pmc[n];
	u64 psr = pmc & mont_pmc_pm(n) ? MONT_PSR_PP : MONT_PSR_UP;

	return !(own->s.pmu.pmc[0] & MONT_PMC0_FR) && (pmc >> t->cpl & 1) && (t->s.psr & psr);
}

bool mont_pmu_enabled(const struct mont_thread *t, unsigned int n)
{
	return mont_pmu_enables(t, n, t);
}

/* The sum of cycle @at: the oldest makes room for a new one. */
static u64 *mont_sum(struct mont_sums *sums, u64 at)
{
	unsigned int i, oldest = 0;

	for (i = 0; i < MONT_NR_SUMS; i++) {
		if (sums->n[i] && sums->at[i] == at)
			return &sums->n[i];
		if (sums->at[i] < sums->at[oldest])
			oldest = i;
	}
	sums->at[oldest] = at;
	sums->n[oldest] = 0;
	return &sums->n[oldest];
}

u64 mont_once(const struct mont_occurrence *o, struct mont_sums *sums, u64 v)
{
	u64 *sum;

	if (!v)
		return 0;
	sum = mont_sum(sums, o->at);
	if (*sum)
		return 0;
	*sum = 1;
	o->owner->attn |= MONT_ATTN_GROUP;
	return 1;
}

u64 mont_threshold(const struct mont_occurrence *o, struct mont_sums *sums, u64 v,
		   unsigned int threshold)
{
	u64 *sum, before;

	if (!threshold)
		return v;
	/* Of cycles of its own, each with the same value. */
	if (mont_signal_kind(o->sig) == MONT_ATTR_SPAN)
		return v > threshold * o->attr ? o->attr : 0;
	if (!v)
		return 0;
	o->owner->attn |= MONT_ATTN_GROUP;
	sum = mont_sum(sums, o->at);
	before = *sum;
	*sum = v > MONT_MOST_SUM - before ? MONT_MOST_SUM : before + v;
	return before <= threshold && *sum > threshold;
}

/* Does this occurrence go into the memory pipeline? */
static bool mont_is_reference(enum mont_signal sig, u32 data)
{
	switch (sig) {
	case MONT_SIG_LOAD_RETIRED:
		return !(data & MONT_DATA_NOT_SENT);
	case MONT_SIG_STORE_RETIRED:
		/* A semaphore's one reference is its load. */
		return !(data & MONT_DATA_SEMAPHORE);
	case MONT_SIG_ALAT_CHECK:
		/* A check load that hits; one that fails loads as well. */
		return !(data & (MONT_DATA_FAILED | MONT_DATA_CHECK));
	default:
		return true;
	}
}

static bool mont_is_l1d_read(enum mont_signal sig, u32 data)
{
	u32 not_served = MONT_DATA_FP | MONT_DATA_UC | MONT_DATA_SEMAPHORE | MONT_DATA_DEFERRED;

	return mont_is_reference(sig, data) && !(data & not_served);
}

bool mont_event_matches(const struct mont_event *e, const struct mont_occurrence *o)
{
	u32 data = o->ref ? o->ref->kind : 0;
	unsigned int type = o->branch ? o->branch->type : 0, level;

	switch (e->cond) {
	case MONT_COND_NOT_FP:
		return !(data & MONT_DATA_FP);
	case MONT_COND_FP:
		return data & MONT_DATA_FP;
	case MONT_COND_UC:
		return data & MONT_DATA_UC;
	case MONT_COND_RSE:
		return data & MONT_DATA_RSE;
	case MONT_COND_MISALIGNED:
		return data & MONT_DATA_MISALIGNED;
	case MONT_COND_IS_LOAD:
		return !(data & MONT_DATA_STORE);
	case MONT_COND_IS_STORE:
		return data & MONT_DATA_STORE;
	case MONT_COND_FAILED:
		return data & MONT_DATA_FAILED;
	case MONT_COND_FAILED_FP:
		return (data & MONT_DATA_FAILED) && (data & MONT_DATA_FP);
	case MONT_COND_FAILED_NOT_FP:
		return (data & MONT_DATA_FAILED) && !(data & MONT_DATA_FP);
	case MONT_COND_NATTED_VHPT_MISS:
	case MONT_COND_NATTED_TLB_MISS:
	case MONT_COND_NATTED_TLB_FAULT:
	case MONT_COND_NATTED_NAT:
	case MONT_COND_NATTED_PSR_ED:
		return (data & MONT_DATA_WHY) >> MONT_DATA_WHY_SHIFT ==
		       (u32)e->cond - MONT_COND_NATTED_VHPT_MISS + MONT_NATTED_VHPT_MISS;
	case MONT_COND_IPREL:
		return type == MONT_BR_IPREL;
	case MONT_COND_RETURN:
		return type == MONT_BR_RETURN;
	case MONT_COND_NRETIND:
		return type == MONT_BR_NRETIND;
	case MONT_COND_INSN_EAR:
		return mont_insn_ear_takes(e->ear == MONT_EAR_IEAR_TLB, e->ear_umask, o);
	case MONT_COND_LVL0:
	case MONT_COND_LVL1:
	case MONT_COND_LVL2:
	case MONT_COND_LVL3:
		level = e->cond - MONT_COND_LVL0;
		return (o->attr & 3) == level || (o->attr >> 2 & 3) == level;
	case MONT_COND_REFERENCE:
		return mont_is_reference(o->sig, data);
	case MONT_COND_L1D_READ:
		return mont_is_l1d_read(o->sig, data);
	case MONT_COND_DBR_MATCH:
		return mont_is_reference(o->sig, data) && mont_dbr_any(o->owner, o->ref);
	default:
		return true;
	}
}

/*
 * Do ptm and ppm (manual table 3-26) take a branch that was predicted so? A target that was
 * not predicted, since its path was wrong, is neither right nor wrong.
 */
static bool mont_trace_predicted(u64 pmc39, u8 outcome)
{
	bool path = !(outcome & MONT_BRANCH_WRONG_PATH);

	if (!(pmc39 & (path ? MONT_PMC39_PPM_RIGHT : MONT_PMC39_PPM_WRONG)))
		return false;
	if ((pmc39 & MONT_PMC39_PTM) == MONT_PMC39_PTM)
		return true;
	if (!path)
		return false;
	return pmc39 &
	       (outcome & MONT_BRANCH_WRONG_TARGET ? MONT_PMC39_PTM_WRONG : MONT_PMC39_PTM_RIGHT);
}

/* Does the trace buffer of @own take this (manual table 3-26)? */
static bool mont_trace_takes(const struct mont_thread *own, const struct mont_occurrence *o)
{
	const struct mont_thread *t = o->owner;
	const struct mont_branch *b = o->branch;
	u64 pmc39 = own->s.pmu.pmc[39], brt = mont_bits(pmc39, MONT_PMC39_BRT_SHIFT, 2);
	u64 psr = pmc39 & MONT_PMC_PM ? MONT_PSR_PP : MONT_PSR_UP;

	if (!(pmc39 >> t->cpl & 1) || !(t->s.psr & psr))
		return false;
	if (!b)
		return true;
	return (pmc39 & (b->taken ? MONT_PMC39_TM_TAKEN : MONT_PMC39_TM_NOT_TAKEN)) &&
	       (!brt || brt == b->type) && mont_trace_predicted(pmc39, b->outcome);
}

enum mont_signal_attr mont_signal_kind(enum mont_signal sig)
{
	static const u8 kind[] = {
#define MONT_SIGNAL(name, attr, meaning) MONT_ATTR_##attr,
#include "../signal.def"
#undef MONT_SIGNAL
	};

	return kind[sig];
}

bool mont_signal_ranged(enum mont_signal sig)
{
	enum mont_signal_attr kind = mont_signal_kind(sig);

	return kind == MONT_ATTR_DATA || kind == MONT_ATTR_FETCH || kind == MONT_ATTR_INSN;
}

/* Add @v to PMD @n. Return: bit @n if bit 46 carried out. */
static u32 mont_pmd_add(struct mont_thread *t, unsigned int n, u64 v)
{
	u64 sum = t->s.pmu.pmd[n] + v;

	t->s.pmu.pmd[n] = sum & MONT_PMD_MASK;
	return sum > MONT_PMD_MASK ? MONT_BIT(n) : 0;
}

/* Add @v to each of @counters. Return: bits of those that overflowed. */
static u32 mont_pmds_add(struct mont_thread *t, u32 counters, u64 v)
{
	u32 over = 0;

	for (; counters; counters &= counters - 1)
		over |= mont_pmd_add(t, __builtin_ctz(counters), v);
	return over;
}

/* PMC.mesi: the states of a line with which counter @n takes an occurrence (manual 3.3.2). */
static unsigned int mont_pmc_mesi(const struct mont_thread *t, unsigned int n)
{
	return mont_bits(t->s.pmu.pmc[n], MONT_PMC_MESI_SHIFT, 4);
}

static bool mont_mesi_takes_all(const struct mont_thread *t, const struct mont_event *e,
				unsigned int n)
{
	return !(e->filters & MONT_EVF_MESI) || mont_pmc_mesi(t, n) == 0xf;
}

/* One occurrence for each of @counters of @own. Return: as mont_pmds_add(). */
static u32 mont_pmds_watch(struct mont_thread *own, u32 counters, const struct mont_occurrence *o)
{
	struct mont_thread *t = o->owner;
	u32 over = 0;

	for (; counters; counters &= counters - 1) {
		unsigned int i = __builtin_ctz(counters);
		const struct mont_event *e = own->pmu.event[i];
		u64 v;

		if (!mont_event_matches(e, o) ||
		    (!mont_mesi_takes_all(own, e, i) && !(mont_pmc_mesi(own, i) >> o->attr & 1)) ||
		    (e->cond == MONT_COND_TRACED && !mont_trace_takes(own, o)))
			continue;
		v = o->n;
		if (own != t || !(t->pmu.unqualified & MONT_BIT(i)))
			v = mont_qualify(e, o);
		if (e->cond == MONT_COND_TRACED)
			v = mont_once(o, &own->s.pmu.sums[i], v);
		else
			v = mont_threshold(o, &own->s.pmu.sums[i], v, mont_pmc_threshold(own, i));
		over |= mont_pmd_add(own, i, v);
	}
	return over;
}

/* Does anybody listen to @sig? */
static bool mont_armed(const struct mont_pmu_derived *d, enum mont_signal sig)
{
	return d->lazy[sig] || d->tagged[sig] || d->obs_lazy[sig] || d->obs_tagged[sig] ||
	       mont_watched(d, sig);
}

/* Occurrences of @sig in tag set @set until somebody must look at one. */
static s64 mont_distance(const struct mont_thread *t, unsigned int set, enum mont_signal sig)
{
	const struct mont_pmu_derived *d = &t->pmu;
	u32 lazy = d->lazy[sig] | (set ? d->tagged[sig] & d->tags.counters[set] : 0);
	s64 left;

	if (mont_watched(d, sig) || (!set && (d->tagged[sig] || d->obs_tagged[sig])))
		return 1;
	left = mont_observers_distance(t, set, sig);
	for (; lazy; lazy &= lazy - 1) {
		u32 n = __builtin_ctz(lazy);
		s64 distance = mont_part(MONT_BIT(MONT_PMD_BITS) - t->s.pmu.pmd[n], d->parts[n]);

		if (distance < left)
			left = distance;
	}
	return left;
}

/* Is @sig one that is counted by the kinds of bundles where these are tagged? */
static bool mont_by_kind(enum mont_signal sig)
{
	return sig == MONT_SIG_INST_RETIRED || sig == MONT_SIG_NOP_RETIRED;
}

static void mont_countdown_arm(struct mont_thread *t, unsigned int set, enum mont_signal sig)
{
	u32 nr = t->pmu.tags.nr_sets;
	s64 left = mont_distance(t, set, sig);

	/* Together the sets must not go further than each may; one half is mont_room()'s. */
	if (nr > 1 && mont_by_kind(sig))
		left -= left / 2;
	else if (nr > 1)
		left = left < nr ? 1 : left / nr;
	t->countdown[set][sig].left = left;
	t->countdown[set][sig].start = left;
}

/* Bundles of three instructions until somebody must look at one of those of @sig. */
static u64 mont_room(const struct mont_thread *t, enum mont_signal sig)
{
	s64 left = MONT_SIG_NEVER;
	unsigned int set;

	for (set = 1; set < t->pmu.tags.nr_sets; set++) {
		s64 distance = mont_distance(t, set, sig);

		if (distance < left)
			left = distance;
	}
	return left / 2 / 3;
}

static void mont_room_arm(struct mont_thread *t)
{
	u64 insns = mont_room(t, MONT_SIG_INST_RETIRED), nops = mont_room(t, MONT_SIG_NOP_RETIRED);

	t->pmu.tags.room = mont_retiring_watched(&t->pmu) ? 0 : insns < nops ? insns : nops;
}

/* There is room for bundles, and as much for what no kind counts. */
static void mont_kinds_arm(struct mont_thread *t)
{
	mont_room_arm(t);
	if (mont_armed(&t->pmu, MONT_SIG_INST_RETIRED))
		mont_countdown_arm(t, 0, MONT_SIG_INST_RETIRED);
	if (mont_armed(&t->pmu, MONT_SIG_NOP_RETIRED))
		mont_countdown_arm(t, 0, MONT_SIG_NOP_RETIRED);
}

void mont_countdowns_arm(struct mont_thread *t)
{
	struct mont_pmu_derived *d = &t->pmu;
	unsigned int i, set;

	for (i = 0; i < d->nr_armed; i++) {
		for (set = 0; set < d->tags.nr_sets; set++)
			mont_countdown_arm(t, set, d->armed[i]);
	}
	mont_room_arm(t);
}

/* @n occurrences up to @o, in tag set @set, that nobody must look at. Return: as mont_pmds_add(). */
static u32 mont_set_add(const struct mont_occurrence *o, unsigned int set, u64 n)
{
	struct mont_thread *t = o->owner;
	struct mont_pmu_derived *d = &t->pmu;
	enum mont_signal sig = o->sig;
	u32 lazy = d->lazy[sig] | (set ? d->tagged[sig] & d->tags.counters[set] : 0);

	mont_observers_add(o, set, n);
	return mont_pmds_add(t, lazy, n);
}

static void mont_signal_fold(struct mont_thread *t, enum mont_signal sig)
{
	struct mont_occurrence o = { .owner = t, .time = t->s.cycles, .sig = sig };
	unsigned int set;

	for (set = 0; set < t->pmu.tags.nr_sets; set++) {
		struct mont_countdown *c = &t->countdown[set][sig];
		u64 n = c->start - c->left;

		if (!n)
			continue;
		c->start = c->left;
		/* Nothing overflows: the countdown ends where the first one does. */
		mont_set_add(&o, set, n);
	}
}

/* By set, @n occurrences of @sig of bundles that have retired by kind. */
static void mont_kind_fold(struct mont_thread *t, enum mont_signal sig,
			   const u64 n[MONT_NR_TAG_SETS])
{
	struct mont_occurrence o = { .owner = t, .time = t->s.cycles, .sig = sig };
	unsigned int set;

	for (set = 1; set < t->pmu.tags.nr_sets; set++) {
		/* Nothing overflows: there was room for them. */
		if (n[set])
			mont_set_add(&o, set, n[set]);
	}
}

/* What has retired is counted. */
static void mont_kinds_fold(struct mont_thread *t)
{
	u64 insns[MONT_NR_TAG_SETS] = { 0 }, nops[MONT_NR_TAG_SETS] = { 0 };

	mont_kinds_sum(t, insns, nops);
	mont_kind_fold(t, MONT_SIG_INST_RETIRED, insns);
	mont_kind_fold(t, MONT_SIG_NOP_RETIRED, nops);
	mont_signal_fold(t, MONT_SIG_INST_RETIRED);
	mont_signal_fold(t, MONT_SIG_NOP_RETIRED);
}

void mont_kinds_renew(struct mont_thread *t)
{
	mont_kinds_fold(t);
	mont_kinds_arm(t);
}

void mont_signals_fold(struct mont_thread *t)
{
	unsigned int i;

	if (t->pmu.tags.nr_sets > 1)
		mont_kinds_fold(t);
	for (i = 0; i < t->pmu.nr_armed; i++)
		mont_signal_fold(t, t->pmu.armed[i]);
}

bool mont_trace_followed(const struct mont_thread *t)
{
	u64 any = MONT_PMC39_PTM | MONT_PMC39_PPM;

	return (t->pmu.timed || (t->s.pmu.pmc[39] & any) == any) &&
	       !(t->s.pmu.pmc[42] & MONT_PMC42_MODE);
}

/* Is what counter @n of @t counts, which is enabled, defined and in the model? */
static bool mont_counter_defined(struct mont_thread *t, unsigned int n)
{
	const struct mont_event *e = t->pmu.event[n];

	/* No range is that of a slot which dispersal leaves empty. */
	if (e->needs_time && !mont_signal_ranged(e->signal) && !mont_unconstrained(t, e))
		return false;
	if (e->signal == MONT_SIG_DATA_EAR_CAPTURED && !t->pmu.timed && mont_data_ear_needs_time(t))
		return false;
	return mont_set_selected(t, n) && !mont_constraint_undefined(t, e) &&
	       (e->cond != MONT_COND_TRACED || mont_trace_followed(t));
}

/* The signals of dispersal are side by side. */
_Static_assert(MONT_SIG_OVER_IMPL - MONT_SIG_DISPERSED == 6, "signal.def");

/* Those of occupancy.def are in front of those of met.def. */
#define FIRST_LIVE MONT_SIG_LIVE_BRQ

enum {
	NR_MET = 0
#define MONT_MET(name, line, cycle, meaning) +1
#include "../met.def"
#undef MONT_MET
};

void mont_listen(struct mont_pmu_derived *d, enum mont_signal sig)
{
	d->frame |= sig >= MONT_SIG_FRAME_0 && sig <= MONT_SIG_DIRTY_6;
	d->front |= sig >= MONT_SIG_FE_BUBBLE_FEFLUSH && sig <= MONT_SIG_STALL_LOST_ALL;
	d->live |= sig >= FIRST_LIVE && sig < MONT_SIG_L1D_MISSED;
	d->met |= sig >= MONT_SIG_L1D_MISSED && sig < MONT_SIG_L1D_MISSED + NR_MET;
	d->dispersal |= sig >= MONT_SIG_DISPERSED && sig <= MONT_SIG_OVER_IMPL;
	d->cycles = d->frame || d->front || d->dispersal;
	if (!mont_armed(d, sig))
		d->armed[d->nr_armed++] = sig;
}

/* Let counter @n of those in @watch look at each occurrence that it may count. */
static void mont_counter_watch(struct mont_pmu_derived *d, u16 watch[MONT_NR_SIGNALS],
			       const struct mont_event *e, unsigned int n)
{
	u16 sig[MONT_EVENT_SIGNALS];
	unsigned int i = mont_event_signals(e, sig);

	while (i--) {
		mont_listen(d, sig[i]);
		watch[sig[i]] |= MONT_BIT(n);
	}
}

/* Where does counter @n listen, if at all? */
static void mont_counter_arm(struct mont_thread *t, unsigned int n)
{
	struct mont_pmu_derived *d = &t->pmu;
	const struct mont_event *e = d->event[n];
	unsigned int threshold = mont_pmc_threshold(t, n);
	u16 sig[MONT_EVENT_SIGNALS];
	unsigned int i;
	bool ahead;

	if (!mont_pmu_enabled(t, n) || !mont_pmc_countable(t, n))
		return;
	if (!mont_counter_defined(t, n)) {
		if (!(t->s.pmu.uncounted & MONT_BIT(n)))
			d->unreported |= MONT_BIT(n);
		t->s.pmu.uncounted |= MONT_BIT(n);
		return;
	}
	t->s.pmu.uncounted &= ~MONT_BIT(n);
	d->unreported &= ~MONT_BIT(n);
	if (threshold && (threshold >= e->max_inc || mont_time_stands(t)))
		return;
	if (mont_unconstrained(t, e))
		d->unqualified |= MONT_BIT(n);
	/* Where two threads add to one PMD, neither can count ahead. */
	ahead = !threshold && !mont_pmc_all(t, n) && mont_mesi_takes_all(t, e, n) &&
		(mont_event_takes_all(e) ||
		 (e->cond >= MONT_COND_TAG1 && e->cond <= MONT_COND_TAG3));
	if (!ahead || (!(d->unqualified & MONT_BIT(n)) && d->qualifier[n] == MONT_NO_QUALIFIER)) {
		mont_counter_watch(d, d->watch, e, n);
		return;
	}
	i = mont_event_signals(e, sig);
	d->parts[n] = i;
	while (i--) {
		d->summed[sig[i]] |= d->parts[n] > 1;
		mont_listen(d, sig[i]);
		if (d->unqualified & MONT_BIT(n))
			d->lazy[sig[i]] |= MONT_BIT(n);
		else
			d->tagged[sig[i]] |= MONT_BIT(n);
	}
}

/* Where does counter @n of the sibling @own listen to @t? */
static void mont_sibling_arm(struct mont_thread *own, struct mont_thread *t, unsigned int n)
{
	unsigned int threshold = mont_pmc_threshold(own, n);

	if (!mont_pmc_all(own, n) || !mont_pmu_enables(own, n, t) || !mont_pmc_countable(own, n) ||
	    !mont_counter_defined(own, n))
		return;
	if (threshold >= own->pmu.event[n]->max_inc)
		return;
	mont_counter_watch(&t->pmu, t->pmu.sibling, own->pmu.event[n], n);
}

/* Nobody listens to anything any more. */
static void mont_disarm(struct mont_thread *t)
{
	static const struct mont_countdown never = { MONT_SIG_NEVER, MONT_SIG_NEVER };
	struct mont_pmu_derived *d = &t->pmu;
	unsigned int set;

	d->data_ear = MONT_NR_SIGNALS;
	d->insn_ear = MONT_NR_SIGNALS;
	d->etb = false;
	d->frame = false;
	d->front = false;
	d->dispersal = false;
	d->met = false;
	d->live = false;
	d->cycles = false;
	while (d->nr_armed) {
		enum mont_signal sig = d->armed[--d->nr_armed];

		d->lazy[sig] = 0;
		d->tagged[sig] = 0;
		d->watch[sig] = 0;
		d->sibling[sig] = 0;
		d->summed[sig] = false;
		d->obs_lazy[sig] = NULL;
		d->obs_tagged[sig] = NULL;
		d->obs_watch[sig] = NULL;
		for (set = 0; set < d->tags.nr_sets; set++)
			t->countdown[set][sig] = never;
	}
}

static void mont_thread_arm(struct mont_thread *t)
{
	struct mont_thread *s = mont_sibling(t);
	struct mont_pmu_derived *d = &t->pmu;
	unsigned int n;

	mont_work(t, MONT_WORK_REARM);
	mont_disarm(t);
	/* Whatever has been tagged, what it raises now counts for others. */
	d->tags.kinds = d->tags.none;
	mont_tags_end(t);
	d->all = false;
	d->unqualified = 0;
	for (n = MONT_PMC_FIRST; n <= MONT_PMC_LAST; n++) {
		mont_pmc_select(t, n);
		d->all |= mont_pmc_all(t, n);
	}
	mont_tags_arm(t);
	for (n = MONT_PMC_FIRST; n <= MONT_PMC_LAST; n++)
		mont_counter_arm(t, n);
	for (n = MONT_PMC_FIRST; s && n <= MONT_PMC_LAST_ALL; n++)
		mont_sibling_arm(s, t, n);
	mont_data_ear_arm(t);
	mont_insn_ear_arm(t);
	mont_etb_arm(t);
	mont_observers_arm(t);
	mont_countdowns_arm(t);
}

void mont_signals_init(struct mont_thread *t)
{
	unsigned int sig;

	mont_disarm(t);
	mont_tags_void(t);
	for (sig = 0; sig < MONT_NR_SIGNALS; sig++)
		t->countdown[0][sig] = (struct mont_countdown){ MONT_SIG_NEVER, MONT_SIG_NEVER };
}

void mont_signals_arm(struct mont_thread *t)
{
	struct mont_thread *s = mont_sibling(t);
	bool all = t->pmu.all;

	mont_thread_arm(t);
	if (!s || !(all || t->pmu.all))
		return;
	/* The sibling listens for us: our PMCs may be what changed. */
	mont_signals_fold(s);
	mont_thread_arm(s);
}

/*
 * Counters @over of @own have overflowed in @t's issue group. Its configuration
 * may change yet: what counts is what each had at its overflow.
 */
static void mont_pmu_pend(struct mont_thread *own, u32 over, struct mont_thread *t)
{
	struct mont_pmu_derived *d = &own->pmu;
	u32 left;

	d->over |= over;
	for (left = over; left; left &= left - 1) {
		u64 pmc = own->s.pmu.pmc[__builtin_ctz(left)];

		d->freeze |= !!(pmc & MONT_PMC_OI);
		/* There is no pin: a host that serves the PMU stands for what it drives. */
		d->notify |= (pmc & MONT_PMC_EV) && (t->pkg->cfg.flags & MONT_CFG_HOST_PMU);
	}
	t->attn |= MONT_ATTN_GROUP;
}

/*
 * PMC0's bits, and the freeze. The interrupt line is raised exactly when fr
 * goes from 0 to 1, however many counters overflowed (manual 3.3.11).
 */
static void mont_pmu_overflow(struct mont_thread *own, struct mont_thread *t)
{
	struct mont_pmu_derived *d = &own->pmu;
	u64 *pmc0 = &own->s.pmu.pmc[0];
	bool freeze = d->freeze;

	*pmc0 |= d->over;
	d->over = 0;
	d->freeze = false;
	if (d->notify) {
		d->notify = false;
		own->s.pmu_irq |= MONT_PMU_NOTIFY;
		own->attn |= MONT_ATTN_IRQ;
	}
	if (!freeze || (*pmc0 & MONT_PMC0_FR))
		return;
	mont_signals_fold(own);
	mont_etb_settle(own);
	*pmc0 |= MONT_PMC0_FR;
	own->s.pmu_irq |= MONT_PMU_IRQ;
	own->attn |= MONT_ATTN_IRQ;
	/* A sibling may be halted: it looks when it is awake. */
	if (own != t && !(t->pkg->cfg.flags & MONT_CFG_HOST_PMU))
		mont_irq_collect(own);
	mont_signals_arm(own);
}

/* The end of a countdown: the occurrence that ended it has not been counted. */
static void mont_occurred(const struct mont_occurrence *o)
{
	struct mont_thread *t = o->owner;
	struct mont_pmu_derived *d = &t->pmu;
	enum mont_signal sig = o->sig;
	u64 all = t->sig[sig].start - t->sig[sig].left;
	unsigned int set = 0;
	struct mont_thread *s = NULL;
	u32 over, theirs = 0;
	bool captured, fetch_captured;

	/* From here on this occurrence is not pending any more: folds skip it. */
	t->sig[sig].start = t->sig[sig].left;
	/* What other sets have raised came before: it overflows nothing. */
	if (d->summed[sig])
		mont_signals_fold(t);
	if (d->tags.nr_sets > 1) {
		set = (t->sig - t->countdown[0]) / MONT_NR_SIGNALS;
		mont_signal_fold(t, sig);
		if (mont_by_kind(sig))
			mont_kinds_fold(t);
	}
	over = mont_set_add(o, set, all);
	over |= mont_pmds_watch(t, d->watch[sig] | (set ? 0 : d->tagged[sig]), o);
	if (unlikely(d->sibling[sig])) {
		s = mont_sibling(t);
		theirs = mont_pmds_watch(s, d->sibling[sig], o);
	}
	mont_observers_watch(o, set);
	captured = unlikely(d->data_ear == sig) && mont_data_ear_look(o);
	fetch_captured = unlikely(d->insn_ear == sig) && mont_insn_ear_look(o);
	if (unlikely(d->etb) && (sig == MONT_SIG_BRANCH_RETIRED || sig == MONT_SIG_FLUSHED) &&
	    mont_trace_takes(t, o) && mont_qualify(d->etb_row, o))
		mont_etb_record(t, o);
	if (d->summed[sig]) {
		mont_countdowns_arm(t);
	} else if (d->tags.nr_sets > 1) {
		for (set = 0; set < d->tags.nr_sets; set++)
			mont_countdown_arm(t, set, sig);
		if (mont_by_kind(sig))
			mont_kinds_arm(t);
	} else {
		mont_countdown_arm(t, 0, sig);
	}
	if (unlikely(over))
		mont_pmu_pend(t, over, t);
	if (unlikely(theirs))
		mont_pmu_pend(s, theirs, t);
	if (unlikely(captured))
		mont_signal_ref(t, MONT_SIG_DATA_EAR_CAPTURED, o->ref);
	if (unlikely(fetch_captured))
		mont_signal_ref(t, MONT_SIG_INSN_EAR_CAPTURED, o->ref);
}

/* When what is being raised happens. */
static u64 mont_sig_at(const struct mont_thread *t)
{
	return t->sig_at ? t->sig_at : t->s.cycles;
}

void mont_signal_slow(struct mont_thread *t, enum mont_signal sig, u64 n, u64 attr)
{
	mont_occurred(&(struct mont_occurrence){ .owner = t,
						 .time = t->s.cycles,
						 .at = mont_sig_at(t),
						 .n = n,
						 .attr = attr,
						 .sig = sig });
}

void mont_signal_ref_slow(struct mont_thread *t, enum mont_signal sig, const struct mont_ref *ref)
{
	mont_occurred(&(struct mont_occurrence){ .owner = t,
						 .time = t->s.cycles,
						 .at = mont_sig_at(t),
						 .n = 1,
						 .ref = ref,
						 .sig = sig });
}

void mont_signal_line_slow(struct mont_thread *t, enum mont_signal sig, const struct mont_ref *ref,
			   u64 state)
{
	mont_occurred(&(struct mont_occurrence){ .owner = t,
						 .time = t->s.cycles,
						 .at = mont_sig_at(t),
						 .n = 1,
						 .attr = state,
						 .ref = ref,
						 .sig = sig });
}

void mont_signal_branch_slow(struct mont_thread *t, u32 type, u64 target, bool taken)
{
	struct mont_branch branch = {
		.source = t->s.ip,
		.target = target,
		.slot = t->sig_slot,
		.type = type,
		.taken = taken,
		.outcome = t->time ? mont_time_outcome(t) : 0,
	};

	mont_occurred(&(struct mont_occurrence){ .owner = t,
						 .time = t->s.cycles,
						 .at = t->s.cycles,
						 .n = 1,
						 .branch = &branch,
						 .sig = MONT_SIG_BRANCH_RETIRED });
}

void mont_group_mark(struct mont_thread *t)
{
	struct mont_pmu_derived *d = &t->pmu;

	mont_signals_fold(t);
	__builtin_memcpy(d->mark, t->s.pmu.pmd, sizeof(d->mark));
	d->mark[0] = t->s.pmu.pmc[0];
	d->marked = true;
	t->attn |= MONT_ATTN_GROUP;
}

void mont_group_end(struct mont_thread *t)
{
	struct mont_thread *s = mont_sibling(t);
	unsigned int n;

	t->attn &= ~MONT_ATTN_GROUP;
	t->pmu.marked = false;
	mont_etb_group_end(t);
	if (t->pmu.over)
		mont_pmu_overflow(t, t);
	if (s && s->pmu.over)
		mont_pmu_overflow(s, t);
	for (n = MONT_PMC_FIRST; n <= MONT_PMC_LAST; n++) {
		mont_sums_end(&t->s.pmu.sums[n], t->s.cycles);
		if (s)
			mont_sums_end(&s->s.pmu.sums[n], t->s.cycles);
	}
	mont_observers_group_end(t);
}
