// SPDX-License-Identifier: GPL-2.0-only
/* montctl record: run a program and keep a sample every PERIOD occurrences. */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "montctl.h"
#include "samples.h"

#define DEFAULT_EVENT "IA64_INST_RETIRED.THIS"
#define DEFAULT_PERIOD 100003
#define RING_ORDER 6
#define PAGE 4096

static const char help[] =
	"Usage: montctl record [OPTION...] PROG [ARG...]\n\n"
	"Run a program as montctl run does and sample it: where each PERIODth occurrence\n"
	"of an event happens.\n\n"
	"  -e EVENT[,EVENT...]  as for montctl stat (default: " DEFAULT_EVENT ")\n"
	"  -c PERIOD            occurrences from one sample to the next (default 100003)\n"
	"  -o FILE              where the samples go (default: " SAMPLES_FILE
	")\n" MACHINE_HELP PROGRAM_HELP;

static const struct option options[] = {
	MACHINE_OPTIONS,
	PROGRAM_OPTIONS,
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

struct record {
	struct machine_args args;
	struct montecito *m;
	struct montecito_event_spec *specs;
	size_t nr;
	uint32_t *id; /* [vcpu][event]: observer */
	uint64_t period;
	const char *path;
	FILE *f;
	uint64_t samples;
	int error; /* what befell the file */
};

/* Observers are numbered as each backend likes; in the file events count from 0. */
static int renumber(const struct record *r, unsigned int vcpu, struct montecito_record_sample *s)
{
	size_t i;

	for (i = 0; i < r->nr; i++) {
		if (r->id[vcpu * r->nr + i] == s->source) {
			s->source = i;
			return 0;
		}
	}
	return -EPROTO;
}

/* Empty the rings into the file; called after each piece of the run. */
static int drain(struct montecito *m, void *arg)
{
	struct record *r = arg;
	union {
		struct montecito_record_header h;
		struct montecito_record_sample s;
		char raw[512];
	} u;
	unsigned int v;
	int len = 0;

	for (v = 0; !r->error && v < montecito_nr_vcpus(m); v++) {
		while ((len = montecito_ring_read(m, v, &u, sizeof(u))) > 0) {
			if (u.h.type == MONTECITO_RECORD_SAMPLE) {
				if (renumber(r, v, &u.s))
					return -EPROTO;
				r->samples++;
			}
			if (fwrite(&u, len, 1, r->f) != 1) {
				r->error = errno;
				return -EIO;
			}
		}
		if (len < 0)
			return len;
	}
	progress(m);
	return r->error ? -EIO : 0;
}

static int write_header(struct record *r, const char *program)
{
	struct json_object *top = json_object_new_object();
	struct json_object *events = json_object_new_array();
	struct montecito_symbols *sym = montecito_symbols_load(program);
	char *full = realpath(program, NULL);
	size_t i;

	json_object_object_add(top, "format", json_object_new_string(SAMPLES_FORMAT));
	json_object_object_add(top, "program", json_object_new_string(full ? full : program));
	json_object_object_add(top, "identity",
			       json_object_new_string(montecito_symbols_identity(sym)));
	json_object_object_add(top, "period", json_object_new_uint64(r->period));
	for (i = 0; i < r->nr; i++) {
		struct json_object *e = json_object_new_object();

		json_object_object_add(e, "event", json_object_new_string(r->specs[i].text));
		json_object_object_add(e, "name", json_object_new_string(r->specs[i].name));
		json_object_array_add(events, e);
	}
	json_object_object_add(top, "events", events);
	if (fprintf(r->f, "%s\n", json_object_to_json_string_ext(top, JSON_C_TO_STRING_PLAIN)) <
		    0 ||
	    fflush(r->f))
		r->error = errno;
	json_object_put(top);
	montecito_symbols_free(sym);
	free(full);
	return r->error ? fail("-o %s: %s", r->path, strerror(r->error)) : 0;
}

static int add_observers(struct record *r)
{
	unsigned int v;
	char why[128];
	size_t i;
	int id;

	r->id = calloc(montecito_nr_vcpus(r->m) * r->nr, sizeof(*r->id));
	if (!r->id)
		return fail("out of memory");
	for (v = 0; v < montecito_nr_vcpus(r->m); v++) {
		id = montecito_ring_open(r->m, v, RING_ORDER, 0);
		if (id)
			return fail("cannot make a sampling ring: %s", strerror(-id));
		for (i = 0; i < r->nr; i++) {
			if (montecito_spec_parts(&r->specs[i]) > 1)
				return fail("event %s: @%s takes several matchers, which have "
					    "no period in common",
					    r->specs[i].text, r->specs[i].preset->name);
			id = montecito_observer_add(r->m, v, &r->specs[i].filter, r->period, why);
			if (id < 0)
				return fail("event %s (%s): %s", r->specs[i].text, r->specs[i].name,
					    *why ? why : strerror(-id));
			r->id[v * r->nr + i] = id;
		}
	}
	return 0;
}

/* Instructions after which the ring cannot have overflowed. */
static uint64_t slice(const struct record *r)
{
	uint64_t room = ((uint64_t)PAGE << RING_ORDER) / sizeof(struct montecito_record_sample);
	uint64_t insns = r->period * (room / (2 * r->nr) + 1);

	return insns < 1000 ? 1000 : insns;
}

static int parse(struct record *r, int argc, char **argv)
{
	char msg[512];
	int opt, err;

	while ((opt = getopt_long(argc, argv, "+e:c:o:h", options, NULL)) != -1) {
		switch (opt) {
		case 'h':
			fputs(help, stdout);
			exit(stdio_close(0));
		case 'e':
			if (montecito_events_parse(optarg, &r->specs, &r->nr, msg))
				return usage_error("record", "-e: %s", msg);
			break;
		case 'c':
			if (parse_number(optarg, &r->period) || !r->period ||
			    r->period > 1ULL << 46)
				return usage_error("record", "-c %s: not a period", optarg);
			break;
		case 'o':
			r->path = optarg;
			break;
		default:
			err = machine_option(&r->args, "record", opt);
			if (err)
				return err < 0 ? bad_option("record", argv) : err;
		}
	}
	if (optind == argc)
		return usage_error("record", "no program given");
	if (!r->nr && montecito_events_parse(DEFAULT_EVENT, &r->specs, &r->nr, msg))
		return fail("%s", msg);
	return 0;
}

/* Write what is left, and close the file. */
static int finish(struct record *r, const char *stopped)
{
	struct samples_end end = {
		.header = { .type = SAMPLES_END, .size = sizeof(end) },
	};
	unsigned int v;
	int err;

	err = drain(r->m, r);
	for (v = 0; v < montecito_nr_vcpus(r->m); v++)
		end.lost += montecito_ring_lost(r->m, v);
	end.samples = r->samples;
	if (!r->error && fwrite(&end, sizeof(end), 1, r->f) != 1)
		r->error = errno;
	if (fclose(r->f) && !r->error)
		r->error = errno;
	r->f = NULL;
	if (r->error)
		return fail("-o %s: %s; the file is cut off", r->path, strerror(r->error));
	if (err)
		return fail("cannot read the samples: %s", strerror(-err));
	fflush(stdout);
	fprintf(stderr, "montctl: %" PRIu64 " samples in %s", r->samples, r->path);
	if (end.lost)
		fprintf(stderr, ", %" PRIu64 " lost", end.lost);
	if (stopped)
		fprintf(stderr, ", stopped before the program's end (%s)", stopped);
	fputc('\n', stderr);
	return 0;
}

int cmd_record(int argc, char **argv)
{
	struct record r = { .period = DEFAULT_PERIOD, .path = SAMPLES_FILE };
	struct montecito_process *p = NULL;
	const char *stopped;
	char msg[512];
	int err, status = 0;
	char *program;

	machine_args_init(&r.args);
	err = parse(&r, argc, argv);
	program = argv[optind];
	if (!err)
		err = machine_open(&r.args, MONTECITO_CFG_HOST_INTERRUPTIONS, &r.m);
	if (!err)
		err = program_load(&r.args, r.m, argv + optind, &p);
	if (!err && montecito_events_functions(r.specs, r.nr, program, msg))
		err = fail("-e: %s", msg);
	if (!err)
		err = add_observers(&r);
	if (!err) {
		r.f = fopen(r.path, "we");
		if (!r.f)
			err = fail("-o %s: %s", r.path, strerror(errno));
	}
	if (!err)
		err = write_header(&r, program);
	if (!err) {
		montecito_process_tick(p, slice(&r), drain, &r);
		err = program_measure(p, &status, &stopped);
		/* Even of a machine that failed there are samples. */
		err |= finish(&r, stopped);
	}
	if (r.f)
		fclose(r.f);
	montecito_process_free(p);
	montecito_close(r.m);
	montecito_events_free(r.specs, r.nr);
	machine_args_free(&r.args);
	free(r.id);
	return err ? err : status;
}
