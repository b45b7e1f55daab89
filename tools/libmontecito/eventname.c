// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names of events as other tools spell them (perf, libpfm), and suggestions for
 * misspelt ones.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "eventname.h"

#define MAX_NAME 64
#define MAX_HINTS 3

/* Names of other tools, and the events that they mean. */
static const struct {
	const char *text;
	const char *name;
	const char *other; /* there is a second half of it, or NULL */
} meant[] = {
	{ "branch-misses", "BR_MISPRED_DETAIL.ALL.WRONG_PATH",
	  "BR_MISPRED_DETAIL.ALL.WRONG_TARGET" },
	{ "branch-mispredictions", "BR_MISPRED_DETAIL.ALL.WRONG_PATH",
	  "BR_MISPRED_DETAIL.ALL.WRONG_TARGET" },
	{ "cache-misses", "L3_MISSES", NULL },
	{ "LLC-load-misses", "L3_MISSES", NULL },
	{ "cache-references", "L3_REFERENCES", NULL },
	{ "LLC-loads", "L3_REFERENCES", NULL },
	{ "L1-dcache-loads", "L1D_READS_SET0", NULL },
	{ "L1-dcache-load-misses", "L1D_READ_MISSES.ALL", NULL },
	{ "L1-icache-loads", "L1I_READS", NULL },
	{ "dTLB-load-misses", "L2DTLB_MISSES", NULL },
	{ "iTLB-load-misses", "ITLB_MISSES_FETCH.ALL", NULL },
	{ "stalled-cycles-frontend", "BACK_END_BUBBLE.FE", NULL },
	{ "stalled-cycles-backend", "BACK_END_BUBBLE.ALL", NULL },
	{ "stalls", "BACK_END_BUBBLE.ALL", NULL },
	{ "stall", "BACK_END_BUBBLE.ALL", NULL },
	{ "stall-cycles", "BACK_END_BUBBLE.ALL", NULL },
	{ "bubbles", "BACK_END_BUBBLE.ALL", NULL },
	{ "insn-ear", "L1I_EAR_EVENTS", NULL },
	{ "instruction-ear", "L1I_EAR_EVENTS", NULL },
	{ "loads", "LOADS_RETIRED", NULL },
	{ "stores", "STORES_RETIRED", NULL },
};

/* perf's generic events, as far as there is one of the same meaning. */
static const struct {
	const char *perf;
	const char *name;
} generic[] = {
	{ "instructions", "IA64_INST_RETIRED.THIS" },
	{ "cycles", "CPU_OP_CYCLES.ALL" },
	{ "cpu-cycles", "CPU_OP_CYCLES.ALL" },
	{ "branches", "BR_MISPRED_DETAIL.ALL.ALL_PRED" },
	{ "branch-instructions", "BR_MISPRED_DETAIL.ALL.ALL_PRED" },
};

const struct mont_event *event_row(size_t index)
{
	return index < MONT_NR_EVENTS ? mont_event_at(index)
				      : mont_event_beside(index - MONT_NR_EVENTS);
}

/* libpfm writes NAME_UMASK, perf lower case and hyphens. */
static char eventname_folded(char c)
{
	return c == '.' || c == '-' ? '_' : toupper((unsigned char)c);
}

static bool eventname_same(const char *a, const char *b)
{
	for (; *a && eventname_folded(*a) == eventname_folded(*b); a++, b++)
		;
	return !*a && !*b;
}

/* rUCC: unit mask U, event code CC in hexadecimal; at least the code. */
static const struct mont_event *eventname_raw(const char *name)
{
	unsigned long code;
	unsigned int i;
	char *end;

	if (tolower((unsigned char)*name) != 'r' || !isxdigit((unsigned char)name[1]))
		return NULL;
	code = strtoul(name + 1, &end, 16);
	if (*end || code > 0xfff)
		return NULL;
	for (i = 0; i < MONT_NR_EVENTS; i++) {
		const struct mont_event *e = mont_event_at(i);

		if (e->code == (code & 0xff) && e->umask == code >> 8)
			return e;
	}
	return NULL;
}

const struct mont_event *event_by_name(const char *name, bool *many)
{
	const struct mont_event *e = mont_event_resolve(name, strlen(name), many);
	size_t i;

	if (e || *many)
		return e;
	for (i = 0; i < sizeof(generic) / sizeof(generic[0]); i++)
		if (!strcasecmp(name, generic[i].perf))
			return mont_event_resolve(generic[i].name, strlen(generic[i].name), many);
	for (i = 0; (e = event_row(i)); i++)
		if (eventname_same(name, e->name))
			return e;
	return eventname_raw(name);
}

unsigned int montecito_distance(const char *a, const char *b)
{
	unsigned int row[MAX_NAME + 1], i, j, up, left;
	size_t nb = strlen(b);

	if (nb > MAX_NAME)
		return MAX_NAME;
	for (j = 0; j <= nb; j++)
		row[j] = j;
	for (i = 0; a[i]; i++) {
		left = row[0]; /* of the row above, one to the left */
		row[0] = i + 1;
		for (j = 0; j < nb; j++) {
			up = row[j + 1];
			row[j + 1] = left + (eventname_folded(a[i]) != eventname_folded(b[j]));
			if (up + 1 < row[j + 1])
				row[j + 1] = up + 1;
			if (row[j] + 1 < row[j + 1])
				row[j + 1] = row[j] + 1;
			left = up;
		}
	}
	return row[nb];
}

/* How far a name is from what was written: the whole row, or its base alone. */
static unsigned int eventname_score(const char *text, const char *row)
{
	unsigned int whole = montecito_distance(text, row), base;
	char buf[MAX_NAME];

	snprintf(buf, sizeof(buf), "%.*s", (int)strcspn(row, "."), row);
	base = montecito_distance(text, buf);
	return whole < base ? whole : base;
}

static bool eventname_begins(const char *row, const char *text)
{
	for (; *text && eventname_folded(*row) == eventname_folded(*text); row++, text++)
		;
	return !*text;
}

void event_hints(const char *text, char *buf, size_t len)
{
	unsigned int best[MAX_HINTS] = { 0 }, limit = 1 + strlen(text) / 4, i, k, nr = 0;
	const struct mont_event *e;
	size_t at[MAX_HINTS], n = 0;

	*buf = '\0';
	for (i = 0; i < sizeof(meant) / sizeof(meant[0]); i++) {
		if (!eventname_same(text, meant[i].text))
			continue;
		snprintf(buf, len, "; did you mean %s%s%s?", meant[i].name,
			 meant[i].other ? " and " : "", meant[i].other ? meant[i].other : "");
		return;
	}
	for (i = 0; (e = event_row(i)); i++) {
		const char *row = e->name;
		/* A name that was not written to its end is nearer than one with other letters. */
		unsigned int s = strlen(text) > 2 && eventname_begins(row, text)
					 ? 0
					 : eventname_score(text, row);

		if (s > limit && (strlen(text) < 3 || !strcasestr(row, text)))
			continue;
		for (k = nr; k > 0 && s < best[k - 1]; k--) {
			if (k < MAX_HINTS) {
				best[k] = best[k - 1];
				at[k] = at[k - 1];
			}
		}
		if (k == MAX_HINTS)
			continue;
		best[k] = s;
		at[k] = i;
		nr += nr < MAX_HINTS;
	}
	for (i = 0; i < nr && n < len; i++)
		n += snprintf(buf + n, len - n, "%s%s", !i ? "; did you mean " : " or ",
			      event_row(at[i])->name);
	if (nr && n < len)
		snprintf(buf + n, len - n, "?");
}
