// SPDX-License-Identifier: GPL-2.0-only
/* montctl trace for people: a row an instruction, and a line an event. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "montctl.h"
#include "terminal.h"
#include "trace.h"

/* Columns of a picture, one a cycle */
#define WIDTH 64
#define RULER 10

/* Letters of cycles that pass without the group, by MONTECITO_BAR_* */
static const char bar_letter[] = "-BDESFXT";
#define ISSUED 'I'
#define FETCHING 'f'
#define LOADING 'm'

/**
 * struct timeline - the block of rows that share a ruler
 * @first: cycle of the first column
 * @rows: of the block; 0 before the first one
 */
struct timeline {
	uint64_t first;
	uint64_t rows;
};

static void trace_text_timeline_begin(struct trace *t)
{
	t->state = calloc(1, sizeof(struct timeline));
	fputs("f fetch of its bundles  I issue  m until a load has its data; waits: B branch flush, "
	      "D data,\nE execution, S register stack, F front end, X flush by an interruption; "
	      "wait: cycles of them\n",
	      t->f);
}

/* Cycle @cycle in the ruler of the block: each tenth one with its number. */
static void trace_text_ruler(struct trace *t, struct timeline *l, uint64_t first)
{
	char line[WIDTH + 32];
	unsigned int i;

	l->first = first - first % RULER;
	l->rows = 0;
	for (i = 0; i < WIDTH; i += RULER)
		snprintf(line + i, sizeof(line) - i, "|%-*" PRIu64, RULER - 1,
			 (l->first + i) % 1000000000);
	line[WIDTH] = '\0';
	fprintf(t->f, "\n%12s %5s  %s\n", "cycle", "wait", line);
}

/* Mark the cycles from @from to before @until, as far as they are in the block. */
static void trace_text_mark(const struct timeline *l, char *row, uint64_t from, uint64_t until,
			    char letter)
{
	uint64_t end = l->first + WIDTH;

	for (from = from < l->first ? l->first : from; from < until && from < end; from++)
		row[from - l->first] = letter;
}

static void trace_text_picture(const struct trace *t, const struct timeline *l,
			       const struct trace_group *g, uint64_t at, char row[WIDTH + 1])
{
	unsigned int i;

	for (i = 0; i < WIDTH; i++)
		row[i] = i % RULER ? ' ' : '.';
	row[WIDTH] = '\0';
	if (g->fetched)
		trace_text_mark(l, row, g->asked, g->ready < g->issue ? g->ready : g->issue,
				FETCHING);
	for (i = 0; i < g->nr_stalls; i++) {
		uint32_t bar = trace_cause(t, g->stall[i].cause)->bar;

		trace_text_mark(l, row, g->stall[i].from, g->stall[i].until,
				bar < sizeof(bar_letter) - 1 ? bar_letter[bar] : '?');
	}
	trace_text_mark(l, row, g->issue, g->issue + 1, ISSUED);
	for (i = 0; i < g->nr_refs; i++)
		if (g->ref[i].at == at && !(g->ref[i].what & MONTECITO_TRACE_STORE))
			trace_text_mark(l, row, g->ref[i].cycle + 1,
					g->ref[i].cycle + g->ref[i].latency, LOADING);
	/* A row that goes on behind the picture says so. */
	if (g->issue >= l->first + WIDTH)
		row[WIDTH - 1] = '>';
}

/* Why the group has waited, and for which operand. */
static void trace_text_waits(const struct trace *t, const struct trace_group *g)
{
	char operand[16];
	unsigned int i;

	for (i = 0; i < g->nr_stalls; i++) {
		const struct trace_stall *s = &g->stall[i];

		fprintf(t->f, "%s%" PRIu64 " %s", i ? ", " : "  ; ", s->until - s->from,
			trace_cause(t, s->cause)->name);
		trace_operand(s->operand, operand, sizeof(operand));
		if (*operand)
			fprintf(t->f, " %s", operand);
	}
}

static void trace_text_levels(const struct trace *t, const struct trace_group *g, uint64_t at)
{
	unsigned int i;

	for (i = 0; i < g->nr_refs; i++)
		if (g->ref[i].at == at)
			fprintf(t->f, "  ; %s%s 0x%" PRIx64,
				g->ref[i].what & MONTECITO_TRACE_RSE ? "register stack " : "",
				trace_level(g->ref[i].what), g->ref[i].address);
}

static int trace_text_timeline_group(struct trace *t, const struct trace_group *g)
{
	struct timeline *l = t->state;
	uint64_t left = g->insns, waited = 0, begin = g->issue;
	struct trace_insn insn;
	char row[WIDTH + 1], place[256], safe[256];
	unsigned int i;
	bool first = true;

	if (!l)
		return -ENOMEM;
	for (i = 0; i < g->nr_stalls; i++) {
		begin = g->stall[i].from < begin ? g->stall[i].from : begin;
		waited += g->stall[i].until - g->stall[i].from;
	}
	if (!l->rows || begin < l->first || g->issue + 1 > l->first + WIDTH)
		trace_text_ruler(t, l, begin);
	for (trace_first(t, g, &insn); left; left = trace_next(t, &insn, left)) {
		uint64_t at = insn.ip | insn.slot;

		trace_text_picture(t, l, g, at, row);
		fprintf(t->f, "%12" PRIu64 " %5" PRIu64 "  %s  %s-%u  %s", g->issue,
			first ? waited : 0, row,
			plain(trace_place(t, insn.ip, place, sizeof(place)), safe, sizeof(safe)),
			insn.slot, insn.text);
		if (first)
			trace_text_waits(t, g);
		trace_text_levels(t, g, at);
		fputc('\n', t->f);
		first = false;
		l->rows++;
	}
	return 0;
}

const struct trace_format trace_timeline = {
	.name = "timeline",
	.kinds = TRACE_GROUPS,
	.begin = trace_text_timeline_begin,
	.group = trace_text_timeline_group,
};

/* ---- a line an event ---- */

static void trace_text_list_event(struct trace *t, const struct montecito_record_trace *e)
{
	static const char *const lost[] = { "a stop", "ports or its template",
					    "the lack of a second bundle",
					    "MLX or an entry in mid-bundle" };
	uint64_t a = e->value[0], b = e->value[1];
	char place[256], safe[256], operand[16];
	const struct montecito_cause *cause;

	fprintf(t->f, "%12" PRIu64 " %-10s %s-%u", (uint64_t)e->cycle, trace_kind(e->header.misc),
		plain(trace_place(t, e->ip, place, sizeof(place)), safe, sizeof(safe)), e->slot);
	switch (e->header.misc) {
	case MONTECITO_TRACE_FETCH:
		fprintf(t->f, "  translated %" PRIu64 ", ready %" PRIu64, a, b);
		break;
	case MONTECITO_TRACE_DISPERSE:
		fprintf(t->f, "  %u instructions of %" PRIu64 " bundles, ends by %s", e->what, a,
			b < sizeof(lost) / sizeof(lost[0]) ? lost[b] : "?");
		break;
	case MONTECITO_TRACE_STALL:
		cause = trace_cause(t, e->what);
		trace_operand(b, operand, sizeof(operand));
		fprintf(t->f, "  %" PRIu64 " cycles, %s%s%s (%s)", a - (uint64_t)e->cycle,
			cause->name, *operand ? " " : "", operand, cause->text);
		break;
	case MONTECITO_TRACE_ISSUE:
		fprintf(t->f, "  %u instructions, could from %" PRIu64, e->what, a);
		break;
	case MONTECITO_TRACE_REFERENCE:
		fprintf(t->f, "  %s%s 0x%" PRIx64 ", %s",
			e->what & MONTECITO_TRACE_RSE ? "register stack " : "",
			e->what & MONTECITO_TRACE_STORE ? "store" : "load", a,
			trace_level(e->what));
		if (!(e->what & MONTECITO_TRACE_STORE))
			fprintf(t->f, ", %" PRIu64 " cycles", b);
		break;
	case MONTECITO_TRACE_RETIRE:
		fprintf(t->f, "  %u instructions, next %s-%" PRIu64, e->what,
			plain(trace_place(t, a, place, sizeof(place)), safe, sizeof(safe)), b);
		break;
	case MONTECITO_TRACE_OVERFLOW:
		fprintf(t->f, "  PMDs 0x%x", e->what);
		break;
	case MONTECITO_TRACE_FREEZE:
		fprintf(t->f, "  PMC0 0x%" PRIx64, a);
		break;
	case MONTECITO_TRACE_INTERRUPT:
		fprintf(t->f, "  vector 0x%x, ISR 0x%" PRIx64 ", IFA 0x%" PRIx64, e->what, a, b);
		break;
	}
	fputc('\n', t->f);
}

const struct trace_format trace_list = {
	.name = "list",
	.kinds = TRACE_ALL,
	.chosen = true,
	.event = trace_text_list_event,
};
