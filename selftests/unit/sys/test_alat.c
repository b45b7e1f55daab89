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

/* True if the check @name of r8 branches: PSR.tb records the branch. */
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
	/* The page is one that has been stored to. */
	for (offset = 0; offset < 48; offset += 8) {
		machine(1, 0);
		step("st8", DATA_PA + 64);
		step("ld8_a", DATA_PA + offset);
		step("stf_spill", DATA_PA + 16);
		check_eq(branches("chk_a_r8"), offset == 16 || offset == 24,
			 "sixteen bytes stored");
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

/* Processor @v executes @name; both have turns until they are where they stay. */
static void on(u32 v, const char *name, u64 address, u64 psr)
{
	cpu = mont_vcpu(pkg, v);
	set_gr(14, address);
	at(name, 0, psr, true);
	run_cycles(4000);
}

/* An entry of either processor, and a store of the other. */
static void test_others(void)
{
	u32 owner, overlap;

	for (owner = 0; owner < 2; owner++) {
		for (overlap = 0; overlap < 2; overlap++) {
			const struct record *r;

			machine(2, 0);
			r = record(0);
			cpu = mont_vcpu(pkg, !owner);
			set(MONT_REG_SPECIAL, MONT_SPECIAL_IP, label("passed"));
			on(owner, "ld8_a", DATA_PA, PHYS);
			on(!owner, "st1", DATA_PA + (overlap ? 3 : 8), PHYS);
			check_eq(nr_records(), 0, "interruptions");
			on(owner, "chk_a_r8", DATA_PA, PHYS | MONT_PSR_TB);
			check(nr_records() == 1 && r->vector == 0x5f00, "vector %#llx",
			      (unsigned long long)r->vector);
			check_eq((r->isr >> MONT_ISR_EI_SHIFT & 3) == 0 && r->iipa == start_ip,
				 overlap, "the check branches");
		}
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
