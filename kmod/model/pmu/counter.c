// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counting at the end of a countdown, overflow and freeze (manual 3.3.2, 3.3.4 and 3.3.11).
 */
#include "data_ear.h"
#include "chain.h"
#include "etb.h"
#include "insn_ear.h"
#include "internal.h"
#include "ip_ear.h"
#include "late.h"
#include "tags.h"
#include "subscriber.h"
#include "../platform/interrupts.h"
#include "../package/package.h"
#include "../event/raise.h"
#include "../event/trace.h"
#include "match.h"
#include "qualify.h"

/* How much of @o counter @i of @own takes, apart from its threshold. */
static u64 counter_pmd_share(struct mont_thread *own, unsigned int i,
			     const struct mont_occurrence *o)
{
	const struct mont_event *e = own->pmu.event[i];
	struct mont_thread *t = o->owner;

	if (!mont_event_matches(e, o) ||
	    (!mont_mesi_takes_all(own, e, i) && !(mont_pmc_mesi(own, i) >> o->attr & 1)) ||
	    (e->cond == MONT_COND_TRACED && !mont_etb_takes(own, o)))
		return 0;
	return own != t || !(t->pmu.unqualified & MONT_BIT(i)) ? mont_qualify(e, o) : o->n;
}

/* One occurrence for each of @counters of @own. Return: as mont_set_add(). */
static u32 counter_pmds_watch(struct mont_thread *own, u32 counters,
			      const struct mont_occurrence *o)
{
	u32 over = 0;

	for (; counters; counters &= counters - 1) {
		unsigned int i = __builtin_ctz(counters);
		u64 v = counter_pmd_share(own, i, o);

		if (own->pmu.event[i]->cond == MONT_COND_TRACED)
			v = mont_once(o, &own->s.pmu.sums[i], v);
		else
			v = mont_threshold(o, &own->s.pmu.sums[i], v, mont_pmc_threshold(own, i));
		over |= mont_pmd_add(own, i, v);
	}
	return over;
}

u32 mont_counters_taking(struct mont_thread *own, u32 counters, const struct mont_occurrence *o)
{
	u32 taking = 0;

	for (; counters; counters &= counters - 1) {
		u32 counter = counters & -counters;

		if (counter_pmd_share(own, __builtin_ctz(counters), o))
			taking |= counter;
	}
	return taking;
}

/*
 * Enter @o, which is behind the present cycle, for those of @own that count it then, and for
 * @theirs of the sibling @s.
 */
static void counter_pmds_later(const struct mont_occurrence *o, u32 own, struct mont_thread *s,
			       u32 theirs)
{
	struct mont_thread *t = o->owner;
	struct mont_late_count c = { .at = o->at, .line = o->line };
	u32 front;

	own = mont_counters_taking(t, own, o);
	/* Banked counters stand in the background; causal events are of the front (3.3.2). */
	front = own & ~t->pmu.alls & (t->pmu.causal | ~MONT_PMDS_DUPLICATED);
	c.own = own & ~front;
	c.own_front = front;
	if (theirs) {
		theirs = mont_counters_taking(s, theirs, o);
		c.other = theirs & s->pmu.alls;
		c.other_front = theirs & ~s->pmu.alls;
	}
	if (c.own | c.own_front | c.other | c.other_front)
		mont_late_enter(t, &c);
}

/*
 * Of the counters @own of a thread with a sibling, and *@theirs of that, those that count @o
 * now. What is to come is entered for its cycle.
 */
static noinline u32 counter_pmds_front(const struct mont_occurrence *o, u32 own, u32 *theirs)
{
	struct mont_thread *t = o->owner, *s = mont_sibling(t);

	if (o->at > t->clock) {
		counter_pmds_later(o, own & t->pmu.later, s, *theirs & s->pmu.later);
		*theirs &= ~s->pmu.later;
		return own & ~t->pmu.later;
	}
	/* The sibling is in the background now, or this thread is. */
	*theirs &= s->pmu.alls;
	return o->sig == MONT_SIG_HALTED || mont_in_front(t) ? own : own & MONT_PMDS_DUPLICATED;
}

/*
 * Counters @over of @own have overflowed in @t's issue group. Its configuration
 * may change yet: what counts is what each had at its overflow.
 */
void mont_pmu_pend(struct mont_thread *own, u32 over, struct mont_thread *t)
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
static void counter_pmu_overflow(struct mont_thread *own, struct mont_thread *t)
{
	struct mont_pmu_derived *d = &own->pmu;
	u64 *pmc0 = &own->s.pmu.pmc[0];
	bool freeze = d->freeze;

	*pmc0 |= d->over;
	mont_trace(own, MONT_TRACE_OVERFLOW, d->over, 0, 0);
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
	own->own.s.late.froze = d->switches ? t->clock : 0;
	mont_ip_ear_freeze(own, false);
	mont_trace(own, MONT_TRACE_FREEZE, 0, *pmc0, 0);
	own->s.pmu_irq |= MONT_PMU_IRQ;
	own->attn |= MONT_ATTN_IRQ;
	/* A sibling may be halted: it looks when it is awake. */
	if (own != t && !(t->pkg->cfg.flags & MONT_CFG_HOST_PMU))
		mont_irq_collect(own);
	mont_signals_arm(own);
}

/* The end of a countdown: the occurrence that ended it has not been counted. */
static void counter_occur(const struct mont_occurrence *o)
{
	struct mont_thread *t = o->owner;
	struct mont_pmu_derived *d = &t->pmu;
	enum mont_signal sig = o->sig;
	u64 all = t->sig[sig].start - t->sig[sig].left;
	unsigned int set = 0;
	u32 over, own, theirs;
	bool captured, fetch_captured;

	/* From here on this occurrence is not pending any more: folds skip it. */
	t->sig[sig].start = t->sig[sig].left;
	mont_work(t, MONT_WORK_OCCURRED);
	/* Occurrences of other tag sets came before this one: they overflow nothing. */
	if (d->tags.nr_sets > 1)
		set = (t->sig - t->countdown[0]) / MONT_NR_SIGNALS;
	if (d->summed[sig])
		mont_sums_fold(t);
	else if (d->tags.nr_sets > 1)
		mont_signal_fold(t, sig);
	over = mont_set_add(o, set, all);
	own = d->watch[sig] | (set ? 0 : d->tagged[sig]);
	theirs = d->sibling[sig];
	if (unlikely(d->switches))
		own = counter_pmds_front(o, own, &theirs);
	over |= counter_pmds_watch(t, own, o);
	if (unlikely(theirs))
		theirs = counter_pmds_watch(mont_sibling(t), theirs, o);
	mont_observers_watch(o, set);
	/* Samples of a call or a return belong to the function that it is in. */
	if (unlikely(d->obs.chain) && sig == MONT_SIG_BRANCH_RETIRED)
		mont_chain_branch(o);
	captured = unlikely(d->data_ear == sig) && mont_data_ear_look(o);
	fetch_captured = unlikely(d->insn_ear == sig) && mont_insn_ear_look(o);
	if (unlikely(d->etb) && (sig == MONT_SIG_BRANCH_RETIRED || sig == MONT_SIG_FLUSHED) &&
	    mont_etb_takes(t, o) && mont_qualify(d->etb_row, o))
		mont_etb_record(t, o);
	if (unlikely(d->ip_ear) && mont_ip_ear_hears(sig))
		mont_ip_ear_look(o);
	if (d->summed[sig])
		mont_sums_arm(t);
	else
		mont_signal_arm(t, sig);
	if (unlikely(over))
		mont_pmu_pend(t, over, mont_running(t));
	if (unlikely(theirs))
		mont_pmu_pend(mont_sibling(t), theirs, mont_running(t));
	if (unlikely(captured))
		mont_signal_line_at(t, MONT_SIG_DATA_EAR_CAPTURED, o->ref, 0, o->at);
	if (unlikely(fetch_captured))
		mont_signal_line_at(t, MONT_SIG_INSN_EAR_CAPTURED, o->ref, 0, o->at);
}

void mont_signal_slow(struct mont_thread *t, enum mont_signal sig, u64 n, u64 attr)
{
	counter_occur(&(struct mont_occurrence){
		.owner = t, .time = t->clock, .at = t->clock, .n = n, .attr = attr, .sig = sig });
}

void mont_signal_at_slow(struct mont_thread *t, enum mont_signal sig, u64 attr, u64 at)
{
	counter_occur(&(struct mont_occurrence){
		.owner = t, .time = t->clock, .at = at, .n = 1, .attr = attr, .sig = sig });
}

void mont_signal_line_slow(struct mont_thread *t, enum mont_signal sig, const struct mont_ref *ref,
			   u64 state, u64 at)
{
	counter_occur(&(struct mont_occurrence){ .owner = t,
						 .time = t->clock,
						 .at = at,
						 .n = 1,
						 .attr = state,
						 .ref = ref,
						 .sig = sig });
}

void mont_signal_sent_slow(struct mont_thread *t, enum mont_signal sig, const struct mont_ref *ref,
			   u64 line, u64 at)
{
	counter_occur(&(struct mont_occurrence){ .owner = t,
						 .time = t->clock,
						 .at = at,
						 .n = 1,
						 .line = line,
						 .ref = ref,
						 .sig = sig });
}

/* Prediction of the branches of the present bundle, up to the one in t->sig_slot. */
static u8 counter_is_bundle_wrong(struct mont_thread *t, bool taken)
{
	struct mont_last_branch *b = &t->pmu.last_branch;
	u8 wrong = t->sig_outcome;

	if (b->ip == t->s.ip && b->slot < t->sig_slot)
		wrong |= b->wrong;
	/* Nothing follows a branch that is taken. */
	*b = (struct mont_last_branch){ taken ? ~0ULL : t->s.ip, t->sig_slot, wrong };
	return wrong;
}

void mont_signal_branch_slow(struct mont_thread *t, u32 type, u64 target, bool taken)
{
	struct mont_branch branch = {
		.source = t->s.ip,
		.target = target,
		.slot = t->sig_slot,
		.type = type,
		.taken = taken,
		.outcome = t->sig_outcome,
		.wrong = counter_is_bundle_wrong(t, taken),
		.branches = t->cur->branches,
	};

	counter_occur(&(struct mont_occurrence){ .owner = t,
						 .time = t->clock,
						 .at = t->clock,
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

	mont_work(t, MONT_WORK_GROUP);
	t->attn &= ~MONT_ATTN_GROUP;
	t->pmu.marked = false;
	mont_etb_group_end(t);
	if (t->pmu.over)
		counter_pmu_overflow(t, t);
	if (s && s->pmu.over)
		counter_pmu_overflow(s, t);
	for (n = MONT_PMC_FIRST; n <= MONT_PMC_LAST; n++) {
		mont_sums_end(&t->s.pmu.sums[n], t->clock);
		if (s)
			mont_sums_end(&s->s.pmu.sums[n], t->clock);
	}
	mont_observers_group_end(t);
	if (unlikely(((t->pmu.obs.psr ^ t->s.psr) & t->pmu.obs.psrs) || t->pmu.ip_ear_ended)) {
		mont_signals_fold(t);
		mont_signals_arm(t);
	}
	if (unlikely(t->pmu.obs.interrupted))
		mont_blocks_group_end(t);
}
