// SPDX-License-Identifier: GPL-2.0-only
/*
 * The L2 TLBs against a second opinion: the rules of Documentation/model.rst, A4
 * and A15, written over a plain list that is searched from end to end.
 */
#include "sys_test.h"
#include "memory/mem.h"

#define NR 128
#define NR_PS 5
#define ROUNDS 60000

struct ref_entry {
	bool valid, marked;
	u32 thread, tr, rid, ps;
	u64 va, pa;
};

/* One TLB: data (0) or instructions (1). */
static struct ref_entry ref[2][NR];
static u32 hand[2];
static const u32 reserved[2] = { 16, 1 };
static u32 nr_threads;
static u32 places; /* entries of each that are used */

static bool overlap(const struct ref_entry *e, u32 thread, u32 rid, u64 va, u32 ps)
{
	u64 lo = va & ~(MONT_BIT(ps) - 1), hi = lo + MONT_BIT(ps) - 1;
	u64 first = e->va, last = e->va + MONT_BIT(e->ps) - 1;

	return e->valid && e->thread == thread && e->rid == rid && first <= hi && lo <= last;
}

static void ref_purge(u32 insn, u32 thread, u32 rid, u64 va, u32 ps, bool tr)
{
	u32 i;

	for (i = 0; i < NR; i++)
		if (overlap(&ref[insn][i], thread, rid, va, ps) && (tr || !ref[insn][i].tr))
			ref[insn][i] = (struct ref_entry){ 0 };
}

static u32 ref_tcs(u32 insn, u32 thread)
{
	u32 i, n = 0;

	for (i = 0; i < NR; i++)
		n += ref[insn][i].valid && !ref[insn][i].tr && ref[insn][i].thread == thread;
	return n;
}

static u32 ref_place(u32 insn, u32 thread)
{
	u32 i, k;

	for (k = 0; k < places; k++) {
		i = (hand[insn] + k) % places;
		if (!ref[insn][i].valid)
			goto found;
	}
	for (i = hand[insn];; i = (i + 1) % places) {
		struct ref_entry *e = &ref[insn][i];

		if (e->tr)
			continue;
		if (e->thread != thread && ref_tcs(insn, e->thread) <= reserved[insn])
			continue;
		if (!e->marked)
			goto found;
		e->marked = false;
	}
found:
	hand[insn] = (i + 1) % places;
	return i;
}

static void ref_insert(u32 insn, u32 thread, u32 tr, u32 rid, u64 va, u32 ps, u64 pa)
{
	u32 i, at = NR;

	ref_purge(insn, thread, rid, va, ps, false);
	for (i = 0; tr && i < NR; i++)
		if (ref[insn][i].valid && ref[insn][i].thread == thread && ref[insn][i].tr == tr)
			at = i;
	if (at == NR)
		at = ref_place(insn, thread);
	ref[insn][at] = (struct ref_entry){ true, false, thread, tr, rid, ps, va, pa };
}

static struct ref_entry *ref_find(u32 insn, u32 thread, u32 rid, u64 va)
{
	struct ref_entry *tc = NULL;
	u32 i;

	for (i = 0; i < NR; i++) {
		if (!overlap(&ref[insn][i], thread, rid, va, 0))
			continue;
		if (ref[insn][i].tr)
			return &ref[insn][i];
		if (!tc)
			tc = &ref[insn][i];
	}
	return tc;
}

static bool same(const char *what)
{
	const struct mont_core_state *s = &pkg->core[0].s;
	u32 insn, i;

	for (insn = 0; insn < 2; insn++) {
		const struct mont_tlb *tlb = insn ? &s->itlb : &s->dtlb;

		if (!check(tlb->hand == hand[insn], "%s: hand %u, expected %u", what, tlb->hand,
			   hand[insn]))
			return false;
		for (i = 0; i < NR; i++) {
			const struct mont_tlbe *e = &tlb->entry[i];
			const struct ref_entry *r = &ref[insn][i];

			if (!check(e->valid == r->valid && e->thread == r->thread &&
					   e->tr == r->tr && e->rid == r->rid &&
					   (e->va & (MONT_BIT(61) - 1)) == r->va &&
					   (tlb->marked[i / 64] >> (i % 64) & 1) == r->marked,
				   "%s: entry %u of %s", what, i, insn ? "ITLB" : "DTLB"))
				return false;
		}
	}
	return true;
}

static u64 seed = 1;

static u32 rnd(u32 n)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (seed >> 33) % n;
}

static const u32 sizes[NR_PS] = { 12, 14, 14, 16, 24 };

/* A reference by @cpu, through what the host remembers or not. */
static void refer(u32 insn, u64 va)
{
	u64 v;

	if (insn) {
		cpu->s.ip = va & ~15ULL;
		if ((va & ~0xfffULL) != cpu->fetch_va)
			(void)mont_fetch_page(cpu);
	} else {
		(void)mont_load(cpu, va, 8, &v);
	}
}

/* True if every host copy has its entry in the TLB, marked. */
static bool copies_good(void)
{
	u32 v, i;

	for (v = 0; v < nr_threads; v++) {
		struct mont_thread *t = mont_vcpu(pkg, v);
		const struct mont_tlb *tlb = &t->core->s.dtlb;

		for (i = 0; i < MONT_NR_UTLB; i++) {
			const struct mont_utlb *u = &t->utlb_r.entry[i];
			const struct mont_tlbe *e;

			if (u->tag == MONT_UTLB_NONE)
				continue;
			e = mont_tlb_find(t, false, u->tag);
			if (!check(e && (tlb->marked[(e - tlb->entry) / 64] >>
						 ((e - tlb->entry) % 64) &
					 1),
				   "a copy of an entry that is gone or not marked"))
				return false;
		}
	}
	return true;
}

static void random_step(void)
{
	u32 thread = rnd(nr_threads), insn = rnd(2), ps = sizes[rnd(NR_PS)], region = rnd(3);
	u64 in_region = (u64)rnd(400) << 14, va = (u64)region << 61 | in_region;
	/* Regions 0 and 1 have one region ID in all threads, region 2 one each. */
	u32 rid = region == 2 ? 0x200 + thread : 0x100, tr = rnd(32), v, i;
	u64 pte = PTE(0x200000, 3, 3), base = in_region & ~(MONT_BIT(ps) - 1), off;
	struct ref_entry *r;

	cpu = mont_vcpu(pkg, thread);
	switch (rnd(40)) {
	case 0:
		check(mont_tlb_insert_tr(cpu, insn, tr, va, pte, ps << 2) == MONT_NEXT, "itr");
		ref_insert(insn, thread, 1 + tr, rid, base, ps, 0x200000);
		break;
	case 1:
		mont_tlb_purge_tr(cpu, insn, va, ps);
		ref_purge(insn, thread, rid, base, ps, true);
		break;
	case 2:
		/* Any size, most of them small. */
		if (!rnd(10))
			ps = 12 + rnd(50);
		mont_tlb_purge_tc(cpu, rid, va, ps);
		for (i = 0; i < 2; i++)
			ref_purge(i, thread, rid, in_region, ps > 61 ? 61 : ps, false);
		break;
	case 3:
		if (rnd(20))
			break;
		mont_tlb_purge_all_tc(cpu);
		for (v = 0; v < 2 * NR; v++)
			if (!ref[v / NR][v % NR].tr)
				ref[v / NR][v % NR] = (struct ref_entry){ 0 };
		break;
	case 4 ... 20:
		/* Bits 13:12 may lead out of a page of 4 KB. */
		off = rnd(4) * 4096;
		r = ref_find(insn, thread, rid, in_region + off);
		check(!r == !mont_tlb_find(cpu, insn, va + off), "what is there");
		refer(insn, va + off);
		if (r)
			r->marked = true;
		break;
	default:
		check(mont_tlb_insert_tc(cpu, insn, va, pte, ps << 2, NULL) == MONT_NEXT, "itc");
		ref_insert(insn, thread, 0, rid, base, ps, 0x200000);
		break;
	}
}

static void start(u32 threads)
{
	u32 v;

	machine(threads, 0);
	nr_threads = threads;
	places = NR;
	memset(ref, 0, sizeof(ref));
	memset(hand, 0, sizeof(hand));
	for (v = 0; v < threads; v++) {
		cpu = mont_vcpu(pkg, v);
		set(MONT_REG_RR, 0, 0x100 << 8 | PS << 2);
		set(MONT_REG_RR, 1, 0x100 << 8 | PS << 2);
		set(MONT_REG_RR, 2, (u64)(0x200 + v) << 8 | PS << 2);
		set(MONT_REG_SPECIAL, MONT_SPECIAL_PSR, VIRT);
	}
}

/* The TLBs get another size: registers find another place, the rest goes. */
static void ref_fit(u32 nr)
{
	u32 insn, i;

	places = nr;
	for (insn = 0; insn < 2; insn++) {
		if (hand[insn] >= nr)
			hand[insn] = 0;
		for (i = nr; i < NR; i++) {
			struct ref_entry e = ref[insn][i];

			ref[insn][i] = (struct ref_entry){ 0 };
			e.marked = false;
			if (e.tr)
				ref[insn][ref_place(insn, e.thread)] = e;
		}
	}
}

static void test_random(u32 threads, bool sized)
{
	u32 i, nr;

	start(threads);
	for (i = 0; i < ROUNDS; i++) {
		random_step();
		if (sized && !rnd(300)) {
			nr = rnd(2) ? 48 + rnd(NR - 47) : NR;
			mont_tlb_fit(&pkg->core[0], nr);
			ref_fit(nr);
		}
		if (!same("random") || (i % 64 == 0 && !copies_good()))
			return;
	}
}

/* Insert @n pages by thread @v, one after another. */
static void pour(u32 v, u32 insn, u32 n)
{
	static u64 next;
	u32 i;

	cpu = mont_vcpu(pkg, v);
	for (i = 0; i < n; i++, next++)
		check(mont_tlb_insert_tc(cpu, insn, 2ULL << 61 | next << 14, PTE(0x200000, 3, 3),
					 PS << 2, NULL) == MONT_NEXT,
		      "itc");
}

static u32 tcs(u32 v, u32 insn)
{
	const struct mont_tlb *tlb = insn ? &pkg->core[0].s.itlb : &pkg->core[0].s.dtlb;
	u32 i, n = 0;

	for (i = 0; i < NR; i++)
		n += tlb->entry[i].valid && !tlb->entry[i].tr && tlb->entry[i].thread == v;
	return n;
}

static void test_reserved(void)
{
	u32 insn, tr;

	for (insn = 0; insn < 2; insn++) {
		start(2);
		pour(0, insn, 300);
		check_eq(tcs(0, insn), NR, "a thread alone has all");
		pour(1, insn, 300);
		check_eq(tcs(0, insn), insn ? 1 : 16, "what is kept for the other");
		check_eq(tcs(1, insn), insn ? 127 : 112, "the rest");
		for (tr = 0; tr < 64; tr++) {
			cpu = mont_vcpu(pkg, tr / 32);
			check(mont_tlb_insert_tr(cpu, insn, tr % 32, (u64)tr << 30,
						 PTE(0x200000, 3, 3), PS << 2) == MONT_NEXT,
			      "itr");
		}
		pour(0, insn, 300);
		check_eq(tcs(1, insn), insn ? 1 : 16, "kept beside 64 registers");
		check_eq(tcs(0, insn), insn ? 63 : 48, "and the rest");
	}
	group("entries that each thread keeps for its cache");
}

/* An entry in use stays, also where the use goes by the host's own copies. */
static void test_used(void)
{
	const u64 va = 2ULL << 61 | 0x3000000;
	u32 i;

	start(1);
	map(false, va, PTE(DATA_PA, 3, 3));
	for (i = 0; i < 100; i++) {
		refer(0, va + 8 * i);
		pour(0, 0, 100);
		if (!check(mont_tlb_find(cpu, false, va), "still there after %u rounds", i))
			break;
	}
	pour(0, 0, 256);
	check(!mont_tlb_find(cpu, false, va), "not for ever");

	/* An entry that the walker reads by is in use too. */
	start(1);
	set(MONT_REG_RR, 3, 0x300 << 8 | PS << 2 | 1);
	set(MONT_REG_CR, 8, (3ULL << 61 | 1ULL << 40) | 40 << 2 | 1);
	for (i = 0; i < 1 << (PS - 3); i++)
		*mem64(VHPT_PA + 8 * i) = PTE(DATA_PA, 3, 3);
	map(false, mont_thash(cpu, 3ULL << 61), PTE(VHPT_PA, 3, 0));
	for (i = 0; i < 120; i++) {
		u64 v, page = 3ULL << 61 | (u64)i << PS;

		check(!(pkg->core[0].s.dtlb.marked[0] & 1) == !i, "the table's mark");
		if (!check(mont_load(cpu, page, 8, &v) == MONT_NEXT, "walk %u", i))
			break;
	}
	group("a page in use is not replaced");
}

static void test_purge_all(void)
{
	u32 v, how;

	for (how = 0; how < 2; how++) {
		start(4);
		for (v = 0; v < 4; v++) {
			cpu = mont_vcpu(pkg, v);
			map(false, DATA_VA, PTE(DATA_PA, 3, 3));
			map(true, FAR_VA, PTE(FAR_PA, 3, 3));
			check(mont_tlb_insert_tr(cpu, false, 3, STACK_VA, PTE(STACK_PA, 3, 3),
						 PS << 2) == MONT_NEXT,
			      "itr");
		}
		cpu = mont_vcpu(pkg, how);
		at("ptc_e", 0, PHYS, true);
		set(MONT_REG_SPECIAL, MONT_SPECIAL_HALTED, 0);
		for (v = 0; v < 4; v++)
			if (v != how)
				mont_vcpu(pkg, v)->s.halted = 1;
		go();
		passed("ptc.e");
		for (v = 0; v < 4; v++) {
			struct mont_thread *t = mont_vcpu(pkg, v);

			check_eq(!!mont_tlb_find(t, false, DATA_VA), v >= 2, "data");
			check_eq(!!mont_tlb_find(t, true, FAR_VA), v >= 2, "code");
			check(mont_tlb_find(t, false, STACK_VA), "register");
		}
	}
	group("ptc.e empties the cache of both threads of its core");
}

/* The state has it all: what is loaded goes on as what was saved. */
static void test_state(void)
{
	size_t size;
	u8 *blob;
	u32 i;
	u64 h;

	start(2);
	for (i = 0; i < 5000; i++)
		random_step();
	size = mont_state_size(pkg);
	blob = malloc(size);
	mont_state_save(pkg, blob);
	h = mont_state_hash_vcpus(pkg);
	for (i = 0; i < 500; i++)
		random_step();
	check(mont_state_hash_vcpus(pkg) != h, "another state");
	check(!mont_state_load(pkg, blob, size), "loaded");
	check_eq(mont_state_hash_vcpus(pkg), h, "hash");
	copies_good();
	free(blob);
	group("saved and loaded");
}

int main(void)
{
	test_random(1, false);
	group("one thread: contents, marks and hand against a plain list");
	test_random(1, true);
	group("and of sizes that change");
	test_random(2, false);
	group("two threads: likewise");
	test_reserved();
	test_used();
	test_purge_all();
	test_state();
	return tap_end();
}
