/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How paths (memo.h) are made of groups that have run, and kept. Called by segment.h, segment_leave.h
 * and segment_note.h.
 */
#ifndef MONT_PIPELINE_PATH_H
#define MONT_PIPELINE_PATH_H

#include "memo.h"

/*
 * Fill @g with the predicates that decide in cycle @now whether an instruction of the group of @s
 * waits. False: there are too many of them.
 */
bool mont_path_guards(const struct mont_thread *t, const struct mont_straight *s, u64 now,
		      struct mont_path_group *g);

/* Begin to make a path from @state on, which is that of cycle @now. */
void mont_path_begin(struct mont_path_made *made, struct mont_memo_state *state, u64 now);

/*
 * Begin to make a path from @state on that is like @path up to its group @group, and meets
 * something else in op @op, which is of that group or ends the one in front of it.
 */
void mont_path_diverge(struct mont_path_made *made, struct mont_memo_state *state, u64 began,
		       struct mont_path *path, u32 group, u32 op);

/*
 * The group @g is done, for which there is room: its instructions have met @off, bit n for op n,
 * and @late; @guess: of the branch of each bundle. False: it comes too late.
 */
bool mont_path_add(struct mont_path_made *made, const struct mont_path_group *g, u32 off, u64 late,
		   const bool guess[2]);

/*
 * Keep the path that has been made. Return: the path; NULL: it is not kept, as no group is in it,
 * or there is no room, and all states may have been forgotten.
 */
struct mont_path *mont_path_keep(struct mont_memo *memo);

/*
 * @path has led to @state, with @met: keep that, if it follows, and there is room. False: there was
 * no room, and all have been forgotten.
 */
bool mont_path_lead(struct mont_memo *memo, struct mont_path *path, u32 met,
		    const struct mont_memo_state *state);

/* True if no group can be added to @made. */
static __always_inline bool mont_path_is_full(const struct mont_path_made *made)
{
	return made->nr_groups == MONT_PATH_GROUPS || made->nr_ops + MONT_GROUP_OPS > MONT_PATH_OPS;
}

#endif
