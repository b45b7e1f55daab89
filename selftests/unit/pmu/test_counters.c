// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters: width, overflow, freeze, interrupt, privilege. Expected values
 * follow from the number of signals raised.
 */
#include "pmu_test.h"
#include "pmu/registers.h"

/* Counter @n at 2^47 less @below, plus @inc in one occurrence. */
static void edge(unsigned int n, unsigned int inc, unsigned int below, bool oi)
{
	struct mont_thread *t = new_thread(1);
	u64 want = (CARRY - below + inc) & (CARRY - 1), got, pmc0, fr;
	bool over = inc >= below;

	mont_pmc_write(t, n, PMC(CODE_INST, 0, PLM_ALL | (oi ? OI : 0)));
	mont_pmd_write(t, n, CARRY - below);
	set_psr(t, MONT_PSR_UP);
	retire(t, inc, 7);
	got = mont_pmd_read(t, n, 0);
	if (want >> 46)
		want |= ~(CARRY - 1);
	pmc0 = mont_pmc_read(t, 0);
	fr = over && oi;
	check(got == want, "pmd%u -%u+%u: %#llx, not %#llx", n, below, inc, (unsigned long long)got,
	      (unsigned long long)want);
	check(pmc0 == ((u64)over << n | fr), "pmd%u -%u+%u: pmc0 %#llx", n, below, inc,
	      (unsigned long long)pmc0);
	check(t->s.pmu_irq == fr, "pmd%u -%u+%u: irq %u", n, below, inc, t->s.pmu_irq);
	check(!!(t->attn & MONT_ATTN_IRQ) == fr, "attention");
	/* A retirement behind the overflow counts only while not frozen. */
	retire(t, 1, 1);
	want = fr ? got : got == ~0ULL ? 0 : got + 1;
	check(mont_pmd_read(t, n, 0) == want, "pmd%u -%u+%u, then 1", n, below, inc);
}

static void edges(void)
{
	unsigned int n, inc, below;

	for (n = 4; n < 16; n++)
		for (inc = 1; inc <= 6; inc++)
			for (below = 1; below <= 7; below++) {
				edge(n, inc, below, false);
				edge(n, inc, below, true);
			}
	group("every counter's edge at 2^47, increments 1 to 6");
}

/* The edge reached by counting lazily, one by one and by threes. */
static void lazy_edge(void)
{
	unsigned int n;

	for (n = 4; n < 16; n++) {
		struct mont_thread *t = new_thread(1);
		unsigned int i;

		mont_pmc_write(t, n, PMC(CODE_NOPS, 0, PLM_ALL | OI));
		mont_pmd_write(t, n, CARRY - 1000);
		set_psr(t, MONT_PSR_UP);
		for (i = 1; i <= 1010; i++) {
			mont_signal(t, MONT_SIG_NOP_RETIRED, 0);
			mont_group_end(t);
			check(t->s.pmu_irq == (i >= 1000), "pmd%u: occurrence %u", n, i);
		}
		check(!mont_pmd_read(t, n, 0), "pmd%u: counted while frozen", n);
		check(mont_pmc_read(t, 0) == (1ULL << n | 1), "pmd%u: pmc0", n);
		/* Clearing PMC0 lets it count again; no second edge by software. */
		t->s.pmu_irq = 0;
		mont_pmc_write(t, 0, 0);
		mont_signal(t, MONT_SIG_NOP_RETIRED, 0);
		check(mont_pmd_read(t, n, 0) == 1, "pmd%u: after the thaw", n);
		mont_pmc_write(t, 0, 1);
		check(!t->s.pmu_irq, "software set fr and raised an interrupt");
		mont_signal(t, MONT_SIG_NOP_RETIRED, 0);
		check(mont_pmd_read(t, n, 0) == 1, "pmd%u: software freeze", n);
	}
	group("the exact occurrence overflows, freezes, and thaws");
}

static void several(void)
{
	struct mont_thread *t = new_thread(1);
	unsigned int n;

	/* All twelve overflow in one occurrence, which all of them see. */
	for (n = 4; n < 16; n++) {
		mont_pmc_write(t, n, PMC(CODE_INST, 0, PLM_ALL | (n & 1 ? OI : 0)));
		mont_pmd_write(t, n, CARRY - 2);
	}
	set_psr(t, MONT_PSR_UP);
	retire(t, 3, 7);
	check(mont_pmc_read(t, 0) == 0xfff1, "pmc0 %#llx", (unsigned long long)mont_pmc_read(t, 0));
	check(t->s.pmu_irq == 1, "no interrupt");
	for (n = 4; n < 16; n++)
		check(mont_pmd_read(t, n, 0) == 1, "pmd%u", n);
	/* A frozen PMU raises no second one. */
	t->s.pmu_irq = 0;
	retire(t, 3, 7);
	check(!t->s.pmu_irq, "interrupt while frozen");
	group("counters that overflow together raise one interrupt");

	/* An overflow without oi neither freezes nor interrupts; the bit sticks. */
	t = new_thread(1);
	mont_pmc_write(t, 4, PMC(CODE_INST, 0, PLM_ALL));
	mont_pmc_write(t, 5, PMC(CODE_INST, 0, PLM_ALL | OI));
	mont_pmd_write(t, 4, CARRY - 1);
	mont_pmd_write(t, 5, CARRY - 100);
	set_psr(t, MONT_PSR_UP);
	retire(t, 2, 3);
	check(mont_pmc_read(t, 0) == 0x10 && !t->s.pmu_irq, "without oi");
	retire(t, 3, 7);
	check(mont_pmc_read(t, 0) == 0x10 && mont_pmd_read(t, 4, 0) == 4, "sticky bit");
	mont_pmc_write(t, 0, 0xfff0);
	check(mont_pmc_read(t, 0) == 0xfff0, "software sets overflow bits");
	mont_pmd_write(t, 5, CARRY - 1);
	retire(t, 1, 1);
	check(mont_pmc_read(t, 0) == 0xfff1 && t->s.pmu_irq, "freeze over software's bits");
	group("oi, sticky bits");

	/* A freeze folds what others counted before it and stops what comes after. */
	t = new_thread(1);
	mont_pmc_write(t, 4, PMC(CODE_NOPS, 0, PLM_ALL | OI));
	mont_pmc_write(t, 7, PMC(CODE_SQUASHED, 0, PLM_ALL));
	mont_pmd_write(t, 4, CARRY - 1);
	set_psr(t, MONT_PSR_UP);
	for (n = 0; n < 5; n++)
		mont_signal(t, MONT_SIG_PRED_SQUASHED, 0);
	mont_signal(t, MONT_SIG_NOP_RETIRED, 0);
	check(!mont_pmc_read(t, 0) && !t->s.pmu_irq, "the group has not ended");
	mont_signal(t, MONT_SIG_PRED_SQUASHED, 0);
	mont_signal(t, MONT_SIG_NOP_RETIRED, 0);
	mont_group_end(t);
	check(mont_pmc_read(t, 0) == 0x11 && t->s.pmu_irq == 1, "now it has");
	for (n = 0; n < 5; n++)
		mont_signal(t, MONT_SIG_PRED_SQUASHED, 0);
	mont_group_end(t);
	check(mont_pmd_read(t, 7, 0) == 6, "pmd7 has all of the cycle and nothing behind it");
	check(mont_pmd_read(t, 4, 0) == 1, "pmd4 as well");
	group("a freeze holds from the end of the cycle, for every counter");
}

/* One combination of plm, pm, PSR.up, PSR.pp, PSR.sp and level. */
static void combination(unsigned int plm, bool pm, u64 psr)
{
	struct mont_thread *t = new_thread(1);
	unsigned int cpl = psr >> 32;
	bool on = (plm >> cpl & 1) && (psr & (pm ? MONT_PSR_PP : MONT_PSR_UP));
	bool hidden = cpl && (pm || (psr & MONT_PSR_SP));

	mont_pmc_write(t, 9, PMC(CODE_INST, 0, plm | (pm ? PM : 0)));
	set_psr(t, psr);
	retire(t, 3, 7);
	check(mont_pmd_read(t, 9, 0) == (on ? 3 : 0), "plm %x pm %d psr %#llx counts", plm, pm,
	      (unsigned long long)psr);
	check(mont_pmd_read(t, 9, cpl) == (on && !hidden ? 3 : 0), "plm %x pm %d psr %#llx reads",
	      plm, pm, (unsigned long long)psr);
}

static void privilege(void)
{
	unsigned int plm, cpl, bits;

	for (plm = 0; plm < 16; plm++)
		for (cpl = 0; cpl < 4; cpl++)
			for (bits = 0; bits < 16; bits++)
				combination(plm, bits & 1,
					    (u64)cpl << 32 | (bits & 2 ? MONT_PSR_UP : 0) |
						    (bits & 4 ? MONT_PSR_PP : 0) |
						    (bits & 8 ? MONT_PSR_SP : 0));
	group("every privilege combination counts and reads as it should");
}

static void times(struct mont_thread *t, enum mont_signal sig, unsigned int n, u32 data)
{
	while (n--)
		raise_ref(t, sig, 0, 1, data);
}

/* The signals that only some programs raise, each a different number of times. */
static void rarer(struct mont_thread *t)
{
	unsigned int why;

	times(t, MONT_SIG_RSE_REFERENCE, 3, MONT_DATA_RSE);
	times(t, MONT_SIG_RSE_REFERENCE, 4, MONT_DATA_RSE | MONT_DATA_STORE);
	times(t, MONT_SIG_ALAT_CHECK, 3, 0);
	times(t, MONT_SIG_ALAT_CHECK, 2, MONT_DATA_FP);
	times(t, MONT_SIG_ALAT_CHECK, 3, MONT_DATA_FAILED);
	times(t, MONT_SIG_ALAT_CHECK, 2, MONT_DATA_FAILED | MONT_DATA_FP);
	times(t, MONT_SIG_CHKS_FAILED, 3, 0);
	times(t, MONT_SIG_CHKS_FAILED, 2, MONT_DATA_FP);
	times(t, MONT_SIG_ALAT_REPLACED, 2, 0);
	times(t, MONT_SIG_ALAT_REPLACED, 1, MONT_DATA_FP);
	for (why = 1; why <= 5; why++)
		times(t, MONT_SIG_SPEC_NATTED, why, why << MONT_DATA_WHY_SHIFT);
	mont_signal_n(t, MONT_SIG_FP_OPS, 4, 0);
	mont_signal_n(t, MONT_SIG_FP_OPS, 5, 0);
	mont_signal_n(t, MONT_SIG_FP_FLUSHED, 2, 0);
	mont_signal_n(t, MONT_SIG_FP_FLUSHED, 1, 0);
	times(t, MONT_SIG_FCHKF_FAILED, 1, 0);
	times(t, MONT_SIG_L2DTLB_MISSED, 5, 0);
	times(t, MONT_SIG_WALKER_READ, 4, 0);
	times(t, MONT_SIG_WALKER_DTLB, 3, 0);
	times(t, MONT_SIG_WALKER_ITLB, 2, 0);
	times(t, MONT_SIG_DEBUG_FAULT, 1, 0);
	times(t, MONT_SIG_SERIALIZED, 6, 0);
}

/* One row per counted event: how many of a fixed set of signals it counts. */
static void conditions(void)
{
	static const struct {
		u8 code, umask;
		u64 want;
	} rows[] = {
		{ CODE_INST, 0, 6 },  { CODE_INST, 1, 6 },   { CODE_INST, 2, 6 },
		{ CODE_INST, 3, 6 },  { CODE_NOPS, 0, 2 },   { CODE_SQUASHED, 0, 3 },
		{ CODE_BR, 0x0, 7 },  { CODE_BR, 0x4, 4 },   { CODE_BR, 0x8, 2 },
		{ CODE_BR, 0xc, 1 },  { CODE_CPL, 0xf, 5 },  { CODE_CPL, 1, 4 },
		{ CODE_CPL, 2, 2 },   { CODE_CPL, 4, 1 },    { CODE_CPL, 8, 3 },
		{ CODE_LOADS, 0, 9 }, { CODE_STORES, 0, 5 }, { CODE_INTG, 0, 7 },
		{ 0xcf, 0, 2 },	      { 0xce, 0, 1 },	     { 0xd0, 0, 0 },
		{ 0xd2, 0, 0 },	      { 0x20, 3, 7 },	     { 0x20, 1, 3 },
		{ 0x20, 2, 4 },	      { 0x56, 3, 10 },	     { 0x56, 2, 4 },
		{ 0x56, 1, 6 },	      { 0x57, 3, 5 },	     { 0x57, 2, 2 },
		{ 0x57, 1, 3 },	      { 0x55, 3, 5 },	     { 0x55, 2, 2 },
		{ 0x55, 1, 3 },	      { 0x58, 3, 3 },	     { 0x58, 2, 1 },
		{ 0x58, 1, 2 },	      { 0xd9, 0, 15 },	     { 0xd9, 1, 1 },
		{ 0xd9, 2, 2 },	      { 0xd9, 3, 3 },	     { 0xd9, 4, 4 },
		{ 0xd9, 5, 5 },	      { 0x09, 0, 9 },	     { 0x0b, 0, 3 },
		{ 0x06, 0, 1 },	      { 0x2d, 0, 4 },	     { 0xc9, 0, 3 },
		{ 0xc1, 0, 5 },	      { 0x48, 0, 2 },	     { 0x52, 0, 1 },
		{ 0x53, 0, 6 },
	};
	static const u8 changes[5] = { 3 | 0 << 2, 0 | 3 << 2, 1 | 0 << 2, 0 | 1 << 2, 3 | 2 << 2 };
	unsigned int i, j;

	for (i = 0; i < MONT_ARRAY_SIZE(rows); i++) {
		struct mont_thread *t = new_thread(1);

		/* PMC5, so that the L1D events select their own set. */
		mont_pmc_write(t, 5, PMC(rows[i].code, rows[i].umask, PLM_ALL));
		set_psr(t, MONT_PSR_UP);
		for (j = 0; j < 2; j++)
			mont_signal(t, MONT_SIG_NOP_RETIRED, 0);
		for (j = 0; j < 3; j++)
			mont_signal(t, MONT_SIG_PRED_SQUASHED, 0);
		for (j = 0; j < 4; j++)
			mont_signal_branch(t, MONT_BR_IPREL, 0, j & 1);
		for (j = 0; j < 2; j++)
			mont_signal_branch(t, MONT_BR_RETURN, 0, true);
		mont_signal_branch(t, MONT_BR_NRETIND, 0, false);
		for (j = 0; j < 9; j++) {
			u32 kind = j < 2   ? MONT_DATA_FP
				   : j < 4 ? MONT_DATA_RSE
				   : j < 6 ? MONT_DATA_UC
				   : j < 7 ? MONT_DATA_MISALIGNED
					   : 0;

			raise_ref(t, MONT_SIG_LOAD_RETIRED, 64 * j, 8, kind);
		}
		for (j = 0; j < 5; j++)
			raise_ref(t, MONT_SIG_STORE_RETIRED, 64 * j, 8, 0);
		for (j = 0; j < 5; j++)
			mont_signal(t, MONT_SIG_CPL_CHANGE, changes[j]);
		rarer(t);
		retire(t, 3, 7);
		retire(t, 2, 5);
		retire(t, 1, 4);
		check(mont_pmd_read(t, 5, 0) == rows[i].want, "%02x.%x: %llu, not %llu",
		      rows[i].code, rows[i].umask, (unsigned long long)mont_pmd_read(t, 5, 0),
		      (unsigned long long)rows[i].want);
		check(!t->s.pmu.uncounted, "%02x.%x flagged", rows[i].code, rows[i].umask);
	}
	group("every counted event counts its occurrences and no others");
}

/*
 * An overflow keeps the configuration of its moment when the group changes it later:
 * oi and ev are those of the moment, PMC0 shows when the group has ended.
 */
static void pending(void)
{
	struct mont_thread *t = new_thread(1);

	mont_pmc_write(t, 4, PMC(CODE_NOPS, 0, PLM_ALL | OI));
	mont_pmd_write(t, 4, CARRY - 1);
	set_psr(t, MONT_PSR_UP);
	mont_signal(t, MONT_SIG_NOP_RETIRED, 0);
	mont_pmc_write(t, 4, 0);
	mont_pmc_write(t, 0, 0);
	check(!mont_pmc_read(t, 0), "cleared in the overflow's own group");
	mont_group_end(t);
	check(mont_pmc_read(t, 0) == 0x11 && t->s.pmu_irq == 1, "the overflow comes behind it");

	t = new_thread(1);
	mont_pmc_write(t, 4, PMC(CODE_NOPS, 0, PLM_ALL));
	mont_pmd_write(t, 4, CARRY - 1);
	set_psr(t, MONT_PSR_UP);
	mont_signal(t, MONT_SIG_NOP_RETIRED, 0);
	mont_pmc_write(t, 4, PMC(CODE_NOPS, 0, PLM_ALL | OI));
	mont_group_end(t);
	check(mont_pmc_read(t, 0) == 0x10 && !t->s.pmu_irq, "oi set behind the overflow");
	group("an overflow goes by the configuration it happened under");
}

/*
 * Setting fr raises the interrupt, and only while it is 0 can an overflow set it
 * (tables 3-6 and 3-8): where software has frozen, an overflow shows in its bit alone.
 */
static void frozen_already(void)
{
	struct mont_thread *t = new_thread(1);

	mont_pmc_write(t, 4, PMC(CODE_NOPS, 0, PLM_ALL | OI));
	mont_pmd_write(t, 4, CARRY - 1);
	set_psr(t, MONT_PSR_UP);
	mont_signal(t, MONT_SIG_NOP_RETIRED, 0);
	mont_pmc_write(t, 0, 1);
	mont_group_end(t);
	check(mont_pmc_read(t, 0) == 0x11, "pmc0 %#llx", (unsigned long long)mont_pmc_read(t, 0));
	check(!t->s.pmu_irq, "an interrupt though fr was 1");

	/* Two counters in one group: the second finds fr set by the first. */
	t = new_thread(1);
	mont_pmc_write(t, 4, PMC(CODE_NOPS, 0, PLM_ALL | OI));
	mont_pmc_write(t, 5, PMC(CODE_NOPS, 0, PLM_ALL | OI));
	mont_pmd_write(t, 4, CARRY - 1);
	mont_pmd_write(t, 5, CARRY - 1);
	set_psr(t, MONT_PSR_UP);
	mont_signal(t, MONT_SIG_NOP_RETIRED, 0);
	mont_group_end(t);
	check(mont_pmc_read(t, 0) == 0x31 && t->s.pmu_irq == 1, "two overflows, one interrupt");
	/* The interrupt is taken; nothing counts any more until fr is cleared. */
	t->s.pmu_irq = 0;
	mont_pmd_write(t, 4, CARRY - 1);
	mont_signal(t, MONT_SIG_NOP_RETIRED, 0);
	mont_group_end(t);
	check(mont_pmc_read(t, 0) == 0x31 && !t->s.pmu_irq, "frozen");
	group("an overflow interrupts where it sets fr");
}

/* Values of moves from PMDs and PMC0 in a group that reads behind its first slot. */
static void marked(void)
{
	struct mont_thread *t = new_thread(1);

	mont_pmc_write(t, 4, PMC(CODE_NOPS, 0, PLM_ALL | OI));
	mont_pmc_write(t, 15, PMC(CODE_SQUASHED, 0, PLM_ALL));
	mont_pmd_write(t, 4, CARRY - 2);
	set_psr(t, MONT_PSR_UP);
	mont_signal(t, MONT_SIG_NOP_RETIRED, 0);
	mont_group_end(t);
	mont_group_mark(t);
	mont_signal(t, MONT_SIG_NOP_RETIRED, 0);
	mont_signal(t, MONT_SIG_PRED_SQUASHED, 0);
	check(mont_pmd_read(t, 4, 0) == ~0ULL && !mont_pmd_read(t, 15, 0), "before the group");
	mont_pmd_write(t, 15, 7);
	check(mont_pmd_read(t, 15, 0) == 7, "what software writes shows");
	mont_pmc_write(t, 0, 0x100);
	check(mont_pmc_read(t, 0) == 0x100, "in PMC0 as well");
	mont_signal(t, MONT_SIG_PRED_SQUASHED, 0);
	mont_group_end(t);
	check(!mont_pmd_read(t, 4, 0) && mont_pmd_read(t, 15, 0) == 8, "behind the group");
	check(mont_pmc_read(t, 0) == 0x111, "overflow and freeze");
	group("reads inside a group show the end of the one before");
}

/* Counts that a reference of each kind adds to the three events of the memory pipeline. */
static void references(void)
{
	static const struct {
		const char *what;
		u8 sig;
		u32 data;
		u8 references, reads;
	} rows[] = {
		{ "a load", MONT_SIG_LOAD_RETIRED, 0, 1, 1 },
		{ "a load of the RSE", MONT_SIG_LOAD_RETIRED, MONT_DATA_RSE, 1, 1 },
		{ "a floating-point load", MONT_SIG_LOAD_RETIRED, MONT_DATA_FP, 1, 0 },
		{ "an uncacheable load", MONT_SIG_LOAD_RETIRED, MONT_DATA_UC, 1, 0 },
		{ "a semaphore's load", MONT_SIG_LOAD_RETIRED, MONT_DATA_SEMAPHORE, 1, 0 },
		{ "a deferred load", MONT_SIG_LOAD_RETIRED, MONT_DATA_DEFERRED, 1, 0 },
		{ "a load of no address", MONT_SIG_LOAD_RETIRED,
		  MONT_DATA_DEFERRED | MONT_DATA_NOT_SENT, 0, 0 },
		{ "a store", MONT_SIG_STORE_RETIRED, 0, 1, 0 },
		{ "a semaphore's store", MONT_SIG_STORE_RETIRED, MONT_DATA_SEMAPHORE, 0, 0 },
		{ "a check load that hits", MONT_SIG_ALAT_CHECK, 0, 1, 1 },
		{ "one of floating-point", MONT_SIG_ALAT_CHECK, MONT_DATA_FP, 1, 0 },
		{ "a check load that fails", MONT_SIG_ALAT_CHECK, MONT_DATA_FAILED, 0, 0 },
		{ "chk.a", MONT_SIG_ALAT_CHECK, MONT_DATA_CHECK, 0, 0 },
		{ "a fault", MONT_SIG_REFERENCE_FAULTED, 0, 1, 0 },
		{ "what the RSE moves", MONT_SIG_RSE_REFERENCE, MONT_DATA_RSE, 0, 0 },
	};
	static const u8 codes[] = { 0xc3, 0xc5, 0xc6, 0xc2, 0xc4 };
	static const struct {
		u32 va, size, match;
	} bytes[] = {
		{ 0x0fff, 1, 0 },  { 0x0ff8, 8, 0 }, { 0x0ff9, 8, 1 }, { 0x0ff0, 16, 0 },
		{ 0x0ff1, 16, 1 }, { 0x1007, 1, 1 }, { 0x1008, 1, 0 }, { 0x0ffe, 4, 1 },
	};
	unsigned int i, k;

	for (i = 0; i < MONT_ARRAY_SIZE(rows); i++) {
		for (k = 0; k < sizeof(codes); k++) {
			struct mont_thread *t = new_thread(1);
			u64 want = k < 3 ? rows[i].references : rows[i].reads;

			t->s.dbr[4] = 0x1000;
			t->s.dbr[5] = (1ULL << 56) - 8;
			mont_pmc_write(t, 5, PMC(codes[k], 0, PLM_ALL | OI));
			mont_pmd_write(t, 5, CARRY - 3);
			set_psr(t, MONT_PSR_UP);
			raise_ref(t, rows[i].sig, 0x1007, 1, rows[i].data);
			raise_ref(t, rows[i].sig, 0x1007, 1, rows[i].data);
			check(mont_pmd_read(t, 5, 0) == 2 * want - 3, "%s: %02x: %lld",
			      rows[i].what, codes[k], (long long)mont_pmd_read(t, 5, 0));
			/* An address beside that of the pair. */
			raise_ref(t, rows[i].sig, 0x1008, 8, rows[i].data);
			mont_group_end(t);
			check(mont_pmc_read(t, 0) == (want && codes[k] != 0xc6 ? 0x21 : 0),
			      "%s: %02x overflows", rows[i].what, codes[k]);
		}
	}
	group("data references, reads of the L1D, matches of a data breakpoint");

	/* A reference matches by any of its bytes, the pair's 8 being 0x1000 to 0x1007. */
	for (i = 0; i < MONT_ARRAY_SIZE(bytes); i++) {
		struct mont_thread *t = new_thread(1);

		t->s.dbr[4] = 0x1000;
		t->s.dbr[5] = (1ULL << 56) - 8;
		mont_pmc_write(t, 5, PMC(0xc6, 0, PLM_ALL));
		set_psr(t, MONT_PSR_UP);
		raise_ref(t, MONT_SIG_STORE_RETIRED, bytes[i].va, bytes[i].size, 0);
		check(mont_pmd_read(t, 5, 0) == bytes[i].match, "%u bytes at %#x", bytes[i].size,
		      bytes[i].va);
	}
	group("a data breakpoint is of all bytes of a reference");
}

#define PMC39(brt, ppm, ptm, tm, plm) \
	((u64)(brt) << 14 | (ppm) << 12 | (ptm) << 10 | (tm) << 8 | (plm))

/* BRANCH_EVENT under the filters of PMC39; one source a cycle. */
static void traced(void)
{
	static const struct {
		u64 pmc39, pmc42;
		u8 want; /* of the six cycles below */
		bool counts;
	} rows[] = {
		{ PMC39(0, 3, 3, 3, 15), 0, 6, true },	    { PMC39(0, 3, 3, 2, 15), 0, 4, true },
		{ PMC39(0, 3, 3, 1, 15), 0, 4, true },	    { PMC39(0, 3, 3, 0, 15), 0, 1, true },
		{ PMC39(1, 3, 3, 3, 15), 0, 4, true },	    { PMC39(2, 3, 3, 3, 15), 0, 2, true },
		{ PMC39(3, 3, 3, 3, 15), 0, 3, true },	    { PMC39(0, 3, 3, 3, 14), 0, 0, true },
		{ PMC39(0, 3, 3, 3, 15 | PM), 0, 0, true }, { PMC39(0, 2, 3, 3, 15), 0, 0, false },
		{ PMC39(0, 3, 1, 3, 15), 0, 0, false },	    { PMC39(0, 0, 3, 3, 15), 0, 0, false },
		{ PMC39(0, 3, 3, 3, 15), 0x400, 0, false },
	};
	static const u8 cycles[6][3] = {
		{ MONT_BR_IPREL | BRANCH_TAKEN },
		{ MONT_BR_IPREL, MONT_BR_IPREL, MONT_BR_IPREL | BRANCH_TAKEN },
		{ MONT_BR_RETURN | BRANCH_TAKEN },
		{ MONT_BR_NRETIND },
		{ 0xff }, /* rfi, a fault, a failed check */
		{ MONT_BR_IPREL, MONT_BR_NRETIND },
	};
	struct mont_observer o = { .filter = { .code = 0x11, .plm = 15 } };
	const char *why;
	unsigned int i, j, k;

	for (i = 0; i < MONT_ARRAY_SIZE(rows); i++) {
		struct mont_thread *t = new_thread(1);

		check(!mont_observer_attach(t, &o, &why), "attach");
		mont_pmc_write(t, 39, rows[i].pmc39);
		mont_pmc_write(t, 42, rows[i].pmc42);
		mont_pmc_write(t, 4, PMC(0x11, 0, PLM_ALL));
		set_psr(t, MONT_PSR_UP);
		check(!t->s.pmu.uncounted == rows[i].counts, "%u: flagged", i);
		for (j = 0; j < 6; j++) {
			for (k = 0; k < 3 && cycles[j][k]; k++) {
				if (cycles[j][k] == 0xff)
					mont_signal(t, MONT_SIG_FLUSHED, 0);
				else
					raise_any(t, MONT_SIG_BRANCH_RETIRED, 1, cycles[j][k], 0);
			}
			retire(t, 3, 7);
		}
		check(mont_pmd_read(t, 4, 0) == rows[i].want, "%u: %llu, not %u", i,
		      (unsigned long long)mont_pmd_read(t, 4, 0), rows[i].want);
		check(mont_observer_read(t, &o) == 6, "%u: an observer's own filter takes all", i);
		mont_observer_detach(t, &o);
	}
	group("the trace buffer's filters, one source a cycle");
}

/*
 * The cost of counting depends on the signals that have a subscriber, however many
 * there are: the countdowns of the others hold what would be counted and set anew if
 * they were looked at.
 */
static void only_the_armed(void)
{
	static const struct mont_countdown odd = { 77, 78 };
	struct mont_thread *t = new_thread(1);
	struct mont_observer o = { .filter = { .code = CODE_STORES, .plm = 0xf } };
	bool armed[MONT_NR_SIGNALS] = { false };
	unsigned int sig, i;
	const char *why;

	/* NOPS_RETIRED, DATA_REFERENCES_SET0 with four signals, and an observer. */
	mont_pmc_write(t, 5, PMC(0xc3, 0, PLM_ALL));
	mont_pmc_write(t, 4, PMC(CODE_NOPS, 0, PLM_ALL));
	check(!mont_observer_attach(t, &o, &why), "attach");
	set_psr(t, MONT_PSR_UP);
	armed[MONT_SIG_NOP_RETIRED] = true;
	armed[MONT_SIG_LOAD_RETIRED] = true;
	armed[MONT_SIG_STORE_RETIRED] = true;
	armed[MONT_SIG_ALAT_CHECK] = true;
	armed[MONT_SIG_REFERENCE_FAULTED] = true;
	check(t->pmu.nr_armed == 5, "%u signals armed", t->pmu.nr_armed);
	for (i = 0; i < 3; i++) {
		for (sig = 0; sig < MONT_NR_SIGNALS; sig++)
			if (!armed[sig])
				t->sig[sig] = odd;
		mont_signals_fold(t);
		mont_signals_arm(t);
		for (sig = 0; sig < MONT_NR_SIGNALS; sig++)
			check(armed[sig] == !!memcmp(&t->sig[sig], &odd, sizeof(odd)),
			      "signal %u is%s looked at", sig, armed[sig] ? " not" : "");
		mont_signal(t, MONT_SIG_NOP_RETIRED, 0);
	}
	check(mont_pmd_read(t, 4, 0) == 3, "the armed count");
	/* The countdown of a signal without a subscriber never ends; the other one counts on. */
	mont_observer_detach(t, &o);
	mont_pmc_write(t, 4, PMC(CODE_SQUASHED, 0, PLM_ALL));
	check(t->sig[MONT_SIG_NOP_RETIRED].left == MONT_SIG_NEVER, "a disarmed signal");
	mont_signal(t, MONT_SIG_PRED_SQUASHED, 0);
	check(mont_pmd_read(t, 4, 0) == 4, "an armed one");
	group("only armed signals are visited");
}

/* Groups of known sizes, their instructions retired in one piece or in several. */
static void thresholds(void)
{
	unsigned int thr, i, j;

	for (thr = 0; thr < 8; thr++) {
		struct mont_thread *t = new_thread(1);
		u64 want_inst = 0, want_nops = 0, want_loads = 0;

		t->pmu.timed = true;
		mont_pmc_write(t, 5, PMC(CODE_LOADS, 0, PLM_ALL | THRESHOLD(thr)));
		mont_pmc_write(t, 6, PMC(CODE_INST, 0, PLM_ALL | THRESHOLD(thr)));
		mont_pmc_write(t, 7, PMC(CODE_NOPS, 0, PLM_ALL | THRESHOLD(thr)));
		set_psr(t, MONT_PSR_UP);
		for (i = 0; i < 60; i++) {
			unsigned int nops = i % 4, loads = i % 6, inst = i % 7;

			for (j = 0; j < nops; j++)
				mont_signal(t, MONT_SIG_NOP_RETIRED, 0);
			for (j = 0; j < loads; j++)
				raise_ref(t, MONT_SIG_LOAD_RETIRED, 0, 8, 0);
			/* In pieces, as around a change of what is enabled. */
			for (j = 0; i % 2 && j + 1 < inst; j++)
				mont_signal_n(t, MONT_SIG_INST_RETIRED, 1, 1 << j);
			retire(t, inst - j, 0);
			want_nops += thr ? nops > thr : nops;
			/* At most 4 in a group. */
			want_loads += thr ? (loads > 4 ? 4 : loads) > thr : loads;
			want_inst += thr ? inst > thr && thr < 6 : inst;
		}
		check(mont_pmd_read(t, 5, 0) == want_loads, "loads, threshold %u", thr);
		check(mont_pmd_read(t, 6, 0) == want_inst, "instructions, threshold %u", thr);
		check(mont_pmd_read(t, 7, 0) == want_nops, "nops, threshold %u", thr);
	}
	group("thresholds compare with the sum of an issue group");
}

/* Occurrences that are counted together may happen in several cycles, in any order. */
static void thresholds_by_cycle(void)
{
	static const struct {
		u64 at;
		unsigned int loads, above; /* cycles so far with more than two */
	} steps[] = {
		{ 100, 2, 0 }, { 101, 2, 0 }, { 102, 1, 0 }, { 101, 1, 1 }, { 100, 1, 2 },
		{ 101, 5, 2 }, { 103, 3, 3 }, { 102, 1, 3 }, { 102, 1, 4 }, { 104, 2, 4 },
	};
	struct mont_ref ref = { .pa = MONT_PA_NONE, .size = 8 };
	struct mont_thread *t = new_thread(1);
	struct mont_observer o = { .filter = { .code = CODE_LOADS, .plm = 15, .threshold = 2 } };
	struct mont_pmu_state s;
	const char *why = "";
	unsigned int i, j, groups;

	for (groups = 0; groups < 2; groups++) {
		t = new_thread(1);
		t->pmu.timed = true;
		mont_pmc_write(t, 5, PMC(CODE_LOADS, 0, PLM_ALL | THRESHOLD(2)));
		set_psr(t, MONT_PSR_UP);
		memset(&o.link, 0, sizeof(o.link));
		check(!mont_observer_attach(t, &o, &why), "%s", why);
		for (i = 0; i < MONT_ARRAY_SIZE(steps); i++) {
			for (j = 0; j < steps[i].loads; j++)
				mont_signal_line_at(t, MONT_SIG_LOAD_RETIRED, &ref, 0, steps[i].at);
			/* The cycles of the steps are still to come when a group of cycle 0 ends. */
			if (groups)
				mont_group_end(t);
			check(mont_pmd_read(t, 5, 0) == steps[i].above, "step %u: %llu", i,
			      (unsigned long long)mont_pmd_read(t, 5, 0));
			check(mont_observer_read(t, &o) == steps[i].above, "step %u, observed", i);
		}
		s = t->s.pmu;
		check(mont_pmu_state_valid(&s), "state");
		s.sums[5].n[0] = MONT_MOST_SUM + 1;
		check(!mont_pmu_state_valid(&s), "more than is kept");
		s.sums[5].n[0] = 0;
		s.sums[3].n[1] = 1;
		check(!mont_pmu_state_valid(&s), "of what is no counter");
		mont_observer_detach(t, &o);
	}
	group("thresholds compare with the sum of each cycle");
}

#define CODE_FE_LOST 0x70 /* FE_LOST_BW.ALL: up to 2 in a cycle */

/* Cycles that pass together, each with the same value. */
static void thresholds_of_spans(void)
{
	unsigned int each;

	for (each = 0; each <= 2; each++) {
		struct mont_thread *t = new_thread(1);

		t->pmu.timed = true;
		mont_pmc_write(t, 4, PMC(CODE_FE_LOST, 0, PLM_ALL));
		mont_pmc_write(t, 5, PMC(CODE_FE_LOST, 0, PLM_ALL | THRESHOLD(1)));
		set_psr(t, MONT_PSR_UP);
		mont_signal_n(t, MONT_SIG_FE_LOST_ALL, 5 * each, 5);
		mont_group_end(t);
		check(mont_pmd_read(t, 4, 0) == 5 * each, "5 cycles with %u", each);
		check(mont_pmd_read(t, 5, 0) == (each > 1 ? 5 : 0), "more than 1, with %u", each);
	}
	group("thresholds compare with the value of each of several cycles");
}

static void uncounted(void)
{
	struct mont_thread *t = new_thread(1);
	const struct mont_pmu_state *s = &t->s.pmu;

	mont_pmc_write(t, 4, PMC(0x12, 0, 0)); /* CPU_OP_CYCLES, no level */
	check(!s->uncounted, "a counter without levels is not programmed");
	mont_pmc_write(t, 4, PMC(0x12, 0, PLM_ALL));
	check(s->uncounted == 0x10 && t->pmu.unreported == 0x10, "cycles");
	t->pmu.unreported = 0;
	mont_pmd_write(t, 4, 77);
	set_psr(t, MONT_PSR_UP);
	retire(t, 3, 7);
	check(mont_pmd_read(t, 4, 0) == 77, "keeps its value");
	check(!t->pmu.unreported, "reported once");
	mont_pmc_write(t, 4, PMC(0x12, 0, PLM_ALL));
	check(t->pmu.unreported == 0x10, "and once more for the next write");
	mont_pmc_write(t, 4, PMC(CODE_NOPS, 0, PLM_ALL));
	check(!s->uncounted && t->pmu.unreported == 0x10 &&
		      s->stood[4] == MONT_STOOD(PMC(0x12, 0, PLM_ALL) | 2 << 24, MONT_STANDS_TIME),
	      "kept, with its value and its reason, when a counted event follows");
	mont_pmc_write(t, 4, PMC(CODE_NOPS, 3, PLM_ALL));
	check(s->uncounted == 0x10, "a unit mask without a row");
	mont_pmc_write(t, 4, 0);

	/* The L1D rule: LOADS_RETIRED is of set 3, STORES_RETIRED of set 4. */
	mont_pmc_write(t, 6, PMC(CODE_LOADS, 0, PLM_ALL));
	check(s->uncounted == 0x40 && s->stood[6] >> 32 == MONT_STANDS_SET,
	      "a load event without PMC5");
	mont_pmc_write(t, 5, PMC(CODE_LOADS, 0, PLM_ALL));
	check(!s->uncounted && !(t->pmu.unreported & 0x40),
	      "PMC5 selects the set: there is nothing to tell");
	raise_ref(t, MONT_SIG_LOAD_RETIRED, 0, 8, 0);
	check(mont_pmd_read(t, 6, 0) == 1 && mont_pmd_read(t, 5, 0) == 1, "both count");
	mont_pmc_write(t, 5, PMC(CODE_STORES, 0, PLM_ALL));
	check(s->uncounted == 0x40, "PMC5 selects another set");
	raise_ref(t, MONT_SIG_LOAD_RETIRED, 0, 8, 0);
	raise_ref(t, MONT_SIG_STORE_RETIRED, 0, 8, 0);
	check(mont_pmd_read(t, 6, 0) == 1 && mont_pmd_read(t, 5, 0) == 2, "only PMC5's set counts");
	group("what the model does not count is flagged and stands still");

	/* The event code in PMC5 selects the set, whatever its unit mask (4.8.2). */
	t = new_thread(1);
	mont_pmc_write(t, 5, PMC(CODE_LOADS, 7, PLM_ALL));
	mont_pmc_write(t, 6, PMC(CODE_LOADS, 0, PLM_ALL));
	set_psr(t, MONT_PSR_UP);
	raise_ref(t, MONT_SIG_LOAD_RETIRED, 0, 8, 0);
	check(mont_pmd_read(t, 6, 0) == 1 && !mont_pmd_read(t, 5, 0), "set without a name");
	check(t->s.pmu.uncounted == 0x20, "PMC5 alone counts nothing");
	group("an L1D set is selected by event code");

	/* Without time a threshold has nothing to compare with. */
	t = new_thread(1);
	set_psr(t, MONT_PSR_UP);
	mont_pmc_write(t, 4, PMC(CODE_INST, 0, PLM_ALL | THRESHOLD(1)));
	check(t->s.pmu.uncounted == 0x10 && t->pmu.unreported == 0x10, "flagged");
	mont_pmd_write(t, 4, 5);
	retire(t, 3, 7);
	check(mont_pmd_read(t, 4, 0) == 5, "keeps its value");
	mont_pmc_write(t, 4, PMC(CODE_INST, 0, PLM_ALL));
	retire(t, 3, 7);
	check(mont_pmd_read(t, 4, 0) == 8 && !t->s.pmu.uncounted, "without a threshold");
	group("thresholds need time");
}

/*
 * Fine mode (3.3.5.4): two pairs are the limits of a range within a page of 64 KB,
 * both inside it, whatever the smaller pages it crosses.
 */
static void fine_range(void)
{
	static const struct {
		u64 ip;
		bool in;
	} at[] = {
		{ 0x407f0, false }, { 0x40800, true },	{ 0x40ff0, true },  { 0x41000, true },
		{ 0x45550, true },  { 0x48ff0, true },	{ 0x49000, true },  { 0x49010, false },
		{ 0x4f800, false }, { 0x35550, false }, { 0x55550, false }, { 0x50800, false },
	};
	unsigned int i, ch;

	for (ch = 0; ch < 2; ch++) {
		for (i = 0; i < MONT_ARRAY_SIZE(at); i++) {
			struct mont_thread *t = new_thread(1);
			unsigned int low = 2 * ch, high = 2 * (ch + 2);

			t->s.ibr[low] = 0x40800;
			t->s.ibr[high] = 0x49000;
			t->s.ibr[low + 1] = (0xfULL << 56) | ((1ULL << 56) - 1);
			t->s.ibr[high + 1] = t->s.ibr[low + 1];
			mont_pmc_write(t, 32, 0xf01ffffffffff);
			/* Range 0 or 1, its other half, fine. */
			mont_pmc_write(t, 38, 0x2db6 & ~(2ULL << 3 * ch | 2ULL << 3 * (ch + 2)));
			mont_pmc_write(t, 4, PMC(CODE_INST, ch, PLM_ALL));
			set_psr(t, MONT_PSR_UP);
			check(!t->s.pmu.uncounted, "range %u is flagged", ch);
			t->s.ip = at[i].ip;
			retire(t, 3, 7);
			check(mont_pmd_read(t, 4, 0) == (at[i].in ? 3 : 0), "range %u at %#llx", ch,
			      (unsigned long long)at[i].ip);
		}
	}
	group("a fine range crosses pages of 4 KB, not of 64 KB");
}

/*
 * Prefetches are constrained by the address they go to, and by the second range alone
 * (manual 3.3.5.2); demand fetches by the first.
 */
static void prefetch_range(void)
{
	static const struct {
		enum mont_signal sig;
		u8 code;
		unsigned int range;
	} of[] = {
		{ MONT_SIG_L1I_HINTED, 0x44, 1 },
		{ MONT_SIG_L1I_STREAMED, 0x44, 1 },
		{ MONT_SIG_L1I_STREAMED, 0x5f, 1 },
		{ MONT_SIG_L2I_DEMANDED, 0x42, 0 },
	};
	unsigned int i, ch;

	for (i = 0; i < MONT_ARRAY_SIZE(of); i++) {
		for (ch = 0; ch < 2; ch++) {
			struct mont_thread *t = new_thread(1);
			struct mont_ref line = { .pa = MONT_PA_NONE, .size = 64 };
			u64 want = of[i].range == ch ? 1 : 2;

			t->pmu.timed = true;
			t->s.ibr[2 * ch] = 0x40800;
			t->s.ibr[2 * ch + 1] = (0xfULL << 56) | ((1ULL << 56) - 64);
			mont_pmc_write(t, 32, ch ? 0x20f01ffffffffffULL : 0xf01ffffffffffULL);
			mont_pmc_write(t, 38, 0xdb6 & ~(2ULL << 3 * ch));
			mont_pmc_write(t, 4, PMC(of[i].code, 0, PLM_ALL));
			set_psr(t, MONT_PSR_UP);
			/* Where the instruction lies is nothing to it. */
			for (line.va = 0x40800; line.va <= 0x50800; line.va += 0x10000) {
				t->s.ip = 0x91250 - line.va;
				t->clock += 10;
				mont_signal_line(t, of[i].sig, &line, 0);
				mont_group_end(t);
			}
			check(!t->s.pmu.uncounted, "range %u is flagged", ch);
			check(mont_pmd_read(t, 4, 0) == want, "event %#x, range %u: %llu",
			      of[i].code, ch, (unsigned long long)mont_pmd_read(t, 4, 0));
		}
	}
	group("prefetches are constrained by the second range, by the line they ask for");
}

/* Settings that the manual calls illegal or leaves undefined. */
static void undefined(void)
{
	static const struct {
		const char *what;
		u64 pmc32, pmc38, pmc41;
		u8 code, umask;
		bool bad;
	} rows[] = {
		{ "reset", 0x30f01ffffffffff, 0xdb6, 0x2078fefefefe, CODE_INST, 0, false },
		{ "a range", 0xf01ffffffffff, 0xdb4, 0x2078fefefefe, CODE_INST, 0, false },
		{ "note of 3.3.5.2: range 0", 0xf01ffffffffff, 0xdb4, 0x78fefefefe, CODE_INST, 0,
		  true },
		{ "note of 3.3.5.2: range 1", 0xf01ffffffffff, 0xda6, 0x78fefefefe, CODE_INST, 0,
		  true },
		{ "no range at all", 0xf01ffffffffff, 0xdb6, 0x78fefefefe, CODE_INST, 0, false },
		{ "note of 3.3.7: memory", 0xf01ffffffffff, 0xdb4, 0x78fefefefe, CODE_LOADS, 0,
		  true },
		{ "inv with a range", 0x10f01ffffffffff, 0xdb4, 0x2078fefefefe, CODE_NOPS, 0,
		  false },
		{ "inv without a range", 0x10f01ffffffffff, 0xdb6, 0x2078fefefefe, CODE_NOPS, 0,
		  true },
		{ "inv, channel 1", 0x10f01ffffffffff, 0xdb6, 0x2078fefefefe, CODE_INST, 1, false },
		{ "fine, a whole couple", 0xf01ffffffffff, 0x2d34, 0x2078fefefefe, CODE_INST, 0,
		  false },
		{ "fine, half a couple", 0xf01ffffffffff, 0x2db4, 0x2078fefefefe, CODE_INST, 0,
		  true },
		{ "fine, the other half", 0xf01ffffffffff, 0x2d36, 0x2078fefefefe, CODE_INST, 0,
		  true },
		{ "fine, channel 2", 0xf01ffffffffff, 0x2d34, 0x2078fefefefe, CODE_INST, 2, true },
		{ "fine, channel 3", 0xf01ffffffffff, 0x29a6, 0x2078fefefefe, CODE_INST, 3, true },
		{ "fine, tag 2 of memory", 0xf01ffffffffff, 0x2d34, 0x8078feeefefe, CODE_LOADS, 0,
		  true },
		{ "fine, data range 2", 0xf01ffffffffff, 0x2d34, 0x8078fef6fefe, CODE_LOADS, 0,
		  false },
		{ "an event without filters", 0x10f01ffffffffff, 0x2db6, 0x78fefefefe, CODE_CPL, 15,
		  false },
	};
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(rows); i++) {
		struct mont_thread *t = new_thread(1);

		t->s.ibr[1] = 0xfULL << 56;
		t->s.ibr[3] = 0xfULL << 56;
		mont_pmc_write(t, 32, rows[i].pmc32);
		mont_pmc_write(t, 38, rows[i].pmc38);
		mont_pmc_write(t, 41, rows[i].pmc41);
		check(!t->s.pmu.uncounted, "%s: no counter uses it yet", rows[i].what);
		mont_pmc_write(t, 5, PMC(rows[i].code, rows[i].umask, PLM_ALL));
		set_psr(t, MONT_PSR_UP);
		check(t->s.pmu.uncounted == (rows[i].bad ? 0x20 : 0), "%s", rows[i].what);
		check(t->pmu.unreported == t->s.pmu.uncounted, "%s: told", rows[i].what);
	}
	group("illegal and undefined constraints are flagged");
}

/* PMC.all: what both threads of a core do, each by its own PSR. */
static void both_threads(void)
{
	struct mont_thread *a = new_thread(2), *b = a + 1;
	unsigned int i;

	b->pkg = a->pkg;
	b->work = a->work;
	b->index = 1;
	b->cur = a->cur;
	b->retire_from = 3;
	a->pmu.timed = true;
	b->pmu.timed = true;
	mont_pmu_reset(b);
	mont_pmc_write(a, 4, PMC(CODE_INST, 0, PLM_ALL | ALL_THREADS));
	mont_pmc_write(a, 5, PMC(CODE_INST, 0, PLM_ALL));
	mont_pmc_write(a, 6, PMC(CODE_INST, 0, 8 | ALL_THREADS));
	mont_pmc_write(a, 7, PMC(CODE_INST, 0, PLM_ALL | ALL_THREADS | THRESHOLD(2)));
	mont_pmc_write(a, 12, PMC(CODE_INST, 0, PLM_ALL | ALL_THREADS));
	mont_pmc_write(b, 4, PMC(CODE_INST, 0, PLM_ALL));
	check(!a->s.pmu.uncounted, "flagged");
	for (i = 0; i < 4; i++) {
		/* b at level 3; with PSR.up in every other round */
		set_psr(a, MONT_PSR_UP);
		set_psr(b, 3ULL << 32 | (i & 1 ? MONT_PSR_UP : 0));
		retire(a, 3, 7);
		retire(b, 3, 7);
		retire(b, 2, 3);
	}
	check(mont_pmd_read(a, 4, 0) == 12 + 10, "all: %llu",
	      (unsigned long long)mont_pmd_read(a, 4, 0));
	check(mont_pmd_read(a, 5, 0) == 12, "own");
	check(mont_pmd_read(a, 6, 0) == 10, "level 3 of the other");
	check(mont_pmd_read(a, 7, 0) == 4 + 2, "threshold: %llu",
	      (unsigned long long)mont_pmd_read(a, 7, 0));
	check(mont_pmd_read(a, 12, 0) == 12, "PMC12 has no such bit");
	check(mont_pmd_read(b, 4, 0) == 10, "the other's own counter");

	/* The other thread overflows our counter: our freeze, our interrupt. */
	a->s.cr.pmv = 0xa0;
	mont_pmc_write(a, 4, PMC(CODE_INST, 0, PLM_ALL | ALL_THREADS | OI));
	mont_pmd_write(a, 4, CARRY - 7);
	retire(a, 3, 7);
	retire(b, 2, 3);
	check(!mont_pmc_read(a, 0), "not yet");
	retire(b, 3, 7);
	check(mont_pmc_read(a, 0) == 0x11 && !mont_pmc_read(b, 0), "frozen: a alone");
	check(a->s.cr.irr[2] == 1ULL << 32 && !b->s.cr.irr[2], "interrupt: a alone");
	check(mont_pmd_read(a, 4, 0) == 1, "residue");
	retire(b, 3, 7);
	check(mont_pmd_read(a, 4, 0) == 1, "frozen for the other as well");
	check(mont_pmd_read(b, 4, 0) == 18, "which counts on: %llu",
	      (unsigned long long)mont_pmd_read(b, 4, 0));
	mont_pmc_write(a, 0, 0);
	retire(b, 3, 7);
	check(mont_pmd_read(a, 4, 0) == 4, "thawed");
	b->pkg = NULL;
	group("PMC.all counts both threads of a core");
}

int main(void)
{
	edges();
	lazy_edge();
	several();
	privilege();
	pending();
	frozen_already();
	marked();
	conditions();
	references();
	traced();
	only_the_armed();
	thresholds();
	thresholds_by_cycle();
	thresholds_of_spans();
	uncounted();
	fine_range();
	prefetch_range();
	undefined();
	both_threads();
	return tap_end();
}
