/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The system bus, which the cores of a package share, and its transactions (manual 2.5 and
 * 4.11). Called by cache/ (l3.c, l2i.c, coalesce.c, memory_pipeline.c) for transactions,
 * and by package.c, state.c and turns.c.
 */
#ifndef MONT_PACKAGE_BUS_H
#define MONT_PACKAGE_BUS_H

#include "../mont.h"
#include "../cache/hierarchy.h"
#include "arbiter.h"
#include "arrival.h"
#include "inbox.h"
#include "tally.h"
#include "snoop.h"

#define MONT_NR_IOQ 15 /* SI_IOQ_LIVE_REQ counts in four bits */
#define MONT_NR_SLOTS 32

/**
 * struct mont_slots - cycles of addresses, or of data, that the bus carries for a core
 * @next: first cycle in which the core's next ones can begin
 * @nr: of them so far, where others look at them
 * @from: by number modulo the size, the first cycle
 * @until: and the first one behind
 */
struct mont_slots {
	u64 next;
	u64 nr;
	u64 from[MONT_NR_SLOTS];
	u64 until[MONT_NR_SLOTS];
};

/**
 * struct mont_bus_port - what a core has of the bus
 * @asked: the last cycle in which it has asked for something
 * @arbiter: transactions that have not been issued
 * @address: slots of those that have been
 * @data: and of their data
 * @done: cycle from which on all of them are done
 */
struct mont_bus_port {
	u64 asked;
	struct mont_arbiter arbiter;
	struct mont_slots address;
	struct mont_slots data;
	u64 done;
};

/**
 * struct mont_bus - the system bus of a package, with the arbiter in front of it
 * @ioq: transactions that have been issued and are not done (the in-order queue)
 * @port: by core
 * @tally: what counters are to be told of; saved where cores share the bus, else empty
 * @stalls: of the snoop phase, of both cores; likewise
 * @snoops: by the core that is snooped; likewise
 * @arrivals: lines on their way to the L2D of each core; likewise
 * @inbox: messages on their way, by the core that they go to; likewise
 * @caches: of each core that there is, which are snooped. They are not saved
 */
struct mont_bus {
	struct mont_fills ioq;
	struct mont_bus_port port[MONT_MAX_CORES];
	struct mont_tally tally;
	struct mont_slots stalls;
	struct mont_snoops snoops[MONT_MAX_CORES];
	struct mont_arrivals arrivals[MONT_MAX_CORES];
	struct mont_inbox inbox[MONT_MAX_CORES];
	struct mont_hierarchy *caches[MONT_MAX_CORES];
};

/* Lines that wait in the arbiter are issued: no read goes before them any more. */
void mont_bus_let_out(struct mont_hierarchy *h);
/* mont_bus_go_on() where a line waits. */
void mont_bus_go_on_slow(struct mont_hierarchy *h, u64 now);

/* Lines that wait in the arbiter of the core of @h are issued, whose cycle is @now or before it. */
static inline void mont_bus_go_on(struct mont_hierarchy *h, u64 now)
{
	if (unlikely(h->bus->port[h->core].arbiter.nr_waiting))
		mont_bus_go_on_slow(h, now);
}

/* Connect @h, the caches of core @core. */
void mont_bus_connect(struct mont_bus *bus, struct mont_hierarchy *h, u32 core);

/* True if @bus can be the saved state of the bus of a package of @cores cores. */
bool mont_bus_valid(const struct mont_bus *bus, u32 cores);

/* True if no other core than that of @h has the line at @pa, or neither is its owner. */
bool mont_bus_coherent(const struct mont_hierarchy *h, u64 pa);

/* Cores share @bus. */
static inline bool mont_bus_is_shared(const struct mont_bus *bus)
{
	return bus->caches[1];
}

/* True if nothing that core @core has sent, nor a snoop of it, goes on in cycle @now. */
bool mont_bus_is_quiet(const struct mont_bus *bus, u32 core, u64 now);

/* Inboxes, by core; NULL where cores share no bus. */
static inline struct mont_inbox *mont_bus_inbox(struct mont_bus *bus)
{
	return mont_bus_is_shared(bus) ? bus->inbox : NULL;
}

/* The cycle in which both cores have a transaction that is issued in cycle @issued. */
static inline u64 mont_bus_arrival(const struct mont_hierarchy *h, u64 issued)
{
	return issued + h->timing.request + h->timing.snoop;
}

/**
 * mont_bus_read() - read a line
 * @h: caches of the core that asks
 * @pa: physical address
 * @what: the transaction
 * @now: the cycle in which it is asked for
 * @state: MONT_LINE_* of the line as the core gets it
 * @reply: what it meets is added
 *
 * Return: the cycle in which it is there.
 */
u64 mont_bus_read(struct mont_hierarchy *h, u64 pa, enum mont_snoop what, u64 now, u32 *state,
		  struct mont_reply *reply);
/* Part of a line: the cycle in which it is there. */
u64 mont_bus_read_partial(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply);
/* A transaction without data: the cycle in which it is done. */
u64 mont_bus_ask(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply);
/* BIL, by which other cores give the line at @pa up: the cycle in which it is done. */
u64 mont_bus_claim(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply);
/*
 * @line, its address and MONT_LINE_M, is to go to memory, from cycle @now on, which begins in @in. It
 * lies in @buffer of those for victims of the L3, which is free when it has gone; MONT_NO_BUFFER: in
 * none.
 */
void mont_bus_write(struct mont_hierarchy *h, u64 line, u32 buffer, u64 now,
		    enum mont_reply_cycle in, struct mont_reply *reply);
/* @size bytes, up to 32: the cycle in which the arbiter has them. */
u64 mont_bus_write_partial(struct mont_hierarchy *h, u64 pa, u32 size, u64 now,
			   struct mont_reply *reply);
/* A write to a port of the I/O space: the cycle in which the arbiter has it. */
u64 mont_bus_write_port(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply);
/* The address of a clean line that is cast out. */
void mont_bus_castout(struct mont_hierarchy *h, u64 pa, u64 now, enum mont_reply_cycle in,
		      struct mont_reply *reply);

#endif
