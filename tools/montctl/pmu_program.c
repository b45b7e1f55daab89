// SPDX-License-Identifier: GPL-2.0-only
/* Events of other processors' PMUs, as values of their registers (pmu_program.h). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "montctl.h"
#include "pmu_program.h"

/* ---- the original Itanium ---- */

#define ES_SHIFT 8
#define UMASK_SHIFT 16
#define THRESHOLD_SHIFT 20
#define OI 0x20ULL
#define PM 0x40ULL
#define TLB 0x80ULL
#define PT (1ULL << 28)
#define EVERY_BRANCH 0xff80ULL /* PMC12: tar, tm, ptm, ppm, bpt, bac */
#define ADDRESS_MASK ((1ULL << 56) - 1)
#define MERCED_FIRST 4 /* PMC4 and PMD4 are those of the first counter */

/* Codes of the events that count captures of a unit. */
#define INSN_EAR 0x23
#define DATA_EAR 0x67
#define TRACE 0x11

/* LO-HI as an address and a mask, which hold a power of two, aligned to itself. */
static const char *pmu_program_range(const char *text, uint64_t pair[2])
{
	char *end;
	uint64_t lo, hi, size;

	errno = 0;
	lo = strtoull(text, &end, 0);
	if (end == text || *end != '-' || errno)
		return "a range is LO-HI, two addresses";
	text = end + 1;
	hi = strtoull(text, &end, 0);
	if (end == text || *end || errno || hi <= lo)
		return "a range is LO-HI, two addresses";
	size = hi - lo;
	if ((size & (size - 1)) || (lo & (size - 1)))
		return "this PMU's ranges are powers of two, aligned to themselves";
	pair[0] = lo;
	pair[1] = ~(size - 1) & ADDRESS_MASK;
	return NULL;
}

static void pmu_program_merced_begin(struct pmu_event *e)
{
	e->setup = (struct pmu_setup){ .pmc = { ~0ULL, ~0ULL, 0, PT, 0, 1 } };
}

static const char *pmu_program_merced_modifier(struct pmu_event *e, char *word)
{
	char *value = strchr(word, '=');
	uint64_t n = 0;

	if (!value)
		return "no such modifier; there are u, k, plm=, pm=, t=, iar=, dar=, pmc8= to pmc12=";
	*value++ = '\0';
	if (!strcmp(word, "iar")) {
		e->setup.pmc[5] = 0;
		return e->d.filters & MONTECITO_FILTER_IAR ? pmu_program_range(value, e->setup.ibr)
							   : "this event has no instruction range";
	}
	if (!strcmp(word, "dar")) {
		e->setup.pmc[3] &= ~PT;
		return e->d.filters & MONTECITO_FILTER_DAR ? pmu_program_range(value, e->setup.dbr)
							   : "this event has no data range";
	}
	if (parse_number(value, &n))
		return "a modifier's value must be a number";
	if (!strcmp(word, "plm") && n && n < 16) {
		e->plm = n;
	} else if (!strcmp(word, "pm") && n < 2) {
		e->select |= n * PM;
	} else if (!strcmp(word, "t") && n < 8) {
		e->select |= n << THRESHOLD_SHIFT;
	} else if (!strcmp(word, "pmc8") || !strcmp(word, "pmc9")) {
		if (!(e->d.filters & MONTECITO_FILTER_OPC))
			return "this event has no opcode filter";
		e->setup.pmc[word[3] - '8'] = n;
	} else if (!strcmp(word, "pmc10") || !strcmp(word, "pmc11") || !strcmp(word, "pmc12")) {
		e->setup.pmc[2 + word[4] - '0'] = n;
	} else {
		return "no such modifier, or its value is out of range";
	}
	return NULL;
}

/* Set up the unit whose captures the event counts: by its name, unless a modifier has. */
static const char *pmu_program_merced_end(struct pmu_event *e)
{
	uint64_t *pmc12 = &e->setup.pmc[4], *ear = &e->setup.pmc[e->d.code == INSN_EAR ? 2 : 3];
	uint64_t levels = e->plm | (e->select & PM);

	if (e->d.code == TRACE && !*pmc12)
		*pmc12 = levels | EVERY_BRANCH;
	if ((e->d.code == INSN_EAR || e->d.code == DATA_EAR) && !strstr(e->d.name, "_EAR_EVENTS")) {
		*ear |= levels | (uint64_t)e->d.umask << UMASK_SHIFT;
		if (strstr(e->d.name, "_TLB_"))
			*ear |= TLB;
		e->d.umask = 0;
	}
	e->select |= e->plm | (uint64_t)e->d.code << ES_SHIFT | (uint64_t)e->d.umask << UMASK_SHIFT;
	return NULL;
}

static unsigned int pmu_program_merced_registers(const struct pmu_event *e, unsigned int n,
						 struct montecito_pmu_reg reg[PMU_MOST_REGISTERS])
{
	const struct pmu_setup *s = &e->setup;
	unsigned int nr = 0, i;

	for (i = 0; i < 6; i++)
		reg[nr++] = (struct montecito_pmu_reg){ MONTECITO_REG_PMC, 8 + i, s->pmc[i] };
	for (i = 0; i < 2; i++) {
		reg[nr++] = (struct montecito_pmu_reg){ MONTECITO_REG_IBR, i, s->ibr[i] };
		reg[nr++] = (struct montecito_pmu_reg){ MONTECITO_REG_DBR, i, s->dbr[i] };
	}
	reg[nr++] = (struct montecito_pmu_reg){ MONTECITO_REG_PMC, MERCED_FIRST + n, e->select };
	return nr;
}

/* PMDs that a capture of the unit that @e counts is in. */
static uint64_t pmu_program_captured(const struct pmu_event *e)
{
	switch (e->d.code) {
	case INSN_EAR:
		return 0x3; /* PMD0, PMD1 */
	case DATA_EAR:
		return 0x2000c; /* PMD2, PMD3, PMD17 */
	case TRACE:
		return 0x1ff00; /* PMD8-16 */
	default:
		return 0;
	}
}

static const char *pmu_program_merced_sample(const struct pmu_event *e, uint64_t period,
					     struct pmu_sampler *s)
{
	unsigned int n = __builtin_ctz(e->d.counters >> MERCED_FIRST);
	struct pmu_event sampled = *e;

	if (period > UINT32_MAX)
		return "this PMU's counters have 32 bits: a period is 2^32 - 1 at most";
	sampled.select |= OI;
	s->reload[s->nr_reload++] = (struct montecito_pmu_reg){ MONTECITO_REG_PMD, MERCED_FIRST + n,
								-period & UINT32_MAX };
	s->reload[s->nr_reload++] = (struct montecito_pmu_reg){ MONTECITO_REG_PMC, 0, 0 };
	s->reg[s->nr++] = s->reload[0];
	s->nr += pmu_program_merced_registers(&sampled, n, s->reg + s->nr);
	s->pmds = pmu_program_captured(e);
	s->cause = 1U << (MERCED_FIRST + n);
	return NULL;
}

/* ---- precise sampling of IA-32 ---- */

#define PEBS_UMASK_SHIFT 8
#define PEBS_USR (1ULL << 16)
#define PEBS_OS (1ULL << 17)
#define PEBS_INT (1ULL << 20)
#define PEBS_EN (1ULL << 22)
#define PEBS_BITS 48
#define GENERAL 0xf /* montecito_pmu_describe.counters: IA32_PMC0-3 */
#define PEBS_FULL (1ULL << 62) /* of IA32_PERF_GLOBAL_OVF_CTRL */
#define PEBS_LL_EN (1ULL << 32) /* IA32_PEBS_ENABLE */
#define PEBS_BUFFER (176ULL << 40) /* bytes: an interrupt winds the index back */
#define CYCLES_CODE 0x3c
#define CACHE_CODE 0x2e
#define USER 8 /* levels: 3 is usr */
#define SYSTEM 7
#define LEAST 3 /* threshold of load latency */
#define LATENCY_CODE 0x0b
#define LATENCY_UMASK 0x10

/* Names that perf has. */
static const char *const pebs_alias[] = {
	"latency",
	"MEM_INST_RETIRED.LATENCY_ABOVE_THRESHOLD",
	"mem-loads",
	"MEM_INST_RETIRED.LATENCY_ABOVE_THRESHOLD",
	"mem-stores",
	"MEM_INST_RETIRED.STORES",
	"cpu-cycles",
	"CPU_CLK_UNHALTED.THREAD",
	"instructions",
	"INST_RETIRED.ANY",
	"branches",
	"BR_INST_RETIRED.ALL_BRANCHES",
	"branch-misses",
	"BR_MISP_RETIRED.ALL_BRANCHES",
	NULL,
};

static bool pmu_program_is_latency(const struct pmu_event *e)
{
	return e->d.code == LATENCY_CODE && e->d.umask == LATENCY_UMASK;
}

static void pmu_program_pebs_begin(struct pmu_event *e)
{
	e->setup = (struct pmu_setup){ 0 };
	if (pmu_program_is_latency(e))
		e->setup.least = LEAST;
}

static const char *pmu_program_pebs_modifier(struct pmu_event *e, char *word)
{
	char *value = strchr(word, '=');
	uint64_t n = 0;

	if (!value)
		return "no such modifier; there are u, k, plm=, ldlat=";
	*value++ = '\0';
	if (parse_number(value, &n))
		return "a modifier's value must be a number";
	if (!strcmp(word, "plm") && (n == USER || n == SYSTEM || n == (USER | SYSTEM))) {
		e->plm = n;
		return NULL;
	}
	if (strcmp(word, "ldlat"))
		return "no such modifier, or its value is out of range: plm= is 7, 8 or 15";
	if (!pmu_program_is_latency(e))
		return "ldlat= goes with latency";
	if (n < LEAST || n > 0xffff)
		return "ldlat= is from 3 to 65535 cycles";
	e->setup.least = n;
	return NULL;
}

static const char *pmu_program_pebs_end(struct pmu_event *e)
{
	if (!(e->d.counters & GENERAL))
		return "the uncore's counters are set up by montctl pmu set";
	e->select = e->d.code | (uint64_t)e->d.umask << PEBS_UMASK_SHIFT | PEBS_EN |
		    (e->plm & USER ? PEBS_USR : 0) | (e->plm & SYSTEM ? PEBS_OS : 0);
	return NULL;
}

static unsigned int pmu_program_pebs_registers(const struct pmu_event *e, unsigned int n,
					       struct montecito_pmu_reg reg[PMU_MOST_REGISTERS])
{
	unsigned int nr = 0;

	if (e->setup.least)
		reg[nr++] =
			(struct montecito_pmu_reg){ MONTECITO_PMU_REG_MSR, 0x3f6, e->setup.least };
	reg[nr++] = (struct montecito_pmu_reg){ MONTECITO_PMU_REG_MSR, 0x186 + n, e->select };
	reg[nr++] = (struct montecito_pmu_reg){ MONTECITO_PMU_REG_MSR, 0x38f, 0xf };
	return nr;
}

/* The architectural events of cycles and of the last cache are not precise [SDM table 18-10]. */
static bool pmu_program_is_precise(const struct pmu_event *e)
{
	return e->d.code != CYCLES_CODE && e->d.code != CACHE_CODE;
}

static void pmu_program_msr(struct pmu_sampler *s, uint32_t index, uint64_t value)
{
	s->reg[s->nr++] = (struct montecito_pmu_reg){ MONTECITO_PMU_REG_MSR, index, value };
}

/* A precise record comes with the occurrence behind the one that makes the counter overflow. */
static void pmu_program_pebs_sample_precise(const struct pmu_event *e, uint64_t period,
					    struct pmu_sampler *s)
{
	uint64_t start = -(period - 1) & ((1ULL << PEBS_BITS) - 1);
	uint32_t word;

	/* Words of the debug store area: base and index are 0. */
	for (word = 0x30; word <= 0x38; word += 8)
		s->reg[s->nr++] =
			(struct montecito_pmu_reg){ MONTECITO_PMU_REG_DS, word, PEBS_BUFFER };
	s->reg[s->nr++] = (struct montecito_pmu_reg){ MONTECITO_PMU_REG_DS, 0x40, start };
	pmu_program_msr(s, 0xc1, start);
	pmu_program_msr(s, 0x3f1, 1 | (pmu_program_is_latency(e) ? PEBS_LL_EN : 0));
	s->reload[0] = (struct montecito_pmu_reg){ MONTECITO_PMU_REG_DS, 0x28, 0 };
	s->reload[1] = (struct montecito_pmu_reg){ MONTECITO_PMU_REG_MSR, 0x390, PEBS_FULL };
	s->nr_reload = 2;
	s->cause = MONTECITO_PMU_CAUSE_ASSIST;
}

static const char *pmu_program_pebs_sample(const struct pmu_event *e, uint64_t period,
					   struct pmu_sampler *s)
{
	struct pmu_event sampled = *e;
	bool precise = pmu_program_is_precise(e);

	if (period >> (PEBS_BITS - 1) || (precise && period < 2))
		return "a period is from 2 to 2^47 - 1: a precise record comes with the occurrence "
		       "behind an overflow";
	if (precise) {
		pmu_program_pebs_sample_precise(e, period, s);
	} else {
		sampled.select |= PEBS_INT;
		s->reload[0] = (struct montecito_pmu_reg){ MONTECITO_PMU_REG_MSR, 0xc1,
							   -period & ((1ULL << PEBS_BITS) - 1) };
		s->reload[1] = (struct montecito_pmu_reg){ MONTECITO_PMU_REG_MSR, 0x390, 1 };
		s->nr_reload = 2;
		s->reg[s->nr++] = s->reload[0];
		s->cause = 1;
	}
	s->nr += pmu_program_pebs_registers(&sampled, 0, s->reg + s->nr);
	return NULL;
}

/* ---- the Alpha 21264/EV68A ---- */

#define IPR_I_CTL 0x11
#define IPR_PCTR_CTL 0x14
#define BOTH_COUNTERS 0xc0001ULL /* I_CTL: PCT1_EN, PCT0_EN, SPCE */
#define PROFILE 4 /* SL0, in an event's code */
#define IPR_IER_CM 0x0b
#define IPR_HW_INT_CLR 0x0e
#define PCEN0 (1ULL << 29) /* IER_CM and HW_INT_CLR: PCEN1 and PC1 are next */
#define PCTR_BITS 20
#define PCTR0_SHIFT 28
#define PCTR1_SHIFT 6
#define SELECT_SHIFT 2 /* of SL0 and SL1 */
#define LEAST_PCTR0 16 /* occurrences to the overflow [E2] */
#define LEAST_PCTR1 4

/* A profile tells most in mode 1: the cycles of its window, and how long it held up others. */
static const char *const ev68a_alias[] = {
	"profileme",
	"PROFILEME.CYCLES.SL1_1",
	NULL,
};

static void pmu_program_ev68a_begin(struct pmu_event *e)
{
	e->setup = (struct pmu_setup){ .mode = 1 + e->d.code };
}

static const char *pmu_program_ev68a_modifier(struct pmu_event *e, char *word)
{
	uint64_t mode;

	if (strncmp(word, "mode=", 5) || !(e->d.code & PROFILE))
		return "this PMU knows no modifiers but profileme:mode=: it counts at all levels";
	if (parse_number(word + 5, &mode) || mode > 3)
		return "mode= is SL1, from 0 to 3";
	e->d.code = PROFILE | mode;
	snprintf(e->d.name, sizeof(e->d.name), "PROFILEME");
	return NULL;
}

static const char *pmu_program_ev68a_end(struct pmu_event *e)
{
	if (e->d.code & PROFILE && !e->sampled)
		return "ProfileMe counts in the window of an instruction: montctl record has it";
	return e->plm == (USER | SYSTEM) ? NULL
					 : "this PMU knows no levels: it counts at all of them";
}

static unsigned int pmu_program_ev68a_registers(const struct pmu_event *e, unsigned int n,
						struct montecito_pmu_reg reg[PMU_MOST_REGISTERS])
{
	(void)n;
	reg[0] = (struct montecito_pmu_reg){ MONTECITO_PMU_REG_IPR, IPR_PCTR_CTL, e->d.code << 2 };
	reg[1] = (struct montecito_pmu_reg){ MONTECITO_PMU_REG_IPR, IPR_I_CTL, BOTH_COUNTERS };
	return 2;
}

static const char *pmu_program_ev68a_sample(const struct pmu_event *e, uint64_t period,
					    struct pmu_sampler *s)
{
	/* In the window of a profile both count; the one that chooses is PCTR0. */
	unsigned int n = e->d.code & PROFILE ? 0 : e->d.umask;
	uint64_t start = (1ULL << PCTR_BITS) - period;

	if (period >> PCTR_BITS || period < (n ? LEAST_PCTR1 : LEAST_PCTR0))
		return n ? "this counter has 20 bits: a period is from 4 to 2^20 - 1"
			 : "this counter has 20 bits: a period is from 16 to 2^20 - 1";
	s->reload[0] =
		(struct montecito_pmu_reg){ MONTECITO_PMU_REG_IPR, IPR_HW_INT_CLR, PCEN0 << n };
	s->reload[1] = (struct montecito_pmu_reg){ MONTECITO_PMU_REG_IPR, IPR_PCTR_CTL,
						   start << (n ? PCTR1_SHIFT : PCTR0_SHIFT) |
							   (uint64_t)e->d.code << SELECT_SHIFT };
	s->nr_reload = 2;
	s->reg[0] = s->reload[1];
	s->reg[1] = (struct montecito_pmu_reg){ MONTECITO_PMU_REG_IPR, IPR_IER_CM, PCEN0 << n };
	s->reg[2] = (struct montecito_pmu_reg){ MONTECITO_PMU_REG_IPR, IPR_I_CTL, BOTH_COUNTERS };
	s->nr = 3;
	s->cause = e->d.code & PROFILE ? MONTECITO_PMU_CAUSE_WINDOW : 1U << n;
	return NULL;
}

static const struct pmu_program programs[] = {
	{
		.kind = MONTECITO_PMU_MERCED,
		.first = MERCED_FIRST,
		.counters = 4,
		.bits = 32,
		.count = { .cls = MONTECITO_REG_PMD, .index = MERCED_FIRST },
		.begin = pmu_program_merced_begin,
		.modifier = pmu_program_merced_modifier,
		.end = pmu_program_merced_end,
		.registers = pmu_program_merced_registers,
		.sample = pmu_program_merced_sample,
	},
	{
		.kind = MONTECITO_PMU_PEBS,
		.counters = 4,
		.bits = 48,
		.count = { .cls = MONTECITO_PMU_REG_MSR, .index = 0xc1 },
		.alias = pebs_alias,
		.begin = pmu_program_pebs_begin,
		.modifier = pmu_program_pebs_modifier,
		.end = pmu_program_pebs_end,
		.registers = pmu_program_pebs_registers,
		.sample = pmu_program_pebs_sample,
	},
	{
		.kind = MONTECITO_PMU_EV68A,
		.counters = 2,
		.bits = 64,
		.count = { .cls = MONTECITO_PMU_REG_OWN },
		.alias = ev68a_alias,
		.begin = pmu_program_ev68a_begin,
		.modifier = pmu_program_ev68a_modifier,
		.end = pmu_program_ev68a_end,
		.registers = pmu_program_ev68a_registers,
		.sample = pmu_program_ev68a_sample,
	},
};

const struct pmu_program *pmu_program(uint32_t kind)
{
	size_t i;

	for (i = 0; i < sizeof(programs) / sizeof(programs[0]) - 1; i++)
		if (programs[i].kind == kind)
			break;
	return &programs[i];
}
