/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cycles that groups have waited for operands, added up by group, cause and operand. Called by
 * recorder.c, samples.c and annotate.c.
 */
#ifndef MONTCTL_WAITS_H
#define MONTCTL_WAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libmontecito.h"

/**
 * struct wait - cycles for which the groups that begin at one place have waited
 * @at: bundle address plus slot of the group's first instruction
 * @cause: row of the causes, as CYCLES has them
 * @operand: as in struct montecito_record_trace, MONTECITO_TRACE_STALL
 * @cycles: how many
 */
struct wait {
	uint64_t at;
	uint32_t cause;
	uint32_t operand;
	uint64_t cycles;
};

/**
 * struct waits - all of a vcpu
 * @list: they
 * @nr: how many
 * @cap: room for
 */
struct waits {
	struct wait *list;
	size_t nr;
	size_t cap;
};

/* Add one: 0 or -ENOMEM. */
int waits_add(struct waits *w, const struct wait *one);
/* Add those of equal keys up, in the order of addresses, the longest of each first. */
void waits_fold(struct waits *w);
/* The longest one at @at, behind waits_fold(); those of the place follow it. NULL: there is none. */
const struct wait *waits_at(const struct waits *w, uint64_t at);
void waits_free(struct waits *w);
/* Name of an operand: "r14", "f6", "ar65". */
const char *wait_operand(uint32_t operand, char *buf, size_t len);

/**
 * wait_producer() - the instruction that writes an operand
 * @sym: the program
 * @lo: where the function begins
 * @hi: where it ends
 * @at: bundle address plus slot of the group that waits
 * @operand: as in struct wait
 * @text: filled with the instruction
 *
 * Look for the nearest instruction before @at in the order in which the code runs: back to the
 * head of the innermost loop, then the round before, and in front of the loop. Where its branch
 * rotates registers, each round before has the one of the number below.
 *
 * Return: bundle address plus slot, or UINT64_MAX where no instruction of the function does.
 */
uint64_t wait_producer(const struct montecito_symbols *sym, uint64_t lo, uint64_t hi, uint64_t at,
		       uint32_t operand, char text[128]);

#endif
