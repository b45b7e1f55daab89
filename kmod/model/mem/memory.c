// SPDX-License-Identifier: GPL-2.0-only
/*
 * Data references and instruction fetch, from virtual address to bytes
 * (SDM volume 1, 4.4; volume 2, 4.1 to 4.5 and tables 5-5 and 5-6).
 */
#include "mem.h"
#include "../platform/map.h"
#include "../raise.h"

/* DCR bits that defer faults of speculative loads (SDM volume 2, 3.3.4.1). */
#define DCR_DM MONT_BIT(8)
#define DCR_DP MONT_BIT(9)
#define DCR_DK MONT_BIT(10)
#define DCR_DX MONT_BIT(11)
#define DCR_DR MONT_BIT(12)
#define DCR_DA MONT_BIT(13)
#define DCR_DD MONT_BIT(14)

#define PKR_V MONT_BIT(0)
#define PKR_WD MONT_BIT(1)
#define PKR_RD MONT_BIT(2)
#define PKR_XD MONT_BIT(3)

#define PAGE_OFFSET 0xfffULL

static u64 isr_of(u32 ref)
{
	return (ref & MONT_ACC_READ ? MONT_ISR_R : 0) | (ref & MONT_ACC_WRITE ? MONT_ISR_W : 0) |
	       (ref & MONT_ACC_EXEC ? MONT_ISR_X : 0) | (ref & MONT_ACC_SPEC ? MONT_ISR_SP : 0) |
	       (ref & MONT_ACC_NA ? MONT_ISR_NA : 0) | (ref & MONT_ACC_RSE ? MONT_ISR_RS : 0);
}

static enum mont_result check_key(const struct mont_thread *t, const struct mont_tlbe *e, u32 ref)
{
	bool insn = ref & MONT_ACC_EXEC;
	unsigned int i;

	for (i = 0; i < MONT_NR_PKR; i++) {
		u64 pkr = t->s.pkr[i];

		if (!(pkr & PKR_V) || mont_bits(pkr, 8, MONT_RID_BITS) != e->key)
			continue;
		if (((ref & MONT_ACC_READ) && (pkr & PKR_RD)) ||
		    ((ref & MONT_ACC_WRITE) && (pkr & PKR_WD)) || (insn && (pkr & PKR_XD)))
			return insn ? MONT_FAULT_IKEY_PERM : MONT_FAULT_DKEY_PERM;
		return MONT_NEXT;
	}
	return insn ? MONT_FAULT_IKEY_MISS : MONT_FAULT_DKEY_MISS;
}

/* Does a data breakpoint match (SDM volume 2, 7.1)? */
static bool dbr_match(const struct mont_thread *t, u64 va, u32 ref, u32 cpl)
{
	unsigned int i;

	for (i = 0; i < MONT_NR_DEBUG; i += 2) {
		u64 c = t->s.dbr[i + 1], mask = mont_bits(c, 0, 56) | 0xffULL << 56;

		if (!((ref & MONT_ACC_READ && c >> 63) ||
		      (ref & MONT_ACC_WRITE && (c >> 62 & 1))) ||
		    !(c >> 56 >> cpl & 1))
			continue;
		if (!((t->s.dbr[i] ^ va) & mask))
			return true;
	}
	return false;
}

static bool data_debug(const struct mont_thread *t, u64 va, u32 ref, u32 cpl)
{
	return (t->s.psr & MONT_PSR_DB) && !(t->s.psr & MONT_PSR_DD) && dbr_match(t, va, ref, cpl);
}

enum mont_result mont_translate(struct mont_thread *t, u64 va, u32 ref, u32 cpl,
				struct mont_xlat *x)
{
	bool insn = ref & MONT_ACC_EXEC;
	u64 on = insn ? MONT_PSR_IT : ref & MONT_ACC_RSE ? MONT_PSR_RT : MONT_PSR_DT;
	const struct mont_tlbe *e;
	enum mont_result r;
	u32 rights;

	t->fault_ifa = va;
	t->fault_isr = isr_of(ref);
	x->walked = false;
	if (!(t->s.psr & on)) {
		x->pa = va & ~MONT_BIT(63);
		x->ma = va >> 63 ? MONT_MA_UC : MONT_MA_WB;
		x->ed = 0;
		if (x->pa >> MONT_PA_BITS && !insn)
			return MONT_FAULT_UNIMPL_DATA_ADDR;
		if (!insn && data_debug(t, va, ref, cpl))
			return MONT_FAULT_DDEBUG;
		t->fault_isr = 0;
		/* A trap of the branch that led here, not a fault of this fetch. */
		return x->pa >> MONT_PA_BITS ? MONT_FAULT_UNIMPL_INSN_ADDR : MONT_NEXT;
	}
	e = mont_tlb_find(t, insn, va);
	if (!e) {
		r = mont_vhpt_walk(t, insn, va, ref, &e);
		x->walked = r != MONT_FAULT_ALT_ITLB && r != MONT_FAULT_ALT_DTLB;
		if (r != MONT_NEXT)
			return !insn && !(t->s.psr & MONT_PSR_IC) ? MONT_FAULT_NESTED_TLB : r;
	}
	x->pa = (e->pte & MONT_PTE_PPN) | (va & (MONT_BIT(e->ps) - 1));
	x->ma = mont_pte_ma(e->pte);
	x->ed = !!(e->pte & MONT_PTE_ED);
	if (!(e->pte & MONT_PTE_P))
		return insn ? MONT_FAULT_IPAGE_NOT_PRESENT : MONT_FAULT_DPAGE_NOT_PRESENT;
	if (x->ma == MONT_MA_NATPAGE)
		return insn ? MONT_FAULT_NAT_PAGE_INSN : MONT_FAULT_NAT_PAGE_DATA;
	if (t->s.psr & MONT_PSR_PK) {
		r = check_key(t, e, ref);
		if (r != MONT_NEXT)
			return r;
	}
	rights = mont_access_rights(mont_bits(e->pte, 9, 3), mont_bits(e->pte, 7, 2), cpl);
	if (ref & ~rights & (MONT_ACC_READ | MONT_ACC_WRITE | MONT_ACC_EXEC))
		return insn ? MONT_FAULT_IACCESS_RIGHTS : MONT_FAULT_DACCESS_RIGHTS;
	if ((ref & MONT_ACC_WRITE) && !(e->pte & MONT_PTE_D) && !(t->s.psr & MONT_PSR_DA))
		return MONT_FAULT_DIRTY;
	if (!(e->pte & MONT_PTE_A) && !(t->s.psr & (insn ? MONT_PSR_IA : MONT_PSR_DA)))
		return insn ? MONT_FAULT_IACCESS_BIT : MONT_FAULT_DACCESS_BIT;
	if (!insn && data_debug(t, va, ref, cpl))
		return MONT_FAULT_DDEBUG;
	mont_tlb_mark(t, insn, e);
	t->fault_isr = 0;
	return MONT_NEXT;
}

/*
 * Which misaligned references the data path does by itself: those inside one
 * aligned 8 bytes (16 for floating-point); the rest fault, as all do under
 * PSR.ac (assumption: the boundary is the width of the L1D and FP data paths).
 */
static enum mont_result check_align(struct mont_thread *t, u64 va, u32 size, u32 ref)
{
	u32 unit = ref & MONT_ACC_PAIR ? size / 2 : size;
	u64 natural = (size == 10 ? 16 : ref & MONT_ACC_PAIR ? size : unit) - 1;
	u64 path = ref & MONT_ACC_FP ? 15 : 7;

	if (!(va & natural))
		return MONT_NEXT;
	if ((ref & MONT_ACC_SEM) || (t->s.psr & MONT_PSR_AC) || size > 10 ||
	    (va & path) + size > path + 1)
		return MONT_FAULT_UNALIGNED;
	t->sig_data |= MONT_DATA_MISALIGNED;
	return MONT_NEXT;
}

static u32 level(const struct mont_thread *t, u32 ref)
{
	return ref & MONT_ACC_RSE ? mont_bits(t->s.ar.rsc, 2, 2) : t->cpl;
}

/* A data breakpoint concerns every byte of a reference, translated with its first. */
static bool data_debug_rest(const struct mont_thread *t, u64 va, u32 size, u32 ref)
{
	u32 i;

	if (likely(!(t->s.psr & MONT_PSR_DB)))
		return false;
	for (i = 1; i < size; i++)
		if (data_debug(t, va + i, ref, level(t, ref)))
			return true;
	return false;
}

/*
 * What may be done at all in a page of attribute @ma (SDM volume 2, 4.4.3 and
 * 8.3; manual table 2-3, note 2): semaphores, 16-byte integer and 10-byte
 * floating-point references need cacheable memory.
 */
static enum mont_result check_access(struct mont_thread *t, u64 va, u32 size, u32 ref, u32 ma)
{
	enum mont_result r;

	r = data_debug_rest(t, va, size, ref) ? MONT_FAULT_DDEBUG : check_align(t, va, size, ref);
	if (r == MONT_NEXT && ma != MONT_MA_WB &&
	    ((ref & MONT_ACC_SEM) || size == 10 || (size == 16 && !(ref & MONT_ACC_FP))))
		r = MONT_FAULT_UNSUPPORTED_REF;
	if (r != MONT_NEXT)
		t->fault_isr = isr_of(ref);
	return r;
}

/* Copy between memory and register words; PSR.be reverses each element. */
static void copy_bytes(u8 *dst, const u8 *src, u32 size, u32 ref, bool be)
{
	u32 unit = ref & MONT_ACC_PAIR ? size / 2 : size, i;

	if (be) {
		for (i = 0; i < size; i++)
			dst[i] = src[i - i % unit + unit - 1 - i % unit];
		return;
	}
	switch (size) {
	case 1:
		*dst = *src;
		break;
	case 4:
		__builtin_memcpy(dst, src, 4);
		break;
	case 8:
		__builtin_memcpy(dst, src, 8);
		break;
	default:
		__builtin_memcpy(dst, src, size);
		break;
	}
}

static bool big_endian(const struct mont_thread *t, u32 ref)
{
	if (ref & MONT_ACC_RSE)
		return t->s.ar.rsc & MONT_BIT(4);
	return t->s.psr & MONT_PSR_BE;
}

/* Do the RSE's references translate and check as the program's own do? */
static bool rse_like_data(const struct mont_thread *t)
{
	return !(t->s.psr & MONT_PSR_DT) == !(t->s.psr & MONT_PSR_RT) &&
	       level(t, MONT_ACC_RSE) == t->cpl && !big_endian(t, MONT_ACC_RSE);
}

/* Remember the page of byte @p for the fast path, where that path does everything right. */
static void remember(struct mont_thread *t, u64 va, const struct mont_xlat *x, u32 ref, u8 *p)
{
	if ((t->s.psr & (MONT_PSR_BE | MONT_PSR_DB)) ||
	    ((ref & MONT_ACC_RSE) && !rse_like_data(t)) || x->ma != MONT_MA_WB)
		return;
	mont_utlb_add(t, ref & MONT_ACC_WRITE, va, p - (x->pa & PAGE_OFFSET));
}

static enum mont_result load_at(struct mont_thread *t, u64 va, u32 size, u32 ref,
				const struct mont_xlat *x, u64 v[2])
{
	enum mont_result r = check_access(t, va, size, ref, x->ma);
	u8 buf[16] = { 0 };
	u8 *p;

	if (r != MONT_NEXT)
		return r;
	p = mont_ram(t->pkg, x->pa, size);
	if (p) {
		copy_bytes(buf, p, size, ref, big_endian(t, ref));
		/* Of a semaphore the store does it. */
		if (!(ref & MONT_ACC_WRITE))
			remember(t, va, x, ref, p);
	} else {
		u64 data[2];

		r = mont_mmio_load(t, x, size, ref, data);
		if (r != MONT_NEXT)
			return r;
		copy_bytes(buf, (const u8 *)data, size, ref, big_endian(t, ref));
	}
	__builtin_memcpy(v, buf, 16);
	if (x->ma != MONT_MA_WB)
		t->sig_data |= MONT_DATA_UC;
	return MONT_NEXT;
}

enum mont_result mont_load_slow(struct mont_thread *t, u64 va, u32 size, u32 ref, u64 v[2])
{
	struct mont_xlat x;
	enum mont_result r = mont_translate(t, va, ref, level(t, ref), &x);

	v[0] = 0;
	v[1] = 0;
	if (r != MONT_NEXT)
		return r;
	return load_at(t, va, size, ref, &x, v);
}

enum mont_result mont_store_slow(struct mont_thread *t, u64 va, u32 size, u32 ref, const u64 v[2])
{
	struct mont_xlat x;
	enum mont_result r = mont_translate(t, va, ref, level(t, ref), &x);
	u8 buf[16];
	u8 *p;

	if (r != MONT_NEXT)
		return r;
	r = check_access(t, va, size, ref, x.ma);
	if (r != MONT_NEXT)
		return r;
	if (mont_is_device(x.pa))
		return mont_device_store(t, x.pa, size, v[0]);
	__builtin_memcpy(buf, v, 16);
	p = mont_ram_writable(t->pkg, x.pa, size);
	if (!p) {
		u64 data[2] = { 0, 0 };

		copy_bytes((u8 *)data, buf, size, ref, big_endian(t, ref));
		r = mont_mmio_store(t, &x, size, ref, data);
		if (r == MONT_NEXT && x.ma != MONT_MA_WB)
			t->sig_data |= MONT_DATA_UC;
		return r;
	}
	if (*mont_code_page(t->pkg, x.pa)) {
		mont_fetch_keep_raw(t);
		mont_code_written(t->pkg, x.pa, size);
	} else {
		remember(t, va, &x, ref, p);
	}
	copy_bytes(p, buf, size, ref, big_endian(t, ref));
	if (t->pkg->alat_live)
		mont_alat_stored(t->pkg, x.pa, size);
	if (x.ma != MONT_MA_WB)
		t->sig_data |= MONT_DATA_UC;
	return MONT_NEXT;
}

/* May a speculative load that met fault @r give NaT instead (SDM 5.5.5)? */
static bool deferred_by(struct mont_thread *t, enum mont_result r)
{
	const struct mont_tlbe *e;
	u64 dcr;

	switch (r) {
	case MONT_FAULT_UNIMPL_DATA_ADDR:
	case MONT_FAULT_NAT_PAGE_DATA:
	case MONT_FAULT_NESTED_TLB:
		return true;
	case MONT_FAULT_UNALIGNED:
	case MONT_FAULT_UNSUPPORTED_REF:
		/* No bit of DCR decides: the code page's deferral alone does. */
		dcr = 0;
		break;
	case MONT_FAULT_VHPT_DATA:
	case MONT_FAULT_ALT_DTLB:
	case MONT_FAULT_DTLB:
		dcr = DCR_DM;
		break;
	case MONT_FAULT_DPAGE_NOT_PRESENT:
		dcr = DCR_DP;
		break;
	case MONT_FAULT_DKEY_MISS:
		dcr = DCR_DK;
		break;
	case MONT_FAULT_DKEY_PERM:
		dcr = DCR_DX;
		break;
	case MONT_FAULT_DACCESS_RIGHTS:
		dcr = DCR_DR;
		break;
	case MONT_FAULT_DACCESS_BIT:
		dcr = DCR_DA;
		break;
	case MONT_FAULT_DDEBUG:
		dcr = DCR_DD;
		break;
	default:
		return false;
	}
	if (!(t->s.psr & MONT_PSR_IC))
		return true;
	if (!(t->s.psr & MONT_PSR_IT) || (t->s.cr.dcr & dcr) != dcr)
		return false;
	e = mont_tlb_find(t, true, t->s.ip);
	return e && (e->pte & MONT_PTE_ED);
}

/* The reason SPEC_LOADS_NATTED has for NaT instead of fault @r (docs P13). */
static u32 natted_why(enum mont_result r, const struct mont_xlat *x)
{
	switch (r) {
	case MONT_FAULT_VHPT_DATA:
	case MONT_FAULT_DTLB:
	case MONT_FAULT_ALT_DTLB:
	case MONT_FAULT_NESTED_TLB:
		return x->walked ? MONT_NATTED_VHPT_MISS : MONT_NATTED_TLB_MISS;
	default:
		return MONT_NATTED_TLB_FAULT;
	}
}

static void defer(struct mont_thread *t, u32 why, bool *deferred)
{
	t->sig_data = why << MONT_DATA_WHY_SHIFT;
	*deferred = true;
}

enum mont_result mont_load_spec(struct mont_thread *t, u64 va, u32 size, u32 ref, u64 v[2],
				bool *deferred, u64 *pa)
{
	struct mont_xlat x;
	enum mont_result r;

	v[0] = 0;
	v[1] = 0;
	ref |= MONT_ACC_SPEC;
	*deferred = false;
	/* The handler asked for NaT: no reference is made (SDM volume 2, table 3-2). */
	if (t->s.psr & MONT_PSR_ED) {
		defer(t, MONT_NATTED_PSR_ED, deferred);
		return MONT_NEXT;
	}
	r = mont_translate(t, va, ref, t->cpl, &x);
	if (r == MONT_NEXT) {
		/* Speculation must not touch a device. */
		if (x.ma != MONT_MA_WB || !mont_ram(t->pkg, x.pa, size)) {
			defer(t, MONT_NATTED_TLB_FAULT, deferred);
			return MONT_NEXT;
		}
		*pa = x.pa;
		r = load_at(t, va, size, ref, &x, v);
	}
	if (r != MONT_NEXT && deferred_by(t, r)) {
		t->fault_isr = 0;
		defer(t, natted_why(r, &x), deferred);
		return MONT_NEXT;
	}
	return r;
}

enum mont_result mont_load_advanced(struct mont_thread *t, u64 va, u32 size, u32 ref, u64 v[2])
{
	struct mont_xlat x;
	enum mont_result r = mont_translate(t, va, ref, t->cpl, &x);

	v[0] = 0;
	v[1] = 0;
	if (r != MONT_NEXT || x.ma != MONT_MA_WB)
		return r;
	return load_at(t, va, size, ref, &x, v);
}

u64 mont_data_pa(struct mont_thread *t, u64 va, bool *ok)
{
	struct mont_xlat x;

	*ok = mont_translate(t, va, MONT_ACC_READ, t->cpl, &x) == MONT_NEXT && x.ma == MONT_MA_WB &&
	      mont_ram(t->pkg, x.pa, 1);
	t->fault_isr = 0;
	return x.pa;
}

/* A word moved: @sig, of memory that t->sig_data describes. */
static void rse_signal(struct mont_thread *t, enum mont_signal sig, u64 va, u32 data)
{
	t->sig_data |= MONT_DATA_RSE;
	mont_signal(t, sig, va);
	t->sig_data |= data;
	mont_signal(t, MONT_SIG_RSE_REFERENCE, va);
	t->sig_data = 0;
}

enum mont_result mont_rse_load8(struct mont_thread *t, u64 va, u64 *v)
{
	enum mont_result r;
	u64 w[2];

	t->sig_data = 0;
	if (likely(rse_like_data(t)) && mont_utlb_hit(mont_utlb_r(t, va), va, 8)) {
		r = mont_load(t, va, 8, v);
	} else {
		r = mont_load_slow(t, va, 8, MONT_ACC_READ | MONT_ACC_RSE, w);
		*v = w[0];
	}
	if (r == MONT_NEXT)
		rse_signal(t, MONT_SIG_LOAD_RETIRED, va, 0);
	return r;
}

enum mont_result mont_rse_store8(struct mont_thread *t, u64 va, u64 v)
{
	u64 w[2] = { v, 0 };
	enum mont_result r;

	t->sig_data = 0;
	if (likely(rse_like_data(t)) && mont_utlb_hit(mont_utlb_w(t, va), va, 8))
		r = mont_store(t, va, 8, v);
	else
		r = mont_store_slow(t, va, 8, MONT_ACC_WRITE | MONT_ACC_RSE, w);
	if (r == MONT_NEXT)
		rse_signal(t, MONT_SIG_STORE_RETIRED, va, MONT_DATA_STORE);
	return r;
}

enum mont_result mont_fetch_page(struct mont_thread *t)
{
	u64 va = t->s.ip & ~PAGE_OFFSET;
	struct mont_xlat x;
	enum mont_result r;
	struct mont_fetch *f = &t->fetch[va >> 12 & (MONT_NR_FETCH - 1)];
	const u8 *p;

	if (f->va == va) {
		t->fetch_va = va;
		t->fetch_pa = f->pa;
		t->fetch_host = f->host;
		return MONT_NEXT;
	}
	r = mont_translate(t, t->s.ip, MONT_ACC_EXEC, t->cpl, &x);
	if (r != MONT_NEXT)
		return r;
	if (x.pa == MONT_PAL_PROC)
		return MONT_RELOAD;
	x.pa &= ~PAGE_OFFSET;
	p = mont_ram(t->pkg, x.pa, MONT_PAGE_SIZE);
	if (!p)
		return MONT_FAULT_MACHINE_CHECK;
	t->fetch_va = va;
	t->fetch_pa = x.pa;
	t->fetch_host = p;
	*f = (struct mont_fetch){ .va = va, .pa = x.pa, .host = p };
	return MONT_NEXT;
}

const u64 *mont_fetch_raw(const struct mont_thread *t)
{
	if (unlikely(!t->cur))
		return NULL;
	if (unlikely(!t->cur->tag))
		return t->raw;
	return (const u64 *)(t->fetch_host + (t->cur->tag & 0xff0));
}

void mont_fetch_keep_raw(struct mont_thread *t)
{
	if (t->cur && t->cur->tag)
		__builtin_memcpy(t->raw, mont_fetch_raw(t), sizeof(t->raw));
}
