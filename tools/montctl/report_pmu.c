// SPDX-License-Identifier: GPL-2.0-only
/*
 * montctl report, of other processors' PMUs: loads by their data, by latency and by source
 * (PEBS), and instructions by their fate (ProfileMe).
 */
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "montctl.h"
#include "report_by.h"
#include "report_pmu.h"

/* Tables of loads, and their names in JSON */
static const struct {
	const char *keys;
	const char *name;
} tables[] = {
	{ "object,line", "data" },
	{ "latency-range", "latencies" },
	{ "data-source", "data_sources" },
};

#define NR_TABLES (sizeof(tables) / sizeof(tables[0]))

static int report_pmu_by_samples(const void *pa, const void *pb)
{
	const struct pmu_cell *a = *(const struct pmu_cell *const *)pa,
			      *b = *(const struct pmu_cell *const *)pb;

	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

/* The cells of @event, those with the most samples first; NULL: out of memory. */
static const struct pmu_cell **report_pmu_sorted(const struct pmu_cells *cells, size_t event,
						 size_t *nr)
{
	const struct pmu_cell **list = calloc(cells->nr + 1, sizeof(const struct pmu_cell *));
	size_t i;

	for (*nr = 0, i = 0; list && i < cells->nr; i++)
		if (cells->cell[i].event == event)
			list[(*nr)++] = &cells->cell[i];
	if (list)
		qsort(list, *nr, sizeof(*list), report_pmu_by_samples);
	else
		fail("out of memory");
	return list;
}

/* True if one of them is a load, or a profile. */
static bool report_pmu_any(const struct pmu_cells *cells, size_t event, bool profile)
{
	size_t i;

	for (i = 0; i < cells->nr; i++)
		if (cells->cell[i].event == event &&
		    (profile ? cells->cell[i].profiles : cells->cell[i].timed))
			return true;
	return false;
}

static void report_pmu_name_of(const struct montecito_symbols *sym, uint64_t at, char *buf,
			       size_t len)
{
	uint64_t off;
	const char *name = sym ? montecito_symbols_find(sym, at & ~15ULL, &off) : NULL;

	if (name)
		snprintf(buf, len, "%s+0x%" PRIx64, name, off);
	else
		*buf = '\0';
}

static void report_pmu_print_mean(uint64_t sum, uint64_t nr)
{
	if (nr)
		printf(" %9.1f", (double)sum / (double)nr);
	else
		printf(" %9s", "-");
}

static int report_pmu_print_profile(const struct pmu_cells *cells,
				    const struct montecito_symbols *sym, size_t event,
				    uint64_t limit)
{
	const struct pmu_cell **list;
	char name[256], safe[256];
	size_t i, nr;

	list = report_pmu_sorted(cells, event, &nr);
	if (!list)
		return EXIT_MONTCTL;
	printf("# samples   retired   aborted mispredicted  new fill   stalled    window     delay"
	       "  instruction\n");
	for (i = 0; i < nr; i++) {
		const struct pmu_cell *c = list[i];

		if (i == limit) {
			printf("# %zu more\n", nr - i);
			break;
		}
		printf("%9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %12" PRIu64 " %9" PRIu64
		       " %9" PRIu64,
		       c->samples, c->retired, c->aborted, c->mispredicted, c->new_fill,
		       c->stalled);
		report_pmu_print_mean(c->window, c->windows);
		report_pmu_print_mean(c->delay, c->delays);
		report_pmu_name_of(sym, c->at, name, sizeof(name));
		printf("  0x%016" PRIx64 "-%" PRIu64 "%s%s", c->at & ~(uint64_t)15, c->at & 3,
		       *name ? "  " : "", plain(name, safe, sizeof(safe)));
		pmu_cell_traps(c, name, sizeof(name));
		printf("%s%s\n", *name ? "  # " : "", name);
	}
	free(list);
	return 0;
}

int report_pmu_print(const struct pmu_cells *cells, const struct montecito_symbols *sym,
		     const char *path, size_t event, uint64_t limit)
{
	int err = 0;
	size_t i;

	for (i = 0; !err && i < NR_TABLES && report_pmu_any(cells, event, false); i++) {
		putchar('\n');
		err = report_by_event(path, tables[i].keys, event, limit, NULL);
	}
	if (!err && report_pmu_any(cells, event, true)) {
		putchar('\n');
		err = report_pmu_print_profile(cells, sym, event, limit);
	}
	return err;
}

static int report_pmu_profile_json(const struct pmu_cells *cells,
				   const struct montecito_symbols *sym, size_t event,
				   struct json_object *o)
{
	struct json_object *array = json_object_new_array();
	const struct pmu_cell **list;
	char name[256];
	size_t i, nr;

	json_object_object_add(o, "profile", array);
	list = report_pmu_sorted(cells, event, &nr);
	for (i = 0; list && i < nr; i++) {
		struct json_object *row = json_object_new_object();

		report_pmu_name_of(sym, list[i]->at, name, sizeof(name));
		json_object_object_add(row, "address",
				       json_object_new_uint64(list[i]->at & ~15ULL));
		json_object_object_add(row, "slot", json_object_new_int(list[i]->at & 3));
		json_object_object_add(row, "name", *name ? json_object_new_string(name) : NULL);
		json_object_object_add(row, "samples", json_object_new_uint64(list[i]->samples));
		pmu_cell_json(list[i], row);
		json_object_array_add(array, row);
	}
	free(list);
	return list ? 0 : EXIT_MONTCTL;
}

int report_pmu_json(const struct pmu_cells *cells, const struct montecito_symbols *sym,
		    const char *path, size_t event, struct json_object *o)
{
	struct json_object *rows;
	int err = 0;
	size_t i;

	for (i = 0; !err && i < NR_TABLES && report_pmu_any(cells, event, false); i++) {
		err = report_by_event(path, tables[i].keys, event, UINT64_MAX, &rows);
		if (!err)
			json_object_object_add(o, tables[i].name, rows);
	}
	return err || !report_pmu_any(cells, event, true)
		       ? err
		       : report_pmu_profile_json(cells, sym, event, o);
}
