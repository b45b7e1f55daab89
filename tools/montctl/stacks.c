// SPDX-License-Identifier: GPL-2.0-only
/* The different call chains of a recording: a hash table of address lists. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "montctl.h"
#include "stacks.h"

static uint64_t stacks_hash(size_t event, const uint64_t *at, uint32_t nr)
{
	uint64_t h = event + 1;

	while (nr--) {
		h = (h ^ *at++) * 0x9e3779b97f4a7c15ULL;
		h ^= h >> 29;
	}
	return h;
}

/* The place of a stack in the table: its own, or a free one. */
static uint32_t *stacks_find(const struct stacks *s, size_t event, const uint64_t *at, uint32_t nr)
{
	size_t i = stacks_hash(event, at, nr) & (s->nr_slots - 1);

	for (; s->slot[i]; i = (i + 1) & (s->nr_slots - 1)) {
		const struct stack *k = &s->stack[s->slot[i] - 1];

		if (k->event == event && k->nr == nr &&
		    !memcmp(s->at + k->at, at, nr * sizeof(*at)))
			break;
	}
	return &s->slot[i];
}

/* Room for one stack more, of @nr addresses. */
static int stacks_grow(struct stacks *s, uint32_t nr)
{
	void *p;
	size_t i;

	if (s->nr_at + nr > s->cap_at) {
		s->cap_at = 2 * (s->cap_at + nr);
		p = realloc(s->at, s->cap_at * sizeof(*s->at));
		if (!p)
			return fail("out of memory");
		s->at = p;
	}
	if (s->nr == s->cap) {
		s->cap = s->cap ? 2 * s->cap : 1024;
		p = realloc(s->stack, s->cap * sizeof(*s->stack));
		if (!p)
			return fail("out of memory");
		s->stack = p;
	}
	if (2 * s->nr < s->nr_slots)
		return 0;
	s->nr_slots = s->nr_slots ? 2 * s->nr_slots : 4096;
	free(s->slot);
	s->slot = calloc(s->nr_slots, sizeof(*s->slot));
	if (!s->slot)
		return fail("out of memory");
	for (i = 0; i < s->nr; i++) {
		const struct stack *k = &s->stack[i];

		*stacks_find(s, k->event, s->at + k->at, k->nr) = i + 1;
	}
	return 0;
}

static int stacks_add(struct stacks *s, const struct montecito_record_sample *sample)
{
	uint32_t nr = 1 + s->in.nr_chain, *slot;
	uint64_t at[1 + MONTECITO_MAX_CALLCHAIN];

	if (stacks_grow(s, nr))
		return EXIT_MONTCTL;
	at[0] = sample->ip | sample->slot;
	memcpy(at + 1, s->in.chain, s->in.nr_chain * sizeof(*at));
	s->chains |= s->in.has_chain;
	slot = stacks_find(s, sample->source, at, nr);
	if (!*slot) {
		memcpy(s->at + s->nr_at, at, nr * sizeof(*at));
		s->stack[s->nr++] = (struct stack){ sample->source, 0, s->nr_at, nr };
		s->nr_at += nr;
		*slot = s->nr;
	}
	s->stack[*slot - 1].samples++;
	return 0;
}

int stacks_read(struct stacks *s, const char *path)
{
	struct montecito_record_sample sample;
	int err;

	memset(s, 0, sizeof(*s));
	err = samples_open(&s->in, path);
	if (err)
		return err;
	s->symbols = samples_symbols(&s->in);
	while ((err = samples_next(&s->in, &sample)) == 1) {
		err = stacks_add(s, &sample);
		if (err)
			return err;
	}
	return err;
}

void stacks_free(struct stacks *s)
{
	free(s->slot);
	free(s->stack);
	free(s->at);
	montecito_symbols_free(s->symbols);
	samples_close(&s->in);
}

uint64_t stacks_place(const struct stacks *s, const struct stack *k, uint32_t i)
{
	/* A call is in the bundle before the one that it returns to. */
	return i ? s->at[k->at + i] - 16 : s->at[k->at];
}

const char *stacks_name(const struct stacks *s, uint64_t place, char *buf, size_t len)
{
	uint64_t off;
	const char *name = s->symbols ? montecito_symbols_find(s->symbols, place, &off) : NULL;

	if (name)
		return name;
	snprintf(buf, len, "0x%" PRIx64, place & ~(uint64_t)15);
	return buf;
}
