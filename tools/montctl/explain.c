// SPDX-License-Identifier: GPL-2.0-only
/* montctl explain: all that is known of an event. */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metric.h"
#include "montctl.h"
#include "terminal.h"

static const char help[] =
	"Usage: montctl explain [-j] EVENT...\n\n"
	"Tell what events are: definition, encoding, counters, the signals of the model that\n"
	"they count and on which condition, and the tests that hold them; of a metric of\n"
	"montctl stat -M, its formula. EVENT may be a pattern of names (L3*).\n\n"
	"  -j   one JSON object on one line\n";

static const struct option options[] = {
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static void explain_status_text(const struct montecito_event_info *e, char *buf, size_t len)
{
	if (e->refused)
		snprintf(buf, len, "refused: %s", e->refused);
	else
		snprintf(buf, len, "counted%s%s%s%s%s%s", e->needs_time ? " with time" : "",
			 e->needs_cores ? ", with --cores 2" : "",
			 e->needs_param ? ", with --param " : "",
			 e->needs_param ? e->needs_param : "", e->zero ? ", always 0: " : "",
			 e->zero ? e->zero : "");
}

/* Words in lines of a terminal's width, behind a title. */
static void explain_paragraph(const char *title, const char *text)
{
	unsigned int width = terminal_width(stdout), at;

	printf("  %-11s", title);
	at = 13;
	while (*text) {
		unsigned int len = strcspn(text, " ");

		if (at > 13 && width && at + 1 + len > width) {
			printf("\n%13s", "");
			at = 13;
		}
		printf("%s%.*s", at > 13 ? " " : "", (int)len, text);
		at += len + (at > 13);
		text += len;
		text += *text == ' ';
	}
	putchar('\n');
}

static void explain_text(size_t index, const struct montecito_event_info *e)
{
	const char *name, *meaning, *condition = montecito_event_condition(index), *test;
	char buf[512];
	unsigned int i;

	printf("%s%s%s\n", terminal_paint(stdout, PAINT_HEAD), e->name,
	       terminal_paint(stdout, PAINT_NONE));
	explain_paragraph("definition", e->definition);
	snprintf(buf, sizeof(buf), "%s, manual chapter 4", e->basis);
	explain_paragraph("basis", buf);
	if (index < montecito_nr_events())
		snprintf(buf, sizeof(buf), "code 0x%02x, unit mask 0x%x, PMC%s", e->code, e->umask,
			 e->counters);
	else
		snprintf(buf, sizeof(buf), "0x%x, of observers; no PMC has it", e->code);
	explain_paragraph("encoding", buf);
	explain_status_text(e, buf, sizeof(buf));
	explain_paragraph("status", buf);
	for (i = 0; !montecito_event_signal(index, i, &name, &meaning); i++) {
		snprintf(buf, sizeof(buf), "%s: %s", name, meaning);
		explain_paragraph(i ? "and" : "signal", buf);
	}
	if (i)
		explain_paragraph("condition", condition ? condition : "every occurrence");
	for (test = event_tests_of(index); test && *test; test += strlen(test) + 1)
		explain_paragraph("test", test);
}

static struct json_object *explain_json(size_t index, const struct montecito_event_info *e)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();
	struct json_object *tests = json_object_new_array();
	const char *name, *meaning, *condition = montecito_event_condition(index), *test;
	char buf[512];
	unsigned int i;

	explain_status_text(e, buf, sizeof(buf));
	json_object_object_add(o, "name", json_object_new_string(e->name));
	json_object_object_add(o, "definition", json_object_new_string(e->definition));
	json_object_object_add(o, "basis", json_object_new_string(e->basis));
	json_object_object_add(o, "code", json_object_new_int(e->code));
	json_object_object_add(o, "umask", json_object_new_int(e->umask));
	json_object_object_add(o, "counters", json_object_new_string(e->counters));
	json_object_object_add(o, "status", json_object_new_string(buf));
	for (i = 0; !montecito_event_signal(index, i, &name, &meaning); i++) {
		struct json_object *s = json_object_new_object();

		json_object_object_add(s, "name", json_object_new_string(name));
		json_object_object_add(s, "meaning", json_object_new_string(meaning));
		json_object_array_add(list, s);
	}
	json_object_object_add(o, "signals", list);
	json_object_object_add(o, "condition",
			       condition ? json_object_new_string(condition) : NULL);
	for (test = event_tests_of(index); test && *test; test += strlen(test) + 1)
		json_object_array_add(tests, json_object_new_string(test));
	json_object_object_add(o, "tests", tests);
	return o;
}

static size_t explain_event_index(const char *name)
{
	struct montecito_event_info e = { .size = sizeof(e) };
	size_t i;

	for (i = 0; !event_any(i, &e); i++)
		if (!strcmp(e.name, name))
			break;
	return i;
}

static const struct metric *explain_metric_named(const char *name)
{
	const struct metric *m;
	size_t i;

	for (i = 0; (m = metric_get(i)); i++)
		if (!strcasecmp(m->name, name))
			return m;
	return NULL;
}

static void explain_metric(const struct metric *m, struct json_object *list)
{
	struct json_object *o;

	if (!list) {
		printf("%s%s%s\n", terminal_paint(stdout, PAINT_HEAD), m->name,
		       terminal_paint(stdout, PAINT_NONE));
		explain_paragraph("meaning", m->meaning);
		explain_paragraph("equation", m->equation);
		if (!m->refused)
			explain_paragraph("formula", m->formula);
		return;
	}
	o = json_object_new_object();
	json_object_object_add(o, "name", json_object_new_string(m->name));
	json_object_object_add(o, "meaning", json_object_new_string(m->meaning));
	json_object_object_add(o, "equation", json_object_new_string(m->equation));
	json_object_object_add(o, "formula",
			       m->refused ? NULL : json_object_new_string(m->formula));
	json_object_array_add(list, o);
}

static void explain_event(size_t index, struct json_object *list)
{
	struct montecito_event_info e = { .size = sizeof(e) };

	event_any(index, &e);
	if (list)
		json_object_array_add(list, explain_json(index, &e));
	else
		explain_text(index, &e);
}

static int explain(const char *text, struct json_object *list)
{
	struct montecito_event_info e = { .size = sizeof(e) };
	struct montecito_event_spec *specs = NULL;
	const struct metric *metric = explain_metric_named(text);
	size_t nr = 0, i;
	int err = 0;

	if (metric) {
		explain_metric(metric, list);
		return 0;
	}
	/* A pattern is explained with the events that are refused. */
	if (strpbrk(text, "*?[")) {
		for (i = 0; !event_any(i, &e); i++) {
			if (fnmatch(text, e.name, FNM_CASEFOLD))
				continue;
			explain_event(i, list);
			nr++;
		}
		return nr ? 0 : fail("explain: no event has a name of the pattern %s", text);
	}
	err = event_list("explain", text, &specs, &nr);
	for (i = 0; !err && i < nr; i++)
		explain_event(explain_event_index(specs[i].name), list);
	montecito_events_free(specs, nr);
	return err;
}

int cmd_explain(int argc, char **argv)
{
	struct json_object *list = NULL, *top;
	bool json = false;
	int opt, err = 0;

	while ((opt = getopt_long(argc, argv, ":jh", options, NULL)) != -1) {
		switch (opt) {
		case 'h':
			fputs(help, stdout);
			return 0;
		case 'j':
			json = true;
			break;
		default:
			return bad_option("explain", argv, opt, options);
		}
	}
	if (optind == argc)
		return usage_error("explain", "no event given");
	if (json)
		list = json_object_new_array();
	else
		terminal_page();
	for (; !err && optind < argc; optind++)
		err = explain(argv[optind], list);
	if (!json)
		return err;
	if (err) {
		json_object_put(list);
		return err;
	}
	top = json_object_new_object();
	json_object_object_add(top, "events", list);
	print_object(stdout, top);
	return 0;
}
