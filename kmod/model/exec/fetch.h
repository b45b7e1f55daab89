/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From bytes of memory to decoded bundles (manual 2.2: instruction fetch).
 * Called by loop.h, and with time by pipeline/timed.c, window.c and
 * wrong_path.c.
 */
#ifndef MONT_EXEC_FETCH_H
#define MONT_EXEC_FETCH_H

#include "../package/package.h"

/* Decode the bundle at physical address @pa, in t's page of fetch, into @b. */
void mont_fetch_decode(struct mont_thread *t, struct mont_bundle *b, u64 pa);

/* Ensure that @b is decoded from @pa, in the page of fetch. */
static __always_inline void mont_bundle_take(struct mont_thread *t, struct mont_bundle *b, u64 pa)
{
	if (unlikely((b->tag ^ pa) - 1 >= MONT_TAG_BITS))
		mont_fetch_decode(t, b, pa);
}

/* Forget what is kept of translations and of the code at IP: base/check.h. */
void mont_check_forget(struct mont_thread *t);

#endif
