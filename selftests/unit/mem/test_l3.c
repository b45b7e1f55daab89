// SPDX-License-Identifier: GPL-2.0-only
/*
 * L3 and the bus (manual 2.3.3.3, 2.3.3.4, 4.8.5, 4.11): 12 ways, request buffers,
 * who asks, what a victim costs.
 */
#include "mem_test.h"

#define LINE 128
#define INDEX (8192ULL * LINE) /* lines so far apart have one index: PA[19:7] */

static u32 state;

static u64 read(u64 pa, enum mont_l3_op op, u64 now)
{
	mont_met_begin(&met);
	return mont_l3_read(h, pa, op, now, &state, &met);
}

static void write(u64 pa, u64 now)
{
	mont_met_begin(&met);
	mont_l3_write(h, pa | MONT_LINE_M, now, &met);
}

static void test_reads(void)
{
	fresh();
	read(0, MONT_L3_DATA, 1000);
	ok(MET(L3_DATA_MISS) && MET(L3_READ_INSERTED) && !MET(L3_READ_REPLACED) &&
		   MET(BRQ_INSERTED) && MET(BUS_READ_DATA) &&
		   met.state[MONT_MET_LINE_READ] == MONT_LINE_I &&
		   met.state[MONT_MET_LINE_INSERTED] == MONT_LINE_E,
	   "a load that misses: read by BRL, inserted E, nothing replaced");
	/* The L2D's 5 cycles have passed when it asks. */
	ok(read(0, MONT_L3_DATA, 2005) == 2000 + 14 && MET(L3_DATA_HIT) && !MET(BUS_READ_DATA),
	   "a hit is there 14 cycles after the load has issued");
	read(0, MONT_L3_STORE, 3000);
	ok(MET(L3_STORE_HIT) && !MET(BUS_INVALIDATE), "a store of an exclusive line");
	read(LINE, MONT_L3_INSN, 4000);
	ok(MET(L3_INSN_MISS) && MET(BUS_READ_INSN) && state == MONT_LINE_S, "a fetch");
	read(LINE, MONT_L3_STORE, 5000);
	ok(MET(L3_STORE_HIT) && MET(BUS_INVALIDATE), "a store of a shared line");
	ok(read(0, MONT_L3_DATA, 6000) == 6009 && read(LINE, MONT_L3_DATA, 6000) == 6010,
	   "one lookup a cycle");
}

static void test_victims(void)
{
	u64 i, now = 1000;

	fresh();
	for (i = 0; i < 12; i++) {
		read(i * INDEX, MONT_L3_DATA, now += 1000);
		if (MET(L3_READ_REPLACED))
			break;
	}
	ok(i == 12, "12 lines of an index fit");
	read(12 * INDEX, MONT_L3_DATA, now += 1000);
	ok(MET(L3_READ_REPLACED) && met.state[MONT_MET_LINE_VICTIM] == MONT_LINE_E &&
		   !MET(BUS_WRITE_LINE),
	   "the 13th replaces a clean one: nothing is written");
	write(2 * INDEX, now += 1000);
	ok(MET(L3_WB_HIT) && !MET(L3_WB_MISS), "a line of the L2D is written to the L3");
	for (i = 3; i < 12; i++)
		read(i * INDEX, MONT_L3_DATA, now += 1000);
	read(12 * INDEX, MONT_L3_DATA, now += 1000);
	read(13 * INDEX, MONT_L3_DATA, now += 1000);
	ok(MET(L3_READ_REPLACED) && !MET(BUS_WRITE_LINE), "the one before it goes");
	read(14 * INDEX, MONT_L3_DATA, now += 1000);
	ok(MET(L3_READ_REPLACED) && met.state[MONT_MET_LINE_VICTIM] == MONT_LINE_M &&
		   MET(BUS_WRITE_LINE) && !MET(BUS_WRITE_LINE_WB),
	   "then it: a modified one goes to memory");
	write(2 * INDEX, now += 1000);
	ok(MET(L3_WB_MISS) && MET(L3_WB_INSERTED) && MET(L3_WB_REPLACED) &&
		   met.state[MONT_MET_LINE_WB_INSERTED] == MONT_LINE_M,
	   "a write the L3 has no line for is inserted");
}

static void test_bus(void)
{
	u64 first, second;

	fresh();
	first = read(0, MONT_L3_DATA, 1000);
	second = read(LINE, MONT_L3_DATA, 1001);
	ok(second - first == h->timing.line, "two lines come one behind the other");
	first = read(2 * LINE, MONT_L3_DATA, 5000);
	ok(first == 5000 + 195, "one on a free bus after the latency of memory");
	fresh();
	load(0x1000, 1000, MONT_DATA_UC, 0);
	ok(met.bits == (BIT_OF(BUS_READ_PARTIAL) | BIT_OF(BRQ_INSERTED)),
	   "an uncached load is BRP and meets no cache");
	store(0x1000, 2000, MONT_DATA_UC);
	ok(met.bits == BIT_OF(BUS_WRITE_PARTIAL), "an uncached store is BWP");
	load(0x1000, 3000, 0, 0);
	ok(MET(L3_DATA_MISS), "neither has put anything into a cache");
}

static void test_buffers(void)
{
	u64 i, last = 0;

	/* 16 request buffers: the 17th waits for the first. */
	fresh();
	for (i = 0; i < 16; i++)
		last = read(i * LINE, MONT_L3_DATA, 1000);
	ok(last < 1000 + 195 + 16 * 24, "16 requests are out together");
	ok(read(16 * LINE, MONT_L3_DATA, 1000) >= 1000 + 195 + 195, "a 17th waits for the first");
}

int main(void)
{
	test_reads();
	test_victims();
	test_bus();
	test_buffers();
	return done();
}
