/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Faults of speculative loads that give NaT (SDM volume 2, 5.5.5). Called by access.c.
 */
#ifndef MONT_MEMORY_SPECULATION_H
#define MONT_MEMORY_SPECULATION_H

#include "../package/package.h"

struct mont_xlat;

/* True if a speculative load that met fault @r gives NaT instead (SDM volume 2, 5.5.5). */
bool mont_deferred_by(struct mont_thread *t, enum mont_result r);
/* The reason SPEC_LOADS_NATTED has for NaT instead of fault @r (Documentation/pmu.rst, P13). */
u32 mont_natted_why(enum mont_result r, const struct mont_xlat *x);

#endif
