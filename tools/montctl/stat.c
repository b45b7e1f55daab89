// SPDX-License-Identifier: GPL-2.0-only
/*
 * montctl stat: run a program and count events, through observers (any number
 * of events, the guest's PMU untouched) or, with --strict, through PMC4-15.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu_kinds.h"
#include "stat.h"

static const char help[] =
	"Usage: montctl stat [OPTION...] PROG [ARG...] [: PROG [ARG...]]...\n"
	"       montctl stat [OPTION...] -p PID|MACHINE [--for SECONDS] [PROG]\n\n"
	"Run a program as montctl run does and report event counts when it has ended; with -p\n"
	"those of a machine that another process runs, up to its end.\n\n"
	"  -e EVENT[,EVENT...]  what to count (default: where the cycles went, and a few\n"
	"                       events that need no time)\n"
	"  --pmu KIND           count the events of each -e that follows by another processor's\n"
	"                       PMU (merced, pebs, ev68a), beside the others; events --pmu KIND\n"
	"  -M METRIC[,METRIC...]  ratios and sums of events that the manual names\n"
	"                       (montctl events --metrics), with these events\n"
	"  -I N                 a row of counts each N milliseconds of the guest's time;\n"
	"                       Nus, Nc or Ni: microseconds, cycles, instructions\n"
	"  -r N                 run N times: mean, and how far runs are from it\n"
	"  --param NAME=VALUE,VALUE...  run with each value: a table; with several\n"
	"                       parameters each with each\n"
	"  --what-if CAUSE[,CAUSE...]  run once more without each cause of lost cycles:\n"
	"                       what an end to it would gain; each: all that can be\n"
	"  -p PID|MACHINE       what the machine of this process does from now on, or the one\n"
	"                       of this number (montctl info)\n"
	"  --for SECONDS        with -p: no longer than that\n"
	"  -j                   report one JSON object on one line\n"
	"  -x SEP               report one line a count, fields apart by SEP; tables as CSV\n"
	"  --svg FILE           the table of -I or --param as charts\n"
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

/* Prediction is part of time. */
static const char default_timed[] =
	"BR_MISPRED_DETAIL.ALL.WRONG_PATH,BR_MISPRED_DETAIL.ALL.WRONG_TARGET";

/* Loads and stores are in two L1D sets: the registers hold one of them. */
static const char default_strict[] =
	"IA64_INST_RETIRED.THIS,NOPS_RETIRED,PREDICATE_SQUASHED_RETIRED,LOADS_RETIRED,"
	"BR_MISPRED_DETAIL.ALL.ALL_PRED,CPU_CPL_CHANGES.ALL";

#define MAX_REPEAT 1000

enum { OPT_STRICT = OPT_COMMAND, OPT_SVG, OPT_PMU, OPT_WHAT_IF, OPT_FOR };

static const struct option options[] = {
	MACHINE_OPTIONS,
	PROGRAM_OPTIONS,
	REGION_OPTIONS,
	{ "strict", no_argument, NULL, OPT_STRICT },
	{ "svg", required_argument, NULL, OPT_SVG },
	{ "pmu", required_argument, NULL, OPT_PMU },
	{ "for", required_argument, NULL, OPT_FOR },
	{ "what-if", required_argument, NULL, OPT_WHAT_IF },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static int stat_tick(struct montecito *m, void *arg)
{
	struct counting *s = arg;

	progress(m);
	return stat_count_check(s) ? -ECANCELED : pmu_count_read(&s->pmu, m);
}

/* True if an event needs the timing model. */
static bool stat_needs_time(const struct counting *s)
{
	struct montecito_event_info info = { .size = sizeof(info) };
	size_t i, k;

	for (i = 0; i < s->nr; i++) {
		if (s->specs[i].filter.threshold)
			return true;
		for (k = 0; !event_any(k, &info); k++) {
			if (!strcmp(info.name, s->specs[i].name) &&
			    (info.needs_time || info.refused))
				return true;
		}
	}
	return false;
}

/* Refuse options that exclude each other. */
static int stat_check_options(const struct counting *s)
{
	bool interval = s->interval.insns || s->interval.cycles, many = s->repeat > 1 || s->nr_axes;

	if (s->separator && s->json)
		return usage_error("stat", "-x and -j exclude each other");
	if (interval && many)
		return usage_error("stat", "-I is of one run: it takes neither -r nor --param with "
					   "several values");
	if (interval && (s->args.time_from || s->args.time_to))
		return usage_error("stat", "-I is of the whole run: it takes no --time-from or "
					   "--time-to");
	if (s->repeat > 1 && s->nr_axes)
		return usage_error("stat", "-r and --param with several values exclude each other");
	if (s->pmu.words.nr && (interval || many || s->args.time_from || s->args.time_to))
		return usage_error("stat", "--pmu is of one run, whole: it takes neither -I, -r, "
					   "--time-from, --time-to nor --param with several "
					   "values");
	if (s->what_if && (interval || many || s->pmu.words.nr))
		return usage_error("stat",
				   "--what-if takes no -I, -r, --pmu or --param with several "
				   "values");
	if (s->what_if && (s->nr || s->metrics.nr_lists))
		return usage_error("stat", "--what-if tells of cycles: it takes neither -e nor -M");
	if (s->what_if && !s->args.timing)
		return usage_error("stat", "--what-if needs the timing model");
	if (s->running && (interval || many || s->what_if || s->strict || s->pmu.words.nr))
		return usage_error("stat",
				   "-p takes no -I, -r, --param, --what-if, --strict or --pmu");
	if (s->svg && !interval && !s->nr_axes)
		return usage_error("stat",
				   "--svg draws the table of -I, or of --param with several "
				   "values");
	return 0;
}

static int stat_parse(struct counting *s, int argc, char **argv)
{
	uint32_t kind = 0;
	char msg[512];
	int opt, err;

	while ((opt = getopt_long(argc, argv, "+:e:M:I:r:x:jo:p:h", options, NULL)) != -1) {
		switch (opt) {
		case 'h':
			fputs(help, stdout);
			exit(stdio_close(0));
		case 'e':
			if (kind ? pmu_words_add(&s->pmu.words, kind, optarg)
				 : event_list("stat", optarg, &s->specs, &s->nr))
				return EXIT_MONTCTL;
			break;
		case OPT_PMU:
			kind = pmu_kind_of("stat", optarg);
			if (!kind)
				return EXIT_MONTCTL;
			break;
		case 'M':
			if (metrics_option(&s->metrics, optarg))
				return EXIT_MONTCTL;
			break;
		case 'I':
			if (interval_option(s, optarg))
				return EXIT_MONTCTL;
			break;
		case 'r':
			if (parse_number(optarg, &s->repeat) || !s->repeat ||
			    s->repeat > MAX_REPEAT)
				return usage_error("stat", "-r %s: must be 1 to %d runs", optarg,
						   MAX_REPEAT);
			break;
		case 'x':
			if (!*optarg)
				return usage_error("stat", "-x: a separator is missing");
			s->separator = optarg;
			break;
		case OPT_SVG:
			s->svg = optarg;
			break;
		case 'p':
			s->running = optarg;
			break;
		case OPT_FOR:
			if (attach_for(&s->attached, "stat", optarg))
				return EXIT_MONTCTL;
			break;
		case OPT_WHAT_IF:
			s->what_if = optarg;
			break;
		case OPT_PARAM:
			err = strchr(optarg, ',') ? axis_option(s, optarg)
						  : machine_option(&s->args, "stat", opt);
			if (err)
				return err;
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
				return err < 0 ? bad_option("stat", argv, opt, options) : err;
		}
	}
	if (s->running && argc - optind > 1)
		return usage_error("stat", "%s: with -p only the program itself is named",
				   argv[optind + 1]);
	if (!s->running && s->attached.milliseconds)
		return usage_error("stat", "--for goes with -p");
	if (!s->running && optind == argc)
		return usage_error("stat", "no program given");
	if (kind && !s->pmu.words.nr)
		return usage_error("stat", "--pmu: no -e with its events follows");
	err = stat_check_options(s);
	if (!err)
		err = event_periods("stat", s->specs, s->nr);
	if (err)
		return err;
	s->program = program_first(&s->args, argv + optind);
	s->chosen = s->nr || s->metrics.nr_lists || s->pmu.words.nr;
	s->region = region_of(&s->args);
	if (s->running) {
		err = attach_open(&s->attached, &s->args, "stat", s->running);
		if (err)
			return err;
		s->m = s->attached.m;
		s->program = s->attached.name;
	}
	err = metrics_parse(&s->metrics, "stat", s->args.cores, &s->specs, &s->nr);
	if (!err && s->running)
		err = attach_functions("stat", s->specs, s->nr, argv[optind]);
	if (err)
		return err;
	s->off_does = !s->running && s->chosen && !s->pmu.words.nr && s->args.timing < 0 &&
		      !s->region.given && !stat_needs_time(s);
	if (!s->chosen && montecito_events_parse(s->strict ? default_strict : default_events,
						 &s->specs, &s->nr, msg))
		return fail("%s", msg);
	if (!s->chosen && s->args.timing &&
	    montecito_events_parse(default_timed, &s->specs, &s->nr, msg))
		return fail("%s", msg);
	return 0;
}

int stat_open(struct counting *s, char **argv, struct montecito_process **p)
{
	char msg[512];
	int err;

	*p = NULL;
	err = machine_open(&s->args, PROGRAM_CONFIG, &s->m);
	if (!err)
		err = program_load(&s->args, s->m, argv, p);
	if (!err && montecito_events_functions(s->specs, s->nr, s->program, msg))
		err = fail("-e: %s", msg);
	if (!err)
		err = stat_count_start(s);
	return err ? err : pmu_count_start(&s->pmu, s->m, s->strict);
}

int stat_run(struct counting *s, struct montecito_process *p)
{
	int err;

	montecito_process_tick(p, 0, stat_tick, s);
	err = interval_start(s, p);
	if (err)
		return err;
	err = program_measure(p, &s->status, &s->stopped);
	/* Even a machine that failed has counted. */
	if (stat_count_end(s) || stat_count_stop(s) || interval_end(s))
		return EXIT_MONTCTL;
	return err;
}

static void stat_report_one(const void *arg, FILE *f)
{
	stat_report(arg, f);
}

static int stat_run_one(struct counting *s, char **argv)
{
	struct montecito_process *p;
	int err = stat_open(s, argv, &p);

	if (!err)
		err = stat_report_open(s);
	if (!err) {
		err = stat_run(s, p);
		if (s->count_read)
			err |= stat_report_write(s, stat_report_one, s) |
			       stat_svg(s, &s->interval.table);
	}
	montecito_process_free(p);
	return err;
}

/* The machine of another process, from now on. */
static int stat_run_attached(struct counting *s)
{
	int err = stat_count_start(s);

	if (!err)
		err = stat_report_open(s);
	if (!err)
		err = stat_count_from_now(s);
	if (!err)
		err = attach_wait(&s->attached, 1000, NULL, NULL);
	if (!err)
		err = stat_count_since(s);
	return err ? err : stat_report_write(s, stat_report_one, s);
}

int cmd_stat(int argc, char **argv)
{
	struct counting s = { .attached = { .pidfd = -1 } };
	int err;

	machine_args_init(&s.args);
	s.args.timed = true;
	s.args.region = stat_count_region;
	s.args.region_arg = &s;
	err = stat_parse(&s, argc, argv);
	if (!err && (s.repeat > 1 || s.nr_axes || s.what_if))
		err = batch_run(&s, argv + optind);
	else if (!err && s.running)
		err = stat_run_attached(&s);
	else if (!err)
		err = stat_run_one(&s, argv + optind);
	if (s.file && s.out)
		fclose(s.out);
	montecito_close(s.m);
	attach_close(&s.attached);
	stat_count_free(&s);
	interval_free(&s);
	axes_free(&s);
	what_if_free(&s);
	montecito_events_free(s.specs, s.nr);
	metrics_free(&s.metrics);
	pmu_count_free(&s.pmu);
	machine_args_free(&s.args);
	return err ? err : s.status;
}
