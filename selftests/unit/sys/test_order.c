// SPDX-License-Identifier: GPL-2.0-only
/*
 * Locks, barriers, messages, purges and litmus tests of two threads of one core, and of four
 * processors on two cores, with time (SDM volume 2, 2.1): results are right, no outcome is one that
 * the architecture forbids, and no thread starves, for any latency of memory and any quantum. A run
 * ends in the same state where it is cut, saved and loaded, and observed.
 */
#include "sys_test.h"
#include "pipeline/pipeline.h"
#include "pmu/observer.h"

/* Addresses of order.inc: words, the values read by each thread, lines of the litmus tests */
#define WORDS 0x200000ULL
#define PAIR(pair) (WORDS + 0x8000 * (pair))
#define COUNT(part) (WORDS + 8 * (part))
#define BAD(pair, number) (PAIR(pair) + 0x600 + 8 * (number))
#define LITMUS_LINES(pair) (PAIR(pair) + 0x2000)
#define READ(thread) (WORDS + 0x10000 + 0x1000 * (thread))
#define ORDER_MEMORY 0x20000

#define ROUNDS 6
#define NR_LITMUS 5
#define MOST 4
#define SAMPLE 12
#define WHOLE 1000
/* Groups of a round that a thread goes through alone, and lines that it waits for */
#define ROUND_CYCLES 3000
#define ROUND_MISSES 40
/* The one that begins before the parameter is set */
#define FIRST_QUANTUM 20000

enum litmus { SB, LB, MP, W22, R };

static u64 random_state;

static u64 draw(u64 from, u64 to)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return from + random_state % (to - from + 1);
}

/**
 * struct run - one seed's machine
 * @seed: it
 * @nr: two or four processors
 * @latency: of memory
 * @quantum: of threads
 * @hints: threads that wait hint
 * @partner: bits in which the numbers of a pair differ
 * @first: the processor that has the first part of IRIW
 * @start: random numbers
 */
struct run {
	u64 seed;
	unsigned int nr;
	u64 latency;
	u64 quantum;
	bool hints;
	unsigned int partner;
	unsigned int first;
	u64 start[MOST];
};

static unsigned int pair_of(const struct run *r, unsigned int v)
{
	unsigned int other = v ^ r->partner;

	return (v < other ? v : other) != 0;
}

static struct run run_of(unsigned int nr, u64 seed)
{
	struct run r = { .seed = seed, .nr = nr, .partner = 1 };
	unsigned int v;

	random_state = 0x9e3779b97f4a7c15ULL * (seed + 1);
	draw(0, 1);
	r.latency = draw(20, 400);
	/* Short and long quanta alike */
	r.quantum = 100 << draw(0, 7);
	r.quantum = draw(r.quantum, r.quantum < 10000 ? 2 * r.quantum : 20000);
	r.hints = draw(0, 1);
	for (v = 0; v < nr; v++)
		r.start[v] = draw(1, ~0ULL >> 1);
	if (nr == 4) {
		r.partner = draw(1, 3);
		r.first = draw(0, 3);
	}
	return r;
}

static void begin(const struct run *r, const char *name)
{
	unsigned int v;

	threads_timed = true;
	free(pkg);
	pkg = NULL; /* parameters and caches as they were made */
	machine(r->nr, 0);
	memset(ram + WORDS, 0, ORDER_MEMORY);
	set_param("memory.latency", r->latency);
	set_param("thread.quantum", r->quantum);
	for (v = 0; v < r->nr; v++) {
		cpu = mont_vcpu(pkg, v);
		set(MONT_REG_SPECIAL, MONT_SPECIAL_IP, label(name));
		set(MONT_REG_SPECIAL, MONT_SPECIAL_PSR, PHYS);
		set(MONT_REG_SPECIAL, MONT_SPECIAL_HALTED, 0);
		set_gr(4, DATA_VA);
		set_gr(5, itir(PS, 0x77));
		set_gr(6, PTE(DATA_PA, 3, 3));
		set_gr(7, v);
		set_gr(8, r->nr);
		set_gr(9, PAIR(pair_of(r, v)));
		set_gr(11, (v + r->first) % 4);
		set_gr(18, ROUNDS);
		set_gr(19, r->hints);
		set_gr(20, 0);
		set_gr(21, WORDS);
		set_gr(22, v > (v ^ r->partner));
		set_gr(23, READ(v));
		set_gr(26, r->start[v]);
	}
}

static bool ended(const struct run *r)
{
	unsigned int v;

	for (v = 0; v < r->nr; v++) {
		cpu = mont_vcpu(pkg, v);
		if (gr(20) != ~0ULL)
			return false;
	}
	return true;
}

/* Most cycles: in each round of each part all may wait for another's quantum, several times. */
static u64 most_cycles(const struct run *r)
{
	return 8 * r->nr * ROUNDS * (10 * r->quantum + ROUND_MISSES * r->latency + ROUND_CYCLES);
}

static bool forbidden(enum litmus test, u64 first, u64 second, u64 x, u64 y)
{
	switch (test) {
	case SB:
		return !first && !second;
	case LB:
		return first && second;
	case MP:
		return second == 2;
	case W22:
		return x == 1 && y == 1;
	default:
		return y == 2 && !second;
	}
}

/* Outcomes that were seen, by litmus test */
static unsigned long seen[NR_LITMUS], seen_iriw;

/* Return: what processor @v has read in its litmus test @n. */
static u64 has_read(unsigned int v, unsigned int n)
{
	return *mem64(READ(v) + 8 * n);
}

static void check_litmus(const struct run *r, unsigned int v)
{
	static const char *const name[] = { "SB", "LB", "MP", "2+2W", "R" };
	unsigned int round, test, pair = pair_of(r, v);

	for (round = 0; round < ROUNDS; round++) {
		for (test = 0; test < NR_LITMUS; test++) {
			unsigned int n = round * NR_LITMUS + test;
			u64 first = has_read(v, n), second = has_read(v ^ r->partner, n);
			u64 x = *mem64(LITMUS_LINES(pair) + 0x100 * n);
			u64 y = *mem64(LITMUS_LINES(pair) + 0x100 * n + 0x80);

			check(!forbidden(test, first, second, x, y),
			      "seed %llu: %s reads %llu and %llu, x %llu, y %llu",
			      (unsigned long long)r->seed, name[test], (unsigned long long)first,
			      (unsigned long long)second, (unsigned long long)x,
			      (unsigned long long)y);
			seen[test] |= 1UL << (first << 4 | second << 2 | (y == 2)) % 64;
		}
	}
}

/* IRIW: two that read two words, which two others store to, see no two orders of the stores. */
static void check_iriw(const struct run *r)
{
	unsigned int round, n;

	for (round = 0; r->nr == 4 && round < ROUNDS; round++) {
		u64 first, second;

		n = ROUNDS * NR_LITMUS + round;
		first = has_read((6 - r->first) % 4, n);
		second = has_read((7 - r->first) % 4, n);
		check(first != 2 || second != 2, "seed %llu: IRIW", (unsigned long long)r->seed);
		seen_iriw |= 1UL << (4 * first + second);
	}
}

/* Counts that an increment without a lock has lost */
static u64 lost;

static void check_counts(const struct run *r)
{
	unsigned int part, pair;

	lost += r->nr * ROUNDS - *mem64(COUNT(0));
	for (part = 1; part < 4; part++)
		check(*mem64(COUNT(part)) == r->nr * ROUNDS, "seed %llu: part %u counts %llu",
		      (unsigned long long)r->seed, part, (unsigned long long)*mem64(COUNT(part)));
	for (pair = 0; pair < r->nr / 2; pair++) {
		check(*mem64(PAIR(pair) + 32) == 2 * ROUNDS, "seed %llu: pair %u counts %llu",
		      (unsigned long long)r->seed, pair,
		      (unsigned long long)*mem64(PAIR(pair) + 32));
		check(!*mem64(BAD(pair, 0)) && !*mem64(BAD(pair, 1)),
		      "seed %llu: messages, barriers and purges: round %llu and %llu",
		      (unsigned long long)r->seed, (unsigned long long)*mem64(BAD(pair, 0)),
		      (unsigned long long)*mem64(BAD(pair, 1)));
	}
}

/* The clock of the core that is ahead: a run's budget goes by that one. */
static u64 clock_ahead(const struct run *r)
{
	u64 first = pkg->core[0].s.clock, second = r->nr == 4 ? pkg->core[1].s.clock : 0;

	return first > second ? first : second;
}

/* Run to the end in one. Return: the cycle in which it is there. */
static u64 whole(const struct run *r)
{
	u64 most = most_cycles(r);
	unsigned int v;

	begin(r, "order");
	while (!ended(r) && clock_ahead(r) < most)
		run_cycles(r->quantum);
	check(clock_ahead(r) < most, "seed %llu: %llu cycles are not enough",
	      (unsigned long long)r->seed, (unsigned long long)most);
	check_counts(r);
	for (v = 0; v < r->nr; v++)
		if (v < (v ^ r->partner))
			check_litmus(r, v);
	check_iriw(r);
	return clock_ahead(r);
}

/* Repeat a run up to @end in pieces, some of which are saved and loaded, with observers attached. */
static void pieces(const struct run *r, u64 end)
{
	/* L3_MISSES, CPU_OP_CYCLES.ALL, IA64_INST_RETIRED, THREAD_SWITCH_EVENTS.ALL */
	static const u8 codes[][2] = { { 0xdc, 0 }, { 0x12, 0 }, { 0x08, 0 }, { 0x0c, 7 } };
	struct mont_observer o[MOST][MONT_ARRAY_SIZE(codes)] = { 0 };
	void *blob = malloc(mont_state_size(pkg));
	const char *why = NULL;
	unsigned int v, i;
	u64 n, now;

	begin(r, "order");
	for (v = 0; v < r->nr; v++)
		for (i = 0; i < MONT_ARRAY_SIZE(codes); i++) {
			o[v][i].filter.code = codes[i][0];
			o[v][i].filter.umask = codes[i][1];
			o[v][i].filter.plm = 15;
			check(!mont_observer_attach(mont_vcpu(pkg, v), &o[v][i], &why), "%s", why);
		}
	while ((now = clock_ahead(r)) < end) {
		n = draw(1, 2 * r->quantum);
		run_cycles(n < end - now ? n : end - now);
		if (draw(0, 3))
			continue;
		mont_state_save(pkg, blob);
		check(!mont_state_load(pkg, blob, mont_state_size(pkg)), "loaded");
	}
	for (v = 0; v < r->nr; v++)
		for (i = 0; i < MONT_ARRAY_SIZE(codes); i++) {
			check(mont_observer_read(mont_vcpu(pkg, v), &o[v][i]), "event %#x counts",
			      codes[i][0]);
			mont_observer_detach(mont_vcpu(pkg, v), &o[v][i]);
		}
	free(blob);
}

static unsigned int nr_seeds(void)
{
	const char *all = getenv("WHOLE");

	return all && *all ? WHOLE : SAMPLE;
}

static void test_results(unsigned int nr)
{
	unsigned int i;

	lost = 0;
	memset(seen, 0, sizeof(seen));
	for (i = 0; i < nr_seeds(); i++) {
		const struct run r = run_of(nr, i);

		whole(&r);
	}
	/* The test itself: threads do get between a load and a store, and differ in order. */
	check(lost, "without a lock something is lost");
	for (i = 0; i < NR_LITMUS; i++)
		check(seen[i] & (seen[i] - 1), "litmus test %u has several outcomes: %#lx", i,
		      seen[i]);
	check(nr == 2 || (seen_iriw & (seen_iriw - 1)), "IRIW has several outcomes: %#lx",
	      seen_iriw);
	group(nr == 2 ? "locks, messages, barriers, purges, litmus tests"
		      : "four processors: locks, messages, barriers, purges, litmus tests, IRIW");
}

static void test_same(unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr_seeds(); i++) {
		const struct run r = run_of(nr, i);
		u64 end = whole(&r), hash = mont_state_hash(pkg);

		whole(&r);
		check(mont_state_hash(pkg) == hash, "seed %u, again", i);
		pieces(&r, end);
		check(mont_state_hash(pkg) == hash, "seed %u in pieces", i);
	}
	group(nr == 2 ? "the same state, however it is run"
		      : "four processors: the same state, however it is run");
}

/* In 60 quanta all have the lock, however often the core is taken from one that has it. */
static void test_starving(unsigned int nr)
{
	unsigned int i, v;

	for (i = 0; i < nr_seeds(); i++) {
		const struct run r = run_of(nr, i);

		begin(&r, "order_forever");
		run_cycles(FIRST_QUANTUM + 30 * nr * r.quantum + 1000 * r.latency);
		for (v = 0; v < nr; v++) {
			cpu = mont_vcpu(pkg, v);
			check(gr(20) >= 3, "seed %u: thread %u had the lock %llu times", i, v,
			      (unsigned long long)gr(20));
		}
	}
	group(nr == 2 ? "nobody starves" : "four processors: nobody starves");
}

int main(void)
{
	unsigned int nr;

	for (nr = 2; nr <= 4; nr += 2) {
		test_results(nr);
		test_same(nr);
		test_starving(nr);
	}
	free(pkg);
	free(ram);
	free(pristine);
	return tap_end();
}
