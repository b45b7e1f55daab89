/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * montctl record --pmu: events of other processors' PMUs, each in a PMU of its own. Called by
 * recorder.c and record.c.
 */
#ifndef MONTCTL_RECORDER_PMU_H
#define MONTCTL_RECORDER_PMU_H

#include "pmu_event.h"

struct json_object;

/**
 * struct pmu_recording - events that are sampled
 * @words: the events as they were given
 * @event: each, found
 * @sampler: the registers of each
 * @period: of each
 * @id: of the PMUs, by vcpu and event
 */
struct pmu_recording {
	struct pmu_words words;
	struct pmu_event *event;
	struct pmu_sampler *sampler;
	uint64_t *period;
	uint32_t *id;
};

/* Find the events, of @period where they say no other: 0, or EXIT_MONTCTL after a message. */
int pmu_record_start(struct pmu_recording *p, struct montecito *m, uint64_t period);
/* Begin to sample, into rings that are open: 0, or EXIT_MONTCTL after a message. */
int pmu_record_watch(struct pmu_recording *p, struct montecito *m);
/* Take the PMUs away: 0, or a negative errno. */
int pmu_record_unwatch(struct pmu_recording *p, struct montecito *m);
/* The event that @r, of @vcpu, is a sample of; -1: it is none, such as that of a full buffer. */
int pmu_record_event(const struct pmu_recording *p, unsigned int vcpu,
		     const struct montecito_record_pmu *r);
/* Event @i as the header of the file has it. */
struct json_object *pmu_record_json(const struct pmu_recording *p, size_t i);
/* Bytes of the largest record. */
size_t pmu_record_size(void);
void pmu_record_free(struct pmu_recording *p);

#endif
