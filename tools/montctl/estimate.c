// SPDX-License-Identifier: GPL-2.0-only
/*
 * montctl estimate: the published method of opcode-constrained events. Cycles that a program
 * waits are estimated by numbers of instructions and of misses of a class, as it must be where
 * no event has them, beside the cycles that the model has charged to that cause.
 */
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate.h"
#include "montctl.h"
#include "stat.h"

static const char help[] =
	"Usage: montctl estimate [OPTION...] PROG [ARG...]\n\n"
	"Run a program as montctl run does, and estimate by opcode-constrained events how many\n"
	"cycles it waits, beside the cycles that it does wait.\n\n"
	"  -j            report one JSON object on one line\n"
	"  -o FILE       report to FILE\n"
	"  --frcpa N     cycles for each frcpa, of a division (default 6)\n"
	"  --frsqrta N   cycles for each frsqrta, of a square root (default 14)\n"
	"  --calibrate   run loops of divisions and square roots first, take these from\n"
	"                them, and report what the loops take\n" MACHINE_HELP PROGRAM_HELP;

enum { OPT_FRCPA = OPT_COMMAND, OPT_FRSQRTA, OPT_CALIBRATE };

static const struct option options[] = {
	MACHINE_OPTIONS,
	PROGRAM_OPTIONS,
	{ "frcpa", required_argument, NULL, OPT_FRCPA },
	{ "frsqrta", required_argument, NULL, OPT_FRSQRTA },
	{ "calibrate", no_argument, NULL, OPT_CALIBRATE },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

/* Events in their order in the list */
enum {
	FRCPA,
	FRSQRTA,
	FP_MISSES,
	INT_MISSES,
	SEMAPHORE_MISSES,
	SHORT_STORES,
	TRANSFERS,
	FR,
	FP_LOAD,
	LOAD,
	BUBBLE,
	NR_COUNTS,
};

static const char events[] =
	"IA64_INST_RETIRED.THIS:opc=@frcpa,IA64_INST_RETIRED.THIS:opc=@frsqrta,"
	"L3_READS.DATA_READ.MISS:opc=@fpload,L3_READS.DATA_READ.MISS:opc=@intload,"
	"L3_WRITES.DATA_WRITE.MISS:opc=@semaphore,"
	"STORES_RETIRED:opc=@shortstore,IA64_INST_RETIRED.THIS:opc=@setfgetf,"
	"CAUSE.FR,CAUSE.FP_LOAD,CAUSE.LOAD,BACK_END_BUBBLE.ALL";

/**
 * struct estimate - a run and its penalties
 * @s: what has been counted
 * @frcpa: cycles for each frcpa
 * @frsqrta: cycles for each frsqrta
 * @given: one of these was
 * @calibrated: they are those of @calibration
 * @calibration: --calibrate
 * @latency: of memory
 */
struct estimate {
	struct counting s;
	bool given;
	bool calibrated;
	struct calibration calibration;
	uint64_t frcpa;
	uint64_t frsqrta;
	uint64_t latency;
};

/**
 * struct wait - a row of the report
 * @name: in JSON
 * @text: how it is estimated
 * @estimate: cycles
 * @truth: cycles that the model has charged to @cause
 * @cause: its event
 */
struct wait {
	const char *name;
	char text[96];
	uint64_t estimate;
	uint64_t truth;
	const char *cause;
};

#define NR_WAITS 3

/* Published penalties, cycles */
#define FRCPA_PUBLISHED 6
#define FRSQRTA_PUBLISHED 14

static void estimate_waits(const struct estimate *e, struct wait w[NR_WAITS])
{
	const struct counting *s = &e->s;
	uint64_t misses;

	w[0] = (struct wait){ .name = "fp_operations",
			      .truth = stat_total(s, FR),
			      .cause = "CAUSE.FR" };
	w[0].estimate = e->frcpa * stat_total(s, FRCPA) + e->frsqrta * stat_total(s, FRSQRTA);
	snprintf(w[0].text, sizeof(w[0].text),
		 "%" PRIu64 " for each of %" PRIu64 " frcpa, %" PRIu64 " for each of %" PRIu64
		 " frsqrta",
		 e->frcpa, stat_total(s, FRCPA), e->frsqrta, stat_total(s, FRSQRTA));
	w[1] = (struct wait){ .name = "fp_loads",
			      .truth = stat_total(s, FP_LOAD),
			      .cause = "CAUSE.FP_LOAD" };
	w[1].estimate = e->latency * stat_total(s, FP_MISSES);
	snprintf(w[1].text, sizeof(w[1].text),
		 "%" PRIu64 " for each of %" PRIu64 " lines of floating-point loads", e->latency,
		 stat_total(s, FP_MISSES));
	w[2] = (struct wait){ .name = "int_loads",
			      .truth = stat_total(s, LOAD),
			      .cause = "CAUSE.LOAD" };
	misses = stat_total(s, INT_MISSES) + stat_total(s, SEMAPHORE_MISSES);
	w[2].estimate = e->latency * misses;
	snprintf(w[2].text, sizeof(w[2].text),
		 "%" PRIu64 " for each of %" PRIu64 " lines of integer loads and semaphores",
		 e->latency, misses);
}

static void estimate_report_text(const struct estimate *e, const struct wait w[NR_WAITS], FILE *f)
{
	unsigned int i;

	if (e->calibrated)
		calibrate_text(&e->calibration, FRCPA_PUBLISHED, FRSQRTA_PUBLISHED, f);
	fprintf(f, "%20" PRIu64 "  cycles\n%20" PRIu64 "  of these without an instruction\n\n",
		e->s.cycles, stat_total(&e->s, BUBBLE));
	fprintf(f, "%12s %12s %6s\n", "estimate", "truth", "ratio");
	for (i = 0; i < NR_WAITS; i++) {
		char ratio[16] = "-";

		if (w[i].truth)
			snprintf(ratio, sizeof(ratio), "%.2f",
				 (double)w[i].estimate / (double)w[i].truth);
		fprintf(f, "%12" PRIu64 " %12" PRIu64 " %6s  %s: %s\n", w[i].estimate, w[i].truth,
			ratio, w[i].cause, w[i].text);
	}
	fprintf(f, "\n%20" PRIu64 "  stores of 1 and 2 bytes\n%20" PRIu64 "  setf and getf\n",
		stat_total(&e->s, SHORT_STORES), stat_total(&e->s, TRANSFERS));
}

static struct json_object *estimate_number(uint64_t n)
{
	return json_object_new_uint64(n);
}

static void estimate_report_json(const struct estimate *e, const struct wait w[NR_WAITS], FILE *f)
{
	struct json_object *top = json_object_new_object(), *list = json_object_new_array();
	unsigned int i;

	json_object_object_add(top, "cycles", estimate_number(e->s.cycles));
	json_object_object_add(top, "bubbles", estimate_number(stat_total(&e->s, BUBBLE)));
	json_object_object_add(top, "frcpa", estimate_number(stat_total(&e->s, FRCPA)));
	json_object_object_add(top, "frsqrta", estimate_number(stat_total(&e->s, FRSQRTA)));
	json_object_object_add(top, "memory_latency", estimate_number(e->latency));
	json_object_object_add(top, "short_stores",
			       estimate_number(stat_total(&e->s, SHORT_STORES)));
	json_object_object_add(top, "transfers", estimate_number(stat_total(&e->s, TRANSFERS)));
	for (i = 0; i < NR_WAITS; i++) {
		struct json_object *o = json_object_new_object();

		json_object_object_add(o, "name", json_object_new_string(w[i].name));
		json_object_object_add(o, "estimate", estimate_number(w[i].estimate));
		json_object_object_add(o, "truth", estimate_number(w[i].truth));
		json_object_object_add(o, "cause", json_object_new_string(w[i].cause));
		json_object_array_add(list, o);
	}
	json_object_object_add(top, "waits", list);
	if (e->calibrated)
		json_object_object_add(top, "loops", calibrate_json(&e->calibration));
	print_object(f, top);
}

static void estimate_report(const void *arg, FILE *f)
{
	const struct estimate *e = arg;
	struct wait w[NR_WAITS];

	estimate_waits(e, w);
	if (e->s.json)
		estimate_report_json(e, w, f);
	else
		estimate_report_text(e, w, f);
}

static int estimate_penalty(const char *option, const char *text, uint64_t *cycles)
{
	if (parse_number(text, cycles) || *cycles > 1000)
		return usage_error("estimate", "--%s %s: must be 0 to 1000 cycles", option, text);
	return 0;
}

static int estimate_parse(struct estimate *e, int argc, char **argv)
{
	char msg[512];
	int opt, err;

	while ((opt = getopt_long(argc, argv, "+:jo:h", options, NULL)) != -1) {
		switch (opt) {
		case 'h':
			fputs(help, stdout);
			exit(stdio_close(0));
		case 'j':
			e->s.json = true;
			break;
		case 'o':
			e->s.file = optarg;
			break;
		case OPT_FRCPA:
			e->given = true;
			err = estimate_penalty("frcpa", optarg, &e->frcpa);
			if (err)
				return err;
			break;
		case OPT_FRSQRTA:
			e->given = true;
			err = estimate_penalty("frsqrta", optarg, &e->frsqrta);
			if (err)
				return err;
			break;
		case OPT_CALIBRATE:
			e->calibrated = true;
			break;
		default:
			err = machine_option(&e->s.args, "estimate", opt);
			if (err)
				return err < 0 ? bad_option("estimate", argv, opt, options) : err;
		}
	}
	if (optind == argc)
		return usage_error("estimate", "no program given");
	if (!e->s.args.timing)
		return usage_error("estimate", "waits need the timing model");
	if (e->calibrated && e->given)
		return usage_error(
			"estimate",
			"--calibrate finds the penalties that --frcpa and --frsqrta give");
	e->s.program = argv[optind];
	if (montecito_events_parse(events, &e->s.specs, &e->s.nr, msg))
		return fail("%s", msg);
	return e->s.nr == NR_COUNTS ? 0 : fail("%s: not one event each", events);
}

static int estimate_run(struct estimate *e, char **argv)
{
	struct montecito_param latency = { .name = "memory.latency" };
	struct montecito_process *p = NULL;
	int err = 0;

	if (e->calibrated) {
		err = calibrate(&e->s.args, &e->calibration);
		e->frcpa = e->calibration.frcpa;
		e->frsqrta = e->calibration.frsqrta;
	}
	if (!err)
		err = stat_open(&e->s, argv, &p);

	if (!err && montecito_param_get(e->s.m, &latency))
		err = fail("no parameter %s", latency.name);
	e->latency = latency.value;
	if (!err)
		err = stat_report_open(&e->s);
	if (!err) {
		err = stat_run(&e->s, p);
		if (e->s.count_read)
			err |= stat_report_write(&e->s, estimate_report, e);
	}
	montecito_process_free(p);
	return err;
}

int cmd_estimate(int argc, char **argv)
{
	struct estimate e = { .s.attached = { .pidfd = -1 },
			      .frcpa = FRCPA_PUBLISHED,
			      .frsqrta = FRSQRTA_PUBLISHED };
	int err;

	machine_args_init(&e.s.args);
	e.s.args.timed = true;
	err = estimate_parse(&e, argc, argv);
	if (!err)
		err = estimate_run(&e, argv + optind);
	if (e.s.file && e.s.out)
		fclose(e.s.out);
	montecito_close(e.s.m);
	stat_count_free(&e.s);
	montecito_events_free(e.s.specs, e.s.nr);
	machine_args_free(&e.s.args);
	return err ? err : e.s.status;
}
