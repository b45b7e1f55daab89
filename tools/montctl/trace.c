// SPDX-License-Identifier: GPL-2.0-only
/* montctl trace: run a program and show what the pipeline did, cycle by cycle. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "montctl.h"
#include "region.h"
#include "trace.h"

#define RING_ORDER 9
/* Instructions between two looks into the ring: it has room for 42 events of each. */
#define SLICE 1000
/* Pairs of bundles whose last fetch is remembered; a power of two */
#define PAIRS 256

static const char help[] =
	"Usage: montctl trace [OPTION...] PROG [ARG...]\n\n"
	"Run a program with time and show what its pipeline did, cycle by cycle.\n\n"
	"  --format FORMAT    timeline: a row an instruction, over cycles (the default)\n"
	"                     list: a line an event\n"
	"                     konata: for the viewer Konata (Kanata 0004)\n"
	"                     o3pipeview: as gem5 writes, for its viewer and Konata\n"
	"                     chrome: JSON for chrome://tracing and Perfetto\n"
	"  -e KIND[,KIND...]  of list and chrome: these alone of fetch, disperse, stall, issue,\n"
	"                     reference, retire, overflow, freeze, interrupt\n"
	"  --from WHEN        show what comes from WHEN on: FUNCTION, its first begin; N, behind\n"
	"                     N instructions; Nc, cycle N\n"
	"  --to WHEN          and before WHEN\n"
	"  -o FILE            to FILE instead of stderr\n" MACHINE_HELP PROGRAM_HELP;

enum { OPT_FORMAT = OPT_COMMAND, OPT_FROM, OPT_TO };

static const struct option options[] = {
	MACHINE_OPTIONS,
	PROGRAM_OPTIONS,
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "from", required_argument, NULL, OPT_FROM },
	{ "to", required_argument, NULL, OPT_TO },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static const char *const kind_names[] = {
	[MONTECITO_TRACE_FETCH] = "fetch",	   [MONTECITO_TRACE_DISPERSE] = "disperse",
	[MONTECITO_TRACE_STALL] = "stall",	   [MONTECITO_TRACE_ISSUE] = "issue",
	[MONTECITO_TRACE_REFERENCE] = "reference", [MONTECITO_TRACE_RETIRE] = "retire",
	[MONTECITO_TRACE_OVERFLOW] = "overflow",   [MONTECITO_TRACE_FREEZE] = "freeze",
	[MONTECITO_TRACE_INTERRUPT] = "interrupt",
};

static const struct trace_format *const formats[] = {
	&trace_timeline, &trace_list, &trace_konata, &trace_o3, &trace_chrome,
};

#define NR_FORMATS (sizeof(formats) / sizeof(formats[0]))

/**
 * struct moment - where the window begins or ends
 * @set: it was given
 * @cycles: it is a cycle
 * @at: the cycle; or as the library has it
 */
struct moment {
	bool set;
	bool cycles;
	struct montecito_moment at;
};

/**
 * struct tracing - montctl trace
 * @args: its options
 * @t: what the formats need
 * @m: the machine
 * @path: -o
 * @from_text: --from
 * @to_text: --to
 * @from: where the window begins
 * @to: where it ends
 * @kinds: -e, or 0
 * @insns: retired so far
 * @begun: the window has begun
 * @ended: it has ended
 * @g: the group that has not ended
 * @pair: by address of the pair, modulo PAIRS: its last fetch
 */
struct tracing {
	struct machine_args args;
	struct trace t;
	struct montecito *m;
	const char *path;
	const char *from_text;
	const char *to_text;
	struct moment from;
	struct moment to;
	uint32_t kinds;
	uint64_t insns;
	bool begun;
	bool ended;
	struct trace_group g;
	struct {
		uint64_t ip;
		uint64_t asked;
		uint64_t ready;
		bool fresh;
	} pair[PAIRS];
};

const char *trace_kind(uint32_t kind)
{
	return kind < MONTECITO_NR_TRACE ? kind_names[kind] : "?";
}

const char *trace_level(uint32_t what)
{
	static const char *const level[] = {
		[MONTECITO_TRACE_L1D] = "L1D",
		[MONTECITO_TRACE_L2D] = "L2D",
		[MONTECITO_TRACE_L3] = "L3",
		[MONTECITO_TRACE_MEMORY] = "memory",
	};
	uint32_t n = what & 0xff;

	return n && n <= MONTECITO_TRACE_MEMORY ? level[n] : "?";
}

const struct montecito_cause *trace_cause(const struct trace *t, uint32_t cause)
{
	static const struct montecito_cause none = { .name = "?", .text = "?" };

	return cause < t->nr_causes ? &t->cause[cause] : &none;
}

const char *trace_operand(uint64_t operand, char *buf, size_t len)
{
	static const char *const file[] = { "r", "f", "p", "b", "ar", "cr" };

	*buf = '\0';
	if (operand >> 8 < sizeof(file) / sizeof(file[0]))
		snprintf(buf, len, "%s%u", file[operand >> 8], (unsigned int)(operand & 0xff));
	return buf;
}

const char *trace_place(const struct trace *t, uint64_t ip, char *buf, size_t len)
{
	uint64_t off;
	const char *name = t->symbols ? montecito_symbols_find(t->symbols, ip, &off) : NULL;

	if (!name)
		snprintf(buf, len, "0x%" PRIx64, ip);
	else if (off)
		snprintf(buf, len, "%s+0x%" PRIx64, name, off);
	else
		snprintf(buf, len, "%s", name);
	return buf;
}

/* Text of the instruction at @insn: false if its bundle has none in this slot. */
static bool trace_read_insn(const struct trace *t, struct trace_insn *insn)
{
	struct montecito_bundle b = { .size = sizeof(b) };
	uint64_t code[2];

	*insn->text = '\0';
	if (montecito_process_peek(t->process, insn->ip, code, sizeof(code)))
		return true;
	montecito_bundle(&b, code[0], code[1], insn->ip);
	snprintf(insn->text, sizeof(insn->text), "%s%s", b.text[insn->slot],
		 b.stop[insn->slot] ? " ;;" : "");
	return *b.text[insn->slot];
}

void trace_first(const struct trace *t, const struct trace_group *g, struct trace_insn *insn)
{
	insn->ip = g->ip;
	insn->slot = g->slot;
	trace_read_insn(t, insn);
}

uint64_t trace_next(const struct trace *t, struct trace_insn *insn, uint64_t left)
{
	if (left < 2)
		return 0;
	/* MLX has one instruction in two slots. */
	do {
		if (++insn->slot > 2) {
			insn->slot = 0;
			insn->ip += 16;
		}
	} while (!trace_read_insn(t, insn));
	return left - 1;
}

/* ---- the window ---- */

/* True if @e lies behind the moment @m. */
static bool trace_reached(const struct tracing *tr, const struct moment *m,
			  const struct montecito_record_trace *e)
{
	if (m->cycles)
		return e->cycle >= m->at.at;
	if (m->at.function)
		return e->header.misc == MONTECITO_TRACE_ISSUE && (e->ip & ~15ULL) == m->at.at;
	return tr->insns >= m->at.at;
}

static void trace_window(struct tracing *tr, const struct montecito_record_trace *e)
{
	if (!tr->begun)
		tr->begun = !tr->from.set || trace_reached(tr, &tr->from, e);
	else if (tr->to.set && trace_reached(tr, &tr->to, e))
		tr->ended = true;
}

/* ---- events ---- */

static void trace_take_fetch(struct tracing *tr, const struct montecito_record_trace *e)
{
	uint64_t pair = e->ip & ~31ULL;
	unsigned int i = pair / 32 % PAIRS;

	tr->pair[i].ip = pair;
	tr->pair[i].asked = e->cycle;
	tr->pair[i].ready = e->value[1];
	tr->pair[i].fresh = true;
}

static void trace_take_issue(struct tracing *tr, const struct montecito_record_trace *e)
{
	struct trace_group *g = &tr->g;
	uint64_t pair = e->ip & ~31ULL;
	unsigned int i = pair / 32 % PAIRS;

	g->ip = e->ip;
	g->slot = e->slot;
	g->since = e->value[0];
	g->issue = e->cycle;
	g->fetched = tr->pair[i].ip == pair && tr->pair[i].fresh && tr->pair[i].ready <= e->cycle;
	g->asked = tr->pair[i].asked;
	g->ready = tr->pair[i].ready;
	if (g->fetched)
		tr->pair[i].fresh = false;
}

static void trace_take_stall(struct trace_group *g, const struct montecito_record_trace *e)
{
	if (g->nr_stalls < TRACE_STALLS)
		g->stall[g->nr_stalls++] =
			(struct trace_stall){ e->cycle, e->value[0], e->what, e->value[1] };
}

static void trace_take_ref(struct trace_group *g, const struct montecito_record_trace *e)
{
	if (g->nr_refs < TRACE_REFS)
		g->ref[g->nr_refs++] = (struct trace_ref){ e->ip | e->slot, e->cycle, e->value[0],
							   e->value[1], e->what };
}

static int trace_take(struct tracing *tr, const struct montecito_record_trace *e)
{
	const struct trace_format *format = tr->t.format;
	struct trace_group *g = &tr->g;
	bool retires = e->header.misc == MONTECITO_TRACE_RETIRE;
	int err = 0;

	/* A group belongs to where it began. */
	if (!retires)
		trace_window(tr, e);
	if (tr->begun && !tr->ended && format->event &&
	    (!tr->kinds || tr->kinds >> e->header.misc & 1))
		format->event(&tr->t, e);
	switch (e->header.misc) {
	case MONTECITO_TRACE_FETCH:
		trace_take_fetch(tr, e);
		break;
	case MONTECITO_TRACE_STALL:
		trace_take_stall(g, e);
		break;
	case MONTECITO_TRACE_ISSUE:
		trace_take_issue(tr, e);
		break;
	case MONTECITO_TRACE_REFERENCE:
		trace_take_ref(g, e);
		break;
	case MONTECITO_TRACE_RETIRE:
		g->insns = e->what;
		tr->insns += e->what;
		g->nr_refs = e->what ? g->nr_refs : 0;
		/* A group that was interrupted at its first instruction waits on as the next. */
		if (!e->what)
			break;
		if (tr->begun && !tr->ended && format->group)
			err = format->group(&tr->t, g);
		g->nr_stalls = 0;
		g->nr_refs = 0;
		break;
	}
	return err;
}

static int trace_drain(struct montecito *m, void *arg)
{
	struct tracing *tr = arg;
	union {
		struct montecito_record_header h;
		struct montecito_record_trace e;
		char raw[MONTECITO_RECORD_MAX];
	} u;
	int len, err = 0;

	while (!err && (len = montecito_ring_read(m, 0, &u, sizeof(u))) > 0)
		if (u.h.type == MONTECITO_RECORD_TRACE && !tr->ended)
			err = trace_take(tr, &u.e);
	if (err)
		return err;
	if (tr->ended && tr->t.format->kinds) {
		/* The rest of the run is of no interest. */
		err = montecito_trace(m, 0, 0);
	}
	progress(m);
	return len < 0 ? len : err;
}

/* ---- the command ---- */

static int trace_parse_kinds(struct tracing *tr, const char *arg)
{
	char word[16];
	size_t i, len;

	do {
		len = strcspn(arg, ",");
		snprintf(word, sizeof(word), "%.*s", (int)len, arg);
		for (i = 0; i < MONTECITO_NR_TRACE && strcasecmp(word, kind_names[i]); i++)
			;
		if (i == MONTECITO_NR_TRACE || len >= sizeof(word))
			return usage_error("trace",
					   "-e %.*s: must be of fetch, disperse, stall, issue, "
					   "reference, retire, overflow, freeze, interrupt",
					   (int)len, arg);
		tr->kinds |= 1U << i;
		arg += len;
	} while (*arg++);
	return 0;
}

static int trace_parse_format(struct tracing *tr, const char *arg)
{
	size_t i;

	for (i = 0; i < NR_FORMATS; i++) {
		if (!strcasecmp(arg, formats[i]->name)) {
			tr->t.format = formats[i];
			return 0;
		}
	}
	return usage_error(
		"trace", "--format %s: must be timeline, list, konata, o3pipeview or chrome", arg);
}

static int trace_parse(struct tracing *tr, int argc, char **argv)
{
	int opt, err = 0;

	while (!err && (opt = getopt_long(argc, argv, "+e:o:h", options, NULL)) != -1) {
		switch (opt) {
		case 'h':
			fputs(help, stdout);
			exit(stdio_close(0));
		case 'e':
			err = trace_parse_kinds(tr, optarg);
			break;
		case 'o':
			tr->path = optarg;
			break;
		case OPT_FORMAT:
			err = trace_parse_format(tr, optarg);
			break;
		case OPT_FROM:
			tr->from_text = optarg;
			break;
		case OPT_TO:
			tr->to_text = optarg;
			break;
		default:
			err = machine_option(&tr->args, "trace", opt);
			if (err < 0)
				err = bad_option("trace", argv, opt, options);
		}
	}
	if (err)
		return err;
	if (optind == argc)
		return usage_error("trace", "no program given");
	if (tr->kinds && !tr->t.format->chosen)
		return usage_error("trace", "-e goes with --format list and chrome");
	if (!tr->args.timing && !tr->t.format->chosen)
		return fail("trace: --format %s needs --timing=on", tr->t.format->name);
	return 0;
}

static int trace_find_moment(const struct tracing *tr, const char *path, const char *option,
			     const char *text, struct moment *moment)
{
	char number[32];
	size_t len = text ? strlen(text) : 0;

	if (!text)
		return 0;
	moment->set = true;
	if (len > 1 && len < sizeof(number) && text[len - 1] == 'c') {
		snprintf(number, sizeof(number), "%.*s", (int)len - 1, text);
		moment->cycles = !parse_number(number, &moment->at.at);
		if (moment->cycles)
			return 0;
	}
	return region_moment(tr->t.symbols, path, option, text, &moment->at);
}

static int trace_read_causes(struct tracing *tr)
{
	struct montecito_cycles c = { 0 };
	int err;

	tr->t.cause = calloc(MONTECITO_MAX_CAUSES, sizeof(*tr->t.cause));
	if (!tr->t.cause)
		return fail("out of memory");
	c.causes = (uintptr_t)tr->t.cause;
	c.count = MONTECITO_MAX_CAUSES;
	err = montecito_cycles(tr->m, 0, &c);
	tr->t.nr_causes = err ? 0 : c.count;
	return err && err != -EOPNOTSUPP ? fail("cannot read the causes: %s", strerror(-err)) : 0;
}

static int trace_start(struct tracing *tr, const char *program)
{
	uint32_t kinds = tr->kinds ? tr->kinds : tr->t.format->kinds;
	int err;

	tr->t.symbols = montecito_symbols_load(program);
	err = trace_find_moment(tr, program, "--from", tr->from_text, &tr->from);
	if (!err)
		err = trace_find_moment(tr, program, "--to", tr->to_text, &tr->to);
	if (!err)
		err = trace_read_causes(tr);
	if (err)
		return err;
	if (tr->args.timing) {
		/* The window is one of groups, whatever is shown of it. */
		kinds |= 1U << MONTECITO_TRACE_ISSUE | 1U << MONTECITO_TRACE_RETIRE;
	} else if (tr->from.set || tr->to.set) {
		return fail("trace: --from and --to need --timing=on");
	} else if (!tr->kinds) {
		kinds &= ~(TRACE_GROUPS | 1U << MONTECITO_TRACE_DISPERSE);
	}
	err = montecito_ring_open(tr->m, 0, RING_ORDER, 0);
	if (err)
		return fail("cannot make a ring: %s", strerror(-err));
	err = montecito_trace(tr->m, 0, kinds);
	if (err == -EOPNOTSUPP && !tr->args.timing)
		return fail("trace -e: of these kinds some need --timing=on");
	if (err)
		return fail("cannot trace: %s", strerror(-err));
	tr->t.f = tr->path ? fopen(tr->path, "we") : stderr;
	if (!tr->t.f)
		return fail("-o %s: %s", tr->path, strerror(errno));
	if (tr->t.format->begin)
		tr->t.format->begin(&tr->t);
	return 0;
}

static int trace_finish(struct tracing *tr)
{
	uint64_t lost = montecito_ring_lost(tr->m, 0);
	int err = trace_drain(tr->m, tr);

	if (!err && tr->t.format->end)
		err = tr->t.format->end(&tr->t);
	if (ferror(tr->t.f) && !err)
		err = -EIO;
	if (tr->path ? fclose(tr->t.f) : fflush(tr->t.f))
		err = err ? err : -errno;
	if (err)
		return fail("%s%s: %s", tr->path ? "-o " : "", tr->path ? tr->path : "trace",
			    strerror(-err));
	if (lost)
		return fail("trace: %" PRIu64 " events were lost", lost);
	if (!tr->begun && tr->from.set)
		return fail("--from %s: not reached in %" PRIu64 " instructions, nothing is shown",
			    tr->from_text, tr->insns);
	return 0;
}

static int trace_run(struct tracing *tr, const char *program, int *status)
{
	const char *stopped;
	int err = trace_start(tr, program);

	if (err)
		return err;
	montecito_process_tick(tr->t.process, SLICE, trace_drain, tr);
	err = program_measure(tr->t.process, status, &stopped);
	return err | trace_finish(tr);
}

int cmd_trace(int argc, char **argv)
{
	struct tracing *tr = calloc(1, sizeof(*tr));
	int err, status = 0;

	if (!tr)
		return fail("out of memory");
	tr->t.format = &trace_timeline;
	machine_args_init(&tr->args);
	tr->args.timed = true;
	err = trace_parse(tr, argc, argv);
	if (!err)
		err = machine_open(&tr->args, PROGRAM_CONFIG, &tr->m);
	if (!err)
		err = program_load(&tr->args, tr->m, argv + optind, &tr->t.process);
	if (!err && tr->args.programs > 1)
		err = fail("trace: one program, not %u", tr->args.programs);
	if (!err)
		err = trace_run(tr, argv[optind], &status);
	montecito_process_free(tr->t.process);
	montecito_close(tr->m);
	montecito_symbols_free(tr->t.symbols);
	machine_args_free(&tr->args);
	free(tr->t.cause);
	free(tr->t.state);
	free(tr);
	return err ? err : status;
}
