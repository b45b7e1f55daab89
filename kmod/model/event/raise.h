/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * Raising signals, and the retirement of instructions that goes with it. Called
 * by each unit for the signals that are its own.
 */
#ifndef MONT_EVENT_RAISE_H
#define MONT_EVENT_RAISE_H

#include "../arch/thread.h"

/*
 * INST_RETIRED is raised once for a whole bundle, behind its last slot. What
 * changes what is enabled first retires the slots before @slot, under the old
 * state. That ends no issue group: mont_group_end() does.
 */
void mont_retire_upto(struct mont_thread *t, u32 slot);

/* A countdown has ended: deliver the occurrence to the subscribers. */
void mont_signal_slow(struct mont_thread *t, enum mont_signal sig, u64 n, u64 attr);
void mont_signal_at_slow(struct mont_thread *t, enum mont_signal sig, u64 attr, u64 at);
void mont_signal_line_slow(struct mont_thread *t, enum mont_signal sig, const struct mont_ref *ref,
			   u64 state, u64 at);
void mont_signal_sent_slow(struct mont_thread *t, enum mont_signal sig, const struct mont_ref *ref,
			   u64 line, u64 at);
void mont_signal_branch_slow(struct mont_thread *t, u32 type, u64 target, bool taken);

/* Raise @sig once; it is neither DATA nor BRANCH. */
static __always_inline void mont_signal(struct mont_thread *t, enum mont_signal sig, u64 attr)
{
	if (unlikely(--t->sig[sig].left < 0))
		mont_signal_slow(t, sig, 1, attr);
}

/*
 * The cycle of the present group, if that is still to be told, is one in which something retires:
 * raised behind the group, or before what is counted changes in it.
 */
static __always_inline void mont_cycle_retires(struct mont_thread *t)
{
	enum mont_signal sig = t->pmu.retires;

	if (likely(!sig))
		return;
	t->pmu.retires = 0;
	mont_signal(t, sig, 0);
}

/* The instruction in t->sig_slot retires, with those in front of it. */
static __always_inline void mont_retire_now(struct mont_thread *t)
{
	u32 end = t->sig_slot + 1, nr = t->cur->nr, n = end < nr ? end : nr;

	if (unlikely(t->retire_from)) {
		mont_retire_upto(t, end);
		return;
	}
	t->retire_from = end;
	t->s.insns += n;
	if (unlikely(t->tagged)) {
		t->tagged->upto[end]++;
		return;
	}
	t->countdown[0][MONT_SIG_INST_RETIRED].left -= n;
	if (unlikely(t->countdown[0][MONT_SIG_INST_RETIRED].left < 0))
		mont_signal_slow(t, MONT_SIG_INST_RETIRED, n,
				 ((1u << end) - 1) & mont_slots(t->cur));
}

/* Raise @sig once: it happens in the cycle with which @at have passed. */
static __always_inline void mont_signal_at(struct mont_thread *t, enum mont_signal sig, u64 attr,
					   u64 at)
{
	if (unlikely(--t->sig[sig].left < 0))
		mont_signal_at_slow(t, sig, attr, at);
}

/*
 * Take one off the countdown of @sig for an occurrence that no subscriber has to see. False, and
 * nothing has changed: one must.
 */
static __always_inline bool mont_signal_unseen(struct mont_thread *t, enum mont_signal sig)
{
	if (likely(--t->sig[sig].left >= 0))
		return true;
	t->sig[sig].left++;
	return false;
}

static __always_inline void mont_go_to(struct mont_thread *t, u64 target)
{
	t->s.last_ip = t->s.ip;
	t->s.last_slot = t->sig_slot;
	t->s.ip = target & ~15ULL;
	t->s.slot = 0;
}

/* Branch to @target: the instruction retires where it is, then IP moves. */
static __always_inline enum mont_result mont_take(struct mont_thread *t, u64 target)
{
	mont_retire_now(t);
	mont_go_to(t, target);
	return MONT_TAKEN;
}

/*
 * Branch to @target with an instruction that is not tagged, where no subscriber has to see the
 * branch or what retires with it. False, and nothing has changed: one may have to.
 */
static __always_inline bool mont_take_unseen(struct mont_thread *t, u64 target)
{
	u32 end = t->sig_slot + 1, nr = t->cur->nr, n = end < nr ? end : nr;

	if (unlikely(t->retire_from || t->tagged ||
		     t->countdown[0][MONT_SIG_INST_RETIRED].left < (s64)n ||
		     !mont_signal_unseen(t, MONT_SIG_BRANCH_RETIRED)))
		return false;
	t->retire_from = end;
	t->s.insns += n;
	t->countdown[0][MONT_SIG_INST_RETIRED].left -= n;
	mont_go_to(t, target);
	return true;
}

/*
 * Raise the DATA signal @sig of @ref, which has met a cache line in @state (MONT_LINE_*), or
 * has another attribute: it happens in the cycle with which @at have passed.
 */
static __always_inline void mont_signal_line_at(struct mont_thread *t, enum mont_signal sig,
						const struct mont_ref *ref, u64 state, u64 at)
{
	if (unlikely(--t->sig[sig].left < 0))
		mont_signal_line_slow(t, sig, ref, state, at);
}

/*
 * Raise the signal @sig of transactions.def of @ref: it happens in the cycle with which @at have passed,
 * or when @line is issued, if that is not 0.
 */
static __always_inline void mont_signal_sent_at(struct mont_thread *t, enum mont_signal sig,
						const struct mont_ref *ref, u64 line, u64 at)
{
	if (unlikely(--t->sig[sig].left < 0))
		mont_signal_sent_slow(t, sig, ref, line, at);
}

/* Raise the DATA signal @sig of @ref with the attribute @state, in the present cycle. */
static __always_inline void mont_signal_line(struct mont_thread *t, enum mont_signal sig,
					     const struct mont_ref *ref, u64 state)
{
	mont_signal_line_at(t, sig, ref, state, t->clock);
}

/* Raise the DATA signal @sig of @ref, in the present cycle. */
static __always_inline void mont_signal_ref(struct mont_thread *t, enum mont_signal sig,
					    const struct mont_ref *ref)
{
	mont_signal_line(t, sig, ref, 0);
}

/* The branch in the current slot retires. */
static __always_inline void mont_signal_branch(struct mont_thread *t, u32 type, u64 target,
					       bool taken)
{
	if (unlikely(--t->sig[MONT_SIG_BRANCH_RETIRED].left < 0))
		mont_signal_branch_slow(t, type, target, taken);
}

/* The load @ref, which the L1D has not served, has @latency: it may be one to tell of. */
static __always_inline void mont_signal_late(struct mont_thread *t, const struct mont_ref *ref,
					     u64 latency, u64 at)
{
	if (unlikely(latency > t->pmu.late) && !(ref->kind & MONT_DATA_RSE))
		mont_signal_line_at(t, MONT_SIG_LOAD_LATE, ref, latency, at);
}

/* Raise @sig with the value @n, in one cycle; @n of 0 is nothing. */
static __always_inline void mont_signal_n(struct mont_thread *t, enum mont_signal sig, u64 n,
					  u64 attr)
{
	t->sig[sig].left -= (s64)n;
	if (unlikely(t->sig[sig].left < 0))
		mont_signal_slow(t, sig, n, attr);
}

/* @n instructions of the group in progress have been fetched and do not retire. */
static inline void mont_killed(struct mont_thread *t, u32 n)
{
	t->pmu.fate.killed += n;
	mont_signal_n(t, MONT_SIG_KILLED, n, 0);
}

#endif
