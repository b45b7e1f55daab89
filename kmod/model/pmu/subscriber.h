/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Subscribers of signals. Called by the units that subscribe, as their registers are armed
 * (arm.c, observer.c, the EARs, the trace buffer), and by countdown.c.
 */
#ifndef MONT_PMU_SUBSCRIBER_H
#define MONT_PMU_SUBSCRIBER_H

#include "internal.h"

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

/* Note which parts of the timed loop must be worked out for subscribed signal @sig. */
void mont_listen_parts(struct mont_pmu_derived *d, enum mont_signal sig);
/* Note that @sig gets a subscriber. Call it before d->lazy, d->tagged or d->obs has @sig. */
void mont_listen(struct mont_pmu_derived *d, enum mont_signal sig);
/* Note that a subscriber of @class, MONT_SUMMED_*, sums several signals, @sig among them. */
void mont_listen_sum(struct mont_pmu_derived *d, enum mont_signal sig, u8 class);

#endif
