// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples of other processors' PMUs by instruction: latency and source of loads (PEBS), and
 * what ProfileMe tells of an instruction (PMPC, I_STAT and PCTR_CTL of an Alpha 21264/EV68A).
 */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "montctl.h"
#include "pmu_cells.h"

/* I_STAT */
#define MIS (1ULL << 40)
#define TRP (1ULL << 39)
#define LSO (1ULL << 38)
#define TRAP_SHIFT 34
#define TRAP_UNUSED 1 /* PMPC says which */
#define ICM (1ULL << 33)
#define OVR_SHIFT 30

/* PCTR_CTL */
#define PCTR0_SHIFT 28
#define PCTR1_SHIFT 6
#define PCTR_MASK 0xfffffULL
#define STALLED (1ULL << 27)
#define VAL 2
#define SL1_SHIFT 2

/* Inputs of the counters, by SL1 */
#define SL1_RETIRED_CYCLES 0
#define SL1_CYCLES_DELAY 1
#define SL1_CYCLES_REPLAYS 3

enum { TRAP_ACCESS = 16, TRAP_ITB_MISS, TRAP_INTERRUPT, TRAP_ORDER };

static const char *const trap_name[PMU_TRAPS] = {
	[0] = "replay",
	[2] = "dtb_double_miss",
	[3] = "dtb_double_miss_table",
	[4] = "fp_disabled",
	[5] = "unaligned",
	[6] = "dtb_miss",
	[7] = "data_fault",
	[8] = "illegal",
	[10] = "machine_check",
	[12] = "arithmetic",
	[14] = "fpcr",
	[15] = "reset",
	[TRAP_ACCESS] = "access_violation",
	[TRAP_ITB_MISS] = "itb_miss",
	[TRAP_INTERRUPT] = "interrupt",
	[TRAP_ORDER] = "load_store_order",
};

/* Sources of data [SDM table 18-25]. */
static const char *const source_name[PMU_SOURCES] = {
	"unknown L3 miss",
	"first level",
	"pending line",
	"second level",
	"L3",
	"L3, other core clean",
	"L3, other core modified",
	"L3, no HitM",
	"L3, HitM",
	"reserved",
	"memory, shared",
	"other memory, shared",
	"memory, exclusive",
	"other memory, exclusive",
	"I/O",
	"uncached",
};

const char *pmu_source_text(uint64_t source)
{
	return source < PMU_SOURCES ? source_name[source] : "reserved";
}

static int pmu_cells_compare(const void *pa, const void *pb)
{
	const struct pmu_cell *a = pa, *b = pb;

	if (a->event != b->event)
		return a->event < b->event ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

/* Add @b, of the event and the instruction of @a: all behind these are sums. */
static void pmu_cells_add_up(struct pmu_cell *a, const struct pmu_cell *b)
{
	const uint64_t *from = &b->samples;
	uint64_t *to = &a->samples;
	size_t i, nr = (sizeof(*a) - offsetof(struct pmu_cell, samples)) / sizeof(*to);

	for (i = 0; i < nr; i++)
		to[i] += from[i];
}

void pmu_cells_end(struct pmu_cells *c)
{
	size_t i, n = 0;

	if (c->nr)
		qsort(c->cell, c->nr, sizeof(*c->cell), pmu_cells_compare);
	for (i = 0; i < c->nr; i++) {
		if (n && !pmu_cells_compare(&c->cell[n - 1], &c->cell[i]))
			pmu_cells_add_up(&c->cell[n - 1], &c->cell[i]);
		else
			c->cell[n++] = c->cell[i];
	}
	c->nr = n;
}

/* The trap that @i_stat tells of. */
static unsigned int pmu_cells_trap_of(uint64_t i_stat, uint64_t pmpc)
{
	unsigned int type = i_stat >> TRAP_SHIFT & 0xf;

	if (i_stat & LSO)
		return TRAP_ORDER;
	if (type != TRAP_UNUSED)
		return type;
	switch (pmpc & 0x7fff) {
	case 0x481:
		return TRAP_ACCESS;
	case 0x581:
		return TRAP_ITB_MISS;
	default:
		return TRAP_INTERRUPT;
	}
}

/* Add a record of ProfileMe: @word is PMPC, I_STAT and PCTR_CTL. */
static void pmu_cells_add_profile(struct pmu_cell *c, const uint64_t *word)
{
	uint64_t i_stat = word[1], ctl = word[2];
	uint64_t pctr0 = ctl >> PCTR0_SHIFT & PCTR_MASK, pctr1 = ctl >> PCTR1_SHIFT & PCTR_MASK;
	unsigned int mode = ctl >> SL1_SHIFT & 3;

	c->profiles = 1;
	c->retired = !!(ctl & VAL);
	c->aborted = !c->retired;
	c->mispredicted = !!(i_stat & MIS);
	c->new_fill = !!(i_stat & ICM);
	c->stalled = !!(ctl & STALLED);
	/* A misprediction is a trap of type 0 as well, and no replay. */
	if (i_stat & TRP && !(i_stat & MIS))
		c->trap[pmu_cells_trap_of(i_stat, word[0])] = 1;
	c->windows = mode == SL1_RETIRED_CYCLES || mode == SL1_CYCLES_DELAY ||
		     mode == SL1_CYCLES_REPLAYS;
	c->window = mode == SL1_RETIRED_CYCLES ? pctr1
		    : c->windows	       ? pctr0 - (i_stat >> OVR_SHIFT & 7)
					       : 0;
	c->delays = mode == SL1_CYCLES_DELAY;
	c->delay = c->delays ? pctr1 : 0;
}

int pmu_cells_add(struct pmu_cells *c, const struct samples *s,
		  const struct montecito_record_sample *sample)
{
	struct pmu_cell *cell;
	uint64_t source;

	if (!s->kind)
		return 0;
	if (c->nr == c->cap) {
		pmu_cells_end(c);
		if (2 * c->nr >= c->cap) {
			size_t cap = c->cap ? 2 * c->cap : 1024;

			cell = realloc(c->cell, cap * sizeof(*cell));
			if (!cell)
				return -ENOMEM;
			c->cell = cell;
			c->cap = cap;
		}
	}
	cell = &c->cell[c->nr++];
	*cell = (struct pmu_cell){ .event = sample->source,
				   .at = (sample->ip & ~15ULL) | (sample->slot & 3),
				   .samples = 1 };
	if (samples_source(s, &source) && samples_latency(s, &cell->latency)) {
		cell->timed = 1;
		cell->source[source % PMU_SOURCES] = 1;
	}
	if (samples_is_profile(s))
		pmu_cells_add_profile(cell, s->value);
	return 0;
}

const struct pmu_cell *pmu_cells_at(const struct pmu_cells *c, size_t event, uint64_t at)
{
	const struct pmu_cell key = { .event = event, .at = at };

	return c->nr ? bsearch(&key, c->cell, c->nr, sizeof(key), pmu_cells_compare) : NULL;
}

void pmu_cells_free(struct pmu_cells *c)
{
	free(c->cell);
	*c = (struct pmu_cells){ 0 };
}

/* Add ", WORDS N" to @buf, without the comma if it is the first; nothing for 0. */
static void pmu_cells_append(char *buf, size_t len, const char *words, uint64_t n)
{
	size_t at = strlen(buf);

	if (n)
		snprintf(buf + at, len - at, "%s%s %" PRIu64, at ? ", " : "", words, n);
}

void pmu_cell_traps(const struct pmu_cell *cell, char *buf, size_t len)
{
	size_t i;

	*buf = '\0';
	for (i = 0; i < PMU_TRAPS; i++)
		pmu_cells_append(buf, len, trap_name[i] ? trap_name[i] : "trap", cell->trap[i]);
}

static void pmu_cells_append_mean(char *buf, size_t len, const char *words, uint64_t sum,
				  uint64_t nr)
{
	size_t at = strlen(buf);

	if (nr)
		snprintf(buf + at, len - at, "%s%s %.1f", at ? ", " : "", words,
			 (double)sum / (double)nr);
}

void pmu_cell_text(const struct pmu_cell *cell, char *buf, size_t len)
{
	char traps[256];
	size_t i;

	*buf = '\0';
	pmu_cells_append_mean(buf, len, "mean latency", cell->latency, cell->timed);
	for (i = 0; i < PMU_SOURCES; i++)
		pmu_cells_append(buf, len, source_name[i], cell->source[i]);
	pmu_cells_append(buf, len, "retired", cell->retired);
	pmu_cells_append(buf, len, "aborted", cell->aborted);
	pmu_cells_append(buf, len, "mispredicted", cell->mispredicted);
	pmu_cells_append(buf, len, "new fill", cell->new_fill);
	pmu_cells_append(buf, len, "stalled", cell->stalled);
	pmu_cells_append_mean(buf, len, "window", cell->window, cell->windows);
	pmu_cells_append_mean(buf, len, "delay", cell->delay, cell->delays);
	pmu_cell_traps(cell, traps, sizeof(traps));
	if (*traps)
		snprintf(buf + strlen(buf), len - strlen(buf), "%s%s", *buf ? ", " : "", traps);
}

static void pmu_cells_add_number(struct json_object *o, const char *key, uint64_t n)
{
	json_object_object_add(o, key, json_object_new_uint64(n));
}

void pmu_cell_json(const struct pmu_cell *cell, struct json_object *o)
{
	struct json_object *by;
	size_t i;

	if (cell->timed) {
		pmu_cells_add_number(o, "latency_sum", cell->latency);
		by = json_object_new_object();
		for (i = 0; i < PMU_SOURCES; i++)
			if (cell->source[i])
				pmu_cells_add_number(by, source_name[i], cell->source[i]);
		json_object_object_add(o, "data_sources", by);
	}
	if (!cell->profiles)
		return;
	pmu_cells_add_number(o, "retired", cell->retired);
	pmu_cells_add_number(o, "aborted", cell->aborted);
	pmu_cells_add_number(o, "mispredicted", cell->mispredicted);
	pmu_cells_add_number(o, "new_fill", cell->new_fill);
	pmu_cells_add_number(o, "stalled", cell->stalled);
	by = json_object_new_object();
	for (i = 0; i < PMU_TRAPS; i++)
		if (cell->trap[i])
			pmu_cells_add_number(by, trap_name[i] ? trap_name[i] : "trap",
					     cell->trap[i]);
	json_object_object_add(o, "traps", by);
	if (cell->windows)
		pmu_cells_add_number(o, "window_sum", cell->window);
	if (cell->delays)
		pmu_cells_add_number(o, "delay_sum", cell->delay);
}
