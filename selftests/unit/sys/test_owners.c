// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads on one core with time: their shared and their own state (manual 2.4, 2.4.3), and the
 * thread that has a count (3.3.2, 4.2.1, 4.8.4).
 */
#include "two_threads.h"
#include "mmu/translation.h"

/* The count of @event of thread @v alone, in @cycles from the bundle named @name on. */
static u64 alone(unsigned int v, const char *name, const char *event, u64 cycles)
{
	begin(!v, NULL);
	begin(v, name);
	count(v, 5, event, 0);
	run_cycles(cycles);
	return pmd(v, 5);
}

/* Pairs of bundles that the instruction buffer has in this cycle. */
static u32 buffered(void)
{
	const u64 *pair = pkg->core[0].time->s.buffer.pair;

	return (pair[0] != MONT_PAIR_NONE) + (pair[1] != MONT_PAIR_NONE);
}

/* R3: a switch empties the instruction buffer, and what is on its way to a register arrives. */
static void test_flush(void)
{
	u64 own, spent, came, flushes = 0;
	unsigned int i, full = 0;

	threads("thread_chase", "thread_loop");
	for (i = 0; i < 20000; i++) {
		bool before = shared()->fetches;

		run_cycles(1);
		full += buffered() > 0;
		if (before || !shared()->fetches)
			continue;
		flushes++;
		check_eq(buffered(), 0, "pairs in the buffer");
	}
	check(flushes > 20 && full > 100, "%llu switches, %u cycles with pairs",
	      (unsigned long long)flushes, full);
	threads("thread_chase", "thread_loop");
	own = pkg->thread[0].s.cycles;
	came = turns(0);
	run_cycles(40000);
	came = turns(0) - came;
	own = pkg->thread[0].s.cycles - own;
	spent = came ? own / came : 0;
	/* A switch away and back, the load, and the L3's lookup: none of the latency of memory. */
	check(came > 20 && spent < 60, "%llu turns of %llu cycles", (unsigned long long)came,
	      (unsigned long long)spent);
	group("a switch empties the buffer, and results arrive in the background");
}

/* R4: a switch empties the PVAB and the prefetch pipe. */
static void test_prefetch(void)
{
	unsigned int i;

	threads("thread_names", "thread_hint_m");
	set_quantum(1000000);
	for (i = 0; i < 2; i++)
		count(i, 4, "L1I_PREFETCHES", 0);
	run_cycles(10000);
	check(switches(0, MONT_SIG_SWITCH_HINT) > 100, "%llu switches",
	      (unsigned long long)switches(0, MONT_SIG_SWITCH_HINT));
	check(pmd(0, 4) > 100, "%llu lines prefetched", (unsigned long long)pmd(0, 4));
	check_eq(pmd(1, 4), 0, "while the other thread is in front");
	group("a switch empties the prefetch pipe");
}

/* A ring of @lines lines, each @step bytes behind the one before, from @pa on. */
static void ring(u64 pa, unsigned int lines, u64 step)
{
	unsigned int i;

	for (i = 0; i < lines; i++)
		*mem64(pa + step * i) = pa + step * ((i + 1) % lines);
}

/* @name of a walk of thread @v along the ring at @pa. */
static u64 walked(unsigned int v, u64 pa, const char *name)
{
	cpu = mont_vcpu(pkg, v);
	set_gr(21, pa);
	return alone(v, "thread_chase", name, 10000);
}

#define NR_WAYS 4
#define WAY 4096

/* R5: both threads have all of each cache, and their lines replace each other's. */
static void test_caches(void)
{
	u64 own = CHAIN_PA + 0x80000, other = own + NR_WAYS * WAY;
	unsigned int v;

	for (v = 0; v < 2; v++) {
		threads("thread_chase", "thread_chase");
		ring(own, 32, 128);
		walked(v, own, "L3_MISSES");
		check_eq(walked(!v, own, "L3_MISSES"), 0,
			 "misses of lines that the other has read");
		/* A set of the L1D: one thread has all of its ways ... */
		ring(own, NR_WAYS, WAY);
		ring(other, NR_WAYS, WAY);
		walked(v, own, "L1D_READ_MISSES.ALL");
		check_eq(walked(v, own, "L1D_READ_MISSES.ALL"), 0, "misses of as many as ways");
		/* ... until the other one takes them. */
		check_eq(walked(!v, other, "L1D_READ_MISSES.ALL"), NR_WAYS, "the other thread's");
		check_eq(walked(v, own, "L1D_READ_MISSES.ALL"), NR_WAYS, "its own again");
		/* Half of them for each leave both alone. */
		ring(own, NR_WAYS / 2, WAY);
		ring(other, NR_WAYS / 2, WAY);
		walked(v, own, "L1D_READ_MISSES.ALL");
		walked(!v, other, "L1D_READ_MISSES.ALL");
		check_eq(walked(v, own, "L1D_READ_MISSES.ALL"), 0, "of one half");
		check_eq(walked(!v, other, "L1D_READ_MISSES.ALL"), 0, "of the other");
	}
	group("caches are one for both threads, and so is what they replace");
}

/* R7: what a branch has taught one thread the other knows. */
static void test_prediction(void)
{
	static const char wrong[] = "BR_MISPRED_DETAIL.ALL.WRONG_PATH";
	unsigned int v;

	for (v = 0; v < 2; v++) {
		threads("thread_loop", "thread_loop");
		check(alone(v, "thread_forks", wrong, 2000) > 0, "a branch that is new");
		check_eq(alone(!v, "thread_forks", wrong, 2000), 0,
			 "mispredictions of one that the other thread has learnt");
	}
	group("threads share the prediction of branches");
}

/* R2: calls of one thread are not what the other returns from; @slow: nor without segments. */
static void test_returns(bool slow)
{
	unsigned int v;

	threads("thread_calls", "thread_calls_too");
	mont_check_set(pkg, slow);
	set_quantum(1000000);
	run_cycles(1000);
	for (v = 0; v < 2; v++) {
		count(v, 4, "BR_MISPRED_DETAIL.RETURN.WRONG_TARGET", 0);
		count(v, 5, "BR_MISPRED_DETAIL.RETURN.CORRECT_PRED", 0);
	}
	run_cycles(10000);
	for (v = 0; v < 2; v++) {
		check_eq(pmd(v, 4), 0, "returns to the other thread's call");
		check(pmd(v, 5) > 100, "%llu returns", (unsigned long long)pmd(v, 5));
	}
	group("each thread has a return stack");
}

/* R10: 32 registers of each kind for each thread. */
static void test_translation_registers(void)
{
	unsigned int v, insn, i;

	threads("thread_loop", "thread_loop");
	for (i = 0; i < 128; i++) {
		v = i / 64, insn = i / 32 & 1;
		cpu = mont_vcpu(pkg, v);
		check(mont_tlb_insert_tr(cpu, insn, i % 32, (u64)(i % 32) << 30,
					 PTE(0x200000 + ((u64)i << PS), 3, 3),
					 PS << 2) == MONT_NEXT,
		      "register %u", i);
	}
	for (i = 0; i < 128; i++) {
		const struct mont_tlbe *e;

		cpu = mont_vcpu(pkg, i / 64);
		e = mont_tlb_find(cpu, i / 32 & 1, (u64)(i % 32) << 30);
		check(e && e->tr && (e->pte & 0x3fffffffff000) == 0x200000 + ((u64)i << PS),
		      "register %u is there", i);
	}
	group("32 translation registers of each kind for each thread");
}

/* R53: what the L2D raises goes by PMC4.all in PMC4, 5 and 8, and by PMC6.all in 6, 7 and 9. */
static void test_l2d_all(void)
{
	u64 own, both;
	unsigned int i;

	threads("thread_mixed", "thread_mixed");
	for (i = 4; i < 10; i++)
		count(0, i, "L2D_REFERENCES.ALL", i == 4 || i == 7 || i == 9 ? ALL : 0);
	count(1, 4, "L2D_REFERENCES.ALL", 0);
	run_cycles(20000);
	both = pmd(0, 4);
	own = pmd(0, 6);
	check(own > 50 && pmd(1, 4) > 50, "references of both");
	check_eq(both, own + pmd(1, 4), "PMD4");
	check_eq(pmd(0, 5), both, "PMD5");
	check_eq(pmd(0, 8), both, "PMD8");
	check_eq(pmd(0, 7), own, "PMD7");
	check_eq(pmd(0, 9), own, "PMD9");
	group("L2D events take all from PMC4 and PMC6");
}

/* R57: a banked counter has what happens while its thread is in front, cycle by cycle. */
static void test_banked_causal(void)
{
	static const char *const events[] = { "CPU_OP_CYCLES.ALL", "L3_MISSES" };
	u64 in_front, before, now;
	unsigned int i, k;

	for (k = 0; k < MONT_ARRAY_SIZE(events); k++) {
		threads("thread_burst", "thread_hint_m");
		count(0, 4, events[k], 0);
		count(0, 10, events[k], 0);
		in_front = 0;
		before = 0;
		for (i = 0; i < 20000; i++) {
			run_cycles(1);
			now = pmd(0, 4);
			if (!shared()->front)
				in_front += now - before;
			before = now;
		}
		check(in_front > 50, "%s: %llu", events[k], (unsigned long long)in_front);
		check_eq(pmd(0, 10), in_front, events[k]);
		/* The other counter too has counted events of no thread in front alone. */
		check(k ? before > in_front : before == in_front, "%s: %llu in all", events[k],
		      (unsigned long long)before);
	}
	group("banked counters have what happens in front");
}

/* R58: .SELF without all is the own thread's; with all, of one core, it is .EITHER and .ANY. */
static void test_agents(void)
{
	static const char *const events[][3] = {
		{ "BUS_MEM_READ.BRL.SELF", "BUS_MEM_READ.BRL.EITHER", "BUS_MEM_READ.BRL.ANY" },
		{ "BUS_MEM_READ.ALL.SELF", "BUS_MEM_READ.ALL.EITHER", "BUS_MEM_READ.ALL.ANY" },
		{ "BUS_ALL.SELF", "BUS_ALL.EITHER", "BUS_ALL.ANY" },
	};
	unsigned int i, v;
	u64 self;

	for (i = 0; i < MONT_ARRAY_SIZE(events); i++) {
		threads("thread_burst", "thread_chase");
		for (v = 0; v < 2; v++)
			count(v, 4, events[i][0], 0);
		for (v = 0; v < 3; v++)
			count(0, 5 + v, events[i][v], ALL);
		run_cycles(20000);
		self = pmd(0, 4) + pmd(1, 4);
		check(pmd(0, 4) > 50 && pmd(1, 4) > 10, "%s: %llu and %llu", events[i][0],
		      (unsigned long long)pmd(0, 4), (unsigned long long)pmd(1, 4));
		for (v = 0; v < 3; v++)
			check_eq(pmd(0, 5 + v), self, events[i][v]);
	}
	/* The other thread is in front while they go to the bus. */
	threads("thread_burst", "thread_hint_m");
	for (v = 0; v < 2; v++)
		count(v, 4, "BUS_MEM_READ.BRL.SELF", 0);
	run_cycles(20000);
	check(pmd(0, 4) > 50, "%llu reads", (unsigned long long)pmd(0, 4));
	check_eq(pmd(1, 4), 0, "reads of a thread that reads nothing");
	group("requests of a core are those of its threads");
}

/* R56: what is of no thread is counted by none while both are in low power. */
static void test_nobody(void)
{
	u64 before[2];
	unsigned int v;

	threads("thread_burst", NULL);
	for (v = 0; v < 2; v++)
		count(v, 4, "BUS_MEM_READ.BRL.ANY", 0);
	while (pkg->thread[0].own.s.late.nr < 4)
		run_cycles(1);
	for (v = 0; v < 2; v++) {
		begin(v, NULL);
		before[v] = pmd(v, 4);
	}
	/* The core sleeps until a timer. */
	set(MONT_REG_CR, 72, 0x30);
	set(MONT_REG_CR, 1, clock_now() + 30000);
	run_cycles(2000);
	check_eq(pkg->thread[0].own.s.late.nr, 0, "counts to come");
	for (v = 0; v < 2; v++)
		check_eq(pmd(v, 4), before[v], "of no thread");
	group("what is of no thread is nobody's while the core sleeps");
}

#define NR_PAGES 100
#define TABLE_VA 0x3000000000000000ULL
#define SPREAD 16 /* pages, so that each has a line of the table of its own */

/* Thread @v walks to pages that no TLB has, from number @from on, with one line of data for all. */
static void walk_pages(unsigned int v, unsigned int from)
{
	unsigned int i;

	cpu = mont_vcpu(pkg, v);
	set(MONT_REG_CR, 8, 1ULL << 60 | 20 << 2 | 1); /* PTA: the walker, a table of 1 MB */
	set(MONT_REG_RR, 1, 0x101 << 8 | PS << 2 | 1);
	map(false, TABLE_VA, PTE(VHPT_PA, 3, 0));
	map(false, TABLE_VA + (1 << PS), PTE(VHPT_PA + (1 << PS), 3, 0));
	for (i = from; i < from + NR_PAGES; i++)
		*mem64(VHPT_PA + 8 * SPREAD * i) = PTE(DATA_PA, 3, 3);
	set_gr(21, (1ULL << 61) + ((u64)from * SPREAD << PS));
	set_gr(24, SPREAD << PS);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_PSR, PHYS | MONT_PSR_PP | MONT_PSR_DT);
}

/*
 * R15: a walk goes on when its thread has left the front, what it misses is that thread's, and the
 * core has one walker: it makes the walks of both threads one behind the other.
 */
static void test_walker(void)
{
	u64 latency, own, walks;
	unsigned int v, i, both;

	for (both = 0; both < 2; both++) {
		const char *other = both ? "thread_pages" : "thread_loop";

		threads("thread_pages", other);
		for (v = 0; v < 2; v++) {
			begin(!v, NULL);
			begin(v, "thread_pages");
			set_gr(21, DATA_PA);
			set_gr(24, 0);
			run_cycles(1000);
		}
		begin(0, "thread_pages");
		begin(1, other);
		set_quantum(both ? 1000000 : QUANTUM);
		for (v = 0; v < 2; v++) {
			count(v, 4, "L3_MISSES", 0);
			count(v, 5, "DTLB_INSERTS_HPW", 0);
			count(v, 6, "HPW_DATA_REFERENCES", 0);
		}
		for (v = 0; v <= both; v++)
			walk_pages(v, v * NR_PAGES);
		latency = pkg->core[0].time->s.h.timing.memory;
		own = pkg->thread[0].s.cycles;
		run_cycles(NR_PAGES / 2 * (both ? latency : QUANTUM));
		own = pkg->thread[0].s.cycles - own;
		walks = pmd(0, 5) + pmd(1, 5);
		for (i = 4; i < 7; i++) {
			/* The last one may be under way. */
			check(pmd(0, i) <= pmd(0, 6) && pmd(0, i) + 1 >= pmd(0, 6), "PMD%u: %llu",
			      i, (unsigned long long)pmd(0, i));
			check(!pmd(1, i) == !both, "PMD%u of the other: %llu", i,
			      (unsigned long long)pmd(1, i));
		}
		if (both) {
			check(walks > NR_PAGES / 3 && walks <= NR_PAGES / 2, "%llu walks",
			      (unsigned long long)walks);
			continue;
		}
		/* Each misses once, and has the core handed over. */
		check_eq(switches(0, MONT_SIG_SWITCH_L3MISS), pmd(0, 4), "switches by misses");
		check(walks > NR_PAGES / 3 && own < 60 * walks, "%llu walks, %llu cycles in front",
		      (unsigned long long)walks, (unsigned long long)own);
	}
	group("walks go on in the background, one behind the other");
}

/* R59: a reference is of the thread that asks, a full OzQ of the thread in front in each cycle. */
static void test_l2d_labels(void)
{
	static const char *const events[] = { "L2D_OZQ_FULL", "L2D_REFERENCES.ALL" };
	u64 before[2], in_front[2], behind[2];
	unsigned int i, k, v;

	for (k = 0; k < MONT_ARRAY_SIZE(events); k++) {
		threads("thread_burst", "thread_hint_m");
		set_param("ozq.entries", 4);
		for (v = 0; v < 2; v++) {
			count(v, 4, events[k], 0);
			in_front[v] = 0;
			behind[v] = 0;
		}
		for (i = 0; i < 20000; i++) {
			u32 front = shared()->front;

			for (v = 0; v < 2; v++)
				before[v] = pmd(v, 4);
			run_cycles(1);
			if (front != shared()->front)
				continue;
			in_front[front] += pmd(front, 4) - before[front];
			behind[!front] += pmd(!front, 4) - before[!front];
		}
		check(in_front[0] > 50, "%s: %llu in front", events[k],
		      (unsigned long long)in_front[0]);
		check_eq(behind[1], 0, events[k]);
		check(k ? behind[0] > 50 : !behind[0], "%s: %llu in the background", events[k],
		      (unsigned long long)behind[0]);
		check(k ? !in_front[1] : in_front[1] > 50, "%s: %llu beside the other's", events[k],
		      (unsigned long long)in_front[1]);
	}
	group("references are of the thread that asks, a full OzQ of the one in front");
}

int main(void)
{
	test_returns(false);
	test_returns(true);
	test_flush();
	test_prefetch();
	test_caches();
	test_prediction();
	test_translation_registers();
	test_l2d_all();
	test_banked_causal();
	test_agents();
	test_nobody();
	test_walker();
	test_l2d_labels();
	free(pkg);
	free(ram);
	free(pristine);
	return tap_end();
}
