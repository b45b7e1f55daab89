// SPDX-License-Identifier: GPL-2.0-only
/*
 * The arbiter's queues and the system bus (manual 4.11). Reads and claims wait in the
 * request queue for their turn to ask, writes in the write queue until their data is
 * gone; the bus's data cycles are what everything waits for.
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

u64 mont_bus_begin(struct mont_hierarchy *h, u64 now)
{
	if (now <= h->bus.begun)
		now = h->bus.begun + 1;
	h->bus.begun = now;
	return now;
}

u64 mont_bus_request(struct mont_hierarchy *h, u64 now)
{
	struct mont_bus *bus = &h->bus;
	unsigned int entry;
	u64 entered = mont_fills_take(&bus->requests, h->timing.si_queue, now, &entry);
	u64 granted = entered + 1;

	if (granted < bus->ask)
		granted = bus->ask;
	mont_fills_hold(&bus->requests, entry, granted, 0);
	mont_occupy(&h->occupancy, MONT_QUEUE_SI_RQ, entered, granted);
	bus->ask = granted + h->timing.request;
	return granted - 1;
}

u64 mont_bus_read(struct mont_hierarchy *h, u64 then)
{
	return data_cycles(h, then, h->timing.line);
}

u64 mont_bus_read_partial(struct mont_hierarchy *h, u64 now)
{
	return data_cycles(h, mont_bus_request(h, now) + h->timing.memory, h->timing.partial);
}

/* @cycles of data to memory: the cycle in which the queue takes it. */
static u64 write(struct mont_hierarchy *h, u64 now, u64 cycles)
{
	unsigned int entry;
	u64 entered = mont_fills_take(&h->bus.writes, h->timing.si_queue, now, &entry);
	u64 gone = data_cycles(h, entered, cycles) + cycles;

	mont_fills_hold(&h->bus.writes, entry, gone, 0);
	mont_occupy(&h->occupancy, MONT_QUEUE_SI_WRITEQ, entered, gone);
	return entered;
}

void mont_bus_write(struct mont_hierarchy *h, u64 now)
{
	(void)write(h, now, h->timing.line);
}

u64 mont_bus_write_partial(struct mont_hierarchy *h, u64 now)
{
	return write(h, now, h->timing.partial);
}
