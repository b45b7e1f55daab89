// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoded bundles as the pipeline sees them (manual 2.3.1).
 */
#include "group.h"
#include "predict.h"

/* I21: the whether hint of a move to a branch register (SDM volume 3, 4.3.4), none is 1. */
static bool move_hints(u64 bits)
{
	return mont_bits(bits, 20, 2) != 1;
}

static u8 kind_of(u16 op, u64 bits)
{
	switch (op) {
	case MONT_OP_BR_COND:
	case MONT_OP_BRL_COND:
		return MONT_KIND_IPREL;
	case MONT_OP_BR_WTOP:
	case MONT_OP_BR_WEXIT:
		return MONT_KIND_WHILE;
	case MONT_OP_BR_CALL:
	case MONT_OP_BRL_CALL:
		return MONT_KIND_CALL;
	case MONT_OP_BR_CLOOP:
	case MONT_OP_BR_CTOP:
	case MONT_OP_BR_CEXIT:
		return MONT_KIND_LOOP;
	case MONT_OP_BR_RET:
		return MONT_KIND_RETURN;
	case MONT_OP_BR_COND_IND:
	case MONT_OP_BR_IA: /* of a false predicate; else it faults */
		return MONT_KIND_INDIRECT;
	case MONT_OP_BR_CALL_IND:
		return MONT_KIND_INDIRECT_CALL;
	case MONT_OP_BRP:
	case MONT_OP_BRP_IND:
	case MONT_OP_BRP_RET:
		return MONT_KIND_HINT;
	case MONT_OP_MOV_TO_BR:
		return move_hints(bits) ? MONT_KIND_HINT : MONT_KIND_NONE;
	default:
		return MONT_KIND_NONE;
	}
}

/* The predicates that an instruction writes: bit n for pn. */
static u64 predicates_written(const struct mont_roles *r)
{
	u64 written = 0;
	u32 i;

	for (i = 0; i < r->nr_writes; i++) {
		const struct mont_operand *o = &r->write[i];

		if (o->file == MONT_FILE_PR)
			written |= o->nr == MONT_PR_ALL ? ~0ULL : MONT_BIT(o->nr);
	}
	return written;
}

/* Instructions of @b in front of @slot that are no nops. */
static u8 live_before(const struct mont_bundle *b, u32 slot)
{
	return slot - mont_nops_before(b, slot) - (mont_is_mlx(b) && slot > 1);
}

void mont_pipe_fill(struct mont_pipe *p, const struct mont_bundle *b, u64 lo, u64 hi)
{
	unsigned int slot;

	p->number++;
	__builtin_memset(p->window, 0, sizeof(p->window));
	p->disperse.tmpl = b->tmpl;
	p->disperse.last = 3;
	p->reads_pmu = false;
	p->branches = false;
	p->live[0] = 0;
	p->multimedia = false;
	for (slot = 0; slot < 3; slot++) {
		p->kind[slot] = MONT_KIND_NONE;
		p->disperse.ports[slot] = 0;
		p->predicates[slot] = 0;
		p->live[slot + 1] = live_before(b, slot + 1);
		__builtin_memset(&p->roles[slot], 0, sizeof(p->roles[slot]));
		if (b->nr == 2 && slot == 1)
			continue;
		mont_roles(&p->roles[slot], b->tmpl, slot, lo, hi);
		p->disperse.ports[slot] = p->roles[slot].ports;
		p->multimedia |= p->roles[slot].multimedia;
		p->predicates[slot] = predicates_written(&p->roles[slot]);
		p->kind[slot] = kind_of(mont_packed_uop(b, slot)->op, mont_slot_bits(lo, hi, slot));
		p->branches |= p->kind[slot] != MONT_KIND_NONE && p->kind[slot] != MONT_KIND_HINT;
		p->reads_pmu |= mont_packed_uop(b, slot)->op == MONT_OP_MOV_FROM_PMD ||
				mont_packed_uop(b, slot)->op == MONT_OP_MOV_FROM_PMC;
	}
	p->tag = b->tag;
}

const struct mont_dispersal *mont_window_fill(struct mont_window *w, const struct mont_pipe *first,
					      const struct mont_pipe *second, unsigned int done,
					      enum mont_lost split, unsigned int last)
{
	struct mont_disperse one = first->disperse;

	w->partner = second ? second->number : 0;
	one.last = last;
	mont_disperse(&one, second ? &second->disperse : NULL, done, split, &w->d);
	return &w->d;
}
