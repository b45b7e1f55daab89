/* SPDX-License-Identifier: GPL-2.0-only */
/* Interfaces between fuzz_test.c and fuzz_args.c: random numbers, arguments, the commands. */
#ifndef FUZZ_H
#define FUZZ_H

#include "argument.h"
#include "common.h"

#define SMALL (1ULL << 20) /* memory of a machine */
#define REGION_READONLY 0x100000000ULL
#define REGION_MMIO 0x200000000ULL
#define ARENA 65536 /* bytes of what arguments point to */

enum { ON_DEV, ON_MACHINE, ON_VCPU };

struct command {
	unsigned long cmd;
	int on;
	uint32_t size;
	int weight;
	void (*fill)(union argument *a); /* a valid one, to begin with */
};

extern const struct command commands[];
extern const int nr_commands;

/* Of each thread. */
extern __thread uint64_t rng;
extern __thread uint64_t *arena;
extern __thread uint64_t *blob; /* what SAVE gave; its first part is not guest memory */
extern __thread uint64_t blob_length, blob_head;
extern __thread struct montecito_run last; /* RUN that succeeded */

extern int an_eventfd;

uint64_t below(uint64_t n);
/* Numbers that a check may have forgotten. */
uint64_t odd(void);
void fill_create(union argument *a);
/* Events of perf's, where the host has it: one call about them, on @n machines. */
void fuzz_perf_begin(void);
bool fuzz_perf(const int m[], int n);
void fuzz_perf_unmap(void); /* this thread's */
void fuzz_perf_end(void);
/* True if the description of a command or request names @ret. */
bool is_documented(long ret);

#endif
