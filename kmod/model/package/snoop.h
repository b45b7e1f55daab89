/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Snoops: what a transaction of the bus asks the caches of another core, and what it takes from
 * them (manual 2.5 and 2.7.1). fc takes a line from its own core in the same way. Called by
 * bus.c, by l2d.c and l3.c of cache/, and by pipeline/front_end.c.
 */
#ifndef MONT_PACKAGE_SNOOP_H
#define MONT_PACKAGE_SNOOP_H

#include "../cache/hierarchy.h"
#include "inbox.h"
#include "tally.h"

/* Transactions that are snooped. */
enum mont_snoop {
	MONT_SNOOP_DATA, /* BRL for data: the line is shared from now on */
	MONT_SNOOP_INSN, /* BRL for instructions: the line is shared from now on */
	MONT_SNOOP_OWN, /* BRIL: the line is given up */
	MONT_SNOOP_CLAIM, /* BIL: the line is given up, and its data are not asked for */
};

#define MONT_NR_SNOOPED_LINES 16

/**
 * struct mont_snoops - snoops of a core
 * @asked: snoops so far
 * @line: by number modulo the size, the lines of the last ones
 * @at: and the cycles in which they come to the caches
 */
struct mont_snoops {
	u64 asked;
	u64 line[MONT_NR_SNOOPED_LINES];
	u64 at[MONT_NR_SNOOPED_LINES];
};

/**
 * mont_snoop_note() - remember a snoop of a core
 * @q: its snoops
 * @inbox: what comes to it: the snoop is told of there, if it meets its line
 * @h: its caches
 * @line: physical address
 * @at: the cycle in which the snoop comes to the caches
 * @end: and in which its snoop phase ends
 */
void mont_snoop_note(struct mont_snoops *q, struct mont_inbox *inbox,
		     const struct mont_hierarchy *h, u64 line, u64 at, u64 end);
/*
 * A snoop of @q for @line comes to the caches at most three cycles before cycle @filled, or behind
 * it: the later one of both cycles; 0: none does.
 */
u64 mont_snoop_meets_fill(const struct mont_snoops *q, u64 line, u64 filled);

/**
 * mont_snoop() - ask the caches of a core for a line, and take it as far as they must give it up
 * @h: the caches
 * @line: physical address
 * @what: the transaction
 * @now: its cycle
 * @found: what it finds in the caches for instructions is added, MONT_SNOOPED_BIT()
 *
 * Return: the state in which the core had the line. MONT_LINE_M: it was modified (HITM), in
 * the caches or in a buffer for victims on its way to memory, and is written back with the answer.
 */
u32 mont_snoop(struct mont_hierarchy *h, u64 line, enum mont_snoop what, u64 now, u32 *found);

/* Lines of @size bytes from @pa on leave the L1I. */
void mont_snoop_l1i(struct mont_hierarchy *h, u64 pa, u64 size);
/* The line at @pa leaves the L2I. Return: true if it was there. */
bool mont_snoop_l2i(struct mont_hierarchy *h, u64 pa);
/* The line at @pa leaves the L1D and the L2D, or with @share stays as shared: its state there. */
u32 mont_snoop_l2d(struct mont_hierarchy *h, u64 pa, bool share);
/* The line at @pa leaves the L3, or with @share stays as shared: its state there. */
u32 mont_snoop_l3(struct mont_hierarchy *h, u64 pa, bool share);

#endif
