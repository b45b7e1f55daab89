/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * Sets of events that the counters can hold together (manual 3.3.3 and 4.8). Called by
 * libmontecito (strict.c).
 */
#ifndef MONT_PMU_CONSTRAINTS_H
#define MONT_PMU_CONSTRAINTS_H

#include "event.h"

/**
 * mont_place() - give each of a set of events a counter
 * @ev: the events; whether the model counts them does not matter here
 * @n: how many
 * @counter: filled with a number 4..15 for each
 * @why: set to the rule that forbids it, a constant string
 *
 * Finds a placement whenever there is one. Return: 0; MONT_ENOSPC: the
 * counters cannot hold these events together.
 */
int mont_place(const struct mont_event *const ev[], unsigned int n, u8 counter[], const char **why);

#endif
