// SPDX-License-Identifier: GPL-2.0-only
/*
 * The caches, by pointer chases. What a load takes follows from the size of what
 * is chased through and from tables 2-8 and 2-9 of the manual alone.
 */
#include "mem_test.h"

/* Most and mean cycles of a load that waits for the one before, @bytes over and over. */
static void chase(u64 bytes, u64 stride, int fp, u64 *mean, u64 *most)
{
	u64 now = 100, begin = 0, pa, n = bytes / stride, i;

	fresh();
	*most = 0;
	for (i = 0; i < 4 * n; i++) {
		u64 ready;

		if (i == 3 * n)
			begin = now;
		pa = i * stride % bytes;
		mont_reply_begin(&reply);
		ready = fp ? mont_l2d_request(h, pa, MONT_L2D_FP_LOAD, now, &reply)
			   : mont_l1d_load(h, pa, now, &reply);
		if (i >= 3 * n && ready - now > *most)
			*most = ready - now;
		now = ready;
	}
	*mean = (now - begin) / n;
}

static void test_latency(void)
{
	static const struct {
		u64 bytes;
		u64 stride;
		int fp;
		u64 cycles;
	} steps[] = {
		{ 4 << 10, 64, 0, 1 },	   { 16 << 10, 64, 0, 1 },    { 32 << 10, 64, 0, 5 },
		{ 256 << 10, 128, 0, 5 },  { 512 << 10, 128, 0, 14 }, { 12 << 20, 128, 0, 14 },
		{ 24 << 20, 128, 0, 200 }, { 4 << 10, 64, 1, 5 },     { 256 << 10, 128, 1, 5 },
		{ 512 << 10, 128, 1, 14 }, { 24 << 20, 128, 1, 200 },
	};
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(steps); i++) {
		u64 mean, most;

		chase(steps[i].bytes, steps[i].stride, steps[i].fp, &mean, &most);
		ok(mean == steps[i].cycles && most == steps[i].cycles,
		   "%s chase of %lu KB: %lu cycles, %lu expected",
		   steps[i].fp ? "floating-point" : "integer", (unsigned long)steps[i].bytes >> 10,
		   (unsigned long)mean, (unsigned long)steps[i].cycles);
	}
}

int main(void)
{
	test_latency();
	return done();
}
