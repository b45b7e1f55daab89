// SPDX-License-Identifier: GPL-2.0-only
/* montctl top: what the machines of the module are doing, again and again. */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "breakdown.h"
#include "montctl.h"
#include "terminal.h"

static const char help[] =
	"Usage: montctl top [-d SECONDS] [-n COUNT] [-j] [-p PID | MACHINE]\n\n"
	"Show the vcpus of running machines that the caller may see, the fastest first: host\n"
	"speed, and with the timing model instructions a cycle and what most cycles of the last\n"
	"interval were lost to. Ctrl-C ends it.\n\n"
	"  -d SECONDS    from one look to the next (default: 2)\n"
	"  -n COUNT      so many looks (default: no end)\n"
	"  -j, --json    one JSON object on one line for each look\n"
	"  -p PID        the machine of this process alone\n";

static const struct option options[] = {
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

/* A vcpu at one look. */
struct seen {
	uint32_t machine;
	uint32_t vcpu;
	uint64_t insns;
	uint64_t cycles;
	uint64_t ip;
	bool halted;
	bool known; /* its cycles by cause */
	struct breakdown breakdown;
	/* since the look before; negative: there was none */
	double rate;
	double ipc;
	int worst; /* bar that most lost cycles are in, or -1 */
	double lost; /* their share */
};

struct look {
	struct seen *seen;
	size_t nr;
	struct timespec at;
};

struct top {
	struct montecito_nl *nl;
	bool json;
	bool one;
	uint64_t machine;
	struct look now;
	struct look before;
	int err;
};

static int top_on_vcpu(const struct montecito_nl_vcpu *v, void *arg)
{
	struct top *t = arg;
	struct seen *p;

	if (t->one && v->machine != t->machine)
		return 0;
	p = realloc(t->now.seen, (t->now.nr + 1) * sizeof(*p));
	if (!p)
		return -ENOMEM;
	t->now.seen = p;
	p[t->now.nr++] = (struct seen){
		.machine = v->machine,
		.vcpu = v->vcpu,
		.insns = v->insns,
		.cycles = v->cycles,
		.ip = v->ip,
		.halted = v->halted,
		.rate = -1,
		.worst = -1,
	};
	return 0;
}

static double top_seconds(const struct timespec *a, const struct timespec *b)
{
	return (double)(b->tv_sec - a->tv_sec) + (double)(b->tv_nsec - a->tv_nsec) / 1e9;
}

/* Compute the difference of @s since the look before. */
static void top_compare(struct seen *s, const struct seen *old, double time)
{
	struct breakdown b = s->breakdown;
	uint64_t all, bar;
	int i;

	s->rate = (double)(s->insns - old->insns) / time;
	if (!s->known || !old->known || s->cycles == old->cycles)
		return;
	/* Cycles without the timing model are issue groups: no measure of speed. */
	if (b.sum.functional != old->breakdown.sum.functional)
		return;
	s->ipc = (double)(s->insns - old->insns) / (double)(s->cycles - old->cycles);
	all = b.sum.cycles - old->breakdown.sum.cycles;
	for (i = 0; i < NR_BARS; i++) {
		bar = b.bar[i] - old->breakdown.bar[i];
		if (i == MONTECITO_BAR_UNSTALLED || !all || (double)bar / (double)all <= s->lost)
			continue;
		s->worst = i;
		s->lost = (double)bar / (double)all;
	}
}

static int top_by_rate(const void *pa, const void *pb)
{
	const struct seen *a = pa, *b = pb;

	if (a->rate != b->rate)
		return a->rate > b->rate ? -1 : 1;
	if (a->machine != b->machine)
		return a->machine < b->machine ? -1 : 1;
	return (a->vcpu > b->vcpu) - (a->vcpu < b->vcpu);
}

static void top_forget(struct look *l)
{
	size_t i;

	for (i = 0; i < l->nr; i++)
		breakdown_free(&l->seen[i].breakdown);
	free(l->seen);
	*l = (struct look){ 0 };
}

static int top_look(struct top *t)
{
	struct seen *s, *old;
	int err;

	top_forget(&t->before);
	t->before = t->now;
	t->now = (struct look){ 0 };
	clock_gettime(CLOCK_MONOTONIC, &t->now.at);
	err = montecito_nl_vcpus(t->nl, top_on_vcpu, t);
	for (s = t->now.seen; !err && s < t->now.seen + t->now.nr; s++) {
		s->known = !breakdown_read_nl(&s->breakdown, t->nl, s->machine, s->vcpu) &&
			   s->breakdown.sum.count;
		for (old = t->before.seen; old < t->before.seen + t->before.nr; old++)
			if (old->machine == s->machine && old->vcpu == s->vcpu)
				top_compare(s, old, top_seconds(&t->before.at, &t->now.at));
	}
	if (!err && t->now.nr)
		qsort(t->now.seen, t->now.nr, sizeof(*t->now.seen), top_by_rate);
	return err;
}

static void top_print_json(const struct top *t)
{
	struct json_object *top = json_object_new_object(), *list = json_object_new_array();
	const struct seen *s;

	for (s = t->now.seen; s < t->now.seen + t->now.nr; s++) {
		struct json_object *o = json_object_new_object();

		json_object_object_add(o, "machine", json_object_new_int64(s->machine));
		json_object_object_add(o, "vcpu", json_object_new_int64(s->vcpu));
		json_object_object_add(o, "instructions", json_object_new_uint64(s->insns));
		json_object_object_add(o, "cycles", json_object_new_uint64(s->cycles));
		json_object_object_add(o, "per_second",
				       s->rate < 0 ? NULL : json_object_new_double(s->rate));
		json_object_object_add(o, "ipc",
				       s->ipc > 0 ? json_object_new_double(s->ipc) : NULL);
		json_object_object_add(
			o, "lost_to",
			s->worst < 0 ? NULL : json_object_new_string(breakdown_name(s->worst)));
		json_object_object_add(o, "lost", json_object_new_double(s->lost));
		json_object_object_add(o, "halted", json_object_new_boolean(s->halted));
		json_object_array_add(list, o);
	}
	json_object_object_add(top, "vcpus", list);
	print_object(stdout, top);
}

static void top_print_text(const struct top *t)
{
	unsigned int width = terminal_width(stdout);
	const struct seen *s;
	char title[96], line[256];

	if (width)
		fputs("\033[H\033[J", stdout);
	printf("%s%8s %4s %10s %6s %-18s %s%s\n", terminal_paint(stdout, PAINT_HEAD), "machine",
	       "vcpu", "M insns/s", "ipc", "ip", "lost most to",
	       terminal_paint(stdout, PAINT_NONE));
	for (s = t->now.seen; s < t->now.seen + t->now.nr; s++) {
		char rate[16] = "", ipc[16] = "";

		*title = '\0';
		if (s->rate >= 0)
			snprintf(rate, sizeof(rate), "%.2f", s->rate / 1e6);
		if (s->ipc > 0)
			snprintf(ipc, sizeof(ipc), "%.2f", s->ipc);
		if (s->worst >= 0)
			snprintf(title, sizeof(title), "%.0f%% %s", 100 * s->lost,
				 breakdown_title(s->worst));
		snprintf(line, sizeof(line), "%8u %4u %10s %6s 0x%016" PRIx64 " %s", s->machine,
			 s->vcpu, rate, ipc, s->ip, s->halted ? "halted" : title);
		printf("%.*s\n", width ? (int)width : (int)strlen(line), line);
	}
	if (!t->now.nr)
		puts("no machine runs that can be seen from here");
	fflush(stdout);
}

static int top_watch(struct top *t, double delay, uint64_t count)
{
	const struct timespec wait = { (time_t)delay,
				       (long)((delay - (double)(time_t)delay) * 1e9) };
	uint64_t n;
	int err = top_look(t);

	/* The first look has nothing before it to compare with. */
	for (n = 0; !err && (!count || n < count) && !ferror(stdout); n++) {
		nanosleep(&wait, NULL);
		err = top_look(t);
		if (!err)
			(t->json ? top_print_json : top_print_text)(t);
	}
	if (err)
		fail("top: %s", nl_error(t->nl, err));
	top_forget(&t->now);
	top_forget(&t->before);
	return err ? EXIT_MONTCTL : 0;
}

int cmd_top(int argc, char **argv)
{
	uint64_t pid = 0, count = 0;
	struct top t = { 0 };
	double delay = 2;
	char *end;
	int opt, err;

	while ((opt = getopt_long(argc, argv, ":d:n:p:jh", options, NULL)) != -1) {
		switch (opt) {
		case 'h':
			fputs(help, stdout);
			return 0;
		case 'j':
			t.json = true;
			break;
		case 'd':
			delay = strtod(optarg, &end);
			if (end == optarg || *end || !(delay >= 0.01 && delay <= 86400))
				return usage_error("top", "-d %s: must be 0.01 to 86400 seconds",
						   optarg);
			break;
		case 'n':
			if (parse_number(optarg, &count) || !count)
				return usage_error("top", "-n %s: not a number of looks", optarg);
			break;
		case 'p':
			if (parse_number(optarg, &pid) || !pid)
				return usage_error("top", "-p %s: not a process", optarg);
			break;
		default:
			return bad_option("top", argv, opt, options);
		}
	}
	if (optind < argc && (pid || argc - optind > 1))
		return usage_error("top", "give one of -p PID and MACHINE");
	if (optind < argc && parse_number(argv[optind], &t.machine))
		return usage_error("top", "%s: not the number of a machine", argv[optind]);
	t.one = pid || optind < argc;
	err = montecito_nl_open(&t.nl);
	if (err)
		return fail("netlink family montecito: %s",
			    err == -ENOENT ? "the module is not loaded" : strerror(-err));
	err = pid ? machine_of_pid(t.nl, pid, &t.machine) : 0;
	if (!err)
		err = top_watch(&t, delay, count);
	montecito_nl_close(t.nl);
	return err;
}
