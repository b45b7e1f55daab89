// SPDX-License-Identifier: GPL-2.0-only
/*
 * montctl record --pmu: each event has a PMU of its own on each vcpu, whose interrupts go into
 * the ring and reload what a handler would.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "montctl.h"
#include "pmu_kinds.h"
#include "recorder_pmu.h"

#define MOST_VALUES 22 /* of a record: those of a precise one */

int pmu_record_start(struct pmu_recording *p, struct montecito *m, uint64_t period)
{
	const char *why;
	size_t i;

	p->event = calloc(p->words.nr + 1, sizeof(*p->event));
	p->sampler = calloc(p->words.nr + 1, sizeof(*p->sampler));
	p->period = calloc(p->words.nr + 1, sizeof(*p->period));
	p->id = calloc(montecito_nr_vcpus(m) * p->words.nr + 1, sizeof(*p->id));
	if (!p->event || !p->sampler || !p->period || !p->id)
		return fail("out of memory");
	for (i = 0; i < p->words.nr; i++) {
		const struct pmu_word *w = &p->words.word[i];

		if (pmu_event_find(&p->event[i], w, m, true))
			return EXIT_MONTCTL;
		p->period[i] = p->event[i].period ? p->event[i].period : period;
		why = w->program->sample(&p->event[i], p->period[i], &p->sampler[i]);
		if (why)
			return fail("-e %s: %s", w->text, why);
	}
	return 0;
}

/* Add the PMU of event @i to vcpu @v. */
static int recorder_pmu_add(struct pmu_recording *p, struct montecito *m, unsigned int v, size_t i)
{
	const struct pmu_word *w = &p->words.word[i];
	struct pmu_sampler *s = &p->sampler[i];
	struct montecito_pmu_add a = {
		.flags = MONTECITO_PMU_SAMPLE,
		.kind = w->program->kind,
		.nr_reload = s->nr_reload,
		.sample_pmds = s->pmds,
	};
	char why[128];
	int id, err;

	memcpy(a.reload, s->reload, sizeof(a.reload));
	id = montecito_pmu_add(m, v, &a);
	if (id < 0)
		return fail("-e %s: %s", w->text, a.why[0] ? a.why : strerror(-id));
	p->id[v * p->words.nr + i] = id;
	err = montecito_pmu_set(m, v, id, s->reg, s->nr, why);
	return err < 0 ? fail("-e %s: %s", w->text, why[0] ? why : strerror(-err)) : 0;
}

int pmu_record_watch(struct pmu_recording *p, struct montecito *m)
{
	size_t i, nr = montecito_nr_vcpus(m) * p->words.nr;

	for (i = 0; i < nr; i++)
		if (recorder_pmu_add(p, m, i / p->words.nr, i % p->words.nr))
			return EXIT_MONTCTL;
	return 0;
}

int pmu_record_unwatch(struct pmu_recording *p, struct montecito *m)
{
	size_t i, nr = montecito_nr_vcpus(m) * p->words.nr;
	int err = 0;

	for (i = 0; !err && i < nr; i++)
		err = montecito_pmu_del(m, i / p->words.nr, p->id[i]);
	return err;
}

int pmu_record_event(const struct pmu_recording *p, unsigned int vcpu,
		     const struct montecito_record_pmu *r)
{
	size_t i;

	for (i = 0; i < p->words.nr; i++)
		if (p->id[vcpu * p->words.nr + i] == r->id &&
		    p->words.word[i].program->kind == r->header.misc)
			return r->cause & p->sampler[i].cause ? (int)i : -1;
	return -1;
}

struct json_object *pmu_record_json(const struct pmu_recording *p, size_t i)
{
	const char *kind = pmu_kind_name(p->words.word[i].program->kind);
	struct json_object *e = json_object_new_object();

	json_object_object_add(e, "event", json_object_new_string(p->words.word[i].text));
	json_object_object_add(e, "name", json_object_new_string(p->event[i].d.name));
	json_object_object_add(e, "period", json_object_new_uint64(p->period[i]));
	json_object_object_add(e, "random_mask", json_object_new_uint64(0));
	json_object_object_add(e, "pmu", json_object_new_string(kind));
	json_object_object_add(e, "likeness",
			       json_object_new_string(pmu_likeness(p->event[i].d.likeness)));
	return e;
}

size_t pmu_record_size(void)
{
	return sizeof(struct montecito_record_pmu) + MOST_VALUES * sizeof(uint64_t);
}

void pmu_record_free(struct pmu_recording *p)
{
	pmu_words_free(&p->words);
	free(p->event);
	free(p->sampler);
	free(p->period);
	free(p->id);
}
