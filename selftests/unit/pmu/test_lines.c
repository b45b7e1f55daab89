// SPDX-License-Identifier: GPL-2.0-only
/*
 * PMC.mesi (manual 3.3.2, identities.md 1): of events that it affects a counter takes the
 * occurrences whose line was in one of its states; the four states together are all.
 */
#include "pmu_test.h"
#include "cache/lines.h"
#include "pmu/registers.h"

#define L3_READS_DATA_ALL PMC(0xdd, 0xb, PLM_ALL)
#define L3_REFERENCES PMC(0xdb, 0, PLM_ALL)
#define MESI(states) ((u64)(states) << 27)

static struct mont_ref ref = { .va = 0x1000, .pa = 0x1000, .size = 8 };

static void raise(struct mont_thread *t, u64 seed)
{
	static const u16 signals[] = { MONT_SIG_L3_DATA_HIT, MONT_SIG_L3_DATA_MISS };

	mont_signal_line(t, signals[seed & 1], &ref, seed >> 1 & 3);
}

static void states(void)
{
	struct mont_thread *t = new_thread(1);
	u64 want[4] = { 0 }, masks[6] = { 1, 2, 4, 8, 0xf, 0x5 };
	unsigned int i, k;

	t->pmu.timed = true;
	for (i = 0; i < 6; i++)
		mont_pmc_write(t, 4 + i, L3_READS_DATA_ALL | MESI(masks[i]));
	t->s.psr |= MONT_PSR_UP;
	mont_signals_arm(t);
	for (i = 0; i < 1000; i++) {
		u64 seed = rnd();

		raise(t, seed);
		want[seed >> 1 & 3]++;
	}
	for (i = 0; i < 6; i++) {
		u64 sum = 0, have = mont_pmd_read(t, 4 + i, 0);

		for (k = 0; k < 4; k++)
			sum += masks[i] >> k & 1 ? want[k] : 0;
		check(have == sum && sum, "states %lx: %lu, not %lu", (unsigned long)masks[i],
		      (unsigned long)have, (unsigned long)sum);
	}
	group("a counter takes the states of its mask, all of them together everything");
}

static void others(void)
{
	struct mont_thread *t = new_thread(1);
	unsigned int i;

	t->pmu.timed = true;
	mont_pmc_write(t, 4, L3_READS_DATA_ALL | MESI(0));
	mont_pmc_write(t, 5, L3_REFERENCES | MESI(0));
	t->s.psr |= MONT_PSR_UP;
	mont_signals_arm(t);
	for (i = 0; i < 100; i++)
		raise(t, i);
	check(mont_pmd_read(t, 4, 0) == 0, "no state");
	check(mont_pmd_read(t, 5, 0) == 100, "an event that has no such filter takes all");
	group("without a state nothing is counted, but of events without that filter");
}

int main(void)
{
	states();
	others();
	return tap_end();
}
