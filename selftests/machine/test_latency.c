// SPDX-License-Identifier: GPL-2.0-only
/*
 * Load latency as an IA-32 processor's PMU has it, beside the trace of each reference that the
 * model makes: a chain of pointers is chased through 4 KB to 64 MB. Counts for every threshold
 * are those of the trace, and so are address, latency and source of each precise record. Hits of
 * the L1D are those that the chain is built for, and with the other levels part all loads. The
 * counters of the uncore have the misses of both threads, one of which reads 8 MB and the other
 * lines that no cache has.
 */
#include "program.h"

#define FIRST (4ULL << 20)
#define LINE 128
#define MAGIC 0x6573616863ULL
#define LOADS_MOST 40000
#define PMUS 8
#define RECORD 176
#define LATENCY (0x100bULL | 3ULL << 16 | 1ULL << 22)
#define LL 0x100000001ULL

struct load {
	uint64_t va;
	uint64_t latency;
	uint64_t ip;
	uint32_t slot;
	uint32_t what;
	uint64_t cycle;
};

static struct load logged[LOADS_MOST];
static size_t nr_logged;
static uint64_t expected_hash;
static char why[128];

/* Records of each PMU. */
struct seen {
	uint32_t id;
	uint64_t reset;
	uint64_t records;
	uint64_t wrong;
	size_t at;
	uint32_t sources;
};

static void set(struct montecito *m, uint32_t id, struct montecito_pmu_reg *reg, uint32_t nr)
{
	int ret = montecito_pmu_set(m, 0, id, reg, nr, why);

	if (ret < 0)
		die(ret, "registers: %s", why);
}

static uint64_t get(struct montecito *m, uint32_t id, uint32_t cls, uint32_t index)
{
	struct montecito_pmu_reg reg = { .cls = cls, .index = index };
	int ret = montecito_pmu_get(m, 0, id, &reg, 1, why);

	if (ret < 0)
		die(ret, "register %u: %s", index, why);
	return reg.value;
}

/* A chain of @lines lines over @size bytes from @at on, in an order without a stride. */
static uint64_t chain(uint64_t *memory, uint64_t at, uint64_t size, uint64_t lines)
{
	uint64_t step = size / lines / LINE * LINE, i;

	/* 1021 and all numbers of lines here have no divisor in common. */
	for (i = 0; i < lines; i++)
		memory[(at + i * 1021 % lines * step) / 8] = at + (i + 1) * 1021 % lines * step;
	return at;
}

static struct montecito *boot(uint64_t size)
{
	struct montecito_options opt = {
		.size = sizeof(opt),
		.device = tap_device,
		.cores = 1,
		.threads = 1,
		/* The chain, and little else: each machine is cleared and hashed. */
		.memory = FIRST + (size < FIRST ? FIRST : size),
		.timing = MONTECITO_TIMING_ON,
	};
	uint64_t lines = size / LINE < 4096 ? size / LINE : 4096, r[3], bytes;
	struct montecito *m;
	const char *text = "";
	char path[4096];
	int ret = montecito_open(&opt, &m), i;

	if (ret < 0)
		die(ret, "cannot open a machine");
	snprintf(path, sizeof(path), "%s/chase.elf", tap_guests);
	ret = montecito_boot_load(m, path, 0, &text);
	if (ret < 0)
		die(ret, "cannot load %s: %s", path, text ? text : "");
	r[0] = chain(montecito_memory(m, &bytes), FIRST, size, lines);
	r[1] = 2 * lines - 1;
	r[2] = 1ULL << 63 | FIRST;
	for (i = 0; i < 3; i++) {
		ret = montecito_set_reg(m, 0, MONTECITO_REG_GR, i < 2 ? 9 + i : 15, r[i]);
		if (ret < 0)
			die(ret, "registers");
	}
	ret = montecito_ring_open(m, 0, 8, 0);
	if (ret < 0)
		die(ret, "ring");
	return m;
}

static uint32_t add(struct montecito *m, uint64_t least, uint64_t reset)
{
	struct montecito_pmu_add a = { .flags = reset ? MONTECITO_PMU_SAMPLE : 0,
				       .kind = MONTECITO_PMU_PEBS };
	struct montecito_pmu_reg reg[] = {
		{ MONTECITO_PMU_REG_MSR, 0x3f6, least },
		{ MONTECITO_PMU_REG_DS, 0x30, LOADS_MOST * RECORD },
		{ MONTECITO_PMU_REG_DS, 0x38, LOADS_MOST * RECORD },
		{ MONTECITO_PMU_REG_DS, 0x40, -reset },
		{ MONTECITO_PMU_REG_MSR, 0xc1, -reset },
		{ MONTECITO_PMU_REG_MSR, 0x186, LATENCY },
		{ MONTECITO_PMU_REG_MSR, 0x3f1, reset ? LL : 0 },
		{ MONTECITO_PMU_REG_MSR, 0x38f, 1 },
	};
	int id = montecito_pmu_add(m, 0, &a);

	if (id < 0)
		die(id, "%s", a.why);
	set(m, id, reg, sizeof(reg) / sizeof(reg[0]));
	return id;
}

/* A load that missed a line which the other of its group has missed in the same cycle. */
static bool is_second(const struct load *l)
{
	return l > logged && l->slot == 1 && l[-1].cycle == l->cycle &&
	       l[-1].va / LINE == l->va / LINE && l[-1].what != MONTECITO_TRACE_L1D &&
	       l[-1].what != MONTECITO_TRACE_L2D;
}

static uint64_t source_of(const struct load *l)
{
	if (l->va >> 63)
		return 0xf;
	if (is_second(l))
		return 2;
	return l->what == MONTECITO_TRACE_L2D ? 3 : l->what == MONTECITO_TRACE_L3 ? 4 : 0xc;
}

/* A precise record: its load is in the log, not before that of the last one. */
static void look(struct seen *s, const struct montecito_record_pmu *r)
{
	const __u64 *w = r->value;

	s->records++;
	while (s->at < nr_logged && !(logged[s->at].va == w[19] && logged[s->at].latency == w[21] &&
				      logged[s->at].ip == r->ip && logged[s->at].slot == r->slot))
		s->at++;
	if (s->at == nr_logged || source_of(&logged[s->at]) != w[20] || w[21] <= 3 ||
	    logged[s->at].cycle > r->cycles)
		s->wrong++;
	s->sources |= 1U << w[20];
}

static void drain(struct montecito *m, struct seen *seen, bool log)
{
	static uint64_t buf[32768];
	int n, i, p;

	while ((n = montecito_ring_read(m, 0, buf, sizeof(buf))) > 0)
		for (i = 0; i < n / 8;) {
			const struct montecito_record_header *h = (const void *)&buf[i];
			const struct montecito_record_trace *t = (const void *)h;
			const struct montecito_record_pmu *r = (const void *)h;

			if (log && h->type == MONTECITO_RECORD_TRACE && nr_logged < LOADS_MOST)
				logged[nr_logged++] = (struct load){ t->value[0], t->value[1],
								     t->ip,	  t->slot,
								     t->what,	  t->cycle };
			for (p = 0; p < PMUS && h->type == MONTECITO_RECORD_PMU; p++)
				if (seen && seen[p].id == r->id &&
				    r->cause == MONTECITO_PMU_CAUSE_ASSIST)
					look(&seen[p], r);
			i += h->size / 8;
		}
}

static void run(struct montecito *m, struct seen *seen, bool log)
{
	struct montecito_run x;

	while (machine_reg(m, MONTECITO_REG_GR, 16) != MAGIC) {
		int ret = montecito_run(m, 3000, 0, &x);

		if (ret < 0)
			die(ret, "run");
		drain(m, seen, log);
	}
}

/* The log, from a run with neither PMUs nor an effect of them. */
static void trace(uint64_t size)
{
	struct montecito *m = boot(size);
	int ret = montecito_trace(m, 0, 1U << MONTECITO_TRACE_REFERENCE);

	if (ret < 0)
		die(ret, "trace");
	nr_logged = 0;
	run(m, NULL, true);
	expected_hash = machine_hash(m);
	montecito_close(m);
}

static uint64_t above(uint64_t least)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < nr_logged; i++)
		n += logged[i].latency > least;
	return n;
}

static void counted(uint64_t size)
{
	uint64_t least, i, wrong = 0, most = 0;
	bool same = true;

	for (least = 3; least <= 300; least += PMUS) {
		struct montecito *m = boot(size);
		uint32_t id[PMUS];

		for (i = 0; i < PMUS; i++)
			id[i] = add(m, least + i, 0);
		run(m, NULL, false);
		for (i = 0; i < PMUS; i++) {
			uint64_t n = get(m, id[i], MONTECITO_PMU_REG_MSR, 0xc1);

			wrong += n != above(least + i);
			most = n > most ? n : most;
		}
		same &= machine_hash(m) == expected_hash;
		montecito_close(m);
	}
	ok(!wrong && most, "L2, L3: %llu KB: each threshold of 3 to 300 has the trace's loads",
	   (unsigned long long)size >> 10);
	ok(same, "%llu KB: the state is what it is without", (unsigned long long)size >> 10);
}

static uint32_t recorded(uint64_t size, const uint64_t resets[PMUS])
{
	struct montecito *m = boot(size);
	struct seen seen[PMUS] = { 0 };
	uint32_t sources = 0;
	int i;

	for (i = 0; i < PMUS; i++) {
		seen[i].reset = resets[i];
		seen[i].id = add(m, 3, resets[i]);
	}
	run(m, seen, false);
	for (i = 0; i < PMUS; i++) {
		ok(seen[i].records == above(3) / (resets[i] + 1) && !seen[i].wrong,
		   "L5, L6: %llu KB, reset %llu: %llu records, %llu of no such load",
		   (unsigned long long)size >> 10, (unsigned long long)resets[i],
		   (unsigned long long)seen[i].records, (unsigned long long)seen[i].wrong);
		sources |= seen[i].sources;
	}
	ok(machine_hash(m) == expected_hash, "%llu KB: the state is what it is without",
	   (unsigned long long)size >> 10);
	montecito_close(m);
	return sources;
}

#define HIT_RESET 2
#define LOADS 0x010b
#define SERVED(umask) (0xcb | (umask) << 8)

/* General counter @n of PMU @id counts the event of @code, at all levels. */
static void counter(struct montecito *m, uint32_t id, uint32_t n, uint32_t code)
{
	struct montecito_pmu_reg reg[] = {
		{ MONTECITO_PMU_REG_MSR, 0x186 + n, code | 3ULL << 16 | 1ULL << 22 },
		{ MONTECITO_PMU_REG_MSR, 0x38f, 15 },
	};

	set(m, id, reg, 2);
}

/* How many loads of the trace, but for that of uncached memory, are from @what, first or @second. */
static uint64_t from(uint32_t what, bool second)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < nr_logged; i++)
		n += !(logged[i].va >> 63) && is_second(&logged[i]) == second &&
		     logged[i].what == what;
	return n;
}

/* Precise records of PMU @id: those whose pointer names the instruction behind their load. */
static uint64_t hit_records(struct montecito *m, uint32_t id)
{
	static uint64_t buf[32768];
	uint64_t records = 0;
	int n, i;

	while ((n = montecito_ring_read(m, 0, buf, sizeof(buf))) > 0)
		for (i = 0; i < n / 8;) {
			const struct montecito_record_pmu *r = (const void *)&buf[i];

			records += r->header.type == MONTECITO_RECORD_PMU && r->id == id &&
				   r->cause == MONTECITO_PMU_CAUSE_ASSIST && r->slot < 2 &&
				   r->value[1] == (r->ip | (r->slot + 1));
			i += r->header.size / 8;
		}
	return records;
}

/*
 * The levels that serve the loads. The L1D has 128 lines of the chain at most: of all of a shorter
 * one both passes' second finds each pair of words, and of a longer one none, as the least recently
 * used line gives way.
 */
static void levels(uint64_t size)
{
	static const uint8_t umask[] = { 0x01, 0x02, 0x04, 0x10, 0x40 };
	uint64_t lines = size / LINE < 4096 ? size / LINE : 4096, n[5], loads, hits;
	struct montecito_pmu_reg precise = { MONTECITO_PMU_REG_MSR, 0x3f1, 1 };
	struct montecito *m = boot(size);
	struct montecito_run x;
	uint64_t records = 0;
	uint32_t id[3], i;
	int ret;

	hits = size <= 16 << 10 ? 2 * lines : 0;
	for (i = 0; i < 3; i++)
		id[i] = add(m, 3, i == 2 ? HIT_RESET : 0);
	for (i = 0; i < 5; i++)
		counter(m, id[i / 4], i % 4, SERVED(umask[i]));
	counter(m, id[1], 1, LOADS);
	set(m, id[2], &precise, 1);
	counter(m, id[2], 0, SERVED(umask[0]));
	while (machine_reg(m, MONTECITO_REG_GR, 16) != MAGIC) {
		ret = montecito_run(m, 3000, 0, &x);
		if (ret < 0)
			die(ret, "run");
		records += hit_records(m, id[2]);
	}
	for (i = 0; i < 5; i++)
		n[i] = get(m, id[i / 4], MONTECITO_PMU_REG_MSR, 0xc1 + i % 4);
	loads = get(m, id[1], MONTECITO_PMU_REG_MSR, 0xc2);
	ok(n[0] == hits && n[0] == from(MONTECITO_TRACE_L1D, false),
	   "%llu KB: %llu hits of the L1D of %llu", (unsigned long long)size >> 10,
	   (unsigned long long)n[0], (unsigned long long)hits);
	ok(records == hits / (HIT_RESET + 1), "%llu KB: %llu precise records of hits",
	   (unsigned long long)size >> 10, (unsigned long long)records);
	ok(n[1] == from(MONTECITO_TRACE_L2D, false) && n[2] == from(MONTECITO_TRACE_L3, false) &&
		   n[3] == from(MONTECITO_TRACE_MEMORY, false) &&
		   n[4] == from(MONTECITO_TRACE_L2D, true) &&
		   n[0] + n[1] + n[2] + n[3] + n[4] + 1 == loads && loads == 4 * lines + 1,
	   "%llu KB: the levels and one uncached load part %llu loads",
	   (unsigned long long)size >> 10, (unsigned long long)loads);
	ok(machine_hash(m) == expected_hash, "%llu KB: the state is what it is without",
	   (unsigned long long)size >> 10);
	montecito_close(m);
}

static uint32_t observe(struct montecito *m, uint32_t vcpu, const char *event)
{
	struct montecito_event_spec *spec = NULL;
	char msg[512];
	size_t nr = 0;
	int ret;

	if (montecito_events_parse(event, &spec, &nr, msg) < 0)
		die(EINVAL, "%s", msg);
	ret = montecito_observer_add(m, vcpu, &spec->filter, 0, why);
	if (ret < 0)
		die(ret, "%s: %s", event, why);
	montecito_events_free(spec, nr);
	return ret;
}

/* A program whose loads the L1D serves in segments, but for its first misses. */
static void hits(const char *name)
{
	struct montecito *m = machine_open(MONTECITO_CFG_HOST_INTERRUPTIONS, MONTECITO_TIMING_ON);
	struct montecito_process *p;
	uint64_t n, read[2];
	uint32_t id, own[2];
	char path[4096];
	int ret;

	snprintf(path, sizeof(path), "%s/%s", tap_guests, name);
	p = program_load(m, path, 0);
	id = add(m, 3, 0);
	counter(m, id, 0, SERVED(0x01));
	/* All of them integer loads of the program. A counter of reads would look at each. */
	own[0] = observe(m, 0, "LOADS_RETIRED");
	own[1] = observe(m, 0, "L1D_READ_MISSES.ALL");
	ret = montecito_process_run(p);
	if (ret)
		die(EIO, "%s: status %d", name, ret);
	ret = montecito_observer_read(m, 0, own, read, 2);
	if (ret < 0)
		die(ret, "counts");
	n = get(m, id, MONTECITO_PMU_REG_MSR, 0xc1);
	ok(n == read[0] - read[1] && n > read[1] && read[1],
	   "%s: %llu hits of the L1D: %llu loads less %llu misses", name, (unsigned long long)n,
	   (unsigned long long)read[0], (unsigned long long)read[1]);
	montecito_process_free(p);
	montecito_close(m);
}

#define UNCORE_PERIOD 5000
#define UNCORE_VCPUS 2
#define EN (1ULL << 22)
#define PMI (1ULL << 20)

/* A PMU whose uncore counts hits and misses; those of processor 0 interrupt it. */
static void uncore_add(struct montecito *m, uint32_t vcpu)
{
	const uint64_t start = (1ULL << 48) - UNCORE_PERIOD;
	struct montecito_pmu_add a = {
		.flags = MONTECITO_PMU_SAMPLE,
		.kind = MONTECITO_PMU_PEBS,
		.nr_reload = 3,
		.reload = { { MONTECITO_PMU_REG_MSR, 0x3b1, start },
			    { MONTECITO_PMU_REG_MSR, 0x390, 1ULL << 61 },
			    { MONTECITO_PMU_REG_MSR, 0x393, 3 | 1ULL << 61 } },
	};
	struct montecito_pmu_reg reg[] = {
		{ MONTECITO_PMU_REG_MSR, 0x3b1, start },
		{ MONTECITO_PMU_REG_MSR, 0x3c0, 0x0308 | EN },
		{ MONTECITO_PMU_REG_MSR, 0x3c1, 0x0309 | EN | PMI },
		{ MONTECITO_PMU_REG_MSR, 0x391, 3 | (vcpu ? 0 : 1ULL << 48) },
	};
	int ret = montecito_ring_open(m, vcpu, 8, 0);

	if (ret >= 0)
		ret = montecito_pmu_add(m, vcpu, &a);
	if (ret >= 0)
		ret = montecito_pmu_set(m, vcpu, ret, reg, sizeof(reg) / sizeof(reg[0]), why);
	if (ret < 0)
		die(ret, "the uncore of processor %u: %s%s", vcpu, a.why, why);
}

static uint64_t uncore_get(struct montecito *m, uint32_t vcpu, uint32_t index)
{
	struct montecito_pmu_reg reg = { MONTECITO_PMU_REG_MSR, index, 0 };
	int ret = montecito_pmu_get(m, vcpu, 1, &reg, 1, why);

	if (ret < 0)
		die(ret, "%s", why);
	return reg.value;
}

/* Records of interrupts that tell of the uncore's misses alone. */
static uint64_t uncore_records(struct montecito *m, uint32_t vcpu)
{
	static uint64_t buf[32768];
	uint64_t records = 0;
	int n, i;

	while ((n = montecito_ring_read(m, vcpu, buf, sizeof(buf))) > 0)
		for (i = 0; i < n / 8;) {
			const struct montecito_record_pmu *r = (const void *)&buf[i];

			records += r->header.type == MONTECITO_RECORD_PMU && r->cause == 1 << 8 &&
				   r->value[0] == 1ULL << 61 && r->value[1] == (2 | 1ULL << 61);
			i += r->header.size / 8;
		}
	return records;
}

static struct montecito_process *load_all(struct montecito *m)
{
	static const char *const image[] = { "sweep.elf", "classes.elf" };
	struct montecito_process *p[UNCORE_VCPUS] = { NULL };
	uint32_t v;

	for (v = 0; v < UNCORE_VCPUS; v++) {
		char path[4096], twice[] = "2", *argv[] = { path, twice, NULL }, *envp[] = { NULL };
		struct montecito_process_options opt = {
			.size = sizeof(opt),
			.page_shift = 14,
			.argv = argv,
			.envp = envp,
			.vcpu = v,
			.places = UNCORE_VCPUS,
			.first = p[0],
		};
		const char *text = "";
		int ret;

		snprintf(path, sizeof(path), "%s/%s", tap_guests, image[v]);
		ret = montecito_process_load(m, path, &opt, &p[v], &text);
		if (ret < 0)
			die(ret, "cannot load %s: %s", path, text ? text : "");
	}
	return p[0];
}

static uint64_t uncore_run(bool pmus, uint64_t own[2])
{
	static const char *const events[] = { "L3_REFERENCES", "L3_MISSES" };
	struct montecito_options opt = {
		.size = sizeof(opt),
		.device = tap_device,
		.cores = 1,
		.threads = 2,
		.config = MONTECITO_CFG_HOST_INTERRUPTIONS,
		.memory = 128 << 20,
		.timing = MONTECITO_TIMING_ON,
	};
	uint32_t id[UNCORE_VCPUS][2], v, e, wrong = 0;
	struct montecito_process *p;
	struct montecito *m;
	uint64_t hash;
	int ret = montecito_open(&opt, &m);

	if (ret < 0)
		die(ret, "cannot open a machine");
	p = load_all(m);
	for (v = 0; pmus && v < UNCORE_VCPUS; v++) {
		uncore_add(m, v);
		for (e = 0; e < 2; e++)
			id[v][e] = observe(m, v, events[e]);
	}
	if (montecito_process_run(p))
		die(EIO, "the programs fail");
	for (e = 0; e < 2; e++)
		for (own[e] = 0, v = 0; pmus && v < UNCORE_VCPUS; v++) {
			uint64_t n;

			ret = montecito_observer_read(m, v, &id[v][e], &n, 1);
			if (ret < 0)
				die(ret, "count");
			own[e] += n;
		}
	for (v = 0; pmus && v < UNCORE_VCPUS; v++) {
		uint64_t misses = uncore_get(m, v, 0x3b1), records = uncore_records(m, v);

		wrong += uncore_get(m, v, 0x3b0) != own[0] - own[1];
		/* The first one's handler writes its counter anew, the other's counts on. */
		if (!v)
			wrong += records < own[1] / UNCORE_PERIOD / 2;
		else
			wrong += records || misses != own[1] - UNCORE_PERIOD ||
				 uncore_get(m, v, 0x392) != 2 || uncore_get(m, v, 0x38e);
		printf("# processor %u: %llu hits, %llu interrupts\n", v,
		       (unsigned long long)uncore_get(m, v, 0x3b0), (unsigned long long)records);
	}
	if (pmus)
		ok(!wrong && own[1], "L11: the uncore's counters have the misses of both threads");
	hash = machine_hash(m);
	montecito_process_free(p);
	montecito_close(m);
	return hash;
}

static void uncore(void)
{
	uint64_t own[2], with = uncore_run(true, own);

	ok(with == uncore_run(false, own), "L11: the state is what it is without");
}

int main(int argc, char **argv)
{
	static const uint64_t sizes[] = { 4 << 10, 16 << 10, 256 << 10, 4 << 20, 64 << 20 };
	static const uint64_t some[PMUS] = { 1, 2, 3, 7, 10, 99, 500, 1000 };
	uint64_t every[PMUS], reset;
	uint32_t sources = 0;
	unsigned int i;

	tap_args(argc, argv);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		trace(sizes[i]);
		counted(sizes[i]);
		sources |= recorded(sizes[i], some);
		/* Each up to 1000, where the chase has more than eight times as many loads. */
		for (reset = 1; reset <= 1000 && i == 2 && tap_whole(); reset++) {
			every[reset % PMUS] = reset;
			if (reset % PMUS == 0)
				recorded(sizes[i], every);
		}
		levels(sizes[i]);
	}
	ok(sources == (1U << 2 | 1U << 3 | 1U << 4 | 1U << 0xc | 1U << 0xf),
	   "L5: pending lines, L2D, L3, memory and uncached memory: %#x", sources);
	hits("workload.elf");
	uncore();
	return tap_done();
}
