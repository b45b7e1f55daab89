// SPDX-License-Identifier: GPL-2.0-only
/*
 * montctl report --callgrind: a recording in the profile format of callgrind (version 1, as
 * valgrind's manual describes it): by instruction and source line, a column for each event,
 * a sample being as many occurrences as the period has.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind.h"
#include "montctl.h"
#include "samples.h"

/**
 * struct cell - samples of an event at an instruction
 * @at: bundle address and slot
 * @event: index of the event
 * @samples: how many
 */
struct cell {
	uint64_t at;
	size_t event;
	uint64_t samples;
};

/**
 * struct grind - a profile under way
 * @in: the recording
 * @symbols: functions of its program, or NULL
 * @cell: by address, then event
 * @nr: how many
 * @cap: room for
 * @total: occurrences by event
 * @f: where it goes
 */
struct grind {
	struct samples in;
	struct montecito_symbols *symbols;
	struct cell *cell;
	size_t nr;
	size_t cap;
	uint64_t *total;
	FILE *f;
};

static int compare(const void *pa, const void *pb)
{
	const struct cell *a = pa, *b = pb;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return (a->event > b->event) - (a->event < b->event);
}

static void fold(struct grind *g)
{
	size_t i, n = 0;

	if (g->nr)
		qsort(g->cell, g->nr, sizeof(*g->cell), compare);
	for (i = 0; i < g->nr; i++) {
		if (n && !compare(&g->cell[n - 1], &g->cell[i]))
			g->cell[n - 1].samples += g->cell[i].samples;
		else
			g->cell[n++] = g->cell[i];
	}
	g->nr = n;
}

static int add(struct grind *g, const struct montecito_record_sample *s)
{
	if (g->nr == g->cap) {
		fold(g);
		if (2 * g->nr >= g->cap) {
			size_t cap = g->cap ? 2 * g->cap : 4096;
			struct cell *p = realloc(g->cell, cap * sizeof(*p));

			if (!p)
				return fail("out of memory");
			g->cell = p;
			g->cap = cap;
		}
	}
	g->cell[g->nr++] = (struct cell){ s->ip | s->slot, s->source, 1 };
	g->total[s->source] += g->in.period[s->source];
	return 0;
}

/* A name of one line; that of an event also of one word. */
static void write_name(FILE *f, const char *name, bool word)
{
	for (; *name; name++) {
		unsigned char c = *name;

		fputc(iscntrl(c) || (word && (c == ' ' || c == ':')) ? '_' : c, f);
	}
}

static void write_header(const struct grind *g)
{
	size_t i;

	fputs("# callgrind format\nversion: 1\ncreator: montctl " MONTECITO_VERSION "\ncmd: ",
	      g->f);
	write_name(g->f, g->in.program, false);
	fputs("\npositions: instr line\nevents:", g->f);
	for (i = 0; i < g->in.nr; i++) {
		fputc(' ', g->f);
		write_name(g->f, g->in.event[i], true);
	}
	fputs("\nsummary:", g->f);
	for (i = 0; i < g->in.nr; i++)
		fprintf(g->f, " %" PRIu64, g->total[i]);
	fputs("\n\nob=", g->f);
	write_name(g->f, g->in.program, false);
	fputc('\n', g->f);
}

/* The line of all cells of one instruction, from @cell on: how many these are. */
static size_t write_line(const struct grind *g, const struct cell *cell, size_t left, int line)
{
	size_t n = 0, i;

	/* An instruction's address is that of its bundle plus its slot, as in samples. */
	fprintf(g->f, "0x%" PRIx64 " %d", cell->at, line);
	for (i = 0; i < g->in.nr; i++) {
		uint64_t count = 0;

		if (n < left && cell[n].at == cell->at && cell[n].event == i)
			count = cell[n++].samples * g->in.period[i];
		fprintf(g->f, " %" PRIu64, count);
	}
	fputc('\n', g->f);
	return n;
}

static void write_profile(const struct grind *g)
{
	const char *last = NULL, *file = NULL;
	char none[32];
	size_t i = 0;

	write_header(g);
	while (i < g->nr) {
		uint64_t at = g->cell[i].at, off;
		const char *name = g->symbols ? montecito_symbols_find(g->symbols, at, &off) : NULL;
		const char *src;
		int line = 0;

		src = name ? montecito_symbols_source(g->symbols, at, &line) : NULL;
		if (!name) {
			snprintf(none, sizeof(none), "0x%" PRIx64, at & ~(uint64_t)15);
			name = none;
		}
		if (!file || strcmp(file, src ? src : "???") || !last || name == none ||
		    strcmp(last, name)) {
			file = src ? src : "???";
			fputs("fl=", g->f);
			write_name(g->f, file, false);
			fputs("\nfn=", g->f);
			write_name(g->f, name, false);
			fputc('\n', g->f);
			last = name;
		}
		i += write_line(g, &g->cell[i], g->nr - i, src ? line : 0);
	}
}

static int write_file(struct grind *g, const char *to)
{
	bool out = !strcmp(to, "-"), bad;

	g->f = out ? stdout : fopen(to, "we");
	if (!g->f)
		return fail("--callgrind %s: %s", to, strerror(errno));
	write_profile(g);
	bad = fflush(g->f) || ferror(g->f);
	if (!out)
		bad |= fclose(g->f) != 0;
	return bad ? fail("--callgrind %s: %s", to, strerror(errno)) : 0;
}

int callgrind_report(const char *path, const char *to)
{
	struct montecito_record_sample sample;
	struct grind g = { 0 };
	int err = samples_open(&g.in, path);

	if (err)
		return err;
	g.symbols = samples_symbols(&g.in);
	g.total = calloc(g.in.nr + 1, sizeof(*g.total));
	err = g.total ? 0 : fail("out of memory");
	while (!err && (err = samples_next(&g.in, &sample)) == 1)
		err = add(&g, &sample);
	if (!err) {
		fold(&g);
		err = write_file(&g, to);
	}
	free(g.total);
	free(g.cell);
	montecito_symbols_free(g.symbols);
	samples_close(&g.in);
	return err;
}
