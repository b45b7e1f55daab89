/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The caches of one core and the way to memory (manual 2.3.3 and 4.8): what
 * each holds, and when what was asked of it is there.
 *
 * Time is computed, not ticked: a request is given with the cycle it is made in
 * and answered with the cycle in which its data can be used. Requests come in
 * the order of the program and none delays an older one, so that an answer is
 * never taken back.
 */
#ifndef MONT_MEM_HIERARCHY_H
#define MONT_MEM_HIERARCHY_H

#include "../pipeline/timing.h"
#include "fills.h"
#include "lines.h"
#include "met.h"
#include "occupancy.h"

/* Manual table 2-9. */
#define MONT_L1_LINE 64
#define MONT_L1_SETS 64
#define MONT_L1_WAYS 4
#define MONT_L1D_FILLS 8
#define MONT_L1I_FILLS 8 /* 1 demand, 7 prefetches */
#define MONT_NR_L1I_WRITES (2 * MONT_L1I_FILLS) /* an entry may be taken as its line is written */
#define MONT_L2_LINE 128
#define MONT_L2D_SETS 256
#define MONT_L2D_WAYS 8
#define MONT_L2D_BANKS 16 /* of 16 bytes (2.3.3.2) */
#define MONT_L2D_FILLS 16
#define MONT_NR_OZQ 32
#define MONT_L2I_SETS 1024
#define MONT_L2I_WAYS 8
#define MONT_L2I_FILLS 8
#define MONT_L3_SETS 8192
#define MONT_L3_WAYS 12
#define MONT_NR_WRITE_BUFFERS 8 /* modified victims of the L2D, parts of lines (2.3.3.4) */
#define MONT_NR_BRQ 16 /* request buffers, instructions and data (2.3.3.4) */
#define MONT_NR_VICTIMS 8 /* modified victims of the L3 (2.3.3.4) */
/* The arbiter's places for a core (2.5). */
#define MONT_NR_SI_REQUESTS 4
#define MONT_NR_SI_WRITES 2
#define MONT_NR_SI_CASTOUTS 4
#define MONT_NR_IOQ 15 /* SI_IOQ_LIVE_REQ counts in four bits */

#define MONT_NR_STORES 8 /* two a cycle, as long as they can be met on their way */
#define MONT_L1D_BANKS 8 /* of eight bytes, those of a line */

/**
 * struct mont_stores - stores on their way into the caches
 * @last: cycle of the last one
 * @next: where the next one goes
 * @cancelled: bit n is set: the L2D has cancelled number n
 * @near: bits 8:3 of an address that one may be to
 * @pa: of each, its eight bytes
 * @at: and the cycle it issued in
 * @written: of each, the cycle in which the L1D is written: up to then it is in the store buffer
 * @drained: the last of these
 * @bank: of the L1D: from when on each can be written
 */
struct mont_stores {
	u64 last;
	u64 next;
	u64 cancelled;
	u64 near;
	u64 pa[MONT_NR_STORES];
	u64 at[MONT_NR_STORES];
	u64 written[MONT_NR_STORES];
	u64 drained;
	u64 bank[MONT_L1D_BANKS];
};

/**
 * struct mont_l1d - the first-level data cache
 * @line: by set
 * @fills: lines on their way
 * @stores: data that it has not been written with
 * @unat: by bit of AR.UNAT, the cycle of the last spill
 * @busy: the pipe is free from this cycle on: a walk or a transfer has it
 */
struct mont_l1d {
	u64 line[MONT_L1_SETS][MONT_L1_WAYS];
	struct mont_fills fills;
	struct mont_stores stores;
	u64 unat[64];
	u64 busy;
};

/**
 * struct mont_entries - entries of a queue that any request can have
 * @fills: up to when each is in use
 * @taken: bit n is 0: entry n is not in use from cycle @looked on
 * @looked: the cycle in which entries were looked at last
 */
struct mont_entries {
	struct mont_fills fills;
	u32 taken;
	u64 looked;
};

/**
 * struct mont_array_uses - cycles in which lines are written to the L2D's array, or read from it
 * @last: there is none behind this cycle
 * @next: where the next line that returns goes in @written
 * @stores: bit n is set: stores wait for line n of @written
 * @written: cycles in which lines that return are written; no more are on their way
 * @read: by write buffer, the cycle in which its modified victim has been read
 */
struct mont_array_uses {
	u64 last;
	u32 next;
	u32 stores;
	u64 written[MONT_L2D_FILLS];
	u64 read[MONT_NR_WRITE_BUFFERS];
};

/**
 * struct mont_l2d - the second-level data cache and its queue
 * @line: by set
 * @fills: misses on their way
 * @missed: by entry of @fills, the cycle in which it was missed first
 * @place: by entry of @fills, its line in @uses.written
 * @uses: of the array, by other than requests
 * @ozq: requests that the L2D has not done with
 * @ozdb: the OzQ's data buffer: those of them that are stores, until they have been written
 * @waiting: cycle from which on nothing in the queue waits for its turn
 * @issued: operations that are issued in this cycle
 * @withdrawn: the last cycle in which a request was withdrawn that the L3 had been sent
 * @to_l3: the last cycle in which the queue issues a miss to the L3
 * @acquired: cycle from which on no acquire is pending
 * @released: cycle from which on no release is in the queue
 * @index: of the last miss
 * @index_at: and its cycle
 * @recirculated: the last cycle in which one has
 * @forced: cycle from which on none that is to be issued again is in the queue
 * @misc: cycle from which on no mf.a is pending
 * @acquire: the cycle of the last acquire
 * @bank: by bank, the first cycle in which it can be read
 */
struct mont_l2d {
	u64 line[MONT_L2D_SETS][MONT_L2D_WAYS];
	struct mont_fills fills;
	u64 missed[MONT_L2D_FILLS];
	u8 place[MONT_L2D_FILLS];
	struct mont_array_uses uses;
	struct mont_entries ozq;
	struct mont_entries ozdb;
	u64 waiting;
	u64 issued;
	u64 withdrawn;
	u64 to_l3;
	u64 acquired;
	u64 released;
	u64 index;
	u64 index_at;
	u64 recirculated;
	u64 forced;
	u64 misc;
	u64 acquire;
	u64 bank[MONT_L2D_BANKS];
};

/**
 * struct mont_l1i - the first-level instruction cache, its ISB and RAB
 * @line: by set
 * @fills: lines requested (the RAB), each up to the cycle in which it is written,
 *	with the address of the pair of bundles that comes first
 * @taken: by entry, from which cycle on
 * @entered: the cycle in which the last pair has entered the ISB
 * @next: where the next line that comes goes in @written
 * @written: cycles in which the last lines are written, all that are on their way among them
 * @writes: and their addresses
 */
struct mont_l1i {
	u64 line[MONT_L1_SETS][MONT_L1_WAYS];
	struct mont_fills fills;
	u64 taken[MONT_L1I_FILLS];
	u64 entered;
	u64 next;
	u64 written[MONT_NR_L1I_WRITES];
	u64 writes[MONT_NR_L1I_WRITES];
};

struct mont_l2i {
	u64 line[MONT_L2I_SETS][MONT_L2I_WAYS];
	struct mont_fills fills;
};

/* Uses of the L3's array: of each request buffer a fill, of each write buffer a write. */
#define MONT_NR_ARRAY (MONT_NR_BRQ + MONT_NR_WRITE_BUFFERS)

/**
 * struct mont_l3 - the third-level cache and the buffers in front of it
 * @line: by set
 * @brq: request buffers
 * @next: first cycle in which it can be asked: one request a cycle
 * @array: where uses of the array end, each of so many cycles as l3.array says; those that
 *	are still to come are among them
 * @busy: where the last of them ends
 * @writes: write buffers: what lies in them goes to the L3, or to the bus
 * @full: cycle from which on one of them is free, as far as is known
 * @victims: buffers for modified victims, until the bus has carried them
 */
struct mont_l3 {
	u64 line[MONT_L3_SETS][MONT_L3_WAYS];
	struct mont_fills brq;
	u64 next;
	u64 array[MONT_NR_ARRAY];
	u64 busy;
	struct mont_fills writes;
	u64 full;
	struct mont_fills victims;
};

/**
 * struct mont_bus - the arbiter's places for the core, and the system bus
 * @next: first cycle in which a line's data can begin
 * @ask: first cycle in which a transaction can be issued
 * @done: cycle from which on all that have been issued are done
 * @accepted: cycle from which on nothing is out that is not cached
 * @requests: that have not been issued
 * @writes: likewise
 * @castouts: likewise
 * @ioq: transactions that have been, and are not done (the in-order queue)
 */
struct mont_bus {
	u64 next;
	u64 ask;
	u64 done;
	u64 accepted;
	struct mont_fills requests;
	struct mont_fills writes;
	struct mont_fills castouts;
	struct mont_fills ioq;
};

#define MONT_NR_COALESCE 4 /* 2.3.3.4 */

/**
 * struct mont_coalesce - write coalescing buffers
 * @uses: stores to them so far
 * @line: of each
 * @used: its last store, as @uses was
 * @bytes: bytes it holds; none where it is free
 */
struct mont_coalesce {
	u64 uses;
	u64 line[MONT_NR_COALESCE];
	u64 used[MONT_NR_COALESCE];
	u64 bytes[MONT_NR_COALESCE][2];
};

struct mont_hierarchy {
	struct mont_timing timing;
	struct mont_l1d l1d;
	struct mont_l2d l2d;
	struct mont_l1i l1i;
	struct mont_l2i l2i;
	struct mont_l3 l3;
	struct mont_bus bus;
	struct mont_coalesce coalesce;
	struct mont_occupancy occupancy;
};

/* ---- sizes.c ---- */

/* The sizes in @h->timing hold from now on: caches lose what lies beyond. */
void mont_hierarchy_fit(struct mont_hierarchy *h);

/* Requests to the L2D. */
enum mont_l2d_op {
	MONT_L2D_INT_LOAD,
	MONT_L2D_FP_LOAD,
	MONT_L2D_RMW, /* a semaphore */
	MONT_L2D_STORE,
	MONT_L2D_LFETCH,
	MONT_L2D_LFETCH_EXCL,
	MONT_L2D_OTHER, /* the page walker's reads */
};

/* ---- l1d.c ---- */

/**
 * mont_l1d_load() - an integer load
 * @h: caches
 * @pa: physical address
 * @now: cycle of issue
 * @met: what it meets is added
 *
 * Return: the cycle in which an ALU can use the data: the one after @now at the
 * earliest.
 */
u64 mont_l1d_load(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met);

/* As mont_l1d_load(), for a load that missed the L1 DTLB: it goes to the L2D in any case. */
u64 mont_l1d_untranslated(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met);

/*
 * Prefetch into the L1D by lfetch, which is @op. No request is made for a line that is on its
 * way.
 */
void mont_l1d_prefetch(struct mont_hierarchy *h, u64 pa, enum mont_l2d_op op, u64 now,
		       struct mont_met *met);

/*
 * A store, which has issued in cycle @now: what the L1D does with it. Return: the cycle from @now
 * on in which it has a place in the store buffer.
 */
u64 mont_l1d_store(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met);

/* The cycle of the last store to the eight bytes at @pa that is in the store buffer; else 0. */
u64 mont_store_buffered(const struct mont_stores *s, u64 pa, u64 now);

/* True if one of @s that @now is at most @cycles behind may be to the eight bytes at @pa. */
static __always_inline bool mont_store_near(const struct mont_stores *s, u64 pa, u64 now,
					    unsigned int cycles)
{
	return unlikely(s->last + cycles >= now) && unlikely(s->near >> (pa >> 3 & 63) & 1);
}

/*
 * The cycle of the last store to the eight bytes at @pa that @now is at most @cycles
 * behind; 0 if there is none.
 */
u64 mont_store_ahead(const struct mont_stores *s, u64 pa, u64 now, unsigned int cycles);

/* The last store of @s, or any one to the eight bytes at @pa in cycle @at, has been cancelled. */
static inline void mont_store_cancel(struct mont_stores *s)
{
	s->cancelled |= MONT_BIT((s->next - 1) % MONT_NR_STORES);
}

bool mont_store_cancelled(const struct mont_stores *s, u64 pa, u64 at);

/* ---- l2d.c ---- */

/**
 * mont_l2d_request() - a reference that the L1D does not serve
 * @h: caches
 * @pa: physical address
 * @op: what it is
 * @now: cycle of issue
 * @met: what it meets is added
 *
 * Return: the cycle in which the data is there; a floating-point register has it
 * one later.
 */
u64 mont_l2d_request(struct mont_hierarchy *h, u64 pa, enum mont_l2d_op op, u64 now,
		     struct mont_met *met);

/* As mont_l2d_request(), for a release: it stays in the OzQ until all older requests are done. */
u64 mont_l2d_release(struct mont_hierarchy *h, u64 pa, enum mont_l2d_op op, u64 now,
		     struct mont_met *met);

/* An acquire of cycle @now is pending up to @until: what enters the OzQ before that waits. */
void mont_l2d_acquire(struct mont_hierarchy *h, u64 now, u64 until);

/* An mf.a of cycle @now is pending up to @until: likewise. */
void mont_l2d_accept(struct mont_hierarchy *h, u64 now, u64 until);

/* The line at @pa is flushed from the L1D, the L2D and the L3. */
void mont_l2d_flush(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met);

/*
 * A reference of cycle @now to memory that is not cached: where nothing waits in front of it, the
 * L3 has been sent a request, which is withdrawn.
 */
void mont_l2d_uncached(struct mont_hierarchy *h, u64 now, struct mont_met *met);

/* A read recirculates in the L1D's pipe from cycle @now on: the L3 is sent a request in each. */
void mont_l2d_retried(struct mont_hierarchy *h, u64 now, u64 until, struct mont_met *met);

/* The cycle from @now on in which all that was asked for is done. */
u64 mont_l2d_drained(const struct mont_hierarchy *h, u64 now);

/* Requesters of a line that an L2 lacks. */
enum mont_l3_op {
	MONT_L3_PREFETCH, /* of instructions */
	MONT_L3_INSN,
	MONT_L3_DATA,
	MONT_L3_STORE, /* to modify it */
};

/* ---- l2i.c ---- */

/* An instruction line that the L1I lacks, for MONT_L3_INSN or _PREFETCH: when it is there. */
u64 mont_l2i_read(struct mont_hierarchy *h, u64 pa, enum mont_l3_op op, u64 now,
		  struct mont_met *met);
/* Instructions that are not cached pass through: the cycle in which they are there. */
u64 mont_l2i_uncached(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met);
/* Flush the line at @pa. Return: true if it was there. */
bool mont_l2i_snoop(struct mont_hierarchy *h, u64 pa);

/* ---- l1i.c ---- */

/* A fetch: the cycle in which its bundles are there, @now if the L1I has them. */
u64 mont_l1i_fetch(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met);

/*
 * The cycle from @now on in which a fetch of the pair at @pa has the L1I's data port, or needs
 * none.
 */
u64 mont_l1i_port(const struct mont_hierarchy *h, u64 pa, u64 now);
/* True if the L1I has the bundles of a fetch at once; else nothing is done. */
static __always_inline bool mont_l1i_hit(struct mont_hierarchy *h, u64 pa, u64 now)
{
	u64 *set = h->l1i.line[pa / MONT_L1_LINE % MONT_L1_SETS];
	int way;

	/* A line comes, or is written in this cycle. */
	if (unlikely(h->l1i.fills.last >= now))
		return false;
	way = mont_lines_find(set, MONT_L1_WAYS, pa & ~(u64)(MONT_L1_LINE - 1));
	if (unlikely(way < 0))
		return false;
	mont_lines_use(set, way);
	return true;
}

/*
 * True if no line is written into the L1I in cycle @now, and that at @pa is not on its way: a
 * fetch takes a line that is there from the array at once.
 */
bool mont_l1i_undisturbed(const struct mont_l1i *l, u64 pa, u64 now);

/*
 * True if the L1I has the bundles of a fetch at once, in the most recent line of their set, so
 * that the fetch changes nothing.
 */
static __always_inline bool mont_l1i_recent(const struct mont_hierarchy *h, u64 pa, u64 now)
{
	u64 line = h->l1i.line[pa / MONT_L1_LINE % MONT_L1_SETS][0];

	return (line & MONT_LINE_STATE) &&
	       (line & ~(u64)MONT_LINE_BITS) == (pa & ~(u64)(MONT_L1_LINE - 1)) &&
	       (h->l1i.fills.last < now || mont_l1i_undisturbed(&h->l1i, pa, now));
}

/*
 * A prefetch, which is done with in this cycle: @now. Where the RAB has no entry for it,
 * nothing is done: the cycle in which it will have one.
 */
u64 mont_l1i_prefetch(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met);
/* The @size bytes at @pa are flushed. */
void mont_l1i_snoop(struct mont_hierarchy *h, u64 pa, u64 size);

/* ---- l3.c ---- */

/**
 * mont_l3_read() - a line that an L2 lacks
 * @h: caches
 * @pa: physical address
 * @op: the requester
 * @now: the cycle in which the L2 would have had it
 * @state: MONT_LINE_* of the line as the L2 gets it
 * @met: what it meets is added
 *
 * Return: the cycle in which it is there.
 */
u64 mont_l3_read(struct mont_hierarchy *h, u64 pa, enum mont_l3_op op, u64 now, u32 *state,
		 struct mont_met *met);

/* The cycle from @now on in which the L3 takes a request. */
u64 mont_l3_turn(struct mont_hierarchy *h, u64 now);

/* struct mont_request - a request buffer (the BRQ), in use from cycle @taken on */
struct mont_request {
	u64 taken;
	unsigned int entry;
};

/* A request of cycle @now has a buffer: the cycle in which the L3 is asked. */
u64 mont_l3_enter(struct mont_hierarchy *h, u64 now, struct mont_request *r, struct mont_met *met);
/* The @line that request @r is for arrives in cycle @until. */
void mont_l3_leave(struct mont_hierarchy *h, const struct mont_request *r, u64 until, u64 line);
/* A request without data, which is sent as @sent: MONT_SENT_BIT(). */
void mont_l3_special(struct mont_hierarchy *h, u64 pa, u32 sent, u64 now, struct mont_met *met);
/* The line at @pa is flushed; @modified: what was in front of the L3 was. */
void mont_l3_flush(struct mont_hierarchy *h, u64 pa, bool modified, u64 now, struct mont_met *met);

/*
 * A write buffer for what is written in @now: its number goes to @entry. Return: the cycle
 * from which on it can be had, @now or later.
 */
static inline u64 mont_write_buffer(const struct mont_hierarchy *h, u64 now, unsigned int *entry)
{
	return mont_fills_take(&h->l3.writes, h->timing.write_buffers, now, entry);
}

/* Hold buffer @entry from cycle @now on, before @until. */
void mont_write_buffer_hold(struct mont_hierarchy *h, unsigned int entry, u64 now, u64 until);

/* A modified line from the L2D: the cycle in which it is written. */
u64 mont_l3_write(struct mont_hierarchy *h, u64 line, u64 now, struct mont_met *met);

/* The L2D writes to the shared line at @pa: all other copies are invalidated. */
void mont_l3_claim(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met);

/* ---- coalesce.c ---- */

/*
 * One transaction of what has to go before a store to @pa has a buffer. False: nothing has to.
 */
bool mont_coalesce_room(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met);
/* A store of @size bytes, which has one, to memory of the write coalescing attribute. */
void mont_coalesce_store(struct mont_hierarchy *h, u64 pa, u32 size, u64 now, struct mont_met *met);
/* One transaction of a buffer in use; false if there is none. */
bool mont_coalesce_flush(struct mont_hierarchy *h, u64 now, struct mont_met *met);

/* ---- bus.c ---- */

/* A line from memory, asked for in @now: the cycle in which it is there. */
u64 mont_bus_read(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met);
/* Part of a line: likewise. */
u64 mont_bus_read_partial(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met);
/* A transaction without data: the cycle in which it is done. */
u64 mont_bus_ask(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met);
/* A line to memory, from cycle @now on, which begins in @in: the cycle in which it is there. */
u64 mont_bus_write(struct mont_hierarchy *h, u64 pa, u64 now, enum mont_met_cycle in,
		   struct mont_met *met);
/* @size bytes, up to 32: the cycle in which the arbiter has them. */
u64 mont_bus_write_partial(struct mont_hierarchy *h, u64 pa, u32 size, u64 now,
			   struct mont_met *met);
/* To a port of the I/O space: likewise. */
u64 mont_bus_write_port(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met);
/* The address of a clean line that is cast out. */
void mont_bus_castout(struct mont_hierarchy *h, u64 pa, u64 now, enum mont_met_cycle in,
		      struct mont_met *met);

/* True if the line at @pa is in one place of each cache at most. */
bool mont_hierarchy_consistent(const struct mont_hierarchy *h, u64 pa);

#endif
