// SPDX-License-Identifier: GPL-2.0-only
/*
 * L2D and its OzQ (manual 2.3.3.2, 4.8.4, table 2-9): bypasses, banks, suspended
 * misses, the room there is, states of lines.
 */
#include "mem_test.h"

#define PAGE 0x100000
#define LINE 128
#define INDEX (256 * LINE) /* lines so far apart have one index: PA[14:7] */

static u64 request(u64 pa, enum mont_l2d_op op, u64 now)
{
	mont_reply_begin(&reply);
	return mont_l2d_request(h, pa, op, now, &reply);
}

/* The line of @pa is there, and nothing is on its way. */
static u64 warm(u64 pa)
{
	request(pa, MONT_L2D_FP_LOAD, 1000);
	return 3000;
}

static void test_hits(void)
{
	u64 now;

	fresh();
	now = warm(PAGE);
	ok(request(PAGE, MONT_L2D_FP_LOAD, now) == now + 5 && MET(BYPASS_DATA1) && MET(L2D_HIT),
	   "a hit takes 5, by the early bypass");
	ok(request(PAGE, MONT_L2D_FP_LOAD, now) == now + 7 && MET(BYPASS_DATA2) && CANCELLED(BANK),
	   "a sibling that wants the same bank takes 7, by the late one");
	ok(request(PAGE + 16, MONT_L2D_FP_LOAD, now) == now + 5 && MET(BYPASS_DATA1),
	   "one that wants another bank of 16 bytes takes 5");
	ok(request(PAGE, MONT_L2D_FP_LOAD, now) == now + 11 && !MET(BYPASS_DATA1) &&
		   !MET(BYPASS_DATA2) && CANCELLED(BANK),
	   "a third for the bank waits in the queue: 11");
	ok(request(PAGE + 32, MONT_L2D_FP_LOAD, now + 1) == now + 12 && !CANCELLED(BANK),
	   "and what comes behind it while it does");
	ok(request(PAGE + 48, MONT_L2D_FP_LOAD, now + 20) == now + 25, "until the queue is empty");
	ok(request(PAGE, MONT_L2D_RMW, now + 100) == now + 111 && MET(L2D_READ) && MET(L2D_WRITTEN),
	   "a semaphore is a read and a write, and waits in the queue");
	request(PAGE, MONT_L2D_LFETCH, now + 200);
	ok(MET(L2D_LFETCH) && MET(L2D_READ) && !MET(L2D_WRITTEN), "lfetch is a read");
}

static void test_misses(void)
{
	u64 now = 1000, ready;

	fresh();
	ready = request(PAGE, MONT_L2D_FP_LOAD, now);
	ok(ready == now + 200 && MET(L2D_MISSED) && MET(L2D_PRIMARY) && MET(BYPASS_L3) &&
		   MET(L3_DATA_MISS) && SENT(BUS_READ_DATA),
	   "a miss in all caches is there after memory.latency");
	ok(request(PAGE + 64, MONT_L2D_FP_LOAD, now) == ready && MET(RECIRC_SAME_INDEX) &&
		   MET(SECONDARY_READ) && !MET(L2D_PRIMARY) && MET(L2D_MISSED),
	   "a second of its group is suspended until the fill");
	ok(request(PAGE, MONT_L2D_STORE, now + 1) == ready && MET(RECIRC_L1W) &&
		   MET(SECONDARY_WRITE),
	   "so is one of the cycle behind");
	ok(request(PAGE, MONT_L2D_FP_LOAD, now + 4) == ready && MET(RECIRC_OZQ_MISS),
	   "one while the first is in the OzQ");
	ok(request(PAGE, MONT_L2D_FP_LOAD, now + 5) == ready && MET(RECIRC_FILL_HIT),
	   "and one while the line is on its way");
	ok(request(PAGE, MONT_L2D_FP_LOAD, ready) == ready + 5 && MET(L2D_HIT),
	   "from the fill on it is a hit");
	request(PAGE + INDEX, MONT_L2D_FP_LOAD, 2000);
	request(PAGE + 2 * INDEX, MONT_L2D_FP_LOAD, 2000);
	ok(MET(RECIRC_SAME_INDEX) && MET(L2D_PRIMARY) && !MET(SECONDARY_READ) && !MET(BYPASS_L3),
	   "two misses of a group at one index: the second recirculates");
	request(PAGE + 3 * INDEX, MONT_L2D_FP_LOAD, 3000);
	request(PAGE + 4 * INDEX + LINE, MONT_L2D_FP_LOAD, 3000);
	ok(!(reply.bits & MONT_REPLY_BIT(RECIRC_SAME_INDEX)), "at two it does not");
}

static void test_room(void)
{
	u64 now = 1000, first, i;

	/* 32 requests, suspended on one line. */
	fresh();
	first = request(PAGE, MONT_L2D_FP_LOAD, now);
	for (i = 0; i < 32; i++) {
		request(PAGE, MONT_L2D_FP_LOAD, now + 10);
		if (reply.holds)
			break;
	}
	ok(i == 32, "the OzQ has room for 32 (%lu)", (unsigned long)i);
	request(PAGE, MONT_L2D_FP_LOAD, now + 11);
	ok(HELD(L2BPRESS) && reply.until[MONT_HOLD_L2BPRESS] == first + 1 && MET(L2D_HIT),
	   "a 33rd is held back until they are done");

	/* 16 misses on their way, of different index. */
	fresh();
	for (i = 0; i < 16; i++)
		first = request(PAGE + i * LINE, MONT_L2D_FP_LOAD, now + i);
	ok(first <= now + 15 + 200 + 15 * 24, "16 misses go on together");
	first = h->l2d.fills.until[0];
	ok(request(PAGE + 16 * LINE, MONT_L2D_FP_LOAD, now + 16) >= first + 195,
	   "the 17th goes to the L3 when the first line is there");
}

/* Store data. */
static void test_data(void)
{
	u64 first;

	fresh();
	h->timing.ozdb = 2;
	first = request(PAGE, MONT_L2D_STORE, 1000);
	request(PAGE + LINE, MONT_L2D_STORE, 1001);
	request(PAGE + 2 * LINE, MONT_L2D_FP_LOAD, 1002);
	ok(first == 1200 && !reply.holds, "a load needs no data buffer");
	request(PAGE + 3 * LINE, MONT_L2D_STORE, 1003);
	ok(HELD(L2BPRESS) && reply.until[MONT_HOLD_L2BPRESS] == first + 1,
	   "a store waits until one of the data buffer's is written");
}

static void test_states(void)
{
	u32 state;

	fresh();
	request(PAGE, MONT_L2D_FP_LOAD, 1000);
	ok(MET(FILL_E) && !MET(FILL_M) && !MET(FILL_S), "a load's line is exclusive");
	request(PAGE + LINE, MONT_L2D_STORE, 2000);
	ok(MET(FILL_M) && !MET(FILL_E) && SENT(BUS_READ_OWN) && !SENT(BUS_READ_DATA),
	   "a store's is modified, by BRIL");
	request(PAGE, MONT_L2D_STORE, 3000);
	ok(!MET(STORE_SHARED) && !SENT(BUS_INVALIDATE),
	   "a store to an exclusive line tells nobody");
	mont_reply_begin(&reply);
	mont_l3_read(h, PAGE + 2 * LINE, MONT_L3_INSN, 4000, &state, &reply);
	ok(state == MONT_LINE_S && SENT(BUS_READ_INSN), "what is fetched is shared");
	request(PAGE + 2 * LINE, MONT_L2D_INT_LOAD, 5000);
	ok(MET(FILL_S) && MET(L3_DATA_HIT) && reply.state[MONT_REPLY_LINE_READ] == MONT_LINE_S,
	   "and so is what is loaded of it");
	request(PAGE + 2 * LINE, MONT_L2D_STORE, 6000);
	ok(MET(STORE_SHARED) && SENT(BUS_INVALIDATE), "a store there claims the line, by BIL");
	request(PAGE + 2 * LINE, MONT_L2D_STORE, 7000);
	ok(!MET(STORE_SHARED) && !SENT(BUS_INVALIDATE), "once");
}

/*
 * The line of @miss returns to the array in @cycle: an operation that bypasses the queue then is
 * cancelled, and has its turn 6 later; one cycle behind there is nothing in its way.
 */
static void conflict(enum mont_l2d_op miss, enum mont_l2d_op op, unsigned int reason)
{
	u64 now, behind;

	for (behind = 0; behind < 2; behind++) {
		fresh();
		now = warm(PAGE);
		request(PAGE + LINE, MONT_L2D_FP_LOAD, now); /* the L3 has it */
		for (u64 i = 1; i <= 8; i++)
			request(PAGE + LINE + i * INDEX, MONT_L2D_FP_LOAD, now += 1000);
		now += 1000;
		ok(request(PAGE + LINE, miss, now) == now + 14, "a line comes from the L3 in 14");
		now += 14 + 4 + behind;
		ok(request(PAGE, op, now) == now + 5 + 6 * !behind &&
			   reply.cancelled == (behind ? 0 : 1u << reason),
		   "what is issued %s it is written%s", behind ? "behind the cycle in which" : "as",
		   behind ? "" : " is cancelled");
	}
}

static void test_cancels(void)
{
	u64 now, i;

	conflict(MONT_L2D_FP_LOAD, MONT_L2D_FP_LOAD, MONT_CANCELLED_AT_PREEMPT);
	conflict(MONT_L2D_STORE, MONT_L2D_FP_LOAD, MONT_CANCELLED_AT_WB);
	conflict(MONT_L2D_FP_LOAD, MONT_L2D_STORE, MONT_CANCELLED_AT_FILL_ST);
	conflict(MONT_L2D_STORE, MONT_L2D_STORE, MONT_CANCELLED_AT_OZDATA);
	/* Two wait for one bank; four are issued six cycles behind them. */
	fresh();
	now = warm(PAGE);
	for (i = 0; i < 3; i++)
		request(PAGE, MONT_L2D_FP_LOAD, now);
	for (i = 0; i < 4; i++)
		ok(request(PAGE + 16 + 16 * i, MONT_L2D_FP_LOAD, now + 1) == now + 12 &&
			   !reply.cancelled,
		   "%lu wait behind one", (unsigned long)i + 1);
	request(PAGE + 96, MONT_L2D_FP_LOAD, now + 7);
	ok(CANCELLED(OVER_SUB), "a fifth of their cycle is one too many");
	/* A store that is cancelled as another line is written, and loads behind it. */
	fresh();
	now = warm(PAGE) + 100;
	h->l2d.uses.written[0] = now;
	h->l2d.uses.last = now;
	store(PAGE, now, 0);
	ok(CANCELLED(FILL_ST), "a store is cancelled");
	request(PAGE, MONT_L2D_FP_LOAD, now + 1);
	ok(reply.cancelled == MONT_CANCELLED_BIT(ST_L2A), "a load that meets it in L2A matches it");
	request(PAGE, MONT_L2D_FP_LOAD, now + 2);
	ok(reply.cancelled == MONT_CANCELLED_BIT(CANC_ST),
	   "from L2M on the cancel of the store is known");
	store(PAGE, now + 20, 0);
	request(PAGE, MONT_L2D_FP_LOAD, now + 22);
	ok(reply.cancelled == MONT_CANCELLED_BIT(ST_L2A) << 1, "that of another store is not its");
	/* A release. */
	fresh();
	now = warm(PAGE);
	mont_reply_begin(&reply);
	mont_l2d_release(h, PAGE, MONT_L2D_STORE, now, &reply);
	ok(reply.cancelled == MONT_CANCELLED_BIT(EFFRELEASE) && MET(L3_SPECULATED) &&
		   h->l2d.released == now + 11,
	   "a release that bypasses is cancelled late, and so is what the L3 has been sent");
	mont_reply_begin(&reply);
	mont_l2d_release(h, PAGE, MONT_L2D_RMW, now + 100, &reply);
	ok(reply.cancelled == MONT_CANCELLED_BIT(SEMA), "a semaphore never does");
}

static void test_requests(void)
{
	u64 now;

	fresh();
	now = warm(PAGE);
	request(PAGE, MONT_L2D_FP_LOAD, now);
	ok(MET(L3_INVALID), "a hit has its request to the L3 withdrawn");
	request(PAGE + 16, MONT_L2D_FP_LOAD, now);
	ok(!MET(L3_INVALID), "and no other of its cycle");
	request(PAGE + LINE, MONT_L2D_FP_LOAD, now + 1);
	ok(!MET(L3_INVALID) && MET(BYPASS_L3), "that of a miss is confirmed");
	request(PAGE + LINE, MONT_L2D_FP_LOAD, now + 10);
	ok(MET(L3_INVALID), "one that is suspended has it withdrawn");
	/* Of one index, in a group: a store that hits, and a miss that meets the second one's issue. */
	request(PAGE + INDEX, MONT_L2D_FP_LOAD, now + 500);
	ok(request(PAGE + 32, MONT_L2D_FP_LOAD, now + 500) == now + 505 && MET(L2D_HIT),
	   "a load trusts the tag at the index of a miss of its group");
	ok(request(PAGE, MONT_L2D_STORE, now + 500) == now + 511 && MET(RECIRC_TAG) &&
		   MET(L2D_HIT_RECIRC) && !MET(L2D_HIT),
	   "a store cannot trust the tag at the index of a miss of its group");
	request(PAGE + 2 * INDEX, MONT_L2D_FP_LOAD, now + 1000);
	request(PAGE + 3 * INDEX, MONT_L2D_FP_LOAD, now + 1000);
	request(PAGE + 5 * LINE, MONT_L2D_FP_LOAD, now + 1006);
	ok(MET(RECIRC_L3) && !MET(BYPASS_L3), "the queue's issue to the L3 goes first");
	request(PAGE + 7 * LINE, MONT_L2D_FP_LOAD, now + 2000);
	ok(MET(BYPASS_L3), "once");
	h->timing.l3_requests = 1;
	request(PAGE + 9 * LINE, MONT_L2D_FP_LOAD, now + 2001);
	ok(MET(L3_REJECTED) && !(reply.bits & MONT_REPLY_BIT(L3_INVALID)),
	   "no buffer: it is rejected");
}

static void test_victims(void)
{
	u64 now = 1000, i;

	/* Eight ways: the ninth line of an index replaces the first. */
	fresh();
	request(PAGE, MONT_L2D_STORE, now);
	for (i = 1; i < 8; i++) {
		request(PAGE + i * INDEX, MONT_L2D_FP_LOAD, now += 1000);
		ok(!MET(L3_WB_HIT), "line %lu of an index has room", (unsigned long)i + 1);
	}
	request(PAGE + 8 * INDEX, MONT_L2D_FP_LOAD, now += 1000);
	ok(MET(L3_WB_HIT) && reply.state[MONT_REPLY_LINE_WRITTEN] == MONT_LINE_E,
	   "the ninth writes the modified one back to the L3");
	request(PAGE + 9 * INDEX, MONT_L2D_FP_LOAD, now += 1000);
	ok(!MET(L3_WB_HIT) && !MET(L3_WB_MISS), "a clean one is dropped");
	request(PAGE, MONT_L2D_FP_LOAD, now += 1000);
	ok(MET(L3_DATA_HIT) && reply.state[MONT_REPLY_LINE_READ] == MONT_LINE_M,
	   "the L3 has it modified");
}

/* A miss whose victim is modified needs one of the eight write buffers (2.3.3.4). */
static void test_write_buffers(void)
{
	u64 line, now = 1000, ready, room, i;

	fresh();
	/* Nine lines of an index; the first eight are modified, all are in the L3. */
	load(8 * 0x8000, now, MONT_DATA_FP, 0);
	for (line = 0; line < 8; line++)
		store(line * 0x8000, now += 1000, 0);
	ready = load(8 * 0x8000, now += 1000, MONT_DATA_FP, 0);
	ok(MET(L3_WB_HIT), "the eighth of them replaces a modified line");
	ok(ready == now + 14, "that takes no time while a buffer is free: %lu",
	   (unsigned long)(ready - now));
	now += 1000;
	for (i = 0; i < 36; i++)
		store(0x7000000, now + i, MONT_DATA_UC);
	room = h->l3.writes.until[0];
	for (i = 1; i < 8; i++)
		room = h->l3.writes.until[i] < room ? h->l3.writes.until[i] : room;
	ok(room > now + 36 + 5, "all are in use when the miss would go to the L3");
	ready = load(0, now + 36, MONT_DATA_FP, 0);
	ok(MET(L3_WB_HIT) && ready == room + 14 - 5, "the miss goes when one is free");
}

int main(void)
{
	test_hits();
	test_misses();
	test_room();
	test_states();
	test_victims();
	test_data();
	test_cancels();
	test_requests();
	test_write_buffers();
	return done();
}
