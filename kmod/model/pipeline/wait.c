// SPDX-License-Identifier: GPL-2.0-only
/*
 * Issue check of a group's operands, stages REN and REG (manual 2.3.2).
 */
#include "wait.h"
#include "../arch/registers.h"

/* True if the instruction with these operands is off, by a predicate known before its group. */
static bool wait_is_off(const struct mont_thread *t, const struct mont_roles *r, u64 written)
{
	const struct mont_operand *o = r->read;

	/* One that reads nothing has zeros there: a general register. */
	return o->file == MONT_FILE_PR && o->nr != MONT_PR_ALL && !mont_pr(t, o->nr) &&
	       !(written >> o->nr & 1);
}

void mont_wait_for_each(struct mont_thread *t, const struct mont_window *w, u64 now)
{
	struct mont_time *time = t->time;
	u64 written = 0, multimedia = 0;
	u32 i, slot;

	for (i = 0; i < w->nr; i++) {
		const struct mont_bundle_roles *roles =
			mont_bundle_roles(t, &w->b[i], (t->fetch_pa | (w->ip & 0xff0)) + 16 * i);

		for (slot = i ? 0 : w->from; slot < w->g->part[i].end; slot++) {
			const struct mont_roles *r = &roles->slot[slot];

			mont_operands_wait(&t->own.s.results, &t->own.map, r,
					   wait_is_off(t, r, written), now, &t->own.s.stall,
					   &multimedia);
			written |= mont_predicates_written(r);
		}
	}
	if (unlikely(multimedia))
		mont_operands_flush(&t->own.s.stall, now, multimedia, time->s.h.timing.mm_address);
}

/**
 * struct longest - the longest waits of a group, by cause
 * @until: up to which cycle
 * @operand: for what, as mont_wait_operands() has it
 * @at: the instruction that waits
 */
struct longest {
	u64 until[MONT_NR_CAUSES];
	u64 operand[MONT_NR_CAUSES];
	struct mont_waiter at[MONT_NR_CAUSES];
};

/* The use of @o as @as by the instruction @at. */
static void wait_operand(const struct mont_thread *t, const struct mont_operand *o,
			 enum mont_consumer as, u64 now, const struct mont_waiter *at,
			 struct longest *l)
{
	struct mont_stall stall = { 0 };
	u64 multimedia = 0;
	u32 cause;

	mont_operand_wait(&t->own.s.results, &t->own.map, o, as, now, &stall, &multimedia);
	if (!stall.causes)
		return;
	cause = __builtin_ctz(stall.causes);
	if (stall.until[cause] <= l->until[cause])
		return;
	l->until[cause] = stall.until[cause];
	l->operand[cause] = o->file << 8 | o->nr;
	l->at[cause] = *at;
}

/* Fill @l for the group of @w, which could have issued in cycle @now. */
static void wait_longest(struct mont_thread *t, const struct mont_window *w, u64 now,
			 struct longest *l)
{
	struct mont_waiter at = { .cur = w->b, .ip = w->ip, .slot = w->from };
	u32 i, n, slot;
	u64 written = 0;

	for (i = 0; i < MONT_NR_CAUSES; i++) {
		l->until[i] = 0;
		l->operand[i] = MONT_TRACE_NO_OPERAND;
		l->at[i] = at;
	}
	for (i = 0; i < w->nr; i++) {
		const struct mont_bundle_roles *roles =
			mont_bundle_roles(t, &w->b[i], (t->fetch_pa | (w->ip & 0xff0)) + 16 * i);

		for (slot = i ? 0 : w->from; slot < w->g->part[i].end; slot++) {
			const struct mont_roles *r = &roles->slot[slot];
			bool off = wait_is_off(t, r, written);

			at = (struct mont_waiter){ &w->b[i], w->ip + 16 * i, slot };
			for (n = 0; n < r->nr_reads && (!off || !n); n++)
				wait_operand(t, &r->read[n], r->read[n].role, now, &at, l);
			for (n = 0; n < r->nr_writes && !off; n++)
				if (r->write[n].file <= MONT_FILE_FR)
					wait_operand(t, &r->write[n], MONT_CONSUMER_WRITE, now, &at,
						     l);
			written |= mont_predicates_written(r);
		}
	}
}

void mont_wait_operands(struct mont_thread *t, const struct mont_window *w, u64 now,
			u64 operand[MONT_NR_CAUSES])
{
	struct longest l;

	wait_longest(t, w, now, &l);
	__builtin_memcpy(operand, l.operand, sizeof(l.operand));
}

void mont_wait_places(struct mont_thread *t, const struct mont_window *w, u64 now,
		      struct mont_waiter at[MONT_NR_CAUSES])
{
	struct longest l;

	wait_longest(t, w, now, &l);
	__builtin_memcpy(at, l.at, sizeof(l.at));
}

void mont_wait_for_one(struct mont_thread *t, const struct mont_window *w, const struct mont_use *u,
		       u64 result, u64 ready, u64 now)
{
	enum mont_producer producer = mont_produced_by(result);

	if (u->qp && !mont_pr(t, u->qp))
		return;
	/* A flush for a multimedia result used as an address depends on the whole group. */
	if (unlikely(producer == MONT_PRODUCER_MULTIMEDIA && u->as == MONT_CONSUMER_ADDRESS))
		mont_wait_for_each(t, w, now);
	else
		mont_stall_until(&t->own.s.stall, mont_use_cause[u->kind][producer], ready);
}
