// SPDX-License-Identifier: GPL-2.0-only
/*
 * montctl report --html: a recording as one page that needs nothing else. Its tables are
 * HTML alone, its bars and colours style; there is no script in it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate.h"
#include "html.h"
#include "montctl.h"
#include "samples.h"
#include "source.h"

#define BUNDLE 16
/* Functions whose code is shown, and branches in the table: the hottest */
#define MAX_CODE 40
#define MAX_BRANCHES 50

static const char style[] =
	":root{color-scheme:light dark;--bg:#fff;--fg:#1c1e21;--dim:#667085;--line:#d9dde3;"
	"--soft:#f4f6f8;--bar:#3d7bd9;--good:#3a9a5b;--hot:208,52,44}"
	"@media(prefers-color-scheme:dark){:root{--bg:#15181c;--fg:#e4e7eb;--dim:#98a2b3;"
	"--line:#343a43;--soft:#1e2329;--bar:#6aa2f5;--good:#5cbf80;--hot:240,96,84}}"
	"*{box-sizing:border-box}body{margin:0 auto;max-width:76rem;padding:1rem;"
	"background:var(--bg);color:var(--fg);font:15px/1.45 system-ui,sans-serif}"
	"h1{font-size:1.4rem;margin:.2rem 0;overflow-wrap:anywhere}"
	"h2{font-size:1.1rem;margin:1.6rem 0 .5rem}p{margin:.3rem 0}.dim{color:var(--dim)}"
	".wide{overflow-x:auto;border:1px solid var(--line);border-radius:6px}"
	"table{border-collapse:collapse}.code{width:100%}th,td{padding:.15rem .6rem;text-align:left;"
	"white-space:nowrap}th{background:var(--soft);font-weight:600;"
	"border-bottom:1px solid var(--line)}.n{text-align:right;"
	"font-variant-numeric:tabular-nums}.code td,code{font:13px/1.5 ui-monospace,monospace}"
	".src td{background:var(--soft);color:var(--dim);white-space:pre}"
	"a{color:var(--bar);text-decoration:none}a:hover{text-decoration:underline}"
	"details{margin:.6rem 0}summary{cursor:pointer;font-weight:600;overflow-wrap:anywhere}"
	".tree{display:grid;grid-template-columns:minmax(9rem,2fr) 4.5rem minmax(3rem,3fr);"
	"gap:.15rem .7rem;align-items:center}.tree .sub{padding-left:1.4rem;color:var(--dim)}"
	".bar{height:.8rem;background:var(--bar);border-radius:2px;min-width:1px}"
	".bar.good{background:var(--good)}.bar.part{opacity:.55;height:.5rem}";

/* Samples of one instruction, by event; in the end with those of all places before. */
struct place {
	uint64_t at; /* bundle address + slot */
	size_t event;
	uint64_t sum;
};

struct function {
	const char *name;
	uint64_t addr;
	uint64_t size;
	uint64_t *samples; /* by event */
};

struct html {
	struct samples in;
	struct montecito_symbols *sym;
	struct source source;
	struct place *place; /* by event, then address */
	size_t nr;
	size_t cap;
	size_t *first; /* of each event in place; one more at the end */
	struct function *function; /* hottest first */
	size_t nr_functions;
	FILE *f;
};

void html_text(FILE *f, const char *s)
{
	char safe[1024];

	for (s = plain(s, safe, sizeof(safe)); *s; s++) {
		switch (*s) {
		case '&':
			fputs("&amp;", f);
			break;
		case '<':
			fputs("&lt;", f);
			break;
		case '>':
			fputs("&gt;", f);
			break;
		case '"':
			fputs("&quot;", f);
			break;
		default:
			putc(*s, f);
		}
	}
}

static int html_by_place(const void *pa, const void *pb)
{
	const struct place *a = pa, *b = pb;

	if (a->event != b->event)
		return a->event < b->event ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

static int html_by_heat(const void *pa, const void *pb)
{
	const struct function *a = pa, *b = pb;

	if (a->samples[0] != b->samples[0])
		return a->samples[0] > b->samples[0] ? -1 : 1;
	return (a->addr > b->addr) - (a->addr < b->addr);
}

static int html_read_samples(struct html *h)
{
	struct montecito_record_sample s;
	size_t i, event;
	int ret;

	while ((ret = samples_next(&h->in, &s)) == 1) {
		if (h->nr == h->cap) {
			size_t cap = h->cap ? 2 * h->cap : 4096;
			struct place *p = realloc(h->place, cap * sizeof(*p));

			if (!p)
				return fail("out of memory");
			h->place = p;
			h->cap = cap;
		}
		h->place[h->nr++] =
			(struct place){ (s.ip & ~15ULL) | (s.slot & 3), s.source, h->in.weight };
	}
	if (ret)
		return ret;
	if (h->nr)
		qsort(h->place, h->nr, sizeof(*h->place), html_by_place);
	for (i = 1; i < h->nr; i++)
		h->place[i].sum += h->place[i - 1].sum;
	h->first = calloc(h->in.nr + 1, sizeof(*h->first));
	if (!h->first)
		return fail("out of memory");
	for (i = 0, event = 0; event <= h->in.nr; event++) {
		while (i < h->nr && h->place[i].event < event)
			i++;
		h->first[event] = i;
	}
	return 0;
}

/* Samples of the places before @index. */
static uint64_t html_upto(const struct html *h, size_t index)
{
	return index ? h->place[index - 1].sum : 0;
}

static uint64_t html_total(const struct html *h, size_t event)
{
	return html_upto(h, h->first[event + 1]) - html_upto(h, h->first[event]);
}

static double html_share(const struct html *h, size_t event, uint64_t n)
{
	return html_total(h, event) ? 100.0 * n / html_total(h, event) : 0;
}

static size_t html_below(const struct html *h, size_t event, uint64_t addr)
{
	size_t lo = h->first[event], hi = h->first[event + 1];

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (h->place[mid].at < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static uint64_t html_count(const struct html *h, size_t event, uint64_t lo, uint64_t hi)
{
	return html_upto(h, html_below(h, event, hi)) - html_upto(h, html_below(h, event, lo));
}

static int html_find_functions(struct html *h)
{
	uint64_t addr, size;
	size_t all = 0, i, e;
	const char *name;

	while (montecito_symbols_at(h->sym, all, &addr, &size))
		all++;
	h->function = calloc(all + 1, sizeof(*h->function));
	if (!h->function)
		return fail("out of memory");
	for (i = 0; i < all; i++) {
		struct function *f = &h->function[h->nr_functions];
		bool any = false;

		name = montecito_symbols_at(h->sym, i, &addr, &size);
		f->samples = calloc(h->in.nr + 1, sizeof(*f->samples));
		if (!f->samples)
			return fail("out of memory");
		for (e = 0; e < h->in.nr; e++) {
			f->samples[e] = html_count(h, e, addr, addr + size);
			any = any || f->samples[e];
		}
		f->name = name;
		f->addr = addr;
		f->size = size;
		if (any)
			h->nr_functions++;
		else
			free(f->samples);
	}
	if (h->nr_functions)
		qsort(h->function, h->nr_functions, sizeof(*h->function), html_by_heat);
	return 0;
}

/* A share as a cell, the hotter the redder. */
static void html_cell(const struct html *h, size_t event, uint64_t n)
{
	double percent = html_share(h, event, n);

	if (!n)
		fputs("<td></td>", h->f);
	else
		fprintf(h->f,
			"<td class=n style=\"background:rgba(var(--hot),%.2f)\" title=\"%" PRIu64
			"\">%.2f%%</td>",
			percent > 40 ? 0.6 : percent * 0.015, n, percent);
}

static void html_heads(const struct html *h)
{
	size_t e;

	for (e = 0; e < h->in.nr; e++) {
		fputs("<th class=n>", h->f);
		html_text(h->f, h->in.event[e]);
		fputs("</th>", h->f);
	}
}

static void html_head(const struct html *h)
{
	const char *base = strrchr(h->in.program, '/');
	char each[64];
	size_t e;

	fputs("<!doctype html><html lang=en><head><meta charset=utf-8>"
	      "<meta name=viewport content=\"width=device-width,initial-scale=1\"><title>",
	      h->f);
	html_text(h->f, base ? base + 1 : h->in.program);
	fprintf(h->f, "</title><style>%s</style></head><body><h1>", style);
	html_text(h->f, base ? base + 1 : h->in.program);
	fputs("</h1><p class=dim>", h->f);
	for (e = 0; e < h->in.nr; e++) {
		fprintf(h->f, "%s%" PRIu64 " %s of ", e ? "; " : "", html_total(h, e),
			h->in.exact ? "occurrences" : "samples");
		html_text(h->f, h->in.event[e]);
		samples_period(&h->in, e, each, sizeof(each));
		fprintf(h->f, ", %s", each);
	}
	fprintf(h->f, "; %" PRIu64 " lost%s</p>", h->in.lost,
		h->in.cut ? "; <strong>the recording was cut off</strong>" : "");
}

static void html_branch_of_tree(const struct html *h, const char *name, const char *kind,
				uint64_t n, uint64_t all, bool part)
{
	double percent = all ? 100.0 * (double)n / (double)all : 0;

	fprintf(h->f, "<div%s>", part ? " class=sub" : "");
	html_text(h->f, name);
	fprintf(h->f,
		"</div><div class=n title=\"%" PRIu64
		" cycles\">%.2f%%</div><div><div class=\"bar%s\" "
		"style=\"width:%.2f%%\"></div></div>",
		n, percent, kind, percent);
}

static void html_cycle_tree(const struct html *h)
{
	const struct breakdown *b = &h->in.breakdown;
	uint64_t all = b->sum.cycles - b->sum.halted;
	uint32_t bar, i;

	fputs("<h2 id=cycles>Where the cycles went</h2>", h->f);
	if (!b->sum.cycles) {
		fputs("<p>The recording has no cycles: it was made with --timing=off, of a part of "
		      "the program, or cut off.</p>",
		      h->f);
		return;
	}
	fprintf(h->f,
		"<p>%" PRIu64 " cycles, %" PRIu64 " instructions, %.2f a cycle</p><div class=tree>",
		(uint64_t)b->sum.cycles, (uint64_t)b->sum.insns,
		(double)b->sum.insns / (double)b->sum.cycles);
	for (bar = 0; bar < NR_BARS; bar++) {
		html_branch_of_tree(h, breakdown_title(bar),
				    bar == MONTECITO_BAR_UNSTALLED ? " good" : "", b->bar[bar], all,
				    false);
		for (i = 0; i < b->sum.count; i++)
			if (b->cause[i].bar == bar && b->cause[i].cycles &&
			    b->cause[i].cycles != b->bar[bar])
				html_branch_of_tree(h, b->cause[i].text, " part",
						    b->cause[i].cycles, all, true);
	}
	fputs("</div>", h->f);
}

static void html_hot_functions(const struct html *h)
{
	size_t i, e;

	fputs("<h2 id=functions>Hot functions</h2>", h->f);
	if (!h->nr_functions) {
		fputs("<p>The program has no symbols; montctl annotate shows it by addresses.</p>",
		      h->f);
		return;
	}
	fputs("<div class=wide><table><tr>", h->f);
	html_heads(h);
	fputs("<th>function</th></tr>", h->f);
	for (i = 0; i < h->nr_functions; i++) {
		fputs("<tr>", h->f);
		for (e = 0; e < h->in.nr; e++)
			html_cell(h, e, h->function[i].samples[e]);
		fprintf(h->f, i < MAX_CODE ? "<td><a href=\"#f%zu\">" : "<td><a>", i);
		html_text(h->f, h->function[i].name);
		fputs("</a></td></tr>", h->f);
	}
	fputs("</table></div>", h->f);
}

/* A branch with its samples. */
struct branch {
	uint64_t at;
	size_t samples;
	size_t function;
	char text[128];
	char to[128];
};

static int html_by_samples(const void *pa, const void *pb)
{
	const struct branch *a = pa, *b = pb;

	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

static bool html_bundle(const struct html *h, uint64_t ip, struct montecito_bundle *b)
{
	uint64_t code[2];

	if (montecito_symbols_code(h->sym, ip, code, sizeof(code)))
		return false;
	return !montecito_bundle(b, code[0], code[1], ip);
}

/* Branches with samples of any event, in an array grown with realloc(). */
static int html_find_branches(const struct html *h, struct branch **list, size_t *nr)
{
	struct montecito_bundle b = { .size = sizeof(b) };
	size_t i, e, n, cap = 0;
	uint64_t ip;
	unsigned int slot;

	for (i = 0; i < h->nr_functions; i++) {
		const struct function *f = &h->function[i];

		for (ip = f->addr; ip < f->addr + f->size && html_bundle(h, ip, &b); ip += BUNDLE) {
			for (slot = 0; slot < 3; slot++) {
				for (n = 0, e = 0; e < h->in.nr; e++)
					n += html_count(h, e, ip + slot, ip + slot + 1);
				if (!n || !annotate_branches(b.text[slot]))
					continue;
				if (*nr == cap) {
					struct branch *p;

					cap = cap ? 2 * cap : 64;
					p = realloc(*list, cap * sizeof(*p));
					if (!p)
						return fail("out of memory");
					*list = p;
				}
				(*list)[*nr] = (struct branch){ .at = ip + slot,
								.samples = n,
								.function = i };
				snprintf((*list)[*nr].text, sizeof(b.text[slot]), "%s",
					 b.text[slot]);
				annotate_target(h->sym, b.text[slot], (*list)[*nr].to,
						sizeof((*list)[*nr].to));
				(*nr)++;
			}
		}
	}
	return 0;
}

static int html_branch_table(const struct html *h)
{
	struct branch *list = NULL;
	size_t nr = 0, i, e;
	int err = html_find_branches(h, &list, &nr);

	if (nr)
		qsort(list, nr, sizeof(*list), html_by_samples);
	fputs("<h2 id=branches>Branches with samples</h2>", h->f);
	if (!nr)
		fputs("<p>None.</p>", h->f);
	else
		fputs("<div class=wide><table class=code><tr>", h->f);
	if (nr) {
		html_heads(h);
		fputs("<th>address</th><th>branch</th><th>to</th><th>in</th></tr>", h->f);
	}
	for (i = 0; i < nr && i < MAX_BRANCHES; i++) {
		fputs("<tr>", h->f);
		for (e = 0; e < h->in.nr; e++)
			html_cell(h, e, html_count(h, e, list[i].at, list[i].at + 1));
		fprintf(h->f, "<td>%016" PRIx64 "-%u</td><td>", (uint64_t)(list[i].at & ~15ULL),
			(unsigned int)(list[i].at & 3));
		html_text(h->f, list[i].text);
		fputs("</td><td>", h->f);
		html_text(h->f, list[i].to);
		fputs("</td><td>", h->f);
		html_text(h->f, h->function[list[i].function].name);
		fputs("</td></tr>", h->f);
	}
	if (nr)
		fputs("</table></div>", h->f);
	if (nr > MAX_BRANCHES)
		fprintf(h->f, "<p class=dim>%zu more</p>", nr - MAX_BRANCHES);
	free(list);
	return err;
}

/* A row where the source line changes. */
static void html_source_row(struct html *h, uint64_t addr, int *last)
{
	char line_text[256];
	const char *file, *base;
	int line;

	file = montecito_symbols_source(h->sym, addr, &line);
	if (!file || line == *last)
		return;
	*last = line;
	base = strrchr(file, '/');
	fprintf(h->f, "<tr class=src><td colspan=%zu>", h->in.nr + 3);
	html_text(h->f, base ? base + 1 : file);
	fprintf(h->f, ":%d  ", line);
	html_text(h->f, source_line(&h->source, file, line, line_text, sizeof(line_text)));
	fputs("</td></tr>", h->f);
}

static void html_instruction(struct html *h, uint64_t ip, unsigned int slot,
			     const struct montecito_bundle *b)
{
	char to[256];
	size_t e;

	fputs("<tr>", h->f);
	for (e = 0; e < h->in.nr; e++)
		html_cell(h, e, html_count(h, e, ip + slot, ip + slot + 1));
	fprintf(h->f, "<td class=dim>%016" PRIx64 "-%u</td><td class=dim>%s</td><td>", ip, slot,
		slot ? "" : b->units);
	html_text(h->f, b->text[slot]);
	annotate_target(h->sym, b->text[slot], to, sizeof(to));
	if (*to)
		fputs(" ", h->f);
	html_text(h->f, to);
	fputs(b->stop[slot] ? " ;;</td></tr>" : "</td></tr>", h->f);
}

static void html_code(struct html *h)
{
	struct montecito_bundle b = { .size = sizeof(b) };
	unsigned int slot;
	uint64_t ip;
	size_t i;
	int line;

	if (h->nr_functions)
		fputs("<h2 id=code>Code</h2>", h->f);
	for (i = 0; i < h->nr_functions && i < MAX_CODE; i++) {
		const struct function *f = &h->function[i];

		fprintf(h->f, "<details id=f%zu%s><summary>", i, i < 3 ? " open" : "");
		html_text(h->f, f->name);
		fprintf(h->f,
			" <span class=dim>%.2f%%</span></summary><div class=wide><table class=code><tr>",
			html_share(h, 0, f->samples[0]));
		html_heads(h);
		fputs("<th>address</th><th></th><th>instruction</th></tr>\n", h->f);
		line = 0;
		for (ip = f->addr; ip < f->addr + f->size && html_bundle(h, ip, &b); ip += BUNDLE) {
			for (slot = 0; slot < 3; slot++) {
				if (!*b.text[slot])
					continue;
				html_source_row(h, ip + slot, &line);
				html_instruction(h, ip, slot, &b);
			}
			fputc('\n', h->f);
		}
		fputs("</table></div></details>\n", h->f);
	}
}

static int html_page(struct html *h)
{
	int err;

	html_head(h);
	html_cycle_tree(h);
	html_hot_functions(h);
	err = html_branch_table(h);
	html_code(h);
	fputs("<p class=dim>montctl " MONTECITO_VERSION "</p></body></html>\n", h->f);
	return err;
}

int html_report(const char *path, const char *to)
{
	struct html h = { 0 };
	size_t i;
	int err = samples_open(&h.in, path);

	if (err)
		return err;
	err = html_read_samples(&h);
	if (!err) {
		/* Without names the page has cycles and counts. */
		h.sym = samples_symbols(&h.in);
		if (h.sym)
			err = html_find_functions(&h);
	}
	if (!err) {
		h.f = strcmp(to, "-") ? fopen(to, "we") : stdout;
		if (!h.f)
			err = fail("--html %s: %s", to, strerror(errno));
	}
	if (!err)
		err = html_page(&h);
	if (h.f && h.f != stdout) {
		bool bad = ferror(h.f);

		if ((fclose(h.f) || bad) && !err)
			err = fail("--html %s: %s", to, strerror(errno));
	}
	for (i = 0; i < h.nr_functions; i++)
		free(h.function[i].samples);
	free(h.function);
	free(h.place);
	free(h.first);
	source_close(&h.source);
	montecito_symbols_free(h.sym);
	samples_close(&h.in);
	return err;
}
