// SPDX-License-Identifier: GPL-2.0-only
/* montctl events: the event table. */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "metric.h"
#include "montctl.h"
#include "pmu_kinds.h"
#include "terminal.h"

static const char help[] =
	"Usage: montctl events [-j] [-l] [--counted] [NAME...]\n"
	"       montctl events --presets|--metrics [-j]\n"
	"       montctl events --pmu KIND [-j] [-l] [--counted] [NAME...]\n\n"
	"List the processor's events, or those whose name contains NAME or is of the pattern\n"
	"NAME (L3*): how they are encoded, which counters take them, and whether the model\n"
	"counts them.\n\n"
	"  -j   one JSON object\n"
	"  -l   with definitions, and the tests that hold each event\n"
	"  --counted  only those that the model counts; without -j, their number at the end\n"
	"  --presets  list the opcode classes for :opc=@CLASS instead\n"
	"  --pmu KIND  list the events of another PMU that can watch this processor: merced, that\n"
	"       of the original Itanium, pebs, that of an IA-32 processor, or ev68a, that of an Alpha\n"
	"  --metrics  list the ratios and sums for montctl stat -M instead\n";

enum { OPT_PRESETS = OPT_COMMAND, OPT_COUNTED, OPT_METRICS, OPT_PMU };

static const struct option options[] = {
	{ "presets", no_argument, NULL, OPT_PRESETS },
	{ "metrics", no_argument, NULL, OPT_METRICS },
	{ "counted", no_argument, NULL, OPT_COUNTED },
	{ "pmu", required_argument, NULL, OPT_PMU },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

/*
 * Tests that hold each event, in the order of the event table: a string each, and an
 * empty one behind the last. A build that had no tests at hand has no rows.
 */
static const char *const event_tests[] = {
#include "event_tests.inc"
	NULL,
};

bool event_wanted(const char *event, char **names)
{
	if (!*names)
		return true;
	for (; *names; names++)
		if (strpbrk(*names, "*?[") ? !fnmatch(*names, event, FNM_CASEFOLD)
					   : !!strcasestr(event, *names))
			return true;
	return false;
}

/* Status on a machine of default parameters: one of three forms that programs compare. */
static void events_status(const struct montecito_event_info *e, char *buf, size_t len)
{
	if (e->refused)
		snprintf(buf, len, "refused: %s", e->refused);
	else if (e->needs_param || e->needs_cores)
		snprintf(buf, len, "refused: only with %s%s%s%s", e->needs_cores ? "--cores 2" : "",
			 e->needs_cores && e->needs_param ? " and " : "",
			 e->needs_param ? "--param " : "", e->needs_param ? e->needs_param : "");
	else
		snprintf(buf, len, "counted%s", e->needs_time ? " with time" : "");
}

static struct json_object *events_text_json(const char *text)
{
	return text ? json_object_new_string(text) : NULL;
}

const char *event_tests_of(size_t index)
{
	size_t nr = sizeof(event_tests) / sizeof(event_tests[0]) - 1;

	return nr == montecito_nr_events() && index < nr ? event_tests[index] : NULL;
}

int event_any(size_t index, struct montecito_event_info *info)
{
	size_t nr = montecito_nr_events();

	return index < nr ? montecito_event_get(index, info)
			  : montecito_event_beside(index - nr, info);
}

bool event_of_package(const char *name)
{
	struct montecito_event_info info = { .size = sizeof(info) };
	size_t i;

	for (i = 0; !event_any(i, &info); i++)
		if (!strcmp(info.name, name))
			return info.of_package;
	return false;
}

static struct json_object *events_tests_json(const char *test)
{
	struct json_object *list = test ? json_object_new_array() : NULL;

	for (; test && *test; test += strlen(test) + 1)
		json_object_array_add(list, json_object_new_string(test));
	return list;
}

static struct json_object *events_event_json(const struct montecito_event_info *e,
					     const char *tests)
{
	struct json_object *o = json_object_new_object();
	char st[256];

	events_status(e, st, sizeof(st));
	json_object_object_add(o, "name", json_object_new_string(e->name));
	json_object_object_add(o, "code", json_object_new_int(e->code));
	json_object_object_add(o, "umask", json_object_new_int(e->umask));
	json_object_object_add(o, "counters", json_object_new_string(e->counters));
	json_object_object_add(o, "needs_time", json_object_new_boolean(e->needs_time));
	json_object_object_add(o, "status", json_object_new_string(st));
	json_object_object_add(o, "param", events_text_json(e->needs_param));
	json_object_object_add(o, "always_zero", events_text_json(e->zero));
	json_object_object_add(o, "of_package", json_object_new_boolean(e->of_package));
	json_object_object_add(o, "basis", json_object_new_string(e->basis));
	json_object_object_add(o, "definition", json_object_new_string(e->definition));
	json_object_object_add(o, "tests", events_tests_json(tests));
	return o;
}

static void events_units(unsigned int mifb, char buf[5])
{
	static const char name[] = "bfim";
	unsigned int i;

	for (i = 4; i--;)
		if (mifb >> i & 1)
			*buf++ = name[i];
	*buf = '\0';
}

static void events_part_json(struct json_object *parts, const struct montecito_preset *p, size_t k)
{
	struct json_object *o = json_object_new_object();
	char unit[5];

	events_units(p->part[k].mifb, unit);
	json_object_object_add(o, "match", json_object_new_uint64(p->part[k].match));
	json_object_object_add(o, "mask", json_object_new_uint64(p->part[k].mask));
	json_object_object_add(o, "units", json_object_new_string(unit));
	json_object_array_add(parts, o);
}

static int events_list_presets(bool json)
{
	struct json_object *list = json ? json_object_new_array() : NULL, *top;
	const struct montecito_preset *p;
	size_t i, k;
	char unit[5];

	for (i = 0; (p = montecito_preset_get(i)); i++) {
		if (json) {
			struct json_object *o = json_object_new_object();
			struct json_object *parts = json_object_new_array();

			json_object_object_add(o, "name", json_object_new_string(p->name));
			json_object_object_add(o, "text", json_object_new_string(p->text));
			for (k = 0; k < p->nr; k++)
				events_part_json(parts, p, k);
			json_object_object_add(o, "matches", parts);
			json_object_array_add(list, o);
			continue;
		}
		printf("@%-11s %s\n", p->name, p->text);
		for (k = 0; k < p->nr; k++) {
			events_units(p->part[k].mifb, unit);
			printf("    0x%011llx/0x%011llx/%s\n", (unsigned long long)p->part[k].match,
			       (unsigned long long)p->part[k].mask, unit);
		}
	}
	if (json) {
		top = json_object_new_object();
		json_object_object_add(top, "presets", list);
		print_object(stdout, top);
	}
	return 0;
}

/* Why a metric cannot be computed, with the event that is refused; else NULL. */
static const char *events_metric_why(const struct metric *m, char buf[512])
{
	const char *event, *why = metric_refusal(m, 1, &event);

	if (!why || !event)
		return why;
	snprintf(buf, 512, "%s: %s", event, why);
	return buf;
}

static int events_list_metrics(bool json)
{
	struct json_object *list = json ? json_object_new_array() : NULL, *top;
	const struct metric *m;
	const char *why;
	char buf[512];
	size_t i;

	for (i = 0; (m = metric_get(i)); i++) {
		why = events_metric_why(m, buf);
		if (json) {
			struct json_object *o = json_object_new_object();

			json_object_object_add(o, "name", json_object_new_string(m->name));
			json_object_object_add(o, "formula",
					       m->refused ? NULL : events_text_json(m->formula));
			json_object_object_add(o, "equation", events_text_json(m->equation));
			json_object_object_add(o, "meaning", events_text_json(m->meaning));
			json_object_object_add(o, "refused", events_text_json(why));
			json_object_array_add(list, o);
			continue;
		}
		printf("%s\n    %s\n    = %s\n", m->name, m->meaning,
		       m->refused ? m->equation : m->formula);
		if (why)
			printf("    refused: %s\n", why);
	}
	if (json) {
		top = json_object_new_object();
		json_object_object_add(top, "metrics", list);
		print_object(stdout, top);
	}
	return 0;
}

int cmd_events(int argc, char **argv)
{
	struct json_object *list = NULL, *top;
	struct montecito_event_info e = { .size = sizeof(e) };
	bool json = false, longer = false, presets = false, counted = false, metrics = false;
	size_t i, shown = 0, more = 0, causes = 0;
	const char *test, *pmu = NULL;
	char st[256];
	int opt;

	while ((opt = getopt_long(argc, argv, ":jlh", options, NULL)) != -1) {
		switch (opt) {
		case 'h':
			fputs(help, stdout);
			return 0;
		case 'j':
			json = true;
			break;
		case 'l':
			longer = true;
			break;
		case OPT_COUNTED:
			counted = true;
			break;
		case OPT_METRICS:
			metrics = true;
			break;
		case OPT_PMU:
			pmu = optarg;
			break;
		case OPT_PRESETS:
			presets = true;
			break;
		default:
			return bad_option("events", argv, opt, options);
		}
	}
	if (pmu && (presets || metrics))
		return usage_error("events", "--pmu lists events, not %s",
				   presets ? "opcode classes" : "metrics");
	if (pmu)
		return pmu_events(pmu, argv + optind, json, longer, counted);
	if ((presets || metrics) && (optind < argc || counted || presets == metrics))
		return usage_error("events", "--%s takes no name and no other list",
				   presets ? "presets" : "metrics");
	if (presets || metrics) {
		if (!json)
			terminal_page();
		return presets ? events_list_presets(json) : events_list_metrics(json);
	}
	if (json)
		list = json_object_new_array();
	else
		terminal_page();
	if (!json)
		printf("%-44s %4s %5s %-8s %s\n", "NAME", "CODE", "UMASK", "COUNTERS", "STATUS");
	/* Without a name, those that the processor has */
	for (i = 0; (optind < argc || i < montecito_nr_events()) && !event_any(i, &e); i++) {
		if (!event_wanted(e.name, argv + optind))
			continue;
		more += e.needs_param || e.needs_cores;
		if (counted && (e.refused || e.needs_param || e.needs_cores))
			continue;
		shown++;
		causes += i >= montecito_nr_events();
		if (json) {
			json_object_array_add(list, events_event_json(&e, event_tests_of(i)));
			continue;
		}
		events_status(&e, st, sizeof(st));
		printf("%-44s 0x%02x   0x%x %-8s %s", e.name, e.code, e.umask, e.counters, st);
		if (e.zero)
			printf(" (always 0: %s)", e.zero);
		putchar('\n');
		if (!longer)
			continue;
		printf("    %s (%s)\n", e.definition, e.basis);
		for (test = event_tests_of(i); test && *test; test += strlen(test) + 1)
			printf("      test %s\n", test);
	}
	if (json) {
		top = json_object_new_object();
		json_object_object_add(top, "events", list);
		print_object(stdout, top);
	}
	if (counted && !json)
		printf(more ? "# %zu of %zu counted, and %zu with --cores or --param\n"
			    : "# %zu of %zu counted\n",
		       shown - causes, montecito_nr_events(), more);
	if (!shown && optind < argc)
		return fail("no %sevent's name contains %s", counted ? "counted " : "",
			    argv[optind]);
	return 0;
}
