// SPDX-License-Identifier: GPL-2.0-only
/*
 * The L2 TLBs (manual 2.4.3.1; SDM volume 2, 4.1.1). The threads of a core share
 * them; every entry has its thread's tag. Translation registers sit in entries
 * like any other translation and are not replaced.
 *
 * Replacement is by clock (Documentation/model.rst, A4): a hand goes round; it
 * passes over translation registers, and over the other thread's entries where
 * that one has no more than are reserved for it; an entry used since it was here
 * last loses its mark, the first one without is replaced. A reference that
 * executes marks. Entries that hold nothing are taken before any of that.
 */
#include "../memory/mem.h"
#include "../package/broadcast.h"
#include "../event/raise.h"

/* 4K 8K 16K 64K 256K 1M 4M 16M 64M 256M 1G 4G (published Itanium 2 list) */
#define PAGE_SIZES                                                                                 \
	(MONT_BIT(12) | MONT_BIT(13) | MONT_BIT(14) | MONT_BIT(16) | MONT_BIT(18) | MONT_BIT(20) | \
	 MONT_BIT(22) | MONT_BIT(24) | MONT_BIT(26) | MONT_BIT(28) | MONT_BIT(30) | MONT_BIT(32))

/* A purge can be larger than any page: the whole implemented space. */
#define PURGE_MAX 61
/* Pages of one size that a purge looks up one by one, rather than all entries. */
#define PURGE_LOOKUPS 8

#define VA_MASK (MONT_BIT(MONT_VA_BITS) - 1)

/* A TLB with its index; what a search is for. */
struct tlb {
	struct mont_core *core;
	struct mont_tlb *s;
	struct mont_tlb_index *x;
	bool insn;
};

static struct tlb tlb_of(struct mont_core *core, bool insn)
{
	return (struct tlb){
		.core = core,
		.s = insn ? &core->s.itlb : &core->s.dtlb,
		.x = insn ? &core->itlb : &core->dtlb,
		.insn = insn,
	};
}

bool mont_page_size_ok(u32 ps)
{
	return ps < 64 && (PAGE_SIZES >> ps & 1);
}

static u32 tlb_bucket(u32 thread, u32 rid, u64 va, u32 ps)
{
	u64 page = (va & VA_MASK) >> ps;

	return ((page ^ (u64)rid << 32 ^ (u64)thread << 56 ^ (u64)ps << 58) *
		0x9e3779b97f4a7c15ULL) >>
	       56;
}

static bool tlb_covers(const struct mont_tlbe *e, u32 thread, u32 rid, u64 va)
{
	return e->rid == rid && e->thread == thread && !(((e->va ^ va) & VA_MASK) >> e->ps);
}

/* ---- the index ---- */

static inline void tlb_enter(const struct tlb *tlb, u32 i)
{
	const struct mont_tlbe *e = &tlb->s->entry[i];
	struct mont_tlb_index *x = tlb->x;
	u32 b = tlb_bucket(e->thread, e->rid, e->va, e->ps);

	x->bucket[i] = b;
	x->next[i] = x->head[b];
	x->head[b] = i;
	x->sizes |= MONT_BIT(e->ps);
	x->of_size[e->ps]++;
	x->nr_valid++;
	if (e->tr)
		x->tr[e->thread][e->tr - 1] = i;
	else
		x->nr_tc[e->thread]++;
}

/* Entry @i has not been used: its copies for the host's fast path go. */
static inline void tlb_unmark(const struct tlb *tlb, u32 i)
{
	const struct mont_tlbe *e = &tlb->s->entry[i];

	tlb->s->marked[i / 64] &= ~MONT_BIT(i % 64);
	mont_utlb_forget(tlb->core->thread[e->thread], tlb->insn, e, tlb->x->copied[i]);
	tlb->x->copied[i] = 0;
}

static inline bool tlb_is_marked(const struct tlb *tlb, u32 i)
{
	return tlb->s->marked[i / 64] >> (i % 64) & 1;
}

/* Take entry @i out. */
static inline void tlb_leave(const struct tlb *tlb, u32 i)
{
	struct mont_tlbe *e = &tlb->s->entry[i];
	struct mont_thread *owner = tlb->core->thread[e->thread];
	struct mont_tlb_index *x = tlb->x;
	u8 *link = &x->head[x->bucket[i]];

	while (*link != i)
		link = &x->next[*link];
	*link = x->next[i];
	if (!--x->of_size[e->ps])
		x->sizes &= ~MONT_BIT(e->ps);
	x->nr_valid--;
	if (e->tr)
		x->tr[e->thread][e->tr - 1] = MONT_TLB_END;
	else
		x->nr_tc[e->thread]--;
	if (tlb_is_marked(tlb, i))
		tlb_unmark(tlb, i);
	/* The L1 TLB loses its pieces of the entry as well (Documentation/model.rst). */
	if (unlikely(owner->lsu_log))
		mont_lsu_put(owner, tlb->insn ? MONT_LSU_ITLB_DROP : MONT_LSU_DTLB_DROP, e->va,
			     MONT_BIT(e->ps), 1, e->thread);
	*e = (struct mont_tlbe){ 0 };
}

void mont_tlb_index(struct mont_core *core)
{
	u32 insn, i;

	for (insn = 0; insn < 2; insn++) {
		struct tlb tlb = tlb_of(core, insn);

		*tlb.x = (struct mont_tlb_index){ 0 };
		__builtin_memset(tlb.x->head, MONT_TLB_END, sizeof(tlb.x->head));
		__builtin_memset(tlb.x->tr, MONT_TLB_END, sizeof(tlb.x->tr));
		for (i = 0; i < MONT_NR_TLB; i++)
			if (tlb.s->entry[i].valid)
				tlb_enter(&tlb, i);
	}
}

/*
 * Two translations of one address are a machine check that the silicon may raise.
 * Here a translation register goes first, then the lower entry.
 */
const struct mont_tlbe *mont_tlb_find(const struct mont_thread *t, bool insn, u64 va)
{
	struct tlb tlb = tlb_of(t->core, insn);
	u32 thread = t->number, rid = mont_rid(t, va), i;
	const struct mont_tlbe *best = NULL;
	u64 sizes;

	for (sizes = tlb.x->sizes; sizes; sizes &= sizes - 1) {
		i = tlb.x->head[tlb_bucket(thread, rid, va, __builtin_ctzll(sizes))];
		for (; i != MONT_TLB_END; i = tlb.x->next[i]) {
			const struct mont_tlbe *e = &tlb.s->entry[i];

			if (!tlb_covers(e, thread, rid, va))
				continue;
			if (!best || (!best->tr && e->tr) || (!best->tr == !e->tr && e < best))
				best = e;
		}
	}
	return best;
}

bool mont_tlb_look(const struct mont_thread *t, bool insn, u64 va, u64 *pa)
{
	const struct mont_tlbe *e = mont_tlb_find(t, insn, va);

	if (!e || !(e->pte & MONT_PTE_P))
		return false;
	*pa = (e->pte & MONT_PTE_PPN) | (va & (MONT_BIT(e->ps) - 1));
	return true;
}

const struct mont_tlbe *mont_tlb_tr(const struct mont_thread *t, bool insn, u32 slot)
{
	struct tlb tlb = tlb_of(t->core, insn);
	u32 i = tlb.x->tr[t->number][mont_nospec(slot, MONT_NR_TR)];

	return i == MONT_TLB_END ? NULL : &tlb.s->entry[i];
}

/* ---- purges ---- */

/*
 * Purge what overlaps the 2^@ps bytes at @va: the cache, or the registers too, of
 * the page sizes @sizes.
 */
static noinline void tlb_purge(const struct tlb *tlb, u64 sizes, u32 thread, u32 rid, u64 va,
			       u32 ps, bool tr)
{
	u32 i, next;

	if (ps > PURGE_MAX)
		ps = PURGE_MAX;
	for (; sizes; sizes &= sizes - 1) {
		u32 size = __builtin_ctzll(sizes);
		u64 at = va & ~(MONT_BIT(ps) - 1), n = size < ps ? MONT_BIT(ps - size) : 1;

		if (n > PURGE_LOOKUPS) {
			for (i = 0; i < MONT_NR_TLB; i++) {
				const struct mont_tlbe *e = &tlb->s->entry[i];

				if (e->valid && e->ps == size && e->thread == thread &&
				    e->rid == rid && !(((e->va ^ va) & VA_MASK) >> ps) &&
				    (tr || !e->tr))
					tlb_leave(tlb, i);
			}
			continue;
		}
		for (; n; n--, at += MONT_BIT(size)) {
			i = tlb->x->head[tlb_bucket(thread, rid, at, size)];
			for (; i != MONT_TLB_END; i = next) {
				const struct mont_tlbe *e = &tlb->s->entry[i];

				next = tlb->x->next[i];
				if (e->ps == size && tlb_covers(e, thread, rid, at) &&
				    (tr || !e->tr))
					tlb_leave(tlb, i);
			}
		}
	}
}

/* The cost of a purge, at its worst, for the budget of work. */
static void tlb_purge_work(struct mont_thread *t)
{
	mont_work(t, MONT_NR_TLB / MONT_WORK_ENTRIES);
}

void mont_tlb_purge_tc(struct mont_thread *t, u32 rid, u64 va, u32 ps)
{
	u32 insn;

	for (insn = 0; insn < 2; insn++) {
		struct tlb tlb = tlb_of(t->core, insn);

		tlb_purge_work(t);
		tlb_purge(&tlb, tlb.x->sizes, t->number, rid, va, ps, false);
	}
}

void mont_tlb_purge_global(struct mont_thread *t, u64 va, u32 ps, bool alat)
{
	u32 rid = mont_rid(t, va), i;

	bool sent = mont_broadcast_purge(t, rid, va, ps, alat);

	for (i = 0; i < t->pkg->nr_vcpus; i++) {
		struct mont_thread *o = &t->pkg->thread[i];

		if (sent && o->core != t->core)
			continue;
		mont_tlb_purge_tc(o, rid, va, ps);
		if (alat && o != t)
			mont_alat_clear(o);
	}
}

void mont_tlb_purge_tr(struct mont_thread *t, bool insn, u64 va, u32 ps)
{
	struct tlb tlb = tlb_of(t->core, insn);

	tlb_purge_work(t);
	tlb_purge(&tlb, tlb.x->sizes, t->number, mont_rid(t, va), va, ps, true);
}

void mont_tlb_purge_all_tc(struct mont_thread *t)
{
	u32 insn, i;

	for (insn = 0; insn < 2; insn++) {
		struct tlb tlb = tlb_of(t->core, insn);

		tlb_purge_work(t);
		for (i = 0; i < MONT_NR_TLB; i++)
			if (tlb.s->entry[i].valid && !tlb.s->entry[i].tr)
				tlb_leave(&tlb, i);
	}
}

/* ---- insertion ---- */

static inline u32 tlb_next_of(u32 i, u32 nr)
{
	return i + 1 < nr ? i + 1 : 0;
}

/*
 * Choose and free the entry for a translation of @thread. @beyond: number of valid entries
 * among those that are closed.
 */
static inline u32 tlb_make_room(const struct tlb *tlb, u32 thread, u32 beyond)
{
	u32 reserved = tlb->insn ? MONT_ITC_RESERVED : MONT_DTC_RESERVED;
	u32 i = tlb->s->hand, nr = MONT_NR_TLB - tlb->core->tlb_closed;
	bool full = tlb->x->nr_valid - beyond >= nr;

	for (;; i = tlb_next_of(i, nr)) {
		const struct mont_tlbe *e = &tlb->s->entry[i];

		if (!e->valid)
			break;
		/* Registers are at most half of all that can be: there is always one to take. */
		if (!full || e->tr || (e->thread != thread && tlb->x->nr_tc[e->thread] <= reserved))
			continue;
		if (!tlb_is_marked(tlb, i)) {
			tlb_leave(tlb, i);
			break;
		}
		tlb_unmark(tlb, i);
	}
	tlb->s->hand = tlb_next_of(i, nr);
	return i;
}

/* True if @pte or @itir has a reserved field set: no insertion (SDM volume 2, 4.1.1.5). */
static inline bool tlb_reserved_field(u64 pte, u64 itir)
{
	u32 ma = mont_pte_ma(pte);

	return !mont_page_size_ok(mont_bits(itir, 2, 6)) || (itir & ~0xfffffffcULL) ||
	       ((pte & MONT_PTE_P) && ((pte & MONT_PTE_RESERVED) || (ma >= 1 && ma <= 3)));
}

/* Entry @i, which is free, becomes what is inserted. */
static inline void tlb_fill(const struct tlb *tlb, u32 i, const struct mont_thread *t, u64 va,
			    u64 pte, u64 itir, u32 tr)
{
	u32 ps = mont_bits(itir, 2, 6);
	u64 size_mask = MONT_BIT(ps) - 1;

	tlb->s->entry[i] = (struct mont_tlbe){
		.va = va & ~size_mask,
		.pte = (pte & MONT_PTE_PPN & ~size_mask) | (pte & (MONT_PTE_ED | 0xffdULL)),
		.rid = mont_rid(t, va),
		.key = mont_bits(itir, 8, MONT_RID_BITS),
		.ps = ps,
		.valid = 1,
		.thread = t->number,
		.tr = tr,
	};
	tlb_enter(tlb, i);
}

enum mont_result mont_tlb_insert_tc(struct mont_thread *t, bool insn, u64 va, u64 pte, u64 itir,
				    const struct mont_tlbe **at)
{
	struct tlb tlb = tlb_of(t->core, insn);
	u32 ps = mont_bits(itir, 2, 6), i;
	u64 sizes = tlb.x->sizes;

	if (tlb_reserved_field(pte, itir))
		return MONT_FAULT_RESERVED_FIELD;
	tlb_purge_work(t);
	/* The walker would have found what is as large and overlaps. */
	if (at)
		sizes &= MONT_BIT(ps) - 1;
	if (sizes)
		tlb_purge(&tlb, sizes, t->number, mont_rid(t, va), va, ps, false);
	i = tlb_make_room(&tlb, t->number, 0);
	tlb_fill(&tlb, i, t, va, pte, itir, 0);
	if (at)
		*at = &tlb.s->entry[i];
	return MONT_NEXT;
}

enum mont_result mont_tlb_insert_tr(struct mont_thread *t, bool insn, u32 slot, u64 va, u64 pte,
				    u64 itir)
{
	struct tlb tlb = tlb_of(t->core, insn);
	u32 ps = mont_bits(itir, 2, 6), i;

	if (slot >= MONT_NR_TR || tlb_reserved_field(pte, itir))
		return MONT_FAULT_RESERVED_FIELD;
	tlb_purge_work(t);
	tlb_purge(&tlb, tlb.x->sizes, t->number, mont_rid(t, va), va, ps, false);
	/* A register that held a translation keeps its place. */
	slot = mont_nospec(slot, MONT_NR_TR);
	i = tlb.x->tr[t->number][slot];
	if (i != MONT_TLB_END)
		tlb_leave(&tlb, i);
	else
		i = tlb_make_room(&tlb, t->number, 0);
	tlb_fill(&tlb, i, t, va, pte, itir, 1 + slot);
	/* Of two registers that overlap this one may now go first. */
	mont_utlb_drop(t, insn, va, ps);
	return MONT_NEXT;
}

static void tlb_fit(const struct tlb *tlb, u32 nr)
{
	u32 i, to, beyond = 0;

	if (tlb->s->hand >= nr)
		tlb->s->hand = 0;
	for (i = nr; i < MONT_NR_TLB; i++)
		beyond += tlb->s->entry[i].valid;
	for (i = nr; beyond; i++) {
		struct mont_tlbe e = tlb->s->entry[i];

		if (!e.valid)
			continue;
		tlb_leave(tlb, i);
		beyond--;
		if (!e.tr)
			continue;
		/* A register keeps what it has, in another place. */
		to = tlb_make_room(tlb, e.thread, beyond);
		tlb->s->entry[to] = e;
		tlb_enter(tlb, to);
	}
}

void mont_tlb_fit(struct mont_core *core, u32 nr)
{
	u32 insn;

	core->tlb_closed = MONT_NR_TLB - nr;
	for (insn = 0; insn < 2; insn++) {
		struct tlb tlb = tlb_of(core, insn);

		tlb_fit(&tlb, nr);
	}
}

static bool tlb_valid(const struct mont_tlb *s, u32 nr, u32 threads)
{
	u32 seen[2] = { 0, 0 }, i, k;

	for (i = 0; i < MONT_NR_TLB; i++) {
		const struct mont_tlbe *e = &s->entry[i];

		for (k = 0; k < sizeof(e->pad); k++)
			if (e->pad[k])
				return false;
		if (!e->valid) {
			if (e->va || e->pte || e->rid || e->key || e->ps || e->thread || e->tr ||
			    (s->marked[i / 64] >> (i % 64) & 1))
				return false;
			continue;
		}
		if (i >= nr || e->valid != 1 || !mont_page_size_ok(e->ps) || e->thread >= threads ||
		    e->tr > MONT_NR_TR || e->rid >> MONT_RID_BITS || e->key >> MONT_RID_BITS ||
		    (e->va & (MONT_BIT(e->ps) - 1)))
			return false;
		if (e->tr && seen[e->thread] >> (e->tr - 1) & 1)
			return false;
		if (e->tr)
			seen[e->thread] |= 1u << (e->tr - 1);
	}
	return s->hand < nr && !s->pad;
}

bool mont_tlb_state_valid(const struct mont_core *core, const struct mont_core_state *s,
			  u32 threads)
{
	u32 nr = MONT_NR_TLB - core->tlb_closed;

	return tlb_valid(&s->itlb, nr, threads) && tlb_valid(&s->dtlb, nr, threads);
}

u32 mont_access_rights(u32 ar, u32 pl, u32 cpl)
{
	/* SDM volume 2, table 4-2: rights at the page's own level and below. */
	static const u8 at_pl[8] = {
		MONT_ACC_READ,
		MONT_ACC_READ | MONT_ACC_EXEC,
		MONT_ACC_READ | MONT_ACC_WRITE,
		MONT_ACC_READ | MONT_ACC_WRITE | MONT_ACC_EXEC,
		MONT_ACC_READ,
		MONT_ACC_READ | MONT_ACC_EXEC,
		MONT_ACC_READ | MONT_ACC_WRITE | MONT_ACC_EXEC,
		MONT_ACC_EXEC,
	};
	static const u8 below_pl[8] = {
		MONT_ACC_READ,
		MONT_ACC_READ | MONT_ACC_EXEC,
		MONT_ACC_READ | MONT_ACC_WRITE,
		MONT_ACC_READ | MONT_ACC_WRITE | MONT_ACC_EXEC,
		MONT_ACC_READ | MONT_ACC_WRITE,
		MONT_ACC_READ | MONT_ACC_EXEC,
		MONT_ACC_READ | MONT_ACC_WRITE,
		MONT_ACC_EXEC,
	};

	/* 7 promotes: every level may execute, level 0 may also read. */
	if (ar == 7)
		return cpl ? MONT_ACC_EXEC : MONT_ACC_EXEC | MONT_ACC_READ;
	if (cpl > pl)
		return 0;
	if (!cpl && ar == 5)
		return MONT_ACC_READ | MONT_ACC_WRITE | MONT_ACC_EXEC;
	if (!cpl)
		return below_pl[ar];
	return cpl == pl ? at_pl[ar] : below_pl[ar];
}
