// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU's rules, each in a guest (pmurules.S) that leaves one number after
 * the other. What each must be follows from the guest's code and the rule
 * (Documentation/pmu.rst and model.rst).
 */
#include "tap.h"

#define RESULTS 0x1000
#define MAGIC 0x73656c75726d70ULL
#define INSNS 8000

static const struct {
	const char *name;
	uint64_t value;
} rules[] = {
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
	{ "PAL_PERF_MON_INFO: 12 pairs of 48 bits", 0x0812300c },
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
};

/* The rules that a guest can show by itself: each must have a number above. */
static const char *const shown[] = {
	"P1",  "P2",  "P3",  "P5",  "P7", "P8", "P9", "P10", "P12", "P14", "P17",
	"P18", "P19", "P20", "P21", "C1", "C3", "C4", "C5",  "C6",  "A5",
};

#define NR_RULES (sizeof(rules) / sizeof(rules[0]))

struct results {
	uint64_t magic, vector, number[NR_RULES];
};

static void test_complete(void)
{
	size_t i, k, len;

	for (i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		len = strlen(shown[i]);
		for (k = 0; k < NR_RULES; k++) {
			if (!strncmp(rules[k].name, shown[i], len) && rules[k].name[len] == ':')
				break;
		}
		ok(k < NR_RULES, "rule %s is shown", shown[i]);
	}
}

/* Run whole or in pieces of @slice instructions: the numbers are the same. */
static void test_rules(uint64_t slice)
{
	struct montecito *m = machine_boot("pmurules.elf", 0);
	const struct results *r;
	uint64_t size;
	char *mem;
	size_t i;

	machine_run_to(m, INSNS, slice);
	mem = montecito_memory(m, &size);
	if (!mem)
		die(ENOMEM, "no mapping of guest memory");
	r = (const struct results *)(mem + RESULTS);
	ok_eq(r->magic, MAGIC,
	      slice ? "the guest has come through, in pieces" : "the guest has come through");
	ok_eq(r->vector, 0, "without an interruption of its own making");
	for (i = 0; i < NR_RULES; i++)
		ok_eq(r->number[i], rules[i].value, rules[i].name);
	montecito_close(m);
}

int main(int argc, char **argv)
{
	tap_args(argc, argv);
	test_complete();
	test_rules(0);
	test_rules(1);
	return tap_done();
}
