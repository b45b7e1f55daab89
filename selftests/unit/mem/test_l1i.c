// SPDX-License-Identifier: GPL-2.0-only
/*
 * L1I, with its ISB and RAB, and L2I: a line comes in two cycles, as two pairs of
 * bundles, 7 cycles after it was asked for (manual 2.3.3.2), and is written in the next.
 */
#include "mem_test.h"

#define FETCHED(name) (!!(reply.fetched & MONT_FETCHED_BIT(name)))

static u64 fetch(u64 pa, u64 now)
{
	mont_reply_begin(&reply);
	return mont_l1i_fetch(h, pa, now, &reply);
}

/* The L2I has the line at @pa, the L1I has not. */
static void in_l2i(u64 pa)
{
	fetch(pa, 1);
	mont_snoop_l1i(h, pa, 64);
}

static void test_line(void)
{
	fresh();
	in_l2i(0x1000);
	ok(fetch(0x1000, 1000) == 1007 && FETCHED(L2I_DMND_HIT) && FETCHED(L1I_FILLED),
	   "a line of the L2I: 7 cycles");
	ok(fetch(0x1020, 1003) == 1008 && FETCHED(L1I_RAB_HIT) && !FETCHED(L2I_DEMANDED),
	   "its other pair before it comes: a hit in the RAB, and it comes one cycle later");
	ok(fetch(0x1020, 1008) == 1008 && FETCHED(L1I_ISB_HIT), "as it comes: a hit in the ISB");
	ok(fetch(0x1000, 1008) == 1008 && FETCHED(L1I_ISB_HIT), "and so the first, still");
	ok(fetch(0x1020, 1009) == 1009 && FETCHED(L1I_ISB_HIT), "as the line is written: likewise");
	ok(fetch(0x1020, 1010) == 1010 && !reply.fetched, "then the line is in the L1I");
	fresh();
	in_l2i(0x1000);
	ok(fetch(0x1020, 1000) == 1007, "the pair that is asked for comes first");
	ok(fetch(0x1000, 1001) == 1008, "the first of the line behind it");
}

/* The cycle in which a fetch at @pa, in cycle @now, can read the L1I. */
static u64 port(u64 pa, u64 now)
{
	return mont_l1i_port(h, pa, now);
}

static void test_port(void)
{
	fresh();
	in_l2i(0x1000);
	in_l2i(0x1080);
	fetch(0x2000, 10);
	fetch(0x1000, 1000);
	ok(port(0x2000, 1008) == 1008, "pairs that enter the ISB leave the data port alone");
	ok(port(0x2000, 1009) == 1010, "as the line is written a fetch of another recirculates");
	ok(port(0x1020, 1009) == 1009, "one of the line itself does not: the ISB has it");
	ok(port(0x3000, 1009) == 1009, "nor does one that the L1I has not, which reads tags");
	ok(port(0x2000, 1010) == 1010, "once");
	ok(!mont_l1i_hit(h, 0x2000, 1009) && mont_l1i_hit(h, 0x2000, 1010),
	   "the fast way leaves this to the other");
	fetch(0x1080, 1001);
	ok(port(0x2000, 1009) == 1011, "two lines, one behind the other");
}

static void test_snoop(void)
{
	fresh();
	in_l2i(0x1000);
	fetch(0x1040, 500);
	ok(mont_snoop_l2i(h, 0x1010), "the L2I has a line of 128 bytes, which goes");
	ok(!mont_snoop_l2i(h, 0x1040), "and is there no more");
	mont_snoop_l1i(h, 0x1000, 128);
	fetch(0x1040, 1000);
	ok(FETCHED(L2I_DMND_MISS), "nor are the two lines of the L1I");
}

static u64 prefetch(u64 pa, u64 now)
{
	mont_reply_begin(&reply);
	return mont_l1i_prefetch(h, pa, now, &reply);
}

static void test_prefetch(void)
{
	u32 i;

	fresh();
	in_l2i(0x1000);
	ok(prefetch(0x1000, 1000) == 1000 && FETCHED(L2I_PFTCH_HIT) && FETCHED(L1I_PFTCH_FILLED) &&
		   !FETCHED(L2I_DMND_HIT),
	   "a prefetch of a line that the L2I has");
	ok(fetch(0x1000, 1003) == 1007 && FETCHED(L1I_RAB_HIT), "it comes as one that is fetched");
	ok(prefetch(0x1000, 1003) == 1003 && !reply.fetched, "it is prefetched once");
	ok(prefetch(0x8000, 2000) == 2000 && FETCHED(L2I_PFTCH_MISS) && MET(L3_PFTCH_MISS) &&
		   SENT(BUS_READ_INSN) && !MET(L3_INSN_MISS),
	   "one that no cache has");
	/* Two lines of the L1I are one of the L2I. */
	ok(fetch(0x8040, 2001) > 2100 && FETCHED(L2I_DMND_HIT) && !FETCHED(L2I_DMND_MISS) &&
		   !reply.sent,
	   "F3: a line of the L2I that is being filled: a hit, which waits for it");
	fresh();
	for (i = 0; i < 8; i++)
		in_l2i(0x1000 + 128 * i);
	for (i = 0; i < 7; i++)
		prefetch(0x1000 + 128 * i, 1000 + i);
	ok(reply.rab && reply.rab_almost[1][0] == 1006 && reply.rab_almost[1][1] == 1009 &&
		   reply.rab_almost[0][0] >= reply.rab_almost[0][1] &&
		   reply.rab_full[0] >= reply.rab_full[1],
	   "seven: the RAB is almost full until the first is written");
	ok(prefetch(0x1380, 1007) == 1009 && !reply.fetched && !reply.rab,
	   "an eighth waits for that");
	/* A fetch that comes late, as it does where the front end has run ahead. */
	fetch(0x1380, 1004);
	ok(reply.rab && reply.rab_full[0] == 1006 && reply.rab_full[1] == 1009 &&
		   reply.rab_almost[0][0] == 1005 && reply.rab_almost[0][1] == 1006 &&
		   reply.rab_almost[1][0] == 1009 && reply.rab_almost[1][1] == 1010,
	   "a fetch has an entry: all eight are in use for three cycles, seven for one more each");
	ok(prefetch(0x1380, 1009) == 1009 && !reply.fetched, "and what it has asked for is there");
	fresh();
	for (i = 0; i < 3; i++)
		in_l2i(0x1000 + 128 * i);
	prefetch(0x1000, 1004);
	prefetch(0x1080, 1005);
	ok(reply.asked == 1005, "a prefetch asks the L2I in its cycle");
	ok(fetch(0x1100, 1004) == 1013 && reply.asked == 1006,
	   "F10: a fetch of a cycle that prefetches have taken asks in the next that is free");
	mont_reply_begin(&reply);
	mont_l2i_uncached(h, 0x2000, 1005, &reply);
	ok(reply.asked == 1007, "and so does one that is not cached");
	fetch(0x1140, 1003);
	ok(reply.asked == 1003, "a cycle before them is free");
}

static void test_replaced(void)
{
	u32 i;

	fresh();
	for (i = 0; i < 9; i++)
		fetch((u64)i << 17, 1000 * (i + 1));
	ok(FETCHED(L2I_REPLACED), "nine lines of an index of the L2I, which has eight ways");
	fresh();
	for (i = 0; i < 9; i++)
		fetch((u64)i << 13, 1000 * (i + 1));
	ok(!FETCHED(L2I_REPLACED), "nine of other indexes");
}

static void test_uncached(void)
{
	fresh();
	mont_reply_begin(&reply);
	ok(mont_l2i_uncached(h, 0, 1000, &reply) == 1000 + h->timing.memory &&
		   FETCHED(L2I_UNCACHED) && SENT(BUS_READ_PARTIAL),
	   "instructions that are not cached come from the bus");
	ok(fetch(0x1000, 5000) > 5007 && FETCHED(L2I_DMND_MISS), "and leave nothing behind");
}

int main(void)
{
	test_line();
	test_port();
	test_snoop();
	test_prefetch();
	test_replaced();
	test_uncached();
	return done();
}
