// SPDX-License-Identifier: GPL-2.0-only
/* Other processors' PMUs, and the lists of their events. */
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "montctl.h"
#include "pmu_kinds.h"
#include "terminal.h"

static const struct {
	const char *name;
	uint32_t kind;
} kinds[] = {
	{ "merced", MONTECITO_PMU_MERCED },
	{ "pebs", MONTECITO_PMU_PEBS },
	{ "ev68a", MONTECITO_PMU_EV68A },
};

static const char *const likeness[] = {
	[MONTECITO_LIKE_NONE] = "none",
	[MONTECITO_LIKE_SAME] = "same",
	[MONTECITO_LIKE_ANALOGUE] = "analogue",
};

uint32_t pmu_kind_named(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcasecmp(name, kinds[i].name))
			return kinds[i].kind;
	return 0;
}

uint32_t pmu_kind_of(const char *command, const char *name)
{
	uint32_t kind = pmu_kind_named(name);

	if (!kind)
		usage_error(command, "--pmu %s: no such PMU; there are merced, pebs and ev68a",
			    name);
	return kind;
}

const char *pmu_kind_name(uint32_t kind)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].kind == kind)
			return kinds[i].name;
	return "unknown";
}

const char *pmu_likeness(uint32_t like)
{
	return like < sizeof(likeness) / sizeof(likeness[0]) ? likeness[like] : "unknown";
}

/* The counters of a mask, as a range. */
static void pmu_kinds_counters_text(uint32_t mask, char buf[16])
{
	snprintf(buf, 16, "%d-%d", __builtin_ctz(mask), 31 - __builtin_clz(mask));
}

static void pmu_kinds_status_text(const struct montecito_pmu_describe *d, char *buf, size_t len)
{
	if (d->why[0])
		snprintf(buf, len, "refused: %s", d->why);
	else
		snprintf(buf, len, "counted%s", d->needs_time ? " with time" : "");
}

static struct json_object *pmu_kinds_event_json(const struct montecito_pmu_describe *d,
						const char *status)
{
	struct json_object *o = json_object_new_object();
	char counters[16];

	pmu_kinds_counters_text(d->counters, counters);
	json_object_object_add(o, "name", json_object_new_string(d->name));
	json_object_object_add(o, "code", json_object_new_int(d->code));
	json_object_object_add(o, "umask", json_object_new_int(d->umask));
	json_object_object_add(o, "counters", json_object_new_string(counters));
	json_object_object_add(o, "needs_time", json_object_new_boolean(d->needs_time));
	json_object_object_add(o, "status", json_object_new_string(status));
	json_object_object_add(o, "likeness", json_object_new_string(pmu_likeness(d->likeness)));
	json_object_object_add(o, "counts_as", d->row[0] ? json_object_new_string(d->row) : NULL);
	json_object_object_add(o, "definition", json_object_new_string(d->text));
	return o;
}

static void pmu_kinds_event_print(const struct montecito_pmu_describe *d, const char *status,
				  bool longer)
{
	char counters[16];

	pmu_kinds_counters_text(d->counters, counters);
	printf("%-58s 0x%02x   0x%x %-8s %-8s %s\n", d->name, d->code, d->umask, counters,
	       pmu_likeness(d->likeness), status);
	if (longer)
		printf("    %s\n", d->text);
}

/* Go through the events of @kind, which a machine describes that need not be the caller's. */
static int pmu_kinds_list(struct montecito *m, uint32_t kind, char **names, struct json_object *to,
			  bool longer, bool counted)
{
	struct montecito_pmu_describe d = { .flags = MONTECITO_PMU_EVENT, .kind = kind };
	unsigned int shown = 0, nr = 0;
	char status[256];

	for (d.index = 0; !montecito_pmu_describe(m, 0, &d); d.index++) {
		nr++;
		if (!event_wanted(d.name, names) || (counted && d.why[0]))
			continue;
		shown++;
		pmu_kinds_status_text(&d, status, sizeof(status));
		if (to)
			json_object_array_add(to, pmu_kinds_event_json(&d, status));
		else
			pmu_kinds_event_print(&d, status, longer);
	}
	if (counted && !to)
		printf("# %u of %u counted\n", shown, nr);
	if (!shown && *names)
		return fail("no %sevent's name contains %s", counted ? "counted " : "", *names);
	return 0;
}

int pmu_events(const char *name, char **names, bool json, bool longer, bool counted)
{
	struct montecito_options opt = {
		.size = sizeof(opt), .cores = 1, .threads = 1, .memory = 1 << 20
	};
	struct json_object *to = json ? json_object_new_array() : NULL, *top;
	uint32_t kind = pmu_kind_of("events", name);
	struct montecito *m;
	int err;

	if (!kind)
		return EXIT_MONTCTL;
	err = montecito_open(&opt, &m);
	if (err)
		return fail("cannot make a machine that has this PMU: %s", strerror(-err));
	if (!json) {
		terminal_page();
		printf("%-58s %4s %5s %-8s %-8s %s\n", "NAME", "CODE", "UMASK", "COUNTERS",
		       "LIKENESS", "STATUS");
	}
	err = pmu_kinds_list(m, kind, names, to, longer, counted);
	montecito_close(m);
	if (json) {
		top = json_object_new_object();
		json_object_object_add(top, "pmu", json_object_new_string(name));
		json_object_object_add(top, "events", to);
		print_object(stdout, top);
	}
	return err;
}
