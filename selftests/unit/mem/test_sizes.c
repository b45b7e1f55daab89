// SPDX-License-Identifier: GPL-2.0-only
/*
 * Caches, TLBs, buffers and queues of every size that a machine can be given: as many lines or
 * requests as it has places, and one more.
 */
#include "mem_test.h"

#define L1_INDEX (64ULL * 64)
#define L2D_INDEX (256ULL * 128)
#define L2I_INDEX (1024ULL * 128)
#define L3_INDEX (8192ULL * 128)

static u64 now;

static bool l1d_misses(u64 n)
{
	mont_reply_begin(&reply);
	mont_l1d_load(h, n * L1_INDEX, now += 1000, &reply);
	return MET(L1D_MISSED);
}

static bool l1i_misses(u64 n)
{
	mont_reply_begin(&reply);
	mont_l1i_fetch(h, n * L1_INDEX, now += 1000, &reply);
	return reply.fetched & MONT_FETCHED_BIT(L2I_DEMANDED);
}

static bool l2d_misses(u64 n)
{
	mont_reply_begin(&reply);
	mont_l2d_request(h, n * L2D_INDEX, MONT_L2D_FP_LOAD, now += 1000, &reply);
	return MET(L2D_MISSED);
}

static bool l2i_misses(u64 n)
{
	mont_reply_begin(&reply);
	mont_l2i_read(h, n * L2I_INDEX, MONT_L3_INSN, now += 1000, &reply);
	return reply.fetched & MONT_FETCHED_BIT(L2I_DMND_MISS);
}

static bool l3_misses(u64 n)
{
	u32 state;

	mont_reply_begin(&reply);
	mont_l3_read(h, n * L3_INDEX, MONT_L3_DATA, now += 1000, &state, &reply);
	return MET(L3_DATA_MISS);
}

static bool tlb_misses(u64 n)
{
	bool miss = !mont_l1tlb_use(&tlb, n << 12);

	if (miss)
		mont_l1tlb_insert(&tlb, h->l1d.line[0], h->timing.dtlb_entries, n << 12);
	return miss;
}

/*
 * One after the other, round and round: as many as there are places stay, one more and each
 * is replaced before it is used again. Then it is made smaller, and keeps those it can.
 */
static void cache(u32 *size, u32 most, bool (*misses)(u64 n), const char *name)
{
	u32 places, i, bad = 0;

	for (places = 1; places <= most; places++) {
		fresh();
		*size = places;
		for (i = 0; i < places; i++)
			bad += !misses(i);
		for (i = 0; i < 2 * places; i++)
			bad += misses(i % places);
		for (i = 0; i < 3 * (places + 1); i++)
			bad += !misses((i + places) % (places + 1)) && i;
		for (i = 0; i < places; i++)
			misses(i);
		*size = 1;
		mont_hierarchy_fit(h);
		mont_l1tlb_fit(&tlb, h->l1d.line[0], 1);
		misses(100);
		for (i = 0; i < places; i++)
			bad += !misses(i);
		bad += misses(places - 1);
	}
	ok(!bad, "%s: of 1 to %u places, each is used, and no other", name, most);
}

/* The first request that does not get its entry at once, of those of one cycle. */
static u32 full(u32 most, bool (*waits)(u64 n))
{
	u32 n;

	for (n = 0; n <= most; n++) {
		if (waits(n))
			break;
	}
	return n;
}

static bool ozq_waits(u64 n)
{
	mont_reply_begin(&reply);
	mont_l2d_request(h, n * 128, MONT_L2D_FP_LOAD, 1000, &reply);
	return HELD(L2BPRESS);
}

static bool fill_waits(u64 n)
{
	mont_reply_begin(&reply);
	mont_l1d_load(h, n * 64, 1000, &reply);
	return HELD(PIPE_RECIRC);
}

/* One buffer each, whose line is not full: a further one makes room first. */
static bool coalesce_waits(u64 n)
{
	mont_reply_begin(&reply);
	if (mont_coalesce_room(h, n * 128, 1000, &reply))
		return true;
	mont_coalesce_store(h, n * 128, 8, 1000, &reply);
	return false;
}

/* When the last of so many lines is there that are asked for at once. */
static u64 last_of(u32 lines, u32 l2d_fills, u32 l3_requests)
{
	u64 ready, last = 0;
	u32 i;

	fresh();
	h->timing.l2d_fills = l2d_fills;
	h->timing.l3_requests = l3_requests;
	h->timing.request = 1;
	h->timing.line = 1;
	for (i = 0; i < lines; i++) {
		mont_reply_begin(&reply);
		ready = mont_l2d_request(h, i * 128ULL, MONT_L2D_FP_LOAD, 1000, &reply);
		last = ready > last ? ready : last;
	}
	return last - 1000;
}

static void queue(u32 *size, u32 most, bool (*waits)(u64 n), const char *name)
{
	u32 places, bad = 0;

	for (places = 1; places <= most; places++) {
		fresh();
		/* Nothing else is in the way. */
		h->timing.request = 1;
		h->timing.line = 1;
		*size = places;
		bad += full(most, waits) != places;
	}
	ok(!bad, "%s: of 1 to %u places, what comes then waits", name, most);
}

int main(void)
{
	u64 memory;

	fresh();
	cache(&h->timing.l1d_ways, 4, l1d_misses, "L1D, ways");
	cache(&h->timing.l1i_ways, 4, l1i_misses, "L1I, ways");
	cache(&h->timing.l2d_ways, 8, l2d_misses, "L2D, ways");
	cache(&h->timing.l2i_ways, 8, l2i_misses, "L2I, ways");
	cache(&h->timing.l3_ways, 12, l3_misses, "L3, ways");
	cache(&h->timing.dtlb_entries, 32, tlb_misses, "L1 DTLB, entries");
	queue(&h->timing.l1d_fills, 8, fill_waits, "the L1D's fills");
	queue(&h->timing.ozq, 32, ozq_waits, "the OzQ's entries");
	queue(&h->timing.coalesce, 4, coalesce_waits, "coalescing buffers");
	memory = h->timing.memory;
	ok(last_of(8, 16, 16) < 2 * memory, "eight lines at once: no later than one and a half");
	ok(last_of(8, 2, 16) > 4 * (memory - 10) && last_of(8, 2, 16) < 5 * memory,
	   "with two fill buffers in the L2D: one pair after the other");
	ok(last_of(8, 16, 4) > 2 * (memory - 20) && last_of(8, 16, 4) < 3 * memory,
	   "with four request buffers in front of the L3: two fours");
	return done();
}
