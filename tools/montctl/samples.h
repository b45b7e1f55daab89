/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file that record writes and report reads: one line of JSON that says
 * what was recorded, then the records as the sampling ring holds them.
 */
#ifndef MONTCTL_SAMPLES_H
#define MONTCTL_SAMPLES_H

#define SAMPLES_FORMAT "montecito-samples-1"
#define SAMPLES_FILE "montecito.samples"

#endif
