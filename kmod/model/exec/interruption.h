/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interruptions: their vectors and how they are delivered (SDM volume 2, 5.5 and 8.3). Called by
 * the run loops where a group ends in a fault or an interrupt (loop.h, step.c, attention.c,
 * pipeline/).
 */
#ifndef MONT_EXEC_INTERRUPTION_H
#define MONT_EXEC_INTERRUPTION_H

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

#endif
