/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tools of the system tests: a machine with the code of guest.S, ways to
 * start a snippet in a given state, and the comparison of what its
 * interruption recorded with what the SDM says (volume 2, chapters 5 and 8).
 */
#ifndef SYS_TEST_H
#define SYS_TEST_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mont.h"
#include "arch/thread.h"
#include "package/package.h"
#include "arch/registers.h"
#include "guest.h"

/* Each test is built a second time for machines with the timing model. */
#ifndef TIMED
#define TIMED 0
#endif

#define GUEST_BASE 0x10000ULL
#define MEMORY (4ULL << 20)
#define REC 0x8000
#define PERSIST 0x7f00
/* Physical page that data references use, and its virtual address. */
#define DATA_PA 0x200000ULL
#define DATA_VA 0x2000000000200000ULL
/* A page for code that is not mapped with the rest. */
#define FAR_PA 0x240000ULL
#define FAR_VA 0x2000000000240000ULL
/* Backing store. */
#define STACK_PA 0x300000ULL
#define STACK_VA 0x4000000000300000ULL
/* A page of a virtual hash page table. */
#define VHPT_PA 0x280000ULL
/* log2 of the page size, everywhere */
#define PS 14

#define CPL(n) ((u64)(n) << MONT_PSR_CPL_SHIFT)
#define RI(n) ((u64)(n) << MONT_PSR_RI_SHIFT)
#define EI(n) ((u64)(n) << MONT_ISR_EI_SHIFT)
#define PHYS (MONT_PSR_IC | MONT_PSR_BN)
#define VIRT (PHYS | MONT_PSR_IT | MONT_PSR_DT | MONT_PSR_RT)

/* A PTE: access rights, level, and what it has beside present, a and d. */
#define PTE(pa, ar, pl) ((pa) | 0x61 | (u64)(ar) << 9 | (u64)(pl) << 7)
#define PTE_NATPAGE (7ULL << 2)
#define PTE_UC (4ULL << 2)
#define PTE_ED (1ULL << 52)

struct record {
	u64 vector, ipsr, isr, iip, ifa, itir, iipa, ifs, iim, iha, psr, bsp, bspstore, pad[3];
};

static struct mont_package *pkg;
static struct mont_thread *cpu;
static u8 *ram;
static void *pristine;
static u32 last_threads, last_flags;
/* Machines of two threads have the timing model as well. */
static bool threads_timed;
/* Two cores of a thread each. */
static bool lone_threads;
static struct mont_exit last_exit;
static u64 start_psr, start_ip;
/* Regions of a new machine beside memory at 0. */
static struct mont_region more_regions[MONT_MAX_REGIONS - 1];
static u32 nr_more_regions;
static int start_slot;

static int tap_number, tap_failed;
static unsigned long cases, failures;

__attribute__((format(printf, 2, 3))) static inline bool check(bool good, const char *fmt, ...)
{
	va_list ap;

	cases++;
	if (good)
		return true;
	failures++;
	va_start(ap, fmt);
	printf("# ");
	vprintf(fmt, ap);
	printf("\n");
	va_end(ap);
	return false;
}

static inline bool check_eq(u64 have, u64 want, const char *name)
{
	return check(have == want, "%s: %#llx, expected %#llx", name, (unsigned long long)have,
		     (unsigned long long)want);
}

static unsigned long all_cases;

/* End of a group of cases. A group without cases has failed. */
static inline void group(const char *name)
{
	bool good = cases && !failures;

	if (pkg && mont_broken(pkg)) {
		printf("# the model contradicts itself: %s\n", mont_broken(pkg));
		good = false;
	}

	printf("%sok %d - %s (%lu cases, %lu failed)\n", good ? "" : "not ", ++tap_number, name,
	       cases, failures);
	tap_failed += !good;
	all_cases += cases;
	cases = 0;
	failures = 0;
	fflush(stdout);
}

static inline int tap_end(void)
{
	printf("# %lu cases\n1..%d\n", all_cases, tap_number);
	return tap_failed ? 1 : 0;
}

static inline u64 label(const char *name)
{
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(guest_labels); i++)
		if (!strcmp(guest_labels[i].name, name))
			return guest_labels[i].addr;
	printf("Bail out! no label %s\n", name);
	exit(1);
}

static inline u64 get(u32 class, u32 index)
{
	u64 v[2];

	if (mont_reg_get(cpu, class, index, v)) {
		printf("Bail out! cannot read register %u of class %u\n", index, class);
		exit(1);
	}
	return v[0];
}

static inline void set(u32 class, u32 index, u64 value)
{
	u64 v[2] = { value, 0 };

	if (mont_reg_set(cpu, class, index, v)) {
		printf("Bail out! cannot set register %u of class %u to %#llx\n", index, class,
		       (unsigned long long)value);
		exit(1);
	}
}

static inline void set_gr(u32 r, u64 value)
{
	set(MONT_REG_GR, r, value);
}

static inline void set_nat(u32 r)
{
	u64 v[2] = { 0, 1 };

	if (mont_reg_set(cpu, MONT_REG_GR, r, v))
		exit(1);
}

static inline u64 gr(u32 r)
{
	return get(MONT_REG_GR, r);
}

static inline u64 *mem64(u64 pa)
{
	return (u64 *)(ram + pa);
}

/* Put the machine back: quicker than a new one. */
static inline bool machine_again(u32 threads, u32 flags)
{
	static const struct {
		u64 pa, len;
	} used[] = {
		{ 0x7000, 0x8000 },   { DATA_PA, 1 << PS },  { FAR_PA, 1 << PS },
		{ VHPT_PA, 1 << PS }, { STACK_PA, 1 << PS },
	};
	unsigned int i;

	if (!pkg || threads != last_threads || flags != last_flags)
		return false;
	cpu = mont_vcpu(pkg, 0);
	if (mont_state_load(pkg, pristine, mont_state_size(pkg))) {
		printf("Bail out! cannot load the state that was saved\n");
		exit(1);
	}
	for (i = 0; i < MONT_ARRAY_SIZE(used); i++) {
		memset(ram + used[i].pa, 0, used[i].len);
		mont_mem_invalidate(pkg, used[i].pa, used[i].len);
	}
	return true;
}

/* A machine at reset with the guest's code, region registers and IVA set. */
static inline void machine(u32 threads, u32 flags)
{
	struct mont_config cfg = {
		.cores = threads > 2 || (threads == 2 && lone_threads) ? 2 : 1,
		.threads = threads > 1 && !lone_threads ? 2 : 1,
		.flags = flags,
		.timing = (TIMED && threads == 1) || threads_timed,
		.memory = MEMORY,
	};
	struct mont_region region[MONT_MAX_REGIONS] = { { .size = MEMORY } };
	unsigned int i, v;

	if (machine_again(threads, flags))
		return;
	free(pkg);
	free(ram);
	free(pristine);
	ram = aligned_alloc(4096, MEMORY);
	if (!ram)
		exit(1);
	memset(ram, 0, MEMORY);
	memcpy(ram + GUEST_BASE, guest_code, sizeof(guest_code));
	region[0].host = ram;
	for (i = 0; i < nr_more_regions; i++) {
		region[i + 1] = more_regions[i];
		cfg.memory += more_regions[i].host ? more_regions[i].size : 0;
	}
	pkg = calloc(1, mont_package_size(&cfg));
	if (!pkg || mont_package_init(pkg, &cfg, region, 1 + nr_more_regions))
		exit(1);
	for (v = threads; v-- > 0;) {
		cpu = mont_vcpu(pkg, v);
		for (i = 0; i < 8; i++)
			set(MONT_REG_RR, i, (u64)(0x100 + i) << 8 | PS << 2);
		set(MONT_REG_CR, 2, label("ivt"));
		set(MONT_REG_AR, 18, STACK_PA + 0x1000 * v);
	}
	pristine = malloc(mont_state_size(pkg));
	if (!pristine)
		exit(1);
	mont_state_save(pkg, pristine);
	last_threads = threads;
	last_flags = flags;
}

static inline void set_param(const char *name, u64 value)
{
	const char *why;
	u32 i;

	for (i = 0; mont_param(i); i++) {
		if (strcmp(mont_param(i)->name, name))
			continue;
		if (mont_param_set(pkg, i, value, &why)) {
			printf("Bail out! %s: %s\n", name, why);
			exit(1);
		}
		return;
	}
	printf("Bail out! no parameter %s\n", name);
	exit(1);
}

static inline u64 itir(u32 ps, u32 key)
{
	return (u64)key << 8 | ps << 2;
}

/* Default ITIR of an interruption for @va. */
static inline u64 itir_of(u64 va)
{
	return itir(PS, 0x100 + (va >> 61));
}

static inline void map(bool insn, u64 va, u64 pte)
{
	if (mont_tc_insert(cpu, insn, va, pte, itir(PS, 0x77))) {
		printf("Bail out! cannot map %#llx\n", (unsigned long long)va);
		exit(1);
	}
}

/* The guest's code, at the same virtual address, for every level. */
static inline void map_code(u64 more)
{
	u64 a;

	for (a = GUEST_BASE; a < GUEST_BASE + sizeof(guest_code); a += 1 << PS)
		map(true, a, PTE(a, 3, 3) | more);
	map(false, STACK_VA, PTE(STACK_PA, 3, 3));
}

/* Be about to execute slot @slot of @name's variant for it under @psr. */
static inline void at(const char *name, int slot, u64 psr, bool direct)
{
	char full[64];

	snprintf(full, sizeof(full), "%s_%d", name, slot);
	start_ip = label(full);
	start_psr = psr;
	start_slot = slot;
	set(MONT_REG_BR, 6, start_ip);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_IP, direct ? start_ip : label("prelude"));
	set(MONT_REG_SPECIAL, MONT_SPECIAL_PSR, psr);
}

static inline unsigned int nr_records(void)
{
	return *mem64(REC);
}

static inline const struct record *record(unsigned int i)
{
	return (const struct record *)(ram + REC + 128 * (i + 1));
}

static inline void run_cycles(u64 n)
{
	const struct mont_budget budget = { .cycles = n, .work = 1ULL << 40 };

	mont_run(pkg, &budget, &last_exit);
}

/* With time a bundle may take that many cycles. */
#define MOST_CYCLES (TIMED ? 1000 : 1)

/* @n bundles of three instructions from IP on, each a group, in one run. */
static inline void run_bundles(unsigned int n)
{
	const struct mont_budget budget = { .insns = 3 * n };

	if (n)
		mont_run(pkg, &budget, &last_exit);
}

/* Run until the guest stops at "done" or "passed", or the machine does. */
static inline void go(void)
{
	unsigned int i;

	for (i = 0; i < 2000 * MOST_CYCLES; i++) {
		u64 ip = get(MONT_REG_SPECIAL, MONT_SPECIAL_IP);

		/* The handler itself may fault again and again. */
		if (ip == label("done") || ip == label("passed") || nr_records() > 60)
			return;
		run_cycles(1);
		if (last_exit.reason != MONT_EXIT_BUDGET)
			return;
	}
}

static inline bool passed(const char *name)
{
	u64 ip = get(MONT_REG_SPECIAL, MONT_SPECIAL_IP);
	const struct record *r = record(0);

	return check(ip == label("passed") && !nr_records(),
		     "%s: no interruption expected; at %#llx, vector %#llx, isr %#llx", name,
		     (unsigned long long)ip, (unsigned long long)r->vector,
		     (unsigned long long)r->isr);
}

/*
 * The first interruption was @vector with @isr beside ei, of the instruction
 * started; everything that every fault sets is as it should be.
 */
static inline bool faulted(const char *name, u64 vector, u64 isr)
{
	const u64 modified = MONT_PSR_MFL | MONT_PSR_MFH;
	const struct record *r = record(0);
	u64 want_isr = isr | EI(start_slot);
	u64 want_ipsr = start_psr | RI(start_slot);
	u64 want_iipa = start_slot ? start_ip : label("prelude");
	bool ran = nr_records() >= 1;
	bool good = ran && r->vector == vector && r->isr == want_isr && r->iip == start_ip &&
		    !((r->ipsr ^ want_ipsr) & ~modified) && r->iipa == want_iipa && !(r->ifs >> 63);

	return check(good,
		     "%s.%d cpl %llu: vector %#llx isr %#llx iip %#llx ipsr %#llx iipa %#llx,"
		     " expected %#llx %#llx %#llx %#llx %#llx%s",
		     name, start_slot, (unsigned long long)(start_psr >> 32 & 3),
		     (unsigned long long)r->vector, (unsigned long long)r->isr,
		     (unsigned long long)r->iip, (unsigned long long)r->ipsr,
		     (unsigned long long)r->iipa, (unsigned long long)vector,
		     (unsigned long long)want_isr, (unsigned long long)start_ip,
		     (unsigned long long)want_ipsr, (unsigned long long)want_iipa,
		     ran ? "" : " (nothing recorded)");
}

#endif
