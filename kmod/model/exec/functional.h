/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The run loop without time. Called by package/turns.c.
 */
#ifndef MONT_EXEC_FUNCTIONAL_H
#define MONT_EXEC_FUNCTIONAL_H

#include "../package/package.h"

/*
 * Run @t, which keeps no time, for at most @cycles cycles, 1 at least, and until @insns
 * more instructions have retired.
 *
 * Return: true if pkg->exit was filled and the host must see it.
 */
bool mont_functional_run(struct mont_thread *t, u64 cycles, u64 insns);

#endif
