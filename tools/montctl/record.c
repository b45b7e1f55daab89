// SPDX-License-Identifier: GPL-2.0-only
/* montctl record: run a program and keep a sample every PERIOD occurrences. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attach.h"
#include "montctl.h"
#include "pmu_kinds.h"
#include "recorder.h"
#include "recorder_pmu.h"
#include "region.h"
#include "samples.h"

static const char help[] =
	"Usage: montctl record [OPTION...] PROG [ARG...] [: PROG [ARG...]]...\n"
	"       montctl record [OPTION...] -p PID|MACHINE [--for SECONDS] [PROG]\n\n"
	"Run a program as montctl run does and sample it: where each PERIODth occurrence\n"
	"of an event happens; with -p a machine that another process runs, whose functions are\n"
	"those of PROG.\n\n"
	"  -e EVENT[,EVENT...]  as for montctl stat (default: " RECORDER_EVENT ")\n"
	"  -c PERIOD            occurrences from one sample to the next (default 100003);\n"
	"                       EVENT:period=N says it of one event\n"
	"  --pmu KIND           sample the events of each -e that follows by another processor's\n"
	"                       PMU (merced, pebs, ev68a), beside the others\n"
	"  -F N                 of cycles: N samples a second of the model's clock\n"
	"  --exact              all occurrences, added up by instruction, instead of samples\n"
	"  --edges              every branch that is taken, from where to where: report --by\n"
	"                       edge counts calls and jumps between functions, --by branch each\n"
	"  --random MASK        bits that intervals differ from the period by (default: as many\n"
	"                       as it has, unless it is prime)\n"
	"  --no-random          every interval is the period\n"
	"  --seed N             of the random numbers (default 0)\n"
	"  -g                   call chains with the samples: exact, of all calls since the start\n"
	"  --max-stack N        of at most N calls (default 127)\n"
	"  -p PID|MACHINE       what the machine of this process does from now on, or the one\n"
	"                       of this number (montctl info)\n"
	"  --for SECONDS        with -p: no longer than that\n"
	"  -o FILE              where the samples go (default: " SAMPLES_FILE
	")\n" MACHINE_HELP PROGRAM_HELP REGION_HELP;

enum {
	OPT_EXACT = OPT_COMMAND,
	OPT_EDGES,
	OPT_RANDOM,
	OPT_NO_RANDOM,
	OPT_SEED,
	OPT_MAX_STACK,
	OPT_PMU,
	OPT_FOR
};

static const struct option options[] = {
	MACHINE_OPTIONS,
	PROGRAM_OPTIONS,
	REGION_OPTIONS,
	{ "exact", no_argument, NULL, OPT_EXACT },
	{ "edges", no_argument, NULL, OPT_EDGES },
	{ "random", required_argument, NULL, OPT_RANDOM },
	{ "no-random", no_argument, NULL, OPT_NO_RANDOM },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "max-stack", required_argument, NULL, OPT_MAX_STACK },
	{ "pmu", required_argument, NULL, OPT_PMU },
	{ "for", required_argument, NULL, OPT_FOR },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

struct record {
	struct machine_args args;
	struct montecito_event_spec *specs;
	size_t nr;
	struct pmu_recording pmu;
	struct recorder out;
	struct region region;
	bool period_given;
	bool edges;
	bool execve; /* a process has begun a program that its samples are not looked up in */
	const char *running;
	struct attached attached;
};

/* Called after each piece of the run. */
static int record_tick(struct montecito *m, void *arg)
{
	struct record *r = arg;
	int err = recorder_drain(&r->out);

	if (!err)
		progress(m);
	return err;
}

#define CALL_EXECVE 1033

static void record_called(struct montecito_process *p, const struct montecito_syscall *c, void *arg)
{
	struct record *r = arg;

	(void)p;
	r->execve = r->execve || (c->nr == CALL_EXECVE && !c->result);
}

/* Samples are taken in the timed region alone. */
static int record_region_changes(struct montecito *m, bool begins, void *arg)
{
	struct record *r = arg;

	(void)m;
	r->region.begun |= begins;
	if (!begins)
		return recorder_unwatch(&r->out);
	return recorder_watch(&r->out) ? -ECANCELED : 0;
}

/* Milliseconds between looks at the rings of a machine that another process runs */
#define DRAIN_MS 2

/* The event of --edges: the trace buffer at each branch that is taken */
#define EDGES "ETB_EVENT:tm=taken:period=1"

#define DATA_EAR_EVENTS 0xc8
#define L1I_EAR_EVENTS 0x43

/* An event of an event address register without a mode has no selection to sample. */
static int record_without_mode(const struct record *r)
{
	size_t i;

	for (i = 0; i < r->nr; i++) {
		const struct montecito_filter *f = &r->specs[i].filter;

		if (f->code == DATA_EAR_EVENTS && !f->ear)
			return fail("record: DATA_EAR_EVENTS needs a mode: .CACHE.LAT4 and up, "
				    ".TLB.ALL, .ALAT and others that montctl events lists");
		if (f->code == L1I_EAR_EVENTS && !f->ear)
			return fail("record: L1I_EAR_EVENTS needs a mode: .CACHE.LAT0 and up, "
				    ".TLB.ALL and others that montctl events lists");
	}
	return 0;
}

#define CPU_OP_CYCLES 0x12

/* Seconds are those of the model's clock, of which only cycles have a fixed number. */
static int record_frequency_fits(const struct record *r)
{
	size_t i;

	if (!r->out.frequency)
		return 0;
	if (r->period_given || r->out.exact)
		return usage_error("record", "-F excludes -c and --exact");
	if (r->pmu.words.nr)
		return usage_error("record", "-F excludes --pmu");
	for (i = 0; i < r->nr; i++)
		if (r->specs[i].filter.code != CPU_OP_CYCLES && !r->specs[i].period)
			return usage_error("record",
					   "-F goes with CPU_OP_CYCLES; %s needs a :period=N",
					   r->specs[i].text);
	return 0;
}

/* All occurrences need no period, and are kept by instruction alone. */
static int record_exact_alone(const struct record *r)
{
	size_t i;

	if (!r->out.exact)
		return 0;
	if (r->period_given || r->out.random != RECORDER_AUTO || r->out.depth)
		return usage_error("record", "--exact takes no -c, --random, --no-random and -g");
	if (r->pmu.words.nr)
		return usage_error("record", "--exact takes no --pmu: its interrupts are samples");
	if (r->edges)
		return usage_error("record", "--edges is exact, and takes no --exact");
	for (i = 0; i < r->nr; i++)
		if (r->specs[i].period)
			return usage_error("record", "--exact takes no :period=N (%s)",
					   r->specs[i].text);
	return 0;
}

static int record_parse(struct record *r, int argc, char **argv)
{
	uint32_t kind = 0;
	char msg[512];
	int opt, err;

	while ((opt = getopt_long(argc, argv, "+:e:c:F:o:p:gh", options, NULL)) != -1) {
		switch (opt) {
		case 'h':
			fputs(help, stdout);
			exit(stdio_close(0));
		case 'e':
			if (kind ? pmu_words_add(&r->pmu.words, kind, optarg)
				 : event_list("record", optarg, &r->specs, &r->nr))
				return EXIT_MONTCTL;
			break;
		case OPT_PMU:
			kind = pmu_kind_of("record", optarg);
			if (!kind)
				return EXIT_MONTCTL;
			break;
		case 'c':
			if (recorder_period(&r->out, "record", optarg))
				return EXIT_MONTCTL;
			r->period_given = true;
			break;
		case 'F':
			if (recorder_frequency(&r->out, "record", optarg))
				return EXIT_MONTCTL;
			break;
		case OPT_EXACT:
			r->out.exact = true;
			break;
		case OPT_EDGES:
			if (montecito_events_parse(EDGES, &r->specs, &r->nr, msg))
				return fail("%s", msg);
			r->edges = true;
			break;
		case OPT_RANDOM:
			if (recorder_mask(&r->out, "record", optarg))
				return EXIT_MONTCTL;
			break;
		case OPT_NO_RANDOM:
			r->out.random = RECORDER_FIXED;
			break;
		case OPT_SEED:
			if (recorder_seed(&r->out, "record", optarg))
				return EXIT_MONTCTL;
			break;
		case 'g':
			if (!r->out.depth)
				r->out.depth = MONTECITO_MAX_CALLCHAIN;
			break;
		case OPT_MAX_STACK:
			if (recorder_depth(&r->out, "record", optarg))
				return EXIT_MONTCTL;
			break;
		case 'p':
			r->running = optarg;
			break;
		case OPT_FOR:
			if (attach_for(&r->attached, "record", optarg))
				return EXIT_MONTCTL;
			break;
		case 'o':
			r->out.path = optarg;
			break;
		default:
			err = machine_option(&r->args, "record", opt);
			if (err)
				return err < 0 ? bad_option("record", argv, opt, options) : err;
		}
	}
	r->region = region_of(&r->args);
	if (!r->running && r->attached.milliseconds)
		return usage_error("record", "--for goes with -p");
	if (r->running && argc - optind > 1)
		return usage_error("record", "%s: with -p only the program itself is named",
				   argv[optind + 1]);
	if (!r->running && optind == argc)
		return usage_error("record", "no program given");
	if (kind && !r->pmu.words.nr)
		return usage_error("record", "--pmu: no -e with its events follows");
	if (!r->nr && !r->pmu.words.nr &&
	    montecito_events_parse(r->out.frequency ? "CPU_OP_CYCLES" : RECORDER_EVENT, &r->specs,
				   &r->nr, msg))
		return fail("%s", msg);
	return record_frequency_fits(r) || record_exact_alone(r) || record_without_mode(r)
		       ? EXIT_MONTCTL
		       : 0;
}

/* The program is loaded: sample it to its end. */
static int record_run(struct record *r, const char *program, struct montecito_process *p,
		      int *status)
{
	struct montecito_symbols *sym = montecito_symbols_load(program);
	const char *stopped;
	int err;

	r->out.specs = r->specs;
	r->out.nr = r->nr;
	r->out.pmu = &r->pmu;
	r->out.program = program;
	r->out.process = p;
	r->out.timing = r->args.timing;
	r->out.whole = !r->region.given;
	r->out.identity = montecito_symbols_identity(sym);
	err = recorder_start(&r->out);
	montecito_symbols_free(sym);
	if (err)
		return err;
	/* Sampling was tried only to see whether it can be done; it begins with the region. */
	if (r->args.time_from && recorder_unwatch(&r->out))
		return fail("cannot stop sampling");
	montecito_process_tick(p, recorder_slice(&r->out), record_tick, r);
	montecito_process_trace(p, record_called, r);
	err = program_measure(p, status, &stopped);
	if (!err && !montecito_get_reg(r->out.m, 0, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS,
				       &r->region.all))
		err = region_reached(&r->args, &r->region, "sampled");
	if (r->execve)
		(void)fail(
			"record: execve has begun a program: its addresses are named as %s has them",
			program);
	/* Even of a machine that failed there are samples. */
	return err | recorder_finish(&r->out, stopped);
}

static int record_drain(void *arg)
{
	struct record *r = arg;
	int err = recorder_drain(&r->out);

	return err ? fail("cannot read the samples: %s", strerror(-err)) : 0;
}

/* The machine of another process, from now on; @program names its functions, or is NULL. */
static int record_run_attached(struct record *r, const char *program)
{
	struct montecito_symbols *sym = NULL;
	uint64_t lo, hi;
	int err = attach_open(&r->attached, &r->args, "record", r->running);

	r->out.m = r->attached.m;
	if (err)
		return err;
	err = attach_functions("record", r->specs, r->nr, program);
	if (err)
		return err;
	if (program) {
		sym = montecito_symbols_load(program);
		if (!montecito_symbols_at(sym, 0, &lo, &hi)) {
			montecito_symbols_free(sym);
			return fail("%s has no names of functions", program);
		}
	}
	r->out.specs = r->specs;
	r->out.nr = r->nr;
	r->out.pmu = &r->pmu;
	r->out.program = program ? program : r->attached.name;
	r->out.timing = r->args.timing;
	r->out.running = true;
	r->out.identity = sym ? montecito_symbols_identity(sym) : "";
	err = recorder_start(&r->out);
	montecito_symbols_free(sym);
	if (err)
		return err;
	err = attach_wait(&r->attached, DRAIN_MS, record_drain, r);
	return err | recorder_finish(&r->out, NULL);
}

int cmd_record(int argc, char **argv)
{
	struct record r = { .out = { .period = RECORDER_PERIOD, .path = SAMPLES_FILE },
			    .attached = { .pidfd = -1 } };
	struct montecito_process *p = NULL;
	char msg[512];
	int err, status = 0;
	char *program;

	machine_args_init(&r.args);
	r.args.timed = true;
	r.args.region = record_region_changes;
	r.args.region_arg = &r;
	err = record_parse(&r, argc, argv);
	program = program_first(&r.args, argv + optind);
	if (!err && r.running) {
		err = record_run_attached(&r, program);
		goto out;
	}
	if (!err)
		err = machine_open(&r.args, PROGRAM_CONFIG, &r.out.m);
	if (!err)
		err = program_load(&r.args, r.out.m, argv + optind, &p);
	if (!err && r.args.mixed)
		err = fail("record: programs of one file, in which addresses are looked up");
	if (!err && montecito_events_functions(r.specs, r.nr, program, msg))
		err = fail("-e: %s", msg);
	if (!err)
		err = record_run(&r, program, p, &status);
out:
	montecito_process_free(p);
	attach_close(&r.attached);
	recorder_free(&r.out);
	montecito_close(r.out.m);
	pmu_record_free(&r.pmu);
	montecito_events_free(r.specs, r.nr);
	machine_args_free(&r.args);
	return err ? err : status;
}
