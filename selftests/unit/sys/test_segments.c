// SPDX-License-Identifier: GPL-2.0-only
/*
 * A segment (pipeline/segment.h) ends before whatever comes next: the end of a run, a match of the
 * interval timer, the overflow of a counter, each in every cycle of three loops, one of straight
 * groups, one that branches and stores, and one that rotates, calls and returns until the register stack
 * overflows, and bundles that have changed. A run ends in its own cycle, and the state is that of the
 * slow way (base/check.h), which has no segments. Samples of what it fetches and retires lie where those of
 * the slow way do. Each loop is warm: its groups run along paths (pipeline/memo.h), which some
 * loops leave for another one each time.
 */
#include "sys_test.h"
#include "package/hostview.h"
#include "pmu/observer.h"
#include "pipeline/group.h"
#include "pmu/pmu.h"

#define AR_BSPSTORE 18
#define AR_ITC 44
#define CR_ITM 1
#define CR_IRR0 68
#define CR_ITV 72

#define WARM 1500 /* cycles until a loop is in the caches and its groups are known */
#define HOT 100000 /* cycles until its paths are known too, whatever the build */
#define WINDOW 120 /* cycles, several times round the loop */
#define BEHIND 70
#define ROUND 960 /* cycles, more than the longest round of a loop */
#define SURE 4 /* runs of those that look for an overflow of one event that find it */

/* All levels, and neither address ranges nor opcodes are asked for. */
#define PMC 0x3e80000fULL

static const char *const loops[] = { "straight", "mixed", "framed" };
static const char refers[] = "refers"; /* of stores that find their line in each state */
static const char odd[] = "odd"; /* of groups whose second bundle is late */
static const char moves[] = "moves"; /* of advanced loads and application registers */
static const char turns[] = "turns"; /* of mispredicted branches into another page */
/* of groups that do something else in one state of the pipeline: guest.S */
static const char *const again[] = { "frames", "guards", "lines", "adds", "spills", "counts" };
static const char based[] = "based"; /* of references whose bases are read at once */
static const char *loop = "straight";

/* The loop has been run for some time; @slow: without segments. */
static void begin(bool slow)
{
	static bool alone;
	unsigned int r;

	/* The state that a machine begins with is of all entries. */
	if (alone)
		set_param("itlb.entries", 32);
	machine(1, 0);
	mont_check_set(pkg, slow);
	/* Another page than that of the branch is not in the L1 ITLB as fetch goes on there. */
	alone = loop == turns;
	if (alone)
		set_param("itlb.entries", 1);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_IP, label(loop));
	set(MONT_REG_SPECIAL, MONT_SPECIAL_PSR, VIRT | MONT_PSR_UP);
	map_code(0);
	map(false, DATA_VA, PTE(DATA_PA, 3, 3));
	map(false, FAR_VA, PTE(FAR_PA, 3, 3));
	set(MONT_REG_AR, AR_BSPSTORE, STACK_VA);
	set_gr(23, DATA_VA);
	set_gr(18, DATA_VA + 72);
	set_gr(19, FAR_VA);
	set_gr(29, DATA_VA + 64);
	for (r = 21; r <= 26; r++)
		if (r != 23 && loop == refers)
			set_gr(r, FAR_VA);
	if (loop == based)
		set_gr(24, DATA_VA + 64);
	*mem64(DATA_PA) = 0x123456789ULL;
	*mem64(DATA_PA + 64) = 0x9abcdef0ULL;
	run_cycles(WARM);
}

/* Run @cycles at once. Return: the hash of the state that this has come to. */
static u64 end(u64 cycles)
{
	run_cycles(cycles);
	check_eq(last_exit.cycles, cycles, "cycles of a run");
	check_eq(get(MONT_REG_SPECIAL, MONT_SPECIAL_CYCLES), WARM + cycles, "cycles");
	return mont_state_hash(pkg);
}

/*
 * Paths through the loop come to be known: builds with checks know them at once, and so the other
 * tests end in the middle of them there.
 */
static void test_paths(void)
{
	const struct mont_memo *memo;

	begin(false);
	run_cycles(HOT);
	memo = &pkg->groups->memo;
	check(memo->used, "no path is known");
	group("paths are known");
}

static void test_ends(void)
{
	u64 state[2], on[2], n;
	int slow;

	for (n = 1; n <= WINDOW; n++) {
		for (slow = 0; slow < 2; slow++) {
			begin(slow);
			state[slow] = end(n);
			run_cycles(BEHIND);
			on[slow] = mont_state_hash(pkg);
		}
		check_eq(state[0], state[1], "state at the end of a run");
		check_eq(on[0], on[1], "state behind one that goes on");
	}
	group("a run ends in its cycle");
}

/* The timer matches in cycle @n, and @open: interrupts. */
static u64 timer(bool slow, u64 n, bool open)
{
	begin(slow);
	set(MONT_REG_CR, CR_ITV, 0x30);
	set(MONT_REG_CR, CR_ITM, get(MONT_REG_AR, AR_ITC) + n);
	if (open)
		set(MONT_REG_SPECIAL, MONT_SPECIAL_PSR,
		    get(MONT_REG_SPECIAL, MONT_SPECIAL_PSR) | MONT_PSR_I);
	return end(n + BEHIND);
}

static void test_timer(void)
{
	u64 n;

	for (n = 1; n <= WINDOW; n++) {
		check_eq(timer(false, n, false), timer(true, n, false), "state behind a match");
		check_eq(get(MONT_REG_CR, CR_IRR0) >> 0x30 & 1, 1, "interrupt");
		check_eq(timer(false, n, true), timer(true, n, true), "state behind an interrupt");
		check(get(MONT_REG_SPECIAL, MONT_SPECIAL_IP) < label("straight"),
		      "no interrupt behind %llu", (unsigned long long)n);
	}
	group("the interval timer matches in its cycle");
}

/* A counter of the event @code with @umask overflows behind @n and freezes all. */
static u64 overflow(bool slow, u64 code, u64 umask, u64 n)
{
	begin(slow);
	/* The event in counter 5 selects the set of events of the L1D that is counted. */
	set(MONT_REG_PMC, 5,
	    PMC | MONT_PMC_OI | code << MONT_PMC_ES_SHIFT | umask << MONT_PMC_UMASK_SHIFT);
	set(MONT_REG_PMC, 4, PMC | 0x12 << MONT_PMC_ES_SHIFT);
	set(MONT_REG_PMD, 5, MONT_BIT(47) - n);
	set(MONT_REG_PMD, 4, 0);
	set(MONT_REG_PMC, 0, 0);
	return end(48 * n + 2 * BEHIND);
}

/* Events overflow in the loop @nr. */
static void test_overflow(unsigned int nr)
{
	static const struct {
		u64 code;
		u64 umask;
		const char *name;
		bool in[MONT_ARRAY_SIZE(loops)];
	} events[] = {
		{ 0x12, 0, "CPU_OP_CYCLES", { true, true, true } },
		{ 0x00, 0, "BACK_END_BUBBLE.ALL", { true, true, true } },
		{ 0x02, 0, "BE_EXE_BUBBLE.ALL", { true, true, false } },
		{ 0x02, 1, "BE_EXE_BUBBLE.GRALL", { true, true, false } },
		{ 0x02, 2, "BE_EXE_BUBBLE.FRALL", { true, false, false } },
		{ 0x08, 0, "IA64_INST_RETIRED", { true, true, true } },
		{ 0x50, 0, "NOPS_RETIRED", { true, true, true } },
		{ 0x51, 0, "PREDICATE_SQUASHED_RETIRED", { true, true, true } },
		{ 0xcd, 0, "LOADS_RETIRED", { true, true, true } },
		{ 0xd1, 0, "STORES_RETIRED", { false, true, true } },
		{ 0x5b, 0, "BR_MISPRED_DETAIL.ALL.ALL_PRED", { false, true, true } },
		{ 0x5b, 1, "BR_MISPRED_DETAIL.ALL.CORRECT_PRED", { false, true, true } },
		{ 0x5b, 2, "BR_MISPRED_DETAIL.ALL.WRONG_PATH", { false, true, false } },
		{ 0x5b, 5, "BR_MISPRED_DETAIL.IPREL.CORRECT_PRED", { false, true, true } },
		{ 0x5b, 9, "BR_MISPRED_DETAIL.RETURN.CORRECT_PRED", { false, true, true } },
		{ 0x5f, 0, "L1I_STRM_PREFETCHES", { false, true, true } },
		{ 0xc7, 0, "L1D_READ_MISSES", { false, true, false } },
	};
	unsigned int i;
	u64 n;

	for (i = 0; i < MONT_ARRAY_SIZE(events); i++) {
		u64 seen = 0;

		for (n = 1; n <= WINDOW; n += 1 + i / 2) {
			u64 quick = overflow(false, events[i].code, events[i].umask, n), cycles;

			cycles = get(MONT_REG_PMD, 4);
			check_eq(quick, overflow(true, events[i].code, events[i].umask, n),
				 events[i].name);
			check_eq(get(MONT_REG_PMD, 4), cycles, "cycles in front of an overflow");
			seen += get(MONT_REG_PMC, 0) & MONT_PMC0_FR;
		}
		check(seen >= SURE || !events[i].in[nr], "%s: %llu overflows", events[i].name,
		      (unsigned long long)seen);
		group(events[i].name);
	}
}

/* Count @codes, each an event and its unit mask, from the PMC4 on, where no overflow is near. */
static u64 counted(bool slow, const u16 codes[6], u64 count[6])
{
	unsigned int i;
	u64 state;

	begin(slow);
	for (i = 0; i < 6; i++) {
		set(MONT_REG_PMC, 4 + i,
		    PMC | (u64)(codes[i] >> 4) << MONT_PMC_ES_SHIFT |
			    (u64)(codes[i] & 15) << MONT_PMC_UMASK_SHIFT);
		set(MONT_REG_PMD, 4 + i, 0);
	}
	set(MONT_REG_PMC, 0, 0);
	state = end(ROUND);
	for (i = 0; i < 6; i++)
		count[i] = get(MONT_REG_PMD, 4 + i);
	return state;
}

/* A path counts its groups all at once, and its branches one by one. */
static void test_counts(void)
{
	static const u16 codes[][6] = {
		{ 0x120, 0x000, 0x020, 0x080, 0x500, 0x510 }, /* cycles, bubbles, what retires */
		{ 0xcd0, 0xd10, 0x5b0, 0x5b1, 0x5b2, 0x5b3 }, /* loads, stores, predictions */
		{ 0x542, 0x543, 0x546, 0x547, 0x54a, 0x54b }, /* branches, taken and not */
		{ 0x54e, 0x54f, 0x6a4, 0x6a5, 0x090, 0x130 }, /* indirect ones, the FPU's, levels */
	};
	u64 count[2][6], sum = 0;
	unsigned int i, k;

	for (i = 0; i < MONT_ARRAY_SIZE(codes); i++) {
		check_eq(counted(false, codes[i], count[0]), counted(true, codes[i], count[1]),
			 "state behind counts");
		for (k = 0; k < 6; k++) {
			check_eq(count[0][k], count[1][k], "count");
			sum += count[0][k];
		}
	}
	check(sum > ROUND, "counts: %llu", (unsigned long long)sum);
	group("counts along paths");
}

static struct mont_sample sample[2][ROUND]; /* quick and slow */
static unsigned int nr_samples[2];
static bool sampled_slow;

/* An observer of a fetch finds the thread where the group in front of it has left it. */
static void take_sample(struct mont_observer *o, const struct mont_occurrence *at)
{
	unsigned int *n = &nr_samples[sampled_slow];

	(void)o;
	if (*n < ROUND)
		mont_sample(at->owner, &sample[sampled_slow][(*n)++]);
}

/* Run on with an observer of @name, every @period-th of which is a sample. */
static u64 observed(bool slow, const char *name, u64 period)
{
	const struct mont_event *e = mont_event_resolve(name, strlen(name), NULL);
	struct mont_observer o = { .period = period, .overflow = take_sample };
	const char *why = "";
	u64 state;

	begin(slow);
	check(e != NULL, "no event %s", name);
	o.filter = (struct mont_filter){ .code = e->code, .umask = e->umask, .plm = 0xf };
	check(!mont_observer_attach(cpu, &o, &why), "%s: %s", name, why);
	sampled_slow = slow;
	nr_samples[slow] = 0;
	state = end(ROUND);
	mont_observer_detach(cpu, &o);
	return state;
}

/* Where samples of the front end lie: a segment fetches in the middle of its groups. */
static void test_samples(void)
{
	static const char *const events[] = {
		"L1I_READS",	     "L1I_PREFETCHES", "L1I_STRM_PREFETCHES",
		"IA64_INST_RETIRED", "L1D_READS_SET0", "BR_MISPRED_DETAIL.ALL.ALL_PRED",
	};
	unsigned int i;
	u64 period;

	for (i = 0; i < MONT_ARRAY_SIZE(events); i++) {
		unsigned int seen = 0;

		for (period = 1; period <= 7; period++) {
			check_eq(observed(false, events[i], period),
				 observed(true, events[i], period), "state behind samples");
			check_eq(nr_samples[0], nr_samples[1], "number of samples");
			check(!memcmp(sample[0], sample[1], nr_samples[0] * sizeof(sample[0][0])),
			      "%s, each %llu: samples lie elsewhere", events[i],
			      (unsigned long long)period);
			seen += nr_samples[0];
		}
		check(seen || loop == loops[0], "%s: no sample", events[i]);
	}
	group("samples of fetches, and of what retires");
}

/*
 * The bundle at @pa becomes that at @by in the middle of a run, before @untimed cycles in which no
 * time is kept. Return: the hash of the state that this has come to.
 */
static u64 end_changed(u64 pa, u64 by, u64 untimed)
{
	const struct mont_budget budget = { .cycles = untimed, .flags = MONT_RUN_FUNCTIONAL };
	u64 before[2], state;

	memcpy(before, ram + pa, 16);
	memcpy(ram + pa, ram + by, 16);
	mont_mem_invalidate(pkg, pa, 16);
	if (untimed)
		mont_run(pkg, &budget, &last_exit);
	run_cycles(WINDOW);
	check_eq(last_exit.cycles, WINDOW, "cycles of a run");
	state = mont_state_hash(pkg);
	memcpy(ram + pa, before, 16);
	mont_mem_invalidate(pkg, pa, 16);
	return state;
}

/* Bundle @n of the loop becomes its first. */
static u64 changed(bool slow, u64 n, u64 untimed)
{
	u64 first = label("straight");

	begin(slow);
	return end_changed(first + 16 * n, first, untimed);
}

static void test_changed(void)
{
	u64 n, state = 0;

	begin(false);
	state = end(WINDOW);
	for (n = 1; n < 7; n++) {
		u64 quick = changed(false, n, 0);

		check_eq(quick, changed(true, n, 0), "state with another bundle");
		check(quick != state, "bundle %llu shows in nothing", (unsigned long long)n);
	}
	group("bundles that have changed");
	for (n = 1; n < 7; n++)
		check_eq(changed(false, n, 200), changed(true, n, 200),
			 "state with a bundle that was decoded while no time was kept");
	group("bundles that have changed while no time was kept");
}

/* As begin(), with IP at the beginning of the loop. */
static void begin_anew(bool slow)
{
	u32 n;

	begin(slow);
	for (n = 0; n < 99 && get(MONT_REG_SPECIAL, MONT_SPECIAL_IP) != label(loop); n++)
		run_cycles(1);
	check(n < 99, "the loop does not begin anew");
}

/* A store of the loop "based" finds a NaT as its data, while its page is at hand. */
static u64 stored_nat(bool slow)
{
	begin_anew(slow);
	set_nat(20);
	run_cycles(WINDOW);
	check_eq(get(MONT_REG_SPECIAL, MONT_SPECIAL_IP), label("ivt") + 0x5600,
		 "IP: Register NaT Consumption");
	return mont_state_hash(pkg);
}

static void test_stored_nat(void)
{
	loop = based;
	check_eq(stored_nat(false), stored_nat(true), "state");
	loop = loops[0];
	group("a store of a NaT");
}

/*
 * As changed(), in the page that the loop "pages" turns to: bundles of either page have changed as
 * often before.
 */
static u64 changed_behind_turn(bool slow)
{
	u64 near = label("pages"), far = label("pages_far");

	begin_anew(slow);
	check(slow || mont_bundle_changes(pkg, near) == mont_bundle_changes(pkg, far),
	      "changes of both pages");
	return end_changed(far, label("pages_other"), 0);
}

static void test_changed_behind_turn(void)
{
	u64 quick;

	/* Bundles that are decoded anew at every step of the slow way count as changes. */
	loop = "pages";
	quick = changed_behind_turn(false);
	check_eq(quick, changed_behind_turn(true), "state with another bundle");
	loop = loops[0];
	group("a bundle that has changed in the page that a segment turns to");
}

/* The next return goes to level 3, which alone a counter of retired instructions counts. */
static u64 level(bool slow, u64 n)
{
	begin(slow);
	set(MONT_REG_PMC, 4, (PMC & ~0xfULL) | 8 | 0x08 << MONT_PMC_ES_SHIFT);
	set(MONT_REG_PMD, 4, 0);
	set(MONT_REG_PMC, 0, 0);
	set_gr(31, 3);
	return end(ROUND * n / WINDOW);
}

static void test_level(void)
{
	u64 n, quick, seen = 0;

	for (n = 1; n <= WINDOW; n++) {
		quick = level(false, n);
		seen = get(MONT_REG_PMD, 4);
		check_eq(quick, level(true, n), "state behind a return to another level");
		check_eq(get(MONT_REG_PMD, 4), seen, "instructions of the level");
	}
	check(seen, "no return has changed the level");
	group("a return changes the level");
}

int main(void)
{
	unsigned int i;

	threads_timed = true;
	for (i = 0; i < MONT_ARRAY_SIZE(loops); i++) {
		loop = loops[i];
		test_paths();
		test_ends();
		test_timer();
		test_overflow(i);
		test_samples();
		test_counts();
	}
	test_level();
	loop = refers;
	test_ends();
	loop = odd;
	test_ends();
	for (i = 0; i < MONT_ARRAY_SIZE(again); i++) {
		loop = again[i];
		test_paths();
		test_ends();
		test_counts();
	}
	loop = based;
	test_paths();
	test_ends();
	test_counts();
	loop = loops[0];
	test_changed();
	test_changed_behind_turn();
	test_stored_nat();
	/* The last two loops use up the credit of paths, which all loops above need. */
	loop = turns;
	test_ends();
	loop = "misses";
	test_ends();
	loop = moves;
	test_ends();
	return tap_end();
}
