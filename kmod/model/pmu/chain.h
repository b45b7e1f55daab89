/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Call chains of observers' samples: a shadow of the calls that have not returned, kept
 * while an observer asks for it. A register stack frame tells an entry from others of its
 * address, so that a chain is the running code's own or ends early, and is never another's. Called
 * by counter.c for each branch, by observer.c, and by hosts for a sample.
 */
#ifndef MONT_PMU_CHAIN_H
#define MONT_PMU_CHAIN_H

#include "../base/types.h"

struct mont_occurrence;
struct mont_thread;

/* Begin with no calls, or stop. */
void mont_chain_set(struct mont_thread *t, bool live);

/* Note a branch that retires: BRANCH_RETIRED. */
void mont_chain_branch(const struct mont_occurrence *o);

/**
 * mont_chain_read() - the calls that led to the present instruction
 * @t: thread
 * @to: filled with the addresses they return to, from the innermost; of its level alone
 * @most: room
 *
 * Return: how many there are, up to @most.
 */
u32 mont_chain_read(struct mont_thread *t, u64 *to, u32 most);

#endif
