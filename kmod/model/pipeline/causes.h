/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Causes of bubbles (manual 3.2.1.4 and 4.6): until when each of them keeps the
 * next group from issuing, and the passing of the cycles between. Called by each
 * stage that can stall, by threads.c, and by timed.c for the cycles that pass.
 */
#ifndef MONT_CORE_CAUSES_H
#define MONT_CORE_CAUSES_H

#include "../arch/thread.h"

/* Causes that empty the pipe. */
#define MONT_CAUSES_FLUSH (1u << MONT_CAUSE_XPN | 1u << MONT_CAUSE_SWITCH | 1u << MONT_CAUSE_BRU)
/* Causes with which the back end would take a group, if there were one. */
#define MONT_CAUSES_NOT_STALLED (MONT_CAUSES_FLUSH | 1u << MONT_CAUSE_FE)

/*
 * Waits for operands of the group itself: they hold in EXE (or, of the register stack engine's
 * registers, in REN) from the cycle on in which the front end has delivered it (manual 4.6).
 */
#define MONT_CAUSES_OPERANDS                                                      \
	(1u << MONT_CAUSE_FP_LOAD | 1u << MONT_CAUSE_FR | 1u << MONT_CAUSE_LOAD | \
	 1u << MONT_CAUSE_GRGR | 1u << MONT_CAUSE_ARCR | 1u << MONT_CAUSE_PR |    \
	 1u << MONT_CAUSE_RSE_AR_DEP)

/* Causes of the register stack engine, which is busy whatever comes next. */
#define MONT_CAUSES_RSE ((1u << (MONT_CAUSE_RSE_LOADRS + 1)) - (1u << MONT_CAUSE_RSE_BANK_SWITCH))

/*
 * Causes that the parameter stall.free can take away: flushes of a thread, and waits for a value.
 * A stall for room, for a fetch, for the other thread or for the register stack engine's
 * references cannot be taken away: the group has nothing to go on with.
 */
#define MONT_CAUSES_FREE                                                           \
	((MONT_CAUSES_FLUSH & ~(1u << MONT_CAUSE_SWITCH)) | MONT_CAUSES_OPERANDS | \
	 1u << MONT_CAUSE_L1D_NATCONF | 1u << MONT_CAUSE_RSE_BANK_SWITCH)

/* Signal of the bubbles of a cause. */
extern const u8 mont_cause_signal[MONT_NR_CAUSES];

/* @cause holds up to @until, which is later than any cycle already passed. */
static inline void mont_stall_until(struct mont_stall *s, enum mont_cause cause, u64 until)
{
	if (!(s->causes >> cause & 1) || s->until[cause] < until)
		s->until[cause] = until;
	s->causes |= 1u << cause;
}

/* The first cycle from @now on in which no cause holds. */
static inline u64 mont_stall_end(const struct mont_stall *s, u64 now)
{
	u32 left;

	for (left = s->causes; left; left &= left - 1) {
		u64 until = s->until[__builtin_ctz(left)];

		if (until > now)
			now = until;
	}
	return now;
}

/* Count the occupancies up to the cycle that comes next (reference.c). */
void mont_time_occupied(struct mont_thread *t);

/* Count the registers of the frame, and dirty ones, in @n cycles (reference.c). */
void mont_time_frame_slow(struct mont_thread *t, u64 n);

static inline void mont_time_frame(struct mont_thread *t, u64 n)
{
	if (unlikely(t->pmu.frame))
		mont_time_frame_slow(t, n);
}

/*
 * Number of the next @n cycles that may pass at once: a counter of occupancies overflows in
 * its own cycle.
 */
u64 mont_time_together(const struct mont_thread *t, u64 n);

/* True if cycle @now lies behind a mispredicted branch, in front of the flush (wrong_path.c). */
bool mont_wrong_now(const struct mont_thread *t, u64 now);
/* Signal the dispersal of the wrong path in cycle @now; false if nothing disperses. */
bool mont_wrong_dispersed(struct mont_thread *t, u64 now);

/* mont_cycles_pass_unseen() (timed.c). */
bool mont_cycles_unseen(struct mont_thread *t, struct mont_stall *s, enum mont_cause cause, u64 n);

/* Number of the next @n cycles that may pass at once, by the counters of the front end. */
u64 mont_front_together(struct mont_thread *t, u64 n);
/* @n cycles have passed for the front end, without a group, by @cause. */
void mont_front_pass(struct mont_thread *t, u64 n, enum mont_cause cause);

/**
 * mont_stall_trace() - tell of the spans of a stall, if a trace asks for them
 * @t: thread
 * @s: the stall
 * @now: its first cycle
 * @end: the first cycle behind it
 * @operand: by cause, the operand that is waited for; NULL: not known
 */
void mont_stall_trace(struct mont_thread *t, const struct mont_stall *s, u64 now, u64 end,
		      const u64 *operand);

/**
 * mont_cycles_pass() - cycles in which no group issues
 * @t: the thread whose group waits; t->clock is the first of them
 * @s: why: in each cycle up to @end some cause holds
 * @end: the cycle in which the group can issue
 *
 * Each cycle is charged to the first cause that holds in it. An overflow or the
 * timer takes effect in its own cycle; where that requests an interrupt which the
 * thread accepts, the group issues no more.
 *
 * Return: true if the thread must attend to something at t->clock first.
 */
bool mont_cycles_pass(struct mont_thread *t, struct mont_stall *s, u64 end);

#endif
