/* SPDX-License-Identifier: GPL-2.0-only */
/* montctl boot --save and --restore. Called by boot.c. */
#ifndef MONTCTL_BOOT_SAVE_H
#define MONTCTL_BOOT_SAVE_H

#include "libmontecito.h"

/* Write a system's state to @path: 0, or EXIT_MONTCTL after a message. */
int boot_save(struct montecito_system *s, const char *path);
/* Read it from there: 0, or an exit status after a message. */
int boot_restore(struct montecito_system *s, const char *path);

#endif
