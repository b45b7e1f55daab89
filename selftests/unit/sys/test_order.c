// SPDX-License-Identifier: GPL-2.0-only
/*
 * Locks, barriers, messages and litmus tests of two threads of one core with time (SDM volume 2,
 * 2.1): results are right, no outcome is one that the architecture forbids, and no thread starves,
 * for any latency of memory and any quantum. A run ends in the same state where it is cut, saved
 * and loaded, and observed.
 */
#include "sys_test.h"
#include "pipeline/pipeline.h"
#include "pmu/observer.h"

/* Addresses of order.inc: words, the values read by each thread, lines of the litmus tests */
#define WORDS 0x200000ULL
#define COUNT(part) (WORDS + 8 * (part))
#define BAD(thread) (WORDS + 0x600 + 8 * (thread))
#define LITMUS_LINES (WORDS + 0x2000)
#define READ(thread) (WORDS + 0x10000 + 0x1000 * (thread))
#define ORDER_MEMORY 0x20000

#define ROUNDS 6
#define NR_LITMUS 5
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

/* One seed's machine */
struct run {
	u64 seed;
	u64 latency;
	u64 quantum;
	bool hints;
	u64 start[2];
};

static struct run run_of(u64 seed)
{
	struct run r = { .seed = seed };

	random_state = 0x9e3779b97f4a7c15ULL * (seed + 1);
	draw(0, 1);
	r.latency = draw(20, 400);
	/* Short and long quanta alike */
	r.quantum = 100 << draw(0, 7);
	r.quantum = draw(r.quantum, r.quantum < 10000 ? 2 * r.quantum : 20000);
	r.hints = draw(0, 1);
	r.start[0] = draw(1, ~0ULL >> 1);
	r.start[1] = draw(1, ~0ULL >> 1);
	return r;
}

static void begin(const struct run *r, const char *name)
{
	unsigned int v;

	threads_timed = true;
	free(pkg);
	pkg = NULL; /* parameters and caches as they were made */
	machine(2, 0);
	memset(ram + WORDS, 0, ORDER_MEMORY);
	set_param("memory.latency", r->latency);
	set_param("thread.quantum", r->quantum);
	for (v = 0; v < 2; v++) {
		cpu = mont_vcpu(pkg, v);
		set(MONT_REG_SPECIAL, MONT_SPECIAL_IP, label(name));
		set(MONT_REG_SPECIAL, MONT_SPECIAL_PSR, PHYS);
		set(MONT_REG_SPECIAL, MONT_SPECIAL_HALTED, 0);
		set_gr(18, ROUNDS);
		set_gr(19, r->hints);
		set_gr(20, 0);
		set_gr(21, WORDS);
		set_gr(22, v);
		set_gr(23, READ(v));
		set_gr(26, r->start[v]);
	}
}

static bool ended(void)
{
	unsigned int v;

	for (v = 0; v < 2; v++) {
		cpu = mont_vcpu(pkg, v);
		if (gr(20) != ~0ULL)
			return false;
	}
	return true;
}

/* Most cycles: in each round of each part both may wait for the other's quantum, several times. */
static u64 most_cycles(const struct run *r)
{
	return 12 * ROUNDS * (10 * r->quantum + ROUND_MISSES * r->latency + ROUND_CYCLES);
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
static unsigned long seen[NR_LITMUS];

static void check_litmus(const struct run *r)
{
	static const char *const name[] = { "SB", "LB", "MP", "2+2W", "R" };
	unsigned int round, test;

	for (round = 0; round < ROUNDS; round++) {
		for (test = 0; test < NR_LITMUS; test++) {
			unsigned int n = round * NR_LITMUS + test;
			u64 first = *mem64(READ(0) + 8 * n), second = *mem64(READ(1) + 8 * n);
			u64 x = *mem64(LITMUS_LINES + 0x100 * n);
			u64 y = *mem64(LITMUS_LINES + 0x100 * n + 0x80);

			check(!forbidden(test, first, second, x, y),
			      "seed %llu: %s reads %llu and %llu, x %llu, y %llu",
			      (unsigned long long)r->seed, name[test], (unsigned long long)first,
			      (unsigned long long)second, (unsigned long long)x,
			      (unsigned long long)y);
			seen[test] |= 1UL << (first << 4 | second << 2 | (y == 2)) % 64;
		}
	}
}

/* Counts that an increment without a lock has lost */
static u64 lost;

/* Run to the end in one. Return: the cycles that it took. */
static u64 whole(const struct run *r)
{
	u64 cycles = 0, step = r->quantum, most = most_cycles(r);
	unsigned int part;

	begin(r, "order");
	while (!ended() && cycles < most) {
		run_cycles(step);
		cycles += step;
	}
	check(cycles < most, "seed %llu: %llu cycles are not enough", (unsigned long long)r->seed,
	      (unsigned long long)most);
	lost += 2 * ROUNDS - *mem64(COUNT(0));
	for (part = 1; part < 5; part++)
		check(*mem64(COUNT(part)) == 2 * ROUNDS, "seed %llu: part %u counts %llu",
		      (unsigned long long)r->seed, part, (unsigned long long)*mem64(COUNT(part)));
	check(!*mem64(BAD(0)) && !*mem64(BAD(1)),
	      "seed %llu: messages and barriers: round %llu and %llu", (unsigned long long)r->seed,
	      (unsigned long long)*mem64(BAD(0)), (unsigned long long)*mem64(BAD(1)));
	check_litmus(r);
	return cycles;
}

/* Repeat a run in pieces, some of which are saved and loaded, with observers attached. */
static void pieces(const struct run *r, u64 cycles)
{
	/* L3_MISSES, CPU_OP_CYCLES.ALL, IA64_INST_RETIRED, THREAD_SWITCH_EVENTS.ALL */
	static const u8 codes[][2] = { { 0xdc, 0 }, { 0x12, 0 }, { 0x08, 0 }, { 0x0c, 7 } };
	struct mont_observer o[2][MONT_ARRAY_SIZE(codes)] = { 0 };
	void *blob = malloc(mont_state_size(pkg));
	const char *why = NULL;
	unsigned int v, i;
	u64 n;

	begin(r, "order");
	for (v = 0; v < 2; v++)
		for (i = 0; i < MONT_ARRAY_SIZE(codes); i++) {
			o[v][i].filter.code = codes[i][0];
			o[v][i].filter.umask = codes[i][1];
			o[v][i].filter.plm = 15;
			check(!mont_observer_attach(mont_vcpu(pkg, v), &o[v][i], &why), "%s", why);
		}
	for (; cycles; cycles -= n) {
		n = draw(1, 2 * r->quantum);
		if (n > cycles)
			n = cycles;
		run_cycles(n);
		if (draw(0, 3))
			continue;
		mont_state_save(pkg, blob);
		check(!mont_state_load(pkg, blob, mont_state_size(pkg)), "loaded");
	}
	for (v = 0; v < 2; v++)
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

static void test_results(void)
{
	unsigned int i;

	for (i = 0; i < nr_seeds(); i++) {
		const struct run r = run_of(i);

		whole(&r);
	}
	/* The test itself: threads do get between a load and a store, and differ in order. */
	check(lost, "without a lock something is lost");
	for (i = 0; i < NR_LITMUS; i++)
		check(seen[i] & (seen[i] - 1), "litmus test %u has several outcomes: %#lx", i,
		      seen[i]);
	group("locks, messages, barriers, litmus tests");
}

static void test_same(void)
{
	unsigned int i;

	for (i = 0; i < nr_seeds(); i++) {
		const struct run r = run_of(i);
		u64 cycles = whole(&r), hash = mont_state_hash(pkg);

		whole(&r);
		check(mont_state_hash(pkg) == hash, "seed %u, again", i);
		pieces(&r, cycles);
		check(mont_state_hash(pkg) == hash, "seed %u in pieces", i);
	}
	group("the same state, however it is run");
}

/* In 60 quanta both have the lock, however often the core is taken from one that has it. */
static void test_starving(void)
{
	unsigned int i, v;

	for (i = 0; i < nr_seeds(); i++) {
		const struct run r = run_of(i);

		begin(&r, "order_forever");
		run_cycles(FIRST_QUANTUM + 60 * r.quantum + 1000 * r.latency);
		for (v = 0; v < 2; v++) {
			cpu = mont_vcpu(pkg, v);
			check(gr(20) >= 3, "seed %u: thread %u had the lock %llu times", i, v,
			      (unsigned long long)gr(20));
		}
	}
	group("nobody starves");
}

int main(void)
{
	test_results();
	test_same();
	test_starving();
	free(pkg);
	free(ram);
	free(pristine);
	return tap_end();
}
