/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The advanced load address table (SDM volume 1, 4.4.5). Called by memory
 * operations (isa/memops.h, memops.c), by stores (memory/), by purges of the
 * TLB, and by hostview.c, param.c and state.c of package/.
 */
#ifndef MONT_ARCH_ALAT_H
#define MONT_ARCH_ALAT_H

#include "../package/package.h"

#define MONT_ALAT_FR MONT_BIT(63)
#define MONT_ALAT_STACKED MONT_BIT(62)

/* The number under which a register's entry is kept. */
u64 mont_alat_gr(const struct mont_thread *t, u8 r);
u64 mont_alat_fr(const struct mont_thread *t, u8 f);
/* True if that pushed out a valid entry of another register. */
bool mont_alat_insert(struct mont_thread *t, u64 reg, u64 pa, u32 size);
/* True if there is an entry for @reg; @clear removes it. */
bool mont_alat_check(struct mont_thread *t, u64 reg, bool clear);
void mont_alat_remove(struct mont_thread *t, u64 reg);
void mont_alat_clear(struct mont_thread *t);
/* No more than @nr entries are used from now on. */
void mont_alat_fit(struct mont_thread *t, u32 nr);
/* A store of @size bytes at @pa: entries of every thread that overlap go. */
void mont_alat_stored(struct mont_package *pkg, u64 pa, u32 size);
/* Find the valid entries of all threads again. */
void mont_alat_recount(struct mont_package *pkg);

/*
 * True if an entry of the ALAT may be of the eight bytes at @va, by the bits of the
 * address within a page, which virtual and physical ones share. A store of one aligned
 * word touches no other.
 */
static __always_inline bool mont_alat_near(const struct mont_thread *t, u64 va)
{
	u64 filter = t->pkg->alat_filter;

	return filter && (filter >> (va >> 3 & 63) & 1);
}

#endif
