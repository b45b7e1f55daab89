// SPDX-License-Identifier: GPL-2.0-only
/*
 * Clock and cycles (manual 2.4.1 and table 3-36: AR.ITC is the core's, AR.RUC
 * the thread's own): two threads of a core share a clock that goes with the
 * cycles of either, timers are deadlines on it whichever runs, and the clock may
 * be close to the end of its 64 bits.
 */
#include "sys_test.h"
#include "exec/thread.h"

#define AR_ITC 44
#define AR_RUC 45
#define CR_ITM 1
#define CR_IRR0 68
#define CR_ITV 72

/* @threads threads that branch to themselves. */
static void spinning(u32 threads)
{
	unsigned int v;

	machine(threads, 0);
	for (v = 0; v < threads; v++) {
		cpu = mont_vcpu(pkg, v);
		set(MONT_REG_SPECIAL, MONT_SPECIAL_IP, label("done"));
		set(MONT_REG_SPECIAL, MONT_SPECIAL_PSR, PHYS);
	}
}

static u64 special(unsigned int v, u32 index)
{
	cpu = mont_vcpu(pkg, v);
	return get(MONT_REG_SPECIAL, index);
}

static u64 ar(unsigned int v, u32 index)
{
	cpu = mont_vcpu(pkg, v);
	return get(MONT_REG_AR, index);
}

/* Clocks of @threads threads against their cycles. */
static void check_clocks(u32 threads)
{
	unsigned int v;

	for (v = 0; v < threads; v++) {
		unsigned int core = v & ~1u;
		u64 cycles = special(core, MONT_SPECIAL_CYCLES);

		if (threads > 1)
			cycles += special(core + 1, MONT_SPECIAL_CYCLES);
		check_eq(special(v, MONT_SPECIAL_CLOCK), cycles, "clock");
		check_eq(ar(v, AR_ITC), cycles, "AR.ITC");
		check_eq(ar(v, AR_RUC), special(v, MONT_SPECIAL_CYCLES), "AR.RUC");
	}
}

static void test_clocks(void)
{
	static const u64 slices[] = { 1, 7, 999, 1000, 1001, 2500 };
	static const u32 machines[] = { 1, 2, 4 };
	unsigned int m, i, n;

	for (m = 0; m < MONT_ARRAY_SIZE(machines); m++) {
		for (i = 0; i < MONT_ARRAY_SIZE(slices); i++) {
			spinning(machines[m]);
			for (n = 0; n < 20; n++) {
				run_cycles(slices[i]);
				check_clocks(machines[m]);
				if (machines[m] < 4)
					check_eq(last_exit.cycles, slices[i], "cycles of a run");
			}
			if (machines[m] < 4)
				check_eq(special(0, MONT_SPECIAL_CLOCK), 20 * slices[i], "clock");
		}
	}
	group("a core's clock goes with its threads' cycles");
}

/* Vcpu 1 is behind for the first 1000 cycles, and its timer's match passes then. */
static void test_timer_behind(void)
{
	static const u64 slices[] = { 1, 250, 499, 500, 501, 900 };
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(slices); i++) {
		u64 now = 0;

		spinning(2);
		cpu = mont_vcpu(pkg, 1);
		set(MONT_REG_CR, CR_ITV, 0x30);
		set(MONT_REG_CR, CR_ITM, 500);
		while (now < 900) {
			run_cycles(slices[i]);
			now += slices[i];
			cpu = mont_vcpu(pkg, 1);
			check_eq(special(1, MONT_SPECIAL_CYCLES), now > 1000 ? now - 1000 : 0,
				 "cycles of the thread behind");
			check_eq(get(MONT_REG_CR, CR_IRR0) >> 0x30 & 1, now >= 500, "interrupt");
		}
		cpu = mont_vcpu(pkg, 0);
		check_eq(get(MONT_REG_CR, CR_IRR0), 0, "interrupts of the thread in front");
	}
	group("a timer of a thread behind");
}

/* A halted thread sleeps until its own timer; its sibling's time is no other. */
static void test_halted(void)
{
	spinning(2);
	cpu = mont_vcpu(pkg, 0);
	set(MONT_REG_CR, CR_ITV, 0x31);
	set(MONT_REG_CR, CR_ITM, 1500);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_HALTED, 1);
	run_cycles(1499);
	check_eq(special(0, MONT_SPECIAL_HALTED), 1, "halted before the match");
	run_cycles(1);
	check_eq(special(0, MONT_SPECIAL_HALTED), 0, "halted at the match");
	cpu = mont_vcpu(pkg, 0);
	check_eq(get(MONT_REG_CR, CR_IRR0), 1ULL << 0x31, "interrupt");
	group("a halted thread is woken in its sibling's turn");
}

static void halt(unsigned int v)
{
	cpu = mont_vcpu(pkg, v);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_HALTED, 1);
}

/* A timer of vcpu @v, which matches when the clock has @at. */
static void wake_at(unsigned int v, u64 at)
{
	cpu = mont_vcpu(pkg, v);
	set(MONT_REG_CR, CR_ITV, 0x30);
	set(MONT_REG_CR, CR_ITM, at);
}

/* Ten thousand cycles of a thread take as many of the clock, however many others are halted. */
static void test_sibling_halted(void)
{
	static const u64 slices[] = { 1, 999, 10000 };
	unsigned int i, v;
	u64 n;

	for (i = 0; i < MONT_ARRAY_SIZE(slices); i++) {
		spinning(2);
		halt(1);
		for (n = 0; n < 10000; n += slices[i])
			run_cycles(slices[i] < 10000 - n ? slices[i] : 10000 - n);
		check_eq(special(0, MONT_SPECIAL_CYCLES), 10000, "cycles");
		check_eq(ar(0, AR_ITC), 10000, "AR.ITC");
		check_eq(special(1, MONT_SPECIAL_CYCLES), 0, "cycles of the halted thread");
		check_eq(ar(1, AR_ITC), 10000, "AR.ITC of the halted thread");
	}
	spinning(4);
	for (v = 1; v < 4; v++)
		halt(v);
	run_cycles(10000);
	check_eq(special(0, MONT_SPECIAL_CYCLES), 10000, "cycles beside another core");
	check_eq(special(0, MONT_SPECIAL_CLOCK), 10000, "clock beside another core");
	group("a halted thread costs the others nothing");
}

/* A thread that halts within its turn leaves the rest of it to its sibling. */
static void test_halts_in_turn(void)
{
	spinning(2);
	run_cycles(300);
	halt(0);
	run_cycles(100);
	check_eq(special(0, MONT_SPECIAL_CYCLES), 300, "cycles of the halted thread");
	check_eq(special(1, MONT_SPECIAL_CYCLES), 100, "cycles of its sibling");
	run_cycles(2000);
	check_eq(special(1, MONT_SPECIAL_CYCLES), 2100, "cycles of its sibling, turns later");
	group("the rest of a turn is the sibling's");
}

/* While both are halted, cycles are those of the thread that was in front last. */
static void test_both_halted(void)
{
	static const u64 slices[] = { 1, 77, 1000, 5000 };
	unsigned int i;
	u64 n;

	for (i = 0; i < MONT_ARRAY_SIZE(slices); i++) {
		spinning(2);
		run_cycles(300);
		halt(0);
		run_cycles(100);
		halt(1);
		wake_at(0, 4000);
		for (n = 400; n < 5000; n += slices[i])
			run_cycles(slices[i] < 5000 - n ? slices[i] : 5000 - n);
		check_eq(special(0, MONT_SPECIAL_CLOCK), 5000, "clock");
		check_eq(ar(1, AR_RUC), 3700, "AR.RUC of the thread in front last");
		check_eq(ar(0, AR_RUC), 1300, "AR.RUC of the thread that is woken");
		check_eq(mont_vcpu(pkg, 1)->s.halted_cycles, 3600, "halted cycles");
	}
	group("the threads' RUCs add up to the clock");
}

/* Clocks of two cores are no further apart than a turn, whatever their threads do. */
static void test_cores_in_step(void)
{
	static const u8 halted[] = { 0, 1, 2, 3, 4, 6, 8, 11, 14 };
	unsigned int i, v, n;

	for (i = 0; i < MONT_ARRAY_SIZE(halted); i++) {
		spinning(4);
		for (v = 0; v < 4; v++)
			if (halted[i] >> v & 1)
				halt(v);
		for (n = 0; n < 30; n++) {
			u64 a, b;

			run_cycles(777);
			a = special(0, MONT_SPECIAL_CLOCK);
			b = special(2, MONT_SPECIAL_CLOCK);
			check(a - b + MONT_TURN <= 2 * MONT_TURN, "clocks %llu and %llu",
			      (unsigned long long)a, (unsigned long long)b);
		}
		for (v = 0; v < 4; v += 2)
			check_eq(special(v, MONT_SPECIAL_CYCLES) +
					 special(v + 1, MONT_SPECIAL_CYCLES),
				 special(v, MONT_SPECIAL_CLOCK), "cycles of a core");
	}
	group("the cores' clocks are in step");
}

static void test_wrap(void)
{
	unsigned int v;

	spinning(2);
	pkg->core[0].s.clock = -600ULL;
	pkg->s.turns.end = pkg->core[0].s.clock + 1000;
	for (v = 0; v < 2; v++)
		mont_thread_sync_derived(mont_vcpu(pkg, v));
	cpu = mont_vcpu(pkg, 1);
	set(MONT_REG_CR, CR_ITV, 0x30);
	set(MONT_REG_CR, CR_ITM, 200);
	run_cycles(799);
	check_eq(last_exit.cycles, 799, "cycles of a run");
	check_eq(get(MONT_REG_CR, CR_IRR0), 0, "interrupt before the match");
	run_cycles(1);
	check_eq(get(MONT_REG_CR, CR_IRR0), 1ULL << 0x30, "interrupt");
	check_eq(special(0, MONT_SPECIAL_CLOCK), 200, "clock");
	run_cycles(700);
	check_eq(special(0, MONT_SPECIAL_CYCLES), 1000, "cycles of the first turn");
	check_eq(special(1, MONT_SPECIAL_CYCLES), 500, "cycles of the second turn");
	group("a clock that passes the end of 64 bits");
}

/* Turns end where they do, whatever the slices. */
static void test_turns(void)
{
	spinning(2);
	run_cycles(1000);
	check_eq(special(0, MONT_SPECIAL_CYCLES), 1000, "first turn");
	check_eq(special(1, MONT_SPECIAL_CYCLES), 0, "first turn");
	run_cycles(1);
	check_eq(special(1, MONT_SPECIAL_CYCLES), 1, "second turn");
	run_cycles(1500);
	check_eq(special(0, MONT_SPECIAL_CYCLES), 1501, "third turn");
	check_eq(special(1, MONT_SPECIAL_CYCLES), 1000, "second turn");
	group("turns are deadlines on the clock");
}

int main(void)
{
	test_clocks();
	test_timer_behind();
	test_halted();
	test_sibling_halted();
	test_halts_in_turn();
	test_both_halted();
	test_cores_in_step();
	test_wrap();
	test_turns();
	return tap_end();
}
