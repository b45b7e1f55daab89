/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two threads on one core with time: tests start each at a bundle of guest.S, run the core cycle
 * by cycle, and count in the PMUs of both.
 */
#ifndef TWO_THREADS_H
#define TWO_THREADS_H

#include "sys_test.h"
#include "package/bus.h"
#include "pipeline/pipeline.h"
#include "pal/pal.h"
#include "pmu/event.h"
#include "pmu/pmu.h"

#define QUANTUM 1000
#define CHAIN_PA 0x100000ULL
#define CHAIN_LINES 4096
#define SWITCH 15
#define FLUSH 7

static inline struct mont_threads *shared(void)
{
	return &pkg->core[0].time->s.threads;
}

/* Switches that brought thread @v out of the front, by @sig: nothing counts them but this. */
static inline u64 switches(unsigned int v, enum mont_signal sig)
{
	return MONT_SIG_NEVER - pkg->thread[v].countdown[0][sig].left;
}

/* Quanta are @cycles long, that of the thread in front as well. */
static inline void set_quantum(u64 cycles)
{
	set_param("thread.quantum", cycles);
	shared()->quantum = pkg->core[0].s.clock + cycles;
	if (shared()->next > shared()->quantum)
		shared()->next = shared()->quantum;
}

static inline u64 turns(unsigned int v)
{
	cpu = mont_vcpu(pkg, v);
	return gr(20);
}

/* A chain of lines that no cache has, from number @from on. */
static inline u64 chain(unsigned int from, unsigned int lines)
{
	unsigned int i;

	for (i = 0; i < lines; i++)
		*mem64(CHAIN_PA + 128ULL * (from + i)) = CHAIN_PA + 128ULL * (from + i + 1);
	return CHAIN_PA + 128ULL * from;
}

static inline void begin(unsigned int v, const char *name)
{
	cpu = mont_vcpu(pkg, v);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_HALTED, !name);
	if (!name)
		return;
	set(MONT_REG_SPECIAL, MONT_SPECIAL_IP, label(name));
	set(MONT_REG_SPECIAL, MONT_SPECIAL_PSR, PHYS);
	/* The assembler knows no hint.b: x6 of a nop.b in slot 2 becomes 1. */
	ram[label("thread_hint_b") + 14] |= 4;
}

/*
 * Two threads at the bundles named @first and @second; NULL: halted. Their code has been fetched
 * before, and both have the nominal urgency.
 */
static inline void threads(const char *first, const char *second)
{
	const char *name[2] = { first, second };
	unsigned int v;

	threads_timed = true;
	free(pkg);
	pkg = NULL; /* parameters and caches as they were made */
	machine(2, 0);
	set_param("thread.quantum", 100000);
	for (v = 0; v < 2; v++) {
		cpu = mont_vcpu(pkg, v);
		set_gr(21, chain(v * (CHAIN_LINES / 2), CHAIN_LINES / 2));
		set_gr(23, gr(21) + CHAIN_LINES / 4 * 128);
		if (name[v] && !strcmp(name[v], "thread_uncached"))
			set_gr(21, CHAIN_PA | MONT_BIT(63));
	}
	for (v = 0; v < 2; v++) {
		begin(v, name[v]);
		begin(!v, NULL);
		run_cycles(name[v] ? 3000 : 1);
	}
	for (v = 0; v < 2; v++)
		begin(v, name[v]);
	run_cycles(1);
	set_quantum(QUANTUM);
	for (v = 0; v < 2; v++) {
		unsigned int sig;

		cpu = mont_vcpu(pkg, v);
		set_gr(20, 0);
		shared()->urgency[v] = MONT_URGENCY_NOMINAL;
		for (sig = MONT_SIG_SWITCH_MISSED; sig <= MONT_SIG_SWITCH_LP; sig++)
			cpu->countdown[0][sig].left = MONT_SIG_NEVER;
	}
}

static inline u64 clock_now(void)
{
	return pkg->core[0].s.clock;
}

static inline void run_until_turns(unsigned int v, u64 n)
{
	unsigned int i;

	for (i = 0; i < 100000 && turns(v) < n; i++)
		run_cycles(10);
	check(i < 100000, "thread %u has made %llu turns of %llu", v, (unsigned long long)turns(v),
	      (unsigned long long)n);
}

#define ALL MONT_PMC_ALL
#define OI MONT_PMC_OI

/* PMC4-15 number @n of thread @v counts @name, at every level by PSR.pp, with @more. */
static inline void count(unsigned int v, unsigned int n, const char *name, u64 more)
{
	const struct mont_event *e = mont_event_resolve(name, strlen(name), NULL);

	if (!e) {
		printf("Bail out! no event %s\n", name);
		exit(1);
	}
	cpu = mont_vcpu(pkg, v);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_PSR, PHYS | MONT_PSR_PP);
	set(MONT_REG_PMC, n,
	    MONT_PMC_PLM | MONT_PMC_PM | 0xfULL << MONT_PMC_MESI_SHIFT | more |
		    (u64)e->code << MONT_PMC_ES_SHIFT | (u64)e->umask << MONT_PMC_UMASK_SHIFT);
	set(MONT_REG_PMD, n, 0);
}

static inline u64 pmd(unsigned int v, unsigned int n)
{
	cpu = mont_vcpu(pkg, v);
	return get(MONT_REG_PMD, n);
}

/* Both threads count @name in PMD4 and PMD10, and one of them in PMD5 with all set. */
static inline void count_everywhere(const char *name)
{
	unsigned int v;

	for (v = 0; v < 2; v++) {
		count(v, 4, name, 0);
		count(v, 10, name, 0);
	}
	count(1, 5, name, ALL);
}

#endif
