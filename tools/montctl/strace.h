/* SPDX-License-Identifier: GPL-2.0-only */
/* montctl run --strace: a program's system calls, as strace(1) prints them. Called by run.c. */
#ifndef STRACE_H
#define STRACE_H

#include "libmontecito.h"

/* Tell of @p's system calls from now on in @path, or on stderr; EXIT_MONTCTL after a message. */
int strace_open(struct montecito_process *p, const char *path);
/* The program has ended, with @status as a shell shows it; it was traced or not. */
int strace_close(struct montecito_process *p, int status);

#endif
