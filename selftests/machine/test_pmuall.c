// SPDX-License-Identifier: GPL-2.0-only
/*
 * A bare image whose handlers program PMC4-15 on each of one, two and four processors (manual
 * 3.3): they count what observers count, exactly, and lose nothing over overflow interrupts.
 */
#include "tap.h"

#define PARAMS 0x2000
#define RESULTS 0x4000
#define MAGIC 0x6c6c61756d70ULL
#define VECTOR 0xd2

#define PMC_PLM3 0x8
#define PMC_OI 0x20
#define PMC_PM 0x40
#define PMC_ES_SHIFT 8
#define PMC_UMASK_SHIFT 16
#define PMC_ISM 0x2000000
#define CARRY (1ULL << 47)

#define COUNTERS 12
#define MOST 4
#define ROUNDS 2000

struct params {
	uint64_t period, rounds, pmv, processors, pad[4], pmc[COUNTERS];
};

struct results {
	uint64_t pmd[COUNTERS], overflows, magic, unexpected, pad[17];
};

_Static_assert(sizeof(struct results) == 0x100, "pmuall.S has this");

/*
 * PMD10-15 stand in the background: there are events of the thread in front. PMC5 leads the set of
 * L1D events (manual 4.8.2).
 */
static const char any[] = "IA64_INST_RETIRED,LOADS_RETIRED,BUS_MEM_READ.ALL.SELF,L3_MISSES,"
			  "CPU_OP_CYCLES.ALL,NOPS_RETIRED,PREDICATE_SQUASHED_RETIRED,"
			  "BACK_END_BUBBLE.ALL,BE_FLUSH_BUBBLE.ALL,CPU_OP_CYCLES.ALL,LOADS_RETIRED,"
			  "IA64_INST_RETIRED";
/* An overflow freezes all of them up to its handler: events of instructions alone. */
static const char retired[] =
	"IA64_INST_RETIRED,LOADS_RETIRED,NOPS_RETIRED,PREDICATE_SQUASHED_RETIRED,"
	"IA64_INST_RETIRED,LOADS_RETIRED,NOPS_RETIRED,PREDICATE_SQUASHED_RETIRED,"
	"IA64_INST_RETIRED,LOADS_RETIRED,NOPS_RETIRED,PREDICATE_SQUASHED_RETIRED";

static struct montecito *open_machine(uint32_t cores, uint32_t threads)
{
	struct montecito_options opt = {
		.size = sizeof(opt),
		.device = tap_device,
		.cores = cores,
		.threads = threads,
		.config = MONTECITO_SYSTEM_CONFIG,
		.memory = MONTECITO_DEFAULT_MEMORY,
		.timing = MONTECITO_TIMING_ON,
	};
	struct montecito *m;
	const char *why = "";
	char path[4096];
	int ret = montecito_open(&opt, &m);

	if (ret < 0)
		die(ret, "cannot open a machine");
	snprintf(path, sizeof(path), "%s/pmuall.elf", tap_guests);
	ret = montecito_boot_load(m, path, 0, &why);
	if (ret < 0)
		die(ret, "cannot load %s: %s", path, why ? why : "");
	return m;
}

/* Program @spec in PMC4 + @n of @p, and observe it in each vcpu of @m. */
static void count(struct montecito *m, struct params *p, uint32_t n,
		  const struct montecito_event_spec *spec, uint32_t ids[MOST][COUNTERS])
{
	struct montecito_filter filter = spec->filter;
	unsigned int v;
	char why[128];

	p->pmc[n] = PMC_ISM | PMC_PM | PMC_PLM3 | (uint64_t)filter.code << PMC_ES_SHIFT |
		    (uint64_t)filter.umask << PMC_UMASK_SHIFT;
	if (!n && p->period)
		p->pmc[n] |= PMC_OI;
	filter.plm = PMC_PLM3;
	for (v = 0; v < p->processors; v++) {
		int id = montecito_observer_add(m, v, &filter, 0, why);

		if (id < 0)
			die(id, "%s: %s", spec->text, why);
		ids[v][n] = id;
	}
}

static bool ended(const volatile struct results *r, unsigned int processors)
{
	unsigned int v, n = 0;

	for (v = 0; v < processors; v++)
		n += r[v].magic == MAGIC;
	return n == processors;
}

static void counts(uint32_t cores, uint32_t threads, const char *list, uint64_t period)
{
	struct montecito *m = open_machine(cores, threads);
	struct montecito_event_spec *specs = NULL;
	uint32_t ids[MOST][COUNTERS], n, v, bad = 0, none = 0;
	uint64_t size, counted[COUNTERS];
	uint8_t *memory = montecito_memory(m, &size);
	struct params *p = (struct params *)(memory + PARAMS);
	struct results *r = (struct results *)(memory + RESULTS);
	struct montecito_run run;
	size_t nr = 0;
	char msg[512];
	int ret, slice;

	if (montecito_events_parse(list, &specs, &nr, msg) || nr != COUNTERS)
		die(EINVAL, "%s", msg);
	*p = (struct params){ period, ROUNDS, VECTOR, cores * threads, { 0 }, { 0 } };
	for (n = 0; n < COUNTERS; n++)
		count(m, p, n, &specs[n], ids);
	for (slice = 0; slice < 1000 && !ended(r, p->processors); slice++) {
		ret = montecito_run(m, 10000, 0, &run);
		if (ret < 0)
			die(ret, "run");
	}
	for (v = 0; v < p->processors; v++) {
		ret = montecito_observer_read(m, v, ids[v], counted, COUNTERS);
		if (ret < 0)
			die(ret, "observers");
		bad += r[v].unexpected || r[v].magic != MAGIC;
		none += period && r[v].overflows < ROUNDS * 6 / period;
		for (n = 0; n < COUNTERS; n++) {
			uint64_t have = r[v].pmd[n] & (CARRY - 1);

			if (!n && period)
				have = r[v].overflows * period + have - (CARRY - period);
			if (have != counted[n])
				printf("# vcpu %u, PMD%u, %s: %" PRIu64 ", observed %" PRIu64 "\n",
				       v, n + 4, specs[n].text, have, counted[n]);
			bad += have != counted[n] || (specs[n].text[0] == 'I' && have < 6 * ROUNDS);
		}
	}
	ok(!bad && !none, "%u processors, %s: the guests' counters have what observers have",
	   (uint32_t)p->processors, period ? "overflow interrupts" : "all kinds of events");
	montecito_events_free(specs, nr);
	montecito_close(m);
}

int main(int argc, char **argv)
{
	uint32_t i;

	tap_args(argc, argv);
	for (i = 0; i < 3; i++) {
		counts(1 + i / 2, 1 + (i > 0), any, 0);
		counts(1 + i / 2, 1 + (i > 0), retired, 997);
	}
	return tap_done();
}
