/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The end of a group, stage WRB (manual 2.3.1): its instructions retire, bundle by bundle,
 * and the next group begins where it ends. Called by issue.h, segment.h and
 * segment_issue.h, and by timed.c.
 */
#ifndef MONT_PIPELINE_RETIRE_H
#define MONT_PIPELINE_RETIRE_H

#include "window.h"
#include "../event/raise.h"
#include "../pmu/tags.h"
#include "../pmu/qualify.h"

/* A cycle in which a group has issued, and nothing retires: its flush is to come. */
void mont_signal_empty(struct mont_thread *t);
/* Bundle @i of the group retires up to where @r has left it, and IP moves on. */
void mont_retire_bundle(struct mont_thread *t, const struct mont_window *w, u32 i,
			enum mont_result r);
/*
 * The group has ended with @r in bundle @i. @insns, @psr: when it began, the latter if
 * it is watched. True to return to the host.
 */
bool mont_finish(struct mont_thread *t, const struct mont_window *w, u32 i, enum mont_result r,
		 u64 insns, u64 psr);

/* All that is in the group of bundle @i, from slot @from on, retires. */
static __always_inline void mont_retire_part(struct mont_thread *t, const struct mont_window *w,
					     const u32 i, u32 from, u64 issued, const bool tagged)
{
	const struct mont_part *p = &w->g->part[i];

	if (unlikely(t->retire_from != from)) {
		mont_retire_upto(t, p->slot + 1);
	} else if (tagged) {
		struct mont_tag_kind *kind = mont_window_tags(t, w)->kind[i];

		t->retire_from = p->end;
		t->s.insns += p->insns;
		kind->upto[p->end]++;
		kind->upto[from]--;
	} else {
		t->retire_from = p->end;
		t->s.insns += p->insns;
		mont_signal_n(t, MONT_SIG_INST_RETIRED, p->insns, p->slots);
	}
	t->s.last_ip = t->s.ip;
	t->s.slot = p->next;
	if (!p->next) {
		t->s.ip += 16;
		mont_buffer_leave(&t->time->s.buffer, issued);
	}
}

/* Note where the next group begins. */
static __always_inline void mont_end_group(struct mont_thread *t, const struct mont_window *w)
{
	struct mont_thread_time *own = &t->own;

	own->s.next_ip = t->s.ip;
	own->s.next_slot = t->s.slot;
	own->s.split = w->g->split;
	own->s.rse.again = 0;
}

/* The step of the instruction in t->sig_slot of bundle @i. */
static __always_inline const struct mont_step *mont_window_step(const struct mont_thread *t,
								const struct mont_window *w, u32 i)
{
	return mont_step_of(w->g, &w->b[i], i, t->sig_slot);
}

#endif
