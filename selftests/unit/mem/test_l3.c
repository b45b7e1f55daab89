// SPDX-License-Identifier: GPL-2.0-only
/*
 * L3 and the bus (manual 2.3.3.3, 2.3.3.4, 4.8.5, 4.11): 12 ways, request buffers,
 * requesters, the cost of a victim.
 */
#include "mem_test.h"

#define LINE 128
#define INDEX (8192ULL * LINE) /* lines so far apart have one index: PA[19:7] */

static u32 state;

static u64 read(u64 pa, enum mont_l3_op op, u64 now)
{
	mont_reply_begin(&reply);
	return mont_l3_read(h, pa, op, now, &state, &reply);
}

static void write(u64 pa, u64 now)
{
	mont_reply_begin(&reply);
	mont_l3_write(h, pa | MONT_LINE_M, now, &reply);
}

static void test_reads(void)
{
	fresh();
	read(0, MONT_L3_DATA, 1000);
	ok(MET(L3_DATA_MISS) && MET(L3_READ_INSERTED) && !MET(L3_READ_REPLACED) &&
		   SENT(BRQ_INSERTED) && SENT(BUS_READ_DATA) &&
		   reply.state[MONT_REPLY_LINE_READ] == MONT_LINE_E &&
		   reply.state[MONT_REPLY_LINE_INSERTED] == MONT_LINE_E,
	   "a load that misses: read by BRL, E as it is filled, nothing replaced");
	/* The L2D's 5 cycles have passed when it asks. */
	ok(read(0, MONT_L3_DATA, 2005) == 2000 + 14 && MET(L3_DATA_HIT) && !SENT(BUS_READ_DATA),
	   "a hit is there 14 cycles after the load has issued");
	read(0, MONT_L3_STORE, 3000);
	ok(MET(L3_STORE_HIT) && !SENT(BUS_INVALIDATE), "a store of an exclusive line");
	read(LINE, MONT_L3_INSN, 4000);
	ok(MET(L3_INSN_MISS) && SENT(BUS_READ_INSN) && state == MONT_LINE_S, "a fetch");
	read(LINE, MONT_L3_STORE, 5000);
	ok(MET(L3_STORE_HIT) && SENT(BUS_INVALIDATE), "a store of a shared line");
	ok(read(0, MONT_L3_DATA, 6000) == 6009 && read(LINE, MONT_L3_DATA, 6000) == 6013,
	   "2.3.3.3: the array delivers a line in four cycles");
	ok(reply.at[MONT_REPLY_IN_L3] == 6001, "one lookup a cycle");
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
	ok(MET(L3_READ_REPLACED) && reply.state[MONT_REPLY_LINE_VICTIM] == MONT_LINE_E &&
		   !SENT(BUS_WRITE_LINE),
	   "the 13th replaces a clean one: nothing is written");
	write(2 * INDEX, now += 1000);
	ok(MET(L3_WB_HIT) && !MET(L3_WB_MISS), "a line of the L2D is written to the L3");
	for (i = 3; i < 12; i++)
		read(i * INDEX, MONT_L3_DATA, now += 1000);
	read(12 * INDEX, MONT_L3_DATA, now += 1000);
	read(13 * INDEX, MONT_L3_DATA, now += 1000);
	ok(MET(L3_READ_REPLACED) && !SENT(BUS_WRITE_LINE), "the one before it goes");
	read(14 * INDEX, MONT_L3_DATA, now += 1000);
	ok(MET(L3_READ_REPLACED) && reply.state[MONT_REPLY_LINE_VICTIM] == MONT_LINE_M &&
		   SENT(BUS_WRITE_LINE) && !SENT(BUS_WRITE_LINE_WB),
	   "then it: a modified one goes to memory");
	write(2 * INDEX, now += 1000);
	ok(MET(L3_WB_MISS) && MET(L3_WB_INSERTED) && MET(L3_WB_REPLACED) &&
		   reply.state[MONT_REPLY_LINE_WB_INSERTED] == MONT_LINE_M,
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
	ok(reply.sent == (MONT_SENT_BIT(BUS_READ_PARTIAL) | MONT_SENT_BIT(BRQ_INSERTED)) &&
		   reply.bits == MONT_REPLY_BIT(L3_SPECULATED),
	   "an uncached load is BRP and meets no cache but for a request that is withdrawn");
	store(0x1000, 2000, MONT_DATA_UC);
	ok(reply.sent == MONT_SENT_BIT(BUS_WRITE_8A) && reply.bits == MONT_REPLY_BIT(L3_SPECULATED),
	   "an uncached store is BWP");
	load(0x1000, 3000, 0, 0);
	ok(MET(L3_DATA_MISS), "neither has put anything into a cache");
}

/* Reads, fills, write-backs and victims on their way out hold the array for four cycles each. */
static void test_array(void)
{
	u64 i, ready;

	fresh();
	for (i = 0; i < 8; i++)
		read(i * LINE, MONT_L3_DATA, 1000 * (i + 1));
	ready = read(0, MONT_L3_DATA, 20000);
	for (i = 1; i < 8; i++)
		ok(read(i * LINE, MONT_L3_DATA, 20000 + i) == ready + 4 * i,
		   "line %lu is %lu cycles behind the first", (unsigned long)i,
		   (unsigned long)(4 * i));
	mont_reply_begin(&reply);
	mont_l3_write(h, 0 | MONT_LINE_M, 30000, &reply);
	ok(reply.at[MONT_REPLY_IN_WB] == 30000 && read(LINE, MONT_L3_DATA, 30001) == 30004 + 9,
	   "a line that is written back is in the way of one that is read");
	ready = read(100 * LINE, MONT_L3_DATA, 40000);
	ok(read(LINE, MONT_L3_DATA, ready - 10) == ready - 1, "before a fill the array is free");
	ok(read(2 * LINE, MONT_L3_DATA, ready - 3) == ready + 4 + 9,
	   "and not for three cycles less");
}

/* 2.5: four requests, two writes; a place is free as its transaction is issued. */
static void test_arbiter(void)
{
	struct mont_occupancy *o;
	u64 i, most = 0;

	fresh();
	o = &h->occupancy;
	for (i = 0; i < 16; i++)
		read(i * LINE, MONT_L3_DATA, 1000);
	for (o->upto = 1000; o->upto < 3000;) {
		if (mont_occupancy_next(o, 3000) && o->number[MONT_QUEUE_SI_RQ] > most)
			most = o->number[MONT_QUEUE_SI_RQ];
	}
	ok(most == 4, "of 16 requests together four are in the arbiter, not %lu",
	   (unsigned long)most);
	fresh();
	for (i = 0, most = 0; i < 8; i++)
		store(0x1000 + 128 * i, 1000, MONT_DATA_UC);
	for (o->upto = 1000; o->upto < 3000;) {
		if (mont_occupancy_next(o, 3000) && o->number[MONT_QUEUE_SI_WRITEQ] > most)
			most = o->number[MONT_QUEUE_SI_WRITEQ];
	}
	ok(most == 2, "of eight writes two, not %lu", (unsigned long)most);
	store(0xfee00000, 5000, MONT_DATA_UC);
	ok(reply.sent == (MONT_SENT_BIT(BUS_IPI) | MONT_SENT_BIT(BRQ_INSERTED)),
	   "an interrupt that is sent is a request, and no write of memory");
}

/* 4.11.2: where no buffer is free for a modified victim, the line is not asked for. */
static void test_pressure(void)
{
	u64 buffers, i, ready[2][12], now = 1000;

	for (buffers = 0; buffers < 2; buffers++) {
		fresh();
		h->timing.victims = buffers ? 1 : 8;
		for (i = 0; i < 12; i++) {
			now += 1000;
			read(i * INDEX, MONT_L3_STORE, now);
			mont_reply_begin(&reply);
			mont_l3_write(h, i * INDEX | MONT_LINE_M, now + 500, &reply);
		}
		now += 1000;
		for (i = 0; i < 12; i++)
			ready[buffers][i] = read((i + 12) * INDEX, MONT_L3_STORE, now) - now;
	}
	ok(ready[0][0] == ready[1][0],
	   "the first read that replaces a modified line waits for none");
	ok(ready[0][3] < ready[1][3],
	   "with one buffer the fourth waits longer than with eight: %lu, %lu",
	   (unsigned long)ready[1][3], (unsigned long)ready[0][3]);
}

/* A clean line that is replaced, or not, is told of where bus.castouts is 1. */
static void test_castouts(void)
{
	u64 i, now = 1000, on;

	for (on = 0; on < 2; on++) {
		fresh();
		h->timing.castouts = on;
		for (i = 0; i < 12; i++)
			read(i * INDEX, MONT_L3_DATA, now += 1000);
		ok(!SENT(BUS_CASTOUT), "nothing is replaced");
		read(12 * INDEX, MONT_L3_DATA, now += 1000);
		ok(SENT(BUS_CASTOUT) == on && !SENT(BUS_WRITE_LINE), "bus.castouts %lu",
		   (unsigned long)on);
	}
}

/* 2.3.3.4: a claim has one of the 16 request buffers, as all requests. */
static void test_claims(void)
{
	struct mont_occupancy *o;

	fresh();
	o = &h->occupancy;
	read(0, MONT_L3_INSN, 1000);
	mont_reply_begin(&reply);
	mont_l3_claim(h, 0, 5000, &reply);
	ok(SENT(BUS_INVALIDATE) && SENT(BRQ_INSERTED), "a claim enters the request queue");
	for (o->upto = 0; o->upto < 5000;)
		mont_occupancy_next(o, 5000);
	while (mont_occupied(o) && !mont_occupancy_next(o, 5001))
		;
	ok(o->number[MONT_QUEUE_BRQ] == 1, "and is there");
	load(0x1000, 9000, MONT_DATA_UC, 0);
	for (; o->upto < 9050;)
		mont_occupancy_next(o, 9050);
	ok(o->number[MONT_QUEUE_BRQ] == 1, "so is a load that is not cached");
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
	test_array();
	test_arbiter();
	test_pressure();
	test_castouts();
	test_claims();
	return done();
}
