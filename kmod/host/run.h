/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * RUN: slices of a machine.
 */
#ifndef MHOST_RUN_H
#define MHOST_RUN_H

#include "host.h"

void mhost_uncounted_take(struct mhost_machine *m);
long mhost_run(void *obj, void *arg);

#endif
