// SPDX-License-Identifier: GPL-2.0-only
/*
 * The system bus and the arbiter in front of it (manual 2.5): the places of each core, the
 * in-order queue, what of them can be a saved state; snoops and states of lines in two cores.
 */
#include "mem_test.h"

#define LINE 128

/* Places of one core do not count against the other's. */
static void test_places(void)
{
	struct mont_arbiter *a[] = { &bus.port[0].arbiter, &bus.port[1].arbiter };
	struct mont_place p;
	unsigned int i;

	fresh();
	for (i = 0; i < 4; i++) {
		p = mont_arbiter_take(a[0], &h->timing, MONT_QUEUE_SI_RQ, 1000);
		mont_arbiter_issue(&p, 2000 + i, i * LINE);
		if (p.entered != 1000)
			break;
	}
	ok(i == 4, "2.5: four requests of a core have a place at once");
	p = mont_arbiter_take(a[0], &h->timing, MONT_QUEUE_SI_RQ, 1000);
	ok(p.entered == 2000, "the fifth has the first one's, when that is issued");
	p = mont_arbiter_take(a[1], &h->timing, MONT_QUEUE_SI_RQ, 1000);
	ok(p.entered == 1000, "the other core has places of its own");
	p = mont_arbiter_take(a[0], &h->timing, MONT_QUEUE_SI_WRITEQ, 1000);
	ok(p.entered == 1000 && p.queue == &a[0]->writes, "and writes have others than requests");
	mont_arbiter_issue(&p, 3000, 0);
	p = mont_arbiter_take(a[0], &h->timing, MONT_QUEUE_SI_WRITEQ, 1000);
	mont_arbiter_issue(&p, 4000, LINE);
	p = mont_arbiter_take(a[0], &h->timing, MONT_QUEUE_SI_WRITEQ, 1000);
	ok(p.entered == 3000, "two of them");
}

/* State that a transaction leaves can be saved, and none that cannot have happened. */
static void test_valid(void)
{
	struct mont_bus was;
	u32 state;

	fresh();
	mont_reply_begin(&reply);
	mont_bus_read(h, 5 * LINE, MONT_SNOOP_DATA, 1000, &state, &reply);
	ok(mont_bus_valid(&bus, 1) && bus.ioq.last > 1000, "a bus with a read under way");
	was = bus;
	bus.ioq.line[MONT_NR_IOQ] = LINE;
	ok(!mont_bus_valid(&bus, 1), "no transaction lies behind the in-order queue's places");
	bus = was;
	bus.ioq.last--;
	ok(!mont_bus_valid(&bus, 1), "none is done later than the last");
	bus = was;
	bus.port[0].arbiter.requests.until[MONT_NR_SI_REQUESTS] = 1;
	ok(!mont_bus_valid(&bus, 1), "nor does a request lie behind the arbiter's");
	bus = was;
	bus.port[0].arbiter.writes.until[0] = bus.port[0].arbiter.writes.last + 1;
	ok(!mont_bus_valid(&bus, 1), "nor is a write issued later than the last");
	bus = was;
	bus.port[1].arbiter.castouts.last = 1;
	ok(!mont_bus_valid(&bus, 1) && mont_bus_valid(&bus, 2),
	   "a core that there is not has asked for nothing");
	/* Both cores send no more than four of a kind in each of the 2001 cycles of a window. */
	bus.tally.sent[0] = 4 * 2001;
	bus.tally.nr = 4 * 2001;
	ok(mont_bus_valid(&bus, 2), "a longest window, told of as it ends");
	bus.tally.sent[0]++;
	bus.tally.nr++;
	ok(!mont_bus_valid(&bus, 2), "one more of a kind than it can have");
	bus.tally.sent[0] = 0;
	bus.tally.snooped[1][0] = 4 * 2001 + 1;
	ok(!mont_bus_valid(&bus, 2), "and one snoop more");
	bus.tally.snooped[1][0]--;
	ok(!mont_bus_valid(&bus, 2), "nor fewer of all than of a kind");
	bus.tally.snooped[1][0] = 0;
	bus.tally.nr = 0;
}

/* Lines of one place in the L3, which is all that each has there. */
#define L3_PLACE (MONT_L3_SETS * (u64)LINE)

/* Where places of the arbiter's writes are in use: their cycles in all, and *@most at once. */
static u64 cycles_of_writes(u64 from, u64 until, u64 *most)
{
	struct mont_occupancy *o = &h->occupancy;
	u64 sum = 0, now;

	*most = 0;
	for (now = from; now < until; now++) {
		mont_bus_go_on(h, now);
		mont_occupancy_pass(o, now);
		/* Changes of cycle @now itself */
		while (mont_occupied(o) && mont_occupancy_at(o) <= now)
			mont_occupancy_next(o, now);
		sum += o->number[MONT_QUEUE_SI_WRITEQ];
		if (*most < o->number[MONT_QUEUE_SI_WRITEQ])
			*most = o->number[MONT_QUEUE_SI_WRITEQ];
	}
	return sum;
}

/* @n reads of cycle 5000, each of which replaces a line: what the last of them meets is in reply. */
static u64 reads_that_replace(u64 n, bool modified)
{
	u64 i, wrong = 0;
	u32 state;

	fresh();
	h->timing.l3_ways = 1;
	for (i = 0; i < n && modified; i++)
		mont_l3_write(h, i * LINE | MONT_LINE_M, 1000, &reply);
	for (i = 0; i < n; i++) {
		mont_reply_begin(&reply);
		mont_l3_read(h, L3_PLACE + i * LINE, MONT_L3_DATA, 5000, &state, &reply);
		wrong += reply.at[MONT_REPLY_IN_BUS] != 5001 + i * h->timing.request;
	}
	return wrong;
}

/* R72: within a core reads go before writes, and those before clean castouts. */
static void test_order(void)
{
	u64 i, sum, most, request;
	u32 state;

	for (i = 0; i < 2; i++) {
		fresh();
		h->timing.l3_ways = 1;
		h->timing.castouts = 1;
		mont_reply_begin(&reply);
		if (i)
			mont_l3_read(h, 0, MONT_L3_DATA, 1000, &state, &reply);
		else
			mont_l3_write(h, MONT_LINE_M, 1000, &reply);
		mont_reply_begin(&reply);
		mont_l3_read(h, L3_PLACE, MONT_L3_DATA, 2000, &state, &reply);
		ok((i ? SENT(BUS_CASTOUT) : SENT(BUS_WRITE_LINE)) &&
			   reply.at[MONT_REPLY_IN_BUS] == 2001 &&
			   reply.at[MONT_REPLY_IN_BUS_WRITE] == 2001 + h->timing.request,
		   "2.5.1: a read is issued before the %s of the line that it replaces",
		   i ? "castout" : "write");
	}
	ok(!reads_that_replace(6, false), "reads that replace nothing follow each other");
	ok(!reads_that_replace(6, true) && reply.at[MONT_REPLY_IN_BUS] == 5061,
	   "so do reads of which each replaces a modified line: the sixth comes in cycle 61");
	/*
	 * The L3's array is read for one victim after the other. Two have a place then, the third has
	 * the first one's when that is issued, behind six reads.
	 */
	request = h->timing.request;
	sum = cycles_of_writes(5000, 6000, &most);
	ok(most == 2 && sum == 6 * request + 1 - h->timing.l3_array + 7 * request + 1 -
					2 * h->timing.l3_array + 4 * 2 * request,
	   "the writes have the two places one after the other, %lu cycles in all",
	   (unsigned long)sum);
	ok(bus.port[0].address.next == 5001 + 12 * request && !bus.port[0].arbiter.nr_waiting,
	   "they are issued behind the reads, one after the other");

	reads_that_replace(6, true);
	mont_bus_let_out(h);
	ok(cycles_of_writes(5000, 6000, &most) == sum && most == 2,
	   "for as many cycles, where they are issued ahead of time");

	reads_that_replace(6, true);
	cycles_of_writes(5001, 5081, &most);
	mont_reply_begin(&reply);
	mont_l3_read(h, 2 * L3_PLACE + 9 * LINE, MONT_L3_DATA, 5080, &state, &reply);
	ok(reply.at[MONT_REPLY_IN_BUS] == 5001 + 7 * request,
	   "a read that comes later goes before the writes that are left");
	mont_bus_let_out(h);
	ok(bus.port[0].address.next == 5001 + 13 * request, "which are put off by it");

	reads_that_replace(9, true);
	ok(bus.port[0].arbiter.nr_waiting == 1 && reply.at[MONT_REPLY_IN_BUS] > 5001 + 16 * request,
	   "a read whose victim finds no buffer waits for the first write: they are put off no more");

	fresh();
	mont_reply_begin(&reply);
	mont_bus_read(h, 0, MONT_SNOOP_DATA, 7000, &state, &reply);
	mont_bus_castout(h, LINE, 7000, MONT_REPLY_IN_BUS_WRITE, &reply);
	mont_bus_write(h, 2 * LINE | MONT_LINE_M, MONT_NO_BUFFER, 7005, MONT_REPLY_IN_BUS, &reply);
	ok(reply.at[MONT_REPLY_IN_BUS_WRITE] == 7001 + request &&
		   reply.at[MONT_REPLY_IN_BUS] == 7001 + request &&
		   bus.port[0].arbiter.waiting[1].at == 7001 + 2 * request,
	   "a write goes before a castout that has come first, and waits");
	mont_bus_write_partial(h, 3 * LINE, 8, 7006, &reply);
	ok(reply.at[MONT_REPLY_IN_BUS] == 7001 + 2 * request &&
		   bus.port[0].arbiter.nr_waiting == 1 &&
		   bus.port[0].arbiter.waiting[0].at == 7001 + 3 * request,
	   "part of a line is written behind it, before the castout, and not put off");
	for (i = 0; i < 19; i++)
		mont_bus_castout(h, (8 + i) * LINE, 7007, MONT_REPLY_IN_BUS_WRITE, &reply);
	ok(bus.port[0].arbiter.nr_waiting == 20 &&
		   bus.port[0].arbiter.waiting[19].at == 7001 + 22 * request &&
		   mont_bus_valid(&bus, 1),
	   "castouts wait for a place as well");
	mont_bus_castout(h, (8 + i) * LINE, 7007, MONT_REPLY_IN_BUS_WRITE, &reply);
	ok(bus.port[0].arbiter.nr_waiting == 1 && mont_bus_valid(&bus, 1),
	   "where there is no room for another one all are issued");
}

/* Lines that wait and can be a saved state, and those that cannot. */
static void test_waiting_valid(void)
{
	struct mont_arbiter *a = &bus.port[0].arbiter, was;
	u32 i, wrong = 0;

	reads_that_replace(5, true);
	mont_bus_castout(h, LINE, 5000, MONT_REPLY_IN_BUS_WRITE, &reply);
	was = *a;
	ok(a->nr_waiting == 6 && a->waiting[5].castout && mont_arbiter_valid(a),
	   "five writes wait, three of them for a place, and a castout");
	for (i = 0; i < 10; i++) {
		*a = was;
		switch (i) {
		case 0:
			a->nr_waiting = MONT_NR_WAITING + 1;
			break;
		case 1:
			a->nr_waiting--;
			break;
		case 2:
			a->waiting[1].place = a->waiting[0].place;
			break;
		case 3:
			a->waiting[0].place = MONT_NR_SI_WRITES;
			break;
		case 4:
			a->waiting[0].place = MONT_NO_PLACE;
			break;
		case 5:
			a->waiting[4].place = 1 - a->waiting[1].place;
			a->waiting[0].place = a->waiting[1].place;
			break;
		case 6:
			a->waiting[2].buffer = MONT_NR_VICTIMS;
			break;
		case 7:
			a->waiting[3].at = a->waiting[3].entered;
			break;
		case 8:
			a->waiting[0].castout = 1;
			break;
		case 9:
			a->waiting[5].pad[4] = 1;
			break;
		}
		if (mont_arbiter_valid(a)) {
			wrong++;
			printf("# %u\n", i);
		}
	}
	ok(!wrong, "of ten that cannot be none is taken: %u are", wrong);
	*a = was;
}

static struct mont_hierarchy *both[2];

/* Two cores on one bus; h is the first. */
static void two_cores(void)
{
	fresh();
	both[0] = h;
	if (!both[1])
		both[1] = malloc(sizeof(*both[1]));
	memset(both[1], 0, sizeof(*both[1]));
	mont_timing_default(&both[1]->timing);
	mont_bus_connect(&bus, both[1], 1);
}

/* The state of the line at @pa in the L2D of core @core. */
static u32 l2d_state(unsigned int core, u64 pa)
{
	const u64 *set = both[core]->l2d.line[pa / LINE % MONT_L2D_SETS];
	int way = mont_lines_find(set, MONT_L2D_WAYS, pa & ~(u64)(LINE - 1));

	return way < 0 ? MONT_LINE_I : set[way] & MONT_LINE_STATE;
}

/* The number of snoops in the second core that have found @found. */
static u64 found_by(enum mont_snooped_bit found)
{
	return bus.tally.snooped[1][found];
}

/* A line that waits in the arbiter is met by a snoop, until it is issued. */
static void test_collisions(void)
{
	unsigned int i;
	u32 state;

	two_cores();
	mont_reply_begin(&reply);
	mont_bus_ask(h, 100 * LINE, 990, &reply);
	for (i = 0; i < 3; i++)
		mont_bus_castout(both[1], i * LINE, 1000, MONT_REPLY_IN_BUS_WRITE, &reply);
	mont_bus_read(h, 2 * LINE, MONT_SNOOP_DATA, 1001, &state, &reply);
	ok(found_by(MONT_SNOOPED_AT_CCQ_COLLIDED) == 1 && !found_by(MONT_SNOOPED_AT_WAQ_COLLIDED),
	   "a snoop collides with what waits in the arbiter");
	mont_bus_ask(h, 100 * LINE, 2990, &reply);
	for (i = 0; i < 2; i++)
		mont_bus_write_partial(both[1], i * LINE, 8, 3000, &reply);
	mont_bus_read(h, LINE, MONT_SNOOP_DATA, 3001, &state, &reply);
	ok(found_by(MONT_SNOOPED_AT_CCQ_COLLIDED) == 1 &&
		   found_by(MONT_SNOOPED_AT_WAQ_COLLIDED) == 1,
	   "a clean castout, or a write");
	mont_bus_read(h, LINE, MONT_SNOOP_DATA, 5000, &state, &reply);
	ok(found_by(MONT_SNOOPED_AT_WAQ_COLLIDED) == 1 && found_by(MONT_SNOOPED_AT_MISS) == 3,
	   "not when that has been issued");
}

static u64 ask(unsigned int core, u64 pa, enum mont_l2d_op op, u64 now)
{
	mont_reply_begin(&reply);
	return mont_l2d_request(both[core], pa, op, now, &reply) - now;
}

static bool states(u64 pa, u32 first, u32 second)
{
	return l2d_state(0, pa) == first && l2d_state(1, pa) == second;
}

/* R77: what each transaction finds in the other core, and leaves there. */
static void test_states(void)
{
	u64 hitm;

	two_cores();
	hitm = h->timing.request + h->timing.snoop + h->timing.l3 + h->timing.l2d;
	ok(ask(0, 0, MONT_L2D_FP_LOAD, 1000) == 200 && SENT(BUS_READ_DATA) &&
		   states(0, MONT_LINE_E, MONT_LINE_I),
	   "BRL of a line that no other has: from memory, exclusive");
	ok(ask(1, 0, MONT_L2D_FP_LOAD, 2000) == 200 && states(0, MONT_LINE_S, MONT_LINE_S),
	   "of one that is exclusive elsewhere: from memory, both share it");
	ask(0, 0, MONT_L2D_STORE, 3000);
	ok(SENT(BUS_INVALIDATE) && MET(STORE_SHARED) && states(0, MONT_LINE_M, MONT_LINE_I),
	   "a store to a shared line is BIL: the other core loses it");
	ok(ask(1, 0, MONT_L2D_FP_LOAD, 4000) == hitm && SENT(BUS_READ_DATA) &&
		   states(0, MONT_LINE_S, MONT_LINE_S),
	   "BRL of a modified line: HITM, %lu cycles, and both share it", (unsigned long)hitm);
	ask(0, LINE, MONT_L2D_STORE, 5000);
	ok(SENT(BUS_READ_OWN) && states(LINE, MONT_LINE_M, MONT_LINE_I), "BRIL of a new line");
	ok(ask(1, LINE, MONT_L2D_STORE, 6000) > 0 && SENT(BUS_READ_OWN) &&
		   states(LINE, MONT_LINE_I, MONT_LINE_M),
	   "BRIL of a modified line: its owner gives it up");
	ask(0, 2 * LINE, MONT_L2D_LFETCH_EXCL, 7000);
	ok(states(2 * LINE, MONT_LINE_E, MONT_LINE_I), "2.7.2: lfetch.excl owns the line");
	ask(0, 2 * LINE, MONT_L2D_STORE, 8000);
	ok(!SENT(BUS_INVALIDATE) && states(2 * LINE, MONT_LINE_M, MONT_LINE_I),
	   "the store behind it asks nobody");
}

/* Documentation/model.rst, "One miss": from a load to HITM and back, cycle by cycle. */
static void test_miss(void)
{
	u64 there;

	two_cores();
	ask(0, 0, MONT_L2D_STORE, 1000);
	mont_reply_begin(&reply);
	there = mont_l1d_load(both[1], 0, 4000, &reply);
	ok(reply.at[MONT_REPLY_IN_L2D] == 4000 && reply.at[MONT_REPLY_IN_L3] == 4005 &&
		   reply.at[MONT_REPLY_IN_BUS] == 4006,
	   "a load that misses all caches: L2D, L3 behind 5 cycles, bus behind one more");
	ok(reply.at[MONT_REPLY_IN_SNOOP] == 4006 + 12 + 24 && SENT(BUS_READ_HITM),
	   "request phase and snoop phase: HITM");
	ok(there == 4055 && reply.at[MONT_REPLY_IN_RETURN] == 4055,
	   "the other core's data come in cycle 55, and no later");
	ok(bus.port[1].data.next == 4055 + 24, "the bus carries the line for 24 cycles");
	mont_reply_begin(&reply);
	there = mont_l1d_load(both[1], 8 * LINE, 6000, &reply);
	ok(there == 6200 && reply.at[MONT_REPLY_IN_SNOOP] == 6042 && !SENT(BUS_READ_HITM),
	   "and from memory in cycle 200");
}

/* R74, R83: a core that waits for the line itself answers late, and holds the snoop phase up. */
static void test_late(void)
{
	u64 there, end;

	two_cores();
	ask(0, 0, MONT_L2D_STORE, 1000);
	/* The snoop phase would end in cycle 1051 + 6 + 36: 107 cycles before the line is there. */
	there = ask(1, 0, MONT_L2D_FP_LOAD, 1051) + 1051;
	end = 1093 + 9 * 12;
	ok(reply.at[MONT_REPLY_IN_SNOOP] == end && SENT(BUS_READ_HITM),
	   "the answer comes with the line, behind stalls of half a snoop phase");
	ok(there == 1200 + 24, "and the data when the bus has carried the first ones");
	ask(1, 8 * LINE, MONT_L2D_FP_LOAD, 1100);
	ok(reply.at[MONT_REPLY_IN_SNOOP] == end, "what is asked for meanwhile is held up as well");
	ask(0, 9 * LINE, MONT_L2D_FP_LOAD, 1120);
	ok(reply.at[MONT_REPLY_IN_SNOOP] == end, "by either core");
	ask(0, 10 * LINE, MONT_L2D_FP_LOAD, 1200);
	ok(reply.at[MONT_REPLY_IN_SNOOP] == 1200 + 6 + 36, "not behind it");
	ok(bus.stalls.nr == 1 && mont_bus_valid(&bus, 2), "it is one stall");
	bus.stalls.from[0] = bus.stalls.until[0] + 1;
	ok(!mont_bus_valid(&bus, 2), "which does not end before it begins");
	two_cores();
	ask(0, 0, MONT_L2D_STORE, 1000);
	there = ask(1, 0, MONT_L2D_FP_LOAD, 1199) + 1199;
	ok(reply.at[MONT_REPLY_IN_SNOOP] == 1199 + 6 + 36 && !bus.stalls.nr,
	   "a line that is there is answered for in time");
}

/* R77: a clean line that is on its way is answered for in time, and comes as the snoop leaves it. */
static void test_taken(void)
{
	struct mont_arrivals *a = &bus.arrivals[1];
	u64 d, fill, snoop, wrong = 0, some = 0;
	struct mont_arrival of;
	u32 own, clean;

	for (d = 0; d < 80; d++) {
		own = d & 1;
		two_cores();
		fill = ask(1, 0, d & 2 ? MONT_L2D_LFETCH_EXCL : MONT_L2D_INT_LOAD, 1000) + 1000;
		clean = reply.arrival;
		ask(0, 0, own ? MONT_L2D_STORE : MONT_L2D_FP_LOAD, fill - 60 + d);
		snoop = reply.at[MONT_REPLY_IN_BUS] + 12 + 14;
		wrong += clean != 0 || a->of[0].at != fill + 1 || a->of[0].line != 0;
		wrong += a->of[0].state != (fill <= snoop ? MONT_LINE_E
					    : own	  ? MONT_LINE_I
							  : MONT_LINE_S);
		wrong += reply.at[MONT_REPLY_IN_SNOOP] != reply.at[MONT_REPLY_IN_BUS] + 12 + 24;
		some += a->of[0].state != MONT_LINE_E;
	}
	ok(!wrong && some > 20 && some < 60 && !bus.stalls.nr,
	   "a clean line on its way: shared or invalid behind a snoop, and no stall: %lu",
	   (unsigned long)some);
	ok(mont_arrivals_valid(a, 1) && mont_arrival_take(a, fill, &of) == MONT_NO_ARRIVAL &&
		   mont_arrival_take(a, fill + 1, &of) == 0 && of.at == fill + 1 && !a->next &&
		   mont_arrivals_valid(a, 1),
	   "it has come in the cycle behind");
	two_cores();
	ask(1, 0, MONT_L2D_STORE, 1000);
	ok(reply.arrival == MONT_NO_ARRIVAL && !a->next, "a line to be modified comes as such");
	ask(1, LINE, MONT_L2D_FP_LOAD, 1000);
	ask(0, 0, MONT_L2D_STORE, 1010);
	ask(0, 2 * LINE, MONT_L2D_STORE, 1010);
	ok(a->of[0].state == MONT_LINE_E && bus.stalls.nr == 1, "another line's snoop takes none");
	ask(0, LINE, MONT_L2D_STORE, 1100);
	ask(1, 3 * LINE, MONT_L2D_FP_LOAD, 1100);
	ask(0, 3 * LINE, MONT_L2D_FP_LOAD, 1110);
	ok(a->of[0].state == MONT_LINE_I && a->of[1].state == MONT_LINE_S,
	   "two lines on their way");
}

/* Lines on their way that can be a saved state, and those that cannot. */
static void test_arrivals_valid(void)
{
	struct mont_arrivals *a = &bus.arrivals[1], was;
	u32 i;

	two_cores();
	for (i = 0; i < MONT_NR_ARRIVALS; i++)
		if (mont_arrival_enter(a, i * LINE, 2000 - i, MONT_LINE_E, 0) != i)
			break;
	ok(i == 64 && mont_arrival_enter(a, 0, 1, MONT_LINE_S, 0) == MONT_NO_ARRIVAL &&
		   a->next == 2000 - 63 && mont_arrivals_valid(a, 1),
	   "%u lines on their way, and no more", i);
	mont_arrival_forget(a, 63);
	ok(a->next == 2000 - 62 && mont_arrivals_valid(a, 1), "one that nobody is told of");
	was = *a;
	a->next--;
	ok(!mont_arrivals_valid(a, 1), "none comes before the first");
	*a = was;
	a->of[63].line = LINE;
	ok(!mont_arrivals_valid(a, 1), "there is nothing where none is");
	*a = was;
	a->of[5].thread = 1;
	ok(!mont_arrivals_valid(a, 1) && mont_arrivals_valid(a, 2), "nor a thread that is not");
	*a = was;
	a->of[5].state = MONT_LINE_M;
	ok(!mont_arrivals_valid(a, 1), "a modified one is not given up");
	*a = was;
	a->of[5].takers.other[2] = 1 << 10;
	ok(!mont_arrivals_valid(a, 1), "PMC10-15 count none");
	*a = was;
	a->of[5].takers.own[0] = 0x3f0;
	ok(mont_arrivals_valid(a, 1), "PMC4-9 may");
}

/* A line is not handed on before the core that stores to it has it, whichever asks first. */
static void test_handed_on(void)
{
	u64 early, store, load, wrong = 0;

	for (early = 0; early < 60; early++) {
		two_cores();
		ask(0, 0, MONT_L2D_STORE, 1000);
		/* The store is executed first, in the window of its core. */
		store = ask(1, 0, MONT_L2D_STORE, 4000) + 4000;
		load = ask(0, 0, MONT_L2D_FP_LOAD, 4030 - early) + 4030 - early;
		wrong += !SENT(BUS_READ_HITM) || load < store + h->timing.line;
	}
	ok(!wrong, "a line that is handed on has come, and the bus has carried it: %lu",
	   (unsigned long)wrong);
}

static bool met_apart(u64 a, u64 b)
{
	return a <= b + 3 && b <= a + 3;
}

/* L2D_L3ACCESS_CANCEL.P2_COV_SNP_FILL_NOSNP: a fill and a snoop, no more than three cycles apart. */
static void test_fills_met(void)
{
	const struct mont_inbox *q = &bus.inbox[1];
	u64 d, fill, snoop, next, wrong = 0, some = 0, early = 0, saved = 0;

	for (d = 0; d < 40; d++) {
		two_cores();
		fill = ask(1, 0, MONT_L2D_STORE, 1000) + 1000;
		ask(0, 0, MONT_L2D_FP_LOAD, fill - 50 + d);
		/* The core is asked behind the request phase, and answers behind a lookup of its L3. */
		snoop = reply.at[MONT_REPLY_IN_BUS] + 12 + 14;
		wrong += q->nr != met_apart(fill, snoop);
		wrong += q->nr && (q->of[0].value != MONT_MESSAGE_FILL ||
				   q->of[0].at != reply.at[MONT_REPLY_IN_SNOOP]);
		some += q->nr;
	}
	ok(!wrong && some == 7, "a fill that is on its way as the snoop is asked for: %lu",
	   (unsigned long)some);
	for (d = 0, some = 0; d < 80; d++) {
		bool l3 = d & 1;
		u64 now;

		two_cores();
		both[1]->timing.l2d_ways = 1;
		ask(1, 0, MONT_L2D_FP_LOAD, 2000);
		/* The line comes from the other core, or from the L3 of its own. */
		if (l3)
			ask(1, 256ULL * LINE, MONT_L2D_FP_LOAD, 3000);
		else
			ask(0, 0, MONT_L2D_FP_LOAD, 3000);
		now = 250 * mont_bus_reach(&h->timing);
		ask(0, 0, l3 ? MONT_L2D_FP_LOAD : MONT_L2D_STORE, now + (l3 ? 1 : 37));
		now += 1 + d / 2;
		snoop = reply.at[MONT_REPLY_IN_BUS] + 12 + 14;
		fill = ask(1, 0, MONT_L2D_FP_LOAD, now) + now;
		/* Behind both of them, and in none of the windows that have begun. */
		next = now - now % mont_bus_reach(&h->timing) + mont_bus_reach(&h->timing);
		early += q->nr && next > (fill > snoop ? fill : snoop) + 1;
		if (next < (fill > snoop ? fill : snoop) + 1)
			next = (fill > snoop ? fill : snoop) + 1;
		wrong += q->nr != met_apart(fill, snoop);
		wrong += q->nr && (q->of[0].value != MONT_MESSAGE_FILL || q->of[0].at != next);
		some += q->nr;
		saved += mont_bus_valid(&bus, 2);
	}
	ok(!wrong && some > early && early > 0 && saved == 80,
	   "and one that is asked for behind it: %lu, %lu before another window",
	   (unsigned long)some, (unsigned long)early);
}

/* Table 4-24: L2D_L3ACCESS_CANCEL adds 1 in a cycle at most. */
static void test_withdrawn(void)
{
	two_cores();
	ask(0, 0, MONT_L2D_FP_LOAD, 1000);
	ask(0, 0, MONT_L2D_FP_LOAD, 2000);
	ok(MET(L3_INVALID) && mont_l2d_withdraw(h, 1999) == 2001,
	   "a snoop withdraws nothing in the cycle of another request");
	ok(mont_l2d_withdraw(h, 2001) == 2002 && mont_l2d_withdraw(h, 2003) == 2003,
	   "nor of another snoop");
	ask(0, 0, MONT_L2D_FP_LOAD, 2003);
	ok(!MET(L3_INVALID), "nor does a request in the snoop's");
	ask(0, 0, MONT_L2D_FP_LOAD, 2004);
	ok(MET(L3_INVALID), "but behind it");
}

/* L2D_L3ACCESS_CANCEL.P2_COV_SNP_VIC: a snoop meets a line that leaves the L2D, modified. */
static void test_victims_met(void)
{
	const struct mont_inbox *q = &bus.inbox[1];
	u64 d, from, until, snoop, wrong = 0, some = 0;
	struct mont_message found;
	unsigned int i;

	for (d = 0; d < 60; d++) {
		two_cores();
		both[1]->timing.l2d_ways = 1;
		ask(1, 0, MONT_L2D_STORE, 1000);
		/* Other lines that arrive hold up the array of the L3. */
		for (i = 1; i < 5; i++)
			ask(1, i * LINE, MONT_L2D_FP_LOAD, 2000 + i);
		ask(1, (256ULL + 1) * LINE, MONT_L2D_FP_LOAD, 2200);
		ask(1, 256ULL * LINE, MONT_L2D_FP_LOAD, 3000);
		for (i = 0; both[1]->l3.writes.line[i] != MONT_LINE_M; i++)
			;
		from = both[1]->l2d.uses.read[i];
		until = both[1]->l3.writes.until[i];
		ask(0, 0, MONT_L2D_FP_LOAD, 2960 + d);
		snoop = reply.at[MONT_REPLY_IN_BUS] + 12 + 14;
		wrong += q->nr != (from <= snoop && snoop < until);
		wrong += q->nr && q->of[0].value != MONT_MESSAGE_VICTIM;
		some += q->nr;
	}
	ok(!wrong && some > 0, "a snoop meets a victim while its buffer has that: %lu",
	   (unsigned long)some);
	two_cores();
	ask(1, 0, MONT_L2D_STORE, 1000);
	ask(0, 0, MONT_L2D_FP_LOAD, 1168);
	i = bus.inbox[1].nr == 1 && mont_bus_valid(&bus, 2);
	bus.inbox[1].next++;
	i &= !mont_bus_valid(&bus, 2);
	bus.inbox[1].next--;
	i &= !mont_inbox_take(&bus.inbox[1], reply.at[MONT_REPLY_IN_SNOOP] - 1, &found);
	i &= mont_inbox_take(&bus.inbox[1], reply.at[MONT_REPLY_IN_SNOOP], &found);
	ok(i && found.value == MONT_MESSAGE_FILL && !bus.inbox[1].nr && mont_bus_valid(&bus, 2),
	   "it is counted when its snoop phase ends");
}

/* Messages arrive in their own cycle, those of one cycle in the order in which they were put in. */
static void test_messages(void)
{
	struct mont_inbox *q = &bus.inbox[1];
	struct mont_message of = { .kind = MONT_MESSAGE_INTERRUPT }, got;
	u64 last = 0, number = 0, random = 1, wrong = 0;
	unsigned int i, early;

	two_cores();
	for (i = 0; i < MONT_NR_MESSAGES - 1; i++) {
		random = random * 6364136223846793005ULL + 1;
		of.at = 1000 + (random >> 60);
		of.address = i;
		mont_inbox_add(q, of);
		wrong += q->next > of.at || q->nr != i + 1;
	}
	ok(!wrong && mont_bus_valid(&bus, 2), "as many as there can be are on their way");
	of.address = MONT_NR_MESSAGES;
	mont_inbox_add(q, of);
	ok(!mont_bus_valid(&bus, 2), "and no more: the next snoop would be lost");
	mont_inbox_add(q, of);
	ok(q->nr == MONT_NR_MESSAGES, "which it is");
	for (i = 0, early = 0; q->nr; i++) {
		early += mont_inbox_take(q, q->next - 1, &got);
		wrong += !mont_inbox_take(q, q->next, &got) || got.at < last ||
			 (got.at == last && got.address < number);
		last = got.at;
		number = got.address;
	}
	ok(!wrong && !early && i == MONT_NR_MESSAGES && !q->next && mont_bus_valid(&bus, 2),
	   "each arrives in its cycle, and none before");
	mont_inbox_add(q, (struct mont_message){ .at = 9, .kind = MONT_MESSAGE_SNOOP, .value = 1 });
	ok(q->next == 9 && !mont_inbox_can_wake(q) && mont_bus_valid(&bus, 2),
	   "3.3.12: a core in low power has no part in a snoop");
	mont_inbox_add(q, of);
	ok(mont_inbox_can_wake(q), "but in an interrupt");
	q->of[0].value = 4;
	ok(!mont_bus_valid(&bus, 2), "a snoop has met a fill or a victim");
	q->of[0].value = 3;
	q->of[0].core = 1;
	ok(!mont_bus_valid(&bus, 2), "and is of the other core");
}

/* R77: both cores store to a line that they share, in one window, and one of them is first. */
static void test_race(void)
{
	static const u64 behind[] = { 3, -3ULL };
	u64 pa, now;
	u32 i;

	for (i = 0; i < 2; i++) {
		two_cores();
		pa = 3 * LINE;
		/* A window begins in cycle 9028. */
		now = 9028 + 10;
		ask(0, pa, MONT_L2D_FP_LOAD, 1000);
		ask(1, pa, MONT_L2D_FP_LOAD, 2000);
		ask(0, pa, MONT_L2D_STORE, now);
		ok(SENT(BUS_INVALIDATE) && !SENT(BUS_CLAIM_HITM) &&
			   states(pa, MONT_LINE_M, MONT_LINE_I),
		   "the first claims the line by BIL");
		ask(1, pa, MONT_L2D_STORE, now + behind[i]);
		ok(SENT(BUS_READ_OWN) && SENT(BUS_OWN_HITM) && !SENT(BUS_INVALIDATE) &&
			   states(pa, MONT_LINE_I, MONT_LINE_M),
		   "a BIL that loses its race is BRIL, answered by HITM");
	}
}

/* Each cache is asked, and a victim on its way to memory is. */
static void test_reach(void)
{
	u64 set = 8192ULL * LINE, i, now = 1000;
	u32 state, found = 0;

	two_cores();
	mont_reply_begin(&reply);
	mont_l1d_load(h, 0, now, &reply);
	mont_l1i_fetch(h, 0, now += 1000, &reply);
	ask(0, 0, MONT_L2D_STORE, now += 1000);
	mont_reply_begin(&reply);
	mont_bus_read(both[1], 0, MONT_SNOOP_INSN, now += 1000, &state, &reply);
	ok(state == MONT_LINE_S && l2d_state(0, 0) == MONT_LINE_S &&
		   mont_lines_find(h->l1i.line[0], MONT_L1_WAYS, 0) >= 0,
	   "2.7.4: a line that is read as code stays in the L1I and the L2I");
	mont_bus_read(both[1], 0, MONT_SNOOP_OWN, now += 1000, &state, &reply);
	ok(state == MONT_LINE_E && mont_lines_find(h->l1d.line[0], MONT_L1_WAYS, 0) < 0 &&
		   mont_lines_find(h->l1i.line[0], MONT_L1_WAYS, 0) < 0 &&
		   mont_lines_find(h->l2i.line[0], MONT_L2I_WAYS, 0) < 0 &&
		   mont_lines_find(h->l3.line[0], MONT_L3_WAYS, 0) < 0 &&
		   l2d_state(0, 0) == MONT_LINE_I,
	   "one that is to be written leaves L1D, L1I, L2D, L2I and L3");
	two_cores();
	mont_reply_begin(&reply);
	mont_l3_write(h, 0 | MONT_LINE_M, now += 1000, &reply);
	for (i = 1; i < 13; i++) {
		mont_reply_begin(&reply);
		mont_l3_write(h, (i * set) | MONT_LINE_M, now += 1000, &reply);
	}
	ok(mont_snoop(h, 0, MONT_SNOOP_DATA, now + 10, &found) == MONT_LINE_M,
	   "a victim on its way to memory is HITM");
	ok(mont_snoop(h, 0, MONT_SNOOP_DATA, now + 1000, &found) == MONT_LINE_I,
	   "until it is there");
	mont_reply_begin(&reply);
	mont_l2d_flush(both[1], set, now += 1000, &reply);
	ok(SENT(BUS_INVALIDATE) && mont_snoop(h, set, MONT_SNOOP_DATA, now, &found) == MONT_LINE_I,
	   "fc reaches the other core");
	two_cores();
	mont_reply_begin(&reply);
	mont_l1i_fetch(both[1], set, now += 1000, &reply);
	ask(0, set, MONT_L2D_STORE, now += 1000);
	mont_l1i_fetch(both[1], set, now += 1000, &reply);
	mont_reply_begin(&reply);
	mont_l3_flush_insns(both[0], set, now += 1000, &reply);
	ok(SENT(BUS_INVALIDATE) && mont_lines_find(both[1]->l1i.line[0], MONT_L1_WAYS, set) < 0 &&
		   mont_lines_find(both[1]->l2i.line[0], MONT_L2I_WAYS, set) < 0,
	   "fc.i reaches the instruction caches of the other core");
	ok(l2d_state(0, set) == MONT_LINE_S, "and leaves data of its own core");
	fresh();
	mont_reply_begin(&reply);
	mont_l3_flush_insns(h, set, 1000, &reply);
	ok(!mont_reply_any(&reply), "it is no transaction where there is one core");
}

/* A line has one owner or sharers, whatever two cores do. */
static void test_coherent(void)
{
	u64 seed = 1, now = 1000, pa, i, j, wrong = 0, most = 0;

	two_cores();
	for (i = 0; i < 20000; i++) {
		struct mont_message met_line;
		unsigned int core;

		seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
		core = seed >> 33 & 1;
		/* Lines of one index in all caches: victims come as well. */
		pa = (seed >> 34) % 24 * (8192ULL * LINE);
		now += seed >> 40 & 31;
		mont_reply_begin(&reply);
		switch (seed >> 50 & 7) {
		case 0:
			mont_l2d_flush(both[core], pa, now, &reply);
			break;
		case 1:
			mont_l1i_fetch(both[core], pa, now, &reply);
			break;
		case 2:
			mont_l1d_load(both[core], pa, now, &reply);
			break;
		default:
			ask(core, pa, (seed >> 53) % (MONT_L2D_OTHER + 1), now);
		}
		for (j = 0; j < 24; j++)
			wrong += !mont_bus_coherent(h, j * (8192ULL * LINE));
		for (j = 0; j < 2; j++) {
			if (most < bus.inbox[j].nr)
				most = bus.inbox[j].nr;
			while (mont_inbox_take(&bus.inbox[j], now, &met_line))
				;
		}
	}
	ok(!wrong && mont_bus_valid(&bus, 2),
	   "20000 references of two cores: one owner, or sharers");
	ok(most > 0 && most <= MONT_NR_IOQ, "%lu snoops at once that have met their line",
	   (unsigned long)most);
	both[0]->l2d.line[0][0] = 0 | MONT_LINE_E;
	both[1]->l2d.line[0][0] = 0 | MONT_LINE_S;
	ok(!mont_bus_coherent(h, 0), "and an owner beside a sharer is seen");
}

#define ASKED 6

/* R72: where both cores ask, the bus goes from one to the other. */
static void test_grants(void)
{
	u64 at[2][ASKED], data[2][ASKED], i, j, lost = 0, over = 0;
	u32 state;

	two_cores();
	/* Each has asked before. */
	for (i = 0; i < 2; i++)
		mont_bus_read(both[i], i * LINE, MONT_SNOOP_DATA, 1000, &state, &reply);
	for (i = 0; i < 2; i++) {
		for (j = 0; j < ASKED; j++) {
			data[i][j] = mont_bus_read(both[i], (8 + 2 * j + i) * LINE, MONT_SNOOP_DATA,
						   1100, &state, &reply);
			at[i][j] = reply.at[MONT_REPLY_IN_BUS];
		}
	}
	for (j = 0; j < ASKED - 1; j++)
		lost += !(at[0][j] < at[1][j] && at[1][j] < at[0][j + 1]);
	ok(!lost, "2.5.1: two cores that ask are granted one to one");
	for (i = 0; i < ASKED; i++)
		for (j = 0; j < ASKED; j++)
			over += data[0][i] < data[1][j] + h->timing.line &&
				data[1][j] < data[0][i] + h->timing.line;
	ok(!over, "the bus carries data of one at a time");
	mont_bus_read(both[1], LINE, MONT_SNOOP_DATA, 9900, &state, &reply);
	for (j = 0; j < 8; j++) {
		mont_reply_begin(&reply);
		mont_bus_write(both[0], j * LINE | MONT_LINE_M, MONT_NO_BUFFER, 10000,
			       MONT_REPLY_IN_BUS, &reply);
	}
	mont_bus_read(both[1], 9999 * LINE, MONT_SNOOP_DATA, 10001, &state, &reply);
	ok(reply.at[MONT_REPLY_IN_BUS] <= 10002 + h->timing.request,
	   "a stream of writes delays a read of the other core by one of them");
	two_cores();
	mont_bus_read(both[0], 0, MONT_SNOOP_DATA, 1000, &state, &reply);
	i = reply.at[MONT_REPLY_IN_BUS];
	mont_bus_read(both[0], LINE, MONT_SNOOP_DATA, 1000, &state, &reply);
	ok(reply.at[MONT_REPLY_IN_BUS] == i + h->timing.request,
	   "one that asks alone is granted each request phase");
}

int main(void)
{
	test_places();
	test_valid();
	test_order();
	test_waiting_valid();
	test_states();
	test_miss();
	test_late();
	test_handed_on();
	test_taken();
	test_arrivals_valid();
	test_fills_met();
	test_withdrawn();
	test_victims_met();
	test_messages();
	test_race();
	test_reach();
	test_collisions();
	test_coherent();
	test_grants();
	free(both[1]);
	return done();
}
