/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A package: one socket with its threads and its physical memory (manual 2.1.2 and
 * 2.5). Included by each unit that works on the state that threads share.
 */
#ifndef MONT_PACKAGE_PACKAGE_H
#define MONT_PACKAGE_PACKAGE_H

#include "../mont.h"
#include "../arch/thread.h"
#include "../mmu/tlb.h"

/* Decoded bundles, direct-mapped by physical address: 4 MB, of 1 MB of code. */
#define MONT_NR_BUNDLES 65536
/* The bundles of a page, and how many pages there is room for */
#define MONT_PAGE_BUNDLES 256
#define MONT_NR_CODE_PAGES (MONT_NR_BUNDLES / MONT_PAGE_BUNDLES)

/*
 * Cycles that a core runs before the next one does, and a thread before its sibling.
 * Assumption: short enough for spin loops between vcpus, long enough to cost nothing.
 */
#define MONT_TURN 1000

/* The configuration that a saved state fits. */
struct mont_layout {
	u32 cores;
	u32 threads;
	u32 flags;
	u32 nr_regions;
	struct {
		u64 base;
		u64 size;
		u64 flags;
	} region[MONT_MAX_REGIONS];
};

/* Output that waits for the host; what is not used is 0. */
struct mont_console {
	u32 length;
	u32 pad;
	char data[MONT_CONSOLE_SIZE];
};

/**
 * struct mont_turns - the order in which cores and threads run
 * @core: the core whose turn it is
 * @front: by core, the thread that is in front, or was last
 * @untimed: the last run of a machine with the timing model kept no time
 * @alone: the other core sleeps, and @core runs without windows
 * @end: the turn ends when the core's clock has this value
 */
struct mont_turns {
	u32 core;
	u8 front[MONT_MAX_CORES];
	u8 untimed;
	u8 alone;
	u64 end;
};

struct mont_package_state {
	struct mont_turns turns;
	u64 io_block; /* where the I/O port space is */
};

/* State of a core that is saved. */
struct mont_core_state {
	u64 clock; /* cycles since reset, as the last run of a thread has left them */
	struct mont_tlb itlb;
	struct mont_tlb dtlb;
};

/* A core: units that its threads share. */
struct mont_core {
	struct mont_core_state s;
	struct mont_tlb_index itlb;
	struct mont_tlb_index dtlb;
	struct mont_thread *thread[MONT_MAX_THREADS];
	struct mont_time *time; /* with the timing model, else NULL */
	u64 tlb_closed; /* so many entries at the end of each TLB are not used (mont_param_set()) */
};

/* Conditions that end the run in progress. */
struct mont_breakpoints {
	u32 nr;
	u32 nr_data; /* of them, watched ranges */
	/* By bits 11:4 of an address: a bundle there may have one. */
	u64 map[4];
	struct mont_breakpoint at[MONT_MAX_BREAKPOINTS];
};

/* A region, and where its pages begin in code_page[]. */
struct mont_memory {
	struct mont_region r;
	u64 page;
};

/* Words of cores and threads, and with MONT_BEFORE all in front of mont_package.pad, modulo 8. */
#define MONT_WORDS                                       \
	((MONT_MAX_CORES * sizeof(struct mont_core) +    \
	  MONT_MAX_VCPUS * sizeof(struct mont_thread)) / \
	 8)
#define MONT_BEFORE 8
/* Padding, in words: one word of the next cache line is left. */
#define MONT_PAD (1 + 7 * (MONT_BEFORE + MONT_WORDS) % 8)

struct mont_timing;
struct mont_groups;
struct mont_bus;
struct mont_inbox;

struct mont_package {
	struct mont_config cfg;
	struct mont_package_state s;
	struct mont_memory region[MONT_MAX_REGIONS];
	u32 nr_regions;
	u32 nr_vcpus;
	u32 alat_live; /* valid ALAT entries of all threads */
	bool slow; /* the checking mode: base/check.h */
	u64 alat_filter; /* bits 8:3 of an address that one may be of: such a store must look */
	struct mont_layout layout; /* from cfg and region[] */
	struct mont_console console;
	struct mont_groups *groups; /* with the timing model, else NULL */
	struct mont_bus *bus; /* likewise */
	struct mont_inbox *inbox; /* by core; NULL without two cores that share a bus */
	const struct mont_timing *timing; /* its parameters, or NULL */
	struct mont_exit *exit; /* of the mont_run() in progress */
	struct mont_work work; /* likewise */
	u64 work_max; /* most units one mont_run() has spent */
	const char *broken; /* the invariant that has ended the package, or NULL */
	struct mont_breakpoints breakpoints;
	struct mont_core core[MONT_MAX_CORES];
	struct mont_thread thread[MONT_MAX_VCPUS];
	u64 pad[MONT_PAD]; /* see below */
	/* Direct-mapped; the run loop looks behind each: there is one more, always free. */
	struct mont_bundle bundle[MONT_NR_BUNDLES + 1];
	/* By page: how often one of its bundles has been forgotten, or another taken its place */
	u64 bundle_changes[MONT_NR_CODE_PAGES];
	u8 code_page[]; /* per 4 KB page of memory, region by region: holds decoded bundles */
};

/* All of a bundle but its last immediate in a cache line: elsewhere it costs up to a tenth. */
_Static_assert(__builtin_offsetof(struct mont_package, bundle) % 64 == 8,
	       "change MONT_BEFORE so that bundles keep their place in cache lines");

/*
 * The decoded bundle @b of @pkg is to be decoded anew. Where none is, no group has one: groups
 * that are looked at anew for each change need not be.
 */
static inline void mont_bundle_forget(struct mont_package *pkg, struct mont_bundle *b)
{
	u32 page = (b - pkg->bundle) / MONT_PAGE_BUNDLES % MONT_NR_CODE_PAGES;

	pkg->bundle_changes[page] += !!b->tag;
	b->tag = 0;
}

/* How often bundles of the page at @pa have changed: mont_package.bundle_changes. */
static inline u64 mont_bundle_changes(const struct mont_package *pkg, u64 pa)
{
	return pkg->bundle_changes[pa / MONT_PAGE_SIZE % MONT_NR_CODE_PAGES];
}

#endif
