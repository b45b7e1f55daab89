/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines on their way to the L2D of a core that shares the bus: each counts when it has come, in the
 * state that snoops have left it in (manual 4.8.4, L2D_FILL_MESI_STATE). Called by cache/l2d.c
 * for a line that is asked for, by bus.c, pipeline/account.c, and by deliver.c and state.c.
 */
#ifndef MONT_PACKAGE_ARRIVAL_H
#define MONT_PACKAGE_ARRIVAL_H

#include "../pmu/filled.h"

/* Lines on their way, and lines that come in a window. One that has no place counts at once. */
#define MONT_NR_ARRIVALS MONT_BITS_OF_FILLED
#define MONT_NO_ARRIVAL MONT_NR_ARRIVALS

/**
 * struct mont_arrival - a line that is to come
 * @at: the first cycle behind the one in which it comes; 0: there is none
 * @line: physical address
 * @takers: what counts it
 * @state: as it is now, MONT_LINE_*: not modified
 * @thread: of the core, which has asked for it
 * @pad: 0
 */
struct mont_arrival {
	u64 at;
	u64 line;
	struct mont_takers takers;
	u8 state;
	u8 thread;
	u8 pad[2];
};

/**
 * struct mont_arrivals - the lines that are to come to a core
 * @next: the first @at of them; 0: there is none
 * @of: by the number that mont_arrival_enter() has given
 */
struct mont_arrivals {
	u64 next;
	struct mont_arrival of[MONT_NR_ARRIVALS];
};

/*
 * @line comes for @thread before cycle @at, in @state if nothing happens to it. Return: its number;
 * MONT_NO_ARRIVAL: there is no place for it.
 */
u32 mont_arrival_enter(struct mont_arrivals *a, u64 line, u64 at, u32 state, u32 thread);

/* No counter is to be told of the line with number @n. */
void mont_arrival_forget(struct mont_arrivals *a, u32 n);

/* A snoop that comes in cycle @at leaves @line in @state, if that is still on its way then. */
void mont_arrivals_snoop(struct mont_arrivals *a, u64 line, u64 at, u32 state);

/* Remove one that has come before cycle @now, and put it in *@of: its number, or MONT_NO_ARRIVAL. */
u32 mont_arrival_take(struct mont_arrivals *a, u64 now, struct mont_arrival *of);

/* True if @a can be the saved state of a core with @threads threads. */
bool mont_arrivals_valid(const struct mont_arrivals *a, u32 threads);

#endif
