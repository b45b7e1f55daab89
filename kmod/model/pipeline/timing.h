/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The numbers of the timed model (timing.def). Called by time_state.c and
 * package/param.c; included by hierarchy.h of cache/, arbiter.h of package/ and
 * others that go by the numbers.
 */
#ifndef MONT_PIPELINE_TIMING_H
#define MONT_PIPELINE_TIMING_H

#include "../base/types.h"

struct mont_timing {
#define MONT_TIME(field, name, value, least, most, unit, source) u32 field;
#include "timing.def"
#undef MONT_TIME
};

/* A size can be at most that of its array. */
enum mont_most {
#define MONT_TIME(field, name, value, least, most, unit, source) MONT_MOST_##field = (most),
#include "timing.def"
#undef MONT_TIME
};

#define MONT_SIZE_FITS(field, room) \
	_Static_assert(MONT_MOST_##field == (room), #field " is what there is")

/* Each as timing.def has it. */
static inline void mont_timing_default(struct mont_timing *t)
{
#define MONT_TIME(field, name, value, least, most, unit, source) t->field = value;
#include "timing.def"
#undef MONT_TIME
}

/*
 * The least number of cycles in which what one core does can act on another: the arbiter, the
 * request phase and the snoop phase.
 */
static inline u64 mont_bus_reach(const struct mont_timing *timing)
{
	return 1 + timing->request + timing->snoop;
}

/* The rule that the numbers break together, or NULL: what lies further away takes longer. */
static inline const char *mont_timing_refusal(const struct mont_timing *t)
{
	if (t->l2d > t->l2d_late || t->l2d > t->l2d_queued)
		return "l2d.latency can be neither more than l2d.late nor more than l2d.queued";
	if (t->free_causes & ~MONT_MOST_free_causes)
		return "stall.free: a wait for room or for a fetch cannot be left out; change a size";
	if (t->l2d > t->l3 || t->l3 > t->memory)
		return "l2d.latency, l3.latency and memory.latency must rise in this order";
	return NULL;
}

#endif
