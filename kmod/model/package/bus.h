/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The system bus, which the cores of a package share, and its transactions (manual 2.5 and
 * 4.11).
 */
#ifndef MONT_PACKAGE_BUS_H
#define MONT_PACKAGE_BUS_H

#include "../mont.h"
#include "../cache/hierarchy.h"
#include "arbiter.h"

#define MONT_NR_IOQ 15 /* SI_IOQ_LIVE_REQ counts in four bits */

/**
 * struct mont_bus - the system bus of a package, with the arbiter in front of it
 * @next: first cycle in which a line's data can begin
 * @ask: first cycle in which a transaction can be issued
 * @ioq: transactions that have been issued and are not done (the in-order queue)
 * @arbiter: by core, those that have not been issued
 */
struct mont_bus {
	u64 next;
	u64 ask;
	struct mont_fills ioq;
	struct mont_arbiter arbiter[MONT_MAX_CORES];
};

/* True if @bus can be the saved state of the bus of a package of @cores cores. */
bool mont_bus_valid(const struct mont_bus *bus, u32 cores);

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
