/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * References that the host serves (SDM volume 2, 4.4.6). Called by access.c and the run loops.
 */
#ifndef MONT_MEMORY_MMIO_H
#define MONT_MEMORY_MMIO_H

#include "../package/package.h"

struct mont_xlat;

/*
 * The bytes at @x, as they lie in memory, in @data: MONT_STOP until the host has
 * them, MONT_FAULT_MACHINE_CHECK where nothing answers.
 */
enum mont_result mont_mmio_load(struct mont_thread *t, const struct mont_xlat *x, u32 size, u32 ref,
				u64 data[2]);
/* Have the host store @data: MONT_STOP, and MONT_NEXT when the instruction is back. */
enum mont_result mont_mmio_store(struct mont_thread *t, const struct mont_xlat *x, u32 size,
				 u32 ref, const u64 data[2]);
/*
 * At a bundle boundary: true if the next instruction must come first, since it is the
 * one whose reference the host has served. @waits: the instruction has been looked at
 * already, and waits to issue.
 */
bool mont_mmio_first(struct mont_thread *t, bool waits);
/* Drop the load that waits or is complete: no instruction takes it. */
void mont_mmio_cancel(struct mont_thread *t);
/* True if a load still waits for the host: the exit is reported again. */
bool mont_mmio_waits(struct mont_package *pkg);

#endif
