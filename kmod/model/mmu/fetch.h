/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The page of IP (SDM volume 2, 4.1). Called by the run loops (exec/loop.h,
 * exec/step.c, pipeline/timed.c), and by stores into the page (memory/access.c,
 * isa/memops.c).
 */
#ifndef MONT_MMU_FETCH_H
#define MONT_MMU_FETCH_H

#include "translation.h"
#include "../package/package.h"

/*
 * Make t->fetch_va and t->fetch_pa those of the page of t->s.ip. MONT_RELOAD:
 * there is no code, it is PAL's entry point.
 */
enum mont_result mont_fetch_page(struct mont_thread *t);

/* True if the page of @ip can be taken without a translation: mont_fetch_take_known(). */
static __always_inline bool mont_fetch_is_known(const struct mont_thread *t, u64 ip)
{
	return t->fetch[ip >> 12 & (MONT_NR_FETCH - 1)].va == (ip & ~MONT_PAGE_OFFSET);
}

/* Take the page of @ip, for which mont_fetch_is_known() holds, as the page of fetch. */
static __always_inline void mont_fetch_take_known(struct mont_thread *t, u64 ip)
{
	const struct mont_fetch *f = &t->fetch[ip >> 12 & (MONT_NR_FETCH - 1)];

	t->fetch_va = f->va;
	t->fetch_pa = f->pa;
	t->fetch_host = f->host;
	t->fetch_uncached = f->uncached;
}
/* True if IP is an address that the processor does not implement; all virtual ones are. */
static inline bool mont_fetch_unimplemented(const struct mont_thread *t)
{
	return !(t->s.psr & MONT_PSR_IT) && (t->s.ip & ~MONT_BIT(63)) >> MONT_PA_BITS;
}

/* Call before memory or decoded bundles change under the one being executed. */
void mont_fetch_keep_raw(struct mont_thread *t);

#endif
