/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Transactions of the system bus (manual 2.5 and 4.11).
 */
#ifndef MONT_CACHE_BUS_H
#define MONT_CACHE_BUS_H

#include "hierarchy.h"

/* A line from memory, asked for in @now: the cycle in which it is there. */
u64 mont_bus_read(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met);
/* Part of a line: likewise. */
u64 mont_bus_read_partial(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met);
/* A transaction without data: the cycle in which it is done. */
u64 mont_bus_ask(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met);
/* A line to memory, from cycle @now on, which begins in @in: the cycle in which it is there. */
u64 mont_bus_write(struct mont_hierarchy *h, u64 pa, u64 now, enum mont_met_cycle in,
		   struct mont_met *met);
/* @size bytes, up to 32: the cycle in which the arbiter has them. */
u64 mont_bus_write_partial(struct mont_hierarchy *h, u64 pa, u32 size, u64 now,
			   struct mont_met *met);
/* To a port of the I/O space: likewise. */
u64 mont_bus_write_port(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met);
/* The address of a clean line that is cast out. */
void mont_bus_castout(struct mont_hierarchy *h, u64 pa, u64 now, enum mont_met_cycle in,
		      struct mont_met *met);

#endif
