// SPDX-License-Identifier: GPL-2.0-only
/*
 * RUN: budgets, exits, with and without time, up to an address, exact counts, signals, and
 * that slices do not show.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "common.h"

static void budgets(void)
{
	int m = machine(1, 1, 0), v = vcpu(m, 0);
	struct montecito_run r;

	start(v, GUEST_SPIN);
	is(run(m, 30, 0, &r), 0, "30 instructions");
	ok(r.exit.reason == MONTECITO_EXIT_BUDGET && r.exit.insns == 30 && r.exit.cycles == 10,
	   "10 bundles, nothing more");
	eq(get(v, MONTECITO_REG_GR, 8), 10, "10 additions");
	is(run(m, 0, 5, &r), 0, "5 cycles");
	ok(r.exit.reason == MONTECITO_EXIT_BUDGET && r.exit.insns == 15 && r.exit.cycles == 5,
	   "5 bundles with timing off");
	is(run(m, 1, 0, &r), 0, "1 instruction");
	eq(r.exit.insns, 3, "stops at the first group boundary at or after it");
	is(run(m, 3000000, 0, &r), 0, "3 million instructions, many slices");
	eq(r.exit.insns, 3000000, "exactly");
	eq(get(v, MONTECITO_REG_GR, 8), 1000016, "a million additions");
	eq(get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS), 3000048,
	   "the vcpu's own count agrees");
	close(v);
	close(m);
}

static void exits(void)
{
	int m = machine(1, 1, MONTECITO_CFG_HOST_INTERRUPTIONS), v = vcpu(m, 0);
	struct montecito_run r;

	set(v, MONTECITO_REG_AR, 65, 999);
	start(v, GUEST_COUNT);
	is(run(m, 0, 0, &r), 0, "count to the break, no budget");
	eq(r.exit.reason, MONTECITO_EXIT_BREAK, "a break");
	eq(r.exit.iim, 0x123, "its immediate");
	ok(r.exit.ip == GUEST_COUNT + 16 && r.exit.slot == 1, "where it is");
	eq(r.exit.vector, 0x2c00, "its vector");
	eq(get(v, MONTECITO_REG_GR, 8), 1000, "AR.LC + 1 turns");
	eq(r.exit.insns, 3002, "3 each, and the break with what stands before it");
	/* The break has retired: the rest of its bundle and a branch back follow. */
	set(v, MONTECITO_REG_AR, 65, 0);
	is(run(m, 0, 0, &r), 0, "go on");
	ok(r.exit.reason == MONTECITO_EXIT_BREAK && r.exit.insns == 1 + 3 + 3 + 2,
	   "behind the break");
	start(v, GUEST_BREAK0);
	is(run(m, 0, 0, &r), 0, "run into a break of immediate 0");
	ok(r.exit.reason == MONTECITO_EXIT_BREAK && r.exit.iim == 0, "break 0");
	start(v, MEMORY);
	is(run(m, 0, 0, &r), 0, "run where no memory is");
	ok(r.exit.reason == MONTECITO_EXIT_INTERRUPTION && r.exit.ip == MEMORY,
	   "an interruption to the host (vector %#x)", r.exit.vector);
	close(v);
	close(m);
}

/* Without the flag the guest's own vector takes it; there is a loop there. */
static void guest_ivt(void)
{
	int m = machine(1, 1, 0), v = vcpu(m, 0);
	struct montecito_mem mem = {
		.size = sizeof(mem),
		.addr = 0x100000 + 0x2c00,
		.length = 16,
		.data = (uintptr_t)guest_image,
	};
	struct montecito_run r;

	is(call(m, MONTECITO_MEM_WRITE, &mem), 0, "a handler for break");
	is(set(v, MONTECITO_REG_CR, 2, 0x100000), 0, "IVA");
	set(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR,
	    get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR) | PSR_IC);
	set(v, MONTECITO_REG_AR, 65, 9);
	start(v, GUEST_COUNT);
	is(run(m, 300, 0, &r), 0, "run into the break");
	eq(r.exit.reason, MONTECITO_EXIT_BUDGET, "no exit");
	eq(get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP), 0x100000 + 0x2c00,
	   "the guest is in its handler");
	eq(get(v, MONTECITO_REG_CR, 24), 0x123, "IIM holds the immediate");
	close(v);
	close(m);
}

static void invariance(void)
{
	uint64_t total[2] = { 0 }, h[4], n[4], pmd[4];
	struct montecito_run r;
	int way;

	for (way = 0; way < 4; way++) {
		int m = machine(1, 2, 0), v = vcpu(m, 0), w = vcpu(m, 1);
		uint64_t cycles = 0;
		uint32_t id = 0;

		start(v, GUEST_SPIN);
		start(w, GUEST_SPIN);
		set(v, MONTECITO_REG_PMC, 4, PMC_ES(EVENT_INST_RETIRED) | PMC_PLM_ALL);
		set(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR,
		    get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR) | PSR_UP);
		if (way == 2 && observer(v, EVENT_INST_RETIRED, 0, &id))
			bail("observer");
		if (way == 3) {
			struct montecito_ring ring = { .size = sizeof(ring) };

			if (call(v, MONTECITO_RING, &ring) ||
			    observer(v, EVENT_INST_RETIRED, 101, &id))
				bail("sampling observer");
		}
		/* All in one, or in pieces of a prime number. */
		while (cycles < 100000) {
			if (run(m, 0,
				way == 1 ? 97 < 100000 - cycles ? 97 : 100000 - cycles
					 : 100000 - cycles,
				&r))
				bail("run");
			cycles += r.exit.cycles;
		}
		h[way] = hash(m);
		n[way] = get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS);
		pmd[way] = get(v, MONTECITO_REG_PMD, 4);
		if (way == 2)
			total[0] = observed(v, id);
		if (way == 3)
			total[1] = observed(v, id);
		close(v);
		close(w);
		close(m);
	}
	ok(n[0] > 30000 && pmd[0] == n[0], "the PMU counts what retires (%llu)",
	   (unsigned long long)n[0]);
	ok(h[1] == h[0] && n[1] == n[0] && pmd[1] == pmd[0],
	   "a thousand budgets: same hash, counts");
	ok(h[2] == h[0] && n[2] == n[0] && pmd[2] == pmd[0], "an observer: same hash, counts");
	ok(h[3] == h[0] && n[3] == n[0] && pmd[3] == pmd[0], "a sampling one: same hash, counts");
	ok(total[0] == n[0] && total[1] == n[0], "observers count exactly beside the PMU");
}

static void on_alarm(int sig)
{
	(void)sig;
}

static void signals(void)
{
	struct itimerval often = { .it_interval.tv_usec = 3000, .it_value.tv_usec = 3000 };
	struct itimerval never = { 0 };
	struct sigaction sa = { .sa_handler = on_alarm };
	int m = machine(1, 1, 0), v = vcpu(m, 0), stops = 0;
	int m2 = machine(1, 1, 0), v2 = vcpu(m2, 0);
	/* More where signals come too seldom: how fast this processor is shows then. */
	uint64_t insns = 0, want = 300000;
	struct montecito_run r;
	bool good = true;

	start(v, GUEST_SPIN);
	start(v2, GUEST_SPIN);
	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	while (insns < want || stops < 3) {
		long ret = run(m, insns < want ? want - insns : 3, 0, &r);

		insns += r.exit.insns;
		if (ret || (r.exit.reason != MONTECITO_EXIT_SIGNAL &&
			    r.exit.reason != MONTECITO_EXIT_BUDGET)) {
			good = false;
			break;
		}
		if (r.exit.reason == MONTECITO_EXIT_SIGNAL)
			stops++;
		else if (stops < 3)
			want += 300000;
	}
	setitimer(ITIMER_REAL, &never, NULL);
	ok(good && stops >= 3, "signals end RUN with success (%d times)", stops);
	eq(insns, want, "and nothing that ran is lost");
	run(m2, want, 0, NULL);
	eq(hash(m), hash(m2), "the same state as without signals");
	close(v);
	close(m);
	close(v2);
	close(m2);
}

static void *runner(void *arg)
{
	static struct montecito_run r;

	r = (struct montecito_run){ .size = sizeof(r) };
	while (!call(*(int *)arg, MONTECITO_RUN, &r) && r.exit.reason == MONTECITO_EXIT_SIGNAL)
		pthread_testcancel();
	return &r;
}

static int by_value(const void *a, const void *b)
{
	double d = *(const double *)a - *(const double *)b;

	return (d > 0) - (d < 0);
}

static void beside_a_run(void)
{
	int m = machine(1, 1, MONTECITO_CFG_HOST_INTERRUPTIONS), v = vcpu(m, 0), i;
	struct montecito_state s = { .size = sizeof(s), .length = 1 << 30, .data = 8 };
	uint64_t a, b = 0;
	double t, wait[200], idle = 1, insn;
	struct montecito_run *out, r;
	pthread_t thread;
	uint32_t id;
	void *blob;

	/* Measure a sleep of a millisecond on this kernel and machine (see below). */
	for (i = 0; i < 20; i++) {
		t = now();
		get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS);
		t = now() - t;
		if (t < idle)
			idle = t;
	}
	start(v, GUEST_SPIN);
	t = now();
	run(m, 3000000, 0, NULL);
	insn = (now() - t) / 3000000;

	pthread_create(&thread, NULL, runner, &m);
	while (get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS) == 3000000)
		usleep(1000);
	is(run(m, 10, 0, &r), -EBUSY, "a second RUN");
	is(call(m, MONTECITO_SAVE, &s), -EFAULT, "SAVE beside it, to nowhere");
	s.length = 0;
	is(call(m, MONTECITO_SAVE, &s), 0, "SAVE that asks for the length");
	blob = malloc(s.length);
	s.data = (uintptr_t)blob;
	is(call(m, MONTECITO_SAVE, &s), -EBUSY, "SAVE beside it");
	free(blob);
	for (i = 0; i < 200; i++) {
		t = now();
		a = get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS);
		wait[i] = now() - t;
		if (a < b)
			break;
		b = a;
	}
	ok(i == 200, "registers are read at slice boundaries");
	/*
	 * A slice is a millisecond where an instruction takes 10 ns; emulators
	 * and checked kernels are slower. The median is free of the moments in
	 * which the machine itself had something else to do.
	 */
	qsort(wait, i, sizeof(wait[0]), by_value);
	ok(wait[100] < idle + insn * 1e5,
	   "and nobody waits long for one (median %.2f ms of %.2f ms)", wait[100] * 1000,
	   (idle + insn * 1e5) * 1000);
	is(observer(v, EVENT_INST_RETIRED, 0, &id), 0, "an observer from now on");
	/* Counts are published where a slice ends; how long one takes is the machine's. */
	for (i = 0; i < 3000 && !(a = observed(v, id)); i++)
		usleep(10000);
	ok(a && a % 3 == 0, "counts whole bundles");
	/* Let it go: it runs to a break. */
	set(v, MONTECITO_REG_AR, 65, 5);
	start(v, GUEST_COUNT);
	pthread_join(thread, (void **)&out);
	ok(out->exit.reason == MONTECITO_EXIT_BREAK && out->exit.iim == 0x123,
	   "a register set from outside steers the guest");
	is(run(m, 3, 0, &r), 0, "after that RUN is free again");
	close(v);
	close(m);
}

static void uncounted(void)
{
	uint64_t pmc = PMC_ES(EVENT_CPU_OP_CYCLES) | PMC_PLM_ALL;
	int m = machine(1, 1, 0), v = vcpu(m, 0);
	struct montecito_run r;

	set(v, MONTECITO_REG_GR, 9, pmc);
	set(v, MONTECITO_REG_GR, 10, 5);
	start(v, GUEST_UNCOUNTED);
	set(v, MONTECITO_REG_PMD, 5, 1234);
	is(run(m, 300, 0, &r), 0, "a guest programs an event that is not counted");
	ok(r.uncounted == 1 << 5 && r.uncounted_vcpu == 0 && r.exit.reason == MONTECITO_EXIT_BUDGET,
	   "RUN tells so");
	eq(get(v, MONTECITO_REG_PMD, 5), 1234, "the PMD keeps its value");
	is(run(m, 300, 0, &r), 0, "RUN again");
	eq(r.uncounted, 0, "tells it once");
	start(v, GUEST_UNCOUNTED);
	is(run(m, 300, 0, &r), 0, "programmed again");
	eq(r.uncounted, 1 << 5, "told again");
	close(v);
	close(m);

	m = machine(1, 1, MONTECITO_CFG_STRICT);
	v = vcpu(m, 0);
	set(v, MONTECITO_REG_GR, 9, pmc);
	set(v, MONTECITO_REG_GR, 10, 5);
	start(v, GUEST_UNCOUNTED);
	is(run(m, 300, 0, &r), 0, "the same on a strict machine");
	ok(r.exit.reason == MONTECITO_EXIT_UNCOUNTED && r.exit.pmc0 == 1 << 5, "stops RUN");
	is(run(m, 300, 0, &r), 0, "and once only");
	eq(r.exit.reason, MONTECITO_EXIT_BUDGET, "then it goes on");
	close(v);
	close(m);
}

/* RUN with @flags, at most @insns instructions. */
static long run_as(int m, uint32_t flags, uint64_t insns, uint64_t until, struct montecito_run *r)
{
	*r = (struct montecito_run){
		.size = sizeof(*r),
		.flags = flags,
		.insns = insns,
		.until = until,
	};
	return call(m, MONTECITO_RUN, r);
}

#define TURNS 1000 /* of COUNT, three instructions each; two more come to the break */

/* COUNT to its break, the mode changing after each @piece instructions: 0: never. */
static void count(int m, uint32_t flags, uint64_t piece, const char *how)
{
	int v = vcpu(m, 0), n = 0;
	struct montecito_run r;
	uint64_t insns = 0;

	set(v, MONTECITO_REG_AR, 65, TURNS - 1);
	start(v, GUEST_COUNT);
	do {
		if (run_as(m, piece && n++ % 2 ? 0 : flags, piece, 0, &r))
			bail("run");
		insns += r.exit.insns;
	} while (r.exit.reason == MONTECITO_EXIT_BUDGET);
	ok(r.exit.reason == MONTECITO_EXIT_BREAK && r.exit.ip == GUEST_COUNT + 16 &&
		   r.exit.slot == 1 && insns == 3 * TURNS + 2 &&
		   get(v, MONTECITO_REG_GR, 8) == TURNS && !get(v, MONTECITO_REG_AR, 65) &&
		   get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS) == insns,
	   "%s: the same result", how);
	close(v);
	close(m);
}

/* Any part of a run may be timed: the outcome is equal. */
static void modes(void)
{
	const uint32_t config = MONTECITO_CFG_HOST_INTERRUPTIONS;
	const struct montecito_filter filter = {
		.code = EVENT_CPU_OP_CYCLES,
		.plm = 0xf,
	};
	struct montecito_observer_add o = { .size = sizeof(o), .filter = filter };
	int m, v, other, w;
	struct montecito_run r;
	uint64_t cycles;

	count(machine(1, 1, config), 0, 0, "without time");
	count(timed_machine(config), 0, 0, "with time");
	count(timed_machine(config), MONTECITO_RUN_FUNCTIONAL, 0, "functionally");
	count(timed_machine(config), MONTECITO_RUN_FUNCTIONAL, 1, "changing at each bundle");
	count(timed_machine(config), MONTECITO_RUN_FUNCTIONAL, 100, "after each 100 instructions");

	m = timed_machine(0);
	v = vcpu(m, 0);
	start(v, GUEST_SPIN);
	is(call(v, MONTECITO_OBSERVER_ADD, &o), 0, "CPU_OP_CYCLES on a machine with time");
	is(run_as(m, MONTECITO_RUN_FUNCTIONAL, 300, 0, &r), 0, "100 bundles without it");
	ok(r.exit.insns == 300 && r.exit.cycles == 100, "a cycle each");
	eq(observed(v, o.id), 0, "which are not counted");
	is(run_as(m, 0, 300, 0, &r), 0, "100 with it");
	cycles = r.exit.cycles;
	ok(cycles > 100, "and some to fill the pipe");
	eq(observed(v, o.id), cycles, "which are");
	is(run_as(m, MONTECITO_RUN_FUNCTIONAL, 300, 0, &r), 0, "and again without");
	eq(observed(v, o.id), cycles, "no more");
	eq(get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_CYCLES), 200 + cycles, "all in all");
	close(v);
	close(m);

	m = machine(1, 1, 0);
	other = machine(1, 1, 0);
	v = vcpu(m, 0);
	w = vcpu(other, 0);
	start(v, GUEST_SPIN);
	start(w, GUEST_SPIN);
	is(run_as(m, MONTECITO_RUN_FUNCTIONAL, 3000, 0, &r), 0, "a machine without time");
	is(run_as(other, 0, 3000, 0, &r), 0, "and one that is not told");
	eq(hash(m), hash(other), "are alike");
	close(v);
	close(w);
	close(m);
	close(other);
}

static void until(int m, uint32_t flags, const char *how)
{
	int v = vcpu(m, 0);
	struct montecito_run r;

	set(v, MONTECITO_REG_AR, 65, TURNS - 1);
	start(v, GUEST_COUNT);
	flags |= MONTECITO_RUN_UNTIL;
	is(run_as(m, flags, 0, GUEST_COUNT, &r), 0, "%s: until where it is", how);
	ok(r.exit.reason == MONTECITO_EXIT_UNTIL && r.exit.ip == GUEST_COUNT && r.exit.insns == 3 &&
		   !r.exit.vcpu,
	   "that is a turn later");
	eq(get(v, MONTECITO_REG_GR, 8), 1, "of which there was one");
	is(run_as(m, flags, 30, GUEST_COUNT + 16, &r), 0, "until behind the loop, or 30");
	ok(r.exit.reason == MONTECITO_EXIT_BUDGET && r.exit.insns == 30, "30 come first");
	is(run_as(m, flags, 3 * TURNS, GUEST_COUNT + 16, &r), 0, "or more than it has");
	ok(r.exit.reason == MONTECITO_EXIT_UNTIL && r.exit.ip == GUEST_COUNT + 16 &&
		   r.exit.insns == 3 * (TURNS - 11),
	   "the rest of the loop, nothing of the bundle there");
	eq(get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP), GUEST_COUNT + 16, "which is next");
	is(run_as(m, flags, 0, GUEST_SPIN, &r), 0, "until where it never comes");
	ok(r.exit.reason == MONTECITO_EXIT_BREAK && r.exit.insns == 2, "another exit ends it");
	is(run_as(m, flags, 0, GUEST_COUNT, &r), 0, "the loop is met again");
	ok(r.exit.reason == MONTECITO_EXIT_UNTIL && r.exit.insns == 1 + 3, "behind the break");
	close(v);
	close(m);
}

int main(void)
{
	budgets();
	modes();
	until(machine(1, 1, MONTECITO_CFG_HOST_INTERRUPTIONS), 0, "without time");
	until(timed_machine(MONTECITO_CFG_HOST_INTERRUPTIONS), 0, "with time");
	until(timed_machine(MONTECITO_CFG_HOST_INTERRUPTIONS), MONTECITO_RUN_FUNCTIONAL,
	      "functionally");
	exits();
	guest_ivt();
	invariance();
	signals();
	beside_a_run();
	uncounted();
	return done();
}
