// SPDX-License-Identifier: GPL-2.0-only
/*
 * Execution that falls through the end of a page goes on in the page that is next
 * by its virtual address, wherever that is in memory (SDM volume 2, 4.1: each page
 * has a translation of its own). What executes is what memory holds, whatever has been
 * kept of it.
 */
#include "sys_test.h"
#include "memory/mem.h"
#include "pmu/observer.h"

#define VA 0x2000000000600000ULL
#define SIZE (1ULL << PS)
#define NR 4 /* bundles at a page's end, and at another one's beginning */

/* NR times the bundle at @name, which adds 1 to a register, at @pa. */
static void put(u64 pa, const char *name)
{
	unsigned int i;

	for (i = 0; i < NR; i++)
		memcpy(ram + pa + 16 * i, ram + label(name), 16);
	mont_mem_invalidate(pkg, pa, 16 * NR);
}

static void from(u64 ip, u64 psr)
{
	set(MONT_REG_SPECIAL, MONT_SPECIAL_IP, ip);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_PSR, psr);
}

static void counted(u64 first, u64 behind, u64 next)
{
	check_eq(gr(8), first, "bundles at the page's end");
	check_eq(gr(9), behind, "bundles behind it in memory");
	check_eq(gr(10), next, "bundles of the next page");
}

/*
 * A page at DATA_PA, the next one at FAR_PA; behind the first in memory lies other
 * code, which has been executed and is decoded.
 */
static void prepare(void)
{
	machine(1, 0);
	put(DATA_PA + SIZE - 16 * NR, "count_r8");
	put(DATA_PA + SIZE, "count_r9");
	put(FAR_PA, "count_r10");
	map_code(0);
	from(DATA_PA + SIZE, PHYS);
	run_bundles(NR);
	counted(0, NR, 0);
	map(true, VA, PTE(DATA_PA, 3, 3));
}

static void fall_through(void)
{
	unsigned int before, bundles;

	for (before = 1; before <= NR; before++) {
		for (bundles = 1; bundles <= before + NR; bundles++) {
			prepare();
			map(true, VA + SIZE, PTE(FAR_PA, 3, 3));
			from(VA + SIZE - 16 * before, VIRT);
			run_bundles(bundles);
			counted(bundles < before ? bundles : before, NR,
				bundles < before ? 0 : bundles - before);
			check_eq(get(MONT_REG_SPECIAL, MONT_SPECIAL_IP),
				 VA + SIZE + 16 * (s64)((int)bundles - (int)before), "IP");
		}
	}
	group("falling through a page's end: the next page is that of the next address");
}

static void unmapped(void)
{
	prepare();
	start_ip = VA + SIZE;
	start_psr = VIRT;
	from(VA + SIZE - 16 * NR, VIRT);
	go();
	check_eq(gr(8), NR, "bundles at the page's end");
	check_eq(gr(9), NR, "bundles behind it in memory");
	check_eq(record(0)->vector, 0x0c00, "vector: alternate instruction TLB");
	check_eq(record(0)->iip, VA + SIZE, "IIP");
	check_eq(record(0)->iipa, VA + SIZE - 16, "IIPA");
	group("falling through into a page without a translation");
}

/*
 * A page at two virtual addresses, executed at both by turns: a range takes what is at
 * one of them (Montecito manual 3.3.5: ranges are compared with virtual addresses).
 */
static void two_addresses(void)
{
	struct mont_observer o = {
		.filter = {
			.code = 0x08, /* IA64_INST_RETIRED */
			.plm = 0xf,
			.flags = MONT_FILTER_IAR,
			.iar_lo = VA,
			.iar_hi = VA + SIZE,
		},
	};
	const char *why = "";
	unsigned int turns;

	prepare();
	map(true, VA + 4 * SIZE, PTE(DATA_PA, 3, 3));
	check(!mont_observer_attach(cpu, &o, &why), "attached: %s", why);
	for (turns = 1; turns <= 3; turns++) {
		from(VA + SIZE - 16 * NR, VIRT);
		run_bundles(NR);
		from(VA + 5 * SIZE - 16 * NR, VIRT);
		run_bundles(NR);
	}
	check_eq(gr(8), 6 * NR, "bundles executed");
	check_eq(mont_observer_read(cpu, &o), 3 * 3 * NR, "instructions in the range");
	mont_observer_detach(cpu, &o);
	group("a page at two addresses: a range takes what is executed at its own");
}

/* One bundle of another place at @pa, as if stores had written it: it alone has changed. */
static void put_one(u64 pa, const char *name)
{
	memcpy(ram + pa, ram + label(name), 16);
	mont_code_written(pkg, pa, 16);
}

/*
 * A group of two bundles that has been executed, and so is known; then the second one
 * changes, whose place and address are what they were.
 */
static void second_changes(void)
{
	unsigned int i;

	machine(1, 0);
	put_one(DATA_PA, "count_on");
	put_one(DATA_PA + 16, "count_r9");
	for (i = 0; i < 3; i++) {
		from(DATA_PA, PHYS);
		run_bundles(2);
	}
	put_one(DATA_PA + 16, "count_more");
	from(DATA_PA, PHYS);
	run_bundles(2);
	check_eq(get(MONT_REG_SPECIAL, MONT_SPECIAL_IP), DATA_PA + 32, "IP");
	check_eq(gr(8), 4, "the first bundle");
	check_eq(gr(9), 4, "the second one, slot 0");
	check_eq(gr(10), 1, "slot 1, as it is now");
	check_eq(gr(11), 1, "slot 2, as it is now");
	group("code that changes: the second bundle of a group, and it alone");
}

int main(void)
{
	fall_through();
	unmapped();
	two_addresses();
	second_changes();
	return tap_end();
}
