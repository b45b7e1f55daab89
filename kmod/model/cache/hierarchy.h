/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The caches of one core and the way to memory (manual 2.3.3 and 4.8): what
 * each holds, and when what was asked of it is there.
 *
 * Time is computed, not ticked: a request is given with the cycle it is made in
 * and answered with the cycle in which its data can be used. Requests come in the
 * order of the program and none delays an older one, so that an answer is never
 * taken back. Included by each unit of cache/, by bus.h and snoop.h of package/,
 * and by way of memory_pipeline.h by the pipeline.
 */
#ifndef MONT_CACHE_HIERARCHY_H
#define MONT_CACHE_HIERARCHY_H

#include "../pipeline/thread_time.h"
#include "../pipeline/timing.h"
#include "fills.h"
#include "lines.h"
#include "reply.h"
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
 */
struct mont_l1d {
	u64 line[MONT_L1_SETS][MONT_L1_WAYS];
	struct mont_fills fills;
	struct mont_stores stores;
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
 * @released: cycle from which on no release is in the queue
 * @index: of the last miss
 * @index_at: and its cycle
 * @recirculated: the last cycle in which one has
 * @forced: cycle from which on none that is to be issued again is in the queue
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
	u64 released;
	u64 index;
	u64 index_at;
	u64 recirculated;
	u64 forced;
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

/*
 * Requests of the L2I that are remembered. The prefetch pipe goes ahead of fetch by less: by
 * prefetch.ahead lines, and by what the hints of the instruction buffer name.
 */
#define MONT_NR_L2I_ASKED 128

/**
 * struct mont_l2i - the second-level instruction cache
 * @line: by set
 * @fills: lines that it is waiting for
 * @asked: cycles of the last requests, one a cycle
 * @next: where the next one goes there
 * @since: no request is known from this cycle on
 */
struct mont_l2i {
	u64 line[MONT_L2I_SETS][MONT_L2I_WAYS];
	struct mont_fills fills;
	u64 asked[MONT_NR_L2I_ASKED];
	u64 next;
	u64 since;
};

/* Uses of the L3's array: of each request buffer a fill, of each write buffer a write. */
#define MONT_NR_ARRAY (MONT_NR_BRQ + MONT_NR_WRITE_BUFFERS)

/**
 * struct mont_l3 - the third-level cache and the buffers in front of it
 * @line: by set
 * @brq: request buffers
 * @next: first cycle in which it can be asked: one request a cycle
 * @array: where uses of the array end, in their order, each of so many cycles as l3.array
 *	says; those that are still to come are among them
 * @writes: write buffers: what lies in them goes to the L3, or to the bus
 * @full: cycle from which on one of them is free, as far as is known
 * @victims: buffers for modified victims, until the bus has carried them
 */
struct mont_l3 {
	u64 line[MONT_L3_SETS][MONT_L3_WAYS];
	struct mont_fills brq;
	u64 next;
	u64 array[MONT_NR_ARRAY];
	struct mont_fills writes;
	u64 full;
	struct mont_fills victims;
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

struct mont_bus;

/**
 * struct mont_hierarchy - the caches of a core, their queues and the way to the bus
 * @timing: latencies and widths
 * @l1d: L1 data cache
 * @l2d: L2 data cache, its OzQ and fill buffers
 * @l1i: L1 instruction cache
 * @l2i: L2 instruction cache
 * @l3: L3 cache
 * @coalesce: write coalescing buffers
 * @occupancy: when entries of the queues become free
 * @order: of the thread in front
 * @front: number of that thread
 * @accepted: cycle from which on nothing is out that is not cached
 * @walker: cycle from which on the walker has nothing to do
 * @bus: of the package. From here on nothing is saved
 * @core: number of the core there
 */
struct mont_hierarchy {
	struct mont_timing timing;
	struct mont_l1d l1d;
	struct mont_l2d l2d;
	struct mont_l1i l1i;
	struct mont_l2i l2i;
	struct mont_l3 l3;
	struct mont_coalesce coalesce;
	struct mont_occupancy occupancy;
	struct mont_order order;
	u64 front;
	u64 accepted;
	u64 walker;
	struct mont_bus *bus;
	u64 core;
};

#endif
