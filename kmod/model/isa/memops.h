/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory operations (SDM volume 3: ld, ldf, ldfp, st, stf, lfetch, xchg,
 * cmpxchg, fetchadd, chk, invala, mf, fc). Included by exec/execute.c,
 * exec/execute_hot.h and memops.c.
 *
 * Plain integer loads and stores are here, inline; the rest goes to
 * memops.c with a word that says which kind it is.
 */
#ifndef MONT_ISA_MEMOPS_H
#define MONT_ISA_MEMOPS_H

#include "execute.h"
#include "fpformat.h"
#include "../memory/mem.h"

/* Kinds of load and prefetch, and what to add to the base afterwards. */
#define MONT_MEM_SPECULATIVE 0x01
#define MONT_MEM_ADVANCED 0x02
#define MONT_MEM_CHECK_CLEAR 0x04
#define MONT_MEM_CHECK 0x08
#define MONT_MEM_FILL 0x10
#define MONT_MEM_BASE_REG 0x20 /* base += r2 */
#define MONT_MEM_BASE_IMM 0x40 /* base += imm */
#define MONT_MEM_FAULT 0x80 /* lfetch.fault */

/* Formats in memory, for floating-point. */
enum mont_memory_format {
	MONT_FORMAT_SINGLE,
	MONT_FORMAT_DOUBLE,
	MONT_FORMAT_EXTENDED,
	MONT_FORMAT_INTEGER,
	MONT_FORMAT_SPILL,
};

enum mont_result mont_load_int(struct mont_thread *t, const struct mont_uop *u, u32 size, u32 kind);
enum mont_result mont_load_plain(struct mont_thread *t, const struct mont_uop *u, u32 size,
				 u32 kind);
enum mont_result mont_store_int(struct mont_thread *t, const struct mont_uop *u, u32 size,
				u32 kind);
enum mont_result mont_load_fr(struct mont_thread *t, const struct mont_uop *u,
			      enum mont_memory_format fmt, u32 kind);
enum mont_result mont_load_pair(struct mont_thread *t, const struct mont_uop *u,
				enum mont_memory_format fmt, u32 kind);
enum mont_result mont_store_fr(struct mont_thread *t, const struct mont_uop *u,
			       enum mont_memory_format fmt, u32 kind);
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

/*
 * The frequent ones: no base update, or an immediate one. Each has a way that is taken where the
 * page is at hand, nothing faults and no subscriber has to see the reference: true if it did it
 * all, false if nothing has changed.
 */
static __always_inline bool mont_load_quick(struct mont_thread *t, const struct mont_uop *u,
					    u32 size, bool update)
{
	u8 p1 = t->grmap[u->r1], p3 = t->grmap[u->r3];
	u64 va, v;

	if (unlikely(!p1 || t->s.nat[p3] || (update && (!p3 || p1 == p3))))
		return false;
	va = t->s.gr[p3];
	if (unlikely(!mont_utlb_hit(mont_utlb_r(t, va), va, size) ||
		     !mont_signal_unseen(t, MONT_SIG_LOAD_RETIRED)))
		return false;
	(void)mont_load(t, va, size, &v);
	t->s.gr[p1] = v;
	t->s.nat[p1] = 0;
	if (update)
		t->s.gr[p3] = va + u->imm;
	mont_refer_unseen(t, MONT_SIG_LOAD_RETIRED, va, size, 0);
	return true;
}

/* As the quick way of a store to *@va, but that the reference is left to the caller. */
static __always_inline bool mont_store_move(struct mont_thread *t, const struct mont_uop *u,
					    u32 size, bool update, u64 *va)
{
	u8 p2 = t->grmap[u->r2], p3 = t->grmap[u->r3];

	if (unlikely(t->s.nat[p2] || t->s.nat[p3] || (update && !p3)))
		return false;
	*va = t->s.gr[p3];
	if (unlikely(!mont_store_hits(t, *va, size) ||
		     !mont_signal_unseen(t, MONT_SIG_STORE_RETIRED)))
		return false;
	mont_store_hit(t, *va, size, t->s.gr[p2]);
	if (update)
		t->s.gr[p3] = *va + u->imm;
	return true;
}

static __always_inline bool mont_store_quick(struct mont_thread *t, const struct mont_uop *u,
					     u32 size, bool update)
{
	u64 va;

	if (unlikely(!mont_store_move(t, u, size, update, &va)))
		return false;
	mont_refer_unseen(t, MONT_SIG_STORE_RETIRED, va, size, 0);
	return true;
}

/* The formats of four and eight bytes. */
static __always_inline struct mont_fr mont_fr_from_word(enum mont_memory_format fmt, u64 v)
{
	switch (fmt) {
	case MONT_FORMAT_SINGLE:
		return mont_fr_from_single(v);
	case MONT_FORMAT_DOUBLE:
		return mont_fr_from_double(v);
	default:
		return mont_fr_from_int(v);
	}
}

static __always_inline u64 mont_fr_to_word(enum mont_memory_format fmt, struct mont_fr f)
{
	switch (fmt) {
	case MONT_FORMAT_SINGLE:
		return mont_fr_to_single(f);
	case MONT_FORMAT_DOUBLE:
		return mont_fr_to_double(f);
	default:
		return f.sig;
	}
}

/* The bytes of @fmt, of four or eight, or of a spill. */
static __always_inline u32 mont_fr_size(enum mont_memory_format fmt)
{
	return fmt == MONT_FORMAT_SINGLE ? 4 : fmt == MONT_FORMAT_SPILL ? 16 : 8;
}

/* As the quick way of a load from *@va, but that the reference is left to the caller. */
static __always_inline bool mont_load_fr_move(struct mont_thread *t, const struct mont_uop *u,
					      enum mont_memory_format fmt, u32 kind, u64 *va)
{
	u32 size = mont_fr_size(fmt);
	u8 p3 = t->grmap[u->r3];
	u64 v;

	*va = t->s.gr[p3];
	if (unlikely(u->r1 < 2 || t->s.nat[p3] || (kind && !p3) || mont_fr_disabled(t, u->r1) ||
		     !mont_utlb_hit(mont_utlb_r(t, *va), *va, size) ||
		     !mont_signal_unseen(t, MONT_SIG_LOAD_RETIRED)))
		return false;
	(void)mont_load(t, *va, size, &v);
	mont_fr_set(t, u->r1, mont_fr_from_word(fmt, v));
	if (kind == MONT_MEM_BASE_IMM) {
		t->s.gr[p3] = *va + u->imm;
	} else if (kind == MONT_MEM_BASE_REG) {
		t->s.gr[p3] = *va + mont_gr(t, u->r2);
		t->s.nat[p3] = mont_nat(t, u->r2);
	}
	return true;
}

static __always_inline bool mont_load_fr_quick(struct mont_thread *t, const struct mont_uop *u,
					       enum mont_memory_format fmt, u32 kind)
{
	u64 va;

	if (unlikely(!mont_load_fr_move(t, u, fmt, kind, &va)))
		return false;
	mont_refer_unseen(t, MONT_SIG_LOAD_RETIRED, va, mont_fr_size(fmt), MONT_DATA_FP);
	return true;
}

/* As mont_store_move(), of a floating-point register. */
static __always_inline bool mont_store_fr_move(struct mont_thread *t, const struct mont_uop *u,
					       enum mont_memory_format fmt, u32 kind, u64 *va)
{
	u32 size = mont_fr_size(fmt);
	u8 p3 = t->grmap[u->r3];
	struct mont_fr f = mont_fr(t, u->r2);

	*va = t->s.gr[p3];
	if (unlikely(t->s.nat[p3] || (kind && !p3) ||
		     (fmt != MONT_FORMAT_SPILL && mont_fr_is_natval(f)) ||
		     (u->r2 > 1 && mont_fr_disabled(t, u->r2)) || !mont_store_hits(t, *va, size) ||
		     !mont_signal_unseen(t, MONT_SIG_STORE_RETIRED)))
		return false;
	if (fmt == MONT_FORMAT_SPILL) {
		mont_store_hit(t, *va + 8, 8, f.se);
		mont_store_hit(t, *va, 8, f.sig);
	} else {
		mont_store_hit(t, *va, size, mont_fr_to_word(fmt, f));
	}
	if (kind == MONT_MEM_BASE_IMM)
		t->s.gr[p3] = *va + u->imm;
	return true;
}

static __always_inline bool mont_store_fr_quick(struct mont_thread *t, const struct mont_uop *u,
						enum mont_memory_format fmt, u32 kind)
{
	u64 va;

	if (unlikely(!mont_store_fr_move(t, u, fmt, kind, &va)))
		return false;
	mont_refer_unseen(t, MONT_SIG_STORE_RETIRED, va, mont_fr_size(fmt), MONT_DATA_FP);
	return true;
}

/* One line an operation from here on; QUICK() has both ways. */
/* clang-format off */
#define QUICK(op, quick, full)                                                                 \
	MONT_QUICK(op) { return quick; }                                                       \
	MONT_INLINE(op) { return mont_quick_##op(t, u) ? MONT_NEXT : (full); }
#define LOADS(n)                                                                               \
	QUICK(LD##n, mont_load_quick(t, u, n, false), mont_load_plain(t, u, n, 0))             \
	QUICK(LD##n##_I, mont_load_quick(t, u, n, true), mont_load_plain(t, u, n, MONT_MEM_BASE_IMM)) \
	MONT_INLINE(LD##n##_R) { return mont_load_int(t, u, n, MONT_MEM_BASE_REG); }           \
	LOADS_OF_KIND(n, _S, MONT_MEM_SPECULATIVE)                                             \
	LOADS_OF_KIND(n, _A, MONT_MEM_ADVANCED)                                                \
	LOADS_OF_KIND(n, _SA, MONT_MEM_SPECULATIVE | MONT_MEM_ADVANCED)                        \
	LOADS_OF_KIND(n, _C_CLR, MONT_MEM_CHECK_CLEAR)                                         \
	LOADS_OF_KIND(n, _C_NC, MONT_MEM_CHECK)
#define LOADS_OF_KIND(n, k, kind)                                                              \
	MONT_INLINE(LD##n##k) { return mont_load_int(t, u, n, kind); }                         \
	MONT_INLINE(LD##n##k##_I) { return mont_load_int(t, u, n, (kind) | MONT_MEM_BASE_IMM); } \
	MONT_INLINE(LD##n##k##_R) { return mont_load_int(t, u, n, (kind) | MONT_MEM_BASE_REG); }
LOADS(1)
LOADS(2)
LOADS(4)
LOADS(8)
LOADS_OF_KIND(8, _FILL, MONT_MEM_FILL)

#define STORES(n)                                                                              \
	QUICK(ST##n, mont_store_quick(t, u, n, false), mont_store_int(t, u, n, 0))             \
	QUICK(ST##n##_I, mont_store_quick(t, u, n, true), mont_store_int(t, u, n, MONT_MEM_BASE_IMM))
STORES(1)
STORES(2)
STORES(4)
STORES(8)
MONT_INLINE(ST8_SPILL) { return mont_store_int(t, u, 8, MONT_MEM_FILL); }
MONT_INLINE(ST8_SPILL_I) { return mont_store_int(t, u, 8, MONT_MEM_FILL | MONT_MEM_BASE_IMM); }

#define FLOADS(n, fmt)                                                                         \
	FLOADS_OF_KIND(n, fmt, 0)                                                              \
	FLOADS_SPECULATIVE(n, fmt)
#define FLOADS_HOT(n, fmt)                                                                     \
	QUICK(n, mont_load_fr_quick(t, u, fmt, 0), mont_load_fr(t, u, fmt, 0)) \
	QUICK(n##_I, mont_load_fr_quick(t, u, fmt, MONT_MEM_BASE_IMM), mont_load_fr(t, u, fmt, MONT_MEM_BASE_IMM)) \
	QUICK(n##_R, mont_load_fr_quick(t, u, fmt, MONT_MEM_BASE_REG), mont_load_fr(t, u, fmt, MONT_MEM_BASE_REG)) \
	FLOADS_SPECULATIVE(n, fmt)
#define FLOADS_SPECULATIVE(n, fmt)                                                             \
	FLOADS_OF_KIND(n##_S, fmt, MONT_MEM_SPECULATIVE)                                       \
	FLOADS_OF_KIND(n##_A, fmt, MONT_MEM_ADVANCED)                                          \
	FLOADS_OF_KIND(n##_SA, fmt, MONT_MEM_SPECULATIVE | MONT_MEM_ADVANCED)                  \
	FLOADS_OF_KIND(n##_C_CLR, fmt, MONT_MEM_CHECK_CLEAR)                                   \
	FLOADS_OF_KIND(n##_C_NC, fmt, MONT_MEM_CHECK)
#define FLOADS_OF_KIND(n, fmt, kind)                                                           \
	MONT_INLINE(n) { return mont_load_fr(t, u, fmt, kind); }                               \
	MONT_INLINE(n##_I) { return mont_load_fr(t, u, fmt, (kind) | MONT_MEM_BASE_IMM); }     \
	MONT_INLINE(n##_R) { return mont_load_fr(t, u, fmt, (kind) | MONT_MEM_BASE_REG); }
FLOADS_HOT(LDFS, MONT_FORMAT_SINGLE)
FLOADS_HOT(LDFD, MONT_FORMAT_DOUBLE)
FLOADS(LDFE, MONT_FORMAT_EXTENDED)
FLOADS_HOT(LDF8, MONT_FORMAT_INTEGER)
FLOADS_OF_KIND(LDF_FILL, MONT_FORMAT_SPILL, MONT_MEM_FILL)

#define FSTORES(n, fmt)                                                                        \
	MONT_INLINE(n) { return mont_store_fr(t, u, fmt, 0); }                                 \
	MONT_INLINE(n##_I) { return mont_store_fr(t, u, fmt, MONT_MEM_BASE_IMM); }
#define FSTORES_HOT(n, fmt)                                                                    \
	QUICK(n, mont_store_fr_quick(t, u, fmt, 0), mont_store_fr(t, u, fmt, 0)) \
	QUICK(n##_I, mont_store_fr_quick(t, u, fmt, MONT_MEM_BASE_IMM), mont_store_fr(t, u, fmt, MONT_MEM_BASE_IMM))
FSTORES_HOT(STFS, MONT_FORMAT_SINGLE)
FSTORES_HOT(STFD, MONT_FORMAT_DOUBLE)
FSTORES_HOT(STF8, MONT_FORMAT_INTEGER)
FSTORES(STFE, MONT_FORMAT_EXTENDED)
FSTORES_HOT(STF_SPILL, MONT_FORMAT_SPILL)

#define PAIRS(n, fmt)                                                                          \
	PAIRS_OF_KIND(n, fmt, 0)                                                               \
	PAIRS_OF_KIND(n##_S, fmt, MONT_MEM_SPECULATIVE)                                        \
	PAIRS_OF_KIND(n##_A, fmt, MONT_MEM_ADVANCED)                                           \
	PAIRS_OF_KIND(n##_SA, fmt, MONT_MEM_SPECULATIVE | MONT_MEM_ADVANCED)                   \
	PAIRS_OF_KIND(n##_C_CLR, fmt, MONT_MEM_CHECK_CLEAR)                                    \
	PAIRS_OF_KIND(n##_C_NC, fmt, MONT_MEM_CHECK)
#define PAIRS_OF_KIND(n, fmt, kind)                                                            \
	MONT_INLINE(n) { return mont_load_pair(t, u, fmt, kind); }                             \
	MONT_INLINE(n##_I) { return mont_load_pair(t, u, fmt, (kind) | MONT_MEM_BASE_IMM); }
PAIRS(LDFPS, MONT_FORMAT_SINGLE)
PAIRS(LDFPD, MONT_FORMAT_DOUBLE)
PAIRS(LDFP8, MONT_FORMAT_INTEGER)

MONT_INLINE(LFETCH) { return mont_lfetch(t, u, 0); }
MONT_INLINE(LFETCH_R) { return mont_lfetch(t, u, MONT_MEM_BASE_REG); }
MONT_INLINE(LFETCH_I) { return mont_lfetch(t, u, MONT_MEM_BASE_IMM); }
MONT_INLINE(LFETCH_FAULT) { return mont_lfetch(t, u, MONT_MEM_FAULT); }
MONT_INLINE(LFETCH_FAULT_R) { return mont_lfetch(t, u, MONT_MEM_FAULT | MONT_MEM_BASE_REG); }
MONT_INLINE(LFETCH_FAULT_I) { return mont_lfetch(t, u, MONT_MEM_FAULT | MONT_MEM_BASE_IMM); }

#define SEMAPHORES(n)                                                                          \
	MONT_INLINE(XCHG##n) { return mont_xchg(t, u, n); }                                    \
	MONT_INLINE(CMPXCHG##n) { return mont_cmpxchg(t, u, n); }
SEMAPHORES(1)
SEMAPHORES(2)
SEMAPHORES(4)
SEMAPHORES(8)
MONT_INLINE(FETCHADD4) { return mont_fetchadd(t, u, 4); }
MONT_INLINE(FETCHADD8) { return mont_fetchadd(t, u, 8); }
MONT_INLINE(LD16) { return mont_ld16(t, u); }
MONT_INLINE(ST16) { return mont_st16(t, u); }
MONT_INLINE(CMP8XCHG16) { return mont_cmp8xchg16(t, u); }

MONT_INLINE(CHK_S_I) { return mont_chk_s_gr(t, u); }
MONT_INLINE(CHK_S_M) { return mont_chk_s_gr(t, u); }
MONT_INLINE(CHK_S_F) { return mont_chk_s_fr(t, u); }
MONT_INLINE(CHK_A_GR_NC) { return mont_chk_a(t, u, false, false); }
MONT_INLINE(CHK_A_GR_CLR) { return mont_chk_a(t, u, false, true); }
MONT_INLINE(CHK_A_FR_NC) { return mont_chk_a(t, u, true, false); }
MONT_INLINE(FC) { return mont_fc(t, u); }
MONT_INLINE(FC_I) { return mont_fc(t, u); }
MONT_INLINE(CHK_A_FR_CLR) { return mont_chk_a(t, u, true, true); }
/* clang-format on */

MONT_INLINE(INVALA)
{
	mont_alat_clear(t);
	return MONT_NEXT;
}

MONT_INLINE(INVALA_E_GR)
{
	mont_alat_remove(t, mont_alat_gr(t, u->r1));
	return MONT_NEXT;
}

MONT_INLINE(INVALA_E_FR)
{
	mont_alat_remove(t, mont_alat_fr(t, u->r1));
	return MONT_NEXT;
}

/* The model performs memory references in program order. */
MONT_INLINE(MF)
{
	mont_lsu_ask(t, MONT_LSU_FENCE, 0, 0);
	return MONT_NEXT;
}

MONT_INLINE(FWB)
{
	mont_lsu_ask(t, MONT_LSU_FLUSH_WRITES, 0, 0);
	return MONT_NEXT;
}

MONT_INLINE(MF_A)
{
	mont_lsu_ask(t, MONT_LSU_ACCEPT, 0, 0);
	return MONT_NEXT;
}

#endif
