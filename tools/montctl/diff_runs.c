// SPDX-License-Identifier: GPL-2.0-only
/* The two kinds of runs that montctl diff compares. Nothing in a file is trusted. */
#define _GNU_SOURCE
#include <errno.h>
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "montctl.h"
#include "profile.h"

static int diff_runs_no_memory(void)
{
	return fail("out of memory");
}

/* ---- reports of montctl stat -j ---- */

static struct json_object *diff_runs_member(struct json_object *o, const char *key,
					    enum json_type type)
{
	struct json_object *v = NULL;

	return json_object_object_get_ex(o, key, &v) && json_object_is_type(v, type) ? v : NULL;
}

/* A number of @o, or NAN. */
static double diff_runs_number(struct json_object *o, const char *key)
{
	struct json_object *v = NULL;

	if (!json_object_object_get_ex(o, key, &v) ||
	    !(json_object_is_type(v, json_type_int) || json_object_is_type(v, json_type_double)))
		return NAN;
	return json_object_get_double(v);
}

/* Number @key of both, if both have it. */
static int diff_runs_both(struct diff_section *s, const char *key, struct json_object *const run[2])
{
	double v[2] = { diff_runs_number(run[0], key), diff_runs_number(run[1], key) };

	return isnan(v[0]) || isnan(v[1]) ? 0 : diff_row(s, key, v, 0);
}

/* The entry of @list whose @key is @name, or NULL. */
static struct json_object *diff_runs_entry(struct json_object *list, const char *key,
					   const char *name)
{
	size_t i;

	for (i = 0; list && i < json_object_array_length(list); i++) {
		struct json_object *o = json_object_array_get_idx(list, i);
		struct json_object *v = diff_runs_member(o, key, json_type_string);

		if (v && !strcmp(json_object_get_string(v), name))
			return o;
	}
	return NULL;
}

/* Entries of both lists by @key, with their @value; what one has not is 0 there. */
static int diff_runs_lists(struct diff_section *s, struct json_object *const list[2],
			   const char *key, const char *value, bool zeros)
{
	size_t side, i;
	int err = 0;

	for (side = 0; side < 2; side++) {
		for (i = 0; !err && list[side] && i < json_object_array_length(list[side]); i++) {
			struct json_object *o = json_object_array_get_idx(list[side], i), *other;
			struct json_object *name = diff_runs_member(o, key, json_type_string);
			double v[2] = { 0 };

			if (!name)
				continue;
			other = diff_runs_entry(list[!side], key, json_object_get_string(name));
			if (side && other)
				continue;
			v[side] = diff_runs_number(o, value);
			if (other)
				v[!side] = diff_runs_number(other, value);
			if (!isnan(v[0]) && !isnan(v[1]) && (zeros || v[0] || v[1]))
				err = diff_row(s, json_object_get_string(name), v, 0);
		}
	}
	return err;
}

static int diff_runs_reports(struct diff *d, struct json_object *const run[2])
{
	static const char *const bars[] = { "unstalled", "branch",    "data",	     "execution",
					    "rse",	 "front_end", "interruption" };
	struct json_object *b[2], *list[2];
	struct diff_section *s = diff_section(d, "run");
	int err = s ? 0 : -ENOMEM;
	size_t i;

	err = err ? err : diff_runs_both(s, "cycles", run);
	err = err ? err : diff_runs_both(s, "instructions", run);
	err = err ? err : diff_runs_both(s, "ipc", run);
	for (i = 0; i < 2; i++)
		b[i] = diff_runs_member(run[i], "breakdown", json_type_object);
	if (!err && b[0] && b[1]) {
		s = diff_section(d, "where the cycles went");
		err = s ? 0 : -ENOMEM;
		for (i = 0; !err && i < sizeof(bars) / sizeof(bars[0]); i++)
			err = diff_runs_both(s, bars[i], b);
		s = err ? NULL : diff_section(d, "causes");
		err = s ? 0 : -ENOMEM;
		for (i = 0; i < 2; i++)
			list[i] = diff_runs_member(b[i], "causes", json_type_array);
		if (!err) {
			s->sorted = true;
			err = diff_runs_lists(s, list, "name", "cycles", false);
		}
	}
	s = err ? NULL : diff_section(d, "events");
	err = s ? 0 : -ENOMEM;
	for (i = 0; i < 2; i++)
		list[i] = diff_runs_member(run[i], "events", json_type_array);
	err = err ? err : diff_runs_lists(s, list, "event", "count", true);
	for (i = 0; i < 2; i++)
		list[i] = diff_runs_member(run[i], "metrics", json_type_array);
	if (!err && list[0] && list[1]) {
		s = diff_section(d, "metrics");
		err = s ? diff_runs_lists(s, list, "metric", "value", true) : -ENOMEM;
	}
	return err ? diff_runs_no_memory() : 0;
}

int diff_reports(struct diff *d, const char *const path[2])
{
	struct json_object *run[2] = { NULL };
	int err = 0, i;

	for (i = 0; !err && i < 2; i++) {
		run[i] = json_object_from_file(path[i]);
		if (!run[i] || !diff_runs_member(run[i], "events", json_type_array))
			err = fail("%s: not a report of montctl stat -j of one run", path[i]);
	}
	if (!err)
		err = diff_runs_reports(d, run);
	json_object_put(run[0]);
	json_object_put(run[1]);
	return err;
}

/* ---- recordings ---- */

/**
 * struct function - occurrences of an event in a function
 * @name: the function, or an address
 * @value: occurrences of each run
 * @samples: samples of both runs, by the square of their period; 0: exact
 */
struct function {
	char *name;
	double value[2];
	double variance;
};

static int diff_runs_by_name(const void *pa, const void *pb)
{
	const struct function *a = pa, *b = pb;

	return strcmp(a->name, b->name);
}

/* Of event @event[side] of each run: cells by function, not yet added up. */
static int diff_runs_functions_of(const struct profile *p, size_t event, int side,
				  struct function **list, size_t *nr)
{
	char none[PROFILE_NO_NAME];
	size_t i;

	for (i = 0; i < p->nr; i++) {
		double period = p->in.period[event], n = p->cell[i].samples;
		struct function *f;

		if (p->cell[i].event != event)
			continue;
		f = realloc(*list, (*nr + 1) * sizeof(*f));
		if (!f)
			return -ENOMEM;
		*list = f;
		f += *nr;
		*f = (struct function){ .name = strdup(profile_function(p, p->cell[i].at, none)) };
		if (!f->name)
			return -ENOMEM;
		(*nr)++;
		f->value[side] = n * period;
		f->variance = p->in.exact ? 0 : n * period * period;
	}
	return 0;
}

static int diff_runs_add_functions(struct diff_section *s, struct function *list, size_t nr)
{
	size_t i, k;
	int err = 0;

	if (nr)
		qsort(list, nr, sizeof(*list), diff_runs_by_name);
	for (i = 0; !err && i < nr; i = k) {
		double v[2] = { 0 }, variance = 0;

		for (k = i; k < nr && !diff_runs_by_name(&list[i], &list[k]); k++) {
			v[0] += list[k].value[0];
			v[1] += list[k].value[1];
			variance += list[k].variance;
		}
		err = diff_row(s, list[i].name, v, sqrt(variance));
	}
	return err;
}

/* One event, which is number @event[] of each run. */
static int diff_runs_event_rows(struct diff *d, const struct profile p[2], const size_t event[2])
{
	double total[2] = { p[0].total[event[0]], p[1].total[event[1]] };
	struct diff_section *s = diff_section(d, p[0].in.event[event[0]]);
	struct function *list = NULL;
	size_t nr = 0, i;
	int err = s ? 0 : -ENOMEM;

	if (!err)
		s->sorted = true;
	for (i = 0; !err && i < 2; i++)
		err = diff_runs_functions_of(&p[i], event[i], i, &list, &nr);
	if (!err)
		err = diff_row(s, DIFF_TOTAL, total, 0);
	if (!err)
		err = diff_runs_add_functions(s, list, nr);
	for (i = 0; i < nr; i++)
		free(list[i].name);
	free(list);
	return err;
}

/* Where the cycles of both runs went, if both know. */
static int diff_runs_breakdowns(struct diff *d, const struct profile p[2])
{
	const struct breakdown *b[2] = { &p[0].in.breakdown, &p[1].in.breakdown };
	struct diff_section *s;
	double v[2];
	uint32_t i, k;
	int err = 0;

	if (!b[0]->sum.cycles || !b[1]->sum.cycles)
		return 0;
	s = diff_section(d, "where the cycles went");
	if (!s)
		return -ENOMEM;
	v[0] = b[0]->sum.cycles;
	v[1] = b[1]->sum.cycles;
	err = diff_row(s, "cycles", v, 0);
	for (i = 0; !err && i < NR_BARS; i++) {
		v[0] = b[0]->bar[i];
		v[1] = b[1]->bar[i];
		err = diff_row(s, breakdown_name(i), v, 0);
	}
	s = err ? NULL : diff_section(d, "causes");
	if (!s)
		return -ENOMEM;
	s->sorted = true;
	for (i = 0; !err && i < b[0]->sum.count; i++) {
		v[0] = b[0]->cause[i].cycles;
		v[1] = 0;
		for (k = 0; k < b[1]->sum.count; k++)
			if (!strcmp(b[0]->cause[i].name, b[1]->cause[k].name))
				v[1] = b[1]->cause[k].cycles;
		if (v[0] || v[1])
			err = diff_row(s, b[0]->cause[i].name, v, 0);
	}
	return err;
}

static int diff_runs_recordings(struct diff *d, const struct profile p[2], const char *event)
{
	int only = event ? samples_event(&p[0].in, event) : -1, err = 0;
	bool any = false;
	size_t at[2];

	if (event && only < 0)
		return EXIT_MONTCTL;
	err = diff_runs_breakdowns(d, p);
	for (at[0] = 0; !err && at[0] < p[0].in.nr; at[0]++) {
		if (event && at[0] != (size_t)only)
			continue;
		for (at[1] = 0; at[1] < p[1].in.nr; at[1]++)
			if (!strcmp(p[0].in.event[at[0]], p[1].in.event[at[1]]))
				break;
		if (at[1] == p[1].in.nr)
			continue;
		any = true;
		err = diff_runs_event_rows(d, p, at);
	}
	if (!err && !any)
		return fail("%s and %s have no event in common%s%s", p[0].in.path, p[1].in.path,
			    event ? ": " : "", event ? p[0].in.event[only] : "");
	return err ? diff_runs_no_memory() : 0;
}

int diff_recordings(struct diff *d, const char *const path[2], const char *event)
{
	struct profile p[2];
	int err = profile_read(&p[0], path[0]);

	if (err)
		return err;
	err = profile_read(&p[1], path[1]);
	if (!err) {
		err = diff_runs_recordings(d, p, event);
		profile_free(&p[1]);
	}
	profile_free(&p[0]);
	return err;
}
