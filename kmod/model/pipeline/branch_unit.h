/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Branches in the pipeline: as the front end sees them, and as the branch unit
 * finds them to be (manual 4.7). Called by window.c and segment.h for predictions,
 * by issue.h and segment_issue.h for branches that execute, by timed.c and
 * wrong_path.c.
 */
#ifndef MONT_PIPELINE_BRANCH_UNIT_H
#define MONT_PIPELINE_BRANCH_UNIT_H

#include "../package/package.h"
#include "pipeline.h"
#include "stall.h"
#include "group.h"
#include "predict.h"

#define MONT_WRITTEN_BACK 3 /* stage WRB, behind DET: cycles behind issue (F15) */

struct mont_wrong_turn;

/**
 * struct mont_branch_slot - a branch on its way through the pipeline
 * @at: as the front end sees it
 * @guess: what it does with it
 */
struct mont_branch_slot {
	struct mont_branch_at at;
	struct mont_prediction guess;
};

/**
 * mont_branches_predict() - predict the branches of a bundle
 * @t: the thread that fetches it
 * @ip: where it is
 * @b: decoded; it has branches
 * @slot: the first slot that is of interest
 * @now: the cycle in which its group could issue
 * @branch: of slots 0 to 2; those of branches are filled
 *
 * Return: the first slot that is predicted taken; 3 if there is none.
 */
u32 mont_branches_predict(const struct mont_thread *t, u64 ip, const struct mont_bundle *b,
			  u32 slot, u64 now, struct mont_branch_slot branch[3]);

/**
 * mont_branches_follow() - find where the branches of a bundle lead fetch
 * @t: the thread that fetches it
 * @ip: where it is
 * @b: decoded
 * @slot: the first slot that is of interest
 * @now: the cycle in which its group could issue
 * @target: where fetch goes on behind a branch that is predicted taken
 * @bubbles: cycles without a fetch that this takes
 *
 * Return: as of mont_branches_predict(); 3 leaves @target and @bubbles alone.
 */
u32 mont_branches_follow(const struct mont_thread *t, u64 ip, const struct mont_bundle *b, u32 slot,
			 u64 now, u64 *target, u32 *bubbles);

/* The pipe is emptied for @cause: what comes next issues @cycles later than it would have. */
void mont_branch_flush(struct mont_thread *t, enum mont_cause cause, u64 issued, u32 cycles);

/**
 * mont_branch_execute() - a branch, or a hint, executes
 * @t: its thread; its bundle is t->cur, at IP, its slot in t->sig_slot
 * @g: its group
 * @b: as it was predicted; nothing of a hint
 * @u: decoded
 * @step: its step
 * @issued: its group's cycle
 * @turn: where fetch has gone on, if the prediction was wrong; filled then
 *
 * The prediction is compared with the outcome; a misprediction empties the pipe.
 *
 * Return: as of every operation.
 */
enum mont_result mont_branch_execute(struct mont_thread *t, const struct mont_group *g,
				     const struct mont_branch_slot *b, const struct mont_uop *u,
				     const struct mont_step *step, u64 issued,
				     struct mont_wrong_turn *turn);

/*
 * The first cycle in which the fetch stage knows AR.LC and AR.EC. It follows what loop
 * branches make of them; what else writes them it sees when the branch unit does.
 */
static __always_inline u64 mont_branch_loop_ready(const struct mont_thread *t)
{
	const struct mont_results *results = &t->own.s.results;
	const struct mont_loop *loop = &t->own.s.loop;
	u64 lc = mont_result_issued(results, MONT_FILE_AR, MONT_AR_RESULT_LC);
	u64 ec = mont_result_issued(results, MONT_FILE_AR, MONT_AR_RESULT_EC);
	u64 known = loop->known, late = t->time->s.h.timing.mispredict;

	if (lc != loop->issued && lc + late > known)
		known = lc + late;
	if (ec != loop->issued && ec + late > known)
		known = ec + late;
	return known;
}

/* True if the fetch stage knows in cycle @now where the indirect branch @u leads. */
static __always_inline bool mont_branch_register_is_known(const struct mont_thread *t,
							  const struct mont_uop *u, u64 now)
{
	return mont_result_issued(&t->own.s.results, MONT_FILE_BR, u->r2) +
		       t->time->s.h.timing.mispredict <=
	       now;
}

/*
 * True if the fetch stage knows in cycle @now what AR.LC and AR.EC are: a prediction of br.cloop or
 * br.ctop, @u, goes by them, and is *@guess.
 */
bool mont_branch_loop_guess(const struct mont_thread *t, const struct mont_uop *u, u64 now,
			    bool *guess);

/* The branch @u, of @kind, in the bundle at @ip, as its direction is predicted. */
static __always_inline struct mont_branch_at mont_branch_lone_at(u64 ip, const struct mont_uop *u,
								 u8 kind)
{
	return (struct mont_branch_at){
		.ip = ip,
		.target = ip + u->imm,
		.slot = u->flags >> MONT_UOP_SLOT_SHIFT,
		.kind = kind,
		.hint = u->r3 & MONT_BRH_WH,
		.always = !u->qp && !(u->flags & MONT_UOP_ALWAYS),
	};
}

/**
 * mont_branch_lone() - a branch executes that was predicted rightly
 * @t: its thread; what is in front of the branch need not have been put in place
 * @ip: of its bundle, which does not use port B0
 * @u: decoded: br.cond or br.call, IP-relative, br.cloop, br.ctop or br.ret
 * @step: its step
 * @guess: the direction predicted; of a loop by mont_branch_loop_guess()
 * @on: its predicate
 * @issued: its group's cycle
 *
 * The branch is counted, and registers and the frame are as behind it. Its group retires it, and IP
 * stays as it is. A return may leave a frame that lacks registers: MONT_ATTN_RSE.
 *
 * Return: it was predicted rightly, and no subscriber must look. False: nothing has been done.
 */
bool mont_branch_lone(struct mont_thread *t, u64 ip, const struct mont_uop *u,
		      const struct mont_step *step, bool guess, bool on, u64 issued);

/**
 * mont_branch_missed() - a branch executes whose direction was mispredicted
 * @t: its thread; what is in front of the branch need not have been put in place
 * @ip: of its bundle, which does not use port B0
 * @u: decoded: br.cond, IP-relative, the last instruction of its group, in slot 2
 * @on: its predicate: it is taken, and was predicted not to be, or the other way round
 * @leave: bundles of its group in front of its own, which leave the instruction buffer
 * @issued: its group's cycle
 * @turn: where fetch has gone on; filled, but for its split
 *
 * As mont_branch_lone(), and the pipe is emptied.
 *
 * Return: no subscriber must look. False: nothing has been done.
 */
bool mont_branch_missed(struct mont_thread *t, u64 ip, const struct mont_uop *u, bool on, u32 leave,
			u64 issued, struct mont_wrong_turn *turn);

#endif
