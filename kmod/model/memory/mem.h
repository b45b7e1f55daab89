/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory as instructions see it: addresses, translations, data references
 * (SDM volume 2, chapter 4). Called by memory operations (isa/memops.h,
 * memops.c), by backing_store.c, and by segments (pipeline/segment.h).
 */
#ifndef MONT_MEMORY_MEM_H
#define MONT_MEMORY_MEM_H

#include "../package/package.h"
#include "../event/raise.h"
#include "../arch/alat.h"
#include "../mmu/fetch.h"
#include "../mmu/probe.h"
#include "../mmu/translate.h"
#include "../mmu/utlb.h"
#include "../mmu/vhpt.h"
#include "access.h"
#include "lsu.h"
#include "mmio.h"
#include "phys.h"

static __always_inline enum mont_result mont_load(struct mont_thread *t, u64 va, u32 size, u64 *out)
{
	const struct mont_utlb *e = mont_utlb_r(t, va);
	enum mont_result r;
	u64 v[2];

	if (mont_utlb_hit(e, va, size)) {
		const void *p = mont_utlb_byte(e, va);

		switch (size) {
		case 1:
			*out = *(const u8 *)p;
			break;
		case 2:
			*out = *(const u16 *)p;
			break;
		case 4:
			*out = *(const u32 *)p;
			break;
		default:
			*out = *(const u64 *)p;
			break;
		}
		return MONT_NEXT;
	}
	r = mont_load_slow(t, &(struct mont_ref){ .va = va, .size = size }, MONT_ACC_READ, v);
	*out = v[0];
	return r;
}

/* True if @size bytes at @va can be stored at once. */
static __always_inline bool mont_store_hits(struct mont_thread *t, u64 va, u32 size)
{
	return mont_utlb_hit(mont_utlb_w(t, va), va, size) && likely(!mont_alat_near(t, va)) &&
	       (size <= 8 || likely(!mont_alat_near(t, va + 8)));
}

/* Store at @va, where mont_store_hits() is true. */
static __always_inline void mont_store_hit(struct mont_thread *t, u64 va, u32 size, u64 val)
{
	void *p = mont_utlb_byte(mont_utlb_w(t, va), va);

	switch (size) {
	case 1:
		*(u8 *)p = val;
		break;
	case 2:
		*(u16 *)p = val;
		break;
	case 4:
		*(u32 *)p = val;
		break;
	default:
		*(u64 *)p = val;
		break;
	}
}

static __always_inline enum mont_result mont_store(struct mont_thread *t, u64 va, u32 size, u64 val)
{
	u64 v[2] = { val, 0 };

	if (mont_store_hits(t, va, size)) {
		mont_store_hit(t, va, size, val);
		return MONT_NEXT;
	}
	return mont_store_slow(t, &(struct mont_ref){ .va = va, .size = size }, MONT_ACC_WRITE, v);
}

/* True if @t keeps time. A run loop that always does, or never, defines this first. */
#ifndef MONT_KEEPS_TIME
#define MONT_KEEPS_TIME(t) ((t)->time)
#endif

/*
 * Refer to memory, where the bytes have been moved: signal @sig, the retirement of a load or
 * a store, and while time is kept leave the reference for the load-store unit (lsu.h).
 */
static __always_inline void mont_refer(struct mont_thread *t, enum mont_signal sig,
				       const struct mont_ref *ref)
{
	if (unlikely(--t->sig[sig].left < 0))
		mont_reference_slow(t, sig, ref);
	if (unlikely(MONT_KEEPS_TIME(t)))
		mont_reference_log(t, sig == MONT_SIG_LOAD_RETIRED ? MONT_LSU_LOAD : MONT_LSU_STORE,
				   ref);
}

/* As mont_refer(), of a page at hand, once the retirement has been signalled. */
static __always_inline void mont_refer_unseen(struct mont_thread *t, enum mont_signal sig, u64 va,
					      u32 size, u32 kind)
{
	if (!MONT_KEEPS_TIME(t))
		return;
	if (sig == MONT_SIG_LOAD_RETIRED)
		mont_lsu_put(t, MONT_LSU_PLAIN_LOAD, va, mont_utlb_pa(&t->utlb_r, va), size, kind);
	else
		mont_lsu_put(t, MONT_LSU_PLAIN_STORE, va, mont_utlb_pa(&t->utlb_w, va), size, kind);
}

/* As mont_refer(), of a page at hand: a record is made where a subscriber looks. */
static __always_inline void mont_refer_plain(struct mont_thread *t, enum mont_signal sig, u64 va,
					     u32 size, u32 kind)
{
	if (unlikely(--t->sig[sig].left < 0))
		mont_plain_slow(t, sig, va, size, kind);
	mont_refer_unseen(t, sig, va, size, kind);
}

#endif
