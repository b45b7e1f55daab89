/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages to a core by the bus, each of which arrives in its own cycle: interrupts, purges of
 * translations, and snoops that have met their line (manual 2.5). Called by broadcast.c, snoop.c and
 * cache/l2d.c, which put them in, by deliver.c, which takes them out, and by bus.c and turns.c.
 */
#ifndef MONT_PACKAGE_INBOX_H
#define MONT_PACKAGE_INBOX_H

#include "../mont.h"

/*
 * Both cores have sent no more than twice MONT_BROADCASTS_AHEAD, and a few that wait behind them.
 * What is left is more than the in-order queue holds: each snoop is of a transaction there, or of
 * one that has just left it. A line that is met as the snoop is asked for is not filled anew with it.
 */
#define MONT_NR_MESSAGES 48
#define MONT_NR_BROADCASTS 32 /* interrupts and purges; beyond that they arrive at once */

enum mont_message_kind {
	MONT_MESSAGE_NONE,
	MONT_MESSAGE_INTERRUPT,
	MONT_MESSAGE_PURGE,
	MONT_MESSAGE_PURGE_ALAT, /* ptc.ga */
	MONT_MESSAGE_SNOOP,
};

/* The value of a snoop: what it has met. */
#define MONT_MESSAGE_FILL 1U /* the line comes no more than three cycles before it, or behind it */
#define MONT_MESSAGE_VICTIM 2U /* the line is in the L2D's buffer for victims */

/**
 * struct mont_message - a message to a core
 * @at: the cycle in which it arrives; of a snoop that in which its snoop phase ends, or behind it one
 *	in which a line that is asked for later has come
 * @address: of an interrupt the offset in the interrupt block, which names the target; of a purge the
 *	virtual address; else 0
 * @value: vector, region identifier, or MONT_MESSAGE_FILL and MONT_MESSAGE_VICTIM
 * @kind: enum mont_message_kind
 * @core: which has sent it; of a snoop 0
 * @ps: log2 of the size to be purged
 * @issued: @at is that of its transaction; until there is one it is the least that there can be. Of a
 *	snoop 0
 */
struct mont_message {
	u64 at;
	u64 address;
	u32 value;
	u8 kind;
	u8 core;
	u8 ps;
	u8 issued;
};

/**
 * struct mont_inbox - messages on their way to a core
 * @next: the cycle in which the first of it arrives; 0: nothing is on its way
 * @nr: how many there are
 * @of: in the order in which they have been put in
 */
struct mont_inbox {
	u64 next;
	u64 nr;
	struct mont_message of[MONT_NR_MESSAGES];
};

/* Put @of into @q; it is lost if that is full. */
void mont_inbox_add(struct mont_inbox *q, struct mont_message of);
/* Messages in @q may arrive in other cycles now. */
void mont_inbox_find_next(struct mont_inbox *q);
/*
 * Remove from @q the first that has arrived in cycle @now, of those of one cycle what has been put in
 * first, and put it in *@of; false: nothing has.
 */
bool mont_inbox_take(struct mont_inbox *q, u64 now, struct mont_message *of);
/* True if another message than snoops is on its way: a core in low power has no part in these. */
bool mont_inbox_can_wake(const struct mont_inbox *q);
/* True if @q can be a saved state. */
bool mont_inbox_valid(const struct mont_inbox *q);

#endif
