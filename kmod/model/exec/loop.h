/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The run loop: fetch, execute, retire, group by group. A template, included by
 * functional.c alone, which calls mont_loop() and has defined before the step at
 * which time passes:
 *
 *   group_begin(t)		a group begins with the bundle at IP
 *
 * The order in which things happen is here; with time timed_loop() has it
 * (pipeline/timed.c).
 */
#include "attention.h"
#include "fetch.h"
#include "interruption.h"
#include "squash.h"
#include "step.h"
#include "plain.h"
#include "../base/check.h"
#include "../pal/pal.h"

/* All of the bundle retires, but for what has retired already. */
static __always_inline void retire_bundle(struct mont_thread *t, const struct mont_bundle *b,
					  const bool tagged)
{
	struct mont_countdown *retired = &t->countdown[0][MONT_SIG_INST_RETIRED];
	u32 nr = b->nr;

	count_nops(t, b, 3, tagged);
	if (unlikely(t->retire_from)) {
		t->sig_slot = 2;
		mont_retire_upto(t, 3);
		t->retire_from = 0;
	} else if (tagged) {
		t->s.insns += nr;
		t->tagged->upto[3]++;
	} else {
		t->s.insns += nr;
		retired->left -= nr;
		if (unlikely(retired->left < 0)) {
			t->sig_slot = 2;
			t->retire_from = 3;
			mont_signal_slow(t, MONT_SIG_INST_RETIRED, nr, mont_slots(b));
			t->retire_from = 0;
		}
	}
	t->s.last_ip = t->s.ip;
	t->s.ip += 16;
}

/* The decoded bundle at IP, which is in the page of fetch; it may be another one's place. */
static __always_inline struct mont_bundle *bundle_at_ip(const struct mont_thread *t, u64 *pa)
{
	u64 offset;

	*pa = t->fetch_pa | (t->s.ip & 0xff0);
	/* As an index, it would be shifted to the right and back. */
	offset = (*pa & (MONT_NR_BUNDLES - 1) << 4) * (sizeof(struct mont_bundle) / 16);
	return (struct mont_bundle *)((u8 *)t->pkg->bundle + offset);
}

static __always_inline bool in_fetch_page(const struct mont_thread *t)
{
	return likely((t->s.ip & ~0xfffULL) == t->fetch_va);
}

/* True if @b is decoded from @pa, and may be run whole. */
static __always_inline bool is_whole(const struct mont_bundle *b, u64 pa)
{
	return likely(((b->tag ^ pa) | MONT_TAG_PAGE_END) == (MONT_TAG_VALID | MONT_TAG_PAGE_END));
}

/* Execute the instructions of @b, which is packed and tagged. Return: as run_plain_bundle(). */
static __always_inline u32 run_tagged_bundle(struct mont_thread *t, const struct mont_bundle *b)
{
	const struct mont_uop *u = b->uop;
	enum mont_result r;

	for (;; u++) {
		t->sig_slot = u->flags >> MONT_UOP_SLOT_SHIFT;
		mont_tags_slot(t, t->sig_slot);
		if (unlikely(!mont_pr(t, u->qp)))
			mont_squash(t, u);
		if (likely(mont_pr(t, u->qp) || u->flags & MONT_UOP_ALWAYS)) {
			r = mont_execute(t, u);
			if (unlikely(r != MONT_NEXT))
				return r;
		}
		if (u->code & MONT_CODE_LAST)
			return MONT_NEXT;
	}
}

/*
 * Execute bundles from slot 0 of @b on, each of them an issue group, while
 * nothing asks for attention, the next one is at hand, and groups are left in
 * @left: the first of them has been taken off it.
 *
 * Return: MONT_NEXT or MONT_TAKEN with IP where to go on, or what the
 * instruction in t->sig_slot came to, not yet delivered.
 */
static __always_inline enum mont_result run_bundles(struct mont_thread *t, struct mont_bundle *b,
						    u64 *left, const bool tagged)
{
	u64 pa;
	u32 r;

	t->retire_from = 0;
	for (;;) {
		t->cur = b;
		r = tagged ? run_tagged_bundle(t, b) : run_plain_bundle(t, b);
		if (unlikely(r != MONT_NEXT))
			goto leaves;
		retire_bundle(t, b, tagged);
		/*
		 * The last of a page has no next one: its tag is like no other's. Behind
		 * the last of all is one that is always free.
		 */
		if (unlikely(b[1].tag != b->tag + 16 || t->attn || !*left ||
			     !nops_ahead(t, b + 1, tagged))) {
			t->sig_slot = 2;
			t->retire_from = 3;
			return MONT_NEXT;
		}
		b++;
begin:
		--*left;
		group_begin(t);
	}
leaves:
	if (unlikely(r & RUN_COUNTED))
		r -= RUN_COUNTED;
	else
		count_nops(t, b, t->sig_slot, tagged);
	if (likely(r == MONT_TAKEN && !t->attn && *left && in_fetch_page(t))) {
		b = bundle_at_ip(t, &pa);
		if (is_whole(b, pa) && nops_ahead(t, b, tagged)) {
			t->retire_from = 0;
			goto begin;
		}
	}
	return r;
}

static __always_inline enum mont_result run_whole(struct mont_thread *t, struct mont_bundle *b,
						  u64 *left)
{
	return run_bundles(t, b, left, false);
}

/* Run bundles whole where a subscriber qualifies by the instruction: they are tagged. */
static noinline enum mont_result run_tagged(struct mont_thread *t, struct mont_bundle *b, u64 *left)
{
	u64 *room = &t->pmu.tags.room, more = *room - 1 < *left ? *room - 1 : *left, groups = more;
	enum mont_result r;

	(void)mont_tags_begin(t, b);
	r = run_bundles(t, b, &groups, true);
	/* The instructions in front of a fault have been tagged as well. */
	if (r != MONT_NEXT && r != MONT_TAKEN)
		mont_retire_upto(t, t->sig_slot);
	mont_tags_end(t);
	more -= groups;
	*left -= more;
	/* The enabled counters may have changed, and the room with them. */
	*room -= *room <= more ? *room : more + 1;
	return r;
}

/* True if @b, of @pa, can be run whole from here on. */
static __always_inline bool may_run_whole(struct mont_thread *t, const struct mont_bundle *b,
					  u64 pa)
{
	if (MONT_CHECK(t))
		return false;
	return likely(is_whole(b, pa) && !t->s.slot && !(t->attn & MONT_ATTN_SLOW) && !t->steps) &&
	       (unlikely(mont_tagging(t)) ? mont_tags_ready(t, b) : nops_ahead(t, b, false));
}

/* Execute up to @left issue groups, and leave there how many have not begun; true to return. */
static __always_inline bool run_groups(struct mont_thread *t, u64 *left)
{
	bool inside = t->inside;

	t->inside = false;
	while (inside || *left) {
		enum mont_stepped how;
		struct mont_bundle *b;
		enum mont_result r;
		u64 pa;

		if (likely(!inside)) {
			if (unlikely(t->s.ip == t->until) && mont_until(t))
				return true;
			if (unlikely(t->breakpoints) && !t->steps &&
			    mont_break_at(t, t->s.ip, t->s.slot, 3))
				return true;
			if (unlikely(t->attn)) {
				if (t->attn & (MONT_ATTN_TIMER | MONT_ATTN_WORK)) {
					t->attn &= ~(MONT_ATTN_TIMER | MONT_ATTN_WORK);
					return false;
				}
				if ((t->attn & ~MONT_ATTN_SLOW) && mont_attend(t))
					return true;
			}
			--*left;
			group_begin(t);
			if (MONT_CHECK(t))
				mont_check_forget(t);
		}
		if (unlikely(!in_fetch_page(t))) {
			r = mont_fetch_page(t);
			if (r == MONT_RELOAD)
				r = mont_pal_enter(t);
			if (r != MONT_NEXT) {
				inside = false;
				if (r == MONT_TAKEN) {
					if (t->s.halted)
						return false;
				} else {
					mont_between_groups(t);
					if (mont_interrupt(t, r))
						return true;
				}
				if (unlikely(t->steps))
					return mont_stepped(t);
				continue;
			}
		}
		b = bundle_at_ip(t, &pa);
		if (unlikely((b->tag ^ pa) - 1 >= MONT_TAG_BITS))
			mont_fetch_decode(t, b, pa);
		if (likely(may_run_whole(t, b, pa))) {
			inside = false;
			if (unlikely(mont_tagging(t))) {
				u64 groups = *left;

				r = run_tagged(t, b, &groups);
				*left = groups;
			} else {
				r = run_whole(t, b, left);
			}
			if (likely(r == MONT_NEXT || r == MONT_TAKEN))
				continue;
			if (mont_deliver(t, r, 0))
				return true;
			continue;
		}
		how = mont_step(t, b, !inside);
		if (how == MONT_STEPPED_OUT)
			return true;
		inside = how == MONT_STEPPED_INSIDE;
		if (unlikely(t->steps)) {
			t->inside = inside;
			return mont_stepped(t);
		}
	}
	return false;
}

/**
 * mont_loop() - run a thread
 * @t: thread
 * @groups: how many issue groups; left there is how many have not begun
 *
 * Return: true to return to the host.
 */
static __always_inline bool mont_loop(struct mont_thread *t, u64 *groups)
{
	u64 left = *groups; /* in a register: no other code has its address */
	bool out = run_groups(t, &left);

	*groups = left;
	return out;
}
