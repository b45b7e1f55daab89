/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * montctl estimate --calibrate: penalties of floating-point sequences, measured by loops. Called
 * by estimate.c.
 */
#ifndef MONTCTL_CALIBRATE_H
#define MONTCTL_CALIBRATE_H

#include <stdint.h>
#include <stdio.h>

struct json_object;
struct machine_args;

/* Rows of the table of loops */
#define NR_LOOPS 7

/**
 * struct calibration - what the loops take on a machine, an element each
 * @pipelined: cycles, software-pipelined
 * @single: cycles, one element at a time
 * @waits: of these, cycles of CAUSE.FR
 * @frcpa: the penalty of a frcpa that they give
 * @frsqrta: and of a frsqrta
 */
struct calibration {
	double pipelined[NR_LOOPS];
	double single[NR_LOOPS];
	double waits[NR_LOOPS];
	uint64_t frcpa;
	uint64_t frsqrta;
};

/* Run the loops on machines as @args has them. Return: 0 or an exit status. */
int calibrate(struct machine_args *args, struct calibration *c);

/* The table of loops, with what penalties of @frcpa and @frsqrta come to beside these. */
void calibrate_text(const struct calibration *c, uint64_t frcpa, uint64_t frsqrta, FILE *f);
struct json_object *calibrate_json(const struct calibration *c);

#endif
