/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table of numbers: what runs of several parameters, or pieces of one run, came to. Called by
 * the parts of stat, by diff.c and by what_if.c.
 */
#ifndef MONTCTL_TABLE_H
#define MONTCTL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct json_object;

/**
 * struct table - rows of numbers
 * @name: of each column
 * @ratio: the column has fractions
 * @cols: columns
 * @keys: how many of them, from the first on, say what the row is about
 * @cell: row by row; not a number where there is none
 * @rows: how many
 */
struct table {
	char **name;
	bool *ratio;
	size_t cols;
	size_t keys;
	double *cell;
	size_t rows;
};

/* Add a column; before the first row. 0, or -ENOMEM. */
int table_column(struct table *t, const char *name, bool ratio);
/* A new row, for the caller to fill in; NULL if there is no memory. */
double *table_row(struct table *t);
void table_free(struct table *t);

/* In columns for people. */
void table_text(const struct table *t, FILE *f);
/* With a line of names, fields apart by @sep, in quotes where they must be. */
void table_csv(const struct table *t, FILE *f, const char *sep);
/* An array of objects. */
struct json_object *table_json(const struct table *t);
/*
 * A chart for each column but the keys, over the first of these; rows that differ in the
 * other keys are lines of their own.
 */
void table_svg(const struct table *t, FILE *f, const char *title);
/* One field of CSV: in quotes if it has @sep, a quote or a line's end. */
void csv_field(FILE *f, const char *text, const char *sep);

#endif
