// SPDX-License-Identifier: GPL-2.0-only
/*
 * Relations between events (selftests/relations.py) on random programs, for every
 * privilege level: they hold among the counts at any set of levels, and the counts of
 * two sets that have nothing in common add up to those of both.
 */
#include "machine.h"

#define MAX_SIDE 128
#define MAX_TERMS 512

static const struct {
	bool timed;
	const char *left, *kind, *right;
} text[] = {
#include "relations.inc"
};

#define NR_RELATIONS MONT_ARRAY_SIZE(text)

/* A sum of events, by their numbers in @term. */
struct side {
	u16 term[MAX_SIDE];
	u16 weight[MAX_SIDE];
	u32 nr;
};

static struct side sides[NR_RELATIONS][2];
static bool leveled[NR_RELATIONS]; /* it is between levels itself */
static bool checked[NR_RELATIONS];

static struct {
	const struct mont_event *event;
	u8 threshold;
} term[MAX_TERMS];
static u32 nr_terms;

/* Levels: some of them, the others, and all. */
enum { SOME, OTHERS, ALL, NR_SETS };

struct related {
	struct mont_observer observer[MAX_TERMS][NR_SETS];
	bool attached[MAX_TERMS];
};

static u32 term_of(const char *name, size_t len, u8 threshold)
{
	const struct mont_event *e = mont_event_resolve(name, len, NULL);
	u32 n;

	if (!e || !mont_event_counted(e)) {
		fprintf(stderr, "%.*s: no event that is counted\n", (int)len, name);
		exit(2);
	}
	for (n = 0; n < nr_terms; n++)
		if (term[n].event == e && term[n].threshold == threshold)
			return n;
	term[n].event = e;
	term[n].threshold = threshold;
	nr_terms++;
	return n;
}

/* Return: true if its names say themselves which levels they count. */
static bool read_side(struct side *side, const char *sum)
{
	while (*sum) {
		size_t len = strcspn(sum, " "), name = strcspn(sum, ": ");
		u8 threshold = 0;
		u32 n, t;

		if (name < len) {
			if (sum[name + 1] != 't')
				return true;
			threshold = sum[name + 3] - '0';
		}
		t = term_of(sum, name, threshold);
		for (n = 0; n < side->nr && side->term[n] != t; n++)
			;
		side->term[n] = t;
		side->weight[n]++;
		side->nr += n == side->nr;
		sum += len;
		sum += strspn(sum, " +");
	}
	return false;
}

static void relations_read(void)
{
	u32 n;

	for (n = 0; n < NR_RELATIONS; n++)
		leveled[n] = read_side(&sides[n][0], text[n].left) ||
			     read_side(&sides[n][1], text[n].right);
}

void related_begin(struct machine *m, struct rng *r)
{
	u8 levels[NR_SETS] = { 1 + below(r, 14) };
	const char *why;
	u32 n, set;

	if (!nr_terms)
		relations_read();
	levels[OTHERS] = 15 & ~levels[SOME];
	levels[ALL] = 15;
	m->related = calloc(1, sizeof(*m->related));
	for (n = 0; n < nr_terms; n++) {
		const struct mont_event *e = term[n].event;

		if ((e->needs_time || term[n].threshold) && !m->cfg.timing)
			continue;
		for (set = 0; set < NR_SETS; set++) {
			struct mont_observer *o = &m->related->observer[n][set];

			o->filter.code = e->code;
			o->filter.umask = e->umask;
			o->filter.ear = e->ear;
			o->filter.ear_umask = e->ear_umask;
			o->filter.threshold = term[n].threshold;
			o->filter.plm = levels[set];
			if (!mont_observer_attach(mont_vcpu(m->pkg, 0), o, &why))
				continue;
			fprintf(stderr, "%s: %s\n", e->name, why);
			exit(2);
		}
		m->related->attached[n] = true;
	}
}

static u64 read_term(struct machine *m, u32 n, u32 set)
{
	return mont_observer_read(mont_vcpu(m->pkg, 0), &m->related->observer[n][set]);
}

static u64 sum(struct machine *m, const struct side *side, u32 set)
{
	u64 all = 0;
	u32 n;

	for (n = 0; n < side->nr; n++)
		all += side->weight[n] * read_term(m, side->term[n], set);
	return all;
}

static bool holds(struct machine *m, u32 n)
{
	u32 set;

	for (set = 0; set < NR_SETS; set++) {
		u64 left = sum(m, &sides[n][0], set), right = sum(m, &sides[n][1], set);

		if (left || right)
			checked[n] = true;
		if (left == right || (left < right && text[n].kind[0] == '<'))
			continue;
		snprintf(m->why, sizeof(m->why), "levels %#x: %.60s is %llu, %.60s %llu",
			 m->related->observer[sides[n][0].term[0]][set].filter.plm, text[n].left,
			 (unsigned long long)left, text[n].right, (unsigned long long)right);
		return false;
	}
	return true;
}

/* Captures of an EAR depend on its earlier captures: levels do not add up. */
static bool levels_add_up(struct machine *m, u32 n)
{
	u64 some = read_term(m, n, SOME), others = read_term(m, n, OTHERS);
	u64 all = read_term(m, n, ALL);

	if (some + others == all || term[n].event->ear || term[n].threshold)
		return true;
	snprintf(m->why, sizeof(m->why),
		 "%s is %llu at levels %#x, %llu at the others, %llu at all", term[n].event->name,
		 (unsigned long long)some, m->related->observer[n][SOME].filter.plm,
		 (unsigned long long)others, (unsigned long long)all);
	return false;
}

bool related_hold(struct machine *m)
{
	u32 n;

	for (n = 0; n < NR_RELATIONS; n++)
		if (!leveled[n] && (m->cfg.timing || !text[n].timed) && !holds(m, n))
			return false;
	for (n = 0; n < nr_terms; n++)
		if (m->related->attached[n] && !levels_add_up(m, n))
			return false;
	return true;
}

void related_end(struct machine *m)
{
	u32 n, set;

	for (n = 0; n < nr_terms; n++)
		for (set = 0; m->related->attached[n] && set < NR_SETS; set++)
			mont_observer_detach(mont_vcpu(m->pkg, 0), &m->related->observer[n][set]);
	free(m->related);
	m->related = NULL;
}

unsigned int relations_checked(unsigned int *all)
{
	unsigned int n, some = 0;

	*all = 0;
	for (n = 0; n < NR_RELATIONS; n++) {
		*all += !leveled[n];
		some += checked[n];
	}
	return some;
}
