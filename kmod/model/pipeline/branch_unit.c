// SPDX-License-Identifier: GPL-2.0-only
/*
 * Branches in the pipeline (manual 4.7): what the front end can know of them in stage
 * IPG, and the comparison with what they do.
 *
 * The outcome of a branch is counted as it retires, whatever its predicate. The
 * front end is right or wrong about path and target. Besides, renaming has gone ahead
 * with what a branch does to the register frame: a loop's stage, its rotation, and the
 * AR.PFS that a return finds. Where that differs the back end has mispredicted it.
 */
#define MONT_KEEPS_TIME(t) true
#include "branch_unit.h"
#include "front_end.h"
#include "reference.h"
#include "../exec/execute.h"
#include "../exec/squash.h"
#include "../isa/branch.h"
#include "../isa/execute.h"
#include "../event/raise.h"
#include "../arch/registers.h"

/* True if the loop that @op counts goes round again. @on: predicate of br.wtop and br.wexit. */
static bool branch_loop_continues(const struct mont_thread *t, u16 op, bool on)
{
	switch (op) {
	case MONT_OP_BR_CLOOP:
		return t->s.ar.lc;
	case MONT_OP_BR_CTOP:
	case MONT_OP_BR_CEXIT:
		return t->s.ar.lc || t->s.ar.ec > 1;
	default: /* br.wtop, br.wexit */
		return on || t->s.ar.ec > 1;
	}
}

static bool branch_is_taken_to_continue(u16 op)
{
	return op != MONT_OP_BR_CEXIT && op != MONT_OP_BR_WEXIT;
}

static __always_inline void branch_at(const struct mont_thread *t, u64 ip, const struct mont_uop *u,
				      u32 slot, u8 kind, u64 now, struct mont_branch_at *at)
{
	at->ip = ip;
	at->slot = slot;
	at->kind = kind;
	at->hint = u->r3 & MONT_BRH_WH;
	at->always = !u->qp && !(u->flags & MONT_UOP_ALWAYS);
	at->stale = false;
	at->loop_taken = false;
	at->target = ip + u->imm;
	if (kind >= MONT_KIND_RETURN) {
		at->target = t->s.br[u->r2] & ~15ULL;
		at->stale = !mont_branch_register_is_known(t, u, now);
	} else if (kind == MONT_KIND_LOOP) {
		at->stale = mont_branch_loop_ready(t) > now;
		at->loop_taken = branch_loop_continues(t, mont_op(u), true) ==
				 branch_is_taken_to_continue(mont_op(u));
	} else if (kind == MONT_KIND_WHILE) {
		at->stale = mont_branch_loop_ready(t) > now;
	}
}

u32 mont_branches_predict(const struct mont_thread *t, u64 ip, const struct mont_bundle *b,
			  u32 slot, u64 now, struct mont_branch_slot branch[3])
{
	u32 taken = 3, left;

	for (left = b->branches >> slot << slot; left; left &= left - 1) {
		const struct mont_uop *u;
		struct mont_branch_slot *s;

		slot = __builtin_ctz(left);
		s = &branch[slot];
		u = &b->uop[b->at[slot]];
		branch_at(t, ip, u, slot, mont_branch_kind[mont_op(u)], now, &s->at);
		if (taken < 3) {
			/* Forced, whatever its own prediction would be. */
			s->guess = (struct mont_prediction){ .unknown = true };
			continue;
		}
		mont_predict(&t->time->s.predictor, &t->own.s.returns, &t->time->s.h.timing, &s->at,
			     &s->guess);
		if (s->guess.taken)
			taken = slot;
	}
	return taken;
}

u32 mont_branches_follow(const struct mont_thread *t, u64 ip, const struct mont_bundle *b, u32 slot,
			 u64 now, u64 *target, u32 *bubbles)
{
	struct mont_prediction guess;
	struct mont_branch_at at;
	u32 left;

	for (left = b->branches >> slot << slot; left; left &= left - 1) {
		const struct mont_uop *u;

		slot = __builtin_ctz(left);
		u = &b->uop[b->at[slot]];
		branch_at(t, ip, u, slot, mont_branch_kind[mont_op(u)], now, &at);
		mont_predict(&t->time->s.predictor, &t->own.s.returns, &t->time->s.h.timing, &at,
			     &guess);
		if (guess.taken) {
			*target = guess.target;
			*bubbles = guess.bubbles;
			return slot;
		}
	}
	return 3;
}

/*
 * Back-end misprediction of @branch, whose path and target were right, but not what renaming
 * had expected: its signal, or MONT_NR_SIGNALS. Where the fetch stage did not
 * know AR.LC and AR.EC, a loop was expected to be in its kernel as long as it goes on, and
 * to rotate.
 */
static enum mont_signal branch_back_end_signal(const struct mont_thread *t,
					       const struct mont_branch_slot *branch,
					       const struct mont_uop *u, bool on, bool taken)
{
	const struct mont_ar *ar = &t->s.ar;

	switch (branch->at.kind) {
	case MONT_KIND_RETURN:
		if (taken && ar->pfs != mont_predict_pfs(&t->own.s.returns))
			return MONT_SIG_BE_BR_PFS;
		break;
	case MONT_KIND_LOOP:
		if (!branch->at.stale || mont_op(u) == MONT_OP_BR_CLOOP)
			break;
		if (!ar->lc && taken == branch_is_taken_to_continue(mont_op(u)))
			return MONT_SIG_BE_BR_STG;
		if (!ar->lc && !ar->ec)
			return MONT_SIG_BE_BR_ROT;
		break;
	case MONT_KIND_WHILE:
		if (branch->at.stale && !on && !ar->ec)
			return MONT_SIG_BE_BR_ROT;
		break;
	}
	return MONT_NR_SIGNALS;
}

/* The rows of signal.def, each of three types, from BR_TAKEN_IPREL on. */
enum outcome {
	TAKEN_ELSEWHERE = -1,
	TAKEN,
	NOT_TAKEN,
	UNKNOWN_NOT_TAKEN,
	UNKNOWN_TAKEN,
	MISSED_TAKEN,
	MISSED_NOT_TAKEN,
};

_Static_assert(MONT_NR_SIGNALS_OF(BRANCHES) == 3 * (MISSED_NOT_TAKEN + 1),
	       "signal.def and enum outcome go together");

static enum outcome branch_outcome(const struct mont_prediction *guess, bool taken, u64 target)
{
	if (guess->unknown)
		return taken ? UNKNOWN_TAKEN : UNKNOWN_NOT_TAKEN;
	if (taken != guess->taken)
		return taken ? MISSED_TAKEN : MISSED_NOT_TAKEN;
	if (!taken)
		return NOT_TAKEN;
	return target == guess->target ? TAKEN : TAKEN_ELSEWHERE;
}

static bool branch_is_front_end_right(enum outcome outcome)
{
	return outcome >= TAKEN && outcome <= UNKNOWN_NOT_TAKEN;
}

static void branch_signal_outcome(struct mont_thread *t, u32 type, enum outcome outcome,
				  bool encoded)
{
	int row = type - MONT_BR_IPREL;

	mont_signal(t, MONT_SIG_BRANCHES_FIRST + 3 * (int)outcome + row, 0);
	if (likely(!encoded))
		return;
	if (outcome == TAKEN_ELSEWHERE)
		row -= 3;
	else if (!branch_is_front_end_right(outcome))
		row += 3;
	mont_signal(t, MONT_SIG_ENCBR_RIGHT_IPREL + row, 0);
}

/*
 * The branch executes in cycle @issued, before it has done anything; @encoded: it is in a
 * bundle that uses port B0. Return: it was predicted wrongly, and the pipe is flushed for it.
 */
static __always_inline bool branch_verify(struct mont_thread *t,
					  const struct mont_branch_slot *branch,
					  const struct mont_uop *u, bool encoded, u64 issued)
{
	bool taken, on = mont_pr(t, u->qp), wrong;
	enum mont_signal found = MONT_NR_SIGNALS;
	u8 kind = branch->at.kind;
	enum outcome outcome;
	u64 target;

	taken = on;
	if (kind == MONT_KIND_LOOP || kind == MONT_KIND_WHILE)
		taken = branch_loop_continues(t, mont_op(u), on) ==
			branch_is_taken_to_continue(mont_op(u));
	target = kind >= MONT_KIND_RETURN ? t->s.br[u->r2] & ~15ULL : branch->at.target;
	outcome = branch_outcome(&branch->guess, taken, target);
	wrong = !branch_is_front_end_right(outcome);
	t->sig_outcome = !wrong			      ? 0
			 : outcome == TAKEN_ELSEWHERE ? MONT_BRANCH_WRONG_TARGET
						      : MONT_BRANCH_WRONG_PATH;
	branch_signal_outcome(t, mont_branch_type(mont_op(u)), outcome, encoded);
	if (!wrong)
		found = branch_back_end_signal(t, branch, u, on, taken);
	if (unlikely(found != MONT_NR_SIGNALS)) {
		mont_signal(t, found, 0);
		t->sig_outcome = MONT_BRANCH_BACK_END;
		wrong = true;
	}
	if (kind == MONT_KIND_LOOP || kind == MONT_KIND_WHILE) {
		t->own.s.loop.known = mont_branch_loop_ready(t);
		t->own.s.loop.issued = issued;
	}
	mont_predict_learn(&t->time->s.predictor, &t->own.s.returns, &branch->at, taken, target);
	return wrong;
}

void mont_branch_flush(struct mont_thread *t, enum mont_cause cause, u64 issued, u32 cycles)
{
	bool free = t->time->s.h.timing.free_causes >> cause & 1;
	u64 then = issued + 1 + (free ? 0 : cycles);

	mont_signal(t, cause == MONT_CAUSE_BRU ? MONT_SIG_FLUSH_BRU : MONT_SIG_FLUSH_XPN, 0);
	mont_stall_until(&t->own.s.stall, cause, then);
	mont_front_flush(t, issued + 1, then);
}

/* Fill @turn with the place to which the front end has gone behind mispredicted branch @b of @g. */
static void branch_wrong_turn(struct mont_thread *t, const struct mont_group *g,
			      const struct mont_branch_slot *b, struct mont_wrong_turn *turn)
{
	u32 end = g->part[t->sig_bundle].end;

	turn->known = true;
	/* A taken branch that was thought not to be: the rest of its group does not follow. */
	if (unlikely(t->pmu.flights) && !b->guess.taken &&
	    (t->sig_outcome & MONT_BRANCH_WRONG_PATH))
		mont_killed(t, mont_part_rest(&g->part[t->sig_bundle], t->sig_slot + 1));
	turn->at = t->time->s.buffer.next_fetch;
	turn->slot = 0;
	turn->split = g->split;
	turn->ip = b->at.ip + 16;
	if (b->guess.taken) {
		turn->ip = b->guess.target;
		turn->at += b->guess.bubbles;
	} else if (end < 3) {
		turn->ip -= 16;
		turn->slot = end;
	}
}

/* Resolve branch @b, decoded as @u: train the predictors, and redirect the front end. */
static void branch_resolve(struct mont_thread *t, const struct mont_group *g,
			   const struct mont_branch_slot *b, const struct mont_uop *u, u64 issued,
			   struct mont_wrong_turn *turn)
{
	struct mont_time *time = t->time;

	mont_buffer_branch(&time->s.buffer, time->s.h.timing.brq, issued + MONT_WRITTEN_BACK);
	if (branch_verify(t, b, u, mont_is_bbb(t->cur), issued)) {
		branch_wrong_turn(t, g, b, turn);
		mont_branch_flush(t, MONT_CAUSE_BRU, issued, time->s.h.timing.mispredict);
	} else if (b->guess.resteers) {
		mont_front_redirect(t, &b->guess, u->r3 & MONT_BRH_MANY);
	}
}

/* The hint @u has executed. */
static void branch_hint(struct mont_thread *t, const struct mont_uop *u, u64 issued)
{
	u64 target = t->s.ip + u->imm;

	if (mont_op(u) != MONT_OP_BRP)
		target = t->s.br[mont_op(u) == MONT_OP_MOV_TO_BR ? u->r1 : u->r2];
	mont_prefetch_hint(t, target, issued);
}

/* The branch @u, whose predicate is true, or which looks at it itself. */
static __always_inline enum mont_result branch_one(struct mont_thread *t, const struct mont_uop *u)
{
	switch (mont_op(u)) {
	case MONT_OP_BR_COND:
		return mont_x_BR_COND(t, u);
	case MONT_OP_BR_CLOOP:
		return mont_x_BR_CLOOP(t, u);
	case MONT_OP_BR_CTOP:
		return mont_x_BR_CTOP(t, u);
	case MONT_OP_BR_CALL:
		return mont_x_BR_CALL(t, u);
	case MONT_OP_BR_RET:
		return mont_x_BR_RET(t, u);
	default:
		return mont_execute(t, u);
	}
}

enum mont_result mont_branch_execute(struct mont_thread *t, const struct mont_group *g,
				     const struct mont_branch_slot *b, const struct mont_uop *u,
				     const struct mont_step *step, u64 issued,
				     struct mont_wrong_turn *turn)
{
	struct mont_time *time = t->time;
	bool on = mont_pr(t, u->qp);
	enum mont_result r = MONT_NEXT;

	/* br.ia faults unless it is off. */
	if (likely(step->kind != MONT_KIND_HINT && (mont_op(u) != MONT_OP_BR_IA || !on)))
		branch_resolve(t, g, b, u, issued, turn);
	if (!on) {
		mont_squash(t, u);
		if (!(u->flags & MONT_UOP_ALWAYS))
			return MONT_NEXT;
	}
	r = branch_one(t, u);
	if (unlikely(r != MONT_NEXT && r != MONT_TAKEN)) {
		mont_lsu_drain(t);
		return r;
	}
	mont_step_done(t, time, step, issued);
	if (r == MONT_TAKEN) {
		if (step->kind == MONT_KIND_CALL || step->kind == MONT_KIND_INDIRECT_CALL)
			mont_predict_call(&t->own.s.returns, t->s.last_ip + 16, t->s.ar.pfs);
	} else if (unlikely(step->kind == MONT_KIND_HINT) && on) {
		branch_hint(t, u, issued);
	}
	return r;
}

bool mont_branch_loop_guess(const struct mont_thread *t, const struct mont_uop *u, u64 now,
			    bool *guess)
{
	*guess = branch_loop_continues(t, mont_op(u), true);
	return mont_branch_loop_ready(t) <= now;
}

/* Bubbles of the branch @b, predicted to be taken; @there: the L1 branch cache has it. */
static __always_inline u32 branch_lone_bubbles(const struct mont_time *time,
					       const struct mont_branch_at *b, bool there)
{
	const struct mont_timing *timing = &time->s.h.timing;
	bool asked = false;

	if (b->kind == MONT_KIND_RETURN)
		return timing->returns;
	if (b->kind == MONT_KIND_INDIRECT)
		return timing->indirect;
	if (likely(there))
		return 0;
	if (b->kind != MONT_KIND_LOOP)
		(void)mont_branch_direction(&time->s.predictor, b, &asked);
	return asked ? timing->l2b : timing->taken;
}

/* Fetch goes elsewhere for the branch @b, @taken or the end of a loop: mont_predict(). */
static __always_inline void branch_lone_redirect(struct mont_thread *t, struct mont_time *time,
						 const struct mont_branch_at *b, bool taken,
						 bool there, bool many)
{
	struct mont_prediction guess = { .target = b->target, .taken = taken };

	if (likely(taken)) {
		guess.bubbles = branch_lone_bubbles(time, b, there);
		guess.why = b->kind == MONT_KIND_INDIRECT ? MONT_FRONT_BR_ILOCK : MONT_FRONT_BUBBLE;
	} else {
		guess.bubbles = time->s.h.timing.loop_end;
		guess.why = MONT_FRONT_PLP;
	}
	mont_front_redirect(t, &guess, many);
}

/*
 * True if br.ret to @target goes where it was predicted to, with the frame and the level expected.
 */
static bool branch_return_is_known(const struct mont_thread *t, u64 target)
{
	const struct mont_returns *returns = &t->own.s.returns;
	u64 pfs = t->s.ar.pfs;

	return returns->stack[returns->top].ip == target && mont_predict_pfs(returns) == pfs &&
	       pfs >> MONT_PFS_PPL_SHIFT <= t->cpl;
}

/* Change registers and the frame as the branch @u of @kind, in the bundle at @ip, does. */
static __always_inline void branch_lone_registers(struct mont_thread *t, const struct mont_uop *u,
						  u8 kind, u64 ip, bool taken)
{
	if (kind == MONT_KIND_LOOP) {
		if (mont_op(u) == MONT_OP_BR_CLOOP)
			t->s.ar.lc -= taken;
		else
			(void)mont_loop_turn(t);
	} else if (taken && kind == MONT_KIND_CALL) {
		mont_call_frame(t, u->r1, ip);
	} else if (taken && kind == MONT_KIND_RETURN) {
		(void)mont_return_frame(t);
	}
}

/* As mont_branch_lone(), of a branch of @kind. */
static __always_inline bool branch_lone(struct mont_thread *t, u64 ip, const struct mont_uop *u,
					const struct mont_step *step, const u8 kind, bool guess,
					bool on, u64 issued)
{
	struct mont_branch_at at = mont_branch_lone_at(ip, u, kind);
	struct mont_time *time = t->time;
	struct mont_predictor *p = &time->s.predictor;
	const bool loop = kind == MONT_KIND_LOOP, returns = kind == MONT_KIND_RETURN;
	const bool indirect = kind == MONT_KIND_INDIRECT;
	bool taken = loop ? branch_loop_continues(t, mont_op(u), true) : on;
	bool there = p->l1b[mont_l1b_index(&at)].source == mont_branch_source(&at);
	bool resteers = taken || (loop && there);
	const u32 row = returns	   ? MONT_BR_RETURN - MONT_BR_IPREL
			: indirect ? MONT_BR_NRETIND - MONT_BR_IPREL
				   : 0;
	enum mont_signal sig = MONT_SIG_BRANCHES_FIRST + 3 * (taken ? TAKEN : NOT_TAKEN) + row;

	if (unlikely(taken != guess || !mont_signal_has_room(t, sig, 1) ||
		     !mont_signal_has_room(t, MONT_SIG_BRANCH_RETIRED, 1)))
		return false;
	if (indirect)
		at.target = t->s.br[u->r2] & ~15ULL;
	if (returns) {
		at.target = t->s.br[u->r2] & ~15ULL;
		if (taken && unlikely(!branch_return_is_known(t, at.target)))
			return false;
	}
	/* A prefetch stream begins or ends, which a subscriber may have to see. */
	if (resteers && unlikely(time->s.prefetch.stream || (u->r3 & MONT_BRH_MANY))) {
		if (t->pmu.fetches)
			return false;
		t->clock = issued + 1;
	}
	mont_buffer_branch(&time->s.buffer, time->s.h.timing.brq, issued + MONT_WRITTEN_BACK);
	t->sig_outcome = 0;
	t->countdown[0][sig].left--;
	t->countdown[0][MONT_SIG_BRANCH_RETIRED].left--;
	if (loop) {
		t->own.s.loop.known = mont_branch_loop_ready(t);
		t->own.s.loop.issued = issued;
	}
	if (resteers)
		branch_lone_redirect(t, time, &at, taken, there, u->r3 & MONT_BRH_MANY);
	mont_predict_learn(p, &t->own.s.returns, &at, taken, at.target);
	branch_lone_registers(t, u, kind, ip, taken);
	if (on && step->nr_writes)
		mont_step_results(t, step, step->more, issued);
	if (kind == MONT_KIND_CALL && taken)
		mont_predict_call(&t->own.s.returns, ip + 16, t->s.ar.pfs);
	return true;
}

bool mont_branch_lone(struct mont_thread *t, u64 ip, const struct mont_uop *u,
		      const struct mont_step *step, bool guess, bool on, u64 issued)
{
	switch (step->kind) {
	case MONT_KIND_IPREL:
		return branch_lone(t, ip, u, step, MONT_KIND_IPREL, guess, on, issued);
	case MONT_KIND_LOOP:
		return branch_lone(t, ip, u, step, MONT_KIND_LOOP, guess, on, issued);
	case MONT_KIND_CALL:
		return branch_lone(t, ip, u, step, MONT_KIND_CALL, guess, on, issued);
	case MONT_KIND_INDIRECT:
		return branch_lone(t, ip, u, step, MONT_KIND_INDIRECT, guess, on, issued);
	default:
		return branch_lone(t, ip, u, step, MONT_KIND_RETURN, guess, on, issued);
	}
}

bool mont_branch_missed(struct mont_thread *t, u64 ip, const struct mont_uop *u, bool on, u32 leave,
			u64 issued, struct mont_wrong_turn *turn)
{
	struct mont_branch_at at = mont_branch_lone_at(ip, u, MONT_KIND_IPREL);
	struct mont_time *time = t->time;
	struct mont_predictor *p = &time->s.predictor;
	struct mont_buffer *b = &time->s.buffer;
	enum mont_signal sig = MONT_SIG_BRANCHES_FIRST + 3 * (on ? MISSED_TAKEN : MISSED_NOT_TAKEN);
	bool there = p->l1b[mont_l1b_index(&at)].source == mont_branch_source(&at);

	/* A subscriber of instructions on their way, or of fetch, finds all in its place. */
	if (unlikely(t->pmu.flights || t->pmu.front || t->pmu.fetches) ||
	    unlikely(!mont_signal_has_room(t, sig, 1) ||
		     !mont_signal_has_room(t, MONT_SIG_BRANCH_RETIRED, 1) ||
		     !mont_signal_has_room(t, MONT_SIG_FLUSH_BRU, 1)))
		return false;
	t->clock = issued + 1;
	t->sig_outcome = MONT_BRANCH_WRONG_PATH;
	t->countdown[0][sig].left--;
	t->countdown[0][MONT_SIG_BRANCH_RETIRED].left--;
	mont_buffer_branch(b, time->s.h.timing.brq, issued + MONT_WRITTEN_BACK);
	turn->known = true;
	turn->at = b->next_fetch;
	turn->slot = 0;
	turn->ip = ip + 16;
	if (!on) {
		turn->ip = at.target;
		turn->at += branch_lone_bubbles(time, &at, there);
	}
	mont_predict_learn(p, &t->own.s.returns, &at, on, at.target);
	mont_buffer_leave_some(b, leave, issued);
	mont_branch_flush(t, MONT_CAUSE_BRU, issued, time->s.h.timing.mispredict);
	return true;
}
