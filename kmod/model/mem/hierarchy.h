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

#include "../timing.h"
#include "fills.h"
#include "lines.h"

/* Manual table 2-9. */
#define MONT_L1_LINE 64
#define MONT_L1_SETS 64
#define MONT_L1_WAYS 4
#define MONT_L1D_FILLS 8
#define MONT_L1I_FILLS 8 /* 1 demand, 7 prefetches */
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
#define MONT_NR_BRQ 16 /* request buffers, instructions and data (2.3.3.4) */

struct mont_l1d {
	u64 line[MONT_L1_SETS][MONT_L1_WAYS];
	struct mont_fills fills;
};

/**
 * struct mont_l2d - the second-level data cache and its queue
 * @line: by set
 * @fills: misses on their way
 * @ozq: requests that the L2D has not done with
 * @waiting: cycle from which on nothing in the queue waits for its turn
 * @bank: by bank, the first cycle in which it can be read
 */
struct mont_l2d {
	u64 line[MONT_L2D_SETS][MONT_L2D_WAYS];
	struct mont_fills fills;
	struct mont_fills ozq;
	u64 waiting;
	u64 bank[MONT_L2D_BANKS];
};

struct mont_l1i {
	u64 line[MONT_L1_SETS][MONT_L1_WAYS];
	struct mont_fills fills;
};

struct mont_l2i {
	u64 line[MONT_L2I_SETS][MONT_L2I_WAYS];
	struct mont_fills fills;
};

/**
 * struct mont_l3 - the third-level cache and the buffers in front of it
 * @line: by set
 * @brq: request buffers
 * @next: first cycle in which it can be looked up: one lookup a cycle
 */
struct mont_l3 {
	u64 line[MONT_L3_SETS][MONT_L3_WAYS];
	struct mont_fills brq;
	u64 next;
};

/**
 * struct mont_bus - the system bus, as far as one core can tell
 * @next: first cycle in which a line's data can begin
 */
struct mont_bus {
	u64 next;
};

/* What a request met, for who counts it. */
#define MONT_MET_L1_MISS 0x001
#define MONT_MET_L2_MISS 0x002
#define MONT_MET_L2_SECONDARY 0x004 /* the line was on its way already */
#define MONT_MET_L3_MISS 0x008
#define MONT_MET_BYPASS 0x010 /* the L2D answered without the OzQ's delay */
#define MONT_MET_L2_VICTIM 0x020 /* a modified line went to the L3 */
#define MONT_MET_L3_VICTIM 0x040 /* a valid line was replaced */
#define MONT_MET_L3_DIRTY 0x080 /* and went to memory */

struct mont_hierarchy {
	struct mont_timing timing;
	struct mont_l1d l1d;
	struct mont_l2d l2d;
	struct mont_l1i l1i;
	struct mont_l2i l2i;
	struct mont_l3 l3;
	struct mont_bus bus;
};

/* ---- l1d.c ---- */

/**
 * mont_l1d_load() - an integer load
 * @h: caches
 * @pa: physical address
 * @now: cycle of issue
 * @met: MONT_MET_*
 *
 * Return: the cycle in which an ALU can use the data: the one after @now at the
 * earliest.
 */
u64 mont_l1d_load(struct mont_hierarchy *h, u64 pa, u64 now, u32 *met);

/* ---- l2d.c ---- */

/**
 * mont_l2d_load() - a load that the L1D does not serve: it missed, or is floating-point
 * @h: caches
 * @pa: physical address
 * @now: cycle of issue
 * @met: MONT_MET_*, added to
 *
 * Return: the cycle in which the data is there; a floating-point register has it
 * one later.
 */
u64 mont_l2d_load(struct mont_hierarchy *h, u64 pa, u64 now, u32 *met);

/* A store, which writes the L2D and, if the line is there, the L1D. */
void mont_l2d_store(struct mont_hierarchy *h, u64 pa, u64 now, u32 *met);

/* The first cycle from @now on in which the OzQ has room for @n requests. */
u64 mont_l2d_room(const struct mont_hierarchy *h, unsigned int n, u64 now);

/* ---- l2i.c ---- */

/* An instruction line that the L1I lacks: the cycle in which it is there. */
u64 mont_l2i_read(struct mont_hierarchy *h, u64 pa, u64 now, u32 *met);

/* ---- l1i.c ---- */

/* A fetch: the cycle in which its bundles are there, @now if the L1I has them. */
u64 mont_l1i_fetch(struct mont_hierarchy *h, u64 pa, u64 now, u32 *met);

/* ---- l3.c ---- */

/**
 * mont_l3_read() - a line that an L2 lacks
 * @h: caches
 * @pa: physical address
 * @now: the cycle in which the L2 would have had it
 * @state: MONT_LINE_* to have it in
 * @met: MONT_MET_*, added to
 *
 * Return: the cycle in which it is there.
 */
u64 mont_l3_read(struct mont_hierarchy *h, u64 pa, u64 now, u32 state, u32 *met);

/* A modified line from the L2D. */
void mont_l3_write(struct mont_hierarchy *h, u64 line, u64 now, u32 *met);

/* ---- bus.c ---- */

/* A line from memory: the cycle in which it is there if it could be in @then. */
u64 mont_bus_read(struct mont_hierarchy *h, u64 then);
/* A line to memory. */
void mont_bus_write(struct mont_hierarchy *h, u64 now);

#endif
