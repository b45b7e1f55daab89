/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Data references with every check (SDM volume 2, 4.4 and 4.5). Called by mem.h where no
 * host-speed copy serves, by memory operations (isa/memops.h, memops.c) and by backing_store.c.
 */
#ifndef MONT_MEMORY_ACCESS_H
#define MONT_MEMORY_ACCESS_H

#include "../mmu/translate.h"
#include "../platform/map.h"
#include "lsu.h"
#include "speculation.h"

/*
 * The reference @ref, whose va, size and kind are set, with every check; @access
 * is MONT_ACC_*. Its physical address and what it came to are in @ref afterwards.
 */
enum mont_result mont_load_slow(struct mont_thread *t, struct mont_ref *ref, u32 access, u64 v[2]);
enum mont_result mont_store_slow(struct mont_thread *t, struct mont_ref *ref, u32 access,
				 const u64 v[2]);
/*
 * Like mont_load_slow(), but a deferrable fault becomes *deferred = true and
 * MONT_NEXT (SDM volume 2, 5.5.5), with the reason in @ref.
 */
enum mont_result mont_load_spec(struct mont_thread *t, struct mont_ref *ref, u32 access, u64 v[2],
				bool *deferred);
/*
 * Refill the host copy of the translation for a plain integer load. True: *@r is a
 * fault, or there is a copy now. False: mont_load_slow() has to make the load.
 */
bool mont_load_refill(struct mont_thread *t, u64 va, u32 size, enum mont_result *r);
/* An advanced load reads nothing and gives 0 where @ref is not to cacheable memory. */
enum mont_result mont_load_advanced(struct mont_thread *t, struct mont_ref *ref, u32 access,
				    u64 v[2]);
/* Physical address for the ALAT; 0 with @ok false where it cannot be tracked. */
u64 mont_data_pa(struct mont_thread *t, u64 va, bool *ok);

/* Deliver a load or a store that retires to the subscribers of @sig. */
void mont_reference_slow(struct mont_thread *t, enum mont_signal sig, const struct mont_ref *ref);
/* As mont_reference_slow(), for one that the fast path has made; @kind is MONT_DATA_*. */
void mont_plain_slow(struct mont_thread *t, enum mont_signal sig, u64 va, u32 size, u32 kind);
/* Ask the memory pipeline for @ref, with its physical address. */
void mont_reference_log(struct mont_thread *t, enum mont_lsu_code op, const struct mont_ref *ref);

/* The privilege level that a reference is made at: RSC.pl for the RSE. */
static inline u32 mont_reference_level(const struct mont_thread *t, u32 ref)
{
	return ref & MONT_ACC_RSE ? mont_bits(t->s.ar.rsc, 2, 2) : t->cpl;
}

static inline bool mont_big_endian(const struct mont_thread *t, u32 ref)
{
	if (ref & MONT_ACC_RSE)
		return t->s.ar.rsc & MONT_BIT(4);
	return t->s.psr & MONT_PSR_BE;
}

/* True if the RSE's references translate and are checked as the program's own. */
static inline bool mont_rse_like_data(const struct mont_thread *t)
{
	return !(t->s.psr & MONT_PSR_DT) == !(t->s.psr & MONT_PSR_RT) &&
	       mont_reference_level(t, MONT_ACC_RSE) == t->cpl && !mont_big_endian(t, MONT_ACC_RSE);
}

#endif
