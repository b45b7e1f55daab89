/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The dispersal window, stages ROT and EXP (manual 2.3.1): the bundles that are at the end
 * of the instruction buffer, what is predicted of their branches, and the group that they
 * make. Called by timed.c, segment.h and wrong_path.c.
 */
#ifndef MONT_PIPELINE_WINDOW_H
#define MONT_PIPELINE_WINDOW_H

#include "branch_unit.h"
#include "front_end.h"

#define MONT_NO_SLOT 6 /* of the six in the window: no branch predicted taken */

/**
 * struct mont_window - the bundles of one group
 * @ip: of the first
 * @b: the first, decoded; the second lies behind it
 * @nr: 1 or 2
 * @watched: the instruction at @from is watched: it is a group of its own
 * @from: slot of the first that dispersal begins at
 * @taken: slot, of six, that is predicted to be a taken branch, as far as the group goes;
 *	MONT_NO_SLOT
 * @branch: by slot, of six: its branches
 * @g: the group, worked out
 * @since: the first cycle in which it could have issued
 * @turn: of the branch of it that was mispredicted
 * @insns: instructions retired before it, if there is a trace
 */
struct mont_window {
	u64 ip;
	struct mont_bundle *b;
	u32 nr;
	bool watched;
	u32 from;
	u32 taken;
	struct mont_branch_slot branch[6];
	struct mont_group *g;
	u64 since;
	struct mont_wrong_turn turn;
	u64 insns;
};

/* Operands of the instructions of @b, decoded from @pa in the page of fetch. */
const struct mont_bundle_roles *mont_bundle_roles(struct mont_thread *t,
						  const struct mont_bundle *b, u64 pa);

/* Work out the group @g. The arguments are those of mont_group_take(). */
void mont_group_make(struct mont_thread *t, struct mont_group *g, const struct mont_bundle *b,
		     u64 pa, u32 nr, u32 from, u32 split, u32 last);

/*
 * Return: the group of @nr bundles from @b on, decoded from @pa in the page of fetch. The other
 * arguments are those of mont_group_fill().
 */
static __always_inline struct mont_group *mont_group_take(struct mont_thread *t,
							  const struct mont_bundle *b, u64 pa,
							  const u32 nr, u32 from, u32 split,
							  u32 last)
{
	u64 id = mont_group_id(pa, nr, from, split, last);
	struct mont_group *g = &t->pkg->groups->group[mont_group_place(pa, from, nr)];

	if (unlikely(g->id != id || g->tag[0] != b->tag || (nr == 2 && g->tag[1] != b[1].tag)))
		mont_group_make(t, g, b, pa, nr, from, split, last);
	return g;
}

/* Tags of the bundles of its group. */
static __always_inline struct mont_window_tags *mont_window_tags(const struct mont_thread *t,
								 const struct mont_window *w)
{
	return &mont_group_detail(t->pkg->groups, w->g)->tags;
}

/* As mont_window_form(), of any group. */
void mont_window_form_any(struct mont_thread *t, struct mont_window *w, u64 pa, u64 now);
/*
 * The first bundle, at @pa, has branches from @w->from on. Return: one is predicted to be
 * taken, and the group is worked out.
 */
bool mont_window_branches(struct mont_thread *t, struct mont_window *w, u64 pa, u64 now);
/*
 * Signal what disperses in a cycle: @insns instructions, and slots that are @lost, or charged
 * @over, by cause (struct mont_dispersal).
 */
void mont_window_dispersed(struct mont_thread *t, u32 insns, const u8 lost[MONT_NR_LOST],
			   const u8 over[2]);
/* The branches of the second bundle are predicted. */
void mont_window_branches_behind(struct mont_thread *t, struct mont_window *w, u64 now);

/* The group of @w, of @nr bundles from @pa on, which ends behind slot @last of the first. */
static __always_inline void mont_window_group(struct mont_thread *t, struct mont_window *w, u64 pa,
					      const u32 nr, u32 last)
{
	w->nr = nr;
	w->g = mont_group_take(t, w->b, pa, nr, w->from, t->own.s.split, last);
}

/* Form the group that begins at IP: it could issue in cycle @now. */
static __always_inline void mont_window_form(struct mont_thread *t, struct mont_time *time,
					     struct mont_window *w, u64 now)
{
	struct mont_thread_time *own = &t->own;
	u64 ip = t->s.ip, pa = t->fetch_pa | (ip & 0xff0), ready, second;
	struct mont_bundle *b = &t->pkg->bundle[pa >> 4 & (MONT_NR_BUNDLES - 1)];
	u32 from = t->s.slot;
	struct mont_group *g = &t->pkg->groups->group[mont_group_place(pa, from, 2)];

	w->ip = ip;
	w->from = from;
	w->b = b;
	/* Most are of two bundles, and have been worked out. */
	if (unlikely(g->id != mont_group_id(pa, 2, from, own->s.split, 3) ||
		     g->tag[0] != b[0].tag || g->tag[1] != b[1].tag || (t->attn & MONT_ATTN_SLOW) ||
		     ip + 16 == t->until) ||
	    MONT_CHECK(t)) {
		mont_window_form_any(t, w, pa, now);
		return;
	}
	w->watched = false;
	w->taken = MONT_NO_SLOT;
	ready = mont_front_ready(t, ip, pa);
	time->offer.ready[0] = ready;
	if (unlikely(ready > now))
		mont_stall_until(&own->s.stall, MONT_CAUSE_FE, ready);
	if (unlikely(b[0].branches >> from) && mont_window_branches(t, w, pa, now))
		return;
	second = ready;
	if (ip & 16)
		second = mont_front_ready(t, ip + 16, pa + 16);
	time->offer.ready[1] = second;
	if (unlikely(second > ready && second > now)) {
		mont_window_group(t, w, pa, 1, 3);
		return;
	}
	w->nr = 2;
	w->g = g;
	/*
	 * Branches behind this group are predicted when theirs is formed, but fetch must
	 * already drop the other bundle of the pair.
	 */
	if (unlikely(b[1].branches) &&
	    (g->branches || ((ip & 16) && time->s.buffer.cut != ip + 16)))
		mont_window_branches_behind(t, w, now);
}

#endif
