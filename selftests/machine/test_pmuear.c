// SPDX-License-Identifier: GPL-2.0-only
/*
 * The data event address register in a guest (pmuear.S) that leaves one number after
 * the other. What each must be follows from the guest's code, the manual's section
 * 3.3.9 and the latencies of its table 2-9.
 */
#include "tap.h"

#define RESULTS 0x1000
#define MAGIC 0x73656c75726d70ULL
#define INSNS 30000

#define VALID 8 /* PMD36.vl */
#define STAT(n) ((uint64_t)(n) << 14)

/* Where the guest's references go. */
#define DATA 0x4000
#define FAR 0x400000
#define WALKED (2ULL << 61 | 0x10008)
#define NOT_WALKED (3ULL << 61 | 0x10008)

/* Latencies: manual tables 2-8 and 2-9, and memory's as it is by default. */
#define L2D 5
#define MEMORY 200

struct number {
	const char *name;
	uint64_t timed;
	uint64_t functional;
};

/* PMD4, how far from its label the instruction is, its slot and vl, PMD33 and PMD32. */
#define NUMBERS(name, time, count, slot, status, address)                                      \
	{ name ": counted", count, (time) ? 0 : (count) }, { name ": the instruction", 0, 0 }, \
		{ name ": its slot", slot, (time) ? 0 : (slot) },                              \
		{ name ": latency and status", status, (time) ? 0 : (status) },                \
	{                                                                                      \
		name ": the address", address, (time) ? 0 : (address)                          \
	}
/* Captures with and without time; with time alone; never. */
#define CAPTURED(name, count, slot, status, address) \
	NUMBERS(name, false, count, VALID | (slot), status, address)
#define TIMED(name, slot, status, address) NUMBERS(name, true, 1, VALID | (slot), status, address)
#define NOTHING(name) NUMBERS(name, false, 0, 0, 0, 0)

static const struct number numbers[] = {
	NOTHING("a check load that finds its entry"),
	CAPTURED("a check load that does not", 1, 1, STAT(1), 0),
	CAPTURED("two failed chk.a, the second", 2, 1, STAT(1), 0),
	{ "a level that PMC40 leaves out", 0, 0 },
	CAPTURED("a translation from the VHPT", 1, 0, STAT(2), WALKED),
	CAPTURED("a store that faults", 1, 0, STAT(3), NOT_WALKED),
	{ "a fault where the VHPT is asked for", 0, 0 },
	TIMED("a translation from the L2 DTLB", 0, STAT(1), FAR),
	TIMED("any latency, of memory", 0, STAT(1) | MEMORY, FAR + 256),
	TIMED("any latency, of the L2D", 1, STAT(1) | L2D, FAR + 256 + 64),
	TIMED("128 cycles and more, of memory", 0, STAT(1) | MEMORY, FAR + 384),
	NOTHING("128 cycles and more, of the L2D"),
	NOTHING("256 cycles and more, of memory"),
	NOTHING("256 cycles and more, of the L2D"),
	TIMED("a floating-point load", 0, STAT(1) | (L2D + 1), FAR),
	{ "the second capture freezes", 0x11, 0 },
	{ "with what it has captured: latency", STAT(1) | (MEMORY + 1), 0 },
	{ "and the address", FAR + 256 + 64 + 3 * 128, 0 },
};

#define NR(table) (sizeof(table) / sizeof((table)[0]))

struct results {
	uint64_t magic, vector, number[];
};

/* Run whole or in pieces of @slice instructions: the numbers are the same. */
static void test_numbers(bool timed, uint64_t slice)
{
	struct montecito *m =
		machine_boot("pmuear.elf", 0, timed ? MONTECITO_TIMING_ON : MONTECITO_TIMING_OFF);
	const struct results *r;
	uint64_t size;
	size_t i;

	printf("# %s time%s\n", timed ? "with" : "without", slice ? ", in pieces" : "");
	machine_run_to(m, INSNS, slice);
	r = (const void *)((const char *)montecito_memory(m, &size) + RESULTS);
	ok_eq(r->magic, MAGIC, "the guest has come through");
	ok_eq(r->vector, 0, "without an interruption of its own making");
	for (i = 0; i < NR(numbers); i++)
		ok_eq(r->number[i], timed ? numbers[i].timed : numbers[i].functional,
		      numbers[i].name);
	montecito_close(m);
}

int main(int argc, char **argv)
{
	unsigned int i;

	tap_args(argc, argv);
	for (i = 0; i < 4; i++)
		test_numbers(i & 1, i >> 1);
	return tap_done();
}
