/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The bytes of a recording (montctl-record(1)): a line of JSON, then a zstd frame of
 * records, each of which says what has changed since the one before.
 * Called by recorder.c to write, and by samples.c to read.
 */
#ifndef MONTCTL_SAMPLES_FILE_H
#define MONTCTL_SAMPLES_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <zstd.h>

#include "libmontecito.h"

/* Most vcpus of a machine */
#define SAMPLES_VCPUS 4

/**
 * struct samples_last - what records are told against
 * @clock: of the last sample, by vcpu
 * @cycles: of the last sample, by vcpu
 * @insns: of the last sample, by vcpu
 * @at: of the last sample, by vcpu: bundle address and slot
 * @source: of the last sample
 * @who: its vcpu and level
 * @why: its cause, and in bits 15:8 the level of the memory
 * @physical: the last physical address
 * @pmds: its mask
 * @pmd: the last value of each
 * @chain: the last call chain, from the innermost
 * @nr_chain: its length
 */
struct samples_last {
	uint64_t clock[SAMPLES_VCPUS];
	uint64_t cycles[SAMPLES_VCPUS];
	uint64_t insns[SAMPLES_VCPUS];
	uint64_t at[SAMPLES_VCPUS];
	uint64_t source;
	uint64_t who;
	uint64_t why;
	uint64_t physical;
	uint64_t pmds;
	uint64_t pmd[64];
	uint64_t chain[MONTECITO_MAX_CALLCHAIN];
	uint32_t nr_chain;
};

struct samples_out;

/* Make the file @path with this first line; one that is there is kept. NULL with errno. */
struct samples_out *samples_create(const char *path, const char *header);
/* Add a record. After a failure, errno of the first one. */
int samples_put(struct samples_out *o, const struct montecito_record_header *record);
/* Let what was put reach the file, so that a reader of a file cut off finds it. */
int samples_sync(struct samples_out *o);
/* End the frame, if @whole, and close: 0 or the errno of the first failure. */
int samples_finish(struct samples_out *o, int whole);

/**
 * struct samples_in - a file that is being read
 * @f: it, behind its first line
 * @z: state of zstd
 * @last: state of records
 * @in: bytes as they are in the file
 * @nr_in: how many
 * @in_at: of these, taken
 * @out: bytes of records
 * @nr_out: how many
 * @out_at: of these, taken
 * @frame_end: the frame is complete
 */
struct samples_in {
	FILE *f;
	ZSTD_DStream *z;
	struct samples_last last;
	uint8_t *in;
	size_t nr_in;
	size_t in_at;
	uint8_t *out;
	size_t nr_out;
	size_t out_at;
	int frame_end;
};

enum samples_got {
	SAMPLES_GOT,
	SAMPLES_CUT, /* the file ends before its end */
	SAMPLES_DAMAGED,
	SAMPLES_FAILED, /* errno */
};

int samples_in_open(struct samples_in *i, FILE *f);
/* The next record, of at most MONTECITO_RECORD_MAX bytes, in @to. */
enum samples_got samples_get(struct samples_in *i, void *to);
/* True if nothing is behind the last record. */
int samples_at_end(struct samples_in *i);
void samples_in_close(struct samples_in *i);

#endif
