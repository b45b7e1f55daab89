// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Events as people write them: NAME or NAME.UMASK of the event table (manual
 * chapter 4) and modifiers behind colons.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "../../kmod/model/pmu/event_text.h"
#include "eventname.h"
#include "sized.h"

#define MAX_EVENT 256
#define OPC_BITS 41
/* As far as a counter of 47 bits goes [table 3-7]. */
#define MAX_PERIOD ((1ULL << 47) - 1)

static int events_fail(char msg[512], const char *text, const char *fmt, const char *arg)
{
	size_t n = snprintf(msg, 512, "event %s: ", text);

	if (n < 512)
		snprintf(msg + n, 512 - n, fmt, arg);
	return -EINVAL;
}

/* A number that ends at one of @stops; *@s is left there. */
static int events_number(const char **s, const char *stops, uint64_t *value)
{
	char *end;

	if (!isdigit((unsigned char)**s))
		return -EINVAL;
	errno = 0;
	*value = strtoull(*s, &end, 0);
	if (errno || end == *s || !strchr(stops, *end))
		return -EINVAL;
	*s = end;
	return 0;
}

static int events_range(const char *s, uint64_t *lo, uint64_t *hi)
{
	if (events_number(&s, "-", lo) || *s != '-')
		return -EINVAL;
	s++;
	if (events_number(&s, "", hi) || *lo >= *hi)
		return -EINVAL;
	return 0;
}

static int events_opcode(const char *s, struct montecito_filter *f)
{
	static const char units[] = "bfim"; /* bit 0 first */
	uint64_t match, mask;

	if (events_number(&s, "/", &match) || *s++ != '/' || events_number(&s, "/", &mask) ||
	    *s++ != '/' || !*s)
		return -EINVAL;
	if (match >> OPC_BITS || mask >> OPC_BITS)
		return -ERANGE;
	f->opc_match = match;
	f->opc_mask = mask;
	for (f->mifb = 0; *s; s++) {
		const char *u = strchr(units, tolower((unsigned char)*s));

		if (!u)
			return -EINVAL;
		f->mifb |= 1 << (u - units);
	}
	return 0;
}

#define DATA_EAR_EVENTS 0xc8
#define L1I_EAR_EVENTS 0x43

/* :lat=N, the least latency of what an EAR captures: tables 3-16 and 3-21 say which there are. */
static int events_latency(struct montecito_event_spec *spec, const char *mod, char msg[512])
{
	bool insn = spec->filter.code == L1I_EAR_EVENTS;
	unsigned int ear = insn ? MONT_EAR_IEAR_CACHE : MONT_EAR_DEAR_CACHE;
	const char *s = mod + 4;
	uint64_t v = 0;
	char row[64];
	size_t i;

	if ((!insn && spec->filter.code != DATA_EAR_EVENTS) ||
	    (spec->filter.ear && spec->filter.ear != ear))
		return events_fail(msg, spec->text,
				   ":%s: a latency goes with DATA_EAR_EVENTS and L1I_EAR_EVENTS",
				   mod);
	/* The rows of the event table have the latency in their names. */
	snprintf(row, sizeof(row), "%s.CACHE.LAT", insn ? "L1I_EAR_EVENTS" : "DATA_EAR_EVENTS");
	for (i = 0; !events_number(&s, "", &v) && i < MONT_NR_EVENTS; i++, s = mod + 4) {
		const struct mont_event *e = mont_event_at(i);

		if (e->ear != ear || strncmp(e->name, row, strlen(row)) ||
		    strtoull(e->name + strlen(row), NULL, 10) != v)
			continue;
		spec->name = e->name;
		spec->filter.ear = e->ear;
		spec->filter.ear_umask = e->ear_umask;
		return 0;
	}
	return events_fail(
		msg, spec->text,
		insn ? ":%s: a latency is 0, 4, 8, 16, 32, 128, 256, 1024 or 4096 cycles"
		     : ":%s: a latency is 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048 or 4096 "
		       "cycles",
		mod);
}

/* PMC39's fields [table 3-26]: their bits, and the values by name. */
static const struct trace_field {
	const char *name;
	unsigned int shift;
	unsigned int bits;
	const char *value[4];
	const char *values;
} trace_fields[] = {
	{ "ds", 7, 1, { "0", "1" }, "0 or 1" },
	{ "tm", 8, 2, { "none", "not-taken", "taken", "all" }, "none, not-taken, taken or all" },
	{ "ptm", 10, 2, { "none", "wrong", "right", "all" }, "none, wrong, right or all" },
	{ "ppm", 12, 2, { "none", "wrong", "right", "all" }, "none, wrong, right or all" },
	{ "brt", 14, 2, { "all", "iprel", "return", "nretind" }, "all, iprel, return or nretind" },
};

#define TRACE_ALL 0x3f00 /* every branch */

static const struct trace_field *events_trace_field(const char *mod)
{
	size_t i, len = strcspn(mod, "=");

	for (i = 0; mod[len] && i < sizeof(trace_fields) / sizeof(trace_fields[0]); i++)
		if (strlen(trace_fields[i].name) == len && !strncmp(mod, trace_fields[i].name, len))
			return &trace_fields[i];
	return NULL;
}

/* :tm=taken and such: a field of the trace buffer's setting. */
static int events_trace_setting(struct montecito_event_spec *spec, const struct trace_field *field,
				const char *mod, char msg[512])
{
	struct montecito_filter *f = &spec->filter;
	const struct mont_event *e = mont_event_lookup(f->code, f->umask);
	uint64_t mask = ((1ULL << field->bits) - 1) << field->shift, v;
	char text[160];

	if (!e || e->cond != MONT_COND_TRACED)
		return events_fail(msg, spec->text, ":%s: goes with ETB_EVENT", mod);
	if (!(f->flags & MONTECITO_FILTER_ETB))
		f->etb = TRACE_ALL;
	f->flags |= MONTECITO_FILTER_ETB;
	for (v = 0; v < 1U << field->bits; v++) {
		if (strcmp(mod + strlen(field->name) + 1, field->value[v]))
			continue;
		f->etb = (f->etb & ~mask) | v << field->shift;
		return 0;
	}
	snprintf(text, sizeof(text), "%.60s: %s is %s", mod, field->name, field->values);
	return events_fail(msg, spec->text, ":%s", text);
}

static int events_modifier(struct montecito_event_spec *spec, const char *mod, char msg[512])
{
	struct montecito_filter *f = &spec->filter;
	const char *s = mod + 2;
	uint64_t v;
	int err;

	if (!strcmp(mod, "u") || !strcmp(mod, "k") || !strcmp(mod, "uk") || !strcmp(mod, "ku")) {
		if (strchr(mod, 'u'))
			f->plm |= 0x8;
		if (strchr(mod, 'k'))
			f->plm |= 0x7;
		return 0;
	}
	if (!strcmp(mod, "all")) {
		spec->all = true;
		return 0;
	}
	if (!strncmp(mod, "t=", 2)) {
		if (events_number(&s, "", &v) || v > 7)
			return events_fail(msg, spec->text, ":%s: a threshold is 0 to 7", mod);
		f->threshold = v;
		return 0;
	}
	if (!strncmp(mod, "lat=", 4))
		return events_latency(spec, mod, msg);
	if (events_trace_field(mod))
		return events_trace_setting(spec, events_trace_field(mod), mod, msg);
	if (!strncmp(mod, "period=", 7)) {
		s = mod + 7;
		if (events_number(&s, "", &v) || !v || v > MAX_PERIOD)
			return events_fail(msg, spec->text, ":%s: a period is 1 to 2^47 - 1", mod);
		spec->period = v;
		return 0;
	}
	if (!strncmp(mod, "iar=", 4) && mod[4] && !isdigit((unsigned char)mod[4])) {
		free(spec->function);
		spec->function = strdup(mod + 4);
		return spec->function ? 0 : -ENOMEM;
	}
	if (!strncmp(mod, "iar=", 4)) {
		if (events_range(mod + 4, (uint64_t *)&f->iar_lo, (uint64_t *)&f->iar_hi))
			return events_fail(
				msg, spec->text,
				":%s: an address range is LO-HI, LO below HI, or a function", mod);
		f->flags |= MONTECITO_FILTER_IAR;
		return 0;
	}
	if (!strncmp(mod, "dar=", 4)) {
		if (events_range(mod + 4, (uint64_t *)&f->dar_lo, (uint64_t *)&f->dar_hi))
			return events_fail(msg, spec->text,
					   ":%s: an address range is LO-HI, LO below HI", mod);
		f->flags |= MONTECITO_FILTER_DAR;
		return 0;
	}
	if (!strncmp(mod, "opc=@", 5)) {
		spec->preset = montecito_preset_find(mod + 5);
		if (!spec->preset)
			return events_fail(msg, spec->text,
					   ":%s: no such class (see montctl events --presets)",
					   mod);
		f->flags |= MONTECITO_FILTER_OPC;
		f->opc_match = 0;
		f->opc_mask = 0;
		f->mifb = 0;
		return 0;
	}
	if (!strncmp(mod, "opc=", 4)) {
		err = events_opcode(mod + 4, f);
		if (err == -ERANGE)
			return events_fail(msg, spec->text, ":%s: an opcode has 41 bits", mod);
		if (err)
			return events_fail(
				msg, spec->text,
				":%s: an opcode match is MATCH/MASK/UNITS, units of mifb, "
				"or @CLASS",
				mod);
		spec->preset = NULL;
		f->flags |= MONTECITO_FILTER_OPC;
		return 0;
	}
	return events_fail(
		msg, spec->text,
		":%s: no such modifier (u, k, t=N, all, iar=LO-HI, iar=FUNCTION, "
		"dar=LO-HI, opc=MATCH/MASK/mifb, lat=N, period=N, ds, tm, ptm, ppm, brt)",
		mod);
}

/*
 * No row, or several that would do: list the unit masks of the base name, if
 * there is such a base.
 */
static int events_not_one(const char *text, const char *name, bool many, char msg[512])
{
	size_t len = many ? strlen(name) : strcspn(name, "."), n, head, i;
	const struct mont_event *e;

	n = snprintf(msg, 512, "event %s: %s:", text,
		     many ? "say which" : "no such unit mask; there are");
	head = n;
	for (i = 0; (e = event_row(i)); i++) {
		const char *row = e->name;

		if (strncasecmp(row, name, len) || row[len] != '.')
			continue;
		if (n < 512)
			n += snprintf(msg + n, 512 - n, " .%s", row + len + 1);
	}
	if (n == head) {
		char hints[256];

		event_hints(name, hints, sizeof(hints));
		return events_fail(msg, text, "no such event%s", hints);
	}
	return -EINVAL;
}

static int events_parse_one(const char *text, size_t len, struct montecito_event_spec *spec,
			    char msg[512])
{
	char buf[MAX_EVENT], *name = buf, *mod, *save;
	const struct mont_event *ev;
	bool many = false;

	memset(spec, 0, sizeof(*spec));
	spec->text = strndup(text, len);
	if (!spec->text)
		return -ENOMEM;
	if (len >= sizeof(buf))
		return events_fail(msg, spec->text, "%s", "too long");
	strcpy(buf, spec->text);
	/* perf's montecito/NAME/u */
	if (!strncmp(buf, "montecito/", 10) && strchr(buf + 10, '/')) {
		name = buf + 10;
		mod = strchr(name, '/');
		if (mod[1] == ':' || !mod[1])
			memmove(mod, mod + 1, strlen(mod));
		else
			*mod = ':';
	}
	mod = strchr(name, ':');
	if (mod)
		*mod++ = '\0';
	ev = event_by_name(name, &many);
	if (!ev)
		return events_not_one(spec->text, name, many, msg);
	spec->name = ev->name;
	spec->filter.code = ev->code;
	spec->filter.umask = ev->umask;
	/* An event of an EAR has the observer bring one of its own, with the unit mask of the row. */
	if (ev->cond == MONT_COND_DATA_EAR || ev->cond == MONT_COND_INSN_EAR) {
		spec->filter.ear = ev->ear;
		spec->filter.ear_umask = ev->ear_umask;
	}
	for (mod = mod ? strtok_r(mod, ":", &save) : NULL; mod; mod = strtok_r(NULL, ":", &save)) {
		int err = events_modifier(spec, mod, msg);

		if (err)
			return err;
	}
	if (!spec->filter.plm)
		spec->filter.plm = 0xf;
	if (spec->all && ev->all == MONT_ALL_N)
		return events_fail(msg, spec->text, "%s", ":all: the event does not support it");
	return 0;
}

/**
 * struct event_list - the array that a list of events is added to
 * @specs: it
 * @nr: its length
 */
struct event_list {
	struct montecito_event_spec **specs;
	size_t *nr;
};

static int events_event_add(const struct event_list *l, const char *text, size_t len, char msg[512])
{
	struct montecito_event_spec *p = realloc(*l->specs, (*l->nr + 1) * sizeof(*p));

	if (!p) {
		snprintf(msg, 512, "out of memory");
		return -ENOMEM;
	}
	*l->specs = p;
	return events_parse_one(text, len, &p[(*l->nr)++], msg);
}

/* True if a machine of default parameters counts @e. */
static bool events_event_is_counted(const struct mont_event *e)
{
	return !mont_event_refusal(e, ~0U) && !e->castouts && !e->cores;
}

/* The rows that the pattern @text, of @len letters, matches and the model counts. */
static int events_event_glob(const struct event_list *l, const char *text, size_t len,
			     char msg[512])
{
	char pattern[MAX_EVENT], one[2 * MAX_EVENT];
	size_t name = strcspn(text, ":"), first = *l->nr, left_out = 0, i;
	const struct mont_event *e;

	if (name > len)
		name = len;
	snprintf(pattern, sizeof(pattern), "%.*s", (int)len, text);
	if (len >= sizeof(pattern))
		return events_fail(msg, pattern, "%s", "too long");
	pattern[name] = '\0';
	for (i = 0; (e = event_row(i)); i++) {
		int err;

		if (fnmatch(pattern, e->name, FNM_CASEFOLD))
			continue;
		if (!events_event_is_counted(e)) {
			left_out++;
			continue;
		}
		snprintf(one, sizeof(one), "%s%.*s", e->name, (int)(len - name), text + name);
		err = events_event_add(l, one, strlen(one), msg);
		if (err)
			return err;
	}
	if (*l->nr == first)
		return events_fail(msg, pattern, "%s",
				   left_out ? "no event of this pattern is counted"
					    : "no event has a name of this pattern");
	(*l->specs)[first].left_out = left_out;
	return 0;
}

/* One element of a list, @more behind it: the modifiers of its group. */
static int events_event_element(const struct event_list *l, const char *text, size_t len,
				const char *more, size_t more_len, char msg[512])
{
	char one[2 * MAX_EVENT];

	if (!len) {
		snprintf(msg, 512, "an event name is missing between commas");
		return -EINVAL;
	}
	if (len + more_len >= sizeof(one)) {
		snprintf(one, sizeof(one), "%.*s", MAX_EVENT, text);
		return events_fail(msg, one, "%s", "too long");
	}
	snprintf(one, sizeof(one), "%.*s%.*s", (int)len, text, (int)more_len, more);
	if (strcspn(one, "*?[") < strcspn(one, ":"))
		return events_event_glob(l, one, strlen(one), msg);
	return events_event_add(l, one, strlen(one), msg);
}

/* {A,B}:MODIFIERS at @list; *@end is what follows. */
static int events_event_group(const struct event_list *l, const char *list, const char **end,
			      char msg[512])
{
	const char *close = strchr(++list, '}'), *more = close ? close + 1 : NULL;
	size_t more_len = more ? strcspn(more, ",") : 0;
	const char *open = strchr(list, '{');

	if (!close || (open && open < close)) {
		snprintf(msg, 512,
			 close ? "a group has no groups in it" : "a group {A,B} has no end");
		return -EINVAL;
	}
	if (more_len && *more != ':') {
		snprintf(msg, 512, "behind a group {A,B} only modifiers (:u) may stand");
		return -EINVAL;
	}
	*end = more + more_len;
	for (;;) {
		size_t len = strcspn(list, ",}");
		int err = events_event_element(l, list, len, more, more_len, msg);

		if (err)
			return err;
		list += len;
		if (list++ == close)
			return 0;
	}
}

int montecito_events_parse(const char *list, struct montecito_event_spec **specs, size_t *nr,
			   char msg[512])
{
	const struct event_list l = { specs, nr };

	if (!*list) {
		snprintf(msg, 512, "no event is named");
		return -EINVAL;
	}
	while (*list) {
		size_t len = strcspn(list, ",{}");
		int err;

		if (*list == '{') {
			err = events_event_group(&l, list, &list, msg);
			len = 0;
		} else if (list[len] && list[len] != ',') {
			snprintf(msg, 512, "a group {A,B} begins behind a comma");
			err = -EINVAL;
		} else {
			err = events_event_element(&l, list, len, "", 0, msg);
		}
		if (err)
			return err;
		list += len;
		if (*list && !*++list) {
			snprintf(msg, 512, "an event name is missing behind the last comma");
			return -EINVAL;
		}
	}
	return 0;
}

uint64_t montecito_spec_pmds(const struct montecito_event_spec *spec)
{
	const struct montecito_filter *f = &spec->filter;
	const struct mont_event *e =
		f->ear ? mont_event_of_ear(f->code, f->umask, f->ear, f->ear_umask)
		       : mont_event_lookup(f->code, f->umask);

	return e ? mont_event_pmds(e) : 0;
}

void montecito_events_free(struct montecito_event_spec *specs, size_t nr)
{
	while (nr) {
		free(specs[--nr].text);
		free(specs[nr].function);
	}
	free(specs);
}

size_t montecito_nr_events(void)
{
	return MONT_NR_EVENTS;
}

static int events_event_get(const struct mont_event *e, struct montecito_event_info *info)
{
	struct montecito_event_info row = { 0 };

	if (!e)
		return -ERANGE;
	row.name = e->name;
	row.code = e->code;
	row.umask = e->umask;
	row.counters = !e->counters	       ? "none"
		       : e->counters == 0xfff0 ? "4-15"
		       : e->counters == 0x03f0 ? "4-9"
					       : "10";
	row.basis = mont_event_basis(e);
	row.definition = mont_event_definition(e);
	row.refused = mont_event_refusal(e, ~0U);
	row.needs_time = e->needs_time;
	row.needs_param = e->castouts ? "bus.castouts=1" : NULL;
	row.zero = mont_event_zero(e);
	row.needs_cores = e->cores;
	row.of_package = mont_event_of_package(e);
	return SIZED_GIVE(info, &row, needs_time);
}

int montecito_event_get(size_t index, struct montecito_event_info *info)
{
	return events_event_get(index < MONT_NR_EVENTS ? mont_event_at(index) : NULL, info);
}

int montecito_event_of_cause(size_t index, struct montecito_event_info *info)
{
	return events_event_get(mont_event_of_cause(index), info);
}

int montecito_event_beside(size_t index, struct montecito_event_info *info)
{
	return events_event_get(mont_event_beside(index), info);
}
