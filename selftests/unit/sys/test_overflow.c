// SPDX-License-Identifier: GPL-2.0-only
/*
 * With time a counter overflows in its very cycle, inside a stall as well: what
 * else counts cycles has then counted as many (pmu.rst, P2; manual 3.3.11). A sample
 * carries that cycle.
 */
#include "sys_test.h"
#include "pmu/observer.h"
#include "pmu/pmu.h"

#define CODE_CYCLES 0x12 /* CPU_OP_CYCLES.ALL */
#define CODE_BUBBLE 0x00 /* BACK_END_BUBBLE: umask 0 ALL, 1 FE */
#define CODE_EXE 0x02 /* BE_EXE_BUBBLE: umask 1 GRALL */
#define CODE_STALLED 0x49 /* DISP_STALLED */
#define CODE_FE_BUBBLE 0x71
#define CODE_FE_LOST 0x70
#define CODE_EXIT_LOST 0x73 /* IDEAL_BE_LOST_BW_DUE_TO_FE */
#define CODE_L1I_READS 0x40
#define IMISS 6 /* umask of these */
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
 * Start cold, with a counter of an event that overflows at its @n-th occurrence, when there
 * are @each in a cycle: the cycles that it takes.
 */
static u64 overflow_by(u32 code, u32 umask, u64 n, u32 each, const char *name)
{
	u64 over = -n % each;

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
	check_eq(get(MONT_REG_PMD, 4), over, "PMD4 at its overflow");
	check_eq(get(MONT_REG_PMD, 5), last_exit.cycles, "PMD5: cycles up to there");
	check_eq(get(MONT_REG_PMD, 6), n + over, "PMD6: the event's occurrences");
	return last_exit.cycles;
}

static u64 overflow_after(u32 code, u32 umask, u64 n, const char *name)
{
	return overflow_by(code, umask, n, 1, name);
}

/* Overflow by the front end's losses in its first wait for memory, @each in a cycle. */
static void overflow_in_miss(u32 code, u32 each, const char *name)
{
	u64 n, first = overflow_by(code, IMISS, 1, each, name);

	check(first > 1 && first < 16, "the first cycle of %s: %llu", name,
	      (unsigned long long)first);
	for (n = 1; n <= each * (MOST - 20); n++)
		check_eq(overflow_by(code, IMISS, n, each, name), first + (n - 1) / each,
			 "the cycle it freezes in");
}

#define MANY 3000

/* Cycles of the samples of one run. */
static u64 sampled[MANY];
static unsigned int nr_sampled;

static void sample(struct mont_observer *o, const struct mont_occurrence *at)
{
	struct mont_sample s;

	mont_sample(cpu, &s);
	if (nr_sampled < MANY)
		sampled[nr_sampled++] = at->time;
	check(s.cycles == at->time && s.clock == at->time, "cycle %llu: sampled with %llu",
	      (unsigned long long)at->time, (unsigned long long)s.cycles);
}

/* Sample each @period of an event, from a cold start on, where each load is one of memory. */
static void sample_by(u32 code, u32 umask, u64 period)
{
	struct mont_observer o = {
		.filter = { .code = code, .umask = umask, .plm = 0xf },
		.period = period,
		.overflow = sample,
	};
	const char *why = "";

	machine(1, 0);
	at("misses", 0, PHYS, true);
	set_gr(14, DATA_PA);
	nr_sampled = 0;
	check(!mont_observer_attach(cpu, &o, &why), "%s", why);
	run_cycles(MANY - 1);
	mont_observer_detach(cpu, &o);
	check_eq(nr_sampled, o.count / period, "samples");
}

/* The k-th sample is that of occurrence k times the period. The first @run have a cycle each. */
static void samples(u32 code, u32 umask, u32 run, const char *name)
{
	static u64 cycle[MANY];
	unsigned int i;
	u64 period;

	sample_by(code, umask, 1);
	memcpy(cycle, sampled, sizeof(cycle));
	check(nr_sampled > MOST, "%s: %u occurrences", name, nr_sampled);
	for (i = 0; i < run; i++)
		check_eq(cycle[i], cycle[0] + i, "one cycle behind the other");
	for (period = 2; period <= MOST; period++) {
		sample_by(code, umask, period);
		for (i = 0; i < nr_sampled; i++)
			check_eq(sampled[i], cycle[(i + 1) * period - 1], name);
	}
}

static void all_samples(void)
{
	/* CPU_OP_CYCLES.ALL: every cycle is one. */
	samples(CODE_CYCLES, 0, MANY - 1, "cycles");
	check_eq(sampled[0], MOST, "the period's last cycle");
	group("samples of CPU_OP_CYCLES carry their cycle, periods 1 to 200");
	samples(CODE_BUBBLE, 0, MOST, "bubbles");
	check_eq(sampled[0], MOST, "all of the first are bubbles");
	group("samples of BACK_END_BUBBLE carry their cycle");
	samples(CODE_STALLED, 0, MOST, "dispersal");
	check_eq(sampled[0], MOST, "nothing is dispersed in the first");
	group("samples of DISP_STALLED carry their cycle");
	/* A load of memory is waited for in one stall. */
	samples(CODE_EXE, 1, MOST - 20, "loads");
	group("samples of BE_EXE_BUBBLE.GRALL carry their cycle, inside a load's wait");
	samples(CODE_FE_BUBBLE, IMISS, MOST - 20, "fetches");
	group("samples of FE_BUBBLE.IMISS carry their cycle");
}

#define CAUSE_FR (MONT_CODE_CAUSE + MONT_CAUSE_FR)
#define INST_RETIRED 0x08
#define MIFB_F 2
#define MIFB_M 8
#define FMA_WAITS 3 /* cycles: a result of 4 cycles, used in the next group */

/* Where samples of a wait must be. */
static u64 waits_at;
static unsigned int waits_slot, nr_waits;

static void sample_wait(struct mont_observer *o, const struct mont_occurrence *at)
{
	struct mont_sample s;

	(void)o;
	(void)at;
	mont_sample(cpu, &s);
	nr_waits++;
	check(s.ip == waits_at && s.slot == waits_slot, "a sample at %#llx-%u",
	      (unsigned long long)s.ip, s.slot);
}

/* Filters of a cause go by the instruction that waits, in whatever slot of its group. */
static void filtered_waits(u64 slice)
{
	enum { ALL, BY_FMA, BY_GETF, OF_F, OF_M, BY_FIRST, ROUNDS, ALL_BUT, NR };
	u64 code = label("waits_0");
	struct mont_filter any = { .code = CAUSE_FR, .plm = 0xf };
	struct mont_observer o[NR];
	const char *why = "";
	u64 cycles;
	int i;

	machine(1, 0);
	at("waits", 0, PHYS, true);
	for (i = 0; i < NR; i++)
		o[i] = (struct mont_observer){ .filter = any };
	for (i = 0; i < 4; i++) {
		struct mont_filter *f = &o[(int[]){ BY_FIRST, BY_FMA, BY_GETF, ROUNDS }[i]].filter;

		f->flags = MONT_FILTER_IAR;
		f->iar_lo = code + 16 * (i % 3);
		f->iar_hi = f->iar_lo + 16;
	}
	o[ROUNDS].filter.code = INST_RETIRED;
	for (i = OF_F; i <= OF_M; i++) {
		o[i].filter.flags = MONT_FILTER_OPC;
		o[i].filter.nr_opc = 1;
		o[i].filter.opc[0] = (struct mont_opcode){ .mask = MONT_BIT(41) - 1,
							   .mifb = i == OF_F ? MIFB_F : MIFB_M };
	}
	o[OF_F].period = 1;
	o[OF_F].overflow = sample_wait;
	waits_at = code + 16;
	waits_slot = 1;
	nr_waits = 0;
	for (i = 0; i < ALL_BUT; i++)
		check(!mont_observer_attach(cpu, &o[i], &why), "%d: %s", i, why);
	for (cycles = slice; cycles <= MANY; cycles += slice)
		run_cycles(slice);
	for (i = ALL_BUT - 1; i >= 0; i--)
		mont_observer_detach(cpu, &o[i]);
	check(o[ALL].count > MANY / 2, "%llu cycles", (unsigned long long)o[ALL].count);
	check_eq(o[BY_FIRST].count, 0, "the first of a round has its operand");
	check_eq(o[BY_FMA].count + o[BY_GETF].count, o[ALL].count, "two of them wait");
	check_eq(o[OF_F].count, o[BY_FMA].count, "the F unit's is the second");
	check_eq(o[OF_M].count, o[BY_GETF].count, "the M unit's is the third");
	check(o[BY_FMA].count / FMA_WAITS - o[ROUNDS].count / 3 + 1 <= 2, "%llu of %llu rounds",
	      (unsigned long long)o[BY_FMA].count, (unsigned long long)o[ROUNDS].count / 3);
	check_eq(nr_waits, o[OF_F].count, "each is a sample");
	o[ALL_BUT].filter.flags = MONT_FILTER_DAR;
	o[ALL_BUT].filter.dar_hi = 1;
	check(mont_observer_attach(cpu, &o[ALL_BUT], &why) == MONT_EOPNOTSUPP &&
		      strstr(why, "data range"),
	      "%s", why);
}

int main(void)
{
	u64 n, first;

	filtered_waits(MANY);
	filtered_waits(7);
	group("filters of a cause: address and opcode of what waits, in one slice and in many");

	all_samples();

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

	/* The bubbles of the front end begin when the flush of the start is over. */
	for (n = 1; n <= MOST; n++)
		check_eq(overflow_after(CODE_STALLED, 0, n, "dispersal"), n,
			 "the cycle it freezes in");
	group("DISP_STALLED freezes in its cycle, periods 1 to 200");

	first = overflow_after(CODE_BUBBLE, 1, 1, "front end");
	check(first > 1 && first < 16, "the first bubble of the front end: cycle %llu",
	      (unsigned long long)first);
	for (n = 1; n < MOST - 20; n++)
		check_eq(overflow_after(CODE_BUBBLE, 1, n, "front end"), first + n - 1,
			 "the cycle it freezes in");
	group("BACK_END_BUBBLE.FE freezes in its cycle, inside one stall");

	/* The first fetch is that of the group that is waited for: the wait is not all one cycle. */
	first = overflow_after(CODE_L1I_READS, 0, 1, "fetches");
	check_eq(first, 1, "the first cycle");
	group("a fetch freezes in its cycle, in front of the wait for what it fetches");

	overflow_in_miss(CODE_FE_BUBBLE, 1, "FE_BUBBLE.IMISS");
	overflow_in_miss(CODE_FE_LOST, 2, "FE_LOST_BW.IMISS");
	overflow_in_miss(CODE_EXIT_LOST, 2, "IDEAL_BE_LOST_BW_DUE_TO_FE.IMISS");
	group("events of the front end freeze in their cycle, inside one miss");
	return tap_end();
}
