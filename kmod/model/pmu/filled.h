/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts of lines that a snoop may take on their way into the L2D (manual 4.8.4,
 * L2D_FILL_MESI_STATE). Called by pipeline/account.c for a line that is asked for, and by
 * deliver.c of package/ for one that has come; by exec/thread.c where other state is loaded.
 *
 * Filters and PSR are those of the request, the state is that in which the line comes: what would
 * count it in each state is found out at the request.
 */
#ifndef MONT_PMU_FILLED_H
#define MONT_PMU_FILLED_H

#include "../base/types.h"

/* Lines have numbers below this. */
#define MONT_BITS_OF_FILLED 64

/* States in which such a line can come, MONT_LINE_* of cache/lines.h: not modified. */
#define MONT_NR_FILLED 3

struct mont_thread;
struct mont_ref;

/**
 * struct mont_takers - what counts a line, by the state in which it comes
 * @own: counters of the thread that asks for it
 * @other: and of the other thread of its core
 */
struct mont_takers {
	u16 own[MONT_NR_FILLED];
	u16 other[MONT_NR_FILLED];
};

/* Find out what counts the line with number @n, which @t asks for by @ref and has in cycle @at. */
void mont_filled_ask(struct mont_thread *t, const struct mont_ref *ref, u32 n, u64 at,
		     struct mont_takers *takers);

/* The line with number @n has come, in @state. */
void mont_filled_come(struct mont_thread *t, u32 n, u32 state, u64 at,
		      const struct mont_takers *takers);

/* Observers of @t count no line that is on its way. */
void mont_filled_forget(struct mont_thread *t);

/* True if @takers can be in a saved state. */
bool mont_takers_valid(const struct mont_takers *takers);

#endif
