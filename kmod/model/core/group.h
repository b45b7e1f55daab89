/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the pipeline knows of a decoded bundle: operands and ports of its
 * instructions, its branches, and how it disperses with the bundle behind it
 * (manual 2.3.1). Kept beside the decoded bundles, filled when first needed.
 */
#ifndef MONT_CORE_GROUP_H
#define MONT_CORE_GROUP_H

#include "disperse.h"
#include "../isa/roles.h"

/**
 * struct mont_window - a dispersal that has been worked out
 * @key: what it was worked out for: 0 for nothing
 * @partner: number of the partner's contents
 * @d: the dispersal
 */
struct mont_window {
	u32 key;
	u32 partner;
	struct mont_dispersal d;
};

/**
 * struct mont_pipe - the pipeline's view of one decoded bundle
 * @tag: as mont_bundle.tag, when valid
 * @number: of these contents, new each time they change
 * @disperse: template and ports
 * @reads_pmu: an instruction reads a PMD or a PMC
 * @branches: there is a branch in it
 * @multimedia: an instruction reads a multimedia operand
 * @kind: by slot, enum mont_branch_kind
 * @live: by slot, how many in front of it are no nops; of 3: of all
 * @predicates: by slot, those written, bit n for pn
 * @roles: by slot
 * @window: by slot that dispersal begins at, and whether there is a second bundle
 */
struct mont_pipe {
	u64 tag;
	u32 number;
	struct mont_disperse disperse;
	bool reads_pmu;
	bool branches;
	bool multimedia;
	u8 kind[3];
	u8 live[4];
	u64 predicates[3];
	struct mont_roles roles[3];
	struct mont_window window[3][2];
};

/**
 * mont_pipe_fill() - work out what the pipeline must know of a bundle
 * @p: filled
 * @b: as decoded
 * @lo: its bytes 0..7
 * @hi: its bytes 8..15
 */
void mont_pipe_fill(struct mont_pipe *p, const struct mont_bundle *b, u64 lo, u64 hi);

/* It has not been worked out: mont_pipe_disperse(). */
const struct mont_dispersal *mont_window_fill(struct mont_window *w, const struct mont_pipe *first,
					      const struct mont_pipe *second, unsigned int done,
					      enum mont_lost split, unsigned int last);

/**
 * mont_pipe_disperse() - how a window disperses
 * @first: the first bundle
 * @second: the one behind it; NULL if the front end has none
 * @done: slots of @first that are gone: 0..2
 * @split: as for mont_disperse()
 * @last: slot of @first that the group ends behind in any case; 3 for none
 */
static __always_inline const struct mont_dispersal *
mont_pipe_disperse(struct mont_pipe *first, const struct mont_pipe *second, unsigned int done,
		   enum mont_lost split, unsigned int last)
{
	struct mont_window *w = &first->window[done][!!second];
	u32 key = 0x100 | last | (u32)split << 2;

	if (likely(w->key == key && w->partner == (second ? second->number : 0)))
		return &w->d;
	w->key = key;
	return mont_window_fill(w, first, second, done, split, last);
}

#endif
