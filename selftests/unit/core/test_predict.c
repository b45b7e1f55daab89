// SPDX-License-Identifier: GPL-2.0-only
/*
 * Branch prediction and the instruction buffer. Sequences of outcomes whose
 * mispredictions and bubbles follow from what the predictor is said to know of a
 * branch: its target, its last four outcomes, its hint, the loop registers, the
 * return stack.
 */
#include <stdio.h>
#include <string.h>

#include "pipeline/buffer.h"
#include "pipeline/predict.h"

static unsigned int nr, bad;

static void ok(int good, const char *what)
{
	printf("%sok %u - %s\n", good ? "" : "not ", ++nr, what);
	bad += !good;
}

static struct mont_predictor p;
static struct mont_returns returns;
/* Costs that differ, so that each tells what it was. */
static const struct mont_timing timing = { .taken = 1,
					   .l2b = 2,
					   .returns = 3,
					   .indirect = 4,
					   .loop_end = 5 };

static bool wrong(const struct mont_branch_at *b, bool taken, u64 target)
{
	struct mont_prediction guess;
	bool right;

	mont_predict(&p, &returns, &timing, b, &guess);
	right = guess.taken == taken && (!taken || guess.target == target);
	mont_predict_learn(&p, &returns, b, taken, target);
	if (b->kind == MONT_KIND_CALL)
		mont_predict_call(&returns, b->ip + 16, b->ip);
	return !right;
}

/* Cost of the prediction of @b: its bubbles, and 10 times the cause; -1: no resteer. */
static int cost(const struct mont_branch_at *b)
{
	struct mont_prediction guess;

	mont_predict(&p, &returns, &timing, b, &guess);
	return guess.resteers ? (int)guess.bubbles + 10 * (guess.why - MONT_FRONT_BUBBLE) : -1;
}

/* Mispredictions among the last 1000 of 2000 outcomes that repeat @pattern, of @period. */
static unsigned int repeat(u32 pattern, unsigned int period, u8 hint)
{
	struct mont_branch_at b = {
		.ip = 0x4000, .target = 0x4100, .slot = 2, .kind = MONT_KIND_IPREL, .hint = hint
	};
	unsigned int i, n = 0;

	memset(&p, 0, sizeof(p));
	for (i = 0; i < 2000; i++)
		n += wrong(&b, pattern >> i % period & 1, 0x4100) && i >= 1000;
	return n;
}

/* True if a branch that has not been seen before is predicted taken. */
static bool first(u8 hint)
{
	struct mont_branch_at b = { .ip = 0x4000, .slot = 2, .kind = MONT_KIND_IPREL, .hint = hint };

	memset(&p, 0, sizeof(p));
	return !wrong(&b, true, 0);
}

static void test_direction(void)
{
	ok(repeat(1, 1, MONT_WH_DPTK) == 0, "always taken: learnt");
	ok(repeat(0, 1, MONT_WH_DPTK) == 0, "never taken: learnt");
	ok(repeat(0x1, 2, MONT_WH_DPTK) == 0, "every other time: four outcomes tell");
	ok(repeat(0xf, 5, MONT_WH_DPTK) == 0, "four times of five: four outcomes tell");
	ok(repeat(0x1f, 6, MONT_WH_DPTK) == 1000 / 6 + 1 ||
		   repeat(0x1f, 6, MONT_WH_DPTK) == 1000 / 6,
	   "five times of six: after four taken either may come; the rarer is missed");
	ok(first(MONT_WH_DPTK) && !first(MONT_WH_DPNT), "one that is not known goes by its hint");
	ok(repeat(0x1, 2, MONT_WH_SPTK) == 500, "a static hint is not unlearnt: taken");
	ok(repeat(0x1, 2, MONT_WH_SPNT) == 500, "a static hint is not unlearnt: not taken");
}

static void test_loops(void)
{
	struct mont_branch_at b = {
		.ip = 0x4000, .target = 0x3f00, .slot = 2, .kind = MONT_KIND_LOOP
	};
	unsigned int lc, trip, n = 0;

	memset(&p, 0, sizeof(p));
	for (trip = 0; trip < 40; trip++) {
		for (lc = trip % 7;; lc--) {
			b.loop_taken = lc;
			n += wrong(&b, lc, 0x3f00);
			if (!lc)
				break;
		}
	}
	ok(!n, "loops of every trip count: their ends are known");
	ok(cost(&b) == 10 * (MONT_FRONT_PLP - MONT_FRONT_BUBBLE) + 5,
	   "... and cost what the loop predictor takes");
	b.loop_taken = true;
	ok(!cost(&b), "going round costs nothing");
	memset(&p, 0, sizeof(p));
	ok(cost(&b) == 1, "but the first time");
	b.loop_taken = false;
	ok(cost(&b) == -1, "a loop that ends at once has not been followed");
	b.stale = true;
	b.hint = MONT_WH_SPTK;
	ok(wrong(&b, false, 0), "AR.LC written too late: the hint goes");
}

/* @depth calls inside each other, then as many returns. */
static unsigned int calls(unsigned int depth)
{
	struct mont_branch_at call = { .slot = 2, .kind = MONT_KIND_CALL, .always = true };
	struct mont_branch_at ret = {
		.ip = 0x9000, .slot = 2, .kind = MONT_KIND_RETURN, .always = true
	};
	unsigned int i, n = 0;

	memset(&p, 0, sizeof(p));
	for (i = 0; i < depth; i++) {
		call.ip = 0x4000 + 64 * i;
		call.target = 0x8000;
		n += wrong(&call, true, 0x8000);
	}
	for (i = depth; i--;)
		n += wrong(&ret, true, 0x4000 + 64 * i + 16);
	return n;
}

static void test_returns(void)
{
	ok(!calls(1) && !calls(8), "eight calls deep every return is known");
	ok(calls(12) == 4, "twelve deep the outer four are lost");
	calls(8);
	ok(cost(&(struct mont_branch_at){ .kind = MONT_KIND_RETURN, .always = true }) == 3,
	   "the return stack costs what it takes");
	calls(0);
	wrong(&(struct mont_branch_at){ .ip = 0x4000, .kind = MONT_KIND_CALL, .always = true },
	      true, 0);
	ok(mont_predict_pfs(&returns) == 0x4000, "AR.PFS is kept with the return address");
}

static void test_indirect(void)
{
	struct mont_branch_at b = {
		.ip = 0x4000, .slot = 1, .kind = MONT_KIND_INDIRECT, .always = true
	};
	unsigned int n;

	memset(&p, 0, sizeof(p));
	b.target = 0x5000;
	ok(cost(&b) == 10 * (MONT_FRONT_BR_ILOCK - MONT_FRONT_BUBBLE) + 4,
	   "reading a branch register takes its time");
	ok(!wrong(&b, true, 0x5000), "a branch register written long ago tells the target");
	b.stale = true;
	b.target = 0x6000;
	n = wrong(&b, true, 0x6000);
	ok(n == 1, "written too late, the target is where it went last");
	ok(!wrong(&b, true, 0x6000), "... which may be right");
}

static void test_targets(void)
{
	struct mont_branch_at b = { .ip = 0x4000,
				    .target = 0x5000,
				    .slot = 1,
				    .kind = MONT_KIND_IPREL,
				    .always = true },
			      other = b, same = b;

	memset(&p, 0, sizeof(p));
	ok(cost(&b) == 1, "a branch that no cache has costs what its target takes");
	wrong(&b, true, 0x5000);
	ok(!cost(&b), "one that the L1 branch cache has costs nothing");
	other.ip += 16 * MONT_NR_L1B;
	wrong(&other, true, 0x5000);
	ok(cost(&b) == 1, "until another takes its place");
	same.slot = 2;
	wrong(&b, true, 0x5000);
	wrong(&same, true, 0x5000);
	ok(cost(&b) == 1, "as the other one of its bundle does");
	b.always = false;
	b.hint = MONT_WH_DPTK;
	wrong(&b, true, 0x5000);
	wrong(&other, true, 0x5000);
	ok(cost(&b) == 2, "the L2 branch cache may still know its path");
}

/* When a bundle that the L1I has is ready. */
static u64 ready(struct mont_buffer *b, u64 ip)
{
	u64 at;

	return mont_buffer_has(b, ip, &at)
		       ? at
		       : mont_buffer_fetch(b, ip, b->next_fetch, b->next_fetch, b->next_fetch);
}

static void test_buffer(void)
{
	struct mont_buffer b = {};
	u64 now = 50, i;

	mont_buffer_flush(&b, now, now);
	ok(ready(&b, 0x1000) == 50 && ready(&b, 0x1010) == 50, "a pair comes in one cycle");
	ok(ready(&b, 0x1020) == 51, "the next one in the next");
	ok(ready(&b, 0x1010) == 50 && ready(&b, 0x1020) == 51,
	   "back to the rest of the first one, which is still there");
	mont_buffer_redirect(&b, 1, MONT_FRONT_BUBBLE);
	ok(ready(&b, 0x2010) == 53, "a taken branch with a bubble");
	ok(ready(&b, 0x2020) == 54, "its target alone in its pair comes alone");
	/* The back end stands from 60 to 160: four pairs are ready then, not fifty. */
	memset(&b, 0, sizeof(b));
	mont_buffer_flush(&b, 60, 60);
	for (i = 0; i < 8; i++) {
		ready(&b, 0x1000 + 16 * i);
		mont_buffer_leave(&b, 160 + i / 2);
	}
	ok(ready(&b, 0x1080) == 160, "eight bundles ahead the buffer is full");
	/* The branch retirement queue, of three. */
	memset(&b, 0, sizeof(b));
	mont_buffer_flush(&b, 60, 60);
	for (i = 0; i < 3; i++)
		mont_buffer_branch(&b, 3, 70 + i);
	mont_buffer_wait(&b);
	ok(ready(&b, 0x1000) == 70, "nothing is fetched until one of three branches has left");
	ok(b.gap[(b.ahead + 1) % 3].until[MONT_FRONT_BR_ILOCK] == 60 &&
		   b.gap[(b.ahead + 1) % 3].until[MONT_FRONT_BRQ] == 70,
	   "for that cause alone");
	mont_buffer_branch(&b, 3, 90);
	mont_buffer_wait(&b);
	ok(ready(&b, 0x1020) == 71, "a fourth has the place of the first");
	mont_buffer_branch(&b, 3, 91);
	mont_buffer_branch(&b, 3, 92);
	mont_buffer_wait(&b);
	ok(ready(&b, 0x1040) == 90, "and the next pair waits for it");
}

int main(void)
{
	test_direction();
	test_loops();
	test_returns();
	test_indirect();
	test_targets();
	test_buffer();
	printf("1..%u\n", nr);
	return bad != 0;
}
