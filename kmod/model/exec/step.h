/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One instruction after the other: bundles that are entered in the middle, or watched. Called by
 * loop.h, and with time by pipeline/issue.h, retire.c and window.c.
 */
#ifndef MONT_EXEC_STEP_H
#define MONT_EXEC_STEP_H

#include "../package/package.h"

/* How a stepped bundle has ended. */
enum mont_stepped {
	MONT_STEPPED_GROUP, /* with its group */
	MONT_STEPPED_INSIDE, /* the group goes on: fetch and look at PSR again */
	MONT_STEPPED_OUT, /* the host must see pkg->exit */
};

/*
 * Execute @b from t->s.slot on, one instruction after the other; @begins: it is
 * the beginning of a group.
 */
enum mont_stepped mont_step(struct mont_thread *t, struct mont_bundle *b, bool begins);

/*
 * True if an instruction of the bundle at @ip, which is executed next, is watched: by single
 * step or a trap, for one instruction, or by a breakpoint. With PSR.db alone groups issue as
 * always.
 */
bool mont_bundle_watched(const struct mont_thread *t, u64 ip);
/*
 * Before an instruction that is watched, under @psr: the instruction debug fault
 * to take, or MONT_NEXT.
 */
enum mont_result mont_fault_before(struct mont_thread *t, u64 psr);
/*
 * After an instruction that completed under @psr with @r: the trap to take, or
 * MONT_NEXT. ISR.code names every trap, the vector is that of the first in the
 * architecture's order (SDM volume 2, 5.5 and table 5-6). rfi traps on nothing
 * but its target.
 */
enum mont_result mont_trap_after(struct mont_thread *t, enum mont_result r, u64 psr);

/* True if the instruction in t->sig_slot, which ends with interruption @r, completes. */
bool mont_completes(const struct mont_thread *t, enum mont_result r);
/* Interruption @r of the instruction in t->sig_slot, begun under @psr; true to return. */
bool mont_deliver(struct mont_thread *t, enum mont_result r, u64 psr);

#endif
