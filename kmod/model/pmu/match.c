// SPDX-License-Identifier: GPL-2.0-only
/*
 * Matching of occurrences with events, and their sum in a cycle (thresholds, manual 3.3.1
 * and table 3-6).
 */
#include "match.h"
#include "internal.h"
#include "insn_ear.h"
#include "qualify.h"

/* Sum of cycle @at. A new sum takes the place of the oldest one. */
static u64 *match_sum(struct mont_sums *sums, u64 at)
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
	sum = match_sum(sums, o->at);
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
	/* A span: @attr cycles of its own, each with an equal share of @v. */
	if (mont_signal_kind(o->sig) == MONT_ATTR_SPAN)
		return v > threshold * o->attr ? o->attr : 0;
	if (!v)
		return 0;
	o->owner->attn |= MONT_ATTN_GROUP;
	sum = match_sum(sums, o->at);
	before = *sum;
	*sum = v > MONT_MOST_SUM - before ? MONT_MOST_SUM : before + v;
	return before <= threshold && *sum > threshold;
}

/* True if this occurrence is a reference that goes into the memory pipeline. */
static bool match_is_reference(enum mont_signal sig, u32 data)
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

static bool match_is_l1d_read(enum mont_signal sig, u32 data)
{
	u32 not_served = MONT_DATA_FP | MONT_DATA_UC | MONT_DATA_SEMAPHORE | MONT_DATA_DEFERRED;

	return match_is_reference(sig, data) && !(data & not_served);
}

/* Unit masks of BRANCH_MULTIWAY: bits 3:2 outcome, bits 1:0 prediction */
#define MULTIWAY_TAKEN 3
#define MULTIWAY_RIGHT 1
#define MULTIWAY_WRONG_PATH 2

/* True if @b decides a bundle with more than one branch, which went and was predicted by @umask. */
static bool match_is_multiway(const struct mont_branch *b, unsigned int umask)
{
	unsigned int outcome = umask >> 2, prediction = umask & 3;
	u8 wrong = b->wrong & (MONT_BRANCH_WRONG_PATH | MONT_BRANCH_WRONG_TARGET);

	if (!(b->branches & (b->branches - 1)) || (!b->taken && b->branches >> (b->slot + 1)))
		return false;
	if (outcome && b->taken != (outcome == MULTIWAY_TAKEN))
		return false;
	if (!prediction)
		return true;
	if (prediction == MULTIWAY_RIGHT)
		return !wrong;
	/* A target that was not predicted, since the path was wrong, is not wrong. */
	return prediction == MULTIWAY_WRONG_PATH ? wrong & MONT_BRANCH_WRONG_PATH
						 : wrong == MONT_BRANCH_WRONG_TARGET;
}

/* True if @o is a load of the program whose data are from @first to @last. */
static bool match_level_served(const struct mont_occurrence *o, u32 first, u32 last)
{
	u32 from = o->owner->sig_served;

	return !(o->ref->kind & MONT_DATA_RSE) && from >= first && from <= last;
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
	case MONT_COND_TAKEN_SLOT_0:
	case MONT_COND_TAKEN_SLOT_1:
	case MONT_COND_TAKEN_SLOT_2:
		return o->branch->taken && o->branch->slot == e->cond - MONT_COND_TAKEN_SLOT_0;
	case MONT_COND_NOT_TAKEN:
		return !o->branch->taken;
	case MONT_COND_INSN_EAR:
		return mont_insn_ear_takes(e->ear == MONT_EAR_IEAR_TLB, e->ear_umask, o);
	case MONT_COND_LVL0:
	case MONT_COND_LVL1:
	case MONT_COND_LVL2:
	case MONT_COND_LVL3:
		level = e->cond - MONT_COND_LVL0;
		return (o->attr & 3) == level || (o->attr >> 2 & 3) == level;
	case MONT_COND_MULTIWAY:
	case MONT_COND_MULTIWAY_PREDICTED:
		return match_is_multiway(o->branch, e->umask);
	case MONT_COND_STALLED_LONG:
		return o->attr >= 4ULL << e->umask;
	case MONT_COND_MISPREDICTED:
		return o->branch->outcome & (MONT_BRANCH_WRONG_PATH | MONT_BRANCH_WRONG_TARGET);
	case MONT_COND_FROM_L2D:
		return match_level_served(o, MONT_SERVED_L2D, MONT_SERVED_L2D);
	case MONT_COND_FROM_PENDING:
		return match_level_served(o, MONT_SERVED_PENDING, MONT_SERVED_PENDING);
	case MONT_COND_FROM_L3:
		return match_level_served(o, MONT_SERVED_L3, MONT_SERVED_L3);
	case MONT_COND_FROM_MEMORY:
		return match_level_served(o, MONT_SERVED_MEMORY, MONT_SERVED_MEMORY_OWN);
	case MONT_COND_REPLAYS:
		return o->sig == MONT_SIG_REPLAYED || (data & MONT_DATA_FAILED);
	case MONT_COND_UNIT:
		return false;
	case MONT_COND_REFERENCE:
		return match_is_reference(o->sig, data);
	case MONT_COND_L1D_READ:
		return match_is_l1d_read(o->sig, data);
	case MONT_COND_DBR_MATCH:
		return match_is_reference(o->sig, data) && mont_dbr_any(o->owner, o->ref);
	default:
		return true;
	}
}
