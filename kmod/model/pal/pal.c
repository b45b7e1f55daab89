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

enum mont_result mont_pal_enter(struct mont_thread *t)
{
	/* r28 is the index; stacked calls pass it in r32 as well, with arguments behind. */
	u64 index = t->s.gr[28];
	bool stacked = index >= 256 && index < 512;
	u64 arg[4] = { index }, ret[4];
	unsigned int i;

	mont_work(t, MONT_WORK_PAL);
	t->fault_isr = 0;
	if (t->cpl)
		return MONT_FAULT_PRIV_OP;
	for (i = 1; i < 4; i++)
		arg[i] = stacked ? mont_gr(t, 32 + i) : t->s.gr[28 + i];
	(void)mont_pal_call(t, arg, ret);
	for (i = 0; i < 4; i++)
		(void)mont_gr_set(t, 8 + i, ret[i], 0);
	t->s.ip = t->s.br[0] & ~15ULL;
	t->s.slot = 0;
	return MONT_TAKEN;
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
