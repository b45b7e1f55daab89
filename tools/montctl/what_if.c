// SPDX-License-Identifier: GPL-2.0-only
/*
 * montctl stat --what-if: the run as it is, and once more for each cause of lost cycles with
 * that cause at no cost (the parameter stall.free), which shows what an end to it would gain.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "stat.h"
#include "terminal.h"
#include "what_if.h"

#define FREE_CAUSES "stall.free"

/**
 * struct what_if - the causes, and the points of the runs
 * @info: the parameter; most: the causes that can be left out
 * @cause: the machine's causes
 * @count: how many
 * @point: of each run but the first: its causes, and what they are called
 * @nr: how many
 */
struct what_if {
	struct montecito_param info;
	struct montecito_cause *cause;
	uint32_t count;
	struct point {
		uint64_t mask;
		const char *name;
	} * point;
	size_t nr;
};

static int what_if_add_point(struct what_if *w, uint64_t mask, const char *name)
{
	struct point *p = realloc(w->point, (w->nr + 1) * sizeof(*p));

	if (!p)
		return fail("out of memory");
	w->point = p;
	p[w->nr++] = (struct point){ mask, name };
	return 0;
}

static int what_if_add_each(struct what_if *w)
{
	uint32_t i;
	int err = 0;

	for (i = 0; !err && i < w->count; i++)
		if (w->info.most >> i & 1)
			err = what_if_add_point(w, 1ULL << i, w->cause[i].name);
	return err;
}

/* The one of @nr @names that is nearest to @name, or NULL. */
static const char *what_if_nearest(const char *name, const char *const *names, size_t nr)
{
	unsigned int best = 1 + strlen(name) / 3, d;
	const char *meant = NULL;
	size_t i;

	for (i = 0; i < nr; i++) {
		d = montecito_distance(name, names[i]);
		if (d < best && d < strlen(name)) {
			best = d;
			meant = names[i];
		}
	}
	return meant;
}

/* The point called @name: a cause, or all that can be left out of a bar of the breakdown. */
static int what_if_add_named(struct what_if *w, const char *name)
{
	const char *meant, *names[MONTECITO_MAX_CAUSES + NR_BARS + 1];
	size_t nr = 0;
	uint64_t mask;
	uint32_t i, k;

	if (!strcasecmp(name, "each"))
		return what_if_add_each(w);
	names[nr++] = "each";
	for (i = 0; i < w->count; i++) {
		names[nr++] = w->cause[i].name;
		if (strcasecmp(name, w->cause[i].name))
			continue;
		if (w->info.most >> i & 1)
			return what_if_add_point(w, 1ULL << i, w->cause[i].name);
		return fail(
			"--what-if %s: a wait for room or for a fetch cannot be left out; change "
			"a size with --param",
			w->cause[i].name);
	}
	for (k = 0; k < NR_BARS; k++) {
		mask = 0;
		for (i = 0; i < w->count; i++)
			if (w->cause[i].bar == k)
				mask |= 1ULL << i & w->info.most;
		if (mask)
			names[nr++] = breakdown_name(k);
		if (mask && !strcasecmp(name, breakdown_name(k)))
			return what_if_add_point(w, mask, breakdown_name(k));
	}
	meant = what_if_nearest(name, names, nr);
	if (meant)
		return fail("--what-if %s: no such cause; did you mean %s?", name, meant);
	return fail("--what-if %s: no such cause (the breakdown of montctl stat -j names them)",
		    name);
}

/* Ask a machine of this kind for the causes that can be left out. */
static int what_if_ask_machine(struct what_if *w, const struct counting *s)
{
	struct breakdown b = { 0 };
	int err;

	w->info = (struct montecito_param){ .size = sizeof(w->info), .name = FREE_CAUSES };
	err = montecito_param_get(s->m, &w->info);
	if (!err)
		err = breakdown_read(&b, s->m);
	w->cause = b.cause;
	w->count = b.sum.count;
	return err ? fail("--what-if: %s", strerror(-err)) : 0;
}

int what_if_begin(struct counting *s, char **argv)
{
	char *names = strdup(s->what_if), *name, *rest = names, *values = NULL;
	struct what_if *w = calloc(1, sizeof(*w));
	struct montecito_process *p = NULL;
	uint64_t all = 0;
	size_t i;
	int err;

	s->points = w;
	if (!names || !w) {
		free(names);
		return fail("out of memory");
	}
	err = stat_open(s, argv, &p);
	if (!err)
		err = what_if_ask_machine(w, s);
	montecito_process_free(p);
	montecito_close(s->m);
	s->m = NULL;
	stat_count_free(s);
	while (!err && (name = strsep(&rest, ",")))
		err = *name ? what_if_add_named(w, name)
			    : usage_error("stat", "--what-if %s: a name is missing", s->what_if);
	free(names);
	for (i = 0; i < w->nr; i++)
		all |= w->point[i].mask;
	if (!err && w->nr > 1)
		err = what_if_add_point(w, all, "all of these");
	if (!err && asprintf(&values, FREE_CAUSES "=0") < 0)
		err = fail("out of memory");
	for (i = 0; !err && i < w->nr; i++) {
		char *more;

		if (asprintf(&more, "%s,%" PRIu64, values, w->point[i].mask) < 0)
			return fail("out of memory");
		free(values);
		values = more;
	}
	if (!err)
		err = axis_option(s, values);
	free(values);
	return err;
}

void what_if_free(struct counting *s)
{
	struct what_if *w = s->points;

	if (!w)
		return;
	free(w->cause);
	free(w->point);
	free(w);
}

/* Cycles that the run of report @base lost by the causes of @mask. */
static uint64_t what_if_charged(const struct what_if *w, struct json_object *base, uint64_t mask)
{
	struct json_object *b = NULL, *list = NULL, *n = NULL;
	uint64_t sum = 0;
	uint32_t i;

	if (!json_object_object_get_ex(base, "breakdown", &b) ||
	    !json_object_object_get_ex(b, "causes", &list))
		return 0;
	for (i = 0; i < w->count; i++)
		if (mask >> i & 1 &&
		    json_object_object_get_ex(json_object_array_get_idx(list, i), "cycles", &n))
			sum += json_object_get_uint64(n);
	return sum;
}

static int64_t what_if_cycles_of(struct json_object *run)
{
	struct json_object *n = NULL;

	json_object_object_get_ex(run, "cycles", &n);
	return json_object_get_int64(n);
}

/**
 * struct gain - a row
 * @name: what was left out
 * @lost: cycles that it took
 * @cycles: of the run without it
 * @gain: cycles fewer than with it
 * @percent: of those
 */
struct gain {
	const char *name;
	uint64_t lost;
	int64_t cycles;
	int64_t gain;
	double percent;
};

/* Row @i of the @nr runs; false: that run was stopped. */
static bool what_if_gain_of(const struct counting *s, struct json_object *const *run, size_t i,
			    struct gain *g)
{
	const struct what_if *w = s->points;
	int64_t base = what_if_cycles_of(run[0]);

	if (!run[i + 1])
		return false;
	g->name = w->point[i].name;
	g->lost = what_if_charged(w, run[0], w->point[i].mask);
	g->cycles = what_if_cycles_of(run[i + 1]);
	g->gain = base - g->cycles;
	g->percent = base ? 100.0 * (double)g->gain / (double)base : 0;
	return true;
}

/* People are not shown the rows of "each" that cost nothing. */
static bool what_if_is_shown(const struct counting *s, const struct gain *g)
{
	return g->lost || g->gain || strcasecmp(s->what_if, "each");
}

void what_if_json(const struct counting *s, struct json_object *const *run, struct json_object *top)
{
	const struct what_if *w = s->points;
	struct json_object *list = json_object_new_array();
	struct gain g;
	size_t i;

	json_object_object_add(top, "cycles", json_object_new_int64(what_if_cycles_of(run[0])));
	for (i = 0; i < w->nr; i++) {
		struct json_object *o;

		if (!what_if_gain_of(s, run, i, &g))
			continue;
		o = json_object_new_object();
		json_object_object_add(o, "cause", json_object_new_string(g.name));
		json_object_object_add(o, "lost", json_object_new_uint64(g.lost));
		json_object_object_add(o, "cycles", json_object_new_int64(g.cycles));
		json_object_object_add(o, "gain", json_object_new_int64(g.gain));
		json_object_object_add(o, "gain_percent", json_object_new_double(g.percent));
		json_object_array_add(list, o);
	}
	json_object_object_add(top, "what_if", list);
}

void what_if_text(const struct counting *s, struct json_object *const *run, FILE *f)
{
	const struct what_if *w = s->points;
	char lost[32], cycles[32], gain[32];
	struct gain g;
	size_t i;

	if (s->separator) {
		fprintf(f, "cause%slost%scycles%sgain\n", s->separator, s->separator, s->separator);
	} else {
		fprintf(f, " %20s  cycles as it is\n\n",
			grouped(what_if_cycles_of(run[0]), f, cycles));
		fprintf(f, " %-16s %16s %16s %16s %9s\n", "without", "which took", "cycles", "gain",
			"");
	}
	for (i = 0; i < w->nr; i++) {
		if (!what_if_gain_of(s, run, i, &g) || (!s->separator && !what_if_is_shown(s, &g)))
			continue;
		if (s->separator) {
			csv_field(f, g.name, s->separator);
			fprintf(f, "%s%" PRIu64 "%s%" PRId64 "%s%" PRId64 "\n", s->separator,
				g.lost, s->separator, g.cycles, s->separator, g.gain);
			continue;
		}
		fprintf(f, " %-16s %16s %16s %s%15s %7.2f %%\n", g.name, grouped(g.lost, f, lost),
			grouped(g.cycles, f, cycles), g.gain < 0 ? "-" : " ",
			grouped(g.gain < 0 ? -g.gain : g.gain, f, gain), g.percent);
	}
	if (!s->separator)
		fputc('\n', f);
}
