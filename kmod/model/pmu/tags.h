/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tag sets: what instruction ranges and opcode matchers make of the instruction
 * in a slot, found out once a bundle instead of once an occurrence.
 *
 * An instruction is tagged on its way through the pipeline, and what it raises is
 * qualified by its tags (manual 3.3.5 and 3.3.6). Here the instructions that pass
 * the same qualifiers form a set, and each set has countdowns of its own: what it
 * raises is counted ahead by exactly those who would let it pass. The run loop
 * makes t->sig that of the slot. Set 0 is of all that is not tagged: there, those
 * with a qualifier look at each occurrence.
 */
#ifndef MONT_PMU_TAGS_H
#define MONT_PMU_TAGS_H

#include "../package.h"

/* Find out the tags of the bundle at IP, t->cur, and keep them. */
void mont_tags_find(struct mont_thread *t);

/* Bundles decoded from @pa have changed. */
void mont_tags_forget(struct mont_package *pkg, u64 pa);

/* Somebody's qualifiers depend on the instruction alone: it is worth tagging. */
static __always_inline bool mont_tagging(const struct mont_thread *t)
{
	return t->pmu.tags.nr_qualifiers;
}

/* Tag the bundle at IP, t->cur. */
static __always_inline void mont_tags_begin(struct mont_thread *t)
{
	const struct mont_tagged *e = &t->pmu.tags.cache[t->cur->tag >> 4 & (MONT_NR_TAGGED - 1)];

	if (unlikely(e->ip != t->s.ip || e->pa != t->cur->tag || e->epoch != t->pmu.tags.epoch))
		mont_tags_find(t);
	t->tagged[0] = t->countdown[e->set[0]];
	t->tagged[1] = t->countdown[e->set[1]];
	t->tagged[2] = t->countdown[e->set[2]];
	t->tagged_nops = e->nops;
}

/* What is raised from now on is of the instruction in @slot. */
static __always_inline void mont_tags_slot(struct mont_thread *t, u32 slot)
{
	t->sig = t->tagged[slot];
}

/* What is raised from now on is of no instruction that has been tagged. */
static __always_inline void mont_tags_end(struct mont_thread *t)
{
	t->sig = t->countdown[0];
}

#endif
