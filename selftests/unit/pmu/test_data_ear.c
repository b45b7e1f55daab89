// SPDX-License-Identifier: GPL-2.0-only
/*
 * The data event address register (manual 3.3.9): thresholds, one load at a time,
 * captures seven clocks apart, what PMC40 lets through, and that each observer's is
 * its own.
 */
#include "pmu_test.h"
#include "pmu/registers.h"

#define CODE 0xc8
#define PMC40(mode, umask, rest) ((u64)(mode) << 7 | (u64)(umask) << 16 | (rest))
#define STAT(status) ((unsigned int)((status) >> 14))

static struct mont_ref ref = { .va = 0x1008, .pa = 0x1008, .size = 8 };

/* A load that issues in cycle @at and takes @latency is looked at. */
static bool load(struct mont_data_ear *ear, unsigned int umask, u64 at, u64 latency,
		 struct mont_data_capture *c)
{
	static struct mont_thread t;
	struct mont_occurrence o = { .owner = &t,
				     .time = at,
				     .n = 1,
				     .attr = latency,
				     .ref = &ref,
				     .sig = MONT_SIG_LOAD_SERVED };

	return mont_data_ear_capture(ear, MONT_DATA_EAR_CACHE, umask, &o, c);
}

static void thresholds(void)
{
	struct mont_data_capture c;
	struct mont_data_ear ear;
	unsigned int umask;

	for (umask = 0; umask < 16; umask++) {
		u64 least = 4ULL << umask;

		mont_data_ear_reset(&ear);
		check(!load(&ear, umask, 1000, least - 1, &c), "umask %u, below", umask);
		mont_data_ear_reset(&ear);
		check(load(&ear, umask, 1000, least, &c) == (umask <= 10), "umask %u", umask);
	}
	group("a latency of at least 4 * 2^n cycles, n up to 10 (table 3-21)");
	mont_data_ear_reset(&ear);
	check(load(&ear, 0, 1000, 8191, &c) && c.status == (8191 | 1 << 14), "8191");
	mont_data_ear_reset(&ear);
	check(load(&ear, 0, 1000, 8192 + 5, &c) && c.status == (5 | 1 << 13 | 1 << 14), "8197");
	check(c.address == 0x1008, "the address");
	group("a latency of 8192 and more overflows (table 3-22)");
}

static void apart(void)
{
	struct mont_data_capture c;
	struct mont_data_ear ear;
	u64 gap;

	for (gap = 1; gap < 12; gap++) {
		mont_data_ear_reset(&ear);
		check(load(&ear, 0, 1000, 5, &c), "the first");
		check(load(&ear, 0, 1000 + gap, 5, &c) == (gap >= 7), "%lu behind",
		      (unsigned long)gap);
	}
	group("captures are 7 clocks apart at least");
	for (gap = 1; gap < 300; gap += 7) {
		mont_data_ear_reset(&ear);
		check(load(&ear, 0, 1000, 200, &c), "the first");
		check(load(&ear, 0, 1000 + gap, 200, &c) == (gap >= 200), "%lu behind",
		      (unsigned long)gap);
		mont_data_ear_reset(&ear);
		check(!load(&ear, 6, 1000, 200, &c), "too fast");
		check(load(&ear, 6, 1000 + gap, 256, &c) == (gap >= 200), "%lu behind one",
		      (unsigned long)gap);
	}
	group("one load is tracked at a time, captured or not");
}

/* Pairs of loads that overlap, far from each other: which one is captured. */
static void chosen(void)
{
	struct mont_data_capture c;
	struct mont_data_ear ear;
	unsigned int i, first = 0, second = 0, same = 0;
	bool before = false;

	mont_data_ear_reset(&ear);
	for (i = 0; i < 4000; i++) {
		bool one = load(&ear, 0, 1000 * i, 200, &c);
		bool two = load(&ear, 0, 1000 * i + 10, 200, &c);

		check(!(one && two), "both");
		first += one;
		second += two;
		same += i && one == before;
		before = one;
	}
	check(first > 1000 && second > 300, "%u first, %u second", first, second);
	check(same > 500 && same < 3500, "the same as before %u times", same);
	group("of loads that overlap it is not always the same that is tracked");
	mont_data_ear_reset(&ear);
	for (i = 0; i < 1000; i++)
		check(load(&ear, 0, 1000 * i, 200, &c), "number %u", i);
	group("loads that do not are all tracked");
}

/* The state of a guest's thread with PMC40 and PMC4 set up, as far as the EAR goes. */
static struct mont_thread *guest(u64 pmc40, u64 rest)
{
	struct mont_thread *t = new_thread(1);

	t->pmu.timed = true;
	t->s.ip = 0x20010;
	t->clock = 1000;
	t->sig_slot = 1;
	t->sig_bundle = 1;
	mont_pmc_write(t, 4, PMC(CODE, 0, PLM_ALL | rest));
	mont_pmc_write(t, 40, pmc40);
	t->s.psr |= MONT_PSR_UP;
	mont_signals_arm(t);
	return t;
}

static void raise(struct mont_thread *t, enum mont_signal sig, u64 attr, u32 kind)
{
	struct mont_ref r = ref;

	r.kind = kind;
	t->clock += 1000;
	mont_signal_line(t, sig, &r, attr);
	mont_group_end(t);
}

static void captures(struct mont_thread *t, u64 count, u64 status, u64 instruction,
		     const char *what)
{
	check(mont_pmd_read(t, 4, 0) == count, "%s: counted %lu", what,
	      (unsigned long)mont_pmd_read(t, 4, 0));
	check(t->s.pmu.pmd[33] == status, "%s: PMD33 %lx", what, (unsigned long)t->s.pmu.pmd[33]);
	check(t->s.pmu.pmd[36] == instruction, "%s: PMD36 %lx", what,
	      (unsigned long)t->s.pmu.pmd[36]);
}

static void guests(void)
{
	u64 second = 0x20000 | 8 | 4 | 1;
	struct mont_thread *t;
	unsigned int umask, how;

	t = guest(PMC40(0, 0, PLM_ALL), 0);
	raise(t, MONT_SIG_LOAD_SERVED, 100, 0);
	captures(t, 1, 100 | 1 << 14, second, "a load");
	raise(t, MONT_SIG_DTLB_SERVED, 1, 0);
	raise(t, MONT_SIG_ALAT_CHECK, 0, MONT_DATA_FAILED);
	captures(t, 1, 100 | 1 << 14, second, "what is of other modes");
	raise(t, MONT_SIG_LOAD_SERVED, 50, MONT_DATA_RSE);
	captures(t, 2, 50 | 1 << 14, 0, "a load of the RSE");
	t = guest(PMC40(0, 0, 0xe), 0);
	raise(t, MONT_SIG_LOAD_SERVED, 100, 0);
	captures(t, 0, 0, 0, "a level that is left out");
	t = guest(PMC40(0, 0, PLM_ALL | PM), 0);
	raise(t, MONT_SIG_LOAD_SERVED, 100, 0);
	captures(t, 0, 0, 0, "PSR.pp is off");
	t = guest(PMC40(0, 0, PLM_ALL), OI);
	mont_pmd_write(t, 4, CARRY - 1);
	raise(t, MONT_SIG_LOAD_SERVED, 100, 0);
	raise(t, MONT_SIG_LOAD_SERVED, 77, 0);
	captures(t, 0, 100 | 1 << 14, second, "frozen");
	group("cache mode: PMC40's levels and pm, the freeze, the RSE");

	for (umask = 0; umask < 16; umask++) {
		t = guest(PMC40(1, umask, PLM_ALL), 0);
		for (how = 1; how <= 3; how++)
			raise(t, MONT_SIG_DTLB_SERVED, how, 0);
		check(mont_pmd_read(t, 4, 0) == (u64)__builtin_popcount(umask >> 1),
		      "umask %x: %lu", umask, (unsigned long)mont_pmd_read(t, 4, 0));
		check(STAT(t->s.pmu.pmd[33]) == (umask & 8   ? 3U
						 : umask & 4 ? 2U
						 : umask & 2 ? 1U
							     : 0U),
		      "umask %x: PMD33 %lx", umask, (unsigned long)t->s.pmu.pmd[33]);
	}
	group("TLB mode: all combinations of the mask (table 3-23)");

	for (how = 2; how < 4; how++) {
		t = guest(PMC40(how, 0, PLM_ALL), 0);
		raise(t, MONT_SIG_ALAT_CHECK, 0, 0);
		captures(t, 0, 0, 0, "a check that finds its entry");
		raise(t, MONT_SIG_ALAT_CHECK, 0, MONT_DATA_FAILED | MONT_DATA_CHECK);
		captures(t, 1, 1 << 14, second, "one that does not");
	}
	group("ALAT mode: failed checks alone");
}

/* An observer's EAR and the guest's do not depend on each other. */
static void observers(void)
{
	struct mont_observer slow = { .filter = {
					      .code = CODE, .plm = 15, .ear = 1, .ear_umask = 5 } };
	struct mont_observer any = { .filter = { .code = CODE, .plm = 15, .ear = 1 } };
	struct mont_observer theirs = { .filter = { .code = CODE, .plm = 15 } };
	struct mont_observer none = {
		.filter = { .code = CODE, .plm = 15, .ear = 1, .ear_umask = 11 }
	};
	struct mont_data_ear alone;
	const char *why = "";
	unsigned int i, with;
	u64 count = 0;

	for (with = 0; with < 2; with++) {
		struct mont_thread *t = guest(PMC40(0, 2, PLM_ALL), 0);

		if (with) {
			check(!mont_observer_attach(t, &slow, &why), "%s", why);
			check(!mont_observer_attach(t, &any, &why), "%s", why);
			check(!mont_observer_attach(t, &theirs, &why), "%s", why);
			check(mont_observer_attach(t, &none, &why) == MONT_ENOENT, "umask 11");
		}
		rnd_state = 1;
		for (i = 0; i < 2000; i++) {
			struct mont_ref r = ref;

			t->clock += rnd_below(60);
			mont_signal_line(t, MONT_SIG_LOAD_SERVED, &r, 5 + rnd_below(200));
		}
		if (!with) {
			alone = t->s.pmu.data_ear;
			count = mont_pmd_read(t, 4, 0);
			continue;
		}
		check(!memcmp(&alone, &t->s.pmu.data_ear, sizeof(alone)), "the guest's state");
		check(count == mont_pmd_read(t, 4, 0) && count, "the guest's count");
		check(count == mont_observer_read(t, &theirs), "counted beside it");
		check(slow.count && slow.count < any.count, "%lu and %lu",
		      (unsigned long)slow.count, (unsigned long)any.count);
		check((slow.ear.last.status & 0x1fff) >= 128, "what it has captured last");
	}
	group("an observer has an EAR of its own, and the guest's is as without it");
}

int main(void)
{
	thresholds();
	apart();
	chosen();
	guests();
	observers();
	return tap_end();
}
