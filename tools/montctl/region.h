/* SPDX-License-Identifier: GPL-2.0-only */
/* --time-from and --time-to. Called by the subcommands that take them. */
#ifndef MONTCTL_REGION_H
#define MONTCTL_REGION_H

#include <stdio.h>

#include "montctl.h"

struct json_object;

/**
 * struct region - the part of the run that time is kept in, as a report has it
 * @given: there is one; all that is reported is of it
 * @to_given: its end is one of --time-to
 * @begun: it has begun
 * @ended: it has ended, before the run
 * @from: instructions retired where it began
 * @to: where it ended
 * @all: where the run did
 */
struct region {
	bool given;
	bool to_given;
	bool begun;
	bool ended;
	uint64_t from;
	uint64_t to;
	uint64_t all;
};

/*
 * Find the moment that @option with @text names in @path, whose functions are @sym (may be
 * NULL); none without @text. 0, or EXIT_MONTCTL after a message.
 */
int region_moment(const struct montecito_symbols *sym, const char *path, const char *option,
		  const char *text, struct montecito_moment *moment);
/*
 * Resolve --time-from and --time-to of @args in @path, whose functions are @sym (may be
 * NULL): 0, or EXIT_MONTCTL after a message.
 */
int region_find(const struct machine_args *args, const char *path,
		const struct montecito_symbols *sym, struct montecito_timed_region *r);
/* The region of @args, empty without one. */
struct region region_of(const struct machine_args *args);
/* EXIT_MONTCTL, with a message that nothing was @done, if the region has not begun; else 0. */
int region_reached(const struct machine_args *args, const struct region *r, const char *done);
/* NULL without one. */
struct json_object *region_json(const struct region *r);
/* One line, or nothing without one. */
void region_text(const struct region *r, FILE *f);

#endif
