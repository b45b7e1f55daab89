/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Guests that want to keep the CPU, and their observers: many of a kind, of
 * events of one signal and of several, with ranges, thresholds and periods.
 */
#ifndef HOSTILE_H
#define HOSTILE_H

#include "sys_test.h"
#include "pmu/block.h"
#include "pmu/observer.h"
#include "pmu/pmu.h"

#define MOST 1024 /* observers */

/* A number of observers of one kind. */
struct kind {
	u16 nr;
	u16 code;
	u8 umask;
	u8 threshold;
	u8 ranges; /* of the guest's first bundles, as many different ones */
	u8 period;
	u8 plm; /* 0: at every level */
	bool timed;
	bool block; /* PMUs of another processor, which interrupt in every group */
};

#define NR_KINDS 6
/* Other processors' PMUs */
#define MOST_BLOCKS 8

struct recipe {
	const char *name;
	struct kind kind[NR_KINDS];
};

static struct mont_observer observer[MOST];
static unsigned int nr_observers, nr_periods;
static struct mont_block block[MOST_BLOCKS];
static unsigned int nr_blocks;
static unsigned long nr_interrupts;

/* Where the guest begins. */
static u64 entry;

static void block_interrupted(struct mont_block *b)
{
	(void)b;
	nr_interrupts++;
}

/* A PMU of the original Itanium, whose PMD4 and PMD5 overflow with each instruction. */
static inline void block_begin(struct mont_block *b)
{
	const struct mont_block_reg pmc[] = {
		{ MONT_REG_PMC, 4, 8 << MONT_PMC_ES_SHIFT | MONT_PMC_PLM | MONT_PMC_OI },
		{ MONT_REG_PMC, 5, 8 << MONT_PMC_ES_SHIFT | MONT_PMC_PLM | MONT_PMC_OI },
	};
	const char *why = "";
	u32 bad;

	*b = (struct mont_block){
		.nr_reload = 3,
		.reload = { { MONT_REG_PMD, 4, ~0ULL },
			    { MONT_REG_PMD, 5, ~0ULL },
			    { MONT_REG_PMC, 0, 0 } },
		.tell = block_interrupted,
	};
	if (mont_block_add(cpu, b, MONT_BLOCK_MERCED, &why) ||
	    mont_block_set(b, b->reload, 3, &bad, &why) || mont_block_set(b, pmc, 2, &bad, &why)) {
		printf("Bail out! PMU: %s\n", why);
		exit(1);
	}
}

/* Attach those of @r that this machine has events for; @overflow: of those with a period. */
static inline void observe(const struct recipe *r,
			   void (*overflow)(struct mont_observer *o,
					    const struct mont_occurrence *at))
{
	const struct kind *k;
	const char *why = "";
	unsigned int n;

	nr_observers = 0;
	nr_periods = 0;
	nr_interrupts = 0;
	for (k = r->kind; k < r->kind + NR_KINDS && k->nr; k++) {
		if (k->timed && !TIMED)
			continue;
		while (k->block && nr_blocks < k->nr)
			block_begin(&block[nr_blocks++]);
		if (k->block)
			continue;
		for (n = 0; n < k->nr; n++) {
			struct mont_observer *o = &observer[nr_observers];

			*o = (struct mont_observer){
				.filter = { .code = k->code,
					    .umask = k->umask,
					    .threshold = k->threshold,
					    .plm = k->plm ? k->plm : 0xf },
				.period = k->period,
				.overflow = k->period ? overflow : NULL,
			};
			if (k->ranges) {
				o->filter.flags = MONT_FILTER_IAR;
				o->filter.iar_lo = entry;
				o->filter.iar_hi = entry + 16 * (1 + n % k->ranges);
			}
			if (mont_observer_enter(cpu, o, &why)) {
				printf("Bail out! %s: code %#x: %s\n", r->name, k->code, why);
				exit(1);
			}
			nr_observers++;
			nr_periods += !!k->period;
		}
	}
	mont_observers_changed(cpu);
}

static inline void unobserve(void)
{
	while (nr_blocks)
		mont_block_del(&block[--nr_blocks]);
	while (nr_observers)
		mont_observer_remove(cpu, &observer[--nr_observers]);
	mont_observers_changed(cpu);
}

/* A snippet of guest.S, and what it needs. */
struct guest {
	const char *name;
	u64 r14, r15;
};

static const struct guest guests[] = {
	{ "spin", 0, 0 },
	{ "rse_storm", 0, 0 },
	{ "call_storm", 0, 0 },
	{ "purge_storm", DATA_VA, PS << 2 },
	{ "uncached", DATA_PA | 1ULL << 63, 0 },
	{ "misses", DATA_PA, 0 },
	{ "pmd_storm", 4, 0 },
	{ "pmc_storm", 4, 0x3e80000fULL | 0x8e << 8 },
	{ "ibr_storm", 0, 0x10000 },
	{ "psr_storm", 0, 0 },
	{ "level_storm", 0, 0 },
};

#define PSR_LP (1ULL << 25)
#define AR_PFS 64
#define PFS_PPL_3 (3ULL << 62)
#define LOWER_PRIVILEGE_VECTOR 0x5e00

/* A trap of each return to level 3: two changes of level at once, and back by rfi. */
static inline void begin_levels(void)
{
	memcpy(ram + label("ivt") + LOWER_PRIVILEGE_VECTOR, ram + label("level_vector"), 32);
	set(MONT_REG_CR, 2, label("ivt"));
	set(MONT_REG_AR, AR_PFS, PFS_PPL_3);
	set(MONT_REG_BR, 7, start_ip);
	set_gr(14, start_ip);
	set_gr(15, start_psr | PSR_LP);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_PSR, start_psr | PSR_LP);
}

/* Counters on, of events of one signal and of many, in a new machine with @g about to begin. */
static inline void begin(const struct guest *g)
{
	machine(1, 0);
	at(g->name, 0, PHYS | MONT_PSR_UP, true);
	entry = start_ip;
	set_gr(14, g->r14);
	set_gr(15, g->r15);
	if (!strcmp(g->name, "level_storm"))
		begin_levels();
	/* 95 dirty registers over a frame of none. */
	if (!strcmp(g->name, "rse_storm")) {
		cpu->s.ndirty = 95;
		cpu->s.sof = 0;
		cpu->s.sol = 0;
		set(MONT_REG_AR, 16, 95ULL * 8 << 16);
		mont_state_hash(pkg);
	}
	set(MONT_REG_PMC, 4, 0x3e80000fULL | (TIMED ? 0x8e : 0x08) << 8);
	set(MONT_REG_PMC, 5, 0x3e80000fULL | (TIMED ? 0x00 : 0x08) << 8);
	set(MONT_REG_PMC, 6, 0x3e80000fULL | (TIMED ? 0x12 : 0x08) << 8);
}

#endif
