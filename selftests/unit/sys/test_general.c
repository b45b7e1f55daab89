// SPDX-License-Identifier: GPL-2.0-only
/*
 * Faults that need no translation, in physical mode: break, general
 * exceptions, NaT consumption, disabled registers, alignment (SDM volume 2,
 * 8.3; the order of checks from volume 3's pseudo-code).
 */
#include "sys_test.h"

#define GENERAL 0x5400
#define PRIV_OP 0x10
#define PRIV_REG 0x20
#define RESERVED 0x30
#define NAT 0x5600

static void one(const char *name, int slot, u64 psr)
{
	at(name, slot, psr, false);
	go();
}

static void test_break(void)
{
	static const struct {
		const char *name;
		int slot;
		u64 iim;
	} c[] = {
		{ "break_m", 0, 0x12345 },
		{ "break_m", 1, 0x12345 },
		{ "break_i", 1, 0x1ffff },
		{ "break_i", 2, 0x1ffff },
		{ "break_f", 1, 0x77 },
		{ "break_b", 0, 0 },
		{ "break_b", 1, 0 },
		{ "break_b", 2, 0 },
		{ "break_x", 2, 0x123456789abcdefULL },
	};
	unsigned int i, cpl;

	for (i = 0; i < MONT_ARRAY_SIZE(c); i++) {
		for (cpl = 0; cpl < 4; cpl++) {
			machine(1, 0);
			one(c[i].name, c[i].slot, PHYS | CPL(cpl));
			/* The X instruction is where L is: slot 1 (volume 2, 3.3.2). */
			if (!strcmp(c[i].name, "break_x"))
				start_slot = 1;
			faulted(c[i].name, 0x2c00, 0);
			check_eq(record(0)->iim, c[i].iim, "IIM of a break");
			check_eq(record(0)->psr & ~(MONT_PSR_MFL | MONT_PSR_MFH), 0,
				 "PSR in a handler");
		}
	}
	group("break: IIM, ei, every unit, slot and level");
}

/* Privileged operations: ISR.code beside priv op, and whether PSR.ic must be 0. */
static void test_privileged(void)
{
	static const struct {
		const char *name;
		u64 isr;
		u64 off;
	} c[] = {
		{ "ssm_i", 0, 0 },	   { "rsm_i", 0, 0 },
		{ "ssm_bad", 0, 0 },	   { "to_psr_l", 0, 0 },
		{ "from_psr", 0, 0 },	   { "to_rr", 0, 0 },
		{ "to_pkr", 0, 0 },	   { "to_dbr", 0, 0 },
		{ "to_ibr", 0, 0 },	   { "to_pmc", 0, 0 },
		{ "to_pmd", 0, 0 },	   { "from_rr", 0, 0 },
		{ "from_pkr", 0, 0 },	   { "from_dbr", 0, 0 },
		{ "from_ibr", 0, 0 },	   { "from_pmc", 0, 0 },
		{ "to_dcr", 0, 0 },	   { "to_itm", 0, 0 },
		{ "to_iva", 0, 0 },	   { "to_pta", 0, 0 },
		{ "from_dcr", 0, 0 },	   { "from_iva", 0, 0 },
		{ "to_tpr", 0, 0 },	   { "to_eoi", 0, 0 },
		{ "from_ivr", 0, 0 },	   { "from_irr0", 0, 0 },
		{ "to_itv", 0, 0 },	   { "to_pmv", 0, 0 },
		{ "to_cmcv", 0, 0 },	   { "to_lid", 0, 0 },
		{ "ptc_l", 0, 0 },	   { "ptc_g", 0, 0 },
		{ "ptc_ga", 0, 0 },	   { "ptc_e", 0, 0 },
		{ "ptr_d", 0, 0 },	   { "ptr_i", 0, 0 },
		{ "tpa", MONT_ISR_NA, 0 }, { "tak", MONT_ISR_NA | 3, 0 },
		{ "rfi", 0, 0 },	   { "bsw0", 0, 0 },
		{ "bsw1", 0, 0 },	   { "vmsw0", 0, 0 },
	};
	unsigned int i, cpl;
	int slot;

	for (i = 0; i < MONT_ARRAY_SIZE(c); i++) {
		bool b = !strcmp(c[i].name, "rfi") || !strncmp(c[i].name, "bsw", 3) ||
			 !strncmp(c[i].name, "vmsw", 4);
		bool m0 = !strncmp(c[i].name, "pt", 2);

		for (cpl = 1; cpl < 4; cpl++) {
			for (slot = b ? 2 : 0; slot <= (b ? 2 : m0 ? 0 : 1); slot++) {
				machine(1, 0);
				set_gr(14, 0);
				set_gr(15, 0);
				one(c[i].name, slot, PHYS | CPL(cpl));
				faulted(c[i].name, GENERAL, PRIV_OP | c[i].isr);
			}
		}
	}
	group("privileged operations at levels 1 to 3");
}

/* Illegal operations come before the level is looked at. */
static void test_illegal(void)
{
	static const char *const with_ic[] = {
		"to_ipsr",  "to_isr",	 "to_iip",    "to_ifa",	   "to_itir",  "to_iipa",
		"to_ifs",   "to_iim",	 "to_iha",    "from_ipsr", "from_isr", "from_iip",
		"from_ifa", "from_itir", "from_iipa", "from_ifs",  "from_iim", "from_iha",
		"itc_d",    "itc_i",	 "itr_d",     "itr_i",
	};
	static const char *const eager[] = {
		"to_bspstore", "from_bspstore", "to_rnat", "from_rnat", "loadrs",
	};
	unsigned int i, cpl;

	for (i = 0; i < MONT_ARRAY_SIZE(with_ic); i++) {
		for (cpl = 0; cpl < 4; cpl += 3) {
			machine(1, 0);
			set_nat(15);
			one(with_ic[i], 0, PHYS | CPL(cpl));
			faulted(with_ic[i], GENERAL, 0);
		}
	}
	group("illegal with PSR.ic = 1, before privilege and NaT");
	for (i = 0; i < MONT_ARRAY_SIZE(eager); i++) {
		machine(1, 0);
		set_nat(15);
		set(MONT_REG_AR, 16, 3);
		one(eager[i], 0, PHYS);
		faulted(eager[i], GENERAL, 0);
	}
	machine(1, 0);
	set(MONT_REG_AR, 16, 8ULL << 16);
	one("loadrs", 0, PHYS);
	faulted("loadrs with a frame", GENERAL, 0);
	machine(1, 0);
	one("fma_zero", 1, PHYS | MONT_PSR_DFL);
	faulted("fma to f0 before DFL", GENERAL, 0);
	machine(1, 0);
	set(MONT_REG_AR, 64, 0);
	one("epc", 2, PHYS | CPL(3));
	faulted("epc above PFS.ppl", GENERAL, 0);
	for (cpl = 0; cpl < 4; cpl++) {
		machine(1, 0);
		one("br_ia", 0, PHYS | CPL(cpl));
		faulted("br.ia", GENERAL, 0x40);
	}
	machine(1, 0);
	one("vmsw0", 2, PHYS);
	faulted("vmsw.0", 0x6100, 0);
	machine(1, 0);
	one("vmsw1", 2, PHYS);
	faulted("vmsw.1", 0x6100, 0);
	group("illegal operation, disabled ISA, virtualization");
}

static void test_reserved(void)
{
	static const struct {
		const char *name;
		u64 index, value;
		bool ic0;
	} c[] = {
		{ "ssm_bad", 0, 0, 0 },
		{ "rsm_bad", 0, 0, 0 },
		{ "sum_bad", 0, 0, 0 },
		{ "rum_bad", 0, 0, 0 },
		{ "to_psr_l", 0, 1, 0 },
		{ "to_psr_l", 0, 0x40, 0 },
		{ "to_psr_l", 0, 0x10000, 0 },
		{ "to_psr_l", 0, 0x10000000, 0 },
		{ "to_psr_um", 0, 0x40, 0 },
		{ "to_dcr", 0, 8, 0 },
		{ "to_dcr", 0, 0x8000, 0 },
		{ "to_pta", 0, 14 << 2, 0 },
		{ "to_pta", 0, 15 << 2 | 2, 0 },
		{ "to_pta", 0, 62 << 2, 0 },
		{ "to_pta", 0, 15 << 2 | 0x200, 0 },
		{ "to_tpr", 0, 0x100, 0 },
		{ "to_tpr", 0, 0x20000, 0 },
		{ "to_itv", 0, 0x100, 0 },
		{ "to_itv", 0, 0x20000, 0 },
		{ "to_pmv", 0, 0x2000, 0 },
		{ "to_cmcv", 0, 0x800, 0 },
		{ "to_lrr0", 0, 0x800, 0 },
		{ "to_lrr1", 0, 0x20000, 0 },
		{ "to_ipsr", 0, 1, 1 },
		{ "to_ipsr", 0, 1ULL << 47, 1 },
		{ "to_ipsr", 0, 1ULL << 46, 1 },
		{ "to_ifs", 0, 1ULL << 38, 1 },
		{ "to_ifs", 0, 1ULL << 62, 1 },
		{ "to_rr", 0, PS << 2 | 2, 0 },
		{ "to_rr", 0, 15 << 2, 0 },
		{ "to_rr", 0, 11 << 2, 0 },
		{ "to_rr", 0, PS << 2 | 1ULL << 32, 0 },
		{ "to_pkr", 16, 0, 0 },
		{ "to_pkr", 0, 0x10, 0 },
		{ "to_pkr", 0, 1ULL << 32, 0 },
		{ "from_pkr", 16, 0, 0 },
		{ "to_dbr", 8, 0, 0 },
		{ "from_dbr", 8, 0, 0 },
		{ "to_ibr", 8, 0, 0 },
		{ "from_ibr", 255, 0, 0 },
		{ "from_cpuid", 5, 0, 0 },
		{ "itc_d", 0, 0x61 | 1 << 2, 1 },
		{ "itc_d", 0, 0x61 | 3 << 2, 1 },
		{ "itc_i", 0, 0x61 | 2, 1 },
		{ "itc_d", 0, 0x61 | 1ULL << 50, 1 },
		{ "itr_d", 32, 0x61, 1 },
		{ "itr_i", 40, 0x61, 1 },
		{ "to_rsc", 0, 0x20, 0 },
		{ "to_rsc", 0, 1ULL << 30, 0 },
		{ "to_fpsr", 0, 1ULL << 58, 0 },
		{ "to_fpsr", 0, 0x100, 0 },
		{ "to_fpsr", 0, 0x1000, 0 },
	};
	static const u64 pfs[] = { 1ULL << 38, 1ULL << 46, 1ULL << 51, 1ULL << 58, 1ULL << 61 };
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(c); i++) {
		machine(1, 0);
		set(MONT_REG_CR, 21, itir(PS, 0));
		set_gr(14, c[i].index);
		set_gr(15, c[i].value);
		if (c[i].ic0) {
			/* Only ISR tells: ni is set, the rest keeps its values. */
			set(MONT_REG_CR, 19, 0x1230);
			set(MONT_REG_CR, 22, 0x4560);
			one(c[i].name, 0, PHYS & ~MONT_PSR_IC);
			check(nr_records() == 1 && record(0)->vector == GENERAL &&
				      record(0)->isr == (RESERVED | MONT_ISR_NI) &&
				      record(0)->iip == 0x1230 && record(0)->iipa == 0x4560,
			      "%s = %#llx: vector %#llx isr %#llx", c[i].name,
			      (unsigned long long)c[i].value, (unsigned long long)record(0)->vector,
			      (unsigned long long)record(0)->isr);
			continue;
		}
		one(c[i].name, 0, PHYS);
		if (!faulted(c[i].name, GENERAL, RESERVED))
			printf("# value %#llx\n", (unsigned long long)c[i].value);
	}
	for (i = 0; i < MONT_ARRAY_SIZE(pfs); i++) {
		machine(1, 0);
		set_gr(15, pfs[i]);
		one("to_pfs", 1, PHYS);
		faulted("to_pfs", GENERAL, RESERVED);
	}
	/* Page sizes that do not exist, and ITIR's reserved bits, at the insert. */
	for (i = 0; i < 3; i++) {
		static const u64 bad[] = { 15 << 2, 11 << 2, PS << 2 | 1 };

		machine(1, 0);
		set(MONT_REG_CR, 21, bad[i]);
		set_gr(15, 0x61);
		one("itc_d", 0, PHYS & ~MONT_PSR_IC);
		check_eq(record(0)->isr, RESERVED | MONT_ISR_NI, "ISR of itc.d under a bad ITIR");
	}
	machine(1, 0);
	cpu->s.rrb_fr = 5;
	mont_reg_set(cpu, MONT_REG_SPECIAL, MONT_SPECIAL_CFM, (u64[2]){ 96 | 5ULL << 25, 0 });
	one("alloc_sor", 0, PHYS);
	faulted("alloc of another sor under rotation", GENERAL, RESERVED);
	group("reserved registers and fields");
}

static void test_accepted(void)
{
	static const struct {
		const char *name;
		u64 index, value, class, reg, want;
	} c[] = {
		{ "to_dcr", 0, 0x7f07, MONT_REG_CR, 0, 0x7f07 },
		{ "to_iva", 0, 0x12345678, MONT_REG_CR, 2, 0x12340000 },
		{ "to_pta", 0, 15 << 2, MONT_REG_CR, 8, 15 << 2 },
		{ "to_tpr", 0, 0x100ff, MONT_REG_CR, 66, 0x100f0 },
		{ "to_itv", 0, 0x110ff, MONT_REG_CR, 72, 0x100ff },
		{ "to_lrr0", 0, 0x150ff, MONT_REG_CR, 80, 0x100ff },
		{ "to_bspstore", 0, 0x1007, MONT_REG_AR, 18, 0x1000 },
		{ "to_rnat", 0, ~0ULL, MONT_REG_AR, 19, ~0ULL >> 1 },
		{ "to_k0", 0, ~0ULL, MONT_REG_AR, 0, ~0ULL },
		{ "to_rr", 3ULL << 61, 0x12345631, MONT_REG_RR, 3, 0x12345631 },
		{ "to_pkr", 15, 0xffffff0fULL, MONT_REG_PKR, 15, 0xffffff0fULL },
		{ "to_dbr", 0x107, 0x55, MONT_REG_DBR, 7, 0x55 },
	};
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(c); i++) {
		machine(1, 0);
		set_gr(14, c[i].index);
		set_gr(15, c[i].value);
		one(c[i].name, 0, PHYS);
		if (passed(c[i].name))
			check_eq(get(c[i].class, c[i].reg), c[i].want, c[i].name);
	}
	/* A key is valid in one register. */
	machine(1, 0);
	set(MONT_REG_PKR, 3, 0x123401);
	set_gr(14, 9);
	set_gr(15, 0x123403);
	one("to_pkr", 0, PHYS);
	check_eq(get(MONT_REG_PKR, 3), 0x123400, "the other PKR with the key");
	check_eq(get(MONT_REG_PKR, 9), 0x123403, "the PKR written");
	/* RSC.pl is never more privileged than the writer. */
	for (i = 0; i < 4; i++) {
		machine(1, 0);
		set_gr(15, 0);
		one("to_rsc", 0, PHYS | CPL(i));
		check_eq(get(MONT_REG_AR, 16), i << 2, "RSC.pl");
	}
	/* mov =psr shows 31:0, mc and it. */
	machine(1, 0);
	one("from_psr", 1, PHYS | MONT_PSR_AC | MONT_PSR_SS | MONT_PSR_DA);
	machine(1, 0);
	map_code(0);
	one("from_psr", 1, VIRT | MONT_PSR_AC);
	if (passed("from_psr"))
		check_eq(gr(8), MONT_PSR_IC | MONT_PSR_IT | MONT_PSR_DT | MONT_PSR_RT | MONT_PSR_AC,
			 "mov =psr");
	machine(1, 0);
	one("from_psr_um", 1, PHYS | MONT_PSR_AC | MONT_PSR_UP | CPL(3));
	if (passed("from_psr_um"))
		check_eq(gr(8), MONT_PSR_AC | MONT_PSR_UP, "mov =psr.um");
	/* PSR.sp holds PSR.up. */
	for (i = 0; i < 4; i++) {
		machine(1, 0);
		one("sum_up", 0, PHYS | (i & 1 ? MONT_PSR_SP : 0) | (i & 2 ? CPL(3) : 0));
		check_eq(!!(get(MONT_REG_SPECIAL, MONT_SPECIAL_PSR) & MONT_PSR_UP), !(i & 1),
			 "PSR.up after sum");
		machine(1, 0);
		one("rum_up", 0,
		    PHYS | MONT_PSR_UP | (i & 1 ? MONT_PSR_SP : 0) | (i & 2 ? CPL(3) : 0));
		check_eq(!!(get(MONT_REG_SPECIAL, MONT_SPECIAL_PSR) & MONT_PSR_UP), i & 1,
			 "PSR.up after rum");
	}
	group("writes that are accepted");
}

static void test_privileged_registers(void)
{
	unsigned int cpl;

	for (cpl = 0; cpl < 4; cpl++) {
		u64 psr = PHYS | CPL(cpl);

		machine(1, 0);
		one("to_k0", 1, psr);
		cpl ? faulted("to_k0", GENERAL, PRIV_REG) : passed("to_k0");
		machine(1, 0);
		one("from_k0", 0, psr);
		passed("from_k0");
		machine(1, 0);
		one("to_itc", 0, psr);
		cpl ? faulted("to_itc", GENERAL, PRIV_REG) : passed("to_itc");
		machine(1, 0);
		one("from_itc", 1, psr);
		passed("from_itc");
		machine(1, 0);
		one("from_itc", 1, psr | MONT_PSR_SI);
		cpl ? faulted("from_itc", GENERAL, PRIV_REG) : passed("from_itc");
	}
	group("privileged registers");
}

static void test_nat(void)
{
	static const struct {
		const char *name;
		int reg;
		u64 isr;
		bool i;
	} c[] = {
		{ "ld8", 14, MONT_ISR_R, 0 },
		{ "ld8_a", 14, MONT_ISR_R, 0 },
		{ "ld8_c", 14, MONT_ISR_R, 0 },
		{ "ldfd", 14, MONT_ISR_R, 0 },
		{ "ld16", 14, MONT_ISR_R, 0 },
		{ "st8", 14, MONT_ISR_W, 0 },
		{ "st8", 15, MONT_ISR_W, 0 },
		{ "stfd", 14, MONT_ISR_W, 0 },
		{ "st16", 15, MONT_ISR_W, 0 },
		{ "xchg8", 14, MONT_ISR_R | MONT_ISR_W, 0 },
		{ "xchg8", 15, MONT_ISR_R | MONT_ISR_W, 0 },
		{ "cmpxchg8", 15, MONT_ISR_R | MONT_ISR_W, 0 },
		{ "fetchadd8", 14, MONT_ISR_R | MONT_ISR_W, 0 },
		{ "cmp8xchg16", 15, MONT_ISR_R | MONT_ISR_W, 0 },
		{ "fc", 14, MONT_ISR_NA | MONT_ISR_R | 1, 0 },
		{ "fc_i", 14, MONT_ISR_NA | MONT_ISR_R | 1, 0 },
		{ "lfetch_fault", 14, MONT_ISR_NA | MONT_ISR_R | 4, 0 },
		{ "probe_r", 14, MONT_ISR_NA | MONT_ISR_R | 2, 0 },
		{ "probe_w", 14, MONT_ISR_NA | MONT_ISR_W | 2, 0 },
		{ "probe_r_reg", 15, MONT_ISR_NA | MONT_ISR_R | 2, 0 },
		{ "probe_w_reg", 15, MONT_ISR_NA | MONT_ISR_W | 2, 0 },
		{ "probe_r_fault", 14, MONT_ISR_NA | MONT_ISR_R | 5, 0 },
		{ "probe_w_fault", 14, MONT_ISR_NA | MONT_ISR_W | 5, 0 },
		{ "probe_rw_fault", 14, MONT_ISR_NA | MONT_ISR_R | MONT_ISR_W | 5, 0 },
		{ "tpa", 14, MONT_ISR_NA, 0 },
		{ "tak", 14, MONT_ISR_NA | 3, 0 },
		{ "to_psr_l", 15, 0, 0 },
		{ "to_psr_um", 15, 0, 0 },
		{ "to_rr", 14, 0, 0 },
		{ "to_rr", 15, 0, 0 },
		{ "to_pkr", 15, 0, 0 },
		{ "to_dbr", 15, 0, 0 },
		{ "to_pmc", 15, 0, 0 },
		{ "from_rr", 14, 0, 0 },
		{ "from_cpuid", 14, 0, 0 },
		{ "from_pmd", 14, 0, 0 },
		{ "to_dcr", 15, 0, 0 },
		{ "to_eoi", 15, 0, 0 },
		{ "to_k0", 15, 0, 0 },
		{ "to_rsc", 15, 0, 0 },
		{ "to_fpsr", 15, 0, 0 },
		{ "ptc_l", 14, 0, 0 },
		{ "ptc_g", 15, 0, 0 },
		{ "ptc_e", 14, 0, 0 },
		{ "ptr_d", 15, 0, 0 },
		{ "to_br", 15, 0, 1 },
		{ "to_pr", 15, 0, 1 },
		{ "to_pfs", 15, 0, 1 },
		{ "to_lc", 15, 0, 1 },
	};
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(c); i++) {
		machine(1, 0);
		set_gr(14, DATA_PA);
		set_gr(15, 0);
		/* A translation seen before must leave no trace in ISR. */
		set_nat(c[i].reg);
		one(c[i].name, c[i].i, PHYS);
		faulted(c[i].name, NAT, 0x10 | c[i].isr);
	}
	/* NaT before privilege only where the level is not looked at. */
	machine(1, 0);
	set_nat(15);
	one("to_k0", 0, PHYS | CPL(3));
	faulted("NaT before privileged register", NAT, 0x10);
	machine(1, 0);
	set_nat(15);
	one("to_dcr", 0, PHYS | CPL(3));
	faulted("privilege before NaT", GENERAL, PRIV_OP);
	/* Speculation and prefetch take a NaT address in their stride. */
	machine(1, 0);
	set_nat(14);
	one("ld8_s", 0, PHYS);
	if (passed("ld8_s"))
		check_eq(mont_nat(cpu, 8), 1, "NaT of a deferred ld8.s");
	machine(1, 0);
	set_nat(14);
	one("lfetch", 0, PHYS);
	passed("lfetch");
	machine(1, 0);
	set_nat(15);
	one("chk_s", 2, PHYS);
	passed("chk.s");
	group("register NaT consumption");
}

/*
 * A failing chk.s, chk.a or fchkf branches by itself: no Speculative Operation fault
 * (SDM volume 3, chk: the branch may be unimplemented). PSR.tb shows who branched.
 */
static void test_speculation_checks(void)
{
	static const struct {
		const char *name;
		int slot;
	} c[] = {
		{ "chk_s", 1 }, { "chk_s", 2 }, { "chk_s_m", 0 }, { "chk_s_m", 1 },
		{ "chk_a", 0 }, { "chk_a", 1 }, { "fchkf", 1 },
	};
	/* An invalid operation in sf1 that sf0 has not; the traps are off. */
	const u64 fpsr = 0x9804c0270033fULL | MONT_BIT(26);
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(c); i++) {
		const struct record *r = record(0);

		machine(1, 0);
		set_nat(15);
		set(MONT_REG_AR, 40, fpsr);
		at(c[i].name, c[i].slot, PHYS | MONT_PSR_TB, true);
		go();
		check(nr_records() == 1 && r->vector == 0x5f00 && r->isr == (4 | EI(c[i].slot)) &&
			      r->iip == label("passed") && r->iipa == start_ip,
		      "%s: vector %#llx isr %#llx iip %#llx", c[i].name,
		      (unsigned long long)r->vector, (unsigned long long)r->isr,
		      (unsigned long long)r->iip);
	}
	group("speculation checks branch by themselves");
}

static void test_fp_disabled(void)
{
	static const struct {
		const char *name;
		int slot;
		u64 psr;
		u64 code;
	} c[] = {
		{ "fadd_ll", 1, MONT_PSR_DFL, 1 },
		{ "fadd_ll", 1, MONT_PSR_DFH, 0 },
		{ "fadd_hh", 1, MONT_PSR_DFH, 2 },
		{ "fadd_hh", 1, MONT_PSR_DFL, 0 },
		{ "fadd_lh", 1, MONT_PSR_DFL, 1 },
		{ "fadd_lh", 1, MONT_PSR_DFH, 2 },
		{ "fadd_lh", 1, MONT_PSR_DFL | MONT_PSR_DFH, 3 },
		{ "ldfd", 0, MONT_PSR_DFH, 2 },
		{ "ldfd", 1, MONT_PSR_DFL, 0 },
		{ "stfd", 0, MONT_PSR_DFH, 2 },
		{ "stfd", 1, MONT_PSR_DFL, 0 },
		{ "fcmp_h", 1, MONT_PSR_DFH, 2 },
		{ "fcmp_h", 1, MONT_PSR_DFL, 0 },
	};
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(c); i++) {
		machine(1, 0);
		set_gr(14, DATA_PA);
		one(c[i].name, c[i].slot, PHYS | c[i].psr);
		if (c[i].code)
			faulted(c[i].name, 0x5500, c[i].code);
		else
			passed(c[i].name);
	}
	group("disabled floating-point registers");
}

/* A reference to a page at hand faults as the first one does, and by its own set alone. */
static void test_fp_disabled_at_hand(void)
{
	static const struct {
		const char *name;
		bool high;
	} c[] = {
		{ "ldfd", true },      { "ldfd_low", false }, { "stfd", true },
		{ "stfd_low", false }, { "stf_spill", true }, { "spill_low", false },
	};
	unsigned int i, high;

	for (i = 0; i < MONT_ARRAY_SIZE(c); i++) {
		for (high = 0; high < 2; high++) {
			machine(1, 0);
			set_gr(14, DATA_PA);
			one(c[i].name, 0, PHYS);
			passed(c[i].name);
			one(c[i].name, 0, PHYS | (high ? MONT_PSR_DFH : MONT_PSR_DFL));
			if (high == c[i].high)
				faulted(c[i].name, 0x5500, 1 << high);
			else
				passed(c[i].name);
		}
	}
	group("disabled floating-point registers, of references to a page at hand");
}

static void test_addresses(void)
{
	static const struct {
		const char *name;
		u64 offset, psr, vector, isr;
	} c[] = {
		{ "ld8", 1ULL << 50, 0, GENERAL, RESERVED | MONT_ISR_R },
		{ "ld8", 1ULL << 62, 0, GENERAL, RESERVED | MONT_ISR_R },
		{ "st8", 1ULL << 55, 0, GENERAL, RESERVED | MONT_ISR_W },
		{ "xchg8", 1ULL << 50, 0, GENERAL, RESERVED | MONT_ISR_R | MONT_ISR_W },
		{ "fc", 1ULL << 50, 0, GENERAL, RESERVED | MONT_ISR_R | MONT_ISR_NA | 1 },
		{ "lfetch_fault", 1ULL << 50, 0, GENERAL, RESERVED | MONT_ISR_R | MONT_ISR_NA | 4 },
		{ "probe_w_fault", 1ULL << 50, 0, GENERAL,
		  RESERVED | MONT_ISR_W | MONT_ISR_NA | 5 },
		{ "ld8", 1, 0, 0x5a00, MONT_ISR_R },
		{ "ld4", 1, 0, 0, 0 },
		{ "ld4", 6, 0, 0x5a00, MONT_ISR_R },
		{ "ld4", 1, MONT_PSR_AC, 0x5a00, MONT_ISR_R },
		{ "ld4_s", 1, MONT_PSR_AC, 0x5a00, MONT_ISR_R | MONT_ISR_SP },
		{ "st8", 3, 0, 0x5a00, MONT_ISR_W },
		{ "st4", 2, MONT_PSR_AC, 0x5a00, MONT_ISR_W },
		{ "xchg8", 4, 0, 0x5a00, MONT_ISR_R | MONT_ISR_W },
		{ "fetchadd8", 4, 0, 0x5a00, MONT_ISR_R | MONT_ISR_W },
		{ "ld16", 8, 0, 0x5a00, MONT_ISR_R },
		{ "st16", 8, 0, 0x5a00, MONT_ISR_W },
		{ "cmp8xchg16", 8, 0, 0, 0 },
		{ "cmp8xchg16", 4, 0, 0x5a00, MONT_ISR_R | MONT_ISR_W },
		{ "ld1", 7, MONT_PSR_AC, 0, 0 },
		{ "xchg8", 1ULL << 63, 0, 0x5b00, MONT_ISR_R | MONT_ISR_W },
		{ "cmpxchg8", 1ULL << 63, 0, 0x5b00, MONT_ISR_R | MONT_ISR_W },
		{ "fetchadd8", 1ULL << 63, 0, 0x5b00, MONT_ISR_R | MONT_ISR_W },
		{ "cmp8xchg16", 1ULL << 63, 0, 0x5b00, MONT_ISR_R | MONT_ISR_W },
		{ "ld16", 1ULL << 63, 0, 0x5b00, MONT_ISR_R },
		{ "st16", 1ULL << 63, 0, 0x5b00, MONT_ISR_W },
		{ "ldfe", 1ULL << 63, 0, 0x5b00, MONT_ISR_R },
		{ "stfe", 1ULL << 63, 0, 0x5b00, MONT_ISR_W },
		{ "xchg8", 1ULL << 63 | 4, 0, 0x5a00, MONT_ISR_R | MONT_ISR_W },
		{ "ld8", 1ULL << 63, 0, 0, 0 },
		{ "st8", 1ULL << 63, 0, 0, 0 },
	};
	unsigned int i;
	int slot;

	for (i = 0; i < MONT_ARRAY_SIZE(c); i++) {
		for (slot = 0; slot < 2; slot++) {
			machine(1, 0);
			set_gr(14, DATA_PA | c[i].offset);
			one(c[i].name, slot, PHYS | c[i].psr);
			if (!c[i].vector)
				passed(c[i].name);
			else if (faulted(c[i].name, c[i].vector, c[i].isr))
				check_eq(record(0)->ifa, DATA_PA | c[i].offset, "IFA");
		}
	}
	/* A speculative load gives NaT instead of an unimplemented address. */
	machine(1, 0);
	set_gr(14, 1ULL << 55);
	one("ld8_s", 0, PHYS);
	if (passed("ld8_s"))
		check_eq(mont_nat(cpu, 8), 1, "NaT of ld8.s");
	/* An uncacheable page is not advanced from: 0, and no entry. */
	machine(1, 0);
	*mem64(DATA_PA) = 0x1234;
	set_gr(14, DATA_PA | 1ULL << 63);
	one("ld8_a", 0, PHYS);
	if (passed("ld8_a"))
		check_eq(gr(8), 0, "ld8.a from uncacheable memory");
	machine(1, 0);
	*mem64(DATA_PA) = 0x1234;
	set_gr(14, DATA_PA | 1ULL << 63);
	one("ld8_s", 0, PHYS);
	if (passed("ld8_s"))
		check_eq(mont_nat(cpu, 8), 1, "NaT of ld8.s from uncacheable memory");
	group("unimplemented and unaligned addresses, unsupported references");
}

int main(void)
{
	test_break();
	test_privileged();
	test_illegal();
	test_reserved();
	test_accepted();
	test_privileged_registers();
	test_nat();
	test_speculation_checks();
	test_fp_disabled();
	test_fp_disabled_at_hand();
	test_addresses();
	return tap_end();
}
