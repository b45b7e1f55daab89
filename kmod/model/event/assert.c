// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later
/*
 * Invariants that do not hold (assert.h).
 */
#include "assert.h"
#include "../package/package.h"

void mont_assert_failed(struct mont_thread *t, const char *what)
{
	struct mont_package *pkg = t->pkg;

	if (!pkg->broken)
		pkg->broken = what;
	/* As a host that says stop: the run ends with this group. */
	t->work->stopped = true;
	t->attn |= MONT_ATTN_WORK;
}

const char *mont_broken(const struct mont_package *pkg)
{
	return pkg->broken;
}

void mont_check_set(struct mont_package *pkg, bool slow)
{
	pkg->slow = slow;
}
