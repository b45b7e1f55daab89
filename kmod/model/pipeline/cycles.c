// SPDX-License-Identifier: GPL-2.0-only
/*
 * How a thread has spent its cycles, for its host (Documentation/model.rst, T10).
 */
#include "cycles.h"
#include "pipeline.h"

static const struct mont_cause_info infos[MONT_NR_CAUSES] = {
#define MONT_CAUSE(n, b, meaning) { .name = #n, .text = meaning, .bar = MONT_BAR_##b },
#include "causes.def"
#undef MONT_CAUSE
};

_Static_assert(MONT_NR_CAUSES <= MONT_MAX_CAUSES, "hosts have room for them");

const struct mont_cause_info *mont_cause_info(u32 index)
{
	return index < MONT_NR_CAUSES ? &infos[mont_nospec(index, MONT_NR_CAUSES)] : NULL;
}

u64 mont_cause_cycles(const struct mont_thread *t, u32 index)
{
	if (!t->pkg->timing || index >= MONT_NR_CAUSES)
		return 0;
	return t->own.s.stall.spent[mont_nospec(index, MONT_NR_CAUSES)];
}

void mont_cycles(const struct mont_thread *t, struct mont_cycles *c)
{
	u32 i;

	c->cycles = mont_thread_cycles(t);
	c->halted = t->s.halted_cycles;
	c->functional = t->pkg->timing ? t->own.s.functional : c->cycles - c->halted;
	c->unstalled = c->cycles - c->halted - c->functional;
	for (i = 0; i < MONT_NR_CAUSES; i++)
		c->unstalled -= mont_cause_cycles(t, i);
}
