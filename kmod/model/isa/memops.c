// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory operations beyond the plain load and store (SDM volume 3; volume 1,
 * 4.4.4 control speculation, 4.4.5 data speculation).
 */
#include "memops.h"
#include "fp.h"
#include "fpcvt.h"

/* The base register after the access, and whether it is a NaT. */
static void memops_new_base(struct mont_thread *t, const struct mont_uop *u, u32 kind, u64 *v,
			    u8 *nat)
{
	*v = mont_gr(t, u->r3) + (kind & MONT_MEM_BASE_REG ? mont_gr(t, u->r2) : u->imm);
	*nat = mont_nat(t, u->r3) | (kind & MONT_MEM_BASE_REG ? mont_nat(t, u->r2) : 0);
}

/* A plain reference, which has not been translated. */
static struct mont_ref memops_plain_reference(u64 va, u32 size, u32 kind)
{
	return (struct mont_ref){ .va = va, .pa = MONT_PA_NONE, .size = size, .kind = kind };
}

static void memops_retire_load(struct mont_thread *t, const struct mont_ref *ref)
{
	mont_refer(t, MONT_SIG_LOAD_RETIRED, ref);
}

/* Count the retirement of a load that gave NaT: a plain one, without the reason for the NaT. */
static void memops_retire_deferred(struct mont_thread *t, struct mont_ref *ref)
{
	u32 why = (ref->kind & MONT_DATA_WHY) >> MONT_DATA_WHY_SHIFT;

	ref->kind = (ref->kind & MONT_DATA_FP) | MONT_DATA_DEFERRED;
	if (why == MONT_NATTED_NAT || why == MONT_NATTED_PSR_ED)
		ref->kind |= MONT_DATA_NOT_SENT;
	memops_retire_load(t, ref);
}

static void memops_retire_store(struct mont_thread *t, const struct mont_ref *ref)
{
	mont_refer(t, MONT_SIG_STORE_RETIRED, ref);
}

/**
 * struct load - what a load of any kind came to
 * @v: the bytes
 * @ref: where from, and how
 * @hit: a check load found its ALAT entry: nothing was read
 * @defer: a speculative load gives NaT
 */
struct load {
	u64 v[2];
	struct mont_ref ref;
	bool hit;
	bool defer;
};

/* A check load looks for its entry. */
static bool memops_check_load(struct mont_thread *t, const struct mont_ref *ref, u64 reg,
			      bool clear)
{
	bool hit = mont_alat_check(t, reg, clear);
	struct mont_ref check = *ref;

	check.kind |= hit ? 0 : MONT_DATA_FAILED;
	mont_signal_ref(t, MONT_SIG_ALAT_CHECK, &check);
	return hit;
}

/* The common part of every load: checks, access, ALAT. */
static enum mont_result memops_load(struct mont_thread *t, const struct mont_uop *u, u64 reg,
				    u32 size, u32 access, u32 kind, struct load *l)
{
	struct mont_ref plain = memops_plain_reference(mont_gr(t, u->r3), size,
						       access & MONT_ACC_FP ? MONT_DATA_FP : 0);
	enum mont_result r = MONT_NEXT;
	bool track = kind & (MONT_MEM_ADVANCED | MONT_MEM_CHECK);
	u64 pa;

	l->ref = plain;
	l->hit = false;
	l->defer = false;
	l->v[0] = 0;
	l->v[1] = 0;
	if (mont_nat(t, u->r3)) {
		if (!(kind & MONT_MEM_SPECULATIVE))
			return mont_nat_fault(t, MONT_ISR_R);
		l->defer = true;
		l->ref.kind |= MONT_NATTED_NAT << MONT_DATA_WHY_SHIFT;
	} else if (kind & (MONT_MEM_CHECK_CLEAR | MONT_MEM_CHECK)) {
		l->hit = memops_check_load(t, &l->ref, reg, kind & MONT_MEM_CHECK_CLEAR);
		if (l->hit)
			return MONT_NEXT;
	}
	if (!l->defer) {
		if (kind & MONT_MEM_SPECULATIVE)
			r = mont_load_spec(t, &l->ref, access, l->v, &l->defer);
		else if (kind & MONT_MEM_ADVANCED)
			r = mont_load_advanced(t, &l->ref, access, l->v);
		else
			r = mont_load_slow(t, &l->ref, access, l->v);
		if (r != MONT_NEXT)
			return r;
	}
	pa = l->ref.pa;
	if (track && !l->defer && !(kind & MONT_MEM_SPECULATIVE))
		pa = mont_data_pa(t, l->ref.va, &track);
	if (track && !l->defer) {
		if (mont_alat_insert(t, reg, pa, size))
			mont_signal_ref(t, MONT_SIG_ALAT_REPLACED, &plain);
	} else if (kind & (MONT_MEM_ADVANCED | MONT_MEM_CHECK)) {
		mont_alat_remove(t, reg);
	}
	return MONT_NEXT;
}

enum mont_result mont_load_int(struct mont_thread *t, const struct mont_uop *u, u32 size, u32 kind)
{
	bool update = kind & (MONT_MEM_BASE_REG | MONT_MEM_BASE_IMM);
	enum mont_result r;
	struct load l;
	u64 base;
	u8 nat, base_nat;

	if (mont_gr_bad(t, u->r1) || (update && (mont_gr_bad(t, u->r3) || u->r1 == u->r3)))
		return MONT_FAULT_ILLEGAL_OP;
	r = memops_load(t, u, mont_alat_gr(t, u->r1), size, MONT_ACC_READ, kind, &l);
	if (r != MONT_NEXT)
		return r;
	if (update)
		memops_new_base(t, u, kind, &base, &base_nat);
	if (!l.hit) {
		nat = l.defer;
		if (kind & MONT_MEM_FILL) {
			nat = t->s.ar.unat >> (l.ref.va >> 3 & 63) & 1;
			l.ref.kind |= MONT_DATA_FILL;
		}
		(void)mont_gr_set(t, u->r1, l.v[0], nat);
		if (l.defer) {
			mont_signal_ref(t, MONT_SIG_SPEC_NATTED, &l.ref);
			memops_retire_deferred(t, &l.ref);
		} else {
			memops_retire_load(t, &l.ref);
		}
	}
	if (update)
		(void)mont_gr_set(t, u->r3, base, base_nat);
	return MONT_NEXT;
}

/* A load of no kind, which was not done at once. */
enum mont_result mont_load_plain(struct mont_thread *t, const struct mont_uop *u, u32 size,
				 u32 kind)
{
	u8 p1 = t->grmap[u->r1], p3 = t->grmap[u->r3];
	enum mont_result r;
	u64 va, v;

	if (!p1 || t->s.nat[p3] || (kind && (!p3 || p1 == p3)))
		return mont_load_int(t, u, size, kind);
	va = t->s.gr[p3];
	/* Off the fast path a reference may be of a kind that is counted apart. */
	if (!mont_utlb_hit(mont_utlb_r(t, va), va, size)) {
		if (!mont_load_refill(t, va, size, &r))
			return mont_load_int(t, u, size, kind);
		if (r != MONT_NEXT)
			return r;
	}
	r = mont_load(t, va, size, &v);
	if (r != MONT_NEXT)
		return r;
	t->s.gr[p1] = v;
	t->s.nat[p1] = 0;
	if (kind)
		t->s.gr[p3] = va + u->imm;
	mont_refer_plain(t, MONT_SIG_LOAD_RETIRED, va, size, 0);
	return MONT_NEXT;
}

enum mont_result mont_store_int(struct mont_thread *t, const struct mont_uop *u, u32 size, u32 kind)
{
	u64 v[2] = { mont_gr(t, u->r2), 0 }, va = mont_gr(t, u->r3);
	struct mont_ref ref = memops_plain_reference(va, size, 0);
	enum mont_result r;

	if ((kind & MONT_MEM_BASE_IMM) && mont_gr_bad(t, u->r3))
		return MONT_FAULT_ILLEGAL_OP;
	if (mont_nat(t, u->r3) || (!(kind & MONT_MEM_FILL) && mont_nat(t, u->r2)))
		return mont_nat_fault(t, MONT_ISR_W);
	r = mont_store_slow(t, &ref, MONT_ACC_WRITE, v);
	if (r != MONT_NEXT)
		return r;
	if (kind & MONT_MEM_FILL) {
		u32 bit = va >> 3 & 63;

		t->s.ar.unat &= ~MONT_BIT(bit);
		t->s.ar.unat |= (u64)mont_nat(t, u->r2) << bit;
		ref.kind |= MONT_DATA_FILL;
	}
	if (kind & MONT_MEM_BASE_IMM)
		(void)mont_gr_set(t, u->r3, va + u->imm, 0);
	memops_retire_store(t, &ref);
	return MONT_NEXT;
}

static const u8 fmt_size[] = {
	[MONT_FORMAT_SINGLE] = 4,  [MONT_FORMAT_DOUBLE] = 8, [MONT_FORMAT_EXTENDED] = 10,
	[MONT_FORMAT_INTEGER] = 8, [MONT_FORMAT_SPILL] = 16,
};

static struct mont_fr memops_from_memory(enum mont_memory_format fmt, const u64 v[2])
{
	switch (fmt) {
	case MONT_FORMAT_EXTENDED:
		return mont_fr_from_ext(v[0], v[1]);
	case MONT_FORMAT_SPILL:
		return mont_fr_fill(v[0], v[1]);
	default:
		return mont_fr_from_word(fmt, v[0]);
	}
}

enum mont_result mont_load_fr(struct mont_thread *t, const struct mont_uop *u,
			      enum mont_memory_format fmt, u32 kind)
{
	bool update = kind & (MONT_MEM_BASE_REG | MONT_MEM_BASE_IMM);
	enum mont_result r;
	struct load l;
	u64 base;
	u8 base_nat;

	if (update && mont_gr_bad(t, u->r3))
		return MONT_FAULT_ILLEGAL_OP;
	r = mont_fr_check(t, u->r1, 0, 0, 0, 0);
	if (r != MONT_NEXT)
		return r;
	r = memops_load(t, u, mont_alat_fr(t, u->r1), fmt_size[fmt], MONT_ACC_READ | MONT_ACC_FP,
			kind, &l);
	if (r != MONT_NEXT)
		return r;
	if (!l.hit) {
		mont_fr_set(t, u->r1, l.defer ? mont_fr_natval() : memops_from_memory(fmt, l.v));
		if (l.defer)
			memops_retire_deferred(t, &l.ref);
		else
			memops_retire_load(t, &l.ref);
	}
	if (update) {
		memops_new_base(t, u, kind, &base, &base_nat);
		(void)mont_gr_set(t, u->r3, base, base_nat);
	}
	return MONT_NEXT;
}

enum mont_result mont_load_pair(struct mont_thread *t, const struct mont_uop *u,
				enum mont_memory_format fmt, u32 kind)
{
	bool update = kind & MONT_MEM_BASE_IMM;
	u32 size = 2 * fmt_size[fmt];
	enum mont_result r;
	struct load l;
	u64 lo[2] = { 0 }, hi[2] = { 0 };

	/* One odd and one even register, physically (SDM volume 3, ldfp). */
	if ((update && mont_gr_bad(t, u->r3)) || !((t->frmap[u->r1] ^ t->frmap[u->r2]) & 1))
		return MONT_FAULT_ILLEGAL_OP;
	r = mont_fr_check(t, u->r1, u->r2, 0, 0, 0);
	if (r == MONT_NEXT)
		r = mont_fr_check(t, u->r2, u->r1, 0, 0, 0);
	if (r != MONT_NEXT)
		return r;
	r = memops_load(t, u, mont_alat_fr(t, u->r1), size,
			MONT_ACC_READ | MONT_ACC_FP | MONT_ACC_PAIR, kind, &l);
	if (r != MONT_NEXT)
		return r;
	if (!l.hit) {
		lo[0] = fmt == MONT_FORMAT_SINGLE ? (u32)l.v[0] : l.v[0];
		hi[0] = fmt == MONT_FORMAT_SINGLE ? l.v[0] >> 32 : l.v[1];
		mont_fr_set(t, u->r1, l.defer ? mont_fr_natval() : memops_from_memory(fmt, lo));
		mont_fr_set(t, u->r2, l.defer ? mont_fr_natval() : memops_from_memory(fmt, hi));
		if (l.defer)
			memops_retire_deferred(t, &l.ref);
		else
			memops_retire_load(t, &l.ref);
	}
	if (update)
		(void)mont_gr_set(t, u->r3, mont_gr(t, u->r3) + u->imm, mont_nat(t, u->r3));
	return MONT_NEXT;
}

enum mont_result mont_store_fr(struct mont_thread *t, const struct mont_uop *u,
			       enum mont_memory_format fmt, u32 kind)
{
	u64 va = mont_gr(t, u->r3), v[2] = { 0, 0 };
	struct mont_ref ref = memops_plain_reference(va, fmt_size[fmt], MONT_DATA_FP);
	struct mont_fr f = mont_fr(t, u->r2);
	enum mont_result r;

	if ((kind & MONT_MEM_BASE_IMM) && mont_gr_bad(t, u->r3))
		return MONT_FAULT_ILLEGAL_OP;
	r = mont_fr_check(t, MONT_FR_NONE, u->r2, 0, 0, 0);
	if (r != MONT_NEXT)
		return r;
	if (mont_nat(t, u->r3) || (fmt != MONT_FORMAT_SPILL && mont_fr_is_natval(f)))
		return mont_nat_fault(t, MONT_ISR_W);
	switch (fmt) {
	case MONT_FORMAT_EXTENDED:
		v[1] = mont_fr_to_ext(f, &v[0]);
		break;
	case MONT_FORMAT_SPILL:
		mont_fr_spill(f, &v[0], &v[1]);
		break;
	default:
		v[0] = mont_fr_to_word(fmt, f);
		break;
	}
	r = mont_store_slow(t, &ref, MONT_ACC_WRITE | MONT_ACC_FP, v);
	if (r != MONT_NEXT)
		return r;
	if (kind & MONT_MEM_BASE_IMM)
		(void)mont_gr_set(t, u->r3, va + u->imm, 0);
	memops_retire_store(t, &ref);
	return MONT_NEXT;
}

/* The line goes into the caches; memory that is not cached is left alone. */
static void memops_prefetch(struct mont_thread *t, u64 va, const struct mont_xlat *x)
{
	if (unlikely(t->lsu_log) && x->ma == MONT_MA_WB && mont_ram(t->pkg, x->pa, 1))
		mont_lsu_ask(t, MONT_LSU_PREFETCH, va, x->pa);
}

/* lfetch without .fault: the walker may insert what is missing, nothing faults. */
static void memops_lfetch_translate(struct mont_thread *t, u64 va)
{
	const struct mont_utlb *e = mont_utlb_r(t, va);
	struct mont_xlat x;

	if (mont_utlb_hit(e, va, 1)) {
		if (unlikely(t->lsu_log))
			mont_lsu_ask(t, MONT_LSU_PREFETCH, va,
				     mont_ram_address(t->pkg, mont_utlb_byte(e, va)));
		return;
	}
	if (mont_translate(t, va, MONT_ACC_READ | MONT_ACC_NA | MONT_ACC_SPEC, t->cpl, &x) ==
	    MONT_NEXT)
		memops_prefetch(t, va, &x);
	t->fault_isr = 0;
}

enum mont_result mont_lfetch(struct mont_thread *t, const struct mont_uop *u, u32 kind)
{
	bool update = kind & (MONT_MEM_BASE_REG | MONT_MEM_BASE_IMM);
	struct mont_xlat x;
	enum mont_result r;
	u64 base;
	u8 nat;

	if (update && mont_gr_bad(t, u->r3))
		return MONT_FAULT_ILLEGAL_OP;
	if (kind & MONT_MEM_FAULT) {
		if (mont_nat(t, u->r3))
			return mont_nat_fault(t, MONT_ISR_R | MONT_ISR_NA | 4);
		r = mont_translate(t, mont_gr(t, u->r3), MONT_ACC_READ | MONT_ACC_NA, t->cpl, &x);
		/* By PSR.ed the handler asks for a fault to be let go. */
		if (r != MONT_NEXT && (t->s.psr & MONT_PSR_ED)) {
			t->fault_isr = 0;
		} else if (r != MONT_NEXT) {
			t->fault_isr |= 4;
			return r;
		} else {
			memops_prefetch(t, mont_gr(t, u->r3), &x);
		}
	} else if (!mont_nat(t, u->r3)) {
		memops_lfetch_translate(t, mont_gr(t, u->r3));
	}
	if (update) {
		memops_new_base(t, u, kind, &base, &nat);
		(void)mont_gr_set(t, u->r3, base, nat);
	}
	return MONT_NEXT;
}

#define SEMAPHORE (MONT_ACC_READ | MONT_ACC_WRITE | MONT_ACC_SEM)

/* Read the operand of a semaphore; write permission is checked as well. */
static enum mont_result memops_semaphore_load(struct mont_thread *t, const struct mont_uop *u,
					      struct mont_ref *ref, u32 size, u64 v[2])
{
	if (mont_gr_bad(t, u->r1))
		return MONT_FAULT_ILLEGAL_OP;
	if (mont_nat(t, u->r3) || mont_nat(t, u->r2))
		return mont_nat_fault(t, MONT_ISR_R | MONT_ISR_W);
	*ref = memops_plain_reference(mont_gr(t, u->r3), size, MONT_DATA_SEMAPHORE);
	return mont_load_slow(t, ref, SEMAPHORE, v);
}

static enum mont_result memops_semaphore_done(struct mont_thread *t, const struct mont_uop *u,
					      const struct mont_ref *ref, u64 old, const u64 *new)
{
	struct mont_ref store = *ref;

	if (new) {
		enum mont_result r = mont_store_slow(t, &store, SEMAPHORE, new);

		if (r != MONT_NEXT)
			return r;
	}
	(void)mont_gr_set(t, u->r1, old, 0);
	memops_retire_load(t, ref);
	if (new)
		memops_retire_store(t, &store);
	return MONT_NEXT;
}

enum mont_result mont_xchg(struct mont_thread *t, const struct mont_uop *u, u32 size)
{
	u64 old[2], new[2] = { mont_gr(t, u->r2), 0 };
	struct mont_ref ref;
	enum mont_result r = memops_semaphore_load(t, u, &ref, size, old);

	return r == MONT_NEXT ? memops_semaphore_done(t, u, &ref, old[0], new) : r;
}

enum mont_result mont_cmpxchg(struct mont_thread *t, const struct mont_uop *u, u32 size)
{
	u64 old[2], new[2] = { mont_gr(t, u->r2), 0 };
	struct mont_ref ref;
	enum mont_result r = memops_semaphore_load(t, u, &ref, size, old);

	if (r != MONT_NEXT)
		return r;
	return memops_semaphore_done(t, u, &ref, old[0], old[0] == t->s.ar.ccv ? new : NULL);
}

enum mont_result mont_fetchadd(struct mont_thread *t, const struct mont_uop *u, u32 size)
{
	/* r2 is no operand: it decodes as r0. */
	u64 old[2], new[2] = { 0 };
	struct mont_ref ref;
	enum mont_result r = memops_semaphore_load(t, u, &ref, size, old);

	if (r != MONT_NEXT)
		return r;
	new[0] = old[0] + u->imm;
	return memops_semaphore_done(t, u, &ref, old[0], new);
}

enum mont_result mont_ld16(struct mont_thread *t, const struct mont_uop *u)
{
	struct mont_ref ref = memops_plain_reference(mont_gr(t, u->r3), 16, 0);
	enum mont_result r;
	u64 v[2];

	if (mont_gr_bad(t, u->r1))
		return MONT_FAULT_ILLEGAL_OP;
	if (mont_nat(t, u->r3))
		return mont_nat_fault(t, MONT_ISR_R);
	r = mont_load_slow(t, &ref, MONT_ACC_READ, v);
	if (r != MONT_NEXT)
		return r;
	/* Big-endian: the first eight bytes are the upper half. */
	if (t->s.psr & MONT_PSR_BE) {
		u64 lo = v[0];

		v[0] = v[1];
		v[1] = lo;
	}
	(void)mont_gr_set(t, u->r1, v[0], 0);
	t->s.ar.csd = v[1];
	memops_retire_load(t, &ref);
	return MONT_NEXT;
}

enum mont_result mont_st16(struct mont_thread *t, const struct mont_uop *u)
{
	struct mont_ref ref = memops_plain_reference(mont_gr(t, u->r3), 16, 0);
	u64 v[2] = { mont_gr(t, u->r2), t->s.ar.csd };
	enum mont_result r;

	if (mont_nat(t, u->r3) || mont_nat(t, u->r2))
		return mont_nat_fault(t, MONT_ISR_W);
	if (t->s.psr & MONT_PSR_BE) {
		v[1] = v[0];
		v[0] = t->s.ar.csd;
	}
	r = mont_store_slow(t, &ref, MONT_ACC_WRITE, v);
	if (r != MONT_NEXT)
		return r;
	memops_retire_store(t, &ref);
	return MONT_NEXT;
}

enum mont_result mont_cmp8xchg16(struct mont_thread *t, const struct mont_uop *u)
{
	u64 old[2], new[2] = { mont_gr(t, u->r2), t->s.ar.csd };
	struct mont_ref ref, store;
	enum mont_result r = memops_semaphore_load(t, u, &ref, 8, old);

	if (r != MONT_NEXT)
		return r;
	if (old[0] == t->s.ar.ccv) {
		/* GR r2 is at the lower address in both byte orders. */
		if (t->s.psr & MONT_PSR_BE) {
			new[1] = new[0];
			new[0] = t->s.ar.csd;
		}
		store = memops_plain_reference(ref.va & ~15ULL, 16, MONT_DATA_SEMAPHORE);
		r = mont_store_slow(t, &store, SEMAPHORE, new);
		if (r != MONT_NEXT)
			return r;
	}
	(void)mont_gr_set(t, u->r1, old[0], 0);
	memops_retire_load(t, &ref);
	if (old[0] == t->s.ar.ccv)
		memops_retire_store(t, &store);
	return MONT_NEXT;
}

/* chk looks at a register: there is no address. */
static void memops_signal_check(struct mont_thread *t, enum mont_signal sig, u32 kind)
{
	struct mont_ref ref = memops_plain_reference(0, 0, kind);

	mont_signal_ref(t, sig, &ref);
}

enum mont_result mont_chk_s_gr(struct mont_thread *t, const struct mont_uop *u)
{
	if (likely(!mont_nat(t, u->r2)))
		return MONT_NEXT;
	memops_signal_check(t, MONT_SIG_CHKS_FAILED, 0);
	mont_signal(t, MONT_SIG_FLUSHED, 0);
	return mont_take(t, t->s.ip + u->imm);
}

enum mont_result mont_chk_s_fr(struct mont_thread *t, const struct mont_uop *u)
{
	enum mont_result r = mont_fr_check(t, MONT_FR_NONE, u->r2, 0, 0, 0);

	if (r != MONT_NEXT)
		return r;
	if (likely(!mont_fr_is_natval(mont_fr(t, u->r2))))
		return MONT_NEXT;
	memops_signal_check(t, MONT_SIG_CHKS_FAILED, MONT_DATA_FP);
	mont_signal(t, MONT_SIG_FLUSHED, 0);
	return mont_take(t, t->s.ip + u->imm);
}

enum mont_result mont_chk_a(struct mont_thread *t, const struct mont_uop *u, bool fr, bool clear)
{
	u64 reg = fr ? mont_alat_fr(t, u->r1) : mont_alat_gr(t, u->r1);
	bool hit = mont_alat_check(t, reg, clear);

	memops_signal_check(t, MONT_SIG_ALAT_CHECK,
			    MONT_DATA_CHECK | (fr ? MONT_DATA_FP : 0) |
				    (hit ? 0 : MONT_DATA_FAILED));
	if (likely(hit))
		return MONT_NEXT;
	mont_signal(t, MONT_SIG_FLUSHED, 0);
	return mont_take(t, t->s.ip + u->imm);
}

enum mont_result mont_fc(struct mont_thread *t, const struct mont_uop *u)
{
	struct mont_xlat x;
	enum mont_result r;
	u64 line;

	if (mont_nat(t, u->r3))
		return mont_nat_fault(t, MONT_ISR_R | MONT_ISR_NA | 1);
	r = mont_translate(t, mont_gr(t, u->r3), MONT_ACC_READ | MONT_ACC_NA | MONT_ACC_UNCHECKED,
			   t->cpl, &x);
	if (r != MONT_NEXT) {
		t->fault_isr |= 1;
		return r;
	}
	/* At least a 32-byte line; here the 128 bytes of L2I and L2D. */
	line = x.pa & ~127ULL;
	if (mont_ram(t->pkg, line, 128)) {
		mont_fetch_keep_raw(t);
		mont_code_written(t->pkg, line, 128);
		mont_lsu_ask(t,
			     mont_op(u) == MONT_OP_FC_I ? MONT_LSU_FLUSH_INSN_LINE
							: MONT_LSU_FLUSH_LINE,
			     mont_gr(t, u->r3), x.pa);
	}
	return MONT_NEXT;
}
