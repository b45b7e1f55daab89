// SPDX-License-Identifier: GPL-2.0-only
/* montctl boot --stat: events of a booted system, by processor and level. */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boot_stat.h"
#include "montctl.h"

/* Privilege levels as a filter has them: level 3, and the others. */
#define USER 0x8
#define KERNEL 0x7

/* Each event on each vcpu has two observers: kernel and user. */
static const unsigned int levels[] = { KERNEL, USER };

#define NR_LEVELS (sizeof(levels) / sizeof(levels[0]))

static int boot_stat_add_observers(const struct boot_stat *s, struct montecito *m, unsigned int v,
				   const struct montecito_event_spec *spec, uint32_t **id)
{
	size_t level;
	int ret;

	for (level = 0; level < NR_LEVELS; level++) {
		struct montecito_observer_add add = { 0 };

		montecito_spec_observe(spec, &add);
		add.filter.plm &= levels[level];
		if (!add.filter.plm)
			return fail(
				"event %s: levels are counted apart anyway, leave :u and :k out",
				spec->text);
		ret = montecito_observer_add_raw(m, v, &add);
		if (ret < 0)
			return event_refused(spec, add.why, ret, s->timed);
		*(*id)++ = ret;
	}
	return 0;
}

static int boot_stat_read_sums(const struct boot_stat *s, struct montecito *m,
			       struct boot_sums *sums)
{
	uint64_t *count = sums->count, insns;
	const uint32_t *id = s->id;
	unsigned int v;
	size_t i;
	int err = s->timed ? breakdown_read(&sums->time, m) : 0;

	sums->insns = 0;
	for (v = 0; !err && v < s->nr_vcpus; v++) {
		err = montecito_get_reg(m, v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS,
					&insns);
		sums->insns += insns;
		for (i = 0; !err && i < s->nr; i++, id += NR_LEVELS, count += NR_LEVELS)
			err = montecito_observer_read(m, v, id, count, NR_LEVELS);
	}
	return err ? fail("cannot read the counts: %s", strerror(-err)) : 0;
}

int boot_stat_start(struct boot_stat *s, struct montecito *m)
{
	uint32_t *id;
	unsigned int v;
	size_t i;
	int err;

	if (!s->wanted)
		return 0;
	s->nr_vcpus = montecito_nr_vcpus(m);
	s->id = calloc(s->nr_vcpus * s->nr * NR_LEVELS, sizeof(*s->id));
	s->base.count = calloc(s->nr_vcpus * s->nr * NR_LEVELS, sizeof(*s->base.count));
	s->end.count = calloc(s->nr_vcpus * s->nr * NR_LEVELS, sizeof(*s->end.count));
	if (!s->id || !s->base.count || !s->end.count)
		return fail("out of memory");
	id = s->id;
	for (v = 0; v < s->nr_vcpus; v++) {
		for (i = 0; i < s->nr; i++) {
			err = boot_stat_add_observers(s, m, v, &s->specs[i], &id);
			if (err)
				return err;
		}
	}
	return boot_stat_read_sums(s, m, &s->base);
}

int boot_stat_region(struct boot_stat *s, struct montecito *m, bool begins)
{
	struct region *r = &s->region;

	r->begun |= begins;
	r->ended |= !begins;
	if (!s->wanted)
		return 0;
	if (boot_stat_read_sums(s, m, begins ? &s->base : &s->end))
		return EXIT_MONTCTL;
	if (begins)
		r->from = s->base.insns;
	else
		r->to = s->end.insns;
	return 0;
}

/* Levels of one event on vcpu @v, within what is reported. */
static void boot_stat_counts(const struct boot_stat *s, unsigned int v, size_t i,
			     uint64_t count[NR_LEVELS])
{
	size_t at = (v * s->nr + i) * NR_LEVELS, level;

	for (level = 0; level < NR_LEVELS; level++)
		count[level] = s->end.count[at + level] - s->base.count[at + level];
}

static uint64_t boot_stat_awake(const struct boot_stat *s)
{
	return s->end.time.sum.cycles - s->end.time.sum.halted;
}

static double boot_stat_ipc(const struct boot_stat *s)
{
	uint64_t cycles = boot_stat_awake(s);

	return cycles ? (double)(s->end.insns - s->base.insns) / (double)cycles : 0;
}

/*
 * Levels of one event on all vcpus; with :all each core once. What is of the package is not added up:
 * it is what the core has counted that has counted most.
 */
static void boot_stat_sum(const struct boot_stat *s, size_t i, uint64_t sum[NR_LEVELS])
{
	bool of_package = event_of_package(s->specs[i].name);
	uint64_t of_core[NR_LEVELS] = { 0 }, count[NR_LEVELS];
	unsigned int v;

	memset(sum, 0, NR_LEVELS * sizeof(*sum));
	for (v = 0; v < s->nr_vcpus; v += s->specs[i].all ? s->threads : 1) {
		if (of_package && !(v % s->threads))
			memset(of_core, 0, sizeof(of_core));
		boot_stat_counts(s, v, i, count);
		of_core[0] += count[0];
		of_core[1] += count[1];
		if (of_core[0] + of_core[1] > sum[0] + sum[1])
			memcpy(sum, of_core, sizeof(of_core));
	}
}

static struct json_object *boot_stat_event_json(const struct boot_stat *s, size_t i)
{
	struct json_object *e = json_object_new_object(), *a = json_object_new_array();
	uint64_t sum[NR_LEVELS], count[NR_LEVELS];
	unsigned int v;

	boot_stat_sum(s, i, sum);
	for (v = 0; v < s->nr_vcpus; v++) {
		struct json_object *o = json_object_new_object();

		boot_stat_counts(s, v, i, count);
		json_object_object_add(o, "kernel", json_object_new_uint64(count[0]));
		json_object_object_add(o, "user", json_object_new_uint64(count[1]));
		json_object_array_add(a, o);
	}
	json_object_object_add(e, "event", json_object_new_string(s->specs[i].text));
	json_object_object_add(e, "name", json_object_new_string(s->specs[i].name));
	json_object_object_add(e, "count", json_object_new_uint64(sum[0] + sum[1]));
	json_object_object_add(e, "kernel", json_object_new_uint64(sum[0]));
	json_object_object_add(e, "user", json_object_new_uint64(sum[1]));
	json_object_object_add(e, "per_vcpu", a);
	return e;
}

static void boot_stat_report_json(const struct boot_stat *s, const struct boot_ending *how, FILE *f)
{
	struct json_object *top = json_object_new_object(), *events = json_object_new_array();
	char text[32];
	size_t i;

	snprintf(text, sizeof(text), "%.4f", boot_stat_ipc(s));
	json_object_object_add(top, "program", json_object_new_string(how->program));
	json_object_object_add(top, "status", json_object_new_int(how->status));
	json_object_object_add(top, "end", json_object_new_string(how->how));
	json_object_object_add(top, "timing", json_object_new_string(s->timed ? "on" : "off"));
	json_object_object_add(top, "region", region_json(&s->region));
	json_object_object_add(top, "cycles",
			       s->timed ? json_object_new_uint64(s->end.time.sum.cycles) : NULL);
	json_object_object_add(top, "instructions",
			       json_object_new_uint64(s->end.insns - s->base.insns));
	json_object_object_add(top, "ipc",
			       s->timed ? json_object_new_double_s(boot_stat_ipc(s), text) : NULL);
	json_object_object_add(top, "breakdown", s->timed ? breakdown_json(&s->end.time) : NULL);
	json_object_object_add(top, "vcpus", json_object_new_int(s->nr_vcpus));
	for (i = 0; i < s->nr; i++)
		json_object_array_add(events, boot_stat_event_json(s, i));
	json_object_object_add(top, "events", events);
	print_object(f, top);
}

/* Idle is not slow: halted cycles are told apart. */
static void boot_stat_text_time(const struct boot_stat *s, FILE *f)
{
	char buf[32];

	fprintf(f, "\n %20s  cycles\n", grouped(boot_stat_awake(s), f, buf));
	fprintf(f, " %20s  instructions\n", grouped(s->end.insns - s->base.insns, f, buf));
	fprintf(f, " %20.2f  instructions per cycle\n", boot_stat_ipc(s));
	if (!s->chosen) {
		fputc('\n', f);
		breakdown_text(&s->end.time, f);
	}
}

static void boot_stat_report_text(const struct boot_stat *s, const struct boot_ending *how, FILE *f)
{
	uint64_t count[NR_LEVELS];
	unsigned int v;
	char safe[256];
	size_t i;

	fprintf(f, "\n %s: %s, exit status %d, timing %s\n",
		plain(how->program, safe, sizeof(safe)), how->how, how->status,
		s->timed ? "on" : "off");
	region_text(&s->region, f);
	if (s->timed)
		boot_stat_text_time(s, f);
	fprintf(f, "\n %18s %18s  event\n", "kernel", "user");
	for (v = 0; v < s->nr_vcpus; v++) {
		for (i = 0; i < s->nr; i++) {
			const char *mod = strchr(s->specs[i].text, ':');

			boot_stat_counts(s, v, i, count);
			fprintf(f, " %18" PRIu64 " %18" PRIu64 "  %s%s, vcpu %u\n", count[0],
				count[1], s->specs[i].name,
				mod ? plain(mod, safe, sizeof(safe)) : "", v);
		}
	}
}

int boot_stat_report(struct boot_stat *s, struct montecito *m, const struct boot_ending *how,
		     FILE *f)
{
	if (!s->wanted)
		return 0;
	if (!s->region.ended && !s->reported) {
		if (boot_stat_read_sums(s, m, &s->end))
			return EXIT_MONTCTL;
		s->region.to = s->end.insns;
	}
	if (s->timed && !s->reported)
		breakdown_since(&s->end.time, &s->base.time);
	s->reported = true;
	if (s->json)
		boot_stat_report_json(s, how, f);
	else
		boot_stat_report_text(s, how, f);
	return 0;
}

void boot_stat_free(struct boot_stat *s)
{
	free(s->id);
	free(s->base.count);
	free(s->end.count);
	breakdown_free(&s->base.time);
	breakdown_free(&s->end.time);
}
