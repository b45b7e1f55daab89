// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU's rules as guest code meets them: privilege, writes to running
 * counters, freezing and thawing, the overflow interrupt and what may hold it
 * back (manual 3.3.1, 3.3.2, 3.3.11; SDM volume 2, 5.8). The code is what an
 * assembler makes of the source beside it.
 */
#include "platform/interrupts.h"
#include "pmu_test.h"
#include "memory/mem.h"

#define BASE 0x10000ULL
#define IVA 0x40000ULL
#define MEMORY (1 << 20)

#define CR_DCR 0
#define CR_IVA 2
#define CR_IPSR 16
#define CR_IIP 19
#define CR_IFS 23
#define CR_TPR 66
#define CR_IRR2 70
#define CR_PMV 73
#define VECTOR 0xa0
#define IRR2_VECTOR (1ULL << (VECTOR - 128))
#define PMV_MASKED 0x10000
#define TPR_MMI 0x10000
#define EV 0x10ULL

static const u64 user_code[] = {
	/* nop.m 0; nop.i 0; nop.i 0 */
	0x0000000100000000ULL,
	0x0004000000000200ULL,
	/* mov r8 = pmd[r10]; nop.i 0; nop.i 0 */
	0x0000041514004000ULL,
	0x0004000000000200ULL,
	/* break.m 0; nop.i 0; nop.i 0 */
	0x0000000000000000ULL,
	0x0004000000000200ULL,
};

static const u64 enter_code[] = {
	/* nop.m 0; nop.i 0; rfi;; */
	0x0000000100000011ULL,
	0x0020000000000200ULL,
};

static const u64 mask_code[] = {
	/* sum 4; nop.i 0; nop.i 0;; */
	0x0000000400002001ULL,
	0x0004000000000200ULL,
	/* rum 4; nop.i 0; nop.i 0;; */
	0x0000000500002001ULL,
	0x0004000000000200ULL,
	/* break.m 0; nop.i 0; nop.i 0 */
	0x0000000000000000ULL,
	0x0004000000000200ULL,
};

static const u64 spin_code[] = {
	/* nop.m 0; nop.i 0; br.sptk.few spin;; */
	0x0000000100000011ULL,
	0x4000000000000200ULL,
};

static const u64 handler_code[] = {
	/* mov r5 = cr.ivr; adds r4 = 1, r4; nop.i 0;; */
	0x0840042482002801ULL,
	0x0004000000420010ULL,
	/* mov r6 = pmc[r14]; shladd r7 = r7, 1, r5; nop.i 0;; */
	0x387004141c003001ULL,
	0x0004000000402014ULL,
	/* mov pmc[r14] = r0; srlz.d; nop.i 0;; */
	0x000004041c000009ULL,
	0x0004000000006000ULL,
	/* mov cr.eoi = r0; srlz.d; nop.i 0;; */
	0x0000042c86000009ULL,
	0x0004000000006000ULL,
	/* nop.m 0; nop.i 0; rfi;; */
	0x0000000100000011ULL,
	0x0020000000000200ULL,
};

static const u64 thaw_code[] = {
	/* nop.m 0; mov pmc[r14] = r15; nop.i 0;; */
	0x7800000100000009ULL,
	0x0004000000080838ULL,
	/* nop.m 0; nop.i 0; nop.i 0 */
	0x0000000100000000ULL,
	0x0004000000000200ULL,
	/* nop.m 0; mov pmc[r14] = r0; nop.i 0;; */
	0x0000000100000009ULL,
	0x0004000000080838ULL,
	/* srlz.d; nop.i 0; nop.i 0;; */
	0x0000003000000001ULL,
	0x0004000000000200ULL,
	/* break.m 0; nop.i 0; nop.i 0 */
	0x0000000000000000ULL,
	0x0004000000000200ULL,
};

static const u64 write_code[] = {
	/* nop.m 0; mov pmd[r10] = r11; nop.i 0;; */
	0x5800000100000009ULL,
	0x0004000000080a28ULL,
	/* mov r8 = pmd[r10]; mov r9 = pmd[r10]; nop.i 0;; */
	0x0090041514004009ULL,
	0x0004000000082a28ULL,
	/* break.m 0; nop.i 0; nop.i 0 */
	0x0000000000000001ULL,
	0x0004000000000200ULL,
};

static const u64 attribute_code[] = {
	/* ld8 r8 = [r10]; st8 [r11] = r10; nop.i 0;; */
	0x5000101814004009ULL,
	0x000400000023302cULL,
	/* xchg8 r9 = [r2], r8; ld8 r8 = [r2]; nop.i 0;; */
	0x0080105904204809ULL,
	0x0004000000203008ULL,
	/* ld4 r8 = [r3]; ld8 r9 = [r2]; nop.i 0;; */
	0x0090101006004009ULL,
	0x0004000000203008ULL,
	/* st2 [r3] = r8; st8 [r2] = r9; nop.i 0;; */
	0x4800118806200009ULL,
	0x0004000000233008ULL,
	/* srlz.i; nop.m 0; nop.i 0;; */
	0x0000003100000009ULL,
	0x0004000000000200ULL,
	/* break.m 0; nop.i 0; nop.i 0 */
	0x0000000000000001ULL,
	0x0004000000000200ULL,
};

static struct mont_package *pkg;
static struct mont_thread *t;
static u8 *ram;

static void set(u32 class, u32 index, u64 v)
{
	const u64 w[2] = { v, 0 };

	check(!mont_reg_set(t, class, index, w), "set register %u.%u", class, index);
}

static u64 get(u32 class, u32 index)
{
	u64 w[2] = { 0, 0 };

	check(!mont_reg_get(t, class, index, w), "get register %u.%u", class, index);
	return w[0];
}

static void put(u64 addr, const u64 *code, size_t size)
{
	memcpy(ram + addr, code, size);
	mont_mem_invalidate(pkg, addr, size);
}

static u64 psr(void)
{
	return get(MONT_REG_SPECIAL, MONT_SPECIAL_PSR);
}

static void psr_set(u64 v)
{
	set(MONT_REG_SPECIAL, MONT_SPECIAL_PSR, v);
}

/* A machine at reset with @code at BASE, level 0, nothing monitored. */
static void load(u32 flags, const u64 *code, size_t size)
{
	const struct mont_config cfg = {
		.cores = 1,
		.threads = 1,
		.flags = flags,
		.memory = MEMORY,
	};
	struct mont_region region = { .size = MEMORY };

	free(pkg);
	free(ram);
	pkg = aligned_alloc(4096, (mont_package_size(&cfg) + 4095) & ~4095ULL);
	ram = aligned_alloc(4096, MEMORY);
	memset(pkg, 0, mont_package_size(&cfg));
	memset(ram, 0, MEMORY);
	region.host = ram;
	check(!mont_package_init(pkg, &cfg, &region, 1), "package");
	t = mont_vcpu(pkg, 0);
	put(BASE, code, size);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_IP, BASE);
	set(MONT_REG_GR, 10, 4);
	set(MONT_REG_GR, 14, 0);
	set(MONT_REG_GR, 15, 1);
}

/* Run @insns instructions at most. */
static u32 run(u64 insns, struct mont_exit *x)
{
	mont_run(pkg, &(struct mont_budget){ .insns = insns }, x);
	return x->reason;
}

/* ---- privilege ---- */

/* Enter @level with the PSR bits @bits by rfi, then count and read there. */
static void combination(unsigned int level, u64 bits, unsigned int plm, bool pm)
{
	bool on = (plm >> level & 1) && (bits & (pm ? MONT_PSR_PP : MONT_PSR_UP));
	bool hidden = level && (pm || (bits & MONT_PSR_SP));
	struct mont_exit x = { 0 };
	u64 want;

	psr_set(MONT_PSR_BN);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_IP, BASE + 0x100);
	set(MONT_REG_CR, CR_IPSR, MONT_PSR_BN | bits | (u64)level << MONT_PSR_CPL_SHIFT);
	set(MONT_REG_CR, CR_IIP, BASE);
	set(MONT_REG_CR, CR_IFS, 0);
	set(MONT_REG_PMC, 4, PMC(CODE_INST, 0, plm | (pm ? PM : 0)));
	set(MONT_REG_PMD, 4, 0);
	check(run(100, &x) == MONT_EXIT_BREAK, "level %u: exit %u", level, x.reason);
	want = on ? 7 : 0;
	check(get(MONT_REG_PMD, 4) == want, "level %u psr %#llx plm %#x pm %d: %llu counted", level,
	      (unsigned long long)bits, plm, pm, (unsigned long long)get(MONT_REG_PMD, 4));
	want = on && !hidden ? 3 : 0;
	check(get(MONT_REG_GR, 8) == want, "level %u psr %#llx plm %#x pm %d: %llu read", level,
	      (unsigned long long)bits, plm, pm, (unsigned long long)get(MONT_REG_GR, 8));
}

static void privilege(void)
{
	unsigned int level, plm, bits;

	load(MONT_CFG_HOST_INTERRUPTIONS, user_code, sizeof(user_code));
	put(BASE + 0x100, enter_code, sizeof(enter_code));
	for (level = 0; level < 4; level++)
		for (plm = 0; plm < 16; plm++)
			for (bits = 0; bits < 16; bits++)
				combination(level,
					    (bits & 1 ? MONT_PSR_UP : 0) |
						    (bits & 2 ? MONT_PSR_PP : 0) |
						    (bits & 4 ? MONT_PSR_SP : 0),
					    plm, bits & 8);
	group("levels 0 to 3 reached by rfi: what counts, what a user reads");
}

/* sum and rum of PSR.up at level 3; PSR.sp takes them out of the user's hands. */
static void user_mask(void)
{
	static const struct {
		u64 psr;
		u64 want;
	} rows[] = {
		{ 0, 3 },
		{ MONT_PSR_UP, 4 },
		{ MONT_PSR_SP, 0 },
		{ MONT_PSR_SP | MONT_PSR_UP, 7 },
	};
	struct mont_exit x = { 0 };
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(rows); i++) {
		load(MONT_CFG_HOST_INTERRUPTIONS, mask_code, sizeof(mask_code));
		set(MONT_REG_PMC, 4, PMC(CODE_INST, 0, 8));
		psr_set(rows[i].psr | MONT_PSR_CPL);
		check(run(100, &x) == MONT_EXIT_BREAK, "exit %u", x.reason);
		check(get(MONT_REG_PMD, 4) == rows[i].want, "psr %#llx: %llu",
		      (unsigned long long)rows[i].psr, (unsigned long long)get(MONT_REG_PMD, 4));
	}
	group("sum and rum at level 3, with and without PSR.sp");
}

/* A break at level 3 into a handler at level 0: PSR.pp is DCR.pp, PSR.up stays. */
static void interruption(void)
{
	unsigned int bits;

	for (bits = 0; bits < 8; bits++) {
		u64 up = bits & 1 ? MONT_PSR_UP : 0, pp = bits & 2 ? MONT_PSR_PP : 0;
		struct mont_exit x = { 0 };
		u64 insns;

		load(0, user_code + 4, 16);
		put(IVA + 0x2c00, spin_code, sizeof(spin_code));
		set(MONT_REG_CR, CR_IVA, IVA);
		set(MONT_REG_CR, CR_DCR, bits >> 2);
		set(MONT_REG_PMC, 4, PMC(CODE_INST, 0, PLM_ALL | PM));
		set(MONT_REG_PMC, 6, PMC(CODE_INST, 0, PLM_ALL));
		set(MONT_REG_PMC, 7, PMC(CODE_CPL, 15, 8));
		psr_set(MONT_PSR_IC | MONT_PSR_CPL | up | pp);
		check(run(30, &x) == MONT_EXIT_BUDGET, "exit %u", x.reason);
		insns = get(MONT_REG_SPECIAL, MONT_SPECIAL_INSNS);
		check(insns >= 30, "the break does not retire, the handler runs");
		check(get(MONT_REG_PMD, 4) == (bits & 4 ? insns : 0), "DCR.pp, case %u", bits);
		check(get(MONT_REG_PMD, 6) == (up ? insns : 0), "PSR.up, case %u", bits);
		check(get(MONT_REG_PMD, 7) == (up ? 1 : 0), "the change of level, case %u", bits);
	}
	group("an interruption: PSR.pp becomes DCR.pp, PSR.up stays");
}

/*
 * Interruptions above level 0 that the host serves (model.rst, C8): a change to
 * level 0 each, and one back when the vcpu goes on; the last exit is one.
 */
static void served(void)
{
	struct mont_observer o = { .filter = { .code = CODE_CPL, .umask = 15, .plm = 15 } };
	unsigned int level, pp, k;
	const char *why;

	for (level = 0; level < 4; level++) {
		for (pp = 0; pp < 2; pp++) {
			struct mont_exit x = { 0 };

			/* Every bundle of empty memory is a break. */
			load(MONT_CFG_HOST_INTERRUPTIONS, user_code + 4, 16);
			set(MONT_REG_CR, CR_DCR, pp);
			set(MONT_REG_PMC, 4, PMC(CODE_CPL, 15, PLM_ALL));
			set(MONT_REG_PMC, 6, PMC(CODE_CPL, 15, 1));
			set(MONT_REG_PMC, 7, PMC(CODE_CPL, 15, PLM_ALL | PM));
			set(MONT_REG_PMC, 8, PMC(CODE_CPL, 1 << level, PLM_ALL));
			psr_set((u64)level << MONT_PSR_CPL_SHIFT | MONT_PSR_UP);
			check(!mont_observer_attach(t, &o, &why), "attach");
			for (k = 1; k <= 3; k++) {
				u64 want = level ? 2 * k - 1 : 0, back = level ? k - 1 : 0;
				void *blob;

				check(run(100, &x) == MONT_EXIT_BREAK, "exit %u", x.reason);
				check(get(MONT_REG_PMD, 4) == want, "level %u, exit %u: %llu",
				      level, k, (unsigned long long)get(MONT_REG_PMD, 4));
				check(get(MONT_REG_PMD, 6) == back, "back, counted at level 0");
				check(get(MONT_REG_PMD, 7) == (pp ? back : 0),
				      "PSR.pp is DCR.pp there");
				check(get(MONT_REG_PMD, 8) == want, "the level it is about");
				check(mont_observer_read(t, &o) == want, "an observer agrees");
				/* Counts that are still to come are part of the state. */
				blob = malloc(mont_state_size(pkg));
				mont_state_save(pkg, blob);
				set(MONT_REG_PMD, 4, 0);
				check(!mont_state_load(pkg, blob, mont_state_size(pkg)), "load");
				free(blob);
			}
			mont_observer_detach(t, &o);
		}
	}
	group("interruptions that the host serves change the level");
}

/* ---- counters that run ---- */

static void writes(void)
{
	static const u64 rows[] = {
		0,
		123,
		1ULL << 46,
		(1ULL << 46) - 1,
		(1ULL << 47) - 6,
		(1ULL << 47) - 5,
		(1ULL << 47) - 1,
		1ULL << 47,
		~0ULL,
		~0ULL << 47,
	};
	struct mont_exit x = { 0 };
	unsigned int n, i;

	for (n = 4; n < 16; n++) {
		for (i = 0; i < MONT_ARRAY_SIZE(rows); i++) {
			u64 from = rows[i] & (CARRY - 1), over = from + 5 >= CARRY ? 1 : 0;

			load(MONT_CFG_HOST_INTERRUPTIONS, write_code, sizeof(write_code));
			psr_set(psr() | MONT_PSR_UP);
			set(MONT_REG_GR, 10, n);
			set(MONT_REG_GR, 11, rows[i]);
			set(MONT_REG_PMC, n, PMC(CODE_INST, 0, PLM_ALL));
			check(run(100, &x) == MONT_EXIT_BREAK, "exit %u", x.reason);
			check(get(MONT_REG_GR, 8) == (u64)mont_sext((from + 1) & (CARRY - 1), 47),
			      "pmd%u = %#llx: then %#llx", n, (unsigned long long)rows[i],
			      (unsigned long long)get(MONT_REG_GR, 8));
			/* Both are of one group: the second sees no more than the first. */
			check(get(MONT_REG_GR, 9) == (u64)mont_sext((from + 1) & (CARRY - 1), 47),
			      "pmd%u = %#llx: then %#llx", n, (unsigned long long)rows[i],
			      (unsigned long long)get(MONT_REG_GR, 9));
			check(get(MONT_REG_PMC, 0) == over << n, "pmd%u = %#llx: pmc0 %#llx", n,
			      (unsigned long long)rows[i],
			      (unsigned long long)get(MONT_REG_PMC, 0));
		}
	}
	group("writes to a running counter, 47 bits, read back by the next instruction");
}

/* Frozen and thawed by mov; the bundle behind the thaw is srlz.d's or is not. */
static void thaw(bool srlz)
{
	struct mont_exit x = { 0 };
	u64 code[MONT_ARRAY_SIZE(thaw_code)];

	memcpy(code, thaw_code, sizeof(code));
	if (!srlz)
		memcpy(code + 6, thaw_code + 2, 16);
	load(MONT_CFG_HOST_INTERRUPTIONS, code, sizeof(code));
	psr_set(psr() | MONT_PSR_UP);
	set(MONT_REG_PMC, 4, PMC(CODE_INST, 0, PLM_ALL));
	check(run(100, &x) == MONT_EXIT_BREAK, "exit %u", x.reason);
	/* nop and the mov that freezes; the nop behind the mov that thaws, 3, break */
	check(get(MONT_REG_PMD, 4) == 7, "%llu", (unsigned long long)get(MONT_REG_PMD, 4));
	group(srlz ? "the first instruction counted after PMC0 is cleared, then srlz"
		   : "the first instruction counted after PMC0 is cleared, without srlz");
}

/* ---- the interrupt ---- */

/*
 * The main program spins; the handler counts in r4, keeps the last vector and
 * PMC0 in r5 and r6 and the order in r7 (twice the older plus the newer), then
 * clears PMC0 and ends. Overflow of @nr counters in the bundle after next.
 */
static void irq_machine(u64 pmv, unsigned int nr, u64 psr_bits)
{
	unsigned int n;

	load(0, spin_code, sizeof(spin_code));
	put(IVA + 0x3000, handler_code, sizeof(handler_code));
	set(MONT_REG_CR, CR_IVA, IVA);
	set(MONT_REG_CR, CR_PMV, pmv);
	set(MONT_REG_CR, CR_TPR, 0);
	for (n = 4; n < 4 + nr; n++) {
		set(MONT_REG_PMC, n, PMC(CODE_INST, 0, PLM_ALL | OI));
		set(MONT_REG_PMD, n, CARRY - 4);
	}
	psr_set(psr() | MONT_PSR_UP | psr_bits);
}

/* Run on and see how often the handler has been there since the start. */
static void handled(u64 want, const char *what)
{
	struct mont_exit x = { 0 };

	check(run(300, &x) == MONT_EXIT_BUDGET, "%s: exit %u", what, x.reason);
	check(get(MONT_REG_GR, 4) == want, "%s: %llu interrupts, not %llu", what,
	      (unsigned long long)get(MONT_REG_GR, 4), (unsigned long long)want);
}

#define ON (MONT_PSR_I | MONT_PSR_IC)

static void interrupts(void)
{
	unsigned int nr;

	for (nr = 1; nr <= 12; nr++) {
		u64 bits = ((1ULL << nr) - 1) << 4;

		irq_machine(VECTOR, nr, ON);
		handled(1, "together");
		check(get(MONT_REG_GR, 5) == VECTOR, "vector %#llx",
		      (unsigned long long)get(MONT_REG_GR, 5));
		check(get(MONT_REG_GR, 6) == (bits | 1), "pmc0 %#llx of %u counters",
		      (unsigned long long)get(MONT_REG_GR, 6), nr);
		check(!get(MONT_REG_PMC, 0), "the handler has thawed it");
		check(get(MONT_REG_CR, CR_IRR2) == 0 && mont_irq_pending(t) == MONT_IVR_SPURIOUS,
		      "nothing is left pending");
	}
	group("one interrupt however many counters overflow, EOI ends it");

	irq_machine(VECTOR | PMV_MASKED, 3, ON);
	handled(0, "masked");
	check(get(MONT_REG_PMC, 0) == 0x71, "frozen all the same");
	set(MONT_REG_CR, CR_PMV, VECTOR);
	handled(0, "unmasked later");
	check(!get(MONT_REG_CR, CR_IRR2), "it is lost");
	set(MONT_REG_PMD, 4, CARRY - 1);
	handled(0, "frozen");
	set(MONT_REG_PMC, 0, 0);
	handled(1, "the next overflow");
	group("what overflows while PMV.m is set is lost");

	irq_machine(VECTOR, 1, MONT_PSR_IC);
	handled(0, "PSR.i off");
	check(get(MONT_REG_CR, CR_IRR2) == IRR2_VECTOR, "pending in IRR");
	set(MONT_REG_CR, CR_PMV, VECTOR | PMV_MASKED);
	psr_set(psr() | MONT_PSR_I);
	handled(1, "PSR.i on");
	irq_machine(VECTOR, 1, MONT_PSR_I);
	handled(0, "PSR.ic off");
	check(get(MONT_REG_CR, CR_IRR2) == IRR2_VECTOR, "pending in IRR");
	psr_set(psr() | MONT_PSR_IC);
	handled(1, "PSR.ic on");
	group("pending while PSR.i or PSR.ic is off");
}

static void priorities(void)
{
	unsigned int mic;

	for (mic = 0; mic < 16; mic++) {
		irq_machine(VECTOR, 1, ON);
		set(MONT_REG_CR, CR_TPR, mic << 4);
		handled(mic < VECTOR >> 4, "TPR.mic");
		set(MONT_REG_CR, CR_TPR, 0);
		handled(1, "TPR open");
	}
	irq_machine(VECTOR, 1, ON);
	set(MONT_REG_CR, CR_TPR, TPR_MMI);
	handled(0, "TPR.mmi");
	set(MONT_REG_CR, CR_TPR, 0);
	handled(1, "TPR.mmi off");
	group("TPR holds back the vector's class and below");

	irq_machine(VECTOR, 1, MONT_PSR_IC);
	handled(0, "PSR.i off");
	check(!mont_irq_inject(t, 0xb0) && !mont_irq_inject(t, 0x50), "inject");
	psr_set(psr() | MONT_PSR_I);
	handled(3, "three vectors");
	check(get(MONT_REG_GR, 7) == 4 * 0xb0 + 2 * VECTOR + 0x50, "order %#llx",
	      (unsigned long long)get(MONT_REG_GR, 7));
	group("the highest vector comes first");

	/* One of a higher class is being served: ours waits for its EOI. */
	irq_machine(VECTOR, 1, ON);
	t->s.cr.isrv[2] = 1ULL << (0xb0 - 128);
	handled(0, "in service");
	mont_irq_eoi(t);
	handled(1, "after EOI");
	group("a higher vector in service holds ours back until EOI");
}

/* Guest software sets PMC0's bits itself. */
static void by_software(void)
{
	struct mont_exit x = { 0 };
	u64 v;

	for (v = 1; v < 0x10000; v = v << 1 | 1) {
		irq_machine(VECTOR, 0, ON);
		put(BASE, thaw_code, sizeof(thaw_code));
		set(MONT_REG_GR, 15, v);
		check(run(6, &x) == MONT_EXIT_BUDGET, "exit %u", x.reason);
		check(get(MONT_REG_PMC, 0) == (v & 0xfff1), "pmc0 %#llx",
		      (unsigned long long)get(MONT_REG_PMC, 0));
		check(!get(MONT_REG_GR, 4) && !t->s.pmu_irq && !get(MONT_REG_CR, CR_IRR2),
		      "an interrupt by software's hand");
	}
	group("writes to PMC0 raise no interrupt");
}

/* PMC.ev: the host hears of it, nothing freezes. */
static void notification(void)
{
	struct mont_exit x = { 0 };
	u64 insns;

	load(MONT_CFG_HOST_PMU, spin_code, sizeof(spin_code));
	psr_set(psr() | MONT_PSR_UP);
	set(MONT_REG_PMC, 4, PMC(CODE_INST, 0, PLM_ALL | EV));
	set(MONT_REG_PMD, 4, CARRY - 10);
	check(run(1000, &x) == MONT_EXIT_PMU_OVERFLOW, "exit %u", x.reason);
	check(x.pmc0 == 0x10, "pmc0 %#llx", (unsigned long long)x.pmc0);
	insns = get(MONT_REG_SPECIAL, MONT_SPECIAL_INSNS);
	check(insns >= 10 && insns < 15, "at once: %llu", (unsigned long long)insns);
	check(run(1000, &x) == MONT_EXIT_BUDGET, "told once");
	insns = get(MONT_REG_SPECIAL, MONT_SPECIAL_INSNS);
	check(get(MONT_REG_PMD, 4) == insns - 10, "it counts on");
	set(MONT_REG_PMC, 4, PMC(CODE_INST, 0, PLM_ALL | EV | OI));
	set(MONT_REG_PMD, 4, CARRY - 10);
	check(run(1000, &x) == MONT_EXIT_PMU_OVERFLOW && x.pmc0 == 0x11, "with oi");
	set(MONT_REG_PMC, 0, 0);
	check(run(1000, &x) == MONT_EXIT_BUDGET, "told once");

	/* No host to tell. */
	irq_machine(VECTOR, 0, ON);
	set(MONT_REG_PMC, 4, PMC(CODE_INST, 0, PLM_ALL | EV));
	set(MONT_REG_PMD, 4, CARRY - 10);
	handled(0, "no interrupt without oi");
	check(get(MONT_REG_PMC, 0) == 0x10, "only the bit");
	group("ev notifies a host that serves the PMU, without a freeze");
}

/* Uncacheable by bit 63 of a physical address; misaligned inside 8 bytes. */
static void attributes(void)
{
	static const struct {
		u8 code, umask, want;
	} rows[] = {
		{ CODE_LOADS, 0, 5 }, { 0xcf, 0, 1 },	     { 0xce, 0, 1 },
		{ CODE_INTG, 0, 5 },  { CODE_STORES, 0, 4 }, { 0xd0, 0, 1 },
		{ 0xd2, 0, 1 },	      { 0x53, 0, 1 },	     { 0x20, 3, 0 },
	};
	struct mont_observer o[MONT_ARRAY_SIZE(rows)] = { 0 };
	struct mont_exit x = { 0 };
	const char *why;
	unsigned int i;

	load(MONT_CFG_HOST_INTERRUPTIONS, attribute_code, sizeof(attribute_code));
	set(MONT_REG_GR, 10, 1ULL << 63 | 0x20000);
	set(MONT_REG_GR, 11, 1ULL << 63 | 0x20008);
	set(MONT_REG_GR, 2, 0x20010);
	set(MONT_REG_GR, 3, 0x20011);
	for (i = 0; i < MONT_ARRAY_SIZE(rows); i++) {
		o[i].filter.code = rows[i].code;
		o[i].filter.umask = rows[i].umask;
		o[i].filter.plm = 15;
		check(!mont_observer_attach(t, &o[i], &why), "attach %02x", rows[i].code);
	}
	check(run(100, &x) == MONT_EXIT_BREAK, "exit %u", x.reason);
	for (i = 0; i < MONT_ARRAY_SIZE(rows); i++) {
		check(mont_observer_read(t, &o[i]) == rows[i].want, "%02x.%x: %llu, not %u",
		      rows[i].code, rows[i].umask, (unsigned long long)o[i].count, rows[i].want);
		mont_observer_detach(t, &o[i]);
	}
	group("uncacheable and misaligned references, and no others after them");
}

/* Check a reference's record, where virtual addresses are physical ones. */
static void on_reference(struct mont_observer *o, const struct mont_occurrence *at)
{
	const struct mont_ref *ref = at->ref;

	(*(unsigned int *)o->host)++;
	if (!check(ref && !at->branch, "no record"))
		return;
	check(at->owner == t && at->time == t->clock && at->n == 1, "owner, time and value");
	check(ref->pa == (ref->va & ~(1ULL << 63)), "pa %#llx of %#llx",
	      (unsigned long long)ref->pa, (unsigned long long)ref->va);
	check(ref->pa >= 0x20000 && ref->pa < 0x20020, "address");
	check(ref->size && ref->size <= 8 && !(ref->size & (ref->size - 1)), "%u bytes", ref->size);
	check(!(ref->kind & MONT_DATA_UC) == !(ref->va >> 63), "uncacheable: %x", ref->kind);
	check(!(ref->kind & MONT_DATA_MISALIGNED) == !(ref->va & (ref->size - 1)), "misaligned: %x",
	      ref->kind);
}

/* Check a branch's record. */
static void on_branch(struct mont_observer *o, const struct mont_occurrence *at)
{
	const struct mont_branch *b = at->branch;

	(*(unsigned int *)o->host)++;
	if (!check(b && !at->ref, "no record"))
		return;
	check(b->source == 0x1230 && b->target == 0x4560 && b->slot == 2, "source and target");
	check(b->type == MONT_BR_RETURN && b->taken, "type %u", b->type);
	check(at->owner == t && at->time == t->clock, "owner and time");
}

static void records(void)
{
	static const struct {
		u8 code, n;
	} rows[] = { { CODE_LOADS, 5 }, { CODE_STORES, 4 } };
	struct mont_exit x = { 0 };
	const char *why;
	unsigned int i;

	for (i = 0; i <= MONT_ARRAY_SIZE(rows); i++) {
		bool branch = i == MONT_ARRAY_SIZE(rows);
		unsigned int calls = 0;
		struct mont_observer o = {
			.filter = { .code = branch ? CODE_BR : rows[i].code, .plm = 15 },
			.period = 1,
			.overflow = branch ? on_branch : on_reference,
			.host = &calls,
		};

		load(MONT_CFG_HOST_INTERRUPTIONS, attribute_code, sizeof(attribute_code));
		set(MONT_REG_GR, 10, 1ULL << 63 | 0x20000);
		set(MONT_REG_GR, 11, 1ULL << 63 | 0x20008);
		set(MONT_REG_GR, 2, 0x20010);
		set(MONT_REG_GR, 3, 0x20011);
		check(!mont_observer_attach(t, &o, &why), "attach");
		if (branch) {
			static const struct mont_bundle bundle;

			t->s.ip = 0x1230;
			t->cur = &bundle;
			t->sig_slot = 2;
			t->clock = 77;
			mont_signal_branch(t, MONT_BR_RETURN, 0x4560, true);
		} else {
			check(run(100, &x) == MONT_EXIT_BREAK, "exit %u", x.reason);
		}
		check(calls == (branch ? 1 : rows[i].n), "%u: %u calls", i, calls);
		mont_observer_detach(t, &o);
	}
	group("references and branches come with their records, signals with owner and time");
}

/* One reference to @va, translated. */
static void refer(u64 va, u32 access)
{
	struct mont_ref ref = { .va = va, .size = 8 };
	u64 v[2] = { 0, 0 };

	if (access & MONT_ACC_WRITE)
		(void)mont_store_slow(t, &ref, access, v);
	else
		(void)mont_load_slow(t, &ref, access, v);
}

/*
 * A data reference misses the L2 DTLB when neither TC nor TR has its translation,
 * once a try (manual 4.9, L2DTLB_MISSES); what makes no reference does not count.
 */
static void dtlb_misses(void)
{
	static const struct {
		u64 va;
		u32 access, map, misses;
	} steps[] = {
		{ 0x10000, MONT_ACC_READ, false, 1 },
		{ 0x10000, MONT_ACC_READ, false, 2 },
		{ 0x10008, MONT_ACC_READ, true, 2 },
		{ 0x13ff8, MONT_ACC_WRITE, false, 2 },
		{ 0x14000, MONT_ACC_WRITE, false, 3 },
		{ 0x14000, MONT_ACC_READ | MONT_ACC_FP, false, 4 },
		{ 0x14000, MONT_ACC_READ | MONT_ACC_NA, false, 4 },
		{ 0x14000, MONT_ACC_READ | MONT_ACC_RSE, false, 5 },
		{ 0x14000, MONT_ACC_WRITE, true, 5 },
		{ 0x10010, MONT_ACC_READ, false, 5 },
	};
	struct mont_observer o = { .filter = { .code = 0xc1, .plm = 15 } };
	const char *why;
	unsigned int i;

	load(MONT_CFG_HOST_INTERRUPTIONS, attribute_code, sizeof(attribute_code));
	psr_set(psr() | MONT_PSR_DT | MONT_PSR_RT | MONT_PSR_IC);
	check(!mont_observer_attach(t, &o, &why), "attach");
	for (i = 0; i < MONT_ARRAY_SIZE(steps); i++) {
		u64 page = steps[i].va & ~0x3fffULL;

		/* Write-back, accessed, dirty, level 0 reads and writes, 16 KB. */
		if (steps[i].map)
			check(mont_tlb_insert_tc(t, false, page, page | 0x461, 14 << 2, NULL) ==
				      MONT_NEXT,
			      "%u: itc.d", i);
		refer(steps[i].va, steps[i].access);
		check(mont_observer_read(t, &o) == steps[i].misses, "%u: %llu, not %u", i,
		      (unsigned long long)o.count, steps[i].misses);
	}
	mont_observer_detach(t, &o);
	group("misses of the L2 DTLB");
}

int main(void)
{
	dtlb_misses();
	records();
	attributes();
	privilege();
	user_mask();
	interruption();
	served();
	writes();
	thaw(false);
	thaw(true);
	interrupts();
	priorities();
	by_software();
	notification();
	return tap_end();
}
