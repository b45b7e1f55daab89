// SPDX-License-Identifier: GPL-2.0-only
/*
 * Subscribers of signals, whatever their unit: which signals have one, and what the timed
 * pipeline works out for them alone.
 */
#include "subscriber.h"

/*
 * True if a fetch or a prefetch can raise @sig; cycles that pass, with a bubble or without, and
 * instructions that retire, load or branch raise the others.
 */
static bool listen_is_fetched(enum mont_signal sig)
{
	if (MONT_SIGNAL_IN(sig, BUBBLES) || MONT_SIGNAL_IN(sig, OUTCOMES))
		return false;
	switch (sig) {
	case MONT_SIG_CYCLE:
	case MONT_SIG_BUBBLE:
	case MONT_SIG_INST_RETIRED:
	case MONT_SIG_NOP_RETIRED:
	case MONT_SIG_PRED_SQUASHED:
	case MONT_SIG_LOAD_RETIRED:
	case MONT_SIG_STORE_RETIRED:
	case MONT_SIG_BRANCH_RETIRED:
	case MONT_SIG_CPL_CHANGE:
	case MONT_SIG_FP_OPS:
	case MONT_SIG_FP_FLUSHED:
	case MONT_SIG_LOAD_LATE:
	case MONT_SIG_KILLED:
		return false;
	default:
		return true;
	}
}

void mont_listen_parts(struct mont_pmu_derived *d, enum mont_signal sig)
{
	d->frame |= MONT_SIGNAL_IN(sig, FRAMES);
	d->front |= MONT_SIGNAL_IN(sig, FRONT);
	d->live |= MONT_SIGNAL_IN(sig, QUEUES) || MONT_SIGNAL_IN(sig, EITHER_QUEUES);
	d->heard |= MONT_SIGNAL_IN(sig, REPLY) || MONT_SIGNAL_IN(sig, CANCELLED) ||
		    MONT_SIGNAL_IN(sig, SENT) || MONT_SIGNAL_IN(sig, EITHER_SENT);
	d->replies = d->heard || d->switches;
	d->tallied |= MONT_SIGNAL_IN(sig, EITHER_SENT) || MONT_SIGNAL_IN(sig, SNOOPED) ||
		      MONT_SIGNAL_IN(sig, EITHER_SNOOPED);
	d->dispersal |= MONT_SIGNAL_IN(sig, DISPERSAL);
	d->flights |= sig == MONT_SIG_FETCHED || sig == MONT_SIG_KILLED;
	d->hits |= sig == MONT_SIG_LOAD_HIT;
	d->fetches |= listen_is_fetched(sig);
	d->apart = d->live || d->front || d->hits;
	d->cycles = d->frame || d->front || d->dispersal;
}

void mont_listen(struct mont_pmu_derived *d, enum mont_signal sig)
{
	mont_listen_parts(d, sig);
	if (!mont_armed(d, sig))
		d->armed[d->nr_armed++] = sig;
}

void mont_listen_sum(struct mont_pmu_derived *d, enum mont_signal sig, u8 class)
{
	if (!d->summed[sig])
		d->sums[d->nr_sums++] = sig;
	d->summed[sig] |= class;
}
