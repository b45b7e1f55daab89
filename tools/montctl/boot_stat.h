/* SPDX-License-Identifier: GPL-2.0-only */
/* montctl boot --stat. */
#ifndef MONTCTL_BOOT_STAT_H
#define MONTCTL_BOOT_STAT_H

#include "libmontecito.h"

/**
 * struct boot_stat - what to count
 * @wanted: anything at all
 * @specs: events
 * @nr: their number
 * @id: observers, by vcpu, event, part and level
 */
struct boot_stat {
	bool wanted;
	const struct montecito_event_spec *specs;
	size_t nr;
	uint32_t *id;
};

/* What is counted without -e. */
#define BOOT_STAT_EVENTS "ia64_inst_retired,loads_retired,stores_retired"

/* @specs are filled in if @wanted. 0, or EXIT_MONTCTL after a message. */
int boot_stat_start(struct boot_stat *s, struct montecito *m);
/* To stderr, at the end. */
int boot_stat_report(struct boot_stat *s, struct montecito *m);
void boot_stat_free(struct boot_stat *s);

#endif
