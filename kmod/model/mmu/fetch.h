/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The page of IP (SDM volume 2, 4.1). Called by the run loops (exec/loop.h,
 * exec/step.c, pipeline/timed.c), and by stores into the page (memory/access.c,
 * isa/memops.c).
 */
#ifndef MONT_MMU_FETCH_H
#define MONT_MMU_FETCH_H

#include "../package/package.h"

/*
 * Make t->fetch_va and t->fetch_pa those of the page of t->s.ip. MONT_RELOAD:
 * there is no code, it is PAL's entry point.
 */
enum mont_result mont_fetch_page(struct mont_thread *t);
/* True if IP is an address that the processor does not implement; all virtual ones are. */
static inline bool mont_fetch_unimplemented(const struct mont_thread *t)
{
	return !(t->s.psr & MONT_PSR_IT) && (t->s.ip & ~MONT_BIT(63)) >> MONT_PA_BITS;
}

/* Call before memory or decoded bundles change under the one being executed. */
void mont_fetch_keep_raw(struct mont_thread *t);

#endif
