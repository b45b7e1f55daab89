/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * montctl report: what samples of other processors' PMUs tell beside where they lie. Called by
 * report.c.
 */
#ifndef MONTCTL_REPORT_PMU_H
#define MONTCTL_REPORT_PMU_H

#include "pmu_cells.h"

struct json_object;

/*
 * Print what the samples of @event in the recording @path tell of loads, or of the
 * instructions that ProfileMe has followed: at most @limit lines of each table. 0, or EXIT_MONTCTL
 * after a message.
 */
int report_pmu_print(const struct pmu_cells *cells, const struct montecito_symbols *sym,
		     const char *path, size_t event, uint64_t limit);
/* Add the same tables to @o: 0, or EXIT_MONTCTL after a message. */
int report_pmu_json(const struct pmu_cells *cells, const struct montecito_symbols *sym,
		    const char *path, size_t event, struct json_object *o);

#endif
