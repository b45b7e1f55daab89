// SPDX-License-Identifier: GPL-2.0-only
/*
 * montctl stat --pmu: events of other processors' PMUs. Events with the same filters and units
 * share a PMU of that kind; its counters of 32 bits are read often enough that none wraps
 * twice.
 */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "montctl.h"
#include "pmu_kinds.h"
#include "stat_pmu.h"
#include "terminal.h"

#define MAX_VCPUS 4
#define MAX_BLOCKS 8
#define FIRST 4 /* PMC4 and PMD4 are those of the first counter */
#define COUNTERS 4

#define ES_SHIFT 8
#define UMASK_SHIFT 16
#define THRESHOLD_SHIFT 20
#define PM 0x40ULL
#define TLB 0x80ULL
#define PT (1ULL << 28)
#define EVERY_BRANCH 0xff80ULL /* PMC12: tar, tm, ptm, ppm, bpt, bac */
#define ADDRESS_MASK ((1ULL << 56) - 1)

/* Codes of the events that count captures of a unit. */
#define INSN_EAR 0x23
#define DATA_EAR 0x67
#define TRACE 0x11

/* The registers of a PMU beside its counters: PMC8 to PMC13, a pair of IBRs, one of DBRs. */
struct setup {
	uint64_t pmc[6];
	uint64_t ibr[2];
	uint64_t dbr[2];
};

struct pmu_block {
	struct setup setup;
	uint32_t kind;
	uint32_t id[MAX_VCPUS];
	unsigned int used;
};

struct pmu_count {
	char *text;
	uint32_t kind;
	struct montecito_pmu_describe d;
	struct setup setup;
	uint64_t pmc;
	uint64_t plm;
	struct pmu_block *block;
	unsigned int counter;
	uint32_t last[MAX_VCPUS];
	uint64_t total;
};

int pmu_count_option(struct pmu_counting *p, uint32_t kind, const char *list)
{
	char *copy = strdup(list), *rest = copy, *word;

	while (copy && (word = strsep(&rest, ","))) {
		struct pmu_count *more = reallocarray(p->count, p->nr + 1, sizeof(*more));

		if (!more)
			break;
		p->count = more;
		p->count[p->nr] = (struct pmu_count){ .text = strdup(word), .kind = kind };
		if (!p->count[p->nr].text)
			break;
		p->nr++;
	}
	free(copy);
	return copy && !rest ? 0 : fail("out of memory");
}

/* LO-HI as an address and a mask, which hold a power of two, aligned to itself. */
static const char *range(const char *text, uint64_t pair[2])
{
	char *end;
	uint64_t lo, hi, size;

	errno = 0;
	lo = strtoull(text, &end, 0);
	if (end == text || *end != '-' || errno)
		return "a range is LO-HI, two addresses";
	text = end + 1;
	hi = strtoull(text, &end, 0);
	if (end == text || *end || errno || hi <= lo)
		return "a range is LO-HI, two addresses";
	size = hi - lo;
	if ((size & (size - 1)) || (lo & (size - 1)))
		return "this PMU's ranges are powers of two, aligned to themselves";
	pair[0] = lo;
	pair[1] = ~(size - 1) & ADDRESS_MASK;
	return NULL;
}

/* One modifier of @c. Return: the rule that refuses it, or NULL. */
static const char *modifier(struct pmu_count *c, char *word)
{
	char *value = strchr(word, '=');
	uint64_t n = 0;

	if (!strcmp(word, "u") || !strcmp(word, "k")) {
		c->plm = *word == 'u' ? 8 : 7;
		return NULL;
	}
	if (!value)
		return "no such modifier; there are u, k, plm=, pm=, t=, iar=, dar=, pmc8= to pmc12=";
	*value++ = '\0';
	if (!strcmp(word, "iar")) {
		c->setup.pmc[5] = 0;
		return c->d.filters & MONTECITO_FILTER_IAR ? range(value, c->setup.ibr)
							   : "this event has no instruction range";
	}
	if (!strcmp(word, "dar")) {
		c->setup.pmc[3] &= ~PT;
		return c->d.filters & MONTECITO_FILTER_DAR ? range(value, c->setup.dbr)
							   : "this event has no data range";
	}
	if (parse_number(value, &n))
		return "a modifier's value must be a number";
	if (!strcmp(word, "plm") && n && n < 16) {
		c->plm = n;
	} else if (!strcmp(word, "pm") && n < 2) {
		c->pmc |= n * PM;
	} else if (!strcmp(word, "t") && n < 8) {
		c->pmc |= n << THRESHOLD_SHIFT;
	} else if (!strcmp(word, "pmc8") || !strcmp(word, "pmc9")) {
		if (!(c->d.filters & MONTECITO_FILTER_OPC))
			return "this event has no opcode filter";
		c->setup.pmc[word[3] - '8'] = n;
	} else if (!strcmp(word, "pmc10") || !strcmp(word, "pmc11") || !strcmp(word, "pmc12")) {
		c->setup.pmc[2 + word[4] - '0'] = n;
	} else {
		return "no such modifier, or its value is out of range";
	}
	return NULL;
}

/* Set up the unit whose captures @c counts: by its name, unless a modifier has. */
static void unit(struct pmu_count *c)
{
	uint64_t *pmc12 = &c->setup.pmc[4], *ear = &c->setup.pmc[c->d.code == INSN_EAR ? 2 : 3];
	uint64_t levels = c->plm | (c->pmc & PM);

	if (c->d.code == TRACE && !*pmc12)
		*pmc12 = levels | EVERY_BRANCH;
	if ((c->d.code != INSN_EAR && c->d.code != DATA_EAR) || strstr(c->d.name, "_EAR_EVENTS"))
		return;
	*ear |= levels | (uint64_t)c->d.umask << UMASK_SHIFT;
	if (strstr(c->d.name, "_TLB_"))
		*ear |= TLB;
	c->d.umask = 0;
}

/* Find the event and take its modifiers. */
static int resolve(struct pmu_count *c, struct montecito *m)
{
	size_t len = strcspn(c->text, ":");
	const char *why = NULL;
	char *copy, *rest, *word;

	c->d = (struct montecito_pmu_describe){ .flags = MONTECITO_PMU_EVENT, .kind = c->kind };
	while (!montecito_pmu_describe(m, 0, &c->d)) {
		if (strlen(c->d.name) == len && !strncasecmp(c->d.name, c->text, len))
			break;
		c->d.index++;
		c->d.name[0] = '\0';
	}
	if (!c->d.name[0])
		return fail("-e %s: %s has no such event (montctl events --pmu %s)", c->text,
			    pmu_kind_name(c->kind), pmu_kind_name(c->kind));
	if (c->d.why[0])
		return fail("-e %s: %s", c->text, c->d.why);
	c->setup = (struct setup){ .pmc = { ~0ULL, ~0ULL, 0, PT, 0, 1 } };
	c->plm = 15;
	copy = strdup(c->text + len);
	if (!copy)
		return fail("out of memory");
	rest = *copy ? copy + 1 : NULL;
	while (!why && (word = strsep(&rest, ":")))
		why = modifier(c, word);
	free(copy);
	if (why)
		return fail("-e %s: %s", c->text, why);
	unit(c);
	c->pmc |= c->plm | (uint64_t)c->d.code << ES_SHIFT | (uint64_t)c->d.umask << UMASK_SHIFT;
	return 0;
}

/* A counter for @c in a PMU with its setup, a new one if need be. */
static int place(struct pmu_counting *p, struct pmu_count *c)
{
	unsigned int n;
	size_t i;

	for (i = 0; i <= p->nr_blocks && i < MAX_BLOCKS; i++) {
		struct pmu_block *b = &p->block[i];

		if (i == p->nr_blocks) {
			*b = (struct pmu_block){ .setup = c->setup, .kind = c->kind };
			p->nr_blocks++;
		}
		if (b->kind != c->kind || memcmp(&b->setup, &c->setup, sizeof(b->setup)))
			continue;
		/* From above: PMC4 and PMC5 hold what no other can. */
		for (n = COUNTERS; n--;)
			if (!(b->used >> n & 1) && (c->d.counters >> (FIRST + n) & 1)) {
				b->used |= 1U << n;
				c->block = b;
				c->counter = n;
				return 0;
			}
	}
	return fail("-e %s: the counters of %d PMUs of this kind do not hold all these events",
		    c->text, MAX_BLOCKS);
}

static int add(struct pmu_block *b, struct montecito *m)
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
static int program(const struct pmu_count *c, struct montecito *m)
{
	const struct setup *s = &c->block->setup;
	struct montecito_pmu_reg reg[11];
	unsigned int v, n = 0, i;
	char why[128];
	int err;

	for (i = 0; i < 6; i++)
		reg[n++] = (struct montecito_pmu_reg){ MONTECITO_REG_PMC, 8 + i, s->pmc[i] };
	for (i = 0; i < 2; i++) {
		reg[n++] = (struct montecito_pmu_reg){ MONTECITO_REG_IBR, i, s->ibr[i] };
		reg[n++] = (struct montecito_pmu_reg){ MONTECITO_REG_DBR, i, s->dbr[i] };
	}
	reg[n++] = (struct montecito_pmu_reg){ MONTECITO_REG_PMC, FIRST + c->counter, c->pmc };
	for (v = 0; v < montecito_nr_vcpus(m); v++) {
		err = montecito_pmu_set(m, v, c->block->id[v], reg, n, why);
		if (err < 0)
			return fail("-e %s: %s", c->text, why[0] ? why : strerror(-err));
	}
	return 0;
}

int pmu_count_start(struct pmu_counting *p, struct montecito *m, bool strict)
{
	size_t i;

	if (!p->nr)
		return 0;
	p->block = calloc(MAX_BLOCKS, sizeof(*p->block));
	if (!p->block)
		return fail("out of memory");
	for (i = 0; i < p->nr; i++) {
		struct pmu_count *c = &p->count[i];

		if (resolve(c, m))
			return EXIT_MONTCTL;
		if (strict && c->d.likeness == MONTECITO_LIKE_ANALOGUE)
			return fail("--strict: %s is an analogue here: %s", c->d.name, c->d.text);
		if (c->d.counters >> (FIRST + 2))
			continue;
		if (place(p, c))
			return EXIT_MONTCTL;
	}
	for (i = 0; i < p->nr; i++)
		if (!p->count[i].block && place(p, &p->count[i]))
			return EXIT_MONTCTL;
	for (i = 0; i < p->nr_blocks; i++)
		if (add(&p->block[i], m))
			return EXIT_MONTCTL;
	for (i = 0; i < p->nr; i++)
		if (program(&p->count[i], m))
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
			struct montecito_pmu_reg reg = { MONTECITO_REG_PMD, FIRST + c->counter, 0 };
			char why[128];
			int err = montecito_pmu_get(m, v, c->block->id[v], &reg, 1, why);

			if (err < 0)
				return err;
			c->total += (uint32_t)reg.value - c->last[v];
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

		fprintf(f, " %20s  %s: %s%s%s\n", grouped(c->total, f, buf), pmu_kind_name(c->kind),
			c->d.name, mod ? plain(mod, safe, sizeof(safe)) : "",
			c->d.likeness == MONTECITO_LIKE_ANALOGUE ? " (analogue)" : "");
	}
}

struct json_object *pmu_count_json(const struct pmu_counting *p)
{
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < p->nr; i++) {
		const struct pmu_count *c = &p->count[i];
		struct json_object *o = json_object_new_object();

		json_object_object_add(o, "pmu", json_object_new_string(pmu_kind_name(c->kind)));
		json_object_object_add(o, "event", json_object_new_string(c->text));
		json_object_object_add(o, "name", json_object_new_string(c->d.name));
		json_object_object_add(o, "likeness",
				       json_object_new_string(pmu_likeness(c->d.likeness)));
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
		snprintf(name, sizeof(name), "%s:%s", pmu_kind_name(p->count[i].kind),
			 p->count[i].text);
		line(arg, f, name, p->count[i].total);
	}
}

void pmu_count_free(struct pmu_counting *p)
{
	size_t i;

	for (i = 0; i < p->nr; i++)
		free(p->count[i].text);
	free(p->count);
	free(p->block);
	*p = (struct pmu_counting){ 0 };
}
