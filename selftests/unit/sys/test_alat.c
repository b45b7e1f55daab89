// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ALAT through advanced loads, checks and stores (SDM volume 1, 4.4.5): what
 * removes an entry, and what keeps it.
 */
#include "sys_test.h"

/* One instruction of r14, and r15 to be stored. */
static void step(const char *name, u64 address)
{
	set_gr(14, address);
	*mem64(REC) = 0;
	at(name, 0, PHYS, true);
	go();
	passed(name);
}

/* Does the check @name of r8 branch? PSR.tb shows who did. */
static bool branches(const char *name)
{
	const struct record *r = record(0);

	*mem64(REC) = 0;
	at(name, 0, PHYS | MONT_PSR_TB, true);
	go();
	check(nr_records() == 1 && r->vector == 0x5f00 && r->iip == label("passed"),
	      "%s: vector %#llx", name, (unsigned long long)r->vector);
	return (r->isr >> MONT_ISR_EI_SHIFT & 3) == 0 && r->iipa == start_ip;
}

static void test_overlap(void)
{
	int offset;

	for (offset = -8; offset < 16; offset++) {
		bool overlap = offset >= 0 && offset < 8;

		machine(1, 0);
		step("ld8_a", DATA_PA + 8);
		step("st1", DATA_PA + 8 + offset);
		check_eq(branches("chk_a_r8"), overlap, "a byte stored");
	}
	for (offset = -8; offset <= 8; offset += 8) {
		machine(1, 0);
		step("ld8_a", DATA_PA + 8);
		step("st8", DATA_PA + 8 + offset);
		check_eq(branches("chk_a_r8"), !offset, "eight bytes stored");
	}
	group("a store that overlaps any byte removes the entry");
}

/* An entry of ten bytes lies in two words; the page is one that has been stored to. */
static void test_two_words(void)
{
	int offset;

	for (offset = -8; offset < 24; offset++) {
		machine(1, 0);
		step("st8", DATA_PA + 64);
		step("ldfe_a", DATA_PA + 16);
		step("st8", DATA_PA + 64);
		step("st1", DATA_PA + 16 + offset);
		check_eq(branches("chk_a_f8"), offset >= 0 && offset < 10, "a byte stored");
	}
	group("every byte of an entry is looked for, in whichever word it is");
}

static void test_checks(void)
{
	machine(1, 0);
	check(branches("chk_a_r8"), "nothing has been loaded");
	machine(1, 0);
	step("ld8_a", DATA_PA);
	check(!branches("chk_a_r8"), "the first chk.a.nc");
	check(!branches("chk_a_r8"), ".nc keeps the entry");
	check(!branches("chk_a_r8_clr"), "chk.a.clr finds it");
	check(branches("chk_a_r8_clr"), "and has removed it");
	group("nc keeps what it finds, clr removes it");
}

/* Another processor stores; each has turns until both are where they stay. */
static void test_others(void)
{
	u32 overlap;

	for (overlap = 0; overlap < 2; overlap++) {
		machine(2, 0);
		cpu = mont_vcpu(pkg, 1);
		set_gr(14, DATA_PA + (overlap ? 3 : 8));
		at("st1", 0, PHYS, true);
		cpu = mont_vcpu(pkg, 0);
		set_gr(14, DATA_PA);
		at("ld8_a", 0, PHYS, true);
		run_cycles(4000);
		check_eq(nr_records(), 0, "interruptions");
		set(MONT_REG_SPECIAL, MONT_SPECIAL_IP, label("chk_a_r8_0"));
		start_ip = label("chk_a_r8_0");
		set(MONT_REG_SPECIAL, MONT_SPECIAL_PSR, PHYS | MONT_PSR_TB);
		run_cycles(4000);
		check(nr_records() == 1 && record(0)->vector == 0x5f00, "vector %#llx",
		      (unsigned long long)record(0)->vector);
		check_eq((record(0)->isr >> MONT_ISR_EI_SHIFT & 3) == 0 &&
				 record(0)->iipa == start_ip,
			 overlap, "the check branches");
	}
	group("stores of other processors remove entries too");
}

int main(void)
{
	test_overlap();
	test_two_words();
	test_checks();
	test_others();
	return tap_end();
}
