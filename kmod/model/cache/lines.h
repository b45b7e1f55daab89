/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cache sets (manual table 2-9): the ways of a set are in the order of their last
 * use, so that the first is the most recent and the last is the victim.
 *
 * A line is one word: its address, and below the line's size its state. Called by
 * the caches, and by bus.c and snoop.c of package/.
 */
#ifndef MONT_CACHE_LINES_H
#define MONT_CACHE_LINES_H

#include "../base/types.h"

/* States (MESI), and room for a unit's own bits up to MONT_LINE_BITS. */
#define MONT_LINE_I 0
#define MONT_LINE_S 1
#define MONT_LINE_E 2
#define MONT_LINE_M 3
#define MONT_LINE_STATE 3
#define MONT_LINE_BITS 63 /* below the smallest line's size */

/**
 * mont_lines_find() - look a line up
 * @set: its set
 * @ways: 1 and up
 * @address: of the line
 *
 * Return: its way, which a later mont_lines_use() makes 0; -1 if it is not there.
 */
static __always_inline int mont_lines_find(const u64 *set, unsigned int ways, u64 address)
{
	unsigned int way;

	for (way = 0; way < ways; way++) {
		if ((set[way] & ~(u64)MONT_LINE_BITS) == address && (set[way] & MONT_LINE_STATE))
			return (int)way;
	}
	return -1;
}

/* The line in @way has been used: it becomes way 0. */
static __always_inline void mont_lines_use(u64 *set, unsigned int way)
{
	u64 line = set[way];

	for (; way; way--)
		set[way] = set[way - 1];
	set[0] = line;
}

/**
 * mont_lines_insert() - put a line into its set, as the most recent
 * @set: the set
 * @ways: 1 and up: no more of them are used
 * @line: address and state; not there yet
 *
 * Return: the line that it replaces; 0 if there was room.
 */
static inline u64 mont_lines_insert(u64 *set, unsigned int ways, u64 line)
{
	u64 victim = set[ways - 1];

	set[ways - 1] = line;
	mont_lines_use(set, ways - 1);
	return victim & MONT_LINE_STATE ? victim : 0;
}

/* A cache of @sets sets of @room ways uses @ways of them from now on. */
static inline void mont_lines_fit(u64 *line, unsigned int sets, unsigned int room,
				  unsigned int ways)
{
	unsigned int set, way;

	for (set = 0; set < sets; set++) {
		for (way = ways; way < room; way++)
			line[set * room + way] = 0;
	}
}

/* Drop the line at @address. Return: true if it was there. */
static inline bool mont_lines_drop(u64 *set, unsigned int ways, u64 address)
{
	int way = mont_lines_find(set, ways, address);

	if (way < 0)
		return false;
	/* The places that are free are the last. */
	for (; (unsigned int)way < ways - 1; way++)
		set[way] = set[way + 1];
	set[ways - 1] = 0;
	return true;
}

#endif
