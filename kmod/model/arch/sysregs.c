// SPDX-License-Identifier: GPL-2.0-only
/*
 * Application, control, region, key, debug and identification registers
 * (SDM volume 1, 3.1; volume 2, 3.3; manual 2.1.1).
 */
#include "sysregs.h"
#include "psr.h"
#include "rse.h"
#include "../platform/interrupts.h"
#include "../memory/mem.h"
#include "../pmu/pmu.h"
#include "../event/raise.h"
#include "../pmu/registers.h"

/* One row of sysregs.def. */
struct sysreg {
	u8 known;
	u8 field; /* word of struct mont_ar or mont_cr */
	u8 flags;
	u64 reserved;
	u64 ignored;
};

#define AR_RO 0x1
#define AR_LAZY 0x2 /* only while RSC.mode is 0 */
#define AR_PRIV 0x4 /* written at level 0 alone */
#define AR_CLOCK 0x8 /* counts on from what is written */
#define CR_IC 0x1 /* only while PSR.ic is 0 */
#define CR_RO 0x2
#define CR_IRQ 0x4 /* a write may let an interrupt in */
#define CR_TIMER 0x8 /* a write moves the interval timer's match */
/* Vector registers: bits 11:8 and 15:13 reserved, 12 ignored, 63:17 reserved. */
#define VECTOR_RESERVED (0xef00ULL | ~0x1ffffULL)
#define VECTOR_IGNORED 0x1000ULL
/* LRR: bit 11 and 63:17 reserved, 12 and 14 ignored. */
#define LRR_RESERVED (0x800ULL | ~0x1ffffULL)
#define LRR_IGNORED 0x5000ULL
#define IPSR_RESERVED ~(MONT_PSR_IMPLEMENTED | MONT_PSR_RI | MONT_PSR_IS)
#define IFS_RESERVED 0x7fffffc000000000ULL

static const struct sysreg ars[128] = {
#define MONT_AR(n, upper, lower, word, f, r, i)              \
	[n] = { .known = 1,                                  \
		.field = offsetof(struct mont_ar, word) / 8, \
		.flags = f,                                  \
		.reserved = r,                               \
		.ignored = i },
#include "sysregs.def"
};

static const struct sysreg crs[128] = {
#define MONT_CR(n, upper, lower, word, f, r, i)              \
	[n] = { .known = 1,                                  \
		.field = offsetof(struct mont_cr, word) / 8, \
		.flags = f,                                  \
		.reserved = r,                               \
		.ignored = i },
#include "sysregs.def"
};

/* ---- application registers ---- */

bool mont_ar_exists(u32 ar, bool write)
{
	if (ar >= MONT_ARRAY_SIZE(ars))
		return false;
	if (!ars[ar].known)
		return (ar >= 48 && ar <= 63) || ar >= 112;
	return !(write && (ars[ar].flags & AR_RO));
}

bool mont_ar_illegal(const struct mont_thread *t, u32 ar, bool write)
{
	return !mont_ar_exists(ar, write) || ((ars[ar].flags & AR_LAZY) && (t->s.ar.rsc & 3));
}

enum mont_result mont_ar_read(struct mont_thread *t, u32 ar, u64 *v, u32 cpl)
{
	const struct sysreg *a = &ars[ar];

	*v = 0;
	if (ar == MONT_AR_BSP)
		*v = mont_bsp(t);
	else if (a->known)
		*v = ((const u64 *)&t->s.ar)[a->field];
	if (a->flags & AR_CLOCK) {
		if (cpl && (t->s.psr & MONT_PSR_SI))
			return MONT_FAULT_PRIV_REG;
		*v += ar == MONT_AR_ITC ? t->clock : mont_thread_cycles(t);
	}
	return MONT_NEXT;
}

/* Reserved bits, and what else may not be written. */
static bool sysregs_ar_reserved(u32 ar, u64 v)
{
	unsigned int sf;

	if (v & ars[ar].reserved)
		return true;
	/* Precision control 1 of a status field. */
	for (sf = 0; ar == MONT_AR_FPSR && sf < 4; sf++)
		if ((v >> (6 + 13 * sf + 2) & 3) == 1)
			return true;
	return false;
}

enum mont_result mont_ar_write(struct mont_thread *t, u32 ar, u64 v, u32 cpl)
{
	const struct sysreg *a = &ars[ar];
	u64 pl;

	if (sysregs_ar_reserved(ar, v))
		return MONT_FAULT_RESERVED_FIELD;
	if (cpl && (a->flags & AR_PRIV))
		return MONT_FAULT_PRIV_REG;
	v &= ~a->ignored;
	if (ar == MONT_AR_RSC) {
		/* Code cannot give the RSE more privilege than it has. */
		pl = v >> 2 & 3;
		v = (v & ~0xcULL) | (pl > cpl ? pl : cpl) << 2;
	} else if (ar == MONT_AR_BSPSTORE) {
		/* Clean registers are those of the old backing store. */
		t->s.nclean = 0;
	} else if (a->flags & AR_CLOCK) {
		v -= ar == MONT_AR_ITC ? t->clock : mont_thread_cycles(t);
		t->attn |= MONT_ATTN_TIMER;
	}
	if (a->known)
		((u64 *)&t->s.ar)[a->field] = v;
	return MONT_NEXT;
}

/* ---- control registers ---- */

/* PTA.size: a table has 32 KB at least (SDM volume 2, 3.3.4.4). */
#define PTA_SIZE_MIN 15
#define PTA_SIZE_MAX 61

static bool sysregs_pta_reserved(u64 v)
{
	return mont_bits(v, 2, 6) < PTA_SIZE_MIN || mont_bits(v, 2, 6) > PTA_SIZE_MAX;
}

bool mont_cr_exists(u32 cr, bool write)
{
	return cr < MONT_ARRAY_SIZE(crs) && crs[cr].known && !(write && (crs[cr].flags & CR_RO));
}

bool mont_cr_illegal(const struct mont_thread *t, u32 cr, bool write)
{
	return !mont_cr_exists(cr, write) || ((crs[cr].flags & CR_IC) && (t->s.psr & MONT_PSR_IC));
}

u64 mont_cr_read(struct mont_thread *t, u32 cr)
{
	switch (cr) {
	case MONT_CR_IVR:
		return mont_irq_ivr(t);
	case MONT_CR_EOI:
		return 0;
	default:
		return ((const u64 *)&t->s.cr)[crs[cr].field];
	}
}

enum mont_result mont_cr_write(struct mont_thread *t, u32 cr, u64 v)
{
	const struct sysreg *c = &crs[cr];

	if (cr == MONT_CR_EOI) {
		mont_irq_eoi(t);
		return MONT_NEXT;
	}
	if ((v & c->reserved) || (cr == MONT_CR_PTA && sysregs_pta_reserved(v)))
		return MONT_FAULT_RESERVED_FIELD;
	if (cr == MONT_CR_IIPA)
		t->s.last_ip_ic = v;
	((u64 *)&t->s.cr)[c->field] = v & ~c->ignored;
	if (c->flags & CR_IRQ)
		t->attn |= MONT_ATTN_IRQ;
	if (c->flags & CR_TIMER)
		t->attn |= MONT_ATTN_TIMER;
	return MONT_NEXT;
}

/* ---- region, key and debug registers ---- */

/* Bit 1 and 63:32 are reserved; a walk needs a page size that exists. */
static bool sysregs_rr_reserved(u64 v)
{
	return (v & ~0xfffffffdULL) || !mont_page_size_ok(mont_bits(v, 2, 6));
}

#define PKR_RESERVED ~0xffffff0fULL

static bool sysregs_keys_valid(const u64 *pkr)
{
	unsigned int i, k;

	for (i = 0; i < MONT_NR_PKR; i++) {
		if (pkr[i] & PKR_RESERVED)
			return false;
		/* A key is in one register at most. */
		for (k = 0; k < i; k++)
			if ((pkr[i] & pkr[k] & 1) && pkr[i] >> 8 == pkr[k] >> 8)
				return false;
	}
	return true;
}

bool mont_sysregs_valid(const struct mont_state *s)
{
	unsigned int i;

	/* Region registers and PTA are 0 at reset, which no write could make them. */
	for (i = 0; i < 8; i++)
		if (s->rr[i] && sysregs_rr_reserved(s->rr[i]))
			return false;
	for (i = 0; i < MONT_ARRAY_SIZE(crs); i++)
		if (((const u64 *)&s->cr)[crs[i].field] & crs[i].reserved)
			return false;
	return sysregs_keys_valid(s->pkr) && (!s->cr.pta || !sysregs_pta_reserved(s->cr.pta)) &&
	       !(s->cr.iva & 0x7fff) && !(s->cr.irr[0] & MONT_IRQ_RESERVED) &&
	       !(s->cr.isrv[0] & MONT_IRQ_RESERVED) &&
	       !sysregs_ar_reserved(MONT_AR_RSC, s->ar.rsc) &&
	       !sysregs_ar_reserved(MONT_AR_FPSR, s->ar.fpsr) &&
	       !sysregs_ar_reserved(MONT_AR_PFS, s->ar.pfs) && s->ar.ec <= 63 &&
	       !(s->ar.bspstore & 7);
}

enum mont_result mont_rr_write(struct mont_thread *t, u32 rr, u64 v)
{
	if (sysregs_rr_reserved(v))
		return MONT_FAULT_RESERVED_FIELD;
	t->s.rr[rr & 7] = v;
	mont_utlb_flush(t);
	mont_lsu_ask(t, MONT_LSU_DTLB_DROP, (u64)(rr & 7) << 61, MONT_BIT(61));
	mont_lsu_ask(t, MONT_LSU_ITLB_DROP, (u64)(rr & 7) << 61, MONT_BIT(61));
	return MONT_NEXT;
}

enum mont_result mont_pkr_write(struct mont_thread *t, u32 pkr, u64 v)
{
	unsigned int i;

	if (pkr >= MONT_NR_PKR || (v & PKR_RESERVED))
		return MONT_FAULT_RESERVED_FIELD;
	/* A key is in one register at most (SDM volume 3, mov indirect). */
	for (i = 0; i < MONT_NR_PKR; i++)
		if (i != pkr && (v & 1) && (t->s.pkr[i] >> 8) == v >> 8)
			t->s.pkr[i] &= ~1ULL;
	t->s.pkr[mont_nospec(pkr, MONT_NR_PKR)] = v;
	mont_utlb_flush(t);
	return MONT_NEXT;
}

enum mont_result mont_debug_write(struct mont_thread *t, u64 *reg, u32 i, u64 v)
{
	if (i >= MONT_NR_DEBUG)
		return MONT_FAULT_RESERVED_FIELD;
	mont_signals_fold(t);
	reg[mont_nospec(i, MONT_NR_DEBUG)] = v;
	mont_signals_arm(t);
	mont_utlb_flush(t);
	return MONT_NEXT;
}

void mont_pmc_write_guest(struct mont_thread *t, u64 idx, u64 v)
{
	u64 before = t->s.pmu.uncounted, fresh;

	mont_pmc_write(t, idx, v);
	fresh = t->s.pmu.uncounted & ~before;
	if (fresh && (t->pkg->cfg.flags & MONT_CFG_STRICT)) {
		struct mont_exit *x = t->pkg->exit;

		x->reason = MONT_EXIT_UNCOUNTED;
		x->vcpu = t->index;
		x->ip = t->s.ip;
		x->slot = t->sig_slot;
		x->pmc0 = fresh;
		t->attn |= MONT_ATTN_EXIT;
	}
}

u64 mont_cpuid(u32 i)
{
	/* SDM volume 1, 3.1.11; manual table 2-1: family 0x20, model 0. */
	static const u64 cpuid[MONT_NR_CPUID] = {
		0x49656e69756e6547ULL, /* "GenuineI" */
		0x6c65746eULL, /* "ntel" */
		0,
		4 | 0x20ULL << 24,
		/* brl, spontaneous deferral, 16-byte atomic operations */
		7,
	};

	return i < MONT_NR_CPUID ? cpuid[mont_nospec(i, MONT_NR_CPUID)] : 0;
}
