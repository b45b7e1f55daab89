// SPDX-License-Identifier: GPL-2.0-only
/* Events of other processors' PMUs, as options give them. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "montctl.h"
#include "pmu_event.h"
#include "pmu_kinds.h"

int pmu_words_add(struct pmu_words *w, uint32_t kind, const char *list)
{
	char *copy = strdup(list), *rest = copy, *text;

	while (copy && (text = strsep(&rest, ","))) {
		struct pmu_word *more = reallocarray(w->word, w->nr + 1, sizeof(*more));

		if (!more)
			break;
		w->word = more;
		more[w->nr] = (struct pmu_word){ strdup(text), pmu_program(kind) };
		if (!more[w->nr].text)
			break;
		w->nr++;
	}
	free(copy);
	return copy && !rest ? 0 : fail("out of memory");
}

void pmu_words_free(struct pmu_words *w)
{
	while (w->nr)
		free(w->word[--w->nr].text);
	free(w->word);
	w->word = NULL;
}

const char *pmu_event_alias(const struct pmu_program *program, size_t index)
{
	size_t i;

	for (i = 0; program->alias && program->alias[2 * i]; i++)
		if (i == index)
			return program->alias[2 * i];
	return NULL;
}

/* The name that begins @w's text, or what it stands for, of *@len characters. */
static const char *pmu_event_name_of(const struct pmu_word *w, size_t *len)
{
	const char *alias;
	size_t i;

	*len = strcspn(w->text, ":");
	for (i = 0; (alias = pmu_event_alias(w->program, i)); i++)
		if (strlen(alias) == *len && !strncasecmp(alias, w->text, *len)) {
			alias = w->program->alias[2 * i + 1];
			*len = strlen(alias);
			return alias;
		}
	return w->text;
}

/* One modifier of @e. Return: the rule that refuses it, or NULL. */
static const char *pmu_event_modifier(const struct pmu_program *program, struct pmu_event *e,
				      char *word)
{
	if (!strncmp(word, "period=", 7)) {
		if (!e->sampled)
			return "a period goes with montctl record";
		return parse_number(word + 7, &e->period) || !e->period
			       ? "a period is a number from 1 on"
			       : NULL;
	}
	if (strcmp(word, "u") && strcmp(word, "k"))
		return program->modifier(e, word);
	e->plm = *word == 'u' ? 8 : 7;
	return NULL;
}

/* Find the description: 0, or EXIT_MONTCTL after a message. */
static int pmu_event_describe(struct pmu_event *e, const struct pmu_word *w, struct montecito *m)
{
	const char *kind = pmu_kind_name(w->program->kind), *name;
	size_t len;

	name = pmu_event_name_of(w, &len);
	e->d = (struct montecito_pmu_describe){ .flags = MONTECITO_PMU_EVENT,
						.kind = w->program->kind };
	while (!montecito_pmu_describe(m, 0, &e->d)) {
		if (strlen(e->d.name) == len && !strncasecmp(e->d.name, name, len))
			break;
		e->d.index++;
		e->d.name[0] = '\0';
	}
	if (!e->d.name[0])
		return fail("-e %s: %s has no such event (montctl events --pmu %s)", w->text, kind,
			    kind);
	return e->d.why[0] ? fail("-e %s: %s", w->text, e->d.why) : 0;
}

int pmu_event_find(struct pmu_event *e, const struct pmu_word *w, struct montecito *m, bool sampled)
{
	const char *why = NULL;
	char *copy, *rest, *word;
	int err = pmu_event_describe(e, w, m);

	if (err)
		return err;
	e->plm = 15;
	e->sampled = sampled;
	w->program->begin(e);
	copy = strdup(w->text + strcspn(w->text, ":"));
	if (!copy)
		return fail("out of memory");
	rest = *copy ? copy + 1 : NULL;
	while (!why && (word = strsep(&rest, ":")))
		why = pmu_event_modifier(w->program, e, word);
	free(copy);
	if (!why)
		why = w->program->end(e);
	return why ? fail("-e %s: %s", w->text, why) : 0;
}
