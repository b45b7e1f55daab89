// SPDX-License-Identifier: GPL-2.0-only
/*
 * The system bus and the arbiter in front of it (manual 2.5): the places of each core, the
 * in-order queue, and what of them can be a saved state.
 */
#include "mem_test.h"

#define LINE 128

/* Places of one core do not count against the other's. */
static void test_places(void)
{
	struct mont_arbiter *a = bus.arbiter;
	struct mont_place p;
	unsigned int i;

	fresh();
	for (i = 0; i < 4; i++) {
		p = mont_arbiter_take(&a[0], &h->timing, MONT_QUEUE_SI_RQ, 1000);
		mont_arbiter_issue(&p, 2000 + i, i * LINE);
		if (p.entered != 1000)
			break;
	}
	ok(i == 4, "2.5: four requests of a core have a place at once");
	p = mont_arbiter_take(&a[0], &h->timing, MONT_QUEUE_SI_RQ, 1000);
	ok(p.entered == 2000, "the fifth has the first one's, when that is issued");
	p = mont_arbiter_take(&a[1], &h->timing, MONT_QUEUE_SI_RQ, 1000);
	ok(p.entered == 1000, "the other core has places of its own");
	p = mont_arbiter_take(&a[0], &h->timing, MONT_QUEUE_SI_WRITEQ, 1000);
	ok(p.entered == 1000 && p.queue == &a[0].writes, "and writes have others than requests");
	mont_arbiter_issue(&p, 3000, 0);
	p = mont_arbiter_take(&a[0], &h->timing, MONT_QUEUE_SI_WRITEQ, 1000);
	mont_arbiter_issue(&p, 4000, LINE);
	p = mont_arbiter_take(&a[0], &h->timing, MONT_QUEUE_SI_WRITEQ, 1000);
	ok(p.entered == 3000, "two of them");
}

/* State that a transaction leaves can be saved, and none that cannot have happened. */
static void test_valid(void)
{
	struct mont_bus was;

	fresh();
	mont_met_begin(&met);
	mont_bus_read(h, 5 * LINE, 1000, &met);
	ok(mont_bus_valid(&bus, 1) && bus.ioq.last > 1000, "a bus with a read under way");
	was = bus;
	bus.ioq.line[MONT_NR_IOQ] = LINE;
	ok(!mont_bus_valid(&bus, 1), "no transaction lies behind the in-order queue's places");
	bus = was;
	bus.ioq.last--;
	ok(!mont_bus_valid(&bus, 1), "none is done later than the last");
	bus = was;
	bus.arbiter[0].requests.until[MONT_NR_SI_REQUESTS] = 1;
	ok(!mont_bus_valid(&bus, 1), "nor does a request lie behind the arbiter's");
	bus = was;
	bus.arbiter[0].writes.until[0] = bus.arbiter[0].writes.last + 1;
	ok(!mont_bus_valid(&bus, 1), "nor is a write issued later than the last");
	bus = was;
	bus.arbiter[1].castouts.last = 1;
	ok(!mont_bus_valid(&bus, 1) && mont_bus_valid(&bus, 2),
	   "a core that there is not has asked for nothing");
}

int main(void)
{
	test_places();
	test_valid();
	return done();
}
