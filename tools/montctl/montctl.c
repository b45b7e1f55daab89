// SPDX-License-Identifier: GPL-2.0-only
/* montctl: the control tool of the Montecito model. */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "montctl.h"

static const struct command commands[] = {
	{ "run", "run an IA-64 Linux program", cmd_run },
	{ "boot", "boot a system-mode image", cmd_boot },
	{ "stat", "run a program and count events", cmd_stat },
	{ "estimate", "estimate by opcodes what a program waits for", cmd_estimate },
	{ "record", "run a program and sample where events happen", cmd_record },
	{ "report", "show the samples of a recording by function", cmd_report },
	{ "annotate", "show the samples of a recording by instruction", cmd_annotate },
	{ "diff", "show what has changed from one run to another", cmd_diff },
	{ "trace", "run a program and show its pipeline, by cycles", cmd_trace },
	{ "top", "show what running machines do, again and again", cmd_top },
	{ "events", "list the events and whether they are counted", cmd_events },
	{ "explain", "tell what an event counts", cmd_explain },
	{ "pmc", "read or write a PMC of a running machine", cmd_pmc },
	{ "pmd", "read or write a PMD of a running machine", cmd_pmd },
	{ "pmu", "read or write another processor's PMU of a running machine", cmd_pmu },
	{ "pal", "call PAL procedures", cmd_pal },
	{ "monitor", "print notifications of running machines", cmd_monitor },
	{ "info", "show what the model can do and which machines run", cmd_info },
};

#define NR_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void montctl_help(FILE *f)
{
	size_t i;

	fputs("Usage: montctl COMMAND [OPTION...] [ARGUMENT...]\n\n"
	      "A virtual Intel Itanium 2 \"Montecito\" and its performance monitoring unit.\n\n",
	      f);
	for (i = 0; i < NR_COMMANDS; i++)
		fprintf(f, "  %-9s %s\n", commands[i].name, commands[i].summary);
	fputs("\nmontctl COMMAND --help or montctl help COMMAND tells about each.\n"
	      "Exit status: a guest program's own, 128 + signal number after its death; 125 when\n"
	      "montctl fails, 126 when the program cannot be run, 127 when it is not found.\n",
	      f);
}

const struct command *command_get(size_t index)
{
	return index < NR_COMMANDS ? &commands[index] : NULL;
}

static int montctl_no_command(const char *name)
{
	unsigned int best = 3, d;
	const char *meant = NULL;
	size_t i;

	for (i = 0; i < NR_COMMANDS; i++) {
		d = montecito_distance(name, commands[i].name);
		if (d < best && d < strlen(name)) {
			best = d;
			meant = commands[i].name;
		}
	}
	if (meant)
		return fail("%s: no such command; did you mean %s?", name, meant);
	return fail("%s: no such command (see montctl --help)", name);
}

static int montctl_command(const struct command *c, int argc, char **argv)
{
	int status = c->main(argc, argv);

	/* The program's exit status stays its own whatever becomes of our words. */
	if (c->main == cmd_run)
		return status;
	status = stdio_close(status);
	if (status != EXIT_MONTCTL)
		stop_raise();
	return status;
}

int main(int argc, char **argv)
{
	static char help_option[] = "--help";
	size_t i;

	setlocale(LC_CTYPE, "");
	stdio_open();
	opterr = 0; /* messages are our own */
	if (argc < 2) {
		montctl_help(stderr);
		return EXIT_MONTCTL;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		puts("montctl " MONTECITO_VERSION);
		return stdio_close(0);
	}
	if (!strcmp(argv[1], "--complete"))
		return stdio_close(cmd_complete(argc - 2, argv + 2));
	if (!strcmp(argv[1], "help") && argc > 2) {
		argv[1] = argv[2];
		argv[2] = help_option;
		argc = 3;
	} else if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
		   !strcmp(argv[1], "help")) {
		montctl_help(stdout);
		return stdio_close(0);
	}
	for (i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(argv[1], commands[i].name))
			return montctl_command(&commands[i], argc - 1, argv + 1);
	return montctl_no_command(argv[1]);
}
