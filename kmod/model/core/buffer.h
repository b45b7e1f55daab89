/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instruction fetch and the instruction buffer, stages IPG and ROT (manual
 * 4.6 and 4.8.1): when the bundles that a group is made of are there.
 *
 * Time runs as the back end sees it: a bundle that is ready in cycle c can
 * issue in c. The front end is asked for bundles in the order of the program; a
 * fetch brings an aligned pair of them, one a cycle, and runs ahead of the back
 * end by what the buffer holds.
 */
#ifndef MONT_CORE_BUFFER_H
#define MONT_CORE_BUFFER_H

#include "../types.h"

#define MONT_NR_BUFFER 8 /* bundles (manual 4.6: IBFULL) */
#define MONT_PAIR_NONE 1 /* no pair has this address */

/**
 * struct mont_buffer - bundles on their way to dispersal
 * @pair: addresses of the pair fetched last and of the one before it, or
 *	MONT_PAIR_NONE
 * @ready: when the bundles of each are ready
 * @left: when each of the last bundles left the buffer, the oldest at @next
 * @next: 0..MONT_NR_BUFFER - 1
 */
struct mont_buffer {
	u64 pair[2];
	u64 ready[2];
	u64 left[MONT_NR_BUFFER];
	u64 next;
};

/* When is the bundle at @ip ready, which is fetched already? False if it is not. */
static inline bool mont_buffer_has(const struct mont_buffer *b, u64 ip, u64 *ready)
{
	u64 pair = ip & ~31ULL;

	if (pair != b->pair[0] && pair != b->pair[1])
		return false;
	*ready = b->ready[pair != b->pair[0]];
	return true;
}

/* The first cycle in which the L1I can be asked for the next pair. */
static inline u64 mont_buffer_next(const struct mont_buffer *b)
{
	return b->ready[0] + 1;
}

/*
 * The bundle at @ip, the next one in the order of the program, comes with its
 * pair out of the L1I in cycle @then. Return: the cycle in which it is ready.
 */
static inline u64 mont_buffer_fetch(struct mont_buffer *b, u64 ip, u64 then)
{
	u64 room = b->left[b->next];

	b->pair[1] = b->pair[0];
	b->ready[1] = b->ready[0];
	b->pair[0] = ip & ~31ULL;
	/* It enters in the cycle in which the bundle eight before it leaves. */
	b->ready[0] = then < room ? room : then;
	return b->ready[0];
}

/* A bundle has left in cycle @now. */
static inline void mont_buffer_leave(struct mont_buffer *b, u64 now)
{
	b->left[b->next] = now;
	b->next = (b->next + 1) % MONT_NR_BUFFER;
}

/* The front end goes on elsewhere after @bubbles cycles without a fetch. */
static inline void mont_buffer_redirect(struct mont_buffer *b, u64 bubbles)
{
	b->pair[0] = MONT_PAIR_NONE;
	b->pair[1] = MONT_PAIR_NONE;
	b->ready[0] += bubbles;
}

/* Everything is thrown away; the next bundle is ready in cycle @then. */
static inline void mont_buffer_flush(struct mont_buffer *b, u64 then)
{
	b->pair[0] = MONT_PAIR_NONE;
	b->pair[1] = MONT_PAIR_NONE;
	b->ready[0] = then - 1;
	__builtin_memset(b->left, 0, sizeof(b->left));
}

#endif
