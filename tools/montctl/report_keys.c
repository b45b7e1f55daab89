// SPDX-License-Identifier: GPL-2.0-only
/*
 * The keys of montctl report --by, such as function and data line. Keys of data are what an
 * observer of a data EAR captures (PMD32, 33 and 36) or a precise record has, those of fetches
 * what one of an instruction EAR does (PMD34 and 35), those of branches are in its trace buffer
 * (PMD38, 39 and 48 to 63).
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "montctl.h"
#include "pmu_cells.h"
#include "report_by.h"
#include "report_keys.h"

#define FETCH_LINE 0x1fULL /* what PMD34 leaves out of an address */
#define STAT_SHIFT 14 /* PMD33.stat */
#define LINE 128 /* bytes of a line of the L2D and the L3 */
#define PAGE 16384 /* the page size that programs have without --page-size */

const char report_by_keys[] =
	"function, instruction, symbol+offset, data, object, object+offset, line, page, fetch, "
	"latency, latency-range, data-source, tlb, level, physical, branch, source, target, edge, cause, cpl, vcpu, "
	"process, program";

/* Put a sample's key into *@v: false if the sample has none. */
typedef bool key_value(const struct by *b, const struct montecito_record_sample *s, uint64_t *v);
typedef void key_text(const struct by *b, uint64_t v, char *buf, size_t len);

/* The beginning of the function of @addr, or @addr itself. */
static uint64_t report_keys_function_of(const struct by *b, uint64_t addr)
{
	uint64_t off;

	return b->symbols && montecito_symbols_find(b->symbols, addr, &off) ? addr - off : addr;
}

static bool report_keys_value_function(const struct by *b, const struct montecito_record_sample *s,
				       uint64_t *v)
{
	*v = report_keys_function_of(b, s->ip);
	return true;
}

static void report_keys_text_function(const struct by *b, uint64_t v, char *buf, size_t len)
{
	uint64_t off;
	const char *name = b->symbols ? montecito_symbols_find(b->symbols, v, &off) : NULL;

	if (name)
		snprintf(buf, len, "%s", name);
	else
		snprintf(buf, len, "0x%016" PRIx64, v);
}

static bool report_keys_value_instruction(const struct by *b,
					  const struct montecito_record_sample *s, uint64_t *v)
{
	(void)b;
	*v = s->ip | s->slot;
	return true;
}

static void report_keys_text_instruction(const struct by *b, uint64_t v, char *buf, size_t len)
{
	(void)b;
	snprintf(buf, len, "0x%016" PRIx64 "-%" PRIu64, v & ~(uint64_t)15, v & 3);
}

static void report_keys_text_symbol(const struct by *b, uint64_t v, char *buf, size_t len)
{
	uint64_t off;
	const char *name = b->symbols ? montecito_symbols_find(b->symbols, v & ~15ULL, &off) : NULL;

	if (name)
		snprintf(buf, len, "%s+0x%" PRIx64 "-%" PRIu64, name, off, v & 3);
	else
		report_keys_text_instruction(b, v, buf, len);
}

static bool report_keys_value_data(const struct by *b, const struct montecito_record_sample *s,
				   uint64_t *v)
{
	(void)s;
	return samples_data(&b->in, v);
}

static bool report_keys_value_line(const struct by *b, const struct montecito_record_sample *s,
				   uint64_t *v)
{
	bool there = report_keys_value_data(b, s, v);

	*v &= ~(uint64_t)(LINE - 1);
	return there;
}

static bool report_keys_value_page(const struct by *b, const struct montecito_record_sample *s,
				   uint64_t *v)
{
	bool there = report_keys_value_data(b, s, v);

	*v &= ~(uint64_t)(PAGE - 1);
	return there;
}

static void report_keys_text_address(const struct by *b, uint64_t v, char *buf, size_t len)
{
	(void)b;
	snprintf(buf, len, "0x%016" PRIx64, v);
}

static bool report_keys_value_object(const struct by *b, const struct montecito_record_sample *s,
				     uint64_t *v)
{
	uint64_t off;

	if (!report_keys_value_data(b, s, v))
		return false;
	if (b->symbols && montecito_symbols_object(b->symbols, *v, &off))
		*v -= off;
	return true;
}

static void report_keys_text_object(const struct by *b, uint64_t v, char *buf, size_t len)
{
	const char *name;
	uint64_t off;

	name = b->symbols ? montecito_symbols_object(b->symbols, v, &off) : NULL;
	if (name && off)
		snprintf(buf, len, "%s+0x%" PRIx64, name, off);
	else if (name)
		snprintf(buf, len, "%s", name);
	else
		report_keys_text_address(b, v, buf, len);
}

static bool report_keys_value_fetch(const struct by *b, const struct montecito_record_sample *s,
				    uint64_t *v)
{
	(void)s;
	if (!samples_pmd(&b->in, 34, v))
		return false;
	*v &= ~FETCH_LINE;
	return true;
}

static bool report_keys_value_latency(const struct by *b, const struct montecito_record_sample *s,
				      uint64_t *v)
{
	(void)s;
	return samples_latency(&b->in, v);
}

/* Latencies up to the next power of two are one row. */
static bool report_keys_value_range(const struct by *b, const struct montecito_record_sample *s,
				    uint64_t *v)
{
	if (!report_keys_value_latency(b, s, v))
		return false;
	*v = 1ULL << (63 - __builtin_clzll(*v));
	return true;
}

static void report_keys_text_range(const struct by *b, uint64_t v, char *buf, size_t len)
{
	(void)b;
	snprintf(buf, len, "%" PRIu64 "-%" PRIu64, v, 2 * v - 1);
}

static bool report_keys_value_data_source(const struct by *b,
					  const struct montecito_record_sample *s, uint64_t *v)
{
	(void)s;
	return samples_source(&b->in, v);
}

static void report_keys_text_data_source(const struct by *b, uint64_t v, char *buf, size_t len)
{
	(void)b;
	snprintf(buf, len, "%02" PRIX64 " %s", v, pmu_source_text(v));
}

static bool report_keys_value_tlb(const struct by *b, const struct montecito_record_sample *s,
				  uint64_t *v)
{
	uint64_t latency;

	if (report_keys_value_latency(b, s, &latency))
		return false;
	if (samples_pmd(&b->in, 33, v))
		*v >>= STAT_SHIFT;
	else if (!samples_pmd(&b->in, 34, v))
		return false;
	*v &= 3;
	return true;
}

static void report_keys_text_number(const struct by *b, uint64_t v, char *buf, size_t len)
{
	(void)b;
	snprintf(buf, len, "%" PRIu64, v);
}

static bool report_keys_value_level(const struct by *b, const struct montecito_record_sample *s,
				    uint64_t *v)
{
	(void)b;
	*v = s->level;
	return s->level;
}

static void report_keys_text_level(const struct by *b, uint64_t v, char *buf, size_t len)
{
	static const char *const name[] = {
		[MONTECITO_LEVEL_L2D] = "L2D",		 [MONTECITO_LEVEL_L3] = "L3",
		[MONTECITO_LEVEL_MEMORY] = "memory",	 [MONTECITO_LEVEL_PENDING] = "pending",
		[MONTECITO_LEVEL_UNCACHED] = "uncached",
	};

	if (v < sizeof(name) / sizeof(name[0]) && name[v])
		snprintf(buf, len, "%s", name[v]);
	else
		report_keys_text_number(b, v, buf, len);
}

static bool report_keys_value_physical(const struct by *b, const struct montecito_record_sample *s,
				       uint64_t *v)
{
	(void)s;
	*v = b->in.physical;
	return b->in.has_physical;
}

/* Why the cycle of the sample had no group to issue: the name of that CAUSE event. */
static bool report_keys_value_cause(const struct by *b, const struct montecito_record_sample *s,
				    uint64_t *v)
{
	(void)b;
	*v = s->cause - 1;
	return s->cause;
}

static void report_keys_text_cause(const struct by *b, uint64_t v, char *buf, size_t len)
{
	struct montecito_event_info info = { .size = sizeof(info) };

	if (montecito_event_of_cause(v, &info))
		report_keys_text_number(b, v, buf, len);
	else
		snprintf(buf, len, "%s", info.name);
}

static bool report_keys_value_source(const struct by *b, const struct montecito_record_sample *s,
				     uint64_t *v)
{
	struct samples_branch branch;

	if (!samples_branch(&b->in, s, &branch))
		return false;
	*v = branch.source;
	return true;
}

static bool report_keys_value_target(const struct by *b, const struct montecito_record_sample *s,
				     uint64_t *v)
{
	struct samples_branch branch;

	if (!samples_branch(&b->in, s, &branch))
		return false;
	*v = branch.target;
	return true;
}

static void report_keys_text_target(const struct by *b, uint64_t v, char *buf, size_t len)
{
	uint64_t off;
	const char *name = b->symbols ? montecito_symbols_find(b->symbols, v, &off) : NULL;

	if (name && off)
		snprintf(buf, len, "%s+0x%" PRIx64, name, off);
	else
		report_keys_text_function(b, v, buf, len);
}

static bool report_keys_value_from(const struct by *b, const struct montecito_record_sample *s,
				   uint64_t *v)
{
	if (!report_keys_value_source(b, s, v))
		return false;
	*v = report_keys_function_of(b, *v & ~15ULL);
	return true;
}

static bool report_keys_value_to(const struct by *b, const struct montecito_record_sample *s,
				 uint64_t *v)
{
	if (!report_keys_value_target(b, s, v))
		return false;
	*v = report_keys_function_of(b, *v);
	return true;
}

static void report_keys_text_tlb(const struct by *b, uint64_t v, char *buf, size_t len)
{
	static const char *const name[] = { "none", "L2 DTLB", "VHPT", "fault" };

	(void)b;
	snprintf(buf, len, "%s", name[v & 3]);
}

static bool report_keys_value_cpl(const struct by *b, const struct montecito_record_sample *s,
				  uint64_t *v)
{
	(void)b;
	*v = s->cpl;
	return true;
}

static bool report_keys_value_vcpu(const struct by *b, const struct montecito_record_sample *s,
				   uint64_t *v)
{
	(void)b;
	*v = s->vcpu;
	return true;
}

static bool report_keys_value_process(const struct by *b, const struct montecito_record_sample *s,
				      uint64_t *v)
{
	*v = s->vcpu < SAMPLES_VCPUS ? b->in.pid[s->vcpu] : 0;
	/* An exact profile is of all processes together. */
	return *v && !b->in.exact;
}

static bool report_keys_value_program(const struct by *b, const struct montecito_record_sample *s,
				      uint64_t *v)
{
	uint64_t pid;

	if (!report_keys_value_process(b, s, &pid))
		return false;
	*v = b->in.runs[s->vcpu];
	return true;
}

static void report_keys_text_program(const struct by *b, uint64_t v, char *buf, size_t len)
{
	snprintf(buf, len, "%s", b->in.programs[v]);
}

static const struct {
	const char *name;
	key_value *value;
	key_text *text;
} keys[] = {
	{ "function", report_keys_value_function, report_keys_text_function },
	{ "instruction", report_keys_value_instruction, report_keys_text_instruction },
	{ "symbol+offset", report_keys_value_instruction, report_keys_text_symbol },
	{ "data", report_keys_value_data, report_keys_text_address },
	{ "object", report_keys_value_object, report_keys_text_object },
	{ "object+offset", report_keys_value_data, report_keys_text_object },
	{ "line", report_keys_value_line, report_keys_text_address },
	{ "page", report_keys_value_page, report_keys_text_address },
	{ "fetch", report_keys_value_fetch, report_keys_text_address },
	{ "latency", report_keys_value_latency, report_keys_text_number },
	{ KEY_RANGE, report_keys_value_range, report_keys_text_range },
	{ "data-source", report_keys_value_data_source, report_keys_text_data_source },
	{ "tlb", report_keys_value_tlb, report_keys_text_tlb },
	{ "level", report_keys_value_level, report_keys_text_level },
	{ "physical", report_keys_value_physical, report_keys_text_address },
	{ "cause", report_keys_value_cause, report_keys_text_cause },
	{ "source", report_keys_value_source, report_keys_text_symbol },
	{ "target", report_keys_value_target, report_keys_text_target },
	{ "from", report_keys_value_from, report_keys_text_function },
	{ "to", report_keys_value_to, report_keys_text_function },
	{ "cpl", report_keys_value_cpl, report_keys_text_number },
	{ "vcpu", report_keys_value_vcpu, report_keys_text_number },
	{ "process", report_keys_value_process, report_keys_text_number },
	{ "program", report_keys_value_program, report_keys_text_program },
};

#define NR_KEYS (sizeof(keys) / sizeof(keys[0]))

/* Keys that stand for two. */
static const struct {
	const char *name;
	const char *two[2];
} pairs[] = {
	{ "branch", { "source", "target" } },
	{ "edge", { "from", "to" } },
};

static int report_keys_parse_key(struct by *b, const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (strlen(pairs[i].name) == len && !strncmp(pairs[i].name, text, len))
			return report_keys_parse_key(b, pairs[i].two[0], strlen(pairs[i].two[0])) ||
			       report_keys_parse_key(b, pairs[i].two[1], strlen(pairs[i].two[1]));
	for (i = 0; i < NR_KEYS; i++)
		if (strlen(keys[i].name) == len && !strncmp(keys[i].name, text, len))
			break;
	if (i == NR_KEYS)
		return usage_error("report", "--by %.*s: must be of %s", (int)len, text,
				   report_by_keys);
	if (b->nr == MAX_KEYS)
		return usage_error("report", "--by: at most %d keys", MAX_KEYS);
	b->key[b->nr++] = i;
	return 0;
}

int report_keys_parse(struct by *b, const char *text)
{
	do {
		size_t len = strcspn(text, ",");
		int err = report_keys_parse_key(b, text, len);

		if (err)
			return EXIT_MONTCTL;
		text += len;
	} while (*text++);
	return 0;
}

const char *report_key_name(unsigned int key)
{
	return keys[key].name;
}

bool report_key_value(const struct by *b, unsigned int key, const struct montecito_record_sample *s,
		      uint64_t *v)
{
	return keys[key].value(b, s, v);
}

void report_key_text(const struct by *b, unsigned int key, uint64_t v, char *buf, size_t len)
{
	if (v == REPORT_NO_KEY)
		snprintf(buf, len, "-");
	else
		keys[key].text(b, v, buf, len);
}
