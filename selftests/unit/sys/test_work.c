// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bounded work: mont_run() comes back within its budget of units whatever the
 * guest does, and how a run is cut by work shows in nothing.
 */
#include "sys_test.h"
#include "pmu/observer.h"

#define NR_SAMPLING 64
#define NR_COUNTING 1024
#define CODE_RSE 0x20 /* RSE_REFERENCES_RETIRED.ALL */
#define CODE_INST 0x08 /* IA64_INST_RETIRED */
#define CODE_CYCLES 0x12 /* CPU_OP_CYCLES.ALL */
#define CODE_LOST 0x4e /* SYLL_NOT_DISPERSED: of several signals */
#define CODE_BUBBLE 0x00 /* BACK_END_BUBBLE.ALL */

static struct mont_observer observer[NR_SAMPLING + NR_COUNTING];
static unsigned int nr_observers;
static u64 calls;

static void overflow(struct mont_observer *o, const struct mont_occurrence *at)
{
	(void)o;
	(void)at;
	calls++;
}

static bool timed(u16 code)
{
	return code == CODE_CYCLES || code == CODE_LOST || code == CODE_BUBBLE;
}

/* Observers, sampling ones of period 1; a filter makes each be looked at. */
static void observe(unsigned int nr, bool sampling, u16 code)
{
	struct mont_observer *o;
	const char *why;

	calls = 0;
	while (nr--) {
		o = &observer[nr_observers++];
		*o = (struct mont_observer){
			.filter = {
				.code = code,
				.umask = code == CODE_RSE  ? 3 :
					 code == CODE_LOST ? 15 :
							     0,
				.plm = 0xf,
				.flags = sampling || timed(code) ? 0 : MONT_FILTER_IAR,
				.iar_hi = sampling || timed(code) ? 0 : ~0ULL,
			},
			.period = sampling,
			.until = sampling,
			.overflow = sampling ? overflow : NULL,
		};
		if (mont_observer_attach(cpu, o, &why)) {
			printf("Bail out! %s\n", why);
			exit(1);
		}
	}
}

static void unobserve(void)
{
	while (nr_observers)
		mont_observer_detach(cpu, &observer[--nr_observers]);
}

/* 95 dirty registers over a frame of one: a flushrs stores 95 words and a NaT collection or two. */
static void dirty_stack(void)
{
	cpu->s.ndirty = 95;
	cpu->s.sof = 0;
	cpu->s.sol = 0;
	set(MONT_REG_AR, 16, 95ULL * 8 << 16);
	mont_state_hash(pkg);
}

static bool is_rse(const char *name)
{
	return !strcmp(name, "rse_storm") || !strcmp(name, "call_storm");
}

/* Event observed in place of the storm's own; 0xffff: none. */
static u16 observed = 0xffff;

static void storm(const char *name, unsigned int counting, unsigned int sampling)
{
	u16 code = observed != 0xffff ? observed : is_rse(name) ? CODE_RSE : CODE_INST;

	machine(strcmp(name, "purge_storm") ? 1 : 4, 0);
	set(MONT_REG_CR, 2, DATA_PA);
	if (!strcmp(name, "rse_storm"))
		dirty_stack();
	set_gr(14, DATA_VA);
	set_gr(15, PS << 2);
	if (!strcmp(name, "fault_storm")) {
		/* Memory of zeros is break 0; so is the vector that it goes to. */
		set(MONT_REG_SPECIAL, MONT_SPECIAL_IP, DATA_PA);
		set(MONT_REG_SPECIAL, MONT_SPECIAL_PSR, PHYS);
	} else {
		at(name, 0, PHYS, true);
	}
	observe(counting, false, code);
	observe(sampling, true, code);
}

/* Every call ends within its budget, and in the end because of it. */
static void bounded(const char *name, unsigned int counting, unsigned int sampling)
{
	static const u64 budgets[] = { 1, 2, 100, 5000, 65536 };
	unsigned int i, n;

	for (i = 0; i < MONT_ARRAY_SIZE(budgets); i++) {
		struct mont_budget b = { .insns = 1ULL << 40, .work = budgets[i] };
		struct mont_exit x;
		u64 limit = budgets[i] + MONT_WORK_OVERSHOOT(counting, sampling, false);

		storm(name, counting, sampling);
		pkg->work_max = 0;
		for (n = 0; n < 20; n++) {
			mont_run(pkg, &b, &x);
			check_eq(x.reason, MONT_EXIT_WORK, name);
		}
		check(mont_work_max(pkg) <= limit && mont_work_max(pkg) >= budgets[i],
		      "%s, %u counting, %u sampling: %llu units, limit %llu", name, counting,
		      sampling, (unsigned long long)mont_work_max(pkg), (unsigned long long)limit);
		/* The words are counted, one call for each and for each observer. */
		if (is_rse(name) && sampling && observed == 0xffff)
			check(calls > sampling && calls <= 20 * limit, "%llu calls",
			      (unsigned long long)calls);
		unobserve();
	}
}

/* Equal cycles in one run and cut by work in every way end in equal states. */
static void invisible(const char *name)
{
	u64 whole = 0, cut, work;

	for (work = 0; work < 40; work++) {
		struct mont_budget b = { .cycles = 700, .work = work ? work * work : 1ULL << 40 };
		struct mont_exit x;

		storm(name, 0, 0);
		do {
			mont_run(pkg, &b, &x);
			b.cycles -= x.cycles;
		} while (x.reason == MONT_EXIT_WORK && b.cycles);
		cut = mont_state_hash(pkg);
		if (!work)
			whole = cut;
		check_eq(cut, whole, name);
	}
}

int main(void)
{
	static const char *const names[] = { "spin", "rse_storm", "call_storm", "purge_storm",
					     "fault_storm" };
	unsigned int i;
	struct mont_exit x;

	for (i = 0; i < MONT_ARRAY_SIZE(names); i++) {
		bounded(names[i], 0, 0);
		bounded(names[i], 0, NR_SAMPLING);
		bounded(names[i], NR_COUNTING, 0);
		bounded(names[i], NR_COUNTING, NR_SAMPLING);
		invisible(names[i]);
		group(names[i]);
	}
	/* Time passes in stalls as well: a subscriber may look at every cycle of one. */
	for (i = 0; TIMED && i < 4 * 3; i++) {
		static const u16 codes[] = { CODE_CYCLES, CODE_LOST, CODE_BUBBLE };

		observed = codes[i % 3];
		bounded(names[i / 3 == 3 ? 4 : i / 3], 0, NR_SAMPLING);
		bounded(names[i / 3 == 3 ? 4 : i / 3], NR_COUNTING, NR_SAMPLING);
		if (i % 3 == 2)
			group("cycles observed one by one");
	}
	observed = 0xffff;
	/* A budget of instructions alone, spent on faults that retire none. */
	storm("fault_storm", 0, 0);
	mont_run(pkg, &(struct mont_budget){ .insns = 1 }, &x);
	check(x.reason == MONT_EXIT_WORK && !x.insns && x.cycles,
	      "a fault storm ends with reason %u, %llu instructions", x.reason,
	      (unsigned long long)x.insns);
	group("no instruction retires");
	/* As far as 64 bits go. */
	storm("spin", 0, 0);
	mont_run(pkg, &(struct mont_budget){ .insns = ~0ULL, .cycles = 100 }, &x);
	check(x.reason == MONT_EXIT_BUDGET && x.cycles == 100,
	      "2^64 - 1 instructions, 100 cycles: reason %u, %llu cycles", x.reason,
	      (unsigned long long)x.cycles);
	storm("spin", 0, 0);
	mont_run(pkg, &(struct mont_budget){ .insns = 100, .cycles = ~0ULL }, &x);
	check(x.reason == MONT_EXIT_BUDGET &&
		      (TIMED ? x.insns >= 100 && x.insns <= 105 : x.insns == 102),
	      "2^64 - 1 cycles, 100 instructions: reason %u, %llu instructions", x.reason,
	      (unsigned long long)x.insns);
	group("the longest budgets");
	return tap_end();
}
