// SPDX-License-Identifier: GPL-2.0-only
/*
 * The functional mode: the run loop without the timing model.
 *
 * A cycle is an issue group then, and that is a bundle or what a branch or an
 * interruption leaves of one: the dispersal rules (manual 2.3.1) have no part
 * here (assumption, stated in Documentation/model.rst).
 */
#define MONT_KEEPS_TIME(t) false
#include "functional.h"
#include "../platform/interrupts.h"
#include "../mmu/breakpoint.h"
#include "../pmu/pmu.h"

/* Count the cycle of a group where the group begins. */
static __always_inline void group_begin(struct mont_thread *t)
{
	t->clock++;
}

#include "loop.h"

bool mont_functional_run(struct mont_thread *t, u64 cycles, u64 insns)
{
	u64 deadline = t->clock + cycles, insns0 = t->s.insns;
	struct mont_work *work = t->work;

	/* Differences: a state that was loaded may be close to the end of 64 bits. */
	while (t->inside || (t->clock != deadline && t->s.insns - insns0 < insns && !t->s.halted &&
			     mont_work_goes_on(work))) {
		u64 room = mont_work_plain(work) / (2 * MONT_WORK_BUNDLE) + 1;
		u64 groups = deadline - t->clock;
		u64 left = insns - (t->s.insns - insns0), i = left / 3 + !!(left % 3);
		u64 timer = mont_itm_distance(t), at = t->clock - t->inside;
		bool out;

		/* A group is a cycle, and three instructions at most. */
		if (groups > i)
			groups = i;
		if (timer && groups > timer)
			groups = timer;
		/* Half of what is left for the bundles themselves, half for what they cause. */
		if (groups > room)
			groups = room;
		work->left -= (s64)groups * MONT_WORK_BUNDLE;
		/* A halt ends the run within the bundle that asks for it. */
		out = mont_loop(t, &groups);
		work->left += (s64)groups * MONT_WORK_BUNDLE;
		/* A breakpoint inside a group: its end is handled once its rest has been executed. */
		if (t->inside)
			return true;
		if (t->attn & MONT_ATTN_GROUP)
			mont_group_end(t);
		t->sig_slot = t->s.slot;
		t->retire_from = t->s.slot;
		if (t->clock != at) {
			work->left -= MONT_WORK_TURN;
			if (!mont_itm_distance(t))
				mont_itm_match(t);
		}
		if (out)
			return true;
	}
	return false;
}
