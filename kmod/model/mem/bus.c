// SPDX-License-Identifier: GPL-2.0-only
/*
 * The system bus (manual 4.11): its data cycles are what requests wait for.
 */
#include "hierarchy.h"

static u64 data_cycles(struct mont_hierarchy *h, u64 from)
{
	if (from < h->bus.next)
		from = h->bus.next;
	h->bus.next = from + h->timing.line;
	return from;
}

u64 mont_bus_read(struct mont_hierarchy *h, u64 then)
{
	return data_cycles(h, then);
}

void mont_bus_write(struct mont_hierarchy *h, u64 now)
{
	data_cycles(h, now);
}
