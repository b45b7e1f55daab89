/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tag sets: instruction ranges and opcode matchers are applied to the instruction in a
 * slot once a bundle instead of once an occurrence. Called by the run loops (exec/,
 * pipeline/issue.h, pipeline/timed.c) and by arm.c.
 *
 * An instruction is tagged on its way through the pipeline, and its signals are
 * qualified by its tags (manual 3.3.5 and 3.3.6). Here the instructions that pass
 * the same qualifiers form a set, and each set has countdowns of its own: its
 * signals are counted ahead by exactly the subscribers whose qualifiers they pass. The
 * run loop makes t->sig that of the slot. Set 0 holds the signals of no tagged
 * instruction: subscribers with a qualifier look at each occurrence there.
 *
 * Instructions and nops that retire follow from the bundle alone. Bundles whose
 * slots have the same sets and the same nops are of a kind, and retirements are
 * counted by kind: one addition a bundle. mont_kinds_sum() adds them up in
 * instructions and nops of each set when a counter is read, and mont_tags.room
 * bundles before a subscriber must look.
 */
#ifndef MONT_PMU_TAGS_H
#define MONT_PMU_TAGS_H

#include "../package/package.h"

/*
 * True if @b, the decoded bundle at IP, can be tagged. Its kind, and those of its page, are
 * at hand then, and there is room for one bundle at least.
 */
bool mont_tags_ready(struct mont_thread *t, const struct mont_bundle *b);

/*
 * True if the @nr decoded bundles from @b on can be tagged, of which the first is at IP and
 * the others are in its page. Their kinds are in @w then, and there is room for them.
 */
bool mont_window_tag(struct mont_thread *t, struct mont_window_tags *w, const struct mont_bundle *b,
		     unsigned int nr);

/*
 * Signals raised from now on are of no instruction, before the one at IP: the RSE's
 * own. Ranges compare that IP; opcodes have nothing to match.
 */
void mont_tags_between(struct mont_thread *t);

/* Bundles decoded from @pa have changed. */
void mont_tags_forget(struct mont_package *pkg, u64 pa);

/* True if a qualifier depends on the instruction alone: bundles are tagged then. */
static __always_inline bool mont_tagging(const struct mont_thread *t)
{
	return t->pmu.tags.nr_qualifiers;
}

/* Take room for @nr bundles, tagging them if they are not tagged yet; false if that cannot be. */
static __always_inline bool mont_window_ready(struct mont_thread *t, struct mont_window_tags *w,
					      const struct mont_bundle *b, unsigned int nr)
{
	struct mont_tags *tags = &t->pmu.tags;

	if (unlikely(w->ip != t->s.ip || w->epoch != tags->epoch || tags->room < nr) &&
	    !mont_window_tag(t, w, b, nr))
		return false;
	tags->room -= nr;
	return true;
}

/* Tag @b, in the page of fetch; false if its kind is not at hand. */
static __always_inline bool mont_tags_begin(struct mont_thread *t, const struct mont_bundle *b)
{
	struct mont_tags *tags = &t->pmu.tags;
	u32 kind = tags->kinds[b->tag >> 4 & 0xff];

	t->tagged = &tags->kind[kind];
	return likely(kind > MONT_TAG_KIND_UNTAGGED);
}

/* Signals raised from now on are of the instruction in @slot. */
static __always_inline void mont_tags_slot(struct mont_thread *t, u32 slot)
{
	t->sig = t->tagged->sig[slot];
}

/* Signals raised from now on are of no tagged instruction. */
static __always_inline void mont_tags_end(struct mont_thread *t)
{
	t->tagged = NULL;
	t->sig = t->countdown[0];
}

#endif
