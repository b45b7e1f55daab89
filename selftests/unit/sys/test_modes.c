// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changes of mode: rfi between physical and virtual addressing and between
 * levels, byte order of data and of the register stack, references that
 * nothing answers, and what the host is told when it owns interruptions
 * (SDM volume 2, 3.3.2, 4.4.2, 6.2).
 */
#include "sys_test.h"

static void test_rfi_modes(void)
{
	u64 bits;
	u32 cpl;

	/* it, dt and rt come together or not: what the load then reads tells. */
	for (bits = 0; bits < 4; bits++) {
		for (cpl = 0; cpl < 4; cpl++) {
			u64 psr = PHYS | CPL(cpl) | (bits & 1 ? MONT_PSR_IT : 0) |
				  (bits & 2 ? MONT_PSR_DT : 0);

			machine(1, 0);
			map_code(0);
			map(false, DATA_VA, PTE(DATA_PA, 3, 3));
			*mem64(DATA_PA) = 0x1122334455667788ULL;
			set_gr(14, bits & 2 ? DATA_VA : DATA_PA);
			set(MONT_REG_CR, 16, psr);
			set(MONT_REG_CR, 19, label("ld8_0"));
			at("rfi", 2, PHYS & ~MONT_PSR_IC, true);
			go();
			passed("rfi to a load");
			check_eq(gr(8), 0x1122334455667788ULL, "what the load read");
			check_eq(get(MONT_REG_SPECIAL, MONT_SPECIAL_PSR), psr, "PSR after rfi");
		}
	}
	/* A virtual address in physical mode is no address. */
	machine(1, 0);
	set_gr(14, DATA_VA);
	set(MONT_REG_CR, 16, PHYS);
	set(MONT_REG_CR, 19, label("ld8_0"));
	at("rfi", 2, PHYS & ~MONT_PSR_IC, true);
	go();
	check_eq(record(0)->isr, 0x30 | MONT_ISR_R, "ISR of a virtual address in physical mode");
	group("rfi: it, dt, level");
}

static void test_byte_order(void)
{
	u64 v = 0x1122334455667788ULL;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		u64 psr = PHYS | (i ? MONT_PSR_BE : 0);

		machine(1, 0);
		*mem64(DATA_PA) = v;
		set_gr(14, DATA_PA);
		set_gr(15, v);
		at("ld8", 0, psr, false);
		go();
		passed("ld8");
		check_eq(gr(8), i ? __builtin_bswap64(v) : v, "ld8");
		at("ld4", 0, psr, false);
		go();
		check_eq(gr(8), i ? 0x88776655 : 0x55667788, "ld4");
		at("ld1", 0, psr, false);
		go();
		check_eq(gr(8), 0x88, "ld1");
		at("st8", 0, psr, false);
		go();
		check_eq(*mem64(DATA_PA), i ? __builtin_bswap64(v) : v, "st8");
		*mem64(DATA_PA) = 5;
		set_gr(15, 7);
		at("xchg8", 0, psr, false);
		go();
		check_eq(gr(8), i ? 5ULL << 56 : 5, "xchg8, old");
		check_eq(*mem64(DATA_PA), i ? 7ULL << 56 : 7, "xchg8, new");
		/* 16 bytes: GR r1 is what is at the lower address. */
		*mem64(DATA_PA) = 1;
		*mem64(DATA_PA + 8) = 2;
		at("ld16", 0, psr, false);
		go();
		check_eq(gr(8), i ? 1ULL << 56 : 1, "ld16, r1");
		check_eq(get(MONT_REG_AR, 25), i ? 2ULL << 56 : 2, "ld16, ar.csd");
		set_gr(15, 0x33);
		set(MONT_REG_AR, 25, 0x44);
		at("st16", 0, psr, false);
		go();
		check_eq(*mem64(DATA_PA), i ? 0x33ULL << 56 : 0x33, "st16, low");
		check_eq(*mem64(DATA_PA + 8), i ? 0x44ULL << 56 : 0x44, "st16, high");
		set(MONT_REG_AR, 32, 0x44);
		set_gr(15, 0x55);
		set(MONT_REG_AR, 25, 0x66);
		set_gr(14, DATA_PA + 8);
		at("cmp8xchg16", 0, psr, false);
		go();
		check_eq(gr(8), 0x44, "cmp8xchg16, old");
		check_eq(*mem64(DATA_PA), i ? 0x55ULL << 56 : 0x55, "cmp8xchg16, low");
		check_eq(*mem64(DATA_PA + 8), i ? 0x66ULL << 56 : 0x66, "cmp8xchg16, high");
		/* The stack has a byte order of its own, RSC.be. */
		machine(1, 0);
		set(MONT_REG_AR, 16, i << 4);
		set_gr(32, v);
		set(MONT_REG_SPECIAL, MONT_SPECIAL_CFM, 8);
		at("cover", 2, PHYS, false);
		go();
		at("flushrs", 0, PHYS | (i ? 0 : MONT_PSR_BE), false);
		go();
		passed("flushrs");
		check_eq(*mem64(STACK_PA), i ? __builtin_bswap64(v) : v, "flushrs");
		check_eq(get(MONT_REG_AR, 18), STACK_PA + 64, "BSPSTORE after flushrs");
	}
	group("byte order of data and of the register stack");
}

static void test_nothing_there(void)
{
	static const char *const name[] = { "ld8", "st8", "xchg8", "ldfd" };
	unsigned int i;

	for (i = 0; i < 4; i++) {
		machine(1, 0);
		set_gr(14, MEMORY + 0x1000);
		at(name[i], 1, PHYS, false);
		go();
		check(last_exit.reason == MONT_EXIT_INTERRUPTION && last_exit.vector == 0xffff &&
			      last_exit.ip == start_ip && last_exit.slot == 1 &&
			      last_exit.ifa == MEMORY + 0x1000 && !nr_records(),
		      "%s of nothing: reason %u vector %#x", name[i], last_exit.reason,
		      last_exit.vector);
	}
	machine(1, 0);
	set(MONT_REG_BR, 7, MEMORY);
	at("br_ind", 0, PHYS, false);
	go();
	check(last_exit.vector == 0xffff && last_exit.ip == MEMORY, "fetch of nothing");
	/* A speculative load gives NaT. */
	machine(1, 0);
	set_gr(14, MEMORY);
	at("ld8_s", 0, PHYS, false);
	go();
	if (passed("ld8.s of nothing"))
		check_eq(mont_nat(cpu, 8), 1, "its NaT");
	group("addresses that nothing answers");
}

/* The host's exit says what the guest's registers would have. */
static void test_host(void)
{
	static const struct {
		const char *name;
		int slot;
		u64 r14, psr;
	} c[] = {
		{ "ld8", 0, DATA_VA, VIRT },
		{ "st8", 1, DATA_VA, VIRT | CPL(3) },
		{ "xchg8", 0, DATA_VA, VIRT },
		{ "ld8", 1, DATA_PA | 1, PHYS },
		{ "fc", 0, DATA_VA, VIRT },
		{ "probe_w_fault", 1, DATA_VA, VIRT | CPL(2) },
		{ "ssm_bad", 1, 0, PHYS },
		{ "to_k0", 0, 0, PHYS | CPL(3) },
		{ "from_rr", 0, 0, PHYS | CPL(3) },
		{ "bsw0", 2, 0, PHYS | CPL(1) },
		{ "fadd_lh", 1, 0, PHYS | MONT_PSR_DFL | MONT_PSR_DFH },
		{ "vmsw0", 2, 0, PHYS },
		{ "ld8_s", 0, DATA_VA, VIRT },
	};
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(c); i++) {
		struct record r;

		machine(1, 0);
		map_code(0);
		set_gr(14, c[i].r14);
		at(c[i].name, c[i].slot, c[i].psr, false);
		go();
		r = *record(0);
		check(nr_records() == 1, "%s faults", c[i].name);
		machine(1, MONT_CFG_HOST_INTERRUPTIONS);
		map_code(0);
		set_gr(14, c[i].r14);
		at(c[i].name, c[i].slot, c[i].psr, false);
		go();
		check(last_exit.reason == MONT_EXIT_INTERRUPTION && last_exit.vector == r.vector &&
			      last_exit.isr == r.isr && last_exit.ip == r.iip &&
			      (int)last_exit.slot == c[i].slot &&
			      (!r.ifa || (last_exit.ifa == r.ifa && last_exit.itir == r.itir)),
		      "%s: the host sees vector %#x isr %#llx", c[i].name, last_exit.vector,
		      (unsigned long long)last_exit.isr);
		check_eq(get(MONT_REG_SPECIAL, MONT_SPECIAL_IP), start_ip, "IP stays");
	}
	/* A break has executed; in MLX it is slot 2 to the host. */
	machine(1, MONT_CFG_HOST_INTERRUPTIONS);
	at("break_x", 2, PHYS, true);
	go();
	check(last_exit.reason == MONT_EXIT_BREAK && last_exit.iim == 0x123456789abcdefULL &&
		      last_exit.slot == 2 &&
		      get(MONT_REG_SPECIAL, MONT_SPECIAL_IP) == start_ip + 16,
	      "break.x: slot %u", last_exit.slot);
	group("interruptions to the host");
}

/*
 * Rotation by br.ctop (SDM volume 1, 4.5.1): what was in a register is in the one with
 * the next higher number, the highest's goes to the lowest, and each rrb is one less.
 */
static void test_rotation(void)
{
	const u64 predicates = 0x1234567890ab0001ULL;
	const u32 sof = 24, sor = 16;
	u64 fr[2] = { 0, 0x1003e };
	u32 i;

	machine(1, 0);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_CFM, sof | sor / 8 << 14);
	for (i = 0; i < sof; i++)
		set_gr(32 + i, 100 + i);
	for (i = 0; i < 96; i++) {
		fr[0] = 200 + i;
		if (mont_reg_set(cpu, MONT_REG_FR, 32 + i, fr))
			exit(1);
	}
	set(MONT_REG_PR, 0, predicates);
	set(MONT_REG_AR, 65, 5);
	at("br_ctop", 2, PHYS, true);
	go();
	passed("br.ctop");
	for (i = 0; i < sor; i++)
		check_eq(gr(32 + (i + 1) % sor), 100 + i, "a rotating register");
	for (; i < sof; i++)
		check_eq(gr(32 + i), 100 + i, "a register that does not rotate");
	for (i = 0; i < 96; i++)
		check_eq(get(MONT_REG_FR, 32 + (i + 1) % 96), 200 + i, "a rotating FR");
	/* p63 was set to 1, for the loop goes on, and is p16 now. */
	check_eq(cpu->s.pr >> 16 & 1, 1, "p16");
	for (i = 16; i < 63; i++)
		check_eq(cpu->s.pr >> (i + 1) & 1, predicates >> i & 1, "a rotating predicate");
	check_eq(cpu->s.pr & 0xffff, predicates & 0xffff, "p0 to p15");
	check_eq(get(MONT_REG_SPECIAL, MONT_SPECIAL_CFM),
		 sof | sor / 8 << 14 | (sor - 1) << 18 | (u64)95 << 25 | (u64)47 << 32, "CFM");
	check_eq(get(MONT_REG_AR, 65), 4, "AR.LC");
	group("rotation: each value to the next higher number");
}

/* Frames: what a call, clrrrb and loadrs do to CFM and to the backing store. */
static void test_frames(void)
{
	const u64 rrbs = 3 << 18 | (u64)5 << 25, rrb_pr = (u64)7 << 32;
	const u64 cfm = 24 | 8 << 7 | 2 << 14 | rrbs | rrb_pr, pfm = MONT_BIT(38) - 1;
	const u64 bsp = STACK_PA + 0x100;
	u32 bytes;

	/* A call's frame is the caller's outputs, with nothing that rotates (SDM volume 1, 4.1.2). */
	machine(1, 0);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_CFM, cfm);
	set(MONT_REG_BR, 7, label("passed"));
	at("br_call", 2, PHYS, true);
	go();
	passed("br.call");
	check_eq(get(MONT_REG_SPECIAL, MONT_SPECIAL_CFM), 24 - 8, "CFM of what is called");
	check_eq(get(MONT_REG_AR, 64) & pfm, cfm, "PFS.pfm");
	/* clrrrb clears every base, clrrrb.pr that of predicates (SDM volume 3, clrrrb). */
	machine(1, 0);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_CFM, cfm);
	at("clrrrb_pr", 2, PHYS, true);
	go();
	passed("clrrrb.pr");
	check_eq(get(MONT_REG_SPECIAL, MONT_SPECIAL_CFM), cfm & ~rrb_pr, "CFM after clrrrb.pr");
	at("clrrrb", 2, PHYS, true);
	go();
	passed("clrrrb");
	check_eq(get(MONT_REG_SPECIAL, MONT_SPECIAL_CFM), cfm & ~rrb_pr & ~rrbs,
		 "CFM after clrrrb");
	/* RSC.loadrs is in bytes; eight of them are a register (SDM volume 2, 6.5.4). */
	for (bytes = 0; bytes <= 64; bytes += 4) {
		machine(1, 0);
		set(MONT_REG_SPECIAL, MONT_SPECIAL_CFM, 0);
		set(MONT_REG_AR, 18, bsp);
		set(MONT_REG_AR, 16, bytes << 16);
		at("loadrs", 0, PHYS, true);
		go();
		passed("loadrs");
		check_eq(get(MONT_REG_AR, 17), bsp, "BSP");
		check_eq(get(MONT_REG_AR, 18), bsp - bytes / 8 * 8, "BSPSTORE");
	}
	group("frames: call, clrrrb, loadrs");
}

/* How many cycles it takes to get past @name. */
static u64 cycles_of(const char *name, int slot)
{
	u64 begun = get(MONT_REG_SPECIAL, MONT_SPECIAL_CYCLES);

	at(name, slot, PHYS, true);
	go();
	passed(name);
	return get(MONT_REG_SPECIAL, MONT_SPECIAL_CYCLES) - begun;
}

/*
 * alloc goes on when the whole frame has its registers, and a return when the
 * caller's are back (SDM volume 2, 6.4 and 6.5.3). Nothing of that takes a cycle
 * without the timing model (model.rst, A5).
 */
static void test_whole_frames(void)
{
	const u64 cfm = 96 | 96 << 7;
	u64 few, many;
	u32 i;

	machine(1, 0);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_CFM, cfm);
	set(MONT_REG_BR, 7, label("passed"));
	for (i = 0; i < 96; i++)
		set_gr(32 + i, 100 + i);
	(void)cycles_of("br_call", 2);
	few = cycles_of("alloc_small", 0);
	check_eq(get(MONT_REG_AR, 18), STACK_PA + 8 * 8, "BSPSTORE: eight registers stored");
	many = cycles_of("alloc_big", 0);
	check(TIMED || many == few,
	      "alloc with 88 registers to store takes %llu cycles, without %llu",
	      (unsigned long long)many, (unsigned long long)few);
	check_eq(get(MONT_REG_AR, 18), STACK_PA + 97 * 8, "BSPSTORE: all, and a NaT collection");
	for (i = 0; i < 96; i++)
		set_gr(32 + i, 1000 + i);
	set(MONT_REG_BR, 7, label("passed"));
	(void)cycles_of("br_ret", 2);
	few = get(MONT_REG_SPECIAL, MONT_SPECIAL_CYCLES);
	run_cycles(3);
	check_eq(get(MONT_REG_SPECIAL, MONT_SPECIAL_CYCLES), few + 3, "cycles behind the return");
	check_eq(get(MONT_REG_SPECIAL, MONT_SPECIAL_CFM), cfm, "CFM");
	for (i = 0; i < 96; i++)
		check_eq(gr(32 + i), 100 + i, "a register of the caller");
	group("a frame is whole before the program goes on, within one cycle");
}

/* The program refers to the page of the backing store, which may leave copies of it. */
static void refer(u64 psr)
{
	static const char *const names[] = { "ld8", "st8" };
	u32 i;

	for (i = 0; i < MONT_ARRAY_SIZE(names); i++) {
		set_gr(14, STACK_PA + 0x200);
		at(names[i], 0, psr, true);
		go();
		passed(names[i]);
	}
}

/* One register is loaded from @va under RSC's bits @rsc; true if that is through. */
static bool loads_one(u64 va, u64 rsc, u64 psr, u64 want)
{
	set(MONT_REG_SPECIAL, MONT_SPECIAL_CFM, 0);
	set(MONT_REG_AR, 18, va + 8);
	set(MONT_REG_AR, 16, 8 << 16 | rsc);
	at("loadrs", 0, psr, false);
	go();
	return !nr_records() &&
	       check_eq(cpu->s.gr[32 + (cpu->s.bof + 95) % 96], want, "the register loaded");
}

/* The instruction stores once more, to memory at @pa. */
static void stores_one(u64 pa, u64 psr, u64 want)
{
	*mem64(pa) = 0;
	at("flushrs", 0, psr, true);
	go();
	passed("flushrs");
	check_eq(*mem64(pa), want, "the word stored");
}

/*
 * The register stack engine refers under PSR.rt, RSC.be and RSC.pl, whatever the
 * program does under PSR.dt, PSR.be and its level (SDM volume 2, 6.1).
 */
static void test_rse_modes(void)
{
	const u64 value = 0x1122334455667788ULL, swapped = 0x8877665544332211ULL;
	const u64 page = STACK_PA & ~((1ULL << PS) - 1);

	machine(1, 0);
	map(false, page, PTE(DATA_PA, 3, 0));
	*mem64(DATA_PA) = 5;
	*mem64(STACK_PA) = value;
	refer(PHYS | MONT_PSR_DT);
	check(loads_one(STACK_PA, 0, PHYS | MONT_PSR_DT, value), "loadrs, rt 0");
	stores_one(STACK_PA, PHYS | MONT_PSR_DT, value);
	check_eq(*mem64(DATA_PA), 5, "where PSR.dt would lead");
	group("the RSE's addresses are physical where PSR.rt is 0, not PSR.dt");

	machine(1, 0);
	*mem64(STACK_PA) = value;
	refer(PHYS);
	check(loads_one(STACK_PA, 1 << 4, PHYS, swapped), "loadrs, RSC.be 1");
	stores_one(STACK_PA, PHYS, value);
	group("the RSE's byte order is RSC.be, not PSR.be");

	machine(1, 0);
	map(false, page, PTE(page, 3, 0));
	refer(PHYS | MONT_PSR_DT | MONT_PSR_RT);
	check(!loads_one(STACK_PA, 3 << 2, PHYS | MONT_PSR_DT | MONT_PSR_RT, 0), "loadrs, pl 3");
	faulted("loadrs, RSC.pl 3", 0x5300, MONT_ISR_R | MONT_ISR_RS);
	group("the RSE's level is RSC.pl, not the program's");
}

int main(void)
{
	test_whole_frames();
	test_rse_modes();
	test_rfi_modes();
	test_byte_order();
	test_nothing_there();
	test_host();
	test_rotation();
	test_frames();
	return tap_end();
}
