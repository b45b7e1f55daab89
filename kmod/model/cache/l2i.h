/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests of the L1I to the L2I (manual 2.3.3.2 and 4.8.3). Called by l1i.c, and
 * by pipeline/front_end.c for fetches that are not cached.
 */
#ifndef MONT_CACHE_L2I_H
#define MONT_CACHE_L2I_H

#include "l3.h"

/* An instruction line that the L1I lacks, for MONT_L3_INSN or _PREFETCH: when it is there. */
u64 mont_l2i_read(struct mont_hierarchy *h, u64 pa, enum mont_l3_op op, u64 now,
		  struct mont_reply *reply);
/* Instructions that are not cached pass through: the cycle in which they are there. */
u64 mont_l2i_uncached(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply);

#endif
