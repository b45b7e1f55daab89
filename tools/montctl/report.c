// SPDX-License-Identifier: GPL-2.0-only
/* montctl report: where the samples of a recording lie, by function. */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "html.h"
#include "montctl.h"
#include "pmu_kinds.h"
#include "profile.h"
#include "report_by.h"
#include "report_pmu.h"
#include "samples.h"
#include "terminal.h"

static const char help[] =
	"Usage: montctl report [-i FILE] [-j] [-a] [-n N]\n"
	"       montctl report [-i FILE] [-j] [-n N] --by KEY[,KEY...]\n"
	"       montctl report [-i FILE] [-e EVENT] [-j] [-n N] -g|--callers|--callees FUNCTION\n"
	"       montctl report [-i FILE] [-e EVENT] --folded|--flame FILE\n"
	"       montctl report [-i FILE] --html|--callgrind|--pprof|--perf-data FILE\n\n"
	"Show how the samples of a recording are spread over the program's functions; of a\n"
	"system, for each vcpu and apart for user (level 3) and kernel (levels 0 to 2).\n\n"
	"  -i FILE       recording (default: " SAMPLES_FILE ")\n"
	"  -j, --json    one JSON object on one line\n"
	"  -a            by instruction address instead of by function\n"
	"  --by KEYS     by these instead: function, instruction, symbol+offset, cpl, vcpu,\n"
	"                process, program, and\n"
	"                of what a data EAR captured: data, object, object+offset, line, page,\n"
	"                latency, latency-range, tlb, level (that served it), physical\n"
	"                (address); of a precise record of PEBS: data-source; of an\n"
	"                instruction EAR: fetch, latency, tlb; of cycles: cause; of a trace\n"
	"                buffer: branch (source, target), edge (from function to function)\n"
	"  -g            of a recording with call chains (record -g): functions with all that\n"
	"                they call; --callers FUNCTION, --callees FUNCTION: those around it\n"
	"  -e EVENT      which event call graphs are of, by name or number (default: the first)\n"
	"  --folded FILE  folded stacks (\"-\": stdout), a line for each with its occurrences\n"
	"  --flame FILE   a flame graph, which is one SVG\n"
	"  -n N          at most so many lines for each event\n"
	"  --html FILE   one page instead (\"-\": stdout): where the cycles went, hot functions,\n"
	"                branches, code with its source; it needs nothing else\n"
	"  --callgrind FILE  a profile for callgrind_annotate and kcachegrind instead\n"
	"  --pprof FILE  a profile for go tool pprof instead (profile.proto)\n"
	"  --perf-data FILE  a file for perf report and perf script instead\n";

enum { OPT_HTML = 0x100, OPT_BY, OPT_CALLERS, OPT_CALLEES, OPT_FOLDED, OPT_FLAME, OPT_EXPORT };

static const struct option options[] = {
	{ "html", required_argument, NULL, OPT_HTML },
	{ "callgrind", required_argument, NULL, OPT_EXPORT },
	{ "pprof", required_argument, NULL, OPT_EXPORT + 1 },
	{ "perf-data", required_argument, NULL, OPT_EXPORT + 2 },
	{ "callers", required_argument, NULL, OPT_CALLERS },
	{ "callees", required_argument, NULL, OPT_CALLEES },
	{ "folded", required_argument, NULL, OPT_FOLDED },
	{ "flame", required_argument, NULL, OPT_FLAME },
	{ "by", required_argument, NULL, OPT_BY },
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

/* Formats of other tools, in the order of their options. */
static const struct format {
	const char *option;
	int (*write)(const struct profile *p, FILE *f);
} formats[] = {
	{ "--callgrind", callgrind_write },
	{ "--pprof", pprof_write },
	{ "--perf-data", perfdata_write },
};

struct place {
	const char *name; /* of the function that begins at addr; NULL: by address */
	uint64_t addr;
	uint32_t slot;
	uint64_t samples;
};

struct histogram {
	struct place *place;
	size_t nr;
	size_t cap;
	uint64_t samples;
};

#define CACHE 4096

/* Where samples of an instruction are added. */
struct recent {
	size_t hist;
	uint64_t at;
	size_t place; /* plus 1; 0: none */
};

struct report {
	struct samples in;
	struct montecito_symbols *symbols;
	struct histogram *hist; /* by event; of a system by event, vcpu and level */
	size_t parts; /* of each event */
	struct pmu_cells cells; /* samples of other processors' PMUs */
	bool by_address;
	uint64_t limit; /* lines of text for each event */
	struct recent recent[CACHE];
};

static int report_by_key(const void *pa, const void *pb)
{
	const struct place *a = pa, *b = pb;

	if (!a->name != !b->name)
		return a->name ? -1 : 1;
	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return (a->slot > b->slot) - (a->slot < b->slot);
}

static int report_by_samples(const void *pa, const void *pb)
{
	const struct place *a = pa, *b = pb;

	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	return report_by_key(pa, pb);
}

/* Add up equal places of a sorted array. */
static void report_fold(struct histogram *h)
{
	size_t i, n = 0;

	if (h->nr)
		qsort(h->place, h->nr, sizeof(*h->place), report_by_key);
	for (i = 0; i < h->nr; i++) {
		if (n && !report_by_key(&h->place[n - 1], &h->place[i]))
			h->place[n - 1].samples += h->place[i].samples;
		else
			h->place[n++] = h->place[i];
	}
	h->nr = n;
}

/* A system's samples lie apart by vcpu, and there by level: 0 to 2, then 3. */
static size_t report_part(const struct report *r, const struct montecito_record_sample *s)
{
	return r->in.vcpus ? 2 * s->vcpu + (s->cpl == 3) : 0;
}

static const char *report_level(size_t part)
{
	return part & 1 ? "user" : "kernel";
}

static int report_add(struct report *r, const struct montecito_record_sample *s)
{
	size_t index = s->source * r->parts + report_part(r, s);
	struct histogram *h = &r->hist[index];
	uint64_t at = s->ip | s->slot, off;
	struct recent *recent = &r->recent[(at ^ at >> 12 ^ index) % CACHE];
	struct place *p;

	if (pmu_cells_add(&r->cells, &r->in, s))
		return fail("out of memory");
	h->samples += r->in.weight;
	if (recent->place && recent->hist == index && recent->at == at) {
		h->place[recent->place - 1].samples += r->in.weight;
		return 0;
	}
	if (h->nr == h->cap) {
		/* Make room by adding up first; most samples share few places. */
		report_fold(h);
		memset(r->recent, 0, sizeof(r->recent));
		if (2 * h->nr >= h->cap) {
			size_t cap = h->cap ? 2 * h->cap : 4096;

			p = realloc(h->place, cap * sizeof(*p));
			if (!p)
				return fail("out of memory");
			h->place = p;
			h->cap = cap;
		}
	}
	p = &h->place[h->nr++];
	*p = (struct place){ .samples = r->in.weight };
	if (!r->by_address)
		p->name = montecito_symbols_find(r->symbols, s->ip, &off);
	p->addr = p->name ? s->ip - off : s->ip;
	p->slot = p->name ? 0 : s->slot;
	*recent = (struct recent){ index, at, h->nr };
	return 0;
}

static void report_place_name(const struct place *p, char *buf, size_t len)
{
	if (p->name)
		snprintf(buf, len, "%s", p->name);
	else
		snprintf(buf, len, "0x%016" PRIx64 "-%u", p->addr, p->slot);
}

/* Where an address lies, if that is known. */
static void report_place_where(const struct report *r, const struct place *p, char *buf, size_t len)
{
	uint64_t off;
	const char *name = p->name ? NULL : montecito_symbols_find(r->symbols, p->addr, &off);

	*buf = '\0';
	if (name)
		snprintf(buf, len, "  %s+0x%" PRIx64, name, off);
}

static void report_print_histogram(const struct report *r, size_t event, size_t part)
{
	const struct histogram *h = &r->hist[event * r->parts + part];
	char name[256], where[256], text[256];
	double share;
	size_t j;

	printf("# %s: %s", plain(r->in.program, name, sizeof(name)),
	       plain(r->in.event[event], text, sizeof(text)));
	if (r->in.pmu[event])
		printf(" (%s, %s)", pmu_kind_name(r->in.pmu[event]), r->in.likeness[event]);
	if (r->in.vcpus)
		printf(", vcpu %zu, %s", part / 2, report_level(part));
	samples_period(&r->in, event, text, sizeof(text));
	printf(", %s: %" PRIu64 " %s, %" PRIu64 " lost\n", text, h->samples,
	       r->in.exact ? "occurrences" : "samples", r->in.lost);
	printf("#  share %10s  %s\n", r->in.exact ? "count" : "samples",
	       r->by_address ? "address" : "function");
	for (j = 0; j < h->nr; j++) {
		if (j == r->limit) {
			printf("# %zu more\n", h->nr - j);
			break;
		}
		report_place_name(&h->place[j], name, sizeof(name));
		report_place_where(r, &h->place[j], where, sizeof(where));
		share = 100.0 * h->place[j].samples / h->samples;
		printf("%s%6.2f%%%s %10" PRIu64 "  %s%s\n",
		       terminal_paint(stdout, terminal_heat(share)), share,
		       terminal_paint(stdout, PAINT_NONE), h->place[j].samples, name, where);
	}
}

/* True if part @part of @event is the last before what its samples tell of data and fate. */
static bool report_tells_more(const struct report *r, size_t event, size_t part)
{
	return r->in.pmu[event] && part == r->parts - 1;
}

static int report_print_text(const struct report *r)
{
	int err = 0;
	size_t i;

	for (i = 0; !err && i < r->in.nr * r->parts; i++) {
		size_t event = i / r->parts, part = i % r->parts;

		if (i)
			putchar('\n');
		report_print_histogram(r, event, part);
		if (report_tells_more(r, event, part))
			err = report_pmu_print(&r->cells, r->symbols, r->in.path, event, r->limit);
	}
	return err;
}

static struct json_object *report_histogram_json(const struct report *r, size_t event, size_t part)
{
	const struct histogram *h = &r->hist[event * r->parts + part];
	struct json_object *e = json_object_new_object();
	struct json_object *list = json_object_new_array();
	char name[256];
	size_t j;

	json_object_object_add(e, "event", json_object_new_string(r->in.event[event]));
	json_object_object_add(e, "name", json_object_new_string(r->in.name[event]));
	if (r->in.vcpus) {
		json_object_object_add(e, "vcpu", json_object_new_int64(part / 2));
		json_object_object_add(e, "level", json_object_new_string(report_level(part)));
	}
	if (r->in.pmu[event]) {
		json_object_object_add(e, "pmu",
				       json_object_new_string(pmu_kind_name(r->in.pmu[event])));
		json_object_object_add(e, "likeness",
				       json_object_new_string(r->in.likeness[event]));
	}
	json_object_object_add(e, "period", json_object_new_uint64(r->in.period[event]));
	json_object_object_add(e, "random_mask", json_object_new_uint64(r->in.random_mask[event]));
	json_object_object_add(e, "samples", json_object_new_uint64(h->samples));
	for (j = 0; j < h->nr; j++) {
		struct json_object *o = json_object_new_object();

		report_place_name(&h->place[j], name, sizeof(name));
		json_object_object_add(o, "name", json_object_new_string(name));
		json_object_object_add(o, "samples", json_object_new_uint64(h->place[j].samples));
		json_object_array_add(list, o);
	}
	json_object_object_add(e, r->by_address ? "addresses" : "functions", list);
	return e;
}

static int report_print_json(const struct report *r)
{
	struct json_object *top = json_object_new_object(), *events = json_object_new_array(), *e;
	int err = 0;
	size_t i;

	json_object_object_add(top, "program", json_object_new_string(r->in.program));
	if (r->in.exact)
		json_object_object_add(top, "exact", json_object_new_boolean(true));
	json_object_object_add(top, "cut", json_object_new_boolean(r->in.cut));
	json_object_object_add(top, "lost", json_object_new_uint64(r->in.lost));
	for (i = 0; !err && i < r->in.nr * r->parts; i++) {
		size_t event = i / r->parts, part = i % r->parts;

		e = report_histogram_json(r, event, part);
		json_object_array_add(events, e);
		if (report_tells_more(r, event, part))
			err = report_pmu_json(&r->cells, r->symbols, r->in.path, event, e);
	}
	json_object_object_add(top, "events", events);
	if (err)
		json_object_put(top);
	else
		print_object(stdout, top);
	return err;
}

static int report_read_all(struct report *r)
{
	struct montecito_record_sample sample;
	size_t i;
	int ret;

	r->parts = r->in.vcpus ? 2 * r->in.vcpus : 1;
	r->hist = calloc(r->in.nr * r->parts + 1, sizeof(*r->hist));
	if (!r->hist)
		return fail("out of memory");
	/* Without names, by address. */
	r->symbols = samples_symbols(&r->in);
	while ((ret = samples_next(&r->in, &sample)) == 1) {
		ret = report_add(r, &sample);
		if (ret)
			return ret;
	}
	pmu_cells_end(&r->cells);
	for (i = 0; !ret && i < r->in.nr * r->parts; i++) {
		report_fold(&r->hist[i]);
		if (r->hist[i].nr)
			qsort(r->hist[i].place, r->hist[i].nr, sizeof(*r->hist[i].place),
			      report_by_samples);
	}
	return ret;
}

static int report_export_to(const struct format *format, const char *path, const char *to)
{
	bool out = !strcmp(to, "-");
	struct profile p;
	int err, bad;
	FILE *f;

	err = profile_read(&p, path);
	if (err)
		return err;
	f = out ? stdout : fopen(to, "we");
	if (!f) {
		err = fail("%s %s: %s", format->option, to, strerror(errno));
		profile_free(&p);
		return err;
	}
	err = format->write(&p, f);
	bad = err < 0 || fflush(f) || ferror(f);
	if (!out)
		bad |= fclose(f) != 0;
	profile_free(&p);
	return err > 0 || !bad ? err : fail("%s %s: %s", format->option, to, strerror(errno));
}

int cmd_report(int argc, char **argv)
{
	const char *path = SAMPLES_FILE, *page = NULL, *by = NULL, *to = NULL;
	const struct format *format = NULL;
	const char *callers = NULL, *callees = NULL, *folded = NULL, *flame = NULL, *event = NULL;
	struct report r = { .limit = UINT64_MAX };
	bool json = false, graph = false;
	int opt, err;
	size_t i;

	while ((opt = getopt_long(argc, argv, ":i:jan:e:gh", options, NULL)) != -1) {
		switch (opt) {
		case 'h':
			fputs(help, stdout);
			return 0;
		case 'i':
			path = optarg;
			break;
		case 'j':
			json = true;
			break;
		case OPT_EXPORT:
		case OPT_EXPORT + 1:
		case OPT_EXPORT + 2:
			if (format && format != &formats[opt - OPT_EXPORT])
				return usage_error("report", "one format at a time");
			format = &formats[opt - OPT_EXPORT];
			to = optarg;
			break;
		case OPT_CALLERS:
			callers = optarg;
			break;
		case OPT_CALLEES:
			callees = optarg;
			break;
		case OPT_FOLDED:
			folded = optarg;
			break;
		case OPT_FLAME:
			flame = optarg;
			break;
		case 'g':
			graph = true;
			break;
		case 'e':
			event = optarg;
			break;
		case OPT_BY:
			by = optarg;
			break;
		case OPT_HTML:
			page = optarg;
			break;
		case 'a':
			r.by_address = true;
			break;
		case 'n':
			if (parse_number(optarg, &r.limit) || !r.limit)
				return usage_error("report", "-n %s: not a number of lines",
						   optarg);
			break;
		default:
			return bad_option("report", argv, opt, options);
		}
	}
	if (optind < argc)
		return usage_error("report", "%s: no such argument (give the file with -i)",
				   argv[optind]);
	if (format && (graph || callers || callees || folded || flame || event || by || page ||
		       json || r.by_address || r.limit != UINT64_MAX))
		return usage_error("report", "%s takes no other report, -e, -j, -a or -n",
				   format->option);
	if (format)
		return report_export_to(format, path, to);
	if (graph + !!callers + !!callees + !!folded + !!flame + !!by + !!page > 1)
		return usage_error("report", "-g, --callers, --callees, --folded, --flame, --by, "
					     "--html and formats are reports each of its own");
	if ((folded || flame) && (json || r.limit != UINT64_MAX))
		return usage_error("report", "--folded and --flame take no -j or -n");
	if (graph || callers || callees)
		return r.by_address ? usage_error("report", "a call graph takes no -a")
				    : calls_report(path, event ? event : "1", callers, callees,
						   json, r.limit);
	if (folded || flame)
		return (folded ? calls_folded : calls_flame)(path, event ? event : "1",
							     folded ? folded : flame);
	if (event)
		return usage_error("report", "-e: goes with -g, --callers, --callees, --folded "
					     "and --flame");
	if (by && r.by_address)
		return usage_error("report", "--by takes no -a");
	if (by)
		return report_by(path, by, json, r.limit);
	if (page && (json || r.by_address || r.limit != UINT64_MAX))
		return usage_error("report", "--html takes no -j, -a or -n");
	if (page)
		return html_report(path, page);
	err = samples_open(&r.in, path);
	if (err)
		return err;
	err = report_read_all(&r);
	if (!err && !json)
		terminal_page();
	if (!err)
		err = (json ? report_print_json : report_print_text)(&r);
	for (i = 0; r.hist && i < r.in.nr * r.parts; i++)
		free(r.hist[i].place);
	free(r.hist);
	pmu_cells_free(&r.cells);
	montecito_symbols_free(r.symbols);
	samples_close(&r.in);
	return err;
}
