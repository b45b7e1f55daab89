// SPDX-License-Identifier: GPL-2.0-only
/*
 * montctl diff: what has changed from one run to another, of two recordings (by function) or
 * of two reports of montctl stat -j.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "montctl.h"
#include "terminal.h"

static const char help[] =
	"Usage: montctl diff [OPTION...] [A [B]]\n\n"
	"Show what has changed from run A to run B: two recordings of montctl record, or two\n"
	"reports of montctl stat -j. Without B the other is " SAMPLES_FILE "; without A as well\n"
	"the recording before it, " SAMPLES_FILE ".old.\n\n"
	"  -e EVENT      of this event alone, by name as given or number\n"
	"  -n N          at most so many lines for each event\n"
	"  -x SEP        CSV, fields apart by SEP\n"
	"  -j, --json    one JSON object on one line\n\n"
	"Of samples a change that chance may have made, less than twice its standard error,\n"
	"has a ~ before it; exact counts (record --exact, stat) have none.\n";

static const struct option options[] = {
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

/* ---- sections and rows ---- */

struct diff_section *diff_section(struct diff *d, const char *title)
{
	struct diff_section *s = realloc(d->section, (d->nr + 1) * sizeof(*s));

	if (!s)
		return NULL;
	d->section = s;
	s += d->nr++;
	*s = (struct diff_section){ .title = strdup(title) };
	return s->title ? s : NULL;
}

int diff_row(struct diff_section *s, const char *name, const double value[2], const double error)
{
	struct diff_row *r = s->row;

	if (s->nr == s->cap) {
		size_t cap = s->cap ? 2 * s->cap : 64;

		r = realloc(r, cap * sizeof(*r));
		if (!r)
			return -ENOMEM;
		s->row = r;
		s->cap = cap;
	}
	r += s->nr++;
	*r = (struct diff_row){ .value = { value[0], value[1] }, .error = error };
	r->name = strdup(name);
	return r->name ? 0 : -ENOMEM;
}

static void diff_free(struct diff *d)
{
	size_t i, k;

	for (i = 0; i < d->nr; i++) {
		for (k = 0; k < d->section[i].nr; k++)
			free(d->section[i].row[k].name);
		free(d->section[i].row);
		free(d->section[i].title);
	}
	free(d->section);
}

static double diff_change(const struct diff_row *r)
{
	return r->value[1] - r->value[0];
}

static bool diff_by_chance(const struct diff_row *r)
{
	return fabs(diff_change(r)) < 2 * r->error;
}

static int diff_by_change(const void *pa, const void *pb)
{
	const struct diff_row *a = pa, *b = pb;
	double x = fabs(diff_change(a)), y = fabs(diff_change(b));

	if (x != y)
		return x > y ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Largest changes first, behind the total; a section in an order of its own keeps that. */
static void diff_sort(struct diff *d)
{
	size_t i, first;

	for (i = 0; i < d->nr; i++) {
		struct diff_section *s = &d->section[i];

		first = s->nr && !strcmp(s->row[0].name, DIFF_TOTAL);
		if (s->sorted && s->nr > first)
			qsort(s->row + first, s->nr - first, sizeof(*s->row), diff_by_change);
	}
}

/* ---- output ---- */

static void diff_number(FILE *f, double v, int width)
{
	char buf[32], text[40];

	if (v == floor(v) && fabs(v) < 1e18)
		snprintf(text, sizeof(text), "%s%s", v < 0 ? "-" : "",
			 grouped((uint64_t)fabs(v), f, buf));
	else
		snprintf(text, sizeof(text), "%.4f", v);
	fprintf(f, "%*s", width, text);
}

static void diff_text_row(const struct diff_row *r)
{
	double d = diff_change(r);

	diff_number(stdout, r->value[0], 16);
	diff_number(stdout, r->value[1], 17);
	putchar(' ');
	diff_number(stdout, d, 16);
	if (!r->value[0])
		printf("%10s", r->value[1] ? "new" : "");
	else
		printf(" %s%+8.2f%%%s",
		       terminal_paint(stdout, diff_by_chance(r) || !d ? PAINT_FAINT
					      : d > 0		      ? PAINT_HOT
								      : PAINT_GOOD),
		       100 * d / r->value[0], terminal_paint(stdout, PAINT_NONE));
	printf(" %c %s\n", diff_by_chance(r) ? '~' : ' ', r->name);
}

static void diff_print_text(const struct diff *d, const char *const path[2], uint64_t limit)
{
	char a[256], b[256];
	size_t i, k;

	printf("# A: %s\n# B: %s\n", plain(path[0], a, sizeof(a)), plain(path[1], b, sizeof(b)));
	for (i = 0; i < d->nr; i++) {
		const struct diff_section *s = &d->section[i];

		printf("\n# %s\n%16s %16s %16s %9s\n", plain(s->title, a, sizeof(a)), "A", "B",
		       "change", "");
		for (k = 0; k < s->nr; k++) {
			bool unchanged = s->sorted && k && !diff_change(&s->row[k]);

			/* Rows are sorted by change: behind the first unchanged one are unchanged ones. */
			if (unchanged || (s->sorted && k > limit)) {
				printf("# %zu %s\n", s->nr - k, unchanged ? "unchanged" : "more");
				break;
			}
			diff_text_row(&s->row[k]);
		}
	}
}

static void diff_print_csv(const struct diff *d, const char *sep)
{
	size_t i, k;

	printf("section%sname%sa%sb%schange%schance\n", sep, sep, sep, sep, sep);
	for (i = 0; i < d->nr; i++) {
		const struct diff_section *s = &d->section[i];

		for (k = 0; k < s->nr; k++) {
			csv_field(stdout, s->title, sep);
			fputs(sep, stdout);
			csv_field(stdout, s->row[k].name, sep);
			printf("%s%.15g%s%.15g%s%.15g%s%d\n", sep, s->row[k].value[0], sep,
			       s->row[k].value[1], sep, diff_change(&s->row[k]), sep,
			       diff_by_chance(&s->row[k]));
		}
	}
}

/* Counts are whole numbers. */
static struct json_object *diff_json_number(double v)
{
	return v == floor(v) && fabs(v) < 1e18 ? json_object_new_int64((int64_t)v)
					       : json_object_new_double(v);
}

static void diff_print_json(const struct diff *d, const char *const path[2])
{
	struct json_object *top = json_object_new_object(), *list = json_object_new_array();
	size_t i, k;

	json_object_object_add(top, "a", json_object_new_string(path[0]));
	json_object_object_add(top, "b", json_object_new_string(path[1]));
	for (i = 0; i < d->nr; i++) {
		const struct diff_section *s = &d->section[i];
		struct json_object *o = json_object_new_object(), *rows = json_object_new_array();

		for (k = 0; k < s->nr; k++) {
			const struct diff_row *r = &s->row[k];
			struct json_object *row = json_object_new_object();

			json_object_object_add(row, "name", json_object_new_string(r->name));
			json_object_object_add(row, "a", diff_json_number(r->value[0]));
			json_object_object_add(row, "b", diff_json_number(r->value[1]));
			json_object_object_add(row, "change", diff_json_number(diff_change(r)));
			json_object_object_add(row, "chance",
					       json_object_new_boolean(diff_by_chance(r)));
			json_object_array_add(rows, row);
		}
		json_object_object_add(o, "title", json_object_new_string(s->title));
		json_object_object_add(o, "rows", rows);
		json_object_array_add(list, o);
	}
	json_object_object_add(top, "sections", list);
	print_object(stdout, top);
}

/* ---- the command ---- */

/* True if @path is a report of stat -j; false for all else, which is read as a recording. */
static bool diff_is_report(const char *path)
{
	char begin[16] = "";
	FILE *f = fopen(path, "re");
	bool is = false;

	if (f) {
		is = fread(begin, 1, sizeof(begin) - 1, f) && strchr(begin, '{') &&
		     strstr(begin, "\"program\"");
		fclose(f);
	}
	return is;
}

int cmd_diff(int argc, char **argv)
{
	const char *path[2] = { SAMPLES_FILE ".old", SAMPLES_FILE }, *separator = NULL;
	const char *event = NULL;
	uint64_t limit = UINT64_MAX;
	struct diff d = { 0 };
	bool json = false;
	int opt, err, i;

	while ((opt = getopt_long(argc, argv, ":e:n:x:jh", options, NULL)) != -1) {
		switch (opt) {
		case 'h':
			fputs(help, stdout);
			return 0;
		case 'e':
			event = optarg;
			break;
		case 'n':
			if (parse_number(optarg, &limit) || !limit)
				return usage_error("diff", "-n %s: not a number of lines", optarg);
			break;
		case 'x':
			if (!*optarg)
				return usage_error("diff", "-x: a separator is missing");
			separator = optarg;
			break;
		case 'j':
			json = true;
			break;
		default:
			return bad_option("diff", argv, opt, options);
		}
	}
	if (argc - optind > 2)
		return usage_error("diff", "%s: no such argument (two runs at a time)",
				   argv[optind + 2]);
	if (json && separator)
		return usage_error("diff", "-x and -j exclude each other");
	for (i = 0; optind < argc; i++)
		path[i] = argv[optind++];
	if (diff_is_report(path[0]) != diff_is_report(path[1]))
		return fail("%s is a report of montctl stat, %s is not: a run is compared with one "
			    "of its kind",
			    path[diff_is_report(path[0]) ? 0 : 1],
			    path[diff_is_report(path[0]) ? 1 : 0]);
	if (diff_is_report(path[0]))
		err = event ? usage_error("diff", "-e is of recordings") : diff_reports(&d, path);
	else
		err = diff_recordings(&d, path, event);
	if (!err) {
		diff_sort(&d);
		if (json) {
			diff_print_json(&d, path);
		} else if (separator) {
			diff_print_csv(&d, separator);
		} else {
			terminal_page();
			diff_print_text(&d, path, limit);
		}
	}
	diff_free(&d);
	return err;
}
