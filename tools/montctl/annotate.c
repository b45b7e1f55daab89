// SPDX-License-Identifier: GPL-2.0-only
/* montctl annotate: the instructions of functions with their samples. */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate.h"
#include "montctl.h"
#include "samples.h"
#include "source.h"
#include "terminal.h"

#define BUNDLE 16
/* Samples of a program without symbols that lie nearer than this are one stretch. */
#define GAP 256
/* Bundles shown before and behind one that --min lets through */
#define CONTEXT 2

static const char help[] =
	"Usage: montctl annotate [-i FILE] [-j] [-e EVENT] [--min PERCENT] [FUNCTION|LO-HI...]\n\n"
	"Show the instructions of the functions or address ranges, or of all functions that\n"
	"have samples (without symbols, all stretches of code that have), with the\n"
	"samples on each; the function with the most samples comes first. A line begins\n"
	"with the instruction's share of all samples and their number; [MII] is the\n"
	"bundle's template and ;; a stop.\n\n"
	"  -i FILE       recording (default: " SAMPLES_FILE ")\n"
	"  -e EVENT      which of the recorded events, by name or number (default: the first)\n"
	"  --min PERCENT  leave out functions with less of all samples, and stretches of code\n"
	"                without an instruction that has as much\n"
	"  -j, --json    one JSON object on one line\n";

enum { OPT_MIN = 0x100 };

static const struct option options[] = {
	{ "min", required_argument, NULL, OPT_MIN },
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

/* A function that is shown. */
struct shown {
	char name[256];
	uint64_t addr;
	uint64_t size;
	uint64_t samples;
};

/* Samples of the instruction at bundle address + slot @at, and in the end of all before it. */
struct heat {
	uint64_t at;
	uint64_t sum;
};

struct annotate {
	struct samples in;
	struct montecito_symbols *sym;
	size_t event;
	struct heat *heat; /* sorted */
	uint64_t total; /* samples */
	size_t nr;
	size_t cap;
	struct json_object *functions; /* NULL: text */
	struct source source;
	double min; /* --min */
};

static int by_address(const void *pa, const void *pb)
{
	const struct heat *a = pa, *b = pb;

	return (a->at > b->at) - (a->at < b->at);
}

static int by_heat(const void *pa, const void *pb)
{
	const struct shown *a = pa, *b = pb;

	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	return (a->addr > b->addr) - (a->addr < b->addr);
}

/* Add up samples of one instruction, and then with those of all before it. */
static void fold(struct annotate *a)
{
	size_t i, n = 0;

	if (a->nr)
		qsort(a->heat, a->nr, sizeof(*a->heat), by_address);
	for (i = 0; i < a->nr; i++) {
		if (n && a->heat[n - 1].at == a->heat[i].at)
			a->heat[n - 1].sum += a->heat[i].sum;
		else
			a->heat[n++] = a->heat[i];
	}
	a->nr = n;
}

/* Make room: by adding up what is there, or for twice as much. */
static int grow(struct annotate *a)
{
	size_t cap = a->cap ? 2 * a->cap : 4096;
	struct heat *p;

	fold(a);
	if (2 * a->nr < a->cap)
		return 0;
	p = realloc(a->heat, cap * sizeof(*p));
	if (!p)
		return -ENOMEM;
	a->heat = p;
	a->cap = cap;
	return 0;
}

static int read_samples(struct annotate *a)
{
	struct montecito_record_sample s;
	size_t i;
	int ret;

	while ((ret = samples_next(&a->in, &s)) == 1) {
		if (s.source != a->event)
			continue;
		if (a->nr == a->cap && grow(a))
			return fail("out of memory");
		a->heat[a->nr++] = (struct heat){ (s.ip & ~15ULL) | (s.slot & 3), a->in.weight };
	}
	fold(a);
	for (i = 0; i < a->nr; i++) {
		a->total += a->heat[i].sum;
		a->heat[i].sum = a->total;
	}
	return ret;
}

/* How many samples lie below @addr. */
static uint64_t below(const struct annotate *a, uint64_t addr)
{
	size_t lo = 0, hi = a->nr;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (a->heat[mid].at < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? a->heat[lo - 1].sum : 0;
}

static uint64_t count(const struct annotate *a, uint64_t lo, uint64_t hi)
{
	return below(a, hi) - below(a, lo);
}

/* The instruction without its qualifying predicate. */
static const char *opcode(const char *text)
{
	return *text == '(' && strchr(text, ' ') ? strchr(text, ' ') + 1 : text;
}

static bool begins(const char *text, const char *const *with)
{
	for (; *with; with++)
		if (!strncmp(text, *with, strlen(*with)))
			return true;
	return false;
}

bool annotate_branches(const char *text)
{
	static const char *const to[] = { "br", "chk", "fchkf", NULL };

	return begins(opcode(text), to) && strncmp(opcode(text), "break", 5);
}

void annotate_target(const struct montecito_symbols *sym, const char *text, char *buf, size_t len)
{
	const char *x = strrchr(text, 'x'), *name;
	uint64_t addr, off;

	*buf = '\0';
	/* the last operand, in hexadecimal */
	if (!x || x == text || x[-1] != '0' || !annotate_branches(text))
		return;
	addr = strtoull(x + 1, NULL, 16);
	name = montecito_symbols_find(sym, addr, &off);
	if (name && off)
		snprintf(buf, len, "<%s+0x%" PRIx64 ">", name, off);
	else if (name)
		snprintf(buf, len, "<%s>", name);
}

/*
 * The register stack engine's own references are counted at the instruction
 * that waits for them, whatever it is.
 */
static const char *engine(const struct annotate *a, const char *text)
{
	static const char *const load[] = { "ld", "xchg", "cmp", "fetchadd", NULL };
	static const char *const store[] = { "st", "xchg", "cmp", "fetchadd", NULL };
	const char *event = a->in.name[a->event];

	if (!strncmp(event, "LOADS_RETIRED", 13) && !begins(opcode(text), load))
		return "register stack fill";
	if (!strncmp(event, "STORES_RETIRED", 14) && !begins(opcode(text), store))
		return "register stack spill";
	return NULL;
}

static void text_insn(const struct annotate *a, uint64_t ip, unsigned int slot,
		      const struct montecito_bundle *b, uint64_t n, const char *to)
{
	const char *why = n ? engine(a, b->text[slot]) : NULL;
	char share[32] = "", template[8] = "";

	const char *on = "";

	if (n) {
		snprintf(share, sizeof(share), "%6.2f%% %8" PRIu64, 100.0 * n / a->total, n);
		on = terminal_paint(stdout, terminal_heat(100.0 * n / a->total));
	}
	if (!slot)
		snprintf(template, sizeof(template), "[%s]", b->units);
	printf("%s%16s%s  %016" PRIx64 "-%u  %-5s  %s%s%s%s%s%s\n", on, share,
	       *on ? terminal_paint(stdout, PAINT_NONE) : "", ip, slot, template, b->text[slot],
	       *to ? " " : "", to, b->stop[slot] ? " ;;" : "", why ? "  # " : "", why ? why : "");
}

static void json_insn(const struct annotate *a, struct json_object *list, uint64_t ip,
		      unsigned int slot, const struct montecito_bundle *b, uint64_t n,
		      const char *to)
{
	struct json_object *o = json_object_new_object();
	const char *file, *why = n ? engine(a, b->text[slot]) : NULL;
	int line;

	json_object_object_add(o, "address", json_object_new_uint64(ip));
	json_object_object_add(o, "slot", json_object_new_int(slot));
	json_object_object_add(o, "template", json_object_new_string(b->units));
	json_object_object_add(o, "text", json_object_new_string(b->text[slot]));
	json_object_object_add(o, "stop", json_object_new_boolean(b->stop[slot]));
	json_object_object_add(o, "samples", json_object_new_uint64(n));
	if (*to)
		json_object_object_add(o, "target", json_object_new_string(to));
	if (why)
		json_object_object_add(o, "note", json_object_new_string(why));
	file = montecito_symbols_source(a->sym, ip + slot, &line);
	if (file) {
		json_object_object_add(o, "file", json_object_new_string(file));
		json_object_object_add(o, "line", json_object_new_int(line));
	}
	json_object_array_add(list, o);
}

/* A line where the source line changes. */
static void text_source(struct annotate *a, uint64_t addr, int *last)
{
	char safe[256], text[256];
	int line;
	const char *file = montecito_symbols_source(a->sym, addr, &line), *base;

	if (!file || line == *last)
		return;
	*last = line;
	base = strrchr(file, '/');
	printf("%16s  %s:%d  %s\n", "", plain(base ? base + 1 : file, safe, sizeof(safe)), line,
	       source_line(&a->source, file, line, text, sizeof(text)));
}

/* True if --min lets the bundle at @ip through, for its own samples or a neighbour's. */
static bool hot(const struct annotate *a, const struct shown *f, uint64_t ip)
{
	uint64_t from = ip - f->addr > CONTEXT * BUNDLE ? ip - CONTEXT * BUNDLE : f->addr;
	uint64_t to = ip + (CONTEXT + 1) * BUNDLE;

	if (!a->min)
		return true;
	for (; from < to && from < f->addr + f->size; from++)
		if (100.0 * count(a, from, from + 1) >= a->min * a->total)
			return true;
	return false;
}

static void show_code(struct annotate *a, const struct shown *f, struct json_object *list)
{
	struct montecito_bundle b = { .size = sizeof(b) };
	uint64_t ip, code[2];
	char to[256];
	unsigned int slot;
	bool left_out = false;
	int line = 0;

	for (ip = f->addr; ip < f->addr + f->size; ip += BUNDLE) {
		if (montecito_symbols_code(a->sym, ip, code, sizeof(code)))
			break;
		if (!hot(a, f, ip)) {
			if (!list && !left_out)
				printf("%16s  ...\n", "");
			left_out = true;
			continue;
		}
		left_out = false;
		montecito_bundle(&b, code[0], code[1], ip);
		for (slot = 0; slot < 3; slot++) {
			uint64_t n = count(a, ip | slot, (ip | slot) + 1);

			if (!*b.text[slot])
				continue;
			annotate_target(a->sym, b.text[slot], to, sizeof(to));
			if (list) {
				json_insn(a, list, ip, slot, &b, n, to);
				continue;
			}
			text_source(a, ip + slot, &line);
			text_insn(a, ip, slot, &b, n, to);
		}
	}
}

static void show(struct annotate *a, const struct shown *f)
{
	struct json_object *o, *list;

	if (!a->functions) {
		printf("%s# %s: %" PRIu64 " of %" PRIu64 " %s, %.2f%%, of %s%s\n",
		       terminal_paint(stdout, PAINT_HEAD), f->name, f->samples, a->total,
		       a->in.exact ? "occurrences" : "samples",
		       a->total ? 100.0 * f->samples / a->total : 0.0, a->in.name[a->event],
		       terminal_paint(stdout, PAINT_NONE));
		show_code(a, f, NULL);
		putchar('\n');
		return;
	}
	o = json_object_new_object();
	list = json_object_new_array();
	json_object_object_add(o, "name", json_object_new_string(f->name));
	json_object_object_add(o, "address", json_object_new_uint64(f->addr));
	json_object_object_add(o, "samples", json_object_new_uint64(f->samples));
	show_code(a, f, list);
	json_object_object_add(o, "instructions", list);
	json_object_array_add(a->functions, o);
}

static bool wanted(const char *name, char **names, bool *found)
{
	size_t i;

	for (i = 0; names[i]; i++) {
		if (!strcmp(name, names[i])) {
			found[i] = true;
			return true;
		}
	}
	return false;
}

static void name_range(struct shown *f)
{
	snprintf(f->name, sizeof(f->name), "0x%" PRIx64 "-0x%" PRIx64, f->addr, f->addr + f->size);
}

/* LO-HI, whole bundles. */
static bool parse_range(const char *text, struct shown *f)
{
	uint64_t lo, hi;
	char *end;

	if (text[0] != '0' || text[1] != 'x')
		return false;
	lo = strtoull(text, &end, 16);
	if (*end != '-' || parse_number(end + 1, &hi) || lo >= hi)
		return false;
	f->addr = lo & ~(BUNDLE - 1ULL);
	f->size = ((hi + BUNDLE - 1) & ~(BUNDLE - 1ULL)) - f->addr;
	name_range(f);
	return true;
}

/* The stretch of samples that begins with sample @i: the one behind its last. */
static size_t stretch(const struct annotate *a, size_t i, struct shown *f)
{
	size_t first = i;

	do
		i++;
	while (i < a->nr && a->heat[i].at - a->heat[i - 1].at <= GAP);
	f->addr = a->heat[first].at & ~(BUNDLE - 1ULL);
	f->size = (a->heat[i - 1].at & ~(BUNDLE - 1ULL)) + BUNDLE - f->addr;
	f->samples = a->heat[i - 1].sum - (first ? a->heat[first - 1].sum : 0);
	name_range(f);
	return i;
}

static bool enough(const struct annotate *a, const struct shown *f)
{
	return f->samples && 100.0 * f->samples >= a->min * a->total;
}

/*
 * Select the functions that were asked for, or all, hottest first: an array, or NULL
 * after a message.
 */
static struct shown *choose(const struct annotate *a, char **names, size_t nr_names, size_t *nr)
{
	bool *found = calloc(nr_names + 1, sizeof(*found));
	struct shown *list, f;
	size_t i, all = 0;
	const char *name;
	int err = 0;

	while (montecito_symbols_at(a->sym, all, &f.addr, &f.size))
		all++;
	list = calloc((all ? all : a->nr) + nr_names + 1, sizeof(*list));
	if (!found || !list)
		err = fail("out of memory");
	for (*nr = 0, i = 0; !err && i < all; i++) {
		name = montecito_symbols_at(a->sym, i, &f.addr, &f.size);
		snprintf(f.name, sizeof(f.name), "%s", name);
		f.samples = count(a, f.addr, f.addr + f.size);
		if (nr_names ? wanted(name, names, found) : enough(a, &f))
			list[(*nr)++] = f;
	}
	for (i = 0; !err && !all && !nr_names && i < a->nr;) {
		i = stretch(a, i, &f);
		if (enough(a, &f))
			list[(*nr)++] = f;
	}
	for (i = 0; !err && i < nr_names; i++) {
		if (!found[i] && parse_range(names[i], &f)) {
			f.samples = count(a, f.addr, f.addr + f.size);
			list[(*nr)++] = f;
		} else if (!found[i]) {
			err = all ? fail("%s: %s has no such function", names[i], a->in.program)
				  : fail("%s: %s is stripped; give addresses, LO-HI", names[i],
					 a->in.program);
		}
	}
	if (!err && *nr)
		qsort(list, *nr, sizeof(*list), by_heat);
	free(found);
	if (!err)
		return list;
	free(list);
	return NULL;
}

static int annotate(struct annotate *a, char **names, size_t nr_names, bool json)
{
	struct json_object *top;
	struct shown *list;
	size_t i, nr;

	list = choose(a, names, nr_names, &nr);
	if (!list)
		return EXIT_MONTCTL;
	if (json)
		a->functions = json_object_new_array();
	else
		terminal_page();
	for (i = 0; i < nr; i++)
		show(a, &list[i]);
	free(list);
	if (!json)
		return 0;
	top = json_object_new_object();
	json_object_object_add(top, "program", json_object_new_string(a->in.program));
	json_object_object_add(top, "event", json_object_new_string(a->in.event[a->event]));
	json_object_object_add(top, "name", json_object_new_string(a->in.name[a->event]));
	json_object_object_add(top, "period", json_object_new_uint64(a->in.period[a->event]));
	json_object_object_add(top, "samples", json_object_new_uint64(a->total));
	json_object_object_add(top, "functions", a->functions);
	print_object(stdout, top);
	return 0;
}

int cmd_annotate(int argc, char **argv)
{
	const char *path = SAMPLES_FILE, *event = "1";
	struct annotate a = { 0 };
	bool json = false;
	int opt, err, n;
	char *end;

	while ((opt = getopt_long(argc, argv, ":i:e:jh", options, NULL)) != -1) {
		switch (opt) {
		case 'h':
			fputs(help, stdout);
			return 0;
		case 'i':
			path = optarg;
			break;
		case 'e':
			event = optarg;
			break;
		case 'j':
			json = true;
			break;
		case OPT_MIN:
			a.min = strtod(optarg, &end);
			if (end == optarg || *end || !(a.min >= 0 && a.min <= 100))
				return usage_error("annotate", "--min %s: not a percentage",
						   optarg);
			break;
		default:
			return bad_option("annotate", argv, opt, options);
		}
	}
	err = samples_open(&a.in, path);
	if (err)
		return err;
	n = samples_event(&a.in, event);
	a.event = n;
	err = n < 0 ? EXIT_MONTCTL : read_samples(&a);
	if (!err) {
		a.sym = samples_symbols(&a.in);
		err = a.sym ? annotate(&a, argv + optind, argc - optind, json) : EXIT_MONTCTL;
	}
	montecito_symbols_free(a.sym);
	free(a.heat);
	source_close(&a.source);
	samples_close(&a.in);
	return err;
}
