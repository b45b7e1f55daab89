// SPDX-License-Identifier: GPL-2.0-only
/*
 * Paths from one state of the pipeline to the next (path.h): how they are made of groups that have
 * run, and kept.
 */
#include "path.h"
#include "branch_unit.h"
#include "group.h"
#include "path_ops.h"
#include "../arch/registers.h"

const u8 mont_path_kind[MONT_NR_OPS] = {
#define PATH_KIND(op) [MONT_OP_##op] = MONT_PATH_##op
#define MONT_PATH_OP(op, results) PATH_KIND(op),
#define MONT_PATH_FP(op, results) PATH_KIND(op),
#define MONT_PATH_LOAD(bytes) PATH_KIND(LD##bytes), PATH_KIND(LD##bytes##_I),
#define MONT_PATH_STORE(op, bytes) PATH_KIND(op), PATH_KIND(op##_I),
#define MONT_PATH_LOAD_FR(op, format) PATH_KIND(op), PATH_KIND(op##_I),
#define MONT_PATH_STORE_FR(op, format) PATH_KIND(op), PATH_KIND(op##_I),
#include "path_ops.def"
#undef PATH_KIND
};

/* True if an instruction of @kind writes what @nr, as of struct mont_straight_op, says. */
static bool path_writes(enum mont_path_kind kind, u8 nr)
{
	switch (mont_path_writes(kind)) {
	case MONT_WRITES_GR:
		return nr < MONT_ONE_FR;
	case MONT_WRITES_FR:
		return nr == MONT_ONE_FR;
	case MONT_WRITES_LOAD:
		return nr == MONT_TWO_GR;
	default:
		return true;
	}
}

/*
 * True if a plain reference with @step writes no more than its base and a floating-point register,
 * whose word is *@word then.
 */
static bool path_refers(const struct mont_step *step, u32 *word)
{
	u32 i;

	for (i = 0; i < step->nr_writes; i++) {
		const struct mont_write *w = &step->write[i];

		if (w->file == MONT_FILE_FR && w->late)
			*word = w->word;
		else if (w->file != MONT_FILE_GR || w->late ||
			 w->word != mont_result_word[MONT_PRODUCER_ADDER])
			return false;
	}
	return !step->more;
}

/*
 * The kind of @o, the instruction @u with @step, which has met what the path says. Of a load of a
 * floating-point register *@word is set to the word of its result.
 */
static u8 path_kind(const struct mont_path_op *o, const struct mont_uop *u,
		    const struct mont_step *step, u32 *word)
{
	u8 kind = mont_path_kind[mont_op(u)];

	if (o->nr == MONT_BRANCH)
		return MONT_PATH_BRANCH;
	if (o->nr == MONT_PAST)
		return MONT_PATH_PAST;
	if (o->met == MONT_MET_OFF)
		return MONT_PATH_OFF;
	if (o->nr == MONT_MOVE && !(u->code & MONT_CODE_PREDICATED))
		return MONT_PATH_MOVE;
	if (o->nr < MONT_REFERENCE) {
		if (o->met != MONT_MET_DONE || !path_writes(kind, o->nr))
			return MONT_PATH_INSN;
	} else if (o->nr != MONT_REFERENCE || (u->r4 & MONT_REF_REL) || !path_refers(step, word)) {
		return MONT_PATH_INSN;
	}
	return kind != MONT_PATH_INSN && (u->code & MONT_CODE_PREDICATED) ? MONT_PATH_ON : kind;
}

/* True if @o is a branch that rotates registers. */
static bool path_op_rotates(const struct mont_path_op *o)
{
	return o->nr == MONT_BRANCH && !o->simple && mont_op(o->u) == MONT_OP_BR_CTOP;
}

void mont_path_begin(struct mont_path_made *made, struct mont_memo_state *state, u64 now)
{
	state->tries++;
	made->from = state;
	made->began = now;
	made->other = NULL;
	made->rotates = state->key.word[MONT_KEY_MAP] & MONT_MAP_ROTATES;
	made->alone = false;
	made->nr_groups = 0;
	made->nr_ops = 0;
}

void mont_path_diverge(struct mont_path_made *made, struct mont_memo_state *state, u64 began,
		       struct mont_path *path, u32 group, u32 op)
{
	u32 i;

	mont_path_begin(made, state, began);
	made->other = path;
	made->other_op = op;
	made->nr_groups = group;
	for (i = 0; i < group; i++)
		made->group[i] = path->group[i];
	made->nr_ops = group < path->nr_groups ? path->group[group].first : path->nr_ops;
	for (i = 0; i < made->nr_ops; i++) {
		made->op[i] = path->op[i];
		made->op[i].other = 0;
		made->rotates |= path_op_rotates(&path->op[i]);
	}
}

/* Instruction @i of the group of @s. */
static const struct mont_uop *path_uop(const struct mont_straight *s, u32 i)
{
	return (const struct mont_uop *)((const u8 *)s->b + s->op[i].at);
}

/* The step of instruction @i of the group of @s. */
static const struct mont_step *path_step(const struct mont_straight *s, u32 i)
{
	u32 uop = s->op[i].at / sizeof(struct mont_uop);

	return &s->g->step[3 * (uop / MONT_BUNDLE_UOPS) + uop % MONT_BUNDLE_UOPS - 1];
}

/* Add predicate @qp to those that waits of @g depend on. False: there are too many. */
static bool path_guard(const struct mont_thread *t, struct mont_path_group *g, u8 qp)
{
	u32 i;

	for (i = 0; i < g->nr_guards; i++)
		if (g->guard[i] == qp)
			return true;
	if (i == MONT_GROUP_GUARDS)
		return false;
	g->guard[i] = qp;
	g->guards |= mont_pr(t, qp) << i;
	g->nr_guards++;
	return true;
}

bool mont_path_guards(const struct mont_thread *t, const struct mont_straight *s, u64 now,
		      struct mont_path_group *g)
{
	const struct mont_uses *uses = &s->g->uses;
	u32 i;

	/* Each operand is looked at by itself. */
	for (i = 0; uses->many && i < s->nr; i++) {
		const struct mont_uop *u = path_uop(s, i);

		if (u->qp && !path_guard(t, g, u->qp))
			return false;
	}
	for (i = 0; !uses->many && i < uses->end[3]; i++) {
		const struct mont_use *u = &uses->use[i];
		u32 place = u->nr + MONT_USE_FIXED;

		if (!u->qp)
			continue;
		if (i < uses->end[0])
			place = t->grmap[u->nr];
		else if (i < uses->end[1])
			place = 128 + t->own.map.of[MONT_FILE_FR][u->nr];
		else if (i < uses->end[2])
			place = MONT_RESULT_PR + t->own.map.of[MONT_FILE_PR][u->nr];
		if (mont_result_late(t->own.s.results.at[place], u->as, now) &&
		    !path_guard(t, g, u->qp))
			return false;
	}
	return true;
}

/* Add what is no instruction, @nr, of group @at, @g, to @made, with @what in mont_path_op.pr. */
static struct mont_path_op *path_add_other(struct mont_path_made *made,
					   const struct mont_path_group *g, u32 at, u8 nr, u8 what)
{
	struct mont_path_op *o = &made->op[made->nr_ops++];

	*o = (struct mont_path_op){
		.kind = nr - MONT_FETCH + MONT_PATH_FETCH,
		.cycle = g->since,
		.nr = nr,
		.pr = { what },
		.at = at << 3,
	};
	return o;
}

/* Fill @o, of the branch @u of the bundle at @ip. */
static void path_branch(struct mont_path_op *o, const struct mont_uop *u, u64 ip)
{
	u8 kind = mont_branch_kind[mont_op(u)];
	struct mont_branch_at at = mont_branch_lone_at(ip, u, kind);
	u64 number = mont_branch_number(&at);
	bool loops = mont_op(u) == MONT_OP_BR_CLOOP;

	o->u = u;
	o->word = (ip & 0xff0) | (at.target & 0xff0) << 16;
	o->simple = (loops || kind == MONT_KIND_IPREL) && !((at.target ^ ip) & ~0xfffULL) &&
		    !(u->r3 & MONT_BRH_MANY);
	if (o->simple)
		o->branch = (struct mont_path_branch){
			.entry = mont_l2b_index(number),
			.tag = mont_l2b_tag(number),
			.qp = u->qp,
			.loops = loops,
			.fixed = mont_branch_static(&at),
			.hinted = mont_branch_hinted(&at),
		};
}

bool mont_path_add(struct mont_path_made *made, const struct mont_path_group *g, u32 off, u64 late,
		   const bool guess[2])
{
	const struct mont_straight *s = g->s;
	struct mont_path_op *o;
	u64 ip = (made->from->key.word[MONT_KEY_IP] & ~0xfffULL) | (s->id & 0xff0);
	u32 at = made->nr_groups, i;

	if (g->now > MONT_PATH_CYCLES)
		return false;
	made->group[at] = *g;
	made->group[at].serial = s->serial;
	made->group[at].first = made->nr_ops;
	for (i = 0; i < 2; i++) {
		const struct mont_bundle *b = &s->b[i];

		if (g->fetches >> i & 1) {
			o = path_add_other(made, g, at, MONT_FETCH, i);
			o->pa = (s->id & MONT_GROUP_PA) + 16 * i;
			o->word = g->fetched[i];
		}
		if (g->predicted >> i & 1) {
			o = path_add_other(made, g, at, MONT_GUESS, i);
			if (s->pairs >> i & 1) {
				path_branch(o, &b->uop[b->at[1]], ip + 16 * i);
				o->first = 2 + i;
				o = path_add_other(made, g, at, MONT_GUESS, i);
			}
			path_branch(o, &b->uop[b->at[2]], ip + 16 * i);
			o->met = guess[i];
		}
	}
	for (i = 0; i < g->nr_guards; i++)
		path_add_other(made, g, at, MONT_GUARD, g->guard[i])->met = g->guards >> i & 1;
	for (i = 0; i < s->nr; i++) {
		const struct mont_straight_op *of = &s->op[i];

		o = &made->op[made->nr_ops++];
		*o = (struct mont_path_op){
			.u = path_uop(s, i),
			.word = ((u32)g->now << MONT_RESULT_CYCLE) + of->word,
			.cycle = g->now,
			.met = of->nr == MONT_BRANCH ? g->met
			       : off >> i & 1	     ? MONT_MET_OFF
						     : late >> MONT_LATE_BITS * i &
							(MONT_BIT(MONT_LATE_BITS) - 1),
			.nr = of->nr,
			.pr = { of->pr[0], of->pr[1] },
			.at = at << 3 | i,
		};
		if (of->nr == MONT_BRANCH || of->nr == MONT_PAST)
			path_branch(o, path_uop(s, i),
				    ip + of->at / sizeof(struct mont_bundle) * 16);
		o->kind = path_kind(o, path_uop(s, i), path_step(s, i), &o->word);
		made->rotates |= path_op_rotates(o);
	}
	made->nr_groups++;
	return true;
}

/* Add the bubbles @w to those of @path. False: they have too many causes. */
static bool path_add_wait(struct mont_path *path, const struct mont_path_wait *w)
{
	u32 i;

	for (i = 0; i < path->nr_waits; i++)
		if (path->wait[i].cause == w->cause)
			break;
	if (i == MONT_PATH_WAITS)
		return false;
	if (i == path->nr_waits) {
		path->wait[i] = *w;
		path->nr_waits++;
	} else {
		path->wait[i].n += w->n;
		path->wait[i].until = w->until;
	}
	path->bubbles += w->n;
	return true;
}

/* Sum up the groups of @made. False: one has more than there is room for. */
static bool path_sum(struct mont_path *path, const struct mont_path_made *made)
{
	u32 i, k;

	for (i = 0; i < made->nr_groups; i++) {
		const struct mont_path_group *g = &made->group[i];
		const struct mont_straight *s = g->s;
		u32 last = ((u32)g->now << MONT_RESULT_CYCLE) + s->longest;

		path->counts += s->counts;
		path->leaves += s->leaves;
		if (path->last < last)
			path->last = last;
		for (k = 0; k < g->nr_waits; k++)
			if (!path_add_wait(path, &g->wait[k]))
				return false;
		path->fetches += (g->fetches & 1) + (g->fetches >> 1);
		path->cycles = g->now + 1;
		for (k = 0; k < s->nr; k++) {
			const struct mont_straight_op *o = &s->op[k];

			path->moves |= o->nr == MONT_MOVE;
			if (o->nr == MONT_BRANCH) {
				u8 kind = mont_branch_kind[mont_op(path_uop(s, k))];

				path->moves |= kind != MONT_KIND_IPREL;
				path->returns |= kind == MONT_KIND_RETURN;
			}
		}
	}
	return true;
}

struct mont_path *mont_path_keep(struct mont_memo *memo)
{
	struct mont_path_made *made = &memo->made;
	struct mont_path sum = { .looked = ~0ULL, .alone = made->alone }, *path;
	struct mont_memo_state *state = made->from;
	struct mont_path_op *op;
	u64 size;
	u32 i;

	made->from = NULL;
	if (!made->nr_groups || (made->other && made->nr_ops <= made->other_op) ||
	    state->nr_paths == MONT_STATE_PATHS || !path_sum(&sum, made))
		return NULL;
	size = sizeof(*path) + (made->nr_ops + 1) * sizeof(made->op[0]);
	path = mont_memo_take(memo, size + made->nr_groups * sizeof(made->group[0]));
	if (!path)
		return NULL;
	*path = sum;
	path->nr_groups = made->nr_groups;
	path->nr_ops = made->nr_ops;
	path->group = (struct mont_path_group *)((u8 *)path + size);
	for (i = 0; i < made->nr_groups; i++)
		path->group[i] = made->group[i];
	for (i = 0; i < made->nr_ops; i++)
		path->op[i] = made->op[i];
	path->op[i] = (struct mont_path_op){
		.kind = MONT_PATH_END,
		.nr = MONT_END,
		.at = (made->nr_groups - 1) << 3,
	};
	if (made->other) {
		op = &made->other->op[made->other_op];
		path->op[made->other_op].other = op->other;
		op->other = mont_memo_place(memo, path);
	} else {
		state->path = mont_memo_place(memo, path);
	}
	state->nr_paths++;
	state->tries = 0;
	return path;
}

bool mont_path_lead(struct mont_memo *memo, struct mont_path *path, u32 met,
		    const struct mont_memo_state *state)
{
	u32 next = mont_memo_place(memo, state), place;
	struct mont_path_end *end;

	/* How registers are renamed behind a return is not known. */
	if (path->alone || path->nr_ends == MONT_PATH_ENDS ||
	    (path->returns && (state->key.word[MONT_KEY_MAP] & MONT_MAP_ROTATES)))
		return true;
	for (place = path->end; place; place = end->behind) {
		end = mont_memo_at(memo, place);
		if (end->met == met && end->next == next)
			return true;
	}
	end = mont_memo_take(memo, sizeof(*end));
	if (!end)
		return false;
	*end = (struct mont_path_end){ .met = met, .next = next, .behind = path->end };
	path->end = mont_memo_place(memo, end);
	path->nr_ends++;
	return true;
}
