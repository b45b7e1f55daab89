// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts of loops of known groups (pipeline.S), each number by a sentence of the manual.
 * A loop goes round a few times and more often; the difference, by trip, is what one takes
 * where caches and predictors have settled.
 */
#include <string.h>

#include "tap.h"

#define FEW 4
#define MANY 20
#define LINES 1024

#define AR_LC 65

enum event {
	CYCLES,
	BUBBLES,
	FE,
	EXE,
	LOST_IMISS,
	FLUSH,
	RSE,
	RETIRED,
	DISPERSED,
	DISP_STALLED,
	NR_EVENTS,
};

static const struct montecito_filter filters[NR_EVENTS] = {
	[CYCLES] = { .code = 0x12, .plm = 0xf },
	[BUBBLES] = { .code = 0x00, .umask = 0x0, .plm = 0xf },
	[FE] = { .code = 0x00, .umask = 0x1, .plm = 0xf },
	[EXE] = { .code = 0x02, .umask = 0x0, .plm = 0xf },
	[FLUSH] = { .code = 0x04, .umask = 0x0, .plm = 0xf },
	[RSE] = { .code = 0x01, .umask = 0x0, .plm = 0xf },
	[RETIRED] = { .code = 0x08, .plm = 0xf },
	[DISPERSED] = { .code = 0x4d, .plm = 0xf },
	[DISP_STALLED] = { .code = 0x49, .plm = 0xf },
	[LOST_IMISS] = { .code = 0x72, .umask = 0x6, .plm = 0xf },
};

static struct montecito_symbols *symbols;

static uint64_t address(const char *name, uint64_t *end)
{
	uint64_t begin;

	if (montecito_symbols_function(symbols, name, &begin, end) != 1)
		die(ENOENT, "the guest has no %s", name);
	return begin;
}

/* Count @trips of the loop @name on @m, where @id count. */
static void go(struct montecito *m, const uint32_t *id, const char *name, uint64_t trips,
	       uint64_t count[NR_EVENTS])
{
	uint64_t end, begin = address(name, &end), before[NR_EVENTS];
	struct montecito_run run;
	int ret = montecito_observer_read(m, 0, id, before, NR_EVENTS);
	unsigned int i;

	if (ret)
		die(ret, "cannot read the observers");
	montecito_set_reg(m, 0, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP, begin);
	montecito_set_reg(m, 0, MONTECITO_REG_AR, AR_LC, trips - 1);
	ret = montecito_run_until(m, 10000000, 0, MONTECITO_RUN_UNTIL, end, &run);
	if (ret || run.exit.reason != MONTECITO_EXIT_UNTIL)
		die(ret, "%s does not end: reason %u", name, run.exit.reason);
	montecito_observer_read(m, 0, id, count, NR_EVENTS);
	for (i = 0; i < NR_EVENTS; i++)
		count[i] -= before[i];
}

static void set(struct montecito *m, uint32_t cls, uint32_t index, uint64_t value)
{
	int ret = montecito_set_reg(m, 0, cls, index, value);

	if (ret)
		die(ret, "cannot write register %u of class %u", index, cls);
}

/*
 * Counts of MANY trips beyond those of FEW, where the model's number @param, if any, is @value;
 * "psr" and "pmc4" are those registers.
 */
static void row_with(const char *name, const char *param, uint64_t value, uint64_t count[NR_EVENTS])
{
	struct montecito_param p = { .value = value };
	struct montecito *m = machine_boot("pipeline.elf", 0, MONTECITO_TIMING_ON);
	uint64_t few[NR_EVENTS];
	uint32_t id[NR_EVENTS];
	unsigned int i;
	char why[128];

	snprintf(p.name, sizeof(p.name), "%s", param ? param : "");
	if (param && !strcmp(param, "psr"))
		set(m, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR, value);
	else if (param && !strcmp(param, "pmc4"))
		set(m, MONTECITO_REG_PMC, 4, value);
	else if (param && montecito_param_set(m, &p))
		die(EINVAL, "%s cannot be %" PRIu64, param, value);
	for (i = 0; i < NR_EVENTS; i++) {
		int ret = montecito_observer_add(m, 0, &filters[i], 0, why);

		if (ret < 0)
			die(ret, "observer %u: %s", i, why);
		id[i] = ret;
	}
	go(m, id, name, MANY, count);
	go(m, id, name, FEW, few);
	go(m, id, name, MANY, count);
	for (i = 0; i < NR_EVENTS; i++)
		count[i] -= few[i];
	montecito_close(m);
}

static void row(const char *name, uint64_t count[NR_EVENTS])
{
	row_with(name, NULL, 0, count);
}

/* @have of @trips trips is @want each, and what the loop's own branch adds, less than 16. */
static void about(uint64_t have, uint64_t trips, uint64_t want, const char *name)
{
	bool good = have >= trips * want && have < trips * (want + 16);

	if (!ok(good, "%s", name))
		printf("# %" PRIu64 ", expected %" PRIu64 "\n", have / trips, want);
}

/*
 * Manual 4.6: a stall inserts its bubble in one location of the pipeline, and an operand is
 * waited for in EXE: a group that the front end has not delivered waits there for nothing.
 * 2.3.3.2: an L1I miss takes 7 cycles. Table 2-8: getf 5 cycles to the ALU; note 5: CR 10.
 */
static void fetched(void)
{
	uint64_t nop[NR_EVENTS], getf[NR_EVENTS], cr[NR_EVENTS], small[NR_EVENTS];
	const unsigned int trips = MANY - FEW;

	row("ring_nop", nop);
	row("ring_getf", getf);
	row("ring_cr", cr);
	row("wait_cr", small);
	about(nop[FE], trips, 7 * LINES, "a line that the L1I misses: 7 cycles of FE");
	ok_eq(nop[EXE], 0, "... and none of EXE");
	about(nop[LOST_IMISS], trips, 14 * LINES, "... two bundles lost in each");
	ok_eq(getf[CYCLES], nop[CYCLES], "a result that is there before its group costs nothing");
	ok_eq(getf[FE], nop[FE], "... the cycles are the front end's");
	ok_eq(getf[EXE], 0, "... and none of EXE");
	ok_eq(getf[LOST_IMISS], nop[LOST_IMISS], "... the bandwidth is lost to the miss");
	ok_eq(small[EXE], 9 * trips, "a control register is waited for 9 cycles");
	ok_eq(cr[CYCLES], nop[CYCLES],
	      "in each fourth line, behind the fetch of 7, it costs nothing");
	/* The reader of the last one is behind the loop's branch. */
	ok_eq(cr[EXE], 2 * (LINES / 4 - 1) * trips, "... 2 cycles wait for it");
	ok_eq(cr[FE], nop[FE] - cr[EXE], "... and the other 5 are still the front end's");
}

/*
 * Manual 4.4: INST_DISPERSED counts instructions that go from REN to REG. While the register
 * stack engine stores or loads, its group is held in front of that.
 */
static void held(const char *name, unsigned int insns, unsigned int words)
{
	const unsigned int trips = MANY - FEW;
	uint64_t n[NR_EVENTS];

	row(name, n);
	ok(!n[FLUSH], "%s: no flush", name);
	ok_eq(n[RETIRED], insns * trips, "... all its instructions retire");
	ok_eq(n[DISPERSED], n[RETIRED], "... and disperse once");
	ok_eq(n[DISP_STALLED], n[BUBBLES], "... in each bubble nothing disperses");
	/* Two references of the engine in a cycle: manual 4.12, RSE_REFERENCES_RETIRED. */
	ok(n[RSE] >= (uint64_t)words / 2 * trips - trips, "... most of which are the engine's");
}

/* Table 2-8: the result of a floating-point load is there M + 1 cycles behind it. */
static void floating_point(void)
{
	const unsigned int trips = MANY - FEW;
	static const unsigned int m[] = { 5, 3, 7 };
	uint64_t n[NR_EVENTS];
	unsigned int i;

	for (i = 0; i < sizeof(m) / sizeof(*m); i++) {
		row_with("load_fp", "l2d.latency", m[i], n);
		if (!ok(n[BUBBLES] == (uint64_t)m[i] * trips,
			"l2d.latency %u: a floating-point load is waited for %u cycles", m[i],
			m[i]))
			printf("# %" PRIu64 " in %u trips\n", n[BUBBLES], trips);
	}
}

#define PSR_DB (1ULL << 24)
#define COUNT_INSTS 0x200080fULL /* PMC4: IA64_INST_RETIRED of every level, by PSR.up */
#define MASKS 8
#define TRANSLATED 6 /* instructions in a trip: two bundles */

/*
 * Manual 2.3.1 and table 2-5: a group ends at a stop or for want of a port. No sentence has
 * one end behind a write of the user mask, but what it enables counts from there on.
 */
static void user_mask(void)
{
	const unsigned int trips = MANY - FEW;
	uint64_t n[NR_EVENTS];

	row("mask_ac", n);
	ok_eq(n[CYCLES], (MASKS + 1) * trips, "sum and rum of PSR.ac in slot 1: a group a bundle");
	row("mask_be", n);
	ok_eq(n[CYCLES], (MASKS + 1) * trips, "... and of PSR.be");
	ok_eq(n[DISPERSED], n[RETIRED], "... and what disperses retires");
	row("mask_up", n);
	ok_eq(n[CYCLES], (MASKS + 1) * trips, "... and of PSR.up, that no counter looks at");
	row_with("mask_up", "pmc4", COUNT_INSTS, n);
	ok_eq(n[CYCLES], (2 * MASKS + 1) * trips, "... which counts anew where one does");
}

/* Manual 3.3.7: PSR.db has no effect on monitoring; nothing has it change the groups. */
static void breakpoints(void)
{
	uint64_t with[NR_EVENTS], without[NR_EVENTS];

	row("mask_ac", without);
	row_with("mask_ac", "psr", PSR_DB, with);
	ok_eq(with[CYCLES], without[CYCLES], "PSR.db without a breakpoint: the same cycles");
	ok_eq(with[DISPERSED], without[DISPERSED], "... and instructions dispersed");
	row("ring_nop", without);
	row_with("ring_nop", "psr", PSR_DB, with);
	ok_eq(with[CYCLES], without[CYCLES], "... and in groups of two bundles");
}

/*
 * Transfers from the L2 DTLB in 40 trips of a loop of loads from one page, of which the second
 * ten run with @flags.
 */
static uint64_t transfers(uint32_t flags)
{
	static const struct montecito_filter transfer = { .code = 0xc0, .plm = 0xf };
	struct montecito *m = machine_boot("pipeline.elf", 0, MONTECITO_TIMING_ON);
	uint64_t end, begin = address("translated", &end), count;
	struct montecito_run run;
	char why[128];
	int id = montecito_observer_add(m, 0, &transfer, 0, why), ret;
	uint32_t observer = id;

	if (id < 0)
		die(id, "observer: %s", why);
	set(m, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP, begin);
	set(m, MONTECITO_REG_AR, AR_LC, 40 - 1);
	ret = montecito_run_until(m, 10 * TRANSLATED, 0, 0, 0, &run);
	if (!ret)
		ret = montecito_run_until(m, 10 * TRANSLATED, 0, flags, 0, &run);
	if (!ret)
		ret = montecito_run_until(m, 10000, 0, MONTECITO_RUN_UNTIL, end, &run);
	if (!ret)
		ret = montecito_observer_read(m, 0, &observer, &count, 1);
	if (ret || run.exit.reason != MONTECITO_EXIT_UNTIL)
		die(ret, "translated does not end: reason %u", run.exit.reason);
	montecito_close(m);
	return count;
}

/* Manual 4.10: an entry that the L1 DTLB has not comes from the L2 DTLB. */
static void begins_again(void)
{
	ok_eq(transfers(0), 1, "a page in use all along: one transfer to the L1 DTLB");
	ok_eq(transfers(MONTECITO_RUN_FUNCTIONAL), 2,
	      "... and another where time begins again, with an empty L1 DTLB");
}

int main(int argc, char **argv)
{
	char path[4096];

	tap_args(argc, argv);
	snprintf(path, sizeof(path), "%s/pipeline.elf", tap_guests);
	symbols = montecito_symbols_load(path);
	if (!symbols)
		die(ENOMEM, "no symbols");
	fetched();
	floating_point();
	user_mask();
	breakpoints();
	begins_again();
	/* Of 182 registers 86 are stored, and loaded when the caller's frame comes back. */
	held("rse_alloc", 3 + 3 + 3 + 3, 2 * 86);
	/* The registers that flushrs has stored are still valid: loadrs loads NaT collections alone. */
	held("rse_flush", 3 + 3 + 3 + 3 + 3 + 3, 90);
	montecito_symbols_free(symbols);
	return tap_done();
}
