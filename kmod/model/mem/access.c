// SPDX-License-Identifier: GPL-2.0-only
/*
 * Data references, from virtual address to bytes: alignment (SDM volume 2, 4.5),
 * what a memory attribute allows (4.4), byte order.
 */
#include "access.h"

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

/* A data breakpoint concerns every byte of a reference, translated with its first. */
static bool data_debug_rest(const struct mont_thread *t, u64 va, u32 size, u32 ref)
{
	u32 i;

	if (likely(!(t->s.psr & MONT_PSR_DB)))
		return false;
	for (i = 1; i < size; i++)
		if (mont_data_debug(t, va + i, ref, mont_reference_level(t, ref)))
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
		t->fault_isr = mont_reference_isr(ref);
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

/* Remember the page of byte @p for the fast path, where that path does everything right. */
static void remember(struct mont_thread *t, u64 va, const struct mont_xlat *x, u32 ref, u8 *p)
{
	if ((t->s.psr & (MONT_PSR_BE | MONT_PSR_DB)) ||
	    ((ref & MONT_ACC_RSE) && !mont_rse_like_data(t)) || x->ma != MONT_MA_WB)
		return;
	p -= x->pa & MONT_PAGE_OFFSET;
	mont_utlb_add(t, ref & MONT_ACC_WRITE, va, p, x->entry);
	/* What is read is often written next. */
	if (!(ref & MONT_ACC_WRITE) && x->writable && mont_plain_memory(t->pkg, x->pa))
		mont_utlb_add(t, true, va, p, x->entry);
}

enum mont_result mont_load_at(struct mont_thread *t, u64 va, u32 size, u32 ref,
			      const struct mont_xlat *x, u64 v[2])
{
	enum mont_result r = check_access(t, va, size, ref, x->ma);
	u8 buf[16] = { 0 };
	u8 *p;

	if (r != MONT_NEXT)
		return r;
	p = mont_ram(t->pkg, x->pa, size);
	if (p) {
		copy_bytes(buf, p, size, ref, mont_big_endian(t, ref));
		/* Of a semaphore the store does it. */
		if (!(ref & MONT_ACC_WRITE))
			remember(t, va, x, ref, p);
	} else {
		u64 data[2];

		r = mont_mmio_load(t, x, size, ref, data);
		if (r != MONT_NEXT)
			return r;
		copy_bytes(buf, (const u8 *)data, size, ref, mont_big_endian(t, ref));
	}
	__builtin_memcpy(v, buf, 16);
	if (x->ma != MONT_MA_WB)
		t->sig_data |= MONT_DATA_UC;
	return MONT_NEXT;
}

enum mont_result mont_load_slow(struct mont_thread *t, u64 va, u32 size, u32 ref, u64 v[2])
{
	struct mont_xlat x;
	enum mont_result r = mont_translate(t, va, ref, mont_reference_level(t, ref), &x);

	v[0] = 0;
	v[1] = 0;
	if (r != MONT_NEXT)
		return r;
	return mont_load_at(t, va, size, ref, &x, v);
}

enum mont_result mont_store_slow(struct mont_thread *t, u64 va, u32 size, u32 ref, const u64 v[2])
{
	struct mont_xlat x;
	enum mont_result r = mont_translate(t, va, ref, mont_reference_level(t, ref), &x);
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

		copy_bytes((u8 *)data, buf, size, ref, mont_big_endian(t, ref));
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
	copy_bytes(p, buf, size, ref, mont_big_endian(t, ref));
	if (t->pkg->alat_live)
		mont_alat_stored(t->pkg, x.pa, size);
	if (x.ma != MONT_MA_WB)
		t->sig_data |= MONT_DATA_UC;
	return MONT_NEXT;
}

enum mont_result mont_load_advanced(struct mont_thread *t, u64 va, u32 size, u32 ref, u64 v[2])
{
	struct mont_xlat x;
	enum mont_result r = mont_translate(t, va, ref, t->cpl, &x);

	v[0] = 0;
	v[1] = 0;
	if (r != MONT_NEXT || x.ma != MONT_MA_WB)
		return r;
	return mont_load_at(t, va, size, ref, &x, v);
}

u64 mont_data_pa(struct mont_thread *t, u64 va, bool *ok)
{
	struct mont_xlat x;

	*ok = mont_translate(t, va, MONT_ACC_READ, t->cpl, &x) == MONT_NEXT && x.ma == MONT_MA_WB &&
	      mont_ram(t->pkg, x.pa, 1);
	t->fault_isr = 0;
	return x.pa;
}
