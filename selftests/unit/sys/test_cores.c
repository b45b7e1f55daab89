// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two cores with time: windows, lines that go from core to core, and that nothing depends on how
 * a run is cut (manual 2.5; Documentation/model.rst, "Two cores on one bus").
 */
#include "two_cores.h"
#include "pmu/observer.h"

static bool near(u64 a, u64 b)
{
	return a <= b + 2 && b <= a + 2;
}

static void count_all(void)
{
	unsigned int v;

	for (v = 0; v < 2; v++) {
		count(v, 4, "BUS_MEM_READ.BRL.SELF");
		count(v, 5, "BUS_MEM_READ.BIL.SELF");
		count(v, 6, "BUS_MEM_READ.BRIL.SELF");
		count(v, 7, "BUS_RD_HITM.SELF");
		count(v, 8, "SI_WRITEQ_INSERTS.IWB.SELF");
		count(v, 9, "BUS_HITM.EITHER");
	}
}

/* A word that is handed over is asked for by BRL, and claimed by BIL, once each time. */
static void test_hand(void)
{
	unsigned int v;
	u64 n[2];

	cores("cores_hand", "cores_hand", 0);
	run_cycles(5000);
	count_all();
	for (v = 0; v < 2; v++)
		n[v] = turns(v);
	run_cycles(200000);
	for (v = 0; v < 2; v++) {
		n[v] = turns(v) - n[v];
		check(n[v] > 500, "core %u: %llu turns", v, (unsigned long long)n[v]);
		check(near(pmd(v, 4), n[v]), "core %u: %llu BRL in %llu turns", v,
		      (unsigned long long)pmd(v, 4), (unsigned long long)n[v]);
		check(near(pmd(v, 5), n[v]), "core %u: %llu BIL in %llu turns", v,
		      (unsigned long long)pmd(v, 5), (unsigned long long)n[v]);
		check_eq(pmd(v, 6), 0, "BRIL");
		check(near(pmd(v, 7), n[v]), "core %u: %llu HITM in %llu turns", v,
		      (unsigned long long)pmd(v, 7), (unsigned long long)n[v]);
		check(near(pmd(v, 8), n[v]), "core %u: %llu implicit write-backs in %llu turns", v,
		      (unsigned long long)pmd(v, 8), (unsigned long long)n[v]);
	}
	for (v = 0; v < 2; v++)
		check(near(pmd(v, 9), n[0] + n[1]), "core %u: %llu HITM of either", v,
		      (unsigned long long)pmd(v, 9));
	check(near(n[0], n[1]), "%llu and %llu turns", (unsigned long long)n[0],
	      (unsigned long long)n[1]);
	check_eq(*mem64(DATA_PA), turns(0) + turns(1), "the word");
	group("2N turns are 2N HITM, N of each core, and as many implicit write-backs");
}

/* Words of lines apart send nothing over the bus, words of one line do. */
static void test_apart(void)
{
	unsigned int v;

	cores("cores_apart", "cores_apart", LINE);
	run_cycles(5000);
	count_all();
	run_cycles(50000);
	for (v = 0; v < 2; v++)
		check_eq(pmd(v, 4) + pmd(v, 5) + pmd(v, 6) + pmd(v, 7) + pmd(v, 8) + pmd(v, 9), 0,
			 "lines apart");
	cores("cores_apart", "cores_apart", 8);
	run_cycles(5000);
	count_all();
	run_cycles(50000);
	for (v = 0; v < 2; v++)
		check(pmd(v, 4) + pmd(v, 5) + pmd(v, 6) > 100, "words of one line: %llu",
		      (unsigned long long)pmd(v, 5));
	check(*mem64(DATA_PA) >= turns(0) && *mem64(DATA_PA + 8) >= turns(1), "each its own word");
	group("words of one line go from core to core, lines apart do not");
}

/* Events of each core, of either and of any agent, whose counts add up. */
static const char *const agents[] = {
	"BUS_ALL",
	"BUS_MEMORY.ALL",
	"BUS_MEM_READ.ALL",
	"BUS_MEM_READ.BIL",
	"BUS_MEM_READ.BRL",
	"BUS_MEM_READ.BRIL",
	"BUS_RD_DATA",
	"BUS_DATA_CYCLE",
	"BUS_B2B_DATA_CYCLES",
	"BUS_HITM",
	"BUS_RD_HIT",
	"BUS_RD_HITM",
	"BUS_RD_INVAL_HITM",
	"BUS_RD_INVAL_BST_HITM",
	"BUS_SNOOP_STALL_CYCLES",
	"BUS_RD_PRTL",
	"BUS_IO",
	"SI_RQ_INSERTS",
	"SI_RQ_LIVE_REQ_LO",
	"SI_WRITEQ_INSERTS.ALL",
	"SI_WRITEQ_INSERTS.EWB",
	"SI_WRITEQ_INSERTS.IWB",
	"SI_WRITEQ_LIVE_REQ_LO",
	"SI_SCB_INSERTS.ALL",
	"SI_SCB_INSERTS.HIT",
	"SI_SCB_INSERTS.HITM",
	"SI_SCB_INSERTS.MISS",
	"SI_SCB_LIVE_REQ_LO",
	"SI_WAQ_COLLISIONS",
};

static void count_agent(unsigned int v, unsigned int n, const char *name, const char *agent)
{
	char text[64];

	snprintf(text, sizeof(text), "%s.%s", name, agent);
	count(v, n, text);
}

static void count_agents(const char *name, bool any)
{
	unsigned int v;

	for (v = 0; v < 2; v++) {
		count_agent(v, 4, name, "SELF");
		count_agent(v, 5, name, "EITHER");
		count_agent(v, 6, name, any ? "ANY" : "EITHER");
	}
}

/* The sum of both cores' PMD @n. */
static u64 sum(unsigned int n)
{
	return pmd(0, n) + pmd(1, n);
}

/*
 * Both cores run in random slices up to cycle @end. Where a slice ends both are told alike, of no
 * more than has happened, and of no less than had by a slice that ended before the window.
 */
static void run_told(u64 end, const char *name)
{
	static u32 random = 1;
	u64 known = 0, now = 0, at = 0;

	while (pkg->core[0].s.clock < end) {
		u64 a, b, told;

		random = random * 1103515245 + 12345;
		run_cycles(1 + random / 65536 % 50);
		told = pmd(0, 5);
		a = pkg->core[0].s.clock;
		b = pkg->core[1].s.clock;
		if (at && at <= pkg->s.turns.end - mont_bus_reach(pkg->timing))
			known = now;
		check(told == pmd(1, 5) && sum(6) == 2 * told && told <= sum(4) && told >= known,
		      "%s: told %llu and %llu, %llu of %llu", name, (unsigned long long)told,
		      (unsigned long long)pmd(1, 5), (unsigned long long)known,
		      (unsigned long long)sum(4));
		now = sum(4);
		at = a > b ? a : b;
	}
}

/* R58: .EITHER and .ANY of both cores. */
static void test_agents(void)
{
	u32 i, v, some = 0;

	for (i = 0; i < sizeof(agents) / sizeof(agents[0]); i++) {
		cores("cores_hand", "cores_add", 0);
		count_agents(agents[i], !strncmp(agents[i], "BUS_", 4));
		run_told(10000, agents[i]);
		cores("cores_sweep", "cores_sweep", 8);
		for (v = 0; v < 2; v++) {
			cpu = mont_vcpu(pkg, v);
			set_gr(23, 200);
		}
		count_agents(agents[i], !strncmp(agents[i], "BUS_", 4));
		run_told(10000, agents[i]);
		/* Nothing is on its way any more. */
		run_cycles(30000);
		check_eq(pmd(0, 5), sum(4), agents[i]);
		check_eq(sum(6), 2 * sum(4), agents[i]);
		some += pmd(0, 5) > 0;
	}
	check(some > 15, "%u events of %u occurred", some, i);
	group("R58: .EITHER is .SELF of both cores, .ANY is .EITHER, and both are told alike");
}

/* As count(), for what is above @threshold in a cycle. */
static void count_above(unsigned int n, const char *name, u64 threshold)
{
	unsigned int v;

	for (v = 0; v < 2; v++) {
		count(v, n, name);
		set(MONT_REG_PMC, n, get(MONT_REG_PMC, n) | threshold << MONT_PMC_THRESHOLD_SHIFT);
	}
}

/* Cores at "cores_burst", each with lines of its own, of which no cache keeps any. */
static void begin_burst(bool both)
{
	cores("cores_burst", both ? "cores_burst" : NULL, 8 * LINE);
	set_param("l2d.ways", 1);
	set_param("l3.ways", 1);
	set_param("bus.castouts", 1);
}

/* R71: each core has its own places, 4, 2 and 4; together they are more. */
static void test_places(void)
{
	unsigned int v, both;

	for (both = 0; both < 2; both++) {
		begin_burst(both);
		count_above(4, "SI_RQ_LIVE_REQ_LO.SELF", 3);
		count_above(5, "SI_RQ_LIVE_REQ_LO.SELF", 4);
		count_above(6, "SI_RQ_LIVE_REQ_HI.EITHER", 0);
		count_above(7, "SI_CCQ_LIVE_REQ_LO.SELF", 3);
		count_above(8, "SI_CCQ_LIVE_REQ_LO.SELF", 4);
		count_above(9, "SI_CCQ_LIVE_REQ_HI.EITHER", 0);
		run_cycles(50000);
		for (v = 0; v <= both; v++) {
			check(pmd(v, 4) > 0 && !pmd(v, 5), "core %u: %llu and %llu", v,
			      (unsigned long long)pmd(v, 4), (unsigned long long)pmd(v, 5));
			check(pmd(v, 7) > 0 && !pmd(v, 8), "core %u: %llu and %llu", v,
			      (unsigned long long)pmd(v, 7), (unsigned long long)pmd(v, 8));
			check(!pmd(v, 6) == !both, "core %u: SI_RQ_LIVE_REQ_HI.EITHER %llu", v,
			      (unsigned long long)pmd(v, 6));
			check(!pmd(v, 9) == !both, "core %u: SI_CCQ_LIVE_REQ_HI.EITHER %llu", v,
			      (unsigned long long)pmd(v, 9));
		}
	}
	group("R71: four requests and four castouts of each core, eight of both");
}

/* R71: two writes of each core wait, and no more, while a stream of stores replaces lines. */
static void test_writes(void)
{
	unsigned int v, both;

	for (both = 0; both < 2; both++) {
		cores("cores_write", both ? "cores_write" : NULL, 8 * LINE);
		set_param("l2d.ways", 1);
		set_param("l3.ways", 1);
		count_above(4, "SI_WRITEQ_LIVE_REQ_LO.SELF", 1);
		count_above(5, "SI_WRITEQ_LIVE_REQ_LO.SELF", 2);
		count_above(6, "SI_WRITEQ_INSERTS.EWB.SELF", 0);
		run_cycles(50000);
		for (v = 0; v <= both; v++)
			check(pmd(v, 4) > 0 && !pmd(v, 5) && pmd(v, 6) > 1000,
			      "core %u: %llu and %llu cycles, %llu writes", v,
			      (unsigned long long)pmd(v, 4), (unsigned long long)pmd(v, 5),
			      (unsigned long long)pmd(v, 6));
	}
	group("R71: two writes of each core");
}

static void begin_snoops(const char *first, const char *last)
{
	unsigned int v;

	cores(first, "cores_add", 0);
	for (v = 0; v < 2; v++) {
		count(v, 4, "ER_SNOOPQ_REQ_LO");
		count(v, 5, "SI_SCB_LIVE_REQ_LO.SELF");
		count(v, 6, "SI_SCB_INSERTS.ALL.SELF");
		count(v, 7, "SI_SCB_SIGNOFFS.ALL");
		count(v, 8, "SI_SCB_INSERTS.HITM.SELF");
		count(v, 9, last);
	}
	run_cycles(50000);
}

/*
 * R74: a snoop is in the queues of a core for the snoop phase and its stalls, at least for a
 * lookup of the L3 in the first (Little's law), and every answer is joined.
 */
static void test_snoops(void)
{
	u64 l3, snoop, stalled, held = 0;
	unsigned int v;

	begin_snoops("cores_hand", "SI_WRITEQ_INSERTS.IWB.SELF");
	for (v = 0; v < 2; v++) {
		check(pmd(v, 6) > 100, "core %u: %llu snoops", v, (unsigned long long)pmd(v, 6));
		check_eq(pmd(v, 7), sum(6), "SI_SCB_SIGNOFFS.ALL");
		check_eq(pmd(v, 9), pmd(v, 8), "each HITM is written back");
	}
	/* Each core waits for the line to modify it, and sends nothing else meanwhile. */
	begin_snoops("cores_add", "BUS_SNOOP_STALL_CYCLES.SELF");
	l3 = pkg->timing->l3;
	snoop = pkg->timing->snoop;
	for (v = 0; v < 2; v++) {
		u64 n = pmd(v, 6), phases = n * snoop + pmd(!v, 9);

		stalled = pmd(v, 4) + pmd(v, 5);
		check(pmd(v, 4) + 2 * l3 > n * l3, "core %u: %llu cycles in the snoop queue", v,
		      (unsigned long long)pmd(v, 4));
		/* Two are under way. */
		check(stalled <= phases && stalled + 400 > phases, "core %u: %llu cycles of %llu",
		      v, (unsigned long long)stalled, (unsigned long long)phases);
		held += pmd(v, 9);
	}
	check(held > 0, "some are stalled");
	group("R74: snoops and their answers in their queues, joined");
}

/* Core 1 loads a line that core 0 stores to, or loads, each behind loops of its own. */
static void begin_meeting(s64 loops, bool store)
{
	unsigned int v;

	cores("cores_meet", "cores_meet", 0);
	for (v = 0; v < 2; v++) {
		cpu = mont_vcpu(pkg, v);
		/* A line of its own brings the page's translation. */
		set_gr(25, DATA_PA + (8 + v) * LINE);
		set_gr(23, 1000 + (s64)v * loops);
		if (!store)
			set_gr(22, 1);
	}
	run_cycles(900);
}

/* Return: by how many cycles core 1 comes later than core 0. */
static s64 later_by(void)
{
	u64 at[2];
	u32 v;

	for (v = 0; v < 2; v++) {
		cpu = mont_vcpu(pkg, v);
		at[v] = gr(26);
	}
	return at[1] - at[0];
}

static s64 run_meeting(u64 loops)
{
	unsigned int v;

	begin_meeting(loops, true);
	for (v = 0; v < 2; v++) {
		count(v, 4, "BUS_SNOOP_STALL_CYCLES.SELF");
		count(v, 5, "BUS_SNOOP_STALL_CYCLES.EITHER");
		count(v, 6, "BUS_SNOOP_STALL_CYCLES.ANY");
	}
	run_cycles(8000);
	for (v = 0; v < 2; v++)
		check(pmd(v, 5) == sum(4) && pmd(v, 6) == pmd(v, 5), "both are told alike");
	check_eq(pmd(0, 4), 0, "stalls of transactions of the core that stores");
	return later_by();
}

/*
 * R74, R83: the line comes memory.latency cycles behind the store. The snoop phase of the load,
 * which misses the L2D and the L3, would end behind 6, bus.request and bus.snoop cycles.
 */
static void test_stalls(void)
{
	u64 loops, stalled, some = 0, none = 0;

	for (loops = 0; loops < 400; loops += 7) {
		s64 later = run_meeting(loops), late;

		late = (s64)pkg->timing->memory - later - 6 - (s64)pkg->timing->request -
		       (s64)pkg->timing->snoop;
		stalled = pmd(1, 4);
		if (later < 0)
			continue;
		check_eq(stalled, late > 0 ? (late + 11) / 12 * 12 : 0, "stalls");
		some += stalled > 0;
		none += !stalled;
	}
	check(some > 5 && none > 5, "%llu times late, %llu in time", (unsigned long long)some,
	      (unsigned long long)none);
	group("R83: a core that waits for a line answers late, by stalls of two bus clocks");
}

#define FILLED "L2D_FILL_MESI_STATE."

static struct mont_observer observer[2][3 * MONT_ARRAY_SIZE(agents)];
static u64 samples;

static void sampled(struct mont_observer *o, const struct mont_occurrence *at)
{
	(void)o;
	(void)at;
	samples++;
}

/* An observer @i of thread @v counts @name, each occurrence of which is a sample. */
static bool observe(u32 v, u32 i, const char *name)
{
	const struct mont_event *e = mont_event_resolve(name, strlen(name), NULL);
	const char *why = "";

	if (!e)
		return false;
	observer[v][i] = (struct mont_observer){
		.filter = { .code = e->code, .umask = e->umask, .plm = 0xf },
		.period = 1,
		.overflow = sampled,
	};
	return !mont_observer_attach(mont_vcpu(pkg, v), &observer[v][i], &why);
}

static void count_filled(unsigned int v)
{
	count(v, 4, FILLED "M");
	count(v, 5, FILLED "E");
	count(v, 6, FILLED "S");
	count(v, 7, FILLED "I");
	count(v, 8, "L2D_MISSES");
}

/* All of 8000 cycles, in slices between which the state is saved and loaded. */
static void run_sliced(u64 slice)
{
	u64 end = clock_ahead() + 8000, left;
	void *blob;

	if (!slice) {
		run_cycles(8000);
		return;
	}
	blob = malloc(mont_state_size(pkg));
	while (clock_ahead() < end) {
		left = end - clock_ahead();
		run_cycles(slice < left ? slice : left);
		mont_state_save(pkg, blob);
		check(!mont_state_load(pkg, blob, mont_state_size(pkg)), "loaded");
	}
	free(blob);
}

/*
 * Core 1 loads a line first. Counts of both cores: its line comes memory.latency cycles behind its
 * load, and the snoop of the other core's reference, which misses the L2D and the L3, in 6, bus.request
 * and l3.latency cycles. What comes behind the snoop comes as that leaves it.
 */
static void test_taken(void)
{
	u64 first = samples, taken[2] = { 0 }, kept[2] = { 0 };
	s64 loops;
	u32 store;

	for (store = 0; store < 2; store++) {
		for (loops = -400; loops < 0; loops += 3) {
			bool on_its_way;
			s64 later;

			begin_meeting(loops, store);
			count_filled(0);
			count_filled(1);
			check(observe(1, 0, store ? FILLED "I" : FILLED "S"), "observed");
			run_sliced(loops % 4 ? 0 : 61);
			later = later_by();
			/* In one window either core may be first. */
			if (later > -(s64)mont_bus_reach(pkg->timing))
				continue;
			on_its_way = (s64)pkg->timing->memory + later >
				     6 + (s64)pkg->timing->request + (s64)pkg->timing->l3;
			taken[store] += on_its_way;
			kept[store] += !on_its_way;
			check_eq(pmd(1, 5), !on_its_way, "lines that come exclusively");
			check_eq(pmd(1, 6), !store && on_its_way, "that come shared");
			check_eq(pmd(1, 7), store && on_its_way, "that come invalid");
			check_eq(pmd(1, 4), 0, "that are modified");
			check_eq(pmd(1, 8), 1, "misses");
			check(pmd(0, 4) == store && pmd(0, 6) == !store && !pmd(0, 5) &&
				      !pmd(0, 7) && pmd(0, 8) == 1,
			      "the other core's line comes as it is asked for");
			if (loops % 4)
				check_eq(mont_observer_read(mont_vcpu(pkg, 1), &observer[1][0]),
					 on_its_way, "of an observer");
		}
		check(taken[store] > 5 && kept[store] > 5, "%llu are taken, %llu not",
		      (unsigned long long)taken[store], (unsigned long long)kept[store]);
	}
	check(samples > first, "samples");
	group("a clean line that is on its way comes as a snoop leaves it");
}

/* A counter that overflows as an invalid line comes freezes all of them, and asks for an interrupt. */
static void test_taken_over(void)
{
	u64 n, begun;

	begin_meeting(-30, true);
	begun = pkg->core[1].s.clock;
	count_filled(1);
	set(MONT_REG_PMC, 7, get(MONT_REG_PMC, 7) | MONT_PMC_OI);
	set(MONT_REG_PMD, 7, MONT_PMD_MASK);
	count(1, 9, "CPU_OP_CYCLES.ALL");
	run_cycles(8000);
	n = pmd(1, 9);
	check_eq(pmd(1, 7), 0, "PMD7");
	check_eq(get(MONT_REG_PMC, 0) & 0xff, 0x81, "PMC0");
	check(n > 200 && n < 4000 && !((begun + n) % mont_bus_reach(pkg->timing)),
	      "%llu cycles up to the window", (unsigned long long)n);
	group("a line that comes invalid can overflow a counter, as a window begins");
}

/* No line is lost where both cores run, one sleeps, or one falls asleep with lines on their way. */
static void test_filled(void)
{
	unsigned int v, how;

	for (how = 0; how < 3; how++) {
		cores("cores_sweep", how ? "cores_sweep" : NULL, 8);
		for (v = 0; v < 2; v++) {
			cpu = mont_vcpu(pkg, v);
			set_gr(23, 200);
			count_filled(v);
		}
		run_cycles(5000);
		if (how == 2)
			set(MONT_REG_SPECIAL, MONT_SPECIAL_HALTED, 1);
		run_cycles(55000);
		for (v = 0; v < 2; v++)
			check((!how && v ? !pmd(v, 8) : pmd(v, 8) > 10) &&
				      pmd(v, 4) + pmd(v, 5) + pmd(v, 6) + pmd(v, 7) == pmd(v, 8),
			      "%llu, %llu, %llu and %llu of %llu", (unsigned long long)pmd(v, 4),
			      (unsigned long long)pmd(v, 5), (unsigned long long)pmd(v, 6),
			      (unsigned long long)pmd(v, 7), (unsigned long long)pmd(v, 8));
	}
	group("lines that are filled in any state are those that are missed");
}

/*
 * The round trip by which Linux/ia64 sets the ITC of core 1 by that of core 0 (model.rst, "Clocks"):
 * the shortest of many. A line that is stored to has to come to the core that stores, and the bus to
 * carry it, before it is handed on.
 */
static void test_round_trip(void)
{
	const struct mont_timing *t;
	u64 comes, hand, claim, least;
	unsigned int v;

	cores("cores_itc_answer", "cores_itc_ask", 0);
	for (v = 0; v < 2; v++) {
		cpu = mont_vcpu(pkg, v);
		set_gr(25, 1);
		set_gr(26, DATA_PA + LINE);
	}
	run_cycles(3000);
	cpu = mont_vcpu(pkg, 1);
	set_gr(20, ~0ULL);
	run_cycles(100000);
	t = pkg->timing;
	/* BRIL: HITM, and the other core reads its L3. Then the bus carries the line. */
	comes = t->request + t->snoop - 1 + t->l3;
	hand = comes + t->line;
	/* BIL, behind which the release waits for the answer. */
	claim = t->request + t->snoop;
	/*
	 * Each store is on the bus 6 cycles behind its issue, and 3 behind the load that it waits for;
	 * the loop that sees the answer adds no more than 16.
	 */
	least = 6 + hand + 3 + 6 + claim + 6 + hand;
	cpu = mont_vcpu(pkg, 1);
	check(gr(20) >= least && gr(20) < least + 16, "%llu cycles, of %llu",
	      (unsigned long long)gr(20), (unsigned long long)least);
	group("R70, R74: a round trip between cores hands over two lines, each when it has come");
}

#define CANCEL "L2D_L3ACCESS_CANCEL."

/*
 * P2_COV_SNP_FILL_NOSNP: core 0 stores to a line that comes memory.latency cycles later. The snoop
 * of core 1's load comes to the L2D behind 6, bus.request and l3.latency cycles.
 */
static void test_fills_met(void)
{
	u64 some = 0, none = 0;
	s64 loops;

	for (loops = 0; loops < 200; loops++) {
		s64 apart;
		bool met;

		begin_meeting(loops, true);
		count(0, 4, CANCEL "P2_COV_SNP_FILL_NOSNP");
		count(0, 5, CANCEL "P2_COV_SNP_VIC");
		count(1, 4, CANCEL "P2_COV_SNP_FILL_NOSNP");
		run_cycles(8000);
		if (later_by() < (s64)mont_bus_reach(pkg->timing))
			continue;
		apart = (s64)pkg->timing->memory - later_by() - 6 - (s64)pkg->timing->request -
			(s64)pkg->timing->l3;
		met = apart >= -3 && apart <= 3;
		check_eq(pmd(0, 4), met, "fills that meet the snoop");
		check_eq(pmd(0, 5) + pmd(1, 4), 0, "victims, and fills of core 1");
		some += met;
		none += !met;
	}
	check(some >= 3 && none > 50, "%llu times met, %llu not", (unsigned long long)some,
	      (unsigned long long)none);
	group("a snoop meets its line's fill no more than three cycles apart, each once");
}

/* Both cores at "cores_leave", core 1 with @loops more, for lines from @pa on. */
static void begin_leaving(u64 pa, s64 loops)
{
	unsigned int v;

	for (v = 0; v < 2; v++) {
		begin(v, "cores_leave", pa);
		/* The other line has the index of the first one in an L2D of one way. */
		set_gr(25, pa + (v ? 9 * LINE : 256 * LINE));
		set_gr(23, 1000 + (v ? loops : 0));
	}
}

/*
 * P2_COV_SNP_VIC: a load of core 0 hits the L3 behind 5 cycles, and its modified victim has a buffer
 * from then on. The L3's array is read for l3.array cycles, then the victim is written and its buffer
 * free in the cycle behind. The snoop of core 1's load comes behind 6, bus.request and l3.latency cycles.
 */
static void test_victims_met(void)
{
	u64 some = 0, none = 0;
	s64 loops;

	for (loops = 0; loops < 120; loops++) {
		bool met;
		s64 snoop;

		cores("cores_leave", "cores_leave", 0);
		set_param("l2d.ways", 1);
		set_param("l3.array", 64);
		/* In one window either core may be first: it is short. */
		set_param("bus.request", 1);
		set_param("bus.snoop", 1);
		/* Once more, when nothing else is on its way to the L3: the instructions are there. */
		begin_leaving(DATA_PA + 20 * LINE, 0);
		run_cycles(8000);
		begin_leaving(DATA_PA, loops);
		run_cycles(800);
		count(0, 4, CANCEL "P2_COV_SNP_FILL_NOSNP");
		count(0, 5, CANCEL "P2_COV_SNP_VIC");
		count(1, 4, CANCEL "P2_COV_SNP_VIC");
		run_cycles(8000);
		/* A core that asks first takes the line before it is a victim. */
		if (later_by() < (s64)mont_bus_reach(pkg->timing))
			continue;
		snoop = later_by() + 6 + (s64)pkg->timing->request + (s64)pkg->timing->l3;
		met = snoop < 5 + (s64)pkg->timing->l3_array + 1;
		check_eq(pmd(0, 5), met, "victims that meet the snoop");
		check_eq(pmd(0, 4) + pmd(1, 4), 0, "fills, and victims of core 1");
		some += met;
		none += !met;
	}
	check(some > 20 && none > 20, "%llu times met, %llu not", (unsigned long long)some,
	      (unsigned long long)none);
	group("a snoop meets a victim of the L2D until it is written, each once");
}

/* The cycles in which core 0 has withdrawn requests. */
static u64 withdrawn[100000];
static u32 nr_withdrawn;

static void note_withdrawn(struct mont_observer *o, const struct mont_occurrence *at)
{
	(void)o;
	if (nr_withdrawn < MONT_ARRAY_SIZE(withdrawn))
		withdrawn[nr_withdrawn++] = at->at;
}

static int by_cycle(const void *a, const void *b)
{
	const u64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Table 4-24: L2D_L3ACCESS_CANCEL adds 1 in a cycle at most, whatever has come to be withdrawn. */
static void check_apart(void)
{
	u32 i, twice = 0;

	qsort(withdrawn, nr_withdrawn, sizeof(withdrawn[0]), by_cycle);
	for (i = 1; i < nr_withdrawn; i++)
		twice += withdrawn[i] == withdrawn[i - 1];
	check(nr_withdrawn < MONT_ARRAY_SIZE(withdrawn) && !twice,
	      "%u requests withdrawn, %u in the cycle of another", nr_withdrawn, twice);
}

/*
 * Both cores write the same lines, which have one place in each L2D: snoops meet them as they
 * come and as they leave.
 */
static void test_met(void)
{
	unsigned int v;

	for (v = 0; v < 2; v++) {
		cores("cores_write", v ? "cores_write" : NULL, 0);
		set_param("l2d.ways", 1);
		/* An L3 that writes a line slowly keeps victims in their buffers. */
		set_param("l3.array", 64);
		count(0, 4, CANCEL "P2_COV_SNP_FILL_NOSNP");
		count(0, 5, CANCEL "P2_COV_SNP_VIC");
		count(0, 6, CANCEL "ANY");
		count(0, 7, CANCEL "INV_L3_BYP");
		count(0, 8, "SI_SCB_INSERTS.ALL.SELF");
		count(0, 9, CANCEL "SPEC_L3_BYP");
		nr_withdrawn = 0;
		check(observe(0, 0, CANCEL "ANY"), "observed");
		observer[0][0].overflow = note_withdrawn;
		run_cycles(200000);
		check_apart();
		check_eq(nr_withdrawn, pmd(0, 6), "ANY of an observer");
		check(!pmd(0, 4) == !v && !pmd(0, 5) == !v, "%u beside: %llu fills, %llu victims",
		      v, (unsigned long long)pmd(0, 4), (unsigned long long)pmd(0, 5));
		check(pmd(0, 4) + pmd(0, 5) <= pmd(0, 8), "%llu snoops",
		      (unsigned long long)pmd(0, 8));
		check_eq(pmd(0, 6), pmd(0, 4) + pmd(0, 5) + pmd(0, 7) + pmd(0, 9), "ANY has them");
	}
	group("snoops meet lines on their way into the L2D, and out of it");
}

/* R79: fc.i reaches the core that executes the line. */
static void test_flush(void)
{
	u64 n;

	cores("cores_flush", "cores_rest", 0);
	cpu = mont_vcpu(pkg, 0);
	set_gr(21, label("cores_rest"));
	run_cycles(2000);
	n = turns(0);
	count(0, 4, "BUS_MEM_READ.BIL.SELF");
	count(1, 4, "SI_SCB_INSERTS.ALL.SELF");
	count(1, 5, "L2I_READS.MISS.DMND");
	run_cycles(20000);
	n = turns(0) - n;
	check(n > 100 && near(pmd(0, 4), n) && near(pmd(1, 4), n),
	      "%llu flushes: %llu BIL, %llu snoops", (unsigned long long)n,
	      (unsigned long long)pmd(0, 4), (unsigned long long)pmd(1, 4));
	check(pmd(1, 5) > 10, "the line is fetched again %llu times",
	      (unsigned long long)pmd(1, 5));
	group("R79: fc.i reaches every core");
}

/* Semaphores of both cores: nothing is lost, and neither core starves. */
static void test_semaphores(void)
{
	cores("cores_add", "cores_add", 0);
	run_cycles(100000);
	check_eq(*mem64(DATA_PA), turns(0) + turns(1), "sum");
	check(turns(0) * 10 > turns(1) * 9 && turns(1) * 10 > turns(0) * 9, "%llu and %llu",
	      (unsigned long long)turns(0), (unsigned long long)turns(1));
	group("fetchadd of two cores adds up, and both have their share");
}

static void begin_all(void)
{
	cores("cores_add", "cores_hand", 0);
}

/* Neither budgets nor saved states show; clocks are no further apart than a window. */
static void test_cuts(void)
{
	static const u64 slices[] = { 1, 7, 36, 37, 38, 1000 };
	u64 whole, i, n, left, most = 0;
	void *blob;

	begin_all();
	run_cycles(20000);
	whole = mont_state_hash(pkg);
	for (i = 0; i < sizeof(slices) / sizeof(slices[0]); i++) {
		begin_all();
		for (n = 0; (left = 20000 - n); n = clock_ahead()) {
			u64 a = pkg->core[0].s.clock, b = pkg->core[1].s.clock;

			if (most < (a > b ? a - b : b - a))
				most = a > b ? a - b : b - a;
			run_cycles(slices[i] < left ? slices[i] : left);
		}
		check(mont_state_hash(pkg) == whole, "slices of %llu",
		      (unsigned long long)slices[i]);
	}
	check(most && most <= mont_bus_reach(pkg->timing), "clocks are %llu cycles apart",
	      (unsigned long long)most);
	group("where a run of two cores is cut does not show");
	begin_all();
	blob = malloc(mont_state_size(pkg));
	for (i = 0; i < 40; i++) {
		run_cycles(500);
		mont_state_save(pkg, blob);
		check(!mont_state_load(pkg, blob, mont_state_size(pkg)), "loaded");
	}
	check(mont_state_hash(pkg) == whole, "saved and loaded");
	free(blob);
	group("nor does where it is saved");
}

/* Observers of all events by agent in both cores, of which each occurrence is a sample. */
static void observe_agents(void)
{
	static const char *const agent[] = { "SELF", "EITHER", "ANY" };
	u32 v, i, n = 0;
	char text[64];

	for (i = 0; i < 3 * MONT_ARRAY_SIZE(agents); i++) {
		snprintf(text, sizeof(text), "%s.%s", agents[i / 3], agent[i % 3]);
		for (v = 0; v < 2; v++)
			n += observe(v, i, text);
	}
	check(n > 2 * 2 * MONT_ARRAY_SIZE(agents), "%u observers", n);
}

static const char *const ends[] = { "bus.request", "bus.snoop", "memory.latency" };

/* Each parameter of @ends at its least, or where @most has its bit at a large value. */
static void begin_at_ends(u32 most)
{
	static const u64 least[] = { 1, 1, 20 }, large[] = { 1000, 1000, 10000 };
	u32 i;

	begin_all();
	for (i = 0; i < MONT_ARRAY_SIZE(ends); i++)
		set_param(ends[i], most >> i & 1 ? large[i] : least[i]);
}

/* Observers of everything between the cores move nothing, whatever the bus is like. */
static void test_observed(void)
{
	u64 whole, before;
	u32 i;

	for (i = 0; i < 1u << MONT_ARRAY_SIZE(ends); i++) {
		begin_at_ends(i);
		run_cycles(40000);
		whole = mont_state_hash(pkg);
		check(turns(0) > 0 && turns(1) > 0, "both go on");
		begin_at_ends(i);
		observe_agents();
		before = samples;
		run_cycles(40000);
		check(mont_state_hash(pkg) == whole, "observed, ends %u", i);
		check(samples > before + 10, "%llu samples", (unsigned long long)samples);
	}
	group("observers of both cores move nothing, at the ends of the bus's parameters");
}

/* Two machines of two cores take slices one after the other, and are as each alone. */
static void test_beside(void)
{
	const struct mont_budget slice = { .cycles = 333 };
	struct mont_package *other;
	u64 whole[2], i;
	u8 *other_ram;

	begin_all();
	run_cycles(333 * 60);
	whole[0] = mont_state_hash(pkg);
	cores("cores_apart", "cores_sweep", 8);
	run_cycles(333 * 60);
	whole[1] = mont_state_hash(pkg);
	begin_all();
	other = pkg;
	other_ram = ram;
	pkg = NULL;
	ram = NULL;
	cores("cores_apart", "cores_sweep", 8);
	for (i = 0; i < 60; i++) {
		mont_run(other, &slice, &last_exit);
		mont_run(pkg, &slice, &last_exit);
	}
	check(clock_ahead() >= 333 * 60, "cycles");
	check(mont_state_hash(other) == whole[0], "the first machine");
	check(mont_state_hash(pkg) == whole[1], "the second machine");
	free(other);
	free(other_ram);
	group("two machines of two cores beside each other");
}

/* A halted core costs the other nothing. */
static void test_alone(void)
{
	u64 n, cycles;

	cores("cores_apart", NULL, LINE);
	run_cycles(50000);
	n = turns(0);
	cycles = pkg->core[0].s.clock;
	lone_threads = false;
	free(pkg);
	pkg = NULL;
	machine(1, 0);
	begin(0, "cores_apart", DATA_PA);
	run_cycles(cycles);
	check_eq(n, turns(0), "turns beside a halted core, and with none");
	group("a halted core costs the other no cycle");
}

/* Events that one core counts as well. */
static const char *const of_one[] = {
	"BUS_ALL",	  "BUS_MEMORY.ALL", "BUS_MEM_READ.ALL",	 "BUS_RD_DATA",
	"BUS_DATA_CYCLE", "SI_RQ_INSERTS",  "SI_RQ_LIVE_REQ_LO",
};

/* A machine of one core at the sweep, for @agent counted in PMC4. */
static void begin_sweep(bool two, const char *name, const char *agent)
{
	if (two) {
		cores("cores_sweep", NULL, 0);
	} else {
		lone_threads = false;
		free(pkg);
		pkg = NULL;
		machine(1, 0);
		begin(0, "cores_sweep", DATA_PA);
	}
	set_param("l2d.ways", 1);
	set_param("l3.ways", 1);
	cpu = mont_vcpu(pkg, 0);
	set_gr(23, 1500);
	count_agent(0, 4, name, agent);
}

/* Section 8: one core awake needs no windows. It is as fast as one core, and counts the same. */
static void test_no_windows(void)
{
	static const char *const agent[] = { "SELF", "EITHER" };
	u64 n[2], counted[2], work[2];
	u32 i, a, two;

	for (i = 0; i < 2 * MONT_ARRAY_SIZE(of_one); i++) {
		a = i % 2;
		for (two = 0; two < 2; two++) {
			begin_sweep(two, of_one[i / 2], agent[a]);
			run_cycles(100000);
			check_eq(pkg->core[0].s.clock, 100000, "cycles");
			n[two] = turns(0);
			counted[two] = pmd(0, 4);
			work[two] = last_exit.work;
		}
		check(counted[0] > 0, "%s counts", of_one[i / 2]);
		check_eq(counted[1], counted[0], of_one[i / 2]);
		check_eq(n[1], n[0], "turns");
		/* 2700 windows would be charged 4 units each, and more. */
		check(work[1] < work[0] + 1000, "%llu units, of one core %llu",
		      (unsigned long long)work[1], (unsigned long long)work[0]);
		check_eq(pkg->core[1].s.clock, 100000, "the clock of the core that sleeps");
	}
	group("one core awake has no windows, and counts as one core does");
}

/* The second core sleeps up to cycle @wakes of its timer, or until the host wakes it then. */
static u64 run_woken(u64 slice, bool timer, u64 wakes)
{
	u64 clock, left;

	cores("cores_sweep", NULL, 8);
	cpu = mont_vcpu(pkg, 0);
	set_gr(23, 200);
	cpu = mont_vcpu(pkg, 1);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_IP, label("cores_sweep"));
	set(MONT_REG_SPECIAL, MONT_SPECIAL_PSR, PHYS);
	set_gr(23, 200);
	set(MONT_REG_CR, 1, wakes);
	set(MONT_REG_CR, 72, timer ? 0x55 : 0x10055);
	while ((clock = clock_ahead()) < 30000) {
		if (!timer && clock == wakes)
			mont_irq_inject(cpu, 0x55);
		left = (clock < wakes && !timer ? wakes : 30000) - clock;
		run_cycles(slice < left ? slice : left);
		cpu = mont_vcpu(pkg, 1);
	}
	return mont_state_hash(pkg);
}

/*
 * Wherever a run is cut, before and behind what wakes the other core: in a window, and in the cycles
 * beside its first.
 */
static void test_woken(void)
{
	static const u64 slices[] = { 1, 7, 36, 37, 38, 1000 };
	u64 window, wakes, whole, i;
	u32 timer, k;

	cores("cores_sweep", NULL, 8);
	window = mont_bus_reach(pkg->timing);
	for (k = 0; k < 8; k++) {
		timer = k % 2;
		wakes = k < 2 ? 12345 : 333 * window + k / 2 - 2;
		whole = run_woken(30000, timer, wakes);
		check_eq(cpu->s.halted_cycles, wakes, "cycles halted");
		check(turns(1) >= 200, "%llu turns", (unsigned long long)turns(1));
		for (i = 0; i < MONT_ARRAY_SIZE(slices); i++)
			check(run_woken(slices[i], timer, wakes) == whole,
			      "cycle %llu, slices of %llu", (unsigned long long)wakes,
			      (unsigned long long)slices[i]);
	}
	group("a core that is woken goes on in that cycle, wherever the run is cut");
}

/* The clock of core @core in a saved state. */
static u64 *clock_in(u8 *blob, unsigned int core)
{
	u8 *section = blob;

	while (memcmp(section, "CORE", 4))
		section++;
	/* A header of a tag, a version and a length, and one core behind the other. */
	return (u64 *)(section + 16 + core * sizeof(struct mont_core_state));
}

/* Load the state @blob with the clock of core 1 @ahead of that of core 0. */
static int load_apart(u8 *blob, u64 ahead)
{
	*clock_in(blob, 1) = *clock_in(blob, 0) + ahead;
	return mont_state_load(pkg, blob, mont_state_size(pkg));
}

/* The most that the clocks of cores come apart in runs with and without time in turn. */
static u64 most_apart(void)
{
	const struct mont_budget without = { .insns = 700, .flags = MONT_RUN_FUNCTIONAL };
	const struct mont_budget with = { .insns = 1 };
	struct mont_exit e;
	unsigned int i;
	u64 most = 0;

	for (i = 0; i < 2000; i++) {
		s64 ahead;

		mont_run(pkg, &without, &e);
		mont_run(pkg, &with, &e);
		ahead = pkg->core[0].s.clock - pkg->core[1].s.clock;
		if (most < (u64)(ahead < 0 ? -ahead : ahead))
			most = ahead < 0 ? -ahead : ahead;
	}
	return most;
}

/*
 * A core that is behind has to come along before the package does: a saved state in which it would take
 * days is none. With and without time in turn, clocks stay where they can be saved, with the longest
 * windows too.
 */
static void test_clocks(void)
{
	u64 window, most;
	u8 *blob = NULL;

	for (window = 0; window < 2; window++) {
		cores("cores_hand", "cores_hand", 0);
		if (window) {
			set_param("bus.request", 1000);
			set_param("bus.snoop", 1000);
		}
		run_cycles(5000);
		blob = realloc(blob, mont_state_size(pkg));
		mont_state_save(pkg, blob);
		check_eq(load_apart(blob, 2000), 0, "two turns ahead");
		check_eq(load_apart(blob, -2000ULL), 0, "two turns behind");
		check_eq(load_apart(blob, 1ULL << 41), MONT_EINVAL, "2^41 ahead");
		check_eq(load_apart(blob, 1ULL << 63), MONT_EINVAL, "2^63 ahead");
		check_eq(load_apart(blob, -(1ULL << 41)), MONT_EINVAL, "2^41 behind");
		check_eq(load_apart(blob, 3000), MONT_EINVAL, "three turns ahead");
		check_eq(load_apart(blob, -3000ULL), MONT_EINVAL, "three turns behind");
		check_eq(load_apart(blob, 0), 0, "side by side");
		most = most_apart();
		check(most > 1000 && most < 3000, "%llu cycles apart", (unsigned long long)most);
		mont_state_save(pkg, blob);
		check_eq(mont_state_load(pkg, blob, mont_state_size(pkg)), 0,
			 "with and without time");
	}
	free(blob);
	group("clocks of cores in a saved state are as far apart as turns leave them");
}

/* Two threads on each of two cores. */
static void test_four(void)
{
	u64 sum, i;
	unsigned int v;

	lone_threads = false;
	for (i = 0; i < 2; i++) {
		free(pkg);
		pkg = NULL;
		machine(4, 0);
		for (v = 0; v < 4; v++)
			begin(v, "cores_add", DATA_PA);
		while (pkg->core[0].s.clock < 100000)
			run_cycles(i ? 333 : 100000 - pkg->core[0].s.clock);
		sum = 0;
		for (v = 0; v < 4; v++) {
			check(turns(v) > 100, "thread %u: %llu turns", v,
			      (unsigned long long)turns(v));
			sum += turns(v);
		}
		check_eq(*mem64(DATA_PA), sum, "sum");
	}
	group("two threads on each of two cores add up");
}

int main(void)
{
	test_hand();
	test_apart();
	test_agents();
	test_places();
	test_writes();
	test_snoops();
	test_stalls();
	test_round_trip();
	test_taken();
	test_taken_over();
	test_filled();
	test_fills_met();
	test_victims_met();
	test_met();
	test_flush();
	test_semaphores();
	test_cuts();
	test_observed();
	test_beside();
	test_alone();
	test_no_windows();
	test_woken();
	test_clocks();
	test_four();
	return tap_end();
}
