// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU's rules, each in a guest (pmurules.S, pmudata.S, pmuhost.S) that leaves
 * one number after the other. What each must be follows from the guest's code and
 * the rule (Documentation/pmu.rst and model.rst).
 */
#include "tap.h"

#define RESULTS 0x1000
#define MAGIC 0x73656c75726d70ULL
#define INSNS 8000

/* An address that a run has ended at. */
#define HERE (~0ULL - 1)

struct number {
	const char *name;
	uint64_t value;
};

static const struct number rules[] = {
	{ "P2: an overflow sets its bit and fr", 0x11 },
	{ "P2: its counter has all of the cycle", 2 },
	{ "P2: and so has another one, then the freeze holds", 5 },
	{ "P5: mov =pmd behind the overflow shows the group before", 2 },
	{ "P5: and moves the freeze nowhere: its counter", 1 },
	{ "P5: the other one", 5 },
	{ "P5: mov =pmc0 shows the group before", 0 },
	{ "P5: in the next group it shows the overflow", 0x11 },
	{ "P5: mov pmc splits no group", 1 },
	{ "P5: mov pmd splits no group", 101 },
	{ "C6: sum splits no group", 1 },
	{ "P2: mov to an application register splits no group", 4 },
	{ "C6: the mov that freezes counts", 4 },
	{ "C6: the mov that thaws does not", 8 },
	{ "C6: mov ibr counts under the old range", 5 },
	{ "C6: rfi, epc, br.ret: what level 3 counts", 7 },
	{ "C6: rfi, epc, br.ret: what level 0 counts", 6 },
	{ "C6: epc, br.ret and epc change the level", 3 },
	{ "C4: a brl with a false predicate is not squashed", 1 },
	{ "C4: it is a branch", 1 },
	{ "C4: and an instruction", 6 },
	{ "4.8.2: PMC5's event code selects, its unit mask counts nothing", 5 },
	{ "4.8.2: the counter of its set counts", 1 },
	{ "P7: a threshold without time keeps the value", 9 },
	{ "C5: deferred loads are loads", 4 },
	{ "C5: and integer loads", 2 },
	{ "C5: one of them in SPEC_LOADS_NATTED", 1 },
	{ "P18: a check load whose reload faults looks twice", 2 },
	{ "P18: and fails twice", 2 },
	{ "P19: a reference that faults is one, the load another", 2 },
	{ "table 3-29: PMD39 of the trace buffer", 0x3333333333333333 },
	{ "table 3-33: PMD39 of the IP-EAR", ~0ULL },
	{ "P12: half a couple in fine mode: the counter stands still", 3 },
	{ "P20: two branches of a bundle are one source", 1 },
	{ "P19: data references", 6 },
	{ "P19: reads of the L1D", 1 },
	{ "P19: matches of a data breakpoint", 1 },
	{ "PAL_SET_HW_POLICY", 0 },
	{ "PAL_GET_HW_POLICY", 0 },
	{ "PAL_GET_HW_POLICY: the policy", 1 },
	{ "PAL_PERF_MON_INFO with a virtual buffer", 0 },
	{ "PAL_PERF_MON_INFO: 12 pairs of 47 bits", 0x08122f0c },
	{ "PAL_PERF_MON_INFO: PMCs", 0x7ff0000ffffULL },
	{ "PAL_PERF_MON_INFO: PMDs", 0xffff00df0000fff0ULL },
	{ "A5: a return after flushrs loads nothing", 0 },
	{ "A5: flushrs stored eight registers", 8 },
	{ "A5: a return after loadrs loads them", 8 },
	{ "A5: eight more were stored", 16 },
	{ "A5: the registers are what they were", 321 },
	{ "3.3.5.4: a fine range goes over all of its 64 KB", 6 },
	{ "3.3.5.4: and begins at its lower limit", 0 },
	{ "P12: fine mode has no range 2: the counter stands still", 3 },
	{ "P8: a range elsewhere", 0 },
	{ "P9: inverted", 6 },
	{ "P12: no range to invert: the counter stands still", 3 },
	{ "P8: an IBR pair whose x bit is set constrains nothing", 6 },
	{ "P12: PMC41 enables nothing: the counter stands still", 3 },
	{ "P10: the X slot of a movl is an I slot", 2 },
	{ "P1: plm leaves the level out", 0 },
	{ "P1: PSR.pp is off", 0 },
	{ "P1: plm and PSR.up are on", 6 },
	{ "P3: oi is that of the overflow", 0x11 },
	{ "C1: an MLX bundle retires two", 11 },
	{ "C3: nops, but for hint and one with a false predicate", 5 },
	{ "P14: a sum and a product each", 3 },
	{ "P17: lfetch has the walker insert", 1 },
	{ "P21: and refers to nothing", 0 },
	{ "P17: it read its table once", 1 },
	{ "P17: a load has it insert", 2 },
	{ "P21: which missed the L2 DTLB", 1 },
	{ "P17: one more read", 2 },
	{ "P19: a data breakpoint is of all bytes", 2 },
	{ "P4: the interrupt of two overflows together", 0xd2 },
	{ "P4: is one", 15 },
	{ "P4: of both", 0x51 },
	{ "C7: and is taken behind their bundle", 0 },
	{ "P4: a write to PMC0 asks for none", 15 },
	{ "P4: an overflow without oi", 0x10 },
	{ "P4: asks for none", 15 },
	{ "P4: an overflow while PMV.m is 1 freezes", 0x11 },
	{ "P4: its interrupt is lost", 15 },
	{ "P20: a trace of mispredictions: the counter stands still", 3 },
	{ "PAL_BRAND_INFO with a virtual buffer", 0 },
	{ "PAL_BRAND_INFO: how it begins", 0x726f432d6c617544 },
	{ "3.3.5: a range's level is that of the instruction", 3 },
	{ "3.3.6: I slots of a function", 3 },
	{ "3.3.6: of another one in its place", 5 },
};

static const struct number data_rules[] = {
	{ "P11: a data range compares the first byte", 1 },
	{ "P11: an event without a data range is tag channel 0's", 0 },
	{ "P11: one with a data range is not", 1 },
	{ "P11: nor while it is in use", 2 },
	{ "P11: a data range is nothing to the first", 6 },
	{ "P11: and constrains the other", 0 },
	{ "P15: chk.a is at address 0", 2 },
	{ "P15: ld.c is where it loads from", 1 },
	{ "P16: 32 entries push nothing out", 0 },
	{ "P16: one more does, unless one is free or its own", 1 },
	{ "P16: an integer's pushes one out too", 2 },
	{ "P16: which is counted apart", 1 },
	{ "P16: eight registers and a NaT collection loaded", 9 },
	{ "P16: and stored", 9 },
	{ "C2: loads of the RSE are loads", 9 },
	{ "C2: and no instructions", 15 },
	{ "P13: NAT_CNSM", 2 },
	{ "P13: VHPT_MISS, PSR.ic off", 3 },
	{ "P13: DEF_TLB_MISS, PSR.ic off", 4 },
	{ "P13: DEF_TLB_FAULT", 5 },
	{ "P13: DEF_PSR_ED", 1 },
	{ "P13: each has one reason, a floating-point load none", 15 },
	{ "P13: VHPT_MISS, PSR.ic on", 1 },
	{ "P13: DEF_TLB_MISS, PSR.ic on", 2 },
};

static const struct number host_rules[] = {
	{ "C8: two served breaks, and epc", 5 },
	{ "C8: what level 0 counts of them", 2 },
	{ "C8: what level 3 counts", 3 },
	{ "C8: a privileged monitor counts under DCR.pp", 2 },
	{ "P6: ev: behind the overflow", HERE },
	{ "P6: ev: PMC0 has the bit alone", 0x10 },
	{ "P6: ev: counting goes on", 5 },
	{ "P6: ev and oi: behind the overflow", HERE },
	{ "P6: ev and oi: PMC0 has both bits", 0x11 },
	{ "P6: ev and oi: frozen", 2 },
	{ "P6: ev and oi: nothing is interrupted", 15 },
	{ "P6: neither", 0x10 },
};

/* How runs of the last one end; an overflow at the address that the guest left. */
static const struct {
	uint32_t reason;
	uint64_t value;
} exits[] = {
	{ MONTECITO_EXIT_BREAK, 0x100000 },    { MONTECITO_EXIT_BREAK, 0x100001 },
	{ MONTECITO_EXIT_BREAK, 0x100002 },    { MONTECITO_EXIT_PMU_OVERFLOW, 0x10 },
	{ MONTECITO_EXIT_PMU_OVERFLOW, 0x11 }, { MONTECITO_EXIT_BUDGET, 0 },
};

#define NR(table) (sizeof(table) / sizeof((table)[0]))

static const struct guest {
	const char *image;
	const struct number *number;
	size_t nr;
} guests[] = {
	{ "pmurules.elf", rules, NR(rules) },
	{ "pmudata.elf", data_rules, NR(data_rules) },
	{ "pmuhost.elf", host_rules, NR(host_rules) },
};

/* Every rule that a guest can show: each must have a number above. */
static const char *const shown[] = {
	"P1",  "P2",  "P3",  "P4",  "P5",  "P6",  "P7",	 "P8",	"P9",  "P10",
	"P11", "P12", "P13", "P14", "P15", "P16", "P17", "P18", "P19", "P20",
	"P21", "C1",  "C2",  "C3",  "C4",  "C5",  "C6",	 "C7",	"C8",  "A5",
};

struct results {
	uint64_t magic, vector, number[];
};

static bool is_shown(const char *rule)
{
	size_t len = strlen(rule), g, i;

	for (g = 0; g < NR(guests); g++) {
		for (i = 0; i < guests[g].nr; i++) {
			const char *name = guests[g].number[i].name;

			if (!strncmp(name, rule, len) && name[len] == ':')
				return true;
		}
	}
	return false;
}

static void test_complete(void)
{
	size_t i;

	for (i = 0; i < NR(shown); i++)
		ok(is_shown(shown[i]), "rule %s is shown", shown[i]);
}

static const struct results *results_of(struct montecito *m)
{
	uint64_t size;
	char *mem = montecito_memory(m, &size);

	if (!mem)
		die(ENOMEM, "no mapping of guest memory");
	return (const struct results *)(mem + RESULTS);
}

/* @at: where runs have ended, in the order of the numbers that are HERE. */
static void check_numbers(const struct guest *g, const struct results *r, const uint64_t *at)
{
	size_t i;

	ok_eq(r->magic, MAGIC, "the guest has come through");
	ok_eq(r->vector, 0, "without an interruption of its own making");
	for (i = 0; i < g->nr; i++)
		ok_eq(r->number[i], g->number[i].value == HERE ? *at++ : g->number[i].value,
		      g->number[i].name);
}

/* Run whole or in pieces of @slice instructions: the numbers are the same. */
static void test_rules(const struct guest *g, uint64_t slice)
{
	struct montecito *m = machine_boot(g->image, 0, MONTECITO_TIMING_OFF);

	printf("# %s%s\n", g->image, slice ? ", in pieces" : "");
	machine_run_to(m, INSNS, slice);
	check_numbers(g, results_of(m), NULL);
	montecito_close(m);
}

/* Run the guest on a machine whose host serves interruptions and overflows. */
static void test_served(const struct guest *g, uint64_t slice)
{
	struct montecito *m =
		machine_boot(g->image, MONTECITO_CFG_HOST_INTERRUPTIONS | MONTECITO_CFG_HOST_PMU,
			     MONTECITO_TIMING_OFF);
	uint64_t at[NR(exits)], ran = 0;
	struct montecito_run run;
	size_t i, overflows = 0;

	printf("# %s%s\n", g->image, slice ? ", in pieces" : "");
	for (i = 0; i < NR(exits); i++) {
		do {
			int ret = montecito_run(m, slice ? slice : INSNS, 0, &run);

			if (ret < 0)
				die(ret, "run");
			ran += run.exit.insns;
		} while (run.exit.reason == MONTECITO_EXIT_BUDGET && ran < INSNS);
		if (!ok(run.exit.reason == exits[i].reason, "exit %zu: for reason %u", i,
			run.exit.reason))
			break;
		if (run.exit.reason == MONTECITO_EXIT_PMU_OVERFLOW) {
			at[overflows++] = run.exit.ip;
			ok_eq(run.exit.pmc0, exits[i].value, "its PMC0");
		} else if (run.exit.reason == MONTECITO_EXIT_BREAK) {
			ok_eq(run.exit.iim, exits[i].value, "its immediate");
		}
	}
	if (i == NR(exits))
		check_numbers(g, results_of(m), at);
	montecito_close(m);
}

int main(int argc, char **argv)
{
	uint64_t slice;

	tap_args(argc, argv);
	test_complete();
	for (slice = 0; slice < 2; slice++) {
		test_rules(&guests[0], slice);
		test_rules(&guests[1], slice);
		test_served(&guests[2], slice);
	}
	return tap_done();
}
