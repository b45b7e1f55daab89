/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Questions of instructions to translations: probe, tpa, tak (SDM volume 3).
 * Called by isa/translation.c.
 */
#ifndef MONT_MMU_PROBE_H
#define MONT_MMU_PROBE_H

#include "../package/package.h"

/* Set @allowed to whether a reference @want to @va is allowed at @level. */
enum mont_result mont_probe(struct mont_thread *t, u64 va, u32 want, u32 level, bool *allowed);
/* The physical address of @va. */
enum mont_result mont_tpa(struct mont_thread *t, u64 va, u64 *pa);
/* The protection key of @va, as tak gives it. */
u64 mont_tak(struct mont_thread *t, u64 va);

#endif
