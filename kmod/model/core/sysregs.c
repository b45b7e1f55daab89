// SPDX-License-Identifier: GPL-2.0-only
/*
 * Application, control, region, key, debug and identification registers
 * (SDM volume 1, 3.1; volume 2, 3.3; manual 2.1.1).
 */
#include "sysregs.h"
#include "psr.h"
#include "rse.h"
#include "../mem/mem.h"
#include "../platform/platform.h"
#include "../pmu/pmu.h"

#define AR_RUC 45

/* Application registers that are plain storage, by number. */
static u64 *plain_ar(struct mont_thread *t, u32 ar)
{
	struct mont_ar *a = &t->s.ar;

	switch (ar) {
	case 0 ... 7:
		return &a->kr[ar];
	case 16:
		return &a->rsc;
	case 18:
		return &a->bspstore;
	case 19:
		return &a->rnat;
	case 21:
		return &a->fcr;
	case 24:
		return &a->eflag;
	case 25:
		return &a->csd;
	case 26:
		return &a->ssd;
	case 27:
		return &a->cflg;
	case 28:
		return &a->fsr;
	case 29:
		return &a->fir;
	case 30:
		return &a->fdr;
	case 32:
		return &a->ccv;
	case 36:
		return &a->unat;
	case 40:
		return &a->fpsr;
	case 64:
		return &a->pfs;
	case 65:
		return &a->lc;
	case 66:
		return &a->ec;
	default:
		return NULL;
	}
}

/* Read as zero, writes ignored (SDM volume 1, table 3-3). */
static bool ignored_ar(u32 ar)
{
	return (ar >= 48 && ar <= 63) || (ar >= 112 && ar <= 127);
}

static bool eager(const struct mont_thread *t)
{
	return t->s.ar.rsc & 3;
}

enum mont_result mont_ar_read(struct mont_thread *t, u32 ar, u64 *v, u32 cpl)
{
	u64 *p = plain_ar(t, ar);

	*v = 0;
	switch (ar) {
	case MONT_AR_BSP:
		*v = mont_bsp(t);
		return MONT_NEXT;
	case MONT_AR_BSPSTORE:
	case MONT_AR_RNAT:
		if (eager(t))
			return MONT_FAULT_ILLEGAL_OP;
		*v = *p;
		return MONT_NEXT;
	case 44:
	case AR_RUC:
		if (cpl && (t->s.psr & MONT_PSR_SI))
			return MONT_FAULT_PRIV_REG;
		*v = t->s.cycles + (ar == 44 ? t->s.ar.itc_offset : t->s.ar.ruc_offset);
		return MONT_NEXT;
	default:
		if (p)
			*v = *p;
		else if (!ignored_ar(ar))
			return MONT_FAULT_ILLEGAL_OP;
		return MONT_NEXT;
	}
}

/* Reserved bits of application registers (SDM volume 1, 3.1.8). */
static bool ar_reserved(u32 ar, u64 v)
{
	unsigned int sf;

	switch (ar) {
	case MONT_AR_RSC:
		return v & ~0x3fff001fULL;
	case 40:
		/* Reserved: bits 63:58, sf0.td, precision control 1. */
		if (v >> 58 || (v >> 12 & 1))
			return true;
		for (sf = 0; sf < 4; sf++)
			if ((v >> (6 + 13 * sf + 2) & 3) == 1)
				return true;
		return false;
	case 64:
		return v & 0x3c0fffc000000000ULL;
	default:
		return false;
	}
}

/* Is there no such register to write, or not in this mode of the RSE? */
bool mont_ar_write_illegal(struct mont_thread *t, u32 ar)
{
	switch (ar) {
	case MONT_AR_BSP:
		return true;
	case MONT_AR_BSPSTORE:
	case MONT_AR_RNAT:
		return eager(t);
	case 44:
	case AR_RUC:
		return false;
	default:
		return !plain_ar(t, ar) && !ignored_ar(ar);
	}
}

enum mont_result mont_ar_write(struct mont_thread *t, u32 ar, u64 v, u32 cpl)
{
	u64 *p = plain_ar(t, ar), pl;

	if (mont_ar_write_illegal(t, ar))
		return MONT_FAULT_ILLEGAL_OP;
	if (ar_reserved(ar, v))
		return MONT_FAULT_RESERVED_FIELD;
	switch (ar) {
	case 0 ... 7:
	case 27:
		if (cpl)
			return MONT_FAULT_PRIV_REG;
		break;
	case MONT_AR_RSC:
		/* Nobody gives the RSE more privilege than they have. */
		pl = v >> 2 & 3;
		v = (v & ~0xcULL) | (pl > cpl ? pl : cpl) << 2;
		break;
	case MONT_AR_BSPSTORE:
		v &= ~7ULL;
		/* Clean registers are those of the old backing store. */
		t->s.nclean = 0;
		break;
	case MONT_AR_RNAT:
		v &= ~MONT_BIT(63);
		break;
	case 44:
	case AR_RUC:
		if (cpl)
			return MONT_FAULT_PRIV_REG;
		*(ar == 44 ? &t->s.ar.itc_offset : &t->s.ar.ruc_offset) = v - t->s.cycles;
		t->attn |= MONT_ATTN_TIMER;
		return MONT_NEXT;
	case 66:
		v &= 63;
		break;
	default:
		break;
	}
	if (p)
		*p = v;
	return MONT_NEXT;
}

/* Fields of the control registers that exist; one row each (SDM 3.3.4). */
struct cr_info {
	u8 num;
	u8 field; /* word of struct mont_cr */
	u8 flags;
	u64 reserved; /* a 1 written here faults */
	u64 ignored; /* written bits lost */
};

#define CR_IC 0x1 /* only while PSR.ic is 0 */
#define CR_RO 0x2
#define CR_IRQ 0x4 /* a write may let an interrupt in */
#define CR_TIMER 0x8 /* a write moves the interval timer's match */
#define F(name) (offsetof(struct mont_cr, name) / 8)
/* Vector registers: bits 11:8 and 15:13 reserved, 12 ignored, 63:17 reserved. */
#define IV_RESERVED (0xef00ULL | ~0x1ffffULL)
#define IV_IGNORED 0x1000ULL
/* LRR: bit 11 and 63:17 reserved, 12 and 14 ignored. */
#define LRR_RESERVED (0x800ULL | ~0x1ffffULL)
#define LRR_IGNORED 0x5000ULL
#define IPSR_RESERVED ~(MONT_PSR_IMPLEMENTED | MONT_PSR_RI | MONT_PSR_IS)
#define IFS_RESERVED 0x7fffffc000000000ULL

#define CR_PTA 8
#define CR_IIPA 22
#define CR_EOI 67

/* PTA.size: a table has 32 KB at least (SDM volume 2, 3.3.4.4). */
#define PTA_SIZE_MIN 15
#define PTA_SIZE_MAX 61

static bool pta_reserved(u64 v)
{
	return mont_bits(v, 2, 6) < PTA_SIZE_MIN || mont_bits(v, 2, 6) > PTA_SIZE_MAX;
}

static const struct cr_info crs[] = {
	{ 0, F(dcr), 0, ~0x7f07ULL, 0 },
	{ 1, F(itm), CR_TIMER, 0, 0 },
	{ 2, F(iva), 0, 0, 0x7fff },
	{ 8, F(pta), 0, 0x7e02, 0 },
	{ 16, F(ipsr), CR_IC, IPSR_RESERVED, 0 },
	{ 17, F(isr), CR_IC, 0, 0 },
	{ 19, F(iip), CR_IC, 0, 0 },
	{ 20, F(ifa), CR_IC, 0, 0 },
	{ 21, F(itir), CR_IC, 0, 0 },
	{ 22, F(iipa), CR_IC, 0, 0 },
	{ 23, F(ifs), CR_IC, IFS_RESERVED, 0 },
	{ 24, F(iim), CR_IC, 0, 0 },
	{ 25, F(iha), CR_IC, 0, 3 },
	{ 64, F(lid), 0, 0, 0xffffffff0000ffffULL },
	{ 66, F(tpr), CR_IRQ, ~0x1ffffULL | 0xff00, 0xf },
	{ 68, F(irr), CR_RO, 0, 0 },
	{ 69, F(irr) + 1, CR_RO, 0, 0 },
	{ 70, F(irr) + 2, CR_RO, 0, 0 },
	{ 71, F(irr) + 3, CR_RO, 0, 0 },
	{ 72, F(itv), 0, IV_RESERVED, IV_IGNORED },
	{ 73, F(pmv), 0, IV_RESERVED, IV_IGNORED },
	{ 74, F(cmcv), 0, IV_RESERVED, IV_IGNORED },
	{ 80, F(lrr), 0, LRR_RESERVED, LRR_IGNORED },
	{ 81, F(lrr) + 1, 0, LRR_RESERVED, LRR_IGNORED },
};

static const struct cr_info *find_cr(u32 cr)
{
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(crs); i++)
		if (crs[i].num == cr)
			return &crs[i];
	return NULL;
}

bool mont_cr_illegal(const struct mont_thread *t, u32 cr, bool write)
{
	const struct cr_info *c = find_cr(cr);

	if (cr == CR_EOI)
		return false;
	if (cr == MONT_CR_IVR)
		return write;
	return !c || (write && (c->flags & CR_RO)) ||
	       ((c->flags & CR_IC) && (t->s.psr & MONT_PSR_IC));
}

enum mont_result mont_cr_read(struct mont_thread *t, u32 cr, u64 *v)
{
	const struct cr_info *c = find_cr(cr);

	*v = 0;
	if (cr == MONT_CR_IVR) {
		*v = mont_irq_ivr(t);
		return MONT_NEXT;
	}
	/* EOI reads as zero. */
	if (cr == CR_EOI)
		return MONT_NEXT;
	if (mont_cr_illegal(t, cr, false))
		return MONT_FAULT_ILLEGAL_OP;
	*v = ((const u64 *)&t->s.cr)[c->field];
	return MONT_NEXT;
}

enum mont_result mont_cr_write(struct mont_thread *t, u32 cr, u64 v)
{
	const struct cr_info *c = find_cr(cr);

	if (mont_cr_illegal(t, cr, true))
		return MONT_FAULT_ILLEGAL_OP;
	if (cr == CR_EOI) {
		mont_irq_eoi(t);
		return MONT_NEXT;
	}
	if (v & c->reserved)
		return MONT_FAULT_RESERVED_FIELD;
	if (cr == CR_PTA && pta_reserved(v))
		return MONT_FAULT_RESERVED_FIELD;
	if (cr == CR_IIPA)
		t->s.last_ip_ic = v;
	((u64 *)&t->s.cr)[c->field] = v & ~c->ignored;
	if (c->flags & CR_IRQ)
		t->attn |= MONT_ATTN_IRQ;
	if (c->flags & CR_TIMER)
		t->attn |= MONT_ATTN_TIMER;
	return MONT_NEXT;
}

/* Bit 1 and 63:32 are reserved; a walk needs a page size that exists. */
static bool rr_reserved(u64 v)
{
	return (v & ~0xfffffffdULL) || !mont_page_size_ok(mont_bits(v, 2, 6));
}

#define PKR_RESERVED ~0xffffff0fULL

static bool keys_valid(const u64 *pkr)
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
		if (s->rr[i] && rr_reserved(s->rr[i]))
			return false;
	for (i = 0; i < MONT_ARRAY_SIZE(crs); i++)
		if (((const u64 *)&s->cr)[crs[i].field] & crs[i].reserved)
			return false;
	return keys_valid(s->pkr) && (!s->cr.pta || !pta_reserved(s->cr.pta)) &&
	       !(s->cr.iva & 0x7fff) && !(s->cr.irr[0] & MONT_IRQ_RESERVED) &&
	       !(s->cr.isrv[0] & MONT_IRQ_RESERVED) && !ar_reserved(MONT_AR_RSC, s->ar.rsc) &&
	       !ar_reserved(40, s->ar.fpsr) && !ar_reserved(64, s->ar.pfs) && s->ar.ec <= 63 &&
	       !(s->ar.bspstore & 7);
}

enum mont_result mont_rr_write(struct mont_thread *t, u32 rr, u64 v)
{
	if (rr_reserved(v))
		return MONT_FAULT_RESERVED_FIELD;
	t->s.rr[rr & 7] = v;
	mont_utlb_flush(t);
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
	t->s.pkr[pkr] = v;
	mont_utlb_flush(t);
	return MONT_NEXT;
}

enum mont_result mont_debug_write(struct mont_thread *t, u64 *reg, u32 i, u64 v)
{
	if (i >= MONT_NR_DEBUG)
		return MONT_FAULT_RESERVED_FIELD;
	mont_signals_fold(t);
	reg[i] = v;
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

	return i < MONT_NR_CPUID ? cpuid[i] : 0;
}
