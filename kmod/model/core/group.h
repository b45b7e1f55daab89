/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Issue groups as the pipeline works them out once (manual 2.3.1): how the bundles in
 * the dispersal window disperse, which registers they wait for, and what each instruction
 * leaves behind. Kept beside the decoded bundles, by where the group begins.
 */
#ifndef MONT_CORE_GROUP_H
#define MONT_CORE_GROUP_H

#include "operands.h"

/**
 * struct mont_step - an instruction of a group
 * @kind: enum mont_branch_kind
 * @nr_writes: entries of @write
 * @write: its results
 */
struct mont_step {
	u8 kind;
	u8 nr_writes;
	struct mont_write write[MONT_MAX_WRITES];
};

/**
 * struct mont_part - what of a bundle is in a group
 * @first: in the packed bundle, the first instruction that does something
 * @last: the one behind the last of them
 * @end: the slot behind it
 * @next: the slot where the next group goes on; 0 if that is in the next bundle
 * @slot: the last slot with an instruction
 * @insns: instructions
 * @slots: their slots, bit n for slot n
 * @nops: unpredicated nops among them
 */
struct mont_part {
	u8 first;
	u8 last;
	u8 end;
	u8 next;
	u8 slot;
	u8 insns;
	u8 slots;
	u8 nops;
};

/**
 * struct mont_group - an issue group that has been worked out
 * @tag: of its bundles, when valid; the second is 0 if there is none
 * @key: what else it was worked out for
 * @split: why it ends where it does, for the group behind it: enum mont_lost
 * @reads_pmu: an instruction of its bundles reads a PMD or a PMC
 * @multimedia: one reads a multimedia operand
 * @plain: nothing in it changes what is counted, or how it executes, or looks at it
 * @part: of each bundle
 * @tags: what they are tagged with
 * @uses: registers that it waits for
 * @d: how it disperses
 * @step: by slot, of six
 * @predicates: by slot, those written, bit n for pn
 * @roles: by slot
 */
struct mont_group {
	u64 tag[2];
	u16 key;
	u8 split;
	bool reads_pmu;
	bool multimedia;
	bool plain;
	struct mont_part part[2];
	struct mont_window_tags tags;
	struct mont_uses uses;
	struct mont_dispersal d;
	struct mont_step step[6];
	u64 predicates[6];
	struct mont_roles roles[6];
};

/* What a group begins with. */
#define MONT_GROUP_KEY(from, split, last) (0x100 | (from) | (split) << 2 | (last) << 4)

/**
 * mont_group_fill() - work a group out
 * @g: filled, but for its key
 * @b: its first bundle, decoded; the second one follows it
 * @raw: their bytes
 * @nr: bundles the front end has: 1 or 2
 * @from: slots of the first one that are gone: 0..2
 * @split: as for mont_disperse()
 * @last: slot of the first bundle that the group ends behind in any case; 3 for none
 */
void mont_group_fill(struct mont_group *g, const struct mont_bundle *b, const u64 *raw,
		     unsigned int nr, unsigned int from, enum mont_lost split, unsigned int last);

/* By operation: enum mont_branch_kind. */
extern const u8 mont_branch_kind[MONT_NR_OPS];

#define MONT_NR_GROUPS 16384

/* Where a group that begins in slot @from of the bundle at @pa, with @nr bundles, is kept. */
static __always_inline u32 mont_group_place(u64 pa, u32 from, u32 nr)
{
	return ((pa >> 4) * 3 + from + nr * (MONT_NR_GROUPS / 2)) & (MONT_NR_GROUPS - 1);
}

#endif
