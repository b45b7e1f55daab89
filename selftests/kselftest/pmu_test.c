// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU through the device: masks, edges, privilege, thresholds, overflows.
 *
 * The guest is SPIN, three instructions a bundle at any level, so that every
 * count follows from its length. Masks are those of the manual's chapter 3, as
 * an operating system's driver has them.
 */
#include <unistd.h>

#include "common.h"

#define PSR_PP (1ULL << 21)
#define PSR_CPL_SHIFT 32
#define PMC_PM (1ULL << 6)
#define PMC_THRESHOLD_SHIFT 20
#define PMC_RETIRED (0x2000000 | PMC_ES(EVENT_INST_RETIRED))
#define FIRST 4
#define LAST 15
#define PER_BUNDLE 3

static int m, v;

static uint64_t pmc(unsigned int n)
{
	return get(v, MONTECITO_REG_PMC, n);
}

static uint64_t pmd(unsigned int n)
{
	return get(v, MONTECITO_REG_PMD, n);
}

static void set_pmc(unsigned int n, uint64_t value)
{
	set(v, MONTECITO_REG_PMC, n, value);
}

static void set_pmd(unsigned int n, uint64_t value)
{
	set(v, MONTECITO_REG_PMD, n, value);
}

static void set_psr(uint64_t psr)
{
	set(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR, psr);
}

/* Run @bundles of SPIN. Return: why it ended. */
static uint32_t spin(unsigned int bundles)
{
	struct montecito_run r;

	if (run(m, 0, bundles, &r))
		return MONTECITO_EXIT_NONE;
	return r.exit.reason;
}

static void fresh(uint32_t config)
{
	if (m) {
		close(v);
		close(m);
	}
	m = machine(1, 1, config);
	v = vcpu(m, 0);
	start(v, GUEST_SPIN);
	set_psr(PSR_UP | PSR_PP);
}

static void masks(void)
{
	/* register, what ones leave, what zeros leave */
	static const struct {
		unsigned int n;
		uint64_t ones, zeros;
	} regs[] = {
		{ 0, 0xfff1, 0 },
		{ 1, 0, 0 },
		{ 2, 0, 0 },
		{ 3, 0, 0 },
		{ 4, 0x7e7fff7f, 0x2000000 },
		{ 9, 0x7e7fff7f, 0x2000000 },
		{ 32, 0x30f01ffffffffff, 0 },
		{ 33, 0x1ffffffffff, 0 },
		{ 34, 0xf01ffffffffff, 0 },
		{ 35, 0x1ffffffffff, 0 },
		{ 36, 0xffffffff, 0xfffffff0 },
		{ 37, 0x3fff, 0 },
		{ 38, 0xdb6 | 0x2492, 0xdb6 & ~0x2492 },
		{ 39, 0xffcf, 0 },
		{ 40, 0x20f01cf, 0x2000000 },
		{ 41, 0x2078fefefefe | 0x1e00018181818, 0x2078fefefefe & ~0x1e00018181818 },
		{ 42, 0x7ff4f, 0 },
		{ 16, 0, 0 },
		{ 43, 0, 0 },
	};
	unsigned int i;

	fresh(0);
	for (i = 0; i < sizeof(regs) / sizeof(regs[0]); i++) {
		set_pmc(regs[i].n, ~0ULL);
		eq(pmc(regs[i].n), regs[i].ones, "PMC%u holds what it has of ones", regs[i].n);
		set_pmc(regs[i].n, 0);
		eq(pmc(regs[i].n), regs[i].zeros, "PMC%u, zeros", regs[i].n);
	}
	for (i = FIRST; i <= LAST; i++) {
		set_pmd(i, ~0ULL << 47 | 0x3fffffffffff);
		eq(pmd(i), 0x3fffffffffff, "PMD%u has 47 bits", i);
		set_pmd(i, 1ULL << 46);
		eq(pmd(i), ~0ULL << 46, "and shows bit 46 above");
	}
}

/* From @before of overflow on, with and without an interrupt for it. */
static void edge(unsigned int n, unsigned int before)
{
	unsigned int bundles = (before + PER_BUNDLE - 1) / PER_BUNDLE;
	uint64_t residue = bundles * PER_BUNDLE - before;
	bool good;

	fresh(MONTECITO_CFG_HOST_PMU);
	set_pmc(n, PMC_RETIRED | PMC_PLM_ALL | PMC_OI);
	set_pmd(n, PMD_OVERFLOW - before);
	good = spin(20) == MONTECITO_EXIT_PMU_OVERFLOW && pmd(n) == residue &&
	       pmc(0) == (1ULL << n | 1) && get(v, MONTECITO_REG_GR, 8) == bundles;
	good = good && spin(5) == MONTECITO_EXIT_BUDGET && pmd(n) == residue;
	set_pmc(0, 0);
	good = good && spin(5) == MONTECITO_EXIT_BUDGET && pmd(n) == residue + 5 * PER_BUNDLE;
	ok(good, "PMD%u, %u before overflow: freezes there, goes on when told", n, before);

	fresh(MONTECITO_CFG_HOST_PMU);
	set_pmc(n, PMC_RETIRED | PMC_PLM_ALL);
	set_pmd(n, PMD_OVERFLOW - before);
	ok(spin(20) == MONTECITO_EXIT_BUDGET && pmd(n) == 20 * PER_BUNDLE - before &&
		   pmc(0) == 1ULL << n,
	   "and without oi only its bit is set");
}

static void edges(void)
{
	unsigned int n, before;

	for (n = FIRST; n <= LAST; n++)
		for (before = 1; before <= 6; before++)
			edge(n, before);
}

/* The monitor enable equation, every combination of what it looks at. */
static void privilege(void)
{
	unsigned int cpl, plm, pm, psr, n = FIRST;

	fresh(0);
	for (cpl = 0; cpl < 4; cpl++) {
		unsigned int wrong = 0;

		for (plm = 0; plm < 16; plm++) {
			for (pm = 0; pm < 2; pm++) {
				for (psr = 0; psr < 4; psr++) {
					bool up = psr & 1, pp = psr & 2;
					bool on = (plm >> cpl & 1) && (pm ? pp : up);

					set_psr((up ? PSR_UP : 0) | (pp ? PSR_PP : 0) |
						(uint64_t)cpl << PSR_CPL_SHIFT);
					set_pmc(n, PMC_RETIRED | plm | (pm ? PMC_PM : 0));
					set_pmd(n, 0);
					wrong += spin(10) != MONTECITO_EXIT_BUDGET ||
						 pmd(n) != (on ? 10 * PER_BUNDLE : 0);
					n = n == LAST ? FIRST : n + 1;
					set_pmc(n, 0x2000000);
				}
			}
		}
		eq(wrong, 0, "level %u: 128 combinations of plm, pm, up and pp", cpl);
	}
}

static void thresholds(void)
{
	unsigned int t;

	fresh(0);
	for (t = 0; t < 8; t++) {
		set_pmc(7, PMC_RETIRED | PMC_PLM_ALL | (uint64_t)t << PMC_THRESHOLD_SHIFT);
		set_pmd(7, 0);
		spin(10);
		eq(pmd(7), t == 0 ? 30 : t < PER_BUNDLE ? 10 : 0, "threshold %u of 3 a cycle", t);
	}
}

static void together(void)
{
	unsigned int n;

	fresh(MONTECITO_CFG_HOST_PMU);
	for (n = FIRST; n <= LAST; n++) {
		set_pmc(n, PMC_RETIRED | PMC_PLM_ALL | PMC_OI);
		set_pmd(n, PMD_OVERFLOW - 10);
	}
	eq(spin(100), MONTECITO_EXIT_PMU_OVERFLOW, "twelve counters overflow at once");
	eq(pmc(0), 0xfff1, "each has its bit, and all are frozen");
	eq(spin(100), MONTECITO_EXIT_BUDGET, "one notification for all of them");

	fresh(MONTECITO_CFG_HOST_PMU);
	set_pmc(4, PMC_RETIRED | PMC_PLM_ALL | PMC_OI);
	set_pmc(0, 0x11);
	eq(spin(10), MONTECITO_EXIT_BUDGET, "software's write of PMC0 raises nothing");
	eq(pmd(4), 0, "but freezes");
	set_pmc(0, 0);
	spin(1);
	set_pmd(4, 100);
	spin(1);
	eq(pmd(4), 103, "a running counter can be written");
}

int main(void)
{
	masks();
	edges();
	privilege();
	thresholds();
	together();
	close(v);
	close(m);
	return done();
}
