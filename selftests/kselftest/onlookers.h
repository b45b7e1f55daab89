/* SPDX-License-Identifier: GPL-2.0-only */
/* Tasks that look at a process, as root: they may not wait for what it does. */
#ifndef ONLOOKERS_H
#define ONLOOKERS_H

#include <sys/types.h>

/* Give up all rights of root, but for RLIMIT_MEMLOCK; for a process's own child. */
void become_nobody(void);

/*
 * Beside process @pid: ps, pgrep, /proc/PID/cmdline and reads of its memory at @at (unless
 * that is NULL) end, @rounds times over; then the process is killed. @limit is promptly() as
 * measured before, with nothing beside it.
 */
void look_on(const char *beside, pid_t pid, void *at, int rounds, double limit);

#endif
