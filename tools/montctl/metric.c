// SPDX-License-Identifier: GPL-2.0-only
/* The manual's derived events (metrics.def), their formulas read and computed. */
#define _GNU_SOURCE
#include <ctype.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metric.h"
#include "montctl.h"

#define MAX_NAME 128

static const struct metric metrics[] = {
#define METRIC(name, equation, formula, meaning, refused)                                        \
	{ name, equation, (const char *)(formula) ? (const char *)(formula) : equation, meaning, \
	  refused },
#include "metrics.def"
#undef METRIC
};

#define NR_METRICS (sizeof(metrics) / sizeof(metrics[0]))

/**
 * struct formula - one that is being read
 * @at: what has not been read yet
 * @event: value of the event @name, not a number to stop
 * @arg: for it
 */
struct formula {
	const char *at;
	double (*event)(void *arg, const char *name);
	void *arg;
};

static double metric_formula_sum(struct formula *f);

const struct metric *metric_get(size_t index)
{
	return index < NR_METRICS ? &metrics[index] : NULL;
}

static const struct metric *metric_find(const char *name)
{
	size_t i;

	for (i = 0; i < NR_METRICS; i++)
		if (!strcasecmp(name, metrics[i].name))
			return &metrics[i];
	return NULL;
}

static double metric_compute(const struct metric *m, struct formula *outer)
{
	struct formula f = *outer;

	f.at = m->formula;
	return metric_formula_sum(&f);
}

static char metric_formula_next(struct formula *f)
{
	f->at += strspn(f->at, " ");
	return *f->at;
}

/* A number, a name or what stands in parentheses. The table has no other form. */
static double metric_formula_atom(struct formula *f)
{
	const struct metric *m;
	char name[MAX_NAME];
	double v;
	size_t len;
	char *end;

	if (metric_formula_next(f) == '(') {
		f->at++;
		v = metric_formula_sum(f);
		metric_formula_next(f);
		f->at++;
		return v;
	}
	if (isdigit((unsigned char)*f->at)) {
		v = strtod(f->at, &end);
		f->at = end;
		return v;
	}
	len = strcspn(f->at, " ():");
	/* A modifier may have a "/", and ends at the next space. */
	if (f->at[len] == ':')
		len = strcspn(f->at, " )");
	snprintf(name, sizeof(name), "%.*s", (int)len, f->at);
	f->at += len;
	m = metric_find(name);
	return m ? metric_compute(m, f) : f->event(f->arg, name);
}

static double metric_formula_product(struct formula *f)
{
	double v = metric_formula_atom(f);
	char op;

	while ((op = metric_formula_next(f)) == '*' || op == '/') {
		double w;

		f->at++;
		w = metric_formula_atom(f);
		if (op == '*')
			v *= w;
		else
			v = w == 0 ? NAN : v / w;
	}
	return v;
}

static double metric_formula_sum(struct formula *f)
{
	double v = metric_formula_product(f);
	char op;

	while ((op = metric_formula_next(f)) == '+' || op == '-') {
		double w;

		f->at++;
		w = metric_formula_product(f);
		v = op == '+' ? v + w : v - w;
	}
	return v;
}

/* An event as a formula has it: by its text, or by its name if that has no modifiers. */
static bool metric_is_event(const struct montecito_event_spec *spec, const char *name)
{
	if (strchr(name, ':'))
		return !strcasecmp(spec->text, name);
	return !strchr(spec->text, ':') && !strcasecmp(spec->name, name);
}

struct adding {
	const struct metric *metric;
	struct montecito_event_spec **specs;
	size_t *nr;
	int err;
};

static double metric_add_event(void *arg, const char *name)
{
	struct adding *a = arg;
	char msg[512];
	size_t i;

	for (i = 0; i < *a->nr; i++)
		if (metric_is_event(&(*a->specs)[i], name))
			return 1;
	if (a->err)
		return 1;
	if (montecito_events_parse(name, a->specs, a->nr, msg))
		a->err = fail("-M %s: %s", a->metric->name, msg);
	return 1;
}

/**
 * struct refusal - the first event of a formula that is refused
 * @cores: that the machine has
 * @name: it
 * @why: why
 */
struct refusal {
	unsigned int cores;
	const char *name;
	const char *why;
};

static double metric_refused_event(void *arg, const char *name)
{
	struct montecito_event_info info = { .size = sizeof(info) };
	struct refusal *r = arg;
	size_t len = strcspn(name, ":"), i;

	for (i = 0; !r->why && !event_any(i, &info); i++) {
		if (strlen(info.name) != len || strncmp(info.name, name, len))
			continue;
		r->name = info.name;
		r->why = info.refused;
		if (!r->why && info.needs_cores && r->cores == 1)
			r->why = "only with --cores 2";
	}
	return 1;
}

const char *metric_refusal(const struct metric *metric, unsigned int cores, const char **event)
{
	struct refusal r = { .cores = cores };
	struct formula f = { .event = metric_refused_event, .arg = &r };

	*event = NULL;
	if (metric->refused)
		return metric->refused;
	metric_compute(metric, &f);
	*event = r.why ? r.name : NULL;
	return r.why;
}

static int metric_add(struct metrics *all, const struct metric *m, unsigned int cores,
		      struct montecito_event_spec **specs, size_t *nr)
{
	struct adding adding = { .metric = m, .specs = specs, .nr = nr };
	struct formula f = { .event = metric_add_event, .arg = &adding };
	const char *event, *why = metric_refusal(m, cores, &event);
	const struct metric **p;

	if (why && event)
		return fail("-M %s: its event %s is refused: %s", m->name, event, why);
	if (why)
		return fail("-M %s: %s", m->name, why);
	p = realloc(all->metric, (all->nr + 1) * sizeof(*p));
	if (!p)
		return fail("out of memory");
	all->metric = p;
	p[all->nr++] = m;
	metric_compute(m, &f);
	return adding.err;
}

static int metric_no(const char *command, const char *name)
{
	unsigned int best = 1 + strlen(name) / 4, d;
	const char *meant = NULL;
	size_t i;

	for (i = 0; i < NR_METRICS; i++) {
		d = montecito_distance(name, metrics[i].name);
		if (d < best) {
			best = d;
			meant = metrics[i].name;
		}
	}
	if (meant)
		return fail("%s: -M %s: no such metric; did you mean %s?", command, name, meant);
	return fail("%s: -M %s: no such metric (see montctl events --metrics)", command, name);
}

/* Add the metrics of the table that match the pattern and can be computed. */
static int metric_glob(struct metrics *m, const char *command, const char *pattern,
		       unsigned int cores, struct montecito_event_spec **specs, size_t *nr)
{
	size_t i, matched = 0, left_out = 0;
	const char *event;
	int err = 0;

	for (i = 0; !err && i < NR_METRICS; i++) {
		if (fnmatch(pattern, metrics[i].name, FNM_CASEFOLD))
			continue;
		matched++;
		if (metric_refusal(&metrics[i], cores, &event))
			left_out++;
		else
			err = metric_add(m, &metrics[i], cores, specs, nr);
	}
	if (err)
		return err;
	if (matched == left_out)
		return fail("%s: -M %s: no metric of this pattern%s", command, pattern,
			    matched ? " can be computed" : "");
	if (left_out)
		fail("-M %s: %zu more of these metrics are refused (montctl events --metrics says "
		     "why)",
		     pattern, left_out);
	return 0;
}

static int metric_list(struct metrics *m, const char *command, const char *list, unsigned int cores,
		       struct montecito_event_spec **specs, size_t *nr)
{
	const struct metric *found;
	char name[MAX_NAME];
	int err = 0;

	do {
		size_t len = strcspn(list, ",");

		if (!len)
			return fail("%s: -M: a metric's name is missing (see montctl events "
				    "--metrics)",
				    command);
		snprintf(name, sizeof(name), "%.*s", (int)len, list);
		found = metric_find(name);
		if (found)
			err = metric_add(m, found, cores, specs, nr);
		else if (strpbrk(name, "*?["))
			err = metric_glob(m, command, name, cores, specs, nr);
		else
			err = metric_no(command, name);
		list += len;
	} while (!err && *list++);
	return err;
}

int metrics_option(struct metrics *m, const char *list)
{
	const char **p = realloc(m->list, (m->nr_lists + 1) * sizeof(*p));

	if (!p)
		return fail("out of memory");
	m->list = p;
	p[m->nr_lists++] = list;
	return 0;
}

int metrics_parse(struct metrics *m, const char *command, unsigned int cores,
		  struct montecito_event_spec **specs, size_t *nr)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < m->nr_lists; i++)
		err = metric_list(m, command, m->list[i], cores, specs, nr);
	return err;
}

struct counted {
	const struct montecito_event_spec *specs;
	size_t nr;
	const double *count;
};

static double metric_count_of(void *arg, const char *name)
{
	const struct counted *c = arg;
	size_t i;

	for (i = 0; i < c->nr; i++)
		if (metric_is_event(&c->specs[i], name))
			return c->count[i];
	return NAN;
}

double metric_value(const struct metric *metric, const struct montecito_event_spec *specs,
		    size_t nr, const double *count)
{
	struct counted c = { specs, nr, count };
	struct formula f = { .event = metric_count_of, .arg = &c };

	return metric_compute(metric, &f);
}

void metrics_free(struct metrics *m)
{
	free(m->metric);
	free(m->list);
}
