/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The load-store unit: references that an instruction has made enter the memory pipeline, and
 * its results are written to the scoreboard (manual 2.3.2 and 4.8). Called by issue.h,
 * segment_issue.h and branch_unit.c when an instruction has executed, and where others have made
 * references: by timed.c, by attention.c and interruption.c of exec/, and by package/.
 */
#ifndef MONT_PIPELINE_REFERENCE_H
#define MONT_PIPELINE_REFERENCE_H

#include "pipeline.h"
#include "../cache/memory_pipeline.h"
#include "../memory/lsu.h"

/*
 * Issue what the log of @t holds, in order, in the cycle in which its group has issued.
 * Return: cycles that the result of the last load in it comes later than its row of
 * table 2-8 says.
 */
u64 mont_lsu_issue(struct mont_thread *t);
/* As mont_lsu_issue(), of one plain reference, which is not traced and not done with at once. */
u64 mont_lsu_issue_plain(struct mont_thread *t);

/*
 * True if the plain load @ref is of integers and the L1D serves it at once: it is done then, and
 * takes what its row of table 2-8 says. False: nothing has been done, and a subscriber of hits may
 * have to see it.
 */
static __always_inline bool mont_lsu_hit(struct mont_thread *t, struct mont_time *time,
					 const struct mont_ref *ref)
{
	u64 now = t->clock - 1;

	return !ref->kind && likely(!t->pmu.hits) && likely(t->own.s.rse.at <= now) &&
	       likely(mont_pipeline_hit(&time->s.h, &time->s.l1dtlb, ref->va, ref->pa, now));
}

/* Issue what has been left outside of the timed loop, if @t keeps time. */
static inline void mont_lsu_drain(struct mont_thread *t)
{
	if (t->lsu_log && t->lsu_log->nr)
		(void)mont_lsu_issue(t);
}

/* Write the results of the instruction with @step, some @late, to the scoreboard. */
static __always_inline void mont_step_results(struct mont_thread *t, const struct mont_step *step,
					      u64 late, u64 issued)
{
	struct mont_thread_time *own = &t->own;

	if (likely(!late)) {
		mont_operands_done(&own->s.results, &own->map, step->write, step->nr_writes,
				   issued);
		return;
	}
	mont_operands_late(&own->s.results, &own->map, step->write, step->nr_writes, issued, late);
}

/* An instruction with @step has issued and executed: issue its references, write its results. */
static __always_inline void mont_step_done(struct mont_thread *t, struct mont_time *time,
					   const struct mont_step *step, u64 issued)
{
	u64 late = step->more;

	if (time->lsu_log.nr) {
		const struct mont_lsu_op *r = &time->lsu_log.entry[0];

		if (time->lsu_log.nr == 1 && r->code == MONT_LSU_PLAIN_LOAD && likely(!t->traced) &&
		    !MONT_CHECK(t) && mont_lsu_hit(t, time, &r->ref))
			time->lsu_log.nr = 0;
		else
			late += mont_lsu_issue(t);
	}
	mont_step_results(t, step, late, issued);
}

#endif
