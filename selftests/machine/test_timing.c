// SPDX-License-Identifier: GPL-2.0-only
/*
 * Time, kept and not kept: runs of a timed machine without the timing model, where a
 * run stops, halted cycles, and that all of a vcpu's cycles are accounted for
 * (Documentation/model.rst, T10 to T13). What each count must be follows from a
 * loop of eight bundles of three instructions, which are a cycle each.
 */
#include "tap.h"

#define LOOP 0x10000ULL
#define BUNDLES 8
#define TURN (3 * BUNDLES) /* instructions */
#define GENERAL_EXCEPTION 0x5400ULL
#define RESERVED_TEMPLATE 0x06
#define PSR_PP (1ULL << 21)
#define AR_ITC 44
#define CR_ITM 1
#define CR_IVA 2
#define CR_ITV 72
#define CR_PMV 73
#define EVENT_HALTED 0x18
/* privileged monitor of level 0 */
#define PMC10_HALTED (EVENT_HALTED << 8 | 1 << 6 | 1)
#define PMC_OI (1 << 5)
#define CARRY (1ULL << 47)

enum { CYCLES, QUALIFIED, HALTED, INSNS, GROUPS, NR_OBSERVERS };

static const struct montecito_filter filters[NR_OBSERVERS] = {
	[CYCLES] = { .code = 0x12, .plm = 0xf },
	[QUALIFIED] = { .code = 0x12, .umask = 1, .plm = 0xf },
	[HALTED] = { .code = EVENT_HALTED, .plm = 0xf },
	[INSNS] = { .code = 0x08, .plm = 0xf },
	/* cycles in which more than two retire */
	[GROUPS] = { .code = 0x08, .plm = 0xf, .threshold = 2 },
};

struct machine {
	struct montecito *m;
	uint32_t id[NR_OBSERVERS];
};

static void set(struct montecito *m, uint32_t cls, uint32_t index, uint64_t value)
{
	int ret = montecito_set_reg(m, 0, cls, index, value);

	if (ret)
		die(ret, "cannot write register %u of class %u", index, cls);
}

/* Bundles of nops, with @stops behind each; the last goes back to the first. */
static void loop(struct montecito *m, bool stops)
{
	uint64_t size, *code = montecito_memory(m, &size);
	unsigned int i;

	if (!code)
		die(ENOMEM, "no mapping of guest memory");
	code += LOOP / 8;
	for (i = 0; i < BUNDLES; i++) {
		bool last = i == BUNDLES - 1;

		/* {MIB} nop.m, nop.i, br.cond or {MII} nop.m, nop.i, nop.i */
		*code++ = (last ? 0x11 : stops) | 0x8000000ULL << 5;
		*code++ = 0x8000000ULL >> 18 |
			  (last ? 4ULL << 37 | 1ULL << 36 | (-(BUNDLES - 1) & 0xfffffULL) << 13
				: 0x8000000ULL)
				  << 23;
	}
	if (montecito_invalidate(m, LOOP, 16 * BUNDLES))
		die(EIO, "cannot tell of the code");
}

static struct machine start_loop(uint32_t timing, bool stops)
{
	struct montecito_options opt = {
		.size = sizeof(opt),
		.device = tap_device,
		.cores = 1,
		.threads = 1,
		.timing = timing,
		.memory = 4 << 20,
	};
	struct machine a;
	char why[128];
	int ret = montecito_open(&opt, &a.m);
	unsigned int i;

	if (ret < 0)
		die(ret, "cannot open a machine");
	loop(a.m, stops);
	set(a.m, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP, LOOP);
	for (i = 0; timing && i < NR_OBSERVERS; i++) {
		ret = montecito_observer_add(a.m, 0, &filters[i], 0, why);
		if (ret < 0)
			die(ret, "observer %u: %s", i, why);
		a.id[i] = ret;
	}
	return a;
}

static struct machine start(uint32_t timing)
{
	return start_loop(timing, true);
}

static struct montecito_exit run(struct machine *a, uint64_t insns, uint64_t cycles, uint32_t flags,
				 uint64_t until)
{
	struct montecito_run r;
	int ret = montecito_run_until(a->m, insns, cycles, flags, until, &r);

	if (ret)
		die(ret, "run");
	return r.exit;
}

static void observed(struct machine *a, uint64_t count[NR_OBSERVERS])
{
	int ret = montecito_observer_read(a->m, 0, a->id, count, NR_OBSERVERS);

	if (ret)
		die(ret, "cannot read the observers");
}

static struct montecito_cycles spent(struct machine *a)
{
	struct montecito_cause cause[64];
	struct montecito_cycles c = { .count = 64, .causes = (uintptr_t)cause };
	uint64_t sum;
	uint32_t i;
	int ret = montecito_cycles(a->m, 0, &c);

	if (ret)
		die(ret, "cannot read the cycles");
	sum = c.halted + c.functional + c.unstalled;
	for (i = 0; i < c.count; i++)
		sum += cause[i].cycles;
	ok_eq(sum, machine_reg(a->m, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_CYCLES),
	      "each cycle is in one place");
	return c;
}

/* A timed machine runs functionally, with time, functionally. */
static void modes(void)
{
	struct machine a = start(MONTECITO_TIMING_ON);
	uint64_t n[NR_OBSERVERS], before[NR_OBSERVERS];
	struct montecito_cycles c;
	struct montecito_exit e = run(&a, 100 * TURN, 0, MONTECITO_RUN_FUNCTIONAL, 0);

	ok_eq(e.insns, 100 * TURN, "functionally: as many instructions as asked for");
	ok_eq(e.cycles, 100 * BUNDLES, "a cycle a bundle");
	observed(&a, before);
	ok_eq(before[INSNS], 100 * TURN, "what needs no time counts");
	ok(!before[CYCLES] && !before[QUALIFIED] && !before[GROUPS],
	   "cycles and thresholds stand still");
	c = spent(&a);
	ok(c.functional == 100 * BUNDLES && !c.unstalled, "nothing is known of these cycles");
	e = run(&a, 100 * TURN, 0, 0, 0);
	observed(&a, n);
	ok_eq(n[CYCLES], e.cycles, "with time: its cycles are counted");
	ok_eq(n[QUALIFIED], n[CYCLES], "CPU_OP_CYCLES.QUAL is ALL where nothing constrains it");
	/* Behind the start, a bundle with a stop each cycle. */
	ok_eq(n[GROUPS], 100 * BUNDLES, "a group of three in each cycle in which one retires");
	c = spent(&a);
	ok(c.functional == 100 * BUNDLES && c.unstalled == 100 * BUNDLES,
	   "both parts are told apart");
	e = run(&a, TURN, 0, MONTECITO_RUN_FUNCTIONAL, 0);
	observed(&a, before);
	ok(before[CYCLES] == n[CYCLES] && before[GROUPS] == n[GROUPS] &&
		   before[INSNS] == 201 * TURN,
	   "and behind it they stand still again");
	montecito_close(a.m);
}

/* A run in other pieces, or from a saved state, ends in an equal state. */
static void pieces(void)
{
	struct machine a = start(MONTECITO_TIMING_ON), b = start(MONTECITO_TIMING_ON),
		       c = start(MONTECITO_TIMING_ON);
	void *blob;
	size_t len;
	int i, ret;

	run(&a, 50 * TURN, 0, 0, 0);
	run(&a, 50 * TURN, 0, MONTECITO_RUN_FUNCTIONAL, 0);
	run(&a, 50 * TURN, 0, 0, 0);
	for (i = 0; i < 150; i++)
		run(&b, TURN, 0, i / 50 == 1 ? MONTECITO_RUN_FUNCTIONAL : 0, 0);
	ok_eq(machine_hash(b.m), machine_hash(a.m), "150 pieces are as three");
	run(&c, 50 * TURN, 0, 0, 0);
	run(&c, 30 * TURN, 0, MONTECITO_RUN_FUNCTIONAL, 0);
	ret = montecito_save(c.m, &blob, &len);
	if (!ret)
		ret = montecito_restore(b.m, blob, len);
	if (ret)
		die(ret, "save or restore");
	free(blob);
	run(&b, 20 * TURN, 0, MONTECITO_RUN_FUNCTIONAL, 0);
	run(&b, 50 * TURN, 0, 0, 0);
	ok_eq(machine_hash(b.m), machine_hash(a.m), "saved and restored where no time was kept");
	montecito_close(a.m);
	montecito_close(b.m);
	montecito_close(c.m);
}

/* RUN_UNTIL stops before the bundle, each time round. */
static void until(uint32_t timing, uint32_t flags, bool stops, const char *how)
{
	struct machine a = start_loop(timing, stops);
	struct montecito_exit e = { 0 };
	unsigned int i, bad = 0;
	int at;

	/* Decoded already. */
	run(&a, 3 * TURN, 0, flags, 0);
	for (at = BUNDLES - 1; at >= 0; at--) {
		uint64_t there = LOOP + 16 * at;

		run(&a, 1, 0, flags, 0);
		/* From wherever that is, then a turn each. */
		for (i = 0; i < 3; i++) {
			e = run(&a, 10 * TURN, 0, flags | MONTECITO_RUN_UNTIL, there);
			bad += e.reason != MONTECITO_EXIT_UNTIL || e.ip != there ||
			       machine_reg(a.m, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP) !=
				       there ||
			       (i ? e.insns != TURN : e.insns > TURN);
		}
	}
	ok(!bad, "%s: stops at each bundle, each time round (%u do not)", how, bad);
	run(&a, 0, 1, flags, 0);
	e = run(&a, 5 * TURN, 0, flags | MONTECITO_RUN_UNTIL, LOOP + 16 * BUNDLES);
	ok(e.reason == MONTECITO_EXIT_BUDGET && e.insns >= 5 * TURN,
	   "%s: the budget ends it where the address is not met", how);
	montecito_close(a.m);
}

static int param(struct machine *a, const char *name, uint64_t value)
{
	struct montecito_param p = { .value = value };

	strncpy(p.name, name, sizeof(p.name) - 1);
	return montecito_param_set(a->m, &p);
}

/* Where time begins again the pipe is empty, which costs core.flush cycles. */
static uint64_t turn_after_flush(uint64_t flush)
{
	struct machine a = start(MONTECITO_TIMING_ON);
	struct montecito_exit e;

	run(&a, 10 * TURN, 0, 0, 0);
	run(&a, TURN, 0, MONTECITO_RUN_FUNCTIONAL, 0);
	if (flush)
		ok_eq(param(&a, "core.flush", flush), 0, "core.flush is set");
	e = run(&a, TURN, 0, 0, 0);
	montecito_close(a.m);
	return e.cycles;
}

static void params(void)
{
	struct machine a = start(MONTECITO_TIMING_ON), b = start(MONTECITO_TIMING_ON);
	void *blob;
	size_t len;
	int ret;

	ok_eq(turn_after_flush(33), turn_after_flush(0) + 33 - 7, "core.flush costs what it says");
	ok_eq(param(&a, "core.flush", 0), -EINVAL, "a value below its range");
	ok_eq(param(&a, "l2d.latency", 8), -EINVAL, "one that does not go with the others");
	ok_eq(param(&a, "pkr", 8), -EPERM, "one that is fixed");
	ret = montecito_save(a.m, &blob, &len);
	if (ret)
		die(ret, "save");
	ok_eq(param(&b, "core.flush", 8), 0, "another machine has another number");
	ok_eq(montecito_restore(b.m, blob, len), -EINVAL, "and refuses the first one's state");
	ok_eq(param(&b, "core.flush", 7), 0, "until it has the same");
	ok_eq(montecito_restore(b.m, blob, len), 0, "and takes it");
	free(blob);
	montecito_close(a.m);
	montecito_close(b.m);
}

static void halted(void)
{
	struct machine a = start(MONTECITO_TIMING_ON);
	uint64_t n[NR_OBSERVERS], v;
	struct montecito_cycles c;

	set(a.m, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR, PSR_PP);
	set(a.m, MONTECITO_REG_CR, CR_ITV, 0x40);
	set(a.m, MONTECITO_REG_CR, CR_ITM, machine_reg(a.m, MONTECITO_REG_AR, AR_ITC) + 100000);
	set(a.m, MONTECITO_REG_PMC, 10, PMC10_HALTED);
	run(&a, 10 * TURN, 0, 0, 0);
	set(a.m, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_HALTED, 1);
	run(&a, 0, 5000, 0, 0);
	observed(&a, n);
	ok_eq(n[HALTED], 5000, "CYCLES_HALTED counts halted cycles");
	ok_eq(machine_reg(a.m, MONTECITO_REG_PMD, 10), 5000, "and so does PMD10");
	c = spent(&a);
	ok(c.halted == 5000 && c.cycles == n[CYCLES] + n[HALTED],
	   "elapsed cycles are CPU_OP_CYCLES and CYCLES_HALTED");
	/* Interrupts are not accepted, but wake. */
	set(a.m, MONTECITO_REG_CR, CR_PMV, 0x50);
	set(a.m, MONTECITO_REG_PMC, 10, PMC10_HALTED | PMC_OI);
	set(a.m, MONTECITO_REG_PMD, 10, CARRY - 100);
	run(&a, 0, 5000, 0, 0);
	observed(&a, n);
	ok_eq(n[HALTED], 5100, "an overflow wakes the processor in its cycle");
	ok_eq(machine_reg(a.m, MONTECITO_REG_PMC, 0), 1 << 10 | 1, "PMC0 tells of it");
	ok(!machine_reg(a.m, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_HALTED) &&
		   !machine_reg(a.m, MONTECITO_REG_PMD, 10),
	   "it runs, and the counter is frozen");
	c = spent(&a);
	ok(c.cycles == n[CYCLES] + n[HALTED] && c.halted == 5100, "elapsed cycles, again");
	/* The timer, 100000 cycles from the start, wakes it too. */
	set(a.m, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_HALTED, 1);
	v = machine_reg(a.m, MONTECITO_REG_AR, AR_ITC);
	run(&a, 10 * TURN, 0, 0, 0);
	observed(&a, n);
	ok_eq(n[HALTED], 5100 + 100000 - v, "the timer does in its own");
	montecito_close(a.m);
}

/*
 * Manual 4.6: a cycle in which no instruction retires is a bubble. A reserved template at
 * the vector of its own fault, General Exception: each group's first instruction faults.
 */
static void faulting(void)
{
	struct machine a = start(MONTECITO_TIMING_ON);
	uint64_t size, *code = montecito_memory(a.m, &size), n[NR_OBSERVERS];
	struct montecito_cycles c;

	code[GENERAL_EXCEPTION / 8] = RESERVED_TEMPLATE;
	if (montecito_invalidate(a.m, GENERAL_EXCEPTION, 16))
		die(EIO, "cannot tell of the code");
	set(a.m, MONTECITO_REG_CR, CR_IVA, 0);
	set(a.m, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP, GENERAL_EXCEPTION);
	run(&a, 0, 1000, 0, 0);
	observed(&a, n);
	c = spent(&a);
	ok(n[CYCLES] == 1000 && !n[INSNS] && !c.unstalled,
	   "faults alone: each of 1000 cycles is a bubble");
	montecito_close(a.m);
}

/* Cycles of ten turns of the loop, behind ten that fill caches and predictors. */
static uint64_t ten_turns(struct machine *a)
{
	uint64_t before[NR_OBSERVERS], after[NR_OBSERVERS];

	run(a, 10 * TURN, 0, 0, 0);
	observed(a, before);
	run(a, 10 * TURN, 0, 0, 0);
	observed(a, after);
	return after[CYCLES] - before[CYCLES];
}

static void serialized(void)
{
	struct machine a = start(MONTECITO_TIMING_ON);
	uint64_t size, *code = montecito_memory(a.m, &size), without = ten_turns(&a);

	/* srlz.i for the nop.m of the fourth bundle */
	code[LOOP / 8 + 6] ^= 3ULL << 31 << 5;
	if (montecito_invalidate(a.m, LOOP, 16 * BUNDLES))
		die(EIO, "cannot tell of the code");
	/* The rest of its bundle is a group behind it. */
	ok_eq(ten_turns(&a) - without, 10 * (7 + 1), "srlz.i is a flush, of 7 cycles");
	montecito_close(a.m);
}

int main(int argc, char **argv)
{
	tap_args(argc, argv);
	serialized();
	faulting();
	modes();
	pieces();
	until(MONTECITO_TIMING_OFF, 0, true, "without time");
	until(MONTECITO_TIMING_ON, 0, true, "with time");
	until(MONTECITO_TIMING_ON, 0, false, "with time, in the middle of groups");
	until(MONTECITO_TIMING_ON, MONTECITO_RUN_FUNCTIONAL, false, "time not kept");
	params();
	halted();
	return tap_done();
}
