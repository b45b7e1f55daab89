// SPDX-License-Identifier: GPL-2.0-only
/*
 * Traps and what combines them, floating-point faults, unimplemented
 * instruction addresses, rfi and cover, banks, incomplete frames
 * (SDM volume 2, 5.5, 6.4 to 6.6 and 8.3).
 */
#include "sys_test.h"

#define TB 4
#define SS 8
#define LP 2
#define UI 0x10

static const struct record *trap_of(const char *name, int slot, u64 psr, u64 target)
{
	set(MONT_REG_BR, 7, target);
	at(name, slot, psr, true);
	go();
	return record(0);
}

/* A trap: IIP names what comes next, IIPA and ei the instruction. */
static bool trapped(const char *name, u64 vector, u64 code, u64 iip, u64 ipsr)
{
	const struct record *r = record(0);

	return check(nr_records() && r->vector == vector && r->isr == (code | EI(start_slot)) &&
			     r->iip == iip &&
			     !((r->ipsr ^ ipsr) & ~(MONT_PSR_MFL | MONT_PSR_MFH)) &&
			     r->iipa == start_ip,
		     "%s.%d: vector %#llx isr %#llx iip %#llx ipsr %#llx iipa %#llx", name,
		     start_slot, (unsigned long long)r->vector, (unsigned long long)r->isr,
		     (unsigned long long)r->iip, (unsigned long long)r->ipsr,
		     (unsigned long long)r->iipa);
}

static void test_branch_traps(void)
{
	static const char *const br[] = { "br_ind", "br_call", "br_ret" };
	u64 target = label("passed");
	unsigned int i, how;
	u32 cpl;
	int slot;

	for (i = 0; i < 3; i++) {
		for (how = 1; how < 4; how++) {
			for (cpl = 0; cpl < 4; cpl += 3) {
				for (slot = 0; slot < 3; slot++) {
					u64 psr = PHYS | CPL(cpl) | (how & 1 ? MONT_PSR_TB : 0) |
						  (how & 2 ? MONT_PSR_SS : 0);

					machine(1, 0);
					set(MONT_REG_AR, 64, (u64)cpl << 62 | 96);
					trap_of(br[i], slot, psr, target);
					/* In slots 1 and 2 a single step comes before. */
					if ((how & 2) && slot) {
						check(record(0)->vector == 0x6000 &&
							      record(0)->isr == SS &&
							      record(0)->iip == start_ip &&
							      record(0)->ipsr == (psr | RI(1)),
						      "single step of nop.b before %s", br[i]);
						continue;
					}
					trapped(br[i], how & 1 ? 0x5f00 : 0x6000,
						(how & 1 ? TB : 0) | (how & 2 ? SS : 0), target,
						psr);
				}
			}
		}
	}
	/* Not taken: no taken-branch trap. */
	for (slot = 0; slot < 3; slot++) {
		machine(1, 0);
		set(MONT_REG_PR, 0, 1);
		trap_of("br_not", slot, PHYS | MONT_PSR_TB, target);
		/* the branch behind it is taken */
		check(record(0)->vector == 0x5f00 && record(0)->iipa == start_ip + 16 &&
			      record(0)->isr == (TB | EI(2)),
		      "branch not taken");
	}
	group("taken branch and single step: instruction, slot, level");
}

static void test_single_step(void)
{
	static const struct {
		const char *name;
		int slot;
		u64 iip_off;
		int ri;
	} c[] = {
		{ "nop_m", 0, 0, 1 },
		{ "ld8", 0, 0, 1 },
		{ "ssm_i", 0, 0, 1 },
		{ "nop_b", 2, 16, 0 },
	};
	unsigned int i, n;

	/* Steps through a bundle, one record each. */
	machine(1, 0);
	at("nop_all", 0, PHYS | MONT_PSR_SS, true);
	*mem64(PERSIST) = 1;
	for (n = 0; n < 400 * MOST_CYCLES && nr_records() < 4; n++)
		run_cycles(1);
	for (i = 0; i < 3; i++) {
		check_eq(record(i)->vector, 0x6000, "vector of a step");
		check_eq(record(i)->isr, SS | EI(i), "ISR of a step");
		check_eq(record(i)->iip, start_ip + (i == 2 ? 16 : 0), "IIP of a step");
		check_eq(record(i)->ipsr, PHYS | MONT_PSR_SS | RI((i + 1) % 3), "IPSR of a step");
		check_eq(record(i)->iipa, start_ip, "IIPA of a step");
	}
	for (i = 0; i < MONT_ARRAY_SIZE(c); i++) {
		machine(1, 0);
		set_gr(14, DATA_PA);
		at(c[i].name, c[i].slot, PHYS | MONT_PSR_SS | RI(c[i].slot), true);
		go();
		check(record(0)->vector == 0x6000 && record(0)->isr == (SS | EI(c[i].slot)) &&
			      record(0)->iip == start_ip + c[i].iip_off,
		      "step of %s", c[i].name);
	}
	/* A fault comes before the step. */
	machine(1, 0);
	set_gr(14, 1ULL << 55);
	at("ld8", 0, PHYS | MONT_PSR_SS, true);
	go();
	check(record(0)->vector == 0x5400 && record(0)->isr == (0x30 | MONT_ISR_R) &&
		      record(0)->ipsr == (PHYS | MONT_PSR_SS),
	      "a fault under PSR.ss");
	group("single step");
}

static void test_lower_privilege(void)
{
	u64 target = label("passed");
	u32 cpl, ppl, how;

	for (cpl = 0; cpl < 4; cpl++) {
		for (ppl = 0; ppl < 4; ppl++) {
			for (how = 0; how < 4; how++) {
				u64 bits = MONT_PSR_LP | (how & 1 ? MONT_PSR_TB : 0) |
					   (how & 2 ? MONT_PSR_SS : 0);
				u64 code = (how & 1 ? TB : 0) | (how & 2 ? SS : 0);
				bool lower = ppl > cpl;
				u64 psr = PHYS | bits | CPL(cpl);
				u64 after = PHYS | bits | CPL(lower ? ppl : cpl);

				machine(1, 0);
				set(MONT_REG_AR, 64, (u64)ppl << 62 | 96);
				trap_of("br_ret", 0, psr, target);
				if (lower)
					trapped("br.ret", 0x5e00, LP | code, target, after);
				else if (how)
					trapped("br.ret", how & 1 ? 0x5f00 : 0x6000, code, target,
						after);
				else
					check_eq(get(MONT_REG_SPECIAL, MONT_SPECIAL_PSR), after,
						 "PSR after br.ret");
			}
			/* Without PSR.lp the level changes silently. */
			machine(1, 0);
			set(MONT_REG_AR, 64, (u64)ppl << 62 | 96);
			trap_of("br_ret", 2, PHYS | CPL(cpl), target);
			passed("br.ret without PSR.lp");
			check_eq(get(MONT_REG_SPECIAL, MONT_SPECIAL_PSR) >> 32 & 3,
				 ppl > cpl ? ppl : cpl, "level after br.ret");
		}
	}
	group("br.ret: demotion, lower-privilege transfer trap with others");
}

static void test_unimplemented(void)
{
	static const u64 target[] = { 1ULL << 50, 1ULL << 62, 3ULL << 55 | 1ULL << 63 };
	unsigned int i, how;
	int slot;

	for (i = 0; i < 3; i++) {
		for (slot = 0; slot < 3; slot++) {
			for (how = 0; how < 4; how++) {
				u64 psr = PHYS | (how & 1 ? MONT_PSR_TB : 0) |
					  (how & 2 ? MONT_PSR_SS : 0);

				if ((how & 2) && slot)
					continue;
				machine(1, 0);
				trap_of("br_ind", slot, psr, target[i]);
				trapped("br to unimplemented", 0x5e00,
					UI | (how & 1 ? TB : 0) | (how & 2 ? SS : 0), target[i],
					psr);
			}
		}
	}
	/* The place where a budget ends the run does not show. */
	machine(1, 0);
	set(MONT_REG_BR, 7, 1ULL << 55);
	at("br_ind", 2, PHYS, true);
	run_bundles(1);
	{
		u64 size = mont_state_size(pkg);
		void *blob = malloc(size);

		if (!blob)
			exit(1);
		mont_state_save(pkg, blob);
		check(!mont_state_load(pkg, blob, size), "state loads");
		free(blob);
	}
	go();
	trapped("br to unimplemented, saved between", 0x5e00, UI, 1ULL << 55, PHYS);
	/* br.ret that also loses privilege. */
	machine(1, 0);
	set(MONT_REG_AR, 64, 3ULL << 62 | 96);
	trap_of("br_ret", 1, PHYS | MONT_PSR_LP, 1ULL << 50);
	trapped("br.ret to unimplemented", 0x5e00, UI | LP, 1ULL << 50,
		PHYS | MONT_PSR_LP | CPL(3));
	/* rfi traps on its target. */
	machine(1, 0);
	set(MONT_REG_CR, 16, PHYS | CPL(2));
	set(MONT_REG_CR, 19, 1ULL << 58);
	at("rfi", 2, PHYS & ~MONT_PSR_IC, true);
	go();
	check(record(0)->vector == 0x5e00 && record(0)->isr == (UI | EI(2)) &&
		      record(0)->iip == 1ULL << 58 && record(0)->ipsr == (PHYS | CPL(2)),
	      "rfi to unimplemented: isr %#llx ipsr %#llx", (unsigned long long)record(0)->isr,
	      (unsigned long long)record(0)->ipsr);
	group("unimplemented instruction addresses");
}

static void set_fr(u32 f, u64 sig, u64 se)
{
	u64 v[2] = { sig, se };

	if (mont_reg_set(cpu, MONT_REG_FR, f, v))
		exit(1);
}

static void test_fp(void)
{
	/* AR.FPSR with every trap enabled: bits 5:0 are disables. */
	const u64 fpsr = 0x9804c0270033fULL & ~0x3fULL;

	/* 1/0: the zero divide fault, ISR.code bit 2 with the high fields 0. */
	machine(1, 0);
	set(MONT_REG_AR, 40, fpsr);
	set_fr(9, 1ULL << 63, 0xffff);
	set_fr(10, 0, 0);
	at("frcpa", 1, PHYS, false);
	go();
	faulted("frcpa by zero", 0x5c00, 4);
	/* 1 + 2^-63...: inexact trap; the result is there, IIP is the next one. */
	machine(1, 0);
	set(MONT_REG_AR, 40, fpsr);
	set_fr(9, 1ULL << 63, 0xffff);
	set_fr(10, 1ULL << 63, 0xffff - 100);
	at("fadd_ll", 1, PHYS, true);
	go();
	check(record(0)->vector == 0x5d00 && (record(0)->isr & 0x1f) == 1 &&
		      (record(0)->isr & EI(3)) == EI(1) && (record(0)->isr & 0x2000) &&
		      record(0)->iip == start_ip && (record(0)->ipsr & RI(3)) == RI(2) &&
		      record(0)->iipa == start_ip,
	      "inexact trap: isr %#llx ipsr %#llx", (unsigned long long)record(0)->isr,
	      (unsigned long long)record(0)->ipsr);
	/* With single step in one vector. */
	machine(1, 0);
	set(MONT_REG_AR, 40, fpsr);
	set_fr(9, 1ULL << 63, 0xffff);
	set_fr(10, 1ULL << 63, 0xffff - 100);
	at("fadd_ll", 1, PHYS | MONT_PSR_SS | RI(1), true);
	go();
	check(record(0)->vector == 0x5d00 && (record(0)->isr & 0x1f) == (1 | SS) &&
		      (record(0)->isr & EI(3)) == EI(1),
	      "inexact trap and single step: isr %#llx", (unsigned long long)record(0)->isr);
	/* All traps disabled: nothing. */
	machine(1, 0);
	set_fr(9, 1ULL << 63, 0xffff);
	set_fr(10, 0, 0);
	at("frcpa", 1, PHYS, false);
	go();
	passed("frcpa by zero, disabled");
	group("floating-point fault and trap");
}

static void test_rfi(void)
{
	static const u64 keep[] = {
		0,
		MONT_PSR_BE,
		MONT_PSR_UP | MONT_PSR_PP,
		MONT_PSR_AC,
		MONT_PSR_DFL | MONT_PSR_DFH,
		MONT_PSR_SP | MONT_PSR_SI | MONT_PSR_DI,
		MONT_PSR_PK,
		MONT_PSR_LP | MONT_PSR_TB,
		MONT_PSR_MC,
		CPL(1),
		CPL(2),
		CPL(3),
	};
	unsigned int i;
	int ri;

	/* State that rfi restores, at each slot, seen from the break it comes back to. */
	for (i = 0; i < MONT_ARRAY_SIZE(keep); i++) {
		for (ri = 0; ri < 2; ri++) {
			u64 ipsr = PHYS | keep[i] | RI(ri);

			machine(1, 0);
			set(MONT_REG_CR, 16, ipsr);
			set(MONT_REG_CR, 19, label("break_m_1") + 5 * ri);
			set(MONT_REG_CR, 22, 0x4440);
			at("rfi", 2, PHYS & ~MONT_PSR_IC, true);
			go();
			check(record(0)->vector == 0x2c00 && record(0)->isr == EI(1) &&
				      record(0)->ipsr == (PHYS | keep[i] | RI(1)) &&
				      record(0)->iip == label("break_m_1"),
			      "rfi: ipsr %#llx, expected %#llx",
			      (unsigned long long)record(0)->ipsr, (unsigned long long)ipsr);
			/* IIPA: what completed under PSR.ic = 1 last. */
			check_eq(record(0)->iipa, ri ? 0x4440 : label("break_m_1"),
				 "IIPA after rfi");
			/* what an interruption leaves of PSR */
			check_eq(record(0)->psr,
				 keep[i] & (MONT_PSR_UP | MONT_PSR_PK | MONT_PSR_MC),
				 "PSR in the handler");
		}
	}
	/* DCR.pp and be come in. */
	machine(1, 0);
	set(MONT_REG_CR, 0, 3);
	at("break_m", 0, PHYS, false);
	go();
	check_eq(record(0)->psr & (MONT_PSR_PP | MONT_PSR_BE), MONT_PSR_PP | MONT_PSR_BE,
		 "DCR.pp and DCR.be in the handler");
	/* rfi to an MLX bundle: ri 1 is the X instruction, ri 2 none. */
	for (ri = 1; ri < 3; ri++) {
		machine(1, 0);
		set(MONT_REG_CR, 16, PHYS | RI(ri));
		set(MONT_REG_CR, 19, label("break_x_2"));
		at("rfi", 2, PHYS & ~MONT_PSR_IC, true);
		go();
		check(record(0)->vector == (ri == 1 ? 0x2c00 : 0x5400) &&
			      record(0)->isr == EI(ri) && record(0)->ipsr == (PHYS | RI(ri)),
		      "rfi to slot %d of MLX: isr %#llx", ri, (unsigned long long)record(0)->isr);
	}
	/* Nor is there one where the X instruction is no break, on which each group stops anyway. */
	machine(1, 0);
	set(MONT_REG_CR, 16, PHYS | RI(2));
	set(MONT_REG_CR, 19, label("movl_x_2"));
	at("rfi", 2, PHYS & ~MONT_PSR_IC, true);
	go();
	check(record(0)->vector == 0x5400 && record(0)->isr == EI(2),
	      "rfi to slot 2 of movl: vector %#llx", (unsigned long long)record(0)->vector);
	/* IA-32 code there is none. */
	machine(1, 0);
	set(MONT_REG_CR, 16, PHYS | MONT_PSR_IS);
	at("rfi", 2, PHYS & ~MONT_PSR_IC, true);
	go();
	check_eq(record(0)->isr, 0x40 | MONT_ISR_NI | EI(2), "rfi to IA-32: ISR");
	group("rfi");
}

static void test_banks(void)
{
	unsigned int i;

	machine(1, 0);
	for (i = 16; i < 32; i++)
		set_gr(i, 0x100 + i);
	at("bsw0", 2, PHYS, false);
	go();
	if (passed("bsw.0"))
		for (i = 16; i < 32; i++)
			check_eq(gr(i), 0, "bank 0");
	set_gr(20, 77);
	at("bsw1", 2, PHYS & ~MONT_PSR_BN, false);
	go();
	if (passed("bsw.1"))
		for (i = 16; i < 32; i++)
			check_eq(gr(i), 0x100 + i, "bank 1");
	/* An interruption goes to bank 0 and rfi back. */
	at("break_m", 0, PHYS, false);
	go();
	check_eq(record(0)->vector, 0x2c00, "break");
	check_eq(gr(20), 2 * 0 + 1, "r20 is the handler's");
	set(MONT_REG_CR, 19, label("passed"));
	set(MONT_REG_SPECIAL, MONT_SPECIAL_IP, label("resume"));
	go();
	check_eq(gr(20), 0x114, "r20 is the program's");
	group("banked registers");
}

/* ---- register stack ---- */

#define CFM(sof, sol) ((u64)(sof) | (u64)(sol) << 7)

static void test_rse(void)
{
	unsigned int i;

	/* flushrs that cannot store: ISR.rs and w, not ir. */
	for (i = 0; i < 2; i++) {
		const char *name = i ? "alloc_big" : "flushrs";

		machine(1, 0);
		map_code(0);
		set(MONT_REG_AR, 18, DATA_VA);
		/* 60 dirty registers below a frame of 36 */
		cpu->s.ndirty = 60;
		set(MONT_REG_SPECIAL, MONT_SPECIAL_CFM, CFM(36, 0));
		at(name, 0, VIRT, false);
		go();
		faulted(name, 0x1000, MONT_ISR_W | MONT_ISR_RS);
		check_eq(record(0)->ifa, DATA_VA, "IFA of an RSE store");
	}
	/* RSE references run at RSC.pl. */
	machine(1, 0);
	map_code(0);
	map(false, DATA_VA, PTE(DATA_PA, 3, 0));
	set(MONT_REG_AR, 18, DATA_VA);
	set(MONT_REG_AR, 16, 3 << 2);
	cpu->s.ndirty = 10;
	set(MONT_REG_SPECIAL, MONT_SPECIAL_CFM, CFM(36, 0));
	at("flushrs", 0, VIRT, false);
	go();
	faulted("flushrs at RSC.pl 3", 0x5300, MONT_ISR_W | MONT_ISR_RS);

	/*
	 * br.ret into a frame whose registers are in memory that is not mapped:
	 * the fault is at the target, ISR.ir and rs; cover in the handler, rfi
	 * after the page is there, and the frame is whole.
	 */
	for (i = 0; i < 3; i++) {
		const struct record *r = record(0);
		u64 back = label("nop_all_0"), bsp;

		machine(1, 0);
		map_code(0);
		set(MONT_REG_AR, 18, DATA_VA + 0x100);
		set(MONT_REG_SPECIAL, MONT_SPECIAL_CFM, CFM(5, 0));
		set(MONT_REG_AR, 64, CFM(8, 6));
		set(MONT_REG_BR, 7, back);
		*mem64(DATA_PA + 0x100 - 6 * 8) = 0xabcd;
		*mem64(DATA_PA + 0x100 - 8) = 0xef01;
		at("br_ret", 0, VIRT, true);
		go();
		check(r->vector == 0x1000 && r->isr == (MONT_ISR_R | MONT_ISR_RS | MONT_ISR_IR) &&
			      r->iip == back && r->ifa == DATA_VA + 0x100 - 8 && r->ipsr == VIRT &&
			      r->iipa == start_ip,
		      "br.ret: vector %#llx isr %#llx ifa %#llx", (unsigned long long)r->vector,
		      (unsigned long long)r->isr, (unsigned long long)r->ifa);
		bsp = r->bsp;
		check_eq(bsp, DATA_VA + 0x100 - 6 * 8, "BSP of the incomplete frame");
		check_eq(r->bspstore, DATA_VA + 0x100, "BSPSTORE of the incomplete frame");
		map(false, DATA_VA, PTE(DATA_PA, 3, 3));
		*mem64(REC) = 0;
		if (i == 2) {
			/* The state between must survive a save. */
			u64 size = mont_state_size(pkg);
			void *blob = malloc(size);

			if (!blob)
				exit(1);
			mont_state_save(pkg, blob);
			check(!mont_state_load(pkg, blob, size), "state loads");
			free(blob);
			run_cycles(5);
			check_eq(get(MONT_REG_AR, 18), DATA_VA + 0x100,
				 "nothing is loaded before rfi");
		}
		set(MONT_REG_SPECIAL, MONT_SPECIAL_IP, label(i ? "cover_resume" : "resume"));
		run_bundles(1);
		if (i) {
			check_eq(get(MONT_REG_CR, 23), 1ULL << 63 | CFM(8, 6), "IFS after cover");
			check_eq(get(MONT_REG_AR, 17), DATA_VA + 0x100 + 2 * 8, "BSP after cover");
			check_eq(get(MONT_REG_SPECIAL, MONT_SPECIAL_CFM), 0, "CFM after cover");
		}
		go();
		passed("back in the frame");
		check_eq(gr(32), 0xabcd, "first local");
		check_eq(gr(37), 0xef01, "last local");
		check_eq(get(MONT_REG_AR, 17), bsp, "BSP");
		check_eq(get(MONT_REG_SPECIAL, MONT_SPECIAL_CFM), CFM(8, 6), "CFM");
	}
	/* cover with PSR.ic = 1 leaves IFS alone. */
	machine(1, 0);
	set(MONT_REG_CR, 23, 0x123);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_CFM, CFM(8, 6));
	at("cover", 2, PHYS, false);
	go();
	passed("cover");
	check_eq(get(MONT_REG_CR, 23), 0x123, "IFS after cover with PSR.ic 1");
	check_eq(get(MONT_REG_AR, 17), STACK_PA + 8 * 8, "BSP after cover");
	/* An interruption clears IFS.v. */
	machine(1, 0);
	set(MONT_REG_CR, 23, 1ULL << 63 | 0x123);
	at("break_m", 0, PHYS, false);
	go();
	check_eq(record(0)->ifs >> 63, 0, "IFS.v at an interruption");
	/* An incomplete frame must be covered first. */
	for (i = 0; i < 3; i++) {
		static const char *const name[] = { "alloc_small", "flushrs", "loadrs" };

		machine(1, 0);
		set(MONT_REG_SPECIAL, MONT_SPECIAL_CFM, CFM(8, 6));
		cpu->s.ndirty = -4;
		cpu->s.frame_held = 1;
		at(name[i], 0, PHYS & ~MONT_PSR_IC, true);
		go();
		check_eq(record(0)->isr, MONT_ISR_NI | MONT_ISR_IR, "ISR with an incomplete frame");
	}
	group("register stack: faults, incomplete frames, cover, rfi");
}

int main(void)
{
	test_branch_traps();
	test_single_step();
	test_lower_privilege();
	test_unimplemented();
	test_fp();
	test_rfi();
	test_banks();
	test_rse();
	return tap_end();
}
