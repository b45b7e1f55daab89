// SPDX-License-Identifier: GPL-2.0-only
/*
 * Completions of a word of the command line: the scripts for bash, zsh and fish all call
 * this command, and the options are those of --help.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "metric.h"
#include "montctl.h"
#include "pmu_event.h"
#include "pmu_kinds.h"
#include "pmu_registers.h"
#include "samples.h"
#include "trace.h"

/**
 * struct line - the command line
 * @word: words behind "montctl"
 * @nr: how many
 * @at: the one that is completed
 * @cur: it
 */
struct line {
	char **word;
	int nr;
	int at;
	const char *cur;
};

/* @prefix, of @len bytes, and @word, if the whole begins with what is there. */
static void complete_offer(const struct line *l, const char *prefix, size_t len, const char *word)
{
	if (strlen(l->cur) >= len && !strncasecmp(word, l->cur + len, strlen(l->cur + len)))
		printf("%.*s%s\n", (int)len, prefix, word);
}

static void complete_offer_all(const struct line *l, const char *prefix, size_t len,
			       const char *const *words)
{
	for (; *words; words++)
		complete_offer(l, prefix, len, *words);
}

static bool complete_is(const char *word, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(word, *list))
			return true;
	return false;
}

static void complete_offer_functions(const struct line *l, size_t len,
				     struct montecito_symbols *sym)
{
	const char *name;
	uint64_t addr, size;
	size_t i;

	for (i = 0; sym && (name = montecito_symbols_at(sym, i, &addr, &size)); i++)
		complete_offer(l, l->cur, len, name);
	montecito_symbols_free(sym);
}

/* Functions of the first word of the line that is a program with functions. */
static void complete_program_functions(const struct line *l, size_t len)
{
	struct montecito_symbols *sym;
	uint64_t addr, size;
	int i;

	for (i = 1; i < l->nr; i++) {
		if (i == l->at || *l->word[i] == '-' || access(l->word[i], R_OK))
			continue;
		sym = montecito_symbols_load(l->word[i]);
		if (sym && montecito_symbols_at(sym, 0, &addr, &size)) {
			complete_offer_functions(l, len, sym);
			return;
		}
		montecito_symbols_free(sym);
	}
}

/* The recording that -i names, else the default one; silent if it is none. */
static bool complete_recording(const struct line *l, struct samples *s)
{
	const char *path = SAMPLES_FILE;
	FILE *f;
	char head[64] = "";
	int i;

	for (i = 1; i + 1 < l->nr; i++)
		if (!strcmp(l->word[i], "-i"))
			path = l->word[i + 1];
	f = fopen(path, "re");
	if (!f)
		return false;
	if (!fgets(head, sizeof(head), f) || !strstr(head, SAMPLES_FORMAT))
		*head = '\0';
	fclose(f);
	return *head && !samples_open(s, path);
}

static void complete_recorded_functions(const struct line *l)
{
	struct samples s;

	if (!complete_recording(l, &s))
		return;
	complete_offer_functions(l, 0, samples_symbols(&s));
	samples_close(&s);
}

static void complete_recorded_events(const struct line *l)
{
	struct samples s;
	size_t i;

	if (!complete_recording(l, &s))
		return;
	for (i = 0; i < s.nr; i++)
		complete_offer(l, "", 0, s.event[i]);
	samples_close(&s);
}

/* EVENT[:MODIFIER...], the last of a list. */
static void complete_events(const struct line *l)
{
	static const char *const modifiers[] = { "u",	 "k",	 "t=",	  "all",
						 "iar=", "dar=", "opc=@", NULL };
	static const char *const trace_modifiers[] = { "ds=", "tm=", "ptm=", "ppm=", "brt=", NULL };
	const char *event = strrchr(l->cur, ','), *group = strrchr(l->cur, '{'), *modifier;
	struct montecito_event_info e = { .size = sizeof(e) };
	const struct montecito_preset *p;
	size_t i, len;

	if (!event || (group && group > event))
		event = group;
	event = event ? event + 1 : l->cur;
	modifier = strrchr(event, ':');
	if (!modifier) {
		for (i = 0; !event_any(i, &e); i++)
			complete_offer(l, l->cur, event - l->cur, e.name);
		return;
	}
	len = modifier + 1 - l->cur;
	if (!strncmp(modifier, ":opc=@", 6)) {
		for (i = 0; (p = montecito_preset_get(i)); i++)
			complete_offer(l, l->cur, len + 5, p->name);
	} else if (!strncmp(modifier, ":iar=", 5)) {
		complete_program_functions(l, len + 4);
	} else {
		complete_offer_all(l, l->cur, len, modifiers);
		if (!strncasecmp(event, "DATA_EAR_EVENTS:", 16))
			complete_offer(l, l->cur, len, "lat=");
		if (!strncasecmp(event, "L1I_EAR_EVENTS:", 15))
			complete_offer(l, l->cur, len, "lat=");
		if (!strncasecmp(event, "ETB_EVENT:", 10))
			complete_offer_all(l, l->cur, len, trace_modifiers);
		if (!strcmp(l->word[0], "record") || !strcmp(l->word[0], "boot"))
			complete_offer(l, l->cur, len, "period=");
	}
}

static struct montecito *complete_smallest_machine(uint32_t timing)
{
	struct montecito_options opt = {
		.size = sizeof(opt), .cores = 1, .threads = 1, .timing = timing
	};
	struct montecito_info info;
	struct montecito *m;

	if (montecito_info(NULL, &info))
		return NULL;
	opt.memory = info.min_memory;
	return montecito_open(&opt, &m) ? NULL : m;
}

static const char *const pmu_kind_words[] = { "merced", "pebs", "ev68a", NULL };

/* The kind of --pmu that stands before the word, or 0. */
static uint32_t complete_pmu_before(const struct line *l)
{
	int i;

	for (i = l->at - 1; i > 0; i--)
		if (!strcmp(l->word[i - 1], "--pmu"))
			return pmu_kind_named(l->word[i]);
	return 0;
}

/* NAME[:MODIFIER...] of another processor's PMU, the last of a list. */
static void complete_pmu_events_of(const struct line *l, uint32_t kind)
{
	static const char *const modifiers[][10] = {
		[MONTECITO_PMU_MERCED] = { "u", "k",
					   "plm=", "pm=", "t=", "iar=", "dar=", "pmc8=", "pmc9=" },
		[MONTECITO_PMU_PEBS] = { "u", "k", "plm=", "ldlat=" },
		[MONTECITO_PMU_EV68A] = { "mode=" },
	};
	struct montecito_pmu_describe d = { .flags = MONTECITO_PMU_EVENT, .kind = kind };
	const char *event = strrchr(l->cur, ','), *modifier, *alias;
	struct montecito *m;
	size_t i;

	event = event ? event + 1 : l->cur;
	modifier = strrchr(event, ':');
	if (modifier) {
		complete_offer_all(l, l->cur, modifier + 1 - l->cur, modifiers[kind]);
		if (!strcmp(l->word[0], "record"))
			complete_offer(l, l->cur, modifier + 1 - l->cur, "period=");
		return;
	}
	for (i = 0; (alias = pmu_event_alias(pmu_program(kind), i)); i++)
		complete_offer(l, l->cur, event - l->cur, alias);
	m = complete_smallest_machine(0);
	for (; m && !montecito_pmu_describe(m, 0, &d); d.index++)
		if (!d.why[0])
			complete_offer(l, l->cur, event - l->cur, d.name);
	montecito_close(m);
}

static int complete_describe(void *arg, struct montecito_pmu_describe *d)
{
	return montecito_pmu_describe(arg, 0, d);
}

/* A kind of PMU, then its registers. */
static void complete_pmu_words(const struct line *l)
{
	struct montecito *m = complete_smallest_machine(0);
	struct pmu_named r;
	uint32_t kind = 0;
	unsigned int i;
	int w;

	for (w = 1; w < l->at && !kind; w++)
		kind = pmu_kind_named(l->word[w]);
	if (!kind)
		complete_offer_all(l, "", 0, pmu_kind_words);
	for (i = 0; kind && m && pmu_register(complete_describe, m, kind, i, &r); i++)
		complete_offer(l, "", 0, r.name);
	montecito_close(m);
}

/* The last of a list of kinds of a trace. */
static void complete_trace_kinds(const struct line *l)
{
	const char *last = strrchr(l->cur, ',');
	uint32_t i;

	for (i = 0; i < MONTECITO_NR_TRACE; i++)
		complete_offer(l, l->cur, last ? last + 1 - l->cur : 0, trace_kind(i));
}

/* The last of a list of metrics. */
static void complete_metrics(const struct line *l)
{
	const char *last = strrchr(l->cur, ',');
	const struct metric *m;
	size_t i;

	for (i = 0; (m = metric_get(i)); i++)
		complete_offer(l, l->cur, last ? last + 1 - l->cur : 0, m->name);
}

/* The last of a list of causes of lost cycles that can be left out. */
static void complete_causes(const struct line *l, size_t len)
{
	struct montecito_param p = { .size = sizeof(p), .name = "stall.free" };
	struct montecito *m = complete_smallest_machine(MONTECITO_TIMING_ON);
	const char *last = strrchr(l->cur + len, ',');
	struct breakdown b = { 0 };
	uint32_t i;

	len = last ? (size_t)(last + 1 - l->cur) : len;
	if (m && !montecito_param_get(m, &p) && !breakdown_read(&b, m)) {
		complete_offer(l, l->cur, len, "each");
		for (i = 0; i < b.sum.count; i++)
			if (p.most >> i & 1)
				complete_offer(l, l->cur, len, b.cause[i].name);
	}
	breakdown_free(&b);
	montecito_close(m);
}

static void complete_params(const struct line *l)
{
	struct montecito_param p = { .flags = MONTECITO_PARAM_BY_INDEX };
	struct montecito *m = complete_smallest_machine(0);
	char text[MONTECITO_NAME_LEN + 1];

	if (!m)
		return;
	for (; !montecito_param_get(m, &p); p.index++) {
		if (p.least >= p.most)
			continue;
		snprintf(text, sizeof(text), "%s=", p.name);
		complete_offer(l, "", 0, text);
	}
	montecito_close(m);
}

/* The options that "montctl COMMAND --help" tells of. */
static void complete_help_options(const struct line *l)
{
	char text[256], *at;
	int fd[2], status;
	pid_t pid;
	FILE *f;

	if (pipe(fd))
		return;
	fflush(stdout);
	pid = fork();
	if (!pid) {
		dup2(fd[1], STDOUT_FILENO);
		close(fd[0]);
		close(fd[1]);
		execl("/proc/self/exe", "montctl", l->word[0], "--help", (char *)NULL);
		_exit(127);
	}
	close(fd[1]);
	f = pid > 0 ? fdopen(fd[0], "r") : NULL;
	if (!f) {
		close(fd[0]);
		return;
	}
	while (fgets(text, sizeof(text), f)) {
		char *first = text + strspn(text, " [");
		bool usage = !strncmp(text, "Usage:", 6);

		if (!usage && (*first != '-' || first == text))
			continue;
		/* The description follows behind two spaces. */
		at = usage ? NULL : strstr(first, "  ");
		if (at)
			*at = '\0';
		for (at = strpbrk(text, "-"); at; at = strpbrk(at, "-")) {
			size_t len = 1 + strspn(at + 1, "-abcdefghijklmnopqrstuvwxyz0123456789");

			if ((at == text || strchr(" [|", at[-1])) && len > 1 &&
			    !isupper((unsigned char)at[1])) {
				char save = at[len];

				at[len] = '\0';
				complete_offer(l, "", 0, at);
				at[len] = save;
			}
			at += len;
		}
	}
	fclose(f);
	waitpid(pid, &status, 0);
	complete_offer(l, "", 0, "--help");
}

/* Complete the argument of option @opt, @len bytes into the word: true if @opt is known. */
static bool complete_argument(const struct line *l, const char *opt, size_t len)
{
	static const char *const switches[] = { "--timing", "--alat", NULL };
	static const char *const counts[] = { "--cores", "--threads", NULL };
	static const char *const functions[] = { "--time-from", "--time-to", "--from", "--to",
						 NULL };
	static const char *const traces[] = { "timeline",   "list",   "konata",
					      "o3pipeview", "chrome", NULL };
	static const char *const on_off[] = { "on", "off", NULL };
	static const char *const few[] = { "1", "2", NULL };
	static const char *const pages[] = { "4K", "8K", "16K", "64K", NULL };
	static const char *const others[] = {
		"--memory", "--budget", "--env", "--argv0", "--address", "--min", "-c",
		"-n",	    "-F",	"-p",	 "-r",	    "-x",	 "-I",	  "--thread-slice",
		"--for",    NULL
	};

	if (complete_is(opt, switches))
		complete_offer_all(l, l->cur, len, on_off);
	else if (complete_is(opt, counts))
		complete_offer_all(l, l->cur, len, few);
	else if (!strcmp(opt, "--page-size"))
		complete_offer_all(l, l->cur, len, pages);
	else if (!strcmp(opt, "--pmu"))
		complete_offer_all(l, l->cur, len, pmu_kind_words);
	else if (!strcmp(opt, "--format"))
		complete_offer_all(l, l->cur, len, traces);
	else if (!strcmp(opt, "--what-if"))
		complete_causes(l, len);
	else if (complete_is(opt, functions))
		complete_program_functions(l, len);
	else
		return complete_is(opt, others);
	return true;
}

static bool complete_behind_option(const struct line *l)
{
	const char *cmd = l->word[0], *prev = l->word[l->at - 1], *value = strchr(l->cur, '=');
	char opt[32];

	if (!strncmp(l->cur, "--", 2) && value && value - l->cur < (int)sizeof(opt)) {
		snprintf(opt, sizeof(opt), "%.*s", (int)(value - l->cur), l->cur);
		return complete_argument(l, opt, value + 1 - l->cur);
	}
	if (l->at < 2)
		return false;
	if (!strcmp(prev, "-e")) {
		if (!strcmp(cmd, "annotate"))
			complete_recorded_events(l);
		else if (!strcmp(cmd, "trace"))
			complete_trace_kinds(l);
		else if (complete_pmu_before(l))
			complete_pmu_events_of(l, complete_pmu_before(l));
		else
			complete_events(l);
		return true;
	}
	if (!strcmp(prev, "-M")) {
		complete_metrics(l);
		return true;
	}
	if (!strcmp(prev, "--param")) {
		complete_params(l);
		return true;
	}
	return complete_argument(l, prev, 0);
}

static void complete_commands(const struct line *l, bool options)
{
	const struct command *c;
	size_t i;

	for (i = 0; (c = command_get(i)); i++)
		complete_offer(l, "", 0, c->name);
	if (!options)
		return;
	complete_offer(l, "", 0, "help");
	complete_offer(l, "", 0, "--help");
	complete_offer(l, "", 0, "--version");
}

int cmd_complete(int argc, char **argv)
{
	static const char *const access[] = { "get", "set", NULL };
	static const char *const calls[] = { "perf-mon-info", "call", NULL };
	struct line l = { .word = argv + 1, .nr = argc - 1 };
	const char *cmd;
	uint64_t at;

	if (argc < 2 || parse_number(argv[0], &at) || at >= (uint64_t)l.nr)
		return EXIT_MONTCTL;
	l.at = at;
	l.cur = l.word[at];
	cmd = l.word[0];
	if (!l.at) {
		complete_commands(&l, true);
		return 0;
	}
	if (!strcmp(cmd, "help")) {
		complete_commands(&l, false);
		return 0;
	}
	if (complete_behind_option(&l))
		return 0;
	if (*l.cur == '-')
		complete_help_options(&l);
	else if (!strcmp(cmd, "annotate"))
		complete_recorded_functions(&l);
	else if ((!strcmp(cmd, "pmc") || !strcmp(cmd, "pmd") || !strcmp(cmd, "pmu")) && l.at == 1)
		complete_offer_all(&l, "", 0, access);
	else if (!strcmp(cmd, "pmu"))
		complete_pmu_words(&l);
	else if (!strcmp(cmd, "pal") && l.at == 1)
		complete_offer_all(&l, "", 0, calls);
	else if (!strcmp(cmd, "events") || !strcmp(cmd, "explain"))
		complete_events(&l);
	return 0;
}
