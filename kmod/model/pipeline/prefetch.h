/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instruction prefetch: the pipe that goes through pvab.h (manual 2.2, 4.8.1 and 4.10). Called by
 * front_end.c, front_end.h and wrong_path.c beside fetches, by branch_unit.c for hints, by
 * reference.c, and by package/param.c.
 */
#ifndef MONT_PIPELINE_PREFETCH_H
#define MONT_PIPELINE_PREFETCH_H

#include "../arch/thread.h"

struct mont_reply;
struct mont_prefetch;

/*
 * Find the physical address of @va, which is fetched speculatively. False: not cacheable, no
 * memory, or not in the L1 ITLB (4.10: a prefetch that misses the ITLB is cancelled).
 */
bool mont_prefetch_place(const struct mont_thread *t, u64 va, u64 *pa);

/* The prefetch pipe goes on, up to cycle @upto. */
void mont_prefetch_run(struct mont_thread *t, u64 upto);
/* The L2I takes one request a cycle: that of a fetch, which met @reply, else a prefetch's. */
void mont_prefetch_yield(struct mont_prefetch *p, const struct mont_reply *reply);
/* Fetch reads the line at @va in cycle @now. */
void mont_prefetch_follow(struct mont_thread *t, u64 va, u64 now);
/*
 * The stream ends in cycle @now: fetch goes on elsewhere. If @from is not 0 it begins again
 * at @target, which is fetched in cycle @from.
 */
void mont_prefetch_redirect(struct mont_thread *t, u64 now, u64 target, u64 from);
/* A hint, whose group has issued in cycle @issued, names the line at @va. */
void mont_prefetch_hint(struct mont_thread *t, u64 va, u64 issued);
/* No more than @nr hints are kept from now on. */
void mont_prefetch_fit(struct mont_prefetch *p, u32 nr);

#endif
