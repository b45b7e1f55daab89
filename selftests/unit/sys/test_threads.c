// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads on one core with time (manual 2.4.1): when the core switches from one to the
 * other, what a switch takes, and whose cycles are whose.
 */
#include "two_threads.h"

/* R24, R26: each miss gives the core to a sibling without misses, whose time-out gives it back. */
static void test_misses(void)
{
	u64 misses = 50;

	threads("thread_chase", "thread_loop");
	run_cycles(misses * (QUANTUM + 300));
	misses = switches(0, MONT_SIG_SWITCH_L3MISS);
	check(misses > 30, "%llu misses", (unsigned long long)misses);
	check(turns(0) - misses <= 2, "%llu turns of the chase, %llu misses that switched",
	      (unsigned long long)turns(0), (unsigned long long)misses);
	check(misses - switches(1, MONT_SIG_SWITCH_TIMER) <= 1, "time-outs: %llu of %llu",
	      (unsigned long long)switches(1, MONT_SIG_SWITCH_TIMER), (unsigned long long)misses);
	check_eq(switches(1, MONT_SIG_SWITCH_L3MISS), 0, "misses of the sibling");
	check_eq(switches(0, MONT_SIG_SWITCH_TIMER), 0, "time-outs of the chase");
	check_eq(shared()->urgency[1], MONT_URGENCY_MOST, "urgency of a thread that progresses");
	/* V2: each return finds the sibling in front, which is more urgent. */
	check(misses - switches(1, MONT_SIG_SWITCH_MISSED) <= 1, "missed: %llu of %llu",
	      (unsigned long long)switches(1, MONT_SIG_SWITCH_MISSED), (unsigned long long)misses);
	check(switches(0, MONT_SIG_SWITCH_MISSED) <= 1, "%llu missed by the chase",
	      (unsigned long long)switches(0, MONT_SIG_SWITCH_MISSED));
	/* The L3 says that a load has missed: groups behind it have issued until then (2.4.1.1). */
	threads("thread_burst", "thread_loop");
	count(0, 4, "L3_MISSES", 0);
	run_cycles(30000);
	misses = pmd(0, 4);
	check(switches(0, MONT_SIG_SWITCH_L3MISS) > 5 &&
		      misses > 6 * switches(0, MONT_SIG_SWITCH_L3MISS),
	      "%llu misses, %llu switches", (unsigned long long)misses,
	      (unsigned long long)switches(0, MONT_SIG_SWITCH_L3MISS));
	group("misses switch to a sibling that has none, and time-outs back");
}

/* Run, cycle by cycle, until thread 0 has urgency @until; @most: cycles that this may take. */
static bool becomes(u32 until, unsigned int most)
{
	while (shared()->urgency[0] != until && most--)
		run_cycles(1);
	return shared()->urgency[0] == until;
}

/* V1: a miss takes 1, a return gives 1 below the nominal urgency. */
static void test_urgency(void)
{
	u32 front;

	threads("thread_chase", NULL);
	check(becomes(4, 300), "a miss");
	check(becomes(5, 300), "its return");
	check(becomes(4, 300), "the next miss");
	shared()->urgency[0] = 6;
	run_cycles(1000);
	check(shared()->urgency[0] >= 4 && shared()->urgency[0] <= 5,
	      "misses take 6 to 5, and returns give no more");
	shared()->urgency[0] = 7;
	check(becomes(6, 300) && becomes(5, 300) && becomes(4, 300) && becomes(5, 300),
	      "from 7 by misses alone");
	check(becomes(4, 300), "another miss");
	shared()->urgency[0] = 0;
	check(becomes(1, 300) && becomes(0, 300) && becomes(1, 300), "not below 0");
	threads("thread_uncached", NULL);
	check(becomes(4, 300), "memory that is not cached");
	run_cycles(2000);
	check(shared()->urgency[0] >= 4, "its returns");
	threads("thread_loop", "thread_loop");
	front = shared()->front;
	shared()->urgency[front] = 2;
	begin(front, NULL);
	run_cycles(100);
	check_eq(shared()->front, !front, "low power");
	check_eq(shared()->urgency[front], MONT_URGENCY_NOMINAL, "urgency behind it");
	group("urgency goes by misses and returns");
}

/* V7: the thread in front has retired an instruction before it leaves by urgency. */
static void test_progress(void)
{
	u64 came[2] = { 0, 0 };
	unsigned int i, left = 0;
	u32 front;

	threads("thread_chase", "thread_chase");
	set_quantum(1000000);
	front = shared()->front;
	came[front] = pkg->thread[front].s.insns;
	for (i = 0; i < 20000; i++) {
		run_cycles(1);
		if (shared()->front == front)
			continue;
		left++;
		check(pkg->thread[front].s.insns != came[front], "progress of thread %u", front);
		front = shared()->front;
		came[front] = pkg->thread[front].s.insns;
	}
	check(left > 50, "%u switches", left);
	group("a thread retires something before it leaves by urgency");
}

/* V9: what a thread waits for in order is not waited for by the other. */
static void test_order(void)
{
	const struct mont_order *order;
	u64 until, before;
	u32 first;

	threads("thread_loop", "thread_chase");
	order = &pkg->core[0].time->s.h.order;
	if (shared()->front)
		run_cycles(QUANTUM + SWITCH);
	while (shared()->front)
		run_cycles(1);
	until = clock_now() + 1000000;
	pkg->core[0].time->s.h.order.acquired = until;
	pkg->core[0].time->s.h.order.busy = until;
	first = shared()->front;
	mont_stall_until(&pkg->thread[first].own.s.stall, MONT_CAUSE_L1D_HPW, until + 1);
	while (shared()->front == first)
		run_cycles(1);
	check(order->acquired < clock_now(), "no acquire of the other thread");
	check(order->busy < clock_now(), "nor a walk of it");
	before = turns(1);
	run_cycles(2000);
	check(turns(1) > before, "its loads are served");
	while (shared()->front != first)
		run_cycles(1);
	check_eq(order->acquired, until, "the acquire of the first");
	check_eq(order->busy, until, "its walk");
	before = turns(0);
	while (shared()->front == first)
		run_cycles(1);
	check_eq(turns(0), before, "groups that issue before that is done");
	group("an acquire holds up its own thread alone");
}

/* R29: with the other thread in low power nothing switches. */
static void test_alone(void)
{
	unsigned int sig;

	threads("thread_chase", NULL);
	run_cycles(20000);
	for (sig = MONT_SIG_SWITCH_MISSED; sig <= MONT_SIG_SWITCH_LP; sig++)
		check_eq(switches(0, sig) + switches(1, sig), 0, "switches");
	check(turns(0) > 60, "%llu turns", (unsigned long long)turns(0));
	threads("thread_hint_m", NULL);
	run_cycles(20000);
	for (sig = MONT_SIG_SWITCH_MISSED; sig <= MONT_SIG_SWITCH_LP; sig++)
		check_eq(switches(0, sig) + switches(1, sig), 0, "switches");
	check_eq(pkg->thread[0].s.cycles, clock_now() - pkg->thread[1].s.cycles, "cycles");
	group("nothing switches to a halted sibling");
}

/* 2.4: two chases on one core hide each other's misses. */
static void test_two_chases(void)
{
	u64 one, two, from;

	threads("thread_chase", NULL);
	from = clock_now();
	run_until_turns(0, 200);
	one = clock_now() - from;
	threads("thread_chase", "thread_chase");
	from = clock_now();
	run_until_turns(0, 200);
	run_until_turns(1, 200);
	two = clock_now() - from;
	check(2 * two < 3 * one, "two take %llu cycles, one %llu", (unsigned long long)two,
	      (unsigned long long)one);
	check(two >= one, "two take no less than one");
	group("two pointer chases take less than 1.5 times one");
}

/* R28, R33: a hint in an M, I, F or X slot switches in 15 cycles, any other does not. */
static void test_hints(void)
{
	static const char *const on[] = { "thread_hint_m", "thread_hint_i", "thread_hint_f",
					  "thread_hint_x" };
	static const u64 lengths[] = { SWITCH, 2 * SWITCH };
	static const char *const off[] = { "thread_hint_b", "thread_hint_off",
					   "thread_hint_other" };
	unsigned int i;

	for (i = 0; i < 2 * MONT_ARRAY_SIZE(on); i++) {
		u64 from, n, spent, length = lengths[i & 1];
		const char *name = on[i / 2];

		threads(name, name);
		set_param("thread.switch", length);
		set_quantum(1000000);
		from = clock_now();
		run_cycles(10000);
		n = switches(0, MONT_SIG_SWITCH_HINT);
		spent = (clock_now() - from) / (n ? n : 1);
		check(spent >= 2 * length && spent <= 2 * length + 8,
		      "%s: %llu cycles there and back", name, (unsigned long long)spent);
		check(n - switches(1, MONT_SIG_SWITCH_HINT) + 1 <= 2, "hints of both threads");
		check(turns(0) - n + 1 <= 2, "%llu turns, %llu hints", (unsigned long long)turns(0),
		      (unsigned long long)n);
	}
	for (i = 0; i < MONT_ARRAY_SIZE(off); i++) {
		threads(off[i], off[i]);
		set_quantum(1000000);
		run_cycles(5000);
		check_eq(switches(0, MONT_SIG_SWITCH_HINT) + switches(1, MONT_SIG_SWITCH_HINT), 0,
			 off[i]);
	}
	group("hint@pause switches, other hints do not");
}

/* R26: two loops share the core by time-outs; R36: cycles of both add up. */
static void test_shares(void)
{
	u64 cycles[2], from, share;

	threads("thread_loop", "thread_loop");
	cycles[0] = pkg->thread[0].s.cycles;
	cycles[1] = pkg->thread[1].s.cycles;
	from = clock_now();
	run_cycles(100 * (QUANTUM + SWITCH));
	cycles[0] = pkg->thread[0].s.cycles - cycles[0];
	cycles[1] = pkg->thread[1].s.cycles - cycles[1];
	check_eq(cycles[0] + cycles[1], clock_now() - from, "cycles of both");
	share = 1000 * cycles[0] / (cycles[0] + cycles[1]);
	check(share >= 495 && share <= 505, "shares: %llu of 1000", (unsigned long long)share);
	check(switches(0, MONT_SIG_SWITCH_TIMER) + switches(1, MONT_SIG_SWITCH_TIMER) >= 95,
	      "time-outs");
	group("two loops share the core by time-outs");
}

/* R30: a thread that halts hands the core over, and whichever wakes has it. */
static void test_low_power(void)
{
	threads("thread_loop", "thread_loop");
	run_cycles(100);
	begin(shared()->front, NULL);
	run_cycles(100);
	check_eq(switches(0, MONT_SIG_SWITCH_LP) + switches(1, MONT_SIG_SWITCH_LP), 1, "LP");
	begin(shared()->front, NULL);
	cpu = mont_vcpu(pkg, !shared()->front);
	set(MONT_REG_CR, 72, 0x30);
	set(MONT_REG_CR, 1, clock_now() + 500);
	run_cycles(499);
	check_eq(cpu->s.halted, 1, "halted before its timer");
	run_cycles(100);
	check_eq(cpu->s.halted, 0, "awake behind it");
	check(shared()->front == cpu->number, "in front");
	group("low power hands the core over");
}

/* Cycles that both threads have lost to switches. */
static u64 spent_switching(void)
{
	return pkg->thread[0].own.s.stall.spent[MONT_CAUSE_SWITCH] +
	       pkg->thread[1].own.s.stall.spent[MONT_CAUSE_SWITCH];
}

/* R30: both threads in low power: nothing switches, and the one that wakes has the core. */
static void test_sleep(void)
{
	unsigned int sig;
	u64 spent;

	threads("thread_burst", NULL);
	run_cycles(300);
	spent = spent_switching();
	check(shared()->nr, "misses on their way");
	begin(0, NULL);
	begin(1, "thread_loop");
	begin(1, NULL);
	set(MONT_REG_CR, 72, 0x30);
	set(MONT_REG_CR, 1, clock_now() + 30000);
	run_cycles(29000);
	check(!shared()->nr, "they have come");
	for (sig = MONT_SIG_SWITCH_MISSED; sig <= MONT_SIG_SWITCH_LP; sig++)
		check_eq(switches(0, sig) + switches(1, sig), 0, "switches");
	check_eq(spent_switching(), spent, "cycles of switches");
	check_eq(shared()->front, 0, "thread in front");
	run_cycles(1100);
	check_eq(shared()->front, 1, "the one that wakes");
	check_eq(switches(0, MONT_SIG_SWITCH_LP), 1, "low power");
	check_eq(spent_switching() - spent, SWITCH, "its cycles");
	group("nothing switches while both threads sleep");
}

/* R31: an interrupt for the thread behind makes it urgent, and switches nothing by itself. */
static void test_interrupts(void)
{
	unsigned int i;

	threads("thread_loop", "thread_loop");
	check(!mont_irq_inject(mont_vcpu(pkg, !shared()->front), 0x40), "injected");
	run_cycles(QUANTUM / 2);
	check_eq(switches(0, MONT_SIG_SWITCH_TIMER) + switches(1, MONT_SIG_SWITCH_TIMER), 0,
		 "switches before the time-out");
	run_cycles(QUANTUM);
	check_eq(switches(0, MONT_SIG_SWITCH_TIMER) + switches(1, MONT_SIG_SWITCH_TIMER), 1,
		 "switches behind it");
	check_eq(shared()->urgency[shared()->front], MONT_URGENCY_INTERRUPT, "urgency");
	/* A miss of the thread in front is one, however urgent it had been. */
	threads("thread_chase", "thread_loop");
	for (i = 0; i < 2 * QUANTUM && (shared()->front || shared()->fetches); i++)
		run_cycles(1);
	set_quantum(100000);
	i = switches(0, MONT_SIG_SWITCH_L3MISS);
	shared()->urgency[0] = MONT_URGENCY_NOMINAL;
	shared()->urgency[1] = 0;
	check(!mont_irq_inject(mont_vcpu(pkg, 1), 0x40), "injected");
	run_cycles(300 + SWITCH);
	check_eq(switches(0, MONT_SIG_SWITCH_L3MISS), i + 1, "switches by a miss");
	check_eq(shared()->front, 1, "the thread with the interrupt");
	group("an interrupt for the thread behind waits for an event that switches");
}

/* As threads(), with PAL_SET_HW_POLICY's @policy for thread 0, which is in front. */
static void threads_favour(const char *first, const char *second, u32 policy)
{
	unsigned int i;

	threads(first, second);
	for (i = 0; i < 100 * QUANTUM && (shared()->front || shared()->fetches); i++)
		run_cycles(1);
	check(!shared()->front, "thread 0 in front");
	pkg->thread[0].s.hw_policy = policy;
	set_quantum(QUANTUM);
	for (i = MONT_SIG_SWITCH_MISSED; i <= MONT_SIG_SWITCH_LP; i++) {
		pkg->thread[0].countdown[0][i].left = MONT_SIG_NEVER;
		pkg->thread[1].countdown[0][i].left = MONT_SIG_NEVER;
	}
}

/* R40, R41: PAL_SET_HW_POLICY. */
static void test_policy(void)
{
	u64 alone, from, before[2];
	u32 policy;

	threads("thread_chase", NULL);
	before[0] = turns(0);
	run_cycles(20000);
	alone = turns(0) - before[0];
	for (policy = MONT_POLICY_HIGH_PRIORITY; policy <= MONT_POLICY_EXCLUSIVE; policy++) {
		/* Each miss hands the core over, its return gives it back. */
		threads_favour("thread_chase", "thread_loop", policy);
		before[0] = turns(0);
		before[1] = turns(1);
		run_cycles(20000);
		check(10 * (turns(0) - before[0]) > 8 * alone, "%llu turns, alone %llu",
		      (unsigned long long)(turns(0) - before[0]), (unsigned long long)alone);
		check(turns(1) - before[1] > 5000, "turns of the other thread");
		check_eq(switches(0, MONT_SIG_SWITCH_TIMER) + switches(1, MONT_SIG_SWITCH_TIMER), 0,
			 "time-outs");
		/* Without misses it has the core for itself. */
		threads_favour("thread_loop", "thread_chase", policy);
		from = pkg->thread[1].s.cycles;
		run_cycles(20 * QUANTUM);
		check_eq(pkg->thread[1].s.cycles, from, "cycles of the other thread");
		/* But in low power. */
		begin(0, NULL);
		run_cycles(1000);
		check(pkg->thread[1].s.cycles > from, "the other thread beside low power");
		/* A hint gives the other a quarter of its quantum, or nothing. */
		threads_favour("thread_hint_m", "thread_loop", policy);
		from = pkg->thread[1].s.cycles;
		run_cycles(40 * QUANTUM);
		if (policy == MONT_POLICY_EXCLUSIVE) {
			check_eq(pkg->thread[1].s.cycles, from, "cycles beside hints");
			continue;
		}
		check(switches(1, MONT_SIG_SWITCH_TIMER) > 120 &&
			      switches(1, MONT_SIG_SWITCH_TIMER) < 160,
		      "%llu quanta", (unsigned long long)switches(1, MONT_SIG_SWITCH_TIMER));
		threads_favour("thread_hint_m", "thread_loop", policy);
		set_param("thread.divisor", 10);
		run_cycles(40 * QUANTUM);
		check(switches(1, MONT_SIG_SWITCH_TIMER) > 250, "%llu tenths of quanta",
		      (unsigned long long)switches(1, MONT_SIG_SWITCH_TIMER));
	}
	group("a thread with priority shares the core while it waits");
}

/*
 * R40.1: the quantum of a thread that hands the core over goes on when it comes back: by fairness
 * hints and time-outs come, by performance hints alone.
 */
static void test_fair_quanta(void)
{
	u64 own, hints, timeouts;
	u32 policy, v;

	for (policy = MONT_POLICY_PERFORMANCE; policy <= MONT_POLICY_FAIRNESS; policy++) {
		threads_favour("thread_hint_m", "thread_hint_m", policy);
		pkg->thread[1].s.hw_policy = policy;
		own = pkg->thread[0].s.cycles;
		run_cycles(100 * QUANTUM);
		own = pkg->thread[0].s.cycles - own;
		hints = switches(0, MONT_SIG_SWITCH_HINT);
		timeouts = switches(0, MONT_SIG_SWITCH_TIMER);
		check(hints > 1000, "%llu hints", (unsigned long long)hints);
		/* The first cycles of a switch are behind its quantum. */
		own -= (hints + timeouts) * (SWITCH - FLUSH);
		if (policy == MONT_POLICY_PERFORMANCE)
			check_eq(timeouts, 0, "time-outs by performance");
		else
			check(timeouts >= own / QUANTUM - 1 && timeouts <= own / QUANTUM + 1,
			      "%llu time-outs in %llu cycles", (unsigned long long)timeouts,
			      (unsigned long long)own);
	}
	/* A priority that one of them asks for ends the fairness of both. */
	threads_favour("thread_hint_m", "thread_hint_m", MONT_POLICY_HIGH_PRIORITY);
	pkg->thread[1].s.hw_policy = MONT_POLICY_FAIRNESS;
	run_cycles(100 * QUANTUM);
	for (v = 0; v < 2; v++)
		check_eq(switches(v, MONT_SIG_SWITCH_TIMER), 0, "time-outs beside a priority");
	group("by fairness a quantum counts own cycles alone");
}

/*
 * R40.1: a thread that has had more than half of the last two quanta yields at its next miss or
 * return. The other is never more urgent here.
 */
static void test_fair_shares(void)
{
	u64 cycles, left, from;
	u32 policy, i;

	for (policy = MONT_POLICY_PERFORMANCE; policy <= MONT_POLICY_FAIRNESS; policy++) {
		threads_favour("thread_chase", "thread_loop", policy);
		pkg->thread[1].s.hw_policy = policy;
		cycles = pkg->thread[0].s.cycles;
		from = clock_now();
		for (i = 0; i < 10 * QUANTUM; i++) {
			shared()->urgency[1] = 0;
			run_cycles(10);
		}
		cycles = pkg->thread[0].s.cycles - cycles;
		left = switches(0, MONT_SIG_SWITCH_L3MISS);
		if (policy == MONT_POLICY_PERFORMANCE) {
			check_eq(left, 0, "misses that switch by performance");
			continue;
		}
		check(left > 20, "%llu times", (unsigned long long)left);
		check(cycles > left * QUANTUM / 4, "%llu cycles", (unsigned long long)cycles);
		check(10 * cycles > 4 * (clock_now() - from) &&
			      10 * cycles < 6 * (clock_now() - from),
		      "%llu cycles of %llu", (unsigned long long)cycles,
		      (unsigned long long)(clock_now() - from));
	}
	group("by fairness a thread yields that has had most of the core");
}

/* ---- the PMUs of both threads (manual 3.3.2, 4.2.1 and 4.8.4) ---- */

/* R51, R55: PMD4-9 count what their thread has asked for, PMD10-15 what comes in front. */
static void test_banked(void)
{
	u64 front = 0, before = 0, now;
	unsigned int i;

	threads("thread_burst", "thread_loop");
	count_everywhere("L3_MISSES");
	for (i = 0; i < 30000; i++) {
		run_cycles(1);
		now = pmd(0, 4);
		if (!shared()->front)
			front += now - before;
		before = now;
	}
	check(before >= 200, "%llu misses", (unsigned long long)before);
	check_eq(pmd(0, 10), front, "PMD10");
	check(front && front < before, "%llu of %llu came in front", (unsigned long long)front,
	      (unsigned long long)before);
	check_eq(pmd(1, 4) + pmd(1, 10), 0, "misses of the other thread");
	check_eq(pmd(1, 5), before, "PMD5 with all set");
	group("PMD4-9 count in the background, PMD10-15 stand");
}

#define REQUEST 40

/* Run thread 0 at @name, which replaces a line of the L3 with each that it asks for. */
static void begin_replacing(const char *name)
{
	threads(name, "thread_loop");
	set_param("l2d.ways", 1);
	set_param("l3.ways", 1);
	set_param("bus.castouts", 1);
	/* Lines wait for a long time behind reads that follow each other. */
	set_param("bus.request", REQUEST);
	count(0, 4, "BUS_ALL.SELF", 0);
	count(1, 5, "BUS_ALL.SELF", ALL);
}

/*
 * R72: a line that reads put off is counted in the cycle in which it is issued. The address bus
 * carries a transaction for REQUEST cycles (2.5), so that as many lie between two that count.
 */
static void test_put_off(void)
{
	static const char *const names[] = { "cores_burst", "cores_write" };
	unsigned int i, k;

	for (k = 0; k < MONT_ARRAY_SIZE(names); k++) {
		u64 before = 0, last = 0, now, passed;
		unsigned int early = 0, next = 0;

		begin_replacing(names[k]);
		for (i = 0; i < 60000; i++) {
			run_cycles(1);
			now = pmd(0, 4);
			if (now == before)
				continue;
			passed = clock_now() - last;
			early += now > before + 1 || (last && passed < REQUEST);
			next += passed == REQUEST;
			before = now;
			last = clock_now();
		}
		check(before > 500 && next > 100, "%s: %llu transactions, %u behind another",
		      names[k], (unsigned long long)before, next);
		check_eq(early, 0, names[k]);
		check_eq(pmd(1, 5), before, "PMD5 with all set");
	}
	group("R72: lines that are put off are counted in the cycle of their issue");
}

/* R61, R36: cycles are those of the thread in front, and with all set the core's. */
static void test_cycles_of_both(void)
{
	u64 from, all;
	unsigned int v;

	threads("thread_chase", "thread_loop");
	count_everywhere("CPU_OP_CYCLES");
	from = clock_now();
	run_cycles(20000);
	all = pmd(1, 5);
	check_eq(all, clock_now() - from, "cycles of the core");
	check_eq(pmd(0, 4) + pmd(1, 4), all, "of both threads");
	for (v = 0; v < 2; v++)
		check_eq(pmd(v, 10), pmd(v, 4), "PMD10");
	check_eq(pmd(0, 4) && pmd(1, 4), 1, "both have some");
	group("cycles of both threads are those of the core");
}

/* R52: with all set a counter has the sum of what both threads count. */
static void test_sums(void)
{
	static const char *const events[] = {
		"IA64_INST_RETIRED.THIS", "BUS_MEM_READ.BRL.SELF", "BUS_MEM_READ.BRL.ANY",
		"LOADS_RETIRED",	  "ER_BRQ_REQ_INSERTED",   "L2D_REFERENCES.ALL",
		"BACK_END_BUBBLE.ALL",	  "L3_READS.ALL.ALL",
	};
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(events); i++) {
		u64 own, all;

		threads("thread_burst", "thread_chase");
		count(0, 4, events[i], 0);
		count(1, 4, events[i], 0);
		/* L1D events need PMC5, and those of the L2D take all from PMC6 (4.8.4). */
		count(0, 5, events[i], 0);
		count(0, 6, events[i], ALL);
		count(1, 5, events[i], 0);
		run_cycles(20000);
		begin(0, NULL);
		begin(1, NULL);
		run_cycles(1000);
		own = pmd(0, 4) + pmd(1, 4);
		all = pmd(0, 6);
		check(own > 50 && pmd(0, 4) && pmd(1, 4), "%s: %llu", events[i],
		      (unsigned long long)own);
		check_eq(all, own, events[i]);
	}
	group("with all set a counter has both threads' counts");
}

/* R52: as test_sums(), of each event that can be counted with all. */
static void test_every_sum(void)
{
	unsigned int i, events = 0, counted = 0;

	for (i = 0; i < MONT_NR_EVENTS; i++) {
		const struct mont_event *e = mont_event_at(i);
		u64 own, all;

		if (!mont_event_counted(e) || e->castouts || e->all == MONT_ALL_N ||
		    e->all == MONT_ALL_DEPENDS || (e->counters & 0x70) != 0x70)
			continue;
		threads("thread_mixed", "thread_mixed");
		count(0, 4, e->name, 0);
		count(1, 4, e->name, 0);
		count(0, 5, e->name, 0);
		count(0, 6, e->name, ALL);
		count(1, 5, e->name, 0);
		run_cycles(6000);
		begin(0, NULL);
		begin(1, NULL);
		run_cycles(1000);
		own = pmd(0, 4) + pmd(1, 4);
		all = pmd(0, 6);
		check_eq(all, own, e->name);
		events++;
		counted += pmd(0, 4) && pmd(1, 4);
	}
	check(events > 400 && counted > 140, "%u events, %u of them of both threads", events,
	      counted);
	group("with all set each event that has a sum of threads counts both");
}

/*
 * R52, R30: as test_sums(), of what low power raises: each thread halts in front of one that is
 * awake, and finds the other one halted as it hints.
 */
static void test_sums_of_low_power(void)
{
	unsigned int i, k, v;

	threads("thread_hint_m", "thread_hint_m");
	for (v = 0; v < 2; v++) {
		count(v, 4, "THREAD_SWITCH_EVENTS.LP", 0);
		count(v, 5, "THREAD_SWITCH_EVENTS.LP", ALL);
		count(v, 6, "THREAD_SWITCH_GATED.LP", 0);
		count(v, 7, "THREAD_SWITCH_GATED.LP", ALL);
	}
	for (i = 0; i < 10; i++) {
		for (k = 0; k < 1000 && shared()->front != i % 2; k++)
			run_cycles(1);
		cpu = mont_vcpu(pkg, i % 2);
		set(MONT_REG_SPECIAL, MONT_SPECIAL_HALTED, 1);
		run_cycles(500);
		cpu = mont_vcpu(pkg, i % 2);
		set(MONT_REG_SPECIAL, MONT_SPECIAL_HALTED, 0);
	}
	for (v = 0; v < 2; v++) {
		check_eq(pmd(v, 4), 5, "THREAD_SWITCH_EVENTS.LP");
		check_eq(pmd(v, 5), 10, "with all set");
		check(pmd(v, 6) > 5, "thread %u: %llu hints to a halted one", v,
		      (unsigned long long)pmd(v, 6));
		check_eq(pmd(v, 7), pmd(0, 6) + pmd(1, 6), "with all set");
	}
	group("with all set what low power raises counts for both");
}

/* R54: a row that has no sum of threads stands still with all set, and is flagged. */
static void test_no_sum(void)
{
	unsigned int i, depends = 0;

	threads("thread_burst", "thread_loop");
	count(0, 4, "L2D_OZQ_FULL.THIS", 0);
	check_eq(pkg->thread[0].s.pmu.uncounted >> 4 & 1, 0, "without all");
	count(0, 4, "L2D_OZQ_FULL.THIS", ALL);
	check_eq(pkg->thread[0].s.pmu.uncounted >> 4 & 1, 1, "with all");
	check_eq(pkg->thread[0].s.pmu.stood[4] >> 32, MONT_STANDS_ALL, "the reason");
	for (i = 0; i < MONT_NR_EVENTS; i++) {
		const struct mont_event *e = mont_event_at(i);

		if (e->all != MONT_ALL_DEPENDS || !mont_event_counted(e))
			continue;
		depends++;
		count(0, 4, e->name, ALL);
		check_eq(pkg->thread[0].s.pmu.stood[4] >> 32, MONT_STANDS_ALL, e->name);
	}
	check(depends >= 10, "%u events of which the manual does not say it", depends);
	group("what has no sum of threads is flagged with all set");
}

/* R55: reads of memory are of the thread that has asked, also in the background. */
static void test_occupancy_of_both(void)
{
	u64 reads, sum;

	threads("thread_chase", "thread_loop");
	count(0, 4, "BUS_MEM_READ.BRL.SELF", 0);
	count(0, 5, "ER_MEM_READ_OUT_LO", 0);
	count(1, 5, "ER_MEM_READ_OUT_LO", 0);
	count(1, 6, "ER_MEM_READ_OUT_LO", ALL);
	run_cycles(20000);
	begin(0, NULL);
	run_cycles(1000);
	reads = pmd(0, 4);
	sum = pmd(0, 5);
	/* One read at a time, each out for most of the latency of memory. */
	check(reads > 10 && sum > reads * 100 && sum < reads * 400, "%llu reads, %llu cycles",
	      (unsigned long long)reads, (unsigned long long)sum);
	check_eq(pmd(1, 5), 0, "the other thread's");
	check_eq(pmd(1, 6), sum, "with all set");
	group("an occupancy of one thread's requests counts in the background");
}

/* R55: what is of no thread is counted by the thread in front when it happens. */
static void test_causal(void)
{
	u64 by[2] = { 0, 0 }, all, before = 0;
	unsigned int i, v;

	threads("thread_burst", "thread_hint_m");
	for (v = 0; v < 2; v++) {
		count(v, 4, "BUS_MEM_READ.BRL.ANY", 0);
		count(v, 5, "BUS_MEM_READ.BRL.ANY", ALL);
	}
	for (i = 0; i < 20000; i++) {
		run_cycles(1);
		all = pmd(0, 5);
		by[shared()->front] += all - before;
		before = all;
	}
	check(by[0] && by[1], "%llu and %llu", (unsigned long long)by[0],
	      (unsigned long long)by[1]);
	for (v = 0; v < 2; v++) {
		check_eq(pmd(v, 4), by[v], "of the thread in front");
		check_eq(pmd(v, 5), by[0] + by[1], "with all set");
	}
	group("what is of no thread is counted by the thread in front");
}

/* R63: an overflow in the background freezes in its cycle, and interrupts in front. */
static void test_overflow_behind(void)
{
	u64 left, seen = 0, behind = 0;
	unsigned int i;

	for (left = 1; left <= 48; left++) {
		threads("thread_burst", "thread_loop");
		count(0, 4, "L3_MISSES", OI);
		count(0, 5, "L3_MISSES", 0);
		cpu = mont_vcpu(pkg, 0);
		set(MONT_REG_PMC, 0, 0);
		set(MONT_REG_CR, 73, 0x45); /* PMV */
		set(MONT_REG_PMD, 4, (1ULL << 47) - left);
		for (i = 0; i < 30000; i++) {
			run_cycles(1);
			cpu = mont_vcpu(pkg, 0);
			if (get(MONT_REG_PMC, 0) & 1)
				break;
		}
		check(i < 30000, "overflow %llu", (unsigned long long)left);
		check_eq(get(MONT_REG_PMC, 0), 1 | 1 << 4, "PMC0");
		check_eq(get(MONT_REG_PMD, 5), left, "misses up to the overflow");
		seen++;
		if (!shared()->front)
			continue;
		behind++;
		check_eq(get(MONT_REG_CR, 69) >> 5 & 1, 1, "the interrupt waits in IRR1");
		run_cycles(20);
		check_eq(pmd(0, 5), left, "frozen");
		check_eq(pkg->thread[0].s.pmu.pmc[0] & 1, 1, "PMC0.fr");
		check_eq(pkg->thread[1].s.pmu.pmc[0] & 1, 0, "PMC0.fr of the other thread");
	}
	check(behind && behind < seen, "%llu of %llu in the background", (unsigned long long)behind,
	      (unsigned long long)seen);
	group("an overflow in the background freezes in its cycle");
}

/* The data EAR of thread @v takes each load that the L1D does not serve, at every level. */
static void capture_loads(unsigned int v)
{
	count(v, 4, "DATA_EAR_EVENTS", 0);
	set(MONT_REG_PMC, 40, MONT_PMC_PLM | MONT_PMC_PM);
	/* The trace buffer takes each branch. */
	set(MONT_REG_PMC, 39, MONT_PMC_PLM | MONT_PMC_PM | 0x3fULL << 8);
	set(MONT_REG_PMD, 38, 0);
	set(MONT_REG_PMD, 33, 0);
}

/*
 * R62: EAR and trace buffer have their own thread's events alone, and a load's latency is in cycles
 * of the core, also where the other thread has come to the front since.
 */
static void test_captures(void)
{
	u64 latency, in_front, from, branch, i, kept = 0;

	threads("thread_chase", NULL);
	capture_loads(0);
	run_cycles(5000);
	latency = pmd(0, 33) & 0x1fff;
	check(latency > 150 && latency < 300, "%llu cycles alone", (unsigned long long)latency);
	threads("thread_chase", "thread_loop");
	capture_loads(0);
	capture_loads(1);
	from = gr(21);
	run_cycles(20000);
	check(pmd(0, 4) > 10, "%llu loads", (unsigned long long)pmd(0, 4));
	in_front = pkg->thread[0].s.cycles;
	check(in_front < clock_now() / 2, "the load waits in the background");
	/* Beside the other thread a request can come in any cycle of those that the bus takes one in. */
	check((pmd(0, 33) & 0x1fff) >= latency &&
		      (pmd(0, 33) & 0x1fff) < latency + pkg->core[0].time->s.h.timing.request,
	      "%llu cycles, alone %llu", (unsigned long long)(pmd(0, 33) & 0x1fff),
	      (unsigned long long)latency);
	check(pmd(0, 32) - CHAIN_PA < CHAIN_LINES / 2 * 128, "address %#llx of %#llx",
	      (unsigned long long)pmd(0, 32), (unsigned long long)from);
	check_eq(pmd(1, 4) + pmd(1, 33), 0, "loads of the other thread");
	for (i = 48; i < 64; i++) {
		branch = pmd(0, i) & ~0xfULL;
		kept += !!branch;
		check(!branch || branch == label("thread_chase"), "branch at %#llx",
		      (unsigned long long)branch);
		branch = pmd(1, i) & ~0xfULL;
		kept += !!branch;
		check(!branch || branch == label("thread_loop"), "the other thread's at %#llx",
		      (unsigned long long)branch);
	}
	check(kept > 16, "%llu branches", (unsigned long long)kept);
	group("EARs and trace buffers have their own thread's events");
}

/* R61: cycles of low power are counted while the other thread runs. */
static void test_halted_cycles(void)
{
	u64 from;

	threads("thread_loop", NULL);
	count(1, 10, "CYCLES_HALTED", 0);
	count(1, 4, "CPU_OP_CYCLES", 0);
	from = clock_now();
	run_cycles(5000);
	check_eq(pmd(1, 10), clock_now() - from, "cycles in low power");
	check_eq(pmd(1, 4), 0, "others");
	group("a thread in low power counts these cycles");
}

/* The count of @name, of both threads, in PMD5 with all set. */
static u64 both(const char *first, const char *second, const char *name, u64 cycles)
{
	threads(first, second);
	count(0, 5, name, ALL);
	count(1, 5, name, 0);
	run_cycles(cycles);
	return pmd(0, 5);
}

/* identities.md 13: causes add up, and each switch takes 15 cycles and what it waits for. */
static void test_switch_events(void)
{
	static const char *const causes[] = {
		"THREAD_SWITCH_EVENTS.L3MISS",
		"THREAD_SWITCH_EVENTS.TIMER",
		"THREAD_SWITCH_EVENTS.HINT",
		"THREAD_SWITCH_EVENTS.LP",
	};
	static const char *const lengths[] = {
		"THREAD_SWITCH_STALL.GTE_4",	"THREAD_SWITCH_STALL.GTE_8",
		"THREAD_SWITCH_STALL.GTE_16",	"THREAD_SWITCH_STALL.GTE_32",
		"THREAD_SWITCH_STALL.GTE_64",	"THREAD_SWITCH_STALL.GTE_128",
		"THREAD_SWITCH_STALL.GTE_256",	"THREAD_SWITCH_STALL.GTE_512",
		"THREAD_SWITCH_STALL.GTE_1024", "THREAD_SWITCH_STALL.GTE_2048",
		"THREAD_SWITCH_STALL.GTE_4096",
	};
	const char *const pairs[][2] = { { "thread_chase", "thread_loop" },
					 { "thread_chase", "thread_hint_m" },
					 { "thread_uncached", "thread_chase" },
					 { "thread_crab", "thread_loop" } };
	unsigned int i, k;
	u64 held;

	for (i = 0; i < MONT_ARRAY_SIZE(pairs); i++) {
		const char *a = pairs[i][0], *b = pairs[i][1];
		u64 all = both(a, b, "THREAD_SWITCH_EVENTS.ALL", 30000), sum = 0, last = ~0ULL;
		u64 total = both(a, b, "THREAD_SWITCH_CYCLE.TOTAL", 30000);
		u64 stall = both(a, b, "THREAD_SWITCH_CYCLE.ANYSTALL", 30000);
		u64 l2d = both(a, b, "THREAD_SWITCH_CYCLE.L2D", 30000);
		u64 crab = both(a, b, "THREAD_SWITCH_CYCLE.CRAB", 30000), times = 0;

		for (k = 0; k < MONT_ARRAY_SIZE(causes); k++)
			sum += both(a, b, causes[k], 30000);
		check(all > 20, "%s: %llu switches", a, (unsigned long long)all);
		check_eq(sum, all, "causes");
		check_eq(l2d + crab, stall, "stalls by cause");
		check(total - stall >= SWITCH * (all - 1) && total - stall <= SWITCH * (all + 1),
		      "%llu cycles, %llu stalls, %llu switches", (unsigned long long)total,
		      (unsigned long long)stall, (unsigned long long)all);
		for (k = 0; k < MONT_ARRAY_SIZE(lengths); k++) {
			u64 n = both(a, b, lengths[k], 30000);

			check(n <= last, "%s", lengths[k]);
			last = n;
			/* The least number of cycles that they have stalled for. */
			times += n * (k ? 2 << k : 4);
		}
		check(stall + 1000 >= times, "%llu cycles of stalls, %llu at least",
		      (unsigned long long)stall, (unsigned long long)times);
		check_eq(!!l2d, i == 2, "stalls for data");
		check_eq(!!crab, i == 3, "stalls for a control register");
	}
	/* A hint brings a thread to the front that is the less urgent one by its misses. */
	held = both("thread_hint_m", "thread_burst", "THREAD_SWITCH_GATED.FWDPRO", 30000);
	check(held > 5, "%llu held back for progress", (unsigned long long)held);
	check_eq(both("thread_hint_m", "thread_burst", "THREAD_SWITCH_GATED.PIPE", 30000), 0,
		 "for the pipe");
	check_eq(both("thread_hint_m", "thread_burst", "THREAD_SWITCH_GATED.ALL", 30000), held,
		 "for any reason");
	check(both("thread_hint_m", "thread_burst", "THREAD_SWITCH_CYCLE.ALL_GATED", 30000) >= held,
	      "cycles in which they are");
	check(both("thread_chase", "thread_loop", "THREAD_SWITCH_EVENTS.MISSED", 30000) > 20,
	      "returns switch to no thread that is as urgent");
	check(both("thread_hint_m", NULL, "THREAD_SWITCH_GATED.LP", 5000) > 100,
	      "held back by low power");
	check_eq(both("thread_hint_m", NULL, "THREAD_SWITCH_EVENTS.ALL", 5000), 0, "switches");
	group("switches by cause, and their cycles");
}

/* A switch is under way, or the cycles of the other thread that belong to it. */
static bool is_switching(void)
{
	return shared()->fetches || shared()->wanted ||
	       clock_now() + QUANTUM < shared()->quantum + FLUSH;
}

/*
 * R33: a switch is in progress for 15 cycles and those that it is stalled for. Cycle by cycle
 * each stall is measured, and THREAD_SWITCH_STALL counts the switches by it.
 */
static void test_switch_lengths(const char *first, const char *second)
{
	char names[3][32];
	unsigned int from, i, v;

	for (from = 4; from <= 1024; from *= 8) {
		u64 stalled = 0, switched = 0, length = 0, stalls = 0, want[3] = { 0 };

		threads(first, second);
		for (i = 0; i < 1000 && is_switching(); i++)
			run_cycles(1);
		count(0, 4, "THREAD_SWITCH_EVENTS.ALL", ALL);
		count(0, 5, "THREAD_SWITCH_CYCLE.ANYSTALL", ALL);
		count(0, 6, "THREAD_SWITCH_CYCLE.TOTAL", ALL);
		for (v = 0; v < 3; v++) {
			snprintf(names[v], sizeof(names[v]), "THREAD_SWITCH_STALL.GTE_%u",
				 from << v);
			count(0, 7 + v, names[v], ALL);
		}
		count(1, 4, "THREAD_SWITCH_EVENTS.ALL", 0);
		for (i = 0; i < 10000 || (is_switching() && i < 20000); i++) {
			run_cycles(1);
			length += pmd(0, 5) - stalled;
			stalled = pmd(0, 5);
			if (pmd(0, 4) == switched)
				continue;
			for (v = 0; v < 3; v++)
				want[v] += length >= from << v;
			switched = pmd(0, 4);
			stalls += length;
			length = 0;
		}
		check(switched > 10 && stalls == stalled, "%llu switches, %llu stalls",
		      (unsigned long long)switched, (unsigned long long)stalls);
		check_eq(pmd(0, 6), SWITCH * switched + stalled, "cycles in progress");
		for (v = 0; v < 3; v++)
			check_eq(pmd(0, 7 + v), want[v], names[v]);
	}
}

static void test_lengths(void)
{
	test_switch_lengths("thread_chase", "thread_loop");
	test_switch_lengths("thread_hint_m", "thread_hint_x");
	test_switch_lengths("thread_uncached", "thread_chase");
	test_switch_lengths("thread_crab", "thread_loop");
	test_switch_lengths("thread_mixed", "thread_uncached");
	group("a switch takes 15 cycles and its stalls, which are counted by their length");
}

/* R36: cycles of a switch are a cause of their own, and those of BE_FLUSH_BUBBLE.XPN too. */
static void test_switch_cycles(void)
{
	static const char *const pairs[][2] = { { "thread_chase", "thread_loop" },
						{ "thread_hint_m", "thread_hint_x" },
						{ "thread_mixed", "thread_chase" } };
	u64 spent, xpn, all;
	unsigned int i, v;

	for (i = 0; i < MONT_ARRAY_SIZE(pairs); i++) {
		threads(pairs[i][0], pairs[i][1]);
		for (v = 0; v < 1000 && is_switching(); v++)
			run_cycles(1);
		for (v = 0; v < 2; v++) {
			count(v, 4, "THREAD_SWITCH_EVENTS.ALL", 0);
			count(v, 5, "BE_FLUSH_BUBBLE.XPN", 0);
			count(v, 6, "BE_FLUSH_BUBBLE.ALL", 0);
			count(v, 7, "BE_FLUSH_BUBBLE.BRU", 0);
		}
		spent = spent_switching();
		xpn = 0;
		for (v = 0; v < 2; v++)
			xpn += pkg->thread[v].own.s.stall.spent[MONT_CAUSE_XPN];
		run_cycles(10000);
		for (v = 0; v < 1000 && is_switching(); v++)
			run_cycles(1);
		spent = spent_switching() - spent;
		all = pmd(0, 4) + pmd(1, 4);
		check(all > 10, "%llu switches", (unsigned long long)all);
		check_eq(spent, SWITCH * all, "cycles of switches");
		for (v = 0; v < 2; v++) {
			xpn -= pkg->thread[v].own.s.stall.spent[MONT_CAUSE_XPN];
			check_eq(pmd(v, 6), pmd(v, 5) + pmd(v, 7), "flushes of either kind");
		}
		check_eq(pmd(0, 5) + pmd(1, 5), spent - xpn, "flushes but by branches");
	}
	group("cycles of switches are a cause of their own");
}

/* Losses of the front end, of both threads. */
static u64 losses(unsigned int n)
{
	return pmd(0, n) + pmd(1, n);
}

static void threads_that_lose(const char *first, const char *second)
{
	unsigned int v;

	threads(first, second);
	for (v = 0; v < 2; v++) {
		count(v, 4, "IDEAL_BE_LOST_BW_DUE_TO_FE.ALL", 0);
		count(v, 5, "IDEAL_BE_LOST_BW_DUE_TO_FE.FEFLUSH", 0);
	}
}

/*
 * Manual 4.6: what the end of the buffer lacks is lost. While a switch is under way the buffer is
 * empty, by the flush: two bundles each cycle. A state that is saved then and loaded goes on so.
 */
static void test_switch_losses(void)
{
	static const char *const pairs[][2] = { { "thread_chase", "thread_loop" },
						{ "thread_hint_m", "thread_hint_x" },
						{ "thread_mixed", "thread_chase" } };
	unsigned int i, n, switching;
	void *blob = NULL;
	u64 whole;

	for (i = 0; i < MONT_ARRAY_SIZE(pairs); i++) {
		threads_that_lose(pairs[i][0], pairs[i][1]);
		run_cycles(20000);
		whole = mont_state_hash(pkg);
		threads_that_lose(pairs[i][0], pairs[i][1]);
		blob = realloc(blob, mont_state_size(pkg));
		for (n = 0, switching = 0; n < 20000; n++) {
			u64 fetches = shared()->fetches, all = losses(4), flush = losses(5);

			run_cycles(1);
			if (fetches && shared()->fetches) {
				check_eq(losses(4) - all, 2, "lost in a cycle");
				check_eq(losses(5) - flush, 2, "by the flush");
				switching++;
			}
			mont_state_save(pkg, blob);
			check_eq(mont_state_load(pkg, blob, mont_state_size(pkg)), 0, "loaded");
		}
		check(switching > 100, "%u cycles of switches", switching);
		check(mont_state_hash(pkg) == whole, "saved in each cycle");
	}
	free(blob);
	group("the front end loses two bundles in each cycle of a switch");
}

/* Two threads whose counters have counts to come. */
static void threads_that_count(void)
{
	threads("thread_burst", "thread_hint_m");
	count_everywhere("L3_MISSES");
	count(0, 6, "BUS_MEM_READ.BRL.ANY", 0);
	count(1, 6, "BUS_MEM_READ.BRL.ANY", 0);
}

/* Where a run is cut does not show in what counts later, nor does a save. */
static void test_cut_counts(void)
{
	struct mont_late *late;
	unsigned int i, most = 0;
	void *blob;
	u64 whole;

	threads_that_count();
	run_cycles(20000);
	whole = mont_state_hash(pkg);
	threads_that_count();
	late = &pkg->thread[0].own.s.late;
	blob = malloc(mont_state_size(pkg));
	for (i = 0; i < 20000; i++) {
		run_cycles(1);
		if (late->nr > most)
			most = late->nr;
		if (i % 7)
			continue;
		mont_state_save(pkg, blob);
		check(!mont_state_load(pkg, blob, mont_state_size(pkg)), "loaded");
	}
	check(mont_state_hash(pkg) == whole, "cycle by cycle");
	check(most > 2, "%u counts to come", most);
	while (late->nr < 2)
		run_cycles(1);
	late->count[1].at = late->count[0].at - 1;
	mont_state_save(pkg, blob);
	check(mont_state_load(pkg, blob, mont_state_size(pkg)) == MONT_EINVAL, "order of counts");
	late->count[1].at = late->count[0].at;
	late->count[0].own = 1;
	mont_state_save(pkg, blob);
	check(mont_state_load(pkg, blob, mont_state_size(pkg)) == MONT_EINVAL, "no such counter");
	late->count[0].own = 0;
	late->nr = MONT_NR_LATE + 1;
	mont_state_save(pkg, blob);
	check(mont_state_load(pkg, blob, mont_state_size(pkg)) == MONT_EINVAL, "too many");
	free(blob);
	group("where a run is cut does not show in counts to come");
}

/* Any cut of a run, and a state saved and loaded, give one hash. */
static void test_cut(void)
{
	static const u64 slices[] = { 1, 3, 7, 8, 14, 97, 1000 };
	void *blob;
	u64 whole;
	unsigned int i;

	threads("thread_chase", "thread_hint_m");
	run_cycles(20000);
	whole = mont_state_hash(pkg);
	for (i = 0; i < MONT_ARRAY_SIZE(slices); i++) {
		u64 n, left;

		threads("thread_chase", "thread_hint_m");
		for (left = 20000; left; left -= n) {
			n = slices[i] < left ? slices[i] : left;
			run_cycles(n);
		}
		check(mont_state_hash(pkg) == whole, "slices of %llu",
		      (unsigned long long)slices[i]);
	}
	threads("thread_chase", "thread_hint_m");
	blob = malloc(mont_state_size(pkg));
	for (i = 0; i < 40; i++) {
		run_cycles(500);
		mont_state_save(pkg, blob);
		check(!mont_state_load(pkg, blob, mont_state_size(pkg)), "loaded");
	}
	check(mont_state_hash(pkg) == whole, "saved and loaded");
	group("where a run is cut does not show");
	shared()->front = 2;
	mont_state_save(pkg, blob);
	check(mont_state_load(pkg, blob, mont_state_size(pkg)) == MONT_EINVAL, "thread in front");
	shared()->front = 0;
	shared()->urgency[1] = 8;
	mont_state_save(pkg, blob);
	check(mont_state_load(pkg, blob, mont_state_size(pkg)) == MONT_EINVAL, "urgency");
	shared()->urgency[1] = 5;
	shared()->had[1][0] = 10000001;
	mont_state_save(pkg, blob);
	check(mont_state_load(pkg, blob, mont_state_size(pkg)) == MONT_EINVAL,
	      "share of a quantum");
	shared()->had[1][0] = 0;
	shared()->left[0] = 10000001;
	mont_state_save(pkg, blob);
	check(mont_state_load(pkg, blob, mont_state_size(pkg)) == MONT_EINVAL, "rest of a quantum");
	shared()->left[0] = 0;
	shared()->nr = MONT_NR_L3_EVENTS + 1;
	mont_state_save(pkg, blob);
	check(mont_state_load(pkg, blob, mont_state_size(pkg)) == MONT_EINVAL, "calendar");
	shared()->nr = 0;
	pkg->bus->port[1].arbiter.writes.last = 1;
	mont_state_save(pkg, blob);
	check(mont_state_load(pkg, blob, mont_state_size(pkg)) == MONT_EINVAL,
	      "a core that there is not at the bus");
	free(blob);
	group("state that cannot be is refused");
}

static void run_untimed(u64 cycles)
{
	struct mont_exit e;

	mont_run(pkg, &(struct mont_budget){ .cycles = cycles, .flags = MONT_RUN_FUNCTIONAL }, &e);
}

/* Save, and load into @fresh or the same machine. */
static void reload(bool fresh, const char *first, const char *second)
{
	size_t size = mont_state_size(pkg);
	u64 hash = mont_state_hash_vcpus(pkg);
	void *blob = malloc(size);

	mont_state_save(pkg, blob);
	if (fresh)
		threads(first, second);
	check(!mont_state_load(pkg, blob, size), "loaded");
	check(mont_state_hash_vcpus(pkg) == hash, "as it was saved");
	free(blob);
}

/* T11: a run leaves time in any cycle of a switch, and begins it again. */
static void test_untimed_parts(void)
{
	u64 whole;
	unsigned int i, fetching = 0, late = 0;

	for (i = 0; i < 120; i++) {
		threads_that_count();
		run_cycles(2000 + i);
		fetching += !!shared()->fetches;
		late += pkg->thread[0].own.s.late.nr;
		run_untimed(50);
		check_eq(shared()->fetches, 0, "a switch is over");
		check_eq(pkg->thread[0].own.s.late.nr, 0, "counts are there");
		check_eq(shared()->front, pkg->s.turns.front[0], "thread in front");
		check_eq(pkg->thread[0].s.cycles + pkg->thread[1].s.cycles, clock_now(), "cycles");
		if (i % 10)
			continue;
		run_cycles(3000);
		whole = mont_state_hash_vcpus(pkg);
		threads_that_count();
		run_cycles(2000 + i);
		run_untimed(50);
		reload(false, NULL, NULL);
		run_cycles(3000);
		check(mont_state_hash_vcpus(pkg) == whole, "saved where no time is kept");
	}
	check(fetching && late, "%u in a switch, %u counts to come", fetching, late);
	group("a run leaves time in the middle of a switch");
	pkg->s.turns.front[0] ^= 1;
	{
		size_t size = mont_state_size(pkg);
		void *blob = malloc(size);

		mont_state_save(pkg, blob);
		check(mont_state_load(pkg, blob, size) == MONT_EINVAL, "two threads in front");
		free(blob);
	}
	group("a state with another thread in front for turns than for time is refused");
}

/* V16: which thread is in front without time is of no quantum, wherever such a run ends. */
static void test_untimed_slices(void)
{
	u64 whole = 0;
	unsigned int part, cycles;

	for (part = 12000; part > 100; part /= 7) {
		threads_that_count();
		run_cycles(2000);
		shared()->left[0] = 50;
		shared()->left[1] = 60;
		for (cycles = 12000; cycles; cycles -= part < cycles ? part : cycles)
			run_untimed(part < cycles ? part : cycles);
		check(!shared()->left[0] && !shared()->left[1], "no quantum goes on");
		check(!shared()->had[0][0] && !shared()->had[1][0], "nobody has had any");
		check_eq(shared()->counted, clock_now(), "counted from here on");
		run_cycles(3000);
		if (part == 12000)
			whole = mont_state_hash_vcpus(pkg);
		check(mont_state_hash_vcpus(pkg) == whole, "in runs of %u cycles", part);
	}
	group("cycles without time are of no quantum");
}

/* A counter that may not count at its thread's level is not flagged by a load. */
static void test_load_levels(void)
{
	const struct mont_event *e = mont_event_resolve("L2D_REFERENCES.ALL", 18, NULL);

	threads("thread_loop", "thread_loop");
	count(0, 4, "CPU_OP_CYCLES", ALL);
	cpu = mont_vcpu(pkg, 1);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_PSR, PHYS | MONT_PSR_PP | MONT_PSR_CPL);
	/* PMC4 has not selected the set. */
	set(MONT_REG_PMC, 5,
	    1 | MONT_PMC_PM | (u64)e->code << MONT_PMC_ES_SHIFT |
		    (u64)e->umask << MONT_PMC_UMASK_SHIFT);
	check_eq(cpu->s.pmu.uncounted, 0, "not flagged");
	reload(true, "thread_loop", "thread_loop");
	check_eq(pkg->thread[1].s.pmu.uncounted, 0, "nor by a load");
	group("a load asks for the levels of both threads first");
}

/* Time takes memory for a core, and for the groups of its machine. */
static void test_memory(void)
{
	unsigned int v;

	for (v = 1; v <= 2; v++) {
		struct mont_config cfg = { .cores = 1, .threads = v, .memory = 1 << 20 };
		size_t without = mont_package_size(&cfg);

		cfg.timing = 1;
		check_eq(mont_package_size(&cfg) - without,
			 mont_timed_core_size() + mont_timed_package_size(), "bytes");
	}
	check(mont_timed_core_size() <= 1200000, "%zu bytes of a core", mont_timed_core_size());
	group("a timed core takes at most 1.2 MB");
}

/* The state of both threads after @cycles; @slow: without segments, which may run past a miss. */
static u64 shares(bool slow, const char *first, const char *second, u64 cycles)
{
	unsigned int v;

	threads(first, second);
	for (v = 0; v < 2; v++) {
		cpu = mont_vcpu(pkg, v);
		map_code(0);
		set(MONT_REG_SPECIAL, MONT_SPECIAL_PSR, PHYS | MONT_PSR_IT);
	}
	mont_check_set(pkg, slow);
	run_cycles(cycles);
	return mont_state_hash(pkg);
}

/* A miss of the L3 switches in its own cycle, whatever has been made quick in front of that. */
static void test_switches_in_segments(void)
{
	static const char *const pairs[][2] = { { "thread_ahead", "thread_loop" },
						{ "thread_ahead", "thread_ahead" },
						{ "thread_burst", "thread_mixed" },
						{ "thread_chase", "thread_mixed" } };
	unsigned int i, n;

	for (i = 0; i < MONT_ARRAY_SIZE(pairs); i++) {
		for (n = 1; n <= 40; n++) {
			u64 quick = shares(false, pairs[i][0], pairs[i][1], 101 * n);

			check_eq(quick, shares(true, pairs[i][0], pairs[i][1], 101 * n),
				 "state of two threads");
		}
		check(switches(0, MONT_SIG_SWITCH_L3MISS) > 1, "%s: no switches", pairs[i][0]);
	}
	group("quick ways end where a miss may switch");
}

int main(void)
{
	test_memory();
	test_misses();
	test_urgency();
	test_progress();
	test_order();
	test_alone();
	test_two_chases();
	test_hints();
	test_shares();
	test_low_power();
	test_sleep();
	test_interrupts();
	test_policy();
	test_fair_quanta();
	test_fair_shares();
	test_banked();
	test_put_off();
	test_cycles_of_both();
	test_sums();
	test_every_sum();
	test_sums_of_low_power();
	test_no_sum();
	test_occupancy_of_both();
	test_causal();
	test_overflow_behind();
	test_captures();
	test_halted_cycles();
	test_switch_events();
	test_lengths();
	test_switch_cycles();
	test_switch_losses();
	test_cut_counts();
	test_cut();
	test_switches_in_segments();
	test_untimed_parts();
	test_untimed_slices();
	test_load_levels();
	return tap_end();
}
