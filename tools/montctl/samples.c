// SPDX-License-Identifier: GPL-2.0-only
/* Reading a recording; nothing in it is trusted. */
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "montctl.h"
#include "pmu_kinds.h"
#include "samples.h"

/* A package has no more. */
#define MAX_VCPUS SAMPLES_VCPUS

static const char *samples_string(struct json_object *o, const char *key)
{
	struct json_object *v;

	if (!json_object_object_get_ex(o, key, &v) || !json_object_is_type(v, json_type_string))
		return NULL;
	return json_object_get_string(v);
}

static uint64_t samples_number(struct json_object *o, const char *key)
{
	struct json_object *v;

	return json_object_object_get_ex(o, key, &v) ? json_object_get_uint64(v) : 0;
}

static int samples_read_header(struct samples *s)
{
	struct json_object *events, *v;
	const char *format;
	char *line = NULL;
	size_t len = 0, i;

	if (getline(&line, &len, s->in.f) > 0)
		s->header = json_tokener_parse(line);
	free(line);
	format = s->header ? samples_string(s->header, "format") : NULL;
	if (!format || strcmp(format, SAMPLES_FORMAT))
		return fail("%s: not a recording of montctl record", s->path);
	s->program = samples_string(s->header, "program");
	s->identity = samples_string(s->header, "identity");
	if (!s->program || !s->identity ||
	    !json_object_object_get_ex(s->header, "events", &events) ||
	    !json_object_is_type(events, json_type_array))
		return fail("%s: damaged header", s->path);
	s->map = samples_string(s->header, "map");
	if (json_object_object_get_ex(s->header, "vcpus", &v)) {
		if (json_object_get_int64(v) < 1 || json_object_get_int64(v) > MAX_VCPUS)
			return fail("%s: damaged header", s->path);
		s->vcpus = json_object_get_int64(v);
	}
	s->exact = json_object_object_get_ex(s->header, "exact", &v) && json_object_get_boolean(v);
	s->nr = json_object_array_length(events);
	s->event = calloc(s->nr + 1, sizeof(*s->event));
	s->name = calloc(s->nr + 1, sizeof(*s->name));
	s->period = calloc(s->nr + 1, sizeof(*s->period));
	s->random_mask = calloc(s->nr + 1, sizeof(*s->random_mask));
	s->pmu = calloc(s->nr + 1, sizeof(*s->pmu));
	s->likeness = calloc(s->nr + 1, sizeof(*s->likeness));
	if (!s->event || !s->name || !s->period || !s->random_mask || !s->pmu || !s->likeness)
		return fail("out of memory");
	for (i = 0; i < s->nr; i++) {
		struct json_object *e = json_object_array_get_idx(events, i);

		s->event[i] = samples_string(e, "event");
		s->name[i] = samples_string(e, "name");
		s->period[i] = samples_number(e, "period");
		s->random_mask[i] = samples_number(e, "random_mask");
		s->likeness[i] = samples_string(e, "likeness");
		if (samples_string(e, "pmu"))
			s->pmu[i] = pmu_kind_named(samples_string(e, "pmu"));
		if (!s->event[i] || !s->name[i] || !s->period[i] ||
		    (samples_string(e, "pmu") && (!s->pmu[i] || !s->likeness[i])))
			return fail("%s: damaged header", s->path);
	}
	return 0;
}

bool samples_pmd(const struct samples *s, unsigned int n, uint64_t *value)
{
	if (!(s->pmds >> n & 1))
		return false;
	*value = s->value[__builtin_popcountll(s->pmds & ((1ULL << n) - 1))];
	return true;
}

/* Captures of a data EAR and of an instruction EAR [tables 3-17 and 3-22]. */
#define EAR_DATA 32
#define EAR_LATENCY 33
#define EAR_LATENCY_MASK 0x1fffULL
#define EAR_FETCH_LATENCY 35
#define EAR_FETCH_MASK 0xfffULL

/* Captures of the original Itanium. */
#define MERCED_FETCH_LATENCY 1
#define MERCED_DATA 2
#define MERCED_LATENCY 3

/* Words of a precise record. */
#define WORDS_PRECISE 22
#define WORD_DATA 19
#define WORD_SOURCE 20
#define WORD_LATENCY 21

#define WORDS_PROFILE 3
#define PROFILE_SL0 0x10ULL /* of PCTR_CTL, the last of these */

/* True if it is a precise record that has a load: there is no latency of 0. */
static bool samples_is_load(const struct samples *s)
{
	return s->kind == MONTECITO_PMU_PEBS && s->nr_words == WORDS_PRECISE &&
	       s->value[WORD_LATENCY];
}

bool samples_data(const struct samples *s, uint64_t *value)
{
	if (!samples_is_load(s))
		return samples_pmd(s, s->kind ? MERCED_DATA : EAR_DATA, value);
	*value = s->value[WORD_DATA];
	return true;
}

bool samples_latency(const struct samples *s, uint64_t *value)
{
	if (samples_is_load(s)) {
		*value = s->value[WORD_LATENCY];
		return true;
	}
	if (samples_pmd(s, s->kind ? MERCED_LATENCY : EAR_LATENCY, value))
		*value &= s->kind ? EAR_FETCH_MASK : EAR_LATENCY_MASK;
	else if (samples_pmd(s, s->kind ? MERCED_FETCH_LATENCY : EAR_FETCH_LATENCY, value))
		*value &= EAR_FETCH_MASK;
	else
		return false;
	return *value;
}

bool samples_source(const struct samples *s, uint64_t *value)
{
	if (samples_is_load(s))
		*value = s->value[WORD_SOURCE];
	return samples_is_load(s);
}

bool samples_is_profile(const struct samples *s)
{
	return s->kind == MONTECITO_PMU_EV68A && s->nr_words == WORDS_PROFILE &&
	       s->value[WORDS_PROFILE - 1] & PROFILE_SL0;
}

/* A trace buffer [tables 3-27 and 3-28]: PMD38 says which entry comes next. */
#define TRACE_INDEX 38
#define TRACE_FIRST 48
#define TRACE_ENTRIES 16
#define TRACE_SOURCE 1 /* of an entry: it is a source */
#define TRACE_MISPREDICTED 2 /* of a source */

bool samples_branch(const struct samples *s, const struct montecito_record_sample *sample,
		    struct samples_branch *b)
{
	uint64_t index, source, target;
	unsigned int last;

	/* The IP-EAR has the same registers. */
	if (!strcmp(s->event[sample->source], "IP_EAR_EVENTS") ||
	    !samples_pmd(s, TRACE_INDEX, &index))
		return false;
	last = (index + TRACE_ENTRIES - 1) % TRACE_ENTRIES;
	/* An interruption has a source alone: its target comes with the next group. */
	if (!samples_pmd(s, TRACE_FIRST + last, &target) || target & TRACE_SOURCE ||
	    !samples_pmd(s, TRACE_FIRST + (last + TRACE_ENTRIES - 1) % TRACE_ENTRIES, &source) ||
	    !(source & TRACE_SOURCE))
		return false;
	b->source = sample->ip | sample->slot;
	b->target = target & ~15ULL;
	b->mispredicted = source & TRACE_MISPREDICTED;
	return true;
}

void samples_period(const struct samples *s, size_t event, char *buf, size_t len)
{
	uint64_t mask = s->random_mask[event];
	int n;

	if (s->exact) {
		snprintf(buf, len, "exact");
		return;
	}
	n = snprintf(buf, len, "one sample each %llu", (unsigned long long)s->period[event]);

	if (mask && n > 0 && (size_t)n < len)
		snprintf(buf + n, len - n, " +- %llu", (unsigned long long)(mask + 1) / 2);
}

int samples_open(struct samples *s, const char *path)
{
	FILE *f;
	int err;

	memset(s, 0, sizeof(*s));
	s->path = path;
	f = fopen(path, "re");
	if (!f)
		return fail("%s: %s", path, strerror(errno));
	err = samples_in_open(&s->in, f) ? fail("out of memory") : samples_read_header(s);
	if (err)
		samples_close(s);
	return err;
}

/* Of a system's image, which may be packed; without one no names, as of a program. */
static struct montecito_symbols *samples_system_symbols(const struct samples *s)
{
	struct montecito_symbols *sym;
	struct montecito_image *img;
	const char *why;

	if (montecito_image_open(s->program, &img, &why))
		return montecito_symbols_load("");
	sym = montecito_image_symbols(img);
	montecito_image_close(img);
	if (!sym || !s->map || !montecito_symbols_map(sym, s->map))
		return sym;
	montecito_symbols_free(sym);
	return montecito_symbols_load("");
}

struct montecito_symbols *samples_symbols(const struct samples *s)
{
	struct montecito_symbols *sym = s->vcpus ? samples_system_symbols(s)
						 : montecito_symbols_load(s->program);

	if (!sym) {
		fail("out of memory");
		return NULL;
	}
	if (!strcmp(montecito_symbols_identity(sym), s->identity))
		return sym;
	if (*montecito_symbols_identity(sym))
		fail("%s has changed since it was recorded: no names", s->program);
	else
		fail("%s%s%s is no longer there: no names", s->program, s->map ? " or " : "",
		     s->map ? s->map : "");
	montecito_symbols_free(sym);
	return NULL;
}

int samples_event(const struct samples *s, const char *text)
{
	uint64_t n;
	size_t i;

	if (!parse_number(text, &n) && n && n <= s->nr)
		return n - 1;
	for (i = 0; i < s->nr; i++)
		if (!strcasecmp(text, s->event[i]) || !strcasecmp(text, s->name[i]))
			return i;
	fail("-e %s: was not recorded; recorded are:", text);
	for (i = 0; i < s->nr; i++)
		fprintf(stderr, "  %zu  %s\n", i + 1, s->event[i]);
	return -1;
}

/* A sample that stands for all occurrences of @c. */
static int samples_take_count(struct samples *s, const struct samples_count *c,
			      struct montecito_record_sample *sample)
{
	if (!s->exact || c->source >= s->nr || !c->count)
		return -EINVAL;
	*sample = (struct montecito_record_sample){
		.source = c->source,
		.vcpu = c->vcpu,
		.cpl = 3,
		.ip = c->at & ~15ULL,
		.slot = c->at & 3,
	};
	s->weight = c->count;
	s->pmds = 0;
	s->has_chain = false;
	s->seen++;
	return 0;
}

/* The file is cut: report the end of what it holds. */
static int samples_cut(struct samples *s)
{
	if (!s->cut)
		fail("%s: cut off; its intact part has %llu samples", s->path,
		     (unsigned long long)s->seen);
	s->cut = true;
	return 0;
}

static int samples_take_cycles(struct samples *s, const struct samples_cycles *c)
{
	struct breakdown *b = &s->breakdown;

	if (b->cause || c->halted > c->cycles || c->unstalled > c->cycles - c->halted)
		return -EINVAL;
	b->cause = calloc(MONTECITO_MAX_CAUSES, sizeof(*b->cause));
	if (!b->cause)
		return -ENOMEM;
	b->sum.cycles = c->cycles;
	b->sum.halted = c->halted;
	b->sum.unstalled = c->unstalled;
	b->sum.insns = c->insns;
	b->bar[MONTECITO_BAR_UNSTALLED] = c->unstalled;
	return 0;
}

static int samples_take_cause(struct samples *s, const struct montecito_cause *c)
{
	struct breakdown *b = &s->breakdown;

	if (!b->cause || b->sum.count == MONTECITO_MAX_CAUSES || c->bar >= NR_BARS ||
	    c->bar == MONTECITO_BAR_UNSTALLED || !memchr(c->name, 0, sizeof(c->name)) ||
	    !memchr(c->text, 0, sizeof(c->text)))
		return -EINVAL;
	b->cause[b->sum.count++] = *c;
	b->bar[c->bar] += c->cycles;
	return 0;
}

/* The PMDs and the call chain of the sample at @u, of @size bytes. */
static int samples_take_values(struct samples *s, const struct montecito_record_sample *u,
			       size_t size)
{
	size_t room = (size - sizeof(*u)) / sizeof(uint64_t);
	size_t nr = __builtin_popcountll(u->pmds);
	const uint64_t *value = (const uint64_t *)(u + 1);

	s->kind = 0;
	s->nr_words = 0;
	s->pmds = u->pmds;
	s->has_physical = u->format & MONTECITO_SAMPLE_PHYSICAL;
	s->has_chain = u->format & MONTECITO_SAMPLE_CALLCHAIN;
	s->nr_chain = 0;
	if (nr > room)
		return fail("%s: a sample without its PMDs", s->path);
	memcpy(s->value, value, nr * sizeof(*value));
	if (s->has_physical && nr == room)
		return fail("%s: a sample without its physical address", s->path);
	if (s->has_physical)
		s->physical = value[nr++];
	if (!s->has_chain)
		return 0;
	if (room == nr || value[nr] > MONTECITO_MAX_CALLCHAIN || value[nr] > room - nr - 1)
		return fail("%s: a sample without its call chain", s->path);
	s->nr_chain = value[nr];
	memcpy(s->chain, value + nr + 1, s->nr_chain * sizeof(*value));
	return 0;
}

/* A record of another PMU as a sample, with the values that it has. */
static int samples_take_pmu(struct samples *s, const struct montecito_record_pmu *r,
			    struct montecito_record_sample *sample)
{
	size_t nr = (r->header.size - sizeof(*r)) / sizeof(uint64_t);
	bool merced = r->header.misc == MONTECITO_PMU_MERCED;

	if (r->header.size < sizeof(*r) || r->id >= s->nr || !r->header.misc ||
	    s->pmu[r->id] != r->header.misc || nr > sizeof(s->value) / sizeof(s->value[0]) ||
	    (merced && nr != 1 + (size_t)__builtin_popcountll(r->pmds)))
		return -EINVAL;
	*sample = (struct montecito_record_sample){
		.source = r->id,
		.vcpu = r->vcpu,
		.clock = r->clock,
		.cycles = r->cycles,
		.insns = r->insns,
		.ip = r->ip,
		.slot = r->slot,
		.cpl = r->cpl,
	};
	/* PMC0 is in front of the PMDs. */
	s->pmds = merced ? r->pmds : 0;
	s->nr_words = merced ? 0 : nr;
	memcpy(s->value, r->value + merced, (nr - merced) * sizeof(s->value[0]));
	s->kind = r->header.misc;
	s->has_physical = false;
	s->has_chain = false;
	s->nr_chain = 0;
	s->weight = 1;
	s->seen++;
	return 0;
}

/* From now on samples are of another process. */
static int samples_take_process(struct samples *s, const struct samples_process *p)
{
	char **all;
	size_t i;

	if (p->header.size != sizeof(*p) || p->vcpu >= SAMPLES_VCPUS || !p->pid ||
	    !memchr(p->program, 0, sizeof(p->program)))
		return -EINVAL;
	for (i = 0; i < s->nr_programs; i++)
		if (!strcmp(s->programs[i], p->program))
			break;
	if (i == s->nr_programs) {
		all = realloc(s->programs, (i + 1) * sizeof(*all));
		if (!all)
			return -ENOMEM;
		s->programs = all;
		all[i] = strdup(p->program);
		if (!all[i])
			return -ENOMEM;
		s->nr_programs++;
	}
	s->pid[p->vcpu] = p->pid;
	s->runs[p->vcpu] = i;
	return 0;
}

int samples_next(struct samples *s, struct montecito_record_sample *sample)
{
	union {
		struct montecito_record_header h;
		struct montecito_record_sample s;
		struct montecito_record_lost lost;
		struct samples_end end;
		struct samples_cycles cycles;
		struct samples_cause cause;
		struct samples_count count;
		struct samples_wait wait;
		struct samples_process process;
		struct montecito_record_pmu pmu;
		char raw[MONTECITO_RECORD_MAX];
	} u;

	for (;;) {
		switch (samples_get(&s->in, &u)) {
		case SAMPLES_GOT:
			break;
		case SAMPLES_CUT:
			return samples_cut(s);
		case SAMPLES_DAMAGED:
			return fail("%s: damaged", s->path);
		case SAMPLES_FAILED:
			return fail("%s: %s", s->path, strerror(errno));
		}
		if (u.h.type == SAMPLES_END) {
			if (u.h.size != sizeof(u.end) || u.end.samples != s->seen ||
			    !samples_at_end(&s->in))
				return fail("%s: damaged", s->path);
			return 0;
		}
		if ((u.h.type == SAMPLES_CYCLES &&
		     (u.h.size != sizeof(u.cycles) || samples_take_cycles(s, &u.cycles))) ||
		    (u.h.type == SAMPLES_CAUSE &&
		     (u.h.size != sizeof(u.cause) || samples_take_cause(s, &u.cause.cause))))
			return fail("%s: damaged", s->path);
		if (u.h.type == SAMPLES_COUNT) {
			if (u.h.size == sizeof(u.count) && !samples_take_count(s, &u.count, sample))
				return 1;
			return fail("%s: damaged", s->path);
		}
		if (u.h.type == SAMPLES_WAIT &&
		    (u.h.size != sizeof(u.wait) || waits_add(&s->waits, &u.wait.wait)))
			return fail("%s: damaged", s->path);
		if (u.h.type == SAMPLES_PROCESS && samples_take_process(s, &u.process))
			return fail("%s: damaged", s->path);
		if (u.h.type == MONTECITO_RECORD_LOST && u.h.size >= sizeof(u.lost))
			s->lost += u.lost.count;
		if (u.h.type == MONTECITO_RECORD_PMU) {
			if (samples_take_pmu(s, &u.pmu, sample))
				return fail("%s: damaged", s->path);
			if (!s->vcpus || sample->vcpu < s->vcpus)
				return 1;
			return fail("%s: a sample of a vcpu that was not there", s->path);
		}
		if (u.h.type != MONTECITO_RECORD_SAMPLE)
			continue;
		if (u.h.size < sizeof(u.s) || u.h.misc != MONTECITO_SAMPLE_OBSERVER ||
		    u.s.source >= s->nr || s->pmu[u.s.source])
			return fail("%s: a sample of an event that was not recorded", s->path);
		if (s->vcpus && u.s.vcpu >= s->vcpus)
			return fail("%s: a sample of a vcpu that was not there", s->path);
		if (samples_take_values(s, &u.s, u.h.size))
			return EXIT_MONTCTL;
		*sample = u.s;
		s->weight = 1;
		s->seen++;
		return 1;
	}
}

void samples_close(struct samples *s)
{
	samples_in_close(&s->in);
	json_object_put(s->header);
	while (s->nr_programs)
		free(s->programs[--s->nr_programs]);
	free(s->programs);
	breakdown_free(&s->breakdown);
	waits_free(&s->waits);
	free(s->event);
	free(s->name);
	free(s->period);
	free(s->random_mask);
	free(s->pmu);
	free(s->likeness);
	memset(s, 0, sizeof(*s));
}
