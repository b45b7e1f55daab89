// SPDX-License-Identifier: GPL-2.0-only
/*
 * montctl report --callgrind: a recording in the profile format of callgrind (version 1, as
 * valgrind's manual describes it): by instruction and source line, a column for each event,
 * a sample being as many occurrences as the period has.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "montctl.h"
#include "profile.h"

/* A name of one line; that of an event also of one word. */
static void callgrind_write_name(FILE *f, const char *name, bool word)
{
	for (; *name; name++) {
		unsigned char c = *name;

		fputc(iscntrl(c) || (word && (c == ' ' || c == ':')) ? '_' : c, f);
	}
}

static void callgrind_write_header(const struct profile *p, FILE *f)
{
	size_t i;

	fputs("# callgrind format\nversion: 1\ncreator: montctl " MONTECITO_VERSION "\ncmd: ", f);
	callgrind_write_name(f, p->in.program, false);
	fputs("\npositions: instr line\nevents:", f);
	for (i = 0; i < p->in.nr; i++) {
		fputc(' ', f);
		callgrind_write_name(f, p->in.event[i], true);
	}
	fputs("\nsummary:", f);
	for (i = 0; i < p->in.nr; i++)
		fprintf(f, " %" PRIu64, p->total[i]);
	fputs("\n\nob=", f);
	callgrind_write_name(f, p->in.program, false);
	fputc('\n', f);
}

int callgrind_write(const struct profile *p, FILE *f)
{
	uint64_t *value = calloc(p->in.nr + 1, sizeof(*value));
	const char *last = "", *file = "";
	char none[PROFILE_NO_NAME];
	size_t i = 0, n;

	if (!value)
		return fail("out of memory");
	callgrind_write_header(p, f);
	while (i < p->nr) {
		uint64_t at = p->cell[i].at;
		const char *name = profile_function(p, at, none), *src;
		int line;

		src = profile_source(p, at, &line);
		if (!src)
			src = "???";
		if (name == none || strcmp(last, name) || strcmp(file, src)) {
			fputs("fl=", f);
			callgrind_write_name(f, src, false);
			fputs("\nfn=", f);
			callgrind_write_name(f, name, false);
			fputc('\n', f);
		}
		last = name == none ? "" : name;
		file = src;
		i = profile_values(p, i, value);
		/* An instruction's address is that of its bundle plus its slot, as in samples. */
		fprintf(f, "0x%" PRIx64 " %d", at, line);
		for (n = 0; n < p->in.nr; n++)
			fprintf(f, " %" PRIu64, value[n]);
		fputc('\n', f);
	}
	free(value);
	return 0;
}
