/* SPDX-License-Identifier: GPL-2.0-only */
/* montctl report --by: its rows and their keys. Called by report_by.c. */
#ifndef MONTCTL_REPORT_KEYS_H
#define MONTCTL_REPORT_KEYS_H

#include "samples.h"

#define MAX_KEYS 8
#define KEY_RANGE "latency-range" /* a histogram: its rows are in its order */
#define REPORT_NO_KEY UINT64_MAX /* a key that the sample has not */

/**
 * struct by - a report under way
 * @in: the recording
 * @symbols: functions of its program; NULL: none
 * @key: indices of the keys
 * @nr: how many
 * @row: all rows
 * @nr_rows: how many
 * @cap: room for
 * @last: cycle of each event's last sample
 */
struct by {
	struct samples in;
	struct montecito_symbols *symbols;
	unsigned int key[MAX_KEYS];
	size_t nr;
	struct by_row *row;
	size_t nr_rows;
	size_t cap;
	uint64_t *last;
};

/**
 * struct by_row - samples of equal keys
 * @event: of this event
 * @value: a number for each key
 * @samples: how many
 * @latency: the sum of theirs, of those that have one
 * @timed: how many have
 * @branches: samples with a branch
 * @mispredicted: of them, mispredicted ones
 * @cycles: the sum of the cycles since the sample before; of a period of 1
 */
struct by_row {
	size_t event;
	uint64_t value[MAX_KEYS];
	uint64_t samples;
	uint64_t latency;
	uint64_t timed;
	uint64_t branches;
	uint64_t mispredicted;
	uint64_t cycles;
};

/* Take the list of keys @text: 0, or EXIT_MONTCTL after a message. */
int report_keys_parse(struct by *b, const char *text);
const char *report_key_name(unsigned int key);
/* Put a sample's key into *@v: false if the sample has none. */
bool report_key_value(const struct by *b, unsigned int key, const struct montecito_record_sample *s,
		      uint64_t *v);
void report_key_text(const struct by *b, unsigned int key, uint64_t v, char *buf, size_t len);

#endif
