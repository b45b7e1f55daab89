/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Breakpoints of the host, for a debugger: nothing of them is in the guest, and a run that
 * comes back at one and goes on is the run that it would have been. Called by the run loops, by
 * exec/fetch.c and memory/access.c for their pages, and by mont_run(), which takes them from the
 * host.
 */
#ifndef MONT_MMU_BREAKPOINT_H
#define MONT_MMU_BREAKPOINT_H

#include "../package/package.h"

/*
 * Set the breakpoints of @pkg until the next call. Decoded bundles are marked anew where
 * breakpoints change.
 */
void mont_breakpoints_set(struct mont_package *pkg, const struct mont_breakpoint *at, u32 nr);

/* True if a bundle may have a breakpoint, by bits 11:4 of its @address. */
static __always_inline bool mont_break_near(const struct mont_breakpoints *b, u64 address)
{
	return b->map[address >> 10 & 3] >> (address >> 4 & 63) & 1;
}

bool mont_break_at_slow(struct mont_thread *t, u64 ip, u32 from, u32 end);

/*
 * True if one of the slots @from up to @end of the bundle at @ip, which are about to be
 * executed, has a breakpoint of @t->breakpoints. The exit is filled then.
 */
static __always_inline bool mont_break_at(struct mont_thread *t, u64 ip, u32 from, u32 end)
{
	return mont_break_near(t->breakpoints, ip) && mont_break_at_slow(t, ip, from, end);
}

bool mont_page_watched_slow(const struct mont_breakpoints *b, u64 va);

/* True if a byte of the 4 KB page of @va is watched: references there take no fast path. */
static __always_inline bool mont_page_watched(const struct mont_package *pkg, u64 va)
{
	return unlikely(pkg->breakpoints.nr_data) && mont_page_watched_slow(&pkg->breakpoints, va);
}

void mont_watch_slow(struct mont_thread *t, const struct mont_ref *ref, u32 access);

/* The reference @ref has been made: the run ends behind its group if it is watched. */
static __always_inline void mont_watch(struct mont_thread *t, const struct mont_ref *ref,
				       u32 access)
{
	if (unlikely(t->pkg->breakpoints.nr_data))
		mont_watch_slow(t, ref, access);
}

#endif
