// SPDX-License-Identifier: GPL-2.0-only
/*
 * montctl trace for other tools: the log format Kanata 0004 of the viewer Konata, the pipe view
 * of gem5 (O3PipeView), and the Trace Event Format of Chrome.
 */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

/* ---- Konata ---- */

/*
 * Commands of a log come in the order of cycles, and what is known of a group, when it has
 * ended, reaches back to its fetch. The front end is at most a buffer of 8 bundles ahead, so
 * that commands wait until so many groups have ended behind them.
 */
#define KONATA_AHEAD 64
#define KONATA_BATCH 4096

/**
 * struct command - a line of the log
 * @cycle: of which it tells
 * @order: among the commands of a cycle
 * @row: the line begins a row, or names it
 * @text: the line
 */
struct command {
	uint64_t cycle;
	uint64_t order;
	bool row;
	char text[224];
};

/**
 * struct konata - commands that wait for their turn
 * @command: these
 * @nr: how many
 * @cap: room for
 * @order: commands so far
 * @rows: instructions so far
 * @now: cycle that the log is at
 * @begun: the log says at which cycle it begins
 * @since: of the last groups, the cycle from which they could have issued
 * @groups: how many so far
 */
struct konata {
	struct command *command;
	size_t nr;
	size_t cap;
	uint64_t order;
	uint64_t rows;
	uint64_t now;
	bool begun;
	uint64_t since[KONATA_AHEAD];
	uint64_t groups;
};

static void trace_export_konata_begin(struct trace *t)
{
	t->state = calloc(1, sizeof(struct konata));
	fputs("Kanata\t0004\n", t->f);
}

__attribute__((format(printf, 3, 4))) static int
trace_export_konata_put(struct konata *k, uint64_t cycle, const char *fmt, ...)
{
	struct command *c;
	va_list ap;

	if (k->nr == k->cap) {
		size_t cap = k->cap ? 2 * k->cap : KONATA_BATCH;

		c = realloc(k->command, cap * sizeof(*c));
		if (!c)
			return -ENOMEM;
		k->command = c;
		k->cap = cap;
	}
	c = &k->command[k->nr++];
	/* A log cannot go back. */
	c->cycle = k->begun && cycle < k->now ? k->now : cycle;
	c->order = k->order++;
	c->row = false;
	va_start(ap, fmt);
	vsnprintf(c->text, sizeof(c->text), fmt, ap);
	va_end(ap);
	return 0;
}

/*
 * Begin a row in cycle @cycle. Instructions are fetched in their order: none that comes before
 * has been fetched later.
 */
static int trace_export_konata_row(struct konata *k, uint64_t id, uint64_t cycle, const char *text)
{
	size_t i;

	if (trace_export_konata_put(k, cycle, "I\t%" PRIu64 "\t%" PRIu64 "\t0", id, id) ||
	    trace_export_konata_put(k, cycle, "L\t%" PRIu64 "\t0\t%s", id, text))
		return -ENOMEM;
	k->command[k->nr - 1].row = true;
	k->command[k->nr - 2].row = true;
	for (i = k->nr - 2; i-- && (!k->command[i].row || k->command[i].cycle > cycle);)
		if (k->command[i].row)
			k->command[i].cycle = k->command[k->nr - 1].cycle;
	return 0;
}

static int trace_export_by_cycle(const void *pa, const void *pb)
{
	const struct command *a = pa, *b = pb;

	if (a->cycle != b->cycle)
		return a->cycle < b->cycle ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

/* Write the commands of cycles before @until. */
static void trace_export_konata_write(struct trace *t, uint64_t until)
{
	struct konata *k = t->state;
	size_t i;

	qsort(k->command, k->nr, sizeof(*k->command), trace_export_by_cycle);
	for (i = 0; i < k->nr && k->command[i].cycle < until; i++) {
		uint64_t cycle = k->command[i].cycle;

		if (!k->begun)
			fprintf(t->f, "C=\t%" PRIu64 "\n", cycle);
		else if (cycle != k->now)
			fprintf(t->f, "C\t%" PRIu64 "\n", cycle - k->now);
		k->begun = true;
		k->now = cycle;
		fprintf(t->f, "%s\n", k->command[i].text);
	}
	memmove(k->command, k->command + i, (k->nr - i) * sizeof(*k->command));
	k->nr -= i;
}

/* A stage of row @id from cycle @from to before @until. */
static int trace_export_konata_stage(struct konata *k, uint64_t id, unsigned int lane,
				     const char *name, uint64_t from, uint64_t until)
{
	if (until <= from)
		return 0;
	return trace_export_konata_put(k, from, "S\t%" PRIu64 "\t%u\t%s", id, lane, name) |
	       trace_export_konata_put(k, until, "E\t%" PRIu64 "\t%u\t%s", id, lane, name);
}

static uint64_t trace_export_earliest(const struct trace_group *g)
{
	uint64_t begin = g->issue;

	if (g->nr_stalls && g->stall[0].from < begin)
		begin = g->stall[0].from;
	return g->fetched && g->asked < begin ? g->asked : begin;
}

static int trace_export_konata_insn(struct trace *t, const struct trace_group *g,
				    const struct trace_insn *insn)
{
	struct konata *k = t->state;
	uint64_t id = k->rows++, at = insn->ip | insn->slot, end = g->issue + 1;
	uint64_t begin = trace_export_earliest(g),
		 waits = g->nr_stalls ? g->stall[0].from : g->issue;
	char place[128], operand[16], text[512];
	unsigned int i;
	int err;

	snprintf(text, sizeof(text), "%s-%u  %s", trace_place(t, insn->ip, place, sizeof(place)),
		 insn->slot, insn->text);
	err = trace_export_konata_row(k, id, begin, text);
	if (g->fetched && g->asked < waits)
		err |= trace_export_konata_stage(k, id, 0, "F", g->asked,
						 g->ready < waits ? g->ready : waits);
	for (i = 0; i < g->nr_stalls; i++) {
		const struct trace_stall *s = &g->stall[i];
		const struct montecito_cause *cause = trace_cause(t, s->cause);

		err |= trace_export_konata_stage(k, id, 0, cause->name, s->from, s->until);
		err |= trace_export_konata_put(k, s->from,
					       "L\t%" PRIu64 "\t1\t%" PRIu64 " cycles: %s %s\\n",
					       id, s->until - s->from, cause->text,
					       trace_operand(s->operand, operand, sizeof(operand)));
	}
	err |= trace_export_konata_stage(k, id, 0, "X", g->issue, g->issue + 1);
	for (i = 0; i < g->nr_refs; i++) {
		const struct trace_ref *r = &g->ref[i];

		if (r->at != at)
			continue;
		err |= trace_export_konata_put(k, g->issue,
					       "L\t%" PRIu64 "\t1\t%s 0x%" PRIx64 ": %s\\n", id,
					       r->what & MONTECITO_TRACE_STORE ? "store" : "load",
					       r->address, trace_level(r->what));
		if (!(r->what & MONTECITO_TRACE_STORE) && r->cycle + r->latency > end) {
			err |= trace_export_konata_stage(k, id, 0, "M", end, r->cycle + r->latency);
			end = r->cycle + r->latency;
		}
	}
	err |= trace_export_konata_put(k, end, "R\t%" PRIu64 "\t%" PRIu64 "\t0", id, id);
	return err ? -ENOMEM : 0;
}

static int trace_export_konata_group(struct trace *t, const struct trace_group *g)
{
	struct konata *k = t->state;
	uint64_t left = g->insns;
	struct trace_insn insn;
	int err = 0;

	if (!k)
		return -ENOMEM;
	for (trace_first(t, g, &insn); !err && left; left = trace_next(t, &insn, left))
		err = trace_export_konata_insn(t, g, &insn);
	if (k->nr >= KONATA_BATCH && k->groups >= KONATA_AHEAD)
		trace_export_konata_write(t, k->since[k->groups % KONATA_AHEAD]);
	k->since[k->groups++ % KONATA_AHEAD] = trace_export_earliest(g);
	return err;
}

static int trace_export_konata_end(struct trace *t)
{
	struct konata *k = t->state;

	if (!k)
		return -ENOMEM;
	trace_export_konata_write(t, UINT64_MAX);
	free(k->command);
	return 0;
}

const struct trace_format trace_konata = {
	.name = "konata",
	.kinds = TRACE_GROUPS,
	.begin = trace_export_konata_begin,
	.group = trace_export_konata_group,
	.end = trace_export_konata_end,
};

/* ---- gem5's O3PipeView ---- */

/* Ticks of a cycle, as gem5's viewer assumes */
#define O3_TICKS 1000

static void trace_export_o3_begin(struct trace *t)
{
	t->state = calloc(1, sizeof(uint64_t));
}

static void trace_export_o3_stage(struct trace *t, const char *stage, uint64_t cycle)
{
	fprintf(t->f, "O3PipeView:%s:%" PRIu64 "\n", stage, cycle * O3_TICKS);
}

static int trace_export_o3_group(struct trace *t, const struct trace_group *g)
{
	uint64_t left = g->insns, *row = t->state;
	uint64_t fetch = g->fetched ? g->asked : g->since;
	uint64_t decode = g->fetched && g->ready < g->since ? g->ready : g->since;
	struct trace_insn insn;

	if (!row)
		return -ENOMEM;
	for (trace_first(t, g, &insn); left; left = trace_next(t, &insn, left)) {
		uint64_t complete = g->issue + 1, store = 0;
		unsigned int i;

		for (i = 0; i < g->nr_refs; i++) {
			const struct trace_ref *r = &g->ref[i];

			if (r->at != (insn.ip | insn.slot))
				continue;
			if (r->what & MONTECITO_TRACE_STORE)
				store = r->cycle + 1;
			else if (r->cycle + r->latency > complete)
				complete = r->cycle + r->latency;
		}
		fprintf(t->f, "O3PipeView:fetch:%" PRIu64 ":0x%016" PRIx64 ":%u:%" PRIu64 ":%s\n",
			(fetch < decode ? fetch : decode) * O3_TICKS, insn.ip, insn.slot, ++*row,
			insn.text);
		trace_export_o3_stage(t, "decode", decode);
		trace_export_o3_stage(t, "rename", g->since);
		trace_export_o3_stage(t, "dispatch", g->since);
		trace_export_o3_stage(t, "issue", g->issue);
		trace_export_o3_stage(t, "complete", complete);
		fprintf(t->f, "O3PipeView:retire:%" PRIu64 ":store:%" PRIu64 "\n",
			complete * O3_TICKS, store * O3_TICKS);
	}
	return 0;
}

const struct trace_format trace_o3 = {
	.name = "o3pipeview",
	.kinds = TRACE_GROUPS,
	.begin = trace_export_o3_begin,
	.group = trace_export_o3_group,
};

/* ---- Chrome ---- */

/* Rows of the picture, by kind: what may overlap has one of its own. */
enum { ROW_FETCH = 1, ROW_STALL, ROW_GROUP, ROW_REFERENCE, ROW_PMU };

static void trace_export_chrome_put(struct trace *t, struct json_object *o)
{
	bool *more = t->state;

	fprintf(t->f, "%s\n%s", *more ? "," : "",
		json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN |
							  JSON_C_TO_STRING_NOSLASHESCAPE));
	*more = true;
	json_object_put(o);
}

static struct json_object *trace_export_chrome_object(const char *name, const char *ph, uint64_t ts,
						      int row)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "name", json_object_new_string(name));
	json_object_object_add(o, "ph", json_object_new_string(ph));
	json_object_object_add(o, "ts", json_object_new_uint64(ts));
	json_object_object_add(o, "pid", json_object_new_int(1));
	json_object_object_add(o, "tid", json_object_new_int(row));
	return o;
}

static void trace_export_chrome_begin(struct trace *t)
{
	static const char *const row[] = {
		[ROW_FETCH] = "front end",
		[ROW_STALL] = "waits",
		[ROW_GROUP] = "groups",
		[ROW_REFERENCE] = "data",
		[ROW_PMU] = "PMU and interruptions",
	};
	struct json_object *o, *args;
	int i;

	t->state = calloc(1, sizeof(bool));
	if (!t->state)
		return;
	/* A microsecond is a cycle. */
	fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"unit\":\"1 us is a cycle\"},"
	      "\"traceEvents\":[",
	      t->f);
	for (i = ROW_FETCH; i <= ROW_PMU; i++) {
		o = trace_export_chrome_object("thread_name", "M", 0, i);
		args = json_object_new_object();
		json_object_object_add(args, "name", json_object_new_string(row[i]));
		json_object_object_add(o, "args", args);
		trace_export_chrome_put(t, o);
	}
}

/* A span of its own that may overlap others: a pair of asynchronous events. */
static void trace_export_chrome_async(struct trace *t, const char *name, uint64_t from,
				      uint64_t until, int row, struct json_object *args)
{
	struct json_object *o = trace_export_chrome_object(name, "b", from, row);
	char id[32];

	snprintf(id, sizeof(id), "0x%" PRIx64, from << 4 | (uint64_t)row);
	json_object_object_add(o, "cat", json_object_new_string(name));
	json_object_object_add(o, "id", json_object_new_string(id));
	json_object_object_add(o, "args", args);
	trace_export_chrome_put(t, o);
	o = trace_export_chrome_object(name, "e", until, row);
	json_object_object_add(o, "cat", json_object_new_string(name));
	json_object_object_add(o, "id", json_object_new_string(id));
	trace_export_chrome_put(t, o);
}

static void trace_export_chrome_span(struct trace *t, const char *name, uint64_t from,
				     uint64_t until, int row, struct json_object *args)
{
	struct json_object *o = trace_export_chrome_object(name, "X", from, row);

	json_object_object_add(o, "dur", json_object_new_uint64(until - from));
	json_object_object_add(o, "args", args);
	trace_export_chrome_put(t, o);
}

static void trace_export_chrome_event(struct trace *t, const struct montecito_record_trace *e)
{
	struct json_object *args, *o;
	char text[256], operand[16];

	if (!t->state)
		return;
	args = json_object_new_object();
	snprintf(text, sizeof(text), "0x%" PRIx64 "-%u", (uint64_t)e->ip, e->slot);
	json_object_object_add(args, "ip", json_object_new_string(text));
	trace_place(t, e->ip, text, sizeof(text));
	switch (e->header.misc) {
	case MONTECITO_TRACE_FETCH:
		trace_export_chrome_async(t, text, e->cycle, e->value[1], ROW_FETCH, args);
		break;
	case MONTECITO_TRACE_STALL:
		trace_operand(e->value[1], operand, sizeof(operand));
		if (*operand)
			json_object_object_add(args, "operand", json_object_new_string(operand));
		json_object_object_add(args, "cause",
				       json_object_new_string(trace_cause(t, e->what)->text));
		trace_export_chrome_span(t, trace_cause(t, e->what)->name, e->cycle, e->value[0],
					 ROW_STALL, args);
		break;
	case MONTECITO_TRACE_RETIRE:
		/* A group that has issued may be interrupted at its first instruction. */
		if (!e->what) {
			json_object_put(args);
			break;
		}
		json_object_object_add(args, "instructions", json_object_new_int(e->what));
		trace_export_chrome_span(t, text, e->cycle, e->cycle + 1, ROW_GROUP, args);
		break;
	case MONTECITO_TRACE_REFERENCE:
		snprintf(text, sizeof(text), "0x%" PRIx64, (uint64_t)e->value[0]);
		json_object_object_add(args, "address", json_object_new_string(text));
		json_object_object_add(args, "store",
				       json_object_new_boolean(e->what & MONTECITO_TRACE_STORE));
		trace_export_chrome_async(t, trace_level(e->what), e->cycle, e->cycle + e->value[1],
					  ROW_REFERENCE, args);
		break;
	case MONTECITO_TRACE_OVERFLOW:
	case MONTECITO_TRACE_FREEZE:
	case MONTECITO_TRACE_INTERRUPT:
		o = trace_export_chrome_object(trace_kind(e->header.misc), "i", e->cycle, ROW_PMU);
		json_object_object_add(o, "s", json_object_new_string("t"));
		json_object_object_add(args, "what", json_object_new_uint64(e->what));
		json_object_object_add(o, "args", args);
		trace_export_chrome_put(t, o);
		break;
	default:
		/* A group's forming and issue are in its end. */
		json_object_put(args);
	}
}

static int trace_export_chrome_end(struct trace *t)
{
	if (!t->state)
		return -ENOMEM;
	fputs("\n]}\n", t->f);
	return 0;
}

const struct trace_format trace_chrome = {
	.name = "chrome",
	.kinds = TRACE_ALL,
	.chosen = true,
	.begin = trace_export_chrome_begin,
	.event = trace_export_chrome_event,
	.end = trace_export_chrome_end,
};
