/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threaded code: one function for each frequent operation, which executes it and jumps
 * to the function of the next instruction of the bundle. Included by loop.h.
 *
 * An operation has four functions, by whether the instruction has a qualifying predicate
 * and whether it is the last one of its bundle, so that neither is tested as it executes.
 * A jump is the last thing that such a function does; where a compiler makes a call of
 * it, three of them are the most that stand on the stack.
 */
#ifndef MONT_EXEC_THREADED_H
#define MONT_EXEC_THREADED_H

#include "execute_hot.h"
#include "squash.h"

/*
 * Execute the instruction @u of a packed bundle, which is not tagged, and those behind it.
 * Return: an enum mont_result, that of the instruction in t->sig_slot if it is not
 * MONT_NEXT; with THREADED_COUNTED if the nops in front of it have been counted.
 */
typedef u32 threaded_fn(struct mont_thread *t, const struct mont_uop *u);

#define THREADED_COUNTED 0x10000

static threaded_fn *const threaded[MONT_NR_CODES];

static __always_inline u32 threaded_next(struct mont_thread *t, const struct mont_uop *u)
{
	u++;
	return threaded[u->code](t, u);
}

/* Signals tell their slot by t->sig_slot: what raises one sets it first. */
static __always_inline void threaded_slot(struct mont_thread *t, const struct mont_uop *u)
{
	t->sig_slot = u->flags >> MONT_UOP_SLOT_SHIFT;
}

/* The predicate of @u is false. */
static noinline void threaded_squash(struct mont_thread *t, const struct mont_uop *u)
{
	threaded_slot(t, u);
	mont_squash(t, u);
}

/* Execute any operation. */
static u32 threaded_any(struct mont_thread *t, const struct mont_uop *u)
{
	threaded_slot(t, u);
	if (unlikely(!mont_pr(t, u->qp)))
		mont_squash(t, u);
	if (likely(mont_pr(t, u->qp) || u->flags & MONT_UOP_ALWAYS)) {
		enum mont_result r = mont_execute(t, u);

		if (unlikely(r != MONT_NEXT))
			return r;
	}
	return u->code & MONT_CODE_LAST ? MONT_NEXT : threaded_next(t, u);
}

/*
 * Execute an operation, by its class, and return from the function that does if the
 * instruction leaves the bundle. An ALU operation raises no signal.
 */
#define THREADED_ALU(op)                        \
	do {                                    \
		u32 r = mont_x_##op(t, u);      \
                                                \
		if (unlikely(r != MONT_NEXT)) { \
			threaded_slot(t, u);    \
			return r;               \
		}                               \
	} while (0)
/* The slow way of a memory operation begins anew. */
#define THREADED_MEM(op)                              \
	do {                                          \
		if (unlikely(!mont_quick_##op(t, u))) \
			return threaded_any(t, u);    \
	} while (0)
#define THREADED_SYSTEM(op)                   \
	do {                                  \
		u32 r;                        \
                                              \
		threaded_slot(t, u);          \
		r = mont_x_##op(t, u);        \
		if (unlikely(r != MONT_NEXT)) \
			return r;             \
	} while (0)
#define THREADED_FP(op) THREADED_SYSTEM(op)
#define THREADED_MMEDIA(op) THREADED_SYSTEM(op)
/* A return may change the level: the nops in front of it count at the present one. */
#define THREADED_BRANCH(op)                                        \
	do {                                                       \
		u32 r;                                             \
                                                                   \
		threaded_slot(t, u);                               \
		if (MONT_OP_##op == MONT_OP_BR_RET)                \
			count_nops(t, t->cur, t->sig_slot, false); \
		r = mont_x_##op(t, u);                             \
		if (MONT_OP_##op == MONT_OP_BR_RET)                \
			return r | THREADED_COUNTED;               \
		if (unlikely(r != MONT_NEXT))                      \
			return r;                                  \
	} while (0)

#define THREADED(op, class, flags, name, what)                                             \
	static u32 threaded_##name##_##op(struct mont_thread *t, const struct mont_uop *u) \
	{                                                                                  \
		if (MONT_CODE_PREDICATED & (what) && unlikely(!mont_pr(t, u->qp))) {       \
			threaded_squash(t, u);                                             \
			if (!(MONT_UOP_ALWAYS & (flags)))                                  \
				goto next;                                                 \
		}                                                                          \
		THREADED_##class(op);                                                      \
next:                                                                                      \
		return MONT_CODE_LAST & (what) ? MONT_NEXT : threaded_next(t, u);          \
	}
#define MONT_OP(op, class, flags)
#define MONT_HOT_OP(op, class, flags)                                \
	THREADED(op, class, flags, plain, 0)                         \
	THREADED(op, class, flags, predicated, MONT_CODE_PREDICATED) \
	THREADED(op, class, flags, last, MONT_CODE_LAST)             \
	THREADED(op, class, flags, predicated_last, MONT_CODE_PREDICATED | MONT_CODE_LAST)
#include "../isa/ops.def"
#undef MONT_OP

/* The function for each code. */
static threaded_fn *const threaded[MONT_NR_CODES] = {
#define THREADED_ROW(op, plain, predicated, last, predicated_last)                  \
	[MONT_OP_##op] = plain, [MONT_OP_##op | MONT_CODE_PREDICATED] = predicated, \
	[MONT_OP_##op | MONT_CODE_LAST] = last,                                     \
	[MONT_OP_##op | MONT_CODE_PREDICATED | MONT_CODE_LAST] = predicated_last,
#define MONT_OP(op, class, flags) \
	THREADED_ROW(op, threaded_any, threaded_any, threaded_any, threaded_any)
#define MONT_HOT_OP(op, class, flags)                                                       \
	THREADED_ROW(op, threaded_plain_##op, threaded_predicated_##op, threaded_last_##op, \
		     threaded_predicated_last_##op)
#include "../isa/ops.def"
#undef MONT_OP
};

/* Execute the instructions of @b, which is packed and not tagged. Return: as threaded_fn. */
static __always_inline u32 threaded_bundle(struct mont_thread *t, const struct mont_bundle *b)
{
	return threaded[b->uop->code](t, b->uop);
}

#endif
