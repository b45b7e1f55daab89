/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Making and ending a machine. Called by main.c, vcpu.c and netlink.c.
 */
#ifndef MHOST_MACHINE_H
#define MHOST_MACHINE_H

#include "host.h"

/**
 * struct mhost_creation - MONTECITO_CREATE's argument and what comes of it
 * @c: argument
 * @file: of the new machine, not yet at its descriptor
 */
struct mhost_creation {
	struct montecito_create c;
	struct file *file;
};

long mhost_create(void *obj, void *arg);
void mhost_create_end(void *obj, void *arg, long fd, bool told);
void mhost_machine_put(struct mhost_machine *m);

#endif
