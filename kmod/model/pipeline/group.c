// SPDX-License-Identifier: GPL-2.0-only
/*
 * Issue groups, worked out (manual 2.3.1).
 */
#include "group.h"
#include "predict.h"

/* I21: the whether hint of a move to a branch register (SDM volume 3, 4.3.4), none is 1. */
static bool move_hints(u64 bits)
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

/* Instructions of @b in front of @slot that are no unpredicated nops. */
static u8 live_before(const struct mont_bundle *b, u32 slot)
{
	return slot - mont_nops_before(b, slot) - (mont_is_mlx(b) && slot > 1);
}

/* The @nr slots of @b from @from on are in the group. */
static void part_of(struct mont_part *p, const struct mont_bundle *b, u32 from, u32 nr)
{
	u32 end = from + nr;

	p->first = live_before(b, from);
	p->last = live_before(b, end);
	p->end = end;
	p->next = end > 2 ? 0 : mont_is_mlx(b) ? 1 : end;
	p->slot = mont_is_mlx(b) && end == 2 ? 0 : end - 1;
	p->slots = ((1u << end) - (1u << from)) & mont_slots(b);
	p->insns = (p->slots & 1) + (p->slots >> 1 & 1) + (p->slots >> 2);
	p->nops = mont_nops_before(b, end) - mont_nops_before(b, from);
}

/* Bundle @i: its instructions, and what dispersal must know of them. */
static void bundle_of(struct mont_group *g, const struct mont_bundle_roles *roles, u32 i,
		      const struct mont_bundle *b, const u64 *raw, struct mont_disperse *d)
{
	u32 slot;

	d->tmpl = b->tmpl;
	d->last = 3;
	for (slot = 0; slot < 3; slot++) {
		const struct mont_roles *r = &roles->slot[slot];
		struct mont_step *s;
		u16 op = mont_packed_uop(b, slot)->op;

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
		if (op == MONT_OP_MOV_TO_BR && move_hints(mont_slot_bits(raw[0], raw[1], slot)))
			s->kind = MONT_KIND_HINT;
		s->more = r->more;
		s->nr_writes = mont_writes_of(s->write, r);
	}
}

/* The largest word of the results of bundle @i's part. */
static u32 longest_of(const struct mont_group *g, u32 i)
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

void mont_bundle_roles_fill(struct mont_bundle_roles *roles, const struct mont_bundle *b,
			    const u64 *raw)
{
	u32 slot;

	for (slot = 0; slot < 3; slot++) {
		if (mont_is_mlx(b) && slot == 1)
			roles->slot[slot] = (struct mont_roles){ 0 };
		else
			mont_roles(&roles->slot[slot], b->tmpl, slot, raw[0], raw[1]);
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
		bundle_of(g, roles[i], i, &b[i], &raw[2 * i], &two[i]);
		g->tag[i] = b[i].tag;
	}
	two[0].last = last;
	mont_disperse(&two[0], nr == 2 ? &two[1] : NULL, from, split, &g->d);
	g->split = g->d.why == MONT_LOST_EXPL ? MONT_LOST_EXPL : MONT_LOST_IMPL;
	g->plain = true;
	for (i = 0; i < nr; i++) {
		u32 begin = i ? 0 : from, longest;

		part_of(&g->part[i], &b[i], begin, g->d.slots[i]);
		longest = longest_of(g, i);
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

/* The groups of @nr bundles from the one at @pa on are forgotten; others in their places stay. */
static void forget_from(struct mont_groups *groups, u64 pa, u32 nr)
{
	u32 from;

	for (from = 0; from < 3; from++) {
		struct mont_group *g = &groups->group[mont_group_place(pa, from, nr)];

		if ((g->tag[0] ^ pa) <= MONT_TAG_BITS)
			g->id = 0;
	}
}

void mont_groups_forget(struct mont_groups *groups, u64 pa)
{
	mont_bundle_roles_at(groups, pa)->pa = 0;
	forget_from(groups, pa, 1);
	forget_from(groups, pa, 2);
	/* The bundle before it may have it as its second. */
	forget_from(groups, pa - 16, 2);
}

void mont_groups_forget_all(struct mont_groups *groups)
{
	u32 i;

	for (i = 0; i < MONT_NR_GROUPS; i++)
		groups->group[i].id = 0;
	for (i = 0; i < MONT_NR_BUNDLE_ROLES; i++)
		groups->roles[i].pa = 0;
}
