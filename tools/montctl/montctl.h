/* SPDX-License-Identifier: GPL-2.0-only */
/* Interfaces between the subcommands of montctl. Included by each of them. */
#ifndef MONTCTL_H
#define MONTCTL_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#include "libmontecito.h"

/* Exit statuses of montctl itself; a guest's own are passed on. */
#define EXIT_MONTCTL 125 /* montctl failed, or was called wrongly */
#define EXIT_CANNOT_RUN 126 /* the program is there and cannot be run */
#define EXIT_NOT_FOUND 127 /* the program is not there */

struct command {
	const char *name;
	const char *summary;
	int (*main)(int argc, char **argv);
};

int cmd_run(int argc, char **argv);
int cmd_boot(int argc, char **argv);
int cmd_stat(int argc, char **argv);
int cmd_estimate(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_annotate(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_top(int argc, char **argv);
int cmd_events(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_pmc(int argc, char **argv);
int cmd_pmd(int argc, char **argv);
int cmd_pmu(int argc, char **argv);
int cmd_pal(int argc, char **argv);
int cmd_monitor(int argc, char **argv);
int cmd_info(int argc, char **argv);
/* For shells: --complete INDEX WORD... prints what word INDEX may become, one a line. */
int cmd_complete(int argc, char **argv);
/* The command at @index, or NULL behind the last one. */
const struct command *command_get(size_t index);

/* A message on stderr, behind "montctl: "; returns EXIT_MONTCTL. */
__attribute__((format(printf, 1, 2))) int fail(const char *fmt, ...);
/* As fail(), with "see montctl COMMAND --help". */
__attribute__((format(printf, 2, 3))) int usage_error(const char *command, const char *fmt, ...);

/* Refuse the argument of -e of @command, for @why: EXIT_MONTCTL after a message. */
int event_error(const char *command, const char *why);

/*
 * Add the events of @list, behind -e of @command, to @specs, and tell what a pattern of it
 * leaves out: 0, or EXIT_MONTCTL after a message.
 */
int event_list(const char *command, const char *list, struct montecito_event_spec **specs,
	       size_t *nr);

/* Refuse :period=N, of which @command makes no use: 0, or EXIT_MONTCTL after a message. */
int event_periods(const char *command, const struct montecito_event_spec *specs, size_t nr);

/*
 * Tests that hold event @index, one string behind the other and an empty one behind the
 * last; NULL if this build knows none.
 */
const char *event_tests_of(size_t index);
/* Row @index of the processor's events, then of those of causes; -ERANGE behind the last. */
int event_any(size_t index, struct montecito_event_info *info);
/* montecito_event_info.of_package of the event of this name */
bool event_of_package(const char *name);

struct option;

/*
 * Say why getopt_long() with a colon first in its short options gave @opt, '?' or ':', for one
 * of @options: EXIT_MONTCTL.
 */
int bad_option(const char *command, char **argv, int opt, const struct option *options);

/* ---- pmc.c ---- */

struct montecito_nl;

/* Why a netlink command failed with @err: the kernel's own message, else the errno's. */
const char *nl_error(const struct montecito_nl *nl, int err);
/* The machine of process @pid: 0, or EXIT_MONTCTL after a message. */
int machine_of_pid(struct montecito_nl *nl, uint64_t pid, uint64_t *machine);

/* ---- output.c ---- */

struct json_object;

/* One line on @f; @o is given back. */
void print_object(FILE *f, struct json_object *o);
/* Copy @text to @buf, which is returned, without control characters. */
const char *plain(const char *text, char *buf, size_t len);

/* In decimal; with commas for people, where @f is a terminal. */
const char *grouped(uint64_t v, FILE *f, char buf[32]);
/* Print the progress of the run once a second, on a terminal without other output. */
void progress(struct montecito *m);
void progress_end(void);

/* ---- options.c: which machine, and how to run a program on it ---- */

/**
 * struct machine_args - options that run, stat, record and boot share
 * @device: path given with --device
 * @inproc: --in-process
 * @timing: --timing: 1 on, 0 off, -1 not given; machine_open() leaves what it is
 * @timed: what it is if it is not given
 * @cores: --cores
 * @threads: --threads
 * @memory: --memory
 * @memory_given: it was
 * @system: with the devices of a system
 * @no_alat: --alat off
 * @page_shift: --page-size
 * @budget: --budget, in instructions
 * @argv0: --argv0
 * @thread_slice: --thread-slice, or 0
 * @time_from: --time-from
 * @time_to: --time-to
 * @region: what to do where the region begins and ends
 * @region_arg: for @region
 * @param: --param, as given
 * @nr_param: how many
 * @env: --env, a NULL-terminated list
 * @nr_env: its length
 * @argv: program_load()'s copy of the programs' arguments
 * @programs: how many programs that has loaded
 * @mixed: they are not all of one file
 */
struct machine_args {
	const char *device;
	bool inproc;
	int timing;
	bool timed;
	uint32_t cores;
	uint32_t threads;
	uint64_t memory;
	bool memory_given;
	bool system;
	bool no_alat;
	unsigned int page_shift;
	uint64_t budget;
	char *argv0;
	uint64_t thread_slice;
	const char *time_from;
	const char *time_to;
	int (*region)(struct montecito *m, bool begins, void *arg);
	void *region_arg;
	char **param;
	size_t nr_param;
	char **env;
	size_t nr_env;
	char **argv;
	unsigned int programs;
	bool mixed;
};

enum {
	OPT_INPROC = 0x100,
	OPT_DEVICE,
	OPT_TIMING,
	OPT_CORES,
	OPT_THREADS,
	OPT_MEMORY,
	OPT_PAGE_SIZE,
	OPT_BUDGET,
	OPT_ENV,
	OPT_ARGV0,
	OPT_THREAD_SLICE,
	OPT_ALAT,
	OPT_PARAM,
	OPT_TIME_FROM,
	OPT_TIME_TO,
	OPT_COMMAND, /* the first that a command may use for itself */
};

#define MACHINE_OPTIONS                                              \
	{ "in-process", no_argument, NULL, OPT_INPROC },             \
		{ "device", required_argument, NULL, OPT_DEVICE },   \
		{ "timing", required_argument, NULL, OPT_TIMING },   \
		{ "cores", required_argument, NULL, OPT_CORES },     \
		{ "threads", required_argument, NULL, OPT_THREADS }, \
		{ "memory", required_argument, NULL, OPT_MEMORY },   \
		{ "param", required_argument, NULL, OPT_PARAM },     \
		{ "alat", required_argument, NULL, OPT_ALAT },       \
	{                                                            \
		"budget", required_argument, NULL, OPT_BUDGET        \
	}

#define PROGRAM_OPTIONS                                                        \
	{ "page-size", required_argument, NULL, OPT_PAGE_SIZE },               \
		{ "env", required_argument, NULL, OPT_ENV },                   \
		{ "thread-slice", required_argument, NULL, OPT_THREAD_SLICE }, \
	{                                                                      \
		"argv0", required_argument, NULL, OPT_ARGV0                    \
	}

#define REGION_OPTIONS                                           \
	{ "time-from", required_argument, NULL, OPT_TIME_FROM }, \
	{                                                        \
		"time-to", required_argument, NULL, OPT_TIME_TO  \
	}

#define MACHINE_HELP                                                                              \
	"  --in-process       the model in this process\n"                                        \
	"  --device PATH      the module, by its device node (default: " MONTECITO_DEFAULT_DEVICE \
	"\n"                                                                                      \
	"                     if it is there, else in-process)\n"                                 \
	"  --timing=on|off    with or without the timing model (default: on for stat and\n"       \
	"                     record, else off)\n"                                                \
	"  --cores N          1 or 2 (default 1)\n"                                               \
	"  --threads N        per core, 1 or 2 (default 1)\n"                                     \
	"  --memory SIZE      guest memory, with K, M or G (default 64M)\n"                       \
	"  --param NAME=VALUE  a number of the timing model (montctl info --params lists them)\n" \
	"  --alat on|off      whether advanced loads are remembered (default: on)\n"              \
	"  --budget N         stop after N instructions\n"

#define PROGRAM_HELP                                                               \
	"  --page-size SIZE   4K, 8K, 16K or 64K (default 16K)\n"                  \
	"  --env NAME=VALUE   add to the program's environment (default: empty)\n" \
	"  --argv0 NAME       argv[0] of the program (default: PROG)\n"            \
	"  --thread-slice N   cycles that a thread has the processor for, while others want it\n"

#define REGION_HELP                                                                       \
	"  --time-from WHEN   keep time from the first begin of a function, or the Nth\n" \
	"                     instruction, on: WHEN is FUNCTION or N\n"                   \
	"  --time-to WHEN     and until the next begin of a function, or the Nth\n"       \
	"                     instruction\n"

/* A device cannot be opened: why, and what helps; EXIT_MONTCTL. */
int device_error(const char *where, int err);
void machine_args_init(struct machine_args *args);
void machine_args_free(struct machine_args *args);
/* Take one option: 0, EXIT_MONTCTL after a message, -1 if it is none of these. */
int machine_option(struct machine_args *args, const char *command, int opt);
/* Advice where @why is about @timing, which is off: the end of a message, or "". */
const char *timing_hint(bool timing, const char *why);
/* @spec cannot be counted, as @why says or the error @err: EXIT_MONTCTL after a message. */
int event_refused(const struct montecito_event_spec *spec, const char *why, int err, bool timing);
/* Open the machine with MONTECITO_CFG_* @config; EXIT_MONTCTL after a message. */
/* Machines of programs: interruptions and overflows of the PMU are for the library. */
#define PROGRAM_CONFIG (MONTECITO_CFG_HOST_INTERRUPTIONS | MONTECITO_CFG_HOST_PMU)
int machine_open(struct machine_args *args, uint32_t config, struct montecito **m);
/*
 * Load the program, argv[0] is PROG, or with more than one logical processor those that ":"
 * separates, whose number is in @args then. 0, or an exit status after a message.
 */
int program_load(struct machine_args *args, struct montecito *m, char **argv,
		 struct montecito_process **p);
/* The first PROG of @argv. */
char *program_first(const struct machine_args *args, char **argv);
/* Run it to its end: an exit status in *@status, or EXIT_MONTCTL after a message. */
int program_run(struct montecito_process *p, int *status);
/* As program_run(), but a debugger may end the program: *@status is 0 then. */
int program_debug(struct montecito_process *p, int *status);
/*
 * As program_run(), but a signal or a used-up budget is an end as well: *@stopped is
 * then "SIGINT", "budget" or so, else NULL. Results can then be written; see
 * stop_raise().
 */
int program_measure(struct montecito_process *p, int *status, const char **stopped);
int parse_number(const char *s, uint64_t *value);

/* ---- stop.c: nothing that was measured is lost ---- */

/* From now on SIGINT, SIGTERM and SIGHUP call @stop, in their handler, and do no more. */
void stop_prepare(void (*stop)(void *arg), void *arg);
/* The run is over; nothing disturbs the writing of its results. The signal, or 0. */
int stop_finish(void);
/* @sig as "SIGINT", until the next call. */
const char *stop_name(int sig);
/* Die of the signal that stopped the run, if one did. */
void stop_raise(void);
/* Descriptors 0 to 2 are there, if only to fail. */
void stdio_open(void);
/* @status, or EXIT_MONTCTL if what was printed has not arrived. */
int stdio_close(int status);

/* Say what events of the host's perf have not counted of it, at its end. */
void perf_tell(struct montecito *m);

/*
 * Write the functions of @sym to jit-PID.dump in @dir, where perf looks for them, and map
 * it; nothing if @dir is NULL. EXIT_MONTCTL after an error, told.
 */
int jitdump_write(const char *dir, const struct montecito_symbols *sym);

#define JITDUMP_HELP                                                                       \
	"  --jitdump[=DIR]    write the guest's functions to DIR/jit-PID.dump, for perf\n" \
	"                     inject -j (default: the current directory)\n"

#endif
