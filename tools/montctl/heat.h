/* SPDX-License-Identifier: GPL-2.0-only */
/* The samples of one event by instruction, for annotate. Called by annotate.c. */
#ifndef MONTCTL_HEAT_H
#define MONTCTL_HEAT_H

#include <stddef.h>
#include <stdint.h>

/* Samples of the instruction at bundle address + slot @at, and in the end of all before it. */
struct heat {
	uint64_t at;
	uint64_t sum;
};

/**
 * struct heat_map - where an event has samples
 * @event: number of the event in the recording
 * @heat: sorted by address
 * @nr: how many
 * @cap: how many there is room for
 * @total: samples of all
 */
struct heat_map {
	size_t event;
	struct heat *heat;
	size_t nr;
	size_t cap;
	uint64_t total;
};

/* @weight samples more at @at: 0, or -ENOMEM. */
int heat_add(struct heat_map *m, uint64_t at, uint64_t weight);
/* All samples are there: counts can be asked for. */
void heat_end(struct heat_map *m);
/* Samples of addresses from @lo up to @hi, which is not among them. */
uint64_t heat_count(const struct heat_map *m, uint64_t lo, uint64_t hi);
void heat_free(struct heat_map *m);

#endif
