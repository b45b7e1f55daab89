/* SPDX-License-Identifier: GPL-2.0-only */
/* montctl diff: two runs, side by side. Called by diff.c and diff_runs.c. */
#ifndef MONTCTL_DIFF_H
#define MONTCTL_DIFF_H

#include "samples.h"
#include "table.h"

/* Name of the row that others add up to, the first of its section. */
#define DIFF_TOTAL "(all)"

/**
 * struct diff_row - a number of both runs
 * @name: of a function, an event, a cause
 * @value: of run A and of run B
 * @error: standard error of their difference; 0: they are exact
 */
struct diff_row {
	char *name;
	double value[2];
	double error;
};

/**
 * struct diff_section - numbers that belong together
 * @title: what they are
 * @sorted: by how far they have changed; else in the order they were added
 * @row: them
 * @nr: how many
 * @cap: room for
 */
struct diff_section {
	char *title;
	bool sorted;
	struct diff_row *row;
	size_t nr;
	size_t cap;
};

/**
 * struct diff - all of it
 * @section: in order
 * @nr: how many
 */
struct diff {
	struct diff_section *section;
	size_t nr;
};

/* A new section; NULL if there is no memory. Pointers to others are no longer good. */
struct diff_section *diff_section(struct diff *d, const char *title);
/* Add a row: 0, or -ENOMEM. */
int diff_row(struct diff_section *s, const char *name, const double value[2], double error);

/* Fill @d from two reports of stat -j, or two recordings: 0, or EXIT_MONTCTL after a message. */
int diff_reports(struct diff *d, const char *const path[2]);
int diff_recordings(struct diff *d, const char *const path[2], const char *event);

#endif
