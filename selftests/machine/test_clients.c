// SPDX-License-Identifier: GPL-2.0-only
/*
 * Register accesses of the PMU clients of Linux/ia64, step by step in a
 * guest (clients.S), which leaves one number a step. The value of each follows
 * from the guest's code and from what its client relies on
 * (Documentation/pmu-clients.rst).
 */
#include "tap.h"

#define RESULTS 0x1000
#define MAGIC 0x73746e65696c63ULL
#define VECTOR 0xee
#define USER_INSNS (3 + 3 * 200)
#define START (1ULL << 46)

static const struct step {
	const char *name;
	uint64_t value;
} steps[] = {
	{ "perf: PMC4 reads back ism alone", 0x2000000 },
	{ "perf: start to stop, kernel code: PMD read after plm = 0", 306 },
	{ "perf: and PMD4 keeps it, sign-extended from bit 46", (START + 306) | -(1ULL << 47) },
	{ "perf: a task with pt_regs.pp: its user code", USER_INSNS },
	{ "perf: a task without: nothing more", USER_INSNS },
	{ "perf: between thaw and freeze", 5 },
	{ "perf: samples taken", 5 },
	{ "perf: the vector", VECTOR },
	{ "perf: PMC0 at a sample: fr and bit 4", 0x11 },
	{ "perf: one interrupt a freeze: IVR is spurious then", 15 },
	{ "perfmon: PMC4's default reads back", 0 },
	{ "perfmon: PMC32's", 0 },
	{ "perfmon: PMC33's", 0 },
	{ "perfmon: PMC34's", 0 },
	{ "perfmon: PMC35's", 0 },
	{ "perfmon: PMC36's", 0 },
	{ "perfmon: PMC37's", 0 },
	{ "perfmon: PMC38's", 0 },
	{ "perfmon: PMC39's", 0 },
	{ "perfmon: PMC40's", 0 },
	{ "perfmon: PMC41's", 0 },
	{ "perfmon: PMC42's", 0 },
	{ "perfmon: a task with PSR.up", USER_INSNS },
	{ "perfmon: a task without: nothing more", USER_INSNS },
	{ "perfmon: monitoring masked: nothing more", USER_INSNS },
	{ "perfmon: and unmasked: it goes on", 2 * USER_INSNS },
	{ "perfmon: an overflow put back into PMC0 interrupts nobody", 0 },
	{ "perfmon: PMC0 holds it", 0x11 },
	{ "perfmon: an interrupt to itself does", 1 },
	{ "perfmon: its handler sees the overflow", 0x11 },
	{ "perfmon: and clears it", 0 },
};

struct results {
	uint64_t magic, vector, iip, pad;
	uint64_t step[sizeof(steps) / sizeof(steps[0])];
};

int main(int argc, char **argv)
{
	struct montecito *m;
	struct results *r;
	uint64_t size;
	unsigned int i;
	char *mem;

	tap_args(argc, argv);
	m = machine_boot("clients.elf", 0, MONTECITO_TIMING_OFF);
	mem = montecito_memory(m, &size);
	if (!mem)
		die(ENOMEM, "no mapping of guest memory");
	r = (void *)(mem + RESULTS);
	machine_run_to(m, 100000, 0);
	ok(!r->vector, "no unexpected interruption (vector %#llx at %#llx)",
	   (unsigned long long)r->vector, (unsigned long long)r->iip);
	ok_eq(r->magic, MAGIC, "the guest came to its end");
	for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		ok_eq(r->step[i], steps[i].value, steps[i].name);
	montecito_close(m);
	return tap_done();
}
