/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Invariants between the caches (manual 2.3.3). Called by pipeline/reference.c, in
 * builds with checks.
 */
#ifndef MONT_CACHE_CONSISTENT_H
#define MONT_CACHE_CONSISTENT_H

#include "hierarchy.h"

/* True if the line at @pa is in one place of each cache at most. */
bool mont_hierarchy_consistent(const struct mont_hierarchy *h, u64 pa);

#endif
