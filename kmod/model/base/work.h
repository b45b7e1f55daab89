/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * Bounded work. Everything the model does for a guest is counted in units of
 * about the cost of an instruction, and mont_run() returns when its budget of
 * units is used up, whatever the guest got done by then: a fault storm retires
 * nothing, a register stack operation is one instruction and a hundred words,
 * an observer is called for each of them.
 *
 * An estimate of costs may be wrong, so the host is asked too: whenever a number of
 * units has been spent, wherever the model is then. A host that says stop ends the run at
 * the next point where the budget could, which is a bundle or a cycle of a stall away.
 *
 * Work is part of no result: it changes neither state, nor counts, nor hashes. Called by way of
 * mont_work() (arch/thread.h) in each unit whose cost is not bounded otherwise, and by the run
 * loops, which end a run.
 */
#ifndef MONT_BASE_WORK_H
#define MONT_BASE_WORK_H

#include "types.h"

/*
 * Costs, in units of work, that no guest register counts. A bundle is charged as three
 * instructions whether or not they retire; host-speed copies of translations
 * and TLB entries are counted sixteen to a unit, the entries of a cache line
 * or two.
 */
#define MONT_WORK_BUNDLE 3
#define MONT_WORK_ENTRIES 16 /* TLB or uTLB entries looked at or cleared for one unit */
#define MONT_WORK_WALK 8
#define MONT_WORK_DECODE 24
#define MONT_WORK_ALAT 8 /* all entries of one ALAT looked at */
#define MONT_WORK_TURN 4 /* a thread taken up, or its loop entered again */
#define MONT_WORK_INTERRUPTION 4
#define MONT_WORK_REARM 16 /* counters armed anew, observers and countdowns apart */
#define MONT_WORK_OCCURRED 4 /* an occurrence that subscribers must see */
#define MONT_WORK_GROUP 4 /* something is to be done at the end of a group */
#define MONT_WORK_CYCLES 2 /* cycles without a group that pass together */
#define MONT_WORK_COUNTED 8 /* in addition, with subscribers to what each cycle has */
#define MONT_WORK_PAL 64
#define MONT_WORK_OBSERVER 4 /* an observer told where to listen */
#define MONT_WORK_SAMPLE 16 /* an observer's overflow handed to the host */

/**
 * struct mont_work - what is left of the budget of the mont_run() in progress
 * @left: units until the host is asked; zero or less: ask, or nothing is left
 * @rest: units behind those
 * @every: units from one question to the next
 * @stop: mont_budget.stop; NULL: the host is not asked
 * @host: its argument
 * @stopped: it has said so
 * @attn: attention word of the thread that runs
 * @end: cycle of the clock in which its turn ends, with time
 */
struct mont_work {
	s64 left;
	s64 rest;
	u64 every;
	bool (*stop)(void *host);
	void *host;
	bool stopped;
	u32 *attn;
	u64 end;
};

/* Plain bundles go on for so many times as long between questions: a unit of them costs least. */
#define MONT_WORK_PLAIN 4

/* Units for plain bundles and what they cause, up to the next question behind them. */
static inline s64 mont_work_plain(const struct mont_work *work)
{
	s64 all = work->left + work->rest, most = MONT_WORK_PLAIN * work->every;

	if (all <= 0)
		return 0;
	return work->rest > 0 && all > most ? most : all;
}

/*
 * Ask the host, since no work is left before it has to be asked: true if the run may go on.
 */
bool mont_work_ask(struct mont_work *work);

/* True if the run may go on as far as its work goes. */
static inline bool mont_work_goes_on(struct mont_work *work)
{
	return (work->left > 0 && !work->stopped) || mont_work_ask(work);
}

#endif
