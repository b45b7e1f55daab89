// SPDX-License-Identifier: GPL-2.0-only
/* montctl events: the event table. */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metric.h"
#include "montctl.h"
#include "pmu_kinds.h"
#include "terminal.h"

static const char help[] =
	"Usage: montctl events [-j] [-l] [--counted] [--cores N] [--param NAME=VALUE] [NAME...]\n"
	"       montctl events --presets|--metrics [-j]\n"
	"       montctl events --pmu KIND [-j] [-l] [--counted] [NAME...]\n\n"
	"List the processor's events, or those whose name contains NAME or is of the pattern\n"
	"NAME (L3*): how they are encoded, which counters take them, and whether the model\n"
	"counts them.\n\n"
	"  -j   one JSON object\n"
	"  -l   with definitions, and the tests that hold each event\n"
	"  --counted  only those that the model counts; without -j, their number at the end\n"
	"  --cores N  in a machine of 1 or 2 cores (default 1); for --metrics as well\n"
	"  --param NAME=VALUE  in a machine with this parameter (montctl info --params)\n"
	"  --presets  list the opcode classes for :opc=@CLASS instead\n"
	"  --pmu KIND  list the events of another PMU that can watch this processor: merced, that\n"
	"       of the original Itanium, pebs, that of an IA-32 processor, or ev68a, that of an Alpha\n"
	"  --metrics  list the ratios and sums for montctl stat -M instead\n";

/**
 * struct shown - how events are listed
 * @json: -j
 * @longer: -l
 * @counted: --counted
 */
struct shown {
	bool json;
	bool longer;
	bool counted;
};

enum { OPT_PRESETS = OPT_COMMAND, OPT_COUNTED, OPT_METRICS, OPT_PMU };

static const struct option options[] = {
	{ "presets", no_argument, NULL, OPT_PRESETS },
	{ "metrics", no_argument, NULL, OPT_METRICS },
	{ "counted", no_argument, NULL, OPT_COUNTED },
	{ "pmu", required_argument, NULL, OPT_PMU },
	{ "cores", required_argument, NULL, OPT_CORES },
	{ "param", required_argument, NULL, OPT_PARAM },
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

/* Take out of what @e needs what a machine that @args ask for has: @m, NULL if it is the default. */
static void events_open_up(const struct machine_args *args, struct montecito *m,
			   struct montecito_event_info *e)
{
	struct montecito_param p = { .size = sizeof(p) };
	const char *value = e->needs_param ? strchr(e->needs_param, '=') : NULL;

	if (args->cores > 1)
		e->needs_cores = false;
	if (!m || !value)
		return;
	memcpy(p.name, e->needs_param, value - e->needs_param);
	if (!montecito_param_get(m, &p) && p.value == strtoull(value + 1, NULL, 10))
		e->needs_param = NULL;
}

/* Status on the machine of events_open_up(): one of three forms that programs compare. */
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

	if (!json)
		terminal_page();
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
static const char *events_metric_why(const struct metric *m, unsigned int cores, char buf[512])
{
	const char *event, *why = metric_refusal(m, cores, &event);

	if (!why || !event)
		return why;
	snprintf(buf, 512, "%s: %s", event, why);
	return buf;
}

static int events_list_metrics(unsigned int cores, bool json)
{
	struct json_object *list = json ? json_object_new_array() : NULL, *top;
	const struct metric *m;
	const char *why;
	char buf[512];
	size_t i;

	if (!json)
		terminal_page();
	for (i = 0; (m = metric_get(i)); i++) {
		why = events_metric_why(m, cores, buf);
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

/* List events whose names @wanted has, of the machine @m that @args ask for. */
static int events_list(const struct machine_args *args, struct montecito *m, char **wanted,
		       const struct shown *how)
{
	struct json_object *list = how->json ? json_object_new_array() : NULL, *top;
	struct montecito_event_info e = { .size = sizeof(e) };
	size_t i, shown = 0, more = 0, causes = 0;
	const char *test;
	char st[256];

	if (!how->json)
		terminal_page();
	if (!how->json)
		printf("%-44s %4s %5s %-8s %s\n", "NAME", "CODE", "UMASK", "COUNTERS", "STATUS");
	/* Without a name, those that the processor has */
	for (i = 0; (*wanted || i < montecito_nr_events()) && !event_any(i, &e); i++) {
		if (!event_wanted(e.name, wanted))
			continue;
		events_open_up(args, m, &e);
		more += e.needs_param || e.needs_cores;
		if (how->counted && (e.refused || e.needs_param || e.needs_cores))
			continue;
		shown++;
		causes += i >= montecito_nr_events();
		if (how->json) {
			json_object_array_add(list, events_event_json(&e, event_tests_of(i)));
			continue;
		}
		events_status(&e, st, sizeof(st));
		printf("%-44s 0x%02x   0x%x %-8s %s", e.name, e.code, e.umask, e.counters, st);
		if (e.zero)
			printf(" (always 0: %s)", e.zero);
		putchar('\n');
		if (!how->longer)
			continue;
		printf("    %s (%s)\n", e.definition, e.basis);
		for (test = event_tests_of(i); test && *test; test += strlen(test) + 1)
			printf("      test %s\n", test);
	}
	if (how->json) {
		top = json_object_new_object();
		json_object_object_add(top, "events", list);
		print_object(stdout, top);
	}
	if (how->counted && !how->json)
		printf(more ? "# %zu of %zu counted, and %zu with --cores or --param\n"
			    : "# %zu of %zu counted\n",
		       shown - causes, montecito_nr_events(), more);
	if (!shown && *wanted)
		return fail("no %sevent's name contains %s", how->counted ? "counted " : "",
			    *wanted);
	return 0;
}

int cmd_events(int argc, char **argv)
{
	bool presets = false, metrics = false, machine = false;
	struct shown how = { .json = false };
	struct montecito *m = NULL;
	struct machine_args args;
	const char *pmu = NULL;
	int opt, err = 0;

	machine_args_init(&args);
	args.inproc = true;
	args.timing = true;
	while (!err && (opt = getopt_long(argc, argv, ":jlh", options, NULL)) != -1) {
		switch (opt) {
		case 'h':
			fputs(help, stdout);
			return 0;
		case 'j':
			how.json = true;
			break;
		case 'l':
			how.longer = true;
			break;
		case OPT_COUNTED:
			how.counted = true;
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
		case OPT_CORES:
		case OPT_PARAM:
			machine = true;
			err = machine_option(&args, "events", opt);
			break;
		default:
			err = bad_option("events", argv, opt, options);
		}
	}
	if (!err && (pmu || presets) && machine)
		err = usage_error("events", "--cores and --param are of this processor's events");
	else if (!err && pmu && (presets || metrics))
		err = usage_error("events", "--pmu lists events, not %s",
				  presets ? "opcode classes" : "metrics");
	else if (!err && (presets || metrics) &&
		 (optind < argc || how.counted || presets == metrics))
		err = usage_error("events", "--%s takes no name and no other list",
				  presets ? "presets" : "metrics");
	if (!err && machine)
		err = machine_open(&args, 0, &m);
	if (!err && pmu)
		err = pmu_events(pmu, argv + optind, how.json, how.longer, how.counted);
	else if (!err && (presets || metrics))
		err = presets ? events_list_presets(how.json)
			      : events_list_metrics(args.cores, how.json);
	else if (!err)
		err = events_list(&args, m, argv + optind, &how);
	montecito_close(m);
	machine_args_free(&args);
	return err;
}
