// SPDX-License-Identifier: GPL-2.0-only
/* montctl report --by: the samples of each event by one key or several (report_keys.c). */
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "montctl.h"
#include "report_by.h"
#include "report_keys.h"
#include "terminal.h"

static int report_by_compare_keys(const void *pa, const void *pb)
{
	const struct by_row *a = pa, *b = pb;
	size_t i;

	if (a->event != b->event)
		return a->event < b->event ? -1 : 1;
	for (i = 0; i < MAX_KEYS; i++)
		if (a->value[i] != b->value[i])
			return a->value[i] < b->value[i] ? -1 : 1;
	return 0;
}

static int report_by_compare_samples(const void *pa, const void *pb)
{
	const struct by_row *a = pa, *b = pb;

	if (a->event == b->event && a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	return report_by_compare_keys(pa, pb);
}

/* Add up rows of equal keys. */
static void report_by_fold(struct by *b)
{
	size_t i, n = 0;

	if (b->nr_rows)
		qsort(b->row, b->nr_rows, sizeof(*b->row), report_by_compare_keys);
	for (i = 0; i < b->nr_rows; i++) {
		if (n && !report_by_compare_keys(&b->row[n - 1], &b->row[i])) {
			b->row[n - 1].samples += b->row[i].samples;
			b->row[n - 1].latency += b->row[i].latency;
			b->row[n - 1].timed += b->row[i].timed;
			b->row[n - 1].branches += b->row[i].branches;
			b->row[n - 1].mispredicted += b->row[i].mispredicted;
			b->row[n - 1].cycles += b->row[i].cycles;
		} else {
			b->row[n++] = b->row[i];
		}
	}
	b->nr_rows = n;
}

static int report_by_add(struct by *b, const struct montecito_record_sample *s)
{
	struct samples_branch branch;
	struct by_row *r;
	uint64_t latency;
	size_t i;

	if (b->nr_rows == b->cap) {
		report_by_fold(b);
		if (2 * b->nr_rows >= b->cap) {
			size_t cap = b->cap ? 2 * b->cap : 4096;

			r = realloc(b->row, cap * sizeof(*r));
			if (!r)
				return fail("out of memory");
			b->row = r;
			b->cap = cap;
		}
	}
	r = &b->row[b->nr_rows++];
	*r = (struct by_row){ .event = s->source, .samples = b->in.weight };
	for (i = 0; i < b->nr; i++)
		if (!report_key_value(b, b->key[i], s, &r->value[i]))
			r->value[i] = REPORT_NO_KEY;
	if (samples_latency(&b->in, &latency)) {
		r->latency = latency;
		r->timed = 1;
	}
	if (samples_branch(&b->in, s, &branch)) {
		r->branches = 1;
		r->mispredicted = branch.mispredicted;
		/* The first one has none before it. */
		r->cycles = b->last[s->source] ? s->cycles - b->last[s->source] : 0;
	}
	b->last[s->source] = s->cycles;
	return 0;
}

static void report_by_print_rows(const struct by *b, size_t event, const struct by_row *row,
				 size_t nr, uint64_t total, uint64_t limit)
{
	char text[256], safe[256];
	bool timed = false, branches = false, each = b->in.period[event] == 1;
	size_t i, k;

	for (i = 0; i < nr; i++) {
		timed |= row[i].timed;
		branches |= row[i].branches;
	}
	printf("#  share %10s%s%s%s", b->in.exact ? "count" : "samples",
	       timed ? "  mean latency" : "", branches ? "  mispredicted" : "",
	       branches && each ? "  mean cycles" : "");
	for (k = 0; k < b->nr; k++)
		printf("  %s", report_key_name(b->key[k]));
	putchar('\n');
	for (i = 0; i < nr; i++) {
		double share = 100.0 * (double)row[i].samples / (double)total;

		if (i == limit) {
			printf("# %zu more\n", nr - i);
			break;
		}
		printf("%s%6.2f%%%s %10" PRIu64, terminal_paint(stdout, terminal_heat(share)),
		       share, terminal_paint(stdout, PAINT_NONE), row[i].samples);
		if (timed && row[i].timed)
			printf("  %12.1f", (double)row[i].latency / (double)row[i].timed);
		else if (timed)
			printf("  %12s", "-");
		if (branches)
			printf("  %12" PRIu64, row[i].mispredicted);
		if (branches && each)
			printf("  %11.1f", (double)row[i].cycles / (double)row[i].samples);
		for (k = 0; k < b->nr; k++) {
			report_key_text(b, b->key[k], row[i].value[k], text, sizeof(text));
			printf("  %s", plain(text, safe, sizeof(safe)));
		}
		putchar('\n');
	}
}

static void report_by_print_text(const struct by *b, size_t event, const struct by_row *row,
				 size_t nr, uint64_t total, uint64_t limit)
{
	char text[256], safe[256];

	samples_period(&b->in, event, text, sizeof(text));
	printf("# %s: %s", plain(b->in.program, safe, sizeof(safe)), b->in.event[event]);
	printf(", %s: %" PRIu64 " %s\n", text, total, b->in.exact ? "occurrences" : "samples");
	report_by_print_rows(b, event, row, nr, total, limit);
}

static struct json_object *report_by_rows_json(const struct by *b, size_t event,
					       const struct by_row *row, size_t nr, uint64_t total,
					       uint64_t limit)
{
	struct json_object *e = json_object_new_object(), *list = json_object_new_array();
	char text[256];
	size_t i, k;

	for (i = 0; i < nr && i < limit; i++) {
		struct json_object *o = json_object_new_object();

		for (k = 0; k < b->nr; k++) {
			report_key_text(b, b->key[k], row[i].value[k], text, sizeof(text));
			json_object_object_add(o, report_key_name(b->key[k]),
					       row[i].value[k] == REPORT_NO_KEY
						       ? NULL
						       : json_object_new_string(text));
		}
		json_object_object_add(o, "samples", json_object_new_uint64(row[i].samples));
		json_object_object_add(o, "latency_sum",
				       row[i].timed ? json_object_new_uint64(row[i].latency)
						    : NULL);
		if (row[i].branches)
			json_object_object_add(o, "mispredicted",
					       json_object_new_uint64(row[i].mispredicted));
		if (row[i].branches && b->in.period[event] == 1)
			json_object_object_add(o, "cycles_sum",
					       json_object_new_uint64(row[i].cycles));
		json_object_array_add(list, o);
	}
	json_object_object_add(e, "event", json_object_new_string(b->in.event[event]));
	json_object_object_add(e, "name", json_object_new_string(b->in.name[event]));
	json_object_object_add(e, "period", json_object_new_uint64(b->in.period[event]));
	json_object_object_add(e, "samples", json_object_new_uint64(total));
	json_object_object_add(e, "rows", list);
	return e;
}

static void report_by_print(const struct by *b, bool json, uint64_t limit)
{
	struct json_object *top = json_object_new_object(), *events = json_object_new_array();
	size_t event, from = 0, to, i;

	for (event = 0; event < b->in.nr; event++, from = to) {
		uint64_t total = 0;

		for (to = from; to < b->nr_rows && b->row[to].event == event; to++)
			total += b->row[to].samples;
		if (json) {
			json_object_array_add(events, report_by_rows_json(b, event, b->row + from,
									  to - from, total, limit));
			continue;
		}
		if (event)
			putchar('\n');
		report_by_print_text(b, event, b->row + from, to - from, total, limit);
	}
	if (!json) {
		json_object_put(top);
		json_object_put(events);
		return;
	}
	json_object_object_add(top, "program", json_object_new_string(b->in.program));
	json_object_object_add(top, "cut", json_object_new_boolean(b->in.cut));
	json_object_object_add(top, "lost", json_object_new_uint64(b->in.lost));
	json_object_object_add(top, "by", json_object_new_array());
	for (i = 0; i < b->nr; i++) {
		struct json_object *list;

		json_object_object_get_ex(top, "by", &list);
		json_object_array_add(list, json_object_new_string(report_key_name(b->key[i])));
	}
	json_object_object_add(top, "events", events);
	print_object(stdout, top);
}

/* Read the recording into rows by the keys @text, sorted: 0, or EXIT_MONTCTL after a message. */
static int report_by_read(struct by *b, const char *path, const char *text)
{
	struct montecito_record_sample sample;
	int err = report_keys_parse(b, text);

	if (!err)
		err = samples_open(&b->in, path);
	if (err)
		return err;
	b->symbols = samples_symbols(&b->in);
	b->last = calloc(b->in.nr + 1, sizeof(*b->last));
	err = b->last ? 0 : fail("out of memory");
	while (!err && (err = samples_next(&b->in, &sample)) == 1)
		err = report_by_add(b, &sample);
	if (err)
		return err;
	report_by_fold(b);
	if (b->nr_rows && strcmp(report_key_name(b->key[0]), KEY_RANGE))
		qsort(b->row, b->nr_rows, sizeof(*b->row), report_by_compare_samples);
	return 0;
}

static void report_by_free(struct by *b)
{
	free(b->row);
	free(b->last);
	montecito_symbols_free(b->symbols);
	samples_close(&b->in);
}

int report_by(const char *path, const char *text, bool json, uint64_t limit)
{
	struct by b = { 0 };
	int err = report_by_read(&b, path, text);

	if (!err && !json)
		terminal_page();
	if (!err)
		report_by_print(&b, json, limit);
	report_by_free(&b);
	return err;
}

/* The rows of @event: how many, the first in *@from, their samples in *@total. */
static size_t report_by_rows_of(const struct by *b, size_t event, size_t *from, uint64_t *total)
{
	size_t to;

	for (*from = 0; *from < b->nr_rows && b->row[*from].event != event; (*from)++)
		;
	*total = 0;
	for (to = *from; to < b->nr_rows && b->row[to].event == event; to++)
		*total += b->row[to].samples;
	return to - *from;
}

int report_by_event(const char *path, const char *text, size_t event, uint64_t limit,
		    struct json_object **rows)
{
	struct by b = { 0 };
	int err = report_by_read(&b, path, text);
	struct json_object *e;
	uint64_t total;
	size_t from, nr;

	if (!err) {
		nr = report_by_rows_of(&b, event, &from, &total);
		if (rows) {
			e = report_by_rows_json(&b, event, b.row + from, nr, total, limit);
			json_object_object_get_ex(e, "rows", rows);
			json_object_get(*rows);
			json_object_put(e);
		} else {
			report_by_print_rows(&b, event, b.row + from, nr, total, limit);
		}
	}
	report_by_free(&b);
	return err;
}
