/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sampling a machine into a file: of record, and of boot --record. Called by record.c and boot.c.
 */
#ifndef MONTCTL_RECORDER_H
#define MONTCTL_RECORDER_H

#include <stdbool.h>
#include <stdio.h>

#include "libmontecito.h"
#include "samples_file.h"

struct pmu_recording;

/* Event and period without -e and -c. */
#define RECORDER_EVENT "IA64_INST_RETIRED.THIS"
#define RECORDER_PERIOD 100003

/* How the intervals between samples differ from the period. */
enum recorder_random {
	RECORDER_AUTO, /* at random, unless the period is prime */
	RECORDER_FIXED, /* not at all */
	RECORDER_MASK, /* by bits that were given */
};

/**
 * struct recorder - samples on their way into a file
 * @m: the machine
 * @specs: events
 * @nr: their number
 * @pmu: events of other processors' PMUs, behind those in the file, or NULL
 * @period: occurrences from one sample to the next
 * @frequency: samples a second that make @period; 0: it was given as it is
 * @exact: keep all occurrences, added up by instruction, instead
 * @random: whether intervals are random
 * @mask: with RECORDER_MASK, of which bits
 * @seed: of the random numbers
 * @depth: most return addresses of a sample; 0: no call chains
 * @path: the file
 * @program: what runs: a program, or the image of a system
 * @identity: what tells it from another of its name
 * @map: path of the System.map that names the system's functions, or NULL
 * @system: it is a system: its samples lie apart by vcpu and level
 * @process: the programs that run, or NULL
 * @pid: by vcpu, of which process the last samples in the file are; 0 for none
 * @runs: by vcpu, path of what it runs
 * @timing: the machine has the timing model
 * @running: the machine is another process's, which has chosen its timing
 * @whole: all of the run is recorded: its cycles belong to the recording
 * @id: observers, by vcpu and event
 * @f: the file
 * @waits: of an exact profile with time, for operands, by vcpu
 * @samples: written so far
 * @error: what befell the file
 */
struct recorder {
	struct montecito *m;
	const struct montecito_event_spec *specs;
	size_t nr;
	struct pmu_recording *pmu;
	uint64_t period;
	uint64_t frequency;
	bool exact;
	enum recorder_random random;
	uint64_t mask;
	uint64_t seed;
	uint64_t depth;
	const char *path;
	const char *program;
	const char *identity;
	const char *map;
	bool system;
	const struct montecito_process *process;
	uint32_t pid[SAMPLES_VCPUS];
	char *runs[SAMPLES_VCPUS];
	bool timing;
	bool running;
	bool whole;
	uint32_t *id;
	struct samples_out *f;
	struct waits *waits;
	uint64_t samples;
	uint64_t occurrences;
	uint64_t lost;
	bool unwatched;
	int error;
};

/* Take the argument of -c: 0, or EXIT_MONTCTL after a message. */
int recorder_period(struct recorder *r, const char *command, const char *arg);
/* Take the argument of -F. */
int recorder_frequency(struct recorder *r, const char *command, const char *arg);
/* Take the arguments of --random and --seed, with the results of recorder_period(). */
int recorder_mask(struct recorder *r, const char *command, const char *arg);
int recorder_seed(struct recorder *r, const char *command, const char *arg);
/* Take the argument of --max-stack: 0, or EXIT_MONTCTL after a message. */
int recorder_depth(struct recorder *r, const char *command, const char *arg);
/* All up to @system are filled in. 0, or EXIT_MONTCTL after a message. */
int recorder_start(struct recorder *r);
/* Take samples from now on, which it does from its start; 0, or EXIT_MONTCTL after a message. */
int recorder_watch(struct recorder *r);
/* Take none: 0, or a negative errno. */
int recorder_unwatch(struct recorder *r);
/* Instructions after which the rings cannot have overflowed. */
uint64_t recorder_slice(const struct recorder *r);
/* Empty the rings into the file. 0, or a negative errno. */
int recorder_drain(struct recorder *r);
/*
 * Write what is left and close the file; @stopped is what ended the run early, or
 * NULL. 0, or EXIT_MONTCTL after a message. Nothing is done if it has not started.
 */
int recorder_finish(struct recorder *r, const char *stopped);
void recorder_free(struct recorder *r);

#endif
