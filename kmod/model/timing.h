/* SPDX-License-Identifier: GPL-2.0-only */
/* The numbers of the timed model (timing.def). */
#ifndef MONT_TIMING_H
#define MONT_TIMING_H

#include "types.h"

struct mont_timing {
#define MONT_TIME(field, name, value, least, most, unit, source) u32 field;
#include "timing.def"
#undef MONT_TIME
};

/* Each as timing.def has it. */
static inline void mont_timing_default(struct mont_timing *t)
{
#define MONT_TIME(field, name, value, least, most, unit, source) t->field = value;
#include "timing.def"
#undef MONT_TIME
}

#endif
