/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples of other processors' PMUs by instruction: what report and annotate tell of them. Called
 * by annotate.c, report.c and its parts.
 */
#ifndef MONTCTL_PMU_CELLS_H
#define MONTCTL_PMU_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "samples.h"

#define PMU_SOURCES 16 /* of a load's data */
#define PMU_TRAPS 20 /* 16 types, three that PMPC tells, and load-store order */

/**
 * struct pmu_cell - samples of one event at one instruction
 * @event: index of the event
 * @at: bundle address and slot
 * @samples: how many
 * @timed: loads with a latency
 * @latency: the sum of these
 * @source: loads by where their data came from
 * @profiles: instructions profiled by ProfileMe; of these:
 * @retired: retired
 * @aborted: were on a wrong path, or flushed
 * @mispredicted: had a path or a target that was mispredicted
 * @new_fill: had missed the instruction cache
 * @stalled: waited in the buffer
 * @trap: by their trap
 * @windows: had a window whose cycles were counted
 * @window: the sum of these
 * @delays: had a retire delay that was counted
 * @delay: the sum of these
 */
struct pmu_cell {
	size_t event;
	uint64_t at;
	uint64_t samples;
	uint64_t timed;
	uint64_t latency;
	uint64_t source[PMU_SOURCES];
	uint64_t profiles;
	uint64_t retired;
	uint64_t aborted;
	uint64_t mispredicted;
	uint64_t new_fill;
	uint64_t stalled;
	uint64_t trap[PMU_TRAPS];
	uint64_t windows;
	uint64_t window;
	uint64_t delays;
	uint64_t delay;
};

/**
 * struct pmu_cells - those of a recording
 * @cell: sorted by event and instruction after pmu_cells_end()
 * @nr: how many
 * @cap: room for
 */
struct pmu_cells {
	struct pmu_cell *cell;
	size_t nr;
	size_t cap;
};

/* Add @sample, which samples_next() gave last; nothing of this processor's own. 0 or -ENOMEM. */
int pmu_cells_add(struct pmu_cells *c, const struct samples *s,
		  const struct montecito_record_sample *sample);
void pmu_cells_end(struct pmu_cells *c);
/* The cell of @event at @at, or NULL. */
const struct pmu_cell *pmu_cells_at(const struct pmu_cells *c, size_t event, uint64_t at);
void pmu_cells_free(struct pmu_cells *c);

struct json_object;

/* Write the sums of @cell as words; none if it has neither loads nor profiles. */
void pmu_cell_text(const struct pmu_cell *cell, char *buf, size_t len);
/* Their traps: "dtb_miss 3, replay 1". */
void pmu_cell_traps(const struct pmu_cell *cell, char *buf, size_t len);
/* The members that the cell has, added to @o. */
void pmu_cell_json(const struct pmu_cell *cell, struct json_object *o);

/* The name of data source @source of a load. */
const char *pmu_source_text(uint64_t source);

#endif
