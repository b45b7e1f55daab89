// SPDX-License-Identifier: GPL-2.0-only
/*
 * L1D and L1 DTLB (manual 4.8.2, 4.10, tables 2-8 and 2-9): what is served, what
 * goes on to the L2D, and what holds up the pipe.
 */
#include "mem_test.h"

#define PAGE 0x100000
#define LINE 64

/* The line and the page of @pa are in every cache and TLB, and nothing is on its way. */
static u64 warm(u64 pa)
{
	load(pa, 1000, 0, 0);
	load(pa, 2000, 0, 0);
	return 3000;
}

static void test_levels(void)
{
	u64 now;

	fresh();
	now = warm(PAGE);
	ok(load(PAGE, now, 0, 0) == now + 1 && !reply.bits && !reply.holds,
	   "a hit is there after 1");
	ok(load(PAGE, now, MONT_DATA_FP, 0) == now + 5 && MET(L2D_FP_LOAD) && !MET(L1D_MISSED),
	   "a floating-point load bypasses the L1D: 5 from the L2D");
	/* 16 KB of four ways: four other lines of its set push it out. */
	for (now = 4000; now < 8000; now += 1000)
		load(PAGE + now / 1000 * 4096, now, 0, 0);
	ok(load(PAGE, 9000, 0, 0) == 9005 && MET(L1D_MISSED) && MET(L2D_HIT) && MET(BYPASS_DATA1),
	   "what four lines of its set have replaced is there after 5");
	store(PAGE + 0x40000, 10000, 0);
	ok(MET(L2D_WRITTEN) && MET(L2D_STORE) && MET(L3_STORE_MISS) && SENT(BUS_READ_OWN),
	   "a store is written through, and reads its line to own it");
	load(PAGE + 0x40000, 11000, 0, 0);
	ok(MET(L1D_MISSED) && MET(L2D_HIT), "it has put nothing into the L1D");
}

static void test_tlb(void)
{
	u64 now, page, at;

	fresh();
	now = warm(PAGE);
	/* 32 entries of 4 KB (published). The lines of the pages lie in different sets. */
	for (page = 1; page <= 31; page++)
		load(PAGE + page * (4096 + LINE), now += 1000, 0, 0);
	load(PAGE, now += 1000, 0, 0);
	ok(!MET(L1DTLB_TRANSFERRED), "32 pages fit");
	for (page = 32; page <= 63; page++)
		load(PAGE + page * (4096 + LINE), now += 1000, 0, 0);
	at = load(PAGE, now += 1000, 0, 0);
	ok(MET(L1DTLB_TRANSFERRED) && HELD(TLB) && reply.until[MONT_HOLD_TLB] == now + 1 + 4,
	   "a page that 32 have replaced holds up the pipe for 4");
	ok(at == now + 4 + 5 && MET(L1D_MISSED), "and the load goes to the L2D: 4 + 5");
	load(PAGE + 32 * (4096 + LINE), now += 1000, MONT_DATA_FP, 0);
	load(PAGE, now += 1000, MONT_DATA_FP, 0);
	for (page = 1; page <= 31; page++)
		load(PAGE + page * (4096 + LINE), now += 1000, 0, 0);
	load(PAGE + 40 * (4096 + LINE), now += 1000, MONT_DATA_FP, 0);
	ok(!MET(L1DTLB_TRANSFERRED) && !reply.holds, "floating-point goes by the L2 DTLB alone");
	/* Two transfers of one group come one after the other. */
	fresh();
	now = warm(PAGE);
	load(PAGE + 8192, now, 0, 0);
	load(PAGE + 16384, now, 0, 0);
	ok(reply.until[MONT_HOLD_TLB] == now + 1 + 8, "two transfers of a group take 8");
}

static void test_stores_ahead(void)
{
	u64 now, distance;

	for (distance = 0; distance <= 3; distance++) {
		fresh();
		now = warm(PAGE);
		store(PAGE, now, 0);
		ok(load(PAGE, now + distance, 0, 0) == now + 17 && MET(L1D_MISSED),
		   "a load of the bytes stored %lu ahead has them 17 behind the store",
		   (unsigned long)distance);
		ok(reply.cancelled & MONT_CANCELLED_BIT(ST_L2A) << (distance ? distance - 1 : 0),
		   "and is cancelled once by the stage the store is in");
	}
	fresh();
	now = warm(PAGE);
	store(PAGE, now, 0);
	ok(load(PAGE, now + 4, 0, 0) == now + 5 && !reply.bits,
	   "after 3 cycles the store has reached the L1D");
	store(PAGE, now + 100, 0);
	ok(load(PAGE + 8, now + 101, 0, 0) == now + 102, "other bytes of the line are there");
	store(PAGE, now + 200, 0);
	load(PAGE, now + 204, MONT_DATA_FP, 0);
	ok(CANCELLED(ST_L2C), "four ahead, the L2D still meets it");
	store(PAGE, now + 300, 0);
	load(PAGE, now + 305, MONT_DATA_FP, 0);
	ok(MET(BYPASS_DATA1), "five ahead it is written");
}

static void test_store_buffer(void)
{
	u64 now, ready, i;

	/* One word, two stores a cycle: number i is written in cycle 3 + i. */
	fresh();
	now = warm(PAGE);
	for (i = 0; i <= 10; i++) {
		store(PAGE, now + i / 2, 0);
		ok(!HELD(FULLSTBUF), "store %lu has one of eight places", (unsigned long)i);
	}
	store(PAGE, now + 5, 0);
	ok(HELD(FULLSTBUF) && reply.until[MONT_HOLD_FULLSTBUF] == now + 3 + 3 + 1,
	   "the twelfth waits until the fourth is written");
	load(PAGE, now + 14, 0, 0);
	ok(MET(L1D_MISSED), "a load meets it until it is written itself");
	load(PAGE, now + 15, 0, 0);
	ok(!MET(L1D_MISSED), "and no longer");
	fresh();
	now = warm(PAGE);
	for (i = 0; i < 32; i++) {
		store(PAGE + 8 * (i & 1), now + i / 2, 0);
		ok(!HELD(FULLSTBUF), "words side by side are written together");
	}
	fresh();
	now = warm(PAGE);
	ready = load(PAGE + 2 * LINE, now, 0, 0);
	store(PAGE, ready - 3, 0);
	ok(HELD(STBUFRECIR) && reply.until[MONT_HOLD_STBUFRECIR] == ready - 3 + 2,
	   "a store whose write a line of another cancels recirculates");
	ready = load(PAGE + 4 * LINE, now + 1000, 0, 0);
	store(PAGE, ready - 2, 0);
	ok(!reply.holds, "a cycle behind it does not");
}

static void test_fills(void)
{
	u64 now, ready, i;

	/* Table 2-9: eight fills. All in one page, so that no transfer comes between. */
	fresh();
	now = warm(PAGE);
	for (i = 1; i <= 8; i++) {
		ready = load(PAGE + i * 2 * LINE, now, 0, 0);
		ok(!reply.holds, "miss %lu waits for nothing", (unsigned long)i);
	}
	ready = h->l1d.fills.until[0];
	for (i = 1; i < 8; i++)
		ready = h->l1d.fills.until[i] < ready ? h->l1d.fills.until[i] : ready;
	load(PAGE + 9 * 2 * LINE, now, 0, 0);
	ok(HELD(PIPE_RECIRC) && reply.until[MONT_HOLD_PIPE_RECIRC] == ready + 1,
	   "the ninth recirculates until the first fill");
	ok(reply.at[MONT_REPLY_IN_L2D] == ready, "and asks the L2D then");

	fresh();
	now = warm(PAGE);
	ready = load(PAGE + 2 * LINE, now, 0, 0);
	store(PAGE + 2 * LINE, ready - 3, 0);
	ok(HELD(FILLCONF) && reply.until[MONT_HOLD_FILLCONF] == ready - 3 + 2,
	   "a store that would write a line as it is filled waits a cycle");
	ready = load(PAGE + 4 * LINE, now + 1000, 0, 0);
	store(PAGE + 4 * LINE, ready - 4, 0);
	ok(!reply.holds, "a cycle earlier it does not");
	store(PAGE, ready + 1000, 0);
	ok(!reply.holds, "nor where nothing is filled");
}

/* A store to @pa that releases, in cycle @now. */
static void store_release(u64 pa, u64 now)
{
	struct mont_ref ref = { .va = pa, .pa = pa, .size = 1 };

	mont_reply_begin(&reply);
	mont_pipeline_store(h, &ref, MONT_REF_REL, now, &reply);
}

static void test_order(void)
{
	u64 now, ready;

	fresh();
	now = warm(PAGE);
	load(PAGE + 4096, now, 0, 0);
	now += 1000;
	ready = load(PAGE + 4096 + 2 * LINE, now, 0, MONT_REF_ACQ);
	ok(load(PAGE, now + 1, 0, 0) == ready + 1 && HELD(LDCONF) &&
		   reply.until[MONT_HOLD_LDCONF] == ready + 1,
	   "a load behind an acquire waits for its data");
	now += 1000;
	ready = load(PAGE + 4096 + 4 * LINE, now, 0, 0);
	ok(load(PAGE, now + 1, 0, 0) == now + 2 && !reply.holds, "behind a plain load it does not");
	now += 1000;
	ready = load(PAGE + 4096 + 6 * LINE, now, 0, MONT_REF_ACQ);
	load(PAGE, now + 1, MONT_DATA_FP, 0);
	ok(CANCELLED(ACQ), "what enters the OzQ behind it is cancelled");
	now += 1000;
	load(PAGE, now, 0, MONT_REF_ACQ);
	ok(load(PAGE, now + 1, 0, 0) == now + 2, "an acquire that hits the L1D is done");
	now += 1000;
	load(PAGE, now, 0, MONT_REF_ACQ);
	store_release(PAGE + 512, now);
	ok(!CANCELLED(SIBLING), "M5: and no sibling of a release in its group");
	now += 1000;
	load(PAGE + 4096 + 8 * LINE, now, 0, MONT_REF_ACQ);
	store_release(PAGE + 512, now);
	ok(CANCELLED(SIBLING), "M5: one that goes to the L2D is");
}

static void test_unat(void)
{
	u64 now;

	fresh();
	now = warm(PAGE);
	store(PAGE + 8, now, MONT_DATA_FILL);
	load(PAGE + 512 + 8, now + 2, MONT_DATA_FILL, 0);
	ok(HELD(NATCONF) && reply.until[MONT_HOLD_NATCONF] == now + 5 + 1,
	   "ld8.fill waits until the spill of its bit has written AR.UNAT, 5 cycles");
	store(PAGE + 8, now + 100, MONT_DATA_FILL);
	load(PAGE + 16, now + 102, MONT_DATA_FILL, 0);
	ok(!HELD(NATCONF), "another bit is free");
	load(PAGE + 8 + 512, now + 105, MONT_DATA_FILL, 0);
	ok(!HELD(NATCONF), "and this one 5 cycles behind the spill");
}

static void prefetch(u64 pa, u64 now, u32 order)
{
	struct mont_ref ref = { .va = pa, .pa = pa, .size = 1 };

	mont_reply_begin(&reply);
	mont_pipeline_prefetch(h, &tlb, &ref, order, now, &reply);
}

/* SDM volume 1, 4.4.6: a line goes to the level that the hint says. */
static void test_prefetch(void)
{
	u64 now, line;
	u32 hint;

	for (hint = 0; hint <= MONT_REF_HINT; hint++) {
		fresh();
		now = warm(PAGE);
		line = PAGE + 2 * LINE;
		prefetch(line, now, hint);
		ok(MET(L2D_LFETCH) && MET(L2D_MISSED) && !MET(L1D_MISSED),
		   "lfetch, hint %u, goes to the L2D", hint);
		ok(load(line, now + 1, 0, 0) > now + 2 && MET(L1D_MISSED) && MET(RECIRC_L1W),
		   "a load behind it waits for the line");
		fresh();
		now = warm(PAGE);
		prefetch(line, now, hint);
		ok(load(line, now + 1000, 0, 0) == now + 1000 + (hint ? 5 : 1) &&
			   MET(L1D_MISSED) == !!hint,
		   "a later one finds it in the %s", hint ? "L2D" : "L1D");
		prefetch(line, now + 2000, hint);
		ok(hint ? MET(L2D_LFETCH) && MET(L2D_HIT) : !reply.bits,
		   "another lfetch asks the L2D%s", hint ? "" : " no more");
		prefetch(line, now + 3000, hint | MONT_REF_EXCL);
		ok(MET(L2D_LFETCH), "lfetch.excl does");
	}
	fresh();
	now = warm(PAGE);
	prefetch(PAGE + 2 * LINE, now, MONT_REF_EXCL);
	ok(SENT(BUS_READ_OWN) && load(PAGE + 2 * LINE, now + 1000, 0, 0) == now + 1001,
	   "lfetch.excl without a hint fills the L1D");
	/* Prevalidation: the L1D answers by way of its TLB, and it is asked for no entry. */
	prefetch(PAGE + 4096, now + 2000, 0);
	ok(MET(L2D_LFETCH) && !MET(L1DTLB_TRANSFERRED), "a page that the L1 DTLB has not");
	load(PAGE + 4096 + 128, now + 3000, 0, 0);
	load(PAGE + 4096, now + 4000, 0, 0);
	ok(MET(L1D_MISSED) && MET(L2D_HIT), "goes no further than the L2D");
	fresh();
	now = warm(PAGE);
	for (line = 1; line <= 8; line++)
		prefetch(PAGE + line * 2 * LINE, now, 0);
	prefetch(PAGE + LINE, now, 0);
	ok(MET(L2D_LFETCH) && !reply.holds, "a ninth line, with eight on their way");
	load(PAGE + LINE, now + 1000, 0, 0);
	ok(MET(L1D_MISSED), "is not in the L1D");
	load(PAGE + 8 * 2 * LINE, now + 1000, 0, 0);
	ok(!reply.bits, "as the eighth is");
}

/* 4.10: the walker reads the table by way of the L2D, and takes as long as it takes besides. */
static void test_walk(void)
{
	u64 now = 1000, done;

	fresh();
	mont_pipeline_walk(h, PAGE, now, &reply);
	now += 2000;
	reply = (struct mont_reply){ 0 };
	done = mont_pipeline_walk(h, PAGE, now, &reply);
	ok(MET(L2D_HIT) && done == now + 5 + 14, "a walk of a line of the L2D takes 5 and 14");
	ok(HELD(HPW) && reply.until[MONT_HOLD_HPW] == done + 1, "and holds up the pipe for both");
}

int main(void)
{
	test_walk();
	test_levels();
	test_tlb();
	test_stores_ahead();
	test_store_buffer();
	test_fills();
	test_order();
	test_unat();
	test_prefetch();
	return done();
}
