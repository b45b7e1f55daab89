// SPDX-License-Identifier: GPL-2.0-only
/*
 * A host that says stop after a millisecond has the CPU back within four, whatever the
 * guest does and whatever observers there are: as many as there may be, of events of many
 * signals, in every tag set, with thresholds and periods of 1, and parameters at their ends.
 * The units of work that the model counts stay below their limit meanwhile: a run that may do
 * one unit does the work of one bundle, and MONT_WORK_OVERSHOOT() says what that may be for so
 * many observers. A host that says stop is asked no more, and no more than that is done.
 *
 * Time is that of this thread's own CPU, so that a busy host does not show.
 */
#include <time.h>

#include "hostile.h"

#define DEADLINE 1000000ULL /* nanoseconds */
#define BOUND 4000000ULL
#define SLICES 5
static const struct recipe recipes[] = {
	{ "nobody", { { 0 } } },
	{ "many signals", { { 1024, .code = 0x00, .umask = 2, .timed = true } } },
	{ "tag sets",
	  { { 1008, .code = 0x00, .umask = 2, .timed = true },
	    { 15, .code = 0x08, .ranges = 15 },
	    { 1, .code = 0x12, .threshold = 1, .timed = true } } },
	{ "thresholds", { { 1024, .code = 0x12, .threshold = 1, .timed = true } } },
	{ "sampled sums",
	  { { 945, .code = 0x00, .umask = 2, .timed = true },
	    { 15, .code = 0x08, .ranges = 15 },
	    { 64, .code = 0x4e, .umask = 15, .period = 1, .timed = true } } },
	{ "sampled bubbles",
	  { { 960, .code = 0x00, .umask = 2, .timed = true },
	    { 64, .code = 0x00, .umask = 2, .period = 1, .timed = true } } },
	{ "sampled cycles",
	  { { 945, .code = 0x00, .umask = 2, .timed = true },
	    { 15, .code = 0x08, .ranges = 15 },
	    { 64, .code = 0x12, .period = 1, .timed = true } } },
	{ "sampled ranges",
	  { { 960, .code = 0x08, .ranges = 15 },
	    { 64, .code = 0x08, .ranges = 15, .period = 1 } } },
	{ "sampled instructions", { { 960, .code = 0x08 }, { 64, .code = 0x08, .period = 1 } } },
	{ "ranges", { { 1024, .code = 0x08, .ranges = 15 } } },
	{ "more ranges than sets", { { 1024, .code = 0x08, .ranges = 200 } } },
	{ "references", { { 1024, .code = 0x20, .umask = 3 } } },
	{ "reference thresholds",
	  { { 1024, .code = 0x20, .umask = 3, .threshold = 1, .timed = true } } },
	{ "sampled reference ranges",
	  { { 64, .code = 0x20, .umask = 3, .ranges = 15, .period = 1 } } },
	{ "levels", { { 1024, .code = 0x08, .ranges = 15, .plm = 1 } } },
	{ "sampled levels",
	  { { 64, .code = 0x20, .umask = 3, .ranges = 15, .period = 1, .plm = 1 } } },
	{ "levels of everything",
	  { { 960, .code = 0x20, .umask = 3, .threshold = 1, .plm = 1, .timed = true },
	    { 64, .code = 0x20, .umask = 3, .ranges = 15, .period = 1, .plm = 1 } } },
	{ "other PMUs", { { 8, .block = true } } },
	{ "ranges beside other PMUs",
	  { { 8, .block = true },
	    { 960, .code = 0x08, .ranges = 15 },
	    { 32, .code = 0x08, .ranges = 15, .period = 1 } } },
	{ "reference thresholds beside other PMUs",
	  { { 8, .block = true },
	    { 992, .code = 0x20, .umask = 3, .threshold = 1, .timed = true } } },
	{ "queues, frames, the front end",
	  { { 340, .code = 0xb9, .timed = true },
	    { 340, .code = 0x2b, .timed = true },
	    { 280, .code = 0x71, .timed = true },
	    { 32, .code = 0xb9, .period = 1, .timed = true },
	    { 32, .code = 0x2b, .period = 1, .timed = true } } },
};

static void overflow(struct mont_observer *o, const struct mont_occurrence *at)
{
	struct mont_sample s;

	mont_sample(at->owner, &s);
	(void)o;
}

/* Return: its value before. */
static u64 parameter(const char *name, u64 value)
{
	const struct mont_param *p;
	const char *why = "";
	u64 before;
	u32 i;

	for (i = 0; (p = mont_param(i)); i++)
		if (!strcmp(p->name, name))
			break;
	before = p ? mont_param_value(pkg, i) : 0;
	check(p && !mont_param_set(pkg, i, value, &why), "%s: %s", name, why);
	return before;
}

static u64 cpu_time(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

static u64 until;
static unsigned long asked;

static bool late(void *host)
{
	(void)host;
	asked++;
	return cpu_time() >= until;
}

static u64 worst;
static char worst_of[128];

static u64 limit_of(u64 budget)
{
	unsigned int sampling = nr_periods + nr_blocks * MONT_BLOCK_LISTENERS;

	return budget + MONT_WORK_OVERSHOOT(nr_observers - nr_periods, sampling, nr_blocks);
}

static bool at_once(void *host)
{
	(void)host;
	asked++;
	return true;
}

/* The most that a bundle has passed its budget by, in thousandths of what it may. */
static u64 nearest;
static char nearest_of[128];
/* The largest share with other PMUs */
static u64 nearest_block;

#define BUNDLES 300

/* Bundle by bundle; and up to the first question, which is answered with stop. */
static void overshoots(const struct guest *g, const struct recipe *r)
{
	const struct mont_budget stopped = { .stop = at_once };
	struct mont_exit x;
	u64 share;
	unsigned int n;

	pkg->work_max = 0;
	for (n = 0; n < BUNDLES; n++) {
		if (!strcmp(g->name, "misses"))
			set_gr(14, g->r14);
		mont_run(pkg, &(struct mont_budget){ .work = 1 }, &x);
	}
	check(mont_work_max(pkg) <= limit_of(1), "%s, %s: %llu units of %llu for one", g->name,
	      r->name, (unsigned long long)mont_work_max(pkg), (unsigned long long)limit_of(1));
	share = 1000 * mont_work_max(pkg) / limit_of(1);
	if (nr_blocks && share > nearest_block)
		nearest_block = share;
	if (share > nearest) {
		nearest = share;
		snprintf(nearest_of, sizeof(nearest_of), "%llu of %llu units, %s, %s",
			 (unsigned long long)mont_work_max(pkg), (unsigned long long)limit_of(1),
			 g->name, r->name);
	}
	asked = 0;
	mont_run(pkg, &stopped, &x);
	check(asked == 1 && x.reason == MONT_EXIT_WORK &&
		      x.work <= limit_of(MONT_WORK_PLAIN * MONT_WORK_EVERY),
	      "%s, %s: stopped at once, asked %lu times, reason %u, %llu units", g->name, r->name,
	      asked, x.reason, (unsigned long long)x.work);
}

/* The longest of SLICES slices. */
static u64 longest(const struct guest *g, const struct recipe *r, u64 latency,
		   unsigned long *questions)
{
	const struct mont_budget b = { .stop = late };
	struct mont_exit x;
	u64 most = 0;
	unsigned int n;

	for (n = 0; n < SLICES; n++) {
		u64 begun, took;

		/* The guest's references have come to the end of memory: begin again. */
		if (!strcmp(g->name, "misses"))
			set_gr(14, g->r14);
		begun = cpu_time();
		until = begun + DEADLINE;
		asked = 0;
		mont_run(pkg, &b, &x);
		took = cpu_time() - begun;
		check_eq(x.reason, MONT_EXIT_WORK, g->name);
		if (took > most) {
			most = took;
			*questions = asked;
		}
		if (took > worst && took < BOUND) {
			worst = took;
			snprintf(worst_of, sizeof(worst_of), "%s, %s, latency %llu", g->name,
				 r->name, (unsigned long long)latency);
		}
	}
	return most;
}

/* A host that stands still is charged to a slice; a bound that is broken is broken each time. */
#define TRIES 3

static void slices(const struct guest *g, const struct recipe *r, u64 latency)
{
	unsigned long questions = 0;
	u64 latency_before = 0, took;
	unsigned int tries = 0;

	begin(g);
	observe(r, overflow);
	/* The code and its translations come at the usual pace. */
	run_bundles(20);
	if (TIMED)
		latency_before = parameter("memory.latency", latency);
	pkg->work_max = 0;
	do {
		took = longest(g, r, latency, &questions);
	} while (took >= BOUND && ++tries < TRIES);
	check(took < BOUND, "%s, %s, latency %llu: %llu ns in a slice, asked %lu times", g->name,
	      r->name, (unsigned long long)latency, (unsigned long long)took, questions);
	check(mont_work_max(pkg) <= limit_of(MONT_WORK_DEFAULT), "%s, %s: %llu units", g->name,
	      r->name, (unsigned long long)mont_work_max(pkg));
	overshoots(g, r);
	check(!nr_blocks || nr_interrupts >= SLICES, "%s, %s: %lu interrupts", g->name, r->name,
	      nr_interrupts);
	unobserve();
	if (TIMED)
		(void)parameter("memory.latency", latency_before);
}

int main(void)
{
	unsigned int i, k;

	for (i = 0; i < MONT_ARRAY_SIZE(guests); i++) {
		for (k = 0; k < MONT_ARRAY_SIZE(recipes); k++) {
			slices(&guests[i], &recipes[k], 20);
			if (TIMED)
				slices(&guests[i], &recipes[k], 10000);
		}
		group(guests[i].name);
	}
	/* A bound that nothing comes near is one of other code. */
	check(nearest > 500, "the nearest to its bound: %s", nearest_of);
	group("the bound is that of this code");
	printf("# the nearest to its bound: %s\n", nearest_of);
	printf("# beside other PMUs: %llu of 1000\n", (unsigned long long)nearest_block);
	printf("# the longest slice: %llu us of %llu (%s)\n", (unsigned long long)worst / 1000,
	       BOUND / 1000, worst_of);
	return tap_end();
}
