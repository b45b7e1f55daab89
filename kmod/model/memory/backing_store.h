/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * References of the register stack engine (SDM volume 2, chapter 6). Called by rse.c.
 */
#ifndef MONT_MEMORY_BACKING_STORE_H
#define MONT_MEMORY_BACKING_STORE_H

#include "../package/package.h"

enum mont_result mont_rse_load8(struct mont_thread *t, u64 va, u64 *v);
enum mont_result mont_rse_store8(struct mont_thread *t, u64 va, u64 v);

#endif
