// SPDX-License-Identifier: GPL-2.0-only
/*
 * The guest takes its own overflow interrupts: pmuirq.elf under several
 * settings of PMC4, PMV and TPR (Montecito manual 3.3.4, 3.3.11; SDM volume 2,
 * 5.8). The image says where its parameters and results are.
 */
#include "tap.h"

#define RESULTS 0x1000
#define PARAMS 0x2000
#define MAGIC 0x7169756d70ULL
#define VECTOR 0xd2

#define PMC_PLM0 0x1
#define PMC_OI 0x20
#define PMC_PM 0x40
#define PMC_INST_RETIRED (0x08 << 8)
#define PMC_ISM 0x2000000
#define PMC4 (PMC_ISM | PMC_INST_RETIRED | PMC_PM | PMC_OI | PMC_PLM0)

#define PERIOD 3000
#define IRQS 8
#define LOOP_INSNS 3

struct params {
	uint64_t period, irqs, pmv, pmc4, tpr;
};

struct record {
	uint64_t ivr, pmc0, pmd4, rounds, iip, ivr_again;
};

struct results {
	uint64_t magic, irqs, rounds, unexpected, vector, pad[3];
	struct record rec[IRQS];
};

static struct montecito *boot(const struct params *p, struct results **res)
{
	struct montecito *m = machine_boot("pmuirq.elf", 0, MONTECITO_TIMING_OFF);
	uint64_t size;
	char *mem = montecito_memory(m, &size);

	if (!mem)
		die(ENOMEM, "no mapping of guest memory");
	memcpy(mem + PARAMS, p, sizeof(*p));
	*res = (void *)(mem + RESULTS);
	return m;
}

static void test_taken(void)
{
	const struct params p = { PERIOD, IRQS, VECTOR, PMC4, 0 };
	unsigned int i, vectors = 0, pmc0s = 0, spurious = 0, inside = 0;
	unsigned int residues = 0, even = 0;
	struct results *r;
	struct montecito *m = boot(&p, &r);
	uint64_t step;

	machine_run_to(m, 40 * PERIOD, 0);
	ok_eq(r->magic, MAGIC, "the guest took all its interrupts");
	ok_eq(r->irqs, IRQS, "and stopped then");
	ok(!r->unexpected, "no interruption on another vector (%#llx)",
	   (unsigned long long)r->vector);
	step = r->rec[1].rounds - r->rec[0].rounds;
	for (i = 0; i < IRQS; i++) {
		vectors += r->rec[i].ivr == VECTOR;
		pmc0s += r->rec[i].pmc0 == 0x11;
		spurious += r->rec[i].ivr_again == 0x0f;
		/* at most what was left of the bundle that overflowed */
		residues += r->rec[i].pmd4 < LOOP_INSNS;
		inside += r->rec[i].iip == r->rec[0].iip;
		even += !i || r->rec[i].rounds - r->rec[i - 1].rounds == step;
	}
	ok_eq(vectors, IRQS, "IVR gave PMV's vector each time");
	ok_eq(pmc0s, IRQS, "PMC0 had fr and bit 4 each time");
	ok_eq(spurious, IRQS, "a second read of IVR was spurious each time");
	ok_eq(residues, IRQS, "PMD4 held what was beyond the overflow");
	ok_eq(inside, IRQS, "the counted loop was interrupted each time");
	ok_eq(even, IRQS, "the same number of rounds from one to the next");
	ok(step >= PERIOD / LOOP_INSNS && step <= PERIOD / LOOP_INSNS + 2,
	   "which is the period and at most two bundles (%llu rounds)", (unsigned long long)step);
	ok_eq(machine_reg(m, MONTECITO_REG_PMC, 0), 0, "PMC0 is clear at the end");
	montecito_close(m);
}

static void test_masked(void)
{
	const struct params p = { PERIOD, IRQS, VECTOR | 1 << 16, PMC4, 0 };
	struct results *r;
	struct montecito *m = boot(&p, &r);

	machine_run_to(m, 5 * PERIOD, 0);
	ok_eq(r->irqs, 0, "PMV.m: no interrupt");
	ok_eq(machine_reg(m, MONTECITO_REG_PMC, 0), 0x11, "PMV.m: PMC0 has fr and bit 4");
	ok(machine_reg(m, MONTECITO_REG_PMD, 4) < LOOP_INSNS, "PMV.m: frozen behind the overflow");
	ok_eq(machine_reg(m, MONTECITO_REG_CR, 71) >> (VECTOR - 192) & 1, 0,
	      "PMV.m: nothing in IRR3");
	montecito_close(m);
}

static void test_no_oi(void)
{
	const struct params p = { PERIOD, IRQS, VECTOR, PMC4 & ~PMC_OI, 0 };
	struct results *r;
	struct montecito *m = boot(&p, &r);
	uint64_t a, b;

	machine_run_to(m, 5 * PERIOD, 0);
	ok_eq(r->irqs, 0, "no oi: no interrupt");
	ok_eq(machine_reg(m, MONTECITO_REG_PMC, 0), 0x10, "no oi: PMC0 has bit 4 alone");
	a = machine_reg(m, MONTECITO_REG_PMD, 4);
	machine_run_to(m, 6 * PERIOD, 0);
	b = machine_reg(m, MONTECITO_REG_PMD, 4);
	ok(b - a >= PERIOD - LOOP_INSNS && b - a <= PERIOD + LOOP_INSNS,
	   "no oi: counting goes on (%llu of %u)", (unsigned long long)(b - a), PERIOD);
	montecito_close(m);
}

static void test_tpr(void)
{
	const struct params p = { PERIOD, IRQS, VECTOR, PMC4, 0xd0 };
	struct results *r;
	struct montecito *m = boot(&p, &r);

	machine_run_to(m, 5 * PERIOD, 0);
	ok_eq(r->irqs, 0, "TPR.mic 13: vector 0xd2 is not delivered");
	ok_eq(machine_reg(m, MONTECITO_REG_CR, 71) >> (VECTOR - 192) & 1, 1,
	      "TPR.mic 13: it waits in IRR3");
	montecito_close(m);
}

static void test_level(void)
{
	/* plm without level 0: the guest runs at level 0 and is not counted */
	const struct params p = { PERIOD, IRQS, VECTOR, (PMC4 & ~0xf) | 0xe, 0 };
	struct results *r;
	struct montecito *m = boot(&p, &r);

	machine_run_to(m, 5 * PERIOD, 0);
	ok_eq(r->irqs, 0, "plm 0xe: no interrupt");
	ok_eq(machine_reg(m, MONTECITO_REG_PMD, 4), -(uint64_t)PERIOD | 1ULL << 47,
	      "plm 0xe: PMD4 still holds its start, sign-extended");
	montecito_close(m);
}

static void test_host(void)
{
	const struct params p = { PERIOD, IRQS, VECTOR, PMC4, 0 };
	unsigned int i, exits = 0, pmc0s = 0;
	struct montecito_run run;
	struct results *r;
	struct montecito *m;
	uint64_t size, reload = (1ULL << 47) - PERIOD;
	char *mem;

	m = machine_boot("pmuirq.elf", MONTECITO_CFG_HOST_PMU, MONTECITO_TIMING_OFF);
	mem = montecito_memory(m, &size);
	memcpy(mem + PARAMS, &p, sizeof(p));
	r = (void *)(mem + RESULTS);
	for (i = 0; i < IRQS; i++) {
		if (montecito_run(m, 10 * PERIOD, 0, &run) < 0)
			break;
		exits += run.exit.reason == MONTECITO_EXIT_PMU_OVERFLOW;
		pmc0s += run.exit.pmc0 == 0x11;
		montecito_set_reg(m, 0, MONTECITO_REG_PMD, 4, reload);
		montecito_set_reg(m, 0, MONTECITO_REG_PMC, 0, 0);
	}
	ok_eq(exits, IRQS, "CFG_HOST_PMU: RUN returns at each overflow");
	ok_eq(pmc0s, IRQS, "CFG_HOST_PMU: with PMC0");
	ok_eq(r->irqs, 0, "CFG_HOST_PMU: the guest sees no interrupt");
	montecito_close(m);
}

int main(int argc, char **argv)
{
	tap_args(argc, argv);
	test_taken();
	test_masked();
	test_no_oi();
	test_tpr();
	test_level();
	test_host();
	return tap_done();
}
