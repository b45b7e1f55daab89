// SPDX-License-Identifier: GPL-2.0-only
/*
 * Moves to and from application, control, status and indirect registers
 * (SDM volume 3, mov; volume 1, 3.1.8; volume 2, 3.3).
 */
#include "execute.h"
#include "../arch/psr.h"
#include "../arch/rse.h"
#include "../arch/sysregs.h"
#include "../memory/mem.h"
#include "../pmu/pmu.h"
#include "../pmu/registers.h"

MONT_OPERATION(MOV_TO_AR)
{
	if (mont_ar_illegal(t, u->r3, true))
		return MONT_FAULT_ILLEGAL_OP;
	if (mont_nat(t, u->r2))
		return mont_nat_fault(t, 0);
	return mont_ar_write(t, u->r3, mont_gr(t, u->r2), t->cpl);
}

MONT_OPERATION(MOV_TO_AR_IMM)
{
	if (mont_ar_illegal(t, u->r3, true))
		return MONT_FAULT_ILLEGAL_OP;
	return mont_ar_write(t, u->r3, u->imm, t->cpl);
}

MONT_OPERATION(MOV_FROM_AR)
{
	enum mont_result r;
	u64 v;

	if (mont_gr_bad(t, u->r1) || mont_ar_illegal(t, u->r3, false))
		return MONT_FAULT_ILLEGAL_OP;
	r = mont_ar_read(t, u->r3, &v, t->cpl);
	if (r != MONT_NEXT)
		return r;
	return mont_gr_set(t, u->r1, v, 0);
}

MONT_OPERATION(MOV_TO_CR)
{
	enum mont_result r;

	if (mont_cr_illegal(t, u->r3, true))
		return MONT_FAULT_ILLEGAL_OP;
	if (t->cpl)
		return MONT_FAULT_PRIV_OP;
	if (mont_nat(t, u->r2))
		return mont_nat_fault(t, 0);
	r = mont_cr_write(t, u->r3, mont_gr(t, u->r2));
	return r == MONT_NEXT ? MONT_RELOAD : r;
}

MONT_OPERATION(MOV_FROM_CR)
{
	if (mont_cr_illegal(t, u->r3, false) || mont_gr_bad(t, u->r1))
		return MONT_FAULT_ILLEGAL_OP;
	if (t->cpl)
		return MONT_FAULT_PRIV_OP;
	return mont_gr_set(t, u->r1, mont_cr_read(t, u->r3), 0);
}

/* ---- PSR ---- */

#define PSR_UM (MONT_PSR_BE | MONT_PSR_UP | MONT_PSR_AC | MONT_PSR_MFL | MONT_PSR_MFH)
#define PSR_SM                                                                          \
	(PSR_UM | MONT_PSR_IC | MONT_PSR_I | MONT_PSR_PK | MONT_PSR_DT | MONT_PSR_DFL | \
	 MONT_PSR_DFH | MONT_PSR_SP | MONT_PSR_PP | MONT_PSR_DI | MONT_PSR_SI)
#define PSR_L (PSR_SM | MONT_PSR_DB | MONT_PSR_LP | MONT_PSR_TB | MONT_PSR_RT)

/* Set PSR bits under @mask to @v, retiring first: what follows is counted anew. */
static enum mont_result regmove_set_psr_bits(struct mont_thread *t, u64 mask, u64 v)
{
	mont_retire_now(t);
	/* Should PSR.ic go: this instruction still shows in IIPA. */
	t->s.last_ip = t->s.ip;
	mont_psr_set(t, (t->s.psr & ~mask) | (v & mask));
	return MONT_RELOAD;
}

/*
 * User mask: PSR.up keeps its value under PSR.sp (SDM volume 3, sum). The group ends only where a
 * counter looks at PSR.up: each reference looks at PSR.ac and, as the fast paths are closed, at
 * PSR.be itself.
 */
static enum mont_result regmove_set_um(struct mont_thread *t, u64 mask, u64 v)
{
	u64 changed;

	if (t->s.psr & MONT_PSR_SP)
		mask &= ~MONT_PSR_UP;
	changed = (t->s.psr ^ v) & mask;
	if ((changed & MONT_PSR_UP) && mont_up_counts(t))
		return regmove_set_psr_bits(t, mask, v);
	t->s.psr ^= changed;
	/* Blocks see the change when the group ends: it may not end early for them. */
	if (changed & t->pmu.obs.psrs)
		t->attn |= MONT_ATTN_GROUP;
	if (changed & MONT_PSR_BE)
		mont_utlb_flush(t);
	return MONT_NEXT;
}

MONT_OPERATION(SUM)
{
	if (u->imm & ~PSR_UM)
		return MONT_FAULT_RESERVED_FIELD;
	return regmove_set_um(t, u->imm, ~0ULL);
}

MONT_OPERATION(RUM)
{
	if (u->imm & ~PSR_UM)
		return MONT_FAULT_RESERVED_FIELD;
	return regmove_set_um(t, u->imm, 0);
}

MONT_OPERATION(MOV_TO_PSR_UM)
{
	u64 v = mont_gr(t, u->r2);

	if (mont_nat(t, u->r2))
		return mont_nat_fault(t, 0);
	if (v & ~PSR_UM)
		return MONT_FAULT_RESERVED_FIELD;
	return regmove_set_um(t, PSR_UM, v);
}

MONT_OPERATION(MOV_FROM_PSR_UM)
{
	return mont_gr_set(t, u->r1, t->s.psr & PSR_UM, 0);
}

MONT_OPERATION(SSM)
{
	if (t->cpl)
		return MONT_FAULT_PRIV_OP;
	if (u->imm & ~PSR_SM)
		return MONT_FAULT_RESERVED_FIELD;
	return regmove_set_psr_bits(t, u->imm, ~0ULL);
}

MONT_OPERATION(RSM)
{
	if (t->cpl)
		return MONT_FAULT_PRIV_OP;
	if (u->imm & ~PSR_SM)
		return MONT_FAULT_RESERVED_FIELD;
	return regmove_set_psr_bits(t, u->imm, 0);
}

MONT_OPERATION(MOV_TO_PSR_L)
{
	u64 v = mont_gr(t, u->r2) & 0xffffffff;

	if (t->cpl)
		return MONT_FAULT_PRIV_OP;
	if (mont_nat(t, u->r2))
		return mont_nat_fault(t, 0);
	if (v & ~PSR_L)
		return MONT_FAULT_RESERVED_FIELD;
	return regmove_set_psr_bits(t, PSR_L, v);
}

MONT_OPERATION(MOV_FROM_PSR)
{
	if (mont_gr_bad(t, u->r1))
		return MONT_FAULT_ILLEGAL_OP;
	if (t->cpl)
		return MONT_FAULT_PRIV_OP;
	return mont_gr_set(t, u->r1, t->s.psr & (0xffffffffULL | MONT_PSR_MC | MONT_PSR_IT), 0);
}

/* ---- indirect registers ---- */

/* Check what every indirect move checks first: NaT of the index, privilege. */
static enum mont_result regmove_indirect_to(struct mont_thread *t, const struct mont_uop *u)
{
	if (t->cpl)
		return MONT_FAULT_PRIV_OP;
	if (mont_nat(t, u->r3) || mont_nat(t, u->r2))
		return mont_nat_fault(t, 0);
	return MONT_NEXT;
}

static enum mont_result regmove_indirect_from(struct mont_thread *t, const struct mont_uop *u,
					      bool privileged)
{
	if (mont_gr_bad(t, u->r1))
		return MONT_FAULT_ILLEGAL_OP;
	if (privileged && t->cpl)
		return MONT_FAULT_PRIV_OP;
	if (mont_nat(t, u->r3))
		return mont_nat_fault(t, 0);
	return MONT_NEXT;
}

MONT_OPERATION(MOV_TO_RR)
{
	enum mont_result r = regmove_indirect_to(t, u);

	if (r == MONT_NEXT)
		r = mont_rr_write(t, mont_gr(t, u->r3) >> 61, mont_gr(t, u->r2));
	return r == MONT_NEXT ? MONT_RELOAD : r;
}

MONT_OPERATION(MOV_TO_PKR)
{
	enum mont_result r = regmove_indirect_to(t, u);

	if (r == MONT_NEXT)
		r = mont_pkr_write(t, mont_gr(t, u->r3) & 0xff, mont_gr(t, u->r2));
	return r == MONT_NEXT ? MONT_RELOAD : r;
}

static enum mont_result regmove_to_debug(struct mont_thread *t, const struct mont_uop *u, u64 *reg)
{
	enum mont_result r = regmove_indirect_to(t, u);

	if (r != MONT_NEXT)
		return r;
	mont_retire_now(t);
	r = mont_debug_write(t, reg, mont_gr(t, u->r3) & 0xff, mont_gr(t, u->r2));
	return r == MONT_NEXT ? MONT_RELOAD : r;
}

MONT_OPERATION(MOV_TO_DBR)
{
	return regmove_to_debug(t, u, t->s.dbr);
}

MONT_OPERATION(MOV_TO_IBR)
{
	return regmove_to_debug(t, u, t->s.ibr);
}

MONT_OPERATION(MOV_TO_PMC)
{
	enum mont_result r = regmove_indirect_to(t, u);

	if (r != MONT_NEXT)
		return r;
	mont_retire_now(t);
	mont_pmc_write_guest(t, mont_gr(t, u->r3), mont_gr(t, u->r2));
	return MONT_RELOAD;
}

MONT_OPERATION(MOV_TO_PMD)
{
	enum mont_result r = regmove_indirect_to(t, u);

	if (r != MONT_NEXT)
		return r;
	mont_retire_now(t);
	mont_pmd_write(t, mont_gr(t, u->r3), mont_gr(t, u->r2));
	return MONT_RELOAD;
}

/* Montecito documents no model-specific register that software may touch. */
MONT_OPERATION(MOV_TO_MSR)
{
	return t->cpl ? MONT_FAULT_PRIV_OP : MONT_FAULT_ILLEGAL_OP;
}

MONT_OPERATION(MOV_FROM_MSR)
{
	return t->cpl ? MONT_FAULT_PRIV_OP : MONT_FAULT_ILLEGAL_OP;
}

MONT_OPERATION(MOV_FROM_RR)
{
	enum mont_result r = regmove_indirect_from(t, u, true);

	if (r != MONT_NEXT)
		return r;
	return mont_gr_set(t, u->r1, t->s.rr[mont_gr(t, u->r3) >> 61], 0);
}

static enum mont_result regmove_from_array(struct mont_thread *t, const struct mont_uop *u,
					   const u64 *reg, u32 n)
{
	enum mont_result r = regmove_indirect_from(t, u, true);
	u32 i = mont_gr(t, u->r3) & 0xff;

	if (r != MONT_NEXT)
		return r;
	if (i >= n)
		return MONT_FAULT_RESERVED_FIELD;
	return mont_gr_set(t, u->r1, reg[mont_nospec(i, n)], 0);
}

MONT_OPERATION(MOV_FROM_PKR)
{
	return regmove_from_array(t, u, t->s.pkr, MONT_NR_PKR);
}

MONT_OPERATION(MOV_FROM_DBR)
{
	return regmove_from_array(t, u, t->s.dbr, MONT_NR_DEBUG);
}

MONT_OPERATION(MOV_FROM_IBR)
{
	return regmove_from_array(t, u, t->s.ibr, MONT_NR_DEBUG);
}

MONT_OPERATION(MOV_FROM_PMC)
{
	enum mont_result r = regmove_indirect_from(t, u, true);

	if (r != MONT_NEXT)
		return r;
	return mont_gr_set(t, u->r1, mont_pmc_read(t, mont_gr(t, u->r3)), 0);
}

MONT_OPERATION(MOV_FROM_PMD)
{
	enum mont_result r = regmove_indirect_from(t, u, false);

	if (r != MONT_NEXT)
		return r;
	return mont_gr_set(t, u->r1, mont_pmd_read(t, mont_gr(t, u->r3), t->cpl), 0);
}

MONT_OPERATION(MOV_FROM_CPUID)
{
	enum mont_result r = regmove_indirect_from(t, u, false);
	u32 i = mont_gr(t, u->r3) & 0xff;

	if (r != MONT_NEXT)
		return r;
	if (i >= MONT_NR_CPUID)
		return MONT_FAULT_RESERVED_FIELD;
	return mont_gr_set(t, u->r1, mont_cpuid(i), 0);
}
