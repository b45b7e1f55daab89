// SPDX-License-Identifier: GPL-2.0-only
/*
 * The dispersal window, stages ROT and EXP (manual 2.3.1).
 */
#include "window.h"
#include "../event/raise.h"
#include "../exec/fetch.h"
#include "../exec/step.h"

const struct mont_bundle_roles *mont_bundle_roles(struct mont_thread *t,
						  const struct mont_bundle *b, u64 pa)
{
	struct mont_bundle_roles *roles = mont_bundle_roles_at(t->pkg->groups, pa);

	if (roles->pa != (pa | 1)) {
		mont_bundle_roles_fill(t->pkg->groups, roles, b,
				       (const u64 *)(t->fetch_host + (pa & 0xff0)));
		roles->pa = pa | 1;
		mont_groups_filled(t->pkg->groups->known, roles - t->pkg->groups->roles);
	}
	return roles;
}

void mont_group_make(struct mont_thread *t, struct mont_group *g, const struct mont_bundle *b,
		     u64 pa, u32 nr, u32 from, u32 split, u32 last)
{
	const struct mont_bundle_roles *roles[2] = { mont_bundle_roles(t, b, pa), NULL };
	struct mont_detail *detail = mont_group_detail(t->pkg->groups, g);
	const u64 *raw = (const u64 *)(t->fetch_host + (pa & 0xff0));

	if (nr == 2)
		roles[1] = mont_bundle_roles(t, b + 1, pa + 16);
	mont_group_fill(g, b, roles, raw, nr, from, (enum mont_lost)split, last);
	*detail = (struct mont_detail){ .raw = { raw[0], raw[1] } };
	if (nr == 2) {
		detail->raw[2] = raw[2];
		detail->raw[3] = raw[3];
	}
	g->id = mont_group_id(pa, nr, from, split, last);
	mont_groups_filled(t->pkg->groups->made, g - t->pkg->groups->group);
	mont_straight_fill(t->pkg->groups, g, &t->pkg->bundle[pa >> 4 & (MONT_NR_BUNDLES - 1)], pa);
}

/* The first slot of bundle @i, from @slot on, that is predicted to be taken; 3: none. */
static u32 window_predict_bundle(struct mont_thread *t, struct mont_window *w, u32 i, u32 slot,
				 u64 now)
{
	if (!(w->b[i].branches >> slot))
		return 3;
	return mont_branches_predict(t, w->ip + 16 * i, &w->b[i], slot, now, &w->branch[3 * i]);
}

/* mont_window_branches() */
static __always_inline bool window_predict_branches(struct mont_thread *t, struct mont_window *w,
						    u64 pa, u64 now)
{
	u32 taken = mont_branches_predict(t, w->ip, w->b, w->from, now, w->branch);

	if (taken == 3)
		return false;
	w->taken = taken;
	t->time->offer.ready[1] = MONT_OFFER_UNREACHED;
	mont_front_cut(t, w->ip);
	mont_window_group(t, w, pa, 1, 3);
	return true;
}

bool mont_window_branches(struct mont_thread *t, struct mont_window *w, u64 pa, u64 now)
{
	return window_predict_branches(t, w, pa, now);
}

void mont_window_branches_behind(struct mont_thread *t, struct mont_window *w, u64 now)
{
	w->taken = 3 + window_predict_bundle(t, w, 1, 0, now);
	if (w->taken < MONT_NO_SLOT)
		mont_front_cut(t, w->ip + 16);
}

void mont_window_form_any(struct mont_thread *t, struct mont_window *w, u64 pa, u64 now)
{
	struct mont_time *time = t->time;
	u64 ready, second;

	mont_bundle_take(t, w->b, pa);
	ready = mont_front_ready(t, w->ip, pa);
	time->offer.ready[0] = ready;
	time->offer.ready[1] = ready;
	if (ready > now)
		mont_stall_until(&t->own.s.stall, MONT_CAUSE_FE, ready);
	w->taken = MONT_NO_SLOT;
	w->watched = (t->attn & MONT_ATTN_SLOW) && mont_bundle_watched(t, w->ip);
	if (unlikely(w->watched)) {
		u32 only = mont_is_mlx(w->b) && w->from ? 2 : w->from;

		if (window_predict_bundle(t, w, 0, w->from, now) == only)
			w->taken = only;
		mont_window_group(t, w, pa, 1, only);
		return;
	}
	if ((w->b->branches >> w->from) && window_predict_branches(t, w, pa, now))
		return;
	if (ready < now)
		ready = now;
	/* A bundle in the next page has not been translated yet. */
	second = MONT_OFFER_NEXT_PAGE;
	if (unlikely(w->ip + 16 == t->until ||
		     ((t->attn & MONT_ATTN_SLOW) && mont_bundle_watched(t, w->ip + 16))))
		second = MONT_OFFER_UNREACHED;
	else if (likely((pa & 0xff0) != 0xff0))
		second = mont_front_ready(t, w->ip + 16, pa + 16);
	time->offer.ready[1] = second;
	if (unlikely(second > ready)) {
		mont_window_group(t, w, pa, 1, 3);
		return;
	}
	/* Bundles of a page are side by side. */
	mont_bundle_take(t, w->b + 1, pa + 16);
	mont_window_branches_behind(t, w, now);
	mont_window_group(t, w, pa, 2, 3);
}

void mont_window_dispersed(struct mont_thread *t, u32 insns, const u8 lost[MONT_NR_LOST],
			   const u8 over[2])
{
	mont_signal_n(t, MONT_SIG_DISPERSED, insns, 0);
	mont_signal_n(t, MONT_SIG_LOST_EXPL, lost[MONT_LOST_EXPL], 0);
	mont_signal_n(t, MONT_SIG_LOST_IMPL, lost[MONT_LOST_IMPL], 0);
	mont_signal_n(t, MONT_SIG_LOST_FE, lost[MONT_LOST_FE], 0);
	mont_signal_n(t, MONT_SIG_LOST_MLX, lost[MONT_LOST_MLX], 0);
	mont_signal_n(t, MONT_SIG_OVER_EXPL, over[MONT_LOST_EXPL], 0);
	mont_signal_n(t, MONT_SIG_OVER_IMPL, over[MONT_LOST_IMPL], 0);
}
