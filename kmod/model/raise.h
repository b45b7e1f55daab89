/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Raising signals, and the retirement of instructions that goes with it.
 */
#ifndef MONT_RAISE_H
#define MONT_RAISE_H

#include "thread.h"

/*
 * INST_RETIRED is raised once for a whole bundle, behind its last slot. What
 * changes what is enabled first retires the slots before @slot, under the old
 * state. That ends no issue group: mont_group_end() does.
 */
void mont_retire_upto(struct mont_thread *t, u32 slot);

void mont_signal_slow(struct mont_thread *t, enum mont_signal sig, u64 n, u64 attr);

void mont_retire_now(struct mont_thread *t);

/* Branch to @target: the instruction retires where it is, then IP moves. */
static __always_inline enum mont_result mont_take(struct mont_thread *t, u64 target)
{
	mont_retire_now(t);
	t->s.last_ip = t->s.ip;
	t->s.last_slot = t->sig_slot;
	t->s.ip = target & ~15ULL;
	t->s.slot = 0;
	return MONT_TAKEN;
}

/* Raise @sig once. */
static __always_inline void mont_signal(struct mont_thread *t, enum mont_signal sig, u64 attr)
{
	if (unlikely(--t->sig[sig].left <= 0))
		mont_signal_slow(t, sig, 1, attr);
}

/* Raise a DATA or KIND signal of which @data tells more. */
static __always_inline void mont_signal_data(struct mont_thread *t, enum mont_signal sig, u64 attr,
					     u32 data)
{
	u32 outer = t->sig_data;

	t->sig_data = data;
	mont_signal(t, sig, attr);
	t->sig_data = outer;
}

/* Raise @sig with the value @n, in one cycle; @n of 0 is nothing. */
static __always_inline void mont_signal_n(struct mont_thread *t, enum mont_signal sig, u64 n,
					  u64 attr)
{
	t->sig[sig].left -= (s64)n;
	if (unlikely(t->sig[sig].left <= 0))
		mont_signal_slow(t, sig, n, attr);
}

#endif
