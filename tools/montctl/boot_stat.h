/* SPDX-License-Identifier: GPL-2.0-only */
/* montctl boot --stat. Called by boot.c. */
#ifndef MONTCTL_BOOT_STAT_H
#define MONTCTL_BOOT_STAT_H

#include "breakdown.h"
#include "libmontecito.h"
#include "region.h"

/**
 * struct boot_sums - what a system has come to at a moment
 * @insns: instructions retired, by all processors
 * @count: by vcpu, event and level
 * @time: with the timing model: its cycles
 */
struct boot_sums {
	uint64_t insns;
	uint64_t *count;
	struct breakdown time;
};

/**
 * struct boot_stat - what to count
 * @wanted: anything at all
 * @timed: with the timing model: cycles too
 * @chosen: events were given: where the cycles went is not asked for
 * @json: report a JSON object
 * @specs: events
 * @nr: their number
 * @nr_vcpus: processors
 * @threads: of each core
 * @id: observers, by vcpu, event, part and level
 * @region: the part that is reported, if not all
 * @base: before what is reported: what a restored system has spent
 * @end: behind it; its time is that of what is reported, when that has been done
 * @reported: it has
 */
struct boot_stat {
	bool wanted;
	bool timed;
	bool chosen;
	bool json;
	const struct montecito_event_spec *specs;
	size_t nr;
	unsigned int nr_vcpus;
	unsigned int threads;
	uint32_t *id;
	struct region region;
	struct boot_sums base;
	struct boot_sums end;
	bool reported;
};

/**
 * struct boot_ending - how a boot ended
 * @program: path of the image
 * @how: in a word
 * @status: exit status
 */
struct boot_ending {
	const char *program;
	const char *how;
	int status;
};

/* Events without -e. */
#define BOOT_STAT_EVENTS "ia64_inst_retired,loads_retired,stores_retired"

/* @specs are filled in if @wanted. 0, or EXIT_MONTCTL after a message. */
int boot_stat_start(struct boot_stat *s, struct montecito *m);
/* The timed region begins or ends: 0, or EXIT_MONTCTL after a message. */
int boot_stat_region(struct boot_stat *s, struct montecito *m, bool begins);
/* To @f, at the end. */
int boot_stat_report(struct boot_stat *s, struct montecito *m, const struct boot_ending *how,
		     FILE *f);
void boot_stat_free(struct boot_stat *s);

#endif
