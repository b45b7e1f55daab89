/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * montctl stat --pmu: events of other processors' PMUs, counted beside the others. Called by
 * stat.c, stat_count.c and stat_report.c.
 */
#ifndef MONTCTL_STAT_PMU_H
#define MONTCTL_STAT_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "pmu_event.h"

struct json_object;
struct montecito;
struct pmu_block;
struct pmu_count;

/**
 * struct pmu_counting - events of other PMUs, and what they came to
 * @words: the events as they were given
 * @count: the events, once they count
 * @nr: how many
 * @block: the PMUs that count them, one for each set of filters and units
 * @nr_blocks: how many
 */
struct pmu_counting {
	struct pmu_words words;
	struct pmu_count *count;
	size_t nr;
	struct pmu_block *block;
	size_t nr_blocks;
};

/*
 * Add the PMUs to @m and begin to count; with @strict refuse analogues: 0, or EXIT_MONTCTL after a
 * message.
 */
int pmu_count_start(struct pmu_counting *p, struct montecito *m, bool strict);
/* Add what has been counted since: 0 or a negative errno. */
int pmu_count_read(struct pmu_counting *p, struct montecito *m);
void pmu_count_text(const struct pmu_counting *p, FILE *f);
struct json_object *pmu_count_json(const struct pmu_counting *p);
/* Call @line with each event's name and count. */
void pmu_count_each(const struct pmu_counting *p,
		    void (*line)(const void *arg, FILE *f, const char *name, uint64_t count),
		    const void *arg, FILE *f);
void pmu_count_free(struct pmu_counting *p);

#endif
