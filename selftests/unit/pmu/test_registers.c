// SPDX-License-Identifier: GPL-2.0-only
/*
 * PMU registers: masks, reset values, privileges. A second, plain model of
 * the registers (ref.h) and random sequences of writes and reads.
 */
#include "ref.h"
#include "pmu/registers.h"

static const struct {
	unsigned int first, last;
	unsigned int high, low;
	const char *access, *name;
	bool pmc;
} fields[] = {
#define MONT_FIELD(class, from, to, title, hi, lo, acc, text) \
	{ from, to, hi, lo, #acc, title, #class[2] == 'C' },
#include "pmu/registers.def"
};

static u64 field_mask(unsigned int hi, unsigned int lo)
{
	return (hi - lo == 63 ? ~0ULL : (1ULL << (hi - lo + 1)) - 1) << lo;
}

/* Every bit of every field does what its access says. */
static void by_field(void)
{
	unsigned int i, n;

	for (i = 0; i < MONT_ARRAY_SIZE(fields); i++) {
		u64 m = field_mask(fields[i].high, fields[i].low), zero, ones;
		const char *a = fields[i].access;

		for (n = fields[i].first; n <= fields[i].last; n++) {
			struct mont_thread *t = new_thread(1);
			u64 reset;

			/* PMD39 has all its bits in the IP-EAR's mode alone. */
			if (!fields[i].pmc && n == 39)
				mont_pmc_write(t, 42, 0x400);
			reset = fields[i].pmc ? mont_pmc_read(t, n) : mont_pmd_read(t, n, 0);

			if (fields[i].pmc) {
				mont_pmc_write(t, n, 0);
				zero = mont_pmc_read(t, n) & m;
				mont_pmc_write(t, n, ~0ULL);
				ones = mont_pmc_read(t, n) & m;
			} else {
				mont_pmd_write(t, n, 0);
				zero = mont_pmd_read(t, n, 0) & m;
				mont_pmd_write(t, n, ~0ULL);
				ones = mont_pmd_read(t, n, 0) & m;
			}
			if (!strcmp(a, "RW"))
				check(!zero && ones == m, "%s of %u", fields[i].name, n);
			else if (!strcmp(a, "IGNORED"))
				check(!zero && !ones, "%s of %u", fields[i].name, n);
			else if (!strcmp(a, "KEPT"))
				check(zero == (reset & m) && ones == (reset & m), "%s of %u",
				      fields[i].name, n);
			else
				/* Follows bit 46, which was written just before. */
				check(!zero && ones == m, "%s of %u", fields[i].name, n);
		}
	}
	group("every field of every register");
}

/* The fields of a register cover each of its bits once. */
static void covered(void)
{
	unsigned int i, n, k;

	for (k = 0; k < 2; k++)
		for (n = 0; n < 64; n++) {
			u64 seen = 0, twice = 0;

			for (i = 0; i < MONT_ARRAY_SIZE(fields); i++) {
				u64 m = field_mask(fields[i].high, fields[i].low);

				if (fields[i].pmc != k || n < fields[i].first || n > fields[i].last)
					continue;
				twice |= seen & m;
				seen |= m;
			}
			/* PMC37.umask and ct share bit 12; PMD48-63 have two layouts. */
			if (k && n == 37)
				twice &= ~0x1fe0ULL;
			if (!k && n >= 48)
				twice = 0;
			check(!seen || (!~seen && !twice), "%s%u: %#llx twice %#llx",
			      k ? "pmc" : "pmd", n, (unsigned long long)seen,
			      (unsigned long long)twice);
		}
	group("fields tile their registers");
}

/*
 * Bits that software can change, as a driver of an operating system has them (the
 * register table of Linux/ia64's perfmon for this processor; PMDs by the
 * manual's tables 3-7, 3-17 to 3-33). No word of registers.def is behind it.
 */
static void by_driver(void)
{
	static const struct {
		bool pmc;
		u8 first, last;
		u64 reset, write;
	} rows[] = {
		{ true, 4, 15, 0x2000000, 0x7c7fff7f },
		{ true, 32, 32, 0x30f01ffffffffff, 0x30f01ffffffffff },
		{ true, 33, 33, 0x1ffffffffff, 0x1ffffffffff },
		{ true, 34, 34, 0xf01ffffffffff, 0xf01ffffffffff },
		{ true, 35, 35, 0x1ffffffffff, 0x1ffffffffff },
		{ true, 36, 36, 0xfffffff0, 0xf },
		{ true, 37, 37, 0, 0x3fff },
		{ true, 38, 38, 0xdb6, 0x2492 },
		{ true, 39, 39, 0, 0xffcf },
		{ true, 40, 40, 0x2000000, 0xf01cf },
		{ true, 41, 41, 0x2078fefefefe, 0x1e00018181818 },
		{ true, 42, 42, 0, 0x7ff4f },
		/* PMC0: fr and the overflow bits; nothing between, nothing above */
		{ true, 0, 0, 0, 0xfff1 },
		{ true, 1, 3, 0, 0 },
		{ true, 16, 31, 0, 0 },
		{ true, 43, 63, 0, 0 },
		/* reads follow bit 46 above it */
		{ false, 4, 15, 0, ~0ULL },
		{ false, 32, 32, 0, ~0ULL },
		/* latency 12:0, ov 13, stat 15:14 */
		{ false, 33, 33, 0, 0xffff },
		/* stat 1:0, address 63:5 */
		{ false, 34, 34, 0, ~0x1cULL },
		/* latency 11:0, ov 12 */
		{ false, 35, 35, 0, 0x1fff },
		{ false, 36, 36, 0, ~0ULL },
		{ false, 37, 37, 0, 0 },
		/* ebi 3:0, full 5 */
		{ false, 38, 38, 0, 0x2f },
		/* bruflush and b1 of 16 entries */
		{ false, 39, 39, 0, 0x3333333333333333 },
		{ false, 40, 47, 0, 0 },
		{ false, 48, 63, 0, ~0ULL },
		{ false, 0, 3, 0, 0 },
		{ false, 16, 31, 0, 0 },
	};
	unsigned int i, n;

	for (i = 0; i < MONT_ARRAY_SIZE(rows); i++) {
		for (n = rows[i].first; n <= rows[i].last; n++) {
			struct mont_thread *t = new_thread(1);
			u64 kept = rows[i].reset & ~rows[i].write, got[3];

			if (rows[i].pmc) {
				got[0] = mont_pmc_read(t, n);
				mont_pmc_write(t, n, 0);
				got[1] = mont_pmc_read(t, n);
				mont_pmc_write(t, n, ~0ULL);
				got[2] = mont_pmc_read(t, n);
			} else {
				got[0] = mont_pmd_read(t, n, 0);
				mont_pmd_write(t, n, 0);
				got[1] = mont_pmd_read(t, n, 0);
				mont_pmd_write(t, n, ~0ULL);
				got[2] = mont_pmd_read(t, n, 0);
			}
			check(got[0] == rows[i].reset && got[1] == kept &&
				      got[2] == (kept | rows[i].write),
			      "%s%u: %#llx, %#llx, %#llx", rows[i].pmc ? "pmc" : "pmd", n,
			      (unsigned long long)got[0], (unsigned long long)got[1],
			      (unsigned long long)got[2]);
		}
	}
	group("every register against a driver's table");
}

static void reset(void)
{
	static const struct {
		unsigned int n;
		u64 want;
	} pmc[] = {
		{ 0, 0 },
		{ 1, 0 },
		{ 2, 0 },
		{ 3, 0 },
		{ 4, 0x2000000 },
		{ 15, 0x2000000 },
		{ 16, 0 },
		{ 31, 0 },
		{ 32, 0x30f01ffffffffff },
		{ 33, 0x1ffffffffff },
		{ 34, 0xf01ffffffffff },
		{ 35, 0x1ffffffffff },
		{ 36, 0xfffffff0 },
		{ 37, 0 },
		{ 38, 0xdb6 },
		{ 39, 0 },
		{ 40, 0x2000000 },
		{ 41, 0x2078fefefefe },
		{ 42, 0 },
		{ 43, 0 },
		{ 63, 0 },
		{ 64, 0 },
		{ 255, 0 },
	};
	struct mont_thread *t = new_thread(1);
	unsigned int i;

	for (i = 0; i < 256; i++) {
		mont_pmc_write(t, i, ~0ULL);
		mont_pmd_write(t, i, ~0ULL);
	}
	t->s.pmu_irq = 1;
	mont_pmu_reset(t);
	for (i = 0; i < MONT_ARRAY_SIZE(pmc); i++)
		check(mont_pmc_read(t, pmc[i].n) == pmc[i].want, "pmc%u: %#llx", pmc[i].n,
		      (unsigned long long)mont_pmc_read(t, pmc[i].n));
	for (i = 0; i < 256; i++)
		check(!mont_pmd_read(t, i, 0), "pmd%u", i);
	check(!t->s.pmu_irq && !t->s.pmu.uncounted, "interrupt line and flags");
	check(mont_pmu_state_valid(&t->s.pmu), "reset state is valid");
	group("reset state");
}

static void sequences(void)
{
	struct mont_thread *t = new_thread(2);
	struct ref r;
	unsigned long i;
	unsigned int n;

	ref_reset(&r);
	for (i = 0; i < 1000000; i++) {
		/* Index bits above 7 mean nothing; most indexes name a register. */
		u64 idx = rnd_below(8) ? rnd_below(66) : rnd();
		u64 v = rnd_below(4) ? rnd() : rnd_below(2) ? ~0ULL : 0;
		u32 cpl = rnd_below(2) ? 0 : rnd_below(4);

		switch (rnd_below(6)) {
		case 0:
			mont_pmc_write(t, idx, v);
			ref_pmc_write(&r, idx, v);
			break;
		case 1:
			mont_pmd_write(t, idx, v);
			ref_pmd_write(&r, idx, v);
			break;
		case 2:
		case 3:
			check(mont_pmc_read(t, idx) == ((idx & 0xff) < 64 ? r.pmc[idx & 0xff] : 0),
			      "pmc %#llx", (unsigned long long)idx);
			break;
		case 4:
			check(mont_pmd_read(t, idx, cpl) == ref_pmd_read(&r, idx, cpl),
			      "pmd %#llx at %u", (unsigned long long)idx, cpl);
			break;
		case 5:
			/* No counting here: no level enabled by PSR. */
			r.psr = rnd_below(2) ? MONT_PSR_SP : 0;
			set_psr(t, r.psr);
			break;
		}
		if (!(i % 1000))
			check(mont_pmu_state_valid(&t->s.pmu), "state after %lu writes", i);
	}
	for (n = 0; n < 64; n++)
		check(mont_pmc_read(t, n) == r.pmc[n], "pmc%u at the end", n);
	group("random sequences of writes and reads");
}

/* A saved state that no PMU can have is told from one that it can. */
static void validity(void)
{
	struct mont_thread *t = new_thread(1);
	struct mont_pmu_state s;
	struct ref r;
	unsigned int n, b;

	for (n = 0; n < 64; n++)
		for (b = 0; b < 64; b++) {
			ref_reset(&r);
			s = t->s.pmu;
			s.pmc[n] ^= 1ULL << b;
			ref_pmc_write(&r, n, s.pmc[n]);
			check(mont_pmu_state_valid(&s) == (r.pmc[n] == s.pmc[n]), "pmc%u bit %u", n,
			      b);
			s = t->s.pmu;
			s.pmd[n] ^= 1ULL << b;
			ref_pmd_write(&r, n, s.pmd[n]);
			check(mont_pmu_state_valid(&s) == (r.pmd[n] == s.pmd[n]), "pmd%u bit %u", n,
			      b);
		}
	s = t->s.pmu;
	s.uncounted = 1;
	check(!mont_pmu_state_valid(&s), "uncounted names PMC0");
	group("states that cannot be are refused");
}

int main(void)
{
	by_field();
	covered();
	by_driver();
	reset();
	sequences();
	validity();
	return tap_end();
}
