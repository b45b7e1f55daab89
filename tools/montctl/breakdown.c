// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the cycles went: the breakdown that montctl stat shows, as reports of
 * profilers for the Itanium 2 group it (manual 3.2.1.4).
 */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "breakdown.h"
#include "montctl.h"
#include "terminal.h"

/* By MONTECITO_BAR_*: name in the JSON report, and title in the text. */
static const struct {
	const char *name;
	const char *title;
} bars[NR_BARS] = {
	[MONTECITO_BAR_UNSTALLED] = { "unstalled", "unstalled: instructions retire" },
	[MONTECITO_BAR_BRANCH] = { "branch", "branch: mispredictions" },
	[MONTECITO_BAR_DATA] = { "data", "data: caches, translations and memory" },
	[MONTECITO_BAR_EXECUTION] = { "execution",
				      "execution: results of the FPU and of other units" },
	[MONTECITO_BAR_RSE] = { "rse", "RSE: register stack engine" },
	[MONTECITO_BAR_FRONT_END] = { "front_end", "front end: no instructions to issue" },
	[MONTECITO_BAR_INTERRUPTION] = { "interruption",
					 "interruption: flushes by exceptions and interruptions" },
	[MONTECITO_BAR_SWITCHING] = { "switching", "switching: to the other thread of the core" },
};

#define BACKGROUND "in the background: the other thread has the core"

#define WIDTH 30
/* Columns of a line that are neither bar nor title */
#define FRAME 33

/* From a machine, or over netlink where there is none. */
static int breakdown_read_from(struct breakdown *b, struct montecito *m, struct montecito_nl *nl,
			       uint32_t machine, uint32_t vcpu)
{
	struct montecito_cause *cause = calloc(MONTECITO_MAX_CAUSES, sizeof(*cause));
	struct montecito_cycles c = { .count = MONTECITO_MAX_CAUSES, .causes = (uintptr_t)cause };
	uint32_t i;
	int err;

	if (!cause)
		return -ENOMEM;
	err = m ? montecito_cycles(m, vcpu, &c) : montecito_nl_cycles(nl, machine, vcpu, &c);
	if (err) {
		free(cause);
		return err;
	}
	breakdown_free(b);
	*b = (struct breakdown){ .sum = c, .cause = cause };
	b->bar[MONTECITO_BAR_UNSTALLED] = c.unstalled;
	for (i = 0; i < c.count; i++) {
		if (cause[i].bar >= NR_BARS)
			return -EPROTO; /* of a later version: the sum would be wrong */
		b->bar[cause[i].bar] += cause[i].cycles;
	}
	return 0;
}

int breakdown_read_vcpu(struct breakdown *b, struct montecito *m, unsigned int vcpu)
{
	return breakdown_read_from(b, m, NULL, 0, vcpu);
}

int breakdown_add(struct breakdown *b, const struct breakdown *other)
{
	uint32_t i;

	if (!b->cause) {
		b->cause = calloc(MONTECITO_MAX_CAUSES, sizeof(*b->cause));
		if (!b->cause)
			return -ENOMEM;
		memcpy(b->cause, other->cause, other->sum.count * sizeof(*b->cause));
		b->sum = other->sum;
		memcpy(b->bar, other->bar, sizeof(b->bar));
		return 0;
	}
	b->sum.cycles += other->sum.cycles;
	b->sum.halted += other->sum.halted;
	b->sum.insns += other->sum.insns;
	for (i = 0; i < NR_BARS; i++)
		b->bar[i] += other->bar[i];
	for (i = 0; i < b->sum.count; i++)
		b->cause[i].cycles += other->cause[i].cycles;
	return 0;
}

int breakdown_read(struct breakdown *b, struct montecito *m)
{
	struct breakdown one = { 0 };
	unsigned int v;
	int err = 0;

	if (montecito_nr_vcpus(m) == 1)
		return breakdown_read_vcpu(b, m, 0);
	breakdown_free(b);
	for (v = 0; !err && v < montecito_nr_vcpus(m); v++) {
		err = breakdown_read_vcpu(&one, m, v);
		if (!err)
			err = breakdown_add(b, &one);
	}
	breakdown_free(&one);
	return err;
}

int breakdown_read_nl(struct breakdown *b, struct montecito_nl *nl, uint32_t machine, uint32_t vcpu)
{
	return breakdown_read_from(b, NULL, nl, machine, vcpu);
}

void breakdown_since(struct breakdown *b, const struct breakdown *base)
{
	uint32_t i;

	b->sum.cycles -= base->sum.cycles;
	b->sum.halted -= base->sum.halted;
	b->sum.insns -= base->sum.insns;
	for (i = 0; i < NR_BARS; i++)
		b->bar[i] -= base->bar[i];
	for (i = 0; i < b->sum.count; i++)
		b->cause[i].cycles -= base->cause[i].cycles;
}

const char *breakdown_name(uint32_t bar)
{
	return bars[bar].name;
}

const char *breakdown_title(uint32_t bar)
{
	return bars[bar].title;
}

void breakdown_free(struct breakdown *b)
{
	free(b->cause);
	b->cause = NULL;
}

struct json_object *breakdown_json(const struct breakdown *b)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();
	uint32_t i;

	for (i = 0; i < NR_BARS; i++)
		json_object_object_add(o, bars[i].name, json_object_new_uint64(b->bar[i]));
	json_object_object_add(o, "halted", json_object_new_uint64(b->sum.halted));
	for (i = 0; i < b->sum.count; i++) {
		struct json_object *c = json_object_new_object();

		json_object_object_add(c, "name", json_object_new_string(b->cause[i].name));
		json_object_object_add(c, "bar",
				       json_object_new_string(bars[b->cause[i].bar].name));
		json_object_object_add(c, "text", json_object_new_string(b->cause[i].text));
		json_object_object_add(c, "cycles", json_object_new_uint64(b->cause[i].cycles));
		json_object_array_add(list, c);
	}
	json_object_object_add(o, "causes", list);
	return o;
}

/* @n of @total in per cent, without the loss that a product of two counts may have. */
static double breakdown_share(uint64_t n, uint64_t total)
{
	return total ? 100.0 * (double)n / (double)total : 0;
}

/* As much of @title as a line has room for: all, or what is before its colon. */
static int breakdown_title_length(FILE *f, const char *title)
{
	unsigned int width = terminal_width(f), len = strlen(title);

	return width && FRAME + WIDTH + len > width ? (int)strcspn(title, ":") : (int)len;
}

static void breakdown_line(FILE *f, uint64_t n, uint64_t total, enum paint paint, const char *title)
{
	int marks = total ? (int)(breakdown_share(n, total) * WIDTH / 100 + 0.5) : 0;
	char buf[32];

	fprintf(f, " %20s %6.2f%%  %s%-*.*s%s  %.*s\n", grouped(n, f, buf),
		breakdown_share(n, total), terminal_paint(f, paint), WIDTH, marks,
		"##############################", terminal_paint(f, PAINT_NONE),
		breakdown_title_length(f, title), title);
}

/* The causes of a bar that has more than one, in parts of @total. */
static void breakdown_details(FILE *f, const struct breakdown *b, uint32_t bar, uint64_t total)
{
	unsigned int width = terminal_width(f);
	char buf[32];
	uint32_t i;

	for (i = 0; i < b->sum.count; i++) {
		const struct montecito_cause *c = &b->cause[i];

		if (c->bar != bar || !c->cycles || c->cycles == b->bar[bar])
			continue;
		fprintf(f, " %20s %6.2f%%    %.*s\n", grouped(c->cycles, f, buf),
			breakdown_share(c->cycles, total),
			width > FRAME ? (int)(width - FRAME) : (int)strlen(c->text), c->text);
	}
}

/* The lines of @b, and one of @behind cycles in the background. */
static void breakdown_lines(const struct breakdown *b, uint64_t behind, FILE *f)
{
	uint64_t total = b->sum.cycles - b->sum.halted + behind;
	char buf[32];
	uint32_t i;

	for (i = 0; i < NR_BARS; i++) {
		/* A core with one thread has no such cycles. */
		if (i == MONTECITO_BAR_SWITCHING && !b->bar[i])
			continue;
		breakdown_line(f, b->bar[i], total,
			       i == MONTECITO_BAR_UNSTALLED ? PAINT_GOOD : PAINT_WARM,
			       bars[i].title);
		breakdown_details(f, b, i, total);
	}
	if (behind)
		breakdown_line(f, behind, total, PAINT_WARM, BACKGROUND);
	fprintf(f, " %20s %6.2f%%\n", grouped(total, f, buf), breakdown_share(total, total));
	if (b->sum.halted)
		fprintf(f, " %20s           halted\n", grouped(b->sum.halted, f, buf));
	fputc('\n', f);
}

void breakdown_text(const struct breakdown *b, FILE *f)
{
	fputs(" where the cycles went:\n", f);
	breakdown_lines(b, 0, f);
}

void breakdown_text_vcpu(const struct breakdown *b, unsigned int vcpu, uint64_t behind, FILE *f)
{
	fprintf(f, " where the cycles went, for vcpu %u:\n", vcpu);
	breakdown_lines(b, behind, f);
}
