/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lock of a machine: taken for a slice, briefly, or for a whole command
 * (Documentation/locking.rst). Called by the ioctls of machines and vcpus, and
 * by run.c around each slice.
 */
#ifndef MHOST_LOCK_H
#define MHOST_LOCK_H

#include "host.h"

int __must_check mhost_lock(struct mhost_machine *m);
void mhost_lock_release(struct mhost_machine *m);
void mhost_unlock(struct mhost_machine *m);
int __must_check mhost_enter(struct mhost_machine *m);
int __must_check mhost_enter_briefly(struct mhost_machine *m);
int __must_check mhost_use(struct mhost_machine *m);
void mhost_unuse(struct mhost_machine *m);
int __must_check mhost_state_begin(struct mhost_machine *m);
void mhost_state_end(struct mhost_machine *m);

#endif
