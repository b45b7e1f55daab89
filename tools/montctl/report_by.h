/* SPDX-License-Identifier: GPL-2.0-only */
/* montctl report --by: samples by any keys. */
#ifndef MONTCTL_REPORT_BY_H
#define MONTCTL_REPORT_BY_H

#include <stdbool.h>
#include <stdint.h>

/* The keys that --by takes, in a line. */
extern const char report_by_keys[];
/*
 * Show the recording at @path by @keys, a list: at most @limit rows for each event; 0, or
 * EXIT_MONTCTL after a message.
 */
int report_by(const char *path, const char *keys, bool json, uint64_t limit);

#endif
