/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The manual's derived events: ratios and sums of counts, by name. Called by stat, events, explain
 * and complete.c.
 */
#ifndef MONTCTL_METRIC_H
#define MONTCTL_METRIC_H

#include <stddef.h>

#include "libmontecito.h"

/**
 * struct metric - a derived event
 * @name: its name in the manual
 * @equation: as the manual has it
 * @formula: what is computed: + - * / of events, metrics and numbers
 * @meaning: in words
 * @refused: why counts do not give it; NULL: they do
 */
struct metric {
	const char *name;
	const char *equation;
	const char *formula;
	const char *meaning;
	const char *refused;
};

/**
 * struct metrics - those that were asked for
 * @metric: them
 * @nr: how many
 * @list: -M, each as given
 * @nr_lists: how many
 */
struct metrics {
	const struct metric **metric;
	size_t nr;
	const char **list;
	size_t nr_lists;
};

/* Metric @index of the table, or NULL behind the last one. */
const struct metric *metric_get(size_t index);
/*
 * Why counts of a machine of @cores do not give it, or NULL: with *@event, its first event that
 * the model refuses; NULL: it is made of no events.
 */
const char *metric_refusal(const struct metric *metric, unsigned int cores, const char **event);
/* Keep @list, which must outlive @m, for metrics_parse(): 0, or EXIT_MONTCTL after a message. */
int metrics_option(struct metrics *m, const char *list);
/*
 * When the machine is known, add the metrics of the lists, names and patterns, to @m, and the events
 * that they are made of to @specs if they are not there: 0, or EXIT_MONTCTL after a message behind
 * @command.
 */
int metrics_parse(struct metrics *m, const char *command, unsigned int cores,
		  struct montecito_event_spec **specs, size_t *nr);
/*
 * Compute a metric, where @count gives the count of each event of @specs; not a number where
 * it divides by 0.
 */
double metric_value(const struct metric *metric, const struct montecito_event_spec *specs,
		    size_t nr, const double *count);
void metrics_free(struct metrics *m);

#endif
