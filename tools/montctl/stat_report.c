// SPDX-License-Identifier: GPL-2.0-only
/* montctl stat: the report of a run, as text, JSON, fields apart by a separator. */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stat.h"
#include "terminal.h"

#define BRANCHES "BR_MISPRED_DETAIL.ALL.ALL_PRED"
#define WRONG_PATH "BR_MISPRED_DETAIL.ALL.WRONG_PATH"
#define WRONG_TARGET "BR_MISPRED_DETAIL.ALL.WRONG_TARGET"

static double stat_report_ipc(const struct counting *s)
{
	return s->cycles ? (double)s->insns / (double)s->cycles : 0;
}

static struct json_object *stat_report_ipc_json(const struct counting *s)
{
	char text[32];

	snprintf(text, sizeof(text), "%.4f", stat_report_ipc(s));
	return json_object_new_double_s(stat_report_ipc(s), text);
}

/* Values of the metrics, of all vcpus. */
static double *stat_report_metric_values(const struct counting *s)
{
	double *count = calloc(s->nr + 1, sizeof(*count));
	double *value = calloc(s->metrics.nr + 1, sizeof(*value));
	size_t i;

	for (i = 0; count && i < s->nr; i++)
		count[i] = (double)stat_total(s, i);
	for (i = 0; count && value && i < s->metrics.nr; i++)
		value[i] = metric_value(s->metrics.metric[i], s->specs, s->nr, count);
	free(count);
	return value;
}

static struct json_object *stat_report_number_json(double v)
{
	char text[32];

	if (isnan(v))
		return NULL;
	snprintf(text, sizeof(text), "%.6g", v);
	return json_object_new_double_s(v, text);
}

static struct json_object *stat_report_metrics_json(const struct counting *s)
{
	struct json_object *list = json_object_new_array();
	double *value = stat_report_metric_values(s);
	size_t i;

	for (i = 0; value && i < s->metrics.nr; i++) {
		struct json_object *o = json_object_new_object();

		json_object_object_add(o, "metric",
				       json_object_new_string(s->metrics.metric[i]->name));
		json_object_object_add(o, "value", stat_report_number_json(value[i]));
		json_object_array_add(list, o);
	}
	free(value);
	return list;
}

/* @n of the cycles that the vcpu's core has been awake or asleep for, in per cent. */
static double stat_report_of_core(const struct vcpu_share *v, uint64_t n)
{
	uint64_t core = v->cycles + v->behind;

	return core ? 100.0 * (double)n / (double)core : 0;
}

static struct json_object *stat_report_switches_json(const uint64_t switched[STAT_NR_SWITCHES])
{
	struct json_object *o = json_object_new_object();
	unsigned int i;

	for (i = 0; i < STAT_NR_SWITCHES; i++)
		json_object_object_add(o, stat_switch[i].name, json_object_new_uint64(switched[i]));
	return o;
}

/* Switches by cause, of all vcpus. */
static void stat_report_all_switches(const struct counting *s, uint64_t sum[STAT_NR_SWITCHES])
{
	unsigned int v, i;

	memset(sum, 0, STAT_NR_SWITCHES * sizeof(*sum));
	for (v = 0; v < montecito_nr_vcpus(s->m); v++)
		for (i = 0; i < STAT_NR_SWITCHES; i++)
			sum[i] += s->vcpu[v].switched[i];
}

static struct json_object *stat_report_shares_json(const struct counting *s)
{
	struct json_object *list = json_object_new_array();
	unsigned int i;

	for (i = 0; i < montecito_nr_vcpus(s->m); i++) {
		const struct vcpu_share *v = &s->vcpu[i];
		struct json_object *o = json_object_new_object();

		json_object_object_add(o, "vcpu", json_object_new_int(i));
		json_object_object_add(o, "cycles", json_object_new_uint64(v->cycles));
		json_object_object_add(o, "instructions", json_object_new_uint64(v->insns));
		json_object_object_add(o, "in_background", json_object_new_uint64(v->behind));
		json_object_object_add(o, "share",
				       json_object_new_double(stat_report_of_core(v, v->cycles)));
		if (s->switch_id)
			json_object_object_add(o, "switches",
					       stat_report_switches_json(v->switched));
		json_object_object_add(o, "breakdown", breakdown_json(&v->breakdown));
		json_object_array_add(list, o);
	}
	return list;
}

/* Print the part of its core that each vcpu had. */
static void stat_report_text_shares(const struct counting *s, FILE *f)
{
	char buf[2][32];
	unsigned int i;

	fprintf(f, " %20s %20s %6s %7s\n", "cycles in front", "in the background", "share", "IPC");
	for (i = 0; i < montecito_nr_vcpus(s->m); i++) {
		const struct vcpu_share *v = &s->vcpu[i];
		double ipc = v->cycles ? (double)v->insns / (double)v->cycles : 0;

		fprintf(f, " %20s %20s %5.1f%% %7.2f  vcpu %u\n", grouped(v->cycles, f, buf[0]),
			grouped(v->behind, f, buf[1]), stat_report_of_core(v, v->cycles), ipc, i);
	}
}

static void stat_report_text_switched(const uint64_t switched[STAT_NR_SWITCHES], FILE *f)
{
	char buf[32];
	unsigned int i;

	for (i = 0; i < STAT_NR_SWITCHES; i++)
		fprintf(f, " %15s", grouped(switched[i], f, buf));
}

/* Print why threads have handed their core over, and how often. */
static void stat_report_text_switches(const struct counting *s, FILE *f)
{
	uint64_t sum[STAT_NR_SWITCHES];
	unsigned int v, i;

	if (!s->switch_id)
		return;
	fputs("\n switches by", f);
	for (i = 0; i < STAT_NR_SWITCHES; i++)
		fprintf(f, " %*s", i ? 15 : 3, stat_switch[i].title);
	fputc('\n', f);
	for (v = 0; v < montecito_nr_vcpus(s->m); v++) {
		stat_report_text_switched(s->vcpu[v].switched, f);
		fprintf(f, "  vcpu %u\n", v);
	}
	stat_report_all_switches(s, sum);
	stat_report_text_switched(sum, f);
	fputs("  in all\n", f);
}

struct json_object *stat_json(const struct counting *s)
{
	struct json_object *top = json_object_new_object();
	struct json_object *events = json_object_new_array();
	unsigned int nr_vcpus = montecito_nr_vcpus(s->m), v;
	uint64_t switched[STAT_NR_SWITCHES];
	size_t i;

	json_object_object_add(top, "program", json_object_new_string(s->program));
	/* A machine that another process runs has its exit status there. */
	json_object_object_add(top, "status", s->running ? NULL : json_object_new_int(s->status));
	json_object_object_add(top, "stopped",
			       s->stopped ? json_object_new_string(s->stopped) : NULL);
	json_object_object_add(top, "timing",
			       json_object_new_string(s->args.timing ? "on" : "off"));
	json_object_object_add(top, "region", region_json(&s->region));
	json_object_object_add(top, "cycles",
			       s->args.timing ? json_object_new_uint64(s->cycles) : NULL);
	json_object_object_add(top, "instructions", json_object_new_uint64(s->insns));
	json_object_object_add(top, "ipc", s->args.timing ? stat_report_ipc_json(s) : NULL);
	json_object_object_add(top, "breakdown",
			       s->args.timing ? breakdown_json(&s->breakdown) : NULL);
	json_object_object_add(top, "vcpus", json_object_new_int(nr_vcpus));
	if (nr_vcpus > 1 && s->args.timing && !s->region.given)
		json_object_object_add(top, "shares", stat_report_shares_json(s));
	if (s->switch_id && !s->region.given) {
		stat_report_all_switches(s, switched);
		json_object_object_add(top, "switches", stat_report_switches_json(switched));
	}
	for (i = 0; i < s->nr; i++) {
		struct json_object *e = json_object_new_object();

		json_object_object_add(e, "event", json_object_new_string(s->specs[i].text));
		json_object_object_add(e, "name", json_object_new_string(s->specs[i].name));
		json_object_object_add(e, "count", json_object_new_uint64(stat_total(s, i)));
		if (nr_vcpus > 1) {
			struct json_object *a = json_object_new_array();

			for (v = 0; v < nr_vcpus; v++)
				json_object_array_add(
					a, json_object_new_uint64(s->count[v * s->nr + i]));
			json_object_object_add(e, "per_vcpu", a);
		}
		json_object_array_add(events, e);
	}
	json_object_object_add(top, "events", events);
	if (s->pmu.nr)
		json_object_object_add(top, "pmu_events", pmu_count_json(&s->pmu));
	if (s->metrics.nr)
		json_object_object_add(top, "metrics", stat_report_metrics_json(s));
	if (s->interval.table.cols)
		json_object_object_add(top, "intervals", table_json(&s->interval.table));
	return top;
}

/* One of the events that are counted without -e; -1 if it is not among them. */
static ssize_t stat_report_default_event(const struct counting *s, const char *name)
{
	size_t i;

	for (i = 0; !s->chosen && i < s->nr; i++)
		if (!strcmp(s->specs[i].name, name))
			return (ssize_t)i;
	return -1;
}

/* Mispredicted branches beside all. */
static void stat_report_text_branches(const struct counting *s, FILE *f)
{
	uint64_t n = stat_total(s, (size_t)stat_report_default_event(s, BRANCHES));
	uint64_t p = stat_total(s, (size_t)stat_report_default_event(s, WRONG_PATH));
	uint64_t t = stat_total(s, (size_t)stat_report_default_event(s, WRONG_TARGET));
	char buf[2][32], value[72];

	snprintf(value, sizeof(value), "%s + %s", grouped(p, f, buf[0]), grouped(t, f, buf[1]));
	fprintf(f, " %20s  of %s branches (%.2f %%): wrong path, wrong target\n", value,
		grouped(n, f, buf[0]), n ? 100.0 * (double)(p + t) / (double)n : 0.0);
}

static void stat_report_text_event(const struct counting *s, size_t i, FILE *f)
{
	unsigned int nr_vcpus = montecito_nr_vcpus(s->m), v;
	const char *mod = strchr(s->specs[i].text, ':');
	char safe[256], buf[32];

	fprintf(f, " %20s  %s%s\n", grouped(stat_total(s, i), f, buf), s->specs[i].name,
		mod ? plain(mod, safe, sizeof(safe)) : "");
	for (v = 0; nr_vcpus > 1 && v < nr_vcpus; v++)
		fprintf(f, " %20s    vcpu %u\n", grouped(s->count[v * s->nr + i], f, buf), v);
}

static void stat_report_text_metrics(const struct counting *s, FILE *f)
{
	double *value = stat_report_metric_values(s);
	char text[32];
	size_t i;

	if (s->metrics.nr)
		fputc('\n', f);
	for (i = 0; value && i < s->metrics.nr; i++) {
		const struct metric *m = s->metrics.metric[i];

		snprintf(text, sizeof(text), isnan(value[i]) ? "-" : "%.6g", value[i]);
		fprintf(f, " %20s  %s = %s\n", text, m->name, m->formula);
	}
	free(value);
}

static void stat_report_text(const struct counting *s, FILE *f)
{
	char safe[256], buf[32];
	bool paired, shares;
	unsigned int v;
	size_t i;

	fprintf(f, "\n %s%s%s: ", terminal_paint(f, PAINT_HEAD),
		plain(s->program, safe, sizeof(safe)), terminal_paint(f, PAINT_NONE));
	if (s->running)
		fputs("from when it was attached on", f);
	else if (s->stopped)
		fprintf(f, "stopped before its end (%s)", s->stopped);
	else
		fprintf(f, "exit status %d", s->status);
	fprintf(f, ", timing %s%s\n", s->args.timing ? "on" : "off",
		s->strict ? ", counted on PMC4-15" : "");
	region_text(&s->region, f);
	if (s->off_does)
		fputs(" (none of these events needs time: --timing=off counts the same, faster)\n",
		      f);
	fputc('\n', f);
	if (s->args.timing)
		fprintf(f, " %20s  cycles\n", grouped(s->cycles, f, buf));
	fprintf(f, " %20s  instructions\n", grouped(s->insns, f, buf));
	if (s->args.timing)
		fprintf(f, " %20.2f  instructions per cycle\n", stat_report_ipc(s));
	shares = s->args.timing && montecito_nr_vcpus(s->m) > 1 && !s->region.given;
	if (shares) {
		fputc('\n', f);
		stat_report_text_shares(s, f);
		stat_report_text_switches(s, f);
	}
	if (s->args.timing && !s->chosen) {
		fputc('\n', f);
		breakdown_text(&s->breakdown, f);
		for (v = 0; shares && v < montecito_nr_vcpus(s->m); v++)
			breakdown_text_vcpu(&s->vcpu[v].breakdown, v, s->vcpu[v].behind, f);
	}
	paired = stat_report_default_event(s, WRONG_PATH) >= 0 &&
		 stat_report_default_event(s, WRONG_TARGET) >= 0;
	for (i = 0; i < s->nr; i++) {
		const char *name = s->specs[i].name;

		if (paired && !strcmp(name, BRANCHES))
			stat_report_text_branches(s, f);
		else if (!paired || (strcmp(name, WRONG_PATH) && strcmp(name, WRONG_TARGET)))
			stat_report_text_event(s, i, f);
	}
	pmu_count_text(&s->pmu, f);
	stat_report_text_metrics(s, f);
	fputc('\n', f);
}

/* VALUE,UNIT,NAME: the fields that perf stat -x begins with; no count has a unit. */
static void stat_report_csv_line(const struct counting *s, FILE *f, const char *vcpu,
				 const char *value, const char *name)
{
	const char *sep = s->separator;

	if (vcpu)
		fprintf(f, "%s%s", vcpu, sep);
	fprintf(f, "%s%s%s", value, sep, sep);
	csv_field(f, name, sep);
	fputc('\n', f);
}

static void stat_report_csv_count(const struct counting *s, FILE *f, const char *vcpu, uint64_t n,
				  const char *name)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, n);
	stat_report_csv_line(s, f, vcpu, text, name);
}

static void stat_report_csv_pmu(const void *arg, FILE *f, const char *name, uint64_t count)
{
	const struct counting *s = arg;

	stat_report_csv_count(s, f, montecito_nr_vcpus(s->m) > 1 ? "all" : NULL, count, name);
}

static void stat_report_csv(const struct counting *s, FILE *f)
{
	unsigned int nr_vcpus = montecito_nr_vcpus(s->m), v;
	const char *all = nr_vcpus > 1 ? "all" : NULL;
	double *value = stat_report_metric_values(s);
	char text[32];
	size_t i;

	if (s->interval.table.cols) {
		table_csv(&s->interval.table, f, s->separator);
		free(value);
		return;
	}
	if (s->args.timing)
		stat_report_csv_count(s, f, all, s->cycles, "cycles");
	stat_report_csv_count(s, f, all, s->insns, "instructions");
	for (i = 0; i < s->nr; i++) {
		stat_report_csv_count(s, f, all, stat_total(s, i), s->specs[i].text);
		for (v = 0; all && v < nr_vcpus; v++) {
			snprintf(text, sizeof(text), "%u", v);
			stat_report_csv_count(s, f, text, s->count[v * s->nr + i],
					      s->specs[i].text);
		}
	}
	pmu_count_each(&s->pmu, stat_report_csv_pmu, s, f);
	for (i = 0; value && i < s->metrics.nr; i++) {
		snprintf(text, sizeof(text), isnan(value[i]) ? "" : "%.6g", value[i]);
		stat_report_csv_line(s, f, all, text, s->metrics.metric[i]->name);
	}
	free(value);
}

void stat_report(const struct counting *s, FILE *f)
{
	if (s->separator) {
		stat_report_csv(s, f);
	} else if (s->json) {
		print_object(f, stat_json(s));
	} else {
		if (s->interval.table.cols) {
			fputc('\n', f);
			table_text(&s->interval.table, f);
		}
		stat_report_text(s, f);
	}
}

/* Tables of runs without -e are about the cycles: their width is for these. */
static bool stat_report_events_shown(const struct counting *s)
{
	return s->chosen || s->repeat > 1;
}

/* A core with one thread does not switch. */
static bool stat_report_has_bar(const struct counting *s, size_t bar)
{
	return bar != MONTECITO_BAR_SWITCHING || s->args.threads > 1;
}

int stat_columns(const struct counting *s, struct table *t)
{
	bool timed = s->args.timing;
	int err = 0;
	size_t i;

	if (timed)
		err = table_column(t, "cycles", false);
	err = err ? err : table_column(t, "instructions", false);
	if (timed)
		err = err ? err : table_column(t, "ipc", true);
	for (i = 0; !err && stat_report_events_shown(s) && i < s->nr; i++)
		err = table_column(t, s->specs[i].text, false);
	for (i = 0; !err && i < s->metrics.nr; i++)
		err = table_column(t, s->metrics.metric[i]->name, true);
	for (i = 0; !err && timed && !s->chosen && i < NR_BARS; i++)
		if (stat_report_has_bar(s, i))
			err = table_column(t, breakdown_name(i), false);
	return err;
}

void stat_cells(const struct counting *s, const struct stat_values *v, double *cell)
{
	bool timed = s->args.timing;
	size_t i;

	if (timed)
		*cell++ = v->cycles;
	*cell++ = v->insns;
	if (timed)
		*cell++ = v->cycles > 0 ? v->insns / v->cycles : NAN;
	for (i = 0; stat_report_events_shown(s) && i < s->nr; i++)
		*cell++ = v->count[i];
	for (i = 0; i < s->metrics.nr; i++)
		*cell++ = metric_value(s->metrics.metric[i], s->specs, s->nr, v->count);
	for (i = 0; timed && !s->chosen && i < NR_BARS; i++)
		if (stat_report_has_bar(s, i))
			*cell++ = v->bar[i];
}

int stat_report_open(struct counting *s)
{
	s->out = s->file ? fopen(s->file, "we") : stderr;
	return s->out ? 0 : fail("-o %s: %s", s->file, strerror(errno));
}

int stat_report_write(struct counting *s, void (*write)(const void *arg, FILE *f), const void *arg)
{
	bool bad;

	fflush(stdout);
	write(arg, s->out);
	if (!s->file)
		return ferror(s->out) ? EXIT_MONTCTL : 0;
	bad = ferror(s->out);
	bad |= fclose(s->out) != 0;
	s->out = NULL;
	if (!bad)
		return 0;
	fail("-o %s: %s; the report goes here:", s->file, strerror(errno));
	write(arg, stderr);
	return EXIT_MONTCTL;
}

int stat_svg(const struct counting *s, const struct table *t)
{
	FILE *f;
	bool bad;

	if (!s->svg)
		return 0;
	f = fopen(s->svg, "we");
	if (!f)
		return fail("--svg %s: %s", s->svg, strerror(errno));
	table_svg(t, f, s->program);
	bad = ferror(f);
	bad |= fclose(f) != 0;
	return bad ? fail("--svg %s: %s", s->svg, strerror(errno)) : 0;
}
