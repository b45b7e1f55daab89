// SPDX-License-Identifier: GPL-2.0-only
/*
 * Issue groups, worked out (manual 2.3.1).
 */
#include "group.h"
#include "predict.h"
#include "../arch/sysregs.h"
#include "../pmu/qualify.h"

/* I21: the whether hint of a move to a branch register (SDM volume 3, 4.3.4), none is 1. */
static bool group_is_move_with_hint(u64 bits)
{
	return mont_bits(bits, 20, 2) != 1;
}

const u8 mont_branch_kind[MONT_NR_OPS] = {
	[MONT_OP_BR_COND] = MONT_KIND_IPREL,
	[MONT_OP_BRL_COND] = MONT_KIND_IPREL,
	[MONT_OP_BR_WTOP] = MONT_KIND_WHILE,
	[MONT_OP_BR_WEXIT] = MONT_KIND_WHILE,
	[MONT_OP_BR_CALL] = MONT_KIND_CALL,
	[MONT_OP_BRL_CALL] = MONT_KIND_CALL,
	[MONT_OP_BR_CLOOP] = MONT_KIND_LOOP,
	[MONT_OP_BR_CTOP] = MONT_KIND_LOOP,
	[MONT_OP_BR_CEXIT] = MONT_KIND_LOOP,
	[MONT_OP_BR_RET] = MONT_KIND_RETURN,
	[MONT_OP_BR_COND_IND] = MONT_KIND_INDIRECT,
	[MONT_OP_BR_IA] = MONT_KIND_INDIRECT, /* of a false predicate; else it faults */
	[MONT_OP_BR_CALL_IND] = MONT_KIND_INDIRECT_CALL,
	[MONT_OP_BRP] = MONT_KIND_HINT,
	[MONT_OP_BRP_IND] = MONT_KIND_HINT,
	[MONT_OP_BRP_RET] = MONT_KIND_HINT,
};

/* Operations of registers alone that neither read IP nor branch. */
static const bool straight_op[MONT_NR_OPS] = {
#define MONT_CLASS_ALU true
#define MONT_CLASS_MMEDIA true
#define MONT_CLASS_FP true
#define MONT_CLASS_MEM false
#define MONT_CLASS_BRANCH false
#define MONT_CLASS_SYSTEM false
#define MONT_OP(op, class, flags)                                                \
	[MONT_OP_##op] = MONT_CLASS_##class && MONT_OP_##op != MONT_OP_MOV_IP && \
			 MONT_OP_##op != MONT_OP_FCHKF,
#include "../isa/ops.def"
#undef MONT_OP
#undef MONT_CLASS_ALU
#undef MONT_CLASS_MMEDIA
#undef MONT_CLASS_FP
#undef MONT_CLASS_MEM
#undef MONT_CLASS_BRANCH
#undef MONT_CLASS_SYSTEM
};

/* True if a segment has a way of its own for @op. */
static bool group_is_quick(u16 op)
{
	switch (op) {
	case MONT_OP_LD1:
	case MONT_OP_LD2:
	case MONT_OP_LD4:
	case MONT_OP_LD8:
	case MONT_OP_LD1_I:
	case MONT_OP_LD2_I:
	case MONT_OP_LD4_I:
	case MONT_OP_LD8_I:
		return true;
	default:
		return straight_op[op];
	}
}

/* The forms of an operation that are plain */
#define GROUP_PLAIN(op)    \
	case MONT_OP_##op: \
	case MONT_OP_##op##_I

/* Loads that look for an entry of the ALAT or make one, and those that add a register to the base */
#define GROUP_LOADS(op)            \
	case MONT_OP_##op##_A:     \
	case MONT_OP_##op##_C_CLR: \
	case MONT_OP_##op##_C_NC:  \
	case MONT_OP_##op##_R

/*
 * The bytes that @op refers to, if a segment has a way for it where its page is at hand; else 0.
 * *@kind: MONT_ACCESS_*.
 */
static u8 group_access(u16 op, u8 *kind)
{
	*kind = 0;
	switch (op) {
		GROUP_PLAIN(ST1) : *kind = MONT_ACCESS_PLAIN | MONT_ACCESS_STORE;
		return 1;
		GROUP_PLAIN(ST2) : *kind = MONT_ACCESS_PLAIN | MONT_ACCESS_STORE;
		return 2;
		GROUP_PLAIN(ST4) : *kind = MONT_ACCESS_PLAIN | MONT_ACCESS_STORE;
		return 4;
		GROUP_PLAIN(ST8) : *kind = MONT_ACCESS_PLAIN | MONT_ACCESS_STORE;
		return 8;
		GROUP_PLAIN(LDFS) : *kind = MONT_ACCESS_PLAIN | MONT_ACCESS_FP;
		return 4;
		GROUP_PLAIN(LDFD) : GROUP_PLAIN(LDF8) : *kind = MONT_ACCESS_PLAIN | MONT_ACCESS_FP;
		return 8;
		GROUP_PLAIN(STFS) : *kind = MONT_ACCESS_PLAIN | MONT_ACCESS_FP | MONT_ACCESS_STORE;
		return 4;
		GROUP_PLAIN(STFD)
		    : GROUP_PLAIN(STF8)
		    : *kind = MONT_ACCESS_PLAIN | MONT_ACCESS_FP | MONT_ACCESS_STORE;
		return 8;
		GROUP_LOADS(LD1) : return 1;
		GROUP_LOADS(LD2) : return 2;
		GROUP_LOADS(LD4) : return 4;
		GROUP_LOADS(LD8) : GROUP_PLAIN(LD8_FILL) : return 8;
		GROUP_LOADS(LDFS) : *kind = MONT_ACCESS_FP;
		return 4;
		GROUP_LOADS(LDFD) : GROUP_LOADS(LDF8) : *kind = MONT_ACCESS_FP;
		return 8;
		GROUP_PLAIN(LDF_FILL) : *kind = MONT_ACCESS_FP;
		return 16;
		GROUP_PLAIN(ST8_SPILL) : *kind = MONT_ACCESS_STORE;
		return 8;
		GROUP_PLAIN(STF_SPILL)
		    : *kind = MONT_ACCESS_PLAIN | MONT_ACCESS_FP | MONT_ACCESS_STORE;
		return 16;
	default:
		return 0;
	}
}

/* True if a segment may have a way for the reference of @u: @o says which. */
static bool group_is_access(struct mont_straight_op *o, const struct mont_uop *u)
{
	o->pr[0] = group_access(mont_op(u), &o->pr[1]);
	return o->pr[0];
}

/* True if a branch of the bundles of @g is predicted by AR.LC and AR.EC. */
static bool group_is_counted(const struct mont_group *g, const struct mont_bundle *b)
{
	u32 i, left;

	for (i = 0; i < 2 && g->tag[i]; i++) {
		for (left = b[i].branches; left; left &= left - 1) {
			const struct mont_uop *u = mont_packed_uop(&b[i], __builtin_ctz(left));
			u8 kind = mont_branch_kind[mont_op(u)];

			if (kind == MONT_KIND_LOOP || kind == MONT_KIND_WHILE)
				return true;
		}
	}
	return false;
}

/*
 * True if a segment has a way for @u, which shows no more than its results unless it faults.
 * @counted: as of group_is_counted(), of its group.
 */
static bool group_is_move(const struct mont_uop *u, bool counted)
{
	switch (mont_op(u)) {
	case MONT_OP_ALLOC:
	case MONT_OP_CHK_A_GR_NC:
	case MONT_OP_CHK_A_GR_CLR:
		return true;
	case MONT_OP_MOV_TO_AR:
	case MONT_OP_MOV_TO_AR_IMM:
		if (u->r3 == MONT_AR_LC || u->r3 == MONT_AR_EC)
			return !counted;
		return u->r3 == MONT_AR_PFS || u->r3 == MONT_AR_UNAT || u->r3 == MONT_AR_CCV;
	case MONT_OP_MOV_FROM_AR:
		return u->r3 == MONT_AR_PFS || u->r3 == MONT_AR_UNAT || u->r3 == MONT_AR_CCV ||
		       u->r3 == MONT_AR_LC || u->r3 == MONT_AR_EC;
	default:
		return false;
	}
}

/* True if @u is in the last slot of its bundle, and mont_branch_lone() may have a way for it. */
static bool group_ends_quickly(const struct mont_uop *u)
{
	if (u->flags >> MONT_UOP_SLOT_SHIFT != 2)
		return false;
	switch (mont_op(u)) {
	case MONT_OP_BR_COND:
	case MONT_OP_BR_COND_IND:
	case MONT_OP_BR_CLOOP:
	case MONT_OP_BR_CTOP:
	case MONT_OP_BR_CALL:
	case MONT_OP_BR_RET:
		return true;
	default:
		return false;
	}
}

/* True if branches of @b from slot @from on are in slots 1 and 2. */
static bool group_is_pair(const struct mont_bundle *b, u32 from)
{
	return b->branches >> from << from == (1 << 1 | 1 << 2);
}

/* True if mont_branch_lone() has a way for the branches of @b from slot @from on. */
static bool group_is_lone(const struct mont_bundle *b, u32 from)
{
	if (mont_is_bbb(b) || !(b->branches >> 2))
		return false;
	if (group_is_pair(b, from) ? mont_op(&b->uop[b->at[1]]) != MONT_OP_BR_COND
				   : b->branches >> from << from != 1 << 2)
		return false;
	return group_ends_quickly(&b->uop[b->at[2]]);
}

/*
 * True if the last branch of bundle @i of the bundles @b of @g is indirect, and the group may write its
 * register: it leads elsewhere then than when it is predicted.
 */
static bool group_leads_elsewhere(const struct mont_group *g, const struct mont_bundle *b, u32 i)
{
	u32 k;

	if (mont_op(&b[i].uop[b[i].at[2]]) != MONT_OP_BR_COND_IND)
		return false;
	for (k = 0; k < 3 * (i + 1); k++)
		if (g->step[k].nr_writes && g->step[k].write[0].file == MONT_FILE_BR)
			return true;
	return false;
}

/* Instructions of @b in front of @slot that are no unpredicated nops. */
static u8 group_live_in_front(const struct mont_bundle *b, u32 slot)
{
	return slot - mont_nops_before(b, slot) - (mont_is_mlx(b) && slot > 1);
}

/* The @nr slots of @b from @from on are in the group. */
static void group_part(struct mont_part *p, const struct mont_bundle *b, u32 from, u32 nr)
{
	u32 end = from + nr;

	p->first = group_live_in_front(b, from);
	p->last = group_live_in_front(b, end);
	p->end = end;
	p->next = end > 2 ? 0 : mont_is_mlx(b) ? 1 : end;
	p->slot = mont_is_mlx(b) && end == 2 ? 0 : end - 1;
	p->slots = ((1u << end) - (1u << from)) & mont_slots(b);
	p->insns = (p->slots & 1) + (p->slots >> 1 & 1) + (p->slots >> 2);
	p->nops = mont_nops_before(b, end) - mont_nops_before(b, from);
}

/* Bundle @i: its instructions, and what dispersal must know of them. */
static void group_bundle(struct mont_group *g, const struct mont_bundle_roles *roles, u32 i,
			 const struct mont_bundle *b, const u64 *raw, struct mont_disperse *d)
{
	u32 slot;

	d->tmpl = b->tmpl;
	d->last = 3;
	for (slot = 0; slot < 3; slot++) {
		const struct mont_roles *r = &roles->slot[slot];
		struct mont_step *s;
		u16 op = mont_op(mont_packed_uop(b, slot));

		d->ports[slot] = 0;
		if (mont_is_mlx(b) && slot == 1)
			continue;
		d->ports[slot] = r->ports;
		g->multimedia |= r->multimedia;
		g->reads_pmu |= op == MONT_OP_MOV_FROM_PMD || op == MONT_OP_MOV_FROM_PMC;
		if (b->at[slot] == MONT_SLOT_NOP)
			continue;
		s = &g->step[3 * i + b->at[slot]];
		s->kind = mont_branch_kind[op];
		if (op == MONT_OP_MOV_TO_BR &&
		    group_is_move_with_hint(mont_slot_bits(raw[0], raw[1], slot)))
			s->kind = MONT_KIND_HINT;
		s->more = r->more;
		s->nr_writes = mont_writes_of(s->write, r);
	}
}

/* The largest word of the results of bundle @i's part. */
static u32 group_longest_result(const struct mont_group *g, u32 i)
{
	u32 longest = 0, k, w;

	for (k = g->part[i].first; k < g->part[i].last; k++) {
		const struct mont_step *s = &g->step[3 * i + k];

		for (w = 0; w < s->nr_writes; w++)
			if (longest < s->write[w].word)
				longest = s->write[w].word;
	}
	return longest;
}

void mont_bundle_roles_fill(struct mont_groups *groups, struct mont_bundle_roles *roles,
			    const struct mont_bundle *b, const u64 *raw)
{
	u32 slot;

	for (slot = 0; slot < 3; slot++) {
		if (mont_is_mlx(b) && slot == 1)
			roles->slot[slot] = (struct mont_roles){ 0 };
		else
			mont_roles(&roles->slot[slot], groups->row, b->tmpl, slot, raw[0], raw[1]);
	}
}

void mont_group_fill(struct mont_group *g, const struct mont_bundle *b,
		     const struct mont_bundle_roles *const roles[2], const u64 *raw,
		     unsigned int nr, unsigned int from, enum mont_lost split, unsigned int last)
{
	struct mont_disperse two[2];
	u64 written = 0;
	u32 i, slot;

	__builtin_memset(g, 0, sizeof(*g));
	for (i = 0; i < nr; i++) {
		group_bundle(g, roles[i], i, &b[i], &raw[2 * i], &two[i]);
		g->tag[i] = b[i].tag;
	}
	two[0].last = last;
	mont_disperse(&two[0], nr == 2 ? &two[1] : NULL, from, split, &g->d);
	g->split = g->d.why == MONT_LOST_EXPL ? MONT_LOST_EXPL : MONT_LOST_IMPL;
	g->plain = true;
	for (i = 0; i < nr; i++) {
		u32 begin = i ? 0 : from, longest;

		group_part(&g->part[i], &b[i], begin, g->d.slots[i]);
		longest = group_longest_result(g, i);
		if (g->longest < longest)
			g->longest = longest;
		g->plain &= (b[i].tag & (MONT_TAG_VALID | MONT_TAG_STEP)) == MONT_TAG_VALID ||
			    !g->part[i].end;
		for (slot = begin; slot < g->part[i].end; slot++) {
			const struct mont_roles *r = &roles[i]->slot[slot];

			mont_uses_add(&g->uses, r, 3 * i + slot, written);
			written |= mont_predicates_written(r);
		}
	}
	g->branches = nr == 2 && b[1].branches & ((1u << g->part[1].end) - 1);
	/* No instruction begins in the middle of the L+X one. */
	g->plain &= g->part[0].insns && !(from == 2 && mont_is_mlx(b)) && !g->reads_pmu;
}

/* True if the results of @step are two predicates, which come in one cycle. */
static bool group_writes_two_pr(const struct mont_step *step)
{
	const struct mont_write *w = step->write;

	return step->nr_writes == 2 && w[0].file == MONT_FILE_PR && w[1].file == MONT_FILE_PR &&
	       w[0].nr != MONT_PR_ALL && w[1].nr != MONT_PR_ALL && w[0].word == w[1].word;
}

/* True if the results of @step are the target of a load, and its base. */
static bool group_writes_two_gr(const struct mont_step *step)
{
	const u16 base = mont_result_word[MONT_PRODUCER_ADDER];
	const struct mont_write *w = step->write;

	return step->nr_writes == 2 && w[0].file == MONT_FILE_GR && w[1].file == MONT_FILE_GR &&
	       (w[0].word == base) != (w[1].word == base);
}

/* The results of @step are one register, or two: fill @o with them if there is a way for these. */
static void group_results(struct mont_straight_op *o, const struct mont_step *step)
{
	const struct mont_write *w = step->write;

	if (step->more)
		return;
	if (step->nr_writes == 1 && w[0].file == MONT_FILE_GR) {
		o->nr = w[0].nr;
		o->word = w[0].word;
	} else if (step->nr_writes == 1 && w[0].file == MONT_FILE_FR) {
		o->nr = MONT_ONE_FR;
		o->word = w[0].word;
		o->pr[0] = w[0].nr;
	} else if (group_writes_two_pr(step)) {
		o->nr = MONT_TWO_PR;
		o->word = w[0].word;
		o->pr[0] = w[0].nr;
		o->pr[1] = w[1].nr;
	} else if (group_writes_two_gr(step)) {
		u32 base = w[1].word == mont_result_word[MONT_PRODUCER_ADDER];

		o->nr = MONT_TWO_GR;
		o->word = w[!base].word;
		o->pr[0] = w[!base].nr;
		o->pr[1] = w[base].nr;
	}
}

void mont_straight_fill(struct mont_groups *groups, struct mont_group *g, struct mont_bundle *b,
			u64 pa)
{
	struct mont_straight *s = &groups->straight[g - groups->group];
	u32 i, k, slot = g->part[0].next;
	bool counted = group_is_counted(g, b);

	s->id = 0;
	s->serial = 0;
	groups->serial++;
	if (!g->plain)
		return;
	*s = (struct mont_straight){
		.id = g->id,
		.serial = groups->serial,
		.next = MONT_NO_GROUP,
		.behind = s,
		.g = g,
		.b = b,
		.looked = ~0ULL,
		.rest = MONT_MEMO_RESTS,
		.rests = MONT_MEMO_RESTS,
	};
	s->longest = g->longest;
	s->pending = g->multimedia ? MONT_LONGEST_MULTIMEDIA : 0;
	if (b[0].branches >> (g->id & 3))
		s->branches |= MONT_IN_FIRST;
	if (g->branches)
		s->branches |= MONT_IN_SECOND;
	if (g->tag[1] && b[1].branches)
		s->branches |= MONT_BEHIND;
	if (group_is_lone(&b[0], g->id & 3) && !group_leads_elsewhere(g, b, 0))
		s->lone |= MONT_IN_FIRST;
	if (g->tag[1] && group_is_lone(&b[1], 0) && !group_leads_elsewhere(g, b, 1))
		s->lone |= MONT_IN_SECOND;
	if ((s->lone & MONT_IN_FIRST) && group_is_pair(&b[0], g->id & 3))
		s->pairs |= MONT_IN_FIRST;
	if ((s->lone & MONT_IN_SECOND) && group_is_pair(&b[1], 0))
		s->pairs |= MONT_IN_SECOND;
	for (i = 0; i < 2 && g->part[i].end; i++) {
		const struct mont_part *p = &g->part[i];
		bool lone = s->lone & (i ? MONT_IN_SECOND : MONT_IN_FIRST);

		for (k = p->first; k < p->last; k++) {
			const struct mont_step *step = &g->step[3 * i + k];
			struct mont_straight_op *o = &s->op[s->nr++];

			o->at = sizeof(struct mont_bundle) * i + sizeof(struct mont_uop) * (1 + k);
			o->nr = MONT_NO_GR;
			if (lone && group_ends_quickly(&b[i].uop[k]) && (i || !g->part[1].end))
				o->nr = MONT_BRANCH;
			else if (lone && mont_op(&b[i].uop[k]) == MONT_OP_BR_COND)
				o->nr = MONT_PAST;
			else if (group_is_move(&b[i].uop[k], counted))
				o->nr = MONT_MOVE;
			else if (group_is_access(o, &b[i].uop[k]))
				o->nr = o->pr[1] & MONT_ACCESS_PLAIN ? MONT_REFERENCE : MONT_ACCESS;
			else if (step->kind || !group_is_quick(mont_op(&b[i].uop[k])))
				o->nr = MONT_OTHER;
			else
				group_results(o, step);
		}
		s->counts += MONT_COUNTS(p->insns, p->nops);
		s->leaves += !p->next;
		slot = p->next;
	}
	if ((pa & 0xfff) + 16 * s->leaves <= 0xff0) {
		pa += 16 * s->leaves;
		s->next = mont_group_id(pa, 2, slot, g->split, 3);
		s->behind = &groups->straight[mont_group_place(pa, slot, 2)];
	}
}

/*
 * The groups of @nr bundles from the one at @pa on, whose bundle @i is decoded from @raw: those of
 * other bytes are forgotten. Groups in their places that begin elsewhere stay.
 */
static void group_forget_from(struct mont_groups *groups, u64 pa, u32 nr, u32 i, const u64 *raw)
{
	u32 from;

	for (from = 0; from < 3; from++) {
		struct mont_group *g = &groups->group[mont_group_place(pa, from, nr)];
		struct mont_detail *detail = mont_group_detail(groups, g);

		if ((g->tag[0] ^ pa) > MONT_TAG_BITS)
			continue;
		detail->tags = (struct mont_window_tags){ 0 };
		if (raw && detail->raw[2 * i] == raw[0] && detail->raw[2 * i + 1] == raw[1])
			continue;
		g->id = 0;
		groups->straight[g - groups->group].id = 0;
		groups->straight[g - groups->group].serial = 0;
		groups->serial++;
	}
}

void mont_groups_forget(struct mont_groups *groups, u64 pa, const u64 *raw)
{
	mont_bundle_roles_at(groups, pa)->pa = 0;
	group_forget_from(groups, pa, 1, 0, raw);
	group_forget_from(groups, pa, 2, 0, raw);
	/* The bundle before it may have it as its second. */
	group_forget_from(groups, pa - 16, 2, 1, raw);
}

/* Take a number from those of the bits of the @nr words from @map on. Return: it, or -1: no bit. */
static s32 group_take_bit(u64 *map, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		if (map[i]) {
			u32 bit = __builtin_ctzll(map[i]);

			map[i] &= map[i] - 1;
			return 64 * i + bit;
		}
	}
	return -1;
}

void mont_groups_forget_all(struct mont_groups *groups)
{
	s32 block;
	u32 i;

	/* All of the table is as large as what lies in a cache of the host, and often near empty. */
	while ((block = group_take_bit(groups->made, MONT_NR_GROUPS / 64 / 64)) >= 0) {
		for (i = 64 * block; i < 64 * (u32)block + 64; i++) {
			groups->group[i].id = 0;
			groups->straight[i].id = 0;
			groups->straight[i].serial = 0;
		}
	}
	while ((block = group_take_bit(groups->known, MONT_NR_BUNDLE_ROLES / 64 / 64)) >= 0) {
		for (i = 64 * block; i < 64 * (u32)block + 64; i++)
			groups->roles[i].pa = 0;
	}
	mont_memo_forget(&groups->memo);
}
