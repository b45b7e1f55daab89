/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Issue groups as the pipeline works them out once (manual 2.3.1): how the bundles in the
 * dispersal window disperse, which registers they wait for, and what each instruction
 * leaves behind. Kept beside the decoded bundles, by where the group begins. Called by
 * window.c and window.h, and by exec/fetch.c and package.c for groups to forget.
 */
#ifndef MONT_PIPELINE_GROUP_H
#define MONT_PIPELINE_GROUP_H

#include "../isa/insns.h"
#include "memo.h"
#include "operands.h"
#include "../pmu/qualify.h"

/**
 * struct mont_step - an instruction of a group
 * @kind: enum mont_branch_kind
 * @nr_writes: entries of @write
 * @more: cycles that its late results take longer than their row of table 2-8 says
 * @pad: 0
 * @write: its results
 */
struct mont_step {
	u8 kind;
	u8 nr_writes;
	u8 more;
	u8 pad;
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
 * @id: what it was worked out for: mont_group_id(); 0: nothing
 * @tag: of its bundles, when valid; the second is 0 if there is none
 * @longest: the largest word of its results
 * @split: why it ends where it does, for the group behind it: enum mont_lost
 * @reads_pmu: an instruction of its bundles reads a PMD or a PMC
 * @multimedia: one reads a multimedia operand
 * @plain: nothing in it changes what is counted, or how it executes, or looks at it
 * @branches: of the second bundle, one of its branches is in the group
 * @part: of each bundle
 * @step: by place in the packed bundle, 3 of each
 * @uses: registers that it waits for
 * @d: how it disperses
 */
struct mont_group {
	u64 id;
	u64 tag[2];
	u16 longest;
	u8 split;
	bool reads_pmu;
	bool multimedia;
	bool plain;
	bool branches;
	struct mont_part part[2];
	struct mont_step step[6];
	struct mont_uses uses;
	struct mont_dispersal d;
};

/* A group is read in every cycle of a program: keep it in few cache lines. */
_Static_assert(sizeof(struct mont_group) == 256, "four cache lines each, and none shared");

/**
 * struct mont_detail - parts of a group that are seldom used
 * @tags: tags of its bundles, where a subscriber qualifies by the instruction
 * @raw: the bytes that its bundles were decoded from
 */
struct mont_detail {
	struct mont_window_tags tags;
	u64 raw[4];
};

/**
 * struct mont_bundle_roles - operands of a bundle's instructions, worked out once for all groups
 * that it is part of
 * @pa: physical address of the bundle, and bit 0; 0: nothing
 * @slot: of each instruction; none in slot 1 of MLX
 */
struct mont_bundle_roles {
	u64 pa;
	struct mont_roles slot[3];
};

/**
 * struct mont_straight_op - an instruction of a group that does something, as a segment needs it
 * @at: where it is, in bytes from the first bundle of the group on
 * @nr: the general register that is its only result, as written, or MONT_NO_GR; MONT_ONE_FR: a
 *	floating-point register is; MONT_TWO_PR: its results are two predicates; MONT_TWO_GR: the
 *	target and the base of a load; MONT_BRANCH: it is a branch that ends the group; MONT_PAST:
 *	an IP-relative br.cond with more of the group behind it; MONT_REFERENCE: a plain reference;
 *	MONT_MOVE: alloc, a check of the ALAT or a move of an application register; MONT_ACCESS: another reference;
 *	MONT_OTHER: it is executed as outside of segments
 * @word: of that result, of each of these predicates, or of that target: struct mont_write
 * @pr: the two predicates or general registers, or the floating-point register, as written; of
 *	a reference the bytes that are referred to, and MONT_ACCESS_*
 */
struct mont_straight_op {
	u8 at;
	u8 nr;
	u16 word;
	u8 pr[2];
};

#define MONT_ONE_FR 0xf2
#define MONT_TWO_GR 0xf3
#define MONT_TWO_PR 0xf4
#define MONT_NO_GR 0xf5
#define MONT_REFERENCE 0xf6
#define MONT_MOVE 0xf7
#define MONT_ACCESS 0xf8
#define MONT_BRANCH 0xf9
#define MONT_PAST 0xfa
#define MONT_OTHER 0xfb

#define MONT_ACCESS_STORE 1
#define MONT_ACCESS_FP 2
#define MONT_ACCESS_PLAIN 4 /* a store, or a load of a floating-point register, that is plain */
/* Of paths (memo.h) alone, in the order in which a group has them: what is no instruction */
#define MONT_FETCH 0xfc /* a pair of bundles is fetched */
#define MONT_GUESS 0xfd /* the branch of a bundle is predicted */
#define MONT_GUARD 0xfe /* a wait depends on a predicate */
#define MONT_END 0xff /* of the path */

/* A bundle is as long as four uops, and its own begin at the second of them. */
#define MONT_BUNDLE_UOPS 4
_Static_assert(sizeof(struct mont_bundle) == MONT_BUNDLE_UOPS * sizeof(struct mont_uop) &&
		       __builtin_offsetof(struct mont_bundle, uop) == sizeof(struct mont_uop),
	       "where the uops of a bundle are");

/**
 * struct mont_straight - what a segment (segment.h) needs of a group
 * @id: that of the group; 0: nothing is here
 * @serial: no other group, of these or other bundles, has or has had this number; 0: nothing is
 *	here
 * @next: mont_group_id() of the group behind it, if that has two bundles; MONT_NO_GROUP: it is
 *	in another page
 * @behind: the place of what is kept of that one; in another page: this
 * @g: the group
 * @b: its bundles
 * @looked: mont_bundle_changes() when these bundles were last found to be those of @g
 * @counts: MONT_COUNTS() of it
 * @longest: the largest word of its results
 * @pending: cycles by which a wait may be longer than that for any result: of multimedia operands
 * @nr: entries of @op
 * @leaves: bundles that leave the instruction buffer with it
 * @branches: MONT_IN_FIRST, MONT_IN_SECOND: the first bundle has branches from where the group
 *	begins on; the group has branches of the second. MONT_BEHIND: the second bundle has
 *	branches, in the group or behind it
 * @lone: likewise, by bundle: its last branch, from where the group begins on, is an IP-relative
 *	br.cond, br.cloop, br.ctop or br.call, or a br.ret, in slot 2, others are @pairs, and the
 *	bundle does not use port B0
 * @pairs: likewise: it has one more, in slot 1, an IP-relative br.cond
 * @rest: so often is the state in front of it not asked for
 * @rests: as many, the next time that asking is of no use
 * @op: in the order of the program
 */
struct mont_straight {
	u64 id;
	u64 serial;
	u64 next;
	struct mont_straight *behind;
	struct mont_group *g;
	struct mont_bundle *b;
	u64 looked;
	u64 counts;
	u16 longest;
	u8 pending;
	u8 nr;
	u8 leaves;
	u8 branches;
	u8 lone;
	u8 pairs;
	u16 rest;
	u16 rests;
	struct mont_straight_op op[6];
};

/* Numbers of instructions, and of unpredicated nops among them, in one word. */
#define MONT_COUNTS(insns, nops) ((u64)(nops) << 32 | (insns))

#define MONT_IN_FIRST 1
#define MONT_IN_SECOND 2
#define MONT_BEHIND 4
#define MONT_NO_GROUP ~0ULL

struct mont_groups;

/* Fill @roles with those of @b, decoded from the 16 bytes @raw. */
void mont_bundle_roles_fill(struct mont_groups *groups, struct mont_bundle_roles *roles,
			    const struct mont_bundle *b, const u64 *raw);

/*
 * Identity of a group: slot @from of the bundle at @pa, @nr bundles, @split as for
 * mont_disperse(), and the slot of the first that it ends behind in any case, 3 for none.
 * Physical addresses end at bit 49.
 */
static __always_inline u64 mont_group_id(u64 pa, u32 nr, u32 from, u32 split, u32 last)
{
	/* The reason of the split matters only for a group that starts inside a bundle. */
	return pa | (u64)(nr << 2 | last) << 60 | (likely(!from) ? 0 : split << 2) | from;
}

/*
 * The identity of a group of two bundles and that of one, which may be predicted, differ in these
 * bits.
 */
#define MONT_ONE_OR_TWO ((1ULL ^ 2) << 62)
/* The physical address of its first bundle in the identity of a group. */
#define MONT_GROUP_PA (MONT_BIT(50) - 16)

/* Instructions of @p from slot @slot on. */
static inline u32 mont_part_rest(const struct mont_part *p, u32 slot)
{
	return mont_nr_slots(p->slots >> slot);
}

/* The step of the instruction in @slot of bundle @i, @b, which is no unpredicated nop. */
static __always_inline const struct mont_step *
mont_step_of(const struct mont_group *g, const struct mont_bundle *b, u32 i, u32 slot)
{
	return &g->step[3 * i + b->at[slot]];
}

/**
 * mont_group_fill() - work a group out
 * @g: filled, but for its id
 * @b: its first bundle, decoded; the second one follows it
 * @roles: of each
 * @raw: their bytes
 * @nr: bundles the front end has: 1 or 2
 * @from: slots of the first one that are gone: 0..2
 * @split: as for mont_disperse()
 * @last: slot of the first bundle that the group ends behind in any case; 3 for none
 */
void mont_group_fill(struct mont_group *g, const struct mont_bundle *b,
		     const struct mont_bundle_roles *const roles[2], const u64 *raw,
		     unsigned int nr, unsigned int from, enum mont_lost split, unsigned int last);

/* By operation: enum mont_branch_kind. */
extern const u8 mont_branch_kind[MONT_NR_OPS];

#define MONT_NR_GROUPS 65536
#define MONT_NR_BUNDLE_ROLES 32768

/*
 * Where a group that begins in slot @from of the bundle at @pa, with @nr bundles, is kept. Most
 * begin with their bundle and have two: these of 1 MB of code lie side by side.
 */
static __always_inline u32 mont_group_place(u64 pa, u32 from, u32 nr)
{
	return ((pa >> 4) + from * 5003 + (2 - nr) * 9001) & (MONT_NR_GROUPS - 1);
}

/**
 * struct mont_groups - groups worked out, of all cores of a package: they follow from memory
 * @group: by mont_group_place(); made again when needed
 * @detail: of each
 * @straight: of each, if it is plain
 * @roles: operands of bundles, by mont_bundle_roles_at()
 * @row: of instructions, by row of the encoding table: mont_roles()
 * @serial: of the last change to @straight
 * @made: bit N: @group has had some of its 64 places from 64 N on filled
 * @known: bit N: as @made, of @roles
 * @memo: states of the pipeline in front of them
 */
struct mont_groups {
	struct mont_group group[MONT_NR_GROUPS];
	struct mont_detail detail[MONT_NR_GROUPS];
	struct mont_straight straight[MONT_NR_GROUPS];
	struct mont_bundle_roles roles[MONT_NR_BUNDLE_ROLES];
	struct mont_row_roles row[MONT_NR_ROWS];
	u64 serial;
	u64 made[MONT_NR_GROUPS / 64 / 64];
	u64 known[MONT_NR_BUNDLE_ROLES / 64 / 64];
	struct mont_memo memo;
};

/* The place numbered @nr, of those that have bits in @map, is filled. */
static __always_inline void mont_groups_filled(u64 *map, u32 nr)
{
	map[nr / 64 / 64] |= 1ULL << (nr / 64 % 64);
}

/* Cold part of the group @g. */
static __always_inline struct mont_detail *mont_group_detail(struct mont_groups *groups,
							     const struct mont_group *g)
{
	return &groups->detail[g - groups->group];
}

/*
 * Work out what a segment needs of the group @g, whose id is known, of the bundles from @b on,
 * decoded from @pa.
 */
void mont_straight_fill(struct mont_groups *groups, struct mont_group *g, struct mont_bundle *b,
			u64 pa);

/* Place of the roles of the bundle at physical address @pa. */
static __always_inline struct mont_bundle_roles *mont_bundle_roles_at(struct mont_groups *groups,
								      u64 pa)
{
	return &groups->roles[pa >> 4 & (MONT_NR_BUNDLE_ROLES - 1)];
}

/*
 * The bundle at physical address @pa is decoded from the 16 bytes @raw: groups with it that were
 * worked out for other bytes are forgotten. NULL: all groups with it are.
 */
void mont_groups_forget(struct mont_groups *groups, u64 pa, const u64 *raw);
/* Any bundle may have changed: no group is known. */
void mont_groups_forget_all(struct mont_groups *groups);

#endif
