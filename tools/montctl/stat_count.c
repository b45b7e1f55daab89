// SPDX-License-Identifier: GPL-2.0-only
/* montctl stat: observers and counters, and what they have come to. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "stat.h"

const struct stat_switch stat_switch[STAT_NR_SWITCHES] = {
	{ "l3_miss", "L3 misses", "THREAD_SWITCH_EVENTS.L3MISS" },
	{ "timer", "time-outs", "THREAD_SWITCH_EVENTS.TIMER" },
	{ "hint", "hints", "THREAD_SWITCH_EVENTS.HINT" },
	{ "low_power", "low power", "THREAD_SWITCH_EVENTS.LP" },
};

/* Count the switches of each vcpu, where threads share a core in time. */
static int stat_count_add_switches(struct counting *s)
{
	unsigned int nr_vcpus = montecito_nr_vcpus(s->m), v, i;
	struct montecito_event_spec *specs = NULL;
	char msg[512];
	size_t nr = 0;
	int err = 0;

	if (s->args.threads < 2 || !s->args.timing || s->running)
		return 0;
	s->switch_id = calloc((size_t)nr_vcpus * STAT_NR_SWITCHES, sizeof(*s->switch_id));
	if (!s->switch_id)
		return fail("out of memory");
	for (i = 0; !err && i < STAT_NR_SWITCHES; i++)
		err = montecito_events_parse(stat_switch[i].event, &specs, &nr, msg);
	if (err)
		fail("%s", msg);
	for (v = 0; !err && v < nr_vcpus; v++) {
		for (i = 0; !err && i < STAT_NR_SWITCHES; i++) {
			struct montecito_observer_add add = { 0 };
			int id;

			montecito_spec_observe(&specs[i], &add);
			id = montecito_observer_add_raw(s->m, v, &add);
			if (id < 0)
				err = event_refused(&specs[i], add.why, id, true);
			else
				s->switch_id[v * STAT_NR_SWITCHES + i] = id;
		}
	}
	montecito_events_free(specs, nr);
	return err ? EXIT_MONTCTL : 0;
}

static int stat_count_read_switches(struct counting *s)
{
	unsigned int v;
	int err = 0;

	for (v = 0; s->switch_id && !err && v < montecito_nr_vcpus(s->m); v++)
		err = montecito_observer_read(s->m, v, &s->switch_id[v * STAT_NR_SWITCHES],
					      s->vcpu[v].switched, STAT_NR_SWITCHES);
	return err;
}

static int stat_count_add_observers(struct counting *s)
{
	unsigned int v, nr_vcpus = montecito_nr_vcpus(s->m);
	uint32_t *ids = s->id;
	size_t i;
	int id;

	for (v = 0; v < nr_vcpus; v++) {
		for (i = 0; i < s->nr; i++) {
			const struct montecito_event_spec *e = &s->specs[i];
			struct montecito_observer_add add = { 0 };

			montecito_spec_observe(e, &add);
			id = montecito_observer_add_raw(s->m, v, &add);
			if (id < 0)
				return event_refused(e, add.why, id, s->args.timing || s->running);
			*ids++ = id;
		}
	}
	return 0;
}

static int stat_count_read_observers(struct counting *s, unsigned int v)
{
	return montecito_observer_read(s->m, v, &s->id[v * s->nr], &s->count[v * s->nr], s->nr);
}

static int stat_count_start_counters(struct counting *s)
{
	unsigned int v;
	char msg[512];

	for (v = 0; v < montecito_nr_vcpus(s->m); v++)
		if (montecito_strict_start(s->m, v, s->specs, s->nr, &s->id[v * s->nr], msg))
			return fail("--strict: %s%s", msg, timing_hint(s->args.timing, msg));
	return 0;
}

int stat_count_check(struct counting *s)
{
	unsigned int v;
	char msg[512];

	for (v = 0; s->strict && !s->unconstrained && v < montecito_nr_vcpus(s->m); v++) {
		if (!montecito_strict_check(s->m, v, msg))
			continue;
		s->unconstrained = true;
		fail("--strict: %s", msg);
	}
	return s->unconstrained ? EXIT_MONTCTL : 0;
}

int stat_count_stop(struct counting *s)
{
	unsigned int v;

	for (v = 0; s->strict && v < montecito_nr_vcpus(s->m); v++)
		if (montecito_strict_stop(s->m, v))
			return fail("--strict: cannot restore PMC32-41, IBR and DBR");
	return 0;
}

/* With :all, a vcpu's count takes in the other threads of its core. */
static void stat_count_merge_threads(struct counting *s)
{
	unsigned int nr_vcpus = montecito_nr_vcpus(s->m), v;
	size_t i;

	for (v = 0; s->args.threads == 2 && v < nr_vcpus; v += 2) {
		for (i = 0; i < s->nr; i++) {
			uint64_t *a = &s->count[v * s->nr + i], *b = a + s->nr;

			if (s->specs[i].all) {
				*a += *b;
				*b = *a;
			}
		}
	}
}

/* Read instructions and cycles of each vcpu into @v, and what cores' come to. */
static int stat_count_read_vcpus(struct counting *s, struct vcpu_share *v)
{
	unsigned int nr = montecito_nr_vcpus(s->m), threads = s->args.threads, i;
	uint64_t core = 0;
	int err = 0;

	s->insns = 0;
	s->cycles = 0;
	for (i = 0; !err && i < nr; i++) {
		err = montecito_get_reg(s->m, i, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS,
					&v[i].insns);
		if (!err)
			err = montecito_get_reg(s->m, i, MONTECITO_REG_SPECIAL,
						MONTECITO_SPECIAL_CYCLES, &v[i].cycles);
		s->insns += v[i].insns;
		/* A cycle of a core is that of one of its threads. */
		core = (i % threads ? core : 0) + v[i].cycles;
		if (core > s->cycles)
			s->cycles = core;
	}
	for (i = 0; !err && i < nr && threads > 1; i++)
		v[i].behind = v[i ^ 1].cycles;
	return err;
}

static int stat_count_read_breakdowns(struct counting *s, struct vcpu_share *v)
{
	unsigned int nr = montecito_nr_vcpus(s->m), i;
	int err = 0;

	if (nr == 1)
		return breakdown_read(&s->breakdown, s->m);
	breakdown_free(&s->breakdown);
	for (i = 0; !err && i < nr; i++) {
		err = breakdown_read_vcpu(&v[i].breakdown, s->m, i);
		if (!err)
			err = breakdown_add(&s->breakdown, &v[i].breakdown);
	}
	return err;
}

int stat_count_read(struct counting *s)
{
	unsigned int v;
	size_t i;
	int err;

	if (!s->vcpu)
		s->vcpu = calloc(montecito_nr_vcpus(s->m), sizeof(*s->vcpu));
	if (!s->vcpu)
		return fail("out of memory");
	err = stat_count_read_vcpus(s, s->vcpu);
	for (v = 0; !err && v < montecito_nr_vcpus(s->m); v++) {
		if (!s->strict && s->nr)
			err = stat_count_read_observers(s, v);
		for (i = 0; s->strict && !err && i < s->nr; i++)
			err = montecito_strict_read(s->m, v, s->id[v * s->nr + i],
						    &s->count[v * s->nr + i]);
	}
	if (!err && s->args.timing)
		err = stat_count_read_breakdowns(s, s->vcpu);
	if (!err)
		err = stat_count_read_switches(s);
	if (!err)
		err = pmu_count_read(&s->pmu, s->m);
	if (err)
		return fail("cannot read the counts: %s", strerror(-err));
	if (stat_count_check(s))
		return EXIT_MONTCTL;
	if (!s->strict)
		stat_count_merge_threads(s);
	s->count_read = true;
	return 0;
}

/* Subtract the counts from before the region. */
static void stat_count_leave_out(struct counting *s)
{
	const struct before *b = &s->before;
	size_t i;

	for (i = 0; i < montecito_nr_vcpus(s->m) * s->nr; i++)
		s->count[i] -= b->count[i];
	s->insns = s->region.to - s->region.from;
	s->cycles -= b->cycles;
	if (s->region.begun)
		breakdown_since(&s->breakdown, &b->breakdown);
}

int stat_count_from_now(struct counting *s)
{
	if (stat_count_read(s))
		return EXIT_MONTCTL;
	s->before.insns = s->insns;
	s->before.cycles = s->cycles;
	s->before.breakdown = s->breakdown;
	s->breakdown = (struct breakdown){ 0 };
	memcpy(s->before.count, s->count, montecito_nr_vcpus(s->m) * s->nr * sizeof(*s->count));
	return 0;
}

int stat_count_since(struct counting *s)
{
	size_t i;

	if (stat_count_read(s))
		return EXIT_MONTCTL;
	s->insns -= s->before.insns;
	s->cycles -= s->before.cycles;
	for (i = 0; i < montecito_nr_vcpus(s->m) * s->nr; i++)
		s->count[i] -= s->before.count[i];
	if (s->args.timing)
		breakdown_since(&s->breakdown, &s->before.breakdown);
	return 0;
}

int stat_count_region(struct montecito *m, bool begins, void *arg)
{
	struct counting *s = arg;
	struct region *r = &s->region;

	(void)m;
	if (stat_count_read(s))
		return -ECANCELED;
	if (!begins) {
		r->ended = true;
		r->to = s->insns;
		stat_count_leave_out(s);
		return 0;
	}
	r->begun = true;
	r->from = s->insns;
	s->before.cycles = s->cycles;
	s->before.breakdown = s->breakdown;
	s->breakdown = (struct breakdown){ 0 };
	memcpy(s->before.count, s->count, montecito_nr_vcpus(s->m) * s->nr * sizeof(*s->count));
	return 0;
}

int stat_count_end(struct counting *s)
{
	struct region *r = &s->region;
	unsigned int v;
	uint64_t x;

	if (!r->given)
		return stat_count_read(s);
	for (r->all = v = 0; v < montecito_nr_vcpus(s->m); v++) {
		if (montecito_get_reg(s->m, v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS, &x))
			return fail("cannot read the counts");
		r->all += x;
	}
	if (region_reached(&s->args, r, "counted"))
		return EXIT_MONTCTL;
	if (r->ended)
		return 0;
	if (stat_count_read(s))
		return EXIT_MONTCTL;
	r->to = r->all;
	stat_count_leave_out(s);
	return 0;
}

uint64_t stat_total(const struct counting *s, size_t i)
{
	unsigned int step = s->specs[i].all ? s->args.threads : 1, v;
	uint64_t sum = 0, most = 0;

	for (v = 0; v < montecito_nr_vcpus(s->m); v += step) {
		if (s->of_package[i] && !(v % s->args.threads))
			sum = 0;
		sum += s->count[v * s->nr + i];
		most = sum > most ? sum : most;
	}
	return most;
}

void stat_values(const struct counting *s, struct stat_values *v)
{
	size_t i;

	v->insns = (double)s->insns;
	v->cycles = (double)s->cycles;
	for (i = 0; i < s->nr; i++)
		v->count[i] = (double)stat_total(s, i);
	for (i = 0; i < NR_BARS; i++)
		v->bar[i] = (double)s->breakdown.bar[i];
}

int stat_count_start(struct counting *s)
{
	size_t nr_vcpus = montecito_nr_vcpus(s->m), i;

	s->id = calloc(nr_vcpus * s->nr + 1, sizeof(*s->id));
	s->count = calloc(nr_vcpus * s->nr + 1, sizeof(*s->count));
	s->before.count = calloc(nr_vcpus * s->nr + 1, sizeof(*s->before.count));
	s->of_package = calloc(s->nr + 1, sizeof(*s->of_package));
	if (!s->id || !s->count || !s->before.count || !s->of_package)
		return fail("out of memory");
	for (i = 0; i < s->nr; i++)
		s->of_package[i] = event_of_package(s->specs[i].name);
	if (stat_count_add_switches(s))
		return EXIT_MONTCTL;
	if (!s->nr)
		return 0;
	return s->strict ? stat_count_start_counters(s) : stat_count_add_observers(s);
}

void stat_count_free(struct counting *s)
{
	unsigned int v;

	breakdown_free(&s->breakdown);
	breakdown_free(&s->before.breakdown);
	for (v = 0; s->vcpu && v < s->args.cores * s->args.threads; v++)
		breakdown_free(&s->vcpu[v].breakdown);
	free(s->vcpu);
	s->vcpu = NULL;
	free(s->before.count);
	free(s->switch_id);
	s->switch_id = NULL;
	free(s->id);
	free(s->count);
	free(s->of_package);
	s->of_package = NULL;
	s->before.count = NULL;
	s->id = NULL;
	s->count = NULL;
}
