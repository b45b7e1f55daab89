// SPDX-License-Identifier: GPL-2.0-only
/* montctl boot --stat: events of a booted system, by processor and level. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boot_stat.h"
#include "montctl.h"

/* Privilege levels as a filter has them: level 3, and the others. */
#define USER 0x8
#define KERNEL 0x7

/* Each part of each event on each vcpu has two observers: kernel and user. */
static const unsigned int levels[] = { KERNEL, USER };

#define NR_LEVELS (sizeof(levels) / sizeof(levels[0]))

static size_t parts(const struct boot_stat *s)
{
	size_t n = 0, i;

	for (i = 0; i < s->nr; i++)
		n += montecito_spec_parts(&s->specs[i]);
	return n;
}

int boot_stat_start(struct boot_stat *s, struct montecito *m)
{
	size_t i, part, level;
	unsigned int v;
	char why[128];
	uint32_t *id;
	int ret;

	if (!s->wanted)
		return 0;
	s->id = calloc(montecito_nr_vcpus(m) * parts(s) * NR_LEVELS, sizeof(*s->id));
	if (!s->id)
		return fail("out of memory");
	id = s->id;
	if (s->timed && breakdown_read(&s->base, m))
		return fail("cannot read the cycles");
	for (v = 0; v < montecito_nr_vcpus(m); v++) {
		for (i = 0; i < s->nr; i++) {
			for (part = 0; part < montecito_spec_parts(&s->specs[i]); part++) {
				for (level = 0; level < NR_LEVELS; level++) {
					struct montecito_filter f =
						montecito_spec_filter(&s->specs[i], part);

					f.plm &= levels[level];
					if (!f.plm)
						return fail("event %s: levels are counted "
							    "apart anyway, leave :u and :k out",
							    s->specs[i].text);
					ret = montecito_observer_add(m, v, &f, 0, why);
					if (ret < 0)
						return fail("event %s: %s", s->specs[i].text,
							    *why ? why : strerror(-ret));
					*id++ = ret;
				}
			}
		}
	}
	return 0;
}

/* One event on vcpu @v: its counts by level; *@id moves on. */
static int read_event(struct montecito *m, unsigned int v, size_t nr_parts, const uint32_t **id,
		      uint64_t count[NR_LEVELS])
{
	uint64_t raw[NR_LEVELS];
	size_t part, level;
	int err;

	memset(count, 0, sizeof(raw));
	for (part = 0; part < nr_parts; part++, *id += NR_LEVELS) {
		err = montecito_observer_read(m, v, *id, raw, NR_LEVELS);
		if (err)
			return err;
		for (level = 0; level < NR_LEVELS; level++)
			count[level] += raw[level];
	}
	return 0;
}

/* A machine with time has one vcpu. Idle is not slow: halted cycles are told apart. */
static int report_time(const struct boot_stat *s, struct montecito *m)
{
	struct breakdown b = { 0 };
	int err = breakdown_read(&b, m);
	uint64_t cycles;
	char buf[32];

	if (err)
		return fail("cannot read the cycles: %s", strerror(-err));
	breakdown_since(&b, &s->base);
	cycles = b.sum.cycles - b.sum.halted;
	fprintf(stderr, "\n %20s  cycles\n", grouped(cycles, stderr, buf));
	fprintf(stderr, " %20s  instructions\n", grouped(b.sum.insns, stderr, buf));
	fprintf(stderr, " %20.2f  instructions per cycle\n",
		cycles ? (double)b.sum.insns / (double)cycles : 0);
	if (!s->chosen) {
		fputc('\n', stderr);
		breakdown_text(&b, stderr);
	}
	breakdown_free(&b);
	return 0;
}

int boot_stat_report(struct boot_stat *s, struct montecito *m)
{
	const uint32_t *id = s->id;
	uint64_t count[NR_LEVELS];
	unsigned int v;
	size_t i;
	int err;

	if (!s->wanted)
		return 0;
	if (s->timed && report_time(s, m))
		return EXIT_MONTCTL;
	fprintf(stderr, "\n %18s %18s  event\n", "kernel", "user");
	for (v = 0; v < montecito_nr_vcpus(m); v++) {
		for (i = 0; i < s->nr; i++) {
			err = read_event(m, v, montecito_spec_parts(&s->specs[i]), &id, count);
			if (err)
				return fail("cannot read the counts: %s", strerror(-err));
			fprintf(stderr, " %18" PRIu64 " %18" PRIu64 "  %s, vcpu %u\n", count[0],
				count[1], s->specs[i].name, v);
		}
	}
	return 0;
}

void boot_stat_free(struct boot_stat *s)
{
	free(s->id);
	breakdown_free(&s->base);
}
