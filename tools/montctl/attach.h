/* SPDX-License-Identifier: GPL-2.0-only */
/* A machine that another process runs, for stat -p and record -p. Called by stat.c and record.c. */
#ifndef MONTCTL_ATTACH_H
#define MONTCTL_ATTACH_H

#include <stdint.h>

#include "montctl.h"

/**
 * struct attached - a machine of another process
 * @m: the machine as libmontecito has it
 * @pidfd: its process
 * @name: how reports call it
 * @milliseconds: how long to stay with it; 0: up to the end of its process
 */
struct attached {
	struct montecito *m;
	int pidfd;
	char name[96];
	uint64_t milliseconds;
};

/* Argument of --for: 0, or EXIT_MONTCTL after a message. */
int attach_for(struct attached *a, const char *command, const char *arg);

/*
 * Open the machine that @arg names, of a process or by its own number, for @command, and take
 * over in @args what it is: 0, or EXIT_MONTCTL after a message. Options that belong to a
 * machine's making are refused.
 */
int attach_open(struct attached *a, struct machine_args *args, const char *command,
		const char *arg);

/*
 * Find the functions that @specs name in @program, which may be NULL: 0, or EXIT_MONTCTL after
 * a message.
 */
int attach_functions(const char *command, struct montecito_event_spec *specs, size_t nr,
		     const char *program);

/*
 * Call @tick each @every milliseconds until the process has ended, the time is over, a signal
 * comes or @tick fails: 0, or what that returned.
 */
int attach_wait(struct attached *a, int every, int (*tick)(void *arg), void *arg);

/* Close all but the machine. */
void attach_close(struct attached *a);

#endif
