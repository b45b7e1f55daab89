// SPDX-License-Identifier: GPL-2.0-only
/* Registers in batches, PAL, external interrupts, translations. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common.h"

#define ARRAY(a) (sizeof(a) / sizeof((a)[0]))

static long batch(int v, unsigned long cmd, struct montecito_reg *reg, uint32_t n, uint32_t *bad)
{
	struct montecito_regs r = {
		.size = sizeof(r),
		.count = n,
		.bad = 0xdead,
		.regs = (uintptr_t)reg,
	};
	long ret = call(v, cmd, &r);

	*bad = r.bad;
	return ret;
}

static void one_each(int v)
{
	static const struct {
		uint32_t cls, index;
		uint64_t value;
		const char *what;
	} rw[] = {
		{ MONTECITO_REG_GR, 1, 0x123456789abcdef0, "gr1" },
		{ MONTECITO_REG_GR, 127, 77, "gr127" },
		{ MONTECITO_REG_PR, 0, 0xaaaaaaaaaaaaaaab, "pr" },
		{ MONTECITO_REG_BR, 7, 0xfeed0, "br7" },
		{ MONTECITO_REG_AR, 65, 99, "ar.lc" },
		{ MONTECITO_REG_CR, 2, 0x8000, "cr.iva" },
		{ MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP, 0x10, "ip" },
		{ MONTECITO_REG_RR, 7, 0x700 << 8 | 14 << 2, "rr7" },
		{ MONTECITO_REG_PKR, 15, 0, "pkr15" },
		{ MONTECITO_REG_DBR, 1, 0, "dbr1" },
		{ MONTECITO_REG_IBR, 0, 0x4000, "ibr0" },
		{ MONTECITO_REG_PMC, 4, 0x2000000 | PMC_ES(8) | PMC_PLM_ALL, "pmc4" },
		{ MONTECITO_REG_PMD, 4, 0x1234567, "pmd4" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY(rw); i++) {
		is(set(v, rw[i].cls, rw[i].index, rw[i].value), 0, "set %s", rw[i].what);
		eq(get(v, rw[i].cls, rw[i].index), rw[i].value, "get %s", rw[i].what);
	}
	eq(get(v, MONTECITO_REG_CPUID, 3) >> 24 & 0xff, 0x20, "cpuid: family 0x20");
	/* 47-bit counters read sign-extended. */
	set(v, MONTECITO_REG_PMD, 4, 1ULL << 46);
	eq(get(v, MONTECITO_REG_PMD, 4), -(1ULL << 46), "a PMD is sign-extended");
	eq(get(v, MONTECITO_REG_PMC, 200), 0, "a PMC that does not exist reads zero");
}

static void refused(int v)
{
	static const struct {
		long want;
		uint32_t cls, index;
		uint64_t v0, v1;
		const char *what;
	} bad[] = {
		{ -EINVAL, MONTECITO_REG_STACKED + 1, 0, 0, 0, "class behind the last" },
		{ -EINVAL, 0xffffffff, 0, 0, 0, "class of all ones" },
		{ -EINVAL, MONTECITO_REG_GR, 0, 0, 0, "gr0" },
		{ -EINVAL, MONTECITO_REG_GR, 128, 0, 0, "gr128" },
		{ -EINVAL, MONTECITO_REG_GR, 5, 0, 2, "NaT of 2" },
		{ -EINVAL, MONTECITO_REG_FR, 1, 0, 0, "fr1" },
		{ -EINVAL, MONTECITO_REG_FR, 128, 0, 0, "fr128" },
		{ -EINVAL, MONTECITO_REG_FR, 5, 0, 1 << 18, "fr with a 19-bit exponent" },
		{ -EINVAL, MONTECITO_REG_PR, 1, 1, 0, "a single predicate" },
		{ -EINVAL, MONTECITO_REG_BR, 8, 0, 0, "br8" },
		{ -EINVAL, MONTECITO_REG_BR, 1, 0, 1, "a second word for a br" },
		{ -EINVAL, MONTECITO_REG_AR, 128, 0, 0, "ar128" },
		{ -EINVAL, MONTECITO_REG_AR, 0x80000000, 0, 0, "ar of 2^31" },
		{ -EINVAL, MONTECITO_REG_CR, 128, 0, 0, "cr128" },
		{ -EINVAL, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_DIRTY + 1, 0, 0, "special" },
		{ -EINVAL, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP, 1, 0,
		  "ip inside a bundle" },
		{ -EINVAL, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR, 1, 0, "reserved psr bit" },
		{ -EINVAL, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_HALTED, 2, 0, "halted 2" },
		{ -EPERM, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS, 0, 0, "insns" },
		{ -EPERM, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_CYCLES, 0, 0, "cycles" },
		{ -EPERM, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_CLOCK, 0, 0, "clock" },
		{ -EPERM, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_STOOD, 0, 0, "stood" },
		{ -EINVAL, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_DIRTY, 1, 0,
		  "dirty registers" },
		{ -EPERM, MONTECITO_REG_CPUID, 0, 0, 0, "cpuid" },
		{ -EINVAL, MONTECITO_REG_RR, 8, 0, 0, "rr8" },
		{ -EINVAL, MONTECITO_REG_PKR, 16, 0, 0, "pkr16" },
		{ -EINVAL, MONTECITO_REG_DBR, 16, 0, 0, "dbr16" },
		{ -EINVAL, MONTECITO_REG_IBR, 16, 0, 0, "ibr16" },
		{ -EINVAL, MONTECITO_REG_PMC, 256, 0, 0, "pmc256" },
		{ -EINVAL, MONTECITO_REG_PMD, 256, 0, 0, "pmd256" },
	};
	struct montecito_reg reg[3] = {
		{ .cls = MONTECITO_REG_GR, .index = 2, .value = { 4711 } },
		{ .cls = MONTECITO_REG_AR, .index = 64, .value = { 0x3f } },
	};
	unsigned int i;
	uint32_t n;

	for (i = 0; i < ARRAY(bad); i++) {
		uint64_t gr2 = get(v, MONTECITO_REG_GR, 2), pfs = get(v, MONTECITO_REG_AR, 64);

		reg[2] = (struct montecito_reg){
			.cls = bad[i].cls,
			.index = bad[i].index,
			.value = { bad[i].v0, bad[i].v1 },
		};
		is(batch(v, MONTECITO_SET_REGS, reg, 3, &n), bad[i].want, "set %s", bad[i].what);
		ok(n == 2 && get(v, MONTECITO_REG_GR, 2) == gr2 &&
			   get(v, MONTECITO_REG_AR, 64) == pfs,
		   "%s: told, and nothing changed", bad[i].what);
	}
	is(batch(v, MONTECITO_SET_REGS, reg, 1024 + 1, &n), -EINVAL, "a batch too long");
	is(batch(v, MONTECITO_GET_REGS, reg, 0xffffffff, &n), -EINVAL, "a batch of 2^32 - 1");
	is(batch(v, MONTECITO_GET_REGS, NULL, 1, &n), -EFAULT, "a batch nowhere");
	is(batch(v, MONTECITO_SET_REGS, NULL, 1, &n), -EFAULT, "the same to set");
	is(batch(v, MONTECITO_SET_REGS, NULL, 0, &n), 0, "an empty batch");
	is(batch(v, MONTECITO_SET_REGS, reg, 2, &n), 0, "the first two alone");
	ok(n == 2 && get(v, MONTECITO_REG_GR, 2) == 4711, "are set");
	reg[0].value[0] = 1;
	reg[1].cls = MONTECITO_REG_GR;
	reg[1].index = 128;
	is(batch(v, MONTECITO_GET_REGS, reg, 2, &n), -EINVAL, "get with a bad entry");
	ok(n == 1 && reg[0].value[0] == 1, "writes no value");
}

static void pal(int m, int v)
{
	struct montecito_pal p = { .size = sizeof(p) };
	uint64_t mask[16];
	struct montecito_mem mem = {
		.size = sizeof(mem),
		.addr = 0x60000,
		.length = sizeof(mask),
		.data = (uintptr_t)mask,
	};

	p.arg[0] = 15; /* PAL_PERF_MON_INFO */
	p.arg[1] = 0x60000;
	is(call(v, MONTECITO_PAL, &p), 0, "PAL_PERF_MON_INFO");
	eq(p.ret[0], 0, "status 0");
	/* 12 pairs of 47 bits; cycles 0x12, retired 0x08 (manual 3.3.12, settled). */
	eq(p.ret[1], 12 | 47 << 8 | 0x12 << 16 | 0x08 << 24, "12 pairs");
	is(call(m, MONTECITO_MEM_READ, &mem), 0, "its buffer");
	ok(mask[0] == 0x7ff0000ffffULL && mask[4] == 0xffff00df0000fff0ULL && mask[8] == 0xfff0 &&
		   mask[12] == 0xfff0,
	   "the masks");
	p.arg[0] = 9999;
	is(call(v, MONTECITO_PAL, &p), 0, "a procedure that does not exist");
	eq(p.ret[0], -1ULL, "is a status, not an error");
	p.arg[0] = 15;
	p.arg[1] = MEMORY - 8;
	is(call(v, MONTECITO_PAL, &p), 0, "a buffer half outside");
	eq(p.ret[0], -2ULL, "invalid argument");
}

static void interrupts(int v)
{
	struct montecito_irq q = { .size = sizeof(q) };
	uint32_t bad[] = { 1, 3, 15, 256, 0xffffffff };
	unsigned int i;

	for (i = 0; i < ARRAY(bad); i++) {
		q.vector = bad[i];
		is(call(v, MONTECITO_IRQ, &q), -EINVAL, "interrupt vector %u", bad[i]);
	}
	q.vector = 0x42;
	is(call(v, MONTECITO_IRQ, &q), 0, "interrupt vector 0x42");
	eq(get(v, MONTECITO_REG_CR, 69), 1 << 2, "IRR1 has it");
}

static void translations(int m, int v)
{
	struct montecito_tc_insert i = {
		.size = sizeof(i),
		/* present, accessed, dirty, read/write/execute at level 0 */
		.va = 0x2000000000000000ULL + 0x100000,
		.itir = 14 << 2,
		.pte = 0x10000 | 0x61 | 3ULL << 9,
	};
	struct montecito_tc_purge p = { .size = sizeof(p), .va = i.va, .ps = 14 };
	uint64_t psr = get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR);
	struct montecito_run r;

	set(v, MONTECITO_REG_RR, 1, 0x11 << 8 | 14 << 2);
	i.flags = MONTECITO_TC_INSN;
	is(call(v, MONTECITO_TC_INSERT, &i), 0, "insert an instruction translation");
	i.itir = 15 << 2; /* 32 KB */
	is(call(v, MONTECITO_TC_INSERT, &i), -EINVAL, "of a page size that is not there");
	i.itir = 14 << 2;
	i.pte |= 1ULL << 1;
	is(call(v, MONTECITO_TC_INSERT, &i), -EINVAL, "with a reserved bit");
	set(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR, psr | 1ULL << 36 | PSR_IC);
	start(v, i.va);
	is(run(m, 300, 0, &r), 0, "run there");
	eq(r.exit.reason, MONTECITO_EXIT_BUDGET, "translated");
	p.ps = 15;
	is(call(v, MONTECITO_TC_PURGE, &p), -EINVAL, "purge a page size that is not there");
	p.ps = 14;
	is(call(v, MONTECITO_TC_PURGE, &p), 0, "purge");
	is(run(m, 300, 0, &r), 0, "run on");
	ok(r.exit.reason == MONTECITO_EXIT_INTERRUPTION && r.exit.ifa == i.va,
	   "misses (vector %#x)", r.exit.vector);
	set(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR, psr);
}

int main(void)
{
	int m = machine(1, 1, MONTECITO_CFG_HOST_INTERRUPTIONS), v = vcpu(m, 0);

	one_each(v);
	refused(v);
	pal(m, v);
	interrupts(v);
	translations(m, v);
	return done();
}
