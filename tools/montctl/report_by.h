/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * montctl report --by: samples by any keys. Called by report.c and report_pmu.c; report_keys.c
 * makes its rows.
 */
#ifndef MONTCTL_REPORT_BY_H
#define MONTCTL_REPORT_BY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_object;

/* The keys that --by takes, in a line. */
extern const char report_by_keys[];
/*
 * Show the recording at @path by @keys, a list: at most @limit rows for each event; 0, or
 * EXIT_MONTCTL after a message.
 */
int report_by(const char *path, const char *keys, bool json, uint64_t limit);
/* Show one event of it, without a title, or put its rows into *@rows if that is not NULL. */
int report_by_event(const char *path, const char *keys, size_t event, uint64_t limit,
		    struct json_object **rows);

#endif
