// SPDX-License-Identifier: GPL-2.0-only
/* montctl stat -I: a row of counts for each piece of the run. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stat.h"

#define CYCLES_PER_US (MONTECITO_CORE_HZ / 1000000)
/* Of a table that is kept in memory. */
#define MAX_ROWS 1000000

static const struct {
	const char *suffix;
	uint64_t cycles; /* 0: instructions */
} units[] = {
	{ "", 1000 * CYCLES_PER_US },
	{ "ms", 1000 * CYCLES_PER_US },
	{ "us", CYCLES_PER_US },
	{ "c", 1 },
	{ "i", 0 },
};

int interval_option(struct counting *s, const char *arg)
{
	size_t len = strspn(arg, "0123456789"), i;
	char number[24];
	uint64_t n;

	snprintf(number, sizeof(number), "%.*s", (int)len, arg);
	if (len >= sizeof(number) || parse_number(number, &n) || !n)
		goto bad;
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(arg + len, units[i].suffix))
			continue;
		if (n >> 40)
			break;
		s->interval.insns = units[i].cycles ? 0 : n;
		s->interval.cycles = n * units[i].cycles;
		return 0;
	}
bad:
	return usage_error("stat",
			   "-I %s: must be a number, of milliseconds or with ms, us, c "
			   "(cycles) or i (instructions)",
			   arg);
}

/* The row of what has come since the last one. */
static int stat_interval_add_row(struct counting *s)
{
	struct interval *iv = &s->interval;
	struct stat_values now = { .count = calloc(s->nr + 1, sizeof(*now.count)) };
	double *cell = now.count ? table_row(&iv->table) : NULL;
	struct stat_values piece;
	size_t i;

	if (!cell) {
		free(now.count);
		return fail("out of memory");
	}
	stat_values(s, &now);
	piece = now;
	piece.insns -= iv->last.insns;
	piece.cycles -= iv->last.cycles;
	for (i = 0; i < NR_BARS; i++)
		piece.bar[i] -= iv->last.bar[i];
	for (i = 0; i < s->nr; i++)
		iv->last.count[i] = now.count[i] - iv->last.count[i];
	piece.count = iv->last.count;
	*cell = s->args.timing ? now.cycles : now.insns;
	stat_cells(s, &piece, cell + 1);
	free(iv->last.count);
	iv->last = now;
	return 0;
}

static int stat_interval_over(struct montecito *m, void *arg)
{
	struct counting *s = arg;

	(void)m;
	if (s->interval.table.rows == MAX_ROWS) {
		fail("-I: more than %d rows; take a longer interval", MAX_ROWS);
		return -ECANCELED;
	}
	return stat_count_read(s) || stat_interval_add_row(s) ? -ECANCELED : 0;
}

int interval_start(struct counting *s, struct montecito_process *p)
{
	struct interval *iv = &s->interval;

	if (!iv->insns && !iv->cycles)
		return 0;
	if (iv->cycles && !s->args.timing)
		return fail("-I: time and cycles need --timing=on; with it off give a number of "
			    "instructions (-I 100000i)");
	iv->last.count = calloc(s->nr + 1, sizeof(*iv->last.count));
	if (!iv->last.count ||
	    table_column(&iv->table, s->args.timing ? "cycle" : "instruction", false) ||
	    stat_columns(s, &iv->table))
		return fail("out of memory");
	iv->table.keys = 1;
	montecito_process_interval(p, iv->insns, iv->cycles, stat_interval_over, s);
	return 0;
}

int interval_end(struct counting *s)
{
	struct interval *iv = &s->interval;

	if (!iv->table.cols || ((double)s->insns <= iv->last.insns && iv->table.rows))
		return 0;
	return stat_interval_add_row(s);
}

void interval_free(struct counting *s)
{
	free(s->interval.last.count);
	table_free(&s->interval.table);
}
