/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Open files on vcpus. Called by machine.c.
 */
#ifndef MHOST_VCPU_H
#define MHOST_VCPU_H

#include "host.h"

int mhost_vcpu_open(struct mhost_machine *m, u32 index);

#endif
