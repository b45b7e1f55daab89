/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file that record writes and report and annotate read: one line of JSON
 * that says what was recorded, then the records as the sampling ring holds
 * them.
 */
#ifndef MONTCTL_SAMPLES_H
#define MONTCTL_SAMPLES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "libmontecito.h"

#define SAMPLES_FORMAT "montecito-samples-1"
#define SAMPLES_FILE "montecito.samples"

struct json_object;

/**
 * struct samples - a recording that is being read
 * @path: its name
 * @program: path of the program that was recorded
 * @period: occurrences between samples
 * @nr: events
 * @event: of each, as given to record
 * @name: of each, as in the event table
 * @lost: records that found no room, as far as read
 */
struct samples {
	const char *path;
	const char *program;
	uint64_t period;
	size_t nr;
	const char **event;
	const char **name;
	uint64_t lost;
	FILE *f;
	struct json_object *header;
};

/* 0, or EXIT_MONTCTL after a message. */
int samples_open(struct samples *s, const char *path);
/* 1: the next sample, its source below s->nr; 0: no more; EXIT_MONTCTL. */
int samples_next(struct samples *s, struct montecito_record_sample *sample);
void samples_close(struct samples *s);

#endif
