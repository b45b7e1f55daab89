/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory operations (SDM volume 3: ld, ldf, ldfp, st, stf, lfetch, xchg,
 * cmpxchg, fetchadd, chk, invala, mf, fc).
 *
 * Plain integer loads and stores are here, inline; the rest goes to
 * memops.c with a word that says which kind it is.
 */
#ifndef MONT_ISA_MEMOPS_H
#define MONT_ISA_MEMOPS_H

#include "fpformat.h"
#include "../mem/mem.h"
#include "../raise.h"
#include "../registers.h"

/* Kinds of load, and what to add to the base afterwards. */
#define MEMOP_S 0x01
#define MEMOP_A 0x02
#define MEMOP_C_CLR 0x04
#define MEMOP_C_NC 0x08
#define MEMOP_FILL 0x10
#define MEMOP_REG 0x20 /* base += r2 */
#define MEMOP_IMM 0x40 /* base += imm */
#define MEMOP_FAULT 0x80 /* lfetch.fault */
/* Formats in memory, for floating-point. */
enum mont_memfmt {
	MEMFMT_SINGLE,
	MEMFMT_DOUBLE,
	MEMFMT_EXTENDED,
	MEMFMT_INTEGER,
	MEMFMT_SPILL,
};

enum mont_result mont_load_int(struct mont_thread *t, const struct mont_uop *u, u32 size, u32 kind);
enum mont_result mont_store_int(struct mont_thread *t, const struct mont_uop *u, u32 size,
				u32 kind);
enum mont_result mont_load_fr(struct mont_thread *t, const struct mont_uop *u, enum mont_memfmt fmt,
			      u32 kind);
enum mont_result mont_load_pair(struct mont_thread *t, const struct mont_uop *u,
				enum mont_memfmt fmt, u32 kind);
enum mont_result mont_store_fr(struct mont_thread *t, const struct mont_uop *u,
			       enum mont_memfmt fmt, u32 kind);
enum mont_result mont_lfetch(struct mont_thread *t, const struct mont_uop *u, u32 kind);
enum mont_result mont_xchg(struct mont_thread *t, const struct mont_uop *u, u32 size);
enum mont_result mont_cmpxchg(struct mont_thread *t, const struct mont_uop *u, u32 size);
enum mont_result mont_fetchadd(struct mont_thread *t, const struct mont_uop *u, u32 size);
enum mont_result mont_ld16(struct mont_thread *t, const struct mont_uop *u);
enum mont_result mont_st16(struct mont_thread *t, const struct mont_uop *u);
enum mont_result mont_cmp8xchg16(struct mont_thread *t, const struct mont_uop *u);
enum mont_result mont_chk_s_gr(struct mont_thread *t, const struct mont_uop *u);
enum mont_result mont_chk_s_fr(struct mont_thread *t, const struct mont_uop *u);
enum mont_result mont_chk_a(struct mont_thread *t, const struct mont_uop *u, bool fr, bool clear);
enum mont_result mont_fc(struct mont_thread *t, const struct mont_uop *u);

#define MEMOP(op)                                                                  \
	static __always_inline enum mont_result mont_x_##op(struct mont_thread *t, \
							    const struct mont_uop *u)

/* The hot ones: no base update, or an immediate one. */
static __always_inline enum mont_result
mont_load_hot(struct mont_thread *t, const struct mont_uop *u, u32 size, bool update)
{
	u8 p1 = t->grmap[u->r1], p3 = t->grmap[u->r3];
	enum mont_result r;
	u64 va, v;

	if (unlikely(!p1 || t->s.nat[p3] || (update && (!p3 || p1 == p3))))
		return mont_load_int(t, u, size, update ? MEMOP_IMM : 0);
	va = t->s.gr[p3];
	/* Off the fast path a reference may be one that is counted apart. */
	if (unlikely(!mont_utlb_hit(mont_utlb_r(t, va), va, size))) {
		if (!mont_load_refill(t, va, size, &r))
			return mont_load_int(t, u, size, update ? MEMOP_IMM : 0);
		if (r != MONT_NEXT)
			return r;
	}
	r = mont_load(t, va, size, &v);
	if (unlikely(r != MONT_NEXT))
		return r;
	t->s.gr[p1] = v;
	t->s.nat[p1] = 0;
	if (update)
		t->s.gr[p3] = va + u->imm;
	mont_signal_plain(t, MONT_SIG_LOAD_RETIRED, va, size, 0);
	return MONT_NEXT;
}

static __always_inline enum mont_result
mont_store_hot(struct mont_thread *t, const struct mont_uop *u, u32 size, bool update)
{
	u8 p2 = t->grmap[u->r2], p3 = t->grmap[u->r3];
	enum mont_result r;
	u64 va;

	if (unlikely(t->s.nat[p2] || t->s.nat[p3] || (update && !p3)))
		return mont_store_int(t, u, size, update ? MEMOP_IMM : 0);
	va = t->s.gr[p3];
	if (unlikely(!mont_utlb_hit(mont_utlb_w(t, va), va, size)))
		return mont_store_int(t, u, size, update ? MEMOP_IMM : 0);
	r = mont_store(t, va, size, t->s.gr[p2]);
	if (unlikely(r != MONT_NEXT))
		return r;
	if (update)
		t->s.gr[p3] = va + u->imm;
	mont_signal_plain(t, MONT_SIG_STORE_RETIRED, va, size, 0);
	return MONT_NEXT;
}

/* The formats of four and eight bytes. */
static __always_inline struct mont_fr mont_fr_from_word(enum mont_memfmt fmt, u64 v)
{
	switch (fmt) {
	case MEMFMT_SINGLE:
		return mont_fr_from_single(v);
	case MEMFMT_DOUBLE:
		return mont_fr_from_double(v);
	default:
		return mont_fr_from_int(v);
	}
}

static __always_inline u64 mont_fr_to_word(enum mont_memfmt fmt, struct mont_fr f)
{
	switch (fmt) {
	case MEMFMT_SINGLE:
		return mont_fr_to_single(f);
	case MEMFMT_DOUBLE:
		return mont_fr_to_double(f);
	default:
		return f.sig;
	}
}

/* One of these, quickly: no speculation, and nothing that could fault. */
static __always_inline enum mont_result
mont_load_fr_hot(struct mont_thread *t, const struct mont_uop *u, enum mont_memfmt fmt, u32 kind)
{
	u32 size = fmt == MEMFMT_SINGLE ? 4 : 8;
	u8 p3 = t->grmap[u->r3];
	u64 va = t->s.gr[p3], v;

	if (unlikely(u->r1 < 2 || t->s.nat[p3] || (kind && !p3) ||
		     (t->s.psr & (MONT_PSR_DFL | MONT_PSR_DFH)) ||
		     !mont_utlb_hit(mont_utlb_r(t, va), va, size)))
		return mont_load_fr(t, u, fmt, kind);
	(void)mont_load(t, va, size, &v);
	mont_fr_set(t, u->r1, mont_fr_from_word(fmt, v));
	mont_signal_plain(t, MONT_SIG_LOAD_RETIRED, va, size, MONT_DATA_FP);
	if (kind == MEMOP_IMM) {
		t->s.gr[p3] = va + u->imm;
	} else if (kind == MEMOP_REG) {
		t->s.gr[p3] = va + mont_gr(t, u->r2);
		t->s.nat[p3] = mont_nat(t, u->r2);
	}
	return MONT_NEXT;
}

static __always_inline enum mont_result
mont_store_fr_hot(struct mont_thread *t, const struct mont_uop *u, enum mont_memfmt fmt, u32 kind)
{
	u32 size = fmt == MEMFMT_SINGLE ? 4 : 8;
	u8 p3 = t->grmap[u->r3];
	u64 va = t->s.gr[p3];
	struct mont_fr f = mont_fr(t, u->r2);
	enum mont_result r;

	if (unlikely(t->s.nat[p3] || (kind && !p3) || mont_fr_is_natval(f) ||
		     (t->s.psr & (MONT_PSR_DFL | MONT_PSR_DFH)) ||
		     !mont_utlb_hit(mont_utlb_w(t, va), va, size)))
		return mont_store_fr(t, u, fmt, kind);
	r = mont_store(t, va, size, mont_fr_to_word(fmt, f));
	if (unlikely(r != MONT_NEXT))
		return r;
	if (kind == MEMOP_IMM)
		t->s.gr[p3] = va + u->imm;
	mont_signal_plain(t, MONT_SIG_STORE_RETIRED, va, size, MONT_DATA_FP);
	return MONT_NEXT;
}

/* One line an operation from here on. */
/* clang-format off */
#define LOADS(n)                                                               \
	MEMOP(LD##n) { return mont_load_hot(t, u, n, false); }                 \
	MEMOP(LD##n##_I) { return mont_load_hot(t, u, n, true); }              \
	MEMOP(LD##n##_R) { return mont_load_int(t, u, n, MEMOP_REG); }         \
	LOADS_OF_KIND(n, _S, MEMOP_S)                                          \
	LOADS_OF_KIND(n, _A, MEMOP_A)                                          \
	LOADS_OF_KIND(n, _SA, MEMOP_S | MEMOP_A)                               \
	LOADS_OF_KIND(n, _C_CLR, MEMOP_C_CLR)                                  \
	LOADS_OF_KIND(n, _C_NC, MEMOP_C_NC)
#define LOADS_OF_KIND(n, k, kind)                                              \
	MEMOP(LD##n##k) { return mont_load_int(t, u, n, kind); }               \
	MEMOP(LD##n##k##_I) { return mont_load_int(t, u, n, (kind) | MEMOP_IMM); } \
	MEMOP(LD##n##k##_R) { return mont_load_int(t, u, n, (kind) | MEMOP_REG); }
LOADS(1)
LOADS(2)
LOADS(4)
LOADS(8)
LOADS_OF_KIND(8, _FILL, MEMOP_FILL)

#define STORES(n)                                                              \
	MEMOP(ST##n) { return mont_store_hot(t, u, n, false); }                \
	MEMOP(ST##n##_I) { return mont_store_hot(t, u, n, true); }
STORES(1)
STORES(2)
STORES(4)
STORES(8)
MEMOP(ST8_SPILL) { return mont_store_int(t, u, 8, MEMOP_FILL); }
MEMOP(ST8_SPILL_I) { return mont_store_int(t, u, 8, MEMOP_FILL | MEMOP_IMM); }

#define FLOADS(n, fmt)                                                         \
	FLOADS_OF_KIND(n, fmt, 0)                                              \
	FLOADS_SPECULATIVE(n, fmt)
#define FLOADS_HOT(n, fmt)                                                     \
	MEMOP(n) { return mont_load_fr_hot(t, u, fmt, 0); }                    \
	MEMOP(n##_I) { return mont_load_fr_hot(t, u, fmt, MEMOP_IMM); }        \
	MEMOP(n##_R) { return mont_load_fr_hot(t, u, fmt, MEMOP_REG); }        \
	FLOADS_SPECULATIVE(n, fmt)
#define FLOADS_SPECULATIVE(n, fmt)                                             \
	FLOADS_OF_KIND(n##_S, fmt, MEMOP_S)                                    \
	FLOADS_OF_KIND(n##_A, fmt, MEMOP_A)                                    \
	FLOADS_OF_KIND(n##_SA, fmt, MEMOP_S | MEMOP_A)                         \
	FLOADS_OF_KIND(n##_C_CLR, fmt, MEMOP_C_CLR)                            \
	FLOADS_OF_KIND(n##_C_NC, fmt, MEMOP_C_NC)
#define FLOADS_OF_KIND(n, fmt, kind)                                           \
	MEMOP(n) { return mont_load_fr(t, u, fmt, kind); }                     \
	MEMOP(n##_I) { return mont_load_fr(t, u, fmt, (kind) | MEMOP_IMM); }   \
	MEMOP(n##_R) { return mont_load_fr(t, u, fmt, (kind) | MEMOP_REG); }
FLOADS_HOT(LDFS, MEMFMT_SINGLE)
FLOADS_HOT(LDFD, MEMFMT_DOUBLE)
FLOADS(LDFE, MEMFMT_EXTENDED)
FLOADS_HOT(LDF8, MEMFMT_INTEGER)
FLOADS_OF_KIND(LDF_FILL, MEMFMT_SPILL, MEMOP_FILL)

#define FSTORES(n, fmt)                                                        \
	MEMOP(n) { return mont_store_fr(t, u, fmt, 0); }                       \
	MEMOP(n##_I) { return mont_store_fr(t, u, fmt, MEMOP_IMM); }
#define FSTORES_HOT(n, fmt)                                                    \
	MEMOP(n) { return mont_store_fr_hot(t, u, fmt, 0); }                   \
	MEMOP(n##_I) { return mont_store_fr_hot(t, u, fmt, MEMOP_IMM); }
FSTORES_HOT(STFS, MEMFMT_SINGLE)
FSTORES_HOT(STFD, MEMFMT_DOUBLE)
FSTORES_HOT(STF8, MEMFMT_INTEGER)
FSTORES(STFE, MEMFMT_EXTENDED)
FSTORES(STF_SPILL, MEMFMT_SPILL)

#define PAIRS(n, fmt)                                                          \
	PAIRS_OF_KIND(n, fmt, 0)                                               \
	PAIRS_OF_KIND(n##_S, fmt, MEMOP_S)                                     \
	PAIRS_OF_KIND(n##_A, fmt, MEMOP_A)                                     \
	PAIRS_OF_KIND(n##_SA, fmt, MEMOP_S | MEMOP_A)                          \
	PAIRS_OF_KIND(n##_C_CLR, fmt, MEMOP_C_CLR)                             \
	PAIRS_OF_KIND(n##_C_NC, fmt, MEMOP_C_NC)
#define PAIRS_OF_KIND(n, fmt, kind)                                            \
	MEMOP(n) { return mont_load_pair(t, u, fmt, kind); }                   \
	MEMOP(n##_I) { return mont_load_pair(t, u, fmt, (kind) | MEMOP_IMM); }
PAIRS(LDFPS, MEMFMT_SINGLE)
PAIRS(LDFPD, MEMFMT_DOUBLE)
PAIRS(LDFP8, MEMFMT_INTEGER)

MEMOP(LFETCH) { return mont_lfetch(t, u, 0); }
MEMOP(LFETCH_R) { return mont_lfetch(t, u, MEMOP_REG); }
MEMOP(LFETCH_I) { return mont_lfetch(t, u, MEMOP_IMM); }
MEMOP(LFETCH_FAULT) { return mont_lfetch(t, u, MEMOP_FAULT); }
MEMOP(LFETCH_FAULT_R) { return mont_lfetch(t, u, MEMOP_FAULT | MEMOP_REG); }
MEMOP(LFETCH_FAULT_I) { return mont_lfetch(t, u, MEMOP_FAULT | MEMOP_IMM); }

#define SEMAPHORES(n)                                                          \
	MEMOP(XCHG##n) { return mont_xchg(t, u, n); }                          \
	MEMOP(CMPXCHG##n) { return mont_cmpxchg(t, u, n); }
SEMAPHORES(1)
SEMAPHORES(2)
SEMAPHORES(4)
SEMAPHORES(8)
MEMOP(FETCHADD4) { return mont_fetchadd(t, u, 4); }
MEMOP(FETCHADD8) { return mont_fetchadd(t, u, 8); }
MEMOP(LD16) { return mont_ld16(t, u); }
MEMOP(ST16) { return mont_st16(t, u); }
MEMOP(CMP8XCHG16) { return mont_cmp8xchg16(t, u); }

MEMOP(CHK_S_I) { return mont_chk_s_gr(t, u); }
MEMOP(CHK_S_M) { return mont_chk_s_gr(t, u); }
MEMOP(CHK_S_F) { return mont_chk_s_fr(t, u); }
MEMOP(CHK_A_GR_NC) { return mont_chk_a(t, u, false, false); }
MEMOP(CHK_A_GR_CLR) { return mont_chk_a(t, u, false, true); }
MEMOP(CHK_A_FR_NC) { return mont_chk_a(t, u, true, false); }
MEMOP(FC) { return mont_fc(t, u); }
MEMOP(FC_I) { return mont_fc(t, u); }
MEMOP(CHK_A_FR_CLR) { return mont_chk_a(t, u, true, true); }
/* clang-format on */

MEMOP(INVALA)
{
	mont_alat_clear(t);
	return MONT_NEXT;
}

MEMOP(INVALA_E_GR)
{
	mont_alat_remove(t, mont_alat_gr(t, u->r1));
	return MONT_NEXT;
}

MEMOP(INVALA_E_FR)
{
	mont_alat_remove(t, mont_alat_fr(t, u->r1));
	return MONT_NEXT;
}

/* The model performs memory references in program order. */
#define ORDERED(op)               \
	MEMOP(op)                 \
	{                         \
		return MONT_NEXT; \
	}
ORDERED(MF)
ORDERED(MF_A)
ORDERED(FWB)

#endif
