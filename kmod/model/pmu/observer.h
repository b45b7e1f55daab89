/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Observers: subscribers to a thread's signals beside the architectural PMU.
 * An observer counts one event in 64 bits with filters of its own
 * and never changes the guest: nothing here is in struct mont_state. Called by
 * hosts, and by block.c for the counters of a block.
 *
 * Locking as for mont.h: the host serialises everything on one package. The
 * host owns the memory of an observer and detaches it before freeing.
 */
#ifndef MONT_PMU_OBSERVER_H
#define MONT_PMU_OBSERVER_H

#include "data_ear.h"
#include "etb.h"
#include "event.h"
#include "filled.h"
#include "filter.h"
#include "insn_ear.h"

struct mont_thread;
struct mont_block;

/**
 * struct mont_observer_link - an observer's place among the listeners to a signal
 * @next: the next one that listens in the same way
 * @observer: whose it is
 */
struct mont_observer_link {
	struct mont_observer_link *next;
	struct mont_observer *observer;
};

/* By what an observer counts that has no period and need not look. */
enum mont_observer_ahead {
	MONT_AHEAD_NOT, /* it listens to nothing, has a period or looks at each occurrence */
	MONT_AHEAD_ALL, /* by all occurrences of its signals */
	MONT_AHEAD_PASSED, /* by those that pass its qualifier */
};

/**
 * struct mont_observer - one extra counter on one thread
 * @next: the thread's next observer
 * @filter: what it counts
 * @count: occurrences up to the last mont_observer_read()
 * @period: call @overflow each time another @period have happened; 0 never
 * @random_mask: bits of a random number that each interval differs from @period by: from
 *	@period less half of the mask to @period plus half of it, @period in the mean; below
 *	@period, and 0 without one
 * @random: state of the random numbers; the caller's seed at first
 * @until: occurrences left to the next one
 * @chain: mont_chain_read() has calls at its samples
 * @overflow: called at the exact occurrence, inside mont_run(); must not
 *	      touch the model. NULL when @period is 0.
 * @host: for the host's own use
 * @event: row of the event table, set by mont_observer_attach()
 * @ahead: how it counts ahead: enum mont_observer_ahead
 * @base: what it counts ahead by, when it began to
 * @link: one for each signal it listens to
 * @sums: with a threshold, or 1 a cycle: what it has added in the last of these
 * @sums_next: the next one of those whose @sums are of cycles that have not ended
 * @sums_listed: it is one of them
 * @parts: how many signals it takes all of
 * @ear: the EAR whose captures it counts, and what that has captured last
 * @trace: the trace buffer of one that has a period
 * @qualifier: the number of what the filter asks of instructions, or
 *	MONT_NO_QUALIFIER if each occurrence is asked or nothing
 * @block: NULL, or the block that it is a counter of: @event, @period and @until are the
 *	block's then, and so are the ranges and opcodes that @filter.flags tells of
 * @channel: of a block's counter: by which of its tags it is qualified
 * @psr: of a block's counter: the bit of the guest's PSR that must be set; 0: none
 * @filled: by the state in which they come: the lines on their way that it counts, by number
 *
 * The period counts what @count counts: with a value of n in one occurrence
 * @overflow may be called several times for it.
 */
struct mont_observer {
	struct mont_observer *next;
	struct mont_filter filter;
	u64 count;
	u64 period;
	u64 random_mask;
	u64 random;
	u64 until;
	bool chain;
	void (*overflow)(struct mont_observer *o, const struct mont_occurrence *at);
	void *host;
	const struct mont_event *event;
	struct mont_observer_link link[MONT_EVENT_SIGNALS];
	struct {
		struct mont_data_ear state;
		struct mont_data_capture last;
		struct mont_insn_capture insn;
	} ear;
	struct mont_etb_buffer trace;
	struct mont_sums sums;
	struct mont_observer *sums_next;
	bool sums_listed;
	u8 ahead;
	u64 base;
	u8 parts;
	u8 qualifier;
	struct mont_block *block;
	u8 channel;
	u64 psr;
	u64 filled[MONT_NR_FILLED];
};

/**
 * mont_observer_attach() - start counting
 * @t: on this thread
 * @o: zeroed but for filter, period, random_mask, random, chain, overflow and host
 * @why: set to the rule that refuses it, a constant string
 *
 * Return: 0; MONT_ENOENT: no such event; MONT_EOPNOTSUPP: the model does not
 * count it, or not with this filter; MONT_EINVAL: a field out of range.
 */
int mont_observer_attach(struct mont_thread *t, struct mont_observer *o, const char **why);

/* As mont_observer_attach(), of which mont_observers_changed() is the second half. */
int mont_observer_enter(struct mont_thread *t, struct mont_observer *o, const char **why);

/* Stop counting: nothing is added to @o until it is attached or resumed. */
void mont_observer_detach(struct mont_thread *t, struct mont_observer *o);

/*
 * Go on counting after mont_observer_detach() from the same thread: with the count, what
 * is left of the period and the EAR as they were then.
 */
void mont_observer_resume(struct mont_thread *t, struct mont_observer *o);

/* As mont_observer_resume(), of which mont_observers_changed() is the second half. */
void mont_observer_insert(struct mont_thread *t, struct mont_observer *o);

/**
 * mont_observer_retune() - change the period of an attached observer
 * @t: its thread, between two calls of mont_run()
 * @o: has a period
 * @period: the new one, not 0
 *
 * The rest of the present period is kept, or is @period if that is less; the
 * periods behind it are @period.
 */
void mont_observer_retune(struct mont_thread *t, struct mont_observer *o, u64 period);

/*
 * Detach many at once: mont_observer_remove() for each, which leaves it among the listeners;
 * mont_observers_changed() behind the last, before any of them is freed and before the model
 * is asked for anything else.
 */
void mont_observer_remove(struct mont_thread *t, struct mont_observer *o);
void mont_observers_changed(struct mont_thread *t);

/* PMD @n of mont_filter_pmds(): in mont_observer.overflow(), as it stands at that occurrence. */
u64 mont_observer_pmd(const struct mont_observer *o, unsigned int n);

/* Occurrences since it was attached, exact to the instruction. */
u64 mont_observer_read(struct mont_thread *t, struct mont_observer *o);

#endif
