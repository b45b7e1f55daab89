/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Execution: the run loop and interruptions.
 */
#ifndef MONT_CORE_CORE_H
#define MONT_CORE_CORE_H

#include "../package/package.h"

/* Text, vector and ISR code of a fault. */
struct mont_fault_info {
	const char *name;
	const char *text;
	u16 vector;
	u16 code;
};

/* Bits of ISR.code that say which traps occurred, fp apart (SDM volume 2, 8.2). */
#define MONT_TRAP_LP 0x2
#define MONT_TRAP_TB 0x4
#define MONT_TRAP_SS 0x8
#define MONT_TRAP_UI 0x10

/* @r must be a fault. */
const struct mont_fault_info *mont_fault_info(enum mont_result r);

/*
 * Deliver interruption @r: through the IVT, or to the host. PSR.ri and IP are
 * those of the instruction to resume at.
 *
 * Return: true if mont_run() must return to the host.
 */
bool mont_interrupt(struct mont_thread *t, enum mont_result r);

/*
 * The vcpu goes on after the host has served an interruption: the way back from
 * level 0 is counted (Documentation/model.rst, C8).
 */
void mont_served(struct mont_thread *t);

/* Registers at processor reset (SDM volume 2, 11.2; manual 3.3.12). */
void mont_thread_reset(struct mont_thread *t);
/* Rebuild everything in struct mont_thread that follows from t->s. */
void mont_thread_sync_derived(struct mont_thread *t);

/*
 * Run one thread for at most @cycles cycles, 1 at least, and until @insns
 * more instructions have retired: the functional model, while t->time is NULL,
 * and the timed one.
 *
 * Return: true if pkg->exit was filled and the host must see it.
 */
bool mont_functional_run(struct mont_thread *t, u64 cycles, u64 insns);
bool mont_timed_run(struct mont_thread *t, u64 cycles, u64 insns);
/* With the timing model: @time, zeroed, is what keeps time for the @threads threads of @core. */
void mont_time_init(struct mont_core *core, struct mont_time *time, u32 threads);

#endif
