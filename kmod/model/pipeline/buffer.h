/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The instruction buffer, behind stage ROT (manual 4.6): when the bundles that a
 * group is made of are there, and what the front end did before it had them.
 *
 * Time runs as the back end sees it: a bundle that is ready in cycle c can issue
 * in c. The front end is asked for bundles in the order of the program; a fetch
 * brings an aligned pair of them, one a cycle, and runs ahead of the back end by
 * what the buffer holds. Called by front_end.c and branch_unit.c, by retire.h,
 * issue.h and segment.h for bundles that leave, and by time_state.c.
 */
#ifndef MONT_PIPELINE_BUFFER_H
#define MONT_PIPELINE_BUFFER_H

#include "../base/types.h"

enum mont_front {
#define MONT_FRONT(name, meaning) MONT_FRONT_##name,
#include "front_end.def"
#undef MONT_FRONT
	MONT_NR_FRONT,
};

/* Number of causes that last for cycles; the others are of single bundles. */
#define MONT_FRONT_CYCLES MONT_FRONT_UNREACHED

#define MONT_NR_BUFFER 8 /* bundles (manual 4.6: IBFULL) */
#define MONT_NR_BRANCHES 32 /* branches, at most */
#define MONT_PAIR_NONE 1 /* no pair has this address */

/**
 * struct mont_gap - the front end's cycles in front of a pair
 * @from: the first of them
 * @until: by enum mont_front, the first cycle in which neither it nor any cause
 *	before it keeps the front end from a fetch
 */
struct mont_gap {
	u64 from;
	u64 until[MONT_FRONT_CYCLES];
};

/**
 * struct mont_buffer - bundles on their way to dispersal
 * @pair: addresses of the pair fetched last and of the one before it, or
 *	MONT_PAIR_NONE
 * @ready: when the bundles of each are ready
 * @gap: a ring: at @ahead the gap in front of the pair that comes next, as far as it is
 *	known, behind it those in front of each of @pair
 * @ahead: index into @gap, 0..2
 * @next_fetch: the first cycle in which the L1I can be asked for that
 * @counted: cycles of the front end before this one have been counted
 * @cut: pair whose second bundle has been counted as behind a taken branch
 * @left: when each of the last bundles left the buffer, the oldest at @next
 * @next: 0..MONT_NR_BUFFER - 1
 * @retires: the branch retirement queue: when each of the last branches leaves it, the oldest at
 *	@oldest
 * @oldest: 0..MONT_NR_BRANCHES - 1
 */
struct mont_buffer {
	u64 pair[2];
	u64 ready[2];
	struct mont_gap gap[3];
	u64 ahead;
	u64 next_fetch;
	u64 counted;
	u64 cut;
	u64 left[MONT_NR_BUFFER];
	u64 next;
	u64 retires[MONT_NR_BRANCHES];
	u64 oldest;
};

/**
 * struct mont_offer - the two places at the end of the buffer
 * @ready: when the bundle in each is ready
 */
struct mont_offer {
	u64 ready[2];
};

/* Value of the second place: no bundle is asked for. */
#define MONT_OFFER_UNREACHED ~0ULL /* behind a taken branch */
#define MONT_OFFER_NEXT_PAGE (~0ULL - 1) /* its page is not translated yet */

/* The gap in front of the pair that comes next. */
static inline struct mont_gap *mont_buffer_ahead(struct mont_buffer *b)
{
	return &b->gap[b->ahead];
}

/* The gap in front of pair @i. */
static inline const struct mont_gap *mont_buffer_gap(const struct mont_buffer *b, u32 i)
{
	return &b->gap[(b->ahead + 1 + i) % 3];
}

/* Set @ready to the cycle of the bundle at @ip, if it is fetched already; else false. */
static __always_inline bool mont_buffer_has(const struct mont_buffer *b, u64 ip, u64 *ready)
{
	u64 pair = ip & ~31ULL;

	if (likely(pair == b->pair[0]))
		*ready = b->ready[0];
	else if (pair == b->pair[1])
		*ready = b->ready[1];
	else
		return false;
	return true;
}

/* From @cause on, all that is known of @g is that it lasts until @until. */
static __always_inline void mont_gap_until(struct mont_gap *g, enum mont_front cause, u64 until)
{
	/* Each by itself: no loop where @cause is a constant. */
#define MONT_FRONT(name, meaning)                                                        \
	do {                                                                             \
		if (MONT_FRONT_##name < MONT_FRONT_CYCLES && MONT_FRONT_##name >= cause) \
			g->until[MONT_FRONT_##name % MONT_FRONT_CYCLES] = until;         \
	} while (0);
#include "front_end.def"
#undef MONT_FRONT
}

/*
 * The bundle at @ip, the next one in the order of the program, has its translation
 * in cycle @translated, asks the L1I in cycle @asked and comes with its pair in cycle @then.
 * Return: the cycle in which it is ready.
 */
static inline u64 mont_buffer_fetch(struct mont_buffer *b, u64 ip, u64 translated, u64 asked,
				    u64 then)
{
	struct mont_gap *gap = mont_buffer_ahead(b);
	u64 room = b->left[b->next];
	/* A bundle enters in the cycle in which the bundle eight before it leaves. */
	u64 ready = then < room ? room : then;

	gap->until[MONT_FRONT_TLBMISS] = translated;
	gap->until[MONT_FRONT_FILL_RECIRC] = asked;
	gap->until[MONT_FRONT_IMISS] = then;
	gap->until[MONT_FRONT_IBFULL] = ready;
	b->pair[1] = b->pair[0];
	b->ready[1] = b->ready[0];
	b->pair[0] = ip & ~31ULL;
	b->ready[0] = ready;
	b->next_fetch = ready + 1;
	b->ahead = b->ahead ? b->ahead - 1 : 2;
	gap = mont_buffer_ahead(b);
	gap->from = ready + 1;
	mont_gap_until(gap, 0, ready + 1);
	b->cut = MONT_PAIR_NONE;
	return ready;
}

/* True if the bundle at @ip was fetched last, in cycle @at, and has waited for no more than room. */
static inline bool mont_buffer_is_plain(const struct mont_buffer *b, u64 ip, u64 at)
{
	const struct mont_gap *gap = mont_buffer_gap(b, 0);

	return b->pair[0] == (ip & ~31ULL) && gap->until[MONT_FRONT_TLBMISS] == at &&
	       gap->until[MONT_FRONT_IMISS] == at;
}

/* Cycles of the front end before @now, as far as they lie in front of the next fetch, are counted. */
static inline void mont_buffer_count(struct mont_buffer *b, u64 now)
{
	if (now > b->next_fetch)
		now = b->next_fetch;
	if (b->counted < now)
		b->counted = now;
}

/* A bundle has left in cycle @now. */
static inline void mont_buffer_leave(struct mont_buffer *b, u64 now)
{
	b->left[b->next] = now;
	b->next = (b->next + 1) % MONT_NR_BUFFER;
}

/* @nr bundles, two at most, have left in cycle @now. */
static __always_inline void mont_buffer_leave_some(struct mont_buffer *b, u32 nr, u64 now)
{
	u64 next = b->next;

	if (!nr)
		return;
	b->left[next] = now;
	if (nr > 1)
		b->left[(next + 1) % MONT_NR_BUFFER] = now;
	b->next = (next + nr) % MONT_NR_BUFFER;
}

/* A branch leaves the retirement queue, of @entries, in cycle @then. */
static inline void mont_buffer_branch(struct mont_buffer *b, u64 entries, u64 then)
{
	b->retires[b->oldest] = then;
	b->oldest = b->oldest + 1 < entries ? b->oldest + 1 : 0;
}

/* No pair is fetched while the branch retirement queue is full. */
static inline void mont_buffer_wait(struct mont_buffer *b)
{
	u64 then = b->retires[b->oldest];

	if (likely(then <= b->next_fetch))
		return;
	b->next_fetch = then;
	mont_gap_until(mont_buffer_ahead(b), MONT_FRONT_BRQ, then);
}

/* The front end goes on elsewhere after @bubbles cycles without a fetch, for @cause. */
static inline void mont_buffer_redirect(struct mont_buffer *b, u64 bubbles, enum mont_front cause)
{
	b->pair[0] = MONT_PAIR_NONE;
	b->pair[1] = MONT_PAIR_NONE;
	b->next_fetch += bubbles;
	/* Where there are none of it so far, there may be nothing new. */
	if (mont_buffer_ahead(b)->until[cause] != b->next_fetch)
		mont_gap_until(mont_buffer_ahead(b), cause, b->next_fetch);
}

/*
 * Everything is thrown away in cycle @now, up to which the front end has been counted;
 * the next bundle is ready in cycle @then.
 */
static inline void mont_buffer_flush(struct mont_buffer *b, u64 now, u64 then)
{
	u32 i;

	b->pair[0] = MONT_PAIR_NONE;
	b->pair[1] = MONT_PAIR_NONE;
	b->next_fetch = then;
	b->counted = now;
	for (i = 0; i < 3; i++)
		mont_gap_until(&b->gap[i], 0, now);
	mont_buffer_ahead(b)->from = now;
	mont_gap_until(mont_buffer_ahead(b), 0, then);
	__builtin_memset(b->left, 0, sizeof(b->left));
}

/* True if @b can be a saved state. */
static inline bool mont_buffer_valid(const struct mont_buffer *b)
{
	return b->next < MONT_NR_BUFFER && b->ahead < 3 && b->oldest < MONT_NR_BRANCHES;
}

#endif
