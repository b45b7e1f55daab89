// SPDX-License-Identifier: GPL-2.0-only
/* The table of PAL procedures and the call (SDM volume 2, 11.10; pal.def). */
#include "pal.h"

static const struct mont_pal_proc mont_pal_procs[] = {
#define MONT_PAL(number, title, function, text) \
	{ .index = number, .name = title, .what = text, .call = mont_pal_##function },
#include "pal.def"
#undef MONT_PAL
};

const struct mont_pal_proc *mont_pal_at(unsigned int n)
{
	return n < MONT_ARRAY_SIZE(mont_pal_procs) ? &mont_pal_procs[n] : NULL;
}

int mont_pal_call(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	unsigned int n;

	ret[0] = MONT_PAL_UNIMPLEMENTED;
	ret[1] = 0;
	ret[2] = 0;
	ret[3] = 0;
	for (n = 0; n < MONT_ARRAY_SIZE(mont_pal_procs); n++) {
		if (mont_pal_procs[n].index == arg[0]) {
			ret[0] = mont_pal_procs[n].call(t, arg, ret);
			break;
		}
	}
	return 0;
}
