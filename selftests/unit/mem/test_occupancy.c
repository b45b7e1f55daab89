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
		wrong += !mont_occupancy_valid(&o);
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
	while (o.nr)
		mont_occupancy_next(&o, CYCLES + 1);
	ok(!mont_occupied(&o), "nothing is in use in the end");
}

static void test_valid(void)
{
	memset(&o, 0, sizeof(o));
	mont_occupy(&o, MONT_QUEUE_BRQ, 10, 20);
	ok(mont_occupancy_valid(&o), "one entry");
	o.change[0].queue = MONT_NR_NUMBERS;
	ok(!mont_occupancy_valid(&o), "no such queue");
	o.change[0].queue = MONT_QUEUE_OZQ_FULL;
	ok(!mont_occupancy_valid(&o), "what is not in use leaves");
	memset(&o, 0, sizeof(o));
	o.live = 1;
	ok(!mont_occupancy_valid(&o), "a sum of nothing");
	o.number[0] = 1;
	ok(!mont_occupancy_valid(&o), "what never leaves");
	memset(&o, 0, sizeof(o));
	mont_occupy(&o, MONT_QUEUE_BRQ, 10, 20);
	mont_occupy(&o, MONT_QUEUE_BRQ, 30, 40);
	ok(mont_occupancy_valid(&o), "two, one behind the other");
	memset(&o, 0, sizeof(o));
	mont_occupy(&o, MONT_QUEUE_BRQ, 10, 20);
	o.change[0].less = 1;
	o.change[1].less = 0;
	ok(!mont_occupancy_valid(&o), "one that leaves before it comes");
	o.change[0] = (struct mont_change){ .at = 20, .queue = MONT_QUEUE_BRQ };
	o.change[1] = (struct mont_change){ .at = 10, .queue = MONT_QUEUE_BRQ, .less = 1 };
	ok(!mont_occupancy_valid(&o), "what comes first is not the first");
	memset(&o, 0, sizeof(o));
	o.nr = MONT_NR_CHANGES + 1;
	ok(!mont_occupancy_valid(&o), "more than there is room for");
}

int main(void)
{
	test_random();
	test_valid();
	return done();
}
