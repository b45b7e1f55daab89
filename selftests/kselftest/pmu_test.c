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

/* Without time there is no issue group to compare a threshold with. */
static void thresholds(void)
{
	unsigned int t;

	fresh(0);
	for (t = 0; t < 8; t++) {
		set_pmc(7, PMC_RETIRED | PMC_PLM_ALL | (uint64_t)t << PMC_THRESHOLD_SHIFT);
		set_pmd(7, 0);
		spin(10);
		eq(pmd(7), t ? 0 : 30, "threshold %u without time", t);
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

/* ---- qualification: instruction ranges, opcodes, data ranges ---- */

#define PMC32_IG_AD (1ULL << 57)
#define PMC32_INV (1ULL << 56)
#define PMC32_B (1ULL << 48)
#define OPCODE_ALL 0x1ffffffffffULL
#define PMC36_RESET 0xfffffff0ULL
#define PMC38_RESET 0xdb6ULL
#define PMC41_RESET 0x2078fefefefeULL
#define BR_ONE_ADDRESS ((1ULL << 56) - 1)
#define EVENT_LOADS_RETIRED 0xcd
#define EVENT_STORES_RETIRED 0xd1
#define TURNS 10

/* COUNT: TURNS bundles of a loop, then a nop and the break that ends it. */
static uint64_t counted(unsigned int umask)
{
	struct montecito_run r;

	set(v, MONTECITO_REG_AR, 65, TURNS - 1);
	start(v, GUEST_COUNT);
	set_psr(PSR_UP);
	set_pmc(6, PMC_RETIRED | PMC_PLM_ALL | (uint64_t)umask << 16);
	set_pmd(6, 0);
	if (run(m, 0, 0, &r) || r.exit.reason != MONTECITO_EXIT_BREAK)
		return ~0ULL;
	return pmd(6);
}

static void ranges(void)
{
	fresh(MONTECITO_CFG_HOST_INTERRUPTIONS);
	set(v, MONTECITO_REG_IBR, 0, GUEST_COUNT);
	set(v, MONTECITO_REG_IBR, 1, BR_ONE_ADDRESS | 0xfULL << 56);
	eq(counted(0), TURNS * PER_BUNDLE + 2, "no constraint at reset");
	set_pmc(38, PMC38_RESET & ~(1ULL << 1));
	set_pmc(32, PMC32_B | 7ULL << 49 | OPCODE_ALL);
	eq(counted(0), TURNS * PER_BUNDLE, "range of the loop's bundle");
	set_pmc(32, PMC32_B | 7ULL << 49 | OPCODE_ALL | PMC32_INV);
	eq(counted(0), 2, "its inversion");
	set_pmc(32, PMC32_B | 7ULL << 49 | OPCODE_ALL | PMC32_IG_AD);
	eq(counted(0), TURNS * PER_BUNDLE + 2, "ig_ad takes it away");
	set_pmc(32, PMC32_B | 7ULL << 49 | OPCODE_ALL);
	set(v, MONTECITO_REG_IBR, 1, BR_ONE_ADDRESS | 0x8ULL << 56);
	eq(counted(0), 0, "the range's own plm");
	set(v, MONTECITO_REG_IBR, 1, BR_ONE_ADDRESS | 0xfULL << 56 | 1ULL << 63);
	eq(counted(0), TURNS * PER_BUNDLE + 2, "x lends the pair to debugging");
	/* Fine mode: pairs 0 and 2 are the limits, both in the range. */
	set(v, MONTECITO_REG_IBR, 1, BR_ONE_ADDRESS | 0xfULL << 56);
	set(v, MONTECITO_REG_IBR, 0, GUEST_COUNT + 16);
	set(v, MONTECITO_REG_IBR, 4, GUEST_COUNT + 32);
	set(v, MONTECITO_REG_IBR, 5, BR_ONE_ADDRESS | 0xfULL << 56);
	set_pmc(38, (PMC38_RESET & ~(1ULL << 1 | 1ULL << 7)) | 1ULL << 13);
	eq(counted(0), 2, "fine mode");
}

static void opcodes(void)
{
	/* br.cloop, with every hint */
	const uint64_t match = 0x8000000140, mask = 0x1fffffff3f;

	fresh(MONTECITO_CFG_HOST_INTERRUPTIONS);
	set_pmc(32, PMC32_IG_AD | PMC32_B | mask);
	set_pmc(33, match);
	eq(counted(0), TURNS, "opcode matcher 0 on br.cloop");
	eq(counted(1), TURNS * PER_BUNDLE + 2, "channel 1 has matcher 1");
	set_pmc(34, PMC32_B | mask);
	set_pmc(35, match);
	eq(counted(1), TURNS, "which matches it too");
	eq(counted(3), TURNS, "as channel 3 does");
	set_pmc(36, PMC36_RESET | 8);
	eq(counted(3), TURNS * PER_BUNDLE + 2, "until it ignores opcodes");
	set_pmc(36, PMC36_RESET | 1);
	eq(counted(0), TURNS * PER_BUNDLE + 2, "and channel 0");
	set_pmc(36, PMC36_RESET);
	set_pmc(32, PMC32_IG_AD | 7ULL << 49 | mask);
	eq(counted(0), 0, "no slot but B holds a branch");
}

static void data_ranges(void)
{
	const uint64_t here = 0x30000, there = 0x30008;
	/* pair 0, data address alone: en_dbrp0 set, cfgdtag0 10 */
	const uint64_t data_only = PMC41_RESET & ~(1ULL << 3);
	unsigned int i;

	for (i = 0; i < 3; i++) {
		struct montecito_run r;

		fresh(MONTECITO_CFG_HOST_INTERRUPTIONS);
		set_psr(PSR_UP);
		set(v, MONTECITO_REG_GR, 9, here);
		set(v, MONTECITO_REG_GR, 11, here);
		set(v, MONTECITO_REG_DBR, 0, i == 1 ? there : here);
		set(v, MONTECITO_REG_DBR, 1, BR_ONE_ADDRESS);
		set_pmc(41, i ? data_only : PMC41_RESET);
		set_pmc(5, 0x2000000 | PMC_ES(EVENT_STORES_RETIRED) | PMC_PLM_ALL);
		start(v, GUEST_STORE);
		is(run(m, 0, 0, &r), 0, "one store");
		eq(pmd(5), i != 1, "%s", i == 0 ? "unconstrained" : i == 1 ? "elsewhere" : "here");
	}
	/* L1D events come in sets, and PMC5 selects one of them. */
	fresh(MONTECITO_CFG_HOST_INTERRUPTIONS);
	set_psr(PSR_UP);
	set(v, MONTECITO_REG_GR, 9, here);
	set(v, MONTECITO_REG_GR, 11, here);
	set_pmc(4, 0x2000000 | PMC_ES(EVENT_LOADS_RETIRED) | PMC_PLM_ALL);
	set_pmc(5, 0x2000000 | PMC_ES(EVENT_STORES_RETIRED) | PMC_PLM_ALL);
	start(v, GUEST_STORE);
	is(run(m, 0, 0, NULL), 0, "one store and one load");
	ok(pmd(5) == 1 && pmd(4) == 0, "the set that PMC5 does not select counts nothing");
}

/* ---- the interrupt, as the guest sees it ---- */

#define IVA 0x20000ULL
#define CR_IVA 2
#define CR_TPR 66
#define CR_IRR3 71
#define CR_PMV 73
#define VECTOR 0xd2
#define PENDING (1ULL << (VECTOR - 192))
#define PSR_I (1ULL << 14)

/* Overflow once, under @psr, @pmv and @tpr. Return: IRR3. */
static uint64_t overflow(uint64_t psr, uint64_t pmv, uint64_t tpr)
{
	struct montecito_mem handler = {
		.size = sizeof(handler),
		.addr = IVA + 0x3000,
		.length = 16,
		.data = (uintptr_t)guest_image,
	};

	fresh(0);
	/* SPIN is its own handler. */
	is(call(m, MONTECITO_MEM_WRITE, &handler), 0, "a handler");
	set(v, MONTECITO_REG_CR, CR_IVA, IVA);
	set(v, MONTECITO_REG_CR, CR_PMV, pmv);
	set(v, MONTECITO_REG_CR, CR_TPR, tpr);
	set_psr(PSR_UP | psr);
	set_pmc(4, PMC_RETIRED | PMC_PLM_ALL | PMC_OI);
	set_pmd(4, PMD_OVERFLOW - 3);
	spin(1);
	spin(1);
	return get(v, MONTECITO_REG_CR, CR_IRR3);
}

static bool taken(void)
{
	uint64_t ip = get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP);

	return ip == IVA + 0x3000;
}

static void interrupts(void)
{
	/* Class 13 of vector 0xd2: mic of 12 lets it through, 13 does not. */
	static const struct {
		uint64_t psr, pmv, tpr, irr;
		bool taken;
		const char *what;
	} cases[] = {
		{ PSR_I | PSR_IC, VECTOR, 0, PENDING, true, "taken at IVA + 0x3000" },
		{ PSR_I | PSR_IC, VECTOR, 12 << 4, PENDING, true, "TPR.mic below its class" },
		{ PSR_I | PSR_IC, VECTOR, 13 << 4, PENDING, false, "TPR.mic of its class" },
		{ PSR_I | PSR_IC, VECTOR, 1 << 16, PENDING, false, "TPR.mmi" },
		{ PSR_IC, VECTOR, 0, PENDING, false, "pending while PSR.i is 0" },
		{ PSR_I, VECTOR, 0, PENDING, false, "pending while PSR.ic is 0" },
		{ PSR_I | PSR_IC, VECTOR | 1 << 16, 0, 0, false, "lost while PMV.m is 1" },
	};
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		eq(overflow(cases[i].psr, cases[i].pmv, cases[i].tpr), cases[i].irr, "IRR: %s",
		   cases[i].what);
		eq(taken(), cases[i].taken, "%s", cases[i].what);
	}
	/* The last one was lost: unmasking brings nothing back. */
	set(v, MONTECITO_REG_CR, CR_PMV, VECTOR);
	spin(2);
	ok(!taken() && !get(v, MONTECITO_REG_CR, CR_IRR3), "an edge that was lost stays lost");
	overflow(PSR_IC, VECTOR, 0);
	set_psr(PSR_UP | PSR_I | PSR_IC);
	spin(1);
	ok(taken(), "a pending one is taken when PSR.i allows");
}

int main(void)
{
	masks();
	edges();
	privilege();
	thresholds();
	together();
	ranges();
	opcodes();
	data_ranges();
	interrupts();
	close(v);
	close(m);
	return done();
}
