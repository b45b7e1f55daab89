// SPDX-License-Identifier: GPL-2.0-only
/* The samples of one event by instruction: an array that is sorted and added up where it is full. */
#include <errno.h>
#include <stdlib.h>

#include "heat.h"

static int heat_by_address(const void *pa, const void *pb)
{
	const struct heat *a = pa, *b = pb;

	return (a->at > b->at) - (a->at < b->at);
}

/* Add up samples of one instruction. */
static void heat_fold(struct heat_map *m)
{
	size_t i, n = 0;

	if (m->nr)
		qsort(m->heat, m->nr, sizeof(*m->heat), heat_by_address);
	for (i = 0; i < m->nr; i++) {
		if (n && m->heat[n - 1].at == m->heat[i].at)
			m->heat[n - 1].sum += m->heat[i].sum;
		else
			m->heat[n++] = m->heat[i];
	}
	m->nr = n;
}

/* Make room: by adding up what is there, or for twice as much. */
static int heat_grow(struct heat_map *m)
{
	size_t cap = m->cap ? 2 * m->cap : 4096;
	struct heat *p;

	heat_fold(m);
	if (2 * m->nr < m->cap)
		return 0;
	p = realloc(m->heat, cap * sizeof(*p));
	if (!p)
		return -ENOMEM;
	m->heat = p;
	m->cap = cap;
	return 0;
}

int heat_add(struct heat_map *m, uint64_t at, uint64_t weight)
{
	if (m->nr == m->cap && heat_grow(m))
		return -ENOMEM;
	m->heat[m->nr++] = (struct heat){ at, weight };
	return 0;
}

void heat_end(struct heat_map *m)
{
	size_t i;

	heat_fold(m);
	for (i = 0; i < m->nr; i++) {
		m->total += m->heat[i].sum;
		m->heat[i].sum = m->total;
	}
}

/* How many samples lie below @addr. */
static uint64_t heat_below(const struct heat_map *m, uint64_t addr)
{
	size_t lo = 0, hi = m->nr;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (m->heat[mid].at < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? m->heat[lo - 1].sum : 0;
}

uint64_t heat_count(const struct heat_map *m, uint64_t lo, uint64_t hi)
{
	return heat_below(m, hi) - heat_below(m, lo);
}

void heat_free(struct heat_map *m)
{
	free(m->heat);
}
