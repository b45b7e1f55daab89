/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A stall: causes of bubbles (manual 3.2.1.4 and 4.6), and until when each of them keeps the next
 * group from issuing. Called by each stage that can stall, and by account.c for references.
 */
#ifndef MONT_PIPELINE_STALL_H
#define MONT_PIPELINE_STALL_H

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

/* Causes of the L1D's pipe. */
#define MONT_CAUSES_L1D ((2u << MONT_CAUSE_L1D_STBUFRECIR) - (1u << MONT_CAUSE_L1D_TLB))

/*
 * Causes that the parameter stall.free can take away: flushes of a thread, and waits for a value.
 * A stall for room, for a fetch, for the other thread or for the register stack engine's
 * references cannot be taken away: the group has nothing to go on with.
 */
#define MONT_CAUSES_FREE                                                           \
	((MONT_CAUSES_FLUSH & ~(1u << MONT_CAUSE_SWITCH)) | MONT_CAUSES_OPERANDS | \
	 1u << MONT_CAUSE_L1D_NATCONF | 1u << MONT_CAUSE_RSE_BANK_SWITCH)

/* Signal of the bubbles of a cause (causes.c). */
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

#endif
