/* SPDX-License-Identifier: GPL-2.0-only */
/* Guests that want to keep the CPU, and their callers (hostile.S, hostile.c). */
#ifndef HOSTILE_H
#define HOSTILE_H

#include <stdint.h>

/* The name of the nth, or NULL. */
const char *hostile_name(unsigned int n);
/* A machine of that one, with its observers, ready to run. Files of its processors stay open. */
int hostile_machine(const char *name);
/* Close @m, and the files of the processors of all these machines. */
void hostile_close(int m);
/*
 * Let @m run @rounds times for some whole slices: the seconds of a slice in the fastest
 * round, in which nothing else had the processor, and in *@count how many slices there were.
 */
double hostile_slice(int m, int rounds, uint32_t *count);

/*
 * Let @m run, with a signal that comes after @usec microseconds: the seconds up to RUN's
 * return, which are those of the longest slice in it at least, and in *@insns the
 * instructions executed, unless it is NULL.
 */
double hostile_call(int m, unsigned int usec, uint64_t *insns);

#endif
