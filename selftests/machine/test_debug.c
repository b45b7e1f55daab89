// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stops of RUN for a debugger: breakpoints, watched ranges and single steps come where
 * observers count them, with time and without, and leave no trace: the machine ends with
 * the hash of a run without them.
 */
#include <fcntl.h>
#include <unistd.h>

#include "tap.h"

#define RI(psr) ((psr) >> 41 & 3)

/**
 * struct debugger - what stands in the place of RUN
 * @bp: its breakpoints
 * @nr: how many
 * @step: steps, one after the other
 * @timed: the machine has time
 * @hits: EXIT_BREAKPOINTs
 * @wrong: of them, with something there that is no breakpoint
 * @watched: references to watched ranges
 * @steps: EXIT_STEPs
 */
struct debugger {
	struct montecito_breakpoint bp[MONTECITO_MAX_BREAKPOINTS];
	uint32_t nr;
	bool step;
	bool timed;
	uint64_t hits;
	uint64_t wrong;
	uint64_t watched;
	uint64_t steps;
};

static int raw(struct montecito *m, const struct montecito_run *want, struct montecito_run *r,
	       uint64_t insns, uint64_t cycles)
{
	struct montecito_run run = *want;
	int err;

	if (want->insns)
		run.insns = want->insns - insns;
	if (want->cycles)
		run.cycles = want->cycles - cycles;
	err = montecito_run_raw(m, &run);
	*r = run;
	return err;
}

static bool is_breakpoint(const struct debugger *d, const struct montecito_exit *x)
{
	uint32_t i;

	for (i = 0; i < d->nr; i++)
		if (d->bp[i].kind == MONTECITO_BREAK_EXEC && d->bp[i].addr == x->ip + x->slot)
			return true;
	return false;
}

/* Past the group that comes next, without breakpoints. */
static int pass(struct montecito *m, struct debugger *d, const struct montecito_run *want,
		struct montecito_run *r)
{
	struct montecito_run go = *want;

	go.flags &= ~(MONTECITO_RUN_BREAKPOINTS | MONTECITO_RUN_MMIO_DATA);
	go.nr_breakpoints = 0;
	go.breakpoints = 0;
	if (d->nr) {
		uint32_t i, n = 0;
		static struct montecito_breakpoint watch[MONTECITO_MAX_BREAKPOINTS];

		for (i = 0; i < d->nr; i++)
			if (d->bp[i].kind != MONTECITO_BREAK_EXEC)
				watch[n++] = d->bp[i];
		go.flags |= MONTECITO_RUN_BREAKPOINTS;
		go.nr_breakpoints = n;
		go.breakpoints = (uintptr_t)watch;
	}
	go.insns = 0;
	go.cycles = 1;
	*r = go;
	return montecito_run_raw(m, r);
}

static int debug(struct montecito *m, struct montecito_run *run, void *arg)
{
	uint64_t insns = 0, cycles = 0, reason;
	struct montecito_run want = *run, r;
	struct debugger *d = arg;
	bool over = false;
	int err;

	want.flags |= MONTECITO_RUN_BREAKPOINTS | (d->step ? MONTECITO_RUN_STEP : 0);
	want.nr_breakpoints = d->nr;
	want.breakpoints = (uintptr_t)d->bp;
	do {
		if (over)
			err = pass(m, d, &want, &r);
		else
			err = raw(m, &want, &r, insns, cycles);
		if (err)
			return err;
		want.flags &= ~MONTECITO_RUN_MMIO_DATA;
		insns += r.exit.insns;
		cycles += r.exit.cycles;
		d->watched += !!r.exit.watch.kind;
		reason = r.exit.reason;
		if (reason == MONTECITO_EXIT_STEP)
			d->steps++;
		if (over) {
			/* A cycle in which the group waits. */
			over = reason == MONTECITO_EXIT_BUDGET && !r.exit.insns;
		} else if (reason == MONTECITO_EXIT_BREAKPOINT) {
			d->hits++;
			d->wrong += !is_breakpoint(d, &r.exit);
			over = true;
		}
		if (want.insns && insns >= want.insns)
			break;
	} while (reason == MONTECITO_EXIT_BREAKPOINT || reason == MONTECITO_EXIT_WATCHPOINT ||
		 reason == MONTECITO_EXIT_STEP || over ||
		 (reason == MONTECITO_EXIT_BUDGET && !(want.insns && insns >= want.insns)));
	if (reason == MONTECITO_EXIT_BREAKPOINT || reason == MONTECITO_EXIT_WATCHPOINT ||
	    reason == MONTECITO_EXIT_STEP)
		r.exit.reason = MONTECITO_EXIT_BUDGET;
	*run = r;
	run->exit.insns = insns;
	run->exit.cycles = cycles;
	return 0;
}

struct outcome {
	int status;
	uint64_t hash;
	uint64_t insns;
	uint64_t count[2]; /* by observers: in a range of instructions, of data */
};

static struct outcome run(const char *path, uint32_t timing, struct debugger *d,
			  const struct montecito_filter filter[2])
{
	char *argv[] = { (char *)"program", NULL }, *envp[] = { NULL };
	struct montecito_process_options opt = {
		.size = sizeof(opt), .page_shift = 14, .argv = argv, .envp = envp
	};
	struct montecito *m = machine_open(MONTECITO_CFG_HOST_INTERRUPTIONS, timing);
	struct montecito_process *p;
	struct outcome out = { 0 };
	const char *why = NULL;
	int ret, tap_out, null, i;
	uint32_t id[2];
	char msg[128];

	ret = montecito_process_load(m, path, &opt, &p, &why);
	if (ret < 0)
		die(ret, "cannot load %s: %s", path, why ? why : "");
	for (i = 0; filter && i < 2; i++) {
		ret = montecito_observer_add(m, 0, &filter[i], 0, msg);
		if (ret < 0)
			die(ret, "observer: %s", msg);
		id[i] = ret;
	}
	if (d) {
		d->timed = timing;
		montecito_debug(m, debug, d);
	}
	fflush(stdout);
	tap_out = dup(1);
	null = open("/dev/null", O_WRONLY);
	dup2(null, 1);
	close(null);
	out.status = montecito_process_run(p);
	dup2(tap_out, 1);
	close(tap_out);
	out.hash = machine_hash(m);
	out.insns = machine_reg(m, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS);
	if (filter)
		montecito_observer_read(m, 0, id, out.count, 2);
	montecito_process_free(p);
	montecito_close(m);
	return out;
}

static void same(const struct outcome *have, const struct outcome *want, const char *how)
{
	ok(have->status == want->status && have->insns == want->insns && have->hash == want->hash,
	   "%s: as without a debugger", how);
}

/* Every bundle of @path's text, in all slots, a few at a time. */
static void everywhere(const char *path, uint32_t timing, uint64_t lo, uint64_t hi)
{
	struct outcome plain = run(path, timing, NULL, NULL), res;
	uint64_t at = lo, hits = 0, wrong = 0;
	bool good = true;

	while (at < hi) {
		struct debugger d = { 0 };

		for (; at < hi && d.nr < MONTECITO_MAX_BREAKPOINTS; at += 16) {
			d.bp[d.nr].addr = at + at / 16 % 3;
			d.bp[d.nr++].kind = MONTECITO_BREAK_EXEC;
		}
		res = run(path, timing, &d, NULL);
		good &= res.hash == plain.hash && res.insns == plain.insns;
		hits += d.hits;
		wrong += d.wrong;
	}
	ok(good && hits && !wrong, "%s: breakpoints everywhere, %" PRIu64 " stops, no trace",
	   timing ? "with time" : "without", hits);
}

static void stepped(const char *path)
{
	struct outcome plain = run(path, MONTECITO_TIMING_OFF, NULL, NULL), res;
	struct debugger d = { .step = true };

	res = run(path, MONTECITO_TIMING_OFF, &d, NULL);
	same(&res, &plain, "step by step");
	ok(d.steps + 64 > plain.insns && d.steps < 2 * plain.insns,
	   "%" PRIu64 " steps, %" PRIu64 " instructions", d.steps, plain.insns);
}

static uint64_t symbol(const char *path, const char *name)
{
	struct montecito_symbols *s = montecito_symbols_load(path);
	uint64_t addr, size;
	const char *n;
	size_t i;

	for (i = 0; (n = montecito_symbols_at(s, i, &addr, &size)); i++)
		if (!strcmp(n, name))
			break;
	if (!n)
		die(ENOENT, "%s has no %s", path, name);
	montecito_symbols_free(s);
	return addr;
}

/* Batches of general registers in a frame of 11: all of them are written, or none is. */
static void batches(struct montecito *m)
{
	const struct montecito_reg bad[] = {
		{ .cls = MONTECITO_REG_GR, .index = 0 },
		{ .cls = MONTECITO_REG_GR, .index = 43 },
		{ .cls = MONTECITO_REG_GR, .index = 128 },
		{ .cls = MONTECITO_REG_GR, .index = 8, .value = { 1, 2 } },
	};
	struct montecito_reg r[3] = {
		{ .cls = MONTECITO_REG_GR, .index = 36, .value = { 4711 } },
		{ .cls = MONTECITO_REG_GR, .index = 8, .value = { 4712, 1 } },
	};
	uint64_t hash = machine_hash(m);
	unsigned int i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		r[2] = bad[i];
		ok(montecito_set_regs(m, 0, r, 3) == -EINVAL && machine_hash(m) == hash,
		   "r%u is refused, and the two in front of it are as they were", bad[i].index);
	}
	ok(!montecito_set_regs(m, 0, r, 2) && !montecito_get_regs(m, 0, r, 2) &&
		   r[0].value[0] == 4711 && r[1].value[0] == 4712 && r[1].value[1] == 1,
	   "the two alone are written");
}

/* Reads that change nothing: the register stack's registers, and translations. */
static void looks(const char *path, uint64_t start)
{
	char *argv[] = { (char *)"program", NULL }, *envp[] = { NULL };
	/* Behind alloc: a frame of 11, of which none is in memory. */
	struct montecito_process_options opt = {
		.size = sizeof(opt),
		.page_shift = 14,
		.argv = argv,
		.envp = envp,
		.budget = 3,
	};
	struct montecito *m = machine_open(MONTECITO_CFG_HOST_INTERRUPTIONS, 0);
	uint64_t hash, pa = 0, v, bundle[2], text[2];
	struct montecito_reg r = { .cls = MONTECITO_REG_GR, .index = 35, .value = { 77, 1 } };
	struct montecito_process *p;
	const char *why;

	if (montecito_process_load(m, path, &opt, &p, &why))
		die(EINVAL, "cannot load %s", path);
	ok(montecito_process_run(p) == -EDQUOT, "a frame is there");
	montecito_set_regs(m, 0, &r, 1);
	hash = machine_hash(m);
	r = (struct montecito_reg){ .cls = MONTECITO_REG_STACKED, .index = 3 };
	ok(!montecito_get_regs(m, 0, &r, 1) && r.value[0] == 77 && r.value[1] == 1,
	   "r35 is the fourth on the register stack");
	ok(montecito_get_reg(m, 0, MONTECITO_REG_STACKED, 10, &v) == 0 &&
		   montecito_get_reg(m, 0, MONTECITO_REG_STACKED, 11, &v) == -EINVAL,
	   "which has the frame's eleven");
	ok(!montecito_translate(m, 0, true, start, &pa) && montecito_at(m, pa, 16),
	   "where the code is");
	memcpy(bundle, montecito_at(m, pa, 16), 16);
	montecito_process_peek(p, start, text, 16);
	ok(!memcmp(bundle, text, 16) && text[0], "it is there");
	ok(montecito_translate(m, 0, false, 0x123456789000, &v) == -ENOENT, "nothing is nowhere");
	ok(machine_hash(m) == hash, "and all is as it was");
	batches(m);
	montecito_process_free(p);
	montecito_close(m);
}

int main(int argc, char **argv)
{
	char path[4096], more[4096];
	uint64_t start;
	uint32_t timing;

	tap_args(argc, argv);
	snprintf(path, sizeof(path), "%s/count.elf", tap_guests);
	snprintf(more, sizeof(more), "%s/workload.elf", tap_guests);
	start = symbol(path, "_start");
	for (timing = MONTECITO_TIMING_OFF; timing <= MONTECITO_TIMING_ON; timing++) {
		/* The second bundle of the loop (count.S), which begins no group with time. */
		const uint64_t at = start + 8 * 16, cells = 0x6000000000000000ULL;
		const struct montecito_filter f[2] = {
			{ .code = 0x08,
			  .plm = 0xf,
			  .flags = MONTECITO_FILTER_IAR,
			  .iar_lo = at,
			  .iar_hi = at + 16 },
			{ .code = 0xd1,
			  .plm = 0xf,
			  .flags = MONTECITO_FILTER_DAR,
			  .dar_lo = cells + 16,
			  .dar_hi = cells + 24 },
		};
		struct debugger d = { .nr = 1 };
		struct outcome plain, res;

		d.bp[0] = (struct montecito_breakpoint){ at + 1, 0, MONTECITO_BREAK_EXEC };
		plain = run(path, timing, NULL, f);
		res = run(path, timing, &d, f);
		same(&res, &plain, timing ? "a breakpoint, with time" : "a breakpoint");
		ok_eq(res.count[0], 3000, "it is in each turn of the loop");
		/* With time the loads of the first turn are in its group, and meet a TLB miss. */
		ok_eq(d.hits, timing ? 1001 : 1000, "and stops before it");
		ok(!d.wrong, "and nowhere else");

		/* st8 [r16] of the loop, ld4 [r15] beside it, ld16 [r18] behind it. */
		d = (struct debugger){ .nr = 1 };
		d.bp[0] = (struct montecito_breakpoint){ cells + 23, 1, MONTECITO_BREAK_WRITE };
		res = run(path, timing, &d, f);
		same(&res, &plain, "a range watched for stores");
		ok(d.watched == 1000 && res.count[1] == 1000, "each store to it is seen");
		d = (struct debugger){ .nr = 1 };
		d.bp[0] = (struct montecito_breakpoint){ cells + 8, 4, MONTECITO_BREAK_READ };
		res = run(path, timing, &d, f);
		same(&res, &plain, "one for loads");
		ok(d.watched == 1000, "each load from it is seen");
		d = (struct debugger){ .nr = 2 };
		d.bp[0] = (struct montecito_breakpoint){ cells + 8, 4, MONTECITO_BREAK_WRITE };
		d.bp[1] = (struct montecito_breakpoint){
			cells + 47, 1, MONTECITO_BREAK_READ | MONTECITO_BREAK_WRITE
		};
		res = run(path, timing, &d, f);
		same(&res, &plain, "one for neither and one for both");
		ok(d.watched == 1, "a load is no store, and 16 bytes reach far");
	}
	everywhere(path, MONTECITO_TIMING_OFF, start, start + 0x200);
	everywhere(path, MONTECITO_TIMING_ON, start, start + 0x200);
	everywhere(more, MONTECITO_TIMING_ON, symbol(more, "_start"),
		   symbol(more, "_start") + 0x60);
	looks(path, start);
	stepped(path);
	/* Two million calls are no different from twenty thousand to a device. */
	if (!tap_device)
		stepped(more);
	return tap_done();
}
