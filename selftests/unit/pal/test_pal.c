// SPDX-License-Identifier: GPL-2.0-only
/*
 * PAL procedures: what they answer, bit by bit, and what they refuse. Expected
 * values are the manual's (tables 2-9, 2-10, 3-34 and what corrects them) and
 * the bit layouts of the architecture manual.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/thread.h"
#include "arch/psr.h"
#include "arch/rse.h"
#include "memory/mem.h"
#include "package/package.h"
#include "pal/pal.h"
#include "arch/registers.h"
#include "platform/interrupts.h"
#include "platform/map.h"

static int tap_number, tap_failed;
static unsigned long cases, failures;

static void check(bool good, const char *what)
{
	cases++;
	if (good)
		return;
	failures++;
	printf("# %s\n", what);
}

static void group(const char *name)
{
	bool good = cases && !failures;

	printf("%sok %d - %s (%lu cases)\n", good ? "" : "not ", ++tap_number, name, cases);
	tap_failed += !good;
	cases = 0;
	failures = 0;
}

static struct mont_package *pkg;
static u8 *ram;
static u64 ret[4];

static s64 call(unsigned int vcpu, u64 index, u64 a, u64 b, u64 c)
{
	const u64 arg[4] = { index, a, b, c };

	memset(ret, 0x5a, sizeof(ret));
	if (mont_pal_call(&pkg->thread[vcpu], arg, ret))
		return -1000;
	return ret[0];
}

static u64 field(u64 v, unsigned int hi, unsigned int lo)
{
	return v >> lo & (hi - lo == 63 ? ~0ULL : (1ULL << (hi - lo + 1)) - 1);
}

static void perf_mon_info(void)
{
	const u64 *m = (const u64 *)(ram + 0x1000);
	unsigned int i;

	memset(ram, 0xff, 0x2000);
	check(!call(0, 15, 0x1000, 0, 0), "status");
	check(field(ret[1], 7, 0) == 12, "12 pairs");
	check(field(ret[1], 15, 8) == 47, "the 47 bits that count (table 3-7)");
	check(field(ret[1], 23, 16) == 0x12 && field(ret[1], 31, 24) == 8, "event codes");
	check(!field(ret[1], 63, 32) && !ret[2] && !ret[3], "the rest is zero");
	for (i = 0; i < 256; i++) {
		bool counter = i >= 4 && i <= 15;

		check((m[i / 64] >> i % 64 & 1) == (i <= 15 || (i >= 32 && i <= 42)), "PMC mask");
		check((m[4 + i / 64] >> i % 64 & 1) == (counter || (i >= 32 && i <= 36) ||
							i == 38 || i == 39 || (i >= 48 && i <= 63)),
		      "PMD mask");
		check((m[8 + i / 64] >> i % 64 & 1) == counter, "cycle counters");
		check((m[12 + i / 64] >> i % 64 & 1) == counter, "retired counters");
	}
	check(m[16] == ~0ULL && m[-1] == ~0ULL, "128 bytes and no more");
	group("PAL_PERF_MON_INFO as built");

	pkg->cfg.flags = MONT_CFG_PAL_AS_PRINTED;
	check(!call(0, 15, 0x1000, 0, 0), "status");
	check(field(ret[1], 31, 0) == 0x08123004, "4 pairs");
	check(m[0] == 0x3fff && m[4] == 0x3ffff && m[8] == 0xf0 && m[12] == 0xf0, "masks");
	check(!m[1] && !m[7] && !m[15], "upper words");
	pkg->cfg.flags = 0;
	group("PAL_PERF_MON_INFO as printed");

	check(call(0, 15, 0x1004, 0, 0) == -2, "misaligned buffer");
	check(call(0, 15, pkg->cfg.memory, 0, 0) == -2, "buffer outside memory");
	check(call(0, 15, pkg->cfg.memory - 120, 0, 0) == -2, "buffer that ends outside");
	check(!call(0, 15, 1ULL << 63 | 0x1000, 0, 0), "uncacheable address");
	check(call(0, 15, 0x1000, 1, 0) == -2, "reserved argument");
	group("PAL_PERF_MON_INFO refuses bad buffers");
}

/* PAL_SET_HW_POLICY 49 and PAL_GET_HW_POLICY 48 (manual 2.4.2), two cores of two threads. */
static void hw_policy(void)
{
	unsigned int v;

	for (v = 0; v < 4; v++) {
		check(!call(v, 48, 0, 0, 0) && !ret[1] && ret[2] == 2 && ret[3] == (v & 2),
		      "performance at reset; both threads, the first of them");
		check(!call(v, 48, 1, 0, 0) && ret[3] == (v | 1), "and the second");
		check(call(v, 48, 2, 0, 0) == -2, "there is no third");
	}
	check(!call(0, 49, 1, 0, 0) && !call(1, 48, 0, 0, 0) && ret[1] == 1, "fairness is both's");
	check(!call(2, 48, 0, 0, 0) && !ret[1], "of one core");
	check(!call(0, 49, 2, 0, 0) && !call(1, 48, 0, 0, 0) && ret[1] == 1, "a priority is one's");
	check(!call(1, 49, 3, 0, 0) && call(0, 49, 0, 0, 0) == 1,
	      "exclusive: the other stands back");
	check(!call(0, 48, 0, 0, 0) && !ret[1], "and has lost its priority");
	check(!call(1, 49, 0, 0, 0) && !call(0, 48, 0, 0, 0) && !ret[1], "given up again");
	check(call(0, 49, 4, 0, 0) == -2 && call(0, 49, 0, 1, 0) == -2, "bad arguments");
	group("PAL_SET_HW_POLICY and PAL_GET_HW_POLICY");
}

static void machine(void)
{
	unsigned int i;
	/* 4K 8K 16K 64K 256K 1M 4M 16M 64M 256M 1G 4G */
	static const u8 ps[] = { 12, 13, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32 };
	u64 sizes = 0;

	check(!call(0, 8, 0, 0, 0), "PAL_VM_SUMMARY");
	check(ret[1] & 1, "walker");
	check(field(ret[1], 7, 1) == 50 && field(ret[1], 15, 8) == 24, "physical bits, key bits");
	check(field(ret[1], 23, 16) == 15, "16 PKRs");
	check(field(ret[1], 39, 32) == 31 && field(ret[1], 47, 40) == 31, "32 TRs of each kind");
	check(field(ret[2], 7, 0) == 60 && field(ret[2], 15, 8) == 24, "61-bit VA, 24-bit RID");
	for (i = 0; i < sizeof(ps); i++)
		sizes |= 1ULL << ps[i];
	check(!call(0, 34, 0, 0, 0) && ret[1] == sizes && ret[2] == sizes, "page sizes");
	for (i = 1; i <= 2; i++) {
		check(!call(0, 7, 1, i, 0) &&
			      field(ret[1], 34, 0) == (1 | 128 << 8 | 128 << 16 | 1ULL << 34),
		      "L2 TLB");
		check(ret[2] == sizes, "L2 TLB page sizes");
		check(!call(0, 7, 0, i, 0) && field(ret[1], 34, 0) == (1 | 32 << 8 | 32 << 16),
		      "L1 TLB");
	}
	check(call(0, 7, 2, 1, 0) == -2 && call(0, 7, 0, 3, 0) == -2, "no such TLB");
	group("virtual memory");

	check(!call(0, 4, 0, 0, 0) && ret[1] == 3 && ret[2] == 5, "3 levels, 5 caches");
	check(!call(0, 2, 0, 1, 0) && (u32)ret[2] == 16384 && field(ret[1], 23, 16) == 6, "L1I");
	check(!call(0, 2, 0, 2, 0) && (u32)ret[2] == 16384 && !field(ret[1], 2, 1), "L1D");
	check(!call(0, 2, 1, 1, 0) && (u32)ret[2] == 1 << 20 && field(ret[1], 47, 40) == 7, "L2I");
	check(!call(0, 2, 1, 2, 0) && (u32)ret[2] == 256 << 10 && field(ret[1], 47, 40) == 5 &&
		      field(ret[1], 2, 1) == 1 && field(ret[1], 15, 8) == 8,
	      "L2D");
	check(!call(0, 2, 2, 2, 0) && (u32)ret[2] == 12 << 20 && (ret[1] & 1) &&
		      field(ret[1], 15, 8) == 12 && field(ret[1], 47, 40) == 14,
	      "L3");
	check(call(0, 2, 2, 1, 0) == -2 && call(0, 2, 3, 2, 0) == -2, "no such cache");
	check(!call(0, 1, 3, 0, 0) && call(0, 1, 5, 0, 0) == -2, "PAL_CACHE_FLUSH");
	check(!call(0, 5, 0, 0, 0) && ret[1] == 0xf1, "memory attributes");
	check(!call(0, 6, 0, 0, 0) && ret[2] == (1ULL << 32 | 1), "ptc.e once");
	group("caches");

	check(!call(0, 13, 0, 0, 0), "PAL_FREQ_BASE");
	{
		u64 base = ret[1];

		check(!call(0, 14, 0, 0, 0), "PAL_FREQ_RATIOS");
		check(base * (ret[1] >> 32) / (u32)ret[1] == 1600000000, "1.6 GHz");
		check(ret[3] == ret[1], "ITC at core speed");
	}
	check(!call(0, 19, 0, 0, 0) && ret[1] == 96 && !ret[2], "PAL_RSE_INFO");
	check(!call(0, 11, 0, 0, 0) && ret[1] == 4 && ret[2] == 4, "PAL_DEBUG_INFO");
	check(!call(0, 20, 0, 0, 0) && ret[1] && ret[1] == ret[2], "PAL_VERSION");
	check(!call(0, 17, 0, 18, 0) && ret[1] == 1 << 18, "Hyper-Threading of two threads");
	check(!call(0, 17, 0, 0, 0) && !ret[1], "architected features");
	check(!call(0, 39, 2, 0, 0) && (ret[2] & 2), "IVR is there");
	check(!call(0, 39, 3, 0, 0) && !(ret[2] & 2), "reading IVR has an effect");
	check(call(0, 39, 4, 0, 0) == -2, "no such request");
	group("processor");

	check(!call(3, 42, ~0ULL, 0, 0), "PAL_LOGICAL_TO_PHYSICAL");
	check(field(ret[1], 15, 0) == 4 && field(ret[1], 23, 16) == 2 && field(ret[1], 39, 32) == 2,
	      "4 logical, 2 threads, 2 cores");
	check(field(ret[2], 15, 0) == 1 && field(ret[2], 47, 32) == 1 && ret[3] == 3,
	      "thread 1 of core 1");
	check(call(0, 42, 4, 0, 0) == -2, "no such processor");
	check(!call(2, 12, 0, 0, 0) && ret[1] == 2, "PAL_FIXED_ADDR");
	check(!call(3, 43, 2, 2, ~0ULL) && ret[1] == 2 && ret[3] == 3,
	      "L3 is shared by two threads");
	group("topology");
}

static void rest(void)
{
	const u64 *w = (const u64 *)(ram + 0x1000);
	unsigned int i, n = 0;
	s64 s;

	pkg->thread[1].s.pmu.pmc[0] = 0xfff1;
	check(!call(1, 29, 0, 0, 0) && pkg->thread[1].s.halted, "PAL_HALT_LIGHT");
	check(pkg->thread[1].s.pmu.pmc[0] == 0xfff1, "PMC0 is preserved");
	check(!pkg->thread[0].s.halted, "the other thread runs on");
	group("PAL_HALT_LIGHT");

	memset(ram, 0xff, 0x2000);
	check(!call(0, 274, 0, 0x1000, 0), "brand string");
	check(strstr((char *)ram + 0x1000, "Itanium"), "text");
	check(ram[0x1080] == 0xff && !ram[0x107f], "128 bytes");
	check(!call(0, 274, 16, 0, 0) && ret[1] == 1600000000, "frequency");
	check(!call(0, 274, 17, 0, 0) && ret[1] == 24 << 20, "cache size");
	check(!call(0, 274, 18, 0, 0) && ret[1] == 400000000, "bus");
	check(call(0, 274, 19, 0, 0) == -2 && call(0, 274, 1, 0, 0) == -2, "no such request");
	check(call(0, 274, 0, pkg->cfg.memory - 8, 0) == -2, "buffer outside memory");
	group("PAL_BRAND_INFO");

	pkg->thread[0].s.rr[7] = 0x123 << 8;
	check(mont_tlb_insert_tr(&pkg->thread[0], false, 5, 7ULL << 61 | 0x4000000,
				 0x10000008000661ULL, 26 << 2 | 0x45 << 8) == MONT_NEXT,
	      "itr.d");
	check(!call(0, 261, 5, 1, 0x1000) && (ret[1] & 0xf) == 0xf, "data TR 5");
	check(w[0] == 0x10000008000661ULL && w[1] == (26 << 2 | 0x45 << 8), "PTE, ITIR");
	check(w[2] == (7ULL << 61 | 0x4000001) && w[3] == 0x12300, "IFA with its valid bit, RR");
	check(!call(0, 261, 5, 0, 0x1000) && !(w[2] & 1), "instruction TR 5 is free");
	check(call(0, 261, 32, 0, 0x1000) == -2 && call(0, 261, 0, 2, 0x1000) == -2, "no such TR");
	mont_tlb_purge_tr(&pkg->thread[0], false, 7ULL << 61 | 0x4000000, 26);
	check(!call(0, 261, 5, 1, 0x1000) && !(w[2] & 1), "data TR 5 is free again");
	group("PAL_VM_TR_READ");

	memset(ram + 0x1000, 0xff, 128);
	check(!call(0, 257, 0x1000, 0, 0) && field(w[0], 61, 60) == 3 && !w[1] && !w[7], "states");
	check(w[8] == ~0ULL, "64 bytes");
	check(!call(0, 28, 0, 0, 0) && pkg->thread[0].s.halted == 1, "PAL_HALT of its state 0");
	pkg->thread[0].s.halted = 0;
	check(call(0, 28, 1, 0, 0) == -2 && !pkg->thread[0].s.halted, "no state 1");
	group("PAL_HALT and PAL_HALT_INFO");

	for (i = 1; i < 18; i++)
		check(call(0, 17, 0, i, 0) == 1, "a set between");
	check(!call(0, 17, 0, 0, 0) && !call(0, 17, 0, 18, 0), "sets 0 and 18");
	check(call(0, 17, 0, 19, 0) == -8 && call(0, 17, 0, ~0ULL, 0) == -8, "beyond the last");
	group("PAL_PROC_GET_FEATURES");

	check(!call(0, 16, 1, 0x3fffc000000, 0) && pkg->s.io_block == 0x3fffc000000,
	      "the I/O port space where libmontecito has it");
	check(call(0, 16, 1, 0x3fffc100000, 0) == -2 && call(0, 16, 1, 1ULL << 50, 0) == -2 &&
		      pkg->s.io_block == 0x3fffc000000,
	      "it takes 64 MB, aligned, of physical memory");
	check(!call(0, 16, 0, 0xfee00000, 0) && call(0, 16, 0, 0xfed00000, 0) == -2 &&
		      call(0, 16, 2, 0, 0) == -2,
	      "the interrupt block stays");
	group("PAL_PLATFORM_ADDR");

	/* Each index either has a row or answers -1 and zeros. */
	for (i = 0; i < 1024; i++) {
		const struct mont_pal_proc *p = NULL;
		unsigned int k;

		for (k = 0; mont_pal_at(k); k++)
			if (mont_pal_at(k)->index == i)
				p = mont_pal_at(k);
		n += !!p;
		s = call(0, i, 0, 0x1000, 0);
		check(p ? s != -1 : s == -1 && !ret[1] && !ret[2] && !ret[3], "index");
	}
	check(call(0, 0x10000000fULL, 0x1000, 0, 0) == -1, "all 64 bits of the index count");
	check(n >= 15, "table");
	group("every index is served or refused");
}

/* A guest's own call: a branch to PAL_PROC, and back through b0. */
static void entry(void)
{
	const struct mont_config cfg = { .cores = 1, .threads = 1, .memory = 1 << 20 };
	/* MMI nop.m 0; nop.m 0; nop.i 0 */
	const u64 nop[2] = { 0x0000000100000008ULL, 0x0004000000000200ULL };
	struct mont_package *p = calloc(1, mont_package_size(&cfg));
	u8 *mem = aligned_alloc(4096, 1 << 20);
	const struct mont_region region = { .size = 1 << 20, .host = mem };
	struct mont_thread *t;
	struct mont_exit x;

	memset(mem, 0, 1 << 20);
	memcpy(mem + 0x2000, nop, sizeof(nop));
	check(!mont_package_init(p, &cfg, &region, 1), "package");
	t = mont_vcpu(p, 0);
	t->s.ip = MONT_PAL_PROC;
	t->s.br[0] = 0x2000;
	t->s.gr[28] = 15;
	t->s.gr[29] = 0x1000;
	mont_run(p, &(struct mont_budget){ .cycles = 2 }, &x);
	check(x.reason == MONT_EXIT_BUDGET, "runs");
	check(!t->s.gr[8] && t->s.ip == 0x2010 && t->s.insns == 3, "PAL_PERF_MON_INFO");
	check(field(t->s.gr[9], 7, 0) == 12 && *(u64 *)(mem + 0x1000) == 0x7ff0000ffffULL,
	      "12 pairs and their registers");
	t->s.ip = MONT_PAL_PROC;
	t->s.gr[28] = 9999;
	mont_run(p, &(struct mont_budget){ .cycles = 1 }, &x);
	check(t->s.gr[8] == ~0ULL, "no such procedure");
	t->s.ip = MONT_PAL_PROC;
	t->s.gr[28] = 29;
	mont_run(p, &(struct mont_budget){ .cycles = 100 }, &x);
	check(x.reason == MONT_EXIT_HALT && t->s.halted && t->s.ip == 0x2000,
	      "PAL_HALT_LIGHT halts");
	check(!mont_irq_inject(t, 0x40), "an interrupt");
	mont_run(p, &(struct mont_budget){ .cycles = 1 }, &x);
	check(!t->s.halted && t->s.ip == 0x2010, "an interrupt wakes it");
	/* Stacked: in0 to in3 in a frame of its own, back to the caller's by AR.PFS. */
	t->s.ar.pfs = 5ULL << 52 | 6 << 7 | 10;
	t->s.sof = 4;
	t->s.sol = 0;
	t->s.bof = 6;
	t->s.ndirty = 6;
	mont_thread_sync_derived(t);
	for (unsigned int i = 0; i < 4; i++)
		(void)mont_gr_set(t, 32 + i, (u64[]){ 274, 0, 0x1000, 0 }[i], 0);
	t->s.gr[28] = 274;
	t->s.ip = MONT_PAL_PROC;
	mont_run(p, &(struct mont_budget){ .cycles = 1 }, &x);
	check(!t->s.gr[8] && t->s.ip == 0x2000, "PAL_BRAND_INFO");
	check(!strncmp((char *)mem + 0x1000, "Dual-Core", 9), "its arguments were in0 to in3");
	check(mont_cfm(t) == (6 << 7 | 10) && t->s.ar.ec == 5 && !t->s.ndirty,
	      "the caller's frame is back");
	/* A virtual buffer in region 7, whose pages are 16 MB: first a miss, then data. */
	t->s.rr[7] = 24 << 2;
	t->s.cr.iva = 0x8000;
	mont_psr_load(t, t->s.psr | MONT_PSR_DT | MONT_PSR_IC);
	t->s.gr[28] = 15;
	t->s.gr[29] = 7ULL << 61 | 0x1000;
	t->s.ip = MONT_PAL_PROC;
	memset(mem + 0x1000, 0, 128);
	mont_run(p, &(struct mont_budget){ .cycles = 1 }, &x);
	check(t->s.ip == 0x8000 + 0x1000, "alternate data TLB fault");
	check(t->s.cr.ifa == (7ULL << 61 | 0x1000) && t->s.cr.iip == MONT_PAL_PROC &&
		      (t->s.cr.isr & MONT_ISR_W),
	      "of the buffer, to be called again");
	check(!*(u64 *)(mem + 0x1000), "nothing is written");
	check(!mont_tc_insert(t, false, 7ULL << 61, 0x661, 24 << 2), "itc.d");
	mont_psr_load(t, t->s.psr | MONT_PSR_IC | MONT_PSR_BN);
	t->s.ip = t->s.cr.iip;
	mont_run(p, &(struct mont_budget){ .cycles = 1 }, &x);
	check(!t->s.gr[8] && t->s.ip == 0x2000, "PAL_PERF_MON_INFO");
	check(*(u64 *)(mem + 0x1000) == 0x7ff0000ffffULL, "through the translation");
	mont_psr_load(t, t->s.psr & ~(u64)MONT_PSR_DT);
	mont_psr_load(t, t->s.psr | 3ULL << MONT_PSR_CPL_SHIFT);
	t->s.ip = MONT_PAL_PROC;
	t->s.cr.iva = 0x8000;
	mont_run(p, &(struct mont_budget){ .cycles = 1 }, &x);
	check(t->s.ip == 0x8000 + 0x5400, "level 0 only");
	free(mem);
	free(p);
	group("a branch to PAL_PROC");
}

/* Sizes that a machine can choose, and the PAL procedure that tells each. */
static const struct told {
	const char *name;
	u64 proc, level, type; /* PAL_CACHE_INFO or PAL_VM_INFO, and of what */
	unsigned int word, hi, lo; /* in ret[word] */
	u32 least, most;
	u32 unit; /* PAL's number of each */
} told[] = {
	{ "l1i.ways", 2, 0, 1, 1, 15, 8, 1, 4, 1 },
	{ "l1d.ways", 2, 0, 2, 1, 15, 8, 1, 4, 1 },
	{ "l2i.ways", 2, 1, 1, 1, 15, 8, 1, 8, 1 },
	{ "l2d.ways", 2, 1, 2, 1, 15, 8, 1, 8, 1 },
	{ "l3.ways", 2, 2, 2, 1, 15, 8, 1, 12, 1 },
	{ "l1i.ways", 2, 0, 1, 2, 31, 0, 1, 4, 4 << 10 },
	{ "l1d.ways", 2, 0, 2, 2, 31, 0, 1, 4, 4 << 10 },
	{ "l2i.ways", 2, 1, 1, 2, 31, 0, 1, 8, 128 << 10 },
	{ "l2d.ways", 2, 1, 2, 2, 31, 0, 1, 8, 32 << 10 },
	{ "l3.ways", 2, 2, 2, 2, 31, 0, 1, 12, 1 << 20 },
	{ "l1d.store", 2, 0, 2, 1, 39, 32, 1, 16, 1 },
	{ "l2i.latency", 2, 1, 1, 1, 47, 40, 1, 64, 1 },
	{ "l2d.latency", 2, 1, 2, 1, 47, 40, 2, 64, 1 },
	{ "l3.latency", 2, 2, 2, 1, 47, 40, 3, 254, 1 },
	{ "itlb.entries", 7, 0, 1, 1, 15, 8, 1, 32, 1 },
	{ "itlb.entries", 7, 0, 1, 1, 31, 16, 1, 32, 1 },
	{ "dtlb.entries", 7, 0, 2, 1, 15, 8, 1, 32, 1 },
	{ "dtlb.entries", 7, 0, 2, 1, 31, 16, 1, 32, 1 },
	{ "tlb.tc", 7, 1, 1, 1, 15, 8, 48, 128, 1 },
	{ "tlb.tc", 7, 1, 1, 1, 31, 16, 48, 128, 1 },
	{ "tlb.tc", 7, 1, 2, 1, 15, 8, 48, 128, 1 },
	{ "tlb.tc", 7, 1, 2, 1, 31, 16, 48, 128, 1 },
};

/* All that PAL_CACHE_INFO and PAL_VM_INFO answer, in @all; how many numbers that is. */
static unsigned int answers(u64 *all)
{
	u64 level, type;
	unsigned int n = 0;

	for (level = 0; level < 3; level++) {
		for (type = 1; type <= 2; type++) {
			if (!call(0, 2, level, type, 0)) {
				memcpy(&all[n], ret, sizeof(ret));
				n += 4;
			}
			if (!call(0, 7, level, type, 0)) {
				memcpy(&all[n], ret, sizeof(ret));
				n += 4;
			}
		}
	}
	return n;
}

static u32 param_of(const char *name)
{
	u32 i;

	for (i = 0; mont_param(i); i++)
		if (!strcmp(mont_param(i)->name, name))
			return i;
	check(false, name);
	return 0;
}

/* Each number is told in its place, and what has nothing to do with PAL in none. */
static void own_numbers(void)
{
	const struct mont_region region = { .size = 1 << 20, .host = ram };
	const struct mont_config cfg = { .cores = 1, .threads = 1, .memory = 1 << 20, .timing = 1 };
	struct mont_package *was = pkg, *p = calloc(1, mont_package_size(&cfg));
	const struct mont_param *param;
	u64 first[64], now[64];
	unsigned int i, k, n;
	const char *why;

	check(!mont_package_init(p, &cfg, &region, 1), "package");
	pkg = p;
	/* Room for L2D and L3 to be slow in. */
	for (i = 0; i < 2; i++)
		mont_param_set(p, param_of(i ? "l2d.queued" : "l2d.late"), 128, &why);
	mont_param_set(p, param_of("memory.latency"), 10000, &why);
	n = answers(first);
	check(n == 36, "five caches and four TLBs");
	for (i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
		const struct told *w = &told[i];
		const u32 at = param_of(w->name);
		const u32 usual = mont_param_value(p, at), values[] = { w->least, w->most };

		check(mont_param(at)->least == w->least && mont_param(at)->most == w->most,
		      w->name);
		for (k = 0; k < 2; k++) {
			u32 v = values[k];

			/* L3 takes no less than L2D, which takes no more. */
			if (!strcmp(w->name, "l3.latency") && !k)
				v = 5;
			if (!strcmp(w->name, "l2d.latency") && k)
				v = 14;
			check(!mont_param_set(p, at, v, &why), w->name);
			check(!call(0, w->proc, w->level, w->type, 0) &&
				      field(ret[w->word], w->hi, w->lo) == (u64)v * w->unit,
			      w->name);
		}
		check(!mont_param_set(p, at, usual, &why), w->name);
		answers(now);
		check(!memcmp(first, now, n * sizeof(now[0])), "all as before");
	}
	for (i = 0; (param = mont_param(i)); i++) {
		for (k = 0; k < sizeof(told) / sizeof(told[0]); k++)
			if (!strcmp(told[k].name, param->name))
				break;
		if (!param->most || k < sizeof(told) / sizeof(told[0]))
			continue;
		if (mont_param_set(p, i, param->least, &why))
			check(!mont_param_set(p, i, param->most, &why), param->name);
		answers(now);
		check(!memcmp(first, now, n * sizeof(now[0])), param->name);
	}
	pkg = was;
	free(p);
	group("PAL_CACHE_INFO and PAL_VM_INFO tell a machine's own numbers");
}

int main(void)
{
	pkg = calloc(1, sizeof(*pkg) + 512);
	pkg->cfg.cores = 2;
	pkg->cfg.threads = 2;
	pkg->cfg.memory = 1 << 20;
	pkg->nr_vcpus = 4;
	pkg->work.attn = &pkg->thread[0].attn;
	ram = aligned_alloc(4096, 1 << 20);
	pkg->nr_regions = 1;
	pkg->region[0].r = (struct mont_region){ .size = 1 << 20, .host = ram };
	for (unsigned int i = 0; i < 4; i++) {
		pkg->thread[i].pkg = pkg;
		pkg->thread[i].index = i;
		pkg->thread[i].work = &pkg->work;
		pkg->thread[i].core = &pkg->core[i / 2];
		pkg->thread[i].core->thread[i % 2] = &pkg->thread[i];
		mont_tlb_index(&pkg->core[i / 2]);
	}
	perf_mon_info();
	hw_policy();
	machine();
	rest();
	entry();
	own_numbers();
	printf("1..%d\n", tap_number);
	return tap_failed ? 1 : 0;
}
