// SPDX-License-Identifier: GPL-2.0-only
/*
 * Damaged states, for machines with time: RESTORE refuses them or the
 * machine runs with them, is saved, and gives its registers; each in a bounded time.
 *
 *	BLOBS=N		that many (500; a night's test has 10 000)
 *	SEED=N		others
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common.h"

static uint64_t rng;

static uint64_t below(uint64_t n)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (rng >> 11) % n;
}

static uint64_t odd(uint64_t was)
{
	switch (below(7)) {
	case 0:
		return 0;
	case 1:
		return ~0ULL - below(4);
	case 2:
		return 1ULL << below(64);
	case 3:
		return was + 1 - 2 * below(2);
	case 4:
		return was << 32 | was >> 32;
	case 5:
		return below(1024);
	default:
		return was ^ 1ULL << below(64);
	}
}

/* Make a state worth damaging: of a machine that has run with everything in use. */
static int made(struct montecito_state *s)
{
	int m = timed_machine(0), v = vcpu(m, 0);

	set(v, MONTECITO_REG_PMC, 4, PMC_ES(EVENT_INST_RETIRED) | PMC_PLM_ALL | PMC_OI);
	set(v, MONTECITO_REG_PMD, 4, PMD_OVERFLOW - 1500);
	set(v, MONTECITO_REG_PMC, 0, 0);
	start(v, GUEST_SPIN);
	run(m, 1000, 0, NULL);
	*s = (struct montecito_state){ .size = sizeof(*s) };
	if (call(m, MONTECITO_SAVE, s))
		bail("length");
	s->data = (uintptr_t)malloc(s->length);
	if (call(m, MONTECITO_SAVE, s))
		bail("save");
	close(v);
	return m;
}

/* The machine works with the state that it took; what its guest then does is its own. */
static unsigned int use(int m, struct montecito_state *s)
{
	struct montecito_reg reg[64];
	struct montecito_regs r = { .size = sizeof(r), .count = 64, .regs = (uintptr_t)reg };
	int v = vcpu(m, 0), i;
	unsigned int bad = 0;

	bad += run(m, 200, 20000, NULL) != 0;
	for (i = 0; i < 64; i++)
		reg[i] = (struct montecito_reg){ .cls = MONTECITO_REG_PMD, .index = i };
	bad += call(v, MONTECITO_GET_REGS, &r) != 0;
	/* The machine takes back the state that it saves. */
	bad += call(m, MONTECITO_SAVE, s) != 0;
	bad += call(m, MONTECITO_RESTORE, s) != 0;
	close(v);
	return bad;
}

int main(void)
{
	uint64_t total = number_of("BLOBS", 500), seed = number_of("SEED", 1), i, j;
	unsigned int taken = 0, refused = 0, bad = 0;
	double limit = patience(), slowest = 0, t;
	struct montecito_state good, mine;
	uint64_t *word, head;
	int m = made(&good);

	rng = seed * 0x9e3779b97f4a7c15ULL | 1;
	mine = good;
	word = malloc(good.length);
	mine.data = (uintptr_t)word;
	head = (good.length - MEMORY) / 8;
	diag("BLOBS=%llu SEED=%llu, %llu words of state", (unsigned long long)total,
	     (unsigned long long)seed, (unsigned long long)head);
	for (i = 0; i < total; i++) {
		long ret;

		memcpy(word, (void *)(uintptr_t)good.data, good.length);
		for (j = 1 + below(4); j; j--) {
			uint64_t at = below(head);

			word[at] = odd(word[at]);
		}
		t = now();
		ret = call(m, MONTECITO_RESTORE, &mine);
		if (!ret)
			bad += use(m, &mine);
		t = now() - t;
		slowest = t > slowest ? t : slowest;
		taken += !ret;
		refused += ret == -EINVAL;
		bad += ret && ret != -EINVAL;
	}
	ok(taken && refused, "%u states were taken and %u refused", taken, refused);
	eq(bad, 0, "the machine works with each");
	ok(slowest < limit, "the slowest in %.0f ms", slowest * 1000);
	is(call(m, MONTECITO_RESTORE, &good), 0, "then the whole one is taken");
	is(run(m, 1000, 0, NULL), 0, "and runs");
	close(m);
	return done();
}
