/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * RUN: slices of a machine. Called by machine.c, regs.c and state.c.
 */
#ifndef MHOST_RUN_H
#define MHOST_RUN_H

#include "host.h"

void mhost_uncounted_take(struct mhost_machine *m);
long mhost_run(void *obj, void *arg);

#endif
