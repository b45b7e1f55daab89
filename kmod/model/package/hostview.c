// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread as its host sees it: registers by class and index, for a debugger, a
 * loader or a host that plays the operating system; where it is; which events its
 * guest programmed that are not counted.
 */
#include "hostview.h"
#include "package.h"
#include "../platform/interrupts.h"
#include "../pipeline/reference.h"
#include "../arch/psr.h"
#include "../arch/registers.h"
#include "../arch/rse.h"
#include "../arch/sysregs.h"
#include "../memory/mem.h"
#include "../pmu/pmu.h"
#include "../pmu/registers.h"

#define EC_OF(r) ((r) == MONT_NEXT ? 0 : MONT_EINVAL)

static int hostview_special_get(struct mont_thread *t, u32 index, u64 *v)
{
	switch (index) {
	case MONT_SPECIAL_IP:
		*v = t->s.ip;
		return 0;
	case MONT_SPECIAL_PSR:
		*v = mont_psr(t);
		return 0;
	case MONT_SPECIAL_CFM:
		*v = mont_cfm(t);
		return 0;
	case MONT_SPECIAL_INSNS:
		*v = t->s.insns;
		return 0;
	case MONT_SPECIAL_CYCLES:
		*v = mont_thread_cycles(t);
		return 0;
	case MONT_SPECIAL_CLOCK:
		*v = t->clock;
		return 0;
	case MONT_SPECIAL_HALTED:
		*v = t->s.halted;
		return 0;
	case MONT_SPECIAL_DIRTY:
		*v = (s64)t->s.ndirty;
		return 0;
	default:
		if (index < MONT_SPECIAL_STOOD || index >= MONT_SPECIAL_DIRTY)
			return MONT_EINVAL;
		*v = t->s.pmu.stood[MONT_PMC_FIRST + index - MONT_SPECIAL_STOOD];
		return 0;
	}
}

static int hostview_special_set(struct mont_thread *t, u32 index, u64 v)
{
	switch (index) {
	case MONT_SPECIAL_IP:
		if (v & 15)
			return MONT_EINVAL;
		mont_mmio_cancel(t);
		(void)mont_rse_settle(t);
		t->inside &= t->s.ip == v;
		t->s.ip = v;
		return 0;
	case MONT_SPECIAL_PSR:
		if ((v & ~(MONT_PSR_IMPLEMENTED | MONT_PSR_RI)) ||
		    mont_bits(v, MONT_PSR_RI_SHIFT, 2) == 3)
			return MONT_EINVAL;
		mont_mmio_cancel(t);
		(void)mont_rse_settle(t);
		t->inside &= t->s.slot == mont_bits(v, MONT_PSR_RI_SHIFT, 2);
		t->s.slot = mont_bits(v, MONT_PSR_RI_SHIFT, 2);
		t->sig_slot = t->s.slot;
		t->retire_from = t->s.slot;
		mont_psr_load(t, v & ~MONT_PSR_RI);
		mont_lsu_drain(t);
		return 0;
	case MONT_SPECIAL_CFM:
		if (!mont_cfm_valid(v) || v >> 38 || t->s.ndirty < 0 ||
		    t->s.ndirty + (s32)mont_bits(v, 0, 7) > MONT_NR_STACKED)
			return MONT_EINVAL;
		mont_cfm_set(t, v);
		return 0;
	case MONT_SPECIAL_HALTED:
		if (v > 1)
			return MONT_EINVAL;
		t->s.halted = v;
		return 0;
	case MONT_SPECIAL_DIRTY:
		if (v || t->s.ndirty < 0)
			return MONT_EINVAL;
		mont_rse_give_up(t);
		mont_alat_clear(t);
		return 0;
	default:
		return MONT_EINVAL;
	}
}

/* The host is not bound by the RSE's mode. */
static int hostview_ar_access(struct mont_thread *t, u32 index, u64 *get, const u64 *set)
{
	if (!mont_ar_exists(index, set))
		return MONT_EINVAL;
	return EC_OF(set ? mont_ar_write(t, index, *set, 0) : mont_ar_read(t, index, get, 0));
}

/* Nor is it by PSR.ic; and it acknowledges no interrupt. */
static int hostview_cr_access(struct mont_thread *t, u32 index, u64 *get, const u64 *set)
{
	if (!mont_cr_exists(index, set))
		return MONT_EINVAL;
	if (set)
		return EC_OF(mont_cr_write(t, index, *set));
	*get = index == MONT_CR_IVR ? mont_irq_pending(t) : mont_cr_read(t, index);
	return 0;
}

static int hostview_array_get(const u64 *reg, u32 n, u32 index, u64 *v)
{
	if (index >= n)
		return MONT_EINVAL;
	*v = reg[mont_nospec(index, n)];
	return 0;
}

static int hostview_stacked_get(struct mont_thread *t, u32 index, u64 v[2])
{
	u32 p = index < MONT_NR_STACKED ? mont_rse_stacked(t, index) : 0;

	if (!p)
		return MONT_EINVAL;
	p = mont_nospec(p, MONT_ARRAY_SIZE(t->s.gr));
	v[0] = t->s.gr[p];
	v[1] = t->s.nat[p];
	return 0;
}

int mont_reg_get(struct mont_thread *t, u32 class, u32 index, u64 v[2])
{
	v[0] = 0;
	v[1] = 0;
	switch (class) {
	case MONT_REG_GR:
		if (index > 127)
			return MONT_EINVAL;
		index = mont_nospec(index, 128);
		if (index && !t->grmap[index])
			return MONT_EINVAL;
		v[0] = mont_gr(t, index);
		v[1] = mont_nat(t, index);
		return 0;
	case MONT_REG_FR:
		if (index > 127)
			return MONT_EINVAL;
		index = mont_nospec(index, 128);
		v[0] = mont_fr(t, index).sig;
		v[1] = mont_fr(t, index).se;
		return 0;
	case MONT_REG_PR:
		v[0] = mont_pr_physical(t);
		return index ? MONT_EINVAL : 0;
	case MONT_REG_BR:
		return hostview_array_get(t->s.br, 8, index, v);
	case MONT_REG_AR:
		return hostview_ar_access(t, index, v, NULL);
	case MONT_REG_CR:
		return hostview_cr_access(t, index, v, NULL);
	case MONT_REG_SPECIAL:
		return hostview_special_get(t, index, v);
	case MONT_REG_RR:
		return hostview_array_get(t->s.rr, 8, index, v);
	case MONT_REG_PKR:
		return hostview_array_get(t->s.pkr, MONT_NR_PKR, index, v);
	case MONT_REG_DBR:
		return hostview_array_get(t->s.dbr, MONT_NR_DEBUG, index, v);
	case MONT_REG_IBR:
		return hostview_array_get(t->s.ibr, MONT_NR_DEBUG, index, v);
	case MONT_REG_PMC:
		v[0] = mont_pmc_read(t, index);
		return index > 255 ? MONT_EINVAL : 0;
	case MONT_REG_PMD:
		v[0] = mont_pmd_read(t, index, 0);
		return index > 255 ? MONT_EINVAL : 0;
	case MONT_REG_CPUID:
		v[0] = mont_cpuid(index);
		return index < MONT_NR_CPUID ? 0 : MONT_EINVAL;
	case MONT_REG_STACKED:
		return hostview_stacked_get(t, index, v);
	default:
		return MONT_EINVAL;
	}
}

static int hostview_rr_set(struct mont_thread *t, u32 index, u64 v)
{
	int ec = EC_OF(mont_rr_write(t, index, v));

	mont_lsu_drain(t);
	return ec;
}

bool mont_reg_is_gr_to_set(const struct mont_thread *t, u32 class, u32 index, const u64 v[2])
{
	return class == MONT_REG_GR && index <= 127 && t->grmap[mont_nospec(index, 128)] &&
	       v[1] <= 1;
}

int mont_reg_set(struct mont_thread *t, u32 class, u32 index, const u64 v[2])
{
	switch (class) {
	case MONT_REG_GR:
		if (!mont_reg_is_gr_to_set(t, class, index, v))
			return MONT_EINVAL;
		index = mont_nospec(index, 128);
		/* The register no longer holds the data of an advanced load. */
		mont_alat_remove(t, mont_alat_gr(t, index));
		return EC_OF(mont_gr_set(t, index, v[0], v[1]));
	case MONT_REG_FR:
		if (index < 2 || index > 127 || v[1] >> 18)
			return MONT_EINVAL;
		index = mont_nospec(index, 128);
		mont_alat_remove(t, mont_alat_fr(t, index));
		t->s.fr[t->frmap[index]] = (struct mont_fr){ .sig = v[0], .se = v[1] };
		return 0;
	case MONT_REG_PR:
		if (index)
			return MONT_EINVAL;
		mont_pr_set_physical(t, v[0]);
		return 0;
	case MONT_REG_BR:
		if (index > 7)
			return MONT_EINVAL;
		t->s.br[mont_nospec(index, 8)] = v[0];
		return 0;
	case MONT_REG_AR:
		return hostview_ar_access(t, index, NULL, v);
	case MONT_REG_CR:
		return hostview_cr_access(t, index, NULL, v);
	case MONT_REG_SPECIAL:
		return hostview_special_set(t, index, v[0]);
	case MONT_REG_RR:
		return index > 7 ? MONT_EINVAL : hostview_rr_set(t, index, v[0]);
	case MONT_REG_PKR:
		return EC_OF(mont_pkr_write(t, index, v[0]));
	case MONT_REG_DBR:
		return EC_OF(mont_debug_write(t, t->s.dbr, index, v[0]));
	case MONT_REG_IBR:
		return EC_OF(mont_debug_write(t, t->s.ibr, index, v[0]));
	case MONT_REG_PMC:
		if (index > 255)
			return MONT_EINVAL;
		mont_pmc_write(t, index, v[0]);
		return 0;
	case MONT_REG_PMD:
		if (index > 255)
			return MONT_EINVAL;
		mont_pmd_write(t, index, v[0]);
		return 0;
	default:
		return MONT_EINVAL;
	}
}

static int hostview_tc_result(enum mont_result r)
{
	return r == MONT_NEXT ? 0 : MONT_EINVAL;
}

int mont_tc_insert(struct mont_thread *t, bool insn, u64 va, u64 pte, u64 itir)
{
	int ec = hostview_tc_result(mont_tlb_insert_tc(t, insn, va, pte, itir, NULL));

	mont_lsu_drain(t);
	return ec;
}

int mont_tc_purge(struct mont_thread *t, u64 va, u32 ps)
{
	if (!mont_page_size_ok(ps))
		return MONT_EINVAL;
	mont_tlb_purge_tc(t, mont_rid(t, va), va, ps);
	mont_lsu_drain(t);
	return 0;
}

int mont_host_translate(struct mont_thread *t, bool insn, u64 va, u64 *pa)
{
	if (!(t->s.psr & (insn ? MONT_PSR_IT : MONT_PSR_DT))) {
		*pa = va & ~MONT_BIT(63);
		return 0;
	}
	return mont_tlb_look(t, insn, va, pa) || mont_vhpt_look(t, va, pa) ? 0 : MONT_ENOENT;
}

void mont_sample(const struct mont_thread *t, struct mont_sample *s)
{
	s->ip = t->s.ip;
	s->insns = t->s.insns;
	s->cycles = mont_thread_cycles(t);
	s->clock = t->clock;
	s->slot = t->sig_slot;
	s->cpl = t->cpl;
	s->cause = t->sig_cause;
	s->served = t->sig_served;
}

void mont_pmu_view(struct mont_thread *t, u64 pmc[64], u64 pmd[64])
{
	unsigned int i;

	/* One read of a counter brings all of them up to date. */
	mont_pmd_read(t, MONT_PMC_FIRST, 0);
	__builtin_memcpy(pmc, t->s.pmu.pmc, sizeof(t->s.pmu.pmc));
	__builtin_memcpy(pmd, t->s.pmu.pmd, sizeof(t->s.pmu.pmd));
	for (i = MONT_PMC_FIRST; i <= MONT_PMC_LAST; i++)
		pmd[i] = mont_sext(pmd[i], MONT_PMD_BITS);
}

u64 mont_uncounted(struct mont_thread *t)
{
	u64 bits = t->pmu.unreported;

	t->pmu.unreported = 0;
	return bits;
}
