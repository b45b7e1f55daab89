// SPDX-License-Identifier: GPL-2.0-only
/* montctl run: a static IA-64 Linux program, its exit status montctl's own. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "gdb.h"
#include "montctl.h"
#include "region.h"
#include "strace.h"

static const char help[] =
	"Usage: montctl run [OPTION...] PROG [ARG...] [: PROG [ARG...]]...\n\n"
	"Run a static IA-64 Linux program. Its input, output and exit status are\n"
	"montctl's own.\n\n" MACHINE_HELP PROGRAM_HELP REGION_HELP GDB_HELP JITDUMP_HELP
	"  --strace[=FILE]    print each system call, with its arguments and result, to\n"
	"                     FILE or stderr\n"
	"  --hash             print the machine's state hash to stderr at the end\n";

enum { OPT_HASH = OPT_COMMAND, OPT_GDB, OPT_JITDUMP, OPT_STRACE };

static const struct option options[] = {
	MACHINE_OPTIONS,
	PROGRAM_OPTIONS,
	REGION_OPTIONS,
	{ "hash", no_argument, NULL, OPT_HASH },
	{ "gdb", required_argument, NULL, OPT_GDB },
	{ "jitdump", optional_argument, NULL, OPT_JITDUMP },
	{ "strace", optional_argument, NULL, OPT_STRACE },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static int run_region_changes(struct montecito *m, bool begins, void *arg)
{
	struct region *r = arg;

	(void)m;
	r->begun |= begins;
	return 0;
}

/* Run it under a debugger, which may end it. */
static int run_debug(const struct machine_args *args, const char *where, struct montecito *m,
		     struct montecito_process *p, int *status)
{
	struct gdb *g = NULL;
	int err = gdb_open(&g, where, m, args->timing);

	if (err)
		return err;
	g->process = p;
	err = program_debug(p, status);
	if (gdb_killed(g))
		*status = 128 + SIGKILL;
	gdb_close(g, *status);
	return err;
}

static int run_dump_program(const char *dir, const char *path)
{
	struct montecito_symbols *sym = montecito_symbols_load(path);
	int err = sym ? jitdump_write(dir, sym) : fail("%s", strerror(ENOMEM));

	montecito_symbols_free(sym);
	return err;
}

int cmd_run(int argc, char **argv)
{
	struct montecito_process *p = NULL;
	struct montecito *m = NULL;
	struct machine_args args;
	struct region region = { 0 };
	int opt, err, status = 0;
	bool want_hash = false, ran;
	const char *where = NULL, *trace = NULL;
	const char *jitdump = NULL;
	bool want_trace = false;
	uint64_t hash;

	machine_args_init(&args);
	args.region = run_region_changes;
	args.region_arg = &region;
	while ((opt = getopt_long(argc, argv, "+:h", options, NULL)) != -1) {
		if (opt == 'h') {
			fputs(help, stdout);
			return 0;
		}
		if (opt == OPT_HASH) {
			want_hash = true;
			continue;
		}
		if (opt == OPT_GDB) {
			where = optarg;
			continue;
		}
		if (opt == OPT_JITDUMP) {
			jitdump = optarg ? optarg : ".";
			continue;
		}
		if (opt == OPT_STRACE) {
			want_trace = true;
			trace = optarg;
			continue;
		}
		err = machine_option(&args, "run", opt);
		if (err)
			return err < 0 ? bad_option("run", argv, opt, options) : err;
	}
	if (optind == argc)
		return usage_error("run", "no program given");
	if (where && (args.time_from || args.time_to))
		return usage_error("run", "--gdb excludes --time-from and --time-to");
	err = machine_open(&args, PROGRAM_CONFIG, &m);
	if (!err)
		err = program_load(&args, m, argv + optind, &p);
	if (!err && args.programs > 1 && (where || want_trace))
		err = usage_error("run", "--gdb and --strace are for one program");
	if (!err && jitdump)
		err = run_dump_program(jitdump, program_first(&args, argv + optind));
	if (!err && want_trace)
		err = strace_open(p, trace);
	ran = !err;
	if (!err)
		err = where ? run_debug(&args, where, m, p, &status) : program_run(p, &status);
	/* The program's exit status stays its own. */
	(void)strace_close(p, err ? -1 : status);
	if (!err &&
	    !montecito_get_reg(m, 0, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS, &region.all))
		(void)region_reached(&args, &region, "timed");
	/* A run that a budget has ended has a state as well. */
	if (ran && want_hash && !montecito_hash(m, &hash))
		fprintf(stderr, "hash %016llx\n", (unsigned long long)hash);
	if (!err)
		perf_tell(m);
	montecito_process_free(p);
	montecito_close(m);
	machine_args_free(&args);
	return err ? err : status;
}
