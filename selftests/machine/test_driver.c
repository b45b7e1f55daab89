// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver of the whole PMU in a guest (driver.S), with time: sets of twelve counters that a
 * timer changes, sampling with every counter at its own period, the event address registers
 * and the trace buffer. What each number must be follows from the guest's loop, from what an
 * observer of level 3 counts beside it, and from rules P1 to P4 (Documentation/pmu.rst).
 */
#include "tap.h"

#define RESULTS 0x1000
#define PARAMS 0x2000
#define TOTALS 0x4000
#define SAMPLES 0x200000
#define BUFFER 0x300000ULL
#define BUFFER_SIZE 0x10000
#define MAGIC 0x726576697264ULL

/* The loop: what each trip has, and what is beside it at level 3. */
#define TRIPS 2000
#define TRIP_INSNS 24
#define TRIP_LOADS 1
#define TRIP_STORES 1
#define TRIP_BRANCHES 6
#define TRIP_FP_OPS 4
#define OTHER_INSNS 2

#define NR_COUNTERS 12 /* PMD4-15 */
#define NR_SETS 4
#define NR_KINDS 6
#define COUNT_MASK ((1ULL << 47) - 1)

#define ISM 0x2000000
#define OI 0x20
#define LEVEL3 0x8
#define EVENT(code, umask) ((uint64_t)(code) << 8 | (umask) << 16 | ISM | LEVEL3)
#define CYCLES EVENT(0x12, 0)
#define INSNS EVENT(0x08, 0)
#define LOADS EVENT(0xcd, 0)
#define STORES EVENT(0xd1, 0)
#define BRANCHES EVENT(0x5b, 0)
#define FP_OPS EVENT(0x09, 0)
#define NOPS EVENT(0x50, 0)
#define BUBBLE EVENT(0x00, 0)
#define FE EVENT(0x00, 1)
#define RSE EVENT(0x01, 0)
#define EXE EVENT(0x02, 0)
#define FLUSH EVENT(0x04, 0)
#define L1D_FPU EVENT(0xca, 0)
#define L1D_MISSES EVENT(0xc7, 0)
#define L2D_REFERENCES EVENT(0xe6, 3)
#define L1I_DEMAND EVENT(0x42, 0)
#define DATA_EAR EVENT(0xc8, 0)
#define INSN_EAR EVENT(0x43, 0)
#define TRACED EVENT(0x11, 0)

struct params {
	uint64_t sets, interval, trips, pmc37, pmc39, pmc40, pad[2];
	uint64_t begin[NR_COUNTERS];
	uint64_t pmc[8][NR_COUNTERS];
};

struct results {
	uint64_t magic, vector, changes, samples, loop, load, end, nobody;
};

struct sample {
	uint64_t pmc0, iip, pmd[NR_COUNTERS], ear[5], index, extension, trace[16];
};

struct guest {
	struct montecito *m;
	char *mem;
	struct params *p;
	const struct results *r;
	const uint64_t (*total)[NR_COUNTERS];
	const struct sample *sample;
};

static struct guest boot(void)
{
	struct guest g;
	uint64_t size;

	g.m = machine_boot("driver.elf", 0, MONTECITO_TIMING_ON);
	g.mem = montecito_memory(g.m, &size);
	g.p = (void *)(g.mem + PARAMS);
	g.r = (const void *)(g.mem + RESULTS);
	g.total = (const void *)(g.mem + TOTALS);
	g.sample = (const void *)(g.mem + SAMPLES);
	memset(g.p, 0, sizeof(*g.p));
	g.p->sets = 1;
	g.p->trips = TRIPS;
	return g;
}

/* Add an observer of level 3 for the event of @pmc, beside all other counters. */
static uint32_t observe(struct guest *g, uint64_t pmc)
{
	struct montecito_filter f = {
		.code = pmc >> 8 & 0xff,
		.umask = pmc >> 16 & 0xf,
		.plm = LEVEL3,
	};
	char why[128] = "";
	int id = montecito_observer_add(g->m, 0, &f, 0, why);

	if (id < 0)
		die(id, "an observer: %s", why);
	return id;
}

static uint64_t observed(struct guest *g, uint32_t id)
{
	uint64_t n;
	int ret = montecito_observer_read(g->m, 0, &id, &n, 1);

	if (ret < 0)
		die(ret, "cannot read an observer");
	return n;
}

/* To its end, in pieces of @slice instructions. */
static bool finish(struct guest *g, uint64_t slice)
{
	machine_run_to(g->m, 1000 * TRIPS, slice);
	return ok(g->r->magic == MAGIC && !g->r->vector && !g->r->nobody,
		  "the guest has come through (vector %#" PRIx64 ")", g->r->vector);
}

/*
 * Sets in turn. No cycle of level 3 is outside of all of them, since they change at level 0:
 * what is in every set adds up to what there is; within each the cycles are accounted for.
 */
static void multiplexed(uint64_t interval)
{
	/* PMC5's is of the L1D's set that the others have too. */
	static const uint64_t set[NR_SETS][NR_COUNTERS] = {
		{ CYCLES, L1D_FPU, INSNS, BUBBLE, FLUSH, EXE, RSE, FE, NOPS, BRANCHES, FP_OPS,
		  L1I_DEMAND },
		{ CYCLES, LOADS, INSNS, BUBBLE, LOADS, LOADS, BRANCHES, FP_OPS, NOPS, FE, RSE,
		  EXE },
		{ CYCLES, STORES, INSNS, BUBBLE, STORES, FLUSH, EXE, NOPS, BRANCHES, FP_OPS, FP_OPS,
		  L1I_DEMAND },
		{ CYCLES, L1D_MISSES, INSNS, BUBBLE, INSNS, BUBBLE, CYCLES, FE, NOPS, FLUSH,
		  BRANCHES, FP_OPS },
	};
	static const uint64_t everywhere[] = { CYCLES, INSNS, BUBBLE, BRANCHES, FP_OPS, NOPS };
	uint64_t n[NR_SETS], sum[6] = { 0 };
	uint32_t id[6], partial[3];
	struct guest g = boot();
	unsigned int i, k, e, bad = 0, idle = 0;

	printf("# a set each %" PRIu64 " cycles\n", interval);
	g.p->sets = NR_SETS;
	g.p->interval = interval;
	memcpy(g.p->pmc, set, sizeof(set));
	for (e = 0; e < 6; e++)
		id[e] = observe(&g, everywhere[e]);
	partial[0] = observe(&g, LOADS);
	partial[1] = observe(&g, STORES);
	partial[2] = observe(&g, L1D_MISSES);
	if (!finish(&g, 0))
		goto out;
	ok(g.r->changes > 2 * NR_SETS, "%" PRIu64 " changes of set", g.r->changes);
	for (k = 0; k < NR_SETS; k++) {
		const uint64_t *t = g.total[k];

		idle += !t[0] || !t[2];
		for (e = 0; e < 6; e++) {
			/* Twice in one set is the same number twice. */
			for (i = 0, n[k] = 0; i < NR_COUNTERS; i++) {
				if (set[k][i] != everywhere[e])
					continue;
				bad += n[k] && n[k] != t[i];
				n[k] = t[i];
			}
			sum[e] += n[k];
		}
		/* At most six instructions in a cycle that is no bubble, and at least one. */
		bad += t[0] - t[3] > t[2] || 6 * (t[0] - t[3]) < t[2];
	}
	ok_eq(idle, 0, "every set has counted");
	ok_eq(bad, 0, "a counter and its double agree, and unstalled cycles retire 1 to 6");
	ok_eq(g.total[0][3],
	      g.total[0][1] + g.total[0][4] + g.total[0][5] + g.total[0][6] + g.total[0][7],
	      "bubbles of a set by their causes");
	ok_eq(sum[0], observed(&g, id[0]), "cycles of all sets: each of level 3");
	ok_eq(sum[1], observed(&g, id[1]), "instructions of all sets: each of level 3");
	ok_eq(sum[1], TRIPS * TRIP_INSNS + OTHER_INSNS, "as many as the loop has");
	ok_eq(sum[2], observed(&g, id[2]), "bubbles");
	ok_eq(sum[3], observed(&g, id[3]), "branches");
	ok_eq(sum[3], TRIPS * TRIP_BRANCHES, "as many as the loop has");
	ok_eq(sum[4], TRIPS * TRIP_FP_OPS, "floating-point operations");
	ok_eq(sum[5], observed(&g, id[5]), "nops");
	ok(g.total[1][1] < TRIPS * TRIP_LOADS && g.total[2][1] < TRIPS * TRIP_STORES &&
		   g.total[3][1] < observed(&g, partial[2]),
	   "what is in one set is counted in its time alone");
	ok_eq(observed(&g, partial[0]), TRIPS * TRIP_LOADS, "loads, by an observer");
	ok_eq(observed(&g, partial[1]), TRIPS * TRIP_STORES, "and stores");
	/* A set counts in a fourth of the time: scaled, as perf does it. */
	ok(g.total[1][1] * sum[0] / g.total[1][0] > TRIPS * TRIP_LOADS * 9 / 10 &&
		   g.total[1][1] * sum[0] / g.total[1][0] < TRIPS * TRIP_LOADS * 11 / 10,
	   "loads, scaled by cycles: within a tenth");
out:
	montecito_close(g.m);
}

/*
 * Periods of five events, each of which also has a counter that never overflows: from one
 * sample to the next that one has gone by the period, and by what the overflow's own cycle
 * has beyond it.
 */
static uint64_t sampled(uint64_t slice)
{
	static const struct {
		uint64_t event, period, most;
		unsigned int counter, free;
	} kind[NR_KINDS] = {
		{ CYCLES, 997, 1, 0, 6 },
		{ LOADS, 107, 1, 1, 7 },
		{ INSNS, 1009, 6, 2, 8 },
		{ BUBBLE, 701, 1, 3, 9 },
		{ BRANCHES, 211, 3, 4, 10 },
		/* Each second time together with the first. */
		{ CYCLES, 2 * 997, 1, 5, 6 },
	};
	struct guest g = boot();
	unsigned int i, k, bad = 0, beyond = 0, seen[NR_KINDS] = { 0 }, outside = 0, frozen = 0,
			   both = 0;
	uint64_t last[NR_KINDS] = { 0 }, hash;

	printf("# samples of six periods%s\n", slice ? ", in pieces" : "");
	for (k = 0; k < NR_KINDS; k++) {
		g.p->begin[kind[k].counter] = -kind[k].period & COUNT_MASK;
		g.p->pmc[0][kind[k].counter] = kind[k].event | OI;
		g.p->pmc[0][kind[k].free] = kind[k].event;
	}
	if (!finish(&g, slice))
		goto out;
	for (i = 0; i < g.r->samples; i++) {
		const struct sample *s = &g.sample[i];

		frozen += s->pmc0 & 1;
		outside += s->iip < g.r->loop || s->iip > g.r->end;
		both += !!((s->pmc0 >> 4) & ((s->pmc0 >> 4) - 1));
		for (k = 0; k < NR_KINDS; k++) {
			uint64_t rest = s->pmd[kind[k].counter] & COUNT_MASK;
			uint64_t now = s->pmd[kind[k].free];

			if (!(s->pmc0 >> (4 + kind[k].counter) & 1)) {
				/* Not yet: the other one says how far it is. */
				bad += rest - (-kind[k].period & COUNT_MASK) != now - last[k];
				continue;
			}
			seen[k]++;
			beyond += rest >= kind[k].most;
			bad += now - last[k] != kind[k].period + rest;
			last[k] = now;
		}
	}
	ok_eq(bad, 0, "each period is exact, and so is each counter between");
	ok_eq(beyond, 0, "an overflow leaves less than its event adds in a cycle");
	ok_eq(frozen, g.r->samples, "PMC0 is frozen at each sample");
	ok_eq(outside, 0, "each interrupt comes in the loop");
	ok_eq(seen[5], seen[0] / 2, "two periods of an event, one twice the other");
	ok(both >= seen[5], "%u samples of several events together", both);
	for (k = 0; k < NR_KINDS; k++) {
		uint64_t total = g.total[0][kind[k].free];

		ok(seen[k] > 10 && seen[k] <= total / kind[k].period &&
			   seen[k] >= total / (kind[k].period + kind[k].most - 1),
		   "event %#" PRIx64 ": %u samples of %" PRIu64, kind[k].event >> 8 & 0xff, seen[k],
		   total);
	}
out:
	hash = machine_hash(g.m);
	montecito_close(g.m);
	return hash;
}

/* Where: the loop's load by the data EAR, its lines by the instruction EAR, its branches. */
static void places(void)
{
	struct guest g = boot();
	unsigned int i, k, loads = 0, lines = 0, branches = 0, wrong = 0, sources = 0;
	const struct sample *s;

	printf("# event address registers and trace buffer\n");
	g.p->pmc40 = LEVEL3; /* the cache, 4 cycles and more */
	g.p->pmc37 = LEVEL3 | 0x40 << 5 | 2 << 12; /* the cache, any latency */
	g.p->pmc39 = LEVEL3 | 2 << 8 | 3 << 10 | 3 << 12; /* taken branches */
	g.p->pmc[0][0] = DATA_EAR | OI;
	g.p->begin[0] = -13ULL & COUNT_MASK;
	g.p->pmc[0][2] = INSN_EAR | OI;
	g.p->begin[2] = -17ULL & COUNT_MASK;
	g.p->pmc[0][3] = TRACED | OI;
	g.p->begin[3] = -101ULL & COUNT_MASK;
	if (!finish(&g, 0))
		goto out;
	for (i = 0; i < g.r->samples; i++) {
		s = &g.sample[i];
		if (s->pmc0 >> 4 & 1) {
			/* PMD36's second bundle is bit 2; PMD33 has the latency. */
			uint64_t ip = (s->ear[4] & ~0xfULL) + (s->ear[4] & 4) * 4;

			loads++;
			wrong += !(s->ear[4] & 8) || ip != g.r->load || (s->ear[4] & 3) != 0 ||
				 s->ear[0] - BUFFER >= BUFFER_SIZE || s->ear[0] % 256 ||
				 (s->ear[1] & 0x1fff) < 4;
		}
		if (s->pmc0 >> 6 & 1) {
			uint64_t ip = s->ear[2] & ~0x1fULL;

			lines++;
			wrong += ip + 63 < g.r->loop || ip > g.r->end;
		}
		if (!(s->pmc0 >> 7 & 1))
			continue;
		branches++;
		/* Sixteen at most since the last sample, which the driver has begun anew behind. */
		for (k = 0; k < 16; k++) {
			uint64_t e = s->trace[k];

			if (!(e & 1) || !(e >> 4))
				continue;
			sources++;
			wrong += (e & ~0xfULL) < g.r->loop || (e & ~0xfULL) > g.r->end;
		}
	}
	ok(loads > 20 && lines > 20 && branches > 20,
	   "%u samples of loads, %u of instructions, %u of branches", loads, lines, branches);
	ok_eq(wrong, 0, "each is the loop's load, one of its lines, its branches");
	ok(sources >= 4 * branches, "%u branches in the trace buffer", sources);
out:
	montecito_close(g.m);
}

int main(int argc, char **argv)
{
	uint64_t whole;

	tap_args(argc, argv);
	multiplexed(5000);
	multiplexed(777);
	whole = sampled(0);
	ok_eq(sampled(1), whole, "instruction by instruction: the same state");
	places();
	return tap_done();
}
