/* SPDX-License-Identifier: GPL-2.0-only */
/* The different call chains of a recording, and how many samples have each. Called by calls.c. */
#ifndef MONTCTL_STACKS_H
#define MONTCTL_STACKS_H

#include <stddef.h>
#include <stdint.h>

#include "samples.h"

/**
 * struct stack - a place with the calls that led to it
 * @event: of samples of this event
 * @samples: how many
 * @at: index in struct stacks.at of the instruction (bundle address and slot), behind it the
 *	addresses that its callers go on at, from the innermost
 * @nr: how many addresses these are, 1 at least
 */
struct stack {
	size_t event;
	uint64_t samples;
	size_t at;
	uint32_t nr;
};

/**
 * struct stacks - a recording by its stacks
 * @in: the recording
 * @symbols: functions of its program; NULL: none
 * @stack: the stacks, in the order of their first samples
 * @nr: how many
 * @at: their addresses
 * @chains: a sample had a call chain
 */
struct stacks {
	struct samples in;
	struct montecito_symbols *symbols;
	struct stack *stack;
	size_t nr;
	uint64_t *at;
	bool chains;
	size_t cap;
	size_t nr_at;
	size_t cap_at;
	uint32_t *slot;
	size_t nr_slots;
};

/* Read the recording at @path: 0, or EXIT_MONTCTL after a message. */
int stacks_read(struct stacks *s, const char *path);
void stacks_free(struct stacks *s);

/* The @i-th address of @k: of a caller the address of its call, not the return address. */
uint64_t stacks_place(const struct stacks *s, const struct stack *k, uint32_t i);
/* The name of the function of such an address, or the address, in @buf. */
const char *stacks_name(const struct stacks *s, uint64_t place, char *buf, size_t len);

#endif
