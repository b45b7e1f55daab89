// SPDX-License-Identifier: GPL-2.0-only
/* Adding up a recording by instruction and event. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "montctl.h"
#include "profile.h"

static int profile_compare(const void *pa, const void *pb)
{
	const struct profile_cell *a = pa, *b = pb;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return (a->event > b->event) - (a->event < b->event);
}

/* Add up equal cells. */
static void profile_fold(struct profile *p)
{
	size_t i, n = 0;

	if (p->nr)
		qsort(p->cell, p->nr, sizeof(*p->cell), profile_compare);
	for (i = 0; i < p->nr; i++) {
		if (n && !profile_compare(&p->cell[n - 1], &p->cell[i]))
			p->cell[n - 1].samples += p->cell[i].samples;
		else
			p->cell[n++] = p->cell[i];
	}
	p->nr = n;
}

static int profile_add(struct profile *p, const struct montecito_record_sample *s)
{
	if (p->nr == p->cap) {
		/* Most samples share few instructions: add up before growing. */
		profile_fold(p);
		if (2 * p->nr >= p->cap) {
			size_t cap = p->cap ? 2 * p->cap : 4096;
			struct profile_cell *cell = realloc(p->cell, cap * sizeof(*cell));

			if (!cell)
				return fail("out of memory");
			p->cell = cell;
			p->cap = cap;
		}
	}
	p->cell[p->nr++] = (struct profile_cell){ s->ip | s->slot, s->source, p->in.weight };
	p->total[s->source] += p->in.weight * p->in.period[s->source];
	return 0;
}

int profile_read(struct profile *p, const char *path)
{
	struct montecito_record_sample sample;
	int err;

	memset(p, 0, sizeof(*p));
	err = samples_open(&p->in, path);
	if (err)
		return err;
	p->symbols = samples_symbols(&p->in);
	p->total = calloc(p->in.nr + 1, sizeof(*p->total));
	err = p->total ? 0 : fail("out of memory");
	while (!err && (err = samples_next(&p->in, &sample)) == 1)
		err = profile_add(p, &sample);
	if (err)
		profile_free(p);
	else
		profile_fold(p);
	return err;
}

void profile_free(struct profile *p)
{
	free(p->total);
	free(p->cell);
	montecito_symbols_free(p->symbols);
	samples_close(&p->in);
}

const char *profile_function(const struct profile *p, uint64_t at, char none[PROFILE_NO_NAME])
{
	uint64_t off;
	const char *name = p->symbols ? montecito_symbols_find(p->symbols, at, &off) : NULL;

	if (name)
		return name;
	snprintf(none, PROFILE_NO_NAME, "0x%" PRIx64, at & ~(uint64_t)15);
	return none;
}

const char *profile_source(const struct profile *p, uint64_t at, int *line)
{
	*line = 0;
	return p->symbols ? montecito_symbols_source(p->symbols, at, line) : NULL;
}

size_t profile_values(const struct profile *p, size_t i, uint64_t *value)
{
	uint64_t at = p->cell[i].at;

	memset(value, 0, p->in.nr * sizeof(*value));
	for (; i < p->nr && p->cell[i].at == at; i++)
		value[p->cell[i].event] = p->cell[i].samples * p->in.period[p->cell[i].event];
	return i;
}
