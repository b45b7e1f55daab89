// SPDX-License-Identifier: GPL-2.0-only
/*
 * The system bus (manual 4.11): its data cycles are what requests wait for.
 */
#include "hierarchy.h"

static u64 data_cycles(struct mont_hierarchy *h, u64 from, u64 cycles)
{
	if (from < h->bus.next)
		from = h->bus.next;
	mont_occupy(&h->occupancy, MONT_QUEUE_BUS_DATA, from, from + cycles);
	if (from == h->bus.next)
		mont_occupy(&h->occupancy, MONT_QUEUE_BUS_B2B, from, from + cycles);
	h->bus.next = from + cycles;
	return from;
}

u64 mont_bus_read(struct mont_hierarchy *h, u64 then)
{
	return data_cycles(h, then, h->timing.line);
}

void mont_bus_write(struct mont_hierarchy *h, u64 now)
{
	data_cycles(h, now, h->timing.line);
}

u64 mont_bus_partial(struct mont_hierarchy *h, u64 then)
{
	return data_cycles(h, then, h->timing.partial);
}
