/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events of other processors' PMUs, as options give them: NAME[:MODIFIER...]. Called by
 * stat_pmu.c, recorder_pmu.c and complete.c.
 */
#ifndef MONTCTL_PMU_EVENT_H
#define MONTCTL_PMU_EVENT_H

#include <stdbool.h>
#include <stddef.h>

#include "pmu_program.h"

/**
 * struct pmu_words - events as they were given
 * @word: of each
 * @nr: how many
 */
struct pmu_words {
	struct pmu_word {
		char *text;
		const struct pmu_program *program;
	} * word;
	size_t nr;
};

/* Add those of @list, which are of @kind: 0, or EXIT_MONTCTL after a message. */
int pmu_words_add(struct pmu_words *w, uint32_t kind, const char *list);
void pmu_words_free(struct pmu_words *w);

/*
 * Find the event of @w in what @m describes, for a count or, if @sampled, for samples, and take
 * its modifiers: 0, or EXIT_MONTCTL after a message.
 */
int pmu_event_find(struct pmu_event *e, const struct pmu_word *w, struct montecito *m,
		   bool sampled);

/* Names that events of @program have beside those of its table, from 0 on; NULL behind the last. */
const char *pmu_event_alias(const struct pmu_program *program, size_t index);

#endif
