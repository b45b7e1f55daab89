/* SPDX-License-Identifier: GPL-2.0-only */
/* A machine for the fuzzer, and the host that plays with it. */
#ifndef FUZZ_MACHINE_H
#define FUZZ_MACHINE_H

#include "fuzz.h"

#define MAX_OBSERVERS 8

/* Hashes of the state, cycle by cycle. */
struct marks {
	u64 *hash;
	size_t nr, room;
	size_t at; /* of the run that is compared */
	size_t end; /* 0, or where the run stops */
	bool compares, stops;
	u64 ip, slot, cycle; /* where the last cycle began */
};

struct machine {
	struct mont_config cfg;
	struct mont_package *pkg;
	u8 *ram;
	struct rng host; /* of what the host answers to exits */
	u64 trail; /* of all exits and output so far */
	bool reloaded; /* every load was accepted and gave the saved hash */
	bool counted; /* what must count everything did */
	char why[160];
	bool untimed; /* a part of the script without time, on a machine that keeps it */
	bool mixed; /* there has been one */
	u64 insns0[MONT_MAX_VCPUS];
	struct mont_observer observer[MONT_MAX_VCPUS][MAX_OBSERVERS];
	bool attached[MONT_MAX_VCPUS][MAX_OBSERVERS];
	struct marks *marks; /* with RUN_MARKED */
	bool related_hold; /* all relations between events held at each look */
	struct related *related; /* while it runs with RUN_RELATED */
};

/* How to run. */
#define RUN_SLICED 0x1
#define RUN_OBSERVED 0x2
#define RUN_SAVED 0x4
#define RUN_RELATED 0x8 /* all relations between events are looked at after each part */
#define RUN_SLOW 0x10 /* every group the slow way (base/check.h) */
#define RUN_MARKED 0x20 /* cycle by cycle, with a mark for each, up to one that differs */

/* Allocate a machine of a configuration that @seed decides. */
void machine_make(struct machine *m, u64 seed);
void machine_free(struct machine *m);
/* At reset, with the image of @seed in its memory. */
void machine_start(struct machine *m, u64 seed);
/* Run @seed's script. Return: bundles executed. */
u64 machine_run(struct machine *m, u64 seed, unsigned int how);
/* Run for @cycles and answer exits; @slices decides the budgets if sliced. */
void machine_advance(struct machine *m, struct rng *slices, u64 cycles, unsigned int how);
/* Set every vcpu up to run. */
void machine_prepare(struct machine *m, struct rng *r);
/*
 * Count what relations between events want on the first vcpu: at some privilege
 * levels, at the others and at all of them.
 */
void related_begin(struct machine *m, struct rng *r);
/* Check the relations. Return: true if all hold; else @m->why names the first broken one. */
bool related_hold(struct machine *m);
void related_end(struct machine *m);
/* Relations that had a count other than 0 in this process, and all. */
unsigned int relations_checked(unsigned int *all);

/* Something a host does between runs. */
void machine_meddle(struct machine *m, struct rng *r);

#endif
