/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The reply to a reference: the events that it has met on its way through TLBs, caches and bus
 * (reply.def, cancelled.def, transactions.def, fetched.def). The units fill it in, the sender
 * of the reference raises the signals. Called by the units of cache/, and by those of
 * pipeline/ that send a reference.
 */
#ifndef MONT_CACHE_REPLY_H
#define MONT_CACHE_REPLY_H

#include "../base/types.h"

enum mont_reply_bit {
#define MONT_REPLY(name, line, cycle, meaning) MONT_REPLY_AT_##name,
#include "reply.def"
#undef MONT_REPLY
	MONT_NR_REPLY,
};

_Static_assert(MONT_NR_REPLY <= 64, "what can be met has a bit each");

#define MONT_REPLY_BIT(name) MONT_BIT(MONT_REPLY_AT_##name)

enum mont_cancelled_bit {
#define MONT_CANCELLED(name, meaning) MONT_CANCELLED_AT_##name,
#include "cancelled.def"
#undef MONT_CANCELLED
	MONT_NR_CANCELLED,
};

_Static_assert(MONT_NR_CANCELLED <= 32, "what cancels an operation has a bit each");

#define MONT_CANCELLED_BIT(name) (1u << MONT_CANCELLED_AT_##name)

enum mont_sent_bit {
#define MONT_SENT(name, cycle, meaning) MONT_SENT_AT_##name,
#include "transactions.def"
#undef MONT_SENT
	MONT_NR_SENT,
};

_Static_assert(MONT_NR_SENT <= 32, "what is sent has a bit each");

#define MONT_SENT_BIT(name) (1u << MONT_SENT_AT_##name)

enum mont_fetched_bit {
#define MONT_FETCHED(name, meaning) MONT_FETCHED_AT_##name,
#include "fetched.def"
#undef MONT_FETCHED
	MONT_NR_FETCHED,
};

_Static_assert(MONT_NR_FETCHED <= 32, "what a fetch can meet has a bit each");

#define MONT_FETCHED_BIT(name) (1u << MONT_FETCHED_AT_##name)

/* Lines that a reference may touch in the L3. */
enum mont_reply_line {
	MONT_REPLY_LINE_NONE,
	MONT_REPLY_LINE_READ, /* as it was found: MONT_LINE_I if it was not there */
	MONT_REPLY_LINE_WRITTEN,
	MONT_REPLY_LINE_INSERTED,
	MONT_REPLY_LINE_WB_INSERTED,
	MONT_REPLY_LINE_VICTIM,
	MONT_REPLY_LINE_WB_VICTIM,
	MONT_NR_REPLY_LINES,
};

/* The cycles in which things happen, each unit's in the order in which it is asked. */
enum mont_reply_cycle {
	MONT_REPLY_IN_L1D, /* its pipe takes the reference */
	MONT_REPLY_IN_RETRIES, /* it is sent on from here on, up to the end of MONT_HOLD_PIPE_RECIRC */
	MONT_REPLY_IN_L2D, /* it enters the OzQ */
	MONT_REPLY_IN_RECIRC, /* or waits there to be issued again: one a cycle */
	MONT_REPLY_IN_L3, /* the L3 is looked up, or passed by: one a cycle */
	MONT_REPLY_IN_RETURN, /* what the bus was asked for is there */
	MONT_REPLY_IN_WB, /* the L3 is written */
	MONT_REPLY_IN_BUS, /* a transaction of the bus begins, and none with another */
	MONT_REPLY_IN_BUS_WRITE, /* the victim's of a read */
	MONT_REPLY_IN_BUS_WB, /* the victim's of a write */
	MONT_REPLY_IN_SNOOP, /* other cores have answered */
	MONT_REPLY_IN_SNOOPED, /* a snoop of this core meets its line on the way */
	MONT_NR_REPLY_CYCLES,
};

/* Lines that wait for the bus: of MONT_REPLY_IN_BUS, MONT_REPLY_IN_BUS_WRITE, MONT_REPLY_IN_BUS_WB. */
#define MONT_NR_REPLY_LINES_WAITING 3

/* Reasons for the L1D to hold up the pipe, in the order of causes.def. */
enum mont_hold {
	MONT_HOLD_TLB,
	MONT_HOLD_HPW,
	MONT_HOLD_FILLCONF,
	MONT_HOLD_L2BPRESS,
	MONT_HOLD_PIPE_RECIRC,
	MONT_HOLD_LDCONF,
	MONT_HOLD_NATCONF,
	MONT_HOLD_FULLSTBUF,
	MONT_HOLD_STBUFRECIR,
	MONT_NR_HOLDS,
};

/**
 * struct mont_reply - reply to one reference or fetch
 * @bits: MONT_REPLY_BIT()
 * @cancelled: MONT_CANCELLED_BIT()
 * @sent: MONT_SENT_BIT()
 * @fetched: MONT_FETCHED_BIT(), of instructions
 * @filled: the L1D is filled with its line
 * @rab: the RAB fills up, in some of the cycles that follow
 * @rab_full: from the first on, before the second, all its entries are in use
 * @rab_almost: likewise all but one, as they had not been before
 * @holds: bit n: enum mont_hold n keeps later groups from issuing
 * @until: by enum mont_hold, if it holds: the first cycle in which it is over
 * @at: by enum mont_reply_cycle, if something in @bits happens there
 * @waits: bit n: what begins in MONT_REPLY_IN_BUS + n is the issue of a line that waits
 * @arrival: where two cores share the bus and a line is filled, its number (package/arrival.h)
 * @line: and by n the number of that line (struct mont_put_off)
 * @asked: the cycle in which the L2I took the request, if @fetched says that there is one
 * @isb: the cycles in which the first pair of bundles of a line and the second enter the
 *	ISB, if @fetched says so
 * @state: by enum mont_reply_line, MONT_LINE_* of a line that @bits says was touched
 */
struct mont_reply {
	u64 bits;
	u32 cancelled;
	u32 sent;
	u32 fetched;
	u32 holds;
	bool filled;
	bool rab;
	u8 waits;
	u8 arrival;
	u64 rab_full[2];
	u64 rab_almost[2][2];
	u8 state[MONT_NR_REPLY_LINES];
	u64 until[MONT_NR_HOLDS];
	u64 at[MONT_NR_REPLY_CYCLES];
	u64 line[MONT_NR_REPLY_LINES_WAITING];
	u64 asked;
	u64 isb[2];
};

static inline void mont_reply_begin(struct mont_reply *reply)
{
	reply->bits = 0;
	reply->cancelled = 0;
	reply->sent = 0;
	reply->fetched = 0;
	reply->holds = 0;
	reply->filled = false;
	reply->rab = false;
	reply->waits = 0;
}

/* True if the reference met an event in the caches, or sent one. A cancelled one entered the OzQ. */
static inline bool mont_reply_any(const struct mont_reply *reply)
{
	return reply->bits | reply->sent;
}

static inline void mont_reply_hold(struct mont_reply *reply, enum mont_hold why, u64 until)
{
	if (!(reply->holds >> why & 1) || reply->until[why] < until)
		reply->until[why] = until;
	reply->holds |= 1u << why;
}

#endif
