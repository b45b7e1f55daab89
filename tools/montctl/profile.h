/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording added up by instruction and event: what profile formats of other tools hold. Called
 * by report.c, by the formats (callgrind.c, pprof.c, perfdata.c) and by diff_runs.c.
 */
#ifndef MONTCTL_PROFILE_H
#define MONTCTL_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "samples.h"

/* Room for the name of an address without a function. */
#define PROFILE_NO_NAME 32

/**
 * struct profile_cell - samples of an event at an instruction
 * @at: bundle address and slot
 * @event: index of the event
 * @samples: how many
 */
struct profile_cell {
	uint64_t at;
	size_t event;
	uint64_t samples;
};

/**
 * struct profile - a recording, added up
 * @in: the recording, read to its end
 * @symbols: functions of its program, or NULL
 * @cell: by address, then event, each pair once
 * @nr: cells
 * @cap: room for
 * @total: occurrences by event: samples times period
 */
struct profile {
	struct samples in;
	struct montecito_symbols *symbols;
	struct profile_cell *cell;
	size_t nr;
	size_t cap;
	uint64_t *total;
};

/* Read and add up the recording @path: 0, or EXIT_MONTCTL after a message. */
int profile_read(struct profile *p, const char *path);
void profile_free(struct profile *p);

/**
 * profile_function() - the function that an instruction is in
 * @p: the profile
 * @at: the instruction
 * @none: room for the name of an address
 *
 * Return: its name; without one, the bundle's address as text in @none.
 */
const char *profile_function(const struct profile *p, uint64_t at, char none[PROFILE_NO_NAME]);

/* Source file of the instruction @at, and its line; NULL: unknown, and the line is 0. */
const char *profile_source(const struct profile *p, uint64_t at, int *line);

/**
 * profile_values() - occurrences of each event at one instruction
 * @p: the profile
 * @i: first cell of the instruction
 * @value: an entry for each event
 *
 * Return: the first cell behind the instruction's.
 */
size_t profile_values(const struct profile *p, size_t i, uint64_t *value);

/* The formats that report exports to. */
int callgrind_write(const struct profile *p, FILE *f);
int pprof_write(const struct profile *p, FILE *f);
/* -errno: the file cannot be positioned, as a pipe. */
int perfdata_write(const struct profile *p, FILE *f);

#endif
