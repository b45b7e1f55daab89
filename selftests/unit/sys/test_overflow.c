// SPDX-License-Identifier: GPL-2.0-only
/*
 * With time a counter overflows in its very cycle, inside a stall as well: what
 * else counts cycles has then counted as many (pmu.rst, P2; manual 3.3.11).
 */
#include "sys_test.h"
#include "pmu/pmu.h"

#define CODE_CYCLES 0x12 /* CPU_OP_CYCLES.ALL */
#define CODE_BUBBLE 0x00 /* BACK_END_BUBBLE: umask 0 ALL, 1 FE */
#define MOST 200

/* All levels, oi or not, of what PSR.pp enables. */
static void count(u32 n, u32 code, u32 umask, u64 oi, u64 start)
{
	set(MONT_REG_PMC, n,
	    0xf | oi | MONT_PMC_PM | (u64)code << MONT_PMC_ES_SHIFT |
		    (u64)umask << MONT_PMC_UMASK_SHIFT);
	set(MONT_REG_PMD, n, start);
}

/*
 * Start cold, with a counter of an event that overflows at its @n-th occurrence:
 * the cycles that it takes.
 */
static u64 overflow_after(u32 code, u32 umask, u64 n, const char *name)
{
	machine(1, MONT_CFG_HOST_PMU);
	at("spin", 0, PHYS | MONT_PSR_PP, true);
	count(4, code, umask, MONT_PMC_OI, MONT_BIT(47) - n);
	count(5, CODE_CYCLES, 0, 0, 0);
	count(6, code, umask, 0, 0);
	set(MONT_REG_PMC, 0, 0);
	run_cycles(4000);
	check(last_exit.reason == MONT_EXIT_PMU_OVERFLOW && get(MONT_REG_PMC, 0) == 0x11,
	      "%s, period %llu: reason %u, PMC0 %#llx", name, (unsigned long long)n,
	      last_exit.reason, (unsigned long long)get(MONT_REG_PMC, 0));
	check_eq(get(MONT_REG_PMD, 4), 0, "PMD4 at its overflow");
	check_eq(get(MONT_REG_PMD, 5), last_exit.cycles, "PMD5: cycles up to there");
	check_eq(get(MONT_REG_PMD, 6), n, "PMD6: the event's occurrences");
	return last_exit.cycles;
}

int main(void)
{
	u64 n, first;

	for (n = 1; n <= MOST; n++)
		check_eq(overflow_after(CODE_CYCLES, 0, n, "cycles"), n, "the cycle it freezes in");
	group("CPU_OP_CYCLES freezes in its cycle, periods 1 to 200");

	/* A cold machine waits for its first bundles, which memory has. */
	first = overflow_after(CODE_BUBBLE, 0, 1, "bubbles");
	check_eq(first, 1, "the first cycle is a bubble");
	for (n = 1; n <= MOST; n++)
		check_eq(overflow_after(CODE_BUBBLE, 0, n, "bubbles"), n,
			 "the cycle it freezes in");
	group("BACK_END_BUBBLE freezes in its cycle, periods 1 to 200");

	/* Those of the front end are what is left when the flush of the start is over. */
	first = overflow_after(CODE_BUBBLE, 1, 1, "front end");
	check(first > 1 && first < 16, "the first bubble of the front end: cycle %llu",
	      (unsigned long long)first);
	for (n = 1; n < MOST - 20; n++)
		check_eq(overflow_after(CODE_BUBBLE, 1, n, "front end"), first + n - 1,
			 "the cycle it freezes in");
	group("BACK_END_BUBBLE.FE freezes in its cycle, inside one stall");
	return tap_end();
}
