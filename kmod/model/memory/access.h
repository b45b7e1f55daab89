/* SPDX-License-Identifier: GPL-2.0-only */
/* Interfaces between the files that make a data reference (SDM volume 2, 4.4 and 4.5). */
#ifndef MONT_MEM_ACCESS_H
#define MONT_MEM_ACCESS_H

#include "mem.h"
#include "../platform/map.h"

/* Where in its 4 KB an address is. */
#define MONT_PAGE_OFFSET (MONT_PAGE_SIZE - 1ULL)

/* ---- translate.c ---- */

/* ISR bits of a fault of reference @ref. */
u64 mont_reference_isr(u32 ref);
/* Check @ref through @e against the protection key registers: MONT_NEXT, or a fault. */
enum mont_result mont_check_key(const struct mont_thread *t, const struct mont_tlbe *e, u32 ref);
/* True if byte @va of a reference meets a data breakpoint (SDM volume 2, 7.1). */
bool mont_data_debug(const struct mont_thread *t, u64 va, u32 ref, u32 cpl);

/* ---- access.c ---- */

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

/* ---- speculation.c ---- */

/* May a speculative load that met fault @r give NaT instead (SDM volume 2, 5.5.5)? */
bool mont_deferred_by(struct mont_thread *t, enum mont_result r);
/* The reason SPEC_LOADS_NATTED has for NaT instead of fault @r (docs P13). */
u32 mont_natted_why(enum mont_result r, const struct mont_xlat *x);

#endif
