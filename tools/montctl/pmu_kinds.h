/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Other processors' PMUs, by the names of their kinds. Called by the subcommands that take --pmu.
 */
#ifndef MONTCTL_PMU_KINDS_H
#define MONTCTL_PMU_KINDS_H

#include <stdbool.h>
#include <stdint.h>

/* The kind that is called @name, or 0 after a message of @command. */
uint32_t pmu_kind_of(const char *command, const char *name);

/* The kind that is called @name, or 0. */
uint32_t pmu_kind_named(const char *name);

/* The name of @kind. */
const char *pmu_kind_name(uint32_t kind);

/* "none", "same" or "analogue": MONTECITO_LIKE_*. */
const char *pmu_likeness(uint32_t like);

/* List the events of kind @kind whose names match @names: 0, or EXIT_MONTCTL after a message. */
int pmu_events(const char *kind, char **names, bool json, bool longer, bool counted);

/* True if the event's name contains one of @names or is of such a pattern, or there are none. */
bool event_wanted(const char *event, char **names);

#endif
