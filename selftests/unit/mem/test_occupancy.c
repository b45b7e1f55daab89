// SPDX-License-Identifier: GPL-2.0-only
/*
 * Occupancy: sums over random intervals and random looks are those of counting
 * cycle by cycle.
 */
#include "mem_test.h"

#define CYCLES 4000
#define INTERVALS 300

static struct mont_occupancy o;
static u64 seed = 1;

static u64 next(u64 n)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (seed >> 33) % n;
}

static void test_random(void)
{
	static u32 by_cycle[MONT_NR_QUEUES][CYCLES + 400];
	u64 sum[MONT_NR_QUEUES] = { 0 }, right[MONT_NR_QUEUES] = { 0 };
	u64 now = 0, i, q, cycle, wrong = 0;

	memset(&o, 0, sizeof(o));
	for (i = 0; i < INTERVALS; i++) {
		/* Intervals begin at the counters' present cycle, or later; some are empty. */
		u64 from = now + next(50), until = from + next(300);

		q = next(MONT_NR_QUEUES);
		if (until > CYCLES)
			until = CYCLES;
		mont_occupy(&o, q, from, until);
		for (cycle = from; cycle < until; cycle++)
			by_cycle[q][cycle]++;
		wrong += !mont_occupancy_valid(&o, MONT_NR_NUMBERS);
		if (next(3))
			continue;
		now += next(40);
		while (o.upto < now) {
			u64 cycles = mont_occupancy_next(&o, now);

			for (q = 0; q < MONT_NR_QUEUES; q++)
				sum[q] += cycles * o.number[q];
		}
	}
	while (o.upto < CYCLES) {
		u64 cycles = mont_occupancy_next(&o, CYCLES);

		for (q = 0; q < MONT_NR_QUEUES; q++)
			sum[q] += cycles * o.number[q];
	}
	ok(!wrong, "what it holds between may be saved");
	for (q = 0; q < MONT_NR_QUEUES; q++) {
		for (cycle = 0; cycle < CYCLES; cycle++)
			right[q] += by_cycle[q][cycle];
		ok(sum[q] == right[q] && right[q], "queue %lu: %lu, cycle by cycle %lu",
		   (unsigned long)q, (unsigned long)sum[q], (unsigned long)right[q]);
	}
	while (mont_occupied(&o))
		mont_occupancy_next(&o, CYCLES + 1);
	ok(!mont_occupied(&o), "nothing is in use in the end");
}

static void test_valid(void)
{
	memset(&o, 0, sizeof(o));
	mont_occupy(&o, MONT_QUEUE_BRQ, 10, 20);
	ok(mont_occupancy_valid(&o, MONT_NR_NUMBERS), "one entry");
	ok(!mont_occupancy_valid(&o, MONT_QUEUE_BRQ), "of fewer queues");
	o.begin.change[0].queue = MONT_NR_NUMBERS;
	ok(!mont_occupancy_valid(&o, MONT_NR_NUMBERS), "no such queue");
	o.begin.change[0].queue = MONT_QUEUE_OZQ_FULL;
	ok(!mont_occupancy_valid(&o, MONT_NR_NUMBERS), "what is not in use leaves");
	memset(&o, 0, sizeof(o));
	o.number[0] = 1;
	ok(!mont_occupancy_valid(&o, MONT_NR_NUMBERS), "what never leaves");
	memset(&o, 0, sizeof(o));
	o.end.nr = 1;
	ok(!mont_occupancy_valid(&o, MONT_NR_NUMBERS), "nothing that leaves");
	memset(&o, 0, sizeof(o));
	mont_occupy(&o, MONT_QUEUE_BRQ, 10, 20);
	mont_occupy(&o, MONT_QUEUE_BRQ, 30, 40);
	ok(mont_occupancy_valid(&o, MONT_NR_NUMBERS), "two, one behind the other");
	o.end.change[1].at = 15;
	ok(!mont_occupancy_valid(&o, MONT_NR_NUMBERS), "what comes first is not the first");
	memset(&o, 0, sizeof(o));
	mont_occupy(&o, MONT_QUEUE_BRQ, 10, 20);
	o.begin.change[0].at = 20;
	ok(!mont_occupancy_valid(&o, MONT_NR_NUMBERS), "one that leaves as it comes");
	o.begin.change[0].at = 10;
	o.begin.first = MONT_NR_CHANGES;
	ok(!mont_occupancy_valid(&o, MONT_NR_NUMBERS), "no place of the ring");
	o.begin.first = 0;
	o.end.nr = MONT_NR_CHANGES + 1;
	ok(!mont_occupancy_valid(&o, MONT_NR_NUMBERS), "more than there is room for");
}

/* As many as there is room for, from the last place of the ring on, and in the worst order. */
static void test_full(void)
{
	u64 cycles = 0;
	u32 i;

	memset(&o, 0, sizeof(o));
	o.begin.first = MONT_NR_CHANGES - 1;
	o.end.first = MONT_NR_CHANGES - 2;
	for (i = 0; i < MONT_NR_CHANGES + 9; i++)
		mont_occupy(&o, MONT_QUEUE_BRQ, 2000 - i, 4000 - i);
	ok(o.end.nr == MONT_NR_CHANGES && mont_occupancy_valid(&o, MONT_NR_NUMBERS),
	   "no more than there is room for is kept");
	mont_occupancy_settle(&o);
	ok(!o.begin.first && !o.end.first && mont_occupancy_valid(&o, MONT_NR_NUMBERS),
	   "a saved state begins with its first change");
	while (mont_occupied(&o)) {
		u64 n = mont_occupancy_next(&o, 5000);

		cycles += n * o.number[MONT_QUEUE_BRQ];
	}
	ok(cycles == 2000ULL * MONT_NR_CHANGES, "what is kept is counted: %lu",
	   (unsigned long)cycles);
	mont_occupancy_settle(&o);
	ok(!o.end.change[0].at && !o.end.change[MONT_NR_CHANGES - 1].at,
	   "and nothing of what has been is saved");
}

int main(void)
{
	test_random();
	test_valid();
	test_full();
	return done();
}
