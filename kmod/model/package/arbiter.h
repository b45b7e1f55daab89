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

/* Places of each core (2.5). */
#define MONT_NR_SI_REQUESTS 4
#define MONT_NR_SI_WRITES 2
#define MONT_NR_SI_CASTOUTS 4

/**
 * struct mont_arbiter - the places of one core, each in use until its transaction is issued
 * @requests: reads, and transactions without data
 * @writes: addresses of writes, with a data buffer each
 * @castouts: clean lines that are cast out
 */
struct mont_arbiter {
	struct mont_fills requests;
	struct mont_fills writes;
	struct mont_fills castouts;
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

/* True if @a can be a saved state. */
bool mont_arbiter_valid(const struct mont_arbiter *a);

#endif
