/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The calendar of a core: misses and returns of the L3 to come, and which of its threads is in
 * front (manual 2.4.1). The rules are in threads.h. Called by account.c for what is to come, and
 * by threads.c.
 */
#ifndef MONT_PIPELINE_CALENDAR_H
#define MONT_PIPELINE_CALENDAR_H

#include "../mont.h"

struct mont_reply;

/* Causes of a switch (manual 2.4.1 and table 4.13), in the order of the signals SWITCHES. */
enum mont_switch {
	MONT_SWITCH_NONE, /* and the signal of an opportunity that is missed */
	MONT_SWITCH_L3MISS,
	MONT_SWITCH_TIMER,
	MONT_SWITCH_HINT,
	MONT_SWITCH_LP,
	MONT_NR_SWITCHES,
};

/* Urgency: nominal, of a thread with an interrupt, of one that makes progress (2.4.1.3). */
#define MONT_URGENCY_NOMINAL 5
#define MONT_URGENCY_INTERRUPT 6
#define MONT_URGENCY_MOST 7

/*
 * Entries of the calendar. At most 16 lines of the L2D, 8 of the L2I, what the OzQ holds, a
 * walk and victims are on their way; each has a miss and a return.
 */
#define MONT_NR_L3_EVENTS 128

/**
 * struct mont_l3_event - a miss or a return of the L3
 * @at: the first cycle behind it
 * @thread: of the core, which has asked
 * @back: a return
 */
struct mont_l3_event {
	u64 at;
	u32 thread;
	u32 back;
};

/**
 * struct mont_threads - the threads of a core
 * @next: the first cycle in which mont_threads_look() has something to do; ~0: none
 * @quantum: the cycle in which the time-out of the thread in front comes
 * @fetches: a switch is under way: the cycle of the other thread's first fetch; 0: none is
 * @insns: instructions of the thread in front when it came there
 * @nr: entries of @event
 * @wanted: enum mont_switch that waits for a gate, or MONT_SWITCH_NONE
 * @front: the thread in front
 * @urgency: of each thread
 * @gated: the switch that is wanted has been held back
 * @pad: 0
 * @stalled: cycles for which that switch has been stalled
 * @left: of each thread, cycles left of a quantum that goes on when it comes back; 0: none does
 * @counted: cycle up to which @had counts
 * @had: of each thread, cycles in front in the present quantum of the clock, and in the one before
 * @event: the calendar, the earliest entry first
 */
struct mont_threads {
	u64 next;
	u64 quantum;
	u64 fetches;
	u64 insns;
	u32 nr;
	u8 wanted;
	u8 front;
	u8 urgency[MONT_MAX_THREADS];
	u8 gated;
	u8 pad[3];
	u64 stalled;
	u64 left[MONT_MAX_THREADS];
	u64 counted;
	u64 had[MONT_MAX_THREADS][2];
	struct mont_l3_event event[MONT_NR_L3_EVENTS];
};

/**
 * struct mont_l3_events - what has happened in the L3
 * @of: bit n: an event of thread n
 * @back: likewise, a return
 */
struct mont_l3_events {
	u32 of;
	u32 back;
};

/* The next deadline of @s is cycle @at, if none is earlier. */
static inline void mont_calendar_come_at(struct mont_threads *s, u64 at)
{
	if (s->next > at)
		s->next = at;
}

/*
 * Enter a miss of the L3, and its return, if the request with @reply of thread @thread has met one.
 * Return: true if it has.
 */
bool mont_calendar_reply(struct mont_threads *s, u32 thread, const struct mont_reply *reply);

/* Deliver the events of @s that have happened before cycle @now. */
struct mont_l3_events mont_calendar_deliver(struct mont_threads *s, u64 now);

#endif
