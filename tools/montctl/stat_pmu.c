// SPDX-License-Identifier: GPL-2.0-only
/*
 * montctl stat --pmu: events of other processors' PMUs. Events with the same filters and units
 * share a PMU of that kind; its counters are read often enough that none wraps twice.
 */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "montctl.h"
#include "pmu_kinds.h"
#include "stat_pmu.h"
#include "terminal.h"

#define MAX_VCPUS 4
#define MAX_BLOCKS 8
struct pmu_block {
	struct pmu_setup setup;
	uint32_t kind;
	uint32_t id[MAX_VCPUS];
	unsigned int used;
};

struct pmu_count {
	const char *text;
	const struct pmu_program *program;
	struct pmu_event event;
	struct pmu_block *block;
	unsigned int counter;
	uint64_t last[MAX_VCPUS];
	uint64_t total;
};

/* True if what @c needs beside its counter is what @b has. */
static bool stat_pmu_fits(const struct pmu_count *c, struct pmu_block *b)
{
	struct pmu_setup *has = &b->setup, needs = c->event.setup;

	if (b->kind != c->program->kind)
		return false;
	/* Events without latency go with any threshold. */
	if (!needs.least)
		needs.least = has->least;
	else if (!has->least)
		has->least = needs.least;
	return !memcmp(has, &needs, sizeof(needs));
}

/* A counter for @c in a PMU with its setup, a new one if need be. */
static int stat_pmu_place(struct pmu_counting *p, struct pmu_count *c)
{
	unsigned int n;
	size_t i;

	for (i = 0; i <= p->nr_blocks && i < MAX_BLOCKS; i++) {
		struct pmu_block *b = &p->block[i];

		if (i == p->nr_blocks) {
			*b = (struct pmu_block){ .setup = c->event.setup,
						 .kind = c->program->kind };
			p->nr_blocks++;
		}
		if (!stat_pmu_fits(c, b))
			continue;
		/* From above: PMC4 and PMC5 hold what no other can. */
		for (n = c->program->counters; n--;)
			if (!(b->used >> n & 1) &&
			    (c->event.d.counters >> (c->program->first + n) & 1)) {
				b->used |= 1U << n;
				c->block = b;
				c->counter = n;
				return 0;
			}
	}
	return fail("-e %s: the counters of %d PMUs of this kind do not hold all these events",
		    c->text, MAX_BLOCKS);
}

static int stat_pmu_add(struct pmu_block *b, struct montecito *m)
{
	unsigned int v;

	for (v = 0; v < montecito_nr_vcpus(m); v++) {
		struct montecito_pmu_add a = { .kind = b->kind };
		int id = montecito_pmu_add(m, v, &a);

		if (id < 0)
			return fail("--pmu: %s", a.why[0] ? a.why : strerror(-id));
		b->id[v] = id;
	}
	return 0;
}

/* Write the registers of @c's PMU, and its counter last. */
static int stat_pmu_program(const struct pmu_count *c, struct montecito *m)
{
	struct montecito_pmu_reg reg[PMU_MOST_REGISTERS];
	unsigned int v, n = c->program->registers(&c->event, c->counter, reg);
	char why[128];
	int err;

	for (v = 0; v < montecito_nr_vcpus(m); v++) {
		err = montecito_pmu_set(m, v, c->block->id[v], reg, n, why);
		if (err < 0)
			return fail("-e %s: %s", c->text, why[0] ? why : strerror(-err));
	}
	return 0;
}

/* True if the last of the counters can count @c, which not all can. */
static bool stat_pmu_is_free(const struct pmu_count *c)
{
	return c->event.d.counters >> (c->program->first + c->program->counters - 1) & 1;
}

int pmu_count_start(struct pmu_counting *p, struct montecito *m, bool strict)
{
	size_t i;

	if (!p->words.nr)
		return 0;
	p->block = calloc(MAX_BLOCKS, sizeof(*p->block));
	p->count = calloc(p->words.nr, sizeof(*p->count));
	if (!p->block || !p->count)
		return fail("out of memory");
	p->nr = p->words.nr;
	for (i = 0; i < p->nr; i++) {
		struct pmu_count *c = &p->count[i];

		c->text = p->words.word[i].text;
		c->program = p->words.word[i].program;
		if (pmu_event_find(&c->event, &p->words.word[i], m, false))
			return EXIT_MONTCTL;
		if (strict && c->event.d.likeness == MONTECITO_LIKE_ANALOGUE)
			return fail("--strict: %s is an analogue here: %s", c->event.d.name,
				    c->event.d.text);
		if (stat_pmu_is_free(c))
			continue;
		if (stat_pmu_place(p, c))
			return EXIT_MONTCTL;
	}
	for (i = 0; i < p->nr; i++)
		if (!p->count[i].block && stat_pmu_place(p, &p->count[i]))
			return EXIT_MONTCTL;
	for (i = 0; i < p->nr_blocks; i++)
		if (stat_pmu_add(&p->block[i], m))
			return EXIT_MONTCTL;
	for (i = 0; i < p->nr; i++)
		if (stat_pmu_program(&p->count[i], m))
			return EXIT_MONTCTL;
	return 0;
}

int pmu_count_read(struct pmu_counting *p, struct montecito *m)
{
	unsigned int v;
	size_t i;

	for (i = 0; i < p->nr; i++) {
		struct pmu_count *c = &p->count[i];

		for (v = 0; v < montecito_nr_vcpus(m); v++) {
			struct montecito_pmu_reg reg = c->program->count;
			char why[128];
			int err;

			reg.index += c->counter;
			err = montecito_pmu_get(m, v, c->block->id[v], &reg, 1, why);
			if (err < 0)
				return err;
			c->total += (reg.value - c->last[v]) & (~0ULL >> (64 - c->program->bits));
			c->last[v] = reg.value;
		}
	}
	return 0;
}

void pmu_count_text(const struct pmu_counting *p, FILE *f)
{
	char safe[256], buf[32];
	size_t i;

	for (i = 0; i < p->nr; i++) {
		const struct pmu_count *c = &p->count[i];
		const char *mod = strchr(c->text, ':');

		fprintf(f, " %20s  %s: %s%s%s\n", grouped(c->total, f, buf),
			pmu_kind_name(c->program->kind), c->event.d.name,
			mod ? plain(mod, safe, sizeof(safe)) : "",
			c->event.d.likeness == MONTECITO_LIKE_ANALOGUE ? " (analogue)" : "");
	}
}

struct json_object *pmu_count_json(const struct pmu_counting *p)
{
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < p->nr; i++) {
		const struct pmu_count *c = &p->count[i];
		struct json_object *o = json_object_new_object();

		json_object_object_add(o, "pmu",
				       json_object_new_string(pmu_kind_name(c->program->kind)));
		json_object_object_add(o, "event", json_object_new_string(c->text));
		json_object_object_add(o, "name", json_object_new_string(c->event.d.name));
		json_object_object_add(o, "likeness",
				       json_object_new_string(pmu_likeness(c->event.d.likeness)));
		json_object_object_add(o, "count", json_object_new_uint64(c->total));
		json_object_array_add(list, o);
	}
	return list;
}

void pmu_count_each(const struct pmu_counting *p,
		    void (*line)(const void *arg, FILE *f, const char *name, uint64_t count),
		    const void *arg, FILE *f)
{
	char name[320];
	size_t i;

	for (i = 0; i < p->nr; i++) {
		snprintf(name, sizeof(name), "%s:%s", pmu_kind_name(p->count[i].program->kind),
			 p->count[i].text);
		line(arg, f, name, p->count[i].total);
	}
}

void pmu_count_free(struct pmu_counting *p)
{
	pmu_words_free(&p->words);
	free(p->count);
	free(p->block);
	*p = (struct pmu_counting){ 0 };
}
