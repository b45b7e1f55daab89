// SPDX-License-Identifier: GPL-2.0-only
/* Sampling a machine into a file: observers, their rings, the file's form. */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "montctl.h"
#include "recorder.h"
#include "recorder_pmu.h"
#include "samples.h"
#include "samples_file.h"

#define RING_ORDER 6
#define RING_ORDER_CHAINS 9 /* records of call chains are ten times as long */
/* log2 of the instructions of a table of exact counts, as many as INFO allows */
#define TABLE_ORDER 16
#define LEAST_SLICE 100 /* instructions */
/* As far as a counter of 47 bits goes. */
#define MAX_PERIOD ((1ULL << 47) - 1)
#define PAGE 4096

int recorder_period(struct recorder *r, const char *command, const char *arg)
{
	if (parse_number(arg, &r->period) || !r->period || r->period > MAX_PERIOD)
		return usage_error(command, "-c %s: a period is a number from 1 to 2^47 - 1", arg);
	return 0;
}

int recorder_frequency(struct recorder *r, const char *command, const char *arg)
{
	if (parse_number(arg, &r->frequency) || !r->frequency || r->frequency > MONTECITO_CORE_HZ)
		return usage_error(command, "-F %s: a frequency is 1 to %llu samples a second", arg,
				   (unsigned long long)MONTECITO_CORE_HZ);
	r->period = (MONTECITO_CORE_HZ + r->frequency / 2) / r->frequency;
	return 0;
}

int recorder_mask(struct recorder *r, const char *command, const char *arg)
{
	if (parse_number(arg, &r->mask) || r->mask > MAX_PERIOD)
		return usage_error(command, "--random %s: must be a mask of bits below 2^47", arg);
	r->random = r->mask ? RECORDER_MASK : RECORDER_FIXED;
	return 0;
}

int recorder_seed(struct recorder *r, const char *command, const char *arg)
{
	if (parse_number(arg, &r->seed))
		return usage_error(command, "--seed %s: must be a number", arg);
	return 0;
}

int recorder_depth(struct recorder *r, const char *command, const char *arg)
{
	if (parse_number(arg, &r->depth) || !r->depth || r->depth > MONTECITO_MAX_CALLCHAIN)
		return usage_error(command, "--max-stack %s: must be 1 to %d calls", arg,
				   MONTECITO_MAX_CALLCHAIN);
	return 0;
}

static uint64_t recorder_event_period(const struct recorder *r, size_t i)
{
	if (r->exact)
		return 1;
	return r->specs[i].period ? r->specs[i].period : r->period;
}

static bool recorder_is_prime(uint64_t n)
{
	uint64_t i;

	for (i = 2; i * i <= n; i++)
		if (n % i == 0)
			return false;
	return n > 1;
}

/*
 * A period that has a divisor in common with a loop of the program meets the same places of
 * it again and again. Without a choice of the caller's an interval differs from such a period
 * by at most half of it, as many bits as fit.
 */
static uint64_t recorder_event_mask(const struct recorder *r, size_t i)
{
	uint64_t period = recorder_event_period(r, i), mask = 0;

	if (r->exact)
		return 0;
	if (r->random == RECORDER_MASK)
		return r->mask;
	if (r->random == RECORDER_FIXED || recorder_is_prime(period) || period >> 46)
		return 0;
	while (2 * mask + 1 < period)
		mask = 2 * mask + 1;
	return mask;
}

/* Events of other PMUs */
static size_t recorder_nr_pmu(const struct recorder *r)
{
	return r->pmu ? r->pmu->words.nr : 0;
}

/* Observers are numbered as each backend likes; in the file events count from 0. */
static int recorder_renumber(const struct recorder *r, unsigned int vcpu,
			     struct montecito_record_sample *s)
{
	size_t i;

	for (i = 0; i < r->nr; i++) {
		if (r->id[vcpu * r->nr + i] == s->source) {
			s->source = i;
			return 0;
		}
	}
	return -EPROTO;
}

static int recorder_by_instruction(const void *pa, const void *pb)
{
	const struct montecito_table_entry *a = pa, *b = pb;

	if (a->ip != b->ip)
		return a->ip < b->ip ? -1 : 1;
	return (a->slot > b->slot) - (a->slot < b->slot);
}

/* Write the counts by instruction of observer @id, which counts event @i. */
static int recorder_write_table(struct recorder *r, unsigned int v, uint32_t id, size_t i,
				struct montecito_table_entry *entry)
{
	struct montecito_table_read table = {
		.id = id,
		.count = 1U << TABLE_ORDER,
		.entries = (uintptr_t)entry,
	};
	struct samples_count c = {
		.header = { .type = SAMPLES_COUNT, .size = sizeof(c) },
		.source = i,
		.vcpu = v,
	};
	uint32_t n;
	int err = montecito_table_read(r->m, v, &table);

	if (err)
		return err;
	qsort(entry, table.count, sizeof(*entry), recorder_by_instruction);
	for (n = 0; !r->error && n < table.count; n++) {
		c.at = entry[n].ip | entry[n].slot;
		c.count = entry[n].count;
		r->samples++;
		r->occurrences += c.count;
		r->error = samples_put(r->f, &c.header);
	}
	r->lost += table.lost;
	return r->error ? -EIO : 0;
}

/* True if the waits of groups are recorded beside the counts. */
static bool recorder_has_waits(const struct recorder *r)
{
	return r->exact && r->timing;
}

/* A stall that waits for an operand */
static int recorder_take_wait(struct recorder *r, unsigned int v,
			      const struct montecito_record_trace *e)
{
	const struct wait one = {
		.at = e->ip | e->slot,
		.cause = e->what,
		.operand = (uint32_t)e->value[1],
		.cycles = e->value[0] - e->cycle,
	};

	if (e->value[1] == MONTECITO_TRACE_NO_OPERAND)
		return 0;
	return waits_add(&r->waits[v], &one);
}

static void recorder_write_waits(struct recorder *r)
{
	struct samples_wait w = { .header = { .type = SAMPLES_WAIT, .size = sizeof(w) } };
	size_t i;

	for (w.vcpu = 0; r->waits && w.vcpu < montecito_nr_vcpus(r->m); w.vcpu++) {
		waits_fold(&r->waits[w.vcpu]);
		for (i = 0; !r->error && i < r->waits[w.vcpu].nr; i++) {
			w.wait = r->waits[w.vcpu].list[i];
			r->error = samples_put(r->f, &w.header);
		}
	}
}

/* Write the counts of all observers, which end after that. */
static int recorder_write_tables(struct recorder *r)
{
	size_t i, nr = montecito_nr_vcpus(r->m) * r->nr;
	struct montecito_table_entry *entry = malloc(sizeof(*entry) << TABLE_ORDER);
	int err = entry ? 0 : -ENOMEM;

	for (i = 0; !err && i < nr; i++)
		err = recorder_write_table(r, i / r->nr, r->id[i], i % r->nr, entry);
	free(entry);
	return err;
}

/* A record of another PMU, whose events are behind the others in the file: false if it is none. */
static bool recorder_renumber_pmu(const struct recorder *r, unsigned int vcpu,
				  struct montecito_record_pmu *p)
{
	int event = recorder_nr_pmu(r) ? pmu_record_event(r->pmu, vcpu, p) : -1;

	p->id = r->nr + event;
	return event >= 0;
}

/*
 * Say whose the samples of vcpu @v are that come now, where that has changed. The rings are emptied
 * before another process gets the processor.
 */
static int recorder_write_process(struct recorder *r, unsigned int v)
{
	struct samples_process p = {
		.header = { .type = SAMPLES_PROCESS, .size = sizeof(p) },
		.vcpu = v,
	};
	const char *program = NULL;
	size_t len;

	p.pid = r->process ? montecito_process_running(r->process, v, &program) : 0;
	if (!p.pid || (p.pid == r->pid[v] && !strcmp(program, r->runs[v])))
		return 0;
	len = strlen(program);
	if (len >= sizeof(p.program))
		program += len - sizeof(p.program) + 1;
	strncpy(p.program, program, sizeof(p.program) - 1);
	free(r->runs[v]);
	r->runs[v] = strdup(program);
	if (!r->runs[v])
		return -ENOMEM;
	r->pid[v] = p.pid;
	r->error = samples_put(r->f, &p.header);
	return r->error ? -EIO : 0;
}

int recorder_drain(struct recorder *r)
{
	union {
		struct montecito_record_header h;
		struct montecito_record_sample s;
		struct montecito_record_trace trace;
		struct montecito_record_pmu pmu;
		char raw[MONTECITO_RECORD_MAX];
	} u;
	unsigned int v;
	int len = 0;

	if (r->exact && !r->waits)
		return 0;
	for (v = 0; !r->error && v < montecito_nr_vcpus(r->m); v++) {
		while ((len = montecito_ring_read(r->m, v, &u, sizeof(u))) > 0) {
			if (u.h.type == MONTECITO_RECORD_TRACE) {
				len = recorder_take_wait(r, v, &u.trace);
				if (len)
					return len;
				continue;
			}
			if (r->exact)
				continue;
			len = recorder_write_process(r, v);
			if (len)
				return len;
			if (u.h.type == MONTECITO_RECORD_SAMPLE) {
				if (recorder_renumber(r, v, &u.s))
					return -EPROTO;
				r->samples++;
			}
			if (u.h.type == MONTECITO_RECORD_PMU) {
				if (!recorder_renumber_pmu(r, v, &u.pmu))
					continue;
				r->samples++;
			}
			r->error = samples_put(r->f, &u.h);
			if (r->error)
				return -EIO;
		}
		if (len < 0)
			return len;
	}
	return r->error ? -ECANCELED : 0;
}

static void recorder_add_path(struct json_object *o, const char *key, const char *path)
{
	char *full = realpath(path, NULL);

	json_object_object_add(o, key, json_object_new_string(full ? full : path));
	free(full);
}

static int recorder_write_header(struct recorder *r)
{
	int err = 0;
	struct json_object *top = json_object_new_object();
	struct json_object *events = json_object_new_array();
	size_t i;

	json_object_object_add(top, "format", json_object_new_string(SAMPLES_FORMAT));
	recorder_add_path(top, "program", r->program);
	json_object_object_add(top, "identity", json_object_new_string(r->identity));
	if (r->system) {
		json_object_object_add(top, "vcpus", json_object_new_int(montecito_nr_vcpus(r->m)));
		if (r->map)
			recorder_add_path(top, "map", r->map);
	}
	if (r->exact)
		json_object_object_add(top, "exact", json_object_new_boolean(true));
	json_object_object_add(top, "seed", json_object_new_uint64(r->seed));
	for (i = 0; i < r->nr; i++) {
		struct json_object *e = json_object_new_object();

		json_object_object_add(e, "event", json_object_new_string(r->specs[i].text));
		json_object_object_add(e, "name", json_object_new_string(r->specs[i].name));
		json_object_object_add(e, "period",
				       json_object_new_uint64(recorder_event_period(r, i)));
		json_object_object_add(e, "random_mask",
				       json_object_new_uint64(recorder_event_mask(r, i)));
		json_object_array_add(events, e);
	}
	for (i = 0; i < recorder_nr_pmu(r); i++)
		json_object_array_add(events, pmu_record_json(r->pmu, i));
	json_object_object_add(top, "events", events);
	r->f = samples_create(r->path, json_object_to_json_string_ext(top, JSON_C_TO_STRING_PLAIN));
	if (!r->f)
		err = fail("-o %s: %s", r->path, strerror(errno));
	json_object_put(top);
	return err;
}

static unsigned int recorder_ring_order(const struct recorder *r)
{
	return r->depth || recorder_has_waits(r) ? RING_ORDER_CHAINS : RING_ORDER;
}

/* One ring a vcpu, for all observers. */
static int recorder_open_rings(struct recorder *r)
{
	unsigned int v;
	int err;

	r->id = calloc(montecito_nr_vcpus(r->m) * r->nr + 1, sizeof(*r->id));
	if (!r->id)
		return fail("out of memory");
	if (recorder_has_waits(r)) {
		r->waits = calloc(montecito_nr_vcpus(r->m), sizeof(*r->waits));
		if (!r->waits)
			return fail("out of memory");
	}
	if (r->exact && !r->waits)
		return 0;
	for (v = 0; v < montecito_nr_vcpus(r->m); v++) {
		err = montecito_ring_open(r->m, v, recorder_ring_order(r), 0);
		if (err)
			return fail("cannot make a sampling ring: %s", strerror(-err));
	}
	return 0;
}

int recorder_watch(struct recorder *r)
{
	unsigned int v;
	size_t i;
	int id, err;

	r->unwatched = false;

	for (v = 0; v < montecito_nr_vcpus(r->m); v++) {
		for (i = 0; i < r->nr; i++) {
			struct montecito_observer_add add = {
				.flags = r->exact ? MONTECITO_OBSERVER_TABLE
						  : MONTECITO_OBSERVER_SAMPLE,
				.period = recorder_event_period(r, i),
				.random_mask = recorder_event_mask(r, i),
			};

			/* Samples hold the registers of the EAR or trace buffer of their observer. */
			if (r->exact)
				add.table_order = TABLE_ORDER;
			else
				add.sample_pmds = montecito_spec_pmds(&r->specs[i]);
			if (r->depth)
				add.flags |= MONTECITO_OBSERVER_CALLCHAIN;
			add.max_callchain = r->depth;
			add.random_seed = add.random_mask ? r->seed : 0;
			montecito_spec_observe(&r->specs[i], &add);
			id = montecito_observer_add_raw(r->m, v, &add);
			if (id < 0)
				return event_refused(&r->specs[i], add.why, id,
						     r->timing || r->running);
			r->id[v * r->nr + i] = id;
		}
		err = r->waits ? montecito_trace(r->m, v, 1U << MONTECITO_TRACE_STALL) : 0;
		if (err)
			return fail("cannot trace what groups wait for: %s", strerror(-err));
	}
	return recorder_nr_pmu(r) ? pmu_record_watch(r->pmu, r->m) : 0;
}

int recorder_unwatch(struct recorder *r)
{
	size_t i, nr = montecito_nr_vcpus(r->m) * r->nr;
	int err = recorder_drain(r);

	for (i = 0; !err && r->waits && i < montecito_nr_vcpus(r->m); i++)
		err = montecito_trace(r->m, i, 0);
	if (!err && r->exact)
		err = recorder_write_tables(r);
	r->unwatched = true;
	for (i = 0; !err && i < nr; i++)
		err = montecito_observer_del(r->m, i / r->nr, r->id[i]);
	if (!err && recorder_nr_pmu(r))
		err = pmu_record_unwatch(r->pmu, r->m);
	return err;
}

int recorder_start(struct recorder *r)
{
	int err = recorder_open_rings(r);

	if (!err && recorder_nr_pmu(r))
		err = pmu_record_start(r->pmu, r->m, r->period);
	if (!err)
		err = recorder_watch(r);
	if (err)
		return err;
	return recorder_write_header(r);
}

uint64_t recorder_slice(const struct recorder *r)
{
	uint64_t least = UINT64_MAX, room, insns;
	size_t i, size, pmds = 0;

	/* A group has a few stalls at most, and an instruction each at the worst. */
	if (recorder_has_waits(r))
		return ((uint64_t)PAGE << recorder_ring_order(r)) /
		       (8 * sizeof(struct montecito_record_trace));
	/* Half of the mask may be missing from an interval. */
	for (i = 0; i < r->nr; i++) {
		uint64_t period = recorder_event_period(r, i) - recorder_event_mask(r, i) / 2;
		size_t nr = __builtin_popcountll(montecito_spec_pmds(&r->specs[i]));

		least = period < least ? period : least;
		pmds = nr > pmds ? nr : pmds;
	}
	size = sizeof(struct montecito_record_sample) +
	       (pmds + (r->depth ? 1 + r->depth : 0)) * sizeof(uint64_t);
	for (i = 0; i < recorder_nr_pmu(r); i++)
		least = r->pmu->period[i] < least ? r->pmu->period[i] : least;
	if (recorder_nr_pmu(r) && size < pmu_record_size())
		size = pmu_record_size();
	room = ((uint64_t)PAGE << recorder_ring_order(r)) / size;
	if (least >> 40)
		least = 1ULL << 40;
	insns = least * (room / (2 * (r->nr + recorder_nr_pmu(r))) + 1);
	return insns < LEAST_SLICE ? LEAST_SLICE : insns;
}

/* Where vcpu 0's cycles went. */
static void recorder_write_cycles(struct recorder *r)
{
	struct samples_cycles c = { .header = { .type = SAMPLES_CYCLES, .size = sizeof(c) } };
	struct samples_cause cause = { .header = { .type = SAMPLES_CAUSE, .size = sizeof(cause) } };
	struct breakdown b = { 0 };
	uint32_t i;

	if (!r->timing || !r->whole || breakdown_read(&b, r->m))
		return;
	c.cycles = b.sum.cycles;
	c.halted = b.sum.halted;
	c.unstalled = b.sum.unstalled;
	c.insns = b.sum.insns;
	r->error = samples_put(r->f, &c.header);
	for (i = 0; !r->error && i < b.sum.count; i++) {
		cause.cause = b.cause[i];
		if (b.cause[i].cycles)
			r->error = samples_put(r->f, &cause.header);
	}
	breakdown_free(&b);
}

int recorder_finish(struct recorder *r, const char *stopped)
{
	struct samples_end end = {
		.header = { .type = SAMPLES_END, .size = sizeof(end) },
	};
	unsigned int v;
	int err;

	if (!r->f)
		return 0;
	err = recorder_drain(r);
	if (!err && r->exact && !r->unwatched)
		err = recorder_write_tables(r);
	end.lost = r->lost;
	for (v = 0; (!r->exact || r->waits) && v < montecito_nr_vcpus(r->m); v++)
		end.lost += montecito_ring_lost(r->m, v);
	end.samples = r->samples;
	recorder_write_waits(r);
	if (!r->error)
		recorder_write_cycles(r);
	/* All before the end is intact even if the end is not there. */
	if (!r->error)
		r->error = samples_sync(r->f);
	if (!r->error)
		r->error = samples_put(r->f, &end.header);
	r->error = samples_finish(r->f, !r->error);
	r->f = NULL;
	if (r->error)
		return fail("-o %s: %s; the file is cut off", r->path, strerror(r->error));
	if (err)
		return fail("cannot read the samples: %s", strerror(-err));
	fflush(stdout);
	if (r->exact)
		fprintf(stderr, "montctl: %" PRIu64 " occurrences in %s", r->occurrences, r->path);
	else
		fprintf(stderr, "montctl: %" PRIu64 " samples in %s", r->samples, r->path);
	if (end.lost)
		fprintf(stderr, ", %" PRIu64 " lost", end.lost);
	if (stopped)
		fprintf(stderr, ", stopped before the program's end (%s)", stopped);
	fputc('\n', stderr);
	return 0;
}

void recorder_free(struct recorder *r)
{
	unsigned int v;

	for (v = 0; r->waits && v < montecito_nr_vcpus(r->m); v++)
		waits_free(&r->waits[v]);
	for (v = 0; v < SAMPLES_VCPUS; v++)
		free(r->runs[v]);
	free(r->waits);
	if (r->f)
		samples_finish(r->f, false);
	free(r->id);
}
