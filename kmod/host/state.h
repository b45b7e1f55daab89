/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SAVE, RESTORE and HASH. Called by machine.c.
 */
#ifndef MHOST_STATE_H
#define MHOST_STATE_H

#include "host.h"

u64 mhost_state_length(const struct mhost_machine *m);
long mhost_state_save(void *obj, void *arg);
long mhost_state_restore(void *obj, void *arg);
long mhost_state_hash(void *obj, void *arg);

#endif
