/* SPDX-License-Identifier: GPL-2.0-only */
/* montctl report: the call graph of a recording with call chains. Called by report.c. */
#ifndef MONTCTL_CALLS_H
#define MONTCTL_CALLS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Show the functions of the recording at @path with all that they call, or with @callers or
 * @callees the functions around this one; at most @limit lines. 0, or EXIT_MONTCTL after a
 * message.
 */
int calls_report(const char *path, const char *event, const char *callers, const char *callees,
		 bool json, uint64_t limit);
/* Write folded stacks of an event to the file @to, "-" for stdout. */
int calls_folded(const char *path, const char *event, const char *to);
/* Write a flame graph, which is one SVG. */
int calls_flame(const char *path, const char *event, const char *to);

#endif
