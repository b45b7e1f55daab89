/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The groups of a segment (segment.h): what is kept of the one that comes next, found by its
 * identity, or worked out. Included by segment_form.h and segment_leave.h: a
 * template.
 */
#ifndef MONT_PIPELINE_SEGMENT_FIND_H
#define MONT_PIPELINE_SEGMENT_FIND_H

#include "segment_place.h"
#include "../exec/fetch.h"

/* True if @s, whose id is not 0, has been worked out for its bundles as they are now. */
static noinline bool segment_look(struct mont_straight *s, u64 changes)
{
	const struct mont_group *g = s->g;

	if (g->tag[0] != s->b[0].tag || (g->tag[1] && g->tag[1] != s->b[1].tag))
		return false;
	s->looked = changes;
	return true;
}

/*
 * True if @s is that of the group @id, worked out for its bundles as they are now: @changes is
 * mont_bundle_changes().
 */
static __always_inline bool segment_has(struct mont_straight *s, u64 id, u64 changes)
{
	return likely(s->id == id) && (likely(s->looked == changes) || segment_look(s, changes));
}

/*
 * Work out the group of @nr bundles, in one page, that begins as the group @id does. NULL: it is
 * not plain.
 */
static noinline struct mont_straight *segment_make_group(struct mont_thread *t, struct segment *run,
							 u64 id, u32 nr)
{
	u64 pa = id & MONT_GROUP_PA;
	struct mont_bundle *b = &t->pkg->bundle[pa >> 4 & (MONT_NR_BUNDLES - 1)];
	struct mont_groups *groups = t->pkg->groups;
	u32 from = id & 3, split = id >> 2 & 3;
	struct mont_straight *s;
	struct mont_group *g;

	/* The group may take the place of the one that is done. */
	segment_settle(t, run);
	mont_bundle_take(t, b, pa);
	if (nr == 2) {
		mont_bundle_take(t, b + 1, pa + 16);
		g = mont_group_take(t, b, pa, 2, from, split, 3);
	} else {
		g = mont_group_take(t, b, pa, 1, from, split, 3);
	}
	run->changes = mont_bundle_changes(t->pkg, pa);
	s = &groups->straight[g - groups->group];
	return s->id == g->id && segment_look(s, run->changes) ? s : NULL;
}

/* The place of the group @id of two bundles. */
static __always_inline struct mont_straight *segment_place_of_two(const struct mont_thread *t,
								  u64 id)
{
	return &t->pkg->groups->straight[mont_group_place(id & MONT_GROUP_PA, id & 3, 2)];
}

/* The place of the group of one bundle that begins as the group @id of two does. */
static __always_inline struct mont_straight *segment_place_of_one(const struct mont_thread *t,
								  u64 id)
{
	return &t->pkg->groups->straight[mont_group_place(id & MONT_GROUP_PA, id & 3, 1)];
}

/*
 * Find the group of one bundle that begins as the group @id of two does. NULL: it is not plain.
 */
static __always_inline struct mont_straight *segment_one(struct mont_thread *t, struct segment *run,
							 u64 id)
{
	struct mont_straight *s = segment_place_of_one(t, id);

	if (likely(segment_has(s, id ^ MONT_ONE_OR_TWO, run->changes)))
		return s;
	return segment_make_group(t, run, id, 1);
}

/* True if the bundle at @at, an address or an identity of a group, is the last of its page. */
static __always_inline bool segment_ends_page(u64 at)
{
	return (at & 0xff0) == 0xff0;
}

/* segment_find() of a group of two bundles that is not kept. */
static noinline struct mont_straight *segment_find_other(struct mont_thread *t, struct segment *run,
							 u64 id)
{
	struct mont_straight *s;

	if (unlikely(id == MONT_NO_GROUP))
		return NULL;
	s = segment_place_of_one(t, id);
	if (segment_has(s, id ^ MONT_ONE_OR_TWO, run->changes) &&
	    ((s->branches & MONT_IN_FIRST) || segment_ends_page(id)))
		return s;
	return segment_make_group(t, run, id, segment_ends_page(id) ? 1 : 2);
}

/*
 * Find the group that begins as the group @id of two bundles does: @s, which has two, or one of one
 * bundle, where a branch has always been predicted to be taken, or which is the last of its page,
 * as the next one has not been translated yet. NULL: the group is not plain.
 */
static __always_inline struct mont_straight *
segment_find(struct mont_thread *t, struct segment *run, struct mont_straight *s, u64 id)
{
	return likely(segment_has(s, id, run->changes)) ? s : segment_find_other(t, run, id);
}

/*
 * The place of the group at @ip, to which a branch has led, in the page of fetch; @id: its
 * identity.
 */
static __always_inline struct mont_straight *segment_target(const struct mont_thread *t, u64 ip,
							    u64 *id)
{
	u64 pa = t->fetch_pa | (ip & 0xff0);

	*id = mont_group_id(pa, 2, 0, 0, 3);
	return &t->pkg->groups->straight[mont_group_place(pa, 0, 2)];
}

#endif
