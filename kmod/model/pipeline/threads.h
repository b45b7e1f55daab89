/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two threads on one core: urgency, the events that may switch, and the switch itself (manual
 * 2.4.1; Documentation/model.rst, V1 to V9).
 *
 * One thread is in front. Misses and returns of the L3 are known when their request is made,
 * some cycles before they happen: they are entered into a calendar, and change the urgency of
 * the thread that asked in their own cycle. The next entry, like the end of the quantum, is a
 * deadline of the timed loop, so that no group looks for one. Called by package.c and turns.c
 * of package/, and by time_state.c.
 */
#ifndef MONT_PIPELINE_THREADS_H
#define MONT_PIPELINE_THREADS_H

#include "../arch/thread.h"
#include "calendar.h"

/* The threads of a core at reset, of which there are @nr. */
void mont_threads_init(struct mont_threads *s, u32 nr);

/* True if @s can be that of a core with @nr threads. */
bool mont_threads_valid(const struct mont_threads *s, u32 nr);

/**
 * mont_threads_look() - deliver the events whose cycle has come
 * @t: the thread in front, between two groups, at t->clock
 * @other: the other thread of its core
 *
 * A switch that they bring, and that no gate holds back, begins: mont_threads.fetches says when
 * @other fetches, and cycles up to that one are to pass for @t by mont_threads_pass().
 */
void mont_threads_look(struct mont_thread *t, struct mont_thread *other);

/*
 * Cycles of a switch pass for @t, which leaves, but none from @end on. Return: true if it is
 * over.
 */
bool mont_threads_pass(struct mont_thread *t, u64 end);

/* @t comes to the front, where the other thread of its core has been; time need not be kept. */
void mont_threads_enter(struct mont_thread *t);

/*
 * @t comes to the front of a core that has kept no time: which thread was in front in which of
 * those cycles is not known, so that they are of no quantum, no quantum goes on, and both threads
 * have the nominal urgency.
 */
void mont_threads_come_back(struct mont_thread *t);

#endif
