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

	mont_met_begin(&met);
	while (mont_coalesce_flush(h, now, &met))
		n++;
	return n;
}

int main(void)
{
	u64 i;

	fresh();
	for (i = 0; i < 15; i++) {
		store(i * 8, 1000 + i, WC);
		if (met.bits)
			break;
	}
	ok(i == 15, "15 stores of 8 bytes gather");
	store(15 * 8, 1100, WC);
	ok(met.bits == BIT_OF(BUS_WRITE_LINE_WC), "the 16th fills the line, which is written");
	ok(!flushed(1200), "the buffer is free");

	for (i = 0; i < 4; i++) {
		store(i * LINE, 2000 + i, WC);
		ok(!met.bits, "line %lu has a buffer", (unsigned long)i);
	}
	store(8, 2100, WC);
	ok(!met.bits, "the first is stored to again");
	store(4 * LINE, 2200, WC);
	ok(met.bits == BIT_OF(BUS_WRITE_PARTIAL), "a fifth line: one makes room, in part");
	store(LINE, 2300, WC);
	ok(met.bits == BIT_OF(BUS_WRITE_PARTIAL), "it was the second");
	store(16, 2400, WC);
	ok(!met.bits, "the first is still there");
	ok(flushed(2500) == 4 && met.bits == BIT_OF(BUS_WRITE_PARTIAL), "a flush writes all four");
	store(0, 3000, MONT_DATA_UC);
	ok(met.bits == BIT_OF(BUS_WRITE_PARTIAL) && !flushed(3100),
	   "a store that is not to be coalesced goes at once");
	return done();
}
