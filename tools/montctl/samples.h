/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file that record writes and report and annotate read: one line of JSON that says what
 * was recorded, then packed records (samples_file.h), at last struct samples_end. A file
 * without that was cut off. Called by record.c, and by all that reads one: report.c, annotate.c,
 * html.c, profile.h and stacks.h.
 */
#ifndef MONTCTL_SAMPLES_H
#define MONTCTL_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "breakdown.h"
#include "libmontecito.h"
#include "samples_file.h"
#include "waits.h"

#define SAMPLES_FORMAT "montecito-samples-5"
#define SAMPLES_FILE "montecito.samples"

/* Records of our own, of types that the ring has none of. */
#define SAMPLES_END 0x80000001
#define SAMPLES_CYCLES 0x80000002
#define SAMPLES_CAUSE 0x80000003
#define SAMPLES_COUNT 0x80000004
#define SAMPLES_WAIT 0x80000005
#define SAMPLES_PROCESS 0x80000006

/**
 * struct samples_end - the last record
 * @header: type SAMPLES_END
 * @samples: how many there are in the file
 * @pmu: of each, kind of the PMU whose event it is (MONTECITO_PMU_*), or 0: this processor's
 * @likeness: of each that is another PMU's, as montctl events has it, else NULL
 * @lost: records that found no room in the ring
 */
struct samples_end {
	struct montecito_record_header header;
	uint64_t samples;
	uint64_t lost;
};

/**
 * struct samples_cycles - the cycles of a whole run with time, before the last record
 * @header: type SAMPLES_CYCLES
 * @cycles: all
 * @halted: of them, halted
 * @unstalled: of them, those in which an instruction retired
 * @insns: instructions that retired
 */
struct samples_cycles {
	struct montecito_record_header header;
	uint64_t cycles;
	uint64_t halted;
	uint64_t unstalled;
	uint64_t insns;
};

/**
 * struct samples_cause - why no instruction retired, behind SAMPLES_CYCLES
 * @header: type SAMPLES_CAUSE
 * @cause: with its cycles
 */
struct samples_cause {
	struct montecito_record_header header;
	struct montecito_cause cause;
};

/**
 * struct samples_count - occurrences of an event at one instruction, of an exact profile
 * @header: type SAMPLES_COUNT
 * @source: index of the event
 * @vcpu: of whose program
 * @at: bundle address plus slot
 * @count: how many
 */
struct samples_count {
	struct montecito_record_header header;
	uint32_t source;
	uint32_t vcpu;
	uint64_t at;
	uint64_t count;
};

/**
 * struct samples_wait - cycles that groups waited for an operand, of an exact profile with time
 * @header: type SAMPLES_WAIT
 * @vcpu: of whose program
 * @pad: 0
 * @wait: where, for what, how long
 */
struct samples_wait {
	struct montecito_record_header header;
	uint32_t vcpu;
	uint32_t pad;
	struct wait wait;
};

/* Bytes of a program's path that are told; of a longer one the last ones */
#define SAMPLES_PATH 512

/**
 * struct samples_process - who runs: the samples of its vcpu behind it are of this process
 * @header: type SAMPLES_PROCESS
 * @vcpu: on which it runs
 * @pid: its number
 * @program: path of what it runs, NUL-terminated
 */
struct samples_process {
	struct montecito_record_header header;
	uint32_t vcpu;
	uint32_t pid;
	char program[SAMPLES_PATH];
};

struct json_object;

/**
 * struct samples - a recording that is being read
 * @path: its name
 * @program: path of the program that was recorded
 * @identity: what tells that program from another of its name
 * @map: path of the System.map that names its functions, or NULL
 * @vcpus: of a system, whose samples lie apart by vcpu and level; else 0
 * @exact: it holds all occurrences, added up by instruction; the periods are 1
 * @nr: events
 * @period: of each, occurrences between samples
 * @random_mask: of each, by which bits intervals differ from that; 0: none does
 * @event: of each, as given to record
 * @name: of each, as in the event table
 * @pmu: of each, kind of the PMU whose event it is (MONTECITO_PMU_*), or 0: this processor's
 * @likeness: of each that is another PMU's, as montctl events has it, else NULL
 * @lost: records that found no room, as far as read
 * @seen: samples read so far
 * @weight: of the last sample, how many it stands for: 1, or of an exact profile all
 * @kind: of the last sample, that of its event's PMU, or 0
 * @pid: by vcpu, number of the process whose samples come; 0 where it is not known
 * @runs: by vcpu, index of its program
 * @programs: paths of the programs that processes ran
 * @nr_programs: how many
 * @pmds: of the last sample, bit n: PMDn is in @value
 * @value: these, from the lowest on; of PEBS and EV68A the values of its record
 * @nr_words: how many values such a record has; else 0
 * @has_physical: the last sample has a physical address
 * @physical: this one
 * @has_chain: the last sample has a call chain
 * @nr_chain: of the last sample, return addresses
 * @chain: these, from the innermost
 * @waits: for operands, of an exact profile, once all is read
 * @breakdown: where the cycles went, once all samples are read; all 0 if it is not known
 * @cut: the end of the file is missing
 */
struct samples {
	const char *path;
	const char *program;
	const char *identity;
	const char *map;
	uint32_t vcpus;
	bool exact;
	size_t nr;
	uint64_t *period;
	uint64_t *random_mask;
	const char **event;
	const char **name;
	uint32_t *pmu;
	const char **likeness;
	uint64_t lost;
	uint64_t seen;
	uint64_t weight;
	uint32_t kind;
	uint32_t pid[SAMPLES_VCPUS];
	size_t runs[SAMPLES_VCPUS];
	char **programs;
	size_t nr_programs;
	uint64_t pmds;
	uint64_t value[64];
	uint32_t nr_words;
	bool has_physical;
	uint64_t physical;
	bool has_chain;
	uint32_t nr_chain;
	uint64_t chain[MONTECITO_MAX_CALLCHAIN];
	struct waits waits;
	struct breakdown breakdown;
	bool cut;
	struct samples_in in;
	struct json_object *header;
};

/* PMD @n of the sample that samples_next() gave last: false if it has none. */
bool samples_pmd(const struct samples *s, unsigned int n, uint64_t *value);

/*
 * The data address, the latency and the source (SDM table 18-25) of the load or fetch that it
 * has caught: false if it has none.
 */
bool samples_data(const struct samples *s, uint64_t *value);
bool samples_latency(const struct samples *s, uint64_t *value);
bool samples_source(const struct samples *s, uint64_t *value);
/* True if it is an instruction that ProfileMe has followed. */
bool samples_is_profile(const struct samples *s);

/**
 * struct samples_branch - the newest branch in the trace buffer of a sample
 * @source: address of its bundle, plus its slot
 * @target: where the flow went
 * @mispredicted: its path or target was
 */
struct samples_branch {
	uint64_t source;
	uint64_t target;
	bool mispredicted;
};

/* Find it in @sample, the last one of samples_next(): false if there is none. */
bool samples_branch(const struct samples *s, const struct montecito_record_sample *sample,
		    struct samples_branch *b);
/* "one sample each N", and how far intervals differ from that; "exact". */
void samples_period(const struct samples *s, size_t event, char *buf, size_t len);
/* 0, or EXIT_MONTCTL after a message. */
int samples_open(struct samples *s, const char *path);
/*
 * The program's functions; NULL after a message if it is no longer the one that
 * was recorded, or there is no memory.
 */
struct montecito_symbols *samples_symbols(const struct samples *s);
/* Event of this name, or number from 1 on; -1 after a message. */
int samples_event(const struct samples *s, const char *text);
/*
 * 1: the next sample, its source below s->nr; 0: no more; EXIT_MONTCTL. Of a
 * file that was cut off it is the intact part, and one line on stderr says so.
 */
int samples_next(struct samples *s, struct montecito_record_sample *sample);
void samples_close(struct samples *s);

#endif
