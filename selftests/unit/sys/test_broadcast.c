// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts and purges that two cores send each other: transactions of the bus, which arrive
 * later (manual 2.5; Documentation/model.rst, "Two cores on one bus").
 */
#include "two_cores.h"
#include "package/broadcast.h"
#include "platform/devices.h"
#include "pmu/observer.h"

#define UC (1ULL << 63)
#define ISSUE 1 /* cycles from the core to the bus: the arbiter */

/* Core 0 sends vectors from @first up to @last to core 1, which is at @second. */
static void begin_send(u64 first, u64 last, const char *second)
{
	cores("cores_send", second, LINE);
	cpu = mont_vcpu(pkg, 0);
	set_gr(25, UC | MONT_PIB_BASE | 1 << 12);
	set_gr(26, first);
	set_gr(27, last);
}

static u64 arrival(void)
{
	return pkg->inbox[1].next;
}

/* Run cycle by cycle until something is on its way to core 1. Return: the cycle it was sent in. */
static u64 run_until_sent(void)
{
	unsigned int i;

	for (i = 0; i < 3000 && !arrival(); i++)
		run_cycles(1);
	check(arrival() != 0, "something has been sent");
	return pkg->core[0].s.clock - 1;
}

static bool pending(unsigned int v, u32 vector)
{
	return pkg->thread[v].s.cr.irr[vector / 64] >> vector % 64 & 1;
}

/* R81: an interrupt is a transaction of the bus, and arrives as its snoop phase ends. */
static void test_interrupt(void)
{
	static const u64 requests[] = { 12, 1, 100 };
	u64 sent, at, i;

	for (i = 0; i < MONT_ARRAY_SIZE(requests); i++) {
		begin_send(0x55, 0, NULL);
		set_param("bus.request", requests[i]);
		sent = run_until_sent();
		at = arrival();
		check_eq(at, sent + ISSUE + requests[i] + pkg->timing->snoop, "arrival");
		run_cycles(5000);
		check(pending(1, 0x55) && !pending(0, 0x55), "the target has it, no other");
		check_eq(pkg->thread[1].s.halted_cycles, at, "it sleeps until then");
	}
	begin_send(0x55, 0, "cores_rest");
	(void)run_until_sent();
	for (at = arrival(); arrival(); run_cycles(1))
		check(!pending(1, 0x55), "not before it arrives");
	check(pkg->core[1].s.clock >= at &&
		      pkg->core[1].s.clock <= at + 1 + pkg->timing->snoop + pkg->timing->request,
	      "cycle %llu, arrival %llu", (unsigned long long)pkg->core[1].s.clock,
	      (unsigned long long)at);
	check(pending(1, 0x55), "then it is there");
	group("R81: an interrupt arrives when the bus has carried it");
}

/* A processor's own goes by the bus too. */
static void test_own(void)
{
	u64 sent;

	begin_send(0x55, 0, NULL);
	set_gr(25, UC | MONT_PIB_BASE);
	sent = run_until_sent();
	run_cycles(mont_bus_reach(pkg->timing) - 1);
	check(pkg->core[0].s.clock == sent + mont_bus_reach(pkg->timing) && !pending(0, 0x55),
	      "not before it arrives");
	run_cycles(1);
	check(pending(0, 0x55) && !pending(1, 0x55), "then it is there");
	group("R81: an interrupt to the sender arrives no sooner");
}

/* All vectors, as fast as they can be sent: none is lost, and the sender waits for room. */
static void test_storm(void)
{
	static const u64 snoops[] = { 24, 1000 };
	u64 i, v, n, most;

	for (i = 0; i < MONT_ARRAY_SIZE(snoops); i++) {
		begin_send(16, 255, i ? "cores_rest" : NULL);
		set_param("bus.snoop", snoops[i]);
		set_param("bus.request", 1);
		most = 0;
		for (n = 0; n < 100000 && (turns(0) < 240 || arrival()); n++) {
			run_cycles(1);
			if (pkg->inbox[1].nr > most)
				most = pkg->inbox[1].nr;
		}
		for (v = 16; v < 256; v++)
			check(pending(1, v), "vector %llu is there", (unsigned long long)v);
		/* The other core may be a window behind. */
		check(most > 2 && most <= 2 * MONT_BROADCASTS_AHEAD + 3, "%llu on their way",
		      (unsigned long long)most);
	}
	group("no interrupt is lost, and who sends more than have room waits");
}

static bool translated(unsigned int core)
{
	const struct mont_tlb *tlb = &pkg->core[core].s.dtlb;
	unsigned int i;

	for (i = 0; i < MONT_NR_TLB; i++)
		if (tlb->entry[i].valid && tlb->entry[i].va == DATA_VA)
			return true;
	return false;
}

static void begin_purge(const char *second)
{
	unsigned int v;

	cores("cores_purge", second, 0);
	for (v = 0; v < 2; v++) {
		cpu = mont_vcpu(pkg, v);
		map(false, DATA_VA, PTE(DATA_PA, 3, 3));
		set_gr(21, DATA_VA);
		set_gr(27, PS << 2);
	}
}

/* R13: a purge reaches the other core by the bus; the instruction completes when both have it. */
static void test_purge(void)
{
	u64 sent, at, window;

	begin_purge(NULL);
	sent = run_until_sent();
	check_eq(arrival(), sent + ISSUE + pkg->timing->request + pkg->timing->snoop, "arrival");
	at = arrival();
	window = mont_bus_reach(pkg->timing);
	while (!turns(0))
		run_cycles(1);
	check(!translated(1), "it has arrived");
	check_eq(pkg->core[0].s.clock - 1, (at + window - 1) / window * window,
		 "complete as the window ends in which it arrives");
	begin_purge("cores_rest");
	check(translated(0) && translated(1), "both have the translation");
	(void)run_until_sent();
	at = arrival();
	check(!translated(0) && translated(1), "the own one is gone at once");
	while (translated(1)) {
		check(pkg->core[1].s.clock <= at, "not gone later");
		check_eq(turns(0), 0, "the purge is not complete");
		run_cycles(1);
	}
	check(pkg->core[1].s.clock >= at, "not gone before");
	while (!turns(0))
		run_cycles(1);
	check(pkg->core[0].s.clock > at, "complete behind it");
	group("R13: a purge is complete when it has arrived");
}

/* Where no time is kept, what is on its way arrives at once, and so does what is sent. */
static void test_untimed(void)
{
	const struct mont_budget budget = { .cycles = 1, .flags = MONT_RUN_FUNCTIONAL };

	begin_send(0x55, 0, NULL);
	(void)run_until_sent();
	mont_run(pkg, &budget, &last_exit);
	check(pending(1, 0x55) && !arrival() && !pkg->inbox[1].nr, "arrived");
	begin_send(0x55, 0, NULL);
	mont_run(pkg, &budget, &last_exit);
	mont_run(pkg, &budget, &last_exit);
	check(pending(1, 0x55) && !arrival(), "sent and arrived");
	group("without time interrupts arrive at once");
}

static bool loads(void *blob)
{
	return !mont_state_load(pkg, blob, mont_state_size(pkg));
}

/* Broadcasts on their way are saved, and those that cannot be are refused. */
static void test_saved(void)
{
	u64 i, whole = 0, size, left;
	struct mont_inbox *b, was;
	u8 *blob;

	for (i = 0; i < 2; i++) {
		begin_send(16, 40, NULL);
		size = mont_state_size(pkg);
		blob = malloc(size);
		while ((left = 3000 - clock_ahead())) {
			run_cycles(!i ? 3000 : left < 5 ? left : 5);
			mont_state_save(pkg, blob);
			check(loads(blob), "loaded");
		}
		if (i)
			check(mont_state_hash(pkg) == whole, "saved and loaded");
		else
			whole = mont_state_hash(pkg);
		free(blob);
	}
	begin_send(0x55, 0, NULL);
	(void)run_until_sent();
	b = &pkg->inbox[1];
	was = *b;
	blob = malloc(size);
#define REFUSED(change)                                      \
	do {                                                 \
		change;                                      \
		mont_state_save(pkg, blob);                  \
		*b = was;                                    \
		check(!loads(blob), "refused: %s", #change); \
	} while (0)
	REFUSED(b->nr = MONT_NR_MESSAGES);
	REFUSED(b->nr = 0);
	REFUSED(b->next++);
	REFUSED(b->next = 0);
	REFUSED(b->of[0].kind = 0);
	REFUSED(b->of[0].kind = MONT_MESSAGE_SNOOP + 1);
	REFUSED((b->of[0].kind = MONT_MESSAGE_SNOOP, b->of[0].value = 1));
	REFUSED(b->of[0].core = 2);
	REFUSED(b->of[0].value = 256);
	REFUSED(b->of[0].ps = 1);
	REFUSED(b->of[0].issued = 2);
	REFUSED(b->of[1].at = 1);
	REFUSED((b->of[0].kind = MONT_MESSAGE_PURGE, b->of[0].ps = 64));
	mont_state_save(pkg, blob);
	check(loads(blob), "as it was");
	free(blob);
	group("what is on its way can be saved, and nothing that cannot be is loaded");
}

/* Four processors, two threads on each of two cores, each of which sends the next one all it can. */
static void begin_hostile(u64 request, u64 snoop, u64 latency)
{
	unsigned int v;

	threads_timed = true;
	lone_threads = false;
	free(pkg);
	pkg = NULL;
	machine(4, 0);
	set_param("bus.request", request);
	set_param("bus.snoop", snoop);
	set_param("memory.latency", latency);
	for (v = 0; v < 4; v++) {
		begin(v, "cores_hostile", DATA_PA);
		set_gr(25, UC | MONT_PIB_BASE | (v + 1) % 4 << 12);
		set_gr(26, 0x40 + v);
		set_gr(27, PS << 2);
	}
}

/*
 * As begin_hostile(): each processor replaces lines of the L3, which one of each core modifies. Reads
 * follow each other, so that lines that are written and cast out wait until no more can.
 */
static void begin_replacing(u64 request, u64 snoop, u64 latency)
{
	unsigned int v;

	begin_hostile(request, snoop, latency);
	set_param("l2d.ways", 1);
	set_param("l3.ways", 1);
	set_param("bus.castouts", 1);
	for (v = 0; v < 4; v++)
		begin(v, v & 1 ? "cores_write" : "cores_burst", DATA_PA + v * 8 * LINE);
}

/* Ends of the parameters of bus and memory: request, snoop, latency */
static const u64 hostile_params[][3] = { { 12, 24, 200 },
					 { 1, 1, 20 },
					 { 1, 1000, 20 },
					 { 1000, 1000, 10000 } };

/* Each processor has gone on, and has its interrupt. */
static void check_hostile(void)
{
	u64 sum = 0;
	u32 v;

	for (v = 0; v < 4; v++) {
		sum += turns(v);
		check(turns(v) > 0, "processor %u goes on", v);
		check(pending(v, 0x40 + (v + 3) % 4), "and has its interrupt");
	}
	/* One that has been sent comes before the fetchadd. */
	check(*mem64(DATA_PA) <= sum && *mem64(DATA_PA) + 4 >= sum, "%llu of %llu",
	      (unsigned long long)*mem64(DATA_PA), (unsigned long long)sum);
}

/* Budgets of one unit and of a whole slice are passed by no more than what is promised. */
static void test_hostile(void)
{
	const struct mont_budget least = { .work = 1 }, slice = { .cycles = 0 };
	const u64(*p)[3];
	u32 n;

	for (p = hostile_params; p < hostile_params + MONT_ARRAY_SIZE(hostile_params); p++) {
		begin_hostile((*p)[0], (*p)[1], (*p)[2]);
		for (n = 0; n < 3000; n++)
			mont_run(pkg, &least, &last_exit);
		check(mont_work_max(pkg) <= 1 + MONT_WORK_OVERSHOOT(0, 0, 0), "%llu units for one",
		      (unsigned long long)mont_work_max(pkg));
		for (n = 0; n < 10; n++) {
			mont_run(pkg, &slice, &last_exit);
			check_eq(last_exit.reason, MONT_EXIT_WORK, "a slice ends");
		}
		check(mont_work_max(pkg) <= MONT_WORK_DEFAULT + MONT_WORK_OVERSHOOT(0, 0, 0),
		      "%llu units for a slice", (unsigned long long)mont_work_max(pkg));
		check_hostile();
	}
	group("four processors that purge, interrupt and share a line stay within their work");
}

static struct mont_observer observer[4][MONT_NR_EVENTS];
static u64 samples;

static void sampled(struct mont_observer *o, const struct mont_occurrence *at)
{
	(void)o;
	(void)at;
	samples++;
}

/*
 * Observers on each processor of all events that can be counted: with @period a sample of each so
 * many at least. Return: how many a processor has.
 */
static u32 observe_all(u64 period)
{
	const struct mont_event *e;
	const char *why = "";
	u32 v, i, n = 0;

	for (v = 0; v < 4; v++) {
		for (i = 0; (e = mont_event_at(i)); i++) {
			observer[v][i] = (struct mont_observer){
				.filter = { .code = e->code, .umask = e->umask, .plm = 0xf },
				.period = period ? period + i % 7 : 0,
				.overflow = period ? sampled : NULL,
			};
			n += !mont_observer_attach(mont_vcpu(pkg, v), &observer[v][i], &why);
		}
	}
	return n / 4;
}

/* Raise @most to the writes and the castouts that wait in the arbiter of a core at once. */
static void raise_to_waiting(u32 most[2], const struct mont_arbiter *a)
{
	u32 n[2] = { 0 }, i;

	for (i = 0; i < a->nr_waiting; i++)
		n[a->waiting[i].castout]++;
	for (i = 0; i < 2; i++)
		if (most[i] < n[i])
			most[i] = n[i];
}

/*
 * Observers of everything move nothing, and what they do is work that the budget knows of, of
 * guests that @begin_them begins.
 */
static void hostile_observed(void (*begin_them)(u64 request, u64 snoop, u64 latency), u64 period)
{
	const struct mont_budget least = { .work = 1 }, slice = { .cycles = 0 };
	const u64(*p)[3];
	u64 state, over;
	u32 n, nr;

	for (p = hostile_params; p < hostile_params + MONT_ARRAY_SIZE(hostile_params); p++) {
		begin_them((*p)[0], (*p)[1], (*p)[2]);
		run_cycles(20000);
		state = mont_state_hash(pkg);
		begin_them((*p)[0], (*p)[1], (*p)[2]);
		nr = observe_all(period);
		check(nr > 400, "%u observers", nr);
		samples = 0;
		run_cycles(20000);
		check_eq(mont_state_hash(pkg), state, "state");
		check(!period || samples > 1000, "%llu samples", (unsigned long long)samples);
		begin_them((*p)[0], (*p)[1], (*p)[2]);
		(void)observe_all(period);
		over = MONT_WORK_OVERSHOOT(period ? 0 : nr, period ? nr : 0, 0);
		for (n = 0; n < 1000; n++)
			mont_run(pkg, &least, &last_exit);
		check(mont_work_max(pkg) <= 1 + over, "%llu units for one",
		      (unsigned long long)mont_work_max(pkg));
		for (n = 0; n < 10; n++)
			mont_run(pkg, &slice, &last_exit);
		check(mont_work_max(pkg) <= MONT_WORK_DEFAULT + over, "%llu units for a slice",
		      (unsigned long long)mont_work_max(pkg));
	}
}

static void test_hostile_observed(void)
{
	hostile_observed(begin_hostile, 0);
	group("and with every event counted");
	hostile_observed(begin_hostile, 1);
	group("with samples of every event as well");
}

/*
 * R72: each read puts all lines off that wait in the arbiter, where these are as many as can: a write
 * in each buffer for victims, and all castouts that there is room for.
 */
static void test_waiting(void)
{
	const u64(*p)[3];
	u32 most[2] = { 0 }, n, i;

	for (p = hostile_params; p < hostile_params + MONT_ARRAY_SIZE(hostile_params); p++) {
		begin_replacing((*p)[0], (*p)[1], (*p)[2]);
		for (n = 0; n < 5000; n++) {
			run_cycles(20);
			for (i = 0; i < 2; i++)
				raise_to_waiting(most, &pkg->bus->port[i].arbiter);
		}
	}
	check_eq(most[0], MONT_NR_WRITES_WAITING - MONT_NR_SI_WRITES, "writes that wait");
	check_eq(most[1], MONT_NR_CASTOUTS_WAITING, "castouts that wait");
	hostile_observed(begin_replacing, 0);
	hostile_observed(begin_replacing, 1);
	group("R72: and where as many lines wait for the bus as can");
}

int main(void)
{
	test_interrupt();
	test_own();
	test_storm();
	test_purge();
	test_untimed();
	test_saved();
	test_hostile();
	test_hostile_observed();
	test_waiting();
	return tap_end();
}
