// SPDX-License-Identifier: GPL-2.0-only
/*
 * A host that says stop after a millisecond has the CPU back within four, whatever the
 * guest does and whatever observers there are: as many as there may be, of events of many
 * signals, in every tag set, with thresholds and periods of 1, and parameters at their ends.
 * The units of work that the model counts stay below its limit meanwhile.
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

static void slices(const struct guest *g, const struct recipe *r, u64 latency)
{
	const struct mont_budget b = { .stop = late };
	unsigned int n;
	u64 latency_before = 0;
	struct mont_exit x;

	begin(g);
	observe(r, overflow);
	/* The code and its translations come at the usual pace. */
	run_bundles(20);
	if (TIMED)
		latency_before = parameter("memory.latency", latency);
	pkg->work_max = 0;
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
		check(took < BOUND, "%s, %s, latency %llu: %llu ns in a slice, asked %lu times",
		      g->name, r->name, (unsigned long long)latency, (unsigned long long)took,
		      asked);
		if (took > worst) {
			worst = took;
			snprintf(worst_of, sizeof(worst_of), "%s, %s, latency %llu", g->name,
				 r->name, (unsigned long long)latency);
		}
	}
	check(mont_work_max(pkg) <=
		      MONT_WORK_DEFAULT +
			      MONT_WORK_OVERSHOOT(nr_observers - nr_periods, nr_periods),
	      "%s, %s: %llu units", g->name, r->name, (unsigned long long)mont_work_max(pkg));
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
	printf("# the longest slice: %llu us of %llu (%s)\n", (unsigned long long)worst / 1000,
	       BOUND / 1000, worst_of);
	return tap_end();
}
