// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts of the original Itanium's PMU on whole programs: each event that is the same as one
 * of this processor counts what an observer of that one does, and the four categories of cycles
 * part every cycle, at each level (published cycle accounting of that processor).
 */
#include "program.h"

#define SLICE 1000000
#define PMUS 8 /* on a vcpu, at most */
#define COUNTERS 4
#define FIRST 4 /* PMC4 */
#define PLM 15
#define ES(code, umask) ((uint64_t)(code) << 8 | (uint64_t)(umask) << 16)
#define MOST_ROWS 128
#define ROWS 78 /* that the table of events names */
#define CATEGORIES 5

struct row {
	char name[64], row[64];
	uint32_t code, umask, counters;
	/* Where it is counted: PMU and counter. */
	uint32_t pmu, counter, observer;
};

static struct row row[MOST_ROWS];
static uint32_t nr_rows, nr_pmus;

static void describe(void)
{
	struct montecito *m = machine_open(0, MONTECITO_TIMING_ON);
	uint32_t i;

	for (i = 0;; i++) {
		struct montecito_pmu_describe d = { .flags = MONTECITO_PMU_EVENT,
						    .kind = MONTECITO_PMU_MERCED,
						    .index = i };
		int ret = montecito_pmu_describe(m, 0, &d);

		if (ret == -ENOENT)
			break;
		if (ret < 0)
			die(ret, "events");
		if (d.likeness != MONTECITO_LIKE_SAME || !d.row[0] || nr_rows == MOST_ROWS)
			continue;
		row[nr_rows].code = d.code;
		row[nr_rows].umask = d.umask;
		row[nr_rows].counters = d.counters;
		strcpy(row[nr_rows].name, d.name);
		strcpy(row[nr_rows].row, d.row);
		nr_rows++;
	}
	montecito_close(m);
}

/* Give each event a counter that can select it: those first that few can. */
static void place(void)
{
	static bool taken[MOST_ROWS][COUNTERS];
	uint32_t pass, i, p, c;

	for (pass = 0; pass < 2; pass++)
		for (i = 0; i < nr_rows; i++) {
			if ((row[i].counters == 0xf0) != pass)
				continue;
			for (p = 0, c = 0; taken[p][c] || !(row[i].counters >> (FIRST + c) & 1);
			     p += c == COUNTERS - 1, c = (c + 1) % COUNTERS)
				;
			taken[p][c] = true;
			row[i].pmu = p;
			row[i].counter = c;
			if (nr_pmus <= p)
				nr_pmus = p + 1;
		}
}

static uint32_t add(struct montecito *m)
{
	struct montecito_pmu_add a = { .kind = MONTECITO_PMU_MERCED };
	int ret = montecito_pmu_add(m, 0, &a);

	if (ret < 0)
		die(ret, "%s", a.why);
	return ret;
}

static void set(struct montecito *m, uint32_t id, uint32_t n, uint64_t value)
{
	struct montecito_pmu_reg reg = { MONTECITO_REG_PMC, n, value };
	char why[128];
	int ret = montecito_pmu_set(m, 0, id, &reg, 1, why);

	if (ret < 0)
		die(ret, "PMC%u = %#" PRIx64 ": %s", n, value, why);
}

static uint32_t get(struct montecito *m, uint32_t id, uint32_t n)
{
	struct montecito_pmu_reg reg = { MONTECITO_REG_PMD, n, 0 };
	char why[128];
	int ret = montecito_pmu_get(m, 0, id, &reg, 1, why);

	if (ret < 0)
		die(ret, "PMD%u: %s", n, why);
	return reg.value;
}

static uint32_t observe(struct montecito *m, const char *name)
{
	struct montecito_event_spec *spec = NULL;
	char msg[512], why[128];
	size_t nr = 0;
	int ret;

	if (montecito_events_parse(name, &spec, &nr, msg) < 0)
		die(EINVAL, "%s", msg);
	spec->filter.plm = PLM;
	ret = montecito_observer_add(m, 0, &spec->filter, 0, why);
	if (ret < 0)
		die(ret, "%s: %s", name, why);
	montecito_events_free(spec, nr);
	return ret;
}

static int tick(struct montecito *m, void *arg)
{
	(void)m;
	(void)arg;
	return 0;
}

static struct montecito *load(const char *path, struct montecito_process **p)
{
	struct montecito *m = machine_open(MONTECITO_CFG_HOST_INTERRUPTIONS, MONTECITO_TIMING_ON);

	*p = program_load(m, path, 0);
	montecito_process_tick(*p, SLICE, tick, NULL);
	return m;
}

static void finish(const char *path, struct montecito_process *p)
{
	struct program_place place = program_enter(path);
	int ret = montecito_process_run(p);

	program_leave(&place);
	if (ret)
		die(EIO, "%s: status %d", path, ret);
}

/* Events of PMUs @from to @from + PMUS - 1. Return: how many counted more than 0, or ~0. */
static uint32_t compare(const char *path, const char *name, uint32_t from)
{
	struct montecito_process *p;
	struct montecito *m = load(path, &p);
	uint32_t id[PMUS], i, k, nonzero = 0;
	bool good = true;

	for (k = 0; k < PMUS && from + k < nr_pmus; k++)
		id[k] = add(m);
	for (i = 0; i < nr_rows; i++) {
		if (row[i].pmu < from || row[i].pmu >= from + PMUS)
			continue;
		set(m, id[row[i].pmu - from], FIRST + row[i].counter,
		    ES(row[i].code, row[i].umask) | PLM);
		row[i].observer = observe(m, row[i].row);
	}
	finish(path, p);
	for (i = 0; i < nr_rows; i++) {
		uint64_t have, want;

		if (row[i].pmu < from || row[i].pmu >= from + PMUS)
			continue;
		have = get(m, id[row[i].pmu - from], FIRST + row[i].counter);
		if (montecito_observer_read(m, 0, &row[i].observer, &want, 1) < 0)
			die(EIO, "%s", row[i].row);
		nonzero += !!want;
		if (have == (uint32_t)want)
			continue;
		good = false;
		printf("# %s: %s %" PRIu64 ", %s %" PRIu64 "\n", name, row[i].name, have,
		       row[i].row, want);
	}
	montecito_process_free(p);
	montecito_close(m);
	return good ? nonzero : ~0U;
}

static void sameness(const char *path, const char *name)
{
	uint32_t from, nonzero = 0;
	bool good = true;

	for (from = 0; from < nr_pmus; from += PMUS) {
		uint32_t n = compare(path, name, from);

		good &= n != ~0U;
		nonzero += good ? n : 0;
	}
	/* Instructions, cycles, misses, the bus: most of the others are of the ALAT and of UC memory. */
	ok(good && nonzero > nr_rows / 3,
	   "%s: %u events count what observers do, of which %u are not 0", name, nr_rows, nonzero);
}

/* The levels that monitors can have: all, that of programs, and each of the others. */
static void relation(const char *path, const char *name)
{
	static const uint8_t plm[PMUS / 2] = { PLM, 8, 7, 12 };
	static const uint8_t code[CATEGORIES] = { 0x12, 0x05, 0x06, 0x07, 0x04 };
	uint32_t id[PMUS], n[PMUS / 2][CATEGORIES], i, k;
	struct montecito_process *p;
	struct montecito *m = load(path, &p);

	for (i = 0; i < PMUS; i++)
		id[i] = add(m);
	for (i = 0; i < PMUS / 2; i++)
		for (k = 0; k < CATEGORIES; k++)
			set(m, id[2 * i + k / COUNTERS], FIRST + k % COUNTERS,
			    ES(code[k], 0) | plm[i]);
	finish(path, p);
	for (i = 0; i < PMUS / 2; i++) {
		for (k = 0; k < CATEGORIES; k++)
			n[i][k] = get(m, id[2 * i + k / COUNTERS], FIRST + k % COUNTERS);
		ok(n[i][0] == n[i][1] + n[i][2] + n[i][3] + n[i][4] && !n[i][0] == (plm[i] == 7),
		   "%s, plm %x: %u cycles: %u unstalled, %u dependency, %u memory, %u flush", name,
		   plm[i], n[i][0], n[i][1], n[i][2], n[i][3], n[i][4]);
	}
	montecito_process_free(p);
	montecito_close(m);
}

int main(int argc, char **argv)
{
	static char own[2][4096], real[4096];
	char *programs[] = { own[0], own[1] };
	int i;

	tap_args(argc, argv);
	if (!tap_nr_programs) {
		snprintf(own[0], sizeof(own[0]), "%s/events.elf", tap_guests);
		snprintf(own[1], sizeof(own[1]), "%s/workload.elf", tap_guests);
		tap_program = programs;
		tap_nr_programs = 2;
	}
	describe();
	ok_eq(nr_rows, ROWS, "events that name one of this processor");
	place();
	for (i = 0; i < tap_nr_programs; i++) {
		const char *name;

		if (!realpath(tap_program[i], real))
			die(errno, "%s", tap_program[i]);
		name = strrchr(real, '/') + 1;
		relation(real, name);
		sameness(real, name);
	}
	return tap_done();
}
