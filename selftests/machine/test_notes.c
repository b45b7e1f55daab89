// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters that stand still are told of, however soon the guest has cleared them: a driver
 * writes the PMC again before it lets the host look. The note names what was asked for then,
 * and the manual's rule.
 */
#include <string.h>

#include "tap.h"

#define EVERY_LEVEL 0xf

static const struct {
	const char *name; /* of the guest's function */
	uint32_t timing;
	unsigned int pmc; /* 0: nothing is told */
	uint32_t reason;
	const char *text; /* part of it */
	const char *rule;
} cases[] = {
	{ "counted", MONTECITO_TIMING_OFF, 0, 0, NULL, "a counter that counts" },
	{ "cycles", MONTECITO_TIMING_OFF, 4, MONTECITO_STANDS_TIME,
	  "CPU_OP_CYCLES.ALL: needs the timing model", "cycles without time" },
	{ "cycles", MONTECITO_TIMING_ON, 0, 0, NULL, "cycles with time" },
	{ "threshold", MONTECITO_TIMING_OFF, 7, MONTECITO_STANDS_THRESHOLD,
	  "a threshold needs the timing model", "a threshold without time" },
	{ "set_l1d", MONTECITO_TIMING_ON, 6, MONTECITO_STANDS_SET,
	  "LOADS_RETIRED: PMC5 selects no event of its set (4.8.2)",
	  "4.8.2: PMC5 selects the L1D's set" },
	{ "set_l2d", MONTECITO_TIMING_ON, 9, MONTECITO_STANDS_SET,
	  "PMC6 selects no event of its set (4.8.4)", "4.8.4: PMC6 selects the L2D's" },
	{ "counter", MONTECITO_TIMING_ON, 4, MONTECITO_STANDS_COUNTER,
	  "PMD4 does not count it, PMD10 does (3.3.3)", "3.3.3: CYCLES_HALTED is PMD10's" },
	{ "no_event", MONTECITO_TIMING_ON, 5, MONTECITO_STANDS_NO_EVENT,
	  "no event has code 0x20 and unit mask 0x0", "a unit mask without an event" },
	{ "late_set", MONTECITO_TIMING_ON, 0, 0, NULL,
	  "a set that is selected last: it counts then" },
};

int main(int argc, char **argv)
{
	struct montecito_symbols *symbols;
	char path[4096], name[160];
	unsigned int i;

	tap_args(argc, argv);
	snprintf(path, sizeof(path), "%s/pmunotes.elf", tap_guests);
	symbols = montecito_symbols_load(path);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct montecito *m = machine_boot("pmunotes.elf", 0, cases[i].timing);
		unsigned int pmc = cases[i].pmc;
		struct montecito_run run;
		uint64_t begin, end, stood;
		char text[256] = "";

		if (montecito_symbols_function(symbols, cases[i].name, &begin, &end) != 1)
			die(ENOENT, "the guest has no %s", cases[i].name);
		montecito_set_reg(m, 0, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP, begin);
		if (montecito_run_until(m, 100000, 0, MONTECITO_RUN_UNTIL, end, &run) ||
		    run.exit.reason != MONTECITO_EXIT_UNTIL)
			die(EIO, "%s does not end", cases[i].name);
		ok_eq(run.uncounted, pmc ? 1ULL << pmc : 0, cases[i].rule);
		if (pmc) {
			stood = machine_reg(m, MONTECITO_REG_SPECIAL,
					    MONTECITO_SPECIAL_STOOD + pmc - 4);
			ok_eq(machine_reg(m, MONTECITO_REG_PMC, pmc), 0x2000000,
			      "... is cleared by then");
			ok_eq(stood >> 32, cases[i].reason, "... has its reason all the same");
			ok_eq(stood & EVERY_LEVEL, EVERY_LEVEL, "... and the value it had");
			montecito_uncounted_text(m, 0, pmc, text);
			snprintf(name, sizeof(name), "... in words: %s", text);
			ok(strstr(text, cases[i].text), "%s", name);
		}
		if (montecito_run(m, 10, 0, &run))
			die(EIO, "run");
		ok_eq(run.uncounted, 0, "... and is told once");
		montecito_close(m);
	}
	montecito_symbols_free(symbols);
	return tap_done();
}
