/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The view that counters have of a bus that two cores share (manual 4.2.1 and 4.11): transactions, queues
 * and snoops of both. Each core is told of them as a window begins (Documentation/model.rst,
 * "Two cores on one bus"). Called by bus.c, by turns.c and package.c, and where a reference has
 * been sent: pipeline/account.c.
 */
#ifndef MONT_PACKAGE_TALLY_H
#define MONT_PACKAGE_TALLY_H

#include "../mont.h"
#include "../cache/reply.h"
#include "../cache/occupancy.h"

enum mont_snooped_bit {
#define MONT_SNOOPED(name, meaning) MONT_SNOOPED_AT_##name,
#include "snooped.def"
#undef MONT_SNOOPED
	MONT_NR_SNOOPED,
};

#define MONT_SNOOPED_BIT(name) (1u << MONT_SNOOPED_AT_##name)

/* Numbers of mont_tally.live: those of tally.def, then the queues of each core. */
enum mont_tally_queue {
#define MONT_TALLY(name, splits, most, meaning) MONT_TALLY_##name,
#include "tally.def"
#undef MONT_TALLY
	MONT_NR_TALLY,
	MONT_TALLY_SNOOPQ = MONT_NR_TALLY,
	MONT_TALLY_OWN_SCB = MONT_TALLY_SNOOPQ + MONT_MAX_CORES,
	MONT_TALLY_OWN_STALL = MONT_TALLY_OWN_SCB + MONT_MAX_CORES,
	MONT_NR_TALLY_NUMBERS = MONT_TALLY_OWN_STALL + MONT_MAX_CORES,
};

_Static_assert((u32)MONT_NR_TALLY_NUMBERS <= (u32)MONT_NR_NUMBERS, "occupancies have room");

/**
 * struct mont_tally - what has happened on the bus, and has not been told
 * @nr: sum of @sent and @snooped
 * @live: queues, by enum mont_tally_queue
 * @sent: by enum mont_sent_bit, how many of both cores
 * @snooped: by core and enum mont_snooped_bit, how many
 */
struct mont_tally {
	u64 nr;
	struct mont_occupancy live;
	u64 sent[MONT_NR_SENT];
	u64 snooped[MONT_MAX_CORES][MONT_NR_SNOOPED];
};

struct mont_package;
struct mont_thread;

/* @queue has one more in use from cycle @from on, before cycle @until. */
static inline void mont_tally_occupy(struct mont_tally *tally, u32 queue, u64 from, u64 until)
{
	mont_occupy(&tally->live, (enum mont_queue)queue, from, until);
}

/* A reference has sent @sent, MONT_SENT_BIT(). */
void mont_tally_send(struct mont_tally *tally, u32 sent);

/* A snoop in @core has found @found, MONT_SNOOPED_BIT(). */
void mont_tally_snoop(struct mont_tally *tally, u32 core, u32 found);

/* Tell each core, by the thread in front, what has happened up to cycle @upto. */
void mont_tally_tell(struct mont_package *pkg, struct mont_tally *tally, u64 upto);

/* No other core than that of @t is awake: tell @t of the snoops that it has sent. */
void mont_tally_tell_snoops(struct mont_thread *t, struct mont_tally *tally);

/* No other core than that of @t is awake: tell @t of the queues up to cycle @upto. */
void mont_tally_tell_queues(struct mont_thread *t, struct mont_tally *tally, u64 upto);

/* Tell each core of everything: no time is kept from now on. */
void mont_tally_settle(struct mont_package *pkg, struct mont_tally *tally);

/* True if @tally can be a saved state. */
bool mont_tally_valid(const struct mont_tally *tally);

#endif
