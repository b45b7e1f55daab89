/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * montctl stat --what-if: what an end to a cause of lost cycles would gain. Called by stat.c and
 * stat_batch.c.
 */
#ifndef MONTCTL_WHAT_IF_H
#define MONTCTL_WHAT_IF_H

#include <stdio.h>

struct counting;
struct json_object;

/* Make the axis of the runs, of which the first is the program as it is: an exit status. */
int what_if_begin(struct counting *s, char **argv);
void what_if_free(struct counting *s);
/* Report, of each run's report of -j, NULL where the run was stopped; the first is none of these. */
void what_if_json(const struct counting *s, struct json_object *const *run,
		  struct json_object *top);
void what_if_text(const struct counting *s, struct json_object *const *run, FILE *f);

#endif
