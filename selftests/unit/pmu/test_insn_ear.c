// SPDX-License-Identifier: GPL-2.0-only
/*
 * The instruction event address register (manual 3.3.8): thresholds, what it captures,
 * what PMC37 and ranges let through.
 */
#include "pmu_test.h"
#include "pmu/registers.h"

#define CODE 0x43
#define CACHE(umask) (2ULL << 12 | (u64)(umask) << 5)
#define TLB(umask) ((u64)(umask) << 5)
#define PM37 MONT_BIT(4)

/* A guest's thread with PMC37 and PMC4 set up. */
static struct mont_thread *guest(u64 pmc37, u64 rest)
{
	struct mont_thread *t = new_thread(1);

	t->pmu.timed = true;
	t->clock = 1000;
	mont_pmc_write(t, 4, PMC(CODE, 0, PLM_ALL | rest));
	mont_pmc_write(t, 37, pmc37);
	t->s.psr |= MONT_PSR_UP;
	mont_signals_arm(t);
	return t;
}

static void fetch(struct mont_thread *t, enum mont_signal sig, u64 attr, u32 kind)
{
	struct mont_ref ref = { .va = 0x20028, .pa = MONT_PA_NONE, .size = 32, .kind = kind };

	t->clock += 1000;
	mont_signal_line(t, sig, &ref, attr);
	mont_group_end(t);
}

static void captures(struct mont_thread *t, u64 count, u64 address, u64 latency, const char *what)
{
	check(mont_pmd_read(t, 4, 0) == count, "%s: counted %lu", what,
	      (unsigned long)mont_pmd_read(t, 4, 0));
	check(t->s.pmu.pmd[34] == address, "%s: PMD34 %lx", what, (unsigned long)t->s.pmu.pmd[34]);
	check(t->s.pmu.pmd[35] == latency, "%s: PMD35 %lx", what, (unsigned long)t->s.pmu.pmd[35]);
}

static void thresholds(void)
{
	/* Table 3-16 */
	static const struct {
		u8 umask;
		u64 least;
	} rows[] = {
		{ 0x40, 1 },  { 0x7f, 1 },   { 0xff, 4 },   { 0xfe, 8 },    { 0xfc, 16 },
		{ 0xf8, 32 }, { 0xf0, 128 }, { 0xe0, 256 }, { 0xc0, 1024 }, { 0x80, 4096 },
	};
	struct mont_thread *t;
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(rows); i++) {
		t = guest(CACHE(rows[i].umask) | PLM_ALL, 0);
		if (rows[i].least > 1)
			fetch(t, MONT_SIG_FETCH_SERVED, rows[i].least - 1, 0);
		captures(t, 0, 0, 0, "below");
		fetch(t, MONT_SIG_FETCH_SERVED, rows[i].least, 0);
		captures(t, 1, 0x20021, rows[i].least >> 12 ? 1 << 12 : rows[i].least, "at least");
	}
	t = guest(CACHE(0xfd) | PLM_ALL, 0);
	fetch(t, MONT_SIG_FETCH_SERVED, 10000, 0);
	captures(t, 0, 0, 0, "a mask that has no meaning");
	group("the thresholds of table 3-16");
	t = guest(CACHE(0) | PLM_ALL, 0);
	fetch(t, MONT_SIG_FETCH_SERVED, 100, 0);
	captures(t, 0, 0, 0, "no hit in the RAB");
	fetch(t, MONT_SIG_FETCH_SERVED, 100, MONT_DATA_RAB);
	captures(t, 1, 0x20021, 100, "one");
	group("hits in the RAB");
	t = guest(CACHE(0x40) | PLM_ALL, 0);
	fetch(t, MONT_SIG_FETCH_SERVED, 4095, 0);
	captures(t, 1, 0x20021, 4095, "4095");
	fetch(t, MONT_SIG_FETCH_SERVED, 4096 + 5, 0);
	captures(t, 2, 0x20021, 5 | 1 << 12, "4101");
	group("a latency of 4096 and more overflows (table 3-17)");
}

static void modes(void)
{
	struct mont_thread *t;
	unsigned int umask, how;

	for (umask = 0; umask < 8; umask++) {
		t = guest(TLB(umask) | PLM_ALL, 0);
		for (how = 1; how <= 3; how++)
			fetch(t, MONT_SIG_ITLB_SERVED, how, 0);
		fetch(t, MONT_SIG_FETCH_SERVED, 100, 0);
		how = umask & 4 ? 3 : umask & 2 ? 2 : umask & 1;
		captures(t, __builtin_popcount(umask), how ? 0x20020 | how : 0, 0, "TLB mode");
	}
	group("TLB mode: all combinations of the mask (tables 3-18 and 3-19)");
	t = guest(1ULL << 12 | 0xff << 5 | PLM_ALL, 0);
	fetch(t, MONT_SIG_FETCH_SERVED, 100, 0);
	t = guest(1ULL << 12 | PLM_ALL, 0);
	fetch(t, MONT_SIG_ITLB_SERVED, 1, 0);
	captures(t, 0, 0, 0, "ct 01");
	t = guest(CACHE(0x40) | 0xe, 0);
	fetch(t, MONT_SIG_FETCH_SERVED, 100, 0);
	captures(t, 0, 0, 0, "a level that is left out");
	t = guest(CACHE(0x40) | PLM_ALL | PM37, 0);
	fetch(t, MONT_SIG_FETCH_SERVED, 100, 0);
	captures(t, 0, 0, 0, "PSR.pp is off");
	t = guest(CACHE(0x40) | PLM_ALL, OI);
	mont_pmd_write(t, 4, CARRY - 1);
	fetch(t, MONT_SIG_FETCH_SERVED, 100, 0);
	fetch(t, MONT_SIG_FETCH_SERVED, 77, 0);
	captures(t, 0, 0x20021, 100, "frozen");
	group("what PMC37 lets through, and the freeze");
}

int main(void)
{
	thresholds();
	modes();
	return tap_end();
}
