// SPDX-License-Identifier: GPL-2.0-only
/*
 * Physical memory in regions, references that the host serves, and calls of the
 * host's firmware (Documentation/model.rst, S15 to S18).
 */
#include "sys_test.h"

#define MMIO_PA 0x10000000ULL
#define MMIO_SIZE 0x10000ULL
#define MMIO_VA 0x2000000010000000ULL
#define ROM_PA 0x20000000ULL
#define ROM_SIZE 0x4000ULL
#define HIGH_PA 0x100000000ULL
#define HIGH_SIZE 0x8000ULL
#define HOLE_PA 0x30000000ULL
#define UC_BIT MONT_BIT(63)
#define PIB 0xfee00000ULL

#define VALUE 0x1122334455667788ULL

static u8 rom[ROM_SIZE] __attribute__((aligned(4096)));
static u8 high[HIGH_SIZE] __attribute__((aligned(4096)));

static void fresh(u32 threads, u32 flags)
{
	more_regions[0] = (struct mont_region){ MMIO_PA, MMIO_SIZE, NULL, MONT_REGION_MMIO, 0 };
	more_regions[1] = (struct mont_region){ ROM_PA, ROM_SIZE, rom, MONT_REGION_READONLY, 0 };
	/* Below the interrupt block and over it: the model's own goes first. */
	more_regions[2] = (struct mont_region){ 0xfec00000, 0x800000, NULL, MONT_REGION_MMIO, 0 };
	more_regions[3] = (struct mont_region){ HIGH_PA, HIGH_SIZE, high, 0, 0 };
	nr_more_regions = 4;
	machine(threads, flags);
}

/* Ready to execute @name with the address @va, under @psr. */
static void prepare(const char *name, int slot, u64 psr, u64 va)
{
	fresh(1, 0);
	if (psr & MONT_PSR_IT)
		map_code(0);
	map(false, MMIO_VA, PTE(MMIO_PA, 3, 3) | PTE_UC);
	set_gr(14, va);
	set_gr(15, VALUE);
	at(name, slot, psr, false);
	go();
}

static bool exited(const char *name, u64 pa, u32 length, bool write)
{
	const struct mont_exit *x = &last_exit;

	return check(x->reason == MONT_EXIT_MMIO && x->pa == pa && x->length == length &&
			     x->write == write && !x->vcpu && x->ip == start_ip &&
			     x->slot == (u32)start_slot,
		     "%s.%d: exit %u pa %#llx length %u write %u ip %#llx.%u, expected %#llx %u %d",
		     name, start_slot, x->reason, (unsigned long long)x->pa, x->length, x->write,
		     (unsigned long long)x->ip, x->slot, (unsigned long long)pa, length, write);
}

/* The exit of a load leaves all as it was, comes again, and is then completed. */
static bool complete(const char *name, u64 lo, u64 hi)
{
	const u64 data[2] = { lo, hi };
	u64 insns = get(MONT_REG_SPECIAL, MONT_SPECIAL_INSNS);
	struct mont_exit x;

	check_eq(get(MONT_REG_SPECIAL, MONT_SPECIAL_IP), start_ip, "IP at the exit");
	mont_run(pkg, &(struct mont_budget){ .insns = 1000 }, &x);
	check(x.reason == MONT_EXIT_MMIO && x.pa == last_exit.pa && !x.insns && !x.cycles,
	      "%s: the exit comes again", name);
	check(!mont_mmio_complete(cpu, data), "%s: completed", name);
	check(mont_mmio_complete(cpu, data) == MONT_EINVAL, "%s: not twice", name);
	check_eq(get(MONT_REG_SPECIAL, MONT_SPECIAL_INSNS), insns, "instructions");
	last_exit.reason = 0;
	go();
	return passed(name);
}

static const struct {
	const char *name;
	u32 length;
	u64 result; /* of VALUE, in r8 */
} loads[] = {
	{ "ld1", 1, 0x88 },
	{ "ld2", 2, 0x7788 },
	{ "ld4", 4, 0x55667788 },
	{ "ld8", 8, VALUE },
};

static void test_loads(void)
{
	unsigned int i;
	int slot;

	for (i = 0; i < MONT_ARRAY_SIZE(loads); i++)
		for (slot = 0; slot < 2; slot++) {
			prepare(loads[i].name, slot, VIRT, MMIO_VA + 0x40);
			if (exited(loads[i].name, MMIO_PA + 0x40, loads[i].length, false))
				complete(loads[i].name, VALUE, ~0ULL);
			check_eq(gr(8), loads[i].result, loads[i].name);

			/* Physically: bit 63 is the uncacheable attribute. */
			prepare(loads[i].name, slot, PHYS, UC_BIT | (MMIO_PA + MMIO_SIZE - 8));
			if (exited(loads[i].name, MMIO_PA + MMIO_SIZE - 8, loads[i].length, false))
				complete(loads[i].name, VALUE, ~0ULL);
			check_eq(gr(8), loads[i].result, loads[i].name);
		}
	group("loads of 1, 2, 4 and 8 bytes take what the host read");

	prepare("ld8_post", 0, VIRT, MMIO_VA);
	if (exited("ld8_post", MMIO_PA, 8, false)) {
		check_eq(gr(14), MMIO_VA, "base at the exit");
		complete("ld8_post", VALUE, 0);
	}
	check_eq(gr(14), MMIO_VA + 8, "base afterwards");
	prepare("ld4", 0, VIRT | MONT_PSR_BE, MMIO_VA);
	if (exited("ld4", MMIO_PA, 4, false))
		complete("ld4", VALUE, 0);
	check_eq(gr(8), 0x88776655, "big-endian");
	prepare("ldfd", 0, VIRT, MMIO_VA + 8);
	if (exited("ldfd", MMIO_PA + 8, 8, false))
		complete("ldfd", 0x3ff0000000000000ULL, 0);
	check_eq(get(MONT_REG_FR, 40), MONT_BIT(63), "ldfd of 1.0");
	prepare("ldf_fill", 1, VIRT, MMIO_VA + 16);
	if (exited("ldf_fill", MMIO_PA + 16, 16, false))
		complete("ldf_fill", VALUE, 0x1003e);
	check_eq(get(MONT_REG_FR, 40), VALUE, "ldf.fill");
	prepare("ldfp8", 1, VIRT, MMIO_VA + 16);
	if (exited("ldfp8", MMIO_PA + 16, 16, false))
		complete("ldfp8", VALUE, 77);
	check(get(MONT_REG_FR, 40) == VALUE && get(MONT_REG_FR, 41) == 77, "ldfp8");
	group("base updates, byte order and floating-point loads");
}

static void stores(const char *name, u64 psr, u64 va, u32 length, u64 lo, u64 hi)
{
	int slot;

	for (slot = 0; slot < 2; slot++) {
		prepare(name, slot, psr, va);
		exited(name, MMIO_PA + 0x20, length, true);
		check(last_exit.data[0] == lo && last_exit.data[1] == hi,
		      "%s: data %#llx %#llx, expected %#llx %#llx", name,
		      (unsigned long long)last_exit.data[0], (unsigned long long)last_exit.data[1],
		      (unsigned long long)lo, (unsigned long long)hi);
		/* With the three of the prelude, the slots before it. */
		check_eq(get(MONT_REG_SPECIAL, MONT_SPECIAL_INSNS), 3 + slot, "instructions");
		check_eq(gr(14), va, "base at the exit");
		check(mont_mmio_complete(cpu, last_exit.data) == MONT_EINVAL, "nothing waits");
		last_exit.reason = 0;
		go();
		check(last_exit.reason == MONT_EXIT_BUDGET, "%s: one exit", name);
		passed(name);
	}
}

static void test_stores(void)
{
	stores("st1", VIRT, MMIO_VA + 0x20, 1, 0x88, 0);
	stores("st2", VIRT, MMIO_VA + 0x20, 2, 0x7788, 0);
	stores("st4", VIRT, MMIO_VA + 0x20, 4, 0x55667788, 0);
	stores("st8", VIRT, MMIO_VA + 0x20, 8, VALUE, 0);
	stores("st8", PHYS, UC_BIT | (MMIO_PA + 0x20), 8, VALUE, 0);
	stores("st8", VIRT | MONT_PSR_BE, MMIO_VA + 0x20, 8, 0x8877665544332211ULL, 0);
	stores("st8_post", VIRT, MMIO_VA + 0x20, 8, VALUE, 0);
	check_eq(gr(14), MMIO_VA + 0x28, "base afterwards");
	stores("stf_spill", VIRT, MMIO_VA + 0x20, 16, 0, 0);
	group("stores go to the host once");

	/* Store and load of one bundle: two exits, in their order. */
	prepare("st_ld", 0, VIRT, MMIO_VA);
	set_gr(9, 5);
	if (exited("st_ld", MMIO_PA, 4, true)) {
		last_exit.reason = 0;
		go();
		check(last_exit.reason == MONT_EXIT_MMIO && !last_exit.write &&
			      last_exit.length == 8 && last_exit.slot == 1,
		      "the load comes second");
		check_eq(gr(9), 5, "slot 2 waits");
		check(!mont_mmio_complete(cpu, (u64[2]){ VALUE, 0 }), "completed");
		last_exit.reason = 0;
		go();
	}
	passed("st_ld");
	check(gr(8) == VALUE && gr(9) == 6, "result");
	check_eq(get(MONT_REG_SPECIAL, MONT_SPECIAL_INSNS) % 3,
		 get(MONT_REG_SPECIAL, MONT_SPECIAL_PSR) >> MONT_PSR_RI_SHIFT & 3,
		 "whole bundles retired, and of this one");
	prepare("st4", 0, VIRT, MMIO_VA);
	last_exit.reason = 0;
	at("st4", 0, VIRT | MONT_PSR_SS, true);
	go();
	exited("st4, single step", MMIO_PA, 4, true);
	last_exit.reason = 0;
	go();
	check(nr_records() == 1 && record(0)->vector == 0x6000, "single step trap, once");
	group("a store and a load in one bundle");
}

/* The run ended with a machine check exit. */
static void dead(const char *what)
{
	check(last_exit.reason == MONT_EXIT_INTERRUPTION && last_exit.vector == 0xffff,
	      "%s: exit %u vector %#x", what, last_exit.reason, last_exit.vector);
}

static void test_others(void)
{
	static const char *const uncacheable[] = {
		"xchg8", "cmpxchg8", "fetchadd8", "ld16", "st16", "ldfe", "stfe", "cmp8xchg16",
	};
	static const u64 isr[] = {
		MONT_ISR_R | MONT_ISR_W,
		MONT_ISR_R | MONT_ISR_W,
		MONT_ISR_R | MONT_ISR_W,
		MONT_ISR_R,
		MONT_ISR_W,
		MONT_ISR_R,
		MONT_ISR_W,
		MONT_ISR_R | MONT_ISR_W,
	};
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(uncacheable); i++) {
		prepare(uncacheable[i], 0, VIRT, MMIO_VA);
		faulted(uncacheable[i], 0x5b00, isr[i]);
	}
	group("what needs cacheable memory: Unsupported Data Reference");

	prepare("ld8_s", 0, VIRT, MMIO_VA);
	passed("ld8.s");
	check(cpu->s.nat[8], "ld8.s gives NaT");
	prepare("ld8_a", 0, VIRT, MMIO_VA);
	passed("ld8.a");
	check_eq(gr(8), 0, "ld8.a gives 0");
	prepare("ld8_c", 0, VIRT, MMIO_VA);
	if (exited("ld8_c", MMIO_PA, 8, false))
		complete("ld8_c", VALUE, 0);
	check_eq(gr(8), VALUE, "ld8.c reads");
	prepare("lfetch_fault", 0, VIRT, MMIO_VA);
	passed("lfetch.fault");
	prepare("fc", 0, VIRT, MMIO_VA);
	passed("fc");
	prepare("probe_w", 0, VIRT, MMIO_VA);
	passed("probe.w");
	check_eq(gr(8), 1, "probe.w allows");
	group("speculative, advanced and non-access references");

	prepare("ld8", 0, PHYS, MMIO_PA);
	dead("cacheable load");
	prepare("st8", 0, PHYS, MMIO_PA);
	dead("cacheable store");
	prepare("ld8", 0, PHYS, UC_BIT | HOLE_PA);
	dead("load from a hole");
	prepare("st8", 0, PHYS, HOLE_PA);
	dead("store to a hole");
	prepare("ld8", 0, PHYS, MEMORY);
	dead("load behind memory");
	prepare("ld8", 0, PHYS, UC_BIT | 0xfee00000);
	dead("load from the interrupt block");
	fresh(1, 0);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_IP, UC_BIT | MMIO_PA);
	go();
	dead("fetch");
	fresh(1, 0);
	set(MONT_REG_AR, 18, UC_BIT | MMIO_PA);
	set(MONT_REG_AR, 16, 0);
	cpu->s.ndirty = 4;
	at("flushrs", 0, PHYS, false);
	go();
	dead("register stack engine");
	group("references that nothing answers");
}

/* Nothing comes between the host's answer and the instruction that takes it. */
static void test_interrupt(void)
{
	prepare("ld8", 0, VIRT | MONT_PSR_I, MMIO_VA);
	exited("ld8", MMIO_PA, 8, false);
	check(!mont_irq_inject(cpu, 0x40), "injected");
	check(!mont_mmio_complete(cpu, (u64[2]){ VALUE, 0 }), "completed");
	last_exit.reason = 0;
	go();
	check(nr_records() == 1 && record(0)->vector == 0x3000, "the interrupt is taken");
	check_eq(record(0)->iip, start_ip + 16, "behind the load");
	check_eq(gr(8), VALUE, "which took its data");

	prepare("st8", 0, VIRT | MONT_PSR_I, MMIO_VA);
	exited("st8", MMIO_PA, 8, true);
	check(!mont_irq_inject(cpu, 0x40), "injected");
	last_exit.reason = 0;
	go();
	check(nr_records() == 1 && record(0)->vector == 0x3000, "the interrupt is taken");
	check_eq(record(0)->iip, start_ip + 16, "behind the store");

	/* Its page goes away meanwhile: the fault, and later a new reference. */
	prepare("ld8", 0, VIRT, MMIO_VA);
	check(!mont_mmio_complete(cpu, (u64[2]){ VALUE, 0 }), "completed");
	mont_tc_purge(cpu, MMIO_VA, PS);
	last_exit.reason = 0;
	go();
	check(nr_records() == 1 && record(0)->vector == 0x1000, "fault at the second try");
	map(false, MMIO_VA, PTE(MMIO_PA, 3, 3) | PTE_UC);
	at("ld8", 0, VIRT, false);
	go();
	exited("ld8 again", MMIO_PA, 8, false);

	/* The host moves the thread elsewhere: nothing waits any more. */
	prepare("ld8", 0, VIRT, MMIO_VA);
	at("nop_m", 0, VIRT, false);
	last_exit.reason = 0;
	go();
	passed("moved away");
	check(mont_mmio_complete(cpu, (u64[2]){ 0, 0 }) == MONT_EINVAL, "nothing waits");
	group("a served reference comes before interrupts, or is given up");
}

static void test_state(void)
{
	u8 *blob = malloc(1 << 20);
	u64 h, h2;

	prepare("ld8", 1, VIRT, MMIO_VA + 8);
	exited("ld8", MMIO_PA + 8, 8, false);
	check(mont_state_size(pkg) <= 1 << 20, "room");
	h = mont_state_hash(pkg);
	mont_state_save(pkg, blob);
	complete("ld8", 1, 0);
	check_eq(gr(8), 1, "first answer");
	check(mont_state_hash(pkg) != h, "another state");

	check(!mont_state_load(pkg, blob, mont_state_size(pkg)), "loaded");
	check_eq(mont_state_hash(pkg), h, "hash");
	go();
	exited("ld8 restored", MMIO_PA + 8, 8, false);
	/* The answer itself is state as well. */
	check(!mont_mmio_complete(cpu, (u64[2]){ 2, 0 }), "completed");
	h2 = mont_state_hash(pkg);
	mont_state_save(pkg, blob);
	last_exit.reason = 0;
	go();
	check_eq(gr(8), 2, "second answer");
	check(!mont_state_load(pkg, blob, mont_state_size(pkg)), "loaded with the answer");
	check_eq(mont_state_hash(pkg), h2, "hash with the answer");
	last_exit.reason = 0;
	go();
	passed("ld8 restored");
	check_eq(gr(8), 2, "second answer again");

	/* A store that the host has served is not served again. */
	prepare("st8", 0, VIRT, MMIO_VA);
	exited("st8", MMIO_PA, 8, true);
	mont_state_save(pkg, blob);
	last_exit.reason = 0;
	go();
	passed("st8");
	check(!mont_state_load(pkg, blob, mont_state_size(pkg)), "loaded behind the store");
	go();
	check(last_exit.reason == MONT_EXIT_BUDGET, "no second exit");
	passed("st8 restored");
	free(blob);
	group("a reference that waits or has been served is saved state");
}

static void test_memory(void)
{
	static const u64 give[2] = { 0x0123456789abcdefULL, 0xfedcba9876543210ULL };
	u64 h;

	memcpy(rom, give, sizeof(give));
	prepare("ld8", 0, PHYS, ROM_PA + 8);
	passed("ld8 from ROM");
	check_eq(gr(8), give[1], "ROM");
	prepare("st2", 1, PHYS, ROM_PA + 8);
	if (exited("st2", ROM_PA + 8, 2, true))
		check_eq(last_exit.data[0], 0x7788, "data");
	last_exit.reason = 0;
	go();
	passed("st2 to ROM");
	check(!memcmp(rom, give, sizeof(give)), "ROM unchanged");
	/* Again: the fast path must not have learnt the page. */
	prepare("ld8", 0, PHYS, ROM_PA + 8);
	at("st8", 0, PHYS, false);
	go();
	exited("st8 after ld8", ROM_PA + 8, 8, true);
	check(!memcmp(rom, give, sizeof(give)), "ROM unchanged");
	prepare("xchg8", 0, PHYS, ROM_PA + 8);
	dead("semaphore in ROM");
	group("read-only memory");

	memset(high, 0, sizeof(high));
	h = mont_state_hash(pkg);
	prepare("st8", 0, PHYS, HIGH_PA + HIGH_SIZE - 8);
	passed("st8 above");
	check_eq(*(u64 *)(high + HIGH_SIZE - 8), VALUE, "the last word");
	prepare("ld8", 0, PHYS, HIGH_PA + HIGH_SIZE);
	dead("behind it");
	prepare("ld8", 0, PHYS, HIGH_PA - 8);
	dead("below it");
	fresh(1, 0);
	h = mont_state_hash(pkg);
	high[HIGH_SIZE - 1] ^= 1;
	check(mont_state_hash(pkg) != h, "it is hashed");

	/* Code there: executed, replaced, executed again. */
	fresh(1, 0);
	memcpy(high + 0x40, guest_code + label("give1_0") - GUEST_BASE, 16);
	set(MONT_REG_BR, 5, label("passed"));
	set(MONT_REG_SPECIAL, MONT_SPECIAL_IP, HIGH_PA + 0x40);
	go();
	check_eq(gr(8), 1, "first code");
	memcpy(high + 0x40, guest_code + label("give2_0") - GUEST_BASE, 16);
	mont_mem_invalidate(pkg, HIGH_PA, ~0ULL);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_IP, HIGH_PA + 0x40);
	go();
	check_eq(gr(8), 2, "second code");
	set_gr(14, HIGH_PA + 0x40);
	set_gr(15, ((const u64 *)(guest_code + label("give1_0") - GUEST_BASE))[0]);
	set_gr(18, ((const u64 *)(guest_code + label("give1_0") - GUEST_BASE))[1]);
	set(MONT_REG_BR, 7, HIGH_PA + 0x40);
	at("smc_plain", 0, PHYS, false);
	go();
	check_eq(gr(8), 1, "code that the guest stored");
	group("a second region of memory");
}

static void test_interrupt_block(void)
{
	fresh(2, 0);
	cpu = mont_vcpu(pkg, 1);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_HALTED, 1);
	cpu = mont_vcpu(pkg, 0);
	set_gr(14, UC_BIT | PIB | 1 << 12);
	set_gr(15, 0x51);
	check_eq(mont_vcpu(pkg, 1)->s.cr.lid, 1ULL << 24, "LID of the second");
	at("st8", 0, PHYS, false);
	go();
	passed("an IPI");
	check_eq(mont_vcpu(pkg, 1)->s.cr.irr[1], MONT_BIT(0x51 - 64), "it is pending there");
	/* The upper half of its 2 MB, 0xfef00000 to 0xfeffffff: the external task priority. */
	set_gr(14, UC_BIT | (PIB + 0x1e0008));
	at("st1", 0, PHYS, false);
	go();
	passed("a store to XTP");
	set_gr(14, UC_BIT | 0xfec00010);
	at("st4", 0, PHYS, false);
	go();
	exited("below the block", 0xfec00010, 4, true);
	group("the interrupt block goes before a region");
}

static void firmware(const char *name, int slot, u32 flags, u64 psr)
{
	fresh(1, flags);
	map_code(0);
	at(name, slot, psr, false);
	go();
}

static void test_firmware(void)
{
	u32 both[] = { MONT_CFG_FIRMWARE, MONT_CFG_FIRMWARE | MONT_CFG_HOST_INTERRUPTIONS };
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(both); i++) {
		firmware("firmware", 0, both[i], PHYS);
		check(last_exit.reason == MONT_EXIT_FIRMWARE && last_exit.iim == 0x1ff123 &&
			      last_exit.ip == start_ip && last_exit.slot == 0,
		      "break.m: exit %u imm %#llx", last_exit.reason,
		      (unsigned long long)last_exit.iim);
		check_eq(get(MONT_REG_SPECIAL, MONT_SPECIAL_INSNS), 4, "it has retired");
		set_gr(8, 42);
		last_exit.reason = 0;
		go();
		passed("behind the call");
		check_eq(gr(8), 42, "result");
		firmware("firmware_b", 2, both[i], VIRT);
		check(last_exit.reason == MONT_EXIT_FIRMWARE && last_exit.iim == 0x1fffff &&
			      last_exit.slot == 2,
		      "break.b");
		check_eq(get(MONT_REG_SPECIAL, MONT_SPECIAL_IP), start_ip + 16, "IP behind it");
		firmware("firmware_low", 1, both[i], PHYS);
		check(last_exit.reason == MONT_EXIT_FIRMWARE && last_exit.iim == 0x1ff000,
		      "lowest immediate");
	}
	firmware("not_firmware", 0, MONT_CFG_FIRMWARE, PHYS);
	if (faulted("not_firmware", 0x2c00, 0))
		check_eq(record(0)->iim, 0x1fefff, "IIM");
	firmware("firmware", 0, 0, PHYS);
	faulted("without the flag", 0x2c00, 0);
	firmware("firmware", 1, MONT_CFG_FIRMWARE, VIRT | CPL(3));
	faulted("at level 3", 0x2c00, 0);
	firmware("firmware", 0, MONT_CFG_HOST_INTERRUPTIONS, PHYS);
	check(last_exit.reason == MONT_EXIT_BREAK, "a break of the host's");
	group("calls of firmware");
}

static void test_init(void)
{
	static const struct {
		struct mont_region r[3];
		u32 nr;
		const char *what;
	} bad[] = {
		{ { { 0, 1 << 20, rom, 0, 0 } }, 0, "no region" },
		{ { { 0, 1 << 20, rom, 0, 0 } }, MONT_MAX_REGIONS + 1, "too many" },
		{ { { 0, 2 << 20, rom, 0, 0 } }, 1, "more than config.memory" },
		{ { { 0, 1 << 19, rom, 0, 0 } }, 1, "less than config.memory" },
		{ { { 0, 1 << 20, NULL, 0, 0 } }, 1, "memory without bytes" },
		{ { { 0, 1 << 20, rom, 0x4, 0 } }, 1, "unknown flag" },
		{ { { 0, 1 << 20, rom, 0, 1 } }, 1, "padding" },
		{ { { 0x800, 1 << 20, rom, 0, 0 } }, 1, "base not of a page" },
		{ { { MONT_BIT(50), 1 << 20, rom, 0, 0 } }, 1, "unimplemented address" },
		{ { { MONT_BIT(50) - 4096, 1 << 20, rom, 0, 0 } }, 1, "end unimplemented" },
		{ { { 0, 1 << 20, rom, 0, 0 }, { 0xff000, 4096, NULL, 2, 0 } }, 2, "overlap" },
		{ { { 4096, 1 << 20, rom, 0, 0 }, { 0, 4096, NULL, 2, 0 } }, 2, "falling" },
		{ { { 0, 1 << 20, rom, 0, 0 }, { 0, 4096, NULL, 2, 0 } }, 2, "same base" },
		{ { { 0, 1 << 20, rom, 0, 0 }, { 1 << 20, 0, NULL, 2, 0 } }, 2, "empty" },
		{ { { 0, 1 << 20, rom, 0, 0 }, { 1 << 20, 2048, NULL, 2, 0 } }, 2, "half a page" },
		{ { { 0, 1 << 20, rom, 0, 0 }, { 1 << 20, 4096, rom, 2, 0 } }, 2, "MMIO, bytes" },
		{ { { 0, 1 << 20, rom, 0, 0 }, { 1 << 20, 4096, NULL, 3, 0 } }, 2, "both flags" },
	};
	const struct mont_config cfg = { .cores = 1, .threads = 1, .memory = 1 << 20 };
	struct mont_region good[2] = { { 0x4000, 1 << 20, rom, 0, 0 },
				       { 0x104000, 4096, NULL, MONT_REGION_MMIO, 0 } };
	struct mont_package *p = calloc(1, mont_package_size(&cfg));
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(bad); i++)
		check(mont_package_init(p, &cfg, bad[i].r, bad[i].nr) == MONT_EINVAL, "%s",
		      bad[i].what);
	check(!mont_package_init(p, &cfg, good, 2), "memory that does not begin at 0");
	free(p);
	group("regions that cannot be");
}

int main(void)
{
	test_loads();
	test_stores();
	test_others();
	test_interrupt();
	test_state();
	test_memory();
	test_interrupt_block();
	test_firmware();
	test_init();
	return tap_end();
}
