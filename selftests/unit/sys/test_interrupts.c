// SPDX-License-Identifier: GPL-2.0-only
/*
 * External interrupts (IRR, IVR, TPR, EOI), interval timer, inter-processor
 * interrupts, global purges, code that changes (SDM volume 2, 5.8, 3.3.4.2,
 * 4.1.1.4; volume 1, 4.4.6.2).
 */
#include "sys_test.h"
#include "pmu/pmu.h"
#include "memory/mem.h"

#define PIB 0xfee00000ULL
#define UC (1ULL << 63)
#define CODE_INST 0x08 /* IA64_INST_RETIRED */

/* One instruction by the guest, interrupts off; r8 afterwards. */
static u64 step(const char *name, u64 r15)
{
	set_gr(8, 0);
	set_gr(15, r15);
	*mem64(REC) = 0;
	at(name, 0, PHYS, true);
	go();
	passed(name);
	return gr(8);
}

/* True if the processor takes an interrupt under @psr. */
static bool taken(u64 psr)
{
	*mem64(REC) = 0;
	at("spin", 0, psr, true);
	run_cycles(TIMED ? 6000 : 60);
	if (!nr_records())
		return false;
	check(record(0)->vector == 0x3000 && record(0)->isr == 0 && record(0)->iip == start_ip &&
		      record(0)->ipsr == psr && nr_records() == 1,
	      "external interrupt: isr %#llx", (unsigned long long)record(0)->isr);
	return true;
}

/* ---- a second opinion: the rules of 5.8.3 over plain arrays ---- */

static bool irr[256], isr[256];
static u64 tpr;

static int priority(int v)
{
	return v == 2 ? 1000 : v == 0 ? 999 : v;
}

static int expected_vector(void)
{
	int best = -1, in_service = -1, v;

	for (v = 0; v < 256; v++) {
		if (isr[v] && (in_service < 0 || priority(v) > priority(in_service)))
			in_service = v;
		if (!irr[v])
			continue;
		if (v != 2 && (tpr & 0x10000))
			continue;
		if (v >= 16 && v / 16 <= (int)(tpr >> 4 & 15))
			continue;
		if (best < 0 || priority(v) > priority(best))
			best = v;
	}
	if (best >= 0 && in_service >= 0 && priority(best) <= priority(in_service))
		return -1;
	return best;
}

static void test_controller(void)
{
	u32 seed = 12345;
	int i, v, best;

	machine(1, 0);
	for (i = 0; i < 6000; i++) {
		seed = seed * 1103515245 + 12345;
		v = seed >> 8 & 255;
		switch (seed >> 20 & 7) {
		case 0:
		case 1:
			check_eq(mont_irq_inject(cpu, v),
				 v == 1 || (v > 2 && v < 16) ? MONT_EINVAL : 0, "injection");
			if (v == 0 || v == 2 || v >= 16)
				irr[v] = true;
			break;
		case 2:
			tpr = (seed >> 16 & 3) ? (v & 0xf0) : 0x10000 | (v & 0xf0);
			step("to_tpr", tpr);
			break;
		case 3:
		case 4:
			step("to_eoi", 0);
			best = -1;
			for (v = 0; v < 256; v++)
				if (isr[v] && (best < 0 || priority(v) > priority(best)))
					best = v;
			if (best >= 0)
				isr[best] = false;
			break;
		case 5:
			best = expected_vector();
			check_eq(step("from_ivr", 0), best < 0 ? 15 : best, "IVR");
			if (best >= 0) {
				irr[best] = false;
				isr[best] = true;
			}
			break;
		case 6:
			check_eq(taken(PHYS | MONT_PSR_I), expected_vector() >= 0, "delivery");
			break;
		default:
			best = 0;
			for (v = 0; v < 64; v++)
				best |= irr[192 + v] << (v % 31);
			check(!!step("from_irr3", 0) == !!best, "IRR3");
			break;
		}
	}
	group("random IRR, IVR, TPR, EOI against the rules");
}

/*
 * A vector is delivered while it is higher than the highest in service: once it is
 * in service it comes again only behind EOI (SDM volume 2, 5.8.1 and figure 5-5).
 */
static void test_nesting(void)
{
	static const u8 vectors[] = { 0, 2, 16, 0x80, 255 };
	u32 i, k;

	for (i = 0; i < MONT_ARRAY_SIZE(vectors); i++) {
		for (k = 0; k < MONT_ARRAY_SIZE(vectors); k++) {
			u32 first = vectors[i], second = vectors[k];
			bool higher = priority(second) > priority(first);

			machine(1, 0);
			mont_irq_inject(cpu, first);
			check_eq(step("from_ivr", 0), first, "the first");
			mont_irq_inject(cpu, second);
			check_eq(taken(PHYS | MONT_PSR_I), higher, "delivery of the second");
			check_eq(step("from_ivr", 0), higher ? second : 15, "the second");
			step("to_eoi", 0);
			check_eq(step("from_ivr", 0), higher ? 15 : second, "behind EOI");
		}
	}
	group("a vector in service holds back itself and those below");
}

static void test_delivery(void)
{
	/* Not without PSR.i, nor while PSR.ic is 0; then at once. */
	machine(1, 0);
	mont_irq_inject(cpu, 0x80);
	check(!taken(PHYS), "PSR.i 0");
	check(!taken((PHYS | MONT_PSR_I) & ~MONT_PSR_IC), "PSR.ic 0");
	check(taken(PHYS | MONT_PSR_I | CPL(3)), "PSR.i and ic 1, level 3");
	/* ssm psr.i lets it in, behind the bundle and before the next one. */
	machine(1, 0);
	mont_irq_inject(cpu, 0x80);
	at("ssm_i", 1, PHYS, true);
	go();
	/* With time a group may end inside the bundle. */
	check(record(0)->vector == 0x3000 && (record(0)->ipsr & ~RI(3)) == (PHYS | MONT_PSR_I) &&
		      (TIMED ? record(0)->isr == EI(record(0)->ipsr >> MONT_PSR_RI_SHIFT & 3)
			     : !record(0)->isr && record(0)->iip == start_ip + 16),
	      "behind the group: ipsr %#llx isr %#llx iip %#llx",
	      (unsigned long long)record(0)->ipsr, (unsigned long long)record(0)->isr,
	      (unsigned long long)record(0)->iip);
	/* The interrupt comes at that place also where the group ends with an overflow for the host. */
	machine(1, MONT_CFG_HOST_PMU);
	mont_irq_inject(cpu, 0x80);
	at("ssm_i", 0, PHYS | MONT_PSR_PP, true);
	set(MONT_REG_PMC, 4,
	    MONT_PMC_PLM | MONT_PMC_OI | MONT_PMC_PM | (u64)CODE_INST << MONT_PMC_ES_SHIFT);
	set(MONT_REG_PMD, 4, MONT_BIT(47) - 1);
	set(MONT_REG_PMC, 0, 0);
	go();
	check_eq(last_exit.reason, MONT_EXIT_PMU_OVERFLOW, "exit of the overflow");
	check_eq(nr_records(), 0, "interrupts up to it");
	last_exit.reason = 0;
	go();
	check_eq(record(0)->vector, 0x3000, "vector when the run goes on");
	/* mov cr.tpr likewise. */
	machine(1, 0);
	mont_irq_inject(cpu, 0x80);
	step("to_tpr", 0x10000);
	set_gr(15, 0);
	at("to_tpr", 1, PHYS | MONT_PSR_I, true);
	go();
	check_eq(record(0)->vector, 0x3000, "TPR opened");
	/* Nested service: a lower one waits for EOI. */
	machine(1, 0);
	mont_irq_inject(cpu, 0x45);
	check_eq(step("from_ivr", 0), 0x45, "first IVR");
	mont_irq_inject(cpu, 0x44);
	check(!taken(PHYS | MONT_PSR_I), "0x44 waits for 0x45");
	mont_irq_inject(cpu, 0x46);
	check(taken(PHYS | MONT_PSR_I), "0x46 does not");
	check_eq(step("from_ivr", 0), 0x46, "second IVR");
	step("to_eoi", 0);
	check(!taken(PHYS | MONT_PSR_I), "0x45 is still in service");
	step("to_eoi", 0);
	check(taken(PHYS | MONT_PSR_I), "0x44 at last");
	check_eq(step("from_ivr", 0), 0x44, "third IVR");
	check_eq(step("from_ivr", 0), 15, "spurious");
	group("delivery of external interrupts");
}

static u64 timer_run(u64 ahead, u64 itv, u64 slice, u64 *hash)
{
	u64 left = TIMED ? 6000 : 3000;

	machine(1, 0);
	set(MONT_REG_CR, 72, itv);
	set_gr(14, ahead);
	at("timer", 0, PHYS, true);
	for (; left; left -= last_exit.cycles)
		run_cycles(slice ? slice : left);
	*hash = mont_state_hash(pkg);
	return nr_records();
}

static void test_timer(void)
{
	static const u64 ahead[] = { 0, 1, 2, 3, 10, 100, 1500, 2900 };
	u64 whole, sliced;
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(ahead); i++) {
		u64 n = timer_run(ahead[i], 0xef, 0, &whole);

		/*
		 * Set in the past, a match is 2^64 cycles away. With time it takes a
		 * few cycles to get there.
		 */
		if (!TIMED || !ahead[i] || ahead[i] >= 100)
			check_eq(n, ahead[i] ? 1 : 0, "one interrupt of the timer");
		if (n) {
			check_eq(record(0)->vector, 0x3000, "vector");
			check_eq(cpu->s.cr.irr[3], MONT_BIT(0xef - 192), "IRR3");
		}
		check_eq(timer_run(ahead[i], 1, 0, &sliced) + timer_run(ahead[i], 3, 0, &sliced) +
				 timer_run(ahead[i], 15, 0, &sliced),
			 0, "reserved vectors are lost");
		check_eq(timer_run(ahead[i], 16, 0, &sliced), n, "the lowest vector");
		timer_run(ahead[i], 0xef, 1, &sliced);
		check_eq(sliced, whole, "hash in slices of 1");
		timer_run(ahead[i], 0xef, 100, &sliced);
		check_eq(sliced, whole, "hash in slices of 100");
		check_eq(timer_run(ahead[i], 0x100ef, 0, &whole), 0, "masked by ITV.m");
		check_eq(cpu->s.cr.irr[3], 0, "and lost");
	}
	group("interval timer");
}

static void test_ipi(void)
{
	static const struct {
		u64 addr, data;
		int vcpu, vector;
	} c[] = {
		{ PIB | 0 << 12, 0x55, 0, 0x55 },     { PIB | 1 << 12, 0xff, 1, 0xff },
		{ PIB | 2 << 12, 0x10, 2, 0x10 },     { PIB | 3 << 12, 0x41, 3, 0x41 },
		{ PIB | 1 << 12, 0x455, 1, 2 },	      { PIB | 1 << 12, 0x755, 1, 0 },
		{ PIB | 1 << 12 | 8, 0x33, 1, 0x33 }, { PIB | 1 << 12, 5, -1, 0 },
		{ PIB | 9 << 12, 0x55, -1, 0 },	      { PIB | 1 << 12 | 1 << 4, 0x55, -1, 0 },
	};
	unsigned int i, v, w;

	for (i = 0; i < MONT_ARRAY_SIZE(c); i++) {
		machine(4, 0);
		set_gr(14, c[i].addr | UC);
		set_gr(15, c[i].data);
		at("st8", 0, PHYS, true);
		run_cycles(8);
		check_eq(last_exit.reason, MONT_EXIT_BUDGET, "IPI");
		for (v = 0; v < 4; v++)
			for (w = 0; w < 4; w++)
				check_eq(mont_vcpu(pkg, v)->s.cr.irr[w],
					 (int)v == c[i].vcpu && (int)w == c[i].vector / 64
						 ? MONT_BIT(c[i].vector % 64)
						 : 0,
					 "IRR after an IPI");
	}
	/* The target is who LID says. */
	machine(4, 0);
	cpu = mont_vcpu(pkg, 3);
	set(MONT_REG_CR, 64, 0x12340000);
	cpu = mont_vcpu(pkg, 0);
	set_gr(14, PIB | 0x12 << 12 | 0x34 << 4 | UC);
	set_gr(15, 0x66);
	at("st8", 0, PHYS, true);
	run_cycles(8);
	check_eq(mont_vcpu(pkg, 3)->s.cr.irr[1], MONT_BIT(0x66 - 64), "IPI by LID");
	/* Messages that are not modelled are not swallowed. */
	for (i = 0; i < 3; i++) {
		machine(4, 0);
		set_gr(14, PIB | 1 << 12 | UC);
		set_gr(15, i == 0 ? 0x255 : 0x555);
		at(i == 2 ? "st4" : "st8", 0, PHYS, true);
		run_cycles(8);
		check_eq(last_exit.reason, MONT_EXIT_INTERRUPTION, "PMI, INIT, st4 to the PIB");
	}
	group("inter-processor interrupts");
}

/* R13: ptc.l is of its own thread, ptc.g and ptc.ga of every one. */
static void test_global_purge(void)
{
	unsigned int v, how;

	for (how = 0; how < 3; how++) {
		machine(4, 0);
		for (v = 0; v < 4; v++) {
			cpu = mont_vcpu(pkg, v);
			if (v == 3)
				set(MONT_REG_RR, 1, 0x999 << 8 | PS << 2);
			map(false, DATA_VA, PTE(DATA_PA, 3, 3));
			cpu->s.alat.entry[0].valid = 1;
			cpu->s.alat.entry[0].size = 8;
		}
		mont_alat_recount(pkg);
		cpu = mont_vcpu(pkg, 0);
		set_gr(14, DATA_VA);
		set_gr(15, PS << 2);
		at(how == 0 ? "ptc_l" : how == 1 ? "ptc_g" : "ptc_ga", 0, PHYS, true);
		run_cycles(8);
		for (v = 0; v < 4; v++) {
			const struct mont_thread *t = mont_vcpu(pkg, v);

			/* vcpu 3 has another region ID there */
			check_eq(!!mont_tlb_find(t, false, DATA_VA), v == 3 || (!how && v),
				 "translation");
			check_eq(t->s.alat.entry[0].valid, how < 2 || !v, "ALAT entry");
		}
	}
	group("ptc.l, ptc.g, ptc.ga with four processors");
}

static void test_code(void)
{
	unsigned int how;

	for (how = 0; how < 2; how++) {
		machine(1, 0);
		memcpy(ram + FAR_PA, ram + label("give1_0"), 16);
		set(MONT_REG_BR, 5, label("passed"));
		set(MONT_REG_SPECIAL, MONT_SPECIAL_IP, FAR_PA);
		set(MONT_REG_SPECIAL, MONT_SPECIAL_PSR, PHYS);
		go();
		check_eq(gr(8), 1, "the old code");
		set_gr(14, FAR_PA);
		set_gr(15, *mem64(label("give2_0")));
		set_gr(18, *mem64(label("give2_0") + 8));
		set(MONT_REG_BR, 7, FAR_PA);
		at(how ? "smc_fc" : "smc_plain", 0, PHYS, true);
		go();
		passed("new code");
		check_eq(gr(8), 2, "the new code");
	}
	/* By another processor. */
	machine(4, 0);
	memcpy(ram + FAR_PA, ram + label("give1_0"), 16);
	set(MONT_REG_BR, 5, FAR_PA);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_IP, FAR_PA);
	set(MONT_REG_SPECIAL, MONT_SPECIAL_PSR, PHYS);
	cpu = mont_vcpu(pkg, 1);
	set_gr(14, FAR_PA);
	set_gr(15, *mem64(label("give2_0")));
	set_gr(18, *mem64(label("give2_0") + 8));
	set(MONT_REG_BR, 7, label("spin_0"));
	at("smc_fc", 0, PHYS, true);
	run_cycles(500);
	cpu = mont_vcpu(pkg, 0);
	check_eq(gr(8), 1, "the old code, in a loop");
	run_cycles(3000);
	check_eq(gr(8), 2, "the new code, stored by another processor");
	group("code that is stored to");
}

/*
 * An overflow in the last cycle of a run comes by the vector that PMV had in that
 * cycle (manual 3.3.11), whatever the host writes there before the next.
 */
static void test_pending_at_the_end(void)
{
	unsigned int n, i;

	for (n = 1; n < 20; n++) {
		machine(1, 0);
		set(MONT_REG_CR, 73, 0x45);
		set(MONT_REG_PMC, 4,
		    MONT_PMC_PLM | MONT_PMC_OI | MONT_PMC_PM | (u64)CODE_INST << MONT_PMC_ES_SHIFT);
		set(MONT_REG_PMD, 4, MONT_BIT(47) - n);
		set(MONT_REG_PMC, 0, 0);
		at("spin", 0, PHYS | MONT_PSR_PP, true);
		for (i = 0; i < 2000 && !(get(MONT_REG_PMC, 0) & MONT_PMC0_FR); i++)
			run_cycles(1);
		set(MONT_REG_CR, 73, 0x46);
		run_cycles(100);
		check_eq(get(MONT_REG_CR, 69), MONT_BIT(0x45 - 64), "IRR1");
	}
	group("what overflows in a run's last cycle comes by PMV as it was then");
}

int main(void)
{
	test_controller();
	test_nesting();
	test_delivery();
	test_timer();
	test_ipi();
	test_global_purge();
	test_code();
	test_pending_at_the_end();
	return tap_end();
}
