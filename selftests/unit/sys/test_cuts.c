// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where a host has a run end shows in nothing: it is asked at every place where the model
 * counts work, and says stop at the Nth question, for each N of a window and some of all
 * behind it, at each, and at each one of many. What is compared is the state, and what
 * observers have counted and sampled: with time and without, of events of many signals, by
 * tag sets, thresholds and periods, and with each parameter as small and as large as it may be.
 * A trace is the same wherever its run was cut, its spans and groups add up to the cycles and
 * instructions of the thread, and the state is that of a run without one.
 */
#include "hostile.h"
#include "pipeline/pipeline.h"
#include "event/trace.h"

#define CYCLES (TIMED ? 700 : 300)
#define WINDOW 150
#define SOME 60
#define MOST_CUTS 12 /* "at each" begins anew from each of so many */

/* As many as the model tells apart, not as many as there may be. */
static const struct recipe everybody = {
	"everybody",
	{ { 3, .code = 0x00, .umask = 2, .timed = true },
	  { 4, .code = 0x08, .ranges = 3 },
	  { 2, .code = 0x12, .threshold = 1, .timed = true },
	  { 3, .code = 0x4e, .umask = 15, .period = 3, .timed = true },
	  { 3, .code = 0x08, .ranges = 2, .period = 2 },
	  { 2, .code = 0x20, .umask = 3, .period = 1 } },
};

static const struct recipe others = {
	"others",
	{ { 2, .code = 0x2b, .timed = true },
	  { 2, .code = 0xb9, .period = 5, .timed = true },
	  { 2, .code = 0x71, .period = 7, .timed = true },
	  { 2, .code = 0x20, .umask = 3, .threshold = 1, .timed = true },
	  { 2, .code = 0x0b, .umask = 0, .period = 3 },
	  { 3, .code = 0x08, .period = 4 } },
};

static const struct recipe nobody = { "nobody", { { 0 } } };

static u64 samples, sampled;

static void overflow(struct mont_observer *o, const struct mont_occurrence *at)
{
	struct mont_sample s;

	mont_sample(at->owner, &s);
	samples++;
	sampled = (sampled ^ s.ip ^ s.insns << 20 ^ s.cycles << 40 ^ s.slot ^ at->time << 8 ^
		   (u64)(o - observer) << 56) *
		  0x100000001b3ULL;
}

/* Kinds that this machine has. */
#define KINDS                              \
	(TIMED ? (1U << MONT_NR_TRACE) - 1 \
	       : 1U << MONT_TRACE_OVERFLOW | 1U << MONT_TRACE_FREEZE | 1U << MONT_TRACE_INTERRUPT)

/* Sums of a trace; @digest: of all of it. */
static struct traced {
	u64 events[MONT_NR_TRACE];
	u64 digest;
	u64 stalled;
	u64 retiring;
	u64 insns;
} traced;

static void traced_event(struct mont_trace *trace, const struct mont_trace_event *e)
{
	const u64 *word = (const u64 *)e;
	unsigned int i;

	(void)trace;
	traced.events[e->kind]++;
	for (i = 0; i < sizeof(*e) / 8; i++)
		traced.digest = (traced.digest ^ word[i]) * 0x100000001b3ULL;
	if (e->kind == MONT_TRACE_STALL) {
		traced.stalled += e->value[0] - e->cycle;
	} else if (e->kind == MONT_TRACE_RETIRE) {
		traced.retiring += e->what != 0;
		traced.insns += e->what;
	}
}

static struct mont_trace trace = { .event = traced_event };
/* Kinds that are asked for. */
static u32 kinds = KINDS;

struct outcome {
	struct traced traced;
	u64 state;
	u64 cycles;
	u64 insns;
	u64 samples;
	u64 sampled;
	u64 count[MOST];
	u64 cuts;
};

/* Questions so far; stop at number @at, and at each @each-th behind it. */
static u64 asked, stop_at, stop_each;

static bool stop(void *host)
{
	(void)host;
	asked++;
	return asked == stop_at ||
	       (stop_each && asked > stop_at && !((asked - stop_at) % stop_each));
}

/* Where the parameters are: as they are made, or each at its least or its most. */
static enum { AS_MADE, LEAST, MOST_OF_ALL } ends;

#define MOST_PARAMETERS 256

/* Some have rules that others' values break: those stay. */
static void set_parameters(u64 before[MOST_PARAMETERS])
{
	const struct mont_param *p;
	u32 i, set = 0, all = 0;
	const char *why;

	for (i = 0; ends != AS_MADE && (p = mont_param(i)); i++) {
		before[i] = mont_param_value(pkg, i);
		if (!p->most)
			continue;
		all++;
		set += !mont_param_set(pkg, i, ends == LEAST ? p->least : p->most, &why);
	}
	check(2 * set >= all, "%u of %u parameters at their ends", set, all);
}

/* The last first: each is as its rule had it when it was set. */
static void put_parameters_back(const u64 before[MOST_PARAMETERS])
{
	const char *why = "";
	u32 i = 0;

	while (ends != AS_MADE && mont_param(i))
		i++;
	while (i--)
		check(mont_param_value(pkg, i) == before[i] ||
			      !mont_param_set(pkg, i, before[i], &why),
		      "%s: %s", mont_param(i)->name, why);
}

static void run(const struct guest *g, const struct recipe *r, u64 first, u64 each,
		struct outcome *out)
{
	struct mont_budget b = { .cycles = CYCLES, .work = 1ULL << 40, .stop = stop, .every = 1 };
	static u64 before[MOST_PARAMETERS];
	struct mont_exit x;
	unsigned int i;

	begin(g);
	set_parameters(before);
	/* An overflow that freezes the guest's counters, one that does not. */
	set(MONT_REG_PMD, 4, MONT_BIT(47) - 400);
	set(MONT_REG_PMD, 5, MONT_BIT(47) - 90);
	set(MONT_REG_PMC, 4, get(MONT_REG_PMC, 4) | MONT_PMC_OI);
	set_gr(14, g->r14);
	observe(r, overflow);
	memset(out, 0, sizeof(*out));
	check(!mont_trace_set(cpu, &trace, kinds), "trace");
	memset(&traced, 0, sizeof(traced));
	samples = 0;
	sampled = 0;
	asked = 0;
	stop_at = first;
	stop_each = each;
	do {
		mont_run(pkg, &b, &x);
		out->cycles += x.cycles;
		out->insns += x.insns;
		out->cuts += x.reason == MONT_EXIT_WORK;
		if (x.cycles >= b.cycles)
			break;
		b.cycles -= x.cycles;
	} while (x.reason == MONT_EXIT_WORK);
	for (i = 0; i < nr_observers; i++)
		out->count[i] = mont_observer_read(cpu, &observer[i]);
	out->samples = samples;
	out->sampled = sampled;
	out->traced = traced;
	out->state = mont_state_hash(pkg);
	unobserve();
	put_parameters_back(before);
}

static struct outcome whole, cut;

static void compare(const struct guest *g, const struct recipe *r, u64 first, u64 each)
{
	run(g, r, first, each, &cut);
	check(cut.cuts, "%s, %s: stop at %llu, then each %llu: no cut", g->name, r->name,
	      (unsigned long long)first, (unsigned long long)each);
	cut.cuts = 0;
	if (!check(!memcmp(&cut, &whole, sizeof(cut)),
		   "%s, %s: stop at %llu, then each %llu: state %#llx of %#llx, cycles %llu of %llu,"
		   " instructions %llu of %llu, samples %llu of %llu",
		   g->name, r->name, (unsigned long long)first, (unsigned long long)each,
		   (unsigned long long)cut.state, (unsigned long long)whole.state,
		   (unsigned long long)cut.cycles, (unsigned long long)whole.cycles,
		   (unsigned long long)cut.insns, (unsigned long long)whole.insns,
		   (unsigned long long)cut.samples, (unsigned long long)whole.samples)) {
		unsigned int i;

		for (i = 0; i < MOST; i++)
			if (cut.count[i] != whole.count[i])
				printf("# observer %u: %llu of %llu\n", i,
				       (unsigned long long)cut.count[i],
				       (unsigned long long)whole.count[i]);
	}
}

/* The spans and groups of the trace of @whole add up to its cycles and instructions. */
static void add_up(const struct guest *g)
{
	struct mont_cycles c;
	u64 causes = 0;
	u32 i;

	if (!TIMED)
		return;
	mont_cycles(cpu, &c);
	for (i = 0; mont_cause_info(i); i++)
		causes += mont_cause_cycles(cpu, i);
	/* The group that waits as the run ends. */
	if (cpu->own.s.since != MONT_NOT_FORMED)
		causes -= cpu->clock - cpu->own.s.since;
	check_eq(whole.traced.stalled, causes, g->name);
	check_eq(whole.traced.retiring, c.unstalled, g->name);
	check_eq(whole.traced.insns, whole.insns, g->name);
	check_eq(whole.traced.events[MONT_TRACE_DISPERSE], whole.traced.events[MONT_TRACE_ISSUE],
		 g->name);
	check_eq(whole.traced.events[MONT_TRACE_RETIRE], whole.traced.events[MONT_TRACE_ISSUE],
		 g->name);
}

/* A run without a trace comes to the same state, and tells of nothing. */
static void without_trace(const struct guest *g, const struct recipe *r)
{
	kinds = 0;
	run(g, r, 0, 0, &cut);
	kinds = KINDS;
	check_eq(cut.state, whole.state, g->name);
	check(!memcmp(cut.count, whole.count, sizeof(cut.count)), "%s: counts", g->name);
	check_eq(cut.traced.digest, 0, g->name);
}

/* Kinds that there are not, and those of the timing model where it is not. */
static void refusals(void)
{
	begin(&guests[0]);
	check(mont_trace_set(cpu, &trace, 1U << MONT_NR_TRACE) == MONT_EINVAL, "no such kind");
	check(mont_trace_set(cpu, &trace, 1U << MONT_TRACE_STALL) == (TIMED ? 0 : MONT_EOPNOTSUPP),
	      "a kind that needs time");
	check(!mont_trace_set(cpu, &trace, 1U << MONT_TRACE_FREEZE), "one that does not");
	group("a trace of kinds that there are");
}

static void cuts(const struct guest *g, const struct recipe *r, unsigned int window,
		 unsigned int some)
{
	static u64 seed = 1;
	u64 n, questions;

	run(g, r, 0, 0, &whole);
	questions = asked;
	check(!whole.cuts && questions > 10, "%s, %s: %llu questions", g->name, r->name,
	      (unsigned long long)questions);
	check(whole.cycles >= CYCLES, "%s, %s: %llu cycles", g->name, r->name,
	      (unsigned long long)whole.cycles);
	/* With the longest latencies nothing may come as far. */
	check(!nr_periods || whole.samples || ends == MOST_OF_ALL, "%s, %s: no samples", g->name,
	      r->name);
	add_up(g);
	without_trace(g, r);
	/* Behind the last of them the run ends by itself. */
	questions -= questions / 4;
	for (n = 1; n <= window && n <= questions; n++)
		compare(g, r, n, 0);
	for (n = 0; n < some; n++) {
		seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
		compare(g, r, 1 + (seed >> 33) % questions, 0);
	}
	for (n = 1; n <= MOST_CUTS; n++)
		compare(g, r, n, n);
	compare(g, r, 1, 97);
}

int main(void)
{
	unsigned int i;

	refusals();
	for (i = 0; i < MONT_ARRAY_SIZE(guests); i++) {
		cuts(&guests[i], &nobody, WINDOW, SOME);
		cuts(&guests[i], &everybody, WINDOW, SOME);
		cuts(&guests[i], &others, WINDOW, SOME);
		group(guests[i].name);
	}
	for (i = 0; TIMED && i < MONT_ARRAY_SIZE(guests); i++) {
		for (ends = LEAST; ends <= MOST_OF_ALL; ends++)
			cuts(&guests[i], &everybody, 20, 20);
		ends = AS_MADE;
		group("parameters at their ends");
	}
	return tap_end();
}
