/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Turns of cores and threads (manual 2.4 and 2.5; Documentation/model.rst, A14).
 * Called by package.c and state.c.
 */
#ifndef MONT_PACKAGE_TURNS_H
#define MONT_PACKAGE_TURNS_H

#include "package.h"

/* Begin with the first thread of the first core. */
void mont_turns_reset(struct mont_turns *turns);

/* True if @turns can be those of @pkg: its indices are in range. */
bool mont_turns_valid(const struct mont_package *pkg, const struct mont_turns *turns);

/* True if @clock and @other can be those of a package's two cores, whose turns are @turns. */
bool mont_turns_clocks_valid(const struct mont_turns *turns, u64 clock, u64 other);

/* False if every thread is halted, and no timer can wake one. */
bool mont_turns_possible(const struct mont_package *pkg);

/**
 * mont_turns_take() - run a turn, or the rest of one, and where budgets have room some more
 * @pkg: the package, in a mont_run()
 * @cycles: at most so many cycles of the core's clock pass
 * @insns: the turn ends early when so many instructions have retired
 *
 * A thread that halts hands the rest of its turn to its sibling; where all threads of a core are
 * halted, the core sleeps. Turns end where they do whatever @cycles and @insns are. What the
 * host must see is in pkg->exit then.
 */
void mont_turns_take(struct mont_package *pkg, u64 cycles, u64 insns);

#endif
