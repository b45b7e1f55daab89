/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * PMCs and PMDs by number (manual 3.3): what they hold, keep and hide. Called by moves of
 * registers (isa/regmove.c), the host's view and the state's check.
 */
#ifndef MONT_PMU_REGISTERS_H
#define MONT_PMU_REGISTERS_H

#include "pmu.h"

/* Every PMU register to its reset state (manual 3.3.12), everything armed. */
void mont_pmu_reset(struct mont_thread *t);

/**
 * mont_pmc_read() - mov =pmc; for level 0, which alone may
 * @t: thread
 * @idx: register number; bits 7:0 count
 *
 * Return: its value; 0 for a register that does not exist.
 */
u64 mont_pmc_read(struct mont_thread *t, u64 idx);

/**
 * mont_pmc_write() - mov pmc=; for level 0, which alone may
 * @t: thread
 * @idx: register number; bits 7:0 count
 * @v: value. Ignored bits read as zero afterwards, reserved bits keep their
 *     reset value, and a register that does not exist takes no notice.
 *
 * In force for the next signal. Sets t->s.pmu.uncounted and t->pmu.unreported.
 */
void mont_pmc_write(struct mont_thread *t, u64 idx, u64 v);

/**
 * mont_pmd_read() - mov =pmd
 * @t: thread
 * @idx: register number; bits 7:0 count
 * @cpl: level that asks
 *
 * Return: its value; 0 for a register that does not exist, and at @cpl other
 * than 0 when PSR.sp is set or the controlling PMC has pm set.
 */
u64 mont_pmd_read(struct mont_thread *t, u64 idx, u32 cpl);

/* mov pmd=; for level 0, which alone may. */
void mont_pmd_write(struct mont_thread *t, u64 idx, u64 v);

/* True if @s can be the state of a PMU. For state that comes from outside. */
bool mont_pmu_state_valid(const struct mont_pmu_state *s);

#endif
