// SPDX-License-Identifier: GPL-2.0-only
/* Machines of guests that want to keep the CPU, and callers with observers that do. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include "common.h"
#include "hostile.h"

#define PSR_DT_IT_RT (1ULL << 17 | 1ULL << 36 | 1ULL << 27)
#define AR_RSC 16
#define AR_BSPSTORE 18
#define CR_ITM 1
#define CR_IVA 2
#define CR_PTA 8
#define CR_ITV 72
#define ITV_MASKED_NOT 0x40
#define EVENT_RSE_REFERENCES 0x20
#define UMASK_RSE_ALL 3
#define PTE_RW 0x461ULL /* present, accessed, dirty, write-back, level 0 */
#define VHPT 0x100000ULL
#define VHPT_VA 0x40000000ULL
#define FRAME 0x200000ULL
#define BREAK_VECTOR 0x2c00

/* Kinds of observers; those from SUMS on need time. */
enum {
	SAMPLE_NOTHING,
	SAMPLE_INSNS,
	SAMPLE_RSE,
	COUNT_RSE,
	ALL_RSE,
	SUMS,
	TAG_SETS,
	THRESHOLDS,
	SAMPLE_SUMS,
	SAMPLE_CYCLES
};

/* An event of twelve signals, one of four, and the cycles: code and unit mask. */
#define EVENT_BUBBLES 0x00
#define UMASK_L1D_FPU_RSE 2
#define EVENT_LOST 0x4e
#define UMASK_LOST_ALL 15
#define EVENT_SI_CYCLES 0x8e
#define SETS 15
#define LATENCY 10000

static void must(long ret, const char *what)
{
	if (ret)
		bail("%s: %s", what, strerror(-ret));
}

static void write_memory(int m, uint64_t addr, const void *data, uint64_t length)
{
	struct montecito_mem mem = {
		.size = sizeof(mem),
		.addr = addr,
		.length = length,
		.data = (uintptr_t)data,
	};

	must(call(m, MONTECITO_MEM_WRITE, &mem), "memory");
}

static void rse(int m, int v)
{
	(void)m;
	must(set(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_CFM, 0), "cfm");
	/* rsc.loadrs: all 96 registers and the NaT collections between them */
	must(set(v, MONTECITO_REG_AR, AR_RSC, (96 * 8 + 16) << 16), "rsc");
	must(set(v, MONTECITO_REG_AR, AR_BSPSTORE, 0x80000 + 512 * 8), "bspstore");
}

static void far_timer(int m, int v)
{
	rse(m, v);
	must(set(v, MONTECITO_REG_CR, CR_ITV, ITV_MASKED_NOT), "itv");
	must(set(v, MONTECITO_REG_CR, CR_ITM, 1ULL << 62), "itm");
	must(set(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_HALTED, 1), "halted");
}

static void near_timer(int m, int v)
{
	far_timer(m, v);
	must(set(v, MONTECITO_REG_CR, CR_ITM, 5ULL << 20), "itm");
}

static void purge(int m, int v)
{
	(void)m;
	must(set(v, MONTECITO_REG_GR, 2, 0x4000), "r2");
	must(set(v, MONTECITO_REG_GR, 3, 12 << 2), "r3");
}

static void modify(int m, int v)
{
	(void)m;
	must(set(v, MONTECITO_REG_GR, 9, HOSTILE_MODIFY), "r9");
}

static void fault(int m, int v)
{
	write_memory(m, 0x100000 + BREAK_VECTOR, hostile_image + 0x400, 16);
	must(set(v, MONTECITO_REG_CR, CR_IVA, 0x100000), "iva");
}

/* Instructions translated by a VHPT that is itself not mapped, and so are the vectors. */
static void unmapped(int m, int v)
{
	(void)m;
	must(set(v, MONTECITO_REG_RR, 0, 12 << 2 | 1), "rr0");
	must(set(v, MONTECITO_REG_CR, CR_PTA, VHPT_VA | 16 << 2 | 1), "pta");
	must(set(v, MONTECITO_REG_CR, CR_IVA, 0x300000), "iva");
	must(set(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR,
		 get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR) | PSR_DT_IT_RT | PSR_IC),
	     "psr");
}

static void walk(int m, int v)
{
	uint64_t ptes[512];
	int i;

	for (i = 0; i < 512; i++)
		ptes[i] = FRAME | PTE_RW;
	for (i = 0; i < 16; i++)
		write_memory(m, VHPT + i * sizeof(ptes), ptes, sizeof(ptes));
	must(set(v, MONTECITO_REG_RR, 0, 12 << 2 | 1), "rr0");
	must(set(v, MONTECITO_REG_CR, CR_PTA, VHPT_VA | 16 << 2 | 1), "pta");
	must(set(v, MONTECITO_REG_GR, 2, 0), "r2");
	must(set(v, MONTECITO_REG_GR, 4, 4096), "r4");
	must(set(v, MONTECITO_REG_GR, 5, 0x1ffffff), "r5");
	must(set(v, MONTECITO_REG_GR, 20, VHPT_VA), "r20");
	must(set(v, MONTECITO_REG_GR, 21, 16 << 2), "r21");
	must(set(v, MONTECITO_REG_GR, 22, 0), "r22");
	must(set(v, MONTECITO_REG_GR, 23, VHPT | PTE_RW), "r23");
}

static void timer(int m, int v)
{
	(void)m;
	must(set(v, MONTECITO_REG_GR, 9, 10), "r9");
	must(set(v, MONTECITO_REG_CR, CR_ITV, ITV_MASKED_NOT), "itv");
}

static void advanced(int m, int v)
{
	(void)m;
	must(set(v, MONTECITO_REG_GR, 2, 0x3000), "r2");
	must(set(v, MONTECITO_REG_GR, 9, 0x3000), "r9");
}

/* The guest's own counters count cycles, and what many signals add up to. */
static void counters(int v)
{
	must(set(v, MONTECITO_REG_PMC, 4, PMC_PLM_ALL | PMC_ES(EVENT_SI_CYCLES)), "pmc4");
	must(set(v, MONTECITO_REG_PMC, 5, PMC_PLM_ALL | PMC_ES(EVENT_BUBBLES)), "pmc5");
	must(set(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR,
		 get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR) | PSR_UP),
	     "psr");
}

static void uncached(int m, int v)
{
	(void)m;
	counters(v);
	must(set(v, MONTECITO_REG_GR, 2, 1ULL << 63 | 0x100000), "r2");
}

static void pmds(int m, int v)
{
	(void)m;
	counters(v);
	must(set(v, MONTECITO_REG_GR, 2, 4), "r2");
}

static void pmcs(int m, int v)
{
	pmds(m, v);
	must(set(v, MONTECITO_REG_GR, 3, PMC_PLM_ALL | PMC_ES(EVENT_SI_CYCLES)), "r3");
}

static void nothing(int m, int v)
{
	(void)m;
	(void)v;
}

/* As many observers as there may be. */
static void fill(int v, struct montecito_observer_add *a)
{
	long ret;

	do {
		ret = call(v, MONTECITO_OBSERVER_ADD, a);
	} while (!ret);
	if (ret != -ENOSPC)
		bail("observer: %s (%s)", strerror(-ret), a->why);
}

/*
 * With period 1 and a ring that is never read, and counting ones, with a filter: to
 * be looked at in each occurrence.
 */
static void sample(int v, int what)
{
	struct montecito_observer_add a = {
		.size = sizeof(a),
		.filter = {
			.code = what == SAMPLE_INSNS ? EVENT_INST_RETIRED : EVENT_RSE_REFERENCES,
			.umask = what == SAMPLE_INSNS ? 0 : UMASK_RSE_ALL,
			.plm = 0xf,
			.flags = MONTECITO_FILTER_IAR,
			.iar_hi = -1ULL,
		},
	};
	struct montecito_ring ring = { .size = sizeof(ring) };

	if (what == SAMPLE_NOTHING)
		return;
	if (what != COUNT_RSE) {
		must(call(v, MONTECITO_RING, &ring), "ring");
		a.flags = MONTECITO_OBSERVER_SAMPLE;
		a.period = 1;
		fill(v, &a);
	}
	if (what == COUNT_RSE || what == ALL_RSE) {
		a.flags = 0;
		a.period = 0;
		fill(v, &a);
	}
}

/* Add @nr observers, or as many as there may be; those with @period fill a ring without a reader. */
static void observe(int v, struct montecito_filter f, uint64_t period, unsigned int nr)
{
	struct montecito_observer_add a = {
		.size = sizeof(a),
		.flags = period ? MONTECITO_OBSERVER_SAMPLE : 0,
		.filter = f,
		.period = period,
	};

	if (!nr)
		fill(v, &a);
	while (nr--)
		must(call(v, MONTECITO_OBSERVER_ADD, &a), a.why);
}

/* Observers that need time, of a guest that begins at @entry. */
static void watch(int v, int what, uint64_t entry)
{
	const struct montecito_filter bubbles = { .code = EVENT_BUBBLES,
						  .umask = UMASK_L1D_FPU_RSE,
						  .plm = 0xf };
	const struct montecito_filter cycles = { .code = EVENT_CPU_OP_CYCLES, .plm = 0xf };
	struct montecito_filter range = { .code = EVENT_INST_RETIRED,
					  .plm = 0xf,
					  .flags = MONTECITO_FILTER_IAR,
					  .iar_lo = entry };
	struct montecito_filter threshold = cycles;
	struct montecito_ring ring = { .size = sizeof(ring) };
	unsigned int i;

	threshold.threshold = 1;
	if (what >= SAMPLE_SUMS)
		must(call(v, MONTECITO_RING, &ring), "ring");
	for (i = 0; i < SETS && what != SUMS; i++) {
		range.iar_hi = entry + 16 * (i + 1);
		observe(v, range, 0, 1);
	}
	switch (what) {
	case TAG_SETS:
		observe(v, threshold, 0, 1);
		break;
	case THRESHOLDS:
		observe(v, threshold, 0, 0);
		return;
	case SAMPLE_SUMS:
		observe(v,
			(struct montecito_filter){
				.code = EVENT_LOST, .umask = UMASK_LOST_ALL, .plm = 0xf },
			1, 0);
		break;
	case SAMPLE_CYCLES:
		observe(v, cycles, 1, 0);
		break;
	default:
		break;
	}
	observe(v, bubbles, 0, 0);
}

static void parameter(int m, const char *name, uint64_t value)
{
	struct montecito_param p = { .size = sizeof(p), .value = value };

	strcpy(p.name, name);
	must(call(m, MONTECITO_PARAM_SET, &p), name);
}

static const struct {
	const char *name;
	uint64_t entry;
	void (*prepare)(int m, int v);
	int observers;
	uint32_t cores;
} guests[] = {
	/* clang-format off */
	{ "rse", HOSTILE_RSE, rse, SAMPLE_NOTHING, 2 },
	{ "rse_sampled", HOSTILE_RSE, rse, SAMPLE_RSE, 1 },
	{ "rse_counted", HOSTILE_RSE, rse, COUNT_RSE, 1 },
	{ "rse_observed", HOSTILE_RSE, rse, ALL_RSE, 1 },
	{ "far_timer_alone", HOSTILE_RSE, far_timer, SAMPLE_NOTHING, 2 },
	{ "near_timer_sampled", HOSTILE_RSE, near_timer, SAMPLE_RSE, 1 },
	{ "purge", HOSTILE_PURGE, purge, SAMPLE_NOTHING, 2 },
	{ "purge_sampled", HOSTILE_PURGE, purge, SAMPLE_INSNS, 2 },
	{ "insns_sampled", HOSTILE_SPIN, nothing, SAMPLE_INSNS, 2 },
	{ "modify", HOSTILE_MODIFY, modify, SAMPLE_NOTHING, 2 },
	{ "fault", HOSTILE_FAULT, fault, SAMPLE_NOTHING, 2 },
	{ "unmapped", HOSTILE_SPIN, unmapped, SAMPLE_NOTHING, 2 },
	{ "walk", HOSTILE_WALK, walk, SAMPLE_NOTHING, 2 },
	{ "walk_sampled", HOSTILE_WALK, walk, SAMPLE_INSNS, 1 },
	{ "timer", HOSTILE_TIMER, timer, SAMPLE_NOTHING, 2 },
	{ "advanced", HOSTILE_ADVANCED, advanced, SAMPLE_NOTHING, 2 },
	{ "timed_sums", HOSTILE_UNCACHED, uncached, SUMS, 1 },
	{ "timed_tag_sets", HOSTILE_UNCACHED, uncached, TAG_SETS, 1 },
	{ "timed_thresholds", HOSTILE_UNCACHED, uncached, THRESHOLDS, 1 },
	{ "timed_sums_sampled", HOSTILE_UNCACHED, uncached, SAMPLE_SUMS, 1 },
	{ "timed_cycles_sampled", HOSTILE_UNCACHED, uncached, SAMPLE_CYCLES, 1 },
	{ "timed_pmds", HOSTILE_PMDS, pmds, TAG_SETS, 1 },
	{ "timed_pmcs", HOSTILE_PMCS, pmcs, TAG_SETS, 1 },
	{ "timed_rse", HOSTILE_RSE, rse, THRESHOLDS, 1 },
	{ "timed_walk", HOSTILE_WALK, walk, SAMPLE_SUMS, 1 },
	/* clang-format on */
};

const char *hostile_name(unsigned int n)
{
	return n < sizeof(guests) / sizeof(guests[0]) ? guests[n].name : NULL;
}

/* The processors of machines that hostile_machine() has made */
static int kept[64], nr_kept;

void hostile_close(int m)
{
	while (nr_kept)
		close(kept[--nr_kept]);
	close(m);
}

int hostile_machine(const char *name)
{
	unsigned int n, i;
	bool timed;
	int m, v;

	for (n = 0; hostile_name(n) && strcmp(hostile_name(n), name); n++)
		;
	if (!hostile_name(n))
		bail("no hostile guest %s", name);
	timed = guests[n].observers >= SUMS;
	m = timed ? timed_machine(0) : machine(guests[n].cores, guests[n].cores, 0);
	write_memory(m, HOSTILE_BASE, hostile_image, hostile_image_end - hostile_image);
	for (i = 0; i < guests[n].cores * guests[n].cores; i++) {
		v = vcpu(m, i);
		if (nr_kept == 64)
			bail("hostile guests are not closed");
		kept[nr_kept++] = v;
		start(v, guests[n].entry);
		guests[n].prepare(m, v);
		/* The file stays open: what observes ends with it. */
		if (timed)
			watch(v, guests[n].observers, guests[n].entry);
		else if (!i)
			sample(v, guests[n].observers);
	}
	/* The guest's code comes at the usual pace; then each reference takes as long as it may. */
	if (timed) {
		run(m, 300, 0, NULL);
		parameter(m, "memory.latency", LATENCY);
	}
	return m;
}

/* RUN publishes when it begins and ends, and each slice. */
#define BESIDE_SLICES 2

static void no_more(int sig)
{
	(void)sig;
}

/* Run whole slices for some milliseconds. */
static double slices(int m)
{
	/* Again and again: the first may come before RUN begins. */
	const struct itimerval soon = { { .tv_usec = 2000 }, { .tv_usec = 2000 } };
	const struct itimerval never = { 0 };
	struct montecito_run r = { .size = sizeof(r) };
	double t;

	setitimer(ITIMER_REAL, &soon, NULL);
	t = now();
	if (call(m, MONTECITO_RUN, &r) || r.exit.reason != MONTECITO_EXIT_SIGNAL)
		bail("run ends with %u", r.exit.reason);
	t = now() - t;
	setitimer(ITIMER_REAL, &never, NULL);
	return t;
}

double hostile_slice(int m, int rounds, uint32_t *count)
{
	struct sigaction sa = { .sa_handler = no_more };
	const struct montecito_snapshot *s;
	double best = 1e9, t;
	uint32_t seq, nr;

	s = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, m, MONTECITO_MMAP_SNAPSHOT);
	if (s == MAP_FAILED)
		bail("snapshot");
	sigaction(SIGALRM, &sa, NULL);
	*count = 0;
	while (rounds--) {
		seq = s->seq;
		t = slices(m);
		nr = (s->seq - seq) / 2 - BESIDE_SLICES;
		t /= nr ? nr : 1;
		best = t < best ? t : best;
		*count += nr;
	}
	munmap((void *)s, sysconf(_SC_PAGESIZE));
	return best;
}

double hostile_call(int m, unsigned int usec, uint64_t *insns)
{
	/* Again and again: the first may come before RUN begins. */
	const struct itimerval soon = { { .tv_usec = usec }, { .tv_usec = usec } };
	struct sigaction sa = { .sa_handler = no_more };
	struct montecito_run r = { .size = sizeof(r) };
	const struct itimerval never = { 0 };
	double t;

	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	t = now();
	if (call(m, MONTECITO_RUN, &r) || r.exit.reason != MONTECITO_EXIT_SIGNAL)
		bail("run ends with %u", r.exit.reason);
	t = now() - t;
	setitimer(ITIMER_REAL, &never, NULL);
	if (insns)
		*insns = r.exit.insns;
	return t;
}
