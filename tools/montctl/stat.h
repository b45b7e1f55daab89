/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One run, its counts, and how they are reported. Included by the parts of montctl stat (stat.c,
 * stat_count.c, stat_interval.c, stat_batch.c, stat_report.c), and by estimate.c and what_if.c, which
 * run a program as stat does.
 */
#ifndef MONTCTL_STAT_H
#define MONTCTL_STAT_H

#include <stdbool.h>
#include <stdio.h>

#include "attach.h"
#include "breakdown.h"
#include "metric.h"
#include "montctl.h"
#include "region.h"
#include "stat_pmu.h"
#include "table.h"
#include "what_if.h"

/**
 * struct before - what the run had come to where its timed region, or -p, began
 * @insns: as that of struct counting
 * @cycles: as that of struct counting
 * @count: as that of struct counting
 * @breakdown: likewise
 */
struct before {
	uint64_t insns;
	uint64_t cycles;
	uint64_t *count;
	struct breakdown breakdown;
};

/**
 * struct stat_values - what a run, or a piece of one, came to
 * @insns: instructions
 * @cycles: cycles
 * @count: by event, of all vcpus
 * @bar: cycles by MONTECITO_BAR_*
 */
struct stat_values {
	double insns;
	double cycles;
	double *count;
	double bar[NR_BARS];
};

/**
 * struct interval - -I
 * @insns: a row each so many instructions; or 0
 * @cycles: or each so many cycles; or 0
 * @last: what the run had come to at the end of the last row
 * @table: the rows
 */
struct interval {
	uint64_t insns;
	uint64_t cycles;
	struct stat_values last;
	struct table table;
};

/* Causes of a switch of threads that are reported, in the order of stat_switch[]. */
#define STAT_NR_SWITCHES 4

/**
 * struct stat_switch - a cause of a switch
 * @name: in JSON
 * @title: in a text
 * @event: its row of the event table
 */
struct stat_switch {
	const char *name;
	const char *title;
	const char *event;
};

extern const struct stat_switch stat_switch[STAT_NR_SWITCHES];

/**
 * struct vcpu_share - a logical processor's part of a run, since its start
 * @insns: instructions
 * @cycles: cycles in front, halted ones as well where no other thread is awake
 * @behind: cycles in which the other thread of its core was in front
 * @switched: switches to the other thread of its core, by cause
 * @breakdown: where @cycles went
 */
struct vcpu_share {
	uint64_t insns;
	uint64_t cycles;
	uint64_t behind;
	uint64_t switched[STAT_NR_SWITCHES];
	struct breakdown breakdown;
};

/**
 * struct axis - a parameter that is given several values
 * @name: its name
 * @value: its values
 * @nr: how many
 */
struct axis {
	char *name;
	char **value;
	size_t nr;
};

/**
 * struct counting - what to count, and what one run came to
 * @args: the machine
 * @m: it
 * @specs: events
 * @nr: how many
 * @pmu: --pmu: events of other PMUs
 * @metrics: ratios of them
 * @id: [vcpu][event]: observer, or PMD
 * @count: [vcpu][event]
 * @of_package: [event]: each core counts all of it
 * @switch_id: [vcpu][cause of a switch]: observer; NULL: none is counted
 * @strict: on PMC4-15
 * @unconstrained: the program has written what holds its ranges and opcodes, as was told
 * @json: -j
 * @chosen: events or metrics were given
 * @off_does: none of them needs time, which was not asked for
 * @separator: -x, or NULL
 * @svg: file of --svg, or NULL
 * @file: -o, or NULL
 * @out: where the report goes
 * @program: what is run
 * @status: its exit status
 * @stopped: before its end: by what; else NULL
 * @count_read: counts have been read
 * @insns: instructions
 * @cycles: cycles, of the core with the most
 * @breakdown: where these went
 * @vcpu: the share of each logical processor, where there are several and time is kept
 * @region: the timed region
 * @before: where that began
 * @interval: -I
 * @repeat: -r
 * @axis: parameters with several values
 * @nr_axes: how many
 * @what_if: causes of --what-if, or NULL
 * @points: its runs
 * @running: -p, or NULL
 * @attached: that machine
 */
struct counting {
	struct machine_args args;
	struct montecito *m;
	struct montecito_event_spec *specs;
	size_t nr;
	struct pmu_counting pmu;
	struct metrics metrics;
	uint32_t *id;
	uint64_t *count;
	bool *of_package;
	uint32_t *switch_id;
	bool strict;
	bool unconstrained;
	bool json;
	bool chosen;
	bool off_does;
	const char *separator;
	const char *svg;
	const char *file;
	FILE *out;
	const char *program;
	int status;
	const char *stopped;
	bool count_read;
	uint64_t insns;
	uint64_t cycles;
	struct breakdown breakdown;
	struct vcpu_share *vcpu;
	struct region region;
	struct before before;
	struct interval interval;
	uint64_t repeat;
	struct axis *axis;
	size_t nr_axes;
	const char *what_if;
	struct what_if *points;
	const char *running;
	struct attached attached;
};

/* ---- stat_count.c: observers and counters ---- */

/* Make room and begin to count: 0, or EXIT_MONTCTL after a message. */
int stat_count_start(struct counting *s);
/* See that no constraint of --strict has been written: 0, or EXIT_MONTCTL after a message. */
int stat_count_check(struct counting *s);
/* Give the guest back the registers that --strict took: 0, or EXIT_MONTCTL after a message. */
int stat_count_stop(struct counting *s);
/* Read the counts into @s: 0, or EXIT_MONTCTL after a message. */
int stat_count_read(struct counting *s);
/* Read the counts at the end: of the timed region, if there is one. */
int stat_count_end(struct counting *s);
/* Leave out what there was before now; and in stat_count_since() read what came since. */
int stat_count_from_now(struct counting *s);
int stat_count_since(struct counting *s);
/* montecito_timed_region.change, with a struct counting. */
int stat_count_region(struct montecito *m, bool begins, void *arg);
/*
 * Of all vcpus; with :all each core once. What is of the package is not added up: it is what the core
 * has counted that has counted most, since a core that sleeps counts nothing.
 */
uint64_t stat_total(const struct counting *s, size_t event);
/* All of it; @v->count has room for each event. */
void stat_values(const struct counting *s, struct stat_values *v);
void stat_count_free(struct counting *s);

/* ---- stat_report.c ---- */

/* As -j prints it. */
struct json_object *stat_json(const struct counting *s);
/* The report of one run, in the form that was asked for. */
void stat_report(const struct counting *s, FILE *f);
/* Add the columns of a table of runs, or pieces of one: 0, or -ENOMEM. */
int stat_columns(const struct counting *s, struct table *t);
/* And fill in those of a row. */
void stat_cells(const struct counting *s, const struct stat_values *v, double *cell);
/* Open the report's file, before the program runs: its work shall not be lost for a name. */
int stat_report_open(struct counting *s);
/* Write with @write to where the report goes, and close that: 0, or EXIT_MONTCTL. */
int stat_report_write(struct counting *s, void (*write)(const void *arg, FILE *f), const void *arg);
/* The chart of @t in the file of --svg: 0, or EXIT_MONTCTL after a message. */
int stat_svg(const struct counting *s, const struct table *t);

/* ---- stat_interval.c: counts over time ---- */

/* Take the argument of -I: 0, or EXIT_MONTCTL after a message. */
int interval_option(struct counting *s, const char *arg);
/* Have the run of @p make rows: 0, or EXIT_MONTCTL after a message. */
int interval_start(struct counting *s, struct montecito_process *p);
/* The last row, of what is left at the run's end. */
int interval_end(struct counting *s);
void interval_free(struct counting *s);

/* ---- stat_batch.c: many runs ---- */

/* Take --param NAME=VALUE,VALUE...: 0, or EXIT_MONTCTL after a message. */
int axis_option(struct counting *s, const char *text);
/* Run each point, or -r times, and report: an exit status. */
int batch_run(struct counting *s, char **argv);
void axes_free(struct counting *s);

/* ---- stat.c ---- */

/* Open the machine of @s and load the program; for a run, or to see whether one can be. */
int stat_open(struct counting *s, char **argv, struct montecito_process **p);
/* One run to its end, with its counts in @s: 0, or EXIT_MONTCTL after a message. */
int stat_run(struct counting *s, struct montecito_process *p);

#endif
