/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two cores with time: tests start each at a bundle of guest.S, and count in the PMUs of both.
 */
#ifndef TWO_CORES_H
#define TWO_CORES_H

#include "sys_test.h"
#include "package/bus.h"
#include "pipeline/pipeline.h"
#include "pmu/event.h"
#include "pmu/pmu.h"

#define LINE 128

static inline void begin(unsigned int v, const char *name, u64 address)
{
	cpu = mont_vcpu(pkg, v);
	set_gr(20, 0);
	set_gr(21, address);
	set_gr(22, v);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_HALTED, !name);
	if (!name)
		return;
	set(MONT_REG_SPECIAL, MONT_SPECIAL_IP, label(name));
	set(MONT_REG_SPECIAL, MONT_SPECIAL_PSR, PHYS | MONT_PSR_PP);
}

/* Two cores at the bundles named @first and @second; NULL: halted. */
static inline void cores(const char *first, const char *second, u64 apart)
{
	threads_timed = true;
	lone_threads = true;
	free(pkg);
	pkg = NULL; /* caches as they were made */
	machine(2, 0);
	begin(0, first, DATA_PA);
	begin(1, second, DATA_PA + apart);
}

static inline u64 turns(unsigned int v)
{
	cpu = mont_vcpu(pkg, v);
	return gr(20);
}

/* PMC4-9 number @n of core @v counts @name. */
static inline void count(unsigned int v, unsigned int n, const char *name)
{
	const struct mont_event *e = mont_event_resolve(name, strlen(name), NULL);

	if (!e) {
		printf("Bail out! no event %s\n", name);
		exit(1);
	}
	cpu = mont_vcpu(pkg, v);
	set(MONT_REG_PMC, n,
	    MONT_PMC_PLM | MONT_PMC_PM | (u64)e->code << MONT_PMC_ES_SHIFT |
		    (u64)e->umask << MONT_PMC_UMASK_SHIFT);
	set(MONT_REG_PMD, n, 0);
}

static inline u64 pmd(unsigned int v, unsigned int n)
{
	cpu = mont_vcpu(pkg, v);
	return get(MONT_REG_PMD, n);
}

/* The clock of the core that is ahead: a run's budget goes by that one. */
static inline u64 clock_ahead(void)
{
	u64 first = pkg->core[0].s.clock, second = pkg->core[1].s.clock;

	return first > second ? first : second;
}

#endif
