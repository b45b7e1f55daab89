/* SPDX-License-Identifier: GPL-2.0-only */
/* What fuzz_test.c and fuzz_args.c share: random numbers, arguments, the commands. */
#ifndef FUZZ_H
#define FUZZ_H

#include "common.h"

#define SMALL (1ULL << 20) /* memory of a machine */
#define REGION_READONLY 0x100000000ULL
#define REGION_MMIO 0x200000000ULL
#define ARENA 65536 /* bytes of what arguments point to */

union argument {
	uint32_t size;
	uint32_t w32[4096 / 4];
	uint64_t w64[4096 / 8];
	struct montecito_create create;
	struct montecito_machine_info machine_info;
	struct montecito_mem mem;
	struct montecito_state state;
	struct montecito_run run;
	struct montecito_vcpu vcpu;
	struct montecito_console console;
	struct montecito_param param;
	struct montecito_regs regs;
	struct montecito_pal pal;
	struct montecito_irq irq;
	struct montecito_tc_insert tc_insert;
	struct montecito_tc_purge tc_purge;
	struct montecito_observer_add add;
	struct montecito_observer_del del;
	struct montecito_observer_read read;
	struct montecito_ring ring;
	struct montecito_eventfd eventfd;
	struct montecito_pmu_sampling sampling;
	struct montecito_table_read table;
};

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
/* Is @ret what some description of a command or request names? */
bool is_documented(long ret);

#endif
