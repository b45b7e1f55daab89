// SPDX-License-Identifier: GPL-2.0-only
/*
 * montctl stat: run a program and count events, through observers (any number
 * of events, the guest's PMU untouched) or, with --strict, through PMC4-15.
 */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "breakdown.h"
#include "montctl.h"
#include "region.h"
#include "terminal.h"

static const char help[] =
	"Usage: montctl stat [OPTION...] PROG [ARG...]\n\n"
	"Run a program as montctl run does and report event counts when it has ended.\n\n"
	"  -e EVENT[,EVENT...]  what to count (default: where the cycles went, and a few\n"
	"                       events that need no time)\n"
	"  -j                   report one JSON object on one line\n"
	"  -o FILE              report to FILE instead of stderr\n"
	"  --strict             use the PMU's own counters, PMC4-15, and refuse what\n"
	"                       they cannot hold\n" MACHINE_HELP PROGRAM_HELP REGION_HELP
	"\nEVENT is NAME or NAME.UMASK (montctl events lists them), a pattern of names (L3*),\n"
	"or a group of these ({A,B}:u), with modifiers:\n"
	"  :u :k              level 3, levels 0 to 2 (default: all)\n"
	"  :t=N               threshold\n"
	"  :all               of all threads of the core\n"
	"  :iar=LO-HI         instruction addresses from LO to below HI\n"
	"  :iar=FUNCTION      those of a function of the program\n"
	"  :dar=LO-HI         data addresses\n"
	"  :opc=MATCH/MASK/mifb  opcodes; a mask bit of 1 means \"don't care\"\n"
	"  :opc=@CLASS        a class of opcodes (montctl events --presets)\n";

static const char default_events[] =
	"IA64_INST_RETIRED.THIS,NOPS_RETIRED,PREDICATE_SQUASHED_RETIRED,LOADS_RETIRED,"
	"STORES_RETIRED,BR_MISPRED_DETAIL.ALL.ALL_PRED,CPU_CPL_CHANGES.ALL";

/* Loads and stores are in two L1D sets: the registers hold one of them. */
static const char default_strict[] =
	"IA64_INST_RETIRED.THIS,NOPS_RETIRED,PREDICATE_SQUASHED_RETIRED,LOADS_RETIRED,"
	"BR_MISPRED_DETAIL.ALL.ALL_PRED,CPU_CPL_CHANGES.ALL";

enum { OPT_STRICT = OPT_COMMAND };

static const struct option options[] = {
	MACHINE_OPTIONS,
	PROGRAM_OPTIONS,
	REGION_OPTIONS,
	{ "strict", no_argument, NULL, OPT_STRICT },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

/**
 * struct before - what the run had come to where its timed region began
 * @cycles: as those of struct stat
 * @count: likewise
 * @breakdown: likewise
 */
struct before {
	uint64_t cycles;
	uint64_t *count;
	struct breakdown breakdown;
};

struct stat {
	struct machine_args args;
	struct montecito *m;
	struct montecito_event_spec *specs;
	size_t nr;
	size_t nr_ids; /* of one vcpu: --strict one each, else all parts of all events */
	uint32_t *id; /* [vcpu][part of event]: observer, or PMD */
	uint64_t *count; /* [vcpu][event] */
	uint64_t *raw; /* of one vcpu, by id */
	bool strict;
	bool json;
	bool chosen; /* events were given */
	bool off_does; /* no event needs time, and no option asks for it */
	const char *file;
	FILE *out;
	const char *program;
	int status;
	const char *stopped; /* before its end: by what; else NULL */
	uint64_t insns;
	uint64_t cycles;
	struct breakdown breakdown;
	struct region region;
	struct before before;
};

static int add_observers(struct stat *s)
{
	unsigned int v, nr_vcpus = montecito_nr_vcpus(s->m);
	uint32_t *ids = s->id;
	char why[128];
	size_t i, part;
	int id;

	for (v = 0; v < nr_vcpus; v++) {
		for (i = 0; i < s->nr; i++) {
			const struct montecito_event_spec *e = &s->specs[i];

			for (part = 0; part < montecito_spec_parts(e); part++) {
				struct montecito_filter f = montecito_spec_filter(e, part);

				id = montecito_observer_add(s->m, v, &f, 0, why);
				if (id < 0)
					return event_refused(e, why, id, s->args.timing);
				*ids++ = id;
			}
		}
	}
	return 0;
}

static int read_observers(struct stat *s, unsigned int v)
{
	const uint64_t *raw = s->raw;
	size_t i, part;
	int err;

	err = montecito_observer_read(s->m, v, &s->id[v * s->nr_ids], s->raw, s->nr_ids);
	for (i = 0; !err && i < s->nr; i++) {
		uint64_t *count = &s->count[v * s->nr + i];

		for (*count = 0, part = 0; part < montecito_spec_parts(&s->specs[i]); part++)
			*count += *raw++;
	}
	return err;
}

static int start_counters(struct stat *s)
{
	unsigned int v;
	char msg[512];

	for (v = 0; v < montecito_nr_vcpus(s->m); v++)
		if (montecito_strict_start(s->m, v, s->specs, s->nr, &s->id[v * s->nr], msg))
			return fail("--strict: %s%s", msg, timing_hint(s->args.timing, msg));
	return 0;
}

/* With :all, a vcpu's count takes in the other threads of its core. */
static void merge_threads(struct stat *s)
{
	unsigned int nr_vcpus = montecito_nr_vcpus(s->m), v;
	size_t i;

	for (v = 0; s->args.threads == 2 && v < nr_vcpus; v += 2) {
		for (i = 0; i < s->nr; i++) {
			uint64_t *a = &s->count[v * s->nr + i], *b = a + s->nr;

			if (s->specs[i].all) {
				*a += *b;
				*b = *a;
			}
		}
	}
}

static int read_counts(struct stat *s)
{
	unsigned int v;
	uint64_t x;
	size_t i;
	int err = 0;

	s->insns = 0;
	s->cycles = 0;
	for (v = 0; !err && v < montecito_nr_vcpus(s->m); v++) {
		err = montecito_get_reg(s->m, v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS,
					&x);
		s->insns += x;
		if (!err)
			err = montecito_get_reg(s->m, v, MONTECITO_REG_SPECIAL,
						MONTECITO_SPECIAL_CYCLES, &x);
		if (x > s->cycles)
			s->cycles = x;
		if (!s->strict && !err && s->nr)
			err = read_observers(s, v);
		for (i = 0; s->strict && !err && i < s->nr; i++)
			err = montecito_strict_read(s->m, v, s->id[v * s->nr + i],
						    &s->count[v * s->nr + i]);
	}
	if (!err && s->args.timing)
		err = breakdown_read(&s->breakdown, s->m);
	if (err)
		return fail("cannot read the counts: %s", strerror(-err));
	if (!s->strict)
		merge_threads(s);
	return 0;
}

/* Subtract the counts from before the region; there is one vcpu. */
static void leave_out(struct stat *s)
{
	const struct before *b = &s->before;
	size_t i;

	for (i = 0; i < s->nr; i++)
		s->count[i] -= b->count[i];
	s->insns = s->region.to - s->region.from;
	s->cycles -= b->cycles;
	if (s->region.begun)
		breakdown_since(&s->breakdown, &b->breakdown);
}

/* The timed region begins or ends. */
static int region_changes(struct montecito *m, bool begins, void *arg)
{
	struct stat *s = arg;
	struct region *r = &s->region;

	(void)m;
	if (read_counts(s))
		return -ECANCELED;
	if (!begins) {
		r->ended = true;
		r->to = s->insns;
		leave_out(s);
		return 0;
	}
	r->begun = true;
	r->from = s->insns;
	s->before.cycles = s->cycles;
	s->before.breakdown = s->breakdown;
	s->breakdown = (struct breakdown){ 0 };
	memcpy(s->before.count, s->count, s->nr * sizeof(*s->count));
	return 0;
}

/* Of the region, or of all: 0, or EXIT_MONTCTL after a message. */
static int read_results(struct stat *s)
{
	struct region *r = &s->region;

	if (!r->given)
		return read_counts(s);
	if (montecito_get_reg(s->m, 0, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS, &r->all))
		return fail("cannot read the counts");
	if (region_reached(&s->args, r, "counted"))
		return EXIT_MONTCTL;
	if (r->ended)
		return 0;
	if (read_counts(s))
		return EXIT_MONTCTL;
	r->to = r->all;
	leave_out(s);
	return 0;
}

/* All vcpus; with :all each core once. */
static uint64_t total(const struct stat *s, size_t i)
{
	unsigned int step = s->specs[i].all ? s->args.threads : 1, v;
	uint64_t sum = 0;

	for (v = 0; v < montecito_nr_vcpus(s->m); v += step)
		sum += s->count[v * s->nr + i];
	return sum;
}

static double ipc(const struct stat *s)
{
	return s->cycles ? (double)s->insns / (double)s->cycles : 0;
}

static struct json_object *ipc_json(const struct stat *s)
{
	char text[32];

	snprintf(text, sizeof(text), "%.4f", ipc(s));
	return json_object_new_double_s(ipc(s), text);
}

static void report_json(const struct stat *s, FILE *f)
{
	struct json_object *top = json_object_new_object();
	struct json_object *events = json_object_new_array();
	unsigned int nr_vcpus = montecito_nr_vcpus(s->m), v;
	size_t i;

	json_object_object_add(top, "program", json_object_new_string(s->program));
	json_object_object_add(top, "status", json_object_new_int(s->status));
	json_object_object_add(top, "stopped",
			       s->stopped ? json_object_new_string(s->stopped) : NULL);
	json_object_object_add(top, "timing",
			       json_object_new_string(s->args.timing ? "on" : "off"));
	json_object_object_add(top, "region", region_json(&s->region));
	json_object_object_add(top, "cycles",
			       s->args.timing ? json_object_new_uint64(s->cycles) : NULL);
	json_object_object_add(top, "instructions", json_object_new_uint64(s->insns));
	json_object_object_add(top, "ipc", s->args.timing ? ipc_json(s) : NULL);
	json_object_object_add(top, "breakdown",
			       s->args.timing ? breakdown_json(&s->breakdown) : NULL);
	json_object_object_add(top, "vcpus", json_object_new_int(nr_vcpus));
	for (i = 0; i < s->nr; i++) {
		struct json_object *e = json_object_new_object();

		json_object_object_add(e, "event", json_object_new_string(s->specs[i].text));
		json_object_object_add(e, "name", json_object_new_string(s->specs[i].name));
		json_object_object_add(e, "count", json_object_new_uint64(total(s, i)));
		if (nr_vcpus > 1) {
			struct json_object *a = json_object_new_array();

			for (v = 0; v < nr_vcpus; v++)
				json_object_array_add(
					a, json_object_new_uint64(s->count[v * s->nr + i]));
			json_object_object_add(e, "per_vcpu", a);
		}
		json_object_array_add(events, e);
	}
	json_object_object_add(top, "events", events);
	print_object(f, top);
}

static void report_text(const struct stat *s, FILE *f)
{
	unsigned int nr_vcpus = montecito_nr_vcpus(s->m), v;
	char safe[256], buf[32];
	size_t i;

	fprintf(f, "\n %s%s%s: ", terminal_paint(f, PAINT_HEAD),
		plain(s->program, safe, sizeof(safe)), terminal_paint(f, PAINT_NONE));
	if (s->stopped)
		fprintf(f, "stopped before its end (%s)", s->stopped);
	else
		fprintf(f, "exit status %d", s->status);
	fprintf(f, ", timing %s%s\n", s->args.timing ? "on" : "off",
		s->strict ? ", counted on PMC4-15" : "");
	region_text(&s->region, f);
	if (s->off_does)
		fputs(" (none of these events needs time: --timing=off counts the same, faster)\n",
		      f);
	fputc('\n', f);
	if (s->args.timing)
		fprintf(f, " %20s  cycles\n", grouped(s->cycles, f, buf));
	fprintf(f, " %20s  instructions\n", grouped(s->insns, f, buf));
	if (s->args.timing)
		fprintf(f, " %20.2f  instructions per cycle\n", ipc(s));
	if (s->args.timing && !s->chosen) {
		fputc('\n', f);
		breakdown_text(&s->breakdown, f);
	}
	for (i = 0; i < s->nr; i++) {
		const char *mod = strchr(s->specs[i].text, ':');

		fprintf(f, " %20s  %s%s\n", grouped(total(s, i), f, buf), s->specs[i].name,
			mod ? plain(mod, safe, sizeof(safe)) : "");
		for (v = 0; nr_vcpus > 1 && v < nr_vcpus; v++)
			fprintf(f, " %20s    vcpu %u\n", grouped(s->count[v * s->nr + i], f, buf),
				v);
	}
	fputc('\n', f);
}

static int tick(struct montecito *m, void *arg)
{
	(void)arg;
	progress(m);
	return 0;
}

/* Before the program runs: its work shall not be lost for a wrong name. */
static int open_report(struct stat *s)
{
	s->out = s->file ? fopen(s->file, "we") : stderr;
	return s->out ? 0 : fail("-o %s: %s", s->file, strerror(errno));
}

static void write_report(const struct stat *s, FILE *f)
{
	if (s->json)
		report_json(s, f);
	else
		report_text(s, f);
}

static int report(struct stat *s)
{
	bool bad;

	fflush(stdout);
	write_report(s, s->out);
	if (!s->file)
		return ferror(s->out) ? EXIT_MONTCTL : 0;
	bad = ferror(s->out);
	bad |= fclose(s->out) != 0;
	s->out = NULL;
	if (!bad)
		return 0;
	fail("-o %s: %s; the report goes here:", s->file, strerror(errno));
	write_report(s, stderr);
	return EXIT_MONTCTL;
}

/* True if an event needs the timing model. */
static bool needs_time(const struct stat *s)
{
	struct montecito_event_info info = { .size = sizeof(info) };
	size_t i, k;

	for (i = 0; i < s->nr; i++) {
		if (s->specs[i].filter.threshold)
			return true;
		for (k = 0; k < montecito_nr_events(); k++) {
			montecito_event_get(k, &info);
			if (!strcmp(info.name, s->specs[i].name) &&
			    (info.needs_time || info.refused))
				return true;
		}
	}
	return false;
}

static int parse(struct stat *s, int argc, char **argv)
{
	char msg[512];
	int opt, err;

	while ((opt = getopt_long(argc, argv, "+e:jo:h", options, NULL)) != -1) {
		switch (opt) {
		case 'h':
			fputs(help, stdout);
			exit(stdio_close(0));
		case 'e':
			if (event_list("stat", optarg, &s->specs, &s->nr))
				return EXIT_MONTCTL;
			break;
		case 'j':
			s->json = true;
			break;
		case 'o':
			s->file = optarg;
			break;
		case OPT_STRICT:
			s->strict = true;
			break;
		default:
			err = machine_option(&s->args, "stat", opt);
			if (err)
				return err < 0 ? bad_option("stat", argv) : err;
		}
	}
	if (optind == argc)
		return usage_error("stat", "no program given");
	s->program = argv[optind];
	s->chosen = s->nr;
	s->region = region_of(&s->args);
	s->off_does = s->chosen && s->args.timing < 0 && !s->region.given && !needs_time(s);
	if (!s->nr && montecito_events_parse(s->strict ? default_strict : default_events, &s->specs,
					     &s->nr, msg))
		return fail("%s", msg);
	return 0;
}

int cmd_stat(int argc, char **argv)
{
	struct montecito_process *p = NULL;
	struct stat s = { 0 };
	size_t i, nr_vcpus;
	char msg[512];
	int err;

	machine_args_init(&s.args);
	s.args.timed = true;
	s.args.region = region_changes;
	s.args.region_arg = &s;
	err = parse(&s, argc, argv);
	if (!err)
		err = machine_open(&s.args, MONTECITO_CFG_HOST_INTERRUPTIONS, &s.m);
	if (!err)
		err = program_load(&s.args, s.m, argv + optind, &p);
	if (!err && montecito_events_functions(s.specs, s.nr, s.program, msg))
		err = fail("-e: %s", msg);
	if (!err) {
		for (i = 0; i < s.nr; i++)
			s.nr_ids += s.strict ? 1 : montecito_spec_parts(&s.specs[i]);
		nr_vcpus = montecito_nr_vcpus(s.m);
		s.id = calloc(nr_vcpus * s.nr_ids + 1, sizeof(*s.id));
		s.raw = calloc(s.nr_ids + 1, sizeof(*s.raw));
		s.count = calloc(nr_vcpus * s.nr + 1, sizeof(*s.count));
		s.before.count = calloc(s.nr + 1, sizeof(*s.before.count));
		if (!s.id || !s.raw || !s.count || !s.before.count)
			err = fail("out of memory");
	}
	if (!err)
		err = s.strict ? start_counters(&s) : add_observers(&s);
	if (!err)
		err = open_report(&s);
	if (!err) {
		montecito_process_tick(p, 0, tick, NULL);
		err = program_measure(p, &s.status, &s.stopped);
		/* Even a machine that failed has counted. */
		if (!read_results(&s))
			err |= report(&s);
		else
			err = EXIT_MONTCTL;
	}
	if (s.file && s.out)
		fclose(s.out);
	montecito_process_free(p);
	montecito_close(s.m);
	montecito_events_free(s.specs, s.nr);
	breakdown_free(&s.breakdown);
	breakdown_free(&s.before.breakdown);
	free(s.before.count);
	machine_args_free(&s.args);
	free(s.id);
	free(s.raw);
	free(s.count);
	return err ? err : s.status;
}
