// SPDX-License-Identifier: GPL-2.0-only
/*
 * montctl stat -r and --param with several values: many runs, as many at once as there are
 * processors, each in a process of its own that hands back its report.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stat.h"
#include "terminal.h"

#define MAX_RUNS 10000

/**
 * struct run - one of them
 * @pid: its process; 0: none
 * @out: takes the report
 * @err: takes messages of all but the first run
 * @result: the report; NULL: none
 */
struct run {
	pid_t pid;
	FILE *out;
	FILE *err;
	struct json_object *result;
};

/**
 * struct batch - all runs
 * @s: what to count
 * @run: them
 * @nr: how many
 * @begun: of them
 * @ended: of these
 * @failed: exit status of the first that failed, or 0
 * @input: what every run reads, or -1 for nothing
 * @from: where in it
 */
struct batch {
	struct counting *s;
	struct run *run;
	size_t nr;
	size_t begun;
	size_t ended;
	int failed;
	int input;
	off_t from;
};

int axis_option(struct counting *s, const char *text)
{
	const char *value = strchr(text, '=');
	struct axis *a;
	uint64_t v;

	if (!value || value == text || strchr(text, ',') < value)
		return usage_error("stat", "--param %s: must be NAME=VALUE,VALUE...", text);
	a = realloc(s->axis, (s->nr_axes + 1) * sizeof(*a));
	if (!a)
		return fail("out of memory");
	s->axis = a;
	a += s->nr_axes++;
	*a = (struct axis){ .name = strndup(text, value - text) };
	do {
		const char *from = value + 1;
		size_t len = strcspn(from, ",");
		char **p = realloc(a->value, (a->nr + 1) * sizeof(*p));

		if (!p)
			return fail("out of memory");
		a->value = p;
		p[a->nr++] = strndup(from, len);
		if (!a->name || !p[a->nr - 1])
			return fail("out of memory");
		if (parse_number(p[a->nr - 1], &v))
			return usage_error("stat", "--param %s: %s is no number", text,
					   *p[a->nr - 1] ? p[a->nr - 1] : "an empty value");
		value = from + len;
	} while (*value);
	return 0;
}

void axes_free(struct counting *s)
{
	while (s->nr_axes) {
		struct axis *a = &s->axis[--s->nr_axes];

		while (a->nr)
			free(a->value[--a->nr]);
		free(a->value);
		free(a->name);
	}
	free(s->axis);
}

/* Value of axis @axis in run @run: the last one changes fastest. */
static const char *stat_batch_axis_value(const struct counting *s, size_t axis, size_t run)
{
	size_t i;

	for (i = s->nr_axes - 1; i > axis; i--)
		run /= s->axis[i].nr;
	return s->axis[axis].value[run % s->axis[axis].nr];
}

/* A machine's parameters for run @run, behind those of all runs. */
static int stat_batch_set_point(struct counting *s, size_t run)
{
	size_t i, common = s->args.nr_param;
	char **p = realloc(s->args.param, (common + s->nr_axes + 1) * sizeof(*p));

	if (!p)
		return fail("out of memory");
	s->args.param = p;
	for (i = 0; i < s->nr_axes; i++) {
		if (asprintf(&p[common + i], "%s=%s", s->axis[i].name,
			     stat_batch_axis_value(s, i, run)) < 0)
			return fail("out of memory");
		s->args.nr_param++;
	}
	return 0;
}

static void stat_batch_unset_point(struct counting *s, size_t common)
{
	while (s->args.nr_param > common)
		free(s->args.param[--s->args.nr_param]);
}

/* See that each run can begin, before one does: its machine, the program, the events. */
static int stat_batch_check_runs(struct counting *s, size_t points, char **argv)
{
	size_t common = s->args.nr_param, i;
	struct montecito_process *p;
	int err = 0;

	for (i = 0; !err && i < points; i++) {
		err = stat_batch_set_point(s, i);
		if (!err)
			err = stat_open(s, argv, &p);
		else
			p = NULL;
		montecito_process_free(p);
		montecito_close(s->m);
		s->m = NULL;
		stat_count_free(s);
		stat_batch_unset_point(s, common);
	}
	return err;
}

/*
 * Keep the input that every run reads: a file, from where it is now, or all that a pipe
 * has. A terminal, whose input cannot be read twice, counts as empty.
 */
static int stat_batch_take_input(struct batch *b)
{
	struct stat st;
	char buf[65536];
	ssize_t n;
	FILE *f;

	b->input = -1;
	if (isatty(STDIN_FILENO) || fstat(STDIN_FILENO, &st))
		return 0;
	if (S_ISREG(st.st_mode)) {
		b->input = STDIN_FILENO;
		b->from = lseek(STDIN_FILENO, 0, SEEK_CUR);
		return 0;
	}
	f = tmpfile();
	if (!f)
		return fail("no temporary file for the program's input: %s", strerror(errno));
	while ((n = read(STDIN_FILENO, buf, sizeof(buf))) > 0)
		if (fwrite(buf, n, 1, f) != 1)
			break;
	b->input = dup(fileno(f));
	if (n > 0 || fclose(f) || b->input < 0)
		return fail("cannot keep the program's input: %s", strerror(errno));
	return 0;
}

/* In the process of run @i: its descriptors. */
static int stat_batch_run_descriptors(const struct batch *b, size_t i)
{
	char path[64] = "/dev/null";
	int fd, null;

	if (b->input >= 0)
		snprintf(path, sizeof(path), "/proc/self/fd/%d", b->input);
	fd = open(path, O_RDONLY);
	if (fd < 0 || (b->input >= 0 && lseek(fd, b->from, SEEK_SET) < 0) ||
	    dup2(fd, STDIN_FILENO) < 0)
		return fail("cannot read the program's input again: %s", strerror(errno));
	close(fd);
	if (!i)
		return 0;
	/* Only the first run shows what the program writes. */
	null = open("/dev/null", O_WRONLY);
	if (null < 0 || dup2(null, STDOUT_FILENO) < 0 ||
	    dup2(fileno(b->run[i].err), STDERR_FILENO) < 0)
		return fail("cannot open /dev/null: %s", strerror(errno));
	close(null);
	return 0;
}

static int stat_batch_run_point(struct batch *b, size_t i, char **argv)
{
	struct montecito_process *p = NULL;
	struct counting *s = b->s;
	int err = stat_batch_run_descriptors(b, i);

	if (!err)
		err = stat_batch_set_point(s, s->nr_axes ? i : 0);
	if (!err)
		err = stat_open(s, argv, &p);
	if (!err)
		err = stat_run(s, p);
	fflush(stdout);
	if (!err)
		print_object(b->run[i].out, stat_json(s));
	if (!err && ferror(b->run[i].out))
		err = fail("a run's report: %s", strerror(errno));
	return err;
}

static int stat_batch_begin_run(struct batch *b, char **argv)
{
	struct run *r = &b->run[b->begun];
	int err;

	r->out = tmpfile();
	r->err = tmpfile();
	if (!r->out || !r->err)
		return fail("no temporary file for a run's report: %s", strerror(errno));
	fflush(NULL);
	r->pid = fork();
	if (r->pid < 0) {
		r->pid = 0;
		return fail("cannot begin a run: %s", strerror(errno));
	}
	if (!r->pid) {
		err = stat_batch_run_point(b, b->begun, argv);
		_exit(err);
	}
	b->begun++;
	return 0;
}

/* Print the messages of a failed run. */
static void stat_batch_replay(FILE *from)
{
	char line[1024];

	rewind(from);
	while (fgets(line, sizeof(line), from))
		fputs(line, stderr);
}

static void stat_batch_take_result(struct batch *b, struct run *r, int status)
{
	char *line = NULL;
	size_t len = 0;

	rewind(r->out);
	if (getline(&line, &len, r->out) > 0)
		r->result = json_tokener_parse(line);
	free(line);
	if (!r->result) {
		stat_batch_replay(r->err);
		if (!b->failed)
			b->failed = WIFEXITED(status) && WEXITSTATUS(status) ? WEXITSTATUS(status)
									     : EXIT_MONTCTL;
		if (WIFSIGNALED(status))
			fail("a run died of SIG%s", sigabbrev_np(WTERMSIG(status)));
	}
	fclose(r->out);
	fclose(r->err);
	r->out = NULL;
	r->err = NULL;
}

static volatile sig_atomic_t stopped;

/* A terminal's Ctrl-C reaches all runs; a signal for this process alone is handed on. */
static void stat_batch_stop_runs(void *arg)
{
	struct batch *b = arg;
	size_t i;

	stopped = 1;
	for (i = 0; i < b->begun; i++)
		if (b->run[i].pid)
			kill(b->run[i].pid, SIGTERM);
}

static int stat_batch_wait_run(struct batch *b)
{
	int status;
	pid_t pid;
	size_t i;

	while ((pid = waitpid(-1, &status, 0)) < 0)
		if (errno != EINTR)
			return fail("lost a run: %s", strerror(errno));
	for (i = 0; i < b->begun; i++) {
		if (b->run[i].pid != pid)
			continue;
		b->run[i].pid = 0;
		b->ended++;
		stat_batch_take_result(b, &b->run[i], status);
	}
	return 0;
}

static int stat_batch_run_all(struct batch *b, char **argv)
{
	size_t at_once = 1;
	cpu_set_t cpus;
	int err = 0;

	if (!sched_getaffinity(0, sizeof(cpus), &cpus))
		at_once = CPU_COUNT(&cpus);
	stop_prepare(stat_batch_stop_runs, b);
	while (!err) {
		bool more = b->begun < b->nr && !b->failed && !stopped;

		if (more && b->begun - b->ended < at_once)
			err = stat_batch_begin_run(b, argv);
		else if (b->ended < b->begun)
			err = stat_batch_wait_run(b);
		else
			break;
	}
	while (err && b->ended < b->begun && !stat_batch_wait_run(b))
		;
	stop_finish();
	return err;
}

static struct json_object *stat_batch_member(struct json_object *o, const char *key)
{
	struct json_object *v = NULL;

	return json_object_object_get_ex(o, key, &v) ? v : NULL;
}

static double stat_batch_member_number(struct json_object *o, const char *key)
{
	struct json_object *v = stat_batch_member(o, key);

	return v ? json_object_get_double(v) : NAN;
}

/* Take the numbers of a run's report. */
static void stat_batch_result_values(const struct counting *s, struct json_object *result,
				     struct stat_values *v)
{
	struct json_object *events = stat_batch_member(result, "events");
	struct json_object *breakdown = stat_batch_member(result, "breakdown");
	size_t i;

	v->insns = stat_batch_member_number(result, "instructions");
	v->cycles = stat_batch_member_number(result, "cycles");
	for (i = 0; i < s->nr; i++)
		v->count[i] =
			stat_batch_member_number(json_object_array_get_idx(events, i), "count");
	for (i = 0; i < NR_BARS; i++)
		v->bar[i] = breakdown ? stat_batch_member_number(breakdown, breakdown_name(i))
				      : NAN;
}

/* Rows of whole runs: a run that was stopped is none. */
static bool stat_batch_is_whole(const struct run *r)
{
	return r->result && !stat_batch_member(r->result, "stopped");
}

static int stat_batch_make_table(const struct batch *b, struct table *t)
{
	const struct counting *s = b->s;
	struct stat_values v = { .count = calloc(s->nr + 1, sizeof(*v.count)) };
	int err = v.count ? 0 : -ENOMEM;
	size_t i, k;

	for (i = 0; !err && i < s->nr_axes; i++)
		err = table_column(t, s->axis[i].name, false);
	t->keys = s->nr_axes;
	if (!err)
		err = stat_columns(s, t);
	for (i = 0; !err && i < b->nr; i++) {
		double *cell = stat_batch_is_whole(&b->run[i]) ? table_row(t) : NULL;

		if (!stat_batch_is_whole(&b->run[i]))
			continue;
		if (!cell) {
			err = -ENOMEM;
			break;
		}
		for (k = 0; k < s->nr_axes; k++)
			cell[k] = strtod(stat_batch_axis_value(s, k, i), NULL);
		stat_batch_result_values(s, b->run[i].result, &v);
		stat_cells(s, &v, cell + s->nr_axes);
	}
	free(v.count);
	return err ? fail("out of memory") : 0;
}

/**
 * struct summary - for a report
 * @b: the runs
 * @table: a row for each
 */
struct summary {
	const struct batch *b;
	struct table table;
};

static int stat_batch_first_status(const struct batch *b)
{
	size_t i;

	for (i = 0; i < b->nr; i++)
		if (b->run[i].result &&
		    json_object_get_int(stat_batch_member(b->run[i].result, "status")))
			return json_object_get_int(stat_batch_member(b->run[i].result, "status"));
	return 0;
}

static void stat_batch_sweep_write(const void *arg, FILE *f)
{
	const struct summary *y = arg;
	const struct counting *s = y->b->s;
	char safe[256];

	if (s->separator) {
		table_csv(&y->table, f, s->separator);
	} else if (s->json) {
		struct json_object *top = json_object_new_object();

		json_object_object_add(top, "program", json_object_new_string(s->program));
		json_object_object_add(top, "status",
				       json_object_new_int(stat_batch_first_status(y->b)));
		json_object_object_add(top, "runs", json_object_new_int64(y->b->nr));
		json_object_object_add(top, "table", table_json(&y->table));
		print_object(f, top);
	} else {
		fprintf(f, "\n %s%s%s: %zu of %zu runs, timing %s\n\n",
			terminal_paint(f, PAINT_HEAD), plain(s->program, safe, sizeof(safe)),
			terminal_paint(f, PAINT_NONE), y->table.rows, y->b->nr,
			s->args.timing ? "on" : "off");
		table_text(&y->table, f);
		fputc('\n', f);
	}
}

/**
 * struct spread - a column over all runs
 * @mean: mean
 * @error: standard error of the mean, in per cent of it
 * @equal: all are the same
 */
struct spread {
	double mean;
	double error;
	bool equal;
};

static struct spread stat_batch_column_spread(const struct table *t, size_t col)
{
	struct spread r = { .equal = true };
	double sum = 0, squares = 0;
	size_t i;

	for (i = 0; i < t->rows; i++) {
		sum += t->cell[i * t->cols + col];
		r.equal &= t->cell[i * t->cols + col] == t->cell[col];
	}
	/* Equal counts have no rounding of a sum in their mean. */
	r.mean = r.equal && t->rows ? t->cell[col] : sum / (double)t->rows;
	for (i = 0; i < t->rows; i++) {
		double d = t->cell[i * t->cols + col] - r.mean;

		squares += d * d;
	}
	if (!r.equal && r.mean != 0)
		r.error = 100 * sqrt(squares / (double)(t->rows - 1) / (double)t->rows) / r.mean;
	return r;
}

static void stat_batch_mean_text(const struct table *t, size_t col, struct spread r, char text[40])
{
	const char *form = t->ratio[col] ? "%.4f" : r.equal ? "%.0f" : "%.2f";

	if (isnan(r.mean))
		strcpy(text, "-");
	else
		snprintf(text, 40, form, r.mean);
}

static struct json_object *stat_batch_repeat_json(const struct summary *y)
{
	struct json_object *top = json_object_new_object(), *list = json_object_new_array();
	const struct table *t = &y->table;
	bool equal = true;
	char text[40];
	size_t col;

	for (col = 0; col < t->cols; col++) {
		struct json_object *o = json_object_new_object();
		struct spread r = stat_batch_column_spread(t, col);

		equal &= r.equal || isnan(r.mean);
		stat_batch_mean_text(t, col, r, text);
		json_object_object_add(o, "name", json_object_new_string(t->name[col]));
		json_object_object_add(
			o, "mean", isnan(r.mean) ? NULL : json_object_new_double_s(r.mean, text));
		json_object_object_add(o, "error_percent", json_object_new_double(r.error));
		json_object_object_add(o, "equal", json_object_new_boolean(r.equal));
		json_object_array_add(list, o);
	}
	json_object_object_add(top, "program", json_object_new_string(y->b->s->program));
	json_object_object_add(top, "status", json_object_new_int(stat_batch_first_status(y->b)));
	json_object_object_add(top, "runs", json_object_new_int64(t->rows));
	json_object_object_add(top, "equal", json_object_new_boolean(equal));
	json_object_object_add(top, "values", list);
	json_object_object_add(top, "table", table_json(t));
	return top;
}

static void stat_batch_repeat_write(const void *arg, FILE *f)
{
	const struct summary *y = arg;
	const struct counting *s = y->b->s;
	const struct table *t = &y->table;
	char safe[256], text[40];
	size_t col;

	if (s->json) {
		print_object(f, stat_batch_repeat_json(y));
		return;
	}
	if (!s->separator)
		fprintf(f, "\n %s%s%s: %zu of %zu runs, timing %s\n\n",
			terminal_paint(f, PAINT_HEAD), plain(s->program, safe, sizeof(safe)),
			terminal_paint(f, PAINT_NONE), t->rows, y->b->nr,
			s->args.timing ? "on" : "off");
	for (col = 0; col < t->cols; col++) {
		struct spread r = stat_batch_column_spread(t, col);

		stat_batch_mean_text(t, col, r, text);
		if (s->separator) {
			fprintf(f, "%s%s%s", isnan(r.mean) ? "" : text, s->separator, s->separator);
			csv_field(f, t->name[col], s->separator);
			fprintf(f, "%s%.2f%%\n", s->separator, r.error);
		} else if (r.equal) {
			fprintf(f, " %20s  %s\n", text, t->name[col]);
		} else {
			fprintf(f, " %20s  %s  (+- %.2f %%)\n", text, t->name[col], r.error);
		}
	}
	if (!s->separator)
		fputs(" (+-: standard error of the mean; without it all runs were equal)\n\n", f);
}

static void stat_batch_what_if_write(const void *arg, FILE *f)
{
	const struct batch *b = ((const struct summary *)arg)->b;
	const struct counting *s = b->s;
	struct json_object **run = calloc(b->nr, sizeof(*run)), *top;
	char safe[256];
	size_t i;

	for (i = 0; run && i < b->nr; i++)
		run[i] = stat_batch_is_whole(&b->run[i]) ? b->run[i].result : NULL;
	if (!run) {
		fail("out of memory");
	} else if (s->json) {
		top = json_object_new_object();
		json_object_object_add(top, "program", json_object_new_string(s->program));
		json_object_object_add(top, "status",
				       json_object_new_int(stat_batch_first_status(b)));
		what_if_json(s, run, top);
		print_object(f, top);
	} else {
		if (!s->separator)
			fprintf(f, "\n %s%s%s\n\n", terminal_paint(f, PAINT_HEAD),
				plain(s->program, safe, sizeof(safe)),
				terminal_paint(f, PAINT_NONE));
		what_if_text(s, run, f);
	}
	free(run);
}

static int stat_batch_report_all(struct batch *b)
{
	struct summary y = { .b = b };
	int err = stat_batch_make_table(b, &y.table);

	if (!err && b->s->what_if && !stat_batch_is_whole(&b->run[0])) {
		table_free(&y.table);
		fail("the run as it is came to no end");
		return stopped ? 0 : EXIT_MONTCTL;
	}
	if (!err && !y.table.rows) {
		table_free(&y.table);
		fail("no run came to its end");
		/* A signal then ends montctl as well. */
		return stopped ? 0 : EXIT_MONTCTL;
	}
	if (!err)
		err = stat_report_write(b->s,
					b->s->what_if	? stat_batch_what_if_write
					: b->s->nr_axes ? stat_batch_sweep_write
							: stat_batch_repeat_write,
					&y);
	if (!err)
		err = stat_svg(b->s, &y.table);
	table_free(&y.table);
	return err;
}

int batch_run(struct counting *s, char **argv)
{
	struct batch b = { .s = s };
	size_t i;
	int err;

	if (s->args.timing < 0)
		s->args.timing = 1;
	if (s->what_if) {
		err = what_if_begin(s, argv);
		if (err)
			return err;
	}
	b.nr = s->nr_axes ? 1 : s->repeat;
	for (i = 0; i < s->nr_axes; i++) {
		b.nr *= s->axis[i].nr;
		if (b.nr > MAX_RUNS)
			return fail("--param: more than %d runs", MAX_RUNS);
	}
	err = stat_batch_check_runs(s, s->nr_axes ? b.nr : 1, argv);
	if (!err)
		err = stat_report_open(s);
	if (!err)
		err = stat_batch_take_input(&b);
	b.run = calloc(b.nr, sizeof(*b.run));
	if (!b.run)
		err = fail("out of memory");
	if (!err)
		err = stat_batch_run_all(&b, argv);
	if (!err)
		err = b.failed;
	if (!err)
		err = stat_batch_report_all(&b);
	if (!err)
		s->status = stat_batch_first_status(&b);
	for (i = 0; b.run && i < b.nr; i++)
		json_object_put(b.run[i].result);
	free(b.run);
	return err;
}
