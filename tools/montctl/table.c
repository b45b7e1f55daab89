// SPDX-License-Identifier: GPL-2.0-only
/* Tables of numbers as text, CSV, JSON and charts. */
#include <errno.h>
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "montctl.h"
#include "table.h"
#include "terminal.h"

#define MAX_CELL 40

int table_column(struct table *t, const char *name, bool ratio)
{
	char **names = realloc(t->name, (t->cols + 1) * sizeof(*names));
	bool *ratios;

	if (!names)
		return -ENOMEM;
	t->name = names;
	ratios = realloc(t->ratio, (t->cols + 1) * sizeof(*ratios));
	if (!ratios)
		return -ENOMEM;
	t->ratio = ratios;
	names[t->cols] = strdup(name);
	if (!names[t->cols])
		return -ENOMEM;
	ratios[t->cols++] = ratio;
	return 0;
}

double *table_row(struct table *t)
{
	double *cell = realloc(t->cell, (t->rows + 1) * t->cols * sizeof(*cell));

	if (!cell)
		return NULL;
	t->cell = cell;
	return &cell[t->rows++ * t->cols];
}

void table_free(struct table *t)
{
	while (t->cols)
		free(t->name[--t->cols]);
	free(t->name);
	free(t->ratio);
	free(t->cell);
}

static double table_at(const struct table *t, size_t row, size_t col)
{
	return t->cell[row * t->cols + col];
}

static const char *table_cell(const struct table *t, size_t row, size_t col, const char *none,
			      char buf[MAX_CELL])
{
	double v = table_at(t, row, col);

	if (isnan(v))
		snprintf(buf, MAX_CELL, "%s", none);
	else
		snprintf(buf, MAX_CELL, t->ratio[col] ? "%.4f" : "%.0f", v);
	return buf;
}

void table_text(const struct table *t, FILE *f)
{
	size_t *width = calloc(t->cols, sizeof(*width)), row, col;
	char buf[MAX_CELL];

	if (!width)
		return;
	for (col = 0; col < t->cols; col++) {
		width[col] = strlen(t->name[col]);
		for (row = 0; row < t->rows; row++) {
			size_t len = strlen(table_cell(t, row, col, "-", buf));

			if (len > width[col])
				width[col] = len;
		}
	}
	fputs(terminal_paint(f, PAINT_HEAD), f);
	for (col = 0; col < t->cols; col++)
		fprintf(f, "  %*s", (int)width[col], t->name[col]);
	fprintf(f, "%s\n", terminal_paint(f, PAINT_NONE));
	for (row = 0; row < t->rows; row++) {
		for (col = 0; col < t->cols; col++)
			fprintf(f, "  %*s", (int)width[col], table_cell(t, row, col, "-", buf));
		fputc('\n', f);
	}
	free(width);
}

void csv_field(FILE *f, const char *text, const char *sep)
{
	if (!strstr(text, sep) && !strpbrk(text, "\"\n\r")) {
		fputs(text, f);
		return;
	}
	fputc('"', f);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', f);
		fputc(*text, f);
	}
	fputc('"', f);
}

void table_csv(const struct table *t, FILE *f, const char *sep)
{
	char buf[MAX_CELL];
	size_t row, col;

	for (col = 0; col < t->cols; col++) {
		fputs(col ? sep : "", f);
		csv_field(f, t->name[col], sep);
	}
	fputc('\n', f);
	for (row = 0; row < t->rows; row++) {
		for (col = 0; col < t->cols; col++) {
			fputs(col ? sep : "", f);
			csv_field(f, table_cell(t, row, col, "", buf), sep);
		}
		fputc('\n', f);
	}
}

struct json_object *table_json(const struct table *t)
{
	struct json_object *list = json_object_new_array();
	char buf[MAX_CELL];
	size_t row, col;

	for (row = 0; row < t->rows; row++) {
		struct json_object *o = json_object_new_object();

		for (col = 0; col < t->cols; col++) {
			double v = table_at(t, row, col);
			struct json_object *value = NULL;

			if (!isnan(v) && t->ratio[col])
				value = json_object_new_double_s(v,
								 table_cell(t, row, col, "", buf));
			else if (!isnan(v))
				value = json_object_new_int64((int64_t)v);
			json_object_object_add(o, t->name[col], value);
		}
		json_object_array_add(list, o);
	}
	return list;
}

/* ---- charts ---- */

#define SVG_WIDTH 760
#define SVG_HEIGHT 180 /* of one chart with its title */
#define SVG_LEFT 110
#define SVG_RIGHT 20
#define SVG_TOP 26
#define SVG_BOTTOM 30

static const char *const colours[] = { "#3d7bd9", "#d9662c", "#3a9a5b", "#9a4fb5",
				       "#b8892b", "#4aa3a3", "#c2416b", "#6b7280" };

#define NR_COLOURS (sizeof(colours) / sizeof(colours[0]))

struct span {
	double least;
	double most;
};

static struct span table_column_span(const struct table *t, size_t col)
{
	struct span s = { NAN, NAN };
	size_t row;

	for (row = 0; row < t->rows; row++) {
		double v = table_at(t, row, col);

		if (isnan(v))
			continue;
		if (isnan(s.least) || v < s.least)
			s.least = v;
		if (isnan(s.most) || v > s.most)
			s.most = v;
	}
	return s;
}

static double table_scale(double v, struct span s, double from, double to)
{
	return s.most > s.least ? from + (v - s.least) / (s.most - s.least) * (to - from)
				: (from + to) / 2;
}

/* True if both rows lie on one line: all keys but the first are equal. */
static bool table_one_line(const struct table *t, size_t a, size_t b)
{
	size_t col;

	for (col = 1; col < t->keys; col++)
		if (table_at(t, a, col) != table_at(t, b, col))
			return false;
	return true;
}

static bool table_begins_line(const struct table *t, size_t row)
{
	size_t i;

	for (i = 0; i < row; i++)
		if (table_one_line(t, i, row))
			return false;
	return true;
}

static void table_svg_number(FILE *f, const struct table *t, size_t col, double v)
{
	fprintf(f, t->ratio[col] ? "%.4g" : "%.0f", v);
}

/* The line of the rows that belong to @first. */
static void table_svg_line(FILE *f, const struct table *t, size_t col, size_t first, struct span x,
			   struct span y, const char *colour)
{
	size_t row;

	fprintf(f, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" points=\"", colour);
	for (row = first; row < t->rows; row++) {
		double v = table_at(t, row, col);

		if (table_one_line(t, first, row) && !isnan(v))
			fprintf(f, "%.1f,%.1f ",
				table_scale(table_at(t, row, 0), x, SVG_LEFT,
					    SVG_WIDTH - SVG_RIGHT),
				table_scale(v, y, SVG_HEIGHT - SVG_BOTTOM, SVG_TOP));
	}
	fputs("\"/>\n", f);
	if (t->rows > 200)
		return;
	for (row = first; row < t->rows; row++) {
		double v = table_at(t, row, col);

		if (!table_one_line(t, first, row) || isnan(v))
			continue;
		fprintf(f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"><title>",
			table_scale(table_at(t, row, 0), x, SVG_LEFT, SVG_WIDTH - SVG_RIGHT),
			table_scale(v, y, SVG_HEIGHT - SVG_BOTTOM, SVG_TOP), colour);
		table_svg_number(f, t, 0, table_at(t, row, 0));
		fputs(": ", f);
		table_svg_number(f, t, col, v);
		fputs("</title></circle>\n", f);
	}
}

/* Name the lines by their keys. */
static void table_svg_legend(FILE *f, const struct table *t)
{
	size_t row, col, line = 0;

	for (row = 0; t->keys > 1 && row < t->rows; row++) {
		if (!table_begins_line(t, row))
			continue;
		fprintf(f, "<text x=\"%d\" y=\"%zu\" fill=\"%s\">", SVG_LEFT, 44 + 14 * line,
			colours[line % NR_COLOURS]);
		for (col = 1; col < t->keys; col++) {
			fputs(col > 1 ? ", " : "", f);
			html_text(f, t->name[col]);
			fputc('=', f);
			table_svg_number(f, t, col, table_at(t, row, col));
		}
		fputs("</text>\n", f);
		line++;
	}
}

static void table_svg_chart(FILE *f, const struct table *t, size_t col)
{
	struct span x = table_column_span(t, 0), y = table_column_span(t, col);
	size_t row, line = 0;

	fputs("<text x=\"10\" y=\"15\" font-weight=\"bold\">", f);
	html_text(f, t->name[col]);
	fputs("</text>\n", f);
	if (isnan(y.least))
		return;
	/* From 0, so that a small change looks small. */
	if (y.least > 0)
		y.least = 0;
	fprintf(f,
		"<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#98a2b3\"/>\n"
		"<text x=\"%d\" y=\"%d\" text-anchor=\"end\">",
		SVG_LEFT, SVG_TOP, SVG_HEIGHT - SVG_BOTTOM, SVG_WIDTH - SVG_RIGHT, SVG_LEFT - 6,
		SVG_TOP + 8);
	table_svg_number(f, t, col, y.most);
	fprintf(f, "</text>\n<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", SVG_LEFT - 6,
		SVG_HEIGHT - SVG_BOTTOM);
	table_svg_number(f, t, col, y.least);
	fprintf(f, "</text>\n<text x=\"%d\" y=\"%d\">", SVG_LEFT, SVG_HEIGHT - SVG_BOTTOM + 16);
	table_svg_number(f, t, 0, x.least);
	fprintf(f, "</text>\n<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", SVG_WIDTH - SVG_RIGHT,
		SVG_HEIGHT - SVG_BOTTOM + 16);
	html_text(f, t->name[0]);
	fputc(' ', f);
	table_svg_number(f, t, 0, x.most);
	fputs("</text>\n", f);
	for (row = 0; row < t->rows; row++)
		if (table_begins_line(t, row))
			table_svg_line(f, t, col, row, x, y, colours[line++ % NR_COLOURS]);
}

void table_svg(const struct table *t, FILE *f, const char *title)
{
	size_t charts = t->cols - t->keys, lines = 0, head, col, row;

	for (row = 0; t->keys > 1 && row < t->rows; row++)
		lines += table_begins_line(t, row);
	head = 40 + 14 * lines;
	fprintf(f,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%zu\" "
		"viewBox=\"0 0 %d %zu\" style=\"max-width:100%%;height:auto\" "
		"font-family=\"system-ui,sans-serif\" font-size=\"12\" "
		"fill=\"#1c1e21\">\n<style>:root{background:#fff}.p{fill:#fff}"
		"@media(prefers-color-scheme:dark){:root{background:#16181d;fill:#e4e7ec}"
		".p{fill:#16181d}}</style>\n"
		"<rect class=\"p\" width=\"100%%\" height=\"100%%\"/>\n"
		"<text x=\"10\" y=\"22\" font-size=\"15\">",
		SVG_WIDTH, head + charts * SVG_HEIGHT, SVG_WIDTH, head + charts * SVG_HEIGHT);
	html_text(f, title);
	fputs("</text>\n", f);
	table_svg_legend(f, t);
	for (col = t->keys; col < t->cols; col++) {
		fprintf(f, "<g transform=\"translate(0,%zu)\">\n",
			head + (col - t->keys) * SVG_HEIGHT);
		table_svg_chart(f, t, col);
		fputs("</g>\n", f);
	}
	fputs("</svg>\n", f);
}
