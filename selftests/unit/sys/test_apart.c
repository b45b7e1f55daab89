// SPDX-License-Identifier: GPL-2.0-only
/*
 * State that each of two threads of a core has for itself (manual 2.4, 3.3): registers of all
 * kinds, the PMU, the ALAT. With time and without.
 */
#include "sys_test.h"

/* Let thread @v execute what comes next, and the other one nothing. */
static void only(unsigned int v)
{
	cpu = mont_vcpu(pkg, !v);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_HALTED, 1);
	cpu = mont_vcpu(pkg, v);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_HALTED, 0);
}

static void apart(u32 class, u32 index, u64 first, u64 second)
{
	u64 mine, now;

	cpu = mont_vcpu(pkg, 0);
	set(class, index, first);
	mine = get(class, index);
	cpu = mont_vcpu(pkg, 1);
	set(class, index, second);
	now = get(class, index);
	check(now != mine, "register %u of class %u: both values read %#llx", index, class,
	      (unsigned long long)now);
	cpu = mont_vcpu(pkg, 0);
	check(get(class, index) == mine, "register %u of class %u: %#llx, %#llx before", index,
	      class, (unsigned long long)get(class, index), (unsigned long long)mine);
}

static void apart_range(u32 class, u32 from, u32 to, u64 first, u64 second)
{
	u32 i;

	for (i = from; i <= to; i++)
		apart(class, i, first, second);
}

/* R1, R50 */
static void test_registers(void)
{
	static const u8 ars[] = { 0, 7, 19, 25, 32, 36, 64, 65, 66 };
	unsigned int i;

	machine(2, 0);
	apart_range(MONT_REG_GR, 1, 31, 0x1234, 0x5678);
	apart_range(MONT_REG_FR, 2, 127, 0x1234, 0x5678);
	apart_range(MONT_REG_BR, 0, 7, 0x1230, 0x5670);
	apart(MONT_REG_PR, 0, 0x1233, 0x5679);
	for (i = 0; i < MONT_ARRAY_SIZE(ars); i++)
		apart(MONT_REG_AR, ars[i], 0x12, 0x25);
	/* DCR, ITM, IVA, PTA, IFA, IIM, TPR, ITV */
	apart(MONT_REG_CR, 0, 0x100, 0x200);
	apart(MONT_REG_CR, 1, 0x100, 0x200);
	apart(MONT_REG_CR, 2, 0x8000, 0x10000);
	apart(MONT_REG_CR, 8, 15 << 2, 16 << 2);
	apart(MONT_REG_CR, 20, 0x100, 0x200);
	apart(MONT_REG_CR, 24, 0x100, 0x200);
	apart(MONT_REG_CR, 66, 0x10, 0x20);
	apart(MONT_REG_CR, 72, 0x40, 0x50);
	apart_range(MONT_REG_RR, 0, 7, 0x123 << 8 | PS << 2, 0x456 << 8 | PS << 2);
	apart_range(MONT_REG_IBR, 0, 7, 0x120, 0x560);
	apart_range(MONT_REG_DBR, 0, 7, 0x120, 0x560);
	apart_range(MONT_REG_PMC, 4, 15, 0x08 << 8, 0x12 << 8);
	apart_range(MONT_REG_PMD, 4, 15, 0x1234, 0x5678);
	group("registers of both threads are apart");
}

static void load(unsigned int v)
{
	only(v);
	set_gr(14, DATA_PA);
	*mem64(REC) = 0;
	at("ld8_a", 0, PHYS, true);
	go();
	passed("ld8.a");
}

static void store(unsigned int v)
{
	only(v);
	set_gr(14, DATA_PA);
	set_gr(15, 7);
	*mem64(REC) = 0;
	at("st8", 0, PHYS, true);
	go();
	passed("st8");
}

/* True if thread @v has an entry for r8: its check does not branch. */
static bool has_entry(unsigned int v)
{
	const struct record *r = record(0);

	only(v);
	*mem64(REC) = 0;
	at("chk_a_r8", 0, PHYS | MONT_PSR_TB, true);
	go();
	check(nr_records() == 1 && r->vector == 0x5f00, "chk.a: vector %#llx",
	      (unsigned long long)r->vector);
	return (r->isr >> MONT_ISR_EI_SHIFT & 3) || r->iipa != start_ip;
}

/* R2 */
static void test_alat(void)
{
	unsigned int v;

	for (v = 0; v < 2; v++) {
		machine(2, 0);
		load(v);
		check(!has_entry(!v), "thread %u has the other's entry", !v);
		check(has_entry(v), "thread %u has its own", v);
		load(!v);
		check(has_entry(v), "thread %u loads to the same register", !v);
		store(!v);
		check(!has_entry(v) && !has_entry(!v), "thread %u stores", !v);
	}
	group("each thread has an ALAT, and a store removes the entries of both");
}

int main(void)
{
	threads_timed = TIMED;
	test_registers();
	test_alat();
	free(pkg);
	free(ram);
	free(pristine);
	return tap_end();
}
