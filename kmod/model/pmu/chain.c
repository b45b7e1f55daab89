// SPDX-License-Identifier: GPL-2.0-only
/*
 * The shadow of calls (br.call, brl.call, br.ret; SDM volume 1, 4.5.1 and 6.4).
 *
 * AR.BSP stands still within a function, moves up by the locals with a call and back with the
 * return. Where it does not stand as the last branch left it, something else has taken the
 * place of the frame: an interruption handler, another task, longjmp(). A break is put on the
 * stack then, and taken off when the frame comes back.
 */
#include "chain.h"
#include "internal.h"
#include "../isa/uop.h"

/* @addr moved by @n registers, stepping over NaT collections (SDM volume 1, 6.1.2). */
static u64 chain_skip(u64 addr, s64 n)
{
	s64 delta = (s64)(addr >> 3 & 63) + n;

	if (n < 0)
		delta -= 62;
	return addr + (u64)(n + delta / 63) * 8;
}

static u64 chain_bsp(const struct mont_thread *t)
{
	return chain_skip(t->s.ar.bspstore, t->s.ndirty);
}

static struct mont_chain_entry *chain_entry(struct mont_chain_stack *s, u32 down)
{
	return &s->entry[(s->top - 1 - down) % MONT_CHAIN_DEPTH];
}

static void chain_push(struct mont_chain_stack *s, u64 to, u64 bsp)
{
	s->top++;
	if (s->nr < MONT_CHAIN_DEPTH)
		s->nr++;
	*chain_entry(s, 0) = (struct mont_chain_entry){ to, bsp };
}

static void chain_pop(struct mont_chain_stack *s, u32 n)
{
	s->top -= n;
	s->nr -= n;
}

/* The frame of @s is at @bsp now: go back to the break that it left at, or make one. */
static void chain_settle(struct mont_thread *t, struct mont_chain_stack *s, u64 bsp)
{
	u32 i;

	if (s->bsp == bsp)
		return;
	for (i = 0; i < s->nr; i++) {
		const struct mont_chain_entry *e = chain_entry(s, i);

		if (!e->to && e->bsp == bsp) {
			chain_pop(s, i + 1);
			break;
		}
	}
	mont_work(t, 1 + i / MONT_WORK_ENTRIES);
	if (i == s->nr && s->bsp)
		chain_push(s, 0, s->bsp);
	s->bsp = bsp;
}

static void chain_return(struct mont_thread *t, struct mont_chain_stack *s)
{
	const struct mont_chain *c = &t->pmu.chain;
	u32 i;

	for (i = 0; i < s->nr; i++) {
		const struct mont_chain_entry *e = chain_entry(s, i);

		if (e->to == c->to && e->bsp == c->frame) {
			chain_pop(s, i + 1);
			s->bsp = c->frame;
			break;
		}
	}
	/* Without such a call the next look finds another frame. */
	mont_work(t, 1 + i / MONT_WORK_ENTRIES);
}

/* Note the branch that is pending, now that its instruction has retired. */
static void chain_apply(struct mont_thread *t)
{
	struct mont_chain *c = &t->pmu.chain;
	struct mont_chain_stack *s = &c->stack[c->user];

	if (!c->pending)
		return;
	c->pending = false;
	if (c->ret) {
		chain_return(t, s);
		return;
	}
	chain_push(s, c->to, c->from);
	s->bsp = c->frame;
}

void mont_chain_set(struct mont_thread *t, bool live)
{
	struct mont_chain *c = &t->pmu.chain;

	if (live && !c->live) {
		c->pending = false;
		c->stack[0].nr = c->stack[1].nr = 0;
		c->stack[0].bsp = c->stack[1].bsp = 0;
	}
	c->live = live;
}

void mont_chain_branch(const struct mont_occurrence *o)
{
	struct mont_thread *t = o->owner;
	const struct mont_uop *u = mont_packed_uop(t->cur, t->sig_slot);
	struct mont_chain *c = &t->pmu.chain;
	bool call = mont_op(u) == MONT_OP_BR_CALL || mont_op(u) == MONT_OP_BR_CALL_IND ||
		    mont_op(u) == MONT_OP_BRL_CALL;
	u64 bsp = chain_bsp(t);

	if (!o->branch->taken || (!call && mont_op(u) != MONT_OP_BR_RET))
		return;
	chain_apply(t);
	c->user = t->cpl == 3;
	chain_settle(t, &c->stack[c->user], bsp);
	c->pending = true;
	c->ret = !call;
	c->ip = t->s.ip;
	c->from = bsp;
	if (call) {
		c->to = t->s.ip + 16;
		c->frame = chain_skip(bsp, t->s.sol);
	} else {
		c->to = o->branch->target & ~15ULL;
		c->frame = chain_skip(bsp, -(s64)mont_bits(t->s.ar.pfs, 7, 7));
	}
}

u32 mont_chain_read(struct mont_thread *t, u64 *to, u32 most)
{
	struct mont_chain_stack *s = &t->pmu.chain.stack[t->cpl == 3];
	u32 n = 0;

	/* The branch itself still belongs to its function. */
	if (t->s.ip != t->pmu.chain.ip) {
		chain_apply(t);
		chain_settle(t, s, chain_bsp(t));
	}
	while (n < most && n < s->nr && chain_entry(s, n)->to) {
		to[n] = chain_entry(s, n)->to;
		n++;
	}
	return n;
}
