// SPDX-License-Identifier: GPL-2.0-only
/*
 * montctl report: functions with what they call, callers and callees of one, folded stacks
 * and flame graphs, all from one tree of calls.
 */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "montctl.h"
#include "stacks.h"
#include "terminal.h"

/**
 * struct node - a function, called along one path
 * @name: its name; of the root ""
 * @samples: with all that it calls
 * @self: without
 * @child: functions that it calls, of @nr
 * @nr: how many
 */
struct node {
	char *name;
	uint64_t samples;
	uint64_t self;
	struct node **child;
	size_t nr;
};

/**
 * struct calls - the tree of one event
 * @in: the recording
 * @event: which of its events
 * @root: of the tree: its children have no caller that is known
 * @depth: functions on the longest path
 */
struct calls {
	struct stacks in;
	size_t event;
	struct node root;
	size_t depth;
};

static void calls_node_free(struct node *n)
{
	while (n->nr) {
		calls_node_free(n->child[--n->nr]);
		free(n->child[n->nr]);
	}
	free(n->child);
	free(n->name);
}

/* The child of @n with this name, made if it is not there; NULL after a message. */
static struct node *calls_node_child(struct node *n, const char *name)
{
	struct node *c, **child;
	size_t i;

	for (i = 0; i < n->nr; i++)
		if (!strcmp(n->child[i]->name, name))
			return n->child[i];
	child = realloc(n->child, (n->nr + 1) * sizeof(*child));
	c = child ? calloc(1, sizeof(*c)) : NULL;
	if (child)
		n->child = child;
	if (c)
		c->name = strdup(name);
	if (!c || !c->name) {
		free(c);
		fail("out of memory");
		return NULL;
	}
	n->child[n->nr++] = c;
	return c;
}

static int calls_node_order(const void *pa, const void *pb)
{
	const struct node *const *a = pa, *const *b = pb;

	return strcmp((*a)->name, (*b)->name);
}

static void calls_node_sort(struct node *n)
{
	size_t i;

	if (n->nr)
		qsort(n->child, n->nr, sizeof(*n->child), calls_node_order);
	for (i = 0; i < n->nr; i++)
		calls_node_sort(n->child[i]);
}

static int calls_add(struct calls *c, const struct stack *k)
{
	struct node *n = &c->root;
	char buf[32];
	uint32_t i;

	n->samples += k->samples;
	for (i = k->nr; i-- > 0;) {
		n = calls_node_child(n, stacks_name(&c->in, stacks_place(&c->in, k, i), buf,
						    sizeof(buf)));
		if (!n)
			return EXIT_MONTCTL;
		n->samples += k->samples;
	}
	n->self += k->samples;
	if (k->nr > c->depth)
		c->depth = k->nr;
	return 0;
}

static void calls_free(struct calls *c)
{
	calls_node_free(&c->root);
	stacks_free(&c->in);
}

static int calls_read(struct calls *c, const char *path, const char *event)
{
	int err = stacks_read(&c->in, path), n;
	size_t i;

	if (err)
		return err;
	n = samples_event(&c->in.in, event);
	if (n < 0)
		return EXIT_MONTCTL;
	c->event = n;
	if (!c->in.chains)
		return fail("%s: recorded without call chains (montctl record -g)", path);
	for (i = 0; !err && i < c->in.nr; i++)
		if (c->in.stack[i].event == c->event)
			err = calls_add(c, &c->in.stack[i]);
	calls_node_sort(&c->root);
	return err;
}

/* ---- functions ---- */

/**
 * struct line - a function in the report
 * @name: its name
 * @samples: with what it calls, once for each sample
 * @self: without
 */
struct line {
	const char *name;
	uint64_t samples;
	uint64_t self;
};

struct lines {
	struct line *line;
	size_t nr;
};

static int calls_line_add(struct lines *l, const char *name, uint64_t samples, uint64_t self)
{
	struct line *p;
	size_t i;

	for (i = 0; i < l->nr; i++) {
		if (!strcmp(l->line[i].name, name)) {
			l->line[i].samples += samples;
			l->line[i].self += self;
			return 0;
		}
	}
	p = realloc(l->line, (l->nr + 1) * sizeof(*p));
	if (!p)
		return fail("out of memory");
	l->line = p;
	p[l->nr++] = (struct line){ name, samples, self };
	return 0;
}

/**
 * struct path - the functions above one in the tree
 * @up: the one above, or NULL
 * @name: its name
 */
struct path {
	const struct path *up;
	const char *name;
};

static bool calls_is_above(const struct path *p, const char *name)
{
	for (; p; p = p->up)
		if (!strcmp(p->name, name))
			return true;
	return false;
}

/* Every function with what it calls; a recursive one once. */
static int calls_collect_all(struct lines *l, const struct node *n, const struct path *up)
{
	struct path here = { up, n->name };
	size_t i;
	int err = 0;

	if (n->name)
		err = calls_line_add(l, n->name, calls_is_above(up, n->name) ? 0 : n->samples,
				     n->self);
	for (i = 0; !err && i < n->nr; i++)
		err = calls_collect_all(l, n->child[i], n->name ? &here : NULL);
	return err;
}

static int calls_collect_callers(struct lines *l, const struct node *n, const char *of)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < n->nr; i++) {
		const struct node *c = n->child[i];

		if (!strcmp(c->name, of))
			err = calls_line_add(l, n->name ? n->name : "(none known)", c->samples,
					     c->self);
		if (!err)
			err = calls_collect_callers(l, c, of);
	}
	return err;
}

static int calls_collect_callees(struct lines *l, const struct node *n, const char *of)
{
	bool is = n->name && !strcmp(n->name, of);
	size_t i;
	int err = 0;

	if (is && n->self)
		err = calls_line_add(l, "(itself)", n->self, n->self);
	for (i = 0; !err && i < n->nr; i++) {
		const struct node *c = n->child[i];

		if (is)
			err = calls_line_add(l, c->name, c->samples, c->self);
		if (!err)
			err = calls_collect_callees(l, c, of);
	}
	return err;
}

static int calls_line_order(const void *pa, const void *pb)
{
	const struct line *a = pa, *b = pb;

	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void calls_print_text(const struct calls *c, const struct lines *l, const char *what,
			     uint64_t limit)
{
	char text[256], safe[256];
	size_t i;

	samples_period(&c->in.in, c->event, text, sizeof(text));
	printf("# %s: %s, %s: %" PRIu64 " samples\n# with calls     self  %s\n",
	       plain(c->in.in.program, safe, sizeof(safe)), c->in.in.event[c->event], text,
	       c->root.samples, what);
	for (i = 0; i < l->nr; i++) {
		double share = 100.0 * (double)l->line[i].samples / (double)c->root.samples;

		if (i == limit) {
			printf("# %zu more\n", l->nr - i);
			break;
		}
		printf("    %s%6.2f%%%s  %6.2f%%  %s\n",
		       terminal_paint(stdout, terminal_heat(share)), share,
		       terminal_paint(stdout, PAINT_NONE),
		       100.0 * (double)l->line[i].self / (double)c->root.samples, l->line[i].name);
	}
}

static void calls_print_json(const struct calls *c, const struct lines *l, uint64_t limit)
{
	struct json_object *top = json_object_new_object(), *list = json_object_new_array();
	size_t i;

	json_object_object_add(top, "program", json_object_new_string(c->in.in.program));
	json_object_object_add(top, "event", json_object_new_string(c->in.in.event[c->event]));
	json_object_object_add(top, "period", json_object_new_uint64(c->in.in.period[c->event]));
	json_object_object_add(top, "samples", json_object_new_uint64(c->root.samples));
	for (i = 0; i < l->nr && i < limit; i++) {
		struct json_object *o = json_object_new_object();

		json_object_object_add(o, "name", json_object_new_string(l->line[i].name));
		json_object_object_add(o, "samples", json_object_new_uint64(l->line[i].samples));
		json_object_object_add(o, "self", json_object_new_uint64(l->line[i].self));
		json_object_array_add(list, o);
	}
	json_object_object_add(top, "functions", list);
	print_object(stdout, top);
}

int calls_report(const char *path, const char *event, const char *callers, const char *callees,
		 bool json, uint64_t limit)
{
	struct calls c = { 0 };
	struct lines l = { 0 };
	char what[300] = "function";
	int err = calls_read(&c, path, event);

	if (callers)
		snprintf(what, sizeof(what), "caller of %s", callers);
	else if (callees)
		snprintf(what, sizeof(what), "called by %s", callees);
	if (!err && callers)
		err = calls_collect_callers(&l, &c.root, callers);
	else if (!err && callees)
		err = calls_collect_callees(&l, &c.root, callees);
	else if (!err)
		err = calls_collect_all(&l, &c.root, NULL);
	if (!err && !l.nr && c.root.samples)
		err = fail("%s: is in no call chain of the recording", callers ? callers : callees);
	if (!err) {
		if (l.nr)
			qsort(l.line, l.nr, sizeof(*l.line), calls_line_order);
		if (!json)
			terminal_page();
		if (json)
			calls_print_json(&c, &l, limit);
		else
			calls_print_text(&c, &l, what, limit);
	}
	free(l.line);
	calls_free(&c);
	return err;
}

/* ---- files ---- */

/* A name without what separates stacks. */
static void calls_write_frame(FILE *f, const char *name)
{
	for (; *name; name++)
		fputc(*name == ';' || *name == ' ' ? '_' : *name, f);
}

static void calls_write_folded(const struct calls *c, FILE *f, const struct node *n,
			       const struct path *up)
{
	struct path here = { up, n->name };
	const struct path *p;
	const char **names = NULL;
	size_t nr = 0, i;

	if (n->self) {
		for (p = &here; p && p->name; p = p->up)
			nr++;
		names = calloc(nr + 1, sizeof(*names));
		for (p = &here, i = nr; names && i-- > 0; p = p->up)
			names[i] = p->name;
		for (i = 0; names && i < nr; i++) {
			if (i)
				fputc(';', f);
			calls_write_frame(f, names[i]);
		}
		if (names)
			fprintf(f, " %" PRIu64 "\n", n->self * c->in.in.period[c->event]);
		free(names);
	}
	for (i = 0; i < n->nr; i++)
		calls_write_folded(c, f, n->child[i], n->name ? &here : NULL);
}

static void calls_write_text(FILE *f, const char *text)
{
	for (; *text; text++) {
		if (*text == '<')
			fputs("&lt;", f);
		else if (*text == '>')
			fputs("&gt;", f);
		else if (*text == '&')
			fputs("&amp;", f);
		else
			fputc(*text, f);
	}
}

/*
 * A flame graph: widths are shares of all samples, the root is at the bottom. Boxes are in per
 * cent of the window and cut off their names by themselves, so that any width shows all of them.
 */
#define MARGIN 10
#define ROW 18
#define HEAD 44
#define LEAST 0.02 /* narrower boxes are left out */
#define LEAST_NAMED 0.3 /* a name of which nothing could be read is left out */

/* Hue and lightness by name, the same in every graph. */
static void calls_colour(FILE *f, const char *name)
{
	unsigned int h = 2166136261u;

	while (*name)
		h = (h ^ (unsigned char)*name++) * 16777619u;
	fprintf(f, "hsl(%u,%u%%,%u%%)", 8 + h % 44, 72 + h / 44 % 20, 62 + h / 880 % 12);
}

/* The box of @n and those above it; @x is where it begins, in per cent. */
static void calls_write_box(const struct calls *c, FILE *f, const struct node *n, double x,
			    size_t level)
{
	double width = 100.0 * (double)n->samples / (double)c->root.samples;
	const char *name = n->name ? n->name : "all";
	size_t i;

	if (width < LEAST)
		return;
	fprintf(f, "<g><title>");
	calls_write_text(f, name);
	fprintf(f, ": %" PRIu64 " samples, %.2f %%, itself %" PRIu64 "</title>", n->samples, width,
		n->self);
	fprintf(f,
		"<svg x=\"%.4f%%\" y=\"%zu\" width=\"%.4f%%\" height=\"%d\">"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"",
		x, HEAD + ROW * (c->depth - level), width, ROW - 1);
	calls_colour(f, name);
	fputs("\"/>", f);
	if (width >= LEAST_NAMED) {
		fprintf(f, "<text x=\"3\" y=\"%d\">", ROW - 6);
		calls_write_text(f, name);
		fputs("</text>", f);
	}
	fputs("</svg></g>\n", f);
	for (i = 0; i < n->nr; i++) {
		calls_write_box(c, f, n->child[i], x, level + 1);
		x += 100.0 * (double)n->child[i]->samples / (double)c->root.samples;
	}
}

static void calls_write_flame(const struct calls *c, FILE *f)
{
	const struct samples *in = &c->in.in;
	char period[128];

	samples_period(in, c->event, period, sizeof(period));
	fprintf(f,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100%%\" height=\"%zu\">\n"
		"<style>:root{background:#fff}text{font:11px monospace;fill:#111}.h{fill:#1c1e21}"
		".t{font-size:15px}.p{fill:#fff}g rect{stroke:#fff}g:hover rect{stroke:#111}"
		"@media(prefers-color-scheme:dark){:root{background:#16181d}.h{fill:#e4e7ec}"
		".p{fill:#16181d}g rect{stroke:#16181d}g:hover rect{stroke:#fff}}</style>\n"
		"<rect class=\"p\" width=\"100%%\" height=\"100%%\"/>\n"
		"<text class=\"h t\" x=\"%d\" y=\"18\">",
		HEAD + ROW * (c->depth + 1) + MARGIN, MARGIN);
	calls_write_text(f, in->program);
	fprintf(f, "</text>\n<text class=\"h\" x=\"%d\" y=\"36\">", MARGIN);
	calls_write_text(f, in->event[c->event]);
	fprintf(f, ", %s: %" PRIu64 " samples</text>\n", period, c->root.samples);
	if (c->root.samples)
		calls_write_box(c, f, &c->root, 0, 0);
	fputs("</svg>\n", f);
}

static int calls_to_file(struct calls *c, const char *option, const char *to, bool flame)
{
	bool out = !strcmp(to, "-"), bad;
	FILE *f = out ? stdout : fopen(to, "we");

	if (!f)
		return fail("%s %s: %s", option, to, strerror(errno));
	if (flame)
		calls_write_flame(c, f);
	else
		calls_write_folded(c, f, &c->root, NULL);
	bad = fflush(f) || ferror(f);
	if (!out)
		bad |= fclose(f) != 0;
	return bad ? fail("%s %s: %s", option, to, strerror(errno)) : 0;
}

int calls_folded(const char *path, const char *event, const char *to)
{
	struct calls c = { 0 };
	int err = calls_read(&c, path, event);

	if (!err)
		err = calls_to_file(&c, "--folded", to, false);
	calls_free(&c);
	return err;
}

int calls_flame(const char *path, const char *event, const char *to)
{
	struct calls c = { 0 };
	int err = calls_read(&c, path, event);

	if (!err)
		err = calls_to_file(&c, "--flame", to, true);
	calls_free(&c);
	return err;
}
