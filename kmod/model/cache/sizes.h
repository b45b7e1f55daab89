/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sizes of caches and queues, as the parameters say (manual table 2-9). Called
 * by package/param.c.
 */
#ifndef MONT_CACHE_SIZES_H
#define MONT_CACHE_SIZES_H

#include "hierarchy.h"

/* The sizes in @h->timing hold from now on: caches lose what lies beyond. */
void mont_hierarchy_fit(struct mont_hierarchy *h);

#endif
