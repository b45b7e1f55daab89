/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The generic netlink family. Called by main.c, and by run.c.
 */
#ifndef MHOST_NETLINK_H
#define MHOST_NETLINK_H

#include "host.h"
#include "notify.h"

int mhost_netlink_init(void);
void mhost_netlink_exit(void);
void mhost_note_send(struct mhost_machine *m, const struct mhost_note *note);

#endif
