/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * Invariants of the model, which hold whatever the guest or the host do. Builds with
 * MONT_CHECKS (tests, sanitizers, kernels with KASAN) look at them; elsewhere they cost
 * nothing. One that fails ends the package, and nothing else: mont_broken() names it, and
 * each mont_run() from there on comes back with MONT_EXIT_BROKEN. Called by the timed pipeline
 * (pipeline/reference.c, timed.c), and by package/deliver.c.
 */
#ifndef MONT_EVENT_ASSERT_H
#define MONT_EVENT_ASSERT_H

#include "../arch/thread.h"

#ifdef MONT_CHECKS
#define MONT_CHECKED true
#else
#define MONT_CHECKED false
#endif

/* The invariant @what, less than 96 characters, does not hold in the package of @t. */
void mont_assert_failed(struct mont_thread *t, const char *what);

#define MONT_ASSERT(t, good, what)                     \
	do {                                           \
		if (MONT_CHECKED && unlikely(!(good))) \
			mont_assert_failed(t, what);   \
	} while (0)

#endif
