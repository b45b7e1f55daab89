// SPDX-License-Identifier: GPL-2.0-only
/* montctl events: the event table. */
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "montctl.h"

static const char help[] =
	"Usage: montctl events [-j] [-l] [NAME...]\n\n"
	"List the processor's events, or those whose name begins with NAME: how they are\n"
	"encoded, which counters take them, and whether the model counts them.\n\n"
	"  -j   one JSON object\n"
	"  -l   with definitions\n";

static const struct option options[] = {
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static bool wanted(const struct montecito_event_info *e, char **names)
{
	if (!*names)
		return true;
	for (; *names; names++)
		if (!strncasecmp(e->name, *names, strlen(*names)))
			return true;
	return false;
}

static void status(const struct montecito_event_info *e, char *buf, size_t len)
{
	snprintf(buf, len, "%s%s", e->refused ? "refused: " : "counted",
		 e->refused ? e->refused : "");
}

static struct json_object *event_json(const struct montecito_event_info *e)
{
	struct json_object *o = json_object_new_object();
	char st[256];

	status(e, st, sizeof(st));
	json_object_object_add(o, "name", json_object_new_string(e->name));
	json_object_object_add(o, "code", json_object_new_int(e->code));
	json_object_object_add(o, "umask", json_object_new_int(e->umask));
	json_object_object_add(o, "counters", json_object_new_string(e->counters));
	json_object_object_add(o, "needs_time", json_object_new_boolean(e->needs_time));
	json_object_object_add(o, "status", json_object_new_string(st));
	json_object_object_add(o, "basis", json_object_new_string(e->basis));
	json_object_object_add(o, "definition", json_object_new_string(e->definition));
	return o;
}

int cmd_events(int argc, char **argv)
{
	struct json_object *list = NULL, *top;
	struct montecito_event_info e;
	bool json = false, longer = false;
	size_t i, shown = 0;
	char st[256];
	int opt;

	while ((opt = getopt_long(argc, argv, "jlh", options, NULL)) != -1) {
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
		default:
			return bad_option("events", argv);
		}
	}
	if (json)
		list = json_object_new_array();
	else
		printf("%-44s %4s %5s %-8s %s\n", "NAME", "CODE", "UMASK", "COUNTERS", "STATUS");
	for (i = 0; i < montecito_nr_events(); i++) {
		montecito_event_get(i, &e);
		if (!wanted(&e, argv + optind))
			continue;
		shown++;
		if (json) {
			json_object_array_add(list, event_json(&e));
			continue;
		}
		status(&e, st, sizeof(st));
		printf("%-44s 0x%02x   0x%x %-8s %s\n", e.name, e.code, e.umask, e.counters, st);
		if (longer)
			printf("    %s (%s)\n", e.definition, e.basis);
	}
	if (json) {
		top = json_object_new_object();
		json_object_object_add(top, "events", list);
		printf("%s\n", json_object_to_json_string_ext(top, JSON_C_TO_STRING_PLAIN |
							      JSON_C_TO_STRING_NOSLASHESCAPE));
		json_object_put(top);
	}
	return shown ? 0 : fail("no event's name begins with %s", argv[optind]);
}
