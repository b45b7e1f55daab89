// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads on one core with time (manual 2.4.1): when the core switches from one to the
 * other, what a switch takes, and whose cycles are whose.
 */
#include "sys_test.h"
#include "pipeline/pipeline.h"

#define QUANTUM 1000
#define CHAIN_PA 0x100000ULL
#define CHAIN_LINES 4096
#define SWITCH 15

static struct mont_threads *shared(void)
{
	return &pkg->time->s.threads;
}

static void set_param(const char *name, u64 value)
{
	const char *why;
	u32 i;

	for (i = 0; mont_param(i); i++) {
		if (strcmp(mont_param(i)->name, name))
			continue;
		if (mont_param_set(pkg, i, value, &why)) {
			printf("Bail out! %s: %s\n", name, why);
			exit(1);
		}
		return;
	}
	printf("Bail out! no parameter %s\n", name);
	exit(1);
}

/* Switches that brought thread @v out of the front, by @sig: nothing counts them but this. */
static u64 switches(unsigned int v, enum mont_signal sig)
{
	return MONT_SIG_NEVER - pkg->thread[v].countdown[0][sig].left;
}

/* Quanta are @cycles long, that of the thread in front as well. */
static void set_quantum(u64 cycles)
{
	set_param("thread.quantum", cycles);
	shared()->quantum = pkg->core[0].s.clock + cycles;
	if (shared()->next > shared()->quantum)
		shared()->next = shared()->quantum;
}

static u64 turns(unsigned int v)
{
	cpu = mont_vcpu(pkg, v);
	return gr(20);
}

/* A chain of lines that no cache has, from number @from on. */
static u64 chain(unsigned int from, unsigned int lines)
{
	unsigned int i;

	for (i = 0; i < lines; i++)
		*mem64(CHAIN_PA + 128ULL * (from + i)) = CHAIN_PA + 128ULL * (from + i + 1);
	return CHAIN_PA + 128ULL * from;
}

static void begin(unsigned int v, const char *name)
{
	cpu = mont_vcpu(pkg, v);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_HALTED, !name);
	if (!name)
		return;
	set(MONT_REG_SPECIAL, MONT_SPECIAL_IP, label(name));
	set(MONT_REG_SPECIAL, MONT_SPECIAL_PSR, PHYS);
	/* The assembler knows no hint.b: x6 of a nop.b in slot 2 becomes 1. */
	ram[label("thread_hint_b") + 14] |= 4;
}

/*
 * Two threads at the bundles named @first and @second; NULL: halted. Their code has been fetched
 * before, and both have the nominal urgency.
 */
static void threads(const char *first, const char *second)
{
	const char *name[2] = { first, second };
	unsigned int v;

	threads_timed = true;
	pkg = NULL; /* parameters and caches as they were made */
	machine(2, 0);
	set_param("thread.quantum", 100000);
	for (v = 0; v < 2; v++) {
		cpu = mont_vcpu(pkg, v);
		set_gr(21, chain(v * (CHAIN_LINES / 2), CHAIN_LINES / 2));
	}
	for (v = 0; v < 2; v++) {
		begin(v, name[v]);
		begin(!v, NULL);
		run_cycles(name[v] ? 3000 : 1);
	}
	for (v = 0; v < 2; v++)
		begin(v, name[v]);
	run_cycles(1);
	set_quantum(QUANTUM);
	for (v = 0; v < 2; v++) {
		unsigned int sig;

		cpu = mont_vcpu(pkg, v);
		set_gr(20, 0);
		shared()->urgency[v] = MONT_URGENCY_NOMINAL;
		for (sig = MONT_SIG_SWITCH_MISSED; sig <= MONT_SIG_SWITCH_LP; sig++)
			cpu->countdown[0][sig].left = MONT_SIG_NEVER;
	}
}

static u64 clock_now(void)
{
	return pkg->core[0].s.clock;
}

static void run_until_turns(unsigned int v, u64 n)
{
	unsigned int i;

	for (i = 0; i < 100000 && turns(v) < n; i++)
		run_cycles(10);
	check(i < 100000, "thread %u has made %llu turns of %llu", v, (unsigned long long)turns(v),
	      (unsigned long long)n);
}

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
	order = &pkg->time->s.h.order;
	if (shared()->front)
		run_cycles(QUANTUM + SWITCH);
	while (shared()->front)
		run_cycles(1);
	until = clock_now() + 1000000;
	pkg->time->s.h.order.acquired = until;
	first = shared()->front;
	while (shared()->front == first)
		run_cycles(1);
	check(order->acquired < clock_now(), "no acquire of the other thread");
	before = turns(1);
	run_cycles(2000);
	check(turns(1) > before, "its loads are served");
	while (shared()->front != first)
		run_cycles(1);
	check_eq(order->acquired, until, "the acquire of the first");
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
	check(share >= 480 && share <= 520, "shares: %llu of 1000", (unsigned long long)share);
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

/* R31: an interrupt for the thread behind makes it urgent, and switches nothing by itself. */
static void test_interrupts(void)
{
	threads("thread_loop", "thread_loop");
	check(!mont_irq_inject(mont_vcpu(pkg, !shared()->front), 0x40), "injected");
	run_cycles(QUANTUM / 2);
	check_eq(switches(0, MONT_SIG_SWITCH_TIMER) + switches(1, MONT_SIG_SWITCH_TIMER), 0,
		 "switches before the time-out");
	run_cycles(QUANTUM);
	check_eq(switches(0, MONT_SIG_SWITCH_TIMER) + switches(1, MONT_SIG_SWITCH_TIMER), 1,
		 "switches behind it");
	check_eq(shared()->urgency[shared()->front], MONT_URGENCY_INTERRUPT, "urgency");
	group("an interrupt for the thread behind waits for an event that switches");
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
	shared()->nr = MONT_NR_L3_EVENTS + 1;
	mont_state_save(pkg, blob);
	check(mont_state_load(pkg, blob, mont_state_size(pkg)) == MONT_EINVAL, "calendar");
	free(blob);
	group("state that cannot be is refused");
}

int main(void)
{
	test_misses();
	test_urgency();
	test_progress();
	test_order();
	test_alone();
	test_two_chases();
	test_hints();
	test_shares();
	test_low_power();
	test_interrupts();
	test_cut();
	return tap_end();
}
