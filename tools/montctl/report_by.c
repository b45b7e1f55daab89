// SPDX-License-Identifier: GPL-2.0-only
/*
 * montctl report --by: the samples of each event by one key or several, such as function and
 * data line. Keys of data are what an observer of a data EAR captures (PMD32, 33 and 36), those
 * of fetches what one of an instruction EAR does (PMD34 and 35), those of branches are in its
 * trace buffer (PMD38, 39 and 48 to 63).
 */
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "montctl.h"
#include "report_by.h"
#include "samples.h"
#include "terminal.h"

#define MAX_KEYS 8
#define LATENCY_MASK 0x1fffULL /* PMD33.latency [table 3-22] */
#define FETCH_MASK 0xfffULL /* PMD35.latency [table 3-17] */
#define FETCH_LINE 0x1fULL /* what PMD34 leaves out of an address */
#define STAT_SHIFT 14 /* PMD33.stat */
#define LINE 128 /* bytes of a line of the L2D and the L3 */
#define PAGE 16384 /* the page size that programs have without --page-size */

const char report_by_keys[] =
	"function, instruction, symbol+offset, data, object, object+offset, line, page, fetch, "
	"latency, tlb, level, physical, branch, source, target, edge, cause, cpl, vcpu";

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

/* Put a sample's key into *@v: false if the sample has none. */
typedef bool key_value(const struct by *b, const struct montecito_record_sample *s, uint64_t *v);
typedef void key_text(const struct by *b, uint64_t v, char *buf, size_t len);

/* The beginning of the function of @addr, or @addr itself. */
static uint64_t function_of(const struct by *b, uint64_t addr)
{
	uint64_t off;

	return b->symbols && montecito_symbols_find(b->symbols, addr, &off) ? addr - off : addr;
}

static bool value_function(const struct by *b, const struct montecito_record_sample *s, uint64_t *v)
{
	*v = function_of(b, s->ip);
	return true;
}

static void text_function(const struct by *b, uint64_t v, char *buf, size_t len)
{
	uint64_t off;
	const char *name = b->symbols ? montecito_symbols_find(b->symbols, v, &off) : NULL;

	if (name)
		snprintf(buf, len, "%s", name);
	else
		snprintf(buf, len, "0x%016" PRIx64, v);
}

static bool value_instruction(const struct by *b, const struct montecito_record_sample *s,
			      uint64_t *v)
{
	(void)b;
	*v = s->ip | s->slot;
	return true;
}

static void text_instruction(const struct by *b, uint64_t v, char *buf, size_t len)
{
	(void)b;
	snprintf(buf, len, "0x%016" PRIx64 "-%" PRIu64, v & ~(uint64_t)15, v & 3);
}

static void text_symbol(const struct by *b, uint64_t v, char *buf, size_t len)
{
	uint64_t off;
	const char *name = b->symbols ? montecito_symbols_find(b->symbols, v & ~15ULL, &off) : NULL;

	if (name)
		snprintf(buf, len, "%s+0x%" PRIx64 "-%" PRIu64, name, off, v & 3);
	else
		text_instruction(b, v, buf, len);
}

static bool value_data(const struct by *b, const struct montecito_record_sample *s, uint64_t *v)
{
	(void)s;
	return samples_pmd(&b->in, 32, v);
}

static bool value_line(const struct by *b, const struct montecito_record_sample *s, uint64_t *v)
{
	bool there = value_data(b, s, v);

	*v &= ~(uint64_t)(LINE - 1);
	return there;
}

static bool value_page(const struct by *b, const struct montecito_record_sample *s, uint64_t *v)
{
	bool there = value_data(b, s, v);

	*v &= ~(uint64_t)(PAGE - 1);
	return there;
}

static void text_address(const struct by *b, uint64_t v, char *buf, size_t len)
{
	(void)b;
	snprintf(buf, len, "0x%016" PRIx64, v);
}

static bool value_object(const struct by *b, const struct montecito_record_sample *s, uint64_t *v)
{
	uint64_t off;

	if (!value_data(b, s, v))
		return false;
	if (b->symbols && montecito_symbols_object(b->symbols, *v, &off))
		*v -= off;
	return true;
}

static void text_object(const struct by *b, uint64_t v, char *buf, size_t len)
{
	const char *name;
	uint64_t off;

	name = b->symbols ? montecito_symbols_object(b->symbols, v, &off) : NULL;
	if (name && off)
		snprintf(buf, len, "%s+0x%" PRIx64, name, off);
	else if (name)
		snprintf(buf, len, "%s", name);
	else
		text_address(b, v, buf, len);
}

static bool value_fetch(const struct by *b, const struct montecito_record_sample *s, uint64_t *v)
{
	(void)s;
	if (!samples_pmd(&b->in, 34, v))
		return false;
	*v &= ~FETCH_LINE;
	return true;
}

static bool value_latency(const struct by *b, const struct montecito_record_sample *s, uint64_t *v)
{
	(void)s;
	if (samples_pmd(&b->in, 33, v))
		*v &= LATENCY_MASK;
	else if (samples_pmd(&b->in, 35, v))
		*v &= FETCH_MASK;
	else
		return false;
	return *v;
}

static bool value_tlb(const struct by *b, const struct montecito_record_sample *s, uint64_t *v)
{
	uint64_t latency;

	if (value_latency(b, s, &latency))
		return false;
	if (samples_pmd(&b->in, 33, v))
		*v >>= STAT_SHIFT;
	else if (!samples_pmd(&b->in, 34, v))
		return false;
	*v &= 3;
	return true;
}

static void text_number(const struct by *b, uint64_t v, char *buf, size_t len)
{
	(void)b;
	snprintf(buf, len, "%" PRIu64, v);
}

static bool value_level(const struct by *b, const struct montecito_record_sample *s, uint64_t *v)
{
	(void)b;
	*v = s->level;
	return s->level;
}

static void text_level(const struct by *b, uint64_t v, char *buf, size_t len)
{
	static const char *const name[] = {
		[MONTECITO_LEVEL_L2D] = "L2D",		 [MONTECITO_LEVEL_L3] = "L3",
		[MONTECITO_LEVEL_MEMORY] = "memory",	 [MONTECITO_LEVEL_PENDING] = "pending",
		[MONTECITO_LEVEL_UNCACHED] = "uncached",
	};

	if (v < sizeof(name) / sizeof(name[0]) && name[v])
		snprintf(buf, len, "%s", name[v]);
	else
		text_number(b, v, buf, len);
}

static bool value_physical(const struct by *b, const struct montecito_record_sample *s, uint64_t *v)
{
	(void)s;
	*v = b->in.physical;
	return b->in.has_physical;
}

/* Why the cycle of the sample had no group to issue: the name of that CAUSE event. */
static bool value_cause(const struct by *b, const struct montecito_record_sample *s, uint64_t *v)
{
	(void)b;
	*v = s->cause - 1;
	return s->cause;
}

static void text_cause(const struct by *b, uint64_t v, char *buf, size_t len)
{
	struct montecito_event_info info = { .size = sizeof(info) };

	if (montecito_event_of_cause(v, &info))
		text_number(b, v, buf, len);
	else
		snprintf(buf, len, "%s", info.name);
}

static bool value_source(const struct by *b, const struct montecito_record_sample *s, uint64_t *v)
{
	struct samples_branch branch;

	if (!samples_branch(&b->in, s, &branch))
		return false;
	*v = branch.source;
	return true;
}

static bool value_target(const struct by *b, const struct montecito_record_sample *s, uint64_t *v)
{
	struct samples_branch branch;

	if (!samples_branch(&b->in, s, &branch))
		return false;
	*v = branch.target;
	return true;
}

static void text_target(const struct by *b, uint64_t v, char *buf, size_t len)
{
	uint64_t off;
	const char *name = b->symbols ? montecito_symbols_find(b->symbols, v, &off) : NULL;

	if (name && off)
		snprintf(buf, len, "%s+0x%" PRIx64, name, off);
	else
		text_function(b, v, buf, len);
}

static bool value_from(const struct by *b, const struct montecito_record_sample *s, uint64_t *v)
{
	if (!value_source(b, s, v))
		return false;
	*v = function_of(b, *v & ~15ULL);
	return true;
}

static bool value_to(const struct by *b, const struct montecito_record_sample *s, uint64_t *v)
{
	if (!value_target(b, s, v))
		return false;
	*v = function_of(b, *v);
	return true;
}

static void text_tlb(const struct by *b, uint64_t v, char *buf, size_t len)
{
	static const char *const name[] = { "none", "L2 DTLB", "VHPT", "fault" };

	(void)b;
	snprintf(buf, len, "%s", name[v & 3]);
}

static bool value_cpl(const struct by *b, const struct montecito_record_sample *s, uint64_t *v)
{
	(void)b;
	*v = s->cpl;
	return true;
}

static bool value_vcpu(const struct by *b, const struct montecito_record_sample *s, uint64_t *v)
{
	(void)b;
	*v = s->vcpu;
	return true;
}

static const struct {
	const char *name;
	key_value *value;
	key_text *text;
} keys[] = {
	{ "function", value_function, text_function },
	{ "instruction", value_instruction, text_instruction },
	{ "symbol+offset", value_instruction, text_symbol },
	{ "data", value_data, text_address },
	{ "object", value_object, text_object },
	{ "object+offset", value_data, text_object },
	{ "line", value_line, text_address },
	{ "page", value_page, text_address },
	{ "fetch", value_fetch, text_address },
	{ "latency", value_latency, text_number },
	{ "tlb", value_tlb, text_tlb },
	{ "level", value_level, text_level },
	{ "physical", value_physical, text_address },
	{ "cause", value_cause, text_cause },
	{ "source", value_source, text_symbol },
	{ "target", value_target, text_target },
	{ "from", value_from, text_function },
	{ "to", value_to, text_function },
	{ "cpl", value_cpl, text_number },
	{ "vcpu", value_vcpu, text_number },
};

#define NR_KEYS (sizeof(keys) / sizeof(keys[0]))
#define NONE UINT64_MAX /* a key that the sample has not */

/* Keys that stand for two. */
static const struct {
	const char *name;
	const char *two[2];
} pairs[] = {
	{ "branch", { "source", "target" } },
	{ "edge", { "from", "to" } },
};

static int parse_key(struct by *b, const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (strlen(pairs[i].name) == len && !strncmp(pairs[i].name, text, len))
			return parse_key(b, pairs[i].two[0], strlen(pairs[i].two[0])) ||
			       parse_key(b, pairs[i].two[1], strlen(pairs[i].two[1]));
	for (i = 0; i < NR_KEYS; i++)
		if (strlen(keys[i].name) == len && !strncmp(keys[i].name, text, len))
			break;
	if (i == NR_KEYS)
		return usage_error("report", "--by %.*s: must be of %s", (int)len, text,
				   report_by_keys);
	if (b->nr == MAX_KEYS)
		return usage_error("report", "--by: at most %d keys", MAX_KEYS);
	b->key[b->nr++] = i;
	return 0;
}

static int parse_keys(struct by *b, const char *text)
{
	do {
		size_t len = strcspn(text, ",");
		int err = parse_key(b, text, len);

		if (err)
			return EXIT_MONTCTL;
		text += len;
	} while (*text++);
	return 0;
}

static int compare_keys(const void *pa, const void *pb)
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

static int compare_samples(const void *pa, const void *pb)
{
	const struct by_row *a = pa, *b = pb;

	if (a->event == b->event && a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	return compare_keys(pa, pb);
}

/* Add up rows of equal keys. */
static void fold(struct by *b)
{
	size_t i, n = 0;

	if (b->nr_rows)
		qsort(b->row, b->nr_rows, sizeof(*b->row), compare_keys);
	for (i = 0; i < b->nr_rows; i++) {
		if (n && !compare_keys(&b->row[n - 1], &b->row[i])) {
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

static int add(struct by *b, const struct montecito_record_sample *s)
{
	struct samples_branch branch;
	struct by_row *r;
	uint64_t latency;
	size_t i;

	if (b->nr_rows == b->cap) {
		fold(b);
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
		if (!keys[b->key[i]].value(b, s, &r->value[i]))
			r->value[i] = NONE;
	if (value_latency(b, s, &latency)) {
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

static void key_name(const struct by *b, const struct by_row *r, size_t key, char *buf, size_t len)
{
	if (r->value[key] == NONE)
		snprintf(buf, len, "-");
	else
		keys[b->key[key]].text(b, r->value[key], buf, len);
}

static void print_text(const struct by *b, size_t event, const struct by_row *row, size_t nr,
		       uint64_t total, uint64_t limit)
{
	char text[256], safe[256];
	bool timed = false, branches = false, each = b->in.period[event] == 1;
	size_t i, k;

	for (i = 0; i < nr; i++) {
		timed |= row[i].timed;
		branches |= row[i].branches;
	}
	samples_period(&b->in, event, text, sizeof(text));
	printf("# %s: %s", plain(b->in.program, safe, sizeof(safe)), b->in.event[event]);
	printf(", %s: %" PRIu64 " %s\n#  share %10s%s%s%s", text, total,
	       b->in.exact ? "occurrences" : "samples", b->in.exact ? "count" : "samples",
	       timed ? "  mean latency" : "", branches ? "  mispredicted" : "",
	       branches && each ? "  mean cycles" : "");
	for (k = 0; k < b->nr; k++)
		printf("  %s", keys[b->key[k]].name);
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
			key_name(b, &row[i], k, text, sizeof(text));
			printf("  %s", plain(text, safe, sizeof(safe)));
		}
		putchar('\n');
	}
}

static struct json_object *rows_json(const struct by *b, size_t event, const struct by_row *row,
				     size_t nr, uint64_t total, uint64_t limit)
{
	struct json_object *e = json_object_new_object(), *list = json_object_new_array();
	char text[256];
	size_t i, k;

	for (i = 0; i < nr && i < limit; i++) {
		struct json_object *o = json_object_new_object();

		for (k = 0; k < b->nr; k++) {
			key_name(b, &row[i], k, text, sizeof(text));
			json_object_object_add(
				o, keys[b->key[k]].name,
				row[i].value[k] == NONE ? NULL : json_object_new_string(text));
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

static void print(const struct by *b, bool json, uint64_t limit)
{
	struct json_object *top = json_object_new_object(), *events = json_object_new_array();
	size_t event, from = 0, to, i;

	for (event = 0; event < b->in.nr; event++, from = to) {
		uint64_t total = 0;

		for (to = from; to < b->nr_rows && b->row[to].event == event; to++)
			total += b->row[to].samples;
		if (json) {
			json_object_array_add(events, rows_json(b, event, b->row + from, to - from,
								total, limit));
			continue;
		}
		if (event)
			putchar('\n');
		print_text(b, event, b->row + from, to - from, total, limit);
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
		json_object_array_add(list, json_object_new_string(keys[b->key[i]].name));
	}
	json_object_object_add(top, "events", events);
	print_object(stdout, top);
}

int report_by(const char *path, const char *text, bool json, uint64_t limit)
{
	struct montecito_record_sample sample;
	struct by b = { 0 };
	int err = parse_keys(&b, text);

	if (!err)
		err = samples_open(&b.in, path);
	if (err)
		return err;
	b.symbols = samples_symbols(&b.in);
	b.last = calloc(b.in.nr + 1, sizeof(*b.last));
	err = b.last ? 0 : fail("out of memory");
	while (!err && (err = samples_next(&b.in, &sample)) == 1) {
		err = add(&b, &sample);
		if (err)
			break;
	}
	if (!err) {
		fold(&b);
		if (b.nr_rows)
			qsort(b.row, b.nr_rows, sizeof(*b.row), compare_samples);
		if (!json)
			terminal_page();
		print(&b, json, limit);
	}
	free(b.row);
	free(b.last);
	montecito_symbols_free(b.symbols);
	samples_close(&b.in);
	return err;
}
