/* SPDX-License-Identifier: GPL-2.0-only */
/* montctl boot --stat. */
#ifndef MONTCTL_BOOT_STAT_H
#define MONTCTL_BOOT_STAT_H

#include "breakdown.h"
#include "libmontecito.h"

/**
 * struct boot_stat - what to count
 * @wanted: anything at all
 * @timed: with the timing model: cycles too
 * @chosen: events were given: where the cycles went is not asked for
 * @specs: events
 * @nr: their number
 * @id: observers, by vcpu, event, part and level
 * @base: the cycles before: what a restored system has spent
 */
struct boot_stat {
	bool wanted;
	bool timed;
	bool chosen;
	const struct montecito_event_spec *specs;
	size_t nr;
	uint32_t *id;
	struct breakdown base;
};

/* What is counted without -e. */
#define BOOT_STAT_EVENTS "ia64_inst_retired,loads_retired,stores_retired"

/* @specs are filled in if @wanted. 0, or EXIT_MONTCTL after a message. */
int boot_stat_start(struct boot_stat *s, struct montecito *m);
/* To stderr, at the end. */
int boot_stat_report(struct boot_stat *s, struct montecito *m);
void boot_stat_free(struct boot_stat *s);

#endif
