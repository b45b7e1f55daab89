/* SPDX-License-Identifier: GPL-2.0-only */
/* Events of the PMU "montecito" of the host's own perf, and their samples. */
#ifndef PERFEVENT_H
#define PERFEVENT_H

#include <linux/perf_event.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common.h"

#define PMU "/sys/bus/event_source/devices/montecito"
#define ACTIVE 64 /* as caps/max_events */
#define SAMPLERS 16 /* as caps/max_samplers */
#define INST MONTECITO_EVENT_IA64_INST_RETIRED
#define NOPS 0x50

/* The first number of a file, or -1. */
long read_number(const char *path);
void write_number(const char *path, int n);
/* True where the PMU is. A host that has perf and no such PMU ends the test. */
bool has_perf(void);

/* An event of the PMU, with a period unless that is 0. */
struct perf_event_attr attribute(uint64_t config, uint64_t period);
/* A descriptor or a negative errno. */
int open_event(struct perf_event_attr *a, pid_t pid, int cpu, int group);
/* One of this task on any CPU. */
int event(uint64_t config, uint64_t period);

#define NOT_COUNTED (~0ULL)
/* The count of an event, or NOT_COUNTED: in error, for perf <not counted>. */
uint64_t value(int fd);

#define MAX_ROWS 700
/* The row of events/@name as a config; false if it cannot be read. */
bool row_config(const char *name, uint64_t *config);
/* All rows: how many. */
int rows(uint64_t config[MAX_ROWS]);

/* An observer of the machine's own that counts what @config does. */
long observe(int v, uint64_t config, uint32_t *id);
/* Pin the calling thread to @cpu, or to none: -1. */
void stay_on(int cpu);

/* An event's ring. */
struct samples {
	int fd;
	struct perf_event_mmap_page *page;
	unsigned char *data;
	uint64_t size;
	uint64_t lost;
};

struct sample {
	uint64_t ip;
	uint32_t size;
	struct montecito_perf_sample raw;
} __attribute__((packed));

void samples_map(struct samples *s, int pages);
/* Both the ring and its event. */
void samples_close(struct samples *s);
/* The next sample; lost ones are added to s->lost. */
bool samples_next(struct samples *s, struct sample *to);

#endif
