// SPDX-License-Identifier: GPL-2.0-only
/*
 * The system bus (manual 2.5 and 4.11).
 *
 * A transaction waits in its core's place of the arbiter until it is issued. From then on it is
 * in the in-order queue, up to the last of its data, and behind what was issued before.
 * Transactions are issued in the order in which they are asked for.
 */
#include "bus.h"

#define NOT_LINE (MONT_L2_LINE - 1)

MONT_SIZE_FITS(ioq, MONT_NR_IOQ);

/**
 * struct issue - a transaction
 * @line: its address
 * @entered: the cycle in which the arbiter has it
 * @issued: and that in which it is issued
 * @entry: of the in-order queue
 */
struct issue {
	u64 line;
	u64 entered;
	u64 issued;
	unsigned int entry;
};

/* A place of @which queue, from cycle @now on, and the turn of its transaction. */
static struct issue bus_issue(struct mont_hierarchy *h, enum mont_queue which, u64 pa, u64 now,
			      enum mont_met_cycle in, struct mont_met *met)
{
	struct mont_bus *bus = h->bus;
	struct mont_place place = mont_arbiter_take(&bus->arbiter[h->core], &h->timing, which, now);
	struct issue i = { .line = pa & ~(u64)NOT_LINE, .entered = place.entered };

	i.issued = i.entered + 1 < bus->ask ? bus->ask : i.entered + 1;
	i.issued = mont_fills_take(&bus->ioq, h->timing.ioq, i.issued, &i.entry);
	bus->ask = i.issued + h->timing.request;
	mont_arbiter_issue(&place, i.issued, i.line);
	mont_occupy(&h->occupancy, which, i.entered, i.issued);
	met->at[in] = i.issued;
	if (mont_fills_pending(&bus->ioq, MONT_NR_IOQ, i.line, i.issued))
		met->sent |= MONT_SENT_BIT(IOQ_COLLIDED) << (in - MONT_MET_IN_BUS);
	return i;
}

/* The transaction @i is done with in cycle @end, or when those before it are. */
static void bus_finish(struct mont_hierarchy *h, const struct issue *i, u64 end)
{
	struct mont_fills *ioq = &h->bus->ioq;

	if (end < ioq->last)
		end = ioq->last;
	mont_fills_hold(ioq, i->entry, end, i->line);
	mont_occupy(&h->occupancy, MONT_QUEUE_SI_IOQ, i->issued, end);
}

static u64 bus_data_cycles(struct mont_hierarchy *h, u64 from, u64 cycles)
{
	struct mont_bus *bus = h->bus;

	if (from < bus->next)
		from = bus->next;
	mont_occupy(&h->occupancy, MONT_QUEUE_BUS_DATA, from, from + cycles);
	if (from == bus->next)
		mont_occupy(&h->occupancy, MONT_QUEUE_BUS_B2B, from, from + cycles);
	bus->next = from + cycles;
	return from;
}

/* The first data of a read of @cycles, which memory has @latency behind its being asked. */
static u64 bus_read(struct mont_hierarchy *h, u64 pa, u64 now, u64 latency, u64 cycles, u64 *asked,
		    struct mont_met *met)
{
	struct issue i = bus_issue(h, MONT_QUEUE_SI_RQ, pa, now, MONT_MET_IN_BUS, met);
	u64 from = bus_data_cycles(h, i.issued - 1 + latency, cycles);

	*asked = i.entered;
	bus_finish(h, &i, from + cycles);
	return from;
}

u64 mont_bus_read(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met)
{
	u64 asked, ready = bus_read(h, pa, now, h->timing.memory - h->timing.l2d, h->timing.line,
				    &asked, met);

	/* 4.11.2: from the cycle behind the one that asks the arbiter on. */
	mont_occupy(&h->occupancy, h->front ? MONT_QUEUE_MEMORY_READ_1 : MONT_QUEUE_MEMORY_READ,
		    asked + 1, ready);
	return ready;
}

u64 mont_bus_read_partial(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met)
{
	u64 asked, ready = bus_read(h, pa, now, h->timing.memory, h->timing.partial, &asked, met);

	met->at[MONT_MET_IN_RETURN] = ready;
	return ready;
}

u64 mont_bus_ask(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met)
{
	struct issue i = bus_issue(h, MONT_QUEUE_SI_RQ, pa, now, MONT_MET_IN_BUS, met);

	bus_finish(h, &i, i.issued + h->timing.request);
	return i.issued + h->timing.request;
}

/* @cycles of data to memory: the cycle in which they have gone; in @entered that of the arbiter. */
static u64 bus_write(struct mont_hierarchy *h, u64 pa, u64 now, u64 cycles, enum mont_met_cycle in,
		     u64 *entered, struct mont_met *met)
{
	struct issue i = bus_issue(h, MONT_QUEUE_SI_WRITEQ, pa, now, in, met);
	u64 end = bus_data_cycles(h, i.issued, cycles) + cycles;

	*entered = i.entered;
	bus_finish(h, &i, end);
	return end;
}

u64 mont_bus_write(struct mont_hierarchy *h, u64 pa, u64 now, enum mont_met_cycle in,
		   struct mont_met *met)
{
	u64 entered;

	return bus_write(h, pa, now, h->timing.line, in, &entered, met);
}

u64 mont_bus_write_partial(struct mont_hierarchy *h, u64 pa, u32 size, u64 now,
			   struct mont_met *met)
{
	u64 entered, cycles = h->timing.partial;

	if (size > 16) {
		met->sent |= MONT_SENT_BIT(BUS_WRITE_32);
		cycles *= 2;
	} else if (size > 8) {
		met->sent |= MONT_SENT_BIT(BUS_WRITE_16);
	} else {
		met->sent |= pa & 8 ? MONT_SENT_BIT(BUS_WRITE_8B) : MONT_SENT_BIT(BUS_WRITE_8A);
	}
	(void)bus_write(h, pa, now, cycles, MONT_MET_IN_BUS, &entered, met);
	return entered;
}

u64 mont_bus_write_port(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_met *met)
{
	u64 entered;

	met->sent |= MONT_SENT_BIT(BUS_WRITE_IO);
	(void)bus_write(h, pa, now, h->timing.partial, MONT_MET_IN_BUS, &entered, met);
	return entered;
}

void mont_bus_castout(struct mont_hierarchy *h, u64 pa, u64 now, enum mont_met_cycle in,
		      struct mont_met *met)
{
	struct issue i = bus_issue(h, MONT_QUEUE_SI_CCQ, pa, now, in, met);

	bus_finish(h, &i, i.issued + h->timing.request);
}

bool mont_bus_valid(const struct mont_bus *bus, u32 cores)
{
	static const struct mont_arbiter none;
	u32 i;

	for (i = 0; i < MONT_MAX_CORES; i++) {
		const struct mont_arbiter *a = &bus->arbiter[i];

		if (i < cores ? !mont_arbiter_valid(a) : !!__builtin_memcmp(a, &none, sizeof(none)))
			return false;
	}
	return mont_fills_valid(&bus->ioq, MONT_NR_IOQ);
}
