/* SPDX-License-Identifier: GPL-2.0-only */
/* The calls that errno_test's files make, good ones and such with a defect. */
#ifndef ERRNOS_H
#define ERRNOS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "argument.h"

enum { DEVICE, MACHINE, VCPU, NR_KINDS };

#define NOBODY 65534

#define NR_CAUSES 64 /* more than the model has */

/* A call in the making: the argument, and what it points to. */
struct ctx {
	union argument a;
	struct montecito_region region[2];
	struct montecito_reg reg[2];
	struct montecito_pmu_reg pmu[2];
	uint32_t id[2];
	uint64_t count[2];
	struct montecito_table_entry entry[8];
	struct montecito_cause cause[NR_CAUSES];
	int fd[NR_KINDS];
	int efd;
	void *blob;
	uint64_t length;
	void *arg; /* what is passed: &a, unless a row says otherwise */
	pid_t helper; /* a process that is in the way */
	struct rlimit old;
};

struct command {
	const char *name;
	unsigned int cmd;
	int kind;
	uint32_t size;
	uint32_t flags; /* that it knows */
	int pad; /* offset of its padding, or -1 */
	int buffer; /* offset of the address of what else it reads or writes, or -1 */
	uint32_t rules;
	void (*fill)(struct ctx *c); /* the good argument, or NULL: it holds nothing */
	void (*prepare)(struct ctx *c); /* what has to be there, once, or NULL */
};

#define LOOKS 1 /* only at what cannot change: SAVE does not keep it out */
#define NO_WAIT 2 /* for another command */
#define ONCE 4 /* for each preparation and vcpu file */

extern const struct command commands[];
extern const unsigned int nr_commands;

/* A machine and a vcpu, and what @k needs. */
void set_up(struct ctx *c, const struct command *k);
/* Make *@c the good call again. */
void good(struct ctx *c, const struct command *k);
/* True if the call ended as the good one does. */
bool succeeds(const struct command *k, long ret);
void must(long ret, const char *what);
void observe(struct ctx *c, uint32_t flags);

/* The calling process, and those that it begins from now on, stay on processor @cpu. */
void stay_on(int cpu);
/* Another process that does @cmd with this machine and does not come back from it. */
void beside(struct ctx *c, unsigned int cmd, bool there);
/* CAP_SYS_ADMIN in the effective set or not; it stays permitted. */
void be_admin(bool admin);

/*
 * A defect is put in place before the call and, if it is none of the argument,
 * taken away again: @there says which.
 */
typedef void defect(struct ctx *c, const struct command *k, bool there);

/* errno_defects.c */
extern defect short_size, unknown_tail, over_a_page, unknown_flag, padding, no_structure,
	into_a_hole, no_buffer, beside_hash, beside_run, beside_copy, beside_console, no_descriptor,
	no_file, no_locked_memory, own_mapping, long_name, other_name, no_load, within_bundle,
	fixed_param, untimed_machine, all_files, all_observers, no_ring, matches_unasked,
	matches_beside, match_too_long, match_of_nothing, mask_reaches, mask_too_long, big_table,
	has_ring, guest_has_pmu, no_table, other_machine, damaged, no_observer, no_eventfd,
	slot_three, watch_nothing, many_breakpoints, no_breakpoints, step_nobody, step_with_time,
	not_translated, nowhere_to_trace, traced_already, reloads_unit, all_pmus, selects_none,
	selects_ia32, selects_by_four;

/* Make the call as one who is killed in it; some are killed before or behind it instead. */
#define KILLS 100
long call_killed(struct ctx *c, const struct command *k);

/* The rows of generic netlink. */
void netlink(void);

#endif
