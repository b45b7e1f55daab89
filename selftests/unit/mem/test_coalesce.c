// SPDX-License-Identifier: GPL-2.0-only
/*
 * Write coalescing buffers (manual 2.3.3.4: four, of 128 bytes).
 */
#include "mem_test.h"

#define WC (MONT_DATA_UC | MONT_DATA_WC)
#define LINE 128

static u64 flushed(u64 now)
{
	u64 n = 0;

	mont_reply_begin(&reply);
	while (mont_coalesce_flush(h, now, &reply))
		n++;
	return n;
}

/* A full buffer is evicted first. Return: the transactions of the store; @sent: of the eviction. */
static u64 coalesced(u64 pa, u64 now, u32 *sent)
{
	u64 n = 0;

	*sent = 0;
	mont_reply_begin(&reply);
	while (mont_coalesce_room(h, pa, now, &reply)) {
		*sent |= reply.sent;
		mont_reply_begin(&reply);
		n++;
	}
	store(pa, now, WC);
	return n;
}

/* A buffer goes in the pieces that have been written, as large as they lie. */
static void test_pieces(void)
{
	static const struct {
		u32 from, bytes, nr[4]; /* of 8 in the lower and the upper half, of 16 and 32 */
	} pieces[] = {
		{ 0, 8, { 1, 0, 0, 0 } },   { 8, 8, { 0, 1, 0, 0 } },	{ 0, 16, { 0, 0, 1, 0 } },
		{ 8, 16, { 1, 1, 0, 0 } },  { 32, 32, { 0, 0, 0, 1 } }, { 48, 32, { 0, 0, 2, 0 } },
		{ 0, 120, { 1, 0, 1, 3 } }, { 8, 120, { 0, 1, 1, 3 } },
	};
	u32 i, k, byte, nr[4];

	for (i = 0; i < MONT_ARRAY_SIZE(pieces); i++) {
		fresh();
		for (byte = 0; byte < pieces[i].bytes; byte += 8)
			store(0x1000 + pieces[i].from + byte, 1000 + byte, WC);
		memset(nr, 0, sizeof(nr));
		mont_reply_begin(&reply);
		while (mont_coalesce_flush(h, 2000, &reply)) {
			for (k = 0; k < 4; k++)
				nr[k] += reply.sent >> (MONT_SENT_AT_BUS_WRITE_8A + k) & 1;
			mont_reply_begin(&reply);
		}
		ok(!memcmp(nr, pieces[i].nr, sizeof(nr)), "%u bytes from %u on: %u %u %u %u",
		   pieces[i].bytes, pieces[i].from, nr[0], nr[1], nr[2], nr[3]);
	}
}

int main(void)
{
	u64 i;
	u32 sent;

	fresh();
	for (i = 0; i < 15; i++) {
		store(i * 8, 1000 + i, WC);
		if (reply.sent)
			break;
	}
	ok(i == 15, "15 stores of 8 bytes gather");
	store(15 * 8, 1100, WC);
	ok(reply.sent == MONT_SENT_BIT(BUS_WRITE_LINE_WC),
	   "the 16th fills the line, which is written");
	ok(!flushed(1200), "the buffer is free");

	for (i = 0; i < 4; i++)
		ok(!coalesced(i * LINE, 2000 + i, &sent), "line %lu has a buffer",
		   (unsigned long)i);
	ok(!coalesced(8, 2100, &sent), "the first is stored to again");
	ok(coalesced(4 * LINE, 2200, &sent) == 1 && sent == MONT_SENT_BIT(BUS_WRITE_8A),
	   "a fifth line: one makes room, in part");
	ok(coalesced(LINE, 2300, &sent) == 1 && sent == MONT_SENT_BIT(BUS_WRITE_8A),
	   "it was the second");
	ok(!coalesced(16, 2400, &sent), "the first is still there");
	ok(flushed(2500) == 5, "a flush writes all four, the first as 16 bytes and 8");
	store(0, 3000, MONT_DATA_UC);
	ok(reply.sent == MONT_SENT_BIT(BUS_WRITE_8A) && !flushed(3100),
	   "a store that is not to be coalesced goes at once");
	test_pieces();
	return done();
}
