// SPDX-License-Identifier: GPL-2.0-only
/*
 * Data references, from virtual address to bytes: alignment (SDM volume 2, 4.5),
 * what a memory attribute allows (4.4), byte order.
 */
#include "access.h"
#include "mmio.h"
#include "phys.h"
#include "../platform/devices.h"
#include "../arch/alat.h"
#include "../mmu/breakpoint.h"
#include "../mmu/fetch.h"
#include "../mmu/utlb.h"
#include "../event/raise.h"
#include "../platform/map.h"

/*
 * Alignment check. The data path serves misaligned references inside one
 * aligned 8 bytes (16 for floating-point); the rest fault, as all do under
 * PSR.ac (assumption: the boundary is the width of the L1D and FP data paths).
 */
static enum mont_result access_check_alignment(struct mont_thread *t, struct mont_ref *ref,
					       u32 access)
{
	u32 size = ref->size;
	u32 unit = access & MONT_ACC_PAIR ? size / 2 : size;
	u64 natural = (size == 10 ? 16 : access & MONT_ACC_PAIR ? size : unit) - 1;
	u64 path = access & MONT_ACC_FP ? 15 : 7;

	if (!(ref->va & natural))
		return MONT_NEXT;
	if ((access & MONT_ACC_SEM) || (t->s.psr & MONT_PSR_AC) || size > 10 ||
	    (ref->va & path) + size > path + 1)
		return MONT_FAULT_UNALIGNED;
	ref->kind |= MONT_DATA_MISALIGNED;
	return MONT_NEXT;
}

/* A data breakpoint concerns every byte of a reference, translated with its first. */
static bool access_data_debug_rest(const struct mont_thread *t, const struct mont_ref *ref,
				   u32 access)
{
	u32 i;

	if (likely(!(t->s.psr & MONT_PSR_DB)))
		return false;
	for (i = 1; i < ref->size; i++)
		if (mont_data_debug(t, ref->va + i, access, mont_reference_level(t, access)))
			return true;
	return false;
}

/*
 * Check the reference against memory attribute @ma (SDM volume 2, 4.4.3 and
 * 8.3; manual table 2-3, note 2): semaphores, 16-byte integer and 10-byte
 * floating-point references need cacheable memory.
 */
static enum mont_result access_check_attribute(struct mont_thread *t, struct mont_ref *ref,
					       u32 access, u32 ma)
{
	enum mont_result r;

	r = access_data_debug_rest(t, ref, access) ? MONT_FAULT_DDEBUG
						   : access_check_alignment(t, ref, access);
	if (r == MONT_NEXT && ma != MONT_MA_WB &&
	    ((access & MONT_ACC_SEM) || ref->size == 10 ||
	     (ref->size == 16 && !(access & MONT_ACC_FP))))
		r = MONT_FAULT_UNSUPPORTED_REF;
	if (r != MONT_NEXT)
		t->fault_isr = mont_reference_isr(access);
	else if (ma != MONT_MA_WB)
		ref->kind |= MONT_DATA_UC | (ma == MONT_MA_WC ? MONT_DATA_WC : 0) |
			     (ref->pa - t->pkg->s.io_block < MONT_IO_SPAN ? MONT_DATA_PORT : 0);
	return r;
}

/* Copy between memory and register words; PSR.be reverses each element. */
static void access_copy_bytes(u8 *dst, const u8 *src, u32 size, u32 ref, bool be)
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

/*
 * Remember the page of byte @p for the fast path, where that path does everything
 * right; @plain: of a load, for stores too.
 */
static inline void access_copy_translation(struct mont_thread *t, u64 va, const struct mont_xlat *x,
					   u32 ref, u8 *p, bool plain)
{
	if ((t->s.psr & (MONT_PSR_BE | MONT_PSR_DB)) ||
	    ((ref & MONT_ACC_RSE) && !mont_rse_like_data(t)) || x->ma != MONT_MA_WB ||
	    mont_page_watched(t->pkg, va))
		return;
	p -= x->pa & MONT_PAGE_OFFSET;
	mont_utlb_add(t, ref & MONT_ACC_WRITE, va, p, x->entry);
	/* A page that is read is often written next: copy the translation for both. */
	if (plain && x->writable)
		mont_utlb_add(t, true, va, p, x->entry);
}

/* A reference begins: what it is, for the fault it may meet. */
static enum mont_result access_translate(struct mont_thread *t, struct mont_ref *ref, u32 access,
					 struct mont_xlat *x)
{
	enum mont_result r;

	t->fault_size = ref->size;
	r = mont_translate(t, ref->va, access, mont_reference_level(t, access), x);
	if (r == MONT_NEXT)
		ref->pa = x->pa;
	return r;
}

bool mont_load_refill(struct mont_thread *t, u64 va, u32 size, enum mont_result *r)
{
	struct mont_xlat x;
	bool plain;
	u8 *p;

	if ((t->s.psr & (MONT_PSR_BE | MONT_PSR_DB)) || (va & (size - 1)) ||
	    mont_page_watched(t->pkg, va))
		return false;
	t->fault_size = size;
	*r = mont_translate(t, va, MONT_ACC_READ, t->cpl, &x);
	if (*r != MONT_NEXT)
		return true;
	p = mont_ram_plain(t->pkg, x.pa, size, &plain);
	if (!p || x.ma != MONT_MA_WB)
		return false;
	access_copy_translation(t, va, &x, MONT_ACC_READ, p, plain);
	return true;
}

static enum mont_result access_load_at(struct mont_thread *t, struct mont_ref *ref, u32 access,
				       const struct mont_xlat *x, u64 v[2])
{
	enum mont_result r = access_check_attribute(t, ref, access, x->ma);
	u8 buf[16] = { 0 };
	bool plain;
	u8 *p;

	if (r != MONT_NEXT)
		return r;
	p = mont_ram_plain(t->pkg, x->pa, ref->size, &plain);
	if (p) {
		access_copy_bytes(buf, p, ref->size, access, mont_big_endian(t, access));
		/* For a semaphore the store copies the translation. */
		if (!(access & MONT_ACC_WRITE))
			access_copy_translation(t, ref->va, x, access, p, plain);
		mont_watch(t, ref, access);
	} else {
		u64 data[2];

		r = mont_mmio_load(t, x, ref->size, access, data);
		if (r != MONT_NEXT)
			return r;
		access_copy_bytes(buf, (const u8 *)data, ref->size, access,
				  mont_big_endian(t, access));
	}
	__builtin_memcpy(v, buf, 16);
	return MONT_NEXT;
}

enum mont_result mont_load_slow(struct mont_thread *t, struct mont_ref *ref, u32 access, u64 v[2])
{
	struct mont_xlat x;
	enum mont_result r = access_translate(t, ref, access, &x);

	v[0] = 0;
	v[1] = 0;
	if (r != MONT_NEXT)
		return r;
	return access_load_at(t, ref, access, &x, v);
}

enum mont_result mont_store_slow(struct mont_thread *t, struct mont_ref *ref, u32 access,
				 const u64 v[2])
{
	struct mont_xlat x;
	enum mont_result r = access_translate(t, ref, access, &x);
	u32 size = ref->size;
	u8 buf[16];
	u8 *p;

	if (r != MONT_NEXT)
		return r;
	r = access_check_attribute(t, ref, access, x.ma);
	if (r != MONT_NEXT)
		return r;
	if (mont_is_device(x.pa))
		return mont_device_store(t, x.pa, size, v[0]);
	__builtin_memcpy(buf, v, 16);
	p = mont_ram_writable(t->pkg, x.pa, size);
	if (!p) {
		u64 data[2] = { 0, 0 };

		access_copy_bytes((u8 *)data, buf, size, access, mont_big_endian(t, access));
		return mont_mmio_store(t, &x, size, access, data);
	}
	if (*mont_code_page(t->pkg, x.pa)) {
		mont_fetch_keep_raw(t);
		mont_code_written(t->pkg, x.pa, size);
	} else {
		access_copy_translation(t, ref->va, &x, access, p, false);
	}
	access_copy_bytes(p, buf, size, access, mont_big_endian(t, access));
	mont_watch(t, ref, access);
	if (t->pkg->alat_live)
		mont_alat_stored(t->pkg, x.pa, size);
	return MONT_NEXT;
}

enum mont_result mont_load_advanced(struct mont_thread *t, struct mont_ref *ref, u32 access,
				    u64 v[2])
{
	const struct mont_utlb *e = mont_utlb_r(t, ref->va);
	struct mont_xlat x;
	enum mont_result r;

	v[0] = 0;
	v[1] = 0;
	if (ref->size <= 8 && mont_utlb_hit(e, ref->va, ref->size)) {
		__builtin_memcpy(v, mont_utlb_byte(e, ref->va), ref->size);
		return MONT_NEXT;
	}
	r = access_translate(t, ref, access, &x);
	if (r != MONT_NEXT || x.ma != MONT_MA_WB)
		return r;
	return access_load_at(t, ref, access, &x, v);
}

/* The NaT is given for @why; what the reference came to otherwise is void. */
static void access_defer(struct mont_ref *ref, u32 why, bool *deferred)
{
	ref->kind = (ref->kind & MONT_DATA_FP) | why << MONT_DATA_WHY_SHIFT;
	*deferred = true;
}

enum mont_result mont_load_spec(struct mont_thread *t, struct mont_ref *ref, u32 access, u64 v[2],
				bool *deferred)
{
	struct mont_xlat x;
	enum mont_result r;

	v[0] = 0;
	v[1] = 0;
	access |= MONT_ACC_SPEC;
	*deferred = false;
	/* The handler asked for NaT: no reference is made (SDM volume 2, table 3-2). */
	if (t->s.psr & MONT_PSR_ED) {
		access_defer(ref, MONT_NATTED_PSR_ED, deferred);
		return MONT_NEXT;
	}
	r = access_translate(t, ref, access, &x);
	if (r == MONT_NEXT) {
		/* Speculation must not touch a device. */
		if (x.ma != MONT_MA_WB || !mont_ram(t->pkg, x.pa, ref->size)) {
			access_defer(ref, MONT_NATTED_TLB_FAULT, deferred);
			return MONT_NEXT;
		}
		r = access_load_at(t, ref, access, &x, v);
	}
	if (r != MONT_NEXT && mont_deferred_by(t, r)) {
		t->fault_isr = 0;
		access_defer(ref, mont_natted_why(r, &x), deferred);
		return MONT_NEXT;
	}
	return r;
}

u64 mont_data_pa(struct mont_thread *t, u64 va, bool *ok)
{
	const struct mont_utlb *e = mont_utlb_r(t, va);
	struct mont_xlat x;

	*ok = true;
	if (mont_utlb_hit(e, va, 1))
		return mont_ram_address(t->pkg, mont_utlb_byte(e, va));
	*ok = mont_translate(t, va, MONT_ACC_READ, t->cpl, &x) == MONT_NEXT && x.ma == MONT_MA_WB &&
	      mont_ram(t->pkg, x.pa, 1);
	t->fault_isr = 0;
	return x.pa;
}

/* @ref with its physical address, of which the fast path knows the byte alone. */
static struct mont_ref access_locate(struct mont_thread *t, enum mont_signal sig,
				     const struct mont_ref *ref)
{
	bool store = sig == MONT_SIG_STORE_RETIRED || (ref->kind & MONT_DATA_STORE);
	const struct mont_utlb *e = store ? mont_utlb_w(t, ref->va) : mont_utlb_r(t, ref->va);
	struct mont_ref whole = *ref;

	if (ref->pa == MONT_PA_NONE && mont_utlb_hit(e, ref->va, 1))
		whole.pa = mont_ram_address(t->pkg, mont_utlb_byte(e, ref->va));
	return whole;
}

void mont_reference_slow(struct mont_thread *t, enum mont_signal sig, const struct mont_ref *ref)
{
	struct mont_ref whole = access_locate(t, sig, ref);

	mont_signal_line_slow(t, sig, &whole, 0, t->clock);
}

void mont_reference_log(struct mont_thread *t, enum mont_lsu_code op, const struct mont_ref *ref)
{
	bool load = op == MONT_LSU_LOAD || op == MONT_LSU_RSE_LOAD;
	struct mont_ref whole =
		access_locate(t, load ? MONT_SIG_LOAD_RETIRED : MONT_SIG_STORE_RETIRED, ref);

	mont_lsu_put(t, op, whole.va, whole.pa, whole.size, whole.kind);
}

void mont_plain_slow(struct mont_thread *t, enum mont_signal sig, u64 va, u32 size, u32 kind)
{
	struct mont_ref ref = { .va = va, .pa = MONT_PA_NONE, .size = size, .kind = kind };

	mont_reference_slow(t, sig, &ref);
}
