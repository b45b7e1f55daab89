/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instruction prefetch, beside stage IPG (manual 2.2, 4.8.1 and 4.10; the rules that no
 * source gives are F10 to F13 of Documentation/front-end.rst).
 *
 * A pipe of its own asks the L1I for one line a cycle: first for those that hints have
 * named, which wait in the prefetch virtual address buffer (PVAB), then for the next one
 * of the stream. Its state is brought up to a cycle when needed, not ticked. Included by
 * pipeline.h.
 */
#ifndef MONT_PIPELINE_PVAB_H
#define MONT_PIPELINE_PVAB_H

#include "../cache/hierarchy.h"

#define MONT_NR_PVAB 8 /* assumption */

/**
 * struct mont_hint - a line that a hint has named
 * @va: virtual address
 * @from: the first cycle in which it can leave the PVAB
 */
struct mont_hint {
	u64 va;
	u64 from;
};

/**
 * struct mont_prefetch - the prefetch pipe
 * @next: the first cycle that it has not been through
 * @waits: line in the pipe that has no entry of the RAB, bit 0 set; 0: none
 * @stream: line that the stream asks for next, bit 0 set; 0: there is no stream
 * @fetched: line that the fetch stage reads, if there is a stream
 * @pvab: what hints have named, the oldest at @first, @nr of them
 * @first: 0..MONT_NR_PVAB - 1
 * @nr: 0..MONT_NR_PVAB
 */
struct mont_prefetch {
	u64 next;
	u64 waits;
	u64 stream;
	u64 fetched;
	struct mont_hint pvab[MONT_NR_PVAB];
	u32 first;
	u32 nr;
};

/* True if there is anything to prefetch. */
static inline bool mont_prefetch_busy(const struct mont_prefetch *p)
{
	return p->stream | p->waits | p->nr;
}

/* True if @p can be a saved state: its indexes are in range. */
static inline bool mont_prefetch_valid(const struct mont_prefetch *p)
{
	return p->first < MONT_NR_PVAB && p->nr <= MONT_NR_PVAB;
}

/* Go on with the stream @p behind the fetch of the line at @va. */
static __always_inline void mont_prefetch_fetched(struct mont_prefetch *p, u64 va)
{
	p->fetched = va & ~(u64)(MONT_L1_LINE - 1);
	if (p->stream && (p->stream & ~1ULL) <= p->fetched)
		p->stream = (p->fetched + MONT_L1_LINE) | 1;
}

#endif
