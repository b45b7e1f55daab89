/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reset of a processor, and what follows from its registers. Called by
 * package.c and state.c of package/.
 */
#ifndef MONT_EXEC_THREAD_H
#define MONT_EXEC_THREAD_H

#include "../package/package.h"

/* Registers at processor reset (SDM volume 2, 11.2; manual 3.3.12). */
void mont_thread_reset(struct mont_thread *t);
/* Rebuild everything in struct mont_thread that follows from t->s. */
void mont_thread_sync_derived(struct mont_thread *t);

/* As mont_thread_sync_derived() for all threads of @pkg; what is reported is so already. */
void mont_package_sync_derived(struct mont_package *pkg);

#endif
