// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU's registers: what can be written, what is read back and by whom
 * (manual 3.3.2 to 3.3.12; SDM volume 2, 7.2.1; registers.def).
 */
#include "registers.h"
#include "pmu.h"
#include "data_ear.h"
#include "etb.h"
#include "event.h"
#include "internal.h"
#include "ip_ear.h"
#include "late.h"

#define MONT_NR_PMU_REGS 64
#define PMC_IP_EAR 42

/* PMD39 in ETB mode: bruflush and b1 of each entry. */
#define MONT_PMD39_ETB 0x3333333333333333ULL

/* By register: bits software can change, and the value after reset. */
struct mont_pmc_rule {
	u64 write;
	u64 reset;
};

/* By register: bits it has, and the PMC whose pm hides it. */
struct mont_pmd_rule {
	u64 write;
	u8 pmc;
};

static const struct mont_pmc_rule mont_pmc_rules[MONT_NR_PMU_REGS] = {
#define MONT_PMC(first, last, wr, rst, what) [first... last] = { .write = wr, .reset = rst },
#include "registers.def"
};

static const struct mont_pmd_rule mont_pmd_rules[MONT_NR_PMU_REGS] = {
#define MONT_PMD(first, last, wr, ctl, what) [first... last] = { .write = wr, .pmc = ctl },
#include "registers.def"
};

static bool registers_is_counter(unsigned int n)
{
	return n >= MONT_PMC_FIRST && n <= MONT_PMC_LAST;
}

/* Bits 7:0 of a register number, or MONT_NR_PMU_REGS if there is none. */
static unsigned int registers_pmu_index(u64 idx)
{
	idx &= 0xff;
	return idx < MONT_NR_PMU_REGS ? mont_nospec(idx, MONT_NR_PMU_REGS) : MONT_NR_PMU_REGS;
}

u64 mont_pmc_read(struct mont_thread *t, u64 idx)
{
	unsigned int n = registers_pmu_index(idx);

	if (!n && t->pmu.marked)
		return t->pmu.mark[0];
	return n < MONT_NR_PMU_REGS ? t->s.pmu.pmc[n] : 0;
}

/*
 * Remember whether PMC @n asks for something the model cannot count. What it asked for before
 * stays to be told: a driver writes the PMC again as soon as it has read the PMD.
 */
static void registers_pmc_flag(struct mont_thread *t, unsigned int n)
{
	enum mont_stands why = MONT_STANDS_NOT;
	struct mont_pmu_state *s = &t->s.pmu;

	s->uncounted &= ~MONT_BIT(n);
	if (s->pmc[n] & MONT_PMC_PLM)
		why = mont_pmc_stands(t, n);
	if (why)
		mont_pmc_stood(t, n, why);
}

/* PMC42, which was @before: it stands in the list of counters that stand still. */
static void registers_ip_ear_flag(struct mont_thread *t, u64 before)
{
	struct mont_pmu_state *s = &t->s.pmu;

	mont_ip_ear_written(t, before);
	s->uncounted &= ~MONT_BIT(PMC_IP_EAR);
	if (!mont_ip_ear_stands(t))
		return;
	s->uncounted |= MONT_BIT(PMC_IP_EAR);
	t->pmu.unreported |= MONT_BIT(PMC_IP_EAR);
}

void mont_pmc_write(struct mont_thread *t, u64 idx, u64 v)
{
	unsigned int n = registers_pmu_index(idx);
	const struct mont_pmc_rule *r;
	u64 before;

	if (n == MONT_NR_PMU_REGS || !mont_pmc_rules[n].write)
		return;
	r = &mont_pmc_rules[n];
	mont_signals_fold(t);
	mont_etb_settle(t);
	before = t->s.pmu.pmc[n];
	t->s.pmu.pmc[n] = (v & r->write) | (r->reset & ~r->write);
	if (!n)
		mont_ip_ear_freeze(t, before & MONT_PMC0_FR);
	if (n == PMC_IP_EAR)
		registers_ip_ear_flag(t, before);
	/* A write by software is in force, and can be read, at once. */
	if (!n)
		t->pmu.mark[0] = t->s.pmu.pmc[0];
	if (registers_is_counter(n)) {
		t->s.pmu.sums[n] = (struct mont_sums){ 0 };
		if (t->pmu.switches)
			mont_late_forget(t, n);
		registers_pmc_flag(t, n);
	}
	mont_signals_arm(t);
}

/* True if PMC.pm of @pmc restricts its data to level 0 (manual table 3-5). */
static bool registers_pmc_privileged(const struct mont_thread *t, unsigned int pmc)
{
	return t->s.pmu.pmc[pmc] & mont_pmc_pm(pmc);
}

static unsigned int registers_pmd_owner(const struct mont_thread *t, unsigned int n)
{
	unsigned int pmc = mont_pmd_rules[n].pmc;

	if (!pmc)
		return n;
	/* The trace registers are the IP-EAR's when PMC42 says so (3.3.10.2). */
	if (pmc == 39 && !mont_ip_ear_off(t))
		return PMC_IP_EAR;
	return pmc;
}

u64 mont_pmd_read(struct mont_thread *t, u64 idx, u32 cpl)
{
	unsigned int n = registers_pmu_index(idx);

	if (n == MONT_NR_PMU_REGS || !mont_pmd_rules[n].write)
		return 0;
	if (cpl &&
	    ((t->s.psr & MONT_PSR_SP) || registers_pmc_privileged(t, registers_pmd_owner(t, n))))
		return 0;
	/* Without the IP-EAR two bits of each nibble do not exist (table 3-29). */
	if (registers_pmd_owner(t, n) == 39)
		return mont_etb_read(t, n) & (n == 39 ? MONT_PMD39_ETB : ~0ULL);
	if (!registers_is_counter(n))
		return t->s.pmu.pmd[n];
	if (t->pmu.marked)
		return mont_sext(t->pmu.mark[n], MONT_PMD_BITS);
	mont_signals_fold(t);
	return mont_sext(t->s.pmu.pmd[n], MONT_PMD_BITS);
}

void mont_pmd_write(struct mont_thread *t, u64 idx, u64 v)
{
	unsigned int n = registers_pmu_index(idx);

	if (n == MONT_NR_PMU_REGS || !mont_pmd_rules[n].write)
		return;
	if (!registers_is_counter(n)) {
		mont_etb_settle(t);
		t->s.pmu.pmd[n] = v & mont_pmd_rules[n].write;
		return;
	}
	mont_signals_fold(t);
	t->s.pmu.pmd[n] = v & mont_pmd_rules[n].write;
	t->pmu.mark[n] = t->s.pmu.pmd[n];
	mont_signals_arm(t);
}

void mont_pmu_reset(struct mont_thread *t)
{
	struct mont_pmu_state *s = &t->s.pmu;
	unsigned int n;

	mont_signals_fold(t);
	for (n = 0; n < MONT_NR_PMU_REGS; n++) {
		s->pmc[n] = mont_pmc_rules[n].reset;
		s->pmd[n] = 0;
	}
	s->uncounted = 0;
	__builtin_memset(s->stood, 0, sizeof(s->stood));
	mont_data_ear_reset(&s->data_ear);
	mont_etb_reset(&s->etb);
	t->pmu.unreported = 0;
	t->s.pmu_irq = 0;
	mont_signals_init(t);
	mont_signals_arm(t);
}

bool mont_pmu_state_valid(const struct mont_pmu_state *s)
{
	unsigned int n, i;

	for (n = 0; n < MONT_NR_PMU_REGS; n++) {
		const struct mont_pmc_rule *r = &mont_pmc_rules[n];

		if ((s->pmc[n] & ~r->write) != (r->reset & ~r->write))
			return false;
		if (s->pmd[n] & ~mont_pmd_rules[n].write)
			return false;
	}
	for (n = 0; n < MONT_ARRAY_SIZE(s->sums); n++)
		for (i = 0; i < MONT_NR_SUMS; i++)
			if (s->sums[n].n[i] > MONT_MOST_SUM ||
			    (s->sums[n].n[i] && !registers_is_counter(n)))
				return false;
	for (n = 0; n < MONT_ARRAY_SIZE(s->stood); n++) {
		/* Any value of the PMC may have stood still: only reason and counter are checked. */
		if (s->stood[n] >> 32 >= MONT_NR_STANDS ||
		    (s->stood[n] && !registers_is_counter(n)))
			return false;
	}
	return !(s->uncounted & ~MONT_MAY_STAND) && s->data_ear.passed <= 3 &&
	       s->data_ear.overlapped <= 1 && mont_etb_valid(&s->etb);
}
