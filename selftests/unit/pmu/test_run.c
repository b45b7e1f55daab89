// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU under running code: programs whose counts are known by construction,
 * run whole, in budgets of one instruction, and through overflows. The code is
 * what an assembler makes of the source beside it.
 */
#include "pmu_test.h"

#define BASE 0x10000ULL
#define DATA 0x20000ULL
#define MEMORY (1 << 20)
#define INSNS_PER_LOOP 14
#define NOPS_PER_LOOP 8

/* A loop of five bundles, then break.m 0. */
static const u64 loop_code[] = {
	/* nop.m 0; nop.m 0; nop.i 0 */
	0x0000000100000008ULL,
	0x0004000000000200ULL,
	/* (p6) nop.m 0; adds r8 = 1, r8; nop.i 0 */
	0x08800001000000c0ULL,
	0x0004000000420020ULL,
	/* ld8 r9 = [r10]; st8 [r11] = r13; nop.i 0;; */
	0x6800101814004809ULL,
	0x000400000023302cULL,
	/* nop.m 0; movl r12 = 0x123456789abcdef0 */
	0x789a800100000004ULL,
	0x66f7970180123456ULL,
	/* nop.m 0; nop.i 0; br.cloop.sptk loop;; */
	0x0000000100000011ULL,
	0x48ffffc0a0000200ULL,
	0x0000000000000001ULL,
	0x0004000000000200ULL,
};

/*
 * By nop of the loop (of those that execute): instructions and nops of the loop
 * when its bundle, which is its issue group, has retired.
 */
static const struct {
	unsigned int insns, nops;
} behind[NOPS_PER_LOOP] = {
	{ 3, 3 }, { 3, 3 }, { 3, 3 }, { 6, 4 }, { 9, 5 }, { 11, 6 }, { 14, 8 }, { 14, 8 },
};

/* Reads and freezes amid bundles: r14 = 0, r15 = 1, r16 = 4, r18 = 0. */
static const u64 freeze_code[] = {
	/* nop.m 0; mov r20 = pmd[r16]; nop.i 0;; */
	0x0140000100000009ULL,
	0x0004000000082a40ULL,
	/* mov r21 = pmd[r16]; nop.m 0; nop.i 0;; */
	0x000004152000a809ULL,
	0x0004000000000200ULL,
	/* nop.m 0; mov pmc[r14] = r15; nop.i 0;; */
	0x7800000100000009ULL,
	0x0004000000080838ULL,
	0x0000000100000001ULL,
	0x0004000000000200ULL,
	/* nop.m 0; mov pmc[r14] = r18; nop.i 0;; */
	0x9000000100000009ULL,
	0x0004000000080838ULL,
	0x0000000100000001ULL,
	0x0004000000000200ULL,
	0x0000000000000001ULL,
	0x0004000000000200ULL,
};

static struct mont_package *pkg;
static struct mont_thread *t;
static u8 *ram;

static void set(u32 class, u32 index, u64 v)
{
	const u64 w[2] = { v, 0 };

	check(!mont_reg_set(t, class, index, w), "register %u.%u", class, index);
}

static u64 get(u32 class, u32 index)
{
	u64 w[2] = { 0, 0 };

	check(!mont_reg_get(t, class, index, w), "register %u.%u", class, index);
	return w[0];
}

/* A machine at reset with @code at BASE, monitoring allowed by PSR. */
static void load(const u64 *code, size_t size, u64 loops)
{
	const struct mont_config cfg = {
		.cores = 1,
		.threads = 1,
		.flags = MONT_CFG_HOST_INTERRUPTIONS | MONT_CFG_HOST_PMU,
		.memory = MEMORY,
	};
	struct mont_region region = { .size = MEMORY };

	free(pkg);
	free(ram);
	pkg = aligned_alloc(4096, (mont_package_size(&cfg) + 4095) & ~4095ULL);
	ram = aligned_alloc(4096, MEMORY);
	memset(pkg, 0, mont_package_size(&cfg));
	memset(ram, 0, MEMORY);
	memcpy(ram + BASE, code, size);
	region.host = ram;
	check(!mont_package_init(pkg, &cfg, &region, 1), "package");
	t = mont_vcpu(pkg, 0);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_PSR,
	    get(MONT_REG_SPECIAL, MONT_SPECIAL_PSR) | MONT_PSR_UP | MONT_PSR_PP);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_IP, BASE);
	set(MONT_REG_AR, 65, loops - 1);
	set(MONT_REG_GR, 10, DATA);
	set(MONT_REG_GR, 11, DATA + 8);
	set(MONT_REG_GR, 15, 1);
	set(MONT_REG_GR, 16, 4);
}

/* Run to the exit that ends the program, in budgets of @insns. */
static u32 run(u64 insns)
{
	struct mont_exit x;

	do {
		mont_run(pkg, &(struct mont_budget){ .insns = insns }, &x);
	} while (x.reason == MONT_EXIT_BUDGET || x.reason == MONT_EXIT_WORK);
	return x.reason;
}

static const struct {
	u8 pmc, code, umask;
	unsigned int per_loop, once;
} counters[] = {
	{ 4, CODE_INST, 0, INSNS_PER_LOOP, 1 },
	{ 5, CODE_LOADS, 0, 1, 0 },
	{ 6, CODE_NOPS, 0, NOPS_PER_LOOP, 0 },
	{ 7, CODE_SQUASHED, 0, 1, 0 },
	{ 8, CODE_BR, 0, 1, 0 },
	{ 9, CODE_BR, 4, 1, 0 },
	{ 10, CODE_BR, 8, 0, 0 },
	{ 11, CODE_INST, 2, INSNS_PER_LOOP, 1 },
	{ 12, CODE_CPL, 15, 0, 0 },
};

static void whole(u64 budget, const char *name)
{
	const u64 loops = 1000;
	struct mont_observer stores = { .filter = { .code = CODE_STORES, .plm = 1 } };
	const char *why;
	unsigned int i;

	load(loop_code, sizeof(loop_code), loops);
	for (i = 0; i < MONT_ARRAY_SIZE(counters); i++)
		set(MONT_REG_PMC, counters[i].pmc,
		    PMC(counters[i].code, counters[i].umask, PLM_ALL | PM));
	check(!mont_observer_attach(t, &stores, &why), "attach");
	check(run(budget) == MONT_EXIT_BREAK, "exit");
	for (i = 0; i < MONT_ARRAY_SIZE(counters); i++) {
		u64 want = counters[i].per_loop * loops + counters[i].once;
		u64 have = get(MONT_REG_PMD, counters[i].pmc);

		check(have == want, "pmd%u: %llu, not %llu", counters[i].pmc,
		      (unsigned long long)have, (unsigned long long)want);
	}
	check(mont_observer_read(t, &stores) == loops, "stores");
	check(get(MONT_REG_SPECIAL, MONT_SPECIAL_INSNS) == INSNS_PER_LOOP * loops + 1,
	      "instructions");
	check(get(MONT_REG_GR, 8) == loops, "the program itself");
	mont_observer_detach(t, &stores);
	group(name);
}

/*
 * Counting goes by the cycle: the overflow after @nops nops freezes when its
 * bundle has been counted by every counter.
 */
static void overflows(void)
{
	u64 nops;

	for (nops = 1; nops <= 3 * NOPS_PER_LOOP; nops++) {
		u64 loops = (nops - 1) / NOPS_PER_LOOP, at = (nops - 1) % NOPS_PER_LOOP;
		u64 insns = loops * INSNS_PER_LOOP + behind[at].insns;
		u64 beyond = loops * NOPS_PER_LOOP + behind[at].nops - nops;

		load(loop_code, sizeof(loop_code), 10);
		set(MONT_REG_PMC, 4, PMC(CODE_NOPS, 0, PLM_ALL | OI));
		set(MONT_REG_PMC, 6, PMC(CODE_INST, 0, PLM_ALL));
		set(MONT_REG_PMD, 4, CARRY - nops);
		check(run(1000) == MONT_EXIT_PMU_OVERFLOW, "exit of %llu",
		      (unsigned long long)nops);
		check(get(MONT_REG_PMC, 0) == 0x11, "pmc0");
		check(get(MONT_REG_PMD, 4) == beyond, "%llu nops: pmd4 %llu, not %llu",
		      (unsigned long long)nops, (unsigned long long)get(MONT_REG_PMD, 4),
		      (unsigned long long)beyond);
		check(get(MONT_REG_PMD, 6) == insns, "%llu nops: %llu instructions, not %llu",
		      (unsigned long long)nops, (unsigned long long)get(MONT_REG_PMD, 6),
		      (unsigned long long)insns);
		set(MONT_REG_PMC, 0, 0);
		check(run(1000) == MONT_EXIT_BREAK, "end");
	}
	group("an overflow freezes behind its issue group");
}

/* A sampling host: every period ends once, and nothing is lost in between. */
static void sampling(void)
{
	const u64 period = 37, loops = 500;
	u64 samples = 0, residue;
	u32 reason;

	load(loop_code, sizeof(loop_code), loops);
	set(MONT_REG_PMC, 6, PMC(CODE_INST, 0, PLM_ALL | OI));
	set(MONT_REG_PMD, 6, CARRY - period);
	while ((reason = run(10000)) == MONT_EXIT_PMU_OVERFLOW && samples < 1000) {
		samples++;
		/* The count of the last bundle beyond the period stays in the PMD. */
		residue = get(MONT_REG_PMD, 6);
		check(residue < 3, "residue %llu", (unsigned long long)residue);
		set(MONT_REG_PMD, 6, CARRY - period + residue);
		set(MONT_REG_PMC, 0, 0);
	}
	check(reason == MONT_EXIT_BREAK, "exit %u", reason);
	check(samples == (INSNS_PER_LOOP * loops + 1) / period, "%llu samples",
	      (unsigned long long)samples);
	group("sampling loses nothing");
}

static void amid_bundles(u64 budget, const char *name)
{
	load(freeze_code, sizeof(freeze_code), 1);
	set(MONT_REG_PMC, 4, PMC(CODE_INST, 0, PLM_ALL));
	check(run(budget) == MONT_EXIT_BREAK, "exit");
	check(!get(MONT_REG_GR, 20), "read in slot 1: %llu",
	      (unsigned long long)get(MONT_REG_GR, 20));
	check(get(MONT_REG_GR, 21) == 3, "read in slot 0: %llu",
	      (unsigned long long)get(MONT_REG_GR, 21));
	/* 6 before; nop and the freezing mov; after the thawing mov 1 + 3 + break. */
	check(get(MONT_REG_PMD, 4) == 13, "total %llu", (unsigned long long)get(MONT_REG_PMD, 4));
	group(name);
}

static void constraints(void)
{
	const u64 loops = 100;
	struct mont_observer o[4] = {
		{ .filter = { .code = CODE_INST,
			      .plm = 15,
			      .flags = MONT_FILTER_IAR,
			      .iar_lo = BASE + 0x10,
			      .iar_hi = BASE + 0x30 } },
		/* br.cloop */
		{ .filter = { .code = CODE_INST,
			      .plm = 15,
			      .flags = MONT_FILTER_OPC,
			      .nr_opc = 1,
			      .opc = { { 0x8000000140, 0x1fffffff3f, 1 } } } },
		{ .filter = { .code = CODE_LOADS,
			      .plm = 15,
			      .flags = MONT_FILTER_DAR,
			      .dar_lo = DATA,
			      .dar_hi = DATA + 8 } },
		{ .filter = { .code = CODE_STORES,
			      .plm = 15,
			      .flags = MONT_FILTER_DAR,
			      .dar_lo = DATA,
			      .dar_hi = DATA + 8 } },
	};
	static const u64 want[4] = { 6, 1, 1, 0 };
	const char *why;
	unsigned int i;

	/* The guest's own range: the bundle of the load and the store. */
	load(loop_code, sizeof(loop_code), loops);
	set(MONT_REG_IBR, 0, BASE + 0x20);
	set(MONT_REG_IBR, 1, 0x0ffffffffffffff0ULL & ~0xfULL);
	set(MONT_REG_PMC, 32, 0xfULL << 48 | 0x1ffffffffffULL);
	set(MONT_REG_PMC, 38, 0xdb6 & ~2ULL);
	set(MONT_REG_PMC, 4, PMC(CODE_INST, 0, PLM_ALL));
	set(MONT_REG_PMC, 7, PMC(CODE_INST, 1, PLM_ALL));
	set(MONT_REG_PMC, 6, PMC(CODE_NOPS, 0, PLM_ALL));
	for (i = 0; i < 4; i++)
		check(!mont_observer_attach(t, &o[i], &why), "attach");
	check(run(100000) == MONT_EXIT_BREAK, "exit");
	check(get(MONT_REG_PMD, 4) == 3 * loops, "range: %llu",
	      (unsigned long long)get(MONT_REG_PMD, 4));
	check(get(MONT_REG_PMD, 7) == INSNS_PER_LOOP * loops + 1, "channel 1 is free");
	check(get(MONT_REG_PMD, 6) == loops, "nops in the range");
	for (i = 0; i < 4; i++) {
		check(mont_observer_read(t, &o[i]) == want[i] * loops, "observer %u: %llu", i,
		      (unsigned long long)o[i].count);
		mont_observer_detach(t, &o[i]);
	}
	group("ranges, opcodes and data addresses of running code");
}

int main(void)
{
	whole(0x100000, "a loop in one budget");
	whole(1, "a loop in budgets of one instruction");
	overflows();
	sampling();
	amid_bundles(100000, "reads and freezes amid bundles");
	amid_bundles(1, "the same in budgets of one instruction");
	constraints();
	return tap_end();
}
