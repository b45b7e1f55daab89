/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The arbiter in front of the system bus, as one core sees it (manual 2.5): the places it has
 * there. The core knows how many of them are free, and asks for no more. Called by bus.c.
 */
#ifndef MONT_PACKAGE_ARBITER_H
#define MONT_PACKAGE_ARBITER_H

#include "../cache/fills.h"
#include "../cache/occupancy.h"
#include "../pipeline/timing.h"
#include "../pmu/pmu_state.h"

/* Places of each core (2.5). */
#define MONT_NR_SI_REQUESTS 4
#define MONT_NR_SI_WRITES 2
#define MONT_NR_SI_CASTOUTS 4

/*
 * Lines that wait: in their places, and in front of them as many writes as the L3 has buffers for
 * victims, and as many castouts as it has requests that can replace a line (2.3.3.4).
 */
#define MONT_NR_WRITES_WAITING (MONT_NR_SI_WRITES + 8)
#define MONT_NR_CASTOUTS_WAITING (MONT_NR_SI_CASTOUTS + 16)
#define MONT_NR_WAITING (MONT_NR_WRITES_WAITING + MONT_NR_CASTOUTS_WAITING)
#define MONT_NO_PLACE 0xff
#define MONT_NO_BUFFER 0xff

/**
 * struct mont_waiting - a line that waits to be written or cast out
 * @line: its address, and MONT_LINE_M where it is written
 * @entered: the cycle in which the arbiter has it; as long as it has no place, that in which it
 *	has been asked for
 * @at: the cycle in which it is issued, if the core asks for no read before it
 * @number: of it, as in struct mont_put_off
 * @place: of the writes, or of the castouts; MONT_NO_PLACE: others that wait have all of them
 * @buffer: of the victims of the L3, in which it lies; MONT_NO_BUFFER: in none
 * @castout: it is clean
 * @pad: 0
 */
struct mont_waiting {
	u64 line;
	u64 entered;
	u64 at;
	u64 number;
	u8 place;
	u8 buffer;
	u8 castout;
	u8 pad[5];
};

/**
 * struct mont_arbiter - the places of one core, each in use until its transaction is issued
 * @requests: reads, and transactions without data
 * @writes: addresses of writes, with a data buffer each
 * @castouts: clean lines that are cast out
 * @nr_waiting: entries of @waiting
 * @waiting: what reads that come later go before: writes, then castouts, as they have come
 * @put_off: the cycles in which these lines are issued, for those that count them
 */
struct mont_arbiter {
	struct mont_fills requests;
	struct mont_fills writes;
	struct mont_fills castouts;
	u64 nr_waiting;
	struct mont_waiting waiting[MONT_NR_WAITING];
	struct mont_put_off put_off;
};

/**
 * struct mont_place - a place that a transaction has
 * @queue: whose it is
 * @entry: its number there
 * @entered: the cycle in which the arbiter has the transaction
 */
struct mont_place {
	struct mont_fills *queue;
	unsigned int entry;
	u64 entered;
};

/**
 * mont_arbiter_take() - find a place
 * @a: of the core that asks
 * @timing: sizes
 * @which: MONT_QUEUE_SI_RQ, MONT_QUEUE_SI_WRITEQ or MONT_QUEUE_SI_CCQ
 * @now: the cycle in which it asks
 *
 * Return: the place that is free first.
 */
struct mont_place mont_arbiter_take(struct mont_arbiter *a, const struct mont_timing *timing,
				    enum mont_queue which, u64 now);

/* The transaction of @line, which has @place, is issued in cycle @issued. */
void mont_arbiter_issue(const struct mont_place *place, u64 issued, u64 line);

/* The queue of @w. */
static inline struct mont_fills *mont_arbiter_queue(struct mont_arbiter *a,
						    const struct mont_waiting *w)
{
	return w->castout ? &a->castouts : &a->writes;
}

/**
 * mont_arbiter_wait() - let a line wait
 * @a: of its core
 * @timing: sizes
 * @w: it, but for its number and its place: one that no other line waits in, if there is one
 *
 * The line waits behind others of its kind. Return: its entry; NULL: there is no room, and nothing
 * has been done.
 */
struct mont_waiting *mont_arbiter_wait(struct mont_arbiter *a, const struct mont_timing *timing,
				       struct mont_waiting w);
/* The line @w, which waits or has waited, is issued in cycle @at, as far as is known. */
void mont_arbiter_expect(struct mont_arbiter *a, struct mont_waiting *w, u64 at);
/* Take out the first line that waits, of which there is one; its place goes to @place. */
struct mont_waiting mont_arbiter_next(struct mont_arbiter *a, struct mont_place *place);
/* The line that had @place is issued in cycle @issued: one without a place has it then. */
void mont_arbiter_hand_on(struct mont_arbiter *a, const struct mont_place *place, u64 issued);

/* True if @a can be a saved state. */
bool mont_arbiter_valid(const struct mont_arbiter *a);

#endif
