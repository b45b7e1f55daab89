/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registers of other processors' PMUs, by the names and fields that MONTECITO_PMU_DESCRIBE has.
 * Called by pmu.c and complete.c.
 */
#ifndef MONTCTL_PMU_REGISTERS_H
#define MONTCTL_PMU_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "libmontecito.h"

/**
 * struct pmu_named - a register
 * @name: its own, of rows that have several
 * @reg: class and number
 * @writable: it can be written
 * @fields: names and bits, as the row has them for this one
 */
struct pmu_named {
	char name[64];
	struct montecito_pmu_reg reg;
	bool writable;
	char fields[256];
};

/* Describe a row: 0, or a negative errno. */
typedef int pmu_describe(void *arg, struct montecito_pmu_describe *d);

/* Register @index of @kind, from 0 on: false behind the last. */
bool pmu_register(pmu_describe *describe, void *arg, uint32_t kind, unsigned int index,
		  struct pmu_named *r);

/**
 * struct pmu_field - bits of a register
 * @name: what the manual calls them
 * @high: the highest
 * @low: the lowest
 */
struct pmu_field {
	char name[64];
	unsigned int high;
	unsigned int low;
};

/* Field @index of @r: false behind the last. */
bool pmu_field(const struct pmu_named *r, unsigned int index, struct pmu_field *f);
uint64_t pmu_field_value(const struct pmu_field *f, uint64_t value);

/* Put the events that @value selects into @buf, empty if @r selects none. */
void pmu_selected(pmu_describe *describe, void *arg, uint32_t kind, const struct pmu_named *r,
		  uint64_t value, char *buf, size_t len);

#endif
