/* SPDX-License-Identifier: GPL-2.0-only */
/* A recording for callgrind_annotate and kcachegrind. */
#ifndef MONTCTL_CALLGRIND_H
#define MONTCTL_CALLGRIND_H

/*
 * The recording at @path as a profile of the callgrind format at @to ("-": stdout): 0, or
 * EXIT_MONTCTL after a message.
 */
int callgrind_report(const char *path, const char *to);

#endif
