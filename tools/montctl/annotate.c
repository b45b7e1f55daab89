// SPDX-License-Identifier: GPL-2.0-only
/* montctl annotate: the instructions of functions with their samples. */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate.h"
#include "heat.h"
#include "montctl.h"
#include "pmu_cells.h"
#include "samples.h"
#include "source.h"
#include "terminal.h"
#include "waits.h"

#define BUNDLE 16
/* Samples of a program without symbols that lie nearer than this are one stretch. */
#define GAP 256
/* Bundles shown before and behind one that --min lets through */
#define CONTEXT 2
/* Letters of a further column */
#define COLUMN 14

static const char help[] =
	"Usage: montctl annotate [-i FILE] [-j] [-e EVENT[,EVENT...]] [--min PERCENT]\n"
	"                        [FUNCTION|LO-HI...]\n\n"
	"Show the instructions of the functions or address ranges, or of all functions that\n"
	"have samples (without symbols, all stretches of code that have), with the\n"
	"samples on each; the function with the most samples comes first. A line begins\n"
	"with the instruction's share of all samples and their number; [MII] is the\n"
	"bundle's template and ;; a stop.\n\n"
	"  -i FILE       recording (default: " SAMPLES_FILE ")\n"
	"  -e EVENT[,EVENT...]  which of the recorded events, by name or number (default: the\n"
	"                first); further ones are columns beside it; all: all of them\n"
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

struct annotate {
	struct samples in;
	struct montecito_symbols *sym;
	struct heat_map *map; /* the event by which functions are chosen, and further columns */
	size_t nr_maps;
	struct pmu_cells cells; /* samples of other processors' PMUs */
	struct json_object *functions; /* NULL: text */
	struct source source;
	double min; /* --min */
};

static int annotate_by_heat(const void *pa, const void *pb)
{
	const struct shown *a = pa, *b = pb;

	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	return (a->addr > b->addr) - (a->addr < b->addr);
}

static int annotate_read_samples(struct annotate *a)
{
	struct montecito_record_sample s;
	size_t i;
	int ret;

	while ((ret = samples_next(&a->in, &s)) == 1) {
		for (i = 0; i < a->nr_maps; i++) {
			if (s.source == a->map[i].event &&
			    heat_add(&a->map[i], (s.ip & ~15ULL) | (s.slot & 3), a->in.weight))
				return fail("out of memory");
		}
		if (pmu_cells_add(&a->cells, &a->in, &s))
			return fail("out of memory");
	}
	for (i = 0; i < a->nr_maps; i++)
		heat_end(&a->map[i]);
	pmu_cells_end(&a->cells);
	waits_fold(&a->in.waits);
	return ret;
}

static uint64_t annotate_count(const struct annotate *a, uint64_t lo, uint64_t hi)
{
	return heat_count(a->map, lo, hi);
}

/* The number of the event that functions are chosen by. */
static size_t annotate_event(const struct annotate *a)
{
	return a->map->event;
}

/* The instruction without its qualifying predicate. */
static const char *annotate_opcode(const char *text)
{
	return *text == '(' && strchr(text, ' ') ? strchr(text, ' ') + 1 : text;
}

static bool annotate_begins(const char *text, const char *const *with)
{
	for (; *with; with++)
		if (!strncmp(text, *with, strlen(*with)))
			return true;
	return false;
}

bool annotate_branches(const char *text)
{
	static const char *const to[] = { "br", "chk", "fchkf", NULL };

	return annotate_begins(annotate_opcode(text), to) &&
	       strncmp(annotate_opcode(text), "break", 5);
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
static const char *annotate_engine(const struct annotate *a, const char *text)
{
	static const char *const load[] = { "ld", "xchg", "cmp", "fetchadd", NULL };
	static const char *const store[] = { "st", "xchg", "cmp", "fetchadd", NULL };
	const char *name = a->in.name[annotate_event(a)];

	if (!strncmp(name, "LOADS_RETIRED", 13) && !annotate_begins(annotate_opcode(text), load))
		return "register stack fill";
	if (!strncmp(name, "STORES_RETIRED", 14) && !annotate_begins(annotate_opcode(text), store))
		return "register stack spill";
	return NULL;
}

/* The longest wait of the group that begins at @at, and what it comes from. */
static void annotate_text_wait(const struct annotate *a, const struct shown *f, uint64_t at)
{
	const struct wait *w = waits_at(&a->in.waits, at);
	struct montecito_event_info cause = { .size = sizeof(cause) };
	char operand[16], text[128];
	uint64_t from;

	if (!w || montecito_event_of_cause(w->cause, &cause))
		return;
	printf("  # waits %" PRIu64 " for %s, %s", w->cycles,
	       wait_operand(w->operand, operand, sizeof(operand)), cause.name);
	from = wait_producer(a->sym, f->addr, f->addr + f->size, at, w->operand, text);
	if (from != UINT64_MAX)
		printf(": %016" PRIx64 "-%u %s", from & ~(uint64_t)(BUNDLE - 1),
		       (unsigned int)(from & 3), text);
}

static void annotate_json_waits(const struct annotate *a, const struct shown *f, uint64_t at,
				struct json_object *o)
{
	const struct wait *w = waits_at(&a->in.waits, at), *end = a->in.waits.list + a->in.waits.nr;
	struct json_object *list = w ? json_object_new_array() : NULL;
	char operand[16], text[128];

	for (; w && w < end && w->at == at; w++) {
		struct montecito_event_info cause = { .size = sizeof(cause) };
		struct json_object *one = json_object_new_object();
		uint64_t from;

		wait_operand(w->operand, operand, sizeof(operand));
		json_object_object_add(one, "operand", json_object_new_string(operand));
		if (!montecito_event_of_cause(w->cause, &cause))
			json_object_object_add(one, "cause", json_object_new_string(cause.name));
		json_object_object_add(one, "cycles", json_object_new_uint64(w->cycles));
		from = wait_producer(a->sym, f->addr, f->addr + f->size, at, w->operand, text);
		if (from != UINT64_MAX) {
			json_object_object_add(one, "from",
					       json_object_new_uint64(from &
								      ~(uint64_t)(BUNDLE - 1)));
			json_object_object_add(one, "from_slot", json_object_new_int(from & 3));
			json_object_object_add(one, "from_text", json_object_new_string(text));
		}
		json_object_array_add(list, one);
	}
	if (list)
		json_object_object_add(o, "waits", list);
}

/* Print how samples of other processors' PMUs describe the instruction at @at. */
static void annotate_text_cells(const struct annotate *a, uint64_t at)
{
	char text[512];
	size_t i;

	for (i = 0; i < a->nr_maps; i++) {
		const struct pmu_cell *c = pmu_cells_at(&a->cells, a->map[i].event, at);

		if (!c)
			continue;
		pmu_cell_text(c, text, sizeof(text));
		printf("%s%s", *text ? "  # " : "", text);
	}
}

static void annotate_json_cells(const struct annotate *a, uint64_t at, struct json_object *o)
{
	struct json_object *by = NULL, *one;
	size_t i;

	for (i = 0; i < a->nr_maps; i++) {
		const struct pmu_cell *c = pmu_cells_at(&a->cells, a->map[i].event, at);

		if (!c || (!c->timed && !c->profiles))
			continue;
		if (!by) {
			by = json_object_new_object();
			json_object_object_add(o, "pmu_samples", by);
		}
		one = json_object_new_object();
		pmu_cell_json(c, one);
		json_object_object_add(by, a->in.event[a->map[i].event], one);
	}
}

/* Counts of the other events at @at. */
static void annotate_text_columns(const struct annotate *a, uint64_t at)
{
	size_t i;

	for (i = 1; i < a->nr_maps; i++) {
		uint64_t n = heat_count(&a->map[i], at, at + 1);

		if (n)
			printf(" %*" PRIu64, COLUMN, n);
		else
			printf(" %*s", COLUMN, "");
	}
}

/* The names of the columns, by their last letters. */
static void annotate_text_head(const struct annotate *a)
{
	size_t i, len;

	if (a->nr_maps == 1)
		return;
	for (i = 0; i < a->nr_maps; i++) {
		const char *name = a->in.event[a->map[i].event];
		size_t room = i ? COLUMN : 16;

		len = strlen(name);
		printf("%s%*s", i ? " " : "", (int)room, len > room ? name + len - room : name);
	}
	putchar('\n');
}

static void annotate_text_insn(const struct annotate *a, const struct shown *f, uint64_t ip,
			       unsigned int slot, const struct montecito_bundle *b, uint64_t n,
			       const char *to)
{
	const char *why = n ? annotate_engine(a, b->text[slot]) : NULL;
	char share[32] = "", template[8] = "";

	const char *on = "";

	if (n) {
		snprintf(share, sizeof(share), "%6.2f%% %8" PRIu64, 100.0 * n / a->map->total, n);
		on = terminal_paint(stdout, terminal_heat(100.0 * n / a->map->total));
	}
	if (!slot)
		snprintf(template, sizeof(template), "[%s]", b->units);
	printf("%s%16s%s", on, share, *on ? terminal_paint(stdout, PAINT_NONE) : "");
	annotate_text_columns(a, ip | slot);
	printf("  %016" PRIx64 "-%u  %-5s  %s%s%s%s%s%s", ip, slot, template, b->text[slot],
	       *to ? " " : "", to, b->stop[slot] ? " ;;" : "", why ? "  # " : "", why ? why : "");
	annotate_text_wait(a, f, ip | slot);
	annotate_text_cells(a, ip | slot);
	putchar('\n');
}

static struct json_object *annotate_json_counts(const struct annotate *a, uint64_t at)
{
	struct json_object *o = json_object_new_object();
	size_t i;

	for (i = 0; i < a->nr_maps; i++)
		json_object_object_add(o, a->in.event[a->map[i].event],
				       json_object_new_uint64(heat_count(&a->map[i], at, at + 1)));
	return o;
}

static void annotate_json_insn(const struct annotate *a, const struct shown *f,
			       struct json_object *list, uint64_t ip, unsigned int slot,
			       const struct montecito_bundle *b, uint64_t n, const char *to)
{
	struct json_object *o = json_object_new_object();
	const char *file, *why = n ? annotate_engine(a, b->text[slot]) : NULL;
	int line;

	json_object_object_add(o, "address", json_object_new_uint64(ip));
	json_object_object_add(o, "slot", json_object_new_int(slot));
	json_object_object_add(o, "template", json_object_new_string(b->units));
	json_object_object_add(o, "text", json_object_new_string(b->text[slot]));
	json_object_object_add(o, "stop", json_object_new_boolean(b->stop[slot]));
	json_object_object_add(o, "samples", json_object_new_uint64(n));
	if (a->nr_maps > 1)
		json_object_object_add(o, "counts", annotate_json_counts(a, ip | slot));
	if (*to)
		json_object_object_add(o, "target", json_object_new_string(to));
	if (why)
		json_object_object_add(o, "note", json_object_new_string(why));
	annotate_json_waits(a, f, ip | slot, o);
	annotate_json_cells(a, ip | slot, o);
	file = montecito_symbols_source(a->sym, ip + slot, &line);
	if (file) {
		json_object_object_add(o, "file", json_object_new_string(file));
		json_object_object_add(o, "line", json_object_new_int(line));
	}
	json_object_array_add(list, o);
}

/* A line where the source line changes. */
static void annotate_text_source(struct annotate *a, uint64_t addr, int *last)
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
static bool annotate_hot(const struct annotate *a, const struct shown *f, uint64_t ip)
{
	uint64_t from = ip - f->addr > CONTEXT * BUNDLE ? ip - CONTEXT * BUNDLE : f->addr;
	uint64_t to = ip + (CONTEXT + 1) * BUNDLE;

	if (!a->min)
		return true;
	for (; from < to && from < f->addr + f->size; from++)
		if (100.0 * annotate_count(a, from, from + 1) >= a->min * a->map->total)
			return true;
	return false;
}

static void annotate_show_code(struct annotate *a, const struct shown *f, struct json_object *list)
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
		if (!annotate_hot(a, f, ip)) {
			if (!list && !left_out)
				printf("%16s  ...\n", "");
			left_out = true;
			continue;
		}
		left_out = false;
		montecito_bundle(&b, code[0], code[1], ip);
		for (slot = 0; slot < 3; slot++) {
			uint64_t n = annotate_count(a, ip | slot, (ip | slot) + 1);

			if (!*b.text[slot])
				continue;
			annotate_target(a->sym, b.text[slot], to, sizeof(to));
			if (list) {
				annotate_json_insn(a, f, list, ip, slot, &b, n, to);
				continue;
			}
			annotate_text_source(a, ip + slot, &line);
			annotate_text_insn(a, f, ip, slot, &b, n, to);
		}
	}
}

static void annotate_show(struct annotate *a, const struct shown *f)
{
	struct json_object *o, *list;

	if (!a->functions) {
		printf("%s# %s: %" PRIu64 " of %" PRIu64 " %s, %.2f%%, of %s%s\n",
		       terminal_paint(stdout, PAINT_HEAD), f->name, f->samples, a->map->total,
		       a->in.exact ? "occurrences" : "samples",
		       a->map->total ? 100.0 * f->samples / a->map->total : 0.0,
		       a->in.name[annotate_event(a)], terminal_paint(stdout, PAINT_NONE));
		annotate_text_head(a);
		annotate_show_code(a, f, NULL);
		putchar('\n');
		return;
	}
	o = json_object_new_object();
	list = json_object_new_array();
	json_object_object_add(o, "name", json_object_new_string(f->name));
	json_object_object_add(o, "address", json_object_new_uint64(f->addr));
	json_object_object_add(o, "samples", json_object_new_uint64(f->samples));
	annotate_show_code(a, f, list);
	json_object_object_add(o, "instructions", list);
	json_object_array_add(a->functions, o);
}

static bool annotate_wanted(const char *name, char **names, bool *found)
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

static void annotate_name_range(struct shown *f)
{
	snprintf(f->name, sizeof(f->name), "0x%" PRIx64 "-0x%" PRIx64, f->addr, f->addr + f->size);
}

/* LO-HI, whole bundles. */
static bool annotate_parse_range(const char *text, struct shown *f)
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
	annotate_name_range(f);
	return true;
}

/* The stretch of samples that begins with sample @i: the one behind its last. */
static size_t annotate_stretch(const struct annotate *a, size_t i, struct shown *f)
{
	const struct heat_map *m = a->map;
	size_t first = i;

	do
		i++;
	while (i < m->nr && m->heat[i].at - m->heat[i - 1].at <= GAP);
	f->addr = m->heat[first].at & ~(BUNDLE - 1ULL);
	f->size = (m->heat[i - 1].at & ~(BUNDLE - 1ULL)) + BUNDLE - f->addr;
	f->samples = m->heat[i - 1].sum - (first ? m->heat[first - 1].sum : 0);
	annotate_name_range(f);
	return i;
}

static bool annotate_enough(const struct annotate *a, const struct shown *f)
{
	return f->samples && 100.0 * f->samples >= a->min * a->map->total;
}

/*
 * Select the functions that were asked for, or all, hottest first: an array, or NULL
 * after a message.
 */
static struct shown *annotate_choose(const struct annotate *a, char **names, size_t nr_names,
				     size_t *nr)
{
	bool *found = calloc(nr_names + 1, sizeof(*found));
	struct shown *list, f;
	size_t i, all = 0;
	const char *name;
	int err = 0;

	while (montecito_symbols_at(a->sym, all, &f.addr, &f.size))
		all++;
	list = calloc((all ? all : a->map->nr) + nr_names + 1, sizeof(*list));
	if (!found || !list)
		err = fail("out of memory");
	for (*nr = 0, i = 0; !err && i < all; i++) {
		name = montecito_symbols_at(a->sym, i, &f.addr, &f.size);
		snprintf(f.name, sizeof(f.name), "%s", name);
		f.samples = annotate_count(a, f.addr, f.addr + f.size);
		if (nr_names ? annotate_wanted(name, names, found) : annotate_enough(a, &f))
			list[(*nr)++] = f;
	}
	for (i = 0; !err && !all && !nr_names && i < a->map->nr;) {
		i = annotate_stretch(a, i, &f);
		if (annotate_enough(a, &f))
			list[(*nr)++] = f;
	}
	for (i = 0; !err && i < nr_names; i++) {
		if (!found[i] && annotate_parse_range(names[i], &f)) {
			f.samples = annotate_count(a, f.addr, f.addr + f.size);
			list[(*nr)++] = f;
		} else if (!found[i]) {
			err = all ? fail("%s: %s has no such function", names[i], a->in.program)
				  : fail("%s: %s is stripped; give addresses, LO-HI", names[i],
					 a->in.program);
		}
	}
	if (!err && *nr)
		qsort(list, *nr, sizeof(*list), annotate_by_heat);
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

	list = annotate_choose(a, names, nr_names, &nr);
	if (!list)
		return EXIT_MONTCTL;
	if (json)
		a->functions = json_object_new_array();
	else
		terminal_page();
	for (i = 0; i < nr; i++)
		annotate_show(a, &list[i]);
	free(list);
	if (!json)
		return 0;
	top = json_object_new_object();
	json_object_object_add(top, "program", json_object_new_string(a->in.program));
	json_object_object_add(top, "event",
			       json_object_new_string(a->in.event[annotate_event(a)]));
	json_object_object_add(top, "name", json_object_new_string(a->in.name[annotate_event(a)]));
	json_object_object_add(top, "period",
			       json_object_new_uint64(a->in.period[annotate_event(a)]));
	json_object_object_add(top, "samples", json_object_new_uint64(a->map->total));
	json_object_object_add(top, "functions", a->functions);
	print_object(stdout, top);
	return 0;
}

/* The events of -e, or all that were recorded: 0, or EXIT_MONTCTL after a message. */
static int annotate_columns(struct annotate *a, char *text)
{
	bool all = !strcmp(text, "all");
	char *at, *save = NULL;
	int n;

	a->map = calloc(all ? a->in.nr : strlen(text) + 1, sizeof(*a->map));
	if (!a->map)
		return fail("out of memory");
	for (; all && a->nr_maps < a->in.nr; a->nr_maps++)
		a->map[a->nr_maps].event = a->nr_maps;
	for (at = all ? NULL : strtok_r(text, ",", &save); at; at = strtok_r(NULL, ",", &save)) {
		n = samples_event(&a->in, at);
		if (n < 0)
			return EXIT_MONTCTL;
		a->map[a->nr_maps++].event = n;
	}
	return a->nr_maps ? 0 : usage_error("annotate", "-e: no event");
}

int cmd_annotate(int argc, char **argv)
{
	static char first[] = "1";
	char *events = first;
	const char *path = SAMPLES_FILE;
	struct annotate a = { 0 };
	bool json = false;
	int opt, err;
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
			events = optarg;
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
	err = annotate_columns(&a, events);
	if (!err)
		err = annotate_read_samples(&a);
	if (!err) {
		a.sym = samples_symbols(&a.in);
		err = a.sym ? annotate(&a, argv + optind, argc - optind, json) : EXIT_MONTCTL;
	}
	montecito_symbols_free(a.sym);
	while (a.nr_maps--)
		heat_free(&a.map[a.nr_maps]);
	free(a.map);
	pmu_cells_free(&a.cells);
	source_close(&a.source);
	samples_close(&a.in);
	return err;
}
