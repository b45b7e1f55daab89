/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How an event of another processor's PMU is written to its registers: what montctl stat and
 * montctl record ask of each kind. Included by pmu_event.h.
 */
#ifndef MONTCTL_PMU_PROGRAM_H
#define MONTCTL_PMU_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "libmontecito.h"

#define PMU_MOST_REGISTERS 12

/**
 * struct pmu_setup - the registers of a PMU beside its counters
 * @pmc: MERCED: PMC8 to PMC13
 * @ibr: MERCED: the first pair
 * @dbr: MERCED: likewise
 * @least: PEBS: the threshold of load latency
 * @mode: EV68A: SL0 and SL1, and 1
 */
struct pmu_setup {
	uint64_t pmc[6];
	uint64_t ibr[2];
	uint64_t dbr[2];
	uint64_t least;
	uint64_t mode;
};

/**
 * struct pmu_event - an event that a counter is to count
 * @d: its description
 * @setup: of the PMU it is in
 * @select: the register that selects it
 * @plm: levels, bit n for level n
 * @sampled: it is to be sampled
 * @period: occurrences from one sample to the next, if a modifier has said it; else 0
 */
struct pmu_event {
	struct montecito_pmu_describe d;
	struct pmu_setup setup;
	uint64_t select;
	uint64_t plm;
	bool sampled;
	uint64_t period;
};

/**
 * struct pmu_sampler - the registers of a PMU that samples one event
 * @reg: what is written to begin with
 * @nr: how many
 * @reload: what each interrupt writes
 * @nr_reload: how many
 * @pmds: MERCED: PMDs that go with a sample
 * @cause: bits of montecito_record_pmu.cause of which a sample has one
 */
struct pmu_sampler {
	struct montecito_pmu_reg reg[PMU_MOST_REGISTERS];
	unsigned int nr;
	struct montecito_pmu_reg reload[MONTECITO_PMU_RELOADS];
	unsigned int nr_reload;
	uint64_t pmds;
	uint32_t cause;
};

/**
 * struct pmu_program - a kind of PMU
 * @kind: MONTECITO_PMU_*
 * @first: number of the first counter in montecito_pmu_describe.counters
 * @counters: how many counters can select events
 * @bits: of a counter
 * @count: the first counter's register
 * @alias: names of events, in pairs of another name and that of the table
 * @begin: set the event up before its modifiers
 * @modifier: take one modifier, which is changed: the rule that refuses it, or NULL
 * @end: all modifiers have been taken: the rule that refuses the event, or NULL
 * @registers: write to @reg what counts @e in counter @n: how many
 * @sample: fill in @s, which is all 0, so that each @period-th occurrence of @e is a sample: the
 *	rule that refuses the period, or NULL
 */
struct pmu_program {
	uint32_t kind;
	unsigned int first;
	unsigned int counters;
	unsigned int bits;
	struct montecito_pmu_reg count;
	const char *const *alias;
	void (*begin)(struct pmu_event *e);
	const char *(*modifier)(struct pmu_event *e, char *word);
	const char *(*end)(struct pmu_event *e);
	unsigned int (*registers)(const struct pmu_event *e, unsigned int n,
				  struct montecito_pmu_reg reg[PMU_MOST_REGISTERS]);
	const char *(*sample)(const struct pmu_event *e, uint64_t period, struct pmu_sampler *s);
};

/* The program of @kind, which there is. */
const struct pmu_program *pmu_program(uint32_t kind);

#endif
